"""Where the panels of a figure stand, what room the type has, and what of a panel goes where."""

from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.plotly_figure import plotly_figure
from workbook.explorer import theme
from workbook.explorer.handles import Handle
from workbook.explorer.theme import PAGE, Panel, escape

AXIS = dict(range=[0, 2])


def figure(panels, **options):
    return plotly_figure(theme.figure(panels, **options))


def free(title="free", **options):
    return Panel(title, [dict(type="scatter", x=[1], y=[1])], AXIS, AXIS, **options)


def inner(layout):
    """Width and height between the margins."""
    margin = layout.margin
    return layout.width - margin.l - margin.r, layout.height - margin.t - margin.b


def domains(layout, letter, count):
    return np.array([layout[f"{letter}axis{n or ''}"].domain for n in (0, *range(2, count + 1))])


def test_panels_fill_the_figure_from_left_to_right():
    layout = figure([free("a"), free("b")]).layout
    x = domains(layout, "x", 2)
    assert [note.text for note in layout.annotations] == ["<b>a</b>", "<b>b</b>"]
    assert (x[0, 0], x[1, 1]) == pytest.approx((0, 1))
    assert np.ptp(x[0]) == pytest.approx(np.ptp(x[1]))
    assert domains(layout, "y", 2).tolist() == [[0, 1], [0, 1]]


def test_the_type_has_room_beside_between_and_around_the_panels():
    """Numbers of three or four characters and an axis title on the left; a line of them and of a title below."""
    for share in (1.0, 1.5):
        layout = figure([free(), free()], share=share).layout
        assert (layout.width, layout.height) == (PAGE.width, round(share * PAGE.height))
        x = domains(layout, "x", 2)
        assert 4 * PAGE.font <= (x[1, 0] - x[0, 1]) * inner(layout)[0] <= 5.2 * PAGE.font
        assert layout.margin.l == 4 * PAGE.font
        assert 3 * PAGE.font <= layout.margin.b <= 3.5 * PAGE.font
        assert PAGE.font <= layout.margin.r <= 1.5 * PAGE.font
        assert layout.font.size == PAGE.font


def test_the_legend_has_a_line_of_its_own_above_the_titles():
    with_one, without = (figure([free()], legend=legend).layout for legend in (True, False))
    assert (with_one.showlegend, without.showlegend) == (True, False)
    assert 1.5 * PAGE.font <= without.margin.t <= 2 * PAGE.font, "the title's own line"
    assert with_one.margin.t - without.margin.t == pytest.approx(with_one.meta["legend"])
    assert 1.5 * PAGE.font <= with_one.meta["legend"] <= 2 * PAGE.font
    assert without.meta["legend"] == 0
    assert 1.9 * PAGE.font <= (with_one.legend.y - 1) * PAGE.height <= 2.1 * PAGE.font, "plotly's own, too"
    assert (with_one.legend.x, with_one.legend.yref, with_one.legend.orientation) == (0, "paper", "h")
    assert with_one.legend.itemclick is with_one.legend.itemdoubleclick is with_one.dragmode is False


def test_widths_are_relative():
    x = domains(figure([free(), free(), free()], widths=[1, 2, 5]).layout, "x", 3)
    wide = np.ptp(x, axis=1)
    np.testing.assert_allclose(wide / wide[0], [1, 2, 5])
    gaps = [right[0] - left[1] for left, right in pairwise(x)]
    assert gaps[0] == pytest.approx(gaps[1])
    assert sum(wide) + sum(gaps) == pytest.approx(1)


def test_no_panel_ends_beyond_the_figure():
    """However the sums are rounded; plotly would refuse it."""
    for weights in ([0.1 * k for k in range(1, n)] for n in range(2, 40)):
        assert max(end for _, end in theme._spans(weights, 0.01)) <= 1


def test_a_figure_is_a_plain_dict_that_nobody_checks_while_a_slider_moves():
    """The tests check what the explorers draw."""
    plain = theme.figure([Panel("a", [dict(type="scatter", unknown=1)])])
    assert (type(plain), plain["data"][0]["unknown"]) == (dict, 1)


def test_words_at_an_axis_have_a_wider_margin():
    assert figure([free()], left=6).layout.margin.l == 6 * PAGE.font


def test_a_map_is_as_wide_as_its_height_asks_and_the_others_share_what_is_left():
    """Twice as wide as high in its units, whichever way its axes run."""
    for x, y in (([1, 5], [1, 3]), ([5, 1], [1, 3]), ([1, 5], [3, 1])):
        wide_map = Panel("map", [], dict(range=x), dict(range=y), equal=True)
        layout = figure([free(), wide_map, free()], widths=[1, 9, 3], share=0.7).layout
        wide, high = inner(layout)
        spans = np.ptp(domains(layout, "x", 3), axis=1)
        assert spans[1] * wide == pytest.approx(2 * high)
        assert spans[2] == pytest.approx(3 * spans[0])


def test_maps_alone_share_the_width_by_what_they_need():
    """Plotly, and our drawing, then make each as narrow as its height asks."""
    square, wide = (Panel("map", [], dict(range=[0, n]), AXIS, equal=True) for n in (1, 2))
    layout = figure([square, wide]).layout
    x = domains(layout, "x", 2)
    assert np.ptp(x[1]) == pytest.approx(2 * np.ptp(x[0]))
    assert (x[0, 0], x[1, 1]) == pytest.approx((0, 1))
    assert [layout[f"{a}axis{n}"].constrain for a in "xy" for n in ("", "2")] == ["domain"] * 4
    assert [layout[f"yaxis{n}"].scaleanchor for n in ("", "2")] == ["x", "x2"]
    assert figure([free()]).layout.yaxis.scaleanchor is None


def test_what_stands_in_a_panel_refers_to_its_axes():
    line, words = dict(type="line", x0=0, x1=1, y0=0, y1=1, yref="domain"), dict(text="here", x=1, y=0, xref="domain")
    second = free("second", shapes=[line], annotations=[words, dict(text="there", x=0, y=0, showarrow=True)],
                  handles=[Handle("n", 1.0)])  # fmt: skip
    made = figure([free("first"), second])
    layout = made.layout
    assert [(trace.xaxis, trace.yaxis) for trace in made.data] == [("x", "y"), ("x2", "y2")]
    assert [(layout[f"{a}axis{n}"].anchor) for a in "xy" for n in ("", "2")] == ["y", "y2", "x", "x2"]
    assert (layout.shapes[0].xref, layout.shapes[0].yref) == ("x2", "y2 domain")
    title, here, there, other = layout.annotations
    assert (here.xref, here.yref, here.showarrow) == ("x2 domain", "y2", False)
    assert (there.xref, there.yref, there.showarrow) == ("x2", "y2", True)
    at_its_top_left = dict(x=0, y=1, xanchor="left", yanchor="bottom", name="title", showarrow=False)
    assert title.to_plotly_json() == at_its_top_left | dict(text="<b>first</b>", xref="x domain", yref="y domain")
    assert other.to_plotly_json() == at_its_top_left | dict(text="<b>second</b>", xref="x2 domain", yref="y2 domain")
    assert [handle["panel"] for handle in layout.meta["handles"]] == ["2"]
    go.Figure(made.to_plotly_json())  # plotly checks it


def test_a_panel_that_is_higher_on_a_phone_says_so():
    assert "narrow" not in figure([free(), free()]).layout.meta
    assert figure([free(), free(narrow=1.5)]).layout.meta["narrow"] == {"": 1.0, "2": 1.5}


def test_an_axis_says_its_title_in_the_size_of_all_type_and_keeps_what_it_is_given():
    layout = figure([Panel("a", [], dict(title="n", ticks=""), dict(title=dict(text="p", standoff=9)))]).layout
    assert (layout.xaxis.title.text, layout.xaxis.title.font.size, layout.xaxis.ticks) == ("n", PAGE.font, "")
    assert (layout.yaxis.title.text, layout.yaxis.title.standoff, layout.yaxis.ticks) == ("p", 9, "outside")
    for axis in (layout.xaxis, layout.yaxis):
        assert not axis.automargin, "an axis that jumps hides what moved"
        assert not axis.zeroline


def test_a_learners_text_is_text():
    assert escape('<b>"&') == '&lt;b&gt;"&amp;'

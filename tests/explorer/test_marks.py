"""Marks of a panel: what plotly and our drawing module get of them, and that plotly accepts every option."""

import numpy as np
import plotly.graph_objects as go
import pytest

from workbook.explorer import marks, palette
from workbook.explorer.handles import Handle
from workbook.explorer.palette import CLASSES, Look

AXIS = marks.axis(0, 2)


def one_of_each():
    """A mark of every kind, with every option set in one of them."""
    z = np.arange(6.0).reshape(2, 3) - 2
    return [
        marks.bars([0, 1], [1, 2], CLASSES[:2], base=[0, 1], width=0.4, rim=palette.BLACK, hover=["a", "b"]),
        marks.bars([1, 2], [0, 1], palette.GREEN, horizontal=True, name="lying", id=["one", "two"]),
        marks.line([0, 1], [1, np.nan], CLASSES[1], size=5, steps=True, name="line", hover="{name}: {x:.1f}, {y}"),
        marks.points(0, 1, Look(palette.WRONG, "x"), stroke=2, rim=palette.BLACK, opacity=0.5, id="point",
                     data=[[3, 4]], hover="{data[1]:.2f}"),
        marks.cells([0, 1, 2], [0, 1], z, palette.SHARES),
        marks.contour([0, 1, 2], [0, 1], z, CLASSES[2]),
        marks.rule(x=1, id="here"),
        marks.frame((0, 1), (0, 2), palette.BLUE, id="frame"),
        marks.text(1, "top", "words", place="left", color=palette.BLUE, paper="white"),
        Handle("n", 1.0),
    ]  # fmt: skip


def test_plotly_accepts_every_mark_and_each_goes_to_its_kind():
    panel = marks.panel("all", one_of_each(), x=AXIS, y=marks.axis(0.1, 10, "y", ticks={1: "one"}, log=True))
    counts = [len(kind) for kind in (panel.traces, panel.shapes, panel.annotations, panel.handles)]
    assert counts == [6, 2, 1, 1]
    go.Figure(marks.figure(panel))


def test_one_look_gives_each_mark_its_own_sign():
    look = CLASSES[1]
    assert marks.bars([0], [1], look)["marker"]["pattern"]["shape"] == look.hatch
    assert marks.points([0], [1], look)["marker"]["symbol"] == look.symbol
    assert marks.line([0], [1], look)["line"]["dash"] == look.dash
    each = marks.points([0, 1], [1, 1], [look, palette.GREEN])["marker"]
    assert (each["color"], each["symbol"]) == ([look.color, palette.GREEN], [look.symbol, "circle"])
    assert marks.bars([0], [1], palette.GREEN)["marker"] == dict(color=palette.GREEN)


@pytest.mark.parametrize(("hover", "template"), [
    ("{name}: {x:.2f}, {y} of {data[1]:,.0f}", "%{fullData.name}: %{x:.2f}, %{y} of %{customdata[1]:,.0f}"),
    (["a", "b"], "%{customdata}"),
    ("{other} stays", "{other} stays"),
])  # fmt: skip
def test_a_hover_text_becomes_a_template(hover, template):
    trace = marks.points([0, 1], [1, 1], palette.BLUE, hover=hover)
    assert trace["hovertemplate"] == template + "<extra></extra>"
    assert trace.get("customdata") == (hover if isinstance(hover, list) else None)


def test_a_mark_without_a_hover_text_cannot_be_pointed_at():
    assert marks.line([0], [1], palette.BLUE)["hoverinfo"] == "skip"


def test_an_id_is_of_all_or_of_each():
    assert marks.points([0, 1], [1, 1], "", id="all")["meta"] == dict(mark="all")
    assert marks.points([0, 1], [1, 1], "", id=["a", "b"])["ids"] == ["a", "b"]
    assert marks.rule(y=0, id="zero")["name"] == "zero"


def test_bars_keep_base_width_rim_and_direction():
    upright = marks.bars([0], [1], palette.BLUE, base=[2], width=0.5, rim=palette.GREY)
    assert (upright["base"], upright["width"], upright["marker"]["line"]["color"]) == ([2], 0.5, palette.GREY)
    assert (upright.get("orientation"), marks.bars([1], [0], "", horizontal=True)["orientation"]) == (None, "h")


def test_a_rule_goes_through_the_panel_or_over_a_span():
    through, short = marks.rule(x=2), marks.rule(y=2, span=(0, 5))
    assert (through["x0"], through["x1"], through["y0"], through["y1"], through["yref"]) == (2, 2, 0, 1, "domain")
    assert (short["x0"], short["x1"], short["y0"], short["y1"], short.get("xref")) == (0, 5, 2, 2, None)


def test_a_frame_without_a_look_lies_below():
    area, edge = marks.frame((0, 1), (0, 1), fill=palette.PALE), marks.frame((0, 1), (0, 1), palette.BLUE)
    assert (area["layer"], area["line"]["width"], edge.get("layer")) == ("below", 0, None)


def test_words_stand_at_an_edge_or_beside_their_point():
    assert marks.text("right", 3, "a") == dict(text="a", x=1, xref="domain", xanchor="right", y=3)
    for place, across, up in (("left above", "right", "bottom"), ("right below", "left", "top")):
        beside = marks.text(1, 2, "a", place=place)
        assert beside == dict(text="a", x=1, y=2, xanchor=across, yanchor=up)


def test_the_ends_of_a_logarithmic_axis_are_given_in_data():
    assert marks.axis(0.01, 100, log=True) == dict(type="log", range=[-2, 2], tickvals=[])
    assert marks.axis(0, 1, ticks=5) == dict(range=[0, 1], nticks=5)
    named = marks.named_axis(["a", "b"])
    assert (named["tickvals"], named["ticktext"], named["range"]) == ([0, 1], ["a", "b"], [-0.6, 1.6])


def test_the_legend_has_each_name_once():
    twice = [marks.line([0], [1], palette.BLUE, name="one"), marks.points([0], [1], palette.BLUE, name="one")]
    panels = [marks.panel("", twice, marks.line([0], [1], palette.GREY), x=AXIS, y=AXIS) for _ in range(2)]
    figure = marks.figure(*panels)
    assert [trace.get("showlegend", True) for trace in figure["data"]] == [True] + 5 * [False]
    assert figure["layout"]["showlegend"]
    assert all("showlegend" not in trace for trace in panels[0].traces), "a panel stays as it was"
    assert not marks.figure(marks.panel("", x=AXIS, y=AXIS))["layout"]["showlegend"]

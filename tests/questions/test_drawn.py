"""A prediction that is drawn: what stands in the figure, what is said, and that nothing tells the truth too early."""

import re

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.plotly_figure import plotly_figure
from workbook.explorer.explorer import Explorer
from workbook.explorer.theme import PAGE
from workbook.questions.drawn import Drawn, gap
from workbook.questions.predictions import Prediction
from workbook.questions.progress import load
from workbook.questions.question import QuestionView

from .asked import Page


def told(value):
    return lambda: value


def bar(truth=0.52):
    return Drawn({"before": told(0.25), "after": told(truth)}, y="share", given=1)


def line(*truths):
    heights = dict(enumerate((0.25, *(truths or (0.5, 0.125))), start=1))
    return Drawn({f"{n}": told(height) for n, height in heights.items()}, y="P(A)", x="n", given=1)


def asked(drawn):
    """A question with this figure, on the page: the figure, and the page under it."""
    item = Prediction("99/drawn", "Put it.", list(drawn.heights.values())[-1], "It is {:.3f}.".format, drawn=drawn)
    page = Page(item)
    _, sketch = page.above
    assert sketch.panel
    return sketch, page


def figure(sketch):
    return plotly_figure(sketch._figure)


def heights(sketch, name):
    """The heights of a trace, by place; an empty dict if there is none."""
    found = [trace for trace in figure(sketch).data if trace.name == name]
    return {round(x): y for trace in found for x, y in zip(trace.x, trace.y, strict=True) if np.isfinite(y)}


def everything(sketch, page):
    """All that the page has been told, but for the names of widgets."""
    boxes = [sketch.panel, sketch.view, page.view, *sketch.controls.values()]
    told = repr([sketch._figure, *(box.get_state() for box in boxes)])
    return re.sub("[0-9a-f]{32}", "name", told)


# --- before the reveal --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("drawn", "other"), [(bar(0.9), bar(0.1)), (line(0.9, 0.99), line(0.1, 0.01))])
def test_the_truth_is_nowhere_before_the_reveal(drawn, other):
    """Whatever it is, the page is told the same: the figure, its axes, all that a widget holds."""
    seen = []
    for one in (drawn, other):
        sketch, page = asked(one)
        sketch.set(height_0=0.3)
        seen.append(everything(sketch, page))
    assert seen[0] == seen[1]
    assert drawn.to_text() == other.to_text()
    page("skip")
    assert everything(sketch, page) != seen[1]


def test_nothing_is_computed_before_the_reveal():
    computed = []
    drawn = Drawn({"before": told(0.25), "after": lambda: computed.append(1) or 0.5}, y="share", given=1)
    sketch, page = asked(drawn)
    sketch.set(height_0=0.3)
    assert sketch.view.error == ""
    assert drawn.to_text() == "  before: 0.250, after: ____"
    assert computed == []
    page("reveal")
    assert computed


def test_the_axis_is_that_of_a_share_and_stays():
    sketch, page = asked(line())
    axes = figure(sketch).layout.xaxis, figure(sketch).layout.yaxis
    assert figure(sketch).layout.yaxis.tickvals == (0, 0.25, 0.5, 0.75, 1)
    (left, right), (bottom, top) = (axis.range for axis in axes)
    assert bottom == 0
    assert 1 < top < 1.25, "there is room for words above a bar, and no more"
    assert -1 < left < -0.5, "half a place and more beside the outer bars"
    assert left + right == pytest.approx(0 + 2), "as much on either side"
    assert figure(sketch).layout.height < PAGE.height, "it stands among the lines of a question"
    page("skip")
    assert (figure(sketch).layout.xaxis, figure(sketch).layout.yaxis) == axes


@pytest.mark.parametrize("drawn", [bar(), line()])
def test_every_height_has_a_grip_and_a_slider(drawn):
    sketch, _ = asked(drawn)
    sketch.set(**{name: 0.25 for name in sketch.declared if name != "revealed"})
    grips = figure(sketch).layout.meta["handles"]
    yours = next(trace for trace in figure(sketch).data if trace.name == "yours")
    assert [grip["controls"] for grip in grips] == [[name] for name in sketch.declared if name != "revealed"]
    for grip in grips:
        assert (grip["axis"], grip["y"], grip["places"]) == ("y", 0.25, None)
        assert (grip["x"], 0.25) in [(float(x), float(y)) for x, y in zip(yours.x, yours.y, strict=True)]
    assert [box.description for box in sketch.controls.values()][1:] == drawn.labels()[1:]
    assert sketch.controls["revealed"].layout.display == "none"
    assert [(box.min, box.max) for box in sketch.controls.values() if hasattr(box, "max")] == [(0, 1)] * len(grips)


def test_what_is_given_is_drawn_once_and_the_line_goes_on_from_its_last_point():
    heights = {"1": 0.25, "2": 0.5, "3": 0.125}
    drawn = Drawn({n: told(height) for n, height in heights.items()}, y="P(A)", x="n", given=2)
    sketch, page = asked(drawn)
    sketch.set(height_0=0.75)
    page("reveal")
    points = {trace.name: dict(zip(trace.x, trace.y, strict=True)) for trace in figure(sketch).data[:3]}
    assert points == {"given": {0: 0.25, 1: 0.5}, "yours": {1: 0.5, 2: 0.75}, "computed": {1: 0.5, 2: 0.125}}
    sizes = [trace.marker.size for trace in figure(sketch).data[:3]]
    assert [[size > 0 for size in one] for one in sizes] == [[True, True], [False, True], [False, True]]
    assert {size for one in sizes for size in one} >= {0}
    assert len({size for one in sizes for size in one}) == 2
    assert Drawn({"a": told(0.5)}, y="share").known() == [], "unless it is said, nothing is given"


# --- the reveal ---------------------------------------------------------------------------------------------------


def test_the_computed_bar_comes_to_stand_beside_the_readers():
    sketch, page = asked(bar())
    sketch.controls["height_0"].value = 0.3
    assert sketch.view.sentence == "Drawn so far: after: 0.30."
    assert heights(sketch, "computed") == {}
    page("reveal")
    assert page.view.reply["words"] == "You put 0.30, computed 0.520: 0.220 too low. It is 0.520."
    assert heights(sketch, "given") == {0: 0.25}
    assert heights(sketch, "yours") == {1: 0.3}
    assert heights(sketch, "computed") == {1: 0.52}
    (note,) = [note for note in figure(sketch).layout.annotations if "too" in note.text]
    assert (note.text, note.y) == ("0.220 too low", 0.52), "above both"
    left, right = (next(t for t in figure(sketch).data if t.name == name) for name in ("yours", "computed"))
    assert left.x[0] + left.width / 2 < 1 < right.x[0] - right.width / 2, "the gap stands between the two"
    assert sketch.view.sentence == "Computed: after: 0.520."
    assert sketch.controls["height_0"].disabled
    assert figure(sketch).layout.meta["handles"] == []
    assert load() == {"99/drawn": "made"}
    go.Figure(sketch._figure)  # plotly finds nothing wrong


def test_a_line_is_compared_place_by_place():
    sketch, page = asked(line())
    sketch.set(height_0=0.5, height_1=0.15)
    page("reveal")
    assert page.view.reply["words"] == (
        "n = 2: you put 0.50, computed 0.500: just so. n = 3: you put 0.15, computed 0.125: 0.025 too high. "
        "It is 0.125."
    )
    assert heights(sketch, "yours") == {0: 0.25, 1: 0.5, 2: 0.15}, "it goes on from what is given"
    assert heights(sketch, "computed") == {0: 0.25, 1: 0.5, 2: 0.125}
    words = [text for trace in figure(sketch).data for text in (trace.customdata if trace.name != "gap" else ())]
    assert words == ["n = 1: 0.250, given", "n = 1: 0.250, given", "n = 2: 0.500, yours", "n = 3: 0.150, yours",
                     "n = 1: 0.250, given", "n = 2: 0.500, computed", "n = 3: 0.125, computed"]  # fmt: skip
    (gaps,) = [trace for trace in figure(sketch).data if trace.name == "gap"]
    assert np.array_equal(gaps.y, [0.5, 0.5, np.nan, 0.15, 0.125, np.nan], equal_nan=True)
    go.Figure(sketch._figure)


def test_what_is_not_drawn_is_asked_for_first():
    sketch, page = asked(line())
    page("reveal")
    sketch.set(height_0=0.5)
    page("reveal")
    assert page.view.reply["words"] == "First draw your prediction: every height must be above 0. Or skip it."
    assert heights(sketch, "yours") == {0: 0.25, 1: 0.5}
    assert load() == {}
    page("skip")
    assert page.view.reply["words"] == "Skipped. Computed: 0.125. It is 0.125."
    assert heights(sketch, "computed") == {0: 0.25, 1: 0.5, 2: 0.125}
    assert load() == {"99/drawn": "skipped"}
    sketch.reset()
    assert page.view.reply["words"] == "", "nothing is judged under an empty drawing"
    assert heights(sketch, "computed") == heights(sketch, "gap") == {}
    assert not sketch.controls["height_0"].disabled


def test_skipped_without_a_height_no_gap_is_shown():
    sketch, page = asked(bar())
    page("skip")
    assert [trace.name for trace in figure(sketch).data] == ["given", "yours", "computed"]
    assert not [note.text for note in figure(sketch).layout.annotations if "too" in note.text]


@given(st.integers(1, 100), st.floats(0, 1))
def test_the_gap_is_the_difference_of_the_numbers_as_printed(percent, truth):
    said = bar(truth).compared([percent / 100])
    put, computed, off = (round(1000 * float(number)) for number in re.findall(r"\d\.\d+", f"{said} 0.000")[:3])
    sign = {"too high": 1, "too low": -1}.get(" ".join(said.split()[-2:]).rstrip("."), 0)
    assert put - computed == sign * off
    assert (sign == 0) == said.endswith("just so.")


def test_the_gap_of_a_hair_is_none():
    assert gap(0.3, 0.3004) == "just so"
    assert gap(0.3049, 0.3) == "just so", "0.30 is printed"
    assert gap(0.3, 0.2994) == "0.001 too high"


# --- on the page --------------------------------------------------------------------------------------------------


def test_it_goes_when_its_cell_runs_again():
    shown = QuestionView(Prediction("99/drawn", "Put it.", told(0.52), str, drawn=bar()))
    (sketch,) = shown.explorers
    assert isinstance(sketch, Explorer)
    panel = sketch.panel
    shown.close()
    assert panel.comm is None
    assert shown.box.comm is None


def test_as_text_it_is_a_question_with_a_gap():
    item = Prediction("99/drawn", "How high?", told(0.52), str, drawn=line())
    data = item._repr_mimebundle_()
    assert set(data) == {"application/vnd.jupyter.widget-view+json", "text/plain"}
    assert data["text/plain"] == "Predict first.\nHow high?\n  n = 1: 0.250, n = 2: ____, n = 3: ____"

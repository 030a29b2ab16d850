"""The frame itself, on an explorer small enough to see through."""

import base64
import os
from collections import deque
from typing import ClassVar

import numpy as np
import pytest

from workbook.explorer import cells, view
from workbook.explorer import explorer as base
from workbook.explorer.controls import FloatSlider, IntSlider, Steps, Text
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.view import View, load_plotly
from workbook.questions.question import PageQuestion, paragraph


class Lines(Explorer):
    """n points on a line."""

    n = IntSlider(3, 1, 9, label="Points")
    slope = FloatSlider(1.0, -2.0, 2.0, step=0.5, label="Slope")
    alpha = Steps(1.0, [0, 0.01, 0.1, 1.0, 100], label="alpha")
    kind = Text("up", longest=5, label="Kind")
    word = Text("one", longest=5, label="Word")

    drawings: ClassVar[list] = []
    presets: ClassVar = {
        "many": Preset("Nine points say more than three.", dict(n=9)),
        "lazy": Preset("Computed when it is asked for.", lambda: dict(n=2 + 2)),
    }

    def compute(self, n, slope, alpha, kind, word):
        if word == "bad":
            raise ValueError("bad is not a word.")
        return dict(x=np.arange(n), y=slope * np.arange(n), word=word)

    def draw(self, result):
        self.drawings.append(result)
        return dict(data=[dict(type="scatter", x=result["x"], y=result["y"])], layout={})

    def describe(self, result):
        return f"{len(result['x'])} points, the word is {result['word']}."


class Mark(PageQuestion):
    """A question without a field."""

    def __init__(self, key, question):
        self.key, self.question = key, question

    def to_text(self):
        return self.question

    def rows(self):
        return [paragraph(self.question), View()]


@pytest.fixture
def lines():
    Lines.drawings.clear()
    return Lines()


def test_what_a_reader_asks_of_numpy_makes_no_figure_fail():
    """After np.seterr(all="raise") in a cell exp(-800) would be an error, where numpy says 0."""

    class Tiny(Lines):
        def compute(self, n, **_):
            return dict(x=np.arange(n), y=np.exp(-800.0 * np.arange(n)), word="tiny")

    with np.errstate(all="raise"):
        tiny = Tiny()
        assert tiny.panel is not None
        assert (tiny.view.error, tiny.view.sentence) == ("", "3 points, the word is tiny.")
        tiny.close()


def test_state_starts_at_the_defaults_or_where_the_cell_says(lines):
    assert lines.state == dict(n=3, slope=1.0, alpha=1.0, kind="up", word="one")
    assert Lines(n=5, kind="down").state == lines.state | dict(n=5, kind="down")
    assert repr(Lines(n=5)).startswith("Lines(n=5, slope=1.0")


@pytest.mark.parametrize(("state", "parts"), [
    (dict(n=10), ["n = 10", "Points", "[1, 9]"]),
    (dict(n=2.5), ["n = 2.5", "whole number"]),
    (dict(n=True), ["n = True", "whole number"]),
    (dict(n=None), ["n = None"]),
    (dict(slope=3), ["slope = 3", "[-2.0, 2.0]"]),
    (dict(slope=float("nan")), ["slope = nan", "[-2.0, 2.0]"]),
    (dict(slope="1"), ["slope = '1'"]),
    (dict(alpha=-1), ["alpha = -1", "[0, 100]"]),
    (dict(alpha=101), ["alpha = 101"]),
    (dict(alpha=float("inf")), ["alpha = inf"]),
    (dict(word="longer than five"), ["16 characters", "at most 5"]),
    (dict(word=7), ["word = 7"]),
    (dict(colour="red"), ["Lines has no control 'colour'", "'n'"]),
])  # fmt: skip
def test_a_bad_state_is_refused_whole_and_named(lines, state, parts):
    for attempt in (
        lambda: lines.set(slope=0.5, **state) if "slope" not in state else lines.set(**state),
        lambda: Lines(**state),
    ):
        with pytest.raises(ValueError, match=r"\w") as caught:
            attempt()
        assert all(part in str(caught.value) for part in parts), caught.value
    assert lines.state == Lines().state


def test_a_step_is_the_nearest_by_ratio_and_only_zero_itself_is_zero(lines):
    assert lines.declared["alpha"].values == [0, 0.01, 0.1, 1, 100]
    assert lines.set(alpha=0).state["alpha"] == 0
    assert lines.set(alpha=1e-9).state["alpha"] == 0.01
    assert lines.set(alpha=9).state["alpha"] == 1


def test_int_and_float_values_run_from_end_to_end(lines):
    assert lines.declared["n"].values == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert lines.declared["slope"].values == [-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2]
    assert FloatSlider(0, 0, 1).values == [k / 100 for k in range(101)]


@pytest.mark.parametrize(("slider", "low", "high", "step"), [
    (FloatSlider, 0, 1, 0.3),
    (FloatSlider, 0, 1, 2),
    (FloatSlider, 0, 1, 0),
    (FloatSlider, 0, 1, -0.1),
    (IntSlider, 1, 10, 2),
    (IntSlider, 1, 10, 0),
    (IntSlider, 2, 1, -1),
])  # fmt: skip
def test_steps_lead_from_one_end_to_the_other(slider, low, high, step):
    """Else the last value is none that the page's slider can show."""
    with pytest.raises(ValueError, match=rf"step = {step} is not allowed: .* {low}\D.* {high}\D"):
        slider(low, low, high, step=step)


@pytest.mark.parametrize("slider", [FloatSlider(0.3, 0, 1, step=0.1), FloatSlider(0, -0.35, 0.7, step=0.05)])
def test_values_are_those_that_the_slider_shows(slider):
    widget = slider.widget(slider.default)
    steps = [widget.min + step * widget.step for step in range(len(slider.values))]
    assert slider.values == pytest.approx(steps, abs=1e-12)
    assert slider.values[-1] == widget.max
    assert [slider.check(value) for value in slider.values] == slider.values


def test_a_control_has_its_value_on_an_explorer_and_itself_on_the_class(lines):
    assert (lines.n, lines.kind) == (3, "up")
    assert Lines.n is Lines.declared["n"]
    assert lines.set(n=5).n == 5
    lines.n = 4
    assert (lines.n, lines.state["n"]) == (4, 4)
    with pytest.raises(ValueError, match="n = 10 is not allowed"):
        lines.n = 10


@pytest.mark.parametrize("name", ["state", "view", "close", "set", "controls", "compute", "presets", "_lock"])
def test_a_control_takes_no_name_that_every_explorer_has(name):
    with pytest.raises(ValueError, match=f"Bad: '{name}' is no name for a control"):
        type("Bad", (Lines,), {name: IntSlider(1, 0, 2)})
    with pytest.raises(TypeError, match="no keyword"):
        type("Bad", (Lines,), {}, unknown=1)


def test_several_changes_draw_once(lines):
    _ = lines.panel
    Lines.drawings.clear()
    lines.set(n=5, slope=2.0, kind="down")
    assert len(Lines.drawings) == 1
    assert lines.controls["n"].value == 5
    lines.preset("many")
    assert len(Lines.drawings) == 2


def test_the_equation_is_of_the_present_state():
    class Told(Lines):
        """A line with its equation."""

        def explain(self, result):
            return ["n = ", str(len(result["x"]))]

    told, later = Told(), Told(n=7)
    _ = told.panel, later.panel
    before = told.view.formula
    told.set(n=7)
    assert before != told.view.formula == later.view.formula


def test_nothing_is_drawn_before_it_is_shown(lines):
    lines.set(n=5).preset("many").reset()
    assert Lines.drawings == []


def test_a_preset_sets_what_it_names_and_resets_the_rest(lines):
    _ = lines.panel
    lines.set(slope=2.0).preset("many")
    assert lines.state == Lines(n=9).state
    assert lines.view.caption == "Nine points say more than three."
    lines.controls["n"].value = 8
    assert lines.view.caption == "", "the caption belongs to the preset, not to what the learner did next"


def test_a_slider_that_the_page_rounds_is_not_a_move(lines):
    """noUiSlider counts in steps from its low end, and so sends back 0.8 as 0.8000000000000003."""
    page = lines.panel
    lines.preset("many")
    shown = len(lines.drawings)
    lines.controls["slope"].value = 1.0 + 4e-16
    assert (lines.view.caption, len(lines.drawings)) == ("Nine points say more than three.", shown)
    lines.controls["slope"].value = 1.5
    assert (lines.view.caption, len(lines.drawings)) == ("", shown + 1)
    assert lines.state["slope"] == 1.5
    assert page.children[2] is lines.view


def test_a_preset_button_does_the_same(lines):
    row, *_ = parts = lines.panel.children
    names = [part._dom_classes for part in (lines.panel, *parts[:2])]
    assert names == [("nb-explorer",), ("nb-presets",), ("nb-controls",)], "as the style sheet calls them"
    buttons = {button.description: button for button in row.children}
    assert list(buttons) == ["many", "lazy", "Reset"]
    buttons["many"].click()
    assert (lines.state["n"], lines.view.caption) == (9, "Nine points say more than three.")
    buttons["lazy"].click()
    assert lines.state["n"] == 4
    assert lines.view.sentence == "4 points, the word is one."
    buttons["Reset"].click()
    assert lines.state == Lines().state


def test_reset_goes_back_to_where_the_explorer_started():
    """Its cell may have set it, and chosen a preset with its words, before it was shown."""
    given = Lines(n=5, slope=2.0)
    assert given.set(n=7).reset().state == Lines(n=5, slope=2.0).state
    _ = given.set(n=6).panel
    given.preset("many").set(slope=1.5).reset()
    assert given.state == Lines(n=6, slope=2.0).state
    _ = (chosen := Lines().preset("many")).panel
    assert chosen.set(n=3).view.caption == ""
    assert chosen.reset().view.caption == "Nine points say more than three."
    assert chosen.state == Lines(n=9).state


def test_an_unknown_preset_or_control_is_named(lines):
    with pytest.raises(ValueError, match=r"preset = 'few' is not one of 'many', 'lazy'"):
        lines.preset("few")
    with pytest.raises(ValueError, match="control = 'm' is not one of 'n'"):
        list(lines.frames("m"))


def test_a_preset_is_a_mapping(lines):
    assert dict(lines.presets["lazy"]) == {"n": 4}
    assert len(lines.presets["many"]) == 1
    assert lines.set(**lines.presets["lazy"]).state["n"] == 4


def test_an_error_keeps_the_last_good_figure(lines):
    _ = lines.panel
    good = lines.view.figure
    lines.controls["word"].value = "bad"
    assert lines.view.error == "bad is not a word."
    assert lines.view.figure is good
    lines.controls["word"].value = "much too long"
    assert "at most 5 characters" in lines.view.error
    lines.controls["word"].value = "good"
    assert lines.view.error == ""
    assert lines.view.sentence.endswith("good.")


def test_an_explorer_that_starts_with_an_error_says_so():
    data, _ = Lines(word="bad")._repr_mimebundle_()
    assert data["text/plain"] == "bad is not a word."


def test_markup_in_a_sentence_stays_text(lines):
    lines.set(word="<i>")
    data, _ = lines._repr_mimebundle_()
    assert "&lt;i&gt;" in data["text/html"]
    assert "<i>" not in data["text/html"]


def test_frames_leave_the_state_alone(lines):
    frames = list(lines.frames("n"))
    assert [len(frame.data[0].x) for frame in frames] == list(range(1, 10))
    assert frames[4].layout.meta == {"control": "n", "value": 5, "sentence": "5 points, the word is one."}
    assert lines.state == Lines().state


def test_the_picture_has_its_alt_text(lines, monkeypatch):
    monkeypatch.setenv("NBCORE_PICTURES", "1")
    drawn = []
    monkeypatch.setattr(base, "_picture", lambda figure: drawn.append(figure) or b"\x89PNG")
    data, metadata = lines.set(n=5)._repr_mimebundle_()
    assert [len(figure["data"][0]["x"]) for figure in drawn] == [5], "of the state that the sentence speaks of"
    assert base64.b64decode(data["image/png"]) == b"\x89PNG"
    assert metadata["image/png"]["alt"] == lines.view.sentence
    assert f'alt="{lines.view.sentence}"' in data["text/html"]


@pytest.mark.skipif(os.environ.get("NBCORE_PICTURES") == "1", reason="an author is making pictures")
def test_learners_need_no_picture(lines):
    data, _ = lines._repr_mimebundle_()
    assert "image/png" not in data


def test_plotly_js_is_made_once_and_only_if_it_is_asked_for(monkeypatch):
    made = []
    monkeypatch.setattr(view.PlotlyLoader, "__init__", lambda self: made.append(self))
    load_plotly.cache_clear()
    shown = [Lines() for _ in range(3)]
    for explorer in shown:
        assert not explorer.panel.children[-1].plain
    assert made == []
    for explorer in shown:
        explorer.view.plotly = True
        assert explorer.view.plain["data"]
    assert len(made) == 1
    load_plotly.cache_clear()


def test_plotly_js_comes_from_the_installed_package_and_a_figure_is_small():
    assert len(load_plotly().source) > 1e6
    assert len(load_plotly()._esm) < 1000, "it starts at once: plotly.js is not part of it"
    assert len(str(View._esm)) < 1000, "what every figure sends is small: all that draws comes once"


class Kernel:
    """What `show_in_cell` asks of a notebook's kernel."""

    def __init__(self):
        self.kernel, self.cell, self.execution_count, self.deleted = self, "a", 0, []

    def get_parent(self, channel):
        return {"metadata": {"cellId": self.cell, "deletedCells": self.deleted}}

    def run(self, cell, *shown):
        self.cell, self.execution_count = cell, self.execution_count + 1
        for item in shown:
            item._repr_mimebundle_()


@pytest.fixture
def kernel(monkeypatch):
    """A notebook without a cell, on an empty page."""
    notebook = Kernel()
    monkeypatch.setattr(cells, "get_ipython", lambda: notebook)
    monkeypatch.setattr(cells, "_shown", {})
    monkeypatch.setattr(cells, "_deleted", deque())
    return notebook


def test_a_cell_run_again_closes_what_it_showed_before(kernel):
    first, second, third = Lines(), Lines(), Lines()
    kernel.run("a", first, second)
    kernel.run("b", second)
    widgets = first.panel, first.controls["n"], first.view, second.panel
    assert all(widget.comm is not None for widget in widgets)
    kernel.run("a", third)
    assert [widget.comm is None for widget in widgets] == [True, True, True, False], "cell b still shows the second"
    kernel.run("a", third)
    assert third.panel.comm is not None
    kernel.run("a", first)
    assert first.panel.comm is not None, "shown again, it is made anew"
    assert first.view.sentence


def test_what_is_closed_is_forgotten(kernel):
    one, question = Lines(), Mark("99/x", "Why?")
    kernel.run("a", one, question)
    kernel.run("b", one)
    assert {cell: len(items) for cell, (_, items) in cells._shown.items()} == {"a": 2, "b": 1}
    one.close()
    ((_, (shown,)),) = cells._shown.values()
    shown.close()
    one.close()
    assert cells._shown == {}


def test_deleted_cells_are_cleared_once_they_cannot_be_wanted_back(kernel):
    """JupyterLab tells with the next run which cells were deleted; the last few may still be pasted."""
    explorers = [Lines() for _ in range(2 * cells.UNDO)]
    for number, explorer in enumerate(explorers):
        kernel.run(f"cell {number}", explorer)
    kernel.deleted = [f"cell {number}" for number in range(cells.UNDO + 2)] + ["never seen"]
    kernel.run("other", Lines())
    kernel.deleted = []
    closed = ["panel" not in vars(explorer) for explorer in explorers]
    assert closed == [True] * 2 + [False] * (2 * cells.UNDO - 2)
    kernel.run("cell 2", explorers[2])  # cut and pasted: it is no deleted cell any more
    kernel.deleted = ["cell 15"]
    kernel.run("other", Lines())
    kernel.deleted = ["cell 14"]
    kernel.run("other", Lines())
    assert "panel" in vars(explorers[2])
    assert "panel" not in vars(explorers[3])
    assert len(cells._shown) <= len(explorers) - 3 + 1


def test_outside_a_notebook_nothing_is_kept(monkeypatch):
    monkeypatch.setattr(cells, "_shown", {})
    Lines()._repr_mimebundle_()
    assert cells._shown == {}


def test_text_that_was_refused_is_named_as_long_as_it_stands_there(lines):
    _ = lines.panel
    lines.controls["word"].value = "much too long"
    lines.controls["n"].value = 7
    assert lines.view.sentence.startswith("7 points")
    assert "at most 5 characters" in lines.view.error
    lines.reset()
    assert lines.view.error == ""


def test_text_may_forbid_characters():
    text = Text("", forbidden="¶§", label="Name")
    with pytest.raises(ValueError, match="Name must be text without ¶ §"):
        text.check("a¶")
    assert Text("", longest=5).check("right") == "right"


def test_a_slider_reads_as_many_decimals_as_its_step():
    for step, reads in ((0.01, ".2f"), (0.5, ".2f"), (0.004, ".3f"), (1e-4, ".4f")):
        slider = FloatSlider(0.0, 0.0, 1.0, step=step)
        assert slider.widget(0.0).readout_format == reads

"""Held to by every explorer there is: a new one is tested as soon as its class exists."""

import re
from xml.etree import ElementTree

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.plotly_figure import figure_of
from workbook import explorers
from workbook.explorer.controls import Text
from workbook.explorer.formula import spoken

COMPUTERS_OWN = re.compile(r"(?<![\w.–])-[\d.∞]|\d[eE][-+]?\d")  # -0.5 for −0.5, 1.2e-05 for 1.2·10⁻⁵
EXPLORERS = [getattr(explorers, name) for name in explorers.__all__ if name.endswith("Explorer")]
TYPED = [
    "",
    " ",
    "a",
    "Zoë",
    "李小龍",
    "O'Neil Jr.",
    "<img src=x onerror=alert(1)>",
    "<b>x</b>",
    "%{y}",
    "\x00",
    "🙂" * 3,
    "$x$",
]


@pytest.fixture(params=EXPLORERS, ids=lambda c: c.__name__)
def explorer(request):
    return request.param()


def drawn(explorer, state):
    """Figure and sentence of one state."""
    result = explorer.compute(**state)
    figure = figure_of(explorer, result)
    assert isinstance(figure, go.Figure)
    assert figure.data, state
    sentence = explorer.describe(result)
    written = [sentence, spoken(explorer.explain(result)), *(str(note.text) for note in figure.layout.annotations)]
    assert not [text for text in written if COMPUTERS_OWN.search(text)], state
    return figure, sentence


def coordinates(figure):
    """Name of a trace -> its coordinates as float arrays."""
    for trace in figure.data:
        for axis in "xyz":
            values = trace[axis] if axis in trace else None
            if values is not None and np.asarray(values).dtype.kind in "fi":
                yield f"{trace.name or trace.type}.{axis}", np.asarray(values, dtype=float)


def assert_sound(explorer, state):
    figure, sentence = drawn(explorer, state)
    for name, values in coordinates(figure):
        # nan breaks a line where there is nothing to draw; it may not be all there is, and inf is never drawable
        assert not np.isinf(values).any(), (state, name)
        assert not len(values) or np.isfinite(values).any(), (state, name)
    assert len(sentence) > 20, state
    head = (figure.layout.meta or {}).get("head")
    assert not head or sentence.startswith(f"{head['finding']}. "), "what is read aloud begins with the title"
    assert "nan" not in sentence.lower().replace("nance", ""), (state, sentence)
    go.Figure(figure.to_plotly_json())  # plotly checks every name and value
    return figure, sentence


def sampled(control, rng):
    values = TYPED if isinstance(control, Text) else control.values
    return values[rng.integers(len(values))]


def test_its_docstring_and_labels_say_what_it_shows(explorer):
    assert explorer.__doc__
    for name, control in explorer.declared.items():
        assert control.label, name
        first = control.label.split(",")[0]
        assert first == name or first not in explorer.declared, "that is the name of another control"


def test_every_default_is_a_value_of_its_control(explorer):
    for control in explorer.declared.values():
        assert control.check(control.default) == control.default
        assert isinstance(control, Text) or control.default in control.values


def test_its_sliders_say_numbers_as_people_write_them(explorer):
    for control in explorer.declared.values():
        assert not [said for value in control.values if COMPUTERS_OWN.search(said := control.say(value))], control


def test_at_both_ends_of_each_control_it_is_sound_and_shows_something_else(explorer):
    for name, control in explorer.declared.items():
        states = [explorer.state | {name: v} for v in control.values[:1] + control.values[-1:]]
        figures = {assert_sound(explorer, state)[0].to_json() for state in states}
        assert len(figures) == 2 or isinstance(control, Text), name


def test_it_is_sound_in_random_states(explorer, thorough):
    rng = np.random.default_rng(20261121)
    for _ in range(50 if thorough else 15):
        assert_sound(explorer, {name: str(v) if isinstance(v := sampled(c, rng), str) else v
                                for name, c in explorer.declared.items()})  # fmt: skip


def test_typed_text_is_escaped_wherever_plotly_reads_tags(explorer):
    for name, control in explorer.declared.items():
        if not isinstance(control, Text):
            continue
        figure, _ = drawn(explorer, explorer.state | {name: "<b>Anna</b>"})
        assert "<b>Anna" not in str(figure.to_plotly_json())


def test_it_is_pure(explorer):
    """The same state gives the same figure and sentence, whatever was computed in between."""
    first = drawn(explorer, explorer.state)
    for preset in explorer.presets.values():
        drawn(explorer, explorer.state | dict(preset))
    again = drawn(explorer, explorer.state)
    assert first[0].to_json() == again[0].to_json()
    assert first[1] == again[1]


def test_every_preset_shows_something_of_its_own(explorer):
    assert len(explorer.presets) >= 3
    sentences = set()
    for name, preset in explorer.presets.items():
        assert len(preset.caption) > 20, name
        explorer.preset(name)
        assert explorer.state | dict(preset) == explorer.state
        sentences.add(assert_sound(explorer, explorer.state)[1])
    assert len(sentences) == len(explorer.presets)


def test_frames_follow_one_control(explorer):
    name = next(iter(explorer.declared))
    frames = list(explorer.frames(name))
    assert [frame.layout.meta["value"] for frame in frames] == explorer.declared[name].values
    assert all(frame.layout.meta["sentence"] for frame in frames)


def test_the_page_follows_each_control(explorer):
    page = explorer.panel
    assert page.children[2] is explorer.view
    for name, control in explorer.declared.items():
        before = explorer.view.figure
        ends = control.values or ["Bo", "Al"]
        other = ends[0] if explorer.state[name] != ends[0] else ends[-1]
        explorer.controls[name].value = other
        explorer.settle()
        assert explorer.state[name] == other
        assert explorer.view.error == ""
        assert explorer.controls[name].description == control.label
        assert explorer.view.figure is not before
    explorer.reset().settle()
    assert explorer.state == type(explorer)().state
    assert {name: widget.value for name, widget in explorer.controls.items()} == explorer.state


def test_the_output_serves_three_readers(explorer):
    data, _ = explorer._repr_mimebundle_()
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == explorer.panel.model_id
    assert " ".join(data["text/plain"].split()) == " ".join(explorer.view.sentence.split())
    assert (
        ElementTree.fromstring(data["text/html"].replace("&nbsp;", " ")).findtext("figcaption")
        == explorer.view.sentence
    )

"""Held to by every explorer: a figure to take hold of, an equation that follows, marks that say what they are."""

import json
import re

import numpy as np
import pytest

from tests.plotly_figure import figure_of
from workbook import explorers
from workbook.draw.arrays import as_text
from workbook.explorer.formula import Over, Term, spoken

EXPLORERS = [getattr(explorers, name) for name in explorers.__all__ if name.endswith("Explorer")]
CASES = [(kind, preset) for kind in EXPLORERS for preset in (None, *kind.presets)]
NUMBER = re.compile(r"\d|∞|undefined")


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0].__name__}, {case[1]}", scope="module")
def shown_case(request):
    """An explorer in one of its presets, with result and figure: drawn once for all tests."""
    kind, preset = request.param
    explorer = kind().preset(preset) if preset else kind()
    result = explorer.compute(**explorer.state)
    return explorer, result, figure_of(explorer, result)


def terms(parts):
    for part in parts:
        if isinstance(part, Over):
            yield from terms([*part.top, *part.bottom])
        elif isinstance(part, Term):
            yield part


def marks(figure):
    """Every name by which a term may refer to a mark, with the colours and hatches of its trace or shape."""
    found = {}
    for trace in figure.data:
        looks = re.findall(r"#[0-9A-Fa-f]{6}", str(trace.to_plotly_json()))
        for name in [(trace.meta or {}).get("mark"), *(trace.ids if trace.ids is not None else ())]:
            found.setdefault(name, set()).update(color.upper() for color in looks)
    for shape in figure.layout.shapes:
        found.setdefault(shape.name, set()).add((shape.line.color or "#000000").upper())
    return found


def test_its_equation_has_the_present_numbers_in_the_look_of_their_marks(shown_case):
    explorer, result, figure = shown_case
    parts = explorer.explain(result)
    assert "=" in spoken(parts) or "≈" in spoken(parts)
    found, named = list(terms(parts)), marks(figure)
    assert len(found) >= 2
    assert any(term.mark for term in found), "at least one number can be seen in the figure"
    for term in found:
        assert NUMBER.search(term.value), term
        assert not term.mark or term.mark in named, (term, sorted(filter(None, named)))
        assert not (term.mark and term.color) or term.color.upper() in named[term.mark], (term, named[term.mark])
    assert "nan" not in spoken(parts)
    assert len(spoken(parts)) <= 160, "one equation, one line"


def test_every_grip_stands_at_the_present_value(shown_case):
    explorer, _, figure = shown_case
    for handle in (figure.layout.meta or {}).get("handles", ()):
        controls = [explorer.declared[name] for name in handle["controls"]]
        now = [explorer.state[name] for name in handle["controls"]]
        for control, value in zip(controls, now, strict=True):
            assert control.check(value) == value
        at = {axis: handle[axis] for axis in handle["axis"]}
        places = handle["places"]
        if places is None:
            wanted = dict(zip(handle["axis"], now, strict=True))
        else:
            places = np.array(places, dtype=float)
            assert places.shape[: len(controls)] == tuple(len(control.values) for control in controls)
            place = places[tuple(control.values.index(value) for control, value in zip(controls, now, strict=True))]
            wanted = dict(zip(handle["axis"], np.atleast_1d(place), strict=True))
        assert at == pytest.approx(wanted, abs=1e-9)
        for axis in "xy":
            drawn = figure.layout[f"{axis}axis{handle['panel']}"]
            low, high = sorted(drawn.range)
            assert low - 1e-9 <= (np.log10(handle[axis]) if drawn.type == "log" else handle[axis]) <= high + 1e-9


def test_every_mark_says_what_it_is(shown_case):
    """Words of its own, or none where there is nothing to say: a bare "(0.3, 0.52)" is no answer."""
    _, _, figure = shown_case
    for trace in figure.data:
        assert trace.hoverinfo == "skip" or trace.hovertemplate, trace.name or trace.type
        words = re.sub(r"%\{[^}]*\}|<extra></extra>|<[^>]*>", "", trace.hovertemplate or "")
        bare = not re.search(r"[^\W\d_]{2}", words) and not re.search(
            r"%\{(text|customdata|fullData)", trace.hovertemplate or ""
        )
        assert trace.hoverinfo == "skip" or not bare, trace.hovertemplate


def test_a_frame_along_a_control_keeps_its_grips():
    for kind in EXPLORERS:
        explorer = kind()
        now = (figure_of(explorer, explorer.compute(**explorer.state)).layout.meta or {}).get("handles")
        if now:
            name = now[0]["controls"][0]
            if explorer.declared[name].values:
                assert next(explorer.frames(name)).layout.meta["handles"]


@pytest.mark.parametrize("kind", EXPLORERS)
def test_what_the_page_gets_is_json_and_bytes(kind):
    """The kernel warns in red on the page about a number that JSON does not know."""
    explorer = kind()
    view = explorer.panel.children[-1]
    explorer.settle()
    for name in view.keys:
        if name not in ("layout", "style", "tabbable", "tooltip"):
            json.dumps(as_text(getattr(view, name)), allow_nan=False, default=str)
    explorer.close()

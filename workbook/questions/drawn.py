"""A prediction that is drawn: the reader puts a bar or pulls a line; the computed one comes to stand beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import ipywidgets as widgets
import numpy as np
from traitlets import dlink

from workbook.explorer.controls import Control, FloatSlider
from workbook.explorer.explorer import Explorer
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BLACK, GREY, VERMILLION, YOURS
from workbook.explorer.theme import Panel, escape, figure

__all__ = ["Drawn", "Sketch"]

ASIDE, WIDTH = 0.2, 0.34  # of a bar: from its place to its middle, and from edge to edge; the gap stands between
TOP = 1.15  # of the axis, whatever the truth is: there is room for words above a bar
WORDS = "%{customdata}<extra></extra>"


@dataclass(frozen=True)
class Look:
    """How a bar or a line looks. aside: the distance of its bars from their places."""

    color: str
    hatch: str
    dash: str
    symbol: str
    aside: float = 0.0


LOOKS = {
    "given": Look(GREY, "", "solid", "circle"),
    "yours": Look(YOURS, "/", "dash", "square", -ASIDE),
    "computed": Look(BLACK, "", "solid", "diamond", ASIDE),
}


@dataclass(frozen=True)
class Drawn:
    """A few shares or probabilities as bars, or as a line; the first ones are given, the reader draws the others.

    heights: place -> computes how high it is there; what the reader draws is computed when it is revealed.
    y: what the height is. x: what a place is a value of; then it is a line, without it these are bars.
    """

    heights: dict[str, Callable[[], float]]
    y: str
    x: str = ""
    given: int = 0

    def labels(self) -> list[str]:
        """Return the name of each place."""
        return [f"{self.x} = {place}" if self.x else place for place in self.heights]

    def known(self) -> list[float]:
        """Compute the heights that are given."""
        return [height() for height in list(self.heights.values())[: self.given]]

    def computed(self) -> list[float]:
        """Compute the true heights of the places where the reader draws."""
        return [height() for height in list(self.heights.values())[self.given :]]

    def compared(self, yours: Sequence[float]) -> str:
        """Say how far off the reader is, place by place."""
        asked = self.labels()[self.given :]
        names = [f"{label}: you" for label in asked] if len(asked) > 1 else ["You"]
        rows = zip(names, yours, self.computed(), strict=True)
        return " ".join(f"{name} put {put:.2f}, computed {true:.3f}: {gap(put, true)}." for name, put, true in rows)

    def to_text(self) -> str:
        """Return the given heights as text, with a gap for each place to draw at."""
        shown = [f"{height:.3f}" for height in self.known()] + ["____"] * (len(self.heights) - self.given)
        return "  " + ", ".join(f"{label}: {height}" for label, height in zip(self.labels(), shown, strict=True))

    def sketch(self) -> Sketch:
        """Return the figure to draw in, with a slider for each place where the reader draws."""
        sliders = [FloatSlider(0.0, 0, 1, label=label) for label in self.labels()[self.given :]]
        kind = type("Sketch", (Sketch,), {f"height_{n}": slider for n, slider in enumerate(sliders)})
        return kind(self)


def gap(put: float, true: float) -> str:
    """Say how far off a height is: the difference of the two numbers as they are printed."""
    off = round(put, 2) - round(true, 3)
    return f"{abs(off):.3f} too {'high' if off > 0 else 'low'}" if round(off, 3) else "just so"


class Reveal(Control):
    """A switch that shows the computed heights. Its widget is hidden: the buttons under the question set it."""

    values = [False, True]  # noqa: RUF012

    def check(self, value):
        return bool(value)

    def widget(self, value):
        return widgets.Checkbox(value, layout=dict(display="none"))


class Sketch(Explorer):
    """The explorer in which the reader draws. A height of 0 is one that is not drawn yet."""

    revealed = Reveal(False)

    def __init__(self, drawn: Drawn):
        self.drawn = drawn
        super().__init__()

    @property
    def value(self) -> list[float] | None:
        """Return the heights that the reader has drawn; None while a place is missing."""
        _, *yours = self.state.values()
        return yours if all(yours) else None

    @cached_property
    def controls(self) -> dict[str, widgets.Widget]:
        """The widget of every control, by name; after the reveal no height can be moved."""
        controls = super().controls
        revealed, *sliders = controls.values()
        for slider in sliders:
            dlink((revealed, "value"), (slider, "disabled"))
        return controls

    @cached_property
    def _known(self) -> list[float]:
        return self.drawn.known()

    @cached_property
    def _computed(self) -> list[float]:
        return self.drawn.computed()

    def compute(self, revealed, **yours):
        return list(yours.values()), self._computed if revealed else None

    def draw(self, result) -> dict:
        yours, computed = result
        line, known, count = bool(self.drawn.x), self._known, len(self.drawn.heights)
        asked = np.arange(len(known), count)
        before = known[-1:] if line else []  # a line goes on from what is given
        heights = {"given": known, "yours": [*before, *(height or np.nan for height in yours)]}
        offs, handles = [], []
        if computed is None:
            shape, aside = ("point", 0) if line else ("bar", LOOKS["yours"].aside)
            handles = [Handle(f"height_{n}", x + aside, yours[n], "y", shape=shape) for n, x in enumerate(asked)]
        else:
            heights["computed"] = [*before, *computed]
            offs = [off for off in zip(asked, yours, computed, strict=True) if off[1]]
        traces = [self._trace(name, values) for name, values in heights.items() if values] + (
            [_gaps(offs)] if offs else []
        )
        x = dict(tickvals=np.arange(count), ticktext=list(self.drawn.heights), range=[-0.6, count - 0.4])
        y = dict(tickvals=[0, 0.25, 0.5, 0.75, 1], range=[0, TOP])
        panel = Panel(
            escape(self.drawn.y), traces, x | dict(title=self.drawn.x), y, (), [_note(*off) for off in offs], handles
        )
        return figure([panel], share=0.75)  # it stands among the lines of a question

    def _trace(self, name: str, heights: Sequence[float]) -> dict:
        """Return the trace of some heights: those that are given stand at the first places, others at the last ones."""
        look, start = LOOKS[name], 0 if name == "given" else len(self.drawn.heights) - len(heights)
        places = np.arange(start, start + len(heights))
        kinds = np.where(places < self.drawn.given, "given", name)
        points = zip(places, heights, kinds, strict=True)
        words = [f"{self.drawn.labels()[n]}: {height:.3f}, {kind}" for n, height, kind in points]
        trace = dict(name=name, y=np.array(heights, dtype=float), customdata=words, hovertemplate=WORDS)
        if self.drawn.x:
            marker = dict(color=look.color, size=np.where(kinds == name, 9, 0).tolist(), symbol=look.symbol)
            return trace | dict(type="scatter", x=places, line=dict(color=look.color, dash=look.dash), marker=marker)
        pattern = dict(shape=look.hatch, fillmode="overlay", fgcolor="white", solidity=0.2)
        marker = dict(color=look.color, pattern=pattern)
        return trace | dict(type="bar", x=places + look.aside, width=WIDTH, marker=marker)

    def describe(self, result) -> str:
        yours, computed = result
        drawn = [f"{h:.2f}{'' if h else ' (not yet)'}" for h in yours]
        heights = drawn if computed is None else [f"{h:.3f}" for h in computed]
        labels = self.drawn.labels()[self.drawn.given :]
        heights_text = ", ".join(f"{label}: {height}" for label, height in zip(labels, heights, strict=True))
        return f"{'Drawn so far' if computed is None else 'Computed'}: {heights_text}."


def _gaps(offs: Sequence[tuple[float, float, float]]) -> dict:
    """Return a trace with an upright line from the reader's height to the computed one, at each place."""
    x, y = np.array([(x, height) for x, put, true in offs for height in (put, true, np.nan)]).T
    line = dict(color=VERMILLION, width=3)
    return dict(type="scatter", mode="lines", name="gap", x=x, y=y, line=line, hoverinfo="skip")


def _note(x: float, put: float, true: float) -> dict:
    """Return the annotation that says a gap, above both heights."""
    return dict(x=x, y=max(put, true), text=gap(put, true), yanchor="bottom", yshift=6, font=dict(color=VERMILLION))

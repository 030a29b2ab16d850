"""Chapter 08: one function for each feature. Whatever they are, both diagonals of XOR have the same sum of log odds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbcore.datasets import load_xor
from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, FloatSlider
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import signed
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .regions import class_dots, region_traces

__all__ = ["AdditiveExplorer"]

XOR = load_xor()
PLACES = np.array([1, 5])
MOST = 3.0  # the largest part
ONE, FIRST, LAST = "one function per feature", "and its mirror, sum first", "and its mirror, sum last"
NAMES = ("f(1)", "f(5)", "g(1)", "g(5)")
DIAGONALS = ("L(1,1) + L(5,5)", "L(1,5) + L(5,1)")  # the points of class 0, and those of class 1


@dataclass(frozen=True)
class Table:
    """The result: log odds of class 1 at the four points, by the parts and the model."""

    parts: np.ndarray  # (4,) f(1), f(5), g(1), g(5)
    model: str
    log_odds: np.ndarray  # (2, 2): row = x2, column = x1, each 1 or 5

    @property
    def at_points(self) -> np.ndarray:
        """(4,) in the order of `load_xor`: (1,1), (5,5), (1,5), (5,1)."""
        column, row = np.searchsorted(PLACES, XOR.data).T
        return self.log_odds[row, column]

    @property
    def right(self) -> np.ndarray:
        """(4,) bool; 0 decides nothing."""
        return np.where(XOR.target == 1, self.at_points > 1e-9, self.at_points < -1e-9)

    @property
    def diagonals(self) -> np.ndarray:
        """(2,) sums of the log odds of either class's points."""
        return self.at_points.reshape(2, 2).sum(axis=1)

    @property
    def tied(self) -> bool:
        """Whether they are equal."""
        return bool(np.isclose(*self.diagonals, atol=1e-9))


def table(parts: Sequence[float], model: str) -> np.ndarray:
    """Log odds (2, 2), row = x2, column = x1.

    ONE: f(x1) + g(x2). Else class 1 has two nodes of equal weight, against one of class 0: the parts are the log
    likelihood ratios of the first, and the second has those of 1 and 5 exchanged.
    """
    f, g = np.array(parts, dtype=float).reshape(2, 2)
    if model == ONE:
        return g[:, None] + f
    if model == FIRST:
        f, g = (np.logaddexp(one, one[::-1]) - np.log(2) for one in (f, g))
        return g[:, None] + f
    return np.logaddexp(g[:, None] + f, g[::-1, None] + f[::-1]) - np.log(2)


class AdditiveExplorer(Explorer):
    """XOR by b + f(x1) + g(x2), b in f, or by two nodes, in both orders of sum and product; see `table`."""

    f1 = FloatSlider(-1.0, -MOST, MOST, step=0.25, label="f(1)")
    f5 = FloatSlider(0.5, -MOST, MOST, step=0.25, label="f(5)")
    g1 = FloatSlider(-0.5, -MOST, MOST, step=0.25, label="g(1)")
    g5 = FloatSlider(-1.5, -MOST, MOST, step=0.25, label="g(5)")
    model = Choice(ONE, [ONE, FIRST, LAST], label="Model")

    presets: ClassVar = {
        "One feature": Preset(
            "Only the first feature speaks. Each class has one point with a 1 there and one with a 5: two are right.",
            dict(f1=-2.0, f5=2.0, g1=0.0, g5=0.0),
        ),
        "Or": Preset(
            "A 5 in either place is enough. Three are right, and (5,5) is not: two reasons add up to more reason.",
            dict(f1=-1.0, f5=2.0, g1=-1.0, g5=2.0),
        ),
        "Not both": Preset(
            "Two 5s are too many. Three are right again. XOR is: or, but not both. A sum can have either half of that.",
            dict(f1=2.0, f5=-1.0, g1=2.0, g5=-1.0),
        ),
        "Sum first": Preset(
            "A node that likes (1,5), and its mirror image. Summed feature by feature they say the same at all four.",
            dict(f1=1.5, f5=-2.0, g1=-2.0, g5=1.5, model=FIRST),
        ),
        "Sum last": Preset(
            "The same two nodes, each judging the whole row first. The bars are not tied any more; all four are right.",
            dict(f1=1.5, f5=-2.0, g1=-2.0, g5=1.5, model=LAST),
        ),
    }

    def compute(self, f1, f5, g1, g5, model) -> Table:
        parts = np.array([f1, f5, g1, g5])
        return Table(parts, model, table(parts, model))

    def draw(self, result):
        panels = [parts_panel(result), table_panel(result), diagonals_panel(result)]
        return theme.figure([panels], widths=[1.1, 1, 1])

    def describe(self, result) -> str:
        r = result
        parts = ", ".join(f"{name} {signed(value)}" for name, value in zip(NAMES, r.parts, strict=True))
        zero, one = r.diagonals
        sums = f"The diagonals sum to {signed(zero)} and {signed(one)}"
        sums = f"Both diagonals sum to {signed(one)}" if r.tied else sums
        return f"{parts}, {r.model}: {r.right.sum()} of the 4 points right. {sums}."

    def explain(self, result) -> Sequence[Part]:
        r = result
        looks = [dict(mark=name, color=palette.CLASS_COLORS[c]) for name, c in zip(cells(), XOR.target, strict=True)]
        points = [Term(signed(v), name, **look) for v, name, look in zip(r.at_points, cells(), looks, strict=True)]
        sums = [Term(signed(v), "", f"diagonal {c}", palette.CLASS_COLORS[c], palette.CLASS_PATTERNS[c])
                for c, v in enumerate(r.diagonals)]  # fmt: skip
        return [*points[:2], "=", sums[0], "=" if r.tied else "≠", sums[1], "=", *points[2:]]


def cells() -> list[str]:
    """The names of the four points' log odds."""
    return [f"L({u:g},{v:g})" for u, v in XOR.data]


def parts_panel(r: Table) -> Panel:
    """The four parts as bars that can be dragged; what speaks for class 1 is in its colour."""
    at, sides = np.array([0, 1, 2.6, 3.6]), (r.parts > 0).astype(int)
    bars = dict(type="bar", x=at, y=r.parts, width=0.7, marker=theme.class_marker(sides), showlegend=False)
    bars |= dict(ids=list(NAMES), text=[f"{n} = {signed(v)}" for n, v in zip(NAMES, r.parts, strict=True)])
    bars |= dict(textposition="none", hovertemplate="%{text}, drag it<extra></extra>")
    rim = [dict(type="line", x0=x - 0.35, x1=x + 0.35, y0=v, y1=v, line=dict(color=palette.BLACK, width=3))
           for x, v in zip(at, r.parts, strict=True)]  # fmt: skip
    grips = [Handle(name, x=float(x), y=float(v), axis="y", shape="bar")
             for name, x, v in zip(("f1", "f5", "g1", "g5"), at, r.parts, strict=True)]  # fmt: skip
    x = dict(range=[-0.7, 4.3], tickvals=at, ticktext=list(NAMES), showgrid=False)
    y = dict(range=[-MOST - 0.4, MOST + 0.4], tickvals=[-2, 0, 2], ticktext=["−2", "0", "+2"])
    title = "Your four parts" if r.model == ONE else "Your node's four parts"
    return Panel(title, [bars], x, y | zero(), rim, handles=grips)


def table_panel(r: Table) -> Panel:
    """Log odds at the four points, the decision as the colour of the field; crossed out where it is not right."""
    traces = [trace for trace in region_traces(PLACES, r.log_odds) if trace["type"] != "contour"]
    said = [f"{name} = {signed(v)}: a point of class {c}, {'right' if ok else 'not right'}"
            for name, v, c, ok in zip(cells(), r.at_points, XOR.target, r.right, strict=True)]  # fmt: skip
    dots = class_dots(XOR.data, XOR.target, np.full(4, True), 13)
    for c, dot in enumerate(dots):
        own = np.flatnonzero(XOR.target == c)
        dot |= dict(ids=[cells()[i] for i in own], text=[said[i] for i in own], hovertemplate="%{text}<extra></extra>")
        traces.append(dot)
    if not r.right.all():
        cross = dict(symbol="x-thin", size=22, line=dict(color=palette.WRONG, width=2))
        x, y = XOR.data[~r.right].T
        traces.append(dict(type="scatter", mode="markers", x=x, y=y, name="not right", marker=cross, hoverinfo="skip"))
    veil = dict(bgcolor="rgba(255,255,255,0.8)")
    notes = [dict(x=x, y=y - 1.1, text=signed(v)) | veil for (x, y), v in zip(XOR.data, r.at_points, strict=True)]
    axis = dict(range=[-1, 7], tickvals=[1, 5], showgrid=False)
    x, y = axis | dict(title="x₁"), axis | dict(title="x₂")
    return Panel(f"L(x₁, x₂): {r.right.sum()} of 4", traces, x, y, annotations=notes, equal=True)


def diagonals_panel(r: Table) -> Panel:
    """Both diagonals' sums, tied if they must be equal. To win, each has to end in its shaded half."""
    edge = 4 * MOST + 1
    traces = []
    for c, (name, value) in enumerate(zip(DIAGONALS, r.diagonals, strict=True)):
        words = f"{name} = {signed(value)}: to win it must be {('below', 'above')[c]} 0<extra></extra>"
        traces.append(dict(type="bar", x=[c], y=[value], width=0.6, marker=theme.CLASS_BARS[c], showlegend=False,
                           ids=[f"diagonal {c}"], hovertemplate=words))  # fmt: skip
    halves = [dict(type="rect", x0=c - 0.45, x1=c + 0.45, y0=0, y1=(-edge, edge)[c], layer="below", line=dict(width=0),
                   fillcolor=palette.faint(palette.CLASS_COLORS[c], 0.13)) for c in (0, 1)]  # fmt: skip
    rim = dict(type="line", line=dict(color=palette.BLACK, width=3))
    ends = [(-0.3, 1.3, r.diagonals[0])] if r.tied else [(c - 0.3, c + 0.3, v) for c, v in enumerate(r.diagonals)]
    rims = [rim | dict(x0=left, x1=right, y0=v, y1=v) for left, right, v in ends]
    notes = [dict(x=c, y=(-1, 1)[c] * 0.86 * edge, text=("below 0 wins", "above 0 wins")[c]) for c in (0, 1)]
    x = dict(range=[-0.6, 1.6], tickvals=[0, 1], ticktext=["(1,1)+(5,5)", "(1,5)+(5,1)"])
    y = dict(range=[-edge, edge], tickvals=[-10, -5, 0, 5, 10], ticktext=["−10", "−5", "0", "+5", "+10"])
    return Panel("The diagonals' sums", traces, x | dict(showgrid=False), y | zero(), [*halves, *rims], notes)


def zero() -> dict:
    """The line of no evidence."""
    return dict(zeroline=True, zerolinecolor=palette.GREY)

"""Chapter 08: four points that no line can part, and two ways to part them. Carlos & Rakshit (2016), section 3.4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import expit

from nbcore.datasets import load_xor
from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import signed
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BLACK, CLASSES, GUIDE, NOW, SHARES
from workbook.explorer.theme import Panel

from .experiment import parted_log_odds
from .regions import square

__all__ = ["XorExplorer"]

POINTS, TARGET = load_xor().data.astype(float), load_xor().target  # (1, 1), (5, 5), (1, 5), (5, 1)
AXIS, GRID = square(0.0, 6.0, 25)
EM, TIE = 0.66, 1e-9  # where EM ends, rounded (test_c08); log odds nearer to 0 decide nothing
APART = [0, 0.02, *np.round(np.arange(0.06, 0.97, 0.06), 2).tolist(), 0.97, 0.98, 0.99, 1]
WEIGHTS = np.round(np.arange(0, 0.51, 0.1), 1).tolist()
ONE = "(1, 5), (5, 1)"  # the points of class 1


def write_chance(p: float) -> str:
    """Return a probability with two decimals, or with four where two would call it a tie."""
    return f"{p:.4f}" if TIE < abs(p - 0.5) < 0.005 else f"{p:.2f}"


@dataclass(frozen=True)
class Parted:
    """Hold the log odds of the four points and the plane, for nodes so far apart and a feature of such a weight."""

    apart: float
    weight: float
    at_points: np.ndarray  # (4,) log odds of class 1
    plane: np.ndarray  # (25, 25), row = x₂
    curves: np.ndarray  # (4, steps of apart) P(1 | x)

    @property
    def right(self) -> np.ndarray:
        """Return which of the points are decided rightly, (4,) bool."""
        return (np.abs(self.at_points) > TIE) & ((self.at_points > 0) == (TARGET == 1))

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c08 proves it for all states."""
        if not self.right.any():
            return "One profile a class: a tie at every point of the plane"
        if not self.right.all():
            return "Nodes too far apart forgive no second word: two points are lost"
        if not self.apart:
            return "One good feature, and plain naive Bayes has all four"
        if not self.weight:
            how = "The slightest difference bends the line" if self.apart < 0.1 else "Two hidden nodes bend the line"
        else:
            alone = (np.sign(parted_log_odds(POINTS, self.apart, 0)) == 2 * TARGET - 1).all()
            how = "Nodes and feature, each enough alone" if alone else "The feature mends what the nodes spoil"
        return f"{how}: all four are right"


class XorExplorer(Explorer):
    """Two ways to part four points: hidden nodes that differ, or one feature made of both."""

    apart = Steps(0.0, APART, label="nodes apart", say="{:.2f}".format)
    weight = Steps(0.0, WEIGHTS, label="weight w", say="{:.2f}".format)

    presets: ClassVar = {
        "Naive Bayes": Preset("One profile a class. Both have counted the same: no point can be decided.", {}),
        "Two nodes": Preset("Two nodes in class 1, as far apart as EM sets them: a wedge for class 0.", dict(apart=EM)),
        "One good feature": Preset("No hidden nodes, but a third column, (x₁ − 3)(x₂ − 3).", dict(weight=0.5)),
    }

    def compute(self, apart: float, weight: float) -> Parted:
        plane = parted_log_odds(GRID, apart, weight).reshape(len(AXIS), -1)
        curves = np.stack([expit(parted_log_odds(POINTS, step, weight)) for step in APART], axis=1)
        return Parted(apart, weight, parted_log_odds(POINTS, apart, weight), plane, curves)

    def draw(self, result: Parted) -> dict:
        score, panels = f"{result.right.sum()} of 4", (plane_panel(result), curves_panel(result))
        return marks.figure(*panels, finding=result.finding, number=(score, "points right"), share=1.05)

    def describe(self, result: Parted) -> str:
        chances = ", ".join(map(write_chance, expit(result.at_points)))
        here = f"Nodes {result.apart:.2f} apart, weight {result.weight:.2f}"
        return f"{result.finding}. {here}: P(1 | x) is {chances} at (1, 1), (5, 5), (1, 5), (5, 1)."

    def explain(self, result: Parted) -> Sequence[Part]:
        p, q = (1 + result.apart) / 2, (1 - result.apart) / 2
        powers = [Term(f"{value:.2f}⁵", f"{name}⁵") for value, name in ((p, "p"), (q, "q"))]
        top = ["½ ·", powers[0], "·", Term(f"{q:.2f}", "q"), "+ ½ ·", powers[1], "·", Term(f"{p:.2f}", "p")]
        feature, at = Term(f"{4 * result.weight:.2f}", "−w (5 − 3)(1 − 3)"), result.at_points[3]
        sign = "above 0: right" if result.right[3] else "0: a tie" if abs(at) < TIE else "below 0: wrong"
        total = Term(signed(at, 2 if abs(at) > 0.01 else 4), sign, mark="(5, 1)")
        return ["L(5, 1) = log", Over(top, ["½⁶"]), "+", feature, "=", total]


def plane_panel(r: Parted) -> Panel:
    """Draw P(1 | x) over the plane, the line between the classes, and the four points with what became of them."""
    tie = not r.right.any()
    dots = [marks.points(x, y, CLASSES[c], size=15, rim=BLACK, stroke=1, name=f"class {c}", id=f"({x:g}, {y:g})",
                         hover=f"({x:g}, {y:g}), class {c}: P(1 | x) = {write_chance(p)}")
            for (x, y), c, p in zip(POINTS, TARGET, expit(r.at_points), strict=True)]  # fmt: skip
    words = [marks.text(x, y + 0.25, "✓" if right else "?" if tie else "✗", place="above")
             for (x, y), right in zip(POINTS, r.right, strict=True)]  # fmt: skip
    border = ([marks.text(3, 3, "½ everywhere")] if tie else [marks.rule(x=3), marks.rule(y=3)] if not r.apart
              else [marks.contour(AXIS, AXIS, r.plane, NOW)])  # fmt: skip
    return marks.panel(
        "Who wins where", marks.cells(AXIS, AXIS, expit(r.plane).round(2), SHARES), border, dots, words,
        x=marks.axis(0, 6, "x₁", ticks=[1, 3, 5]), y=marks.axis(0, 6, "x₂", ticks=[1, 3, 5]), equal=True,
    )  # fmt: skip


def curves_panel(r: Parted) -> Panel:
    """Draw P(1 | x) at the points as the nodes part; those of class 1 lie on each other."""
    now, both, looks = APART.index(r.apart), r.curves[3], [CLASSES[0], *CLASSES]
    drawn = [(marks.line(APART, y, look, hover=f"{name}, nodes {{x}} apart: P(1 | x) = {{y:.2f}}"),
              marks.points(r.apart, y[now], look, hover=f"at {name}: P(1 | x) = {{y:.2f}}"))
             for name, y, look in zip(("(1, 1)", "(5, 5)", ONE), r.curves, looks, strict=False)]  # fmt: skip
    return marks.panel(
        "P(1 | x) at the four points", marks.rule(y=0.5, look=GUIDE, width=1), drawn, name_curves(r),
        Handle("apart", r.apart, both[now], "xy", places=np.column_stack([APART, both])),
        x=marks.axis(-0.02, 1.02, "nodes apart", ticks=[0, 0.5, 1]), y=marks.axis(-0.03, 1, ticks=[0, 0.5, 1]),
    )  # fmt: skip


def name_curves(r: Parted) -> list[dict]:
    """Return the name at each curve, where no other curve runs; that of class 1 away from the slider's place."""
    at, apart = APART.index(0.42 if r.apart > 0.42 else 0.72), APART.index(0.48)
    one, high, low = r.curves[3, at], r.curves[0, APART.index(0.6)], r.curves[1, apart]
    way, side = (-0.03, "left below") if one > 0.85 else (0.02, "left above")
    places = [(APART[at], one + way, ONE, side), (0.6, high - 0.03, "(1, 1)", "left below"),
              (0.48, low - 0.03, "(5, 5)", "left below")]  # fmt: skip
    if r.curves[0, apart] - low < 0.15:
        places[1:] = [(0.6, high + 0.03, "(1, 1), (5, 5)", "right above")]
    return [marks.text(x, y, name, place=place) for x, y, name, place in places]

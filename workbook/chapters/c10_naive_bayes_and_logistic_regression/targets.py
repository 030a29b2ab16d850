"""Chapter 10: on the way from the line of naive Bayes to that of logistic regression: log loss, and rows wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import ClassVar

import numpy as np

from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import signed
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BLACK, GUIDE, HELD, TINTS, TRUTH, faint
from workbook.explorer.theme import Panel

from .leads import BAYES, CLIMBED
from .two_bits import CORNERS, TABLES, Line, blend_lines, score_line

__all__ = ["TargetsExplorer"]

ROWS = "first twenty", "other twenty"
WAY = [step / 10 for step in range(-5, 16)]
ENDS = {0.0: "naive Bayes", 1.0: "logistic"}
AT = 1  # the corner of the equation


@dataclass(frozen=True)
class Target:
    """Hold a line on the way, its log loss and what it gets wrong, and both for the whole way."""

    rows: int
    way: float
    line: Line
    wrong: np.ndarray  # (4,) rows at each corner
    losses: np.ndarray  # (21,) along WAY
    errors: np.ndarray  # (21,) along WAY

    @property
    def loss(self) -> float:
        """Return the log loss of this line."""
        return float(self.losses[WAY.index(self.way)])

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c10 proves it for all states."""
        wrong = f"{self.wrong.sum()} of 20 wrong"
        if self.way == 1:
            return f"Logistic regression: the least log loss, {self.loss:.3f}; {wrong}"
        beyond = "Beyond naive Bayes" if self.way < 0 else "Beyond logistic regression"
        where = "Naive Bayes" if not self.way else beyond if abs(self.way - 0.5) > 0.5 else "On the way"
        return f"{where}: log loss {self.loss:.3f}; {wrong}"


class TargetsExplorer(Explorer):
    """One linear form, two targets, and the errors: Wikipedia, "Relation to logistic regression"."""

    way = Steps(0.0, WAY, label="the line", say=lambda way: ENDS.get(way, f"{way:.1f}".replace("-", "−")))
    rows = Steps(0, range(2), label="rows", say=ROWS.__getitem__)

    presets: ClassVar = {
        "Naive Bayes": Preset("Three rows are wrong, and in every corner the rarer class is lost.", {}),
        "Logistic": Preset("The log loss is at its lowest, and two rows more are wrong.", dict(way=1.0)),
        "Other rows": Preset("Here the least log loss has the fewest errors, too.", dict(way=1.0, rows=1)),
    }

    def compute(self, way: float, rows: int) -> Target:
        line, counts = blend_lines(TABLES[rows], way), TABLES[rows]
        found = [score_line(counts, blend_lines(counts, each)) for each in WAY]
        losses, errors = np.array([(loss, wrong.sum()) for loss, wrong in found]).T
        return Target(rows, way, line, score_line(counts, line)[1], losses, errors)

    def draw(self, result: Target) -> dict:
        number = f"{result.wrong.sum()} of 20", "rows wrong"
        return marks.figure(corners_panel(result), losses_panel(result), finding=result.finding, number=number)

    def describe(self, result: Target) -> str:
        said = ", ".join(f"{p:.2f}" for p in result.line.posteriors)
        return f"{result.finding}. P(class 1) at the corners: {said}."

    def explain(self, result: Target) -> Sequence[Part]:
        b, w = round(result.line.b, 3), round(result.line.w[1], 3)
        sign = "+" if w >= 0 else "−"
        return ["log odds at (0, 1):", Term(signed(b, 3), "b"), sign, Term(f"{abs(w):.3f}", "w₂"), "=",
                Term(signed(b + w, 3), "log odds"), "; expit:",
                Term(f"{result.line.posteriors[AT]:.2f}", "P(class 1)", "said here")]  # fmt: skip


@lru_cache(maxsize=len(TABLES))
def shares(rows: int) -> tuple[np.ndarray, list[str]]:
    """Return the share of class 1 at each corner, and in words."""
    counts = np.array(TABLES[rows])
    return counts[1] / counts.sum(axis=0), [f"{ones} of {both}" for ones, both in zip(counts[1], counts.sum(axis=0),
                                                                                     strict=True)]  # fmt: skip


def corners_panel(r: Target) -> Panel:
    """Draw the true share of class 1 at each corner as a bar, and what the line says of it as a point."""
    at, (true, words) = np.arange(4), shares(r.rows)
    bars = marks.bars(at, true, faint(TRUTH, 0.35), width=0.5, rim=TRUTH, name="true share", hover=words)
    named = [marks.text(place, 1.04, each, place="above") for place, each in zip(at, words, strict=True)]
    said = marks.points(at, r.line.posteriors.round(3), HELD, size=15, stroke=2, rim=BLACK, name="the line says",
                        hover="said: {y:.2f}", id=["said here" if corner == AT else "" for corner in at])  # fmt: skip
    lost = [marks.text(place, -0.06, f"{n} wrong" if n else "none", place="below") for place, n in enumerate(r.wrong)]
    ticks = {place: f"({a}, {b})" for place, (a, b) in enumerate(CORNERS)}
    return marks.panel("Class 1 at each corner", bars, marks.rule(y=0.5, look=GUIDE, width=2), said, named, lost,
                       x=marks.axis(-0.5, 3.5, "corner (x₁, x₂)", ticks=ticks, grid=False),
                       y=marks.axis(-0.2, 1.18, ticks={0: "0", 0.5: "½", 1: "1"}))  # fmt: skip


def losses_panel(r: Target) -> Panel:
    """Draw the log loss along the way, over fields that say how many rows are wrong there."""
    low, high = r.losses.min(), r.losses.max()
    foot, top = low - 0.35 * (high - low), high + 0.15 * (high - low)
    cuts = [-0.55, *(WAY[k] - 0.05 for k in np.flatnonzero(np.diff(r.errors)) + 1), 1.55]
    fields = []
    for left, right in pairwise(cuts):
        wrong = int(r.errors[WAY.index(round(right - 0.05, 1))])
        fields.append(marks.frame((left, right), (foot, top), fill=TINTS[0 if wrong == r.errors.min() else 2]))
        fields.append(marks.text((left + right) / 2, foot, f"{wrong} wrong", place="above"))
    curve = marks.line(WAY, r.losses.round(4), BLACK, width=3, hover="log loss {y:.3f}")
    ends = [marks.points(way, r.losses[WAY.index(way)].round(4), look, size=12, hover=f"{name}: {{y:.3f}}")
            for (way, name), look in zip(ENDS.items(), (BAYES, CLIMBED), strict=True)]  # fmt: skip
    ring = marks.points(r.way, round(r.loss, 4), HELD, size=16, stroke=2, rim=BLACK)
    grip = Handle("way", r.way, r.loss, "x", WAY)
    return marks.panel("Log loss a row", fields, curve, ends, ring, grip,
                       x=marks.axis(-0.55, 1.55, ticks=ENDS, grid=False), y=marks.axis(foot, top, ticks=4))  # fmt: skip

"""Chapter 08: one number for each feature. Whatever the numbers are, both classes of XOR have the same sum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbcore.datasets import load_xor
from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import signed
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BLACK, CLASSES, GREY, TINTS
from workbook.explorer.theme import Panel

__all__ = ["AdditiveExplorer", "votes"]

POINTS, TARGET = load_xor().data.astype(int), load_xor().target  # (1, 1), (5, 5), (1, 5), (5, 1)
MOST = 3  # the largest vote; a slider at step n stands for the vote n - MOST
VOTES = range(2 * MOST + 1)
LEAST_TOP = 6  # of the axis of the sums, which grows with them
PAIRS = "(1, 1) and (5, 5)", "(1, 5) and (5, 1)"


def votes(b: int, f: int, g: int) -> dict[str, int]:
    """Return the state of the explorer in which the three votes are b, f and g, each from -MOST to MOST."""
    return dict(b=b + MOST, f=f + MOST, g=g + MOST)


def write_vote(value: int) -> str:
    """Return a whole number with its sign; 0 has none."""
    return signed(value, 0) if value else "0"


WORDS = [write_vote(step - MOST) for step in VOTES]


@dataclass(frozen=True)
class Votes:
    """Hold what a point gets: b in any case, f if x₁ = 5, g if x₂ = 5."""

    b: int
    f: int
    g: int

    @property
    def at_points(self) -> np.ndarray:
        """Return the log odds of class 1 at the four points, (4,)."""
        return self.b + (POINTS == 5) @ np.array([self.f, self.g])

    @property
    def right(self) -> np.ndarray:
        """Return which of the points are decided rightly, (4,) bool; 0 decides nothing."""
        return np.sign(self.at_points) == 2 * TARGET - 1

    @property
    def total(self) -> int:
        """Return the sum of the log odds over the two points of either class."""
        return 2 * self.b + self.f + self.g

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c08 proves it for all states."""
        both = f"Both classes add up to {write_vote(self.total)}"
        if not self.total:
            return f"{both}: each misses a point"
        return f"{both}: class {int(self.total < 0)} cannot have both right"


class AdditiveExplorer(Explorer):
    """XOR by b + f(x₁) + g(x₂); only f(5) - f(1) and g(5) - g(1) count, since f(1) and g(1) can be a part of b."""

    b = Steps(2, VOTES, label="b, in any case", say=WORDS.__getitem__)
    f = Steps(6, VOTES, label="f, if x₁ = 5", say=WORDS.__getitem__)
    g = Steps(3, VOTES, label="g, if x₂ = 5", say=WORDS.__getitem__)

    presets: ClassVar = {
        "One feature": Preset("Only the first feature speaks: a 5 there says class 1.", {}),
        "Or": Preset("A 5 in either place is enough. Two reasons add up to more reason.", votes(b=-2, f=3, g=3)),
        "Not both": Preset("Two 5s are too many. No 5 at all is none too few.", votes(b=3, f=-2, g=-2)),
    }

    def compute(self, b: int, f: int, g: int) -> Votes:
        return Votes(b - MOST, f - MOST, g - MOST)

    def draw(self, result: Votes) -> dict:
        score, panels = f"{result.right.sum()} of 4", (points_panel(result), sums_panel(result))
        return marks.figure(*panels, finding=result.finding, number=(score, "points right"), widths=[1, 1.2])

    def describe(self, result: Votes) -> str:
        said = ", ".join(f"{write_vote(v)} at ({x}, {y})" for (x, y), v in zip(POINTS, result.at_points, strict=True))
        return f"{result.finding}. {result.right.sum()} of the 4 points are right: {said}."

    def explain(self, result: Votes) -> Sequence[Part]:
        b, f, g = (Term(write_vote(getattr(result, name)), name) for name in "bfg")
        return ["L(5, 5) =", b, "+", f, "+", g, "=", Term(write_vote(result.at_points[1]), "", mark="(5, 5)")]


def points_panel(r: Votes) -> Panel:
    """Draw each point on a tile in the colour of the class that is said there, with its log odds and a verdict."""
    said = np.full((2, 2), 0.5)
    said[tuple((POINTS // 5).T[::-1])] = (np.sign(r.at_points) + 1) / 2
    scale = [[0, TINTS[0]], [0.5, TINTS[1]], [1, TINTS[2]]]
    drawn = []
    for (x, y), c, value, right in zip(POINTS, TARGET, r.at_points, r.right, strict=True):
        verdict = "✓" if right else "✗" if value else "?"
        words = f"({x}, {y}), class {c}: {write_vote(value)}"
        drawn.append(marks.points(x, y, CLASSES[c], size=15, rim=BLACK, stroke=1, name=f"class {c}", hover=words,
                                  id=f"({x}, {y})"))  # fmt: skip
        drawn.append(marks.text(x, y + 0.45, f"{write_vote(value)} {verdict}", place="above"))
    ends = dict(ticks=[1, 5], grid=False)
    return marks.panel("What is said at each point", marks.cells([1, 5], [1, 5], said, scale), drawn,
                       x=marks.axis(-1, 7, "x₁", **ends), y=marks.axis(-1, 7, "x₂", **ends), equal=True)  # fmt: skip


def sums_panel(r: Votes) -> Panel:
    """Draw for each class its two log odds as steps up or down, and the line at which both end."""
    pairs = r.at_points.reshape(2, 2)
    top = max(LEAST_TOP, np.abs([*pairs[:, 0], r.total]).max() + 1)
    drawn = [marks.text(c, way * top, f"{('below', 'above')[c]} 0 is right", place=("above", "below")[c])
             for c, way in ((0, -1), (1, 1))]  # fmt: skip
    for at, base, values in ((-0.2, np.zeros(2), pairs[:, 0]), (0.2, pairs[:, 0], pairs[:, 1])):
        hovers = [f"{write_vote(value)} of the sum of {pair}" for value, pair in zip(values, PAIRS, strict=True)]
        drawn.append(marks.bars(np.arange(2) + at, values, list(CLASSES[:2]), base=base, width=0.36, rim=BLACK,
                                hover=hovers))  # fmt: skip
    names = [f"class {c}: {' and '.join(map(write_vote, pair))}" for c, pair in enumerate(pairs)]
    end = marks.line([-0.6, 1.6], [r.total, r.total], BLACK, width=3, name="sum of each class")
    grip = Handle("b", 0.5, r.total, "y", places=np.array([2 * (b - MOST) + r.f + r.g for b in VOTES]))
    zero, ends = marks.rule(y=0, look=GREY, width=1), marks.named_axis(names)
    return marks.panel("Added up over each class", zero, drawn, end, grip, x=ends,
                       y=marks.axis(-top, top, ticks={-5: "−5", 0: "0", 5: "+5"}, grid=False))  # fmt: skip

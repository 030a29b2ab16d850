"""Chapter 04: which class the prior helps. Williams (2024), section 3, on the scatter of Figure 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BITS, BLACK, CASES, CATEGORICAL, CLASSES, GREY, NOW, WRONG, Look, faint
from workbook.explorer.theme import Panel

from .experiment import two_class_ratios

__all__ = ["WinningClassExplorer"]

ODDS = [1 / 30, 1 / 10, 1 / 5, 1 / 3, 1 / 2, 1, 2, 3, 5, 10, 30]  # prior odds of class c
DRAWN = [(1.0, 3), (1 / 3, 3), (1 / 6, 6), (1.0, 2)]  # alpha and K
NAMES = [f"K = {K}, alpha = {'1' if alpha == 1 else f'1/{K}'}" for alpha, K in DRAWN]
WIDE = 4, 7, 12, 4  # half of the axis of log θ: nine points in ten lie inside
CLASSIFIERS, SHOWN = 10_000, 250  # of two classes; points that are seen, each with its mirror image
LOSES, GAINS = "c loses", "c gains"


def write_prior(odds: float) -> str:
    """Return prior odds in words: 3 : 1 for c."""
    if odds == 1:
        return "even"
    return f"{max(odds, 1 / odds):.0f} : 1 for {'c' if odds > 1 else 'd'}"


@dataclass(frozen=True)
class Wins:
    """Hold pairs of log ratios of two classes, c over d, each pair also the other way round."""

    odds: float
    drawn: int
    theta: np.ndarray  # (m,) log ratios of theta
    f: np.ndarray  # (m,) log ratios of f

    @property
    def changes(self) -> np.ndarray:
        """Return the percent of all cases that c loses and gains, at each of ODDS, (11, 2)."""
        line = -np.log(ODDS)[:, None]
        wins, wins_as_bits = self.theta > line, self.f > line
        return 100 * np.column_stack([(wins & ~wins_as_bits).mean(axis=1), (~wins & wins_as_bits).mean(axis=1)])

    @property
    def now(self) -> np.ndarray:
        """Return the percent that c loses and gains at the present odds, (2,)."""
        return self.changes[ODDS.index(self.odds)]

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c04 proves it for all states."""
        lost, gained = self.now
        if self.odds == 1:
            return f"Even prior: c loses {lost:.1f} %, and gains as many"
        return f"Prior {write_prior(self.odds)}: c loses {lost:.1f} %, and gains {gained:.1f} %"


class WinningClassExplorer(Explorer):
    """Two classes and a prior: the prior is counted once and the evidence more often, so some cases change sides."""

    odds = Steps(1, ODDS, label="prior", say=write_prior)
    drawn = Steps(0, range(len(DRAWN)), label="classifiers", say=NAMES.__getitem__)

    presets: ClassVar = {
        "Figure 2(a)": Preset("Steeper than the category's line: bits count the evidence more than once.", {}),
        "Figure 2(b)": Preset("Sparse: the points spread, and some settle on the line of slope 2.", dict(drawn=1)),
        "Prior for c": Preset("Mild evidence against c falls through the level line: c loses.", dict(odds=3)),
        "Two values": Preset("With two values every point lies on the line of slope 2.", dict(drawn=3, odds=3)),
    }

    def compute(self, odds: float, drawn: int) -> Wins:
        x, y = map(np.ravel, two_class_ratios(*DRAWN[drawn], n=CLASSIFIERS))
        return Wins(odds, drawn, np.concatenate([x, -x]), np.concatenate([y, -y]))

    def draw(self, result: Wins) -> dict:
        lost, gained = result.now
        number = f"{lost + gained:.1f} %", "of all cases change class"
        return marks.figure(scatter_panel(result), changes_panel(result), finding=result.finding, number=number)

    def describe(self, result: Wins) -> str:
        line = -np.log(result.odds)
        won, after = (100 * (ratio > line).mean() for ratio in (result.theta, result.f))
        return f"{result.finding}. {NAMES[result.drawn]}: the category gives c {won:.1f} %, the bits {after:.1f} %."

    def explain(self, result: Wins) -> Sequence[Part]:
        line, (lost, gained) = -np.log(result.odds), result.now
        won, after = (100 * (ratio > line).mean() for ratio in (result.theta, result.f))
        return [Term(f"{won:.1f} %", "right of the line", "right", NOW), "−",
                Term(f"{lost:.1f}", LOSES, LOSES, CLASSES[1].color), "+",
                Term(f"{gained:.1f}", GAINS, GAINS, CLASSES[0].color), "=",
                Term(f"{after:.1f} %", "above the line", "above", NOW)]  # fmt: skip


def scatter_panel(r: Wins) -> Panel:
    """Draw Figure 2: log ratios of f against those of theta; in grey the class changes."""
    half, wide, line = len(r.theta) // 2, WIDE[r.drawn], -np.log(r.odds)
    few = np.r_[:SHOWN, half : half + SHOWN]
    x, y, changed = r.theta[few], r.f[few], (r.theta[few] > line) != (r.f[few] > line)
    hover = "log θ ratio {x:.2f}, log f ratio {y:.2f}"
    dots = [marks.points(x, y, CASES, size=5, hover=hover),
            marks.points(x[changed], y[changed], Look(WRONG, "x"), size=7, name="changes class", hover=hover)]
    slopes = [marks.line([-wide, wide], [-wide * slope, wide * slope], look, width=3, id=name, hover=f"slope {slope}")
              for slope, look, name in ((1, CATEGORICAL, "category"), (2, Look(BITS, dash="dash"), "slope 2"))]
    areas = [marks.frame((line, side * wide), (line, -side * 2 * wide), fill=faint(GREY, 0.25)) for side in (1, -1)]
    words = [marks.text(wide, 0.8 * wide, "slope 1", place="left below", color=CATEGORICAL),
             marks.text(0.8 * wide, 1.9 * wide, "slope 2", place="left", color=BITS)]  # fmt: skip
    here = Look(NOW, dash="dot")
    rules = marks.rule(x=line, look=here, id="right"), marks.rule(y=line, look=here, id="above")
    grip = Handle("odds", line, line, "xy", np.column_stack([-np.log(ODDS)] * 2))
    axes = [marks.axis(-end, end, title, ticks=5) for end, title in ((wide, "log θ ratio, c to d"), (2 * wide, None))]
    return marks.panel("Log f ratio against log θ ratio", areas, slopes, dots, rules, words, grip, x=axes[0], y=axes[1])


def changes_panel(r: Wins) -> Panel:
    """Draw how many of all cases class c loses and gains, for every prior."""
    drawn, at = [], np.log(ODDS)
    for name, y, look in zip((LOSES, GAINS), r.changes.T, CLASSES[1::-1], strict=True):
        said = [f"prior {write_prior(odds)}: {name} {value:.1f} %" for odds, value in zip(ODDS, y, strict=True)]
        here = ODDS.index(r.odds)
        drawn += [marks.line(at, y, look, width=3, size=5, hover=said),
                  marks.points(at[here], y[here], look, size=13, stroke=2, rim=BLACK, id=name, hover=said[here]),
                  marks.text(at[y.argmax()], y.max(), name, place="above", color=look.color)]  # fmt: skip
    ticks = {float(np.log(odds)): write_prior(odds) for odds in (1 / 10, 1, 10)}
    grip = Handle("odds", np.log(r.odds), 0, "x", at, shape="line")
    return marks.panel("% of all cases, for every prior", marks.rule(x=float(np.log(r.odds))), drawn, grip,
                       x=marks.axis(-3.7, 3.7, "prior odds", ticks=ticks), y=marks.axis(0, 15, ticks=4))  # fmt: skip

"""Chapter 04: the experiment drawn again and again. Williams (2024), section 3 and Figure 3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from nbcore.one_hot import DirichletExperiment, dirichlet_experiment
from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BITS, BLACK, CASES, GREY, GUIDE, OURS, PRINTED, TRUTH, WRONG, Look
from workbook.explorer.theme import Panel
from workbook.ledger.intervals import Z

from .experiment import PAPER, PAPER_CLASSES, PAPER_CLASSIFIERS, many_rates

__all__ = ["DirichletExplorer"]

K, DRAWS, SIZES = 3, list(range(1, 21)), [100, 400, 1600]
SHOWN, MANY = 100, 100_000  # classifiers with a dot for each case; and those behind the truth
OTHERWISE, SURER = 0, 1
NAMES = "decide otherwise", "are surer as bits"
LOOKS, REACH = ((CASES, Look(WRONG, "x")), (Look(BITS, "square"), CASES)), ((0, 20), (64, 88))  # of dots; of the axis


@lru_cache(maxsize=len(DRAWS))
def draw_classifiers(draw: int) -> DirichletExperiment:
    """Return the classifiers of a draw; a smaller experiment takes the first of them."""
    return dirichlet_experiment(SIZES[-1], PAPER_CLASSES, K, 1.0, rng=draw)


@dataclass(frozen=True)
class Draws:
    """Hold the rates of all draws so far. counted: OTHERWISE or SURER."""

    draws: int
    n: int
    counted: int
    rates: np.ndarray  # (draws,) in percent
    halves: np.ndarray  # (draws,) half of the 95 % intervals, in points
    truth: float  # of MANY classifiers, in percent

    @property
    def events(self) -> np.ndarray:
        """Return which cases of the last draw count, (n, K)."""
        last = draw_classifiers(self.draws).first(self.n)
        return last.more_confident if self.counted else last.disagrees

    @property
    def missed(self) -> np.ndarray:
        """Return which intervals miss the truth, (draws,)."""
        return abs(self.rates - self.truth) > self.halves

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c04 proves it for all states."""
        if self.draws == 1:
            return f"One draw of {self.n:,}: {self.rates[0]:.1f} % {NAMES[self.counted]}, ± {self.halves[0]:.1f}"
        times = "twice" if self.draws == 2 else f"{self.draws} times"
        return f"The same experiment {times}: from {self.rates.min():.1f} % to {self.rates.max():.1f} %"


class DirichletExplorer(Explorer):
    """Random classifiers read each case as a category and as bits; the experiment is repeated, and its rate moves."""

    draws = Steps(20, DRAWS, label="draws", say="{:d}".format)
    n = Steps(100, SIZES, label="classifiers", say="{:,}".format)
    counted = Steps(OTHERWISE, (OTHERWISE, SURER), label="count", say=("otherwise", "surer").__getitem__)

    presets: ClassVar = {
        "One draw": Preset("One experiment, one rate, one interval. It cannot know the truth.", dict(draws=1)),
        "Figure 3": Preset("Twenty times the paper's hundred. Crosses stand where the category is unsure.", {}),
        "The paper's 82.0": Preset("Above the diagonal the bits are surer. The diamond is high, and may be luck.",
                                   dict(counted=SURER)),
        "Four times as many": Preset("With four hundred classifiers the intervals shrink. By how much?", dict(n=400),
                                      after="04/narrower"),
    }  # fmt: skip

    def compute(self, draws: int, n: int, counted: int) -> Draws:
        name, converged = ("disagreement", "more_confident")[counted], many_rates(K, 1.0)
        found = [getattr(draw_classifiers(draw).first(n), f"{name}_rate")() for draw in range(1, draws + 1)]
        rates, errors = 100 * np.array(found).T
        return Draws(draws, n, counted, rates, Z * errors, 100 * getattr(converged, name)[0])

    def draw(self, result: Draws) -> dict:
        number = f"{result.rates[-1]:.1f} %", f"{NAMES[result.counted]}, draw {result.draws}"
        panels = cases_panel(result), rates_panel(result)
        return marks.figure(*panels, finding=result.finding, number=number, widths=[1, 1.1])

    def describe(self, result: Draws) -> str:
        r, truth = result, f"{result.truth:.1f} % of {MANY:,} classifiers"
        last = f"Draw {r.draws}: {r.events.sum():,} of {r.n * K:,} cases {NAMES[r.counted]}"
        return f"{r.finding}. {last}. Intervals that miss the {truth}: {r.missed.sum()} of {r.draws}."

    def explain(self, result: Draws) -> Sequence[Part]:
        r, half = result, float(result.halves[-1])
        count = Term(f"{r.events.sum():,}", NAMES[r.counted], NAMES[r.counted], (WRONG, BITS)[r.counted])
        spread = Term(f"{half / Z * np.sqrt(r.n):.1f} %", "s")
        return [Over([count], [Term(f"{r.n:,}"), "·", Term(f"{K}", "K")]), f"± {Z} ·",
                Over([spread], ["√", Term(f"{r.n:,}", "n")]), "=",
                Term(f"{r.rates[-1]:.1f} % ± {half:.1f}", "this draw", "this draw", BLACK)]  # fmt: skip


def cases_panel(r: Draws) -> Panel:
    """Draw Figure 3: the largest posterior by the bits against that by the category, a dot for each case."""
    shown, named = draw_classifiers(r.draws).first(SHOWN), dict(name=NAMES[r.counted], id=NAMES[r.counted])
    x, y = (posterior.max(axis=1).ravel().round(3) for posterior in (shown.categorical, shown.bernoullis))
    hover, few = "by the category {x:.2f}, by the bits {y:.2f}", r.events[:SHOWN].ravel() != r.counted
    below, above = ({}, named)[:: 1 - 2 * r.counted]
    dots = [marks.points(x, y, LOOKS[r.counted][0], size=6, hover=hover, **below),
            marks.points(x[few], y[few], LOOKS[r.counted][1], size=7, hover=hover, **above)]  # fmt: skip
    words = [marks.text(0.24, 1.04, "bits surer", place="right below", color=GREY),
             marks.text(1.02, 0.26, "category surer", place="left above", color=GREY)]  # fmt: skip
    diagonal, ticks = marks.line([0.25, 1], [0.25, 1], GUIDE, width=2), [0.25, 0.5, 0.75, 1]
    by = "category" if r.n == SHOWN else f"category; {SHOWN} of the classifiers"
    return marks.panel("Largest posterior: bits against category", diagonal, dots, words,
                       x=marks.axis(0.22, 1.05, by, ticks=ticks), y=marks.axis(0.22, 1.05, ticks=ticks))  # fmt: skip


def rates_panel(r: Draws) -> Panel:
    """Draw the rate of each draw with its interval, beside the rate that they all estimate."""
    rows, low, high = DRAWS[-1] - np.arange(r.draws), r.rates - r.halves, r.rates + r.halves
    looks = [(BLACK, 3, "misses the truth") if missed else (GREY, 2, "") for missed in r.missed]
    said = [f"draw {draw}: {r.rates[draw - 1]:.1f} ± {r.halves[draw - 1]:.1f} %" for draw in DRAWS[: r.draws]]
    drawn = [marks.line([low[k], high[k]], [rows[k]] * 2, color, width=width, name=name)
             for k, (color, width, name) in enumerate(looks)]  # fmt: skip
    dots = (marks.points(r.rates, rows, [color for color, *_ in looks], size=7, hover=said),
            marks.points(r.rates[-1], rows[-1], OURS, size=12, id="this draw", hover=said[-1:]))  # fmt: skip
    grip = Handle("draws", r.rates[-1], rows[-1], "y", DRAWS[-1] + 1 - np.array(DRAWS))
    truth = (marks.rule(x=r.truth, span=(-0.2, 21.3), look=TRUTH, width=3),
             marks.text(r.truth, 21.3, f"{MANY:,} classifiers: {r.truth:.1f} %", place="above", color=TRUTH))
    printed = mark_paper(100 * PAPER[1.0, K][1 - r.counted]) if r.n == PAPER_CLASSIFIERS else []
    ticks = {DRAWS[-1] + 1 - draw: str(draw) for draw in (1, 10, 20)}
    return marks.panel("The rate of each draw, with its interval", truth, drawn, dots, grip, printed,
                       x=marks.axis(*REACH[r.counted], "% of the cases", ticks=4),
                       y=marks.axis(-1.8, 24, ticks=ticks, grid=False))  # fmt: skip


def mark_paper(rate: float) -> list[dict]:
    """Return the paper's rate as a diamond with its words."""
    dot = marks.points(rate, -0.9, PRINTED, size=12, symbol="diamond-open", stroke=2, hover=f"the paper's: {rate:g} %")
    return [dot, marks.text(rate - 0.6, -0.9, f"the paper's {rate:g}", place="left")]

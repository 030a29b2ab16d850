"""Chapter 11: the same experiment with other seeds, with more of them, and judged as one of several numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import signed
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BLACK, CASES, GREY, PRINTED, PURPLE, faint
from workbook.explorer.theme import Panel
from workbook.ledger.intervals import prediction_interval
from workbook.ledger.numbers import table

from .experiment import ROUNDING
from .readings import short

__all__ = ["SeedsExplorer"]

ALL = 200  # seeds
PRINTED_ACCURACY = 0.857  # of 21 features, in Carlos (2015), section 5.2
LOW, HIGH = 0.79, 0.885  # ends of both axes


@lru_cache(maxsize=32)
def measure_groups(many: int, numbers: int) -> np.ndarray:
    """Return mean, low and high of one further split for each group of so many seeds, (3, groups)."""
    return np.array(prediction_interval(np.reshape(table("Splits")["21"], (-1, many)).T, numbers=numbers))


@dataclass(frozen=True, eq=False)
class Seeds:
    """Hold the groups of so many seeds that share none, and the group that is looked at."""

    many: int
    numbers: int
    at: int  # the group that is looked at
    means: np.ndarray  # (groups,)
    lows: np.ndarray  # (groups,)
    highs: np.ndarray  # (groups,)

    @property
    def first(self) -> int:
        """Return the first seed of the group."""
        return self.at * self.many

    @property
    def inside(self) -> np.ndarray:
        """Return whether the interval of each group holds the accuracy, before it was rounded (groups,)."""
        value = PRINTED_ACCURACY
        return (self.lows - ROUNDING <= value) & (value <= self.highs + ROUNDING)

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c11 proves it for all states."""
        where = "inside" if self.inside[self.at] else "outside"
        seeds = f"By seeds {self.first} to {self.first + self.many - 1} the printed .857 lies {where}"
        return seeds if self.numbers == 1 else f"{seeds}, as one of {self.numbers} numbers"


class SeedsExplorer(Explorer):
    """Carlos (2015), section 5.2, 21 features: does the printed accuracy lie in our interval, by which seeds?"""

    first = Steps(0, range(0, 200, 20), label="first seed", say="{:d}".format)
    many = Steps(20, [10, 20, 50, 100, 200], label="splits", say="{:d}".format)
    numbers = Steps(1, [1, 2, 4, 8, 12], label="numbers together", say="{:d}".format)

    presets: ClassVar = {
        "Our first twenty": Preset("Twenty splits: the printed .857 lies outside. We wrote “differs”.", {}),
        "Other seeds": Preset("Other seeds, the same experiment, and now it lies inside.", dict(first=80)),
        "All 200 splits": Preset("All splits: it lies outside, and no choice of seeds is left.", dict(many=ALL)),
        "One of twelve": Preset("All splits, twelve numbers: the interval that holds all of them holds .857, too.",
                                dict(many=ALL, numbers=12)),
    }  # fmt: skip

    def compute(self, first: int, many: int, numbers: int) -> Seeds:
        return Seeds(many, numbers, first // many, *measure_groups(many, numbers))

    def draw(self, result: Seeds) -> dict:
        number = f"{result.inside.sum()} of {len(result.inside)}", "groups of seeds hold it"
        return marks.figure(splits_panel(result), groups_panel(result), finding=result.finding, number=number)

    def describe(self, result: Seeds) -> str:
        r = result
        interval = f"{short(r.means[r.at])} ({short(r.lows[r.at])} to {short(r.highs[r.at])})"
        return f"{r.finding}. Ours: {interval}. {r.inside.sum()} of {len(r.inside)} hold it, {r.many} seeds each."

    def explain(self, result: Seeds) -> Sequence[Part]:
        mean, high = result.means[result.at], result.highs[result.at]
        top = [Term(short(PRINTED_ACCURACY), "printed", "printed", PRINTED), "−", Term(f"{mean:.4f}"[1:], "mean")]
        off = signed((PRINTED_ACCURACY - mean) / (high - mean), 2)
        return [Over(top, [Term(f"{high - mean:.4f}"[1:], "half width", "band", PURPLE)]), "=",
                Term(off, "half widths")]  # fmt: skip


def panel_of(title: str, *drawn) -> Panel:
    """Return a panel with seeds upwards, accuracy to the right, and all that is printed as .857 as an upright band."""
    ends = PRINTED_ACCURACY - ROUNDING, PRINTED_ACCURACY + ROUNDING
    printed = [marks.frame(ends, (-6, ALL + 6), fill=faint(BLACK, 0.5)),
               marks.rule(x=PRINTED_ACCURACY, look=PRINTED, width=1, id="printed")]  # fmt: skip
    return marks.panel(title, *drawn, printed, x=marks.axis(LOW, HIGH, "accuracy", ticks=[0.8, 0.82, 0.84, 0.86, 0.88]),
                       y=marks.axis(-6, ALL + 6, ticks=[0, 50, 100, 150]))  # fmt: skip


def splits_panel(r: Seeds) -> Panel:
    """Draw every split at its seed; those of the group are dark, and their interval is the band."""
    values, seeds = np.array(table("Splits")["21"]), np.arange(ALL)
    taken = seeds // r.many == r.at
    dots = [marks.points(values[of], seeds[of], look, size=size, hover="seed {y}: {x:.4f}")
            for of, look, size in ((~taken, CASES, 4), (taken, PURPLE, 6)) if of.any()]  # fmt: skip
    ends = r.lows[r.at], r.highs[r.at]
    band = [marks.frame(ends, (-6, ALL + 6), fill=faint(GREY, 0.15)),
            marks.frame(ends, (r.first - 1, r.first + r.many), PURPLE, width=2, id="band")]  # fmt: skip
    places = np.array(SeedsExplorer.first.values) // r.many * r.many + r.many / 2
    return panel_of("200 splits, by their seed", band, dots,
                    Handle("first", r.means[r.at], r.first + r.many / 2, "y", places=places))  # fmt: skip


def groups_panel(r: Seeds) -> Panel:
    """Draw the interval of every group, black where the printed number lies inside."""
    drawn = []
    for name, look, of in (("holds the number", BLACK, r.inside), ("does not hold it", GREY, ~r.inside)):
        low, high, at = r.lows[of], r.highs[of], np.flatnonzero(of) * r.many + r.many / 2
        x = np.column_stack([low, high, np.full(len(at), np.nan)]).ravel()
        drawn += [marks.line(x, np.repeat(at, 3), look, width=4, name=name)] if of.any() else []
    return panel_of(f"Interval of each {r.many} seeds", drawn)

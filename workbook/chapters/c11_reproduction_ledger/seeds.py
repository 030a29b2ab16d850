"""Chapter 11: the same experiment with other seeds, and whether a printed number still lies inside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import ClassVar

import numpy as np
from scipy.stats import t

from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import signed
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BLACK, CASES, GREY, PRINTED, PURPLE, faint
from workbook.explorer.theme import Panel
from workbook.ledger.numbers import table

from .readings import ROUNDING, short

__all__ = ["SeedsExplorer"]

ALL = 200  # seeds
NUMBERS = {6: 0.715, 12: 0.815, 21: 0.857, 24: 0.845}  # features -> accuracy in Carlos (2015), section 5.2
AXES = {6: (0.67, 0.755), 12: (0.765, 0.85), 21: (0.795, 0.88), 24: (0.79, 0.875)}


@lru_cache(maxsize=32)
def measure_groups(features: int, many: int) -> np.ndarray:
    """Return mean and half the interval of one further split, for so many seeds from every first one, (2, n)."""
    windows = np.lib.stride_tricks.sliding_window_view(np.array(table("Splits")[f"{features}"]), many)
    halves = t.ppf(0.975, many - 1) * windows.std(axis=1, ddof=1) * sqrt(1 + 1 / many)
    return np.stack([windows.mean(axis=1), halves])


@dataclass(frozen=True, eq=False)
class Seeds:
    """Hold the groups of so many seeds that share none, and the group that is looked at."""

    features: int
    many: int
    first: int
    mean: float
    half: float
    means: np.ndarray  # (groups,)
    halves: np.ndarray  # (groups,)

    @property
    def printed(self) -> float:
        """Return the printed accuracy."""
        return NUMBERS[self.features]

    @property
    def inside(self) -> np.ndarray:
        """Return whether the printed accuracy lies in the interval of each group (groups,)."""
        return np.abs(self.means - self.printed) <= self.halves + ROUNDING

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c11 proves it for all states."""
        where = "inside" if abs(self.mean - self.printed) <= self.half + ROUNDING else "outside"
        return f"By seeds {self.first} to {self.first + self.many - 1} the printed {short(self.printed)} lies {where}"


class SeedsExplorer(Explorer):
    """Carlos (2015), section 5.2: does the printed accuracy lie in our interval? It depends on our seeds."""

    first = Steps(0, range(0, 181, 10), label="first seed", say="{:d}".format)
    many = Steps(20, [5, 10, 20, 50, 100], label="splits", say="{:d}".format)
    features = Steps(21, list(NUMBERS), label="features", say="{:d}".format)

    presets: ClassVar = {
        "Our first twenty": Preset("Twenty splits: the printed .857 lies outside. We wrote “differs”.", {}),
        "Other seeds": Preset("Other seeds, the same experiment, and now it lies inside.", dict(first=80)),
        "Five splits": Preset("Five splits: intervals of any width, and verdicts to match.", dict(many=5)),
        "24 features": Preset("This printed number does not care which seeds we take.", dict(features=24)),
    }

    def compute(self, first: int, many: int, features: int) -> Seeds:
        groups, at = measure_groups(features, many), min(first, ALL - many)
        return Seeds(features, many, at, *map(float, groups[:, at]), *groups[:, ::many])

    def draw(self, result: Seeds) -> dict:
        number = f"{result.inside.sum()} of {len(result.inside)}", "groups of seeds hold it"
        return marks.figure(splits_panel(result), groups_panel(result), finding=result.finding, number=number)

    def describe(self, result: Seeds) -> str:
        r = result
        interval = f"{short(r.mean)} ({short(r.mean - r.half)} to {short(r.mean + r.half)})"
        return f"{r.finding}. Ours: {interval}. Of {len(r.inside)} groups of {r.many} seeds {r.inside.sum()} hold it."

    def explain(self, result: Seeds) -> Sequence[Part]:
        r = result
        top = [Term(short(r.printed), "printed", "printed", PRINTED), "−", Term(f"{r.mean:.4f}"[1:], "mean")]
        off = signed((r.printed - r.mean) / r.half, 2)
        return [Over(top, [Term(f"{r.half:.4f}"[1:], "half width", "band", PURPLE)]), "=", Term(off, "half widths")]


def panel_of(r: Seeds, title: str, *drawn) -> Panel:
    """Return a panel with seeds upwards, accuracy to the right, and the printed number as an upright line."""
    low, high = AXES[r.features]
    ticks = [tick / 100 for tick in range(66, 90, 2) if low < tick / 100 < high]
    return marks.panel(title, *drawn, marks.rule(x=r.printed, look=PRINTED, id="printed"),
                       x=marks.axis(low, high, "accuracy", ticks=ticks),
                       y=marks.axis(-6, ALL + 6, ticks=[0, 50, 100, 150]))  # fmt: skip


def splits_panel(r: Seeds) -> Panel:
    """Draw every split at its seed; those of the group are dark, and their interval is the band."""
    values, seeds = np.array(table("Splits")[f"{r.features}"]), np.arange(ALL)
    taken = (seeds >= r.first) & (seeds < r.first + r.many)
    dots = [marks.points(values[of], seeds[of], look, size=size, hover="seed {y}: {x:.4f}")
            for of, look, size in ((~taken, CASES, 4), (taken, PURPLE, 6))]  # fmt: skip
    ends = r.mean - r.half, r.mean + r.half
    band = [marks.frame(ends, (-6, ALL + 6), fill=faint(GREY, 0.15)),
            marks.frame(ends, (r.first - 1, r.first + r.many), PURPLE, width=2, id="band")]  # fmt: skip
    places = np.minimum(SeedsExplorer.first.values, ALL - r.many)
    return panel_of(r, "200 splits, by their seed", band, dots,
                    Handle("first", r.mean, r.first + r.many / 2, "y", places=places + r.many / 2))  # fmt: skip


def groups_panel(r: Seeds) -> Panel:
    """Draw the interval of every group, black where the printed number lies inside."""
    drawn = []
    for name, look, of in (("holds the number", BLACK, r.inside), ("does not hold it", GREY, ~r.inside)):
        low, high, at = (r.means - r.halves)[of], (r.means + r.halves)[of], np.flatnonzero(of) * r.many + r.many / 2
        x = np.column_stack([low, high, np.full(len(at), np.nan)]).ravel()
        drawn += [marks.line(x, np.repeat(at, 3), look, width=4 if r.many > 5 else 2, name=name)] if of.any() else []
    return panel_of(r, f"Interval of each {r.many} seeds", drawn)

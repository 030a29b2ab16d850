"""Chapter 11: one printed number, and 72 ways to read what its paper leaves open. Luck, choice, mistake on one axis."""

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
from workbook.explorer.palette import BLACK, GREY, PRINTED, PURPLE, faint
from workbook.explorer.theme import Panel

from .experiment import CHOICES, OURS, SPLITS, readings
from .experiment import PRINTED as NUMBERS

__all__ = ["ROUNDING", "WIDTH", "ReadingsExplorer"]

WIDTH = float(t.ppf(0.975, SPLITS - 1)) * sqrt(1 + 1 / SPLITS)  # of one further split, in standard deviations
ROUNDING = 5e-4
NAMES = ["names right", "RMSE", "surer than 0.9"]
MOVES = range(-24, 13)  # steps of the printed number, each of .005; 0 is as printed
AXES = [(0.72, 0.91), (0.04, 0.284), (0.766, 0.992)]  # of each number: all intervals, all places of the printed one
ROWS, WORDS, TOP = 73, 79, 93  # where rows end, where the zones are named, where the printed number stands
SPACE = "\u00a0" * 4  # as wide as half a grip


def short(value: float) -> str:
    """Write a number as the paper does, .845."""
    return f"{value:.3f}".removeprefix("0")


@lru_cache(maxsize=len(NUMBERS))
def ranked(number: int) -> tuple[list[tuple], np.ndarray, np.ndarray]:
    """Return the readings, the smallest number first, their means (72,) and half widths (72,)."""
    rows = sorted(readings(), key=lambda row: row["mean"][number])
    means, spreads = (np.array([row[part][number] for row in rows]) for part in ("mean", "sd"))
    return [tuple(row["reading"]) for row in rows], means, WIDTH * spreads


@dataclass(frozen=True, eq=False)
class Zone:
    """Hold one number, all readings of it, and where the printed one lies."""

    number: int
    value: float
    ours: int  # rank of our reading, from 0
    same: np.ndarray  # (72,) whether a reading takes our alpha
    means: np.ndarray  # (72,)
    halves: np.ndarray  # (72,)
    holds: np.ndarray  # (72,) whether the printed number can be one further split by this reading

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c11 proves it for all states."""
        if self.holds[self.ours]:
            return f"{short(self.value)} lies inside our interval: luck can make it"
        if self.holds.any():
            return f"{short(self.value)}: outside ours, inside {self.holds.sum()} of 72 readings: a choice"
        return f"No reading reaches {short(self.value)}: look for a mistake, theirs or ours"


def value_of(number: int, moved: int) -> float:
    """Return the printed number, moved by so many steps."""
    return round(list(NUMBERS.values())[number] + 0.005 * moved, 3)


class ReadingsExplorer(Explorer):
    """Carlos (2015), section 5.2, 24 features: a printed number against 72 readings, each with its interval."""

    number = Steps(0, range(3), label="number", say=NAMES.__getitem__)
    alpha = Steps(1.0, sorted(CHOICES["alpha"]), label="our smoothing", say="{:g}".format)
    moved = Steps(0, MOVES, label="moved by", say=lambda n: signed(0.005 * n, 3) if n else "0")

    presets: ClassVar = {
        "Names right": Preset("The printed accuracy lies inside our interval, and inside many others.", {}),
        "Surer than 0.9": Preset("With our smoothing it does not come out; with 0.1 it does.", dict(number=2)),
        "Had it said .895": Preset("No reading that we found reaches this number.", dict(moved=10)),
        "RMSE": Preset("A number that every reading gives confirms none of them.", dict(number=1)),
    }  # fmt: skip

    def compute(self, number: int, alpha: float, moved: int) -> Zone:
        chosen, means, halves = ranked(number)
        ours = chosen.index((*OURS[:3], alpha, OURS[4]))
        same = np.array([reading[3] == alpha for reading in chosen])
        value = value_of(number, moved)
        return Zone(number, value, ours, same, means, halves, np.abs(means - value) <= halves + ROUNDING)

    def draw(self, result: Zone) -> dict:
        r, number = result, (f"{result.holds.sum()} of 72", "readings hold it")
        return marks.figure(zone_panel(r), finding=r.finding, number=number, left=1)

    def describe(self, result: Zone) -> str:
        r = result
        low, high = (short(r.means[r.ours] + side * r.halves[r.ours]) for side in (-1, 1))
        held = f"{r.holds[r.same].sum()} of the {r.same.sum()} readings with our smoothing hold it"
        return f"{r.finding}. Ours: {short(r.means[r.ours])} ({low} to {high}). {held}, {r.holds.sum()} of all 72."

    def explain(self, result: Zone) -> Sequence[Part]:
        r = result
        mean, half = r.means[r.ours], r.halves[r.ours]
        top = [Term(short(r.value), "printed", "printed", PRINTED), "−", Term(short(mean), "ours", "ours", PURPLE)]
        off = signed((r.value - mean) / half, 1)
        return [Over(top, [Term(short(half), "half width")]), "=", Term(off, "half widths")]


def intervals(r: Zone, which: np.ndarray, look: str, width: float, **words) -> dict:
    """Return the intervals of some readings as level lines, each at its rank."""
    low, high = r.means[which] - r.halves[which], r.means[which] + r.halves[which]
    x = np.column_stack([low, high, np.full(len(low), np.nan)]).ravel().round(4)
    ends = "{name}: one end at {x:.3f}"
    return marks.line(x, np.repeat(np.flatnonzero(which) + 1, 3), look, width=width, hover=ends, **words)


def zones(r: Zone) -> list:
    """Return the areas of luck, ours, and of choice, all readings, with their names; mistake is what lies beside."""
    (left, right), lows, highs = AXES[r.number], r.means - r.halves, r.means + r.halves
    a, b, low, high = lows[r.ours], highs[r.ours], lows.min(), highs.max()
    areas = [marks.frame((low, high), (0, ROWS), fill=faint(GREY, 0.12)),
             marks.frame((a, b), (0, ROWS), fill=faint(PURPLE, 0.2))]  # fmt: skip
    named = [(left, low, "mistake"), (low, a, "choice"), (a, b, "luck"), (b, high, "choice"), (high, right, "mistake")]
    wide = [(x, y, word) for x, y, word in named if y - x > (0.1 if word == "luck" else 0.17) * (right - left)]
    return areas + [marks.text((x + y) / 2, WORDS, f"<b>{word}</b>") for x, y, word in wide]


def zone_panel(r: Zone) -> Panel:
    """Draw the interval of every reading, the smallest number below, and the printed number across them."""
    left, right = AXES[r.number]
    ours = np.arange(len(r.means)) == r.ours
    drawn = [intervals(r, ~r.holds, GREY, 1, name="does not hold it"),
             intervals(r, r.holds, BLACK, 1.5, name="holds the number"),
             intervals(r, ours, PURPLE, 7, name="our reading", id="ours")]  # fmt: skip
    side = "left" if r.value > (left + right) / 2 else "right"
    words = marks.text(r.value, TOP, f"{SPACE}printed {short(r.value)}{SPACE}", place=side)
    at = [value_of(r.number, moved) for moved in MOVES]
    printed = marks.rule(x=r.value, span=(0, TOP), look=PRINTED, id="printed")
    x = marks.axis(left, right, ticks=[tick / 20 for tick in range(20) if left < tick / 20 < right])
    return marks.panel(f"72 readings: {NAMES[r.number]}", zones(r), drawn, printed, words,
                       Handle("moved", r.value, TOP, places=at), x=x, y=marks.axis(0, TOP + 5, ticks={}, grid=False))

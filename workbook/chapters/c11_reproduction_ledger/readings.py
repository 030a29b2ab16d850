"""Chapter 11: printed numbers, and 36 ways to read what its paper leaves open. Luck, choice, mistake on one axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
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

from .experiment import CHOICES, OURS, ROUNDING, SPLITS, readings
from .experiment import PRINTED as NUMBERS

__all__ = ["WIDTH", "ReadingsExplorer"]

WIDTH = float(t.ppf(0.975, SPLITS - 1)) * (1 + 1 / SPLITS) ** 0.5  # of one further split, in standard deviations
THREE = 3  # the place of "all three"
NAMES = ["names right", "RMSE", "surer than 0.9", "all three"]
MOVES = range(-24, 13)  # steps of the printed number, each of .005; 0 is as printed
AXES = [(0.72, 0.91), (0.04, 0.284), (0.766, 0.992), (0.72, 0.91)]  # all intervals, all places of the printed number
ROWS, WORDS, TOP = 37, 40, 47  # where rows end, where the zones are named, where the printed number stands
SPACE = "\u00a0" * 4  # as wide as half a grip


def short(value: float) -> str:
    """Write a number as the paper does, .845."""
    return f"{value:.3f}".removeprefix("0")


@lru_cache(maxsize=len(NUMBERS))
def ranked(number: int) -> tuple[list[tuple], np.ndarray, np.ndarray]:
    """Return the readings, the smallest of this number first, their means and half widths (36, 3)."""
    rows = sorted(readings(), key=lambda row: row["mean"][number])
    means, spreads = (np.array([row[part] for row in rows]) for part in ("mean", "sd"))
    return [tuple(row["reading"]) for row in rows], means, WIDTH * spreads


@dataclass(frozen=True, eq=False)
class Zone:
    """Hold one number, all readings of it, and where the printed one lies; of all three numbers the names right."""

    number: int
    value: float
    ours: int  # rank of our reading, from 0
    means: np.ndarray  # (36,)
    halves: np.ndarray  # (36,)
    holds: np.ndarray  # (36,) whether the printed number, or each of the three, can be one further split

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c11 proves it for all states."""
        if self.number == THREE:
            ours = "ours, too" if self.holds[self.ours] else "not ours"
            return f"{self.holds.sum()} of 36 readings hold {short(self.value)}, .927 and .164 at once; {ours}"
        if self.holds[self.ours]:
            return f"{short(self.value)} lies inside our interval: luck can make it"
        if self.holds.any():
            return f"{short(self.value)}: outside ours, inside {self.holds.sum()} of 36 readings: a choice"
        return f"No reading reaches {short(self.value)}: look for a mistake, theirs or ours"


def value_of(number: int, moved: int) -> float:
    """Return the printed number, moved by so many steps."""
    return round(list(NUMBERS.values())[number % THREE] + 0.005 * moved, 3)


class ReadingsExplorer(Explorer):
    """Carlos (2015), section 5.2, 24 features: printed numbers against 36 readings, each with its interval."""

    number = Steps(0, range(4), label="number", say=NAMES.__getitem__)
    alpha = Steps(1.0, sorted(CHOICES["alpha"]), label="our smoothing", say="{:g}".format)
    moved = Steps(0, MOVES, label="moved by", say=lambda n: signed(0.005 * n, 3) if n else "0")

    presets: ClassVar = {
        "Names right": Preset("The printed accuracy lies inside our interval, and inside many others.", {}),
        "Surer than 0.9": Preset("With our smoothing it does not come out; with 0.1 it does.", dict(number=2)),
        "Had it said .895": Preset("No reading that we found reaches this number.", dict(moved=10)),
        "RMSE": Preset("A number that every reading gives confirms none of them.", dict(number=1)),
        "All three": Preset("Which readings hold all three printed numbers at once?", dict(number=THREE)),
    }

    def compute(self, number: int, alpha: float, moved: int) -> Zone:
        chosen, means, halves = ranked(number % THREE)
        ours = chosen.index((*OURS[:2], alpha, OURS[3]))
        value, at = value_of(number, moved), number % THREE
        printed = np.where(np.arange(3) == at, value, list(NUMBERS.values()))
        inside = np.abs(means - printed) <= halves + ROUNDING
        holds = inside.all(axis=1) if number == THREE else inside[:, at]
        return Zone(number, value, ours, means[:, at], halves[:, at], holds)

    def draw(self, result: Zone) -> dict:
        number = f"{result.holds.sum()} of 36", f"readings hold {'all' if result.number == THREE else 'it'}"
        return marks.figure(zone_panel(result), finding=result.finding, number=number, left=1)

    def describe(self, result: Zone) -> str:
        r = result
        low, high = (short(r.means[r.ours] + side * r.halves[r.ours]) for side in (-1, 1))
        return f"{r.finding}. Ours: {short(r.means[r.ours])} ({low} to {high}). {r.holds.sum()} of 36 hold it."

    def explain(self, result: Zone) -> Sequence[Part]:
        value, mean, half = result.value, result.means[result.ours], result.halves[result.ours]
        top = [Term(short(value), "printed", "printed", PRINTED), "−", Term(short(mean), "ours", "ours", PURPLE)]
        return [Over(top, [Term(short(half), "half")]), "=", Term(signed((value - mean) / half, 1), "half widths")]


def intervals(r: Zone, which: np.ndarray, look: str, width: float, **words) -> dict:
    """Return the intervals of some readings as level lines, each at its rank."""
    low, high = r.means[which] - r.halves[which], r.means[which] + r.halves[which]
    x = np.column_stack([low, high, np.full(len(low), np.nan)]).ravel().round(4)
    return marks.line(x, np.repeat(np.flatnonzero(which) + 1, 3), look, width=width, hover="{name}: {x:.3f}", **words)


def zones(r: Zone) -> list:
    """Return the areas of luck, ours, and of choice, all readings, with their names; mistake is what lies beside."""
    (left, right), lows, highs = AXES[r.number], r.means - r.halves, r.means + r.halves
    if r.number == THREE:
        return []
    a, b, low, high = lows[r.ours], highs[r.ours], lows.min(), highs.max()
    areas = [marks.frame((low, high), (0, ROWS), fill=faint(GREY, 0.12)),
             marks.frame((a, b), (0, ROWS), fill=faint(PURPLE, 0.2))]  # fmt: skip
    ends, names = (left, low, a, b, high, right), ("mistake?", "choice", "luck", "choice", "mistake?")
    named = zip(ends, ends[1:], names, strict=False)
    wide = [(x, y, word) for x, y, word in named if y - x > (0.075 if word == "choice" else 0.1) * (right - left)]
    return areas + [marks.text((x + y) / 2, WORDS, f"<b>{word}</b>") for x, y, word in wide]


def zone_panel(r: Zone) -> Panel:
    """Draw the interval of every reading, the smallest number below, and the printed number across them."""
    left, right = AXES[r.number]
    drawn = [intervals(r, ~r.holds, GREY, 2, name="does not"),
             intervals(r, r.holds, BLACK, 2.5, name="holds all three" if r.number == THREE else "holds the number"),
             intervals(r, np.arange(36) == r.ours, PURPLE, 7, name="our reading", id="ours")]  # fmt: skip
    side, said = ["right", "left"][r.value > (left + right) / 2], f"{SPACE}printed {short(r.value)}{SPACE}"
    words = [marks.text(r.value, TOP, said, place=side), marks.rule(x=r.value, span=(0, TOP), id="printed")]
    words += [marks.text(0.77, 6.5, "no mark<br>at the end", place="left")] if r.number % THREE == 0 else []
    x = marks.axis(left, right, ticks=[tick / 20 for tick in range(20) if left < tick / 20 < right])
    grip = Handle("moved", r.value, TOP, places=[value_of(r.number, moved) for moved in MOVES])
    return marks.panel(f"36 readings: {NAMES[r.number % THREE]}", zones(r), drawn, words, grip,
                       x=x, y=marks.axis(0, TOP + 2.5, ticks={}, grid=False))  # fmt: skip

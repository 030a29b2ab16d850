"""Chapter 03: one variable in K columns, and what its zeros repeat. Williams (2024), eq. (8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbcore.one_hot import q_bounds
from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BITS, BLACK, CATEGORICAL
from workbook.explorer.theme import Panel

from .columns import draw_columns, write_odds

__all__ = ["ExtraOddsExplorer"]

COLUMNS = [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50]
RATIOS = [1.5, 2, 3, 4, 9, 19, 49]
FEW = 5  # so many columns have a bar each
NUMBERS = dict(zip(range(1, 11), "one two three four five six seven eight nine ten".split(), strict=True))


def compute_q(K: int, ratio: float) -> tuple[float, float]:
    """Return Q of class A and of class B, where a value `ratio` times as likely in A shares the rest evenly."""
    theta = np.array([ratio, 1]) / (1 + ratio)
    return tuple(q_bounds(theta, K)[1]) if K > 1 else (1.0, 1.0)


@dataclass(frozen=True)
class Columns:
    """Hold one answer in K columns: the column of the value seen is 1, all others are 0."""

    K: int
    ratio: float
    q: tuple[float, float]  # of A and B: what the zeros multiply by
    path: np.ndarray  # (COLUMNS,) log odds of all columns together

    @property
    def once(self) -> float:
        """Return the log odds of the value itself, counted once."""
        return float(np.log(self.ratio))

    @property
    def together(self) -> float:
        """Return the log odds of all columns."""
        return float(self.path[COLUMNS.index(self.K)])

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c03 proves it for all states."""
        if self.K == 1:
            return f"One column: the answer is heard once, {write_odds(self.once)}"
        if self.K == 2:
            return f"Two columns say it twice: {write_odds(self.once)} becomes {write_odds(self.together)}"
        columns, zeros = (NUMBERS.get(n, str(n)) for n in (self.K, self.K - 1))
        becomes = f"{write_odds(self.once)} becomes {write_odds(self.together)}"
        return f"{columns.capitalize()} columns: {zeros} zeros repeat it, {becomes}"


class ExtraOddsExplorer(Explorer):
    """One answer in K columns: the zeros say again, more softly, what the one has said."""

    K = Steps(2, COLUMNS, label="columns, K", say="{:g}".format)
    ratio = Steps(9, RATIOS, label="the answer says", say="{:g} : 1".format)

    presets: ClassVar = {
        "One column": Preset("As a category: the answer is heard once.", dict(K=1)),
        "Yes or no": Preset("Two columns. The 0 says exactly what the 1 says: the odds are squared.", dict(K=2)),
        "Four values": Preset("Four columns. Each zero whispers, and together they still more than double.", dict(K=4)),
        "Fifty values": Preset("Forty-nine zeros, each hardly audible. Together they still double it.", dict(K=50)),
    }

    def compute(self, K: int, ratio: float) -> Columns:
        path = [np.log(ratio) + np.subtract(*np.log(compute_q(columns, ratio))) for columns in COLUMNS]
        return Columns(K, ratio, compute_q(K, ratio), np.array(path))

    def draw(self, result: Columns) -> dict:
        panels, number = (columns_panel(result), path_panel(result)), (write_odds(result.together), "for class A")
        return marks.figure(*panels, finding=result.finding, number=number, widths=[1.2, 1])

    def describe(self, result: Columns) -> str:
        r, (a, b) = result, result.q
        if r.K == 1:
            return f"{r.finding}. At K = 1 no zero repeats it."
        zeros = "zero multiplies" if r.K == 2 else "zeros multiply"
        shared = "" if r.K == 2 else ", if the other values share evenly"
        more = write_odds(r.together - r.once)
        return f"{r.finding}. At K = {r.K} the {zeros} class A by {a:.3f} and class B by {b:.3f}, {more}{shared}."

    def explain(self, result: Columns) -> Sequence[Part]:
        once = Term(f"{result.ratio:g}", "θ in A / θ in B", "counted once", CATEGORICAL)
        zeros = Over(*([Term(f"{q:.3f}", f"Q in {name}")] for q, name in zip(result.q, "AB", strict=True)))
        together = Term(write_odds(result.together).removesuffix(" : 1"), "odds of A", "all columns", BITS)
        return [once, "·", zeros, "=", together]


def columns_panel(r: Columns) -> Panel:
    """Draw a bar for each column; many zeros share one."""
    apart = r.K <= FEW
    count = r.K - 1 if apart else 1
    steps = [r.once, *([(r.together - r.once) / count] * count if count else [])]
    names = ["1", *(["0"] * count if apart else [f"{r.K - 1} × 0"])]
    return draw_columns(names, steps, r.once, odds_axis(r, 2.9, "odds for class A, log scale"))


def path_panel(r: Columns) -> Panel:
    """Draw the log odds of all columns against their number, above the level of the value counted once."""
    said = [f"{K} columns: {write_odds(y)}" for K, y in zip(COLUMNS, r.path, strict=True)]
    level = marks.line(COLUMNS, [r.once] * len(COLUMNS), CATEGORICAL, name="counted once",
                       hover=f"counted once: {write_odds(r.once)}")  # fmt: skip
    one = marks.points(1, r.once, BITS, size=5, hover=said[0])  # a category: no step of the path
    path = marks.line(COLUMNS[1:], r.path[1:], BITS, size=5, hover=said[1:])
    here = marks.points(r.K, r.together, BITS, size=13, stroke=2, rim=BLACK, id="all columns",
                        hover=said[COLUMNS.index(r.K)])  # fmt: skip
    grip = Handle("K", r.K, r.together, "xy", np.column_stack([COLUMNS, r.path]))
    x = marks.axis(0.9, 56, "columns, K", log=True, ticks={K: str(K) for K in (1, 2, 3, 5, 10, 20, 50)})
    return marks.panel("All together", level, one, path, here, grip, x=x, y=odds_axis(r, 2.2))


def odds_axis(r: Columns, end: float, title: str | None = None) -> dict:
    """Return an axis of log odds up to so many times those of the value."""
    ticks = {k * r.once: write_odds(k * r.once) if k else "even" for k in range(3)}
    return marks.axis(0, end * r.once, title, ticks=ticks)

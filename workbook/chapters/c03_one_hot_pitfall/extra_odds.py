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
from workbook.explorer.formatting import written
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BITS, BLACK, CATEGORICAL, Q_FACTOR
from workbook.explorer.theme import Panel

__all__ = ["ExtraOddsExplorer"]

COLUMNS = [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50]
RATIOS = [1.5, 2, 3, 4, 9, 19, 49]
FEW = 5  # so many columns have a bar each
NUMBERS = dict(zip(range(1, 11), "one two three four five six seven eight nine ten".split(), strict=True))


def odds(log: float) -> str:
    """Return log odds as odds in words: 9 : 1."""
    return f"{written(np.exp(log))} : 1"


def repeated(K: int, ratio: float) -> tuple[float, float]:
    """Return Q of class A and of class B, where a value `ratio` times as likely in A shares the rest evenly."""
    theta = np.array([ratio, 1]) / (1 + ratio)
    return tuple(q_bounds(theta, K)[1]) if K > 1 else (1.0, 1.0)


@dataclass(frozen=True)
class Columns:
    """One answer, coded in K columns: the column of the value seen is 1, all others are 0."""

    K: int
    ratio: float
    q: tuple[float, float]  # of A and B: what the zeros multiply by
    path: np.ndarray  # (COLUMNS,) log odds of all columns together

    @property
    def once(self) -> float:
        """Log odds of the value itself, counted once."""
        return float(np.log(self.ratio))

    @property
    def together(self) -> float:
        """Log odds of all columns."""
        return float(self.path[COLUMNS.index(self.K)])

    @property
    def finding(self) -> str:
        """What this state shows; proven for all states in test_c03."""
        if self.K == 1:
            return f"One column: the answer is heard once, {odds(self.once)}"
        if self.K == 2:
            return f"Two columns say it twice: {odds(self.once)} becomes {odds(self.together)}"
        columns, zeros = (NUMBERS.get(n, str(n)) for n in (self.K, self.K - 1))
        becomes = f"{odds(self.once)} becomes {odds(self.together)}"
        return f"{columns.capitalize()} columns: {zeros} zeros repeat it, {becomes}"


class ExtraOddsExplorer(Explorer):
    """One answer in K columns: the zeros say again, more softly, what the one has said."""

    K = Steps(2, COLUMNS, label="columns, K", say="{:g}".format)
    ratio = Steps(9, RATIOS, label="the answer says", say="{:g} : 1".format)

    presets: ClassVar = {
        "One column": Preset("As a category: the answer is heard once.", dict(K=1)),
        "Yes or no": Preset("Two columns. The 0 says exactly what the 1 says: the odds are squared.", dict(K=2)),
        "Four values": Preset("Four columns. Each zero whispers, and together they still more than double.", dict(K=4)),
        "Fifty values": Preset("Forty-nine zeros, each hardly audible. They never fall silent.", dict(K=50)),
    }

    def compute(self, K: int, ratio: float) -> Columns:
        path = [np.log(ratio) + np.subtract(*np.log(repeated(columns, ratio))) for columns in COLUMNS]
        return Columns(K, ratio, repeated(K, ratio), np.array(path))

    def draw(self, result: Columns) -> dict:
        panels, number = (columns_panel(result), path_panel(result)), (odds(result.together), "all together")
        return marks.figure(*panels, finding=result.finding, number=number, widths=[1.2, 1])

    def describe(self, result: Columns) -> str:
        r, (a, b) = result, result.q
        if r.K == 1:
            return f"{r.finding}. At K = 1 no zero repeats it."
        more = odds(r.together - r.once)
        return f"{r.finding}. At K = {r.K} the zeros multiply class A by {a:.3f} and class B by {b:.3f}: {more}."

    def explain(self, result: Columns) -> Sequence[Part]:
        once = Term(f"{result.ratio:g}", "θ in A / θ in B", "category", CATEGORICAL)
        zeros = Over(*([Term(f"{q:.3f}", f"Q in {name}")] for q, name in zip(result.q, "AB", strict=True)))
        together = Term(written(np.exp(result.together)), "odds of A", "bits", BITS)
        return [once, "·", zeros, "=", together]


def columns_panel(r: Columns) -> Panel:
    """Draw what each column adds to the log odds, from where the last one ended; many zeros share a bar."""
    apart = r.K <= FEW
    count = r.K - 1 if apart else 1
    zeros = [(r.together - r.once) / count] * count if count else []
    steps, names = [r.once, *zeros], ["all", *(["0"] * len(zeros) if apart else [f"{r.K - 1} × 0"]), "1"]
    ends, looks = np.cumsum(steps), [CATEGORICAL, *[Q_FACTOR] * len(zeros)]
    bars = [
        marks.bars([step], [len(steps) - k], looks[k], base=[ends[k] - step], horizontal=True, width=0.6,
                   hover=f"{odds(step)}, so far {odds(ends[k])}")
        for k, step in enumerate(steps)
    ]  # fmt: skip
    bars += [marks.bars([r.together], [0], BITS, horizontal=True, width=0.6, hover=f"together {odds(r.together)}")]
    words = [marks.text(end, len(steps) - k, odds(step), place="right")
             for k, (end, step) in enumerate(zip([*ends, r.together], [*steps, r.together], strict=True))]  # fmt: skip
    once = marks.rule(x=r.once, look=CATEGORICAL, id="category")
    x, y = odds_axis(r, 2.9), marks.named_axis(names)
    return marks.panel("What each column says", bars, once, words, x=x, y=y)


def path_panel(r: Columns) -> Panel:
    """Draw the log odds of all columns against their number, above the level of the value counted once."""
    level = marks.line(COLUMNS, [r.once] * len(COLUMNS), CATEGORICAL, hover=f"counted once: {odds(r.once)}")
    said = [f"{K} columns: {odds(y)}" for K, y in zip(COLUMNS, r.path, strict=True)]
    here = marks.points(r.K, r.together, BITS, size=13, stroke=2, rim=BLACK, id="bits",
                        hover=f"together {odds(r.together)}")  # fmt: skip
    grip = Handle("K", r.K, r.together, "xy", np.column_stack([COLUMNS, r.path]))
    x = marks.axis(0.9, 56, "columns, K", log=True, ticks={K: str(K) for K in (1, 2, 3, 5, 10, 20, 50)})
    path = marks.line(COLUMNS, r.path, BITS, size=5, hover=said)
    return marks.panel("All together", level, path, here, grip, x=x, y=odds_axis(r, 2.2))


def odds_axis(r: Columns, end: float) -> dict:
    """Return an axis of log odds up to so many times those of the value."""
    return marks.axis(0, end * r.once, ticks={0: "even", r.once: odds(r.once), 2 * r.once: odds(2 * r.once)})

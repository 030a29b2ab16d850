"""Chapter 06: how often decisions are right, by how sure they are. Carlos (2015), Figures 1, 2, 4 and 5, and Table 1.

The diagram is folded at one half: with two classes its lower half is a mirror. Grey bars stand where a calibrated model
would be by luck: Broecker and Smith (2007).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from nbcore.calibration import confidence_table, reliability_bins
from workbook.chapters.names import names_split
from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import ATTENUATED, BLACK, GUIDE, NAIVE_BAYES, PALE, Look
from workbook.explorer.theme import Panel

from .experiment import ALL, EDGES, KS, LENGTHS, attenuated, luck, say_k

__all__ = ["ReliabilityExplorer"]

MIDDLES = (EDGES[:-1] + EDGES[1:]) / 2
FEATURES = dict(zip(LENGTHS, (6, 12, 21, 24), strict=True))  # of a name, about, in the paper


@dataclass(frozen=True)
class Reliability:
    """Hold one diagram of the test names, folded at one half, and what luck alone does to it."""

    max_n: int
    k: float
    count: np.ndarray  # (5,) names by confidence
    right: np.ndarray  # (5,) share of them decided rightly, NaN where there are none
    rmse: float
    luck: np.ndarray  # (2, 5) where that share lies in 95 of 100 draws, if the model is calibrated
    limit: float  # 95 of 100 such draws have a smaller RMSE
    said: float  # mean confidence
    doubt: float  # standard deviation of the share that is right, if the model is calibrated
    kept: float  # the share that is right

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c06 proves it for all states."""
        surplus = self.said - self.kept
        words = "too sure" if surplus > 0 else "not sure enough"
        words = "within luck" if abs(surplus) <= 1.96 * self.doubt else words
        return f"It says {self.said:.3f} and is right {self.kept:.3f}: {words}"


@lru_cache(maxsize=len(KS) * len(LENGTHS))
def judge(max_n: int, k: float) -> Reliability:
    """Return the diagram of eq. (20) with this k on the names of split 0."""
    proba, y = attenuated(max_n, k), names_split(max_n).test.y
    table, chance = confidence_table(y, proba, EDGES), luck(proba)
    span = np.array([chance.low[5:], chance.high[5:]])
    rmse, limit = reliability_bins(y, proba).rmse(), float(np.quantile(chance.rmse, 0.95))
    said, doubt = proba.max(axis=1).mean(), np.sqrt(proba.prod(axis=1).sum()) / len(y)
    kept = np.mean(proba.argmax(axis=1) == y)
    return Reliability(max_n, k, table.count, table.accuracy, rmse, span, limit, float(said), float(doubt), float(kept))


class ReliabilityExplorer(Explorer):
    """Reliability of the names, folded at one half, for naive Bayes and eq. (20): Carlos (2015), Figures 1, 4, 5."""

    max_n = Steps(5, LENGTHS, label="features", say=lambda n: f"about {FEATURES[n]}")
    k = Steps(ALL, KS, label="the root leaves", say=say_k)

    presets: ClassVar = {
        "Single letters": Preset("Single letters: naive Bayes is nearly honest.", dict(max_n=1)),
        "Up to five letters": Preset("N-grams of up to five letters: everything is sure, and less is true.", {}),
        "Flattest": Preset("The flattest histogram, on the training names.", dict(k=2.42)),
        "Held out": Preset("The k of least RMSE on names held out: the points lie in their bars.", dict(k=4.7)),
    }

    def compute(self, max_n: int, k: float) -> Reliability:
        return judge(max_n, k)

    def draw(self, result: Reliability) -> dict:
        number = short(result.rmse), f"RMSE; by luck below {short(result.limit)}"
        return marks.figure(right_panel(result), count_panel(result), finding=result.finding, number=number)

    def describe(self, result: Reliability) -> str:
        shares = ", ".join("none" if np.isnan(share) else f"{share:.2f}" for share in result.right)
        rmse = f"RMSE {result.rmse:.3f}, by luck below {result.limit:.3f}"
        n_grams = f"N-grams up to {result.max_n}, k: {say_k(result.k)}"
        return f"{result.finding}. {n_grams}. {rmse}. Right, .5 to 1: {shares}."

    def explain(self, result: Reliability) -> Sequence[Part]:
        count, share = result.count[-1], result.right[-1]
        if not count:
            return ["nobody is 0.9 sure"]
        quotient = Over([Term(f"{count * share:,.0f}", "right")], [Term(f"{count:,}", "names from .9 to 1")])
        came = Term(f"{share:.3f}", "came true", "surest", model_look(result).color)
        return [quotient, "=", came, "; promised", Term("0.95", "middle")]


def short(value: float) -> str:
    """Return a number below 1 with three decimals, without its zero."""
    return f"{value:.3f}".removeprefix("0")


def model_look(r: Reliability) -> Look:
    """Return the look of the model: that of naive Bayes without a root."""
    return Look(ATTENUATED, "diamond") if r.k < ALL else Look(NAIVE_BAYES, "x")


def right_panel(r: Reliability) -> Panel:
    """Draw the share of right decisions over the middle of each fifth of confidence, with its bar of luck."""
    bars = np.vstack([r.luck, np.full(len(MIDDLES), np.nan)]).T.ravel()
    by_luck = marks.line(np.repeat(MIDDLES, 3), bars, PALE, width=14, id="if calibrated")
    diagonal = marks.line([0.5, 1], [0.5, 1], Look(GUIDE, dash="dot"))
    gaps = marks.line(np.repeat(MIDDLES, 3), np.column_stack([MIDDLES, r.right, bars[2::3]]).ravel(), BLACK, width=1)
    size = 7 + 9 * np.sqrt(r.count / r.count.sum())
    points = marks.points(MIDDLES, r.right, model_look(r), size=size, data=r.count, id=["", "", "", "", "surest"],
                          hover="sure by about {x:.2f}: {y:.3f} of {data} right")  # fmt: skip
    words = marks.text(0.99, 0.22, "dotted: promise kept", place="left above")
    return marks.panel(
        "How often right; grey: by luck, if calibrated", by_luck, diagonal, gaps, points, words,
        x=marks.axis(0.5, 1, "how sure", ticks={0.5: ".5", 0.75: ".75", 1: "1"}),
        y=marks.axis(0.2, 1.02, ticks={0.25: ".25", 0.5: ".5", 0.75: ".75", 1: "1"}),
    )  # fmt: skip


def count_panel(r: Reliability) -> Panel:
    """Draw how many names are so sure: the histogram of Figure 2, folded, and the points of Table 1."""
    said = [f"about {x:.2f} sure: {names:,} names" for x, names in zip(MIDDLES, r.count, strict=True)]
    bars = marks.bars(MIDDLES, r.count, model_look(r), width=0.08, hover=said)
    heights = np.add(r.count, [0, 0, 0, 0, 90])  # the last number stands above the handle
    numbers = [marks.text(x, y, f"{n:,}", place="above") for x, y, n in zip(MIDDLES, heights, r.count, strict=True)]
    grip = Handle("k", MIDDLES[-1], r.count[-1], "y", [judge(r.max_n, k).count[-1] for k in KS], "bar")
    return marks.panel(
        "Names", bars, numbers, grip,
        x=marks.axis(0.5, 1, "how sure", ticks={0.5: ".5", 0.75: ".75", 1: "1"}),
        y=marks.axis(0, 1350, ticks=[0, 500, 1000]),
    )  # fmt: skip

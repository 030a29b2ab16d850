"""Chapter 06b: what it costs to take a model at its word. Decide the sure names, ask a person about the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from workbook.chapters.names import LONGEST, names_split
from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import ATTENUATED, BLACK, GUIDE, NAIVE_BAYES, Look
from workbook.explorer.theme import Panel

from .experiment import ALL, KS, attenuated, costs, log_odds, say_k

__all__ = ["ThresholdExplorer"]

PRICES = [2, 3, 4, 5, 7, 10, 15, 20]  # of a mistake, if asking costs 1
ROOT, NAIVE = "the root, at its word", "naive Bayes, at its word"
LOOKS = {ROOT: Look(ATTENUATED, "diamond"), NAIVE: Look(NAIVE_BAYES, "x")}


@dataclass(frozen=True)
class Decided:
    """Hold how many names each model decides at its word, and what that costs."""

    wrong: int
    k: float
    decided: tuple[int, int]  # by eq. (20) and by naive Bayes
    paid: tuple[int, int]
    line: np.ndarray  # cost of deciding the m surest names and asking for the others, m = 0, ..., n
    bottom: int  # the least cost on it, known in hindsight only

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c06b proves it for all states."""
        mine, naive = self.paid
        words = f"the root pays {mine:,}, naive Bayes {naive:,}" if mine != naive else f"both pay {mine:,}"
        return f"A mistake costs {self.wrong}: at its word {words}"


def count_decided(k: float, wrong: int) -> int:
    """Return how many test names have a confidence from which a decision is cheaper than asking."""
    return int(np.sum(attenuated(LONGEST, k).max(axis=1) >= 1 - 1 / wrong))


def pay(k: float, wrong: int) -> int:
    """Return what deciding those names and asking about the others costs."""
    proba, y = attenuated(LONGEST, k), names_split(LONGEST).test.y
    sure = proba.max(axis=1) >= 1 - 1 / wrong
    return int(wrong * np.sum(proba.argmax(axis=1)[sure] != y[sure]) + np.sum(~sure))


class ThresholdExplorer(Explorer):
    """Decide where the model says that it is cheaper than asking: how far from the cheapest place does it stop?"""

    wrong = Steps(10, PRICES, label="a mistake costs", say="{:d}".format)
    k = Steps(4.89, KS, label="the root leaves", say=say_k)

    presets: ClassVar = {
        "Calibrated": Preset("At its word, the root stops close to the bottom.", {}),
        "Flat k": Preset("Too modest: it asks about names that it could have decided.", dict(k=2.42)),
        "Cheap mistakes": Preset("If a mistake costs three, even naive Bayes may decide.", dict(wrong=3)),
        "Dear mistakes": Preset("If it costs twenty, naive Bayes pays more than asking always.", dict(wrong=20)),
    }

    def compute(self, wrong: int, k: float) -> Decided:
        test = names_split(LONGEST).test
        odds = log_odds(test)
        line = costs((odds > 0) == test.y, np.abs(odds) / (test.evidence[2] + 1), wrong)
        decided, paid = ((each(k, wrong), each(ALL, wrong)) for each in (count_decided, pay))
        return Decided(wrong, k, decided, paid, line, int(line.min()))

    def draw(self, result: Decided) -> dict:
        share = 100 * (1 - result.paid[0] / result.line[0])
        number = f"{abs(share):.0f} %", f"{'cheaper' if share >= 0 else 'dearer'} than asking always"
        return marks.figure(cost_panel(result), bill_panel(result), finding=result.finding, number=number)

    def describe(self, result: Decided) -> str:
        r = result
        numbers = f"k: {say_k(r.k)}: {r.decided[0]:,} names decided; naive Bayes {r.decided[1]:,}"
        return f"{r.finding}. {numbers}. Asking always costs {r.line[0]:,}, the best cut in hindsight {r.bottom:,}."

    def explain(self, result: Decided) -> Sequence[Part]:
        r = result
        asked = int(r.line[0]) - r.decided[0]
        total = Term(f"{r.paid[0]:,}", "", ROOT, ATTENUATED)
        price = Over([Term("1", "asking")], [Term(f"{r.wrong}", "mistake")])
        mistakes = Term(f"{(r.paid[0] - asked) // r.wrong:,}", "mistakes")
        start: list[Part] = ["decide from 1 −", price, "=", Term(f"{1 - 1 / r.wrong:.3g}", "confidence"), "on:"]
        return [*start, mistakes, "·", Term(f"{r.wrong}"), "+", Term(f"{asked:,}", "asked"), "=", total]


def cost_panel(r: Decided) -> Panel:
    """Draw the cost over the number of names decided, the surest first, and where either model stops at its word."""
    top, m = 1.6 * r.line[0], np.arange(0, len(r.line), 8)
    line = marks.line(m, np.where(r.line[m] <= top, r.line[m], np.nan), Look(GUIDE), hover="{x:,d} decided: {y:,d}")
    ask = [marks.rule(y=r.line[0], look=Look(GUIDE, dash="dot"), width=1), marks.text(30, r.line[0], "ask always",
           place="right above")]  # fmt: skip
    points = [marks.points(x, min(y, top), look, size=13, id=name, hover=f"{name}: {x:,} decided, cost {y:,}")
              for (name, look), x, y in zip(LOOKS.items(), r.decided, r.paid, strict=True)]  # fmt: skip
    best = int(r.line.argmin())
    ring = marks.points(best, r.line[best], BLACK, symbol="circle-open", size=17, stroke=2, hover="the cheapest place")
    places = [[count_decided(k, r.wrong), min(pay(k, r.wrong), top)] for k in KS]
    grip = Handle("k", r.decided[0], min(r.paid[0], top), "xy", places)
    return marks.panel(
        "Cost, if so many are decided", ask, line, ring, points, grip,
        x=marks.axis(-40, 1330, "names decided, surest first", ticks=[0, 500, 1000]),
        y=marks.axis(0, 1.05 * top, ticks=[0, 500, 1000, 1500, 2000]),
    )  # fmt: skip


def bill_panel(r: Decided) -> Panel:
    """Draw what each way costs."""
    bills = {"decide all": int(r.line[-1]), "ask always": int(r.line[0]), "naive Bayes": r.paid[1],
             "the root": r.paid[0], "in hindsight": r.bottom}  # fmt: skip
    looks = [Look(GUIDE), Look(GUIDE), LOOKS[NAIVE], LOOKS[ROOT], Look(GUIDE)]
    at, top = np.arange(len(bills)), 1.5 * r.line[0]
    bars = marks.bars(np.minimum(list(bills.values()), top), at, looks, horizontal=True, width=0.4,
                      hover=[f"{name}: {cost:,}" for name, cost in bills.items()])  # fmt: skip
    words = [marks.text(0.02 * top, y + 0.42, f"{name}: {cost:,}{' ▸' if cost > top else ''}", place="right")
             for y, (name, cost) in zip(at, bills.items(), strict=True)]  # fmt: skip
    x = marks.axis(0, top, ticks=[tick for tick in (0, 1000, 2000) if tick <= top])
    return marks.panel("Paid", bars, words, x=x,
                       y=marks.axis(-0.4, 4.8, ticks={}, grid=False))  # fmt: skip

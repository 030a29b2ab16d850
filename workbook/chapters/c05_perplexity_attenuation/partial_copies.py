"""Chapter 05: two features between copies and independence; how many votes are they? Carlos (2015), eq. (19).

Within each class both features are there with the same probability: p = s / (1 + s) in A, 1 - p in B. Their correlation
rho is the same in both classes, so P(both | A) = p² + rho p (1 - p), and so on for the other three items. The root of
the likelihood is then exact for all four items at one k,

    k = 1 + log((s + rho) / (1 + s rho)) / log(s):

an item with one of the two says nothing, one with neither says the opposite of the one with both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import typeset, written
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BLACK, EQ_19, GREY, NAIVE_BAYES, TRUTH, Look
from workbook.explorer.theme import Panel

__all__ = ["PartialCopiesExplorer", "find_right_k"]

MARK = "root of the likelihood"
RHOS = [round(0.05 * step, 2) for step in range(-5, 21)]  # at s : 1 none below -1/s is possible


def find_joint(rho: float, strength: float) -> np.ndarray:
    """Return P(item | class), (2, 4): both features, the first, the second, neither; class A first."""
    p = np.array([strength, 1.0]) / (1 + strength)
    more = rho * p * (1 - p)
    return np.stack([p**2 + more, p * (1 - p) - more, p * (1 - p) - more, (1 - p) ** 2 + more], axis=-1)


def find_right_k(rho: float, strength: float) -> float:
    """Return the k at which the root of the likelihood is exact."""
    in_a, in_b = find_joint(rho, strength)[:, 0]
    return float(np.log(in_a / in_b) / np.log(strength))


@dataclass(frozen=True)
class Partial:
    """Hold two features that favour A by `strength` to 1 each, correlated by rho within each class."""

    rho: float
    strength: float
    items: np.ndarray  # (2, 4), see `find_joint`
    k: float  # at which the root of the likelihood is exact

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c05_copies_and_letters proves it for all states."""
        if self.rho == 0:
            return "Independent: two features are two votes, and naive Bayes is right"
        if self.rho == 1:
            return "Copies: two features are one vote"
        return f"Correlation {typeset(f'{self.rho:.2f}')}: two features are {self.k:.2f} votes"


class PartialCopiesExplorer(Explorer):
    """Two features from independent to copies: how many votes they are, the k of Carlos (2015), eq. (19)."""

    rho = Steps(1.0, RHOS, label="correlation ρ", say=lambda rho: typeset(f"{rho:.2f}"))
    strength = Steps(3, [1.5, 2, 2.5, 3], label="each says", say="{:g} : 1".format)

    presets: ClassVar = {
        "Copies": Preset("Whoever has seen one has seen both.", dict(rho=1.0)),
        "Half-way": Preset("A correlation of one half within each class.", dict(rho=0.5)),
        "Independent": Preset("Two witnesses who never met.", dict(rho=0.0)),
        "Opposite tastes": Preset("Two critics who seldom praise the same, and here both do.", dict(rho=-0.25)),
    }

    def compute(self, rho: float, strength: float) -> Partial:
        return Partial(rho, strength, find_joint(rho, strength), find_right_k(rho, strength))

    def draw(self, result: Partial) -> dict:
        number = f"{result.k:.2f}", "votes, the right k"
        return marks.figure(votes_panel(result), k_panel(result), finding=result.finding, number=number)

    def describe(self, result: Partial) -> str:
        (a, *_), (b, *_) = result.items
        ratio = f"{written(a / b)} : 1; naive Bayes says {result.strength**2:g} : 1"
        return f"{result.finding}. P(both | A) = {a:.3f}, P(both | B) = {b:.3f}, {ratio}."

    def explain(self, result: Partial) -> Sequence[Part]:
        (a, *_), (b, *_) = result.items
        true = Term(written(a / b), "true ratio", "counted", TRUTH)
        shares = Over([Term(f"{a:.4f}", "P(both | A)")], [Term(f"{b:.4f}", "P(both | B)")])
        once, k = Term(f"{result.strength:g}", "one feature"), Term(f"{result.k:.3f}", "k", MARK, EQ_19)
        return [shares, "=", true, "=", once, "to the power", k]


def votes_panel(r: Partial) -> Panel:
    """Draw what both features say, counted and by naive Bayes, in votes of one feature."""
    rows = [("naive Bayes", 2.0, Look(NAIVE_BAYES)), ("counted", r.k, Look(TRUTH)), ("one feature", 1.0, Look(GREY))]
    bars, words = [], []
    for at, (name, votes, look) in enumerate(rows):
        odds = f"{written(r.strength**votes)} : 1"
        bars.append(marks.bars([votes], [at], look, horizontal=True, width=0.6, id=name, hover=f"{name}: {odds}"))
        words.append(marks.text(votes, at, f"{name}, {odds}", place="right"))
    return marks.panel(
        "What both features say together", bars, words,
        x=marks.axis(0, 5.4, "votes", ticks=[0, 1, 2]), y=marks.axis(-0.5, 2.5, ticks={}, grid=False),
    )  # fmt: skip


def k_panel(r: Partial) -> Panel:
    """Draw the right k against the correlation; below 0 only where the slider is, since the page asks for it."""
    seen = [rho for rho in RHOS if rho >= min(r.rho, 0)]
    path = [find_right_k(rho, r.strength) for rho in seen]
    straight = marks.line([0, 1], [2, 1], Look(GREY, dash="dot"), hover="a straight line")
    curve = marks.line(seen, path, EQ_19, width=3, hover="ρ = {x:.2f}: right k {y:.2f}")
    ring = marks.points(r.rho, r.k, EQ_19, size=13, stroke=2, rim=BLACK, id=MARK, hover="right k: {y:.2f}")
    return marks.panel(
        "The right k", straight, curve, ring, Handle("rho", r.rho, r.k, "x", RHOS),
        x=marks.axis(-0.3, 1.05, "correlation ρ", ticks={-0.25: "−0.25", 0: "0", 0.5: "0.5", 1: "1"}),
        y=marks.axis(0.9, 3.3 if r.rho < 0 else 2.1, ticks=[1, 2, 3]),
    )  # fmt: skip

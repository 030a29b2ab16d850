"""Chapter 05: copies of features, the truth, naive Bayes, and the two roots of Carlos (2015), eq. (19) and (20)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbcore.perplexed import log_attenuated_posterior
from workbook.explorer import marks, palette
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import superscript, written
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import Look
from workbook.explorer.theme import Panel

__all__ = ["CopiesExplorer", "write_odds"]

LIKELIHOOD, PRIOR = np.log([3 / 4, 1 / 4]), np.log([1 / 6, 5 / 6])  # of A and B: 3 to 1 each, and 1 to 5
KS = [1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 8, 12]
TRUTH, NAIVE, OF_LIKELIHOOD, OF_EVERYTHING = "truth", "naive Bayes", "root of the likelihood", "root of everything"
LOOKS = {
    TRUTH: Look(palette.TRUTH),
    NAIVE: Look(palette.NAIVE_BAYES, dash="dash"),
    OF_LIKELIHOOD: Look(palette.EQ_19, dash="dot"),
    OF_EVERYTHING: Look(palette.ATTENUATED),
}


def write_odds(log: float) -> str:
    """Return log odds of A as odds: 3 : 1, or 1 : 3 where they favour B."""
    ratio = np.exp(abs(log))
    number = f"{ratio:,.0f}" if ratio >= 100 else written(ratio)
    return f"{number} : 1" if log >= 0 else f"1 : {number}"


def log_odds(n: int, k: float, rule: str) -> float:
    """Return the log odds of A after n features, of which k count."""
    return float(np.subtract(*log_attenuated_posterior(n * LIKELIHOOD, PRIOR, n, k, rule)))


@dataclass(frozen=True)
class Copies:
    """Hold an item with some copies of each of m different features: log odds of A by each rule."""

    copies: int
    different: int
    k: float

    @property
    def n(self) -> int:
        """Return the number of features, copies and all."""
        return self.copies * self.different

    @property
    def said(self) -> dict[str, float]:
        """Return the log odds of each rule; no root takes more votes than there are."""
        n, m, k = self.n, self.different, self.k
        roots = log_odds(n, min(k, n), "exact"), log_odds(n, min(k, n + 1), "approximate")
        return dict(zip(LOOKS, (log_odds(m, m, "exact"), log_odds(n, n, "exact"), *roots), strict=True))

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c05 proves it for all states."""
        said = self.said
        gap = said[OF_LIKELIHOOD] - said[TRUTH]
        words = "says too little" if gap < -1e-9 else "says too much" if gap > 1e-9 else "is the truth"
        wrong = "; naive Bayes errs" if said[NAIVE] * said[TRUTH] < 0 else ""
        return f"k = {self.k:g}, m = {self.different}: root of the likelihood {words}{wrong}"


class CopiesExplorer(Explorer):
    """Copies of features: naive Bayes counts each, and two roots take votes back. Carlos (2015), eq. (19), (20)."""

    copies = Steps(5, [1, 2, 3, 4, 5, 6, 8, 10, 12], label="copies of each", say="{:g}".format)
    different = Steps(1, [1, 2, 3, 4], label="different, m", say="{:g}".format)
    k = Steps(1, KS, label="k", say="{:g}".format)

    presets: ClassVar = {
        "One copy": Preset("One feature, seen once: naive Bayes is right.", dict(copies=1)),
        "Ten copies": Preset("Nothing new was seen, and naive Bayes is all but certain.", dict(copies=10)),
        "Three features, four copies": Preset("Twelve features, three of them different.", dict(different=3, copies=4)),
    }

    def compute(self, copies: int, different: int, k: float) -> Copies:
        return Copies(copies, different, k)

    def draw(self, result: Copies) -> dict:
        number = write_odds(result.said[NAIVE]), f"says naive Bayes; true are {write_odds(result.said[TRUTH])}"
        return marks.figure(rules_panel(result), k_panel(result), finding=result.finding, number=number)

    def describe(self, result: Copies) -> str:
        said = ", ".join(f"{rule} {write_odds(log)}" for rule, log in result.said.items())
        return f"{result.finding}. {result.copies} of each: {said}."

    def explain(self, result: Copies) -> Sequence[Part]:
        r = result
        prior = Term("1/5", "P(A) / P(B)")
        terms = [(NAIVE, f"3{superscript(r.n)}"), (TRUTH, f"3{superscript(r.different)}")]
        parts: list[Part] = []
        for rule, power in terms:
            odds = Term(write_odds(r.said[rule]), "odds", rule, LOOKS[rule].color)
            parts += [f"{rule}:", prior, "·", Term(power, "R, once for each"), "=", odds, ";"]
        return parts[:-1]


def rules_panel(r: Copies) -> Panel:
    """Draw the log odds of A by each rule as a bar from even odds."""
    rows, said = list(LOOKS)[::-1], r.said
    drawn, words = [], []
    for at, rule in enumerate(rows):
        odds = write_odds(said[rule])
        drawn.append(marks.bars([said[rule]], [at], LOOKS[rule], horizontal=True, width=0.6, id=rule,
                                hover=f"{rule}: {odds}"))  # fmt: skip
        words.append(marks.text(max(said[rule], 0), at, f"{rule}, {odds}", place="right"))
    high = max(2.6 * said[NAIVE], 3.2)  # the words beside the bars have room
    x = marks.axis(-1.8, high, "odds of A, log scale", ticks={0: "even"})
    return marks.panel("What each rule says", drawn, words, marks.rule(x=0, look=palette.BLACK, width=1), x=x,
                       y=marks.axis(-0.5, 3.5, ticks={}, grid=False))  # fmt: skip


def k_panel(r: Copies) -> Panel:
    """Draw the log odds by both roots against k; the ring is where the root of the likelihood meets the truth."""
    n, said = r.n, r.said
    drawn = [marks.line([1, n + 1], [said[rule]] * 2, LOOKS[rule], width=7 if rule == TRUTH else 2,
                        hover=f"{rule}: {write_odds(said[rule])}") for rule in (TRUTH, NAIVE)]  # fmt: skip
    for rule, public, end in ((OF_LIKELIHOOD, "exact", n), (OF_EVERYTHING, "approximate", n + 1)):
        y = [log_odds(n, k, public) for k in (1, end)]
        drawn.append(marks.line([1, end], y, LOOKS[rule], width=3, hover=rule))
    now = min(r.k, n + 1)
    ring = marks.points(r.different, said[TRUTH], palette.TRUTH, symbol="circle-open", size=17, stroke=3,
                        hover="at k = m the root of the likelihood is the truth")  # fmt: skip
    x = marks.axis(0.8, 1.2 + 1.04 * n, "k, to n + 1", ticks=sorted({1, r.different, n + 1}))
    high = max(said[NAIVE], said[TRUTH], 0.5)
    y = marks.axis(-1.8, 1.1 * high, ticks={0: "even"})
    grip = Handle("k", now, 0, "x", np.minimum(KS, n + 1), shape="line")
    return marks.panel("Odds of A against k", drawn, ring, marks.rule(x=now), marks.rule(y=0, width=1), grip, x=x, y=y)

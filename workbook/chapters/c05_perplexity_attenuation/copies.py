"""Chapter 05: the same evidence several times over; who notices?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbcore.perplexed import log_attenuated_posterior
from workbook.explorer import marks, palette
from workbook.explorer.controls import FloatSlider, IntSlider, Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import superscript, typeset
from workbook.explorer.formula import Over, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import Look
from workbook.explorer.theme import Panel

__all__ = ["CopiesExplorer", "sure"]

MOST, MOST_DIFFERENT = 12, 6
STEPS = 13  # of k, on the right
K = Steps(
    1.0,
    [*np.arange(1, 8, 0.5).tolist(), *map(float, range(8, 13)), 15.0, 20.0, 30.0, 50.0, MOST * MOST_DIFFERENT + 1.0],
    label="k",
)

TRUTH, NAIVE, EQ_19, EQ_20, PRIOR = "truth", "naive Bayes", "eq (19)", "eq (20)", "prior"
LOOKS = {
    TRUTH: Look(palette.TRUTH),
    NAIVE: Look(palette.NAIVE_BAYES, "square", "dash"),
    EQ_19: Look(palette.EQ_19, "diamond", "dot"),
    EQ_20: Look(palette.ATTENUATED, "triangle-up"),
}


@dataclass(frozen=True)
class Copies:
    """The result: log odds of class A against B; m `different` features favour A by `strength` to 1 each.

    k of eq. (19) ends at n, k of eq. (20) at n + 1: there each is naive Bayes.
    """

    copies: int  # of each
    different: int
    chosen: float  # k
    strength: float
    prior: float
    by_copies: dict[str, np.ndarray]  # (MOST,) after 1, 2, ... copies of each; eq (19) and (20) at k
    k: np.ndarray  # (STEPS,) from 1 to n, and n + 1
    by_k: dict[str, np.ndarray]  # (STEPS,) at the chosen number of copies

    @property
    def n(self) -> int:
        """How many features the item has, copies and all."""
        return self.copies * self.different


class CopiesExplorer(Explorer):
    """Copies of features: naive Bayes counts each of them, the truth does not. Carlos (2015), eq. (4), (8), (19)."""

    copies = IntSlider(5, 1, MOST, label="copies of each")
    different = IntSlider(1, 1, MOST_DIFFERENT, label="different, m")
    k = K
    strength = FloatSlider(3.0, 1.5, 10.0, step=0.5, label="strength")
    prior = FloatSlider(0.5, 0.05, 0.95, step=0.05, label="prior P(A)")

    presets: ClassVar = {
        "One copy": Preset("One feature, seen once: naive Bayes is right.", dict(copies=1)),
        "Ten copies": Preset(
            "Ten copies of one feature. Nothing new was seen, and naive Bayes is all but certain.", dict(copies=10)
        ),
        "The copies outvote the prior": Preset(
            "Class B is nine times as frequent. One look says B; five copies of the same look say A.", dict(prior=0.1)
        ),
        "Three features, four copies": Preset(
            "Twelve features, three of them different. At k = 1 equation (19) counts all as one.",
            dict(different=3, copies=4),
        ),
        "k = m": Preset(
            "At k = 3 equation (19) lies on the truth, however many copies there are.",
            dict(different=3, copies=4, k=3),
        ),
    }

    def compute(self, copies, different, k, strength, prior) -> Copies:
        seen = np.log([strength / (1 + strength), 1 / (1 + strength)])  # of one feature, in A and in B
        log_prior = np.log([prior, 1 - prior])

        def odds(n, k, rule):
            return float(np.subtract(*log_attenuated_posterior(n * seen, log_prior, n, k, rule)))

        def roots(pairs):
            """Eq (19) and (20) for each (n, k)."""
            return {
                EQ_19: np.array([odds(n, min(k, n), "exact") for n, k in pairs]),
                EQ_20: np.array([odds(n, min(k, n + 1), "approximate") for n, k in pairs]),
            }

        every = different * np.arange(1, MOST + 1)
        once, n = odds(different, different, "exact"), copies * different
        naive = np.array([odds(m, m, "exact") for m in every])
        by_copies = {TRUTH: np.full(MOST, once), NAIVE: naive, **roots([(m, k) for m in every])}
        grid = np.append(np.linspace(1, n, STEPS - 1), n + 1)
        all_of_them = np.full(STEPS, naive[copies - 1])
        by_k = {TRUTH: np.full(STEPS, once), NAIVE: all_of_them, **roots([(n, step) for step in grid])}
        return Copies(copies, different, k, strength, prior, by_copies, k=grid, by_k=by_k)

    def draw(self, result):
        return marks.figure(copies_panel(result), k_panel(result))

    def explain(self, result):
        """The odds: every look counted, and each of the different features counted once."""
        r = result
        prior = Over([Term(f"{r.prior:.2f}", "P(A)", PRIOR, palette.BEFORE)], [Term(f"{1 - r.prior:.2f}", "P(B)")])
        parts = ["odds of A:"]
        for rule, looks, symbol in ((NAIVE, r.n, "R<sup>n</sup>"), (TRUTH, r.different, "R<sup>m</sup>")):
            log_odds, color = r.by_copies[rule][r.copies - 1], LOOKS[rule].color
            ratio = Term(f"{r.strength:g}{superscript(looks)}", symbol)
            says = Term(sure(log_odds), "P(A | x)", rule, color)
            parts += [
                f"{rule}:",
                prior,
                "·",
                ratio,
                "=",
                Term(typeset(f"{np.exp(log_odds):.4g}"), "odds"),
                ", so",
                says,
                ";",
            ]
        return parts[:-1]

    def describe(self, result) -> str:
        r = result
        truth, naive, *_ = log_odds = [path[r.copies - 1] for path in r.by_copies.values()]
        wrong = " Naive Bayes decides for the wrong class." if truth * naive < 0 else ""
        said, many = [sure(value) for value in log_odds], f"{r.copies} {'copy' if r.copies == 1 else 'copies'}"
        what = "one feature" if r.different == 1 else f"each of m = {r.different} features"
        return (
            f"{many} of {what}: P(A | x) is {said[0]}, naive Bayes says {said[1]}. At k = {r.chosen:g} eq (19) says "
            f"{said[2]} and eq (20) {said[3]}.{wrong} Eq (19) is right at k = {r.different}."
        )


def probability(log_odds):
    """The probability with these log odds."""
    return 0.5 * (1 + np.tanh(np.asarray(log_odds) / 2))


def sure(log_odds: float) -> str:
    """The probability with these log odds, never rounded to certainty."""
    rest = 1 / (1 + np.exp(abs(log_odds)))
    if rest >= 0.001:
        return f"{probability(log_odds):.3f}"
    small = typeset(f"{rest:.1g}")
    return small if log_odds < 0 else f"1 − {small}"


def lines(x, paths, hover: str, *, linked: bool = False) -> list[dict]:
    """Return a line for each way to compute the posterior; the truth is broad and lies under the others.

    linked: the terms of the equation refer to the lines.
    """
    return [
        marks.line(x, path, LOOKS[name], width=9 if name == TRUTH else 3, size=None if name == TRUTH else 7,
                   name=name, id=name if linked else "", hover="{name}, " + hover)
        for name, path in paths.items()
    ]  # fmt: skip


def copies_panel(r: Copies) -> Panel:
    """Draw P(A | x) against the number of copies: the prior at 0 copies, the strength's grip at the truth's end."""
    paths = {name: probability(path) for name, path in r.by_copies.items()}
    true_log_odds = np.log(r.prior / (1 - r.prior)) + r.different * np.log(CopiesExplorer.strength.values)
    return marks.panel(
        f"P(A | x); (19), (20) at k = {r.chosen:g}",
        lines(np.arange(1, MOST + 1), paths, "{x} of each: P(A | x) = {y:.3f}", linked=True),
        marks.points(0, r.prior, palette.BEFORE, symbol="star", size=11, id=PRIOR,
                     hover="before any look: P(A) = {y:.2f}"),
        marks.rule(x=r.copies),
        Handle("copies", x=r.copies, y=0.5, shape="line"),
        Handle("prior", x=0, y=r.prior, axis="y"),
        Handle("strength", x=MOST, y=paths[TRUTH][-1], axis="y", places=probability(true_log_odds)),
        x=marks.axis(-0.6, MOST + 0.5, "copies of each", ticks=[0, 1, 4, 8, 12]),
        y=marks.axis(-0.04, 1.04, ticks=[0, 0.5, 1]),
    )  # fmt: skip


def k_panel(r: Copies) -> Panel:
    """Draw the log odds of A against k, with a ring where eq (19) meets the truth: k counts the different features."""
    values = np.concatenate([*r.by_k.values(), [0.0]])
    pad, now, truth = 0.08 * np.ptp(values) + 0.1, min(r.chosen, r.n + 1), r.by_k[TRUTH][0]
    return marks.panel(
        "Log odds of A against k",
        lines(r.k, r.by_k, "k = {x:.3g}: log odds of A {y:.3g}"),
        marks.points(r.different, truth, palette.TRUTH, symbol="circle-open", size=17, stroke=3,
                     hover="eq (19) is the truth at k = m = {x}"),
        marks.rule(y=0, look=palette.BLACK, width=1),
        marks.rule(x=now),
        Handle("k", x=now, y=0, places=np.minimum(K.values, r.n + 1), shape="line"),
        Handle("different", x=r.different, y=truth),
        x=marks.axis(0.8 - 0.06 * r.n, 1.2 + 1.03 * r.n, "k, to n + 1", ticks=5),
        y=marks.axis(values.min() - pad, values.max() + pad, ticks=5),
    )  # fmt: skip

"""Chapter 10: who leads with how many names, and how far the weights of both models lie apart in ten splits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.fitting import Slow
from workbook.explorer.formatting import signed
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BLACK, LOGISTIC, NAIVE_BAYES, Look, faint
from workbook.explorer.theme import Panel

from .experiment import FEATURES, PENALTIES, SEEDS, SIZES, Curve, learning_curve, mean_and_half, name_pair

__all__ = ["BAYES", "CLIMBED", "LeadsExplorer", "say_lead"]

BAYES, CLIMBED = Look(NAIVE_BAYES), Look(LOGISTIC, "square", "dash")
MODELS = {"naive Bayes": BAYES, "logistic regression": CLIMBED}
STRENGTHS = list(PENALTIES)
SHOWN = "ends in a", "contains a", "ends in e", "contains e", "ends in n", "contains o"
COLUMNS = [FEATURES.index(feature) for feature in SHOWN]
EDGE, LANES = 6.0, (-0.17, 0.19)  # of the weights' axis; where the two models stand in a feature's row


def say_lead(runs: np.ndarray) -> str:
    """Return who leads by how many points, of the leads of logistic regression in each split; or that nobody does."""
    mean, half = mean_and_half(100 * runs)
    if abs(mean) <= half:
        return "no clear leader"
    return f"{list(MODELS)[int(mean > 0)]} leads by {abs(mean):.1f} points"


def curve(penalty: str, progress) -> Curve:
    """Return a learning curve: 160 fits, so they run behind the page."""
    progress(0.0)
    return learning_curve(penalty=penalty)


curves = Slow(curve)


@dataclass(frozen=True)
class Leads:
    """Hold both learning curves, and what six features weigh in every split at one size."""

    n: int
    penalty: str
    shares: np.ndarray  # (models, sizes, SEEDS) of the test names, right
    weights: np.ndarray  # (models, SEEDS, features)

    @property
    def here(self) -> np.ndarray:
        """Return the shares at this size, (models, SEEDS)."""
        return self.shares[:, SIZES.index(self.n)]

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c10 proves it for all states."""
        return f"With {self.n:,} names: {say_lead(np.subtract(*self.here[::-1]))}"


class LeadsExplorer(Explorer):
    """Naive Bayes and logistic regression learn from the same names. Ng and Jordan (2001), section 4."""

    n = Steps(50, SIZES, label="names to learn", say="{:,}".format)
    penalty = Steps(0, range(2), label="penalty", say=STRENGTHS.__getitem__)

    presets: ClassVar = {
        "50 names": Preset("Few names: the weights of logistic regression fly apart.", {}),
        "2,000 names": Preset("Many names: they have settled, and it has passed naive Bayes.", dict(n=2000)),
        "50, usual penalty": Preset("A penalty holds the weights, and nobody is behind.", dict(penalty=1)),
    }

    def pending(self, n: int, penalty: int):
        return curves.work(STRENGTHS[penalty])

    def compute(self, n: int, penalty: int) -> Leads:
        found = curves(STRENGTHS[penalty])
        pairs = [name_pair(n, penalty=STRENGTHS[penalty], seed=seed) for seed in range(SEEDS)]
        weights = np.array([[fit.totals[COLUMNS] for fit in (pair.bayes, pair.logistic)] for pair in pairs])
        return Leads(n, STRENGTHS[penalty], np.array([found.bayes, found.logistic]), weights.swapaxes(0, 1))

    def draw(self, result: Leads) -> dict:
        mean, half = mean_and_half(100 * np.subtract(*result.here[::-1]))
        number = f"{signed(mean, 1)} ± {half:.1f}", "points, logistic regression less naive Bayes"
        panels = curves_panel(result), weights_panel(result)
        return marks.figure(*panels, finding=result.finding, number=number, widths=[1.15, 1])

    def describe(self, result: Leads) -> str:
        bayes, logistic = result.here.mean(axis=1)
        return (f"{result.finding}. Naive Bayes gets {bayes:.3f} right, logistic regression {logistic:.3f} "
                f"(penalty: {result.penalty}), mean of {SEEDS} splits.")  # fmt: skip

    def explain(self, result: Leads) -> Sequence[Part]:
        bayes, logistic = 100 * result.here.mean(axis=1)
        return [Term(f"{logistic:.2f} %", "logistic regression", "logistic regression", LOGISTIC), "−",
                Term(f"{bayes:.2f} %", "naive Bayes", "naive Bayes", NAIVE_BAYES), "=",
                Term(signed(logistic - bayes), "lead in points")]  # fmt: skip


def curves_panel(r: Leads) -> Panel:
    """Draw the mean share of unseen names that are right against the names to learn from; here, every split."""
    drawn = []
    for (name, look), shares, side in zip(MODELS.items(), 100 * r.shares, (0.94, 1.06), strict=True):
        mean, here = shares.mean(axis=1), shares[SIZES.index(r.n)]
        drawn += [marks.line(SIZES, mean.round(2), look, width=3, hover=f"{name}, {{x:,}} names: {{y:.1f}} % right"),
                  marks.points([side * r.n] * SEEDS, here.round(1), look, size=6, opacity=0.4,
                               hover=f"{name}, a split: {{y:.1f}} % right"),
                  marks.points(r.n, here.mean().round(2), look, size=12, id=name, name=name)]  # fmt: skip
    ticks = {10: "10", 100: "100", 1000: "1,000"}
    x = marks.axis(8, 2400, "names to learn from", ticks=ticks, log=True)
    grip = Handle("n", r.n, 55, "x", SIZES, shape="line")
    return marks.panel("Right, % of 1,000 unseen names", marks.rule(x=r.n), drawn, grip, x=x,
                       y=marks.axis(53, 85, ticks=[60, 70, 80]))  # fmt: skip


def weights_panel(r: Leads) -> Panel:
    """Draw what six features weigh in each split, and the means; what lies beyond the edge stands there."""
    drawn = []
    for row, feature in enumerate(SHOWN):
        for (name, look), lane, weights in zip(MODELS.items(), LANES, r.weights[:, :, row], strict=True):
            seen, mean = np.clip(weights, -EDGE, EDGE).round(2), float(weights.mean())
            drawn += [marks.line([seen.min(), seen.max()], [row + lane] * 2, faint(look.color, 0.5), width=1),
                      marks.points(seen, [row + lane] * SEEDS, look, size=6, opacity=0.4, data=weights.round(1),
                                   hover=f"{feature}, {name}, a split: {{data}}"),
                      marks.points(np.clip(mean, -EDGE, EDGE), row + lane, look, size=10,
                                   hover=f"{feature}, {name}, mean: {signed(mean, 1)}")]  # fmt: skip
            if abs(mean) > EDGE:
                drawn.append(marks.text(np.sign(mean) * (EDGE + 0.3), row + lane - 0.1, signed(mean, 0),
                                        place="left above" if mean > 0 else "right above"))  # fmt: skip
    words = [marks.text(-0.3, -0.75, "male", place="left"), marks.text(0.3, -0.75, "female", place="right")]
    x = marks.axis(-EDGE - 0.4, EDGE + 0.4, "weight in ten splits", ticks={-5: "−5", 0: "0", 5: "+5"})
    y = marks.axis(len(SHOWN) - 0.5, -1.1, ticks=dict(enumerate(SHOWN)), grid=False)
    return marks.panel("What six of 52 bits weigh", marks.rule(x=0, look=BLACK, width=1), drawn, words, x=x, y=y)

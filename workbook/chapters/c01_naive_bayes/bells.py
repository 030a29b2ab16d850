"""Chapter 01, deeper page: two bells of one measurement cross twice, or once where they are equally wide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import expit
from scipy.stats import norm

from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import signed, written
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BLACK, CLASSES, GREY, NAIVE_BAYES
from workbook.explorer.theme import Panel

from .evidence import MODEL, PEOPLE
from .steps import SEXES, sex_of, tick_odds, write_odds

__all__ = ["BellsExplorer"]

WEIGHTS = [90, 100, 110, 120, 130, 140, 150, 158, 165, 175, 190, 205, 219, 240, 270, 300]
PRIORS = [0.1, 0.2, 0.5, 0.8, 0.9]
OWN, SHARED = 0, 1
MEANS, SPREADS = MODEL.theta_[:, 1], np.sqrt(MODEL.var_[:, 1])
X = np.linspace(85, 305, 221)


@dataclass(frozen=True)
class Bells:
    """Hold the bells of weight, and a person's weight."""

    weight: float
    shared: int
    prior: float

    @property
    def spreads(self) -> np.ndarray:
        """Return the standard deviation of either bell, (2,)."""
        return np.full(2, np.sqrt(np.mean(SPREADS**2))) if self.shared else SPREADS

    def odds(self, x):
        """Return the log odds of male at some weights."""
        female, male = (norm.logpdf(x, mean, spread) for mean, spread in zip(MEANS, self.spreads, strict=True))
        return np.log(self.prior / (1 - self.prior)) + male - female

    @property
    def borders(self) -> list[float]:
        """Return the weights at which naive Bayes is undecided, ascending: two, one or none."""
        square, slope = -np.diff(self.spreads**-2.0)[0] / 2, np.diff(MEANS / self.spreads**2)[0]
        roots = np.roots([square, slope, float(self.odds(0.0))] if not self.shared else [slope, float(self.odds(0.0))])
        return sorted(float(root.real) for root in roots if abs(root.imag) < 1e-9)

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c01 proves it for all states."""
        ends = [f"{border:.0f}" for border in self.borders]
        if not ends:
            return "No border: female at every weight"
        if len(ends) == 1:
            return f"Equally wide bells, one border: male above {ends[0]} pounds"
        return f"Two borders: male only between {ends[0]} and {ends[1]} pounds"


class BellsExplorer(Explorer):
    """Gaussian naive Bayes by one measurement, the weight: where it is undecided."""

    weight = Steps(300, WEIGHTS, label="weight, pounds", say="{:d}".format)
    shared = Steps(OWN, [OWN, SHARED], label="widths of the bells", say=["two", "one"].__getitem__)
    prior = Steps(0.5, PRIORS, label="prior of male", say="{:g}".format)

    presets: ClassVar = {
        "300 pounds": Preset("Both bells look flat. The wider one is higher, by far.", {}),
        "Equally high": Preset("Here the bells cross. This weight says nothing.", dict(weight=158)),
        "One width": Preset("Equally wide bells cross once: the squares cancel, and a line is left.",
                            dict(shared=SHARED)),
        "Few men": Preset("The borders come closer. Of 4 men in a hundred no weight makes a man.", dict(prior=0.1)),
    }  # fmt: skip

    def compute(self, weight: float, shared: int, prior: float) -> Bells:
        return Bells(weight, int(shared), prior)

    def draw(self, result: Bells) -> dict:
        odds = float(result.odds(result.weight))
        number = write_odds(odds), f"for {sex_of(odds)}"
        return marks.figure(bells_panel(result), odds_panel(result), finding=result.finding, number=number)

    def describe(self, result: Bells) -> str:
        odds = float(result.odds(result.weight))
        return (f"{result.finding}. At {result.weight} pounds and prior {result.prior:g} the log odds of male are "
                f"{signed(odds)}, P(male) = {written(expit(odds))}.")  # fmt: skip

    def explain(self, result: Bells) -> Sequence[Part]:
        r, start = result, float(np.log(result.prior / (1 - result.prior)))
        odds = float(r.odds(r.weight))
        return [Term(signed(start), "prior"), Term(signed(odds - start), "weight"), "=",
                Term(signed(odds), "log odds of male", "log odds", NAIVE_BAYES)]  # fmt: skip


def bells_panel(r: Bells) -> Panel:
    """Draw both bells times their priors, the eight people under them, and the person's weight."""
    drawn, priors = [], (1 - r.prior, r.prior)
    for c, (mean, spread, look) in enumerate(zip(MEANS, r.spreads, CLASSES, strict=False)):
        own = np.sort(PEOPLE.data[PEOPLE.target == c, 1])
        again = np.tril(own[:, None] == own, -1).sum(axis=1)  # people of one weight stand below each other
        rows = -0.0015 - 0.0035 * c - 0.0015 * again
        drawn += [marks.line(X, priors[c] * norm.pdf(X, mean, spread), look, width=3, name=SEXES[c],
                             hover=f"{SEXES[c]}: {{y:.3g}} at {{x:.0f}} pounds"),
                  marks.points(own, rows, look, size=7,
                               hover=f"one of the eight: {SEXES[c]}, {{x:g}} pounds")]  # fmt: skip
    grip = Handle("weight", r.weight, 0.02, "x", np.array(WEIGHTS), shape="line")
    return marks.panel("Prior times bell", drawn, marks.rule(x=r.weight), grip,
                       x=marks.axis(80, 310, "pounds", ticks=[100, 150, 200, 250, 300]),
                       y=marks.axis(-0.008, 0.034, ticks=[0, 0.01, 0.02, 0.03]))  # fmt: skip


def odds_panel(r: Bells) -> Panel:
    """Draw the log odds along the weights: above 0 they say male; a ring marks each border."""
    odds, now = r.odds(X), float(r.odds(r.weight))
    low, high = min(-3.0, odds.min()), max(3.0, odds.max())
    ends = np.array(r.borders)
    drawn = [marks.line(X, odds, NAIVE_BAYES, width=3, hover="log odds {y:.2f} at {x:.0f} pounds"),
             marks.points(ends, np.zeros(len(ends)), BLACK, size=10, symbol="circle-open", stroke=2,
                          hover="undecided at {x:.1f} pounds"),
             marks.points(r.weight, now, NAIVE_BAYES, size=13, id="log odds", hover="log odds {y:.2f}")]  # fmt: skip
    words = [marks.text("right", 0, "male ↑", place="above", color=CLASSES[1].color),
             marks.text("right", 0, "female ↓", place="below", color=CLASSES[0].color)]  # fmt: skip
    grip = Handle("weight", r.weight, now, "xy", np.column_stack([WEIGHTS, r.odds(np.array(WEIGHTS))]))
    room = 0.08 * (high - low)
    return marks.panel("The log odds of male", marks.rule(y=0, look=GREY, width=1), drawn, words, grip,
                       x=marks.axis(80, 310, "pounds", ticks=[100, 150, 200, 250, 300]),
                       y=marks.axis(low - room, high + room, ticks=tick_odds(low, high)))  # fmt: skip

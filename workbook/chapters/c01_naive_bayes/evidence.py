"""Chapter 01: a person's measurements as steps of log odds, and one of them told again in another unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import expit

from nbcore.datasets import load_gender_measurements
from nbcore.naive_bayes import GaussianNB
from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import signed, written
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BLACK, NAIVE_BAYES, TRUTH
from workbook.explorer.theme import Panel

from .steps import draw_steps, look_of, sex_of, tick_odds, write_odds

__all__ = ["EvidenceExplorer"]

PEOPLE = load_gender_measurements()
MODEL = GaussianNB(ddof=1, var_smoothing=0).fit(PEOPLE.data, PEOPLE.target)  # the source's: unbiased variances
WEIGHT, FOOT = 130, 8
HEIGHTS = [5.4, 5.5, 5.6, 5.7, 5.8, 5.9, 6.0, 6.1, 6.2]
UNITS = [(" feet", 1), (" inches", 12), (" cm", 30.48), (" metres", 0.3048), (" yards", 1 / 3), (" hands", 3),
         (" fathoms", 1 / 6), (" cubits", 2 / 3)]  # fmt: skip
PRIORS = [0.5, 0.9, 0.99, 0.999, 0.99999]
TOLD = list(range(1, len(UNITS) + 1))
TIMES = "", "once", "twice", "three times", "four times", "five times", "six times", "seven times", "eight times"
WHO = "a woman", "a man"


@dataclass(frozen=True)
class Evidence:
    """Hold a person of 130 pounds with feet of 8 inches: log odds of male, the height told some times."""

    prior: float
    height: float
    told: int

    @property
    def votes(self) -> np.ndarray:
        """Return the log odds of prior, weight, foot and height, (4,)."""
        female, male = MODEL.feature_contributions([[self.height, WEIGHT, FOOT]])[0]
        return np.append(np.log(self.prior / (1 - self.prior)), (male - female)[[1, 2, 0]])

    def total(self, told: int) -> float:
        """Return the log odds of male, the height told so many times."""
        return float(self.votes[:3].sum() + told * self.votes[3])

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c01 proves it for all states."""
        each, once, now = self.votes[3], self.total(1), self.total(self.told)
        if self.told == 1:
            what = "Three measurements" if self.prior == 0.5 else "The prior and three measurements"
            return f"{what} add up: {write_odds(now)} for {WHO[int(now > 0)]}"
        if once * now < 0:
            return f"Told {TIMES[self.told]}, the height outvotes all the rest: {WHO[int(now > 0)]}"
        how = "surer" if each * once > 0 else "less sure"
        return f"No news, and yet {how}: {write_odds(once)} becomes {write_odds(now)}"


class EvidenceExplorer(Explorer):
    """Log odds add up: the prior, and a step for each measurement, also for one that was told before."""

    told = Steps(1, TOLD, label="height told", say="{} ×".format)
    height = Steps(6.0, HEIGHTS, label="height, feet", say="{:.1f}".format)
    prior = Steps(0.5, PRIORS, label="prior of male", say="{:g}".format)

    presets: ClassVar = {
        "Told once": Preset("Six feet speak for a man. Weight and feet speak against him, and they are louder.", {}),
        "Seven units": Preset("The same height in feet, inches, cm, metres, yards, hands, and one fathom: seven votes.",
                              dict(told=7), after="01/twice"),
        "5.5 feet, told eight times": Preset("Here the height agrees with the rest. Naive Bayes hears eight witnesses.",
                                             dict(height=5.5, told=8), after="01/twice"),
        "99 of 100 are men": Preset("The prior is one more step, and not a long one.", dict(prior=0.99),
                                      after="01/ninety-nine"),
    }  # fmt: skip

    def compute(self, told: int, height: float, prior: float) -> Evidence:
        return Evidence(prior, height, int(told))

    def draw(self, result: Evidence) -> dict:
        total = result.total(result.told)
        panels, number = (steps_panel(result), again_panel(result)), (write_odds(total), f"for {WHO[int(total > 0)]}")
        return marks.figure(*panels, finding=result.finding, number=number, widths=[1.4, 1], left=7)

    def describe(self, result: Evidence) -> str:
        r, total = result, result.total(result.told)
        chance = f"P(male) = {written(expit(total))}"
        return f"{r.finding}. {r.height:.1f} feet, told {r.told} ×: log odds of male {signed(total)}, {chance}."

    def explain(self, result: Evidence) -> Sequence[Part]:
        r = result
        steps = zip(("prior", "weight", "foot", "height"), r.votes, names_of(r), strict=False)
        parts: list[Part] = [Term(signed(v), word, name, look_of(v).color, look_of(v).hatch)
                             for word, v, name in steps]  # fmt: skip
        total = r.total(r.told)
        return [*parts[:3], *([f"+ {r.told} ·"] if r.told > 1 else []), parts[3], "=",
                Term(signed(total), "log odds", "together", look_of(total).color, look_of(total).hatch)]  # fmt: skip


def write_height(feet: float, unit: str, factor: float) -> str:
    """Return a height in another unit: 6 feet, 72 inches, 1 fathom."""
    number = f"{feet * factor:.2f}" if feet * factor < 10 else f"{feet * factor:.0f}"
    number = number.rstrip("0").rstrip(".") if "." in number else number
    return number + (unit[:-1] if number == "1" else unit)


def names_of(r: Evidence) -> list[str]:
    """Return the names of the steps."""
    return [f"prior {r.prior:g}", f"{WEIGHT} pounds", f"{FOOT}-inch foot",
            *(write_height(r.height, *unit) for unit in UNITS[: r.told])]  # fmt: skip


def steps_panel(r: Evidence) -> Panel:
    """Draw a step for the prior and each measurement, on one scale however often the height is told."""
    votes = r.votes
    steps, walk = np.append(votes[:3], [votes[3]] * r.told), np.cumsum(np.append(votes[:3], [votes[3]] * len(UNITS)))
    once = marks.rule(x=r.total(1), look=TRUTH, width=2, id="told once")
    return draw_steps("What each measurement says", names_of(r), steps, (walk.min(), walk.max()), once)


def again_panel(r: Evidence) -> Panel:
    """Draw the log odds against how often the height is told, beside what is known when it is told once."""
    odds = np.array([r.total(n) for n in TOLD])
    low, high = min(0, odds.min()), max(0, odds.max())
    said = [f"told {TIMES[n]}: {write_odds(v)} for {sex_of(v)}" for n, v in zip(TOLD, odds, strict=True)]
    now = r.told, odds[r.told - 1]
    drawn = (marks.rule(y=0, look=BLACK, width=1), marks.rule(y=odds[0], look=TRUTH, width=3, id="what is known"),
             marks.line(TOLD, odds, NAIVE_BAYES, size=7, hover=said),
             marks.points(*now, NAIVE_BAYES, size=13, stroke=2, rim=BLACK, hover=said[r.told - 1]))  # fmt: skip
    words = marks.text(8.4, odds[0], "what is known", place="left below" if odds[0] < odds[-1] else "left above",
                       color=TRUTH)  # fmt: skip
    room = 0.12 * (high - low)
    x = marks.axis(0.5, 8.5, "times the height is told", ticks=TOLD)
    y = marks.axis(low - room, high + room, ticks=tick_odds(low - 0.1, high + 0.1))
    grip = Handle("told", *now, "xy", np.column_stack([TOLD, odds]))
    return marks.panel("The odds, told again", drawn, words, grip, x=x, y=y)

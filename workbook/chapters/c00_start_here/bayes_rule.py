"""Chapter 00: a thousand people and a test. Of those who test positive, how many are ill?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbcore.one_hot import categorical_posterior
from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import written
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BEFORE, CLASSES, PALE, Look
from workbook.explorer.theme import Panel

from .experiment import FALSE_ALARMS, PREVALENCE, SENSITIVITY

__all__ = ["BayesRuleExplorer"]

PEOPLE, ROWS, COLUMNS = 1000, 25, 42  # columns: 40 full ones, a started one, and one that stays free
PREVALENCES = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5]
SENSITIVITIES = [0.5, 0.6, 0.7, 0.8, 0.9, 0.99, 1]
ALARMS = [0, 0.01, 0.02, 0.05, 0.096, 0.2, 0.5]
SMOOTH = np.geomspace(PREVALENCES[0], PREVALENCES[-1], 55)  # where the curves are computed
WELL, ILL = CLASSES[:2]
MISSED = Look(ILL.color, "square-open")


def write_percent(share: float) -> str:
    """Return a share as a percentage with one decimal below ten: 7.8 %, 45 %."""
    return f"{100 * share:.1f}".removesuffix(".0") + " %" if share < 0.1 else f"{100 * share:.0f} %"


def count_people(people: int, rate: float) -> int:
    """Return how many of some people a rate makes, rounded to whole people, half a person up."""
    return (people * round(1000 * rate) + 500) // 1000


@dataclass(frozen=True)
class Crowd:
    """Hold a thousand people with their test results, and P(ill | positive) by Bayes' rule."""

    prevalence: float
    sensitivity: float
    false_alarms: float

    @property
    def ill(self) -> int:
        """Return how many people are ill."""
        return count_people(PEOPLE, self.prevalence)

    @property
    def found(self) -> int:
        """Return how many ill people test positive."""
        return count_people(self.ill, self.sensitivity)

    @property
    def alarmed(self) -> int:
        """Return how many well people test positive."""
        return count_people(PEOPLE - self.ill, self.false_alarms)

    @property
    def positive(self) -> int:
        """Return how many people test positive."""
        return self.found + self.alarmed

    def compute_posterior(self, prevalence: float) -> float:
        """Return P(ill | positive) of this test where so large a share of the people is ill."""
        theta = [[rate, 1 - rate] for rate in (self.sensitivity, self.false_alarms)]
        return float(categorical_posterior(theta, [prevalence, 1 - prevalence])[0, 0])

    @property
    def posterior(self) -> float:
        """Return P(ill | positive)."""
        return self.compute_posterior(self.prevalence)

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c00 proves it for all states."""
        if self.sensitivity == self.false_alarms:
            share = write_percent(self.prevalence)
            return f"The test says nothing: {share} of the positive are ill, and {share} of all"
        if not self.false_alarms:
            who = f"all {self.found} who test positive are" if self.found > 1 else "the one who tests positive is"
            return f"No false alarms: {who} ill"
        if self.posterior > 0.55:
            return f"Most who test positive are ill: {self.found} of {self.positive}"
        if self.posterior > 0.45:
            return f"About half who test positive are ill: {self.found} of {self.positive}"
        return f"Of {self.positive} who test positive, only {self.found} {'are' if self.found > 1 else 'is'} ill"


class BayesRuleExplorer(Explorer):
    """A thousand people take a test: who tests positive, and how many of these are ill."""

    prevalence = Steps(PREVALENCE, PREVALENCES, label="Prevalence", say=write_percent)
    sensitivity = Steps(SENSITIVITY, SENSITIVITIES, label="Sensitivity", say=write_percent)
    false_alarms = Steps(FALSE_ALARMS, ALARMS, label="False alarms", say=write_percent)

    presets: ClassVar = {
        "A positive test": Preset("Squares are ill, circles are well. Most who test positive are well.", {}),
        "Ten times as common": Preset(
            "The test is the same. The illness is ten times as common, and a positive test says far more.",
            dict(prevalence=0.1),
        ),
        "One in a thousand": Preset(
            "One person is ill, and nearly a hundred alarms ring for nothing.", dict(prevalence=0.001)
        ),
        "A coin as a test": Preset(
            "Half of the ill and half of the well are positive. The two curves are one: nothing was learned.",
            dict(sensitivity=0.5, false_alarms=0.5),
        ),
    }

    def compute(self, prevalence: float, sensitivity: float, false_alarms: float) -> Crowd:
        return Crowd(prevalence, sensitivity, false_alarms)

    def draw(self, result: Crowd) -> dict:
        number = (write_percent(result.posterior), "P(ill | positive)")
        panels = crowd_panel(result), curve_panel(result)
        return marks.figure(*panels, finding=result.finding, number=number, widths=[1.4, 1], left=0.2)

    def describe(self, result: Crowd) -> str:
        r = result
        are = "is" if r.ill == 1 else "are"
        rates = f"sensitivity {write_percent(r.sensitivity)}, false alarms {write_percent(r.false_alarms)}"
        who = f"{r.found} of these and {r.alarmed} of the {PEOPLE - r.ill} others test positive"
        return (f"{r.finding}. Prevalence {write_percent(r.prevalence)}, {rates}: of {PEOPLE:,} people {r.ill} {are} "
                f"ill; {who}. P(ill | positive) is {written(r.posterior)}.")  # fmt: skip

    def explain(self, result: Crowd) -> Sequence[Part]:
        p, hit, alarm = result.prevalence, result.sensitivity, result.false_alarms
        ill = [Term(written(p), "P(ill)", "before", BEFORE), "·",
               Term(written(hit), "P(positive | ill)", "ill, positive", ILL.color)]  # fmt: skip
        well = [Term(written(1 - p), "P(well)"), "·",
                Term(written(alarm), "P(positive | well)", "well, positive", WELL.color)]  # fmt: skip
        after = Term(written(result.posterior), "P(ill | positive)", "after", ILL.color)
        return [Over(ill, [*ill, "+", *well]), "=", after]


def crowd_panel(r: Crowd) -> Panel:
    """Draw a dot a person: who tests positive from the left, the ill first; who tests negative from the right."""
    missed, negative = r.ill - r.found, PEOPLE - r.positive
    groups = [("ill, positive", ILL, 0, r.found), ("well, positive", WELL, r.found, r.positive),
              ("ill, negative", MISSED, 0, missed), ("well, negative", PALE, missed, negative)]  # fmt: skip
    drawn = []
    for name, look, first, end in groups:
        column, row = np.divmod(np.arange(first, end), ROWS)
        x = column if name.endswith("positive") else COLUMNS - 1 - column
        said = f"{name}: one of {end - first} among {PEOPLE:,}"
        loud = 0.5 if look is PALE else None
        drawn.append(marks.points(x, ROWS - 1 - row, look, size=7, opacity=loud, id=name, hover=said))
    words = [
        marks.text("right", "top", f"{negative} negative", place="left above"),
        marks.text("left", "bottom", f"{r.found} ill", place="right below", color=ILL.color),
        marks.text(7.5, "bottom", f"{r.alarmed} false alarms", place="right below", color=WELL.color),
        marks.text("right", "bottom", f"{missed} ill missed", place="left below", color=ILL.color),
    ]
    x, y = (dict(range=[-0.6, end - 0.4], showgrid=False, showline=False, tickvals=[]) for end in (COLUMNS, ROWS))
    return marks.panel(f"{r.positive} of {PEOPLE:,} test positive", drawn, words, x=x, y=y, equal=True)


def curve_panel(r: Crowd) -> Panel:
    """Draw P(ill) after a positive test, and before it, against the prevalence; the slider's place is a grip."""
    p, after = r.prevalence, r.posterior
    curve = [r.compute_posterior(prior) for prior in SMOOTH]
    path = [(prior, r.compute_posterior(prior)) for prior in PREVALENCES]
    lines = [marks.line(SMOOTH, SMOOTH, Look(BEFORE, dash="dash"), hover="before the test: {y:.3g}"),
             marks.line(SMOOTH, curve, ILL.color, hover="after a positive test: {y:.3g}")]  # fmt: skip
    here = [marks.points(p, p, BEFORE, id="before", hover="before the test: {y:.3g}"),
            marks.points(p, after, ILL, id="after", hover="after a positive test: {y:.3g}")]  # fmt: skip
    words = [marks.text(0.5, 0.13, "before", place="left", color=BEFORE), name_curve(curve)]
    x = marks.axis(0.0009, 0.55, "prevalence", log=True, ticks={s: write_percent(s) for s in (0.001, 0.01, 0.1, 0.5)})
    y = marks.axis(0, 1.04, ticks={0: "0", 0.5: "0.5", 1: "1"})
    grip = Handle("prevalence", p, after, "xy", places=np.array(path))
    return marks.panel("P(ill), before and after a positive test", lines, marks.rule(x=p, span=(p, after)),
                       here, words, grip, x=x, y=y)  # fmt: skip


def name_curve(curve: Sequence[float]) -> dict:
    """Return the word at the upper curve: to the left of where it is steep, or under a level one."""
    if min(curve) == 1:
        return marks.text(0.5, 0.96, "after", place="left below", color=ILL.color)
    at = int(np.argmin(np.abs(np.subtract(curve, 0.6))))
    return marks.text(SMOOTH[at] / 1.06, curve[at], "after", place="left above", color=ILL.color)

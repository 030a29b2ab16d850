"""Chapter 00: a thousand people and a test. Of those who test positive, how many are ill?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import written
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BEFORE, CLASSES, PALE, Look
from workbook.explorer.theme import Panel

from .experiment import FALSE_ALARMS, PREVALENCE, SENSITIVITY, count_people, ill_given

__all__ = ["BayesRuleExplorer"]

PEOPLE, ROWS, COLUMNS = 1000, 25, 42  # columns: 40 full ones, a started one, and one that stays free
PREVALENCES = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5]
SENSITIVITIES = [0.5, 0.6, 0.7, 0.8, 0.9, 0.99, 1]
ALARMS = [0, 0.002, 0.01, 0.05, 0.096, 0.2, 0.5]
SMOOTH = np.geomspace(PREVALENCES[0], PREVALENCES[-1], 55)  # where the curves are computed
WELL, ILL = CLASSES[:2]


def write_percent(share: float) -> str:
    """Return a share as a percentage with two digits: 7.8 %, 45 %, 100 %."""
    return f"{100 * share:.{2 if share < 1 else 3}g} %"


@dataclass(frozen=True)
class Crowd:
    """Hold a thousand people who took a test. The counts are rounded to whole people; P(ill | positive) is exact."""

    rates: tuple[float, float, float]  # prevalence, sensitivity, false alarms
    ill: int
    found: int  # ill people who test positive
    alarmed: int  # well people who test positive

    @property
    def positive(self) -> int:
        """Return how many people test positive."""
        return self.found + self.alarmed

    @property
    def posterior(self) -> float:
        """Return P(ill | positive)."""
        return ill_given(True, *self.rates)

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c00 proves it for all states."""
        prevalence, sensitivity, alarms = self.rates
        if sensitivity == alarms:
            return "The test says nothing: {0} of the positives are ill, {0} of all".format(write_percent(prevalence))
        if not alarms:
            who = f"all {self.found} who test positive are" if self.found > 1 else "the one who tests positive is"
            return f"No false alarms: {who} ill"
        if self.posterior > 0.55:
            return f"Most who test positive are ill: {self.found} of {self.positive}"
        if self.posterior > 0.44:
            return f"About half who test positive are ill: {self.found} of {self.positive}"
        return f"Of {self.positive} who test positive, only {self.found} {'are' if self.found > 1 else 'is'} ill"


class BayesRuleExplorer(Explorer):
    """A thousand people take a test: who tests positive, and how many of these are ill."""

    prevalence = Steps(PREVALENCE, PREVALENCES, label="Prevalence", say=write_percent)
    sensitivity = Steps(SENSITIVITY, SENSITIVITIES, label="Sensitivity", say=write_percent)
    false_alarms = Steps(FALSE_ALARMS, ALARMS, label="False alarms", say=write_percent)

    presets: ClassVar = {
        "A positive test": Preset("Squares are ill, circles are well. Most who test positive are well.", {}),
        "Ten times as common": Preset("The same test. About half of its alarms are true now.", dict(prevalence=0.1)),
        "One in a thousand": Preset("One is ill. Nearly a hundred alarms ring for nothing.", dict(prevalence=0.001)),
        "A coin as a test": Preset("Half of the ill and half of the well test positive. Both curves are one.",
                                   dict(sensitivity=0.5, false_alarms=0.5)),
    }  # fmt: skip

    def compute(self, prevalence: float, sensitivity: float, false_alarms: float) -> Crowd:
        ill = count_people(PEOPLE, prevalence)
        found, alarmed = count_people(ill, sensitivity), count_people(PEOPLE - ill, false_alarms)
        return Crowd((prevalence, sensitivity, false_alarms), ill, found, alarmed)

    def draw(self, result: Crowd) -> dict:
        head = dict(finding=result.finding, number=(write_percent(result.posterior), "P(ill | positive)"))
        return marks.figure(crowd_panel(result), curve_panel(result), **head, widths=[1.4, 1], share=0.96, left=0.2)

    def describe(self, result: Crowd) -> str:
        r = result
        who = f"{r.found} of the {r.ill} ill and {r.alarmed} of the {PEOPLE - r.ill} well test positive"
        chance = f"P(ill | positive) is {written(r.posterior)}"
        return f"{r.finding}. Prevalence {write_percent(r.rates[0])}: {who}. {chance}."

    def explain(self, result: Crowd) -> Sequence[Part]:
        prior, well, hit, alarm = map(written, (result.rates[0], 1 - result.rates[0], *result.rates[1:]))
        first = [Term(prior, "P(ill)", "before", BEFORE), "·", Term(hit, "P(+ | ill)", "ill, positive", ILL.color)]
        second = [Term(well, "P(well)"), "·", Term(alarm, "P(+ | well)", "well, positive", WELL.color)]
        after = Term(written(result.posterior), "P(ill | +)", "ill, after", ILL.color)
        return [Over(first, [*first, "+", *second]), "=", after]


def crowd_panel(r: Crowd) -> Panel:
    """Draw a dot a person: who tests positive from the left, the ill first; who tests negative from the right."""
    missed, negative, open_square = r.ill - r.found, PEOPLE - r.positive, Look(ILL.color, "square-open")
    groups = [("ill, positive", ILL, 0, r.found), ("well, positive", WELL, r.found, r.positive),
              ("ill, negative", open_square, 0, missed), ("well, negative", PALE, missed, negative)]  # fmt: skip
    drawn = []
    for name, look, first, end in groups:
        column, row = np.divmod(np.arange(first, end), ROWS)
        x = column if name.endswith("positive") else COLUMNS - 1 - column
        said, loud = f"{name}: one of {end - first} among {PEOPLE:,}", 0.5 if look is PALE else None
        drawn.append(marks.points(x, ROWS - 1 - row, look, size=7, opacity=loud, id=name, hover=said))
    found, beside = f"{r.found} ill", dict(place="right below")
    words = [marks.text("left", "bottom", found, color=ILL.color, **beside),
             marks.text(0.9 * len(found), "bottom", f"{r.alarmed} well", color=WELL.color, **beside),
             marks.text("right", "bottom", f"{missed} ill, but negative", place="left below", color=ILL.color),
             ]  # fmt: skip
    x, y = (dict(range=[-0.6, end - 0.4], showgrid=False, showline=False, tickvals=[]) for end in (COLUMNS, ROWS))
    title = f"{r.positive} of {PEOPLE:,} test{'s' if r.positive == 1 else ''} positive"
    return marks.panel(title, drawn, words, x=x, y=y, equal=True)


def curve_panel(r: Crowd) -> Panel:
    """Draw P(ill) before and after a positive test against the prevalence; where the slider stands is a grip."""
    now, *test = r.rates
    curve = [ill_given(True, p, *test) for p in SMOOTH]
    places = np.array([(p, ill_given(True, p, *test)) for p in PREVALENCES])
    said = "P(ill) {} the test: {{y:.3g}}".format
    drawn = [marks.line(SMOOTH, SMOOTH, Look(BEFORE, dash="dash"), hover=said("before")),
             marks.line(SMOOTH, curve, ILL.color, hover=said("after")),
             marks.points(now, now, BEFORE, id="before", hover=said("before")),
             marks.points(now, r.posterior, ILL, id="ill, after", hover=said("after"))]  # fmt: skip
    steep = int(np.argmin(np.abs(np.subtract(curve, 0.6))))
    left, high, side = (0.5, 0.96, "below") if min(curve) == 1 else (SMOOTH[steep] / 1.06, curve[steep], "above")
    words = [marks.text(0.5, 0.11, "before", place="left", color=BEFORE),
             marks.text(left, high, "after", place=f"left {side}", color=ILL.color)]  # fmt: skip
    x = marks.axis(0.0009, 0.55, "prevalence", log=True, ticks={p: write_percent(p) for p in (0.001, 0.01, 0.1, 0.5)})
    return marks.panel("P(ill), before and after a positive test", drawn, marks.rule(x=now, span=(now, r.posterior)),
                       words, Handle("prevalence", now, r.posterior, "xy", places),
                       x=x, y=marks.axis(0, 1.04, ticks={0: "0", 0.5: "0.5", 1: "1"}))  # fmt: skip

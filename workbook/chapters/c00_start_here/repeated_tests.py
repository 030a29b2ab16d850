"""Chapter 00: several positive tests that partly repeat one another, and what naive Bayes makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import expit

from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import say, superscript, written
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BLACK, CLASSES, NAIVE_BAYES, TRUTH, Look
from workbook.explorer.theme import Panel

from .experiment import LIKELIHOOD, PREVALENCE, again, chance, log_odds_after

__all__ = ["RepeatedTestsExplorer"]

TESTS, SHARES = [1, 2, 3, 4, 5, 6], np.round(np.arange(0, 1.01, 0.1), 1).tolist()
EVERY = np.arange(TESTS[-1] + 1)
ARROW = float(np.log(LIKELIHOOD[0] / LIKELIHOOD[1]))  # what one positive test adds to the log odds
NAIVE = expit(log_odds_after(EVERY, PREVALENCE))
WELL, ILL = CLASSES[:2]


@dataclass(frozen=True)
class Repeated:
    """Hold P(ill) after 0 to 6 positive tests, and what a further one shows."""

    tests: int
    repeats: float
    log_odds: np.ndarray  # (7,) in truth
    again: np.ndarray  # (2,) P(positive | one positive before), of the ill and of the well

    @property
    def truth(self) -> np.ndarray:
        """Return P(ill) after 0 to 6 positive tests, (7,)."""
        return expit(self.log_odds)

    @property
    def worth(self) -> float:
        """Return how many tests of their own move the log odds as far as these tests do."""
        return float(self.log_odds[self.tests] - self.log_odds[0]) / ARROW

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c00 proves it for all states."""
        if self.tests == 1:
            return "One test repeats nothing: naive Bayes is right"
        if self.repeats == 0:
            return f"{self.tests} tests of their own: naive Bayes is right"
        if self.repeats == 1:
            times = "twice" if self.tests == 2 else f"{self.tests} times"
            return f"{self.tests} copies of one result: naive Bayes counts it {times}"
        return f"{self.tests} positive tests are worth {self.worth:.1f}: naive Bayes counts all {self.tests}"


class RepeatedTestsExplorer(Explorer):
    """Positive tests of which some only repeat the first one: what they are worth, and what naive Bayes counts."""

    tests = Steps(2, TESTS, label="positive tests", say="{:g}".format)
    repeats = Steps(1.0, SHARES, label="repeats", say=lambda share: f"{100 * share:.0f} %")

    presets: ClassVar = {
        "The same sample twice": Preset("The second result is a copy. Naive Bayes counts it as news.", {}),
        "Two tests of their own": Preset("Nothing is repeated, and both lines are one.", dict(repeats=0.0)),
        "Six in a row": Preset("Half of the further five are copies. Naive Bayes is all but certain.",
                               dict(repeats=0.5, tests=6)),
    }  # fmt: skip

    def compute(self, tests: int, repeats: float) -> Repeated:
        return Repeated(tests, repeats, log_odds_after(EVERY, PREVALENCE, repeats), again(repeats))

    def draw(self, result: Repeated) -> dict:
        number = (chance(result.truth[result.tests]), "P(ill), in truth")
        panels = belief_panel(result), again_panel(result)
        return marks.figure(*panels, finding=result.finding, number=number, widths=[1.6, 1], share=0.9)

    def describe(self, result: Repeated) -> str:
        r, factor = result, say(float(np.divide(*result.again)))
        tests = "1 positive test" if r.tests == 1 else f"{r.tests} positive tests"
        said = f"P(ill) is {chance(r.truth[r.tests])}, to naive Bayes {chance(NAIVE[r.tests])}"
        more = f", not by {say(np.exp(ARROW))}" if r.repeats else ""
        return f"{r.finding}. {tests}: {said}. A further one multiplies the odds by {factor}{more}."

    def explain(self, result: Repeated) -> Sequence[Part]:
        r, factor = result, say(float(np.divide(*result.again)), 4)
        power = superscript(r.tests - 1) if r.tests > 2 else ""
        more = ["·", Term(factor + power, "each more", color=TRUTH)] if r.tests > 1 else []
        odds = Term(written(float(np.exp(r.log_odds[r.tests]))), "odds")
        first = Term(say(np.exp(ARROW), 4), "the first test")
        answer = Term(chance(r.truth[r.tests]), "P(ill)", "truth", TRUTH)
        return [Term("1 / 99", "before"), "·", first, *more, "=", odds, ", so", answer]


def belief_panel(r: Repeated) -> Panel:
    """Draw P(ill) against the number of positive tests, in truth and as naive Bayes has it."""
    said = "{}, after {{x}} positive tests: P(ill) = {{data}}".format
    lines = [marks.line(EVERY, p, look, width=width, size=size, id=name, data=list(map(chance, p)), hover=said(name))
             for name, p, look, width, size in (("truth", r.truth, TRUTH, 9, 0),
                                                ("naive Bayes", NAIVE, Look(NAIVE_BAYES, "square", "dash"), 3, 7))]
    end = r.truth[-1]
    words = [marks.text(2.8, NAIVE[3], "naive Bayes", place="left", color=BLACK),
             marks.text(6, end + (-0.05 if end > 0.9 else 0.04), "truth", color=TRUTH,
                        place=f"left {'below' if end > 0.9 else 'above'}")]
    here, naive = r.truth[r.tests], NAIVE[r.tests]
    now = [marks.rule(x=r.tests, span=(here, naive)), marks.points(r.tests, here, TRUTH, size=13, hover=said("truth"),
                                                                   data=[chance(here)])]
    places = np.column_stack([TESTS, r.truth[1:]])
    return marks.panel("P(ill) after so many positive tests", lines, now, words,
                       Handle("tests", r.tests, here, "xy", places),
                       x=marks.axis(-0.3, 6.4, ticks=EVERY.tolist()), y=marks.axis(-0.04, 1.04, ticks=[0, 0.5, 1]))


def again_panel(r: Repeated) -> Panel:
    """Draw how many who were positive once are positive again, of the ill and of the well; dashed, by naive Bayes."""
    hover = [f"{100 * share:.1f} % are positive again" for share in r.again]
    dashes = [marks.line([at - 0.4, at + 0.4], [share, share], Look(NAIVE_BAYES, dash="dash"),
                         hover=f"to naive Bayes {100 * share:.1f} %") for at, share in enumerate(LIKELIHOOD)]
    words = [marks.text(at, share, say(share), place="above") for at, share in enumerate(r.again)]
    grip = Handle("repeats", 1, r.again[1], "y", np.array([again(share)[1] for share in SHARES]), shape="line")
    bars = marks.bars([0, 1], r.again, [ILL, WELL], width=0.6, hover=hover)
    return marks.panel("Positive once: and again?", bars, dashes, words, grip,
                       x=marks.named_axis(["ill", "well"]), y=marks.axis(0, 1.15, ticks=[0, 0.5, 1]))

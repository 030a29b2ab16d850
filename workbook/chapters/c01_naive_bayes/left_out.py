"""Chapter 01: one of eight people is left out; what is learned from the other seven, with correlations and without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import expit

from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import signed
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BLACK, CLASSES, GREY, HELD, NAIVE_BAYES, SKY, Look
from workbook.explorer.theme import Panel

from .experiment import ROWS, SEX, learn, log_odds_of
from .steps import SEXES

__all__ = ["LeftOutExplorer"]

HEIGHT = 6.0
WEIGHTS = [110, 120, 130, 140, 150, 160, 170, 190, 210]
NOBODY = len(ROWS)
NAMES = [*(f"{height:g} ft, {weight:g} lb" for height, weight in ROWS), "nobody"]
NAIVE, CORRELATED = Look(NAIVE_BAYES, dash="dash"), SKY
TURN = np.linspace(0, 2 * np.pi, 73)
RING = 2 * np.column_stack([np.cos(TURN), np.sin(TURN)])  # two standard deviations


@dataclass(frozen=True)
class LeftOut:
    """Hold who is left out, and how heavy a person of six feet is who is asked about."""

    out: int
    weight: float

    def chances(self, correlated: bool) -> np.ndarray:
        """Return P(male) by each of the nine models, (9,)."""
        x = np.array([HEIGHT, self.weight])
        return expit([log_odds_of(x, out, correlated) for out in range(NOBODY + 1)])

    @property
    def now(self) -> tuple[float, float]:
        """Return P(male) by naive Bayes and by the model with correlations."""
        return tuple(float(self.chances(correlated)[self.out]) for correlated in (False, True))

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c01 proves it for all states."""
        naive, full = self.now
        relation = "The same answer" if (naive > 0.5) == (full > 0.5) else "Opposite answers"
        return f"{relation}: naive Bayes says {naive:.2f}, with correlations {full:.2f}"


class LeftOutExplorer(Explorer):
    """Naive Bayes and two full covariance matrices judge one person, learned from seven or eight people."""

    out = Steps(NOBODY, range(NOBODY + 1), label="left out", say=NAMES.__getitem__)
    weight = Steps(130, WEIGHTS, label="6 feet, pounds", say="{:d}".format)

    presets: ClassVar = {
        "All eight": Preset("The tilted rings know that tall women are heavier. Nobody is tall and light.", {}),
        "Without the lightest man": Preset("One man less, and the model with correlations says the opposite.",
                                           dict(out=3)),
        "Without the tallest woman": Preset("One woman less, and it does not. Its answer hangs on single people.",
                                            dict(out=7)),
        "170 pounds": Preset("Among the men both models agree, whoever is left out, but for one.", dict(weight=170)),
    }  # fmt: skip

    def compute(self, out: int, weight: float) -> LeftOut:
        return LeftOut(int(out), weight)

    def draw(self, result: LeftOut) -> dict:
        number = f"{result.now[1]:.2f}", "P(male), with correlations"
        return marks.figure(people_panel(result), chances_panel(result), finding=result.finding, number=number, left=5)

    def describe(self, result: LeftOut) -> str:
        return f"{result.finding}. Left out: {NAMES[result.out]}."

    def explain(self, result: LeftOut) -> Sequence[Part]:
        x, said = np.array([HEIGHT, result.weight]), []
        for name, look, correlated in (("naive Bayes", NAIVE_BAYES, False), ("with correlations", CORRELATED, True)):
            odds = log_odds_of(x, result.out, correlated)
            said += [Term(signed(odds), "log odds"), "=", Term(f"{expit(odds):.3f}", f"P, {name}", name, look), ";"]
        return said[:-1]


def people_panel(r: LeftOut) -> Panel:
    """Draw the people, the rings of both models around either class, and the person who is asked about."""
    drawn: list = []
    for c, sex in enumerate(SEXES):
        kept = (np.arange(NOBODY) != r.out) & (SEX == c)
        said = [f"{sex}: {NAMES[i]}" for i in np.flatnonzero(kept)]
        drawn += [marks.points(*ROWS[kept].T, CLASSES[c], size=9, name=sex, hover=said)]
        for look, correlated in ((NAIVE, False), (CORRELATED, True)):
            means, spreads = learn(r.out, correlated)
            ring = means[c] + RING @ np.linalg.cholesky(spreads[c]).T
            drawn += [marks.line(*ring.T, look, width=2, name="with correlations" if correlated else "naive Bayes")]
    if r.out < NOBODY:
        drawn += [marks.points(*ROWS[r.out], GREY, size=11, symbol="x", hover=f"left out: {NAMES[r.out]}")]
    asked = marks.points(HEIGHT, r.weight, HELD, size=13, symbol="diamond", stroke=2, rim=BLACK, hover="who is asked")
    grip = Handle("weight", HEIGHT, r.weight, "y", np.array(WEIGHTS))
    return marks.panel("Rings of two standard deviations", drawn, asked, grip,
                       x=marks.axis(4.2, 6.8, "height, feet", ticks=[4.5, 5, 5.5, 6, 6.5]),
                       y=marks.axis(60, 240, "pounds", ticks=[100, 150, 200]))  # fmt: skip


def chances_panel(r: LeftOut) -> Panel:
    """Draw P(male) by both models for everybody who is left out; a grip stands at the present row."""
    y, drawn = np.arange(NOBODY + 1)[::-1], []
    for name, look, correlated in (("with correlations", CORRELATED, True), ("naive Bayes", NAIVE, False)):
        p = r.chances(correlated)
        said = [f"without {who}, {name}: {chance:.3f}" for who, chance in zip(NAMES, p, strict=True)]
        drawn += [marks.points(p, y, look, size=9, symbol="square" if correlated else "circle", name=name, hover=said),
                  marks.points(p[r.out], y[r.out], look, size=13, symbol="square" if correlated else "circle",
                               stroke=2, rim=BLACK, id=name)]  # fmt: skip
    grip = Handle("out", r.now[1], y[r.out], "xy", np.column_stack([r.chances(True), y]))
    level = marks.rule(y=y[r.out], look=GREY, width=1), marks.rule(x=0.5, look=GREY, width=1)
    x, names = marks.axis(-0.06, 1.06, "P(male)", ticks=[0, 0.5, 1]), marks.named_axis(NAMES[::-1])
    return marks.panel(f"6 feet, {r.weight} pounds, without …", level, drawn, grip, x=x, y=names)

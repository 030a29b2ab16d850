"""Chapter 10: the strength of a penalty, chosen in hindsight or by cross-validation, and the weights that it leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from nbcore.naive_bayes import BernoulliNB
from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import signed
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BLACK, GREY, GUIDE, LOGISTIC, NAIVE_BAYES, PURPLE, SKY, Look, faint
from workbook.explorer.theme import Panel

from .experiment import mean_and_half, penalized, shift_endings
from .leads import CLIMBED, say_lead
from .strengths import COINS, STRENGTHS, Strengths, split_with_coins, strengths

__all__ = ["PenaltiesExplorer"]

CHOSEN = len(STRENGTHS)  # the step after the nine: chosen by cross-validation
SAID = [*(f"C = {C:,g}" for C in STRENGTHS), "C by cross-validation"]
AT = [*range(CHOSEN), CHOSEN + 1]  # where they stand along the axis
SPLIT = 0  # whose weights are shown
KINDS = {"ends in": (Look(PURPLE, "triangle-up"), slice(26, 52)), "contains": (Look(SKY), slice(0, 26)),
         "coins": (Look(GREY, "diamond"), slice(52, None))}  # fmt: skip


@dataclass(frozen=True)
class Penalty:
    """Hold the shares for every C, and what both models' bits weigh at one."""

    step: int
    scaled: int
    coins: int
    found: Strengths
    weights: np.ndarray  # (models, bits) of SPLIT

    @property
    def leads(self) -> np.ndarray:
        """Return the lead of logistic regression for every step, (10, SEEDS)."""
        return self.found.with_choice[0] - self.found.bayes

    @property
    def alike(self) -> float:
        """Return the share of names that both decide alike at this step."""
        return float(self.found.with_choice[1, self.step].mean())

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c10 proves it for all states."""
        best = self.step == self.leads[:CHOSEN].mean(axis=1).argmax()
        return f"{SAID[self.step]}{', best in hindsight' if best else ''}: {say_lead(self.leads[self.step])}"


@lru_cache(maxsize=len(COINS) * 2 * (CHOSEN + 1))
def weigh_bits(step: int, scaled: int, coins: int) -> np.ndarray:
    """Return what the bits of SPLIT weigh in naive Bayes and in logistic regression, as they are: (2, bits)."""
    rows, sex, *_ = split_with_coins(SPLIT, coins)
    spread = rows.std(axis=0) if scaled else np.ones(rows.shape[1])
    spread[spread == 0] = 1
    C = STRENGTHS[strengths(coins, bool(scaled)).chosen[SPLIT] if step == CHOSEN else step]
    counted = np.diff(BernoulliNB().fit(rows, sex).as_linear()[0], axis=0)[0]
    return np.array([shift_endings(each) for each in (counted, penalized(C).fit(rows / spread, sex).coef_[0] / spread)])


class PenaltiesExplorer(Explorer):
    """Logistic regression under weak and strong penalties beside naive Bayes, which has none; 100 names."""

    step = Steps(4, range(CHOSEN + 1), label="penalty", say=SAID.__getitem__)
    scaled = Steps(0, range(2), label="bits", say=("as they are", "scaled").__getitem__)
    coins = Steps(50, COINS, label="coins added", say="{:d}".format)

    presets: ClassVar = {
        "Usual, 50 coins": Preset("Fifty coins are added, and naive Bayes is far ahead.", {}),
        "In hindsight": Preset("The best of nine penalties, by the names that it is tested on.",
                               dict(step=2, scaled=1, coins=0)),
        "Honest": Preset("C chosen on the hundred names alone.", dict(step=CHOSEN, scaled=1, coins=0)),
        "Strongest": Preset("The marks lie along the line: nearly the same model.", dict(step=0, scaled=1, coins=0)),
    }  # fmt: skip

    def compute(self, step: int, scaled: int, coins: int) -> Penalty:
        return Penalty(step, scaled, coins, strengths(coins, bool(scaled)), weigh_bits(step, scaled, coins))

    def draw(self, result: Penalty) -> dict:
        number = f"{100 * result.alike:.0f} %", "decided as by naive Bayes"
        panels = leads_panel(result), weights_panel(result)
        return marks.figure(*panels, finding=result.finding, number=number, widths=[1.15, 1])

    def describe(self, result: Penalty) -> str:
        mean, half = mean_and_half(100 * result.leads[result.step])
        bits = f"{result.coins} coins, bits {'scaled' if result.scaled else 'as they are'}"
        return f"{result.finding}. {bits}: lead of logistic regression {signed(mean, 1)} ± {half:.1f} points."

    def explain(self, result: Penalty) -> Sequence[Part]:
        shares = result.found.with_choice[0, result.step], result.found.bayes
        logistic, bayes = (100 * each.mean() for each in shares)
        return [Term(f"{logistic:.2f} %", "logistic regression", "this C", LOGISTIC), "−",
                Term(f"{bayes:.2f} %", "naive Bayes", "zero", NAIVE_BAYES), "=",
                Term(signed(logistic - bayes), "lead in points")]  # fmt: skip


def leads_panel(r: Penalty) -> Panel:
    """Draw the lead at every C and at the chosen one, with 95 % intervals; naive Bayes is the level line."""
    mean, half = mean_and_half(100 * r.leads)
    ends, gap = np.array(AT, dtype=float), np.full(len(AT), np.nan)
    x, y = (np.stack(each, axis=1).ravel().round(2) for each in ((ends, ends, gap), (mean - half, mean + half, gap)))
    whiskers = marks.line(x, y, CLIMBED.color, width=2)
    words = [f"{said}: {signed(m, 1)} ± {h:.1f}" for said, m, h in zip(SAID, mean, half, strict=True)]
    line = marks.line(AT[:CHOSEN], mean[:CHOSEN].round(2), CLIMBED, width=2)
    dots = marks.points(AT, mean.round(2), CLIMBED, size=9, hover=words)
    held = marks.points(AT[r.step], mean[r.step].round(2), CLIMBED, size=15, stroke=2.5, rim=BLACK, id="this C")
    grip = Handle("step", AT[r.step], mean[r.step], "x", AT)
    zero = [marks.rule(y=0, look=NAIVE_BAYES, width=2, id="zero"),
            marks.text(8.9, 0.1, "naive Bayes", place="left above", color=NAIVE_BAYES)]  # fmt: skip
    ticks = {at: f"{C:,g}" for at, C in enumerate(STRENGTHS) if at % 2 == 0}
    ticks[AT[-1]] = "chosen"
    return marks.panel("Lead of logistic regression, points", zero, line, whiskers, dots, held, grip,
                       x=marks.axis(-0.5, AT[-1] + 0.6, "C: penalty strong to weak", ticks=ticks, grid=False),
                       y=marks.axis(-8.6, 2.4, ticks={-8: "−8", -4: "−4", 0: "0"}))  # fmt: skip


def weights_panel(r: Penalty) -> Panel:
    """Draw every bit's weight under both models, each axis to its own scale, and the line of equal proportions."""
    counted, climbed = r.weights
    slope, wide = float(counted @ climbed / (counted @ counted)), 1.1 * np.abs(r.weights).max(axis=1)
    hover = "{name}: {x:.2f} in naive Bayes, {y:.2g} in logistic regression"
    drawn = [marks.points(counted[part].round(3), climbed[part].round(7), look, size=8, name=name, hover=hover)
             for name, (look, part) in KINDS.items()]  # fmt: skip
    ends = np.array([-1, 1]) * min(wide[0], wide[1] / abs(slope))
    line = marks.line(ends, slope * ends, GUIDE, width=2)
    zeros = [marks.rule(x=0, look=faint(BLACK, 0.3), width=1), marks.rule(y=0, look=faint(BLACK, 0.3), width=1)]
    x, y = (marks.axis(-each, each, f"by {name}", ticks={0: "0"}, grid=False)
            for each, name in zip(wide, ("naive Bayes", "logistic regression"), strict=True))  # fmt: skip
    return marks.panel("Weights in a split, not to one scale", zeros, line, drawn, x=x, y=y)

"""Chapter 10: the strength of a penalty, usual, in hindsight or chosen, and what scaling some of the bits does."""

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
from .strengths import COINS, SCALED, STRENGTHS, Strengths, split_with_coins, strengths

__all__ = ["PenaltiesExplorer"]

BEST, CHOSEN = len(STRENGTHS), len(STRENGTHS) + 1  # the steps after the nine: C and alpha in hindsight; both chosen
SAID = [*(f"C = {C:,g}" for C in STRENGTHS), "best of both", "both chosen"]
AT = [*range(BEST), BEST + 0.6, CHOSEN + 1.6]  # where they stand along the axis
PARTS = list(SCALED)
SPLIT = 0  # whose weights are shown
KINDS = {"ends in": (Look(PURPLE, "triangle-up"), slice(26, 52)), "contains": (Look(SKY), slice(0, 26)),
         "coins": (Look(GREY, "diamond"), slice(52, None))}  # fmt: skip


@dataclass(frozen=True)
class Penalty:
    """Hold the shares for every C, and what both models' bits weigh at one."""

    step: int
    scaled: str
    coins: int
    found: Strengths
    weights: np.ndarray  # (models, bits) of SPLIT

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c10 proves it for all states."""
        return f"{SAID[self.step]}, scaled: {self.scaled}: {say_lead(self.found.leads[self.step])}"


@lru_cache(maxsize=len(COINS) * len(SCALED) * (CHOSEN + 1))
def weigh_bits(step: int, scaled: str, coins: int) -> np.ndarray:
    """Return what the bits of SPLIT weigh in naive Bayes and in logistic regression, as they are: (2, bits)."""
    rows, sex, *_ = split_with_coins(SPLIT, coins)
    part, spread, found = SCALED[scaled], np.ones(rows.shape[1]), strengths(coins, scaled)
    spread[part] = np.where(rows.std(axis=0) > 0, rows.std(axis=0), 1)[part]
    after = found.right.mean(axis=1).argmax(), found.chosen[1, SPLIT]
    C = STRENGTHS[step if step < BEST else after[step - BEST]]
    counted = np.diff(BernoulliNB().fit(rows, sex).as_linear()[0], axis=0)[0]
    return np.array([shift_endings(each) for each in (counted, penalized(C).fit(rows / spread, sex).coef_[0] / spread)])


class PenaltiesExplorer(Explorer):
    """Logistic regression under weak and strong penalties beside naive Bayes; 100 names."""

    step = Steps(4, range(CHOSEN + 1), label="penalty", say=SAID.__getitem__)
    scaled = Steps(0, range(len(PARTS)), label="scaled", say=PARTS.__getitem__)
    coins = Steps(50, COINS, label="coins added", say="{:d}".format)

    presets: ClassVar = {
        "Usual, 50 coins": Preset("Fifty coins are added, and naive Bayes is far ahead.", {}),
        "In hindsight": Preset("The best of nine C against alpha = 1, by the names that judge it.",
                               dict(step=2, scaled=3, coins=0)),
        "Honest": Preset("C and alpha chosen on the hundred names alone.", dict(step=CHOSEN, scaled=3, coins=0)),
    }  # fmt: skip

    def compute(self, step: int, scaled: int, coins: int) -> Penalty:
        part = PARTS[scaled]
        return Penalty(step, part, coins, strengths(coins, part), weigh_bits(step, part, coins))

    def draw(self, result: Penalty) -> dict:
        mean, half = mean_and_half(100 * result.found.leads[result.step])
        number = f"{signed(mean, 1)} ± {half:.1f}", "points, logistic regression less naive Bayes"
        panels = leads_panel(result), weights_panel(result)
        return marks.figure(*panels, finding=result.finding, number=number, widths=[1.15, 1])

    def describe(self, result: Penalty) -> str:
        mean, half = mean_and_half(100 * result.found.leads[result.step])
        lead = f"lead of logistic regression {signed(mean, 1)} ± {half:.1f} points"
        return f"{result.finding}. {result.coins} coins: {lead}."

    def explain(self, result: Penalty) -> Sequence[Part]:
        shares = result.found.logistic[result.step], result.found.rivals[result.step]
        logistic, bayes = (100 * each.mean() for each in shares)
        return [Term(f"{logistic:.2f} %", "logistic regression", "this C", LOGISTIC), "−",
                Term(f"{bayes:.2f} %", "naive Bayes", "zero", NAIVE_BAYES), "=",
                Term(signed(logistic - bayes), "lead in points")]  # fmt: skip


def leads_panel(r: Penalty) -> Panel:
    """Draw the lead at every C, in hindsight and chosen, with 95 % intervals; naive Bayes is the level line."""
    mean, half = mean_and_half(100 * r.found.leads)
    ends, gap = np.array(AT, dtype=float), np.full(len(AT), np.nan)
    x, y = (np.stack(each, axis=1).ravel().round(2) for each in ((ends, ends, gap), (mean - half, mean + half, gap)))
    whiskers = marks.line(x, y, CLIMBED.color, width=2)
    words = [f"{said}: {signed(m, 1)} ± {h:.1f}" for said, m, h in zip(SAID, mean, half, strict=True)]
    line = marks.line(AT[:BEST], mean[:BEST].round(2), CLIMBED, width=2)
    dots = marks.points(AT, mean.round(2), CLIMBED, size=9, hover=words)
    held = marks.points(AT[r.step], mean[r.step].round(2), CLIMBED, size=15, stroke=2.5, rim=BLACK, id="this C")
    grip = Handle("step", AT[r.step], mean[r.step], "x", AT)
    zero = [marks.rule(y=0, look=NAIVE_BAYES, width=2, id="zero"),
            marks.text(8.9, 0.1, "naive Bayes", place="left above", color=NAIVE_BAYES)]  # fmt: skip
    ticks = {at: f"{C:,g}" for at, C in enumerate(STRENGTHS) if at % 2 == 0}
    ticks.update(zip(AT[BEST:], ("best", "chosen"), strict=True))
    return marks.panel("Lead of logistic regression, points", zero, line, whiskers, dots, held, grip,
                       x=marks.axis(-0.5, AT[-1] + 0.6, "C: penalty strong to weak", ticks=ticks, grid=False),
                       y=marks.axis(-18, 8.5, ticks={-15: "−15", -10: "−10", -5: "−5", 0: "0", 5: "+5"}))  # fmt: skip


def name_ticks(wide: float) -> dict[float, str]:
    """Return ticks at 0 and near both ends of an axis from -wide to wide."""
    end = float(f"{0.8 * wide:.1g}")
    return {-end: f"−{end:g}", 0: "0", end: f"{end:g}"}


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
    x, y = (marks.axis(-each, each, f"by {name}", ticks=name_ticks(each))
            for each, name in zip(wide, ("naive Bayes", "logistic"), strict=True))  # fmt: skip
    return marks.panel("Weights in the first split", zeros, line, drawn, x=x, y=y)

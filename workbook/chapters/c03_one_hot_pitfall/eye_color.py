"""Chapter 03: what four columns say of one student's eyes: blond hair against another colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbcore.one_hot import log_q_factor
from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BITS, BLACK, CATEGORICAL, GREY, Q_FACTOR
from workbook.explorer.theme import Panel

from .columns import EYES, HAIRS, THETA, draw_columns, write_odds

__all__ = ["EyeColorExplorer"]

RIVALS, BLOND = HAIRS[:3], 3
ONCE = np.log(THETA[BLOND] / THETA[:3])  # (rivals, eyes) log odds for blond, counted once
TOGETHER = ONCE + log_q_factor(THETA)[BLOND] - log_q_factor(THETA)[:3]


@dataclass(frozen=True)
class Eyes:
    """Hold a student's eyes in four columns: log odds of blond against another hair colour."""

    eye: int
    rival: int

    @property
    def once(self) -> float:
        """Return the log odds of the eyes, counted once."""
        return float(ONCE[self.rival, self.eye])

    @property
    def together(self) -> float:
        """Return the log odds of all four columns."""
        return float(TOGETHER[self.rival, self.eye])

    @property
    def zeros(self) -> list[int]:
        """Return the places of the three columns that are 0."""
        return [eye for eye in range(4) if eye != self.eye]

    def favoured(self, log: float) -> str:
        """Return the hair colour that these log odds speak for."""
        return HAIRS[BLOND if log > 0 else self.rival]

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c03 proves it for all states."""
        once, together = write_odds(self.once), write_odds(self.together)
        if self.once * self.together < 0:
            now = f"{together} for {self.favoured(self.together)}"
            return f"Three zeros outvote the one: {once} for {self.favoured(self.once)}, now {now}"
        how = "repeat it" if abs(self.together) > abs(self.once) else "take some back"
        eyes = f"{EYES[self.eye].capitalize()} eyes"
        return f"{eyes}: the zeros {how}, {once} for {self.favoured(self.once)} becomes {together}"


class EyeColorExplorer(Explorer):
    """One student's eye colour in four columns: three zeros vote as well, for blond or for another hair colour."""

    eye = Steps(1, range(4), label="the eyes are", say=EYES.__getitem__)
    rival = Steps(1, range(3), label="blond or", say=RIVALS.__getitem__)

    presets: ClassVar = {
        "Blue eyes: blond?": Preset("Blue eyes speak for blond. Not brown, hazel or green: that says it again.", {}),
        "Green eyes": Preset("Green is a little more common among blond students. The three zeros turn that round.",
                             dict(eye=3)),
        "Black hair": Preset("Against black hair, blue eyes count four to one. Their columns make it ten to one.",
                             dict(rival=0)),
    }  # fmt: skip

    def compute(self, eye: int, rival: int) -> Eyes:
        return Eyes(int(eye), int(rival))

    def draw(self, result: Eyes) -> dict:
        number = write_odds(result.together), f"for {result.favoured(result.together)} hair"
        panels = votes_panel(result), all_eyes_panel(result)
        return marks.figure(*panels, finding=result.finding, number=number, widths=[1.2, 1], left=5)

    def describe(self, result: Eyes) -> str:
        r, (blond, other) = result, np.exp(log_q_factor(THETA))[[BLOND, result.rival], result.eye]
        said = f"all four columns say {write_odds(r.together)} for {r.favoured(r.together)}"
        return f"{r.finding}. Q is {blond:.3f} for blond and {other:.3f} for {HAIRS[r.rival]}: {said}."

    def explain(self, result: Eyes) -> Sequence[Part]:
        r, sides = result, [BLOND, result.rival]
        shares, zeros = THETA[sides, r.eye], np.exp(log_q_factor(THETA))[sides, r.eye]
        parts = [Over([Term(f"{blond:.3f}", f"{name} blond")], [Term(f"{other:.3f}", f"{name} {RIVALS[r.rival]}")])
                 for name, (blond, other) in (("θ", shares), ("Q", zeros))]  # fmt: skip
        once = Term(f"{np.exp(r.once):.2f}", "counted once", "counted once", CATEGORICAL)
        return [parts[0], "·", parts[1], "=", once, "·", Term(f"{zeros[0] / zeros[1]:.2f}", "the zeros"), "=",
                Term(f"{np.exp(r.together):.2f}", "odds of blond", "all columns", BITS)]  # fmt: skip


def votes_panel(r: Eyes) -> Panel:
    """Draw a bar for each of the four columns."""
    c, d = THETA[BLOND], THETA[r.rival]
    zeros = [float(np.log((1 - c[eye]) / (1 - d[eye]))) for eye in r.zeros]
    names = [f"{EYES[r.eye]} 1", *(f"{EYES[eye]} 0" for eye in r.zeros)]
    return draw_columns(names, [r.once, *zeros], r.once, odds_axis(r))


def all_eyes_panel(r: Eyes) -> Panel:
    """Draw the odds for each eye colour, counted once and in four columns."""
    y, once, together = np.arange(4)[::-1], ONCE[r.rival], TOGETHER[r.rival]
    said = [f"{eye} eyes: {write_odds(log)} for {r.favoured(log)}" for log, eye in zip(together, EYES, strict=True)]
    said_once = [f"{eye} eyes, counted once: {write_odds(log)}" for log, eye in zip(once, EYES, strict=True)]
    ways = [marks.line([a, b], [row, row], Q_FACTOR, width=3) for a, b, row in zip(once, together, y, strict=True)]
    dots = (marks.points(once, y, CATEGORICAL, size=9, symbol="diamond", name="counted once", hover=said_once),
            marks.points(together, y, BITS, size=9, name="all columns", hover=said),
            marks.points(r.together, y[r.eye], BITS, size=14, stroke=2, rim=BLACK, id="all columns"))  # fmt: skip
    grip = Handle("eye", r.together, y[r.eye], "xy", np.column_stack([together, y]))
    zero = marks.rule(x=0, look=GREY, width=1)
    return marks.panel("Every eye colour", zero, ways, dots, grip, x=odds_axis(r), y=marks.named_axis(EYES[::-1]))


def odds_axis(r: Eyes) -> dict:
    """Return an axis of log odds, the same for all eyes."""
    low, high = min(0, TOGETHER[r.rival].min()) - 1.3, max(0, TOGETHER[r.rival].max()) + 1.3
    ticks = {side * np.log(n): f"{n} : 1" for n in (3, 10) for side in (-1, 1) if low < side * np.log(n) < high}
    return marks.axis(low, high, f"← for {HAIRS[r.rival]} · odds · for blond →", ticks={0.0: "even", **ticks})

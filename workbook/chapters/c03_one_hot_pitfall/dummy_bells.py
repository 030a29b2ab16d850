"""Chapter 03, deeper page: GaussianNB on columns of 0 and 1: a bell for each, high where it is narrow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import signed, written
from workbook.explorer.formula import Part, Term
from workbook.explorer.palette import BITS, BLACK, CLASSES
from workbook.explorer.theme import Panel

from .columns import EYES, HAIRS, THETA, draw_columns, write_odds

__all__ = ["DummyBellsExplorer"]

BROWN, RIVALS = 1, (0, 2, 3)
X = np.linspace(-0.6, 1.6, 111)


def log_bell(x, p):
    """Return the log density at x of the bell that GaussianNB fits to a column with a share p of ones."""
    return -((x - p) ** 2) / (2 * p * (1 - p)) - np.log(2 * np.pi * p * (1 - p)) / 2


@dataclass(frozen=True)
class Bells:
    """Hold a student's eyes as four columns of 0 and 1, each with a bell for brown hair and one for another colour."""

    eye: int
    rival: int
    column: int

    @property
    def steps(self) -> np.ndarray:
        """Return the log odds of each column for the rival, (4,), the column that is 1 first."""
        bits = np.eye(4)[self.eye]
        odds = log_bell(bits, THETA[self.rival]) - log_bell(bits, THETA[BROWN])
        return np.concatenate([odds[[self.eye]], np.delete(odds, self.eye)])

    @property
    def once(self) -> float:
        """Return the log odds of the eyes as one variable."""
        return float(np.log(THETA[self.rival, self.eye] / THETA[BROWN, self.eye]))

    def favoured(self, log: float) -> str:
        """Return the hair colour that these log odds speak for."""
        return HAIRS[self.rival if log > 0 else BROWN]

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c03 proves it for all states."""
        once, together = self.once, float(self.steps.sum())
        turned = f" for {self.favoured(together)}" if once * together < 0 else ""
        return f"By four bells {write_odds(once)} for {self.favoured(once)} becomes {write_odds(together)}{turned}"


class DummyBellsExplorer(Explorer):
    """GaussianNB on one-hot columns: what four bells say of brown hair against another colour."""

    eye = Steps(0, range(4), label="the eyes are", say=EYES.__getitem__)
    rival = Steps(0, RIVALS, label="brown or", say=HAIRS.__getitem__)
    column = Steps(3, range(4), label="bells of", say=EYES.__getitem__)

    presets: ClassVar = {
        "Brown eyes, black hair": Preset("Few black-haired students have green eyes: a narrow, high bell at 0.", {}),
        "Green eyes, red hair": Preset("A 1 for green lies far out on the bell of brown hair, less far on that of red.",
                                       dict(eye=3, rival=2)),
        "Blue eyes, blond hair": Preset("The bells say it far more loudly than the counts, and than the bits.",
                                         dict(eye=1, rival=3, column=1)),
    }  # fmt: skip

    def compute(self, eye: int, rival: int, column: int) -> Bells:
        return Bells(int(eye), int(rival), int(column))

    def draw(self, result: Bells) -> dict:
        total = float(result.steps.sum())
        number = write_odds(total), f"for {result.favoured(total)} hair"
        return marks.figure(votes_panel(result), bells_panel(result), finding=result.finding, number=number, left=5)

    def describe(self, result: Bells) -> str:
        r = result
        heights = np.exp(log_bell(float(r.column == r.eye), THETA[[r.rival, BROWN], r.column]))
        high = " and ".join(written(height) for height in heights)
        return (f"{r.finding}. At {int(r.column == r.eye)} the bells of {EYES[r.column]} are {high} high, for "
                f"{HAIRS[r.rival]} and brown hair.")  # fmt: skip

    def explain(self, result: Bells) -> Sequence[Part]:
        first, *others = result.steps
        parts: list[Part] = [Term(signed(first), f"{EYES[result.eye]} 1")]
        for eye, step in zip((eye for eye in range(4) if eye != result.eye), others, strict=True):
            parts += ["+" if step >= 0 else "−", Term(f"{abs(step):.2f}", f"{EYES[eye]} 0")]
        return [*parts, "=", Term(signed(result.steps.sum()), "log odds", "all columns", BITS)]


def votes_panel(r: Bells) -> Panel:
    """Draw a bar for each of the four columns."""
    names = [f"{EYES[r.eye]} 1", *(f"{eye} 0" for k, eye in enumerate(EYES) if k != r.eye)]
    ends = [r.once, 0, *np.cumsum(r.steps)]
    room = 0.3 * np.ptp(ends)
    low, high = min(ends) - room, max(ends) + room
    odds = [n for n in (10, 100, 10_000) if np.log(n) > room / 3]
    ticks = {side * np.log(n): f"{n:,} : 1" for n in odds for side in (-1, 1) if low < side * np.log(n) < high}
    x = marks.axis(low, high, f"← for brown · odds · for {HAIRS[r.rival]} →", ticks={0.0: "even", **ticks})
    return draw_columns(names, r.steps, r.once, x)


def bells_panel(r: Bells) -> Panel:
    """Draw the bells of one column for both hair colours, and their heights at the bit that was seen."""
    bit, drawn = float(r.column == r.eye), []
    for look, hair in zip(CLASSES, (BROWN, r.rival), strict=False):
        p, name = THETA[hair, r.column], f"{HAIRS[hair]} hair"
        drawn += [marks.line(X, np.exp(log_bell(X, p)), look, width=3, name=name, hover=f"{name}: {{y:.3f}}"),
                  marks.points(bit, float(np.exp(log_bell(bit, p))), look, size=11, stroke=1, rim=BLACK,
                               hover=f"{name}, at {bit:g}: {{y:.4f}}")]  # fmt: skip
    pair = THETA[[BROWN, r.rival], r.column]
    x = marks.axis(-0.6, 1.6, "value of the bit", ticks=[0, 1])
    y = marks.axis(0, 1.1 * float(np.exp(log_bell(pair, pair)).max()), ticks=3)
    return marks.panel(f"Bells of the column {EYES[r.column]}", marks.rule(x=bit, width=1), drawn, x=x, y=y)

"""Chapter 09: what EM climbs and what it is judged by, on digits: few have a label, the star is told all labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.fitting import Work
from workbook.explorer.formatting import signed, typeset
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BEFORE, BLACK, HIDDEN, TRUTH, Look
from workbook.explorer.theme import Panel

from .experiment import SIZES, SPLITS, TEST, Climb, climb, climbs, plus_minus

__all__ = ["ClimbExplorer"]

KINDS = "real", "drawn"
SHOWN = (0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 40, 60)  # steps of EM
ENDS = {"real": (-6, 12), "drawn": (-3, 24)}  # points: of the axis of gains
NATS = {-5000: "−5,000", -500: "−500", -50: "−50", 0: "star", 50: "50", 500: "500"}


@dataclass(frozen=True)
class Place:
    """Hold one step of EM with some labels, a mean of many splits, and what EM adds there with other labels."""

    step: int  # one of SHOWN
    labels: int
    kind: str  # of the digits
    run: Climb
    gains: np.ndarray  # (6, 2) points that EM has added after this step, and half their interval, for each of SIZES

    @property
    def at(self) -> int:
        """Return where the step stands among SHOWN."""
        return SHOWN.index(self.step)

    @property
    def right(self) -> list[int]:
        """Return how many of the unseen digits of all splits are right after each of SHOWN."""
        return [round(TEST * self.run.accuracy[:, step].sum()) for step in SHOWN]

    @property
    def path(self) -> np.ndarray:
        """Return the mean accuracy in percent and the mean nats above the star after each of SHOWN, (14, 2)."""
        return np.column_stack([100 * self.run.accuracy.mean(axis=0), self.run.above.mean(axis=0)])[list(SHOWN)]

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c09 proves it for all states."""
        nats, points = round(self.path[self.at, 1]), round(self.gains[SIZES.index(self.labels), 0], 1)
        where = f"{abs(nats):,} nats {'above' if nats > 0 else 'below'} the star" if nats else "Level with the star"
        if not self.step:
            return f"The {self.labels} labels alone: {where}"
        change = f"{abs(points)} points {'up' if points > 0 else 'down'}" if points else "unchanged"
        return f"Step {self.step}: {where[0].lower()}{where[1:]}, accuracy {change}"


class ClimbExplorer(Explorer):
    """EM with Bernoulli naive Bayes on 1,000 digits: it climbs past the model of all labels, and may get worse."""

    step = Steps(1, SHOWN, label="EM step", say="{:d}".format)
    labels = Steps(80, SIZES, label="labels", say="{:d}".format)
    drawn = Steps(0, range(2), label="digits", say=KINDS.__getitem__)

    presets: ClassVar = {
        "80 labels": Preset("One step, and more digits are right than by the labels alone.", {}),
        "60 steps": Preset("EM climbs on. Now fewer are right than without it.", dict(step=60)),
        "20 labels": Preset("Few labels: some of the gain is left.", dict(step=60, labels=20)),
        "320 labels": Preset("One step, and EM is above the model that is told all labels.", dict(labels=320)),
        "Drawn digits": Preset("The model drew these itself: EM climbs to the side of the star.",
                               dict(step=60, drawn=1), after="09/true-model"),
    }  # fmt: skip

    def pending(self, step: int, labels: int, drawn: int) -> Work | None:
        return climbs.work(bool(drawn))

    def compute(self, step: int, labels: int, drawn: int) -> Place:
        gained = [100 * climb(n, bool(drawn)).gain[:, step] for n in SIZES]
        gains = np.array([(gain.mean(), plus_minus(gain)) for gain in gained])
        return Place(step, labels, KINDS[drawn], climb(labels, bool(drawn)), gains)

    def draw(self, result: Place) -> dict:
        number = (f"{result.path[result.at, 0]:.1f} %", f"of unseen digits right, {SPLITS} splits")
        return marks.figure(climb_panel(result), gains_panel(result), finding=result.finding, number=number)

    def describe(self, result: Place) -> str:
        r, star = result, 100 * result.run.star.mean()
        right = f"{r.path[r.at, 0]:.1f} % of unseen {r.kind} digits right"
        return f"{r.finding}. {right}, {r.path[0, 0]:.1f} % by {r.labels} labels alone, {star:.1f} % by the star."

    def explain(self, result: Place) -> Sequence[Part]:
        r, (gain, half) = result, result.gains[SIZES.index(result.labels)]
        now = Term(f"{r.right[r.at]:,}", f"right after step {r.step}", mark="now", color=HIDDEN)
        before = Term(f"{r.right[0]:,}", f"by {r.labels} labels alone")
        luck = Term(f"{half / 100:.4f}", "luck of the splits")
        share = Over([now, "−", before], [Term(f"{SPLITS * TEST:,}", "answers")])
        return ["gain of EM =", share, "=", Term(typeset(f"{gain / 100 + 0.0:.4f}"), "gain"), "±", luck]


def stretch(nats: ArrayLike) -> np.ndarray:
    """Return where nats above the star stand on their axis: about linear up to 50, logarithmic beyond."""
    return np.arcsinh(np.divide(nats, 50))


def climb_panel(r: Place) -> Panel:
    """Draw the objective after each step against what is right; the star is the model that is told all labels."""
    (x, nats), star, at = r.path.T, 100 * r.run.star.mean(), r.at
    said = [f"step {t}: {a:.1f} % right, {signed(b, 0)} nats" for t, a, b in zip(SHOWN, x, nats, strict=True)]
    y, wide = stretch(nats), np.ptp([*x, star])
    side, shift = ("left", -0.02) if x[0] > (x.min() + star) / 2 else ("right", 0.02)
    return marks.panel(
        "Nats above the star, against what is right",
        marks.rule(y=0, look=Look(TRUTH, dash="dot")), marks.line(x, y, BEFORE, size=5, hover=said),
        marks.line(x[: at + 1], y[: at + 1], HIDDEN, width=4),
        marks.points(star, 0, Look(TRUTH, "star"), size=17, hover=f"told all labels: {star:.1f} % right"),
        marks.text(star, -0.3, "all labels", place="below", color=TRUTH),
        marks.text(x[0] + shift * wide, y[0], f"{r.labels} labels", place=side),
        marks.points(x[at], y[at], HIDDEN, size=13, stroke=2, rim=BLACK, id="now", hover=said[at]),
        Handle("step", x[at], y[at], "xy", np.column_stack([x, y])),
        x=marks.axis(min(*x, star) - 0.1 * wide, max(*x, star) + 0.15 * wide, "% of unseen digits right", ticks=4),
        y=marks.axis(min(y) - 0.7, max(y) + 0.7, ticks={float(stretch(at)): words for at, words in NATS.items()}),
    )  # fmt: skip


def gains_panel(r: Place) -> Panel:
    """Draw what EM has added by this step for each number of labels, each with its 95 % interval."""
    at, here, (gain, half) = np.arange(len(SIZES)), SIZES.index(r.labels), r.gains.T
    ends = np.stack([gain - half, gain + half, np.full(len(SIZES), np.nan)], axis=1).ravel()
    (low, high), words = ENDS[r.kind], f"{signed(gain[here], 1)} ± {half[here]:.1f}"
    away, place = (1, "above") if gain[here] >= 0 else (-1, "below")  # from the zero line
    said = [f"{n} labels: {signed(g, 1)} ± {h:.1f} points" for n, g, h in zip(SIZES, gain, half, strict=True)]
    return marks.panel(
        f"Points that EM adds, step {r.step}", marks.rule(y=0, look=BEFORE, width=2),
        marks.line(np.repeat(at, 3), ends, HIDDEN, width=3), marks.points(at, gain, HIDDEN, size=9, hover=said),
        marks.points(here, gain[here], HIDDEN, size=14, stroke=2, rim=BLACK, hover=said[here]),
        marks.text(here, gain[here] + away * (half[here] + 0.03 * (high - low)), words, place=place),
        Handle("labels", here, gain[here], "xy", np.column_stack([at, gain])),
        x=marks.axis(-0.6, len(SIZES) - 0.4, "labels", ticks=dict(enumerate(map(str, SIZES)))),
        y=marks.axis(low, high, ticks=5),
    )  # fmt: skip

"""Page 07b: why EM never goes down. A lower bound that touches the log likelihood, and its top, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import typeset
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BLACK, BOUND, HELD, HIDDEN, Look
from workbook.explorer.theme import Panel

from .bound import STEPS, Climb, climb, log_likelihood, lower_bound

__all__ = ["DOCUMENTS", "THETA", "LowerBoundExplorer"]

DOCUMENTS = 1, 2, 8, 9, 9  # tokens f1 of ten in each
THETA = np.linspace(0.02, 0.98, 97)
CURVE = log_likelihood(THETA, DOCUMENTS)
STARTS = np.round(np.arange(0.04, 0.97, 0.04), 2).tolist()
STILL = 0.005  # a smaller gain prints as 0.00


@dataclass(frozen=True)
class Bound:
    """Hold the log likelihood and its bound at one step of a run of EM."""

    step: int
    run: Climb
    bound: np.ndarray  # (97,) along THETA

    @property
    def now(self) -> tuple[float, float]:
        """Return where the bound touches: theta and the log likelihood."""
        return float(self.run.theta[self.step]), float(self.run.log_likelihood[self.step])

    @property
    def next(self) -> tuple[float, float, float]:
        """Return the bound's top: theta, the height of the bound, and the log likelihood there."""
        at = self.step + 1
        return float(self.run.theta[at]), float(self.run.top[self.step]), float(self.run.log_likelihood[at])

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c07_bound proves it for all states."""
        _, top, reached = self.next
        if reached - self.now[1] < STILL:
            return "At a summit: the bound has its top where it touches"
        return f"The bound rises by {top - self.now[1]:.2f}, the log likelihood by {reached - self.now[1]:.2f}"


class LowerBoundExplorer(Explorer):
    """The log likelihood of one free number, and the bound that EM climbs: Carlos & Rakshit (2016), eq. (5) to (7)."""

    step = Steps(0, range(STEPS + 1), label="step of EM", say="{:d}".format)
    start = Steps(0.6, STARTS, label="start", say="{:.2f}".format)

    presets: ClassVar = {
        "Before a step": Preset("The step goes to the bound's top; the log likelihood is higher still.", {}),
        "The higher summit": Preset("At a summit the bound has its own top there.", dict(step=STEPS)),
        "The lower summit": Preset("A start left of the valley sees no further.", dict(start=0.4, step=STEPS)),
    }

    def compute(self, step: int, start: float) -> Bound:
        run = climb(start, DOCUMENTS)
        return Bound(step, run, lower_bound(THETA, run.responsibility[step], DOCUMENTS))

    def draw(self, result: Bound) -> dict:
        number = (f"{result.next[2] - result.now[1]:.2f}", "gained by the next step")
        return marks.figure(curves_panel(result), path_panel(result), finding=result.finding, number=number,
                            widths=[1.7, 1])  # fmt: skip

    def describe(self, result: Bound) -> str:
        (theta, height), (after, _, reached) = result.now, result.next
        return (f"{result.finding}. Step {result.step}: θ = {theta:.3f}, log likelihood {typeset(f'{height:.3f}')}; "
                f"then θ = {after:.3f}, {typeset(f'{reached:.3f}')}.")  # fmt: skip

    def explain(self, result: Bound) -> Sequence[Part]:
        _, top, reached = result.next
        gap = Term(f"{abs(round(reached, 3) - round(top, 3)):.3f}", "Σ KL(r | new r)", "KL")
        return ["at the bound's top:", Term(typeset(f"{reached:.3f}"), "log likelihood", "reached"), "=",
                Term(typeset(f"{top:.3f}"), "bound", "top", BOUND), "+", gap]  # fmt: skip


def height_axis() -> dict:
    """Return the axis of both panels, from below the lowest log likelihood to above the highest."""
    low, high = CURVE.min(), CURVE.max()
    return marks.axis(low - 0.2 * (high - low), high + 0.15 * (high - low), ticks=5)


def curves_panel(r: Bound) -> Panel:
    """Draw the log likelihood and its bound, where they touch, the bound's top, and what is above it."""
    (theta, height), (after, top, reached) = r.now, r.next
    start, first = float(r.run.theta[0]), float(r.run.log_likelihood[0])
    places = np.column_stack([STARTS, log_likelihood(np.array(STARTS), DOCUMENTS)])
    drawn = [
        marks.line(THETA, CURVE, HIDDEN, width=4, name="log likelihood", hover="log likelihood {y:.3f} at θ = {x:.2f}"),
        marks.line(THETA, r.bound, Look(BOUND, dash="dash"), width=3, name="its lower bound", hover="bound {y:.3f}"),
        marks.points(start, first, HELD, size=20, rim=BLACK, stroke=2, hover="the start"),
        marks.line([after, after], [top, reached], BLACK, width=3, id="KL", hover=f"{reached - top:.3f} between"),
        marks.points(after, reached, HIDDEN, symbol="circle-open", size=11, stroke=3, id="reached",
                     hover="log likelihood after the step: {y:.3f}"),
        marks.points(theta, height, HIDDEN, symbol="diamond", size=12, rim=BLACK, stroke=2,
                     hover="here the bound touches: {y:.3f}"),
        marks.points(after, top, BOUND, symbol="triangle-up", size=12, rim=BLACK, stroke=1.5, id="top",
                     hover="the bound's top: {y:.3f}"),
    ]  # fmt: skip
    return marks.panel("Five documents, one free number", drawn, Handle("start", start, first, "xy", places=places),
                       x=marks.axis(0, 1, "θ = P(f₁|h₁,c)", ticks=[0, 0.2, 0.4, 0.6, 0.8, 1]),
                       y=height_axis())  # fmt: skip


def path_panel(r: Bound) -> Panel:
    """Draw the log likelihood after each step."""
    steps = np.arange(STEPS + 1)
    path = marks.line(steps, r.run.log_likelihood[:-1], HIDDEN, width=3, size=7, hover="step {x}: {y:.3f}")
    here = marks.points(r.step, r.now[1], HIDDEN, symbol="diamond", size=13, rim=BLACK, stroke=2, hover="now {y:.3f}")
    return marks.panel("Step by step", path, here, Handle("step", r.step, r.now[1]),
                       x=marks.axis(-0.5, STEPS + 0.5, "step", ticks=[0, 2, 4, 6, 8]), y=height_axis())  # fmt: skip

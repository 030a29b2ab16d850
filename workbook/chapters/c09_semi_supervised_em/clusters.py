"""Chapter 09: four labelled dots and 200 others in a plane, EM step by step, and a truth that EM never sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from nbcore.naive_bayes import GaussianNB
from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import typeset
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BEFORE, BLACK, CLASSES, HIDDEN, TRUTH, WRONG, Look
from workbook.explorer.theme import Panel

from .experiment import PLANE_LABELS, PLANE_STEPS, crossing, plane_dots, plane_run

__all__ = ["ClustersExplorer"]

DOTS, LABELLED = plane_dots(), np.array(PLANE_LABELS)  # (200, 2); (4, 3), the class last
LEFT, RIGHT, LOW, HIGH = -3.4, 3.6, -3.0, 3.0  # the map
ACROSS, UP = np.linspace(LEFT, RIGHT, 36), np.linspace(LOW, HIGH, 31)
GRID = np.stack(np.meshgrid(ACROSS, UP), axis=-1).reshape(-1, 2)
STEPS, CUTS = list(range(PLANE_STEPS + 1)), np.round(np.arange(0, 2.01, 0.1), 1).tolist()
LEAST = 0.01  # nats below the top, where what is nearer is drawn


@lru_cache(maxsize=32)
def after(step: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the map's log odds of class 1 after a step (31, 36), the decisions (200,), and where the boundary runs."""
    model = plane_run().models_[step]
    log_odds = np.diff(model.predict_joint_log_proba(GRID))[:, 0].reshape(len(UP), len(ACROSS))
    return (log_odds / 8).round(3), model.predict(DOTS) == 1, crossing(model)


def teach(cut: float) -> tuple[int, float]:
    """Return how many dots the same model has right that is told the class of each, and the objective there."""
    X, y = np.vstack([LABELLED[:, :2], DOTS]), np.concatenate([LABELLED[:, 2], DOTS[:, 0] > cut])
    joint = GaussianNB().fit(X, y).predict_joint_log_proba(X)
    known, others = joint[range(len(LABELLED)), LABELLED[:, 2].astype(int)], joint[len(LABELLED) :]
    return int(np.sum(others.argmax(axis=1) == y[len(LABELLED) :])), known.sum() + np.logaddexp(*others.T).sum()


def below_top(objective: ArrayLike) -> np.ndarray:
    """Return how many nats an objective lies below the end of EM's climb, at least LEAST."""
    return np.maximum(plane_run().log_likelihood_path_[-1] - objective, LEAST)


@dataclass(frozen=True)
class Plane:
    """Hold one step of EM in the plane, judged by where the truth cuts."""

    step: int
    cut: float
    counts: np.ndarray  # (21,) how many dots are right after each step
    taught: tuple[int, float]  # see `teach`

    @property
    def gain(self) -> int:
        """Return how many more dots are right than by the four labels alone."""
        return int(self.counts[self.step] - self.counts[0])

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c09 proves it for all states."""
        if self.step == 0:
            return "Four labels: the boundary runs half-way between them"
        more, verb = "more" if self.gain > 0 else "fewer", "is" if abs(self.gain) == 1 else "are"
        change = f"{abs(self.gain)} {more} {verb} right" if self.gain else "as many are right as before"
        return f"EM moves the boundary left, and {change}"


class ClustersExplorer(Explorer):
    """EM with Gaussian naive Bayes, four labels kept: the clusters decide where the boundary goes, not the truth."""

    step = Steps(0, STEPS, label="EM step", say="{:g}".format)
    cut = Steps(1.4, CUTS, label="truth at", say="{:g}".format)

    presets: ClassVar = {
        "Four labels": Preset("Four dots have a label. Naive Bayes cuts about half-way between them.", {}),
        "A class cuts a cluster": Preset("EM leads the boundary away from the truth.", dict(step=12)),
        "Classes = clusters": Preset("The same dots and steps. Only the truth moved.", dict(step=12, cut=0)),
    }  # fmt: skip

    def compute(self, step: int, cut: float) -> Plane:
        truth = DOTS[:, 0] > cut
        return Plane(step, cut, np.array([np.sum(after(t)[1] == truth) for t in STEPS]), teach(cut))

    def draw(self, result: Plane) -> dict:
        number = (f"{result.counts[result.step] / 2:g} %", "of 200 dots right")
        return marks.figure(plane_panel(result), path_panel(result), finding=result.finding, number=number)

    def describe(self, result: Plane) -> str:
        r = result
        where = f"Step {r.step}: boundary at x₁ = {typeset(f'{after(r.step)[2]:.2f}')}, truth at {r.cut:g}"
        counts = f"{r.counts[r.step]} of 200 dots right, {r.counts[0]} by four labels, {r.taught[0]} by all"
        return f"{r.finding}. {where}. {counts}."

    def explain(self, result: Plane) -> Sequence[Part]:
        r = result
        now = Term(f"{r.counts[r.step]}", f"after step {r.step}", mark="now", color=HIDDEN)
        change = Over([now, "−", Term(f"{r.counts[0]}", "by four labels")], [Term("200", "dots")])
        return ["gain of EM =", change, "=", Term(typeset(f"{r.gain / 200:.3f}"))]


def plane_panel(r: Plane) -> Panel:
    """Draw the dots as they are decided, wrong ones crossed, with the boundary now and before EM, and the truth."""
    log_odds, second, edge = after(r.step)
    wrong = DOTS[second != (DOTS[:, 0] > r.cut)]
    dots = [marks.points(*DOTS[second == c].T, CLASSES[c], size=6, opacity=0.75,
                         hover=f"a dot without a label, given to class {c}") for c in (0, 1)]  # fmt: skip
    four = [marks.points(x, y, CLASSES[c], size=14, rim=BLACK, stroke=2, hover=f"label {c}")
            for x, y, c in PLANE_LABELS]  # fmt: skip
    side, shift = ("right", 0.2) if edge <= r.cut else ("left", -0.2)  # beside the handle
    return marks.panel(
        "204 dots, four with a label", dots,
        marks.points(*wrong.T, WRONG, symbol="x-thin", stroke=2, rim=WRONG, hover="wrong"),
        marks.contour(ACROSS, UP, after(0)[0], Look(BEFORE, dash="dot")) if r.step else [],
        marks.contour(ACROSS, UP, log_odds, HIDDEN, width=4), marks.rule(x=r.cut, look=TRUTH, width=3), four,
        marks.text(edge - 0.1, LOW, f"step {r.step}", place="left above", color=HIDDEN) if r.step else [],
        marks.text(after(0)[2] + 0.1, LOW, "four labels", place="right above", paper="white"),
        marks.text(r.cut + shift, HIGH, "truth", place=f"{side} below", color=TRUTH),
        Handle("cut", r.cut, LOW / 2, shape="line", places=np.array(CUTS)),
        x=marks.axis(LEFT, RIGHT, "x₁", ticks=[-2, 0, 2]), y=marks.axis(LOW, HIGH, "x₂", ticks=[-2, 0, 2]), equal=True,
    )  # fmt: skip


def path_panel(r: Plane) -> Panel:
    """Draw what EM climbs against the dots that are right, step by step; the star is the model of all labels."""
    x, y = r.counts / 2, below_top(plane_run().log_likelihood_path_)
    said = [f"step {t}: {percent:g} % right" for t, percent in enumerate(x)]
    star, right = below_top(r.taught[1]), r.taught[0] / 2
    return marks.panel(
        "What EM climbs, against what is right",
        marks.line(x, y, BEFORE, width=2, size=5, hover=said),
        marks.line(x[: r.step + 1], y[: r.step + 1], HIDDEN, width=4),
        marks.points(right, star, Look(TRUTH, "star"), size=26, hover=f"told all labels: {right:g} % right"),
        marks.text(right - 2.2, star, "all labels", place="left", color=TRUTH),
        marks.points(x[r.step], y[r.step], HIDDEN, size=13, stroke=2, rim=BLACK, id="now", hover=said[r.step]),
        Handle("step", x[r.step], y[r.step], "xy", np.column_stack([x, y])),
        x=marks.axis(58, 103, "% of the dots right", ticks=[60, 70, 80, 90, 100]),
        y=marks.axis(3000, 0.004, log=True, ticks={LEAST: "top"}),
    )  # fmt: skip

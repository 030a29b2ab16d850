"""Chapter 09: four labelled dots and 200 others in a plane, EM step by step, and a truth that EM never sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from nbcore.semi_supervised import SemiSupervisedNB
from workbook.explorer import marks, palette
from workbook.explorer.controls import FloatSlider, IntSlider, Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import typeset
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import CLASSES, Look
from workbook.explorer.theme import Panel

from .experiment import PLANE_LABELS, PLANE_STEPS, crossing, plane_dots, plane_run
from .paths import levels, path, steps_axis

__all__ = ["ClustersExplorer"]

LEFT, RIGHT, LOW, HIGH = -3.6, 4.4, -3.0, 3.0  # the map
ACROSS, UP = np.linspace(LEFT, RIGHT, 81), np.linspace(LOW, HIGH, 61)
TONES = palette.CLASS_COLORS[0], palette.GREY, palette.CLASS_COLORS[1]  # of a share of class 1: 0, a half, 1
GRID = np.stack(np.meshgrid(ACROSS, UP), axis=-1).reshape(-1, 2)


@lru_cache(maxsize=32)  # 21 numbers a dot, and 21 places: 40 KB each
def decisions(apart: float, weight: float) -> tuple[np.ndarray, np.ndarray]:
    """Whether each dot is given to class 1 after each step, (21, 200), and where the boundary crosses x2 = 0, (21,)."""
    models = plane_run(apart / 2, weight).models_
    return np.array([m.predict(plane_dots(apart / 2)) == 1 for m in models]), np.array([crossing(m) for m in models])


@dataclass(frozen=True)
class Plane:
    """The result: one step of EM in the plane, judged by where the truth cuts."""

    step: int
    cut: float
    apart: float  # the clusters' centres
    weight: float
    run: SemiSupervisedNB
    dots: np.ndarray  # (200, 2)
    right: np.ndarray  # (21, 200) bool, after each step
    crosses: np.ndarray  # (21,) where the boundary crosses x2 = 0
    log_odds: tuple[np.ndarray, np.ndarray]  # (61, 81) each, of class 1: labels alone, and after the step

    @property
    def share(self) -> np.ndarray:
        """(200,) of each dot, how much goes to class 1 in the step after this one."""
        return self.run.models_[self.step].predict_proba(self.dots)[:, 1]

    @property
    def counts(self) -> np.ndarray:
        """(21,) how many of the dots are right."""
        return self.right.sum(axis=1)


class ClustersExplorer(Explorer):
    """EM with Gaussian naive Bayes, four labels kept: the clusters decide where the boundary goes, not the truth."""

    step = IntSlider(0, 0, PLANE_STEPS, label="EM step")
    cut = FloatSlider(0.0, 0, 2, step=0.1, label="truth at")
    apart = FloatSlider(3.0, 1, 4, step=0.5, label="apart")
    weight = Steps(1.0, (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0), label="lambda", say="{:g}".format)

    presets: ClassVar = {
        "Four labels": Preset("Four dots have a label. Naive Bayes cuts about half way between them.", {}),
        "Classes = clusters": Preset(
            "Step by step the boundary moves into the gap. If each cluster is a class, that is where it belongs.",
            dict(step=PLANE_STEPS),
        ),
        "A class cuts a cluster": Preset(
            "The same dots, the same labels, the same steps. Only the truth is another one, and EM cannot see it.",
            dict(step=PLANE_STEPS, cut=1.4),
        ),
        "A quiet drawer": Preset(
            "With lambda = 0.02 all 200 dots together weigh as much as the four: the boundary hardly moves.",
            dict(step=PLANE_STEPS, cut=1.4, weight=0.02),
        ),
    }

    def compute(self, step, cut, apart, weight) -> Plane:
        run, dots = plane_run(apart / 2, weight), plane_dots(apart / 2)
        says, crosses = decisions(apart, weight)
        ends = (
            np.diff(run.models_[t]._joint_log_likelihood(GRID))[:, 0].reshape(len(UP), len(ACROSS)) for t in (0, step)
        )
        return Plane(step, cut, apart, weight, run, dots, says == (dots[:, 0] > cut), crosses, tuple(ends))

    def draw(self, result):
        return marks.figure(plane_panel(result), accuracy_panel(result), widths=[1.5, 1])

    def describe(self, result) -> str:
        r = result
        here = r.crosses[r.step]
        crosses = "nowhere between the labels" if np.isnan(here) else f"at x₁ = {typeset(f'{here:.2f}')}"
        return (
            f"Clusters {r.apart:g} apart, lambda = {r.weight:g}, true boundary at {r.cut:g}. After step {r.step} "
            f"the boundary crosses the middle {crosses}; {r.counts[r.step]} of 200 dots are on the right "
            f"side of it, {r.counts[0]} by the four labels alone."
        )

    def explain(self, result) -> Sequence[Part]:
        r = result
        now = Term(f"{r.counts[r.step]}", f"right after step {r.step}", mark="accuracy", color=palette.HIDDEN)
        before = Term(f"{r.counts[0]}", "right by four labels alone", mark="labels alone", color=palette.BEFORE)
        gain = Term(typeset(f"{(r.counts[r.step] - r.counts[0]) / 200:.3f}"), "gain in accuracy")
        return ["gain of EM =", Over([now, "−", before], [Term("200", "dots")]), "=", gain]


def tones(share) -> list[str]:
    """The colour of each dot: of a class that it is sure of, the greyer the less."""
    parts = np.array([[int(tone[i : i + 2], 16) for i in (1, 3, 5)] for tone in TONES])
    mixed = np.rint([np.interp(share, (0, 0.5, 1), part) for part in parts.T]).astype(int)
    return [f"#{red:02X}{green:02X}{blue:02X}" for red, green, blue in mixed.T]


def plane_panel(r: Plane) -> Panel:
    """Draw the dots in the colour of their share, wrong ones crossed, and three boundaries: now, labels alone, true."""
    right, share = r.right[r.step], r.share
    looks = [Look(tone, CLASSES[int(more)].symbol) for tone, more in zip(tones(share), share > 0.5, strict=True)]
    labelled = [[point[:2] for point in PLANE_LABELS if point[2] == c] for c in (0, 1)]
    return marks.panel(
        f"Solid: step {r.step}; dotted: labels alone",
        marks.points(*r.dots.T, looks, size=6, data=share,
                     hover="a dot without a label: {data:.2f} of it goes to class 1"),
        marks.points(*r.dots[~right].T, palette.WRONG, symbol="x-thin", stroke=2, rim=palette.WRONG, name="wrong"),
        marks.contour(ACROSS, UP, r.log_odds[0], Look(palette.BEFORE, dash="dot"), width=3),
        marks.contour(ACROSS, UP, r.log_odds[1], palette.HIDDEN, width=4),
        marks.line([r.cut] * 2, [LOW, HIGH], Look(palette.TRUTH, dash="dash"), width=3, name="the truth",
                   hover=f"the truth: class 1 lies to the right of {r.cut:g}"),
        [
            marks.points(*zip(*labelled[c], strict=True), CLASSES[c], size=13, stroke=2, rim=palette.BLACK,
                         name=f"class {c}", hover="a dot with the label {name}")
            for c in (0, 1)
        ],
        Handle("cut", r.cut, 0.0, shape="line"),
        x=marks.axis(LEFT, RIGHT, "x₁", ticks=[-2, 0, 2, 4], grid=False),
        y=marks.axis(LOW, HIGH, "x₂", ticks=[-2, 0, 2], grid=False),
        equal=True,
    )  # fmt: skip


def accuracy_panel(r: Plane) -> Panel:
    """Draw the share of the dots that are right after each step."""
    share = r.counts / 200
    alone = [(share[0], "labels alone", palette.BEFORE, "dot", "labels alone")]
    return marks.panel(
        "Accuracy",
        levels(PLANE_STEPS, alone, "of the dots right"),
        path(share, r.step, "accuracy", "%{y:.3f} of the dots right"),
        x=steps_axis(PLANE_STEPS),
        y=marks.axis(0.5, 1.03, ticks=6),
    )

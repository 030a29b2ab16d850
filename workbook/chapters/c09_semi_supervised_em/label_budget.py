"""Chapter 09: few labelled digits and many without, EM step by step: accuracy, objective, pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from nbcore.naive_bayes import BernoulliNB
from workbook.page import palette, theme
from workbook.page.controls import Choice, IntSlider, Steps, Toggle
from workbook.page.explorer import Explorer, Preset
from workbook.page.formula import Over, Part, Term
from workbook.page.handles import Handle
from workbook.page.numbers import typeset
from workbook.page.theme import Panel

from .experiment import LEARN, STEPS, TEST, Budget, all_labels, digit_split, label_budget

__all__ = ["LabelBudgetExplorer"]

LABELS = (10, 20, 40, 80, 160, 320, 640)
WEIGHTS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
REAL, IMAGINED = "real", "drawn from the model"
NOTHING = "rgba(0,0,0,0)"  # a mark to point at, over a picture
WIDE, HIGH = 9, 11  # cells from one image to the next, across and down


@dataclass(frozen=True)
class Step:
    """The result: one step of one run of EM, and the accuracy that all labels would give."""

    labels: int
    weight: float
    clamp: bool
    digits: str
    step: int
    run: Budget
    everything: float
    alone: np.ndarray  # (7,) accuracy of the labels alone, for each of LABELS

    @property
    def right(self) -> np.ndarray:
        """(11,) how many unseen digits are right after each step."""
        return np.rint(self.run.accuracy * TEST).astype(int)

    @property
    def images(self) -> np.ndarray:
        """(10, 8, 8): P(inked | digit) of every pixel; nan where no labelled digit of the class is there."""
        found = np.full((10, 64), np.nan)
        found[self.run.classes] = np.exp(self.run.models[self.step].feature_log_prob_)
        return found.reshape(10, 8, 8)


@lru_cache(maxsize=64)  # seven numbers each
def labels_alone(seed: int, imagined: bool) -> np.ndarray:
    """Accuracy on the unseen digits of what each number of labels teaches without EM."""
    X, y, X_test, y_test = digit_split(seed, imagined)
    return np.array([(BernoulliNB().fit(X[:n], y[:n]).predict(X_test) == y_test).mean() for n in LABELS])


class LabelBudgetExplorer(Explorer):
    """EM with labelled and unlabelled digits: Wikipedia, semi-supervised estimation; Nigam et al. (2000)."""

    step = IntSlider(STEPS, 0, STEPS, label="EM step")
    labels = Steps(20, LABELS, label="labels", say="{:d}".format)
    weight = Steps(1.0, WEIGHTS, label="lambda", say="{:g}".format)
    clamp = Toggle(True, label="keep labels")
    digits = Choice(REAL, [IMAGINED, REAL], label="digits")
    seed = IntSlider(0, 0, 19, label="seed")

    presets: ClassVar = {
        "Start: 20 labels": Preset(
            "Step 0: only the 20 labelled digits were counted. Two of a kind make a poor picture.", dict(step=0)
        ),
        "20 labels": Preset("Ten steps on: 980 digits nobody labelled have sharpened the pictures.", {}),
        "320 labels": Preset(
            "With 320 labels the objective rises just the same, and accuracy falls.", dict(labels=320)
        ),
        "Labels let go": Preset(
            "640 labels, used once and then replaced by guesses: the loop drifts away from what they said.",
            dict(labels=640, clamp=False),
        ),
        "lambda = 0.1": Preset("Ten unlabelled digits count as one labelled: the loss is gone.",
                               dict(labels=320, weight=0.1)),
        "If the model were true": Preset(
            "The pixels of these digits really are independent. Now EM gains, even with 320 labels.",
            dict(labels=320, digits=IMAGINED),
        ),
    }  # fmt: skip

    def compute(self, step, labels, weight, clamp, digits, seed) -> Step:
        imagined = digits == IMAGINED
        run = label_budget(labels, weight, clamp, seed, imagined)
        return Step(labels, weight, clamp, digits, step, run, all_labels(seed, imagined), labels_alone(seed, imagined))

    def draw(self, result):
        panels = [accuracy_panel(result), objective_panel(result), images_panel(result)]
        return theme.figure([panels], widths=[0.8, 0.65, 1.6])

    def describe(self, result) -> str:
        r, run = result, result.run
        missing = 10 - len(run.classes)
        none = f" ({missing} of the ten digits not among them)" if missing else ""
        rise = run.objective[r.step] - run.objective[0]
        return (
            f"{r.labels} labels{none}, {LEARN - r.labels} digits without, lambda = {r.weight:g}, labels "
            f"{'kept' if r.clamp else 'let go'}, digits {r.digits}. The labels alone: {run.accuracy[0]:.3f} of {TEST} "
            f"unseen digits right; after step {r.step}: {run.accuracy[r.step]:.3f}, with the objective {rise:,.0f} "
            f"nats higher. All {LEARN:,} labels would give {r.everything:.3f}."
        )

    def explain(self, result) -> Sequence[Part]:
        r = result
        now = Term(f"{r.right[r.step]}", f"right after step {r.step}", mark="accuracy", color=palette.HIDDEN)
        before = Term(f"{r.right[0]}", f"right by {r.labels} labels alone", mark="labels alone", color=palette.BEFORE)
        gain = Term(typeset(f"{(r.right[r.step] - r.right[0]) / TEST:.3f}"), "gain in accuracy")
        return ["gain of EM =", Over([now, "−", before], [Term(f"{TEST}", "unseen digits")]), "=", gain]


def path(values, step: int, look: tuple, name: str, words: str) -> tuple[list[dict], Handle]:
    """A value after every step, and the step in view; look: colour and marker. Along the path the step is dragged."""
    (color, marker), steps = look, np.arange(len(values))
    words = f"step %{{x:.0f}}: {words}<extra></extra>"
    line = dict(type="scatter", mode="lines+markers", x=steps, y=values, name=name, showlegend=False)
    line |= dict(line=dict(color=color, width=3), marker=dict(size=6, color=color), hovertemplate=words)
    here = dict(type="scatter", mode="markers", x=[step], y=[values[step]], showlegend=False, meta=dict(mark=name))
    here |= dict(marker=dict(size=16, symbol=marker, color="white", line=dict(color=color, width=4)))
    handle = Handle("step", step, values[step], axis="xy", places=np.column_stack([steps, values]))
    return [line, here | dict(hovertemplate=words)], handle


def steps_axis() -> dict:
    return dict(range=[-0.7, STEPS + 0.7], tickvals=[0, STEPS // 2, STEPS], title="EM step")


def accuracy_panel(r: Step) -> Panel:
    """Accuracy on unseen digits after each step, between the labels alone and all labels."""
    level = dict(type="scatter", mode="lines", x=np.array([-0.7, STEPS + 0.7]))
    levels = [
        level | dict(y=np.full(2, y), name=name, line=dict(color=color, width=2, dash=dash), meta=dict(mark=mark),
                     hovertemplate="%{fullData.name}: %{y:.3f} of the unseen digits right<extra></extra>")
        for y, name, color, dash, mark in (
            (r.everything, f"all {LEARN:,} labels", palette.TRUTH, "dash", "all labels"),
            (r.run.accuracy[0], f"{r.labels} labels alone", palette.BEFORE, "dot", "labels alone"),
        )
    ]  # fmt: skip
    look = palette.HIDDEN, "circle"
    marks, here = path(r.run.accuracy, r.step, look, "accuracy", "%{y:.3f} of the unseen digits right")
    alone = Handle("labels", STEPS / 2, r.run.accuracy[0], axis="y", places=r.alone, shape="line")
    y = dict(range=[0.1 if r.labels < 80 else 0.6, 1.0], nticks=6)
    return Panel("Accuracy", [*levels, *marks], steps_axis(), y, handles=[alone, here])


def objective_panel(r: Step) -> Panel:
    """How far the objective, which EM climbs, has risen since step 0, in thousands of nats."""
    rise = (r.run.objective - r.run.objective[0]) / 1000
    top = rise[-1] if rise[-1] > 0 else 1.0
    y = dict(range=[-0.08 * top, 1.12 * top], nticks=4)
    look = palette.HIDDEN, "square"
    marks, here = path(rise, r.step, look, "objective", "the objective is %{y:.2f} thousand nats higher")
    return Panel("Rise, 1,000 nats", marks, steps_axis(), y, handles=[here])


def images_panel(r: Step) -> Panel:
    """The ten classes as pictures of P(inked | digit); a digit that no label shows has none."""
    canvas = np.full((2 * HIGH, 5 * WIDE), np.nan)
    notes, words = [], []
    given = np.bincount(r.run.y[: r.labels], minlength=10)
    for digit, image in enumerate(r.images):
        top, left = HIGH * (digit // 5) + 3, WIDE * (digit % 5)
        canvas[top : top + 8, left : left + 8] = image
        missing = digit not in r.run.classes
        notes.append(dict(x=left + 3.5, y=top - 1.6, text=f"{digit}: –" if missing else str(digit)))
        words.append(f"{digit}: {given[digit] or 'none'} of the {r.labels} labels" + ", so no picture" * missing)
    row, column = np.divmod(np.arange(10), 5)
    frames = dict(type="scatter", mode="markers", x=WIDE * column + 3.5, y=HIGH * row + 6.5, text=words)
    frames |= dict(marker=dict(size=40, symbol="square", color=NOTHING), showlegend=False)
    frames["hovertemplate"] = "%{text}<extra></extra>"
    colors = [[0.0, "#F4F4F4"], [1.0, palette.BLACK]]
    heat = dict(type="heatmap", z=canvas, zmin=0, zmax=1, colorscale=colors, showscale=False, hoverinfo="skip")
    bare = dict(showgrid=False, showticklabels=False, ticks="", linecolor="white")
    x, y = dict(range=[-0.8, 5 * WIDE - 0.8]), dict(range=[2 * HIGH - 0.5, -0.5])
    return Panel(f"P(ink | digit), step {r.step}", [heat, frames], bare | x, bare | y, annotations=notes, equal=True)

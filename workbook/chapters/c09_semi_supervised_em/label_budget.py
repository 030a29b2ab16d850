"""Chapter 09: few labelled digits and many without, EM step by step: accuracy, objective, pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from nbcore.naive_bayes import BernoulliNB
from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, IntSlider, Steps, Toggle
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import typeset
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .experiment import LEARN, LONG, STEPS, TEST, Budget, all_labels, digit_split, long_budget
from .paths import PITCH, levels, path, pictures, rises, steps_axis

__all__ = ["LabelBudgetExplorer"]

LABELS = (10, 20, 40, 80, 160, 320, 640)
WEIGHTS = (0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
BLOCK = 2 * PITCH + 5  # pixels from one row of names to the next
REAL, IMAGINED = "real", "drawn from the model"


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
        """(41,) how many unseen digits are right after each step."""
        return np.rint(self.run.accuracy * TEST).astype(int)

    def images(self, step: int) -> np.ndarray:
        """(10, 8, 8): P(inked | digit) of every pixel; nan where no labelled digit of the class is there."""
        found = np.full((10, 64), np.nan)
        found[self.run.classes] = np.exp(self.run.models[step].feature_log_prob_)
        return found.reshape(10, 8, 8)


@lru_cache(maxsize=64)  # seven numbers each
def labels_alone(seed: int, imagined: bool) -> np.ndarray:
    """Accuracy on the unseen digits of what each number of labels teaches without EM."""
    X, y, X_test, y_test = digit_split(seed, imagined)
    return np.array([(BernoulliNB().fit(X[:n], y[:n]).predict(X_test) == y_test).mean() for n in LABELS])


class LabelBudgetExplorer(Explorer):
    """EM with labelled and unlabelled digits: Wikipedia, semi-supervised estimation; Nigam et al. (2000)."""

    step = IntSlider(STEPS, 0, LONG, label="EM step")
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
            "With 320 labels the objective rises in every step, too. Accuracy falls.", dict(labels=320)
        ),
        "Labels let go": Preset(
            "640 labels, used once and then replaced by guesses: the loop drifts away from what they said.",
            dict(labels=640, clamp=False),
        ),
        "lambda = 0.1": Preset("Ten unlabelled digits count as one labelled: nearly all of the loss is gone.",
                               dict(labels=320, weight=0.1)),
        "If the model were true": Preset(
            "The pixels of these digits really are independent. Now EM gains, even with 320 labels.",
            dict(labels=320, digits=IMAGINED),
        ),
    }  # fmt: skip

    def compute(self, step, labels, weight, clamp, digits, seed) -> Step:
        imagined = digits == IMAGINED
        run = long_budget(labels, weight, clamp, seed, imagined)
        return Step(labels, weight, clamp, digits, step, run, all_labels(seed, imagined), labels_alone(seed, imagined))

    def draw(self, result):
        panels = [accuracy_panel(result), objective_panel(result), images_panel(result)]
        return theme.figure([panels], widths=[1, 0.8, 1.2])

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


def accuracy_panel(r: Step) -> Panel:
    """Accuracy on unseen digits after each step, between the labels alone and all labels."""
    dotted = levels(LONG, [
        (r.everything, f"all {LEARN:,} labels", palette.TRUTH, "dash", "all labels"),
        (r.run.accuracy[0], f"{r.labels} labels alone", palette.BEFORE, "dot", "labels alone"),
    ], "of the unseen digits right")  # fmt: skip
    marks, here = path(r.run.accuracy, r.step, "accuracy", "%{y:.3f} of the unseen digits right")
    alone = Handle("labels", LONG / 2, r.run.accuracy[0], axis="y", places=r.alone, shape="line")
    y = dict(range=[0.1 if r.labels < 80 else 0.6 if r.labels < 320 else 0.75, 1.0], nticks=6)
    return Panel("Accuracy", [*dotted, *marks], steps_axis(LONG), y, handles=[alone, here])


def objective_panel(r: Step) -> Panel:
    """By how much each step raises the objective, which EM climbs."""
    marks, y = rises(r.run.objective, r.step)
    return Panel("Objective: rise, nats", marks, steps_axis(LONG), y)


def images_panel(r: Step) -> Panel:
    """The classes as pictures of P(inked | digit), before EM and after the step; what no label shows has none."""
    given = np.bincount(r.run.y[: r.labels], minlength=10)
    images, corners, words = [], [], []
    for below, step in enumerate((0, r.step)):
        for digit, image in enumerate(r.images(step)):
            images.append(image)
            corners.append(corner(digit, below))
            missing = digit not in r.run.classes
            words.append(f"{digit} after step {step}: {given[digit] or 'none'} of the {r.labels} labels"
                         + ", so no picture" * missing)  # fmt: skip
    traces, x, y = pictures(images, corners, words, 5 * PITCH, 2 * BLOCK - 1)
    notes = [dict(x=corner(d)[0] + 3.5, y=corner(d)[1] - 2.1, text=str(d) if d in r.run.classes else f"{d}: –")
             for d in range(10)]  # fmt: skip
    lines = [corner(first, below)[1] + 3.5 for first in (0, 5) for below in (0, 1)]
    y |= dict(showticklabels=True, tickvals=lines, ticktext=["0", str(r.step)] * 2, title="EM step")
    return Panel("P(ink | digit)", traces, x, y, annotations=notes, equal=True)


def corner(digit: int, below: int = 0) -> tuple[int, int]:
    """Where a digit's picture begins: five in a row, its name above, the step in view below step 0."""
    return PITCH * (digit % 5), BLOCK * (digit // 5) + 4 + PITCH * below

"""Chapter 09: EM with several hidden nodes in each class, and what labelled digits alone make of as many nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from workbook.explorer import palette, theme
from workbook.explorer.controls import IntSlider, Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.fitting import Slow
from workbook.explorer.formatting import typeset
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.theme import Panel

from .experiment import LEARN, LONG, TEST, NodesRun, fit_nodes, long_budget
from .label_budget import LABELS
from .paths import PITCH, levels, path, pictures, steps_axis

__all__ = ["NodesExplorer"]

MOST = 4


@dataclass(frozen=True)
class Nodes:
    """The result: one step of one run with H nodes in each class, beside the run of naive Bayes."""

    labels: int
    H: int
    step: int
    run: NodesRun
    naive: np.ndarray  # (41,) accuracy of naive Bayes with EM, step by step: the first is that of the labels alone

    @property
    def right(self) -> np.ndarray:
        """(41,) how many unseen digits are right after each step."""
        return np.rint(self.run.accuracy * TEST).astype(int)


def fit(labels: int, H: int, seed: int, progress) -> NodesRun:
    """All steps of one run."""
    return fit_nodes(labels, H, seed, LONG, progress)


fitted = Slow(fit, keep=48)  # 1.7 MB with four nodes


class NodesExplorer(Explorer):
    """The second cure of Nigam et al. (2000): several mixture components in each class."""

    H = IntSlider(3, 1, MOST, label="H, nodes")
    step = IntSlider(10, 0, LONG, label="EM step")
    labels = Steps(160, LABELS[1:], label="labels", say="{:d}".format)
    seed = IntSlider(0, 0, 19, label="seed")

    presets: ClassVar = {
        "One node": Preset("One node per class is naive Bayes: with 160 labels EM ends below the labels alone.",
                           dict(H=1)),
        "Three nodes": Preset("By step 10 the nodes of a digit are styles. Plain grey: a node that no digit uses.", {}),
        "Start: at random": Preset("Step 0: the nodes of a digit are nearly alike, and no unlabelled digit has spoken.",
                                   dict(step=0)),
        "320 labels": Preset("Grey dots: as many nodes, from 320 labels alone. In the text's colour: naive Bayes.",
                             dict(labels=320)),
    }  # fmt: skip

    def pending(self, H, step, labels, seed):
        return fitted.work(labels, H, seed)

    def compute(self, H, step, labels, seed) -> Nodes:
        naive = long_budget(labels, seed=seed).accuracy
        return Nodes(labels, H, step, fitted(labels, H, seed), naive)

    def draw(self, result):
        return theme.figure([[accuracy_panel(result), nodes_panel(result)]], widths=[1, 2.1])

    def describe(self, result) -> str:
        r = result
        return (
            f"{r.labels} labels, {LEARN - r.labels} digits without, {r.H} node{'s' * (r.H > 1)} per class. As many "
            f"from the labels alone: {r.run.alone:.3f} of {TEST} unseen digits right; with EM after step {r.step}: "
            f"{r.run.accuracy[r.step]:.3f}. Naive Bayes: {r.naive[0]:.3f} alone, {r.naive[r.step]:.3f} there."
        )

    def explain(self, result) -> Sequence[Part]:
        r = result
        alone = round(r.run.alone * TEST)
        now = Term(f"{r.right[r.step]}", f"right after step {r.step}", mark="accuracy", color=palette.HIDDEN)
        before = Term(f"{alone}", f"by {r.labels} labels alone, H = {r.H}", mark="labels alone", color=palette.BEFORE)
        gain = Term(typeset(f"{(r.right[r.step] - alone) / TEST:.3f}"), "gain in accuracy")
        return ["gain =", Over([now, "−", before], [Term(f"{TEST}", "unseen digits")]), "=", gain]


def accuracy_panel(r: Nodes) -> Panel:
    """Accuracy after each step, and of naive Bayes with EM; either from the labels alone."""
    steps = np.arange(LONG + 1)
    naive = dict(type="scatter", mode="lines", x=steps, y=r.naive, name="naive Bayes, EM")
    naive |= dict(line=dict(color=palette.NAIVE_BAYES, width=2, dash="dash"))
    naive["hovertemplate"] = "naive Bayes, step %{x:.0f}: %{y:.3f} right<extra></extra>"
    nodes = f"{r.H} node{'s' * (r.H > 1)}, labels alone"
    alone = [(r.run.alone, nodes, palette.BEFORE, "dot", "labels alone"),
             (r.naive[0], "naive Bayes, labels alone", palette.NAIVE_BAYES, "dot", "naive Bayes alone")]
    marks, here = path(r.run.accuracy, r.step, "accuracy", "%{y:.3f} of the unseen digits right")
    y = dict(range=[0.1 if r.labels < 80 else 0.6 if r.labels < 160 else 0.7, 1.0], nticks=6)
    traces = [*levels(LONG, alone, "of the unseen digits right"), naive, *marks]
    return Panel("Accuracy", traces, steps_axis(LONG), y, handles=[here])


def nodes_panel(r: Nodes) -> Panel:
    """The nodes of the ten classes, heaviest on top, as pictures of P(inked | h, c)."""
    ink, share = r.run.ink[r.step], r.run.share[r.step]
    images, corners, words = [], [], []
    for c, digit in enumerate(r.run.classes):
        for row, h in enumerate(np.argsort(-share[c])):
            images.append(ink[c, h].reshape(8, 8))
            corners.append((PITCH * int(digit), PITCH * row))
            words.append(f"a node with {100 * share[c, h]:.0f} % of the {digit}s")
    traces, x, y = pictures(images, corners, words, 10 * PITCH, max(r.H * PITCH, 30))
    x |= dict(showticklabels=True, tickvals=PITCH * np.arange(10) + 3.5, ticktext=list(map(str, range(10))))
    return Panel(f"Nodes of each digit: P(ink | h, c), step {r.step}", traces, x | dict(title="digit"), y, equal=True)

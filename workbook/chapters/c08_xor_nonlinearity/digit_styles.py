"""Chapter 08: the hidden nodes of handwritten digits are styles of writing that one can look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbcore.hierarchical import MultinomialLeaf, Nodes, e_step
from workbook.explorer import palette, theme
from workbook.explorer.controls import IntSlider
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.fitting import Slow
from workbook.explorer.formatting import typeset
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .experiment import digits_split, fit_digits

__all__ = ["DigitStylesExplorer"]

MOST = 8
SIDE = 8  # pixels
LEAST = 4  # columns of pictures
NOTHING = "rgba(0,0,0,0)"  # a mark to point at, over a picture
WORDS = "%{y:.3f} of the test digits right<extra></extra>"
INK = [[0, "#FFFFFF"], [1, palette.BLACK]]


@dataclass(frozen=True)
class Fits:
    """For one split: the models of 1 to 8 nodes per class, and their accuracies on the test third."""

    models: list
    accuracy: np.ndarray  # (8,)


@dataclass(frozen=True)
class Styles:
    """The result: the nodes of one digit, heaviest first."""

    digit: int
    H: int
    seed: int
    share: np.ndarray  # (H,) P(h|c)
    ink: np.ndarray  # (H, 8, 8) P(pixel | h, c)
    example: np.ndarray  # (H, 8, 8) the training digit of which the node is surest
    mean: np.ndarray  # (2, 8, 8) the one picture of naive Bayes, and the training digit that is most like it
    accuracy: np.ndarray  # (8,) for H = 1 to 8
    recall: float  # share of this digit's test images that are decided rightly
    n_test: int

    @property
    def right(self) -> np.ndarray:
        """How many test digits are decided rightly, for H = 1 to 8."""
        return np.rint(self.accuracy * self.n_test).astype(int)


def fit(seed: int, progress) -> Fits:
    """Eight fits."""
    _, X, _, y = digits_split(seed)
    models = []
    for H in range(1, MOST + 1):
        models.append(fit_digits(H, seed))
        progress(H / MOST)
    return Fits(models, np.array([model.score(X, y) for model in models]))


fits = Slow(fit)


def styles(digit: int, H: int, seed: int, progress) -> Styles:
    """The nodes of a digit, and for each the training image that it explains best."""
    found = fits(seed, progress=progress)
    model = found.models[H - 1]
    rows, X, labels, y = digits_split(seed)
    rows = rows[labels == digit]
    order = np.argsort(-model.node_log_prob_[digit])
    log_ink = model.feature_log_prob_[digit][order]
    nodes = Nodes(model.node_log_prob_[digit][order], (log_ink,))
    responsibility, _ = e_step(rows, nodes, MultinomialLeaf())
    fit_of_row = (rows @ log_ink.T) / rows.sum(axis=1, keepdims=True)  # log P per unit of ink
    best = np.where(responsibility > 0.5, fit_of_row, -np.inf).argmax(axis=0)
    mean = found.models[0].feature_log_prob_[digit, 0]
    nearest = rows[((rows @ mean) / rows.sum(axis=1)).argmax()]
    return Styles(
        digit, H, seed, np.exp(nodes.log_prob), np.exp(log_ink).reshape(H, SIDE, SIDE),
        rows[best].reshape(H, SIDE, SIDE), np.stack([np.exp(mean), nearest]).reshape(2, SIDE, SIDE), found.accuracy,
        float((model.predict(X[y == digit]) == digit).mean()), len(y),
    )  # fmt: skip


shown = Slow(styles)


class DigitStylesExplorer(Explorer):
    """What the hidden nodes of a digit look like, and how accuracy grows with their number."""

    digit = IntSlider(1, 0, 9, label="digit")
    H = IntSlider(3, 1, MOST, label="H")
    seed = IntSlider(0, 0, 4, label="seed of split")

    presets: ClassVar = {
        "One node: a smear": Preset(
            "Naive Bayes has one picture per digit: the mean of all ways to write it.", dict(H=1)
        ),
        "Ones": Preset(
            "A plain stroke, one with a flag, one with a foot: nobody told the model that a 1 has styles.", {}
        ),
        "Sevens": Preset(
            "Five ways to write a 7. Look where the bar sits, and how far the stem leans.", dict(digit=7, H=5)
        ),
        "Eight nodes": Preset(
            "Eight nodes per digit, eighty pictures in all. The curve still rises.", dict(digit=9, H=8)
        ),
    }

    def pending(self, digit, H, seed):
        return fits.work(seed)

    def compute(self, digit, H, seed) -> Styles:
        return shown(digit, H, seed)

    def draw(self, result):
        return theme.figure([[styles_panel(result), accuracy_panel(result)]], widths=[2.1, 1])

    def describe(self, result) -> str:
        r = result
        shares = ", ".join(f"{100 * share:.0f} %" for share in r.share)
        return (
            f"Digit {r.digit}, H = {r.H}: shares of the nodes {shares}. With {r.H} node{'s' * (r.H > 1)} per digit "
            f"{r.accuracy[r.H - 1]:.3f} of all test digits are decided rightly (naive Bayes {r.accuracy[0]:.3f}), "
            f"of the {r.digit}s {r.recall:.3f}. Seed {r.seed}."
        )

    def explain(self, result) -> Sequence[Part]:
        r = result
        nodes = Term(f"{r.right[r.H - 1]}", f"right with H = {r.H}", mark="here", color=palette.HIDDEN)
        naive = Term(f"{r.right[0]}", "right with naive Bayes", mark="naive Bayes", color=palette.NAIVE_BAYES)
        gain = Term(typeset(f"{(r.right[r.H - 1] - r.right[0]) / r.n_test:.3f}"), "gain in accuracy")
        return ["gain =", Over([nodes, "−", naive], [Term(f"{r.n_test}", "test digits")]), "=", gain]


def styles_panel(r: Styles) -> Panel:
    """Two rows of pictures: the mean and the nodes, and under each a training digit that it explains best."""
    columns = max(r.H + 1, LEAST)
    first = (columns - r.H - 1) // 2  # few pictures stand in the middle
    picture = np.full((2 * (SIDE + 1), columns * (SIDE + 1)), np.nan)
    for row, images in enumerate(([r.mean[0], *r.ink], [r.mean[1], *r.example])):
        for h, image in enumerate(images, first):
            top, left = row * (SIDE + 1), h * (SIDE + 1)
            picture[top : top + SIDE, left : left + SIDE] = image / image.max()
    heat = dict(type="heatmap", z=picture, colorscale=INK, zmin=0, zmax=1, showscale=False, hoverinfo="skip")
    left = (first + np.arange(r.H + 1)) * (SIDE + 1) + 3.5
    heads = ["mean", *(f"{share:.2f}".lstrip("0") for share in r.share)]  # as short as the pictures are narrow
    notes = [dict(x=x, y=-2.0, text=text) for x, text in zip(left, heads, strict=True)]
    words = [f"the mean of all {r.digit}s: naive Bayes has this picture alone"]
    words += [f"node {h}: a style of {100 * share:.0f} % of the {r.digit}s" for h, share in enumerate(r.share, 1)]
    names = ["naive Bayes", *(f"node {h}" for h in range(1, r.H + 1))]
    words += [f"the {r.digit} to learn from that {name} explains best" for name in names]
    places = dict(x=np.tile(left, 2), y=np.repeat([3.5, SIDE + 4.5], r.H + 1))
    frames = dict(type="scatter", mode="markers", **places, text=words)
    frames |= dict(marker=dict(size=40, symbol="square", color=NOTHING), showlegend=False)
    frames["hovertemplate"] = "%{text}<extra></extra>"
    wide = columns * (SIDE + 1) - 1
    pad = 10 * (wide / (LEAST * (SIDE + 1) - 1) - 1)  # as high for its width however many: the panels keep their places
    bare = dict(showgrid=False, showline=False, ticks="")
    x = dict(range=[-0.5, wide - 0.5], tickvals=[]) | bare
    y = dict(range=[2 * (SIDE + 1) - 1.4 + pad, -3.4 - pad]) | bare
    y |= dict(tickvals=[3.5, SIDE + 4.5], ticktext=["node", "digit"])
    return Panel(f"The mean of {r.digit}, its nodes, a digit each", [heat, frames], x, y, annotations=notes, equal=True)


def accuracy_panel(r: Styles) -> Panel:
    """Test accuracy against H, the chosen one marked, one node (naive Bayes) as a line."""
    H = np.arange(1, MOST + 1)
    line = dict(type="scatter", mode="lines+markers", x=H, y=r.accuracy, name="all digits")
    line |= dict(line=dict(color=palette.HIDDEN, width=3), hovertemplate=f"H = %{{x:.0f}}: {WORDS}")
    here = dict(type="scatter", mode="markers", x=[r.H], y=[r.accuracy[r.H - 1]], showlegend=False)
    here["marker"] = dict(size=14, symbol="diamond", color=palette.HIDDEN, line=dict(color=palette.BLACK, width=2))
    here |= dict(meta=dict(mark="here"), hovertemplate=f"H = %{{x:.0f}}, in view: {WORDS}")
    naive = dict(type="scatter", mode="lines", x=[0.5, MOST + 0.5], y=[r.accuracy[0]] * 2, name="naive Bayes")
    naive |= dict(line=dict(color=palette.NAIVE_BAYES, width=2, dash="dash"), meta=dict(mark="naive Bayes"))
    naive["hovertemplate"] = f"naive Bayes, H = 1: {WORDS}"
    handle = Handle("H", r.H, r.accuracy[r.H - 1], axis="xy", places=np.column_stack([H, r.accuracy]))
    x = dict(range=[0.5, MOST + 0.5], tickvals=[1, 2, 4, 6, 8], title="H")
    y = dict(range=[0.85, 1.0], nticks=4)
    return Panel("Test accuracy", [naive, line, here], x, y, handles=[handle])

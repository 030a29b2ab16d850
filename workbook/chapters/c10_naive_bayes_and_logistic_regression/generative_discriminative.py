"""Chapter 10: naive Bayes and logistic regression on the same names: weights beside learning curves or reliability."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, IntSlider, Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.fitting import Slow
from workbook.explorer.formatting import signed, typeset
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .experiment import (
    COPIED,
    FEATURES,
    PENALTIES,
    SEEDS,
    SIZES,
    Curve,
    Fit,
    Pair,
    learning_curve,
    mean_and_half,
    name_pair,
)

__all__ = ["GenerativeDiscriminativeExplorer"]

COPIES = (1, 2, 4, 8)
WIDE = (2.5, 5, 12.5, 25, 40, 80, 160)  # half widths of a weight axis: it seldom jumps
NAME, OWN = "Anna", ("contains a", "contains n", "ends in a")  # the example of the equation, and its features
IDS = tuple("" if f == COPIED else feature for f, feature in enumerate(FEATURES))  # its mark is the diamond
RIGHT = ("learning curve", "reliability")
LAST = len(FEATURES) - 1  # "ends in z"
BAYES = "naive Bayes", palette.NAIVE_BAYES, "circle", "solid"  # name, colour, marker, dash
LOGISTIC = "logistic", palette.LOGISTIC, "square", "dash"


@dataclass(frozen=True)
class Comparison:
    """The result: both models at one size, on one split, and their learning curves."""

    n: int
    copies: int
    penalty: str
    seed: int
    right: str
    pair: Pair
    curve: Curve


def curve(copies: int, penalty: str, progress) -> Curve:
    """The learning curve of a setting: a hundred fits, so it is fitted behind the page."""
    progress(0.0)
    return learning_curve(copies, penalty)


curves = Slow(curve)


class GenerativeDiscriminativeExplorer(Explorer):
    """Naive Bayes and logistic regression fit one linear form to two targets: Wikipedia, and Ng and Jordan."""

    n = Steps(100, SIZES, label="names", say="{:,}".format)
    copies = Steps(1, COPIES, label="copies", say="{:d}".format)
    penalty = Choice("almost none", list(reversed(PENALTIES)), label="penalty")
    seed = IntSlider(0, 0, SEEDS - 1, label="split")
    right = Choice(RIGHT[0], list(RIGHT), label="right")

    presets: ClassVar = {
        "100 names": Preset(
            "Few names: counting is the safer way to a weight. Logistic regression follows every accident.", {}
        ),
        "2,000 names": Preset(
            "Many names: naive Bayes improves slowly now, and logistic regression has passed it.", dict(n=2000)
        ),
        "Eight copies": Preset(
            "The same bit eight times: naive Bayes counts it eight times, logistic regression shares one weight.",
            dict(n=1000, copies=8),
        ),
        "Usual penalty": Preset(
            "A hundred names, and weights that may not grow: logistic regression is not behind any more.",
            dict(penalty="usual"),
        ),
    }

    def pending(self, n, copies, penalty, seed, right):
        return curves.work(copies, penalty)

    def compute(self, n, copies, penalty, seed, right) -> Comparison:
        pair = name_pair(n, copies, penalty, seed)
        return Comparison(n, copies, penalty, seed, right, pair, curves(copies, penalty))

    def draw(self, result):
        beside = curve_panel if result.right == RIGHT[0] else reliability_panel
        return theme.figure([[weights_panel(result), beside(result)]], share=0.94)

    def describe(self, result) -> str:
        r = result
        at = SIZES.index(r.n)
        (bayes, logistic), (b, w) = r.pair.accuracy, (fit.totals[COPIED] for fit in (r.pair.bayes, r.pair.logistic))
        often = "once" if r.copies == 1 else f"{r.copies} times"
        off = "calibration error {:.3f} and {:.3f}".format(*(diagram.ece() for diagram in r.pair.reliability))
        mean = f"mean of {SEEDS} splits: {r.curve.bayes[at].mean():.3f} and {r.curve.logistic[at].mean():.3f}"
        return (
            f"{r.n:,} training names, “contains a” {often}, penalty {r.penalty}: naive Bayes gets {bayes:.3f} of this "
            f"split's test names right, logistic regression {logistic:.3f} "
            f"({mean if r.right == RIGHT[0] else off}). “contains a” weighs {signed(b)} and {signed(w)} in all."
        )

    def explain(self, result) -> Sequence[Part]:
        r = result
        bayes, logistic = (log_odds(fit, r.copies) for fit in (r.pair.bayes, r.pair.logistic))
        return [f"{NAME}, log odds of female: naive Bayes", *bayes, "; logistic", *logistic]


def log_odds(fit: Fit, copies: int) -> Iterator[Part]:
    """b + the weights of the example's features = its log odds, in the look of the features' marks."""
    weights = {feature: fit.totals[FEATURES.index(feature)] for feature in OWN}
    # What the weights of "ends in" lost when they were shifted to mean 0 is in b.
    b = fit.intercept + fit.weights[LAST] - fit.totals[LAST]
    yield Term(typeset(f"{b:.2f}"), "b")
    for feature, weight in weights.items():
        yield "−" if weight < 0 else "+"
        often = f"{copies} × " if copies > 1 and feature == FEATURES[COPIED] else ""
        yield Term(f"{abs(weight):.2f}", f"{often}w({feature})", mark=feature, color=color_of(feature))
    yield "="
    yield Term(typeset(f"{b + sum(weights.values()):.2f}"), "log odds")


def color_of(feature: str) -> str:
    """The colour of a feature's mark."""
    if feature == FEATURES[COPIED]:
        return palette.HELD
    return palette.SKY if feature.startswith("contains") else palette.PURPLE


def sign(which) -> dict:
    """Return how a model looks."""
    name, color, symbol, dash = which
    return dict(name=name, marker=dict(symbol=symbol, color=color, size=9), line=dict(color=color, dash=dash))


def half_width(values) -> float:
    """Half of an axis that holds all values."""
    return next((w for w in WIDE if w > 1.05 * np.abs(values).max()), WIDE[-1])


def weights_panel(r: Comparison) -> Panel:
    """Every feature's weight under both models, on one scale; on the diagonal they agree."""
    x, y = r.pair.bayes.totals, r.pair.logistic.totals
    wide = half_width(np.concatenate([x, y]))
    words = "“%{text}” weighs %{x:.2f} in naive Bayes, %{y:.2f} in logistic regression<extra></extra>"
    dots = dict(type="scatter", mode="markers", hovertemplate=words)
    kinds = (slice(0, 26), 6, "circle", "contains"), (slice(26, 52), 8, "triangle-up", "ends in")
    traces = [
        dots | dict(x=x[part], y=y[part], text=FEATURES[part], ids=IDS[part], name=name,
                    marker=dict(size=size, symbol=symbol, color=color_of(FEATURES[part][-1])))
        for part, size, symbol, name in kinds
    ]  # fmt: skip
    special = dict(size=14, symbol="diamond", color=color_of(FEATURES[COPIED]))
    special |= dict(opacity=1, line=dict(color=palette.BLACK, width=1.5))
    own = dict(x=x[[COPIED]], y=y[[COPIED]], text=[FEATURES[COPIED]], ids=[FEATURES[COPIED]], name=FEATURES[COPIED])
    traces.append(dots | own | dict(marker=special))
    # Naive Bayes gives each copy the same weight again: where the diamond would stand with other numbers of copies.
    along = np.array(COPIES) * (x[COPIED] / r.copies)
    copied = Handle("copies", x[COPIED], y[COPIED], axis="x", places=along)
    line = dict(type="line", x0=-wide, y0=-wide, x1=wide, y1=wide, line=dict(color=palette.GUIDE, width=2, dash="dot"))
    axis, far = dict(range=[-wide, wide], nticks=5), 0.45 * wide
    # Two ends that speak loudest in real names: their letters, where they do not hide each other.
    notes = [
        dict(x=x[f], y=y[f], text=FEATURES[f][-1], xanchor="left", yanchor="bottom", xshift=3)
        for f in (FEATURES.index("ends in a"), FEATURES.index("ends in o"))
        if abs(x[f]) + abs(y[f]) > far
    ]
    x_axis, y_axis = axis | dict(title="naive Bayes"), axis | dict(title="logistic")
    return Panel("Weights", traces, x_axis, y_axis, [line], notes, handles=[copied], equal=True)


def curve_panel(r: Comparison) -> Panel:
    """Mean accuracy of the splits against the number of training names, with 95 % intervals."""
    traces = []
    for which, values in ((BAYES, r.curve.bayes), (LOGISTIC, r.curve.logistic)):
        mean, half = mean_and_half(values)
        look = sign(which)
        error = dict(array=half, color=look["line"]["color"], thickness=2, width=4)
        line = dict(type="scatter", mode="lines+markers", x=SIZES, y=mean, error_y=error)
        words = f"%{{fullData.name}} with %{{x:,d}} names: %{{y:.3f}} right, mean of {SEEDS} splits<extra></extra>"
        traces.append(line | look | dict(hovertemplate=words))
    here = dict(type="line", x0=r.n, x1=r.n, y0=0, y1=1, yref="domain", line=dict(color=palette.NOW, width=2))
    x = dict(type="log", range=[0.85, 3.45], tickvals=[10, 100, 1000], title="training names")
    y = dict(range=[0.5, 0.84], tickvals=[0.5, 0.6, 0.7, 0.8])
    return Panel("Accuracy", traces, x, y, [here], handles=[Handle("n", r.n, 0.66, shape="line")])


def reliability_panel(r: Comparison) -> Panel:
    """Draw what was said and what came true, on this split's test names."""
    traces = []
    words = "%{fullData.name} said %{x:.2f}, %{y:.2f} came true<extra></extra>"
    for which, diagram in zip((BAYES, LOGISTIC), r.pair.reliability, strict=True):
        full = diagram.count > 0
        x, y = diagram.mean_posterior[full], diagram.observed[full]
        line = dict(type="scatter", mode="lines+markers", x=x, y=y, hovertemplate=words)
        traces.append(line | sign(which))
    diagonal = dict(type="line", x0=0, y0=0, x1=1, y1=1, line=dict(color=palette.GUIDE, width=2))
    axis = dict(range=[-0.03, 1.03], tickvals=[0, 0.5, 1])
    return Panel("Reliability", traces, axis | dict(title="said"), axis | dict(title="came true"), [diagonal])

"""Chapter 10: bits that tell nothing are added to the names: coins or rare bits; how far each model falls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import signed
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .experiment import KINDS, PENALTIES, SEEDS, SIZES, USELESS, mean_and_half, useless_bits

__all__ = ["UselessBitsExplorer"]

MODELS = ("naive Bayes", palette.NAIVE_BAYES, "circle", "solid"), ("logistic", palette.LOGISTIC, "square", "dash")


@dataclass(frozen=True)
class Useless:
    """The result: share of test names that both models get right, (useless bits, sizes, models, SEEDS)."""

    d: int
    kind: str
    n: int
    penalty: str
    right: np.ndarray

    @property
    def here(self) -> np.ndarray:
        """At this number of bits and of names: (models, SEEDS)."""
        return self.right[USELESS.index(self.d), SIZES.index(self.n)]

    @property
    def printed(self) -> tuple[float, float, float]:
        """Mean of naive Bayes, of logistic regression, and the lead of the latter: rounded, so that they add up."""
        bayes, logistic = (round(float(mean), 3) for mean in self.here.mean(axis=-1))
        return bayes, logistic, round(logistic - bayes, 3)

    @property
    def crossing(self) -> int | None:
        """The size from which on logistic regression leads in the mean; None if it does not at the largest."""
        lead = np.diff(self.right[USELESS.index(self.d)].mean(axis=-1))[:, 0]
        behind = np.flatnonzero(lead <= 0)
        first = behind[-1] + 1 if behind.size else 0
        return SIZES[first] if first < len(SIZES) else None


class UselessBitsExplorer(Explorer):
    """Learning curves against the number of features: Ng and Jordan (2001), with features that tell nothing."""

    d = Steps(0, USELESS, label="useless bits", say="{:d}".format)
    kind = Choice("coins", list(KINDS), label="they are")
    n = Steps(100, SIZES, label="names", say="{:,}".format)
    penalty = Choice("almost none", list(reversed(PENALTIES)), label="penalty")

    presets: ClassVar = {
        "None": Preset("The 52 bits of the names, and nothing else.", {}),
        "50 coins": Preset("Fifty coins beside the 52 bits: the curves cross later.", dict(d=50, n=500)),
        "200 coins": Preset(
            "Two hundred coins. Both have sunk, and even at 2,000 names naive Bayes leads.",
            dict(d=200, n=1000),
        ),
        "A penalty": Preset(
            "Two hundred coins and the usual penalty, the bits not scaled: it is not enough.",
            dict(d=200, penalty="usual"),
        ),
        "Rare bits": Preset(
            "Bits that are 1 in one name of ten: with the same penalty logistic regression is a little ahead.",
            dict(d=200, kind="rare bits", penalty="usual"),
        ),
    }

    def compute(self, d, kind, n, penalty) -> Useless:
        right = useless_bits()[list(KINDS).index(kind), :, list(PENALTIES).index(penalty)]
        return Useless(d, kind, n, penalty, right)

    def draw(self, result):
        return theme.figure([[sizes_panel(result), bits_panel(result)]])

    def describe(self, result) -> str:
        r = result
        bayes, logistic, lead = r.printed
        _, half = mean_and_half(r.here[1] - r.here[0])
        leads = f"{'logistic regression' if lead > 0 else 'naive Bayes'} leads by {abs(lead):.3f}"
        first = r.crossing
        crossing = f"ahead from {first:,} names on" if first else f"not ahead even at {SIZES[-1]:,} names"
        return (
            f"{r.d} useless bits, {r.kind}; penalty {r.penalty}, {r.n:,} names: naive Bayes gets {bayes:.3f} of the "
            f"test names right, logistic regression {logistic:.3f}; {leads if lead else 'no lead, 0.000'} ± {half:.3f} "
            f"(mean of {SEEDS} splits, 95 %). In the mean logistic regression is {crossing}."
        )

    def explain(self, result) -> Sequence[Part]:
        bayes, logistic, lead = result.printed
        (_, black, *_), (_, orange, *_) = MODELS
        return [
            Term(f"{logistic:.3f}", "logistic", "logistic here", orange),
            "−",
            Term(f"{bayes:.3f}", "naive Bayes", "Bayes here", black),
            "=",
            Term(signed(lead, 3), "lead of logistic regression"),
        ]


def curves(x, right: np.ndarray, words: str, legend: bool) -> list[dict]:
    """Both models' means along x with 95 % intervals; right: (along x, models, SEEDS)."""
    traces = []
    for (name, color, symbol, dash), values in zip(MODELS, right.swapaxes(0, 1), strict=True):
        mean, half = mean_and_half(values)
        line = dict(type="scatter", mode="lines+markers", x=x, y=mean, name=name, showlegend=legend)
        line |= dict(marker=dict(symbol=symbol, color=color, size=8), line=dict(color=color, dash=dash))
        line["error_y"] = dict(array=half, color=color, thickness=2, width=4)
        traces.append(line | dict(hovertemplate=f"%{{fullData.name}}, {words}: %{{y:.3f}} right<extra></extra>"))
    return traces


def heights() -> dict:
    """The axis of accuracy, the same in both panels."""
    return dict(range=[0.47, 0.84], tickvals=[0.5, 0.6, 0.7, 0.8])


def now(at: float) -> dict:
    """The line at the state of a slider."""
    return dict(type="line", x0=at, x1=at, y0=0, y1=1, yref="domain", line=dict(color=palette.NOW, width=2))


def sizes_panel(r: Useless) -> Panel:
    """Accuracy against training names; thin, without the useless bits."""
    traces = []
    for (name, color, *_), values in zip(MODELS, r.right[0].swapaxes(0, 1), strict=True):
        words = f"{name} without useless bits, %{{x:,d}} names: %{{y:.3f}} right<extra></extra>"
        thin = dict(type="scatter", mode="lines", x=SIZES, y=values.mean(axis=1), showlegend=False)
        traces.append(thin | dict(line=dict(color=color, width=1, dash="dot"), hovertemplate=words))
    traces += curves(SIZES, r.right[USELESS.index(r.d)], "%{x:,d} names", legend=True)
    x = dict(type="log", range=[0.85, 3.45], tickvals=[10, 100, 1000], title="names")
    grip = Handle("n", r.n, 0.66, shape="line")
    return Panel(f"Accuracy with {r.d} useless bits", traces, x, heights(), [now(r.n)], handles=[grip])


def bits_panel(r: Useless) -> Panel:
    """Accuracy against useless bits, at this number of names; a ring where the equation is about."""
    along = r.right[:, SIZES.index(r.n)]
    traces = curves(USELESS, along, "%{x:d} useless bits", legend=False)
    marks = "Bayes here", "logistic here"
    for (name, color, symbol, _), mean, mark in zip(MODELS, r.here.mean(axis=-1), marks, strict=True):
        look = dict(symbol=f"{symbol}-open", size=16, color=color, line=dict(width=3))
        dot = dict(type="scatter", mode="markers", x=[r.d], y=[mean], showlegend=False, marker=look)
        traces.append(dot | dict(meta=dict(mark=mark), hovertemplate=f"{name} here: %{{y:.3f}} right<extra></extra>"))
    x = dict(range=[-8, 208], tickvals=[0, 50, 100, 150, 200], title="useless bits")
    grip = Handle("d", r.d, 0.66, shape="line")
    return Panel(f"Accuracy with {r.n:,} names", traces, x, heights(), [now(r.d)], handles=[grip])

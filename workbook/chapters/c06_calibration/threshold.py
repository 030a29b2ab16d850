"""Chapter 06: acting on a posterior. Carlos (2015), Table 1, Figure 3 and Figure 6."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import ClassVar

import numpy as np

from nbcore.calibration import ConfidenceTable, confidence_table, precision_recall_by_threshold
from nbcore.perplexed import attenuated_posterior
from workbook.chapters.names import names_split
from workbook.page import palette, theme
from workbook.page.controls import Choice, FloatSlider, IntSlider
from workbook.page.explorer import Explorer, Preset
from workbook.page.formula import Over, Term
from workbook.page.handles import Handle
from workbook.page.theme import Panel

from .experiment import EDGES, flat_k, naive_posterior
from .reliability import k_slider, names_above, span, step_of

__all__ = ["ThresholdExplorer"]

CLASSES = ("female", "male")
THRESHOLDS = np.arange(101) / 100
NAIVE = palette.NAIVE_BAYES
MIDDLES = (EDGES[:-1] + EDGES[1:]) / 2
SPANS = [span(*edges) for edges in pairwise(EDGES)]


@lru_cache(maxsize=64)
def of_naive_bayes(max_n: int, seed: int) -> tuple[np.ndarray, ConfidenceTable]:
    """Posteriors of naive Bayes and their Table 1: no slider moves them."""
    test = names_split(max_n, seed).test
    proba = naive_posterior(test)
    return proba, confidence_table(test.y, proba, EDGES)


@dataclass(frozen=True)
class Decided:
    """The result: precision and recall (101,) by class, and at the threshold; both columns of Table 1.

    at: class "wanted" under k, then under naive Bayes: (selected, precision, recall).
    """

    threshold: float
    wanted: str
    k: float
    max_n: int
    seed: int
    curves: dict[str, tuple[np.ndarray, np.ndarray]]
    at: list[tuple[int, float, float]]
    table: ConfidenceTable
    naive_table: ConfidenceTable


class ThresholdExplorer(Explorer):
    """Whom to trust from which posterior on: Carlos (2015), Table 1, Figure 3, and Figure 6."""

    threshold = FloatSlider(0.8, 0.0, 1.0, step=0.01, label="threshold")
    wanted = Choice("female", CLASSES[::-1], label="class")
    k = k_slider()
    max_n = IntSlider(5, 1, 5, label="n-grams up to")
    seed = IntSlider(0, 0, 9, label="split seed")

    presets: ClassVar = {
        "Figure 6": Preset(
            "Raise the threshold: fewer names, and more of them rightly.",
            lambda: dict(k=step_of(flat_k(names_split(5))), threshold=0.5),
        ),
        "Table 1": Preset(
            "Nearly all of naive Bayes stands in the last interval.",
            lambda: dict(k=step_of(flat_k(names_split(5))), threshold=0.9),
        ),
        "Calibrated": Preset("In each interval the accuracy is close to the one promised.", {}),
        "Male, 0.95": Preset(
            "Only the surest: high precision, and most men left out.",
            dict(wanted="male", threshold=0.95),
        ),
    }

    def compute(self, threshold, wanted, k, max_n, seed) -> Decided:
        test = names_split(max_n, seed).test
        proba = attenuated_posterior(*test.evidence, k)
        naive, naive_table = of_naive_bayes(max_n, seed)
        c = CLASSES.index(wanted)
        return Decided(
            threshold,
            wanted,
            k,
            max_n,
            seed,
            {name: precision_recall_by_threshold(test.y, proba, i, THRESHOLDS) for i, name in enumerate(CLASSES)},
            [selection(test.y, p, c, threshold) for p in (proba, naive)],
            confidence_table(test.y, proba, EDGES),
            naive_table,
        )

    def draw(self, result):
        return theme.figure([[curves_panel(result), accuracy_panel(result), counts_panel(result)]], widths=[1.5, 1, 1])

    def explain(self, result):
        """The threshold as a price, and what it buys."""
        r = result
        t, (n, precision, _) = r.threshold, r.at[0]
        price = "∞" if t == 1 else f"{t / (1 - t):.3g}"
        rightly = Over([Term(f"{n * precision:,.0f}", r.wanted)], [Term(f"{n:,}", "selected")])
        return [
            "if calibrated, this threshold prices a wrong name at",
            Over([Term(f"{t:.2f}", "threshold", "threshold", palette.NOW)], [Term(f"{1 - t:.2f}", "1 − threshold")]),
            "=",
            Term(price),
            "missed; precision",
            *([rightly, "="] if n else ["of no name:"]),
            Term(f"{precision:.3f}", "", "precision", palette.CLASS_COLORS[CLASSES.index(r.wanted)]),
        ]

    def describe(self, result) -> str:
        r = result
        (n, precision, recall), (naive_n, naive_precision, naive_recall) = r.at
        sure, naive_sure = r.table.count[-1], r.naive_table.count[-1]
        return (
            f"threshold {r.threshold:.2f}, {r.wanted}, k = {r.k:g}, n-grams up to {r.max_n}, split {r.seed}: "
            f"{n:,} names, precision {precision:.3f}, recall {recall:.3f}. "
            f"Naive Bayes: {naive_n:,} names, {naive_precision:.3f}, {naive_recall:.3f}. "
            f"Confidence 0.9 or more: {sure:,} against {naive_sure:,}."
        )


def selection(y, proba, positive: int, threshold: float) -> tuple[int, float, float]:
    """How many names are selected at a threshold, and with which precision and recall."""
    precision, recall = precision_recall_by_threshold(y, proba, positive, [threshold])
    return int((proba[:, positive] >= threshold).sum()), float(precision[0]), float(recall[0])


def curves_panel(r: Decided) -> Panel:
    """Figure 6: precision and recall of both classes under k by threshold; the class chosen stands out."""
    traces = []
    for c, (name, pair) in enumerate(r.curves.items()):
        mine = name == r.wanted
        for what, y, dash in zip(("precision", "recall"), pair, ("solid", "dash"), strict=True):
            line = dict(color=palette.CLASS_COLORS[c], dash=dash, width=3 if mine else 1)
            traces.append(
                dict(type="scatter", mode="lines", x=THRESHOLDS, y=y, line=line, name=what)
                | dict(showlegend=mine, hovertemplate=f"threshold %{{x:.2f}}, {name}: {what} %{{y:.3f}}<extra></extra>")
            )
    _, precision, recall = r.at[0]
    mark = dict(size=11, color=palette.CLASS_COLORS[CLASSES.index(r.wanted)], symbol=["circle", "circle-open"])
    traces.append(
        dict(type="scatter", mode="markers", x=[r.threshold] * 2, y=[precision, recall], marker=mark)
        | dict(showlegend=False, ids=["precision", "recall"], text=["precision", "recall"])
        | dict(hovertemplate=f"threshold %{{x:.2f}}, {r.wanted}: %{{text}} %{{y:.3f}}<extra></extra>")
    )
    upright = dict(type="line", x0=r.threshold, x1=r.threshold, y0=0, y1=1, yref="domain", name="threshold")
    axis = dict(range=[-0.03, 1.03], tickvals=[0, 0.5, 1])
    line = dict(line=dict(color=palette.NOW, width=2))
    grip = Handle("threshold", r.threshold, 0.5, shape="line")
    return Panel(f"Thick: {r.wanted}", traces, axis | dict(title="threshold"), axis, [upright | line], handles=[grip])


def accuracy_panel(r: Decided) -> Panel:
    """Figure 3: accuracy in each interval of confidence, k and naive Bayes; dotted, what was promised."""
    promise = dict(type="scatter", mode="lines", x=[0.5, 1], y=[0.5, 1], showlegend=False, hoverinfo="skip")
    traces = [promise | dict(line=dict(color=palette.GUIDE, width=1.5, dash="dot"))]
    sides = ("k", r.table, palette.ATTENUATED, "diamond"), ("NB", r.naive_table, NAIVE, "x")
    for name, table, color, symbol in sides:
        full = table.count > 0
        traces.append(
            dict(type="scatter", mode="lines+markers", x=MIDDLES[full], y=table.accuracy[full], name=name)
            | dict(marker=dict(size=9, color=color, symbol=symbol), line=dict(color=color, width=2))
            | dict(customdata=table.count[full], text=np.array(SPANS)[full].tolist())
            | dict(hovertemplate="%{fullData.name}, sure by %{text}: %{y:.3f} of %{customdata:,d} right<extra></extra>")
        )
    x = dict(range=[0.48, 1.02], tickvals=[0.5, 0.75, 1], title="confidence")
    return Panel("Accuracy", traces, x, dict(range=[0.0, 1.05], tickvals=[0, 0.5, 1]))


def counts_panel(r: Decided) -> Panel:
    """Table 1: how many names fall in each interval."""
    traces = []
    sides = ("k", -0.025, r.table, palette.ATTENUATED, ""), ("NB", 0.025, r.naive_table, NAIVE, "/")
    for name, offset, table, color, pattern in sides:
        bar = dict(color=color, pattern=dict(shape=pattern, fillmode="overlay", fgcolor="white", solidity=0.2))
        traces.append(
            dict(type="bar", x=MIDDLES + offset, y=table.count, width=0.04, marker=bar, showlegend=False)
            | dict(
                text=SPANS,
                textposition="none",
                hovertemplate=f"{name}, sure by %{{text}}: %{{y:,d}} names<extra></extra>",
            )
        )
    x = dict(range=[0.48, 1.02], tickvals=[0.5, 0.75, 1], title="confidence")
    surest = names_above(r.max_n, r.seed, EDGES[-2])
    now = surest[ThresholdExplorer.k.values.index(r.k)]
    grip = Handle("k", MIDDLES[-1] - 0.025, now, axis="y", places=surest, shape="bar")
    return Panel("Names", traces, x, dict(range=[0, 1440], tickvals=[0, 500, 1000]), handles=[grip])

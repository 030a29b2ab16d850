"""Chapter 06: which names to decide and which to ask about, if a wrong decision has its price. Carlos (2015), Table 1.

Sort the names from the surest one down, decide the first m and ask for the others: that is a curve of costs, and only
the order matters to it. How far along the curve a model goes, taken at its word, is where calibration counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import ClassVar

import numpy as np

from nbcore.calibration import ConfidenceTable, confidence_table
from nbcore.perplexed import attenuated_posterior
from workbook.chapters.names import names_split
from workbook.explorer import palette, theme
from workbook.explorer.controls import IntSlider
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .experiment import EDGES, costs, flat_k, log_odds, naive_posterior
from .reliability import k_slider, names_above, span, step_of

__all__ = ["ThresholdExplorer"]

MIDDLES = (EDGES[:-1] + EDGES[1:]) / 2
SPANS = [span(*edges) for edges in pairwise(EDGES)]
TOP = 2_500  # of the axis of costs
METHODS = ("k", palette.ATTENUATED, "diamond", ""), ("NB", palette.NAIVE_BAYES, "x", "/")


@lru_cache(maxsize=64)
def sides(max_n: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, ConfidenceTable]:
    """Return what no slider moves: which decisions are right; how sure eq. (20), whatever k, and naive Bayes are, as a
    number that sorts and never rounds to certainty; the confidence of naive Bayes; and its Table 1.
    """
    test = names_split(max_n, seed).test
    naive, odds = naive_posterior(test), log_odds(test)
    sure = np.stack([np.abs(odds) / (test.evidence[2] + 1), np.abs(odds)])
    return (odds > 0) == test.y, sure, naive.max(axis=1), confidence_table(test.y, naive, EDGES)


@lru_cache(maxsize=256)
def curves_of(max_n: int, seed: int, wrong: int) -> np.ndarray:
    """Cost of deciding the m surest names, (2, names + 1): by eq. (20), whatever k, and by naive Bayes."""
    right, sure, _, _ = sides(max_n, seed)
    return np.stack([costs(right, each, wrong) for each in sure])


@dataclass(frozen=True)
class Decided:
    """The result: costs (2, names + 1) of eq. (20) and of naive Bayes; how many names each decides at its word, and its
    Table 1.
    """

    wrong: int
    k: float
    max_n: int
    seed: int
    costs: np.ndarray
    decided: tuple[int, int]
    table: ConfidenceTable
    naive_table: ConfidenceTable

    @property
    def threshold(self) -> float:
        """Decide from this confidence on: below it the expected price of a mistake is more than 1, that of asking."""
        return 1 - 1 / self.wrong

    @property
    def paid(self) -> list[int]:
        """The cost of each model at its word."""
        return [int(cost[m]) for cost, m in zip(self.costs, self.decided, strict=True)]

    @property
    def best(self) -> list[int]:
        """Return how many names each had better decided, in hindsight."""
        return [int(np.argmin(cost)) for cost in self.costs]

    @property
    def asking_cost(self) -> int:
        """Return the cost of asking for every name."""
        return self.costs.shape[1] - 1


class ThresholdExplorer(Explorer):
    """Show what decisions cost if the model is taken at its word, and Carlos (2015), Table 1 and Figure 3."""

    wrong = IntSlider(10, 2, 20, label="mistake costs")
    k = k_slider()
    max_n = IntSlider(5, 1, 5, label="n-grams up to")
    seed = IntSlider(0, 0, 9, label="split seed")

    presets: ClassVar = {
        "Calibrated": Preset("At its word, the diamond stands close to the bottom of its curve.", {}),
        "Flat k": Preset(
            "Too modest: it asks about names that it could have decided.",
            lambda: dict(k=step_of(flat_k(names_split(5)))),
        ),
        "Too sure": Preset("A large k decides nearly all, as naive Bayes does, and pays for it.", dict(k=20.0)),
        "Cheap mistakes": Preset("If a mistake costs three, even naive Bayes may decide most names.", dict(wrong=3)),
        "Dear mistakes": Preset("If a mistake costs twenty, a person should see most names.", dict(wrong=20)),
    }

    def compute(self, wrong, k, max_n, seed) -> Decided:
        test = names_split(max_n, seed).test
        proba = attenuated_posterior(*test.evidence, k)
        _, _, naive, naive_table = sides(max_n, seed)
        decided = tuple(int(np.sum(each >= 1 - 1 / wrong)) for each in (proba.max(axis=1), naive))
        table = confidence_table(test.y, proba, EDGES)
        return Decided(wrong, k, max_n, seed, curves_of(max_n, seed, wrong), decided, table, naive_table)

    def draw(self, result):
        return theme.figure([[costs_panel(result), accuracy_panel(result), counts_panel(result)]], widths=[1.5, 1, 1])

    def explain(self, result) -> list[Part]:
        """The threshold as a price, and what is paid."""
        r = result
        asked = r.asking_cost - r.decided[0]
        mistakes = (r.paid[0] - asked) // r.wrong
        return [
            "decide from 1 −",
            Over([Term("1", "asking")], [Term(f"{r.wrong}", "mistake")]),
            "=",
            Term(f"{r.threshold:.3g}", "confidence", "threshold", palette.NOW),
            "on; under k this costs",
            Term(f"{mistakes:,}", "mistakes"),
            "·",
            Term(f"{r.wrong}"),
            "+",
            Term(f"{asked:,}", "asked"),
            "=",
            Term(f"{r.paid[0]:,}", "", "k at its word", palette.ATTENUATED),
        ]

    def describe(self, result) -> str:
        r = result
        (mine, naive), (paid, naive_paid) = r.decided, r.paid
        best = min(int(cost.min()) for cost in r.costs)
        mine_far, naive_far = (" (▲: off the scale)" if cost > TOP else "" for cost in (paid, naive_paid))
        return (
            f"A mistake costs {r.wrong}, asking 1; n-grams up to {r.max_n}, split {r.seed}. At its word eq. (20), "
            f"k = {r.k:g}, decides {mine:,} names and pays {paid:,}{mine_far}; naive Bayes {naive:,}: "
            f"{naive_paid:,}{naive_far}. "
            f"Asking always costs {r.asking_cost:,}; the best cut in hindsight {best:,}."
        )


def costs_panel(r: Decided) -> Panel:
    """Cost against the number of names decided: at its word a mark, the least of each curve a ring."""
    names = np.arange(r.asking_cost + 1)
    ask = dict(type="scatter", mode="lines", x=[0, r.asking_cost], y=[r.asking_cost, r.asking_cost], name="ask always")
    traces = [ask | dict(line=dict(color=palette.GUIDE, width=1.5, dash="dot"), showlegend=False, hoverinfo="skip")]
    told = "%{x:,d} names decided, the others asked: %{y:,d}<extra></extra>"
    for (name, color, _, _), cost in zip(METHODS, r.costs, strict=True):
        line = dict(color=color, width=2, dash="solid" if name == "k" else "dash")
        shown = np.where(cost <= TOP, cost, np.nan)
        traces.append(dict(type="scatter", mode="lines", x=names, y=shown, line=line, name=f"{name}, surest first")
                      | dict(hovertemplate=f"{name}, surest first: {told}"))  # fmt: skip
    for (name, color, symbol, _), cost, m, best in zip(METHODS, r.costs, r.decided, r.best, strict=True):
        ring = dict(symbol="circle-open", size=16, color=color, line=dict(width=2))
        traces.append(dict(type="scatter", mode="markers", x=[best], y=[cost[best]], marker=ring, showlegend=False)
                      | dict(hovertemplate=f"{name}, the least in hindsight: {told}"))  # fmt: skip
        far = cost[m] > TOP
        mark = dict(symbol="triangle-up" if far else symbol, size=13, color=color)
        said = f"{name} at its word: {m:,} names decided, cost {cost[m]:,}<extra></extra>"
        words = dict(name=f"{name} at its word", meta=dict(mark=f"{name} at its word"), hovertemplate=said)
        traces.append(dict(type="scatter", mode="markers", x=[m], y=[min(cost[m], TOP)], marker=mark) | words)
    decided = names_above(r.max_n, r.seed, r.threshold)
    places = np.column_stack([decided, np.minimum(r.costs[0][decided], TOP)])
    grip = Handle("k", r.decided[0], min(r.costs[0][r.decided[0]], TOP), axis="xy", places=places)
    x = dict(range=[-30, 1470], tickvals=[0, 500, 1000], title="names decided, surest first")
    least = 100 * int(r.costs.min() / 100 - 1)  # room for the ring; no k moves it
    y = dict(range=[least, 1.03 * TOP], tickvals=[500, 1000, 1500, 2000, 2500])
    font = dict(color=palette.GUIDE)
    note = dict(x=r.asking_cost, y=r.asking_cost, text="ask always", xanchor="right", yanchor="top", font=font)
    return Panel("Cost", traces, x, y, annotations=[note], handles=[grip])


def accuracy_panel(r: Decided) -> Panel:
    """Figure 3: accuracy in each interval of confidence, k and naive Bayes; dotted, what was promised."""
    promise = dict(type="scatter", mode="lines", x=[0.5, 1], y=[0.5, 1], showlegend=False, hoverinfo="skip")
    traces = [promise | dict(line=dict(color=palette.GUIDE, width=1.5, dash="dot"))]
    for (name, color, symbol, _), table in zip(METHODS, (r.table, r.naive_table), strict=True):
        full = table.count > 0
        traces.append(
            dict(type="scatter", mode="lines+markers", x=MIDDLES[full], y=table.accuracy[full], name=name)
            | dict(marker=dict(size=9, color=color, symbol=symbol), showlegend=False)
            | dict(line=dict(color=color, width=2, dash="solid" if name == "k" else "dash"))
            | dict(customdata=table.count[full], text=np.array(SPANS)[full].tolist())
            | dict(hovertemplate="%{fullData.name}, sure by %{text}: %{y:.3f} of %{customdata:,d} right<extra></extra>")
        )
    upright = dict(type="line", x0=r.threshold, x1=r.threshold, y0=0, y1=1, yref="domain", name="threshold")
    upright |= dict(line=dict(color=palette.NOW, width=2))
    prices = 1 - 1 / np.array(ThresholdExplorer.wrong.values)
    grip = Handle("wrong", r.threshold, 0.2, places=prices, shape="line")
    x = dict(range=[0.48, 1.02], tickvals=[0.5, 0.75, 1], title="confidence")
    return Panel("Accuracy", traces, x, dict(range=[0.0, 1.05], tickvals=[0, 0.5, 1]), [upright], handles=[grip])


def counts_panel(r: Decided) -> Panel:
    """Table 1: how many names fall in each interval."""
    traces = []
    for (name, color, _, hatch), offset, table in zip(METHODS, (-0.025, 0.025), (r.table, r.naive_table), strict=True):
        traces.append(
            dict(type="bar", x=MIDDLES + offset, y=table.count, width=0.04, marker=theme.bars(color, hatch), name=name)
            | dict(text=SPANS, textposition="none", showlegend=False)
            | dict(hovertemplate="%{fullData.name}, sure by %{text}: %{y:,d} names<extra></extra>")
        )
    x = dict(range=[0.48, 1.02], tickvals=[0.5, 0.75, 1], title="confidence")
    surest = names_above(r.max_n, r.seed, EDGES[-2])
    now = surest[ThresholdExplorer.k.values.index(r.k)]
    grip = Handle("k", MIDDLES[-1] - 0.025, now, axis="y", places=surest, shape="bar")
    return Panel("Names", traces, x, dict(range=[0, 1289], tickvals=[0, 500, 1000]), handles=[grip])

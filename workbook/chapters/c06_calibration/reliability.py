"""Chapter 06: what was said against what came true. Carlos (2015), sections 3 and 5, Figures 1, 2, 4 and 5.

Grey bars stand where a perfectly calibrated model would be by luck alone: Broecker and Smith (2007).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from scipy.special import logit

from nbcore.calibration import ReliabilityBins
from nbcore.perplexed import attenuated_posterior
from workbook.chapters.names import names_split
from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, IntSlider, LogSlider, Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import typeset
from workbook.explorer.formula import Over, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .experiment import (
    DRAWS,
    PEERS,
    Luck,
    Scores,
    calibrated_k,
    flat_k,
    log_odds,
    luck,
    naive_posterior,
    peer_posterior,
    scores,
    validated_k,
)

__all__ = ["ReliabilityExplorer", "k_slider", "names_above", "span", "step_of"]

K, NAIVE, NOTHING, IDEAL, LUCK = "eq. (20), k", "naive Bayes", "nothing", "diagonal", "if calibrated"
# On split 0, n-grams up to 5, to three digits: the flattest k, that of the least log loss, of the least RMSE, and of
# the least RMSE on the training names. The slider has them as steps, so that page and figure show one number.
FLAT_K, CALIBRATED_K, RMSE_K, TRAINING_K = 2.42, 4.89, 4.7, 7.97
TOGETHER = "1, 2, 4, 5"
LENGTHS = {"1": [1], "2": [2], "3": [3], "4": [4], "5": [5], TOGETHER: [1, 2, 4, 5]}
SHORT = {K: "k", NAIVE: "NB", "temperature": "temp.", "Platt": "Platt", "isotonic": "isot.", "sigmoid trap": "trap"}
SHORTER = list(zip(palette.SHORTER, palette.CLASS_MARKERS, ("dot", "dashdot", "dash"), strict=False))
METHODS = {  # of several lengths the longest; a shorter one has its turn of SHORTER instead
    K: (palette.ATTENUATED, "diamond", "solid"), NAIVE: (palette.NAIVE_BAYES, "x", "dot"),
    "temperature": (palette.ATTENUATED, "square", "dash"), "Platt": (palette.ORANGE, "square", "dash"),
    "isotonic": (palette.SKY, "triangle-up", "dashdot"), "sigmoid trap": (palette.GREY, "x", "longdash"),
}  # fmt: skip
RMSE_BINS = np.arange(0, 0.351, 0.005)
ROWS = {"RMSE": "rmse", "ECE": "ece", "Brier": "brier", "log loss": "log_loss"}


def k_slider(**options) -> Steps:
    """The slider of k, from half a feature to more features than a name has; it starts at the page's calibrated k."""
    grid = LogSlider(1.0, 0.5, 50, per_decade=40).values
    for k in (FLAT_K, CALIBRATED_K, RMSE_K, TRAINING_K):
        grid[np.argmin(np.abs(np.log(np.array(grid) / k)))] = k
    return Steps(CALIBRATED_K, grid, say="{:g}".format, label="k", **options)


def step_of(k: float) -> float:
    """The step of the slider next to a computed k."""
    return k_slider().check(k)


@lru_cache(maxsize=256)
def names_above(max_n: int, seed: int, confidence: float) -> np.ndarray:
    """Return how many test names eq. (20) decides at least this surely, at every k of the slider: never fewer."""
    test = names_split(max_n, seed).test
    each = np.sort(np.abs(log_odds(test)) / (test.evidence[2] + 1))  # log odds at k = 1
    return len(each) - np.searchsorted(each, logit(confidence) / k_slider().values)


def span(low: float, high: float) -> str:
    """An interval in words."""
    return f"{low:.2f} to {high:.2f}"


@lru_cache(maxsize=256)
def posterior(method: str, max_n: int, seed: int) -> np.ndarray:
    """Posteriors of the test names under a method without a slider."""
    split = names_split(max_n, seed)
    return naive_posterior(split.test) if method == NAIVE else peer_posterior(split, method)


@lru_cache(maxsize=8)
def attenuated(k: float, max_n: int, seed: int) -> np.ndarray:
    """Posteriors of the test names under eq. (20), for curve and luck of one step."""
    return attenuated_posterior(*names_split(max_n, seed).test.evidence, k)


@dataclass(frozen=True)
class Curve:
    """One method on one split: its diagram with four scores, and its accuracy."""

    method: str
    max_n: int
    scores: Scores
    accuracy: float

    @property
    def diagram(self) -> ReliabilityBins:
        return self.scores.diagram


def curve(method: str, max_n: int, k: float, bins: int, seed: int) -> Curve:
    """Only eq. (20) is computed anew; all else was fitted once."""
    test = names_split(max_n, seed).test
    proba = attenuated(k, max_n, seed) if method == K else posterior(method, max_n, seed)
    return Curve(method, max_n, scores(test.y, proba, bins), float(np.mean(proba.argmax(axis=1) == test.y)))


@lru_cache(maxsize=256)
def luck_of(method: str, max_n: int, bins: int, seed: int) -> Luck:
    """Simulate what luck alone does to the diagram of a method without a slider."""
    return luck(posterior(method, max_n, seed), bins)


@dataclass(frozen=True)
class Reliability:
    """The result: the state, the curves in order, how many of them are compared with, and what luck would do."""

    k: float
    bins: int
    seed: int
    curves: list[Curve]
    rival: bool
    luck: Luck  # of the method's curve, of the longest n-grams

    @property
    def looks(self) -> list[tuple[str, str, str]]:
        """Colour, marker and dash of every curve: its method's; the shorter of several lengths are grey."""
        return SHORTER[: self.own] + [METHODS[curve.method] for curve in self.curves[self.own :]]

    @property
    def own(self) -> int:
        """The place of the method's curve, or of its last one: the longest n-grams."""
        return len(self.curves) - self.rival - 1

    @property
    def farthest(self) -> int:
        """The bin in which that curve is farthest from the diagonal; of two that mirror each other the upper one."""
        d = self.curves[self.own].diagram
        gap = np.nan_to_num(np.abs(d.observed - middles(d))).round(9)
        return int(np.flatnonzero(gap == gap.max())[-1])


class ReliabilityExplorer(Explorer):
    """Reliability diagrams of the names for naive Bayes, eq. (20) and its peers: Carlos (2015), Figures 1, 4, 5."""

    k = k_slider(when={"method": K})
    lengths = Choice("5", list(LENGTHS), label="n-grams up to")
    bins = IntSlider(10, 2, 20, label="bins")
    seed = IntSlider(0, 0, 9, label="split seed")
    method = Choice(K, [NAIVE, K, *PEERS], label="method")
    rival = Choice(NAIVE, [NOTHING, NAIVE, *PEERS], label="beside it")

    presets: ClassVar = {
        "Figure 1": Preset(
            "More and more features: the curve turns away from the diagonal.",
            dict(method=NAIVE, lengths=TOGETHER, rival=NOTHING),
        ),
        "Figure 4": Preset(
            "The flattest histogram, and a curve that is too steep: too modest.",
            lambda: dict(k=step_of(flat_k(names_split(5)))),
        ),
        "Figure 5": Preset(
            "The paper's rule: nearly straight, and every point lies in its bar.",
            lambda: dict(k=step_of(validated_k(names_split(5)))),
        ),
        "Log loss": Preset(
            "This book's rule: here almost the same k.", lambda: dict(k=step_of(calibrated_k(names_split(5))))
        ),
        "The trap": Preset(
            "A sigmoid fitted to posteriors, nearly all of them 0 or 1.",
            dict(method="sigmoid trap", rival="Platt"),
        ),
    }

    def compute(self, k, lengths, bins, seed, method, rival) -> Reliability:
        curves = [curve(method, max_n, k, bins, seed) for max_n in LENGTHS[lengths]]
        beside = rival not in (NOTHING, method)
        if beside:
            curves.append(curve(rival, LENGTHS[lengths][-1], k, bins, seed))
        own = LENGTHS[lengths][-1]
        chance = luck(attenuated(k, own, seed), bins) if method == K else luck_of(method, own, bins, seed)
        return Reliability(k, bins, seed, curves, beside, chance)

    def draw(self, result):
        panels = [diagram_panel(result), histogram_panel(result), scores_panel(result)]
        return theme.figure([panels], widths=[1, 0.7, 1.25])

    def explain(self, result):
        """Return the line of the bin where calibration is missed most."""
        r = result
        d, at, color = r.curves[r.own].diagram, r.farthest, r.looks[r.own][0]
        came, middle = d.observed[at], middles(d)[at]
        return [
            f"farthest from the diagonal, {span(*d.edges[at : at + 2])}:",
            Over([Term(f"{came * d.count[at]:,.0f}", "came true")], [Term(f"{d.count[at]:,}", "pairs")]),
            "=",
            Term(f"{came:.3f}", "came true", f"bin {at}", color),
            ", promised",
            Term(f"{middle:.3f}", "middle", IDEAL, palette.GUIDE),
            ", gap =",
            Term(typeset(f"{came - middle:.3f}"), "came true − middle", "gap", palette.BLACK),
        ]

    def describe(self, result) -> str:
        r = result
        own, rival = (r.curves[:-1], r.curves[-1:]) if r.rival else (r.curves, [])
        lengths = ", ".join(str(c.max_n) for c in own)
        said = "; ".join(describe_curves(curves, r.k) for curves in (own, rival) if curves)
        chance = f"If calibrated, the RMSE of curve {names_of(r)[r.own]} would stay below {at_most(r.luck.rmse):.3f}"
        return f"{r.bins} bins, split {r.seed}, n-grams up to {lengths}. {said}. {chance}."


def describe_curves(curves: list[Curve], k: float) -> str:
    """Return a method's RMSE and accuracy for each length as words."""
    errors = ", ".join(f"{c.scores.rmse:.3f}" for c in curves)
    right = ", ".join(f"{100 * c.accuracy:.1f}" for c in curves)
    return f"{curves[0].method.replace(', k', f', k = {k:g}')}: RMSE {errors}, right {right} %"


def at_most(draws: np.ndarray) -> float:
    """Below which 95 of 100 draws stay, given in ascending order."""
    return float(draws[-1 - DRAWS // 20])


def names_of(r: Reliability) -> list[str]:
    """Return each curve's name in legend and table: its length where there are several."""
    several = len(r.curves) - r.rival > 1
    last = len(r.curves) - 1
    return [
        f"1–{c.max_n}" if several and not (r.rival and at == last) else SHORT[c.method] for at, c in enumerate(r.curves)
    ]


def diagram_panel(r: Reliability) -> Panel:
    """The share that came true against the midpoint of each bin; larger markers for more pairs."""
    ideal = dict(type="scatter", mode="lines", x=[0, 1], y=[0, 1], showlegend=False, hoverinfo="skip")
    traces = [ideal | dict(line=dict(color=palette.GUIDE, width=1.5, dash="dot"), meta=dict(mark=IDEAL))]
    bins = spans_of(r.bins)
    traces.append(luck_bars(r))
    for at, (c, name, (color, symbol, dash)) in enumerate(zip(r.curves, names_of(r), r.looks, strict=True)):
        d = c.diagram
        full = d.count > 0
        sizes = 5 + 11 * np.sqrt(d.count / d.count.sum())
        traces.append(
            dict(type="scatter", mode="lines+markers", x=middles(d)[full], y=d.observed[full], name=name)
            | dict(marker=dict(size=sizes[full], color=color, symbol=symbol))
            | dict(line=dict(color=color, width=2, dash=dash))
            | dict(customdata=d.count[full], text=bins[full].tolist())
            | dict(hovertemplate="%{fullData.name}, %{text}: %{y:.3f} of %{customdata:,d} came true<extra></extra>")
        )
        if at == r.own:
            traces[-1]["ids"] = [f"bin {b}" for b in np.flatnonzero(full)]
    d, worst = r.curves[r.own].diagram, r.farthest
    place = middles(d)[worst]
    gap = dict(type="line", x0=place, x1=place, y0=place, y1=d.observed[worst], name="gap")
    gap["line"] = dict(color=palette.BLACK, width=2)
    axis = dict(range=[-0.03, 1.03], tickvals=[0, 0.5, 1])
    return Panel("Came true", traces, axis | dict(title="posterior"), axis, [gap])


def luck_bars(r: Reliability) -> dict:
    """In each bin a grey bar: where the share would be in 95 of 100 draws, were every posterior right."""
    d, low, high = r.curves[r.own].diagram, r.luck.low, r.luck.high
    full, gap = np.flatnonzero(d.count), np.full(np.count_nonzero(d.count), np.nan)
    x, y = (np.column_stack(ends).ravel() for ends in ((middles(d)[full],) * 2 + (gap,), (low[full], high[full], gap)))
    words = [f"{span(*d.edges[b : b + 2])}: {low[b]:.3f} to {high[b]:.3f} in 95 of 100 draws" for b in full]
    told = dict(text=np.repeat(words, 3).tolist(), hovertemplate=f"{LUCK}, %{{text}}<extra></extra>")
    return dict(type="scatter", mode="lines", x=x, y=y, name=LUCK, line=dict(color=palette.PALE, width=9)) | told


def histogram_panel(r: Reliability) -> Panel:
    """The share of all (name, class) pairs in each bin."""
    traces, top, bins = [], 0.0, spans_of(r.bins).tolist()
    for c, name, (color, _, dash) in zip(r.curves, names_of(r), r.looks, strict=True):
        heights = c.diagram.count / c.diagram.count.sum()
        top = max(top, heights.max())
        step = dict(type="scatter", mode="lines", x=c.diagram.edges, y=np.append(heights, heights[-1]))
        words = dict(text=[*bins, bins[-1]], hovertemplate=f"{name}, %{{text}}: %{{y:.3f}} of all pairs<extra></extra>")
        traces.append(step | words | dict(line=dict(color=color, width=2, dash=dash, shape="hv"), showlegend=False))
    edge = 1 - 1 / r.bins
    last = dict(type="line", x0=edge, x1=edge, y0=0, y1=1, yref="domain", line=dict(color=palette.PALE, width=2))
    x = dict(range=[-0.03, 1.03], tickvals=[0, 0.5, 1], title="posterior")
    y = dict(range=[0, 0.6 if top < 0.6 else 1.03], tickvals=[0, 0.2, 0.4, 0.6, 1])
    handles = [Handle("bins", edge, 0.55, places=1 - 1 / np.array(ReliabilityExplorer.bins.values), shape="line")]
    own = r.curves[r.own]
    if own.method == K and r.bins > 2:  # of two bins each has one half of the pairs, whatever k
        shares = names_above(own.max_n, r.seed, edge) / own.diagram.count.sum()
        now = shares[ReliabilityExplorer.k.values.index(r.k)]
        handles.append(Handle("k", (1 + edge) / 2, now, axis="y", places=shares, shape="bar"))
    return Panel("Share of pairs", traces, x, y, [last], handles=handles)


def scores_panel(r: Reliability) -> Panel:
    """Four scores of each curve as a table; below it their RMSEs among those that luck alone would give."""
    names = names_of(r)
    heads = [(name, color) for name, (color, _, _) in zip(names, r.looks, strict=True)] + [("luck", palette.GUIDE)]
    columns = np.linspace(0.335, 0.118, len(heads) + (len(heads) < 4))[: len(heads)][::-1]
    notes = [
        dict(x=x, y=6.2, text=f"<b>{name}</b>", font=dict(color=color))
        for x, (name, color) in zip(columns, heads, strict=True)
    ]
    for row, (label, name) in enumerate(ROWS.items()):
        values = [getattr(c.scores, name) for c in r.curves]
        values += [at_most(getattr(r.luck, name))] if name in ("rmse", "ece") else []
        notes.append(dict(x=0, y=5.35 - 0.85 * row, text=label, xanchor="left"))
        notes += [
            dict(x=x, y=5.35 - 0.85 * row, text=f"{value:.3f}".removeprefix("0"))
            for x, value in zip(columns, values, strict=False)
        ]
    count, edges = np.histogram(r.luck.rmse, RMSE_BINS)
    grey = dict(type="bar", x=(edges[:-1] + edges[1:]) / 2, y=1.6 * count / count.max(), width=edges[1] - edges[0])
    words = f"{LUCK}: %{{customdata}} of {DRAWS} draws have an RMSE of about %{{x:.3f}}<extra></extra>"
    grey |= dict(marker=dict(color=palette.PALE), customdata=count, hovertemplate=words, showlegend=False)
    traces = [grey]
    for c, name, (color, symbol, dash) in zip(r.curves, names, r.looks, strict=True):
        x, size = min(c.scores.rmse, RMSE_BINS[-1]), np.array([0, 10])
        pin = dict(type="scatter", mode="lines+markers", x=[x, x], y=[0, 1.85], showlegend=False)
        pin |= dict(line=dict(color=color, width=2, dash=dash), marker=dict(color=color, symbol=symbol, size=size))
        traces.append(pin | dict(hovertemplate=f"{name}: RMSE {c.scores.rmse:.3f}<extra></extra>"))
    x = dict(range=[0, RMSE_BINS[-1] + 0.005], tickvals=[0, 0.1, 0.2, 0.3], title="RMSE", showgrid=False)
    return Panel("0 is best", traces, x, dict(visible=False, range=[0, 6.7]), annotations=notes)


@lru_cache(maxsize=32)
def spans_of(bins: int) -> np.ndarray:
    """Every bin in words."""
    edges = np.arange(bins + 1) / bins
    return np.array([span(*edges[at : at + 2]) for at in range(bins)])


def middles(d: ReliabilityBins) -> np.ndarray:
    """The midpoints of the bins."""
    return (d.edges[:-1] + d.edges[1:]) / 2

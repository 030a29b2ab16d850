"""Chapter 01: log odds add up. The prior and every feature as bars, each starting where the last one ended."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np
from scipy.special import expit

from nbcore.datasets import load_gender_measurements
from nbcore.naive_bayes import GaussianNB
from workbook.explorer import palette, theme
from workbook.explorer.controls import FloatSlider, IntSlider
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import signed, written
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

__all__ = ["EvidenceExplorer"]

EDGES = (5, 10, 15, 20, 30, 40, 60, 80, 120, 160)  # where an axis may end: it seldom jumps
CURVE = np.linspace(-6, 6, 97)
UNITS = {"height": "ft", "weight": "lb", "foot": "in"}  # the controls that a person's features are, and their units


@cache
def people():
    """The eight persons, and the source's model of them: unbiased variances."""
    table = load_gender_measurements()
    return table, GaussianNB(ddof=1, var_smoothing=0).fit(table.data, table.target)


@dataclass(frozen=True)
class Evidence:
    """The result: F features of one item under two classes; log odds are those of the second class."""

    what: str  # the item in words
    classes: tuple[str, str]
    prior: float  # of the second class
    labels: list[str]
    terms: np.ndarray  # (2, F) log p(feature | class)
    person: tuple[float, ...] = ()  # the measurements, if it is a person

    @property
    def rows(self) -> np.ndarray:
        """(2, F + 1) the log prior, then the terms."""
        return np.column_stack([np.log([1 - self.prior, self.prior]), self.terms])

    @property
    def steps(self) -> np.ndarray:
        """(F + 1,) log odds of the prior, then what every feature adds."""
        first, second = self.rows
        return second - first

    @property
    def total(self) -> float:
        """Log odds of the posterior."""
        return float(self.steps.sum())

    @property
    def posterior(self) -> float:
        """P(second class | item)."""
        return float(expit(self.total))


class EvidenceExplorer(Explorer):
    """log odds = log prior odds + sum of log likelihood ratios: Wikipedia, "Document classification"."""

    prior = FloatSlider(0.5, 0.01, 0.99, step=0.01, label="prior of male")
    height = FloatSlider(6.0, 4.5, 7.0, step=0.05, label="height, ft")
    weight = IntSlider(130, 80, 300, step=5, label="weight, lb")
    foot = FloatSlider(8.0, 5.0, 14.0, step=0.25, label="foot, in")

    presets: ClassVar = {
        "The source's person": Preset(
            "Six feet speak for a man. Weight and feet speak against him, and they have the longer bars.", {}
        ),
        "The prior decides": Preset(
            "Three measurements that nearly cancel. Whoever thought nine in ten are men still thinks so.",
            dict(height=5.7, weight=155, foot=9.5, prior=0.9),
        ),
        "One feature outweighs all": Preset(
            "Tall, and with large feet. One number on the scales outvotes both of them, and more.",
            dict(height=6.0, weight=110, foot=11.0),
        ),
    }

    def compute(self, prior, height, weight, foot) -> Evidence:
        table, model = people()
        terms = model.feature_contributions([[height, weight, foot]])[0]
        what = f"{height:g} ft, {weight} lb, foot {foot:g} in"
        classes = tuple(map(str, table.target_names))
        return Evidence(what, classes, prior, list(UNITS), terms, (height, weight, foot))

    def draw(self, result):
        panels = [person_panel(result), terms_panel(result), waterfall_panel(result), curve_panel(result)]
        return theme.figure([panels], widths=[1.2, 1, 1.4, 0.9], left=4.6)

    def describe(self, result) -> str:
        r = result
        bars = ", ".join(f"{label} {signed(step)}" for label, step in zip(["prior", *r.labels], r.steps, strict=True))
        return f"prior {r.prior:.2f}, {r.what}. Log odds of {r.classes[1]}: {bars}; sum {verdict(r)}"

    def explain(self, result):
        return sum_of_steps(result)


def verdict(r: Evidence) -> str:
    """The sum, the probability and the decision, in words."""
    decided = "undecided" if r.total == 0 else f"so {r.classes[int(r.total > 0)]}"
    return f"{signed(r.total)}, P({r.classes[1]}) = {written(r.posterior)}, {decided}."


def sum_of_steps(r: Evidence) -> list[Part]:
    """log odds = log prior odds + sum of log likelihood ratios, and the probability that they stand for."""
    values = [*zip(["prior", *r.labels], r.steps, strict=True), (f"log odds of {r.classes[1]}", r.total)]
    sides = [int(value > 0) for _, value in values]
    terms = [
        Term(signed(value), label, f"bar {i}", palette.CLASS_COLORS[side], palette.CLASS_PATTERNS[side])
        for i, (side, (label, value)) in enumerate(zip(sides, values, strict=True))
    ]
    chance = Term(rounded(r.posterior), f"P({r.classes[1]})", "posterior", palette.BLACK)
    return [*terms[:-1], "=", terms[-1], ", a probability of", chance]


def rounded(chance: float) -> str:
    """A probability by three decimals, or by three digits if it is small."""
    return f"{chance:.3f}" if chance >= 0.1 else written(chance)


def edge_for(values, air: float = 1.1) -> float:
    """The first of EDGES that leaves some air around the values."""
    return next(edge for edge in EDGES if edge >= air * np.abs(values).max() or edge == EDGES[-1])


def row_axis(labels, **options) -> dict:
    """A vertical axis of rows, the first one on top."""
    shown = [theme.escape(label) for label in labels]
    return dict(tickvals=np.arange(len(labels)), ticktext=shown, range=[len(labels) - 0.4, -0.6]) | options


RING = dict(size=13, symbol="circle-open", color=palette.BLACK, line=dict(width=2.5, color=palette.BLACK))
CROSS = dict(size=13, symbol="x", color=palette.HELD, line=dict(width=2, color=palette.BLACK))
BARE = dict(showticklabels=False, ticks="")
DODGE = 0.24  # of a row: equal values stand beside each other


@cache
def measured_people() -> list[dict]:
    """The eight persons of each class on the three sliders: every slider is as long as its row."""
    table, _ = people()
    sliders = [EvidenceExplorer.declared[name] for name in UNITS]
    low, high = np.array([[slider.low, slider.high] for slider in sliders]).T
    rows, words = np.arange(1, len(sliders) + 1), zip(UNITS.items(), table.data.T, strict=True)
    said = np.array([[f"{name} {value:g} {unit}" for value in column] for (name, unit), column in words]).T
    traces = []
    for c, (color, symbol) in enumerate(zip(palette.CLASS_COLORS[:2], palette.CLASS_MARKERS[:2], strict=True)):
        own = table.target == c
        at = dict(x=((table.data[own] - low) / (high - low)).ravel(), y=np.tile(rows, own.sum()))
        told = dict(
            customdata=said[own].ravel().tolist(),
            hovertemplate=f"{table.target_names[c]}: %{{customdata}}<extra></extra>",
        )
        look = dict(marker=dict(size=8, color=color, symbol=symbol, opacity=0.6), showlegend=False)
        traces.append(dict(type="scatter", mode="markers") | at | told | look)
    return traces


def person_panel(r: Evidence) -> Panel:
    """What is put in, and what the eight persons measured: the prior (ring) and the person (crosses) can be dragged."""
    sliders = [EvidenceExplorer.declared[name] for name in ("prior", *UNITS)]
    ends = [(0, 1), *((slider.low, slider.high) for slider in sliders[1:])]
    now = [float((value - low) / (high - low)) for value, (low, high) in zip((r.prior, *r.person), ends, strict=True)]
    dot = dict(type="scatter", mode="markers", showlegend=False, hovertemplate="%{customdata}<extra></extra>")
    said = [f"{value:g} {unit}" for value, unit in zip(r.person, UNITS.values(), strict=True)]
    ring = dot | dict(x=now[:1], y=[0], marker=RING, customdata=[f"prior of {r.classes[1]}: {r.prior:.2f}"])
    crosses = dot | dict(x=now[1:], y=[1, 2, 3], marker=CROSS, customdata=said)
    rails = [
        dict(type="line", x0=0, x1=1, y0=y, y1=y, line=dict(color=palette.GREY, width=1), layer="below")
        for y in range(4)
    ]
    units = ["", *(f" {unit}" for unit in UNITS.values())]
    notes = [
        dict(x=side, y=y + 0.32, xanchor=("left", "right")[side], text=f"{ends[y][side]:g}{units[y] * side}")
        for y in range(4)
        for side in (0, 1)
    ]
    handles = [Handle("prior", x=now[0], y=0)]
    handles += [
        Handle(name, x=now[y], y=y, places=np.linspace(0, 1, slider.steps + 1))
        for y, (name, slider) in enumerate(zip(UNITS, sliders[1:], strict=True), start=1)
    ]
    x = BARE | dict(range=[-0.06, 1.06], showgrid=False)
    y = row_axis(["prior", *r.labels, "sum"], showgrid=False)
    return Panel("The person", [*measured_people(), ring, crosses], x, y, rails, notes, handles)


def terms_panel(r: Evidence) -> Panel:
    """log p of prior and features in both classes, and their sums: the gap in a row is the bar beside it."""
    values = np.column_stack([r.rows, r.rows.sum(axis=1)])
    at = np.arange(values.shape[1])
    gap = dict(type="line", line=dict(color=palette.GREY, width=2))
    gaps = [gap | dict(x0=first, x1=second, y0=y, y1=y) for y, (first, second) in enumerate(values.T)]
    labels = ["prior", *r.labels, "sum"]
    dot = dict(type="scatter", mode="markers", customdata=[theme.escape(label) for label in labels])
    traces = [
        dot
        | dict(x=values[c], y=at + (c - 0.5) * DODGE, name=theme.escape(name))
        | dict(hovertemplate="%{customdata}, %{fullData.name}: log p = %{x:.2f}<extra></extra>")
        | dict(marker=dict(size=11, color=palette.CLASS_COLORS[c], symbol=palette.CLASS_MARKERS[c]))
        for c, name in enumerate(r.classes)
    ]
    edge = edge_for(values, air=1.05)
    x = dict(range=[-edge, 0.12 * edge], nticks=4)
    return Panel("log p in each class", traces, x, row_axis(labels, **BARE), gaps)


def waterfall_panel(r: Evidence) -> Panel:
    """Log odds, each bar from where the last one ended; the sum, outlined, from 0. Their numbers at the left."""
    labels, heights = map(theme.escape, ["prior", *r.labels, "sum"]), np.array([*r.steps, r.total])
    walk = np.cumsum(r.steps)
    sides = (heights > 0).astype(int)
    bars = dict(
        type="bar", orientation="h", y=np.arange(len(heights)), x=heights, base=[0.0, *walk[:-1], 0.0], width=0.6,
        showlegend=False, ids=[f"bar {i}" for i in range(len(heights))],
        customdata=[f"{label}: log odds {signed(height)}" for label, height in zip(labels, heights, strict=True)],
        hovertemplate="%{customdata}<extra></extra>",
        marker=theme.class_marker(sides) | dict(line=dict(color=palette.BLACK, width=[*[0] * len(r.steps), 3])),
    )  # fmt: skip
    numbers = [
        dict(x=-0.02, xref="domain", xanchor="right", y=y, text=signed(height)) for y, height in enumerate(heights)
    ]
    edge = edge_for([0.1, *walk])
    zero = dict(type="line", x0=0, x1=0, y0=0, y1=1, yref="domain", line=dict(color=palette.BLACK, width=1))
    x = dict(range=[-edge, edge], nticks=5)
    y = row_axis([""] * len(heights), **BARE)
    title = f"Log odds of {theme.escape(r.classes[1])}"
    return Panel(title, [bars], x, y, [zero], numbers)


def curve_panel(r: Evidence) -> Panel:
    """The S-shaped curve from log odds to probability: prior (ring), posterior (diamond; beyond the edge, an arrow)."""
    line = dict(type="scatter", mode="lines", x=CURVE, y=expit(CURVE), line=dict(color=palette.GREY, width=3))
    line |= dict(showlegend=False, hovertemplate="log odds %{x:.2f} are a probability of %{y:.3f}<extra></extra>")
    dot = dict(type="scatter", mode="markers", hovertemplate="%{fullData.name} %{y:.3g}<extra></extra>")
    points = [
        dot
        | dict(x=[float(np.clip(odds, CURVE[0], CURVE[-1]))], y=[float(expit(odds))], name=name, marker=marker)
        | dict(meta=dict(mark=name))
        for odds, marker, name in ((r.steps[0], RING, "prior"), (r.total, RING | dict(symbol="diamond"), "posterior"))
    ]
    off = int(abs(r.total) > CURVE[-1])
    side = 1 if r.total > 0 else -1
    arrows = [dict(x=6.2 * side, y=0.5 + 0.4 * side, text="<b>→</b>" if side > 0 else "<b>←</b>")] * off
    grip = Handle("prior", x=float(r.steps[0]), y=r.prior, axis="y")
    x = dict(range=[-7.4, 7.4], tickvals=[-5, 0, 5], title="log odds")
    y = dict(range=[-0.06, 1.06], tickvals=[0, 0.5, 1])
    return Panel(f"P({theme.escape(r.classes[1])})", [line, *points], x, y, annotations=arrows, handles=[grip])

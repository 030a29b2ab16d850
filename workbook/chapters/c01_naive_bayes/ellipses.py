"""Chapter 01: what naive Bayes assumes of two correlated features, drawn over what is true."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import ClassVar

import numpy as np
from scipy.special import expit
from scipy.stats import norm

from nbcore.datasets import load_gender_measurements
from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, FloatSlider, IntSlider
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import typeset
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .evidence import rounded
from .gaussian_boundary import (
    CIRCLE,
    FINE,
    NAIVE,
    NOW,
    SHOWN,
    SIDE,
    STEPS,
    boundaries,
    cross_marker,
    items,
    normals,
    posteriors,
    square,
    sum_of_votes,
)

__all__ = ["EllipsesExplorer"]

KNOWN, PEOPLE = "known classes", "eight persons"
SAME, OPPOSITE, ONE = "up and right of A", "down and right of A", "right of A"
B_AT = {SAME: np.array([1.0, 1.0]), OPPOSITE: np.array([1.0, -1.0]), ONE: np.array([1.2, 0.0])}  # A lies at minus this
ASIDE = 0.6  # where the path runs upwards if only the first feature differs
WIDE = 2.0  # standard deviations from the centre of an ellipse to its edge
ROOM = {KNOWN: ((-SIDE, SIDE), (-SIDE, SIDE)), PEOPLE: ((4.4, 6.8), (60.0, 260.0))}


@dataclass(frozen=True)
class Ellipses:
    """The result. Two normal classes; log odds are those of the second one, over the map, along a path, at a point."""

    data: str
    apart: str
    correlation: float
    names: tuple[str, str]
    points: tuple[np.ndarray, np.ndarray]
    means: np.ndarray  # (2, 2)
    covariances: np.ndarray  # (2, 2, 2)
    path: np.ndarray  # (FINE, 2)
    marked: np.ndarray  # (2,)
    naive: np.ndarray  # (STEPS^2 + FINE + 1,) without the correlation
    full: np.ndarray  # with it
    votes: np.ndarray  # (2,) what either feature adds to naive Bayes's log odds at the marked point
    errors: tuple[float, float]  # shares decided wrongly by naive Bayes and by the truth; nan for the eight persons

    @property
    def other(self) -> str:
        return "the truth" if self.data == KNOWN else "with correlation"

    def map(self, log_odds) -> np.ndarray:
        return log_odds[: STEPS**2].reshape(STEPS, STEPS)

    def along(self, log_odds) -> np.ndarray:
        return log_odds[STEPS**2 : -1]


@lru_cache(maxsize=2)
def grid(data: str) -> np.ndarray:
    """(STEPS^2, 2) the points of the map."""
    return np.stack(np.meshgrid(*(np.linspace(*ends, STEPS) for ends in ROOM[data])), axis=-1).reshape(-1, 2)


@cache
def measured():
    """Height and weight of the eight persons, women first, each (4, 2); their means and covariances."""
    table = load_gender_measurements()
    groups = tuple(table.data[table.target == c, :2] for c in (0, 1))
    return groups, np.array([g.mean(axis=0) for g in groups]), np.array([np.cov(g.T) for g in groups])


def squares(X, means, covariances) -> np.ndarray:
    """(rows,) log ratio, second class to first, of normal densities with these means and covariances."""
    logs = []
    for mean, S in zip(means, covariances, strict=True):
        away = X - mean
        logs.append(-(np.einsum("ni,ij,nj->n", away, np.linalg.inv(S), away) + np.linalg.slogdet(S)[1]) / 2)
    return logs[1] - logs[0]


def errors_of(B: np.ndarray, S: np.ndarray) -> tuple[float, float]:
    """Shares decided wrongly by naive Bayes and by the truth: classes at -B and B, unit variances, covariance S.

    Both decide by the sign of a sum w . x. Within a class it is normal with mean +-(w . B) and variance w' S w.
    """
    naive, full = (norm.cdf(-(w @ B) / np.sqrt(w @ S @ w)) for w in (B, np.linalg.solve(S, B)))
    return float(naive), float(full)


def line_through(apart: str, at) -> np.ndarray:
    """(rows, 2) the path: through both centres, or upwards beside the middle."""
    at = np.asarray(at, dtype=float)
    if apart == ONE:
        return np.column_stack([np.full(len(at), ASIDE), at])
    return np.column_stack([at, at * B_AT[apart][1]])


class EllipsesExplorer(Explorer):
    """Two normal classes with correlated features: in truth, and as naive Bayes takes them."""

    correlation = FloatSlider(0.8, -0.9, 0.9, step=0.1, label="correlation", when={"data": KNOWN})
    apart = Choice(SAME, list(B_AT), label="B lies", when={"data": KNOWN})
    cross = FloatSlider(0.5, -SIDE, SIDE, step=0.1, label="cross", when={"data": KNOWN})
    data = Choice(KNOWN, [PEOPLE, KNOWN], label="Data")
    height = FloatSlider(6.0, 4.4, 6.8, step=0.05, label="height, ft", when={"data": PEOPLE})
    weight = IntSlider(130, 60, 260, step=5, label="weight, lb", when={"data": PEOPLE})

    presets: ClassVar = {
        "Correlated: too sure": Preset(
            "The line stays. But both features say much the same, and naive Bayes counts it as news twice.", {}
        ),
        "Across the tilt": Preset(
            "The same clouds; B now lies across their tilt. They hardly overlap, and naive Bayes does not see it: "
            "not sure enough.",
            dict(apart=OPPOSITE),
        ),
        "Negative correlation": Preset(
            "B where it was, the clouds tilted the other way: again across, again not sure enough.",
            dict(correlation=-0.8),
        ),
        "A tilt it misses": Preset(
            "Only one feature differs, the other explains its noise: the true line leans, and naive Bayes cannot.",
            dict(apart=ONE, cross=1.0),
        ),
        "Eight persons": Preset(
            "Tall and light: nearly impossible in a woman, and in a man too. The ratio of two tiny numbers decides.",
            dict(data=PEOPLE),
        ),
    }

    def compute(self, correlation, apart, cross, data, height, weight) -> Ellipses:
        if data == PEOPLE:
            names = tuple(map(str, load_gender_measurements().target_names))
            points, means, covariances = measured()
            up = np.linspace(*ROOM[PEOPLE][1], FINE)
            path, marked = np.column_stack([np.full(FINE, height), up]), np.array([height, weight])
            errors = float("nan"), float("nan")
        else:
            names, B, S = ("A", "B"), B_AT[apart], np.array([[1.0, correlation], [correlation, 1.0]])
            means, covariances = np.array([-B, B]), np.array([S, S])
            points = tuple(means[:, None] + normals(0)[:, :SHOWN] @ np.linalg.cholesky(S).T)
            path, marked = line_through(apart, np.linspace(-SIDE, SIDE, FINE)), line_through(apart, [cross])[0]
            errors = errors_of(B, S)
        X = np.vstack([grid(data), path, marked])
        spreads = np.sqrt(np.diagonal(covariances, axis1=1, axis2=2))
        a, b = (norm.logpdf(X, mean, s) for mean, s in zip(means, spreads, strict=True))
        naive, full = (b - a).sum(axis=1), squares(X, means, covariances)
        return Ellipses(
            data, apart, correlation, names, points, means, covariances, path, marked, naive, full, (b - a)[-1], errors
        )

    def draw(self, result):
        return theme.figure([[plane_panel(result), path_panel(result)]], share=1.0)

    def describe(self, result) -> str:
        r = result
        first, second, name = r.naive[-1], r.full[-1], r.names[1]
        if r.data == PEOPLE:
            return (
                f"Eight persons, height and weight only. At {r.marked[0]:g} ft and {r.marked[1]:g} lb naive Bayes says "
                f"P({name}) = {rounded(expit(first))}; two full covariance matrices, from {len(r.points[0])} persons "
                f"each, say {rounded(expit(second))}."
            )
        wrong = " and ".join(f"{100 * error:.1f} %" for error in r.errors)
        return (
            f"correlation {typeset(f'{r.correlation:.2f}')}, B lies {r.apart}. At the cross naive Bayes says P(B) = "
            f"{expit(first):.3f}, the truth is {expit(second):.3f} (log odds {typeset(f'{first:.2f}')} and "
            f"{typeset(f'{second:.2f}')}). Of all items naive Bayes and the truth decide {wrong} wrongly."
        )

    def explain(self, result):
        r = result
        features = ("x₁", "x₂") if r.data == KNOWN else ("height", "weight")
        return sum_of_votes(r.votes, r.naive[-1], r.full[-1], features, r.other, r.names[1])


def ellipse(mean, S) -> np.ndarray:
    """(121, 2) WIDE standard deviations around the mean, from the rightmost point on."""
    return mean + WIDE * CIRCLE @ np.linalg.cholesky(S).T


def plane_panel(r: Ellipses) -> Panel:
    """Items, both classes in truth (in their colours) and as assumed (dashed or dotted), both boundaries, the path."""
    outline = dict(type="scatter", mode="lines", showlegend=False)
    traces = [
        outline
        | dict(x=r.path[[0, -1], 0], y=r.path[[0, -1], 1], hoverinfo="skip")
        | dict(line=dict(color=palette.GREY, dash="dot", width=2)),
        *(items(r.points[c], c, r.names[c], 5 if r.data == KNOWN else 9) for c in (0, 1)),
    ]
    inner = {} if r.data == KNOWN else dict(dash="dot")  # there the dashed boundary is a ring as well
    for c, (mean, S) in enumerate(zip(r.means, r.covariances, strict=True)):
        true, assumed = ellipse(mean, S), ellipse(mean, np.diag(np.diag(S)))
        told = f"two standard deviations of {r.names[c]}, "
        traces += [
            outline
            | dict(x=true[:, 0], y=true[:, 1], line=dict(color=palette.CLASS_COLORS[c], width=3))
            | dict(hovertemplate=f"{told}{r.other}<extra></extra>"),
            outline
            | dict(x=assumed[:, 0], y=assumed[:, 1], line=NAIVE | dict(width=1.5) | inner)
            | dict(hovertemplate=f"{told}as naive Bayes assumes<extra></extra>"),
        ]
    x, y = (np.linspace(*ends, STEPS) for ends in ROOM[r.data])
    traces += boundaries(x, y, r.map(r.full), r.map(r.naive))
    traces.append(cross_marker(r.marked[:1], r.marked[1:], r.naive[-1], r.full[-1], r.other, r.names[1]))
    here = dict(x=r.marked[0], y=r.marked[1])
    if r.data == PEOPLE:
        axes = [
            dict(range=list(ends), nticks=5, showgrid=False, title=title)
            for ends, title in zip(ROOM[PEOPLE], ("height, ft", "weight, lb"), strict=True)
        ]
        grip = Handle(("height", "weight"), **here, axis="xy")
        return Panel("Solid: with correlation; dotted: without", traces, *axes, handles=[grip])
    declared = EllipsesExplorer.declared
    rightmost = ellipse(r.means[1], r.covariances[1])[0]
    handles = [
        Handle(
            "correlation",
            x=rightmost[0],
            y=rightmost[1],
            axis="y",
            places=r.means[1, 1] + WIDE * np.array(declared["correlation"].values),
        ),
        Handle("cross", **here, axis="y" if r.apart == ONE else "x"),
    ]
    return Panel("Solid: true; dashed: assumed", traces, *square(), handles=handles, equal=True)


def path_panel(r: Ellipses) -> Panel:
    """The posterior of the second class along the path, by both models."""
    upwards = r.data == PEOPLE or r.apart == ONE
    along, at = r.path[:, int(upwards)], float(r.marked[int(upwards)])
    name = r.names[1]
    traces = posteriors(along, r.along(r.full), r.along(r.naive), r.other, name)
    heights = expit([r.full[-1], r.naive[-1]])
    traces.append(cross_marker([at, at], heights, r.naive[-1], r.full[-1], r.other, name))
    here = dict(type="line", x0=at, x1=at, y0=0, y1=1, yref="domain", line=NOW)
    title = {SAME: "x₁ = x₂", OPPOSITE: "x₁ = −x₂", ONE: f"x₂, at x₁ = {ASIDE:g}"}[r.apart]
    heading = f"P({name}) along the dots"
    if r.data == PEOPLE:
        title, heading = f"lb, at {r.marked[0]:g} ft", f"P({name}) by weight"
    x = dict(range=[along[0], along[-1]], nticks=5, title=title)
    y = dict(range=[-0.04, 1.04], tickvals=[0, 0.5, 1])
    grip = Handle("weight" if r.data == PEOPLE else "cross", x=at, y=1.0, shape="line")
    return Panel(heading, traces, x, y, [here], handles=[grip])

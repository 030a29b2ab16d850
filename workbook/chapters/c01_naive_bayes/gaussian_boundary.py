"""Chapter 01: where naive Bayes draws its boundary between two normal classes, and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import ClassVar

import numpy as np
from scipy.special import expit
from scipy.stats import multivariate_normal

from nbcore.datasets import load_gender_measurements
from nbcore.naive_bayes import GaussianNB
from workbook.page import palette, theme
from workbook.page.controls import Choice, FloatSlider, IntSlider, Steps
from workbook.page.explorer import Explorer, Preset
from workbook.page.theme import Panel

__all__ = ["GaussianBoundaryExplorer"]

DRAWN, PEOPLE = "drawn at random", "eight persons"
BOTH, ONE = "both features", "one feature"
CENTRES = {BOTH: np.array([[-1.0, -1.0], [1.0, 1.0]]), ONE: np.array([[-1.2, 0.0], [1.2, 0.0]])}
SIZES = [5, 10, 30, 100, 300, 1000, 3000]
JUDGES = 1000  # further items of each class, on which the two models' decisions are compared
SHOWN = 60  # points of each class in the figure
STEPS = 41
TONES = [[0, "#A9CDE6"], [0.5, "#FFFFFF"], [1, "#F3C7A6"]]


@dataclass(frozen=True)
class View:
    """What part of the plane is shown, and the dotted path through the marked point."""

    names: tuple[str, str]
    x: np.ndarray  # (STEPS,)
    y: np.ndarray
    titles: tuple[str, str]
    path: np.ndarray  # (STEPS, 2)
    along: np.ndarray  # (STEPS,) where on the path
    along_title: str
    marked: np.ndarray  # (2,)
    at: float  # where on the path the marked point lies

    @property
    def asked(self) -> np.ndarray:
        """Grid, path and marked point as rows."""
        grid = np.stack(np.meshgrid(self.x, self.y), axis=-1).reshape(-1, 2)
        return np.vstack([grid, self.path, self.marked])


@lru_cache(maxsize=2)
def view(data: str) -> View:
    """The square around two drawn classes, or the room around the eight persons."""
    if data == DRAWN:
        side = np.linspace(-4, 4, STEPS)
        path = np.column_stack([side, side])
        return View(("A", "B"), side, side, ("x₁", "x₂"), path, side, "x₁ = x₂", np.array([0.5, 0.5]), 0.5)
    height, weight = np.linspace(4.4, 6.8, STEPS), np.linspace(60, 260, STEPS)
    path = np.column_stack([np.full(STEPS, 6.0), weight])
    names = tuple(map(str, load_gender_measurements().target_names))
    return View(names, height, weight, ("height, ft", "lb"), path, weight, "lb, at 6 ft", np.array([6.0, 130.0]), 130.0)


@lru_cache(maxsize=32)
def normals(seed: int) -> np.ndarray:
    """(2, items, 2) independent standard normal numbers: two classes, two features."""
    return np.random.default_rng(seed).standard_normal((2, SIZES[-1] + JUDGES, 2))


@cache
def people():
    """Height and weight of the eight persons (8, 2), and their classes."""
    table = load_gender_measurements()
    return table.data[:, :2], table.target


@dataclass(frozen=True)
class Boundary:
    """The result. Log odds are those of the second class: over the grid, along the path, at the marked point."""

    data: str
    spread: float
    correlation: float
    n: int
    points: np.ndarray  # (n shown, 2)
    target: np.ndarray
    naive: np.ndarray  # (STEPS^2 + STEPS + 1,) by naive Bayes
    full: np.ndarray  # the same with the correlation: the truth, where the classes were drawn
    differ: float  # share of further items that the two give different classes; nan for the eight persons

    def grid(self, log_odds) -> np.ndarray:
        return log_odds[: STEPS**2].reshape(STEPS, STEPS)

    def path(self, log_odds) -> np.ndarray:
        return log_odds[STEPS**2 : -1]


def naive_and_full(X, y, centres, covariances, asked):
    """Log odds (rows of asked) by Gaussian naive Bayes fitted to X, y, and by given normal distributions."""
    joint = GaussianNB(ddof=1, var_smoothing=0, priors=[0.5, 0.5]).fit(X, y).predict_joint_log_proba(asked)
    logs = [multivariate_normal(c, S).logpdf(asked) for c, S in zip(centres, covariances, strict=True)]
    return joint[:, 1] - joint[:, 0], logs[1] - logs[0]


class GaussianBoundaryExplorer(Explorer):
    """Gaussian naive Bayes (Wikipedia, "Gaussian naive Bayes") beside the model that knows the correlation."""

    spread = FloatSlider(1.0, 0.4, 2.5, step=0.1, label="spread of B (A: 1)", when={"data": DRAWN})
    correlation = FloatSlider(0.0, -0.9, 0.9, step=0.1, label="correlation", when={"data": DRAWN})
    n = Steps(1000, SIZES, label="n, each class", say="{:,}".format, when={"data": DRAWN})
    seed = IntSlider(0, 0, 20, label="seed", when={"data": DRAWN})
    differ = Choice(BOTH, [ONE, BOTH], label="A, B differ in", when={"data": DRAWN})
    data = Choice(DRAWN, [PEOPLE, DRAWN], label="Data")

    presets: ClassVar = {
        "Equal: a line": Preset("Both classes spread alike: the squares cancel, and what is left is a line.", {}),
        "B wide: a curve": Preset(
            "B is twice as wide. Far out, on every side, B is the better guess: the boundary closes around A.",
            dict(spread=2.0),
        ),
        "n = 10": Preset(
            "Ten of each: the estimated spreads differ by luck, so the line bends. Try other seeds.", dict(n=10)
        ),
        "Correlated: too sure": Preset(
            "The line stays. But both features say much the same, and naive Bayes counts it as news twice.",
            dict(correlation=0.8),
        ),
        "A tilt it misses": Preset(
            "Only one feature differs, the other explains its noise: the true line leans, and naive Bayes cannot.",
            dict(correlation=0.8, differ=ONE),
        ),
        "Eight persons": Preset(
            "Tall and light: one by one both are possible in a woman, together hardly. But that is from four women.",
            dict(data=PEOPLE),
        ),
    }

    def compute(self, spread, correlation, n, seed, differ, data) -> Boundary:
        asked = view(data).asked
        if data == PEOPLE:
            X, y = people()
            groups = [X[y == c] for c in (0, 1)]
            centres, covariances = [g.mean(axis=0) for g in groups], [np.cov(g.T) for g in groups]
            naive, full = naive_and_full(X, y, centres, covariances, asked)
            return Boundary(data, spread, correlation, len(groups[0]), X, y, naive, full, float("nan"))
        scales, centres = np.array([1.0, spread]), CENTRES[differ]
        within = np.array([[1.0, correlation], [correlation, 1.0]])
        root = np.linalg.cholesky(within)
        z = normals(seed)[:, [*range(n), *range(-JUDGES, 0)]]
        drawn = centres[:, None] + scales[:, None, None] * (z @ root.T)
        X, y = drawn[:, :n].reshape(-1, 2), np.repeat([0, 1], n)
        judged = drawn[:, n:].reshape(-1, 2)
        naive, full = naive_and_full(X, y, centres, scales[:, None, None] ** 2 * within, np.vstack([asked, judged]))
        disagree = float(np.mean((naive > 0)[len(asked) :] != (full > 0)[len(asked) :]))
        shown = min(n, SHOWN)
        points, target = drawn[:, :shown].reshape(-1, 2), np.repeat([0, 1], shown)
        return Boundary(
            data, spread, correlation, n, points, target, naive[: len(asked)], full[: len(asked)], disagree
        )

    def draw(self, result):
        return theme.figure([[plane_panel(result), path_panel(result)]], widths=[1, 1.1])

    def describe(self, result) -> str:
        r, v = result, view(result.data)
        first, second = r.naive[-1], r.full[-1]
        name = v.names[1]
        if r.data == PEOPLE:
            return (
                f"Eight persons, height and weight only. At 6 ft and 130 lb naive Bayes says P({name}) = "
                f"{expit(first):.3g}; two full covariance matrices, from {r.n} persons each, say {expit(second):.3g}."
            )
        correlation = f"{r.correlation:.2f}".replace("-", "−")
        return (
            f"spread {r.spread:.2f}, correlation {correlation}, n = {r.n:,}. At the cross naive Bayes says P({name}) = "
            f"{expit(first):.3f}, the truth is {expit(second):.3f} (log odds {first:.2f} and {second:.2f}). "
            f"Naive Bayes and the truth decide differently for {100 * r.differ:.1f} % of {2 * JUDGES:,} new items."
        )


NAIVE = dict(color=palette.BLACK, dash="dash", width=3)
FULL = dict(color=palette.GREEN, width=5)


def plane_panel(r: Boundary) -> Panel:
    """The plane, shaded by naive Bayes's posterior, the items, both boundaries, the path and the marked point."""
    v = view(r.data)
    at = dict(x=v.x, y=v.y, showscale=False, hoverinfo="skip")
    shade = at | dict(type="heatmap", z=expit(r.grid(r.naive)), zmin=0, zmax=1, colorscale=TONES, zsmooth="best")
    edge = at | dict(type="contour", contours=dict(start=0, end=0, size=1, coloring="none"), showlegend=False)
    size = 6 if r.n > 10 else 9
    dots = [
        dict(type="scatter", mode="markers", hoverinfo="skip", name=v.names[c])
        | dict(x=r.points[r.target == c, 0], y=r.points[r.target == c, 1])
        | dict(marker=dict(size=size, color=palette.CLASS_COLORS[c], symbol=palette.CLASS_MARKERS[c], opacity=0.75))
        for c in (0, 1)
    ]
    dotted = dict(type="scatter", mode="lines", x=v.path[:, 0], y=v.path[:, 1], showlegend=False, hoverinfo="skip")
    cross = dict(type="scatter", mode="markers", x=v.marked[:1], y=v.marked[1:], showlegend=False, hoverinfo="skip")
    traces = [
        shade,
        dotted | dict(line=dict(color=palette.GREY, dash="dot", width=2)),
        *dots,
        edge | dict(z=r.grid(r.full), line=FULL),
        edge | dict(z=r.grid(r.naive), line=NAIVE),
        cross | dict(marker=dict(symbol="x", size=13, color=palette.YELLOW, line=dict(color=palette.BLACK, width=2))),
    ]
    x, y = (
        dict(range=[s[0], s[-1]], nticks=5, showgrid=False, title=t)
        for s, t in zip((v.x, v.y), v.titles, strict=True)
    )
    return Panel("Boundaries", traces, x, y)


def path_panel(r: Boundary) -> Panel:
    """The posterior of the second class along the dotted path, by both models."""
    v = view(r.data)
    line = dict(type="scatter", mode="lines", x=v.along)
    cross = dict(type="scatter", mode="markers", x=[v.at, v.at], showlegend=False, hoverinfo="skip")
    cross |= dict(y=expit([r.full[-1], r.naive[-1]]))
    other = "the truth" if r.data == DRAWN else "with correlation"
    traces = [
        line | dict(y=expit(r.path(r.full)), name=other, line=FULL),
        line | dict(y=expit(r.path(r.naive)), name="naive Bayes", line=NAIVE),
        cross | dict(marker=dict(symbol="x", size=13, color=palette.YELLOW, line=dict(color=palette.BLACK, width=2))),
    ]
    here = dict(type="line", x0=v.at, x1=v.at, y0=0, y1=1, yref="domain", line=dict(color=palette.GREY, width=1))
    x = dict(range=[v.along[0], v.along[-1]], nticks=5, title=v.along_title)
    y = dict(range=[-0.04, 1.04], tickvals=[0, 0.5, 1])
    return Panel(f"P({v.names[1]}) along the dots", traces, x, y, [here])

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
from workbook.page.formula import Part, Term
from workbook.page.handles import Handle
from workbook.page.theme import Panel

from .evidence import CROSS, rounded, signed

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

    data: str
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
        return np.vstack([grid(self.data), self.path, self.marked])


@lru_cache(maxsize=8)
def plane(data: str) -> tuple[np.ndarray, np.ndarray]:
    """The square around two drawn classes, or the room around the eight persons: x (STEPS,) and y (STEPS,)."""
    ranges = ((-4, 4), (-4, 4)) if data == DRAWN else ((4.4, 6.8), (60, 260))
    return tuple(np.linspace(*ends, STEPS) for ends in ranges)


@lru_cache(maxsize=8)
def grid(data: str) -> np.ndarray:
    """(STEPS^2, 2) the points of the plane."""
    return np.stack(np.meshgrid(*plane(data)), axis=-1).reshape(-1, 2)


def view(data: str, x: float, y: float) -> View:
    """The plane with the point (x, y): the path runs along the diagonal, or upwards at the height of the person."""
    across, up = plane(data)
    marked = np.array([x, y])
    if data == DRAWN:
        path = np.column_stack([across, up])
        return View(data, ("A", "B"), across, up, ("x₁", "x₂"), path, across, "x₁ = x₂", marked, x)
    path = np.column_stack([np.full(STEPS, x), up])
    names = tuple(map(str, load_gender_measurements().target_names))
    return View(data, names, across, up, ("height, ft", "weight, lb"), path, up, f"lb, at {x:g} ft", marked, y)


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

    view: View
    spread: float
    correlation: float
    centres: np.ndarray  # (2, 2)
    n: int
    points: np.ndarray  # (n shown, 2)
    target: np.ndarray
    naive: np.ndarray  # (STEPS^2 + STEPS + 1,) by naive Bayes
    votes: np.ndarray  # (2,) what either feature adds to naive Bayes's log odds at the marked point
    full: np.ndarray  # log odds with the correlation: the truth, where the classes were drawn
    differ: float  # share of further items that the two give different classes; nan for the eight persons

    def grid(self, log_odds) -> np.ndarray:
        return log_odds[: STEPS**2].reshape(STEPS, STEPS)

    def path(self, log_odds) -> np.ndarray:
        return log_odds[STEPS**2 : -1]


def log_odds_of(X, y, centres, covariances, asked, marked):
    """Gaussian naive Bayes fitted to X, y: log odds (rows of asked), and each feature's part (2,) at the marked point.

    Then the log odds by given normal distributions.
    """
    model = GaussianNB(ddof=1, var_smoothing=0, priors=[0.5, 0.5]).fit(X, y)
    joint, parts = model.predict_joint_log_proba(asked), model.feature_contributions([marked])[0]
    logs = [multivariate_normal(c, S).logpdf(asked) for c, S in zip(centres, covariances, strict=True)]
    return joint[:, 1] - joint[:, 0], parts[1] - parts[0], logs[1] - logs[0]


class GaussianBoundaryExplorer(Explorer):
    """Gaussian naive Bayes (Wikipedia, "Gaussian naive Bayes") beside the model that knows the correlation."""

    spread = FloatSlider(1.0, 0.4, 2.5, step=0.1, label="spread of B (A: 1)", when={"data": DRAWN})
    correlation = FloatSlider(0.0, -0.9, 0.9, step=0.1, label="correlation", when={"data": DRAWN})
    n = Steps(1000, SIZES, label="n, each class", say="{:,}".format, when={"data": DRAWN})
    seed = IntSlider(0, 0, 20, label="seed", when={"data": DRAWN})
    differ = Choice(BOTH, [ONE, BOTH], label="A, B differ in", when={"data": DRAWN})
    data = Choice(DRAWN, [PEOPLE, DRAWN], label="Data")
    cross = FloatSlider(0.5, -4.0, 4.0, step=0.1, label="cross, x₁ = x₂", when={"data": DRAWN})
    height = FloatSlider(6.0, 4.4, 6.8, step=0.05, label="height, ft", when={"data": PEOPLE})
    weight = IntSlider(130, 60, 260, step=5, label="weight, lb", when={"data": PEOPLE})

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

    def compute(self, spread, correlation, n, seed, differ, data, cross, height, weight) -> Boundary:
        v = view(data, *((cross, cross) if data == DRAWN else (height, weight)))
        asked = v.asked
        if data == PEOPLE:
            X, y = people()
            groups = [X[y == c] for c in (0, 1)]
            centres, covariances = [g.mean(axis=0) for g in groups], [np.cov(g.T) for g in groups]
            naive, votes, full = log_odds_of(X, y, centres, covariances, asked, v.marked)
            nobody = float("nan")
            return Boundary(v, spread, correlation, np.array(centres), len(groups[0]), X, y, naive, votes, full, nobody)
        scales, centres = np.array([1.0, spread]), CENTRES[differ]
        within = np.array([[1.0, correlation], [correlation, 1.0]])
        root = np.linalg.cholesky(within)
        z = normals(seed)[:, [*range(n), *range(-JUDGES, 0)]]
        drawn = centres[:, None] + scales[:, None, None] * (z @ root.T)
        X, y = drawn[:, :n].reshape(-1, 2), np.repeat([0, 1], n)
        judged = drawn[:, n:].reshape(-1, 2)
        covariances = scales[:, None, None] ** 2 * within
        naive, votes, full = log_odds_of(X, y, centres, covariances, np.vstack([asked, judged]), v.marked)
        disagree = float(np.mean((naive > 0)[len(asked) :] != (full > 0)[len(asked) :]))
        shown = min(n, SHOWN)
        points, target = drawn[:, :shown].reshape(-1, 2), np.repeat([0, 1], shown)
        naive, full = naive[: len(asked)], full[: len(asked)]
        return Boundary(v, spread, correlation, centres, n, points, target, naive, votes, full, disagree)

    def draw(self, result):
        return theme.figure([[plane_panel(result), path_panel(result)]], widths=[1, 1.1], share=0.94)

    def describe(self, result) -> str:
        r, v = result, result.view
        first, second = r.naive[-1], r.full[-1]
        name = v.names[1]
        if v.data == PEOPLE:
            return (
                f"Eight persons, height and weight only. At {v.marked[0]:g} ft and {v.marked[1]:g} lb naive Bayes says "
                f"P({name}) = {rounded(expit(first))}; two full covariance matrices, from {r.n} persons each, say "
                f"{rounded(expit(second))}."
            )
        correlation = f"{r.correlation:.2f}".replace("-", "−")
        return (
            f"spread {r.spread:.2f}, correlation {correlation}, n = {r.n:,}. At the cross naive Bayes says P({name}) = "
            f"{expit(first):.3f}, the truth is {expit(second):.3f} (log odds {first:.2f} and {second:.2f}). "
            f"Naive Bayes and the truth decide differently for {100 * r.differ:.1f} % of {2 * JUDGES:,} new items."
        )

    def explain(self, result):
        return sum_of_votes(result)


NAIVE = dict(color=palette.NAIVE_BAYES, dash="dash", width=3)
FULL = dict(color=palette.TRUTH, width=5)
CIRCLE = np.column_stack([np.cos(turn := np.linspace(0, 2 * np.pi, 61)), np.sin(turn)])


def other_model(v: View) -> str:
    return "the truth" if v.data == DRAWN else "with correlation"


def sum_of_votes(r: Boundary) -> list[Part]:
    """At the marked point: the log odds of naive Bayes, feature by feature, and the probabilities by both models."""
    v = r.view
    votes = [Term(signed(vote), title.split(",")[0]) for vote, title in zip(r.votes, v.titles, strict=True)]
    total = Term(signed(r.naive[-1]), f"log odds of {v.names[1]}")
    naive = Term(rounded(expit(r.naive[-1])), f"P({v.names[1]}), naive Bayes", "naive Bayes", NAIVE["color"])
    full = Term(rounded(expit(r.full[-1])), f"P({v.names[1]}), {other_model(v)}", "other model", FULL["color"])
    return [*votes, "=", total, ", a probability of", naive, "; " + other_model(v) + ":", full]


def ellipse(centre, scale: float, correlation: float) -> np.ndarray:
    """(61, 2) one standard deviation around the centre, from its rightmost point on."""
    root = np.array([[1.0, 0.0], [correlation, np.sqrt(1 - correlation**2)]])
    return centre + scale * CIRCLE @ root.T


def ellipses(r: Boundary) -> tuple[list[dict], list[Handle]]:
    """Both drawn classes as ellipses; by B's rightmost point the spread is dragged, by A's the correlation."""
    if r.view.data == PEOPLE:
        return [], []
    rings = [ellipse(c, scale, r.correlation) for c, scale in zip(r.centres, (1.0, r.spread), strict=True)]
    line = dict(type="scatter", mode="lines", showlegend=False)
    traces = [
        line
        | dict(
            x=ring[:, 0], y=ring[:, 1], line=dict(color=palette.CLASS_COLORS[c], dash=palette.CLASS_DASHES[c], width=2)
        )
        | dict(hovertemplate=f"one standard deviation around the centre of {r.view.names[c]}<extra></extra>")
        for c, ring in enumerate(rings)
    ]
    (a, b), explorer = (ring[0] for ring in rings), GaussianBoundaryExplorer
    correlations, spreads = (np.array(control.values) for control in (explorer.correlation, explorer.spread))
    return traces, [
        Handle("spread", x=b[0], y=b[1], places=r.centres[1, 0] + spreads),
        Handle("correlation", x=a[0], y=a[1], axis="y", places=r.centres[0, 1] + correlations),
    ]


def cross_marker(r: Boundary, x, y) -> dict:
    v, chances = r.view, [rounded(expit(log_odds[-1])) for log_odds in (r.naive, r.full)]
    told = f"P({v.names[1]}): naive Bayes {chances[0]}, {other_model(v)} {chances[1]}<extra></extra>"
    return dict(type="scatter", mode="markers", x=x, y=y, showlegend=False, marker=CROSS, hovertemplate=told)


def plane_panel(r: Boundary) -> Panel:
    """The plane, shaded by naive Bayes's posterior, the items, both boundaries, the path and the marked point."""
    v = r.view
    at = dict(x=v.x, y=v.y, showscale=False, hoverinfo="skip")
    shade = at | dict(type="heatmap", z=expit(r.grid(r.naive)), zmin=0, zmax=1, colorscale=TONES, zsmooth="best")
    edge = at | dict(type="contour", contours=dict(start=0, end=0, size=1, coloring="none"), showlegend=False)
    size = 6 if r.n > 10 else 9
    told = f"{v.titles[0]}: %{{x:.2f}}, {v.titles[1]}: %{{y:.2f}}<extra></extra>"
    dots = [
        dict(type="scatter", mode="markers", name=v.names[c], hovertemplate=f"{v.names[c]}, {told}")
        | dict(x=r.points[r.target == c, 0], y=r.points[r.target == c, 1])
        | dict(marker=dict(size=size, color=palette.CLASS_COLORS[c], symbol=palette.CLASS_MARKERS[c], opacity=0.75))
        for c in (0, 1)
    ]
    dotted = dict(type="scatter", mode="lines", x=v.path[:, 0], y=v.path[:, 1], showlegend=False, hoverinfo="skip")
    rings, handles = ellipses(r)
    traces = [
        shade,
        dotted | dict(line=dict(color=palette.GREY, dash="dot", width=2)),
        *dots,
        *rings,
        edge | dict(z=r.grid(r.full), line=FULL),
        edge | dict(z=r.grid(r.naive), line=NAIVE),
        cross_marker(r, v.marked[:1], v.marked[1:]),
    ]
    x, y = (
        dict(range=[s[0], s[-1]], nticks=5, showgrid=False, title=t) for s, t in zip((v.x, v.y), v.titles, strict=True)
    )
    here = dict(x=v.marked[0], y=v.marked[1], axis="xy")
    if v.data == DRAWN:
        diagonal = np.repeat(GaussianBoundaryExplorer.cross.values, 2).reshape(-1, 2)
        handles.append(Handle("cross", **here, places=diagonal))
    else:
        handles.append(Handle(("height", "weight"), **here))
    return Panel("Boundaries", traces, x, y, handles=handles, equal=v.data == DRAWN)


def path_panel(r: Boundary) -> Panel:
    """The posterior of the second class along the dotted path, by both models."""
    v = r.view
    line = dict(type="scatter", mode="lines", x=v.along)
    line |= dict(hovertemplate=f"%{{fullData.name}}: P({v.names[1]}) = %{{y:.3f}} at %{{x:.2f}}<extra></extra>")
    traces = [
        line | dict(y=expit(r.path(r.full)), name=other_model(v), line=FULL, meta=dict(mark="other model")),
        line | dict(y=expit(r.path(r.naive)), name="naive Bayes", line=NAIVE, meta=dict(mark="naive Bayes")),
        cross_marker(r, [v.at, v.at], expit([r.full[-1], r.naive[-1]])),
    ]
    here = dict(type="line", x0=v.at, x1=v.at, y0=0, y1=1, yref="domain", line=dict(color=palette.NOW, width=2))
    x = dict(range=[v.along[0], v.along[-1]], nticks=5, title=v.along_title)
    y = dict(range=[-0.04, 1.04], tickvals=[0, 0.5, 1])
    grip = Handle("cross" if v.data == DRAWN else "weight", x=v.at, y=1.0, shape="line")
    return Panel(f"P({v.names[1]}) along the dots", traces, x, y, [here], handles=[grip])

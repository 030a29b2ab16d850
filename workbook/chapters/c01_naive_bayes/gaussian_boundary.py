"""Chapter 01: where Gaussian naive Bayes draws its boundary between two normal classes, and how few items bend it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import ClassVar

import numpy as np
from scipy.special import expit
from scipy.stats import norm

from nbcore.naive_bayes import GaussianNB
from workbook.explorer import palette, theme
from workbook.explorer.controls import FloatSlider, IntSlider, Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import signed, typeset
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .evidence import CROSS, rounded

__all__ = ["GaussianBoundaryExplorer"]

CENTRES = np.array([[-1.0, -1.0], [1.0, 1.0]])
ALL = 100_000  # stands for infinitely many: the means and variances are then the true ones
SIZES = [5, 10, 30, 100, 300, 1000, 3000, ALL]
JUDGES = 1000  # further items of each class, on which both models' decisions are judged
SHOWN = 60  # points of each class in the figure
STEPS, FINE = 41, 161  # points along an axis of the map, and of a curve
SIDE = 4.0
NAIVE = dict(color=palette.NAIVE_BAYES, dash="dash", width=3)
FULL = dict(color=palette.TRUTH, width=5)
NOW = dict(color=palette.NOW, width=2)  # the present place on an axis
CIRCLE = np.column_stack([np.cos(turn := np.linspace(0, 2 * np.pi, 121)), np.sin(turn)])


@lru_cache(maxsize=32)
def normals(seed: int) -> np.ndarray:
    """(2, items, 2) independent standard normal numbers: two classes, two features."""
    return np.random.default_rng(seed).standard_normal((2, 3000 + JUDGES, 2))


@cache
def asked() -> np.ndarray:
    """The map's grid (STEPS^2 rows), then the diagonal (FINE rows)."""
    across, fine = np.linspace(-SIDE, SIDE, STEPS), np.linspace(-SIDE, SIDE, FINE)
    grid = np.stack(np.meshgrid(across, across), axis=-1).reshape(-1, 2)
    return np.vstack([grid, np.column_stack([fine, fine])])


@dataclass(frozen=True)
class Boundary:
    """The result. Log odds are those of B: over the map, along the diagonal, at the cross."""

    spread: float
    n: int
    seed: int
    cross: float
    points: np.ndarray  # (2, n shown, 2)
    naive: np.ndarray  # (STEPS^2 + FINE + 1,) by naive Bayes
    full: np.ndarray  # in truth
    votes: np.ndarray  # (2,) what either feature adds to naive Bayes's log odds at the cross
    wrong: tuple[float, float]  # shares of further items that naive Bayes and the truth decide wrongly

    def map(self, log_odds) -> np.ndarray:
        return log_odds[: STEPS**2].reshape(STEPS, STEPS)

    def path(self, log_odds) -> np.ndarray:
        return log_odds[STEPS**2 : -1]


def ratios(X, means, spreads) -> np.ndarray:
    """(rows, 2) log ratios B : A of either feature by the normal distributions with these means and spreads (2, 2)."""
    a, b = (norm.logpdf(X, mean, spread) for mean, spread in zip(means, spreads, strict=True))
    return b - a


class GaussianBoundaryExplorer(Explorer):
    """Gaussian naive Bayes (Wikipedia, "Gaussian naive Bayes") where its assumption is true: independent features."""

    spread = FloatSlider(1.0, 0.4, 2.5, step=0.1, label="spread of B")
    n = Steps(ALL, SIZES, label="n per class", say=lambda n: "all" if n == ALL else f"{n:,}")
    seed = IntSlider(0, 0, 20, label="seed")
    cross = FloatSlider(0.5, -SIDE, SIDE, step=0.1, label="cross")

    presets: ClassVar = {
        "Equal: a line": Preset("Both classes spread alike: the squares cancel, and what is left is a line.", {}),
        "B wide: a curve": Preset(
            "B is twice as wide. Far out, on every side, B is the better guess: the boundary closes around A.",
            dict(spread=2.0),
        ),
        "n = 10": Preset(
            "Ten of each: the estimated spreads differ by luck, so the line bends. Try other seeds.", dict(n=10)
        ),
    }

    def compute(self, spread, n, seed, cross) -> Boundary:
        scales = np.array([[1.0, 1.0], [spread, spread]])
        z = normals(seed)
        drawn = CENTRES[:, None] + scales[:, None] * z
        X = np.vstack([asked(), [[cross, cross]], drawn[:, -JUDGES:].reshape(-1, 2)])
        full = ratios(X, CENTRES, scales)
        naive = full
        if n < ALL:
            learned, y = drawn[:, :n].reshape(-1, 2), np.repeat([0, 1], n)
            model = GaussianNB(ddof=1, var_smoothing=0, priors=[0.5, 0.5]).fit(learned, y)
            naive = ratios(X, model.theta_, np.sqrt(model.var_))
        votes, naive, full = naive[-2 * JUDGES - 1], naive.sum(axis=1), full.sum(axis=1)
        here = len(X) - 2 * JUDGES
        of_b = np.repeat([False, True], JUDGES)
        wrong = tuple(float(np.mean((log_odds[here:] > 0) != of_b)) for log_odds in (naive, full))
        return Boundary(spread, n, seed, cross, drawn[:, : min(n, SHOWN)], naive[:here], full[:here], votes, wrong)

    def draw(self, result):
        return theme.figure([[plane_panel(result), path_panel(result)]], share=1.05)

    def describe(self, result) -> str:
        r = result
        first, second = r.naive[-1], r.full[-1]
        learned = "all items there are" if r.n == ALL else f"n = {r.n:,} of each class"
        return (
            f"spread {r.spread:.2f}, learned from {learned}. At the cross naive Bayes says P(B) = {expit(first):.3f}, "
            f"the truth is {expit(second):.3f} (log odds {typeset(f'{first:.2f}')} and "
            f"{typeset(f'{second:.2f}')}). Of {2 * JUDGES:,} new items, "
            f"seed {r.seed}, naive Bayes decides {100 * r.wrong[0]:.1f} % wrongly, the truth {100 * r.wrong[1]:.1f} %."
        )

    def explain(self, result):
        return sum_of_votes(result.votes, result.naive[-1], result.full[-1])


def sum_of_votes(votes, naive, full, features=("x₁", "x₂"), other="the truth", name="B") -> list[Part]:
    """At the marked point: the log odds of naive Bayes, feature by feature, and the probabilities by both models."""
    terms = [Term(signed(vote), feature) for vote, feature in zip(votes, features, strict=True)]
    total = Term(signed(naive), f"log odds of {name}")
    first = Term(rounded(expit(naive)), f"P({name}), naive Bayes", "naive Bayes", NAIVE["color"])
    second = Term(rounded(expit(full)), f"P({name}), {other}", "other model", FULL["color"])
    return [*terms, "=", total, ", a probability of", first, f"; {other}:", second]


def cross_marker(x, y, naive, full, other="the truth", name="B") -> dict:
    told = f"P({name}): naive Bayes {rounded(expit(naive))}, {other} {rounded(expit(full))}<extra></extra>"
    return dict(type="scatter", mode="markers", x=x, y=y, showlegend=False, marker=CROSS, hovertemplate=told)


def square() -> tuple[dict, dict]:
    """The axes of the map."""
    axis = dict(range=[-SIDE, SIDE], tickvals=[-4, -2, 0, 2, 4], showgrid=False)
    return axis | dict(title="x₁"), axis | dict(title="x₂")


def items(points, c: int, name: str, size: float = 6) -> dict:
    """The drawn items of a class."""
    look = dict(size=size, color=palette.CLASS_COLORS[c], symbol=palette.CLASS_MARKERS[c], opacity=0.6)
    told = f"one of {name}: %{{x:.2f}}, %{{y:.2f}}<extra></extra>"
    return dict(type="scatter", mode="markers", x=points[:, 0], y=points[:, 1], name=name, marker=look,
                hovertemplate=told)  # fmt: skip


def boundaries(x, y, full, naive) -> list[dict]:
    """Where the log odds are 0: the other model's boundary, thick, and naive Bayes's, dashed."""
    edge = dict(type="contour", x=x, y=y, showscale=False, hoverinfo="skip", showlegend=False)
    edge |= dict(contours=dict(start=0, end=0, size=1, coloring="none"))
    return [edge | dict(z=full, line=FULL), edge | dict(z=naive, line=NAIVE)]


def plane_panel(r: Boundary) -> Panel:
    """The plane, shaded by naive Bayes's posterior, the items, both boundaries, the diagonal and the cross."""
    along = np.linspace(-SIDE, SIDE, STEPS)
    at = dict(x=along, y=along, showscale=False, hoverinfo="skip")
    shade = at | dict(type="heatmap", z=expit(r.map(r.naive)), colorscale=palette.SHARES, zsmooth="best")
    shade |= dict(zmin=-0.5, zmax=1.5)  # half as strong: the green line lies on it
    dotted = dict(type="scatter", mode="lines", x=[-SIDE, SIDE], y=[-SIDE, SIDE], showlegend=False, hoverinfo="skip")
    rings = [
        dict(type="scatter", mode="lines", x=ring[:, 0], y=ring[:, 1], showlegend=False)
        | dict(line=dict(color=palette.CLASS_COLORS[c], width=1.5))
        | dict(hovertemplate=f"one standard deviation around the centre of {'AB'[c]}<extra></extra>")
        for c, ring in enumerate(centre + s * CIRCLE for centre, s in zip(CENTRES, (1.0, r.spread), strict=True))
    ]
    traces = [
        shade,
        dotted | dict(line=dict(color=palette.GREY, dash="dot", width=2)),
        *(items(r.points[c], c, "AB"[c], size=6 if r.n > 10 else 9) for c in (0, 1)),
        *rings,
        *boundaries(along, along, r.map(r.full), r.map(r.naive)),
        cross_marker([r.cross], [r.cross], r.naive[-1], r.full[-1]),
    ]
    declared = GaussianBoundaryExplorer.declared
    handles = [
        Handle("spread", x=1.0 + r.spread, y=1.0, places=1.0 + np.array(declared["spread"].values)),
        Handle("cross", x=r.cross, y=r.cross),
    ]
    return Panel("Boundaries", traces, *square(), handles=handles, equal=True)


def posteriors(along, full, naive, other="the truth", name="B") -> list[dict]:
    """Both posteriors along a path."""
    line = dict(type="scatter", mode="lines", x=along)
    line |= dict(hovertemplate=f"%{{fullData.name}}: P({name}) = %{{y:.3f}} at %{{x:.2f}}<extra></extra>")
    return [
        line | dict(y=expit(full), name=other, line=FULL, meta=dict(mark="other model")),
        line | dict(y=expit(naive), name="naive Bayes", line=NAIVE, meta=dict(mark="naive Bayes")),
    ]


def path_panel(r: Boundary) -> Panel:
    """The posterior of B along the diagonal, in truth and by naive Bayes."""
    traces = posteriors(np.linspace(-SIDE, SIDE, FINE), r.path(r.full), r.path(r.naive))
    traces.append(cross_marker([r.cross] * 2, expit([r.full[-1], r.naive[-1]]), r.naive[-1], r.full[-1]))
    here = dict(type="line", x0=r.cross, x1=r.cross, y0=0, y1=1, yref="domain", line=NOW)
    x = dict(range=[-SIDE, SIDE], nticks=5, title="x₁ = x₂")
    y = dict(range=[-0.04, 1.04], tickvals=[0, 0.5, 1])
    return Panel("P(B) along the dots", traces, x, y, [here], handles=[Handle("cross", x=r.cross, y=1.0, shape="line")])

"""Chapter 02: alpha as imaginary observations, a symmetric Dirichlet prior on the probabilities of K words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.stats import beta

from workbook.page import palette, theme
from workbook.page.controls import IntSlider, LogSlider
from workbook.page.explorer import Explorer, Preset
from workbook.page.formula import Over, Part, Term
from workbook.page.handles import Handle
from workbook.page.numbers import say
from workbook.page.theme import Panel

__all__ = ["PseudoCountExplorer"]

GRID = np.linspace(0, 1, 401)
ALPHAS = np.geomspace(0.01, 100, 81)
WORDS = {"posterior mean": "posterior mean", "n / N": "n / N, the share in the data", "1 / K": "1 / K, the prior mean"}


@dataclass(frozen=True)
class PseudoCounts:
    """The result: one word's probability p, seen n times among N tokens of K possible words."""

    alpha: float
    n: int
    N: int
    K: int
    prior: np.ndarray  # (401,) density of p on GRID before the data
    posterior: np.ndarray  # (401,) density after the data
    mean: float  # posterior mean
    interval: tuple[float, float]  # central 95 % of the posterior
    weight: float  # N / (N + alpha K): what the data keep
    means: np.ndarray  # (81,) posterior mean along ALPHAS

    @property
    def frequency(self) -> float:
        """n / N, the unsmoothed estimate; nan without data."""
        return self.n / self.N if self.N else np.nan


def marginal(alpha: float, n: int, N: int, K: int):
    """One coordinate of Dirichlet(alpha + counts) is Beta(alpha + n, alpha (K - 1) + N - n)."""
    return beta(alpha + n, alpha * (K - 1) + N - n)


class PseudoCountExplorer(Explorer):
    """(n + alpha) / (N + alpha K) is the posterior mean under a symmetric Dirichlet(alpha) prior."""

    alpha = LogSlider(1.0, 0.01, 100, label="alpha")
    n = IntSlider(0, 0, 40, label="n, seen")
    others = IntSlider(8, 0, 160, label="N − n, others")
    K = IntSlider(6, 2, 50, label="K, words")

    presets: ClassVar = {
        "Never seen, still possible": Preset(
            "Tokyo was never seen among 8 tokens about China. The prior keeps a fourteenth for it.", {}
        ),
        "No data: the prior": Preset("Before the first token every word has the mean 1/K.", dict(n=0, others=0)),
        "Data win": Preset("With 200 tokens the six imaginary ones hardly matter.", dict(n=40, others=160)),
        "The prior wins": Preset("The same tokens against 600 imaginary ones.", dict(n=40, others=160, alpha=100)),
    }

    def compute(self, alpha, n, others, K) -> PseudoCounts:
        N = n + others
        after = marginal(alpha, n, N, K)
        return PseudoCounts(
            alpha=alpha,
            n=n,
            N=N,
            K=K,
            prior=density(marginal(alpha, 0, 0, K)),
            posterior=density(after),
            mean=float(after.mean()),
            interval=tuple(map(float, after.ppf([0.025, 0.975]))),
            weight=N / (N + alpha * K),
            means=(n + ALPHAS) / (N + ALPHAS * K),
        )

    def draw(self, result):
        return theme.figure([[density_panel(result), shrinkage_panel(result)]], widths=[1.8, 1])

    def describe(self, result) -> str:
        r = result
        pull = f"the data n/N = {r.n}/{r.N} = {r.frequency:.3f}, weight {r.weight:.2f}, and" if r.N else "no data, only"
        return (
            f"Posterior mean (n + alpha) / (N + alpha K) = ({r.n} + {r.alpha:g}) / ({r.N} + {r.alpha * r.K:g})"
            f" = {r.mean:.3f}: {pull} the prior mean 1/K = {1 / r.K:.3f}. "
            f"95 % of the posterior lies in [{r.interval[0]:.3f}, {r.interval[1]:.3f}]."
        )

    def explain(self, result):
        return smoothed_estimate(result)


def smoothed_estimate(r: PseudoCounts) -> list[Part]:
    """(n + alpha) / (N + alpha K)."""
    seen = Term(str(r.n), "n", *(("n / N", palette.BLACK) if r.N else ()))
    alpha = Term(f"{r.alpha:g}", "alpha", "alpha", palette.ESTIMATE)
    quotient = Over(
        [seen, "+", alpha], [Term(str(r.N), "N"), "+", alpha, "·", Term(str(r.K), "K", "1 / K", palette.GREEN)]
    )
    return [quotient, "=", Term(say(r.mean), "posterior mean", "posterior mean", palette.ESTIMATE)]


def density(distribution) -> np.ndarray:
    """The density on GRID; where it is infinite (alpha < 1, at the ends) the nearest inner point stands for it."""
    inside = np.clip(GRID, 1e-4, 1 - 1e-4)
    return distribution.pdf(inside)


def density_panel(r: PseudoCounts) -> Panel:
    """Prior and posterior density of p, with the three estimates as lines."""
    top = max(1.2 * np.max(r.posterior[1:-1]), 2.0)
    line = dict(type="scatter", mode="lines", x=GRID)
    line |= dict(hovertemplate="%{fullData.name}: density %{y:.3g} at p = %{x:.3f}<extra></extra>")
    traces = [
        line | dict(y=r.prior, name="prior", line=dict(color=palette.BEFORE, dash="dash", width=2)),
        line | dict(y=r.posterior, name="posterior", line=dict(color=palette.ESTIMATE, width=3), fill="tozeroy",
                    fillcolor=palette.faint(palette.ESTIMATE, 0.25)),
    ]  # fmt: skip
    traces += [marker_line(r.mean, top, "posterior mean", palette.ESTIMATE, "solid")]
    traces += [marker_line(r.frequency, top, "n / N", palette.BLACK, "dot")] if r.N else []
    traces += [marker_line(1 / r.K, top, "1 / K", palette.GREEN, "dashdot")]
    x, y = dict(range=[-0.01, 1], title="p"), dict(range=[0, top], nticks=5)
    return Panel("Density of p = P(word | class)", traces, x, y, handles=lines_to_drag(r, top))


def lines_to_drag(r: PseudoCounts, top: float) -> list[Handle]:
    """K moves 1/K; n moves n/N, unless there is no other word: then n/N is 1 for every n."""
    K, n = (np.array(control.values) for control in (PseudoCountExplorer.K, PseudoCountExplorer.n))
    handles = [Handle("K", x=1 / r.K, y=0.6 * top, places=1 / K, shape="line")]
    if others := r.N - r.n:
        handles.append(Handle("n", x=r.frequency, y=0.85 * top, places=n / (n + others), shape="line"))
    return handles


def marker_line(x: float, top: float, name: str, color: str, dash: str) -> dict:
    """A vertical line with an entry in the legend."""
    line, told = dict(color=color, dash=dash, width=3), f"{WORDS[name]}: p = {x:.3f}<extra></extra>"
    at = dict(type="scatter", mode="lines", x=[x, x], y=[0, top])
    return at | dict(name=name, line=line, hovertemplate=told, meta=dict(mark=name))


def shrinkage_panel(r: PseudoCounts) -> Panel:
    """The mean against alpha: from n/N on the left to 1/K on the right."""
    curve = dict(
        type="scatter", mode="lines", x=ALPHAS, y=r.means, showlegend=False, line=dict(color=palette.ESTIMATE, width=3)
    )
    dot = dict(size=12, color=palette.ESTIMATE)
    curve["hovertemplate"] = "posterior mean %{y:.3f} at alpha = %{x:.3g}<extra></extra>"
    here = dict(type="scatter", mode="markers", x=[r.alpha], y=[r.mean], showlegend=False, marker=dot)
    here |= dict(meta=dict(mark="alpha"), hovertemplate=curve["hovertemplate"])
    level = dict(type="line", x0=0, x1=1, xref="domain")
    lines = [level | dict(y0=1 / r.K, y1=1 / r.K, line=dict(color=palette.GREEN, dash="dashdot", width=2))]
    if r.N:
        lines.append(level | dict(y0=r.frequency, y1=r.frequency, line=dict(color=palette.BLACK, dash="dot", width=2)))
    top = 1.15 * max(r.frequency if r.N else 0, 1 / r.K, r.means.max())
    x = dict(type="log", range=[-2, 2], tickvals=[0.01, 0.1, 1, 10, 100], title="alpha")
    y, grip = dict(range=[0, top], nticks=5), Handle("alpha", x=r.alpha, y=r.mean)
    return Panel("Posterior mean against alpha", [curve, here], x, y, lines, handles=[grip])

"""Chapter 05: two features that are correlated, from copies to features that avoid each other; what is the right k?

Within each class both features are there with the same probability: p = s / (1 + s) in A, 1 - p in B. Their correlation
rho is the same in both classes, so P(both | A) = p² + rho p (1 - p), and so on for the other three items. None of these
is below 0 as long as rho >= -1 / s. Eq. (19) is then exact for all four items at one k,

    k = 1 + log((s + rho) / (1 + s rho)) / log(s):

an item with one of the two says nothing, one with neither says the opposite of the one with both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbcore.perplexed import log_attenuated_posterior
from workbook.explorer import palette, theme
from workbook.explorer.controls import FloatSlider
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import typeset
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .copies import probability, sure

__all__ = ["PartialCopiesExplorer"]

ITEMS = "both", "first", "second", "neither"
TRUTH, NAIVE, EQ_19 = "truth", "naive Bayes", "eq (19)"
LOWEST, STEP = -0.3, 0.05
GRID = np.linspace(LOWEST, 1, 131)
LEAST_K, TOP_K = 0.5, 4.0


@dataclass(frozen=True)
class Partial:
    """The result; log odds are those of A against B, of an item that has both features."""

    rho: float
    k: float
    strength: float
    prior: float
    items: np.ndarray  # (2, 4) P(item | class), items in the order of ITEMS
    true: np.ndarray  # log odds at each rho of GRID
    right_k: np.ndarray  # the k at which eq. (19) is exact, at each of these
    log_odds: dict[str, float]  # at this rho
    exact: float  # the right k at this rho


def joint(rho, strength: float) -> np.ndarray:
    """P(item | class), (..., 2, 4), for correlations rho (...)."""
    p = np.array([strength, 1.0]) / (1 + strength)
    more, (have, lack) = np.multiply.outer(rho, p * (1 - p)), (p, 1 - p)
    return np.stack([have**2 + more, have * lack - more, have * lack - more, lack**2 + more], axis=-1)


def exact_k(rho, strength: float):
    """The k of eq. (19) that gives the true log likelihood ratio: it is k/2 of what naive Bayes counts, 2 log s."""
    both = joint(rho, strength)[..., 0]
    return np.log(both[..., 0] / both[..., 1]) / np.log(strength)


class PartialCopiesExplorer(Explorer):
    """Two correlated features: the k at which eq. (19) of Carlos (2015) is exact, from 1 (copies) to above 2."""

    rho = FloatSlider(0.5, LOWEST, 1, step=STEP, label="correlation ρ")
    k = FloatSlider(1.5, LEAST_K, TOP_K, step=0.05, label="k")
    strength = FloatSlider(3.0, 1.5, 3.0, step=0.5, label="strength")
    prior = FloatSlider(0.5, 0.05, 0.95, step=0.05, label="prior P(A)")

    presets: ClassVar = {
        "Copies": Preset("ρ = 1: who has one has the other. One vote, so k = 1.", dict(rho=1.0, k=1.0)),
        "Independent": Preset("ρ = 0: two votes, and naive Bayes, k = 2, is right.", dict(rho=0.0, k=2.0)),
        "Half-way": Preset(
            "ρ = 0.5 is half-way, but the right k is not 1.5: it is nearer to that of copies.",
            dict(rho=0.5, k=1.3),
        ),
        "They avoid each other": Preset(
            "ρ below 0: they meet less often than by chance. Where they do, that is more than two votes.",
            dict(rho=-0.25, k=3.2),
        ),
    }

    def compute(self, rho, k, strength, prior) -> Partial:
        before, looks = np.log([prior, 1 - prior]), 2 * np.log([strength / (1 + strength), 1 / (1 + strength)])
        vote = float(np.log(strength))
        naive, said = (
            float(np.subtract(*log_attenuated_posterior(looks, before, 2, used, "exact"))) for used in (2.0, k)
        )
        start, items, right_k = float(np.subtract(*before)), joint(rho, strength), exact_k(GRID, strength)
        true = start + np.log(items[0, 0] / items[1, 0])
        log_odds = {TRUTH: float(true), NAIVE: naive, EQ_19: said}
        exact = float(exact_k(rho, strength))
        return Partial(rho, k, strength, prior, items, start + right_k * vote, right_k, log_odds, exact)

    def draw(self, result):
        panels = [items_panel(result), posterior_panel(result), k_panel(result)]
        return theme.figure([panels], widths=[0.9, 1, 1])

    def explain(self, result) -> list[Part]:
        """The likelihood ratio of both features, as a power of one feature's."""
        r = result
        a, b = r.items[:, 0]
        over = Over(
            [Term(f"{a:.4f}", "P(both | A)", "A, both", palette.CLASS_COLORS[0])],
            [Term(f"{b:.4f}", "P(both | B)", "B, both", palette.CLASS_COLORS[1], palette.CLASS_PATTERNS[1])],
        )
        ratio = Term(typeset(f"{a / b:.4g}"), "likelihood ratio")
        power = Term(f"{r.exact:.3f}", "the right k", EQ_19, palette.EQ_19)
        return [over, "=", ratio, "=", f"{r.strength:g} to the power", power, "; naive Bayes:", f"{r.strength:g}² =",
                Term(f"{r.strength**2:g}", "R²")]  # fmt: skip

    def describe(self, result) -> str:
        r = result
        truth, naive, said = (sure(value) for value in r.log_odds.values())
        return (
            f"correlation {typeset(f'{r.rho:.2f}')}: with both features P(A | x) is {truth}; naive Bayes says {naive}, "
            f"eq (19) at k = {r.k:.2f} says {said}. It is exact at k = {r.exact:.2f}."
        )


def items_panel(r: Partial) -> Panel:
    """How probable each of the four items is in either class."""
    traces = []
    for side, name in enumerate("AB"):
        bar = dict(type="bar", x=np.arange(4) + (side - 0.5) * 0.4, y=r.items[side], width=0.36, name=name)
        bar |= dict(marker=theme.CLASS_BARS[side], ids=[f"{name}, {item}" for item in ITEMS], customdata=ITEMS)
        traces.append(bar | dict(hovertemplate=f"P(%{{customdata}} | {name}) = %{{y:.4f}}<extra></extra>"))
    x = dict(tickvals=np.arange(4), ticktext=["both", "1st", "2nd", "none"], range=[-0.6, 3.6], title="which features")
    return Panel("P(item | class)", traces, x, dict(range=[0, 0.8], nticks=5))


def here(r: Partial) -> dict:
    """An upright line at rho."""
    return dict(type="line", x0=r.rho, x1=r.rho, y0=0, y1=1, yref="domain", line=dict(width=2, color=palette.NOW))


def rho_axis() -> dict:
    """The correlation, with a little room on both sides."""
    return dict(range=[LOWEST - 0.12, 1.06], tickvals=[-0.3, 0, 0.5, 1], title="correlation ρ")


def posterior_panel(r: Partial) -> Panel:
    """P(A | both) against rho: neither naive Bayes nor eq. (19) knows of it."""
    line = dict(type="scatter", mode="lines", x=GRID)
    words = "%{fullData.name}: P(A | both) = %{y:.3f}, ρ = %{x:.2f}<extra></extra>"
    truth = line | dict(name=TRUTH, y=probability(r.true), line=dict(color=palette.TRUTH, width=7))
    flat = np.ones(len(GRID))
    naive = line | dict(name=NAIVE, y=flat * probability(r.log_odds[NAIVE]))
    naive |= dict(line=dict(color=palette.NAIVE_BAYES, dash="dash", width=3))
    said = line | dict(name=EQ_19, y=flat * probability(r.log_odds[EQ_19]))
    said |= dict(line=dict(color=palette.EQ_19, dash="dot", width=3))
    low = dict(type="line", x0=0, x1=1, xref="domain", y0=0.5, y1=0.5, line=dict(color=palette.BLACK, width=1))
    prior = dict(type="scatter", mode="markers", x=[LOWEST - 0.06], y=[r.prior], showlegend=False, cliponaxis=False)
    prior |= dict(marker=dict(symbol="star", size=11, color=palette.BEFORE), meta=dict(mark="prior"))
    prior |= dict(hovertemplate="before any look: P(A) = %{y:.2f}<extra></extra>")
    traces = [trace | dict(hovertemplate=words) for trace in (truth, naive, said)] + [prior]
    handles = [
        Handle("rho", x=r.rho, y=0.5, shape="line"),
        Handle("prior", x=LOWEST - 0.06, y=r.prior, axis="y"),
    ]
    y = dict(range=[-0.04, 1.04], tickvals=[0, 0.5, 1])
    return Panel("P(A | both)", traces, rho_axis(), y, [low, here(r)], handles=handles)


def k_panel(r: Partial) -> Panel:
    """The k at which eq. (19) is exact, against rho; and the k that is chosen."""
    curve = dict(type="scatter", mode="lines", x=GRID, y=r.right_k, showlegend=False, name=EQ_19)
    curve |= dict(line=dict(color=palette.EQ_19, width=4), meta=dict(mark=EQ_19))
    curve |= dict(hovertemplate="at ρ = %{x:.2f} eq (19) is exact at k = %{y:.2f}<extra></extra>")
    n = dict(type="scatter", mode="lines", x=[LOWEST - 0.12, 1.06], y=[2, 2], showlegend=False)
    n |= dict(line=dict(color=palette.NAIVE_BAYES, dash="dash", width=2))
    n |= dict(hovertemplate="k = n = 2: naive Bayes<extra></extra>")
    ring = dict(type="scatter", mode="markers", x=[r.rho], y=[r.exact], showlegend=False)
    ring |= dict(marker=dict(symbol="circle-open", size=15, color=palette.TRUTH, line=dict(width=3)))
    ring |= dict(hovertemplate="here eq (19) is the truth: k = %{y:.2f}<extra></extra>")
    now = dict(type="line", x0=0, x1=1, xref="domain", y0=r.k, y1=r.k, line=dict(width=2, color=palette.NOW))
    y = dict(range=[0.35, TOP_K + 0.25], tickvals=[1, 2, 3, 4], title="k")
    handles = [Handle("rho", x=r.rho, y=r.exact, shape="line"), Handle("k", x=1, y=r.k, axis="y", shape="line")]
    return Panel("k at which eq (19) is exact", [curve, n, ring], rho_axis(), y, [now, here(r)], handles=handles)

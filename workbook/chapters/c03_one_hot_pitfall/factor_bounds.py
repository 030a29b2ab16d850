"""Chapter 03: how far f_j = theta_j Q^-j strays from theta_j when K values are read as K independent bits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from nbcore.one_hot import f_bounds, f_factor, q_bounds, q_factor
from workbook.page import palette, theme
from workbook.page.controls import FloatSlider, IntSlider, LogSlider
from workbook.page.explorer import Explorer, Preset
from workbook.page.formula import Term
from workbook.page.handles import Handle
from workbook.page.theme import Panel

__all__ = ["BITS", "CATEGORICAL", "DRAWS", "FactorBoundsExplorer", "others", "with_others"]

GRID = np.linspace(0, 1, 101)
DRAWS = 400
BINS = np.linspace(0, 1, 41)

# The two models, and the factor between them, wear the same colours in all of the chapter.
CATEGORICAL, BITS, Q = palette.CATEGORICAL, palette.BITS, palette.Q_FACTOR


@dataclass(frozen=True)
class FactorBounds:
    """The result: the band of f_j for K values, DRAWS random thetas in it, and a cut through it at theta_j."""

    K: int
    theta: float
    alpha: float
    band: np.ndarray  # (2, 101) lower and upper bound of f_j on GRID
    random_theta: np.ndarray  # (400,) theta_j of the random vectors
    random_f: np.ndarray  # (400,) their f_j
    q: tuple[float, float]  # bounds of Q^-j at theta_j
    f: tuple[float, float]  # bounds of f_j at theta_j
    cut: np.ndarray  # (400,) Q^-j of random vectors that all have this theta_j
    mean_q: np.ndarray  # (21,) mean of Q^-j over all such vectors, at every evenness


@lru_cache(maxsize=64)
def others(K: int, alpha: float) -> np.ndarray:
    """Shares (400, K - 1) of the other values in what theta_j leaves over; always the same draws."""
    return np.random.default_rng(3).dirichlet(np.full(K - 1, alpha), DRAWS)


def with_others(theta_j, shares) -> np.ndarray:
    """Vectors (n, K) on the simplex: theta_j first, the rest shared out."""
    theta_j = np.broadcast_to(theta_j, len(shares))[:, None]
    return np.hstack([theta_j, (1 - theta_j) * shares])


def mean_q(theta_j: float, K: int, alphas: np.ndarray) -> np.ndarray:
    """Mean of Q^-j over all random vectors with this theta_j, at every evenness.

    Multiplied out, the product over the n others is a sum over sets of them; the product of the shares in a set of m
    has the mean a/(n a) · a/(n a + 1) · ... (m factors), whichever they are.
    """
    n, i, a = K - 1, np.arange(K - 1), alphas[:, None]
    return 1 + np.cumprod((theta_j - 1) * (n - i) / (i + 1) * a / (n * a + i), axis=1).sum(axis=1)


class FactorBoundsExplorer(Explorer):
    """Bounds l and u of f_j, filled by random theta: Williams (2024), eq. (8), (9), (10) and Figure 1(b)."""

    K = IntSlider(6, 2, 12, label="K, values")
    theta = FloatSlider(0.3, 0.0, 1.0, step=0.01, label="θⱼ")
    alpha = LogSlider(0.316, 0.1, 10, label="Evenness of the others")

    presets: ClassVar = {
        "Figure 1(b)": Preset(
            "Six values. The band of what the bits can say lies well below the diagonal, which is the truth.", {}
        ),
        "K = 2: no band left": Preset(
            "Two values: the other one takes all the rest, so both bounds meet in theta squared.", dict(K=2)
        ),
        "One rival takes all": Preset(
            "When one other value has nearly all the rest, f sinks to the lower bound.", dict(alpha=0.1, theta=0.2)
        ),
        "The others share evenly": Preset(
            "Many small rivals: each of their bits is off anyway, and f climbs to the upper bound.",
            dict(K=12, alpha=10, theta=0.2),
        ),
    }

    def compute(self, K, theta, alpha) -> FactorBounds:
        shares = others(K, alpha)
        spread = (np.arange(DRAWS) + 0.5) / DRAWS
        return FactorBounds(
            K=K,
            theta=theta,
            alpha=alpha,
            band=np.array(f_bounds(GRID, K)),
            random_theta=spread,
            random_f=f_factor(with_others(spread, shares))[:, 0],
            q=tuple(map(float, q_bounds(theta, K))),
            f=tuple(map(float, f_bounds(theta, K))),
            cut=q_factor(with_others(theta, shares))[:, 0],
            mean_q=mean_q(theta, K, ALPHAS),
        )

    def draw(self, result):
        return theme.figure([[band_panel(result), cut_panel(result)]], widths=[1.4, 1])

    def describe(self, result) -> str:
        r = result
        if r.K == 2:
            size = f"K = 2, θⱼ = {r.theta:.2f}: both bounds meet, fⱼ = θⱼ² = {r.f[0]:.3f} for certain"
        else:
            size = (
                f"K = {r.K}, θⱼ = {r.theta:.2f}: the bits give the value j a probability fⱼ from {r.f[0]:.3f} to "
                f"{r.f[1]:.3f}, because Q lies from {r.q[0]:.3f} to {r.q[1]:.3f}"
            )
        return f"{size}. {DRAWS} random θ of evenness {r.alpha:g} have a mean Q of {r.cut.mean():.3f}."

    def explain(self, result):
        """Eq. (9) and (10): f lies between theta times the least Q and theta times the largest."""
        r = result
        theta = Term(f"{r.theta:.2f}", "θⱼ", "theta", palette.NOW)
        (lower, upper), (least, most) = ([f"{bound:.3f}" for bound in pair] for pair in (r.f, r.q))
        return [
            Term(lower, "ℓ", "lower", BITS), "=", theta, "·", Term(least, "least Q", "least Q", Q), "≤ fⱼ ≤",
            theta, "·", Term(most, "largest Q", "largest Q", Q), "=", Term(upper, "u", "upper", BITS),
        ]  # fmt: skip


ALPHAS = np.array(FactorBoundsExplorer.alpha.values)
MOST_Q = np.array([q_bounds(GRID, K)[1] for K in FactorBoundsExplorer.K.values])  # (11, 101)


def band_panel(r: FactorBounds) -> Panel:
    """The bounds against theta_j, random vectors between them, and what the categorical model says: the diagonal."""
    words = "%{fullData.name}: %{y:.3f} at θⱼ = %{x:.2f}<extra></extra>"
    line = dict(type="scatter", mode="lines", x=GRID, hovertemplate=words)
    dots = dict(type="scatter", mode="markers", x=r.random_theta, y=r.random_f, name="random θ")
    traces = [
        dots | dict(marker=dict(size=3, color=palette.BLACK, opacity=0.5), hovertemplate="f of a " + words),
        line | dict(y=GRID, name="θⱼ itself", line=dict(color=CATEGORICAL, width=3)),
        line | dict(y=r.band[1], name="upper u", line=dict(color=BITS, dash="dash", width=2), meta=dict(mark="upper")),
        line | dict(y=r.band[0], name="lower l", line=dict(color=BITS, dash="dot", width=2), meta=dict(mark="lower"),
                    fill="tonexty", fillcolor=palette.faint(BITS, 0.2)),
    ]  # fmt: skip
    here = dict(type="line", x0=r.theta, x1=r.theta, y0=0, y1=1, yref="domain", name="theta")
    return Panel(
        "fⱼ, what the bits say of j",
        traces,
        dict(range=[0, 1], title="θⱼ"),
        dict(range=[0, 1], nticks=5),
        [here | dict(line=dict(color=palette.NOW, width=2))],
        handles=[Handle("theta", r.theta, 0.5, shape="line")],
    )


def cut_panel(r: FactorBounds) -> Panel:
    """How Q is distributed over random vectors with this theta_j, with its bounds and its mean."""
    counts = np.histogram(np.clip(r.cut, 0, 1), BINS)[0]
    top = 1.1 * counts.max() / DRAWS
    bars = dict(type="bar", x=(BINS[:-1] + BINS[1:]) / 2, y=counts / DRAWS, width=BINS[1], customdata=counts)
    bars |= dict(marker=dict(color=palette.GREY), showlegend=False)
    bars |= dict(hovertemplate=f"Q about %{{x:.2f}}: %{{customdata}} of {DRAWS} random θ<extra></extra>")
    dot = dict(size=12, color=Q, symbol="diamond", line=dict(color=palette.BLACK, width=2))
    here, mean = r.alpha == ALPHAS, "the mean Q of all θ of this evenness: %{x:.3f}<extra></extra>"
    middle = dict(type="scatter", mode="markers", x=r.mean_q[here], y=[top / 2], marker=dot, hovertemplate=mean)
    middle |= dict(name="mean Q")
    upright = dict(type="line", y0=0, y1=1, yref="domain")
    lines = [
        upright | dict(x0=q, x1=q, name=name, line=dict(color=Q, dash=dash, width=3))
        for q, name, dash in zip(r.q, ("least Q", "largest Q"), ("dot", "dash"), strict=True)
    ]
    grips = []
    if r.theta < 1:  # else there is nothing to share out, and Q is 1 for every K
        grips.append(Handle("K", r.q[1], top / 2, places=MOST_Q[:, round(100 * r.theta)], shape="line"))
        if r.K > 2:  # else one other value has it all
            grips.append(Handle("alpha", *r.mean_q[here], top / 2, places=r.mean_q))
    x = dict(range=[-0.01, 1.02], title=f"Q at θⱼ = {r.theta:.2f}", tickvals=[0, 0.5, 1])
    return Panel("Q⁻ʲ of random θ", [bars, middle], x, dict(range=[0, top], nticks=4), lines, handles=grips)

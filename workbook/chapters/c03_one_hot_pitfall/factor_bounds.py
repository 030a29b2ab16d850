"""Chapter 03: how far f_j = theta_j Q^-j strays from theta_j when K values are read as K independent bits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from nbcore.one_hot import q_bounds, q_factor
from workbook.explorer import palette, theme
from workbook.explorer.controls import FloatSlider, IntSlider, LogSlider
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formula import Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

__all__ = ["BITS", "CATEGORICAL", "DRAWS", "FactorBoundsExplorer", "others", "with_others"]

GRID = np.linspace(0, 1, 101)
DRAWS = 400
LIMIT = np.exp(GRID - 1)  # of the largest Q, as K grows without end

# The two models, and the factor between them, wear the same colours in all of the chapter.
CATEGORICAL, BITS, Q = palette.CATEGORICAL, palette.BITS, palette.Q_FACTOR


@dataclass(frozen=True)
class FactorBounds:
    """The result: Q and f for K values, DRAWS random thetas between their bounds, and the two classes c and d."""

    K: int
    pair: tuple[float, float]  # theta_j in class c and in class d
    alpha: float
    band: np.ndarray  # (2, 101) lower and upper bound of Q^-j on GRID
    random_theta: np.ndarray  # (400,) theta_j of the random vectors
    random_q: np.ndarray  # (400,) their Q^-j
    q: np.ndarray  # (2, 2) bounds of Q^-j in c and in d, the lower one first
    mean_q: np.ndarray  # (21,) mean of Q^-j over all vectors with the theta_j of c, at every evenness

    @property
    def theta(self) -> float:
        return self.pair[0]

    @property
    def f(self) -> np.ndarray:
        """(2,) bounds of f_j in class c."""
        return self.theta * self.q[0]

    @property
    def apart(self) -> int:
        """1 if the least Q of c is above the largest of d, -1 the other way round, 0 if the ranges overlap."""
        (least_c, most_c), (least_d, most_d) = self.q
        return int(least_c > most_d + 1e-12) - int(least_d > most_c + 1e-12)


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
    """Bounds of Q^-j and f_j, filled by random theta: Williams (2024), eq. (8), (9), (10) and Figure 1(b)."""

    K = IntSlider(6, 2, 12, label="K, values")
    theta = FloatSlider(0.5, 0.0, 1.0, step=0.01, label="θⱼ in c")
    other = FloatSlider(0.29, 0.0, 1.0, step=0.01, label="θⱼ in d")
    alpha = LogSlider(1, 0.1, 10, label="Evenness")

    presets: ClassVar = {
        "Figure 1(b)": Preset(
            "Six values. On the right: the band of what the bits can say lies well below the diagonal, the truth.", {}
        ),
        "K = 2: no band left": Preset(
            "Two values: the other one takes all the rest, so Q is θ, and f is θ squared.", dict(K=2)
        ),
        "The ranges overlap": Preset(
            "Two rare values. Q of d can be the larger one, although its θ is the smaller: nothing is certain.",
            dict(theta=0.15, other=0.1),
        ),
        "One rival takes all": Preset(
            "When one other value has nearly all the rest, Q sinks towards the lower bound.", dict(alpha=0.1, theta=0.2)
        ),
        "The others share evenly": Preset(
            "Many small rivals: each of their bits is off anyway, and Q climbs to the upper bound.",
            dict(K=12, alpha=10, theta=0.2),
        ),
    }

    def compute(self, K, theta, other, alpha) -> FactorBounds:
        spread = (np.arange(DRAWS) + 0.5) / DRAWS
        return FactorBounds(
            K=K,
            pair=(theta, other),
            alpha=alpha,
            band=np.array(q_bounds(GRID, K)),
            random_theta=spread,
            random_q=q_factor(with_others(spread, others(K, alpha)))[:, 0],
            q=np.transpose(q_bounds([theta, other], K)),
            mean_q=mean_q(theta, K, ALPHAS),
        )

    def draw(self, result):
        return theme.figure([[q_panel(result), f_panel(result)]], widths=[1.4, 1])

    def describe(self, result) -> str:
        r = result
        c, d = (f"from {least:.3f} to {most:.3f}" if r.K > 2 else f"{least:.3f}" for least, most in r.q)
        told = {1: "Q of c is the larger one for certain", -1: "Q of d is the larger one for certain"}
        certain = told.get(r.apart, "which of them is larger is not certain")
        mean = float(r.mean_q[r.alpha == ALPHAS][0])
        return (
            f"K = {r.K}, θⱼ = {r.pair[0]:.2f} in c: Q is {c}, at evenness {r.alpha:g} {mean:.3f} on average. "
            f"θⱼ = {r.pair[1]:.2f} in d: Q is {d}. So {certain}."
        )

    def explain(self, result):
        """Eq. (9) and (10): f lies between theta times the least Q and theta times the largest, in class c."""
        r = result
        theta = Term(f"{r.theta:.2f}", "θⱼ", "theta", CATEGORICAL)
        (lower, upper), (least, most) = ([f"{bound:.3f}" for bound in pair] for pair in (r.f, r.q[0]))
        return [
            Term(lower, "ℓ", "lower", BITS), "=", theta, "·", Term(least, "least Q", "least Q", Q), "≤ fⱼ ≤",
            theta, "·", Term(most, "largest Q", "largest Q", Q), "=", Term(upper, "u", "upper", BITS),
        ]  # fmt: skip


ALPHAS = np.array(FactorBoundsExplorer.alpha.values)
MOST_Q = np.array([q_bounds(GRID, K)[1] for K in FactorBoundsExplorer.K.values])  # (11, 101)
BESIDE = 0.035  # of the axis: nearer names would print on each other
WORDS = "%{fullData.name}: %{y:.3f} at θⱼ = %{x:.2f}<extra></extra>"


def q_panel(r: FactorBounds) -> Panel:
    """Q against theta_j: its bounds, random vectors between them, and the ranges of the classes c and d."""
    line = dict(type="scatter", mode="lines", x=GRID, hovertemplate=WORDS)
    dots = dict(type="scatter", mode="markers", x=r.random_theta, y=r.random_q, name="random θ")
    traces = [
        dots | dict(marker=dict(size=3, color=palette.CASES), hovertemplate="Q of a " + WORDS),
        line | dict(y=LIMIT, name="very large K", line=dict(color=palette.BLACK, dash="dot", width=1.5)),
        line | dict(y=r.band[1], name="others even", line=dict(color=Q, dash="dash", width=3)),
        line | dict(y=r.band[0], name="one other has all", line=dict(color=Q, dash="dot", width=3),
                    fill="tonexty", fillcolor=palette.faint(Q, 0.2)),
    ]  # fmt: skip
    for name, theta, (least, most) in zip("cd", r.pair, r.q, strict=True):
        bar = dict(x=[theta] * 2, y=[least, most], line=dict(color=palette.BLACK, width=5), showlegend=False)
        traces.append(line | bar | dict(name=f"Q in {name}"))
    ends = dict(size=9, color=Q, line=dict(color=palette.BLACK, width=1.5))
    traces.append(
        dict(type="scatter", mode="markers", x=[r.theta] * 2, y=r.q[0], ids=["least Q", "largest Q"], marker=ends,
             customdata=["least Q", "largest Q"], hovertemplate="%{customdata} of c: %{y:.3f}<extra></extra>",
             showlegend=False)
    )  # fmt: skip
    dot = dict(size=12, color=palette.HELD, symbol="diamond", line=dict(color=palette.BLACK, width=2))
    here = r.alpha == ALPHAS
    mean = "the mean Q of all θ of this evenness: %{y:.3f}<extra></extra>"
    middle = dict(type="scatter", mode="markers", x=[r.theta], y=r.mean_q[here], marker=dot, hovertemplate=mean)
    traces.append(middle | dict(name="mean Q in c"))
    grips = [Handle("theta", r.theta), Handle("other", r.pair[1])]
    if r.pair[1] < 1:  # else there is nothing to share out, and Q is 1 for every K
        grips.append(Handle("K", r.pair[1], r.q[1, 1], axis="y", places=MOST_Q[:, round(100 * r.pair[1])]))
    if r.theta < 1 and r.K > 2:  # else one other value has it all
        grips.append(Handle("alpha", r.theta, *r.mean_q[here], axis="y", places=r.mean_q))
    named = zip("cd", r.pair, r.q[:, 1], strict=True)
    if abs(np.subtract(*r.pair)) < BESIDE:
        named = [("c, d", np.mean(r.pair), r.q[:, 1].max())]
    notes = [dict(x=t, y=most, text=f"<b>{name}</b>", yanchor="bottom", yshift=7) for name, t, most in named]
    stands = dict(type="line", y0=0, line=dict(color=palette.NOW, width=1))
    feet = [stands | dict(x0=theta, x1=theta, y1=float(least)) for theta, (least, _) in zip(r.pair, r.q, strict=True)]
    x, y = dict(range=[-0.02, 1.02], title="θⱼ"), dict(range=[-0.04, 1.12], tickvals=[0, 0.5, 1])
    return Panel("Q⁻ʲ, by which the bits multiply θⱼ", traces, x, y, feet, notes, grips)


def f_panel(r: FactorBounds) -> Panel:
    """Figure 1(b): the bounds of f against theta_j, and what the categorical model says, the diagonal."""
    line = dict(type="scatter", mode="lines", x=GRID, hovertemplate=WORDS, showlegend=False)
    spots = dict(size=9, color=[BITS, BITS, CATEGORICAL], line=dict(color=palette.BLACK, width=1.5))
    here = dict(type="scatter", mode="markers", x=[r.theta] * 3, y=[*r.f, r.theta], ids=["lower", "upper", "theta"])
    here |= dict(marker=spots, customdata=["ℓ, the least f", "u, the largest f", "θⱼ itself"], showlegend=False)
    traces = [
        line | dict(y=GRID, name="θⱼ itself", line=dict(color=CATEGORICAL, width=3), showlegend=True),
        line | dict(y=GRID * r.band[1], name="upper u", line=dict(color=BITS, dash="dash", width=2)),
        line | dict(y=GRID * r.band[0], name="lower l", line=dict(color=BITS, dash="dot", width=2), fill="tonexty",
                    fillcolor=palette.faint(BITS, 0.2)),
        here | dict(hovertemplate="%{customdata} of c: %{y:.3f}<extra></extra>"),
    ]  # fmt: skip
    axis = dict(range=[-0.02, 1.02], tickvals=[0, 0.5, 1])
    return Panel("fⱼ = θⱼ Q⁻ʲ, what the bits say of j", traces, axis | dict(title="θⱼ"), axis)

"""Chapter 03: what the bits add to the log odds, from log(theta_c / theta_d) at K = 2 down to theta_c - theta_d."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from nbcore.one_hot import log_q_factor, q_bounds
from workbook.explorer import palette, theme
from workbook.explorer.controls import FloatSlider, Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import typeset
from workbook.explorer.formula import Over, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .factor_bounds import CATEGORICAL, Q

__all__ = ["ExtraOddsExplorer"]

DRAWS, EDGE = 1000, 3.1  # random pairs; the extra log odds that the panels show


@dataclass(frozen=True)
class ExtraOdds:
    """The result: one pair of theta whose others share evenly, and random pairs."""

    K: int
    c: float
    d: float
    extra: np.ndarray  # (11,) of the pair, log Q_c - log Q_d, at every K
    differences: np.ndarray  # (1000,) theta_c - theta_d of the random pairs
    extras: np.ndarray  # (1000,) their log Q_c - log Q_d

    @property
    def now(self) -> float:
        return float(self.extra[VALUES == self.K][0])

    @property
    def log_ratio(self) -> float:
        return float(np.log(self.c / self.d))

    @property
    def off(self) -> float:
        """How far the random pairs lie from the line of very many values, on average."""
        return float(np.mean(np.abs(self.extras - self.differences)))


@lru_cache(maxsize=16)
def drawn(K: int) -> tuple[np.ndarray, np.ndarray]:
    """theta_c - theta_d and log Q_c - log Q_d of random pairs, theta_j uniform, the rest shared by a flat Dirichlet."""
    rng = np.random.default_rng(K)
    theta_j = rng.uniform(size=(2, DRAWS, 1))
    shares = rng.dirichlet(np.ones(K - 1), (2, DRAWS))
    log_q = log_q_factor(np.concatenate([theta_j, (1 - theta_j) * shares], axis=-1))[..., 0]
    return (theta_j[0] - theta_j[1])[:, 0], log_q[0] - log_q[1]


def evenly(c, d) -> np.ndarray:
    """log Q_c - log Q_d at every K (11, ...), where the other values share evenly in both classes."""
    return np.array([np.log(q_bounds(c, K)[1]) - np.log(q_bounds(d, K)[1]) for K in VALUES])


class ExtraOddsExplorer(Explorer):
    """The factor Q in log odds, between K = 2 and K without end: from Williams (2024), eq. (8)."""

    K = Steps(3, [2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50], label="K, values", say="{:g}".format)
    c = FloatSlider(0.74, 0.05, 0.95, step=0.01, label="θ in class c")
    d = FloatSlider(0.29, 0.05, 0.95, step=0.01, label="θ in class d")

    presets: ClassVar = {
        "K = 2: doubled": Preset(
            "Two values. What the bits add is the log of the ratio itself: the evidence counts double.", dict(K=2)
        ),
        "K = 4: eye colour": Preset(
            "Four values, shared evenly: the bits add little more than the difference of the two θ.", dict(K=4)
        ),
        "K = 50: the difference": Preset(
            "Fifty values: every dot is on the line, nearly. The bits add θ in c minus θ in d.", dict(K=50)
        ),
        "Two rare values": Preset(
            "A ratio of 3, but a difference of a tenth: with two values a disaster, with fifty hardly anything.",
            dict(K=50, c=0.15, d=0.05),
        ),
    }

    def compute(self, K, c, d) -> ExtraOdds:
        return ExtraOdds(K, c, d, evenly(c, d), *drawn(K))

    def draw(self, result):
        return theme.figure([[difference_panel(result), values_panel(result)]], widths=[1.15, 1])

    def describe(self, result) -> str:
        r = result
        now, binary, many = (typeset(f"{extra:.3f}") for extra in (r.now, r.log_ratio, r.c - r.d))
        return (
            f"K = {r.K}, θ = {r.c:.2f} and {r.d:.2f}, all others even: the bits add {now} to the log odds {binary}. "
            f"With two values they add {binary}, with very many {many}. {DRAWS:,} random pairs lie {r.off:.3f} off the "
            f"dotted line, on average."
        )

    def explain(self, result):
        """The log of the ratio of two upper bounds, eq. (8)."""
        r = result
        top, bottom = (
            [f"{r.K - 2} +", Term(f"{theta:.2f}", f"θ in {name}")] for theta, name in ((r.c, "c"), (r.d, "d"))
        )
        extra = Term(typeset(f"{r.now:.3f}"), "extra", "extra", Q)
        return [extra, "=", f"{r.K - 1} · log", Over(top, bottom)]


VALUES = np.array(ExtraOddsExplorer.K.values)
C = np.array(ExtraOddsExplorer.c.values)


def difference_panel(r: ExtraOdds) -> Panel:
    """Extra log odds against the difference of the theta: random pairs, the line of very many values, and the pair."""
    shown = np.abs(r.extras) <= EDGE
    words = "%{fullData.name}: θ differ by %{x:.3f}, the bits add %{y:.3f}<extra></extra>"
    dots = dict(type="scatter", mode="markers", x=r.differences[shown], y=r.extras[shown], name="random pairs")
    dots |= dict(marker=dict(size=3, color=palette.CASES), hovertemplate=words)
    line = dict(type="scatter", mode="lines", x=[-1, 1], y=[-1, 1], name="θ in c − θ in d")
    line |= dict(line=dict(color=palette.BLACK, width=2, dash="dot"), hovertemplate=words)
    trail = dict(type="scatter", mode="lines", x=[r.c - r.d] * len(VALUES), y=r.extra, hoverinfo="skip")
    trail |= dict(line=dict(color=Q, width=2), showlegend=False)
    spot = dict(size=13, color=palette.HELD, symbol="diamond", line=dict(color=palette.BLACK, width=2))
    pair = dict(type="scatter", mode="markers", x=[r.c - r.d], y=[r.now], name="the pair, others even")
    pair |= dict(marker=spot, hovertemplate=words)
    places = np.stack(np.broadcast_arrays((C - r.d)[:, None], evenly(C, r.d).T), axis=-1)
    grips = [Handle(("c", "K"), r.c - r.d, r.now, axis="xy", places=places)]
    x = dict(range=[-1, 1], title="θ in c − θ in d", tickvals=[-1, -0.5, 0, 0.5, 1])
    y = dict(range=[-EDGE, EDGE], tickvals=[-3, -2, -1, 0, 1, 2, 3])
    return Panel("What the bits add to the log odds", [line, dots, trail, pair], x, y, handles=grips)


def values_panel(r: ExtraOdds) -> Panel:
    """Extra log odds of the pair against K: from the doubling at K = 2 towards the difference."""
    words = "%{fullData.name}: %{y:.3f}<extra></extra>"
    level = dict(type="scatter", mode="lines", x=[1.8, 56], hovertemplate=words)
    curve = dict(type="scatter", mode="lines+markers", x=VALUES, y=r.extra, showlegend=False, name="others even")
    curve |= dict(
        line=dict(color=Q, width=2),
        marker=dict(size=6, color=Q),
        hovertemplate="K = %{x}: the bits add %{y:.3f}<extra></extra>",
    )
    spot = dict(size=13, color=Q, symbol="diamond", line=dict(color=palette.BLACK, width=2))
    here = curve | dict(mode="markers", x=[r.K], y=[r.now], marker=spot, ids=["extra"])
    traces = [
        level | dict(y=[r.log_ratio] * 2, name="log of the ratio", line=dict(color=CATEGORICAL, width=3, dash="dash")),
        level | dict(y=[r.c - r.d] * 2, line=dict(color=palette.BLACK, width=2, dash="dot"), name="the difference",
                     showlegend=False),
        curve,
        here,
    ]  # fmt: skip
    ticks = [2, 3, 4, 6, 10, 20, 50]
    x = dict(type="log", range=[np.log10(1.8), np.log10(56)], tickvals=ticks, ticktext=list(map(str, ticks)), title="K")
    edge = 1.12 * max(0.2, abs(r.log_ratio))  # the extra at K = 2, the largest
    y = dict(range=[-0.1 * edge, edge] if r.c >= r.d else [-edge, 0.1 * edge], nticks=5)
    return Panel("This pair, at every K", traces, x, y, handles=[Handle("K", r.K, r.now)])

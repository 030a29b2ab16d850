"""Chapter 03: for which pairs of theta the bits are certain to exaggerate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbcore.one_hot import extremeness_threshold, f_ratio_bounds, log_f_factor, q_bounds
from workbook.explorer import palette, theme
from workbook.explorer.controls import FloatSlider, IntSlider
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import written
from workbook.explorer.formula import Over, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .factor_bounds import BITS, CATEGORICAL, DRAWS, others, with_others

__all__ = ["CertaintyExplorer"]

GRID = np.linspace(0, 1, 101)
LIMIT = np.exp(-(1 - GRID))  # of the threshold, as K grows without end
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Certainty:
    """The result: class c gives the seen value theta_c, class d theta_d."""

    K: int
    c: float
    d: float
    curve: np.ndarray  # (101,) threshold for the larger theta, over GRID for the smaller
    threshold: float  # at the smaller of the two
    log_ratio: float  # log(theta_c / theta_d)
    bounds: tuple[float, float]  # of log(f_c / f_d)
    random: np.ndarray  # (400,) log(f_c / f_d) for random other values

    @property
    def pair(self) -> list[tuple[float, str]]:
        """The smaller theta and the larger one, each with its class."""
        return sorted([(self.d, "d"), (self.c, "c")], key=lambda theta: theta[0])

    @property
    def certain(self) -> bool:
        """Eq. (13) holds, for the class with the larger theta; one that equals the threshold may come out above it."""
        return max(self.c, self.d) > self.threshold + 1e-12

    @property
    def told(self) -> str:
        """The threshold, with as many digits as tell it apart from the larger theta."""
        larger = max(self.c, self.d)
        return next((t for t in (f"{self.threshold:.{n}f}" for n in (3, 4, 5)) if float(t) != larger), f"{larger:.3f}")

    @property
    def exaggerated(self) -> float:
        """Share of the random cases in which the bits favour the same class, more strongly."""
        return float(np.mean(self.random * np.sign(self.log_ratio) > abs(self.log_ratio)))


class CertaintyExplorer(Explorer):
    """Where f_c / f_d is certain to be more extreme than theta_c / theta_d: Williams (2024), eq. (12) and (13)."""

    K = IntSlider(4, 2, 30, label="K, values")
    c = FloatSlider(0.74, 0.01, 0.99, step=0.01, label="θ in class c")
    d = FloatSlider(0.29, 0.01, 0.99, step=0.01, label="θ in class d")

    presets: ClassVar = {
        "Blue eyes: blond and brown": Preset(
            "Three in four blond students have blue eyes, not quite three in ten brown-haired ones: certain.", {}
        ),
        "K = 2: always": Preset(
            "With two values there is nothing left to chance: the ratio is squared, in every case.",
            dict(K=2, c=0.3, d=0.2),
        ),
        "Not certain": Preset(
            "Two rare values. The bounds allow less extreme as well as more; ask the other values.",
            dict(c=0.15, d=0.1),
        ),
        "Large K": Preset("Thirty values: the curve has nearly reached its limit, and stays there.", dict(K=30)),
    }

    def compute(self, K, c, d) -> Certainty:
        half = others(K, 1.0)
        drawn = log_f_factor(np.stack([with_others(c, half), with_others(d, half[::-1])]))[..., 0]
        return Certainty(
            K=K,
            c=c,
            d=d,
            curve=q_bounds(GRID, K)[1],  # eq. (13), and at 0 its limit
            threshold=float(extremeness_threshold(min(c, d), K)),
            log_ratio=float(np.log(c / d)),
            bounds=tuple(map(float, np.log(f_ratio_bounds(c, d, K)))),
            random=drawn[0] - drawn[1],
        )

    def draw(self, result):
        return theme.figure([[region_panel(result), ratio_panel(result)]], widths=[1, 1.15])

    def describe(self, result) -> str:
        r = result
        least, most = map(written, np.exp(r.bounds))
        bits = most if least == most else f"one from {least} to {most}"  # with K = 2 nothing is left open
        pair = f"K = {r.K}, θ = {r.c:.2f} and {r.d:.2f}"
        if r.c == r.d:
            return f"{pair}: the categorical ratio is 1 and becomes {bits}."
        sure = "so the bits exaggerate for certain" if r.certain else "so nothing is certain"
        relation = "above" if r.certain else "not above"
        return (
            f"{pair}: the ratio {written(r.c / r.d)} becomes {bits}. "
            f"{max(r.c, r.d):.2f} is {relation} the threshold {r.told}, {sure}. "
            f"Random others: more extreme in {r.exaggerated:.0%}."
        )

    def explain(self, result):
        """Eq. (13), with the threshold as chapter 03 writes it below."""
        r = result
        small, large = (Term(f"{theta:.2f}", f"θ in {name}", "pair", palette.HELD) for theta, name in r.pair)
        base = ["1 −", Over(["1 −", small], [Term(f"{r.K}", "K"), "− 1"])]
        power = f") {str(r.K - 1).translate(RAISED)} ="
        return [large, ">" if r.certain else "≤", "(", *base, power, Term(r.told, "threshold", "threshold", BITS)]


THRESHOLDS = np.array([q_bounds(GRID, K)[1] for K in CertaintyExplorer.K.values])  # (29, 101)


def region_panel(r: Certainty) -> Panel:
    """Both regions in which eq. (13) holds, the limit for large K, and the chosen pair."""
    where = ": θ = %{y:.3f} in c, %{x:.3f} in d<extra></extra>"
    line = dict(type="scatter", mode="lines")
    edge = line | dict(line=dict(color=BITS, width=3), fillcolor=palette.faint(BITS, 0.3))
    edge |= dict(hovertemplate="the edge of certainty" + where)
    dashed = line | dict(line=dict(color=palette.BLACK, dash="dot", width=2), name="limit")
    dashed |= dict(hovertemplate="the edge for very large K" + where)
    top = np.ones_like(GRID)
    ceiling = line | dict(line=dict(width=0), showlegend=False, hoverinfo="skip")
    dot = dict(size=14, color=palette.HELD, symbol="diamond", line=dict(color=palette.BLACK, width=2))
    pair = dict(type="scatter", mode="markers", x=[r.d], y=[r.c], ids=["pair"], marker=dot, showlegend=False)
    # The threshold is for the larger theta: straight above the pair or below it, or to its left or right.
    at, axis = ((r.d, r.threshold), "y") if r.c >= r.d else ((r.threshold, r.c), "x")
    on_edge = pair | dict(x=at[:1], y=at[1:], ids=["threshold"], hovertemplate="the threshold" + where)
    on_edge |= dict(marker=dict(size=9, color=BITS, line=dict(color=palette.BLACK, width=2)))
    places = THRESHOLDS[:, round(100 * min(r.c, r.d))]
    grips = [Handle("K", *at, axis=axis, places=places), Handle(("d", "c"), r.d, r.c, axis="xy")]
    traces = [
        ceiling | dict(x=GRID, y=top),
        edge | dict(x=GRID, y=r.curve, fill="tonexty", name="certain"),
        ceiling | dict(x=np.append(r.curve, [1, 1]), y=np.append(GRID, [1, 0]), fill="toself",
                       fillcolor=edge["fillcolor"]),
        edge | dict(x=r.curve, y=GRID, showlegend=False),
        dashed | dict(x=GRID, y=LIMIT),
        dashed | dict(x=LIMIT, y=GRID, showlegend=False),
        on_edge,
        pair | dict(hovertemplate="the pair" + where),
    ]  # fmt: skip
    ticks = dict(range=[0, 1], tickvals=[0, 0.5, 1])
    x, y = ticks | dict(title="θ in d"), ticks | dict(title="θ in c")
    return Panel("Certain where coloured", traces, x, y, handles=grips, equal=True)


def ratio_panel(r: Certainty) -> Panel:
    """Ratios f_c / f_d of random cases, one above another, their bounds, and the ratio of the categorical model."""
    at = (np.arange(DRAWS) + 0.5) / DRAWS
    words = "%{fullData.name}: the ratio is %{x:.3g}<extra></extra>"
    dots = dict(type="scatter", mode="markers", x=np.exp(r.random), y=at, name="bits, random others")
    dots |= dict(hovertemplate=words)
    upright = dict(type="scatter", mode="lines", y=[0, 1], hovertemplate=words)
    traces = [
        dots | dict(marker=dict(size=4, color=BITS, opacity=0.6)),
        *(
            upright
            | dict(x=np.exp([b, b]), name="bounds", showlegend=side == 0, line=dict(color=BITS, dash="dash", width=3))
            for side, b in enumerate(r.bounds)
        ),
        upright | dict(x=np.exp([r.log_ratio] * 2), name="categorical", line=dict(color=CATEGORICAL, width=4)),
    ]
    ends = np.array([0.0, r.log_ratio, *r.bounds]) / np.log(10)
    x = log_ticks(ends.min(), ends.max()) | dict(
        type="log", range=[ends.min() - 0.15, ends.max() + 0.15], title="f of c / f of d"
    )
    even = dict(type="line", x0=1, x1=1, y0=0, y1=1, yref="domain", line=dict(color=palette.GREY, width=1))
    return Panel(
        "Ratio in 400 cases, one above another",
        traces,
        x,
        dict(range=[0, 1], showticklabels=False, showgrid=False, ticks=""),
        [even],
    )


def log_ticks(low: float, high: float) -> dict:
    """At most six ticks that one can read aloud, for an axis from 10^low to 10^high."""
    decades = range(int(np.floor(low)) - 1, int(np.ceil(high)) + 1)
    every = max(1, round((high - low) / 3))
    steps = (1, 2, 5) if high - low < 1.7 else (1,)
    ticks = [
        s * 10.0**d for d in decades for s in steps if d % every == 0 and low - 0.15 <= np.log10(s) + d <= high + 0.15
    ]
    return dict(tickvals=ticks, ticktext=[f"{t:g}" for t in ticks])

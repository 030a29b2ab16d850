"""Chapter 07: why EM never goes down. A lower bound that touches the log likelihood, and its top, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, FloatSlider, IntSlider
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import typeset
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .bound import STEPS, TOKENS, Climb, climb, log_likelihood, lower_bound

__all__ = ["LowerBoundExplorer"]

DOCUMENTS = {"1, 2, 8, 9, 9": (1, 2, 8, 9, 9), "3, 4, 6, 8, 9": (3, 4, 6, 8, 9)}
THETA = np.linspace(0.01, 0.99, 197)
LEAST, MOST = 0.04, 0.96  # where a start can be
LIKELIHOOD = dict(color=palette.HIDDEN, width=4)
BOUND = dict(color=palette.BOUND, width=3, dash="dash")
LINE = dict(type="scatter", mode="lines")
DOT = dict(type="scatter", mode="markers", showlegend=False)
BLUE, VERMILLION = ([int(color[i : i + 2], 16) for i in (1, 3, 5)] for color in palette.CLASS_COLORS[:2])


@dataclass(frozen=True)
class Bound:
    """The result: the two curves at one step of a run."""

    step: int
    f1: tuple  # tokens f1 in each document
    run: Climb
    likelihood: np.ndarray  # (197,) along THETA
    bound: np.ndarray  # (197,)

    @property
    def now(self) -> tuple[float, float]:
        """Where the bound touches: theta, and the log likelihood there."""
        return self.run.theta[self.step], self.run.log_likelihood[self.step]

    @property
    def next(self) -> tuple[float, float, float]:
        """The bound’s top: theta, the height of the bound, and the log likelihood there."""
        return self.run.theta[self.step + 1], self.run.top[self.step], self.run.log_likelihood[self.step + 1]


class LowerBoundExplorer(Explorer):
    """The log likelihood of one free number, and the bound that EM climbs: Carlos & Rakshit (2016), eq. (5) to (7)."""

    step = IntSlider(0, 0, STEPS, label="step of EM")
    start = FloatSlider(0.6, LEAST, MOST, label="start")
    documents = Choice("1, 2, 8, 9, 9", list(DOCUMENTS), label="f₁ of ten, each document")

    presets: ClassVar = {
        "Before a step": Preset(
            "The bound touches at the present value. Go to its top; the log likelihood is higher still.", {}
        ),
        "Arrived": Preset("At a summit the bound has its own top there, so nothing moves any more.", dict(step=STEPS)),
        "The lower summit": Preset(
            "A start to the left of the valley. It sees no further than its own top.",
            dict(start=0.4, step=STEPS),
        ),
        "Beside the valley": Preset(
            "The slope is nearly level here, so the bound’s top is close by: small steps, and then large ones.",
            dict(start=0.45, step=2),
        ),
        "One summit": Preset(
            "Documents of all kinds. The nodes overlap, steps are short, and wherever you start you end there.",
            dict(documents="3, 4, 6, 8, 9", start=0.2),
        ),
    }  # fmt: skip

    def compute(self, step, start, documents) -> Bound:
        f1 = DOCUMENTS[documents]
        run = climb(start, f1)
        return Bound(step, f1, run, curve(f1), lower_bound(THETA, run.responsibility[step], f1))

    def draw(self, result):
        return theme.figure([[curves_panel(result), path_panel(result)]], widths=[1.7, 1])

    def describe(self, result) -> str:
        r, (theta, height), (after, top, reached) = result, result.now, result.next
        return (
            f"Step {r.step}: θ = {theta:.3f}, log likelihood {typeset(f'{height:.3f}')}. The bound’s top is "
            f"{rise(height, top)} higher, at θ = {after:.3f}; the log likelihood there is {rise(height, reached)} "
            "higher."
        )

    def explain(self, result) -> Sequence[Part]:
        """At the bound’s top: what the log likelihood has and the bound has not is a divergence, exactly."""
        _, top, reached = result.next
        printed, gap = round(top, 3), round(reached, 3) - round(top, 3)
        return [
            "at the bound’s top:",
            Term(typeset(f"{reached:.3f}"), "log likelihood", "reached", palette.HIDDEN),
            "=",
            Term(typeset(f"{printed:.3f}"), "bound", "top", palette.BOUND),
            "+",
            Term(typeset(f"{abs(gap):.3f}"), "Σ KL(r | new r)", "KL", palette.BLACK),
        ]


@lru_cache(maxsize=len(DOCUMENTS))
def curve(f1: tuple) -> np.ndarray:
    """The log likelihood along THETA."""
    return log_likelihood(THETA, f1)


def rise(low: float, high: float) -> str:
    """A difference of two heights, as they are printed."""
    return f"{abs(round(high, 3) - round(low, 3)):.3f}"


def heights(f1: tuple) -> dict:
    """The axis of both panels: room for the documents below the curve."""
    low, high = curve(f1).min(), curve(f1).max()
    return dict(range=[low - 0.5 * (high - low), high + 0.15 * (high - low)], nticks=6)


def documents(r: Bound) -> dict:
    """The documents at their shares of f1, coloured by responsibility, at the foot of the panel."""
    low, high = heights(r.f1)["range"]
    share, mine = np.array(r.f1) / TOKENS, r.run.responsibility[r.step]
    repeated = np.array([r.f1[:at].count(k) for at, k in enumerate(r.f1)])  # one above the other
    mixed = (np.outer(mine, BLUE) + np.outer(1 - mine, VERMILLION)).round().astype(int).tolist()
    look = dict(size=13, symbol=[palette.CLASS_MARKERS[int(share < 0.5)] for share in mine.tolist()],
                color=[f"#{red:02X}{green:02X}{blue:02X}" for red, green, blue in mixed],
                line=dict(color=palette.BLACK, width=1))  # fmt: skip
    said = [f"a document with {k} f₁ of ten: r of node 1 is {m:.3f}" for k, m in zip(r.f1, mine, strict=True)]
    y = low + (0.06 + 0.08 * repeated) * (high - low)
    return DOT | dict(x=share, y=y, text=said, marker=look, hovertemplate="%{text}<extra></extra>")


def curves_panel(r: Bound) -> Panel:
    """Log likelihood and bound; the touching point, the bound’s top, and what is above it."""
    (theta, height), (after, top, reached), told = r.now, r.next, " %{y:.3f} at θ = %{x:.3f}<extra></extra>"
    between = f"KL: {reached - top:.3f} between bound and log likelihood<extra></extra>"
    point = dict(size=12, color=palette.HIDDEN, symbol="diamond", line=dict(color=palette.BLACK, width=2))
    above = dict(size=11, color=palette.HIDDEN, symbol="circle-open", line=dict(width=3))
    summit = dict(size=12, color=palette.BOUND, symbol="triangle-up", line=dict(color=palette.BLACK, width=1.5))
    first = dict(size=22, color=palette.HELD, symbol="circle", line=dict(color=palette.BLACK, width=2))
    x0, y0 = r.run.theta[0], r.run.log_likelihood[0]
    traces = [
        LINE | dict(x=THETA, y=r.likelihood, name="log likelihood", line=LIKELIHOOD)
        | dict(hovertemplate="log likelihood" + told),
        LINE | dict(x=THETA, y=r.bound, name="its lower bound", line=BOUND, hovertemplate="lower bound" + told),
        DOT | dict(x=[x0], y=[y0], marker=first, hovertemplate="the start: log likelihood" + told),
        LINE | dict(x=[after, after], y=[top, reached], line=dict(color=palette.BLACK, width=3), showlegend=False)
        | dict(meta=dict(mark="KL"), hovertemplate=between),
        DOT | dict(x=[after], y=[reached], marker=above, meta=dict(mark="reached"))
        | dict(hovertemplate="the log likelihood over the bound’s top:" + told),
        DOT | dict(x=[theta], y=[height], marker=point, meta=dict(mark="here"))
        | dict(hovertemplate="here the bound touches:" + told),
        DOT | dict(x=[after], y=[top], marker=summit, meta=dict(mark="top"), hovertemplate="the bound’s top:" + told),
        documents(r),
    ]  # fmt: skip
    x = dict(range=[0, 1], tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1], title="θ = P(f₁|h₁,c)")
    starts = np.column_stack([LowerBoundExplorer.start.values, log_likelihood(LowerBoundExplorer.start.values, r.f1)])
    grip = Handle("start", x0, y0, axis="xy", places=starts)
    return Panel("Log likelihood of θ, and the bound", traces, x, heights(r.f1), handles=[grip])


def path_panel(r: Bound) -> Panel:
    """The log likelihood after each step, and the top of the bound that the step went to."""
    steps = np.arange(STEPS + 1)
    path = dict(type="scatter", mode="lines+markers", x=steps, y=r.run.log_likelihood[:-1], line=LIKELIHOOD)
    path |= dict(marker=dict(size=7, color=palette.HIDDEN), showlegend=False)
    path["hovertemplate"] = "after step %{x}: log likelihood %{y:.3f}<extra></extra>"
    look = dict(size=9, color=palette.BOUND, symbol="triangle-up", line=dict(color=palette.BLACK, width=1))
    tops = dict(type="scatter", mode="markers", x=steps[1:], y=r.run.top[:-1], name="the bound’s top", marker=look)
    tops["hovertemplate"] = "step %{x} went to a top at %{y:.3f}<extra></extra>"
    now = dict(size=12, color=palette.HIDDEN, symbol="diamond", line=dict(color=palette.BLACK, width=2))
    here = path | dict(mode="markers", x=[r.step], y=[r.now[1]], marker=now)
    x = dict(range=[-0.5, STEPS + 0.5], tickvals=steps[::2], title="step")
    grip = Handle("step", r.step, r.now[1])
    return Panel("Step by step", [path, tops, here], x, heights(r.f1), handles=[grip])

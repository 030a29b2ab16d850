"""Chapter 08: EM on a shape, step by step to a thousand: what looks like its end may be a plateau."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from nbcore.hierarchical import GaussianLeaf, sum_of_products
from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, IntSlider, Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.fitting import Slow
from workbook.explorer.formatting import signed
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .experiment import SHAPE_FLOOR, WALK_STEPS, Walks, shape_walks
from .regions import region_traces, square

__all__ = ["PlateauExplorer"]

SIDE = 500.0
AXIS, GRID = square(0.0, SIDE, 51)
WORDS = {"dots": "dots", "s": "S"}
SHARES, POINTS = "at random shares", "at data points"
STARTS = {SHARES: "responsibilities", POINTS: "points"}
LOOKS = {SHARES: (palette.HIDDEN, "solid"), POINTS: (palette.GUIDE, "dash")}
TURN = np.linspace(0, 2 * np.pi, 33)
LEAF = GaussianLeaf(SHAPE_FLOOR)


def both(shape: str, progress) -> dict[str, Walks]:
    """Follow ten starts of either kind on a shape; return the walks by kind."""
    return {
        kind: shape_walks(shape, name, progress=lambda share, done=done: progress((done + share) / len(STARTS)))
        for done, (kind, name) in enumerate(STARTS.items())
    }


walked = Slow(both)


@dataclass(frozen=True)
class Plateau:
    """Hold the walks of both kinds of start, the start shown, and the number of steps after which it is seen."""

    shape: str
    start: str
    number: int  # of the start, from 1
    steps: int
    walks: dict[str, Walks]
    log_odds: np.ndarray  # (51, 51), of the start shown
    ellipses: np.ndarray  # (H, 33, 2): one standard deviation around each node of the inside

    @property
    def here(self) -> Walks:
        return self.walks[self.start]

    @property
    def place(self) -> int:
        """Return the place of the present number of steps in WALK_STEPS."""
        return WALK_STEPS.index(self.steps)

    @property
    def climb(self) -> np.ndarray:
        """Return the log likelihood per point of the start shown, (steps,)."""
        return self.here.log_likelihood[self.number - 1]

    @property
    def climbed(self) -> float:
        """Return the share of its whole climb that this start has behind it."""
        return float((self.climb[self.place] - self.climb[0]) / (self.climb[-1] - self.climb[0]))


@lru_cache(maxsize=64)
def decisions(shape: str, start: str, number: int, place: int) -> np.ndarray:
    """Return the log odds of the inside over the square, by one of the ten starts, (51, 51)."""
    walks = walked(shape)[start]
    nodes = [values[number - 1, place] for values in (walks.node_log_prob, walks.means, walks.variances)]
    joint = sum_of_products(LEAF.prepare(GRID), nodes[0], nodes[1:], LEAF) + walks.log_prior
    return np.diff(joint)[:, 0].reshape(len(AXIS), -1)


class PlateauExplorer(Explorer):
    """Follow ten starts of EM for a thousand steps each, from shares at random and from data points."""

    shape = Choice("dots", list(WORDS), label="Shape")
    start = Choice(SHARES, list(STARTS), label="Start of EM")
    number = IntSlider(1, 1, 10, label="number")
    steps = Steps(100, WALK_STEPS, say="{:,}".format, label="steps")

    presets: ClassVar = {
        "20 steps": Preset("All nodes lie on each other, and the likelihood does not seem to move.", dict(steps=20)),
        "100": Preset("Stopped here, it looks as if some nodes could not get away from each other.", {}),
        "1,000": Preset("At step 100 half of its climb was still to come. Now it is flat for good: this is its summit.",
                        dict(steps=1000)),
        "S, 100": Preset("An S at a hundred steps. Would you say that EM is done?", dict(shape="s")),
        "S, 1,000": Preset("As good as from data points. Nothing was wrong with this start but that it is slow.",
                           dict(shape="s", steps=1000)),
        "Data points": Preset("From data points there is no plateau: every node has its own neighbourhood at once.",
                              dict(start=POINTS, steps=20)),
    }  # fmt: skip

    def pending(self, shape, start, number, steps):
        return walked.work(shape)

    def compute(self, shape, start, number, steps) -> Plateau:
        walks, place = walked(shape), WALK_STEPS.index(steps)
        here = walks[start]
        circle = np.stack([np.cos(TURN), np.sin(TURN)], axis=-1)
        inside = number - 1, place, 1
        ellipses = here.means[inside][:, None] + np.sqrt(here.variances[inside])[:, None] * circle
        return Plateau(shape, start, number, steps, walks, decisions(shape, start, number, place), ellipses)

    def draw(self, result):
        panels = [climb_panel(result), accuracy_panel(result), nodes_panel(result)]
        return theme.figure([panels], widths=[1, 1, 1])

    def describe(self, result) -> str:
        r = result
        best = {kind: walks.best[[r.place, -1]] for kind, walks in r.walks.items()}
        return (
            f"{WORDS[r.shape]}, start {r.number} {r.start}, after {r.steps:,} of 1,000 steps: {r.climbed:.0%} of its "
            f"climb, {r.here.accuracy[r.number - 1, r.place]:.3f} of the test points right. The best of ten on the "
            f"validation points: {best[SHARES][0]:.3f} {SHARES}, in the end {best[SHARES][1]:.3f}; {POINTS} "
            f"{best[POINTS][0]:.3f} and {best[POINTS][1]:.3f}."
        )

    def explain(self, result) -> Sequence[Part]:
        r = result
        color = LOOKS[r.start][0]
        first, last = (signed(r.climb[at], 3) for at in (0, -1))
        begin = Term(f"({first})", "after 1 step")
        return [
            "climbed =",
            Over([Term(signed(r.climb[r.place], 3), f"after {r.steps:,}", "now", color), "−", begin],
                 [Term(last, "after 1,000"), "−", begin]),
            "=",
            Term(f"{r.climbed:.2f}"),
        ]  # fmt: skip


def steps_axis() -> dict:
    """Return the axis of the steps of EM, by ratio."""
    return dict(type="log", range=[-0.05, 3.05], tickvals=[1, 10, 100, 1000], ticktext=["1", "10", "100", "1,000"],
                title="steps of EM")  # fmt: skip


def now(r: Plateau) -> dict:
    """Return the line that marks the step at which EM is stopped."""
    line = dict(color=palette.NOW, width=2)
    return dict(type="line", x0=r.steps, x1=r.steps, y0=0, y1=1, yref="domain", line=line)


def climb_panel(r: Plateau) -> Panel:
    """Draw the log likelihood of all twenty starts, the present one in bold; flat is not the same as finished."""
    traces = []
    for kind, walks in r.walks.items():
        color, dash = LOOKS[kind]
        x, y = [], []
        for heights in walks.log_likelihood:
            x, y = [*x, *WALK_STEPS, np.nan], [*y, *heights, np.nan]
        line = dict(color=palette.faint(color, 0.45), width=1, dash=dash)
        words = f"a start {kind}: %{{y:.2f}} after %{{x:,.0f}} steps<extra></extra>"
        traces.append(dict(type="scatter", mode="lines", x=x, y=y, line=line, showlegend=False, hovertemplate=words))
    color, dash = LOOKS[r.start]
    words = f"start {r.number} {r.start}: %{{y:.3f}} after %{{x:,.0f}} steps<extra></extra>"
    bold = dict(type="scatter", mode="lines", x=WALK_STEPS, y=r.climb, line=dict(color=color, width=4, dash=dash))
    dot = dict(type="scatter", mode="markers", x=[r.steps], y=[r.climb[r.place]], marker=dict(size=11, color=color))
    dot["meta"] = dict(mark="now")
    traces += [trace | dict(showlegend=False, hovertemplate=words) for trace in (bold, dot)]
    y = dict(range=[-12.95, -11.7], tickvals=[-12.5, -12], ticktext=["−12.5", "−12"])
    grip = Handle("steps", x=r.steps, y=-12.8, shape="line")
    return Panel("Log likelihood per point", traces, steps_axis(), y, [now(r)], handles=[grip])


def accuracy_panel(r: Plateau) -> Panel:
    """Draw test accuracy against steps, of the one of ten starts that is best on the validation points."""
    traces = []
    for kind, walks in r.walks.items():
        color, dash = LOOKS[kind]
        words = f"the best of ten {kind}: %{{y:.3f}} right after %{{x:,.0f}} steps<extra></extra>"
        line = dict(color=color, width=3, dash=dash)
        traces.append(dict(type="scatter", mode="lines", x=WALK_STEPS, y=walks.best, name=kind, line=line)
                      | dict(hovertemplate=words))  # fmt: skip
    grip = Handle("steps", x=r.steps, y=0.5, shape="line")
    y = dict(range=[0.45, 1.0], tickvals=[0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
    return Panel("Best of ten: test accuracy", traces, steps_axis(), y, [now(r)], handles=[grip])


def nodes_panel(r: Plateau) -> Panel:
    """Draw what the present start has learned so far: its decisions, and the nodes of the inside."""
    gap = np.full((len(r.ellipses), 1, 2), np.nan)
    x, y = np.concatenate([r.ellipses, gap], axis=1).reshape(-1, 2).T
    line = dict(type="scatter", mode="lines", x=x, y=y, name="nodes, inside", hoverinfo="skip")
    line["line"] = dict(color=palette.VERMILLION, width=2, dash="dot")
    x, y = r.ellipses[:, :-1].mean(axis=1).T
    dots = dict(type="scatter", mode="markers", x=x, y=y, marker=dict(size=5, color=palette.VERMILLION))
    dots |= dict(showlegend=False, hovertemplate="a node of the inside, at (%{x:.0f}, %{y:.0f})<extra></extra>")
    axis = dict(range=[0, SIDE], tickvals=[0, 250, 500])
    title = f"Start {r.number}: {r.here.accuracy[r.number - 1, r.place]:.3f}"
    return Panel(title, [*region_traces(AXIS, r.log_odds), line, dots], axis, axis, equal=True)

"""Chapter 09: how a value goes from step to step of EM, for the explorers that draw it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbook.explorer import palette
from workbook.explorer.handles import Handle

__all__ = ["PITCH", "levels", "path", "pictures", "rises", "steps_axis"]

LEAST = 0.01  # nats: a smaller rise is drawn as one of this
SIDE = 8  # pixels of a digit
PITCH = SIDE + 1  # from one picture to the next
NOTHING = "rgba(0,0,0,0)"  # a mark to point at, over a picture
PAPER = "#F4F4F4"


def steps_axis(steps: int) -> dict:
    return dict(range=[-0.06 * steps, 1.06 * steps], tickvals=[0, steps // 4, steps // 2, 3 * steps // 4, steps],
                title="EM step")  # fmt: skip


def path(values, step: int, name: str, words: str, color: str = palette.HIDDEN) -> tuple[list[dict], Handle]:
    """A value after every step, and the step in view: along the path it is dragged."""
    steps = np.arange(len(values))
    words = f"step %{{x:.0f}}: {words}<extra></extra>"
    line = dict(type="scatter", mode="lines+markers", x=steps, y=values, name=name, showlegend=False)
    line |= dict(line=dict(color=color, width=3), marker=dict(size=4, color=color), hovertemplate=words)
    here = dict(type="scatter", mode="markers", x=[step], y=[values[step]], showlegend=False, meta=dict(mark=name))
    here |= dict(marker=dict(size=16, symbol="circle", color="white", line=dict(color=color, width=4)))
    handle = Handle("step", step, values[step], axis="xy", places=np.column_stack([steps, values]))
    return [line, here | dict(hovertemplate=words)], handle


def levels(steps: int, found: Sequence[tuple], words: str) -> list[dict]:
    """Lines to compare a path with, each (height, name, colour, dash, mark)."""
    line = dict(type="scatter", mode="lines", x=np.array([-0.06, 1.06]) * steps)
    told = f"%{{fullData.name}}: %{{y:.3f}} {words}<extra></extra>"
    return [
        line | dict(y=np.full(2, y), name=name, line=dict(color=color, width=2, dash=dash), meta=dict(mark=mark),
                    hovertemplate=told)
        for y, name, color, dash, mark in found
    ]  # fmt: skip


def rises(objective, step: int) -> tuple[list[dict], dict]:
    """By how much each step raises the objective, on a logarithmic axis; the step in view is filled. Traces, axis."""
    steps, rise = np.arange(1, len(objective)), np.diff(objective)
    told = [f"step {t} raises the objective by {r:.3g} nats" if r >= LEAST else f"step {t}: by less than {LEAST} nats"
            for t, r in zip(steps, rise, strict=True)]  # fmt: skip
    dots = dict(type="scatter", mode="markers", name="objective", hovertemplate="%{text}<extra></extra>")
    height, here = np.maximum(rise, LEAST), steps == step
    looks = (~here, "square-open", 8), (here, "square", 13)
    traces = [
        dots | dict(x=steps[which], y=height[which], text=[told[t - 1] for t in steps[which]], showlegend=False,
                    marker=dict(size=size, symbol=symbol, color=palette.HIDDEN, line=dict(width=2)))
        for which, symbol, size in looks if which.any()
    ]  # fmt: skip
    axis = dict(type="log", range=[np.log10(LEAST) - 0.3, 4.3], tickvals=[0.01, 0.1, 1, 10, 100, 1000, 10_000])
    axis["ticktext"] = ["< 0.01", "0.1", "1", "10", "100", "1,000", "10,000"]
    return traces, axis


def pictures(images, corners, words: Sequence[str], wide: int, high: int) -> tuple[list[dict], dict, dict]:
    """Digits (n, 8, 8) as ink from 0 to 1, the upper left corner of each at (x, y), from the top; nan draws nothing.

    Traces, x axis, y axis of a panel that is so many pixels wide and high.
    """
    canvas = np.full((high, wide), np.nan)
    left, top = np.array(corners, dtype=int).reshape(-1, 2).T
    for image, x, y in zip(images, left, top, strict=True):
        canvas[y : y + SIDE, x : x + SIDE] = image
    colors = [[0.0, PAPER], [1.0, palette.BLACK]]
    heat = dict(type="heatmap", z=canvas, zmin=0, zmax=1, colorscale=colors, showscale=False, hoverinfo="skip")
    frames = dict(type="scatter", mode="markers", x=left + 3.5, y=top + 3.5, text=list(words), showlegend=False)
    frames |= dict(marker=dict(size=30, symbol="square", color=NOTHING), hovertemplate="%{text}<extra></extra>")
    bare = dict(showgrid=False, showticklabels=False, ticks="", linecolor="white")
    x, y = dict(range=[-0.8, wide - 0.2]), dict(range=[high - 0.2, -0.8])
    return [heat, frames], bare | x, bare | y

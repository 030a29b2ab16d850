"""Chapter 08: what a decision map of two classes looks like, for the explorers that draw one."""

from __future__ import annotations

import numpy as np

from workbook.page import palette

__all__ = ["class_dots", "own_dots", "region_traces", "ring", "square"]



def square(low: float, high: float, n: int) -> tuple[np.ndarray, np.ndarray]:
    """n values along each side of a square, and its n x n points (n n, 2), row by row."""
    axis = np.linspace(low, high, n)
    return axis, np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)


def region_traces(axis: np.ndarray, log_odds: np.ndarray, undecided: float = 1e-4) -> list[dict]:
    """Where class 1 wins and where class 0; grey where neither does. log_odds: (n, n), row = y."""
    clear = np.abs(log_odds) > undecided
    zero, tie, one = palette.TINTS
    base = dict(type="heatmap", x=axis, y=axis, showscale=False, hoverinfo="skip")
    won = np.where(clear, (log_odds > 0).astype(float), np.nan)
    traces = [base | dict(z=np.zeros_like(won), colorscale=[[0, tie], [1, tie]])] if not clear.all() else []
    if clear.any():
        traces.append(base | dict(z=won, colorscale=[[0, zero], [0.5, zero], [0.5, one], [1, one]], zmin=0, zmax=1))
    if (log_odds > undecided).any() and (log_odds < -undecided).any():
        line = dict(type="contour", x=axis, y=axis, z=np.clip(log_odds, -1, 1), showscale=False, hoverinfo="skip")
        line |= dict(contours=dict(start=0, end=0, size=1, coloring="none"), showlegend=False)
        traces.append(line | dict(line=dict(color=palette.BLACK, width=2)))
    return traces


def class_dots(points, target, which, size=6, names=("class 0", "class 1"), words="%{fullData.name}") -> list[dict]:
    """Points of both classes, each with its own colour and marker, and words; `which` (n,) picks some."""
    dots = dict(type="scatter", mode="markers", hovertemplate=f"{words}<extra></extra>")
    return [
        dots
        | dict(
            x=points[which & (target == c), 0], y=points[which & (target == c), 1], name=names[c],
            marker=dict(size=size, color=palette.CLASS_COLORS[c], symbol=palette.CLASS_MARKERS[c]),
        )
        for c in (0, 1)
    ]  # fmt: skip


def own_dots(points, words) -> list[dict]:
    """The reader's points (x, y, class), outlined; words: what each says. Nothing where there are none."""
    if not points:
        return []
    x, y, c = zip(*points, strict=True)
    look = dict(size=13, color=[palette.CLASS_COLORS[k] for k in c], symbol=[palette.CLASS_MARKERS[k] for k in c])
    look["line"] = dict(color=palette.BLACK, width=3)
    dots = dict(type="scatter", mode="markers", x=x, y=y, name="your points", marker=look, text=words)
    return [dots | dict(hovertemplate="%{text}<extra></extra>")]


def ring(x, words: str) -> dict:
    """The place of which the equation speaks."""
    look = dict(size=34, symbol="circle-open", color=palette.BLACK, line=dict(width=2))
    trace = dict(type="scatter", mode="markers", x=x[:1], y=x[1:], marker=look, meta=dict(mark="x"), text=[words])
    return trace | dict(name="x of the equation", showlegend=False, hovertemplate="%{text}<extra></extra>")

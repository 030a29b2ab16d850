"""Figures of Carlos & Rakshit (2016), "Learning Non-Linear Functions for Text Classification"."""

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from nbcore.checks import require
from workbook.explorer.palette import BLUE, GREY, VERMILLION
from workbook.figures._print import (
    COLUMN,
    PAGE,
    as_curve,
    as_numbers,
    as_pair,
    as_series,
    draw_curves,
    for_print,
    legend_outside,
    new_figure,
)

__all__ = ["class_maps", "labelled_points", "learning_curves"]

REGIONS = ListedColormap(["white", "#F6D9C2"])  # class 1: pale vermillion, and dotted
DOTS = "...."


def _as_labels(argument, labels, shape):
    """0 and 1 as integers, of the shape given."""
    a = as_numbers(argument, labels, ndim=len(shape))
    require(a.shape == shape, argument, a.shape, f"of shape {shape}")
    for entry in a[(a != 0) & (a != 1)][:1]:
        require(False, argument, float(entry), "0 or 1")
    return a.astype(int)


def _as_points(argument, X, y):
    X = as_numbers(argument, X, ndim=2)
    require(X.shape[1] == 2, argument, X.shape, "of shape (n, 2)")
    return X, _as_labels(f"labels of {argument}", y, (len(X),))


def _draw_points(ax, X, y):
    """Class 0 as open circles, class 1 as filled squares; returns both, in this order."""
    look = {0: dict(marker="o", color=BLUE, markerfacecolor="white"), 1: dict(marker="s", color=VERMILLION)}
    return [
        line
        for c, style in look.items()
        for line in ax.plot(
            *X[y == c].T, linestyle="", label=f"Class {c}", markersize=6, markeredgewidth=1.3, zorder=3, **style
        )
    ]


@for_print
def labelled_points(X, y):
    """Points of two classes, such as the shifted and scaled XOR: Carlos & Rakshit (2016), figure 1.

    X: (n, 2); y: (n,), 0 (open) or 1 (filled). Returns a matplotlib Figure.
    """
    X, y = _as_points("X", X, y)
    figure, (ax,) = new_figure(height=3.2)
    handles = _draw_points(ax, X, y)
    ax.set(xlabel="x", ylabel="y", aspect="equal")
    ax.margins(0.15)
    legend_outside(figure, handles)
    return figure


@for_print
def class_maps(maps, X=None, y=None):
    """Where in the plane class 1 is: Carlos & Rakshit (2016), figure 2 (as learned), figure 4 (as it is).

    maps: dict from titles to (x, y, region), at most six: x (W,) and y (H,) evenly spaced, region (H, W) 0 or 1, the
    class at each (x, y): a classifier's decisions, or `nbcore.datasets.is_inside`. Class 1 is dotted, as in the paper,
    and tinted. X (n, 2) and y (n,): points to draw into every map. Returns a matplotlib Figure.
    """
    checked = {}
    for title, parts in as_series("maps", maps):
        argument = f"maps[{title!r}]"
        require(isinstance(parts, tuple | list) and len(parts) == 3, argument, parts, "a triple (x, y, region)")
        axes = [as_numbers(f"{name} of {argument}", v) for name, v in zip("xy", parts[:2], strict=True)]
        for name, v in zip("xy", axes, strict=True):
            step = np.diff(v)
            even = len(v) > 1 and (step > 0).all() and np.allclose(step, step[0], rtol=1e-6)
            require(even, f"{name} of {argument}", v, "two or more evenly spaced, increasing numbers")
        checked[title] = *axes, _as_labels(f"region of {argument}", parts[2], (len(axes[1]), len(axes[0])))
    require((X is None) == (y is None), "y", y, "given with X, and only with it")
    points = None if X is None else _as_points("X", X, y)
    columns = {1: 1, 2: 2, 4: 2}.get(len(checked), 3)
    rows = -(-len(checked) // columns)
    width, row_height = {1: (COLUMN, 2.8), 2: (0.85 * PAGE, 2.7), 3: (PAGE, 2.3)}[columns]
    figure, panels = new_figure(row_height * rows + 0.55, width, rows, columns)
    for ax in panels[len(checked) :]:
        ax.remove()
    handles = []
    for ax, (title, (across, up, region)) in zip(panels, checked.items(), strict=False):
        ax.pcolormesh(across, up, region, cmap=REGIONS, vmin=0, vmax=1, shading="nearest", rasterized=True)
        ax.contourf(across, up, region, levels=[0.5, 1.5], colors="none", hatches=[DOTS])
        ax.set(title=title, xlabel="x", ylabel="y", aspect="equal")
        if points:
            handles = _draw_points(ax, *points)
    tint = dict(edgecolor=GREY, linewidth=0.6)
    regions = [Patch(facecolor=REGIONS(0), label="Region of class 0", **tint),
               Patch(facecolor=REGIONS(1), hatch=DOTS, label="Region of class 1", **tint)]  # fmt: skip
    figure.legend(handles=[*handles, *regions], loc="outside upper center", ncols=2, borderaxespad=0.2)
    return figure


@for_print
def learning_curves(panels, xlabel="Training documents"):
    """Accuracy by size of the training set, in one or more panels: Carlos & Rakshit (2016), figure 3, A to C.

    panels: dict from titles to dicts from labels (at most six each) to pairs (sizes (M,), accuracies (M,)). Returns a
    matplotlib Figure, one panel above the other.
    """
    require(isinstance(xlabel, str) and xlabel.strip(), "xlabel", xlabel, "a str that is not empty")
    checked = {
        title: {
            label: as_curve(f"panels[{title!r}][{label!r}]", *as_pair(f"panels[{title!r}][{label!r}]", pair))
            for label, pair in as_series(f"panels[{title!r}]", curves)
        }
        for title, curves in as_series("panels", panels)
    }
    figure, axes = new_figure(height=sum(2.2 + 0.17 * len(c) for c in checked.values()), rows=len(checked))
    for ax, (title, curves) in zip(axes, checked.items(), strict=True):
        lines = draw_curves(ax, curves)
        ax.set(title=title, xlabel=xlabel, ylabel="Accuracy")
        legend_outside(ax, lines)
    return figure

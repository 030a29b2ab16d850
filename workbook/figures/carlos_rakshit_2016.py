"""Figures of Carlos & Rakshit (2016), "Learning Non-Linear Functions for Text Classification"."""

from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from workbook.explorer.palette import BLUE, GREY, VERMILLION
from workbook.figures._print import COLUMN, PAGE, add_legend, draw_curves, new_figure, print_figure

__all__ = ["class_maps", "labelled_points", "learning_curves"]

REGIONS = ListedColormap(["white", "#F6D9C2"])  # class 1: pale vermillion, and dotted
DOTS = "...."


def _draw_points(ax, X, y):
    """Draw class 0 as open circles and class 1 as filled squares; return both lines, in this order."""
    look = {0: dict(marker="o", color=BLUE, markerfacecolor="white"), 1: dict(marker="s", color=VERMILLION)}
    return [
        line
        for c, style in look.items()
        for line in ax.plot(
            *X[y == c].T, linestyle="", label=f"Class {c}", markersize=6, markeredgewidth=1.3, zorder=3, **style
        )
    ]


@print_figure
def labelled_points(X, y):
    """Draw points of two classes, such as the shifted and scaled XOR: Carlos & Rakshit (2016), figure 1.

    X: (n, 2); y: (n,), 0 (open) or 1 (filled). Returns a matplotlib Figure.
    """
    figure, (ax,) = new_figure(height=3.2)
    handles = _draw_points(ax, X, y)
    ax.set(xlabel="x", ylabel="y", aspect="equal")
    ax.margins(0.15)
    add_legend(figure, handles)
    return figure


@print_figure
def class_maps(maps, X=None, y=None):
    """Draw where in the plane class 1 is: Carlos & Rakshit (2016), figure 2 (as learned), figure 4 (as it is).

    maps: dict from titles to (x, y, region), at most six: x (W,) and y (H,) evenly spaced, region (H, W) 0 or 1, the
    class at each (x, y): a classifier's decisions, or `nbcore.datasets.is_inside`. Class 1 is dotted, as in the paper,
    and tinted. X (n, 2) and y (n,): points to draw into every map. Returns a matplotlib Figure.
    """
    columns = {1: 1, 2: 2, 4: 2}.get(len(maps), 3)
    rows = -(-len(maps) // columns)
    width, row_height = {1: (COLUMN, 2.8), 2: (0.85 * PAGE, 2.7), 3: (PAGE, 2.3)}[columns]
    figure, panels = new_figure(row_height * rows + 0.55, width, rows, columns)
    for ax in panels[len(maps) :]:
        ax.remove()
    handles = []
    for ax, (title, (across, up, region)) in zip(panels, maps.items(), strict=False):
        ax.pcolormesh(across, up, region, cmap=REGIONS, vmin=0, vmax=1, shading="nearest", rasterized=True)
        ax.contourf(across, up, region, levels=[0.5, 1.5], colors="none", hatches=[DOTS])
        ax.set(title=title, xlabel="x", ylabel="y", aspect="equal")
        if X is not None:
            handles = _draw_points(ax, X, y)
    tint = dict(edgecolor=GREY, linewidth=0.6)
    regions = [Patch(facecolor=REGIONS(0), label="Region of class 0", **tint),
               Patch(facecolor=REGIONS(1), hatch=DOTS, label="Region of class 1", **tint)]  # fmt: skip
    figure.legend(handles=[*handles, *regions], loc="outside upper center", ncols=2, borderaxespad=0.2)
    return figure


@print_figure
def learning_curves(panels, xlabel="Training documents"):
    """Draw accuracy by size of the training set, in one or more panels: Carlos & Rakshit (2016), figure 3, A to C.

    panels: dict from titles to dicts from labels (at most six each) to pairs (sizes (M,), accuracies (M,)). Returns a
    matplotlib Figure, one panel above the other.
    """
    figure, axes = new_figure(height=sum(2.2 + 0.17 * len(c) for c in panels.values()), rows=len(panels))
    for ax, (title, curves) in zip(axes, panels.items(), strict=True):
        lines = draw_curves(ax, curves)
        ax.set(title=title, xlabel=xlabel, ylabel="Accuracy")
        add_legend(ax, lines)
    return figure

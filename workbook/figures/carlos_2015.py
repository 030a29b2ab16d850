"""Figures of Carlos (2015), "Perplexed Bayes Classifier": curves over posteriors, features and thresholds."""

import numpy as np
from matplotlib.lines import Line2D

from workbook.explorer.palette import CLASS_COLORS
from workbook.figures._print import GUIDE, MARKERS, SERIES, add_legend, draw_curves, new_figure, print_figure

__all__ = ["accuracy_by_confidence", "precision_recall_curves", "reliability_diagram", "spread_by_features"]


def _midpoints(bins):
    """Return the middle of each bin, (B,)."""
    return (bins.edges[:-1] + bins.edges[1:]) / 2


@print_figure
def reliability_diagram(diagrams):
    """Draw predicted against observed probabilities: Carlos (2015), figure 1, figure 4 and figure 5.

    diagrams: dict from labels to results of `nbcore.calibration.reliability_bins`, at most six: naive Bayes with
    different numbers of features (figure 1); Perplexed Bayes with k "flat" (figure 4) or "calibrated" (figure 5),
    beside naive Bayes. Each bin stands at its midpoint; an empty bin is a gap. Returns a matplotlib Figure.
    """
    curves = {label: (_midpoints(bins), bins.observed) for label, bins in diagrams.items()}
    figure, (ax,) = new_figure(height=3.9)
    (ideal,) = ax.plot([0, 1], [0, 1], label="Ideal curve", linestyle=(0, (1, 1.5)), **GUIDE)
    lines = draw_curves(ax, curves)
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal", xticks=np.arange(6) / 5, yticks=np.arange(6) / 5)
    ax.set(xlabel="Posterior probability", ylabel="Observed probability of classes")
    add_legend(figure, [*lines, ideal])
    return figure


@print_figure
def spread_by_features(n_features, spreads):
    """Draw how uneven the histogram of posteriors is by average number of features: Carlos (2015), figure 2.

    n_features: (M,); spreads: dict from labels to (M,), results of `nbcore.calibration.posterior_spread`, at most
    six. Returns a matplotlib Figure.
    """
    figure, (ax,) = new_figure(height=3.2)
    lines = draw_curves(ax, {label: (n_features, y) for label, y in spreads.items()})
    ax.set(xlabel="Average feature count", ylabel="Histogram standard deviation")
    ax.set_ylim(bottom=0)
    add_legend(figure, lines)
    return figure


@print_figure
def accuracy_by_confidence(tables):
    """Draw accuracy against the posterior of the class decided for: Carlos (2015), figure 3, drawn from its table 1.

    tables: dict from labels to results of `nbcore.calibration.confidence_table`, at most six. Each interval stands at
    its midpoint; an empty one is a gap. Returns a matplotlib Figure.
    """
    curves = {label: (_midpoints(table), table.accuracy) for label, table in tables.items()}
    figure, (ax,) = new_figure(height=3.0)
    lines = draw_curves(ax, curves)
    edges = [edge for table in tables.values() for edge in (table.edges[0], table.edges[-1])]
    ax.set(xlim=(min(edges), max(edges)), xlabel="Posterior probability", ylabel="Accuracy")
    ax.margins(y=0.08)
    add_legend(figure, lines)
    return figure


@print_figure
def precision_recall_curves(thresholds, curves):
    """Draw precision (solid, filled) and recall (dashed, open) of each class by threshold: Carlos (2015), figure 6.

    thresholds: (T,); curves: dict from classes to pairs (precision (T,), recall (T,)), what
    `nbcore.calibration.precision_recall_by_threshold` returns, at most six. Returns a matplotlib Figure.
    """
    figure, (ax,) = new_figure(height=3.2)
    lines: list[Line2D] = []
    for (label, (precision, recall)), style, marker, color in zip(
        curves.items(), SERIES[: len(curves)], MARKERS, CLASS_COLORS, strict=False
    ):
        look = dict(color=color, marker=marker, markersize=style["markersize"])
        lines += ax.plot(thresholds, precision, label=f"Precision {label}", linestyle="-", **look)
        lines += ax.plot(thresholds, recall, label=f"Recall {label}", linestyle="--", markerfacecolor="white", **look)
    ax.set(xlabel="Posterior probability threshold", ylabel="Precision, recall")
    ax.margins(y=0.06)
    add_legend(figure, lines)
    return figure

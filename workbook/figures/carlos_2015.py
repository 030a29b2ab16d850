"""Figures of Carlos (2015), "Perplexed Bayes Classifier": curves over posteriors, features and thresholds."""

import numpy as np
from matplotlib.lines import Line2D

from nbcore.checks import require
from workbook.figures._print import (
    CLASS_COLORS,
    GUIDE,
    MARKERS,
    SERIES,
    as_curve,
    as_pair,
    as_probabilities,
    as_series,
    draw_curves,
    for_print,
    legend_outside,
    new_figure,
)

__all__ = ["accuracy_by_confidence", "precision_recall_curves", "reliability_diagram", "spread_by_features"]


def _midpoints(bins):
    return (bins.edges[:-1] + bins.edges[1:]) / 2


def _by_bin(argument, series, shares):
    """label -> (midpoints, share in each bin) of results with `edges` and an array of the name `shares`."""
    curves = {}
    for label, bins in as_series(argument, series):
        holds = all(hasattr(bins, name) for name in ("edges", shares))
        require(holds, f"{argument}[{label!r}]", bins, f"a result with edges (B + 1,) and {shares} (B,)")
        y = as_probabilities(f"{shares} of {label!r}", getattr(bins, shares), gaps=True)
        require(len(y) + 1 == len(bins.edges), f"{shares} of {label!r}", y.shape, f"of shape ({len(bins.edges) - 1},)")
        curves[label] = _midpoints(bins), y
    return curves


@for_print
def reliability_diagram(diagrams):
    """What was said against what came true: Carlos (2015), figure 1, figure 4 and figure 5.

    diagrams: dict from labels to results of `nbcore.calibration.reliability_bins`, at most six: naive Bayes with
    different numbers of features (figure 1); Perplexed Bayes with k "flat" (figure 4) or "calibrated" (figure 5),
    beside naive Bayes. Each bin stands at its midpoint; an empty bin is a gap. Returns a matplotlib Figure.
    """
    curves = _by_bin("diagrams", diagrams, "observed")
    figure, (ax,) = new_figure(height=3.9)
    (ideal,) = ax.plot([0, 1], [0, 1], label="Ideal curve", linestyle=(0, (1, 1.5)), **GUIDE)
    lines = draw_curves(ax, curves)
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal", xticks=np.arange(6) / 5, yticks=np.arange(6) / 5)
    ax.set(xlabel="Posterior probability", ylabel="Observed probability of classes")
    legend_outside(figure, [*lines, ideal])
    return figure


@for_print
def spread_by_features(n_features, spreads):
    """How uneven the histogram of posteriors is, by average number of features: Carlos (2015), figure 2.

    n_features: (M,); spreads: dict from labels to (M,), results of `nbcore.calibration.posterior_spread`, at most
    six. Returns a matplotlib Figure.
    """
    curves = {label: as_curve(f"spreads[{label!r}]", n_features, y) for label, y in as_series("spreads", spreads)}
    figure, (ax,) = new_figure(height=3.2)
    lines = draw_curves(ax, curves)
    ax.set(xlabel="Average feature count", ylabel="Histogram standard deviation")
    ax.set_ylim(bottom=0)
    legend_outside(figure, lines)
    return figure


@for_print
def accuracy_by_confidence(tables):
    """Accuracy against the posterior of the class decided for: Carlos (2015), figure 3, drawn from its table 1.

    tables: dict from labels to results of `nbcore.calibration.confidence_table`, at most six. Each interval stands at
    its midpoint; an empty one is a gap. Returns a matplotlib Figure.
    """
    curves = _by_bin("tables", tables, "accuracy")
    figure, (ax,) = new_figure(height=3.0)
    lines = draw_curves(ax, curves)
    edges = [edge for table in tables.values() for edge in (table.edges[0], table.edges[-1])]
    ax.set(xlim=(min(edges), max(edges)), xlabel="Posterior probability", ylabel="Accuracy")
    ax.margins(y=0.08)
    legend_outside(figure, lines)
    return figure


@for_print
def precision_recall_curves(thresholds, curves):
    """Precision (solid, filled) and recall (dashed, open) of each class by threshold: Carlos (2015), figure 6.

    thresholds: (T,); curves: dict from classes to pairs (precision (T,), recall (T,)), what
    `nbcore.calibration.precision_recall_by_threshold` returns, at most six. Returns a matplotlib Figure.
    """
    drawn = []
    for label, pair in as_series("curves", curves):
        for name, values in zip(("Precision", "Recall"), as_pair(f"curves[{label!r}]", pair), strict=True):
            argument = f"{name.lower()} of {label!r}"
            x, y = as_curve(argument, as_probabilities("thresholds", thresholds), as_probabilities(argument, values))
            drawn.append((f"{name} {label}", x, y))
    figure, (ax,) = new_figure(height=3.2)
    lines: list[Line2D] = []
    for number, (label, x, y) in enumerate(drawn):
        of_class, is_recall = divmod(number, 2)
        color = CLASS_COLORS[of_class]
        face = {"linestyle": "--", "markerfacecolor": "white"} if is_recall else {"linestyle": "-"}
        size = SERIES[of_class]["markersize"]
        lines += ax.plot(x, y, label=label, color=color, marker=MARKERS[of_class], markersize=size, **face)
    ax.set(xlabel="Posterior probability threshold", ylabel="Precision, recall")
    ax.margins(y=0.06)
    legend_outside(figure, lines)
    return figure

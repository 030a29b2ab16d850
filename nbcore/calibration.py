"""Do posterior probabilities mean what they say? Reliability, spread, confidence, thresholds: Carlos (2015), section 5.

Shapes: n items, C classes. `proba` is always (n, C), its columns in sorted order of the labels; where y lacks one of
them, pass `classes`, the labels of the columns. Bins are closed on the left, the last one on both sides. Bad input
raises ValueError, which names the argument, the value found and what is allowed. Brier, log loss: scikit-learn.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax
from sklearn.utils.validation import column_or_1d

from nbcore._base import check_classes, encode_labels
from nbcore.checks import require, require_count

__all__ = [
    "ConfidenceTable",
    "ReliabilityBins",
    "confidence_table",
    "fit_temperature",
    "mean_log_loss",
    "posterior_spread",
    "precision_recall_by_threshold",
    "reliability_bins",
    "temperature_scale",
]

TOLERANCE = 1e-6  # how far from 1 the sum of a row of posteriors may be
TEMPERATURES = 1e-3, 1e3  # where fit_temperature looks


def _check_proba(proba):
    p = np.asarray(proba, dtype=float)
    require(p.ndim == 2 and len(p) > 0 and p.shape[1] >= 2, "proba", p.shape, "of shape (n, C), n >= 1 and C >= 2")
    for entry in p[~((p >= 0) & (p <= 1 + TOLERANCE))][:1]:  # finds NaN too
        require(False, "proba", float(entry), "probabilities from 0 to 1")
    total = p.sum(axis=1)
    for off in total[abs(total - 1) > TOLERANCE][:1]:
        require(False, "proba", float(off), "rows of posteriors: the sum of a row 1")
    return p


def _check_labels(y, classes, n_rows, n_columns):
    """Class index of every item (n,) and the sorted labels (C,)."""
    y = column_or_1d(y)
    require(len(y) == n_rows, "y", y.shape, f"of shape ({n_rows},), one label for each row")
    labels = np.unique(y) if classes is None else check_classes(classes)
    hint = "" if classes is not None else " (y may lack one: pass classes)"
    require(len(labels) == n_columns, "classes", labels, f"{n_columns} labels, one for each column{hint}")
    return encode_labels(y, labels), labels


def _check_bins(bins):
    """Edges of equal bins on [0, 1], (bins + 1,): i / bins, so that .3 is an edge of ten bins to the last digit."""
    require_count("bins", bins)
    return np.arange(bins + 1) / bins


def _check_edges(edges):
    e = np.asarray(edges, dtype=float)
    holds = e.ndim == 1 and len(e) >= 2 and (np.diff(e) > 0).all() and e[0] >= 0 and e[-1] <= 1
    require(holds, "edges", edges, "two or more increasing numbers from 0 to 1")
    return e


def _bin_of(p, edges):
    """Index of the bin in which each p lies; -1 or len(edges) - 1 for those outside."""
    return np.searchsorted(edges, p, side="right") - 1 - (p == edges[-1])


def _mean_by_bin(values, index, count):
    """Mean of the values in each bin; NaN in an empty bin."""
    total = np.bincount(index, values, len(count))
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


# ------------------------------------------------------------------------------------------------------ reliability


@dataclass(frozen=True)
class ReliabilityBins:
    """A reliability diagram (Carlos (2015), figures 1, 4 and 5): what was said, and what came true.

    edges (B + 1,); mean_posterior and observed (B,), the mean posterior in a bin and the share of its (item, class)
    pairs whose class is the true one, both NaN in an empty bin (there is no such share); count (B,) of pairs.
    """

    edges: np.ndarray
    mean_posterior: np.ndarray
    observed: np.ndarray
    count: np.ndarray

    def rmse(self, weighted=False, ideal="midpoint"):
        """Root mean square distance of the observed shares from the ideal curve: Carlos (2015), section 5.2.

        Over the bins that are not empty, each alike, or `weighted` by its pairs. ideal: "midpoint" of a bin, as in
        the paper, or the "mean" posterior in it.
        """
        require(ideal in ("midpoint", "mean"), "ideal", ideal, '"midpoint" or "mean"')
        full = self.count > 0
        target = (self.edges[:-1] + self.edges[1:]) / 2 if ideal == "midpoint" else self.mean_posterior
        error = (self.observed - target)[full]
        return float(np.sqrt(np.average(error**2, weights=self.count[full] if weighted else None)))

    def ece(self):
        """Expected calibration error: mean distance of observed share and mean posterior, weighted by the pairs."""
        full = self.count > 0
        return float(np.average(abs(self.observed - self.mean_posterior)[full], weights=self.count[full]))


def reliability_bins(y, proba, bins=10, classes=None):
    """Pool all n x C posteriors into equal bins on [0, 1], and count how many are of the item's true class.

    Carlos (2015), section 5.2, figure 5. y: labels (n,); proba: posteriors (n, C); bins: int >= 1; classes: see above.
    Returns ReliabilityBins.
    """
    proba, edges = _check_proba(proba), _check_bins(bins)
    code, labels = _check_labels(y, classes, *proba.shape)
    said = proba.clip(max=1).ravel()
    true = (code[:, None] == np.arange(len(labels))).ravel()
    index = _bin_of(said, edges)
    count = np.bincount(index, minlength=bins)
    return ReliabilityBins(edges, _mean_by_bin(said, index, count), _mean_by_bin(true, index, count), count)


def posterior_spread(proba, bins=10):
    """Standard deviation of the heights of the histogram of all n x C posteriors, scaled to sum 1: 0 is flat.

    Carlos (2015), section 5.1, figure 2 ("normalized histogram"). proba: (n, C); bins: int >= 1.
    """
    proba, edges = _check_proba(proba), _check_bins(bins)
    count = np.bincount(_bin_of(proba.clip(max=1).ravel(), edges), minlength=bins)
    return float((count / proba.size).std())


# --------------------------------------------------------------------------------------------- confidence, decisions


@dataclass(frozen=True)
class ConfidenceTable:
    """Carlos (2015), table 1: edges (B + 1,), count of items (B,), accuracy (B,), NaN where an interval is empty."""

    edges: np.ndarray
    count: np.ndarray
    accuracy: np.ndarray


def confidence_table(y, proba, edges, classes=None):
    """How many items are decided with a confidence (largest posterior) in each interval, and how many of them rightly.

    Carlos (2015), table 1. y: labels (n,); proba: (n, C); edges: increasing, from 0 to 1, such as .5, .6, ..., 1; items
    outside them do not count; classes: see above. Of equal posteriors the first class is decided for.
    """
    proba, edges = _check_proba(proba), _check_edges(edges)
    code, _ = _check_labels(y, classes, *proba.shape)
    index = _bin_of(proba.max(axis=1).clip(max=1), edges)
    inside = (index >= 0) & (index < len(edges) - 1)
    right = (proba.argmax(axis=1) == code)[inside]
    count = np.bincount(index[inside], minlength=len(edges) - 1)
    return ConfidenceTable(edges, count, _mean_by_bin(right, index[inside], count))


def precision_recall_by_threshold(y, proba, positive, thresholds, classes=None):
    """Precision and recall, (T,) each, if an item counts as `positive` from a posterior >= threshold on.

    Carlos (2015), section 5.3, figure 6. y: labels (n,), at least one of them positive; proba: (n, C); thresholds:
    (T,) from 0 to 1; classes: see above. Where no item is selected, none is selected wrongly: precision 1, as in
    sklearn.metrics.precision_recall_curve.
    """
    proba = _check_proba(proba)
    code, labels = _check_labels(y, classes, *proba.shape)
    column = np.flatnonzero(labels == positive)
    require(len(column) == 1, "positive", positive, f"one of the classes {labels}")
    is_positive = code == column[0]
    require(is_positive.any(), "y", labels[np.unique(code)], f"labels of which at least one is {positive!r}")
    t = np.atleast_1d(np.asarray(thresholds, dtype=float))
    require(t.ndim == 1 and len(t) and ((t >= 0) & (t <= 1)).all(), "thresholds", thresholds, "numbers from 0 to 1")
    selected = proba[:, column] >= t
    hits, picks = selected[is_positive].sum(axis=0), selected.sum(axis=0)
    return np.where(picks > 0, hits / np.maximum(picks, 1), 1.0), hits / is_positive.sum()


# ------------------------------------------------------------------------------------------------ temperature, a peer


def _check_log_proba(log_proba):
    log_p = np.asarray(log_proba, dtype=float)
    holds = log_p.ndim == 2 and len(log_p) > 0 and log_p.shape[1] >= 2
    require(holds, "log_proba", log_p.shape, "of shape (n, C), n >= 1 and C >= 2")
    for entry in log_p[np.isnan(log_p) | np.isposinf(log_p)][:1]:
        require(False, "log_proba", float(entry), "logarithms: finite or -inf")
    for row in np.flatnonzero(np.isneginf(log_p).all(axis=1))[:1]:
        require(False, f"log_proba[{row}]", log_p[row], "above -inf for at least one class")
    return log_p


def temperature_scale(log_proba, temperature):
    """Posteriors (n, C) proportional to exp(log_proba / T): T > 1 takes confidence away, and no decision changes.

    log_proba: joint or posterior log probabilities (n, C) in nats; temperature: T > 0. With T = (n + 1) / k it is
    Carlos (2015), eq. (20), for items of n features each.
    """
    log_p = _check_log_proba(log_proba)
    require(np.ndim(temperature) == 0 and 0 < temperature < np.inf, "temperature", temperature, "a finite number > 0")
    gap = log_p - log_p.max(axis=1, keepdims=True)
    with np.errstate(over="ignore"):
        return softmax(gap / temperature, axis=1)


def mean_log_loss(log_posterior, code):
    """Mean of -log P(true class), nats: log_posterior (n, C), class indices (n,).

    Items whose true class has probability 0 lose infinitely whatever the scale, and are left out.
    """
    own = log_posterior[np.arange(len(code)), code]
    possible = own > -np.inf
    return float(-own[possible].mean()) if possible.any() else 0.0


def fit_temperature(y, log_proba, classes=None):
    """The T from 0.001 to 1000 at which `temperature_scale` has the least log loss; convex in 1 / T.

    Guo et al. (2017), "On Calibration of Modern Neural Networks", section 4.2. y: labels (n,); log_proba: (n, C) in
    nats; classes: see above. Use held-out items: on the training items T comes out too small. Items whose true class
    has probability 0 are left out, see `mean_log_loss`. Where every item is decided rightly T has no minimum and goes
    to its lower end.
    """
    log_p = _check_log_proba(log_proba)
    code, _ = _check_labels(y, classes, *log_p.shape)
    possible = log_p[np.arange(len(code)), code] > -np.inf
    require(possible.any(), "log_proba", "-inf for the true class of every item", "finite for at least one of them")
    low, high = np.log(TEMPERATURES)

    def loss(log_t):
        return mean_log_loss(log_softmax(log_p * np.exp(-log_t), axis=1), code)

    best = minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-8})
    return float(np.exp(best.x))

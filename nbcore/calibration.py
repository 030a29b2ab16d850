"""Measures of calibration: reliability, spread, confidence, decisions by threshold. Carlos (2015), section 5.

Shapes: n items, C classes. `proba` is always (n, C), its columns in the order of `classes`, which are the sorted labels
of y if none are given; where y lacks a label, pass them. Bins are closed on the left, the last one on both sides.
"""

import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import column_or_1d

from nbcore._base import Floats, blocks, check_weights, encode_labels
from nbcore.checks import (
    check_distributions,
    check_logarithms,
    one_of,
    refuse,
    require,
    require_count,
    require_every,
    require_number,
)

__all__ = [
    "ConfidenceTable", "ReliabilityBins", "confidence_table", "fit_temperature", "log_loss", "posterior_spread",
    "precision_recall_by_threshold", "reliability_bins", "simulate_shares", "temperature_scale",
]  # fmt: skip

TEMPERATURES = 1e-3, 1e3  # bounds of the search in fit_temperature


def _check_proba(proba: ArrayLike) -> Floats:
    """Return posteriors (n, C) as floats, values above 1 by rounding set to 1; ValueError for anything else."""
    p = np.asarray(proba)
    require(p.ndim == 2 and len(p) > 0 and p.shape[1] >= 2, "proba", p.shape, "of shape (n, C), n >= 1 and C >= 2")
    return check_distributions("proba", p).clip(max=1)


def _as_pairs(proba: ArrayLike) -> tuple[Floats, int]:
    """Return posteriors (n, C) and the first column that is judged: the second one if only its own are given, (n,)."""
    p = np.asarray(proba)
    return _check_proba(np.column_stack([1 - p, p]) if p.ndim == 1 else p), int(p.ndim == 1)


def _check_labels(y: ArrayLike, classes: ArrayLike | None, shape: tuple[int, ...]) -> tuple[NDArray[np.intp], NDArray]:
    """Return the class index of every item, (n,), and the labels of the columns in their order, (C,)."""
    own, (n, C) = column_or_1d(y), shape
    require(len(own) == n, "y", own.shape, f"of shape ({n},), one label for each row")
    labels = np.unique(own) if classes is None else column_or_1d(np.asarray(classes))
    hint = "" if classes is not None else " (y may lack one: pass classes)"
    distinct = len(np.unique(labels)) == len(labels) == C
    require(distinct, "classes", labels, f"{C} labels, one for each column{hint}")
    order = np.argsort(labels, kind="stable")
    return order[encode_labels(own, labels[order])], labels


def _check_weight(sample_weight: ArrayLike | None, n: int) -> Floats | None:
    """Return weights (n,) as floats, None for None; ValueError as by `check_weights`."""
    return None if sample_weight is None else check_weights(sample_weight, n)


def _equal_edges(bins: int) -> Floats:
    """Return the edges i / bins of equal bins on [0, 1], (bins + 1,), so that .3 is exactly an edge of ten bins."""
    require_count("bins", bins)
    return np.arange(bins + 1) / bins


def _bin_index(p: Floats, edges: Floats) -> NDArray[np.intp]:
    """Return the index of the bin in which each p lies; -1 or len(edges) - 1 for those outside."""
    return np.searchsorted(edges, p, side="right") - 1 - (p == edges[-1])


def _bin_statistics(
    posterior: Floats, is_true: NDArray[np.bool_], edges: Floats, weight: Floats | None
) -> tuple[Floats, Floats, NDArray]:
    """Return for each bin mean posterior, share of true ones (NaN if it is empty), and count or weight."""
    index, bins = _bin_index(posterior, edges), len(edges) - 1
    count = np.bincount(index, weight, bins)

    def mean(values: NDArray) -> Floats:
        total = np.bincount(index, values if weight is None else values * weight, bins)
        return np.where(count > 0, total / np.where(count > 0, count, 1), np.nan)

    return mean(posterior), mean(is_true), count


@dataclass(frozen=True)
class ReliabilityBins:
    """A reliability diagram (Carlos (2015), figures 1, 4 and 5): mean posterior and share of true classes in each bin.

    edges (B + 1,); mean_posterior and observed (B,), the mean posterior in a bin and the share of its (item, class)
    pairs whose class is the true one, both NaN in an empty bin (there is no such share); count (B,) of pairs; top, the
    same of one pair an item: the class decided for, which is the first of the most probable.
    """

    edges: Floats
    mean_posterior: Floats
    observed: Floats
    count: NDArray
    top: "ReliabilityBins | None" = field(default=None, repr=False)

    def rmse(self, weighted: bool = False, ideal: str = "midpoint") -> float:
        """Return the root mean square distance of the observed shares from the ideal curve: Carlos (2015), section 5.2.

        Over the bins that are not empty, each alike, or `weighted` by its pairs. ideal: "midpoint" of a bin, as in
        the paper, or the "mean" posterior in it. The uniform posterior has none: all n x C posteriors are 1 / C, and
        of C pairs one comes true.
        """
        one_of("ideal", ideal, ("midpoint", "mean"))
        full = self.count > 0
        target = (self.edges[:-1] + self.edges[1:]) / 2 if ideal == "midpoint" else self.mean_posterior
        error = (self.observed - target)[full]
        return float(np.sqrt(np.average(error**2, weights=self.count[full] if weighted else None)))

    def ece(self, kind: str = "pooled") -> float:
        """Return the expected calibration error, sum over bins of (count / all) * |observed share - mean posterior|.

        kind: "pooled" over all n x C (item, class) pairs, or "top" over the n labels decided for, which is what most
        papers call ECE: Guo et al. (2017), eq. (3), who take 15 bins. With many classes the pooled one is about C / 2
        times smaller, and 0 for the uniform posterior.
        """
        one_of("kind", kind, ("pooled", "top"))
        bins = self.top if kind == "top" else self
        if bins is None:
            refuse("kind", kind, '"pooled" for bins that `reliability_bins` did not make')
        full = bins.count > 0
        return float(np.average(abs(bins.observed - bins.mean_posterior)[full], weights=bins.count[full]))


def reliability_bins(
    y: ArrayLike, proba: ArrayLike, bins: int = 10, classes: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> ReliabilityBins:  # fmt: skip
    """Pool all n x C posteriors into equal bins on [0, 1] and count how many belong to the item's true class.

    Carlos (2015), section 5.2, figure 5. y: labels (n,); proba: posteriors (n, C), or the second class's alone, (n,);
    bins: int >= 1; classes: see above; sample_weight: None or (n,), what each item counts. Returns ReliabilityBins.

    Examples
    --------
    >>> from nbcore.calibration import reliability_bins
    >>> diagram = reliability_bins([0, 0, 1, 1], [[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.1, 0.9]], bins=5)
    >>> diagram.observed.round(2).tolist(), diagram.count.tolist()
    ([0.0, 0.5, nan, 0.0, 1.0], [2, 2, 0, 1, 3])
    >>> round(diagram.ece(), 3), round(diagram.ece(kind="top"), 3)
    (0.225, 0.275)
    """
    (p, first), edges = _as_pairs(proba), _equal_edges(bins)
    code, labels = _check_labels(y, classes, p.shape)
    weight = _check_weight(sample_weight, len(p))
    posterior, is_true = p[:, first:].ravel(), (code[:, None] == np.arange(first, len(labels))).ravel()
    pairs = None if weight is None else np.repeat(weight, len(posterior) // len(p))
    top = ReliabilityBins(edges, *_bin_statistics(p.max(axis=1), p.argmax(axis=1) == code, edges, weight))
    return ReliabilityBins(edges, *_bin_statistics(posterior, is_true, edges, pairs), top)


def simulate_shares(proba: ArrayLike, bins: int = 10, n_draws: int = 1000, rng: Any = 0) -> Floats:
    """Draw every label from its own posterior and return the share that comes true in each bin, (n_draws, bins).

    Luck alone moves the shares of a calibrated model: Broecker and Smith (2007), consistency bars, who draw the items
    anew as well. proba: see `reliability_bins`; rng: a Generator or a seed. NaN in an empty bin.
    """
    p, first = _as_pairs(proba)
    place = _bin_index(p, _equal_edges(bins))
    place[:, :first] = bins  # which is not returned
    above = p[:, :0:-1].cumsum(axis=1)[:, ::-1].astype(np.float32)  # P(class > c), (n, C - 1)
    generator, true = np.random.default_rng(rng), np.zeros((n_draws, bins + 1))
    for rows in blocks(len(p), 512):
        throws = generator.random((len(p[rows]), n_draws), dtype=np.float32)
        label = np.sum([throws < limit[:, None] for limit in above[rows].T], axis=0, dtype=np.int16)
        for c, own in enumerate(place[rows].T):  # counts below 2^24 are exact in these floats
            true += (label == c).astype(np.float32).T @ np.eye(bins + 1, dtype=np.float32)[own]
    count = np.bincount(place.ravel(), minlength=bins + 1)
    return (true / np.where(count > 0, count, np.nan))[:, :bins]


def posterior_spread(proba: ArrayLike, bins: int = 10, sample_weight: ArrayLike | None = None) -> float:
    """Return the standard deviation of the bin heights of all n x C posteriors, scaled to sum 1; 0 is flat.

    Carlos (2015), section 5.1, figure 2 ("normalized histogram"). proba: (n, C); bins: int >= 1; sample_weight: None
    or (n,), what each item counts.
    """
    p, edges = _check_proba(proba), _equal_edges(bins)
    weight = _check_weight(sample_weight, len(p))
    count = np.bincount(_bin_index(p.ravel(), edges), None if weight is None else np.repeat(weight, p.shape[1]), bins)
    return float((count / count.sum()).std())


@dataclass(frozen=True)
class ConfidenceTable:
    """Accuracy by confidence: Carlos (2015), table 1. edges (B + 1,), count (B,), accuracy (B,), NaN where empty."""

    edges: Floats
    count: NDArray
    accuracy: Floats


def confidence_table(
    y: ArrayLike, proba: ArrayLike, edges: ArrayLike, classes: ArrayLike | None = None
) -> ConfidenceTable:
    """Count the items decided with a confidence (largest posterior) in each interval, and the share decided rightly.

    Carlos (2015), table 1. y: labels (n,); proba: (n, C); edges: increasing, from 0 to 1, such as .5, .6, ..., 1; items
    outside them do not count; classes: see above. Of equal posteriors the first class is decided for.

    Examples
    --------
    >>> from nbcore.calibration import confidence_table
    >>> table = confidence_table([0, 0, 1], [[0.6, 0.4], [0.3, 0.7], [0.1, 0.9]], edges=[0.5, 0.75, 1])
    >>> table.count.tolist(), table.accuracy.tolist()
    ([2, 1], [0.5, 1.0])
    """
    p, e = _check_proba(proba), np.asarray(edges, dtype=float)
    holds = e.ndim == 1 and len(e) >= 2 and (np.diff(e) > 0).all() and e[0] >= 0 and e[-1] <= 1
    require(holds, "edges", edges, "two or more increasing numbers from 0 to 1")
    code, _ = _check_labels(y, classes, p.shape)
    confidence = p.max(axis=1)
    inside = (confidence >= e[0]) & (confidence <= e[-1])
    right = (p.argmax(axis=1) == code)[inside]
    _, accuracy, count = _bin_statistics(confidence[inside], right, e, None)
    return ConfidenceTable(e, count, accuracy)


def precision_recall_by_threshold(
    y: ArrayLike, proba: ArrayLike, positive: Any, thresholds: ArrayLike, classes: ArrayLike | None = None
) -> tuple[Floats, Floats]:
    """Return precision and recall, (T,) each, if an item is called `positive` from a posterior >= threshold on.

    Carlos (2015), section 5.3, figure 6. y: labels (n,), at least one of them positive; proba: (n, C); thresholds:
    (T,) from 0 to 1; classes: see above. Where no item is selected, none is selected wrongly: precision 1, as in
    sklearn.metrics.precision_recall_curve.
    """
    p = _check_proba(proba)
    code, labels = _check_labels(y, classes, p.shape)
    column = np.flatnonzero(labels == positive)
    require(len(column) == 1, "positive", positive, f"one of the classes {labels}")
    is_positive = code == column[0]
    require(is_positive.any(), "y", labels[np.unique(code)], f"labels of which at least one is {positive!r}")
    t = np.atleast_1d(np.asarray(thresholds, dtype=float))
    require(t.ndim == 1 and len(t) > 0, "thresholds", thresholds, "one or more numbers from 0 to 1")
    require_every((t >= 0) & (t <= 1), "thresholds", t, "numbers from 0 to 1")
    selected = p[:, column] >= t
    hits, picks = selected[is_positive].sum(axis=0), selected.sum(axis=0)
    return np.where(picks > 0, hits / np.maximum(picks, 1), 1.0), hits / is_positive.sum()


def _check_log_proba(log_proba: ArrayLike) -> Floats:
    """Return log posteriors (n, C) as floats; ValueError unless each is finite or -inf and no row is all -inf."""
    log_p = np.asarray(log_proba, dtype=float)
    holds = log_p.ndim == 2 and len(log_p) > 0 and log_p.shape[1] >= 2
    require(holds, "log_proba", log_p.shape, "of shape (n, C), n >= 1 and C >= 2")
    check_logarithms("log_proba", log_p)
    for row in np.flatnonzero(np.isneginf(log_p).all(axis=1))[:1]:
        refuse(f"log_proba[{row}]", log_p[row], "above -inf for at least one class")
    return log_p


def temperature_scale(log_proba: ArrayLike, temperature: float) -> Floats:
    """Posteriors (n, C) proportional to exp(log_proba / T): T > 1 takes confidence away, and no decision changes.

    log_proba: joint or posterior log probabilities (n, C) in nats; temperature: T > 0. With T = (n + 1) / k it is
    Carlos (2015), eq. (20), for items of n features each.
    """
    log_p = _check_log_proba(log_proba)
    require_number("temperature", temperature, above=0)
    gap = log_p - log_p.max(axis=1, keepdims=True)
    with np.errstate(over="ignore"):
        return softmax(gap / temperature, axis=1)


def log_loss(
    y: ArrayLike, log_proba: ArrayLike, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
) -> float:
    """Mean of -log P(true class), nats: infinite if one true class was called impossible. Nothing is clipped.

    y: labels (n,); log_proba: log posteriors (n, C); classes: see above; sample_weight: None or (n,), what each item
    counts. Who wants a finite number drops or clips such items in sight: a mean without them flatters the model that
    calls more of them impossible.
    """
    log_p = _check_log_proba(log_proba)
    code, _ = _check_labels(y, classes, log_p.shape)
    return _mean_loss(log_p, code, _check_weight(sample_weight, len(code)))


def _mean_loss(log_p: Floats, code: NDArray[np.intp], weight: Floats | None) -> float:
    """Return the (weighted) mean of -log P(true class), in nats."""
    own = log_p[np.arange(len(code)), code]
    if weight is not None:
        own, weight = own[weight > 0], weight[weight > 0]  # 0 times infinity is 0 here
    return -float(np.average(own, weights=weight))


def fit_temperature(
    y: ArrayLike, log_proba: ArrayLike, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
) -> float:
    """Find the T from 0.001 to 1000 at which `temperature_scale` has the least log loss; the loss is convex in 1 / T.

    Guo et al. (2017), "On Calibration of Modern Neural Networks", section 4.2. y: labels (n,); log_proba: (n, C) in
    nats; classes: see above; sample_weight: None or (n,). Use held-out items: on the training items T comes out too
    small. An item whose true class has probability 0 has infinite `log_loss` at every T, so it does not move the
    optimum: it is left out of the search here, and has to be left out by you to see a finite loss afterwards.

    Warns (ConvergenceWarning) if T ends at 0.001, as it does where every item is decided rightly and certainty costs
    nothing, or at 1000, where the posteriors are all but uniform.
    """
    T = best_temperature(y, log_proba, classes, sample_weight)
    if T in TEMPERATURES:
        why = "a few items contradict log_proba so strongly that next to no confidence is best; clip the log odds."
        if T == TEMPERATURES[0]:
            why = "every item is decided rightly, so that more certainty is always better; take more held-out items."
        advice = f"The temperature ended at {T:.4g}, an end of {TEMPERATURES[0]:g} to {TEMPERATURES[1]:g}: {why}"
        warnings.warn(advice, ConvergenceWarning, stacklevel=2)
    return T


def best_temperature(
    y: ArrayLike, log_proba: ArrayLike, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
) -> float:
    """Return the T of `fit_temperature`, for the same arguments, without its warning."""
    log_p = _check_log_proba(log_proba)
    code, _ = _check_labels(y, classes, log_p.shape)
    weight = _check_weight(sample_weight, len(code))
    possible = log_p[np.arange(len(code)), code] > -np.inf
    if weight is not None:
        possible &= weight > 0
        weight = weight[possible]
    require(possible.any(), "log_proba", "-inf for the true class of every item", "finite for at least one of them")
    log_p, code = log_p[possible], code[possible]

    def loss(log_t: float) -> float:
        return _mean_loss(log_softmax(log_p * np.exp(-log_t), axis=1), code, weight)

    low, high = np.log(TEMPERATURES)
    best = minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-8}).x
    best = min((low, best, high), key=loss)  # of equal losses the lower end: where all is right there is no minimum
    return float(np.exp(best)) if low < best < high else TEMPERATURES[int(best == high)]

"""Models whose joint log likelihood is intercept + weights . x, and how to get it fast."""

from functools import cached_property

import numpy as np
from scipy import sparse

from nbcore._base import sum_by_class
from nbcore._smoothing import DiscreteNB, smoothed_log_prob


def linear_score(X, weights, intercept):
    """intercept + X @ weights.T, (n, C), for X (n, F), dense or sparse, and what `as_linear` returns.

    Exact with infinite weights, where a plain product says 0 * inf = NaN: a weight of -inf forbids its feature,
    +inf demands it, and a row that breaks such a rule scores -inf (W, "Multinomial" and "Bernoulli naive Bayes").
    """
    finite = weights.min() > -np.inf and weights.max() < np.inf
    score = product(X, weights if finite else np.where(np.isinf(weights), 0.0, weights))
    score += intercept
    if not finite:
        demanded = np.isposinf(weights).astype(float)
        broken = demanded.sum(axis=1) + X @ (np.isneginf(weights) - demanded).T
        score[broken > 0] = -np.inf
    return score


def product(X, weights):
    """X @ weights.T; a sparse X is quicker class by class while there are few classes."""
    if sparse.issparse(X) and len(weights) <= 3:
        return np.stack([X @ w for w in weights], axis=1)
    return X @ weights.T


class Lookup:
    """The distinct counts of a table (C, F): where few whole numbers fill it, few logarithms serve all its cells."""

    def __init__(self, count):
        self._count = count

    @cached_property
    def _cells(self):
        """The distinct counts (U,), and each cell's place in a table (C, U), as (F, C); None if they are many."""
        whole = self._count.astype(np.intp)
        if not (whole == self._count).all() or whole.max() >= whole.size:
            return None
        seen = np.bincount(whole.ravel()) > 0
        rank, row = np.cumsum(seen) - 1, np.count_nonzero(seen) * np.arange(len(whole))
        return np.flatnonzero(seen).astype(float), rank[np.ascontiguousarray(whole.T)] + row

    def log_prob(self, events, alpha, mass, n_values):
        """As `smoothed_log_prob` of events(count), for one alpha; a logarithm for each cell only if counts are many."""
        if self._cells is None:
            return smoothed_log_prob(events(self._count), alpha, mass, n_values)
        distinct, cells = self._cells
        table = np.broadcast_to(distinct, (len(self._count), len(distinct)))
        return smoothed_log_prob(events(table), alpha, mass, n_values).take(cells).T


class LinearNB(DiscreteNB):
    """Models with one table of counts (C, F): their joint is intercept + weights . x."""

    _lookup = None

    def _start_counts(self, n_classes, n_features):
        self.feature_count_ = np.zeros((n_classes, n_features))

    def _count(self, X, y, weight):
        self.feature_count_ += sum_by_class(X, y, weight, len(self.classes_))

    def _estimate(self):
        self._lookup = None
        super()._estimate()
        # Feature by feature in memory, as a sparse product reads it: else every product makes such a copy.
        self.feature_log_prob_ = np.asfortranarray(self.feature_log_prob_)

    def resmooth(self, alpha):
        """Smooth the stored counts with another alpha >= 0, in place; the data are not needed. Returns self."""
        super().resmooth(alpha)
        self._lookup = self._lookup or Lookup(self.feature_count_)  # pays from the second time on
        return self

    def _log_prob(self, events, alpha, mass, n_values):
        """log of (events(count) + alpha) / mass, (C, F)."""
        if self._lookup is not None and np.ndim(alpha) == 0:
            return self._lookup.log_prob(events, alpha, mass, n_values)
        return smoothed_log_prob(events(self.feature_count_), alpha, mass, n_values)

"""Scores that are linear in the events, and helpers for the dense or sparse matrices behind them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from nbcore._base import Floats, Rows


def linear_score(X: Rows, weights: Floats, intercept: float | Floats) -> Floats:
    """Return intercept + X @ weights.T, (n, C), for X (n, F), dense or sparse, and what `as_linear` returns.

    Exact with infinite weights, where a plain product gives 0 * inf = NaN: a weight of -inf forbids its feature,
    +inf demands it, and a row that breaks such a rule scores -inf (W, "Multinomial" and "Bernoulli naive Bayes").

    Examples
    --------
    >>> weights = np.log([[0.5, 0.25, 0.25]])
    >>> linear_score(np.array([[2, 0, 1]]), weights, np.log([0.4])).round(4).tolist()
    [[-3.6889]]
    """
    finite = weights.min() > -np.inf and weights.max() < np.inf
    table = weights if finite else np.where(np.isinf(weights), 0.0, weights)
    if sparse.issparse(X) and len(table) <= 3:  # for few classes a product for each is faster
        score = np.stack([X @ w for w in table], axis=1)
    else:
        score = X @ table.T
    score += intercept
    if not finite:
        demanded = np.isposinf(weights).astype(float)
        broken = demanded.sum(axis=1) + X @ (np.isneginf(weights) - demanded).T
        score[broken > 0] = -np.inf
    return score


def to_dense(X: Rows) -> NDArray[Any]:
    """Return X as an ordinary array."""
    return X.toarray() if sparse.issparse(X) else X


def binarize_values(X: Rows, threshold: float) -> Rows:
    """Return 1.0 where a value of X exceeds the threshold >= 0, else 0.0; what is missing stays NaN."""
    if not sparse.issparse(X):
        there = (X > threshold).astype(float)
        if X.dtype.kind == "f" and np.isnan(X.max(initial=0)):
            there[np.isnan(X)] = np.nan
        return there
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return sparse.csr_array(((X.data > threshold).astype(float), X.indices, X.indptr), shape=X.shape)

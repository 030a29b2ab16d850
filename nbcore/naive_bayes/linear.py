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
    score = multiply(X, weights if finite else np.where(np.isinf(weights), 0.0, weights))
    score += intercept
    if not finite:
        demanded = np.isposinf(weights).astype(float)
        broken = demanded.sum(axis=1) + X @ (np.isneginf(weights) - demanded).T
        score[broken > 0] = -np.inf
    return score


def multiply(X: Rows, weights: Floats) -> Floats:
    """Return X @ weights.T, class by class for a sparse X and few classes, which is faster."""
    if sparse.issparse(X) and len(weights) <= 3:
        return np.stack([X @ w for w in weights], axis=1)
    return X @ weights.T


def feature_major(table: Floats) -> Floats:
    """Return the table (C, F) in column-major order, as a sparse product reads it; else every product copies it."""
    return np.asfortranarray(table)


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

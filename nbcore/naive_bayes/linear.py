"""Scores that are linear in the events, and the matrices, dense or sparse, that they are made of."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from nbcore._base import Floats, Rows

__all__ = ["above", "by_feature", "dense", "linear_score"]


def linear_score(X: Rows, weights: Floats, intercept: float | Floats) -> Floats:
    """intercept + X @ weights.T, (n, C), for X (n, F), dense or sparse, and what `as_linear` returns.

    Exact with infinite weights, where a plain product says 0 * inf = NaN: a weight of -inf forbids its feature,
    +inf demands it, and a row that breaks such a rule scores -inf (W, "Multinomial" and "Bernoulli naive Bayes").

    Examples
    --------
    >>> weights = np.log([[0.5, 0.25, 0.25]])
    >>> linear_score(np.array([[2, 0, 1]]), weights, np.log([0.4])).round(4).tolist()
    [[-3.6889]]
    """
    finite = weights.min() > -np.inf and weights.max() < np.inf
    score = product(X, weights if finite else np.where(np.isinf(weights), 0.0, weights))
    score += intercept
    if not finite:
        demanded = np.isposinf(weights).astype(float)
        broken = demanded.sum(axis=1) + X @ (np.isneginf(weights) - demanded).T
        score[broken > 0] = -np.inf
    return score


def product(X: Rows, weights: Floats) -> Floats:
    """X @ weights.T; a sparse X of many columns is quicker class by class while there are few classes."""
    if sparse.issparse(X) and len(weights) <= 3:
        return np.stack([X @ w for w in weights], axis=1)
    return X @ weights.T


def by_feature(table: Floats) -> Floats:
    """The table (C, F), feature by feature in memory as a sparse product reads it: else every product copies it."""
    return np.asfortranarray(table)


def dense(X: Rows) -> NDArray[Any]:
    """X as an ordinary array."""
    return X.toarray() if sparse.issparse(X) else X


def above(X: Rows, threshold: float) -> Rows:
    """1.0 where a value of X exceeds the threshold >= 0, else 0.0; what is missing stays NaN."""
    if not sparse.issparse(X):
        there = (X > threshold).astype(float)
        if X.dtype.kind == "f" and np.isnan(X.max(initial=0)):
            there[np.isnan(X)] = np.nan
        return there
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return sparse.csr_array(((X.data > threshold).astype(float), X.indices, X.indptr), shape=X.shape)

"""Measurements: every feature of a class follows a normal distribution, learned from moments that merge."""

from numbers import Real
from typing import ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from nbcore._base import CountingNB, check_prior, sum_by_class


class GaussianNB(CountingNB):
    """Every feature of a class follows a normal distribution of its own: W, "Gaussian naive Bayes".

    priors: P(c), (C,), or None for each class's share of the rows. var_smoothing: this share of the largest variance
    of any column is added to every variance. ddof: variances divide by N_c - ddof (0: maximum likelihood, 1: unbiased).
    Learned: `theta_`, `var_` (C, F) in the units of X and their square, `epsilon_` (what was added), `class_prior_`.
    ValueError: see `fit`; also where a variance is 0, in `partial_fit` only once it is needed, in `predict`.
    """

    _parameter_constraints: ClassVar[dict] = {
        "priors": ["array-like", None],
        "var_smoothing": [Interval(Real, 0, None, closed="left")],
        "ddof": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(self, *, priors=None, var_smoothing=1e-9, ddof=0):
        self.priors = priors
        self.var_smoothing = var_smoothing
        self.ddof = ddof

    def fit(self, X, y, sample_weight=None):
        """As `CountingNB.fit`, for real X (n, F); ValueError also for a variance of 0."""
        super().fit(X, y, sample_weight)
        self._check_variances()
        return self

    def _check_settings(self, n_classes, n_features):
        check_prior(self.priors, "priors", n_classes)

    def _start_counts(self, n_classes, n_features):
        nothing = np.zeros((0, n_features)), np.zeros(0, dtype=int), np.zeros(0)
        self._class_moments, self._row_moments = moments(*nothing, n_classes), moments(*nothing, 1)

    def _count(self, X, y, weight):
        for rows in blocks(len(X)):
            by_class = moments(X[rows], y[rows], weight[rows], len(self.classes_))
            all_rows = moments(X[rows], np.zeros_like(y[rows]), np.ones_like(weight[rows]), 1)
            self._class_moments = merge_moments(self._class_moments, by_class)
            self._row_moments = merge_moments(self._row_moments, all_rows)

    def _estimate(self):
        (n_rows, _, row_spread), (weight, self.theta_, spread) = self._row_moments, self._class_moments
        self.epsilon_ = self.var_smoothing * (row_spread / n_rows).max()
        known = weight > self.ddof
        self.var_ = np.where(known, spread / np.where(known, weight - self.ddof, 1.0) + self.epsilon_, 0.0)
        self.var_[self.class_count_ == 0] = np.inf  # a class never seen is infinitely wide: its density is 0 everywhere
        self.class_log_prior_ = self._log_prior(self.priors)
        self.class_prior_ = np.exp(self.class_log_prior_)

    def _check_variances(self):
        for c, f in np.argwhere(self.var_ <= 0):
            raise ValueError(
                f"class {self.classes_[c]} has variance 0 in column {f} of X, in rows of total weight "
                f"{self.class_count_[c]:g}; allowed is > 0. Raise var_smoothing (now {self.var_smoothing:g}), or give "
                f"the class rows that differ and weigh more than ddof (now {self.ddof:g})."
            )

    def _joint_log_likelihood(self, X):
        self._check_variances()
        log_at_mean = -0.5 * np.log(2 * np.pi * self.var_).sum(axis=1)
        inverse_sigma = 1 / np.sqrt(self.var_)
        distance = np.empty((len(X), len(self.classes_)))
        for rows in blocks(len(X)):
            for c, theta in enumerate(self.theta_):
                z = (X[rows] - theta) * inverse_sigma[c]
                distance[rows, c] = np.einsum("nf,nf->n", z, z)
        return self.class_log_prior_ + log_at_mean - 0.5 * distance

    def _log_factors(self, X):
        self._check_variances()
        z = (X[:, None] - self.theta_) / np.sqrt(self.var_)
        return -0.5 * (z * z + np.log(2 * np.pi * self.var_))


def blocks(n, size=4096):
    """Slices of at most `size` rows: work that stays in the processor's cache is several times faster."""
    return (slice(start, start + size) for start in range(0, n, size))


def moments(X, y, weight, n_classes):
    """By class: total weight (C, 1), mean (C, F), weighted sum of squared deviations from that mean (C, F)."""
    total = np.bincount(y, weight, n_classes)[:, None]
    mean = sum_by_class(X, y, weight, n_classes) / np.where(total > 0, total, 1.0)
    return total, mean, sum_by_class(np.square(X - mean[y]), y, weight, n_classes)


def merge_moments(a, b):
    """Moments of two batches together: Chan, Golub and LeVeque (1979), "Updating formulae ... sample variances"."""
    (n_a, mean_a, spread_a), (n_b, mean_b, spread_b) = a, b
    n, step = n_a + n_b, mean_b - mean_a
    share = n_b / np.where(n > 0, n, 1.0)
    return n, mean_a + share * step, spread_a + spread_b + share * n_a * step**2

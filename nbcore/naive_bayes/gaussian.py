"""Gaussian naive Bayes: every feature of a class has a normal distribution."""

from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nbcore._base import CountingNB, Floats, Rows, blocks, check_prior, log_prior, move_rows, sum_by_class
from nbcore.checks import refuse, require_number
from nbcore.naive_bayes.linear import linear_score

Moments: TypeAlias = tuple[Floats, Floats, Floats]  # by class: weight (C, 1) or (C, F), mean (C, F), spread (C, F)


class GaussianNB(CountingNB):
    """Naive Bayes for measurements, with a normal distribution for every feature and class: W, "Gaussian naive Bayes".

    priors: P(c), (C,), or None for each class's share of the rows. var_smoothing: this share of the largest variance
    of any column is added to every variance. ddof: variances divide by N_c - ddof (0: maximum likelihood, 1: unbiased).
    NaN is a missing measurement: it is not counted, and adds nothing to any class. A class that never shows a column
    learns it from all rows that do; a column that no row shows is standard normal in every class.
    Learned: `theta_`, `var_` (C, F) in the units of X and their square, `epsilon_` (what was added), `class_prior_`.
    ValueError: see `fit`; also where a variance is 0, in `partial_fit` only once it is needed, in `predict`.

    Examples
    --------
    >>> heights = [[1.83], [1.80], [1.70], [1.52], [1.68], [1.65]]
    >>> model = GaussianNB(ddof=1).fit(heights, ["male", "male", "male", "female", "female", "female"])
    >>> model.theta_.round(3).tolist()  # the mean height of each class, in m
    [[1.617], [1.777]]
    >>> model.predict_proba([[1.75]]).round(2).tolist()
    [[0.2, 0.8]]
    >>> model.predict_proba([[np.nan]]).tolist()  # nothing is known but the prior
    [[0.5, 0.5]]
    """

    _validation_options: ClassVar[dict[str, Any]] = {"ensure_all_finite": "allow-nan"}

    def __init__(self, *, priors: ArrayLike | None = None, var_smoothing: float = 1e-9, ddof: float = 0) -> None:
        self.priors = priors
        self.var_smoothing = var_smoothing
        self.ddof = ddof

    def _check_settings(self, n_classes: int, n_features: int) -> None:
        check_prior(self.priors, "priors", n_classes)
        require_number("var_smoothing", self.var_smoothing, 0)
        require_number("ddof", self.ddof, 0)

    def _start_counts(self, n_classes: int, n_features: int) -> None:
        nothing = np.zeros((0, n_features)), np.zeros(0, dtype=int), np.zeros(0)
        self._class_moments, self._row_moments = moments(*nothing, n_classes), moments(*nothing, 1)

    def _count(self, X: Rows, y: NDArray[np.intp], weight: Floats) -> None:
        for rows in blocks(len(X)):
            by_class = moments(X[rows], y[rows], weight[rows], len(self.classes_))
            all_rows = moments(X[rows], np.zeros_like(y[rows]), np.ones_like(weight[rows]), 1)
            self._class_moments = merge_moments(self._class_moments, by_class)
            self._row_moments = merge_moments(self._row_moments, all_rows)

    def _add_counts(self, other: Self, place: NDArray[np.intp]) -> None:
        weight, mean, spread = (move_rows(table, place, len(self.classes_)) for table in other._class_moments)
        self._class_moments = merge_moments(self._class_moments, (weight, mean, spread))
        self._row_moments = merge_moments(self._row_moments, other._row_moments)

    def _estimate(self) -> None:
        (n_rows, _, row_spread), (weight, self.theta_, spread) = self._row_moments, self._class_moments
        for f in np.flatnonzero(~np.isfinite(row_spread + spread).all(axis=0))[:1]:
            allowed = "numbers whose squares have a finite sum: divide them"
            refuse(f"column {self._column_name(f)} of X", np.inf, allowed)
        self.epsilon_ = self.var_smoothing * (row_spread / np.where(n_rows > 0, n_rows, 1.0)).max()
        unseen = (weight == 0) & (self.class_count_ > 0)[:, None]
        if unseen.any():
            weight, self.theta_, spread = fill_unseen_moments(self._class_moments, unseen)
        known = weight > self.ddof
        self.var_ = np.where(known, spread / np.where(known, weight - self.ddof, 1.0) + self.epsilon_, 0.0)
        if unseen.any():
            self.var_[:, (weight == 0).all(axis=0)] = 1.0  # a column that no row shows
        self.var_[self.class_count_ == 0] = np.inf  # a class never seen is infinitely wide: its density is 0 everywhere
        self.class_log_prior_ = log_prior(self.class_count_, self.priors)
        self.class_prior_ = np.exp(self.class_log_prior_)

    def _check_learned(self) -> None:
        """Raise ValueError if a class has variance 0 in a column."""
        for c, f in np.argwhere(self.var_ <= 0):
            weight = np.broadcast_to(self._class_moments[0], self.var_.shape)[c, f]
            raise ValueError(
                f"class {self.classes_[c]} has variance 0 in column {self._column_name(f)} of X, in rows of total "
                f"weight {weight:g}; allowed is > 0. Raise var_smoothing (now {self.var_smoothing:g}), or give "
                f"the class rows that differ and weigh more than ddof (now {self.ddof:g})."
            )

    def _log_likelihood(self, X: Rows) -> Floats:
        self._check_learned()
        log_at_mean = -0.5 * np.log(2 * np.pi * self.var_)
        at_all_means, inverse_sigma = log_at_mean.sum(axis=1), 1 / np.sqrt(self.var_)
        likelihood = np.empty((len(X), len(self.classes_)))
        for rows in blocks(len(X)):
            x, there = X[rows], ~np.isnan(X[rows])
            gaps = not there.all()
            if gaps:
                x, there = np.where(there, x, 0.0), there.astype(float)
            likelihood[rows] = linear_score(there, log_at_mean, 0.0) if gaps else at_all_means
            for c, theta in enumerate(self.theta_):
                with np.errstate(over="ignore"):  # so far from the mean that the density is 0
                    z = (x - theta) * inverse_sigma[c]
                    if gaps:
                        z *= there
                    likelihood[rows, c] -= 0.5 * np.einsum("nf,nf->n", z, z)
        return likelihood

    def _log_factors(self, X: Rows) -> Floats:
        self._check_learned()
        with np.errstate(over="ignore"):  # as above
            z = (X[:, None] - self.theta_) / np.sqrt(self.var_)
            return np.where(np.isnan(X)[:, None], 0.0, -0.5 * (z * z + np.log(2 * np.pi * self.var_)))


def moments(X: Rows, y: NDArray[np.intp], weight: Floats, n_classes: int) -> Moments:
    """Return by class: total weight (C, 1), mean (C, F), weighted sum of squared deviations from that mean (C, F).

    NaN is not counted, so that the weights of the columns differ: (C, F).
    """
    total = np.asarray(np.bincount(y, weight, n_classes), dtype=float)[:, None]
    sums = sum_by_class(X, y, weight, n_classes)
    missing = np.isnan(X) if np.isnan(sums).any() else np.zeros(0, dtype=bool)
    if missing.any():
        total = sum_by_class((~missing).astype(float), y, weight, n_classes)
        sums = sum_by_class(np.where(missing, 0.0, X), y, weight, n_classes)
    mean = sums / np.where(total > 0, total, 1.0)
    deviation = X - mean[y]
    if missing.any():
        deviation[missing] = 0
    return total, mean, sum_by_class(np.square(deviation), y, weight, n_classes)


def merge_moments(a: Moments, b: Moments) -> Moments:
    """Combine the moments of two batches: Chan, Golub and LeVeque (1979), "Updating formulae ... sample variances"."""
    (n_a, mean_a, spread_a), (n_b, mean_b, spread_b) = a, b
    n, step = n_a + n_b, mean_b - mean_a
    share = n_b / np.where(n > 0, n, 1.0)
    return n, mean_a + share * step, spread_a + spread_b + share * n_a * step**2


def fill_unseen_moments(by_class: Moments, unseen: NDArray[np.bool_]) -> Moments:
    """Return the moments with those of all classes together where `unseen` (C, F): the class never shows the column."""
    weight, mean, spread = by_class
    together = np.zeros((1, 1)), np.zeros_like(mean[:1]), np.zeros_like(spread[:1])
    for c in range(len(mean)):
        together = merge_moments(together, (weight[[c]], mean[[c]], spread[[c]]))
    n, m, s = (np.where(unseen, of_all, own) for of_all, own in zip(together, by_class, strict=True))
    return n, m, s

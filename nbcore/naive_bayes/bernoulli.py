"""Bernoulli naive Bayes: every feature is present or absent."""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.utils import assert_all_finite
from sklearn.utils.validation import check_is_fitted

from nbcore._base import CountingNB, Floats, Rows, move_rows, sum_by_class
from nbcore.checks import require_number
from nbcore.naive_bayes.discrete import DiscreteNB, smoothed_log_prob
from nbcore.naive_bayes.linear import binarize_values, linear_score, to_dense


class BernoulliNB(DiscreteNB, CountingNB):
    """Naive Bayes for presence and absence, both of which count: W, "Bernoulli naive Bayes"; IIR, sec. 13.3.

    alpha, fit_prior, class_prior: see `DiscreteNB`. binarize: values above this threshold >= 0 are "there"; None: X
    holds 0 and 1 already. X: (n, F), dense or sparse. Learned: as MultinomialNB, `feature_log_prob_` = log P(x_f=1|c),
    which is for reading only: absence has a table of its own, so change the counts and `resmooth`. NaN in a dense X is
    missing, which is neither there nor absent: it is not counted, and adds nothing to any class.

    Examples
    --------
    >>> words = [[2, 0, 1], [1, 1, 0], [0, 3, 1]]  # how often does not matter, only whether
    >>> model = BernoulliNB().fit(words, ["china", "china", "other"])
    >>> np.exp(model.feature_log_prob_).round(3).tolist()
    [[0.75, 0.5, 0.5], [0.333, 0.667, 0.667]]
    >>> model.predict_proba([[1, 0, 0]]).round(3).tolist()
    [[0.91, 0.09]]
    """

    _validation_options: ClassVar[dict[str, Any]] = {"accept_sparse": "csr", "ensure_all_finite": "allow-nan"}

    def __init__(
        self, *, alpha: ArrayLike = 1.0, binarize: float | None = 0.0, fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
    ) -> None:  # fmt: skip
        self.alpha = alpha
        self.binarize = binarize
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _check_settings(self, n_classes: int, n_features: int) -> None:
        super()._check_settings(n_classes, n_features)
        if self.binarize is not None:
            require_number("binarize", self.binarize, 0)

    def _as_events(self, X: Rows) -> Rows:
        if sparse.issparse(X):
            assert_all_finite(X, input_name="X")
        if self.binarize is not None:
            return binarize_values(X, self.binarize)
        values = X.data if sparse.issparse(X) else X
        foreign = values[(values != 0) & (values != 1) & ~np.isnan(values)]
        if foreign.size:
            raise ValueError(f"X must hold only 0 and 1 with binarize=None; found {foreign[0]}. Set a threshold.")
        return X

    def _start_counts(self, n_classes: int, n_features: int) -> None:
        self.feature_count_ = np.zeros((n_classes, n_features))
        self._documents = np.zeros((n_classes, 1))

    def _count(self, X: Rows, y: NDArray[np.intp], weight: Floats) -> None:
        n_classes = len(self.classes_)
        documents = np.asarray(np.bincount(y, weight, n_classes), dtype=float)[:, None]
        count = sum_by_class(X, y, weight, n_classes)
        if np.isnan(count).any():
            documents = sum_by_class((~np.isnan(X)).astype(float), y, weight, n_classes)
            count = sum_by_class((X == 1).astype(float), y, weight, n_classes)
        self.feature_count_ = np.add(self.feature_count_, count, order="C")
        self._documents = self._documents + documents

    def _add_counts(self, other: Self, place: NDArray[np.intp]) -> None:
        n_classes = len(self.classes_)
        self.feature_count_ = self.feature_count_ + move_rows(other.feature_count_, place, n_classes)
        self._documents = self._documents + move_rows(other._documents, place, n_classes)

    def _smooth(self, alpha: Floats) -> None:
        """Set log (N_cf + alpha) / (N_c + 2 alpha), and log P(absent) from counts of absence, as 1 - p would round."""
        absent = np.maximum(self._documents - self.feature_count_, 0)  # by weights that round, less than 0 may be left
        mass = self._documents + 2 * alpha
        self.feature_log_prob_ = smoothed_log_prob(self.feature_count_, alpha, mass, 2)
        self.feature_log_prob_.flags.writeable = False
        self._absent_log_prob = absent = smoothed_log_prob(absent, alpha, mass, 2)
        # column-major order, as a sparse product reads it; else every product copies the table
        self._weights = np.asfortranarray(self.feature_log_prob_ - absent)
        self._all_absent = np.where(np.isinf(absent), 0.0, absent).sum(axis=1)

    def absent_log_prob(self) -> Floats:
        """Return log P(x_f=0|c), (C, F), from counts of absence: IIR, fig. 13.3."""
        return self._absent_log_prob

    def _log_likelihood(self, X: Rows) -> Floats:
        score = linear_score(X, self._weights, self._all_absent)
        gaps = np.isnan(score).any(axis=1)
        if gaps.any():
            there, absent = (X[gaps] == 1).astype(float), (X[gaps] == 0).astype(float)
            score[gaps] = linear_score(there, self.feature_log_prob_, 0.0)
            score[gaps] += linear_score(absent, self._absent_log_prob, 0.0)
        return score

    def as_linear(self) -> tuple[Floats, Floats]:
        """Return weights log p - log(1 - p) (C, F), intercept log P(c) + sum log(1 - p) (C,): W, "Bernoulli ...".

        With alpha = 0 a weight is -inf where p = 0 and +inf where p = 1 (whose log(1 - p) the intercept then leaves
        out); `linear_score(X, weights, intercept)` reads them as "forbidden" and "demanded", exactly. Both are copies.
        """
        check_is_fitted(self)
        return self._weights.copy(), self.class_log_prior_ + self._all_absent

    def _log_factors(self, X: Rows) -> Floats:
        X = to_dense(X)[:, None]
        return np.where(np.isnan(X), 0.0, np.where(X == 1, self.feature_log_prob_, self._absent_log_prob))

"""Multinomial naive Bayes: a row is a bag of tokens."""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.utils import Tags, assert_all_finite
from sklearn.utils.validation import check_is_fitted, check_non_negative

from nbcore._base import CountingNB, Floats, Rows, move_rows, sum_by_class
from nbcore.checks import require_every
from nbcore.naive_bayes.discrete import DiscreteNB, smoothed_log_prob
from nbcore.naive_bayes.linear import linear_score, to_dense


class MultinomialNB(DiscreteNB, CountingNB):
    """Naive Bayes for bags of tokens, x_f of kind f: W, "Multinomial naive Bayes"; IIR, sec. 13.2.

    alpha, fit_prior, class_prior: see `DiscreteNB`. X: counts >= 0 (n, F), fractions allowed, dense or sparse.
    Learned: `feature_count_`, `feature_log_prob_` = log P(f|c) (C, F), `class_count_`, `class_log_prior_` (C,).

    Examples
    --------
    >>> words = [[2, 0, 1], [1, 1, 0], [0, 3, 1]]  # three documents, three words
    >>> model = MultinomialNB().fit(words, ["china", "china", "other"])
    >>> np.exp(model.feature_log_prob_).round(3).tolist()
    [[0.5, 0.25, 0.25], [0.143, 0.571, 0.286]]
    >>> model.predict_proba([[1, 0, 0]]).round(3).tolist()
    [[0.875, 0.125]]
    >>> model.smoothed(0).predict_proba([[1, 0, 0]]).tolist()  # "other" never has the first word
    [[1.0, 0.0]]
    """

    # NaN and infinity are refused in `_as_events`, together with negative counts
    _validation_options: ClassVar[dict[str, Any]] = {"accept_sparse": "csr", "ensure_all_finite": False}
    feature_log_prob_: Floats

    def __init__(self, *, alpha: ArrayLike = 1.0, fit_prior: bool = True, class_prior: ArrayLike | None = None) -> None:
        self.alpha = alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _as_events(self, X: Rows) -> Rows:
        values = X.data if sparse.issparse(X) else X
        if values.size and not (values.min() >= 0 and values.max() < np.inf):  # finds NaN too, at half the price
            assert_all_finite(X, input_name="X")
            check_non_negative(X, "MultinomialNB (input X)")
        return X

    def _start_counts(self, n_classes: int, n_features: int) -> None:
        self.feature_count_ = np.zeros((n_classes, n_features))

    def _count(self, X: Rows, y: NDArray[np.intp], weight: Floats) -> None:
        self.feature_count_ = np.add(self.feature_count_, sum_by_class(X, y, weight, len(self.classes_)), order="C")

    def _add_counts(self, other: Self, place: NDArray[np.intp]) -> None:
        self.feature_count_ = self.feature_count_ + move_rows(other.feature_count_, place, len(self.classes_))

    def _estimate(self) -> None:
        self._tokens = self.feature_count_.sum(axis=1, keepdims=True)
        require_every(np.isfinite(self._tokens), "the sum of the counts in X", self._tokens, "a finite float")
        super()._estimate()
        self.feature_log_prob_ = np.asfortranarray(self.feature_log_prob_)  # the order in which sparse products read

    def _smooth(self, alpha: Floats) -> None:
        """Set (T_cf + alpha) / (T_c + F alpha): IIR, eq. (13.7)."""
        mass = self._tokens + np.broadcast_to(alpha, self.n_features_in_).sum()
        self.feature_log_prob_ = smoothed_log_prob(self.feature_count_, alpha, mass, self.n_features_in_)

    def _log_likelihood(self, X: Rows) -> Floats:
        return linear_score(X, self.feature_log_prob_, 0.0)

    def as_linear(self) -> tuple[Floats, Floats]:
        """Return weights (C, F) and intercept (C,) of the joint, as copies: W, "Multinomial naive Bayes".

        With alpha = 0 weights may be -inf; `linear_score(X, weights, intercept)` then keeps 0 * -inf = 0.
        """
        check_is_fitted(self)
        return self.feature_log_prob_.copy(), self.class_log_prior_.copy()

    def _log_factors(self, X: Rows) -> Floats:
        X = to_dense(X)[:, None]
        with np.errstate(invalid="ignore"):  # a token that does not occur costs nothing: 0 * -inf = 0
            return np.where(X == 0, 0.0, X * self.feature_log_prob_)

    def _n_factors(self, X: Rows) -> Floats:
        """Count the tokens of each row, (n,): each has a factor."""
        return np.asarray(X.sum(axis=1), dtype=float).ravel()

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags

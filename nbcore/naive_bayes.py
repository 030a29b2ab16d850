"""Four naive Bayes classifiers: given the class the features are independent, so their log probabilities add up.

What differs is the event: a measurement (Gaussian), a token (Multinomial), a word's presence (Bernoulli), a category
(Categorical). Each model counts once; smoothing reads the counts, so that `resmooth` needs no data.

Sources: "IIR" is Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, ch. 13; "W" is
Wikipedia, "Naive Bayes classifier". Shapes: n rows, C classes, F features, K categories. All logs are natural.
"""

import warnings
from numbers import Real
from typing import ClassVar

import numpy as np
from scipy import sparse
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import assert_all_finite, check_is_fitted, check_non_negative

from nbcore._gaussian import GaussianNB
from nbcore._linear import LinearNB, linear_score
from nbcore._smoothing import DiscreteNB, smoothed_log_prob

INFINITE = np.array(np.inf).view(np.uint64)

__all__ = ["BernoulliNB", "CategoricalNB", "GaussianNB", "MultinomialNB", "linear_score"]


def dense(X):
    """X as an ordinary array."""
    return X.toarray() if sparse.issparse(X) else X


def above(X, threshold):
    """1.0 where a value of X exceeds the threshold >= 0, else 0.0."""
    if not sparse.issparse(X):
        return (X > threshold).astype(float)
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return sparse.csr_array(((X.data > threshold).astype(float), X.indices, X.indptr), shape=X.shape)


class MultinomialNB(LinearNB):
    """A row is a bag of tokens, x_f of kind f, drawn one by one: W, "Multinomial naive Bayes"; IIR, sec. 13.2.

    alpha, fit_prior, class_prior: see `DiscreteNB`. X: counts >= 0 (n, F), fractions allowed, dense or sparse.
    Learned: `feature_count_`, `feature_log_prob_` = log P(f|c) (C, F), `class_count_`, `class_log_prior_` (C,).
    """

    _input: ClassVar[dict] = {"accept_sparse": "csr", "ensure_all_finite": False}

    def __init__(self, *, alpha=1.0, fit_prior=True, class_prior=None):
        self.alpha = alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _as_events(self, X):
        counts = X.data if sparse.issparse(X) else X
        # A float's bits grow with it and the sign is the first: one look finds NaN, infinity and negative numbers.
        if counts.size and counts.astype(float, copy=False).view(np.uint64).max() >= INFINITE:
            assert_all_finite(X, estimator_name="MultinomialNB", input_name="X")
            check_non_negative(X, "MultinomialNB (input X)")
        return X

    def _estimate(self):
        self._tokens = self.feature_count_.sum(axis=1, keepdims=True)
        super()._estimate()

    def _smooth(self, alpha):
        mass = self._tokens + np.broadcast_to(alpha, self.n_features_in_).sum()
        self.feature_log_prob_ = self._log_prob(lambda count: count, alpha, mass, self.n_features_in_)

    def _joint_log_likelihood(self, X):
        return linear_score(X, self.feature_log_prob_, self.class_log_prior_)

    def as_linear(self):
        """weights (C, F), intercept (C,), copies: the joint is intercept + weights . x: W, "Multinomial naive Bayes".

        With alpha = 0 weights may be -inf; `linear_score(X, weights, intercept)` then keeps 0 * -inf = 0.
        """
        check_is_fitted(self)
        return self.feature_log_prob_.copy(), self.class_log_prior_.copy()

    def _log_factors(self, X):
        X = dense(X)[:, None]
        with np.errstate(invalid="ignore"):  # a token that does not occur costs nothing: 0 * -inf = 0
            return np.where(X == 0, 0.0, X * self.feature_log_prob_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


class BernoulliNB(LinearNB):
    """Every feature is there or not, and absence counts too: W, "Bernoulli naive Bayes"; IIR, sec. 13.3.

    alpha, fit_prior, class_prior: see `DiscreteNB`. binarize: values above this threshold >= 0 are "there"; None: X
    holds 0 and 1 already. X: (n, F), dense or sparse. Learned: as MultinomialNB, `feature_log_prob_` = log P(x_f=1|c).
    """

    _parameter_constraints: ClassVar[dict] = {
        **DiscreteNB._parameter_constraints,
        "binarize": [None, Interval(Real, 0, None, closed="left")],
    }
    _input: ClassVar[dict] = {"accept_sparse": "csr"}

    def __init__(self, *, alpha=1.0, binarize=0.0, fit_prior=True, class_prior=None):
        self.alpha = alpha
        self.binarize = binarize
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _as_events(self, X):
        if self.binarize is not None:
            return above(X, self.binarize)
        values = X.data if sparse.issparse(X) else X
        foreign = values[(values != 0) & (values != 1)]
        if foreign.size:
            raise ValueError(f"X must hold only 0 and 1 with binarize=None; found {foreign[0]}. Set a threshold.")
        return X

    def _smooth(self, alpha):
        """(N_cf + alpha) / (N_c + 2 alpha): IIR, fig. 13.3."""
        self._alpha = alpha
        self.feature_log_prob_ = self._log_prob(lambda present: present, alpha, self._mass(), 2)

    def _mass(self):
        return self.class_count_[:, None] + 2 * self._alpha

    def absent_log_prob(self):
        """log P(x_f=0|c), (C, F), counted like presence because 1 - p would round: IIR, fig. 13.3."""
        documents = self.class_count_[:, None]
        return self._log_prob(lambda present: np.maximum(documents - present, 0), self._alpha, self._mass(), 2)

    def _joint_log_likelihood(self, X):
        return linear_score(X, *self.as_linear())

    def as_linear(self):
        """weights = log p - log(1 - p) (C, F), intercept = log P(c) + sum log(1 - p) (C,): W, "Bernoulli naive Bayes".

        With alpha = 0 a weight is -inf where p = 0 and +inf where p = 1 (whose log(1 - p) the intercept then leaves
        out); `linear_score(X, weights, intercept)` reads them as "forbidden" and "demanded", exactly.
        """
        check_is_fitted(self)
        absent = self.absent_log_prob()
        possible = np.where(np.isinf(absent), 0.0, absent)
        return self.feature_log_prob_ - absent, self.class_log_prior_ + possible.sum(axis=1)

    def _log_factors(self, X):
        return np.where(dense(X)[:, None] == 1, self.feature_log_prob_, self.absent_log_prob())


class CategoricalNB(DiscreteNB):
    """Every feature takes one of K_f categories, coded 0 .. K_f - 1: W, event models; Laplace as in IIR, eq. (13.7).

    alpha, fit_prior, class_prior: see `DiscreteNB`. min_categories: at least so many categories, one number or (F,).
    handle_unknown: "error" (ValueError) or "ignore" (adds nothing for any class) a code that `fit` left no room for.
    Learned: `n_categories_` (F,) and one table (C, K_f) a feature in `category_count_` and `feature_log_prob_`.
    """

    _parameter_constraints: ClassVar[dict] = {
        **DiscreteNB._parameter_constraints,
        "handle_unknown": [StrOptions({"error", "ignore"})],
    }

    def __init__(self, *, alpha=1.0, fit_prior=True, class_prior=None, min_categories=None, handle_unknown="error"):
        self.alpha = alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.min_categories = min_categories
        self.handle_unknown = handle_unknown

    def _as_events(self, X):
        check_non_negative(X, "CategoricalNB (input X)")
        with np.errstate(invalid="ignore"):
            codes = X.astype(np.int64)
        for row, f in np.argwhere(codes != X)[:1] if X.dtype.kind == "f" else ():
            wrong = f"X must hold integer codes 0, 1, 2, ... of categories; found {X[row, f]} in column {f}."
            if X.max() >= 1:
                raise ValueError(wrong)
            warnings.warn(f"{wrong} Below 1, scikit-learn's checks demand that it pass as 0.", FutureWarning, 2)
        return codes

    def _check_rows(self, X):
        X = super()._check_rows(X)
        if self.handle_unknown == "error":
            for row, f in np.argwhere(X >= self.n_categories_)[:1]:
                name = getattr(self, "feature_names_in_", range(X.shape[1]))[f]
                raise ValueError(
                    f"column {name!r} of X holds {X[row, f]}, a category unseen in fit, which knows 0 to "
                    f'{self.n_categories_[f] - 1}; with handle_unknown="ignore" it counts for no class.'
                )
        return X

    def _check_settings(self, n_classes, n_features):
        super()._check_settings(n_classes, n_features)
        least = np.asarray(1 if self.min_categories is None else self.min_categories)
        if least.dtype.kind not in "iu" or least.shape not in ((), (n_features,)) or (least < 1).any():
            raise ValueError(
                f"min_categories must be None, an integer >= 1, or {n_features} of them; found {self.min_categories!r}."
            )

    def _start_counts(self, n_classes, n_features):
        self.n_categories_ = np.zeros(n_features, dtype=np.int64)
        if self.min_categories is not None:
            self.n_categories_ += np.asarray(self.min_categories)
        self.category_count_ = [np.zeros((n_classes, k)) for k in self.n_categories_]

    def _count(self, X, y, weight):
        """One pass: class, column and category together number a cell, and the rows are counted by cell."""
        self.n_categories_ = np.maximum(self.n_categories_, X.max(axis=0) + 1)
        n_cells, n_classes = self.n_categories_.sum(), len(self.classes_)
        start = np.cumsum(self.n_categories_) - self.n_categories_
        cell = X + start + (y * n_cells)[:, None]
        count = np.bincount(cell.ravel(), np.repeat(weight, X.shape[1]), n_classes * n_cells).reshape(n_classes, -1)
        for table, earlier in zip(tables := np.split(count, start[1:], axis=1), self.category_count_, strict=True):
            table[:, : earlier.shape[1]] += earlier
        self.category_count_ = tables

    def _smooth(self, alpha):
        self.feature_log_prob_ = [
            smoothed_log_prob(count, a, self.class_count_[:, None] + k * a, k)
            for count, a, k in zip(
                self.category_count_, np.broadcast_to(alpha, self.n_features_in_), self.n_categories_, strict=True
            )
        ]

    def _tables(self, X):
        """One column f of codes (n,) after another, with log P(x_f|c), (K_f + 1, C): unknown codes clip to zeros."""
        for column, table in zip(X.T, self.feature_log_prob_, strict=True):
            yield column, np.vstack([table.T, np.zeros(len(table))])

    def _joint_log_likelihood(self, X):
        joint = np.tile(self.class_log_prior_, (len(X), 1))
        factor = np.empty_like(joint)  # one for all columns: new memory each time would cost more than the look-up
        for column, table in self._tables(X):
            joint += table.take(column, axis=0, mode="clip", out=factor)
        return joint

    def _log_factors(self, X):
        return np.stack([table.take(column, axis=0, mode="clip") for column, table in self._tables(X)], axis=2)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = tags.input_tags.positive_only = True
        return tags

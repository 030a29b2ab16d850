"""Four naive Bayes classifiers: given the class the features are independent, so their log probabilities add up.

What differs is the event: a measurement (Gaussian), a token (Multinomial), a word's presence (Bernoulli), a category
(Categorical). Each model counts once; smoothing reads the counts, so that `resmooth` needs no data.

Sources: "IIR" is Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, ch. 13; "W" is
Wikipedia, "Naive Bayes classifier". Shapes: n rows, C classes, F features, K categories. All logs are natural.
"""

import warnings
from abc import abstractmethod
from functools import cached_property
from numbers import Real
from typing import ClassVar

import numpy as np
from scipy import sparse
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import assert_all_finite, check_is_fitted, check_non_negative

from nbcore._base import CountingNB, check_prior, log, sum_by_class

INFINITE = np.array(np.inf).view(np.uint64)

__all__ = ["BernoulliNB", "CategoricalNB", "GaussianNB", "MultinomialNB", "linear_score"]


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


def smoothed_log_prob(count, alpha, mass, n_values):
    """log of (count + alpha) / mass, where mass is the total of what stands above: IIR, eq. (13.7), is alpha = 1.

    Where nothing was counted and nothing is added, 0/0 is read as its limit for alpha -> 0: all n_values alike.
    """
    log_prob = count + alpha
    log(log_prob, out=log_prob)
    log_prob -= np.log(np.where(mass > 0, mass, 1.0))
    if not mass.all():
        log_prob[np.broadcast_to(mass == 0, log_prob.shape)] = -np.log(n_values)
    return log_prob


def check_alpha(alpha, n_features):
    """alpha as floats, () or (F,); ValueError unless finite and >= 0."""
    a = np.asarray(alpha)
    if a.dtype.kind not in "iuf" or a.shape not in ((), (n_features,)) or not (np.isfinite(a) & (a >= 0)).all():
        raise ValueError(
            f"alpha must be a finite number >= 0, or {n_features} of them (one a feature); found {alpha!r}."
        )
    return a.astype(float)


class DiscreteNB(CountingNB):
    """Models of counts: log probabilities come from counts by smoothing, and can be read anew for another alpha.

    alpha: pseudo-count >= 0 of each value, one number or one per feature (F,); 0 is exact: what never happened has
    probability 0. fit_prior: P(c) by counting, else uniform. class_prior: P(c) given, (C,), beats both.
    """

    _parameter_constraints: ClassVar[dict] = {"fit_prior": ["boolean"], "class_prior": ["array-like", None]}

    @abstractmethod
    def _smooth(self, alpha):
        """Set the log probabilities from the counts and alpha (a number or (F,)); never looks at data."""

    def _check_settings(self, n_classes, n_features):
        check_prior(self.class_prior, "class_prior", n_classes)
        check_alpha(self.alpha, n_features)

    def _estimate(self):
        self.class_log_prior_ = self._log_prior(self.class_prior, self.fit_prior)
        self._smooth(check_alpha(self.alpha, self.n_features_in_))

    def resmooth(self, alpha):
        """Smooth the stored counts with another alpha >= 0, in place; the data are not needed. Returns self."""
        check_is_fitted(self)
        self._smooth(check_alpha(alpha, self.n_features_in_))
        self.alpha = alpha
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = bool(self._input["accept_sparse"])
        tags.classifier_tags.poor_score = True  # scikit-learn's checks give measurements to models of counts
        return tags


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

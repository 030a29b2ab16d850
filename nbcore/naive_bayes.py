"""Four naive Bayes classifiers: given the class the features are independent, so their log probabilities add up.

What differs is the event: a measurement (Gaussian), a token (Multinomial), a word's presence (Bernoulli), a category
(Categorical). Each model counts once; smoothing reads the counts, so that `resmooth` needs no data.

NaN means missing, except for tokens, whose counts make one event. The factor of that feature is left out: as the
features are independent given the class, that is the sum, or the integral, over all values it might have had.

Sources: "IIR" is Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, ch. 13; "W" is
Wikipedia, "Naive Bayes classifier". Shapes: n rows, C classes, F features, K categories. All logs are natural.
"""

from abc import abstractmethod
from copy import copy
from functools import cached_property
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.utils import Tags, assert_all_finite
from sklearn.utils.validation import check_is_fitted, check_non_negative, validate_data

from nbcore._base import CountingNB, Floats, Matrix, Rows, blocks, check_prior, log, log_prior, sum_by_class
from nbcore.checks import every, one_of, refuse, require, require_number

__all__ = ["BernoulliNB", "CategoricalNB", "GaussianNB", "MultinomialNB", "linear_score"]

CELLS = 2**16  # so many codes of categories at a time: they stay in the processor's cache
Moments: TypeAlias = tuple[Floats, Floats, Floats]  # by class: weight (C, 1) or (C, F), mean (C, F), spread (C, F)


class GaussianNB(CountingNB):
    """Every feature of a class follows a normal distribution of its own: W, "Gaussian naive Bayes".

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

    _input: ClassVar[dict[str, Any]] = {"ensure_all_finite": "allow-nan"}

    def __init__(self, *, priors: ArrayLike | None = None, var_smoothing: float = 1e-9, ddof: float = 0) -> None:
        self.priors = priors
        self.var_smoothing = var_smoothing
        self.ddof = ddof

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """As `CountingNB.fit`, for real X (n, F); ValueError also for a variance of 0."""
        super().fit(X, y, sample_weight)
        self._check_variances()
        return self

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

    def _estimate(self) -> None:
        (n_rows, _, row_spread), (weight, self.theta_, spread) = self._row_moments, self._class_moments
        for sums in (row_spread, spread):
            every(np.isfinite(sums), "the sum of squared deviations of X", sums, "a finite float")
        self.epsilon_ = self.var_smoothing * (row_spread / np.where(n_rows > 0, n_rows, 1.0)).max()
        unseen = (weight == 0) & (self.class_count_ > 0)[:, None]
        if unseen.any():
            weight, self.theta_, spread = lend_moments(self._class_moments, unseen)
        known = weight > self.ddof
        self.var_ = np.where(known, spread / np.where(known, weight - self.ddof, 1.0) + self.epsilon_, 0.0)
        if unseen.any():
            self.var_[:, (weight == 0).all(axis=0)] = 1.0  # a column that no row shows
        self.var_[self.class_count_ == 0] = np.inf  # a class never seen is infinitely wide: its density is 0 everywhere
        self.class_log_prior_ = log_prior(self.class_count_, self.priors)
        self.class_prior_ = np.exp(self.class_log_prior_)

    def _check_variances(self) -> None:
        for c, f in np.argwhere(self.var_ <= 0):
            weight = np.broadcast_to(self._class_moments[0], self.var_.shape)[c, f]
            raise ValueError(
                f"class {self.classes_[c]} has variance 0 in column {self._column_name(f)} of X, in rows of total "
                f"weight {weight:g}; allowed is > 0. Raise var_smoothing (now {self.var_smoothing:g}), or give "
                f"the class rows that differ and weigh more than ddof (now {self.ddof:g})."
            )

    def _log_likelihood(self, X: Rows) -> Floats:
        self._check_variances()
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
        self._check_variances()
        with np.errstate(over="ignore"):  # as above
            z = (X[:, None] - self.theta_) / np.sqrt(self.var_)
            return np.where(np.isnan(X)[:, None], 0.0, -0.5 * (z * z + np.log(2 * np.pi * self.var_)))


def moments(X: Rows, y: NDArray[np.intp], weight: Floats, n_classes: int) -> Moments:
    """By class: total weight (C, 1), mean (C, F), weighted sum of squared deviations from that mean (C, F).

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
    """Moments of two batches together: Chan, Golub and LeVeque (1979), "Updating formulae ... sample variances"."""
    (n_a, mean_a, spread_a), (n_b, mean_b, spread_b) = a, b
    n, step = n_a + n_b, mean_b - mean_a
    share = n_b / np.where(n > 0, n, 1.0)
    return n, mean_a + share * step, spread_a + spread_b + share * n_a * step**2


def lend_moments(by_class: Moments, unseen: NDArray[np.bool_]) -> Moments:
    """The same moments, and where a class has not seen a column, (C, F), those of all classes together."""
    weight, mean, spread = by_class
    together = np.zeros((1, 1)), np.zeros_like(mean[:1]), np.zeros_like(spread[:1])
    for c in range(len(mean)):
        together = merge_moments(together, (weight[[c]], mean[[c]], spread[[c]]))
    n, m, s = (np.where(unseen, of_all, own) for of_all, own in zip(together, by_class, strict=True))
    return n, m, s


def smoothed_log_prob(
    count: Floats, alpha: float | Floats, mass: Floats, n_values: float | NDArray[np.int64]
) -> Floats:
    """log of (count + alpha) / mass, where mass is the total of what stands above: IIR, eq. (13.7), is alpha = 1.

    Where nothing was counted and nothing is added, 0/0 is read as its limit for alpha -> 0: all n_values alike.
    """
    log_prob = count + alpha
    log(log_prob, out=log_prob)
    log_prob -= np.log(np.where(mass > 0, mass, 1.0))
    if not mass.all():
        np.copyto(log_prob, -np.log(n_values), where=mass == 0)
    return log_prob


def check_alpha(alpha: ArrayLike, n_features: int) -> Floats:
    """alpha as floats, () or (F,); ValueError unless finite and >= 0."""
    a = np.asarray(alpha)
    fits = a.dtype.kind in "iuf" and a.shape in ((), (n_features,)) and (np.isfinite(a) & (a >= 0)).all()
    require(fits, "alpha", alpha, f"a finite number >= 0, or {n_features} of them (one a feature)")
    return a.astype(float)


class DiscreteNB:
    """Models of counts: log probabilities come from counts by smoothing, and can be read anew for another alpha.

    alpha: pseudo-count >= 0 of each value, one number or one per feature (F,); 0 is exact: what never happened has
    probability 0. fit_prior: P(c) by counting, else uniform. class_prior: P(c) given, (C,), beats both.
    """

    alpha: ArrayLike
    fit_prior: bool
    class_prior: ArrayLike | None
    n_features_in_: int
    class_count_: Floats

    @abstractmethod
    def _smooth(self, alpha: Floats) -> None:
        """Set the log probabilities from the counts and alpha, () or (F,); never looks at data."""

    def _check_settings(self, n_classes: int, n_features: int) -> None:
        check_prior(self.class_prior, "class_prior", n_classes)
        check_alpha(self.alpha, n_features)
        require(isinstance(self.fit_prior, bool | np.bool_), "fit_prior", self.fit_prior, "a boolean, True or False")

    def _estimate(self) -> None:
        self.class_log_prior_ = log_prior(self.class_count_, self.class_prior, self.fit_prior)
        self._smooth(check_alpha(self.alpha, self.n_features_in_))

    def resmooth(self, alpha: ArrayLike) -> Self:
        """Smooth the stored counts with another alpha >= 0, in place; the data are not needed. Returns self.

        The parameter `alpha` becomes this one too, so that a later `fit`, `partial_fit` or `clone` smooths with it.
        To leave the model as it is: `smoothed`.
        """
        check_is_fitted(self)
        self._smooth(check_alpha(alpha, self.n_features_in_))
        self.alpha = alpha
        return self

    def smoothed(self, alpha: ArrayLike) -> Self:
        """A new model: the same counts, which both share, under another alpha >= 0; this one stays as it is."""
        return copy(self).resmooth(alpha)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()  # type: ignore[misc]  # this class stands in front of CountingNB
        tags.classifier_tags.poor_score = True  # scikit-learn's checks give measurements to models of counts
        return tags


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


class MultinomialNB(DiscreteNB, CountingNB):
    """A row is a bag of tokens, x_f of kind f, drawn one by one: W, "Multinomial naive Bayes"; IIR, sec. 13.2.

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

    _input: ClassVar[dict[str, Any]] = {"accept_sparse": "csr", "ensure_all_finite": False}  # see _as_events
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

    def _estimate(self) -> None:
        self._tokens = self.feature_count_.sum(axis=1, keepdims=True)
        every(np.isfinite(self._tokens), "the sum of the counts in X", self._tokens, "a finite float")
        super()._estimate()
        self.feature_log_prob_ = by_feature(self.feature_log_prob_)

    def _smooth(self, alpha: Floats) -> None:
        """(T_cf + alpha) / (T_c + F alpha): IIR, eq. (13.7)."""
        mass = self._tokens + np.broadcast_to(alpha, self.n_features_in_).sum()
        self.feature_log_prob_ = smoothed_log_prob(self.feature_count_, alpha, mass, self.n_features_in_)

    def _log_likelihood(self, X: Rows) -> Floats:
        return linear_score(X, self.feature_log_prob_, 0.0)

    def as_linear(self) -> tuple[Floats, Floats]:
        """weights (C, F), intercept (C,), copies: the joint is intercept + weights . x: W, "Multinomial naive Bayes".

        With alpha = 0 weights may be -inf; `linear_score(X, weights, intercept)` then keeps 0 * -inf = 0.
        """
        check_is_fitted(self)
        return self.feature_log_prob_.copy(), self.class_log_prior_.copy()

    def _log_factors(self, X: Rows) -> Floats:
        X = dense(X)[:, None]
        with np.errstate(invalid="ignore"):  # a token that does not occur costs nothing: 0 * -inf = 0
            return np.where(X == 0, 0.0, X * self.feature_log_prob_)

    def _n_factors(self, X: Rows) -> Floats:
        """Every token is one."""
        return np.asarray(X.sum(axis=1), dtype=float).ravel()

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


def by_feature(table: Floats) -> Floats:
    """The table (C, F), feature by feature in memory as a sparse product reads it: else every product copies it."""
    return np.asfortranarray(table)


class BernoulliNB(DiscreteNB, CountingNB):
    """Every feature is there or not, and absence counts too: W, "Bernoulli naive Bayes"; IIR, sec. 13.3.

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

    _input: ClassVar[dict[str, Any]] = {"accept_sparse": "csr", "ensure_all_finite": "allow-nan"}

    def __init__(
        self,
        *,
        alpha: ArrayLike = 1.0,
        binarize: float | None = 0.0,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
    ) -> None:
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
            return above(X, self.binarize)
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

    def _smooth(self, alpha: Floats) -> None:
        self._presence = Presence(self.feature_count_, self._documents, alpha)

    @property
    def feature_log_prob_(self) -> Floats:
        """log P(x_f=1|c), (C, F), for reading only."""
        return self._presence.log_prob

    def absent_log_prob(self) -> Floats:
        """log P(x_f=0|c), (C, F), counted like presence because 1 - p would round: IIR, fig. 13.3."""
        return self._presence.absent_log_prob()

    def _log_likelihood(self, X: Rows) -> Floats:
        weights, all_absent = self._presence.linear
        score = linear_score(X, weights, all_absent)
        gaps = np.isnan(score).any(axis=1)
        if gaps.any():
            there, absent = (X[gaps] == 1).astype(float), (X[gaps] == 0).astype(float)
            score[gaps] = linear_score(there, self.feature_log_prob_, 0.0)
            score[gaps] += linear_score(absent, self.absent_log_prob(), 0.0)
        return score

    def as_linear(self) -> tuple[Floats, Floats]:
        """weights = log p - log(1 - p) (C, F), intercept = log P(c) + sum log(1 - p) (C,): W, "Bernoulli naive Bayes".

        With alpha = 0 a weight is -inf where p = 0 and +inf where p = 1 (whose log(1 - p) the intercept then leaves
        out); `linear_score(X, weights, intercept)` reads them as "forbidden" and "demanded", exactly. Both are copies.
        """
        check_is_fitted(self)
        weights, all_absent = self._presence.linear
        return weights.copy(), self.class_log_prior_ + all_absent

    def _log_factors(self, X: Rows) -> Floats:
        X = dense(X)[:, None]
        return np.where(np.isnan(X), 0.0, np.where(X == 1, self.feature_log_prob_, self.absent_log_prob()))


class Presence:
    """What a feature's presence and absence say, for one alpha: (N_cf + alpha) / (N_c + 2 alpha): IIR, fig. 13.3.

    count: rows that have the feature, N_cf (C, F); documents: all rows, N_c (C, 1), or where some are missing those
    that show whether they have it, (C, F). `log_prob` = log P(x_f=1|c).
    """

    def __init__(self, count: Floats, documents: Floats, alpha: Floats) -> None:
        self.count, self.documents, self.alpha = count, documents, alpha
        self.log_prob = smoothed_log_prob(count, alpha, documents + 2 * alpha, 2)
        self.log_prob.flags.writeable = False

    def absent_log_prob(self) -> Floats:
        """log P(x_f=0|c), (C, F)."""
        absent = np.maximum(self.documents - self.count, 0)  # by weights that round, less than 0 may be left
        return smoothed_log_prob(absent, self.alpha, self.documents + 2 * self.alpha, 2)

    @cached_property
    def linear(self) -> tuple[Floats, Floats]:
        """log p - log(1 - p) (C, F), and the sum of all possible log(1 - p) (C,): made once, when first asked for."""
        absent = self.absent_log_prob()
        return by_feature(self.log_prob - absent), np.where(np.isinf(absent), 0.0, absent).sum(axis=1)


class CategoricalNB(DiscreteNB, CountingNB):
    """Every feature takes one of K_f categories, coded 0 .. K_f - 1: W, event models; Laplace as in IIR, eq. (13.7).

    alpha, fit_prior, class_prior: see `DiscreteNB`. min_categories: at least so many categories, one number or (F,).
    NaN is a missing category: it is not counted, and adds nothing to any class. A class that never shows a column
    learns the smoothed uniform distribution. handle_unknown: what to do about a code that `fit` left no room for:
    "error" (ValueError), or "ignore": it adds nothing, and neither does -1, OrdinalEncoder's usual word for "unknown".
    Learned: `n_categories_` (F,) and one table (C, K_f) a feature in `category_count_` and `feature_log_prob_`; the
    latter are for reading only. Memory grows with the largest code: number the categories of a column without gaps.

    Examples
    --------
    >>> days = [[0, 1], [0, 0], [1, 0], [2, 1]]  # outlook: sunny, overcast, rain; wind: weak, strong
    >>> model = CategoricalNB().fit(days, ["no", "no", "yes", "yes"])
    >>> np.exp(model.feature_log_prob_[0]).round(2).tolist()  # P(outlook | no), P(outlook | yes)
    [[0.6, 0.2, 0.2], [0.2, 0.4, 0.4]]
    >>> model.predict_proba([[0, 1]]).round(2).tolist()
    [[0.75, 0.25]]
    """

    _input: ClassVar[dict[str, Any]] = {"ensure_all_finite": "allow-nan"}

    def __init__(
        self,
        *,
        alpha: ArrayLike = 1.0,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        min_categories: ArrayLike | None = None,
        handle_unknown: str = "error",
    ) -> None:
        self.alpha = alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.min_categories = min_categories
        self.handle_unknown = handle_unknown

    def _as_events(self, X: Rows) -> Rows:
        """Codes, and -1 for what is missing."""
        if X.dtype.kind == "f" and np.isnan(X.min()):
            missing = np.isnan(X)
            return np.where(missing, -1, self._as_codes(np.where(missing, 0, X)))
        return self._as_codes(X)

    def _as_codes(self, X: Rows) -> Rows:
        check_non_negative(X, "CategoricalNB (input X)")
        if X.dtype.kind == "i":
            return X.astype(np.int64, copy=False)
        with np.errstate(invalid="ignore"):
            codes = X.astype(np.int64)
        for row, f in np.argwhere(codes != X)[:1]:
            refuse(f"column {f} of X", X[row, f].item(), "integer codes 0, 1, 2, ... of categories")
        return codes

    def _check_rows(self, X: Matrix) -> Rows:
        if self.handle_unknown == "error":
            codes = super()._check_rows(X)
            for row, f in np.argwhere(codes >= self.n_categories_)[:1]:
                raise ValueError(
                    f"column {self._column_name(f)} of X holds {codes[row, f]}, a category unseen in fit, which knows "
                    f'0 to {self.n_categories_[f] - 1}; with handle_unknown="ignore" it counts for no class.'
                )
            return codes
        X = validate_data(self, X, reset=False, **self._input)
        unknown = np.isnan(X) | (X == -1)
        return np.where(unknown, -1, self._as_codes(np.where(unknown, 0, X)))

    def _check_settings(self, n_classes: int, n_features: int) -> None:
        super()._check_settings(n_classes, n_features)
        one_of("handle_unknown", self.handle_unknown, ["error", "ignore"])
        least = np.asarray(1 if self.min_categories is None else self.min_categories)
        fits = least.dtype.kind in "iu" and least.shape in ((), (n_features,)) and (least >= 1).all()
        require(fits, "min_categories", self.min_categories, f"None, an integer >= 1, or {n_features} of them")

    def _start_counts(self, n_classes: int, n_features: int) -> None:
        self.n_categories_ = np.zeros(n_features, dtype=np.int64)
        if self.min_categories is not None:
            self.n_categories_ += np.asarray(self.min_categories)
        self.category_count_ = [np.zeros((n_classes, k)) for k in self.n_categories_]

    def _count(self, X: Rows, y: NDArray[np.intp], weight: Floats) -> None:
        """One pass: class, column and category together number a cell, and the rows are counted by cell."""
        self.n_categories_ = np.maximum(self.n_categories_, np.maximum(X.max(axis=0) + 1, 1))
        start, n_cells, n_features = starts(self.n_categories_), self.n_categories_.sum(), X.shape[1]
        count = np.zeros(len(self.classes_) * n_cells)
        for rows in blocks(len(X), 1 + max(CELLS, len(count)) // n_features):
            cell = X[rows] + start
            cell += (y[rows] * n_cells)[:, None]
            shown = np.repeat(weight[rows], n_features)
            if X[rows].min() < 0:
                missing = X[rows] < 0
                cell[missing], shown[missing.ravel()] = 0, 0.0
            count += np.bincount(cell.ravel(), shown, len(count))
        tables = np.split(count.reshape(-1, n_cells), start[1:], axis=1)
        for table, earlier in zip(tables, self.category_count_, strict=True):
            table[:, : earlier.shape[1]] += earlier
        self.category_count_ = tables

    def _smooth(self, alpha: Floats) -> None:
        """(N_cfk + alpha) / (N_cf + K_f alpha), all features at once; below them a row of zeros for unknown codes."""
        width = self.n_categories_
        alphas = np.broadcast_to(alpha, width.shape)
        count = np.hstack(self.category_count_)
        shown = np.add.reduceat(count, starts(width), axis=1)  # rows of each class that show the feature, (C, F)
        mass = np.repeat(shown + width * alphas, width, axis=1)
        log_prob = smoothed_log_prob(count, np.repeat(alphas, width), mass, np.repeat(width, width))
        self._table = np.zeros((width.sum() + 1, len(count)))
        self._table[:-1] = log_prob.T
        self._table.flags.writeable = False
        self._start = starts(width)
        self.feature_log_prob_ = np.split(self._table[:-1].T, self._start[1:], axis=1)

    def _cells(self, X: Rows) -> NDArray[np.int64]:
        """The row of `_table` with log P(x_f|c) for each code, (n, F)."""
        cells = X + self._start
        if self.handle_unknown == "ignore" or X.min() < 0:
            cells[(X < 0) | (X >= self.n_categories_)] = len(self._table) - 1
        return cells

    def _log_likelihood(self, X: Rows) -> Floats:
        """The sum of F rows of `_table` for each row of X, as a product with a sparse matrix of ones."""
        if X.size <= 256:  # to make that matrix would take longer than to add
            return self._log_factors(X).sum(axis=2)
        likelihood = np.empty((len(X), len(self.classes_)))
        for rows in blocks(len(X), 1 + CELLS // X.shape[1]):
            cells = self._cells(X[rows])
            ends = np.arange(0, cells.size + 1, X.shape[1])
            events = sparse.csr_array((np.ones(cells.size), cells.ravel(), ends), shape=(len(cells), len(self._table)))
            likelihood[rows] = events @ self._table
        return likelihood

    def _log_factors(self, X: Rows) -> Floats:
        return self._table[self._cells(X)].swapaxes(1, 2)

    def _n_factors(self, X: Rows) -> Floats:
        return (self._cells(X) < len(self._table) - 1).sum(axis=1).astype(float)

    def _for_fewer_rows(self) -> Self:
        return super()._for_fewer_rows().set_params(min_categories=self.n_categories_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = tags.input_tags.positive_only = True
        return tags


def starts(width: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each of F parts of these widths begins, if they stand in one row, (F,)."""
    return np.cumsum(width) - width

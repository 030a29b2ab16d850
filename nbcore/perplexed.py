"""Naive Bayes with attenuated posteriors: Carlos (2015), "Perplexed Bayes Classifier", section 4.

Features that repeat each other make naive Bayes too sure of itself. Perplexed Bayes takes a root of the product of
their probabilities: decisions stay (eq. 20), confidence falls.

Shapes: n items, C classes; n_features is the number of features an item has, its tokens for counts. Logs are natural.
"""

from __future__ import annotations  # signatures stay as short as they are written

import warnings
from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.optimize import minimize_scalar
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import BaseCrossValidator, check_cv
from sklearn.pipeline import Pipeline
from sklearn.utils import Tags, _safe_indexing, check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted, check_X_y, has_fit_parameter, validate_data

from nbcore._base import BaseNB, Floats, Matrix, as_rows, check_weights, encode_labels, hold_out, log
from nbcore.calibration import log_loss, posterior_spread, reliability_bins
from nbcore.checks import (
    check_distributions,
    check_logarithms,
    check_probabilities,
    one_of,
    require,
    require_count,
    require_every,
    require_number,
)
from nbcore.mixed.table import check_table
from nbcore.naive_bayes import MultinomialNB

__all__ = [
    "RULES", "PerplexedBayes", "arithmetic_posterior", "attenuated_posterior", "best_k", "evidence", "flattest_k",
    "inverse_perplexity", "k_grid", "log_attenuated_posterior", "perplexity",
]  # fmt: skip

Evidence: TypeAlias = tuple[Floats, Floats, Floats]  # log likelihood (n, C), log prior (C,) or (n, C), n_features (n,)
RULES = "approximate", "exact"  # eq. (20), eq. (19)
OBJECTIVES = "log_loss", "rmse"
LOWEST_K = 0.1  # where `k_grid` begins
GRID_SIZE = 200


def _mean_log(p: ArrayLike, axis: int) -> Floats:
    """Return the mean log probability along an axis."""
    values = check_probabilities("p", p)
    require(values.ndim >= 1 and values.size > 0, "p", values.shape, "at least one probability")
    return log(values).mean(axis=axis)


def perplexity(p: ArrayLike, axis: int = -1) -> Floats:
    """Return 1 / (p_1 p_2 ... p_n)^(1/n), the equivalent number of equal chances: Carlos (2015), eq. (5).

    p: probabilities (..., n) along `axis`. Returns numbers >= 1 (...); infinite where some p_i = 0.

    Examples
    --------
    >>> from nbcore.perplexed import perplexity
    >>> round(float(perplexity([0.5, 0.125])), 6)  # as unlikely as two throws of a die with four sides
    4.0
    """
    return np.exp(-_mean_log(p, axis))


def inverse_perplexity(p: ArrayLike, k: float = 1.0, axis: int = -1) -> Floats:
    """Return (p_1 p_2 ... p_n)^(k/n), the geometric mean to the k-th power: Carlos (2015), eq. (18); k = 1 is eq. (6).

    Carlos (2015), eq. (6), (7) and (18). p: probabilities (..., n) along `axis`; k > 0. Returns probabilities (...).
    """
    require_number("k", k, above=0)
    return np.exp(k * _mean_log(p, axis))


def _check_item(log_likelihood: ArrayLike, log_prior: ArrayLike, n_features: ArrayLike) -> Evidence:
    """Return log likelihood, log prior and number of features as floats; ValueError unless their shapes fit."""
    S, prior = check_logarithms("log_likelihood", log_likelihood), check_logarithms("log_prior", log_prior)
    require(prior.shape in (S.shape[-1:], S.shape), "log_prior", prior.shape, f"of shape ({S.shape[-1]},) or {S.shape}")
    require((prior.max(axis=-1) > -np.inf).all(), "log_prior", log_prior, "above -inf for at least one class")
    n = np.asarray(n_features, dtype=float)
    require(n.shape in ((), S.shape[:-1]), "n_features", n.shape, f"one number, or of shape {S.shape[:-1]}")
    require_every((n >= 0) & (n < np.inf), "n_features", n, "finite numbers >= 0")
    return S, prior, n


def _attenuate(
    log_likelihood: Floats, log_prior: Floats, n_features: Floats, k: float, rule: str, shift: bool = False
) -> Floats:
    """Return the log numerator, (..., C): (S + log P(c)) k / (n + 1), eq. (20), or S k / n + log P(c), eq. (19).

    `shift` sets the largest term under the root to 0 in every row, so that no k > 0 is too large: the numerator then
    has an arbitrary factor. An item without features has only its prior under eq. (19).
    """
    n = n_features[..., None]
    if rule == "approximate":
        rooted, exponent, rest = log_likelihood + log_prior, k / (n + 1), np.zeros(1)
    else:
        ruled_out = np.isneginf(log_prior)  # the prior rules a class out for good
        rooted = np.where(n > 0, np.where(ruled_out, -np.inf, log_likelihood), 0.0)
        exponent, rest = k / np.where(n > 0, n, 1.0), log_prior
    if shift:
        top = _row_maximum(rooted)
        rooted = rooted - np.where(np.isneginf(top), 0.0, top)
    with np.errstate(over="ignore"):
        return rooted * np.maximum(exponent, np.finfo(float).tiny) + rest


def normalise_log(log_numerator: Floats, log_prior: Floats) -> Floats:
    """Return log posteriors of log numerators (..., C); where every class has probability 0, the prior."""
    impossible = np.isneginf(_row_maximum(log_numerator))
    log_p = np.where(impossible, log_prior, log_numerator) if impossible.any() else log_numerator
    log_p = log_p - _row_maximum(log_p)
    return log_p - np.log(_reduce_classes(np.add, np.exp(log_p)))


def _reduce_classes(ufunc: Any, values: Floats) -> Floats:
    """Apply a ufunc such as np.add over the last axis, (..., C) to (..., 1), faster than `reduce` if C is small."""
    return reduce(ufunc, np.moveaxis(values, -1, 0))[..., None]


def _row_maximum(values: Floats) -> Floats:
    """Return the largest value of every row, (..., C) to (..., 1)."""
    return _reduce_classes(np.maximum, values)


def log_attenuated_posterior(
    log_likelihood: ArrayLike, log_prior: ArrayLike, n_features: ArrayLike, k: float, rule: str = "approximate"
) -> Floats:
    """Return the log of `attenuated_posterior`, in nats, for the same arguments: Carlos (2015), eq. (20) and (19)."""
    one_of("rule", rule, RULES)
    require_number("k", k, above=0)
    S, prior, n = _check_item(log_likelihood, log_prior, n_features)
    return normalise_log(_attenuate(S, prior, n, float(k), rule, shift=True), prior)


def attenuated_posterior(
    log_likelihood: ArrayLike, log_prior: ArrayLike, n_features: ArrayLike, k: float, rule: str = "approximate"
) -> Floats:
    """Return P(c|x) of Perplexed Bayes with attenuation coefficient k: Carlos (2015), eq. (20), or "exact", eq. (19).

    Carlos (2015), eq. (20): (likelihood * prior)^(k/(n+1)), normalised. It decides as naive Bayes does, for any k > 0,
    and is naive Bayes at k = n + 1. Carlos (2015), eq. (19): likelihood^(k/n) * prior. Naive Bayes at k = n.

    Parameters
    ----------
    log_likelihood : (..., C), sum of log P(f_i|c) over the features of an item, in nats; -inf is legal
    log_prior : (C,) or (..., C), log P(c)
    n_features : number of features of each item, >= 0: one number, or (...)
    k : float > 0; the paper's range is 1 (most perplexed) to n
    rule : "approximate" (eq. 20) or "exact" (eq. 19)

    Returns
    -------
    Posteriors (..., C). An item that every class gives probability 0 gets the prior; an item without features gets
    the prior under eq. (19), and its k-th power, normalised, under eq. (20).

    Examples
    --------
    >>> import numpy as np
    >>> from nbcore.perplexed import attenuated_posterior
    >>> log_likelihood, log_prior = np.log([0.75**4, 0.25**4]), np.log([0.5, 0.5])  # four copies of one feature
    >>> attenuated_posterior(log_likelihood, log_prior, 4, k=5).round(4).tolist()  # naive Bayes: as if they were four
    [0.9878, 0.0122]
    >>> attenuated_posterior(log_likelihood, log_prior, 4, k=1, rule="exact").round(4).tolist()
    [0.75, 0.25]
    """
    return np.exp(log_attenuated_posterior(log_likelihood, log_prior, n_features, k, rule))


def arithmetic_posterior(likelihoods: ArrayLike, prior: ArrayLike, evidence: ArrayLike | None = None) -> Floats:
    """Return P(c|x) from an arithmetic mean: Carlos (2015), eq. (15) as printed, or corrected by `evidence`.

    As printed: proportional to sum_i P(f_i|c) P(c), which is the mean of the P(c|f_i) weighted by the P(f_i), exact
    where eq. (10) holds; elsewhere common features drown the rare ones. Corrected: proportional to
    sum_i P(f_i|c) P(c) / P(f_i), the plain mean of the P(c|f_i); renormalised, whatever the source of the evidence.

    likelihoods: P(f_i|c), (n_features, C); prior: P(c), (C,); evidence: None or P(f_i) > 0, (n_features,). Returns
    posteriors (C,); the prior, if every class gives every feature probability 0.
    """
    p, L = check_distributions("prior", prior), np.asarray(likelihoods, dtype=float)
    require(p.ndim == 1, "prior", p.shape, "of shape (C,)")
    good = L.ndim == 2 and len(L) > 0 and L.shape[1] == len(p)
    require(good, "likelihoods", L.shape, f"of shape (n_features, {len(p)}), n_features >= 1")
    check_probabilities("likelihoods", L)
    if evidence is not None:
        P = check_probabilities("evidence", evidence, above_zero=True)
        require(P.shape == L.shape[:1], "evidence", P.shape, f"of shape ({len(L)},), one number a feature")
        L = np.exp(log(L) - log(P[:, None]) + log(P.min()))  # up to a constant, so that nothing overflows
    return np.exp(normalise_log(log(L.sum(axis=0)) + log(p), log(p)))


def k_grid(n_features: ArrayLike, rule: str = "approximate", sample_weight: ArrayLike | None = None) -> Floats:
    """Return the coefficients among which k is chosen, (200,): from .1, in equal ratios, to naive Bayes.

    n_features: number of features of each item, (n,); sample_weight: None or (n,). Naive Bayes is k = n + 1 in Carlos
    (2015), eq. (20), and k = n in eq. (19); n is the mean here.
    """
    one_of("rule", rule, RULES)
    weight = None if sample_weight is None else np.asarray(sample_weight, dtype=float)
    top = float(np.average(np.asarray(n_features, dtype=float), weights=weight)) + (rule == "approximate")
    return np.geomspace(LOWEST_K, max(top, 2 * LOWEST_K), GRID_SIZE)


def split_joint(joint: Floats, log_prior: Floats) -> Floats:
    """Return log P(x|c), (n, C), of log P(c, x) and log P(c); 0 for a class of prior 0: its prior rules it out."""
    possible = log_prior > -np.inf
    return np.where(possible, joint - np.where(possible, log_prior, 0.0), 0.0)


def evidence(model: Any, X: Matrix) -> Evidence:
    """Return log likelihood (n, C), log prior (C,) and n (n,) of rows X (n, F), for `attenuated_posterior`.

    model: a fitted naive Bayes classifier of nbcore, or a Pipeline that ends in one. The number of features of a row is
    the number of factors that its likelihood has: the sum of its counts for multinomial models; for the others F, less
    the columns that are left out since they are missing, or of a category unknown and ignored; for MixedNB the sum over
    its parts. A class of prior 0 gets log likelihood 0.
    """
    if isinstance(model, Pipeline):
        return evidence(model.steps[-1][1], model[:-1].transform(X) if len(model) > 1 else X)
    check_is_fitted(model)
    rows: Any = model._check_rows(X)
    joint, inner = model._joint_log_likelihood(rows), getattr(model, "estimator_", model)
    n_features = inner._n_factors(rows if inner is model else inner._check_rows(rows))
    return split_joint(joint, model.class_log_prior_), model.class_log_prior_, n_features


def last_step(model: Any) -> Any:
    """Return the estimator at the end of a Pipeline, also of nested ones; any other model as it is."""
    return last_step(model.steps[-1][1]) if isinstance(model, Pipeline) else model


def fit_weighted(model: Any, X: Any, y: NDArray, weight: Floats | None) -> Any:
    """Fit a model, or a Pipeline whose last step takes the weights, and return it; ValueError if it knows none."""
    if weight is None:
        return model.fit(X, y)
    prefix, inner = "", model
    while isinstance(inner, Pipeline):
        prefix, inner = f"{prefix}{inner.steps[-1][0]}__", inner.steps[-1][1]
    knows = has_fit_parameter(inner, "sample_weight")
    require(knows, "sample_weight", "an array", f"None: {type(inner).__name__}.fit knows no weights")
    return model.fit(X, y, **{f"{prefix}sample_weight": weight})


def flattest_k(
    evidence: Evidence, bins: int = 10, rule: str = "approximate", sample_weight: ArrayLike | None = None
) -> float:
    """Find the k of `k_grid` with the flattest histogram of posteriors: Carlos (2015), section 5.

    evidence: of the training rows, see `evidence`; sample_weight: None or (n,). Needs no labels.
    """
    grid = k_grid(evidence[2], rule, sample_weight)
    spread = [posterior_spread(attenuated_posterior(*evidence, k, rule), bins, sample_weight) for k in grid]
    return float(grid[np.argmin(spread)])


def best_k(
    evidence: Evidence, y: ArrayLike, bins: int = 10, rule: str = "approximate", objective: str = "log_loss",
    classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None,
) -> float:  # fmt: skip
    """Find the k with the best calibrated posteriors of rows that the model has not seen, within the ends of `k_grid`.

    Parameters
    ----------
    evidence : of held-out rows, see `evidence`
    y : labels (n,)
    bins : of the reliability diagram, for "rmse"
    rule : "approximate" (eq. 20) or "exact" (eq. 19)
    objective : "log_loss", which is convex in k, so a search finds its minimum; or "rmse" of the reliability diagram,
        Carlos (2015), section 5.2: rough in k, so every k of the grid is tried. With many classes the uniform
        posterior, small k, has no RMSE at all: use it with few
    classes : labels of the columns; None: the sorted labels of y
    sample_weight : None or (n,), what each row counts

    A row whose true class has probability 0 has infinite log loss at every k, so it does not move the optimum and is
    left out of "log_loss"; ValueError if every row is such a one.
    """
    one_of("objective", objective, OBJECTIVES)
    grid = k_grid(evidence[2], rule, sample_weight)
    classes = np.unique(y) if classes is None else classes
    if objective == "rmse":

        def rmse(k: float) -> float:
            return reliability_bins(y, attenuated_posterior(*evidence, k, rule), bins, classes, sample_weight).rmse()

        return float(grid[np.argmin([rmse(k) for k in grid])])
    S, log_prior, n = evidence
    own = np.asarray(y)[:, None] == np.asarray(classes)
    rows = (own & (log_attenuated_posterior(*evidence, 1.0, rule) > -np.inf)).any(axis=1)
    require(rows.any(), "y", y, "a class of probability above 0 for at least one row (a larger alpha helps)")
    possible = S[rows], log_prior[rows] if log_prior.ndim > 1 else log_prior, n[rows]
    labels, weight = np.asarray(y)[rows], None if sample_weight is None else np.asarray(sample_weight)[rows]

    def loss(k: float) -> float:
        return log_loss(labels, log_attenuated_posterior(*possible, k, rule), classes, weight)

    ends = float(grid[0]), float(grid[-1])
    best = minimize_scalar(loss, bounds=ends, method="bounded", options={"xatol": 1e-8}).x
    return min((float(best), *ends), key=loss)


def end_of_grid_advice(
    k: float, n_features: Floats, rule: str = "approximate", sample_weight: Floats | None = None
) -> str | None:
    """Return a warning if k is an end of its grid, and so no optimum, with what to do; else None."""
    low, high = k_grid(n_features, rule, sample_weight)[[0, -1]]
    if low < k < high:
        return None
    end, todo = "upper", "The estimator is not too sure of these rows: use it alone, or hold out more rows."
    if k == low:
        end, todo = "lower", "A few rows may contradict the estimator too strongly: smooth it more, transform the "
        todo += 'features behind them, or take Adjusted(estimator, "temperature").'
    return f"k ended at {k:.4g}, the {end} end of its grid, where it is no optimum. {todo}"


def _unfitted_copy(model: Any) -> Any:
    """Return an unfitted copy of a model or Pipeline whose naive Bayes already knows every value that it has seen."""
    if not isinstance(model, Pipeline):
        return model._unfitted_copy()
    return Pipeline([*clone(model).steps[:-1], (model.steps[-1][0], _unfitted_copy(model.steps[-1][1]))])


class PerplexedBayes(MetaEstimatorMixin, BaseNB):
    """A naive Bayes estimator with attenuated posteriors: Carlos (2015), eq. (20), or with rule="exact" eq. (19).

    Parameters
    ----------
    estimator : one of nbcore's naive Bayes classifiers, or a Pipeline that ends in one
    k : attenuation coefficient. A number > 0; "flat", the one with the flattest histogram of posteriors on the
        training rows (Carlos (2015), section 5); "calibrated", the best on rows that the estimator has not seen
    rule : "approximate", eq. (20), which decides exactly as the estimator does, or "exact", eq. (19)
    validation_fraction : share of the rows of each class held out for "calibrated", between 0 and 1
    bins : number of bins of the histogram or of the reliability diagram
    random_state : None, int or RandomState: which rows are held out
    objective : of "calibrated": "log_loss", or "rmse" of the reliability diagram, the paper's own (Carlos (2015),
        section 5.2), for few classes only; see `best_k`
    cv : None holds out `validation_fraction` once. An int or a splitter of scikit-learn: k is chosen on the
        out-of-fold posteriors of all rows, which is slower and steadier. An int is StratifiedKFold, which does not
        shuffle

    Learned: `k_`; `estimator_`, fitted on all rows; `classes_`, `class_log_prior_`,
    `n_features_in_`. The number n of features of an item is its tokens (the row sum) for multinomial models, and F for
    all others, less what is missing: see `evidence`. An item of which nothing is known has n = 0.

    A calibrated k that is an end of `k_grid` is no optimum: `fit` then warns (ConvergenceWarning) and says what to do.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nbcore.naive_bayes import GaussianNB
    >>> from nbcore.perplexed import PerplexedBayes
    >>> X, y = load_iris(return_X_y=True)
    >>> model = PerplexedBayes(GaussianNB(), cv=5).fit(X, y)
    >>> round(model.k_, 1)  # naive Bayes is k = 5, features + 1
    2.9
    >>> [round(float(m.predict_proba(X[[70]]).max()), 2) for m in (model.estimator_, model)]
    [0.85, 0.73]
    """

    def __init__(
        self, estimator: Any, k: str | float = "calibrated", rule: str = "approximate",
        validation_fraction: float = 0.2, bins: int = 10, random_state: int | np.random.RandomState | None = None,
        objective: str = "log_loss", cv: int | BaseCrossValidator | Iterable | None = None,
    ) -> None:  # fmt: skip
        self.estimator = estimator
        self.k = k
        self.rule = rule
        self.validation_fraction = validation_fraction
        self.bins = bins
        self.random_state = random_state
        self.objective = objective
        self.cv = cv

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the estimator to X (n, F), labels y (n,), then choose k. Returns self.

        sample_weight: None or (n,), passed on to the estimator, and what each row counts in the choice of k.
        ValueError: bad parameters or data, fewer than two classes, k="calibrated" with every class in one row only, or
        a sample_weight for an estimator that knows none.
        """
        self._check_parameters()
        rows = self._check_rows(X, reset=True)
        labels = check_X_y(np.zeros((rows.shape[0], 1)), y, estimator=self)[1]
        weight = None if sample_weight is None else check_weights(sample_weight, len(labels))
        self.estimator_ = fit_weighted(clone(self.estimator), rows, labels, weight)
        self.classes_, self.class_log_prior_ = self.estimator_.classes_, last_step(self.estimator_).class_log_prior_
        self.k_ = self._choose_k(rows, labels, weight)
        return self

    def _check_parameters(self) -> None:
        """Raise ValueError for every parameter that is not as the class docstring says."""
        allowed = "a naive Bayes classifier of nbcore, or a Pipeline that ends in one"
        require(isinstance(last_step(self.estimator), BaseNB), "estimator", self.estimator, allowed)
        if isinstance(self.k, str):
            one_of("k", self.k, ("calibrated", "flat"))
        else:
            require_number("k", self.k, above=0)
        one_of("rule", self.rule, RULES)
        require_number("validation_fraction", self.validation_fraction, above=0, below=1)
        require_count("bins", self.bins)
        one_of("objective", self.objective, OBJECTIVES)

    def _choose_k(self, X: Any, y: NDArray, weight: Floats | None) -> float:
        """Choose k as the parameter of that name says; warn where the calibrated one is an end of its grid."""
        if not isinstance(self.k, str):
            return float(self.k)
        if self.k == "flat":
            return flattest_k(evidence(self.estimator_, X), self.bins, self.rule, weight)
        unseen, rows = self._out_of_fold_evidence(X, y, weight)
        code, weight = encode_labels(y[rows], self.classes_), None if weight is None else weight[rows]
        k = best_k(unseen, code, self.bins, self.rule, self.objective, range(len(self.classes_)), weight)
        if advice := end_of_grid_advice(k, unseen[2], self.rule, weight):
            warnings.warn(advice, ConvergenceWarning, stacklevel=3)
        return k

    def _folds(self, X: Any, y: NDArray) -> Iterator[tuple[NDArray, NDArray]]:
        """Yield rows to learn from and rows to hold out, once or as `cv` says; unlabelled rows are never held out."""
        labelled = np.isin(y, self.classes_)
        rows, others = np.flatnonzero(labelled), np.flatnonzero(~labelled)
        code = encode_labels(y[labelled], self.classes_)
        if self.cv is None:
            folds = [hold_out(code, self.validation_fraction, check_random_state(self.random_state))]
            held = folds[0][1]
            require(len(held), "y", y, 'labels of which one at least comes twice, to hold out a row for k="calibrated"')
        else:
            folds = check_cv(self.cv, code, classifier=True).split(_safe_indexing(X, rows), code)
        for learn, held in folds:
            yield np.concatenate([rows[learn], others]), rows[held]

    def _out_of_fold_evidence(self, X: Any, y: NDArray, weight: Floats | None) -> tuple[Evidence, NDArray]:
        """Return the evidence of held-out rows by estimators that have not seen them, and the numbers of these rows."""
        parts, held_out = [], []
        for learn, held in self._folds(X, y):
            learned, own = _safe_indexing(X, learn), None if weight is None else weight[learn]
            model = fit_weighted(_unfitted_copy(self.estimator_), learned, y[learn], own)
            S, log_prior, n = evidence(model, self._without_unseen_tokens(_safe_indexing(X, held), learned))
            columns = encode_labels(model.classes_, self.classes_)  # a fold may lack a class: P(c) = 0 there
            all_S = np.zeros((len(held), len(self.classes_)))
            all_prior = np.full((len(held), len(self.classes_)), -np.inf)
            all_S[:, columns], all_prior[:, columns] = S, log_prior
            parts.append((all_S, all_prior, n))
            held_out.append(held)
        S, log_prior, n = map(np.concatenate, zip(*parts, strict=True))
        return (S, log_prior, n), np.concatenate(held_out)

    def _without_unseen_tokens(self, rows: Any, learned: Any) -> Any:
        """Return held-out counts without tokens that no learned row has, as a vocabulary would drop them."""
        inner = getattr(self.estimator_, "estimator_", self.estimator_)
        if not isinstance(inner, MultinomialNB) and getattr(inner, "leaf", None) != "multinomial":
            return rows
        seen = (np.asarray(learned.sum(axis=0)).ravel() > 0).astype(float)
        return rows.multiply(seen).tocsr() if sparse.issparse(rows) else rows * seen

    def _check_rows(self, X: Matrix, reset: bool = False) -> Any:
        """Validate rows as the estimator takes them, (n, F), and return them; a Pipeline validates its own."""
        if isinstance(self.estimator, Pipeline):
            return as_rows(X)
        takes = get_tags(self.estimator).input_tags
        if takes.string:  # the estimator reads tables, its columns are of many kinds
            return check_table(self, X, reset)
        accept = {"accept_sparse": "csr" if takes.sparse else False}
        accept |= {"ensure_all_finite": "allow-nan" if takes.allow_nan else True}
        return validate_data(self, X, reset=reset, **accept)

    def _joint_log_likelihood(self, X: Any) -> Floats:
        """Return the log numerator of eq. (20) or of eq. (19), (n, C)."""
        return _attenuate(*evidence(self.estimator_, X), self.k_, self.rule)

    def predict_log_proba(self, X: Matrix) -> Floats:
        """Return log P(c|x) in nats, (n, C): Carlos (2015), eq. (20) or (19)."""
        check_is_fitted(self)
        return log_attenuated_posterior(*evidence(self.estimator_, self._check_rows(X)), self.k_, self.rule)

    def predict(self, X: Matrix) -> NDArray:
        """Return the most probable class of each row, (n,); under eq. (20) it is the estimator's own decision."""
        check_is_fitted(self)
        if self.rule == "approximate":
            return self.estimator_.predict(self._check_rows(X))
        return super().predict(X)

    def __sklearn_tags__(self) -> Tags:
        tags, own = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.input_tags, tags.classifier_tags = own.input_tags, own.classifier_tags
        return tags

"""A fitted naive Bayes model with one correction learned from rows that it has not seen."""

from __future__ import annotations  # signatures stay as short as they are written

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_softmax
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import BaseCrossValidator, StratifiedKFold, check_cv
from sklearn.utils import Tags, column_or_1d, get_tags
from sklearn.utils.validation import check_is_fitted

from nbcore._base import Floats, Matrix, as_rows, check_classes, check_weights, encode_labels, log
from nbcore.calibration import best_temperature
from nbcore.checks import one_of, refuse, require
from nbcore.diagnosis.finding import ERRORS
from nbcore.diagnosis.recipe import FLOOR, Recipe, Scores, fit_folds, join_scores, row_losses, scores, unwrap
from nbcore.perplexed import best_k, end_of_grid_advice, fit_weighted, log_attenuated_posterior, normalise_log

ALPHAS = np.geomspace(1e-4, 100, 25)
LEAST_ERRORS = 3  # of n rows without an error as many as 3 / n may be wrong (the rule of three)


class Method(NamedTuple):
    """A correction: how it is learned from labelled rows and their weights, and the log posteriors that it gives."""

    name: str
    learn: Callable[[Scores, NDArray[np.intp], Floats | None], Any]
    log_posterior: Callable[[Scores, Any], Floats]


def _learn_temperature(scores: Scores, code: NDArray[np.intp], weight: Floats | None) -> float:
    """Find the temperature with the least log loss; 1 instead of a lower one if next to no row is decided wrongly."""
    T = best_temperature(code, np.maximum(scores.log_p, 2 * FLOOR), range(scores.log_p.shape[1]), weight)
    return T if T >= 1 or (scores.log_p.argmax(axis=1) != code).sum() >= LEAST_ERRORS else 1.0


def _learn_isotonic(scores: Scores, code: NDArray[np.intp], weight: Floats | None) -> list[IsotonicRegression]:
    """Fit a rising curve for each class, one against the rest: scikit-learn's IsotonicRegression."""
    curve = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip")
    return [clone(curve).fit(p, code == c, weight) for c, p in enumerate(scores.log_p.clip(-1e6).T)]


def _apply_isotonic(scores: Scores, curves: list[IsotonicRegression]) -> Floats:
    """Return log posteriors by the curves, renormalised; uniform where all curves give 0."""
    log_p = scores.log_p.clip(-1e6).T
    p = np.stack([curve.predict(column) for curve, column in zip(curves, log_p, strict=True)], axis=1)
    total = p.sum(axis=1, keepdims=True)
    return log(np.where(total > 0, p / np.where(total > 0, total, 1), 1 / p.shape[1]))


def _learn_shares(scores: Scores, code: NDArray[np.intp], weight: Floats | None) -> Floats:
    """Return P(c) = (N_c + 1) / (N + C)."""
    count = np.bincount(code, weight, scores.joint.shape[1]) + 1.0
    return count / count.sum()


def _apply_prior(scores: Scores, share: Floats) -> Floats:
    """Return log posteriors with another prior."""
    joint = np.where(scores.log_prior > -np.inf, scores.evidence[0], -np.inf) + np.log(share)
    return normalise_log(joint, np.log(share))


def _learn_alpha(scores: Scores, code: NDArray[np.intp], weight: Floats | None) -> float:
    """Find the pseudo-count under which the model's own counts give these rows the least log loss."""
    log_p = METHODS["alpha"].log_posterior
    return float(min(ALPHAS, key=lambda alpha: np.average(row_losses(log_p(scores, alpha), code), weights=weight)))


METHODS = {
    "temperature": Method(  # Guo et al. (2017); log posteriors below -72 count as -72
        "one temperature", _learn_temperature, lambda s, T: log_softmax(np.maximum(s.log_p, 2 * FLOOR) / T, axis=1)
    ),
    "perplexed": Method(  # Carlos (2015), eq. (20): it can lower confidence and cannot raise it
        "Perplexed Bayes, eq. (20)",
        lambda s, code, w: best_k(s.evidence, code, classes=range(s.joint.shape[1]), sample_weight=w),
        lambda s, k: log_attenuated_posterior(*s.evidence, k),
    ),
    "isotonic": Method("isotonic regression", _learn_isotonic, _apply_isotonic),
    "prior": Method("the held-out rows' shares as prior", _learn_shares, _apply_prior),
    "alpha": Method(
        "the alpha that held-out rows choose", _learn_alpha, lambda s, a: normalise_log(s.at_alpha(a), s.log_prior)
    ),
}
CALIBRATORS = "temperature", "perplexed", "isotonic"  # of which "best" takes one, the first in doubt


def cross_fitted_losses(name: str, scores: Scores, code: NDArray, folds: Any, weight: Floats | None = None) -> Floats:
    """Return the loss of each row, (n,), by the correction of that name, learned from the other folds."""
    losses = np.zeros(len(code))
    for learn, held in folds:
        own = None if weight is None else weight[learn]
        value = METHODS[name].learn(scores.select_rows(learn), code[learn], own)
        losses[held] = row_losses(METHODS[name].log_posterior(scores.select_rows(held), value), code[held])
    return losses


def _best_method(scores: Scores, code: NDArray[np.intp], weight: Floats | None) -> str:
    """Return the calibrator that surely has less log loss than a temperature on rows it has not learned from.

    Without such a one the temperature: the curves of "isotonic" may call impossible what happens next.
    """
    n_folds = int(min(5, np.bincount(code)[np.unique(code)].min()))
    if n_folds < 2:
        return CALIBRATORS[0]
    folds = list(StratifiedKFold(n_folds, shuffle=True, random_state=0).split(code, code))
    losses = np.stack([cross_fitted_losses(name, scores, code, folds, weight) for name in CALIBRATORS])
    gains = (losses[0] - losses) * (1 if weight is None else weight / weight.mean())
    surplus = gains.mean(axis=1) - ERRORS * gains.std(axis=1, ddof=1) / np.sqrt(len(code))
    return CALIBRATORS[int(surplus.argmax())]


class Adjusted(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A naive Bayes model with one correction learned from rows that the model has not seen.

    Parameters
    ----------
    model : a naive Bayes of nbcore or scikit-learn, or a pipeline that ends in one. Fitted, and left as it is; unfitted
        if `cv` is given
    method : "temperature" (Guo et al., 2017), "perplexed" (Carlos (2015), eq. (20)), "isotonic" (scikit-learn), "best"
        (a temperature, unless another of these three surely has less cross-validated log loss), "prior" (the classes'
        shares), or "alpha" (the pseudo-count, for models of counts)
    cv : None: `fit` gets rows that the model has not seen. An int or a splitter: `fit` gets the training rows, learns
        from out-of-fold posteriors, and fits the model to all rows

    Learned: `method_`; `value_`, the temperature, k of "perplexed", prior (C,) or alpha, or the curves of "isotonic";
    `model_`, `classes_`.

    Warns (ConvergenceWarning) if k ends at an end of its grid, or if a temperature would make the posteriors more
    certain, but fewer than three of the rows are decided wrongly: then it stays at 1.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from nbcore.diagnosis import Adjusted
    >>> from nbcore.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = Adjusted(GaussianNB(), "temperature", cv=5).fit(X, y)
    >>> bool(model.value_ > 5)  # 30 measurements that repeat each other: far too sure
    True
    """

    def __init__(self, model: Any, method: str = "best", cv: int | BaseCrossValidator | None = None) -> None:
        self.model = model
        self.method = method
        self.cv = cv

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from rows X (n, F) and labels y (n,), which count as often as their weights (n,) say. Returns self.

        ValueError: an unknown method or label, or weights for a model that knows none.
        """
        one_of("method", self.method, ["best", *METHODS])
        X, labels = as_rows(X), column_or_1d(y, warn=True)
        weight = None if sample_weight is None else check_weights(sample_weight, len(labels))
        check_classes(labels)
        if self.cv is None:
            fitted = hasattr(self.model, "classes_")
            require(fitted, "model", self.model, "fitted already, and given rows it has not seen; else pass cv=5")
            self.model_ = self.model
            scored = scores(self.model_, X)
        else:
            self.model_ = fit_weighted(clone(self.model), X, labels, weight)
            folds = check_cv(self.cv, labels, classifier=True).split(np.zeros(len(labels)), labels)
            scored = join_scores(fit_folds(self.model, X, labels, folds, weight), X, self.model_.classes_)
        if self.method == "alpha" and (event := unwrap(self.model_).event) in ("gaussian", "complement"):
            refuse("method", self.method, f"another one for a {event} model, which has no counts to read anew")
        for learned in ("classes_", "n_features_in_", "feature_names_in_"):
            if hasattr(self.model_, learned):
                setattr(self, learned, getattr(self.model_, learned))
        code = encode_labels(labels, self.classes_)
        self.method_ = _best_method(scored, code, weight) if self.method == "best" else self.method
        self.value_ = METHODS[self.method_].learn(scored, code, weight)
        asked = self.method == "perplexed"
        advice = end_of_grid_advice(self.value_, scored.n_features, sample_weight=weight) if asked else None
        if self.method_ == "temperature" and self.value_ == 1:
            advice = f"Fewer than {LEAST_ERRORS} of the {len(code)} rows are decided wrongly: too few to tell how much "
            advice += "more certain the posteriors may be. They stay as they are (temperature 1); more rows may tell."
        if advice:
            warnings.warn(advice, ConvergenceWarning, stacklevel=2)
        return self

    def __sklearn_clone__(self) -> Adjusted:
        """Return an unfitted copy that keeps the fitted model inside."""
        return Adjusted(self.model if self.cv is None else clone(self.model), self.method, self.cv)

    def __sklearn_tags__(self) -> Tags:
        tags, own = super().__sklearn_tags__(), get_tags(self.model)
        tags.input_tags, tags.classifier_tags = own.input_tags, own.classifier_tags
        return tags

    def _recipe(self) -> Recipe:
        """Return the recipe of the model inside; built anew, it is an Adjusted again."""
        inner = unwrap(self.model_)
        scales, model = {"perplexed": lambda n: self.value_ / (n + 1)}, inner.scale
        if model is not None:
            scales["temperature"] = lambda n: model(n) / self.value_
        method, cv, scale = self.method, self.cv or 5, scales.get(self.method_)
        return replace(inner, build=lambda change, nb: Adjusted(inner.build(change, nb), method, cv), scale=scale)

    def predict_log_proba(self, X: Matrix) -> Floats:
        """Return log P(c|x) in nats, (n, C)."""
        check_is_fitted(self)
        return METHODS[self.method_].log_posterior(scores(self.model_, as_rows(X)), self.value_)

    def predict_proba(self, X: Matrix) -> Floats:
        """Return P(c|x), (n, C), rows sum to 1."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Matrix) -> NDArray[Any]:
        """Return the most probable class of each row, (n,)."""
        check_is_fitted(self)
        return self.classes_[self.predict_log_proba(X).argmax(axis=1)]

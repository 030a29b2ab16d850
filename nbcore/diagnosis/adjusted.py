"""A fitted naive Bayes model with one correction learned from rows that it has not seen."""

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import BaseCrossValidator, check_cv
from sklearn.utils import Tags, _safe_indexing, column_or_1d, get_tags
from sklearn.utils.validation import check_is_fitted

from nbcore._base import Floats, Matrix, encode_labels, log
from nbcore.checks import one_of, refuse
from nbcore.diagnosis.recipe import FLOOR, Recipe, Scores, as_rows, row_losses, scores, unwrap
from nbcore.perplexed import Attenuation, best_attenuation, end_of_grid_advice, normalise_log

ALPHAS = np.geomspace(1e-4, 100, 25)
TEMPERATURES = 0.01, 1000.0  # bounds of the search: posteriors almost certain, almost uniform


class Method(NamedTuple):
    """A correction: how it is learned from labelled rows, and the log posteriors that it gives to rows."""

    learn: Callable[[Scores, NDArray[np.intp]], Any]
    log_posterior: Callable[[Scores, Any], Floats]


def _apply_temperature(scores: Scores, temperature: float) -> Floats:
    """Return log P(c|x) / T, renormalised (Guo et al., 2017); log posteriors below -72 count as -72."""
    return log_softmax(np.maximum(scores.log_p, 2 * FLOOR) / temperature, axis=1)


def _learn_temperature(scores: Scores, code: NDArray[np.intp]) -> float:
    """Find the temperature with the least log loss."""
    def loss(log_t: float) -> float:
        return float(row_losses(_apply_temperature(scores, np.exp(log_t)), code).mean())

    found = minimize_scalar(loss, bounds=np.log(TEMPERATURES), method="bounded", options={"xatol": 1e-3})
    return float(np.exp(found.x))


def _scores_evidence(scores: Scores) -> tuple[Floats, Floats, Floats]:
    """Return scores in the form that `nbcore.perplexed` takes."""
    return scores.log_likelihood, scores.log_prior, scores.n_features


def _learn_attenuation(scores: Scores, code: NDArray[np.intp]) -> Attenuation:
    """Choose the k of least log loss, or its fallback; either can lower confidence and cannot raise it."""
    return best_attenuation(_scores_evidence(scores), code, classes=range(scores.joint.shape[1]))


def _apply_attenuation(scores: Scores, attenuation: Attenuation) -> Floats:
    """Return log posteriors (n, C) by Carlos (2015), eq. (20), or by its fallback."""
    return attenuation.log_posterior(_scores_evidence(scores))


def _learn_isotonic(scores: Scores, code: NDArray[np.intp]) -> list[IsotonicRegression]:
    """Fit a rising curve for each class, one against the rest: scikit-learn's IsotonicRegression."""
    log_p = scores.log_p.clip(-1e6).T
    return [IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(p, code == c) for c, p in enumerate(log_p)]


def _apply_isotonic(scores: Scores, curves: list[IsotonicRegression]) -> Floats:
    """Return log posteriors by the curves, renormalised; uniform where all curves give 0."""
    log_p = scores.log_p.clip(-1e6).T
    p = np.stack([curve.predict(column) for curve, column in zip(curves, log_p, strict=True)], axis=1)
    total = p.sum(axis=1, keepdims=True)
    return log(np.where(total > 0, p / np.where(total > 0, total, 1), 1 / p.shape[1]))


def _learn_shares(scores: Scores, code: NDArray[np.intp]) -> Floats:
    """Return P(c) = (N_c + 1) / (N + C)."""
    count = np.bincount(code, minlength=scores.joint.shape[1]) + 1.0
    return count / count.sum()


def _apply_prior(scores: Scores, share: Floats) -> Floats:
    """Return log posteriors with another prior."""
    joint = np.where(scores.log_prior > -np.inf, scores.log_likelihood, -np.inf) + np.log(share)
    return normalise_log(joint, np.log(share))


def _learn_alpha(scores: Scores, code: NDArray[np.intp]) -> float:
    """Find the pseudo-count under which the model's own counts give these rows the least log loss."""
    return float(min(ALPHAS, key=lambda alpha: row_losses(_apply_alpha(scores, alpha), code).mean()))


def _apply_alpha(scores: Scores, alpha: float) -> Floats:
    """Return log posteriors with another pseudo-count."""
    return normalise_log(scores.at_alpha(alpha), scores.log_prior)


METHODS = {
    "temperature": Method(_learn_temperature, _apply_temperature),
    "perplexed": Method(_learn_attenuation, _apply_attenuation),
    "isotonic": Method(_learn_isotonic, _apply_isotonic),
    "prior": Method(_learn_shares, _apply_prior),
    "alpha": Method(_learn_alpha, _apply_alpha),
}


class Adjusted(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A naive Bayes model with one correction learned from rows that the model has not seen.

    Parameters
    ----------
    model : a naive Bayes of nbcore or scikit-learn, or a pipeline that ends in one. Fitted, and left as it is; unfitted
        if `cv` is given
    method : "temperature" (Guo et al., 2017), "perplexed" (Carlos (2015), eq. (20)), "isotonic" (scikit-learn), "prior"
        (the classes' shares), or "alpha" (the pseudo-count, for models of counts)
    cv : None: `fit` gets rows that the model has not seen. An int or a splitter: `fit` gets the training rows, learns
        from out-of-fold posteriors, and fits the model to all rows

    Learned: `value_`, the temperature, prior (C,) or alpha, the curves of "isotonic", or the `Attenuation` of
    "perplexed", with its k; `model_`, `classes_`.

    Warns (ConvergenceWarning) if k ends at an end of its grid, and what replaces it is used: see `best_attenuation`.

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

    def __init__(self, model: Any, method: str = "temperature", cv: int | BaseCrossValidator | None = None) -> None:
        self.model = model
        self.method = method
        self.cv = cv

    def fit(self, X: Matrix, y: ArrayLike) -> Self:
        """Learn from rows X (n, F) and labels y (n,). Returns self. ValueError: an unknown method or label."""
        one_of("method", self.method, METHODS)
        X, labels = as_rows(X), column_or_1d(y, warn=True)
        if self.cv is None:
            self.model_ = self.model
            scored = scores(self.model_, X)
        else:
            self.model_ = clone(self.model).fit(X, labels)
            scored = self._out_of_fold(X, labels)
        event = unwrap(self.model_).event
        if self.method == "alpha" and event in ("gaussian", "complement"):
            refuse("method", self.method, f"another one for a {event} model, which has no counts to read anew")
        for learned in ("classes_", "n_features_in_", "feature_names_in_"):
            if hasattr(self.model_, learned):
                setattr(self, learned, getattr(self.model_, learned))
        self.value_ = METHODS[self.method].learn(scored, encode_labels(labels, self.classes_))
        if self.method == "perplexed" and self.value_.fallback:
            warnings.warn(end_of_grid_advice(self.value_), ConvergenceWarning, stacklevel=2)
        return self

    def _out_of_fold(self, X: Any, y: NDArray[Any]) -> Scores:
        """Return the scores of all rows, each by a model fitted to the other folds."""
        parts = []
        for learn, held in check_cv(self.cv, y, classifier=True).split(np.zeros(len(y)), y):
            fitted = clone(self.model).fit(_safe_indexing(X, learn), y[learn])
            scored = scores(fitted, _safe_indexing(X, held))
            parts.append((held, scored.expand_classes(fitted.classes_, self.model_.classes_)))  # a fold may lack one
        return Scores.join(parts)

    def __sklearn_clone__(self) -> "Adjusted":
        """Return an unfitted copy that keeps the fitted model inside."""
        return Adjusted(self.model if self.cv is None else clone(self.model), self.method, self.cv)

    def __sklearn_tags__(self) -> Tags:
        tags, own = super().__sklearn_tags__(), get_tags(self.model)
        tags.input_tags, tags.classifier_tags = own.input_tags, own.classifier_tags
        return tags

    def _recipe(self) -> Recipe:
        """Return the recipe of the model inside; built anew, it is an Adjusted again."""
        inner = unwrap(self.model_)
        return replace(inner, build=lambda change, nb: Adjusted(inner.build(change, nb), self.method, self.cv or 5))

    def predict_log_proba(self, X: Matrix) -> Floats:
        """Return log P(c|x) in nats, (n, C)."""
        check_is_fitted(self)
        return METHODS[self.method].log_posterior(scores(self.model_, as_rows(X)), self.value_)

    def predict_proba(self, X: Matrix) -> Floats:
        """Return P(c|x), (n, C), rows sum to 1."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Matrix) -> NDArray[Any]:
        """Return the most probable class of each row, (n,)."""
        check_is_fitted(self)
        return self.classes_[self.predict_log_proba(X).argmax(axis=1)]

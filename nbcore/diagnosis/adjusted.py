"""A fitted naive Bayes with one thing set right by rows that it has not seen."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import BaseCrossValidator, check_cv
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted

from nbcore._base import Floats, Matrix, encode_labels, log
from nbcore.checks import one_of, refuse
from nbcore.diagnosis.recipe import FLOOR, Recipe, Scores, row_losses, scores, unwrap
from nbcore.perplexed import best_k, log_attenuated_posterior

__all__ = ["ALPHAS", "METHODS", "Adjusted"]

ALPHAS = np.geomspace(1e-4, 100, 25)
TEMPERATURES = 0.01, 1000.0  # from all but certain to all but uniform


Learned = tuple[float | NDArray | None, Callable[[Scores], Floats]]  # what was learned, and scores -> log posteriors


def _temperature(scores: Scores, code: NDArray) -> Learned:
    """Guo et al. (2017): log P(c|x) / T, renormalised."""
    finite = np.maximum(scores.log_p, 2 * FLOOR)

    def loss(log_t: float) -> float:
        return float(row_losses(log_softmax(finite * np.exp(-log_t), axis=1), code).mean())

    T = float(np.exp(minimize_scalar(loss, bounds=np.log(TEMPERATURES), method="bounded", options={"xatol": 1e-3}).x))
    return T, lambda new: log_softmax(np.maximum(new.log_p, 2 * FLOOR) / T, axis=1)


def _perplexed(scores: Scores, code: NDArray) -> Learned:
    """Carlos (2015), eq. (20), with the k of least log loss: it can take confidence away, and cannot add any."""

    def evidence(s: Scores) -> tuple[Floats, Floats, Floats]:
        possible = s.log_prior > -np.inf
        return np.where(possible, s.joint - np.where(possible, s.log_prior, 0.0), 0.0), s.log_prior, s.n_features

    k = best_k(evidence(scores), code, classes=range(scores.joint.shape[1]))
    return k, lambda new: log_attenuated_posterior(*evidence(new), k)


def _isotonic(scores: Scores, code: NDArray) -> Learned:
    """A rising curve for each class, one against the rest, renormalised: scikit-learn's IsotonicRegression."""
    classes = range(scores.log_p.shape[1])
    curves = [
        IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(scores.log_p[:, c].clip(-1e6), code == c)
        for c in classes
    ]

    def posterior(new: Scores) -> Floats:
        p = np.stack([curves[c].predict(new.log_p[:, c].clip(-1e6)) for c in classes], axis=1)
        total = p.sum(axis=1, keepdims=True)
        return log(np.where(total > 0, p / np.where(total > 0, total, 1), 1 / p.shape[1]))

    return None, posterior


def _prior(scores: Scores, code: NDArray) -> Learned:
    """P(c) = (N_c + 1) / (N + C) of these rows in place of the model's own."""
    count = np.bincount(code, minlength=scores.joint.shape[1]) + 1.0
    share = count / count.sum()

    def posterior(new: Scores) -> Floats:
        possible = new.log_prior > -np.inf
        joint = np.where(possible, new.joint - np.where(possible, new.log_prior, 0.0), -np.inf) + np.log(share)
        nothing = np.isneginf(joint).all(axis=1, keepdims=True)
        return log_softmax(np.where(nothing, np.log(share), joint), axis=1)

    return share, posterior


def _alpha(scores: Scores, code: NDArray) -> Learned:
    """The pseudo-count under which the model's own counts give these rows the least log loss."""

    def posterior(s: Scores, alpha: float) -> Floats:
        joint = s.at_alpha(alpha)
        return joint - logsumexp(joint, axis=1, keepdims=True)

    losses = [row_losses(posterior(scores, a), code).mean() for a in ALPHAS]
    alpha = float(ALPHAS[np.argmin(losses)])
    return alpha, lambda new: posterior(new, alpha)


METHODS: dict[str, Callable[[Scores, NDArray], Learned]] = {
    "temperature": _temperature,
    "perplexed": _perplexed,
    "isotonic": _isotonic,
    "prior": _prior,
    "alpha": _alpha,
}


class Adjusted(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A naive Bayes model of which one thing is learned from rows that it has not seen.

    Parameters
    ----------
    model : a naive Bayes of nbcore or scikit-learn, or a pipeline that ends in one. Fitted, and left as it is; unfitted
        if `cv` is given
    method : "temperature" (Guo et al., 2017), "perplexed" (Carlos (2015), eq. (20)), "isotonic" (scikit-learn), "prior"
        (the classes' shares), or "alpha" (the pseudo-count, for models of counts)
    cv : None: `fit` gets rows that the model has not seen. An int or a splitter: `fit` gets the training rows, learns
        from out-of-fold posteriors, and fits the model to all rows

    Learned: `value_`, the temperature, k, prior (C,) or alpha, None for the curves of "isotonic"; `model_`, `classes_`.

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
        labels = np.asarray(y)
        if self.cv is None:
            self.model_ = self.model
            said = scores(self.model_, X)
        else:
            self.model_ = clone(self.model).fit(X, labels)
            folds = check_cv(self.cv, labels, classifier=True).split(np.zeros(len(labels)), labels)
            said = Scores.joined(
                [
                    (
                        held,
                        scores(clone(self.model).fit(_safe_indexing(X, learn), labels[learn]), _safe_indexing(X, held)),
                    )
                    for learn, held in folds
                ]
            )
        self.classes_ = self.model_.classes_
        recipe = unwrap(self.model_)
        if self.method == "alpha" and recipe.event in ("gaussian", "complement"):
            refuse("method", self.method, f"another one for a {recipe.event} model, which has no counts to read anew")
        self.value_, self._posterior = METHODS[self.method](said, encode_labels(labels, self.classes_))
        return self

    def __sklearn_clone__(self) -> "Adjusted":
        """A copy that has learned nothing; the fitted model inside stays fitted."""
        return Adjusted(self.model if self.cv is None else clone(self.model), self.method, self.cv)

    def _recipe(self) -> Recipe:
        """How `unwrap` takes it apart: as the model inside, which is then built anew."""
        inner = unwrap(self.model_)
        return replace(inner, build=lambda change, nb: Adjusted(inner.build(change, nb), self.method, self.cv or 5))

    def predict_log_proba(self, X: Matrix) -> Floats:
        """log P(c|x) in nats, (n, C)."""
        check_is_fitted(self)
        return self._posterior(scores(self.model_, X))

    def predict_proba(self, X: Matrix) -> Floats:
        """P(c|x), (n, C), rows sum to 1."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Matrix) -> NDArray[Any]:
        """The most probable class of each row, (n,)."""
        return self.classes_[self.predict_log_proba(X).argmax(axis=1)]

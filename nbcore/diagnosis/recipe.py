"""Decomposition of a naive Bayes model: the transformations before it, the naive Bayes, and its scores of rows."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import log_softmax
from sklearn import naive_bayes as sklearn_nb
from sklearn.base import clone
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted

from nbcore._base import BaseNB, Floats, encode_labels, log
from nbcore.checks import refuse
from nbcore.mixed import MixedNB
from nbcore.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from nbcore.perplexed import PerplexedBayes

FLOOR = float(np.log(np.finfo(float).eps))  # a smaller posterior counts as this one: as in sklearn.metrics.log_loss

EVENTS: dict[type[BaseNB], str] = {
    GaussianNB: "gaussian",
    MultinomialNB: "multinomial",
    BernoulliNB: "bernoulli",
    CategoricalNB: "categorical",
    MixedNB: "mixed",
}


def row_losses(log_p: Floats, code: NDArray[np.intp]) -> Floats:
    """Return -log P(true class) of each row, in nats, (n,); a posterior below 2.2e-16 counts as that."""
    return -np.maximum(log_p[np.arange(len(code)), code], FLOOR)


@dataclass(frozen=True)
class Scores:
    """The joint and posterior log probabilities of n rows, and the parts that they are made of."""

    joint: Floats  # log P(c, x), (n, C)
    log_prior: Floats  # log P(c), (n, C)
    n_features: Floats  # (n,): tokens for counts
    log_p: Floats  # log P(c|x), (n, C), of the whole model
    at_alpha: Callable[[float], Floats]  # the joint with another alpha; for models of counts

    @property
    def log_likelihood(self) -> Floats:
        """Return log P(x|c), (n, C); 0 for a class of prior 0, which its prior rules out."""
        possible = self.log_prior > -np.inf
        return np.where(possible, self.joint - np.where(possible, self.log_prior, 0.0), 0.0)

    def _map(self, change: Callable[[Floats], Floats], n_features: Floats) -> "Scores":
        """Return scores with `change` applied to each array of log probabilities (n, C)."""
        at_alpha = self.at_alpha
        return Scores(
            change(self.joint), change(self.log_prior), n_features, change(self.log_p), lambda a: change(at_alpha(a))
        )

    def select_rows(self, rows: NDArray) -> "Scores":
        """Return the scores of a subset of the rows, given by number."""
        return self._map(lambda values: values[rows], self.n_features[rows])

    def expand_classes(self, own_classes: Any, classes: NDArray[Any]) -> "Scores":
        """Return scores with a column for every one of the classes; those not in `own_classes` get probability 0."""
        own = encode_labels(np.asarray(own_classes), classes)

        def spread(values: Floats) -> Floats:
            out = np.full((len(values), len(classes)), -np.inf)
            out[:, own] = values
            return out

        return self._map(spread, self.n_features)

    @staticmethod
    def join(parts: list[tuple[NDArray, "Scores"]]) -> "Scores":
        """Return the scores of all rows, in order, from parts of them: (row numbers, scores)."""
        order = np.argsort(np.concatenate([rows for rows, _ in parts]))

        def put(values: Iterable[Floats]) -> Floats:
            return np.concatenate(list(values))[order]

        each = [scores for _, scores in parts]
        return Scores(
            put(s.joint for s in each),
            put(s.log_prior for s in each),
            put(s.n_features for s in each),
            put(s.log_p for s in each),
            lambda alpha: put(s.at_alpha(alpha) for s in each),
        )


@dataclass(frozen=True)
class Recipe:
    """A model taken apart: its transformation of X, the naive Bayes at its end, and how to build such a model anew."""

    nb: Any  # a naive Bayes of nbcore, with the probabilities of `own`
    own: Any  # the model's own naive Bayes, of nbcore or of scikit-learn
    event: str  # gaussian | multinomial | complement | bernoulli | categorical | mixed
    transform: Callable[[Any], Any]
    names: Callable[[Any], Any]  # names of the columns after the transformation, given those before
    build: Callable[[Any, Any], Any]  # (a transformer or None, an unfitted naive Bayes) -> an unfitted model
    steps: tuple[Any, ...] = ()  # the fitted transformers before the naive Bayes, in order


def as_rows(X: Any) -> Any:
    """Convert a sparse matrix to CSR, and lists to an array; return arrays and data frames unchanged."""
    if sparse.issparse(X):
        return X.tocsr()
    return X if hasattr(X, "shape") and hasattr(X, "__getitem__") else np.asarray(X)


def unwrap(model: Any) -> Recipe:
    """Take a model apart: a naive Bayes, also in pipelines, PerplexedBayes or Adjusted; ValueError for any other."""
    if isinstance(model, Pipeline):
        inner, before = unwrap(model.steps[-1][1]), model[:-1]

        def rebuild(change: Any, nb: Any) -> Pipeline:
            return Pipeline([*clone(before).steps, (model.steps[-1][0], inner.build(change, nb))])

        if not len(before):
            return inner
        return replace(
            inner,
            transform=lambda X: inner.transform(before.transform(X)),
            names=lambda names: before.get_feature_names_out(names),
            build=rebuild,
            steps=(*(step for _, step in before.steps), *inner.steps),
        )
    if isinstance(model, PerplexedBayes):
        check_is_fitted(model)
        inner = unwrap(model.estimator_)
        return replace(inner, build=lambda change, nb: _prepend(change, clone(model).set_params(estimator=nb)))
    if hasattr(model, "_recipe"):
        check_is_fitted(model)
        return model._recipe()
    nb, event = _as_nbcore(model)
    return Recipe(nb, model, event, lambda X: X, lambda names: names, _prepend)


def _prepend(change: Any, nb: Any) -> Any:
    """Return a pipeline of the transformer `change` and the naive Bayes; the naive Bayes alone if it is None."""
    return nb if change is None else make_pipeline(change, nb)


def _as_nbcore(model: Any) -> tuple[Any, str]:
    """Return a naive Bayes of nbcore with the probabilities of a fitted one of scikit-learn, and its event model."""
    known = isinstance(model, BaseNB) or type(model).__module__ == sklearn_nb.__name__
    if known:
        check_is_fitted(model)
    for kind, event in EVENTS.items():
        if type(model) is kind:
            return model, event
    if not known or not isinstance(model, sklearn_nb._BaseNB):
        refuse(
            "model",
            type(model).__name__,
            "a naive Bayes classifier of nbcore (Gaussian, Multinomial, Bernoulli, Categorical, Mixed) or of "
            "scikit-learn, alone, in PerplexedBayes, or at the end of a Pipeline",
        )
    nb: Any
    if isinstance(model, sklearn_nb.GaussianNB):
        nb = GaussianNB(var_smoothing=model.var_smoothing)
        nb.theta_, nb.var_, nb.class_log_prior_ = model.theta_, model.var_, log(model.class_prior_)
        event = "gaussian"
    elif isinstance(model, sklearn_nb.CategoricalNB):
        nb = CategoricalNB(alpha=model.alpha, handle_unknown="ignore")
        nb.category_count_, nb.n_categories_ = model.category_count_, np.array(model.n_categories_, dtype=np.int64)
        event = "categorical"
    elif isinstance(model, sklearn_nb.BernoulliNB):
        nb = BernoulliNB(alpha=model.alpha, binarize=model.binarize)
        nb.feature_count_, nb._documents = model.feature_count_, model.class_count_[:, None]
        event = "bernoulli"
    else:
        nb = MultinomialNB(alpha=model.alpha)
        nb.feature_count_, event = model.feature_count_, "multinomial"
    nb.classes_, nb.class_count_ = model.classes_, model.class_count_
    nb.n_features_in_ = model.n_features_in_
    if event != "gaussian":
        nb._estimate()
        nb.class_log_prior_ = model.class_log_prior_
    if isinstance(model, sklearn_nb.ComplementNB):  # its scores are linear in the counts too, but use no prior
        nb.feature_log_prob_, event = model.feature_log_prob_, "complement"
        nb.class_log_prior_ = np.zeros(len(model.classes_))
    return nb, event


def scores(model: Any, X: Any) -> Scores:
    """Return the scores of rows X by any model that `unwrap` knows."""
    recipe = unwrap(model)
    Z = recipe.transform(X)
    nb, n = recipe.nb, Z.shape[0]
    joint = nb.predict_joint_log_proba(_without_names(nb, Z))
    prior = np.broadcast_to(nb.class_log_prior_, joint.shape)
    counted = recipe.event in ("multinomial", "complement")
    n_features = np.asarray(Z.sum(axis=1), dtype=float).ravel() if counted else np.full(n, float(Z.shape[1]))

    def at_alpha(alpha: float) -> Floats:
        return nb.smoothed(alpha).predict_joint_log_proba(_without_names(nb, Z))

    log_p = log_softmax(nb._joint_or_prior(joint), axis=1) if recipe.own is model else model.predict_log_proba(X)
    return Scores(joint, prior, n_features, log_p, at_alpha)


def _without_names(nb: Any, Z: Any) -> Any:
    """Return Z without column names if the model has none, as scikit-learn warns about names that fit has not seen."""
    if hasattr(nb, "feature_names_in_") or not hasattr(Z, "columns"):
        return Z
    return Z.to_numpy()


def contributions(recipe: Recipe, Z: Any, columns: NDArray) -> Floats:
    """Return log P(x_f|c) of transformed rows Z, (n, C, columns)."""
    nb = recipe.nb
    if len(columns) == Z.shape[1] or recipe.event not in ("multinomial", "complement", "bernoulli"):
        return nb.feature_contributions(_without_names(nb, Z))[:, :, columns]
    part = _safe_indexing(Z, columns, axis=1)
    part = (part.toarray() if sparse.issparse(part) else np.asarray(part))[:, None]
    present = nb.feature_log_prob_[:, columns]
    if recipe.event == "bernoulli":
        return np.where(part > (nb.binarize or 0.0), present, nb.absent_log_prob()[:, columns])
    with np.errstate(invalid="ignore"):
        return np.where(part == 0, 0.0, part * present)

"""Decomposition of a naive Bayes model: the transformations before it, the naive Bayes, and its scores of rows."""

import warnings
from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax
from sklearn import naive_bayes as sklearn_nb
from sklearn.base import clone
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted

from nbcore._base import BaseNB, Floats, encode_labels, log
from nbcore.checks import refuse
from nbcore.mixed import MixedNB
from nbcore.mixed.columns import MODELS
from nbcore.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from nbcore.perplexed import Evidence, PerplexedBayes, evidence, fit_weighted, split_joint

FLOOR = float(np.log(np.finfo(float).eps))  # a smaller posterior counts as this one: as in sklearn.metrics.log_loss

EVENTS: dict[type[BaseNB], str] = {kind: event for event, kind in MODELS.items()} | {MixedNB: "mixed"}
SKLEARN: dict[type, tuple[type[BaseNB], str, tuple[str, ...]]] = {  # ours, its event, and what it takes over
    sklearn_nb.GaussianNB: (GaussianNB, "gaussian", ("theta_", "var_", "epsilon_")),
    sklearn_nb.MultinomialNB: (MultinomialNB, "multinomial", ("feature_count_",)),
    sklearn_nb.ComplementNB: (MultinomialNB, "complement", ("feature_count_",)),
    sklearn_nb.BernoulliNB: (BernoulliNB, "bernoulli", ("feature_count_",)),
    sklearn_nb.CategoricalNB: (CategoricalNB, "categorical", ("category_count_",)),
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
    def evidence(self) -> Evidence:
        """Return log P(x|c), (n, C), the log prior and the number of features, as `nbcore.perplexed` takes them."""
        return split_joint(self.joint, self.log_prior), self.log_prior, self.n_features

    def select_rows(self, rows: NDArray) -> "Scores":
        """Return the scores of a subset of the rows, given by number."""
        arrays = {name: getattr(self, name)[rows] for name in ("joint", "log_prior", "n_features", "log_p")}
        return replace(self, **arrays, at_alpha=lambda alpha: self.at_alpha(alpha)[rows])


@dataclass(frozen=True)
class Recipe:
    """A model taken apart: its transformation of X, the naive Bayes at its end, and how to build such a model anew."""

    nb: Any  # a naive Bayes of nbcore, with the probabilities of `own`
    own: Any  # the model's own naive Bayes, of nbcore or of scikit-learn
    event: str  # gaussian | multinomial | complement | bernoulli | categorical | mixed
    transform: Callable[[Any], Any]
    names: Callable[[Any], Any]  # names of the columns after the transformation, given those before
    build: Callable[[Any, Any], Any]  # (a transformer or None, an unfitted naive Bayes) -> an unfitted model
    scale: Callable[[Floats], Floats] | None = np.ones_like  # n_features (n,) -> a factor of log odds; None: no factor


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
            names=lambda names: inner.names(before.get_feature_names_out(names)),
            build=rebuild,
        )
    if isinstance(model, PerplexedBayes):
        check_is_fitted(model)
        inner = unwrap(model.estimator_)
        return replace(
            inner,
            build=lambda change, nb: clone(model).set_params(estimator=inner.build(change, nb)),
            scale=(lambda n: model.k_ / (n + 1)) if model.rule == "approximate" else None,
        )
    if hasattr(model, "_recipe"):
        check_is_fitted(model)
        return model._recipe()
    nb, event = _as_nbcore(model)
    alone = nb, model, event, lambda X: X, lambda names: names
    return Recipe(*alone, lambda change, nb: nb if change is None else make_pipeline(change, nb))


def _as_nbcore(model: Any) -> tuple[Any, str]:
    """Return a naive Bayes of nbcore with the probabilities of a fitted one of scikit-learn, and its event model."""
    known = isinstance(model, BaseNB) or type(model).__module__ == sklearn_nb.__name__
    if known:
        check_is_fitted(model)
    for kind, event in EVENTS.items():
        if type(model) is kind:
            return model, event
    if not known or not isinstance(model, sklearn_nb._BaseNB):
        allowed = "a naive Bayes classifier of nbcore (Gaussian, Multinomial, Bernoulli, Categorical, Mixed) or of "
        allowed += "scikit-learn, alone, in PerplexedBayes, or at the end of a Pipeline"
        refuse("model", type(model).__name__, allowed)
    ours, event, learned = next(SKLEARN[kind] for kind in SKLEARN if isinstance(model, kind))
    nb: Any = ours()
    nb.set_params(**{name: value for name, value in model.get_params().items() if name in nb.get_params()})
    for name in (*learned, "classes_", "class_count_", "n_features_in_"):
        setattr(nb, name, getattr(model, name))
    if event == "gaussian":
        nb.class_log_prior_ = log(model.class_prior_)
        return nb, event
    if event == "categorical":
        nb.handle_unknown, nb.n_categories_ = "ignore", np.array(model.n_categories_, dtype=np.int64)
    if event == "bernoulli":
        nb._documents = model.class_count_[:, None]
    nb._estimate()
    nb.class_log_prior_ = model.class_log_prior_
    if event == "complement":  # its scores are linear in the counts too, but use no prior
        nb.feature_log_prob_, nb.class_log_prior_ = model.feature_log_prob_, np.zeros(len(model.classes_))
    return nb, event


def scores(model: Any, X: Any) -> Scores:
    """Return the scores of rows X by any model that `unwrap` knows."""
    recipe = unwrap(model)
    Z = recipe.transform(X)
    nb = recipe.nb
    log_likelihood, prior, n_features = evidence(nb, without_names(nb, Z))
    joint = log_likelihood + prior
    prior = np.broadcast_to(prior, joint.shape)

    def at_alpha(alpha: float) -> Floats:
        return nb.smoothed(alpha).predict_joint_log_proba(without_names(nb, Z))

    log_p = log_softmax(nb._joint_or_prior(joint), axis=1) if recipe.own is model else model.predict_log_proba(X)
    return Scores(joint, prior, n_features, log_p, at_alpha)


def fit_folds(
    model: Any, X: Any, y: NDArray[Any], folds: Iterable[Any], weight: Floats | None = None
) -> list[tuple[NDArray, Any]]:
    """Return for each fold (learn, held out), as row numbers, its held-out rows and a copy fitted to the others."""
    own = [(learn, held, None if weight is None else weight[learn]) for learn, held in folds]
    with warnings.catch_warnings(action="ignore", category=UserWarning):  # a reader cannot mend a fold
        return [(held, fit_weighted(clone(model), _safe_indexing(X, learn), y[learn], w)) for learn, held, w in own]


def join_scores(parts: list[tuple[NDArray, Any]], X: Any, classes: NDArray[Any]) -> Scores:
    """Return the scores of all rows, each by the model of its part; a class that this one lacks gets probability 0."""
    each = [scores(fitted, _safe_indexing(X, rows)) for rows, fitted in parts]
    own = [encode_labels(np.asarray(fitted.classes_), classes) for _, fitted in parts]
    n_features = np.zeros(sum(len(rows) for rows, _ in parts))

    def put(values: Iterable[Floats]) -> Floats:
        out = np.full((len(n_features), len(classes)), -np.inf)
        for (rows, _), columns, value in zip(parts, own, values, strict=True):
            out[np.ix_(rows, columns)] = value
        return out

    for (rows, _), part in zip(parts, each, strict=True):
        n_features[rows] = part.n_features
    arrays = put(s.joint for s in each), put(s.log_prior for s in each), n_features, put(s.log_p for s in each)
    return Scores(*arrays, lambda alpha: put(s.at_alpha(alpha) for s in each))


def without_names(nb: Any, Z: Any) -> Any:
    """Return Z without column names if the model has none, as scikit-learn warns about names that fit has not seen."""
    if hasattr(nb, "feature_names_in_") or not hasattr(Z, "columns"):
        return Z
    return Z.to_numpy()


def column_names(model: Any, recipe: Recipe, X: Any, Z: Any) -> list[Any]:
    """Return the names of the columns of Z, the transformed rows X; numbers where there are none."""
    given = getattr(model, "feature_names_in_", getattr(X, "columns", None))
    try:
        names = [str(name) for name in recipe.names(None if given is None else np.asarray(given, dtype=object))]
    except (AttributeError, TypeError, ValueError):
        names = []
    return names if len(names) == Z.shape[1] else list(range(Z.shape[1]))


def contributions(recipe: Recipe, Z: Any, columns: NDArray) -> Floats:
    """Return log P(x_f|c) of transformed rows Z, (n, C, columns)."""
    nb, few = recipe.nb, columns
    if len(columns) < Z.shape[1] and recipe.event in ("multinomial", "complement", "bernoulli"):
        nb, Z, few = copy(nb), _safe_indexing(Z, columns, axis=1), np.arange(len(columns))
        nb.n_features_in_ = len(columns)
        for name in {"feature_log_prob_", "_absent_log_prob", "feature_names_in_"} & vars(nb).keys():
            setattr(nb, name, getattr(nb, name)[..., columns])
    return nb.feature_contributions(without_names(nb, Z))[:, :, few]

"""A naive Bayes model taken apart: what happens to X before it, the naive Bayes, and what it says of rows."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import log_softmax
from sklearn import naive_bayes as theirs
from sklearn.base import clone
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted

from nbcore._base import BaseNB, Floats, log
from nbcore.checks import refuse
from nbcore.mixed import MixedNB
from nbcore.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from nbcore.perplexed import PerplexedBayes

__all__ = ["Recipe", "Scores", "contributions", "row_losses", "rows_of", "scores", "unwrap"]

FLOOR = float(np.log(np.finfo(float).eps))  # a smaller posterior counts as this one: as in sklearn.metrics.log_loss

EVENTS: dict[type[BaseNB], str] = {
    GaussianNB: "gaussian",
    MultinomialNB: "multinomial",
    BernoulliNB: "bernoulli",
    CategoricalNB: "categorical",
    MixedNB: "mixed",
}


def row_losses(log_p: Floats, code: NDArray[np.intp]) -> Floats:
    """-log P(true class) of each row, nats, (n,); a posterior below 2.2e-16 counts as that."""
    return -np.maximum(log_p[np.arange(len(code)), code], FLOOR)


@dataclass(frozen=True)
class Scores:
    """What a naive Bayes says of n rows: joint and posterior log probabilities, and what they are made of."""

    joint: Floats  # log P(c, x), (n, C)
    log_prior: Floats  # log P(c), (n, C)
    n_features: Floats  # (n,): tokens for counts
    log_p: Floats  # log P(c|x), (n, C), of the whole model
    at_alpha: Callable[[float], Floats]  # the joint with another alpha; for models of counts

    @property
    def log_likelihood(self) -> Floats:
        """log P(x|c), (n, C); 0 for a class of prior 0, which its prior rules out."""
        possible = self.log_prior > -np.inf
        return np.where(possible, self.joint - np.where(possible, self.log_prior, 0.0), 0.0)

    def rows(self, rows: NDArray) -> "Scores":
        """Of some rows."""
        return Scores(
            self.joint[rows],
            self.log_prior[rows],
            self.n_features[rows],
            self.log_p[rows],
            lambda alpha: self.at_alpha(alpha)[rows],
        )

    def among(self, own: NDArray[np.intp], n_classes: int) -> "Scores":
        """Among all classes: `own` are the columns of those the model knows; the others get probability 0."""

        def spread(values: Floats) -> Floats:
            out = np.full((len(values), n_classes), -np.inf)
            out[:, own] = values
            return out

        return Scores(
            spread(self.joint),
            spread(self.log_prior),
            self.n_features,
            spread(self.log_p),
            lambda alpha: spread(self.at_alpha(alpha)),
        )

    @staticmethod
    def joined(parts: list[tuple[NDArray, "Scores"]]) -> "Scores":
        """Of all rows, from parts of them: (row numbers, scores)."""
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
    """A model taken apart: what it does to X, the naive Bayes at its end, and how to build such a one anew."""

    nb: Any  # one of nbcore's, with the same probabilities as the model's own
    own: Any  # the model's own
    event: str  # gaussian | multinomial | complement | bernoulli | categorical | mixed
    transform: Callable[[Any], Any]
    names: Callable[[Any], Any]  # names of the columns after the transformation, given those before
    build: Callable[[Any, Any], Any]  # (a transformer or None, an unfitted naive Bayes) -> an unfitted model
    steps: tuple[Any, ...] = ()


def rows_of(X: Any) -> Any:
    """Lists and the like as an array, sparse matrices as CSR; arrays and frames as they are."""
    if sparse.issparse(X):
        return X.tocsr()
    return X if hasattr(X, "shape") and hasattr(X, "__getitem__") else np.asarray(X)


def unwrap(model: Any) -> Recipe:
    """Take a naive Bayes out of pipelines, PerplexedBayes and Adjusted; ValueError where there is none."""
    if isinstance(model, Pipeline):
        inner, before = unwrap(model.steps[-1][1]), model[:-1]

        def rebuilt(change: Any, nb: Any) -> Pipeline:
            return Pipeline([*clone(before).steps, (model.steps[-1][0], inner.build(change, nb))])

        if not len(before):
            return inner
        return Recipe(
            inner.nb,
            inner.own,
            inner.event,
            lambda X: inner.transform(before.transform(X)),
            lambda names: before.get_feature_names_out(names),
            rebuilt,
            (*(step for _, step in before.steps), *inner.steps),
        )
    if isinstance(model, PerplexedBayes):
        check_is_fitted(model)
        inner = unwrap(model.estimator_)
        return Recipe(
            inner.nb,
            inner.own,
            inner.event,
            inner.transform,
            inner.names,
            lambda change, nb: _behind(change, clone(model).set_params(estimator=nb)),
        )
    if hasattr(model, "_recipe"):
        check_is_fitted(model)
        return model._recipe()
    nb, event = _as_ours(model)
    return Recipe(nb, model, event, lambda X: X, lambda names: names, _behind)


def _behind(change: Any, nb: Any) -> Any:
    return nb if change is None else make_pipeline(change, nb)


def _as_ours(model: Any) -> tuple[Any, str]:
    """A fitted naive Bayes of scikit-learn as one of nbcore's with the same probabilities, and its event model."""
    known = isinstance(model, BaseNB) or type(model).__module__ == theirs.__name__
    if known:
        check_is_fitted(model)
    for kind, event in EVENTS.items():
        if type(model) is kind:
            return model, event
    if not known or not isinstance(model, theirs._BaseNB):
        refuse(
            "model",
            type(model).__name__,
            "a naive Bayes classifier of nbcore (Gaussian, Multinomial, Bernoulli, Categorical, Mixed) or of "
            "scikit-learn, alone, in PerplexedBayes, or at the end of a Pipeline",
        )
    nb: Any
    if isinstance(model, theirs.GaussianNB):
        nb = GaussianNB(var_smoothing=model.var_smoothing)
        nb.theta_, nb.var_, nb.class_log_prior_ = model.theta_, model.var_, log(model.class_prior_)
        event = "gaussian"
    elif isinstance(model, theirs.CategoricalNB):
        nb = CategoricalNB(alpha=model.alpha, handle_unknown="ignore")
        nb.category_count_, nb.n_categories_ = model.category_count_, np.array(model.n_categories_, dtype=np.int64)
        event = "categorical"
    elif isinstance(model, theirs.BernoulliNB):
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
    if isinstance(model, theirs.ComplementNB):  # its scores are linear in the counts too, and know no prior
        nb.feature_log_prob_, event = model.feature_log_prob_, "complement"
        nb.class_log_prior_ = np.zeros(len(model.classes_))
    return nb, event


def scores(model: Any, X: Any) -> Scores:
    """Joint log probabilities, prior, number of features and posteriors of rows X, for any model `unwrap` knows."""
    recipe = unwrap(model)
    Z = recipe.transform(X)
    nb, n = recipe.nb, Z.shape[0]
    joint = nb.predict_joint_log_proba(_plain(nb, Z))
    prior = np.broadcast_to(nb.class_log_prior_, joint.shape)
    counted = recipe.event in ("multinomial", "complement")
    n_features = np.asarray(Z.sum(axis=1), dtype=float).ravel() if counted else np.full(n, float(Z.shape[1]))

    def at_alpha(alpha: float) -> Floats:
        return nb.smoothed(alpha).predict_joint_log_proba(_plain(nb, Z))

    log_p = log_softmax(nb._decidable(joint), axis=1) if recipe.own is model else model.predict_log_proba(X)
    return Scores(joint, prior, n_features, log_p, at_alpha)


def _plain(nb: Any, Z: Any) -> Any:
    """Z without names where the model has learned none: scikit-learn warns about names that fit has not seen."""
    if hasattr(nb, "feature_names_in_") or not hasattr(Z, "columns"):
        return Z
    return Z.to_numpy()


def contributions(recipe: Recipe, Z: Any, columns: NDArray) -> Floats:
    """log P(x_f|c) of transformed rows Z, (n, C, columns)."""
    nb = recipe.nb
    if len(columns) == Z.shape[1] or recipe.event not in ("multinomial", "complement", "bernoulli"):
        return nb.feature_contributions(_plain(nb, Z))[:, :, columns]
    part = _safe_indexing(Z, columns, axis=1)
    part = (part.toarray() if sparse.issparse(part) else np.asarray(part))[:, None]
    present = nb.feature_log_prob_[:, columns]
    if recipe.event == "bernoulli":
        return np.where(part > (nb.binarize or 0.0), present, nb.absent_log_prob()[:, columns])
    with np.errstate(invalid="ignore"):
        return np.where(part == 0, 0.0, part * present)

"""Semi-supervised naive Bayes: EM labels the unlabelled rows by the model's posteriors and learns from them.

Sources: "W" is Wikipedia, "Naive Bayes classifier", section "Semi-supervised parameter estimation"; Nigam, McCallum,
Thrun and Mitchell (2000), Text classification from labeled and unlabeled documents using EM. n rows, C classes.
"""

import warnings
from collections.abc import Callable
from copy import copy
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags, get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from nbcore._base import BaseNB, CountingNB, Floats, Matrix, check_classes, check_weights, encode_labels
from nbcore.checks import require, require_count, require_number
from nbcore.hierarchical.em import has_converged
from nbcore.hierarchical.leaves import GaussianLeaf
from nbcore.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from nbcore.naive_bayes.categorical import start_offsets
from nbcore.naive_bayes.gaussian import moments

__all__ = ["SemiSupervisedNB", "log_penalty"]

CountUpdate = Callable[[Any, Floats], None]  # sets a model's counts from the classes' shares of the rows (n, C)


def log_penalty(model: CountingNB) -> float:
    """Return alpha sum log P(x_f|c) over all values of every feature f: what smoothing adds to the objective of EM.

    model: a fitted MultinomialNB, BernoulliNB or CategoricalNB; alpha may be one number or one per feature (F,).
    0 for a GaussianNB, whose smoothing is `noise_penalty`.
    """
    if isinstance(model, GaussianNB):
        return 0.0
    tables = model.feature_log_prob_  # (C, F), or for categories one table (C, K_f) a feature
    if isinstance(model, BernoulliNB):
        tables = tables + model.absent_log_prob()
    categorical = isinstance(model, CategoricalNB)
    by_feature = np.array([table.sum() for table in tables]) if categorical else tables.sum(axis=0)
    alpha = np.broadcast_to(model.alpha, by_feature.shape)
    return float(alpha[alpha > 0] @ by_feature[alpha > 0])


def noise_penalty(model: CountingNB) -> Floats | float:
    """Return what a GaussianNB's smoothing takes from log P(x|c): epsilon / 2 sum_f 1 / var_cf, (C,); else 0.

    Adding epsilon to a variance means that every measurement is known up to noise of that variance. The mean of the log
    density over the noise is less by this; with it the M-step, variance plus epsilon, is the best one.
    """
    return 0.5 * model.epsilon_ * (1 / model.var_).sum(axis=1) if isinstance(model, GaussianNB) else 0.0


def find_unlabelled(y: NDArray[Any]) -> NDArray[np.bool_]:
    """Return a mask (n,) of the labels -1. An array of text that holds "-1" is refused, as that may be a label."""
    if y.dtype.kind in "US":
        require("-1" not in y, "y", "-1", "of dtype object, with the number -1 for unlabelled rows, if labels are text")
        return np.zeros(len(y), dtype=bool)
    return np.array(y == -1, dtype=bool)


def make_count_update(X: Any) -> CountUpdate:
    """Return the CountUpdate of a model with one table of counts, (C, F): the product share^T X."""

    def update(model: Any, share: Floats) -> None:
        model.feature_count_, model._documents = (X.T @ share).T, share.sum(axis=0)[:, None]

    return update


def make_category_update(X: NDArray[np.int64], n_categories: NDArray[np.int64]) -> CountUpdate:
    """Return the CountUpdate of a categorical model: one product with a column of 0 and 1 for every category."""
    start = start_offsets(n_categories)
    one_hot = sparse.csr_array(
        (np.ones(X.size), (X + start).ravel(), np.arange(0, X.size + 1, X.shape[1])), shape=(len(X), n_categories.sum())
    )

    def update(model: Any, share: Floats) -> None:
        model.category_count_ = np.split((one_hot.T @ share).T, start[1:], axis=1)

    return update


def make_moment_update(X: Floats) -> CountUpdate:
    """Return the CountUpdate of a Gaussian model: products with the rows and with their squares."""
    leaf = GaussianLeaf(0.0)
    rows = leaf.prepare(X)

    def update(model: Any, share: Floats) -> None:
        weight, (mean, variance) = share.sum(axis=0)[:, None], leaf.estimate(rows, share)
        model._class_moments = weight, mean, weight * variance

    return update


def prepare_em(
    estimator: CountingNB, classes: NDArray[Any], X: Any, counts: NDArray[np.bool_]
) -> tuple[Any, Any, CountUpdate]:
    """Return a model without counts, X as its events, and its CountUpdate; counts (n,): False for rows of weight 0."""
    blank = clone(estimator)
    blank._check_settings(len(classes), X.shape[1])
    events = blank._as_events(X)
    blank.classes_, blank.n_features_in_ = classes, X.shape[1]
    blank._start_counts(len(classes), X.shape[1])
    if isinstance(blank, CategoricalNB):
        blank.n_categories_ = np.maximum(blank.n_categories_, events.max(axis=0) + 1)
        return blank, events, make_category_update(events, blank.n_categories_)
    events = events.astype(np.float64, copy=False)
    if not isinstance(blank, GaussianNB):
        return blank, events, make_count_update(events)
    some = events[counts]
    blank._row_moments = moments(some, np.zeros(len(some), dtype=int), np.ones(len(some)), 1)
    return blank, events, make_moment_update(events)


def m_step(blank: Any, update: CountUpdate, share: Floats) -> Any:
    """Return a new model learned from rows of which share (n, C) belongs to each class: W, the re-training."""
    model = copy(blank)
    model.class_count_ = share.sum(axis=0)
    update(model, share)
    model._estimate()
    return model


def e_step(model: Any, events: Any, given: Floats, weight: Floats, clamp: bool) -> tuple[Floats, float]:
    """Return the shares of the rows for the next M-step, (n, C), and the objective: W, the prediction.

    given (n, C): at the label of a labelled row its weight, else 0; weight (n,): what each row counts.
    """
    joint = model._joint_log_likelihood(events) - noise_penalty(model)
    decidable = model._joint_or_prior(joint)
    log_evidence = np.logaddexp.reduce(decidable, axis=1)
    share = weight[:, None] * np.exp(decidable - log_evidence[:, None])
    if decidable is not joint:  # rows that are impossible have no evidence, though the prior replaced their joint
        log_evidence[np.isneginf(joint).all(axis=1)] = -np.inf
    if clamp:
        labelled = given.any(axis=1)
        share[labelled] = given[labelled]
        log_evidence[labelled] = joint[given > 0]
    counts = weight > 0
    return share, float(weight[counts] @ log_evidence[counts]) + log_penalty(model)


class SemiSupervisedNB(MetaEstimatorMixin, BaseNB):
    """Naive Bayes for labelled and unlabelled rows, by EM: W, "Semi-supervised parameter estimation".

    The first model is learned from the labelled rows alone. Then each step takes the posteriors P(c|x) of the last
    model for labels, one fraction of a row for each class (E-step), and learns anew (M-step). Its objective, with
    R = alpha sum log P(x_f|c) for smoothing and lambda = unlabelled_weight, never falls:

        clamp=True   sum over labelled log P(x, y)  +  lambda  sum over unlabelled log P(x)  +  R   (Nigam et al.)
        clamp=False  sum over labelled log P(x)     +  lambda  sum over unlabelled log P(x)  +  R   (W)

    For a GaussianNB R is 0, and within EM log P(x|c) is less by epsilon_ / 2 sum_f 1 / var_cf, what its var_smoothing
    means; epsilon_ comes from all rows that count.

    A higher objective is not a higher accuracy: where rows differ most in something other than the class, accuracy may
    fall while the objective rises. A small lambda is no safeguard, least of all with clamp=False, where labelled rows
    lose their labels at once. Choose lambda, 0 among the candidates, by accuracy on held-out labels.

    Parameters
    ----------
    estimator : GaussianNB (of ddof 0), MultinomialNB, BernoulliNB or CategoricalNB of `nbcore.naive_bayes`; it is
        cloned, not changed
    clamp : True keeps the given labels; False, as W has it, replaces them by posteriors too, after the first model
    unlabelled_weight : what one unlabelled row counts, >= 0; labelled rows count 1. Without clamping it must be > 0
    max_iter : int >= 0, EM steps after the supervised fit at most; 0 is the supervised model
    tol : >= 0; stops once a step raises the objective by less than this share of it; 0 takes all max_iter steps, and
        otherwise a ConvergenceWarning says if they were too few
    keep_models : True keeps the model of every step in `models_`

    Learned: `classes_`, `estimator_` the fitted model, `class_log_prior_` (C,), `n_iter_` the steps taken, and
    `log_likelihood_path_` (n_iter_ + 1,), the objective after t steps; it starts at -inf where alpha = 0 and the first
    model holds an unlabelled row for impossible. With keep_models also `models_`, the n_iter_ + 1 models.

    Examples
    --------
    Two labelled stories, "goal" and "vote", and two without a label: "goal coach" and "vote law".

    >>> from nbcore.naive_bayes import MultinomialNB
    >>> from nbcore.semi_supervised import SemiSupervisedNB
    >>> goal_coach_vote_law = [[1, 0, 0, 0], [0, 0, 1, 0], [1, 1, 0, 0], [0, 0, 1, 1]]
    >>> model = SemiSupervisedNB(MultinomialNB()).fit(goal_coach_vote_law, [0, 1, -1, -1])
    >>> model.predict_proba([[0, 1, 0, 0]]).round(2)  # coach: no labelled story has it
    array([[0.59, 0.41]])
    """

    estimator_: CountingNB
    class_log_prior_: Floats

    def __init__(
        self, estimator: CountingNB, *, clamp: bool = True, unlabelled_weight: float = 1.0, max_iter: int = 100,
        tol: float = 1e-6, keep_models: bool = False,
    ) -> None:  # fmt: skip
        self.estimator = estimator
        self.clamp = clamp
        self.unlabelled_weight = unlabelled_weight
        self.max_iter = max_iter
        self.tol = tol
        self.keep_models = keep_models

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from X (n, F), as the estimator wants it, and labels y (n,), where -1 means unlabelled. Returns self.

        Labels may be numbers or text; to mix text with -1, y must have dtype object. sample_weight (n,), >= 0: a row of
        weight w counts as w rows, an unlabelled one as w unlabelled_weight; one of weight 0 is as if not there.
        ValueError: bad parameters, NaN, labels of fewer than two classes, and what the estimator itself refuses.
        """
        self._check_settings()
        rows, target = validate_data(self, X, y, accept_sparse=self._accept_sparse)
        weight = check_weights(sample_weight, rows.shape[0])
        there = weight > 0
        rows, target, weight = rows[there], target[there], weight[there]
        unlabelled = find_unlabelled(target)
        require(not unlabelled.all(), "y", -1, "a label other than -1 in at least two rows, of different classes")
        labels = target[~unlabelled]
        labels = np.array(labels.tolist()) if labels.dtype.kind == "O" else labels
        check_classification_targets(labels)
        self.classes_ = check_classes(labels)
        given = np.zeros((len(target), len(self.classes_)))
        given[~unlabelled, encode_labels(labels, self.classes_)] = weight[~unlabelled]
        weight = np.where(unlabelled, self.unlabelled_weight * weight, weight)
        blank, events, update = prepare_em(self.estimator, self.classes_, rows, weight > 0)
        models: list[CountingNB] = []
        path: list[float] = []
        share = given
        for _ in range(self.max_iter + 1):
            models = [*(models if self.keep_models else ()), m_step(blank, update, share)]
            share, objective = e_step(models[-1], events, given, weight, self.clamp)
            path.append(objective)
            if has_converged(path, self.tol):
                break
        else:
            if self.max_iter and self.tol:
                problem = f"EM has not converged in max_iter = {self.max_iter} steps"
                warnings.warn(f"{problem}: raise max_iter or tol, or set tol=0.", ConvergenceWarning, stacklevel=2)
        self.log_likelihood_path_, self.n_iter_ = np.array(path), len(path) - 1
        self.estimator_, self.class_log_prior_ = models[-1], models[-1].class_log_prior_
        if self.keep_models:
            self.models_ = models
        return self

    def _joint_log_likelihood(self, X: Any) -> Floats:
        return self.estimator_.predict_joint_log_proba(X)

    @property
    def _accept_sparse(self) -> Any:
        return get_tags(self.estimator).input_tags.sparse and "csr"

    def _check_rows(self, X: Matrix) -> Any:
        return validate_data(self, X, reset=False, accept_sparse=self._accept_sparse)

    def _check_settings(self) -> None:
        """Raise ValueError for every parameter that is not as the class docstring says."""
        kinds = "a GaussianNB, MultinomialNB, BernoulliNB or CategoricalNB of nbcore.naive_bayes"
        known = isinstance(self.estimator, GaussianNB | MultinomialNB | BernoulliNB | CategoricalNB)
        require(known, "estimator", self.estimator, kinds)
        ddof = getattr(self.estimator, "ddof", 0)
        require(ddof == 0, "estimator.ddof", ddof, "0, since EM maximises a likelihood")
        for name in ("clamp", "keep_models"):
            require(isinstance(getattr(self, name), bool | np.bool_), name, getattr(self, name), "True or False")
        require_number("unlabelled_weight", self.unlabelled_weight, 0)
        weight = self.unlabelled_weight
        require(self.clamp or weight > 0, "unlabelled_weight", weight, "> 0 with clamp=False")
        require_count("max_iter", self.max_iter, 0)
        require_number("tol", self.tol, 0)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if isinstance(self.estimator, CountingNB):
            tags.input_tags = get_tags(self.estimator).input_tags
            tags.input_tags.allow_nan = False
        # scikit-learn's checks give measurements to models of counts
        tags.classifier_tags.poor_score = not isinstance(self.estimator, GaussianNB)
        return tags

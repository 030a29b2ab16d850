"""Few labels, many rows without: naive Bayes labels the rest by its own posteriors, learns from that, and again.

Sources: "W" is Wikipedia, "Naive Bayes classifier", section "Semi-supervised parameter estimation"; Nigam, McCallum,
Thrun and Mitchell (2000), Text classification from labeled and unlabeled documents using EM. All logs are natural.
"""

from numbers import Integral, Real

import numpy as np
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from nbcore._base import BaseNB, check_classes, encode_labels
from nbcore.checks import require
from nbcore.naive_bayes import BernoulliNB, CategoricalNB, DiscreteNB

__all__ = ["SemiSupervisedNB", "log_penalty"]


def log_penalty(model):
    """alpha sum log P(x_f|c) over all values that feature f can take: what smoothing adds to the objective of EM.

    model: a fitted MultinomialNB, BernoulliNB or CategoricalNB; alpha may be one number or one per feature (F,).
    """
    tables = model.feature_log_prob_  # (C, F), or for categories one table (C, K_f) a feature
    if isinstance(model, BernoulliNB):
        tables = tables + model.absent_log_prob()
    categorical = isinstance(model, CategoricalNB)
    by_feature = np.array([table.sum() for table in tables]) if categorical else tables.sum(axis=0)
    alpha = np.broadcast_to(model.alpha, by_feature.shape)
    return alpha[alpha > 0] @ by_feature[alpha > 0]


def find_unlabelled(y):
    """Mask (n,) of the labels -1. In an array of text -1 can only be spelt "-1": refused, for it may be a label."""
    if y.dtype.kind in "US":
        require("-1" not in y, "y", "-1", "of dtype object, with the number -1 for unlabelled rows, if labels are text")
        return np.zeros(len(y), dtype=bool)
    return np.array(y == -1, dtype=bool)


class SemiSupervisedNB(MetaEstimatorMixin, BaseNB):
    """Naive Bayes for labelled and unlabelled rows, by EM: W, "Semi-supervised parameter estimation".

    The first model is learned from the labelled rows alone. Then each step takes the posteriors P(c|x) of the last
    model for labels, one fraction of a row for each class (E-step), and learns anew (M-step). Its objective, with
    R = alpha sum log P(x_f|c) for smoothing and lambda = unlabelled_weight, never falls:

        clamp=True   sum over labelled log P(x, y)  +  lambda  sum over unlabelled log P(x)  +  R   (Nigam et al.)
        clamp=False  sum over labelled log P(x)     +  lambda  sum over unlabelled log P(x)  +  R   (W)

    Parameters
    ----------
    estimator : MultinomialNB, BernoulliNB or CategoricalNB of `nbcore.naive_bayes`; it is cloned, not changed
    clamp : True keeps the given labels; False, as W has it, replaces them by posteriors too, after the first model
    unlabelled_weight : what one unlabelled row counts, >= 0; labelled rows count 1. Without clamping it must be > 0
    max_iter : int >= 0, EM steps after the supervised fit at most; 0 is the supervised model
    tol : >= 0; stops once a step raises the objective by less than this share of it; 0 takes all max_iter steps

    Learned: `classes_`, `estimator_` the fitted model, `class_log_prior_` (C,), `n_iter_` the steps taken, and
    `log_likelihood_path_` (n_iter_ + 1,), the objective after t steps; it starts at -inf where alpha = 0 and the first
    model holds an unlabelled row for impossible.
    """

    def __init__(self, estimator, *, clamp=True, unlabelled_weight=1.0, max_iter=100, tol=1e-6):
        self.estimator = estimator
        self.clamp = clamp
        self.unlabelled_weight = unlabelled_weight
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X, y):
        """Learn from X (n, F), as the estimator wants it, and labels y (n,), where -1 means unlabelled. Returns self.

        Labels may be numbers or text; to mix text with -1, y must have dtype object.
        ValueError: bad parameters, labels of fewer than two classes, and what the estimator itself refuses.
        """
        self._check_settings()
        X, y = validate_data(self, X, y, accept_sparse=get_tags(self.estimator).input_tags.sparse and "csr")
        unlabelled = find_unlabelled(y)
        require(not unlabelled.all(), "y", -1, "a label other than -1 in at least two rows, of different classes")
        labels = np.array(y[~unlabelled].tolist()) if y.dtype.kind == "O" else y[~unlabelled]
        check_classification_targets(labels)
        self.classes_ = check_classes(labels)
        given = np.zeros((len(y), len(self.classes_)))
        given[~unlabelled, encode_labels(labels, self.classes_)] = 1.0
        self.estimator_ = self.m_step(X, given)
        posterior, objective = self.e_step(X, given)
        self.log_likelihood_path_ = [objective]
        for _ in range(self.max_iter):
            self.estimator_ = self.m_step(X, posterior)
            posterior, objective = self.e_step(X, given)
            self.log_likelihood_path_.append(objective)
            if self._has_converged(*self.log_likelihood_path_[-2:]):
                break
        self.log_likelihood_path_ = np.array(self.log_likelihood_path_)
        self.n_iter_ = len(self.log_likelihood_path_) - 1
        self.class_log_prior_ = self.estimator_.class_log_prior_
        return self

    def m_step(self, X, share):
        """A new model from rows X (n, F), of which share (n, C) belongs to each class: W, the re-training."""
        model = clone(self.estimator)
        for c, weight in enumerate(share.T):
            if weight.any():
                model.partial_fit(X, np.repeat(self.classes_[[c]], len(weight)), self.classes_, sample_weight=weight)
        return model

    def e_step(self, X, given):
        """What the model makes of the rows: shares for the next M-step (n, C), and the objective: W, the prediction.

        given (n, C): 1 at the label of a labelled row, else 0. Unlabelled rows count `unlabelled_weight`.
        """
        joint = self.estimator_.predict_joint_log_proba(X)
        log_evidence = np.logaddexp.reduce(joint, axis=1)
        decidable = self.estimator_._decidable(joint)
        posterior = np.exp(decidable - np.logaddexp.reduce(decidable, axis=1, keepdims=True))
        labelled = given.any(axis=1)
        row_weight = np.where(labelled, 1.0, self.unlabelled_weight)
        share = row_weight[:, None] * posterior
        if self.clamp:
            share[labelled] = given[labelled]
            log_evidence[labelled] = joint[given > 0]
        counted = row_weight > 0
        return share, row_weight[counted] @ log_evidence[counted] + log_penalty(self.estimator_)

    def _has_converged(self, before, after):
        return np.isfinite(before) and abs(after - before) < self.tol * abs(after)

    def _joint_log_likelihood(self, X):
        return self.estimator_.predict_joint_log_proba(X)

    def _check_rows(self, X):
        return validate_data(self, X, reset=False, accept_sparse=get_tags(self.estimator).input_tags.sparse and "csr")

    def _check_settings(self):
        """ValueError for every parameter that is not as the class docstring says."""
        kinds = "a MultinomialNB, BernoulliNB or CategoricalNB of nbcore.naive_bayes"
        require(isinstance(self.estimator, DiscreteNB), "estimator", self.estimator, kinds)
        require(isinstance(self.clamp, bool | np.bool_), "clamp", self.clamp, "True or False")
        weight, steps, tol = self.unlabelled_weight, self.max_iter, self.tol
        require(is_number(weight), "unlabelled_weight", weight, "a finite number >= 0")
        require(self.clamp or weight > 0, "unlabelled_weight", weight, "> 0 with clamp=False")
        require(isinstance(steps, Integral) and is_number(steps), "max_iter", steps, "an integer >= 0")
        require(is_number(tol), "tol", tol, "a finite number >= 0")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        if isinstance(self.estimator, DiscreteNB):
            tags.input_tags = get_tags(self.estimator).input_tags
        tags.classifier_tags.poor_score = True  # scikit-learn's checks give measurements to models of counts
        return tags


def is_number(value):
    return isinstance(value, Real) and not isinstance(value, bool) and 0 <= value < np.inf

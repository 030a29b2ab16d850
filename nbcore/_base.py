"""Bayes' rule for every classifier here: a model says log P(c) + log P(x|c), and all the rest follows."""

from abc import ABCMeta, abstractmethod
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.special import log_softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

Matrix: TypeAlias = ArrayLike | sparse.sparray | sparse.spmatrix  # rows of data, (n, F)


def log(p, out=None):
    """Natural logarithm with log 0 = -inf and no warning: here zero is a legal probability."""
    with np.errstate(divide="ignore"):
        return np.log(p, out=out)


def sum_by_class(X, y, weight, n_classes):
    """Weighted sum of the rows of each class, (C, F): the indicator matrix of the classes times X."""
    indicator = sparse.csc_array((weight, y, np.arange(len(y) + 1)), shape=(n_classes, len(y)))
    return (X.T @ indicator.T.toarray()).T if sparse.issparse(X) else indicator @ X


def check_prior(prior, name, n_classes):
    """The given prior as an array (C,), or None; ValueError unless it is C probabilities that sum to 1."""
    if prior is None:
        return None
    p = np.asarray(prior, dtype=float)
    if p.shape != (n_classes,) or not (p >= 0).all() or not np.isclose(p.sum(), 1.0):
        raise ValueError(
            f"{name} must be {n_classes} numbers >= 0 that sum to 1, one for each class in sorted order; found {prior}."
        )
    return p


def check_classes(classes):
    """The sorted distinct labels; ValueError if there are fewer than two."""
    labels = np.unique(classes)
    if len(labels) < 2:
        raise ValueError(f"y must hold at least two classes, else nothing is to be decided; found one class: {labels}.")
    return labels


def encode_labels(y, classes):
    """Index of every label in the sorted classes, (n,); ValueError for a label that is none of them."""
    code = np.searchsorted(classes, y).clip(max=len(classes) - 1)
    unknown = classes[code] != y
    if unknown.any():
        raise ValueError(f"y holds the label {y[unknown][0]!r}, which is none of the classes {classes}.")
    return code


def hold_out(code, fraction, rng):
    """Row indices (learn, held_out): of each class about `fraction` of its rows is held out, chosen at random.

    code: class index of each row, (n,); rng: RandomState or Generator. A class of two or more rows is in both parts, a
    single row is never held out.
    """
    held = []
    for c in np.unique(code):
        rows = np.flatnonzero(code == c)
        size = min(max(1, round(fraction * len(rows))), len(rows) - 1)
        held.append(rng.permutation(rows)[:size])
    held = np.sort(np.concatenate(held))
    return np.setdiff1d(np.arange(len(code)), held), held


class BaseNB(ClassifierMixin, BaseEstimator, metaclass=ABCMeta):
    """A classifier by Bayes' rule, P(c|x) = P(c) P(x|c) / P(x) (Wikipedia, "Naive Bayes classifier", posterior).

    Subclasses set `classes_` and `class_log_prior_` and define one method: the joint log likelihood.
    """

    @abstractmethod
    def _joint_log_likelihood(self, X):
        """log P(c) + log P(x|c) for each checked row x and class c, (n, C), in nats; impossible is -inf, never NaN."""

    def _check_rows(self, X):
        """Validate rows to be classified, (n, F)."""
        return validate_data(self, X, reset=False)

    def _decidable(self, joint):
        """Rows that every class gives probability 0 say nothing about c: the prior takes their place."""
        if np.isneginf(joint.min()):
            joint = np.where(np.isneginf(joint).all(axis=1, keepdims=True), self.class_log_prior_, joint)
        return joint

    def predict_joint_log_proba(self, X):
        """log P(c, x) in nats, (n, C), classes in the order of `classes_`; -inf where the model says impossible."""
        check_is_fitted(self)
        return self._joint_log_likelihood(self._check_rows(X))

    def predict_log_proba(self, X):
        """log P(c|x) in nats, (n, C); a row that every class gives probability 0 gets the prior."""
        return log_softmax(self._decidable(self.predict_joint_log_proba(X)), axis=1)

    def predict_proba(self, X):
        """P(c|x), (n, C), rows sum to 1; an impossible row gets the prior: Carlos (2015), eq. (2) and (4)."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X):
        """The most probable class of each row, (n,); of equals, the first: IIR, eq. (13.4); Carlos (2015), eq. (1)."""
        joint = self._decidable(self.predict_joint_log_proba(X))
        return self.classes_[joint.argmax(axis=1)]


class CountingNB(BaseNB):
    """Naive Bayes learns by counting: `_count` adds a batch to the counts, `_estimate` reads them as probabilities."""

    _input: ClassVar[dict] = {"accept_sparse": False}  # what scikit-learn's validate_data is told

    @abstractmethod
    def _check_settings(self, n_classes, n_features):
        """Raise ValueError for parameters that do not fit the data, before anything is learned."""

    @abstractmethod
    def _start_counts(self, n_classes, n_features):
        """Set all counts to zero."""

    @abstractmethod
    def _count(self, X, y, weight):
        """Add rows X (n, F) with class indices y (n,) and weights (n,) to the counts."""

    @abstractmethod
    def _estimate(self):
        """Turn counts into probabilities; never looks at data."""

    @abstractmethod
    def _log_factors(self, X):
        """log P(x_f|c) of every checked row, class and feature, (n, C, F)."""

    def _as_events(self, X):
        """What the model sees of X; ValueError for values that its event model does not know."""
        return X

    def _check_rows(self, X):
        return self._as_events(validate_data(self, X, reset=False, **self._input))

    def fit(self, X, y, sample_weight=None):
        """Learn from X (n, F) and labels y (n,); a row of weight w counts w times. Forgets what was learned before.

        Returns self. ValueError: NaN, values foreign to the event model, fewer than two classes, bad parameters.
        """
        return self._learn(X, y, None, sample_weight, afresh=True)

    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Learn from one more batch; the batches together give what one `fit` on all rows would give.

        `classes`, all labels that will ever come, is needed in the first call. Returns self. Errors as in `fit`.
        """
        afresh = not hasattr(self, "classes_")
        if afresh and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit: all labels that will ever come.")
        if not afresh and classes is not None and not np.array_equal(np.unique(classes), self.classes_):
            raise ValueError(
                f"classes must stay {self.classes_}, as in the first call to partial_fit; found {classes}."
            )
        return self._learn(X, y, classes if afresh else self.classes_, sample_weight, afresh)

    def feature_contributions(self, X):
        """log P(x_f|c), (n, C, F), dense; sum over F, Carlos (2015), eq. (3), plus `class_log_prior_`: the joint."""
        check_is_fitted(self)
        return self._log_factors(self._check_rows(X))

    def _learn(self, X, y, classes, sample_weight, afresh):
        self._validate_params()
        X, y = validate_data(self, X, y, reset=afresh, **self._input)
        check_classification_targets(y)
        X = self._as_events(X)
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        classes = check_classes(y if classes is None else classes)
        code = encode_labels(y, classes)
        self._check_settings(len(classes), X.shape[1])
        if afresh:
            self.classes_, self.class_count_ = classes, np.zeros(len(classes))
            self._start_counts(len(classes), X.shape[1])
        self.class_count_ += np.bincount(code, weight, len(classes))
        self._count(X, code, weight)
        self._estimate()
        return self

    def _log_prior(self, given, fit_prior=True):
        """log P(c), (C,): given, uniform, or N_c / N (IIR, eq. (13.5)); a class without documents gets P(c) = 0."""
        if given is not None:
            return log(np.asarray(given, dtype=float))
        count = self.class_count_ if fit_prior else np.ones(len(self.classes_))
        return log(count / count.sum())

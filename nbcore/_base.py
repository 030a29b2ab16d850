"""Bayes' rule for every classifier: a model supplies log P(c) + log P(x|c), `BaseNB` derives posteriors and decisions.
"""

from __future__ import annotations  # signatures stay as short as they are written

from abc import ABCMeta, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.special import log_softmax
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import Tags, check_array
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from nbcore.checks import check_labels_known, require, require_every

Matrix: TypeAlias = ArrayLike | sparse.sparray | sparse.spmatrix  # rows of data (n, F) as callers pass them
Rows: TypeAlias = Any  # rows of data (n, F) after validation: NDArray or CSR, for which scipy has no types
Floats: TypeAlias = NDArray[np.float64]


def log(p: ArrayLike, out: Floats | None = None) -> Floats:
    """Return the natural logarithm, with log 0 = -inf and no warning, as zero is a legal probability here."""
    with np.errstate(divide="ignore"):
        return np.log(p, out=out)


def as_rows(X: Any) -> Any:
    """Convert a sparse matrix to CSR, and lists to an array; return arrays and data frames unchanged."""
    if sparse.issparse(X):
        return X.tocsr()
    return X if hasattr(X, "shape") and hasattr(X, "__getitem__") else np.asarray(X)


def blocks(n: int, size: int = 4096) -> Iterator[slice]:
    """Yield slices of at most `size` rows: a block that fits the processor's cache is several times faster."""
    return (slice(start, start + size) for start in range(0, n, size))


def sum_by_class(X: Rows, y: NDArray[np.intp], weight: Floats, n_classes: int) -> Floats:
    """Return the weighted sum of the rows of each class, (C, F): the indicator matrix of the classes times X."""
    indicator = sparse.csc_array((weight, y, np.arange(len(y) + 1)), shape=(n_classes, len(y)))
    if sparse.issparse(X):
        return (X.T @ indicator.T.toarray()).T
    total = np.zeros((n_classes, X.shape[1]))
    for rows in blocks(len(y)):  # the product converts integers to floats: block by block, to save memory
        total += indicator[:, rows] @ X[rows]
    return total


def move_rows(table: Floats, place: NDArray[np.intp], n_rows: int) -> Floats:
    """Return a table of n_rows rows with row i of the given one at place[i], zeros elsewhere."""
    moved = np.zeros((n_rows, table.shape[1]))
    moved[place] = table
    return moved


def log_prior(class_count: Floats, given: ArrayLike | None = None, fit_prior: bool = True) -> Floats:
    """Return log P(c), (C,): given, uniform, or N_c / N (IIR, eq. (13.5)); a class without documents gets P(c) = 0."""
    if given is not None:
        return log(np.asarray(given, dtype=float))
    count = class_count if fit_prior else np.ones(len(class_count))
    return log(count / count.sum())


def check_prior(prior: ArrayLike | None, name: str, n_classes: int) -> None:
    """Raise ValueError unless the prior is None or C probabilities that sum to 1."""
    if prior is not None:
        p = np.asarray(prior, dtype=float)
        allowed = f"{n_classes} numbers >= 0 that sum to 1, one for each class in sorted order"
        require(p.shape == (n_classes,) and (p >= 0).all() and np.isclose(p.sum(), 1.0), name, prior, allowed)


def check_weights(sample_weight: ArrayLike | None, n: int) -> Floats:
    """Return the weights as floats (n,), ones for None; ValueError unless n finite numbers >= 0, not all of them 0."""
    if sample_weight is None:
        return np.ones(n)
    weight = check_array(sample_weight, dtype=np.float64, ensure_2d=False, input_name="sample_weight")
    require(weight.shape == (n,), "sample_weight", weight.shape, f"one weight a row, an array of shape {(n,)}")
    require_every(weight >= 0, "sample_weight", weight, "weights >= 0")
    with np.errstate(over="ignore"):
        total = float(weight.sum())
    require(0 < total < np.inf, "sample_weight", total, "weights with a finite sum, at least one of them non-zero")
    return weight


def check_classes(classes: ArrayLike) -> NDArray[Any]:
    """Return the sorted distinct labels; ValueError if there are fewer than two."""
    labels = np.unique(classes)
    if len(labels) < 2:
        told = "else nothing is to be decided (rows of one class: partial_fit(X, y, classes))"
        raise ValueError(f"y must hold at least two classes, {told}; found one class: {labels}.")
    return labels


def encode_labels(y: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.intp]:
    """Return the index of every label in the sorted classes, (n,); ValueError for a label that is none of them."""
    code = np.searchsorted(classes, y).clip(max=len(classes) - 1)
    unknown = classes[code] != y
    if unknown.any():
        raise ValueError(f"y holds the label {y[unknown][0]!r}, which is none of the classes {classes}.")
    return code


def hold_out(
    code: NDArray[np.intp], fraction: float, rng: np.random.RandomState | np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Split row indices into (learn, held_out): about `fraction` of the rows of each class is held out, at random.

    code: class index of each row, (n,); rng: RandomState or Generator. A class of two or more rows is in both parts, a
    single row is never held out.
    """
    parts = []
    for c in np.unique(code):
        rows = np.flatnonzero(code == c)
        size = min(max(1, round(fraction * len(rows))), len(rows) - 1)
        parts.append(rng.permutation(rows)[:size])
    held = np.sort(np.concatenate(parts))
    return np.setdiff1d(np.arange(len(code)), held), held


class BaseNB(ClassifierMixin, BaseEstimator, metaclass=ABCMeta):
    """Base of classifiers by Bayes' rule, P(c|x) = P(c) P(x|c) / P(x): Wikipedia, "Naive Bayes classifier", posterior.

    Subclasses set `classes_` and `class_log_prior_` and define one method: the joint log likelihood.
    """

    @abstractmethod
    def _joint_log_likelihood(self, X: Rows) -> Floats:
        """Return log P(c) + log P(x|c) of checked rows, (n, C), in nats; impossible is -inf, never NaN."""

    def _check_rows(self, X: Matrix) -> Rows:
        """Validate rows to be classified, (n, F), and return them."""
        return validate_data(self, X, reset=False)

    def _unfitted_copy(self) -> Self:
        """Return an unfitted copy that already knows every value that this fitted model has seen."""
        return clone(self)

    def _joint_or_prior(self, joint: Floats) -> Floats:
        """Replace the joint of rows that every class gives probability 0 by the prior, (n, C)."""
        if np.isneginf(joint.min()):
            joint = np.where(np.isneginf(joint).all(axis=1, keepdims=True), self.class_log_prior_, joint)
        return joint

    def predict_joint_log_proba(self, X: Matrix) -> Floats:
        """Return log P(c, x) in nats, (n, C), classes in the order of `classes_`; impossible is -inf.

        It takes and refuses what `BaseNB.predict_proba` does.
        """
        check_is_fitted(self)
        return self._joint_log_likelihood(self._check_rows(X))

    def predict_log_proba(self, X: Matrix) -> Floats:
        """Return log P(c|x) in nats, (n, C); a row that every class gives probability 0 gets the prior.

        It takes and refuses what `BaseNB.predict_proba` does.
        """
        return log_softmax(self._joint_or_prior(self.predict_joint_log_proba(X)), axis=1)

    def predict_proba(self, X: Matrix) -> Floats:
        """Return P(c|x), rows sum to 1; an impossible row gets the prior: Carlos (2015), eq. (2) and (4).

        Parameters
        ----------
        X : rows to classify, (n, F), of the columns that `fit` has seen

        Returns
        -------
        array (n, C), classes in the order of `classes_`

        Raises
        ------
        NotFittedError before `fit`; ValueError for other columns, or values foreign to the event model

        Examples
        --------
        >>> from nbcore import GaussianNB
        >>> model = GaussianNB().fit([[0.0], [2.0], [4.0], [6.0]], ["a", "a", "b", "b"])
        >>> model.predict_proba([[2.5]]).round(3).tolist()
        [[0.881, 0.119]]
        """
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Matrix) -> NDArray[Any]:
        """Return the most probable class of each row, (n,), the first of equals: IIR, (13.4); Carlos (2015), eq. (1).

        It takes and refuses what `BaseNB.predict_proba` does.
        """
        joint = self._joint_or_prior(self.predict_joint_log_proba(X))
        return self.classes_[joint.argmax(axis=1)]


class CountingNB(BaseNB):
    """Base of models that learn by counting: `_count` adds a batch, `_estimate` turns counts into probabilities."""

    _validation_options: ClassVar[dict[str, Any]] = {}  # for scikit-learn's validate_data

    @abstractmethod
    def _check_settings(self, n_classes: int, n_features: int) -> None:
        """Raise ValueError for parameters that do not fit the data, before anything is learned."""

    @abstractmethod
    def _start_counts(self, n_classes: int, n_features: int) -> None:
        """Set all counts to zero."""

    @abstractmethod
    def _count(self, X: Rows, y: NDArray[np.intp], weight: Floats) -> None:
        """Add rows X (n, F) with class indices y (n,) and weights (n,) to the counts, in new arrays."""

    @abstractmethod
    def _add_counts(self, other: Any, place: NDArray[np.intp]) -> None:
        """Add the counts of a model of this type, whose class i is class place[i] here, in new arrays."""

    @abstractmethod
    def _estimate(self) -> None:
        """Turn counts into probabilities without looking at data; ValueError for counts too large for a float."""

    @abstractmethod
    def _log_likelihood(self, X: Rows) -> Floats:
        """Return log P(x|c) of every checked row and class, (n, C), in nats, as a new array."""

    @abstractmethod
    def _log_factors(self, X: Rows) -> Floats:
        """Return log P(x_f|c) of every checked row, class and feature, (n, C, F)."""

    def _joint_log_likelihood(self, X: Rows) -> Floats:
        joint = self._log_likelihood(X)
        joint += self.class_log_prior_
        return joint

    def _as_events(self, X: Rows) -> Rows:
        """Return X as the model's events; ValueError for values that the event model does not allow."""
        return X

    def _check_rows(self, X: Matrix) -> Rows:
        return self._as_events(validate_data(self, X, reset=False, **self._validation_options))

    def _n_factors(self, X: Rows) -> Floats:
        """Count the factors P(x_f|c) in the likelihood of each checked row, (n,): the columns without a gap."""
        n_rows, n_features = X.shape
        gaps = 0 if sparse.issparse(X) else np.isnan(X).sum(axis=1)
        return np.full(n_rows, float(n_features)) - gaps

    def _column_name(self, f: int) -> str:
        """Return what a sentence calls column f: its name in quotes if it has one, else its number."""
        names = getattr(self, "feature_names_in_", range(self.n_features_in_))
        return repr(getattr(self, "_column_names", names)[f])

    def _check_labelled_rows(self, X: Matrix, y: ArrayLike, afresh: bool) -> tuple[Rows, NDArray[Any]]:
        """Validate and return rows to learn from, (n, F), and labels (n,); with `afresh` the columns may be new."""
        return validate_data(self, X, y, reset=afresh, **self._validation_options)

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from rows and their labels; what was learned before is forgotten.

        Parameters
        ----------
        X : rows to learn from, (n, F)
        y : their labels, (n,)
        sample_weight : None, or (n,): a row of weight w counts w times

        Returns
        -------
        self

        Raises
        ------
        ValueError for infinity, values foreign to the event model, fewer than two classes, bad parameters

        Examples
        --------
        >>> from nbcore import GaussianNB
        >>> GaussianNB().fit([[0], [2], [4], [6]], ["a", "a", "b", "b"], sample_weight=[3, 1, 1, 1]).theta_.tolist()
        [[0.5], [5.0]]
        """
        self._learn(X, y, None, sample_weight, afresh=True)
        self._check_learned()
        return self

    def _check_learned(self) -> None:
        """Raise ValueError if what was learned cannot classify."""

    def partial_fit(
        self, X: Matrix, y: ArrayLike, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Learn from one more batch; all batches together give what one `fit` on all rows would give.

        Parameters
        ----------
        X, y, sample_weight : as in `fit`
        classes : all labels that will ever come; needed in the first call

        Returns
        -------
        self

        Raises
        ------
        ValueError as `fit`, and for classes that are missing in the first call or differ from it later

        Examples
        --------
        >>> from nbcore import GaussianNB
        >>> model = GaussianNB().partial_fit([[0], [2], [4]], ["a", "a", "b"], classes=["a", "b"])
        >>> model.partial_fit([[6]], ["b"]).theta_.tolist()
        [[1.0], [5.0]]
        """
        afresh = not hasattr(self, "classes_")
        if afresh and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit: all labels that will ever come.")
        if not afresh and classes is not None and not np.array_equal(np.unique(classes), self.classes_):
            raise ValueError(f"classes must stay {self.classes_}, as in the first partial_fit; found {classes}.")
        return self._learn(X, y, classes if afresh else self.classes_, sample_weight, afresh)

    def feature_contributions(self, X: Matrix) -> Floats:
        """Return log P(x_f|c); with `class_log_prior_` they sum to the joint: Carlos (2015), eq. (3).

        Parameters
        ----------
        X : rows to explain, (n, F), of the columns that `fit` has seen

        Returns
        -------
        array (n, C, F)

        Examples
        --------
        >>> from nbcore import BernoulliNB
        >>> model = BernoulliNB().fit([[1, 0], [1, 1], [0, 1], [0, 0]], ["a", "a", "b", "b"])
        >>> model.feature_contributions([[1, 0]]).round(2).tolist()
        [[[-0.29, -0.69], [-1.39, -0.69]]]
        """
        check_is_fitted(self)
        return self._log_factors(self._check_rows(X))

    def _learn(
        self, X: Matrix, y: ArrayLike, classes: ArrayLike | None, sample_weight: ArrayLike | None, afresh: bool
    ) -> Self:
        """Check everything, then count, then estimate; a refused call leaves the model as it was."""
        before = self.__dict__.copy()
        try:
            check_labels_known(y)
            rows, target = self._check_labelled_rows(X, y, afresh)
            check_classification_targets(target)
            labels = check_classes(target if classes is None else classes)
            code, weight = encode_labels(target, labels), check_weights(sample_weight, len(target))
            n_features = rows.shape[1]
            self._check_settings(len(labels), n_features)
            rows = self._as_events(rows)
            if afresh:
                self.classes_, self.class_count_ = labels, np.zeros(len(labels))
                self._start_counts(len(labels), n_features)
            with np.errstate(over="ignore", invalid="ignore"):  # `_estimate` refuses sums that overflow
                self.class_count_ = self.class_count_ + np.bincount(code, weight, len(labels))
                self._count(rows, code, weight)
                self._estimate()
        except Exception:
            self.__dict__ = before
            raise
        return self

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = bool(self._validation_options.get("accept_sparse"))
        tags.input_tags.allow_nan = self._validation_options.get("ensure_all_finite") == "allow-nan"
        return tags

"""The case that every finding examines: a naive Bayes model, rows it has not seen, their labels and scores."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import BaseCrossValidator, StratifiedKFold, check_cv
from sklearn.utils import _safe_indexing

from nbcore._base import Floats, Matrix, as_rows, encode_labels
from nbcore.checks import check_labels_known, require, require_count
from nbcore.diagnosis.recipe import column_names, contributions, fit_folds, join_scores, row_losses, unwrap

LEAST_ROWS = 40  # fewer rows cannot tell good probabilities from bad ones
FOLDS = 5


class Case:
    """A fitted model and rows that it has not seen.

    classes (C,), code: index of each label (n,), scores: joint, prior and posteriors (n, C), Z: the rows as the naive
    Bayes sees them (n, F), names (F,), contributions (n, C, F). With `cv` the model is fitted to the other folds for
    each row, so that the rows it was made of can be used.
    """

    def __init__(self, model: Any, X: Matrix, y: ArrayLike, cv: int | BaseCrossValidator | None = None) -> None:
        self.X, self.cv = X, cv = as_rows(X), cv
        check_labels_known(y)
        labels, n = np.asarray(y), X.shape[0]
        require(labels.shape == (n,), "y", labels.shape, f"one label a row, an array of shape {(n,)}")
        require(n >= LEAST_ROWS, "X", f"{n} rows", f"at least {LEAST_ROWS} rows; fewer say too little")
        require(len(np.unique(labels)) > 1, "y", f"only {labels[:1].tolist()}", "labels of at least two classes")
        if cv is not None:
            model = clone(model).fit(X, labels)
        self.model, self.recipe = model, unwrap(model)
        self.classes: NDArray[Any] = np.asarray(model.classes_)
        self.y, self.code = labels, encode_labels(labels, self.classes)
        self.n, self.n_classes = n, len(self.classes)
        self.event, self.nb = self.recipe.event, self.recipe.nb
        self.Z = self.recipe.transform(X)
        self.names = column_names(model, self.recipe, X, self.Z)
        self.folds = self._folds(cv)
        self.parts = self._parts()
        self.part = np.zeros(self.n, dtype=np.intp)  # index in `parts` of the model that scores each row
        for i, (rows, _) in enumerate(self.parts):
            self.part[rows] = i
        self.scores = join_scores(self.parts, X, self.classes)
        self.log_p = self.scores.log_p
        self.losses = row_losses(self.log_p, self.code)
        self.top, self.wrong = np.exp(self.log_p).max(axis=1), self.log_p.argmax(axis=1) != self.code
        self.cache: dict[str, Any] = {}  # results that several findings need

    def _folds(self, cv: int | BaseCrossValidator | None) -> list[tuple[NDArray, NDArray]]:
        """Return the folds by which remedies are cross-validated: row numbers (learn, held out) of each."""
        least = int(np.bincount(self.code)[np.unique(self.code)].min())
        unseen = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
        splitter = unseen if cv is None else check_cv(cv, self.y, classifier=True)
        if isinstance(splitter, StratifiedKFold):
            require_count("the number of rows of the rarest class in y", least, 2)
            splitter.n_splits = min(splitter.n_splits, max(2, least))
        return list(splitter.split(np.zeros(self.n), self.code))

    def _parts(self) -> list[tuple[NDArray, Any]]:
        """Return (row numbers, fitted model that scores them) for each part of the rows."""
        if self.cv is None:
            return [(np.arange(self.n), self.model)]
        # an Adjusted may hold a fitted model, which a rebuilt recipe would lose
        known = self.event == "categorical" and not hasattr(self.model, "_recipe")
        return fit_folds(self.rebuilt() if known else self.model, self.X, self.y, self.folds)

    @cached_property
    def dense(self) -> Any:
        """Return Z as an array if it is small enough to examine every value, else as the sparse matrix."""
        Z = self.Z.to_numpy() if hasattr(self.Z, "columns") else self.Z
        return Z.toarray() if sparse.issparse(Z) and np.prod(Z.shape) <= 1e7 else Z

    @property
    def event_models(self) -> list[tuple[Any, list[int]]]:
        """Return the model of each kind of event with the numbers of its columns; one, but for a MixedNB."""
        own = zip(self.nb.parts_, self.nb._layout, strict=True) if self.event == "mixed" else []
        return [(part, columns) for part, (_, columns) in own] or [(self.nb, list(range(self.Z.shape[1])))]

    def contributions(self, rows: NDArray, columns: NDArray | None = None) -> Floats:
        """Return log P(x_f|c) of a subset of rows and columns, (rows, C, columns)."""
        cols = np.arange(self.Z.shape[1]) if columns is None else columns
        out = np.zeros((len(rows), self.n_classes, len(cols)))
        for held, fitted in self.parts:
            here = np.flatnonzero(np.isin(rows, held))
            if len(here):
                recipe = unwrap(fitted)
                found = contributions(recipe, recipe.transform(_safe_indexing(self.X, rows[here])), cols)
                own = encode_labels(np.asarray(fitted.classes_), self.classes)  # a fold may lack a class
                out[np.ix_(here, own)] = found
        return out

    def rebuilt(self, change: Any = None, nb: Any = None) -> Any:
        """Return the model's recipe, unfitted, with a transformer before its naive Bayes, or another naive Bayes."""
        if nb is None:
            nb = clone(self.recipe.own)
            if self.event == "categorical":  # a fold may lack a category that the model knows
                nb.set_params(min_categories=np.asarray(self.nb.n_categories_))
        return self.recipe.build(change, nb)

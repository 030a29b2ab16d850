"""Categorical naive Bayes: every feature takes one of K_f values."""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.utils import Tags
from sklearn.utils.validation import check_non_negative, validate_data

from nbcore._base import CountingNB, Floats, Matrix, Rows, blocks
from nbcore.checks import one_of, refuse, require
from nbcore.naive_bayes.discrete import DiscreteNB, smoothed_log_prob

CODES_PER_BLOCK = 2**16  # a block of this many codes stays in the processor's cache
MOST_CELLS = 2**24  # of the tables of all classes and columns; more are no categories, and would take gigabytes


class CategoricalNB(DiscreteNB, CountingNB):
    """Naive Bayes for categories, coded 0 .. K_f - 1: W, event models; Laplace smoothing as in IIR, eq. (13.7).

    alpha, fit_prior, class_prior: see `DiscreteNB`. min_categories: at least so many categories, one number or (F,).
    NaN is a missing category: it is not counted, and adds nothing to any class. A class that never shows a column
    learns the smoothed uniform distribution. handle_unknown: what to do about a code that `fit` left no room for:
    "error" (ValueError), or "ignore": it adds nothing, and neither does -1, OrdinalEncoder's usual word for "unknown".
    Learned: `n_categories_` (F,) and one table (C, K_f) a feature in `category_count_` and `feature_log_prob_`; the
    latter are for reading only. Memory grows with the largest code: number the categories of a column without gaps.

    Examples
    --------
    >>> days = [[0, 1], [0, 0], [1, 0], [2, 1]]  # outlook: sunny, overcast, rain; wind: weak, strong
    >>> model = CategoricalNB().fit(days, ["no", "no", "yes", "yes"])
    >>> np.exp(model.feature_log_prob_[0]).round(2).tolist()  # P(outlook | no), P(outlook | yes)
    [[0.6, 0.2, 0.2], [0.2, 0.4, 0.4]]
    >>> model.predict_proba([[0, 1]]).round(2).tolist()
    [[0.75, 0.25]]
    """

    _validation_options: ClassVar[dict[str, Any]] = {"ensure_all_finite": "allow-nan"}

    def __init__(
        self, *, alpha: ArrayLike = 1.0, fit_prior: bool = True, class_prior: ArrayLike | None = None,
        min_categories: ArrayLike | None = None, handle_unknown: str = "error",
    ) -> None:  # fmt: skip
        self.alpha = alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.min_categories = min_categories
        self.handle_unknown = handle_unknown

    def _as_events(self, X: Rows) -> Rows:
        """Return integer codes (n, F), -1 for what is missing."""
        if X.dtype.kind == "f" and np.isnan(X.min()):
            missing = np.isnan(X)
            return np.where(missing, -1, self._as_codes(np.where(missing, 0, X)))
        return self._as_codes(X)

    def _as_codes(self, X: Rows) -> Rows:
        """Return X as integers; ValueError for negative values and fractions."""
        check_non_negative(X, "CategoricalNB (input X)")
        if X.dtype.kind == "i":
            return X.astype(np.int64, copy=False)
        with np.errstate(invalid="ignore"):
            codes = X.astype(np.int64)
        for row, f in np.argwhere(codes != X)[:1]:
            refuse(f"column {f} of X", X[row, f].item(), "integer codes 0, 1, 2, ... of categories")
        return codes

    def _check_rows(self, X: Matrix) -> Rows:
        if self.handle_unknown == "error":
            codes = super()._check_rows(X)
            for row, f in np.argwhere(codes >= self.n_categories_)[:1]:
                raise ValueError(
                    f"column {self._column_name(f)} of X holds {codes[row, f]}, a category unseen in fit, which knows "
                    f'0 to {self.n_categories_[f] - 1}; with handle_unknown="ignore" it counts for no class.'
                )
            return codes
        X = validate_data(self, X, reset=False, **self._validation_options)
        unknown = np.isnan(X) | (X == -1)
        return np.where(unknown, -1, self._as_codes(np.where(unknown, 0, X)))

    def _check_settings(self, n_classes: int, n_features: int) -> None:
        super()._check_settings(n_classes, n_features)
        one_of("handle_unknown", self.handle_unknown, ["error", "ignore"])
        least = np.asarray(1 if self.min_categories is None else self.min_categories)
        fits = least.dtype.kind in "iu" and least.shape in ((), (n_features,)) and (least >= 1).all()
        require(fits, "min_categories", self.min_categories, f"None, an integer >= 1, or {n_features} of them")

    def _start_counts(self, n_classes: int, n_features: int) -> None:
        least = 0 if self.min_categories is None else self.min_categories
        self.n_categories_ = np.zeros(n_features, dtype=np.int64) + np.asarray(least, dtype=np.int64)
        self.category_count_ = [np.zeros((n_classes, k)) for k in self.n_categories_]

    def _count(self, X: Rows, y: NDArray[np.intp], weight: Floats) -> None:
        """Add rows to `category_count_`: number a cell for each class, column and category, and count in one pass."""
        self.n_categories_ = np.maximum(self.n_categories_, np.maximum(X.max(axis=0) + 1, 1))
        start, n_cells, n_features = start_offsets(self.n_categories_), self.n_categories_.sum(), X.shape[1]
        if n_cells * len(self.classes_) > MOST_CELLS:
            f, allowed = int(self.n_categories_.argmax()), "codes 0, 1, 2, ... of few categories (MixedNB makes them)"
            refuse(f"column {self._column_name(f)} of X", int(self.n_categories_[f]) - 1, allowed)
        count = np.zeros(len(self.classes_) * n_cells)
        for rows in blocks(len(X), 1 + max(CODES_PER_BLOCK, len(count)) // n_features):
            cell = X[rows] + start
            cell += (y[rows] * n_cells)[:, None]
            shown = np.repeat(weight[rows], n_features)
            if X[rows].min() < 0:
                missing = X[rows] < 0
                cell[missing], shown[missing.ravel()] = 0, 0.0
            count += np.bincount(cell.ravel(), shown, len(count))
        self._add_tables(np.split(count.reshape(-1, n_cells), start[1:], axis=1))

    def _add_counts(self, other: Self, place: NDArray[np.intp]) -> None:
        self.n_categories_ = np.maximum(self.n_categories_, other.n_categories_)
        tables = [np.zeros((len(self.classes_), k)) for k in self.n_categories_]
        for table, counted in zip(tables, other.category_count_, strict=True):
            table[place, : counted.shape[1]] = counted
        self._add_tables(tables)

    def _add_tables(self, tables: list[Floats]) -> None:
        """Add tables of counts, one (C, K_f) a feature, to `category_count_`; the tables become the sums."""
        for table, earlier in zip(tables, self.category_count_, strict=True):
            table[:, : earlier.shape[1]] += earlier
        self.category_count_ = tables

    def _smooth(self, alpha: Floats) -> None:
        """Set log P(x_f|c) = log (N_cfk + alpha) / (N_cf + K_f alpha); a last row of zeros is for unknown codes."""
        width = self.n_categories_
        alphas = np.broadcast_to(alpha, width.shape)
        count = np.hstack(self.category_count_)
        shown = np.add.reduceat(count, start_offsets(width), axis=1)  # rows of each class that show the feature, (C, F)
        mass = np.repeat(shown + width * alphas, width, axis=1)
        log_prob = smoothed_log_prob(count, np.repeat(alphas, width), mass, np.repeat(width, width))
        self._table = np.zeros((width.sum() + 1, len(count)))
        self._table[:-1] = log_prob.T
        self._table.flags.writeable = False
        self._start = start_offsets(width)
        self.feature_log_prob_ = np.split(self._table[:-1].T, self._start[1:], axis=1)

    def _cells(self, X: Rows) -> NDArray[np.int64]:
        """Return for each code the row of `_table` that holds its log P(x_f|c), (n, F)."""
        cells = X + self._start
        if self.handle_unknown == "ignore" or X.min() < 0:
            cells[(X < 0) | (X >= self.n_categories_)] = len(self._table) - 1
        return cells

    def _log_likelihood(self, X: Rows) -> Floats:
        """Return log P(x|c), (n, C): F rows of `_table` added for each row of X, by a sparse matrix of ones."""
        if X.size <= 256:  # to make that matrix would take longer than to add
            return self._log_factors(X).sum(axis=2)
        likelihood = np.empty((len(X), len(self.classes_)))
        for rows in blocks(len(X), 1 + CODES_PER_BLOCK // X.shape[1]):
            cells = self._cells(X[rows])
            ends = np.arange(0, cells.size + 1, X.shape[1])
            events = sparse.csr_array((np.ones(cells.size), cells.ravel(), ends), shape=(len(cells), len(self._table)))
            likelihood[rows] = events @ self._table
        return likelihood

    def _log_factors(self, X: Rows) -> Floats:
        return self._table[self._cells(X)].swapaxes(1, 2)

    def _n_factors(self, X: Rows) -> Floats:
        return (self._cells(X) < len(self._table) - 1).sum(axis=1).astype(float)

    def _unfitted_copy(self) -> Self:
        return super()._unfitted_copy().set_params(min_categories=self.n_categories_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = tags.input_tags.positive_only = True
        return tags


def start_offsets(width: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where each of F consecutive parts of these widths begins, (F,)."""
    return np.cumsum(width) - width

"""Access to the columns of an array or of a frame of pandas or polars, neither of which is imported."""

from collections import Counter
from numbers import Integral, Number
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import validate_data

from nbcore._base import Floats
from nbcore.checks import MISSING_TYPES, is_missing, require

Column: TypeAlias = NDArray[Any] | list[Any]  # numbers (n,), NaN where missing; or a list of n values of any kind
DATES = "Of dates give numbers, such as the days since the first (in pandas (d - d.min()).dt.days), or the month."
CATEGORY_DTYPES = "CategoricalDtype", "Enum"  # of pandas and polars: they list all their categories


def is_frame(X: Any) -> bool:
    """Return whether X is a frame such as those of pandas and polars."""
    return hasattr(X, "columns") and hasattr(X, "dtypes") and len(getattr(X, "shape", ())) == 2


def check_table(estimator: Any, X: Any, reset: bool) -> Any:
    """Check column names and number; return X as a frame, or as an array (n, F) of any dtype.

    reset: whether the estimator learns them, else X must have those that it has learned. Values are not looked at.
    """
    require(not hasattr(X, "collect_schema") or hasattr(X, "shape"), "X", type(X).__name__, "a frame: call X.collect()")
    if is_frame(X):
        for name, times in Counter(X.columns).items():
            require(times == 1, "the column names of X", name, "different from each other")
        for what, size in zip(("sample", "feature"), X.shape, strict=True):
            if not size:
                raise ValueError(f"Found array with 0 {what}(s) (shape={X.shape}) while a minimum of 1 is required.")
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        names = list(X.columns)
        if reset:
            estimator._numbers_as_names = names if all(isinstance(name, Integral) for name in names) else None
        elif getattr(estimator, "_numbers_as_names", None):  # which scikit-learn does not compare
            known = estimator._numbers_as_names
            require(names == known, "the column names of X", names, f"those of fit, in the same order: {known}")
        return X
    if reset:
        estimator._numbers_as_names = None
    X = np.array(X, dtype=object) if isinstance(X, list | tuple) else X
    return validate_data(estimator, X, reset=reset, dtype=None, ensure_all_finite=False)


class Table:
    """A frame or a checked array (n, F), with one way to read its columns; names (F,) says what to call them."""

    def __init__(self, X: Any, names: list[Any]) -> None:
        self.X, self.names, self.shape = X, names, X.shape
        self.dtypes = list(X.dtypes) if is_frame(X) else [X.dtype] * X.shape[1]

    def series(self, f: int) -> Any:
        """Return column f as the table stores it."""
        return self.X.iloc[:, f] if hasattr(self.X, "iloc") else self.X[:, f]

    def kind(self, f: int) -> str:
        """Return what column f holds: "float", "integer", "boolean" or "text", for every other category."""
        dtype = self.dtypes[f]
        letter = dtype_kind(dtype)
        if letter == "O" and type(dtype).__name__ not in (*CATEGORY_DTYPES, "StringDtype"):
            return self.kind_of_values(f)
        kinds = {"f": "float", "i": "integer", "u": "integer", "b": "boolean", "O": "text", "U": "text"}
        if letter not in kinds:
            allowed = f"numbers, text, booleans or categories; its dtype is {dtype}. {DATES}"
            raise ValueError(f"column {self.names[f]!r} of X must hold {allowed}")
        return kinds[letter]

    def kind_of_values(self, f: int) -> str:
        """Return the kind of a column of Python objects."""
        values = self.column(f)
        types = {kind for kind in set(map(type, values)) if kind.__name__ not in MISSING_TYPES}
        for kind in types:
            if not issubclass(kind, Number | str | np.bool_):
                found = next(value for value in values if type(value) is kind)
                allowed = f"argument must be a string or a number, not {found!r}. {DATES}"
                raise TypeError(f"column {self.names[f]!r} of X: {allowed}")
        if not types or any(issubclass(kind, str) for kind in types):
            return "text"
        return "boolean" if any(issubclass(kind, bool | np.bool_) for kind in types) else "float"

    def column(self, f: int) -> Column:
        """Return column f as an array of numbers if its dtype is numeric, else as a list."""
        series, dtype = self.series(f), self.dtypes[f]
        if dtype_kind(dtype) not in "iuf":
            return series.tolist() if hasattr(series, "tolist") else series.to_list()
        if isinstance(dtype, np.dtype):
            return np.ascontiguousarray(series)
        return series.to_numpy(dtype=float, na_value=np.nan) if hasattr(series, "iloc") else series.to_numpy()

    def numbers(self, columns: list[int]) -> NDArray[Any]:
        """Return these columns as numbers, (n, len(columns)), NaN where missing; ValueError for words and infinity."""
        if isinstance(self.X, np.ndarray) and self.X.dtype.kind in "iufb":
            whole = columns == list(range(columns[0], columns[-1] + 1))
            block = self.X[:, columns[0] : columns[-1] + 1] if whole else self.X[:, columns]
            block = block.astype(float) if block.dtype.kind == "b" else block
        else:
            block = np.empty((self.shape[0], len(columns)))
            for j, f in enumerate(columns):
                block[:, j] = self.floats(f)
        if block.dtype.kind == "f" and not np.isfinite(block.sum()):
            for place in np.flatnonzero(np.isinf(block).any(axis=0)):
                name = self.names[columns[place]]
                raise ValueError(f"column {name!r} of X must hold finite numbers or gaps; got infinity.")
        return block

    def floats(self, f: int) -> Floats:
        """Return column f as floats (n,); ValueError for values that are no numbers."""
        column = self.column(f)
        if isinstance(column, np.ndarray):
            return column
        for value in column:
            if not isinstance(value, Number | np.bool_) and not is_missing(value):
                raise ValueError(
                    f"column {self.names[f]!r} of X must hold numbers for its model; got {value!r}. "
                    'Give the column to "categorical" in `columns`.'
                )
        return np.array([np.nan if is_missing(value) else value for value in column], dtype=float)

    def declared_categories(self, f: int) -> list[Any]:
        """Return all categories that the dtype of column f declares, in its order; [] for other dtypes."""
        dtype = self.dtypes[f]
        return list(dtype.categories) if type(dtype).__name__ in CATEGORY_DTYPES else []


def dtype_kind(dtype: Any) -> str:
    """Return numpy's letter for what a dtype of numpy, pandas or polars holds."""
    if hasattr(dtype, "kind"):
        return dtype.kind
    if dtype.is_integer():
        return "i"
    if dtype.is_numeric():
        return "f"
    names = {"Boolean": "b", "String": "U", "Categorical": "U", "Enum": "U", "Object": "O", "Null": "U"}
    return names.get(str(dtype).partition("(")[0], "?")

"""Encoding of a column's categories as codes 0 .. K - 1, in an order that later batches extend."""

from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbcore._base import Floats
from nbcore.checks import is_missing
from nbcore.mixed.table import Column

MISSING, UNKNOWN = -1, -2


def new_categories(column: Column, known: list[Any]) -> list[Any]:
    """Return the values of a column that are not known yet, sorted: numbers, then text. Gaps are left out."""
    found = np.unique(column).tolist() if isinstance(column, np.ndarray) else list(set(column))
    fresh = {value for value in found if not is_missing(value)}.difference(known)
    return sorted(fresh, key=lambda value: (isinstance(value, str), value))


def unite_categories(parts: list[list[Any]]) -> list[Any]:
    """Return the categories that any part of the rows has: in the order of all parts if that is one, else sorted."""
    same = all(part == parts[0] for part in parts)
    return parts[0] if same else new_categories([each for part in parts for each in part], [])


def reorder_table(table: Floats, before: list[Any], after: list[Any]) -> Floats:
    """Return a table of counts (C, K), whose columns count the categories `before`, with the columns of `after`."""
    reordered = np.zeros((len(table), max(table.shape[1], len(after))))
    reordered[:, encode(before, after)] = table[:, : len(before)]
    return reordered


def encode(column: Column, categories: list[Any]) -> NDArray[np.int64]:
    """Return the index of each value among the categories, (n,); `MISSING` for a gap, `UNKNOWN` for any other value."""
    values = column.tolist() if isinstance(column, np.ndarray) else column
    place = {category: code for code, category in enumerate(categories)}
    codes = np.fromiter(map(place.get, values, repeat(UNKNOWN)), np.int64, len(values))
    for i in np.flatnonzero(codes == UNKNOWN):
        if is_missing(values[i]):
            codes[i] = MISSING
    return codes

"""Encoding of a column's categories as codes 0 .. K - 1, in an order that later batches extend."""

from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbcore._base import Floats
from nbcore.mixed.table import Column, is_missing

MISSING, UNKNOWN = -1, -2
LOOKUP_SIZE = 2**16  # whole numbers below this are encoded by a lookup table


def new_categories(column: Column, known: list[Any]) -> list[Any]:
    """Return the values of a column that are not known yet, sorted: numbers, then text. Gaps are left out."""
    if isinstance(column, np.ndarray):
        codes = whole_numbers(column)
        different = np.unique(column) if codes is None else np.flatnonzero(np.bincount(codes)).astype(column.dtype)
        found = different.tolist()
    else:
        found = list(set(column))
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


def whole_numbers(column: NDArray[Any]) -> NDArray[np.int64] | None:
    """Return the numbers as integers if all of them are whole and from 0 to below `LOOKUP_SIZE`, else None."""
    if not (column.min() >= 0 and column.max() < LOOKUP_SIZE):
        return None
    codes = column.astype(np.int64)
    return codes if column.dtype.kind in "iu" or bool((codes == column).all()) else None


def encode(column: Column, categories: list[Any]) -> NDArray[np.int64]:
    """Return the index of each value among the categories, (n,); `MISSING` for a gap, `UNKNOWN` for any other value."""
    if isinstance(column, np.ndarray) and not any(isinstance(known, str) for known in categories):
        return encode_numbers(column, np.array(categories, dtype=float))
    values = column.tolist() if isinstance(column, np.ndarray) else column
    place = {category: code for code, category in enumerate(categories)}
    codes = np.fromiter(map(place.get, values, repeat(UNKNOWN)), np.int64, len(values))
    for i in np.flatnonzero(codes == UNKNOWN):
        if is_missing(values[i]):
            codes[i] = MISSING
    return codes


def encode_numbers(column: NDArray[Any], known: NDArray[np.float64]) -> NDArray[np.int64]:
    """Encode a column of numbers, (n,), whose categories are all numbers, (K,), as `encode` does."""
    if not len(known):
        return np.where(np.isnan(column), MISSING, UNKNOWN)
    small, own = whole_numbers(column), whole_numbers(known)
    if small is not None and own is not None:
        if small.max() < len(own) and (own == np.arange(len(own))).all():
            return small
        place = np.full(max(small.max(), own.max()) + 1, UNKNOWN)
        place[own] = np.arange(len(own))
        return place[small]
    order = np.argsort(known)
    codes = order[np.searchsorted(known[order], column).clip(max=len(known) - 1)]
    return np.where(known[codes] == column, codes, np.where(np.isnan(column), MISSING, UNKNOWN))

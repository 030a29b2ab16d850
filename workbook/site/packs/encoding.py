"""Columns of numbers as JSON: whole numbers and their unit, rounded as coarsely as the figure allows."""

from __future__ import annotations

import math
import re

import numpy as np

from workbook.site.packs.precision import Precision

__all__ = ["encode_numbers", "encode_rows", "round_numbers"]

MOST = 2.0**50  # whole numbers stay below this: a float64 holds them and their differences exactly
TINY = 1e-290  # a smaller number has no place in a figure: it becomes 0
SHORT = range(7)  # decimals: numbers that have no more stay exact
SINGLE = 7  # significant digits where the figure asks for nothing
FORMAT = re.compile(r"^,?(?:\.(\d+))?([defg%]?)$")


def encode_numbers(table: np.ndarray, precision: Precision) -> dict:
    """Encode a float table (rows, columns): {"unit", "rows"}, and "odd" where a number is not finite.

    With a unit, number = whole / unit, and the whole numbers stand as `encode_rows` gives them; without one (0), the
    rows hold the numbers themselves, rounded. odd: a table with 1 for NaN, 2 and 3 for plus and minus infinity.
    """
    finite = np.isfinite(table)
    unit, numbers = round_numbers(np.where(finite, table, 0.0), precision)
    found = {"unit": unit, "rows": encode_rows(numbers) if unit else numbers.ravel().tolist()}
    if not finite.all():
        found["odd"] = encode_rows(np.select([finite, np.isnan(table), table > 0], [0, 1, 2], 3))
    return found


def encode_rows(table: np.ndarray) -> list[int]:
    """List the differences of a table of whole numbers, along its rows and from row to row: they compress well."""
    along = np.diff(table.astype(np.int64), axis=1, prepend=0)
    return np.diff(along, axis=0, prepend=0).ravel().tolist()


def round_numbers(values: np.ndarray, precision: Precision) -> tuple[float, np.ndarray]:
    """Round finite numbers: (unit, whole numbers), or (0, numbers) where a common unit would make them too long."""
    values = np.where(np.abs(values) < TINY, 0.0, values)
    largest = np.abs(values).max(initial=0)
    decimals = [_decimals_of(form) for form in precision.formats]
    short = _short_unit(values, largest)
    if short and (decimals or not precision.per_unit or short <= 16 * precision.per_unit):
        return short, np.rint(values * short).astype(np.int64)
    if None in decimals or largest >= MOST:
        return 0, values
    if precision.per_unit and not decimals and largest < MOST / precision.per_unit:
        return precision.per_unit, np.rint(values * precision.per_unit).astype(np.int64)
    units = _units(values, precision)
    unit = units.max(initial=1.0)
    if largest < 2.0**31 / unit:
        return unit, _truncated(values, unit).astype(np.int64)
    cut = _truncated(values, units) / units
    return 0, np.array([float(f"{number:.15g}") for number in cut.ravel()]).reshape(cut.shape)


def _units(values: np.ndarray, precision: Precision) -> np.ndarray:
    """Return a power of ten for each number: cut to multiples of its inverse, it keeps place and printed digits."""
    decimals = [_decimals_of(form) for form in precision.formats]
    fixed = 10.0 ** max(0, _power(2 * precision.per_unit), *(count + 1 for count in decimals if count < math.inf))
    digits = [int(FORMAT.match(form)[1] or 6) + 1 for form in precision.formats if _decimals_of(form) == math.inf]
    if precision.share:
        digits.append(1 + _power(2 / precision.share))
    elif not precision.per_unit:
        digits.append(SINGLE)
    sizes = np.floor(np.log10(np.where(values == 0, 1.0, np.abs(values))))
    return np.maximum(fixed, 10.0 ** (max(digits, default=-400) - 1 - sizes))


def _power(number: float) -> int:
    """Return the least power of ten that is no smaller than a number; 0 for 0."""
    return math.ceil(math.log10(number)) if number else 0


def _truncated(values: np.ndarray, unit: float | np.ndarray) -> np.ndarray:
    """Cut numbers to whole multiples of 1 / unit, so that printing fewer digits gives what the numbers themselves give.

    A number that is cut never ends on 0 or 5: it would become a tie between two shorter numbers, and was none.
    """
    sizes = np.abs(values)
    below = np.floor(sizes * unit)
    below += (below + 1) / unit <= sizes  # the product was rounded
    below -= below / unit > sizes
    return np.copysign(below + ((below % 5 == 0) & (below / unit < sizes)), values)


def _short_unit(values: np.ndarray, largest: float) -> float | None:
    """Return 10^d where all numbers have at most d decimals, None where some have too many."""
    for unit in (10.0**count for count in SHORT):
        parts = values.ravel()[:50], values  # most often the first few say no
        if largest < MOST / unit and all(np.array_equal(np.rint(part * unit) / unit, part) for part in parts):
            return unit
    return None


def _decimals_of(form: str) -> float | None:
    """Count the decimals that a format prints: inf where it counts digits instead, None where it prints all."""
    match = FORMAT.match(form)
    if not match or not match[2]:
        return None
    return {"d": 0, "f": int(match[1] or 6), "%": int(match[1] or 6) + 2}.get(match[2], math.inf)

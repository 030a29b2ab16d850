"""Checks of arguments: every refusal names the argument, shows the value found and says what is allowed."""

from collections.abc import Iterable, Sequence
from math import inf, isfinite
from numbers import Integral, Real
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "check_distributions", "check_labels_known", "check_logarithms", "check_probabilities", "is_missing", "is_number",
    "name_few", "one_of", "refuse", "require", "require_count", "require_every", "require_number",
]  # fmt: skip

MISSING_TYPES = "NoneType", "NAType", "NaTType"  # of None, pandas' NA and NaT; NaN is found by comparison
TOLERANCE = 1e-6  # largest accepted distance of a distribution's sum from 1


def refuse(argument: str, value: Any, allowed: str) -> NoReturn:
    """Raise ValueError("{argument} must be {allowed}; got {value}.")."""
    raise ValueError(f"{argument} must be {allowed}; got {value!r}.")


def require(holds: Any, argument: str, value: Any, allowed: str) -> None:
    """Raise the ValueError of `refuse` unless `holds`."""
    if not holds:
        refuse(argument, value, allowed)


def require_every(holds: NDArray[np.bool_], argument: str, values: NDArray[Any], allowed: str) -> None:
    """Refuse the first value for which `holds` is not True; `holds` marks what is allowed, so NaN is refused too."""
    if not holds.all():
        refuse(argument, values[~holds][0].item(), allowed)


def one_of(argument: str, value: Any, options: Iterable[Any]) -> None:
    """Refuse every value but one of the options."""
    options = list(options)
    holds = any(isinstance(value, type(option)) and value == option for option in options)
    require(holds, argument, value, f"one of {', '.join(map(repr, options))}")


def is_missing(value: Any) -> bool:
    """Return whether a value is None, NaN, or pandas' NA or NaT."""
    return type(value).__name__ in MISSING_TYPES or bool(value != value)


def name_few(values: Sequence[Any], most: int = 5) -> str:
    """Return the values as a sentence names them, of many only the first few."""
    return ", ".join(map(repr, values[:most])) + (f" and {len(values) - most} more" if len(values) > most else "")


def check_labels_known(y: ArrayLike) -> None:
    """Raise ValueError for labels of which some are missing."""
    values = [] if y is None or np.asarray(y).dtype.kind not in "fO" else np.ravel(y).tolist()
    gaps = [row for row, value in enumerate(values) if is_missing(value)]
    require(not gaps, "y", f"{len(gaps)} gaps, as in rows {gaps[:3]}", "a label for every row: drop rows without one")


def is_number(value: Any, low: float = -inf, high: float = inf) -> bool:
    """Return whether this is a finite number from low to high; True and False are no numbers."""
    real = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    return real and isfinite(value) and low <= value <= high


def require_number(
    argument: str, value: Any, low: float = -inf, high: float = inf, above: float = -inf, below: float = inf
) -> None:
    """Refuse everything but a finite number from low to high, both included, and between above and below, excluded."""
    bounds = f" from {low:g} to {high:g}" if high < inf else f" >= {low:g}" if low > -inf else ""
    bounds += f" > {above:g}" if above > -inf else ""
    bounds += f" and < {below:g}" if below < inf else ""
    holds = is_number(value, low, high) and above < value < below
    require(holds, argument, value, f"a finite number{bounds}")


def require_count(argument: str, value: Any, least: int = 1) -> None:
    """Refuse everything but an integer >= least (numpy's integers count, True does not)."""
    holds = isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= least
    require(holds, argument, value, f"an integer >= {least}")


def check_probabilities(
    argument: str, values: ArrayLike, tolerance: float = 0.0, above_zero: bool = False
) -> NDArray[np.float64]:
    """Return the values as floats; ValueError unless all are from 0 (or above it) to 1, give or take the tolerance."""
    p = np.asarray(values, dtype=float)
    allowed = "probabilities above 0, at most 1" if above_zero else "probabilities from 0 to 1"
    require_every((p > 0 if above_zero else p >= 0) & (p <= 1 + tolerance), argument, p, allowed)
    return p


def check_distributions(argument: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return probability vectors (last axis, two entries or more) as floats; ValueError unless each sums to 1.

    A sum may be off by 1e-6, or by the square root of the precision of narrower floats, as for scikit-learn's log loss.
    """
    given = np.asarray(values)
    tolerance = max(TOLERANCE, np.finfo(given.dtype).eps ** 0.5) if given.dtype.kind == "f" else TOLERANCE
    p = given.astype(float)
    require(p.ndim >= 1 and p.shape[-1] >= 2, argument, p.shape, "an array whose last axis has 2 or more entries")
    check_probabilities(argument, p, tolerance)
    total = p.sum(axis=-1)
    require_every(abs(total - 1) <= tolerance, argument, total, "probability vectors: the sum along the last axis 1")
    return p


def check_logarithms(argument: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return log P(...|c) as floats, C >= 2 classes on the last axis; ValueError unless finite or -inf."""
    a = np.asarray(values, dtype=float)
    require(a.ndim >= 1 and a.size > 0 and a.shape[-1] >= 2, argument, a.shape, "of shape (..., C) with C >= 2 classes")
    require_every(a < inf, argument, a, "logarithms: finite or -inf")
    return a

"""One way to refuse an argument: name it, show the value found, say what is allowed."""

from collections.abc import Iterable
from math import inf, isfinite
from numbers import Integral, Real
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "distributions",
    "every",
    "is_number",
    "logarithms",
    "one_of",
    "probabilities",
    "refuse",
    "require",
    "require_count",
    "require_number",
]

TOLERANCE = 1e-6  # how far from 1 the sum of a distribution may be


def refuse(argument: str, value: Any, allowed: str) -> NoReturn:
    """Raise ValueError("{argument} must be {allowed}; got {value}.")."""
    raise ValueError(f"{argument} must be {allowed}; got {value!r}.")


def require(holds: Any, argument: str, value: Any, allowed: str) -> None:
    """Refuse the value unless `holds`."""
    if not holds:
        refuse(argument, value, allowed)


def every(holds: NDArray[np.bool_], argument: str, values: NDArray[Any], allowed: str) -> None:
    """Refuse the first of the values for which `holds` is not True: `holds` says what is good, so NaN is found too."""
    if not holds.all():
        refuse(argument, values[~holds][0].item(), allowed)


def one_of(argument: str, value: Any, options: Iterable[Any]) -> None:
    """Refuse everything but one of the options."""
    options = list(options)
    holds = any(isinstance(value, type(option)) and value == option for option in options)
    require(holds, argument, value, f"one of {', '.join(map(repr, options))}")


def is_number(value: Any, low: float = -inf, high: float = inf) -> bool:
    """Whether this is a finite number from low to high; True and False are none."""
    real = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    return real and isfinite(value) and low <= value <= high


def require_number(
    argument: str, value: Any, low: float = -inf, high: float = inf, above: float = -inf, below: float = inf
) -> None:
    """Refuse everything but a finite number from low to high, both allowed; above and below are not allowed."""
    bounds = f" from {low:g} to {high:g}" if high < inf else f" >= {low:g}" if low > -inf else ""
    bounds += f" > {above:g}" if above > -inf else ""
    bounds += f" and < {below:g}" if below < inf else ""
    holds = is_number(value, low, high) and above < value < below
    require(holds, argument, value, f"a finite number{bounds}")


def require_count(argument: str, value: Any, least: int = 1) -> None:
    """Refuse everything but an integer >= least (numpy's integers are fine, True is not)."""
    holds = isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= least
    require(holds, argument, value, f"an integer >= {least}")


def probabilities(argument: str, values: ArrayLike, tolerance: float = 0.0) -> NDArray[np.float64]:
    """The values as floats; ValueError unless all are from 0 to 1, or above it by no more than the tolerance."""
    p = np.asarray(values, dtype=float)
    every((p >= 0) & (p <= 1 + tolerance), argument, p, "probabilities from 0 to 1")
    return p


def distributions(argument: str, values: ArrayLike) -> NDArray[np.float64]:
    """Probability vectors along the last axis (two entries or more) as floats; ValueError unless each sums to 1.

    A sum may be off by 1e-6, or by the square root of the precision of narrower floats, as for scikit-learn's log loss.
    """
    given = np.asarray(values)
    tolerance = max(TOLERANCE, np.finfo(given.dtype).eps ** 0.5) if given.dtype.kind == "f" else TOLERANCE
    p = given.astype(float)
    require(p.ndim >= 1 and p.shape[-1] >= 2, argument, p.shape, "an array whose last axis has 2 or more entries")
    probabilities(argument, p, tolerance)
    total = p.sum(axis=-1)
    every(abs(total - 1) <= tolerance, argument, total, "probability vectors: the sum along the last axis 1")
    return p


def logarithms(argument: str, values: ArrayLike) -> NDArray[np.float64]:
    """Logarithms of P(...|c) with the C >= 2 classes along the last axis, as floats: each finite or -inf."""
    a = np.asarray(values, dtype=float)
    require(a.ndim >= 1 and a.size > 0 and a.shape[-1] >= 2, argument, a.shape, "of shape (..., C) with C >= 2 classes")
    every(a < inf, argument, a, "logarithms: finite or -inf")
    return a

"""One way to refuse an argument: name it, show the value found, say what is allowed."""

from collections.abc import Iterable
from math import inf, isfinite
from numbers import Integral, Real
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["every", "is_number", "one_of", "probabilities", "refuse", "require", "require_count", "require_number"]


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


def require_number(argument: str, value: Any, low: float = -inf, high: float = inf) -> None:
    """Refuse everything but a finite number from low to high."""
    bounds = f" from {low:g} to {high:g}" if high < inf else f" >= {low:g}" if low > -inf else ""
    require(is_number(value, low, high), argument, value, f"a finite number{bounds}")


def require_count(argument: str, value: Any, least: int = 1) -> None:
    """Refuse everything but an integer >= least (numpy's integers are fine, True is not)."""
    holds = isinstance(value, Integral) and not isinstance(value, bool) and value >= least
    require(holds, argument, value, f"an integer >= {least}")


def probabilities(argument: str, values: ArrayLike, tolerance: float = 0.0) -> NDArray[np.float64]:
    """The values as floats; ValueError unless all are from 0 to 1, or above it by no more than the tolerance."""
    p = np.asarray(values, dtype=float)
    every((p >= 0) & (p <= 1 + tolerance), argument, p, "probabilities from 0 to 1")
    return p

"""When two numbers count as the same answer: three significant digits are enough, two are nearly enough."""

from __future__ import annotations

import numpy as np

__all__ = ["alike", "allowed", "same"]


def same(a: np.ndarray, b: np.ndarray, tolerance: float) -> bool:
    """Return whether a is b to one unit in the third significant digit and within the relative tolerance; nan is nan.

    A zero among other numbers is met by what rounding leaves of them, a zero alone by nothing else.
    """
    if a.shape != b.shape:
        return False
    with np.errstate(all="ignore"):
        close = np.isfinite(b) & (np.abs(a - b) <= allowed(b, tolerance))
    return bool(np.all(close | (a == b) | (np.isnan(a) & np.isnan(b))))


def allowed(b: np.ndarray, tolerance: float) -> np.ndarray:
    """Return how far an answer may lie from each number of b."""
    with np.errstate(all="ignore"):
        noise = 1e-12 * np.max(np.abs(b), initial=0, where=np.isfinite(b))
        near = np.minimum(tolerance * np.abs(b), 200 * tolerance * unit(b, 3))
    return np.where(b == 0, noise, near * (1 + 1e-9))


def alike(a: float, b: float) -> bool:
    """Return whether a and b agree in two significant digits, as probabilities also in the first of 1 - a and 1 - b."""
    return rounds_to(a, b, 2) and (not (0 <= a <= 1 and 0 < b < 1) or rounds_to(1 - a, 1 - b, 1))


def rounds_to(a: float, b: float, digits: int) -> bool:
    """Return whether a and b can round to one number of so many significant digits; a tie goes either way."""
    if not (np.isfinite(a) and np.isfinite(b)) or b == 0:
        return False
    rounded = (float(f"{a * (1 + nudge):.{digits}g}") for nudge in (-1e-12, 1e-12))
    return any(abs(number - b) <= unit(b, digits) / 2 * (1 + 1e-9) for number in rounded)


def unit(value, digits: int):
    """Return what the last of so many significant digits counts: 0.001 for 0.123 and three digits."""
    return 10.0 ** (np.floor(np.log10(np.abs(value))) - digits + 1)

"""Chapter 08: the grid of points of a decision map."""

from __future__ import annotations

import numpy as np

__all__ = ["square"]


def square(low: float, high: float, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return n values along each side of a square, and its n x n points (n n, 2), row by row."""
    axis = np.linspace(low, high, n)
    return axis, np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)

"""The triangle of the two explorers: an image stands at the shares of its ink in the left, middle and right strip."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbook.explorer import marks
from workbook.explorer.palette import GREY, Looks

from .experiment import STRIPS

__all__ = ["HEIGHT", "bare_axis", "corners", "images", "place", "scatter_ties", "write_counts"]

HEIGHT = np.sqrt(3) / 2
APART = 0.011  # between points that would lie on each other


def place(shares: np.ndarray) -> np.ndarray:
    """Return the points (..., 2) of shares (..., 3): all left at (0, 0), all right at (1, 0), all middle on top."""
    return np.stack([shares[..., 2] + shares[..., 1] / 2, HEIGHT * shares[..., 1]], axis=-1)


def scatter_ties(points: np.ndarray) -> np.ndarray:
    """Return the points (n, 2) with those at one place moved apart, as the seeds of a sunflower."""
    _, same = np.unique(points.round(9), axis=0, return_inverse=True)
    before = np.array([np.count_nonzero(same[:at] == own) for at, own in enumerate(same)])
    radius, turn = APART * np.sqrt(before), np.pi * (3 - np.sqrt(5)) * before
    return (points + np.column_stack([radius * np.cos(turn), radius * np.sin(turn)])).round(4)


def corners(shift: float = 0.0) -> list[dict]:
    """Draw an empty triangle with the names of its corners. shift: how far to the right."""
    x, y = np.array([0, 1, 0.5, 0]) + shift, np.array([0, 0, HEIGHT, 0])
    left, middle, right = STRIPS
    names = [marks.text(shift, 0, left, place="below"), marks.text(shift + 1, 0, right, place="below"),
             marks.text(shift + 0.5, HEIGHT + 0.06, middle, place="above")]  # fmt: skip
    return [marks.line(x, y, GREY, width=1), *names]


def bare_axis(low: float, high: float) -> dict:
    """Return an axis that is not seen."""
    axis = marks.axis(low, high, grid=False)
    axis["showline"] = False
    return axis


def images(points: np.ndarray, look: Looks, pixels: np.ndarray, words: Sequence[str], opacity: float) -> dict:
    """Draw images at points (n, 2); the one that is pointed at is shown, with its words."""
    drawn = marks.points(*points.T, look, size=6, opacity=opacity, hover="%{text}", data=pixels.astype(np.uint8))
    drawn["text"], drawn["meta"] = list(words), dict(pixels=[8, 8])
    return drawn


def write_counts(rows: np.ndarray) -> list[str]:
    """Return the three counts of each row in words."""
    return [", ".join(f"{n} {strip}" for n, strip in zip(row, STRIPS, strict=True)) for row in rows.astype(int)]

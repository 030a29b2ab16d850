"""Two bits and a class: eight counts, and the lines b + w.x that linear models draw between the four corners.

A line gives the log odds of class 1. Nothing here learns from a sample: the counts are all there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations
from string import ascii_lowercase

import numpy as np
from scipy.special import expit

from .experiment import letter_features

__all__ = ["CORNERS", "TABLES", "Line", "blend_lines", "letter_pairs", "logistic_line", "naive_line", "score_line"]

CORNERS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])  # (x₁, x₂), in the order of a table's columns
# Twenty rows each, of class 0 and of class 1 in each corner. In one naive Bayes errs less, in one logistic regression.
TABLES = ((1, 0, 0, 14), (1, 1, 1, 2)), ((7, 0, 0, 9), (0, 3, 1, 0))


@dataclass(frozen=True)
class Line:
    """Hold the line of the log odds of class 1, b + w₁x₁ + w₂x₂."""

    w: tuple[float, float]
    b: float

    @cached_property
    def log_odds(self) -> np.ndarray:
        """Return the log odds at the four corners."""
        return CORNERS @ np.array(self.w) + self.b

    @property
    def posteriors(self) -> np.ndarray:
        """Return P(class 1 | x) at the four corners."""
        return expit(self.log_odds)


def naive_line(counts) -> Line:
    """Return the line of Bernoulli naive Bayes without smoothing: it counts, and so maximises the joint likelihood."""
    counts = np.asarray(counts, dtype=float)
    n = counts.sum(axis=1)
    p = counts @ CORNERS / n[:, None]  # (class, bit)
    ones, zeros = np.log(p), np.log1p(-p)
    w = (ones - zeros)[1] - (ones - zeros)[0]
    return Line((float(w[0]), float(w[1])), float(np.log(n[1] / n[0]) + (zeros[1] - zeros[0]).sum()))


def logistic_line(counts) -> Line:
    """Return the line of logistic regression without a penalty: Newton's steps up the conditional likelihood."""
    counts = np.asarray(counts, dtype=float)
    A, n, line = np.column_stack([CORNERS, np.ones(4)]), counts.sum(axis=0), np.zeros(3)
    for _ in range(100):
        p = expit(A @ line)
        step = np.linalg.solve((A.T * (n * p * (1 - p))) @ A, A.T @ (counts[1] - n * p))
        line += step
        if np.abs(step).max() < 1e-12:
            break
    return Line((float(line[0]), float(line[1])), float(line[2]))


def blend_lines(counts, way: float) -> Line:
    """Return a line on the way from naive Bayes (0) to logistic regression (1), or beyond."""
    start, end = (np.array([*line.w, line.b]) for line in (naive_line(counts), logistic_line(counts)))
    w1, w2, b = (start + way * (end - start)).tolist()
    return Line((w1, w2), b)


def score_line(counts, line: Line) -> tuple[float, np.ndarray]:
    """Return a line's log loss a row, and the rows that it decides wrongly at each corner; on the line: class 0."""
    counts, z = np.asarray(counts), line.log_odds
    loss = (counts[1] @ np.logaddexp(0, -z) + counts[0] @ np.logaddexp(0, z)) / counts.sum()
    return float(loss), np.where(z > 0, counts[0], counts[1])


@cache
def letter_pairs() -> dict[str, tuple[int, int]]:
    """Return, for every two bits "contains", how many of all names naive Bayes and logistic regression get wrong."""
    X, y = letter_features()
    found = {}
    for i, j in combinations(range(26), 2):
        corner = (2 * X[:, i] + X[:, j]).astype(int)
        table = np.array([np.bincount(corner[y == c], minlength=4) for c in (0, 1)])
        lines = naive_line(table), logistic_line(table)
        found[ascii_lowercase[i] + ascii_lowercase[j]] = tuple(int(score_line(table, each)[1].sum()) for each in lines)
    return found

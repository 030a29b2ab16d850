"""Two bits and a class: eight counts, and every line b + w.x that a linear model may draw between the four corners.

A line gives the log odds of class 1. It has a conditional likelihood, and a joint one: that of the best naive Bayes
model among all that have these log odds. Nothing here learns from a sample: the counts are all there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import exp, log, log1p

import numpy as np
from scipy.special import expit

__all__ = ["CORNERS", "TABLES", "Line", "Scores", "log_joint", "logistic_line", "naive_line", "random_tables", "scores"]

CORNERS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])  # (x₁, x₂), in the order of a table's columns
# Rows of class 0 and of class 1 in each corner.
TABLES = {
    "twenty rows": ((1, 0, 0, 14), (1, 1, 1, 2)),
    "independent bits": ((2, 6, 3, 9), (12, 4, 3, 1)),
    "nearly copies": ((11, 2, 2, 5), (5, 2, 2, 11)),
    "names: k and l": ((1665, 960, 204, 63), (1763, 1481, 194, 115)),  # contains k, contains l; class 1 is female
}


@dataclass(frozen=True)
class Line:
    """Log odds b + w₁x₁ + w₂x₂ of class 1."""

    w: tuple[float, float]
    b: float

    @cached_property
    def log_odds(self) -> np.ndarray:
        """At the four corners."""
        return CORNERS @ np.array(self.w) + self.b


@dataclass(frozen=True)
class Scores:
    """A line's scores on a table: the means of log P(c | x) and log P(c, x), and the rows that it decides wrongly."""

    conditional: float
    joint: float
    errors: int


def naive_line(counts) -> Line:
    """The line of Bernoulli naive Bayes without smoothing: it counts, and so maximises the joint likelihood."""
    counts = np.asarray(counts, dtype=float)
    n = counts.sum(axis=1)
    p = counts @ CORNERS / n[:, None]  # (class, bit)
    ones, zeros = np.log(p), np.log1p(-p)
    w = (ones - zeros)[1] - (ones - zeros)[0]
    return Line((float(w[0]), float(w[1])), float(np.log(n[1] / n[0]) + (zeros[1] - zeros[0]).sum()))


def logistic_line(counts) -> Line:
    """The line of logistic regression without a penalty: Newton's steps up the conditional likelihood."""
    counts = np.asarray(counts, dtype=float)
    A, n, line = np.column_stack([CORNERS, np.ones(4)]), counts.sum(axis=0), np.zeros(3)
    for _ in range(100):
        p = expit(A @ line)
        step = np.linalg.solve((A.T * (n * p * (1 - p))) @ A, A.T @ (counts[1] - n * p))
        line += step
        if np.abs(step).max() < 1e-12:
            break
    return Line((float(line[0]), float(line[1])), float(line[2]))


def log_joint(counts, line: Line) -> float:
    """Mean log P(c, x) of a row by the best naive Bayes model with these log odds.

    Such a model is P(c, x) = exp(c (b + w.x) + a.x) / Z. Only a is free: two numbers, found by Newton's steps.
    """
    share = np.asarray(counts, dtype=float) / np.sum(counts)
    w1, w2 = line.w
    m1, m2 = map(float, share.sum(axis=0) @ CORNERS)
    fixed = float(share[1] @ line.log_odds)
    a1, a2 = (log(m / (1 - m)) - w * share[1].sum() for m, w in ((m1, w1), (m2, w2)))
    value, slope, step = objective(a1, a2, line, (m1, m2))
    for _ in range(200):
        if abs(slope[0]) + abs(slope[1]) < 1e-9:
            break
        size = 1.0
        while (new := objective(a1 + size * step[0], a2 + size * step[1], line, (m1, m2)))[0] < value - 1e-13:
            size /= 2
        a1, a2 = a1 + size * step[0], a2 + size * step[1]
        value, slope, step = new
    return fixed + value


def objective(a1: float, a2: float, line: Line, m: tuple[float, float]):
    """a.m - log Z, its slope in a, and a step uphill: Newton's, shortened where the slope is steep."""
    (w1, w2), b = line.w, line.b
    zero, one = softplus(a1) + softplus(a2), b + softplus(a1 + w1) + softplus(a2 + w2)
    c, (p1, q1, p2, q2) = sigmoid(one - zero), map(sigmoid, (a1, a1 + w1, a2, a2 + w2))
    e1, e2 = (1 - c) * p1 + c * q1, (1 - c) * p2 + c * q2
    g1, g2 = m[0] - e1, m[1] - e2
    short = 0.5 * (abs(g1) + abs(g2))
    v1, v2 = e1 * (1 - e1) + short, e2 * (1 - e2) + short
    v12 = c * (1 - c) * (q1 - p1) * (q2 - p2)
    det = max(v1 * v2 - v12 * v12, 1e-300)
    step = (v2 * g1 - v12 * g2) / det, (v1 * g2 - v12 * g1) / det
    return a1 * m[0] + a2 * m[1] - max(zero, one) - log1p(exp(-abs(zero - one))), (g1, g2), step


def softplus(u: float) -> float:
    """log(1 + exp(u)); in plain floats, which are many times faster here than arrays of one."""
    return max(u, 0.0) + log1p(exp(-abs(u)))


def sigmoid(u: float) -> float:
    """1 / (1 + exp(-u))."""
    return 1 / (1 + exp(-u)) if u > 0 else exp(u) / (1 + exp(u))


def scores(counts, line: Line) -> Scores:
    """Score a line on a table; a corner on the line goes to class 0."""
    counts, z = np.asarray(counts), line.log_odds
    conditional = -(counts[1] @ np.logaddexp(0, -z) + counts[0] @ np.logaddexp(0, z)) / counts.sum()
    errors = counts[0][z > 0].sum() + counts[1][z <= 0].sum()
    return Scores(float(conditional), float(log_joint(counts, line)), int(errors))


@lru_cache(maxsize=4)
def random_tables(n: int = 1000, seed: int = 0) -> tuple[int, int]:
    """Count, of n tables drawn evenly from all shares, those where logistic regression errs less, then naive Bayes.

    As populations: no sample, no smoothing, no penalty.
    """
    fewer = [0, 0]
    for shares in np.random.default_rng(seed).dirichlet(np.ones(8), size=n).reshape(n, 2, 4):
        logistic, bayes = (wrong(shares, line(shares)) for line in (logistic_line, naive_line))
        fewer[0] += logistic < bayes - 1e-12
        fewer[1] += bayes < logistic - 1e-12
    return fewer[0], fewer[1]


def wrong(shares, line: Line) -> float:
    """The share that a line decides wrongly."""
    return float(np.where(line.log_odds > 0, shares[0], shares[1]).sum())

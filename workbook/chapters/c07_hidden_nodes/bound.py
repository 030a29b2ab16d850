"""EM where it can be seen whole: five documents, two nodes, and one number that is free.

Node 2 writes both words with probability 1/2, the nodes are equally common, and only theta = P(f1|h1,c) is learned. So
the log likelihood is a curve, and so is the lower bound that EM makes of the responsibilities at the present theta.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nbcore.hierarchical import MultinomialLeaf, Nodes, e_step, m_step

__all__ = ["OTHER", "STEPS", "TOKENS", "Climb", "climb", "joint", "log_likelihood", "lower_bound"]

STEPS = 8
TOKENS = 10  # of a document
OTHER = 0.5  # P(f1|h2,c)
LEAF = MultinomialLeaf(0.0)


@dataclass(frozen=True)
class Climb:
    """A run of EM: theta after 0, 1, ..., STEPS + 1 steps, its log likelihood, and the tops of the bounds."""

    theta: np.ndarray  # (STEPS + 2,)
    log_likelihood: np.ndarray  # (STEPS + 2,)
    responsibility: np.ndarray  # (STEPS + 1, documents) of node 1, at each theta but the last
    top: np.ndarray  # (STEPS + 1,) of the bound that touches at theta: its value at the next theta


def rows(f1: tuple) -> np.ndarray:
    """Documents of ten tokens, from how many of them are f1."""
    return np.column_stack([f1, TOKENS - np.array(f1)]).astype(float)


def joint(theta, f1: tuple) -> np.ndarray:
    """log P(x, h|c) of documents and nodes, (..., documents, 2), for any theta (...)."""
    theta = np.asarray(theta, dtype=float)[..., None]
    profile = np.stack([theta, 1 - theta], axis=-1), np.full((*theta.shape, 2), [OTHER, 1 - OTHER])
    said = [rows(f1) @ np.log(p[..., 0, :, None]) for p in profile]
    return np.log(0.5) + np.concatenate(said, axis=-1)


def log_likelihood(theta, f1: tuple) -> np.ndarray:
    """Of all documents."""
    return np.logaddexp.reduce(joint(theta, f1), axis=-1).sum(axis=-1)


def lower_bound(theta, responsibility: np.ndarray, f1: tuple) -> np.ndarray:
    """sum_ih r_ih log(P(x_i, h|c) / r_ih), for node 1's responsibilities (documents,)."""
    r = np.column_stack([responsibility, 1 - responsibility])
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(r > 0, r * (joint(theta, f1) - np.log(r)), 0.0)
    return parts.sum(axis=(-1, -2))


@lru_cache(maxsize=256)  # 93 starts of two sets of documents
def climb(start: float, f1: tuple) -> Climb:
    """EM from a start, by the E-step and the M-step of nbcore; node 2 and the P(h|c) are put back after each step."""
    theta, likelihood, responsibility = [start], [], []
    while True:
        profile = np.log([[theta[-1], 1 - theta[-1]], [OTHER, 1 - OTHER]])
        shares, log_p = e_step(rows(f1), Nodes(np.log([0.5, 0.5]), (profile,)), LEAF)
        likelihood.append(log_p.sum())
        if len(theta) > STEPS + 1:
            break
        responsibility.append(shares[:, 0])
        theta.append(float(np.exp(m_step(rows(f1), shares, LEAF).parameters[0][0, 0])))
    tops = [lower_bound(after, r, f1) for after, r in zip(theta[1:], responsibility, strict=True)]
    return Climb(*map(np.array, (theta, likelihood, responsibility, tops)))

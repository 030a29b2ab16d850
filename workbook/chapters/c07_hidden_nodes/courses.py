"""EM on the 182 ones, step by step: from twenty random starts, and from three nodes that are equal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from nbcore.hierarchical import MultinomialLeaf, Nodes, e_step, m_step, run_em, start_from_responsibilities

from .experiment import STARTS, naive_profile, ones

__all__ = ["FLOOR", "STEPS", "Course", "follow", "gains"]

STEPS = [0, 1, 3, 5, 8, 12, 20, 30, 100]
H, FLOOR = 3, 1.0  # nats: an end that is so near to the best one counts as the best
LEAF = MultinomialLeaf(0.0)


@dataclass(frozen=True)
class Course:
    """Hold a run of EM after each of STEPS: its nodes, what it climbs, and which node has most of each image."""

    nodes: tuple[Nodes, ...]
    objective: np.ndarray  # (steps,)
    best: np.ndarray  # (steps, 182)


@lru_cache(maxsize=2 * (STARTS + 1))
def follow(em: str, start: int) -> Course:
    """Run "soft" or "hard" EM from a start: 0 is the equal one, the others are random."""
    if start:
        nodes = start_from_responsibilities(ones(), H, LEAF, np.random.default_rng(start - 1), em)
    else:
        nodes = m_step(ones(), np.full((len(ones()), H), 1 / H), LEAF)
    visited = [nodes]
    for before, after in pairwise(STEPS):
        visited.append(run_em(ones(), visited[-1], LEAF, em, after - before, tol=0).nodes)
    found = [e_step(ones(), each, LEAF, em) for each in visited]
    return Course(tuple(visited), np.array([height.sum() for _, height in found]),
                  np.array([shares.argmax(axis=1) for shares, _ in found]))  # fmt: skip


@lru_cache(maxsize=2)
def gains(em: str) -> np.ndarray:
    """Return the objective less the log likelihood of naive Bayes, (21, steps): the equal start first."""
    return np.array([follow(em, start).objective for start in range(STARTS + 1)]) - (ones() @ naive_profile()).sum()

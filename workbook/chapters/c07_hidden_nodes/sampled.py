"""Images drawn from a model of a digit, to set beside the real ones; each has as many tokens as its real twin."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from nbcore.hierarchical import MultinomialLeaf, Nodes, e_step, run_em, start_from_responsibilities

from .experiment import STARTS, dispersion, strips_of_digit

__all__ = ["MOST_NODES", "SETS", "draw_sets", "learn_nodes", "node_gain", "spread", "typical_set"]

MOST_NODES, SETS, STEPS = 3, 200, 300
LEAF = MultinomialLeaf(0.0)


@lru_cache(maxsize=10 * MOST_NODES)
def learn_nodes(digit: int, H: int) -> Nodes:
    """Return the nodes of the best of 20 runs of soft EM on a digit; one node is naive Bayes' profile."""
    rows = strips_of_digit(digit)
    starts = (start_from_responsibilities(rows, H, LEAF, np.random.default_rng(seed)) for seed in range(STARTS))
    return max((run_em(rows, start, LEAF, max_iter=STEPS) for start in starts), key=lambda run: run.objective).nodes


def node_gain(digit: int) -> float:
    """Return how much three nodes raise the log likelihood of a digit's images above that of its one profile."""
    naive, nodes = (e_step(strips_of_digit(digit), learn_nodes(digit, H), LEAF)[1].sum() for H in (1, MOST_NODES))
    return float(nodes - naive)


def draw_sets(digit: int, H: int) -> np.ndarray:
    """Draw SETS sets of images from the nodes, as many and as long as the real ones: counts (SETS, n, 3)."""
    length = strips_of_digit(digit).sum(axis=1).astype(int)
    rng, nodes = np.random.default_rng([digit, H]), learn_nodes(digit, H)
    weight, profile = (np.exp(log_p) / np.exp(log_p).sum(axis=-1, keepdims=True)
                       for log_p in (nodes.log_prob, nodes.parameters[0]))  # fmt: skip
    node = rng.choice(H, p=weight, size=(SETS, len(length)))
    return rng.multinomial(length, profile[node])


@lru_cache(maxsize=10 * MOST_NODES)
def spread(digit: int, H: int) -> tuple[float, float, float]:
    """Return the dispersion between which 95 of 100 drawn sets lie, and the median: (low, median, high)."""
    low, middle, high = np.quantile(dispersion(draw_sets(digit, H)), [0.025, 0.5, 0.975])
    return float(low), float(middle), float(high)


@lru_cache(maxsize=10 * MOST_NODES)
def typical_set(digit: int, H: int) -> np.ndarray:
    """Return the drawn set with the median dispersion, counts (n, 3)."""
    sets = draw_sets(digit, H)
    return sets[abs(dispersion(sets) - spread(digit, H)[1]).argmin()]

"""Images drawn from a model of the ones, to set beside the real ones: what the model believes, seen.

Each drawn image has as many tokens as its real twin; only where they fall is the model's.
"""

from functools import lru_cache

import numpy as np

from nbcore.hierarchical import MultinomialLeaf, Nodes, run_em, start_from_responsibilities

from .experiment import ones

__all__ = ["MOST_NODES", "SETS", "STATISTICS", "counted", "drawn", "expected", "learned"]

MOST_NODES, SETS = 4, 100
STARTS, STEPS = 10, 300  # of EM
RIGHT, LEFT, NEAR = "no ink right", "no ink left", "near the profile"
STATISTICS = {
    RIGHT: "have no ink in the right strip",
    LEFT: "have no ink in the left strip",
    NEAR: "lie within 10 points of the profile",
}


def holds(counts, statistic):
    """Of each image, counts (..., 3): whether it is one of those that the statistic counts, (...)."""
    if statistic in (RIGHT, LEFT):
        return counts[..., 2 if statistic == RIGHT else 0] == 0
    profile = ones().sum(axis=0) / ones().sum()
    return (abs(counts / counts.sum(axis=-1, keepdims=True) - profile) < 0.1).all(axis=-1)


def counted(counts, statistic):
    """How many of the images there are of that kind, (...,) for sets of images (..., n, 3)."""
    return holds(counts, statistic).sum(axis=-1)


@lru_cache(maxsize=MOST_NODES)
def learned(H) -> Nodes:
    """The nodes of the best of ten runs of EM, the heaviest first; one node is naive Bayes."""
    leaf = MultinomialLeaf(0.0)
    starts = (start_from_responsibilities(ones(), H, leaf, np.random.default_rng(seed)) for seed in range(STARTS))
    nodes = max((run_em(ones(), start, leaf, max_iter=STEPS) for start in starts), key=lambda run: run.objective).nodes
    order = np.argsort(-nodes.log_prob)
    return Nodes(nodes.log_prob[order], (nodes.parameters[0][order],))


@lru_cache(maxsize=MOST_NODES)
def drawn(H):
    """SETS times 182 images drawn from H nodes: counts (SETS, 182, 3), and the node that wrote each, (SETS, 182)."""
    rng, nodes = np.random.default_rng(20261122), learned(H)
    weight, profile = (np.exp(log_p) / np.exp(log_p).sum(axis=-1, keepdims=True)
                       for log_p in (nodes.log_prob, nodes.parameters[0]))  # fmt: skip
    node = rng.choice(H, p=weight, size=(SETS, len(ones())))
    return rng.multinomial(ones().sum(axis=1).astype(int), profile[node]), node


@lru_cache(maxsize=MOST_NODES * len(STATISTICS))
def expected(H, statistic):
    """How many of the 182 are of that kind, on average, if one node wrote them all, (H,): over all cases."""
    total = np.zeros(H)
    for n, images in zip(*np.unique(ones().sum(axis=1).astype(int), return_counts=True), strict=True):
        log_factorial = np.cumsum(np.log(np.maximum(np.arange(n + 1), 1)))
        cases = np.array([(left, n - left - right, right) for left in range(n + 1) for right in range(n + 1 - left)])
        ways = log_factorial[n] - log_factorial[cases].sum(axis=1)
        chance = np.exp(ways[:, None] + cases @ learned(H).parameters[0].T)
        total += images * chance[holds(cases, statistic)].sum(axis=0)
    return total

"""Handwritten digits as bags of three words: dark pixels in the left, the middle and the right of the image.

And what EM with hidden nodes makes of them; and a model of three layers that is small enough to write down.
"""

from functools import lru_cache

import numpy as np

from nbcore.datasets import dark_pixels, inked_digits
from nbcore.hierarchical import (
    MultinomialLeaf,
    mix_nodes,
    product_of_sums,
    run_em,
    start_from_responsibilities,
    sum_of_products,
)

__all__ = [
    "STRIPS",
    "TOKENS",
    "count_strips",
    "difference",
    "end_gains",
    "naive_profile",
    "ones",
    "random_difference",
    "runs",
    "three_layers",
]

STRIPS = "left", "middle", "right"
STARTS, MOST_STEPS = 20, 100  # of EM
TOKENS = 10  # in a bag of the three-layer model
COLUMNS = slice(0, 3), slice(3, 5), slice(5, 8)  # of 8; the middle is as wide as an upright stroke


def count_strips(images):
    """Dark pixels in the three strips of images (n, 8, 8) with grey levels 0 to 16: counts (n, 3)."""
    return strips_of(dark_pixels(images))


def strips_of(dark):
    """The same of pixels that are dark or not, (n, 64)."""
    by_column = dark.reshape(-1, 8, 8).sum(axis=1)
    return np.stack([by_column[:, part].sum(axis=1) for part in COLUMNS], axis=1)


@lru_cache(maxsize=1)  # no arguments
def ones():
    """The counts of the 182 ones among scikit-learn's 1,797 digits, (182, 3); not to be written to."""
    pixels, digit = inked_digits()
    counts = strips_of(pixels[digit == 1])
    counts.flags.writeable = False
    return counts


def naive_profile(alpha=0.0):
    """log P(f|c) of naive Bayes, (3,)."""
    return MultinomialLeaf(alpha).estimate(ones(), np.ones((len(ones()), 1)))[0][0]


def difference(nodes, naive_alpha=0.0):
    """Largest difference in P(f|c) between product of sums and naive Bayes."""
    mixed = mix_nodes(nodes.log_prob, nodes.parameters[0])
    return float(np.abs(np.exp(mixed) - np.exp(naive_profile(naive_alpha))).max())


def random_difference(em="soft", H=3, alpha=0.0, naive_alpha=None, **options):
    """`difference` for responsibilities drawn at random, with no EM at all: the largest of 20 draws."""
    naive_alpha = alpha if naive_alpha is None else naive_alpha
    draws = (np.random.default_rng(seed) for seed in range(STARTS))
    leaf = MultinomialLeaf(alpha)
    return max(
        difference(start_from_responsibilities(ones(), H, leaf, rng, em, **options), naive_alpha) for rng in draws
    )


@lru_cache(maxsize=16)
def runs(em="soft", node_weights="documents", H=3, alpha=0.0):
    """EM from 20 random starts."""
    leaf, options = MultinomialLeaf(alpha), dict(node_weights=node_weights)
    starts = (
        start_from_responsibilities(ones(), H, leaf, np.random.default_rng(seed), em, **options)
        for seed in range(STARTS)
    )
    return [run_em(ones(), start, leaf, em, MOST_STEPS, tol=0, **options) for start in starts]


def end_gains(em="soft", node_weights="documents", H=3):
    """Where the runs end, above the log likelihood of naive Bayes, (STARTS,)."""
    naive = (ones() @ naive_profile()).sum()
    return np.array([run.objective for run in runs(em, node_weights, H)]) - naive


def three_layers(weight, first, second):
    """log P(x|c) of bags of ten tokens by product of sums and by sum of products, (11,) each: 0, 1, ..., 10 are f1.

    weight: P(h1|c), the rest is h2's; first, second: P(f1|h,c) of both nodes, the rest is f2's.
    """
    f1 = np.arange(TOKENS + 1.0)
    node, feature = np.array([weight, 1 - weight]), np.array([[first, 1 - first], [second, 1 - second]])
    with np.errstate(divide="ignore"):
        arguments = np.column_stack([f1, TOKENS - f1]), np.log(node)[None], (np.log(feature)[None],)
    return tuple(rule(*arguments, MultinomialLeaf(0.0))[:, 0] for rule in (product_of_sums, sum_of_products))

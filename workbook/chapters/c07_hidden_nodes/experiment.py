"""Handwritten digits as bags of three words: dark pixels in the left, the middle and the right of the image.

And what EM with hidden nodes makes of them.
"""

from functools import lru_cache

import numpy as np
from scipy.optimize import brentq
from sklearn.model_selection import StratifiedKFold

from nbcore.datasets import load_xor
from nbcore.hierarchical import (
    HierarchicalBayes,
    MultinomialLeaf,
    Nodes,
    e_step,
    m_step,
    mix_nodes,
    run_em,
    start_from_responsibilities,
)
from nbcore.naive_bayes import MultinomialNB
from workbook.chapters.digits import dark_pixels, inked_digits
from workbook.explorer.fitting import DiskCached

__all__ = [
    "STARTS",
    "STRIPS",
    "count_strips",
    "decided_otherwise",
    "difference",
    "dispersion",
    "end_gains",
    "first_step",
    "held_out_joints",
    "held_out_pairs",
    "naive_profile",
    "ones",
    "parted_starts",
    "pixel_ends",
    "random_difference",
    "runs",
    "scattering_digits",
    "strips_of_digit",
    "wedge_angle",
    "widest_ratio",
]

STRIPS = "left", "middle", "right"
STARTS, MOST_STEPS = 20, 100  # of EM
COLUMNS = slice(0, 3), slice(3, 5), slice(5, 8)  # of 8; the middle is as wide as an upright stroke


def count_strips(images):
    """Count the dark pixels in the three strips of images (n, 8, 8) with grey levels 0 to 16: (n, 3)."""
    return strips_of(dark_pixels(images))


def strips_of(dark):
    """Count the dark pixels in the three strips of images whose pixels are dark or not, (n, 64): (n, 3)."""
    by_column = dark.reshape(-1, 8, 8).sum(axis=1)
    return np.stack([by_column[:, part].sum(axis=1) for part in COLUMNS], axis=1)


@lru_cache(maxsize=10)  # digits
def strips_of_digit(digit: int) -> np.ndarray:
    """Return the counts (n, 3) of scikit-learn's images of a digit; not to be written to."""
    pixels, label = inked_digits()
    counts = strips_of(pixels[label == digit])
    counts.flags.writeable = False
    return counts


def ones() -> np.ndarray:
    """Return the counts of the 182 ones among scikit-learn's 1,797 digits, (182, 3); not to be written to."""
    return strips_of_digit(1)


def dispersion(counts: np.ndarray) -> np.ndarray:
    """Return Pearson's X² of counts (..., n, 3) round their own profile, over its 2 (n - 1) degrees of freedom.

    It is 1 on average if every row is drawn from one profile, whatever the lengths of the rows are.
    """
    length = counts.sum(axis=-1, keepdims=True)
    expected = length * counts.sum(axis=-2, keepdims=True) / length.sum(axis=-2, keepdims=True)
    return ((counts - expected) ** 2 / expected).sum(axis=(-1, -2)) / (2 * (counts.shape[-2] - 1))


def scattering_digits() -> int:
    """Return how many digits scatter more than 95 of 100 sets of as many images drawn from their one profile."""
    found = 0
    for digit in range(10):
        rows, rng = strips_of_digit(digit), np.random.default_rng(digit)
        lengths, profile = rows.sum(axis=1).astype(int), rows.sum(axis=0) / rows.sum()
        sets = dispersion(rng.multinomial(lengths, profile, size=(200, len(rows))))
        found += int(dispersion(rows) > np.quantile(sets, 0.95))
    return found


@lru_cache(maxsize=10)
def widest_ratio(digit: int) -> float:
    """Return the variance of a digit's real images, over that of its one profile, in the direction where it is largest.

    Pearson's ratio is the mean of such ratios over the two directions in which three shares can vary.
    """
    rows = strips_of_digit(digit)
    tokens, profile = rows.sum(axis=1, keepdims=True), rows.sum(axis=0) / rows.sum()
    scores = (rows - tokens * profile) / np.sqrt(tokens * profile)
    return float(np.linalg.eigvalsh(scores.T @ scores / (len(rows) - 1))[-1])


@lru_cache(maxsize=9)
@DiskCached
def held_out_joints(other: int) -> tuple[np.ndarray, ...]:
    """Return log P(x, c) of held-out images by naive Bayes and by three nodes a class, (n, 2), and their digits.

    Ten times a tenth of the images is held out; alpha = 1 for both models.
    """
    nodes_too = HierarchicalBayes(3, n_restarts=3, tol=0, validation_fraction=0, random_state=0)
    rows = [strips_of_digit(digit) for digit in (1, other)]
    X, y = np.vstack(rows), np.repeat([1, other], [len(each) for each in rows])
    naive, nodes = np.empty((2, len(y), 2))
    for train, test in StratifiedKFold(10).split(X, y):  # in the order of the file, that is, of the writers
        for joint, model in ((naive, MultinomialNB()), (nodes, nodes_too)):
            joint[test] = model.fit(X[train], y[train]).predict_joint_log_proba(X[test])
    return naive, nodes, y


@lru_cache(maxsize=3)
def held_out_pairs(whose: str) -> dict[int, tuple[int, int]]:
    """Return for "1 or d?" of each other digit d how many held-out images nodes win over naive Bayes, and lose.

    whose: "both" classes have nodes, or only "the 1" or "the other" has; the rest is naive Bayes.
    """
    found = {}
    for other in (0, *range(2, 10)):
        naive, nodes, y = held_out_joints(other)
        digits = np.array(sorted((1, other)))
        has = {"both": digits >= 0, "the 1": digits == 1, "the other": digits == other}[whose]
        by_naive, by_nodes = (digits[joint.argmax(axis=1)] == y for joint in (naive, np.where(has, nodes, naive)))
        found[other] = int((by_nodes & ~by_naive).sum()), int((by_naive & ~by_nodes).sum())
    return found


def naive_profile(alpha=0.0):
    """Return log P(f|c) of naive Bayes, (3,)."""
    return MultinomialLeaf(alpha).estimate(ones(), np.ones((len(ones()), 1)))[0][0]


def difference(nodes, naive_alpha=0.0):
    """Return the largest difference in P(f|c) between product of sums and naive Bayes."""
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
    """Run EM from 20 random starts; return the 20 runs."""
    leaf, options = MultinomialLeaf(alpha), dict(node_weights=node_weights)
    starts = (
        start_from_responsibilities(ones(), H, leaf, np.random.default_rng(seed), em, **options)
        for seed in range(STARTS)
    )
    return [run_em(ones(), start, leaf, em, MOST_STEPS, tol=0, **options) for start in starts]


def end_gains(em="soft", node_weights="documents", H=3):
    """Return how far each run ends above the log likelihood of naive Bayes, (STARTS,)."""
    naive = (ones() @ naive_profile()).sum()
    return np.array([run.objective for run in runs(em, node_weights, H)]) - naive


@lru_cache(maxsize=1)  # no arguments
def pixel_ends() -> np.ndarray:
    """Return the log likelihood above naive Bayes where soft EM with the 64 pixels as words ends, (STARTS,)."""
    (pixels, digit), leaf = inked_digits(), MultinomialLeaf(0.0)
    rows = pixels[digit == 1]
    naive = leaf.log_likelihood(rows, *leaf.estimate(rows, np.ones((len(rows), 1))))
    starts = (start_from_responsibilities(rows, 3, leaf, np.random.default_rng(seed)) for seed in range(STARTS))
    return np.array([run_em(rows, start, leaf).objective for start in starts]) - naive.sum()


@lru_cache(maxsize=8)
def decided_otherwise(alpha: float, node_weights: str, smooth_nodes: bool = False) -> tuple[float, int]:
    """Return how far product of sums is from naive Bayes on all ten digits, every pixel a word, three nodes a class.

    The largest difference in P(f|c), and how many of the 1,797 images are decided otherwise. Naive Bayes has the same
    alpha, or three times as much where P(h|c) is smoothed, too.
    """
    X, y = inked_digits()
    options = dict(rule="product_of_sums", node_weights=node_weights, smooth_nodes=smooth_nodes, n_restarts=1, tol=0)
    model = HierarchicalBayes(3, alpha=alpha, **options, random_state=0).fit(X, y)
    naive = MultinomialNB(alpha=alpha * (3 if smooth_nodes else 1)).fit(X, y)
    mixed = np.einsum("ch,chf->cf", np.exp(model.node_log_prob_), np.exp(model.feature_log_prob_))
    gap = np.abs(mixed - np.exp(naive.feature_log_prob_)).max()
    return float(gap), int((model.predict(X) != naive.predict(X)).sum())


@lru_cache(maxsize=4)
def xor_ends(start: str, em: str) -> np.ndarray:
    """Return P(f1|h) of both nodes of XOR's class 1 at the end of EM from 100 "soft" or "hard" starts, (100, 2)."""
    data, leaf = load_xor(), MultinomialLeaf(0.0)
    rows, ends = data.data[data.target == 1], []
    for seed in range(100):
        nodes = start_from_responsibilities(rows, 2, leaf, np.random.default_rng(seed), start)
        ends.append(np.exp(run_em(rows, nodes, leaf, em, max_iter=1000).nodes.parameters[0][:, 0]))
    return np.array(ends)


def parted_starts(start: str, em: str) -> int:
    """Return in how many of 100 starts the two nodes of XOR's class 1 end apart."""
    return int((np.ptp(xor_ends(start, em), axis=1) > 0.5).sum())


def wedge_angle(radius: float) -> float:
    """Return the angle in degrees, seen from the origin, between the first axis and the boundary at this distance.

    The boundary between XOR's classes for multinomial nodes: cosh(g (x1 - x2)) = exp(q (x1 + x2)).
    """
    a = xor_ends("soft", "soft")[0].min()
    g, q = np.log((1 - a) / a) / 2, -np.log(4 * a * (1 - a)) / 2

    def beyond(angle):
        x, y = radius * np.cos(angle), radius * np.sin(angle)
        return np.log(np.cosh(g * (x - y))) - q * (x + y)

    return float(np.degrees(brentq(beyond, 0, np.pi / 4)))


def first_step(theta: float, f1: tuple) -> tuple[float, float]:
    """Return what a step of EM from theta = P(f1|h1,c) gains in log likelihood, and how far its bound rises.

    f1: of ten tokens in each document. The second node keeps to 1/2, and so do the P(h|c).
    """
    rows, leaf, half = np.array([[k, 10.0 - k] for k in f1]), MultinomialLeaf(0.0), np.log([0.5, 0.5])
    shares, before = e_step(rows, Nodes(half, (np.log([[theta, 1 - theta], [0.5, 0.5]]),)), leaf)
    learned = np.stack([m_step(rows, shares, leaf).parameters[0][0], half])
    anew, after = e_step(rows, Nodes(half, (learned,)), leaf)
    gain = float(after.sum() - before.sum())
    return gain, gain - float((shares * np.log(shares / anew)).sum())

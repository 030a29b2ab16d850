"""Few labelled digits, many without a label: EM step by step, and what each step does to unseen digits.

Data: scikit-learn's 1,797 digits of 8 x 8 pixels, each pixel inked (1) or not (0). "W" is Wikipedia, "Naive Bayes
classifier", section "Semi-supervised parameter estimation".
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from scipy.stats import t as student

from nbcore.checks import require, require_count
from nbcore.hierarchical import BernoulliLeaf
from nbcore.naive_bayes import BernoulliNB, GaussianNB
from nbcore.semi_supervised import SemiSupervisedNB
from workbook.chapters.digits import inked_digits
from workbook.explorer.fitting import Slow

__all__ = [
    "ALPHA",
    "LEARN",
    "MOST_LABELS",
    "PLANE_LABELS",
    "PLANE_STEPS",
    "SIZES",
    "SPLITS",
    "STEPS",
    "STORIES",
    "TEST",
    "Budget",
    "Climb",
    "climb",
    "climbs",
    "crossing",
    "digit_split",
    "gains",
    "label_budget",
    "node_accuracies",
    "objective_of",
    "one_step_by_hand",
    "plane_dots",
    "plane_run",
    "plus_minus",
]

LEARN, TEST = 1000, 500  # digits to learn from, with label or without, and digits to judge by
MOST_LABELS = 640
SIZES = (20, 40, 80, 160, 320, 640)  # how many of the digits keep their label
ALPHA = 0.1  # of the page: of 1, 0.1 and 0.01 the best for 20 labels drawn at random, without EM
STORIES = [[1, 0, 0, 0], [0, 0, 1, 0], [1, 1, 0, 0], [0, 0, 1, 1]]  # goal, coach, vote, law; the first two labelled
STEPS = 60  # of EM, after the model of the labelled digits alone
SPLITS = 50  # of the digits, at random: a mean on the page is over these
# (x1, x2, class) of the labelled dots in the plane; every true cut from 0 to 2 leaves them their classes.
PLANE_LABELS = ((-0.7, 0.9, 0), (-0.1, -0.7, 0), (2.1, 0.6, 1), (2.7, -0.8, 1))
PLANE_STEPS = 12

real_digits = lru_cache(maxsize=1)(inked_digits)  # 1 MB, read from a file


@lru_cache(maxsize=4)  # 1 MB each
def imagined_digits(seed=0):
    """Draw a digit from naive Bayes for each real one: pixels are independent given the digit, as it assumes.

    The probabilities are those of BernoulliNB (alpha 1) fitted to all real digits; the labels are the real ones.
    """
    X, y = real_digits()
    inked = np.exp(BernoulliNB().fit(X, y).feature_log_prob_)
    return (np.random.default_rng([9, seed]).random(X.shape) < inked[y]).astype(float), y


def digit_split(seed=0, imagined=False, equal=True):
    """Shuffle the digits: 1,000 to learn from, X (1000, 64) and y (1000,), and 500 for testing, X and y.

    equal: the rows to learn from begin with ten different digits, then the next ten, as long as there are some of each.
    """
    X, y = imagined_digits() if imagined else real_digits()
    order = np.random.default_rng(seed).permutation(len(y))
    learn, test = np.split(order[: LEARN + TEST], [LEARN])
    if equal:
        how_many_before = np.cumsum(np.eye(10)[y[learn]], axis=0)[np.arange(LEARN), y[learn]]
        learn = learn[np.argsort(how_many_before, kind="stable")]
    return X[learn], y[learn], X[test], y[test]


@dataclass(frozen=True, eq=False)
class Budget:
    """Hold one run of EM: models, a BernoulliNB after each of T steps, test accuracy and objective (T + 1,)."""

    models: tuple[BernoulliNB, ...]
    accuracy: np.ndarray
    objective: np.ndarray

    @property
    def gain(self):
        """Return the accuracy after the last step minus that of the labelled digits alone."""
        return self.accuracy[-1] - self.accuracy[0]


def label_budget(n_labels, steps=STEPS, clamp=True, seed=0, imagined=False, alpha=ALPHA, equal=True):
    """Run EM on one split of the digits: the first n_labels keep their label, the others give only their pixels.

    n_labels: 10 to 640; clamp: whether given labels stay (Nigam et al. 2000) or are replaced by posteriors too (W);
    alpha: the model's; imagined, equal: see `digit_split`. Returns Budget.
    """
    require_count("n_labels", n_labels)
    require(10 <= n_labels <= MOST_LABELS, "n_labels", n_labels, f"from 10 to {MOST_LABELS}")
    X, y, X_test, y_test = digit_split(seed, imagined, equal)
    given = np.where(np.arange(len(y)) < n_labels, y, -1)
    em = SemiSupervisedNB(BernoulliNB(alpha=alpha), clamp=clamp, max_iter=steps, tol=0, keep_models=True).fit(X, given)
    right = [m.classes_[np.argmax(m._joint_log_likelihood(X_test), axis=1)] == y_test for m in em.models_]
    return Budget(tuple(em.models_), np.mean(right, axis=1), em.log_likelihood_path_)


@lru_cache(maxsize=32)  # 20 numbers each
def gains(n_labels, seeds=20, **settings):
    """Return what EM adds to the accuracy in random splits, (seeds,), read-only; settings as in `label_budget`.

    All splits are of the same 1,797 digits: their spread says how much luck there is in the choice of labels.
    """
    found = np.array([label_budget(n_labels, seed=seed, **settings).gain for seed in range(seeds)])
    found.flags.writeable = False
    return found


def objective_of(model, X, y, n_labels):
    """Return what EM climbs, for a BernoulliNB and rows of which the first n_labels have a label, in nats.

    Labelled log P(x, y), plus log P(x) of the other rows, plus the smoothing's share. y holds the codes of the classes.
    """
    joint, p = model.predict_joint_log_proba(X), np.exp(model.feature_log_prob_)
    known = joint[np.arange(n_labels), y[:n_labels]].sum()
    return known + np.logaddexp.reduce(joint[n_labels:], axis=1).sum() + model.alpha * np.log(p * (1 - p)).sum()


@dataclass(frozen=True, eq=False)
class Climb:
    """Hold EM on S splits beside the same model told all labels, the star.

    accuracy (S, 61) on the test digits after each step; above (S, 61): nats of the objective above the star; star (S,):
    its accuracy.
    """

    accuracy: np.ndarray
    above: np.ndarray
    star: np.ndarray

    @property
    def gain(self):
        """Return what EM has added to the accuracy after each step, (S, 61)."""
        return self.accuracy - self.accuracy[:, :1]


def run_climbs(imagined, progress=lambda share: None):
    """Run EM from each of SIZES on SPLITS random splits; measure each step against the model of all 1,000 labels."""
    found = {n: [] for n in SIZES}
    for seed in range(SPLITS):
        X, y, X_test, y_test = digit_split(seed, imagined)
        star = BernoulliNB(alpha=ALPHA).fit(X, y)
        right = star.score(X_test, y_test)
        for n, runs in found.items():
            run = label_budget(n, seed=seed, imagined=imagined)
            runs.append((run.accuracy, run.objective - objective_of(star, X, y, n), right))
        progress((seed + 1) / SPLITS)
    return {n: Climb(*map(np.array, zip(*runs, strict=True))) for n, runs in found.items()}


climbs = Slow(run_climbs, keep=2)  # 300 kB each


def climb(n_labels, imagined=False):
    """Return the Climb from one of SIZES, on real digits or on imagined ones."""
    return climbs(imagined)[n_labels]


def plus_minus(values):
    """Return half of the 95 % interval for the mean of n splits, by Student's t. values: (n,)."""
    return float(student.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / np.sqrt(len(values)))


# --- several nodes per class ---------------------------------------------------------------------------------------


def learn_nodes(rows, share, leaf):
    """Return log P(node), (K,), and the leaf's tables, of rows of which share (n, K) belongs to each node."""
    weight = share.sum(axis=0)
    return np.log(np.maximum(weight, 1e-300) / weight.sum()), leaf.estimate(rows, share)  # some nodes have no digit


@lru_cache(maxsize=256)  # two numbers each
def node_accuracies(n_labels, nodes, seed=0, alpha=ALPHA):
    """Return the accuracy with some Bernoulli nodes a class: of EM on the labelled digits, and of EM from there on all.

    A labelled digit is shared out among the nodes of its own class, at random at first; an unlabelled one among all
    nodes of all classes. With one node per class it is `label_budget`, its first step and its last.
    """
    X, y, X_test, y_test = digit_split(seed)
    leaf, own = BernoulliLeaf(alpha=alpha), np.repeat(np.eye(10, dtype=bool)[y[:n_labels]], nodes, axis=1)
    start = np.random.default_rng([seed, nodes]).dirichlet(np.ones(nodes), n_labels)
    (log_prior, tables), found = learn_nodes(X[:n_labels], own * np.tile(start, 10), leaf), []
    for rows in (X[:n_labels], X):
        for _ in range(STEPS):
            joint = log_prior + leaf.log_likelihood(rows, *tables)
            joint[:n_labels][~own] = -np.inf
            share = np.exp(joint - np.logaddexp.reduce(joint, axis=1, keepdims=True))
            log_prior, tables = learn_nodes(rows, share, leaf)
        tests = (log_prior + leaf.log_likelihood(X_test, *tables)).reshape(-1, 10, nodes)
        found.append(np.mean(np.logaddexp.reduce(tests, axis=2).argmax(axis=1) == y_test))
    return tuple(found)


# --- dots in a plane -----------------------------------------------------------------------------------------------


def plane_dots():
    """Draw 200 dots that have no label, (200, 2): a cluster around (-1.5, 0), one around (1.5, 0)."""
    clusters = np.random.default_rng(9).standard_normal((2, 100, 2)) * [0.6, 1.0]
    return np.vstack([clusters[0] - [1.5, 0], clusters[1] + [1.5, 0]])


@lru_cache(maxsize=1)
def plane_run():
    """Run EM with Gaussian naive Bayes on four labelled dots and 200 others: SemiSupervisedNB with its models kept."""
    points = np.array(PLANE_LABELS)
    X = np.vstack([points[:, :2], plane_dots()])
    y = np.concatenate([points[:, 2], np.full(len(X) - len(points), -1)]).astype(int)
    return SemiSupervisedNB(GaussianNB(), max_iter=PLANE_STEPS, tol=0, keep_models=True).fit(X, y)


def crossing(model):
    """Return where a model's boundary crosses x2 = 0 between the labelled dots of the plane; nan if nowhere."""
    x = np.linspace(-0.1, 2.1, 2201)
    odds = np.diff(model.predict_joint_log_proba(np.column_stack([x, np.zeros_like(x)])))[:, 0]
    where = np.flatnonzero((odds[:-1] < 0) & (odds[1:] >= 0))
    return float(x[where[0] + 1]) if len(where) else np.nan


def one_step_by_hand():
    """Return P(sport | "coach") after one E-step and one M-step on STORIES, in exact fractions."""
    alpha, prior = Fraction(1), Fraction(1, 2)
    labelled = (alpha + 1) / 5, alpha / 5  # P(goal | sport), P(any other word | sport): one word and four in all
    sport = prior * labelled[0] * labelled[1]
    share = sport / (sport + prior * labelled[1] ** 2)  # of the story "goal coach"
    coach = [(count + alpha) / (3 + 4) for count in (share, 1 - share)]  # three words in either class, by symmetry
    return coach[0] / sum(coach)

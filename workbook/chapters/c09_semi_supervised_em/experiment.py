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
from nbcore.datasets import inked_digits, r8_counts
from nbcore.hierarchical import BernoulliLeaf, HierarchicalBayes
from nbcore.naive_bayes import BernoulliNB, GaussianNB, MultinomialNB
from nbcore.semi_supervised import SemiSupervisedNB

__all__ = [
    "LEARN",
    "LONG",
    "MOST_LABELS",
    "PLANE_LABELS",
    "PLANE_STEPS",
    "SPLITS",
    "STEPS",
    "STORIES",
    "TEST",
    "Budget",
    "NodesRun",
    "accuracies",
    "all_labels",
    "answers",
    "chosen_weight",
    "crossing",
    "digit_split",
    "fit_nodes",
    "gains",
    "label_budget",
    "long_budget",
    "moved",
    "node_budget",
    "one_step_by_hand",
    "plane_dots",
    "plane_run",
    "plus_minus",
    "r8_budget",
]

LEARN, TEST = 1000, 500  # digits to learn from, with label or without, and digits to judge by
MOST_LABELS = 640
STORIES = [[1, 0, 0, 0], [0, 0, 1, 0], [1, 1, 0, 0], [0, 0, 1, 1]]  # goal, coach, vote, law; the first two labelled
STEPS = 10  # of EM, after the model of the labelled digits alone: in the page's tables
LONG = 40  # of EM, where one looks how it goes on
SPLITS = 20  # of the digits, at random: a mean is over these
# (x1, x2, class) of the labelled dots in the plane; every true cut from 0 to 2 leaves them their classes.
PLANE_LABELS = ((-0.7, 0.9, 0), (-0.1, -0.7, 0), (2.1, 0.6, 1), (2.7, -0.8, 1))
PLANE_STEPS = 20


@lru_cache(maxsize=20)  # the seeds of the explorer: 1 MB each
def imagined_digits(seed=0):
    """Draw a digit from naive Bayes for each real one: pixels are independent given the digit, as it assumes.

    The probabilities are those of BernoulliNB (alpha 1) fitted to all real digits; the labels are the real ones.
    """
    X, y = inked_digits()
    inked = np.exp(BernoulliNB().fit(X, y).feature_log_prob_)
    return (np.random.default_rng([9, seed]).random(X.shape) < inked[y]).astype(float), y


@lru_cache(maxsize=64)  # 20 seeds of either kind: 1 MB each
def digit_split(seed=0, imagined=False):
    """Shuffle the digits: 1,000 to learn from, X (1000, 64) and y (1000,), and 500 for testing, X and y."""
    X, y = imagined_digits() if imagined else inked_digits()
    order = np.random.default_rng(seed).permutation(len(y))
    learn, test = np.split(order[: LEARN + TEST], [LEARN])
    return X[learn], y[learn], X[test], y[test]


@dataclass(frozen=True, eq=False)
class Budget:
    """Hold one run of EM, T steps: accuracy (T + 1,) on the test digits and objective (T + 1,) after each step.

    models: BernoulliNB after each step; classes (C,): the digits among the labelled ones; y: the labels given (-1:
    none).
    """

    models: tuple[BernoulliNB, ...]
    accuracy: np.ndarray
    objective: np.ndarray
    classes: np.ndarray
    y: np.ndarray

    @property
    def gain(self):
        """Return the accuracy after the last step minus that of the labelled digits alone."""
        return self.accuracy[-1] - self.accuracy[0]


@lru_cache(maxsize=256)  # 7 sizes of 20 splits under one setting, and more: 0.2 MB each
def label_budget(n_labels, weight=1.0, clamp=True, seed=0, imagined=False, alpha=1.0, fit_prior=True):
    """Run EM on one split of the digits: the first n_labels keep their label, the others give only their pixels.

    n_labels: 10 to 640; weight: lambda, what one unlabelled digit counts, >= 0 (> 0 without clamping); clamp: whether
    given labels stay (Nigam et al. 2000) or are replaced by posteriors too (W); alpha and fit_prior: the model's.
    Returns Budget, of STEPS steps.
    """
    return budget(n_labels, weight, clamp, seed, imagined, STEPS, alpha=alpha, fit_prior=fit_prior)


@lru_cache(maxsize=64)  # three sizes of 20 splits: 0.7 MB each
def long_budget(n_labels, weight=1.0, clamp=True, seed=0, imagined=False):
    """Run `label_budget` for LONG steps."""
    return budget(n_labels, weight, clamp, seed, imagined, LONG)


def budget(n_labels, weight, clamp, seed, imagined, steps, **model):
    """Run EM for a number of steps; model: settings of BernoulliNB."""
    require_count("n_labels", n_labels)
    require(10 <= n_labels <= MOST_LABELS, "n_labels", n_labels, f"from 10 to {MOST_LABELS}")
    X, y, X_test, y_test = digit_split(seed, imagined)
    given = np.where(np.arange(len(y)) < n_labels, y, -1)
    settings = dict(clamp=clamp, unlabelled_weight=weight, max_iter=steps, tol=0, keep_models=True)
    em = SemiSupervisedNB(BernoulliNB(**model), **settings).fit(X, given)
    scores = np.array([m.classes_[np.argmax(m._joint_log_likelihood(X_test), axis=1)] == y_test for m in em.models_])
    return Budget(tuple(em.models_), scores.mean(axis=1), em.log_likelihood_path_, em.classes_, given)


@lru_cache(maxsize=128)  # 20 numbers each
def gains(n_labels, seeds=20, **settings):
    """Return what EM adds to the accuracy in random splits, (seeds,), read-only; settings as in `label_budget`.

    All splits are of the same 1,797 digits: their spread says how much luck there is in the choice of labels.
    """
    found = np.array([label_budget(n_labels, seed=seed, **settings).gain for seed in range(seeds)])
    found.flags.writeable = False
    return found


@lru_cache(maxsize=32)  # 11 numbers a split
def accuracies(n_labels, alpha=1.0, splits=100, imagined=False):
    """Return the accuracy on the test digits after each step of EM, (splits, STEPS + 1), first by the labels alone.

    The first 20 splits are those of `gains`.
    """
    return np.array([budget(n_labels, 1.0, True, s, imagined, STEPS, alpha=alpha).accuracy for s in range(splits)])


def plus_minus(values):
    """Return half of the 95 % interval for the mean of n splits, by Student's t. values: (n,)."""
    return float(student.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / np.sqrt(len(values)))


@lru_cache(maxsize=64)  # a number each
def chosen_weight(n_labels, seed=0, weights=(0, 0.1, 1.0), folds=5):
    """Return the lambda that cross-validation on the labelled digits alone prefers: of equals the smallest.

    Every fifth labelled digit is put aside in turn, and judged by what EM makes of the others and of those that have no
    label.
    """
    X, y, *_ = digit_split(seed)
    own = np.arange(n_labels)
    right = dict.fromkeys(weights, 0)
    for weight in weights:
        em = SemiSupervisedNB(BernoulliNB(), unlabelled_weight=weight, max_iter=STEPS, tol=0)
        for fold in range(folds):
            aside = own[own % folds == fold]
            learn = np.delete(np.arange(LEARN), aside)
            given = np.where(learn < n_labels, y[learn], -1)
            right[weight] += np.sum(em.fit(X[learn], given).predict(X[aside]) == y[aside])
    return max(weights, key=right.get)


def answers(n_labels, progress=lambda share: None):
    """Return EM's answers to unseen digits after each step, (SPLITS, LONG + 1, TEST), and the truth (SPLITS, TEST)."""
    said, true = [], []
    for seed in range(SPLITS):
        run, (_, _, X_test, y_test) = long_budget(n_labels, seed=seed), digit_split(seed)
        said.append([m.classes_[np.argmax(m._joint_log_likelihood(X_test), axis=1)] for m in run.models])
        true.append(y_test)
        progress((seed + 1) / SPLITS)
    return np.array(said, dtype=np.int8), np.array(true, dtype=np.int8)


def crowd(said, true):
    """Count how many unseen digits (row) get which answer (column), (10, 10). said and true: of equal shape."""
    return np.bincount(10 * true.ravel().astype(int) + said.ravel(), minlength=100).reshape(10, 10)


@lru_cache(maxsize=8)  # 100 numbers each
def moved(n_labels, step=STEPS):
    """Return how much more often than before EM a digit (row) gets an answer (column), in points, over all splits."""
    said, true = answers(n_labels)
    before, after = (crowd(said[:, t], true) for t in (0, step))
    return 100 * (after - before) / before.sum(axis=1, keepdims=True)


@lru_cache(maxsize=64)  # a number each
def all_labels(seed=0, imagined=False):
    """Return the accuracy on the test digits when all 1,000 labels are given."""
    X, y, X_test, y_test = digit_split(seed, imagined)
    return BernoulliNB().fit(X, y).score(X_test, y_test)


# --- several nodes per class ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class NodesRun:
    """Hold a run of EM with H hidden nodes in each class, T steps: accuracy and objective (T + 1,), and labels alone.

    ink (T + 1, C, H, F): P(inked | h, c); share (T + 1, C, H): P(h | c); classes (C,); alone: accuracy of as many nodes
    learned from the labelled digits alone.
    """

    accuracy: np.ndarray
    objective: np.ndarray
    ink: np.ndarray
    share: np.ndarray
    classes: np.ndarray
    alone: float

    @property
    def gain(self):
        """Return what the unlabelled digits add to the accuracy of the same nodes."""
        return self.accuracy[-1] - self.alone


def soft(joint):
    """Return posteriors of log joints, row by row, and the log of each row's sum."""
    top = joint.max(axis=1, keepdims=True)
    share = np.exp(joint - top)
    total = share.sum(axis=1, keepdims=True)
    return share / total, (top + np.log(total))[:, 0]


def fit_nodes(n_labels, nodes, seed=0, steps=STEPS, progress=lambda share: None, alpha=1.0):
    """Run EM with `nodes` Bernoulli nodes in each class on n_labels labelled digits and all others without a label.

    A labelled digit is shared out among the nodes of its own class, at random at first; an unlabelled one among all
    nodes of all classes, from the first E-step on. With one node per class it is `label_budget`.
    """
    X, y, X_test, y_test = digit_split(seed)
    classes, code = np.unique(y[:n_labels], return_inverse=True)
    C, leaf = len(classes), BernoulliLeaf(alpha=alpha)
    own = np.repeat(np.eye(C, dtype=bool)[code], nodes, axis=1)  # the nodes that a labelled digit may go to
    start = np.random.default_rng([seed, nodes]).dirichlet(np.ones(nodes), n_labels)
    share = np.where(own, np.tile(start, C), 0.0)
    rows, found = X[:n_labels], []
    for step in range(steps + 1):
        weight = share.sum(axis=0)
        tables = leaf.estimate(rows, share)
        log_prior = np.log(np.maximum(weight, 1e-300) / weight.sum())  # a node that no digit uses
        joint = log_prior + leaf.log_likelihood(X, *tables)
        known, log_known = soft(np.where(own, joint[:n_labels], -np.inf))
        guessed, log_rest = soft(joint[n_labels:])
        tests = log_prior + leaf.log_likelihood(X_test, *tables)
        by_class = np.logaddexp.reduce(tests.reshape(-1, C, nodes), axis=2)
        right = np.mean(classes[by_class.argmax(axis=1)] == y_test)
        found.append((right, log_known.sum() + log_rest.sum() + leaf.log_penalty(*tables), np.exp(tables[0]), weight))
        rows, share = X, np.vstack([known, guessed])
        progress((step + 1) / (steps + 1))
    accuracy, objective, ink, weight = map(np.array, zip(*found, strict=True))
    weight = weight.reshape(-1, C, nodes)
    share = weight / weight.sum(axis=2, keepdims=True)
    settings = dict(leaf="bernoulli", alpha=alpha, n_restarts=1, max_iter=LONG, tol=0, random_state=seed)
    alone = HierarchicalBayes(nodes, **settings).fit(X[:n_labels], y[:n_labels]).score(X_test, y_test)
    return NodesRun(accuracy, objective, ink.reshape(-1, C, nodes, X.shape[1]), share, classes, alone)


@lru_cache(maxsize=128)  # 3 nodes: 0.3 MB each
def node_budget(n_labels, nodes, seed=0, alpha=1.0):
    """Cache the runs of `fit_nodes`."""
    return fit_nodes(n_labels, nodes, seed, alpha=alpha)


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


@lru_cache(maxsize=256)  # two numbers each
def r8_budget(n_labels, seed=0, alpha=0.1):
    """Return the accuracy on R8's test stories, by n_labels labelled stories alone and after EM with the rest.

    MultinomialNB, labels kept. Needs R8 (`nbcore.datasets.fetch_r8`).
    """
    X, y, X_test, y_test = r8_counts()
    given = np.full(len(y), -1)
    labelled = np.random.default_rng(seed).choice(len(y), n_labels, replace=False)
    given[labelled] = y[labelled]
    em = SemiSupervisedNB(MultinomialNB(alpha=alpha), max_iter=STEPS, tol=0, keep_models=True).fit(X, given)
    return em.models_[0].score(X_test, y_test), em.models_[-1].score(X_test, y_test)


def one_step_by_hand():
    """Return P(sport | "coach") after one E-step and one M-step on STORIES, in exact fractions."""
    alpha, prior = Fraction(1), Fraction(1, 2)
    labelled = (alpha + 1) / 5, alpha / 5  # P(goal | sport), P(any other word | sport): one word and four in all
    sport = prior * labelled[0] * labelled[1]
    share = sport / (sport + prior * labelled[1] ** 2)  # of the story "goal coach"
    coach = [(count + alpha) / (3 + 4) for count in (share, 1 - share)]  # three words in either class, by symmetry
    return coach[0] / sum(coach)

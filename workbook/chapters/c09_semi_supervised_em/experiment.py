"""Few labelled digits, many without a label: EM step by step, and what each step does to unseen digits.

Data: scikit-learn's 1,797 digits of 8 x 8 pixels, each pixel inked (1) or not (0). "W" is Wikipedia, "Naive Bayes
classifier", section "Semi-supervised parameter estimation".
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from nbcore.checks import require, require_count
from nbcore.datasets import inked_digits, r8_counts
from nbcore.naive_bayes import BernoulliNB, MultinomialNB
from nbcore.semi_supervised import SemiSupervisedNB

__all__ = [
    "LEARN",
    "MOST_LABELS",
    "STEPS",
    "STORIES",
    "TEST",
    "Budget",
    "all_labels",
    "digit_split",
    "gains",
    "label_budget",
    "one_step_by_hand",
    "r8_budget",
]

LEARN, TEST = 1000, 500  # digits to learn from, with label or without, and digits to judge by
MOST_LABELS = 640
STORIES = [[1, 0, 0, 0], [0, 0, 1, 0], [1, 1, 0, 0], [0, 0, 1, 1]]  # goal, coach, vote, law; the first two labelled
STEPS = 10  # of EM, after the model of the labelled digits alone


@lru_cache(maxsize=20)  # the seeds of the explorer: 1 MB each
def imagined_digits(seed=0):
    """As many digits drawn from naive Bayes itself: pixels independent given the digit, as the model assumes.

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
    """One run of EM, T steps: accuracy (T + 1,) on the test digits and objective (T + 1,) after each step.

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
        """Accuracy after the last step minus that of the labelled digits alone."""
        return self.accuracy[-1] - self.accuracy[0]


@lru_cache(maxsize=256)  # 7 sizes of 20 splits under one setting, and more: 0.2 MB each
def label_budget(n_labels, weight=1.0, clamp=True, seed=0, imagined=False, steps=STEPS):
    """EM on one split of the digits: the first n_labels keep their label, of the others only the pixels are used.

    n_labels: 10 to 640; weight: lambda, what one unlabelled digit counts, >= 0 (> 0 without clamping); clamp: whether
    given labels stay (Nigam et al. 2000) or are replaced by posteriors too (W). Returns Budget.
    """
    require_count("n_labels", n_labels)
    require(10 <= n_labels <= MOST_LABELS, "n_labels", n_labels, f"from 10 to {MOST_LABELS}")
    X, y, X_test, y_test = digit_split(seed, imagined)
    given = np.where(np.arange(len(y)) < n_labels, y, -1)
    settings = dict(clamp=clamp, unlabelled_weight=weight, max_iter=steps, tol=0, keep_models=True)
    em = SemiSupervisedNB(BernoulliNB(), **settings).fit(X, given)
    scores = np.array([m.classes_[np.argmax(m._joint_log_likelihood(X_test), axis=1)] == y_test for m in em.models_])
    return Budget(tuple(em.models_), scores.mean(axis=1), em.log_likelihood_path_, em.classes_, given)


def gains(n_labels, seeds=20, **settings):
    """What EM adds to the accuracy, for `seeds` random splits (seeds,); settings as in `label_budget`.

    All splits are of the same 1,797 digits: their spread says how much luck there is in the choice of labels.
    """
    return np.array([label_budget(n_labels, seed=seed, **settings).gain for seed in range(seeds)])


@lru_cache(maxsize=64)  # a number each
def all_labels(seed=0, imagined=False):
    """Accuracy on the test digits when all 1,000 labels are given."""
    X, y, X_test, y_test = digit_split(seed, imagined)
    return BernoulliNB().fit(X, y).score(X_test, y_test)


@lru_cache(maxsize=256)  # two numbers each
def r8_budget(n_labels, seed=0, weight=1.0):
    """Accuracy on R8's test stories: from n_labels labelled stories alone, and after STEPS steps of EM with the rest.

    MultinomialNB (alpha .1), labels kept. Needs R8 (`nbcore.datasets.fetch_r8`).
    """
    X, y, X_test, y_test = r8_counts()
    given = np.full(len(y), -1)
    labelled = np.random.default_rng(seed).choice(len(y), n_labels, replace=False)
    given[labelled] = y[labelled]
    settings = dict(unlabelled_weight=weight, max_iter=STEPS, tol=0, keep_models=True)
    em = SemiSupervisedNB(MultinomialNB(alpha=0.1), **settings).fit(X, given)
    return em.models_[0].score(X_test, y_test), em.models_[-1].score(X_test, y_test)


def one_step_by_hand():
    """P(sport | "coach") after one E-step and one M-step on STORIES, in exact fractions."""
    alpha, prior = Fraction(1), Fraction(1, 2)
    labelled = (alpha + 1) / 5, alpha / 5  # P(goal | sport), P(any other word | sport): one word and four in all
    sport = prior * labelled[0] * labelled[1]
    share = sport / (sport + prior * labelled[1] ** 2)  # of the story "goal coach"
    coach = [(count + alpha) / (3 + 4) for count in (share, 1 - share)]  # three words in either class, by symmetry
    return coach[0] / sum(coach)

"""Few labelled digits, many without a label: EM step by step, and what each step does to unseen digits.

Data: scikit-learn's 1,797 digits of 8 x 8 pixels, each pixel inked (1) or not (0). "W" is Wikipedia, "Naive Bayes
classifier", section "Semi-supervised parameter estimation".
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache

import numpy as np
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.feature_extraction.text import CountVectorizer

from nbcore.checks import require, require_count
from nbcore.datasets import fetch_r8
from nbcore.naive_bayes import BernoulliNB, MultinomialNB
from nbcore.semi_supervised import SemiSupervisedNB

__all__ = [
    "LEARN",
    "MOST_LABELS",
    "STEPS",
    "STORIES",
    "TEST",
    "Budget",
    "RecordedEM",
    "all_labels",
    "digit_split",
    "gains",
    "label_budget",
    "one_step_by_hand",
    "r8_budget",
]

INK = 8  # of 16 shades of grey: from here on a pixel counts as inked
LEARN, TEST = 1000, 500  # digits to learn from, with label or without, and digits to judge by
MOST_LABELS = 640
STORIES = [[1, 0, 0, 0], [0, 0, 1, 0], [1, 1, 0, 0], [0, 0, 1, 1]]  # goal, coach, vote, law; the first two labelled
STEPS = 10  # of EM, after the model of the labelled digits alone


class RecordedEM(SemiSupervisedNB):
    """SemiSupervisedNB that keeps the model of every step, and counts all classes at once: a tenth of the time.

    estimator: MultinomialNB, or BernoulliNB for rows of 0 and 1. `models_`: the supervised model, then one for each
    M-step. The numbers are those of its parent.
    """

    def fit(self, X, y):
        self.models_ = []
        return super().fit(X, y)

    def m_step(self, X, share):
        """The M-step as one matrix product: expected counts = share^T X."""
        model = clone(self.estimator)
        model.classes_, model.n_features_in_ = self.classes_, X.shape[1]
        model.class_count_, model.feature_count_ = share.sum(axis=0), (X.T @ share).T
        model._estimate()
        self.models_.append(model)
        return model


@cache
def inked_digits():
    """All digits as 0 and 1, (1797, 64) float, and which digit each is, (1797,)."""
    digits = load_digits()
    return (digits.data >= INK).astype(float), digits.target


@lru_cache(maxsize=2)
def imagined_digits(seed=0):
    """As many digits drawn from naive Bayes itself: pixels independent given the digit, as the model assumes.

    The probabilities are those of BernoulliNB (alpha 1) fitted to all real digits; the labels are the real ones.
    """
    X, y = inked_digits()
    inked = np.exp(BernoulliNB().fit(X, y).feature_log_prob_)
    return (np.random.default_rng([9, seed]).random(X.shape) < inked[y]).astype(float), y


@lru_cache(maxsize=40)
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


@lru_cache(maxsize=256)
def label_budget(n_labels, weight=1.0, clamp=True, seed=0, imagined=False, steps=STEPS):
    """EM on one split of the digits: the first n_labels keep their label, of the others only the pixels are used.

    n_labels: 10 to 640; weight: lambda, what one unlabelled digit counts, >= 0 (> 0 without clamping); clamp: whether
    given labels stay (Nigam et al. 2000) or are replaced by posteriors too (W). Returns Budget.
    """
    require_count("n_labels", n_labels)
    require(10 <= n_labels <= MOST_LABELS, "n_labels", n_labels, f"from 10 to {MOST_LABELS}")
    X, y, X_test, y_test = digit_split(seed, imagined)
    given = np.where(np.arange(len(y)) < n_labels, y, -1)
    em = RecordedEM(BernoulliNB(), clamp=clamp, unlabelled_weight=weight, max_iter=steps, tol=0).fit(X, given)
    scores = np.array([m.classes_[np.argmax(m._joint_log_likelihood(X_test), axis=1)] == y_test for m in em.models_])
    return Budget(tuple(em.models_), scores.mean(axis=1), em.log_likelihood_path_, em.classes_, given)


def gains(n_labels, seeds=20, **settings):
    """What EM adds to the accuracy, for `seeds` random splits (seeds,); settings as in `label_budget`.

    All splits are of the same 1,797 digits: their spread says how much luck there is in the choice of labels.
    """
    return np.array([label_budget(n_labels, seed=seed, **settings).gain for seed in range(seeds)])


@lru_cache(maxsize=40)
def all_labels(seed=0, imagined=False):
    """Accuracy on the test digits when all 1,000 labels are given."""
    X, y, X_test, y_test = digit_split(seed, imagined)
    return BernoulliNB().fit(X, y).score(X_test, y_test)


@cache
def r8_counts():
    """Word counts of Reuters R8 and topics: training (5485, V) and (5485,), test (2189, V) and (2189,)."""
    corpus, words = fetch_r8(), CountVectorizer(token_pattern=r"\S+", dtype=float)
    return words.fit_transform(corpus.data), corpus.target, words.transform(corpus.test_data), corpus.test_target


@lru_cache(maxsize=128)
def r8_budget(n_labels, seed=0, weight=1.0):
    """Accuracy on R8's test stories: from n_labels labelled stories alone, and after STEPS steps of EM with the rest.

    MultinomialNB (alpha .1), labels kept. Needs R8 (`nbcore.datasets.fetch_r8`).
    """
    X, y, X_test, y_test = r8_counts()
    given = np.full(len(y), -1)
    labelled = np.random.default_rng(seed).choice(len(y), n_labels, replace=False)
    given[labelled] = y[labelled]
    em = RecordedEM(MultinomialNB(alpha=0.1), unlabelled_weight=weight, max_iter=STEPS, tol=0).fit(X, given)
    return em.models_[0].score(X_test, y_test), em.models_[-1].score(X_test, y_test)


def one_step_by_hand():
    """P(sport | "coach") after one E-step and one M-step on STORIES, in exact fractions."""
    alpha, prior = Fraction(1), Fraction(1, 2)
    labelled = (alpha + 1) / 5, alpha / 5  # P(goal | sport), P(any other word | sport): one word and four in all
    sport = prior * labelled[0] * labelled[1]
    share = sport / (sport + prior * labelled[1] ** 2)  # of the story "goal coach"
    coach = [(count + alpha) / (3 + 4) for count in (share, 1 - share)]  # three words in either class, by symmetry
    return coach[0] / sum(coach)

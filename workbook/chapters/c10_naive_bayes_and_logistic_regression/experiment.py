"""Naive Bayes and logistic regression on the same names: one linear form, fitted for two targets.

Data: the 6,445 US given names on one list only (the ledger: all 7,203 rows), as 52 yes-or-no features: contains a .. z,
ends in a .. z. Class 1 is female. Training and test parts hold as many female as male names. Sources: Wikipedia, "Naive
Bayes classifier", section "Relation to logistic regression"; Ng and Jordan (2001), On discriminative vs. generative
classifiers.
"""

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from string import ascii_lowercase

import numpy as np
from scipy.special import expit
from scipy.stats import t as student
from sklearn.linear_model import LogisticRegression

from nbcore.checks import require
from nbcore.datasets import load_names
from nbcore.naive_bayes import BernoulliNB
from workbook.explorer.fitting import DiskCached

__all__ = [
    "COPIED",
    "FEATURES",
    "PENALTIES",
    "SEEDS",
    "SIZES",
    "TEST",
    "Curve",
    "Fit",
    "Pair",
    "learning_curve",
    "letter_features",
    "mean_and_half",
    "name_pair",
    "names_for",
    "penalized",
    "shift_endings",
]  # fmt: skip

FEATURES = (*(f"contains {c}" for c in ascii_lowercase), *(f"ends in {c}" for c in ascii_lowercase))
COPIED = 0  # the feature that is copied: "contains a"
SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000)
SEEDS = 10
TEST = 1000
PENALTIES = {"almost none": 1e4, "usual": 1.0}  # scikit-learn's C: the larger, the weaker the penalty


@lru_cache(maxsize=4)
def letter_features(both_lists=False):
    """Return names as 0 and 1, (6445, 52) float, and if female (1) or male (0); both_lists: all 7,203 rows."""
    names = load_names(both_lists=both_lists)
    small = [name.lower() for name in names.data]
    X = [[c in name for c in ascii_lowercase] + [name[-1] == c for c in ascii_lowercase] for name in small]
    return np.array(X, dtype=float), (names.target == 0).astype(int)


@cache
def endings():
    """Return how often names end in a .. z, (26,)."""
    return letter_features()[0][:, 26:].mean(axis=0)


def shift_endings(weights):
    """Return weights (52 and more,) in which those of "ends in" are shifted to mean 0, so that fits can be compared.

    Every name ends in one letter. So the 26 weights may all be shifted, and the intercept with them: no name's log odds
    change. The mean is over all names, so that rare letters do not decide it.
    """
    shifted = weights.copy()
    shifted[26:52] -= endings() @ weights[26:52]
    return shifted


def penalized(C):
    """Return logistic regression with scikit-learn's C, one over the strength of its penalty, climbing to the top."""
    return LogisticRegression(C=C, solver="newton-cholesky", tol=1e-8, max_iter=200)


@lru_cache(maxsize=4 * SEEDS)
def names_for(seed=0, both_lists=False):
    """Return one split: rows of 2,000 names to learn from and of 1,000 for testing; every second one is female."""
    _, y = letter_features(both_lists)
    rng, half = np.random.default_rng(seed), (SIZES[-1] + TEST) // 2
    rows = np.stack([rng.permutation(np.flatnonzero(y == c))[:half] for c in (0, 1)], axis=1).ravel()
    return rows[TEST:], rows[:TEST]


@dataclass(frozen=True, eq=False)
class Fit:
    """Hold a line b + w.x, the log odds of female: weights (F,), intercept; proba (TEST,) on the test names."""

    weights: np.ndarray
    intercept: float
    proba: np.ndarray

    @cached_property
    def totals(self):
        """Return weights of the 52 features (52,) that can be compared: copies are added up, endings shifted."""
        weights = self.weights[: len(FEATURES)].copy()
        weights[COPIED] += self.weights[len(FEATURES) :].sum()
        return shift_endings(weights)


@dataclass(frozen=True, eq=False)
class Pair:
    """Hold both fits on the same names; y (TEST,): which test names are female."""

    bayes: Fit
    logistic: Fit
    y: np.ndarray

    @cached_property
    def accuracy(self):
        """Return the share of test names decided rightly: naive Bayes, logistic regression."""
        return tuple(float(np.mean((fit.proba > 0.5) == self.y)) for fit in (self.bayes, self.logistic))


def with_copies(X, copies):
    """Return X (n, 52) with the copied feature `copies` times in all: (n, 51 + copies)."""
    return np.hstack([X, *[X[:, [COPIED]]] * (copies - 1)])


@lru_cache(maxsize=8 * len(SIZES) * SEEDS)
def name_pair(n=100, copies=1, penalty="almost none", seed=0, both_lists=False):
    """Fit both to the first n training names of a split. copies: how often "contains a" is there. Returns Pair.

    Naive Bayes: BernoulliNB, alpha 1. Logistic regression: scikit-learn's, with an L2 penalty of PENALTIES.
    """
    require(2 <= n <= SIZES[-1], "n", n, f"from 2 to {SIZES[-1]}")
    require(copies >= 1, "copies", copies, ">= 1")
    require(penalty in PENALTIES, "penalty", penalty, " or ".join(map(repr, PENALTIES)))
    X, y = letter_features(both_lists)
    learn, test = names_for(seed, both_lists)
    training, tests = with_copies(X[learn[:n]], copies), with_copies(X[test], copies)
    weights, intercept = BernoulliNB().fit(training, y[learn[:n]]).as_linear()
    logistic = penalized(PENALTIES[penalty]).fit(training, y[learn[:n]])
    parts = (weights[1] - weights[0], intercept[1] - intercept[0]), (logistic.coef_[0], logistic.intercept_[0])
    return Pair(*(Fit(w, float(b), expit(tests @ w + b)) for w, b in parts), y[test])


def mean_and_half(runs):
    """Return the mean of the last axis and half its 95 % interval, by Student's t."""
    n = runs.shape[-1]
    return runs.mean(axis=-1), student.ppf(0.975, n - 1) * runs.std(axis=-1, ddof=1) / np.sqrt(n)


@dataclass(frozen=True, eq=False)
class Curve:
    """Hold the test accuracy of naive Bayes and logistic regression for every size and split: (sizes, SEEDS) each."""

    bayes: np.ndarray
    logistic: np.ndarray

    @property
    def lead(self):
        """Return the lead of logistic regression: mean of the splits, half its 95 % interval (t), (sizes,)."""
        return mean_and_half(self.logistic - self.bayes)


@lru_cache(maxsize=16)
@DiskCached
def learning_curve(copies=1, penalty="almost none", both_lists=False):
    """Fit both on SEEDS splits of every size in SIZES; some tenths of a second the first time. Returns Curve."""
    pairs = [[name_pair(n, copies, penalty, seed, both_lists).accuracy for seed in range(SEEDS)] for n in SIZES]
    return Curve(*np.moveaxis(pairs, -1, 0))

"""Naive Bayes and logistic regression on the same names: one linear form, fitted for two targets.

Data: the 6,445 US given names on one list only (the ledger: all 7,203 rows), as 52 yes-or-no features: contains a .. z,
ends in a .. z. Class 1 is female. Training and test parts hold as many female as male names. Sources: Wikipedia, "Naive
Bayes classifier", section "Relation to logistic regression"; Ng and Jordan (2001), On discriminative vs. generative
classifiers.
"""

import json
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import combinations
from pathlib import Path
from string import ascii_lowercase

import numpy as np
from scipy.special import expit
from scipy.stats import t as student
from sklearn.linear_model import LogisticRegression

from nbcore.calibration import reliability_bins
from nbcore.checks import require
from nbcore.datasets import load_names
from nbcore.naive_bayes import BernoulliNB, CategoricalNB

from .two_bits import TABLES, logistic_line, naive_line, random_tables, scores

__all__ = [
    "COPIED",
    "FEATURES",
    "KINDS",
    "PENALTIES",
    "SEEDS",
    "SIZES",
    "TABLES",
    "TEST",
    "USELESS",
    "Curve",
    "Pair",
    "category_scores",
    "ending_and_before",
    "fit_with_useless",
    "honest_error",
    "learning_curve",
    "letter_features",
    "letter_pairs",
    "logistic_line",
    "logistic_scores",
    "mean_and_half",
    "naive_line",
    "name_pair",
    "names_for",
    "names_needed",
    "only_endings",
    "random_tables",
    "scores",
    "useless",
    "useless_bits",
    "useless_lead",
]

FEATURES = (*(f"contains {c}" for c in ascii_lowercase), *(f"ends in {c}" for c in ascii_lowercase))
COPIED = 0  # the feature that is copied: "contains a"
SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000)
SEEDS = 10
TEST = 1000
USELESS = (0, 10, 20, 50, 100, 200)  # how many bits that tell nothing are added
MOST = USELESS[-1]
KINDS = {"coins": 0.5, "rare bits": 0.1}  # what the useless bits are: how often they are 1
STORED = Path(__file__).parent / "useless_bits.json"
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


@lru_cache(maxsize=4 * SEEDS)
def names_for(seed=0, both_lists=False):
    """Return one split: rows of 2,000 names to learn from and of 1,000 for testing; every second one is female."""
    _, y = letter_features(both_lists)
    rng, half = np.random.default_rng(seed), (SIZES[-1] + TEST) // 2
    rows = np.stack([rng.permutation(np.flatnonzero(y == c))[:half] for c in (0, 1)], axis=1).ravel()
    return rows[TEST:], rows[:TEST]


@dataclass(frozen=True, eq=False)
class Fit:
    """A linear function b + w.x, the log odds of female: weights (F,), intercept; proba (TEST,) on the test names."""

    weights: np.ndarray
    intercept: float
    proba: np.ndarray

    @cached_property
    def totals(self):
        """Weights of the 52 features (52,) that can be compared: copies added up, "ends in" shifted to mean 0.

        Every name ends in one letter. So the 26 weights "ends in" may all be shifted, and the intercept with them: no
        name's log odds change. The mean is over all names, so that rare letters do not decide it.
        """
        weights = self.weights[: len(FEATURES)].copy()
        weights[COPIED] += self.weights[len(FEATURES) :].sum()
        weights[26:] -= endings() @ weights[26:]
        return weights


@dataclass(frozen=True, eq=False)
class Pair:
    """Both fits on the same names; y (TEST,): which test names are female."""

    bayes: Fit
    logistic: Fit
    y: np.ndarray

    @cached_property
    def accuracy(self):
        """Share of test names decided rightly: naive Bayes, logistic regression."""
        return tuple(float(np.mean((fit.proba > 0.5) == self.y)) for fit in (self.bayes, self.logistic))

    @cached_property
    def reliability(self):
        """Reliability diagrams (10 bins): naive Bayes, logistic regression."""
        both = (np.column_stack([1 - fit.proba, fit.proba]) for fit in (self.bayes, self.logistic))
        return tuple(reliability_bins(self.y, proba) for proba in both)


def with_copies(X, copies):
    """X (n, 52) with the copied feature `copies` times in all: (n, 51 + copies)."""
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
    logistic = LogisticRegression(C=PENALTIES[penalty], solver="newton-cholesky", tol=1e-8, max_iter=200)
    logistic.fit(training, y[learn[:n]])
    parts = (weights[1] - weights[0], intercept[1] - intercept[0]), (logistic.coef_[0], logistic.intercept_[0])
    return Pair(*(Fit(w, float(b), expit(tests @ w + b)) for w, b in parts), y[test])


def mean_and_half(runs):
    """Mean of the last axis and half its 95 % interval, by Student's t."""
    n = runs.shape[-1]
    return runs.mean(axis=-1), student.ppf(0.975, n - 1) * runs.std(axis=-1, ddof=1) / np.sqrt(n)


@dataclass(frozen=True, eq=False)
class Curve:
    """Test accuracy of naive Bayes and logistic regression for every size and split: (sizes, SEEDS) each."""

    bayes: np.ndarray
    logistic: np.ndarray

    @property
    def lead(self):
        """Return the lead of logistic regression: mean of the splits, half its 95 % interval (t), (sizes,)."""
        return mean_and_half(self.logistic - self.bayes)


@lru_cache(maxsize=16)
def learning_curve(copies=1, penalty="almost none", both_lists=False):
    """Fit both on SEEDS splits of every size in SIZES; some tenths of a second the first time. Returns Curve."""
    pairs = [[name_pair(n, copies, penalty, seed, both_lists).accuracy for seed in range(SEEDS)] for n in SIZES]
    return Curve(*np.moveaxis(pairs, -1, 0))


@cache
def ending_and_before():
    """Recode all names as categories (6445, 27): the last letter, 0 to 25, and which letters stand before it."""
    small = [name.lower() for name in load_names(both_lists=False).data]
    return np.array([[ascii_lowercase.index(n[-1]), *(int(c in n[:-1]) for c in ascii_lowercase)] for n in small])


def category_scores(codes, n):
    """Naive Bayes on columns of categories, codes (6445, F): accuracy and calibration error of each split, (SEEDS,).

    CategoricalNB, alpha 1, on the same splits as `name_pair`. A tie counts half: with few names and few columns there
    are many.
    """
    codes = np.asarray(codes)
    _, y = letter_features()
    require(codes.ndim == 2 and len(codes) == len(y), "codes", codes.shape, f"{len(y)} rows and some columns")
    values = codes.max(axis=0) + 1
    found = []
    for seed in range(SEEDS):
        learn, test = names_for(seed)
        model = CategoricalNB(min_categories=values).fit(codes[learn[:n]], y[learn[:n]])
        proba = model.predict_proba(codes[test]).round(12)  # a tie is 0.5, whatever the last digit says
        found.append((share_right(proba[:, 1], y[test]), reliability_bins(y[test], proba).ece()))
    return tuple(np.array(found).T)


def share_right(proba, y):
    """Share of rows decided rightly; a tie counts half."""
    return float(np.mean(np.where(proba == 0.5, 0.5, (proba > 0.5) == y)))


@lru_cache(maxsize=4)
def only_endings(n=100, splits=100):
    """Share right with all 52 bits and with the 26 endings only: {model: (2, splits)}.

    Naive Bayes takes the endings as one variable; logistic regression with either penalty. A tie counts half: naive
    Bayes has no verdict on an ending that neither class has more of.
    """
    (X, y), last = letter_features(), ending_and_before()[:, :1]
    ways = {"naive Bayes": ((BernoulliNB(), X), (CategoricalNB(min_categories=[26]), last))}
    for penalty, C in PENALTIES.items():
        model = LogisticRegression(C=C, solver="newton-cholesky", tol=1e-8, max_iter=200)
        ways[f"logistic, {penalty}"] = (model, X), (model, X[:, 26:])
    found = {name: [] for name in ways}
    for seed in range(splits):
        learn, test = names_for(seed)
        rows = learn[:n]
        for name, both in ways.items():
            proba = (model.fit(Z[rows], y[rows]).predict_proba(Z[test])[:, 1].round(12) for model, Z in both)
            found[name].append([share_right(p, y[test]) for p in proba])
    return {name: np.array(shares).T for name, shares in found.items()}


def logistic_scores(columns, n):
    """Logistic regression, almost no penalty, on columns of 0 and 1 (6445, F): the same two, (SEEDS,) each."""
    _, y = letter_features()
    found = []
    for seed in range(SEEDS):
        learn, test = names_for(seed)
        model = LogisticRegression(C=PENALTIES["almost none"], solver="newton-cholesky", tol=1e-8, max_iter=200)
        proba = model.fit(columns[learn[:n]], y[learn[:n]]).predict_proba(columns[test])
        found.append((share_right(proba[:, 1], y[test]), reliability_bins(y[test], proba).ece()))
    return tuple(np.array(found).T)


@cache
def letter_pairs():
    """Errors of naive Bayes and of logistic regression on all names, for every two bits "contains": {letters: pair}."""
    X, y = letter_features()
    found = {}
    for i, j in combinations(range(26), 2):
        corner = (2 * X[:, i] + X[:, j]).astype(int)
        table = np.array([np.bincount(corner[y == c], minlength=4) for c in (0, 1)])
        lines = naive_line(table), logistic_line(table)
        found[ascii_lowercase[i] + ascii_lowercase[j]] = tuple(scores(table, line).errors for line in lines)
    return found


def honest_error(n, seed=0):
    """Calibration error of a model that is right about every probability: labels drawn from what it says itself.

    What it says is what logistic regression says of the 1,000 test names; the mean of 20 draws.
    """
    proba, rng = name_pair(n, seed=seed).logistic.proba, np.random.default_rng(seed)
    both = np.column_stack([1 - proba, proba])
    return float(np.mean([reliability_bins(rng.random(len(proba)) < proba, both).ece() for _ in range(20)]))


# --- bits that tell nothing ----------------------------------------------------------------------------------------


def useless(seed, d, kind="coins"):
    """d bits for the 2,000 names to learn from and the 1,000 for testing of a split; more are added behind."""
    rng = np.random.default_rng([seed, MOST])
    if kind == "coins":
        return rng.integers(0, 2, size=(MOST, SIZES[-1] + TEST)).T[:, :d].astype(float)
    return (rng.random((MOST, SIZES[-1] + TEST)) < KINDS[kind]).T[:, :d].astype(float)


def fit_with_useless(kind, d, n, penalty, seed):
    """Return how many of the 1,000 test names both get right with d useless bits: naive Bayes, logistic regression."""
    X, y = letter_features()
    learn, test = names_for(seed)
    extra = useless(seed, d, kind)
    rows, tests = np.hstack([X[learn], extra[: SIZES[-1]]])[:n], np.hstack([X[test], extra[SIZES[-1] :]])
    models = BernoulliNB(), LogisticRegression(
        C=PENALTIES[penalty], solver="newton-cholesky", tol=1e-8, max_iter=200)  # fmt: skip
    return [int(np.sum(model.fit(rows, y[learn[:n]]).predict(tests) == y[test])) for model in models]


def count_useless_bits():
    """Every kind, number of bits, penalty, size and split: right of 1,000, (2, 6, 2, 8, SEEDS, 2). Some seconds."""
    return [[[[[fit_with_useless(kind, d, n, penalty, seed) for seed in range(SEEDS)] for n in SIZES]
              for penalty in PENALTIES] for d in USELESS] for kind in KINDS]  # fmt: skip


@cache
def useless_bits():
    """Return the shares that `count_useless_bits` counted, stored beside this file: (2, 6, 2, 8, models, SEEDS)."""
    counts = np.array(json.loads(STORED.read_text(encoding="utf-8")))
    return np.ascontiguousarray(counts.swapaxes(-1, -2)) / TEST


def useless_lead(d, penalty="almost none", kind="coins"):
    """Return the lead of logistic regression with d useless bits: mean, half its 95 % interval (t), (sizes,)."""
    at = list(KINDS).index(kind), USELESS.index(d), list(PENALTIES).index(penalty)
    bayes, logistic = useless_bits()[at].swapaxes(0, 1)
    return mean_and_half(logistic - bayes)


def names_needed(d):
    """Return how many names naive Bayes needs, with d coins, for what it gets right with 100 names and none.

    Between the sizes that were run, on a straight line in the logarithm of the names.
    """
    means = useless_bits()[0, :, 0, :, 0].mean(axis=-1)
    aim = means[0, SIZES.index(100)]
    return float(np.exp(np.interp(aim, means[USELESS.index(d)], np.log(SIZES))))


if __name__ == "__main__":
    STORED.write_text(json.dumps(count_useless_bits(), separators=(",", ":")) + "\n", encoding="utf-8")

"""The two tables of Williams (2024), section 3, and the same rates from many more classifiers, with their errors."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

import numpy as np
from scipy.special import softmax
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils import Bunch
from tqdm import tqdm

from nbcore.checks import require_count
from nbcore.naive_bayes import BernoulliNB, CategoricalNB
from nbcore.one_hot import (
    DirichletExperiment,
    clustered_rate,
    dirichlet_experiment,
    log_f_factor,
    posteriors_of_several,
)
from workbook.explorer.fitting import Slow
from workbook.ledger.intervals import ratio_interval

__all__ = [
    "EQUAL",
    "PAPER",
    "PRIORS",
    "RANDOM",
    "SIZES",
    "Played",
    "Rates",
    "dropped_scores",
    "held_out_scores",
    "log_odds_of_votes",
    "log_ratios",
    "many_rates",
    "on_slope_two",
    "played",
    "share",
    "surer_by_log_odds",
    "two_class_ratios",
]

# (alpha, K) -> how often PoB is more confident, how often the decisions differ: 100 classifiers of 4 classes.
PAPER = {
    (1.0, 3): (0.820, 0.1233),
    (1.0, 6): (0.723, 0.0567),
    (1.0, 10): (0.747, 0.0250),
    (1 / 3, 3): (0.780, 0.1433),
    (1 / 6, 6): (0.781, 0.0700),
    (1 / 10, 10): (0.764, 0.0630),
}
PAPER_CLASSIFIERS, PAPER_CLASSES = 100, 4
NEAR = 0.05  # as a share of its slope: how close to the line of slope 2 a point lies that is counted
BLOCK = 10_000  # classifiers in memory at a time
MANY = 30_000  # classifiers behind a sentence without a number
RANDOM, EQUAL = "random", "equal"  # prior probabilities of the classes
PRIORS = (RANDOM, EQUAL)
SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)  # variables of one classifier
MODELS = 12_000  # classifiers of many variables
BINS = np.linspace(0.2, 1.0, 9)  # of four classes the largest posterior is at least 1/4
FEWEST = 20  # cases in a bin that is shown


@dataclass(frozen=True)
class Rates:
    """Two rates with their standard errors, fractions: each a pair (rate, standard error), from n classifiers."""

    n: int
    more_confident: tuple[float, float]
    disagreement: tuple[float, float]

    def error_of(self, name: str, n: int) -> float:
        """The standard error that a run of n classifiers would have; name: "more_confident" or "disagreement"."""
        return getattr(self, name)[1] * sqrt(self.n / n)


@lru_cache(maxsize=256)
def _many(n, n_classes, n_values, alpha, prior_alpha, seed, progress):
    rows = []
    starts = range(0, n, BLOCK)
    for block, start in enumerate(tqdm(starts, disable=None, leave=False, unit_scale=BLOCK, unit=" classifiers")):
        size, rng = min(BLOCK, n - start), np.random.default_rng([seed, block])
        part = dirichlet_experiment(size, n_classes, n_values, alpha, prior_alpha, rng)
        rows.append(np.stack([part.more_confident.mean(axis=1), part.disagrees.mean(axis=1)]))
        if progress is not None:
            progress(start + size)
    by_row = np.concatenate(rows, axis=1)
    return Rates(n, *(clustered_rate(events[:, None]) for events in by_row))


def many_rates(
    n_values: int,
    alpha: float,
    prior_alpha: float = 1.0,
    n_classes: int = PAPER_CLASSES,
    n_classifiers: int = 100_000,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Rates:
    """The rates of Williams (2024), section 3, from many classifiers, 10,000 at a time.

    Arguments as in `dirichlet_experiment`. `progress` is called with the number of classifiers done; in a terminal a
    tqdm bar shows it too. What was computed once is remembered.
    """
    require_count("n_classifiers", n_classifiers)
    return _many(n_classifiers, n_classes, n_values, float(alpha), float(prior_alpha), seed, progress)


def log_ratios(experiment: DirichletExperiment) -> tuple[np.ndarray, np.ndarray]:
    """log theta_jc / theta_jd and log f_jc / f_jd of the first two classes, (n, K) each."""
    first, second = (log_p[:, 0] - log_p[:, 1] for log_p in (experiment.log_theta, experiment.log_f))
    return first, second


@lru_cache(maxsize=64)
def two_class_ratios(alpha: float, K: int, seed: int = 0, n: int = MANY) -> tuple[np.ndarray, np.ndarray]:
    """`log_ratios` of n random classifiers of two classes."""
    return log_ratios(dirichlet_experiment(n, 2, K, alpha, rng=seed))


def share(event: np.ndarray, among: np.ndarray) -> tuple[float, float, float]:
    """The share of an event among points (n, K), with its 95 % interval."""
    return ratio_interval(event & among, among)


def on_slope_two(alpha: float, K: int) -> tuple[float, float, float]:
    """`share` of the points with |log theta ratio| > 2 that lie within NEAR of the line of slope 2."""
    x, y = two_class_ratios(alpha, K)
    return share(abs(y / x - 2) < 2 * NEAR, abs(x) > 2)


def log_odds_of_votes(
    against: list[bool], K: int = 3, theta_a: float = 0.5, theta_b: float = 0.25
) -> tuple[np.ndarray, np.ndarray]:
    """Log odds of class A after 0, 1, ..., F one-hot variables, by the categorical model and by PoB, (F + 1,) each.

    against (F,): which variables show the value that speaks for B. theta_a, theta_b: P(value for A | class); the rest
    is spread evenly over the other K - 1 values. Even prior.
    """
    forward = np.array([[t, *[(1 - t) / (K - 1)] * (K - 1)] for t in (theta_a, theta_b)])
    votes = []  # of a variable for A, of one against: each model's log odds
    for theta in (forward, forward[::-1]):
        posteriors = posteriors_of_several([theta], [0.5, 0.5], np.zeros((1, 1), dtype=int))
        votes.append([float(np.log(p[0, 0]) - np.log(p[0, 1])) for p in posteriors])
    categorical, bernoullis = np.cumsum([[0.0, 0.0], *(votes[v] for v in against)], axis=0).T
    return categorical, bernoullis


def surer_by_log_odds(experiment: DirichletExperiment) -> float:
    """How often PoB is surer by the difference of two log odds, each rounded: of log theta and log f as they are."""
    log_odds = []
    for log_likelihood in (experiment.log_theta, experiment.log_f):
        *others, top = np.sort(experiment.log_prior[..., None] + log_likelihood, axis=1).swapaxes(0, 1)
        log_odds.append(top - np.logaddexp.reduce(others))
    return float(np.mean(log_odds[1] > log_odds[0]))


@dataclass(frozen=True)
class Played:
    """Classifiers of 1 to 64 variables, asked about values that one of their classes produced; (12,) each, as SIZES.

    changed: how often PoB decides otherwise. says, right: mean largest posterior of PoB, and how often its decision is
    right; best: both of the categorical model, which is the true one. edges of `bins`: BINS. bins, of what PoB says:
    (12, 8, 2), mean of what it says and of how often it is right; nan where fewer than FEWEST cases are.
    """

    changed: np.ndarray
    says: np.ndarray
    right: np.ndarray
    best: np.ndarray
    bins: np.ndarray

    @property
    def gap(self) -> np.ndarray:
        """How much more often PoB says to be right than it is."""
        return self.says - self.right


def _play(alpha: float, priors: str, progress: Callable[[float], None]) -> Played:
    C, K, n, rng = PAPER_CLASSES, 3, MODELS, np.random.default_rng(0)
    prior = rng.dirichlet(np.ones(C), n) if priors == RANDOM else np.full((n, C), 1 / C)
    true = (rng.random((n, 1)) > prior.cumsum(axis=1)).sum(axis=1).clip(max=C - 1)
    rows = np.arange(n)
    exact, pob = np.log(prior), np.log(prior)
    found = []
    for variables in range(1, SIZES[-1] + 1):
        theta = rng.dirichlet(np.full(K, alpha), (n, C))
        seen = (rng.random((n, 1)) > theta[rows, true].cumsum(axis=1)).sum(axis=1).clip(max=K - 1)
        exact += np.log(theta[rows, :, seen])
        pob += log_f_factor(theta)[rows, :, seen]
        if variables in SIZES:
            found.append(_compared(exact, pob))
        progress(variables / SIZES[-1])
    return Played(*map(np.array, zip(*found, strict=True)))


def _compared(log_exact, log_pob):
    """One row of `Played`. Right is a decision as often as the true model says: that takes the luck of one try away."""
    exact, pob = (np.exp(j - j.max(axis=1, keepdims=True)) for j in (log_exact, log_pob))
    exact, pob = (p / p.sum(axis=1, keepdims=True) for p in (exact, pob))
    chosen, says = pob.argmax(axis=1), pob.max(axis=1)
    right = np.take_along_axis(exact, chosen[:, None], axis=1)[:, 0]
    at = np.digitize(says, BINS[1:-1])
    count = np.bincount(at, minlength=len(BINS) - 1)
    shown = np.where(count < FEWEST, np.nan, count)
    means = np.column_stack([np.bincount(at, values, len(count)) / shown for values in (says, right)])
    return (exact.argmax(axis=1) != chosen).mean(), says.mean(), right.mean(), exact.max(axis=1).mean(), means


played = Slow(_play)  # (alpha, priors) -> Played


def _held_out(model, X, y):
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    return cross_val_predict(model, X, y, cv=folds, method="predict_proba")


def _scores(p, y):
    return float(np.mean(p.argmax(axis=1) == y)), float(log_loss(y, p))


def held_out_scores(table: Bunch) -> dict[str, tuple[float, float]]:
    """Accuracy and log loss, ten-fold, of the categorical model, of all bits, and of these with half the evidence."""
    y, log_prior = table.target, np.log(np.bincount(table.target) / len(table.target))
    bits = _held_out(BernoulliNB(), OneHotEncoder(sparse_output=False).fit_transform(table.data), y)
    half = softmax((np.log(bits) + log_prior) / 2, axis=1)  # prior times the square root of (posterior / prior)
    forms = {"category": _held_out(CategoricalNB(), table.data, y), "bits": bits, "half": half}
    return {name: _scores(p, y) for name, p in forms.items()}


def dropped_scores(table: Bunch, feature: int) -> list[tuple[float, float]]:
    """The same of bits without one column of each block: each value of a feature in turn, of the others the first."""
    first, found = np.zeros(table.data.shape[1], dtype=int), []
    for value in range(len(table.categories[feature])):
        first[feature] = value
        X = OneHotEncoder(drop=first, sparse_output=False).fit_transform(table.data)
        found.append(_scores(_held_out(BernoulliNB(), X, table.target), table.target))
    return found

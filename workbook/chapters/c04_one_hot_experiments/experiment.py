"""The two tables of Williams (2024), section 3, and the same rates from many more classifiers, with their errors."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

import numpy as np
from scipy.special import softmax
from tqdm import tqdm

from nbcore.checks import require_count
from nbcore.one_hot import (
    DirichletExperiment,
    clustered_rate,
    dirichlet_experiment,
    log_f_factor,
)
from workbook.explorer.fitting import Slow
from workbook.ledger.intervals import ratio_interval

__all__ = [
    "EQUAL", "MANY", "MODELS", "PAPER", "PAPER_CLASSES", "PAPER_CLASSIFIERS", "RANDOM", "SIZES", "Compared", "Rates",
    "compare_models", "log_ratios", "many_rates", "share", "two_class_ratios",
]  # fmt: skip

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
BLOCK = 10_000  # classifiers in memory at a time
MANY = 30_000  # classifiers behind a sentence without a number
RANDOM, EQUAL = "random", "equal"  # prior probabilities of the classes
SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)  # variables of one classifier
MODELS = 12_000  # classifiers of many variables


@dataclass(frozen=True)
class Rates:
    """Two rates with their standard errors, fractions: each a pair (rate, standard error), from n classifiers."""

    n: int
    more_confident: tuple[float, float]
    disagreement: tuple[float, float]

    def error_of(self, name: str, n: int) -> float:
        """Return the standard error of a run of n classifiers; name: "more_confident" or "disagreement"."""
        return getattr(self, name)[1] * sqrt(self.n / n)


@lru_cache(maxsize=256)
def _many(n, n_classes, n_values, alpha, prior_alpha, seed):
    rows = []
    starts = range(0, n, BLOCK)
    for block, start in enumerate(tqdm(starts, disable=None, leave=False, unit_scale=BLOCK, unit=" classifiers")):
        size, rng = min(BLOCK, n - start), np.random.default_rng([seed, block])
        part = dirichlet_experiment(size, n_classes, n_values, alpha, prior_alpha, rng)
        rows.append(np.stack([part.more_confident.mean(axis=1), part.disagrees.mean(axis=1)]))
    by_row = np.concatenate(rows, axis=1)
    return Rates(n, *(clustered_rate(events[:, None]) for events in by_row))


def many_rates(
    n_values: int,
    alpha: float,
    prior_alpha: float = 1.0,
    n_classes: int = PAPER_CLASSES,
    n_classifiers: int = 100_000,
    seed: int = 0,
) -> Rates:
    """Return the rates of Williams (2024), section 3, from many classifiers, 10,000 at a time.

    Arguments as in `dirichlet_experiment`. Results are cached; in a terminal a tqdm bar shows the progress.
    """
    require_count("n_classifiers", n_classifiers)
    return _many(n_classifiers, n_classes, n_values, float(alpha), float(prior_alpha), seed)


def log_ratios(experiment: DirichletExperiment) -> tuple[np.ndarray, np.ndarray]:
    """Return log theta_jc / theta_jd and log f_jc / f_jd of the first two classes, (n, K) each."""
    first, second = (log_p[:, 0] - log_p[:, 1] for log_p in (experiment.log_theta, experiment.log_f))
    return first, second


@lru_cache(maxsize=64)
def two_class_ratios(alpha: float, K: int, seed: int = 0, n: int = MANY) -> tuple[np.ndarray, np.ndarray]:
    """Return `log_ratios` of n random classifiers of two classes."""
    return log_ratios(dirichlet_experiment(n, 2, K, alpha, rng=seed))


def share(event: np.ndarray, among: np.ndarray) -> tuple[float, float, float]:
    """Return the share of an event among points (n, K), with its 95 % interval."""
    return ratio_interval(event & among, among)


@dataclass(frozen=True)
class Compared:
    """Hold how PoB compares with the true, categorical model, for each number of variables in SIZES: (12,) each.

    changed: how often PoB decides otherwise. says, right: its mean largest posterior, and how often it is right; best:
    both of the categorical model.
    """

    changed: np.ndarray
    says: np.ndarray
    right: np.ndarray
    best: np.ndarray

    def at(self, variables: int) -> tuple[float, float, float, float]:
        """Return changed, says, right and best for a number of variables in SIZES."""
        at = SIZES.index(variables)
        return self.changed[at], self.says[at], self.right[at], self.best[at]


def _compare(alpha: float, priors: str, progress: Callable[[float], None]) -> Compared:
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
            found.append(_compare_decisions(softmax(exact, axis=1), softmax(pob, axis=1)))
        progress(variables / SIZES[-1])
    return Compared(*np.transpose(found))


def _compare_decisions(exact: np.ndarray, pob: np.ndarray) -> tuple[float, ...]:
    """Return the means of a `Compared` from posteriors (n, C).

    A decision counts as right by the true model's probability, which takes the luck of a single draw away.
    """
    chosen = pob.argmax(axis=1)
    right = np.take_along_axis(exact, chosen[:, None], axis=1)
    return (exact.argmax(axis=1) != chosen).mean(), pob.max(axis=1).mean(), right.mean(), exact.max(axis=1).mean()


compare_models = Slow(_compare)  # (alpha, priors) -> Compared

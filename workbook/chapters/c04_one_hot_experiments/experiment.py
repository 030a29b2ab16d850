"""The two tables of Williams (2024), section 3, and the same rates from many more classifiers, with their errors."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

import numpy as np
from tqdm import tqdm

from nbcore.checks import require_count
from nbcore.one_hot import clustered_rate, dirichlet_experiment

__all__ = ["PAPER", "Rates", "many_rates", "share_interval"]

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
Z = 1.96  # standard errors to either side of a 95 % interval


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


def share_interval(numerator, denominator) -> tuple[float, float, float]:
    """(ratio, low, high): sum(numerator) / sum(denominator) and its 95 % interval; rows are independent, columns not.

    numerator, denominator: (n, K). A share of events: both boolean. A slope through the origin: x y and x x. The
    standard error is that of the linearised ratio.
    """
    numerator, denominator = (np.asarray(part, dtype=float) for part in (numerator, denominator))
    total = denominator.sum()
    ratio = numerator.sum() / total
    error = np.linalg.norm((numerator - ratio * denominator).sum(axis=1)) / abs(total)
    return float(ratio), float(ratio - Z * error), float(ratio + Z * error)

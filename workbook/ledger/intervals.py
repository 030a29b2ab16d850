"""95 % intervals, by Student's t wherever a spread is estimated from runs.

The question decides which one is due. Where does a mean lie? A confidence interval. Where does one further run end? A
prediction interval. What share or slope do grouped rows have? The interval of a ratio. Functions named *_interval
return (estimate, low, high), the others a `Measured`, whose intervals of m numbers hold together (Bonferroni).
"""

import numpy as np
from scipy.stats import t as student

from workbook.ledger.claim import Measured, quantile, wilson

__all__ = [
    "Z", "further_run", "mean_interval", "normal_interval", "prediction_interval", "proportion_interval",
    "ratio_interval", "run_of_papers_size", "true_mean", "true_ratio", "true_share",
]  # fmt: skip

Z = 1.96  # standard errors to either side of a normal estimate


def normal_interval(estimate, standard_error):
    """Return (estimate, low, high), the 95 % interval of a normal estimate with this standard error."""
    half = Z * np.asarray(standard_error)
    return estimate, estimate - half, estimate + half


def _t_interval(values, width, numbers):
    """Return (mean, low, high) by Student's t; width(n): variance of the interval's centre, in variances of a run."""
    values = np.asarray(values, dtype=float)
    n, mean = len(values), values.mean(axis=0)
    half = student.isf(0.025 / numbers, n - 1) * values.std(axis=0, ddof=1) * np.sqrt(width(n))
    return mean, mean - half, mean + half


def mean_interval(values, numbers=1):
    """Return (mean, low, high), where the true mean of the runs lies, by Student's t. values: (n,) or (n, m), n >= 2.

    numbers: for how many numbers together the interval is one of 95 %.
    """
    return _t_interval(values, lambda n: 1 / n, numbers)


def prediction_interval(values, highest=np.inf, lowest=-np.inf, numbers=1):
    """Return (mean, low, high), where one further run ends, by Student's t with n - 1 degrees of freedom.

    values: (n,) or (n, m), n >= 2 runs; lowest, highest: what no run passes, 0 and 1 for an accuracy; numbers: for how
    many numbers together the interval is one of 95 %.
    """
    mean, low, high = _t_interval(values, lambda n: 1 + 1 / n, numbers)
    return mean, np.maximum(low, lowest), np.minimum(high, highest)


def proportion_interval(share, n, numbers=1):
    """Return (share, low, high) for a share of n independent yes-or-no draws, by Wilson (1927): inside [0, 1]."""
    return share, *wilson(share, n, quantile("share", n, numbers))


def ratio_interval(numerator, denominator):
    """Return (ratio, low, high) of sum(numerator) / sum(denominator), (n, K) each, rows independent, columns not.

    A share of events: both boolean. A slope through the origin: x y and x x. The standard error is that of the
    linearised ratio.
    """
    numerator, denominator = (np.asarray(part, dtype=float) for part in (numerator, denominator))
    total = denominator.sum()
    ratio = numerator.sum() / total
    return normal_interval(ratio, np.linalg.norm((numerator - ratio * denominator).sum(axis=1)) / abs(total))


# --- as `Measured` numbers ---


def _numbers_per_run(values):
    """Return m for values (n, m), how many numbers each run gives; 1 for values (n,)."""
    return 1 if np.ndim(values) == 1 else np.shape(values)[1]


def further_run(values, lowest=-np.inf, highest=np.inf):
    """Measure the mean of n runs, (n,) or (n, m), and where one further run ends."""
    m = _numbers_per_run(values)
    return Measured(*prediction_interval(values, highest, lowest, m), "run", len(values), m)


def true_mean(values):
    """Measure the mean of n runs, (n,) or (n, m), and where the true mean lies."""
    m = _numbers_per_run(values)
    return Measured(*mean_interval(values, m), "mean", len(values), m)


def true_share(share, n):
    """Measure a share of n independent draws, and where the true one lies."""
    return Measured(*proportion_interval(share, n), "share", n)


def true_ratio(numerator, denominator, lowest=-np.inf, highest=np.inf):
    """Measure a ratio of sums over rows, and where the true one lies: see `ratio_interval`."""
    ratio, low, high = ratio_interval(numerator, denominator)
    return Measured(ratio, max(low, lowest), min(high, highest), "estimate", len(numerator))


def run_of_papers_size(rate, standard_error, n):
    """Measure a rate, taken as exact, and where runs of the paper's size n end; standard_error: of one such run."""
    rate, low, high = normal_interval(rate, standard_error)
    return Measured(rate, max(low, 0.0), min(high, 1.0), "paper's run", n)

"""95 % intervals, each (estimate, low, high) as `Measured` takes them: `Measured(*prediction_interval(runs))`.

Which one is due depends on the question. Where does the mean lie? A confidence interval of the mean. Where does one
further run end? A prediction interval. What share, or what slope, do grouped rows have? An interval of a ratio.
"""

import numpy as np
from scipy.stats import t as student

__all__ = ["Z", "mean_interval", "normal_interval", "prediction_interval", "proportion_interval", "ratio_interval"]

Z = 1.96  # standard errors to either side of a normal estimate


def normal_interval(estimate, standard_error):
    """(estimate, low, high) of a normal estimate with this standard error."""
    half = Z * np.asarray(standard_error)
    return estimate, estimate - half, estimate + half


def mean_interval(values):
    """Where the mean of what n runs are drawn from lies, by its standard error. values: (n,) or (n, m), n >= 2."""
    values = np.asarray(values, dtype=float)
    return normal_interval(values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(len(values)))


def prediction_interval(values, highest=np.inf):
    """Where one further run ends, by Student's t with n - 1 degrees of freedom.

    values: (n,) or (n, m), n >= 2 runs; highest: what no run exceeds, 1 for an accuracy.
    """
    values = np.asarray(values, dtype=float)
    n, mean = len(values), values.mean(axis=0)
    half = student.ppf(0.975, n - 1) * values.std(axis=0, ddof=1) * np.sqrt(1 + 1 / n)
    return mean, mean - half, np.minimum(mean + half, highest)


def proportion_interval(share, n):
    """Where a share of n independent yes-or-no draws lies, by the normal approximation (Wald); none exceeds 1."""
    share, low, high = normal_interval(share, np.sqrt(share * (1 - share) / n))
    return share, low, min(high, 1.0)


def ratio_interval(numerator, denominator):
    """sum(numerator) / sum(denominator), (n, K) each, where rows are independent and the columns of a row are not.

    A share of events: both boolean. A slope through the origin: x y and x x. The standard error is that of the
    linearised ratio.
    """
    numerator, denominator = (np.asarray(part, dtype=float) for part in (numerator, denominator))
    total = denominator.sum()
    ratio = numerator.sum() / total
    return normal_interval(ratio, np.linalg.norm((numerator - ratio * denominator).sum(axis=1)) / abs(total))

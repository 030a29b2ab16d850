"""Random classifiers: how often does one-hot encoding exaggerate, or decide otherwise? Williams (2024), section 3."""

from dataclasses import dataclass, field
from math import inf, sqrt
from numbers import Real

import numpy as np

from nbcore._base import log
from nbcore._simplex import decide, log_q_from_log, log_sum
from nbcore.checks import require, require_count

__all__ = ["DirichletExperiment", "dirichlet_experiment"]

CHUNK = 2**15  # entries of theta in work at a time: the temporaries stay in the processor's cache


@dataclass(frozen=True)
class DirichletExperiment:
    """n random classifiers (C classes, K values), each asked about every value j: Williams (2024), section 3.

    theta (n, C, K) and log_theta, in nats, which says what theta rounds to 0; prior (n, C); the posteriors
    categorical, eq. (2), and bernoullis, eq. (3), (n, C, K) with the classes on axis 1; boolean (n, K):
    more_confident, the largest posterior of PoB is above the categorical one's (by log odds, since at small alpha
    both round to 1; not told apart below about 1e-15), and disagrees, their most probable classes differ.
    """

    theta: np.ndarray = field(repr=False)
    log_theta: np.ndarray = field(repr=False)
    prior: np.ndarray = field(repr=False)
    categorical: np.ndarray = field(repr=False)
    bernoullis: np.ndarray = field(repr=False)
    more_confident: np.ndarray = field(repr=False)
    disagrees: np.ndarray = field(repr=False)

    def more_confident_rate(self):
        """(rate, standard error), fractions: how often PoB is the more confident one. See `clustered_rate`."""
        return clustered_rate(self.more_confident)

    def disagreement_rate(self):
        """(rate, standard error), fractions: how often the decisions differ. See `clustered_rate`."""
        return clustered_rate(self.disagrees)


def clustered_rate(events):
    """Rate of boolean events (n, K) and its standard error, clustered: only the n rows are independent draws.

    With one row nothing is known about the spread: the standard error is infinite.
    """
    by_row = events.mean(axis=1)
    error = by_row.std(ddof=1) / sqrt(len(by_row)) if len(by_row) > 1 else inf
    return float(by_row.mean()), float(error)


def log_dirichlet(rng, alpha, shape):
    """log of vectors (last axis) drawn from the symmetric Dir(alpha): Gamma(alpha) variates over their sum, in logs.

    For alpha < 1 a Gamma(alpha) variate is one of Gamma(alpha + 1) times U^(1/alpha), and it may be as small as
    e^-3000, which only its log can say; -log U is exponential.
    """
    if alpha < 1:
        log_gamma = log(rng.standard_gamma(alpha + 1, shape))
        log_gamma -= rng.standard_exponential(shape) / alpha
    else:
        log_gamma = log(rng.standard_gamma(alpha, shape))
    log_gamma -= log_sum(log_gamma, axis=-1)
    return log_gamma


def _check_alpha(argument, alpha, allowed):
    finite_is_due = "finite" in allowed
    holds = isinstance(alpha, Real) and not isinstance(alpha, bool) and alpha > 0 and (alpha < inf or not finite_is_due)
    require(holds, argument, alpha, allowed)


def dirichlet_experiment(n_classifiers, n_classes, n_values, alpha, prior_alpha=1.0, rng=None):
    """Draw n naive Bayes classifiers of one variable and compare eq. (2) with eq. (3): Williams (2024), section 3.

    Each class's theta is drawn from Dir(alpha), the prior from Dir(prior_alpha); every value x = j of every
    classifier counts once. The paper's figures fit prior_alpha = 1 at every alpha.

    Parameters
    ----------
    n_classifiers : int >= 1
    n_classes, n_values : int >= 2
    alpha : float > 0; small makes theta sparse
    prior_alpha : float > 0; infinity gives equal priors
    rng : None, a seed or a numpy Generator

    Returns
    -------
    DirichletExperiment
    """
    require_count("n_classifiers", n_classifiers)
    for argument, value in (("n_classes", n_classes), ("n_values", n_values)):
        require_count(argument, value)
        require(value >= 2, argument, value, "an integer >= 2")
    _check_alpha("alpha", alpha, "a finite number > 0")
    _check_alpha("prior_alpha", prior_alpha, "a number > 0 (infinity: equal priors)")
    rng = np.random.default_rng(rng)

    if prior_alpha == inf:
        log_prior = np.full((n_classifiers, n_classes), -np.log(n_classes))
    else:
        log_prior = log_dirichlet(rng, prior_alpha, (n_classifiers, n_classes))
    shape = (n_classifiers, n_classes, n_values)
    log_theta, categorical, bernoullis = (np.empty(shape) for _ in range(3))
    more_confident, disagrees = (np.empty((n_classifiers, n_values), dtype=bool) for _ in range(2))

    step = max(1, CHUNK // (n_classes * n_values))
    for start in range(0, n_classifiers, step):
        part = slice(start, start + step)
        prior = log_prior[part, :, None]
        drawn = log_theta[part] = log_dirichlet(rng, alpha, (len(prior), *shape[1:]))
        log_joint = prior + drawn
        categorical[part], winner, log_odds = decide(log_joint, prior)
        log_joint += log_q_from_log(drawn)
        bernoullis[part], winner_pob, log_odds_pob = decide(log_joint, prior)
        more_confident[part] = (log_odds_pob > log_odds)[:, 0]
        disagrees[part] = (winner_pob != winner)[:, 0]
    return DirichletExperiment(
        np.exp(log_theta), log_theta, np.exp(log_prior), categorical, bernoullis, more_confident, disagrees
    )

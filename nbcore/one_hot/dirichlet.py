"""Random classifiers: how often does one-hot encoding exaggerate, or decide otherwise? Williams (2024), section 3."""

from dataclasses import dataclass, field
from functools import cached_property
from math import inf, sqrt
from numbers import Real

import numpy as np

from nbcore._base import log
from nbcore.checks import require, require_count
from nbcore.one_hot.simplex import decision, log_q_from_log, log_sum, posterior

__all__ = ["DirichletExperiment", "clustered_rate", "dirichlet_experiment"]

CHUNK = 2**15  # entries of theta in work at a time: the temporaries stay in the processor's cache


@dataclass(frozen=True, eq=False)
class DirichletExperiment:
    """n random classifiers (C classes, K values), each asked about every value j: Williams (2024), section 3.

    log_theta (n, C, K) and log_prior (n, C), in nats, which say what theta and prior round to 0; boolean (n, K):
    more_confident, the largest posterior of PoB is above the categorical one's (by log odds, since at small alpha
    both round to 1; not told apart below about 1e-15), and disagrees, their most probable classes differ.
    Computed when asked for: theta, prior; log_f, in nats, eq. (4); the posteriors categorical, eq. (2), and
    bernoullis, eq. (3), (n, C, K) with the classes on axis 1.
    """

    log_theta: np.ndarray = field(repr=False)
    log_prior: np.ndarray = field(repr=False)
    more_confident: np.ndarray = field(repr=False)
    disagrees: np.ndarray = field(repr=False)

    @cached_property
    def theta(self):
        return np.exp(self.log_theta)

    @cached_property
    def prior(self):
        return np.exp(self.log_prior)

    @cached_property
    def log_f(self):
        return self.log_theta + log_q_from_log(self.log_theta)

    @cached_property
    def categorical(self):
        return self._posterior(self.log_theta)

    @cached_property
    def bernoullis(self):
        return self._posterior(self.log_f)

    def _posterior(self, log_likelihood):
        log_prior = self.log_prior[..., None]
        return posterior(log_prior + log_likelihood, log_prior)

    def first(self, n):
        """The experiment with its first n classifiers only."""
        arrays = (self.log_theta, self.log_prior, self.more_confident, self.disagrees)
        return DirichletExperiment(*(array[:n] for array in arrays))

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
    log_gamma = classifiers_last(shape, float)
    log_gamma[...] = rng.standard_gamma(alpha + (alpha < 1), shape)
    log(log_gamma, out=log_gamma)
    if alpha < 1:
        log_gamma -= rng.standard_exponential(shape) / alpha
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
    log_theta = classifiers_last((n_classifiers, n_classes, n_values), float)
    more_confident, disagrees = (classifiers_last((n_classifiers, n_values), bool) for _ in range(2))
    step = max(1, CHUNK // (n_classes * n_values))
    for start in range(0, n_classifiers, step):
        part = slice(start, start + step)
        prior = log_prior[part, :, None]
        drawn = log_theta[part] = log_dirichlet(rng, alpha, (len(prior), n_classes, n_values))
        winner, log_odds = decision(prior + drawn)
        winner_pob, log_odds_pob = decision(prior + drawn + log_q_from_log(drawn))
        more_confident[part] = (log_odds_pob > log_odds)[:, 0]
        disagrees[part] = (winner_pob != winner).any(axis=1)
    return DirichletExperiment(log_theta, log_prior, more_confident, disagrees)


def classifiers_last(shape, dtype):
    """An empty array (n, ...) whose first axis is the last in memory: sums over classes or values then run quickly."""
    return np.moveaxis(np.empty((*shape[1:], shape[0]), dtype), -1, 0)

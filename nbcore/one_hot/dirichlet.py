"""Random classifiers: how often does one-hot encoding exaggerate or change the decision? Williams (2024), section 3."""

from dataclasses import dataclass, field
from functools import cached_property
from math import inf, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray
from scipy.special import log_softmax, logsumexp

from nbcore._base import Floats, log
from nbcore.checks import is_number, require, require_count, require_number
from nbcore.one_hot.simplex import UNDERFLOW, decision, first_largest, log_q_from_log, log_theta_near_one, posterior

Booleans = NDArray[np.bool_]
ENTRIES_PER_CHUNK = 2**15  # of theta: the temporary arrays of a chunk stay in the processor's cache
LOG_ODDS_TOLERANCE = 1e-9  # absolute and relative: smaller differences of log odds may be rounding


@dataclass(frozen=True, eq=False)
class DirichletExperiment:
    """Results of n random classifiers (C classes, K values), each given every value j: Williams (2024), section 3.

    log_theta (n, C, K) and log_prior (n, C), in nats, are exact also where theta and prior round to 0. Boolean (n, K):
    more_confident, the largest posterior of PoB is above the categorical one's (exact even where both round to 1: see
    `is_surer`); disagrees, their most probable classes differ. The other arrays are computed on first use.
    """

    log_theta: Floats = field(repr=False)
    log_prior: Floats = field(repr=False)
    more_confident: Booleans = field(repr=False)
    disagrees: Booleans = field(repr=False)

    @cached_property
    def theta(self) -> Floats:
        """Return P(j|c) of every classifier, (n, C, K)."""
        return np.exp(self.log_theta)

    @cached_property
    def prior(self) -> Floats:
        """Return P(c) of every classifier, (n, C)."""
        return np.exp(self.log_prior)

    @cached_property
    def log_f(self) -> Floats:
        """Return the log likelihood of PoB, in nats, (n, C, K): see `log_f_factor`."""
        return self.log_theta + log_q_from_log(self.log_theta)

    @cached_property
    def categorical(self) -> Floats:
        """Return the posteriors P(c|j) of the categorical model, (n, C, K): eq. (2)."""
        return self._posterior(self.log_theta)

    @cached_property
    def bernoullis(self) -> Floats:
        """Return the posteriors P(c|j) of the product of Bernoullis (PoB), (n, C, K): eq. (3)."""
        return self._posterior(self.log_f)

    def _posterior(self, log_likelihood: Floats) -> Floats:
        log_prior = self.log_prior[..., None]
        return posterior(log_prior + log_likelihood, log_prior)

    def first(self, n: int) -> "DirichletExperiment":
        """Return the experiment with only its first n classifiers."""
        return DirichletExperiment(self.log_theta[:n], self.log_prior[:n], self.more_confident[:n], self.disagrees[:n])

    def more_confident_rate(self) -> tuple[float, float]:
        """Return (rate, standard error), fractions: how often PoB is the more confident one. See `clustered_rate`."""
        return clustered_rate(self.more_confident)

    def disagreement_rate(self) -> tuple[float, float]:
        """Return (rate, standard error), fractions: how often the decisions differ. See `clustered_rate`."""
        return clustered_rate(self.disagrees)


def clustered_rate(events: ArrayLike) -> tuple[float, float]:
    """Return the rate of boolean events (n, K) and its error, clustered by row: only rows are independent."""
    by_row = np.asarray(events).mean(axis=1)
    error = by_row.std(ddof=1) / sqrt(len(by_row)) if len(by_row) > 1 else inf
    return float(by_row.mean()), float(error)


def draw_log_dirichlet(rng: np.random.Generator, alpha: float, shape: tuple[int, ...]) -> Floats:
    """Draw log probability vectors (last axis) from the symmetric Dir(alpha): Gamma(alpha) over their sum.

    For alpha < 1 a Gamma(alpha) variate is one of Gamma(alpha + 1) times U^(1/alpha), and it may be as small as
    e^-3000, which only its log can represent; -log U is exponential.
    """
    log_gamma = empty_classifiers_last(shape, float)
    log_gamma[...] = rng.standard_gamma(alpha + (alpha < 1), shape)
    log(log_gamma, out=log_gamma)
    if alpha < 1:
        log_gamma -= rng.standard_exponential(shape) / alpha
    return log_softmax(log_gamma, axis=-1)


def dirichlet_experiment(
    n_classifiers: int, n_classes: int, n_values: int, alpha: float, prior_alpha: float = 1.0,
    rng: int | np.random.Generator | None = None,
) -> DirichletExperiment:  # fmt: skip
    """Draw n naive Bayes classifiers of one variable and compare eq. (2) with eq. (3): Williams (2024), section 3.

    Each class's theta is drawn from Dir(alpha), the prior from Dir(prior_alpha); every value x = j of every classifier
    counts once. The paper's figures fit prior_alpha = 1 at every alpha. Returns a DirichletExperiment.

    Parameters
    ----------
    n_classifiers : int >= 1
    n_classes, n_values : int >= 2
    alpha : float > 0; small makes theta sparse
    prior_alpha : float > 0; infinity gives equal priors
    rng : None, a seed or a numpy Generator

    Examples
    --------
    >>> from nbcore.one_hot import dirichlet_experiment
    >>> experiment = dirichlet_experiment(2000, n_classes=4, n_values=10, alpha=0.1, rng=0)
    >>> rate, error = experiment.more_confident_rate()
    >>> print(f"PoB is the more confident one in {rate:.1%} of the cases, +- {error:.1%}")
    PoB is the more confident one in 75.5% of the cases, +- 0.3%
    """
    require_count("n_classifiers", n_classifiers)
    require_count("n_classes", n_classes, least=2)
    require_count("n_values", n_values, least=2)
    require_number("alpha", alpha, above=0)
    holds = prior_alpha == inf or (is_number(prior_alpha) and prior_alpha > 0)
    require(holds, "prior_alpha", prior_alpha, "a number > 0 (infinity: equal priors)")
    rng = np.random.default_rng(rng)

    shape, equal = (n_classifiers, n_classes), prior_alpha == inf
    log_prior = np.full(shape, -np.log(n_classes)) if equal else draw_log_dirichlet(rng, prior_alpha, shape)
    log_theta = empty_classifiers_last((n_classifiers, n_classes, n_values), float)
    more_confident, disagrees = (empty_classifiers_last((n_classifiers, n_values), bool) for _ in range(2))
    step = max(1, ENTRIES_PER_CHUNK // (n_classes * n_values))
    for start in range(0, n_classifiers, step):
        part = slice(start, start + step)
        prior = log_prior[part, :, None]
        theta_part = log_theta[part] = draw_log_dirichlet(rng, alpha, (len(prior), n_classes, n_values))
        log_q = log_q_from_log(theta_part)
        joint = log_theta_near_one(theta_part) if prior_alpha == inf else prior + theta_part
        winner, log_odds = decision(joint)
        winner_pob, log_odds_pob = decision(joint + log_q)
        surer, changed = (log_odds_pob > log_odds)[:, 0], (winner_pob != winner).any(axis=1)
        n, j = ((abs(log_odds_pob - log_odds) <= LOG_ODDS_TOLERANCE * (1 + abs(log_odds)))[:, 0] & ~changed).nonzero()
        if len(n):
            surer[n, j] = is_surer(joint[n, :, j], theta_part[n], log_q[n, :, j], j)
        more_confident[part], disagrees[part] = surer, changed
    return DirichletExperiment(log_theta, log_prior, more_confident, disagrees)


def is_surer(log_joint: Floats, log_theta: Floats, log_q: Floats, j: NDArray[np.intp]) -> Booleans:
    """Return whether PoB is surer of the categorical winner of x = j, (n,), exact where log odds round alike.

    log_joint, log_q: (n, C), of the values j (n,); log_theta (n, C, K). The winner's log odds rise by
    log Q_top - log sum_o w_o Q_o, with w_o the others' shares of their joint probability. So PoB is surer if Q_top is
    above that mean of the others' Q, or 1 - Q_top below that of their 1 - Q: the smaller one is compared.
    """
    log_missing = log(-np.expm1(log_q))
    lost = log_q > -UNDERFLOW  # 1 - Q is then the sum of the other thetas
    if lost.any():
        seen = np.arange(log_theta.shape[2]) == j[:, None, None]
        log_missing = np.where(lost, logsumexp(np.where(seen, -inf, log_theta), axis=2), log_missing)
    tied = log_joint == log_joint.max(axis=1, keepdims=True)
    top = first_largest(np.where(tied, -log_missing, -inf), axis=1)
    log_weight = log_softmax(np.where(top, -inf, log_joint), axis=1)
    by_missing = log_missing[top] < logsumexp(log_weight + log_missing, axis=1)
    by_q = log_q[top] > logsumexp(log_weight + log_q, axis=1)
    return np.where(log_q[top] > -0.5, by_missing, by_q)


def empty_classifiers_last(shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """Return an empty array (n, ...) with the first axis last in memory, for fast sums over the others."""
    return np.moveaxis(np.empty((*shape[1:], shape[0]), dtype), -1, 0)

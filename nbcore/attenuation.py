"""Perplexity, and the posteriors that take a root of the likelihood: Carlos (2015), section 4.

Shapes: n items, C classes; n_features is the number of features an item has, its tokens for counts. All logs are
natural. Bad input raises ValueError, which names the argument, the value found and what is allowed.
"""

from numbers import Real

import numpy as np
from scipy.special import log_softmax

from nbcore._base import log
from nbcore.checks import require
from nbcore.one_hot.simplex import as_simplex

__all__ = [
    "RULES",
    "arithmetic_posterior",
    "attenuated_posterior",
    "fully_perplexed_posterior",
    "inverse_perplexity",
    "log_attenuated_posterior",
    "perplexity",
]

RULES = "approximate", "exact"  # eq. (20), eq. (19)


def check_k(k, argument="k"):
    """k as a float; ValueError unless it is a finite number > 0."""
    holds = isinstance(k, Real) and not isinstance(k, bool) and 0 < k < np.inf
    require(holds, argument, k, "a finite number > 0")
    return float(k)


def check_rule(rule):
    """ValueError unless it is one of the two rules."""
    require(isinstance(rule, str) and rule in RULES, "rule", rule, '"approximate" (eq. 20) or "exact" (eq. 19)')


# ------------------------------------------------------------------------------------------------------- perplexity


def _mean_log(p, axis):
    p = np.asarray(p, dtype=float)
    require(p.ndim >= 1 and p.size > 0, "p", p.shape, "at least one probability")
    for entry in p[~((p >= 0) & (p <= 1))][:1]:  # finds NaN too
        require(False, "p", float(entry), "probabilities from 0 to 1")
    return log(p).mean(axis=axis)


def perplexity(p, axis=-1):
    """1 / (p_1 p_2 ... p_n)^(1/n), as if each p_i were one of so many equal chances: Carlos (2015), eq. (5).

    p: probabilities (..., n) along `axis`. Returns numbers >= 1 (...); infinite where some p_i = 0.
    """
    return np.exp(-_mean_log(p, axis))


def inverse_perplexity(p, k=1.0, axis=-1):
    """(p_1 p_2 ... p_n)^(k/n), the geometric mean to the k-th power: Carlos (2015), eq. (18); k = 1 is eq. (6).

    Carlos (2015), eq. (6), (7) and (18). p: probabilities (..., n) along `axis`; k > 0. Returns probabilities (...).
    """
    return np.exp(check_k(k) * _mean_log(p, axis))


# ------------------------------------------------------------------------------------------------------- posteriors


def _as_log(argument, values):
    a = np.asarray(values, dtype=float)
    require(a.ndim >= 1 and a.size > 0 and a.shape[-1] >= 2, argument, a.shape, "of shape (..., C) with C >= 2 classes")
    for entry in a[np.isnan(a) | np.isposinf(a)][:1]:
        require(False, argument, float(entry), "logarithms: finite or -inf")
    return a


def _posterior_of(log_numerator, log_prior):
    """Normalise log numerators (..., C), in logs; where every class has probability 0, the prior stands in."""
    impossible = np.isneginf(log_numerator.max(axis=-1, keepdims=True))
    return log_softmax(np.where(impossible, log_prior, log_numerator), axis=-1)


def _check_item(log_likelihood, log_prior, n_features):
    S, log_prior = _as_log("log_likelihood", log_likelihood), _as_log("log_prior", log_prior)
    allowed = f"of shape ({S.shape[-1]},) or {S.shape}"
    require(log_prior.shape in (S.shape[-1:], S.shape), "log_prior", log_prior.shape, allowed)
    require((log_prior.max(axis=-1) > -np.inf).all(), "log_prior", log_prior, "above -inf for at least one class")
    n = np.asarray(n_features, dtype=float)
    require(n.shape in ((), S.shape[:-1]), "n_features", n.shape, f"one number, or of shape {S.shape[:-1]}")
    for entry in n[~((n >= 0) & (n < np.inf))][:1]:  # finds NaN too
        require(False, "n_features", float(entry), "finite numbers >= 0")
    return S, log_prior, n[..., None]


def log_attenuated_posterior(log_likelihood, log_prior, n_features, k, rule="approximate"):
    """log of `attenuated_posterior`, nats, same arguments: Carlos (2015), eq. (20) and (19)."""
    check_rule(rule)
    k = check_k(k)
    S, log_prior, n = _check_item(log_likelihood, log_prior, n_features)
    if rule == "approximate":
        return _posterior_of(_power(S + log_prior, k / (n + 1)), log_prior)
    likelihood = np.where(np.isneginf(log_prior), -np.inf, S)  # the prior rules a class out for good
    geometric = _power(likelihood, k / np.where(n > 0, n, 1.0))
    return _posterior_of(np.where(n > 0, geometric, 0.0) + log_prior, log_prior)


def _power(log_p, exponent):
    """log of p^exponent over its largest value along the last axis, for any exponent > 0 from the tiniest to the huge.

    A row of nothing but zeros stays so.
    """
    top = log_p.max(axis=-1, keepdims=True)
    with np.errstate(over="ignore"):
        return (log_p - np.where(np.isneginf(top), 0.0, top)) * np.maximum(exponent, np.finfo(float).tiny)


def attenuated_posterior(log_likelihood, log_prior, n_features, k, rule="approximate"):
    """P(c|x) of Perplexed Bayes with attenuation coefficient k: Carlos (2015), eq. (20), or "exact", eq. (19).

    Carlos (2015), eq. (20): (likelihood * prior)^(k/(n+1)), normalised. It decides as naive Bayes does, for any k > 0,
    and is naive Bayes at k = n + 1. Carlos (2015), eq. (19): likelihood^(k/n) * prior. Naive Bayes at k = n.

    Parameters
    ----------
    log_likelihood : (..., C), sum of log P(f_i|c) over the features of an item, in nats; -inf is legal
    log_prior : (C,) or (..., C), log P(c)
    n_features : number of features of each item, >= 0: one number, or (...)
    k : float > 0; the paper's range is 1 (most perplexed) to n
    rule : "approximate" (eq. 20) or "exact" (eq. 19)

    Returns
    -------
    Posteriors (..., C). An item that every class gives probability 0 gets the prior; an item without features gets
    the prior under eq. (19), and its k-th power, normalised, under eq. (20).
    """
    return np.exp(log_attenuated_posterior(log_likelihood, log_prior, n_features, k, rule))


def fully_perplexed_posterior(log_likelihood, log_prior, n_features):
    """P(c|x) from the geometric mean of the features' probabilities: Carlos (2015), eq. (8), which is eq. (19), k = 1.

    It follows from Carlos (2015), eq. (9), (10), by the steps of Carlos (2015), eq. (11), (12), (13), (14); it is exact
    where every feature alone says all, such as n copies of one. That the features would then say nothing, as in
    Carlos (2015), eq. (16), (17), those copies disprove. Arguments and result as in `attenuated_posterior`.
    """
    return attenuated_posterior(log_likelihood, log_prior, n_features, 1.0, rule="exact")


def arithmetic_posterior(likelihoods, prior, evidence=None):
    """P(c|x) from an arithmetic mean: Carlos (2015), eq. (15) as printed, or corrected where `evidence` is given.

    As printed: proportional to sum_i P(f_i|c) P(c), which is the mean of the P(c|f_i) weighted by the P(f_i). It is
    exact where eq. (10) holds, as its sum over i shows; elsewhere common features drown the rare ones. Corrected:
    proportional to sum_i P(f_i|c) P(c) / P(f_i), the plain mean of the P(c|f_i); renormalised, so that evidence from
    another source than the likelihoods does no harm.

    likelihoods: P(f_i|c), (n_features, C); prior: P(c), (C,); evidence: None or P(f_i) > 0, (n_features,). Returns
    posteriors (C,); the prior, if every class gives every feature probability 0.
    """
    prior, L = as_simplex("prior", prior), np.asarray(likelihoods, dtype=float)
    require(prior.ndim == 1, "prior", prior.shape, "of shape (C,)")
    good = L.ndim == 2 and len(L) > 0 and L.shape[1] == len(prior)
    require(good, "likelihoods", L.shape, f"of shape (n_features, {len(prior)}), n_features >= 1")
    for entry in L[~((L >= 0) & (L <= 1))][:1]:
        require(False, "likelihoods", float(entry), "probabilities from 0 to 1")
    if evidence is not None:
        P = np.asarray(evidence, dtype=float)
        require(P.shape == L.shape[:1], "evidence", P.shape, f"of shape ({len(L)},), one number a feature")
        for entry in P[~((P > 0) & (P <= 1))][:1]:
            require(False, "evidence", float(entry), "probabilities above 0, at most 1")
        L = np.exp(log(L) - log(P[:, None]) + log(P.min()))  # up to a constant, so that nothing overflows
    return np.exp(_posterior_of(log(L.sum(axis=0)) + log(prior), log(prior)))

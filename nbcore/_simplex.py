"""Probability vectors and posteriors in log space, safe at 0 and 1: the arithmetic under `nbcore.one_hot`."""

import numpy as np

from nbcore._base import log
from nbcore.checks import require

TOLERANCE = 1e-6  # how far from 1 the sum of a probability vector may be


def as_simplex(argument, values):
    """Probability vectors along the last axis (two or more entries) as a float array."""
    p = np.asarray(values, dtype=float)
    require(p.ndim >= 1 and p.shape[-1] >= 2, argument, p.shape, "an array whose last axis has 2 or more entries")
    for entry in p[~((p >= 0) & (p <= 1 + TOLERANCE))][:1]:  # finds NaN too
        require(False, argument, float(entry), "probabilities from 0 to 1")
    total = p.sum(axis=-1)
    for off in total[abs(total - 1) > TOLERANCE][:1]:
        require(False, argument, float(off), "probability vectors: the sum along the last axis 1")
    return p


def log_sum(a, axis):
    """log of the sum of exp(a) along an axis, which is kept; a sum of nothing but zeros is -inf."""
    top = a.max(axis=axis, keepdims=True)
    shift = np.where(np.isneginf(top), 0.0, top)
    return log(np.exp(a - shift).sum(axis=axis, keepdims=True)) + shift


def log_q_from_log(log_theta):
    """log Q^-j from log theta, both (..., K), exact however close to 0 or 1 a theta is.

    log(1 - theta_k) is safe for all but the largest theta_k, which may round to 1: on the simplex, its complement is
    the sum of the others. The product over k != j is then the sum of all logs less the own one, which is finite but
    for the largest; so the largest is left out of the sum and joins it last.
    """
    largest = log_theta.argmax(axis=-1)[..., None]
    others = log_theta.copy()
    np.put_along_axis(others, largest, -np.inf, axis=-1)
    log_rest = log_sum(others, axis=-1)  # log(1 - largest theta)
    complement = np.log1p(-np.exp(others))  # the largest, now -inf, adds log 1 = 0
    log_q_largest = complement.sum(axis=-1, keepdims=True)
    log_q = log_q_largest + log_rest - complement
    np.put_along_axis(log_q, largest, log_q_largest, axis=-1)
    return log_q


def decide(log_joint, log_prior):
    """Posterior (..., C, K), most probable class and its log odds against all others (both (..., 1, K)).

    log_joint: (..., C, K); log_prior: (..., C, 1), which is the posterior where every class has joint probability 0.
    The log odds tell apart what as a probability would round to 1.
    """
    impossible = np.isneginf(log_joint.max(axis=-2, keepdims=True))
    if impossible.any():
        log_joint = np.where(impossible, log_prior, log_joint)
    winner = log_joint.argmax(axis=-2)[..., None, :]
    top = np.take_along_axis(log_joint, winner, axis=-2)
    others = log_joint.copy()
    np.put_along_axis(others, winner, -np.inf, axis=-2)
    rest = log_sum(others, axis=-2)
    np.subtract(log_joint, np.logaddexp(top, rest), out=others)
    return np.exp(others, out=others), winner, top - rest

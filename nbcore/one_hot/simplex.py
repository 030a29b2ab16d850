"""Arithmetic on probability vectors and posteriors in log space, exact at 0 and 1, for `nbcore.one_hot`."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from nbcore._base import Floats

UNDERFLOW = 1e-290  # sums above this have lost no significant digit to underflow


def first_largest(a: Floats, axis: int) -> NDArray[np.bool_]:
    """Return a mask that is True at the largest entry along an axis, at the first of equal ones."""
    return keep_first(a == a.max(axis=axis, keepdims=True), axis)


def keep_first(mask: NDArray[np.bool_], axis: int) -> NDArray[np.bool_]:
    """Clear all but the first True along an axis, in place, and return the mask; each line must have a True."""
    if np.count_nonzero(mask) * mask.shape[axis] > mask.size:
        mask &= mask.cumsum(axis=axis) == 1
    return mask


def log_sum_without(a: Floats, left_out: NDArray[np.bool_], axis: int) -> tuple[Floats, Floats]:
    """Return exp(a) with zeros where `left_out`, and the log of its sum along an axis, which is kept; a <= 0."""
    p = np.exp(a)
    p[left_out] = 0.0
    total = p.sum(axis=axis, keepdims=True)
    safe = total.min() > UNDERFLOW
    return p, np.log(total) if safe else logsumexp(np.where(left_out, -np.inf, a), axis, keepdims=True)


def log_q_from_log(log_theta: Floats) -> Floats:
    """Return log Q^-j from log theta, both (..., K), exact however close to 0 or 1 a theta is.

    log(1 - theta_k) is safe for all but the largest theta_k, which may round to 1: on the simplex, its complement is
    the sum of the others. The product over k != j is then the sum of all logs less the own one, which is finite but
    for the largest; so the largest is left out of the sum and joins it last.
    """
    largest = first_largest(log_theta, axis=-1)
    others, log_rest = log_sum_without(log_theta, largest, axis=-1)  # log_rest: log(1 - largest theta)
    complement = np.log1p(-others)  # the largest, now 0, adds log 1 = 0
    return complement.sum(axis=-1, keepdims=True) + np.where(largest, 0.0, log_rest - complement)


def log_theta_near_one(log_theta: Floats) -> Floats:
    """Return log theta, (..., K), with the largest computed as log(1 - rest), so that it does not round to 0."""
    largest = first_largest(log_theta, axis=-1)
    log_rest = log_sum_without(log_theta, largest, axis=-1)[1]
    return np.where(largest, np.log1p(-np.exp(log_rest)), log_theta)


def posterior(log_joint: Floats, log_prior: Floats) -> Floats:
    """Return P(c | x = j), (..., C, K), from log_joint (..., C, K).

    log_prior: (..., C, 1), which replaces the joint where every class has probability 0.
    """
    top = log_joint.max(axis=-2, keepdims=True)
    if np.isneginf(top).any():
        log_joint = np.where(np.isneginf(top), log_prior, log_joint)
        top = log_joint.max(axis=-2, keepdims=True)
    p = np.exp(log_joint - top)
    p /= p.sum(axis=-2, keepdims=True)
    return p


def decision(log_joint: Floats) -> tuple[NDArray[np.bool_], Floats]:
    """Return a mask of the most probable class, (..., C, K), and its log odds against all others, (..., 1, K).

    The log odds tell apart what as a probability would round to 1. log_joint: (..., C, K), finite.
    """
    gap = log_joint - log_joint.max(axis=-2, keepdims=True)
    winner = keep_first(gap == 0, axis=-2)
    return winner, -log_sum_without(gap, winner, axis=-2)[1]

"""What one-hot encoding does to naive Bayes: Williams (2024), "Naive Bayes Classifiers and One-hot Encoding".

A categorical variable x takes one of K values; theta_j = P(x = j | class). Read as K independent bits (a product of
Bernoullis, "PoB"), the value j has probability f_j = theta_j Q^-j instead of theta_j, where Q^-j is the probability
that all other bits are 0. Shapes: C classes, K >= 2 values; vectors theta lie along the last axis. Logs are natural.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from nbcore._base import Floats, log
from nbcore.checks import check_distributions, check_probabilities, require, require_count, require_every
from nbcore.one_hot.simplex import log_q_from_log, posterior


def log_q_factor(theta: ArrayLike) -> Floats:
    """Return log Q^-j(theta) in nats for every j, (..., K); -inf where Q^-j = 0. Williams (2024), eq. (4).

    theta: (..., K), K >= 2, on the simplex. It works for K in the ten thousands and at theta_j = 0 and 1.
    """
    return log_q_from_log(log(check_distributions("theta", theta)))


def q_factor(theta: ArrayLike) -> Floats:
    """Return Q^-j(theta) = prod over k != j of (1 - theta_k), for every j: Williams (2024), eq. (4).

    theta: (..., K), K >= 2, probabilities on the simplex. Returns probabilities (..., K).

    Examples
    --------
    >>> from nbcore.one_hot import q_factor
    >>> q_factor([0.5, 0.3, 0.2]).round(2).tolist()  # 0.7 * 0.8, 0.5 * 0.8, 0.5 * 0.7
    [0.56, 0.4, 0.35]
    """
    return np.exp(log_q_factor(theta))


def log_f_factor(theta: ArrayLike) -> Floats:
    """Return log f_j(theta) = log theta_j + log Q^-j, nats, (..., K); -inf at theta_j = 0: Williams (2024), eq. (1)."""
    log_theta = log(check_distributions("theta", theta))
    return log_theta + log_q_from_log(log_theta)


def f_factor(theta: ArrayLike) -> Floats:
    """Return f_j(theta) = theta_j Q^-j, P(one-hot code of j) under PoB: Williams (2024), eq. (1), named in section 2.

    theta: (..., K), K >= 2, on the simplex. Returns probabilities (..., K). They sum to less than 1, because the bits
    can also show codes that are not one-hot; only where one theta is 1 they sum to 1. With K = 2, f_j is theta_j
    squared.
    """
    return np.exp(log_f_factor(theta))


def q_bounds(theta_j: ArrayLike, K: int) -> tuple[Floats, Floats]:
    """Return (lower, upper) bound of Q^-j: theta_j and [(K-2+theta_j)/(K-1)]^(K-1), Williams (2024), eq. (8).

    theta_j: probabilities, any shape (...); K: integer >= 2. Returns two arrays (...). The lower bound holds at a
    corner (one other value takes all the rest), the upper one at the centre (the others share it equally), which is
    the stationary point of Williams (2024), eq. (5), (6), (7).
    """
    require_count("K", K, least=2)
    lower = check_probabilities("theta_j", theta_j).copy()
    return lower[()], ((K - 2 + lower) / (K - 1)) ** (K - 1)


def f_bounds(theta_j: ArrayLike, K: int) -> tuple[Floats, Floats]:
    """Return (lower, upper) bound of f_j: theta_j^2 and theta_j [(K-2+theta_j)/(K-1)]^(K-1).

    The lower bound is Williams (2024), eq. (9), the upper one Williams (2024), eq. (10). From a value of theta_j above
    0 to a larger one both bounds grow by a larger factor than theta_j itself: Williams (2024), eq. (11). From 0 there
    is no such factor: both bounds are 0 there.
    theta_j: probabilities (...); K: integer >= 2. Returns two arrays (...).

    Examples
    --------
    >>> from nbcore.one_hot import f_bounds
    >>> lower, upper = f_bounds([0.2, 0.8], K=3)
    >>> lower.round(3).tolist(), upper.round(3).tolist()
    ([0.04, 0.64], [0.072, 0.648])
    """
    lower, upper = q_bounds(theta_j, K)
    return lower * lower, lower * upper


def f_ratio_bounds(theta_jc: ArrayLike, theta_jd: ArrayLike, K: int) -> tuple[Floats, Floats]:
    """Return (lower, upper) bound of f_j(theta_c) / f_j(theta_d) for two classes c, d: Williams (2024), eq. (12).

    lower = l(theta_jc) / u(theta_jd), eq. (12); upper = u(theta_jc) / l(theta_jd), the "similar analysis" below
    eq. (13) (where "from below" should read "from above"). theta_jc: probabilities (...); theta_jd: the same,
    above 0; K: integer >= 2. With K = 2 the bounds meet. A ratio beyond the largest float is inf.
    """
    c, d = check_probabilities("theta_jc", theta_jc), check_probabilities("theta_jd", theta_jd, above_zero=True)
    (lower_c, upper_c), (lower_d, upper_d) = (tuple(map(log, q_bounds(p, K))) for p in (c, d))
    with np.errstate(over="ignore"):
        return np.exp(lower_c - lower_d + lower_c - upper_d), np.exp(lower_c - lower_d + upper_c - lower_d)


def extremeness_threshold(theta_jd: ArrayLike, K: int) -> Floats:
    """Return the theta_jc above which f_jc / f_jd surely exceeds theta_jc / theta_jd: Williams (2024), eq. (13).

    theta_jd: probabilities (...) above 0, as both ratios divide by 0 otherwise; K: integer >= 2. Returns probabilities
    (...), [(K-2+theta_jd)/(K-1)]^(K-1).
    """
    return q_bounds(check_probabilities("theta_jd", theta_jd, above_zero=True), K)[1]


def sparse_f_ratio(theta_jc: ArrayLike, theta_jd: ArrayLike) -> Floats:
    """Return (theta_jc / theta_jd)^2, near f_jc / f_jd for sparse theta: Williams (2024), eq. (14); exact at K = 2.

    theta_jc: probabilities (...); theta_jd: the same, above 0. A ratio beyond the largest float is inf.
    """
    theta_jd = check_probabilities("theta_jd", theta_jd, above_zero=True)
    with np.errstate(over="ignore"):
        return np.square(check_probabilities("theta_jc", theta_jc) / theta_jd)


def _check_model(theta: ArrayLike, prior: ArrayLike) -> tuple[Floats, Floats]:
    """Return log theta (..., C, K) and log prior (..., C, 1); ValueError for anything that is no model."""
    T, p = check_distributions("theta", theta), check_distributions("prior", prior)
    require(T.ndim >= 2 and T.shape[-2] >= 2, "theta", T.shape, "of shape (..., C, K) with C >= 2 classes")
    n_classes = T.shape[-2]
    require(p.shape[-1] == n_classes, "prior", p.shape, f"of shape (..., {n_classes}), one for each class")
    return log(T), log(p)[..., None]


def categorical_posterior(theta: ArrayLike, prior: ArrayLike) -> Floats:
    """Return P(class | x = j) under the correct, categorical model: Williams (2024), eq. (2).

    theta: (..., C, K), each class's distribution of x along the last axis; prior: (..., C). Returns (..., C, K): for
    each value j the posterior along axis -2. A value that no class can show gets the prior.
    """
    log_theta, log_prior = _check_model(theta, prior)
    return posterior(log_prior + log_theta, log_prior)


def product_of_bernoullis_posterior(theta: ArrayLike, prior: ArrayLike) -> Floats:
    """Return P(class | one-hot code of j) when the K bits count as independent: Williams (2024), eq. (3).

    Shapes and the value that no class can show: as in `categorical_posterior`. theta serves as the probabilities of
    the bits, which is what maximum likelihood gives; smoothing would change them once more.
    """
    log_theta, log_prior = _check_model(theta, prior)
    return posterior(log_prior + log_theta + log_q_from_log(log_theta), log_prior)


def posteriors_of_several(thetas: Sequence[ArrayLike], prior: ArrayLike, values: ArrayLike) -> tuple[Floats, Floats]:
    """Return posteriors given several categorical variables: (categorical, product of Bernoullis), each (n, C).

    Every variable brings its theta_j to the one and its f_j = theta_j Q^-j to the other: Williams (2024),
    eq. (2) and (3), and section 4. thetas: list of F arrays (C, K_f); prior: (C,); values: integer codes (n, F). An
    observation that no class can show gets the prior.
    """
    codes = np.asarray(values)
    require(len(thetas) >= 1, "thetas", thetas, "a list of at least one array (C, K)")
    integers = codes.ndim == 2 and len(codes) > 0 and codes.dtype.kind in "iu"
    require(integers, "values", (codes.shape, codes.dtype.name), "integer codes (n, F), n >= 1")
    require(codes.shape[1] == len(thetas), "values", codes.shape, f"of shape (n, {len(thetas)}), one column a theta")
    categorical = bernoullis = np.zeros(1)
    for f, theta in enumerate(thetas):
        log_theta, log_prior = _check_model(theta, prior)
        require(log_theta.ndim == 2, f"thetas[{f}]", log_theta.shape, "of shape (C, K)")
        column, K = codes[:, f], log_theta.shape[1]
        require_every((column >= 0) & (column < K), f"values[:, {f}]", column, f"from 0 to {K - 1}")
        categorical = categorical + log_theta[:, column]
        bernoullis = bernoullis + (log_theta + log_q_from_log(log_theta))[:, column]
    return posterior(log_prior + categorical, log_prior).T, posterior(log_prior + bernoullis, log_prior).T

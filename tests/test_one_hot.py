"""nbcore.one_hot against exact fractions, brute force, scikit-learn and the figures of Williams (2024)."""

from decimal import Decimal, localcontext
from fractions import Fraction
from math import inf, log, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import BernoulliNB, CategoricalNB
from sklearn.preprocessing import OneHotEncoder

from nbcore import one_hot as oh
from nbcore.datasets import load_hair_eye_color
from nbcore.one_hot import groups
from nbcore.one_hot.groups import disjoint_probability

FAST = settings(max_examples=60, deadline=None)


def q_by_definition(theta):
    """Eq. (4), word for word, in exact fractions or floats."""
    return [prod(1 - t for k, t in enumerate(theta) if k != j) for j in range(len(theta))]


@st.composite
def fractions_on_simplex(draw, size=None):
    """K >= 2 exact probabilities with sum 1, zeros and ones among them."""
    K = size or draw(st.integers(2, 7))
    weights = draw(st.lists(st.integers(0, 50), min_size=K, max_size=K).filter(any))
    return [Fraction(w, sum(weights)) for w in weights]


@st.composite
def models(draw):
    """theta (C, K) and prior (C,) in exact fractions."""
    C, K = draw(st.integers(2, 4)), draw(st.integers(2, 5))
    return [draw(fractions_on_simplex(K)) for _ in range(C)], draw(fractions_on_simplex(C))


def as_float(fractions):
    return np.array(fractions, dtype=float)


def posterior_by_definition(likelihood, prior):
    """(C, K) exact posteriors; where no class can show the value, the prior."""
    C, K = len(likelihood), len(likelihood[0])
    evidence = [sum(prior[c] * likelihood[c][j] for c in range(C)) for j in range(K)]
    return [
        [prior[c] * likelihood[c][j] / evidence[j] if evidence[j] else prior[c] for j in range(K)] for c in range(C)
    ]


@FAST
@given(fractions_on_simplex())
def test_q_and_f_equal_the_exact_products(theta):
    q = q_by_definition(theta)
    np.testing.assert_allclose(oh.q_factor(as_float(theta)), as_float(q), rtol=1e-12, atol=0)
    np.testing.assert_allclose(
        oh.f_factor(as_float(theta)), as_float([a * b for a, b in zip(theta, q, strict=True)]), rtol=1e-12
    )


@FAST
@given(fractions_on_simplex())
def test_bounds_hold_at_every_point_of_the_simplex(theta):
    K, theta = len(theta), as_float(theta)
    for value, (lower, upper) in (
        (oh.q_factor(theta), oh.q_bounds(theta, K)),
        (oh.f_factor(theta), oh.f_bounds(theta, K)),
    ):
        assert (lower <= value * (1 + 1e-12)).all()
        assert (value <= upper * (1 + 1e-12)).all()


@FAST
@given(st.integers(2, 9), st.fractions(0, 1, max_denominator=1000))
def test_the_bounds_are_reached_at_a_corner_and_at_the_centre(K, t):
    corner = [t, 1 - t] + [0] * (K - 2)
    centre = [t] + [(1 - t) / (K - 1)] * (K - 1)
    assert q_by_definition(corner)[0] == t  # exactly
    lower, upper = oh.q_bounds(float(t), K)
    assert lower == float(t)
    np.testing.assert_allclose(upper, float(q_by_definition(centre)[0]), rtol=1e-12)
    np.testing.assert_allclose(oh.f_bounds(float(t), K), [float(t * t), float(t) * upper], rtol=1e-12)
    assert t == 0 or oh.extremeness_threshold(float(t), K) == upper


@FAST
@given(fractions_on_simplex())
def test_the_codes_that_are_one_hot_are_certain_only_at_a_corner(theta):
    """P(one-hot) is the sum of the f_j: below 1 by exact fractions, and 1 where one theta is 1."""
    exact = sum(a * b for a, b in zip(theta, q_by_definition(theta), strict=True))
    assert (exact == 1) if 1 in theta else (exact < 1)
    assert oh.f_factor(as_float(theta)).sum() == pytest.approx(float(exact), rel=1e-12)


@FAST
@given(fractions_on_simplex(4), fractions_on_simplex(4))
def test_the_ratio_of_f_lies_within_its_bounds_and_is_more_extreme_above_the_threshold(c, d):
    f_c, f_d = (oh.f_factor(as_float(theta)) for theta in (c, d))
    for j in range(4):
        if d[j] == 0:
            continue
        lower, upper = oh.f_ratio_bounds(float(c[j]), float(d[j]), 4)
        ratio = f_c[j] / f_d[j]
        assert lower * (1 - 1e-12) <= ratio <= upper * (1 + 1e-12)
        if c[j] > oh.extremeness_threshold(float(d[j]), 4):  # eq. (13)
            assert ratio > float(c[j] / d[j]) * (1 - 1e-12)
            assert lower > float(c[j] / d[j]) * (1 - 1e-12)


def test_the_ratio_bounds_by_hand():
    # K = 3, theta_jc = 1/2, theta_jd = 1/4: l = 1/4, u(d) = 1/4 (5/8)^2; u(c) = 1/2 (3/4)^2, l(d) = 1/16
    np.testing.assert_allclose(oh.f_ratio_bounds(1 / 2, 1 / 4, 3), [(1 / 4) / (25 / 256), (9 / 32) * 16], rtol=1e-14)
    np.testing.assert_allclose(oh.f_ratio_bounds(0.6, 0.2, 2), [9, 9], rtol=1e-14)
    assert oh.sparse_f_ratio(0.6, 0.2) == pytest.approx(9)
    assert oh.f_ratio_bounds(0.0, 1e-320, 5) == (0, 0)
    assert oh.f_ratio_bounds(1.0, 1e-320, 5)[1] == oh.sparse_f_ratio(1.0, 1e-320) == inf


def test_sparse_vectors_follow_the_square_of_the_odds():
    """Eq. (14), figure 2(b): with one other value taking nearly all the rest."""
    c, d = np.array([0.9, 0.1 - 1e-9, 1e-9]), np.array([0.02, 1e-9, 0.98 - 1e-9])
    ratio = oh.f_factor(c)[0] / oh.f_factor(d)[0]
    assert ratio == pytest.approx(oh.sparse_f_ratio(0.9, 0.02), rel=1e-6)


def test_log_factors_at_the_corners_and_beyond_the_smallest_float():
    np.testing.assert_array_equal(oh.q_factor([[1, 0, 0], [0, 1, 0]]), [[1, 0, 0], [0, 1, 0]])
    np.testing.assert_array_equal(oh.log_f_factor([1.0, 0, 0]), [0, -inf, -inf])
    tiny = np.array([1.0, 1e-200, 1e-250])  # 1 - theta_0 is the sum of the others, not 0
    expected = [0, 2 * np.log(1e-200), np.log(1e-250) + np.log(1e-200)]
    np.testing.assert_allclose(oh.log_f_factor(tiny), expected, atol=1e-190)
    np.testing.assert_array_equal(oh.f_factor(tiny), [1, 0, 0])


@pytest.mark.parametrize("K", [2, 100, 10_000])
def test_many_values(K):
    uniform = np.full((2, K), 1 / K)
    np.testing.assert_allclose(oh.q_factor(uniform), (1 - 1 / K) ** (K - 1), rtol=1e-9)
    lower, upper = oh.q_bounds(1 / K, K)
    assert lower <= oh.q_factor(uniform)[0, 0] <= upper * (1 + 1e-9)
    spike = np.zeros(K)
    spike[-1] = 1
    assert oh.q_factor(spike).sum() == 1
    np.testing.assert_allclose(oh.product_of_bernoullis_posterior(uniform, [0.3, 0.7]), [[0.3] * K, [0.7] * K])


@FAST
@given(models())
def test_posteriors_equal_exact_bayes(model):
    theta, prior = model
    f = [[t * q for t, q in zip(row, q_by_definition(row), strict=True)] for row in theta]
    for got, likelihood in (
        (oh.categorical_posterior(as_float(theta), as_float(prior)), theta),
        (oh.product_of_bernoullis_posterior(as_float(theta), as_float(prior)), f),
    ):
        np.testing.assert_allclose(got, as_float(posterior_by_definition(likelihood, prior)), rtol=1e-11, atol=1e-15)
        np.testing.assert_allclose(got.sum(axis=0), 1)


def test_a_value_no_class_can_show_gets_the_prior():
    theta = np.array([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]])
    for posterior in (oh.categorical_posterior, oh.product_of_bernoullis_posterior):
        np.testing.assert_allclose(posterior(theta, [0.2, 0.8])[:, 2], [0.2, 0.8])
        np.testing.assert_allclose(posterior(theta, [0.2, 0.8])[:, 1], [1, 0])
        np.testing.assert_allclose(posterior(theta, [0.0, 1.0])[:, 1], [0, 1])  # only the excluded class shows it


def test_leading_axes_are_independent_models():
    rng = np.random.default_rng(0)
    theta, prior = rng.dirichlet(np.ones(5), (2, 3, 4)), rng.dirichlet(np.ones(4), (2, 3))
    theta[1, 2] = [0, 0.1, 0.2, 0.3, 0.4]  # the first value is one that no class can show
    for posterior in (oh.categorical_posterior, oh.product_of_bernoullis_posterior):
        whole = posterior(theta, prior)
        assert whole.shape == (2, 3, 4, 5)
        for i, j in np.ndindex(2, 3):
            np.testing.assert_allclose(whole[i, j], posterior(theta[i, j], prior[i, j]), rtol=1e-13)


def shares(column, target):
    """Maximum likelihood P(value | class), (C, K), by plain counting."""
    count = np.array([np.bincount(column[target == c], minlength=column.max() + 1) for c in np.unique(target)])
    return count / count.sum(axis=1, keepdims=True)


def test_several_variables_agree_with_scikit_learn():
    data = load_hair_eye_color()
    x, sex = data.data[:, :2], data.data[:, 2]
    thetas, prior = [shares(x[:, f], sex) for f in range(2)], np.bincount(sex) / len(sex)
    categorical, pob = oh.posteriors_of_several(thetas, prior, x)
    bits = OneHotEncoder().fit_transform(x)
    peers = CategoricalNB(alpha=1e-10).fit(x, sex), BernoulliNB(alpha=1e-10).fit(bits, sex)
    np.testing.assert_allclose(categorical, peers[0].predict_proba(x), rtol=1e-8)
    np.testing.assert_allclose(pob, peers[1].predict_proba(bits), rtol=1e-8)


CONVERGED = [  # alpha, K, prior_alpha, PoB more confident (sd of n = 100), MAP disagrees (sd): 1e5 classifiers, percent
    (1, 3, 1, 76.4, 2.5, 12.28, 1.85),
    (1 / 6, 6, 1, 78.9, 1.7, 7.95, 1.05),
    (1 / 10, 10, 1 / 10, 63.1, 1.7, 4.36, 0.70),
]


@pytest.mark.parametrize(("alpha", "K", "prior_alpha", "confident", "sd_c", "disagree", "sd_d"), CONVERGED)
def test_converged_rates_and_their_errors(alpha, K, prior_alpha, confident, sd_c, disagree, sd_d):
    n = 30_000
    experiment = oh.dirichlet_experiment(n, 4, K, alpha, prior_alpha, rng=7)
    for (rate, error), value, sd in (
        (experiment.more_confident_rate(), confident, sd_c),
        (experiment.disagreement_rate(), disagree, sd_d),
    ):
        assert 100 * rate == pytest.approx(value, abs=0.05 + 4 * sd * np.sqrt(100 / n + 100 / 1e5))
        assert 100 * error * np.sqrt(n / 100) == pytest.approx(sd, rel=0.08)


def test_the_experiment_agrees_with_the_posteriors_and_with_plain_probabilities():
    """In every chunk, of which there are several, and none of which is drawn twice."""
    e = oh.dirichlet_experiment(6000, 3, 4, 1.0, rng=np.random.default_rng(5))
    np.testing.assert_allclose(e.categorical, oh.categorical_posterior(e.theta, e.prior), rtol=1e-10)
    np.testing.assert_allclose(e.bernoullis, oh.product_of_bernoullis_posterior(e.theta, e.prior), rtol=1e-10)
    np.testing.assert_allclose(e.theta, np.exp(e.log_theta))
    assert e.more_confident.shape == e.disagrees.shape == (6000, 4)
    assert (e.disagrees == (e.categorical.argmax(axis=1) != e.bernoullis.argmax(axis=1))).all()
    gap = e.bernoullis.max(axis=1) - e.categorical.max(axis=1)
    assert (e.more_confident == (gap > 0))[abs(gap) > 1e-12].all()
    assert (e.theta == oh.dirichlet_experiment(6000, 3, 4, 1.0, rng=5).theta).all()
    assert len(np.unique(e.theta[:, 0, 0])) == 6000


def test_rates_are_means_with_clustered_errors():
    e = oh.dirichlet_experiment(400, 4, 6, 1.0, rng=2)
    rate, error = e.disagreement_rate()
    assert rate == pytest.approx(e.disagrees.mean())
    rng = np.random.default_rng(0)
    bootstrap = [e.disagrees[rng.integers(0, 400, 400)].mean() for _ in range(2000)]
    assert error == pytest.approx(np.std(bootstrap), rel=0.1)
    assert oh.dirichlet_experiment(1, 2, 2, 1.0, rng=0).more_confident_rate()[1] == inf
    assert oh.clustered_rate([[1, 1, 1], [0, 0, 0]]) == pytest.approx((0.5, 0.5))  # sqrt(1/2) / sqrt(2)
    assert repr(e) == "DirichletExperiment()"  # nobody reads its thousands of numbers


@pytest.mark.parametrize("alpha", [0.001, 0.01, 0.1, 0.5, 3.0, 100.0])
def test_dirichlet_moments_without_nan(alpha):
    e = oh.dirichlet_experiment(4000, 4, 5, alpha, rng=11)
    for a in (e.theta, e.categorical, e.bernoullis, e.log_theta):
        assert np.isfinite(a).all()
    np.testing.assert_allclose(e.theta.sum(axis=-1), 1)
    np.testing.assert_allclose(e.categorical.sum(axis=1), 1)
    np.testing.assert_allclose(e.bernoullis.sum(axis=1), 1)
    np.testing.assert_allclose(e.theta.mean(axis=(0, 1)), 0.2, atol=0.012)
    np.testing.assert_allclose(e.theta.var(axis=(0, 1)), 0.2 * 0.8 / (5 * alpha + 1), rtol=0.1)


def in_digits(log_prior, log_theta):
    """PoB is surer, and the decisions differ, of each x = j: with `decimal`, of log_prior (C,), log_theta (C, K)."""
    thetas = [[Decimal(float(value)).exp() for value in row] for row in log_theta]
    for theta, row in zip(thetas, log_theta, strict=True):
        theta[row.argmax()] = 1 - sum(t for v, t in enumerate(theta) if v != row.argmax())
    prior = [Decimal(float(value)).exp() for value in log_prior]
    for j in range(log_theta.shape[1]):
        exact = [p * theta[j] for p, theta in zip(prior, thetas, strict=True)]
        pob = [p * prod(1 - t for v, t in enumerate(theta) if v != j) for p, theta in zip(exact, thetas, strict=True)]
        top, top_pob = (joint.index(max(joint)) for joint in (exact, pob))
        odds, odds_pob = ((sum(joint) - joint[at]) / joint[at] for joint, at in ((exact, top), (pob, top_pob)))
        yield odds_pob < odds, top_pob != top


@pytest.mark.parametrize(("alpha", "C", "K", "prior_alpha", "rounded"), [
    (0.01, 4, 3, 1.0, 0.05), (0.01, 4, 3, inf, 0.05), (0.03, 3, 2, inf, 0.05), (0.003, 3, 3, 1.0, 0.05),
    (1, 4, 3, 1.0, 0),
])  # fmt: skip
def test_who_is_surer_agrees_with_exact_arithmetic(alpha, C, K, prior_alpha, rounded):
    """Where a theta is 1 - 1e-20, its log rounds to 0, and so do all differences of such logs."""
    e = oh.dirichlet_experiment(600, C, K, alpha, prior_alpha, rng=8)
    digits = 40 - e.log_theta.min(axis=(1, 2)) / log(10)
    rows = np.flatnonzero(digits < 400)[:60]
    ones = []
    for n in rows:
        with localcontext() as context:
            context.prec = 2 * int(digits[n])  # theta's own smallness, and that of its square
            exact = list(in_digits(e.log_prior[n], e.log_theta[n]))
        assert exact == list(zip(e.more_confident[n], e.disagrees[n], strict=True))
        ones += list((e.theta[n] == 1).any(axis=0) & (e.bernoullis[n].max(axis=0) == 1))
    assert np.mean(ones) >= rounded


@pytest.mark.parametrize("alpha", [0.002, 0.01, 0.1, 1.0])
def test_with_two_values_and_equal_priors_pob_squares_the_odds(alpha):
    """So it is always the surer one and never decides otherwise, however close to 1 all of it lies."""
    e = oh.dirichlet_experiment(2000, 2, 2, alpha, prior_alpha=inf, rng=4)
    assert e.more_confident.all()
    assert not e.disagrees.any()


def sample_table(n=600, seed=0):
    """A bare table: one-hot blocks (0-2) and (4-8), a number, a lone bit, a binary variable with its complement."""
    rng = np.random.default_rng(seed)
    a, b = np.eye(3)[rng.integers(0, 3, n)], np.eye(5)[rng.choice(5, n, p=[0.4, 0.3, 0.2, 0.08, 0.02])]
    bit, yes = rng.random((n, 1)) < 0.5, rng.random((n, 1)) < 0.3
    return np.hstack([a, rng.normal(size=(n, 1)), b, bit, yes, ~yes])


TABLE_GROUPS = [(0, 1, 2), (4, 5, 6, 7, 8), (10, 11)]


@pytest.mark.parametrize("as_input", [np.array, sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
def test_complete_blocks_are_found(as_input):
    assert oh.one_hot_groups(as_input(sample_table())) == TABLE_GROUPS


def test_blocks_are_found_wherever_their_columns_stand():
    X = sample_table()
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(X.shape[1])
        place = np.argsort(order)
        expected = sorted(tuple(sorted(int(place[j]) for j in group)) for group in TABLE_GROUPS)
        assert oh.one_hot_groups(X[:, order]) == expected


def test_blocks_with_a_dropped_column_are_found():
    X = OneHotEncoder(drop="first", sparse_output=False).fit_transform(load_hair_eye_color().data)
    assert oh.one_hot_groups(X) == [(0, 1, 2), (3, 4, 5)]
    X = np.delete(sample_table(), [1, 4], axis=1)
    assert oh.one_hot_groups(X) == [(0, 1), (3, 4, 5, 6), (8, 9)]


@pytest.mark.parametrize(("rest", "found"), [(100, [(0, 2, 4)]), (101, [])])
def test_nine_rows_of_ten_are_enough_and_no_fewer(rest, found):
    block = np.eye(4)[np.repeat([1, 2, 3, 0], [300, 300, 400 - rest, rest])][:, 1:]
    between = np.random.default_rng(1).random((1000, 2)) < 0.5
    assert oh.one_hot_groups(np.insert(block, [1, 2], between, axis=1)) == found


def test_a_complete_block_keeps_a_rare_column_wherever_it_stands_and_a_frequent_one_alone_is_none():
    block = np.eye(3)[np.repeat([0, 1, 2], [2, 60, 38])]
    between = np.random.default_rng(1).random((100, 2)) < 0.5
    assert oh.one_hot_groups(np.insert(block, [1, 2], between, axis=1)) == [(0, 2, 4)]
    assert oh.one_hot_groups(np.repeat([1, 0], [95, 5])[:, None]) == []


def test_no_column_is_in_two_blocks():
    block = np.repeat(np.eye(12), 20, axis=0)  # without one of its columns it still covers more than .9 of the rows
    bit = np.random.default_rng(1).random(240) < 0.5
    assert oh.one_hot_groups(np.insert(block, 6, bit, axis=1)) == [tuple(j for j in range(13) if j != 6)]


def test_blocks_are_looked_for_among_the_most_frequent_columns(monkeypatch):
    rng = np.random.default_rng(1)
    between, rare = rng.random((1000, 2)) < 0.45, rng.random((1000, 4)) < 0.1
    yes = np.repeat([1, 0], [500, 500])
    X = np.column_stack([rare[:, :2], yes, between, rare[:, 2:], 1 - yes])
    for most, found in ((9, [(2, 7)]), (3, [(2, 7)]), (1, [])):
        monkeypatch.setattr(groups, "MAX_COLUMNS", most)
        assert oh.one_hot_groups(X) == found


def test_related_words_far_apart_are_no_blocks():
    """Words of different topics are exclusive beyond chance, but no encoder wrote them."""
    rng = np.random.default_rng(0)
    topic, usual = rng.integers(0, 5, 1000), np.minimum(0.3, 2 / np.arange(1, 401))
    p = (usual * rng.gamma(0.3, 1 / 0.3, (5, 400))).clip(max=0.9)
    words = rng.random((1000, 400)) < p[topic]
    assert all(np.ptp(group) == len(group) - 1 for group in oh.one_hot_groups(words))  # neighbours at most


def test_one_row_of_zeros_counts_as_a_dropped_column_and_two_ones_rule_a_block_out():
    X = np.eye(3)[np.random.default_rng(0).integers(0, 3, 300)]
    X[0] = 0
    assert oh.one_hot_groups(X) == [(0, 1, 2)]
    X[0] = [1, 1, 0]
    X[1] = [0, 1, 1]
    X[2] = [1, 0, 1]
    assert oh.one_hot_groups(X) == []


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_rare_column_that_chance_keeps_apart_does_not_join_a_block(place):
    block = np.eye(3)[np.random.default_rng(0).integers(0, 3, 300)][:, 1:]
    rare = np.zeros(300)
    rare[np.flatnonzero(block.sum(axis=1) == 0)[:2]] = 1
    assert oh.one_hot_groups(rare[:, None]) == []
    expected = [tuple(j for j in range(3) if j != place)]
    assert oh.one_hot_groups(np.insert(block, place, rare, axis=1)) == expected


@pytest.mark.parametrize("p", [0.02, 0.1, 0.5])
def test_independent_bits_form_no_group(p):
    found = [oh.one_hot_groups(np.random.default_rng(seed).random((200, 12)) < p) for seed in range(20)]
    assert sum(map(len, found)) == 0


def test_ambiguous_columns():
    rng = np.random.default_rng(0)
    a = np.eye(3)[rng.integers(0, 3, 100)]
    ones, zeros = np.ones((100, 1)), np.zeros((100, 1))
    assert oh.one_hot_groups(np.hstack([ones, a, zeros])) == [(1, 2, 3)]  # constants belong to no block
    assert oh.one_hot_groups(np.hstack([a[:, :1], zeros, a[:, 1:]])) == [(0, 2, 3)]  # an absent category
    assert oh.one_hot_groups(np.hstack([a, a])) == [(0, 1, 2), (3, 4, 5)]  # twins: adjacent columns win
    assert oh.one_hot_groups(np.hstack([a[:, :1] + a[:, 1:2], a[:, 2:], a[:, :2]])) == [
        (0, 1),
        (2, 3),
    ]  # coarse and fine
    assert oh.one_hot_groups(np.hstack([a, a[:, :1] + a[:, 1:2]])) == [(0, 1, 2)]  # fine and coarse: the leftmost
    assert oh.one_hot_groups(a * 2) == []  # not binary
    assert oh.one_hot_groups(np.hstack([a, a * [1, 1, 2]])) == [(0, 1, 2), (3, 4)]  # but for the last column
    assert oh.one_hot_groups(np.hstack([a * [2, 1, 1], a])) == [(1, 2, 3), (4, 5)]  # the first, and its twin
    assert oh.one_hot_groups(np.array([[1, 0], [0, 1]])) == [(0, 1)]
    assert oh.one_hot_groups(np.array([[1, 0]])) == []  # constant, as far as one row can tell
    assert oh.one_hot_groups(a[:, :1]) == []


def test_ordinal_codes_undo_one_hot_encoding():
    codes = np.array([[0, 2], [1, 0], [2, 1], [0, 1], [-1, -1]])  # the last row: values that the encoder did not know
    block, number = np.vstack([np.eye(3), np.zeros(3)])[codes].swapaxes(0, 1), np.arange(5, 10)
    X = np.column_stack([block[0], number, block[1]])
    for table in (X, X.astype(int), sparse.csr_array(X)):
        got = oh.ordinal_codes(table, [(0, 1, 2), (4, 5, 6)])
        np.testing.assert_array_equal(got, np.column_stack([codes[:, 0] + 1, number, codes[:, 1] + 1]))
    apart = oh.ordinal_codes(X[:, [0, 4, 1, 5, 3, 2, 6]], [(1, 3, 6), (0, 2, 5)])  # the same, each column elsewhere
    np.testing.assert_array_equal(apart, np.column_stack([codes + 1, number]))
    np.testing.assert_array_equal(oh.ordinal_codes(X, []), X)
    np.testing.assert_array_equal(oh.ordinal_codes(block[0], [(0, 1, 2)]), codes[:, :1] + 1)  # the whole table


@pytest.mark.parametrize("groups", [[(0, 1), (1, 2)], [(0, 7)], [(-1, 0)], [(0, 0)]])
def test_groups_that_share_a_column_or_have_one_from_elsewhere_are_no_blocks(groups):
    with pytest.raises(ValueError, match="groups must be disjoint groups of column indices from 0 to 6; got"):
        oh.ordinal_codes(np.zeros((2, 7)), groups)


@pytest.mark.parametrize("rows", [[[1, 1], [0, 0]], [[-1, 1], [0, 1]], [[2, 0], [0, 1]], [[0.5, 0.5], [1, 0]]])
def test_what_is_no_one_hot_code_has_no_ordinal_one(rows):
    words = r"groups must be columns of zeros with at most one 1 in a row; got \(0, 2\)"
    with pytest.raises(ValueError, match=words):
        oh.ordinal_codes(np.insert(np.array(rows), 1, 7, axis=1), [(0, 2)])


def test_a_wide_block_is_found_and_a_text_like_matrix_has_none():
    K = 3000
    assert oh.one_hot_groups(sparse.eye_array(K, format="csr")) == [tuple(range(K))]
    wide = sparse.random_array((2000, 100_000), density=0.0005, rng=np.random.default_rng(0), format="csr")
    wide.data[:] = 1
    assert oh.one_hot_groups(wide) == []
    words = sparse.random_array((500, 800), density=0.01, rng=np.random.default_rng(0), format="csr")
    words.data[:] = 1
    assert oh.one_hot_groups(words) == []


def test_variance_inflation_agrees_with_least_squares_and_with_the_formula_for_dummies():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 4)) @ rng.normal(size=(4, 4)) + rng.normal(size=4)
    expected = [
        1 / (1 - LinearRegression().fit(o := np.delete(X, j, axis=1), X[:, j]).score(o, X[:, j])) for j in range(4)
    ]
    np.testing.assert_allclose(oh.variance_inflation(X), expected, rtol=1e-9)
    dummies = np.repeat(np.eye(4)[:, 1:], [10, 20, 30, 40], axis=0)
    p0, p = 0.1, np.array([0.2, 0.3, 0.4])
    np.testing.assert_allclose(oh.variance_inflation(dummies), 1 + p * (1 - p - p0) / p0, rtol=1e-10)
    np.testing.assert_allclose(oh.variance_inflation(sparse.csr_array(dummies)), 1 + p * (1 - p - p0) / p0, rtol=1e-10)
    mixed = np.hstack([np.repeat(np.eye(3), 30, axis=0), rng.normal(size=(90, 1)), np.ones((90, 1))])
    assert np.isinf(oh.variance_inflation(mixed)).tolist() == [True, True, True, False, True]


def test_chance_apart_by_enumeration():
    from itertools import combinations

    rows = list(combinations(range(7), 3))
    apart = sum(not set(r) & {0, 1} for r in rows) / len(rows)
    assert disjoint_probability(3, 2, 7) == pytest.approx(apart)


GOOD = np.array([[0.2, 0.8], [0.5, 0.5]])
BAD = [
    (lambda: oh.q_factor([0.5, 0.6]), "theta must be .*sum.*1.1"),
    (lambda: oh.log_f_factor([0.5, 0.4999]), "theta must be"),
    (lambda: oh.q_bounds(0.5, 1), "K must be an integer >= 2; got 1"),
    (lambda: oh.q_bounds(1.5, 3), "theta_j must be probabilities from 0 to 1; got 1.5"),
    (lambda: oh.f_bounds([0.2, np.nan], 3), "theta_j must be .* nan"),
    (lambda: oh.extremeness_threshold(0, 3), "theta_jd must be probabilities above 0"),
    (lambda: oh.f_ratio_bounds(0.5, 0.0, 3), "theta_jd must be probabilities above 0, at most 1; got 0.0"),
    (lambda: oh.f_ratio_bounds(2, 0.1, 3), "theta_jc must be .* 2.0"),
    (lambda: oh.f_ratio_bounds(0.5, 0.5, 0), "K must be .* got 0"),
    (lambda: oh.sparse_f_ratio(0.1, 0), "theta_jd must be probabilities above 0"),
    (lambda: oh.categorical_posterior([[0.5, 0.5]], [0.5, 0.5]), "theta must be .* C >= 2 classes"),
    (lambda: oh.categorical_posterior(GOOD, [0.5, 0.4]), "prior must be .* 0.9"),
    (lambda: oh.product_of_bernoullis_posterior(GOOD, [0.2, 0.3, 0.5]), "prior must be of shape"),
    (lambda: oh.product_of_bernoullis_posterior(GOOD.T, [0.5, 0.5]), "theta must be .*sum"),
    (lambda: oh.posteriors_of_several([], [0.5, 0.5], [[0]]), "thetas must be"),
    (lambda: oh.posteriors_of_several([GOOD], [0.5, 0.5], [[2]]), r"values\[:, 0\] must be from 0 to 1; got 2"),
    (lambda: oh.posteriors_of_several([GOOD], [0.5, 0.5], [[0.5]]), "values must be integer codes"),
    (lambda: oh.posteriors_of_several([GOOD], [0.5, 0.5], [[0, 1]]), "values must be of shape"),
    (lambda: oh.posteriors_of_several([GOOD], [0.5, 0.5], np.empty((0, 1), int)), "values must be"),
    (lambda: oh.posteriors_of_several([GOOD[None]], [[0.5, 0.5]], [[0]]), r"thetas\[0\] must be of shape"),
    (lambda: oh.dirichlet_experiment(0, 4, 3, 1.0), "n_classifiers must be .* got 0"),
    (lambda: oh.dirichlet_experiment(10, 1, 3, 1.0), "n_classes must be an integer >= 2; got 1"),
    (lambda: oh.dirichlet_experiment(10, 4, 1, 1.0), "n_values must be an integer >= 2; got 1"),
    (lambda: oh.dirichlet_experiment(10, 4, 3, 0), "^alpha must be a finite number > 0; got 0"),
    (lambda: oh.dirichlet_experiment(10, 4, 3, 1.0, prior_alpha=-1), "prior_alpha must be a number > 0.*; got -1"),
    (lambda: oh.dirichlet_experiment(10, 4, 3, 1.0, prior_alpha=0), "prior_alpha must be a number > 0.*; got 0"),
    (lambda: oh.one_hot_groups([[np.nan, 1]]), "NaN"),
    (lambda: oh.one_hot_groups(np.empty((0, 3))), "minimum of 1"),
    (lambda: oh.variance_inflation([[1.0, 2.0]]), "minimum of 2"),
]


@pytest.mark.parametrize(("ones", "found"), [(47, [(0, 1)]), (38, [])])
def test_two_equal_columns_are_a_block_from_where_chance_would_not_keep_them_apart(ones, found):
    X = np.zeros((400, 2))
    X[:ones, 0] = X[ones : 2 * ones, 1] = 1
    assert (disjoint_probability(ones, ones, 400) < 0.01) == bool(found)
    assert disjoint_probability(ones, 2 * ones / 3, 400) > 0.01
    assert oh.one_hot_groups(X) == found


def test_a_sparse_table_is_left_as_it_was():
    """Also one that holds a zero, and a number in two parts."""
    given = [1.0, 1.0, 0.0, 1.0, 0.5, 0.5], [0, 1, 2, 2, 3, 3], [0, 3, 6]
    X = sparse.csc_array(tuple(map(np.array, given)), shape=(4, 2))
    assert oh.one_hot_groups(X) == [(0, 1)]
    assert (X.data.tolist(), X.indices.tolist(), X.indptr.tolist()) == given


def test_a_level_is_shared_by_all_pairs_of_columns():
    assert [groups._level_per_pair(n) for n in (0, 1, 2, 3, 5)] == [0.01, 0.01, 0.01, 0.01 / 3, 0.01 / 10]


@pytest.mark.parametrize(("call", "message"), BAD)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()

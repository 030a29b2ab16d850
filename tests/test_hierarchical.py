"""Hidden nodes: against exact fractions, plain loops, naive Bayes, scikit-learn, and the paper's numbers."""

import re
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.special import logsumexp
from scipy.stats import norm
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture
from sklearn.naive_bayes import BernoulliNB, GaussianNB, MultinomialNB
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from nbcore._base import hold_out
from nbcore.datasets import load_xor
from nbcore.hierarchical import (
    BernoulliLeaf,
    GaussianLeaf,
    HierarchicalBayes,
    MultinomialLeaf,
    Nodes,
    e_step,
    expected_counts,
    m_step,
    mix_nodes,
    product_of_sums,
    run_em,
    start_from_points,
    start_from_responsibilities,
    sum_of_products,
)
from nbcore.hierarchical.classifier import column_spreads
from nbcore.hierarchical.em import draw_seeds

XOR = load_xor()
ALL_ROWS = {"validation_fraction": 0}
QUICK = {"n_restarts": 2, "max_iter": 15, "tol": 0, "random_state": 0}
LEAVES = {"multinomial": MultinomialLeaf, "bernoulli": BernoulliLeaf, "gaussian": GaussianLeaf}

seeds = st.integers(0, 2**32 - 1)


def draw_counts(rng, n=12, F=5, top=6):
    return rng.integers(0, top, size=(n, F)).astype(float)


def draw_rows(leaf, rng, n=12, F=4):
    """Rows that suit the kind of leaf, with a label each."""
    X = rng.normal(size=(n, F)) * 3 if leaf == "gaussian" else draw_counts(rng, n, F, 3)
    return X, np.arange(n) % 3


def fraction_rows(rng, shape):
    """Exact random probabilities, rows summing to one, as fractions and as floats."""
    parts = rng.integers(1, 9, size=shape)
    exact = [[Fraction(int(k), int(row.sum())) for k in row] for row in parts]
    return exact, np.array(exact, dtype=float)


def fit_xor(seed=0, **settings):
    return HierarchicalBayes(random_state=seed, **ALL_ROWS, **settings).fit(XOR.data, XOR.target)


def test_xor_has_the_exact_fixed_point():
    model = fit_xor(alpha=0, tol=0)
    profiles = np.exp(model.feature_log_prob_)
    np.testing.assert_allclose(profiles[0], 0.5, atol=1e-12)
    np.testing.assert_allclose(np.sort(profiles[1], axis=0), [[0.167766, 0.167766], [0.832234, 0.832234]], atol=5e-7)
    np.testing.assert_allclose(np.exp(model.node_log_prob_[1]), 0.5, atol=1e-6)
    assert model.log_likelihood_path_[1][-1] == pytest.approx(-6.789781, abs=5e-7)
    posterior = model.predict_proba(XOR.data)[:, 1]
    np.testing.assert_allclose(posterior, [0.358350, 0.051531, 0.682220, 0.682220], atol=5e-7)


@pytest.mark.parametrize(
    ("settings", "least", "most"),
    [
        ({"alpha": 0}, 1, 1),
        ({"alpha": 1}, 0.9, 1),
        ({"leaf": "gaussian"}, 1, 1),
        ({"alpha": 0, "em": "hard"}, 0.3, 0.7),
    ],
)
def test_how_many_restarts_learn_xor(settings, least, most):
    solved = [fit_xor(seed, n_restarts=1, **settings).score(XOR.data, XOR.target) == 1 for seed in range(60)]
    assert least <= np.mean(solved) <= most


def test_identical_starts_are_a_fixed_point_and_a_trap():
    leaf = MultinomialLeaf(0.0)
    rows = XOR.data[2:]
    nodes = m_step(rows, np.full((2, 2), 0.5), leaf)
    run = run_em(rows, nodes, leaf, max_iter=50, tol=0)
    np.testing.assert_array_equal(run.nodes.parameters[0], nodes.parameters[0])
    assert run.objective == pytest.approx(-8.317766, abs=5e-7)
    tilted = run_em(rows, m_step(rows, np.array([[0.51, 0.49], [0.49, 0.51]]), leaf), leaf)
    assert tilted.objective == pytest.approx(-6.789781, abs=5e-7)


@pytest.mark.parametrize("rule", ["sum_of_products", "product_of_sums"])
@pytest.mark.parametrize(
    ("leaf", "options", "peer"),
    [
        *(("multinomial", {"alpha": a}, MultinomialNB(alpha=a, force_alpha=True)) for a in (0, 0.1, 7.5)),
        *(("bernoulli", {"alpha": a}, BernoulliNB(alpha=a, force_alpha=True)) for a in (0, 0.1, 7.5)),
        ("gaussian", {"var_floor": 1e-9}, GaussianNB(var_smoothing=0)),
    ],
    ids=str,
)
def test_one_hidden_node_is_naive_bayes(leaf, options, peer, rule):
    X, y = draw_rows(leaf, np.random.default_rng(3), 40)
    X = X + (leaf == "multinomial")
    model = HierarchicalBayes(1, leaf=leaf, rule=rule, random_state=0, **options, **ALL_ROWS).fit(X, y)
    peer.fit(X, y)
    np.testing.assert_allclose(model.predict_joint_log_proba(X), peer.predict_joint_log_proba(X), atol=1e-10)
    np.testing.assert_allclose(model.predict_proba(X), peer.predict_proba(X), atol=1e-10)


def product_of_sums_profile(rows, responsibility, leaf, **options):
    nodes = m_step(rows, responsibility, leaf, **options)
    return mix_nodes(nodes.log_prob, nodes.parameters[0])


def naive_profile(X, alpha):
    """log P(f|c) of multinomial naive Bayes, by hand."""
    count = X.sum(axis=0) + alpha
    with np.errstate(divide="ignore"):
        return np.log(count / count.sum())


@settings(max_examples=60, deadline=None)
@given(seeds, st.integers(1, 5), st.booleans())
def test_product_of_sums_with_token_weights_is_naive_bayes_for_any_responsibilities(seed, H, hard):
    """Documents are as good as tokens for Bernoulli leaves, whose rows have as many observations each."""
    rng = np.random.default_rng(seed)
    X = draw_counts(rng) + np.eye(12, 5)
    responsibility = rng.dirichlet(np.full(H, 0.3), size=len(X))
    if hard:
        responsibility = np.eye(H)[responsibility.argmax(axis=1)]
    ours = product_of_sums_profile(X, responsibility, MultinomialLeaf(0.0), node_weights="tokens")
    np.testing.assert_allclose(np.exp(ours), np.exp(naive_profile(X, 0)), rtol=1e-13, atol=1e-14)
    marks = (X > 2).astype(float)
    for node_weights in ("documents", "tokens"):
        ours = product_of_sums_profile(marks, responsibility, BernoulliLeaf(0.0), node_weights=node_weights)
        np.testing.assert_allclose(np.exp(ours), marks.mean(axis=0), rtol=1e-12, atol=1e-13)


@settings(max_examples=60, deadline=None)
@given(seeds, st.integers(1, 5), st.floats(0.01, 5))
def test_smoothed_nodes_restore_the_theorem(seed, H, alpha):
    rng = np.random.default_rng(seed)
    X = draw_counts(rng)
    responsibility = rng.dirichlet(np.ones(H), size=len(X))
    options = {"node_weights": "tokens", "smooth_nodes": True}
    ours = product_of_sums_profile(X, responsibility, MultinomialLeaf(alpha), **options)
    np.testing.assert_allclose(ours, naive_profile(X, alpha * H), rtol=1e-12)
    nodes = m_step(X, responsibility, MultinomialLeaf(alpha), **options)
    tokens = responsibility.T @ X.sum(axis=1)
    expected = (tokens + alpha * 5) / (tokens.sum() + H * alpha * 5)
    np.testing.assert_allclose(np.exp(nodes.log_prob), expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("options", "peer"),
    [
        ({"alpha": 0}, MultinomialNB(alpha=0, force_alpha=True)),
        ({"alpha": 0.5, "smooth_nodes": True}, MultinomialNB(alpha=1.5)),
        ({"alpha": 0.5, "smooth_nodes": True, "leaf": "bernoulli"}, BernoulliNB(alpha=1.5)),
    ],
    ids=str,
)
def test_the_theorem_holds_for_the_whole_classifier(options, peer):
    """With token weights, and with nodes smoothed too for H times alpha; with document weights it does not hold."""
    X, y = draw_counts(np.random.default_rng(1), 60, 6, 3), np.arange(60) % 3
    expected = peer.fit(X, y).predict_proba(X)
    model = HierarchicalBayes(3, rule="product_of_sums", node_weights="tokens", **QUICK, **options, **ALL_ROWS)
    np.testing.assert_allclose(model.fit(X, y).predict_proba(X), expected, atol=1e-12)
    model.set_params(node_weights="documents", smooth_nodes=False)
    assert np.abs(model.fit(X, y).predict_proba(X) - expected).max() > 1e-3


@pytest.mark.parametrize("seed", range(5))
def test_both_rules_against_exact_fractions(seed):
    rng = np.random.default_rng(seed)
    C, H, F = 2, 3, 3
    exact_nodes, nodes = fraction_rows(rng, (C, H))
    exact_features, features = fraction_rows(rng, (C * H, F))
    X = draw_counts(rng, 6, F, 4)
    args = X, np.log(nodes), [np.log(features).reshape(C, H, F)], MultinomialLeaf()
    sums, products = sum_of_products(*args), product_of_sums(*args)
    for i, c in product(range(6), range(C)):
        x, p = X[i].astype(int).tolist(), exact_features[c * H : (c + 1) * H]
        by_node = [exact_nodes[c][h] * prod(p[h][f] ** x[f] for f in range(F)) for h in range(H)]
        by_feature = [sum(exact_nodes[c][h] * p[h][f] for h in range(H)) ** x[f] for f in range(F)]
        assert np.exp(sums[i, c]) == pytest.approx(float(sum(by_node)), rel=1e-12)
        assert np.exp(products[i, c]) == pytest.approx(float(prod(by_feature)), rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_the_e_step_enumerates_hidden_states(seed):
    """log P(X) is the sum over every assignment of all rows to nodes: Carlos & Rakshit (2016), eq. (5), (6)."""
    rng = np.random.default_rng(seed)
    exact_nodes, nodes = fraction_rows(rng, (1, 2))
    exact_features, features = fraction_rows(rng, (2, 3))
    X = draw_counts(rng, 4, 3, 3)
    responsibility, log_likelihood = e_step(X, Nodes(np.log(nodes[0]), (np.log(features),)), MultinomialLeaf())
    total, at_node = Fraction(0), np.zeros((4, 2), dtype=object)
    for hidden in product(range(2), repeat=4):
        joint = Fraction(1)
        for i, h in enumerate(hidden):
            joint *= exact_nodes[0][h] * prod(exact_features[h][f] ** int(X[i, f]) for f in range(3))
        total += joint
        for i, h in enumerate(hidden):
            at_node[i, h] += joint
    assert np.exp(log_likelihood.sum()) == pytest.approx(float(total), rel=1e-12)
    np.testing.assert_allclose(responsibility, (at_node / total).astype(float), rtol=1e-12)


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 2)])
@pytest.mark.parametrize("as_matrix", [np.asarray, sparse.csr_array])
def test_the_m_step_counts_as_eq_27_and_28(alpha, as_matrix, hard):
    """Hard ones are eq. (22) and (23), and the sum of the nodes' counts is eq. (21)."""
    rng = np.random.default_rng(2)
    share, responsibility = fraction_rows(rng, (7, 2))
    if hard:
        share = [[Fraction(d % 2 == h) for h in range(2)] for d in range(7)]
        responsibility = np.array(share, dtype=float)
    X = draw_counts(rng, 7, 3)
    counts = [[sum(share[d][h] * int(X[d, f]) for d in range(7)) for f in range(3)] for h in range(2)]
    found = expected_counts(as_matrix(X), responsibility)
    np.testing.assert_allclose(found, np.array(counts, dtype=float), rtol=1e-14)
    np.testing.assert_allclose(found.sum(axis=0), X.sum(axis=0), rtol=1e-14)
    documents = m_step(as_matrix(X), responsibility, MultinomialLeaf(float(alpha)))
    tokens = m_step(as_matrix(X), responsibility, MultinomialLeaf(float(alpha)), node_weights="tokens")
    for h, count in enumerate(counts):
        expected = [float((k + alpha) / (sum(count) + 3 * alpha)) for k in count]
        np.testing.assert_allclose(np.exp(documents.parameters[0][h]), expected, rtol=1e-12)
        np.testing.assert_allclose(np.exp(tokens.parameters[0][h]), expected, rtol=1e-12)
        assert np.exp(documents.log_prob[h]) == pytest.approx(float(sum(row[h] for row in share) / 7), rel=1e-12)
        assert np.exp(tokens.log_prob[h]) == pytest.approx(float(sum(count) / int(X.sum())), rel=1e-12)


def test_the_bernoulli_leaf_against_a_loop():
    rng = np.random.default_rng(6)
    X = (draw_counts(rng, 8, 3) > 2).astype(float)
    responsibility = rng.dirichlet(np.ones(2), size=8)
    leaf = BernoulliLeaf(0.3)
    nodes = m_step(X, responsibility, leaf)
    p = (responsibility.T @ X + 0.3) / (responsibility.sum(axis=0)[:, None] + 0.6)
    np.testing.assert_allclose(np.exp(nodes.parameters), [p, 1 - p], rtol=1e-12)
    expected = [[sum(np.log(p[h, f] if x[f] else 1 - p[h, f]) for f in range(3)) for h in range(2)] for x in X]
    np.testing.assert_allclose(leaf.log_likelihood(X, *nodes.parameters), expected, rtol=1e-12)
    assert leaf.log_penalty(*nodes.parameters) == pytest.approx(0.3 * (np.log(p) + np.log(1 - p)).sum(), rel=1e-12)


def test_what_a_leaf_does_if_nothing_else_is_said():
    """Laplace's rule, "there" is what is above 0, and no variance below a thousandth; equal settings, equal leaves."""
    rows, share = np.array([[2.0, 0], [1, 0]]), np.array([[0.25], [0.75]])
    tokens = m_step(rows, share, MultinomialLeaf())
    np.testing.assert_allclose(np.exp(tokens.parameters), [[[2.25 / 3.25, 1 / 3.25]]])
    leaf = BernoulliLeaf()
    marks = m_step(leaf.prepare(rows), share, leaf)
    np.testing.assert_allclose(np.exp(marks.parameters), [[[2 / 3, 1 / 3]], [[1 / 3, 2 / 3]]])
    leaf = GaussianLeaf()
    assert leaf.estimate(leaf.prepare(rows), share)[1].tolist() == [[0.1875, 0.001]]


@pytest.mark.parametrize("kind", sorted(LEAVES))
def test_rows_that_weigh_little_say_the_same(kind):
    """Without smoothing only ratios of weights count, however little all rows weigh together."""
    rng = np.random.default_rng(38)
    leaf = GaussianLeaf(1e-9) if kind == "gaussian" else LEAVES[kind](0.0)
    rows, responsibility = leaf.prepare(draw_rows(kind, rng)[0]), rng.dirichlet(np.ones(2), size=12)
    for options in ({}, {"node_weights": "tokens"}, {"node_weights": "tokens", "smooth_nodes": kind != "gaussian"}):
        whole, little = (m_step(rows, scale * responsibility, leaf, **options) for scale in (1, 1e-4))
        np.testing.assert_allclose(little.log_prob, whole.log_prob, rtol=1e-10)
        np.testing.assert_allclose(little.parameters, whole.parameters, rtol=1e-10)


def test_one_node_holds_nothing_out_as_all_restarts_are_alike():
    X, y = load_iris(return_X_y=True)
    once, often = (HierarchicalBayes(1, leaf="gaussian", n_restarts=n, random_state=0).fit(X, y) for n in (1, 10))
    np.testing.assert_allclose(often.means_[:, 0], [X[y == c].mean(axis=0) for c in range(3)], rtol=1e-12)
    np.testing.assert_allclose(often.variances_, once.variances_, rtol=1e-12)


def loop_gaussian_rules(X, nodes, means, variances):
    """Both rules for one class, by scipy's densities."""
    density = norm.logpdf(X[:, None], means, np.sqrt(variances))  # (n, H, F)
    return (
        logsumexp(density.sum(axis=2) + nodes, axis=1),
        logsumexp(density + nodes[:, None], axis=1).sum(axis=1),
    )


@pytest.mark.parametrize("scale", [1.0, 1e-4])  # as differences of products, and, for narrow nodes, of values
def test_the_gaussian_leaf_against_scipy(scale):
    rng = np.random.default_rng(7)
    X = rng.normal(size=(600, 3)) + 5
    means, variances = rng.normal(size=(2, 4, 3)) + 5, rng.uniform(0.5, 2, size=(2, 4, 3)) * scale
    nodes = np.log(rng.dirichlet(np.ones(4), size=2))
    leaf = GaussianLeaf()
    sums, products = (
        rule(leaf.prepare(X), nodes, [means, variances], leaf) for rule in (sum_of_products, product_of_sums)
    )
    for c in range(2):
        by_node, by_feature = loop_gaussian_rules(X, nodes[c], means[c], variances[c])
        np.testing.assert_allclose(sums[:, c], by_node, rtol=1e-9)
        np.testing.assert_allclose(products[:, c], by_feature, rtol=1e-9)


def test_gaussian_em_takes_the_same_steps_as_scikit_learn():
    X = np.random.default_rng(9).normal(size=(80, 3)) * [1, 5, 0.2] + 100
    leaf = GaussianLeaf(1e-9)
    rows = leaf.prepare(X)
    nodes = start_from_points(rows, 3, leaf, np.random.default_rng(0))
    peer = GaussianMixture(
        3,
        covariance_type="diag",
        reg_covar=0,
        tol=0,
        max_iter=12,
        weights_init=np.exp(nodes.log_prob),
        means_init=nodes.parameters[0],
        precisions_init=1 / nodes.parameters[1],
    )
    with pytest.warns(UserWarning, match="did not converge"):
        peer.fit(X)
    run = run_em(rows, nodes, leaf, max_iter=12, tol=0)
    np.testing.assert_allclose(run.nodes.parameters[0], peer.means_, rtol=1e-9)
    np.testing.assert_allclose(run.nodes.parameters[1], peer.covariances_, rtol=1e-7)
    assert run.objective == pytest.approx(peer.score(X) * 80, rel=1e-9)


@settings(max_examples=80, deadline=None)
@given(
    seeds, st.sampled_from(sorted(LEAVES)), st.sampled_from(["soft", "hard"]), st.sampled_from([0.0, 0.01, 1.0, 4.0])
)
def test_em_never_falls_with_document_weights(seed, leaf, em, alpha):
    rng = np.random.default_rng(seed)
    X, y = draw_rows(leaf, rng, int(rng.integers(4, 30)), int(rng.integers(1, 6)))
    start = "responsibilities" if seed % 2 else "auto"
    settings = {"alpha": alpha, "var_floor": 10.0 ** rng.integers(-6, 1), "start": start, "random_state": seed}
    H = int(rng.integers(1, 5))
    model = HierarchicalBayes(H, leaf=leaf, em=em, n_restarts=1, max_iter=30, tol=0, **settings).fit(X, y)
    for path in model.log_likelihood_path_:
        assert len(path) == 31
        assert np.isfinite(path).all()
        assert (np.diff(path) >= -1e-10 * np.maximum(1, np.abs(path[1:]))).all()


def test_smoothed_nodes_may_make_em_fall():
    """Hard EM with document weights: its fixed point is lost by the first step that smooths P(h|c)."""
    X, leaf = np.array([[1, 0], [1, 0], [1, 0], [0, 1]]), MultinomialLeaf(1.0)
    rest = Nodes(np.log([3 / 4, 1 / 4]), (np.log([[4 / 5, 1 / 5], [1 / 3, 2 / 3]]),))
    plain = run_em(X, rest, leaf, em="hard", max_iter=3, tol=0).path
    np.testing.assert_allclose(plain, plain[0])
    smoothed = run_em(X, rest, leaf, em="hard", max_iter=1, tol=0, smooth_nodes=True)
    np.testing.assert_allclose(np.exp(smoothed.nodes.log_prob), [5 / 8, 3 / 8])
    assert smoothed.path[1] < smoothed.path[0] == plain[0]


def test_variances_below_the_floor_may_make_the_first_step_of_em_fall():
    X = np.array([[0.0], [1.0], [5.0]])
    leaf = GaussianLeaf(var_floor=1.0)
    rows, spread = leaf.prepare(X[:2]), leaf.prepare(X)
    narrow = Nodes(np.zeros(1), (np.array([[0.5]]), np.array([[0.25]])))  # the best there is, if the floor were not
    path = run_em(rows, narrow, leaf, max_iter=5, tol=0).path
    assert path[1] < path[0]
    assert (np.diff(path[1:]) >= 0).all()
    wide = Nodes(np.log([0.5, 0.5]), (np.array([[0.5], [5.0]]), np.ones((2, 1))))
    assert (np.diff(run_em(spread, wide, leaf, max_iter=9, tol=0).path) >= -1e-12).all()


@pytest.mark.parametrize(("em", "of_row"), [("soft", logsumexp), ("hard", np.max)])
def test_the_path_ends_at_the_objective_of_the_learned_parameters(em, of_row):
    """A hard one counts of each row its best node only."""
    X, y = draw_rows("multinomial", np.random.default_rng(11), 30)
    model = HierarchicalBayes(3, em=em, **QUICK, **ALL_ROWS).fit(X, y)
    for c, path in enumerate(model.log_likelihood_path_):
        at_node = X[y == c] @ model.feature_log_prob_[c].T + model.node_log_prob_[c]
        assert path[-1] == pytest.approx(of_row(at_node, axis=1).sum() + model.feature_log_prob_[c].sum(), rel=1e-12)
        assert model.n_iter_[c] == len(path) - 1


@pytest.mark.parametrize("validation_fraction", [0.0, 0.3])
def test_too_few_steps_are_said(validation_fraction):
    X, y = draw_rows("multinomial", np.random.default_rng(14), 60)
    settings = {"random_state": 0, "n_restarts": 3, "validation_fraction": validation_fraction}
    with pytest.warns(ConvergenceWarning, match=r"^EM has not converged in max_iter = 2 steps for 3 of 3 classes: rai"):
        HierarchicalBayes(3, max_iter=2, **settings).fit(X, y)
    for quiet in ({"max_iter": 2, "tol": 0}, {"tol": 1e-4}):
        HierarchicalBayes(3, **quiet, **settings).fit(X, y)


def test_nothing_is_held_out_where_the_share_is_less_than_a_row():
    """The four points of XOR: with one row of two in each class held out nobody could learn them."""
    four = XOR.data, XOR.target
    unequal = draw_counts(np.random.default_rng(39), 24), np.repeat([0, 1], [20, 4])  # a row of the larger class
    for data, fraction, same in ((four, 0.1, True), (four, 0.49, True), (four, 0.5, False),
                                 (unequal, 0.04, True), (unequal, 0.05, False)):  # fmt: skip
        model, whole = (HierarchicalBayes(validation_fraction=f, tol=0, max_iter=20, random_state=0).fit(*data)
                        for f in (fraction, 0))  # fmt: skip
        assert np.array_equal(model.feature_log_prob_, whole.feature_log_prob_) == same


def test_the_prior_counts_all_rows_and_the_nodes_only_the_training_part():
    rng = np.random.default_rng(16)
    X, y = draw_counts(rng, 100, 4) + 1, np.repeat([0, 1], [70, 30])
    held_out = HierarchicalBayes(2, alpha=0, node_weights="tokens", **QUICK).fit(X, y)
    together = mix_nodes(held_out.node_log_prob_, held_out.feature_log_prob_)  # naive Bayes' own, with token weights
    np.testing.assert_allclose(np.exp(held_out.class_log_prior_), [0.7, 0.3])
    split_seed = draw_seeds(0, 3)[0]
    train, held = hold_out(y, 0.1, np.random.RandomState(split_seed))
    assert [len(train), *np.bincount(y[held])] == [90, 7, 3]
    expected = MultinomialNB(alpha=0, force_alpha=True).fit(X[train], y[train])
    np.testing.assert_allclose(together, expected.feature_log_prob_, rtol=1e-12)
    everything = HierarchicalBayes(1, alpha=0, **QUICK, **ALL_ROWS).fit(X, y)
    expected = MultinomialNB(alpha=0, force_alpha=True).fit(X, y)
    np.testing.assert_allclose(everything.feature_log_prob_[:, 0], expected.feature_log_prob_, rtol=1e-12)


def test_a_single_restart_needs_no_held_out_part():
    X, y = draw_rows("multinomial", np.random.default_rng(16), 60)
    fits = [HierarchicalBayes(1, n_restarts=1, validation_fraction=v, random_state=0).fit(X, y) for v in (0, 0.5)]
    np.testing.assert_array_equal(fits[0].feature_log_prob_, fits[1].feature_log_prob_)


def test_validation_keeps_the_restart_that_is_right_most_often():
    """By the weights of the rows held out: of all alike, or of one class alone."""
    X, y = draw_counts(np.random.default_rng(2), 150, 6), np.arange(150) % 3
    settings = {"n_restarts": 6, "random_state": 4, "validation_fraction": 0.4, "keep_runs": True}
    _, held = hold_out(y, 0.4, np.random.RandomState(draw_seeds(4, 7)[0]))
    misled = False
    for mine in (held, *(held[y[held] == c] for c in range(3))):
        weight = np.where(np.isin(np.arange(150), np.setdiff1d(held, mine)), 1e-9, 1.0)
        model = HierarchicalBayes(3, alpha=0.1, tol=0, max_iter=20, **settings).fit(X, y, weight)
        candidates = [model.with_runs(runs) for runs in model.runs_]
        right = [each.score(X[mine], y[mine]) for each in candidates]
        log_p = [each.predict_log_proba(X[mine])[np.arange(len(mine)), y[mine]].mean() for each in candidates]
        assert model.score(X[mine], y[mine]) == max(right) > min(right)
        misled |= right[np.argmax(log_p)] < max(right)
    assert misled, "the most plausible restart is another one"


def test_of_restarts_that_are_right_equally_often_the_most_plausible_is_kept():
    """Classes so far apart that no restart is ever wrong."""
    rng = np.random.default_rng(40)
    settings = {"tol": 0, "max_iter": 3, "n_restarts": 8, "validation_fraction": 0.3, "keep_runs": True}
    y = np.arange(60) % 2
    X = draw_counts(rng, 60, 6, 4) + 4 * (np.arange(6) % 2 == y[:, None])
    for seed in range(4):
        model = HierarchicalBayes(3, random_state=seed, **settings).fit(X, y)
        _, held = hold_out(y, 0.3, np.random.RandomState(draw_seeds(seed, 9)[0]))
        candidates = [model.with_runs(runs) for runs in model.runs_]
        assert {each.score(X[held], y[held]) for each in candidates} == {1}
        said = [each.predict_log_proba(X[held])[np.arange(len(held)), y[held]].mean() for each in candidates]
        assert model.log_likelihood_path_[0] is model.runs_[np.argmax(said)][0].path


def test_gaussian_nodes_start_at_points_of_their_own():
    leaf = GaussianLeaf(0.5)
    X = np.arange(10.0)[:, None] * [1, 10]
    nodes = start_from_points(leaf.prepare(X), 10, leaf, np.random.default_rng(0))
    np.testing.assert_allclose(np.sort(nodes.parameters[0], axis=0), X, atol=1e-12)
    np.testing.assert_allclose(nodes.parameters[1], np.tile(X.var(axis=0), (10, 1)))
    np.testing.assert_allclose(np.exp(nodes.log_prob), 0.1)
    assert len(start_from_points(leaf.prepare(X[:2]), 5, leaf, np.random.default_rng(0)).log_prob) == 5


def test_the_same_random_state_gives_the_same_model():
    X, y = draw_rows("multinomial", np.random.default_rng(19), 40)
    for state in (5, lambda: np.random.default_rng(5), lambda: np.random.RandomState(5)):
        fits = [
            HierarchicalBayes(2, tol=0, random_state=state() if callable(state) else state).fit(X, y).feature_log_prob_
            for _ in range(2)
        ]
        np.testing.assert_array_equal(*fits)


@pytest.mark.parametrize("kind", sorted(LEAVES))
@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_a_node_without_rows_gives_no_nan(kind, alpha):
    X, _ = draw_rows(kind, np.random.default_rng(20))
    leaf = GaussianLeaf() if kind == "gaussian" else LEAVES[kind](alpha)
    rows = leaf.prepare(X)
    for node_weights in ("documents", "tokens"):
        nodes = m_step(rows, np.tile([1.0, 0.0], (12, 1)), leaf, node_weights=node_weights)
        np.testing.assert_array_equal(nodes.log_prob, [0, -np.inf])
        assert not np.isnan(nodes.parameters).any()
        if kind != "gaussian":  # it takes all values for equal
            np.testing.assert_allclose(np.exp(nodes.parameters)[:, 1], {"multinomial": 1 / 4, "bernoulli": 1 / 2}[kind])
        responsibility, log_likelihood = e_step(rows, nodes, leaf)
        np.testing.assert_array_equal(responsibility, np.tile([1.0, 0.0], (12, 1)))
        assert np.isfinite(log_likelihood).all()


@pytest.mark.parametrize("kind", sorted(LEAVES))
def test_a_class_without_rows_gives_no_nan(kind):
    leaf = LEAVES[kind]()
    rows = leaf.prepare(np.zeros((0, 3)))
    for node_weights in ("documents", "tokens"):
        nodes = m_step(rows, np.zeros((0, 2)), leaf, node_weights=node_weights)
        np.testing.assert_allclose(np.exp(nodes.log_prob), 0.5)
        run = run_em(rows, nodes, leaf, max_iter=3, node_weights=node_weights)
        assert not np.isnan(run.path).any()
        assert not np.isnan(run.nodes.parameters).any()


@pytest.mark.parametrize("rule", ["sum_of_products", "product_of_sums"])
@pytest.mark.parametrize("as_matrix", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize(
    ("leaf", "X", "rows", "possible"),
    [
        ("multinomial", [[2, 0, 0, 1], [1, 0, 0, 3], [0, 2, 0, 1], [0, 1, 0, 4]],
         [[1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 5, 1], [0, 0, 0, 0]],
         [[1, 0], [0, 1], [0, 0], [0, 0], [1, 1]]),
        ("bernoulli", [[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]],
         [[1, 0, 0], [0, 1, 1], [1, 1, 0], [0, 0, 0]], [[1, 0], [0, 1], [0, 0], [0, 0]]),
    ],
    ids=["multinomial", "bernoulli"],
)  # fmt: skip
def test_alpha_zero_is_exact(leaf, X, rows, possible, as_matrix, rule):
    """What never happened is impossible, and of a row that no class or every class can have the prior is left."""
    model = HierarchicalBayes(2, leaf=leaf, alpha=0, rule=rule, **QUICK).fit(as_matrix(X), [0, 0, 1, 1])
    assert (np.isneginf(model.predict_joint_log_proba(as_matrix(rows))) == np.equal(possible, 0)).all()
    expected = [[0.5, 0.5] if a == b else [a, b] for a, b in possible]
    np.testing.assert_allclose(model.predict_proba(as_matrix(rows)), expected, rtol=1e-14, atol=1e-12)


def test_features_always_there_are_certain():
    share = np.random.default_rng(22).dirichlet(np.ones(3), size=500)
    present, absent = BernoulliLeaf(0.0).estimate(np.ones((500, 2)), share)
    assert (present == 0).all()
    assert np.isneginf(absent).all()


def test_a_row_that_no_node_can_produce_is_shared_as_the_nodes():
    nodes = Nodes(np.log([0.25, 0.75]), (np.array([[0, -np.inf], [0, -np.inf]]),))
    for em, share in (("soft", [0.25, 0.75]), ("hard", [0, 1])):
        responsibility, log_likelihood = e_step(np.array([[0.0, 1], [1, 0]]), nodes, MultinomialLeaf(0.0), em)
        np.testing.assert_allclose(responsibility, [share, share])
        assert log_likelihood[0] == -np.inf
        assert np.isfinite(log_likelihood[1])


def test_a_hard_start_gives_every_row_to_the_node_with_the_largest_share():
    X, leaf = draw_counts(np.random.default_rng(23)), MultinomialLeaf()
    drawn = np.random.default_rng(0).dirichlet(np.ones(3), size=12)
    largest = np.array([[share == max(row) for share in row] for row in drawn], dtype=float)
    for em, shares in (("soft", drawn), ("hard", largest)):
        nodes = start_from_responsibilities(X, 3, leaf, np.random.default_rng(0), em)
        np.testing.assert_array_equal(nodes.log_prob, m_step(X, shares, leaf).log_prob)


def test_binarize_sets_the_threshold_of_bernoulli_leaves():
    X, y = draw_rows("bernoulli", np.random.default_rng(24), 40)
    fit = HierarchicalBayes(2, leaf="bernoulli", binarize=1, **QUICK).fit(X, y)
    zeros_and_ones = HierarchicalBayes(2, leaf="bernoulli", binarize=None, **QUICK).fit(X > 1, y)
    np.testing.assert_array_equal(fit.predict_proba(X), zeros_and_ones.predict_proba(X > 1))


@pytest.mark.parametrize("start", ["points", "responsibilities"])
@pytest.mark.parametrize("unit", [1e-3, 1e3, 1e-60, np.array([1e-3, 1.0, 1e5, 0.3])], ids=str)
def test_units_of_measurement_change_no_posterior(unit, start):
    X, y = load_iris(return_X_y=True)
    model = HierarchicalBayes(3, leaf="gaussian", start=start, tol=1e-5, max_iter=1000, n_restarts=3, random_state=0)
    expected = clone(model).fit(X, y)
    model.fit(X * unit, y)
    np.testing.assert_allclose(model.predict_proba(X * unit), expected.predict_proba(X), atol=1e-8)
    np.testing.assert_allclose(model.means_, expected.means_ * unit, rtol=1e-6)
    np.testing.assert_array_equal(model.n_iter_, expected.n_iter_)


@pytest.mark.parametrize(("floor", "units"), [(None, [1, 100]), (0.25, [1, 1])])  # None: a hundredth of each variance
def test_variances_stop_at_the_floor_which_is_in_squared_units_of_x(floor, units):
    model = HierarchicalBayes(leaf="gaussian", var_floor=floor, random_state=0, **ALL_ROWS)
    model.fit(XOR.data * [1, 10], XOR.target)
    np.testing.assert_allclose(model.variances_, np.tile((floor or 0.01 * XOR.data.var()) * np.array(units), (2, 2, 1)))
    np.testing.assert_allclose(np.sort(model.means_[1, :, 0]), [1, 5], atol=1e-9)


def test_a_column_is_measured_in_its_standard_deviation_and_a_constant_one_in_the_largest():
    X = np.array([[0.0, 2, 7, 0], [2, 22, 7, 1e-200]])  # the last has none that a float could hold
    np.testing.assert_allclose(column_spreads(X, None), [1, 10, 10, 10])
    np.testing.assert_allclose(column_spreads(X, np.array([3.0, 1])), np.sqrt(3 / 16) * np.array([2, 20, 20, 20]))
    np.testing.assert_array_equal(column_spreads(X[:, 2:], None), [1, 1])
    rounded = np.array([[0, 0.1], [0, 0.1], [3, 0.1]])  # the mean of 0.1 rounds
    np.testing.assert_allclose(column_spreads(rounded, None), [2**0.5] * 2)


@pytest.mark.parametrize("constant", [0.1, 1e6])
def test_a_constant_column_decides_nothing(constant):
    X = np.column_stack([XOR.data, np.full(4, constant)])
    model = HierarchicalBayes(leaf="gaussian", random_state=0, **ALL_ROWS).fit(X, XOR.target)
    expected = fit_xor(leaf="gaussian").predict_proba(XOR.data)
    np.testing.assert_allclose(model.predict_proba(X), expected, atol=1e-9)
    np.testing.assert_allclose(model.predict_proba(X + np.eye(3)[2]), expected, atol=1e-9)
    alike = HierarchicalBayes(leaf="gaussian", random_state=0, **ALL_ROWS).fit(np.ones((4, 2)), [0, 0, 1, 1])
    np.testing.assert_allclose(alike.predict_proba([[1, 1], [2, 3]]), 0.5)


def test_the_path_of_measurements_is_in_their_own_units():
    X, y = load_iris(return_X_y=True)
    model = HierarchicalBayes(2, leaf="gaussian", **QUICK, **ALL_ROWS).fit(X, y)
    for c, path in enumerate(model.log_likelihood_path_):
        at_node = norm.logpdf(X[y == c][:, None], model.means_[c], np.sqrt(model.variances_[c])).sum(axis=2)
        assert path[-1] == pytest.approx(logsumexp(at_node + model.node_log_prob_[c], axis=1).sum(), rel=1e-10)


@pytest.mark.parametrize("em", ["soft", "hard"])
@pytest.mark.parametrize("node_weights", ["documents", "tokens"])
@pytest.mark.parametrize("kind", sorted(LEAVES))
def test_whole_weights_repeat_rows(kind, node_weights, em):
    rng = np.random.default_rng(32)
    X, _ = draw_rows(kind, rng, 20)
    times, responsibility, leaf = rng.integers(1, 4, size=20), rng.dirichlet(np.ones(2), size=20), LEAVES[kind]()
    rows, repeated = leaf.prepare(X), leaf.prepare(np.repeat(X, times, axis=0))
    start = m_step(rows, times[:, None] * responsibility, leaf, node_weights=node_weights)
    options = {"em": em, "max_iter": 6, "tol": 0, "node_weights": node_weights}
    run, expected = run_em(rows, start, leaf, weight=times, **options), run_em(repeated, start, leaf, **options)
    np.testing.assert_allclose(run.path, expected.path, rtol=1e-10)
    for ours, theirs in zip(run.nodes.parameters, expected.nodes.parameters, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("leaf", sorted(LEAVES))
def test_weights_reach_the_prior_the_nodes_and_the_path(leaf):
    X, y = draw_rows(leaf, np.random.default_rng(33), 40)
    drawn = np.random.default_rng(34).integers(0, 4, size=40)
    model = HierarchicalBayes(1, leaf=leaf, n_restarts=1, random_state=0)
    for times in (drawn, np.where(drawn > 1, 2, 0)):  # all that weigh anything may also weigh the same
        repeated = clone(model).fit(np.repeat(X, times, axis=0), y.repeat(times))
        weighted = clone(model).fit(X, y, times)
        np.testing.assert_allclose(weighted.predict_joint_log_proba(X), repeated.predict_joint_log_proba(X), rtol=1e-9)
        np.testing.assert_array_equal(weighted.class_count_, np.bincount(y, times))
        ends = [[path[-1] for path in fitted.log_likelihood_path_] for fitted in (weighted, repeated)]
        np.testing.assert_allclose(*ends, rtol=1e-9)


def test_rows_of_no_weight_are_not_there():
    X, y = draw_rows("gaussian", np.random.default_rng(35), 40)
    X[30:] *= 100
    weight = np.where(np.arange(40) < 30, 1.0, 0.0)
    model = HierarchicalBayes(leaf="gaussian", **QUICK)
    ignored = clone(model).fit(X, y, weight).predict_proba(X)
    np.testing.assert_array_equal(ignored, clone(model).fit(X[:30], y[:30]).predict_proba(X))
    with pytest.raises(ValueError, match="at least two classes"):
        model.fit(X, y, np.where(y == 0, 1.0, 0.0))


@pytest.mark.parametrize("leaf", sorted(LEAVES))
@pytest.mark.parametrize("validation_fraction", [0.0, 0.3])
def test_runs_are_kept_on_request(leaf, validation_fraction):
    X, y = draw_rows(leaf, np.random.default_rng(36), 60)
    settings = {"n_restarts": 4, "max_iter": 10, "tol": 0, "random_state": 1}
    model = HierarchicalBayes(leaf=leaf, validation_fraction=validation_fraction, keep_runs=True, **settings).fit(X, y)
    assert [len(runs) for runs in model.runs_] == [3] * 4
    if validation_fraction:
        joints = [model.with_runs(runs).predict_joint_log_proba(X) for runs in model.runs_]
        assert any(np.array_equal(joint, model.predict_joint_log_proba(X)) for joint in joints)
    else:
        best = [max(runs, key=lambda run: run.objective) for runs in zip(*model.runs_, strict=True)]
        again = model.with_runs(best)
        np.testing.assert_array_equal(again.predict_joint_log_proba(X), model.predict_joint_log_proba(X))
        assert [run.objective for run in best] == [path[-1] for path in model.log_likelihood_path_]
    first = model.with_runs(model.runs_[0])
    assert first.log_likelihood_path_[2] is model.runs_[0][2].path
    assert first.n_iter_.tolist() == [10, 10, 10]
    assert not hasattr(clone(model).set_params(keep_runs=False).fit(X, y), "runs_")


STARTS = "EM starts at random rows: a row of weight 2 is drawn as one row, two equal rows as two"
EQUIVALENCE = ("check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data")


@parametrize_with_checks(
    [
        HierarchicalBayes(n_restarts=2, max_iter=5, tol=0, random_state=0),
        HierarchicalBayes(
            n_restarts=2, max_iter=5, tol=0, random_state=0, rule="product_of_sums", node_weights="tokens"
        ),
        HierarchicalBayes(leaf="bernoulli", em="hard", n_restarts=2, max_iter=5, tol=0, random_state=0),
        HierarchicalBayes(leaf="gaussian", n_restarts=2, max_iter=5, tol=0, random_state=0),
        *(HierarchicalBayes(1, leaf=leaf, n_restarts=1, max_iter=5, tol=0, random_state=0) for leaf in LEAVES),
    ],
    expected_failed_checks=lambda model: {} if model.n_hidden == 1 else dict.fromkeys(EQUIVALENCE, STARTS),
)
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


def test_the_rule_is_read_when_predicting():
    model = fit_xor()
    both = [model.set_params(rule=rule).predict_proba(XOR.data) for rule in ("sum_of_products", "product_of_sums")]
    assert np.abs(both[0] - both[1]).max() > 0.1


GOOD = np.array([[1.0, 2], [2, 1], [0, 3], [3, 0]])
LABELS = [0, 0, 1, 1]
BAD_SETTINGS = [
    *(("n_hidden", value) for value in (0, -1, 2.0, True, "2", None)),
    *(("n_restarts", value) for value in (0, 1.5)),
    *(("max_iter", value) for value in (0, -3, np.inf)),
    *(("alpha", value) for value in (-1e-9, np.nan, np.inf, "1", None, [1, 1])),
    *(("var_floor", value) for value in (0, 0.0, -1, np.nan, np.inf)),
    *(("tol", value) for value in (-1e-9, np.nan, None)),
    *(("validation_fraction", value) for value in (-0.1, 1, 1.0, np.nan, "all")),
    *(("binarize", value) for value in (-1, np.nan, "x")),
    *(("leaf", value) for value in ("poisson", None, GaussianLeaf())),
    *(("em", value) for value in ("medium", True)),
    *(("rule", value) for value in ("sum", 1)),
    *(("node_weights", value) for value in ("words", None)),
    *(("start", value) for value in ("middle", "points")),
    *(("smooth_nodes", value) for value in (1, "yes", True)),
    ("keep_runs", 2),
]


@pytest.mark.parametrize(("name", "value"), BAD_SETTINGS, ids=lambda value: str(value)[:12])
def test_bad_settings_are_named(name, value):
    with pytest.raises(ValueError, match=rf"^{name} must be .+; got {re.escape(repr(value))}\.$"):
        HierarchicalBayes(**{name: value}).fit(GOOD, LABELS)


@pytest.mark.parametrize(
    ("settings", "X", "y", "message"),
    [
        ({}, -GOOD, LABELS, "X must be counts >= 0"),
        ({}, sparse.csr_array(-GOOD), LABELS, "X must be counts >= 0"),
        ({"leaf": "gaussian"}, GOOD * 1e120, LABELS, "X must be no larger than 1e\\+100 in size"),
        ({"leaf": "gaussian"}, -GOOD * 1e120, LABELS, "X must be no larger than 1e\\+100 in size"),
        ({"leaf": "bernoulli", "binarize": None}, GOOD, LABELS, "X must be only 0 and 1 with binarize=None; got"),
        ({"leaf": "bernoulli", "binarize": None}, sparse.csr_array(GOOD), LABELS, "X must be only 0 and 1"),
        ({"smooth_nodes": True, "node_weights": "tokens", "leaf": "gaussian"}, GOOD, LABELS, "smooth_nodes must be"),
        ({}, GOOD, [1, 1, 1, 1], "at least two classes"),
        ({"random_state": "seed"}, GOOD, LABELS, "cannot be used to seed"),
    ],
)
def test_bad_data_is_refused(settings, X, y, message):
    with pytest.raises((ValueError, TypeError), match=message):
        HierarchicalBayes(**settings).fit(X, y)


def test_bad_rows_are_refused_when_predicting():
    model = HierarchicalBayes(**QUICK).fit(GOOD, LABELS)
    for rows, message in ((-GOOD, "Negative values"), (GOOD * 1e120, "no larger than")):
        with pytest.raises(ValueError, match=message):
            model.predict(rows)
    assert model.predict(np.sign(GOOD) * 1e100).shape == (4,)  # so much is allowed


def test_the_tags_say_what_a_leaf_takes():
    for leaf in LEAVES:
        tags = get_tags(HierarchicalBayes(leaf=leaf))
        assert tags.input_tags.sparse == tags.classifier_tags.poor_score == (leaf != "gaussian")
        assert tags.input_tags.positive_only == (leaf == "multinomial")


def test_em_stops_at_the_first_step_that_changes_too_little():
    rng = np.random.default_rng(3)
    leaf = MultinomialLeaf(1.0)
    rows = leaf.prepare(rng.integers(5, size=(30, 4)).astype(float))
    nodes = start_from_responsibilities(rows, 3, leaf, rng)
    whole = run_em(rows, nodes, leaf, max_iter=60, tol=0).path
    change = np.abs(np.diff(whole)) / np.abs(whole[1:])
    # Beside round numbers, some that tell the present objective's size from the first one's.
    between = [np.abs(whole[t] - whole[t - 1]) * (1 / abs(whole[1]) + 1 / abs(whole[t])) / 2 for t in range(2, 8)]
    for tol in (10, 1e-2, 1e-3, 1e-4, *between):
        stopped = run_em(rows, nodes, leaf, max_iter=60, tol=tol).path
        assert len(stopped) == np.flatnonzero(change < tol)[0] + 2
        np.testing.assert_array_equal(stopped, whole[: len(stopped)])


def test_a_variance_in_which_digits_cancel_is_computed_anew_even_if_only_one_feature_needs_it():
    rng = np.random.default_rng(0)
    group = np.repeat([0, 1], 50)
    far = np.where(group, 1e7, -1e7) + rng.normal(size=100) * 1e-2
    X = np.column_stack([far, rng.normal(size=100) * 1e7])
    leaf = GaussianLeaf(var_floor=1e-12)
    _, variances = leaf.estimate(leaf.prepare(X), np.eye(2)[group])
    np.testing.assert_allclose(variances[:, 0], [far[group == h].var() for h in (0, 1)], rtol=1e-4)

"""nbcore.perplexed against exact fractions, naive Bayes itself and scikit-learn."""

import warnings
from contextlib import nullcontext
from fractions import Fraction
from math import inf, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.special import softmax
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import log_loss
from sklearn.model_selection import LeaveOneOut, StratifiedKFold
from sklearn.naive_bayes import MultinomialNB as PeerNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks

from nbcore import perplexed as px
from nbcore._base import hold_out
from nbcore.calibration import posterior_spread, reliability_bins, temperature_scale
from nbcore.datasets import load_names, name_ngrams
from nbcore.hierarchical import HierarchicalBayes
from nbcore.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from nbcore.semi_supervised import SemiSupervisedNB

FAST = settings(max_examples=50, deadline=None)
MAY_END = pytest.mark.filterwarnings("ignore:k ended")  # the data are too few, or noise, and k is not the question
RULES = pytest.mark.parametrize("rule", ["approximate", "exact"])

probabilities = st.lists(st.fractions(Fraction(1, 1000), 1, max_denominator=1000), min_size=1, max_size=8)


@st.composite
def items(draw):
    """log likelihoods (n, C), log prior (C,), feature counts (n,), k."""
    n, C = draw(st.integers(1, 6)), draw(st.integers(2, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    S = -rng.exponential(draw(st.sampled_from([0.1, 10, 1000])), (n, C))
    return S, np.log(rng.dirichlet(np.ones(C))), rng.integers(1, 50, n), draw(st.floats(1e-3, 1e3))


# ------------------------------------------------------------------------------------------------------- perplexity


@FAST
@given(probabilities, st.integers(1, 4))
def test_perplexity_is_the_root_of_the_product(p, k):
    product, n = prod(p), len(p)
    floats = np.array(p, dtype=float)
    assert px.perplexity(floats) ** n == pytest.approx(float(1 / product))  # eq. (5), to the n-th power
    assert px.inverse_perplexity(floats) ** n == pytest.approx(float(product))  # eq. (6)
    assert px.inverse_perplexity(floats, k) ** n == pytest.approx(float(product**k))  # eq. (18)


def test_perplexity_by_hand_and_along_an_axis():
    assert px.perplexity(np.full(10, 1 / 6)) == pytest.approx(6)  # a die
    p = np.array([[0.5, 0.125], [1.0, 0.25]])
    np.testing.assert_allclose(px.perplexity(p), [4, 2])
    np.testing.assert_allclose(px.inverse_perplexity(p, axis=0), [np.sqrt(0.5), np.sqrt(1 / 32)])
    np.testing.assert_allclose(px.inverse_perplexity([0.25, 1.0], 3), 1 / 8)
    assert px.perplexity([0.25]) == pytest.approx(4)
    assert px.perplexity([0.0, 1.0]) == inf
    assert px.inverse_perplexity([0.0, 1.0], 0.5) == 0


# ------------------------------------------------------------------------------------------------------- posteriors


@FAST
@given(items())
def test_eq_20_keeps_every_decision_of_naive_bayes(case):
    S, log_prior, n, k = case
    posterior = px.attenuated_posterior(S, log_prior, n, k)
    naive = (S + log_prior).argmax(axis=1)
    assert (posterior[np.arange(len(S)), naive] == posterior.max(axis=1)).all()
    np.testing.assert_allclose(posterior.sum(axis=1), 1)


@FAST
@given(items())
def test_where_the_rules_are_naive_bayes(case):
    S, log_prior, n, _ = case
    naive = softmax(S + log_prior, axis=1)
    for i in range(len(S)):
        for k, rule in ((n[i], "exact"), (n[i] + 1, "approximate")):
            got = px.attenuated_posterior(S[i], log_prior, n[i], float(k), rule)
            np.testing.assert_allclose(got, naive[i], rtol=1e-10, atol=1e-300)
    np.testing.assert_allclose(px.attenuated_posterior(S, log_prior, 7, 8.0), naive, rtol=1e-10, atol=1e-300)


@FAST
@given(items(), st.integers(0, 30))
def test_eq_20_with_constant_n_is_temperature_scaling(case, n):
    S, log_prior, _, k = case
    expected = temperature_scale(S + log_prior, (n + 1) / k)
    np.testing.assert_allclose(px.attenuated_posterior(S, log_prior, n, k), expected, rtol=1e-9, atol=1e-300)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(*[st.fractions(Fraction(1, 50), 1, max_denominator=50)] * 2), min_size=1, max_size=5))
def test_roots_against_exact_products(pairs):
    """The odds, raised to the power n (or n + 1), must be the exact ratio of the products."""
    prior, n = (Fraction(1, 3), Fraction(2, 3)), len(pairs)
    ratio = prod(a for a, _ in pairs) / prod(b for _, b in pairs)
    S, log_prior = np.log(np.array(pairs, dtype=float)).sum(axis=0), np.log([1 / 3, 2 / 3])
    exact = px.attenuated_posterior(S, log_prior, n, 2.0, "exact")
    assert (exact[0] / exact[1] * 2) ** n == pytest.approx(float(ratio**2))  # eq. (19)
    approximate = px.attenuated_posterior(S, log_prior, n, 2.0)
    assert (approximate[0] / approximate[1]) ** (n + 1) == pytest.approx(float((ratio * prior[0] / prior[1]) ** 2))
    full = px.attenuated_posterior(S, log_prior, n, 1, "exact")
    mean = np.array([px.inverse_perplexity([float(p[c]) for p in pairs]) for c in range(2)])
    np.testing.assert_allclose(full, mean * [1 / 3, 2 / 3] / (mean @ [1 / 3, 2 / 3]))  # eq. (8) from eq. (6)


@RULES
def test_classes_and_items_may_be_reordered(rule):
    rng = np.random.default_rng(0)
    S, log_prior, n = -rng.exponential(9, (5, 4)), np.log(rng.dirichlet(np.ones(4))), np.arange(1, 6)
    whole = px.attenuated_posterior(S, log_prior, n, 2.5, rule)
    rows, classes = [3, 1, 4, 0, 2], [2, 0, 3, 1]
    got = px.attenuated_posterior(S[rows][:, classes], log_prior[classes], n[rows], 2.5, rule)
    np.testing.assert_allclose(got, whole[rows][:, classes], rtol=1e-12)
    np.testing.assert_allclose(px.attenuated_posterior(S[0], log_prior, 1, 2.5, rule), whole[0])
    twice = px.attenuated_posterior(np.stack([S, S[rows]]), log_prior, np.stack([n, n[rows]]), 2.5, rule)
    np.testing.assert_allclose(twice, [whole, whole[rows]], rtol=1e-12)  # further axes in front
    np.testing.assert_allclose(np.exp(px.log_attenuated_posterior(S, log_prior, n, 2.5, rule)), whole)


@RULES
def test_impossible_items_and_classes(rule):
    log_prior = np.log([0.3, 0.7])
    S = np.array([[-inf, -inf], [-inf, -3.0], [-3.0, -3.0]])
    got = px.attenuated_posterior(S, log_prior, [4, 4, 4], 2.0, rule)
    np.testing.assert_allclose(got[:2], [[0.3, 0.7], [0, 1]])
    with np.errstate(divide="ignore"):
        certain = np.log([0.0, 1.0])
    np.testing.assert_allclose(px.attenuated_posterior(S[2:], certain, 4, 1e300, rule), [[0, 1]])
    np.testing.assert_allclose(px.attenuated_posterior([[-1.0, -inf]], certain, 4, 2.0, rule), [[0, 1]])
    nearly = px.attenuated_posterior([[-1.0, -inf]], [-500.0, 0.0], 4, 2.0, rule)  # P(c) = e^-500 is above 0
    np.testing.assert_array_equal(nearly, [[1, 0]])


def test_an_item_without_features():
    log_prior = np.log([0.2, 0.8])
    for said in ([0.0, 0.0], [-1.0, -5.0]):
        np.testing.assert_allclose(px.attenuated_posterior(said, log_prior, 0, 3.0, "exact"), [0.2, 0.8])
    np.testing.assert_allclose(px.attenuated_posterior([0.0, 0.0], log_prior, 0, 2.0), [1 / 17, 16 / 17])
    half = px.attenuated_posterior(np.log([0.3, 0.6]), log_prior, 0.5, 0.5, "exact")  # naive Bayes: k = n
    np.testing.assert_allclose(half, [0.06 / 0.54, 0.48 / 0.54])


@RULES
@pytest.mark.parametrize("k", [5e-324, 1e-300, 1e300, 1.7e308])
def test_any_k_is_legal(rule, k):
    S, log_prior = np.array([[-900.0, -1000.0, -inf]]), np.log([0.25, 0.25, 0.5])
    got = px.attenuated_posterior(S, log_prior, 10, k, rule)
    assert np.isfinite(got).all()
    assert got.argmax() == 0 or k < 1
    np.testing.assert_allclose(got.sum(), 1)


def test_arithmetic_mean_as_printed_and_corrected():
    likelihoods, prior = np.array([[0.5, 0.1], [0.02, 0.3]]), np.array([0.4, 0.6])
    printed = np.array([0.52 * 0.4, 0.4 * 0.6])
    np.testing.assert_allclose(px.arithmetic_posterior(likelihoods, prior), printed / printed.sum())
    evidence = likelihoods @ prior
    of_each = likelihoods * prior / evidence[:, None]  # P(c|f_i)
    np.testing.assert_allclose(px.arithmetic_posterior(likelihoods, prior, evidence), of_each.mean(axis=0))
    halved = px.arithmetic_posterior(likelihoods, prior, evidence / 2)
    np.testing.assert_allclose(halved, of_each.mean(axis=0))  # renormalised
    np.testing.assert_allclose(px.arithmetic_posterior(np.zeros((2, 2)), prior), prior)
    np.testing.assert_allclose(px.arithmetic_posterior(likelihoods[:1], prior), of_each[0])
    certain = px.arithmetic_posterior([[1.0, 1.0]], prior, [1.0])  # a feature that is always there says nothing
    np.testing.assert_allclose(certain, prior)
    rare = px.arithmetic_posterior(likelihoods, prior, [1e-310, 0.4])  # one P(c|f_i) outweighs the other by far
    np.testing.assert_allclose(rare, of_each[0], rtol=1e-12)


# ------------------------------------------------------------------------------------------------------ PerplexedBayes


def gives_fractions(model):
    """Checks with fractions in X, which CategoricalNB refuses."""
    checks = "check_sample_weight_equivalence_on_dense_data", "check_classifiers_one_label_sample_weights"
    reason = "X of this check holds fractions; CategoricalNB takes integer codes only"
    return dict.fromkeys(checks, reason) if isinstance(model.estimator, CategoricalNB) else {}


@MAY_END
# scikit-learn itself leaves out two of its checks, and says why: no pandas here, and SCIPY_ARRAY_API is not set.
@parametrize_with_checks(
    [
        px.PerplexedBayes(MultinomialNB()),
        px.PerplexedBayes(BernoulliNB(), k="flat", objective="rmse"),
        px.PerplexedBayes(CategoricalNB(), k=2.0),
        px.PerplexedBayes(GaussianNB(), rule="exact"),
    ],
    expected_failed_checks=gives_fractions,
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def some_names(max_n=3, size=1200, seed=0):
    names = load_names()
    rows = np.random.default_rng(seed).permutation(len(names.data))[:size]
    X, _ = name_ngrams(names.data[rows], max_n)
    return X, names.target_names[names.target[rows]]


@MAY_END
@pytest.mark.parametrize("k", ["calibrated", "flat", 0.7, 40.0])
@pytest.mark.parametrize("base", [MultinomialNB(alpha=0.5), BernoulliNB(), CategoricalNB(alpha=2.0), GaussianNB()])
def test_eq_20_decides_as_the_estimator_does(base, k):
    X, y = some_names(1, 400)
    X = X if isinstance(base, MultinomialNB | BernoulliNB) else X.toarray().astype(int)
    model, naive = px.PerplexedBayes(base, k=k, random_state=0).fit(X, y), clone(base).fit(X, y)
    assert (model.predict(X) == naive.predict(X)).all()
    assert (model.classes_[model.predict_proba(X).argmax(axis=1)] == naive.predict(X)).all()
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X))
    np.testing.assert_allclose(softmax(model.predict_joint_log_proba(X), axis=1), model.predict_proba(X), rtol=1e-9)


@RULES
def test_proba_is_the_formula_with_tokens_for_multinomial_and_columns_for_the_others(rule):
    X, y = some_names(2, 300)
    for base, n in ((MultinomialNB(), np.asarray(X.sum(axis=1))), (BernoulliNB(), X.shape[1])):
        model, naive = px.PerplexedBayes(base, k=3, rule=rule).fit(X, y), clone(base).fit(X, y)
        S = naive.predict_joint_log_proba(X) - naive.class_log_prior_
        expected = px.attenuated_posterior(S, naive.class_log_prior_, np.ravel(n) if np.ndim(n) else n, 3.0, rule)
        np.testing.assert_allclose(model.predict_proba(X), expected, rtol=1e-9)
        assert (model.predict(X) == model.classes_[expected.argmax(axis=1)]).all()
        n, rest = np.reshape(n, (-1, 1)), naive.class_log_prior_ if rule == "exact" else 0
        numerator = (S + naive.class_log_prior_ - rest) * 3 / (n + (rule == "approximate")) + rest
        np.testing.assert_allclose(model.predict_joint_log_proba(X), numerator, rtol=1e-9)  # the very numerator
        assert model.k_ == 3.0
        dense = px.PerplexedBayes(base, k=3, rule=rule).fit(X.toarray(), y)
        np.testing.assert_allclose(dense.predict_proba(X.toarray()), expected, rtol=1e-9)


def test_flat_k_has_the_least_spread_of_its_grid():
    X, y = some_names()
    model = px.PerplexedBayes(MultinomialNB(), k="flat").fit(X, y)
    grid = px.k_grid(X.sum(axis=1))
    spread = {
        k: posterior_spread(px.PerplexedBayes(MultinomialNB(), k=float(k)).fit(X, y).predict_proba(X))
        for k in grid[::10]
    }
    assert posterior_spread(model.predict_proba(X)) <= min(spread.values()) + 1e-12
    assert model.k_ in grid


def test_the_grid_ends_at_naive_bayes():
    assert px.k_grid([4, 6])[[0, -1]] == pytest.approx([0.1, 6])
    assert px.k_grid([4, 6], "exact")[-1] == pytest.approx(5)
    for rule in px.RULES:
        assert (np.diff(px.k_grid([0, 0], rule)) > 0).all()
    assert px.k_grid([0, 0], "exact")[-1] == pytest.approx(0.2)  # naive Bayes is k = 0 there: a factor of 2 it is


def held_out_evidence(X, y, seed, weight=None):
    """The held-out part again, by hand: its evidence, labels and weights, as PerplexedBayes must have seen them."""
    weight = np.ones(len(y)) if weight is None else weight
    learn, held = hold_out(np.unique(y, return_inverse=True)[1], 0.2, np.random.RandomState(seed))
    used = np.asarray(X[learn].sum(axis=0)).ravel() > 0
    naive = MultinomialNB().fit(X[learn], y[learn], sample_weight=weight[learn])
    X_held = sparse.csr_array(X[held].toarray() * used)
    S = naive.predict_joint_log_proba(X_held) - naive.class_log_prior_
    return (S, naive.class_log_prior_, np.ravel(X_held.sum(axis=1))), y[held], weight[held]


def test_rmse_k_is_the_best_of_the_grid_on_rows_the_estimator_has_not_seen():
    X, y = some_names()
    model = px.PerplexedBayes(MultinomialNB(), random_state=5, bins=8, objective="rmse").fit(X, y)
    unseen, y_held, _ = held_out_evidence(X, y, 5)
    grid = px.k_grid(unseen[2])
    rmse = [reliability_bins(y_held, px.attenuated_posterior(*unseen, k), 8).rmse() for k in grid]
    assert model.k_ == pytest.approx(grid[np.argmin(rmse)])
    np.testing.assert_allclose(  # and then all rows are learned from
        model.estimator_.feature_log_prob_, MultinomialNB().fit(X, y).feature_log_prob_
    )


@pytest.mark.parametrize("weighted", [False, True])
def test_log_loss_k_is_the_minimum_of_a_convex_loss(weighted):
    X, y = some_names()
    weight = np.where(y == y[0], 3.0, 0.5) if weighted else None
    model = px.PerplexedBayes(MultinomialNB(), random_state=5).fit(X, y, sample_weight=weight)
    unseen, y_held, weight_held = held_out_evidence(X, y, 5, weight)

    def loss(k):
        return log_loss(y_held, px.attenuated_posterior(*unseen, k), sample_weight=weight_held)

    assert loss(model.k_) < min(loss(model.k_ * 1.03), loss(model.k_ / 1.03))
    losses = [loss(k) for k in np.linspace(0.5, 15, 40)]
    assert (np.diff(losses, 2) > 0).all()
    naive = MultinomialNB().fit(X, y, sample_weight=weight)
    np.testing.assert_array_equal(model.estimator_.feature_count_, naive.feature_count_)


def digits(seed=0, rows=900):
    X, y = load_digits(return_X_y=True)
    order = np.random.default_rng(seed).permutation(len(y))
    return X[order[:rows]], y[order[:rows]], X[order[rows:]], y[order[rows:]]


@pytest.mark.parametrize("base", [MultinomialNB(), BernoulliNB(binarize=8), GaussianNB(var_smoothing=0.1)])
def test_ten_classes_become_honest_not_uniform(base):
    """The best RMSE of a reliability diagram is that of the uniform posterior; the best log loss is not."""
    X, y, X_test, y_test = digits()
    honest = px.PerplexedBayes(base, random_state=0).fit(X, y)
    proba = {m: m.predict_proba(X_test) for m in (honest.estimator_, honest)}
    raw, mended = (reliability_bins(y_test, p, 15).ece(kind="top") for p in proba.values())
    assert mended < min(raw, 0.06)
    assert log_loss(y_test, proba[honest]) < 0.9 * log_loss(y_test, proba[honest.estimator_])
    with pytest.warns(ConvergenceWarning, match="k ended at 0.1, the lower end"):
        by_rmse = px.PerplexedBayes(base, random_state=0, objective="rmse").fit(X, y)
    assert by_rmse.predict_proba(X_test).max() < 0.4


@RULES
def test_a_k_at_an_end_of_its_grid_decides_as_the_estimator_and_says_what_to_do(rule):
    """A few digits are impossible for GaussianNB: no root mends them but the one that makes all posteriors equal."""
    X, y, X_test, _ = digits()
    with pytest.warns(ConvergenceWarning, match="k ended at 0.1, the lower end .* take Adjusted"):
        model = px.PerplexedBayes(GaussianNB(), rule=rule, random_state=0).fit(X, y)
    if rule == "approximate":
        np.testing.assert_array_equal(model.predict(X_test), model.estimator_.predict(X_test))
    timid = px.PerplexedBayes(GaussianNB(var_smoothing=10.0), random_state=0)  # far too wide
    with pytest.warns(ConvergenceWarning, match="k ended at 65, the upper end .* alone"):
        timid.fit(X, y)
    np.testing.assert_allclose(timid.predict_proba(X_test), timid.estimator_.predict_proba(X_test), rtol=1e-9)


@pytest.mark.parametrize(("place", "words"), [
    (0, "k ended at 0.1, the lower end .* behind them, or take"),
    (1, None),
    (-2, None),
    (-1, "k ended at 3, the upper end"),
])  # fmt: skip
def test_a_k_warns_at_the_ends_of_its_grid_and_nowhere_else(place, words, monkeypatch):
    monkeypatch.setattr(px, "best_k", lambda evidence, *_: px.k_grid(evidence[2])[place])
    model = px.PerplexedBayes(BernoulliNB(), cv=2)
    with pytest.warns(ConvergenceWarning, match=words) if words else nullcontext():  # a warning would be an error
        assert model.fit(X2, Y2).k_ == px.k_grid([2])[place]


@pytest.mark.parametrize("as_input", [np.array, sparse.csr_array])
def test_tokens_of_held_out_rows_count_if_a_row_learned_from_has_one(as_input, monkeypatch):
    seen = []
    monkeypatch.setattr(px, "best_k", lambda evidence, *_: seen.append(evidence[2]) or 1.0)
    X = as_input([[1, 0, 0], [0, 2, 0], [3, 1, 5], [0, 0, 2]])
    px.PerplexedBayes(MultinomialNB(), cv=[([0, 1], [2, 3])]).fit(X, Y2)
    np.testing.assert_array_equal(seen, [[4, 0]])  # nobody has learned the third


def test_cv_chooses_k_on_the_out_of_fold_posteriors_of_all_rows():
    X, y, _, _ = digits(rows=600)
    cv = StratifiedKFold(4, shuffle=True, random_state=3)
    S, log_prior, loss = np.zeros((600, 10)), np.zeros((600, 10)), {}
    for learn, held in cv.split(X, y):
        model = MultinomialNB().fit(X[learn], y[learn])
        known = X[held] * (X[learn].sum(axis=0) > 0)
        S[held] = model.predict_joint_log_proba(known) - model.class_log_prior_
        log_prior[held] = model.class_log_prior_
        n = X.sum(axis=1)
    got = px.PerplexedBayes(MultinomialNB(), cv=cv).fit(X, y)
    for k in (got.k_, got.k_ * 1.02, got.k_ / 1.02):
        loss[k] = log_loss(y, px.attenuated_posterior(S, log_prior, n, k))
    assert min(loss, key=loss.get) == got.k_
    np.testing.assert_array_equal(got.estimator_.feature_count_, MultinomialNB().fit(X, y).feature_count_)
    by_list = px.PerplexedBayes(MultinomialNB(), cv=list(cv.split(X, y))).fit(X, y)
    assert by_list.k_ == got.k_
    by_number, plain = (px.PerplexedBayes(MultinomialNB(), cv=cv).fit(X, y).k_ for cv in (4, StratifiedKFold(4)))
    assert by_number == plain != got.k_


def test_a_class_of_prior_0_is_ruled_out_by_its_prior_alone():
    S, log_prior, _ = px.evidence(MultinomialNB(class_prior=[0, 1]).fit(X2, Y2), X2)
    np.testing.assert_array_equal(S[:, 0], np.zeros(4))
    np.testing.assert_array_equal(log_prior, [-inf, 0])


def test_a_fold_may_lack_a_class():
    X, y = np.array([[3, 0], [2, 0], [0, 2], [0, 3], [1, 1], [2, 1], [0, 1]]), np.array([0, 0, 1, 1, 2, 0, 1])
    model = px.PerplexedBayes(MultinomialNB(), cv=LeaveOneOut(), objective="rmse").fit(X, y)
    assert model.predict_proba(X).shape == (7, 3)
    assert np.isfinite(model.k_)


def test_rows_without_a_label_are_learned_from_and_never_held_out():
    X, y, X_test, y_test = digits()
    y = np.where(np.arange(len(y)) < 300, y, -1)
    model = px.PerplexedBayes(SemiSupervisedNB(MultinomialNB()), random_state=0).fit(X, y)
    assert model.classes_.tolist() == list(range(10))
    assert model.score(X_test, y_test) > 0.85
    np.testing.assert_array_equal(px.evidence(model.estimator_, X_test)[2], X_test.sum(axis=1))
    assert reliability_bins(y_test, model.predict_proba(X_test), 15).ece(kind="top") < 0.06


def test_the_features_of_a_multinomial_hierarchy_are_its_tokens():
    X, y = some_names(2, 300)
    for leaf, n in (("multinomial", np.ravel(X.sum(axis=1))), ("bernoulli", np.full(300, X.shape[1]))):
        model = HierarchicalBayes(n_hidden=2, leaf=leaf, n_restarts=1, max_iter=3, random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # three steps of EM
            fitted = px.PerplexedBayes(model, k=2.0).fit(X, y).estimator_
        np.testing.assert_array_equal(px.evidence(fitted, X)[2], n)


@pytest.mark.parametrize("objective", ["log_loss", "rmse"])
@RULES
def test_a_row_of_weight_w_counts_w_times_in_the_choice_of_k(objective, rule):
    X, y = some_names(2, 400)
    naive, code = MultinomialNB().fit(X, y), (y == "male").astype(int)
    S, log_prior, n = px.evidence(naive, X)
    weight = np.random.default_rng(0).integers(0, 4, len(code))
    again = (np.repeat(S, weight, axis=0), log_prior, np.repeat(n, weight))
    options = dict(objective=objective, rule=rule, classes=[0, 1])
    expected = px.best_k(again, np.repeat(code, weight), **options)
    assert px.best_k((S, log_prior, n), code, sample_weight=weight, **options) == pytest.approx(expected, rel=1e-6)
    assert px.flattest_k((S, log_prior, n), rule=rule, sample_weight=weight) == px.flattest_k(again, rule=rule)
    assert px.best_k((S, log_prior, n), code, **options) != expected


class Weightless(MultinomialNB):
    def fit(self, X, y):
        return super().fit(X, y)


def test_a_weight_that_the_estimator_does_not_know_is_refused():
    with pytest.raises(ValueError, match=r"sample_weight must be None: Weightless\.fit knows no weights"):
        px.PerplexedBayes(Weightless(), k=2).fit(X2, Y2, sample_weight=np.ones(4))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("k", ["calibrated", "flat", 2.0])
def test_a_pipeline_is_the_model_of_its_transformed_rows(k, weighted):
    """Here the transformation is known before, so that every fold has the same one."""
    rng = np.random.default_rng(0)
    y = np.arange(400) % 3
    X = rng.normal(size=(400, 1)) + 0.4 * y[:, None] + 0.5 * rng.normal(size=(400, 6))
    weight = rng.integers(1, 4, 400).astype(float) if weighted else None
    inside = make_pipeline(make_pipeline(FunctionTransformer(np.sinh), GaussianNB()))
    piped = px.PerplexedBayes(inside, k, cv=5).fit(X, y, sample_weight=weight)
    plain = px.PerplexedBayes(GaussianNB(), k, cv=5).fit(np.sinh(X), y, sample_weight=weight)
    assert piped.k_ == pytest.approx(plain.k_)
    np.testing.assert_allclose(piped.predict_proba(X), plain.predict_proba(np.sinh(X)))
    np.testing.assert_array_equal(piped.predict(X), plain.predict(np.sinh(X)))
    np.testing.assert_array_equal(piped.class_log_prior_, plain.class_log_prior_)


def test_a_pipeline_reads_texts_and_refuses_what_is_no_naive_bayes():
    texts = np.array(["a b b", "a c", "b b d", "c c a", "d b", "c a a"] * 20)
    y = np.array([0, 1, 0, 1, 0, 1] * 20)
    y[::7] = 1 - y[::7]
    model = px.PerplexedBayes(make_pipeline(CountVectorizer(token_pattern=r"\w"), MultinomialNB()), cv=4).fit(texts, y)
    counts = model.estimator_[0].transform(texts)
    tokens = counts.toarray().sum(axis=1, keepdims=True)
    log_p = model.estimator_[-1].predict_joint_log_proba(counts) * model.k_ / (tokens + 1)
    np.testing.assert_allclose(model.predict_proba(texts), softmax(log_p, axis=1))
    with pytest.raises(ValueError, match=r"estimator must be a naive Bayes .* or a Pipeline that ends"):
        px.PerplexedBayes(make_pipeline(CountVectorizer())).fit(texts, y)


def test_rows_that_lose_infinitely_do_not_move_k_and_nothing_else_is_refused():
    S = np.array([[0.0, -9.0], [-2.0, 0.0], [-9.0, 0.0], [0.0, -3.0]])
    y, log_prior, n = np.array([0, 0, 1, 1]), np.log([0.5, 0.5]), np.full(4, 9.0)
    k = px.best_k((S, log_prior, n), y)
    assert 0.1 < k < 10
    impossible = np.vstack([S, [[-inf, -1.0]]])
    assert px.best_k((impossible, log_prior, np.full(5, 9.0)), [*y, 0]) == pytest.approx(k, rel=1e-6)
    priors = np.tile(log_prior, (5, 1))  # one a row, as of several folds
    assert px.best_k((impossible, priors, np.full(5, 9.0)), [*y, 0]) == pytest.approx(k, rel=1e-6)
    with pytest.raises(ValueError, match="y must be a class of probability above 0 for at least one row"):
        px.best_k((impossible[4:], log_prior, n[:1]), [0], classes=[0, 1])


@MAY_END
def test_a_category_seen_in_held_out_rows_only_is_no_error():
    X, y = np.array([[0], [0], [1], [1], [2], [3]]), np.array([0, 0, 1, 1, 0, 1])
    for seed in range(5):
        assert px.PerplexedBayes(CategoricalNB(), random_state=seed).fit(X, y).k_ > 0


@MAY_END
def test_a_row_without_tokens_and_a_row_that_is_impossible():
    X, y = np.array([[2, 0, 1], [0, 3, 1], [1, 0, 0], [0, 1, 0]]), np.array([0, 1, 0, 1])
    odd = np.array([[0, 0, 0], [1, 1, 0]])
    for rule in px.RULES:
        model = px.PerplexedBayes(MultinomialNB(alpha=0, class_prior=[0.3, 0.7]), k=2, rule=rule).fit(X, y)
        got = model.predict_proba(odd)
        np.testing.assert_allclose(got[0], [0.3, 0.7] if rule == "exact" else [9 / 58, 49 / 58])
        joint = np.exp(model.predict_joint_log_proba(odd)[0])
        np.testing.assert_allclose(joint, [0.3, 0.7] if rule == "exact" else [0.09, 0.49])
        np.testing.assert_allclose(got[1], [0.3, 0.7])
        assert model.predict(odd).tolist() == [1, 1]
    for objective in ("rmse", "log_loss"):
        k = px.PerplexedBayes(MultinomialNB(alpha=0), objective=objective, random_state=0).fit(X, y).k_
        assert 0 < k < inf


# -------------------------------------------------------------------------------------------------------- bad input

S2, LP = np.log([[0.2, 0.1]]), np.log([0.5, 0.5])
X2, Y2 = np.array([[1, 0], [0, 1], [2, 1], [0, 3]]), np.array([0, 1, 0, 1])


def fit(estimator=None, y=Y2, **parameters):
    return px.PerplexedBayes(estimator or MultinomialNB(), **parameters).fit(X2, y)


BAD = [
    (lambda: px.perplexity([]), "p must be at least one probability"),
    (lambda: px.perplexity([0.5, 1.5]), "p must be probabilities from 0 to 1; got 1.5"),
    (lambda: px.inverse_perplexity([0.5], 0), "k must be a finite number > 0; got 0"),
    (lambda: px.attenuated_posterior(S2, LP, 3, -1.0), "k must be .* got -1.0"),
    (lambda: px.attenuated_posterior(S2, LP, 3, 1.0, "eq20"), "rule must be .* got 'eq20'"),
    (lambda: px.attenuated_posterior(S2, LP, -1, 1.0), "n_features must be finite numbers >= 0; got -1"),
    (lambda: px.attenuated_posterior(S2, LP, [1, 2], 1.0), "n_features must be one number, or of shape"),
    (lambda: px.attenuated_posterior(S2, LP, inf, 1.0), "n_features must be finite numbers >= 0; got inf"),
    (lambda: px.attenuated_posterior([[np.nan, 0]], LP, 1, 1.0), "log_likelihood must be .* nan"),
    (lambda: px.attenuated_posterior(S2, np.log([0.2, 0.3, 0.5]), 1, 1.0), "log_prior must be of shape"),
    (lambda: px.attenuated_posterior(S2, [-inf, -inf], 1, 1.0), "log_prior must be above -inf"),
    (lambda: px.attenuated_posterior([S2[0]] * 2, [LP, [-inf, -inf]], 1, 1.0), "log_prior must be above -inf"),
    (lambda: px.attenuated_posterior(S2, [inf, 0], 1, 1, "exact"), "log_prior must be logarithms"),
    (lambda: px.arithmetic_posterior([[0.5, 0.5]], [0.5, 0.6]), "prior must be .* 1.1"),
    (lambda: px.arithmetic_posterior([0.5, 0.5], [0.5, 0.5]), "likelihoods must be of shape"),
    (lambda: px.arithmetic_posterior(np.empty((0, 2)), [0.5, 0.5]), "likelihoods must be of shape .*n_features >= 1"),
    (lambda: px.arithmetic_posterior([[0.5], [0.5]], [0.5, 0.5]), "likelihoods must be of shape"),
    (lambda: px.arithmetic_posterior([[0.5, 2.0]], [0.5, 0.5]), "likelihoods must be .* 2.0"),
    (lambda: px.arithmetic_posterior([[0.5, 0.5]], [[0.5, 0.5]]), "prior must be of shape"),
    (lambda: px.arithmetic_posterior([[0.5, 0.5]], [0.5, 0.5], [0.0]), "evidence must be .* got 0.0"),
    (lambda: px.arithmetic_posterior([[0.5, 0.5]], [0.5, 0.5], [1.5]), "evidence must be .* got 1.5"),
    (lambda: px.arithmetic_posterior([[0.5, 0.5]], [0.5, 0.5], [0.5, 0.5]), "evidence must be of shape"),
    (lambda: px.k_grid([3], "best"), "rule must be"),
    (lambda: px.best_k((S2, LP, np.ones(1)), [0], objective="brier", classes=[0, 1]), "objective must be .* 'brier'"),
    (lambda: px.evidence(MultinomialNB(), X2), "not fitted yet"),
    (lambda: fit(PeerNB()), "estimator must be a naive Bayes classifier of nbcore, or .* got MultinomialNB"),
    (lambda: fit(k="best"), "k must be .* got 'best'"),
    (lambda: fit(k=0), "k must be .* got 0"),
    (lambda: fit(k=2, rule="20"), "rule must be"),
    (lambda: fit(validation_fraction=1.0), "validation_fraction must be a finite number > 0 and < 1; got 1.0"),
    (lambda: fit(bins=0), "bins must be an integer >= 1; got 0"),
    (lambda: fit(k=2, objective="brier"), "objective must be .* got 'brier'"),
    (lambda: fit(y=np.arange(4)), "y must be labels of which one at least comes twice"),
    (lambda: fit(MultinomialNB(alpha=-1)), "alpha must be"),
    (lambda: fit(k=2).predict(-X2), "Negative values"),
]


@pytest.mark.parametrize(("call", "message"), BAD)
def test_bad_input(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()

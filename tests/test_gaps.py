"""NaN is a missing value, its factor is left out: against sums and integrals over what it might have been."""

import itertools

import numpy as np
import pandas as pd
import pytest
import sklearn.naive_bayes as peers
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import quad
from scipy.special import logsumexp
from scipy.stats import norm
from sklearn.datasets import load_breast_cancer
from sklearn.impute import SimpleImputer
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags

from nbcore.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from nbcore.perplexed import PerplexedBayes, attenuated_posterior, evidence

MODELS = [GaussianNB, BernoulliNB, CategoricalNB]  # whose features are factors of their own
DISCRETE = MODELS[1:]
seeds = st.integers(0, 2**32 - 1)
NAN = np.nan


def gappy(model, seed=0, n=120, features=4, classes=3, share=0.3):
    """Rows of which this share is missing, and their classes; every class shows every column at least twice."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    if model is GaussianNB:
        X = rng.normal(y[:, None], 1 + y[:, None], (n, features))
    else:
        width = 2 if model is BernoulliNB else 2 + np.arange(features)
        X = rng.integers(0, width, (n, features))
        X = np.where(rng.random(X.shape) < 0.4, (y[:, None] + np.arange(features)) % width, X).astype(float)
    gaps = rng.random(X.shape) < share
    gaps[: 2 * classes] = False
    X[gaps] = NAN
    order = rng.permutation(n)
    return X[order], y[order]


@pytest.mark.parametrize("alpha", [0, 0.5])
@pytest.mark.parametrize("model", DISCRETE)
def test_a_gap_is_the_sum_over_all_values(model, alpha):
    X, y = gappy(model)
    nb = model(alpha=alpha).fit(X, y)
    width = nb.n_categories_ if model is CategoricalNB else np.full(4, 2)
    for row in X[np.isnan(X).sum(axis=1) >= 1][:20]:
        gaps = np.flatnonzero(np.isnan(row))
        filled = np.tile(row, (np.prod(width[gaps]), 1))
        filled[:, gaps] = list(itertools.product(*(range(k) for k in width[gaps])))
        by_sum = logsumexp(nb.predict_joint_log_proba(filled), axis=0)
        assert_allclose(nb.predict_joint_log_proba([row])[0], by_sum, rtol=1e-12)


def test_a_gap_is_the_integral_over_all_measurements():
    X, y = gappy(GaussianNB)
    nb = GaussianNB().fit(X, y)
    row = X[~np.isnan(X).any(axis=1)][0]
    for f, c in itertools.product(range(4), range(3)):

        def joint(x, f=f, c=c):
            return np.exp(nb.predict_joint_log_proba([np.where(np.arange(4) == f, x, row)])[0, c])

        center, sigma = nb.theta_[c, f], np.sqrt(nb.var_[c, f])
        area = sum(quad(joint, *ends)[0] for ends in itertools.pairwise(center + sigma * np.array([-12, 0, 12])))
        gap = np.where(np.arange(4) == f, NAN, row)
        assert_allclose(np.exp(nb.predict_joint_log_proba([gap])[0, c]), area, rtol=1e-8)


@pytest.mark.parametrize("model", MODELS)
@settings(deadline=None, max_examples=25)
@given(seeds)
def test_a_gap_is_a_column_that_is_not_there(model, seed):
    """Whatever the other rows look like, and however many are asked for at once."""
    X, y = gappy(model, seed)
    nb = model(**({"var_smoothing": 0} if model is GaussianNB else {})).fit(X, y)
    contributions = nb.feature_contributions(X)
    assert_array_equal(contributions[np.broadcast_to(np.isnan(X)[:, None], contributions.shape)], 0)
    joint = nb.predict_joint_log_proba(X)
    assert_allclose(contributions.sum(axis=2) + nb.class_log_prior_, joint, rtol=1e-10)
    assert_allclose(nb.predict_joint_log_proba(np.tile(X, (100, 1)))[-120:], joint, rtol=1e-10)
    for row, found in zip(X[:5], joint, strict=False):
        there = ~np.isnan(row)
        if there.any():
            alone = model(**({"var_smoothing": 0} if model is GaussianNB else {})).fit(X[:, there], y)
            assert_allclose(alone.predict_joint_log_proba([row[there]])[0], found, rtol=1e-10)


def test_forbidden_and_demanded_marks_beside_gaps():
    nb = BernoulliNB(alpha=0).fit([[1, 0], [1, 1], [0, 1], [NAN, 1]], [0, 0, 1, 1])
    joint = nb.predict_joint_log_proba([[NAN, 0], [1, NAN], [0, NAN], [NAN, 1]])
    with np.errstate(divide="ignore"):
        assert_allclose(joint, np.log([[0.25, 0], [0.5, 0], [0, 0.5], [0.25, 0.5]]))


def test_a_category_that_no_class_can_show_beside_a_gap():
    nb = CategoricalNB(alpha=0, min_categories=3).fit([[0, 0], [1, 1]], [0, 1])
    assert_allclose(nb.predict_proba([[2, NAN], [NAN, 1]]), [[0.5, 0.5], [0, 1]])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("model", MODELS)
def test_each_column_is_learned_from_the_rows_that_show_it(model, weighted):
    """Against scikit-learn, column by column."""
    X, y = gappy(model, n=300)
    weight = np.random.default_rng(1).uniform(0, 3, 300) if weighted else np.ones(300)
    nb = model(**({"var_smoothing": 0} if model is GaussianNB else {"alpha": 0.7})).fit(X, y, weight)
    assert_allclose(nb.class_log_prior_, np.log(np.bincount(y, weight) / weight.sum()))
    for f in range(4):
        there = ~np.isnan(X[:, f])
        peer = getattr(peers, model.__name__)(**({"var_smoothing": 0} if model is GaussianNB else {"alpha": 0.7}))
        peer.fit(X[there][:, [f]], y[there], weight[there])
        if model is GaussianNB:
            assert_allclose(nb.theta_[:, [f]], peer.theta_, rtol=1e-12)
            assert_allclose(nb.var_[:, [f]], peer.var_, rtol=1e-12)
        elif model is CategoricalNB:
            assert_allclose(nb.feature_log_prob_[f], peer.feature_log_prob_[0], rtol=1e-12)
        else:
            assert_allclose(nb.feature_log_prob_[:, [f]], peer.feature_log_prob_, rtol=1e-12)


def test_the_largest_variance_is_that_of_the_values_shown():
    X, y = gappy(GaussianNB)
    assert_allclose(GaussianNB(var_smoothing=0.1).fit(X, y).epsilon_, 0.1 * np.nanvar(X, axis=0).max())


@pytest.mark.parametrize("model", MODELS)
@settings(deadline=None, max_examples=25)
@given(seeds)
def test_batches_and_weights_with_gaps(model, seed):
    """The first batch has no gap; the second has a column of nothing else."""
    X, y = gappy(model, seed)
    X[60:90, 2] = NAN
    full = np.nan_to_num(X[:30], nan=1.0)
    X[:30] = full
    times = np.random.default_rng(seed).integers(1, 4, 120)
    settings_ = {"var_smoothing": 0} if model is GaussianNB else {}  # what is added takes rows, not their weights
    batches = model(**settings_)
    for start in (0, 30, 60, 90):
        rows = slice(start, start + 30)
        batches.partial_fit(X[rows], y[rows], classes=[0, 1, 2], sample_weight=times[rows])
    once = model(**settings_).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert_allclose(batches.predict_joint_log_proba(X), once.predict_joint_log_proba(X), rtol=1e-9)


def test_a_class_that_never_shows_a_column_borrows_the_moments_of_the_others():
    X, y = gappy(GaussianNB)
    X[y == 1, 2] = NAN
    weight = np.random.default_rng(0).uniform(1, 2, 120) / 100  # all of a class together less than one row
    nb = GaussianNB(var_smoothing=0).fit(X, y, weight)
    there = ~np.isnan(X[:, 2])
    mean = np.average(X[there, 2], weights=weight[there])
    assert_allclose(nb.theta_[1, 2], mean)
    assert_allclose(nb.var_[1, 2], np.average((X[there, 2] - mean) ** 2, weights=weight[there]))
    own = (y == 0) & there
    assert_allclose(nb.theta_[0, 2], np.average(X[own, 2], weights=weight[own]))
    promised = GaussianNB(var_smoothing=0).partial_fit(X, y, classes=[0, 1, 2, 3], sample_weight=weight)
    assert_array_equal(promised.var_[:3], nb.var_)
    assert_array_equal(promised.theta_, [*nb.theta_, np.zeros(4)])  # a class still to come borrows nothing
    unbiased = GaussianNB(var_smoothing=0, ddof=1).fit(X, y)
    assert_allclose(unbiased.var_[1, 2], X[there, 2].var(ddof=1))


@pytest.mark.parametrize("alpha", [0, 2.0])
@pytest.mark.parametrize("model", DISCRETE)
def test_a_class_that_never_shows_a_column_takes_all_values_for_equal(model, alpha):
    X, y = gappy(model)
    X[y == 1, 2] = NAN
    nb = model(alpha=alpha).fit(X, y)
    tables = nb.feature_log_prob_[2][1] if model is CategoricalNB else nb.feature_log_prob_[1, 2]
    assert_allclose(np.exp(tables), 0.25 if model is CategoricalNB else 0.5)


@pytest.mark.parametrize("model", MODELS)
def test_a_column_that_nobody_shows_says_nothing(model):
    X, y = gappy(model)
    X[:, 1] = NAN
    nb, rest = model().fit(X, y), model().fit(X[:, [0, 2, 3]], y)
    expected = rest.predict_proba(X[:, [0, 2, 3]])
    for value in (NAN, 0.0):
        X[:, 1] = value
        assert_allclose(nb.predict_proba(X), expected, rtol=1e-9)
        assert not np.isnan(nb.feature_contributions(X)).any()


def test_a_column_that_nobody_shows_is_standard_normal():
    nb = GaussianNB().fit([[NAN, 0.0], [NAN, 1.0], [NAN, 2.0], [NAN, 3.0]], [0, 0, 1, 1])
    assert_allclose(nb.feature_contributions([[1.5, 1.0]])[0, :, 0], norm.logpdf(1.5))


@pytest.mark.parametrize("model", MODELS)
def test_a_class_still_to_come_and_a_gap(model):
    nb = model().partial_fit([[1, 0], [0, NAN], [1, 1], [0, 0]], [0, 0, 1, 1], classes=[0, 1, 2])
    joint = nb.predict_joint_log_proba([[NAN, 1], [NAN, NAN]])
    assert_array_equal(np.isneginf(joint), [[False, False, True]] * 2)


def test_one_value_is_too_few_for_an_unbiased_variance():
    with pytest.raises(ValueError, match=r"variance 0 in column 1 of X, in rows of total weight 1;"):
        GaussianNB(ddof=1, var_smoothing=0).fit([[0, 7], [1, NAN], [0, 1], [1, 2]], [0, 0, 1, 1])


@pytest.mark.parametrize("model", MODELS)
def test_other_words_for_a_gap(model):
    X, y = gappy(model)
    expected = model().fit(X, y).predict_proba(X)
    words = [np.where(np.isnan(X), None, X.astype(object)), pd.DataFrame(X).astype("Float64")]
    assert words[1].isna().to_numpy().sum() == np.isnan(X).sum() > 100
    for form in words:
        assert_allclose(model().fit(form, y).predict_proba(form), expected, rtol=1e-12)


@pytest.mark.parametrize("model", [*MODELS, MultinomialNB])
def test_the_tags_say_who_takes_gaps(model):
    takes = model in MODELS
    assert get_tags(model()).input_tags.allow_nan == takes
    assert get_tags(PerplexedBayes(model())).input_tags.allow_nan == takes


@pytest.mark.parametrize("rule", ["approximate", "exact"])
@pytest.mark.parametrize("model", MODELS)
def test_perplexed_bayes_counts_the_factors_that_are_there(model, rule):
    X, y = gappy(model)
    perplexed = PerplexedBayes(model(), k=1.5, rule=rule).fit(X, y)
    log_likelihood, log_prior, n = evidence(perplexed.estimator_, X)
    assert_array_equal(n, (~np.isnan(X)).sum(axis=1))
    assert_allclose(perplexed.predict_proba(X), attenuated_posterior(log_likelihood, log_prior, n, 1.5, rule))
    there = ~np.isnan(X[0])
    like = model(**({"var_smoothing": 0} if model is GaussianNB else {}))
    fewer = PerplexedBayes(like, k=1.5, rule=rule).fit(X[:, there], y)
    whole = PerplexedBayes(like, k=1.5, rule=rule).fit(X, y)
    assert_allclose(whole.predict_proba(X[:1]), fewer.predict_proba(X[:1, there]))
    copies = np.tile(X, (1, 3))
    chosen = PerplexedBayes(model(), rule=rule, cv=3).fit(copies, y)
    by_hand = attenuated_posterior(*evidence(model().fit(copies, y), copies), chosen.k_, rule)
    assert_allclose(chosen.predict_proba(copies), by_hand)


def test_an_ignored_category_is_no_factor():
    model = CategoricalNB(handle_unknown="ignore").fit([[0, 1], [1, 0]], [0, 1])
    assert_array_equal(evidence(model, [[0, 1], [0, 7], [-1, NAN]])[2], [2, 1, 0])


def test_leaving_out_is_better_than_the_mean_on_breast_cancer():
    """30 % of all measurements missing at random, in training and in test rows: 5 folds, 10 seeds."""
    X, y = load_breast_cancer(return_X_y=True)
    for seed in range(10):
        gaps = np.where(np.random.default_rng(seed).random(X.shape) < 0.3, NAN, X)
        folds = StratifiedKFold(5, shuffle=True, random_state=seed)
        left_out, filled = (
            log_loss(y, cross_val_predict(model, gaps, y, cv=folds, method="predict_proba"))
            for model in (GaussianNB(), make_pipeline(SimpleImputer(), GaussianNB()))
        )
        assert left_out < 0.95 * filled

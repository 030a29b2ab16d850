"""Chapter 10."""

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import t as student
from sklearn.calibration import calibration_curve
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.naive_bayes import BernoulliNB as Reference

from workbook.chapters.c10_naive_bayes_and_logistic_regression.claims import CLAIMS, lead_at
from workbook.chapters.c10_naive_bayes_and_logistic_regression.experiment import (
    COPIED,
    FEATURES,
    SEEDS,
    SIZES,
    TEST,
    learning_curve,
    letter_features,
    name_pair,
    names_for,
)
from workbook.explorers import GenerativeDiscriminativeExplorer

# --- Both models on the same names, against scikit-learn, plain counting and each other; and what the ledger says.


def test_features_are_those_of_the_names():
    X, y = letter_features()
    assert X.shape == (7203, len(FEATURES))
    assert (X[:, 26:].sum(axis=1) == 1).all(), "every name ends in one letter"
    assert (X[:, :26] >= X[:, 26:]).all(), "and contains it"
    assert y.mean() == pytest.approx(3932 / 7203)


@pytest.mark.parametrize("seed", [0, 7])
def test_a_split_is_balanced_at_every_size_and_shares_no_name(seed):
    _, y = letter_features()
    learn, test = names_for(seed)
    assert not set(learn) & set(test)
    assert len(test) == TEST
    assert y[test].mean() == 0.5
    assert all(y[learn[:n]].mean() == 0.5 for n in SIZES)
    assert len(learn) == SIZES[-1]


@pytest.mark.parametrize("copies", [1, 4])
@pytest.mark.parametrize("penalty", ["almost none", "usual"])
def test_both_fits_are_those_of_scikit_learn(copies, penalty):
    X, y = letter_features()
    learn, test = (X[rows] for rows in names_for(2))
    rows = names_for(2)
    wide = [np.hstack([part, *[part[:, [COPIED]]] * (copies - 1)]) for part in (learn[:200], test)]
    pair = name_pair(200, copies, penalty, 2)
    bayes = Reference().fit(wide[0], y[rows[0][:200]])
    np.testing.assert_allclose(pair.bayes.proba, bayes.predict_proba(wide[1])[:, 1], rtol=1e-9)
    C = {"almost none": 1e4, "usual": 1.0}[penalty]
    other = LogisticRegression(C=C, solver="newton-cg", tol=1e-10, max_iter=2000).fit(wide[0], y[rows[0][:200]])
    np.testing.assert_allclose(pair.logistic.proba, other.predict_proba(wide[1])[:, 1], atol=1e-5)
    decided = [fit.proba > 0.5 for fit in (pair.bayes, pair.logistic)]
    assert pair.accuracy == tuple(accuracy_score(y[rows[1]], d) for d in decided)


def test_totals_give_the_same_predictions_up_to_one_shift():
    X, _ = letter_features()
    _, test = names_for(1)
    for fit in (name_pair(500, 4, seed=1).bayes, name_pair(500, 4, seed=1).logistic):
        z, shifted = np.log(fit.proba / (1 - fit.proba)), X[test] @ fit.totals
        np.testing.assert_allclose(z - shifted, (z - shifted)[0], atol=1e-8)
        assert X[:, 26:].mean(axis=0) @ fit.totals[26:] == pytest.approx(0, abs=1e-10)


def test_bayes_counts_copies_and_logistic_regression_shares_the_weight():
    one, eight = name_pair(1000, 1), name_pair(1000, 8)
    assert eight.bayes.totals[COPIED] == pytest.approx(8 * one.bayes.totals[COPIED])
    copies = eight.logistic.weights[[COPIED, *range(len(FEATURES), len(FEATURES) + 7)]]
    np.testing.assert_allclose(copies, one.logistic.weights[COPIED] / 8, rtol=1e-3)


def test_with_a_penalty_copies_weaken_it_as_the_exercise_says():
    """c copies under penalty strength 1 are one column times sqrt(c)."""
    X, y = letter_features()
    learn, test = names_for(0)
    scale = np.where(np.arange(52) == COPIED, 2.0, 1.0)
    model = LogisticRegression(C=1.0, tol=1e-10, solver="newton-cholesky").fit(X[learn[:100]] * scale, y[learn[:100]])
    np.testing.assert_allclose(
        name_pair(100, 4, "usual").logistic.proba, expit(model.decision_function(X[test] * scale)), atol=1e-6
    )


def test_the_curves_are_the_means_of_the_pairs_and_cross():
    curve = learning_curve()
    assert curve.bayes.shape == curve.logistic.shape == (len(SIZES), SEEDS)
    assert curve.bayes[3, 5] == name_pair(100, seed=5).accuracy[0]
    lead, half = curve.lead
    gap = curve.logistic[3] - curve.bayes[3]
    assert lead[3] == pytest.approx(gap.mean())
    assert half[3] == pytest.approx(student.ppf(0.975, SEEDS - 1) * np.std(gap, ddof=1) / np.sqrt(SEEDS))
    assert np.sign(lead).tolist() == [-1, -1, -1, -1, 1, 1, 1, 1], "the crossing lies between 100 and 200 names"


@pytest.mark.parametrize("wrong", [dict(n=1), dict(n=2001), dict(copies=0), dict(penalty="strong")])
def test_wrong_settings_are_named(wrong):
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} must be"):
        name_pair(**wrong)


# --- the ledger ---------------------------------------------------------------------------------------------------


def test_the_verdicts_are_borne_out():
    linear, target, limit, faster, few = CLAIMS
    assert linear.holds()
    assert target.measure().value > 0
    assert lead_at(2000).low > 0, "on names it is so"
    assert f"{lead_at(2000).value:.3f}"[1:] in limit.note
    naive, logistic = limit.measure().value
    assert naive == pytest.approx(0.202 / 0.999, abs=5e-4)
    assert logistic > naive + 0.07
    assert all(np.diff(few.measure().value) > 0)
    assert faster.measure().high < 0
    assert lead_at(100, "usual").value > 0, "but with the usual penalty it does not outperform"


# --- Chapter 10's explorer shows nbcore's numbers, by routes of their own.


def traces(explorer, axis):
    figure = explorer.draw(explorer.compute(**explorer.state))
    return [trace for trace in figure.data if trace.xaxis == axis]


@pytest.mark.parametrize("state", [dict(), dict(n=1000, copies=8), dict(n=50, penalty="usual", seed=6)])
def test_the_reliability_is_that_of_scikit_learn(state):
    explorer = GenerativeDiscriminativeExplorer(**state)
    s = explorer.state
    pair = name_pair(s["n"], s["copies"], s["penalty"], s["seed"])
    for trace, fit in zip(traces(explorer, "x3"), (pair.bayes, pair.logistic), strict=True):
        said, true = np.concatenate([1 - fit.proba, fit.proba]), np.concatenate([1 - pair.y, pair.y])
        observed, mean = calibration_curve(true, said, n_bins=10)
        assert set(np.round(observed, 6)) == set(np.round(trace.y, 6))
        np.testing.assert_allclose(trace.x, mean, atol=0.01)


@pytest.mark.parametrize("copies", [1, 8])
def test_the_curve_at_the_size_in_view_is_the_mean_of_the_splits(copies):
    explorer = GenerativeDiscriminativeExplorer(n=200, copies=copies)
    bayes, logistic = traces(explorer, "x2")
    assert (bayes.name, logistic.name) == ("naive Bayes", "logistic")
    at = SIZES.index(200)
    X, y = letter_features()
    X = np.hstack([X, *[X[:, [COPIED]]] * (copies - 1)])
    by_hand = []
    for seed in range(10):
        learn, test = names_for(seed)
        by_hand.append(accuracy_score(y[test], Reference().fit(X[learn[:200]], y[learn[:200]]).predict(X[test])))
    assert bayes.y[at] == pytest.approx(np.mean(by_hand))
    assert logistic.y[at] == learning_curve(copies).logistic[at].mean()
    assert f"mean of 10 splits: {np.mean(by_hand):.3f}" in explorer.describe(explorer.compute(**explorer.state))


def test_every_feature_is_one_point_at_its_weights():
    explorer = GenerativeDiscriminativeExplorer(n=1000, copies=4)
    contains, ends, special = traces(explorer, "x")
    pair = name_pair(1000, 4)
    assert len(contains.x) == len(ends.x) == 26
    np.testing.assert_array_equal(np.concatenate([contains.x, ends.x]), pair.bayes.totals)
    np.testing.assert_array_equal(np.concatenate([contains.y, ends.y]), pair.logistic.totals)
    assert special.x[0] == pytest.approx(4 * name_pair(1000).bayes.totals[COPIED])
    sentence = explorer.describe(explorer.compute(**explorer.state))
    assert f"weighs {special.x[0]:+.2f} and {special.y[0]:+.2f} in all" in sentence


def test_all_points_lie_inside_the_panel():
    for n in SIZES:
        for copies in (1, 8):
            explorer = GenerativeDiscriminativeExplorer(n=n, copies=copies)
            figure = explorer.draw(explorer.compute(**explorer.state))
            for trace in traces(explorer, "x"):
                assert np.abs(trace.x).max() <= figure.layout.xaxis.range[1]
                assert np.abs(trace.y).max() <= figure.layout.yaxis.range[1]


def test_the_size_and_seed_sliders_fit_nothing_anew():
    explorer = GenerativeDiscriminativeExplorer()
    explorer.compute(**explorer.state)
    before = name_pair.cache_info().misses
    for n in SIZES:
        explorer.compute(**explorer.state | dict(n=n, seed=n % 10))
    assert name_pair.cache_info().misses == before

"""Chapter 10's explorer shows nbcore's numbers, by routes of their own."""

import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.metrics import accuracy_score
from sklearn.naive_bayes import BernoulliNB as Reference

from workbook.chapters.c10_naive_bayes_and_logistic_regression.experiment import (
    COPIED,
    SIZES,
    learning_curve,
    letter_features,
    name_pair,
    names_for,
)
from workbook.explorers import GenerativeDiscriminativeExplorer


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

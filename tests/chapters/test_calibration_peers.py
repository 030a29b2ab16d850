"""Chapter 06's experiment: every method against a route of its own."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, logit
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import brier_score_loss, log_loss

from nbcore.calibration import temperature_scale
from nbcore.datasets import name_ngrams
from nbcore.naive_bayes import MultinomialNB
from nbcore.perplexed import PerplexedBayes, k_grid
from workbook.chapters.c06_calibration.experiment import (
    PEERS,
    flat_k,
    log_joint,
    log_odds,
    naive_posterior,
    peer_posterior,
    scores,
    training_k,
    validated_k,
)
from workbook.chapters.names import names_split


@pytest.fixture(scope="module")
def split():
    return names_split(3, seed=2)


def eq20(part, k):
    """Posteriors of eq. (20) from a log-odds difference: two classes only."""
    male = expit(k / (part.evidence[2] + 1) * log_odds(part))
    return np.column_stack([1 - male, male])


def rmse_by_hand(part, k):
    """RMSE of ten bins, by numpy's own histogram."""
    p, true = eq20(part, k).ravel(), (part.y[:, None] == [0, 1]).ravel().astype(float)
    count, edges = np.histogram(p, 10, (0, 1))
    came = np.histogram(p, 10, (0, 1), weights=true)[0][count > 0] / count[count > 0]
    return np.sqrt(np.mean((came - (edges[:-1] + 0.05)[count > 0]) ** 2))


def test_naive_posterior_is_the_models_own(split):
    X, _ = name_ngrams(split.test.names, 3, split.vocabulary)
    np.testing.assert_allclose(naive_posterior(split.test), split.model.predict_proba(X), atol=1e-12)
    assert np.array_equal(log_odds(split.test) > 0, split.model.predict(X) == 1)


@pytest.mark.parametrize("max_n", [1, 2, 5])
def test_the_flat_k_is_that_of_the_whole_grid(max_n):
    learn = names_split(max_n, 1).training
    X, _ = name_ngrams(learn.names, max_n)
    assert flat_k(names_split(max_n, 1)) == PerplexedBayes(MultinomialNB(), k="flat").fit(X, learn.y).k_


def test_the_other_ks_have_the_smallest_rmse_of_the_grid(split):
    for k, part in ((validated_k(split), split.validation), (training_k(split), split.training)):
        errors = [rmse_by_hand(part, grid_k) for grid_k in k_grid(part.evidence[2])]
        assert rmse_by_hand(part, k) == pytest.approx(min(errors), abs=1e-3)  # an edge may fall to either bin
    assert training_k(split) > 1.1 * validated_k(split) > 1.1 * flat_k(split)


def test_temperature_and_platt_have_the_least_log_loss_on_the_validation_names(split):
    held = split.validation

    def loss(ab):
        return np.logaddexp(0, -(2 * held.y - 1) * (ab[0] * log_odds(held) + ab[1])).mean()

    a, b = minimize(loss, [0.3, 0.0], tol=1e-10).x
    np.testing.assert_allclose(peer_posterior(split, "Platt")[:, 1], expit(a * log_odds(split.test) + b), atol=1e-4)
    inverse_t = minimize(lambda t: loss([t[0], 0.0]), [0.3], tol=1e-10).x[0]
    np.testing.assert_allclose(
        peer_posterior(split, "temperature"), temperature_scale(log_joint(split.test), 1 / inverse_t), atol=1e-4
    )


def test_isotonic_is_the_staircase_of_the_pooled_means(split):
    """Pool adjacent violators: at each validation name, max over starts of the min over ends of the mean between."""
    held = split.validation
    order = np.argsort(log_odds(held), kind="stable")
    y, at = held.y[order].astype(float), log_odds(held)[order]
    total = np.concatenate([[0], np.cumsum(y)])
    means = (total[None, 1:] - total[:-1, None]) / np.maximum(
        np.arange(len(y))[None] - np.arange(len(y))[:, None] + 1, 1
    )
    means[np.tril_indices(len(y), -1)] = np.inf
    stairs = np.maximum.accumulate(np.minimum.accumulate(means[:, ::-1], axis=1)[:, ::-1], axis=0)[
        np.arange(len(y)), np.arange(len(y))
    ]
    by_hand = np.interp(log_odds(split.test), at, stairs)
    np.testing.assert_allclose(peer_posterior(split, "isotonic")[:, 1], by_hand, atol=1e-9)


def test_the_trap_is_what_scikit_learn_does(split):
    """Its sigmoid on the posterior: up to Platt's smoothing of the targets, which 1,153 names barely feel."""
    held, learn = split.validation, split.training
    first = ~np.isin(
        np.char.add(learn.names.astype(str), learn.y.astype(str)),
        np.char.add(held.names.astype(str), held.y.astype(str)),
    )
    X, vocabulary = name_ngrams(learn.names[first], 3)
    earlier = FrozenEstimator(MultinomialNB().fit(X, learn.y[first]))
    X_held, _ = name_ngrams(held.names, 3, vocabulary)
    sigmoid = (
        CalibratedClassifierCV(earlier, method="sigmoid").fit(X_held, held.y).calibrated_classifiers_[0].calibrators[0]
    )
    male = naive_posterior(split.test)[:, 1]
    theirs, ours = sigmoid.predict(male), peer_posterior(split, "sigmoid trap")[:, 1]
    np.testing.assert_allclose(ours, theirs, atol=2e-3)
    slope, start = np.polyfit(male, logit(ours), 1)
    np.testing.assert_allclose(logit(ours), start + slope * male, atol=1e-9)


def test_scores_by_hand():
    y, male = np.array([0, 1, 1, 0]), np.array([0.1, 0.9, 0.4, 0.3])
    s = scores(y, np.column_stack([1 - male, male]), bins=2)
    assert s.brier == pytest.approx(np.mean((male - y) ** 2))
    assert s.log_loss == pytest.approx(-np.mean(np.log([0.9, 0.9, 0.4, 0.7])))
    # left bin: .1 .4 .3 of male, .1 of female: one true of four; the right one mirrors it
    assert s.rmse == pytest.approx(0)
    assert s.ece == pytest.approx(abs(0.25 - 0.225))


@pytest.mark.parametrize("name", ["isotonic", "Platt"])
def test_brier_and_log_loss_are_scikit_learns(split, name):
    y, p = split.test.y, peer_posterior(split, name)
    s = scores(y, p)
    assert s.brier == pytest.approx(brier_score_loss(y, p[:, 1]), rel=1e-12)
    assert s.log_loss == pytest.approx(log_loss(y, p), rel=1e-12)
    if name == "isotonic":
        assert (p[np.arange(len(y)), y] == 0).any(), "the case that needs the cut-off"


def test_an_unknown_peer(split):
    with pytest.raises(ValueError, match="'temperature', 'Platt', 'isotonic'"):
        peer_posterior(split, "spline")
    assert set(PEERS) == {"temperature", "Platt", "isotonic", "sigmoid trap"}

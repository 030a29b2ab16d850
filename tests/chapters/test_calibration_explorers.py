"""Chapter 06's explorers show nbcore's numbers, and these agree with counting by numpy."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.metrics import brier_score_loss, log_loss, precision_score, recall_score

from workbook.chapters.c06_calibration.experiment import flat_k, log_odds, peer_posterior, validated_k
from workbook.chapters.c06_calibration.reliability import NAIVE, NOTHING, TOGETHER, K
from workbook.chapters.names import names_split
from workbook.explorers import ReliabilityExplorer, ThresholdExplorer


def result(explorer, **state):
    return explorer.compute(**explorer.state | state)


def eq20(part, k):
    """P(male) by eq. (20), from log odds."""
    return expit(k / (part.evidence[2] + 1) * log_odds(part))


def both(male):
    return np.column_stack([1 - male, male])


def traces(explorer, r):
    return {trace.name: trace for trace in explorer.draw(r).data if trace.name}


# --- reliability --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("k", "max_n", "bins", "seed"), [(4.47, 5, 10, 0), (3.0, 2, 7, 3)])
def test_the_curves_are_counts(k, max_n, bins, seed):
    explorer = ReliabilityExplorer(k=k, lengths=str(max_n), bins=bins, seed=seed)
    r = result(explorer)
    test = names_split(max_n, seed).test
    true = both(test.y).ravel().astype(float)
    for curve, male in zip(r.curves, (eq20(test, r.k), expit(log_odds(test))), strict=True):
        p = both(male).ravel()
        edges = np.arange(bins + 1) / bins
        count = np.histogram(p, edges)[0]
        came = np.histogram(p, edges, weights=true)[0]
        np.testing.assert_allclose(curve.diagram.count, count, atol=1)  # 1 - p may round over an edge
        np.testing.assert_allclose(curve.diagram.observed, came / count, atol=0.03)
        assert curve.scores.brier == pytest.approx(brier_score_loss(test.y, male))
        assert curve.scores.log_loss == pytest.approx(log_loss(test.y, both(male)))
    drawn = traces(explorer, r)
    assert np.array_equal(drawn["k"].y, r.curves[0].diagram.observed)
    assert np.array_equal(drawn["NB"].customdata, r.curves[1].diagram.count)
    assert f"RMSE {r.curves[0].diagram.rmse():.3f}" in explorer.describe(r)


def test_the_table_shows_the_scores():
    explorer = ReliabilityExplorer(rival="isotonic")
    r = result(explorer)
    shown = {note.text for note in explorer.draw(r).layout.annotations}
    for s in (curve.scores for curve in r.curves):
        assert {f"{x:.3f}".removeprefix("0") for x in (s.rmse, s.ece, s.brier, s.log_loss)} <= shown


def test_figure_1_is_naive_bayes_with_each_length():
    r = result(ReliabilityExplorer(), **ReliabilityExplorer.presets["Figure 1"])
    assert [(c.method, c.max_n) for c in r.curves] == [(NAIVE, n) for n in (1, 2, 4, 5)]
    for c in r.curves:
        test = names_split(c.max_n).test
        assert c.accuracy == np.mean((log_odds(test) > 0) == test.y)


def test_figures_4_and_5_stand_at_the_step_next_to_their_k():
    for name, rule in (("Figure 4", flat_k), ("Figure 5", validated_k)):
        k = ReliabilityExplorer().preset(name).state["k"]
        assert k == pytest.approx(rule(names_split(5)), rel=0.03)


def test_flat_is_too_modest_and_validated_is_straight():
    """Above the diagonal on the right: Figure 4. Both make the same decisions as naive Bayes."""
    flat, straight = (result(ReliabilityExplorer().preset(name)) for name in ("Figure 4", "Figure 5"))
    assert (flat.curves[0].diagram.observed[5:] > (np.arange(5, 10) + 0.5) / 10).all()
    assert straight.curves[0].scores.rmse < flat.curves[0].scores.rmse < flat.curves[1].scores.rmse
    assert flat.curves[0].accuracy == straight.curves[0].accuracy == flat.curves[1].accuracy


def test_peers_are_shown_as_fitted():
    r = result(ReliabilityExplorer(method="temperature", rival="Platt", seed=1))
    split = names_split(5, 1)
    for curve in r.curves:
        p = peer_posterior(split, curve.method)
        assert curve.scores.brier == pytest.approx(np.mean((p[:, 1] - split.test.y) ** 2))


def test_nothing_is_drawn_twice():
    for state in (dict(method=NAIVE, rival=NAIVE), dict(rival=NOTHING)):
        assert len(result(ReliabilityExplorer(**state)).curves) == 1
    assert len(result(ReliabilityExplorer(lengths=TOGETHER)).curves) == 5


def test_moving_k_fits_nothing_again(monkeypatch):
    explorer = ReliabilityExplorer(rival="Platt", seed=4)
    result(explorer)
    monkeypatch.setattr("workbook.chapters.c06_calibration.reliability.peer_posterior", None)
    monkeypatch.setattr("workbook.chapters.c06_calibration.reliability.naive_posterior", None)
    assert result(explorer, k=2.0, bins=5).curves[0].method == K


# --- thresholds ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("wanted", "threshold"), [("female", 0.8), ("male", 0.35)])
def test_precision_and_recall_are_scikit_learns(wanted, threshold):
    explorer = ThresholdExplorer(wanted=wanted, threshold=threshold, seed=2)
    r = result(explorer)
    test = names_split(5, 2).test
    mine = test.y == ("female", "male").index(wanted)
    for (n, precision, recall), male in zip(r.at, (eq20(test, r.k), expit(log_odds(test))), strict=True):
        selected = (male if wanted == "male" else 1 - male) >= threshold
        assert n == selected.sum()
        assert precision == pytest.approx(precision_score(mine, selected))
        assert recall == pytest.approx(recall_score(mine, selected))
    at = round(100 * threshold)
    assert (r.curves[wanted][0][at], r.curves[wanted][1][at]) == pytest.approx(r.at[0][1:])
    (thick,) = [t for t in explorer.draw(r).data if t.name == "precision" and t.showlegend]
    assert np.array_equal(thick.y, r.curves[wanted][0])
    assert f"precision {r.at[0][1]:.3f}, recall {r.at[0][2]:.3f}" in explorer.describe(r)


def test_table_1_counts_every_decision_once():
    explorer = ThresholdExplorer(k=2.66)
    r = result(explorer)
    test = names_split(5).test
    male = eq20(test, r.k)
    confidence, right = np.maximum(male, 1 - male), (male > 0.5) == test.y
    assert list(r.table.count) == list(np.histogram(confidence, np.arange(5, 11) / 10)[0])
    assert np.dot(r.table.count, r.table.accuracy) == pytest.approx(right.sum())
    assert np.dot(r.naive_table.count, r.naive_table.accuracy) == pytest.approx(right.sum())
    bars = [trace for trace in explorer.draw(r).data if trace.type == "bar"]
    assert np.array_equal(bars[0].y, r.table.count)
    assert np.array_equal(bars[1].y, r.naive_table.count)

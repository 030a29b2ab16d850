"""Chapter 06."""

from itertools import pairwise
from pathlib import Path

import nbformat
import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, logit
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import brier_score_loss, log_loss, precision_score, recall_score

from nbcore.calibration import temperature_scale
from nbcore.datasets import name_ngrams
from nbcore.naive_bayes import MultinomialNB
from nbcore.perplexed import PerplexedBayes, k_grid
from workbook.chapters.c06_calibration.claims import CLAIMS, STATED
from workbook.chapters.c06_calibration.experiment import (
    LENGTHS,
    PEERS,
    TABLE_1,
    flat_k,
    log_joint,
    log_odds,
    naive_posterior,
    paper_splits,
    peer_posterior,
    scores,
    training_k,
    validated_k,
)
from workbook.chapters.c06_calibration.paper_names import HOW_TO, on_the_papers_names
from workbook.chapters.c06_calibration.reliability import NAIVE, NOTHING, TOGETHER, K
from workbook.chapters.names import names_split
from workbook.explorers import ReliabilityExplorer, ThresholdExplorer
from workbook.page.formula import spoken

from .calculator import calculated

# --- Chapter 06's experiment: every method against a route of its own.


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


# --- Chapter 06's explorers show nbcore's numbers, and these agree with counting by numpy.


def result(explorer, **state):
    return explorer.compute(**explorer.state | state)


def eq20_of_split(part, k):
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
    for curve, male in zip(r.curves, (eq20_of_split(test, r.k), expit(log_odds(test))), strict=True):
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


@pytest.mark.parametrize(
    "state",
    [
        dict(),
        dict(k=0.501, bins=2),
        dict(k=50.0, bins=20, seed=9),
        dict(method=NAIVE, lengths="1"),
        dict(bins=7, k=2.0),
    ],
    ids=str,
)
def test_the_printed_bin_is_counted_and_no_other_is_farther_off(state):
    explorer = ReliabilityExplorer(rival=NOTHING, **state)
    r = result(explorer)
    test = names_split(r.curves[0].max_n, r.seed).test
    p = both(expit(log_odds(test)) if r.curves[0].method == NAIVE else eq20_of_split(test, r.k)).ravel()
    edges = np.arange(r.bins + 1) / r.bins
    pairs = np.histogram(p, edges)[0]
    came = np.histogram(p, edges, weights=both(test.y).ravel().astype(float))[0]
    printed = spoken(explorer.explain(r))
    where, rest = printed.removeprefix("farthest from the diagonal, ").split(": ")
    at = [f"{low:.2f} to {high:.2f}" for low, high in pairwise(edges)].index(where)
    share, promise = rest.split(" , promised ")
    (quotient, share), (middle, gap) = share.split(" = "), promise.split(" , gap = ")
    counted, of = (calculated(part) for part in quotient.split(" / "))
    assert (counted, of) == pytest.approx((came[at], pairs[at]), abs=1)  # 1 - p may round over an edge
    assert calculated(share) == pytest.approx(counted / of, abs=5.1e-4)
    assert calculated(middle) == pytest.approx((edges[at] + edges[at + 1]) / 2, abs=5.1e-4)
    assert calculated(f"{share} - {middle}") == pytest.approx(calculated(gap), abs=1.1e-3)
    full = pairs > 0
    off = np.abs(came[full] / pairs[full] - ((edges[:-1] + edges[1:]) / 2)[full])
    assert abs(calculated(gap)) == pytest.approx(off.max(), abs=2 / pairs[full].min())


@pytest.mark.parametrize("bins", [3, 10, 20])
def test_the_last_bar_stands_where_each_k_would_put_it(bins):
    explorer = ReliabilityExplorer(bins=bins, lengths="3", seed=2)
    handles = {h["controls"][0]: h for h in explorer.draw(result(explorer)).layout.meta["handles"]}
    for k, place in list(zip(ReliabilityExplorer.k.values, handles["k"]["places"], strict=True))[::8]:
        d = result(explorer, k=k).curves[0].diagram
        assert place == pytest.approx(d.count[-1] / d.count.sum(), abs=1.1 / d.count.sum())
    assert np.all(np.diff(handles["k"]["places"]) >= 0)
    assert list(handles["bins"]["places"]) == [1 - 1 / B for B in range(2, 21)]


def test_k_can_be_dragged_only_where_it_moves_something():
    for state in (dict(method=NAIVE), dict(bins=2)):
        explorer = ReliabilityExplorer(**state)
        assert [h["controls"] for h in explorer.draw(result(explorer)).layout.meta["handles"]] == [["bins"]]


# --- thresholds ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("wanted", "threshold"), [("female", 0.8), ("male", 0.35)])
def test_precision_and_recall_are_scikit_learns(wanted, threshold):
    explorer = ThresholdExplorer(wanted=wanted, threshold=threshold, seed=2)
    r = result(explorer)
    test = names_split(5, 2).test
    mine = test.y == ("female", "male").index(wanted)
    for (n, precision, recall), male in zip(r.at, (eq20_of_split(test, r.k), expit(log_odds(test))), strict=True):
        selected = (male if wanted == "male" else 1 - male) >= threshold
        assert n == selected.sum()
        assert precision == pytest.approx(precision_score(mine, selected))
        assert recall == pytest.approx(recall_score(mine, selected))
    at = round(100 * threshold)
    assert (r.curves[wanted][0][at], r.curves[wanted][1][at]) == pytest.approx(r.at[0][1:])
    (thick,) = [t for t in explorer.draw(r).data if t.name == "precision" and t.showlegend]
    assert np.array_equal(thick.y, r.curves[wanted][0])
    assert f"precision {r.at[0][1]:.3f}, recall {r.at[0][2]:.3f}" in explorer.describe(r)


@pytest.mark.parametrize(
    ("wanted", "threshold", "k"),
    [("female", 0.8, 4.47), ("male", 0.0, 50.0), ("male", 1.0, 0.501), ("female", 0.99, 0.501), ("male", 0.35, 2.0)],
)
def test_the_printed_price_and_precision_are_counted(wanted, threshold, k):
    explorer = ThresholdExplorer(wanted=wanted, threshold=threshold, k=k, seed=1)
    r = result(explorer)
    test = names_split(5, 1).test
    male = eq20_of_split(test, r.k)
    selected = (male if wanted == "male" else 1 - male) >= threshold
    hits = np.sum(selected & (test.y == ("female", "male").index(wanted)))
    printed = spoken(explorer.explain(r)).removeprefix("if calibrated, this threshold prices a wrong name at ")
    price, precision = printed.split(" missed; precision ")
    odds, ratio = price.split(" = ")
    if threshold == 1:
        assert (odds, ratio) == ("(1.00) / (0.00)", "∞")
    else:
        assert calculated(ratio) == pytest.approx(threshold / (1 - threshold), rel=5.1e-3)
        assert calculated(odds) == pytest.approx(calculated(ratio), rel=5.1e-3)
    if not selected.any():
        assert precision == "of no name: 1.000", "none is selected, so none wrongly"
    else:
        quotient, answer = precision.split(" = ")
        assert quotient == f"({hits:,}) / ({selected.sum():,})"
        assert calculated(answer) == pytest.approx(calculated(quotient), abs=5.1e-4)


def test_the_bar_of_the_surest_stands_where_each_k_would_put_it():
    explorer = ThresholdExplorer(max_n=2, seed=3)
    (bar,) = [h for h in explorer.draw(result(explorer)).layout.meta["handles"] if h["controls"] == ["k"]]
    for k, place in list(zip(ThresholdExplorer.k.values, bar["places"], strict=True))[::8]:
        assert place == result(explorer, k=k).table.count[-1]


def test_table_1_counts_every_decision_once():
    explorer = ThresholdExplorer(k=2.66)
    r = result(explorer)
    test = names_split(5).test
    male = eq20_of_split(test, r.k)
    confidence, right = np.maximum(male, 1 - male), (male > 0.5) == test.y
    assert list(r.table.count) == list(np.histogram(confidence, np.arange(5, 11) / 10)[0])
    assert np.dot(r.table.count, r.table.accuracy) == pytest.approx(right.sum())
    assert np.dot(r.naive_table.count, r.naive_table.accuracy) == pytest.approx(right.sum())
    bars = [trace for trace in explorer.draw(r).data if trace.type == "bar"]
    assert np.array_equal(bars[0].y, r.table.count)
    assert np.array_equal(bars[1].y, r.naive_table.count)


# --- Each statement of Carlos (2015), section 5: our number bears out the verdict that the ledger gives.

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "06_calibration.ipynb"
PRINTED = [claim for claim in CLAIMS if claim.verdict == "cannot be"]


def measured(words):
    """The measurement of the one entry whose statement has these words."""
    (claim,) = [claim for claim in CLAIMS if words in claim.statement]
    return claim.measure()


@pytest.mark.parametrize(
    "claim", [c for c in CLAIMS if c.stated is not None and c not in PRINTED], ids=lambda c: c.statement[:40]
)
def test_a_stated_number_agrees_where_the_verdict_says_so(claim, papers_data):
    """Computed from the names; the ledger's own test takes these from its file."""
    assert claim.holds() == (claim.verdict == "reproduced")


@pytest.mark.parametrize("claim", PRINTED, ids=lambda c: c.statement[:40])
def test_the_paper_contradicts_itself_without_any_data(claim):
    assert claim.holds() is False
    assert claim.measure().is_exact


def test_the_stated_numbers_are_all_there():
    stated = [claim.stated for claim in CLAIMS[:12]]
    assert stated == [*STATED["accuracy"], *STATED["rmse_naive"], *STATED["rmse_validated"]]
    for which in TABLE_1:
        assert sum(TABLE_1[which][0]) == 1590


def test_sentences_without_a_number(papers_data):
    assert min(measured("calibration of naive Bayes deteriorates").low) > 0
    assert max(measured("spread more evenly").high) < 0.5
    better = measured("better calibrated")
    assert max(better.value) < 0.5
    assert max(better.high) < 1
    random = measured("almost randomly")
    assert random.high < 0.6


def test_a_split_by_the_estimators_themselves(papers_data):
    """One number of the 80, by the public route: fit, choose k, predict."""
    from nbcore.calibration import reliability_bins
    from nbcore.datasets import name_ngrams

    split = names_split(2, 4, "paper")
    X, vocabulary = name_ngrams(split.training.names, 2)
    X_test, _ = name_ngrams(split.test.names, 2, vocabulary)
    for name, k in (("rmse_validated", validated_k(split)), ("rmse_flat", flat_k(split))):
        proba = PerplexedBayes(MultinomialNB(), k=k).fit(X, split.training.y).predict_proba(X_test)
        assert paper_splits(2, name)[4] == pytest.approx(reliability_bins(split.test.y, proba).rmse(), abs=1e-6)
    assert paper_splits(2, "k_flat")[4] == flat_k(split)


def test_the_page_shows_the_ledgers_numbers(papers_data):
    """nbval passes over this cell, since it says something else where the names are not: so it is compared here."""
    (cell,) = [cell for cell in nbformat.read(NOTEBOOK, 4).cells if cell.id == "paper-run"]
    (output,) = cell.outputs
    table = on_the_papers_names()
    assert output.data["text/plain"] == repr(table)
    assert [claim.stated for claim, _ in table.rows[:12]] == [claim.stated for claim in CLAIMS[:12]]
    assert repr(table).count("differs") == 3
    assert len(LENGTHS) * 3 + 1 == len(table.rows)


def test_without_the_names_it_says_how_to_get_them(tmp_path, monkeypatch):
    monkeypatch.setenv("NBCORE_DATA", str(tmp_path))
    assert repr(on_the_papers_names()) == HOW_TO
    assert not list(tmp_path.iterdir()), "nothing is downloaded unasked"

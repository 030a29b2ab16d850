"""Consistency bars and over-confidence, counted again."""

import numpy as np
import pytest

from nbcore.diagnosis import calibration
from nbcore.diagnosis.calibration import find_calibration, reliability, simulate_consistency
from nbcore.diagnosis.case import Case
from tests.diagnosis.worlds import bells, case_of, too_sure, too_unsure


@pytest.fixture(scope="module")
def case():
    return case_of(too_sure)


def test_calibrated_posteriors_lose_their_entropy_and_are_right_as_often_as_they_say():
    rng = np.random.default_rng(1)
    p = rng.dirichlet([1, 2, 3], size=50)
    loss, right = simulate_consistency(p, 4000)
    assert (loss.shape, right.shape) == ((4000,), (4000, 50))
    assert loss.mean() == pytest.approx(-(p * np.log(p)).sum(axis=1).mean(), abs=0.01)
    spread = (p * np.log(p) ** 2).sum(axis=1) - (p * np.log(p)).sum(axis=1) ** 2
    assert loss.std() == pytest.approx(np.sqrt(spread.mean() / 50), rel=0.05)
    np.testing.assert_allclose(right.mean(axis=0), p.max(axis=1), atol=0.04)
    assert loss[:2000].mean() == pytest.approx(loss[2000:].mean(), abs=0.01), "every block is drawn anew"
    assert not (right[:2000] == right[2000:]).all()


def test_certain_posteriors_lose_nothing_and_are_never_wrong():
    loss, right = simulate_consistency(np.array([[1.0, 0.0], [0.0, 1.0]] * 30), 20)
    np.testing.assert_array_equal(loss, 0)
    assert right.all()
    assert len(simulate_consistency(np.full((10, 2), 0.5))[0]) == calibration.DRAWS


def test_a_draw_that_ties_with_what_was_found_counts_on_both_sides():
    assert calibration.two_sided_p_value(2.0, np.array([1.0, 2.0, 2.0, 5.0])) == 1
    assert calibration.two_sided_p_value(5.0, np.array([1.0, 2.0, 2.0, 5.0])) == 0.5
    assert calibration.two_sided_p_value(1.0, np.array([1.0, 2.0, 2.0, 5.0])) == 0.5


def test_each_of_ten_bins_has_its_mean_posterior_its_share_right_and_a_bar_of_95_percent(case):
    p, right = np.exp(case.log_p).max(axis=1), case.log_p.argmax(axis=1) == case.code
    bins = reliability(case)
    edges = np.minimum(np.floor(10 * p), 9)
    assert sum(b["rows"] for b in bins) == case.n
    for b, edge in zip(bins, np.unique(edges), strict=True):
        here = edges == edge
        assert b["rows"] == here.sum()
        assert b["posterior"] == pytest.approx(p[here].mean())
        assert b["right"] == pytest.approx(right[here].mean())
        drawn = (np.random.default_rng(7).random((4000, here.sum())) < p[here]).mean(axis=1)
        assert (b["low"], b["high"]) == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=1.01 / here.sum())


def test_a_posterior_of_1_is_in_the_last_bin():
    A, a, B, b, model = bells(0)
    case = Case(model.fit(A + 40.0 * a[:, None], a), B + 40.0 * b[:, None], b)
    assert case.log_p.max() == 0
    (only,) = reliability(case)
    assert (only["posterior"], only["right"], only["low"], only["high"], only["rows"]) == (1, 1, 1, 1, case.n)


@pytest.mark.parametrize(("world", "word", "way"), [(too_sure, "sure", 1), (too_unsure, "unsure", -1)])
def test_the_model_is_told_what_it_says_of_itself_and_what_is_so(world, word, way):
    case = case_of(world)
    found = find_calibration(case)
    p, right = np.exp(case.log_p), case.log_p.argmax(axis=1) == case.code
    assert found.number == pytest.approx(p.max(axis=1).mean() - right.mean())
    assert np.sign(found.number) == way
    assert found.interval[0] < found.number < found.interval[1]
    expected = -(p * np.log(np.maximum(p, 1e-300))).sum(axis=1).mean()
    assert found.details["expected"] == pytest.approx(expected, abs=0.01)
    assert found.sentence == (
        f"The model is too {word} of itself: it says {100 * p.max(axis=1).mean():.1f} % on average and is right in "
        f"{100 * right.mean():.1f} %; it expects to lose {found.details['expected']:.3f} nats a row and loses "
        f"{case.losses.mean():.3f}."
    )
    assert 0 <= found.details["chance"] < 0.05 / 8
    assert found.details["bins"] == reliability(case)
    names = {remedy.name for remedy in found.remedies}
    assert names == {"one temperature", "Perplexed Bayes, eq. (20)", "isotonic regression"}


def test_what_chance_may_do_is_no_finding_on_either_side():
    """Losses at the quantiles of what calibrated posteriors give: two-sided, at the level of one finding."""
    case = case_of(bells)
    expected, _ = simulate_consistency(np.exp(case.log_p))
    for quantile in (0.0025, 0.01, 0.5, 0.99):
        case.losses = np.full(case.n, np.quantile(expected, quantile))
        case.cache = {}
        assert find_calibration(case) is None, "a remedy is looked for on the outside alone, and gains nothing there"
        assert ("temperature" in case.cache) == (quantile == 0.0025)


def test_of_very_many_rows_some_are_drawn_for_from_the_whole_file(monkeypatch):
    """The first class comes first: a beginning alone would not do."""
    A, a, B, b, model = too_sure(0)
    order = np.argsort(b, kind="stable")
    case = Case(model.fit(A, a), B[order], b[order])
    monkeypatch.setattr(calibration, "MOST_ROWS", 100)
    bins = reliability(case)
    assert sum(b["rows"] for b in bins) == 100
    looked_at = calibration._sampled_rows(case)
    assert 30 < case.code[looked_at].sum() < 70
    assert len(set(looked_at.tolist())) == 100
    monkeypatch.setattr(calibration, "MOST_ROWS", case.n)
    np.testing.assert_array_equal(calibration._sampled_rows(case), np.arange(case.n))

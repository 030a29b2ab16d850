"""Over-confidence, counted again."""

import numpy as np
import pytest

from nbcore.diagnosis import calibration
from nbcore.diagnosis.calibration import find_calibration, simulate_losses
from nbcore.diagnosis.case import Case
from tests.diagnosis.worlds import bells, case_of, outliers, too_sure, too_unsure


def test_calibrated_posteriors_lose_their_entropy():
    rng = np.random.default_rng(1)
    p = rng.dirichlet([1, 2, 3], size=50)
    loss = simulate_losses(p, 4000)
    assert loss.shape == (4000,)
    assert loss.mean() == pytest.approx(-(p * np.log(p)).sum(axis=1).mean(), abs=0.01)
    spread = (p * np.log(p) ** 2).sum(axis=1) - (p * np.log(p)).sum(axis=1) ** 2
    assert loss.std() == pytest.approx(np.sqrt(spread.mean() / 50), rel=0.05)
    assert loss[:2000].mean() == pytest.approx(loss[2000:].mean(), abs=0.01), "every block is drawn anew"
    np.testing.assert_array_equal(simulate_losses(np.array([[1.0, 0.0], [0.0, 1.0]] * 30), 20), 0)


@pytest.mark.parametrize(("world", "word"), [(too_sure, "sure"), (too_unsure, "unsure"), (outliers, "sure")])
def test_what_the_model_says_of_itself_stands_beside_what_is_so(world, word):
    case = case_of(world)
    found = find_calibration(case)
    p, wrong = np.exp(case.log_p), case.log_p.argmax(axis=1) != case.code
    expected = -(p * np.log(np.maximum(p, 1e-300))).sum(axis=1).mean()
    assert found.details["expected"] == pytest.approx(expected, abs=0.01)
    top = p.max(axis=1)
    certain, due = (top[wrong] > 0.99).sum(), (1 - top[top > 0.99]).sum()
    assert found.sentence == (
        f"The model is too {word} of itself: it says {p.max(axis=1).mean():.1%} on average and is right in "
        f"{1 - wrong.mean():.1%}; it expects to lose {found.details['expected']:.3f} nats a row and loses "
        f"{case.losses.mean():.3f}. {certain} of {wrong.sum()} errors have a posterior above .99, where {due:.1f} were "
        "due."
    )
    names = {remedy.name for remedy in found.remedies}
    assert names == {"one temperature", "Perplexed Bayes, eq. (20)", "isotonic regression"}


def test_what_chance_may_do_is_no_finding_on_either_side():
    """Losses at the quantiles of what calibrated posteriors give: two-sided, at the level of one finding."""
    case = case_of(bells)
    expected = simulate_losses(np.exp(case.log_p[np.random.default_rng(0).permutation(case.n)]))
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
    drawn = []
    monkeypatch.setattr(calibration, "MOST_ROWS", 100)
    monkeypatch.setattr(calibration, "simulate_losses", lambda p: drawn.append(p) or np.zeros(9))
    find_calibration(case)
    assert len(drawn[0]) == 100
    rows = [np.flatnonzero((np.exp(case.log_p) == p).all(axis=1))[0] for p in drawn[0]]
    assert 30 < case.code[rows].sum() < 70

"""Every interval against scipy, a bootstrap, or the share of cases that it holds."""

import numpy as np
import pytest
from scipy import stats

from workbook.ledger import intervals as iv

RUNS = np.random.default_rng(0).normal(0.8, 0.05, (20, 3))


def test_a_normal_interval_holds_95_of_100():
    estimate, low, high = iv.normal_interval(0.3, 0.1)
    assert (estimate, high - estimate) == (0.3, pytest.approx(estimate - low))
    assert stats.norm.cdf(iv.Z) - stats.norm.cdf(-iv.Z) == pytest.approx(0.95, abs=1e-4)


def test_the_mean_is_bounded_by_its_standard_error():
    mean, low, high = iv.mean_interval(RUNS)
    np.testing.assert_allclose(mean, RUNS.mean(axis=0))
    np.testing.assert_allclose(high - mean, stats.t.ppf(0.975, 19) * stats.sem(RUNS))
    _, _, wider = iv.mean_interval(RUNS, numbers=3)
    np.testing.assert_allclose(wider - mean, stats.t.ppf(1 - 0.025 / 3, 19) * stats.sem(RUNS))
    np.testing.assert_allclose(mean - low, high - mean)


def test_one_further_run_by_students_t():
    """y - mean over s sqrt(1 + 1/n) is t with n - 1 degrees of freedom."""
    mean, low, high = iv.prediction_interval(RUNS)
    scale = stats.sem(RUNS) * np.sqrt(len(RUNS) + 1)  # s sqrt(1 + 1/n)
    np.testing.assert_allclose([low, high], stats.t.interval(0.95, len(RUNS) - 1, mean, scale))
    assert [float(end[0]) for end in (mean, low, high)] == pytest.approx(iv.prediction_interval(RUNS[:, 0]))
    assert iv.prediction_interval([0.97, 0.99, 0.995], highest=1.0)[2] == 1.0


def test_the_prediction_interval_holds_the_next_run():
    """Twenty draws predict the next one in 95 of 100 cases."""
    draws = np.random.default_rng(0).standard_normal((4000, 21))
    _, low, high = iv.prediction_interval(draws[:, :20].T)
    inside = (draws[:, 20] > low) & (draws[:, 20] < high)
    assert inside.mean() == pytest.approx(0.95, abs=0.012)


@pytest.mark.parametrize(("right", "n"), [(50, 100), (2089, 2189), (0, 20), (20, 20), (1, 3)])
def test_a_proportion_has_scipys_wilson_interval(right, n):
    found, low, high = iv.proportion_interval(right / n, n)
    by_scipy = stats.binomtest(right, n).proportion_ci(method="wilson")
    np.testing.assert_allclose([low, high], by_scipy, atol=1e-12)
    assert 0 <= low <= found <= high <= 1


def test_a_measured_says_what_its_interval_is():
    run, mean, share = iv.further_run(RUNS, 0, 1), iv.true_mean(RUNS[:, 0]), iv.true_share(0.2, 50)
    assert [(m.kind, m.runs, m.numbers) for m in (run, mean, share)] == [
        ("run", 20, 3),
        ("mean", 20, 1),
        ("share", 50, 1),
    ]
    assert max(run.high) <= 1
    rates = np.random.default_rng(0).random((40, 3)) < 0.5
    ratio = iv.true_ratio(rates, np.ones_like(rates))
    assert (ratio.low, ratio.high) == iv.ratio_interval(rates, np.ones_like(rates))[1:]
    assert (ratio.kind, ratio.runs) == ("estimate", 40)
    size = iv.run_of_papers_size(0.01, 0.02, 100)
    assert (size.low, size.high, size.kind) == (0, pytest.approx(0.01 + iv.Z * 0.02), "paper's run")


def test_the_interval_of_a_share_by_bootstrap():
    rng = np.random.default_rng(0)
    among = rng.random((400, 5)) < 0.4
    event = among & (rng.random((400, 1)) < 0.5)
    ratio, low, high = iv.ratio_interval(event, among)
    picks = rng.integers(0, 400, (2000, 400))
    bootstrap = [event[pick].sum() / among[pick].sum() for pick in picks]
    assert ratio == event.sum() / among.sum()
    assert high - low == pytest.approx(2 * iv.Z * np.std(bootstrap), rel=0.08)


def test_a_slope_through_the_origin_is_that_of_least_squares():
    rng = np.random.default_rng(1)
    x = rng.standard_normal((500, 1))
    y = 2 * x + rng.standard_normal((500, 1))
    slope, low, high = iv.ratio_interval(x * y, x * x)
    assert slope == pytest.approx(np.linalg.lstsq(x, y.ravel(), rcond=None)[0][0])
    assert low < 2 < high
    residual = (y - slope * x).ravel()
    assert high - slope == pytest.approx(iv.Z * np.linalg.norm(residual * x.ravel()) / (x**2).sum())  # White (1980)

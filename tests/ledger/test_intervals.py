"""Every interval against scipy, a bootstrap, or the share of cases that it holds."""

import numpy as np
import pytest
from scipy import stats

from workbook.ledger.intervals import (
    Z,
    mean_interval,
    normal_interval,
    prediction_interval,
    proportion_interval,
    ratio_interval,
)

RUNS = np.random.default_rng(0).normal(0.8, 0.05, (20, 3))


def test_a_normal_interval_holds_95_of_100():
    estimate, low, high = normal_interval(0.3, 0.1)
    assert (estimate, high - estimate) == (0.3, pytest.approx(estimate - low))
    assert stats.norm.cdf(Z) - stats.norm.cdf(-Z) == pytest.approx(0.95, abs=1e-4)


def test_the_mean_is_bounded_by_its_standard_error():
    mean, low, high = mean_interval(RUNS)
    np.testing.assert_allclose(mean, RUNS.mean(axis=0))
    np.testing.assert_allclose(high - mean, Z * stats.sem(RUNS))
    np.testing.assert_allclose(mean - low, high - mean)


def test_one_further_run_by_students_t():
    """y - mean over s sqrt(1 + 1/n) is t with n - 1 degrees of freedom."""
    mean, low, high = prediction_interval(RUNS)
    scale = stats.sem(RUNS) * np.sqrt(len(RUNS) + 1)  # s sqrt(1 + 1/n)
    np.testing.assert_allclose([low, high], stats.t.interval(0.95, len(RUNS) - 1, mean, scale))
    assert [float(end[0]) for end in (mean, low, high)] == pytest.approx(prediction_interval(RUNS[:, 0]))
    assert prediction_interval([0.97, 0.99, 0.995], highest=1.0)[2] == 1.0


def test_the_prediction_interval_holds_the_next_run():
    """Twenty draws predict the next one in 95 of 100 cases."""
    draws = np.random.default_rng(0).standard_normal((4000, 21))
    _, low, high = prediction_interval(draws[:, :20].T)
    inside = (draws[:, 20] > low) & (draws[:, 20] < high)
    assert inside.mean() == pytest.approx(0.95, abs=0.012)


@pytest.mark.parametrize(("share", "n"), [(0.5, 100), (0.9, 2189)])
def test_a_proportion_is_the_mean_of_its_draws(share, n):
    draws = np.arange(n) < share * n
    found, low, high = proportion_interval(draws.mean(), n)
    np.testing.assert_allclose(high - found, Z * draws.std() / np.sqrt(n))
    np.testing.assert_allclose(found - low, high - found)
    assert proportion_interval(0.99, 50)[2] == 1.0


def test_the_interval_of_a_share_by_bootstrap():
    rng = np.random.default_rng(0)
    among = rng.random((400, 5)) < 0.4
    event = among & (rng.random((400, 1)) < 0.5)
    ratio, low, high = ratio_interval(event, among)
    picks = rng.integers(0, 400, (2000, 400))
    bootstrap = [event[pick].sum() / among[pick].sum() for pick in picks]
    assert ratio == event.sum() / among.sum()
    assert high - low == pytest.approx(2 * Z * np.std(bootstrap), rel=0.08)


def test_a_slope_through_the_origin_is_that_of_least_squares():
    rng = np.random.default_rng(1)
    x = rng.standard_normal((500, 1))
    y = 2 * x + rng.standard_normal((500, 1))
    slope, low, high = ratio_interval(x * y, x * x)
    assert slope == pytest.approx(np.linalg.lstsq(x, y.ravel(), rcond=None)[0][0])
    assert low < 2 < high
    residual = (y - slope * x).ravel()
    assert high - slope == pytest.approx(Z * np.linalg.norm(residual * x.ravel()) / (x**2).sum())  # White (1980)

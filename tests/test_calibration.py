"""nbcore.calibration against plain counting, scikit-learn and Carlos (2015), section 5."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import log_loss, precision_score, recall_score

from nbcore import calibration as cal

FAST = settings(max_examples=60, deadline=None)


@st.composite
def decided(draw):
    """Labels (n,) of C classes, posteriors (n, C), many of them on the edges of tenths."""
    n, C = draw(st.integers(1, 30)), draw(st.integers(2, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    tenths = rng.multinomial(10, np.full(C, 1 / C), n) / 10
    proba = np.where(rng.random((n, 1)) < 0.5, tenths, rng.dirichlet(np.ones(C), n))
    return rng.integers(0, C, n), proba / proba.sum(axis=1, keepdims=True), range(C)


def bins_by_definition(pairs, bins):
    """One list of (posterior, true?) pairs a bin: [i/B, (i+1)/B), the last with its end."""
    binned = [[] for _ in range(bins)]
    for p, true in pairs:
        binned[next((i for i in range(bins) if i / bins <= p < (i + 1) / bins), bins - 1)].append((p, true))
    return binned


@FAST
@given(decided(), st.integers(1, 12))
def test_reliability_bins_by_counting(case, bins):
    y, proba, classes = case
    pooled = [(proba[i, c], y[i] == c) for i, c in np.ndindex(proba.shape)]
    pairs, got = bins_by_definition(pooled, bins), cal.reliability_bins(y, proba, bins, classes)
    assert got.count.tolist() == list(map(len, pairs))
    assert got.count.sum() == proba.size
    square, gaps = [], []
    for i, pair in enumerate(pairs):
        if not pair:
            assert np.isnan(got.observed[i])
            assert np.isnan(got.mean_posterior[i])
            continue
        said, true = np.mean(pair, axis=0)
        assert got.mean_posterior[i] == pytest.approx(said)
        assert got.observed[i] == pytest.approx(true)
        square.append(((true - (i + 0.5) / bins) ** 2, (true - said) ** 2, len(pair)))
        gaps.append(abs(true - said) * len(pair))
    midpoint, mean, weight = np.transpose(square)
    assert got.rmse() == pytest.approx(np.sqrt(midpoint.mean()))
    assert got.rmse(ideal="mean") == pytest.approx(np.sqrt(mean.mean()))
    assert got.rmse(weighted=True) == pytest.approx(np.sqrt((midpoint * weight).sum() / weight.sum()))
    assert got.rmse(weighted=True, ideal="mean") == pytest.approx(np.sqrt((mean * weight).sum() / weight.sum()))
    assert got.ece() == got.ece(kind="pooled") == pytest.approx(sum(gaps) / proba.size)


@FAST
@given(decided(), st.integers(1, 12))
def test_ece_of_the_label_decided_for_by_counting(case, bins):
    y, proba, classes = case
    decided_for = [(max(row), row.index(max(row)) == label) for label, row in zip(y, proba.tolist(), strict=True)]
    pairs = bins_by_definition(decided_for, bins)
    gaps = [abs(sum(right for _, right in pair) - sum(said for said, _ in pair)) for pair in pairs]
    got = cal.reliability_bins(y, proba, bins, classes)
    assert got.ece(kind="top") == pytest.approx(sum(gaps) / len(y), abs=1e-12)
    assert got.top.count.tolist() == list(map(len, pairs))


def test_the_pooled_measures_call_the_uniform_posterior_perfect_and_confidence_in_wrong_decisions_is_not():
    y = np.arange(2000) % 20
    uniform = cal.reliability_bins(y, np.full((2000, 20), 1 / 20))
    assert uniform.rmse() == pytest.approx(0, abs=1e-12)
    assert uniform.ece() == pytest.approx(0, abs=1e-12)
    timid = np.full((2000, 20), 0.9 / 19)
    timid[np.arange(2000), y] = 0.1  # always right, and never sure
    bins = cal.reliability_bins(y, timid)
    assert bins.ece(kind="top") == pytest.approx(0.9)
    assert bins.ece() == pytest.approx(0.09)  # 20 / 2 times smaller


@FAST
@given(decided(), st.integers(1, 6))
def test_a_row_of_weight_w_counts_w_times(case, bins):
    y, proba, classes = case
    weight = np.random.default_rng(len(y)).integers(0, 4, len(y))
    weight[0] = 1
    once, again = (y, proba), (np.repeat(y, weight), np.repeat(proba, weight, axis=0))
    got = cal.reliability_bins(*once, bins, classes, weight)
    expected = cal.reliability_bins(*again, bins, classes)
    for name in ("mean_posterior", "observed", "count"):
        np.testing.assert_allclose(getattr(got, name), getattr(expected, name), atol=1e-12)
        np.testing.assert_allclose(getattr(got.top, name), getattr(expected.top, name), atol=1e-12)
    light = cal.reliability_bins(*once, bins, classes, weight / 8)  # only shares count
    np.testing.assert_allclose([light.mean_posterior, light.observed], [got.mean_posterior, got.observed], atol=1e-12)
    assert cal.posterior_spread(proba, bins, weight) == pytest.approx(cal.posterior_spread(again[1], bins))
    logs = np.log(proba + 0.01)
    assert cal.log_loss(y, logs, classes, weight) == pytest.approx(
        cal.log_loss(again[0], np.log(again[1] + 0.01), classes)
    )


@FAST
@given(decided(), st.permutations([0, 1, 2, 3]))
def test_columns_stand_in_the_order_of_the_classes_given(case, order):
    y, proba, classes = case
    order = [c for c in order if c < len(classes)]
    words = np.array(["north", "east", "west", "south"])[: len(classes)]  # not in sorted order either
    truth, shuffled = (words[y], proba[:, order], words[order]), np.log(proba[:, order] + 0.01)
    expected, got = cal.reliability_bins(y, proba, 5, classes), cal.reliability_bins(truth[0], truth[1], 5, truth[2])
    np.testing.assert_allclose(got.observed, expected.observed)
    tables = cal.confidence_table(*truth[:2], [0, 1], truth[2]), cal.confidence_table(y, proba, [0, 1], classes)
    assert tables[0].count.tolist() == tables[1].count.tolist() == [len(y)]
    positive = int(y[0])
    for ours, theirs in zip(
        cal.precision_recall_by_threshold(*truth[:2], words[positive], [0.3, 0.5], truth[2]),
        cal.precision_recall_by_threshold(y, proba, positive, [0.3, 0.5], classes),
        strict=True,
    ):
        np.testing.assert_array_equal(ours, theirs)
    assert cal.log_loss(truth[0], shuffled, truth[2]) == pytest.approx(cal.log_loss(y, np.log(proba + 0.01), classes))


def test_single_precision_is_good_enough():
    """float32 posteriors, as scikit-learn's models give them: their rows sum to 1 within 1e-6 or so, not always."""
    proba = np.array([[1 / 3, 1 / 3, 1 / 3], [0.999998 - 1e-7, 0.0, 0.0]], dtype=np.float32)
    assert abs(proba.sum(axis=1) - 1).max() > 1e-6
    assert cal.reliability_bins([0, 1], proba, classes=[0, 1, 2]).count.sum() == 6
    with pytest.raises(ValueError, match="the sum along the last axis 1"):
        cal.reliability_bins([0, 1], proba.astype(float), classes=[0, 1, 2])
    with pytest.raises(ValueError, match="the sum along the last axis 1"):
        cal.reliability_bins([0, 1], np.float32([[0.5, 0.49], [0.5, 0.5]]))


def test_above_1_by_rounding_is_1():
    got = cal.reliability_bins([0, 1], [[1 + 1e-9, 0.0], [0.0, 1.0]], 2)
    assert (got.count.tolist(), got.mean_posterior.tolist()) == ([2, 2], [0, 1])
    assert "top" not in repr(got)  # one diagram is read, not two


def test_every_decimal_edge_belongs_to_the_bin_on_its_right():
    p = np.arange(11) / 10  # .3 and .7 are the ones that rounding would move
    got = cal.reliability_bins(np.zeros(11, int), np.column_stack([p, 1 - p]), classes=[0, 1])
    np.testing.assert_array_equal(got.edges, [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1])
    one_each = np.histogram(p, got.edges)[0]
    assert one_each.tolist() == [1] * 9 + [2]
    assert (got.count >= one_each).all()


def test_labels_are_read_in_sorted_order_and_may_be_words():
    y, proba = np.array(["no", "yes", "yes"]), np.array([[0.8, 0.2], [0.4, 0.6], [0.9, 0.1]])
    got = cal.reliability_bins(y, proba, bins=2)
    assert got.observed.tolist() == [1 / 3, 2 / 3]
    lacking = cal.reliability_bins(y[1:], proba[1:], bins=2, classes=["no", "yes"])
    assert lacking.observed.tolist() == [0.5, 0.5]


def test_posterior_spread_by_hand():
    assert cal.posterior_spread([[0.05, 0.95], [0.05, 0.95]]) == pytest.approx(np.std([0.5] + [0] * 8 + [0.5]))
    flat = (np.arange(10) + 0.5) / 10
    assert cal.posterior_spread(np.column_stack([flat, 1 - flat])) == 0
    assert cal.posterior_spread([[0.5, 0.5]], bins=2) == pytest.approx(0.5)  # .5 opens the upper bin


def test_confidence_table_by_hand():
    proba = np.array([[0.5, 0.5], [0.55, 0.45], [0.4, 0.6], [0.1, 0.9], [0.0, 1.0], [0.89, 0.11]])
    table = cal.confidence_table([0, 1, 1, 0, 1, 0], proba, [0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
    assert table.count.tolist() == [2, 1, 0, 1, 2]
    np.testing.assert_array_equal(table.accuracy, [0.5, 1, np.nan, 1, 0.5])  # .5 ties: the first class


def test_confidence_outside_the_edges_does_not_count():
    proba = [[0.3, 0.3, 0.4], [0.2, 0.2, 0.6], [0.0, 0.05, 0.95], [0.0, 0.1, 0.9]]
    table = cal.confidence_table([2, 2, 1, 0], proba, [0.5, 0.7, 0.9], classes=[0, 1, 2])
    assert table.count.tolist() == [1, 1]
    assert table.accuracy.tolist() == [1, 0]


@FAST
@given(decided(), st.lists(st.floats(0, 1), min_size=1, max_size=5))
def test_precision_and_recall_agree_with_scikit_learn(case, thresholds):
    y, proba, classes = case
    positive = int(y[0])
    precision, recall = cal.precision_recall_by_threshold(y, proba, positive, thresholds, classes)
    for t, p, r in zip(thresholds, precision, recall, strict=True):
        selected = proba[:, positive] >= t
        assert p == pytest.approx(precision_score(y == positive, selected, zero_division=1.0))
        assert r == pytest.approx(recall_score(y == positive, selected))


def test_a_posterior_on_the_threshold_is_selected():
    proba = [[0.3, 0.7], [0.5, 0.5], [0.8, 0.2]]
    precision, recall = cal.precision_recall_by_threshold([1, 0, 1], proba, 1, [0.0, 0.2, 0.5, 0.7, 0.71, 1.0])
    np.testing.assert_allclose(precision, [2 / 3, 2 / 3, 1 / 2, 1, 1, 1])
    np.testing.assert_allclose(recall, [1, 1, 1 / 2, 1 / 2, 0, 0])
    precision, recall = cal.precision_recall_by_threshold([0, 1, 0], proba, 1, [0.5, 0.7])
    np.testing.assert_allclose([precision, recall], [[1 / 2, 0], [1, 0]])  # the only one selected is the wrong one


def boasting_logs(n=3000, C=3, boast=4.0, seed=0):
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.ones(C), n)
    return (rng.random((n, 1)) > proba.cumsum(axis=1)).sum(axis=1), boast * np.log(proba)


def test_temperature_undoes_a_known_exaggeration():
    y, logs = boasting_logs()
    T = cal.fit_temperature(y, logs)
    assert T == pytest.approx(4, rel=0.06)
    scaled = cal.temperature_scale(logs, T)
    np.testing.assert_allclose(scaled, softmax(logs / T, axis=1), rtol=1e-12)
    losses = {t: log_loss(y, cal.temperature_scale(logs, t)) for t in (T, T * 1.02, T / 1.02, 1.0)}
    assert min(losses, key=losses.get) == T
    peer = minimize(lambda b: log_loss(y, softmax(b[0] * logs, axis=1)), [0.5], method="Nelder-Mead", tol=1e-9)
    assert T == pytest.approx(1 / peer.x[0], rel=1e-4)
    assert (scaled.argmax(axis=1) == logs.argmax(axis=1)).all()
    assert cal.fit_temperature(y, logs[:, [2, 0, 1]], classes=[2, 0, 1]) == pytest.approx(T)


def test_temperature_with_impossible_classes_and_at_its_ends():
    y, logs = boasting_logs(200)
    logs[0, y[0]] = -np.inf  # its loss is infinite at any temperature
    assert cal.fit_temperature(y, logs) == pytest.approx(cal.fit_temperature(y[1:], logs[1:]), rel=1e-4)
    sure = np.log([[0.9, 0.1], [0.2, 0.8]])
    with pytest.warns(ConvergenceWarning, match=r"ended at 0.001, .* every item is decided rightly"):
        assert cal.fit_temperature([0, 1], sure) == pytest.approx(0.001)
    with pytest.warns(ConvergenceWarning, match=r"ended at 1000, .* clip the log odds"):
        assert cal.fit_temperature([0, 1], [[-9.0, 0.0], [0.0, -8.0]]) == pytest.approx(1000)
    for cold in (1e-308, 5e-324):
        np.testing.assert_array_equal(cal.temperature_scale(sure, cold), np.eye(2))
    np.testing.assert_array_equal(cal.temperature_scale([[0.0, -np.inf]], 5.0), [[1, 0]])


def test_a_row_of_weight_w_counts_w_times_in_the_temperature():
    y, logs = boasting_logs(150)
    weight = np.arange(150) % 4
    logs[1, y[1]] = -np.inf  # impossible, and it counts
    again = np.repeat(y, weight), np.repeat(logs, weight, axis=0)
    assert cal.fit_temperature(y, logs, sample_weight=weight) == pytest.approx(cal.fit_temperature(*again), rel=1e-5)
    assert cal.fit_temperature(y, logs) != pytest.approx(cal.fit_temperature(*again), rel=1e-3)
    with pytest.raises(ValueError, match="log_proba must be finite for at least one"):
        cal.fit_temperature(y, logs, sample_weight=np.arange(150) == 1)


def test_log_loss_is_scikit_learns_but_infinite_for_what_cannot_be():
    y, logs = boasting_logs(50, boast=1.0)
    assert cal.log_loss(y, logs) == pytest.approx(log_loss(y, np.exp(logs)))
    assert cal.log_loss([1], [[-np.inf, 0.0]], classes=[0, 1]) == 0
    assert cal.log_loss([1, 0], [[-np.inf, 0.0], [-np.inf, 0.0]]) == np.inf
    assert cal.log_loss([1, 0], [[-np.inf, 0.0], [-np.inf, 0.0]], sample_weight=[1, 0]) == 0


P = np.array([[0.2, 0.8], [0.5, 0.5]])
Y = [0, 1]
BAD = [
    (lambda: cal.reliability_bins(Y, 0.2), "proba must be of shape"),
    (lambda: cal.reliability_bins(Y, [[1.0], [1.0]]), "proba must be .* C >= 2"),
    (lambda: cal.reliability_bins([], np.empty((0, 2))), "proba must be .* n >= 1"),
    (lambda: cal.reliability_bins(Y, [[-0.2, 1.2], [0.5, 0.5]]), "proba must be .* got -0.2"),
    (lambda: cal.reliability_bins([0, 1, 1], P), r"y must be of shape \(2,\)"),
    (lambda: cal.reliability_bins([0, 0], P), "classes must be 2 labels.*pass classes"),
    (lambda: cal.reliability_bins([0, 5], P, classes=[0, 1]), "y holds the label .*5"),
    (lambda: cal.reliability_bins(Y, P, classes=[0, 1, 2]), "classes must be 2 labels"),
    (lambda: cal.reliability_bins(Y, P, classes=[0, 0]), "classes must be 2 labels"),
    (lambda: cal.reliability_bins([0, 0, 1], np.eye(3), classes=[0, 1, 1]), "classes must be 3 labels"),
    (lambda: cal.reliability_bins(Y, P, sample_weight=[1]), r"sample_weight must be .* shape \(2,\); got \(1,\)"),
    (lambda: cal.reliability_bins(Y, P, sample_weight=[1, -1]), "sample_weight must be weights >= 0; got -1"),
    (lambda: cal.reliability_bins(Y, P, sample_weight=[1, np.inf]), "sample_weight contains infinity"),
    (lambda: cal.reliability_bins(Y, P, sample_weight=[0, 0]), "at least one of them non-zero; got 0"),
    (lambda: cal.reliability_bins(Y, P).ece(kind="classwise"), "kind must be one of 'pooled', 'top'"),
    (lambda: cal.reliability_bins(Y, P).top.ece(kind="top"), "kind must be .*pooled.*; got 'top'"),
    (lambda: cal.log_loss(Y, [[-np.inf, -np.inf], [0, 0]]), r"log_proba\[0\] must be above -inf"),
    (lambda: cal.reliability_bins(Y, P, bins=0), "bins must be an integer >= 1; got 0"),
    (lambda: cal.reliability_bins(Y, P).rmse(ideal="median"), "ideal must be .*; got 'median'"),
    (lambda: cal.posterior_spread([[0.5, 0.6]]), "proba must be .* 1.1"),
    (lambda: cal.posterior_spread(P, bins=-1), "bins must be .* -1"),
    (lambda: cal.confidence_table(Y, P, [0.5]), "edges must be"),
    (lambda: cal.confidence_table(Y, P, [0.5, 0.5, 1]), "edges must be two or more increasing"),
    (lambda: cal.confidence_table(Y, P, [0.5, 0.7, 1.5]), "edges must be .* got"),
    (lambda: cal.confidence_table(Y, P, [-0.5, 0.5]), "edges must be .* got"),
    (lambda: cal.confidence_table(Y, P, [0.5, np.nan]), "edges must be"),
    (lambda: cal.precision_recall_by_threshold(Y, P, 2, [0.5]), "positive must be one of the classes"),
    (lambda: cal.precision_recall_by_threshold([0, 0], P, 1, [0.5], [0, 1]), "y must be labels of which"),
    (lambda: cal.precision_recall_by_threshold(Y, P, 1, [1.5]), "thresholds must be numbers from 0 to 1"),
    (lambda: cal.precision_recall_by_threshold(Y, P, 1, []), "thresholds must be"),
    (lambda: cal.fit_temperature(Y, [[-np.inf, 0], [0, -np.inf]]), "log_proba must be finite for at least one"),
    (lambda: cal.fit_temperature([0], [0.0]), "log_proba must be of shape"),
    (lambda: cal.temperature_scale(np.empty((0, 2)), 1), r"log_proba must be of shape \(n, C\), n >= 1"),
    (lambda: cal.temperature_scale(np.log(P), 0), "temperature must be a finite number > 0; got 0"),
]


@pytest.mark.parametrize(("call", "message"), BAD)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()

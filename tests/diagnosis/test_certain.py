"""Sure and wrong, and silenced: counted again row by row."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import binomtest, poisson

from nbcore.diagnosis import smoothing
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.certain import _most_misleading, find_sure_errors, sure_and_wrong
from nbcore.diagnosis.finding import LEVEL, MATERIAL
from nbcore.diagnosis.smoothing import _silenced_beyond_chance, find_silenced, find_smoothing
from nbcore.naive_bayes import CategoricalNB, GaussianNB
from tests.diagnosis.worlds import bells, case_of, outliers, silence


@pytest.fixture(scope="module")
def case():
    return case_of(outliers)


def test_errors_above_99_percent_are_counted_and_those_to_be_expected(case):
    found = find_sure_errors(case)
    p = case.model.predict_proba(case.X)
    wrong, sure = p.argmax(axis=1) != case.y, p.max(axis=1) > 0.99
    k, errors, expected = (wrong & sure).sum(), wrong.sum(), (1 - p.max(axis=1)[sure]).sum()
    assert found.number == k / errors
    assert found.sentence == (f"{k} of {errors} errors are made with a posterior above 0.99; {expected:.1f} errors "
                              "above it were to be expected.")  # fmt: skip
    interval = binomtest(int(k), int(errors)).proportion_ci()
    assert found.interval == pytest.approx((interval.low, interval.high))
    assert found.details["expected"] == pytest.approx(expected)
    assert {remedy.name.split(" column")[0] for remedy in found.remedies} == {"one temperature", "without"}


def test_the_five_surest_errors_are_shown_the_surest_first(case):
    rows = sure_and_wrong(case)
    p = case.model.predict_proba(case.X)
    wrong = np.flatnonzero(p.argmax(axis=1) != case.y)
    odds = np.abs(np.subtract(*case.model.predict_joint_log_proba(case.X).T))
    assert [row["row"] for row in rows] == wrong[np.argsort(-odds[wrong])][:5].tolist()
    said = case.model.feature_contributions(case.X)
    for row in rows:
        i = row["row"]
        assert row["posterior"] == pytest.approx(p[i].max())
        nats = said[i, row["decision"]] - said[i, row["label"]]
        loudest = np.argsort(-abs(nats))
        assert [feature["name"] for feature in row["features"]] == loudest[:5].tolist()
        assert [feature["nats"] for feature in row["features"]] == pytest.approx(nats[loudest[:5]].tolist())
        assert row["others"] == pytest.approx(nats[loudest[5:]].sum())
        prior = case.model.class_log_prior_
        assert row["prior"] == pytest.approx(prior[row["decision"]] - prior[row["label"]])


def test_the_feature_that_misleads_most_argues_most_for_the_wrong_decisions(case):
    p = case.model.predict_proba(case.X)
    rows = np.flatnonzero((p.argmax(axis=1) != case.y) & (p.max(axis=1) > 0.99))
    said = case.model.feature_contributions(case.X)[rows]
    own = np.arange(len(rows))
    nats = np.maximum(said[own, 1 - case.y[rows]], -50) - np.maximum(said[own, case.y[rows]], -50)
    worst = nats.sum(axis=0).argmax()
    assert _most_misleading(case, rows) == worst
    (without,) = (remedy for remedy in find_sure_errors(case).remedies if remedy.name.startswith("without"))
    assert without.name == f"without column {worst}, which misleads most"
    assert without.estimator[0].transformers[0][2] == [j for j in range(8) if j != worst]


def exchanged(errors, n_features=8):
    """Two bells so far apart that every posterior is 1, with some labels exchanged."""
    A, a, *_ = bells(0, n_features)
    X, labels = A + 30.0 * a[:, None], a.copy()
    labels[:errors] = 1 - labels[:errors]
    return Case(GaussianNB().fit(X, a), X, labels)


def test_one_error_at_a_posterior_of_1_is_one_too_many_and_without_any_there_is_nothing_to_say():
    case = exchanged(0)
    assert find_sure_errors(case) is None
    assert sure_and_wrong(case) == []
    found = find_sure_errors(exchanged(1))
    assert found.sentence.startswith("1 of 1 errors are made with a posterior above 0.99; 0.0 errors")
    assert find_sure_errors(exchanged(3)).number == 1


def test_of_two_features_one_can_be_left_out_and_of_one_none():
    assert [len(find_sure_errors(exchanged(3, n)).remedies) for n in (1, 2)] == [1, 2]


def test_as_many_as_are_to_be_expected_are_no_finding():
    case = case_of(bells)
    p = case.model.predict_proba(case.X)
    sure = p.max(axis=1) > 0.99
    k = (sure & (p.argmax(axis=1) != case.y)).sum()
    assert poisson.sf(k - 1, (1 - p.max(axis=1)[sure]).sum()) > LEVEL
    assert find_sure_errors(case) is None


# --- silenced by zero counts


@pytest.fixture(scope="module")
def mute():
    return case_of(silence)


def test_a_row_is_silenced_from_a_factor_of_a_hundred_on():
    A, a, B, b, _ = silence(0)
    now, one = (CategoricalNB(alpha=alpha, min_categories=12).fit(A, a) for alpha in (0.001, 1))
    pair = np.column_stack([b, 1 - b])
    joints = (np.take_along_axis(model.predict_joint_log_proba(B), pair, axis=1).T for model in (now, one))
    lost, kept = (other - own for own, other in joints)
    assert ((lost - kept > 4.6) & (lost - kept < 5.6)).any()
    np.testing.assert_array_equal(find_silenced(Case(now, B, b)), lost - kept > 4.6)


@pytest.mark.parametrize(
    ("sure", "more", "gain", "said"),
    [(True, False, 1.0, True), (False, True, MATERIAL, True), (False, True, 0.99 * MATERIAL, False),
     (False, False, 1.0, False)],
)  # fmt: skip
def test_a_gain_is_sure_or_large_where_more_classes_are_silenced_than_chance_silences(
    mute, monkeypatch, sure, more, gain, said
):
    remedy = SimpleNamespace(sure=sure, gain=gain, before=2.0, after=2.0 - gain)
    monkeypatch.setattr(smoothing, "measure_adjustment", lambda case, method: remedy)
    monkeypatch.setattr(smoothing, "_silenced_beyond_chance", lambda case, mute: more)
    assert (find_smoothing(mute) is not None) == said


@pytest.mark.parametrize(
    ("own", "chosen", "said"),
    [({"alpha": 0.5}, 0.4, "0.5"), ({"alpha": 0.5}, 0.6, None), ({"alpha": [0.5, 5.0]}, 2.5, "[0.5, 5.0]"),
     ({"alpha": [0.5, 5.0]}, 6.0, None), ({}, 0.9, "1.0"), ({}, 1.1, None)],
)  # fmt: skip
def test_more_alpha_than_any_of_the_models_own_is_no_matter_of_zero_counts(monkeypatch, own, chosen, said):
    remedy = SimpleNamespace(sure=True, gain=1.0, before=2.0, after=1.0)
    monkeypatch.setattr(smoothing, "measure_adjustment", lambda case, method: remedy)
    monkeypatch.setattr(smoothing, "find_silenced", lambda case: np.zeros(50, dtype=bool))
    monkeypatch.setitem(smoothing.METHODS, "alpha", SimpleNamespace(learn=lambda scores, code: chosen))
    found = find_smoothing(SimpleNamespace(event="mixed", n=50, nb=SimpleNamespace(**own), scores=None, code=None))
    assert (found is None) == (said is None)
    if said:
        assert found.sentence == f"alpha is {said}; held-out rows choose {chosen}: log loss 2.000 -> 1.000."


def test_smoothing_is_told_with_the_rows_it_silences(mute):
    found = find_smoothing(mute)
    n = find_silenced(mute).sum()
    assert found.number == n / mute.n
    interval = binomtest(int(n), mute.n).proportion_ci()
    assert found.interval == pytest.approx((interval.low, interval.high))
    remedy = found.remedies[0]
    assert found.sentence == (
        f"In {n} of {mute.n} rows counts near zero all but silence the true class. alpha is 1e-06; held-out rows "
        f"choose {found.details['alpha']:.2g}: log loss {remedy.before:.3f} -> {remedy.after:.3f}."
    )
    assert found.details["alpha_before"] == 1e-6
    grid = np.geomspace(1e-4, 100, 25)
    losses = []
    for alpha in grid:
        p = CategoricalNB(alpha=alpha, min_categories=12).fit(*silence(0)[:2]).predict_proba(mute.X)
        losses.append(-np.log(p[np.arange(mute.n), mute.code]).mean())
    assert found.details["alpha"] == pytest.approx(grid[np.argmin(losses)])


def test_more_true_classes_than_their_posteriors_allow():
    """Of 500 rows with a posterior of one in ten thousand for either class but one: none is to be expected."""
    A, a, B, b, _ = bells(0)
    case = Case(GaussianNB().fit(A, a), B, b)
    case.log_p = np.log(np.tile([1 - 1e-4, 1e-4], (500, 1)))
    case.code = np.zeros(500, dtype=int)
    everybody = np.ones(500, dtype=bool)
    assert not _silenced_beyond_chance(case, everybody), "nobody is wrong"
    case.code[:1] = 1
    assert not _silenced_beyond_chance(case, everybody), "one of 500: .05 were to be expected"
    case.code[:2] = 1
    assert _silenced_beyond_chance(case, everybody), "two: once in 800"
    assert not _silenced_beyond_chance(case, ~everybody), "but not by zero counts"


def test_measurements_have_no_counts_to_smooth(case):
    assert find_smoothing(case) is None

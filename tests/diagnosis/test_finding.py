"""What a remedy gains, by a second route; which comes first, and what is said of it."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold

from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import (
    LEAST_NORMAL_ROWS,
    LEVEL,
    MATERIAL,
    Finding,
    Remedy,
    _make_remedy,
    bootstrap,
    is_sure_gain,
    list_columns,
    measure_adjustment,
    measure_refit,
    sort_remedies,
)
from nbcore.naive_bayes import CategoricalNB, GaussianNB
from tests.diagnosis.worlds import bells, case_of, wrong_prior


def remedy(name, gain, sure, interval=(0.0, 0.0), failed=""):
    return Remedy(name, f"code of {name}", None, 1.0, 1.0 - gain, interval, sure, failed)


@pytest.fixture(scope="module")
def case():
    return case_of(wrong_prior)


def test_a_prior_of_the_rows_is_learned_from_four_fifths_and_measured_on_the_fifth(case):
    found = measure_adjustment(case, "prior")
    after = np.empty(case.n)
    for learn, held in StratifiedKFold(5, shuffle=True, random_state=0).split(case.X, case.y):
        share = (np.bincount(case.y[learn]) + 1) / (len(learn) + 2)
        joint = case.scores.log_likelihood[held] + np.log(share)
        log_p = joint - np.logaddexp.reduce(joint, axis=1)[:, None]
        after[held] = -log_p[np.arange(len(held)), case.y[held]]
    assert found.after == pytest.approx(after.mean())
    assert found.before == pytest.approx(log_loss(case.y, case.model.predict_proba(case.X)))
    assert found.gain == pytest.approx(case.losses.mean() - after.mean())
    assert measure_adjustment(case, "prior") is found, "what two findings share is measured once"
    assert found.code.endswith('Adjusted(model, "prior").fit(X, y)')
    assert found.estimator.cv is None


def test_with_folds_a_remedy_learns_by_folds_as_well():
    A, a, *_, model = wrong_prior(1)
    found = measure_adjustment(Case(model, A, a, cv=3), "prior")
    assert found.code.endswith('Adjusted(model, "prior", cv=5).fit(X, y)')
    assert found.estimator.cv == 5


def test_a_changed_recipe_is_compared_with_the_models_own_on_the_same_folds(case):
    found = measure_refit(case, "learned prior", "code", GaussianNB())
    for model, said in ((GaussianNB(priors=[0.95, 0.05]), found.before), (GaussianNB(), found.after)):
        losses = np.empty(case.n)
        for learn, held in StratifiedKFold(5, shuffle=True, random_state=0).split(case.X, case.y):
            p = model.fit(case.X[learn], case.y[learn]).predict_proba(case.X[held])
            losses[held] = -np.log(p[np.arange(len(held)), case.y[held]])
        assert said == pytest.approx(losses.mean())
    assert (found.sure, found.failed) == (True, "")


def test_a_remedy_that_cannot_be_fitted_says_why_and_gains_nothing(case):
    found = measure_refit(case, "categories", "code", CategoricalNB())
    assert np.isnan([found.before, found.after, found.gain, *found.interval]).all()
    assert not found.sure
    assert str(found) == f"categories: could not be measured: {found.failed}"
    assert "\n" not in found.failed
    assert "X" in found.failed


def test_a_fold_that_lacks_a_class_gives_its_rows_the_largest_loss():
    A, a, *_ = bells(0)
    A, labels = A[:100], np.where(np.arange(100) == 50, "a", np.array(["b", "c"])[a[:100]])
    case = Case(GaussianNB(), A, labels, cv=[(np.arange(50), np.arange(50, 100)), (np.arange(50, 100), np.arange(50))])
    found = measure_refit(case, "the same", "", GaussianNB())
    assert found.before == found.after == pytest.approx(case.losses.mean())
    assert case.losses[50] == pytest.approx(-np.log(np.finfo(float).eps))


def test_the_best_remedy_is_the_surest_with_the_largest_gain():
    small, large, harm = remedy("small", 0.1, True), remedy("large", 0.3, True), remedy("harm", -1.0, False)
    unsure, failed = remedy("unsure", 0.5, False), remedy("failed", float("nan"), False)
    assert sort_remedies([failed, harm, unsure, small, large]) == (large, small, unsure, harm, failed)
    told = Finding("f", "s", 1.0, (0, 2), "m", "c", sort_remedies([unsure, small, large]))
    assert (told.best, told.cost, told.remedy) == (large, pytest.approx(0.3), "code of large")
    assert told.cost_interval == large.interval
    assert "estimator" not in repr(large), "a whole model would hide the numbers"
    assert "details" not in repr(told)
    for remedies in ((), (unsure, harm)):
        told = Finding("f", "s", 1.0, (0, 2), "m", "c", remedies)
        assert (told.best, told.cost, told.cost_interval) == (None, 0.0, (0.0, 0.0))
        assert told.remedy.startswith("# none of the remedies tried gains for sure")


def test_a_remedy_says_whether_its_gain_is_sure_and_whether_it_harms():
    assert str(remedy("it", 0.25, True, (0.1, 0.4))) == "it: log loss 1.000 -> 0.750 (gain 0.100 to 0.400)"
    assert str(remedy("it", 0.0, False, (-0.1, 0.1))).endswith("(gain -0.100 to 0.100, no sure gain)")
    assert str(remedy("it", -0.5, False, (-0.6, -0.4))).endswith("(gain -0.600 to -0.400, harms)")


def test_a_gain_is_sure_beyond_its_level_and_from_what_matters_on():
    """Of 0.02 nats on average: with one standard error more or less than the level asks."""
    wave = np.tile([1.0, -1.0], 50)
    for factor, sure in ((0.97, True), (1.03, False)):
        spread = factor * 0.02 / (norm.isf(LEVEL) * wave.std(ddof=1) / np.sqrt(100))
        assert is_sure_gain(0.02 + spread * wave) == sure
    assert is_sure_gain(np.full(100, 1.01 * MATERIAL))
    assert not is_sure_gain(np.full(100, 0.99 * MATERIAL))
    assert (LEVEL, MATERIAL) == (0.05 / 8, 0.01)


def test_the_bootstrap_of_a_mean_is_nearly_normal_and_the_same_every_time():
    values = np.random.default_rng(1).normal(3, 2, 400)
    low, high = bootstrap(lambda rows: values[rows].mean(), 400)
    expected = norm.interval(0.95, values.mean(), values.std() / 20)
    np.testing.assert_allclose((low, high), expected, atol=0.02)
    assert (low, high) == bootstrap(lambda rows: values[rows].mean(), 400)
    rows = []
    bootstrap(lambda drawn: rows.append(drawn) or 0.0, 7, 30)
    assert (len(rows), {len(drawn) for drawn in rows}) == (30, {7})
    assert set(np.concatenate(rows)) == set(range(7))
    assert bootstrap(lambda drawn: np.nan if drawn[0] == 0 else 2.0, 3) == (2.0, 2.0)


def test_up_to_many_rows_the_interval_is_the_bootstraps():
    rng = np.random.default_rng(0)
    before, after = rng.exponential(size=300), rng.exponential(size=300)
    found = _make_remedy("n", "c", None, before, after)
    assert found.interval == bootstrap(lambda rows: (before - after)[rows].mean(), 300)
    assert (found.before, found.after) == (pytest.approx(before.mean()), pytest.approx(after.mean()))


def test_of_more_rows_it_is_the_normal_distributions():
    gains = np.random.default_rng(0).normal(0.1, 1, LEAST_NORMAL_ROWS + 1)
    found = _make_remedy("n", "c", None, 2 + gains, np.full(LEAST_NORMAL_ROWS + 1, 2.0))
    expected = norm.interval(0.95, gains.mean(), gains.std(ddof=1) / np.sqrt(LEAST_NORMAL_ROWS + 1))
    np.testing.assert_allclose(found.interval, expected, rtol=1e-9)
    some = gains[:-1]
    normal = norm.interval(0.95, some.mean(), some.std(ddof=1) / np.sqrt(LEAST_NORMAL_ROWS))
    assert _make_remedy("n", "c", None, 2 + some, np.full(LEAST_NORMAL_ROWS, 2.0)).interval != pytest.approx(normal)


def test_columns_are_listed_by_name_or_number_and_of_many_the_first():
    assert list_columns(["a", "b"]) == "a, b"
    assert list_columns([0, "b", 3]) == "column 0, b, column 3"
    assert list_columns("abcdef") == "a, b, c, d, e, f"
    assert list_columns("abcdefg") == "a, b, c, d, e, f and 1 more"
    assert list_columns("abcdefg", 2) == "a, b and 5 more"

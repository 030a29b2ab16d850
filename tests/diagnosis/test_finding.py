"""What a remedy gains, by a second route; which comes first, and what is said of it."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold

from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import ERRORS, LEVEL, MATERIAL, RULE, Finding, Remedy, list_columns, sort_remedies
from nbcore.diagnosis.remedies import measure_adjustment, measure_refit
from nbcore.naive_bayes import CategoricalNB, GaussianNB
from tests.diagnosis.worlds import bells, case_of, wrong_prior


def remedy(name, gain, low, failed=""):
    return Remedy(name, None, 1.0, 1.0 - gain, (low, 2 * gain - low), failed=failed)


@pytest.fixture(scope="module")
def case():
    return case_of(wrong_prior)


def test_a_prior_of_the_rows_is_learned_from_four_fifths_and_measured_on_the_fifth(case):
    found = measure_adjustment(case, "prior")
    after = np.empty(case.n)
    for learn, held in StratifiedKFold(5, shuffle=True, random_state=0).split(case.X, case.y):
        share = (np.bincount(case.y[learn]) + 1) / (len(learn) + 2)
        joint = case.scores.evidence[0][held] + np.log(share)
        log_p = joint - np.logaddexp.reduce(joint, axis=1)[:, None]
        after[held] = -log_p[np.arange(len(held)), case.y[held]]
    assert found.after == pytest.approx(after.mean())
    assert found.before == pytest.approx(log_loss(case.y, case.model.predict_proba(case.X)))
    assert found.gain == pytest.approx(case.losses.mean() - after.mean())
    assert measure_adjustment(case, "prior") is found, "what two findings share is measured once"
    assert (found.estimator.cv, found.new_rows) == (None, True)


def test_with_folds_a_remedy_learns_by_folds_as_well():
    A, a, *_, model = wrong_prior(1)
    found = measure_adjustment(Case(model, A, a, cv=3), "prior")
    assert (found.estimator.cv, found.new_rows) == (3, False)


def test_a_changed_recipe_is_compared_with_the_models_own_on_the_same_folds(case):
    found = measure_refit(case, "learned prior", nb=GaussianNB())
    for model, said in ((GaussianNB(priors=[0.95, 0.05]), found.before), (GaussianNB(), found.after)):
        losses = np.empty(case.n)
        for learn, held in StratifiedKFold(5, shuffle=True, random_state=0).split(case.X, case.y):
            p = model.fit(case.X[learn], case.y[learn]).predict_proba(case.X[held])
            losses[held] = -np.log(p[np.arange(len(held)), case.y[held]])
        assert said == pytest.approx(losses.mean())
    assert (found.sure, found.failed) == (True, "")


def test_a_remedy_that_cannot_be_fitted_says_why_and_gains_nothing(case):
    found = measure_refit(case, "categories", nb=CategoricalNB())
    assert np.isnan([found.before, found.after, found.gain, *found.interval]).all()
    assert not found.sure
    assert str(found) == f"categories: could not be measured: {found.failed}"
    assert "\n" not in found.failed
    assert "X" in found.failed


def test_a_fold_that_lacks_a_class_gives_its_rows_the_largest_loss():
    A, a, *_ = bells(0)
    A, labels = A[:100], np.where(np.arange(100) == 50, "a", np.array(["b", "c"])[a[:100]])
    case = Case(GaussianNB(), A, labels, cv=[(np.arange(50), np.arange(50, 100)), (np.arange(50, 100), np.arange(50))])
    found = measure_refit(case, "the same", nb=GaussianNB())
    assert found.before == found.after == pytest.approx(case.losses.mean())
    assert case.losses[50] == pytest.approx(-np.log(np.finfo(float).eps))


def test_the_best_remedy_is_the_one_of_those_that_count_with_the_largest_gain():
    small, large, harm = remedy("small", 0.1, 0.05), remedy("large", 0.3, 0.1), remedy("harm", -1.0, -2.0)
    unsure, failed = remedy("unsure", 0.5, -0.1), remedy("failed", float("nan"), float("nan"), "no reason")
    assert sort_remedies([failed, harm, unsure, small, large]) == (large, small, unsure, harm, failed)
    told = Finding("f", "s", "c", sort_remedies([unsure, small, large]))
    assert (told.best, told.cost) == (large, pytest.approx(0.3))
    assert "estimator" not in repr(large), "a whole model would hide the numbers"
    assert "details" not in repr(told)
    told = Finding("f", "s", "c", (unsure, harm))
    assert (told.best, told.cost) == (None, 0.0)


@pytest.mark.parametrize(
    ("gain", "low", "said"),
    [(0.25, 0.1, "0.750 (gain 0.100 to 0.400)"), (0.01, 0.001, "0.990 (gain 0.001 to 0.019)"),
     (0.009, 0.001, "0.991 (gain 0.001 to 0.017, less than 0.01)"),
     (0.0, -0.1, "1.000 (gain -0.100 to 0.100, no sure gain)"), (-0.5, -0.6, "1.500 (gain -0.600 to -0.400, harms)")],
)  # fmt: skip
def test_a_remedy_says_whether_it_counts_and_if_not_why(gain, low, said):
    """One rule, printed with every report: 0.01 nats, and an interval above 0."""
    assert str(remedy("it", gain, low)) == f"it: log loss 1.000 -> {said}"
    assert remedy("it", gain, low).sure == said.endswith(("400)", "019)"))
    assert RULE == "A remedy counts if it gains 0.01 nats or more and its interval (98.75%) is above 0."
    assert (LEVEL, MATERIAL) == (0.05 / 8, 0.01)


def test_the_interval_is_that_of_the_mean_gain_at_the_level_of_a_finding():
    gains = np.random.default_rng(0).normal(0.1, 1, 300)
    found = Remedy.measured("n", None, 2 + gains, np.full(300, 2.0))
    expected = norm.interval(1 - 2 * LEVEL, gains.mean(), gains.std(ddof=1) / np.sqrt(300))
    np.testing.assert_allclose(found.interval, expected, rtol=1e-9)
    assert found.gain == pytest.approx(gains.mean())
    assert norm.sf(ERRORS) == pytest.approx(LEVEL)


def test_columns_are_listed_by_name_or_number_and_of_many_the_first():
    assert list_columns(["a", "b"]) == "a, b"
    assert list_columns([0, "b", 3]) == "column 0, b, column 3"
    assert list_columns("abcdef") == "a, b, c, d, e, f"
    assert list_columns("abcdefg") == "a, b, c, d, e, f and 1 more"
    assert list_columns("abcdefg", 2) == "a, b and 5 more"

"""What is said of a prior, counted again: rows that it decides, rows that it cannot decide, shares that have moved."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import binom, binomtest
from sklearn import naive_bayes as theirs

from nbcore.diagnosis.case import Case
from nbcore.diagnosis.drift import LEAST_DISTANCE, find_drift, shares_without_labels
from nbcore.diagnosis.finding import LEVEL
from nbcore.diagnosis.prior import _find_irrelevant_prior, find_prior, is_prior_learned
from nbcore.naive_bayes import GaussianNB
from tests.diagnosis.worlds import bells, case_of, deaf, drifted, words, wrong_prior


def test_a_prior_is_learned_where_it_is_the_training_rows_shares():
    assert is_prior_learned(case_of(bells))
    assert not is_prior_learned(case_of(wrong_prior))


def test_a_given_prior_is_told_with_the_rows_that_it_decides():
    case = case_of(wrong_prior)
    found = find_prior(case)
    by_evidence = case.model.set_params(priors=[0.5, 0.5]).fit(*wrong_prior(0)[:2]).predict(case.X)
    decided = case.model.set_params(priors=[0.95, 0.05]).fit(*wrong_prior(0)[:2]).predict(case.X)
    overruled = by_evidence != decided
    assert found.number == overruled.mean()
    interval = binomtest(int(overruled.sum()), case.n).proportion_ci()
    assert found.interval == pytest.approx((interval.low, interval.high))
    right = (decided == case.y)[overruled].sum()
    assert f"in {overruled.sum()} rows and is right in {right} of them." in found.sentence
    zeros = (case.y == 0).mean()
    assert f": 0 95 % (rows: {100 * zeros:.0f} %), 1 5 % (rows: {100 - 100 * zeros:.0f} %)." in found.sentence
    np.testing.assert_allclose(found.details["prior"], [0.95, 0.05])
    np.testing.assert_allclose(found.details["share"], [zeros, 1 - zeros])


def test_a_given_prior_that_the_rows_bear_out_is_no_finding():
    A, a, B, b, _ = bells(0)
    shares = np.bincount(b) / len(b)
    assert find_prior(Case(GaussianNB(priors=shares).fit(A, a), B, b)) is None


def test_a_prior_without_a_say_is_counted():
    case = case_of(deaf)
    found = find_prior(case)
    odds = np.abs(np.subtract(*(case.scores.log_likelihood.T)))
    beyond = odds > np.log(99)
    wrong = (case.log_p.argmax(axis=1) != case.code)[beyond].sum()
    assert found.number == beyond.mean() > 0.9
    assert f"in {beyond.sum()} of {case.n} rows the evidence is above 99 to 1" in found.sentence
    assert f"In {wrong} of them it is wrong; at most {beyond.sum() / 100:.0f} were to be expected." in found.sentence
    interval = binomtest(int(beyond.sum()), case.n).proportion_ci()
    assert found.interval == pytest.approx((interval.low, interval.high))
    assert [remedy.name.split(",")[0] for remedy in found.remedies] == ["Perplexed Bayes", "one temperature"]


def test_shares_that_were_learned_and_moved_are_no_given_prior():
    assert find_prior(case_of(drifted)) is None


@pytest.mark.parametrize(
    ("out_of_reach", "wrong", "said"), [(90, 5, True), (90, 4, False), (89, 5, False), (99, 5, True), (99, 4, False)]
)
def test_nine_rows_in_ten_must_be_out_of_reach_and_more_of_them_wrong_than_one_in_a_hundred(
    monkeypatch, out_of_reach, wrong, said
):
    """Of 90 rows 5 are wrong once in 460, 4 once in 80; the evidence is 99.5 to 1 there, 98.5 to 1 else."""
    assert binom.sf(4, out_of_reach, 0.01) < LEVEL < binom.sf(3, out_of_reach, 0.01)
    prior = np.tile(np.log([0.7, 0.2, 0.1]), (100, 1))
    evidence = np.zeros((100, 3))
    evidence[np.arange(100), np.arange(100) % 3] = np.log(np.where(np.arange(100) < out_of_reach, 99.5, 98.5))
    evidence[np.arange(100), (np.arange(100) + 1) % 3] = -5
    log_p = prior + evidence - np.logaddexp.reduce(prior + evidence, axis=1)[:, None]
    code = np.where(np.arange(100) < wrong, (log_p.argmax(axis=1) + 1) % 3, log_p.argmax(axis=1))
    remedy = SimpleNamespace(sure=True, gain=1.0)
    monkeypatch.setattr("nbcore.diagnosis.prior.measure_adjustment", lambda case, method: remedy)
    case = SimpleNamespace(n=100, code=code, log_p=log_p, scores=SimpleNamespace(log_prior=prior))
    found = _find_irrelevant_prior(case)
    assert (found is not None) == said
    if said:
        assert found.number == out_of_reach / 100


def test_of_many_classes_the_first_six_are_told():
    A, a, B, b, _ = bells(0, n_classes=7)
    found = find_prior(Case(GaussianNB(priors=np.array([16, 1, 1, 1, 1, 1, 1]) / 22).fit(A, a), B, b))
    assert found.sentence.count(" % (rows: ") == 6
    assert ", 5 5 % (rows: " in found.sentence


def test_a_prior_of_0_has_the_last_say():
    """Whatever the evidence is, the class is ruled out: nothing is said of a prior without a say."""
    A, a, B, b, _ = bells(0)
    assert find_prior(Case(GaussianNB(priors=[1.0, 0.0]).fit(A, a), B, b)) is None


def test_complement_naive_bayes_knows_no_prior():
    A, a, B, b, _ = words(0)
    case = Case(theirs.ComplementNB().fit(A, a), B, b)
    assert find_prior(case) is None
    assert find_drift(case) is None


# --- drift


def test_shares_that_moved_are_told_in_percent():
    case = case_of(drifted)
    found = find_drift(case)
    before, now = np.bincount(drifted(0)[1]) / len(drifted(0)[1]), np.bincount(case.y) / case.n
    assert found.number == pytest.approx(abs(now - before)[0])
    assert found.interval[0] < found.number < found.interval[1]
    em = found.details["by_em"]
    np.testing.assert_allclose(em, shares_without_labels(case.scores.log_likelihood, before))
    assert found.sentence == (
        f"The shares of the classes have changed: 0 was {100 * before[0]:.1f} % of the training rows and is "
        f"{100 * now[0]:.1f} % here. EM would find {100 * em[0]:.1f} % without labels."
    )
    np.testing.assert_allclose(found.details["before"], before)
    np.testing.assert_allclose(found.details["now"], now)


def test_the_class_that_moved_most_is_named():
    A, a, B, b, model = bells(0, n_classes=3)
    kept = np.flatnonzero((b != 1) | (np.arange(len(b)) % 4 == 0))
    found = find_drift(Case(model.fit(A, a), B[kept], b[kept]))
    assert "have changed: 1 was" in found.sentence


def test_em_goes_on_until_it_is_there_and_bears_impossible_rows():
    likelihood = np.log([[0.9, 0.1]] * 30 + [[0.2, 0.8]] * 70)
    share = shares_without_labels(likelihood, np.array([0.5, 0.5]))[0]
    grid = np.linspace(0, 1, 100_001)
    best = grid[np.argmax(30 * np.log(0.1 + 0.8 * grid) + 70 * np.log(0.8 - 0.6 * grid))]
    assert share == pytest.approx(best, abs=1e-5)
    of_long_texts = shares_without_labels(likelihood - 5000, np.array([0.5, 0.5]))
    assert of_long_texts[0] == pytest.approx(share)
    hopeless = np.vstack([likelihood, np.full((5, 2), -np.inf)])
    assert np.isfinite(shares_without_labels(hopeless, np.array([0.5, 0.5]))).all()
    never = shares_without_labels(np.log([[0.5, 1e-300]] * 9 + [[1e-300, 0.5]]), np.array([1.0, 0.0]))
    assert never.sum() == pytest.approx(1)
    one = shares_without_labels(likelihood, np.array([0.7, 0.3]), steps=1)
    posterior = np.exp(likelihood) * [0.7, 0.3]
    np.testing.assert_allclose(one, (posterior / posterior.sum(axis=1, keepdims=True)).mean(axis=0))


@pytest.mark.parametrize(("moved", "said"), [(LEAST_DISTANCE - 0.01, False), (LEAST_DISTANCE + 0.01, True)])
def test_a_small_drift_is_not_worth_a_word(moved, said):
    """Of so many rows that either is no chance."""
    rng = np.random.default_rng(0)
    a, b = np.arange(20_000) % 2, (np.arange(20_000) < (0.5 + moved) * 20_000).astype(int)
    A, B = (2.0 * y[:, None] + rng.normal(size=(len(y), 1)) for y in (a, b))
    assert (find_drift(Case(GaussianNB().fit(A, a), B, b)) is not None) == said


def test_a_class_of_one_training_row_counts_and_one_of_none_does_not():
    """35 of 100 rows where half were to be expected: chance enough where three classes share it, and not of two."""
    rng = np.random.default_rng(0)
    a, b = np.append(np.arange(1000) % 2, 2), np.repeat([0, 1], [65, 35])
    A, B = (y[:, None] + rng.random((len(y), 2)) for y in (a, b))
    for rows, classes, said in ((1001, [0, 1, 2], False), (1000, [0, 1, 2], True), (1000, [0, 1], True)):
        with np.errstate(divide="ignore"):  # scikit-learn takes the logarithm of 0 rows
            model = theirs.MultinomialNB().partial_fit(A[:rows], a[:rows], classes=classes)
            assert (find_drift(Case(model, B, b)) is not None) == said


def test_with_folds_or_a_given_prior_there_is_no_drift():
    A, a, B, b, model = drifted(0)
    assert find_drift(Case(model, A, a, cv=5)) is None
    assert find_drift(Case(GaussianNB(priors=[0.4, 0.6]).fit(A, a), B, b)) is None

"""What is said of a prior, counted again: given or learned, and contradicted by the rows."""

import numpy as np
import pytest
from scipy.stats import chi2_contingency
from sklearn import naive_bayes as theirs

from nbcore.diagnosis import prior
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL
from nbcore.diagnosis.prior import find_prior
from nbcore.naive_bayes import GaussianNB
from tests.diagnosis.worlds import bells, case_of, drifted, words, wrong_prior


@pytest.mark.parametrize(("world", "how"), [(wrong_prior, "given"), (drifted, "learned from other shares of the clas")])
def test_a_prior_stands_beside_the_rows_shares(world, how):
    case = case_of(world)
    found = find_prior(case)
    p, q = np.exp(case.model.class_log_prior_), np.bincount(case.y) / case.n
    np.testing.assert_allclose(found.details["prior"], p)
    np.testing.assert_allclose(found.details["share"], q)
    assert found.sentence.startswith(f"The prior was {how}")
    for c in (0, 1):
        assert f"{c} {p[c]:.1%} (these rows: {q[c]:.1%})" in found.sentence


def test_the_three_classes_that_differ_most_are_named():
    A, a, B, b, _ = bells(0, n_classes=7)
    found = find_prior(Case(GaussianNB(priors=np.array([1, 1, 1, 1, 1, 16, 1]) / 22).fit(A, a), B, b))
    assert found.sentence.startswith("The prior was given: 5 72.7% (these rows: ")
    assert found.sentence.count("these rows") == 3


def test_without_a_difference_or_a_prior_there_is_no_finding():
    A, a, B, b, model = bells(0)
    shares = np.bincount(b) / len(b)
    assert find_prior(Case(GaussianNB(priors=shares).fit(A, a), B, b)) is None
    assert find_prior(Case(GaussianNB(priors=[1.0, 0.0]).fit(A, a), B, b)) is None, "a prior of 0 has the last say"
    A, a, *_ = drifted(0)
    assert find_prior(Case(model, A, a, cv=5)) is None, "a prior learned out of fold is that of its rows"
    A, a, B, b, _ = words(0)
    assert find_prior(Case(theirs.ComplementNB().fit(A, a), B, b)) is None, "this model uses no prior"


def test_how_different_shares_must_be_depends_on_both_samples(monkeypatch):
    """A learned prior is a count of rows, too: about the level, from the same table by scipy."""
    told, remedy = [], type("Remedy", (), {"sure": True})
    monkeypatch.setattr(prior, "measure_adjustment", lambda case, method: remedy)
    rng = np.random.default_rng(0)
    for ones in range(54, 80, 3):
        a, b = np.arange(300) % 2, (np.arange(100) < ones).astype(int)
        case = Case(GaussianNB().fit(rng.normal(size=(300, 1)), a), rng.normal(size=(100, 1)), b)
        told.append(find_prior(case) is not None)
        assert told[-1] == (chi2_contingency([np.bincount(a), np.bincount(b)]).pvalue < LEVEL)
    assert 2 < sum(told) < 7

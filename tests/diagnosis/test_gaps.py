"""Numbers that stand for a gap: which do, and what reading them as gaps gives."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import naive_bayes as theirs

from nbcore.diagnosis.case import Case
from nbcore.diagnosis.gaps import LEAST_ROWS, _sentinels, find_gaps, measurements, read_as_gaps
from nbcore.mixed import MixedNB
from nbcore.naive_bayes import GaussianNB
from tests.diagnosis.worlds import bells, case_of, sentinel, words


def column(value, times=20, spread=1.0):
    return np.append(np.random.default_rng(0).normal(size=480) * spread, np.full(times, float(value)))


@pytest.mark.parametrize(
    ("values", "found"),
    [
        (column(-999), [-999]),
        (column(99), [99]),
        (column(-999, LEAST_ROWS), [-999]),
        (column(-999, LEAST_ROWS - 1), []),
        (column(-999, spread=400), []),  # it may be a value
        (np.concatenate([column(-999), np.full(9, 999.0), [np.nan]]), [-999, 999]),
        (np.repeat([0.0, 1.0, 900.0], 50), []),  # codes
        (np.append(abs(column(3)), np.full(9, -1.0)), [-1]),  # alone below 0
        (np.append(np.arange(480) % 40, np.full(9, -1.0)), []),  # the next whole number, as of degrees
        (np.append(column(3) % 3, [-1.0] * 9 + [-0.5]), []),
    ],
)
def test_a_number_stands_for_a_gap_if_it_is_repeated_and_far_from_all_others(values, found):
    assert _sentinels(values)[: len(found)] == found
    assert len(_sentinels(values)) == len(found)


def test_they_are_no_measurements():
    case = case_of(sentinel)
    expected = np.where(case.X == -999, np.nan, case.X)
    np.testing.assert_array_equal(measurements(case), expected)
    np.testing.assert_array_equal(read_as_gaps(case.X[:, :2], [-999, 7]), np.stack([expected[:, 0], case.X[:, 1]], 1))
    assert np.isnan(measurements(case_of(words))).all()


@pytest.mark.parametrize("kind", [GaussianNB, theirs.GaussianNB, "pandas", "polars"])
def test_the_remedy_is_the_model_of_the_table_with_gaps(kind):
    A, a, B, b, _ = sentinel(0)
    gaps = np.where(B == -999, np.nan, B)
    model = kind() if callable(kind) else MixedNB()
    if not callable(kind):
        names = list("stuvwxyz")
        A, B = (pd.DataFrame(Z, columns=names) if kind == "pandas" else pl.DataFrame(Z, schema=names) for Z in (A, B))
    found = find_gaps(Case(model.fit(A, a), B, b))
    first, second = (0, 1) if callable(kind) else ("s", "t")
    assert found.details["numbers"] == {first: -999, second: -999}
    words = "column 0, -999 in column 1" if callable(kind) else "s, -999 in t"
    assert found.sentence == f"Numbers that seem to stand for a gap: -999 in {words}."
    fitted = found.best.estimator.fit(B, b)
    np.testing.assert_allclose(fitted.predict_proba(B), GaussianNB().fit(gaps, b).predict_proba(gaps))


@pytest.mark.parametrize("informative", [False, True])
def test_what_costs_nothing_is_named_and_what_says_something_is_left(informative):
    """A column of noise with -999, by chance or in one class only."""
    A, a, B, b, _ = bells(0)
    rng = np.random.default_rng(0)
    A, B = (
        np.column_stack([Z, np.where(rng.random(len(Z)) < (y if informative else 0.1), -999, rng.normal(size=len(Z)))])
        for Z, y in ((A, a), (B, b))
    )
    found = find_gaps(Case(GaussianNB().fit(A, a), B, b))
    assert (found is None) == informative
    assert informative or found.best is None

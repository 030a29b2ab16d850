"""Copies: what a feature says for the truth, which go together, how few cases tell nothing, which columns are left."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.stats import norm, rankdata
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import KFold

from nbcore.diagnosis.case import Case
from nbcore.diagnosis.copies import (
    LEAST_INFORMATIVE_ROWS,
    MOST_COLUMNS,
    MOST_ROWS,
    _candidate_columns,
    effective_number,
    evidence_for_truth,
    find_copies,
    find_groups,
)
from nbcore.mixed import MixedNB
from nbcore.naive_bayes import GaussianNB
from tests.diagnosis.worlds import bells, case_of, dependent, near_copies


def test_evidence_is_the_true_class_less_the_mean_of_the_others():
    said = np.array([[[-1.0, -2.0], [-4.0, -2.0], [-6.0, -8.0]], [[-1.0, -np.inf], [-3.0, -1.0], [-2.0, -1.0]]])
    np.testing.assert_allclose(evidence_for_truth(said, np.array([0, 2])), [[4, 3], [0, 24.5]])


def test_features_that_cancel_have_no_effective_number():
    up = np.array([[1.0], [-1.0]])
    assert np.isnan(effective_number(np.hstack([up, -up]), np.zeros(2, dtype=int)))
    assert effective_number(1e-6 * np.hstack([up, up]), np.zeros(2, dtype=int)) == pytest.approx(1)
    assert effective_number(np.hstack([up, up, up]), np.zeros(2, dtype=int)) == pytest.approx(1)


def mostly_silent(heard, n=400):
    """Two columns, alike, that say something in so many rows only."""
    out = np.zeros((n, 2))
    out[:heard] = np.linspace(1, 2, heard)[:, None]
    return out


@pytest.mark.parametrize(("heard", "groups"), [(LEAST_INFORMATIVE_ROWS, [[0, 1]]), (LEAST_INFORMATIVE_ROWS - 1, [])])
def test_a_feature_that_says_the_same_in_all_but_few_rows_tells_nothing(heard, groups):
    code = np.zeros(400, dtype=int)
    assert [list(group) for group in find_groups(mostly_silent(heard), code)] == groups
    rng = np.random.default_rng(0)
    both = np.hstack([mostly_silent(heard), np.repeat(rng.normal(size=(400, 1)), 2, axis=1)])
    assert [list(group) for group in find_groups(both, code)] == [*groups, [2, 3]]


def test_rows_are_silent_class_by_class():
    """Ten rows of either class say something: twenty in all."""
    out, code = mostly_silent(20), np.tile([0, 1], 200)
    assert [list(group) for group in find_groups(out, code)] == [[0, 1]]
    constant_in_each = np.repeat(code[:, None].astype(float), 2, axis=1)
    assert find_groups(constant_in_each, code) == []


def test_features_are_alike_from_a_correlation_of_six_tenths_on():
    rng = np.random.default_rng(0)
    one, two = rng.normal(size=(2, 5000))
    for r, together in ((0.66, True), (0.56, False)):  # of ranks: .64 and .54
        pair = np.column_stack([one, r * one + np.sqrt(1 - r**2) * two])
        assert bool(find_groups(pair, np.zeros(5000, dtype=int))) == together


def test_how_alike_is_more_than_chance_is_asked_of_ranks_within_the_classes():
    """Fieller et al. (1957): Fisher's z of a rank correlation has the variance 1.06 / (n - 3); a class costs a row."""
    rng, code, told = np.random.default_rng(0), np.repeat([0, 1], [9, 13]), []
    least = np.tanh(norm.isf(0.05 / 8 / 28) * np.sqrt(1.06 / (22 - 2 - 2)))  # of 28 pairs of features
    assert 0.69 < least < 0.7
    for _ in range(80):
        evidence = rng.normal(size=(22, 8))
        evidence[:, 1] = evidence[:, 0] + rng.normal(size=22)
        evidence[:9] *= 100
        ranks = np.vstack([rankdata(evidence[:9, :2], axis=0) - 5, rankdata(evidence[9:, :2], axis=0) - 7])
        r = ranks[:, 0] @ ranks[:, 1] / (ranks[:, 0] @ ranks[:, 0])
        told.append([0, 1] in [list(group)[:2] for group in find_groups(evidence, code)])
        assert told[-1] == (r > least)
    assert 10 < sum(told) < 70


def test_one_feature_has_no_copies():
    case = case_of(bells, n_features=1)
    assert find_copies(case) is None
    assert find_groups(case.X, case.y) == []


def test_two_features_may_be_copies():
    A, a, B, b, model = bells(0, n_features=1)
    A, B = np.repeat(A, 2, axis=1), np.repeat(B, 2, axis=1)
    found = find_copies(Case(model.fit(A, a), B, b))
    assert (found.columns, found.details["groups"][0]["effective"]) == ((0, 1), pytest.approx(1))


def test_of_very_many_columns_the_ones_that_vary_most_are_looked_at():
    rng = np.random.default_rng(0)
    share = rng.uniform(0.1, 0.9, MOST_COLUMNS + 3)
    share[[5, 9, 11]] = 0.001, 0.999, 0.0
    Z = 3.0 * (rng.random((3000, MOST_COLUMNS + 3)) < share)
    for given in (Z, sparse.csr_array(Z)):
        case = SimpleNamespace(Z=given, n=3000, cache={"blocks": []}, event="multinomial")
        looked_at = _candidate_columns(case)
        assert len(looked_at) == MOST_COLUMNS
        assert (np.diff(looked_at) > 0).all()
        assert not {5, 9, 11} & set(looked_at.tolist())
        case.cache["blocks"] = [(0, 1, 2)]
        np.testing.assert_array_equal(_candidate_columns(case), np.arange(3, MOST_COLUMNS + 3))


def test_of_very_many_rows_some_are_looked_at():
    A, a, B, b, model = near_copies(0)
    B, b = np.tile(B, (5, 1)), np.tile(b, 5)
    assert len(b) > MOST_ROWS
    found = find_copies(Case(model.fit(A, a), B, b))
    assert found.columns == (0, 6, 7, 8)
    assert 1 < found.details["groups"][0]["effective"] < 1.5


def test_what_different_models_say_is_compared_within_each_fold():
    """Three classes and two folds: six cells, of which each is centred by itself."""
    A, a, *_ = bells(0, 3, n_classes=3)
    A = np.hstack([A, A[:, :1] + 0.3 * np.random.default_rng(0).normal(size=(len(A), 1))])[:400]
    A[200:] += 9
    case = Case(GaussianNB(), A, a[:400], cv=KFold(2))
    found = find_copies(case)
    assert found.columns == (0, 3)
    evidence = evidence_for_truth(case.contributions(np.arange(400)), case.code)[:, [0, 3]]
    cells = [evidence[(case.code == c) & (np.arange(400) // 200 == fold)] for c in range(3) for fold in (0, 1)]
    centred = np.vstack([cell - cell.mean(axis=0) for cell in cells])
    expected = 2 * (centred**2).sum() / (centred.sum(axis=1) ** 2).sum()
    assert found.details["groups"][0]["effective"] == pytest.approx(expected)


def test_of_each_group_the_one_that_argues_most_for_the_truth_is_kept():
    """Column 0 and its copies, and column 1 with one: of each group the one with the least noise."""
    A, a, B, b, _ = bells(4, 4)
    rng = np.random.default_rng(4)

    def copied(Z):
        noise = 0.3 * Z.std() * rng.normal(size=(len(Z), 3))
        return np.hstack([Z, Z[:, [0, 0, 1]] + noise])

    A, B = copied(A), copied(B)
    case = Case(GaussianNB().fit(A, a), B, b)
    found = find_copies(case)
    assert [set(group["columns"]) for group in found.details["groups"]] == [{0, 4, 5}, {1, 6}]
    first, second = found.details["groups"]
    assert second["columns"] == [1, 6]
    assert found.sentence == (
        "5 of 7 features repeat others of 2 groups. The largest: column 0, column 4, column 5: 3 features, worth "
        f"{first['effective']:.2g}."
    )
    evidence = evidence_for_truth(case.contributions(np.arange(case.n)), case.code).mean(axis=0)
    kept = {max(group, key=lambda j: evidence[j]) for group in ([0, 4, 5], [1, 6])}
    thinned = next(r for r in found.remedies if r.name == "one of each group (4 of 7 columns)")
    np.testing.assert_array_equal(thinned.estimator[0].transformers[0][2], sorted({0, 4, 5, 1, 6} - kept))
    assert found.remedies[0] is thinned, "whatever else Perplexed Bayes mends is no cost of copies"


@pytest.mark.parametrize("mixed", [False, True])
def test_measurements_that_vary_together_are_turned_to_where_the_classes_differ(mixed):
    """No column is a copy. What is gained is what Fisher's directions gain, learned anew in every fold."""
    A, a, B, b, model = dependent(3)
    X, colour = B, np.random.default_rng(0).choice(["red", "blue"], len(B))
    if mixed:
        model = MixedNB()
        A, B = (pd.DataFrame(Z).add_prefix("f").assign(colour=colour[np.arange(len(Z)) % 500])
                .iloc[:, ::-1] for Z in (A, B))  # fmt: skip
    case = Case(model.fit(A, a), B, b)
    found, losses = find_copies(case), np.zeros(len(b))
    for learn, held in case.folds:
        turned = LinearDiscriminantAnalysis().fit(X[learn], b[learn]).transform(X)
        rows = pd.DataFrame({"turned": turned[:, 0], "colour": colour}).iloc[:, : 1 + mixed]
        p = MixedNB().fit(rows.iloc[learn], b[learn]).predict_proba(rows.iloc[held])
        losses[held] = -np.log(p[np.arange(len(held)), b[held]])
    (remedy,) = found.remedies
    assert remedy.sure
    assert remedy.after == pytest.approx(losses.mean())
    ranks = pd.DataFrame(X).groupby(b).rank()
    r = (ranks - ranks.groupby(b).transform("mean")).corr().abs().to_numpy()
    assert found.sentence.startswith("24 measurements vary together in the classes")
    assert found.sentence.endswith(f": rank correlation {np.triu(r, 1).max():.2f}.")
    lonely, gappy = np.column_stack([X, np.random.default_rng(1).normal(size=500)]), np.where(X == X[0], np.nan, X)
    assert len(find_copies(Case(GaussianNB().fit(lonely, b), lonely, b)).columns) == 24, "what is alone stays"
    assert find_copies(Case(GaussianNB().fit(gappy, b), gappy, b)) is None
    assert find_copies(case_of(bells)) is None

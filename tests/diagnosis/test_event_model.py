"""Which columns are foreign to which event model: what they look like, at the edge of each rule."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.stats import gamma, norm, skew, skewtest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from nbcore.diagnosis import Adjusted
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.event_model import (
    LARGEST_CODE,
    LEAST_SKEWNESS,
    find_event_model,
    residual_skewness,
)
from nbcore.diagnosis.finding import LEVEL
from nbcore.diagnosis.gaps import measurements
from nbcore.diagnosis.remedies import changed_columns, measure_refit
from nbcore.mixed import MixedNB
from nbcore.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from nbcore.perplexed import PerplexedBayes
from tests.diagnosis.worlds import (
    bells,
    case_of,
    categories,
    codes_as_counts,
    counts_as_marks,
    marks,
    marks_as_counts,
    skewed,
    words,
)


def kinds(finding):
    """Return the name of each remedy's naive Bayes, the best first."""
    return [type(remedy.estimator).__name__ for remedy in finding.remedies]


# --- what is a measurement


def test_measurements_are_the_columns_of_bells():
    case = case_of(bells)
    np.testing.assert_array_equal(measurements(case), case.X)
    assert np.isnan(measurements(case_of(words))).all()


def test_of_a_mixed_model_they_are_found_by_name_or_number():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(3, size=80), rng.normal(size=80), rng.integers(2, size=80), rng.normal(size=80)])
    y = np.arange(80) % 2
    parts = [("categorical", [0]), ("gaussian", [3, 1]), ("bernoulli", [2])]
    expected = np.where([False, True, False, True], X, np.nan)
    np.testing.assert_array_equal(measurements(Case(MixedNB(parts).fit(X, y), X, y)), expected)
    frame = pd.DataFrame(X, columns=list("abcd"))
    named = [(part, [frame.columns[j] for j in columns]) for part, columns in parts]
    np.testing.assert_array_equal(measurements(Case(MixedNB(named).fit(frame, y), frame, y)), expected)


# --- skewness


def test_skewness_within_the_classes_is_scipys_of_the_standardised_rest():
    rng = np.random.default_rng(0)
    code = np.repeat([0, 1], [60, 40])
    X = np.column_stack([rng.exponential(size=100) * (1 + 5 * code) + 7 * code, rng.normal(size=100)])
    X[::9, 0] = np.nan
    Z = X.copy()
    for c in (0, 1):
        Z[code == c] = (X[code == c] - np.nanmean(X[code == c], axis=0)) / np.nanstd(X[code == c], axis=0)
    amount, chance = residual_skewness(X, code)
    for j in range(2):
        column = Z[~np.isnan(Z[:, j]), j]
        assert amount[j] == pytest.approx(skew(column))
        assert chance[j] == pytest.approx(skewtest(column).pvalue)


@pytest.mark.parametrize(("rows", "told"), [(20, True), (19, False)])
def test_of_fewer_than_twenty_values_nothing_is_said(rows, told):
    X = np.full((50, 1), np.nan)
    X[:rows, 0] = np.random.default_rng(0).exponential(size=rows)
    assert np.isfinite(residual_skewness(X, np.zeros(50, dtype=int))).all() == told


def test_a_column_without_spread_and_a_class_of_two_rows_say_nothing():
    code = np.repeat([0, 1, 2], [30, 30, 2])
    X = np.column_stack([code.astype(float), np.random.default_rng(0).normal(size=62)])
    X[60:, 1] = 1000, -1000  # of two rows nothing can be told but their distance
    amount, _ = residual_skewness(X, code)
    assert np.isnan(amount[0])
    tenth = np.full((30, 1), 0.1)
    assert tenth.mean() != 0.1, "a mean that rounding leaves beside what never varies"
    assert np.isnan(residual_skewness(tenth, np.zeros(30, dtype=int))).all()
    assert amount[1] == pytest.approx(residual_skewness(X[:60], code[:60])[0][1])
    one_known = np.vstack([X[:60], [[np.nan, 5000.0], [np.nan, np.nan], [np.nan, np.nan]]])
    assert residual_skewness(one_known, np.append(code, 2))[0][1] == pytest.approx(amount[1])
    three = np.vstack([X, [[2.0, 5000.0]]])
    assert residual_skewness(three, np.append(code, 2))[0][1] != pytest.approx(amount[1]), "of three it can"


def test_skewed_columns_are_named_the_worst_first():
    A, a, B, b, model = skewed(0)
    A, B = (np.column_stack([Z, -Z[:, 0]]) for Z in (A, B))  # to the left
    case = Case(model.fit(A, a), B, b)
    found = find_event_model(case)
    amount, _ = residual_skewness(B, b)
    worst_first = [j for j in np.argsort(-abs(amount), kind="stable") if abs(amount[j]) > LEAST_SKEWNESS]
    assert set(worst_first) == {0, 1, 2, 8}
    assert found.columns == tuple(worst_first)
    assert found.sentence.startswith("4 of 9 columns are skewed or have heavy tails within the classes")
    assert found.details["skewness"] == pytest.approx({str(j): amount[j] for j in worst_first})
    (bell,) = found.remedies
    assert bell.name == "quantiles of a bell curve for 4 columns"
    assert bell.estimator[0].transformers[0][2] == worst_first
    bent = bell.estimator[0].fit_transform(B)[:, :4]
    shares = np.linspace(0, 1, 100)  # the ends are the 0.5 % and 99.5 % points, however far outside a row lies
    expected = [norm.ppf((99 * np.interp(column, np.quantile(column, shares), shares) + 0.5) / 100)
                for column in B[:, worst_first].T]  # fmt: skip
    np.testing.assert_allclose(bent.T, expected, atol=1e-9)


@pytest.mark.parametrize("width", [1, 8])
def test_how_sure_the_skewness_must_be_depends_on_how_many_columns_were_looked_at(width):
    y, share = np.arange(50) % 2, (np.arange(50) + 0.5) / 50
    X = np.column_stack([gamma.ppf(share, 2)] + [norm.ppf(share)] * (width - 1))
    (amount, *_), (chance, *_) = residual_skewness(X, y)
    assert amount > LEAST_SKEWNESS
    assert LEVEL / 8 < chance < LEVEL
    assert (find_event_model(Case(GaussianNB().fit(X, y), X, y)) is None) == (width == 8)


def test_a_little_skewed_is_no_finding():
    rng = np.random.default_rng(0)
    y = np.arange(1500) % 2
    for shape, said in ((2, True), (9, False)):  # skewness 2 / sqrt(shape): 1.4 and .67
        X = np.column_stack([rng.gamma(shape, size=1500), y + rng.normal(size=1500)])
        assert (find_event_model(Case(GaussianNB().fit(X[:1000], y[:1000]), X[1000:], y[1000:])) is not None) == said


@pytest.mark.parametrize("framed", [False, True])
def test_a_mixed_model_finds_its_columns_where_a_transformer_puts_them(framed):
    """By number where the transformed ones have come to the front, by name in a frame; as if they were transformed."""
    A, a, B, b, _ = skewed(0)
    rng = np.random.default_rng(0)
    A, B, a, b = A[:300], B[:200], a[:300], b[:200]
    A, B = (np.insert(Z[:, :4], 2, rng.random(len(y)) < 0.3 + 0.4 * y, axis=1) for Z, y in ((A, a), (B, b)))
    bent, parts = B.copy(), [("gaussian", [4, 0, 3, 1]), ("categorical", [2])]
    bent[:, [0, 1, 3]] = np.log1p(B[:, [0, 1, 3]])
    expected = MixedNB(parts).fit(bent, b).predict_proba(bent)
    if framed:
        A, B = (pd.DataFrame(Z, columns=list("vwxyz")) for Z in (A, B))
        parts = [(part, [A.columns[j] for j in columns]) for part, columns in parts]
    case = Case(MixedNB(parts).fit(A, a), B, b)
    log1p = FunctionTransformer(np.log1p, feature_names_out="one-to-one")
    remedy = measure_refit(case, "log1p", *changed_columns(case, [3, 0, 1], log1p))
    assert not remedy.failed
    np.testing.assert_allclose(remedy.estimator.fit(B, b).predict_proba(B), expected)


# --- the other models


@pytest.mark.parametrize(
    ("world", "best"),
    [(codes_as_counts, "CategoricalNB"), (counts_as_marks, "MultinomialNB"), (marks_as_counts, "BernoulliNB")],
)  # fmt: skip
def test_another_event_model_is_tried_where_the_values_allow_it(world, best):
    found = find_event_model(case_of(world))
    assert kinds(found)[0] == best
    assert found.columns == tuple(range(8))
    assert found.sentence.startswith(f"8 columns are foreign to a {'multi' * (best != 'MultinomialNB')}")


def test_counts_that_are_counts_are_left_to_their_model():
    for world in (words, marks):
        case = case_of(world)
        assert find_event_model(case) is None
        assert ("refitted" in case.cache) == (world is words), "marks in a model of marks: there is nothing to try"


def test_measurements_in_a_model_of_counts_are_tried_as_such_unless_most_are_0():
    A, a, B, b, _ = bells(0)
    A, B = (np.maximum(Z + 5, 0) for Z in (A, B))
    case = Case(MultinomialNB().fit(A, a), B, b)
    found = find_event_model(case)
    assert kinds(found) == ["GaussianNB"]
    assert "are foreign to a multinomial model (column 0, " in found.sentence
    assert found.sentence.endswith("): they are measurements.")
    for share, tried in ((0.5, False), (0.55, True)):  # of weights of words half or more are 0
        weights = np.where(B > np.quantile(B, 1 - share), B, 0.0)
        case = Case(MultinomialNB().fit(A, a), weights, b)
        find_event_model(case)
        assert ("refitted" in case.cache) == tried


@pytest.mark.parametrize(
    "Z", [sparse.csr_array(np.eye(50)), np.array([["a"], ["b"]], dtype=object)], ids=["sparse", "words"]
)  # fmt: skip
def test_of_what_are_no_numbers_in_a_table_no_other_model_is_tried(Z):
    assert find_event_model(SimpleNamespace(event="multinomial", nb=MultinomialNB(), dense=Z)) is None


@pytest.mark.parametrize(
    "wrap",
    [lambda nb: nb, lambda nb: make_pipeline(FunctionTransformer(), nb), lambda nb: PerplexedBayes(nb, k=3.0)],
    ids=["alone", "in a pipeline", "in another model"],
)
def test_the_other_model_stands_where_the_models_own_stood(wrap):
    A, a, B, b, _ = codes_as_counts(0)
    case = Case(wrap(MultinomialNB()).fit(A[:99], a[:99]), B[:99], b[:99])
    remedy = measure_refit(case, "bells", nb=GaussianNB(var_smoothing=0.1))
    models = wrap(GaussianNB(var_smoothing=0.1)), remedy.estimator
    np.testing.assert_allclose(*(model.fit(B, b).predict_proba(B) for model in models))


@pytest.mark.parametrize(("columns", "tried"), [(200, True), (201, False)])
def test_of_very_many_columns_codes_are_not_tried(columns, tried):
    A, a, *_ = categories(0, n_features=columns, train=60)
    case = Case(MultinomialNB().fit(A, a), A, a)
    find_event_model(case)
    assert ("refitted" in case.cache) == tried


def test_a_model_that_takes_no_sparse_rows_is_no_remedy_for_them():
    A, a, B, b, _ = codes_as_counts(0)
    case = Case(MultinomialNB().fit(sparse.csr_array(A), a), sparse.csr_array(B), b)
    assert find_event_model(case) is None
    remedy = measure_refit(case, "codes", nb=CategoricalNB())
    assert remedy.failed.startswith("Sparse data was passed")


def test_codes_in_a_model_of_marks_are_tried_as_counts_and_as_codes():
    A, a, B, b, _ = categories(0)
    found = find_event_model(Case(BernoulliNB(alpha=0.5).fit(A, a), B, b))
    assert kinds(found) == ["CategoricalNB", "MultinomialNB"]
    assert [remedy.estimator.alpha for remedy in found.remedies] == [0.5, 0.5]


@pytest.mark.parametrize(("top", "tried"), [(LARGEST_CODE, True), (LARGEST_CODE + 1, False)])
def test_whole_numbers_are_codes_up_to_thirty(top, tried):
    A, a, B, b, _ = codes_as_counts(0)
    B[0, 0] = top
    found = find_event_model(Case(MultinomialNB().fit(A, a), B, b))
    assert (found is not None) == tried


@pytest.mark.parametrize("spoilt", [-1.0, 0.5])
def test_what_is_no_whole_number_is_no_code(spoilt):
    A, a, B, b, _ = categories(0)
    case = Case(MultinomialNB().fit(A, a), B, b)
    case.dense = B.astype(float)
    case.dense[3, 2] = spoilt
    found = find_event_model(case)
    assert found is None or kinds(found) == ["GaussianNB"]


def test_quantiles_are_fewer_than_the_rows_of_a_fold_of_a_fold():
    A, a, B, b, _ = skewed(0)
    case = Case(Adjusted(GaussianNB(), "temperature", cv=5).fit(A, a), B[:143], b[:143])
    assert not find_event_model(case).remedies[0].failed, "and no warning, which would be an error here"

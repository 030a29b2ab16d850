"""What every finding looks at: rows, folds, names, and the naive Bayes inside."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from nbcore.diagnosis import Adjusted
from nbcore.diagnosis.case import FOLDS, Case
from nbcore.naive_bayes import CategoricalNB, GaussianNB, MultinomialNB
from tests.diagnosis.worlds import bells, categories, words


def few(rows, rare=20):
    """Rows of two bells, of the second class so many."""
    A, *_ = bells(0)
    return A[:rows], (np.arange(rows) < rare).astype(int)


def test_held_out_rows_are_cut_into_five_shuffled_folds_with_the_classes_shares():
    A, a, B, b, model = bells(0)
    case = Case(model.fit(A, a), B, b)
    expected = StratifiedKFold(5, shuffle=True, random_state=0).split(B, b)
    for (learn, held), (learn_, held_) in zip(case.folds, expected, strict=True):
        np.testing.assert_array_equal(learn, learn_)
        np.testing.assert_array_equal(held, held_)
    assert (len(case.parts), set(case.part.tolist())) == (1, {0})


@pytest.mark.parametrize(("rare", "folds"), [(2, 2), (3, 3), (4, 4), (5, 5), (9, 5)])
def test_there_are_no_more_folds_than_rows_of_the_rarest_class(rare, folds):
    X, y = few(60, rare)
    assert len(Case(GaussianNB().fit(X, y), X, y).folds) == folds
    assert len(Case(GaussianNB(), X, y, cv=FOLDS).folds) == folds


def test_a_splitter_is_taken_as_it_is():
    X, y = few(60, 3)
    assert len(Case(GaussianNB(), X, y[::-1].copy(), cv=KFold(7, shuffle=True, random_state=0)).folds) == 7


def test_a_class_of_one_row_is_refused_and_one_of_none_is_not():
    X, y = few(60, 1)
    with pytest.raises(ValueError, match="rarest class in y must be an integer >= 2; got 1"):
        Case(GaussianNB().fit(X, y), X, y)
    A, a, B, b, model = bells(0, n_classes=3)
    two = Case(model.fit(A, a), B[b != 1], b[b != 1])
    assert (two.n_classes, len(two.folds), set(two.code.tolist())) == (3, 5, {0, 2})


def test_with_folds_every_row_is_looked_at_by_the_model_of_the_others():
    A, a, *_ = bells(0)
    labels = np.array(["b", "a"])[a]
    case = Case(GaussianNB(), A, labels, cv=4)
    assert len(case.parts) == 4
    for i, (learn, held) in enumerate(StratifiedKFold(4).split(A, case.code)):
        fitted = GaussianNB().fit(A[learn], labels[learn])
        np.testing.assert_allclose(case.log_p[held], fitted.predict_log_proba(A[held]))
        np.testing.assert_allclose(case.contributions(held[:5]), fitted.feature_contributions(A[held[:5]]))
        assert (case.part[held] == i).all()
    assert list(case.classes) == ["a", "b"]
    np.testing.assert_array_equal(case.code, 1 - a)
    np.testing.assert_allclose(case.losses, -case.log_p[np.arange(case.n), case.code])


def test_contributions_of_some_rows_and_columns_in_their_order():
    A, a, B, b, model = bells(0)
    case = Case(model.fit(A, a), B, b)
    rows, columns = np.array([7, 3, 99]), np.array([5, 0])
    np.testing.assert_allclose(case.contributions(rows, columns), model.feature_contributions(B)[rows][:, :, columns])
    by_folds = Case(GaussianNB(), A, a, cv=3)
    every = by_folds.contributions(np.arange(by_folds.n))
    np.testing.assert_allclose(by_folds.contributions(rows, columns), every[rows][:, :, columns])


def test_columns_have_their_names_where_the_naive_bayes_sees_them():
    A, a, B, b, _ = bells(0, n_features=3)
    names = ["x", "y", "z"]
    frames = [pd.DataFrame(Z, columns=names) for Z in (A, B)]
    assert Case(GaussianNB().fit(A, a), B, b).names == [0, 1, 2]
    assert Case(GaussianNB().fit(frames[0], a), frames[1], b).names == names
    scaled = make_pipeline(StandardScaler(), GaussianNB()).fit(frames[0], a)
    assert Case(scaled, frames[1], b).names == names
    picked = make_pipeline(ColumnTransformer([("k", "passthrough", ["z", "x"])]), GaussianNB()).fit(frames[0], a)
    assert Case(picked, frames[1], b).names == ["k__z", "k__x"]
    nameless = make_pipeline(FunctionTransformer(lambda Z: np.asarray(Z)[:, :2]), GaussianNB()).fit(frames[0], a)
    assert Case(nameless, frames[1], b).names == [0, 1]


def test_rebuilt_has_a_change_in_front_of_another_naive_bayes():
    A, a, B, b, _ = bells(0)
    piped = make_pipeline(StandardScaler(), GaussianNB(var_smoothing=0.1)).fit(A, a)
    case = Case(piped, B, b)
    assert case.rebuilt()[-1].var_smoothing == 0.1
    new = case.rebuilt(FunctionTransformer(), MultinomialNB())
    assert [type(step).__name__ for step in (new[0], new[-1][0], new[-1][1])] == [
        "StandardScaler", "FunctionTransformer", "MultinomialNB"]  # fmt: skip


def test_a_categorical_model_keeps_its_number_of_categories_in_every_fold():
    A, a, B, b, model = categories(0)
    case = Case(CategoricalNB().fit(A, a), B, b)
    assert list(case.rebuilt().min_categories) == [4] * 8
    A[0, 0] = 9  # in one fold alone
    by_folds = Case(CategoricalNB(), A, a, cv=5)
    assert np.isfinite(by_folds.losses).all()
    assert all(fitted.n_categories_[0] == 10 for _, fitted in by_folds.parts)
    adjusted = Adjusted(model.fit(A, a)).fit(B % 4, b)
    assert Case(adjusted, B, b).event == "categorical"
    assert all(fitted.model_ is model for _, fitted in Case(adjusted, B, b, cv=3).parts), "what is fitted stays so"


def test_small_sparse_rows_are_looked_at_whole():
    A, a, B, b, model = words(0)
    case = Case(model.fit(sparse.csr_array(A), a), sparse.csr_array(B), b)
    np.testing.assert_array_equal(case.dense, B)
    case.Z = sparse.csr_array((B.shape[0], 20_000))
    del case.dense
    assert case.dense.size == 10_000_000
    wide = sparse.csr_array((B.shape[0], 20_001))
    case.Z = wide
    del case.dense
    assert case.dense is wide, "more than ten million numbers are too many"
    frame = pd.DataFrame(B)
    case.Z = frame
    del case.dense
    np.testing.assert_array_equal(case.dense, B)

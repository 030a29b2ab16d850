"""`diagnose`: what it says on data everybody has, by a second route; its remedies; its words; its refusals."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import naive_bayes as theirs
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.metrics import log_loss
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from nbcore import diagnose
from nbcore.datasets import load_titanic
from nbcore.diagnosis import Adjusted
from nbcore.diagnosis.adjusted import METHODS
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.copies import effective_number, evidence_for_truth
from nbcore.diagnosis.one_hot import one_hot_blocks
from nbcore.diagnosis.recipe import contributions, scores, unwrap
from nbcore.mixed import MixedNB
from nbcore.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from nbcore.perplexed import PerplexedBayes
from tests.diagnosis.worlds import FAULTS, bells, gaps, near_copies, one_hot


@pytest.fixture(scope="module")
def cancer():
    table = load_breast_cancer(as_frame=True)
    return diagnose(GaussianNB(), table.data, table.target_names[table.target], cv=10)


# ----------------------------------------------------------------------------------------------- what it must say


def test_on_breast_cancer_it_says_what_scikit_learn_confirms(cancer):
    X, y = load_breast_cancer(return_X_y=True)
    p = cross_val_predict(theirs.GaussianNB(), X, y, cv=10, method="predict_proba")
    wrong = p.argmax(axis=1) != y
    assert cancer.log_loss == pytest.approx(log_loss(y, p))
    assert cancer.accuracy == pytest.approx(1 - wrong.mean())
    details = cancer["calibration"].details
    assert details["errors"] == wrong.sum() == 36
    assert details["sure_and_wrong"] == (p.max(axis=1)[wrong] > 0.99).sum() == 22
    assert "22 of 36 errors" in str(cancer)


def test_on_one_hot_columns_of_a_table_it_says_what_ordinal_codes_give():
    table = load_titanic()
    X = OneHotEncoder(sparse_output=False).fit_transform(table.data)
    folds = StratifiedKFold(5)
    finding = diagnose(BernoulliNB(), X, table.target, cv=folds)["one_hot"]
    assert finding.details["blocks"] == [[0, 1, 2, 3], [4, 5], [6, 7]]
    codes = OrdinalEncoder().fit_transform(table.data)
    before = cross_val_predict(theirs.BernoulliNB(), X, table.target, cv=folds, method="predict_proba")
    after = cross_val_predict(theirs.CategoricalNB(), codes, table.target, cv=folds, method="predict_proba")
    assert finding.best.before == pytest.approx(log_loss(table.target, before))
    assert finding.best.after == pytest.approx(log_loss(table.target, after), abs=1e-3)  # K + 1 codes are smoothed
    assert finding.cost > 0.15


# ------------------------------------------------------------------------------------------------------- remedies


@pytest.mark.parametrize(
    ("name", "world"), [(name, w) for name, worlds in FAULTS.items() for w in worlds], ids=lambda x: str(x)[:12]
)
def test_apply_gives_a_model_and_a_report_with_less_loss(name, world):
    A, a, B, b, model = world(2)
    report = diagnose(model.fit(A, a), B, b)
    remedy = report[name].remedies[0]
    fitted, after = report.apply(name)
    by_folds = cross_val_predict(remedy.estimator, B, b, cv=5, method="predict_proba")
    assert after.log_loss == pytest.approx(log_loss(b, by_folds), abs=1e-3)  # folds here know all categories
    if remedy.sure:
        assert after.log_loss < remedy.before
        assert log_loss(b, fitted.predict_proba(B)) < remedy.before


def test_apply_learns_from_training_rows_where_they_are_given():
    A, a, B, b, model = one_hot(3)
    fitted, after = diagnose(model.fit(A, a), B, b).apply("one_hot", A, a)
    expected = CategoricalNB(handle_unknown="ignore").fit(A @ np.kron(np.eye(4), np.arange(4)[:, None]) + 1, a)
    codes = B @ np.kron(np.eye(4), np.arange(4)[:, None]) + 1
    np.testing.assert_allclose(fitted.predict_proba(B), expected.predict_proba(codes))
    assert after.log_loss == pytest.approx(log_loss(b, expected.predict_proba(codes)))
    assert "one_hot" not in after


# ------------------------------------------------------------------------------------------------------- Adjusted


@pytest.mark.filterwarnings("ignore:Fewer than 3 of the")  # 16 rows
@parametrize_with_checks([Adjusted(GaussianNB(), cv=2)])
def test_scikit_learns_checks_pass(estimator, check):
    check(estimator)


@pytest.mark.parametrize("method", METHODS)
def test_a_fold_that_lacks_a_class_gives_it_probability_0(method):
    """A class of two rows, in one fold: its own posterior is 0 there, the others' are those of the two-class model."""
    A, a, *_ = bells(4)
    A, labels = (A[:90] > 0).astype(float), np.array(["b", "c"])[a[:90]]
    labels[[3, 4]] = "a"
    cv = KFold(5)
    adjusted = Adjusted(BernoulliNB(), method, cv=cv).fit(A, labels)
    assert adjusted.predict_proba(A).shape == (90, 3)
    report = diagnose(BernoulliNB(), A, labels, cv=cv)
    assert np.isfinite(report.log_loss)


# --------------------------------------------------------------------------------------------- what it looks at


@pytest.mark.parametrize(
    "model",
    [
        theirs.GaussianNB(),
        theirs.MultinomialNB(alpha=0.3),
        theirs.MultinomialNB(fit_prior=False),
        theirs.ComplementNB(),
        theirs.ComplementNB(norm=True),
        theirs.BernoulliNB(binarize=8, alpha=0.5),
        theirs.CategoricalNB(min_categories=17),
    ],
    ids=str,
)
def test_scikit_learns_models_say_the_same_through_us(model):
    X, y = load_digits(return_X_y=True)
    X = X.astype(int)
    model.fit(X, y)
    np.testing.assert_allclose(scores(model, X).joint, model.predict_joint_log_proba(X))
    np.testing.assert_allclose(scores(model, X).log_p, model.predict_log_proba(X), atol=1e-9)
    recipe = unwrap(model)
    total = contributions(recipe, X[:50], np.arange(64)).sum(axis=2) + recipe.nb.class_log_prior_
    np.testing.assert_allclose(total, model.predict_joint_log_proba(X[:50]))
    some = contributions(recipe, X[:50], np.array([3, 20]))
    np.testing.assert_allclose(some, contributions(recipe, X[:50], np.arange(64))[:, :, [3, 20]])


@pytest.mark.parametrize(
    "wrapped",
    [
        lambda: PerplexedBayes(GaussianNB(), cv=5),
        lambda: make_pipeline(StandardScaler(), GaussianNB()),
        lambda: make_pipeline(StandardScaler(), PerplexedBayes(GaussianNB(), cv=5)),
        lambda: Adjusted(make_pipeline(StandardScaler(), theirs.GaussianNB()), cv=5),
    ],
)
def test_wrapped_models_are_taken_apart_and_put_together_again(wrapped):
    A, a, B, b, _ = near_copies(0)
    model = wrapped().fit(A, a)
    case = Case(model, B, b)
    np.testing.assert_allclose(np.exp(case.log_p), model.predict_proba(B))
    np.testing.assert_allclose(case.rebuilt().fit(A, a).predict_proba(B), model.predict_proba(B), atol=1e-6)
    report = diagnose(model, B, b)
    assert "copies" in report
    assert "calibration" not in report or not isinstance(model, PerplexedBayes | Adjusted)


def test_frames_gaps_and_names():
    _, _, B, b, _ = gaps(0)
    names = list("stuvwxyz")
    B[:, 1] = B[:, 0]  # a copy
    B[:, 2] = np.exp(2 * B[:, 2])
    texts = np.where(np.isnan(B[:, 4:]), None, np.char.add("v", np.nan_to_num(B[:, 4:]).astype(int).astype(str)))
    frame = pd.DataFrame({n: v for n, v in zip(names, [*B[:, :4].T, *texts.T], strict=True)})
    reports = []
    for table in (frame, pl.DataFrame({n: pl.Series(n, [None if v != v else v for v in frame[n]]) for n in names})):
        report = diagnose(MixedNB(), table, b, cv=5)
        assert set(report["copies"].columns) == set(names[:2])
        assert report["event_model"].columns == (names[2],)
        assert not any(remedy.failed for finding in report.findings for remedy in finding.remedies)
        reports.append(report)
    assert reports[0].log_loss == pytest.approx(reports[1].log_loss)


# ------------------------------------------------------------------------------------------ each finding's numbers


def test_marks_that_exclude_each_other_by_chance_are_no_block():
    """Classes of which each has words of its own: never together, but for that reason."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 400)
    X = (rng.random((800, 2)) < 0.9) * np.eye(2)[y]
    assert one_hot_blocks(Case(BernoulliNB().fit(X, y), X, y)) == []


def test_the_effective_number_is_the_k_that_makes_copies_right():
    """Evidence of n copies, to the power k / n, is the evidence of one."""
    A, a, B, b, _ = bells(0, n_features=1)
    one, five = GaussianNB().fit(A, a), GaussianNB().fit(np.repeat(A, 5, axis=1), a)
    X = np.repeat(B, 5, axis=1)
    k = effective_number(evidence_for_truth(five.feature_contributions(X), b), b)
    joint = five.class_log_prior_ + k / 5 * five.feature_contributions(X).sum(axis=2)
    np.testing.assert_allclose(joint, one.predict_joint_log_proba(B))


# ------------------------------------------------------------------------------------------------- words and errors


def test_chapters_are_pages_of_the_book():
    from pathlib import Path

    pages = {path.stem for path in (Path(__file__).parents[1] / "notebooks").glob("*.ipynb")}
    for worlds in FAULTS.values():
        A, a, B, b, model = worlds[0](0)
        report = diagnose(model.fit(A, a), B, b)
        assert {finding.chapter for finding in report.findings} <= pages


X, Y = np.random.default_rng(0).normal(size=(60, 3)), np.arange(60) % 2


@pytest.mark.parametrize(
    ("model", "rows", "labels", "words"),
    [
        (StandardScaler().fit(X), X, Y, "model must be a naive Bayes classifier of nbcore .* got 'StandardScaler'"),
        (make_pipeline(StandardScaler()).fit(X), X, Y, "model must be a naive Bayes classifier"),
        (GaussianNB().fit(X, Y), X[:39], Y[:39], "X must be at least 40 rows; fewer say too little; got '39 rows'"),
        (GaussianNB().fit(X, Y), X, Y * 0, r"y must be labels of at least two classes; got 'only \[0\]'"),
        (GaussianNB().fit(X, Y), X, Y + 1, r"y holds the label 2, which is none of the classes|np.int64\(2\)"),
        (GaussianNB().fit(X, Y), X, Y[:-1], r"y must be one label a row, an array of shape \(60,\); got \(59,\)"),
    ],
)
def test_it_refuses_in_a_sentence(model, rows, labels, words):
    with pytest.raises(ValueError, match=words):
        diagnose(model, rows, labels)


def test_many_sparse_columns_stay_sparse():
    from scipy import sparse

    rng = np.random.default_rng(0)
    counts = sparse.random_array((400, 5000), density=0.01, rng=rng, format="csr")
    y = rng.integers(3, size=400)
    report = diagnose(MultinomialNB().fit(counts, y), counts[::-1], y)
    assert report.case.n_classes == 3
    assert not {"one_hot", "copies"} & {finding.name for finding in report.findings}

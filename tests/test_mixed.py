"""MixedNB against its parts, exact fractions, enumeration of what is missing, and tables of every make."""

import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.naive_bayes as peers
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import logsumexp
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from nbcore.mixed import MixedNB
from nbcore.mixed.table import Table
from nbcore.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from nbcore.perplexed import PerplexedBayes, attenuated_posterior, evidence
from nbcore.semi_supervised import SemiSupervisedNB

NAN = np.nan
seeds = st.integers(0, 2**32 - 1)
PARTS = [("gaussian", slice(0, 3)), ("categorical", [3, 4]), ("multinomial", [5, 6, 7]), ("bernoulli", slice(8, 10))]
BLOCKS = [slice(0, 3), slice(3, 5), slice(5, 8), slice(8, 10)]
NAMES = "length", "width", "depth", "city", "color", "goal", "vote", "law", "old", "new"


def table(seed=0, n=150, classes=3):
    """Measurements, codes, counts and marks, (n, 10), and classes; every category is there."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % classes)
    measured = rng.normal(y[:, None], 1 + y[:, None], (n, 3))
    codes = (rng.integers(4, size=(n, 2)) * rng.integers(2, size=(n, 2)) + y[:, None]) % 4
    codes[:4] = np.arange(4)[:, None]
    counts = rng.poisson(1 + (y[:, None] + np.arange(3)) % 3)
    marks = rng.random((n, 2)) < 0.2 + 0.2 * y[:, None]
    return np.hstack([measured, codes, counts, marks]), y


def frame(seed=0, n=150, gaps=0.2):
    """A frame of pandas with strings, a category, booleans, floats and integers, its labels, and gaps."""
    X, y = table(seed, n)
    rng = np.random.default_rng(seed + 1)
    df = pd.DataFrame({
        "length": X[:, 0],
        "city": np.array(["Rome", "Oslo", "Bonn", "Lima"], dtype=object)[X[:, 3].astype(int)],
        "goal": X[:, 5].astype(int),
        "color": pd.Categorical.from_codes(X[:, 4].astype(int), ["red", "blue", "green", "grey"]),
        "old": pd.array(X[:, 8] == 1, dtype="boolean"),
    })  # fmt: skip
    for name in ("length", "city", "color", "old"):
        df.loc[(rng.random(n) < gaps) & (np.arange(n) >= 12), name] = None
    return df, y


def as_polars(df):
    """The same table, each column of the dtype that polars would give it."""
    columns = {name: [None if pd.isna(value) else value for value in df[name]] for name in df}
    return pl.DataFrame(columns).with_columns(pl.col("color").cast(pl.Enum(df["color"].cat.categories.tolist())))


def with_gaps(X, seed=0, share=0.2):
    gaps = np.random.default_rng(seed).random(X.shape) < share
    gaps[:12] = False
    return np.where(gaps, NAN, X)


@pytest.mark.parametrize("alpha", [0.01, 1.0])
@pytest.mark.parametrize("prior", [{}, {"fit_prior": False}, {"class_prior": [0.2, 0.3, 0.5]}])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_parts_add_up_to_one_model_with_one_prior(alpha, prior, weighted):
    """Each block by scikit-learn's model; the prior, which each of them adds, is taken off and added once."""
    X, y = table()
    weight = np.random.default_rng(1).uniform(0.5, 3, len(y)) if weighted else None
    ours = MixedNB(PARTS, alpha=alpha, **prior).fit(X, y, weight)
    joint = np.zeros((150, 3))
    for name, block in zip(("GaussianNB", "CategoricalNB", "MultinomialNB", "BernoulliNB"), BLOCKS, strict=True):
        peer = getattr(peers, name)(**({} if name == "GaussianNB" else {"alpha": alpha})).fit(X[:, block], y, weight)
        own = np.log(peer.class_prior_) if name == "GaussianNB" else peer.class_log_prior_
        joint += peer.predict_joint_log_proba(X[:, block]) - own
    given = np.log(prior.get("class_prior", [1 / 3] * 3)) if prior else own
    assert_allclose(ours.class_log_prior_, given)
    assert_allclose(ours.class_prior_, np.exp(given))
    joint += given
    posterior = joint - logsumexp(joint, axis=1, keepdims=True)
    assert_allclose(ours.predict_joint_log_proba(X), joint, rtol=1e-10)
    assert_allclose(ours.predict_log_proba(X), posterior, rtol=1e-10, atol=1e-12)
    assert_array_equal(ours.predict(X), joint.argmax(axis=1))


def test_its_parts_are_estimators_with_the_prior_of_all():
    X, y = table()
    X = with_gaps(X)
    model = MixedNB(PARTS, class_prior=[0.2, 0.3, 0.5]).fit(X, y)
    kinds = [GaussianNB, CategoricalNB, MultinomialNB, BernoulliNB]
    assert [type(part) for part in model.parts_] == kinds
    assert model.columns_ == [
        (kind, list(range(block.start, block.stop)))
        for kind, block in zip(["gaussian", "categorical", "multinomial", "bernoulli"], BLOCKS, strict=True)
    ]
    for part, kind, block in zip(model.parts_, kinds, BLOCKS, strict=True):
        if kind is not MultinomialNB:
            alone = kind(**{"priors" if kind is GaussianNB else "class_prior": [0.2, 0.3, 0.5]}).fit(X[:, block], y)
            assert_array_equal(part.predict_joint_log_proba(X[:, block]), alone.predict_joint_log_proba(X[:, block]))


def test_one_missing_count_leaves_out_all_counts_of_its_row():
    X, y = table()
    gappy = X.copy()
    gappy[20:60, 6] = NAN
    model = MixedNB(PARTS).fit(gappy, y)
    others = np.r_[0:20, 60:150]
    assert_array_equal(model.parts_[2].feature_count_, MultinomialNB().fit(X[others, 5:8], y[others]).feature_count_)
    assert_array_equal(model.feature_contributions(gappy)[20:60, :, 5:8], 0)
    rest = MixedNB([*PARTS[:2], ("drop", [5, 6, 7]), PARTS[3]]).fit(X, y)
    assert_array_equal(model.predict_joint_log_proba(gappy)[20:60], rest.predict_joint_log_proba(X)[20:60])


def test_counts_of_which_every_row_has_a_gap_say_nothing():
    X, y = table()
    gappy = X.copy()
    gappy[np.arange(150), 5 + np.arange(150) % 3] = NAN
    model = MixedNB(PARTS).fit(gappy, y)
    rest = MixedNB([*PARTS[:2], ("drop", [5, 6, 7]), PARTS[3]]).fit(X, y)
    for rows in (X, gappy):
        assert_allclose(model.predict_proba(rows), rest.predict_proba(X), rtol=1e-9)


def test_one_column_of_counts_is_a_table_too():
    """What is said of one kind of token is certain: nothing to tell the classes by."""
    model = MixedNB([("multinomial", [0])]).fit([[1], [NAN], [3], [2]], [0, 0, 1, 1])
    assert_array_equal(model.parts_[0].feature_count_, [[1], [5]])
    assert_array_equal(model.feature_contributions([[2], [NAN]]), np.zeros((2, 2, 1)))
    assert_array_equal(evidence(model, [[2], [NAN]])[2], [2, 0])


def test_with_nothing_known_the_prior_is_left():
    df, y = frame()
    model = MixedNB().fit(df, y)
    nothing = pd.DataFrame({name: [None] for name in df})
    assert_array_equal(model.predict_joint_log_proba(nothing), [model.class_log_prior_])
    X, y = table()
    model = MixedNB(PARTS).fit(X, y)
    assert_array_equal(model.predict_joint_log_proba(np.full((2, 10), NAN)), [model.class_log_prior_] * 2)


def test_a_class_that_never_shows_a_column_learns_from_the_rest():
    df, y = frame()
    for name in df:
        df[name] = df[name].astype("float") if name == "goal" else df[name]
        df.loc[y == 1, name] = None
    model = MixedNB().fit(df, y)
    gaussian, categorical = model.parts_
    assert_allclose(gaussian.theta_[1], [df["length"].mean(), df["goal"].mean()])
    assert_allclose(gaussian.var_[1] - gaussian.epsilon_, [df["length"].var(ddof=0), df["goal"].var(ddof=0)])
    for log_prob, (name, known) in zip(categorical.feature_log_prob_, model.categories_.items(), strict=True):
        assert_allclose(np.exp(log_prob[1]), 1 / len(known), err_msg=name)
    assert np.isfinite(model.predict_log_proba(df)).all()


@settings(deadline=None, max_examples=20)
@given(seeds)
def test_contributions_and_the_prior_are_the_joint(seed):
    X, y = table(seed, n=60)
    X = with_gaps(X, seed)
    model = MixedNB([("gaussian", [2, 0, 1]), *PARTS[1:]]).fit(X, y)
    contributions = model.feature_contributions(X)
    assert contributions.shape == (60, 3, 10)
    assert_allclose(contributions.sum(axis=2) + model.class_log_prior_, model.predict_joint_log_proba(X), rtol=1e-9)
    gaps = np.isnan(X)
    assert_array_equal(contributions.swapaxes(1, 2)[gaps], 0)


@settings(deadline=None, max_examples=20)
@given(seeds)
def test_the_order_of_columns_and_rows_does_not_matter(seed):
    df, y = frame(seed % 1000)
    rng = np.random.default_rng(seed)
    columns, rows = rng.permutation(5), rng.permutation(150)
    model, other = MixedNB().fit(df, y), MixedNB().fit(df.iloc[rows, columns], y[rows])
    assert_allclose(other.predict_joint_log_proba(df.iloc[:, columns]), model.predict_joint_log_proba(df), rtol=1e-9)
    mixed = other.feature_contributions(df.iloc[:, columns])
    assert_allclose(mixed, model.feature_contributions(df)[:, :, columns], rtol=1e-9, atol=1e-12)


@settings(deadline=None, max_examples=20)
@given(seeds)
def test_batches_are_one_fit_and_weights_are_repeats(seed):
    """The second batch has cities that the first has not."""
    df, y = frame(seed % 1000)
    late = df["city"].eq("Bonn").fillna(False).to_numpy(dtype=bool)
    order = np.argsort(late, kind="stable")
    df, y, times = df.iloc[order], y[order], np.random.default_rng(seed).integers(1, 4, 150)
    batches = MixedNB(var_smoothing=0)
    for rows in (slice(0, 70), slice(70, 150)):
        batches.partial_fit(df.iloc[rows], y[rows], classes=[0, 1, 2], sample_weight=times[rows])
    repeated = np.repeat(np.arange(150), times)
    once = MixedNB(var_smoothing=0).fit(df.iloc[repeated], y[repeated])
    assert_allclose(batches.predict_joint_log_proba(df), once.predict_joint_log_proba(df), rtol=1e-9)
    assert once.categories_["city"] == ["Bonn", "Lima", "Oslo", "Rome"]
    assert batches.categories_["city"] == ["Lima", "Oslo", "Rome", "Bonn"]


def test_resmooth_is_refit_and_smoothed_leaves_the_model_as_it_is():
    X, y = table()
    by_column = np.linspace(0, 2, 10)
    for alpha in (0, 0.3, by_column):
        refitted = MixedNB(PARTS, alpha=alpha).fit(X, y).predict_joint_log_proba(X)
        model = MixedNB(PARTS).fit(X, y)
        before = model.predict_joint_log_proba(X)
        assert_array_equal(model.smoothed(alpha).predict_joint_log_proba(X), refitted)
        assert_array_equal(model.predict_joint_log_proba(X), before)
        assert_array_equal(model.resmooth(alpha).predict_joint_log_proba(X), refitted)
        assert model.alpha is alpha
        assert_array_equal(model.parts_[1].alpha, np.broadcast_to(alpha, 10)[3:5])
        assert_array_equal(clone(model).fit(X, y).predict_joint_log_proba(X), refitted)


def test_an_estimator_keeps_its_own_parameters():
    X, y = table()
    parts = [(GaussianNB(ddof=1, var_smoothing=0), slice(0, 3)), (CategoricalNB(alpha=0.1), [3, 4]), *PARTS[2:]]
    model = MixedNB(parts, alpha=2.0).fit(X, y)
    assert_allclose(model.parts_[0].var_, [X[y == c, :3].var(axis=0, ddof=1) for c in range(3)])
    own = CategoricalNB(alpha=0.1).fit(X[:, 3:5], y)
    assert_array_equal(model.parts_[1].predict_proba(X[:, 3:5]), own.predict_proba(X[:, 3:5]))
    assert_array_equal(model.resmooth(5).parts_[1].predict_proba(X[:, 3:5]), own.predict_proba(X[:, 3:5]))
    assert model.parts_[3].alpha == 5
    assert not hasattr(parts[0][0], "classes_")


def test_pandas_polars_and_arrays_are_one_table():
    df, y = frame()
    model = MixedNB().fit(df, y)
    assert model.columns_ == [("gaussian", ["length", "goal"]), ("categorical", ["city", "color", "old"])]
    assert model.categories_["color"] == ["red", "blue", "green", "grey"]
    assert model.categories_["old"] == [False, True]
    assert_array_equal(model.feature_names_in_, list(df))
    expected = model.predict_proba(df)
    polars = MixedNB().fit(as_polars(df), y)
    assert (polars.columns_, polars.categories_) == (model.columns_, model.categories_)
    assert_array_equal(polars.predict_proba(as_polars(df)), expected)
    objects = df.astype(object).where(df.notna(), None)
    for form in (objects, objects.to_numpy(), objects.to_numpy().tolist()):
        assert_allclose(MixedNB().fit(form, y).predict_proba(form), expected, rtol=1e-12)
    assert_array_equal(model.predict_proba(objects), expected)
    assert_array_equal(model.predict_proba(as_polars(df)), expected)
    by_number = MixedNB([("gaussian", [0, 2]), ("categorical", [1, 3, 4])]).fit(objects.to_numpy(), y)
    assert_allclose(by_number.predict_proba(objects.to_numpy()), expected, rtol=1e-12)
    assert by_number.columns_[1] == ("categorical", [1, 3, 4])
    assert not hasattr(by_number, "feature_names_in_")


def exactly(make):
    """Return a function that writes the lengths of a frame as exact numbers."""
    return lambda df: df.assign(length=[None if pd.isna(value) else make(value) for value in df["length"]])


FORMS = {
    **{f"numbers as {dtype}": lambda df, dtype=dtype: df.assign(length=df["length"].astype(dtype))
       for dtype in ("Float64", "float32", "object")},
    **{f"text as {dtype}": lambda df, dtype=dtype: df.assign(city=df["city"].astype(dtype))
       for dtype in ("object", "string", "category", "str")},
    **{f"gaps as {gap}": lambda df, gap=gap: df.astype(object).where(df.notna(), gap)
       for gap in (None, NAN, pd.NA, pd.NaT)},
    "fractions": exactly(Fraction),
    "decimals": exactly(lambda value: Decimal(str(value))),
    "decimals of polars": lambda df: as_polars(df).with_columns(pl.col("length").cast(pl.Decimal(10, 2))),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_numbers_text_and_gaps_is_one_table(form):
    df, y = frame()
    df["length"] = df["length"].round(2).astype("float32" if "float32" in form else float).astype(float)
    expected, other = MixedNB().fit(df, y), FORMS[form](df)
    model = MixedNB().fit(other, y)
    assert model.columns_ == expected.columns_
    assert_allclose(model.predict_proba(other), expected.predict_proba(df), rtol=1e-5 if "float32" in form else 1e-12)


def test_polars_text_categorical_and_integers_with_nulls():
    rows = pl.DataFrame({"n": [1, 2, None, 4, 5, 6], "c": ["a", "b", None, "a", "b", "b"], "b": [True, None] * 3})
    y = [0, 0, 0, 1, 1, 1]
    model = MixedNB().fit(rows, y)
    assert model.columns_ == [("gaussian", ["n"]), ("categorical", ["c", "b"])]
    assert_allclose(model.parts_[0].theta_, [[1.5], [5]])
    assert_array_equal(model.parts_[1].category_count_[0], [[1, 1], [1, 2]])
    other = rows.with_columns(pl.col("c").cast(pl.Categorical))
    assert_array_equal(MixedNB().fit(other, y).predict_proba(other), model.predict_proba(rows))


def test_integers_of_another_dtype_later_are_the_same_categories():
    X = pd.DataFrame({"code": [3, 5, 3, 7]})
    model = MixedNB([("categorical", "code")]).fit(X, [0, 0, 1, 1])
    expected = model.predict_proba(X.iloc[:3])
    later = pd.DataFrame({"code": [3, 5, 3, None]})
    assert_array_equal(model.predict_proba(later)[:3], expected)
    assert_array_equal(model.predict_proba(later.astype(object))[:3], expected)
    assert_allclose(model.predict_proba(later)[3], [0.5, 0.5])


def test_a_column_of_several_kinds_is_text_if_one_is_and_boolean_before_a_number():
    kinds = [Table(np.array([[value] for value in values], dtype=object), [0]).kind(0)
             for values in ([1, "a", None], [True, 2, None], [np.True_, 0.5], [1, 0.5, NAN], [None, NAN])]  # fmt: skip
    assert kinds == ["text", "boolean", "boolean", "float", "float"]


def test_a_dtype_keeps_its_categories_and_gives_each_its_share():
    X = pd.DataFrame({"size": pd.Categorical(["s", "m", "s", "m"], categories=["s", "m", "l"])})
    model = MixedNB().fit(X, [0, 0, 1, 1])
    assert model.categories_ == {"size": ["s", "m", "l"]}
    assert_allclose(np.exp(model.parts_[0].feature_log_prob_[0]), [[2 / 5, 2 / 5, 1 / 5]] * 2)
    new = pd.DataFrame({"size": pd.Categorical(["l"], categories=["s", "m", "l"])})
    assert_allclose(model.predict_proba(new), [[0.5, 0.5]])


def test_every_way_to_name_columns():
    X, y = table()
    df = pd.DataFrame(X, columns=NAMES).astype({"city": int, "color": int})
    expected = MixedNB([("gaussian", [0, 1, 2, 5, 6, 7, 8, 9]), ("categorical", [3, 4])]).fit(X, y).predict_proba(X)
    floating = [name for name in NAMES if name not in ("city", "color")]
    for floats, codes in [
        (np.array(floating), ["city", "color"]),
        (make_column_selector(dtype_include=float), make_column_selector(pattern="^c")),
        (float, int),
        ([-10, 1, 2, -5, -4, -3, -2, -1], slice(3, 5)),
        (lambda X: [name for name in X if not name.startswith("c")], lambda X: ["city", "color"]),
    ]:
        model = MixedNB([("gaussian", floats), ("categorical", codes)]).fit(df, y)
        assert model.columns_[1] == ("categorical", ["city", "color"])
        assert_allclose(model.predict_proba(df), expected, rtol=1e-12)
    one_each = MixedNB([("categorical", "city"), ("categorical", 4), ("gaussian", floating)]).fit(df, y)
    assert_allclose(one_each.predict_proba(df), expected, rtol=1e-12)
    rows = pl.DataFrame({name: df[name].to_numpy() for name in df})
    typed = MixedNB([("gaussian", float), ("categorical", int)]).fit(rows, y)
    assert_allclose(typed.predict_proba(rows), expected, rtol=1e-12)
    nullable = df.astype(dict.fromkeys(["city", "color"], "Int64"))
    typed = MixedNB([("gaussian", float), ("categorical", int)]).fit(nullable, y)
    assert_allclose(typed.predict_proba(nullable), expected, rtol=1e-12)


def test_texts_that_nearly_all_differ_are_named_unless_the_column_was_said_to_be_categorical():
    rows = pd.DataFrame({"note": [f"call {i}" for i in range(60)], "day": ["Mon", "Tue"] * 30})
    with pytest.warns(UserWarning, match="column 'note' of X has a category of its own for most rows: leave it out"):
        MixedNB().fit(rows, rows["day"])
    with warnings.catch_warnings(action="error"):
        MixedNB([("categorical", ["note", "day"])]).fit(rows, rows["day"])
        MixedNB().fit(pd.concat([rows, rows]), [*rows["day"], *rows["day"]])
        MixedNB().fit(rows[:20], rows["day"][:20])


def test_in_a_frame_named_by_numbers_a_number_is_a_name():
    """As silently another column would be taken; arrays, and frames numbered from 0, have places."""
    named = fit([("drop", [7]), ("gaussian", [9, 3])], NUMBERED)
    assert named.columns_ == [("gaussian", [9, 3])]
    expected = MixedNB([("drop", [0]), ("gaussian", [2, 1])]).fit(NUMBERED.to_numpy(), Y)
    assert_array_equal(named.predict_proba(NUMBERED), expected.predict_proba(NUMBERED.to_numpy()))
    assert fit("auto", NUMBERED).columns_ == [("gaussian", [7, 3, 9])]
    assert fit([("gaussian", [0, 1, -1])], NUMBERED.set_axis([0, 1, 2], axis=1)).columns_ == [("gaussian", [0, 1, 2])]
    again = fit("auto", NUMBERED).fit(NUMBERED.to_numpy()[:, :2], Y)
    assert again.columns_ == [("gaussian", [0, 1])]


def test_columns_may_be_dropped_and_selectors_may_find_none():
    df, y = frame()
    parts = [("gaussian", float), ("drop", ["city", "goal"]), ("categorical", ["color", "old"])]
    model = MixedNB([*parts, ("bernoulli", make_column_selector(pattern="none"))]).fit(df, y)
    assert [name for name, _ in model.columns_] == ["gaussian", "categorical"]
    less = df[["length", "color", "old"]]
    assert_array_equal(model.predict_proba(df), MixedNB().fit(less, y).predict_proba(less))
    assert_array_equal(model.feature_contributions(df)[:, :, [1, 2]], 0)


DF, Y = frame()
CODES = ("categorical", ["city", "color", "old"])


def fit(columns="auto", X=DF, **parameters):
    return MixedNB(columns, **parameters).fit(X, Y)


NUMBERED = pd.DataFrame(table()[0][:, :3], columns=[7, 3, 9])
BAD = {
    "columns unknown": (lambda: fit("guess"), ["columns", "guess", "auto"]),
    "columns empty": (lambda: fit([]), ["columns", "[]", "auto"]),
    "columns no pairs": (lambda: fit(["gaussian"]), ["columns", "gaussian", "pairs"]),
    "columns in part no pairs": (lambda: fit([("gaussian", [0, 2]), "no"]), ["columns", "'no'", "pairs"]),
    "columns a number": (lambda: fit(5), ["columns", "5", "pairs"]),
    "model unknown": (lambda: fit([("poisson", ["goal"])]), ["model", "poisson", "multinomial"]),
    "model of scikit-learn": (lambda: fit([(peers.GaussianNB(), ["goal"])]), ["model", "GaussianNB", "nbcore"]),
    "model a mixture": (lambda: fit([(MixedNB(), ["goal"])]), ["model", "MixedNB", "nbcore"]),
    "a prior of its own": (lambda: fit([(GaussianNB(priors=[0.5, 0.5]), [0])]), ["priors", "0.5", "one prior"]),
    "a class_prior of its own": (lambda: fit([(BernoulliNB(class_prior=[1, 0]), [0])]), ["class_prior", "one prior"]),
    "a flat prior of its own": (lambda: fit([(BernoulliNB(fit_prior=False), [0])]), ["fit_prior", "one prior"]),
    "column twice": (lambda: fit([("gaussian", ["length", "goal", "city"]), CODES]), ["'city'", "two parts"]),
    "column forgotten": (lambda: fit([("gaussian", ["length"]), CODES]), ["'goal'", "no part", "drop"]),
    "name unknown": (lambda: fit([("gaussian", ["height"])]), ["columns", "height", "length"]),
    "number unknown": (lambda: fit([("gaussian", [5])]), ["columns", "5", "-5 to 4"]),
    "a truth among names": (lambda: fit([("gaussian", [True, "height"])]), ["names of columns", "got True"]),
    "number a fraction": (lambda: fit([("gaussian", [0.5])]), ["columns", "0.5", "integers"]),
    "a mask": (lambda: fit([("gaussian", [True, False])]), ["columns", "integers from -5 to 4"]),
    "a dtype": (lambda: fit([("gaussian", np.float64)]), ["columns", "one of float, int, bool, str"]),
    "all dropped": (lambda: fit([("drop", slice(None))]), ["columns", "one column at least"]),
    "text as measurements": (lambda: fit([("gaussian", slice(None))]), ["'city'", "numbers", "categorical"]),
    "dates": (lambda: fit(X=DF.assign(day=pd.Timestamp("2020-01-01"))), ["'day'", "datetime64", "days since"]),
    "months": (lambda: fit(X=DF.assign(month=pd.Period("2020-01"))), ["'month'", "Period", "days since"]),
    "a frame that is still to come": (lambda: fit(X=as_polars(DF).lazy()), ["X.collect()", "LazyFrame"]),
    "a place in a frame named by numbers": (lambda: fit([("gaussian", [0])], NUMBERED), ["names", "[7, 3, 9]", "0"]),
    "numbered columns in another order": (lambda: fit("auto", NUMBERED).predict(NUMBERED[[3, 7, 9]]),
                                          ["same order: [7, 3, 9]", "[3, 7, 9]"]),
    "overflow": (lambda: fit(X=DF.assign(length=DF["length"] * 1e200)), ["'length'", "a finite sum", "inf"]),
    "dates of polars": (
        lambda: fit(X=as_polars(DF).with_columns(day=pl.date(2020, 1, 1))), ["'day'", "numbers, text", "Date"]),
    "lists": (lambda: fit(X=DF.assign(many=[[1]] * 150)), ["'many'", "string or a number", "[1]"]),
    "infinity": (lambda: fit(X=DF.assign(length=np.where(np.arange(150) == 7, np.inf, 1.5))), ["'length'", "infinity"]),
    "negative counts": (lambda: fit([("multinomial", ["length"]), ("drop", slice(1, 5))]), ["Negative values"]),
    "not a mark": (
        lambda: fit([("bernoulli", ["goal"]), ("drop", [0, 1, 3, 4])], binarize=None), ["0 and 1", "binarize"]),
    "alpha": (lambda: fit(alpha=-1), ["alpha", "-1"]),
    "alpha of too few columns": (lambda: fit(alpha=[1.0]), ["alpha", "5 of them"]),
    "ddof of a part": (lambda: fit([("drop", slice(1, 5)), (GaussianNB(ddof=-1), [0])]), ["ddof", "-1"]),
    "alpha of a part": (lambda: fit([("drop", [0, 1, 2, 3]), (CategoricalNB(alpha=-2), [4])]), ["alpha", "-2"]),
    "var_smoothing": (lambda: fit([("drop", slice(0, 4)), ("bernoulli", [4])], var_smoothing=-1),
                      ["var_smoothing", "-1"]),
    "binarize": (lambda: fit(binarize=-1), ["binarize", "-1"]),
    "handle_unknown": (lambda: fit([("drop", slice(1, 5)), ("gaussian", [0])], handle_unknown="skip"),
                       ["handle_unknown", "skip", "ignore"]),
    "class_prior": (lambda: fit(class_prior=[1.0]), ["class_prior", "3 numbers"]),
    "no variance": (lambda: fit(X=DF.assign(length=1.0), var_smoothing=0), ["'length'", "class 0", "var_smoothing"]),
    "unseen text": (lambda: fit().predict(DF.assign(city=np.where(np.arange(150) == 7, "Kiel", "Rome"))),
                    ["'city'", "'Kiel'", "'Rome'", 'handle_unknown="ignore"']),
    "unseen number": (lambda: MixedNB([("categorical", [0])]).fit([[1], [2], [4], [5], [6], [7]], [0, 1] * 3)
                      .predict([[3]]), ["column 0 of X holds 3,", "knows 1, 2, 4, 5, 6 and 1 more;", '="ignore"']),
    "other columns": (lambda: fit().predict(DF.rename(columns={"city": "town"})), ["feature names", "town", "city"]),
    "fewer columns": (lambda: fit().predict(DF[["length"]]), ["feature names", "city"]),
    "a name twice": (lambda: fit(X=pd.concat([DF, DF[["city"]]], axis=1)), ["column names", "'city'", "different"]),
    "no rows later": (lambda: fit().predict(DF.iloc[:0]), ["0 sample"]),
    "no columns": (lambda: fit(X=DF[[]]), ["0 feature"]),
    "complex numbers": (lambda: fit(X=DF.assign(wave=pd.Series([1j] * 150, dtype=object))), ["complex"]),
    "no rows": (lambda: MixedNB().fit(DF.iloc[:0], []), ["0 sample"]),
    "resmooth unfitted": (lambda: MixedNB().resmooth(1), ["not fitted"]),
    "EM": (lambda: SemiSupervisedNB(MixedNB()).fit(DF, Y), ["estimator", "MixedNB", "GaussianNB"]),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_by_name(case):
    do, words = BAD[case]
    with pytest.raises((ValueError, TypeError)) as refusal:
        do()
    assert all(word in str(refusal.value) for word in words), refusal.value


@pytest.mark.parametrize(("n", "end"), [(5, ""), (6, " and 1 more"), (7, " and 2 more")])
def test_of_many_forgotten_columns_five_are_named(n, end):
    with pytest.raises(ValueError, match=rf"in no part: 1, 2, 3, 4, 5{end}\.$"):
        MixedNB([("gaussian", [0])]).fit(np.eye(1 + n), np.arange(1 + n) % 2)


def test_an_unseen_category_may_count_as_missing():
    df, y = frame(gaps=0)
    new = df.assign(city="Kiel")
    missing = df.assign(city=None)
    model = MixedNB(handle_unknown="ignore").fit(df, y)
    assert_array_equal(model.predict_joint_log_proba(new), model.predict_joint_log_proba(missing))
    own = MixedNB([("gaussian", float), ("drop", "goal"), (CategoricalNB(handle_unknown="ignore"), [1, 3, 4])])
    assert np.isfinite(own.fit(df, y).predict_joint_log_proba(new)).all()


def test_a_refused_call_leaves_the_model_as_it_was():
    df, y = frame()
    model = MixedNB().fit(df, y)
    before, categories = model.predict_joint_log_proba(df), dict(model.categories_)
    worse = df.assign(city="Kiel", length=np.where(np.arange(150) < 149, 1.0, np.inf))
    for call in (lambda: model.partial_fit(worse, y), lambda: model.fit(worse, y), lambda: model.resmooth(-1),
                 lambda: model.partial_fit(df, y + 7)):  # fmt: skip
        with pytest.raises(ValueError, match=r"infinity|alpha|none of the classes"):
            call()
    assert_array_equal(model.predict_joint_log_proba(df), before)
    assert model.categories_ == categories


@parametrize_with_checks([
    MixedNB(), MixedNB([("bernoulli", slice(None))]), MixedNB([("multinomial", slice(None))]),
    PerplexedBayes(MixedNB(), k=2.0),
])  # fmt: skip
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_only_parts_of_counts_ask_for_what_is_not_negative():
    for columns, counts in (("auto", False), ([("multinomial", [0])], True), ([(MultinomialNB(), [0])], True),
                            ([("bernoulli", [0]), (GaussianNB(), [1])], False)):  # fmt: skip
        tags = get_tags(MixedNB(columns))
        assert tags.input_tags.positive_only == counts
        assert tags.classifier_tags.poor_score == (columns != "auto")
        assert tags.input_tags.allow_nan
        assert tags.input_tags.string
        assert tags.input_tags.categorical


def test_search_and_calibration_take_frames():
    df, y = frame(n=300)
    for table_ in (df, as_polars(df)):
        assert cross_val_score(MixedNB(), table_, y, cv=3, error_score="raise").mean() > 0.5
        calibrated = CalibratedClassifierCV(MixedNB(), cv=3).fit(table_, y)
        assert_allclose(calibrated.predict_proba(table_).sum(axis=1), 1)


def test_transformers_that_give_frames_pass_their_names_on():
    df, y = frame()
    scale = make_column_transformer((FunctionTransformer(np.exp), ["length"]), remainder="passthrough",
                                    verbose_feature_names_out=False).set_output(transform="pandas")  # fmt: skip
    model = make_pipeline(scale, MixedNB()).fit(df, y)[-1]
    assert_array_equal(model.feature_names_in_, list(df))
    assert model.columns_[0] == ("gaussian", ["length", "goal"])


@pytest.mark.parametrize("rule", ["approximate", "exact"])
def test_perplexed_bayes_counts_the_factors_of_all_parts(rule):
    X, y = table(n=300)
    X = with_gaps(X)
    n = (~np.isnan(X[:, [0, 1, 2, 3, 4, 8, 9]])).sum(axis=1) + np.nan_to_num(X[:, 5:8].sum(axis=1))
    model = PerplexedBayes(MixedNB(PARTS), rule=rule, cv=3).fit(X, y)
    log_likelihood, log_prior, found = evidence(model.estimator_, X)
    assert_array_equal(found, n)
    assert_allclose(model.predict_proba(X), attenuated_posterior(log_likelihood, log_prior, n, model.k_, rule))


def test_perplexed_bayes_of_frames_knows_every_category_in_every_fold():
    """One row alone is from Kiel; the fold that holds it out has not seen it, but knows that there is such a city."""
    df, y = frame(n=300)
    df.loc[17, "city"] = "Kiel"
    twice = df.assign(again=df["city"], more=df["color"])
    for table_ in (twice, as_polars(twice)):
        model = PerplexedBayes(MixedNB(), cv=3).fit(table_, y)
        assert_array_equal(model.feature_names_in_, list(twice))
        assert_allclose(model.predict_proba(table_).sum(axis=1), 1)
    assert "Kiel" in model.estimator_.categories_["city"]
    assert_array_equal(evidence(model.estimator_, as_polars(twice))[2], twice.notna().sum(axis=1))


def test_it_is_better_than_one_gaussian_for_all_columns():
    """The workaround: categories as one-hot columns and everything else as it is, all of it Gaussian. 10 draws."""
    for seed in range(10):
        X, y = table(seed, n=400)
        folds = StratifiedKFold(5, shuffle=True, random_state=seed)
        one_hot = make_column_transformer((OneHotEncoder(sparse_output=False), [3, 4]), remainder="passthrough")
        mixed, workaround = (
            log_loss(y, cross_val_predict(model, X, y, cv=folds, method="predict_proba"))
            for model in (MixedNB(PARTS), make_pipeline(one_hot, peers.GaussianNB()))
        )
        assert mixed < workaround

"""merge: models of parts, in any order, are the model of all rows; counts exactly, moments to 1e-12."""

import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

from nbcore import BernoulliNB, CategoricalNB, GaussianNB, MixedNB, MultinomialNB, merge

MODELS = [GaussianNB, MultinomialNB, BernoulliNB, CategoricalNB, MixedNB]
COLUMNS = [("gaussian", ["height"]), ("categorical", ["hat", "code"]), ("multinomial", ["a", "b"]),
           ("bernoulli", ["m"])]  # fmt: skip


def draw_rows(model, seed, n=60):
    """Rows, labels and weights; a rare class and a rare category, which most parts lack, and gaps where they may be."""
    rng = np.random.default_rng(seed)
    y, weight = rng.choice(["blue", "green", "red"], n, p=[0.5, 0.45, 0.05]), rng.integers(0, 4, n)
    codes = np.minimum(rng.geometric(0.5, (n, 6)) - 1, 7).astype(float)
    if model is MultinomialNB:
        return codes, y, weight
    gaps = rng.random((n, 6)) < 0.2
    X = np.where(gaps, np.nan, rng.normal(50, 3, (n, 6)) if model is GaussianNB else codes)
    if model is MixedNB:
        X = pd.DataFrame(X, columns=["height", "hat", "code", "a", "b", "m"])
        X["height"] = rng.normal(170, 8, n)
        X["hat"] = [None if np.isnan(value) else f"hat {value:.0f}" for value in X["hat"]]
    return X, y, weight


def make(model):
    return MixedNB(COLUMNS, alpha=[1, 0.5, 1, 1, 2, 1]) if model is MixedNB else model()


def split_and_merge(model, X, y, weight, part, order):
    """Models of the parts, learned with all classes named, through pickles as they come from another machine."""
    parts = []
    for k in order:
        rows = np.flatnonzero(part == k)
        if weight[rows].sum() > 0:
            some = X.iloc[rows] if hasattr(X, "iloc") else X[rows]
            classes = np.unique([*y[rows], "blue", "green"])  # "red" is unknown where it has no row
            parts.append(make(model).partial_fit(some, y[rows], classes, weight[rows]))
    return merge(*pickle.loads(pickle.dumps(parts)))


def compare(merged, whole, rtol=1e-12):
    """What was learned, attribute by attribute, by the names that the whole model has."""
    assert vars(merged).keys() == vars(whole).keys()
    for name, value in vars(whole).items():
        found, exact = getattr(merged, name), "count" in name or "categor" in name or "columns" in name
        if name == "parts_":
            for one, other in zip(found, value, strict=True):
                compare(one, other)
        elif name in ("_layout", "columns"):
            assert type(found) is type(value)
        elif isinstance(value, list | tuple) and isinstance(value[0], np.ndarray):
            for one, other in zip(found, value, strict=True):
                np.testing.assert_allclose(np.broadcast_to(one, other.shape), other, 0 if exact else rtol, 1e-9 * rtol)
        elif isinstance(value, np.ndarray | np.floating) and value.dtype.kind == "f" and not exact:
            np.testing.assert_allclose(np.broadcast_to(found, value.shape), value, rtol, 1e-9 * rtol)
        else:
            np.testing.assert_equal(found, value)


@pytest.mark.parametrize("model", MODELS)
@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.integers(1, 5), st.booleans())
def test_parts_are_the_fit_on_all_rows_in_any_order(model, seed, n_parts, sorted_by_class):
    X, y, weight = draw_rows(model, seed)
    weight[-1] += 1
    rng = np.random.default_rng(seed)
    part = np.argsort(np.argsort(y)) * n_parts // len(y) if sorted_by_class else rng.integers(0, n_parts, len(y))
    kept = np.isin(part, [k for k in range(n_parts) if weight[part == k].sum() > 0])
    X, y, weight, part = X[kept], y[kept], weight[kept], part[kept]
    classes = np.unique([*y, "blue", "green"])
    whole = make(model).partial_fit(X, y, classes, weight)
    merged = split_and_merge(model, X, y, weight, part, rng.permutation(n_parts))
    compare(merged, whole)
    np.testing.assert_allclose(merged.predict_proba(X), whole.predict_proba(X), 1e-9)
    compare(merged.partial_fit(X, y), whole.partial_fit(X, y))


def test_counts_are_those_of_fractions():
    """Smoothed shares by hand from parts that share no class and no category, as fractions."""
    one = CategoricalNB().partial_fit([[0], [1], [1]], [3, 3, 3], classes=[3, 4])
    two = CategoricalNB().fit([[4], [2], [4]], [1, 2, 2])
    counts = {1: [0, 0, 0, 0, 1], 2: [0, 0, 1, 0, 1], 3: [1, 2, 0, 0, 0], 4: [0] * 5}
    merged = merge(one, two)
    assert merged.classes_.tolist() == list(counts)
    assert merged.category_count_[0].tolist() == list(counts.values())
    shares = [[Fraction(count + 1, sum(row) + 5) for count in row] for row in counts.values()]
    np.testing.assert_allclose(np.exp(merged.feature_log_prob_[0]), np.array(shares, dtype=float), 1e-14)
    assert one.classes_.tolist() == [3, 4]
    assert two.n_categories_.tolist() == [5]


def test_moments_are_those_of_fractions_and_what_is_added_is_of_all_rows():
    """Each part has variance 1/4 in a class, all rows together 101/4: no part knows the largest variance."""
    heights, y = [[0], [1], [7], [10], [11], [7]], ["a", "a", "b", "a", "a", "b"]
    parts = [GaussianNB(var_smoothing=0.1).partial_fit(heights[k : k + 3], y[k : k + 3], ["a", "b"]) for k in (0, 3)]
    merged = merge(*parts)
    mean = Fraction(0 + 1 + 7 + 10 + 11 + 7, 6)
    added = sum((x - mean) ** 2 for (x,) in heights) / 6 / 10
    np.testing.assert_allclose(merged.epsilon_, float(added), 1e-14)
    np.testing.assert_allclose(merged.var_, [[float(Fraction(101, 4) + added)], [float(added)]], 1e-14)
    np.testing.assert_allclose(merged.theta_, [[5.5], [7]], 1e-14)


def test_categories_keep_the_order_that_parts_share_and_are_sorted_if_they_share_none():
    sizes = pd.CategoricalDtype(["small", "large"])
    parts = [MixedNB().fit(pd.DataFrame({"size": pd.Series(size, dtype=sizes)}), [0, 1])
             for size in (["small", None], ["large", "large"])]  # fmt: skip
    assert merge(*parts).categories_ == {"size": ["small", "large"]}
    parts = [MixedNB("auto").fit(np.array([[each], [None]], dtype=object), [0, 1]) for each in ("b", "a", "c")]
    assert merge(*parts).categories_ == {0: ["a", "b", "c"]}
    assert merge(merge(*parts[:2]), parts[2]).parts_[0].category_count_[0].tolist() == [[1, 1, 1], [0, 0, 0]]


X, y = [[0, 1], [1, 0]], [0, 1]
FITTED = CategoricalNB().fit(X, y)
FRAME = pd.DataFrame(X, columns=["a", "b"])
BAD = [
    ([], "one fitted model or more"),
    ([[FITTED, FITTED]], r"each argument of merge must be a model of GaussianNB.*merge\(\*models\); got \[Cat"),
    ([FITTED, MultinomialNB().fit(X, y)], "agree in type; got 'CategoricalNB' and 'MultinomialNB'"),
    ([FITTED, CategoricalNB(alpha=2).fit(X, y)], "agree in alpha; got 1.0 and 2"),
    ([FITTED, CategoricalNB().fit([[0], [1]], y)], "agree in n_features_in_; got 2 and 1"),
    ([FITTED, CategoricalNB().fit(FRAME, y)], "agree in feature_names_in_"),
    ([FITTED, CategoricalNB().fit(X, ["no", "yes"])], "classes of all models must be either text or numbers"),
    ([MixedNB().fit(X, y), MixedNB([("categorical", [0, 1])]).fit(X, y)], r"agree in columns_; got \"\[\('gaussian"),
    ([MixedNB([(GaussianNB(ddof=d), [0, 1])], var_smoothing=1).fit(X, y) for d in (0, 0.5)], "agree in ddof of parts_"),
    ([GaussianNB(priors=[0.5, 0.5]).fit(X, y), GaussianNB(priors=[0.5, 0.5]).fit(X, [1, 2])], "priors must be 3"),
]  # fmt: skip


@pytest.mark.parametrize(("models", "sentence"), BAD)
def test_what_cannot_be_merged_is_refused_by_name(models, sentence):
    with pytest.raises(ValueError, match=sentence):
        merge(*models)
    with pytest.raises(NotFittedError):
        merge(FITTED, CategoricalNB())

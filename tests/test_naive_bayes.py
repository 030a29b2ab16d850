"""nbcore.naive_bayes against scikit-learn, exact fractions, algebra and bad input."""

import pickle
import tracemalloc
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
import sklearn.naive_bayes as peers
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.stats import norm
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from nbcore.datasets import load_gender_measurements, load_iir_documents, load_play_tennis
from nbcore.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB, linear_score

MODELS = [GaussianNB, MultinomialNB, BernoulliNB, CategoricalNB]
DISCRETE = MODELS[1:]
LINEAR = [MultinomialNB, BernoulliNB]
INF = np.inf


def random_data(model, seed=0, n=120, features=7, classes=3):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % classes)
    if model is GaussianNB:
        return rng.normal(y[:, None], 1 + y[:, None], (n, features)), y
    X = rng.poisson(1 + 0.4 * ((y[:, None] + np.arange(features)) % classes), (n, features))
    return (np.minimum(X, 3) if model is CategoricalNB else X.astype(float)), y


def learned(model):
    names = ["class_count_", "class_log_prior_", "feature_count_", "feature_log_prob_", "category_count_"]
    names += ["theta_", "var_", "epsilon_", "class_prior_", "n_categories_"]
    return {name: getattr(model, name) for name in names if hasattr(model, name)}


def assert_same_model(ours, theirs, X, rtol=1e-10):
    assert_array_equal(ours.classes_, theirs.classes_)
    for name, value in learned(theirs).items():
        pairs = (
            zip(getattr(ours, name), value, strict=True) if isinstance(value, list) else [(getattr(ours, name), value)]
        )
        for a, b in pairs:
            assert_allclose(a, b, rtol=rtol, atol=1e-300, err_msg=name)
    for method in ["predict_joint_log_proba", "predict_log_proba", "predict_proba"]:
        assert_allclose(getattr(ours, method)(X), getattr(theirs, method)(X), rtol=rtol, atol=1e-12, err_msg=method)
    assert_array_equal(ours.predict(X), theirs.predict(X))


VARIANTS = [
    *[(GaussianNB, p) for p in [{}, {"priors": [0.2, 0.3, 0.5]}, {"var_smoothing": 0.1}]],
    *[
        (model, p)
        for model in DISCRETE
        for p in [{}, {"alpha": 0.01}, {"fit_prior": False}, {"class_prior": [0.2, 0.3, 0.5]}, {"alpha": 0}]
    ],
    (MultinomialNB, {"alpha": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]}),
    (BernoulliNB, {"binarize": 1.5}),
    (CategoricalNB, {"min_categories": 6}),
    (CategoricalNB, {"min_categories": [4, 5, 6, 7, 8, 9, 10]}),
]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("model", "params"), VARIANTS)
def test_agrees_with_scikit_learn(model, params, weighted):
    X, y = random_data(model, n=400)
    weight = np.random.default_rng(1).uniform(0, 3, len(y)) if weighted else None
    theirs = getattr(peers, model.__name__)(**params).fit(X, y, weight)
    assert_same_model(model(**params).fit(X, y, weight), theirs, X)


@pytest.mark.parametrize("container", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
@pytest.mark.parametrize("model", LINEAR)
def test_sparse_is_dense(model, container):
    X, y = random_data(model)
    weight = np.random.default_rng(1).uniform(0, 3, len(y))
    ours = model().fit(container(X), y, weight)
    assert_same_model(ours, getattr(peers, model.__name__)().fit(X, y, weight), X)
    for rows in (X, np.zeros((4, 7))):  # also where no document has a word
        assert_allclose(ours.predict_joint_log_proba(container(rows)), ours.predict_joint_log_proba(rows), rtol=1e-12)
        assert_allclose(ours.feature_contributions(container(rows)), ours.feature_contributions(rows))


@pytest.mark.parametrize("threshold", [0, 1, 2.0])
def test_a_value_at_the_threshold_is_absent(threshold):
    X, y = random_data(BernoulliNB)
    theirs = peers.BernoulliNB(binarize=threshold).fit(X, y)
    stored_zeros = sparse.csr_array((X.ravel(), np.tile(np.arange(7), 120), np.arange(0, 841, 7)), shape=X.shape)
    for form in (X, stored_zeros):
        assert_same_model(BernoulliNB(binarize=threshold).fit(form, y), theirs, X)


def test_split_entries_of_a_sparse_matrix_are_one_count_and_the_caller_keeps_its_matrix():
    X = sparse.csr_array(([1.0, 1.0, 1.0], [0, 0, 1], [0, 2, 3]), shape=(2, 2))
    model = BernoulliNB().fit(X, [0, 1])
    assert_array_equal(model.feature_count_, [[1, 0], [0, 1]])
    assert X.nnz == 3


@pytest.mark.parametrize("model", MODELS)
def test_batches_are_one_fit(model):
    X, y = random_data(model, n=150)
    weight = np.random.default_rng(1).uniform(0, 3, len(y))
    ours = model()
    for start in range(0, 150, 40):
        rows = slice(start, start + 40)
        ours.partial_fit(X[rows], y[rows], classes=[2, 0, 1] if start == 0 else None, sample_weight=weight[rows])
    assert_same_model(ours, getattr(peers, model.__name__)().fit(X, y, weight), X)


def test_categories_grow_with_later_batches_and_never_shrink():
    model = CategoricalNB().partial_fit([[0], [1]], [0, 1], classes=[0, 1]).partial_fit([[3], [3]], [0, 1])
    model.partial_fit([[0], [1]], [0, 0])
    assert_array_equal(model.n_categories_, [4])
    assert_array_equal(model.category_count_[0], [[2, 1, 0, 1], [0, 1, 0, 1]])


def test_gaussian_far_from_zero_keeps_its_digits():
    X, y = random_data(GaussianNB)
    near, far = GaussianNB(var_smoothing=0).fit(X, y), GaussianNB(var_smoothing=0).fit(X + 1e6, y)
    assert_allclose(far.var_, near.var_, rtol=1e-8)
    assert_allclose(far.predict_joint_log_proba(X + 1e6), near.predict_joint_log_proba(X), rtol=1e-7)


CHINA, OTHER = Fraction(3, 4), Fraction(1, 4)


@pytest.mark.parametrize(
    ("model", "china", "other"),
    [
        (MultinomialNB, CHINA * Fraction(3, 7) ** 3 * Fraction(1, 14) ** 2, OTHER * Fraction(2, 9) ** 5),
        (BernoulliNB, CHINA * Fraction(4, 5) * Fraction(1, 5) ** 2 * Fraction(3, 5) ** 3, OTHER * Fraction(2, 3) ** 6),
    ],
)
def test_iir_example(model, china, other):
    iir = load_iir_documents()
    joint = model().fit(iir.data, iir.target_names[iir.target]).predict_joint_log_proba(iir.sample)
    assert_allclose(np.exp(joint), [[float(china), float(other)]], rtol=1e-13)


def tennis():
    """Return the 14 days as codes (14, 4), their labels (14,) and the values of each column."""
    days = load_play_tennis()
    return days.data, days.target_names[days.target], days.categories


@pytest.mark.parametrize("alpha", [0, 1, 2])
def test_tennis_is_enumerated(alpha):
    X, y, values = tennis()
    model = CategoricalNB(alpha=alpha).fit(X, y)
    joint = np.exp(model.predict_joint_log_proba(X))
    for row, found in zip(X, joint, strict=True):
        for c, label in enumerate(["No", "Yes"]):
            days = X[y == label]
            exact = Fraction(len(days), 14)
            for f, value in enumerate(row):
                exact *= Fraction(int((days[:, f] == value).sum()) + alpha, len(days) + alpha * len(values[f]))
            assert_allclose(found[c], float(exact), rtol=1e-13)


def test_gender_example_has_unbiased_variances():
    people = load_gender_measurements()
    model = GaussianNB(priors=[0.5, 0.5], var_smoothing=0, ddof=1).fit(people.data, people.target)
    assert people.target_names.tolist() == ["female", "male"]
    assert people.sample.tolist() == [[6, 130, 8]]
    assert_allclose(np.exp(model.predict_joint_log_proba(people.sample)), [[5.3778e-04, 6.19707e-09]], rtol=3e-5)
    by_sex = people.data[4:], people.data[:4]
    exact = [norm.pdf([6, 130, 8], rows.mean(axis=0), rows.std(axis=0, ddof=1)) for rows in by_sex]
    assert_allclose(np.exp(model.feature_contributions([[6, 130, 8]]))[0], exact, rtol=1e-12)


quick = settings(max_examples=30, deadline=None)
seeds = st.integers(0, 10_000)
alphas = st.one_of(st.just(0.0), st.floats(1e-6, 100))


def small(model, seed):
    """Few rows, so that zeros occur; at least two classes; weights with zeros among them."""
    X, y = random_data(model, seed, n=12, features=4)
    return X, y, np.random.default_rng(seed).choice([0.5, 1.0, 2.0], len(y))


@pytest.mark.parametrize("model", MODELS)
@quick
@given(seed=seeds, alpha=alphas)
def test_posteriors_sum_to_one_and_contributions_to_the_joint(model, seed, alpha):
    X, y, weight = small(model, seed)
    nb = (model() if model is GaussianNB else model(alpha=alpha)).fit(X, y, weight)
    joint = nb.predict_joint_log_proba(X)
    assert_allclose(nb.predict_proba(X).sum(axis=1), 1)
    assert_allclose(nb.feature_contributions(X).sum(axis=2) + nb.class_log_prior_, joint, rtol=1e-9, atol=1e-9)
    assert nb.feature_contributions(X).shape == (12, 3, 4)
    assert_array_equal(nb.predict(X), nb.classes_[joint.argmax(axis=1)])


@pytest.mark.parametrize("model", DISCRETE)
@quick
@given(seed=seeds, alpha=alphas, first=alphas)
def test_resmooth_is_refit(model, seed, alpha, first):
    X, y, weight = small(model, seed)
    nb = model(alpha=first).fit(X, y, weight)
    assert nb.resmooth(alpha) is nb
    assert nb.alpha == alpha
    refit = model(alpha=alpha).fit(X, y, weight)
    assert_array_equal(nb.predict_joint_log_proba(X), refit.predict_joint_log_proba(X))
    both = nb.partial_fit(X, y), refit.partial_fit(X, y)
    assert_array_equal(both[0].predict_joint_log_proba(X), both[1].predict_joint_log_proba(X))


@pytest.mark.parametrize("model", DISCRETE)
def test_smoothed_is_resmooth_on_a_copy(model):
    X, y = random_data(model)
    nb = model(alpha=1.0).fit(X, y)
    before, tables = nb.predict_joint_log_proba(X), pickle.dumps(nb.feature_log_prob_)
    other = nb.smoothed(0.25)
    assert_same_model(other, model(alpha=0.25).fit(X, y), X)
    assert (nb.alpha, other.alpha) == (1.0, 0.25)
    assert_same_model(other.partial_fit(X[:9], y[:9]), model(alpha=0.25).fit(X, y).partial_fit(X[:9], y[:9]), X)
    assert_array_equal(nb.predict_joint_log_proba(X), before)
    assert pickle.dumps(nb.feature_log_prob_) == tables
    assert_same_model(nb.partial_fit(X[:5], y[:5]), model().fit(X, y).partial_fit(X[:5], y[:5]), X)
    with pytest.raises(ValueError, match="not fitted"):
        model().smoothed(1)
    with pytest.raises(ValueError, match="alpha must be a finite number >= 0"):
        nb.smoothed(-1)


@pytest.mark.parametrize("model", [BernoulliNB, CategoricalNB])
def test_tables_that_prediction_does_not_read_cannot_be_edited(model):
    X, y = random_data(model)
    nb = model().fit(X, y)
    table = nb.feature_log_prob_[0]
    with pytest.raises(ValueError, match="read-only"):
        table[0] = 0.0


@pytest.mark.parametrize("model", DISCRETE)
def test_alpha_may_differ_by_feature(model):
    X, y = random_data(model)
    each = model(alpha=[0.5] * 7).fit(X, y)
    assert_same_model(each, model(alpha=0.5).fit(X, y), X)
    alone = model(alpha=1.0).fit(X, y).resmooth([1, 1, 1, 9, 1, 1, 1]).feature_contributions(X)
    if model is not MultinomialNB:  # there the features share one denominator
        assert_allclose(alone[:, :, 3], model(alpha=9.0).fit(X, y).feature_contributions(X)[:, :, 3])
        assert_allclose(alone[:, :, 2], model(alpha=1.0).fit(X, y).feature_contributions(X)[:, :, 2])


@pytest.mark.parametrize("model", LINEAR)
@quick
@given(seed=seeds, alpha=alphas)
def test_as_linear_is_the_model(model, seed, alpha):
    X, y, weight = small(model, seed)
    nb = model(alpha=alpha).fit(X, y, weight)
    weights, intercept = nb.as_linear()
    assert (weights.shape, intercept.shape) == ((3, 4), (3,))
    events = X if model is MultinomialNB else (X > 0).astype(float)
    joint = nb.predict_joint_log_proba(X)
    assert_allclose(linear_score(events, weights, intercept), joint, rtol=1e-9)
    assert_allclose(linear_score(sparse.csr_array(events), weights, intercept), joint, rtol=1e-9)
    if alpha:
        assert_allclose(events @ weights.T + intercept, joint, rtol=1e-9)
    weights[:], intercept[:] = 7, 7  # what is handed out is a copy
    assert_array_equal(nb.predict_joint_log_proba(X), joint)


@quick
@given(seed=seeds, alpha=alphas)
def test_bernoulli_is_categorical_on_two_values(seed, alpha):
    X, y, weight = small(BernoulliNB, seed)
    bits = (X > 1).astype(int)
    two = CategoricalNB(alpha=alpha, min_categories=2).fit(bits, y, weight)
    one = BernoulliNB(alpha=alpha, binarize=1).fit(X, y, weight)
    assert_allclose(one.predict_joint_log_proba(X), two.predict_joint_log_proba(bits), rtol=1e-9)
    assert_allclose(
        BernoulliNB(alpha=alpha, binarize=None).fit(bits, y, weight).predict_proba(bits), one.predict_proba(X)
    )


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_multinomial_zero_is_exact(form):
    model = MultinomialNB(alpha=0).fit(form([[3.0, 1, 0], [0, 2, 2]]), ["a", "b"])
    with np.errstate(divide="ignore"):
        assert_allclose(model.feature_log_prob_, np.log([[3 / 4, 1 / 4, 0], [0, 1 / 2, 1 / 2]]))
    joint = model.predict_joint_log_proba(form([[0, 2.0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1e-300]]))
    half = np.log(0.5)
    expected = [[half + 2 * np.log(1 / 4), half + 2 * half], [half + np.log(3 / 4), -INF], [-INF, -INF], [-INF, half]]
    assert_allclose(joint, expected, rtol=1e-12)
    assert_allclose(model.feature_contributions(form([[0, 2.0, 0]]))[0], [[0, 2 * np.log(1 / 4), 0], [0, 2 * half, 0]])


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_bernoulli_zero_and_one_are_exact(form):
    model = BernoulliNB(alpha=0).fit(form([[1.0, 1, 0], [1, 0, 0], [1, 1, 1], [0, 1, 0]]), [0, 0, 1, 1])
    third = np.log([[0.5 * 1 * 0.5 * 1, 0.5 * 0.5 * 1 * 0.5]])
    assert_allclose(model.predict_joint_log_proba(form([[1.0, 1, 0]])), third)
    rows = form([[0, 1.0, 0], [0, 0, 0], [1, 1, 1]])
    assert_allclose(np.exp(model.predict_joint_log_proba(rows)), [[0, 0.125], [0, 0], [0, 0.125]])
    weights, intercept = model.as_linear()
    assert_array_equal(np.isinf(weights), [[True, False, True], [False, True, False]])
    assert_array_equal(np.sign(weights), [[1, 0, -1], [0, 1, 0]])
    assert_allclose(np.exp(linear_score(rows, weights, intercept)), [[0, 0.125], [0, 0], [0, 0.125]])


@pytest.mark.parametrize("weight", [0.1, 0.7, 1 / 3])
def test_bernoulli_always_present_is_one_also_by_weights_that_round(weight):
    X = np.random.default_rng(0).integers(0, 2, (50, 3))
    X[:, 1] = 1
    for form in (np.asarray, sparse.csr_array):
        model = BernoulliNB(alpha=0).fit(form(X), np.arange(50) % 2, np.full(50, weight))
        assert (model.predict_joint_log_proba(form([[1, 0, 1]])) == -INF).all()
        assert_array_equal(model.feature_log_prob_[:, 1], [0, 0])


@pytest.mark.parametrize("model", DISCRETE)
@pytest.mark.parametrize("alpha", [0, 1, 0.01])
def test_nothing_counted_reads_uniform(model, alpha):
    nb = model(alpha=alpha, class_prior=[0.5, 0.5]).fit([[1, 0, 2], [0, 1, 1]], [0, 1], sample_weight=[1, 0])
    tables = nb.feature_log_prob_ if model is CategoricalNB else [nb.feature_log_prob_]
    for table in tables:
        assert_allclose(np.exp(table[1]), 1 / (2 if model is BernoulliNB else table.shape[1]))
    if model is BernoulliNB:
        assert_allclose(np.exp(nb.absent_log_prob()[1]), 1 / 2)
    assert not np.isnan(nb.predict_joint_log_proba([[1, 0, 2]])).any()


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_every_row_that_breaks_a_rule_scores_minus_infinity(form):
    """All rows of three marks and all pairs of weights, of which each may forbid or demand, by a plain loop."""
    rows = np.array(list(product([0.0, 1.0], repeat=3)))
    weights = np.array(list(product([-INF, INF, 0.5], repeat=3)))
    for pair in (weights[:3], weights[3:], weights):  # few classes and many go different ways
        expected = np.full((len(rows), len(pair)), 0.25)
        for (i, row), (c, of_class) in product(enumerate(rows), enumerate(pair)):
            for x, w in zip(row, of_class, strict=True):
                if abs(w) < INF:
                    expected[i, c] += x * w
                elif x == (w == -INF):  # there though forbidden, or not there though demanded
                    expected[i, c] = -INF
        assert_allclose(linear_score(form(rows), pair, 0.25), expected)


def test_a_column_of_one_category_is_certain():
    model = CategoricalNB().fit([[0, 0, np.nan], [0, 1, np.nan]], [0, 1])
    assert_array_equal(model.n_categories_, [1, 2, 1])
    assert_array_equal(model.feature_contributions([[0, 1, 0]])[0, :, [0, 2]], np.zeros((2, 2)))


def test_models_of_counts_promise_no_score_and_nothing_below_zero():
    for model in MODELS:
        tags = get_tags(model())
        assert tags.classifier_tags.poor_score == (model in DISCRETE)
        assert tags.input_tags.positive_only == (model in (MultinomialNB, CategoricalNB))
        assert tags.input_tags.categorical == (model is CategoricalNB)


@pytest.mark.parametrize("alpha", [0, 1])
@pytest.mark.parametrize("model", MODELS)
def test_a_class_without_documents_has_probability_zero(model, alpha):
    X, y = random_data(model)
    params = {} if model is GaussianNB else {"alpha": alpha}
    weighted = model(**params).fit(X, y, sample_weight=(y != 2).astype(float))
    promised = model(**params).partial_fit(X[y != 2], y[y != 2], classes=[0, 1, 2])
    for nb in (weighted, promised):
        assert nb.class_log_prior_[2] == -INF
        known = X[y != 2]
        assert not np.isnan(nb.predict_joint_log_proba(known)).any()
        assert_array_equal(nb.predict_proba(known)[:, 2], 0)
        assert_allclose(nb.predict_proba(known).sum(axis=1), 1)
        assert set(nb.predict(known)) <= {0, 1}


def test_a_gaussian_class_never_seen_has_density_zero_even_with_a_prior():
    X, y = random_data(GaussianNB)
    model = GaussianNB(priors=[0.2, 0.2, 0.6]).partial_fit(X[y != 2], y[y != 2], classes=[0, 1, 2])
    assert (model.predict_joint_log_proba(X)[:, 2] == -INF).all()
    assert (model.feature_contributions(X)[:, 2] == -INF).all()


@pytest.mark.parametrize("n", [1, 1000])
def test_minus_one_and_nan_are_unknown_codes_too(n):
    """-1 is what OrdinalEncoder writes for an unseen category, if asked to; few rows and many go different ways."""
    X, y, _ = tennis()
    model = CategoricalNB(handle_unknown="ignore").fit(X, y)
    rest = CategoricalNB().fit(X[:, [0, 2, 3]], y).predict_joint_log_proba([[0, 1, 1]] * n)
    for unknown in (-1, np.nan, 7, 10**12):
        row = np.array([0, unknown, 1, 1])
        assert_allclose(model.predict_joint_log_proba([row] * n), rest)
        assert_array_equal(model.feature_contributions([row])[0, :, 1], [0, 0])
        assert_array_equal(row, [0, unknown, 1, 1])
    nothing = model.predict_joint_log_proba(np.full((n, 4), -1))
    assert_allclose(nothing, np.tile(model.class_log_prior_, (n, 1)))


def test_the_first_code_that_no_table_has_is_unknown_in_every_feature():
    """What is unknown has no say: the model without that feature says the same."""
    X, y = [[0, 0, 1], [1, 2, 0], [1, 1, 1], [0, 2, 0]], [0, 0, 1, 1]
    model = CategoricalNB(handle_unknown="ignore").fit(X, y)
    for f, size in enumerate(model.n_categories_):
        rows = np.array(X)
        rows[:, f] = size
        others = CategoricalNB().fit(np.delete(X, f, axis=1), y)
        np.testing.assert_allclose(model.predict_proba(rows), others.predict_proba(np.delete(rows, f, axis=1)))


@pytest.mark.parametrize("alpha", [0, 1.0])
@pytest.mark.parametrize("features", [1, 3, 300])
def test_many_rows_and_one_row_agree(features, alpha):
    """Categories: one row is added up, many rows are a product; both are the plain sum over columns."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 1 + np.arange(features) % 5, (2000, features)), rng.permutation(2000) % 3
    model = CategoricalNB(alpha=alpha).fit(X, y)
    count = [np.bincount(X[y == c, -1], minlength=model.n_categories_[-1]) for c in range(3)]
    assert_array_equal(model.category_count_[-1], count)
    with np.errstate(divide="ignore"):
        plain = model.class_log_prior_ + np.sum(
            [table.T[column] for column, table in zip(X[:300].T, model.feature_log_prob_, strict=True)], axis=0
        )
    assert_allclose(model.predict_joint_log_proba(X[:300]), plain, rtol=1e-12)
    assert_allclose([model.predict_joint_log_proba(X[[i]])[0] for i in range(60)], plain[:60], rtol=1e-12)


def fails_by_intent(estimator):
    """scikit-learn's checks that give fractions to a model of categories, which refuses every one of them."""
    fractions = "X of this check holds fractions; CategoricalNB takes integer codes only"
    checks = "check_sample_weight_equivalence_on_dense_data", "check_classifiers_one_label_sample_weights"
    return dict.fromkeys(checks, fractions) if isinstance(estimator, CategoricalNB) else {}


@parametrize_with_checks([model() for model in MODELS], expected_failed_checks=fails_by_intent)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


GOOD = [[1, 0], [0, 1], [1, 1]], [0, 1, 1]


def fitted(model, **params):
    return model(**params).fit(*GOOD)


BAD = {
    "alpha negative": (lambda: fitted(MultinomialNB, alpha=-1), ["alpha", "-1", ">= 0"]),
    "alpha NaN": (lambda: fitted(BernoulliNB, alpha=np.nan), ["alpha", "nan", "finite"]),
    "alpha text": (lambda: fitted(CategoricalNB, alpha="much"), ["alpha", "much", ">= 0"]),
    "alpha too short": (lambda: fitted(MultinomialNB, alpha=[1.0]), ["alpha", "[1.0]", "2 of them"]),
    "alpha partly negative": (lambda: fitted(BernoulliNB, alpha=[1, -2]), ["alpha", "-2", ">= 0"]),
    "alpha before the values": (lambda: MultinomialNB(alpha=-3).fit([[-1], [2]], [0, 1]), ["alpha", "-3", ">= 0"]),
    "resmooth negative": (lambda: fitted(MultinomialNB).resmooth(-0.5), ["alpha", "-0.5", ">= 0"]),
    "resmooth unfitted": (lambda: BernoulliNB().resmooth(1), ["BernoulliNB", "not fitted"]),
    "as_linear unfitted": (lambda: BernoulliNB().as_linear(), ["BernoulliNB", "not fitted"]),
    "as_linear of tokens unfitted": (lambda: MultinomialNB().as_linear(), ["MultinomialNB", "not fitted"]),
    "contributions unfitted": (lambda: CategoricalNB().feature_contributions([[1]]), ["CategoricalNB", "not fitted"]),
    "fit_prior unknown": (lambda: fitted(MultinomialNB, fit_prior="yes"), ["fit_prior", "yes", "bool"]),
    "prior too short": (lambda: fitted(MultinomialNB, class_prior=[1.0]), ["class_prior", "[1.0]", "2 numbers"]),
    "prior off one": (lambda: fitted(BernoulliNB, class_prior=[0.5, 0.6]), ["class_prior", "0.6", "sum to 1"]),
    "prior negative": (lambda: fitted(CategoricalNB, class_prior=[1.5, -0.5]), ["class_prior", "-0.5", ">= 0"]),
    "priors too long": (lambda: fitted(GaussianNB, priors=[0.2, 0.3, 0.5]), ["priors", "0.2", "2 numbers"]),
    "priors negative": (lambda: fitted(GaussianNB, priors=[2, -1]), ["priors", "-1", ">= 0"]),
    "var_smoothing negative": (lambda: fitted(GaussianNB, var_smoothing=-1), ["var_smoothing", "-1", ">= 0"]),
    "ddof negative": (lambda: fitted(GaussianNB, ddof=-1), ["ddof", "-1", ">= 0"]),
    "ddof too large": (lambda: fitted(GaussianNB, ddof=1), ["ddof", "class 0", "weight 1"]),
    "no variance": (lambda: fitted(GaussianNB, var_smoothing=0), ["var_smoothing", "column 0", "class 0"]),
    "binarize negative": (lambda: fitted(BernoulliNB, binarize=-1), ["binarize", "-1", ">= 0"]),
    "not binary": (lambda: BernoulliNB(binarize=None).fit([[2], [0]], [0, 1]), ["X", "2", "0 and 1", "binarize"]),
    "not binary, sparse": (
        lambda: BernoulliNB(binarize=None).fit(sparse.csr_array([[3.0], [0]]), [0, 1]),
        ["X", "3", "0 and 1"],
    ),
    "gap among counts": (lambda: MultinomialNB().fit([[np.nan], [2]], [0, 1]), ["X", "NaN"]),
    "gap among counts later": (lambda: fitted(MultinomialNB).predict([[np.nan, 1]]), ["X", "NaN"]),
    "gap, sparse": (lambda: BernoulliNB().fit(sparse.csr_array([[np.nan], [2]]), [0, 1]), ["X", "NaN"]),
    "gap, sparse, later": (lambda: fitted(BernoulliNB).predict(sparse.csr_array([[np.nan, 1]])), ["X", "NaN"]),
    "infinity beside a gap": (lambda: GaussianNB().fit([[np.nan], [INF]], [0, 1]), ["X", "infinity"]),
    "negative beside a gap": (lambda: CategoricalNB().fit([[np.nan], [-1]], [0, 1]), ["Negative values", "X"]),
    "fraction beside a gap": (lambda: CategoricalNB().fit([[np.nan], [0.5]], [0, 1]), ["column 0", "0.5", "integer"]),
    "negative counts": (lambda: MultinomialNB().fit([[-1], [2]], [0, 1]), ["Negative values", "X"]),
    "negative counts, sparse": (
        lambda: MultinomialNB().fit(sparse.csr_array([[-1.0], [2]]), [0, 1]),
        ["Negative values", "X"],
    ),
    "negative counts later": (lambda: fitted(MultinomialNB).predict([[1, -1]]), ["Negative values", "X"]),
    "negative codes": (lambda: CategoricalNB().fit([[-1], [2]], [0, 1]), ["Negative values", "X"]),
    "a code of a billion": (lambda: CategoricalNB().fit([[0, 10**9], [1, 0]], [0, 1]), ["column 1", "1000000000"]),
    "fractions below 1": (lambda: CategoricalNB().fit([[0.4], [0]], [0, 1]), ["column 0 of X", "0.4", "integer"]),
    "fractions later": (lambda: fitted(CategoricalNB).predict([[0, 0.2]]), ["column 1 of X", "0.2", "integer"]),
    "fraction, ignoring unknown codes": (
        lambda: fitted(CategoricalNB, handle_unknown="ignore").predict([[0.2, -1]]),
        ["column 0 of X", "0.2", "integer"],
    ),
    "codes below -1, ignoring unknown codes": (
        lambda: fitted(CategoricalNB, handle_unknown="ignore").predict([[-2, -1]]),
        ["Negative values", "X"],
    ),
    "unknown code in fit": (
        lambda: CategoricalNB(handle_unknown="ignore").fit([[-1], [0]], [0, 1]),
        ["Negative values", "X"],
    ),
    "squares too large": (lambda: GaussianNB().fit([[1e200], [-1e200], [0]], [0, 0, 1]), ["X", "inf", "finite"]),
    "sums too large": (lambda: MultinomialNB().fit([[1e308, 1e308], [0, 1]], [0, 1]), ["counts in X", "inf", "finite"]),
    "broken codes": (lambda: CategoricalNB().fit([[0, 2.5], [1, 2]], [0, 1]), ["X", "2.5", "integer", "column 1"]),
    "huge codes": (lambda: CategoricalNB().fit([[1e30], [1]], [0, 1]), ["X", "1e+30", "integer"]),
    "unseen category of a name": (
        lambda: CategoricalNB().fit(pd.DataFrame({"wind": [0, 1]}), [0, 1]).predict(pd.DataFrame({"wind": [9]})),
        ["'wind' of X holds 9"],
    ),
    "unseen category": (
        lambda: fitted(CategoricalNB).predict([[0, 0], [0, 2]]),
        ["column 1", "holds 2", "0 to 1", 'handle_unknown="ignore"'],
    ),
    "handle_unknown": (lambda: fitted(CategoricalNB, handle_unknown="skip"), ["handle_unknown", "skip", "ignore"]),
    "min_categories 0": (lambda: fitted(CategoricalNB, min_categories=0), ["min_categories", "0", ">= 1"]),
    "min_categories partly 0": (lambda: fitted(CategoricalNB, min_categories=[2, 0]), ["min_categories", "[2, 0]"]),
    "columns later, ignoring unknown codes": (
        lambda: fitted(CategoricalNB, handle_unknown="ignore").predict([[1]]),
        ["1 features", "2 features"],
    ),
    "min_categories 1.5": (lambda: fitted(CategoricalNB, min_categories=1.5), ["min_categories", "1.5", "integer"]),
    "min_categories short": (lambda: fitted(CategoricalNB, min_categories=[2]), ["min_categories", "[2]", "2 of them"]),
    "unknown label": (lambda: fitted(BernoulliNB).partial_fit([[1, 1], [0, 1]], [1, 7]), ["y", "7", "[0 1]"]),
    "unknown label first": (lambda: BernoulliNB().partial_fit([[1]], [7], classes=[0, 1]), ["y", "7", "[0 1]"]),
    "classes missing": (lambda: GaussianNB().partial_fit(*GOOD), ["classes", "first call"]),
    "classes changed": (lambda: fitted(GaussianNB).partial_fit(*GOOD, classes=[0, 2]), ["classes", "[0, 2]", "[0 1]"]),
    "one promised class": (
        lambda: MultinomialNB().partial_fit([[1]], [0], classes=[0]),
        ["at least two classes", "[0]"],
    ),
    "sparse categories": (lambda: CategoricalNB().fit(sparse.csr_array([[1], [0]]), [0, 1]), ["Sparse", "dense"]),
    "sparse measurements": (lambda: GaussianNB().fit(sparse.csr_array([[1.0], [0]]), [0, 1]), ["Sparse", "dense"]),
    **{
        f"{what}, {model.__name__}": (do, words)
        for model in MODELS
        for what, do, words in [
            ("one class", lambda m=model: m().fit([[1], [2]], ["a", "a"]), ["two classes", "one class", "partial_fit"]),
            ("gap in y", lambda m=model: m().fit([[1], [2]], ["a", None]), ["y must be a label", "1 gaps", "[1]"]),
            ("infinite", lambda m=model: m().fit([[INF], [2]], [0, 1]), ["X", "infinity"]),
            ("weight negative", lambda m=model: m().fit(*GOOD, [-1, 1, 1]), ["sample_weight", "-1", ">= 0"]),
            ("weight length", lambda m=model: m().fit(*GOOD, [1, 1]), ["sample_weight", "(2,)", "(3,)"]),
            ("weight infinite", lambda m=model: m().fit(*GOOD, [INF, 1, 1]), ["sample_weight", "infinity"]),
            ("weights too large", lambda m=model: m().fit(*GOOD, [1e308] * 3), ["sample_weight", "inf", "finite"]),
        ]
    },
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_by_name(case):
    do, words = BAD[case]
    with pytest.raises((ValueError, TypeError)) as refusal:
        do()
    assert all(word in str(refusal.value) for word in words), refusal.value


@pytest.mark.parametrize("model", MODELS)
def test_a_refused_call_leaves_the_model_as_it_was(model):
    nb = fitted(model)
    before = nb.predict_joint_log_proba(GOOD[0])
    for call in [lambda: nb.partial_fit([[1, 1]], [9]), lambda: nb.partial_fit([[1, INF]], [0])]:
        with pytest.raises(ValueError, match=r"none of the classes|infinity"):
            call()
    if model is not GaussianNB:
        with pytest.raises(ValueError, match="alpha"):
            nb.resmooth(-1)
    assert_array_equal(nb.predict_joint_log_proba(GOOD[0]), before)
    fresh = model()
    with pytest.raises(ValueError, match="none of the classes"):
        fresh.partial_fit([[1, 1]], [9], classes=[0, 1])
    assert_same_model(fresh.partial_fit(*GOOD, classes=[0, 1]), nb, GOOD[0])


@pytest.mark.parametrize(
    ("model", "batch"), [(GaussianNB, [[1e200, 0], [-1e200, 0]]), (MultinomialNB, [[1e308] * 2] * 2)]
)
def test_numbers_too_large_leave_the_model_as_it_was(model, batch):
    nb = fitted(model)
    before = nb.predict_joint_log_proba(GOOD[0])
    with pytest.raises(ValueError, match="finite"):
        nb.partial_fit(batch, [0, 1])
    with pytest.raises(ValueError, match="finite"):
        nb.fit([[*row, 0] for row in batch], [0, 1])
    assert nb.n_features_in_ == 2
    assert_array_equal(nb.predict_joint_log_proba(GOOD[0]), before)
    assert_same_model(nb.partial_fit(*GOOD), model().fit(GOOD[0] * 2, GOOD[1] * 2), GOOD[0])


@pytest.mark.parametrize("model", MODELS)
def test_a_huge_row_is_no_nan(model):
    huge = [[1, 1e307]] if model is not CategoricalNB else [[1, 10**15]]
    nb = fitted(model, **({"handle_unknown": "ignore"} if model is CategoricalNB else {}))
    assert_allclose(nb.predict_proba(huge).sum(), 1)
    assert not np.isnan(nb.feature_contributions(huge)).any()


def test_contributions_too_refuse_a_variance_of_zero():
    """partial_fit lets a class of one row pass, because more may come; what reads it must not divide by 0."""
    model = GaussianNB(var_smoothing=0).partial_fit([[1.0], [2.0], [3.0]], [0, 1, 1], classes=[0, 1])
    for read in (model.feature_contributions, model.predict, model.predict_joint_log_proba):
        with pytest.raises(ValueError, match="variance 0 in column 0"):
            read([[1.0]])
    model.partial_fit([[2.0]], [0])
    assert np.isfinite(model.feature_contributions([[1.0]])).all()


def peak(work):
    """Bytes of the largest memory that this call holds."""
    work()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.float64])
@pytest.mark.parametrize("model", MODELS)
def test_no_more_memory_than_scikit_learn(model, dtype):
    X, y = random_data(CategoricalNB, n=30_000, features=40)
    X = X.astype(dtype)
    ours, theirs = model(), getattr(peers, model.__name__)()
    assert peak(lambda: ours.fit(X, y)) <= 1.25 * peak(lambda: theirs.fit(X, y))
    assert peak(lambda: ours.predict_proba(X)) <= 1.25 * peak(lambda: theirs.predict_proba(X))

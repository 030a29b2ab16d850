"""EM with labelled and unlabelled rows: against plain loops, its own objective, and the direction of R8's figures."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.special import logsumexp
from scipy.stats import norm
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.naive_bayes import MultinomialNB as SklearnNB
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from nbcore.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from nbcore.semi_supervised import SemiSupervisedNB, log_penalty, m_step, prepare_em

COUNTS = [MultinomialNB, BernoulliNB, CategoricalNB]
MODELS = [*COUNTS, GaussianNB]
seeds = st.integers(0, 2**32 - 1)


def draw_data(seed, n=30, F=4, n_classes=3, n_labelled=8):
    """Integer rows and labels, most of them -1; every class is labelled at least once."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = rng.integers(0, 3, size=(n, F)) + (np.arange(F) == y[:, None])
    y[n_labelled:] = -1
    return X, y


def em_by_hand(X, y, learn, joint, penalty, clamp, weight, n_steps):
    """EM in plain numpy: the path of the objective, and the last parameters.

    learn: shares of the rows (n, C) -> parameters; joint: rows and parameters -> log P(c, x), (n, C).
    """
    labelled, n_classes = y >= 0, y.max() + 1
    given = np.where(labelled[:, None], y[:, None] == np.arange(n_classes), 0.0)
    row_weight, share, path = np.where(labelled, 1.0, weight), given, []
    for _ in range(n_steps + 1):
        parameters = learn(share)
        joint_log_prob = joint(X, *parameters)
        log_row = logsumexp(joint_log_prob, axis=1)
        share = np.exp(joint_log_prob - log_row[:, None]) * row_weight[:, None]
        if clamp:
            share[labelled] = given[labelled]
            log_row = np.where(labelled, (joint_log_prob * given).sum(axis=1), log_row)
        path.append((row_weight * log_row).sum() + penalty(*parameters))
    return path, *parameters


def multinomial_joint(X, log_prior, log_features):
    return X @ log_features.T + log_prior


@pytest.mark.parametrize("clamp", [True, False])
@pytest.mark.parametrize("weight", [0.2, 1.0])
@pytest.mark.parametrize("as_matrix", [np.asarray, sparse.csr_array])
def test_the_steps_are_those_of_plain_numpy(clamp, weight, as_matrix):
    X, y = draw_data(0)

    def learn(share):
        count = share.T @ X + 0.5
        return np.log(share.sum(axis=0) / share.sum()), np.log(count / count.sum(axis=1, keepdims=True))

    settings = {"clamp": clamp, "unlabelled_weight": weight, "max_iter": 7, "tol": 0}
    model = SemiSupervisedNB(MultinomialNB(alpha=0.5), **settings).fit(as_matrix(X), y)
    path, log_prior, log_features = em_by_hand(
        X, y, learn, multinomial_joint, lambda log_prior, log_features: 0.5 * log_features.sum(), clamp, weight, 7
    )
    np.testing.assert_allclose(model.log_likelihood_path_, path, rtol=1e-12)
    np.testing.assert_allclose(model.estimator_.feature_log_prob_, log_features, rtol=1e-10)
    np.testing.assert_allclose(model.class_log_prior_, log_prior, rtol=1e-10)
    joint = multinomial_joint(X, log_prior, log_features)
    np.testing.assert_allclose(model.predict_joint_log_proba(X), joint, rtol=1e-10)
    np.testing.assert_array_equal(model.predict(as_matrix(X)), joint.argmax(axis=1))
    if clamp and weight == 1:  # what is meant unless another is said
        unsaid = SemiSupervisedNB(MultinomialNB(alpha=0.5), max_iter=7, tol=0).fit(as_matrix(X), y)
        np.testing.assert_array_equal(unsaid.log_likelihood_path_, model.log_likelihood_path_)


def penalty_by_loops(model):
    tables = model.feature_log_prob_
    if isinstance(model, BernoulliNB):
        p = np.exp(tables)
        return model.alpha * (np.log(p) + np.log(1 - p)).sum()
    return model.alpha * sum(value for table in tables for row in np.atleast_2d(table) for value in row)


@pytest.mark.parametrize("kind", COUNTS)
def test_the_penalty_sums_over_every_value_of_every_feature(kind):
    X, y = draw_data(1, n_labelled=30)
    model = kind(alpha=0.7).fit(X, y)
    assert log_penalty(model) == pytest.approx(penalty_by_loops(model), rel=1e-10)
    assert log_penalty(kind(alpha=0).fit(X, y)) == 0
    one_by_one = kind(alpha=[0.7] * 4).fit(X, y)
    assert log_penalty(one_by_one) == pytest.approx(log_penalty(model), rel=1e-12)
    mixed = kind(alpha=[0.0, 0.5, 1.0, 2.0]).fit(X, y)
    parts = [log_penalty(kind(alpha=a).fit(X[:, [f]], y)) for f, a in ((1, 0.5), (2, 1.0), (3, 2.0))]
    if kind is not MultinomialNB:  # whose features share one distribution
        assert log_penalty(mixed) == pytest.approx(sum(parts), rel=1e-10)


@pytest.mark.parametrize("kind", COUNTS)
@settings(max_examples=25, deadline=None)
@given(seeds, st.booleans(), st.sampled_from([0.05, 0.5, 1.0, 3.0]), st.sampled_from([0.0, 0.01, 1.0]), st.booleans())
def test_the_objective_never_falls(kind, seed, clamp, weight, alpha, fit_prior):
    X, y = draw_data(seed)
    settings = {"clamp": clamp, "unlabelled_weight": weight, "max_iter": 20, "tol": 0}
    model = SemiSupervisedNB(kind(alpha=alpha, fit_prior=fit_prior), **settings).fit(X, y)
    path = model.log_likelihood_path_
    assert not np.isnan(path).any()
    assert np.isfinite(path[1:]).all()
    assert (path[1:] - path[:-1] >= -1e-10 * np.maximum(1, np.abs(path[1:]))).all()
    assert len(path) == 21
    assert np.isfinite(model.predict_proba(X)).all()


@pytest.mark.parametrize("kind", COUNTS)
def test_the_first_model_is_the_supervised_one(kind):
    X, y = draw_data(2)
    X[-1] += 3  # a value that no labelled row has: it still gets its place in the tables
    labelled = y >= 0
    supervised = kind(alpha=0.3, **({"min_categories": 7} if kind is CategoricalNB else {}))
    model = SemiSupervisedNB(supervised, max_iter=0).fit(X, y)
    supervised.fit(X[labelled], y[labelled])
    np.testing.assert_allclose(model.predict_proba(X), supervised.predict_proba(X), rtol=1e-12)
    assert model.n_iter_ == 0
    assert len(model.log_likelihood_path_) == 1


def test_categories_of_unlabelled_rows_are_known():
    X, y = draw_data(3)
    X[-1] += 3
    model = SemiSupervisedNB(CategoricalNB()).fit(X, y)
    np.testing.assert_array_equal(model.estimator_.n_categories_, X.max(axis=0) + 1)


@pytest.mark.parametrize("kind", COUNTS)
def test_with_all_labels_or_no_weight_clamping_changes_nothing(kind):
    X, y = draw_data(4)
    everything = SemiSupervisedNB(kind(), tol=0, max_iter=5).fit(X, np.arange(30) % 3)
    expected = kind().fit(X, np.arange(30) % 3).predict_proba(X)
    np.testing.assert_allclose(everything.predict_proba(X), expected, rtol=1e-12)
    np.testing.assert_allclose(everything.log_likelihood_path_, everything.log_likelihood_path_[0])
    weightless = SemiSupervisedNB(kind(), unlabelled_weight=0, max_iter=5).fit(X, y)
    first = SemiSupervisedNB(kind(), max_iter=0).fit(X, y)
    np.testing.assert_allclose(weightless.predict_proba(X), first.predict_proba(X), rtol=1e-12)


def test_impossible_rows_start_the_path_at_minus_infinity():
    X = np.array([[1, 0, 0], [0, 1, 0], [1, 0, 1], [0, 1, 2]])
    model = SemiSupervisedNB(MultinomialNB(alpha=0), tol=0, max_iter=10).fit(X, [0, 1, -1, -1])
    assert np.isneginf(model.log_likelihood_path_[0])
    assert np.isfinite(model.log_likelihood_path_[1:]).all()
    assert len(model.log_likelihood_path_) == 11
    np.testing.assert_array_equal(model.predict(X), [0, 1, 0, 1])


def test_rows_of_weight_zero_never_count():
    X = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 5]])
    model = SemiSupervisedNB(MultinomialNB(alpha=0), unlabelled_weight=0, max_iter=3).fit(X, [0, 1, -1])
    np.testing.assert_allclose(model.log_likelihood_path_, 2 * np.log(0.5))


def test_a_label_of_prior_zero_keeps_the_path_at_minus_infinity():
    X, y = draw_data(11, n_classes=2)
    model = SemiSupervisedNB(MultinomialNB(class_prior=[1, 0]), max_iter=4, tol=0).fit(X, y)
    assert np.isneginf(model.log_likelihood_path_).all()
    assert model.n_iter_ == 4
    np.testing.assert_allclose(model.predict_proba(X), np.tile([1.0, 0.0], (30, 1)))


@pytest.mark.parametrize("kind", MODELS)
def test_a_step_counts_as_partial_fit_class_by_class(kind):
    """The same M-step by the models' own counting: one pass for each class."""
    X, _ = draw_data(13)
    X[0] += 2
    share = np.random.default_rng(0).dirichlet([0.3, 1, 2], size=30)
    blank, events, count = prepare_em(kind(), np.arange(3), X, np.full(30, True))
    plain = kind()
    for c, weight in enumerate(share.T):
        plain.partial_fit(X, np.full(30, c), np.arange(3), sample_weight=weight)
    expected = plain.predict_joint_log_proba(X)
    model = m_step(blank, count, share)
    np.testing.assert_allclose(model.predict_joint_log_proba(X), expected, rtol=1e-12)
    np.testing.assert_allclose(model._joint_log_likelihood(events), expected, rtol=1e-12)
    assert set(vars(plain)) <= set(vars(model))


@pytest.mark.parametrize("kind", MODELS)
def test_what_em_has_learned_learns_on_as_any_other_model(kind):
    """Its counts are those of `fit`, so that a later batch, here a much wider one, adds to them."""
    X, y = draw_data(17, n_labelled=30)
    more = np.where(np.arange(30)[:, None] % 2, X, 5 * X)
    estimator = kind(var_smoothing=0.1) if kind is GaussianNB else kind()
    ours = SemiSupervisedNB(estimator, max_iter=0).fit(X, y).estimator_.partial_fit(more, y)
    theirs = clone(estimator).fit(X, y).partial_fit(more, y)
    np.testing.assert_allclose(ours.class_count_, theirs.class_count_)
    np.testing.assert_allclose(ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X), rtol=1e-10)


def draw_measurements(seed, n=40, n_labelled=9):
    """Three clouds in three columns, the last of which is much wider; every class is labelled at least once."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    X = (rng.normal(size=(n, 3)) + np.eye(3)[y] * 2) * [1, 1, 30] + [0, 100, 0]
    return X, np.where(np.arange(n) < n_labelled, y, -1)


@pytest.mark.parametrize("clamp", [True, False])
@pytest.mark.parametrize("var_smoothing", [0.0, 1e-2])
def test_gaussian_steps_are_those_of_a_plain_loop(clamp, var_smoothing):
    X, y = draw_measurements(1)
    epsilon = var_smoothing * X.var(axis=0).max()

    def learn(share):
        means = [np.average(X, axis=0, weights=s) for s in share.T]
        squares = [np.average((X - m) ** 2, axis=0, weights=s) for s, m in zip(share.T, means, strict=True)]
        return share.sum(axis=0) / share.sum(), np.array(means), np.array(squares) + epsilon

    def joint(X, prior, means, variances):
        density = norm.logpdf(X[:, None], means, np.sqrt(variances)) - epsilon / 2 / variances
        return np.log(prior) + density.sum(axis=2)

    settings = {"clamp": clamp, "unlabelled_weight": 0.3, "max_iter": 2, "tol": 0}
    model = SemiSupervisedNB(GaussianNB(var_smoothing=var_smoothing), **settings).fit(X, y)
    path, _, means, variances = em_by_hand(X, y, learn, joint, lambda *_: 0, clamp, 0.3, 2)
    np.testing.assert_allclose(model.estimator_.theta_, means, rtol=1e-10)
    np.testing.assert_allclose(model.estimator_.var_, variances, rtol=1e-10)
    np.testing.assert_allclose(model.log_likelihood_path_, path, rtol=1e-12)


@settings(max_examples=60, deadline=None)
@given(seeds, st.booleans(), st.sampled_from([0.05, 1.0, 3.0]), st.sampled_from([1e-9, 1e-4, 0.1]), st.booleans())
def test_the_objective_of_measurements_never_falls(seed, clamp, weight, var_smoothing, whole):
    X, y = draw_measurements(seed)
    X = np.rint(X) if whole else X  # whole numbers let variances collapse to the smoothing alone
    settings = {"clamp": clamp, "unlabelled_weight": weight, "max_iter": 30, "tol": 0}
    path = SemiSupervisedNB(GaussianNB(var_smoothing=var_smoothing), **settings).fit(X, y).log_likelihood_path_
    assert (path[1:] - path[:-1] >= -1e-10 * np.abs(path[1:])).all()


def test_unlabelled_measurements_of_no_weight_change_nothing():
    X, y = draw_measurements(2)
    X[y < 0] *= 1000  # their spread must not reach epsilon_ either
    model = SemiSupervisedNB(GaussianNB(var_smoothing=0.01), unlabelled_weight=0, max_iter=5).fit(X, y)
    supervised = GaussianNB(var_smoothing=0.01).fit(X[y >= 0], y[y >= 0])
    np.testing.assert_allclose(model.predict_joint_log_proba(X), supervised.predict_joint_log_proba(X), rtol=1e-12)


def test_unlabelled_measurements_help():
    """Two clouds, four labelled rows each, off to the same side: EM finds the middles."""
    rng = np.random.default_rng(0)
    target = np.arange(400) % 2
    X = rng.normal(size=(400, 2)) + np.outer(target, [4.0, 0.0])
    X[:8] += [1.5, 0.0]
    y = np.where(np.arange(400) < 8, target, -1)
    models = [SemiSupervisedNB(GaussianNB(), max_iter=steps, tol=0).fit(X, y) for steps in (0, 30)]
    alone, helped = (model.score(X, target) for model in models)
    assert alone < 0.92 < 0.97 < helped


def test_a_single_labelled_row_without_smoothing_has_no_width():
    with pytest.raises(ValueError, match="variance 0 in column 0"):
        SemiSupervisedNB(GaussianNB(var_smoothing=0)).fit([[0.0], [1.0], [2.0]], [0, 1, -1])


@pytest.mark.parametrize("clamp", [True, False])
@pytest.mark.parametrize("kind", MODELS)
def test_whole_weights_repeat_rows(kind, clamp):
    X, y = draw_data(14)
    times = np.random.default_rng(0).integers(0, 4, 30)
    estimator = kind(var_smoothing=0.0) if kind is GaussianNB else kind()
    if kind is GaussianNB:
        X, y = draw_measurements(14, 30, 18)
    fit = SemiSupervisedNB(estimator, clamp=clamp, unlabelled_weight=0.5, max_iter=6, tol=0).fit
    weighted, repeated = fit(X, y, sample_weight=times), clone(estimator)
    path = weighted.log_likelihood_path_
    repeated = SemiSupervisedNB(**weighted.get_params(deep=False)).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(path, repeated.log_likelihood_path_, rtol=1e-11)
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), rtol=1e-8)


@pytest.mark.parametrize("kind", MODELS)
def test_the_models_of_all_steps_are_kept_on_request(kind):
    X, y = draw_data(16)
    model = SemiSupervisedNB(kind(), max_iter=3, tol=0, keep_models=True).fit(X, y)
    assert len(model.models_) == 4
    assert model.models_[-1] is model.estimator_
    for t, kept in enumerate(model.models_):
        shorter = SemiSupervisedNB(kind(), max_iter=t, tol=0).fit(X, y)
        assert not hasattr(shorter, "models_")
        np.testing.assert_array_equal(kept.predict_proba(X), shorter.predict_proba(X))


def test_too_few_steps_are_said():
    X, y = draw_data(5, n=200, n_labelled=12)
    with pytest.warns(ConvergenceWarning, match=r"^EM has not converged in max_iter = 2 steps"):
        SemiSupervisedNB(MultinomialNB(), max_iter=2).fit(X, y)
    for quiet in ({"max_iter": 2, "tol": 0}, {"max_iter": 0}, {"max_iter": 500}):
        SemiSupervisedNB(MultinomialNB(), **quiet).fit(X, y)


def test_it_stops_when_the_objective_stands_still():
    X, y = draw_data(5, n=200, n_labelled=12)
    for tol in (1e-4, 1e-7):
        path = SemiSupervisedNB(MultinomialNB(), tol=tol, max_iter=500).fit(X, y).log_likelihood_path_
        relative = np.diff(path) / np.abs(path[1:])
        assert (relative[:-1] >= tol).all()
        assert relative[-1] < tol


def test_labels_may_be_text():
    X, y = draw_data(7)
    names = np.array(["c", "a", "b"], dtype=object)
    mixed = np.array([names[label] if label >= 0 else -1 for label in y], dtype=object)
    model = SemiSupervisedNB(MultinomialNB()).fit(X, mixed)
    assert list(model.classes_) == ["a", "b", "c"]
    by_number = SemiSupervisedNB(MultinomialNB()).fit(X, y).predict(X)
    np.testing.assert_array_equal(model.predict(X), names[by_number].astype(str))
    fully = SemiSupervisedNB(MultinomialNB()).fit(X[:8], names[y[:8]].astype(str))
    assert set(fully.predict(X)) <= set(names)
    for labels in (mixed, y.astype(object)):  # what is learned are labels of one kind
        assert SemiSupervisedNB(MultinomialNB()).fit(X, labels).classes_.dtype.kind in "Ui"


REASON = "-1 means unlabelled here, as in scikit-learn's own semi-supervised models, whom the check exempts by name"


def fails_by_intent(model):
    """scikit-learn's checks that take -1 for a class, or give fractions to a model of categories."""
    fractions = "X of this check holds fractions; CategoricalNB takes integer codes only"
    given = {"check_sample_weight_equivalence_on_dense_data": fractions}
    return {"check_classifiers_classes": REASON} | (given if isinstance(model.estimator, CategoricalNB) else {})


@parametrize_with_checks(
    [SemiSupervisedNB(kind(), max_iter=3, tol=0) for kind in MODELS],
    expected_failed_checks=fails_by_intent,
)
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


def test_the_tags_are_those_of_the_model_but_for_gaps():
    for kind in MODELS:
        tags, own = get_tags(SemiSupervisedNB(kind())), get_tags(kind())
        assert not tags.input_tags.allow_nan
        assert tags.input_tags.sparse == own.input_tags.sparse
        assert tags.classifier_tags.poor_score == own.classifier_tags.poor_score == (kind is not GaussianNB)


GOOD, LABELS = draw_data(10)
BAD_SETTINGS = [
    *(("estimator", value) for value in (None, "nb", SklearnNB(), MultinomialNB)),
    *((name, value) for name in ("clamp", "keep_models") for value in (1, None, "yes")),
    *(("unlabelled_weight", value) for value in (-0.1, np.nan, np.inf, "1", None, True)),
    *(("max_iter", value) for value in (-1, 1.5, None, True, np.inf)),
    *(("tol", value) for value in (-1e-9, np.nan, np.inf, "x")),
]


@pytest.mark.parametrize(("name", "value"), BAD_SETTINGS, ids=lambda value: str(value)[:12])
def test_bad_settings_are_named(name, value):
    with pytest.raises(ValueError, match=rf"^{name} must be .+; got {re.escape(repr(value))}\.$"):
        SemiSupervisedNB(**{"estimator": MultinomialNB(), name: value}).fit(GOOD, LABELS)


@pytest.mark.parametrize(
    ("settings", "X", "y", "message"),
    [
        (
            {"clamp": False, "unlabelled_weight": 0},
            GOOD,
            LABELS,
            "unlabelled_weight must be > 0 with clamp=False; got 0",
        ),
        ({"estimator": GaussianNB(ddof=1)}, GOOD, LABELS, r"^estimator.ddof must be 0, .+; got 1\.$"),
        ({"estimator": MultinomialNB(alpha=-1)}, GOOD, LABELS, "alpha must be"),
        ({"estimator": MultinomialNB(class_prior=[0.5, 0.5])}, GOOD, LABELS, "class_prior must be 3 numbers"),
        ({}, -GOOD, LABELS, "Negative values"),
        ({}, GOOD, np.full(30, -1), "y must be a label other than -1"),
        ({}, GOOD, np.where(LABELS == 0, 0, -1), "at least two classes"),
        (
            {},
            GOOD,
            LABELS.astype(str),
            "y must be of dtype object, with the number -1 .+ if labels are text; got \"?'-1'",
        ),
        ({"estimator": CategoricalNB()}, sparse.csr_array(GOOD), LABELS, "Sparse data was passed"),
    ],
)
def test_bad_data_is_refused(settings, X, y, message):
    with pytest.raises((ValueError, TypeError), match=message):
        SemiSupervisedNB(**{"estimator": MultinomialNB(), **settings}).fit(X, y)

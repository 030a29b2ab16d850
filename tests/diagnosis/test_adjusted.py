"""What each method of `Adjusted` learns and says, by formula; a model taken apart says the same."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.special import log_softmax
from scipy.stats import norm
from sklearn import naive_bayes as theirs
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_digits, load_wine
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.utils import get_tags

from nbcore._base import as_rows
from nbcore.calibration import best_temperature
from nbcore.diagnosis import Adjusted
from nbcore.diagnosis.adjusted import ALPHAS, CALIBRATORS, METHODS
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.recipe import FLOOR, Scores, contributions, join_scores, row_losses, scores, unwrap
from nbcore.naive_bayes import BernoulliNB, GaussianNB, MultinomialNB
from nbcore.perplexed import PerplexedBayes
from tests.diagnosis.worlds import bells, marks, near_copies, silence, too_sure, too_unsure, words, wrong_prior


def fitted(world, method, seed=0):
    A, a, B, b, model = world(seed)
    model.fit(A, a)
    return model, Adjusted(model, method).fit(B, b), B, b


def bent(seed):
    """Posteriors that no temperature mends: a third of the labels of class 1 are wrong, and none of class 0."""
    A, a, B, b, model = bells(seed)
    rng = np.random.default_rng(seed)
    A, B = 3 * A, 3 * B
    model = GaussianNB().fit(A, a)
    wrong = (model.predict(B) == 1) & (rng.random(len(b)) < 0.4)
    return A, a, B, np.where(wrong, 0, np.where(model.predict(B) == 0, 0, b)), model


def test_the_temperature_divides_and_is_the_best_of_a_grid():
    model, adjusted, B, b = fitted(too_sure, "temperature")
    log_p = model.predict_log_proba(B)
    grid = np.geomspace(0.5, 10, 500)
    loss = [-log_softmax(log_p / t, axis=1)[np.arange(len(b)), b].mean() for t in grid]
    assert adjusted.value_ == pytest.approx(grid[np.argmin(loss)], rel=0.02)
    np.testing.assert_allclose(adjusted.predict_log_proba(B), log_softmax(log_p / adjusted.value_, axis=1))


def test_a_hopeless_row_counts_as_exp_minus_72_and_no_less():
    said = Scores(*[np.zeros((1, 2))] * 2, np.ones(1), np.array([[0.0, -5000.0]]), lambda alpha: np.zeros((1, 2)))
    cooled = METHODS["temperature"].log_posterior(said, 1.0)
    np.testing.assert_allclose(cooled, log_softmax([[0.0, 2 * FLOOR]], axis=1))
    assert 2 * FLOOR == pytest.approx(-72.087, abs=1e-3)


def test_isotonic_regression_is_scikit_learns_one_class_against_the_rest():
    model, adjusted, B, b = fitted(lambda seed: bells(seed, n_classes=3), "isotonic")
    log_p = model.predict_log_proba(B)
    curves = [IsotonicRegression(out_of_bounds="clip").fit(log_p[:, c], b == c) for c in range(3)]
    p = np.stack([curve.predict(log_p[:, c]) for c, curve in enumerate(curves)], axis=1)
    assert (p.sum(axis=1) > 0).all()
    np.testing.assert_allclose(adjusted.predict_proba(B), p / p.sum(axis=1, keepdims=True))


def test_where_every_curve_says_nothing_all_classes_are_alike():
    class Never:
        def predict(self, said):
            return np.zeros(len(said))

    said = Scores(*[np.zeros((4, 5))] * 2, np.ones(4), np.full((4, 5), -np.inf), lambda alpha: None)
    np.testing.assert_allclose(np.exp(METHODS["isotonic"].log_posterior(said, [Never()] * 5)), 0.2)


def test_the_prior_is_the_rows_shares_with_one_added_for_each_class():
    model, adjusted, B, b = fitted(wrong_prior, "prior")
    share = (np.bincount(b) + 1) / (len(b) + 2)
    np.testing.assert_allclose(adjusted.value_, share)
    joint = model.predict_joint_log_proba(B) - model.class_log_prior_ + np.log(share)
    np.testing.assert_allclose(adjusted.predict_log_proba(B), log_softmax(joint, axis=1))


def test_a_row_that_every_class_rules_out_gets_the_prior():
    share = np.array([0.3, 0.7])
    ruled_out = np.array([[-np.inf, -np.inf], [-1.0, -np.inf]])
    said = Scores(ruled_out, np.log([[0.5, 0.5]] * 2), np.ones(2), ruled_out, lambda alpha: ruled_out)
    np.testing.assert_allclose(np.exp(METHODS["prior"].log_posterior(said, share)), [share, [1, 0]])
    np.testing.assert_allclose(np.exp(METHODS["alpha"].log_posterior(said, 1.0)), [[0.5, 0.5], [1, 0]])


def test_a_class_that_the_models_prior_rules_out_stays_so():
    with np.errstate(divide="ignore"):
        prior = np.log([[1.0, 0.0]])
    said = Scores(np.array([[-1.0, -np.inf]]), prior, np.ones(1), prior, lambda alpha: None)
    np.testing.assert_array_equal(said.evidence[0], [[-1, 0]])
    np.testing.assert_allclose(np.exp(METHODS["prior"].log_posterior(said, np.array([0.5, 0.5]))), [[1, 0]])


def test_alpha_is_the_best_of_the_grid():
    _, adjusted, B, b = fitted(silence, "alpha")
    (A, a, *_, model), losses = silence(0), []
    for alpha in ALPHAS:
        p = model.set_params(alpha=alpha).fit(A, a).predict_proba(B)
        losses.append(-np.log(p[np.arange(len(b)), b]).mean())
    assert adjusted.value_ == pytest.approx(ALPHAS[np.argmin(losses)])
    assert (ALPHAS[0], ALPHAS[-1]) == pytest.approx((1e-4, 100))
    assert ALPHAS[1] / ALPHAS[0] == pytest.approx(10**0.25)


def test_k_is_the_best_of_a_grid_and_the_posterior_eq_20():
    model, adjusted, B, b = fitted(near_copies, "perplexed")
    joint, n = model.predict_joint_log_proba(B), B.shape[1]
    grid = np.linspace(1, 9, 400)
    loss = [-log_softmax(joint * k / (n + 1), axis=1)[np.arange(len(b)), b].mean() for k in grid]
    assert adjusted.value_ == pytest.approx(grid[np.argmin(loss)], abs=0.05)
    expected = log_softmax(joint * adjusted.value_ / (n + 1), axis=1)
    np.testing.assert_allclose(adjusted.predict_log_proba(B), expected)


def test_a_k_at_an_end_of_its_grid_warns_as_in_perplexed_bayes():
    X, y = load_digits(return_X_y=True)
    with pytest.warns(ConvergenceWarning, match="k ended at 0.1, the lower end"):
        adjusted = Adjusted(GaussianNB(), "perplexed", cv=5).fit(X[:900], y[:900])
    with pytest.warns(ConvergenceWarning, match="k ended at 0.1, the lower end"):
        peer = PerplexedBayes(GaussianNB(), cv=5).fit(X[:900], y[:900])
    np.testing.assert_allclose(adjusted.predict_proba(X[900:]), peer.predict_proba(X[900:]), rtol=1e-6)


def test_a_gap_is_no_factor_as_in_perplexed_bayes():
    A, a, *_ = near_copies(0)
    A[np.random.default_rng(0).random(A.shape) < 0.4] = np.nan
    adjusted, peer = Adjusted(GaussianNB(), "perplexed", cv=5).fit(A, a), PerplexedBayes(GaussianNB(), cv=5).fit(A, a)
    assert adjusted.value_ == pytest.approx(peer.k_, rel=1e-6)
    np.testing.assert_allclose(adjusted.predict_proba(A), peer.predict_proba(A), rtol=1e-6)


@pytest.mark.filterwarnings("ignore:k ended")  # this world is not too sure
@pytest.mark.parametrize("method", METHODS)
def test_it_leaves_a_fitted_model_decides_for_the_most_probable_and_keeps_names_and_classes(method):
    A, a, B, b, model = marks(0)
    names = np.array(["no", "yes"])
    before = model.fit(A, names[a]).predict_proba(B)
    with_model, by_folds = Adjusted(model, method), Adjusted(BernoulliNB(), method, cv=3)
    for adjusted in (clone(with_model).fit(B, names[b]), by_folds.fit(A, names[a])):
        p = adjusted.predict_proba(B)
        np.testing.assert_allclose(p.sum(axis=1), 1)
        np.testing.assert_array_equal(adjusted.predict(B), names[p.argmax(axis=1)])
        assert (list(adjusted.classes_), adjusted.n_features_in_) == (["no", "yes"], 8)
    assert clone(with_model).model is model
    np.testing.assert_array_equal(model.predict_proba(B), before)


def test_with_folds_it_learns_from_rows_that_the_model_had_not_seen():
    A, a, *_ = too_sure(0)
    adjusted = Adjusted(GaussianNB(), "temperature", cv=4).fit(A, a)
    log_p = np.empty((len(A), 2))
    for learn, held in StratifiedKFold(4).split(A, a):
        log_p[held] = GaussianNB().fit(A[learn], a[learn]).predict_log_proba(A[held])
    by_hand = Scores(log_p, log_p, np.ones(len(A)), log_p, lambda alpha: None)
    assert adjusted.value_ == pytest.approx(METHODS["temperature"].learn(by_hand, a, None))
    np.testing.assert_array_equal(adjusted.model_.theta_, GaussianNB().fit(A, a).theta_)


@pytest.mark.parametrize(("cv", "again"), [(None, 5), (3, 3)])
def test_built_anew_it_learns_by_folds_as_there_is_no_fitted_model_any_more(cv, again):
    A, a, *_ = bells(0)
    model = GaussianNB() if cv else GaussianNB().fit(A, a)
    assert unwrap(Adjusted(model, cv=cv).fit(A, a)).build(None, GaussianNB()).cv == again


def test_what_it_takes_is_what_the_model_takes():
    for model in (GaussianNB(), MultinomialNB()):
        ours, own = get_tags(Adjusted(model)), get_tags(model)
        assert ours.input_tags == own.input_tags
        assert ours.classifier_tags == own.classifier_tags


def test_an_unknown_method_is_named_with_those_that_there_are():
    A, a, *_ = words(0)
    with pytest.raises(ValueError, match=r"method must be one of 'best', 'temperature', .*; got 'platt'"):
        Adjusted(MultinomialNB().fit(A, a), "platt").fit(A, a)


def test_rows_of_one_class_teach_nothing():
    A, a, *_ = words(0)
    with pytest.raises(ValueError, match=r"y must hold at least two classes, .* found one class"):
        Adjusted(MultinomialNB().fit(A, a)).fit(A[a == a[0]], a[a == a[0]])


def test_names_go_through_pipelines_in_pipelines():
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 3)), columns=list("abc"))
    rest = {"remainder": "passthrough", "verbose_feature_names_out": False}
    last_first = make_column_transformer(("passthrough", ["c"]), **rest)
    without_b = make_column_transformer(("drop", ["b"]), **rest)
    inner = make_pipeline(last_first, GaussianNB())
    model = make_pipeline(without_b.set_output(transform="pandas"), inner).fit(frame, np.arange(60) % 2)
    assert Case(model, frame, np.arange(60) % 2).names == ["c", "a"]


@pytest.mark.parametrize("model", [GaussianNB(), theirs.ComplementNB()])
def test_a_model_without_counts_has_no_alpha(model):
    A, a, *_ = words(0)
    with pytest.raises(ValueError, match=r"method must be another one for a (gaussian|complement) model"):
        Adjusted(model.fit(A, a), "alpha").fit(A, a)


@pytest.mark.parametrize("world", [too_sure, bells, bent])
def test_by_default_it_takes_a_temperature_unless_another_surely_loses_less(world):
    """Counted again: five folds, three calibrators, a gain of 2.5 standard errors."""
    A, a, B, b, model = world(0)
    adjusted, losses = Adjusted(model.fit(A, a)).fit(B, b), {}
    for method in CALIBRATORS:
        losses[method] = np.empty(len(b))
        for learn, held in StratifiedKFold(5, shuffle=True, random_state=0).split(B, b):
            with warnings.catch_warnings(action="ignore"):
                log_p = Adjusted(model, method).fit(B[learn], b[learn]).predict_log_proba(B[held])
            losses[method][held] = row_losses(log_p, b[held])
    gain = losses["temperature"] - losses["isotonic"]
    surely = gain.mean() > norm.isf(0.05 / 8) * gain.std(ddof=1) / np.sqrt(len(b))
    assert adjusted.method_ == ("isotonic" if surely else "temperature")
    assert surely == (world is bent)


def test_of_a_row_that_cannot_be_held_out_nothing_is_chosen():
    A, a, B, _, model = bells(0)
    few = Adjusted(model.fit(A, a)).fit(B[:41], np.where(np.arange(41) == 7, 1, 0))
    assert few.method_ == "temperature"


def test_it_does_not_sharpen_on_few_errors_and_says_so():
    """27 rows of wine, all decided rightly: the least loss has a temperature near 0, and much loss on other rows."""
    X, y = load_wine(return_X_y=True)
    X, y = X[np.random.default_rng(0).permutation(178)], y[np.random.default_rng(0).permutation(178)]
    model = GaussianNB().fit(X[27:100], y[27:100])
    held = np.flatnonzero(model.predict(X) == y)[:27]
    with pytest.warns(ConvergenceWarning, match="Fewer than 3 of the 27 rows are decided wrongly: too few"):
        adjusted = Adjusted(model, "temperature").fit(X[held], y[held])
    np.testing.assert_allclose(adjusted.predict_log_proba(X), np.maximum(model.predict_log_proba(X), 2 * FLOOR))
    log_p = model.predict_log_proba(X)
    assert best_temperature(y[held], log_p[held]) < 0.5
    A, a, B, b, model = too_unsure(0)  # an honest gain of certainty: many errors tell how much
    assert Adjusted(model.fit(A, a), "temperature").fit(B, b).value_ < 1


@pytest.mark.filterwarnings("ignore:k ended")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("cv", [None, "halves"])
def test_a_row_of_weight_two_counts_twice_also_in_a_pipeline(method, cv):
    A, a, B, b, _ = marks(0)
    A, a, B, b = A[:200], a[:200], B[:100], b[:100]
    weight = np.random.default_rng(0).integers(1, 4, len(B))
    twice = np.repeat(np.arange(len(B)), weight)
    model = make_pipeline(MinMaxScaler(), BernoulliNB(binarize=0.5)).fit(A, a)

    def adjusted(rows):
        if cv is None:
            return Adjusted(model, method)
        first = rows < 50  # so that copies are in one fold
        return Adjusted(model, method, cv=[(np.flatnonzero(first), np.flatnonzero(~first)),
                                           (np.flatnonzero(~first), np.flatnonzero(first))])  # fmt: skip

    by_weight = adjusted(np.arange(len(B))).fit(B, b, sample_weight=weight)
    by_copies = adjusted(twice).fit(B[twice], b[twice])
    np.testing.assert_allclose(by_weight.predict_proba(A), by_copies.predict_proba(A), rtol=2e-3)
    unweighted = adjusted(np.arange(len(B))).fit(B, b).predict_proba(A)
    assert abs(by_weight.predict_proba(A) - unweighted).max() > 1e-4


# --- a model taken apart


def test_losses_of_the_true_class_are_cut_at_machine_precision():
    log_p = np.array([[-1.0, -2.0], [-900.0, 0.0], [-3.0, -np.inf]])
    np.testing.assert_allclose(row_losses(log_p, np.array([1, 0, 1])), [2, 36.0437, 36.0437], atol=1e-4)


def test_scores_of_all_rows_come_from_the_models_of_their_parts():
    """One of the two models lacks class 0, which has probability 0 for its rows."""
    A, a, *_ = bells(0, n_classes=3)
    A, a = A[:90], a[:90]
    every, two = GaussianNB().fit(A, a), GaussianNB().fit(A[a > 0], a[a > 0])
    rows = np.array([7, 3, 50]), np.setdiff1d(np.arange(90), [7, 3, 50])
    joined = join_scores([(rows[0], every), (rows[1], two)], A, np.arange(3))
    np.testing.assert_allclose(joined.log_p[rows[0]], every.predict_log_proba(A[rows[0]]))
    np.testing.assert_allclose(joined.joint[rows[1], 1:], two.predict_joint_log_proba(A[rows[1]]))
    assert np.isneginf(joined.joint[rows[1], 0]).all()
    assert np.isneginf(joined.log_prior[rows[1], 0]).all()
    some = joined.select_rows(np.array([50, 4]))
    np.testing.assert_array_equal(some.log_p, joined.log_p[[50, 4]])
    np.testing.assert_array_equal(some.n_features, [8, 8])
    counts = BernoulliNB().fit(A, a)
    alpha = join_scores([(rows[1], counts), (rows[0], counts)], A, np.arange(3)).select_rows(rows[0]).at_alpha(0.5)
    np.testing.assert_allclose(alpha, counts.smoothed(0.5).predict_joint_log_proba(A[rows[0]]))


def test_counts_have_as_many_features_as_tokens_and_all_else_as_columns():
    A, a, B, _, model = words(0)
    np.testing.assert_array_equal(scores(model.fit(A, a), B).n_features, np.full(len(B), 20))
    np.testing.assert_array_equal(scores(theirs.ComplementNB().fit(A, a), B * 2).n_features, np.full(len(B), 40))
    A, a, B, _, model = bells(0)
    np.testing.assert_array_equal(scores(model.fit(A, a), B).n_features, np.full(len(B), 8))


def test_scores_at_another_alpha_are_those_of_a_new_fit():
    A, a, B, *_ = words(0)
    for kind in (MultinomialNB, theirs.MultinomialNB, BernoulliNB, theirs.BernoulliNB):
        said = scores(kind(alpha=1).fit(A, a), B).at_alpha(7.0)
        np.testing.assert_allclose(said, kind(alpha=7).fit(A, a).predict_joint_log_proba(B))


def test_the_whole_models_posteriors_are_told_and_the_naive_bayes_own_joint():
    A, a, B, *_ = near_copies(0)
    wrapped = make_pipeline(StandardScaler(), MinMaxScaler(), PerplexedBayes(GaussianNB(), cv=3)).fit(A, a)
    said = scores(wrapped, B)
    np.testing.assert_allclose(said.log_p, wrapped.predict_log_proba(B))
    inner = wrapped[-1].estimator_
    np.testing.assert_allclose(said.joint, inner.predict_joint_log_proba(wrapped[:2].transform(B)))
    recipe = unwrap(wrapped)
    assert (recipe.event, recipe.own is inner) == ("gaussian", True)
    assert list(recipe.names(None)) == [f"x{j}" for j in range(9)]
    assert list(recipe.build(None, GaussianNB()).named_steps) == list(wrapped.named_steps)


class Own(GaussianNB):
    """What it says is its own matter."""


class OwnOfTheirs(theirs.GaussianNB):
    """As above."""


@pytest.mark.parametrize("model", [Own(), OwnOfTheirs(), StandardScaler()], ids=lambda model: type(model).__name__)
def test_what_is_none_of_the_known_models_is_refused(model):
    A, a, *_ = bells(0)
    for fitted in (model.fit(A, a), make_pipeline(MinMaxScaler(), model).fit(A, a)):
        with pytest.raises(ValueError, match=f"model must be a naive Bayes .* got '{type(model).__name__}'"):
            unwrap(fitted)


NB = GaussianNB()


@pytest.mark.parametrize("model", [NB, Adjusted(NB), PerplexedBayes(NB), make_pipeline(MinMaxScaler(), NB)], ids=str)
def test_what_is_not_fitted_is_refused(model):
    with pytest.raises(NotFittedError):
        unwrap(model)


def test_rows_are_taken_as_they_are_but_for_lists_and_other_sparse_formats():
    rows = np.eye(3)
    for given in (rows, pd.DataFrame(rows)):
        assert as_rows(given) is given
    assert as_rows(sparse.coo_array(rows)).format == "csr"
    listed = as_rows(rows.tolist())
    assert isinstance(listed, np.ndarray)
    np.testing.assert_array_equal(listed, rows)


@pytest.mark.parametrize(
    ("kind", "options"), [(MultinomialNB, {}), (BernoulliNB, {}), (BernoulliNB, {"binarize": 1.0}), (GaussianNB, {})]
)
def test_contributions_of_some_columns_are_those_of_all(kind, options):
    A, a, B, *_ = words(0)
    A[:, 0] = B[:20, 0] = 0
    recipe = unwrap(kind(**options).fit(A, a))
    every = contributions(recipe, B, np.arange(50))
    np.testing.assert_allclose(every.sum(axis=2) + recipe.nb.class_log_prior_, recipe.nb.predict_joint_log_proba(B))
    some = np.array([7, 0, 31])
    np.testing.assert_allclose(contributions(recipe, B, some), every[:, :, some])
    if kind is not GaussianNB:
        np.testing.assert_allclose(contributions(recipe, sparse.csr_array(B), some), every[:, :, some])


def test_a_word_that_never_was_says_nothing_where_it_is_not():
    A, a, B, *_ = words(0)
    A[:, 3] = 0
    B[:4, 3], B[4:, 3] = 0, 2
    recipe = unwrap(MultinomialNB(alpha=0).fit(A, a))
    found = contributions(recipe, B, np.array([3, 4]))
    np.testing.assert_array_equal(found[:4, :, 0], 0)
    assert np.isneginf(found[4:, :, 0]).all()


def test_an_unfitted_model_without_folds_is_refused_with_the_cure():
    with pytest.raises(ValueError, match=r"model must be fitted already, .* else pass cv=5"):
        Adjusted(GaussianNB()).fit([[0.0], [1.0]], [0, 1])

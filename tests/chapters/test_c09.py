"""Chapter 09."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.special import logsumexp
from sklearn.naive_bayes import BernoulliNB as Reference

from nbcore.naive_bayes import BernoulliNB, MultinomialNB
from nbcore.semi_supervised import SemiSupervisedNB
from workbook.chapters.c09_semi_supervised_em.claims import CLAIMS, mean_gain
from workbook.chapters.c09_semi_supervised_em.experiment import (
    LEARN,
    STEPS,
    TEST,
    all_labels,
    digit_split,
    gains,
    label_budget,
    one_step_by_hand,
    r8_budget,
)
from workbook.chapters.c09_semi_supervised_em.label_budget import IMAGINED
from workbook.explorers import LabelBudgetExplorer

# --- EM on digits, step by step: honest splits, and the statements that the ledger makes of it.

@pytest.mark.parametrize("imagined", [False, True])
def test_a_split_shares_no_digit_and_another_seed_is_another_split(imagined):
    X, y, X_test, y_test = digit_split(1, imagined)
    assert (X.shape, y.shape, X_test.shape, y_test.shape) == ((LEARN, 64), (LEARN,), (TEST, 64), (TEST,))
    assert set(np.unique(X)) == {0, 1}
    assert not np.array_equal(digit_split(2, imagined)[1], y)
    order = np.random.default_rng(1).permutation(1797)
    assert not set(order[:LEARN]) & set(order[LEARN : LEARN + TEST])


def test_imagined_digits_have_independent_pixels_given_the_digit_and_real_ones_do_not():
    def worst_correlation(imagined):
        X, y, *_ = digit_split(0, imagined)
        ones = X[y == 1]
        return np.nanmax(abs(np.triu(np.corrcoef(ones[:, ones.std(axis=0) > 0.3].T), 1)))

    assert worst_correlation(True) < 0.4
    assert worst_correlation(False) > 0.7


def test_accuracy_objective_and_labels_by_hand():
    run = label_budget(80, weight=0.2, seed=2)
    X, y, X_test, y_test = digit_split(2)
    assert len(run.models) == len(run.accuracy) == len(run.objective) == STEPS + 1
    assert np.array_equal(run.y[:80], y[:80])
    assert (run.y[80:] == -1).all()
    last = run.models[-1]
    assert run.accuracy[-1] == (last.predict(X_test) == y_test).mean()
    joint, p = last.predict_joint_log_proba(X), np.exp(last.feature_log_prob_)
    by_hand = joint[np.arange(80), y[:80]].sum() + 0.2 * logsumexp(joint[80:], axis=1).sum()
    assert run.objective[-1] == pytest.approx(by_hand + np.log(p).sum() + np.log(1 - p).sum())
    assert run.gain == run.accuracy[-1] - run.accuracy[0]
    assert gains(80, 3, weight=0.2)[2] == run.gain
    assert all_labels(2) > run.accuracy.max()


@pytest.mark.parametrize("n", [9, 641, 20.5, True])
def test_a_wrong_number_of_labels_is_named(n):
    with pytest.raises(ValueError, match="n_labels must be"):
        label_budget(n)


# --- what chapter 09 says -----------------------------------------------------------------------------------------


def test_unlabelled_digits_help_with_20_labels_and_hurt_with_320():
    assert mean_gain(20).low > 0.05
    assert mean_gain(320).high < -0.005
    assert mean_gain(640, clamp=False).high < mean_gain(320).low
    assert abs(mean_gain(320, weight=0.1).value) < 0.005
    assert mean_gain(20, weight=0.1).value < mean_gain(20).value


def test_with_few_labels_a_tiny_lambda_hurts_and_the_flat_classes_are_why():
    """With alpha = 0.1 the classes of one label are no longer flat, and the loss is gone."""
    assert mean_gain(20, weight=0.01).high < -0.02
    found = []
    for seed in range(20):
        X, y, X_test, y_test = digit_split(seed)
        given = np.where(np.arange(LEARN) < 20, y, -1)
        settings = dict(unlabelled_weight=0.01, max_iter=STEPS, tol=0, keep_models=True)
        em = SemiSupervisedNB(BernoulliNB(alpha=0.1), **settings).fit(X, given)
        found.append(em.models_[-1].score(X_test, y_test) - em.models_[0].score(X_test, y_test))
    assert np.mean(found) > 0


def test_multinomial_pixels_do_not_gain_with_20_labels():
    """Sixteen shades as counts: some 300 tokens an image, so posteriors are near 0 and 1, and EM has little to say."""
    from sklearn.datasets import load_digits

    data, found = load_digits(), []
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(1797)
        learn, test = order[:LEARN], order[LEARN : LEARN + TEST]
        given = np.where(np.arange(LEARN) < 20, data.target[learn], -1)
        em = SemiSupervisedNB(MultinomialNB(), max_iter=STEPS, tol=0, keep_models=True).fit(data.data[learn], given)
        scores = [m.score(data.data[test], data.target[test]) for m in (em.models_[0], em.models_[-1])]
        found.append(scores[1] - scores[0])
    assert abs(np.mean(found)) < 1.96 * np.std(found, ddof=1) / np.sqrt(20)


def test_r8_gains_with_20_labels_and_loses_with_320(papers_data):
    few, many = (np.mean([r8_budget(n, seed) for seed in range(20)], axis=0) for n in (20, 320))
    assert few[1] > few[0] + 0.03
    assert many[1] < many[0]


# --- the ledger ---------------------------------------------------------------------------------------------------


def test_the_verdicts_are_borne_out():
    by_hand, rises, labels, together, mixture = CLAIMS
    assert one_step_by_hand() == Fraction(5, 9)
    assert by_hand.holds()
    assert min(rises.measure().value) >= -1e-9
    assert max(labels.measure().value) < 0, "the likelihood with labels falls in every split"
    assert together.measure().low > 0
    true, false = zip(*(getattr(mixture.measure(), end) for end in ("low", "high")), strict=True)
    assert min(true) > 0 > max(false)


# --- Chapter 09's explorer shows nbcore's numbers, by routes of their own: scikit-learn's model, plain EM, the labels.

def result(explorer):
    return explorer.compute(**explorer.state)


@pytest.mark.parametrize("state", [dict(labels=40, weight=0.2, step=3), dict(labels=320, clamp=False, step=7, seed=2),
                                   dict(digits=IMAGINED, step=1)])  # fmt: skip
def test_the_step_in_view_is_that_of_plain_em(state):
    explorer = LabelBudgetExplorer(**state)
    s = explorer.state
    X, y, X_test, y_test = digit_split(s["seed"], s["digits"] == IMAGINED)
    given = np.where(np.arange(LEARN) < s["labels"], y, -1)
    plain = SemiSupervisedNB(
        BernoulliNB(), clamp=s["clamp"], unlabelled_weight=s["weight"], max_iter=s["step"], tol=0
    ).fit(X, given)
    r = result(explorer)
    traces = explorer.draw(r).data
    (here,) = [t for t in traces if t.xaxis == "x" and t.mode == "markers"]
    assert (here.x[0], here.y[0]) == (s["step"], plain.score(X_test, y_test))
    (rise,) = [t for t in traces if t.xaxis == "x2" and t.mode == "markers"]
    path = plain.log_likelihood_path_
    assert rise.y[0] == pytest.approx((path[-1] - path[0]) / 1000)
    for c, digit in enumerate(plain.classes_):
        np.testing.assert_allclose(r.images[digit].ravel(), np.exp(plain.estimator_.feature_log_prob_[c]))
    assert f"after step {s['step']}: {here.y[0]:.3f}" in explorer.describe(r)


def test_the_levels_are_the_labels_alone_and_all_labels():
    explorer = LabelBudgetExplorer(labels=80, seed=4)
    X, y, X_test, y_test = digit_split(4)
    lines = [trace for trace in explorer.draw(result(explorer)).data if trace.type == "scatter"]
    levels = {trace.name: trace.y[0] for trace in lines if trace.mode == "lines"}
    assert levels == {
        "80 labels alone": Reference().fit(X[:80], y[:80]).score(X_test, y_test),
        "all 1,000 labels": Reference().fit(X, y).score(X_test, y_test),
    }


def test_a_digit_without_a_label_has_no_picture_and_every_other_stands_in_its_place():
    explorer = LabelBudgetExplorer()
    r = result(explorer)
    missing = set(range(10)) - set(digit_split(0)[1][:20].tolist())
    assert {d for d in range(10) if np.isnan(r.images[d]).all()} == missing
    assert f"({len(missing)} of the ten digits not among them)" in explorer.describe(r)
    figure = explorer.draw(r)
    (heat,) = [trace for trace in figure.data if trace.type == "heatmap"]
    shown = [note.text for note in figure.layout.annotations]
    for digit, image in enumerate(r.images):
        top, left = 11 * (digit // 5) + 3, 9 * (digit % 5)
        np.testing.assert_array_equal(np.asarray(heat.z)[top : top + 8, left : left + 8], image)
        assert (f"{digit}: –" if digit in missing else str(digit)) in shown


def test_the_step_slider_only_picks():
    before = label_budget.cache_info().misses
    explorer = LabelBudgetExplorer(seed=7)
    for step in range(STEPS + 1):
        explorer.compute(**explorer.state | dict(step=step))
    assert label_budget.cache_info().misses <= before + 1

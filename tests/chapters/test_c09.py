"""Chapter 09."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.interpolate import interpn
from scipy.special import logsumexp, softmax
from scipy.stats import norm, ttest_1samp
from sklearn.metrics import confusion_matrix
from sklearn.naive_bayes import BernoulliNB as Reference
from sklearn.naive_bayes import GaussianNB as PeerGaussianNB

from nbcore.naive_bayes import BernoulliNB
from nbcore.semi_supervised import SemiSupervisedNB
from tests.plotly_figure import figure_of
from workbook.chapters.c09_semi_supervised_em.claims import CLAIMS, mean_gain
from workbook.chapters.c09_semi_supervised_em.experiment import (
    LEARN,
    LONG,
    PLANE_LABELS,
    PLANE_STEPS,
    SPLITS,
    STEPS,
    TEST,
    accuracies,
    all_labels,
    chosen_weight,
    crossing,
    digit_split,
    fit_nodes,
    gains,
    imagined_digits,
    label_budget,
    long_budget,
    moved,
    node_budget,
    one_step_by_hand,
    plane_dots,
    plane_run,
    plus_minus,
    r8_budget,
)
from workbook.chapters.c09_semi_supervised_em.label_budget import IMAGINED, corner
from workbook.explorers import ClustersExplorer, LabelBudgetExplorer, MovedExplorer, NodesExplorer

from .shown import compute_result

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


@pytest.mark.slow
def test_r8_gains_with_20_labels_whatever_alpha_is_and_loses_with_320_at_the_heavier_one_only(papers_data):
    found = {(n, a): np.array([r8_budget(n, s, a) for s in range(20)]) for n in (20, 320) for a in (0.1, 0.01)}
    gain = {key: both[:, 1] - both[:, 0] for key, both in found.items()}
    for alpha, least in ((0.1, 0.05), (0.01, 0.03)):
        assert gain[20, alpha].mean() > least
        assert gain[20, alpha].mean() > plus_minus(gain[20, alpha])
    assert abs(found[20, 0.01][:, 0].mean() - found[20, 0.1][:, 1].mean()) < 0.005, "alone as much as the drawer"
    assert gain[320, 0.1].mean() + plus_minus(gain[320, 0.1]) < 0
    assert abs(gain[320, 0.01].mean()) < plus_minus(gain[320, 0.01])


# --- a gain over what: alpha, by scikit-learn for the labels alone, and by EM written anew below -------------------

ALPHAS = (1.0, 0.3, 0.1, 0.01)


def score_labels_alone(n_labels, alpha, seeds):
    """Accuracy of the labels alone, by scikit-learn."""
    splits = (digit_split(seed) for seed in seeds)
    return np.array([
        Reference(alpha=alpha).fit(X[:n_labels], y[:n_labels]).score(X_test, y_test) for X, y, X_test, y_test in splits
    ])  # fmt: skip


def test_accuracies_are_those_of_the_labels_alone_and_of_em_written_anew():
    for n, alpha in ((20, 0.1), (320, 0.3)):
        path = accuracies(n, alpha, 4)
        assert path.shape == (4, STEPS + 1)
        first = score_labels_alone(n, alpha, range(4))
        np.testing.assert_allclose(path[:, 0], first, atol=2.1 / TEST)  # a digit may be a tie
        np.testing.assert_allclose(path, [run_em(n, seed, alpha=alpha) for seed in range(4)], atol=3.1 / TEST)
    np.testing.assert_array_equal(accuracies(80, splits=3)[:, -1] - accuracies(80, splits=3)[:, 0], gains(80, 3))
    runs = [label_budget(20, seed=seed, alpha=0.1).accuracy for seed in range(2)]
    np.testing.assert_array_equal(accuracies(20, 0.1, 2), runs)


@pytest.mark.slow
def test_with_20_labels_alone_is_a_hill_in_alpha_and_em_nearly_flat():
    start = np.array([score_labels_alone(20, alpha, range(100)).mean() for alpha in ALPHAS])
    end = np.array([np.mean([run_em(20, seed, alpha=alpha)[-1] for seed in range(100)]) for alpha in ALPHAS])
    np.testing.assert_allclose(start, [accuracies(20, alpha)[:, 0].mean() for alpha in ALPHAS], atol=0.002)
    np.testing.assert_allclose(end, [accuracies(20, alpha)[:, -1].mean() for alpha in ALPHAS], atol=0.003)
    assert np.ptp(end) < 0.03 < 0.09 < np.ptp(start)
    assert start.argmax() == 2, "0.1: from there it falls to both sides"
    assert start[3] < start[2] - 0.03
    gain = end - start
    assert round(100 * gain[0]) == 12
    assert round(100 * gain[2]) == 4
    assert start[2] - start[0] > 2 * gain[2], "alpha alone is worth more than what the drawer then adds"
    assert start[2] == pytest.approx(0.57, abs=0.005), "says a note of the ledger"
    light = accuracies(20, 0.1)
    assert (light[:, -1] - light[:, 0]).mean() > 2 * plus_minus(light[:, -1] - light[:, 0]), "and that is no luck"


@pytest.mark.slow
def test_at_a_light_alpha_gains_shrink_and_the_harm_stays():
    gain = {n: accuracies(n, 0.1)[:, -1] - accuracies(n, 0.1)[:, 0] for n in (10, 40, 80, 320)}
    heavy = {n: accuracies(n, 1.0)[:, -1] - accuracies(n, 1.0)[:, 0] for n in gain}
    for n in (10, 40, 80):
        assert gain[n].mean() < heavy[n].mean()
    assert gain[10].mean() < 0.015
    assert gain[40].mean() > 0.03
    assert gain[320].mean() + plus_minus(gain[320]) < 0
    assert abs(gain[320].mean() - heavy[320].mean()) < 0.003


def test_twenty_labels_choose_a_light_alpha_themselves():
    """Five parts, scikit-learn: never 1 in the first 20 splits, and 55 % right."""
    chosen, right = [], []
    for seed in range(SPLITS):
        X, y, X_test, y_test = digit_split(seed)
        own = np.arange(20)

        def hits(alpha, X=X, y=y, own=own):
            parts = [(own[own % 5 != part], own[own % 5 == part]) for part in range(5)]
            return sum((Reference(alpha=alpha).fit(X[a], y[a]).predict(X[b]) == y[b]).sum() for a, b in parts)

        chosen.append(max((1.0, 0.1, 0.01), key=hits))
        right.append(Reference(alpha=chosen[-1]).fit(X[:20], y[:20]).score(X_test, y_test))
    assert max(chosen) < 1
    assert np.mean(right) == pytest.approx(0.55, abs=0.005)


def test_at_a_light_alpha_a_small_lambda_gains():
    found = {w: gains(20, weight=w, alpha=0.1).mean() for w in (0.01, 0.02, 0.05, 0.1, 0.2, 1.0)}
    assert min(found.values()) > 0.01
    assert max(found, key=found.get) == 0.05


def test_digits_that_the_model_made_gain_at_a_light_alpha_too():
    found = [accuracies(n, 0.1, SPLITS, imagined=True) for n in (20, 80, 320, 640)]
    gain = [100 * (path[:, -1] - path[:, 0]).mean() for path in found]
    np.testing.assert_allclose(gain, [16, 8.5, 1.2, 0.4], atol=0.5)


def test_the_model_of_all_labels_is_lower_than_where_em_ends():
    """Its objective with 320 labels: EM is above it after one step, in every split, and less often right."""
    for seed in range(SPLITS):
        X, y, *_ = digit_split(seed)
        model = Reference().fit(X, y)
        joint, log_p = model.predict_joint_log_proba(X), model.feature_log_prob_
        height = joint[np.arange(320), y[:320]].sum() + logsumexp(joint[320:], axis=1).sum()
        height += log_p.sum() + np.log1p(-np.exp(log_p)).sum()
        run = long_budget(320, seed=seed)
        assert run.objective[1] > height
        assert 90 < run.objective[-1] - height < 155
        assert run.accuracy[-1] < all_labels(seed)
        if seed == 0:
            assert run.objective[-1] - height == pytest.approx(94, abs=0.5)
            assert run.accuracy.max() < all_labels(0), "more right than any step"


# --- EM written anew: Bernoulli nodes in each class, one of them is naive Bayes ------------------------------------


def run_em(n_labels, seed, nodes=1, weight=1.0, steps=STEPS, alpha=1.0):
    """Accuracy after each step; the labelled digits' nodes start as in `fit_nodes`."""
    X, y, X_test, y_test = digit_split(seed)
    classes, code = np.unique(y[:n_labels], return_inverse=True)
    own = np.repeat(np.eye(len(classes))[code], nodes, axis=1)
    start = np.random.default_rng([seed, nodes]).dirichlet(np.ones(nodes), n_labels)
    counted, rows, accuracy = own * np.tile(start, len(classes)), X[:n_labels], []
    for _ in range(steps + 1):
        n = counted.sum(axis=0)
        p = (counted.T @ rows + alpha) / (n[:, None] + 2 * alpha)

        def joint(X, n=n, p=p):
            with np.errstate(divide="ignore"):
                return np.log(n / n.sum()) + X @ np.log(p).T + (1 - X) @ np.log1p(-p).T

        by_class = logsumexp(joint(X_test).reshape(TEST, len(classes), nodes), axis=2)
        accuracy.append(np.mean(classes[by_class.argmax(axis=1)] == y_test))
        all_nodes = joint(X)
        all_nodes[:n_labels][own == 0] = -np.inf
        counted = np.exp(all_nodes - logsumexp(all_nodes, axis=1, keepdims=True))
        counted[n_labels:] *= weight
        rows = X
    return np.array(accuracy)


def test_steps_and_nodes_are_those_of_em_written_anew():
    np.testing.assert_allclose(long_budget(80, seed=3).accuracy, run_em(80, 3, steps=LONG))
    np.testing.assert_allclose(label_budget(80, 0.02, seed=4).accuracy, run_em(80, 4, weight=0.02))
    for labels, nodes, seed, alpha in ((80, 3, 1, 1.0), (160, 2, 0, 1.0), (320, 4, 5, 1.0), (160, 3, 0, 0.1)):
        run = fit_nodes(labels, nodes, seed, alpha=alpha)
        np.testing.assert_allclose(run.accuracy, run_em(labels, seed, nodes, alpha=alpha))
        assert (np.diff(run.objective) > -1e-6).all()
        np.testing.assert_allclose(run.share.sum(axis=2), 1)
        assert ((run.ink > 0) & (run.ink < 1)).all()


def test_one_node_is_naive_bayes():
    one, naive = fit_nodes(40, 1, 2), label_budget(40, seed=2)
    np.testing.assert_allclose(one.accuracy, naive.accuracy)
    np.testing.assert_allclose(one.objective, naive.objective)
    assert one.alone == naive.accuracy[0]


def test_the_half_width_is_students():
    values = np.array([0.1, -0.2, 0.4, 0.3])
    low, high = ttest_1samp(values, 0).confidence_interval(0.95)
    assert plus_minus(values) == pytest.approx((high - low) / 2)


def gain_along_steps(n_labels):
    """What EM adds after each of 40 steps, 20 splits."""
    paths = np.array([long_budget(n_labels, seed=seed).accuracy for seed in range(SPLITS)])
    return paths - paths[:, :1]


def test_with_80_labels_the_first_steps_gain_and_the_others_give_it_back():
    gain = gain_along_steps(80)
    assert gain[:, 1].mean() - plus_minus(gain[:, 1]) > 0
    assert gain.mean(axis=0).argmax() in (1, 2)
    back = gain[:, LONG] - gain[:, 2]
    assert back.mean() + plus_minus(back) < 0
    assert abs(gain[:, LONG].mean()) < plus_minus(gain[:, LONG])
    assert abs(gain[:, 1:3].mean() - gains(80, weight=0.1).mean()) < 0.005, "as much as the best lambda"
    assert (gain_along_steps(320).mean(axis=0)[1:] < 0).all(), "no number of steps gains anything"
    fresh = np.array([run_em(80, seed, steps=LONG) for seed in range(100)])
    ten, forty = fresh[:, 10] - fresh[:, 0], fresh[:, LONG] - fresh[:, 0]
    assert 100 * ten.mean() == pytest.approx(1.0, abs=0.1)
    assert 100 * forty.mean() == pytest.approx(-1.1, abs=0.1)
    assert forty.mean() + plus_minus(forty) < 0


def test_a_small_lambda_loses_and_a_tiny_one_does_nothing():
    found = {weight: gains(20, weight=weight).mean() for weight in (1e-5, 0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 1.0)}
    assert min(found, key=found.get) == 0.02
    assert abs(found[1e-5]) < 0.001
    assert -0.01 < found[0.001] < 0
    assert found[0.05] < found[0.1] < found[0.2] < found[1.0]
    largest = max((0.01, 0.1, 0.2, 1.0), key=lambda weight: gains(80, weight=weight).mean())
    assert largest in (0.1, 0.2)


def test_the_dip_has_two_causes():
    """Less grey classes, or equal priors: either takes most of the loss away, both give a gain."""

    def careful(**settings):
        found = []
        for seed in range(SPLITS):
            X, y, X_test, y_test = digit_split(seed)
            em = SemiSupervisedNB(
                BernoulliNB(**settings), unlabelled_weight=0.01, max_iter=STEPS, tol=0, keep_models=True
            )
            models = em.fit(X, np.where(np.arange(LEARN) < 20, y, -1)).models_
            found.append(models[-1].score(X_test, y_test) - models[0].score(X_test, y_test))
        return np.mean(found)

    loss, equal, sharp, both = careful(), careful(fit_prior=False), careful(alpha=0.1), careful(
        alpha=0.1, fit_prior=False
    )  # fmt: skip
    assert loss == pytest.approx(gains(20, weight=0.01).mean())
    assert loss < -0.05 < equal < 0 < sharp < both
    assert sharp - loss > equal - loss > -0.6 * loss, "less grey classes help more, equal priors take two thirds"


def test_the_labels_can_choose_lambda():
    X, y, *_ = digit_split(3)
    right = {}
    for weight in (0, 0.1, 1.0):
        hits = 0
        for fold in range(5):
            aside = np.arange(fold, 80, 5)
            rest = np.setdiff1d(np.arange(80), aside)
            rows = np.concatenate([rest, np.arange(80, LEARN)])
            em = SemiSupervisedNB(BernoulliNB(), unlabelled_weight=weight, max_iter=STEPS, tol=0)
            em.fit(X[rows], np.where(rows < 80, y[rows], -1))
            hits += np.sum(em.predict(X[aside]) == y[aside])
        right[weight] = hits
    assert chosen_weight(80, 3) == min(w for w in right if right[w] == max(right.values()))
    gain = np.array([label_budget(320, chosen_weight(320, seed), seed=seed).gain for seed in range(10)])
    assert abs(gain.mean()) < 0.005


def test_twenty_labels_cannot_choose_lambda():
    """Never to ask gains three points more, on the same ten splits."""
    chosen, always = np.array([chosen_weight(20, seed) for seed in range(10)]), gains(20, 10)
    gain = np.array([label_budget(20, weight, seed=seed).gain for seed, weight in enumerate(chosen)])
    assert 100 * (always.mean() - gain.mean()) == pytest.approx(3, abs=0.5)
    np.testing.assert_allclose(always[chosen == 0], [0.17, 0.14], atol=0.005)
    assert chosen[always < 0].tolist() == [1]
    assert always.min() == pytest.approx(-0.1, abs=0.005)


def test_another_draw_of_digits_gains_with_320_labels_too():
    for draw in (1, 2):
        X, y = imagined_digits(draw)
        found = []
        for seed in range(SPLITS):
            learn, test = np.split(np.random.default_rng(seed).permutation(len(y))[: LEARN + TEST], [LEARN])
            em = SemiSupervisedNB(BernoulliNB(), max_iter=STEPS, tol=0, keep_models=True)
            models = em.fit(X[learn], np.where(np.arange(LEARN) < 320, y[learn], -1)).models_
            found.append(models[-1].score(X[test], y[test]) - models[0].score(X[test], y[test]))
        assert np.mean(found) > plus_minus(found), draw


@pytest.mark.slow
def test_three_nodes_turn_the_loss_with_160_labels_into_a_gain_and_take_away_that_with_320():
    """The gain is over the same nodes from the labels alone: with 320 these beat naive Bayes without any EM."""
    found = {n: np.array([node_budget(n, 3, seed).gain for seed in range(SPLITS)]) for n in (80, 160, 320)}
    for n in (80, 160):
        assert found[n].mean() > plus_minus(found[n])
    assert gains(160).mean() + plus_minus(gains(160)) < 0
    assert -0.002 < found[320].mean() < 0.012
    three = np.mean([node_budget(320, 3, seed).alone for seed in range(SPLITS)])
    assert three - np.mean([label_budget(320, seed=seed).accuracy[0] for seed in range(SPLITS)]) > 0.015
    for alpha in (1.0, 0.1):
        runs = [node_budget(160, 3, seed, alpha) for seed in range(SPLITS)]
        rival = max(np.array([run.alone for run in runs]), score_labels_alone(160, alpha, range(SPLITS)), key=np.mean)
        over_the_rival = np.array([run.accuracy[-1] for run in runs]) - rival
        assert over_the_rival.mean() > plus_minus(over_the_rival), alpha


def test_moved_digits_add_up_to_the_gain():
    change = moved(320)
    tests = sum(np.bincount(digit_split(seed)[3], minlength=10) for seed in range(SPLITS))
    assert change.diagonal() @ tests / tests.sum() / 100 == pytest.approx(gains(320).mean())
    np.testing.assert_allclose(change.sum(axis=1), 0, atol=1e-9)
    large = {(int(d), int(a)) for d, a in np.argwhere(change > 4)}
    assert large == {(1, 8), (5, 9), (3, 9)}
    assert 6 < change[1, 8] < 7.5, "about seven, says a caption"
    assert np.sum(moved(20).diagonal() > 0) == 7, "seven of the ten digits, says a caption"
    assert set(np.flatnonzero(moved(20).diagonal() < -1).tolist()) == {8, 9, 1}, "and three pay"


# --- dots in a plane -----------------------------------------------------------------------------------------------


def run_plane_em():
    """EM of two Gaussian classes, by scipy: log P(x, c) of each row (204, 2) and the means, step by step."""
    points = np.array(PLANE_LABELS)
    X, y = np.vstack([points[:, :2], plane_dots()]), points[:, 2]
    given = np.column_stack([1 - y, y])
    share, found = np.vstack([given, np.zeros((200, 2))]), []
    noise = 1e-9 * X.var(axis=0).max()
    for _ in range(PLANE_STEPS + 1):
        n = share.sum(axis=0)
        means = share.T @ X / n[:, None]
        variances = np.array([s @ (X - m) ** 2 / s.sum() for s, m in zip(share.T, means, strict=True)]) + noise
        bells = [norm.logpdf(X, m, np.sqrt(v)).sum(axis=1) for m, v in zip(means, variances, strict=True)]
        joint = np.column_stack(bells) + np.log(n / n.sum())
        found.append((joint, means))
        share = np.vstack([given, np.exp(joint - logsumexp(joint, axis=1, keepdims=True))[4:]])
    return found


def test_the_plane_is_that_of_em_by_scipy():
    for model, (joint, means) in zip(plane_run().models_, run_plane_em(), strict=True):
        np.testing.assert_allclose(model.theta_, means, atol=1e-5)
        np.testing.assert_allclose(model.predict_proba(plane_dots()), softmax(joint[4:], axis=1), atol=1e-5)


def test_what_the_plane_says_is_true_in_every_state():
    explorer, labels, joints = ClustersExplorer(), np.array(PLANE_LABELS), [joint for joint, _ in run_plane_em()]
    X = np.vstack([labels[:, :2], plane_dots()])
    second = [joint[4:, 1] > joint[4:, 0] for joint in joints]
    height = [np.take_along_axis(j[:4], labels[:, 2:].astype(int), 1).sum() + logsumexp(j[4:], 1).sum() for j in joints]
    assert [crossing(plane_run().models_[k]) for k in (0, -1)] == pytest.approx([1, 0], abs=0.05)
    assert all(set(np.flatnonzero(second[0])) < set(np.flatnonzero(now)) for now in second[1:]), "to the left"
    for cut in explorer.declared["cut"].values:
        assert all((x > cut) == label for x, _, label in PLANE_LABELS), "no cut makes a label wrong"
        truth = plane_dots()[:, 0] > cut
        every = PeerGaussianNB(var_smoothing=1e-9).fit(X, np.concatenate([labels[:, 2], truth]))
        counts = [int(np.sum(now == truth)) for now in second]
        for step, now in enumerate(second):
            r = compute_result(explorer, step=step, cut=cut)
            figure, gain = figure_of(explorer, r), counts[step] - counts[0]
            said = [f"{abs(gain)} {way} {'is' if abs(gain) == 1 else 'are'} right" for way in ("more", "fewer")]
            ends = said[gain < 0] if gain else "as many are right as before" if step else "half-way between them"
            assert r.finding.endswith(f" {ends}")
            assert r.counts.tolist() == counts
            (wrong,) = [t for t in figure.data if t.hovertemplate == "wrong<extra></extra>"]
            np.testing.assert_array_equal([wrong.x, wrong.y], plane_dots()[now != truth].T)
            drawn = [t for t in figure.data if t.type == "contour"]
            for line, side in zip(drawn, [second[0], now][-len(drawn) :], strict=True):
                z = interpn((line.y, line.x), line.z, plane_dots()[:, ::-1])
                np.testing.assert_array_equal((z > 0)[abs(z) > 0.02], side[abs(z) > 0.02])
            assert len(drawn) == 1 + (step > 0)
            *_, star, ring = [t for t in figure.data if t.type == "scatter"]
            assert star.y[0] == np.sum(every.predict(plane_dots()) == truth) / 2
            told = every.predict_joint_log_proba(X)
            reached = told[range(4), labels[:, 2].astype(int)].sum() + logsumexp(told[4:], axis=1).sum()
            gaps = [max(height[-1] - other, 0.01) for other in (reached, height[step])]
            assert [star.x[0], ring.x[0]] == pytest.approx(gaps, abs=1e-4)


# --- the ledger ---------------------------------------------------------------------------------------------------


def test_the_verdicts_are_borne_out():
    by_hand, rises, labels, together, mixture = CLAIMS
    assert one_step_by_hand() == Fraction(5, 9)
    assert by_hand.measure().agrees(by_hand.stated, by_hand.rounding)
    assert min(rises.measure().value) >= -1e-9
    assert max(labels.measure().value) < 0, "the likelihood with labels falls in every split"
    assert together.measure().low > 0
    true, false = zip(*(getattr(mixture.measure(), end) for end in ("low", "high")), strict=True)
    assert min(true) > 0 > max(false)


# --- Chapter 09's explorer shows nbcore's numbers, by routes of their own: scikit-learn's model, plain EM, the labels.

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
    r = compute_result(explorer)
    traces = figure_of(explorer, r).data
    (here,) = [t for t in traces if t.xaxis == "x" and t.mode == "markers"]
    assert (here.x[0], here.y[0]) == (s["step"], plain.score(X_test, y_test))
    rise = {x: y for t in traces if t.xaxis == "x2" for x, y in zip(t.x, t.y, strict=True)}
    (filled,) = [t for t in traces if t.xaxis == "x2" and t.marker.symbol == "square"]
    assert list(filled.x) == [s["step"]]
    assert sorted(rise) == list(range(1, LONG + 1))
    path = np.maximum(np.diff(plain.log_likelihood_path_), 0.01)
    assert [rise[t] for t in range(1, s["step"] + 1)] == pytest.approx(path.tolist())
    for c, digit in enumerate(plain.classes_):
        np.testing.assert_allclose(r.images(s["step"])[digit].ravel(), np.exp(plain.estimator_.feature_log_prob_[c]))
    assert f"after step {s['step']}: {here.y[0]:.3f}" in explorer.describe(r)


def test_the_levels_are_the_labels_alone_and_all_labels():
    explorer = LabelBudgetExplorer(labels=80, seed=4)
    X, y, X_test, y_test = digit_split(4)
    lines = [trace for trace in figure_of(explorer, compute_result(explorer)).data if trace.type == "scatter"]
    levels = {trace.name: trace.y[0] for trace in lines if trace.mode == "lines"}
    assert levels == {
        "80 labels alone": Reference().fit(X[:80], y[:80]).score(X_test, y_test),
        "all 1,000 labels": Reference().fit(X, y).score(X_test, y_test),
    }


def test_a_digit_without_a_label_has_no_picture_and_every_other_stands_in_its_place():
    explorer = LabelBudgetExplorer()
    r = compute_result(explorer)
    missing = set(range(10)) - set(digit_split(0)[1][:20].tolist())
    assert {d for d in range(10) if np.isnan(r.images(5)[d]).all()} == missing
    figure = figure_of(explorer, r)
    (heat,) = [trace for trace in figure.data if trace.type == "heatmap"]
    for below, step in enumerate((0, STEPS)):
        for digit, image in enumerate(r.images(step)):
            left, top = corner(digit, below)
            np.testing.assert_array_equal(np.asarray(heat.z)[top : top + 8, left : left + 8], image)


def test_the_map_of_moved_digits_is_a_difference_of_confusion_matrices():
    explorer = MovedExplorer(step=7, digit=5, answer=9)
    r = compute_result(explorer)
    matrices, came = np.zeros((2, 10, 10)), []
    for seed in range(SPLITS):
        models, (_, _, X_test, y_test) = long_budget(320, seed=seed).models, digit_split(seed)
        before, after = (models[t].predict(X_test) for t in (0, 7))
        matrices += [confusion_matrix(y_test, said) for said in (before, after)]
        came.append(X_test[(y_test == 5) & (before != 9) & (after == 9)])
    np.testing.assert_array_equal([r.before, r.after], matrices)
    assert r.came == len(np.unique(np.concatenate(came), axis=0))
    known = {tuple(image) for image in np.concatenate(came)}
    assert {tuple(image.ravel()) for image in r.images} <= known
    figure = figure_of(explorer, r)
    heat = next(trace for trace in figure.data if trace.type == "heatmap" and trace.xaxis == "x")
    points = 100 * (matrices[1] - matrices[0]) / matrices[0].sum(axis=1, keepdims=True)
    np.testing.assert_allclose(heat.z, np.clip(points, -10, 10))


def test_the_nodes_in_view_are_those_of_the_run():
    explorer = NodesExplorer(H=2, labels=80, step=4, seed=3)
    r, run = compute_result(explorer), fit_nodes(80, 2, 3, LONG)
    np.testing.assert_array_equal(r.run.accuracy, run.accuracy)
    np.testing.assert_allclose(r.naive, run_em(80, 3, steps=LONG))
    figure = figure_of(explorer, r)
    (heat,) = [trace for trace in figure.data if trace.type == "heatmap"]
    first = np.argmax(run.share[4, 0])
    np.testing.assert_allclose(np.asarray(heat.z)[:8, :8], run.ink[4, 0, first].reshape(8, 8))
    height = {trace.name: trace.y[0] for trace in figure.data if trace.name}
    assert height["2 nodes, labels alone"] == run.alone
    assert height["naive Bayes, labels alone"] == score_labels_alone(80, 1.0, [3])[0]

"""Chapter 09."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.interpolate import interpn
from scipy.special import logsumexp, softmax
from scipy.stats import norm, ttest_1samp
from sklearn.naive_bayes import BernoulliNB as Reference
from sklearn.naive_bayes import GaussianNB as PeerGaussianNB

from tests.plotly_figure import figure_of
from workbook.chapters.c09_semi_supervised_em import experiment as ex
from workbook.chapters.c09_semi_supervised_em.claims import CLAIMS, mean_gain
from workbook.explorers import ClimbExplorer, ClustersExplorer

from .shown import compute_result

# --- EM on digits, step by step: honest splits, and the statements that the ledger makes of it.

@pytest.mark.parametrize("imagined", [False, True])
def test_a_split_shares_no_digit_and_another_seed_is_another_split(imagined):
    X, y, X_test, y_test = ex.digit_split(1, imagined)
    assert (X.shape, y.shape, X_test.shape, y_test.shape) == ((ex.LEARN, 64), (ex.LEARN,), (ex.TEST, 64), (ex.TEST,))
    assert set(np.unique(X)) == {0, 1}
    assert not np.array_equal(ex.digit_split(2, imagined)[1], y)
    order = np.random.default_rng(1).permutation(1797)
    assert not set(order[:ex.LEARN]) & set(order[ex.LEARN : ex.LEARN + ex.TEST])
    for n in ex.SIZES:
        assert (np.bincount(y[:n]) == n / 10).all(), "as many labels of each digit"
    random = ex.digit_split(1, imagined, equal=False)
    assert sorted(map(tuple, X)) == sorted(map(tuple, random[0])), "the same digits, in another order"


def test_imagined_digits_have_independent_pixels_given_the_digit_and_real_ones_do_not():
    def worst_correlation(imagined):
        X, y, *_ = ex.digit_split(0, imagined)
        ones = X[y == 1]
        return np.nanmax(abs(np.triu(np.corrcoef(ones[:, ones.std(axis=0) > 0.3].T), 1)))

    assert worst_correlation(True) < 0.4
    assert worst_correlation(False) > 0.7


def test_accuracy_and_objective_by_hand():
    run = ex.label_budget(80, seed=2, alpha=0.5)
    X, y, X_test, y_test = ex.digit_split(2)
    assert len(run.models) == len(run.accuracy) == len(run.objective) == ex.STEPS + 1
    last = run.models[-1]
    assert run.accuracy[-1] == (last.predict(X_test) == y_test).mean()
    joint, p = last.predict_joint_log_proba(X), np.exp(last.feature_log_prob_)
    by_hand = joint[np.arange(80), y[:80]].sum() + logsumexp(joint[80:], axis=1).sum()
    assert run.objective[-1] == pytest.approx(by_hand + 0.5 * (np.log(p).sum() + np.log(1 - p).sum()))
    assert run.gain == run.accuracy[-1] - run.accuracy[0]
    assert ex.gains(80, 3, alpha=0.5)[2] == run.gain


@pytest.mark.parametrize("n", [9, 641, 20.5, True])
def test_a_wrong_number_of_labels_is_named(n):
    with pytest.raises(ValueError, match="n_labels must be"):
        ex.label_budget(n)


# --- what chapter 09 says -----------------------------------------------------------------------------------------


def learn_by_hand(share, rows, alpha):
    """Bernoulli nodes from the rows' shares: the function of rows that returns log P(x, node)."""
    n = share.sum(axis=0)
    p = (share.T @ rows + alpha) / (n[:, None] + 2 * alpha)
    with np.errstate(divide="ignore"):
        log_prior = np.log(n / n.sum())
    return lambda X: log_prior + X @ np.log(p).T + (1 - X) @ np.log1p(-p).T


def run_em(n_labels, seed, nodes=1, alpha=ex.ALPHA, climbs=("all",)):
    """Accuracy after each step of EM written anew, nodes in each class; one of them is naive Bayes.

    climbs: on "labels" alone or on "all" digits, one after the other. Labels' nodes start as in `node_accuracies`.
    """
    X, y, X_test, y_test = ex.digit_split(seed)
    own = np.repeat(np.eye(10)[y[:n_labels]], nodes, axis=1)
    start = np.random.default_rng([seed, nodes]).dirichlet(np.ones(nodes), n_labels)
    joints = [learn_by_hand(own * np.tile(start, 10), X[:n_labels], alpha)]
    for used in np.repeat(climbs, ex.STEPS):
        rows = X if used == "all" else X[:n_labels]
        at_nodes = joints[-1](rows)
        at_nodes[:n_labels][own == 0] = -np.inf
        share = np.exp(at_nodes - logsumexp(at_nodes, axis=1, keepdims=True))
        joints.append(learn_by_hand(share, rows, alpha))
    by_class = [logsumexp(joint(X_test).reshape(ex.TEST, 10, nodes), axis=2) for joint in joints]
    return np.array([np.mean(each.argmax(axis=1) == y_test) for each in by_class])


def test_a_climb_is_that_of_em_written_anew_beside_the_model_of_all_labels():
    for n in (20, 320):
        run = ex.climb(n)
        assert run.accuracy.shape == run.above.shape == (ex.SPLITS, ex.STEPS + 1)
        by_hand = np.array([run_em(n, seed) for seed in range(3)])
        np.testing.assert_allclose(run.accuracy[:3, 1:], by_hand[:, 1:], rtol=1e-9)
        for seed in range(3):
            X, y, X_test, _ = ex.digit_split(seed)
            tops = np.sort(Reference(alpha=ex.ALPHA).fit(X[:n], y[:n]).predict_joint_log_proba(X_test), axis=1)[:, -2:]
            ties = np.sum(np.diff(tops) < 1e-9)
            assert abs(run.accuracy[seed, 0] - by_hand[seed, 0]) * ex.TEST < ties + 0.1
        assert (np.diff(run.above) > -1e-6).all()
    for seed in (0, 7):
        X, y, X_test, y_test = ex.digit_split(seed)
        told = Reference(alpha=ex.ALPHA).fit(X, y)
        assert ex.climb(320).star[seed] == told.score(X_test, y_test)
        joint, log_p = told.predict_joint_log_proba(X), told.feature_log_prob_
        height = joint[np.arange(320), y[:320]].sum() + logsumexp(joint[320:], axis=1).sum()
        height += ex.ALPHA * (log_p.sum() + np.log1p(-np.exp(log_p)).sum())
        reached = ex.label_budget(320, seed=seed).objective - height
        np.testing.assert_allclose(ex.climb(320).above[seed], reached, atol=1e-6)


def test_which_digits_get_a_label_is_worth_more_than_em():
    def alone(alpha, equal):
        splits = (ex.digit_split(seed, equal=equal) for seed in range(ex.SPLITS))
        return np.array([Reference(alpha=alpha).fit(X[:20], y[:20]).score(A, b) for X, y, A, b in splits])

    at_random = [alone(alpha, False).mean() for alpha in (1.0, ex.ALPHA, 0.01)]
    assert np.argmax(at_random) == 1
    more = alone(ex.ALPHA, True) - alone(ex.ALPHA, False)
    em = np.array([ex.label_budget(20, seed=seed, equal=False).gain for seed in range(ex.SPLITS)])
    assert more.mean() - ex.plus_minus(more) > em.mean() + ex.plus_minus(em)
    assert abs(alone(1.0, True).mean() - alone(ex.ALPHA, True).mean()) < 0.02


def test_at_80_labels_the_number_of_steps_decides():
    signs = {20: "+++", 40: "++0", 80: "+0-", 160: "0--", 320: "---", 640: "---"}
    for n, expected in signs.items():
        gains_ = ex.climb(n).gain[:, [1, 10, 60]].T
        sign = ["+" if g.mean() > ex.plus_minus(g) else "-" if g.mean() < -ex.plus_minus(g) else "0" for g in gains_]
        assert "".join(sign) == expected, n
    assert mean_gain(640, clamp=False).high < mean_gain(640).low


def test_above_the_star_is_no_alarm_but_how_far_is():
    for n in ex.SIZES:
        real, drawn = ex.climb(n), ex.climb(n, True)
        assert (real.above[:, 10] > 0).all()
        assert np.mean(real.star > real.accuracy[:, -1]) > 0.95
        assert (drawn.above[:, -1] > 0).all()
        assert drawn.above[:, -1].mean() < real.above[:, -1].min()
        assert abs(np.mean(drawn.star - drawn.accuracy[:, -1])) < 0.003 < np.mean(real.star - real.accuracy[:, -1])
        gain = drawn.gain[:, -1]
        assert gain.mean() > ex.plus_minus(gain), n
    assert (ex.climb(320).above[:, 1] > 0).all()


def test_nodes_are_those_of_em_written_anew_and_one_node_is_naive_bayes():
    for labels, nodes, seed, alpha in ((80, 3, 1, 1.0), (320, 4, 5, 1.0), (160, 3, 0, 0.1)):
        by_hand = run_em(labels, seed, nodes, alpha, climbs=("labels", "all"))
        assert ex.node_accuracies(labels, nodes, seed, alpha) == (by_hand[ex.STEPS], by_hand[-1])
    run = ex.label_budget(40, seed=2)
    assert ex.node_accuracies(40, 1, 2) == (run.accuracy[0], run.accuracy[-1])


@pytest.mark.slow
def test_three_nodes_gain_with_few_labels_and_take_the_harm_away():
    for n, gains_more in ((40, True), (160, True), (320, False), (640, False)):
        three = np.diff([ex.node_accuracies(n, 3, seed) for seed in range(20)])[:, 0]
        assert three.mean() > -ex.plus_minus(three), n
        assert (three.mean() > ex.plus_minus(three)) == gains_more, n
        less_harm = three - ex.climb(n).gain[:20, -1]
        assert less_harm.mean() > ex.plus_minus(less_harm), n


def test_the_half_width_is_students():
    values = np.array([0.1, -0.2, 0.4, 0.3])
    low, high = ttest_1samp(values, 0).confidence_interval(0.95)
    assert ex.plus_minus(values) == pytest.approx((high - low) / 2)


# --- the climb of digits -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("drawn", [0, 1])
def test_what_the_climb_says_is_true_in_every_state(drawn):
    explorer = ClimbExplorer()
    for n in ex.SIZES:
        run = ex.climb(n, bool(drawn))
        for step in explorer.declared["step"].values:
            r = compute_result(explorer, step=step, labels=n, drawn=drawn)
            gain, nats = 100 * (run.accuracy[:, step] - run.accuracy[:, 0]), run.above[:, step].mean()
            where = next((f"{abs(nats):,.0f} nats {way} the star" for way, sign in (("above", 1), ("below", -1))
                          if sign * nats >= 0.5), "evel with the star")  # fmt: skip
            assert where in r.finding
            change = next((f"{abs(gain.mean()):.1f} points {way}" for way, sign in (("up", 1), ("down", -1))
                           if sign * gain.mean() >= 0.05), "unchanged")  # fmt: skip
            assert r.finding.endswith(f", accuracy {change}" if step else where)
            figure = figure_of(explorer, r)
            star, ring = [t for t in figure.data if t.xaxis == "x" and t.mode == "markers"]
            assert (star.x[0], star.y[0]) == (100 * run.star.mean(), 0)
            assert (ring.x[0], 50 * np.sinh(ring.y[0])) == pytest.approx((100 * run.accuracy[:, step].mean(), nats))
            here = figure.data[-1]
            assert (here.x[0], here.y[0]) == pytest.approx((ex.SIZES.index(n), gain.mean()))
            low, high = figure.layout.yaxis2.range
            assert all(low < g - h and g + h < high for g, h in r.gains), "no interval leaves the panel"


# --- dots in a plane -----------------------------------------------------------------------------------------------


def run_plane_em():
    """EM of two Gaussian classes, by scipy: log P(x, c) of each row (204, 2) and the means, step by step."""
    points = np.array(ex.PLANE_LABELS)
    X, y = np.vstack([points[:, :2], ex.plane_dots()]), points[:, 2]
    given = np.column_stack([1 - y, y])
    share, found = np.vstack([given, np.zeros((200, 2))]), []
    noise = 1e-9 * X.var(axis=0).max()
    for _ in range(ex.PLANE_STEPS + 1):
        n = share.sum(axis=0)
        means = share.T @ X / n[:, None]
        variances = np.array([s @ (X - m) ** 2 / s.sum() for s, m in zip(share.T, means, strict=True)]) + noise
        bells = [norm.logpdf(X, m, np.sqrt(v)).sum(axis=1) for m, v in zip(means, variances, strict=True)]
        joint = np.column_stack(bells) + np.log(n / n.sum())
        found.append((joint, means))
        share = np.vstack([given, np.exp(joint - logsumexp(joint, axis=1, keepdims=True))[4:]])
    return found


def test_the_plane_is_that_of_em_by_scipy():
    for model, (joint, means) in zip(ex.plane_run().models_, run_plane_em(), strict=True):
        np.testing.assert_allclose(model.theta_, means, atol=1e-5)
        np.testing.assert_allclose(model.predict_proba(ex.plane_dots()), softmax(joint[4:], axis=1), atol=1e-5)


def test_what_the_plane_says_is_true_in_every_state():
    explorer, labels, joints = ClustersExplorer(), np.array(ex.PLANE_LABELS), [joint for joint, _ in run_plane_em()]
    X = np.vstack([labels[:, :2], ex.plane_dots()])
    second = [joint[4:, 1] > joint[4:, 0] for joint in joints]
    height = [np.take_along_axis(j[:4], labels[:, 2:].astype(int), 1).sum() + logsumexp(j[4:], 1).sum() for j in joints]
    assert [ex.crossing(ex.plane_run().models_[k]) for k in (0, -1)] == pytest.approx([1, 0], abs=0.05)
    assert all(set(np.flatnonzero(second[0])) < set(np.flatnonzero(now)) for now in second[1:]), "to the left"
    for cut in explorer.declared["cut"].values:
        assert all((x > cut) == label for x, _, label in ex.PLANE_LABELS), "no cut makes a label wrong"
        truth = ex.plane_dots()[:, 0] > cut
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
            np.testing.assert_array_equal([wrong.x, wrong.y], ex.plane_dots()[now != truth].T)
            drawn = [t for t in figure.data if t.type == "contour"]
            for line, side in zip(drawn, [second[0], now][-len(drawn) :], strict=True):
                z = interpn((line.y, line.x), line.z, ex.plane_dots()[:, ::-1])
                np.testing.assert_array_equal((z > 0)[abs(z) > 0.02], side[abs(z) > 0.02])
            assert len(drawn) == 1 + (step > 0)
            *_, star, ring = [t for t in figure.data if t.type == "scatter"]
            assert star.x[0] == np.sum(every.predict(ex.plane_dots()) == truth) / 2
            told = every.predict_joint_log_proba(X)
            reached = told[range(4), labels[:, 2].astype(int)].sum() + logsumexp(told[4:], axis=1).sum()
            gaps = [max(height[-1] - other, 0.01) for other in (reached, height[step])]
            assert [star.y[0], ring.y[0]] == pytest.approx(gaps, abs=1e-4)


# --- the ledger ---------------------------------------------------------------------------------------------------


def test_the_verdicts_are_borne_out():
    by_hand, rises, labels, together, mixture = CLAIMS
    assert ex.one_step_by_hand() == Fraction(5, 9)
    assert by_hand.measure().agrees(by_hand.stated, by_hand.rounding)
    assert min(rises.measure().value) >= -1e-9
    assert max(labels.measure().value) < 0, "the likelihood with labels falls in every split"
    assert together.measure().low > 0
    true, false = zip(*(getattr(mixture.measure(), end) for end in ("low", "high")), strict=True)
    assert min(true) > 0 > max(false)

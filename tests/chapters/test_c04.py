"""Chapter 04."""

from fractions import Fraction
from math import inf, log, sqrt

import numpy as np
import pytest
from scipy.special import softmax
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import BernoulliNB, CategoricalNB
from sklearn.preprocessing import OneHotEncoder

from nbcore.datasets import load_titanic, load_ucb_admissions
from nbcore.one_hot import dirichlet_experiment, f_factor, posteriors_of_several
from tests.plotly_figure import figure_of
from workbook.chapters.c04_one_hot_experiments.claims import CLAIMS, table_measured
from workbook.chapters.c04_one_hot_experiments.experiment import (
    EQUAL,
    PAPER,
    RANDOM,
    SIZES,
    dropped_scores,
    held_out_scores,
    many_rates,
    on_slope_two,
    played,
    surer_by_log_odds,
)
from workbook.chapters.c04_one_hot_experiments.questions import where_they_differ
from workbook.chapters.c04_one_hot_experiments.sample_size import ROWS
from workbook.chapters.c04_one_hot_experiments.several_variables import AGREE, HALF, THIRD
from workbook.explorer.controls import Steps
from workbook.explorer.formula import spoken
from workbook.explorers import (
    DirichletExplorer,
    ManyVariablesExplorer,
    SampleSizeExplorer,
    SeveralVariablesExplorer,
    WinningClassExplorer,
)
from workbook.learning import contents

from .claimed import make_measurer
from .shown import compute_result, read_numbers

# --- Chapter 04's explorers show nbcore's numbers, and these agree with plain probabilities.


# --- Steps --------------------------------------------------------------------------------------------------------


def test_steps_take_the_nearest_step_and_refuse_the_rest():
    steps = Steps(1.0, [0.1, 1 / 3, 1.0, inf], label="alpha")
    assert [steps.check(value) for value in (0.3, 1 / 3, 0.1, inf, 50)] == [1 / 3, 1 / 3, 0.1, inf, 1.0]
    for value in (0, 0.05, True, "1", None, np.nan):
        with pytest.raises(ValueError, match=r"alpha must be a number in \[0.1, inf\]"):
            steps.check(value)
    assert [label for label, _ in steps.widget(1.0).options] == ["0.1", "0.333", "1", "inf"]


# --- the experiment -----------------------------------------------------------------------------------------------


def test_the_points_are_those_of_plain_probabilities():
    r = compute_result(DirichletExplorer(n=100, K=3))
    e = dirichlet_experiment(100, 4, 3, 1.0, 1.0, rng=0)
    theta = np.log(e.theta[:, 0] / e.theta[:, 1]).ravel()
    f = np.log(f_factor(e.theta[:, 0]) / f_factor(e.theta[:, 1])).ravel()
    np.testing.assert_allclose(r.drawn.log_theta, np.concatenate([theta, -theta]), rtol=1e-9)
    np.testing.assert_allclose(r.drawn.log_f, np.concatenate([f, -f]), rtol=1e-9)
    np.testing.assert_allclose(r.drawn.top_pob, e.bernoullis.max(axis=1).ravel())
    other = e.categorical.argmax(axis=1) != e.bernoullis.argmax(axis=1)
    assert np.array_equal(r.drawn.disagrees, other.ravel())


def test_the_figure_shows_them():
    explorer = DirichletExplorer()
    r = compute_result(explorer)
    traces = {trace.name: trace for trace in figure_of(explorer, r).data if trace.name}
    assert len(traces["other class"].x) == r.drawn.disagrees.sum()
    assert len(traces["same class"].x) == (~r.drawn.disagrees).sum()
    assert np.array_equal(traces["slope 2"].y, 2 * np.asarray(traces["slope 2"].x))
    assert list(traces["ours, 95 %"].x) == [100 * r.rates.more_confident[0], 100 * r.rates.disagreement[0]]
    assert traces["ours, 95 %"].error_x.array[0] == pytest.approx(196 * r.rates.more_confident[1])
    assert list(traces["paper"].x) == [82.0, 12.33]


def test_with_two_values_every_point_lies_on_slope_two():
    r = compute_result(DirichletExplorer(K=2))
    np.testing.assert_allclose(r.drawn.log_f, 2 * r.drawn.log_theta)


def test_the_button_tells_the_rates_of_100_000_and_counts_on_the_way():
    explorer = DirichletExplorer(K=4, alpha=0.7)
    said = []
    explorer.view.observe(lambda change: said.append(change["new"]), "caption")
    (button,) = [b for b in explorer.panel.children[0].children if b.description == "100,000"]
    button.click()
    assert said[0] == "10,000 of 100,000 classifiers …"
    rate, error = many_rates(4, 0.7).more_confident
    assert said[-1].startswith(f"100,000 classifiers: surer in {100 * rate:.2f} ± {196 * error:.2f} %")
    explorer.set(K=5)
    assert explorer.view.caption == ""


def test_many_rates_in_blocks_are_the_rates_of_all_rows():
    done = []
    rates = many_rates(3, 1.0, n_classifiers=25_000, progress=done.append)
    assert done == [10_000, 20_000, 25_000]
    parts = [
        dirichlet_experiment(n, 4, 3, 1.0, 1.0, np.random.default_rng([0, b]))
        for b, n in enumerate((10_000, 10_000, 5000))
    ]
    rows = np.concatenate([part.disagrees for part in parts]).mean(axis=1)
    assert rates.disagreement == pytest.approx((rows.mean(), rows.std(ddof=1) / np.sqrt(25_000)))
    assert rates.error_of("disagreement", 100) == pytest.approx(rows.std(ddof=1) / 10)


def test_of_the_points_beyond_two_those_near_slope_two_are_marked_and_counted():
    explorer = DirichletExplorer(alpha=1 / 3, n=1000)
    r = compute_result(explorer)
    x, y = r.drawn.log_theta, r.drawn.log_f
    near = [abs(b / a - 2) < 0.1 for a, b in zip(x, y, strict=True) if abs(a) > 2]
    figure = figure_of(explorer, r)
    (note,) = [note.text for note in figure.layout.annotations if "slope 2" in note.text]
    assert note == f"beyond ±2:<br>{100 * np.mean(near):.0f} % near slope 2"
    assert abs(np.mean(near) - on_slope_two(1 / 3, 3)[0]) < 0.04
    (cloud,) = [t for t in figure.data if t.name == "near slope 2"]
    assert len(cloud.x) == sum(near)


# --- rounding -----------------------------------------------------------------------------------------------------


def test_rounded_log_odds_are_right_until_thetas_round():
    moderate, sparse = (dirichlet_experiment(20_000, 4, 3, alpha, rng=0) for alpha in (1.0, 0.01))
    assert surer_by_log_odds(moderate) == pytest.approx(moderate.more_confident.mean(), abs=1e-4)
    assert round(surer_by_log_odds(sparse), 3) == 0.810
    assert round(sparse.more_confident.mean(), 3) == 0.838
    assert 0.2 < sparse.more_confident.mean() - (sparse.bernoullis.max(1) > sparse.categorical.max(1)).mean() < 0.22


# --- the winning class --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("log_rho", [-1.0, 0.0, 2.5])
def test_the_lines_decide_as_the_posteriors_do(log_rho):
    explorer = WinningClassExplorer(log_rho=log_rho, alpha=0.5)
    r = compute_result(explorer)
    theta = dirichlet_experiment(2000, 2, 3, 0.5, rng=0).theta
    prior = np.array([1, np.exp(log_rho)]) / (1 + np.exp(log_rho))
    joints = [prior[:, None] * part for part in (theta, f_factor(theta))]
    exact, pob = ((joint / joint.sum(axis=1, keepdims=True)) for joint in joints)
    wins = (exact[:, 0] > 0.5).ravel()
    assert np.array_equal(r.wins, wins)
    assert np.array_equal(r.changed, wins != (pob[:, 0] > 0.5).ravel())
    gap = (pob.max(axis=1) - exact.max(axis=1)).ravel()
    assert np.array_equal(r.surer[abs(gap) > 1e-12], (gap > 0)[abs(gap) > 1e-12])


def test_the_favoured_class_loses_and_the_other_gains():
    for log_rho, sign in ((-1.0, 1), (1.0, -1)):
        r = compute_result(WinningClassExplorer(log_rho=log_rho))
        assert sign * (np.sum(r.wins & r.changed) - np.sum(~r.wins & r.changed)) > 100


# --- several variables --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("evidence", "signs"), [(HALF, [1, -1, 1, -1, 1]), (THIRD, [1, 1, -1, 1, 1])])
def test_the_paths_are_those_of_all_variables_at_once(evidence, signs):
    r = compute_result(SeveralVariablesExplorer(F=5, K=4, evidence=evidence, theta_a=0.6, theta_b=0.15))
    theta = np.array([[0.6, *[0.4 / 3] * 3], [0.15, *[0.85 / 3] * 3]])
    thetas = [theta if sign > 0 else theta[::-1] for sign in signs]
    for n in range(1, 6):
        both = posteriors_of_several(thetas[:n], [0.5, 0.5], np.zeros((1, n), dtype=int))
        for path, posterior in zip((r.categorical, r.bernoullis), both, strict=True):
            assert 1 / (1 + np.exp(-path[n])) == pytest.approx(posterior[0, 0])
    assert r.posterior == pytest.approx([posterior[0, 0] for posterior in both])


def test_conflict_cancels_and_agreement_multiplies():
    one, ten = (compute_result(SeveralVariablesExplorer(F=F)) for F in (1, 10))
    assert ten.bernoullis[-1] - ten.categorical[-1] == pytest.approx(10 * (one.bernoullis[-1] - one.categorical[-1]))


# --- many variables -----------------------------------------------------------------------------------------------


def plain_many(F, alpha, priors, n=4000):
    """says, right, changed of the bits: products of probabilities, and a class that is drawn and then hit or missed."""
    rng = np.random.default_rng([F, int(alpha)])
    prior = rng.dirichlet([1] * 4, n) if priors == RANDOM else np.full((n, 4), 0.25)
    true = np.array([rng.choice(4, p=p) for p in prior])
    exact, pob = prior.copy(), prior.copy()
    for _ in range(F):
        theta = rng.dirichlet([alpha] * 3, (n, 4))
        seen = np.array([rng.choice(3, p=theta[i, c]) for i, c in enumerate(true)])
        for k in range(3):
            hit = (seen == k)[:, None]
            exact *= np.where(hit, theta[:, :, k], 1)
            pob *= np.where(hit, theta[:, :, k], 1 - theta[:, :, k])
    pob /= pob.sum(axis=1, keepdims=True)
    says, chosen = pob.max(axis=1), pob.argmax(axis=1)
    best = exact.argmax(axis=1)
    return [says, chosen == true, best == true, chosen != best], says


@pytest.mark.parametrize(
    ("F", "alpha", "priors"), [(1, 1.0, RANDOM), (4, 1.0, RANDOM), (8, 10.0, RANDOM), (8, 10.0, EQUAL)]
)
def test_what_the_bits_say_and_keep_agrees_with_drawn_classes(F, alpha, priors):
    r = compute_result(ManyVariablesExplorer(F=F, alpha=alpha, priors=priors))
    p, at = r.played, SIZES.index(F)
    found, says = plain_many(F, alpha, priors)
    for mine, theirs in zip((p.says, p.right, p.best, p.changed), found, strict=True):
        error = np.std(theirs) / sqrt(len(theirs)) * sqrt(1 + 1 / 3)  # 12,000 against 4,000
        assert mine[at] == pytest.approx(np.mean(theirs), abs=4 * error)
    for low, (said, right) in zip(np.arange(0.2, 1, 0.1), p.bins[at], strict=True):
        among = (says >= low) & (says < low + 0.1)
        if among.sum() > 50 and not np.isnan(said):
            assert said == pytest.approx(says[among].mean(), abs=0.02)
            assert right == pytest.approx(found[1][among].mean(), abs=4 * 0.5 / sqrt(among.sum()) + 0.02)


@pytest.mark.parametrize("preset", [None, *ManyVariablesExplorer.presets])
def test_the_gap_is_that_of_the_numbers_as_printed(preset):
    explorer = ManyVariablesExplorer()
    explorer = explorer.preset(preset) if preset else explorer
    r = compute_result(explorer)
    says, right, gap, best, again, lost = read_numbers(explorer)
    p, at = r.played, r.at
    assert [says, right, best] == [round(100 * part[at], 1) for part in (p.says, p.right, p.best)]
    assert again == right
    assert gap == pytest.approx(says - right, abs=1e-9)
    assert lost == pytest.approx(best - right, abs=1e-9)


def test_strong_variables_decide_otherwise_less_and_less_and_their_gap_closes():
    p = played(1.0, RANDOM)
    assert np.all(np.diff(p.changed) <= 0)
    assert 0.095 < p.changed[0] < 0.115
    assert 0.8 < 100 * (p.best - p.right)[0] < 1.2
    assert SIZES[p.gap.argmax()] in (2, 3)
    assert p.gap[SIZES.index(16)] < 0.02
    up_to_16 = p.bins[: SIZES.index(16) + 1]
    assert not np.any(up_to_16[..., 1] > up_to_16[..., 0]), "the squares lie below the diagonal"


def test_weak_variables_rise_and_fall_and_need_a_prior_to_outvote():
    weak, strong, equal = played(10.0, RANDOM), played(1.0, RANDOM), played(10.0, EQUAL)
    one, eight, many = (SIZES.index(F) for F in (1, 8, 64))
    assert weak.changed[eight] == pytest.approx(0.09, abs=0.005)
    assert strong.changed[eight] == pytest.approx(0.035, abs=0.004)
    assert weak.changed[many] == pytest.approx(0.03, abs=0.005)
    assert weak.says[many] == pytest.approx(0.91, abs=0.01)
    assert weak.changed[one] < weak.changed[eight] - 0.015
    assert weak.says[eight] == pytest.approx(0.66, abs=0.005)
    assert equal.says[eight] == pytest.approx(0.55, abs=0.005)
    assert equal.changed[eight] == pytest.approx(0.03, abs=0.004)
    assert (round(100 * weak.gap[eight], 1), round(100 * equal.gap[eight], 1)) == (5.7, 9.2)
    tops = [played(alpha, RANDOM).changed.max() for alpha in (1.0, 3.0, 10.0, 30.0, 100.0)]
    assert min(tops) > 0.08
    assert max(tops) < 0.12
    thetas = np.random.default_rng(0).beta(10, 20, 100_000)  # one entry of Dir(10, 10, 10)
    assert np.quantile(thetas, [0.05, 0.95]) == pytest.approx([0.20, 0.48], abs=0.005)


@pytest.mark.parametrize("K", [2, 3, 6, 12])
def test_weak_evidence_counts_k_over_k_minus_1_times(K):
    """Two vectors close to even ones, the difference shared out at random: exact fractions, then two logarithms."""
    shift = [Fraction(int(n), 10**7) for n in np.random.default_rng(K).integers(-1000, 1000, K - 1)]
    shift.append(-sum(shift))
    q = [np.prod([1 - Fraction(1, K) - side * d for d in shift[1:]]) for side in (1, -1)]
    theta = [Fraction(1, K) + side * shift[0] for side in (1, -1)]
    evidence, extra = log(theta[0] / theta[1]), log(q[0] / q[1])
    assert 1 + extra / evidence == pytest.approx(K / (K - 1), rel=1e-3)


# --- two real tables ----------------------------------------------------------------------------------------------


def log_losses_by_counting(people, factors):
    """Mean log loss of naive Bayes with add-one counts, in the sample: value by value. factors: of a value's bits."""
    total = 0.0
    classes = [people.data[people.target == c] for c in (0, 1)]
    for row, y in zip(*np.unique(np.c_[people.data, people.target], axis=0, return_counts=True), strict=True):
        joint = [len(rows) * factors(rows, row[:-1], people) for rows in classes]
        total -= y * log(joint[row[-1]] / sum(joint))
    return total / len(people.data)


def by_value(rows, values, people):
    found = 1.0
    for column, value in enumerate(values):
        found *= (np.sum(rows[:, column] == value) + 1) / (len(rows) + len(people.categories[column]))
    return found


def by_bit(rows, values, people):
    found = 1.0
    for column, value in enumerate(values):
        for v in range(len(people.categories[column])):
            p = (np.sum(rows[:, column] == v) + 1) / (len(rows) + 2)
            found *= p if v == value else 1 - p
    return found


def half_of_the_bits(rows, values, people):
    """The square root of the likelihood: half of its logarithm."""
    return sqrt(by_bit(rows, values, people))


@pytest.mark.parametrize(
    ("load", "category", "bits", "half"),
    [
        (load_titanic, (0.778, 0.520), (0.783, 0.611), (0.778, 0.518)),
        (load_ucb_admissions, (0.706, 0.585), (0.704, 0.620), (0.688, 0.591)),
    ],
)
def test_what_the_bits_cost_on_real_tables(load, category, bits, half):
    people = load()
    scores = held_out_scores(people)
    for name, stated in (("category", category), ("bits", bits), ("half", half)):
        assert scores[name] == pytest.approx(stated, abs=5e-4)
    for name, factors in (
        ("category", by_value),
        ("bits", by_bit),
        ("half", half_of_the_bits),
    ):  # held out or not hardly matters: a dozen cells
        assert scores[name][1] == pytest.approx(log_losses_by_counting(people, factors), abs=0.004)
    share = people.target.mean()
    nothing = -share * log(share) - (1 - share) * log(1 - share)
    thrown_away = (bits[1] - category[1]) / (nothing - category[1])
    assert thrown_away == pytest.approx({2201: 0.84, 4526: 0.43}[len(people.data)], abs=0.01)
    assert round(nothing, 3) == {2201: 0.629, 4526: 0.668}[len(people.data)]


@pytest.mark.parametrize(
    ("load", "feature", "stated"),
    [
        (load_titanic, 0, {"1st": (0.782, 0.532), "2nd": (0.751, 0.527), "3rd": (0.751, 0.541),
                           "Crew": (0.767, 0.510)}),
        (load_ucb_admissions, 1, {"A": (0.690, 0.599), "B": (0.672, 0.598), "C": (0.706, 0.590), "D": (0.706, 0.591),
                                  "E": (0.706, 0.592), "F": (0.706, 0.624)}),
    ],
)  # fmt: skip
def test_which_column_is_dropped_decides(load, feature, stated):
    """Counted in the sample, bit by bit, but for the first value of every other feature."""
    people = load()
    scores = dropped_scores(people, feature)
    assert list(people.categories[feature]) == list(stated)
    for dropped, (score, told) in enumerate(zip(scores, stated.values(), strict=True)):
        assert score == pytest.approx(told, abs=6e-4)

        def factors(rows, values, people, dropped=dropped):
            found = by_bit(rows, values, people)
            for column, value in enumerate(values):
                v = dropped if column == feature else 0
                p = (np.sum(rows[:, column] == v) + 1) / (len(rows) + 2)
                found /= p if v == value else 1 - p
            return found

        assert score[1] == pytest.approx(log_losses_by_counting(people, factors), abs=0.004)
    two = next(f for f, names in enumerate(people.categories) if len(names) == 2)
    assert dropped_scores(people, two)[0] == pytest.approx(dropped_scores(people, two)[1]), "of two, either will do"


def person_losses(people, encoder):
    """Minus the log of what ten-fold BernoulliNB on these columns gives to each person's true class, (n,)."""
    X, y = encoder.fit_transform(people.data), people.target
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    said = cross_val_predict(BernoulliNB(), X, y, cv=folds, method="predict_proba")
    return -np.log(said[np.arange(len(y)), y])


def test_dropping_f_takes_back_what_dropping_a_gender_gains_and_no_more_is_shown():
    berkeley = load_ucb_admissions()
    everything, of_two, without_f = (
        person_losses(berkeley, OneHotEncoder(drop=drop)) for drop in (None, "if_binary", [0, 5])
    )
    worse = [without_f - other for other in (of_two, everything)]
    (gain, gain_error), (more, more_error) = ((d.mean(), 1.96 * d.std() / np.sqrt(len(d))) for d in worse)
    assert (round(gain, 3), round(gain_error, 3)) == (0.033, 0.007)
    assert abs(more) < more_error, "that it is worse than with all bits is not shown"


def test_three_quarters_of_the_evidence_help_the_category_too():
    """So a smaller loss of halved bits says nothing for bits: temper any naive Bayes a little, and it gains here."""
    for people, gain in ((load_titanic(), 0.003), (load_ucb_admissions(), 0.003)):
        X, y = people.data, people.target
        folds = StratifiedKFold(10, shuffle=True, random_state=0)
        said = np.log(cross_val_predict(CategoricalNB(), X, y, cv=folds, method="predict_proba"))
        prior = np.log(np.bincount(y) / len(y))
        tempered = softmax(prior + 0.75 * (said - prior), axis=1)
        assert log_loss(y, np.exp(said)) - log_loss(y, tempered) == pytest.approx(gain, abs=6e-4)


def test_at_equal_sureness_weak_evidence_is_no_worse():
    strong, weak = played(1.0, RANDOM), played(10.0, RANDOM)
    one, eight = SIZES.index(1), SIZES.index(8)
    assert strong.best[one] == pytest.approx(weak.best[eight], abs=0.005)
    assert strong.changed[one] > weak.changed[eight]


def test_the_category_has_the_sign_of_gender_wrong_in_four_of_six_departments():
    berkeley = load_ucb_admissions()
    gender, department = berkeley.data.T
    men, women = ([berkeley.target[(gender == g) & (department == d)].mean() for d in range(6)] for g in (0, 1))
    assert np.sum(np.array(women) > men) == 4
    assert berkeley.target[gender == 1].mean() < berkeley.target[gender == 0].mean()


def cells_decided_otherwise(people):
    """(values, people, those of class 1, category's and bits' P(1)) wherever the decisions differ, by counting."""
    found = []
    classes = [people.data[people.target == c] for c in (0, 1)]
    for values in np.unique(people.data, axis=0):
        joints = [[len(r) * factors(r, values, people) for r in classes] for factors in (by_value, by_bit)]
        exact, bits = (joint[1] / sum(joint) for joint in joints)
        among = people.target[(people.data == values).all(axis=1)]
        if (exact > 0.5) != (bits > 0.5):
            found.append((values.tolist(), len(among), among.sum(), exact, bits))
    return found


def test_two_groups_are_decided_otherwise_and_gender_is_spurious_evidence():
    (boys,), (women,) = map(cells_decided_otherwise, (load_titanic(), load_ucb_admissions()))
    assert boys[:3] == ([1, 0, 0], 11, 11)
    assert boys[3] < 0.5 < boys[4]
    assert women[:3] == ([1, 1], 25, 17)
    assert women[3] == pytest.approx(0.542, abs=0.002)
    berkeley = load_ucb_admissions()
    assert [list(names[:2]) for names in berkeley.categories] == [["Male", "Female"], ["A", "B"]]

    def admitted(gender, department=None):
        gender_is, department_is = berkeley.data.T == np.array(
            [[gender], [department if department is not None else 0]]
        )
        return berkeley.target[gender_is & (department_is | (department is None))].mean()

    assert admitted(1, 1) > admitted(0, 1) + 0.04
    assert admitted(1, 0) > admitted(0, 0) + 0.2
    assert admitted(1) < admitted(0) - 0.1


# --- sample size --------------------------------------------------------------------------------------------------


def test_intervals_hold_what_they_promise():
    """25 runs at 21 seeds each; the runs of two seeds come from one pool, so the share is only roughly known."""
    explorer = SampleSizeExplorer()
    missed = np.mean([compute_result(explorer, seed=seed).misses for seed in range(21)])
    assert 0.03 < missed < 0.09


@pytest.mark.parametrize("n", [20, 100, 2000])
def test_the_half_width_is_that_of_the_runs(n):
    r = compute_result(SampleSizeExplorer(n=n, row="K = 10, alpha = 1"))
    assert 1.96 * r.errors.mean() == pytest.approx(r.half(n), rel=0.08)
    assert r.half(n) == pytest.approx(r.half(4 * n) * 2)
    assert r.naive_half(n) < r.half(n)


def test_a_frame_draws_no_more_than_it_can_and_says_how_many():
    explorer = DirichletExplorer()
    assert explorer.compute(**explorer.state | dict(n=10_000)).n == 10_000
    large = explorer.compute(**explorer.state | dict(n=10_000, C=4, K=10))
    assert large.n == 5000
    assert "5,000 classifiers" in explorer.describe(large)
    assert large.rates.n == 5000


# --- the equations ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", [dict(), dict(n=10_000, C=6, K=12), dict(alpha=0.03, K=2, seed=7), dict(n=1500, C=2)])
def test_the_rates_are_cases_counted_as_printed(state):
    explorer = DirichletExplorer(**state)
    r = compute_result(explorer)
    e = dirichlet_experiment(r.n, r.C, r.K, r.alpha, r.prior_alpha, rng=explorer.seed)
    surer, n, K, rate, other, n_again, K_again, other_rate = read_numbers(explorer)
    assert (surer, other) == (e.more_confident.sum(), e.disagrees.sum())
    assert (n, K) == (n_again, K_again) == (r.n, r.K)
    assert rate == pytest.approx(100 * surer / (n * K), abs=0.0501)
    assert other_rate == pytest.approx(100 * other / (n * K), abs=0.0501)


@pytest.mark.parametrize(("log_rho", "K"), [(1.0, 3), (-4.0, 12), (4.0, 2), (0.0, 3), (-0.1, 6)])
def test_the_wins_are_cases_counted_as_printed(log_rho, K):
    explorer = WinningClassExplorer(log_rho=log_rho, K=K)
    theta = dirichlet_experiment(2000, 2, K, 1.0, rng=0).theta
    wins, pob_wins = (part[:, 0] > np.exp(log_rho) * part[:, 1] for part in (theta, f_factor(theta)))
    shown, won, lost, gained, after, cases = read_numbers(explorer)
    assert (shown, cases) == (log_rho, 2000 * K)
    assert (won, lost, gained) == (wins.sum(), (wins & ~pob_wins).sum(), (~wins & pob_wins).sum())
    assert after == pob_wins.sum() == won - lost + gained


@pytest.mark.parametrize(
    ("F", "K", "evidence", "a", "b", "votes"),
    [
        (4, 3, AGREE, 0.5, 0.25, 4),
        (15, 2, AGREE, 0.05, 0.95, 15),
        (15, 12, AGREE, 0.95, 0.05, 15),
        (10, 6, HALF, 0.7, 0.1, 0),
        (8, 4, THIRD, 0.3, 0.3, 4),
    ],
)
def test_log_odds_add_up_as_printed(F, K, evidence, a, b, votes):
    def q(theta):
        return (1 - (1 - Fraction(str(theta))) / (K - 1)) ** (K - 1)

    explorer = SeveralVariablesExplorer(F=F, K=K, evidence=evidence, theta_a=a, theta_b=b)
    total, net, shown_a, shown_b, extra = read_numbers(explorer)
    sign = "−" in spoken(explorer.explain(compute_result(explorer))).partition("log (")[2]
    assert (net, shown_a, shown_b) == (votes, a, b)
    extra = -extra if sign else extra
    assert extra == pytest.approx(log(q(a) / q(b)), abs=5.1e-5)
    assert total == pytest.approx(votes * log(Fraction(str(a)) * q(a) / (Fraction(str(b)) * q(b))), abs=5.1e-3)
    assert total == pytest.approx(net * (log(shown_a / shown_b) + extra), abs=6e-3)


@pytest.mark.parametrize("row", [(1.0, 3), (1.0, 10), (1 / 10, 10)])
@pytest.mark.parametrize("n", [20, 100, 2000])
def test_the_half_width_is_that_of_the_equation_as_printed(n, row):
    name = next(name for name, pair in ROWS.items() if pair == row)
    half, z, spread, shown_n = read_numbers(SampleSizeExplorer(n=n, row=name))
    rates = many_rates(row[1], row[0])
    assert (z, shown_n) == (1.96, n)
    assert spread == pytest.approx(100 * rates.more_confident[1] * sqrt(rates.n), abs=5.1e-3)
    assert half == pytest.approx(196 * rates.error_of("more_confident", n), abs=5.2e-3)
    assert half == pytest.approx(z * spread / sqrt(shown_n), abs=9e-3)


# --- what a reader takes hold of ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("K", "a", "b"), [(2, 0.05, 0.95), (3, 0.5, 0.25), (12, 0.95, 0.1)])
def test_the_bars_are_theta_and_what_the_bits_make_of_it(K, a, b):
    explorer = SeveralVariablesExplorer(K=K, theta_a=a, theta_b=b)
    bars = [trace for trace in figure_of(explorer, compute_result(explorer)).data if trace.type == "bar"]
    f = [f_factor([t, *[(1 - t) / (K - 1)] * (K - 1)])[0] for t in (a, b)]
    assert list(bars[0].y) == [a, b]
    assert list(bars[1].y) == pytest.approx(f)


# --- Each statement of Williams (2024), sections 3 and 4: our number bears out the verdict that the ledger gives.

measure_claim = make_measurer(CLAIMS)


def test_the_tables_are_all_there():
    stated = [claim.stated for claim in CLAIMS[:12]]
    assert stated == [row[column] for column in (0, 1) for row in PAPER.values()]


def test_the_interval_is_that_of_a_run_of_100():
    m = table_measured("more_confident", 1.0, 3)
    assert (m.high - m.low) / 2 == pytest.approx(1.96 * 0.0254, rel=0.02)


def test_sentences_about_the_scatter():
    assert measure_claim("slope of the scatter around 0").low > 1
    wide, narrow = zip(*(getattr(measure_claim("spread wider"), end) for end in ("low", "high")), strict=True)
    assert min(wide) > 2 * max(narrow)
    on_the_line, not_there = measure_claim("Points lie on the line"), measure_claim("no obvious alignment")
    two = 2  # of the slopes 1.2, 1.8, 2, 2.2
    assert on_the_line.low[two] > 5 * not_there.high[two]
    assert on_the_line.low[two] > max(on_the_line.high[1], on_the_line.high[3]), "more than on either side of it"
    assert measure_claim("is not a bound").low > 0.1
    six, three, six_sparse, three_sparse = measure_claim("closer to the diagonal").value
    assert six < three / 2
    assert six_sparse < three_sparse / 1.5


def test_sentences_about_the_winning_class():
    assert measure_claim("almost all of class c's wins").low > 0.98
    assert measure_claim("push the points between").low > 0.8


def test_sentences_about_posteriors_and_decisions():
    unsure, sure = measure_claim("Other decisions are more likely").value
    assert unsure > 0.25
    assert sure < 0.001
    for words in ("scatter around the diagonal of", "Fewer decisions differ"):
        assert np.all(np.diff(measure_claim(words).value) < 0)
    difference = measure_claim("More decisions differ")
    assert difference.high[0] < 0 < difference.low[1] < difference.low[2]


def test_sentences_about_several_variables():
    one, two, four = measure_claim("is magnified").value
    assert two == pytest.approx(2 * one)
    assert four == pytest.approx(4 * one)
    assert measure_claim("tend to cancel").value == pytest.approx(0, abs=1e-12)


def test_the_warning_of_weak_features_needs_a_comparison():
    m = measure_claim("Many features of weak evidence each")
    (one, eight, many, *_), (*_, equal) = m.low, m.high
    highs = m.high
    assert eight > highs[0] > highs[2], "it rises and falls"
    assert eight > highs[4], "more than with as many strong variables"
    assert eight < highs[3], "but not more than with a single strong one"
    assert m.value[5] / m.value[1] == pytest.approx(1 / 3, abs=0.02), "and without a prior to outvote a third as many"
    assert equal < eight / 2
    assert min(one, many) > 0.02, "with one or with sixty-four"


# --- the exercises: answers that are wrong, and once were taken for right or got no hint of their own


def test_what_the_bits_of_two_values_say_is_undone_by_half_the_evidence():
    """One variable of two values stands for all: by the bits A has odds of 19, or of 25/16."""
    for evidence in (sqrt(76), 2.5):
        category, bits = (evidence**times / 4 for times in (1, 2))
        theta = np.array([[0.6, 0.4], [0.6 / evidence, 1 - 0.6 / evidence]])
        both = posteriors_of_several([theta], [0.2, 0.8], np.zeros((1, 1), dtype=int))
        assert [p[0, 0] for p in both] == pytest.approx([odds / (1 + odds) for odds in (category, bits)])
        if evidence > 3:
            assert bits / (1 + bits) == pytest.approx(0.95)
            assert contents("04")["04/undo"].check(category / (1 + category)).correct


def test_where_they_differ_the_category_is_right_more_often_and_how_often_depends_on_who_asks():
    """A class is drawn and shows a value; right or wrong is counted. Every value asked equally: more change."""
    rng, n = np.random.default_rng(5), 60_000
    theta, prior = rng.dirichlet([1] * 3, (n, 4)), rng.dirichlet([1] * 4, n)
    true = (rng.random((n, 1)) > prior.cumsum(axis=1)).sum(axis=1).clip(max=3)
    seen = (rng.random((n, 1)) > theta[np.arange(n), true].cumsum(axis=1)).sum(axis=1).clip(max=2)
    exact, bits = ((prior[:, :, None] * part).argmax(axis=1) for part in (theta, f_factor(theta)))
    assert np.mean(exact != bits) == pytest.approx(0.123, abs=0.004)
    exact, bits = (choice[np.arange(n), seen] for choice in (exact, bits))
    differ = exact != bits
    assert differ.mean() == pytest.approx(0.105, abs=0.005)
    assert where_they_differ() == pytest.approx([100 * np.mean((c == true)[differ]) for c in (exact, bits)], abs=2.6)
    assert [round(share) for share in where_they_differ()] == [44, 35]


def test_rare_values_of_the_same_odds_are_exaggerated_less():
    rare, common = (compute_result(SeveralVariablesExplorer(F=1, K=12, theta_a=a, theta_b=a / 2)) for a in (0.1, 0.5))
    assert rare.categorical[1] == pytest.approx(common.categorical[1]) == pytest.approx(log(2))
    assert rare.bernoullis[1] - log(2) < (common.bernoullis[1] - log(2)) / 4

"""Chapter 04."""

import re
from itertools import product
from math import inf, log, sqrt

import numpy as np
import pytest

from nbcore.one_hot import dirichlet_experiment, f_factor, posteriors_of_several
from tests.plotly_figure import figure_of
from workbook.chapters.c04_one_hot_experiments.claims import CLAIMS, table_measured
from workbook.chapters.c04_one_hot_experiments.experiment import (
    EQUAL,
    MODELS,
    PAPER,
    RANDOM,
    SIZES,
    compare_models,
    many_rates,
)
from workbook.explorer.controls import Steps
from workbook.explorers import DirichletExplorer, ManyVariablesExplorer, WinningClassExplorer
from workbook.learning import contents

from .claimed import make_measurer
from .shown import compute_result, read_numbers

# --- The explorers: each title is proven in every state, by plain probabilities.


def states(kind):
    """Yield every state of an explorer: the explorer, and the values of its controls."""
    for values in product(*(control.values for control in kind.declared.values())):
        yield kind(**dict(zip(kind.declared, values, strict=True))), values


def numbers_in(text):
    """Return the numbers of a sentence."""
    return [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*\.?\d*", text)]


def by_plain_products(experiment):
    """Return the cases that the bits decide otherwise, and those that they are surer of, (n, K) each."""
    theta, prior = experiment.theta, experiment.prior[:, :, None]
    zeros = np.stack([np.prod(np.delete(1 - theta, j, axis=2), axis=2) for j in range(theta.shape[2])], axis=2)
    p, q = (joint / joint.sum(axis=1, keepdims=True) for joint in (prior * theta, prior * theta * zeros))
    return q.argmax(axis=1) != p.argmax(axis=1), q.max(axis=1) > p.max(axis=1)


def test_the_title_of_the_draws_is_true_in_every_state():
    """Rates are cases counted; intervals are of one share for each classifier."""
    drawn = [by_plain_products(dirichlet_experiment(1600, 4, 3, 1.0, rng=draw)) for draw in range(1, 21)]
    truths = 100 * many_rates(3, 1.0).disagreement[0], 100 * many_rates(3, 1.0).more_confident[0]
    for explorer, (draws, n, counted) in states(DirichletExplorer):
        shares = 100 * np.array([events[counted][:n].mean(axis=1) for events in drawn[:draws]])
        rates, halves = shares.mean(axis=1), 1.96 * shares.std(axis=1, ddof=1) / sqrt(n)
        r = compute_result(explorer)
        told = numbers_in(r.finding)
        ends = [n, rates[0], halves[0]] if draws == 1 else [rates.min(), rates.max()]
        assert told[-len(ends) :] == pytest.approx(ends, abs=0.0501)
        assert draws < 3 or told[0] == draws
        missed = int((abs(rates - truths[counted]) > halves).sum())
        assert explorer.describe(r).endswith(f": {missed} of {draws}.")
        count, size, K, z, spread, again, rate, half = read_numbers(explorer)
        assert (count, size, K, z, again) == (drawn[draws - 1][counted][:n].sum(), n, 3, 1.96, n)
        assert rate == pytest.approx(100 * count / (n * K), abs=0.0501)
        assert half == pytest.approx(z * spread / sqrt(n), abs=0.06)


@pytest.mark.parametrize("counted", [0, 1])
def test_figure_3_is_shown(counted):
    explorer = DirichletExplorer(counted=counted, draws=7)
    e = dirichlet_experiment(1600, 4, 3, 1.0, rng=7).first(100)
    events = by_plain_products(e)[counted].ravel()
    data = [trace for trace in figure_of(explorer, compute_result(explorer)).data if trace.mode == "markers"]
    every, few = data[:2]
    assert every.x == pytest.approx(e.categorical.max(axis=1).ravel(), abs=6e-4)
    assert every.y == pytest.approx(e.bernoullis.max(axis=1).ravel(), abs=6e-4)
    assert len(few.x) == (~events if counted else events).sum()
    assert [trace.name for trace in (every, few) if trace.name] == [("decide otherwise", "are surer as bits")[counted]]
    assert not counted or np.all(few.y <= few.x + 1e-3), "those below the diagonal"


def test_intervals_hold_what_they_promise():
    """Of 600 draws of a hundred, for either rate."""
    e = dirichlet_experiment(60_000, 4, 3, 1.0, rng=9)
    for events, rate in ((e.disagrees, many_rates(3, 1.0).disagreement[0]),
                         (e.more_confident, many_rates(3, 1.0).more_confident[0])):  # fmt: skip
        runs = events.mean(axis=1).reshape(600, 100)
        missed = abs(runs.mean(axis=1) - rate) > 1.96 * runs.std(axis=1, ddof=1) / 10
        assert 0.03 < missed.mean() < 0.09


def test_the_title_of_the_prior_is_true_in_every_state():
    """Both ways round each pair counts: what c loses at some odds it gains at the inverse ones."""
    for explorer, (odds, drawn) in states(WinningClassExplorer):
        alpha, K = [(1, 3), (1 / 3, 3), (1 / 6, 6), (1, 2)][drawn]
        e = dirichlet_experiment(10_000, 2, K, alpha, rng=0)
        logs = (log_p[:, 0] - log_p[:, 1] for log_p in (e.log_theta, e.log_f))
        theta, f = (np.concatenate([ratio, -ratio]) for ratio in logs)
        wins, as_bits = theta + log(odds) > 0, f + log(odds) > 0
        lost, gained = 100 * np.mean(wins & ~as_bits), 100 * np.mean(~wins & as_bits)
        title = compute_result(explorer).finding
        told = numbers_in(title.partition("loses")[2])
        assert told == pytest.approx([lost] if odds == 1 else [lost, gained], abs=0.0501)
        assert title.startswith("Even" if odds == 1 else f"Prior {max(odds, 1 / odds):.0f} : 1 for {'dc'[odds > 1]}")
        assert np.sign(lost - gained) == np.sign(odds - 1), "on balance the favoured class loses"
        counted = 100 * wins.mean(), lost, gained, 100 * as_bits.mean()
        assert read_numbers(explorer) == pytest.approx(counted, abs=0.0501)


def test_figure_2_is_shown_and_with_two_values_lies_on_slope_two():
    for drawn, slope in ((0, None), (3, 2)):
        explorer = WinningClassExplorer(drawn=drawn, odds=3)
        cloud, crosses = [t for t in figure_of(explorer, compute_result(explorer)).data if t.mode == "markers"][:2]
        theta = dirichlet_experiment(10_000, 2, (3, 2)[drawn == 3], 1.0, rng=0).theta
        assert cloud.x[:250] == pytest.approx(np.log(theta[:, 0] / theta[:, 1]).ravel()[:250])
        assert cloud.y[:250] == pytest.approx(np.log(f_factor(theta[:, 0]) / f_factor(theta[:, 1])).ravel()[:250])
        assert slope is None or cloud.y == pytest.approx(slope * cloud.x)
        assert np.all((crosses.x > -log(3)) != (crosses.y > -log(3)))


def plain_many(F, alpha, priors, n=4000):
    """Return changed, says, right and best of n tries: plain products, and a class that is drawn and hit or missed."""
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
    return [chosen != best, says, chosen == true, best == true]


@pytest.mark.parametrize(
    ("F", "alpha", "priors"), [(1, 1, RANDOM), (4, 1, RANDOM), (8, 10, RANDOM), (8, 10, EQUAL)]
)  # fmt: skip
def test_what_the_bits_say_and_keep_agrees_with_drawn_classes(F, alpha, priors):
    for mine, theirs in zip(compare_models(alpha, priors).at(F), plain_many(F, alpha, priors), strict=True):
        error = np.std(theirs) / sqrt(len(theirs)) * sqrt(1 + 1 / 3)  # 12,000 against 4,000
        assert mine == pytest.approx(np.mean(theirs), abs=4 * error)


def test_the_title_of_many_variables_is_true_in_every_state():
    """The bits say more than they keep, and are never more often right than the true model."""
    for explorer, (F, alpha, priors) in states(ManyVariablesExplorer):
        changed, says, right, best = (100 * share for share in compare_models(alpha, (RANDOM, EQUAL)[priors]).at(F))
        title = compute_result(explorer).finding
        assert numbers_in(title) == pytest.approx([F, says, right], abs=0.0501)
        assert f"{ {1: 'strong', 3: 'mild', 10: 'weak', 30: 'very weak'}[alpha]} variable" in title
        assert says > right - 0.01
        assert best >= right
        said, kept, gap, model, again, lost = read_numbers(explorer)
        assert (said, kept, model, again) == pytest.approx((says, right, best, right), abs=0.0501)
        assert (gap, lost) == pytest.approx((said - kept, model - kept), abs=1e-9)
        assert f"decide otherwise in {changed:.1f} %" in explorer.describe(compute_result(explorer))


@pytest.mark.parametrize(("priors", "share"), [(RANDOM, 1), (EQUAL, 0)])
def test_the_second_panel_compares_at_equal_sureness(priors, share):
    """Random priors: strong ones change more wherever both are as sure. Equal ones: fewer, up to one half sure."""
    strong, weak = compare_models(1, priors), compare_models(10, priors)
    explorer = ManyVariablesExplorer(priors=int(priors == EQUAL))
    lines = {line.name: line for line in figure_of(explorer, compute_result(explorer)).data}
    assert lines["strong"].x == pytest.approx(100 * strong.best)
    assert lines["weak"].y == pytest.approx(100 * weak.changed)
    both = (weak.best > strong.best[0]) & (weak.best < (0.9 if priors == RANDOM else 0.5))
    assert both.sum() > (5 if priors == RANDOM else 0)
    more = weak.changed[both] < np.interp(weak.best[both], strong.best, strong.changed)
    assert np.mean(more) == share


# --- What the page says in words.


def test_steps_take_the_nearest_step_and_refuse_the_rest():
    steps = Steps(1.0, [0.1, 1 / 3, 1.0, inf], label="alpha")
    assert [steps.check(value) for value in (0.3, 1 / 3, 0.1, inf, 50)] == [1 / 3, 1 / 3, 0.1, inf, 1.0]
    for value in (0, 0.05, True, "1", None, np.nan):
        with pytest.raises(ValueError, match=r"alpha must be a number in \[0.1, inf\]"):
            steps.check(value)
    assert [label for label, _ in steps.widget(1.0).options] == ["0.1", "0.333", "1", "inf"]


def test_many_rates_in_blocks_are_the_rates_of_all_rows():
    rates = many_rates(3, 1.0, n_classifiers=25_000)
    parts = [
        dirichlet_experiment(n, 4, 3, 1.0, 1.0, np.random.default_rng([0, b]))
        for b, n in enumerate((10_000, 10_000, 5000))
    ]
    rows = np.concatenate([part.disagrees for part in parts]).mean(axis=1)
    assert rates.disagreement == pytest.approx((rows.mean(), rows.std(ddof=1) / np.sqrt(25_000)))
    assert rates.error_of("disagreement", 100) == pytest.approx(rows.std(ddof=1) / 10)


def test_without_a_prior_that_speaks_against_it_the_bits_are_nearly_always_surer():
    random, equal = (many_rates(3, 1.0, prior_alpha=a).more_confident[0] for a in (1, inf))
    assert random == pytest.approx(0.764, abs=0.003)
    assert equal == pytest.approx(0.993, abs=0.002)


def test_the_paper_reports_its_hundred_rightly():
    """Its own sentence on the sparser alpha is true of all three pairs of its own numbers."""
    assert all(PAPER[1 / K, K][1] > PAPER[1.0, K][1] for K in (3, 6, 10))


def test_at_equal_sureness_weak_evidence_is_no_worse():
    """One strong variable against eight weak ones: by our curves, and by plain products."""
    (strong, *_, sure), (weak, *_, as_sure) = compare_models(1, RANDOM).at(1), compare_models(10, RANDOM).at(8)
    assert sure == pytest.approx(as_sure, abs=0.005)
    assert strong - weak > 1.96 * sqrt((strong * (1 - strong) + weak * (1 - weak)) / MODELS)
    assert compare_models(1, RANDOM).at(8)[0] < weak, "beside as many strong ones the warning holds"
    changed = [np.mean(plain_many(*state, RANDOM)[0]) for state in ((1, 1), (8, 10))]
    assert changed[0] - changed[1] == pytest.approx(strong - weak, abs=0.02)


def test_weak_variables_rise_and_fall_and_need_a_prior_to_outvote():
    weak, equal = compare_models(10, RANDOM), compare_models(10, EQUAL)
    assert weak.at(1)[0] < weak.at(8)[0] - 0.015 > weak.at(64)[0]
    assert SIZES[0] < SIZES[weak.changed.argmax()] < SIZES[-1]
    assert equal.at(8)[0] / weak.at(8)[0] == pytest.approx(1 / 3, abs=0.02)
    assert equal.at(8)[1] < weak.at(8)[1]


def test_what_changes_are_close_calls():
    """One strong variable: a tenth of the decisions change, and a hundredth of the right answers is lost."""
    changed, says, right, best = compare_models(1, RANDOM).at(1)
    assert (changed, best - right) == pytest.approx((0.106, 0.01), abs=0.003)
    assert 0.05 < says - right < 0.065
    rng, n = np.random.default_rng(5), 60_000
    theta, prior = rng.dirichlet([1] * 3, (n, 4)), rng.dirichlet([1] * 4, n)
    joints = [prior[:, :, None] * part for part in (theta, f_factor(theta))]
    exact, bits = (joint.argmax(axis=1) for joint in joints)
    first, second = np.sort(joints[0], axis=1)[:, [-1, -2]].swapaxes(0, 1)
    odds, differ = first / second, exact != bits
    assert np.median(odds[differ]) < 1.3
    assert np.median(odds[~differ]) > 2.3


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
    one, two, four, weaker = measure_claim("is magnified").value
    assert (two, four) == pytest.approx((2 * one, 4 * one))
    assert weaker == pytest.approx(2 * np.log(0.4 / 0.675**2))
    assert weaker < 0 < one
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

"""Chapter 00."""

import re
from collections import Counter
from fractions import Fraction
from itertools import product
from math import log, prod

import numpy as np
import pytest

from tests.plotly_figure import figure_of
from workbook.chapters.c00_start_here.bayes_rule import PREVALENCES
from workbook.chapters.c00_start_here.experiment import chance
from workbook.explorer.formula import spoken
from workbook.explorers import BayesRuleExplorer, RepeatedTestsExplorer
from workbook.learning import check, exercise, predict

from .calculator import calculated
from .shown import compute_result

# --- The crowd: exact people, in fractions, say the same as the figure in each of its states.


def count_crowd(*rates):
    """Exact people of a thousand: ill, ill and positive, well and positive; and P(ill | positive)."""
    prevalence, sensitivity, false_alarms = (Fraction(str(rate)) for rate in rates)
    ill = 1000 * prevalence
    found, alarmed = ill * sensitivity, (1000 - ill) * false_alarms
    return ill, found, alarmed, found / (found + alarmed)


@pytest.fixture(scope="module")
def crowds():
    explorer = BayesRuleExplorer()
    return {state: explorer.compute(*state) for state in product(*(c.values for c in explorer.declared.values()))}


def test_people_are_whole_and_agree_with_bayes_rule_to_half_a_person(crowds):
    for state, r in crowds.items():
        ill, found, alarmed, p = count_crowd(*state)
        assert r.posterior == pytest.approx(float(p), rel=1e-12)
        assert {type(count) for count in (r.ill, r.found, r.alarmed)} == {int}
        assert r.ill == ill
        assert max(abs(r.found - found), abs(r.alarmed - alarmed)) <= Fraction(1, 2)
        assert abs(r.found - p * r.positive) <= Fraction(1, 2), "the count is the probability, to half a person"


def test_the_title_of_the_crowd_is_true_in_every_state(crowds):
    seen = Counter()
    for state, r in crowds.items():
        *_, p = count_crowd(*state)
        said = [Fraction(number) for number in re.findall(r"[\d.]+", r.finding)]
        kind = re.match("The test says nothing|No false alarms|Most|About half|Of", r.finding)[0]
        seen[kind] += 1
        assert (kind == "The test says nothing") == (state[1] == state[2])
        assert (kind == "No false alarms") == (p == 1)
        if kind == "The test says nothing":
            assert said == [100 * p, 100 * Fraction(str(state[0]))]
        elif kind == "No false alarms":
            assert (said or [1]) == [r.found] == [r.positive]
        else:
            assert said == [r.positive, r.found] if kind == "Of" else said == [r.found, r.positive]
            share, half = Fraction(r.found, r.positive), Fraction(1, 2)
            assert share < half > p if kind == "Of" else share > half < p if kind == "Most" else True
            assert kind != "About half" or max(abs(p - half), abs(share - half)) <= Fraction(6, 100)
    assert len(seen) == 5
    assert crowds[0.01, 0.8, 0.096].finding == "Of 103 who test positive, only 8 are ill"
    assert crowds[0.1, 0.8, 0.096].finding.startswith("About half"), "as the caption says"


def test_the_dots_are_the_people_and_the_curve_is_the_rule(crowds):
    explorer = BayesRuleExplorer()
    for state, r in crowds.items():
        figure, missed = explorer.draw(r), r.ill - r.found
        dots = {trace["meta"]["mark"]: np.stack([trace["x"], trace["y"]]) for trace in figure["data"][:4]}
        assert [dot.shape[1] for dot in dots.values()] == [r.found, r.alarmed, missed, 1000 - missed - r.positive]
        assert len({tuple(dot) for dot in np.hstack(list(dots.values())).T}) == 1000, "nobody stands on another"
        left, right = (np.hstack([dots[f"{who}, {result}"][0] for who in ("ill", "well")])
                       for result in ("positive", "negative"))  # fmt: skip
        assert right.min() - left.max() >= 2, "a column between them is free"
        meta, curve = figure["layout"]["meta"], [float(count_crowd(p, *state[1:])[3]) for p in PREVALENCES]
        assert meta["handles"][0]["places"][:, 1] == pytest.approx(curve)
        assert float(meta["head"]["number"][0].removesuffix(" %")) == pytest.approx(100 * r.posterior, rel=0.05)
        x, before, x_after, after = (trace[axis] for trace in figure["data"][4:6] for axis in "xy")
        assert x.tolist() == before.tolist() == x_after.tolist()
        assert after[::6] == pytest.approx([float(count_crowd(p, *state[1:])[3]) for p in x[::6]])


def test_the_printed_quotient_is_the_printed_posterior(crowds):
    """By a calculator that reads nothing but the line."""
    for state, r in crowds.items():
        quotient, answer = spoken(BayesRuleExplorer().explain(r)).split(" = ")
        assert float(answer) == pytest.approx(eval(quotient.replace("·", "*")), rel=0.005)
        assert float(answer) == pytest.approx(float(count_crowd(*state)[3]), rel=0.005)


def test_what_the_page_sets_stands_on_the_sliders(crowds):
    told = {(0.01, 0.8, 0.096), (0.01, 0.8, 0.01), (0.01, 0.8, 0.002), (0.2, 0.99, 0.096), (0.2, 0.8, 0.01)}
    assert told <= set(crowds)


def test_fewer_false_alarms_help_more_than_a_better_finder():
    """P(ill | positive) with 1 % false alarms, and with 99 % found: in fractions."""
    ways = [(Fraction("0.99"), Fraction("0.096")), (Fraction("0.8"), Fraction("0.01"))]
    finder, alarms = (found / (found + 99 * alarms) for found, alarms in ways)
    assert predict("00/better-test").right_option() == "fewer false alarms"
    assert predict("00/better-test").truth() == pytest.approx(float(alarms / finder))
    assert all(f"{float(p):.3g}" in predict("00/better-test").reveal() for p in (finder, alarms))


# --- Tests that repeat one another: by letting people take them, and in fractions.


def count_posterior(prevalence, positives, negatives=0):
    """P(ill) after independent tests, as a fraction of people."""
    p = Fraction(str(prevalence))
    ill = p * Fraction("0.8") ** positives * Fraction("0.2") ** negatives
    well = (1 - p) * Fraction("0.096") ** positives * Fraction("0.904") ** negatives
    return ill / (ill + well)


@pytest.mark.parametrize("repeated", [0.0, 0.3, 0.5, 1.0])
def test_the_truth_is_what_happens_to_people_and_naive_bayes_takes_all_for_independent(repeated):
    """A million ill and a million well people; each further test is drawn anew or copies the first."""
    rng, people = np.random.default_rng(5), 1_000_000
    positive = np.array([[0.8], [0.096]])
    first = rng.random((2, people)) < positive
    so_far, shares = first, [first.mean(axis=1)]
    for _ in range(2):
        copy, own = rng.random((2, people)) < repeated, rng.random((2, people)) < positive
        so_far = so_far & np.where(copy, first, own)
        shares.append(so_far.mean(axis=1))
    r = compute_result(RepeatedTestsExplorer(repeats=repeated))
    for tests, share in enumerate(shares, start=1):
        ill, well = np.array([0.01, 0.99]) * share
        assert r.truth[tests] == pytest.approx(ill / (ill + well), rel=0.03)


@pytest.mark.parametrize(("tests", "repeats"), [*product(*(c.values for c in RepeatedTestsExplorer.declared.values()))])
def test_what_the_repeats_say_is_true_in_every_state(tests, repeats):
    """In fractions: of the ill and of the well, who was positive once is positive again."""
    explorer, share = RepeatedTestsExplorer(tests=tests, repeats=repeats), Fraction(str(repeats))
    r, again = compute_result(explorer), [share + (1 - share) * s for s in (Fraction("0.8"), Fraction("0.096"))]
    odds = [Fraction(1, 99), *(Fraction(1, 99) * Fraction("0.8") / Fraction("0.096") * (again[0] / again[1]) ** more
                               for more in range(6))]  # fmt: skip
    truth, naive = float(odds[tests] / (1 + odds[tests])), float(count_posterior(0.01, tests))
    worth = (log(odds[tests]) - log(odds[0])) / log(0.8 / 0.096)
    says = f"P(ill) is {chance(truth)}, to naive Bayes {chance(naive)}."
    if "naive Bayes is right" in r.finding:
        assert truth == pytest.approx(naive)
    elif "copies of one result" in r.finding:
        assert odds[tests] == odds[1]
    else:
        assert r.finding == f"{tests} positive tests are worth {worth:.1f}: naive Bayes counts all {tests}"
        assert 1 < worth < tests - 0.05
    assert says in explorer.describe(r)
    assert explorer.draw(r)["layout"]["meta"]["head"]["number"][0] == chance(truth)
    figure = figure_of(explorer, r)
    lines, (gap,), (grip, bar) = figure.data, figure.layout.shapes, explorer.draw(r)["layout"]["meta"]["handles"]
    assert (gap.x0, gap.x1, gap.y0, gap.y1) == (tests, tests, lines[0].y[tests], lines[1].y[tests])
    assert grip["places"] == pytest.approx(np.column_stack([range(1, 7), lines[0].y[1:]]))
    assert bar["places"] == pytest.approx([1 - 0.904 * (1 - s) for s in RepeatedTestsExplorer.repeats.values])
    assert [(*dash.x, *dash.y) for dash in lines[4:]] == [(-0.4, 0.4, 0.8, 0.8), (0.6, 1.4, 0.096, 0.096)]
    assert lines[0].y == pytest.approx([float(o / (1 + o)) for o in odds])
    assert lines[1].y == pytest.approx([float(count_posterior(0.01, n)) for n in range(7)])
    assert (*lines[2].x, *lines[2].y) == (tests, lines[0].y[tests])
    assert lines[3].y == pytest.approx([float(p) for p in again])
    total, answer = spoken(explorer.explain(r)).split(" = ")
    printed, p = map(calculated, answer.split(" , so "))
    assert calculated(total) == pytest.approx(printed, rel=0.01)
    assert p == pytest.approx(printed / (1 + printed), rel=0.005)


def test_the_share_of_repeats_is_the_correlation_of_the_first_result_with_a_further_one():
    """And its square is that of two further ones: every way in which three results can come about, within a group."""
    for s, share in product((Fraction("0.8"), Fraction("0.096")), (Fraction(0), Fraction(3, 10), Fraction(1))):
        both = {(0, 1): Fraction(0), (1, 2): Fraction(0)}
        for copies in product((True, False), repeat=2):
            for own in product((1, 0), repeat=3):
                results = [own[0], *(own[0] if copy else result for copy, result in zip(copies, own[1:], strict=True))]
                chance = prod(share if copy else 1 - share for copy in copies) * prod(s if o else 1 - s for o in own)
                for i, j in both:
                    both[i, j] += chance * results[i] * results[j]
        first, further = ((joint - s * s) / (s * (1 - s)) for joint in both.values())
        assert first == share
        assert further == share**2


# --- Questions: typical wrong answers, and what is said in words.


@pytest.mark.parametrize("key", [f"00/{name}" for name in "negative odds prosecutor repeats".split()])
def test_a_right_answer_that_was_rounded_is_not_called_a_mistake_in_thinking(key):
    for digits in (1, 2):
        feedback = check(key, float(f"{exercise(key).expected():.{digits}g}"))
        slips = [m.hint for m in exercise(key).mistakes if m.hint in feedback.message]
        assert feedback.correct or not slips or "three significant digits" in slips[0]


def test_no_slider_holds_the_numbers_of_an_exercise():
    assert 0.03 not in BayesRuleExplorer.prevalence.values
    assert min(abs(share - 1 / 3) for share in RepeatedTestsExplorer.repeats.values) > 0.01
    assert exercise("00/negative").expected() == pytest.approx(float(count_posterior(0.03, 0, 1)))


def test_the_answers_are_those_of_counted_people():
    worth = (1 + 2 * Fraction("0.8")) / (1 + 2 * Fraction("0.096"))
    odds = Fraction(1, 99) * Fraction("0.8") / Fraction("0.096") * worth
    assert exercise("00/repeats").expected() == pytest.approx(float(odds / (1 + odds)))
    assert exercise("00/prosecutor").expected() == pytest.approx(float(1 / (1 + Fraction(499_999, 10_000))))
    assert predict("00/repeated").right_option() == "about 50 %"

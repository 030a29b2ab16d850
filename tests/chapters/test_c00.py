"""Chapter 00."""

import re
from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path

import nbformat
import numpy as np
import pytest

from nbcore.datasets import load_names
from tests.plotly_figure import figure_of
from workbook.chapters.c00_start_here.bayes_rule import PREVALENCES
from workbook.explorer.formula import spoken
from workbook.explorers import BayesRuleExplorer, LogOddsExplorer, RepeatedTestsExplorer
from workbook.learning import check, exercise, predict

from .calculator import calculated

PAGE = nbformat.read(Path(__file__).parents[2] / "notebooks" / "00_start_here.ipynb", 4)

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
    assert {(0.01, 0.8, 0.096), (0.2, 0.99, 0.096), (0.2, 0.8, 0.01), (0.01, 0.5, 0.5)} <= set(crowds)


def test_a_yes_needs_few_false_alarms_and_a_no_few_misses():
    """P(ill | result) as it is, with 99 % found, with 1 % false alarms: in fractions."""
    ways = [
        (Fraction("0.8"), Fraction("0.096")),
        (Fraction("0.99"), Fraction("0.096")),
        (Fraction("0.8"), Fraction("0.01")),
    ]
    yes = [found / (found + 99 * alarms) for found, alarms in ways]
    no = [(1 - found) / (1 - found + 99 * (1 - alarms)) for found, alarms in ways]
    assert [f"{float(p):.3g}" for p in yes] == ["0.0776", "0.0943", "0.447"]
    assert [f"{float(p):.3g}" for p in no] == ["0.00223", "0.000112", "0.00204"]
    for key, (_, finder, alarms), better in (
        ("00/better-test", yes, "fewer false alarms"),
        ("00/better-no", no, "fewer misses"),
    ):
        assert predict(key).right_option() == better
        assert predict(key).truth() == pytest.approx(float(alarms / finder))
        assert all(f"{float(p):.3g}" in predict(key).reveal() for p in (finder, alarms))


# --- The ruler of log odds: by counting people, never by a logarithm.


def count_posterior(prevalence, positives, negatives):
    """P(ill) after independent tests, as a fraction of people."""
    p = Fraction(str(prevalence))
    ill = p * Fraction("0.8") ** positives * Fraction("0.2") ** negatives
    well = (1 - p) * Fraction("0.096") ** positives * Fraction("0.904") ** negatives
    return ill / (ill + well)


@pytest.mark.parametrize(("positives", "negatives"), list(product(range(5), range(4))))
def test_the_walk_ends_where_people_are_counted(positives, negatives):
    explorer = LogOddsExplorer(positives=positives, negatives=negatives)
    r = explorer.compute(**explorer.state)
    for prior, path in zip((0.01, 0.2), r.paths, strict=True):
        for k, log_odds in enumerate(path):
            p = count_posterior(prior, min(k, positives), max(k - positives, 0))
            assert 1 / (1 + np.exp(-log_odds)) == pytest.approx(float(p), rel=1e-9)


def arrow_lengths(trace):
    """From where to where each arrow of a trace goes."""
    x = np.array(trace.x).reshape(-1, 6)
    return x[:, 1] - x[:, 0]


def test_an_arrow_is_as_long_for_everybody_on_one_ruler_and_not_on_the_other():
    explorer = LogOddsExplorer(positives=3, negatives=2)
    figure = figure_of(explorer, explorer.compute(**explorer.state))
    ruler = [trace for trace in figure.data if trace.xaxis == "x"]
    chances = [trace for trace in figure.data if trace.xaxis == "x2"]
    assert arrow_lengths(ruler[0]) == pytest.approx([np.log(0.8 / 0.096)] * 6)
    assert arrow_lengths(ruler[1]) == pytest.approx([np.log(0.2 / 0.904)] * 4)
    assert np.ptp(arrow_lengths(chances[0])) > 0.3


def test_every_printed_sum_comes_out_with_a_calculator():
    for positives, negatives, screening in product(range(5), range(4), LogOddsExplorer.screening.values):
        if positives or negatives:
            explorer = LogOddsExplorer(positives=positives, negatives=negatives, screening=screening)
            equation = spoken(explorer.explain(explorer.compute(**explorer.state))).removeprefix("screening: ")
            total, answers = equation.split(" = ")
            end, chance = answers.split(" , a probability of ")
            assert f"{calculated(total):+.2f}" == end.replace("−", "-"), equation
            exact = float(count_posterior(screening, positives, negatives))
            assert calculated(chance) == pytest.approx(exact, rel=0.005)


# --- Tests that repeat one another: by letting people take them.


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
    r = RepeatedTestsExplorer().compute(tests=2, repeated=repeated, prevalence=0.01)
    for tests, share in enumerate(shares, start=1):
        ill, well = np.array([0.01, 0.99]) * share
        assert 1 / (1 + np.exp(-r.log_odds["truth"][tests])) == pytest.approx(ill / (ill + well), rel=0.03)
    both = [
        Fraction(str(repeated)) * s + (1 - Fraction(str(repeated))) * s**2 for s in (Fraction("0.8"), Fraction("0.096"))
    ]
    exact = both[0] / (both[0] + 99 * both[1])
    assert 1 / (1 + np.exp(-r.log_odds["truth"][2])) == pytest.approx(float(exact), rel=1e-12)
    naive = [float(count_posterior(0.01, tests, 0)) for tests in range(7)]
    assert 1 / (1 + np.exp(-r.log_odds["naive Bayes"])) == pytest.approx(naive, rel=1e-9)


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


def test_what_the_captions_say_of_the_repeats():
    said = {}
    for name in RepeatedTestsExplorer.presets:
        explorer = RepeatedTestsExplorer().preset(name)
        r = explorer.compute(**explorer.state)
        said[name] = [1 / (1 + np.exp(-r.log_odds[line][r.tests])) for line in ("truth", "naive Bayes")]
    assert said["The same sample twice"] == pytest.approx([8 / 103.04, float(count_posterior(0.01, 2, 0))])
    assert said["Two tests of their own"][0] == pytest.approx(said["Two tests of their own"][1])
    assert said["Half are repeats"] == pytest.approx([0.12, 0.41], abs=0.005), "twelve, and forty-one"
    assert said["Six in a row"][0] == pytest.approx(0.5, abs=0.005), "a coin"
    assert said["Six in a row"][1] > 0.999


@pytest.mark.parametrize("preset", RepeatedTestsExplorer.presets)
def test_the_printed_product_is_the_printed_odds(preset):
    explorer = RepeatedTestsExplorer().preset(preset)
    equation = spoken(explorer.explain(explorer.compute(**explorer.state)))
    for part in equation.split(" ; "):
        odds, rest = part.split(": ")[1].split(" = ")
        number, chance = rest.split(" , so ")
        power = odds.replace("·", "*").replace("⁵", "**5")
        assert eval(power) == pytest.approx(float(number.replace(",", "")), rel=0.006)
        assert float(chance) == pytest.approx(eval(power) / (1 + eval(power)), rel=0.006)


# --- Questions: typical wrong answers, and what is said in words.


@pytest.mark.parametrize("key", [f"00/{name}" for name in "negative odds even prosecutor how-many repeats".split()])
def test_a_right_answer_that_was_rounded_is_not_called_a_mistake_in_thinking(key):
    for digits in (1, 2):
        feedback = check(key, float(f"{exercise(key).expected():.{digits}g}"))
        slips = [m.hint for m in exercise(key).mistakes if m.hint in feedback.message]
        assert feedback.correct or not slips or "three significant digits" in slips[0]


def test_no_slider_holds_the_numbers_of_an_exercise():
    assert 0.03 not in BayesRuleExplorer.prevalence.values
    assert min(abs(share - 1 / 3) for share in RepeatedTestsExplorer.repeated.values) > 0.01
    assert exercise("00/negative").expected() == pytest.approx(float(count_posterior(0.03, 0, 1)))


def test_the_arrows_of_gloria():
    """Counted with strings: triples of letters in entries that are not hers, the end of a name as a letter."""
    names = load_names(both_lists=False)
    rows = [(f"{name}¶", sex) for name, sex in zip(names.data, names.target_names[names.target], strict=True)
            if name != "Gloria"]  # fmt: skip
    assert len(rows) == 6444
    seen = Counter((name[k : k + 3], sex) for name, sex in rows for k in range(len(name) - 2))
    total, entries = Counter(), Counter(sex for _, sex in rows)
    for (_, sex), count in seen.items():
        total[sex] += count
    assert (seen["Glo", "male"], seen["Glo", "female"]) == (1, 0), "one male name and no female one"
    assert [name[:3] for name, _ in rows if "Glo" in name] == ["Glo"], "begins it"
    said = {"prior": np.log(entries["male"] / entries["female"])}
    for triple in ("ia¶", "lor", "ori", "ria"):
        said[triple] = np.log(seen[triple, "male"] / total["male"] * total["female"] / seen[triple, "female"])
    (printed,) = [output.text for cell in PAGE.cells if cell.id == "ahead-arrows" for output in cell.outputs]
    assert dict(line.split() for line in printed.splitlines()) == {
        "Glo": "+inf", **{name: f"{length:+.2f}" for name, length in said.items()}
    }  # fmt: skip


def test_the_answers_are_those_of_counted_people():
    rare = [min(n for n in range(9) if count_posterior(p, n, 0) > Fraction(1, 2)) for p in (0.01, 0.0001)]
    assert rare == [3, exercise("00/how-many").expected()]
    assert rare[1] - rare[0] == 2
    worth = (1 + 2 * Fraction("0.8")) / (1 + 2 * Fraction("0.096"))
    odds = Fraction(1, 99) * Fraction("0.8") / Fraction("0.096") * worth
    assert exercise("00/repeats").expected() == pytest.approx(float(odds / (1 + odds)))
    assert exercise("00/prosecutor").expected() == pytest.approx(float(1 / (1 + Fraction(499_999, 10_000))))
    assert predict("00/repeated").right_option() == "about 50 %"
    assert predict("00/one-of-each").truth() == pytest.approx(float(100 * count_posterior(0.01, 1, 1)))

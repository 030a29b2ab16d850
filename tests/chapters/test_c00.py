"""Chapter 00."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from workbook.chapters.c00_start_here.bayes_rule import GAP, PREVALENCES
from workbook.explorers import BayesRuleExplorer, LogOddsExplorer, RepeatedTestsExplorer
from workbook.learning import check, exercise, predict
from workbook.page.formula import spoken

# --- Chapter 00's explorer: whole people and exact fractions say the same as the figure.


@pytest.mark.parametrize("result", ["positive", "negative"])
def test_the_posterior_is_bayes_rule_in_fractions(result):
    explorer = BayesRuleExplorer()
    for prevalence, sensitivity, specificity in product(PREVALENCES, (0.05, 0.8, 0.99), (0.5, 0.904, 0.996)):
        r = explorer.compute(prevalence, sensitivity, specificity, result)
        p, hit, clear = (Fraction(str(x)) for x in (prevalence, sensitivity, specificity))
        ill, well = (p * hit, (1 - p) * (1 - clear)) if result == "positive" else (p * (1 - hit), (1 - p) * clear)
        assert r.posterior == pytest.approx(float(ill / (ill + well)), rel=1e-12)
        assert r.crowd.sum() == 1000
        if r.seen.sum() > 200:
            assert r.seen[0] / r.seen.sum() == pytest.approx(r.posterior, abs=0.01)


def test_every_person_has_one_sign_and_the_bars_are_the_beliefs():
    explorer = BayesRuleExplorer(prevalence=0.2, result="negative")
    r = explorer.compute(**explorer.state)
    *crowd, _, bars = explorer.draw(r).data
    places = {(x, y) for trace in crowd for x, y in zip(trace.x, trace.y, strict=True)}
    assert len(places) == sum(len(trace.x) for trace in crowd) == 1000
    shown = {trace.name: len(trace.x) for trace in crowd}
    assert shown == {"ill, positive": 160, "ill, negative": 40, "well, negative": 723, "well, positive": 77}
    np.testing.assert_allclose(bars.y, [0.2, r.posterior])


@pytest.mark.parametrize("state", [dict(sensitivity=0.0, specificity=1.0), dict(prevalence=0.001, sensitivity=0.3)])
def test_a_result_that_hardly_anybody_has(state):
    explorer = BayesRuleExplorer(**state)
    r = explorer.compute(**explorer.state)
    assert np.isfinite(r.posterior)
    assert explorer.describe(r).endswith(".")


@pytest.mark.parametrize("result", ["positive", "negative"])
@pytest.mark.parametrize(
    ("prevalence", "sensitivity", "specificity"),
    [
        (0.01, 0.8, 0.904),
        (0.001, 1.0, 0.996),
        (0.5, 0.0, 0.5),
        (0.3, 1.0, 1.0),
        (0.002, 0.07, 0.504),
        (0.1, 0.0, 0.996),
    ],
)
def test_the_printed_quotient_is_the_printed_posterior(prevalence, sensitivity, specificity, result):
    """By a calculator that reads nothing but the line, and by whole people of a million."""
    explorer = BayesRuleExplorer(prevalence=prevalence, sensitivity=sensitivity, specificity=specificity, result=result)
    quotient, answer = spoken(explorer.explain(explorer.compute(**explorer.state))).split(" = ")
    assert float(answer) == pytest.approx(eval(quotient.replace("·", "*")), rel=0.005)
    ill, well = round(1_000_000 * prevalence), round(1_000_000 * (1 - prevalence))
    rates = (sensitivity, 1 - specificity) if result == "positive" else (1 - sensitivity, specificity)
    seen = [ill * rates[0], well * rates[1]]
    assert float(answer) == pytest.approx(seen[0] / sum(seen), rel=0.005)


def test_nobody_has_the_result():
    explorer = BayesRuleExplorer(prevalence=0.2, sensitivity=0.0, specificity=1.0)
    r = explorer.compute(**explorer.state)
    assert spoken(explorer.explain(r)).startswith("(0.2 · 0) / (0.2 · 0 + 0.8 · 0) = undefined")
    assert r.posterior == 0.2, "the prior is kept"


@pytest.mark.parametrize(
    "state", [{}, dict(prevalence=0.3, sensitivity=0.35, result="negative"), dict(sensitivity=1.0)]
)
def test_the_four_areas_fill_the_square_and_its_edges_are_the_grips(state):
    explorer = BayesRuleExplorer(**state)
    r = explorer.compute(**explorer.state)
    figure = explorer.draw(r)
    *_, areas, _ = figure.data
    sizes = np.multiply(areas.width, areas.y)
    assert sizes.sum() == pytest.approx(1)
    assert sizes * 1000 == pytest.approx(r.crowd.ravel(), abs=0.51), "the crowd, in parts of one"
    left, right = np.subtract(areas.x, np.divide(areas.width, 2)), np.add(areas.x, np.divide(areas.width, 2))
    assert left == pytest.approx([0, 0, r.prevalence, r.prevalence])
    assert right == pytest.approx([r.prevalence, r.prevalence, 1, 1])
    assert np.add(areas.base, areas.y)[[1, 3]] == pytest.approx([1, 1])
    grips = {grip["controls"][0]: grip for grip in figure.layout.meta["handles"]}
    assert grips["prevalence"]["x"] == right[0]
    assert (grips["sensitivity"]["y"], grips["specificity"]["y"]) == pytest.approx((areas.y[0], areas.y[2]))


@pytest.mark.parametrize("prevalence", PREVALENCES)
def test_the_ill_are_a_strip_of_their_own_with_positive_tests_below(prevalence):
    explorer = BayesRuleExplorer(prevalence=prevalence)
    panel = explorer.draw(explorer.compute(**explorer.state))
    people = {trace.name: np.array([trace.x, trace.y]) for trace in panel.data[:4]}
    ill, well = (np.hstack([people[f"{g}, positive"], people[f"{g}, negative"]]) for g in ("ill", "well"))
    assert well[0].min() - ill[0].max() == pytest.approx(1 + GAP), "a gap between them"
    assert list(panel.layout.xaxis.ticktext) == [f"{ill.shape[1]} ill", f"{well.shape[1]} well"]
    for group in ("ill", "well"):
        above, below = people[f"{group}, negative"][1], people[f"{group}, positive"][1]
        assert not above.size or not below.size or below.max() <= above.min()
    low, high = panel.layout.xaxis.range
    assert low < ill[0].min()
    assert well[0].max() < high


@pytest.mark.parametrize("result", ["positive", "negative"])
def test_the_legend_has_a_sign_for_each_of_the_four_kinds(result):
    explorer = BayesRuleExplorer(result=result)
    named = [t.name for t in explorer.draw(explorer.compute(**explorer.state)).data if t.showlegend is not False]
    assert named == ["ill, positive", "ill, negative", "well, positive", "well, negative"]


def test_the_specificities_of_the_page_are_on_the_slider():
    values = BayesRuleExplorer.specificity.values
    assert {0.904, 0.99} <= set(values)
    assert BayesRuleExplorer.specificity.check(0.99) == 0.99


@pytest.mark.parametrize("state", [{}, dict(result="negative"), dict(prevalence=0.5), dict(specificity=0.99)])
def test_the_sizes_that_are_written_are_the_filled_areas(state):
    explorer = BayesRuleExplorer(**state)
    r = explorer.compute(**explorer.state)
    p, s, f = (Fraction(str(x)) for x in (r.prevalence, explorer.sensitivity, explorer.specificity))
    wanted = [p * s, (1 - p) * (1 - f)] if r.result == "positive" else [p * (1 - s), (1 - p) * f]
    notes = [note.text for note in explorer.draw(r).layout.annotations if note.name != "title"]
    assert [float(text) for text in notes] == pytest.approx([float(area) for area in wanted], rel=0.005)


def heads(preset):
    """Ill and well people with the preset's result, of 1,000."""
    explorer = BayesRuleExplorer().preset(preset)
    return explorer.compute(**explorer.state).seen


def test_what_the_captions_say_of_the_crowd():
    assert tuple(heads("A negative test")) == (2, 895), "nearly nine hundred negatives"
    assert 890 < sum(heads("A negative test")) < 900
    assert tuple(heads("One in a thousand")) == (1, 96), "nearly a hundred alarms"
    usual, fewer = heads("A positive test")[1], heads("1 % false alarms")
    assert fewer[1] == pytest.approx(usual / 10, abs=1)
    assert 0.4 < fewer[0] / sum(fewer) < 0.5, "nearly every second"


# --- The ruler of log odds: by counting people, never by a logarithm.


def counted(prevalence, positives, negatives):
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
            p = counted(prior, min(k, positives), max(k - positives, 0))
            assert 1 / (1 + np.exp(-log_odds)) == pytest.approx(float(p), rel=1e-9)


def shafts(trace):
    """From where to where each arrow of a trace goes."""
    x = np.array(trace.x).reshape(-1, 6)
    return x[:, 1] - x[:, 0]


def test_an_arrow_is_as_long_for_everybody_on_one_ruler_and_not_on_the_other():
    explorer = LogOddsExplorer(positives=3, negatives=2)
    figure = explorer.draw(explorer.compute(**explorer.state))
    ruler = [trace for trace in figure.data if trace.xaxis == "x"]
    chances = [trace for trace in figure.data if trace.xaxis == "x2"]
    assert shafts(ruler[0]) == pytest.approx([np.log(0.8 / 0.096)] * 6)
    assert shafts(ruler[1]) == pytest.approx([np.log(0.2 / 0.904)] * 4)
    assert np.ptp(shafts(chances[0])) > 0.3
    assert (ruler[0].name, ruler[1].name) == ("positive test, +2.12", "negative test, −1.51")


def test_what_the_captions_say_of_the_ruler():
    ends = {}
    for name in LogOddsExplorer.presets:
        explorer = LogOddsExplorer().preset(name)
        ends[name] = explorer.compute(**explorer.state).paths[:, -1]
    assert ends["Two positive tests"][0] < 0 < ends["Two positive tests"][1]
    assert min(ends["A third one"]) > 0
    assert ends["One of each"][0] > np.log(0.01 / 0.99), "the arrow to the right is the longer one"
    assert ends["One in a thousand"][0] < 0
    assert [float(counted(0.01, n, 0)) for n in (2, 3)] == pytest.approx([0.412, 0.854], abs=5e-4)


@pytest.mark.parametrize("preset", LogOddsExplorer.presets)
def test_the_printed_sum_is_the_printed_log_odds(preset):
    explorer = LogOddsExplorer().preset(preset)
    said = spoken(explorer.explain(explorer.compute(**explorer.state))).removeprefix("screening: ")
    total, end, chance = said.replace("−", "-").replace("·", "*").replace(" , a probability of", " =").split(" = ")
    assert eval(total) == pytest.approx(float(end), abs=0.003)
    prior, positives, negatives = explorer.screening, explorer.positives, explorer.negatives
    assert float(chance) == pytest.approx(float(counted(prior, positives, negatives)), rel=0.005)


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
    naive = [float(counted(0.01, tests, 0)) for tests in range(7)]
    assert 1 / (1 + np.exp(-r.log_odds["naive Bayes"])) == pytest.approx(naive, rel=1e-9)


def test_the_share_of_repeats_is_the_correlation_of_two_results_of_a_group():
    for s, share in product((Fraction("0.8"), Fraction("0.096")), (Fraction(0), Fraction(3, 10), Fraction(1))):
        both = share * s + (1 - share) * s**2
        assert (both - s * s) / (s * (1 - s)) == share


def test_what_the_captions_say_of_the_repeats():
    said = {}
    for name in RepeatedTestsExplorer.presets:
        explorer = RepeatedTestsExplorer().preset(name)
        r = explorer.compute(**explorer.state)
        said[name] = [1 / (1 + np.exp(-r.log_odds[line][r.tests])) for line in ("truth", "naive Bayes")]
    assert said["The same sample twice"] == pytest.approx([8 / 103.04, float(counted(0.01, 2, 0))])
    assert said["Two tests of their own"][0] == pytest.approx(said["Two tests of their own"][1])
    assert said["Half are repeats"] == pytest.approx([0.12, 0.41], abs=0.005), "twelve, and forty-one"
    assert said["Six in a row"][0] == pytest.approx(0.5, abs=0.005), "a coin"
    assert said["Six in a row"][1] > 0.999


@pytest.mark.parametrize("preset", RepeatedTestsExplorer.presets)
def test_the_printed_product_is_the_printed_odds(preset):
    explorer = RepeatedTestsExplorer().preset(preset)
    said = spoken(explorer.explain(explorer.compute(**explorer.state)))
    for part in said.split(" ; "):
        odds, rest = part.split(": ")[1].split(" = ")
        number, chance = rest.split(" , so ")
        power = odds.replace("·", "*").replace("⁵", "**5")
        assert eval(power) == pytest.approx(float(number.replace(",", "")), rel=0.006)
        assert float(chance) == pytest.approx(eval(power) / (1 + eval(power)), rel=0.006)


# --- Questions: typical wrong answers, and what is said in words.


@pytest.mark.parametrize(
    ("key", "answer", "hint"),
    [
        ("00/negative", 0.002, "three significant digits"),
        ("00/negative", "0.998", "P(well | negative)"),
        ("00/how-many", 4, "still ahead"),
        ("00/how-many", 1200, "divided once"),
        ("00/repeats", 0.412, "as naive Bayes does"),
        ("00/prosecutor", "1/50", "one more"),
        ("00/prosecutor", "99.99 %", "prosecutor's fallacy"),
    ],
)
def test_a_typical_wrong_answer_gets_its_hint(key, answer, hint):
    said = check(key, answer)
    assert not said.correct
    assert hint in said.message


@pytest.mark.parametrize(
    ("function", "hint"),
    [
        (lambda p, q: (p + q) / (p + q).sum(), "multiplied"),
        (lambda p, q: np.array([p[0] * q[0], p[1] * q[1]]) / (p[0] * q[0] + p[1] * q[1]), "there may be more"),
        (lambda p, q: (p * q)[0] / (p * q).sum(), "one probability for each class"),
    ],
)
def test_a_typical_wrong_function_gets_its_hint(function, hint):
    assert hint in check("00/posterior", function).message


def test_what_the_words_of_the_questions_say():
    assert "four and a half times" in exercise("00/negative").well_done
    assert float(Fraction(1, 100) / counted(0.01, 0, 1)) == pytest.approx(4.5, abs=0.05)
    assert "two positive tests more" in exercise("00/how-many").well_done
    rare = [min(n for n in range(9) if counted(p, n, 0) > Fraction(1, 2)) for p in (0.01, 0.0001)]
    assert rare == [3, exercise("00/how-many").expected()]
    assert rare[1] - rare[0] == 2
    worth = (Fraction("0.3") + Fraction("0.7") * Fraction("0.8")) / (
        Fraction("0.3") + Fraction("0.7") * Fraction("0.096")
    )
    assert f"{float(worth):.2f}" == "2.34"
    assert "2.34" in exercise("00/repeats").well_done
    assert exercise("00/prosecutor").expected() == pytest.approx(float(1 / (1 + Fraction(499_999, 10_000))))
    assert predict("00/repeated").right_option() == "about 50 %"
    assert predict("00/one-of-each").truth() == pytest.approx(float(100 * counted(0.01, 1, 1)))

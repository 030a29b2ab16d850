"""Chapter 01."""

from fractions import Fraction
from pathlib import Path

import nbformat
import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import multivariate_normal, norm
from sklearn.datasets import load_iris
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import BernoulliNB as PeerPresence
from sklearn.naive_bayes import GaussianNB as Peer
from sklearn.naive_bayes import MultinomialNB as PeerWords

from nbcore.datasets import END, load_gender_measurements, load_iir_documents, load_names
from tests.plotly_figure import figure_of
from workbook.chapters.c01_naive_bayes.bells import LOG, LOWEST
from workbook.chapters.c01_naive_bayes.claims import CLAIMS, as_printed
from workbook.chapters.c01_naive_bayes.ellipses import ASIDE, ONE, OPPOSITE, PEOPLE, SAME, WIDE
from workbook.chapters.c01_naive_bayes.event_models import BERNOULLI, CUT, MULTINOMIAL
from workbook.chapters.c01_naive_bayes.evidence import EDGES, edge_for
from workbook.chapters.c01_naive_bayes.gaussian_boundary import ALL, FINE, SIDE, STEPS, normals
from workbook.chapters.c01_naive_bayes.questions import FLOWER, REPORTED
from workbook.chapters.names import names_split
from workbook.experiments import sure_names
from workbook.explorer import palette
from workbook.explorer.formula import spoken
from workbook.explorers import (
    BellsExplorer,
    EllipsesExplorer,
    EventModelsExplorer,
    EvidenceExplorer,
    GaussianBoundaryExplorer,
    NameEvidenceExplorer,
)
from workbook.learning import check, contents

from .calculator import calculated

# --- Each statement of Wikipedia's article: our number bears out the verdict that the ledger gives.

PAGE = nbformat.read(Path(__file__).parents[2] / "notebooks" / "01_naive_bayes.ipynb", 4)
MEN = np.array([[6, 180, 12], [5.92, 190, 11], [5.58, 170, 12], [5.92, 165, 10]])
WOMEN = np.array([[5, 100, 6], [5.5, 150, 8], [5.42, 130, 7], [5.75, 150, 9]])


def measured(words):
    """The measurement of the one entry whose statement has these words."""
    (claim,) = [claim for claim in CLAIMS if words in claim.statement]
    return claim.measure()


def test_the_gender_example_by_scipy():
    products = []
    for sex, people in (("male", MEN), ("female", WOMEN)):
        p = norm.pdf([6, 130, 8], people.mean(axis=0), people.std(axis=0, ddof=1))
        for column, expected in zip(("height", "weight", "foot size"), p, strict=True):
            assert measured(f"p({column} | {sex}) of").value == pytest.approx(expected, rel=1e-12)
        products.append(0.5 * p.prod())
        assert measured(f"Posterior numerator, {sex}").value == pytest.approx(products[-1], rel=3e-4), "rounded"
    assert measured("predicted to be female").value == pytest.approx(products[1] / sum(products), rel=1e-12)


def test_the_notes_on_rounding_are_right():
    assert f"{norm.pdf(130, 176.25, np.sqrt(122.92)):.4e}" == "5.9881e-06"
    assert f"{0.5 * 1.5789 * 5.9881e-06 * 1.3112e-03:.4e}" == "6.1984e-09"
    assert f"{0.5 * 2.2346e-01 * 1.6789e-02 * 2.8669e-01:.4e}" == "5.3778e-04"


def test_the_misprint():
    variance = MEN[:, 0].var(ddof=1)
    right = norm.pdf(6, MEN[:, 0].mean(), np.sqrt(variance))
    assert as_printed().value == pytest.approx(right * variance**0.25, rel=1e-12), "sigma in place of its square"


def test_the_counterexamples_and_the_closed_form():
    assert measured("Counts over totals are the maximum").value > 0
    assert measured("one by one").value == 0
    assert measured("Binning can lose").value == pytest.approx((1, 2 / 3))
    prior, counted, presence = measured("absent count").value
    assert prior == pytest.approx(counted) == 0.75
    china = Fraction(3, 4) * Fraction(3, 5) ** 3 * Fraction(1, 5) * Fraction(4, 5) ** 2
    other = Fraction(1, 4) * Fraction(2, 3) ** 3 * Fraction(1, 3) ** 3
    assert presence == pytest.approx(float(china / (china + other)))


def test_sentences_about_densities_and_parameters():
    peak, area = measured("A density above 1").value
    assert peak > 2
    assert area == pytest.approx(1, abs=1e-6)
    assert measured("linear in the number of features").value == (12, 24, 48)


def test_sentences_about_documents():
    """IIR, example 13.1, in fractions; "Tokyo" by shares of words cut to one, and by shares of documents."""
    china = Fraction(3, 4) * Fraction(3, 7) ** 3 * Fraction(1, 14) ** 2
    exact = float(china / (china + Fraction(1, 4) * Fraction(2, 9) ** 5))
    for words in ("multinomial probability", "sum of log-likelihood ratios"):
        assert measured(words).value == pytest.approx((exact, exact), rel=1e-12)
    cut = Fraction(3, 4) * Fraction(1, 12), Fraction(1, 4) * Fraction(2, 9)
    there = (
        Fraction(3, 4) * Fraction(1, 5) * Fraction(1, 5) * Fraction(3, 5) ** 3 * Fraction(4, 5),
        Fraction(1, 4) * Fraction(2, 3) * Fraction(1, 3) * Fraction(2, 3) ** 3 * Fraction(1, 3),
    )
    truncated, bernoulli = measured("not multinomial naive Bayes on truncated").value
    assert truncated == pytest.approx(float(cut[0] / sum(cut)), rel=1e-12)
    assert bernoulli == pytest.approx(float(there[0] / sum(there)), rel=1e-12)
    assert bernoulli < 0.5 < truncated


def test_the_discrete_models_are_linear():
    for words in ("In log space it is linear", "Bernoulli event model too"):
        assert measured(words).value == pytest.approx(0, abs=1e-12)


def test_proportional_is_not_the_word():
    one, other, difference, same = measured("proportional").value
    assert abs(one - other) > 0.05
    assert difference == pytest.approx(same, rel=1e-12)


def test_a_zero_wipes_out():
    """Five No days, nine Yes days; counts of overcast, hot, normal, weak: 0, 2, 1, 2 and 4, 2, 6, 6."""
    no = Fraction(5, 14) * Fraction(1, 8) * Fraction(3, 8) * Fraction(2, 7) * Fraction(3, 7)
    yes = Fraction(9, 14) * Fraction(5, 12) * Fraction(3, 12) * Fraction(7, 11) * Fraction(7, 11)
    assert measured("wipes out").value == pytest.approx((0, float(no / (no + yes))), rel=1e-12)


def test_decisions_survive_a_wrong_probability():
    assert measured("grossly inaccurate").value == pytest.approx((1.9, 1.0), rel=1e-9)


# --- The numbers in chapter 01's explorers are scipy's and scikit-learn's, and the figures show them.

PERSONS = load_gender_measurements()
DOCS = load_iir_documents()


def result(explorer, preset=None, **state):
    named = dict(explorer.presets[preset]) if preset else {}
    return explorer.compute(**explorer.state | named | state)


def logit(p):
    return np.log(p) - np.log1p(-p)


def densities(*person):
    """(2, 3) by scipy, women first."""
    return np.array([norm.pdf(person, g.mean(axis=0), g.std(axis=0, ddof=1)) for g in (WOMEN, MEN)])


def weight_ratio(pounds):
    """Log ratio of the two bells of weight, men's over women's."""
    logs = [norm.logpdf(pounds, g[:, 1].mean(), g[:, 1].std(ddof=1)) for g in (WOMEN, MEN)]
    return logs[1] - logs[0]


# --- bells --------------------------------------------------------------------------------------------------------


@pytest.fixture
def bells():
    return BellsExplorer()


@pytest.mark.parametrize("person", [(6.0, 130, 8.0), (5.7, 219, 9.5), (4.5, 300, 14.0)])
def test_the_heights_of_the_bells_by_scipy(bells, person):
    r = result(bells, height=person[0], weight=person[1], foot=person[2])
    p = densities(*person)
    assert r.p == pytest.approx(p, rel=1e-9)
    assert r.ratios == pytest.approx(np.log(p[1] / p[0]))


def test_the_bells_of_weight_cross_twice(bells):
    low, high = brentq(weight_ratio, 120, 180), brentq(weight_ratio, 190, 260)
    assert (low, high) == pytest.approx((158.1, 219.1), abs=0.05)
    assert dict(bells.presets["Equally high"])["weight"] == round(low)
    assert dict(bells.presets["They cross twice"])["weight"] == round(high)
    for preset in ("Equally high", "They cross twice"):
        assert abs(result(bells, preset).ratios[1]) < 0.03
    r = result(bells, "300 pounds")
    assert r.p[:, 1].max() < 1e-12
    eight = [abs(weight_ratio(pounds)) for pounds in (*WOMEN[:, 1], *MEN[:, 1])]
    assert -r.ratios[1] > 1.4 * max(eight), "surer than about any of the eight"
    assert r.ratios[1] == pytest.approx(weight_ratio(300.0)) == pytest.approx(-36.41, abs=0.005)
    top = norm.pdf(0) / WOMEN[:, 1].std(ddof=1)
    assert 0.95 * top < result(bells).p[0, 1] < top, "near its top"


def test_an_empty_document_has_no_words():
    explorer = EventModelsExplorer(text=" ")
    assert ", no words: P(China) by the three models" in explorer.describe(result(explorer))


def test_what_lies_below_a_panel_of_bells_is_said_inside_of_it(bells):
    for person, text, side in ((dict(foot=5.0), "−22.2 ↓", "left"), (dict(weight=300), "−65.6 ↓", "right")):
        figure = figure_of(bells, result(bells, **person, scale=LOG))
        (note,) = (note for note in figure.layout.annotations if note.text == text)
        assert note.xanchor == side
        assert note.bgcolor == "white", "no curve runs through the number"


@pytest.mark.parametrize("state", [{}, dict(weight=219, scale=LOG), dict(height=4.5, weight=300, foot=14.0, scale=LOG)])
def test_the_bar_is_the_log_of_the_ratio_of_the_two_heights(bells, state):
    r = result(bells, **state)
    figure = figure_of(bells, r)
    for f, name in enumerate(("height", "weight", "foot")):
        points = [t for t in figure.data if (t.meta or {}).get("mark") in (f"female, {name}", f"male, {name}")]
        said = [calculated(t.customdata[0]) for t in points]
        heights = np.exp(said) if r.scale == LOG else said
        assert heights == pytest.approx(densities(*r.person)[:, f], rel=0.07 if r.scale == LOG else 0.005)
        (bar,) = [t for t in figure.data if t.ids is not None and t.ids[0] == f"bar {f}"]
        ratio = np.log(densities(*r.person)[1, f] / densities(*r.person)[0, f])
        assert bar.y[0] == pytest.approx(max(ratio, LOWEST))
        assert float(bar.customdata[0].replace("−", "-")) == pytest.approx(ratio, abs=0.00501)
        curve = next(t for t in figure.data if t.xaxis == bar.xaxis and t.type == "scatter")
        assert np.interp(r.person[f], curve.x, curve.y) == pytest.approx(ratio, abs=0.02)
        drawn = [t for t in figure.data if t.xaxis == points[0].xaxis and t.mode == "lines"]
        for bell, group in zip(drawn, (WOMEN, MEN), strict=True):
            curve = norm(group[:, f].mean(), group[:, f].std(ddof=1))
            assert bell.y == pytest.approx(curve.logpdf(bell.x) if r.scale == LOG else curve.pdf(bell.x))


def test_the_eight_persons_stand_under_their_bells(bells):
    figure = figure_of(bells, result(bells))
    eight = [t for t in figure.data if "eight persons" in (t.hovertemplate or "")]
    assert [sorted(t.x) for t in eight] == [sorted(group[:, f]) for f in range(3) for group in (WOMEN, MEN)]


def test_the_fractions_multiply_to_the_printed_odds(bells):
    """By a calculator that reads only the line."""
    for preset in bells.presets:
        parts = spoken(bells.explain(result(bells, preset)))
        for plain, power in (("−", "-"), ("·10", "e"), *zip("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789", strict=True)):
            parts = parts.replace(plain, power)
        fractions, rest = parts.split(" = ", 1)
        odds, chance = map(float, rest.split(" , P = "))
        assert odds == pytest.approx(eval(fractions.replace("×", "*")), rel=0.03)
        assert chance == pytest.approx(odds / (1 + odds), rel=0.011)


# --- evidence -----------------------------------------------------------------------------------------------------


@pytest.fixture
def evidence():
    return EvidenceExplorer()


@pytest.mark.parametrize(("prior", "person"), [(0.5, (6.0, 130, 8.0)), (0.9, (5.7, 155, 9.5)), (0.01, (7.0, 300, 9.0))])
def test_a_person_by_scipy(evidence, prior, person):
    r = result(evidence, prior=prior, height=person[0], weight=person[1], foot=person[2])
    p = densities(*person)
    joint = np.array([1 - prior, prior]) * p.prod(axis=1)
    assert np.exp(r.terms) == pytest.approx(p, rel=1e-9)
    assert r.posterior == pytest.approx(joint[1] / joint.sum(), rel=1e-9)
    assert r.total == pytest.approx(np.log(joint[1] / joint[0]))


def test_the_source_prints_these_numbers(evidence):
    joint = np.exp(result(evidence).rows.sum(axis=1))
    assert joint == pytest.approx([5.3778e-04, 6.1984e-09], rel=3e-4)
    assert "P(male) = 1.15·10⁻⁵, so female" in evidence.describe(result(evidence))


def test_what_the_captions_say(evidence):
    source = result(evidence).steps
    assert source[1] > 0 > max(source[2:])
    nearly = result(evidence, "The prior decides")
    assert abs(nearly.steps[1:].sum()) < 0.25
    assert nearly.posterior == pytest.approx(0.9, abs=0.03)
    _, height, weight, foot = result(evidence, "One feature outweighs all").steps
    assert height > 0 < foot
    assert -weight > 2 * (height + foot)


def test_the_three_things_to_try_have_these_answers():
    """0.99 is a bar of 4.6 where 11.37 is needed; the two bars win from 140 lb on; the decision flips at 0.555."""
    assert logit(0.99) == pytest.approx(4.6, abs=0.05)

    def total(*person):
        p = densities(*person)
        return np.log(p[1] / p[0]).sum()

    assert -total(6.0, 130, 8.0) == pytest.approx(11.37, abs=0.005)
    assert logit(0.9999) < 11.37 < logit(0.99999)
    wins = [pounds for pounds in range(80, 305, 5) if total(6.0, pounds, 11.0) > 0]
    assert wins == list(range(140, 245, 5)), "then the wide bell wins again"
    edges = [brentq(lambda pounds: total(6.0, pounds, 11.0), *ends) for ends in ((110, 180), (180, 300))]
    assert edges == pytest.approx([135.8, 241.4], abs=0.05)
    assert 1 / (1 + np.exp(total(5.7, 155, 9.5))) == pytest.approx(0.555, abs=0.0005)


def test_the_flower_of_the_report():
    """scikit-learn's issue #29648 by scipy: 37.3 in favour of setosa, against 27.6."""
    iris = load_iris()
    groups = [iris.data[iris.target == c] for c in (0, 1)]
    logs = [norm.logpdf(FLOWER, g.mean(axis=0), g.std(axis=0)) for g in groups]
    bars = logs[0] - logs[1]
    assert bars.sum() == pytest.approx(37.3, abs=0.05)
    assert np.log(REPORTED[0] / REPORTED[1]) == pytest.approx(-27.6, abs=0.05)
    assert bars[2:].sum() > 27.7, "the two petal measurements alone outweigh it"
    away = [np.subtract(FLOWER, g.mean(axis=0)) for g in groups]
    inside = [np.cov(g.T, ddof=0) for g in groups]
    joint = [-(d @ np.linalg.solve(S, d) + np.linalg.slogdet(S)[1]) / 2 for d, S in zip(away, inside, strict=True)]
    assert joint[0] - joint[1] == pytest.approx(57.8, abs=0.05), "with all correlations, even more"
    peer = Peer(priors=REPORTED).fit(iris.data, iris.target)
    question = contents("01")["01/useless-prior"]
    assert question.truth() == pytest.approx(peer.predict_proba([FLOWER])[0, 0], rel=1e-9)
    assert question.right_option().startswith("setosa")


def test_the_waterfall_ends_where_the_sum_begins(evidence):
    for preset in evidence.presets:
        r = result(evidence, preset)
        figure = figure_of(evidence, r)
        (bars,) = [trace for trace in figure.data if trace.type == "bar"]
        ends = np.add(bars.base, bars.x)
        assert ends[:-2] == pytest.approx(bars.base[1:-1])
        assert ends[-2] == pytest.approx(r.total)
        assert (bars.base[-1], bars.x[-1]) == (0, pytest.approx(r.total))
        first, second = [trace for trace in figure.data if trace.name in r.classes]
        assert np.subtract(second.x, first.x) == pytest.approx(bars.x), "the gap on the left is the bar"
        assert np.ptp(np.subtract(second.y, first.y)) == pytest.approx(0), "beside each other, never on top"
        assert second.y[0] > first.y[0]
        assert max(abs(ends)) <= figure.layout[f"xaxis{bars.xaxis[1:]}"].range[1]
        (diamond,) = [trace for trace in figure.data if trace.name == "posterior"]
        assert diamond.y[0] == pytest.approx(r.posterior)


def test_beyond_the_curve_stands_an_arrow(evidence):
    def arrows(**state):
        texts = [note.text for note in figure_of(evidence, result(evidence, **state)).layout.annotations]
        return [text for text in texts if "→" in text or "←" in text]

    assert arrows() == ["<b>←</b>"]
    assert arrows(weight=170, foot=12.0, prior=0.99) == ["<b>→</b>"]
    assert arrows(height=5.7, weight=155, foot=9.5) == []


@pytest.mark.parametrize(
    "state",
    [
        {},
        dict(prior=0.99, height=4.5, weight=300, foot=14.0),
        dict(prior=0.01, height=7.0, weight=80, foot=5.0),
    ],
)
def test_the_printed_steps_add_up_to_the_printed_sum(evidence, state):
    """The steps by scipy; the sum and the probability by a calculator that reads only the line."""
    r = result(evidence, **state)
    steps, answers = spoken(evidence.explain(r)).split(" = ")
    total, chance = map(calculated, answers.split(" , a probability of "))
    steps = list(map(calculated, steps.split()))
    ratios = np.subtract(*np.log(densities(*r.person))[::-1])
    assert steps == pytest.approx([logit(r.prior), *ratios], abs=0.00501)
    assert total == pytest.approx(sum(steps), abs=0.005 * (len(steps) + 1) + 1e-9)
    assert chance == pytest.approx(1 / (1 + np.exp(-total)), rel=0.011)


def test_the_person_stands_among_the_eight(evidence):
    """Every row is its slider: the crosses and the eight persons stand where their measurements do."""
    r = result(evidence, height=5.75, weight=190, foot=9.0)
    figure = figure_of(evidence, r)
    women, men, ring, crosses = figure.data[:4]
    lengths = np.array([[4.5, 7.0], [80, 300], [5, 14]])
    for trace, group in ((women, WOMEN), (men, MEN)):
        assert np.reshape(trace.x, (4, 3)) * np.ptp(lengths, axis=1) + lengths[:, 0] == pytest.approx(group)
        assert trace.y[:3].tolist() == [1, 2, 3]
    assert crosses.x * np.ptp(lengths, axis=1) + lengths[:, 0] == pytest.approx([5.75, 190, 9.0])
    assert list(ring.x) == [0.5]
    assert women.customdata[:3] == ("height 5 ft", "weight 100 lb", "foot 6 in")
    grips = [grip["controls"] for grip in figure.layout.meta["handles"]]
    assert grips == [["prior"], ["height"], ["weight"], ["foot"], ["prior"]]


def test_the_axis_leaves_room():
    assert edge_for([0.1]) == EDGES[0]
    assert edge_for([-4.6]) == 10
    assert edge_for([1e6]) == EDGES[-1]


# --- names --------------------------------------------------------------------------------------------------------


@pytest.fixture
def name():
    return NameEvidenceExplorer()


def peer_of_names(longest):
    """scikit-learn's counts and model of the training names: pieces of up to `longest` letters, ¶ at the end."""
    split = names_split(longest)

    def pieces(text):
        marked = text + END
        found = [marked[i : i + n] for n in range(1, longest + 1) for i in range(len(marked) - n + 1)]
        return [piece for piece in found if piece != END]

    counter = CountVectorizer(analyzer=pieces)
    model = PeerWords(alpha=1.0).fit(counter.fit_transform(split.training.names), split.training.y)
    return counter, model, split.test


@pytest.mark.parametrize("longest", [1, 3])
@pytest.mark.parametrize("typed", ["Gloria", "Nathaniel", "Bo"])
def test_a_name_by_scikit_learn(name, longest, typed):
    r = result(name, name=typed, longest=longest, prior=0.3)
    counter, model, test = peer_of_names(longest)
    ratios = model.feature_log_prob_[1] - model.feature_log_prob_[0]
    votes = np.ravel(counter.transform([typed]).toarray() * ratios)
    assert r.evidence.total == pytest.approx(logit(0.3) + votes.sum(), rel=1e-9)
    shown = r.evidence.steps[1:]
    strongest = sorted(abs(votes[votes != 0]))[::-1][:7]
    assert sorted(abs(shown[: len(strongest)]))[::-1] == pytest.approx(strongest)
    odds = np.ravel(counter.transform(test.names) @ ratios) + logit(0.3)
    right, sure = (odds > 0) == test.y, abs(odds) >= np.log(99)
    assert (r.sure, r.right[0], r.tested) == (pytest.approx(sure.mean()), pytest.approx(right.mean()), 1440)
    if sure.any():
        assert r.right[1] == pytest.approx(right[sure].mean())


def test_what_the_page_says_of_the_names(name):
    r = result(name)
    assert r.sure == pytest.approx(3 / 5, abs=0.02)
    assert 1 - r.right[1] == pytest.approx(1 / 12, abs=0.002), "one in twelve"
    assert {"a¶", "ia¶", "ria", "ia"} < set(r.evidence.labels)
    assert len(r.evidence.labels) == 8
    split = names_split(3)
    assert "Gloria" in split.training.names
    wrong = result(name, "Sure and wrong")
    assert "Nathaniel" not in split.training.names
    assert split.test.y[split.test.names == "Nathaniel"].tolist() == [1]
    assert wrong.evidence.posterior < 1e-4
    both = load_names()
    assert sorted(both.target[both.data == "Kendall"]) == [0, 1]
    kendall = result(name, "Pulled both ways").evidence.steps[1:]
    assert abs(kendall.sum()) < 2 < abs(kendall[kendall < 0].sum())
    assert kendall[kendall > 0].sum() > 2
    assert 0.5 < result(name, "Single letters").evidence.posterior < 0.6


def test_names_on_both_lists_and_overlap_make_the_names_model_sure_and_wrong():
    """By scikit-learn, every split with a vocabulary of its own; pieces are cut from the name read backwards."""

    def apart(text):
        backwards = (text + END)[::-1]
        return [backwards[i : i + 3] for i in range(0, len(backwards), 3)]

    def overlapping(text):
        backwards = (text + END)[::-1]
        return [backwards[i : i + 3] for i in range(len(apart(text)))]

    every = dict(analyzer="char", ngram_range=(1, 3), lowercase=False)
    names = load_names()
    texts, y = names.data, names.target
    both = set(texts[y == 0]) & set(texts[y == 1])
    assert len(both) == 379
    twice, found = np.array([name in both for name in texts]), {}
    for way, options, kept in (
        ("all pieces", every, twice >= 0), ("without names on both", every, ~twice),
        ("overlapping threes", dict(analyzer=overlapping), twice >= 0),
        ("threes cut apart", dict(analyzer=apart), twice >= 0),
    ):  # fmt: skip
        rows = []
        for seed in range(20):
            order = np.random.default_rng(seed).permutation(len(texts))
            test, training = order[:1440][kept[order[:1440]]], order[1440:][kept[order[1440:]]]
            end = END if options is every else ""
            counter = CountVectorizer(**options)
            model = PeerWords().fit(counter.fit_transform([t + end for t in texts[training]]), y[training])
            p = model.predict_proba(counter.transform([t + end for t in texts[test]]))
            sure, right = p.max(axis=1) >= 0.99, p.argmax(axis=1) == y[test]
            rows.append((right.mean(), sure.mean(), (~right[sure]).mean()))
        found[way] = np.mean(rows, axis=0)
    assert list(sure_names()) == list(found)
    for way, shares in sure_names().items():
        assert shares == pytest.approx(found[way], abs=1e-9), way
    wrong = {way: shares[2] for way, shares in found.items()}
    assert 0.05 < wrong["without names on both"] < 0.7 * wrong["all pieces"]
    assert wrong["overlapping threes"] > 2 * wrong["threes cut apart"], "twice as often"
    assert found["overlapping threes"][1] > 3 * found["threes cut apart"][1]
    assert [f"{found[way][0]:.1f}" for way in ("overlapping threes", "threes cut apart")] == ["0.8", "0.8"]


def test_a_name_on_both_lists_is_taught_the_opposite():
    """On the page's split: of the names aside whose other entry was counted, more than half are wrong."""
    training, test = names_split(3).training, names_split(3).test
    counted = set(zip(training.names, training.y, strict=True))
    twin = np.array([(name, 1 - sex) in counted for name, sex in zip(test.names, test.y, strict=True)])
    terms, prior, _ = test.evidence
    right = (terms + prior).argmax(axis=1) == test.y
    assert (twin.sum(), right[twin].sum()) == (112, 40)
    assert right[~twin].mean() > 0.86


def test_how_often_a_name_ends_in_a():
    names = load_names()
    women, men = ([str(n)[-1] == "a" for n in names.data[names.target == c]] for c in (0, 1))
    shares = Fraction(sum(women), len(women)), Fraction(sum(men), len(men))
    assert [round(100 * float(share)) for share in shares] == [40, 2]
    question = contents("01")["01/ends-in-a"]
    assert question.truth() == pytest.approx(float(shares[0] / shares[1]), rel=1e-12)
    odds = float(shares[0] / shares[1])
    assert odds / (1 + odds) == pytest.approx(0.95, abs=0.005)


def test_pieces_that_no_name_has_are_dropped_and_said(name):
    r = result(name, name="李", prior=0.3)
    assert r.unseen == 2
    assert r.evidence.posterior == pytest.approx(0.3)
    assert "2 never seen, dropped" in name.describe(r)


# --- event models -------------------------------------------------------------------------------------------------


@pytest.fixture
def events():
    return EventModelsExplorer()


@pytest.mark.parametrize("text", ["Tokyo", "", "Chinese Chinese Chinese Tokyo", "tokyo JAPAN Macao macao", "Osaka"])
def test_the_three_models_by_scikit_learn(events, text):
    r = result(events, text=text, prior=0.6)
    counts = np.array([[text.lower().split().count(word.lower()) for word in DOCS.feature_names]])
    options = dict(alpha=1.0, class_prior=[0.4, 0.6])
    peers = {
        MULTINOMIAL: PeerWords(**options).fit(DOCS.data, DOCS.target).predict_proba(counts),
        CUT: PeerWords(**options).fit(DOCS.data > 0, DOCS.target).predict_proba(counts > 0),
        BERNOULLI: PeerPresence(**options).fit(DOCS.data, DOCS.target).predict_proba(counts),
    }
    for model, peer in peers.items():
        assert 1 / (1 + np.exp(-r.total(model))) == pytest.approx(peer[0, 1], rel=1e-9)
    assert r.unknown == (text == "Osaka")


def test_tokyo_in_fractions(events):
    """P(China): three of four documents; multinomial 1/14 and 2/9, cut 1/12 and 2/9, Bernoulli over six words."""
    r = result(events)
    prior, tokyo = (Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 5), Fraction(2, 3))
    absent = (
        Fraction(1, 5) * Fraction(4, 5) * Fraction(3, 5) ** 3,
        Fraction(1, 3) * Fraction(1, 3) * Fraction(2, 3) ** 3,
    )
    shares = {MULTINOMIAL: (Fraction(1, 14), Fraction(2, 9)), CUT: (Fraction(1, 12), Fraction(2, 9))}
    shares[BERNOULLI] = tokyo[0] * absent[0], tokyo[1] * absent[1]
    for model, (china, other) in shares.items():
        assert r.total(model) == pytest.approx(np.log(float(prior[0] * china / (prior[1] * other))))
    assert r.total(CUT) > 0 > r.total(BERNOULLI), "opposite decisions"


def test_it_is_the_training_data_that_turn_the_decision_about_tokyo(events):
    """Share of documents against share of words; the five absences speak for China."""
    r = result(events)
    tokyo = DOCS.feature_names.index("Tokyo")
    assert r.bars[BERNOULLI][tokyo] == pytest.approx(np.log((1 / 5) / (2 / 3))) == pytest.approx(-1.204, abs=0.0005)
    assert r.bars[CUT][tokyo] == pytest.approx(np.log((1 / 12) / (2 / 9))) == pytest.approx(-0.981, abs=0.0005)
    absences = r.bars[BERNOULLI].sum() - r.bars[BERNOULLI][tokyo]
    assert absences == pytest.approx(0.05, abs=0.005)
    without = np.log(3) + r.bars[BERNOULLI][tokyo]
    assert 1 / (1 + np.exp(-np.array([without, r.total(BERNOULLI)]))) == pytest.approx([0.474, 0.486], abs=0.0005)
    cut = DOCS.data > 1
    assert DOCS.data[cut].tolist() == [2, 2]
    assert set(np.nonzero(cut)[1]) == {DOCS.feature_names.index("Chinese")}
    assert r.total(MULTINOMIAL) < 0 < r.total(CUT), "two counts cut turn the decision"
    nothing = result(events, "No word at all")
    chances = [1 / (1 + np.exp(-nothing.total(model))) for model in (BERNOULLI, CUT)]
    assert chances == pytest.approx([0.883, 0.750], abs=0.0005)


def test_the_titles_of_the_events_say_the_decision(events):
    def titles(**state):
        notes = figure_of(events, result(events, **state)).layout.annotations
        return [note.text for note in notes if note.name == "title"]

    opened = titles()
    assert [title.removeprefix("<b>").removesuffix("</b>") for title in opened] == [
        "multinomial: .49, not China",
        "cut to 1: .53, China",
        "Bernoulli: .49, not China",
    ]
    assert all("undecided" in title for title in titles(text="", prior=0.5)[:2])


def test_what_the_captions_of_the_events_say(events):
    nothing = result(events, "No word at all")
    assert nothing.total(MULTINOMIAL) == nothing.total(CUT) == pytest.approx(np.log(3))
    assert all(nothing.bars[BERNOULLI] != 0)
    thrice = result(events, "Chinese three times")
    once = result(events, text="Chinese Tokyo")
    column = DOCS.feature_names.index("Chinese")
    assert thrice.bars[MULTINOMIAL][column] == pytest.approx(3 * once.bars[MULTINOMIAL][column])
    for model in (CUT, BERNOULLI):
        assert thrice.bars[model].tolist() == once.bars[model].tolist()
    missing = result(events, "Chinese missing")
    three = missing.bars[BERNOULLI][missing.counts > 0].sum()
    assert 0.8 * three < -missing.bars[BERNOULLI][column] < three, "nearly all"


def test_a_grey_bar_is_an_absent_word(events):
    figure = figure_of(events, result(events, text="Chinese Chinese Tokyo"))
    for bars in figure.data:
        assert [name.rsplit(" ", 1)[1] for name in bars.ids] == ["prior", *DOCS.feature_names, "sum"]
        grey = [name.rsplit(" ", 1)[1] for name, c in zip(bars.ids, bars.marker.color, strict=True) if c == "#767676"]
        assert grey == ["Beijing", "Japan", "Macao", "Shanghai"]
        ends = np.add(bars.base, bars.x)
        assert ends[:-2] == pytest.approx(bars.base[1:-1])
        assert ends[-2] == pytest.approx(bars.x[-1])
    steps, answers = spoken(events.explain(result(events, text="Chinese Tokyo"))).replace("−", "-").split(" = ")
    total, chance = map(float, answers.split(" , a probability of "))
    assert total == pytest.approx(sum(map(float, steps.split())), abs=0.0151)
    assert chance == pytest.approx(1 / (1 + np.exp(-total)), rel=0.011)


# --- boundaries ---------------------------------------------------------------------------------------------------


@pytest.fixture
def boundary():
    return GaussianBoundaryExplorer()


def test_learned_from_all_naive_bayes_is_the_truth(boundary):
    """Independent features: what it assumes holds."""
    r = result(boundary, spread=2.0)
    assert r.naive.tolist() == r.full.tolist()
    assert r.wrong[0] == r.wrong[1]
    assert result(boundary).wrong[0] == pytest.approx(norm.cdf(-(2**0.5)), abs=0.02), "both decide by x1 + x2"
    path = np.linspace(-SIDE, SIDE, FINE)
    equal = result(boundary)
    assert equal.path(equal.full) == pytest.approx(4 * path), "a line"
    figure = figure_of(boundary, equal)
    contours = [trace for trace in figure.data if trace.type == "contour"]
    assert np.array(contours[0].z) == pytest.approx(np.array(contours[1].z)), "both boundaries in one place"


def test_the_truth_by_the_quadratic_formula(boundary):
    """Log odds at (0.5, 0.5) for spread s, written out."""
    s = 2.0
    r = result(boundary, spread=s, n=30)

    def log_density(x, y, scale):
        return -(x * x + y * y) / scale**2 / 2 - 2 * np.log(scale)

    assert r.full[-1] == pytest.approx(log_density(-0.5, -0.5, s) - log_density(1.5, 1.5, 1.0))


def test_naive_bayes_is_fitted_to_the_drawn_items(boundary):
    r = result(boundary, n=30, seed=3, spread=0.5)
    z = normals(3)[:, :30]
    X = np.vstack([[-1, -1] + z[0], [1, 1] + 0.5 * z[1]])
    peer = Peer(var_smoothing=0).fit(X, np.repeat([0, 1], 30))
    peer.var_ *= 30 / 29
    assert r.points.reshape(-1, 2) == pytest.approx(X)
    assert r.naive[-1] == pytest.approx(np.subtract(*peer.predict_joint_log_proba([[0.5, 0.5]])[0, ::-1]), rel=1e-6)
    z = normals(3)[:, -1000:]
    new = np.vstack([[-1, -1] + z[0], [1, 1] + 0.5 * z[1]])
    assert r.wrong[0] == pytest.approx(np.mean(peer.predict(new) != np.repeat([0, 1], 1000)))


def test_the_wider_class_wins_far_out(boundary):
    r = result(boundary, "B wide: a curve")
    naive = r.map(r.naive)
    assert min(naive[0, -1], naive[-1, 0], naive[-1, -1]) > 0
    assert naive[STEPS // 4, STEPS // 4] < 0, "around A"
    question = contents("01")["01/wide"]
    far = 1e3 * np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
    logs = [multivariate_normal([m, m], s * s).logpdf(far) for m, s in ((-1, 1), (1, 2))]
    assert question.truth() == sum(logs[1] > logs[0]) == 4
    assert question.right_option() == "everywhere outside a ring around A"


def test_few_items_bend_the_line(boundary):
    """Squared terms of naive Bayes along the path: none in truth, and the fewer items the more by luck."""
    path = np.linspace(-SIDE, SIDE, FINE)
    bends = [
        np.mean([abs(np.polyfit(path, (r := result(boundary, n=n, seed=s)).path(r.naive), 2)[0]) for s in range(21)])
        for n in (10, 100, 1000, ALL)
    ]
    assert bends[0] > 2 * bends[1] > 4 * bends[2] > 0
    assert bends[3] == pytest.approx(0, abs=1e-12)


def test_the_figure_shows_the_result(boundary):
    r = result(boundary, n=30)
    figure = figure_of(boundary, r)
    contours = [trace for trace in figure.data if trace.type == "contour"]
    assert [trace.z.tolist() for trace in contours] == [r.map(r.full).tolist(), r.map(r.naive).tolist()]
    curves = {trace.name: np.array(trace.y) for trace in figure.data if trace.name in ("the truth", "naive Bayes")}
    assert logit(curves["the truth"]) == pytest.approx(r.path(r.full), rel=1e-6)
    assert f"P(B) = {1 / (1 + np.exp(-r.naive[-1])):.3f}" in boundary.describe(r)
    items = [trace for trace in figure.data if trace.name in ("A", "B")]
    assert [np.column_stack([trace.x, trace.y]).tolist() for trace in items] == r.points.tolist(), "x₁ goes right"
    looks = [(trace.name, trace.marker.color, trace.marker.symbol) for trace in items]
    assert looks == list(zip("AB", palette.CLASS_COLORS[:2], palette.CLASS_MARKERS[:2], strict=True))
    spread, cross, line = figure.layout.meta["handles"]
    assert [h["controls"] for h in (spread, cross, line)] == [["spread"], ["cross"], ["cross"]]


# --- ellipses -----------------------------------------------------------------------------------------------------


@pytest.fixture
def ellipses():
    return EllipsesExplorer()


@pytest.mark.parametrize("rho", [-0.9, 0.0, 0.5, 0.9])
@pytest.mark.parametrize(("apart", "way"), [(SAME, 1), (OPPOSITE, -1)])
def test_the_factor_is_one_plus_or_one_minus_rho(ellipses, rho, apart, way):
    """Against scipy's normal distribution of both features together, at every point of the path."""
    r = result(ellipses, correlation=rho, apart=apart)
    S, B = [[1, rho], [rho, 1]], np.array([1, way])
    t = np.linspace(-SIDE, SIDE, FINE)
    path = np.column_stack([t, way * t])
    truth = multivariate_normal(B, S).logpdf(path) - multivariate_normal(-B, S).logpdf(path)
    assert r.path == pytest.approx(path)
    assert r.along(r.full) == pytest.approx(truth, abs=1e-9)
    assert r.along(r.naive) == pytest.approx((1 + way * rho) * truth, abs=1e-9)
    assert np.sign(r.naive).tolist() == np.sign(r.full.round(9)).tolist() or (abs(r.full) < 1e-6).any()


def test_a_tilt_it_misses(ellipses):
    """Errors are Phi(-1.2) and Phi(-2): also by 400,000 draws and scikit-learn's decisions; they differ for 11 %."""
    r = result(ellipses, "A tilt it misses")
    assert r.errors == pytest.approx((norm.cdf(-1.2), norm.cdf(-2)))
    assert r.errors == pytest.approx((0.115, 0.023), abs=0.0005)
    rng = np.random.default_rng(1)
    S = np.array([[1, 0.8], [0.8, 1]])
    y = np.repeat([0, 1], 200_000)
    X = rng.multivariate_normal([0, 0], S, len(y)) + np.outer(2 * y - 1, [1.2, 0])
    naive = X[:, 0] > 0
    logs = [multivariate_normal(m, S).logpdf(X) for m in ([-1.2, 0], [1.2, 0])]
    full = logs[1] > logs[0]
    assert (np.mean(naive != y), np.mean(full != y)) == pytest.approx(r.errors, abs=0.002)
    assert np.mean(naive != full) == pytest.approx(0.110, abs=0.002) == pytest.approx(1 / 9, abs=0.002)
    assert r.path[:, 0] == pytest.approx(np.full(FINE, ASIDE))
    assert np.ptp(r.along(r.naive)) == pytest.approx(0), "feature 2 has no weight"
    assert r.naive[-1] > 0 > r.full[-1], "at the preset's cross they decide differently"
    assert contents("01")["01/tilt"].truth() == pytest.approx(norm.cdf(-2))


@pytest.mark.parametrize("rho", [-0.8, 0.3, 0.8])
@pytest.mark.parametrize("apart", [SAME, OPPOSITE, ONE])
def test_the_errors_by_draws(ellipses, rho, apart):
    r = result(ellipses, correlation=rho, apart=apart)
    X = np.random.default_rng(0).multivariate_normal(r.means[1], r.covariances[1], 100_000)
    spreads = np.eye(2)
    wrong = []
    for S in (spreads, r.covariances[0]):
        log_odds = multivariate_normal(r.means[1], S).logpdf(X) - multivariate_normal(r.means[0], S).logpdf(X)
        wrong.append(np.mean(log_odds < 0))
    assert r.errors == pytest.approx(wrong, abs=0.004)


def test_what_the_captions_of_the_ellipses_say(ellipses):
    for preset, surer in (("Correlated: too sure", True), ("Across the tilt", False), ("Negative correlation", False)):
        r = result(ellipses, preset)
        assert (abs(r.naive[-1]) > abs(r.full[-1])) == surer
        assert r.errors[0] == pytest.approx(r.errors[1]), "the same decisions"
    assert result(ellipses, "Across the tilt").errors[1] < 0.002, "they hardly overlap"


def test_the_eight_persons_by_scikit_learn_and_by_the_formula(ellipses):
    r = result(ellipses, data=PEOPLE)
    X, y = PERSONS.data[:, :2], PERSONS.target
    naive = Peer(priors=[0.5, 0.5], var_smoothing=0).fit(X, y)
    naive.var_ *= 4 / 3  # unbiased
    sample = [[6.0, 130.0]]
    assert r.naive[-1] == pytest.approx(np.subtract(*naive.predict_joint_log_proba(sample)[0, ::-1]), rel=1e-6)
    logs = [multivariate_normal(g[:, :2].mean(axis=0), np.cov(g[:, :2].T)).logpdf(sample[0]) for g in (WOMEN, MEN)]
    assert r.full[-1] == pytest.approx(logs[1] - logs[0], rel=1e-9)
    assert r.naive[-1] < 0 < r.full[-1], "opposite decisions"
    assert 1 / (1 + np.exp(-np.array([r.naive[-1], r.full[-1]]))) == pytest.approx([0.0025, 0.9955], abs=5e-5)


def inside(point, mean, S):
    away = np.subtract(point, mean)
    return away @ np.linalg.solve(S, away) < WIDE**2


def test_six_feet_and_130_pounds_are_nearly_impossible_in_both(ellipses):
    """Distances in standard deviations, with the correlation."""
    r = result(ellipses, "Eight persons")
    away = [r.marked - mean for mean in r.means]
    far = [np.sqrt(d @ np.linalg.solve(S, d)) for d, S in zip(away, r.covariances, strict=True)]
    assert far == pytest.approx([5.9, 4.9], abs=0.05)


def test_with_one_person_less_the_correlation_says_anything_and_naive_bayes_does_not():
    """By scikit-learn and by the formula of the normal density, each of the eight left out in turn."""
    X, y, says = PERSONS.data[:, :2], PERSONS.target, {"naive": [], "correlated": []}
    for out in range(8):
        kept = np.arange(8) != out
        naive = Peer(priors=[0.5, 0.5], var_smoothing=0).fit(X[kept], y[kept])
        sizes = np.bincount(y[kept])[:, None]
        naive.var_ *= sizes / (sizes - 1)  # unbiased
        says["naive"].append(naive.predict_proba([[6, 130]])[0, 1])
        groups = [X[kept & (y == c)] for c in (0, 1)]
        away = [np.subtract([6, 130], g.mean(axis=0)) for g in groups]
        inside = [(g - g.mean(axis=0)).T @ (g - g.mean(axis=0)) / (len(g) - 1) for g in groups]
        far = [d @ np.linalg.inv(S) @ d + np.log(np.linalg.det(S)) for d, S in zip(away, inside, strict=True)]
        says["correlated"].append(1 / (1 + np.exp((far[1] - far[0]) / 2)))
    (printed,) = [output.text for cell in PAGE.cells if cell.id == "twice-left-out" for output in cell.outputs]
    lines = [[float(number) for number in line.split()[-8:]] for line in printed.splitlines()]
    assert lines == [pytest.approx(row, abs=0.0051) for row in says.values()]
    assert max(says["naive"]) < 0.035
    assert min(says["correlated"]) < 0.005
    assert max(says["correlated"]) > 0.995


def test_the_person_lies_in_the_dotted_ellipse_of_the_women_and_outside_the_solid_one(ellipses):
    r = result(ellipses, "Eight persons")
    assert inside(r.marked, r.means[0], np.diag(np.diag(r.covariances[0])))
    assert not inside(r.marked, r.means[0], r.covariances[0])


def test_solid_is_true_and_dashed_is_assumed(ellipses):
    for r in (result(ellipses, correlation=-0.6), result(ellipses, data=PEOPLE)):
        figure = figure_of(ellipses, r)
        rings = [trace for trace in figure.data if "two standard deviations" in (trace.hovertemplate or "")]
        assert len(rings) == 4
        for k, ring in enumerate(rings):
            S = r.covariances[k // 2]
            if k % 2:
                S = np.diag(np.diag(S))
            assert ring.line.dash == ((None, "dash"), (None, "dot"))[r.data == PEOPLE][k % 2]
            away = np.column_stack([ring.x, ring.y]) - r.means[k // 2]
            wide = np.einsum("ni,ij,nj->n", away, np.linalg.inv(S), away)
            assert wide == pytest.approx(np.full(len(away), WIDE**2))
            assert ring.x[0] == pytest.approx(max(ring.x)), "its rightmost point comes first"


def test_the_grips_of_the_ellipses(ellipses):
    r = result(ellipses, correlation=-0.6)
    correlation, cross, line = figure_of(ellipses, r).layout.meta["handles"]
    assert [h["controls"] for h in (correlation, cross, line)] == [["correlation"], ["cross"], ["cross"]]
    assert (correlation["x"], correlation["y"]) == pytest.approx((1 + WIDE, 1 - 0.6 * WIDE))
    figure = figure_of(ellipses, result(ellipses, data=PEOPLE, height=5.2, weight=100))
    person, line = figure.layout.meta["handles"]
    assert (person["controls"], person["x"], person["y"]) == (["height", "weight"], 5.2, 100)
    assert (line["controls"], line["x"]) == (["weight"], 100)
    r = result(ellipses, data=PEOPLE, height=5.2, weight=100)
    assert r.along(r.naive)[r.path[:, 1].tolist().index(100)] == pytest.approx(r.naive[-1]), "the path runs through it"
    assert "At 5.2 ft and 100 lb" in ellipses.describe(r)


@pytest.mark.parametrize(
    ("kind", "state"),
    [
        (GaussianBoundaryExplorer, {}),
        (GaussianBoundaryExplorer, dict(spread=2.5, n=5, seed=3, cross=-4.0)),
        (EllipsesExplorer, {}),
        (EllipsesExplorer, dict(apart=OPPOSITE, correlation=0.9, cross=-4.0)),
        (EllipsesExplorer, dict(apart=ONE, correlation=-0.9, cross=4.0)),
        (EllipsesExplorer, dict(data=PEOPLE)),
        (EllipsesExplorer, dict(data=PEOPLE, height=4.4, weight=260)),
    ],
)
def test_the_printed_votes_add_up_to_the_printed_log_odds(kind, state):
    """Votes by scipy's normal densities, the rest by a calculator that reads only the line."""
    explorer = kind()
    r = result(explorer, **state)
    votes, answers = spoken(explorer.explain(r)).replace("−", "-").split(" = ")
    total, chances = answers.split(" , a probability of ")
    chance, full = chances.replace("with correlation", "the truth").split(" ; the truth: ")
    votes = [float(vote) for vote in votes.split()]
    if kind is EllipsesExplorer:
        point, means = r.marked, r.means
        spreads = np.sqrt(np.diagonal(r.covariances, axis1=1, axis2=2))
    else:
        point = [r.cross] * 2
        means, spreads = np.array([[-1, -1], [1, 1]]), np.array([[1, 1], [r.spread, r.spread]])
        if r.n < ALL:
            drawn = means[:, None] + spreads[:, None] * normals(state["seed"])[:, : r.n]
            means, spreads = drawn.mean(axis=1), drawn.std(axis=1, ddof=1)
    logs = norm.logpdf(point, means, spreads)
    assert votes == pytest.approx(logs[1] - logs[0], abs=0.00501)
    assert float(total) == pytest.approx(sum(votes), abs=0.0151)
    for shown, odds in ((chance, float(total)), (full, r.full[-1])):
        said = calculated(shown)
        assert said == pytest.approx(1 / (1 + np.exp(-odds)), rel=0.011, abs=0.0005 * (said >= 0.1))


# --- questions ----------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("NBCORE_PROGRESS", str(tmp_path / "progress.json"))


def test_tokyo_and_japan_in_fractions():
    """The exercise's document, six factors a class; and that this number stands nowhere above it."""
    china = Fraction(3, 4) * Fraction(1, 5) ** 2 * Fraction(1, 5) * Fraction(3, 5) ** 3
    other = Fraction(1, 4) * Fraction(2, 3) ** 2 * Fraction(1, 3) * Fraction(2, 3) ** 3
    assert contents("01")["01/absent"].expected() == pytest.approx(float(china / (china + other)), rel=1e-12)
    with_chinese = china * 4, other * 2
    assert [f"{float(joint):.3f}" for joint in with_chinese] == ["0.005", "0.022"], "the source's example 13.2"


@pytest.mark.parametrize(
    ("key", "slip", "hint"),
    [
        ("01/undecided", -1.604, "what the measurements say"),
        ("01/inches", 1.57888 / 12**0.5, "root of 12"),
        ("01/too-sure", Fraction(2, 3), "opposite directions"),
        ("01/absent", 0.297, "multinomial model"),
        ("01/absent", 0.191, "Chinese is not in this document"),
        ("01/absent", 0.1395, "only one of the four absent words"),
        ("01/height-alone", 7.07, "the odds"),
        ("01/height-alone", 1.955, "the log odds"),
        ("01/inches", 0.01096, "by 144"),
        ("01/border", 0.693, "how far the prior shifts"),
    ],
)
def test_slips_that_a_reader_found(key, slip, hint):
    said = check(key, float(slip))
    assert not said.correct
    assert hint in said.message


@pytest.mark.parametrize(
    ("chosen", "hint"),
    [
        (np.mean, "this shift is not safe"),
        (np.min, "this shift is not safe"),
        (lambda joint: joint[0], "shift by the first class"),
        (lambda joint: joint[-1], "shift by the last class"),
    ],
)
def test_a_shift_by_another_number_than_the_largest_is_not_safe(chosen, hint):
    def posterior_of(joint):
        with np.errstate(all="ignore"):
            p = np.exp(joint - chosen(joint))
            return p / p.sum()

    said = check("01/from-logs", posterior_of)
    assert not said.correct
    assert hint in said.message


def test_a_shift_by_the_largest_is_safe_and_none_is_not():
    assert check("01/from-logs", lambda joint: np.exp(joint - max(joint)) / np.exp(joint - max(joint)).sum()).correct
    plain = check("01/from-logs", lambda joint: np.exp(joint) / np.exp(joint).sum())
    assert "0 / 0" in plain.message


def test_logarithms_that_were_only_shifted_are_told_as_such():
    assert "still logarithms" in check("01/from-logs", lambda joint: joint - joint.max()).message


@pytest.mark.parametrize("prior", [0.2, 0.5, 0.8])
def test_too_sure_has_one_answer_because_its_classes_are_equally_frequent(prior):
    """Two features with correlation 1/2, and the point on their line where the true P(B) is 0.8: by scipy."""
    B, S = np.array([1.0, 1.0]), np.array([[1, 0.5], [0.5, 1]])

    def log_odds(t, cov):
        return multivariate_normal(B, cov).logpdf(t * B) - multivariate_normal(-B, cov).logpdf(t * B) + start

    start = np.log(prior / (1 - prior))
    at = brentq(lambda t: log_odds(t, S) - np.log(4), -5, 5)
    says = 1 / (1 + np.exp(-log_odds(at, np.eye(2))))
    question = contents("01")["01/too-sure"]
    assert (says == pytest.approx(question.expected())) == (prior == 0.5)
    assert "equally frequent classes" in question.task


def test_no_help_speaks_of_counts_where_there_are_none():
    for key in ("height-alone", "inches", "undecided", "border", "too-sure"):
        assert "count" not in contents("01")[f"01/{key}"].help.lower()


def test_chinese_against_tokyo():
    """1.13 / 0.66 = 1.73, so two."""
    tokyo, chinese = np.log((2 / 9) / (1 / 14)), np.log((6 / 14) / (2 / 9))
    assert (tokyo, chinese) == pytest.approx((1.13, 0.66), abs=0.006)
    assert 1 < tokyo / chinese < 2

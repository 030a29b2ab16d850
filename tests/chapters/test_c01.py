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
from workbook.chapters.c01_naive_bayes.gaussian_boundary import ALL, FINE, SIDE, STEPS, normals
from workbook.chapters.c01_naive_bayes.questions import FLOWER, REPORTED
from workbook.chapters.names import names_split
from workbook.experiments import sure_names
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
from .claimed import make_measurer
from .shown import compute_result

# --- Each statement of Wikipedia's article: our number bears out the verdict that the ledger gives.

PAGE = nbformat.read(Path(__file__).parents[2] / "notebooks" / "01_naive_bayes.ipynb", 4)
MEN = np.array([[6, 180, 12], [5.92, 190, 11], [5.58, 170, 12], [5.92, 165, 10]])
WOMEN = np.array([[5, 100, 6], [5.5, 150, 8], [5.42, 130, 7], [5.75, 150, 9]])


measure_claim = make_measurer(CLAIMS)


def test_the_gender_example_by_scipy():
    products = []
    for sex, people in (("male", MEN), ("female", WOMEN)):
        p = norm.pdf([6, 130, 8], people.mean(axis=0), people.std(axis=0, ddof=1))
        for column, expected in zip(("height", "weight", "foot size"), p, strict=True):
            assert measure_claim(f"p({column} | {sex}) of").value == pytest.approx(expected, rel=1e-12)
        products.append(0.5 * p.prod())
        assert measure_claim(f"Posterior numerator, {sex}").value == pytest.approx(products[-1], rel=3e-4), "rounded"
    assert measure_claim("predicted to be female").value == pytest.approx(products[1] / sum(products), rel=1e-12)


def test_the_misprint():
    variance = MEN[:, 0].var(ddof=1)
    right = norm.pdf(6, MEN[:, 0].mean(), np.sqrt(variance))
    assert as_printed().value == pytest.approx(right * variance**0.25, rel=1e-12), "sigma in place of its square"


def test_the_counterexamples_and_the_closed_form():
    assert measure_claim("Counts over totals are the maximum").value > 0
    assert measure_claim("one by one").value == 0
    assert measure_claim("Binning can lose").value == pytest.approx((1, 2 / 3))
    prior, counted, presence = measure_claim("absent count").value
    assert prior == pytest.approx(counted) == 0.75
    china = Fraction(3, 4) * Fraction(3, 5) ** 3 * Fraction(1, 5) * Fraction(4, 5) ** 2
    other = Fraction(1, 4) * Fraction(2, 3) ** 3 * Fraction(1, 3) ** 3
    assert presence == pytest.approx(float(china / (china + other)))


def test_sentences_about_densities_and_parameters():
    peak, area = measure_claim("A density above 1").value
    assert peak > 2
    assert area == pytest.approx(1, abs=1e-6)
    assert measure_claim("linear in the number of features").value == (12, 24, 48)


def test_sentences_about_documents():
    """IIR, example 13.1, in fractions; "Tokyo" by shares of words cut to one, and by shares of documents."""
    china = Fraction(3, 4) * Fraction(3, 7) ** 3 * Fraction(1, 14) ** 2
    exact = float(china / (china + Fraction(1, 4) * Fraction(2, 9) ** 5))
    for words in ("multinomial probability", "sum of log-likelihood ratios"):
        assert measure_claim(words).value == pytest.approx((exact, exact), rel=1e-12)
    cut = Fraction(3, 4) * Fraction(1, 12), Fraction(1, 4) * Fraction(2, 9)
    there = (
        Fraction(3, 4) * Fraction(1, 5) * Fraction(1, 5) * Fraction(3, 5) ** 3 * Fraction(4, 5),
        Fraction(1, 4) * Fraction(2, 3) * Fraction(1, 3) * Fraction(2, 3) ** 3 * Fraction(1, 3),
    )
    truncated, bernoulli = measure_claim("not multinomial naive Bayes on truncated").value
    assert truncated == pytest.approx(float(cut[0] / sum(cut)), rel=1e-12)
    assert bernoulli == pytest.approx(float(there[0] / sum(there)), rel=1e-12)
    assert bernoulli < 0.5 < truncated


def test_the_discrete_models_are_linear():
    for words in ("In log space it is linear", "Bernoulli event model too"):
        assert measure_claim(words).value == pytest.approx(0, abs=1e-12)


def test_proportional_is_not_the_word():
    one, other, difference, same = measure_claim("proportional").value
    assert abs(one - other) > 0.05
    assert difference == pytest.approx(same, rel=1e-12)


def test_a_zero_wipes_out():
    """Five No days, nine Yes days; counts of overcast, hot, normal, weak: 0, 2, 1, 2 and 4, 2, 6, 6."""
    no = Fraction(5, 14) * Fraction(1, 8) * Fraction(3, 8) * Fraction(2, 7) * Fraction(3, 7)
    yes = Fraction(9, 14) * Fraction(5, 12) * Fraction(3, 12) * Fraction(7, 11) * Fraction(7, 11)
    assert measure_claim("wipes out").value == pytest.approx((0, float(no / (no + yes))), rel=1e-12)


def test_decisions_survive_a_wrong_probability():
    assert measure_claim("grossly inaccurate").value == pytest.approx((1.9, 1.0), rel=1e-9)


# --- The numbers in chapter 01's explorers are scipy's and scikit-learn's, and the figures show them.

PERSONS = load_gender_measurements()
DOCS = load_iir_documents()


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


def test_the_bells_of_weight_cross_twice(bells):
    low, high = brentq(weight_ratio, 120, 180), brentq(weight_ratio, 190, 260)
    assert (low, high) == pytest.approx((158.1, 219.1), abs=0.05)
    assert dict(bells.presets["Equally high"])["weight"] == round(low)
    assert dict(bells.presets["They cross twice"])["weight"] == round(high)
    for preset in ("Equally high", "They cross twice"):
        assert abs(compute_result(bells, preset).ratios[1]) < 0.03
    r = compute_result(bells, "300 pounds")
    assert r.p[:, 1].max() < 1e-12
    eight = [abs(weight_ratio(pounds)) for pounds in (*WOMEN[:, 1], *MEN[:, 1])]
    assert -r.ratios[1] > 1.4 * max(eight), "surer than about any of the eight"
    assert r.ratios[1] == pytest.approx(weight_ratio(300.0)) == pytest.approx(-36.41, abs=0.005)
    top = norm.pdf(0) / WOMEN[:, 1].std(ddof=1)
    assert 0.95 * top < compute_result(bells).p[0, 1] < top, "near its top"


@pytest.mark.parametrize("state", [{}, dict(weight=219, scale=LOG), dict(height=4.5, weight=300, foot=14.0, scale=LOG)])
def test_the_bar_is_the_log_of_the_ratio_of_the_two_heights(bells, state):
    r = compute_result(bells, **state)
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


def test_the_fractions_multiply_to_the_printed_odds(bells):
    """By a calculator that reads only the line."""
    for preset in bells.presets:
        parts = spoken(bells.explain(compute_result(bells, preset)))
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
    r = compute_result(evidence, prior=prior, height=person[0], weight=person[1], foot=person[2])
    p = densities(*person)
    joint = np.array([1 - prior, prior]) * p.prod(axis=1)
    assert np.exp(r.terms) == pytest.approx(p, rel=1e-9)
    assert r.posterior == pytest.approx(joint[1] / joint.sum(), rel=1e-9)
    assert r.total == pytest.approx(np.log(joint[1] / joint[0]))


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
        r = compute_result(evidence, preset)
        figure = figure_of(evidence, r)
        (bars,) = [trace for trace in figure.data if trace.type == "bar"]
        ends = np.add(bars.base, bars.x)
        assert ends[:-2] == pytest.approx(bars.base[1:-1])
        assert ends[-2] == pytest.approx(r.total)
        assert (bars.base[-1], bars.x[-1]) == (0, pytest.approx(r.total))
        first, second = [trace for trace in figure.data if trace.name in r.classes]
        assert np.subtract(second.x, first.x) == pytest.approx(bars.x), "the gap on the left is the bar"
        (diamond,) = [trace for trace in figure.data if trace.name == "posterior"]
        assert diamond.y[0] == pytest.approx(r.posterior)


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
    r = compute_result(evidence, **state)
    steps, answers = spoken(evidence.explain(r)).split(" = ")
    total, chance = map(calculated, answers.split(" , a probability of "))
    steps = list(map(calculated, steps.split()))
    ratios = np.subtract(*np.log(densities(*r.person))[::-1])
    assert steps == pytest.approx([logit(r.prior), *ratios], abs=0.00501)
    assert total == pytest.approx(sum(steps), abs=0.005 * (len(steps) + 1) + 1e-9)
    assert chance == pytest.approx(1 / (1 + np.exp(-total)), rel=0.011)


# --- names --------------------------------------------------------------------------------------------------------


@pytest.fixture
def name():
    return NameEvidenceExplorer()


def fit_peer(longest):
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
@pytest.mark.parametrize("typed", ["Gloria", "Carmine", "Bo"])
def test_a_name_by_scikit_learn(name, longest, typed):
    r = compute_result(name, name=typed, longest=longest, prior=0.3)
    counter, model, test = fit_peer(longest)
    ratios = model.feature_log_prob_[1] - model.feature_log_prob_[0]
    votes = np.ravel(counter.transform([typed]).toarray() * ratios)
    assert r.evidence.total == pytest.approx(logit(0.3) + votes.sum(), rel=1e-9)
    shown = r.evidence.steps[1:]
    strongest = sorted(abs(votes[votes != 0]))[::-1][:7]
    assert sorted(abs(shown[: len(strongest)]))[::-1] == pytest.approx(strongest)
    odds = np.ravel(counter.transform(test.names) @ ratios) + logit(0.3)
    right, sure = (odds > 0) == test.y, abs(odds) >= np.log(99)
    assert (r.sure, r.right[0], r.tested) == (pytest.approx(sure.mean()), pytest.approx(right.mean()), 1289)
    if sure.any():
        assert r.right[1] == pytest.approx(right[sure].mean())


def test_what_the_page_says_of_the_names(name):
    r = compute_result(name)
    assert r.sure == pytest.approx(2 / 3, abs=0.02)
    assert 1 - r.right[1] == pytest.approx(1 / 19, abs=0.002), "one in nineteen"
    assert {"a¶", "ia¶", "ria", "ia"} < set(r.evidence.labels)
    assert len(r.evidence.labels) == 8
    split = names_split(3)
    assert "Gloria" in split.test.names
    wrong = compute_result(name, "Sure and wrong")
    assert split.test.y[split.test.names == "Carmine"].tolist() == [1]
    assert wrong.evidence.posterior < 1e-4
    both_ways = compute_result(name, "Pulled both ways").evidence.steps[1:]
    assert abs(both_ways.sum()) < 2 < abs(both_ways[both_ways < 0].sum())
    assert both_ways[both_ways > 0].sum() > 2
    assert 0.5 < compute_result(name, "Single letters").evidence.posterior < 0.6


def test_overlap_makes_the_names_model_sure_and_wrong():
    """By scikit-learn, every split with a vocabulary of its own; pieces are cut from the name read backwards."""

    def apart(text):
        backwards = (text + END)[::-1]
        return [backwards[i : i + 3] for i in range(0, len(backwards), 3)]

    def overlapping(text):
        backwards = (text + END)[::-1]
        return [backwards[i : i + 3] for i in range(len(apart(text)))]

    every = dict(analyzer="char", ngram_range=(1, 3), lowercase=False)
    names, found = load_names(both_lists=False), {}
    texts, y = names.data, names.target
    for way, options in (("all pieces", every), ("overlapping threes", dict(analyzer=overlapping)),
                         ("threes cut apart", dict(analyzer=apart))):  # fmt: skip
        rows = []
        for seed in range(20):
            order = np.random.default_rng(seed).permutation(len(texts))
            test, training = order[:1289], order[1289:]
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
    assert found["threes cut apart"][2] < 0.01 < found["overlapping threes"][2], "only the one keeps its promise"
    assert found["overlapping threes"][1] > 2 * found["threes cut apart"][1]
    assert found["overlapping threes"][0] < found["threes cut apart"][0], "decides no better"


def test_how_often_a_name_ends_in_a():
    names = load_names(both_lists=False)
    women, men = ([str(n)[-1] == "a" for n in names.data[names.target == c]] for c in (0, 1))
    shares = Fraction(sum(women), len(women)), Fraction(sum(men), len(men))
    assert [round(100 * float(share)) for share in shares] == [43, 1]
    question = contents("01")["01/ends-in-a"]
    assert question.truth() == pytest.approx(float(shares[0] / shares[1]), rel=1e-12)
    odds = float(shares[0] / shares[1])
    assert odds / (1 + odds) == pytest.approx(0.98, abs=0.005)


# --- event models -------------------------------------------------------------------------------------------------


@pytest.fixture
def events():
    return EventModelsExplorer()


@pytest.mark.parametrize("text", ["Tokyo", "", "Chinese Chinese Chinese Tokyo", "tokyo JAPAN Macao macao", "Osaka"])
def test_the_three_models_by_scikit_learn(events, text):
    r = compute_result(events, text=text, prior=0.6)
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


def test_it_is_the_training_data_that_turn_the_decision_about_tokyo(events):
    """Share of documents against share of words; the five absences speak for China."""
    r = compute_result(events)
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
    nothing = compute_result(events, "No word at all")
    chances = [1 / (1 + np.exp(-nothing.total(model))) for model in (BERNOULLI, CUT)]
    assert chances == pytest.approx([0.883, 0.750], abs=0.0005)


def test_the_bars_of_the_events_add_up(events):
    figure = figure_of(events, compute_result(events, text="Chinese Chinese Tokyo"))
    for bars in figure.data:
        assert [name.rsplit(" ", 1)[1] for name in bars.ids] == ["prior", *DOCS.feature_names, "sum"]
        ends = np.add(bars.base, bars.x)
        assert ends[:-2] == pytest.approx(bars.base[1:-1])
        assert ends[-2] == pytest.approx(bars.x[-1])
    steps, answers = spoken(events.explain(compute_result(events, text="Chinese Tokyo"))).replace("−", "-").split(" = ")
    total, chance = map(float, answers.split(" , a probability of "))
    assert total == pytest.approx(sum(map(float, steps.split())), abs=0.0151)
    assert chance == pytest.approx(1 / (1 + np.exp(-total)), rel=0.011)


# --- boundaries ---------------------------------------------------------------------------------------------------


@pytest.fixture
def boundary():
    return GaussianBoundaryExplorer()


def test_learned_from_all_naive_bayes_is_the_truth(boundary):
    """Independent features: what it assumes holds."""
    r = compute_result(boundary, spread=2.0)
    assert r.naive.tolist() == r.full.tolist()
    assert r.wrong[0] == r.wrong[1]
    assert compute_result(boundary).wrong[0] == pytest.approx(norm.cdf(-(2**0.5)), abs=0.02), "both decide by x1 + x2"
    path = np.linspace(-SIDE, SIDE, FINE)
    equal = compute_result(boundary)
    assert equal.path(equal.full) == pytest.approx(4 * path), "a line"
    figure = figure_of(boundary, equal)
    contours = [trace for trace in figure.data if trace.type == "contour"]
    assert np.array(contours[0].z) == pytest.approx(np.array(contours[1].z)), "both boundaries in one place"


def test_the_truth_by_the_quadratic_formula(boundary):
    """Log odds at (0.5, 0.5) for spread s, written out."""
    s = 2.0
    r = compute_result(boundary, spread=s, n=30)

    def log_density(x, y, scale):
        return -(x * x + y * y) / scale**2 / 2 - 2 * np.log(scale)

    assert r.full[-1] == pytest.approx(log_density(-0.5, -0.5, s) - log_density(1.5, 1.5, 1.0))


def test_naive_bayes_is_fitted_to_the_drawn_items(boundary):
    r = compute_result(boundary, n=30, seed=3, spread=0.5)
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
    r = compute_result(boundary, "B wide: a curve")
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

    def measure_bend(n, seed):
        r = compute_result(boundary, n=n, seed=seed)
        return abs(np.polyfit(path, r.path(r.naive), 2)[0])

    bends = [np.mean([measure_bend(n, seed) for seed in range(21)]) for n in (10, 100, 1000, ALL)]
    assert bends[0] > 2 * bends[1] > 4 * bends[2] > 0
    assert bends[3] == pytest.approx(0, abs=1e-12)


def test_the_figure_shows_the_result(boundary):
    r = compute_result(boundary, n=30)
    figure = figure_of(boundary, r)
    contours = [trace for trace in figure.data if trace.type == "contour"]
    assert [trace.z.tolist() for trace in contours] == [r.map(r.full).tolist(), r.map(r.naive).tolist()]
    curves = {trace.name: np.array(trace.y) for trace in figure.data if trace.name in ("the truth", "naive Bayes")}
    assert logit(curves["the truth"]) == pytest.approx(r.path(r.full), rel=1e-6)
    assert f"P(B) = {1 / (1 + np.exp(-r.naive[-1])):.3f}" in boundary.describe(r)
    items = [trace for trace in figure.data if trace.name in ("A", "B")]
    assert [np.column_stack([trace.x, trace.y]).tolist() for trace in items] == r.points.tolist(), "x₁ goes right"


# --- ellipses -----------------------------------------------------------------------------------------------------


@pytest.fixture
def ellipses():
    return EllipsesExplorer()


@pytest.mark.parametrize("rho", [-0.9, 0.0, 0.5, 0.9])
@pytest.mark.parametrize(("apart", "way"), [(SAME, 1), (OPPOSITE, -1)])
def test_the_factor_is_one_plus_or_one_minus_rho(ellipses, rho, apart, way):
    """Against scipy's normal distribution of both features together, at every point of the path."""
    r = compute_result(ellipses, correlation=rho, apart=apart)
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
    r = compute_result(ellipses, "A tilt it misses")
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
    r = compute_result(ellipses, correlation=rho, apart=apart)
    X = np.random.default_rng(0).multivariate_normal(r.means[1], r.covariances[1], 100_000)
    spreads = np.eye(2)
    wrong = []
    for S in (spreads, r.covariances[0]):
        log_odds = multivariate_normal(r.means[1], S).logpdf(X) - multivariate_normal(r.means[0], S).logpdf(X)
        wrong.append(np.mean(log_odds < 0))
    assert r.errors == pytest.approx(wrong, abs=0.004)


def test_the_eight_persons_by_scikit_learn_and_by_the_formula(ellipses):
    r = compute_result(ellipses, data=PEOPLE)
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


def test_the_path_runs_through_the_person_at_one_height(ellipses):
    r = compute_result(ellipses, data=PEOPLE, height=5.2, weight=100)
    assert (r.path[:, 0] == 5.2).all()
    assert r.along(r.naive)[r.path[:, 1].tolist().index(100)] == pytest.approx(r.naive[-1])


def test_six_feet_and_130_pounds_are_nearly_impossible_in_both(ellipses):
    """Distances in standard deviations, with the correlation."""
    r = compute_result(ellipses, "Eight persons")
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


def test_the_rings_are_two_standard_deviations_with_and_without_the_correlation(ellipses):
    for r in (compute_result(ellipses, correlation=-0.6), compute_result(ellipses, data=PEOPLE)):
        figure = figure_of(ellipses, r)
        rings = [trace for trace in figure.data if "two standard deviations" in (trace.hovertemplate or "")]
        assert len(rings) == 4
        for k, ring in enumerate(rings):
            S = r.covariances[k // 2]
            if k % 2:
                S = np.diag(np.diag(S))
            away = np.column_stack([ring.x, ring.y]) - r.means[k // 2]
            wide = np.einsum("ni,ij,nj->n", away, np.linalg.inv(S), away)
            assert wide == pytest.approx(np.full(len(away), WIDE**2))


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
    r = compute_result(explorer, **state)
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

    feedback = check("01/from-logs", posterior_of)
    assert not feedback.correct
    assert hint in feedback.message


def test_a_shift_by_the_largest_is_safe_and_none_is_not():
    assert check("01/from-logs", lambda joint: np.exp(joint - max(joint)) / np.exp(joint - max(joint)).sum()).correct
    plain = check("01/from-logs", lambda joint: np.exp(joint) / np.exp(joint).sum())
    assert "0 / 0" in plain.message


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

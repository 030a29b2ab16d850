"""Chapter 01."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.naive_bayes import GaussianNB as Peer
from sklearn.naive_bayes import MultinomialNB as PeerWords

from nbcore.datasets import load_gender_measurements, load_iir_documents
from workbook.chapters.c01_naive_bayes.claims import CLAIMS, as_printed
from workbook.chapters.c01_naive_bayes.evidence import DOCUMENT, EDGES, edge_for
from workbook.chapters.c01_naive_bayes.gaussian_boundary import BOTH, ONE, PEOPLE, STEPS, normals
from workbook.explorers import EvidenceExplorer, GaussianBoundaryExplorer
from workbook.page.formula import spoken

# --- Each statement of Wikipedia's article: our number bears out the verdict that the ledger gives.

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
        assert measured(f"Posterior numerator, {sex}").value == pytest.approx(products[-1], rel=1e-12)
    assert measured("predicted to be female").value == pytest.approx(products[1] / sum(products), rel=1e-12)


def test_the_notes_on_rounding_are_right():
    assert f"{norm.pdf(130, 176.25, np.sqrt(122.92)):.4e}" == "5.9881e-06"
    assert f"{0.5 * 1.5789 * 5.9881e-06 * 1.3112e-03:.4e}" == "6.1984e-09"
    assert f"{0.5 * 2.2346e-01 * 1.6789e-02 * 2.8669e-01:.4e}" == "5.3778e-04"


def test_the_misprint():
    variance = MEN[:, 0].var(ddof=1)
    right = norm.pdf(6, MEN[:, 0].mean(), np.sqrt(variance))
    assert as_printed().value == pytest.approx(right * variance**0.25, rel=1e-12), "sigma in place of its square"


def test_sentences_about_densities_and_parameters():
    peak, area = measured("A density above 1").value
    assert peak > 2
    assert area == pytest.approx(1, abs=1e-6)
    assert measured("linear in the number of features").value == (12, 24)


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


# --- evidence -----------------------------------------------------------------------------------------------------


@pytest.fixture
def evidence():
    return EvidenceExplorer()


def densities(*person):
    """(2, 3) by scipy, women first."""
    groups = [PERSONS.data[PERSONS.target == c] for c in (0, 1)]
    return np.array([norm.pdf(person, g.mean(axis=0), g.std(axis=0, ddof=1)) for g in groups])


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
    assert "P(male) = 1.15e-05, so female" in evidence.describe(result(evidence))


def test_what_the_captions_say(evidence):
    source = result(evidence).steps
    assert source[1] > 0 > max(source[2:])
    nearly = result(evidence, "The prior decides")
    assert abs(nearly.steps[1:].sum()) < 0.25
    assert nearly.posterior == pytest.approx(0.9, abs=0.03)
    _, height, weight, foot = result(evidence, "One feature outweighs all").steps
    assert height > 0 < foot
    assert -weight > 2 * (height + foot)


@pytest.mark.parametrize("words", ["Chinese Chinese Tokyo", "tokyo JAPAN Macao macao", "Chinese"])
def test_a_document_by_scikit_learn(evidence, words):
    r = result(evidence, data=DOCUMENT, prior=0.75, words=words)
    peer = PeerWords(alpha=1.0).fit(DOCS.data, DOCS.target)
    row = [[words.lower().split().count(word.lower()) for word in DOCS.feature_names]]
    assert r.posterior == pytest.approx(peer.predict_proba(row)[0, 1], rel=1e-12)
    assert r.unknown == 0


def test_unknown_words_are_dropped_and_said(evidence):
    r = result(evidence, data=DOCUMENT, words="Osaka Tokyo Kyoto")
    assert (r.labels, r.unknown) == (["Tokyo"], 2)
    assert "2 unknown words dropped" in evidence.describe(r)
    nothing = result(evidence, data=DOCUMENT, words="", prior=0.3)
    assert nothing.posterior == pytest.approx(0.3)
    assert "undecided" in evidence.describe(result(evidence, data=DOCUMENT, words=""))


def test_the_waterfall_ends_where_the_sum_begins(evidence):
    for preset in evidence.presets:
        r = result(evidence, preset)
        figure = evidence.draw(r)
        (bars,) = [trace for trace in figure.data if trace.type == "bar"]
        ends = np.add(bars.base, bars.x)
        assert ends[:-2] == pytest.approx(bars.base[1:-1])
        assert ends[-2] == pytest.approx(r.total)
        assert (bars.base[-1], bars.x[-1]) == (0, pytest.approx(r.total))
        first, second = [trace for trace in figure.data if trace.name in r.classes]
        assert np.subtract(second.x, first.x) == pytest.approx(bars.x), "the gap on the left is the bar"
        assert max(abs(ends)) <= figure.layout[f"xaxis{bars.xaxis[1:]}"].range[1]
        (diamond,) = [trace for trace in figure.data if trace.name == "posterior"]
        assert diamond.y[0] == pytest.approx(r.posterior)


@pytest.mark.parametrize(
    "state",
    [
        {},
        dict(prior=0.99, height=4.5, weight=300, foot=14.0),
        dict(prior=0.01, height=7.0, weight=80, foot=5.0),
        dict(data=DOCUMENT, prior=0.75, words="Tokyo Chinese Osaka Chinese"),
        dict(data=DOCUMENT, prior=0.3, words="Osaka Kyoto"),
        dict(data=DOCUMENT, words="Chinese Beijing Shanghai Macao Tokyo Japan"),
    ],
)
def test_the_printed_steps_add_up_to_the_printed_sum(evidence, state):
    """The steps by scipy and scikit-learn; the sum and the probability by a calculator that reads only the line."""
    r = result(evidence, **state)
    steps, answers = spoken(evidence.explain(r)).replace("−", "-").split(" = ")
    total, chance = map(float, answers.split(" , a probability of "))
    steps = [float(step) for step in steps.split()]
    if r.person:
        ratios = np.subtract(*np.log(densities(*r.person))[::-1])
    else:
        peer = PeerWords(alpha=1.0).fit(DOCS.data, DOCS.target)
        votes = dict(zip(DOCS.feature_names, np.subtract(*peer.feature_log_prob_[::-1]), strict=True))
        typed = state["words"].split()
        ratios = [typed.count(word) * votes[word] for word in dict.fromkeys(typed) if word in votes]
    assert steps == pytest.approx([logit(r.prior), *ratios], abs=0.00501)
    assert total == pytest.approx(sum(steps), abs=0.005 * (len(steps) + 1) + 1e-9)
    assert chance == pytest.approx(1 / (1 + np.exp(-total)), rel=0.011)


def test_the_person_stands_among_the_eight(evidence):
    """Every row is its slider: the crosses and the eight persons stand where their measurements do."""
    r = result(evidence, height=5.75, weight=190, foot=9.0)
    figure = evidence.draw(r)
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
    document = evidence.draw(result(evidence, data=DOCUMENT))
    assert [grip["controls"] for grip in document.layout.meta["handles"]] == [["prior"]]


def test_the_axis_leaves_room():
    assert edge_for([0.1]) == EDGES[0]
    assert edge_for([-4.6]) == 10
    assert edge_for([1e6]) == EDGES[-1]


# --- boundaries ---------------------------------------------------------------------------------------------------


@pytest.fixture
def boundary():
    return GaussianBoundaryExplorer()


def test_the_eight_persons_by_scikit_learn_and_by_the_formula(boundary):
    r = result(boundary, data=PEOPLE)
    X, y = PERSONS.data[:, :2], PERSONS.target
    naive = Peer(priors=[0.5, 0.5], var_smoothing=0).fit(X, y)
    naive.var_ *= 4 / 3  # unbiased
    sample = [[6.0, 130.0]]
    assert r.naive[-1] == pytest.approx(np.subtract(*naive.predict_joint_log_proba(sample)[0, ::-1]), rel=1e-6)
    log_densities = []
    for group in (X[y == 0], X[y == 1]):
        away = sample[0] - group.mean(axis=0)
        S = (group - group.mean(axis=0)).T @ (group - group.mean(axis=0)) / 3
        log_densities.append(-(away @ np.linalg.solve(S, away) + np.log(np.linalg.det(S))) / 2)
    assert r.full[-1] == pytest.approx(log_densities[1] - log_densities[0], rel=1e-9)
    assert r.naive[-1] < 0 < r.full[-1], "opposite decisions"


@pytest.mark.parametrize("rho", [-0.9, 0.0, 0.5, 0.9])
def test_equal_spreads_are_overcounted_by_one_plus_rho(boundary, rho):
    r = result(boundary, correlation=rho, n=3000)
    path = np.linspace(-4, 4, STEPS)
    assert r.path(r.full) == pytest.approx(4 * path / (1 + rho))
    slope = np.polyfit(path, r.path(r.naive), 1)[0]
    assert slope == pytest.approx((1 + rho) * 4 / (1 + rho), rel=0.05), "estimated from 3,000 of each class"
    assert r.differ < 0.01


def test_the_truth_by_the_quadratic_formula(boundary):
    """Log odds at (0.5, 0.5) for spread s and correlation rho, written out."""
    s, rho = 2.0, 0.5
    r = result(boundary, spread=s, correlation=rho)

    def log_density(x, y, scale):
        square = (x * x - 2 * rho * x * y + y * y) / (1 - rho**2) / scale**2
        return -square / 2 - 2 * np.log(scale)

    assert r.full[-1] == pytest.approx(log_density(-0.5, -0.5, s) - log_density(1.5, 1.5, 1.0))


def test_naive_bayes_is_fitted_to_the_drawn_items(boundary):
    r = result(boundary, n=30, seed=3, spread=0.5, differ=ONE)
    z = normals(3)[:, :30]
    X = np.vstack([[-1.2, 0] + z[0], [1.2, 0] + 0.5 * z[1]])
    peer = Peer(var_smoothing=0).fit(X, np.repeat([0, 1], 30))
    peer.var_ *= 30 / 29
    assert r.points == pytest.approx(X)
    assert r.naive[-1] == pytest.approx(np.subtract(*peer.predict_joint_log_proba([[0.5, 0.5]])[0, ::-1]), rel=1e-6)


def test_one_differing_feature_makes_a_tilt_that_costs_decisions(boundary):
    assert result(boundary, "A tilt it misses").differ > 0.05
    assert result(boundary, "Correlated: too sure").differ < 0.01
    assert result(boundary, correlation=0.8, differ=BOTH).differ < 0.01


def test_the_wider_class_wins_far_out(boundary):
    r = result(boundary, "B wide: a curve")
    naive = r.grid(r.naive)
    assert min(naive[0, -1], naive[-1, 0], naive[-1, -1]) > 0
    assert naive[STEPS // 4, STEPS // 4] < 0, "around A"


def test_few_items_bend_the_line(boundary):
    """Squared terms of naive Bayes along the path: none in truth, and the fewer items the more by luck."""
    path = np.linspace(-4, 4, STEPS)
    bends = [
        np.mean([abs(np.polyfit(path, (r := result(boundary, n=n, seed=s)).path(r.naive), 2)[0]) for s in range(21)])
        for n in (10, 100, 1000)
    ]
    assert bends[0] > 2 * bends[1] > 4 * bends[2] > 0


def test_the_figure_shows_the_result(boundary):
    r = result(boundary, correlation=0.8)
    figure = boundary.draw(r)
    contours = [trace for trace in figure.data if trace.type == "contour"]
    assert [trace.z.tolist() for trace in contours] == [r.grid(r.full).tolist(), r.grid(r.naive).tolist()]
    curves = {trace.name: np.array(trace.y) for trace in figure.data if trace.name in ("the truth", "naive Bayes")}
    assert logit(curves["the truth"]) == pytest.approx(r.path(r.full), rel=1e-6)
    assert f"P(B) = {1 / (1 + np.exp(-r.naive[-1])):.3f}" in boundary.describe(r)


@pytest.mark.parametrize(
    "state",
    [
        {},
        dict(spread=2.5, correlation=0.9, n=5, seed=3, cross=-4.0),
        dict(spread=0.4, correlation=-0.9, differ=ONE, cross=4.0),
        dict(data=PEOPLE),
        dict(data=PEOPLE, height=4.4, weight=260),
    ],
)
def test_the_printed_votes_add_up_to_the_printed_log_odds(boundary, state):
    """Votes by scipy's normal densities, the rest by a calculator that reads only the line."""
    r = result(boundary, **state)
    votes, answers = spoken(boundary.explain(r)).replace("−", "-").split(" = ")
    total, chances = answers.split(" , a probability of ")
    chance, full = chances.replace("with correlation", "the truth").split(" ; the truth: ")
    votes = [float(vote) for vote in votes.split()]
    if r.view.data == PEOPLE:
        groups = [PERSONS.data[PERSONS.target == c, :2] for c in (0, 1)]
        point = [state.get("height", 6.0), state.get("weight", 130)]
    else:
        n, rho = state.get("n", 1000), r.correlation
        root = np.linalg.cholesky([[1, rho], [rho, 1]])
        z = normals(state.get("seed", 0))[:, :n] @ root.T
        groups = r.centres[:, None] + np.array([1.0, r.spread])[:, None, None] * z
        point = [state.get("cross", 0.5)] * 2
    logs = [norm.logpdf(point, g.mean(axis=0), g.std(axis=0, ddof=1)) for g in groups]
    assert votes == pytest.approx(logs[1] - logs[0], abs=0.00501)
    assert float(total) == pytest.approx(sum(votes), abs=0.0151)
    for shown, odds in ((chance, float(total)), (full, r.full[-1])):
        assert float(shown) == pytest.approx(1 / (1 + np.exp(-odds)), rel=0.011, abs=0.0005 * (float(shown) >= 0.1))


def test_the_ellipses_are_one_standard_deviation_and_carry_the_grips(boundary):
    r = result(boundary, spread=1.7, correlation=-0.6)
    figure = boundary.draw(r)
    rings = [trace for trace in figure.data if "standard deviation" in (trace.hovertemplate or "")]
    for ring, centre, scale in zip(rings, r.centres, (1.0, 1.7), strict=True):
        away = np.column_stack([ring.x, ring.y]) - centre
        inverse = np.linalg.inv(np.array([[1, -0.6], [-0.6, 1]]) * scale**2)
        assert np.einsum("ni,ij,nj->n", away, inverse, away) == pytest.approx(np.ones(len(away)))
        assert ring.x[0] == pytest.approx(max(ring.x)), "its rightmost point comes first"
    spread, correlation, cross, line = figure.layout.meta["handles"]
    assert (spread["controls"], correlation["controls"]) == (["spread"], ["correlation"])
    assert (spread["x"], spread["y"]) == pytest.approx((rings[1].x[0], rings[1].y[0]))
    assert (correlation["x"], correlation["y"]) == pytest.approx((rings[0].x[0], rings[0].y[0]))
    assert (cross["controls"], line["controls"]) == (["cross"], ["cross"])


def test_the_person_is_dragged_in_the_plane(boundary):
    r = result(boundary, data=PEOPLE, height=5.2, weight=100)
    figure = boundary.draw(r)
    person, line = figure.layout.meta["handles"]
    assert (person["controls"], person["x"], person["y"]) == (["height", "weight"], 5.2, 100)
    assert (line["controls"], line["x"]) == (["weight"], 100)
    log_odds = r.path(r.naive)[r.view.y.tolist().index(100)]
    assert log_odds == pytest.approx(r.naive[-1]), "the path runs through the person"
    assert "At 5.2 ft and 100 lb" in boundary.describe(r)

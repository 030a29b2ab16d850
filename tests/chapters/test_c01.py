"""Chapter 01."""

import re
from fractions import Fraction
from itertools import product
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
from workbook.chapters.c01_naive_bayes.claims import CLAIMS, as_printed
from workbook.chapters.c01_naive_bayes.evidence import TIMES, names_of
from workbook.experiments import leave_one_out, sure_names
from workbook.explorer.formatting import written
from workbook.explorers import (
    BellsExplorer,
    EventModelsExplorer,
    EvidenceExplorer,
    LeftOutExplorer,
    NameEvidenceExplorer,
)
from workbook.learning import check, contents

from .claimed import make_measurer
from .shown import compute_result, read_numbers

# --- Each statement of Wikipedia's article: our number bears out the verdict that the ledger gives.

DEEPER = nbformat.read(Path(__file__).parents[2] / "notebooks" / "01b_one_event.ipynb", 4)
MEN = np.array([[6, 180, 12], [5.92, 190, 11], [5.58, 170, 12], [5.92, 165, 10]])
WOMEN = np.array([[5, 100, 6], [5.5, 150, 8], [5.42, 130, 7], [5.75, 150, 9]])


measure_claim = make_measurer(CLAIMS)


def test_the_gender_example_by_scipy():
    products, printed = [], ([3.5033e-02, 122.92, 0.91667], [9.7225e-02, 558.33, 1.6667])
    for sex, people, variances in (("male", MEN, printed[0]), ("female", WOMEN, printed[1])):
        p = norm.pdf([6, 130, 8], people.mean(axis=0), people.std(axis=0, ddof=1))
        by_table = norm.pdf([6, 130, 8], people.mean(axis=0), np.sqrt(variances))
        for column, expected in zip(("height", "weight", "foot size"), by_table, strict=True):
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


def states(kind):
    """An explorer in each of its states, with the values of its controls."""
    for values in product(*(control.values for control in kind.declared.values())):
        yield kind().set(**dict(zip(kind.declared, values, strict=True))), values


def write_odds(ratio):
    """Odds to 1 of the likelier class, as the pages write them."""
    ratio = float(max(ratio, 1 / ratio))
    return f"{f'{ratio:,.0f}' if 99.5 <= ratio < 999.5 else written(ratio, 2 if ratio < 99.5 else 3)} : 1"


# --- evidence -----------------------------------------------------------------------------------------------------


def test_the_title_of_the_evidence_is_true_in_every_state():
    """Against scipy's densities, one factor for each time that the height is told."""
    for explorer, (told, height, prior) in states(EvidenceExplorer):
        (_, *women), (_, *men) = p = densities(height, 130, 8)
        again = p[1, 0] / p[0, 0]
        once = prior / (1 - prior) * np.prod(men) / np.prod(women) * again
        now, r = once * again ** (told - 1), compute_result(explorer)
        who, title = "a man" if now > 1 else "a woman", r.finding
        if told == 1:
            start = "Three measurements" if prior == 0.5 else "The prior and three measurements"
            assert title == f"{start} add up: {write_odds(now)} for {who}"
        elif (once > 1) != (now > 1):
            rest = now / again**told
            assert (rest > 1) != (now > 1), "prior, weight and foot say the opposite"
            assert title == f"Told {TIMES[told]}, the height outvotes all the rest: {who}"
        else:
            how = "surer" if abs(np.log(now)) > abs(np.log(once)) else "less sure"
            assert title == f"No news, and yet {how}: {write_odds(once)} becomes {write_odds(now)}"
        *steps, total = read_numbers(explorer)
        steps = [*steps[:3], np.prod(steps[3:])]  # 7 · +1.96
        assert total == pytest.approx(np.log(now), abs=0.0051)
        assert sum(steps) == pytest.approx(total, abs=0.02 + 0.005 * told)


def test_a_height_in_other_units_is_a_column_more():
    """By scikit-learn, on a table with the height in feet, inches and centimetres."""
    copies = [PERSONS.data[:, :1] * unit for unit in (1, 12, 30.48)]
    peer = Peer(priors=[0.5, 0.5], var_smoothing=0).fit(np.hstack([*copies, PERSONS.data[:, 1:]]), PERSONS.target)
    peer.var_ *= 4 / 3  # unbiased
    r = compute_result(EvidenceExplorer(), told=3)
    said = peer.predict_joint_log_proba([[6, 72, 182.88, 130, 8]])[0]
    assert r.total(3) == pytest.approx(said[1] - said[0], rel=1e-6)
    assert names_of(compute_result(EvidenceExplorer(), told=8)) == [
        "prior 0.5", "130 pounds", "8-inch foot", "6 feet", "72 inches", "183 cm", "1.83 metres", "2 yards", "18 hands",
        "1 fathom", "4 cubits",
    ]  # fmt: skip


@pytest.mark.parametrize("state", [{}, dict(told=7), dict(height=5.5, told=8, prior=0.99)])
def test_each_step_begins_where_the_last_one_ended(state):
    explorer = EvidenceExplorer()
    r = compute_result(explorer, **state)
    bars = figure_of(explorer, r).data[0]
    ends = np.add(bars.base, bars.x)
    assert ends[:-2] == pytest.approx(bars.base[1:-1])
    assert (bars.base[-1], bars.x[-1]) == (0, pytest.approx(ends[-2])) == (0, pytest.approx(r.total(r.told)))
    rules = {shape.name: shape.x0 for shape in figure_of(explorer, r).layout.shapes}
    assert rules["told once"] == pytest.approx(r.total(1))


# --- one left out -------------------------------------------------------------------------------------------------


def ask(x, X, y, correlated):
    """Log odds of class 1 by the formula of the normal density, unbiased covariances, priors equal."""
    groups = [X[y == c] for c in (0, 1)]
    inside = [(g - g.mean(axis=0)).T @ (g - g.mean(axis=0)) / (len(g) - 1) for g in groups]
    inside = [S if correlated else np.diag(np.diag(S)) for S in inside]
    away = [np.subtract(x, g.mean(axis=0)) for g in groups]
    far = [d @ np.linalg.inv(S) @ d + np.log(np.linalg.det(S)) for d, S in zip(away, inside, strict=True)]
    return (far[0] - far[1]) / 2


def test_the_title_of_who_is_left_out_is_true_in_every_state():
    X, y = PERSONS.data[:, :2], PERSONS.target
    said = {}
    for explorer, (out, weight) in states(LeftOutExplorer):
        kept = np.arange(8) != out
        naive, full = (1 / (1 + np.exp(-ask([6, weight], X[kept], y[kept], way))) for way in (False, True))
        how = "The same answer" if (naive > 0.5) == (full > 0.5) else "Opposite answers"
        assert compute_result(explorer).finding == f"{how}: naive Bayes says {naive:.2f}, with correlations {full:.2f}"
        said[out, weight] = naive, full
    naive, full = np.array([said[out, 130] for out in range(8)]).T
    assert said[8, 130] == pytest.approx((0.0025, 0.9955), abs=5e-5), "opposite decisions"
    assert max(naive) < 0.035
    assert min(full) < 0.005 < 0.995 < max(full)
    assert contents("01")["01/left-out"].truth() == pytest.approx(min(full), rel=1e-6)
    assert max(abs(said[out, 170][k] - said[8, 170][k]) for out in range(8) for k in (0, 1)) < 0.5
    assert said[3, 130][1] < 0.5 < said[7, 130][1], "without the lightest man, without the tallest woman"


def test_the_rings_are_two_standard_deviations_with_and_without_the_correlation():
    for out in (8, 0, 5):
        figure = figure_of(LeftOutExplorer(), compute_result(LeftOutExplorer(), out=out))
        rings = [trace for trace in figure.data if trace.mode == "lines"]
        for k, ring in enumerate(rings):
            own = PERSONS.data[(np.arange(8) != out) & (PERSONS.target == k // 2), :2]
            S = np.cov(own.T) if k % 2 else np.diag(own.var(axis=0, ddof=1))
            away = np.column_stack([ring.x, ring.y]) - own.mean(axis=0)
            assert np.einsum("ni,ij,nj->n", away, np.linalg.inv(S), away) == pytest.approx(np.full(len(away), 4))
        assert len(rings) == 4


def test_the_wrong_assumption_is_cheaper_with_four_people_and_dearer_with_fifty_flowers():
    """The page's table by the formula; and its reason: four people whose spreads are learned together cost less."""
    X, y = PERSONS.data[:, :2], PERSONS.target
    odds = {way: [(2 * y[i] - 1) * ask(X[i], *(np.delete(part, i, 0) for part in (X, y)), way) for i in range(8)]
            for way in (False, True)}  # fmt: skip
    losses = {way: np.logaddexp(0, -np.array(s)).mean() for way, s in odds.items()}
    assert losses == pytest.approx({False: 3.59, True: 15.04}, abs=0.005)
    assert [np.sum(np.array(s) > 0) for s in odds.values()] == [6, 4]
    iris = load_iris()
    flowers = [leave_one_out(iris.data, iris.target, way)[range(150), iris.target] for way in (False, True)]
    assert [-np.log(p).mean() for p in flowers] == pytest.approx([0.13, 0.057], abs=0.0005)
    for i in (0, 70, 106, 149):
        X, y = np.delete(iris.data, i, 0), np.delete(iris.target, i)
        logs = [multivariate_normal(X[y == c].mean(axis=0), np.cov(X[y == c].T)).logpdf(iris.data[i]) for c in range(3)]
        assert flowers[1][i] == pytest.approx(np.exp(logs[iris.target[i]]) / np.exp(logs).sum())


# --- names --------------------------------------------------------------------------------------------------------


def cut_apart(text):
    """Pieces of three letters from the end, the name read backwards."""
    backwards = (text + END)[::-1]
    return [backwards[i : i + 3] for i in range(0, len(backwards), 3)]


EVERY = dict(analyzer="char", ngram_range=(1, 3), lowercase=False)


@pytest.mark.parametrize("cut", [0, 1])
@pytest.mark.parametrize("typed", ["Gloria", "Brooke", "Anna", "Charlie", "Xyzzy"])
def test_a_name_by_scikit_learn_on_all_other_names(typed, cut):
    names = load_names(both_lists=False)
    kept = names.data != typed
    counter = CountVectorizer(analyzer=cut_apart) if cut else CountVectorizer(**EVERY)
    end = "" if cut else END
    counts = counter.fit_transform([text + end for text in names.data[kept]])
    peer = PeerWords(class_prior=[0.5, 0.5]).fit(counts, names.target[kept])
    p = peer.predict_joint_log_proba(counter.transform([typed + end]))[0]
    r = compute_result(NameEvidenceExplorer(), name=typed, cut=cut)
    assert r.total == pytest.approx(p[1] - p[0], rel=1e-9)
    assert sum(r.shown.values()) == pytest.approx(r.total)


def test_the_title_of_a_name_is_true_for_every_name_that_is_offered():
    """Counted and judged without the explorer's words: pieces by scikit-learn's analyzers, the class by the list."""
    names = load_names(both_lists=False)
    listed = dict(zip(names.data.tolist(), names.target_names[names.target].tolist(), strict=True))
    offered = NameEvidenceExplorer.declared["name"].chosen
    assert len(set(offered)) >= 500
    wrong = 0
    for name, cut in product(offered, (0, 1)):
        r = compute_result(NameEvidenceExplorer(), name=name, cut=cut)
        sex, n = "male" if r.total > 0 else "female", len(r.votes)
        assert n <= len(set(cut_apart(name) if cut else CountVectorizer(**EVERY).build_analyzer()(name + END)))
        pieces = f"{n} piece{'s' * (n > 1)}" + (("", " that overlap", " that share no letter")[(n > 1) * (1 + cut)])
        mistaken = ", wrongly" * (sex != listed[name])
        ratio = np.exp(r.total)
        title = f"{pieces}: {write_odds(ratio)} for {sex}{mistaken}" if n else "No piece of this name was ever counted"
        assert r.finding == title
        wrong += bool(mistaken)
    assert wrong > 50


def test_what_the_page_says_of_gloria_and_brooke():
    shown = compute_result(NameEvidenceExplorer()).shown
    assert {"a¶", "ia¶", "ria", "ia"} < set(shown)
    once, sure = (compute_result(NameEvidenceExplorer(), cut=cut).total for cut in (1, 0))
    assert sure < once < 0, "cut apart she is still female, and less sure"
    assert compute_result(NameEvidenceExplorer(), name="Brooke").finding.endswith("for male, wrongly")
    wrong = sure_names()["all pieces"][2]
    assert wrong == pytest.approx(1 / 17, abs=0.0017), "one in seventeen"


def test_the_heap_holds_every_name_once():
    for cut in (0, 1):
        figure = figure_of(NameEvidenceExplorer(), compute_result(NameEvidenceExplorer(), cut=cut))
        upwards, downwards = (trace for trace in figure.data if len(trace.x) > 9)
        assert (sum(upwards.y), -sum(downwards.y)) == (3553, 2892)


def test_overlap_makes_the_names_model_sure_and_wrong():
    """By scikit-learn, every split with a vocabulary of its own; pieces are cut from the name read backwards."""

    def overlapping(text):
        backwards = (text + END)[::-1]
        return [backwards[i : i + 3] for i in range(len(cut_apart(text)))]

    names, found = load_names(both_lists=False), {}
    texts, y, splits = names.data, names.target, {}
    for way, options in (("all pieces", EVERY), ("overlapping threes", dict(analyzer=overlapping)),
                         ("threes cut apart", dict(analyzer=cut_apart))):  # fmt: skip
        rows = []
        for seed in range(20):
            order = np.random.default_rng(seed).permutation(len(texts))
            test, training = order[:1289], order[1289:]
            end = END if options is EVERY else ""
            counter = CountVectorizer(**options)
            model = PeerWords().fit(counter.fit_transform([t + end for t in texts[training]]), y[training])
            p = model.predict_proba(counter.transform([t + end for t in texts[test]]))
            sure, right = p.max(axis=1) >= 0.99, p.argmax(axis=1) == y[test]
            rows.append((right.mean(), sure.mean(), (~right[sure]).mean()))
        found[way] = np.mean(rows, axis=0)
        splits[way] = np.array(rows)
    assert list(sure_names()) == list(found)
    for way, shares in sure_names().items():
        assert shares == pytest.approx(found[way], abs=1e-9), way
    assert found["threes cut apart"][2] < 0.01 < found["overlapping threes"][2], "only the one keeps its promise"
    assert found["overlapping threes"][1] > 2 * found["threes cut apart"][1]
    gain, broken, _ = (splits["threes cut apart"] - splits["overlapping threes"])[:, [0, 2, 1]].T
    for difference, way in ((gain, 1), (broken, -1)):
        low = way * difference.mean() - 1.96 * difference.std(ddof=1) / 20**0.5
        assert low > 0, "decides no worse, and keeps its promise: paired over the splits"


def test_how_often_a_name_ends_in_a():
    names = load_names(both_lists=False)
    women, men = ([str(n)[-1] == "a" for n in names.data[names.target == c]] for c in (0, 1))
    shares = Fraction(sum(women), len(women)), Fraction(sum(men), len(men))
    assert [round(100 * float(share)) for share in shares] == [43, 1]
    question = contents("01")["01/ends-in-a"]
    assert question.truth() == pytest.approx(float(shares[0] / shares[1]), rel=1e-12)
    odds = float(shares[0] / shares[1])
    assert odds / (1 + odds) == pytest.approx(0.98, abs=0.005)


# --- 01b: event models, bells, correlation -------------------------------------------------------------------------


def test_the_title_of_the_event_models_is_true_in_every_state():
    """Against scikit-learn; and the figure shows what each word says to each model."""
    other = [c for c in range(6) if DOCS.feature_names[c] not in ("Chinese", "Tokyo", "Japan")]
    peers = [m.fit(X, DOCS.target) for m, X in ((PeerWords(), DOCS.data), (PeerWords(), DOCS.data > 0),
                                                (PeerPresence(), DOCS.data))]  # fmt: skip
    for explorer, values in states(EventModelsExplorer):
        said, r = dict(zip(("Chinese", "Tokyo", "Japan"), values, strict=True)), compute_result(explorer)
        counts = np.array([[said.get(word, 0) for word in DOCS.feature_names]])
        rows = counts, counts > 0, counts
        odds = [np.diff(peer.predict_joint_log_proba(x))[0, 0] for peer, x in zip(peers, rows, strict=True)]
        assert r.totals == pytest.approx(odds)
        china = [name for name, v in zip(("multinomial", "cut to 1", "Bernoulli"), odds, strict=True) if v > 0]
        words = r.finding.lower().split(" models say " if len(china) in (0, 3) else ";")
        if len(china) in (0, 3):
            assert words == ["all three", "china" if china else "not china"]
        else:
            for part in words:
                models, decided = re.split(" says? ", part.strip())
                for name in models.split(" and "):
                    assert (name in map(str.lower, china)) == (decided == "china"), r.finding
        for bars, total, peer in zip(figure_of(explorer, r).data[:3], odds, peers, strict=True):
            assert bars.x[-1] == pytest.approx(total) == pytest.approx(sum(bars.x[:-1]))
            assert (abs(np.array(bars.x)[1:-1][other]) > 0.1).all() == (peer is peers[2]), "only one hears absent words"
        prior, there, absent, together = read_numbers(explorer)
        assert together == pytest.approx(odds[2], abs=0.0051) == pytest.approx(prior + there + absent, abs=0.0202)


def test_it_is_the_training_data_that_turn_the_decision_about_tokyo():
    """Nothing is cut in "Tokyo". Counts cut in the training data alone turn it: then the model is "cut to 1"."""
    tokyo = np.array([[word == "Tokyo" for word in DOCS.feature_names]])
    said = [PeerWords().fit(X, DOCS.target).predict_proba(tokyo)[0, 1] for X in (DOCS.data, DOCS.data > 0)]
    assert said[0] < 0.5 < said[1]
    assert DOCS.data[DOCS.data > 1].tolist() == [2, 2]
    assert DOCS.data[:, DOCS.feature_names.index("Chinese")].tolist().count(2) == 2
    finding = compute_result(EventModelsExplorer(), "Tokyo alone").finding
    assert finding == "Cut to 1 says China; multinomial and Bernoulli say not China"


def test_the_title_of_the_bells_is_true_in_every_state():
    """Borders by bisection on scipy's densities; both curves are those of scipy."""
    grid = np.linspace(-400, 900, 1301)
    for explorer, (weight, shared, prior) in states(BellsExplorer):
        spreads = [g[:, 1].std(ddof=1) for g in (WOMEN, MEN)]
        spreads = [np.sqrt(np.mean(np.square(spreads)))] * 2 if shared else spreads

        def odds(x, spreads=spreads, prior=prior):
            logs = [norm.logpdf(x, g[:, 1].mean(), s) for g, s in zip((WOMEN, MEN), spreads, strict=True)]
            return logit(prior) + logs[1] - logs[0]

        above = odds(grid) > 0
        ends = [f"{brentq(odds, grid[i], grid[i + 1]):.0f}" for i in np.flatnonzero(np.diff(above))]
        assert compute_result(explorer).finding == [
            "No border: female at every weight",
            f"Equally wide bells, one border: male above {ends[0] if ends else ''} pounds",
            f"Two borders: male only between {' and '.join(ends)} pounds",
        ][len(ends)]
        assert not above[0]
        assert above[-1] == bool(shared)
        figure = figure_of(explorer, compute_result(explorer))
        curve = next(trace for trace in figure.data if "log odds %{y:.2f} at" in (trace.hovertemplate or ""))
        assert curve.y == pytest.approx(odds(np.array(curve.x)))
        women = figure.data[0]
        assert women.y == pytest.approx((1 - prior) * norm.pdf(women.x, WOMEN[:, 1].mean(), spreads[0]))
        assert read_numbers(explorer)[-1] == pytest.approx(odds(weight), abs=0.0051)


def test_what_the_page_says_of_300_pounds():
    assert 1 / (1 + np.exp(-weight_ratio(300.0))) == pytest.approx(1.54e-16, rel=0.005)
    eight = [abs(weight_ratio(pounds)) for pounds in (*WOMEN[:, 1], *MEN[:, 1])]
    assert -weight_ratio(300.0) > 1.4 * max(eight), "surer than about any of the eight"
    assert contents("01")["01/three-hundred"].truth() == pytest.approx(1)
    far = 1e3 * np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
    logs = [multivariate_normal([m, m], s * s).logpdf(far) for m, s in ((-1, 1), (1, 2))]
    question = contents("01")["01/wide"]
    assert question.truth() == sum(logs[1] > logs[0]) == 4
    assert question.right_option() == "everywhere outside a ring around A"


def test_a_tilt_it_misses():
    """Errors are Phi(-1.2) and Phi(-2): also by 400,000 draws and the densities."""
    rng, S = np.random.default_rng(1), np.array([[1, 0.8], [0.8, 1]])
    y = np.repeat([0, 1], 200_000)
    X = rng.multivariate_normal([0, 0], S, len(y)) + np.outer(2 * y - 1, [1.2, 0])
    logs = [multivariate_normal(m, S).logpdf(X) for m in ([-1.2, 0], [1.2, 0])]
    wrong = np.mean((X[:, 0] > 0) != y), np.mean((logs[1] > logs[0]) != y)
    assert wrong == pytest.approx((0.115, 0.023), abs=0.002)
    assert contents("01")["01/tilt"].truth() == pytest.approx(norm.cdf(-2)) == pytest.approx(wrong[1], abs=0.002)


def test_the_flower_of_the_report_by_variances_of_each_class_and_by_the_same_for_both():
    """scikit-learn's issue #29648 by plain algebra: naive Bayes is less sure than with correlations, then surer."""
    iris, flower = load_iris(), [5.2, 3.6, 1.5, 0.3]
    groups = [iris.data[iris.target == c] for c in (0, 1)]
    away, inside = [np.subtract(flower, g.mean(axis=0)) for g in groups], [np.cov(g.T, ddof=0) for g in groups]

    def log_odds(matrices):
        heights = (d @ np.linalg.solve(S, d) + np.linalg.slogdet(S)[1] for d, S in zip(away, matrices, strict=True))
        return -np.subtract(*heights) / 2

    wanted = [log_odds([S * mask for S in within]) for within in (inside, [sum(inside) / 2] * 2)
              for mask in (np.eye(4), 1)]  # fmt: skip
    assert wanted[0] < wanted[1]
    assert wanted[2] > wanted[3]
    (printed,) = [output.text for cell in DEEPER.cells if cell.id == "iris-run" for output in cell.outputs]
    said = [float(word) for line in printed.splitlines() for word in line.split()[-2:]]
    assert said == pytest.approx(wanted, abs=0.051)
    priors = [1e-12, 1 - 1e-11, 9e-12]
    assert Peer(priors=priors).fit(iris.data, iris.target).predict([flower]) == [0], "setosa all the same"


# --- questions ----------------------------------------------------------------------------------------------------


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


def test_a_column_told_twice_is_undone_by_a_root():
    """By scikit-learn: where the table with a copied column says .96, the table without it says the answer."""
    feet = PERSONS.data[:, :1]
    single, double = (Peer(priors=[0.5, 0.5]).fit(np.hstack([feet] * n), PERSONS.target) for n in (1, 2))
    at = brentq(lambda x: double.predict_proba([[x, x]])[0, 1] - 0.96, 5, 6)
    said = single.predict_proba([[at]])[0, 1]
    assert contents("01")["01/told-twice"].expected() == pytest.approx(said, rel=1e-6)


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
    assert "equally frequent normal classes" in question.task

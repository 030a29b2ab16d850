"""Chapter 10."""

from fractions import Fraction
from itertools import product
from math import exp, log

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import ttest_1samp
from sklearn.calibration import calibration_curve
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import BernoulliNB as Reference
from sklearn.naive_bayes import CategoricalNB as Categories
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from nbcore.datasets import load_names
from tests.plotly_figure import figure_of
from workbook.chapters.c10_naive_bayes_and_logistic_regression.claims import CLAIMS, lead_at
from workbook.chapters.c10_naive_bayes_and_logistic_regression.experiment import (
    COPIED,
    FEATURES,
    KINDS,
    PENALTIES,
    SEEDS,
    SIZES,
    TEST,
    USELESS,
    category_scores,
    ending_and_before,
    fit_with_useless,
    honest_error,
    learning_curve,
    letter_features,
    letter_pairs,
    logistic_scores,
    mean_and_half,
    name_pair,
    names_for,
    names_needed,
    only_endings,
    useless,
    useless_bits,
    useless_lead,
)
from workbook.chapters.c10_naive_bayes_and_logistic_regression.two_bits import (
    CORNERS,
    TABLES,
    Line,
    log_joint,
    logistic_line,
    naive_line,
    random_tables,
    scores,
)
from workbook.explorer.formula import Term
from workbook.explorers import GenerativeDiscriminativeExplorer, TwoLinesExplorer, UselessBitsExplorer
from workbook.learning import contents
from workbook.questions.typed import read_number

# --- Both models on the same names, against scikit-learn, plain counting and each other; and what the ledger says.


def test_features_are_those_of_the_names():
    X, y = letter_features()
    assert X.shape == (6445, len(FEATURES))
    assert (X[:, 26:].sum(axis=1) == 1).all(), "every name ends in one letter"
    assert (X[:, :26] >= X[:, 26:]).all(), "and contains it"
    assert y.mean() == pytest.approx(3553 / 6445)
    assert letter_features(both_lists=True)[0].shape == (7203, len(FEATURES)), "the ledger's"


@pytest.mark.parametrize("seed", [0, 7])
def test_a_split_is_balanced_at_every_size_and_shares_no_name(seed):
    _, y = letter_features()
    learn, test = names_for(seed)
    assert not set(learn) & set(test)
    assert len(test) == TEST
    assert y[test].mean() == 0.5
    assert all(y[learn[:n]].mean() == 0.5 for n in SIZES)
    assert len(learn) == SIZES[-1]


@pytest.mark.parametrize("copies", [1, 4])
@pytest.mark.parametrize("penalty", ["almost none", "usual"])
def test_both_fits_are_those_of_scikit_learn(copies, penalty):
    X, y = letter_features()
    learn, test = (X[rows] for rows in names_for(2))
    rows = names_for(2)
    wide = [np.hstack([part, *[part[:, [COPIED]]] * (copies - 1)]) for part in (learn[:200], test)]
    pair = name_pair(200, copies, penalty, 2)
    bayes = Reference().fit(wide[0], y[rows[0][:200]])
    np.testing.assert_allclose(pair.bayes.proba, bayes.predict_proba(wide[1])[:, 1], rtol=1e-9)
    C = {"almost none": 1e4, "usual": 1.0}[penalty]
    other = LogisticRegression(C=C, solver="newton-cg", tol=1e-10, max_iter=2000).fit(wide[0], y[rows[0][:200]])
    np.testing.assert_allclose(pair.logistic.proba, other.predict_proba(wide[1])[:, 1], atol=1e-5)
    decided = [fit.proba > 0.5 for fit in (pair.bayes, pair.logistic)]
    assert pair.accuracy == tuple(accuracy_score(y[rows[1]], d) for d in decided)


def test_totals_give_the_same_predictions_up_to_one_shift():
    X, _ = letter_features()
    _, test = names_for(1)
    for fit in (name_pair(500, 4, seed=1).bayes, name_pair(500, 4, seed=1).logistic):
        z, shifted = np.log(fit.proba / (1 - fit.proba)), X[test] @ fit.totals
        np.testing.assert_allclose(z - shifted, (z - shifted)[0], atol=1e-8)
        assert X[:, 26:].mean(axis=0) @ fit.totals[26:] == pytest.approx(0, abs=1e-10)


def test_bayes_counts_copies_and_logistic_regression_shares_the_weight():
    one, eight = name_pair(1000, 1), name_pair(1000, 8)
    assert eight.bayes.totals[COPIED] == pytest.approx(8 * one.bayes.totals[COPIED])
    copies = eight.logistic.weights[[COPIED, *range(len(FEATURES), len(FEATURES) + 7)]]
    np.testing.assert_allclose(copies, one.logistic.weights[COPIED] / 8, rtol=1e-3)


def test_with_a_penalty_copies_weaken_it_as_the_exercise_says():
    """c copies under penalty strength 1 are one column times sqrt(c)."""
    X, y = letter_features()
    learn, test = names_for(0)
    scale = np.where(np.arange(52) == COPIED, 2.0, 1.0)
    model = LogisticRegression(C=1.0, tol=1e-10, solver="newton-cholesky").fit(X[learn[:100]] * scale, y[learn[:100]])
    np.testing.assert_allclose(
        name_pair(100, 4, "usual").logistic.proba, expit(model.decision_function(X[test] * scale)), atol=1e-6
    )


def test_the_curves_are_the_means_of_the_pairs_and_cross():
    curve = learning_curve()
    assert curve.bayes.shape == curve.logistic.shape == (len(SIZES), SEEDS)
    assert curve.bayes[3, 5] == name_pair(100, seed=5).accuracy[0]
    lead, half = curve.lead
    gap = curve.logistic[3] - curve.bayes[3]
    assert lead[3] == pytest.approx(gap.mean())
    assert half[3] == pytest.approx(lead[3] - ttest_1samp(gap, 0).confidence_interval(0.95).low), "Student's t"


@pytest.mark.parametrize("wrong", [dict(n=1), dict(n=2001), dict(copies=0), dict(penalty="strong")])
def test_wrong_settings_are_named(wrong):
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} must be"):
        name_pair(**wrong)


# --- the ledger ---------------------------------------------------------------------------------------------------


def test_the_verdicts_are_borne_out():
    linear, target, limit, faster, few = CLAIMS
    assert linear.measure().agrees(linear.stated, linear.rounding)
    assert target.measure().value > 0
    assert lead_at(2000).low > 0, "on names it is so"
    assert f"{lead_at(2000).value:.3f}"[1:] in limit.note
    naive, logistic = limit.measure().value
    assert naive == pytest.approx(0.202 / 0.999, abs=5e-4)
    assert logistic > naive + 0.07
    assert all(np.diff(few.measure().value) > 0)
    assert faster.measure().high < 0
    assert lead_at(100, "usual").value > 0, "but with the usual penalty it does not outperform"
    assert lead_at(200, "usual").low > 0


# --- Chapter 10's explorer shows nbcore's numbers, by routes of their own.


def traces(explorer, axis):
    figure = figure_of(explorer, explorer.compute(**explorer.state))
    return [trace for trace in figure.data if trace.xaxis == axis]


@pytest.mark.parametrize("state", [dict(), dict(n=1000, copies=8), dict(n=50, penalty="usual", seed=6)])
def test_the_reliability_is_that_of_scikit_learn(state):
    explorer = GenerativeDiscriminativeExplorer(**state, right="reliability")
    s = explorer.state
    pair = name_pair(s["n"], s["copies"], s["penalty"], s["seed"])
    for trace, fit in zip(traces(explorer, "x2"), (pair.bayes, pair.logistic), strict=True):
        said, true = np.concatenate([1 - fit.proba, fit.proba]), np.concatenate([1 - pair.y, pair.y])
        observed, mean = calibration_curve(true, said, n_bins=10)
        assert set(np.round(observed, 6)) == set(np.round(trace.y, 6))
        np.testing.assert_allclose(trace.x, mean, atol=0.01)


@pytest.mark.parametrize("copies", [1, 8])
def test_the_curve_at_the_size_in_view_is_the_mean_of_the_splits(copies):
    explorer = GenerativeDiscriminativeExplorer(n=200, copies=copies)
    bayes, logistic = traces(explorer, "x2")
    assert (bayes.name, logistic.name) == ("naive Bayes", "logistic")
    at = SIZES.index(200)
    X, y = letter_features()
    X = np.hstack([X, *[X[:, [COPIED]]] * (copies - 1)])
    by_hand = []
    for seed in range(10):
        learn, test = names_for(seed)
        by_hand.append(accuracy_score(y[test], Reference().fit(X[learn[:200]], y[learn[:200]]).predict(X[test])))
    assert bayes.y[at] == pytest.approx(np.mean(by_hand))
    assert logistic.y[at] == learning_curve(copies).logistic[at].mean()


def test_every_feature_is_one_point_at_its_weights():
    explorer = GenerativeDiscriminativeExplorer(n=1000, copies=4)
    contains, ends, special = traces(explorer, "x")
    pair = name_pair(1000, 4)
    assert len(contains.x) == len(ends.x) == 26
    np.testing.assert_array_equal(np.concatenate([contains.x, ends.x]), pair.bayes.totals)
    np.testing.assert_array_equal(np.concatenate([contains.y, ends.y]), pair.logistic.totals)
    assert special.x[0] == pytest.approx(4 * name_pair(1000).bayes.totals[COPIED])


def test_what_the_page_says_of_the_column_of_weights():
    pair = name_pair(100)
    assert 3 < np.abs(pair.bayes.totals).max() < 4
    assert np.abs(pair.logistic.totals).max() > 20


def test_the_intervals_of_the_curves_are_students():
    explorer = GenerativeDiscriminativeExplorer(n=200)
    for trace, values in zip(traces(explorer, "x2"), (learning_curve().bayes, learning_curve().logistic), strict=True):
        low = [ttest_1samp(row, 0).confidence_interval(0.95).low for row in values]
        np.testing.assert_allclose(trace.y - trace.error_y.array, low)


def test_what_is_missing_at_a_hundred_names():
    curve, at = learning_curve(), SIZES.index(100)
    missing = [100 * (values[-1].mean() - values[at].mean()) for values in (curve.bayes, curve.logistic)]
    assert [f"{m:.1f}" for m in missing] == ["6.0", "10.3"]


def test_what_the_page_says_of_the_leads():
    lead, half = learning_curve().lead
    clear = np.where(np.abs(lead) > half, np.sign(lead), 0)
    assert clear.tolist() == [0, -1, -1, -1, 0, 0, 1, 1], "10, 200 and 500 are open"
    lead, half = learning_curve(penalty="usual").lead
    assert (np.abs(lead[:4]) < half[:4]).all(), "neither is clearly ahead up to 100"
    assert (lead[4:] > half[4:]).all()


# --- two bits -----------------------------------------------------------------------------------------------------


def rows_of(counts):
    """The table as rows for scikit-learn."""
    counts = np.asarray(counts)
    return np.repeat(np.vstack([CORNERS, CORNERS]), counts.ravel(), axis=0), np.repeat([0, 1], counts.sum(axis=1))


def lines():
    rng = np.random.default_rng(3)
    return [Line(tuple(rng.normal(0, 3, 2)), float(rng.normal(0, 3))) for _ in range(40)]


@pytest.mark.parametrize("table", TABLES)
def test_both_lines_are_those_of_scikit_learn(table):
    X, y = rows_of(TABLES[table])
    bayes, logistic = naive_line(TABLES[table]), logistic_line(TABLES[table])
    reference = Reference(alpha=1e-12).fit(X, y).predict_log_proba(CORNERS)
    np.testing.assert_allclose(bayes.log_odds, reference[:, 1] - reference[:, 0], atol=1e-8)
    model = LogisticRegression(C=1e12, tol=1e-12, max_iter=1000, solver="newton-cg").fit(X, y)
    np.testing.assert_allclose(logistic.log_odds, model.decision_function(CORNERS), atol=1e-5)
    for line, fit in ((bayes, Reference(alpha=1e-12).fit(X, y)), (logistic, model)):
        assert scores(TABLES[table], line).errors == np.sum(fit.predict(X) != y)


def test_the_line_of_naive_bayes_by_hand():
    w = log(Fraction(3, 5) / Fraction(2, 5)) - log(Fraction(14, 15) / Fraction(1, 15))
    b = log(Fraction(5, 15)) + 2 * log(Fraction(2, 5) / Fraction(1, 15))
    line = naive_line(TABLES["twenty rows"])
    assert (*line.w, line.b) == pytest.approx((w, w, b))
    assert scores(TABLES["twenty rows"], line).errors == 3


@pytest.mark.parametrize("table", TABLES)
def test_the_joint_likelihood_of_a_line_is_that_of_the_best_naive_bayes_model_with_it(table):
    """By a search over all of them: what P(x_f = 1 | 0) is free, the line fixes the rest."""
    share = np.array(TABLES[table]) / np.sum(TABLES[table])

    def minus(free, line):
        p0 = expit(free)
        p1 = expit(free + line.w)
        odds = exp(line.b) * np.prod((1 - p0) / (1 - p1))
        prior = odds / (1 + odds)
        each = [(CORNERS * np.log(p) + (1 - CORNERS) * np.log1p(-p)).sum(axis=1) for p in (p0, p1)]
        return -(share[0] @ (each[0] + np.log(1 - prior)) + share[1] @ (each[1] + np.log(prior)))

    for line in [naive_line(TABLES[table]), *lines()[:8]]:
        found = min(minimize(minus, start, args=(line,), method="Nelder-Mead",
                             options=dict(xatol=1e-8, fatol=1e-12, maxiter=4000)).fun
                    for start in ([0, 0], -np.array(line.w)))  # fmt: skip
        assert log_joint(TABLES[table], line) == pytest.approx(-found, abs=1e-6)


@pytest.mark.parametrize("table", TABLES)
def test_each_model_has_the_best_of_its_own_likelihood_and_counting_gives_the_joint_one(table):
    counts = np.array(TABLES[table])
    bayes, logistic = (scores(counts, line(counts)) for line in (naive_line, logistic_line))
    for line in lines():
        other = scores(counts, line)
        assert other.joint < bayes.joint
        assert other.conditional < logistic.conditional
        assert other.joint < other.conditional
    n, p = counts.sum(axis=1), counts @ CORNERS / counts.sum(axis=1)[:, None]
    each = np.log(n / n.sum())[:, None] + np.log(p) @ CORNERS.T + np.log1p(-p) @ (1 - CORNERS).T
    assert bayes.joint == pytest.approx((counts * each).sum() / counts.sum())


def test_extreme_lines_have_a_joint_likelihood_too():
    """Newton's steps alone run away there."""
    for turn, steep, shift in product(range(0, 360, 15), (0.2, 5, 20), (-0.8, 0.0, 0.8)):
        explorer = TwoLinesExplorer(turn=turn, steep=steep, shift=shift)
        own = explorer.compute(**explorer.state)
        line, share = own.lines["yours"], np.array(TABLES["twenty rows"]) / 20

        def minus(a, line=line, share=share):
            log_partition = np.logaddexp(np.logaddexp(0, a).sum(), line.b + np.logaddexp(0, a + line.w).sum())
            return log_partition - share.sum(axis=0) @ CORNERS @ a

        found = minimize(minus, -np.array(line.w) / 2, method="BFGS").fun
        assert own.scores["yours"].joint >= share[1] @ line.log_odds - found - 1e-6


def test_no_line_gets_fewer_than_three_of_the_twenty_wrong():
    """Nobody does: in every corner the rarer class is lost."""
    counts = np.array(TABLES["twenty rows"])
    assert counts.min(axis=0).sum() == 3
    assert scores(counts, logistic_line(counts)).errors == 5


def test_the_bits_called_independent_are_and_those_called_copies_nearly_are():
    for rows in TABLES["independent bits"]:
        n, table = sum(rows), np.array(rows).reshape(2, 2)
        outer = [Fraction(int(a) * int(b), n) for a in table.sum(axis=1) for b in table.sum(axis=0)]
        assert outer == list(rows)
    table = np.array(TABLES["nearly copies"])
    assert table[:, [0, 3]].sum() / table.sum() == 0.8
    bayes, logistic = naive_line(table), logistic_line(table)
    assert np.array(bayes.w) / bayes.b == pytest.approx(np.array(logistic.w) / logistic.b), "one line"
    assert 1.5 < bayes.w[0] / logistic.w[0] < 1.6, "and steeper"


def test_the_table_of_real_names():
    small, y = [name.lower() for name in load_names(both_lists=False).data], letter_features()[1]
    corner = np.array([2 * ("k" in name) + ("l" in name) for name in small])
    assert [tuple(np.bincount(corner[y == c], minlength=4)) for c in (0, 1)] == list(TABLES["names: k and l"])
    table = TABLES["names: k and l"]
    assert [scores(table, line(table)).errors for line in (naive_line, logistic_line)] == [2882, 2892]


def test_of_all_pairs_of_letters_k_and_l_favour_naive_bayes_most():
    X, y = letter_features()
    more = {pair: logistic - bayes for pair, (bayes, logistic) in letter_pairs().items()}
    assert len(more) == 325
    assert [sum(sign * gap > 0 for gap in more.values()) for sign in (-1, 1)] == [12, 3]
    assert max(more, key=more.get) == "kl"
    assert more["kl"] == 10
    assert letter_pairs()["kl"][1] == np.sum(y == 0), "female of everybody"
    for pair in ("kl", "au", "ab"):
        two = X[:, [FEATURES.index(f"contains {letter}") for letter in pair]]
        models = Reference(alpha=1e-12), LogisticRegression(C=1e10, tol=1e-12, max_iter=1000)
        assert letter_pairs()[pair] == tuple(np.sum(model.fit(two, y).predict(two) != y) for model in models)


def test_how_often_random_tables_favour_either():
    fewer = [0, 0]
    for shares in np.random.default_rng(0).dirichlet(np.ones(8), size=100).reshape(100, 2, 4):
        X, y, weight = np.vstack([CORNERS, CORNERS]), np.repeat([0, 1], 4), shares.ravel()
        logistic = LogisticRegression(C=1e10, tol=1e-12, max_iter=1000).fit(X, y, sample_weight=weight)
        bayes = Reference(alpha=1e-12).fit(X, y, sample_weight=weight)
        a, b = (weight @ (model.predict(X) != y) for model in (logistic, bayes))
        fewer[0] += a < b - 1e-9
        fewer[1] += b < a - 1e-9
    assert random_tables(100) == tuple(fewer)
    better, worse = random_tables(1000)
    assert better > 3 * worse > 60, "mostly, not always"


@pytest.mark.parametrize("preset", TwoLinesExplorer.presets)
def test_the_plane_shows_the_lines_and_the_rows(preset):
    explorer = TwoLinesExplorer().preset(preset)
    r = explorer.compute(**explorer.state)
    own = r.lines["yours"]
    for trace in traces(explorer, "x"):
        if trace.name in r.lines:
            z = r.lines[trace.name].b + np.array(r.lines[trace.name].w) @ [trace.x, trace.y]
            np.testing.assert_allclose(z, 0, atol=1e-9)
    dots = [trace for trace in traces(explorer, "x") if trace.name and trace.name.startswith("class")]
    assert len(dots) == np.count_nonzero(r.counts)
    told = [int(trace.hovertemplate.split()[0].replace(",", "")) for trace in dots]
    assert sum(told) == r.counts.sum()
    (crossed,) = [trace for trace in traces(explorer, "x") if trace.name == "wrong"]
    decided = (own.log_odds > 0).astype(int)
    assert len(crossed.x) == sum((r.counts[1 - d, k] > 0) for k, d in enumerate(decided))


# --- bits that tell nothing ------------------------------------------------------------------------------------------


def at(d=0, penalty="almost none", n=100, kind="coins"):
    """Where the stored runs have this setting."""
    return list(KINDS).index(kind), USELESS.index(d), list(PENALTIES).index(penalty), SIZES.index(n)


@pytest.mark.parametrize(("kind", "d", "penalty", "n", "seed"), [
    ("coins", 0, "almost none", 100, 3), ("coins", 50, "usual", 100, 0), ("rare bits", 10, "almost none", 500, 9),
    ("rare bits", 200, "usual", 2000, 5), ("coins", 200, "almost none", 50, 7)])  # fmt: skip
def test_what_is_stored_comes_out_again(kind, d, penalty, n, seed):
    stored = useless_bits()[at(d, penalty, n, kind)][:, seed]
    assert fit_with_useless(kind, d, n, penalty, seed) == pytest.approx(1000 * stored, abs=1)


def test_without_them_it_is_the_learning_curve_and_with_them_scikit_learns_models():
    for kind, penalty in product(KINDS, PENALTIES):
        curve = learning_curve(penalty=penalty)
        stored = useless_bits()[at(0, penalty, kind=kind)[:3]]
        np.testing.assert_allclose(stored[:, 0], curve.bayes)
        np.testing.assert_allclose(stored[:, 1], curve.logistic, atol=0.0011)
    (X, y), (learn, test) = letter_features(), names_for(4)
    for kind in KINDS:
        extra = useless(4, 20, kind)
        rows, tests = np.hstack([X[learn[:200]], extra[:200]]), np.hstack([X[test], extra[2000:]])
        right = Reference().fit(rows, y[learn[:200]]).score(tests, y[test])
        assert useless_bits()[at(20, n=200, kind=kind)][0, 4] == pytest.approx(right)


@pytest.mark.parametrize("kind", KINDS)
def test_the_useless_bits_are_as_often_1_as_they_say_and_more_are_added_behind(kind):
    assert useless(0, 200, kind).shape == (3000, 200)
    assert abs(useless(0, 200, kind).mean() - KINDS[kind]) < 0.005
    np.testing.assert_array_equal(useless(3, 20, kind), useless(3, 200, kind)[:, :20])
    assert not np.array_equal(useless(0, 20, kind), useless(1, 20, kind))


def mean_lead(extra, model, n=100):
    """Lead of a model over naive Bayes with own useless bits (names, d): mean of ten splits, half its interval."""
    X, y = letter_features()
    wide, gaps = np.hstack([X, extra]), []
    for seed in range(SEEDS):
        learn, test = names_for(seed)
        right = [m.fit(wide[learn[:n]], y[learn[:n]]).score(wide[test], y[test]) for m in (model, Reference())]
        gaps.append(right[0] - right[1])
    return mean_and_half(np.array(gaps))


def test_with_coins_naive_bayes_leads_unless_bits_are_scaled_and_the_penalty_is_chosen():
    """With bits of another seed; the penalty is chosen on the names that are taught, never on those of the test."""
    rng, usual = np.random.default_rng(8), LogisticRegression(C=1.0, solver="newton-cholesky")
    chosen = GridSearchCV(usual, {"C": [0.001, 0.01, 0.1, 1, 10]})
    tossed = rng.integers(0, 2, (6445, 50))
    mean, half = mean_lead(tossed, usual)
    assert mean < -0.02 < -half
    both, half = mean_lead(tossed, make_pipeline(StandardScaler(), chosen))
    assert abs(both) < half
    assert mean < mean_lead(tossed, make_pipeline(StandardScaler(), usual))[0] < both, "scaling alone: a part of it"
    assert mean_lead(tossed, chosen)[0] < -0.02, "another penalty alone: nothing"
    assert abs(mean_lead(rng.random((6445, 50)) < 0.1, usual)[0]) < 0.015


def test_under_a_strong_penalty_a_weight_is_the_covariance_and_hushes_what_is_rare():
    (X, y), (learn, _) = letter_features(), names_for(0)
    rows, sex = np.hstack([X[learn[:100]], useless(0, 50)[:100]]), y[learn[:100]]
    w = LogisticRegression(C=0.003, solver="newton-cholesky").fit(rows, sex).coef_[0]
    assert np.corrcoef(w, (sex - 0.5) @ (rows - rows.mean(axis=0)))[0, 1] > 0.999
    usual = LogisticRegression(C=1.0, solver="newton-cholesky").fit(rows, sex).coef_[0]
    counted = np.diff(Reference().fit(rows, sex).feature_log_prob_, axis=0)[0]
    counted -= np.diff(np.log1p(-np.exp(Reference().fit(rows, sex).feature_log_prob_)), axis=0)[0]
    loud = [found[26:52].std() / found[52:].std() for found in (counted, usual)]
    assert 2 < loud[0] < 3, "more than twice as loud"
    assert 0.75 < loud[1] < 1.25, "nearly equal"


def test_with_many_names_a_stronger_penalty_would_do():
    """200 rare bits, 500 names: behind with the usual penalty; C = 0.03 takes most of that away."""
    extra = np.random.default_rng(8).random((6445, 200)) < 0.1
    mean, half = mean_lead(extra, LogisticRegression(C=1.0, solver="newton-cholesky"), 500)
    assert mean < -half
    strong, half = mean_lead(extra, LogisticRegression(C=0.03, solver="newton-cholesky"), 500)
    assert strong - half > mean / 2


def test_what_the_page_says_of_useless_bits():
    for kind in KINDS:
        assert np.add(*useless_lead(200, kind=kind))[-1] < 0, "naive Bayes leads even at 2,000"
        crossings = []
        for d in USELESS:
            explorer = UselessBitsExplorer(d=d, kind=kind)
            crossings.append(explorer.compute(**explorer.state).crossing or 4000)
        assert crossings == sorted(crossings), "it moves right"
        assert crossings[0] == 500
    for d in (50, 200):
        gap = np.subtract(*(useless_lead(d, kind=kind)[0][6:] for kind in KINDS))
        assert np.abs(gap).max() < 0.004, "coins or rare bits: nearly the same from 1,000 names on"
    (X, y), (learn, _) = letter_features(), names_for(0)
    for n, d in product((100, 200), (50, 200)):
        rows = np.hstack([X[learn], useless(0, d)[:2000]])[:n]
        assert LogisticRegression(C=1e6, max_iter=5000).fit(rows, y[learn[:n]]).score(rows, y[learn[:n]]) == 1.0
    louder = [useless_lead(200, kind=kind)[0][SIZES.index(100)] for kind in KINDS]
    assert louder[0] < louder[1] - 0.02, "with 100 names even the weakest penalty decides"
    mean, half = useless_lead(200, "usual", "rare bits")
    assert mean[SIZES.index(100)] > half[SIZES.index(100)], "logistic regression is a little ahead"
    assert np.add(mean, half)[SIZES.index(500)] < 0, "naive Bayes is ahead again"
    for n in SIZES[3:6]:
        weights = [np.diff(Reference().fit(useless(s, 50)[:n], letter_features()[1][names_for(s)[0][:n]])
                           .feature_log_prob_, axis=0) for s in range(5)]  # fmt: skip
        assert 2 * np.std(weights) == pytest.approx(4 / np.sqrt(n), rel=0.2), "about 4 / sqrt(n): p and 1 - p alike"


def test_names_needed_are_nearly_in_proportion_to_the_bits():
    needed = [names_needed(d) for d in USELESS]
    assert needed[0] == pytest.approx(100)
    for d, n in zip(USELESS[1:], needed[1:], strict=True):
        means = useless_bits()[at(d)[:3]][:, 0].mean(axis=-1)
        above = int(np.argmax(means >= 0.7478))
        share = (0.7478 - means[above - 1]) / (means[above] - means[above - 1])
        assert n == pytest.approx(SIZES[above - 1] * (SIZES[above] / SIZES[above - 1]) ** share, rel=1e-3)
    bits = 52 + np.array(USELESS)
    assert [round(values[-1] / values[0]) for values in (needed, bits)] == [4, 5], "four times the names for five"
    assert np.corrcoef(bits, needed)[0, 1] > 0.95


@pytest.mark.parametrize("preset", UselessBitsExplorer.presets)
def test_the_useless_bits_show_the_stored_numbers(preset):
    explorer = UselessBitsExplorer().preset(preset)
    s, r = explorer.state, explorer.compute(**explorer.state)
    stored = useless_bits()[list(KINDS).index(s["kind"]), :, list(PENALTIES).index(s["penalty"])]
    *_, bayes, logistic = traces(explorer, "x")
    np.testing.assert_allclose(bayes.y, stored[USELESS.index(s["d"]), :, 0].mean(axis=-1))
    np.testing.assert_allclose(logistic.y, stored[USELESS.index(s["d"]), :, 1].mean(axis=-1))
    first, second, *_ = traces(explorer, "x2")
    np.testing.assert_allclose(first.y, stored[:, SIZES.index(s["n"]), 0].mean(axis=-1))
    np.testing.assert_allclose(second.y, stored[:, SIZES.index(s["n"]), 1].mean(axis=-1))
    lead = ttest_1samp(r.here[1] - r.here[0], 0).confidence_interval(0.95)
    assert f"± {(lead.high - lead.low) / 2:.3f}" in explorer.describe(r)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("penalty", PENALTIES)
def test_sentence_and_equation_name_the_same_lead(kind, penalty):
    """In every state, the equation is right as it is printed, and the sentence says who leads, by as much."""
    for d, n in product(USELESS, SIZES):
        explorer = UselessBitsExplorer(d=d, kind=kind, n=n, penalty=penalty)
        result = explorer.compute(**explorer.state)
        logistic, bayes, lead = (read_number(p.value) for p in explorer.explain(result) if isinstance(p, Term))
        assert round(logistic - bayes, 3) == lead
        half = mean_and_half(result.here[1] - result.here[0])[1]
        who = "logistic regression leads by" if lead > 0 else "naive Bayes leads by" if lead < 0 else "no lead, 0.000"
        by = f" {abs(lead):.3f}" if lead else ""
        assert f"; {who}{by} ± {half:.3f}" in explorer.describe(result), explorer.state


# --- the table mended, and gaps ---------------------------------------------------------------------------------------


def test_the_recoded_table_has_one_variable_for_the_ending_and_no_letter_twice():
    Z, X = ending_and_before(), letter_features()[0]
    np.testing.assert_array_equal(np.eye(26)[Z[:, 0]], X[:, 26:])
    again = np.array([[name.lower()[:-1].count(c) > 0 for c in "abcdefghijklmnopqrstuvwxyz"]
                      for name in load_names(both_lists=False).data])  # fmt: skip
    np.testing.assert_array_equal(Z[:, 1:], again)


@pytest.mark.parametrize("n", [100, 2000])
def test_category_scores_are_those_of_scikit_learn_and_a_tie_counts_half(n):
    Z, (_, y) = ending_and_before(), letter_features()
    for columns in (Z, Z[:, :1]):
        learn, test = names_for(6)
        values = [26, *[2] * 26][: columns.shape[1]]
        model = Categories(min_categories=values).fit(columns[learn[:n]], y[learn[:n]])
        z = np.diff(model.predict_joint_log_proba(columns[test]))[:, 0]
        right = np.where(abs(z) < 1e-9, 0.5, (z > 0) == y[test]).mean()
        assert category_scores(columns, n)[0][6] == pytest.approx(right)


def test_codes_of_another_length_are_refused():
    with pytest.raises(ValueError, match="codes must be"):
        category_scores(np.zeros((5, 2), dtype=int), 100)


def test_with_a_hundred_names_half_the_table_is_better_and_by_counting():
    (_, y), last = letter_features(), ending_and_before()[:, 0]
    right, ties, male, alike = [], [], [], []
    for seed in range(100):
        learn, test = names_for(seed)
        counts = [np.bincount(last[learn[:100]][y[learn[:100]] == c], minlength=26) for c in (0, 1)]
        lead = (counts[1] - counts[0])[last[test]]
        right.append(np.where(lead == 0, 0.5, (lead > 0) == y[test]).mean())
        ties.append(np.mean(lead == 0))
        male += (y[test] == 0)[lead == 0].tolist()
        free = LogisticRegression(C=1e4, solver="newton-cholesky", tol=1e-8)
        says = free.fit(np.eye(26)[last[learn[:100]]], y[learn[:100]]).predict(np.eye(26)[last[test]])
        assert not says[lead == 0].any(), "male every time"
        alike.append(np.array_equal(says[lead != 0], (lead > 0)[lead != 0]))
    found = only_endings()
    np.testing.assert_allclose(found["naive Bayes"][1], right)
    assert round(1 / np.mean(ties)) == 13, "one name in thirteen"
    assert f"{np.mean(male):.2f}" == "0.73"
    assert all(alike), "and else the two decide alike"
    clear = [mean > half for whole, ends in found.values() for few in (ends, found["naive Bayes"][1])
             for mean, half in [mean_and_half(few - whole)]]  # fmt: skip
    assert clear == [True] * 5 + [False], "not naive Bayes with the endings over the usual penalty with all"


def test_the_mended_table_closes_the_gap():
    shares, off = category_scores(ending_and_before(), 2000)
    X = letter_features()[0].astype(int)
    mended = np.hstack([X[:, 26:], ending_and_before()[:, 1:]])
    for table in (X, mended):
        logistic, off_logistic = logistic_scores(table, 2000)
        mean, half = mean_and_half(shares - logistic)
        assert abs(mean) < half
        assert off.mean() < off_logistic.mean() + 0.005
    old, off_old = logistic_scores(X, 2000)
    assert old[3] == name_pair(2000, seed=3).accuracy[1]
    assert off_old[3] == pytest.approx(name_pair(2000, seed=3).reliability[1].ece(), abs=1e-6)
    (learn, test), (_, y) = names_for(3), letter_features()
    other = LogisticRegression(C=1e4, solver="newton-cg", tol=1e-10, max_iter=2000).fit(mended[learn], y[learn])
    assert logistic[3] == other.score(mended[test], y[test])
    bits, bits_off = category_scores(X, 2000)
    clear = []
    for table in (X[:, 1:], np.hstack([ending_and_before()[:, :1], X[:, :26]]), mended):
        right, wide = category_scores(table, 2000)
        mean, half = mean_and_half(bits_off - wide)
        assert mean > half, "every repair mends the probabilities"
        mean, half = mean_and_half(right - bits)
        clear.append(mean > half)
    assert clear == [False, False, True], "and only letters before the end the decisions"
    np.testing.assert_allclose(bits, learning_curve().bayes[-1], err_msg="bits as categories of two: the same model")
    assert bits_off.mean() > 2 * np.mean([honest_error(2000, s) for s in range(SEEDS)]), "twice what luck does"


def test_an_honest_models_error_is_luck():
    """Of 1,000 names, twice counted, in ten bins: about .02 by simulation of another kind."""
    rng = np.random.default_rng(5)
    proba = name_pair(2000, seed=1).logistic.proba
    found = []
    for _ in range(50):
        true = rng.random(len(proba)) < proba
        said, came = np.concatenate([proba, 1 - proba]), np.concatenate([true, ~true])
        bins = np.minimum((10 * said).astype(int), 9)
        found.append(sum(abs(said[bins == k].mean() - came[bins == k].mean()) * np.mean(bins == k)
                         for k in np.unique(bins)))  # fmt: skip
    assert honest_error(2000, seed=1) == pytest.approx(np.mean(found), abs=0.004)


def gap_filled(seed, C=1e4):
    """26 endings unread, one split: whole fit's log odds from the rest, its ending weights, how often they occur."""
    (X, y), (learn, test) = letter_features(), names_for(seed)
    fit = LogisticRegression(C=C, solver="newton-cholesky", tol=1e-8).fit(X[learn], y[learn])
    return X[test, :26] @ fit.coef_[0, :26] + fit.intercept_, fit.coef_[0, 26:], X[learn, 26:].mean(axis=0), y[test]


def test_what_zeros_mean_to_logistic_regression_depends_on_how_it_is_written_down():
    right, male = {}, []
    for seed in range(SEEDS):
        z, ends, shares, y = gap_filled(seed)
        for shift in (-4, -2, 0, 1):
            right.setdefault(shift, []).append(np.mean((z - shift > 0) == y))
        male.append(np.mean(z < 0))
        means = [z - shift + shares @ (ends + shift) for shift in (-4, 1)]
        np.testing.assert_allclose(means[0], z + shares @ ends, err_msg="with means the shift cancels")
        np.testing.assert_allclose(means[0], means[1])
    found = {shift: f"{np.mean(each):.3f}" for shift, each in right.items()}
    assert found == {-4: "0.580", -2: "0.555", 0: "0.503", 1: "0.501"}
    assert np.mean(male) > 0.99, "male of nearly everybody"


def test_zeros_filled_in_cost_naive_bayes_nothing_here():
    (X, y), gaps, added = letter_features(), [], []
    for seed in range(SEEDS):
        learn, test = names_for(seed)
        p = np.exp(Reference().fit(X[learn], y[learn]).feature_log_prob_)
        added.append(np.diff(np.log1p(-p[:, 26:]).sum(axis=1))[0])
        z = np.diff(Reference().fit(X[learn, :26], y[learn]).predict_joint_log_proba(X[test, :26]))[:, 0]
        gaps.append(np.mean((z + added[-1] > 0) == y[test]) - np.mean((z > 0) == y[test]))
    assert f"{np.mean(added):.1f}" == "-0.1"
    mean, half = mean_and_half(np.array(gaps))
    assert abs(mean) < half < 0.006


# --- what learners answer ---------------------------------------------------------------------------------------------


def test_the_odd_but_right_ways_count():
    assert contents("10")["10/log-likelihood"].check(
        lambda z, y: -np.log1p(np.exp(-np.abs(z))).sum() - np.maximum(0, np.where(y == 1, -z, z)).sum()).correct
    assert contents("10")["10/recoded"].check(
        lambda name: np.array([ord(name.lower()[-1]) - 97] + [chr(97 + k) in name.lower()[:-1] for k in range(26)])
    ).correct
    assert contents("10")["10/unread"].check(-0.195).correct


def test_a_rule_of_the_letter_a_is_what_is_left_with_eight_copies():
    X, y = letter_features()
    assert f"had {100 * learning_curve().bayes[SIZES.index(1000)].mean():.1f} %" in contents("10")["10/copies"].question
    for copies, share in ((1, 67), (8, 95)):
        agree = []
        for seed in range(SEEDS):
            learn, test = names_for(seed)
            wide = np.hstack([X, *[X[:, [COPIED]]] * (copies - 1)])
            says = Reference().fit(wide[learn[:1000]], y[learn[:1000]]).predict(wide[test])
            agree.append(np.mean(says == X[test, COPIED]))
        assert round(100 * np.mean(agree)) == share

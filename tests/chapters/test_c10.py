"""Chapter 10."""

from fractions import Fraction
from itertools import pairwise, product
from math import exp, log

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import ttest_1samp
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import BernoulliNB as Reference
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from tests.chapters.shown import compute_result, read_numbers
from workbook.chapters.c10_naive_bayes_and_logistic_regression.claims import CLAIMS, lead_at
from workbook.chapters.c10_naive_bayes_and_logistic_regression.experiment import (
    COPIED,
    FEATURES,
    SEEDS,
    SIZES,
    TEST,
    learning_curve,
    letter_features,
    name_pair,
    names_for,
)
from workbook.chapters.c10_naive_bayes_and_logistic_regression.leads import SHOWN
from workbook.chapters.c10_naive_bayes_and_logistic_regression.strengths import (
    COINS,
    SCALED,
    STRENGTHS,
    count_split,
    split_with_coins,
    strengths,
)
from workbook.chapters.c10_naive_bayes_and_logistic_regression.targets import WAY
from workbook.chapters.c10_naive_bayes_and_logistic_regression.two_bits import (
    CORNERS,
    TABLES,
    Line,
    blend_lines,
    letter_pairs,
    logistic_line,
    naive_line,
    score_line,
)
from workbook.explorers import LeadsExplorer, PenaltiesExplorer, TargetsExplorer
from workbook.learning import contents

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


# --- who leads with how many names


def interval(runs):
    """The 95 % interval of a mean, by Student's t of scipy."""
    return ttest_1samp(runs, 0).confidence_interval(0.95)


def assert_leader(title, runs):
    """A title says who leads, by how many points, if the interval of the lead leaves 0 out."""
    low, high = interval(100 * runs)
    if low <= 0 <= high:
        assert title.endswith(": no clear leader")
    else:
        who = "logistic regression" if low > 0 else "naive Bayes"
        assert title.endswith(f": {who} leads by {abs(100 * np.mean(runs)):.1f} points")


@pytest.mark.parametrize("penalty", [0, 1])
def test_the_title_of_the_leads_holds_in_every_state_and_the_equation_is_right_as_printed(penalty):
    curve = learning_curve(penalty=("almost none", "usual")[penalty])
    for n in SIZES:
        explorer = LeadsExplorer(n=n, penalty=penalty)
        title = compute_result(explorer).finding
        assert title.startswith(f"With {n:,} names: ")
        assert_leader(title, curve.logistic[SIZES.index(n)] - curve.bayes[SIZES.index(n)])
        logistic, bayes, lead = read_numbers(explorer)
        assert logistic - bayes == pytest.approx(lead, abs=1e-9)


@pytest.mark.parametrize("state", [dict(), dict(n=1000), dict(n=200, penalty=1)], ids=str)
def test_the_marks_of_the_leads_are_those_of_scikit_learn(state):
    r = compute_result(LeadsExplorer(**state))
    X, y = letter_features()
    for seed in (0, 7):
        own, new = names_for(seed)
        model = Reference().fit(X[own[: r.n]], y[own[: r.n]])
        assert r.here[0, seed] == accuracy_score(y[new], model.predict(X[new]))
        p = np.exp(model.feature_log_prob_)
        w = np.diff(np.log(p / (1 - p)), axis=0)[0]
        w[26:] -= X[:, 26:].mean(axis=0) @ w[26:]
        np.testing.assert_allclose(r.weights[0, seed], [w[FEATURES.index(feature)] for feature in SHOWN])
    assert r.here[1].mean() == learning_curve(penalty=r.penalty).logistic[SIZES.index(r.n)].mean()


def test_what_the_page_says_of_the_leads():
    lead, half = learning_curve().lead
    clear = np.where(np.abs(lead) > half, np.sign(lead), 0)
    assert clear.tolist() == [0, -1, -1, -1, 0, 0, 1, 1], "10, 200 and 500 are open"
    lead, half = learning_curve(penalty="usual").lead
    assert (lead > -half).all(), "naive Bayes leads nowhere"


def test_with_fifty_names_logistic_regression_bends_until_all_fit_and_its_weights_fly_apart():
    X, y = letter_features()
    for seed in range(SEEDS):
        own, fit = names_for(seed)[0][:50], name_pair(50, seed=seed).logistic
        assert ((X[own] @ fit.weights + fit.intercept > 0) == y[own]).all()
    own, fit = names_for(0)[0], name_pair(2000).logistic
    assert ((X[own] @ fit.weights + fit.intercept > 0) != y[own]).any(), "2,000 do not fit"
    few, many = (compute_result(LeadsExplorer(n=n)).weights.std(axis=1).mean(axis=1) for n in (50, 1000))
    assert few[1] > 5 * few[0]
    assert many[1] < few[1] / 4, "they settle"
    held = compute_result(LeadsExplorer(penalty=1)).weights.std(axis=1).mean(axis=1)
    assert held[1] < 1.1 * held[0], "a penalty holds them"


# --- two bits


def rows_of(counts):
    """The table as rows for scikit-learn."""
    counts = np.asarray(counts)
    return np.repeat(np.vstack([CORNERS, CORNERS]), counts.ravel(), axis=0), np.repeat([0, 1], counts.sum(axis=1))


def lines():
    rng = np.random.default_rng(3)
    return [Line(tuple(rng.normal(0, 3, 2)), float(rng.normal(0, 3))) for _ in range(40)]


@pytest.mark.parametrize("table", TABLES)
def test_both_lines_are_those_of_scikit_learn(table):
    X, y = rows_of(table)
    bayes, logistic = naive_line(table), logistic_line(table)
    reference = Reference(alpha=1e-12).fit(X, y).predict_log_proba(CORNERS)
    np.testing.assert_allclose(bayes.log_odds, reference[:, 1] - reference[:, 0], atol=1e-8)
    model = LogisticRegression(C=1e12, tol=1e-12, max_iter=1000, solver="newton-cg").fit(X, y)
    np.testing.assert_allclose(logistic.log_odds, model.decision_function(CORNERS), atol=1e-5)
    for line, fit in ((bayes, Reference(alpha=1e-12).fit(X, y)), (logistic, model)):
        loss, wrong = score_line(table, line)
        assert wrong.sum() == np.sum(fit.predict(X) != y)
        assert loss == pytest.approx(log_loss(y, expit(X @ line.w + line.b)))


def test_the_line_of_naive_bayes_by_hand():
    w = log(Fraction(3, 5) / Fraction(2, 5)) - log(Fraction(14, 15) / Fraction(1, 15))
    b = log(Fraction(5, 15)) + 2 * log(Fraction(2, 5) / Fraction(1, 15))
    assert (*naive_line(TABLES[0]).w, naive_line(TABLES[0]).b) == pytest.approx((w, w, b))


def test_no_line_has_less_log_loss_than_logistic_regression_or_fewer_than_three_of_the_twenty_wrong():
    for table in TABLES:
        best, _ = score_line(table, logistic_line(table))
        assert all(score_line(table, other)[0] > best for other in lines())
    counts = np.array(TABLES[0])
    assert counts.min(axis=0).sum() == 3, "in every corner the rarer class is lost"
    assert [score_line(table, line(table))[1].sum() for table in TABLES for line in (naive_line, logistic_line)] == [
        3, 5, 4, 1]  # fmt: skip


def test_the_title_of_the_targets_holds_in_every_state():
    for way, rows in product(WAY, range(2)):
        r, table = compute_result(TargetsExplorer(way=way, rows=rows)), np.array(TABLES[rows])
        z = CORNERS @ r.line.w + r.line.b
        wrong = sum(table[1 - int(odds > 0), corner] for corner, odds in enumerate(z))
        loss = np.sum(table * [np.logaddexp(0, z), np.logaddexp(0, -z)]) / 20
        assert r.finding.endswith(f"{wrong} of 20 wrong")
        assert f"{loss:.3f}; " in r.finding
        assert ("least log loss" in r.finding) == (way == 1)
        assert r.losses.argmin() == WAY.index(1.0)
        assert (r.losses[WAY.index(way)], r.errors[WAY.index(way)]) == pytest.approx((loss, wrong))


def test_the_way_leads_from_one_model_to_the_other_and_the_equation_is_right_as_printed():
    for table, way in product(TABLES, (0.0, 1.0)):
        line = (naive_line, logistic_line)[int(way)](table)
        np.testing.assert_allclose(blend_lines(table, way).log_odds, line.log_odds)
    for way in WAY:
        explorer = TargetsExplorer(way=way)
        *_, b, w, odds, said = read_numbers(explorer)
        w *= np.sign(compute_result(explorer).line.w[1])
        assert b + w == pytest.approx(odds, abs=1e-9)
        assert said == pytest.approx(1 / (1 + exp(-odds)), abs=0.0051)


def test_of_all_pairs_of_letters_few_favour_either():
    X, y = letter_features()
    for pair in ("kl", "au", "ab"):
        two = X[:, [FEATURES.index(f"contains {letter}") for letter in pair]]
        models = Reference(alpha=1e-12), LogisticRegression(C=1e10, tol=1e-12, max_iter=1000)
        assert letter_pairs()[pair] == tuple(np.sum(model.fit(two, y).predict(two) != y) for model in models)


# --- the strength of a penalty


@pytest.mark.parametrize(("coins", "scaled", "seed"), [(0, "nothing", 3), (50, "endings", 8)])
def test_what_is_stored_comes_out_again(coins, scaled, seed):
    *counts, chosen = count_split(seed, coins, scaled)
    found = strengths(coins, scaled)
    for stored, again in zip((found.alphas, found.right, found.alike), counts, strict=True):
        np.testing.assert_allclose(stored[:, seed] * TEST, again, atol=1)
    assert found.chosen[:, seed].tolist() == chosen


def test_the_stored_shares_are_those_of_scikit_learn_and_of_the_learning_curve():
    at = SIZES.index(100)
    np.testing.assert_array_equal(strengths(0).bayes, learning_curve().bayes[at], err_msg="same names, same number")
    for C, penalty in ((1.0, "usual"), (1e4, "almost none")):
        stored = strengths(0).right[STRENGTHS.index(C)]
        np.testing.assert_allclose(stored, learning_curve(penalty=penalty).logistic[at], atol=0.0011)
    rows, sex, unseen, true = split_with_coins(4, 50)
    for scaled, part in (("all", slice(None)), ("endings", slice(26, 52)), ("coins", slice(52, None))):
        spread = np.ones(102)
        spread[part] = np.where(rows.std(axis=0) > 0, rows.std(axis=0), 1)[part]
        other = LogisticRegression(C=0.1, tol=1e-8, max_iter=1000).fit(rows / spread, sex)
        found = strengths(50, scaled)
        assert found.right[3, 4] == pytest.approx(other.score(unseen / spread, true), abs=0.0011)
        alike = np.mean(other.predict(unseen / spread) == Reference().fit(rows, sex).predict(unseen))
        assert found.alike[3, 4] == pytest.approx(alike, abs=0.0011)
    search = GridSearchCV(Reference(), {"alpha": STRENGTHS[::-1]}).fit(rows, sex)
    assert strengths(50).rivals[10, 4] == search.score(unseen, true)


def test_the_coins_of_a_split_are_the_same_everywhere_and_tell_nothing():
    rows, _, unseen, true = split_with_coins(2, 50)
    np.testing.assert_array_equal(rows[:, :52], split_with_coins(2, 0)[0])
    assert abs(unseen[:, 52:].mean() - 0.5) < 0.01
    gaps = [abs(np.corrcoef(coin, true)[0, 1]) for coin in unseen[:, 52:].T]
    assert np.mean(gaps) < 0.03
    assert not np.array_equal(rows[:, 52:], split_with_coins(3, 50)[0][:, 52:])


def test_the_title_of_the_penalties_holds_in_every_state_and_the_equation_is_right_as_printed():
    for step, (part, name), coins in product(range(11), enumerate(SCALED), COINS):
        explorer, found = PenaltiesExplorer(step=step, scaled=part, coins=coins), strengths(coins, name)
        title = compute_result(explorer).finding
        best = [max(shares, key=sum) for shares in (found.right, found.alphas)]
        chosen = [found.right[found.chosen[1], range(SEEDS)], found.alphas[found.chosen[0], range(SEEDS)]]
        pairs = *((right, found.bayes) for right in found.right), best, chosen
        assert_leader(title, np.subtract(*pairs[step]))
        said = f"C = {STRENGTHS[step]:,g}" if step < 9 else ("best of both", "both chosen")[step - 9]
        assert title.startswith(f"{said}, scaled: {name}: ")
        logistic, bayes, lead = read_numbers(explorer)
        assert logistic - bayes == pytest.approx(lead, abs=1e-9)


def test_the_best_in_hindsight_leads_unless_naive_bayes_may_choose_too():
    leads = strengths(0, "all").leads
    assert strengths(0, "all").right.mean(axis=1).argmax() == STRENGTHS.index(0.01)
    assert interval(leads[2]).low > 0
    for each in leads[9:]:
        assert interval(each).low < 0 < interval(each).high


def test_the_scale_decides_what_the_usual_penalty_hushes():
    nothing, endings, coins, every = (interval(strengths(50, part).leads[4]) for part in SCALED)
    assert coins.high < nothing.low, "scaled coins are louder still"
    assert nothing.high < 0
    assert every.high < 0
    assert endings.low > nothing.high, "endings that are scaled are heard"


@pytest.mark.slow
def test_other_coins_and_another_score_leave_no_clear_leader_either():
    (X, y), search = letter_features(), {"logisticregression__C": STRENGTHS}
    model = make_pipeline(StandardScaler(), LogisticRegression(solver="newton-cholesky"))
    for draw, scoring in product(range(2), ("accuracy", "neg_log_loss")):
        gaps = []
        for seed in range(SEEDS):
            own, new = names_for(seed)
            wide = np.hstack([X, np.random.default_rng([seed, draw]).integers(0, 2, (len(X), 50))])
            chosen = GridSearchCV(model, search, scoring=scoring).fit(wide[own[:100]], y[own[:100]])
            bayes = Reference().fit(wide[own[:100]], y[own[:100]])
            gaps.append(np.mean(chosen.predict(wide[new]) == y[new]) - bayes.score(wide[new], y[new]))
        assert interval(gaps).low < 0 < interval(gaps).high


def test_a_strong_penalty_on_scaled_bits_is_a_way_back_to_naive_bayes():
    """Weights of the bits themselves are in proportion to (p - q) / (m (1 - m)), that of a log odds ratio near it."""
    rows, sex, *_ = split_with_coins(0, 0)
    p, q = (rows[sex == c].mean(axis=0)[:26] for c in (1, 0))
    tells, m = p != q, (p + q) / 2
    w = compute_result(PenaltiesExplorer(step=0, scaled=3, coins=0)).weights[1][:26][tells]
    ratio = w * (m * (1 - m))[tells] / (p - q)[tells]
    np.testing.assert_allclose(ratio, np.median(ratio), rtol=0.02)
    alike = strengths(0, "all").alike.mean(axis=1)
    assert alike[0] > alike[4] > alike[8]
    assert all(one >= two - 0.002 for one, two in pairwise(alike)), "the weaker, the less alike"


def test_a_rare_bit_pays_less_for_the_same_move_once_it_is_scaled():
    """As the exercise says: of bits that scikit-learn scales, weights that move the log odds by 2 from a 0 to a 1."""
    bits = np.array([[1, 1], [0, 1], [0, 0], [0, 0]])[np.repeat([0, 1, 2, 3], [1, 9, 9, 1])]  # 1 in 20, and a coin
    weights = 2 / np.ptp(StandardScaler().fit_transform(bits), axis=0)
    assert contents("10")["10/scaled"].expected() == pytest.approx((weights[1] / weights[0]) ** 2)


# --- what learners answer


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

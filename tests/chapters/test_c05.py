"""Chapter 05: rules on names, copies and groups by fractions, and the ledger's claims."""

import string
from contextlib import redirect_stdout
from fractions import Fraction
from io import StringIO
from itertools import product
from pathlib import Path

import nbformat
import numpy as np
import pytest
from scipy.special import softmax
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import MultinomialNB as PeerNB

from nbcore.datasets import name_ngrams
from workbook.chapters.c05_perplexity_attenuation.claims import CLAIMS, changed, gap_to_naive_bayes, grouped_items
from workbook.chapters.c05_perplexity_attenuation.experiment import (
    EQ_15,
    EQ_15_CORRECTED,
    EQ_19,
    EQ_20,
    NAIVE,
    groups_of,
    held_out_posteriors,
    judge_by_sum,
)
from workbook.chapters.c05_perplexity_attenuation.groups import ORDER
from workbook.chapters.names import names_split
from workbook.explorer.formula import spoken
from workbook.explorers import CopiesExplorer, GroupsExplorer
from workbook.learning import contents

from .claimed import make_measurer
from .shown import compute_result


def test_an_unknown_rule_is_named():
    with pytest.raises(ValueError, match="rule must be one of"):
        held_out_posteriors("eq (21)", 1)


def test_k_beyond_its_range_counts_as_n_plus_1():
    np.testing.assert_allclose(held_out_posteriors(EQ_20, 2), held_out_posteriors(NAIVE, 2))


@pytest.mark.parametrize("max_n", [1, 3])
@pytest.mark.parametrize(("rule", "extra"), [(EQ_20, 1), (EQ_19, 0)])
def test_both_roots_by_plain_sums(rule, extra, max_n):
    """scikit-learn learns from the n-grams, and the powers are written out."""
    split = names_split(max_n)
    X, vocabulary = name_ngrams(split.training.names, max_n)
    model = PeerNB().fit(X, split.training.y)
    test, _ = name_ngrams(split.test.names, max_n, vocabulary)
    n, q = np.ravel(test.sum(axis=1)), model.class_log_prior_
    s = test @ model.feature_log_prob_.T
    power = (np.minimum(3, n + 1) / (n + extra)).reshape(-1, 1)
    score = power * (s + q) if extra else power * s + q
    np.testing.assert_allclose(held_out_posteriors(rule, max_n, 3.0), softmax(score, axis=1))


def test_eq_15_as_printed_is_a_mean_weighted_by_how_common_an_ngram_is():
    split = names_split(5)
    counts, _ = name_ngrams(split.test.names[:50], 5, split.vocabulary)
    likelihood, prior = np.exp(split.model.feature_log_prob_), np.exp(split.model.class_log_prior_)
    common = prior @ likelihood
    of_each = likelihood * prior[:, None] / common  # P(c|f)
    for row, printed, mended in zip(
        counts.toarray(), held_out_posteriors(EQ_15, 5), held_out_posteriors(EQ_15_CORRECTED, 5), strict=False
    ):
        np.testing.assert_allclose(printed, np.average(of_each, axis=1, weights=row * common))
        np.testing.assert_allclose(mended, np.average(of_each, axis=1, weights=row))


@pytest.mark.parametrize(("least", "right"), [(1, 0.566), (2, 0.768), (3, 0.832)])
def test_without_short_ngrams_eq_15_is_right_far_more_often(least, right):
    split = names_split(5)
    count = CountVectorizer(analyzer="char", ngram_range=(1, 5), lowercase=False)
    X = count.fit_transform([f"{name}¶" for name in split.training.names])
    ngrams = count.get_feature_names_out()
    model = PeerNB().fit(X[:, ngrams != "¶"], split.training.y)
    joint = np.zeros((2, len(ngrams)))
    joint[:, ngrams != "¶"] = np.exp(model.feature_log_prob_.T + model.class_log_prior_).T
    joint[:, [len(ngram) < least for ngram in ngrams]] = 0
    sums = count.transform([f"{name}¶" for name in split.test.names]) @ joint.T
    found = np.mean(sums.argmax(axis=1) == split.test.y)
    assert (found, judge_by_sum(least)) == (pytest.approx(right, abs=5e-4), pytest.approx(found))
    assert np.mean(split.test.y == 0) == pytest.approx(0.531, abs=5e-4), "the rate of always female"


def test_what_ties_the_groups_of_the_bridge():
    """bc has the posteriors of bb (f₁ = b) and of cc and dc (f₂ = c), and of no other item directly."""
    items = ["aa", "ab", "bb", "cc", "dc", "dd"]
    assert [len(group) for group in groups_of(items)] == [3, 3]
    assert [x for x in items if x[0] == "b"] == ["bb"]
    assert [x for x in items if x[1] == "c"] == ["cc", "dc"]
    words = contents("05")["05/bridge"].reason(1.0)
    assert "f₁ = b with bb, " in words
    assert "f₂ = c with cc and dc" in words


# --- copies: every state by fractions -----------------------------------------------------------------------------


@pytest.mark.parametrize("different", CopiesExplorer.different.values)
def test_the_title_of_copies_is_true_in_every_state(different):
    explorer, prior = CopiesExplorer(), Fraction(1, 5)  # odds of A
    for copies, k in product(CopiesExplorer.copies.values, CopiesExplorer.k.values):
        r, n = compute_result(explorer, copies=copies, different=different, k=k), copies * different
        truth, naive = prior * 3**different, prior * 3**n
        used = min(k, n)
        word = "is the truth" if used == different else "says too little" if used < different else "says too much"
        wrong = "; naive Bayes errs" if (truth < 1) != (naive < 1) else ""
        assert r.finding == f"k = {k:g}, m = {different}: root of the likelihood {word}{wrong}"
        assert explorer.draw(r)["layout"]["meta"]["head"]["finding"] == r.finding
        by_hand = float(truth), float(naive), float(prior) * 3**used, float(naive) ** (min(k, n + 1) / (n + 1))
        np.testing.assert_allclose(np.exp(list(r.said.values())), by_hand)


def test_the_printed_odds_of_copies_are_those_of_fractions():
    explorer = CopiesExplorer(copies=4, different=2)
    naive, truth = spoken(explorer.explain(compute_result(explorer))).split(" ; ")
    assert naive == "naive Bayes: 1/5 · 3⁸ = 1,312 : 1"
    assert truth == "truth: 1/5 · 3² = 1.8 : 1"


# --- groups -------------------------------------------------------------------------------------------------------


def spread_groups(items):
    """How many groups, by colours that spread along shared values until nothing changes."""
    color = dict(enumerate(range(len(items))))
    for _ in items:
        for i, one in enumerate(items):
            for j, other in enumerate(items):
                if one[0] == other[0] or one[1] == other[1]:
                    color[i] = color[j] = min(color[i], color[j])
    return len(set(color.values()))


def by_fractions(m, first, second, weight):
    """Items, P(A | x), P(A | f_1), P(A | f_2), the product and its root, P(A): sums over a table of fractions."""
    items = [tuple(map(int, item)) for item in ORDER[:m]]
    first, second, weight = (Fraction(str(value)) for value in (first, second, weight))
    counts = {kind: sum((item[0] <= 2) == kind for item in items) for kind in (True, False)}
    a, both = {}, {}
    for item in items:
        kind = item[0] <= 2
        both[item] = (weight if kind else 1 - weight) / counts[kind]
        a[item] = both[item] * (first if kind else second)
    of_a = sum(a.values())
    rows = []
    for item in items:
        near = [[z for z in items if z[side] == item[side]] for side in (0, 1)]
        alone = [sum(a[z] for z in zs) / sum(both[z] for z in zs) for zs in near]
        likelihood = [sum(a[z] for z in zs) / of_a for zs in near]
        other = [sum(both[z] - a[z] for z in zs) / (1 - of_a) for zs in near]
        said = []
        for power in (1, 0.5):
            up = float(likelihood[0] * likelihood[1]) ** power * float(of_a)
            said.append(up / (up + float(other[0] * other[1]) ** power * float(1 - of_a)))
        rows.append((a[item] / both[item], alone, *said))
    return items, of_a, rows


@pytest.mark.parametrize("m", range(4, 17))
@pytest.mark.parametrize("second", [0.1, 0.3, 0.8, 0.9])
def test_groups_by_fractions_and_the_title_of_every_state(m, second):
    r = compute_result(GroupsExplorer(), items=m, second=second)
    items, _, rows = by_fractions(m, 0.8, second, 0.5)
    assert r.items.tolist() == [list(item) for item in items]
    assert r.groups == spread_groups(items)
    for at, (truth, alone, naive, root) in enumerate(rows):
        assert r.truth[at] == pytest.approx(float(truth))
        np.testing.assert_allclose(r.alone[at], [float(p) for p in alone])
        assert r.holds[at] == (alone == [truth, truth])
        assert r.naive[at] == pytest.approx(naive)
        assert r.root[at] == pytest.approx(root)
    groups = groups_of([tuple(item) for item in r.items.tolist()])
    truth = {tuple(item): row[0] for item, row in zip(r.items.tolist(), rows, strict=True)}
    holds = all(len({truth[item] for item in group}) == 1 for group in groups)
    assert r.holds.all() == holds
    if holds:
        np.testing.assert_allclose(r.root, r.truth)
    many = f"{len(groups)} group{'s' * (len(groups) > 1)}"
    learnt = "and features tell the classes apart" if len(set(truth.values())) > 1 else "and there is nothing to learn"
    words = f"each feature alone says all, {learnt}" if holds else "a feature alone cannot say all"
    assert r.finding == f"{many}: {words}"


def test_items_are_grouped_whatever_their_order_and_how_many_features_they_have():
    rng = np.random.default_rng(5)
    for _ in range(50):
        items = [tuple(item) for item in np.unique(rng.integers(0, 5, (6, 2)), axis=0).tolist()]
        assert len(groups_of(rng.permutation(items).tolist())) == spread_groups(items)
    assert groups_of([(0, 0, 0), (1, 1, 1)]) == [[(0, 0, 0)], [(1, 1, 1)]]
    assert len(groups_of(list(np.ndindex(2, 2, 2)))) == 1


# --- Each statement of Carlos (2015), section 4: our number bears out the verdict that the ledger gives.

measure_claim = make_measurer(CLAIMS)


def test_the_tables_meet_eq_10_by_plain_sums():
    seen = list(grouped_items())
    assert len(seen) == 3 * 2 * 6
    for posterior, likelihoods, evidence, prior in seen:
        for likelihood, p in zip(likelihoods, evidence, strict=True):
            np.testing.assert_allclose(likelihood * prior / p, posterior)  # P(c|f_i) = P(c|x)
    evidence = np.array([p for _, _, p, _ in seen])
    assert np.ptp(evidence[:, 0] / evidence[:, 1]) > 1, "P(f_i) differs from feature to feature: no copies"


def test_sentences_about_confidence():
    single, *longer = measure_claim("section 1:").value
    assert single < 0.05 < 0.5 < min(longer)
    assert all(np.diff(measure_claim("Lower k is more perplexity").value) > 0)


def test_eq_8_and_15_change_many_decisions_of_every_length():
    assert min(measure_claim("by eq. (8)").value) > 100
    assert min(changed(EQ_15, (1.0,)).value) > 400


def test_as_printed_the_arithmetic_mean_is_far_worse_than_corrected():
    accuracy = measure_claim("eq. (15): Eq. (15) gives")
    assert accuracy.high[0] < 0.65 < 0.7 < accuracy.low[1]


def test_copies_say_a_lot_and_depend_on_each_other():
    p = 0.75, 0.25
    joint = {(c, v): 0.5 * (p[c] if v else 1 - p[c]) for c in (0, 1) for v in (0, 1)}  # all copies say v
    of_one = joint[0, 1] / (joint[0, 1] + joint[1, 1])
    assert measure_claim("implies P(c|x) = P(c)").value == pytest.approx(of_one - 0.5)
    assert measure_claim("need not be class-conditionally").value == pytest.approx(p[0] - p[0] * p[0])


def test_where_eq_20_is_naive_bayes():
    assert 0.001 < gap_to_naive_bayes("approximate", 0).value < 0.1, "one step short of it"
    assert max(measure_claim("k ranges from 1 to n").value) < 1e-9
    assert gap_to_naive_bayes("approximate", 1).value < 1e-9
    assert gap_to_naive_bayes("exact", 1).value > 0.001
    assert 0.01 < max(measure_claim("approximates eq. (19)").value) < 0.1


# --- The page: what its sentences say of the names, by scikit-learn from the strings on.


@pytest.fixture(scope="module")
def peer():
    """Labels, joint log likelihoods and n of the test names."""
    split, count = names_split(5), CountVectorizer(analyzer="char", ngram_range=(1, 5), lowercase=False)
    X = count.fit_transform([f"{name}¶" for name in split.training.names])
    known = count.get_feature_names_out() != "¶"
    counts = count.transform([f"{name}¶" for name in split.test.names])[:, known]
    model = PeerNB().fit(X[:, known], split.training.y)
    return split.test.y, model.predict_joint_log_proba(counts), np.ravel(counts.sum(axis=1))


def test_of_the_sure_one_in_sixteen_is_wrong(peer):
    y, joint, _ = peer
    posterior = softmax(joint, axis=1)
    sure, wrong = posterior.max(axis=1) > 0.99, posterior.argmax(axis=1) != y
    assert (np.sum(sure & wrong), np.sum(sure)) == (61, 1000)
    assert contents("05")["05/sure"].right_option() == "about 1 in 16"


def test_naive_bayes_sorts_no_worse_than_eq_20(peer):
    y, joint, n = peer
    right, odds = joint.argmax(axis=1) == y, abs(joint[:, 1] - joint[:, 0])
    of_naive, of_20 = roc_auc_score(right, odds), roc_auc_score(right, odds / (n + 1))
    assert of_naive == pytest.approx(0.828, abs=5e-4)
    assert of_20 == pytest.approx(0.813, abs=5e-4)


def test_a_k_above_n_plus_1_is_surer_than_naive_bayes(peer):
    _, _, n = peer
    assert np.mean(n + 1 < 20) == pytest.approx(0.413, abs=5e-3)
    assert max(n) + 1 < 50


def test_dependence_that_is_no_copy_may_need_a_k_above_n():
    """By all four items of two features, in fractions."""
    tables = {"A": {(1, 1): 5, (1, 0): 1, (0, 1): 1, (0, 0): 3}, "B": {(1, 1): 1, (1, 0): 4, (0, 1): 4, (0, 0): 1}}
    one = {c: [Fraction(sum(p for x, p in table.items() if x[i]), 10) for i in (0, 1)] for c, table in tables.items()}
    assert one == {"A": [Fraction(6, 10)] * 2, "B": [Fraction(1, 2)] * 2}
    true = Fraction(tables["A"][1, 1], tables["B"][1, 1])
    product = one["A"][0] * one["A"][1] / (one["B"][0] * one["B"][1])
    assert (true, product) == (5, Fraction(36, 25))
    assert product**4 < true < product**5, "k / n is between 4 and 5, so k > n"
    assert float(product) ** (8.8 / 2) == pytest.approx(5, rel=0.02)


def test_an_answer_may_use_any_letter():
    """Whoever solves an exercise with n = 12 and y = 0.5 gets the same page as everybody else."""
    path = Path(__file__).parents[2] / "notebooks" / "05_perplexity_attenuation.ipynb"
    names, spoiled = {"__name__": "__main__"}, " = ".join(string.ascii_letters) + " = 7"
    for cell in (cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"):
        with redirect_stdout(StringIO()) as printed:
            exec(cell.source, names)
        said = "".join(o.text for o in cell.outputs if o.output_type == "stream")
        assert printed.getvalue() == said, cell.id
        if cell.source.startswith("answer = ..."):
            exec(spoiled, names)


# --- exercises: what a slip is told -------------------------------------------------------------------------------


def test_a_function_that_stops_too_early_is_told_so():
    check = contents("05")["05/attenuate"].check
    joints = lambda S, log_prior, n, k: min(max(k, 1), n + 1) / (n + 1) * (S + log_prior)  # noqa: E731
    assert "sum to 1" in check(lambda *item: np.exp(joints(*item))).message
    assert "logs of the posterior" in check(lambda *item: joints(*item) - np.logaddexp.reduce(joints(*item))).message
    assert "so ends the root" in check(lambda S, q, n, k: softmax(min(max(k, 1), n) / n * (S + q))).message
    assert "That is the root of" in check(lambda S, q, n, k: softmax(min(max(k, 1), n) / n * S + q)).message
    assert "What is the upper end" in check(lambda S, q, n, k: softmax(max(k, 1) / (n + 1) * (S + q))).message
    assert "What is the lower end" in check(lambda S, q, n, k: softmax(min(k, n + 1) / (n + 1) * (S + q))).message
    assert check(lambda S, q, n, k: softmax(joints(S, q, n, k))).correct


@pytest.mark.filterwarnings("ignore:invalid value")
def test_a_function_that_rounds_to_0_is_not_taken():
    def naive_way(S, log_prior, n, k):
        p = np.exp(min(max(k, 1), n + 1) / (n + 1) * (S + log_prior))
        return p / p.sum()

    feedback = contents("05")["05/attenuate"].check(naive_way)
    assert not feedback.correct
    assert "0/0" in feedback.message


def test_at_the_m_of_the_six_columns_eq_19_is_exact():
    """Over all names of two endings and twelve lengths, ending and length independent in each class."""
    ending, length = {"A": 0.7, "B": 0.2}, {"A": np.arange(1, 13) / 78, "B": np.arange(12, 0, -1) / 78}
    above = {c: length[c][6:].sum() for c in "AB"}  # seven letters or more
    for ends in (0, 1):
        for long in (0, 1):
            of_one = {c: [ending[c] if ends else 1 - ending[c], above[c] if long else 1 - above[c]] for c in "AB"}
            true = {c: np.prod(of_one[c]) for c in "AB"}
            columns = {c: np.prod([of_one[c][0]] * 3 + [of_one[c][1]] * 3) for c in "AB"}
            m = contents("05")["05/which-m"].expected()
            assert columns["A"] ** (m / 6) / columns["B"] ** (m / 6) == pytest.approx(true["A"] / true["B"])

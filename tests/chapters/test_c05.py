"""Chapter 05."""

import string
from contextlib import redirect_stdout
from fractions import Fraction
from io import StringIO
from pathlib import Path

import nbformat
import numpy as np
import pytest
from scipy.special import softmax
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import MultinomialNB as PeerNB

from nbcore.datasets import load_names, name_ngrams
from nbcore.naive_bayes import MultinomialNB
from nbcore.perplexed import PerplexedBayes
from tests.plotly_figure import figure_of
from workbook.chapters.c05_perplexity_attenuation.attenuation import ALL, K
from workbook.chapters.c05_perplexity_attenuation.claims import CLAIMS, changed, gap_to_naive_bayes, grouped_items
from workbook.chapters.c05_perplexity_attenuation.copies import NAIVE as COPIED
from workbook.chapters.c05_perplexity_attenuation.copies import TRUTH
from workbook.chapters.c05_perplexity_attenuation.experiment import (
    EQ_15,
    EQ_15_CORRECTED,
    EQ_19,
    EQ_20,
    NAIVE,
    NAME_RULES,
    groups_of,
    held_out_posteriors,
    name_posterior,
    name_votes,
    posteriors_along_k,
)
from workbook.chapters.c05_perplexity_attenuation.groups import FAILS, ORDER
from workbook.chapters.names import names_split
from workbook.explorer.formula import spoken
from workbook.explorers import AttenuationExplorer, CopiesExplorer, GroupsExplorer
from workbook.items import label
from workbook.learning import contents

from .calculator import calculated
from .claimed import make_measurer
from .shown import compute_result

# --- Chapter 05's experiment: one name at a time, all test names at once, and plain sums must agree.


def columns_of(split, name):
    """The columns of a name's known n-grams, in its own order, by looking each of them up."""
    marked, known = name + "¶", list(split.vocabulary)
    ngrams = [marked[i : i + m] for m in range(1, split.max_n + 1) for i in range(len(marked) - m + 1)]
    return np.array([known.index(g) for g in ngrams if g != "¶" and g in known], dtype=int)


@pytest.mark.parametrize("max_n", [1, 3])
@pytest.mark.parametrize("rule", NAME_RULES)
@pytest.mark.parametrize("k", [1.0, 9.0, np.inf])
def test_one_at_a_time_and_all_at_once(rule, max_n, k):
    split, together = names_split(max_n), held_out_posteriors(rule, max_n, k)
    for i in (0, 100, 1288):
        alone = name_posterior(rule, split, columns_of(split, str(split.test.names[i])), k)
        np.testing.assert_allclose(together[i], alone, rtol=1e-9)
    assert together.shape == (1289, 2)
    np.testing.assert_allclose(together.sum(axis=1), 1)


def test_the_formulas_by_hand():
    split = names_split(2)
    own = columns_of(split, "Nathan")
    p, prior, n = np.exp(split.model.feature_log_prob_[:, own]), np.exp(split.model.class_log_prior_), len(own)
    evidence = prior @ p
    for rule, numerator in {
        NAIVE: p.prod(axis=1) * prior,
        EQ_20: (p.prod(axis=1) * prior) ** (3 / (n + 1)),
        EQ_19: p.prod(axis=1) ** (3 / n) * prior,
        EQ_15: p.sum(axis=1) * prior,
        EQ_15_CORRECTED: (p / evidence).sum(axis=1) * prior,
    }.items():
        np.testing.assert_allclose(name_posterior(rule, split, own, 3.0), numerator / numerator.sum())


def test_k_beyond_its_range_counts_as_n_plus_1():
    split = names_split(2)
    own = columns_of(split, "Bo")
    for rule in (EQ_20, EQ_19):
        last, beyond = posteriors_along_k(rule, split, own, [len(own) + 1.0, 1e6])
        np.testing.assert_array_equal(last, beyond)
    S = split.model.feature_log_prob_[:, own].sum(axis=1)
    np.testing.assert_allclose(name_posterior(EQ_20, split, own, 1e6), softmax(S + split.model.class_log_prior_))
    np.testing.assert_allclose(held_out_posteriors(EQ_20, 2), held_out_posteriors(NAIVE, 2))


@pytest.mark.parametrize("rule", NAME_RULES[1:])
@pytest.mark.parametrize("name", ["Anna", "Christopher", ""])
def test_the_votes_add_up_to_the_decision(rule, name):
    split = names_split(3)
    own = columns_of(split, name)
    columns, times = np.unique(own, return_counts=True)
    prior, votes = name_votes(rule, split, columns, times, 2.5)
    p = name_posterior(rule, split, own, 2.5)
    total = np.log(p[1] / p[0]) if rule in (EQ_20, EQ_19) else p[1] - p[0]
    assert prior + votes.sum() == pytest.approx(total)


def test_a_name_without_a_known_ngram_gets_the_prior():
    split = names_split(3)
    for rule in NAME_RULES:
        got = name_posterior(rule, split, np.zeros(0, dtype=int), 5.0)
        np.testing.assert_allclose(got, np.exp(split.model.class_log_prior_))


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


@pytest.mark.parametrize("function", [name_posterior, name_votes, posteriors_along_k])
def test_an_unknown_rule_is_named(function):
    rest = (np.ones(0),) if function is name_votes else ()
    with pytest.raises(ValueError, match="rule must be one of"):
        function("eq (21)", names_split(1), np.zeros(0, dtype=int), *rest, [1.0])
    with pytest.raises(ValueError, match="rule must be one of"):
        held_out_posteriors("eq (21)", 1)


# --- Chapter 05's explorers show nbcore's numbers, and these agree with plain probabilities.


# --- copies -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("different", [1, 4])
@pytest.mark.parametrize("prior", [Fraction(1, 2), Fraction(1, 10)])
def test_truth_and_naive_bayes_by_fractions(different, prior):
    r = compute_result(CopiesExplorer(), copies=3, strength=4.0, prior=float(prior), different=different)
    for copies in (1, 3, 12):
        for name, votes in ((TRUTH, different), (COPIED, different * copies)):
            odds = Fraction(4) ** votes * prior / (1 - prior)
            assert r.by_copies[name][copies - 1] == pytest.approx(np.log(float(odds)))


def test_the_copies_figure_shows_them():
    explorer = CopiesExplorer()
    r = compute_result(explorer)
    left, right = {}, {}
    for trace in figure_of(explorer, r).data:
        (right if trace.showlegend is False else left)[trace.name] = trace
    for name in r.by_copies:
        np.testing.assert_allclose(left[name].y, 1 / (1 + np.exp(-r.by_copies[name])))
        np.testing.assert_array_equal(right[name].y, r.by_k[name])


@pytest.mark.parametrize(
    ("copies", "strength", "prior", "different"), [(5, 3.0, 0.5, 1), (1, 1.5, 0.95, 1), (12, 10.0, 0.05, 6)]
)
def test_the_printed_odds_are_those_of_fractions(copies, strength, prior, different):
    explorer = CopiesExplorer(copies=copies, strength=strength, prior=prior, different=different)
    start = Fraction(str(prior)) / (1 - Fraction(str(prior)))
    naive, truth = spoken(explorer.explain(compute_result(explorer))).removeprefix("odds of A: ").split(" ; ")
    for said, looks in ((naive, copies * different), (truth, different)):
        expression, answer = said.split(": ")[1].split(" = ")
        odds, posterior = (calculated(part) for part in answer.split(" , so "))
        exact = start * Fraction(str(strength)) ** looks
        assert calculated(expression) == pytest.approx(float(exact), rel=1e-12)
        assert odds == pytest.approx(float(exact), rel=5e-4)
        assert posterior == pytest.approx(float(exact / (1 + exact)), abs=5.1e-4)


# --- names --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rule", "public"), [(EQ_20, "approximate"), (EQ_19, "exact")])
@pytest.mark.parametrize("max_n", [1, 4])
def test_the_posterior_is_that_of_the_classifier(rule, public, max_n):
    learn = names_split(max_n).training
    X, vocabulary = name_ngrams(learn.names, max_n)
    model = PerplexedBayes(MultinomialNB(), k=2.5, rule=public).fit(X, learn.y)
    r = compute_result(AttenuationExplorer(), rule=rule, max_n=max_n, name="Kendall")
    row, _ = name_ngrams(["Kendall"], max_n, vocabulary)
    assert r.n == row.sum()
    assert r.posterior[rule] == pytest.approx(model.predict_proba(row)[0, 1])
    assert r.posterior[NAIVE] == pytest.approx(model.estimator_.predict_proba(row)[0, 1])
    X_test, _ = name_ngrams(names_split(max_n).test.names, max_n, vocabulary)
    inside = X_test.toarray().sum(axis=1) + 1 >= 2.5  # elsewhere the explorer stops k at n + 1
    assert inside.all()
    other = model.predict_proba(X_test).argmax(axis=1) != model.estimator_.predict(X_test)
    assert r.changes == other.sum()
    assert r.accuracy[0] == pytest.approx(np.mean(model.predict_proba(X_test).argmax(axis=1) == names_split(1).test.y))


def test_the_decision_changes_under_eq_19_and_not_under_eq_20():
    explorer = AttenuationExplorer()
    explorer.preset("k = 1")
    r = compute_result(explorer)
    assert r.changed(EQ_19)
    assert not r.changed(EQ_20)
    for k in K.values:
        assert compute_result(AttenuationExplorer(), k=k).changes == 0


def test_the_presets_are_what_they_say_and_were_kept_aside():
    data, kept = load_names(), set(names_split(5).test.names)
    sexes = {name: {int(t) for n, t in zip(data.data, data.target, strict=True) if n == name}
             for name in ("Norwood", "Annabelle", "Stanley", "Gabriel", "William")}  # fmt: skip
    assert sexes == {"Norwood": {1}, "Annabelle": {0}, "Stanley": {1}, "Gabriel": {1}, "William": {1}}
    assert set(sexes) <= kept
    naive = {name: compute_result(AttenuationExplorer(), name=name).posterior[NAIVE] for name in sexes}
    assert naive["Norwood"] > 0.999
    assert max(naive["Annabelle"], naive["Gabriel"]) < 0.001
    assert 0.3 < naive["Stanley"] < 0.7
    for name, least in (("Annabelle", 0.9), ("Gabriel", 3 / 4)):
        r = compute_result(AttenuationExplorer(), name=name)
        assert r.item.times[r.votes < 0].sum() / r.n > least


def test_the_figure_shows_the_numbers():
    explorer = AttenuationExplorer(k=1, rule=EQ_19)
    r = compute_result(explorer)
    figure = figure_of(explorer, r)
    filled, outlined = (trace for trace in figure.data if trace.type == "bar")
    assert filled.x[0] == r.prior
    assert filled.x[-1] == pytest.approx(r.total) == pytest.approx(np.sum(filled.x[:-1]))
    assert filled.base[-2] + filled.x[-2] == pytest.approx(filled.x[-1])
    small = np.log(r.posterior[NAIVE] / (1 - r.posterior[NAIVE])) / r.n
    assert outlined.x[-1] == pytest.approx(small), "naive Bayes, k/n of its size"
    ends = {trace.name: trace.x[1] for trace in figure.data if trace.name and trace.type == "scatter"}
    assert ends == {rule: r.posterior[rule] for rule in NAME_RULES[:3]}
    lines = [list(trace.y) for trace in figure.data if trace.type == "scatter" and trace.mode == "lines"]
    assert all(list(path) in lines for path in r.along_k.values())


@pytest.mark.parametrize("rule", NAME_RULES[1:])
@pytest.mark.parametrize(
    ("name", "max_n", "k"), [("William", 5, 2.5), ("Gabriel", 3, ALL), ("Bo", 1, 40.0), ("Annabelle", 5, 1.0)]
)
def test_the_printed_equation_is_the_rule_worked_out(rule, name, max_n, k):
    """By plain sums over the name's n-grams; and whoever types what is printed finds what is printed."""
    explorer = AttenuationExplorer(rule=rule, name=name, max_n=max_n, k=k)
    split = names_split(max_n)
    own = columns_of(split, name)
    of_each, prior, n = np.exp(split.model.feature_log_prob_[:, own]), np.exp(split.model.class_log_prior_), len(own)
    printed = spoken(explorer.explain(compute_result(explorer)))
    if rule in (EQ_15, EQ_15_CORRECTED):
        terms = of_each * prior[:, None] / (1 if rule == EQ_15 else prior @ of_each)
        expression, answer = printed.split(" = ")
        male = expression.strip("()").split(")")[0]
        assert calculated(male) == pytest.approx(terms[1].sum(), rel=5e-4)
        assert calculated(answer) == pytest.approx(terms[1].sum() / terms.sum(), abs=5.1e-4)
        assert calculated(expression) == pytest.approx(calculated(answer), abs=1e-3)
        return
    q, s, used = np.log(prior[1] / prior[0]), np.log(of_each[1] / of_each[0]).sum(), min(k, n + 1)
    log_odds = (q + s) * used / (n + 1) if rule == EQ_20 else q + s * used / n
    (expression, answer), posterior = printed.split(" , so ")[0].split(" = "), printed.split(" , so ")[1]
    assert calculated(answer) == pytest.approx(log_odds, abs=5.1e-4)
    assert calculated(expression) == pytest.approx(calculated(answer), abs=2e-3)
    assert calculated(posterior) == pytest.approx(1 / (1 + np.exp(-log_odds)), abs=5.1e-4)


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


@pytest.mark.parametrize("m", [4, 7, 8, 9, 13, 16])
@pytest.mark.parametrize(("first", "second", "weight"), [(0.8, 0.3, 0.5), (0.1, 0.95, 0.2), (0.4, 0.4, 0.7)])
def test_groups_and_equation_10_by_fractions(m, first, second, weight):
    r = compute_result(GroupsExplorer(), items=m, first=first, second=second, weight=weight)
    items, of_a, rows = by_fractions(m, first, second, weight)
    assert r.items.tolist() == [list(item) for item in items]
    assert r.prior == pytest.approx(float(of_a))
    assert r.groups == spread_groups(items)
    for at, (truth, alone, product, root) in enumerate(rows):
        assert r.truth[at] == pytest.approx(float(truth))
        np.testing.assert_allclose(r.alone[at], [float(p) for p in alone])
        assert r.holds[at] == (alone == [truth, truth])
        assert r.said["naive Bayes"][at] == pytest.approx(product)
        assert r.said["eq (8)"][at] == pytest.approx(root)


def test_equation_10_holds_where_the_class_depends_on_the_group_alone():
    """For every number of items: both say the same, and eq. (8) is exact there."""
    for m in range(4, 17):
        for second in (0.3, 0.8):
            r = compute_result(GroupsExplorer(), items=m, second=second)
            groups = groups_of([tuple(item) for item in r.items.tolist()])
            truth = {tuple(item): p for item, p in zip(r.items.tolist(), r.truth, strict=True)}
            of_group = all(np.ptp([truth[item] for item in group]) < 1e-9 for group in groups)
            assert r.holds.all() == of_group
            if of_group:
                np.testing.assert_allclose(r.said["eq (8)"], r.truth)


def test_the_figure_of_groups_shows_them():
    explorer = GroupsExplorer(items=11)
    r = compute_result(explorer)
    traces = {trace.name: trace for trace in figure_of(explorer, r).data if trace.name}
    lines = {tuple(pair) for kind in ("first kind", "second kind")
             for pair in zip(traces[kind].y[::3], traces[kind].y[1::3], strict=True)}  # fmt: skip
    assert lines == {tuple(item) for item in r.items.tolist()}
    assert list(traces["truth"].y) == list(r.truth)
    assert list(traces["eq (8)"].y) == list(r.said["eq (8)"])
    assert set(traces[FAILS].y) == {2, 3, 4}


def test_items_are_grouped_whatever_their_order_and_how_many_features_they_have():
    rng = np.random.default_rng(5)
    for _ in range(50):
        items = [tuple(item) for item in np.unique(rng.integers(0, 5, (6, 2)), axis=0).tolist()]
        assert len(groups_of(rng.permutation(items).tolist())) == spread_groups(items)
    assert groups_of([(0, 0, 0), (1, 1, 1)]) == [[(0, 0, 0)], [(1, 1, 1)]]
    assert len(groups_of(list(np.ndindex(2, 2, 2)))) == 1


# --- what a learner types -----------------------------------------------------------------------------------------


def test_the_end_mark_is_refused_and_a_label_cannot_be_a_tag():
    with pytest.raises(ValueError, match="text without ¶"):
        AttenuationExplorer(name="Anna¶")
    assert label("<b> ", 2) == "&lt;b&gt;␣ ×2"


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
    surplus = measure_claim("section 1:").value
    assert abs(surplus[0]) < 0.01
    assert all(np.diff(surplus) > 0)
    assert surplus[-1] > 0.1
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
    assert "range of equation (19)" in check(lambda S, q, n, k: softmax(min(max(k, 1), n) / n * (S + q))).message
    assert "That is equation (19)" in check(lambda S, q, n, k: softmax(min(max(k, 1), n) / n * S + q)).message
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

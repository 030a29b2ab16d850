"""Chapter 02."""

from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

import nbformat
import numpy as np
import pytest
from scipy.stats import beta
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import log_loss
from sklearn.model_selection import LeaveOneOut, cross_val_predict, train_test_split
from sklearn.naive_bayes import CategoricalNB as PeerCategorical
from sklearn.naive_bayes import MultinomialNB as Peer

from nbcore.datasets import load_iir_documents, load_names, load_play_tennis, name_ngrams
from tests.plotly_figure import figure_of
from workbook.chapters.c02_laplace_smoothing import questions
from workbook.chapters.c02_laplace_smoothing.claims import CLAIMS
from workbook.chapters.c02_laplace_smoothing.experiment import (
    ALPHAS,
    FINE,
    NEW_DAY,
    SEEDS,
    TEMPERATURES,
    given_names,
    losses_on_grid,
    new_shares,
    split,
    split_anew,
    split_names,
    tennis,
    two_jobs,
    unseen_rules,
)
from workbook.chapters.c02_laplace_smoothing.votes import DAY, DOCUMENT, ITEMS
from workbook.explorer import palette
from workbook.explorer.formula import spoken
from workbook.explorers import PseudoCountExplorer, SmoothingExplorer, TwoJobsExplorer
from workbook.learning import contents

from .calculator import calculated
from .claimed import make_measurer
from .shown import compute_result

PAGE = Path(__file__).parents[2] / "notebooks" / "02_laplace_smoothing.ipynb"

# --- Each statement of the answer on Laplacian correction: our number bears out the verdict that the ledger gives.


measure_claim = make_measurer(CLAIMS)


def test_zero_and_smoothed():
    """IIR, example 13.1."""
    china = Fraction(3, 4) * Fraction(3, 7) ** 3 * Fraction(1, 14) ** 2
    other = Fraction(1, 4) * Fraction(2, 9) ** 5
    assert measure_claim("posterior zero").value == pytest.approx((0, float(china / (china + other))), rel=1e-12)


def test_nine_tokens_and_seven_words():
    assert measure_claim("frequent to infrequent").value == pytest.approx((2 / 9, 3 / 16, 1 / 9, 2 / 16), rel=1e-12)


def source_code(tokens, vocabulary):
    """The source's second example for one class: its table and its fallback, in its own words."""
    total = len(tokens)
    table = {word: (tokens.count(word) + 1) / (total + len(vocabulary)) for word in vocabulary}
    return table, 1 / (sum(table.values()) + len(vocabulary))


def test_both_slips_by_the_sources_own_code():
    documents = [["the", "cat", "sat"], ["the", "dog", "ran"], ["a", "cat", "purrs"]]
    tokens = [word for document in documents for word in document]
    table, unseen = source_code(tokens, set(tokens))
    many = [word for word in range(99) for _ in range(10)] + ["rare", *range(9)]
    large, never = source_code(many, set(many))
    assert (len(many), len(set(many))) == (1000, 100)
    ours = measure_claim("By its code").value
    assert ours == pytest.approx((unseen, table["sat"], never, large["rare"]), rel=1e-12)
    assert ours[0] == pytest.approx(ours[1]), "alike by accident of nine tokens and seven words"
    assert ours[2] > 5 * ours[3]
    assert unseen == pytest.approx(table["sat"]), "not less"
    assert measure_claim("By the formula").value == pytest.approx((1 / 17, 2 / 17, 1)), "that is right"
    assert measure_claim("no class is left").value == (0, 0)
    along = measure_claim("nearer to 1/7").value
    assert along == pytest.approx([(2 + a) / (9 + 7 * a) for a in (0, 0.5, 1, 10, 1000)])
    plain, smooth = measure_claim("Smoothing generalises").value
    assert smooth > plain + 0.02
    table, unseen = source_code(tokens, {*tokens, "known"})
    assert unseen > table["known"]


# --- The numbers in chapter 02's explorers are nbcore's and scikit-learn's, and the figures show them.


def show(item, alpha):
    """The result of the explorer for one of ITEMS."""
    return compute_result(SmoothingExplorer(), item=ITEMS.index(item), alpha=alpha)


@cache
def count_by_hand(item):
    """Classes, their sizes, and of each piece its name, times, counts, totals and K: from the raw data."""
    if item == DAY:
        days = load_play_tennis()
        own = Counter((names[v], c) for day, c in zip(days.data, days.target, strict=True)
                      for names, v in zip(days.categories, day, strict=True))  # fmt: skip
        sizes = [len(names) for names in days.categories]
        rows = [(word, 1, [own[word, c] for c in (0, 1)], [5, 9], K) for word, K in zip(NEW_DAY, sizes, strict=True)]
        return days.target_names, [5, 9], rows
    if item == DOCUMENT:
        data, tokens, target = load_iir_documents(), load_iir_documents().tokens, load_iir_documents().target
        wanted = Counter(sorted(data.sample_document.split()))
    else:
        data, (train, target, *_) = load_names(both_lists=False), count_split()
        tokens, wanted = [trigrams(name) for name in train], Counter(trigrams(item))
    counts = [Counter(t for row, c in zip(tokens, target, strict=True) if c == k for t in row) for k in (0, 1)]
    totals, K = [own.total() for own in counts], len(counts[0] | counts[1])
    rows = [(piece, times, [own[piece] for own in counts], totals, K) for piece, times in wanted.items()]
    return data.target_names, [int((np.array(target) == c).sum()) for c in (0, 1)], rows


def weigh_titles(item, alpha):
    """Exact joints of both classes, and every title with whether the counts bear it out."""
    classes, sizes, rows = count_by_hand(item)
    alpha = Fraction(str(alpha))
    shares = [[((row[2][c] + alpha) / (row[3][c] + alpha * row[4])) ** row[1] for row in rows] for c in (0, 1)]
    joint = [sizes[c] * np.prod(shares[c]) for c in (0, 1)]
    zeros = [sum(row[2][c] == 0 for row in rows) for c in (0, 1)]
    (few, many), wins, words = sorted(zeros), classes[int(joint[1] > joint[0])], "no one two three four".split()
    number = f"{words[many].capitalize()} zero{'s' * (many > 1)}"
    if not alpha:
        return joint, {
            f"{number} decide{'s' * (many == 1)} alone: certainly {wins}": many > few == 0,
            "Zeros on both sides: both classes are impossible": few > 0,
            f"No zero, so all votes are heard: {wins}": many == 0,
        }
    odds, prior, male = [b / a for a, b in zip(*shares, strict=True)], Fraction(*sizes[::-1]), joint[1] > joint[0]
    of_zeros, votes = np.prod([o for o, row in zip(odds, rows, strict=True) if 0 in row[2]]), np.prod(odds)
    others, before = prior * votes / of_zeros, weigh_titles(item, 0)[0]
    more, agree = all(alpha * row[4] > total for row in rows for total in row[3]), (of_zeros > 1) == (others > 1)
    alone, louder = many > few == 0, max(of_zeros, 1 / of_zeros) > max(others, 1 / others)
    start, quiet = "More is added than was counted: the", max(votes, 1 / votes) < max(prior, 1 / prior)
    now, them = ("The zeros are votes now", "them") if many > 1 else ("The zero is one vote now", "it")
    small = {
        f"{number} against {words[few]}: all votes count, and {wins} wins": few == many > 0,
        f"{number} against {words[few]}: the class with fewer wins, {wins}": 0 < zeros[male] < zeros[not male],
        f"No zero: the answer is {wins}, as it was without alpha": many == 0 and male == (before[1] > before[0]),
        f"{now}, and the others agree: {wins}": alone and agree,
        f"{now}, but still outvote{'s' * (many == 1)} the others: {wins}": alone and not agree and louder,
        f"{now}, and the others outvote {them}: {wins}": alone and not agree and not louder,
    }
    large = {f"{start} prior outweighs the votes": quiet, f"{start} votes still outweigh the prior": not quiet}
    return joint, large if more else small


@pytest.mark.parametrize("item", ITEMS)
def test_the_title_is_the_one_that_the_counts_bear_out_in_every_state(item):
    for alpha in SmoothingExplorer.declared["alpha"].values:
        (first, second), titles = weigh_titles(item, alpha)
        r = show(item, alpha)
        assert [r.finding] == [title for title, holds in titles.items() if holds], alpha
        assert first != second or not alpha, "no tie"
        if first + second == 0:
            assert r.chance == "0 / 0"
            continue
        exact = second / (first + second)
        bounds = {"< 0.001": (0, 0.0005), "> 0.999": (0.9995, 1)}
        low, high = bounds.get(r.chance) or (float(r.chance) - 0.0005, float(r.chance) + 0.0005)
        assert low <= exact <= high
        assert (r.chance in "01") == (exact in (0, 1))
        assert r.chances[r.at] == pytest.approx(float(exact), rel=1e-9)


@pytest.mark.parametrize("alpha", [0, 0.001, 1, 1000])
@pytest.mark.parametrize("item", ITEMS)
def test_each_row_has_its_counts_and_its_vote_where_the_last_one_ended(item, alpha):
    _, sizes, rows = count_by_hand(item)
    figure = figure_of(SmoothingExplorer(), show(item, alpha))
    bars = next(trace for trace in figure.data if trace.type == "bar")
    votes = [np.log(sizes[1] / sizes[0])]
    for _, times, counts, totals, K in rows:
        with np.errstate(divide="ignore"):
            first, second = (np.log((n + alpha) / (total + alpha * K)) for n, total in zip(counts, totals, strict=True))
        votes.append(times * (second - first))
    assert [name.split(" ×")[0] for name in bars.ids] == ["prior", *(row[0] for row in rows), "together"]
    finite, x = np.where(np.isinf(votes), 0, votes), figure.layout.xaxis.range
    assert bars.base == pytest.approx([0, *np.cumsum(finite)[:-1], 0])
    ends = np.add(bars.base, bars.x)[:-1]
    assert ends[np.isfinite(votes)] == pytest.approx(np.cumsum(finite)[np.isfinite(votes)])
    assert (ends[np.isposinf(votes)] == x[1]).all(), "out of the panel"
    assert (ends[np.isneginf(votes)] == ends.min()).all()
    silent = np.array([color == palette.PALE for color in bars.marker.color])[:-1]
    assert np.array_equal(silent, np.isfinite(votes) & np.isinf(votes).any())
    words = [note.text for note in figure.layout.annotations]
    assert words.count("not heard") == silent.sum()
    for row in [("prior", 1, sizes), *rows]:
        assert {f"{count:,}" for count in row[2]} <= set(words)
    frames = [shape for shape in figure.layout.shapes if shape.type == "rect"]
    assert len(frames) == (sum(row[2].count(0) for row in rows) if alpha == 0 else 0)


def test_the_zero_overrules_evidence_that_says_no():
    """The opening: .812 without the sky, 0 with it, .436 at alpha = 1; the prior alone leans to Yes."""
    no, yes = (Fraction(n, 14) * Fraction(2 * a * b, n**3) for n, a, b in ((5, 4, 3), (9, 3, 3)))
    assert round(float(no / (no + yes)), 3) == 0.812
    prior, sky, *others, _ = show(DAY, 0).votes
    assert 0 < prior < sky
    assert max(others) < 0, "all three bars after Overcast point to No"
    assert show(DAY, 1).chance == "0.564"


def test_one_real_day_was_called_impossible_and_the_others_teach_less_than_a_coin():
    """scikit-learn's peer, with an alpha too small to see in place of 0."""
    days = load_play_tennis()
    proba = [
        cross_val_predict(
            PeerCategorical(alpha=alpha, min_categories=[3, 3, 2, 2]), days.data, days.target, cv=LeaveOneOut(),
            method="predict_proba",
        )
        for alpha in (1e-9, 1, tennis().best_alpha)
    ]  # fmt: skip
    own = proba[0][np.arange(14), days.target]
    assert np.flatnonzero(own < 1e-6).tolist() == [5], "day 6"
    cool = [list(names) for names in days.categories][1].index("Cool")
    assert np.flatnonzero((days.data[:, 1] == cool) & (days.target == 0)).tolist() == [5], "the only cool No day"
    normal = [list(names) for names in days.categories][2].index("Normal")
    assert np.flatnonzero((days.data[:, 2] == normal) & (days.target == 0)).tolist() == [5], "and of normal humidity"
    best = log_loss(days.target, proba[2])
    assert tennis().losses[:, 1].min() == pytest.approx(best)
    assert round(best, 3) == 0.705 > np.log(2) > 0.693
    assert [(p.argmax(axis=1) == days.target).sum() for p in proba[1:]] == [7, 9]


def test_names_agree_with_scikit_learn():
    names = load_names(both_lists=False)
    case, step = given_names(), ALPHAS.index(1.0)
    train, test, y_train, y_test = train_test_split(names.data, names.target, test_size=0.2, random_state=SEEDS[0])
    X, vocabulary = name_ngrams(train, 3, min_n=3)
    peer = Peer(alpha=1).fit(X, y_train)
    assert case.losses[step, 1] == pytest.approx(
        log_loss(y_test, peer.predict_proba(name_ngrams(test, 3, vocabulary, 3)[0]))
    )
    assert case.losses[step, 0] == pytest.approx(log_loss(y_train, peer.predict_proba(X)))


def test_gloria_was_held_out_and_is_impossible_without_smoothing():
    train = [name for name, y in zip(*count_split()[:2], strict=True) if "Glo" in name]
    assert train == ["Glover"]
    votes = show("Gloria", 0).votes
    others = 1 / (1 + np.exp(votes[0] + votes[2:-1].sum()))
    assert f"{others:.4f}" == "0.9996", "female, without Glo"
    assert [show("Gloria", alpha).chance for alpha in (0, 0.001, 1)] == ["1", "0.324", "0.002"]


@pytest.mark.parametrize("case", [tennis, given_names])
def test_without_smoothing_the_held_out_loss_is_infinite(case):
    losses = case().losses
    assert np.isposinf(losses[0, 1])
    assert np.isfinite(losses[1:]).all()
    assert case().best_alpha == ALPHAS[np.nanargmin(np.where(np.isinf(losses[:, 1]), np.nan, losses[:, 1]))]
    assert 0.1 < case().best_alpha < 100


@pytest.mark.parametrize(
    ("n", "others", "K", "alpha"), [(0, 8, 6, 1.0), (5, 3, 6, 0.5), (40, 160, 50, 100), (0, 0, 2, 2.0)]
)
def test_the_pseudo_count_formula_is_the_posterior_mean(n, others, K, alpha):
    """By a fine sum of prior times likelihood, without the Beta posterior."""
    r = PseudoCountExplorer().compute(alpha=alpha, n=n, others=others, K=K)
    assert r.mean == pytest.approx((n + alpha) / (n + others + alpha * K), rel=1e-12)
    p = (np.arange(400_000) + 0.5) / 400_000
    log_weight = (alpha - 1 + n) * np.log(p) + (alpha * (K - 1) - 1 + others) * np.log1p(-p)
    weight = np.exp(log_weight - log_weight.max())
    assert r.mean == pytest.approx((p * weight).sum() / weight.sum(), rel=1e-4)


def test_the_mean_is_a_weighted_average():
    r = PseudoCountExplorer().compute(alpha=2.0, n=5, others=3, K=6)
    assert r.mean == pytest.approx(r.weight * 5 / 8 + (1 - r.weight) / 6)


def test_many_dirichlet_draws_have_the_marginal_of_the_panel():
    """Simulation: one coordinate of a Dirichlet posterior."""
    r = PseudoCountExplorer().compute(alpha=1.0, n=3, others=5, K=4)
    draws = np.random.default_rng(0).dirichlet([4.0, 6.0, 1.0, 1.0], 200_000)[:, 0]
    assert r.mean == pytest.approx(draws.mean(), abs=4 * draws.std() / np.sqrt(len(draws)))
    assert r.interval == pytest.approx(np.quantile(draws, [0.025, 0.975]), abs=3e-3)


# --- The equations, by a calculator that reads nothing but the line.


@pytest.mark.parametrize("state", [
    {},
    dict(alpha=0.01, n=0, others=160, K=50),
    dict(alpha=100, n=40, others=160, K=2),
    dict(n=0, others=0, K=7),
    dict(alpha=0.0126, n=5, others=0, K=2),
])  # fmt: skip
def test_the_printed_quotient_is_the_printed_mean(state):
    explorer = PseudoCountExplorer(**state)
    r = explorer.compute(**explorer.state)
    quotient, mean = spoken(explorer.explain(r)).split(" = ")
    assert float(mean) == pytest.approx(eval(quotient.replace("·", "*")), rel=0.005)
    n, others, alpha, K = (explorer.state[name] for name in ("n", "others", "alpha", "K"))
    exact = (n + Fraction(str(alpha))) / (n + others + Fraction(str(alpha)) * K)
    assert float(mean) == pytest.approx(float(exact), rel=0.005)


@pytest.mark.parametrize("state", [
    {},
    dict(alpha=0.501, n=5, others=3),
    dict(n=0, others=0),
    dict(n=40, others=160, K=1000, alpha=100),
])  # fmt: skip
def test_the_fraction_is_counted_off(state):
    """What the marks of this word stand for, over what all of them stand for, is the mean."""
    explorer = PseudoCountExplorer(**state)
    r = explorer.compute(**explorer.state)
    marks = [trace for trace in figure_of(explorer, r).data if trace.name in ("real token", "imaginary token")]
    told = {t.meta["mark"]: float(t.hovertemplate.split(": ")[1].split()[0]) for t in marks}
    counted = sum(v for k, v in told.items() if k.endswith("this word")) / sum(told.values())
    assert counted == pytest.approx(r.mean, rel=1e-4)


def test_densities_sentence_and_equation_are_those_of_the_result():
    explorer = PseudoCountExplorer(n=5, others=15, K=10, alpha=2.0)
    r = explorer.compute(**explorer.state)
    curves = {t.name: np.array(t.y) for t in figure_of(explorer, r).data if t.name in ("prior", "posterior")}
    inside = (0.01 < r.p) & (r.p < 0.99)
    for name, a, b in (("prior", 2, 18), ("posterior", 7, 33)):
        assert curves[name][inside] == pytest.approx(beta(a, b).pdf(r.p[inside])), name
    low, high = beta(7, 33).ppf([0.025, 0.975])
    assert explorer.describe(r).endswith(f"lies in [{low:.3f}, {high:.3f}].")


@pytest.mark.parametrize(("item", "alpha"), [
    ("Gloria", 0), ("Gloria", 0.001), (DAY, 0), (DAY, 1000), (DOCUMENT, 0.5), ("Hezekiah", 1), ("Mary", 20),
])  # fmt: skip
def test_the_printed_quotients_are_the_printed_vote_of_a_zero(item, alpha):
    r = show(item, alpha)
    parts = SmoothingExplorer().explain(r)
    (upper, lower), odds = (part.replace("·", "*") for part in spoken(parts[:3]).split(" : ")), parts[-1]
    classes, _, rows = count_by_hand(item)
    piece, winner = odds.symbol.split(" for ")
    (row,) = [row for row in rows if row[0] == piece]
    assert 0 in row[2] or item == "Mary"
    w = list(classes).index(winner)
    assert [upper, lower] == [f"({n} + {alpha:g}) / ({total:,} + {alpha:g} * {row[4]:,})"
                              for n, total in list(zip(*row[2:4], strict=True))[:: -1 if w else 1]]  # fmt: skip
    upper, lower = (Fraction(row[2][c] + Fraction(str(alpha))) / (row[3][c] + Fraction(str(alpha)) * row[4])
                    for c in (w, 1 - w))  # fmt: skip
    printed = odds.value.removesuffix(" : 1").replace(",", "")
    assert calculated(printed) == pytest.approx(float(upper / lower), rel=0.005) if lower else printed == "∞"
    assert odds.value in SmoothingExplorer().describe(r)


# --- As alpha goes to 0.


@cache
def count_split(seed=SEEDS[0]):
    """Names and classes, counted and kept aside, and scikit-learn's own counts of their trigrams."""
    names = load_names(both_lists=False)
    train, aside, y, y_aside = train_test_split(names.data, names.target, test_size=0.2, random_state=seed)
    counter = CountVectorizer(analyzer=trigrams, lowercase=False)
    X = counter.fit_transform(train)
    return train, y, aside, y_aside, X, counter.transform(aside), set(counter.vocabulary_)


def trigrams(name):
    text = name + "¶"
    return [text[i : i + 3] for i in range(len(text) - 2)]


def test_the_number_of_zeros_decides_hezekiah():
    rows = count_by_hand("Hezekiah")[2]
    beside = [[row[2][1 - c] for row in rows if row[2][c] == 0] for c in (0, 1)]
    assert beside == [[1, 2, 1], [2]], "three zeros, and one beside a 2"
    odds = [show("Hezekiah", alpha).votes[-1] for alpha in (0.01, 0.001)]
    assert odds[1] - odds[0] == pytest.approx(2 * np.log(10), abs=0.05), "two factors alpha"
    assert 1 / (1 + np.exp(odds[1])) == pytest.approx(6e-7, rel=0.05)
    assert round(show("Hezekiah", 0).chances[0], 2) == 0.45


def test_at_zero_the_prior_and_next_to_it_the_zeros():
    """scikit-learn puts 1e-10 for 0 if it must not take what it is given (force_alpha=False).

    In 54 of 75 names both classes have equally many zeros: 44 of those are right, and 13 of the other 21.
    """
    _, y, _, y_aside, X, X_aside, _ = count_split()
    with pytest.warns(UserWarning, match="alpha too small"):
        tiny = Peer(alpha=0, force_alpha=False).fit(X, y)
    zeros = [np.ravel(X_aside @ (X[y == c].sum(axis=0) == 0).T.astype(int)) for c in (0, 1)]
    zero, equal = [number > 0 for number in zeros], zeros[0] == zeros[1]
    both = zero[0] & zero[1]
    hits = tiny.predict(X_aside) == y_aside
    assert [(both & equal).sum(), hits[both & equal].sum()] == [54, 44]
    assert [(both & ~equal).sum(), hits[both & ~equal].sum()] == [21, 13]
    fewer = (zeros[1] < zeros[0]).astype(int)
    assert np.array_equal(fewer[both & ~equal], tiny.predict(X_aside)[both & ~equal]), "the number of zeros decides"
    assert both.sum() == 75
    assert zero[0][y_aside == 0].sum() + zero[1][y_aside == 1].sum() == 172
    assert (tiny.predict(X_aside) == y_aside)[both].sum() == 57
    assert (y_aside[both] == np.bincount(y).argmax()).sum() == 42, "the prior says female of all of them"
    right = {alpha: np.mean(given_names().model.smoothed(alpha).predict(split_names()[1][0]) == y_aside)
             for alpha in (0, 0.001)}  # fmt: skip
    assert [f"{share:.3f}" for share in right.values()] == ["0.827", "0.840"]
    assert (57 - 42) / len(y_aside) > 0.8 * (right[0.001] - right[0]), "most of the step"


# --- Twenty splits, with scikit-learn's counts and model.


@pytest.mark.parametrize("seed", [SEEDS[0], SEEDS[7], SEEDS[-1]])
def test_a_split_is_scikit_learns(seed):
    _, y, aside, y_aside, X, X_aside, vocabulary = count_split(seed)
    ours = split(seed)
    for alpha in (FINE[0], 1.0, FINE[-1]):
        joint = Peer(alpha=alpha).fit(X, y).predict_log_proba(X_aside)
        assert np.allclose(ours.log_odds[FINE.index(alpha)], joint[:, 1] - joint[:, 0])
    assert np.array_equal(ours.male, y_aside)
    new = [sum(t not in vocabulary for t in trigrams(name)) for name in aside]
    assert np.array_equal(ours.new, new)
    assert np.array_equal(ours.known + ours.new, [len(trigrams(name)) for name in aside])
    proba = Peer(alpha=1).fit(X, y).predict_proba(X_aside)
    calmed = proba ** (1 / 1.5) / (proba ** (1 / 1.5)).sum(axis=1, keepdims=True)
    half, at = len(aside) // 2, (TEMPERATURES.index(1.5), FINE.index(1.0))
    assert losses_on_grid(seed)[at] == pytest.approx(
        [log_loss(y_aside[part], calmed[part]) for part in (slice(half), slice(half, None))]
    )


def test_a_temperature_takes_the_calming_over():
    """What the page says: .338 -> .320, alpha 1.8 -> 0.6, in 19 of twenty; no best one at the end of its grid."""
    alone, together = two_jobs()
    assert len(alone) == len(together) == len(SEEDS) == 20
    assert (alone[:, 1] == 1).all()
    assert (together[:, 2] < alone[:, 2]).sum() == 19
    assert (together[:, 0] < alone[:, 0]).all()
    assert np.round(alone.mean(axis=0), 3).tolist()[::2] == [1.77, 0.338]
    assert np.round(together.mean(axis=0), 2).tolist() == [0.57, 1.66, 0.32]
    for rows in (alone[:, 0], together[:, 0]):
        assert FINE[0] < rows.min() <= rows.max() < FINE[-1]
    assert 1 < together[:, 1].min() <= together[:, 1].max() < TEMPERATURES[-1]


def test_the_code_with_the_bug_stands_on_the_page():
    (cell,) = (cell for cell in nbformat.read(PAGE, 4).cells if cell.id == "bug-code")
    assert questions.BUG == cell.source.replace("\n\n\n", "\n\n"), "a projector has room for one empty line"


def test_with_a_vocabulary_for_each_class_the_bug_can_change_a_decision():
    """The fallback 1 / (1 + K) cancels where all classes share K words, and not where each has its own."""

    def odds(words, tables):
        return np.prod([[questions.word_probability(word, table) for word in words] for table in tables], axis=1)

    docs = load_iir_documents()
    china, other = docs.tokens[0] + docs.tokens[1] + docs.tokens[2], docs.tokens[3]
    shared = [questions.fit_probabilities(tokens, docs.feature_names) for tokens in (china, other)]
    without, with_new = odds(["Tokyo"], shared), odds(["Tokyo", "Osaka"], shared)
    assert with_new[0] / with_new[1] == pytest.approx(without[0] / without[1])
    own = [questions.fit_probabilities(tokens, set(tokens)) for tokens in (china, other)]
    one, more = odds(["Chinese"], own), odds(["Chinese", *["Osaka"] * 3], own)
    assert one[0] > one[1]
    assert more[0] < more[1]


def test_what_was_counted_once_says_how_often_a_new_trigram_comes():
    """The hand count of the page's split, and what holds for all twenty."""
    train, y, aside, y_aside, *_ = count_split()
    text = [t for name in train for t in trigrams(name)]
    times = dict(zip(*np.unique(text, return_counts=True), strict=True))
    for c, (single, total, rate, found) in enumerate(((523, 14479, 0.036, 0.039), (803, 11039, 0.073, 0.069))):
        own = [t for name, k in zip(train, y, strict=True) if k == c for t in trigrams(name)]
        assert (sum(times[t] == 1 for t in own), len(own)) == (single, total)
        later = [t for name, k in zip(aside, y_aside, strict=True) if k == c for t in trigrams(name)]
        shares = np.array([[single / total, np.mean([t not in times for t in later])], [rate, found]])
        assert np.array_equal(shares[0].round(3), shares[1])
        assert [kind[0, c] for kind in new_shares()[:2]] == pytest.approx(shares[0].tolist())
    told, came = (np.log(kind[:, 1] / kind[:, 0]) for kind in new_shares()[:2])
    assert (told > 0).all()
    assert (came > 0).all()
    assert (round(told.mean(), 2), round(came.mean(), 2)) == (0.66, 0.65)
    place = np.array([np.log((n[0] + k + 1) / (n[1] + k + 1)) for n, k in count_totals()])
    assert (round(place[0], 3), round(place.mean(), 2)) == (0.209, 0.2)
    assert np.allclose(np.log(np.divide(*new_shares()[2].T[::-1])), place)
    assert place.mean() < came.mean() / 3
    assert (np.abs(told - came) < np.abs(place - came)).sum() >= 18


def count_totals():
    """(N_female, N_male) and K of every split."""
    for seed in SEEDS:
        counts = split(seed).counts
        yield counts.sum(axis=1), counts.shape[1]


def test_a_truer_vote_is_right_a_little_more_often_and_no_better_by_its_loss():
    """Plain multiplication of probabilities that sum to one, for one split; then what the page says of twenty."""
    rules = unseen_rules(temperature=1.5)
    _, y, aside, y_aside, X, _, vocabulary = count_split()
    counts = np.array([np.ravel(X[y == c].sum(axis=0)) for c in (0, 1)])
    column = {t: j for j, t in enumerate(sorted(vocabulary))}
    n, k = counts.sum(axis=1), counts.shape[1]
    once = counts[:, counts.sum(axis=0) == 1].sum(axis=1) / n
    laplace = (counts + 1) / (n + k)[:, None]
    shares = (laplace, 1), ((counts + 1) / (n + k + 1)[:, None], 1 / (n + k + 1)), (laplace * (1 - once)[:, None], once)
    for row, (known, new) in enumerate(shares):
        assert np.allclose(known.sum(axis=1) + (new if row else 0), 1)
        p = np.array([
            np.bincount(y) / len(y)
            * np.prod([known[:, column[t]] if t in column else new * np.ones(2) for t in trigrams(name)], axis=0)
            for name in aside
        ])  # fmt: skip
        p /= p.sum(axis=1, keepdims=True)
        calmed = p ** (1 / 1.5) / (p ** (1 / 1.5)).sum(axis=1, keepdims=True)
        right = np.mean(p.argmax(axis=1) == y_aside)
        assert rules[0, row] == pytest.approx([log_loss(y_aside, p), log_loss(y_aside, calmed), right])
    drop, place, turing = rules.transpose(1, 2, 0)
    assert len(y_aside) * (place[2] - turing[2]).mean() == pytest.approx(1), "one name a split"
    assert [(turing[0] < place[0]).sum(), (turing[1] < place[1]).sum()] == [2, 3]
    assert np.round([rule.mean(axis=1) for rule in (drop, place, turing)], 4).tolist() == [
        [0.3432, 0.3192, 0.8581], [0.341, 0.3173, 0.8599], [0.3459, 0.3191, 0.8592],
    ]  # fmt: skip
    vote = [np.log((1 - male) / (1 - female)) for female, male in new_shares()[0]]
    assert max(vote) < 0, "a known trigram votes for female"
    assert round(np.log((1 - once[1]) / (1 - once[0])), 3) == -0.039
    assert 4.5 < split().known.mean() < 5.1, "about five of them"


def test_what_the_known_ones_give_up_is_what_the_loss_pays_for():
    """Without it the shares do not sum to one, and the loss is lower: the fault of section 3."""
    at = FINE.index(1.0)
    free = []
    for seed, (female, male) in zip(SEEDS, new_shares()[0], strict=True):
        s = split(seed)
        free.append(np.logaddexp(0, (1 - 2 * s.male) * (s.log_odds[at] + s.new * np.log(male / female))).mean())
    assert (np.array(free) < unseen_rules(1.5)[:, 2, 0]).sum() == len(SEEDS)


def test_dealt_anew_trigrams_leave_nothing_to_calm():
    """By scikit-learn's counts and model, with a shuffle of its own; then what the page says of twenty splits."""
    _, y, _, y_aside, X, X_aside, _ = count_split()
    tokens = [(i, j) for i, j in zip(*X_aside.nonzero(), strict=True) for _ in range(X_aside[i, j])]
    rows, columns = np.array(tokens).T
    for c in (0, 1):
        own = np.flatnonzero(y_aside[rows] == c)
        columns[own] = columns[np.random.default_rng(1).permutation(own)]
    dealt = np.zeros(X_aside.shape)
    np.add.at(dealt, (rows, columns), 1)
    loss = [log_loss(y_aside, Peer(alpha=alpha).fit(X, y).predict_proba(dealt)) for alpha in (0.1, 1, 5)]
    assert loss[1] < min(loss[0], loss[2])
    assert loss[1] == pytest.approx(losses_on_grid(shuffled=True)[0, FINE.index(1.0)].mean(), abs=0.02)
    kept, shuffled = split(), split_anew(SEEDS[0], shuffled=True)
    assert np.array_equal(kept.known, shuffled.known), "every name keeps its number of trigrams"
    for c in (0, 1):
        own = kept.male == c
        assert np.allclose(*(part.log_odds[:, own].sum(axis=1) for part in (kept, shuffled))), "the same ones in all"
    alone, together = two_jobs(shuffled=True)
    assert np.round(alone.mean(axis=0), 2).tolist() == [0.8, 1, 0.24]
    assert np.round(together.mean(axis=0), 2).tolist() == [0.59, 1.17, 0.24]
    assert alone[:, 0].mean() < two_jobs()[0][:, 0].mean() / 2
    assert (alone[:, 2] - together[:, 2]).mean() < 0.0005 < (np.subtract(*two_jobs())[:, 2]).mean() / 20


# --- The two jobs of alpha.


def test_the_curves_are_losses_and_shares_of_scikit_learns_probabilities():
    _, y, _, y_aside, X, X_aside, _ = count_split()
    explorer = TwoJobsExplorer(alpha=1.0, temperature=1.5)
    r = explorer.compute(**explorer.state)
    p = Peer(alpha=1).fit(X, y).predict_proba(X_aside)
    calmed = p ** (1 / 1.5) / (p ** (1 / 1.5)).sum(axis=1, keepdims=True)
    for row, proba in enumerate((p, calmed)):
        assert r.losses[row, r.here] == pytest.approx(log_loss(y_aside, proba))
        assert r.sure[row, r.here] == pytest.approx(proba.max(axis=1).mean())
        assert r.right[r.here] == pytest.approx(np.mean(proba.argmax(axis=1) == y_aside))


@pytest.mark.parametrize("state", [{}, dict(alpha=1.0, temperature=1.5), dict(alpha=100.0, temperature=3.0)])
def test_its_equation_and_marks_agree(state):
    explorer = TwoJobsExplorer(**state)
    r = explorer.compute(**explorer.state)
    sure, right, gap = (
        float(part.value.replace("−", "-")) for part in explorer.explain(r) if not isinstance(part, str)
    )
    assert sure - right == pytest.approx(gap, abs=1e-9)
    marks = {trace.meta["mark"]: trace.y[0] for trace in figure_of(explorer, r).data if trace.meta}
    assert (sure, right) == pytest.approx((marks["sure"], marks["right"]), abs=5e-4)
    sentence = explorer.describe(r)
    assert f"sure of {sure:.3f}" in sentence
    assert f"right in {right:.3f}" in sentence


# --- Answers that a learner may give.


def test_half_a_repair_is_told_as_such(tmp_path, monkeypatch):
    monkeypatch.setenv("NBCORE_PROGRESS", str(tmp_path / "progress.json"))

    def half(count, total, vocabulary, alpha):
        return (count + alpha) / (total + alpha * vocabulary) if count else alpha / (total + alpha * (vocabulary + 1))

    assert "share one denominator" in contents("02")["02/fix-the-bug"].check(half).message


def test_the_next_word_about_china_by_hand():
    """Leave one token out at a time: how many of the eight are then words that nobody wrote?"""
    docs = load_iir_documents()
    written = [word for words in docs.tokens for word in words]
    china = [word for words, c in zip(docs.tokens, docs.target, strict=True) if c == 1 for word in words]
    news = sum(written.count(word) == 1 for word in china)
    assert contents("02")["02/new-word"].expected() == Fraction(news, len(china)) == Fraction(3, 8)


def test_cool_without_day_6_by_hand():
    days = load_play_tennis()
    (f,) = [f for f, names in enumerate(days.categories) if "Cool" in names]
    no = [day for i, day in enumerate(days.data) if i != 5 and days.target_names[days.target[i]] == "No"]
    cool = sum(days.categories[f][day[f]] == "Cool" for day in no)
    assert (len(no), cool, len(days.categories[f])) == (4, 0, 3)
    assert contents("02")["02/laplace"].expected() == pytest.approx(1 / 7, rel=1e-12)


def test_no_preset_shows_what_shrinkage_asks():
    expected = contents("02")["02/shrinkage"].expected()
    assert expected == Fraction(50, 50 + 400)
    for name in PseudoCountExplorer.presets:
        explorer = PseudoCountExplorer()
        explorer.preset(name)
        assert abs(explorer.compute(**explorer.state).weight - expected) > 0.01
    assert explorer.state["K"] / (explorer.state["n"] + explorer.state["others"]) == 5, "five to one, as it says"

"""Chapter 02."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import nbformat
import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import MultinomialNB as Peer

from nbcore.datasets import load_iir_documents, load_names, load_play_tennis
from tests.plotly_figure import figure_of
from workbook.chapters.c02_laplace_smoothing import questions
from workbook.chapters.c02_laplace_smoothing.claims import CLAIMS
from workbook.chapters.c02_laplace_smoothing.experiment import NEW_DAY, SEED, given_names, split_names
from workbook.chapters.c02_laplace_smoothing.votes import DAY, DOCUMENT, ITEMS
from workbook.explorer import palette
from workbook.explorer.formula import spoken
from workbook.explorers import PseudoCountExplorer, SmoothingExplorer
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
            sizes = count_by_hand(item)[1]
            assert f"keeps to the prior, {sizes[1] / sum(sizes):.3f}." in SmoothingExplorer().describe(r)
            assert r.chances[r.at] == pytest.approx(sizes[1] / sum(sizes)), "where the dot stands"
            continue
        exact = (first if item == DAY else second) / (first + second)
        assert r.question == f"P({r.case.classes[item != DAY]} | {item})", "of the day the page asks P(No)"
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
    assert (show(DAY, 0).chance, show(DAY, 1).chance) == ("0", "0.436")


def test_gloria_was_held_out_and_is_impossible_without_smoothing():
    train = [name for name, y in zip(*count_split()[:2], strict=True) if "Glo" in name]
    assert train == ["Glover"]
    votes = show("Gloria", 0).votes
    others = 1 / (1 + np.exp(votes[0] + votes[2:-1].sum()))
    assert f"{others:.4f}" == "0.9996", "female, without Glo"
    assert [show("Gloria", alpha).chance for alpha in (0, 0.001, 1)] == ["1", "0.324", "0.002"]


# --- A side that was never seen: the exact mean, the densities by hand, and the title of every state.


def write_count(number, kind):
    return f"{float(number):g} {kind} toss{'es' * (number != 1)}"


@pytest.mark.parametrize("alpha", PseudoCountExplorer.declared["alpha"].values)
def test_the_title_the_number_and_the_equation_hold_in_every_state(alpha):
    explorer = PseudoCountExplorer()
    for N, K in product(explorer.declared["N"].values, explorer.declared["K"].values):
        r, added = compute_result(explorer, alpha=alpha, N=N, K=K), Fraction(str(alpha)) * K
        exact, real, imaginary = added / K / (N + added), write_count(N, "real"), write_count(added, "imaginary")
        (title,) = [title for title, holds in {
            f"No toss yet: each of the {K} sides gets 1/{K}": exact == Fraction(1, K),
            f"{real}, {imaginary}: halfway from 0 to 1/{K}": 2 * exact == Fraction(1, K),
            f"{real} outweigh{'s' * (N == 1)} {imaginary}": 2 * exact < Fraction(1, K),
            f"{imaginary} outweigh{'s' * (added == 1)} {real}": Fraction(1, K) < 2 * exact < Fraction(2, K),
        }.items() if holds]  # fmt: skip
        assert r.finding == title, (alpha, N, K)
        figure, sentence = explorer.draw(r), explorer.describe(r)
        assert figure["layout"]["meta"]["head"]["number"] == [f"{float(exact):.3g}", "P(this side next)"]
        quotient, mean = spoken(explorer.explain(r)).split(" = ")
        assert calculated(quotient.replace("·", "*")) == pytest.approx(float(exact), rel=1e-9)
        assert mean == f"{float(exact):.3g}"
        assert f"= {mean}. The tosses keep the weight {float(N / (N + added)):.3g}, " in sentence
        black, grey = (trace for trace in figure["data"] if trace["type"] == "bar")
        assert [*black["x"], *grey["x"]] == pytest.approx([N, alpha, added - added / K])
        assert list(grey["base"]) == [0, N]


@pytest.mark.parametrize("state", [dict(), dict(N=0), dict(alpha=0.2, K=6), dict(alpha=100, K=100, N=64)])
def test_both_curves_are_densities_of_a_beta_and_the_grip_stands_at_the_mean(state):
    """By the definition, with a sum for the integral: over p, or over p ** alpha where the density is infinite at 0."""
    explorer = PseudoCountExplorer(**state)
    alpha, N, K = (explorer.state[name] for name in ("alpha", "N", "K"))
    r = compute_result(explorer, **explorer.state)
    u = (np.arange(400_000) + 0.5) / 400_000
    p = u ** (1 / alpha) if alpha < 1 else u
    for tosses, curve, mean in ((0, r.prior, 1 / K), (N, r.posterior, r.mean)):
        a, b = alpha, tosses + alpha * (K - 1)
        at = [float(x) ** (a - 1) * (1 - float(x)) ** (b - 1) for x in r.p]
        assert curve == pytest.approx(np.array(at) / max(at))
        logs = (b - 1) * np.log1p(-p) + (0 if alpha < 1 else (a - 1) * np.log(p))
        assert mean == pytest.approx(np.average(p, weights=np.exp(logs - logs.max())), rel=1e-3)
    grips = explorer.draw(r)["layout"]["meta"].get("handles", [])
    assert [grip["x"] for grip in grips] == ([r.mean] if N else [])


def test_the_uniform_coin_the_sloping_die_and_draws_of_a_dirichlet():
    """What section 2 says: alpha = 1 is flat for a coin, and for a die each p falls off; the mean of many draws."""
    coin, die = (compute_result(PseudoCountExplorer(), alpha=1, N=8, K=K) for K in (2, 6))
    assert coin.prior.min() == coin.prior.max() == 1
    assert (np.diff(die.prior) < 0).all()
    draws = np.random.default_rng(0).dirichlet([1, 3, 5, 1, 1, 3], 200_000)[:, 0]  # eight tosses, never the first side
    assert die.mean == pytest.approx(draws.mean(), abs=4 * draws.std() / np.sqrt(len(draws)))


# --- The equation of the votes, by a calculator that reads nothing but the line.


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
def count_split(seed=SEED):
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


def test_the_table_of_losses_is_scikit_learns_and_least_at_two():
    """The saved table of section 4, by counts of its own; plain shares lose infinitely much on names kept aside."""
    _, y, _, y_aside, X, X_aside, _ = count_split()
    (cell,) = (cell for cell in nbformat.read(PAGE, 4).cells if cell.id == "names-table")
    rows = [tuple(map(float, line.split())) for line in cell.outputs[0].text.splitlines()[1:]]
    assert len(rows) == 8
    assert rows[0] == (0, 0.14, np.inf)
    for alpha, *printed in rows[1:]:
        peer = Peer(alpha=alpha).fit(X, y)
        losses = log_loss(y, peer.predict_proba(X)), log_loss(y_aside, peer.predict_proba(X_aside))
        assert printed == pytest.approx(losses, abs=5e-4)
    counted, aside = np.array(rows)[:, 1:].T
    assert (np.diff(counted) >= 0).all()
    assert rows[int(aside.argmin())][0] == 2
    assert np.inf > aside[1] > aside[-1] > aside.min(), "both ends are worse"


# --- The code with the bug.


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


# --- Answers that a learner may give.


def test_cool_without_day_6_by_hand():
    days = load_play_tennis()
    (f,) = [f for f, names in enumerate(days.categories) if "Cool" in names]
    no = [day for i, day in enumerate(days.data) if i != 5 and days.target_names[days.target[i]] == "No"]
    cool = sum(days.categories[f][day[f]] == "Cool" for day in no)
    assert (len(no), cool, len(days.categories[f])) == (4, 0, 3)
    assert contents("02")["02/laplace"].expected() == pytest.approx(1 / 7, rel=1e-12)


def test_no_state_shows_what_shrinkage_asks():
    expected, explorer = contents("02")["02/shrinkage"].expected(), PseudoCountExplorer()
    assert expected == Fraction(50, 50 + 400)
    tosses, alphas, sides = (explorer.declared[name].values for name in ("N", "alpha", "K"))
    assert all(abs(N / (N + a * K) - expected) > 0.002 for N in tosses for a in alphas for K in sides)

"""Chapter 05: names letter by letter, partial copies, three sizes of a tumour, and pieces that overlap."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import log
from pathlib import Path

import nbformat
import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax
from sklearn.datasets import load_breast_cancer
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline

from nbcore.datasets import END, load_names
from workbook.chapters.c05_perplexity_attenuation.experiment import CUTS, SPLITS, Cut, judge_without, measure_cut
from workbook.chapters.c05_perplexity_attenuation.questions import failing_step, right_k_of_two, tumours
from workbook.chapters.c05_perplexity_attenuation.wall import TWINS
from workbook.chapters.names import names_split
from workbook.explorer.formula import spoken
from workbook.explorers import LettersExplorer, OverlapExplorer, PartialCopiesExplorer
from workbook.learning import contents

from .calculator import calculated
from .shown import compute_result

(PAGE,) = (Path(__file__).parents[2] / "notebooks").glob("05_*.ipynb")


def read_output(cell_id):
    """What a cell of the page printed when it was saved."""
    (cell,) = [cell for cell in nbformat.read(PAGE, 4).cells if cell.id == cell_id]
    return "".join(output.get("text", "") for output in cell.outputs)


# --- letters: scikit-learn counts the n-grams and fits the model -----------------------------------------------------

MAX_N, KS, NAMES = (control.values for control in LettersExplorer.declared.values())


def cut(name, max_n):
    """(n-gram, where it begins), short ones first; not the mark of the end alone."""
    marked = name + END
    return [(marked[at : at + n], at) for n in range(1, max_n + 1) for at in range(len(name) + (n > 1) * (2 - n))]


@cache
def learn(max_n):
    """scikit-learn's naive Bayes of n-grams, fitted to the training names, and their n-grams counted in each class."""
    names, y = names_split(max_n).training.names, names_split(max_n).training.y
    counting = CountVectorizer(analyzer=lambda name: [piece for piece, _ in cut(name, max_n)])
    counts = [Counter(piece for name in names[y == c] for piece, _ in cut(name, max_n)) for c in (0, 1)]
    return make_pipeline(counting, MultinomialNB()).fit(names, y), counts


@pytest.mark.parametrize("max_n", MAX_N)
def test_the_title_of_the_wall_is_true_in_every_state(max_n):
    test, (model, counts) = names_split(max_n).test, learn(max_n)
    log_p, n = model.predict_log_proba(test.names), np.ravel(model[0].transform(test.names).sum(axis=1))
    right = model.score(test.names, test.y)
    for k, at in product(KS, NAMES):
        says = np.exp(log_softmax(np.minimum(k / (n + 1), 1)[:, None] * log_p, axis=1)).max(axis=1).mean()
        r = compute_result(LettersExplorer(max_n=max_n, k=k, name=at))
        heard = np.zeros(len(r.name) + 1, dtype=int)
        for piece, start in cut(r.name, max_n):
            heard[start : start + len(piece)] += sum(count[piece] for count in counts) > 0
        if k > max(n):
            begins = "Every letter is heard once" if set(heard[:-1]) == {1} else f"One letter in {max(heard)} bricks"
        elif abs(says - right) <= 0.02:
            begins = "There is nothing to mend" if max_n == 1 else "The root mends the average"
        else:
            begins = f"The root {'takes' if says < right else 'leaves'} too much"
        assert r.finding == f"{begins}: it says {100 * says:.0f} % and is right {100 * right:.0f} %"


@pytest.mark.parametrize(("at", "max_n"), [*product(NAMES, MAX_N)])
def test_every_brick_counts_what_the_names_hold_and_the_odds_are_those_of_scikit_learn(at, max_n):
    r, (model, counts) = compute_result(LettersExplorer(max_n=max_n, name=at)), learn(max_n)
    bricks = [(piece, start, [count[piece] for count in counts]) for piece, start in cut(r.name, max_n)]
    assert list(zip(r.pieces, r.start, r.counts.tolist(), strict=True)) == [brick for brick in bricks if any(brick[2])]
    seats = {(y, at + i) for y, at, n in zip(r.rows, r.start, r.length, strict=True) for i in range(n)}
    assert len(seats) == r.length.sum(), "none hides another"
    assert all(n * (n - 1) < 2 * y < n * (n + 1) for n, y in zip(r.length, r.rows, strict=True)), "short ones below"
    whole, data, training = np.diff(model.predict_log_proba([r.name])[0])[0], load_names(), names_split(max_n).training
    assert r.name not in training.names
    right = "right" if set(data.target[data.data == r.name]) == {int(whole > 0)} else "wrong"
    same = {x: sum(piece in x + END for piece in r.pieces) for x in training.names[training.y == (whole > 0)]}
    assert max_n < 5 or max(same.values()) == same[TWINS[r.name]] == r.twin.sum(), "none is counted by more bricks"
    shares, vote = spoken(LettersExplorer().explain(r)).removesuffix(" : 1").split(" = ")
    a, b = map(calculated, shares.split(" : "))
    assert (a / b, calculated(vote)) == (pytest.approx(np.exp(abs(r.votes).max())), pytest.approx(a / b, rel=0.03))
    for k in KS:
        explorer = LettersExplorer(max_n=max_n, name=at, k=k)
        number, words = explorer.draw(compute_result(explorer))["layout"]["meta"]["head"]["number"]
        odds = np.exp(abs(whole) * min(k / (len(r.pieces) + 1), 1))
        near = dict(abs=0.05 if odds < 9.95 else 0.5, rel=1e-9 if odds < 1e9 else 5e-3)
        assert calculated(number.removesuffix(" : 1")) == pytest.approx(odds, **near)
        assert words == f"for {'male' if whole > 0 else 'female'}: {right}"
        if k <= len(r.pieces):
            root, said = spoken(explorer.explain(compute_result(explorer))).split(" = ")
            base, power = map(calculated, root.split(" to the power "))
            assert (f"{said} : 1", calculated(said)) == (number, pytest.approx(base**power, rel=0.05))


def test_gabriel_is_what_the_page_says():
    r = compute_result(LettersExplorer())
    with_ri = r.votes[["ri" in piece for piece in r.pieces]]
    assert f"{np.exp(-r.whole):,.0f}" == "4,220,060"
    assert (len(r.votes), len(with_ri), sum(with_ri < 0)) == (29, 10, 10), "all ten say female"
    assert r.covers.sum(axis=1).tolist() == [5, 9, 12, 14, 14, 12, 9, 4]
    assert compute_result(LettersExplorer(), "George").twin.tolist().count(True) == 21, "of 24, as the preset says"


@pytest.mark.parametrize(
    ("name", "part", "many", "odds"),
    [("Gabriel", "Gabrielle", 1, "299,352 : 1 female"), ("Gabriel", "Gabriel", 3, "108 : 1 female"),
     ("George", "Georgene", 1, "783 : 1 female"), ("George", "Georg", 8, "950 : 1 male")],
)  # fmt: skip
def test_without_the_names_of_the_outline_scikit_learn_says_what_the_page_says(name, part, many, odds):
    training = names_split(5).training
    kept = [part not in other for other in training.names]
    counting = CountVectorizer(analyzer=lambda name: [piece for piece, _ in cut(name, 5)])
    model = make_pipeline(counting, MultinomialNB()).fit(training.names[kept], training.y[kept])
    found = np.diff(model.predict_log_proba([name])[0])[0]
    assert judge_without(name, part) == (len(kept) - sum(kept), pytest.approx(found)) == (many, pytest.approx(found))
    assert odds == f"{np.exp(abs(found)):,.0f} : 1 {'male' if found > 0 else 'female'}"


# --- partial copies: every item of a joint table, with fractions ------------------------------------------------------


def table(rho, strength):
    """P(item | class): the joint distribution with these margins and this correlation, in fractions."""
    found = []
    for p in (strength / (1 + strength), 1 / (1 + strength)):
        both = p * p + rho * p * (1 - p)
        found.append({(1, 1): both, (1, 0): p - both, (0, 1): p - both, (0, 0): 1 - 2 * p + both})
    return found


@pytest.mark.parametrize("strength", PartialCopiesExplorer.strength.values)
@pytest.mark.parametrize("rho", PartialCopiesExplorer.rho.values)
def test_the_right_k_is_exact_for_every_item_and_the_title_says_it(strength, rho):
    r = compute_result(PartialCopiesExplorer(), rho=rho, strength=strength)
    strength = Fraction(str(strength))
    in_a, in_b = table(Fraction(str(rho)), strength)
    for shown, items in zip(r.items, (in_a, in_b), strict=True):
        np.testing.assert_allclose(shown, [float(items[item]) for item in ((1, 1), (1, 0), (0, 1), (0, 0))], atol=1e-12)
    p_a, p_b = strength / (1 + strength), 1 / (1 + strength)
    for item in in_a:
        if in_a[item] or in_b[item]:
            naive = [float(np.prod([p if f else 1 - p for f in item])) for p in (p_a, p_b)]
            assert (naive[0] / naive[1]) ** (r.k / 2) == pytest.approx(float(in_a[item] / in_b[item]))
    words = {0: "Independent: two features are two votes, and naive Bayes is right",
             1: "Copies: two features are one vote"}  # fmt: skip
    assert r.finding == words.get(rho, f"Correlation {rho:.2f}: two features are {r.k:.2f} votes".replace("-", "−"))
    assert (r.k == pytest.approx(1), r.k == pytest.approx(2)) == (rho == 1, rho == 0)


def test_the_curve_of_the_right_k_keeps_what_the_page_asks_until_the_slider_is_there():
    explorer = PartialCopiesExplorer()
    for rho in PartialCopiesExplorer.rho.values:
        drawn = explorer.draw(compute_result(explorer, rho=rho))["data"]
        (curve,) = [trace for trace in drawn if trace.get("mode") == "lines" and "right k" in trace["hovertemplate"]]
        assert min(curve["x"]) == min(rho, 0)


def test_the_prediction_about_features_that_avoid_each_other():
    assert right_k_of_two(-1 / 4) == pytest.approx(log(33) / log(3))


# --- three sizes of one tumour: every fold by hand -----------------------------------------------------------------


def bells(columns):
    """Right, confidence, sure, wrong of them, surely benign, malignant of them: by Gaussian densities written out."""
    X, y = load_breast_cancer(return_X_y=True)
    X, said = X[:, columns], np.zeros((len(y), 2))
    for learn, test in StratifiedKFold(10).split(X, y):
        epsilon = 1e-9 * X[learn].var(axis=0).max()
        for c in (0, 1):
            own = X[learn][y[learn] == c]
            mean, var = own.mean(axis=0), own.var(axis=0) + epsilon
            density = -0.5 * ((X[test] - mean) ** 2 / var + np.log(2 * np.pi * var)).sum(axis=1)
            said[test, c] = density + np.log(np.mean(y[learn] == c))
    said = np.exp(log_softmax(said, axis=1))
    wrong, sure, safe = said.argmax(axis=1) != y, said.max(axis=1) > 0.99, said[:, 1] > 0.99
    return 1 - wrong.mean(), said.max(axis=1).mean(), sum(sure), sum(sure & wrong), sum(safe), sum(safe & (y == 0))


@pytest.mark.parametrize(
    ("row", "columns"), [(0, (0,)), (1, (0, 0, 0)), (2, (0, 2, 3))]
)
def test_the_page_prints_what_the_tumours_give(row, columns):
    right, sure, *counts = bells(list(columns))
    words = read_output("tumour-table").splitlines()[1 + row].replace("|", "").split()
    assert words[-5:-1] == [f"{right:.3f}", f"{sure:.3f}", *map(str, counts[:2])]
    assert tumours(columns) == (pytest.approx(right), pytest.approx(sure))


def test_the_three_sizes_are_what_the_text_says():
    data = load_breast_cancer()
    assert [str(data.feature_names[i]) for i in (0, 2, 3)] == ["mean radius", "mean perimeter", "mean area"]
    assert data.data.shape == (569, 30)
    assert list(data.target_names) == ["malignant", "benign"]
    X = data.data[:, [0, 2, 3]]
    whole = GaussianNB().fit(X, data.target)
    assert whole.score(X, data.target) == pytest.approx(0.886, abs=5e-4), "no more than the radius, on its own data"
    assert bells([0])[2:4] == (89, 0)
    assert bells([0, 0, 0])[1:4] == (pytest.approx(0.958, abs=5e-4), 409, 22), "a copy does what a second size does"


# --- pieces that overlap: scikit-learn's log loss, minimised by scipy ----------------------------------------------


def cut_by_hand(name, shortest, longest, step):
    """Pieces of a name: a row stops where a piece reaches the end, and the mark alone is none."""
    marked, found = name + END, []
    for length in range(shortest, longest + 1):
        at = 0
        while True:
            found.append(marked[at : at + length])
            if at + length >= len(marked):
                break
            at += step
    return [piece for piece in found if piece != END]


@cache
def counted_by_hand(cut_, seed):
    """The pieces of the names to learn from and of those held out, with their labels."""
    split, counting = names_split(1, seed), CountVectorizer(analyzer=lambda name: cut_by_hand(name, *cut_[1:]))
    held, names = split.validation, split.training.names
    first = ~np.isin(names, held.names)
    return counting.fit_transform(names[first]), split.training.y[first], counting.transform(held.names), held.y


@pytest.mark.parametrize("alpha", [0.1, 1])
@pytest.mark.parametrize("cut_", [*CUTS, Cut("pairs", 2, 2, 1)])
def test_the_votes_of_a_cut_are_those_of_scikit_learn(cut_, alpha):
    found = []
    for seed in range(SPLITS):
        X, y, X_held, y_held = counted_by_hand(cut_, seed)
        model = MultinomialNB(alpha=alpha).fit(X, y)
        n, joint = np.ravel(X_held.sum(axis=1)), model.predict_joint_log_proba(X_held)

        def loss(k, joint=joint, n=n, y=y_held):
            return log_loss(y, np.exp(log_softmax(joint * (np.minimum(k, 1e9) / (n + 1))[:, None], axis=1)))

        best = minimize_scalar(loss, bounds=(0.5, n.mean() + 1), method="bounded", options=dict(xatol=1e-6)).x
        found.append((best, n.mean() + 1, model.score(X_held, y_held)))
    k, factors, right = np.mean(found, axis=0)
    votes = measure_cut(cut_, alpha)
    assert votes[:3] == (pytest.approx(k, rel=1e-3), pytest.approx(factors), pytest.approx(right))


def test_the_more_pieces_overlap_the_fewer_votes_are_left_and_the_title_says_it():
    shares = []
    for at, cut_ in enumerate(CUTS, start=1):
        r, pieces = compute_result(OverlapExplorer(), cut=at), cut_by_hand("Gabriel", *cut_[1:])
        shares.append(measure_cut(cut_).share)
        heard = sum(map(len, pieces)) / len("Gabriel¶")
        share = f"{heard:.1f} pieces on each letter: {100 * shares[-1]:.0f} % of the votes are left"
        assert r.finding == ("Side by side, +1 smoothing: all votes count, no root is needed" if at == 1 else share)
    assert (np.diff(shares) < 0).all()
    assert [f"{share:.2f}" for share in shares] == ["1.00", "0.83", "0.60", "0.32", "0.25", "0.23"]
    less = [measure_cut(cut_, 0.1).share for cut_ in CUTS]
    assert (np.diff(less) < 0).all(), "with less smoothing, too; but side by side not all is left"
    assert held_shares() == [[f"{share:.2f}" for share in pair] for pair in zip(less, shares, strict=True)]


def held_shares():
    """Return the shares that the page printed, with +.1 and with +1."""
    return [line.split()[-2:] for line in read_output("overlap-table").splitlines()[1 : 1 + len(CUTS)]]


def test_the_first_step_that_copies_refute_is_the_constant():
    """Three copies, 3 to 1 for A, even prior, in fractions: (10) and (16) hold, P(A | x) is no constant."""
    of_a = {(1, 1, 1): Fraction(3, 8), (0, 0, 0): Fraction(1, 8)}  # P(x, A)
    of_b = {(1, 1, 1): Fraction(1, 8), (0, 0, 0): Fraction(3, 8)}

    def chance(items):
        a, b = (sum(part[x] for x in items) for part in (of_a, of_b))
        return a / (a + b)

    for x in of_a:
        assert [chance([z for z in of_a if z[i] == x[i]]) for i in range(3)] == [chance([x])] * 3, "(10)"
    assert {chance([x]) for x in of_a} == {Fraction(3, 4), Fraction(1, 4)}
    assert sum(chance([x]) * (of_a[x] + of_b[x]) for x in of_a) == chance(of_a) == Fraction(1, 2), "(16)"
    assert failing_step() == 1
    assert "constant" in contents("05")["05/argument"].right_option()


def test_all_changes_of_eq_19_go_to_the_class_that_the_prior_favours():
    log_likelihood, log_prior, n = names_split(5).test.evidence
    root = log_likelihood / n[:, None] + log_prior
    changed = root.argmax(axis=1) != (log_likelihood + log_prior).argmax(axis=1)
    s, q = np.diff(log_likelihood)[:, 0], np.diff(log_prior)[0]
    assert np.array_equal(changed, (s * q < 0) & (abs(s) > abs(q)) & (abs(q) > abs(s) / n))
    assert changed.sum() == 126
    assert set(root[changed].argmax(axis=1)) == {log_prior.argmax()} == {0}

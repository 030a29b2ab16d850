"""Chapter 06: the reader's own diagram, the S-curves, and the two parts of the Brier score."""

import re
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise, product
from math import exp, log

import numpy as np
import plotly.graph_objects as go
import pytest
from scipy.optimize import minimize, minimize_scalar
from scipy.special import expit
from scipy.stats import binomtest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss

from nbcore.datasets import load_names, name_ngrams
from nbcore.naive_bayes import MultinomialNB
from nbcore.perplexed import attenuated_posterior
from workbook.chapters.c06_calibration.experiment import (
    PEERS,
    calibrated_k,
    decided_alike,
    decisions_changed,
    log_odds,
    naive_posterior,
    peer_curve,
    peer_posterior,
    scores,
    two_parts,
)
from workbook.chapters.c06_calibration.s_curves import ALL, GROUPS, ISOTONIC, METHODS, PLATT, TEMPERATURE, TRAP, K
from workbook.chapters.c06_calibration.ten_questions import QUESTIONS, in_all, likely, ten_questions
from workbook.chapters.names import names_split
from workbook.explorer.formula import spoken
from workbook.explorers import CurvesExplorer, TwoPartsExplorer
from workbook.learning import contents
from workbook.questions.progress import answers, progress_file, record

from .calculator import calculated
from .shown import compute_result

SEEDS = range(10)


def named(figure):
    return {trace.name: trace for trace in figure.data if trace.name}


# --- each way to mend posteriors, as a function of s ---------------------------------------------------------------


def logistic(x, y):
    """Weight and intercept that make y likeliest, by a general minimiser."""

    def loss(wb):
        z = wb[0] * x + wb[1]
        return np.sum(np.logaddexp(0, z) - y * z)

    return minimize(loss, [0.1, 0.0], method="BFGS").x


def rising(s, y, at):
    """Isotonic regression by its max-min formula, joined by straight lines; names with like pieces may share s."""
    s, first, weight = np.unique(s, return_inverse=True, return_counts=True)
    sums, sizes = (np.concatenate([[0], np.cumsum(of)]) for of in (np.bincount(first, y), weight))
    means = [(sums[i + 1 :] - sums[i]) / (sizes[i + 1 :] - sizes[i]) for i in range(len(s))]  # from i to each end
    tails = [np.minimum.accumulate(row[::-1])[::-1] for row in means]  # the least over all ends from each place on
    fitted = [max(tails[i][j - i] for i in range(j + 1)) for j in range(len(s))]
    return np.interp(at, s, fitted)


@pytest.mark.parametrize("seed", [0, 3])
@pytest.mark.parametrize("name", PEERS)
def test_every_curve_is_the_fit_of_another_route(name, seed):
    split = names_split(5, seed)
    held, grid = split.validation, np.linspace(-40, 40, 321)
    s, y = log_odds(held), held.y
    if name == TEMPERATURE:
        T = minimize_scalar(lambda T: log_loss(y, expit(s / T)), bounds=(1, 20), method="bounded").x
        wanted = expit(grid / T)
    elif name == ISOTONIC:
        wanted = rising(s, y, grid)
    else:
        feature = expit if name == TRAP else np.asarray
        w, b = logistic(feature(s), y)
        wanted = expit(w * feature(grid) + b)
    np.testing.assert_allclose(peer_curve(split, name)(grid), wanted, atol=2e-4)
    drawn = named(CurvesExplorer(method=ALL, seed=seed).figure)[name]
    np.testing.assert_allclose(drawn.x, grid, atol=1e-9)
    np.testing.assert_allclose(drawn.y, wanted, atol=2e-4)


@pytest.mark.parametrize("name", [PLATT, ISOTONIC])
def test_the_posteriors_of_the_names_are_their_places_on_the_curve(name):
    split = names_split(5, 1)
    male = [float(peer_curve(split, name)(np.array([s]))[0]) for s in log_odds(split.test)[:50]]
    np.testing.assert_allclose(peer_posterior(split, name)[:50, 1], male)


def test_scikit_learn_ties_platts_knot_itself():
    """`CalibratedClassifierCV` on a naive Bayes that has a decision function, which is s; it smooths its labels."""

    class WithDecision(MultinomialNB):
        def decision_function(self, X):
            return self.predict_log_proba(X) @ [-1.0, 1.0]

    split = names_split(2)
    held = split.validation
    X, vocabulary = name_ngrams(split.training.names, 2)
    fold = np.isin(split.training.names, held.names)
    model = WithDecision().fit(X[~fold], split.training.y[~fold])
    s = model.decision_function(X[fold])
    y = split.training.y[fold]
    theirs = CalibratedClassifierCV(FrozenEstimator(model), method="sigmoid", ensemble=False).fit(X[fold], y)
    ours = LogisticRegression(C=np.inf).fit(s[:, None], y)
    X_test, _ = name_ngrams(split.test.names, 2, vocabulary)
    far = abs(theirs.predict_proba(X_test) - ours.predict_proba(model.decision_function(X_test)[:, None]))
    assert far.max() < 0.01


def test_which_decisions_change():
    """A stretch changes none, on any split; what shifts may."""
    for seed in SEEDS:
        split = names_split(5, seed)
        test, s = split.test, log_odds(split.test)
        k = calibrated_k(split)
        counts = {
            TEMPERATURE: 0,
            K: np.sum((attenuated_posterior(*test.evidence, k)[:, 1] > 0.5) != (s > 0)),
            **{name: sum((p > 0.5) != (at > 0) for p, at in zip(peer_posterior(split, name)[:, 1], s, strict=True))
               for name in (PLATT, ISOTONIC, TRAP)},
        }  # fmt: skip
        bars = next(trace for trace in CurvesExplorer(seed=seed).figure.data if trace.type == "bar")
        assert dict(zip(METHODS, bars.x, strict=True)) == counts
        assert counts[K] == 0
        assert decisions_changed(split, peer_posterior(split, TEMPERATURE)) == 0
        if seed == 0:
            assert list(counts.values()) == [0, 0, 49, 59, 5], "what the page says"


@pytest.mark.parametrize("near", [False, True])
def test_a_temperature_divides_the_log_odds(near):
    line = named(CurvesExplorer(near=near, T=3.16).figure)[TEMPERATURE]
    np.testing.assert_allclose(line.y, 1 / (1 + np.exp(-np.asarray(line.x) / 3.16)), atol=1e-9)


def test_whatever_the_temperature_no_decision_changes():
    explorer = CurvesExplorer()
    assert {compute_result(explorer, T=T).own.changed for T in CurvesExplorer.T.values} == {0}


@pytest.mark.parametrize("seed", [0, 7])
def test_the_truth_is_counted_name_by_name(seed):
    test = names_split(5, seed).test
    ranked = sorted(zip(log_odds(test), test.y, strict=True), key=lambda one: one[0])
    truth = compute_result(CurvesExplorer(), seed=seed).truth
    for number, rows in enumerate(np.array_split(np.arange(len(ranked)), GROUPS)):
        s, y = zip(*ranked[rows[0] : rows[-1] + 1], strict=True)
        size = len(y)
        found = binomtest(int(sum(y)), size).proportion_ci(0.95, method="exact")
        assert truth.share[number] == pytest.approx(sum(y) / size)
        assert truth.s[number] == pytest.approx(np.mean(s))
        assert (truth.low[number], truth.high[number]) == pytest.approx((found.low, found.high), abs=1e-9)


@pytest.mark.parametrize("method", [TEMPERATURE, PLATT, TRAP, K])
def test_the_sentence_says_what_was_found(method):
    explorer = CurvesExplorer(method=method)
    r = compute_result(explorer)
    test, s = names_split(5).test, log_odds(names_split(5).test)
    split = names_split(5)
    male = expit(s / 3.98) if method == TEMPERATURE else (
        attenuated_posterior(*test.evidence, calibrated_k(split))[:, 1] if method == K
        else peer_posterior(split, method)[:, 1])  # fmt: skip
    sentence = explorer.describe(r)
    assert f"Log loss {log_loss(test.y, male):.3f}, naive Bayes {log_loss(test.y, expit(s)):.3f}." in sentence
    assert f"right {np.mean((male > 0.5) == test.y):.3f}, naive Bayes {np.mean((s > 0) == test.y):.3f}." in sentence
    missed = {}
    for name, p in (("own", male), ("naive", expit(s))):
        order = np.array_split(np.argsort(s, kind="stable"), GROUPS)
        bars = [binomtest(int(test.y[rows].sum()), len(rows)).proportion_ci(method="exact") for rows in order]
        missed[name] = [not bar.low <= p[rows].mean() <= bar.high for rows, bar in zip(order, bars, strict=True)]
    assert f"in {sum(missed['own'])} of {GROUPS} groups, naive Bayes in {sum(missed['naive'])}." in sentence
    more, fewer = np.sum(np.greater(missed["naive"], missed["own"])), np.sum(np.less(missed["naive"], missed["own"]))
    clear = binomtest(int(more), int(more + fewer)).pvalue < 0.05
    assert clear == (method != TRAP), "naive Bayes misses more groups than luck explains, the trap not clearly fewer"


def test_the_strokes_are_the_names():
    test, s = names_split(5).test, log_odds(names_split(5).test)
    for near, reach in ((False, 40), (True, 6)):
        figure = CurvesExplorer(method=PLATT, near=near).figure
        traces, inside = named(figure), abs(s) <= reach
        for c, name in enumerate(("female", "male")):
            assert sorted(traces[name].x) == sorted(s[inside & (test.y == c)])
        other = (peer_posterior(names_split(5), PLATT)[:, 1] > 0.5) != (s > 0)
        assert sorted(word.split(":")[0] for word in traces["decided otherwise"].text) == sorted(test.names[other])
    assert np.mean(abs(s) > 40) < 0.01, "hardly a name is beyond the picture"
    assert "decided otherwise" not in named(CurvesExplorer().figure)


def test_eq_20_is_a_cloud_of_temperatures():
    split = names_split(5)
    n, s = split.test.evidence[2], log_odds(split.test)
    cloud = named(CurvesExplorer(method=K).figure)["eq. (20)"]
    inside = abs(s) <= 40
    np.testing.assert_allclose(cloud.y, expit(s * calibrated_k(split) / (n + 1))[inside], atol=1e-9)
    assert not np.array_equal(np.argsort(cloud.y), np.argsort(cloud.x)), "so it is no function of s"
    assert np.array_equal(np.asarray(cloud.y) > 0.5, np.asarray(cloud.x) > 0)


def read_equation(method, **state):
    explorer = CurvesExplorer(method=method, **state)
    return spoken(explorer.explain(compute_result(explorer)))


def test_the_printed_equations():
    s, y = log_odds(names_split(5).validation), names_split(5).validation.y
    w, b = logistic(s, y)
    assert read_equation(PLATT) == f"sigmoid( {w:.3f} · s + {b:.3f} ) = 1/2 at s = −{b / w:.2f}"
    w, b = logistic(expit(s), y)
    assert read_equation(TRAP).startswith(f"sigmoid( {w:.2f} · P + −{-b:.2f} ), P from 0 to 1 = ")
    assert read_equation(TRAP).endswith(f"{expit(b):.3f} to {expit(w + b):.3f}")
    quotient, stretched = re.fullmatch(r"sigmoid\( (.+) \) = sigmoid\( (.+) \) = 0.953 instead of 1.000",
                                       read_equation(TEMPERATURE)).groups()  # fmt: skip
    assert calculated(quotient) == pytest.approx(12 / 3.98)
    assert expit(float(stretched)) == pytest.approx(0.953, abs=6e-4)
    at = [float(n.replace("−", "-")) for n in read_equation(ALL).removeprefix("P(male) = 1/2 at s = ").split(" , ")]
    for name, cut in zip(PEERS, at, strict=True):
        low, high = peer_curve(names_split(5), name)(np.array([cut - 0.02, cut + 0.02]))
        assert low <= 0.5 <= high
    for n, T in re.findall(r"\((\d+) \+ 1\) / \([\d.]+\) = ([\d.]+)", read_equation(K)):
        assert float(T) == pytest.approx((int(n) + 1) / calibrated_k(names_split(5)), abs=6e-3)


def test_the_trap_cannot_leave_its_range():
    """The page's own fit, and scikit-learn's, which is fitted by cross-validation to other names."""
    s = np.array([-1e3, 1e3])
    low, high = peer_curve(names_split(5), TRAP)(s)
    assert (round(low, 3), round(high, 3)) == (0.118, 0.902)
    for seed in SEEDS:
        low, high = peer_curve(names_split(5, seed), TRAP)(s)
        assert 0.09 < low < 0.13
        assert 0.89 < high < 0.93


# --- the two parts of the Brier score -------------------------------------------------------------------------------


def parts_by_hand(confidence, right, groups):
    """Calibration and refinement with fractions, and the Brier score name by name."""
    ranked = sorted(zip(confidence, right, strict=True), key=lambda one: one[0])
    n, start, calibration, refinement, brier = len(ranked), 0, 0, 0, 0
    for number in range(groups):
        size = n // groups + (number < n % groups)
        group, start = ranked[start : start + size], start + size
        said = sum(Fraction(p) for p, _ in group) / size
        came = Fraction(sum(bool(r) for _, r in group), size)
        calibration += Fraction(size, n) * (said - came) ** 2
        refinement += Fraction(size, n) * came * (1 - came)
        brier += sum((said - bool(r)) ** 2 for _, r in group) / n
    return calibration, refinement, brier


@pytest.mark.parametrize("groups", [1, 2, 7, 60])
def test_brier_is_calibration_and_refinement_exactly(groups):
    rng = np.random.default_rng(groups)
    confidence = rng.integers(32, 64, 60) / 64  # exact in binary
    right = rng.random(60) < confidence
    calibration, refinement, brier = parts_by_hand(confidence.tolist(), right, groups)
    assert calibration + refinement == brier
    found = two_parts(confidence, right, groups)
    assert (found.calibration, found.refinement, found.brier) == pytest.approx(
        (float(calibration), float(refinement), float(brier))
    )


@pytest.mark.parametrize("numbers", TwoPartsExplorer.numbers.values)
def test_the_two_parts_are_murphys(numbers):
    """Reliability, and uncertainty less resolution; their sum is scikit-learn's score of what the groups are told."""
    r = compute_result(TwoPartsExplorer(), T=3.98, numbers=numbers)
    own, share = r.own, r.own.sizes / r.own.sizes.sum()
    base = share @ own.came
    assert own.refinement == pytest.approx(base * (1 - base) - share @ (own.came - base) ** 2)
    test = names_split(5).test
    s = log_odds(test)
    order = np.argsort(abs(s), kind="stable")
    told = np.repeat(own.said, own.sizes)
    right = ((s > 0) == test.y)[order]
    assert own.brier == pytest.approx(brier_score_loss(right, told))
    male = np.where(s[order] > 0, told, 1 - told)
    assert own.brier == pytest.approx(brier_score_loss(test.y[order], male)), "with two classes it is the same"
    loss = -np.mean(np.log(np.where(right, told, 1 - told)))
    entropy = -np.nansum(share * [p * log(p) + (1 - p) * log(1 - p) if 0 < p < 1 else 0 for p in own.came])
    gap = share @ [sum(a * log(a / b) for a, b in ((o, q), (1 - o, 1 - q)) if a)
                   for o, q in zip(own.came, own.said, strict=True)]  # fmt: skip
    assert loss == pytest.approx(entropy + gap), "the log loss of two parts as well"


@pytest.mark.parametrize("seed", [0, 5])
def test_a_temperature_moves_one_part_and_dividing_groups_lowers_the_other(seed):
    explorer = TwoPartsExplorer(seed=seed)
    refinement = []
    for numbers in TwoPartsExplorer.numbers.values:
        same = {compute_result(explorer, T=T, numbers=numbers).own.refinement for T in TwoPartsExplorer.T.values[::4]}
        assert len(same) == 1, "to the last bit"
        refinement += same
        assert refinement[-1] == compute_result(explorer, numbers=numbers).parts["naive Bayes"].refinement
    assert np.all(np.diff(refinement) <= 1e-12), "a group that is cut in two is never more mixed"
    calibration = [compute_result(explorer, T=T).own.calibration for T in TwoPartsExplorer.T.values]
    assert calibration[0] > 5 * min(calibration)


def test_the_bars_the_grip_and_the_equation_are_the_parts():
    explorer = TwoPartsExplorer().preset("Stretched")
    r = compute_result(explorer)
    calibration, refinement, brier = calculated_parts(spoken(explorer.explain(r)))
    test = names_split(5).test
    s = log_odds(test)
    wanted = parts_by_hand(expit(abs(s) / 3.98).tolist(), (s > 0) == test.y, 16)
    assert (calibration, refinement, brier) == pytest.approx([float(part) for part in wanted], abs=6e-5)
    figure = explorer.figure
    bars = {(trace.y[0], trace.base[0] > 0): trace for trace in figure.data if trace.type == "bar"}
    assert bars[0, True].x[0] == r.own.calibration
    assert bars[0, True].base[0] == bars[0, False].x[0] == r.own.refinement


def calculated_parts(equation):
    left, brier = equation.split(" = ")
    calibration, refinement = left.split(" + ")
    return [float(number) for number in (calibration, refinement, brier)]


def test_one_number_is_calibrated_and_worse():
    """What killed "among models that decide equally well, calibration is what Brier and log loss reward"."""
    split = names_split(5)
    models = decided_alike(split)
    y, found = split.test.y, {}
    for name, p in models.items():
        assert np.array_equal(p.argmax(axis=1), naive_posterior(split.test).argmax(axis=1))
        found[name] = (scores(y, p).ece, brier_score_loss(y, p[:, 1]), log_loss(y, p))
    rounded = {name: tuple(round(x, 3) for x in three) for name, three in found.items()}
    assert rounded == {
        "naive Bayes": (0.088, 0.103, 0.587),
        "one number": (0.0, 0.108, 0.374),
        "temperature": (0.016, 0.090, 0.293),
    }
    question = contents("06")["06/one-number"].question
    assert [f"{rounded[name][0]:.3f}" for name in models] == re.findall(r"ECE (?:of )?(\d\.\d+)", question)
    one = models["one number"]
    assert set(one.max(axis=1).round(3)) == {0.877}
    eq_20 = attenuated_posterior(*split.test.evidence, calibrated_k(split))
    assert brier_score_loss(y, eq_20[:, 1]) < found["one number"][1], "and eq. (20) is better as well"
    honest = compute_result(TwoPartsExplorer().preset("One number")).own
    assert honest.calibration < 1e-4
    assert honest.refinement == pytest.approx(0.8766 * 0.1234, abs=1e-4)


# --- the reader's own diagram --------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("NBCORE_PROGRESS", str(tmp_path / "deep" / "progress.json"))


class Page:
    """The ten questions, as a reader uses them."""

    def __init__(self):
        _, *rows, self.buttons, self.reply, self.told = ten_questions().rows()
        self.fields = [row.children for row in rows]

    def answer(self, number, right=True, sure=0.8):
        choice, how = self.fields[number]
        question = QUESTIONS[number]
        choice.value = next(option for option in question.options if (option == question.right) == right)
        how.value = sure

    def click(self, label):
        next(button for button in self.buttons.children if button.description == label).click()


def last_letters(sex, letter):
    names = load_names(both_lists=False)
    return sum(n[-1] == letter for n, c in zip(names.data, names.target, strict=True) if c == sex)


def test_the_answers_are_true_by_another_way():
    rng = np.random.default_rng(6)
    dice = rng.integers(1, 7, (200_000, 4))
    pairs = rng.integers(1, 7, (200_000, 24, 2))
    shared = np.mean([len(set(row)) < 23 for row in rng.integers(0, 365, (40_000, 23))])
    names = load_names(both_lists=False)
    letters = [sum(map(len, names.data[names.target == c])) / sum(names.target == c) for c in (0, 1)]
    heads = (rng.random((200_000, 10)) < 0.5).sum(axis=1)
    days = [date(1900, 1, 1) + timedelta(n) for n in range(146_097)]  # 400 years, of another start
    weekdays = [day.weekday() for day in days if day.day == 13]
    digits = np.log10(np.arange(1, 1001)).sum()
    wanted = [
        (1024**3, 1000**3), (exp(np.e * log(np.pi)), exp(np.pi)),
        (np.mean((pairs == 6).all(axis=2).any(axis=1)), np.mean((dice == 6).any(axis=1))),
        (shared, 1 - shared), (6 * 7 * 86_400, 5 * 7 * 86_400), (last_letters(1, "y"), last_letters(0, "y")),
        letters, (np.mean(heads == 5), np.mean(heads != 5)), (weekdays.count(3), weekdays.count(4)),
        (int(8000 * np.log10(2)) + 1, int(digits) + 1),
    ]  # fmt: skip
    assert len(QUESTIONS) == len(wanted) == 10
    for question, (a, b) in zip(QUESTIONS, wanted, strict=True):
        simulated = "throws" in str(question.options) or "birthday" in str(question.options) or "coin" in question.text
        assert list(question.values().values()) == pytest.approx([a, b], rel=0.02 if simulated else 1e-12)
        assert len(question.options) == 2
        assert max(question.values().values()) > min(question.values().values())
    firsts = [next(iter(question.options)) == question.right for question in QUESTIONS]
    assert 4 <= sum(firsts) <= 6, "the place of an option tells nothing"
    assert 3 <= sum(a != b for a, b in pairwise(firsts)) <= 6, "nor does its place in the question before"


def test_with_nothing_answered_it_says_what_to_do():
    page = Page()
    page.click("Show my diagram")
    assert page.reply.sentence.startswith("Choose an answer to at least one question")
    assert page.reply.figure == {}, "no empty axes"
    assert page.told.value == ""
    page.click("Skip")
    assert page.reply.sentence.startswith("Skipped.")
    assert answers() == []


def test_the_output_is_the_same_whatever_was_answered():
    before = ten_questions()._repr_mimebundle_()["text/plain"]
    page = Page()
    page.answer(0)
    page.click("Show my diagram")
    assert ten_questions()._repr_mimebundle_()["text/plain"] == before
    for question in QUESTIONS:
        assert question.text in before
        assert all(option in before for option in question.options)


def test_what_is_answered_is_drawn_told_and_kept():
    page = Page()
    for number in range(8):
        page.answer(number, right=number not in (2, 5), sure=0.9 if number < 4 else 0.6)
    page.click("Show my diagram")
    sentence = page.reply.sentence
    assert sentence.startswith("The ten questions: 8 answers, 75 % sure on average, 6 right.")
    ten = named(go.Figure(page.reply._shown))["the ten questions"]
    assert list(np.round(ten.x, 1)) == [0.6, 0.9]
    assert list(ten.y) == [0.75, 0.75]
    assert page.told.value.count("<br>") == 7, "of those only that are answered"
    assert page.told.value.count(": right.") == 6
    assert [(a.key, a.confidence, a.right) for a in answers()][:3] == [
        ("06/question-1", 0.9, True), ("06/question-2", 0.9, True), ("06/question-3", 0.9, False)
    ]  # fmt: skip
    again = Page()
    assert again.reply.sentence == sentence, "shown at once when the page is opened again"
    assert again.fields[2][0].value == answers()[2].answer


def test_the_first_answer_counts():
    page = Page()
    page.answer(0, right=False, sure=1.0)
    page.click("Show my diagram")
    page.answer(0, right=True, sure=0.5)
    page.click("Show my diagram")
    assert "1 answer, 100 % sure on average, 0 right" in page.reply.sentence
    assert "Too sure." in page.reply.sentence
    assert len(answers()) == 1


def test_a_half_answer_is_named():
    page = Page()
    page.answer(0)
    page.fields[3][0].value = "two share a birthday"
    page.fields[6][1].value = 0.7
    page.click("Show my diagram")
    assert page.reply.sentence.endswith("Without an answer or without how sure you are: 4, 7.")


def test_predictions_of_other_chapters_stand_beside_them():
    for key, sure, right in (("02/a", 0.7, True), ("03/b", 0.7, False), ("03/c", 1.0, True), ("03/b", 0.5, True)):
        record(key, "made", answer="x", confidence=sure, right=right)
    page = Page()
    page.click("Show my diagram")
    assert page.reply.figure == {}
    page.answer(4)
    page.click("Show my diagram")
    assert "Predictions in this book: 3 answers, 80 % sure on average, 2 right." in page.reply.sentence
    book = named(go.Figure(page.reply._shown))["predictions in this book"]
    assert list(np.round(book.x, 1)) == [0.7, 1.0]
    assert list(book.y) == [0.5, 1.0]


def test_without_a_place_to_write_it_works_until_the_page_is_closed(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NBCORE_PROGRESS", str(tmp_path / "file" / "progress.json"))
    page = Page()
    page.answer(0)
    page.click("Show my diagram")
    assert page.reply.sentence.startswith("The ten questions: 1 answer, 80 % sure on average, 1 right.")


@pytest.mark.parametrize(("answer", "sure"), [("an option of long ago", 0.8), ("2³⁰", 0.83), ("2³⁰", 2.0), (7, 0.8)])
def test_what_cannot_be_shown_any_more_is_passed_over(answer, sure):
    record("06/question-1", "made", answer=answer, confidence=sure, right=True)
    assert progress_file().exists()
    assert Page().reply.sentence == ""


def test_luck_is_counted_case_by_case():
    sure = [0.5, 0.6, 0.9, 1.0, 0.8]
    chances = np.zeros(6)
    for rights in product((0, 1), repeat=5):
        chances[sum(rights)] += np.prod([p if r else 1 - p for p, r in zip(sure, rights, strict=True)])
    np.testing.assert_allclose(in_all(sure), chances, atol=1e-12)
    assert likely(in_all([0.8] * 10)) == (5, 10)
    assert likely(in_all([1.0] * 3)) == (3, 3)
    few, many = likely(in_all([0.7] * 30))
    drawn = np.random.default_rng(1).binomial(30, 0.7, 200_000)
    assert np.mean((drawn < few) | (drawn > many)) <= 0.05
    assert np.mean(drawn < few) <= 0.025 + 2e-3


def test_the_bars_of_luck_hold_for_each_level():
    page = Page()
    for number in range(6):
        page.answer(number, sure=0.8)
    page.answer(6, sure=1.0)
    page.click("Show my diagram")
    bars = next(t for t in go.Figure(page.reply._shown).data if t.mode == "lines" and len(t.x) == 6)
    drawn = np.random.default_rng(2).binomial(6, 0.8, 200_000) / 6
    assert list(bars.y[:2]) == pytest.approx(list(np.quantile(drawn, [0.025, 0.975])))
    assert list(bars.y[3:5]) == [1.0, 1.0], "who is certain may not err"

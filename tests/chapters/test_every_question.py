"""Predictions and exercises: held to by every chapter's, and their door `workbook.learning`."""

import ast
import json
import re
from fractions import Fraction
from math import prod
from pathlib import Path

import nbformat
import numpy as np
import pytest
from scipy.stats import binom

from nbcore.datasets import load_play_tennis
from workbook.chapters import chapter_packages
from workbook.chapters.c10_naive_bayes_and_logistic_regression.experiment import name_pair
from workbook.chapters.names import names_split
from workbook.learning import check, contents, exercise, pages, predict, progress, solution
from workbook.questions.exercises import Exercise
from workbook.questions.predictions import Prediction
from workbook.questions.progress import BINDER, load, progress_file

PAGES = {page: items for chapter in chapter_packages() for page, items in pages(chapter).items()}
EVERYTHING = [item for chapter in chapter_packages() for item in contents(chapter).values()]
PREDICTIONS = [item for item in EVERYTHING if isinstance(item, Prediction)]
EXERCISES = [item for item in EVERYTHING if isinstance(item, Exercise)]
NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def by_key(items):
    return pytest.mark.parametrize("item", items, ids=lambda item: item.key)


def test_keys_are_unique_and_name_their_chapter():
    keys = [item.key for item in EVERYTHING]
    assert len(set(keys)) == len(keys)
    assert all(re.fullmatch(r"\d\d/[a-z0-9-]+", key) for key in keys)
    assert {key[:2] for key in keys} == set(chapter_packages())


@pytest.mark.parametrize("page", PAGES)
def test_the_notebook_asks_each_of_them_once(page):
    (path,) = NOTEBOOKS.glob(f"{page}_*.ipynb")
    code = "\n".join(cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "code")
    assert re.findall(r'(?:predict|exercise)\("(.+?)"\)', code) == list(PAGES[page]), "in the page's order"
    assert set(re.findall(r'check\("(.+?)"', code)) == {k for k, i in PAGES[page].items() if isinstance(i, Exercise)}
    assert f'progress("{page}")' in code


@by_key(PREDICTIONS)
def test_a_prediction_has_one_right_answer_and_says_why(item):
    truth = item.truth()
    assert np.isfinite(truth)
    assert sum(bool(holds(truth)) for holds in item.options.values()) == (1 if item.options else 0)
    assert len(item.options) != 1
    assert len(item.reason(truth)) > 40
    heights = [[0.12] * (len(item.drawn.heights) - item.drawn.given)] if item.drawn else []
    for guess in [*item.options, *heights] or ["0.123456"]:
        said = item.reveal(guess)
        assert item.reason(truth) in said
        assert ("saw it coming" in said) == (bool(item.options) and guess == item.right_option())
    assert item.reveal().startswith("Skipped.")


# --- what is drawn ------------------------------------------------------------------------------------------------


def after_tests(n):
    """P(ill) by counting people: of 100,000 one in a hundred is ill; every test leaves its share of either group."""
    ill, well = 1_000 * Fraction("0.8") ** n, 99_000 * Fraction("0.096") ** n
    return ill / (ill + well)


def no_on_sunny(alpha):
    """P(No | Sunny, Hot, High, Strong), counted row by row."""
    tennis = load_play_tennis()
    joint = []
    for c in (0, 1):
        rows = [row for row, y in zip(tennis.data, tennis.target, strict=True) if y == c]
        factors = [Fraction(len(rows), len(tennis.data))]
        for j, word in enumerate(("Sunny", "Hot", "High", "Strong")):
            value = list(tennis.categories[j]).index(word)
            kinds = len({row[j] for row in tennis.data})
            factors.append(Fraction(int(sum(row[j] == value for row in rows)) + alpha, len(rows) + alpha * kinds))
        joint.append(prod(factors))
    return joint[0] / sum(joint)


def largest_q(K):
    """Of the seen value with theta 0.2: tried on ten thousand ways to share out the rest, and on equal shares."""
    others = 0.8 * np.random.default_rng(0).dirichlet(np.ones(min(K, 50) - 1), 10_000)
    equal = (1 - 0.8 / (K - 1)) ** (K - 1)
    assert np.prod(1 - others, axis=1).max() <= equal + 1e-12
    return equal


def from_80_to_90():
    """Of the posteriors in [0.8, 0.9): their mean, and the share of them that came true, pair by pair."""
    test = names_split(5).test
    log_likelihood, log_prior, _ = test.evidence
    pairs = [(p, c == y) for row, y in zip(log_likelihood + log_prior, test.y, strict=True)
             for c, p in enumerate(np.exp(row) / np.exp(row).sum())]  # fmt: skip
    return np.mean([pair for pair in pairs if 0.8 <= pair[0] < 0.9], axis=0)


def won_by_bayes(bayes, logistic):
    """1 if naive Bayes is right more often, a half for a tie."""
    return 0.5 if bayes == logistic else float(bayes > logistic)


ORACLES = {
    "00/two-tests": lambda: [after_tests(n) for n in range(3)],
    "02/thousand": lambda: [no_on_sunny(alpha) for alpha in (0, 1, 10, 100, 1000)],
    "03/large-k": lambda: [largest_q(K) for K in (2, 3, 10, 10_000)],
    "06/place": from_80_to_90,
    "10/curve": lambda: [np.mean([won_by_bayes(*name_pair(n, seed=seed).accuracy) for seed in range(10)])
                         for n in (10, 50, 100, 500, 2000)],
    "11/twelve": lambda: binom.sf(0, [1, 4, 8, 12], 0.05),
}
DRAWN = [item for item in PREDICTIONS if item.drawn]


def test_some_are_drawn():
    assert [item.key for item in DRAWN] == list(ORACLES)
    assert len(DRAWN) >= 5
    assert len({item.key[:2] for item in DRAWN}) >= 5


@by_key(DRAWN)
def test_what_is_drawn_is_true(item):
    """By a second way."""
    wanted = [float(height) for height in ORACLES[item.key]()]
    assert item.drawn.known() + item.drawn.computed() == pytest.approx(wanted, abs=1e-9)
    assert item.truth() == item.drawn.computed()[-1]
    assert item.options == {}
    assert all(0 < height < 1 for height in item.drawn.computed()), "it can be drawn"
    text = item.to_text().replace(",", "")
    assert not any(f"{height:.3f}" in text for height in item.drawn.computed() if height not in item.drawn.known())


@by_key(EXERCISES)
def test_the_solution_passes_its_own_check(item):
    assert item.check(item.solve()).correct, item.check(item.solve())
    assert item.check(item.solve()).message.startswith("Right.")


@by_key(EXERCISES)
def test_every_typical_mistake_gets_its_own_hint(item):
    assert len(item.mistakes) >= 3
    hints = set()
    for mistake in item.mistakes:
        said = item.check(mistake.answer if item.evaluate else mistake.answer())
        assert not said.correct
        assert said.message == f"Not yet. {mistake.hint}"
        hints.add(said.message)
    assert len(hints) == len(item.mistakes)


@by_key([item for item in EXERCISES if item.evaluate is None])
def test_no_hint_prints_the_answer(item):
    value = float(item.expected())
    exact = Fraction(value).limit_denominator(10_000)
    forbidden = {f"{exact.numerator}/{exact.denominator}", f"{value:.2f}", f"{value:.3f}", f"{value:.3g}"}
    for text in [item.help, item.task, *(mistake.hint for mistake in item.mistakes)]:
        assert not any(re.search(rf"(?<![\d.]){re.escape(answer)}(?!\d)", text) for answer in forbidden), text


COMMON = {"array", "asarray", "exp", "float", "len", "log", "max", "mean", "min", "sqrt", "sum"}


@by_key(EXERCISES)
def test_the_general_help_is_not_the_solution(item):
    """It comes at the first answer whose slip is not known."""
    calls = [node.func for node in ast.walk(ast.parse(item.solution)) if isinstance(node, ast.Call)]
    names = {getattr(call, "attr", getattr(call, "id", "")) for call in calls} - COMMON
    assert not [name for name in names if re.search(rf"\b{name}\b", item.help)]
    assert not re.search(r"\d\)?\s*(\*\*?|/|·|times)\s*\(?\d", item.help), "a calculation"
    assert not re.search(r"\bcounts?\b", item.help) or re.search(r"\b(count|how (many|often))", item.task)


@by_key(EXERCISES)
def test_an_exercise_without_an_answer_is_not_an_error(item):
    assert "No answer yet" in item.check(...).message
    if item.evaluate:
        assert "No answer yet" in item.check(lambda *_: ...).message
        assert "No answer yet" in item.check(lambda *_: None).message
        assert "raised ZeroDivisionError" in item.check(lambda *_: 1 / 0).message
        assert "'3' is no function" in item.check(3).message
        assert item.returns, "what to return, when something else comes"
        assert item.check(lambda *_: np.zeros((2, 7))).message == (
            f"Not yet. Your function returns an array of shape (2, 7); it should return {item.returns}."
        )
        assert item.check(lambda *_: -1e9).message.startswith("Not yet.")
    else:
        assert "not a number I can read" in item.check("<b>half</b>").message
        assert item.check(-1e9).message == f"Not yet. {item.help}"


@by_key(EVERYTHING)
def test_each_has_a_widget_and_a_text_form(item):
    data = item._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    body = item.question if isinstance(item, Prediction) else item.task
    assert " ".join(body.split()) in " ".join(data["text/plain"].split())


# --- the door -----------------------------------------------------------------------------------------------------


def test_an_unknown_key_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"key = '02/nothing' is not a known exercise; there are 02/laplace, "):
        exercise("02/nothing")
    with pytest.raises(ValueError, match=r"key = '02/overcast' is not a known exercise"):
        check("02/overcast", 1)
    with pytest.raises(ValueError, match=r"key = \['02/laplace'\] is not a known exercise"):
        exercise(["02/laplace"])
    with pytest.raises(ValueError, match=r"not a known prediction; there are 00/…, .*02/…, "):
        predict("77/x")


def test_a_solution_is_the_code_of_its_exercise():
    assert repr(solution("02/laplace")) == f"{exercise('02/laplace').solution}  # 0.143"


def test_progress_of_one_page_or_of_all():
    assert len(progress("02").lines) == 1
    assert [line.split(":")[0] for line in progress().lines] == [f"Chapter {page}" for page in PAGES]
    with pytest.raises(ValueError, match=rf"page = '99' is not one of {next(iter(chapter_packages()))}, .*02, "):
        progress("99")


def test_progress_counts_what_was_done():
    assert repr(progress("02")) == "Chapter 02: 0 of 5 predictions made, 0 of 4 exercises solved."
    predict("02/overcast").reveal("exactly 0")
    predict("02/china").reveal()
    check("02/laplace", "1/6")
    assert repr(progress("02")) == "Chapter 02: 1 of 5 predictions made, 0 of 4 exercises solved."
    assert repr(progress("02")) in repr(progress()).splitlines()
    check("02/laplace", "1/7")
    check("02/laplace", "1/6")
    assert "1 of 4 exercises solved" in repr(progress())
    assert load().items() <= json.loads(progress_file().read_text()).items()


def test_binder_is_told_that_work_is_lost(monkeypatch):
    assert BINDER not in repr(progress())
    monkeypatch.setenv("BINDER_SERVICE_HOST", "10.0.0.1")
    assert BINDER in repr(progress())

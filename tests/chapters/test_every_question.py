"""Predictions and exercises: held to by every chapter's, and their door `workbook.learning`."""

import json
import re
from fractions import Fraction
from pathlib import Path

import nbformat
import numpy as np
import pytest

from workbook.chapters import flats
from workbook.learning import check, contents, exercise, predict, progress, solution
from workbook.page.exercises import Exercise
from workbook.page.predictions import Prediction
from workbook.page.progress import BINDER, load, progress_file

EVERYTHING = [item for chapter in flats() for item in contents(chapter).values()]
PREDICTIONS = [item for item in EVERYTHING if isinstance(item, Prediction)]
EXERCISES = [item for item in EVERYTHING if isinstance(item, Exercise)]
NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("NBCORE_PROGRESS", str(tmp_path / "deep" / "progress.json"))
    monkeypatch.delenv("BINDER_SERVICE_HOST", raising=False)


def by_key(items):
    return pytest.mark.parametrize("item", items, ids=lambda item: item.key)


def test_keys_are_unique_and_name_their_chapter():
    keys = [item.key for item in EVERYTHING]
    assert len(set(keys)) == len(keys)
    assert all(re.fullmatch(r"\d\d/[a-z0-9-]+", key) for key in keys)
    assert {key[:2] for key in keys} == set(flats())


@pytest.mark.parametrize("chapter", flats())
def test_the_notebook_asks_each_of_them_once(chapter):
    (path,) = NOTEBOOKS.glob(f"{chapter}_*.ipynb")
    code = "\n".join(cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "code")
    assert re.findall(r'(?:predict|exercise)\("(.+?)"\)', code) == list(contents(chapter)), "in the page's order"
    assert set(re.findall(r'check\("(.+?)"', code)) == {
        k for k, i in contents(chapter).items() if isinstance(i, Exercise)
    }
    assert len([i for i in contents(chapter).values() if isinstance(i, Prediction)]) >= 3
    assert len([i for i in contents(chapter).values() if isinstance(i, Exercise)]) >= 4


@by_key(PREDICTIONS)
def test_a_prediction_has_one_right_answer_and_says_why(item):
    truth = item.truth()
    assert np.isfinite(truth)
    assert sum(bool(holds(truth)) for holds in item.options.values()) == (1 if item.options else 0)
    assert len(item.options) != 1
    assert len(item.reason(truth)) > 40
    for guess in item.options or {"0.123456": None}:
        said = item.reveal(guess)
        assert item.reason(truth) in said
        assert ("saw it coming" in said) == (bool(item.options) and guess == item.right_option())
    assert item.reveal().startswith("Skipped.")


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


@by_key(EXERCISES)
def test_an_exercise_without_an_answer_is_not_an_error(item):
    assert "No answer yet" in item.check(...).message
    if item.evaluate:
        assert "No answer yet" in item.check(lambda *_: ...).message
        assert "No answer yet" in item.check(lambda *_: None).message
        assert "raised ZeroDivisionError" in item.check(lambda *_: 1 / 0).message
        assert "raised TypeError" in item.check(3).message
        assert item.check(lambda *_: -1e9).message == f"Not yet. {item.help}"
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
    with pytest.raises(ValueError, match=rf"not a known prediction; there are {next(iter(flats()))}/…, .*02/…, "):
        predict("77/x")


def test_a_solution_is_the_code_of_its_exercise():
    assert repr(solution("02/laplace")) == exercise("02/laplace").solution


def test_progress_of_one_chapter_or_of_all():
    assert len(progress("02").lines) == 1
    assert len(progress().lines) == len(flats())
    with pytest.raises(ValueError, match=rf"chapter = '99' is not one of {next(iter(flats()))}, .*02, "):
        progress("99")


def test_progress_counts_what_was_done():
    assert repr(progress("02")) == "Chapter 02: 0 of 6 predictions made, 0 of 5 exercises solved."
    predict("02/overcast").reveal("exactly 0")
    predict("02/china").reveal()
    check("02/laplace", "1/6")
    assert repr(progress("02")) == "Chapter 02: 1 of 6 predictions made, 0 of 5 exercises solved."
    assert repr(progress("02")) in repr(progress()).splitlines()
    check("02/laplace", "1/8")
    check("02/laplace", "1/6")
    assert "1 of 5 exercises solved" in repr(progress())
    assert json.loads(progress_file().read_text()) == load()


def test_binder_is_told_that_work_is_lost(monkeypatch):
    assert BINDER not in repr(progress())
    monkeypatch.setenv("BINDER_SERVICE_HOST", "10.0.0.1")
    assert BINDER in repr(progress())

"""Tasks with other numbers: at the book's numbers they are the book's, and every draw can be told from its slips."""

import re
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from workbook.chapters import chapter_module, chapter_packages
from workbook.learning import contents
from workbook.questions import exercises
from workbook.questions.again import apart, with_numbers
from workbook.questions.exercises import Exercise
from workbook.questions.progress import answers

ITEMS = {key: item for chapter in chapter_packages() for key, item in contents(chapter).items()}
MODULES = [chapter_module(chapter, "again") for chapter in chapter_packages()]
GENERATORS = {key: found for module in MODULES for key, found in module.AGAIN.items()}
# A picture, letters, a histogram without numbers, a computation in the notebook: these come back as they are.
AS_THEY_ARE = {"05/which-m", "05/groups", "06/read", "06/flat-mean", "06/choose-k"}
DRAWS, AT_LEAST = 20, 5


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("NBCORE_PROGRESS", str(tmp_path / "progress.json"))


def drawn(key):
    return list(islice(GENERATORS[key].variants(ITEMS[key]), DRAWS))


by_key = pytest.mark.parametrize("key", GENERATORS)


def test_every_task_with_a_number_has_other_numbers_or_is_named_here():
    numeric = {key for key, item in ITEMS.items() if isinstance(item, Exercise) and not item.evaluate}
    assert set(GENERATORS) | AS_THEY_ARE == numeric
    assert not set(GENERATORS) & AS_THEY_ARE
    assert len(GENERATORS) >= 60


@by_key
def test_the_book_s_numbers_give_the_book_s_answer_and_its_slips(key):
    """The two are computed in two ways: by nbcore in the questions, by hand here."""
    item, generator = ITEMS[key], GENERATORS[key]
    made = generator.make(**generator.book)
    assert float(made.expected) == pytest.approx(float(item.expected()), rel=1e-3)
    for mistake, slip in zip(item.mistakes, made.slips, strict=True):
        if slip is not None:
            assert float(slip) == pytest.approx(float(mistake.answer()), rel=2e-3, abs=1e-12), mistake.hint
    assert sum(slip is not None for slip in made.slips) >= 3
    assert set(made.hints) <= {place for place, slip in enumerate(made.slips) if slip is not None}


def test_words_that_name_no_number_stay_the_book_s():
    item, generator = ITEMS["00/odds"], GENERATORS["00/odds"]
    made = generator.make(**generator.book)
    own, none = with_numbers(item, replace(made, well_done="One.", help="Two.")), replace(made, well_done="", help="")
    assert (own.well_done, own.help) == ("One.", "Two.")
    assert (with_numbers(item, none).well_done, with_numbers(item, none).help) == (item.well_done, item.help)


@by_key
def test_every_draw_has_an_answer_of_its_own_and_a_solution_that_reaches_it(key):
    found = drawn(key)
    assert len(found) >= AT_LEAST
    assert [item.variant for item in found] == list(range(1, len(found) + 1))
    assert len({item.task for item in found}) == len(found), "no draw twice"
    book = GENERATORS[key].make(**GENERATORS[key].book).task
    for item in found:
        assert item.task != book
        assert apart(item)
        assert item.same(np.array(float(item.solve())), np.array(item.expected())), "a second way to the answer"


@pytest.mark.parametrize("key", sorted({*GENERATORS, *AS_THEY_ARE}))
def test_the_answer_is_right_with_the_three_digits_that_are_asked_for(key, monkeypatch):
    """The book's numbers and all that can be drawn; 0.42 as well as 0.420."""
    monkeypatch.setattr(exercises, "record", lambda *told, **more: None)
    for item in (ITEMS[key], *(GENERATORS[key].variants(ITEMS[key]) if key in GENERATORS else ())):
        expected = float(item.expected())
        for typed in (f"{expected:.3g}", f"{expected:#.3g}"):
            assert item.check(typed).correct, (item.variant, expected, typed)


@by_key
def test_the_text_says_every_number_that_was_drawn(key):
    """Another choice of any one of them is another text."""
    generator = GENERATORS[key]
    for name, choices in generator.numbers.items():
        made = [generator.make(**generator.book | {name: choice}) for choice in choices]
        texts = [one.task for one in made if one]
        assert len(set(texts)) == len(texts) > 1, name


@by_key
def test_a_draw_s_hints_fit_and_are_kept_under_the_book_s_name(key):
    item = drawn(key)[0]
    for mistake in item.mistakes:
        said = item.check(mistake.answer())
        assert said.message == f"Not yet. {mistake.hint}"
    names = [mistake.hint[:100] for mistake in ITEMS[key].mistakes]
    assert {answer.mistake for answer in answers()} <= set(names)
    assert item.check(item.expected()).correct
    assert {answer.variant for answer in answers()} == {1}


@by_key
def test_no_hint_of_a_draw_says_its_answer(key):
    for item in drawn(key):
        value = item.expected()
        forbidden = {f"{value:.2f}", f"{value:.3f}", f"{value:.3g}"} - {"0.00", "0.000"}
        for text in [item.help, *(mistake.hint for mistake in item.mistakes)]:
            assert not any(re.search(rf"(?<![\d.]){re.escape(answer)}(?![\d.]*\d)", text) for answer in forbidden), text


NUMBER = re.compile(r"(?<![\w^(.])\d[\d.,]*(?<![.,])")
CONSTANT = {"0", "1", "2", "3", "0.5", "0.8", "0.95", "1.96", "95", "100", "100,000"}  # of formulas, to count on


@by_key
def test_words_of_the_book_name_no_number_of_the_book(key):
    """What a draw says without being told otherwise fits its numbers: those in it are in the task, or of a formula."""
    generator, item = GENERATORS[key], ITEMS[key]
    made = next(generator.draws(key))
    taken = [mistake.hint for place, mistake in enumerate(item.mistakes)
             if made.slips[place] is not None and place not in made.hints]  # fmt: skip
    taken += [] if made.well_done else [item.well_done]
    taken += [] if made.help else [item.help]
    for text in taken:
        odd = {number for number in NUMBER.findall(text)} - set(NUMBER.findall(made.task)) - CONSTANT
        assert not odd, text

"""Predictions, exercises and progress: held to by every chapter's, and the frame on small ones."""

import html
import json
import re
from fractions import Fraction
from pathlib import Path

import nbformat
import numpy as np
import pytest

from workbook.chapters import flats
from workbook.learning import check, contents, exercise, predict, progress, solution
from workbook.page.exercises import Exercise, Mistake
from workbook.page.numbers import read_number
from workbook.page.predictions import Prediction
from workbook.page.progress import BINDER, load, progress_file, record

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


# --- every prediction and exercise there is -----------------------------------------------------------------------


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


# --- the widgets, as a learner uses them --------------------------------------------------------------------------


class Page:
    """The widgets of one item, by what a learner sees."""

    def __init__(self, item):
        from workbook.page.view import View

        self.reply = View()
        self.widgets = item.rows(self.reply)

    def click(self, label):
        for row in self.widgets:
            for button in getattr(row, "children", ()):
                if button.description == label:
                    return button.click()
        raise AssertionError(f"no button {label}")

    def field(self):
        return next(w for w in self.widgets if type(w).__name__ in ("Text", "RadioButtons"))


def test_a_choice_is_revealed_or_skipped():
    item = predict("02/overcast")
    page = Page(item)
    page.click("Reveal")
    assert page.reply.sentence == "Choose or type your prediction first, or skip it."
    page.field().value = next(iter(item.options))
    page.click("Reveal")
    assert page.reply.sentence.startswith("You said “about 0.36")
    assert "Computed: exactly 0." in page.reply.sentence
    page.click("Skip")
    assert page.reply.sentence.startswith("Skipped.")
    assert load() == {"02/overcast": "made"}, "what was made stays made"


@pytest.mark.parametrize(
    ("typed", "start"),
    [("5/14", "You said 0.357: close enough."), ("36 %", "You said 0.36: close"), ("0.5", "You said 0.5: not quite")],
)
def test_a_number_is_compared(typed, start):
    page = Page(predict("02/thousand"))
    page.field().value = typed
    page.click("Reveal")
    assert page.reply.sentence.startswith(start)


def test_what_cannot_be_read_is_said():
    page = Page(predict("02/thousand"))
    page.field().value = "<script>alert(1)</script>"
    page.click("Reveal")
    assert "is not a number I can read" in page.reply.sentence


def test_an_exercise_on_the_page():
    page = Page(exercise("02/laplace"))
    page.click("Check")
    assert page.reply.sentence == "Type your answer first."
    page.field().value = "1/6"
    assert page.reply.sentence.startswith("Not yet. You added one imaginary day in all."), "Enter checks"
    page.field().value = "0,125"
    page.click("Check")
    assert page.reply.sentence.startswith("Right.")
    page.click("Show solution")
    assert html.escape(solution("02/laplace").code) in page.widgets[-1].value
    assert repr(solution("02/laplace")) == exercise("02/laplace").solution


def test_questions_show_tags_as_text():
    item = Exercise("99/x", "Is 1 < 2 & <b>3</b>?", lambda: 1, (), "", "answer = 1")
    assert "&lt;b&gt;3&lt;/b&gt;" in Page(item).widgets[0].value


def test_questions_follow_lecture_sizes_and_go_when_their_cell_runs_again():
    from workbook import lecture
    from workbook.page.asked import Shown

    shown = Shown(predict("02/overcast"))
    try:
        lecture()
        assert "nb-lecture" in shown.box._dom_classes
        assert shown.reply.lecture
        assert "nb-lecture" in Shown(exercise("02/fix-the-bug")).box._dom_classes
    finally:
        lecture(False)
    assert "nb-lecture" not in shown.box._dom_classes
    shown.close()
    assert shown.box.comm is None


# --- small parts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *((eighth, 0.125) for eighth in ("1/8", " 0.125 ", "0,125", "12.5 %", "12.5%", "1 / 8")),
        *((number, 0.125) for number in (Fraction(1, 8), np.float64(0.125), 0.125)),
        *(("-1e-3", -0.001), ("−2", -2), (3, 3), ("inf", np.inf), ("-∞", -np.inf)),
    ],
)
def test_numbers_as_people_type_them(text, value):
    assert read_number(text) == value


@pytest.mark.parametrize(
    "text", ["", "half", "1/0", "1/2/3", "nan", "0.1.2", True, None, [0.1], "1,000,000", "9" * 400 + "/1"]
)
def test_what_is_not_a_number(text):
    with pytest.raises(ValueError, match=r"0\.25, 1/4 or 25 %"):
        read_number(text)


def test_an_unknown_key_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"key = '02/nothing' is not a known exercise; there are 02/laplace, "):
        exercise("02/nothing")
    with pytest.raises(ValueError, match=r"key = '02/overcast' is not a known exercise"):
        check("02/overcast", 1)
    with pytest.raises(ValueError, match=rf"not a known prediction; there are {next(iter(flats()))}/…, .*02/…, "):
        predict("77/x")


def test_an_answer_within_half_a_percent_is_right():
    item = Exercise("99/x", "", lambda: 0.5, (Mistake(lambda: 0.25, "half"),), "Good.", "answer = 0.5")
    assert item.check(0.502).correct
    assert not item.check(0.504).correct
    assert repr(item.check(0.25)) == "Not yet. half"


# --- progress -----------------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("content", ["", "{", "[1]", "\x00"])
def test_a_damaged_progress_file_starts_anew(content):
    progress_file().parent.mkdir(parents=True)
    progress_file().write_text(content)
    assert load() == {}
    record("02/china", "made")
    assert load() == {"02/china": "made"}


def test_a_folder_that_cannot_be_written_never_stops_a_lesson(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NBCORE_PROGRESS", str(tmp_path / "file" / "progress.json"))
    assert check("02/laplace", "1/8").correct
    assert load() == {}


def test_binder_is_told_that_work_is_lost(monkeypatch):
    assert BINDER not in repr(progress())
    monkeypatch.setenv("BINDER_SERVICE_HOST", "10.0.0.1")
    assert BINDER in repr(progress())


def test_progress_lives_in_the_users_own_folder_by_default(monkeypatch):
    monkeypatch.delenv("NBCORE_PROGRESS")
    assert progress_file().name == "progress.json"
    assert progress_file().parent.name == "naive-bayes-workbook"

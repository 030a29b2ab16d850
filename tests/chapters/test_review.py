"""What `review()` asks, from the file of answers alone."""

import json
from datetime import date, timedelta

import ipywidgets as widgets

import workbook
from workbook.learning import check, contents, predict, review, variants
from workbook.questions.exercises import Exercise
from workbook.questions.progress import answers, load, progress_file
from workbook.questions.question import QuestionWidget
from workbook.questions.review import opening
from workbook.questions.schedule import Standing

today = date.today  # a run of the tests may go on past midnight


def after(days):
    return review(today() + timedelta(days))


def widgets_in(box):
    yield box
    for child in getattr(box, "children", ()):
        yield from widgets_in(child)


def test_what_comes_back_is_told_beside_what_rests():
    days = {"a": None, "b": today() + timedelta(7)}
    resting, waiting = (Standing(key, day, False, False, 1) for key, day in days.items())
    assert f"comes back on {today() + timedelta(7)}" in opening([], [resting, waiting], today())
    assert "right four times" in opening([], [resting], today())


def test_nothing_is_due_before_something_was_answered_or_too_early():
    assert "answer a prediction or an exercise" in review().words
    check("02/shrinkage", "1/9")
    assert f"comes back on {today() + timedelta(2)}" in review().words
    assert review().items == ()


def test_a_task_comes_back_with_other_numbers_and_is_kept_under_its_key():
    check("02/shrinkage", "1/9")
    (asked,) = after(2).items
    book = contents("02")["02/shrinkage"]
    assert "Check it with" in book.to_text()
    assert "Check it with" not in asked.to_text(), "check() knows the book's numbers only"
    assert isinstance(asked, Exercise)
    assert asked.task != book.task
    assert not asked.check("1/9").correct
    slip = asked.mistakes[0]
    assert asked.check(slip.answer()).message == f"Not yet. {slip.hint}"
    assert asked.check(asked.expected()).message.startswith("Right.")
    first, *_, missed, solved = answers()
    assert [first.variant, missed.variant, solved.variant] == [None, 1, 1]
    assert missed.mistake == book.mistakes[0].hint
    assert load()["02/shrinkage"] == "solved"


def test_after_a_miss_other_numbers_come_at_once_and_the_solved_task_stays_solved():
    check("02/shrinkage", "8/9")
    (first,) = review().items
    first.check(0.123456)
    (second,) = review().items
    assert first.task != second.task
    assert second.check(second.expected()).correct
    assert review().items == ()
    assert [one.key for one in after(2).items] == ["02/shrinkage"]


def test_five_at_most_missed_mistakes_first_and_a_prediction_as_it_is():
    predict("02/overcast").reveal("exactly 0", confidence=0.9)
    check("02/shrinkage", "8/9")
    check("02/laplace", 0.987)
    for key in ("00/odds", "00/repeats", "00/prosecutor", "00/negative"):
        check(key, contents("00")[key].expected())
    asked = after(3)
    assert [item.key for item in asked.items[:1]] == ["02/shrinkage"]
    assert {item.key for item in asked.items[1:3]} == {"02/overcast", "02/laplace"}
    assert len(asked.items) == 5
    assert contents("02")["02/overcast"] in asked.items
    assert asked.words.startswith("Review. 7 questions are due.")


def test_every_question_has_its_field_its_buttons_and_its_reply():
    check("02/shrinkage", "8/9")
    predict("02/china").reveal("certain")
    asked = after(2)
    data = asked._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/plain"].startswith("Review. 2 questions are due.")
    assert all(f"{item.context}\n{item.to_text()}".strip() in data["text/plain"] for item in asked.items)
    shown = list(widgets_in(widgets.VBox(asked.rows())))
    exercise, prediction = (one for one in shown if isinstance(one, QuestionWidget))
    assert (exercise.record["kind"], prediction.record["kind"]) == ("number", "choice")
    exercise._handle_custom_msg({"act": "check", "guess": "0.5"}, [])
    assert exercise.reply["words"].startswith("Not yet.")
    assert prediction.reply == {}
    assert prediction.record["context"].startswith("China: Chinese")


def test_a_file_of_an_earlier_version_and_questions_of_another_edition_are_no_error():
    day = today() - timedelta(3)
    old = {"date": f"{day}T10:00:00+01:00", "key": "02/laplace", "outcome": "tried", "answer": 0.5, "confidence": None,
           "right": False, "mistake": None}  # fmt: skip
    odd = [old | {"key": "77/gone"}, old | {"key": "02/gone"}, old | {"key": ""}, old | {"variant": "<b>"}]
    progress_file().parent.mkdir(parents=True)
    progress_file().write_text(json.dumps({"02/laplace": "tried", "answers": [*odd, old]}), "utf-8")
    assert [item.key for item in review().items] == ["02/laplace"]


def test_variants_of_a_question_without_numbers_are_none():
    assert variants(contents("02")["02/overcast"], 5) == []
    assert variants(contents("05")["05/which-m"], 5) == []
    assert len(variants(contents("00")["00/odds"], 5)) == 5


def test_the_short_way_in():
    assert workbook.review() == review()

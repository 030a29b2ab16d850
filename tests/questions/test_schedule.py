"""When a question comes back, told from the answers that are kept."""

import re
from datetime import date, timedelta
from pathlib import Path

import pytest

from workbook.questions.progress import Answer
from workbook.questions.schedule import AT_A_TIME, WAITS, due, standings
from workbook.site import player

START = date(2026, 1, 31)


def given(*told, key="02/laplace"):
    """Answers as (day after START, right, variant, mistake)."""
    padded = [(*one, *(None, None))[:4] for one in told]
    return [Answer(f"{START + timedelta(day)}T23:50:00+01:00", key, "solved" if right else "tried", "1", None, right,
                   mistake, variant) for day, right, variant, mistake in padded]  # fmt: skip


def standing(*told):
    (one,) = standings(given(*told))
    return (one.day - START).days if one.day else None, one.missed


def test_right_at_once_comes_back_after_2_then_7_then_21_days_then_it_rests():
    assert WAITS == (2, 7, 21)
    assert standing((0, True)) == (2, False)
    assert standing((0, True), (2, True, 1)) == (9, False)
    assert standing((0, True), (2, True, 1), (10, True, 2)) == (31, False)
    assert standing((0, True), (2, True, 1), (10, True, 2), (31, True, 3)) == (None, False)


def test_the_sites_script_has_the_same_days_and_asks_as_many_at_a_time():
    script = Path(player.__file__).with_name("review.js").read_text("utf-8")
    assert re.search(r"const WAITS = \[(.+?)\]", script)[1] == ", ".join(map(str, WAITS))
    assert int(re.search(r"const AT_A_TIME = (\d+)", script)[1]) == AT_A_TIME


def test_a_year_that_no_calendar_counts_on_from_is_no_day():
    day = date(8999, 12, 31)
    for shift, known in ((0, 1), (1, 0)):
        told = Answer((day + timedelta(shift)).isoformat(), "02/laplace", "solved", "1", None, True)
        assert len(standings([told])) == known


def test_a_miss_is_due_at_once_and_starts_the_days_anew():
    assert standing((0, False)) == (0, True)
    assert standing((0, False), (0, True)) == (0, True), "solved in the end, but not at once"
    assert standing((0, True), (2, True, 1), (9, False, 2), (9, True, 2)) == (9, True)
    assert standing((0, False), (0, True), (0, True, 1)) == (2, False), "right at once with other numbers"
    assert standing((0, False), (1, True)) == (3, False), "the same numbers on another day"


def test_an_answer_before_its_day_changes_nothing_but_a_miss():
    assert standing((0, True), (1, True)) == (2, False), "the notebook was run again"
    assert standing((0, True), (1, True), (2, True, 1)) == (9, False)
    assert standing((0, True), (1, False)) == (1, True)


def test_a_drawing_is_neither_right_nor_missed_and_comes_back():
    assert standing((0, None)) == (2, False)


@pytest.mark.parametrize(("said", "variant"), [(-7, 1), (10**30, 1000)])
def test_a_file_may_say_anything(said, variant):
    assert standings(given((0, True, said)))[0].variant == variant
    assert standings([Answer("9999-12-31T10:00:00+01:00", "02/china", "made", right=True)]) == []


def test_what_was_skipped_or_has_no_day_was_not_answered():
    skipped = Answer("2026-01-31T10:00:00+01:00", "02/china", "skipped")
    odd = Answer("yesterday", "02/china", "made", right=True)
    assert standings([skipped, odd]) == []


def test_typical_mistakes_come_first_then_misses_then_the_oldest():
    answers = [
        *given((0, True), key="99/late"),
        *given((-9, True), key="99/later"),
        *given((3, False), key="99/missed"),
        *given((3, False, None, "a hint"), key="99/slip"),
        *given((2, True), key="99/not-yet"),
    ]
    keys = [one.key for one in due(answers, START + timedelta(3))]
    assert keys == ["99/slip", "99/missed", "99/later", "99/late"]


def test_a_slip_is_one_of_the_last_asking_if_that_was_missed():
    for told, slip in (([(0, False, None, "a hint"), (0, True)], True), ([(0, False), (0, True)], False),
                       ([(0, True), (0, False, None, "a hint")], False),
                       ([(0, False, None, "a hint"), (1, False)], False)):  # fmt: skip
        assert standings(given(*told))[0].slip == slip


@pytest.mark.parametrize(("told", "variant"), [([(0, True)], 1), ([(0, True), (2, True, 1)], 2), ([(0, False, 4)], 5)])
def test_each_asking_has_the_numbers_after_the_last(told, variant):
    assert standings(given(*told))[0].variant == variant

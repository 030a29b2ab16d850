"""The file of what a learner did: every answer with its confidence, readable by older versions, hard to break."""

import errno
import json
import subprocess
import sys
from dataclasses import replace
from datetime import datetime

import numpy as np
import pytest

from workbook.questions import progress as page_progress
from workbook.questions.drawn import Drawn
from workbook.questions.predictions import Prediction
from workbook.questions.progress import (
    ANSWERS,
    IN_ALL,
    PER_KEY,
    Answer,
    answers,
    load,
    progress_file,
    record,
    summary,
)  # fmt: skip

from .asked import Page

CHOICE = Prediction(
    key="99/choice",
    question="How often does the sun rise in a week?",
    truth=lambda: 7,
    reason=lambda truth: "",
    options={"never": lambda truth: truth == 0, "seven times": lambda truth: truth == 7},
)
NUMBER = Prediction(key="99/number", question="5 of 14?", truth=lambda: 5 / 14, reason=lambda truth: "")
DRAWING = Prediction(
    key="99/drawing",
    question="Draw.",
    truth=lambda: 0.5,
    reason=lambda truth: "",
    drawn=Drawn({"a": lambda: 0.25, "b": lambda: 0.5}, y="share"),
)


def kept():
    """What is kept of each answer, its date aside."""
    return [(a.key, a.outcome, a.answer, a.confidence, a.right, a.mistake) for a in answers()]


# --- what is kept -------------------------------------------------------------------------------------------------


def test_each_reveal_is_kept_with_date_answer_confidence_and_whether_it_was_right():
    CHOICE.reveal("never", confidence=0.9)
    CHOICE.reveal("seven times")
    CHOICE.reveal()
    NUMBER.reveal("36 %")
    NUMBER.reveal("1/2")
    DRAWING.reveal([0.2, 0.6])
    assert kept() == [
        ("99/choice", "made", "never", 0.9, False, None),
        ("99/choice", "made", "seven times", None, True, None),
        ("99/choice", "skipped", None, None, None, None),
        ("99/number", "made", "36 %", None, True, None),
        ("99/number", "made", "1/2", None, False, None),
        ("99/drawing", "made", [0.2, 0.6], None, None, None),
    ]
    dates = [datetime.fromisoformat(answer.date) for answer in answers()]
    assert all(date.tzinfo for date in dates)
    assert dates == sorted(dates)


@pytest.mark.parametrize(("answer", "stored"), [
    (np.float64(0.5), 0.5), (np.arange(3), [0, 1, 2]), (float("nan"), "nan"), ([float("-inf"), 2], ["-inf", 2]),
    ("x" * 1000, "x" * 100), (list(range(1000)), list(range(20))), (len, None), ([len], [None]), ({"a": 1}, None),
    (10**400, None), (10**100, None), (10**100 - 1, 10**100 - 1), (True, True),
])  # fmt: skip
def test_any_answer_can_be_kept_and_none_is_large(answer, stored):
    record("99/x", "tried", answer=answer)
    (a,) = answers()
    assert a.answer == stored
    json.loads(progress_file().read_text(), parse_constant=pytest.fail)


# --- the file -----------------------------------------------------------------------------------------------------


def old_load():
    """As it was until 0.1: the text of the function then."""
    try:
        done = json.loads(progress_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return done if isinstance(done, dict) else {}


def old_record(key, outcome):
    """As it was until 0.1."""
    done = old_load()
    if done.get(key) in ("solved", "made", outcome):
        return
    progress_file().write_text(json.dumps(done | {key: outcome}, indent=1, sort_keys=True), encoding="utf-8")


def test_an_old_version_reads_the_file_and_keeps_what_it_does_not_know(monkeypatch):
    CHOICE.reveal("never", confidence=0.9)
    items = {"99": (["99/choice", "99/number"], ["99/eighth"])}
    old_record("99/eighth", "tried")
    old_record("99/eighth", "solved")
    assert load() == {"99/choice": "made", "99/eighth": "solved"}
    assert kept() == [("99/choice", "made", "never", 0.9, False, None)]
    now = repr(summary(items))
    assert now == "Chapter 99: 1 of 2 predictions made, 1 of 1 exercises solved."
    monkeypatch.setattr(page_progress, "load", old_load)
    assert repr(summary(items)) == now


def test_a_file_of_an_old_version_goes_on():
    progress_file().parent.mkdir(parents=True)
    old_record("99/eighth", "solved")
    assert answers() == []
    CHOICE.reveal("never")
    assert load() == {"99/choice": "made", "99/eighth": "solved"}
    assert len(answers()) == 1
    text = progress_file().read_text("utf-8")
    assert text == json.dumps(json.loads(text), indent=1, sort_keys=True), "and is written in the same way"


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[1]", b"\x00", b"\xff\xfe{}", b"[" * 100_000, b"NaN", b'{"answers": 3}',
     b'{"answers": [1, {}, null]}',
     b'{"answers": [{"key": 3, "date": "x"}], "a": 7}'],
)  # fmt: skip
def test_a_damaged_file_starts_anew(content):
    progress_file().parent.mkdir(parents=True)
    progress_file().write_bytes(content)
    assert load() == {}
    assert answers() == []
    assert repr(summary({"99": (["99/choice"], [])})).startswith("Chapter 99: 0 of 1")
    CHOICE.reveal("never", confidence=0.5)
    assert load() == {"99/choice": "made"}
    assert kept() == [("99/choice", "made", "never", 0.5, False, None)]
    aside = progress_file().with_name(progress_file().name + ".bad1")
    assert aside.exists() == bool(content)
    if content:
        assert aside.read_bytes() == content, "set aside, to the byte"
        assert repr(summary({})) == f"Earlier answers could not be read; they are kept in {aside}."


def test_what_was_written_in_vain_is_taken_away(monkeypatch):
    record("02/overcast", "made")

    def busy(part, path):
        raise PermissionError(13, "in use")

    monkeypatch.setattr(page_progress, "_replace", busy)
    record("02/shrinkage", "solved")
    assert [path.name for path in progress_file().parent.iterdir()] == [progress_file().name]
    assert load() == {"02/overcast": "made"}


def test_progress_lives_in_the_users_own_folder_by_default(monkeypatch):
    monkeypatch.delenv("NBCORE_PROGRESS")
    assert progress_file().name == "progress.json"
    assert progress_file().parent.name == "naive-bayes-workbook"


def test_a_file_that_is_damaged_twice_is_set_aside_twice():
    record("99/a", "made")
    for content in ("first", "second"):
        progress_file().write_text(content)
        record("99/b", "made")
        record("99/c", "made")
    asides = sorted(progress_file().parent.glob("*.bad*"))
    assert [path.read_text() for path in asides] == ["first", "second"]
    assert load() == {"99/b": "made", "99/c": "made"}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_what_editors_make_of_the_file_is_read(encoding):
    record("99/a", "made", answer="ü")
    text = progress_file().read_text("utf-8").replace("\\u00fc", "ü")
    progress_file().write_bytes(text.encode(encoding))
    assert answers()[0].answer == "ü"
    record("99/b", "made")
    assert load() == {"99/a": "made", "99/b": "made"}
    assert [path.name for path in progress_file().parent.iterdir()] == [progress_file().name]


def test_a_file_that_may_not_be_read_just_now_is_left_alone(monkeypatch):
    record("99/a", "made")
    before = progress_file().read_bytes()

    def fails(path):
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as patch:
        patch.setattr(page_progress.Path, "read_bytes", fails)
        record("99/b", "made")
        assert load() == {}
    assert progress_file().read_bytes() == before


def test_a_file_that_cannot_be_set_aside_is_left_alone(monkeypatch):
    progress_file().parent.mkdir(parents=True)
    progress_file().write_text("damaged")

    def full(start, goal):
        raise OSError(errno.ENOSPC, "No space left")

    monkeypatch.setattr(page_progress.shutil, "copyfile", full)
    record("99/a", "made")
    assert progress_file().read_text() == "damaged"


def test_a_link_stays_a_link_and_its_target_gets_the_answers(tmp_path, monkeypatch):
    """As in a folder that is synchronised."""
    (tmp_path / "synced").mkdir()
    link = tmp_path / "progress.json"
    link.symlink_to(tmp_path / "synced" / "mine.json")
    monkeypatch.setenv("NBCORE_PROGRESS", str(link))
    record("99/a", "made")
    record("99/b", "made")
    assert link.is_symlink()
    assert set(json.loads((tmp_path / "synced" / "mine.json").read_text())) == {"99/a", "99/b", ANSWERS}
    assert [path.name for path in (tmp_path / "synced").iterdir()] == ["mine.json"]


def test_on_windows_whoever_reads_the_file_is_waited_for(monkeypatch):
    record("99/a", "made")
    refusals, whole = [1, 2, 3], page_progress.Path.replace

    def replace(part, path):
        if refusals:
            raise PermissionError(errno.EACCES, f"read by {refusals.pop()}")
        return whole(part, path)

    monkeypatch.setattr(page_progress.Path, "replace", replace)
    record("99/b", "made")
    assert load() == {"99/a": "made"}, "elsewhere that means: you may not"
    waits = []
    monkeypatch.setattr(page_progress.time, "sleep", waits.append)
    monkeypatch.setattr(page_progress, "WINDOWS", True)
    refusals[:] = [1, 2, 3]
    record("99/b", "made")
    assert load() == {"99/a": "made", "99/b": "made"}
    assert len(waits) == 3
    assert 0.5 <= page_progress.TRIES * waits[0] <= 2, "for about a second in all"


def test_fields_of_a_wrong_kind_count_as_none():
    progress_file().parent.mkdir(parents=True)
    entry = {"key": "a", "date": "2026-01-01", "outcome": "made", "confidence": "much", "right": "yes", "new": 1}
    entries = [entry | {"variant": variant} for variant in ("two", True, 2)]
    progress_file().write_text(json.dumps({ANSWERS: entries}))
    known = Answer("2026-01-01", "a", "made", None, None, None, None)
    assert answers() == [known, known, replace(known, variant=2)]


@pytest.mark.parametrize("name", ["file/progress.json", "folder"])
def test_a_place_that_cannot_be_written_never_stops_a_lesson(tmp_path, monkeypatch, name):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    monkeypatch.setenv("NBCORE_PROGRESS", str(tmp_path / name))
    assert CHOICE.reveal("never", confidence=0.7).startswith("You said")
    assert load() == {}
    assert answers() == []
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "folder"], "nothing is left over"


def test_the_file_stays_small(monkeypatch):
    for n in range(3 * PER_KEY):
        record("99/often", "tried", answer=n)
    assert [answer.answer for answer in answers()] == [0, *range(2 * PER_KEY + 1, 3 * PER_KEY)], "the first, the latest"
    monkeypatch.setattr(page_progress, "IN_ALL", 10)
    for n in range(40):
        record(f"99/{n}", "made", answer="x" * 1000, mistake="y" * 1000)
    assert len(answers()) == 10
    assert answers()[-1].key == "99/39"
    assert len(load()) == 41, "what was done is kept for all"
    assert PER_KEY * 150 <= IN_ALL, "for the questions of this book the whole bound is never met"


def test_kernels_that_write_at_the_same_time_lose_nothing():
    """As a reader with many pages open, only faster: eight processes, each with answers of its own."""
    code = (
        "import sys; from workbook.questions.progress import record\n"
        "for n in range(20): record(f'{sys.argv[1]}/{n}', 'made', answer=n)"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, name]) for name in "abcdefgh"]
    assert [writer.wait(timeout=120) for writer in writers] == [0] * 8
    assert len(load()) == len(answers()) == 160
    assert [path.name for path in progress_file().parent.iterdir()] == [progress_file().name]


def test_a_lock_that_somebody_left_behind_is_passed_over(monkeypatch):
    monkeypatch.setattr(page_progress, "PATIENCE", 0.05)
    record("99/a", "made")
    lock = progress_file().with_name(progress_file().name + ".lock")
    lock.mkdir()
    record("99/b", "made")
    assert load() == {"99/a": "made", "99/b": "made"}
    record("99/c", "made")
    assert not lock.exists()


def test_a_lock_that_is_held_for_a_while_is_waited_for(monkeypatch):
    lock, clock, held = progress_file().with_name(progress_file().name + ".lock"), [100.0], []
    lock.mkdir(parents=True)

    def now():
        clock[0] += 0.01
        if clock[0] > 101 and not held:
            held.append(lock.exists())
            lock.rmdir()
        return clock[0]

    monkeypatch.setattr(page_progress.time, "monotonic", now)
    monkeypatch.setattr(page_progress.time, "sleep", lambda seconds: clock.append(seconds))
    record("99/a", "made")
    assert held == [True], "it was no lock left behind"
    assert len(clock) > 50, "no processor was kept busy"
    assert load() == {"99/a": "made"}


def test_a_lock_that_changes_hands_is_no_lock_left_behind(monkeypatch):
    """However long that takes: each writer's own lock is another one."""
    monkeypatch.setattr(page_progress, "PATIENCE", 0.02)
    lock = progress_file().with_name(progress_file().name + ".lock")
    lock.mkdir(parents=True)
    hands = iter(range(20))

    def made(path):
        holder = next(hands, None)
        if holder is None:
            lock.rmdir()
        return holder

    monkeypatch.setattr(page_progress, "_lock_identity", made)
    record("99/a", "made")
    assert next(hands, "all were waited for") == "all were waited for"
    assert load() == {"99/a": "made"}


# --- how sure are you? ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sure", [None, 0.5, 0.9, 1.0])
def test_it_is_kept_if_it_is_said(sure):
    Page(CHOICE)("reveal", guess="never", sure=sure)
    assert kept() == [("99/choice", "made", "never", sure, False, None)]


def test_who_skips_is_not_asked():
    Page(CHOICE)("skip", guess="", sure=0.8)
    assert kept() == [("99/choice", "skipped", None, None, None, None)]

"""Exam sheets: which exercises, with which numbers, and what stands where."""

import re
import subprocess
from html import unescape

import pytest

from workbook.chapters import chapter_packages
from workbook.explorer.pictures import chromium
from workbook.export.__main__ import main
from workbook.export.formats.exam import draw
from workbook.learning import contents
from workbook.questions import exercises
from workbook.site.handout import FLAGS


@pytest.fixture
def written(tmp_path):
    """written(*names, seed): the sheet and its answers."""

    def write(*names, seed="1"):
        assert main(["exam", *names, "--seed", seed, "--to", str(tmp_path)]) == 0
        return [(tmp_path / f"exam-{seed}{kind}.html").read_text("utf-8") for kind in ("", "-answers")]

    return write


def words(page):
    return " ".join(unescape(re.sub("<[^>]+>", " ", page)).split())


def test_neighbours_share_no_task_with_one_another_or_with_the_pages():
    one, other = ({item.key: item for item in draw(chapter_packages(), seed)} for seed in (8, 9))
    assert list(one) == list(other)
    for key, item in one.items():
        pages = contents(key[:2])[key]
        assert (item.context, item.task) not in [(near.context, near.task) for near in (other[key], pages)]


def test_the_same_command_writes_the_same_files_and_two_seeds_differ(written):
    first, again, other = written("2", "03/centre"), written("02", "03/centre"), written("2", "03/centre", seed="2")
    assert first == again
    assert not set(first) & set(other)


def test_every_exercise_for_paper_is_there_once_and_its_answer_is_right_and_apart(written, monkeypatch):
    monkeypatch.setattr(exercises, "record", lambda *_, **__: None)
    sheet, answers = written(*chapter_packages(), "02/laplace")
    items = [item for chapter in chapter_packages() for item in contents(chapter).values() if hasattr(item, "solution")]
    alone = {item.key for item in items if item.evaluate or not item.parameters} | {"11/all-twelve"}  # asks for a table
    drawn = draw(chapter_packages(), 1)
    assert [item.key for item in drawn] == [item.key for item in items if item.key not in alone]
    assert sheet.count('class="room"') == sheet.count("____ of 4 points") == len(drawn)
    assert f"of {4 * len(drawn)}<" in sheet
    for item, part in zip(drawn, answers.split("<section>")[1:], strict=True):
        (number,) = re.findall(r"<b>(?:[\d/]+ = )?(.+)</b>", part)
        assert item.check(number.replace("−", "-").replace(",", "")).correct, item.key
        for said in (item.key, item.solution, *(mistake.hint for mistake in item.mistakes)):
            assert " ".join(said.split()) in words(part)
            assert " ".join(said.split()) not in words(sheet)


@pytest.mark.skipif(not chromium(), reason="prints with a browser of the reader's")
def test_two_exercises_fit_on_a_sheet_of_paper_under_the_head_too(written, tmp_path):
    written("2", "03/centre", "8/diagonal")
    file = tmp_path / "exam.pdf"
    command = [chromium(), *FLAGS, f"--user-data-dir={tmp_path}", f"--print-to-pdf={file}", tmp_path / "exam-1.html"]
    subprocess.run(command, check=True, capture_output=True)
    assert len(re.findall(rb"/Type /Page\b", file.read_bytes())) == 3

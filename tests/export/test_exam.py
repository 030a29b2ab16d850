"""Exam sheets: which exercises, with which numbers, and what stands where."""

import re
import subprocess
from html import unescape

import numpy as np
import pytest

from workbook.chapters import chapter_packages
from workbook.explorer.pictures import chromium
from workbook.export.__main__ import main
from workbook.export.formats.exam import draw
from workbook.learning import contents
from workbook.site.handout import FLAGS


@pytest.fixture
def written(tmp_path):
    """written(*names, seed): the sheet and its answers."""

    def write(*names, seed="1"):
        assert main(["exam", *names, "--seed", seed, "--to", str(tmp_path)]) == 0
        return [(tmp_path / f"exam-{seed}{kind}.html").read_text("utf-8") for kind in ("", "-answers")]

    return write


def test_neighbours_share_no_task_with_one_another_or_with_the_pages():
    one, other = ({item.key: item for item in draw(chapter_packages(), seed)} for seed in (8, 9))
    assert list(one) == list(other)
    for key, item in one.items():
        near = other[key], contents(key[:2])[key]
        assert (item.context, item.task) not in [(known.context, known.task) for known in near]


def test_the_same_command_writes_the_same_files_and_another_seed_others(written):
    first, again, other = (written("2", "03/centre", "02/aside", seed=seed) for seed in "112")
    assert first == again
    assert not set(first) & set(other)


def test_every_exercise_for_paper_is_there_once_and_its_answer_is_right_and_apart(written):
    sheet, answers = written(*chapter_packages(), "02/laplace")
    items = [item for chapter in chapter_packages() for item in contents(chapter).values() if hasattr(item, "solution")]
    alone = {item.key for item in items if item.evaluate or not item.parameters} | {"11/all-twelve"}  # asks for a table
    drawn = draw(chapter_packages(), 1)
    assert [item.key for item in drawn] == [item.key for item in items if item.key not in alone]
    assert sheet.count('class="room"') == sheet.count("____ of 4 points") == len(drawn)
    sheet, *parts = (" ".join(unescape(re.sub("<[^>]+>", " ", page)).split())
                     for page in (sheet, *answers.split("<section>")[1:]))  # fmt: skip
    assert f"Points of {4 * len(drawn)} Show" in sheet
    read = 0
    for item, part, html in zip(drawn, parts, answers.split("<section>")[1:], strict=True):
        (number,) = re.findall(r"<b>(?:[\d/]+ = )?(.+)</b>", html)
        assert item.check(number.replace("−", "-").replace(",", "")).correct, item.key
        if way := read_way(html):
            exec(item.solution, python := {})
            assert way["answer"] == pytest.approx(float(python["answer"]), rel=1e-12), "what is written is what it does"
        read += bool(way)
        for said in (item.key, *(mistake.hint for mistake in item.mistakes)):
            assert " ".join(said.split()) in part
            assert " ".join(said.split()) not in sheet
    assert read > 0.5 * len(drawn), "the others sum over lists, or have no other line"


def read_way(html):
    """Compute what the way to an answer says, line by line; nothing if it has lists."""
    way = unescape(re.search("</b></p><pre>(.+?)</pre>", html, re.S)[1])
    assert not re.search(r"import|Fraction|np\.|log\(", way), "it is not Python"
    if "[" in way or "(11" in way:
        return {}
    assert "*" not in way
    names = dict(log=np.log, exp=np.exp, sqrt=np.sqrt)
    for sign, python in {"<sup>(.+?)</sup>": r"**(\1)", " —.+|^—.+": "", "·": "*", "−": "-", r"\bln": "log",
                         r"(?<=\w) (?=\w)": "_"}.items():  # fmt: skip
        way = re.sub(sign, python, way, flags=re.M)
    for equation in filter(None, re.split(r"\n+|, ", way)):
        name, _, value = equation.partition(" = ")
        names[name.strip()] = eval(value, dict(names))
    return names


@pytest.mark.skipif(not chromium(), reason="prints with a browser of the reader's")
def test_two_exercises_fit_on_a_sheet_of_paper_under_the_head_too(written, tmp_path):
    written("2", "03/centre", "8/diagonal")
    file = tmp_path / "exam.pdf"
    command = [chromium(), *FLAGS, f"--user-data-dir={tmp_path}", f"--print-to-pdf={file}", tmp_path / "exam-1.html"]
    subprocess.run(command, check=True, capture_output=True)
    assert len(re.findall(rb"/Type /Page\b", file.read_bytes())) == 3

"""`run.py export`: what it is told, what it says, what it writes."""

import os
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest

from tools import export, verbs


@pytest.mark.parametrize(("args", "arguments"), [
    (["moodle"], ["moodle", "export", *(f"{n:02}" for n in range(13))]),
    (["qti", "2", "02", "11", "--to", "there"], ["qti", "there", "02", "11"]),
    (["anki", "--to", "there", "5"], ["anki", "there", "05"]),
])
def test_a_format_chapters_and_a_folder(args, arguments):
    form, folder, *chapters = arguments
    there = str(verbs.ROOT / "export") if folder == "export" else os.path.abspath(folder)
    assert verbs.export_arguments(args) == [form, there, *chapters]


@pytest.mark.parametrize(("args", "words"), [
    ([], "export takes anki, moodle or qti"),
    (["canvas"], "export takes anki, moodle or qti"),
    (["moodle", "--zip"], "export takes anki, moodle or qti"),
    (["moodle", "--to"], "export takes anki, moodle or qti"),
    (["moodle", "77"], "there is no notebook 77; the book has: 00, 01"),
    (["moodle", "A"], "chapter A asks nothing; these do: 00, 01"),
    (["moodle", "02", "--to", "README.md"], "README.md is a file: say a folder after --to"),
])
def test_what_it_cannot_do_is_one_sentence_before_anything_is_installed(monkeypatch, capsys, args, words):
    monkeypatch.setattr(verbs, "ensure", lambda lock: pytest.fail("installs"))
    monkeypatch.chdir(verbs.ROOT)
    assert verbs.main(["export", *args]) == 1
    said = capsys.readouterr().err.strip()
    assert said.startswith(f"run.py: {words}")
    assert "\n" not in said


def test_a_learners_environment_is_enough(monkeypatch):
    ensured, ran = [], []
    monkeypatch.setattr(verbs, "ensure", ensured.append)
    monkeypatch.setattr(verbs, "run", lambda arguments, env: ran.append(arguments) or 3)
    assert verbs.main(["export", "qti", "1", "--to", "there"]) == 3
    assert ensured == ["book"]
    assert ran == [["-m", "tools.export", "qti", os.path.abspath("there"), "01"]]


def test_a_file_a_chapter_with_a_line_each_and_what_stays_at_home(tmp_path, capsys):
    assert export.main("moodle", str(tmp_path / "new" / "folder"), "00", "03") == 0
    assert export.main("qti", str(tmp_path), "00") == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("chapter 00: 11 questions, ")
    assert said[0].endswith(" kB, naive-bayes-00.xml")
    assert said[2] == "23 questions. Left out: 4 in code, 2 drawn."
    assert said[3].startswith(f"Written to {tmp_path / 'new' / 'folder'}. In Moodle: Question bank, Import")
    for number, count in (("00", 12), ("03", 13)):  # and the category
        root = ElementTree.parse(tmp_path / "new" / "folder" / f"naive-bayes-{number}.xml").getroot()
        assert len(root) == count
    with ZipFile(tmp_path / "naive-bayes-00.zip") as package:
        assert "imsmanifest.xml" in package.namelist()


def test_all_cards_in_one_file(tmp_path, capsys):
    assert export.main("anki", str(tmp_path), "00", "05") == 0
    said = capsys.readouterr().out.splitlines()
    assert said[:2] == ["chapter 00: 7 cards", "chapter 05: 13 cards"]
    assert said[2] == "20 cards, naive-bayes-anki.txt"
    lines = (tmp_path / "naive-bayes-anki.txt").read_text("utf-8").splitlines()
    assert sum(not line.startswith("#") for line in lines) == 20

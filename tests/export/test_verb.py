"""`run.py export`: what it is told, what it says, what it writes."""

from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest

from workbook.export import __main__ as export
from workbook.home import ROOT


@pytest.mark.parametrize(("args", "folder", "chapters"), [
    (["moodle"], ROOT / "export", [f"{n:02}" for n in range(13)]),
    (["qti", "2", "02", "11", "--to", "there"], Path("there"), ["02", "11"]),
    (["anki", "--to", "there", "5"], Path("there"), ["05"]),
])
def test_a_format_chapters_and_a_folder(monkeypatch, capsys, args, folder, chapters):
    written = []
    module = SimpleNamespace(HOW="So.", write=lambda *arguments: written.append(arguments) or [])
    monkeypatch.setattr(export, "import_module", lambda name: module)
    monkeypatch.setattr(Path, "mkdir", lambda *_, **__: None)
    assert export.main(args) == 0
    assert written == [(folder, chapters)]


@pytest.mark.parametrize(("args", "words"), [
    ([], "required: format"), (["canvas"], "invalid choice: 'canvas'"),
    (["moodle", "--zip"], "unrecognized arguments: --zip"), (["moodle", "--to"], "expected one argument"),
    (["moodle", "77"], "chapter 77 asks nothing; these do: 00, 01"),
    (["moodle", "A"], "chapter 0A asks nothing; these do: 00, 01"),
    (["moodle", "02/laplace"], "chapter 02/laplace asks nothing"), (["qti", "2", "--seed", "1"], "no other format"),
    (["exam"], "say which chapters or exercises: export exam 02 03/centre --seed 1"),
    (["exam", "2"], "exam needs --seed S, a whole number"), (["exam", "2", "--seed", "x"], "invalid int value: 'x'"),
    (["exam", "77", "--seed", "1"], "chapter 77 asks nothing"),
    (["exam", "2/lapalce", "--seed", "1"], "02/lapalce is no exercise to compute on paper; chapter 02 has: 02/laplace"),
    (["exam", "01/from-logs", "--seed", "1"], "01/from-logs is no exercise to compute on paper"),
])
def test_what_it_cannot_do_is_a_sentence(capsys, args, words):
    with pytest.raises(SystemExit):
        export.main(args)
    assert words in capsys.readouterr().err


def test_a_file_in_the_folders_place_is_a_sentence(tmp_path, capsys):
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(SystemExit):
        export.main(["anki", "00", "--to", str(tmp_path / "taken")])
    assert "is a file: say a folder" in capsys.readouterr().err


def test_a_file_a_chapter_with_a_line_each_and_what_stays_at_home(tmp_path, capsys):
    assert export.main(["moodle", "00", "03", "--to", str(tmp_path / "new" / "folder")]) == 0
    assert export.main(["qti", "00", "--to", str(tmp_path)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("chapter 00: 7 questions, ")
    assert said[0].endswith(" kB, naive-bayes-00.xml")
    assert said[2] == "23 questions. Left out: 0 in code, 2 drawn."
    assert said[3].startswith(f"Written to {tmp_path / 'new' / 'folder'}. In Moodle: Question bank, Import")
    for number, count in (("00", 8), ("03", 17)):  # and the category
        root = ElementTree.parse(tmp_path / "new" / "folder" / f"naive-bayes-{number}.xml").getroot()
        assert len(root) == count
    with ZipFile(tmp_path / "naive-bayes-00.zip") as package:
        assert "imsmanifest.xml" in package.namelist()


def test_all_cards_in_one_file(tmp_path, capsys):
    assert export.main(["anki", "00", "05", "--to", str(tmp_path)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[:2] == ["chapter 00: 5 cards", "chapter 05: 9 cards"]
    assert said[2] == "14 cards, naive-bayes-anki.txt"
    lines = (tmp_path / "naive-bayes-anki.txt").read_text("utf-8").splitlines()
    assert sum(not line.startswith("#") for line in lines) == 14

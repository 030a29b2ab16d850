"""Predictions and exercises as data for the page: written for every chapter, complete, and strictly JSON."""

import json
from base64 import b64decode

import pytest

from workbook.chapters import chapter_packages
from workbook.learning import contents
from workbook.questions.progress import answers
from workbook.site.player import questions

FEW = {"00": ["00/positive", "00/negative", "00/two-tests"], "01": ["01/from-logs"], "03": ["03/two-values"]}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder, said = tmp_path_factory.mktemp("site"), []
    few = {chapter: {key: contents(chapter)[key] for key in FEW.get(chapter, ())} for chapter in chapter_packages()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(questions, "contents", few.get)
        patch.setattr(questions, "pages", lambda chapter: {chapter: few[chapter]})
        patch.setenv("NBCORE_PROGRESS", str(folder / "progress.json"))
        questions.write(folder, said.append)
        assert answers() == [], "nobody has answered"
    return folder / "questions", said


def read(path, call):
    text = path.read_text(encoding="utf-8")
    assert text.startswith(call)
    return json.loads(text.removeprefix(f"{call}(").removesuffix(");\n"))


def test_each_chapter_that_asks_has_its_file(written):
    folder, said = written
    assert {path.name for path in folder.iterdir()} == {"contents.js", *(f"{chapter}.js" for chapter in FEW)}
    assert [line.split(":")[0] for line in said] == [f"questions of chapter {chapter}" for chapter in FEW]
    for chapter, keys in FEW.items():
        assert list(read(folder / f"{chapter}.js", "NB.questions")) == keys
    listed = read(folder / "contents.js", "NB.contents")
    assert list(listed) == list(chapter_packages())
    assert listed["00"] == [["00/positive", "00/two-tests"], ["00/negative"], []]
    assert listed["01"] == [[], ["01/from-logs"], ["01/from-logs"]]


def test_what_answers_a_question_is_not_readable_at_a_glance(written):
    kinds = set()
    for chapter, keys in FEW.items():
        found = read(written[0] / f"{chapter}.js", "NB.questions")
        for key in keys:
            item, told = contents(chapter)[key], found[key]
            kinds.add(told["kind"])
            hidden = json.loads(b64decode(told["hidden"]))
            secrets = {"right", "truth", "verdicts", "solution", "computed", "rules", "hints", "reason"}
            assert set(hidden) & secrets
            assert not set(told) & secrets
            assert (item.question if told["kind"] in ("choice", "guess", "drawn") else item.task) in told["text"]
    assert kinds == {"choice", "guess", "drawn", "number", "code"}


def test_a_slip_that_cannot_be_a_number_would_stop_the_build():
    with pytest.raises(ValueError, match="not JSON compliant"):
        questions._encode_hidden({"expected": float("nan")})

"""A lecturer's own file: what it may say, and the sentence for each mistake."""

import pytest

from workbook.lectures import LectureError, find, known, read

GOOD = """
title = "Mine"

[[scene]]
minutes = 4
vote = "02/overcast"

[[scene]]
minutes = 2.5
explorer = "SmoothingExplorer"
preset = "Overcast day: a veto"
state = { alpha = 1 }
say = "One vote each."
"""


def written(folder, text):
    path = folder / "mine.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_file_of_ones_own_is_a_lecture(tmp_path):
    lecture = find(str(written(tmp_path, GOOD)))
    assert (lecture.name, lecture.title, lecture.minutes, len(lecture.scenes)) == ("mine", "Mine", 6.5, 2)
    vote, shown = lecture.scenes
    assert vote.question.key == "02/overcast"
    preset = shown.kind().preset(shown.preset).state
    assert shown.find_state() == preset | {"alpha": 1}
    assert preset["alpha"] != 1


WRONG = {  # in place of a text of GOOD another, and what is said then
    "unknown": ("say =", "speak =", "speak is none of minutes, vote, explorer"),
    "minutes": ("minutes = 4", "minutes = 0", "minutes = 0 is not a number above 0"),
    "no minutes": ("minutes = 4", "", "minutes = None is not"),
    "both": ('vote = "02/overcast"', 'vote = "02/overcast"\nexplorer = "SmoothingExplorer"', "either vote"),
    "neither": ('vote = "02/overcast"', "", "either vote"),
    "key": ("02/overcast", "02/overcost", "vote = '02/overcost' is none of the questions with options: 02/overcast"),
    "chapter": ("02/overcast", "overcast", "options: 00/positive, "),
    "no options": ("02/overcast", "02/thousand", "vote = '02/thousand' is none of"),
    "room": ('vote = "02/overcast"', 'room = "01"', "chapters 02, 03, 06 have"),
    "explorer": ("SmoothingExplorer", "SmoothExplorer", "is none of AdditiveExplorer"),
    "preset": ("Overcast day: a veto", "Overcast", "SmoothingExplorer has Gloria"),
    "control": ("alpha = 1", "beta = 1", "beta is no control of SmoothingExplorer: alpha"),
    "value": ("alpha = 1", "alpha = -1", "alpha"),
    "text": ('"One vote each."', "1", "say = 1 is not a text"),
    "table": ("{ alpha = 1 }", '"alpha"', "is not a table"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_gets_a_sentence_with_its_scene(tmp_path, name):
    old, new, said = WRONG[name]
    assert old in GOOD
    with pytest.raises(LectureError, match=r"mine\.toml, scene [12]: ") as problem:
        read(written(tmp_path, GOOD.replace(old, new, 1)))
    assert said in str(problem.value)


NONE = ["", "title = 1", 'title = "x"', 'title = "x"\nscene = []', 'title = "x"\nmore = 1' + GOOD[15:]]


@pytest.mark.parametrize("text", NONE)
def test_a_file_without_scenes_is_none(tmp_path, text):
    with pytest.raises(LectureError, match="needs a line title"):
        read(written(tmp_path, text))


def test_what_cannot_be_read_gets_a_sentence(tmp_path):
    with pytest.raises(LectureError, match=r"mine.toml is not TOML: .*line 1.* A text begins and ends with a quote"):
        read(written(tmp_path, 'title = "Zeros\n'))
    with pytest.raises(LectureError, match="cannot be read"):
        read(tmp_path / "none.toml")
    with pytest.raises(LectureError, match=f"there are {', '.join(known())}, or a file"):
        find("13")
    assert find("2") == find("02")

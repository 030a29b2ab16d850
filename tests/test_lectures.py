"""The two lectures: presets that there are, and questions that a room can vote on before it sees more."""

import re
from pathlib import Path

import pytest

from workbook import explorers
from workbook.lectures import LENGTHS, scenes

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
SCENES = [scene for _, scene in scenes(max(LENGTHS))]
ALOUD = 2.4  # words a second, of somebody who takes time


def page(scene):
    (path,) = NOTEBOOKS.glob(f"{scene.chapter}_*.ipynb")
    return path.read_text("utf-8")


@pytest.mark.parametrize("length", LENGTHS)
def test_the_minutes_go_up_and_leave_time_for_the_last_scene(length):
    minutes = [minute for minute, _ in scenes(length)]
    assert minutes == sorted(set(minutes))
    assert minutes[0] == 0
    assert length - 8 <= minutes[-1] < length


def test_the_long_lecture_has_every_scene():
    assert [scene for _, scene in scenes(45) if scene not in SCENES] == []


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.preset)
def test_its_preset_is_on_its_page_and_its_sentence_is_said_in_ten_seconds(scene):
    assert f"{scene.explorer}(" in page(scene)
    assert scene.preset in getattr(explorers, scene.explorer).presets
    assert len(scene.say.split()) / ALOUD < 10


@pytest.mark.parametrize("scene", [scene for scene in SCENES if scene.ask], ids=lambda scene: scene.ask)
def test_its_question_stands_on_the_same_page_and_has_options(scene):
    assert re.search(rf'predict\(\\"{scene.ask}\\"\)', page(scene))
    assert scene.question.room().options


def test_no_question_is_asked_twice():
    asked = [scene.ask for scene in SCENES if scene.ask]
    assert len(asked) == len(set(asked)) > len(SCENES) / 2

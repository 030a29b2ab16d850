"""The figures of the room's own data, against counts made in another way."""

import json
from fractions import Fraction

import numpy as np
import pytest
from sklearn.metrics import accuracy_score

from nbcore.datasets import load_hair_eye_color
from workbook.chapters import chapter_module
from workbook.chapters.names import names_split
from workbook.draw import as_text

ROOMS = {number: chapter_module(number, "room") for number in ("02", "03", "06")}


@pytest.mark.parametrize("number", ROOMS)
def test_an_empty_room_has_a_figure(number):
    frame = ROOMS[number].ROOM.frame({})
    assert json.loads(json.dumps(as_text(frame)))["figure"]["data"]
    assert frame["sentence"].endswith("Cells of fewer than 3 are left out.")
    assert "  " not in frame["sentence"]


def test_letters_are_smoothed_as_laplace_would():
    counts = {(0,): 5, (9,): 4}
    shares = ROOMS["02"].smoothed(counts)
    exact = [Fraction(counts.get((k,), 0) + 1, 9 + 26) for k in range(26)]
    assert shares == pytest.approx([float(share) for share in exact])
    sentence = ROOMS["02"].ROOM.frame(counts)["sentence"]
    assert sentence.startswith("24 of 26 letters have fewer than 3 names in this room. A letter that none of these 9 ")
    assert f"{1 / 35:.1%}" in sentence
    assert ROOMS["02"].ROOM.frame({})["sentence"].startswith("No letter has 3 names from this room yet.")
    ticks = ROOMS["02"].draw({(0,): 90})["layout"]["yaxis"]["tickvals"]
    assert 4 < len(ticks) < 12
    assert all(isinstance(tick, int) for tick in ticks), "there is no half name"


def test_the_students_beside_the_room_are_those_of_the_table():
    students = load_hair_eye_color()
    hairs, eyes = (np.array(names)[students.data[:, at]] for at, names in enumerate(students.categories[:2]))
    sentence = ROOMS["03"].ROOM.frame({(0, 1): 3, (1, 1): 9, (0, 2): 4})["sentence"]
    assert f"Blue eyes: 3 of 12 are blond, {np.mean(hairs[eyes == 'Blue'] == 'Blond'):.0%} of the students." in sentence
    assert "Hazel" not in sentence, "of the others with hazel eyes too few are shown"


def test_naive_bayes_is_surer_than_right_and_the_room_is_summed_up():
    part = names_split(5).test
    counts = ROOMS["06"].naive_counts()
    right = sum(n for (_, is_right), n in counts.items() if is_right)
    said = np.array(names_split(5).classes)[(part.evidence[0] + part.evidence[1]).argmax(axis=1)]
    truth = np.array(names_split(5).classes)[part.y]
    assert right / sum(counts.values()) == pytest.approx(accuracy_score(truth, said), abs=0.01)
    assert ROOMS["06"].ROOM.frame({(5, 1): 3, (5, 0): 3, (0, 1): 3})["sentence"].startswith(
        "This room was 100% sure and 50% right. Naive Bayes on names: 97% sure and 88% right."
    )

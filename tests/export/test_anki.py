"""Cards as Anki's text import reads them."""

import csv

import pytest

from workbook.chapters import chapter_packages
from workbook.export.formats.anki import HOW, cards, deck
from workbook.learning import contents
from workbook.questions.predictions import Prediction


@pytest.fixture(scope="module")
def read():
    """(header lines, rows) of the chapters 00 and 03."""
    lines = deck([*cards("00"), *cards("03")]).splitlines()
    head = [line for line in lines if line.startswith("#")]
    return head, list(csv.reader(lines[len(head) :], delimiter="\t", strict=True))


def test_the_header_says_what_each_column_is(read):
    """It names no field: an Anki of another language has no "Basic", passes over the name, and its reader chooses."""
    assert read[0] == [
        "#separator:tab", "#html:true", "#guid column:1", "#notetype:Basic", "#deck column:2", "#tags column:5"
    ]  # fmt: skip
    assert "note type Basic or what your language calls it" in HOW


def test_each_prediction_and_the_takeaway_is_a_card_of_its_own(read):
    asked = [key for c in ("00", "03") for key, item in contents(c).items() if isinstance(item, Prediction)]
    guids = [row[0] for row in read[1]]
    assert {len(row) for row in read[1]} == {5}
    assert sorted(guids) == sorted(f"nbw-{key}" for key in (*asked, "00/takeaway", "03/takeaway"))
    assert read[1][0][1] == "Naive Bayes Workbook::00 A positive test"


def test_the_front_asks_and_only_the_back_answers(read):
    _, _, front, back, tags = read[1][0]
    assert front.startswith("<p>One person in a hundred is ill.")
    assert "<li>about 8 %</li>" in front
    assert "0.0776" not in front
    assert back.startswith("<p>Computed: about 8 %. It is 0.0776.")
    assert tags.split() == ["naive-bayes-workbook", "chapter-00", "prediction"]


def test_a_prediction_that_is_drawn_becomes_a_gap(read):
    (row,) = [row for row in read[1] if row[0] == "nbw-00/two-tests"]
    assert "after one: 0.078, after two: ____" in row[2]
    assert "after two: 0.412" in row[3]


NEEDED = {
    "01/sample": "5.92 ft, 165 lb", "02/thousand": "five of them No", "08/additive": "(5, 5)",
    "09/two-each": "Bernoulli naive Bayes", "10/useless": "52 bits", "12/filled": "Chinstrap 68",
    "02/unseen-word": "<br>    return {word:",
}  # fmt: skip


def test_a_card_has_what_it_needs_of_its_page_and_is_one_line():
    lines = [line for chapter in chapter_packages() for line in deck(cards(chapter)).splitlines()[6:]]
    rows = {row[0]: row for row in csv.reader(lines, "excel-tab")}
    fronts = {key: rows[f"nbw-{key}"][2] for key in NEEDED}
    assert {key: words for key, words in NEEDED.items() if words not in fronts[key]} == {}
    assert fronts["02/unseen-word"].startswith('<pre style="white-space: pre-wrap">def fit_')


def test_a_takeaway_keeps_its_formula(read):
    (row,) = [row for row in read[1] if row[0] == "nbw-03/takeaway"]
    assert r"by the ratio of \(Q^{-j}\)" in row[3]
    assert "$" not in row[3]
    assert "**" not in row[3]

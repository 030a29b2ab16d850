"""Cards as Anki's text import reads them."""

import pytest

from tests.export import readers
from workbook.chapters import chapter_packages
from workbook.export.formats.anki import HOW, cards, deck
from workbook.learning import contents
from workbook.questions.predictions import Prediction


@pytest.fixture(scope="module")
def read():
    """(headers, rows) of the chapters 00 and 03."""
    return readers.anki(deck([*cards("00"), *cards("03")]))


def test_the_header_says_what_each_column_is(read):
    """It names no field: an Anki of another language has no "Basic", passes over the name, and its reader chooses."""
    assert read[0] == {
        "separator": "tab", "html": "true", "notetype": "Basic", "guid column": "1", "deck column": "2",
        "tags column": "5",
    }  # fmt: skip
    assert "note type Basic or what your language calls it" in HOW


def test_each_prediction_and_the_takeaway_is_a_card_of_its_own(read):
    asked = [key for c in ("00", "03") for key, item in contents(c).items() if isinstance(item, Prediction)]
    guids = [row[0] for row in read[1]]
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
    rows = {row[0]: row for chapter in chapter_packages() for row in readers.anki(deck(cards(chapter)))[1]}
    fronts = {key: rows[f"nbw-{key}"][2] for key in NEEDED}
    assert {key: words for key, words in NEEDED.items() if words not in fronts[key]} == {}
    assert fronts["02/unseen-word"].startswith('<pre style="white-space: pre-wrap">def fit_')


def test_a_takeaway_keeps_its_formula(read):
    (row,) = [row for row in read[1] if row[0] == "nbw-03/takeaway"]
    assert r"by the ratio of \(Q^{-j}\)" in row[3]
    assert "$" not in row[3]
    assert "**" not in row[3]


IMPORT = """
import sys
from anki.collection import Collection, ImportCsvRequest
cards, place = sys.argv[1:]
collection = Collection(place)
for _ in range(2):
    collection.import_csv(ImportCsvRequest(path=cards, metadata=collection.get_csv_metadata(cards, None)))
    print(collection.card_count())
for note in map(collection.get_note, collection.find_notes("")):
    deck = collection.decks.name(note.cards()[0].did)
    print(note.guid, deck, note["Front"], note["Back"], " ".join(sorted(note.tags)), sep="\\t")
"""


@pytest.mark.slow
def test_a_real_anki_takes_every_card_and_takes_none_twice(tmp_path):
    text = deck(card for chapter in chapter_packages() for card in cards(chapter))
    (tmp_path / "cards.txt").write_text(text, "utf-8")
    said = readers.run_with("anki==26.9.3", tmp_path / "anki", IMPORT, tmp_path / "cards.txt", tmp_path / "new.anki2")
    first, again, *notes = said.splitlines()
    rows = readers.anki(text)[1]
    assert int(first) == int(again) == len(rows)
    wanted = ["\t".join([*row[:4], " ".join(sorted(row[4].split()))]) for row in rows]
    assert sorted(notes) == sorted(wanted)

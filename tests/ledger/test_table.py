"""The numbers of claims in words, and claims found by words."""

import re

import pytest

from workbook.book import ledger
from workbook.ledger.claim import Claim, Measured
from workbook.ledger.table import say_ours, say_stated, select_claims


def make(found=None, **changes):
    good = dict(
        id="W-HERE-01",
        place="<b>here</b>",
        quote="<u>quoted</u>",
        statement="a < b & <script>x</script>",
        stated=None,
        ours=lambda: found,
        verdict="differs",
        reading="fixed",
        chapter="01_naive_bayes",
        note="since <u>so</u>",
    )
    return Claim(**{**good, **changes})


def test_numbers_have_the_digits_they_deserve():
    assert say_ours(make(Measured(1 / 3))) == "0.333"
    assert say_ours(make(Measured(-3e-13))) == "0"
    assert say_ours(make(Measured((0.0, 12345.0, 0.25)))) == "0, 12345, 0.25"
    assert say_ours(make(Measured(1391.4))) == "1391"
    assert say_ours(make(Measured(0.7637, 0.71381, 0.8136, "run", 9))) == "0.764 (0.714 to 0.814)"
    assert say_ours(make(Measured((1, 2), (0, 1), (2, 3), "run", 9, 2))) == "1 (0 to 2); 2 (1 to 3)"
    assert say_ours(make(ours=None, verdict="not testable here")) == "none"
    printed = make(Measured(5.98674e-06), stated=5.9881e-06, rounding=5e-11)
    assert say_stated(printed) == "5.9881e-06"
    assert say_ours(printed) == "5.98674e-06"
    assert say_stated(make()) == "no number"


def test_no_number_that_is_only_rounding_is_shown():
    assert not re.search(r"e-1[0-9]\b", " ".join(say_ours(claim) for claim in ledger()))


def find(words):
    return select_claims(ledger(), words)


def test_claims_are_found_by_all_their_words():
    found = find("RMSE validated")
    assert len(found) >= 4
    assert all("validated" in f"{c.statement}{c.note}{c.quote}" for c in found)
    assert [c.id for c in find("c15-t1-03")] == ["C15-T1-03"]
    assert find("no such words at all") == ()
    assert list(find("")) == ledger()


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        ("table 2 r8", ["N16-T2-01", "N16-T2-02", "N16-T2-03", "N16-T2-04", "N16-S45-02"]),
        ("N16-T2 R8", ["N16-T2-01", "N16-T2-02", "N16-T2-03", "N16-T2-04"]),
        ("5.9881e-06", ["W-GEN-10"]),
        ("5001", ["C15-S5-01"]),
        ("5,001", ["C15-S5-01"]),
        ("71.5", ["C15-S52-01", "C15-S52-02", "C15-S52-03", "C15-S52-04"]),
    ],
)
def test_numbers_and_places_are_found(words, ids):
    assert [c.id for c in find(words)] == ids


def test_a_number_is_found_however_it_is_written_and_never_inside_another():
    found = {words: {c.id for c in find(words)} for words in (".964", "0.964", "96.4", "964", "96")}
    assert "N16-T2-04" in found[".964"] == found["0.964"]
    assert "N16-T2-04" in found["96.4"]
    assert not found["964"]
    assert "N16-T2-04" not in found["96"]


def test_words_are_found_at_their_beginning_only():
    tables = find("table")
    assert not [c.id for c in tables if not re.search(r"\b[Tt]able", f"{c.place} {c.statement} {c.note} {c.quote}")]
    assert len(tables) < len(ledger()) / 4
    ones = {c.id for c in find("table 1")}
    assert {f"C15-T1-0{n}" for n in range(1, 8)} <= ones
    assert not [name for name in ones if name.startswith(("C15-S5-", "W24", "W-"))]
    smooth, smoothing = ({c.id for c in find(word)} for word in ("smooth", "smoothing"))
    assert smoothing <= smooth

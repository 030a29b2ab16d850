"""The ledger as text and as a table."""

import re

import pytest
from bs4 import BeautifulSoup

from workbook.book import ledger, show_ledger
from workbook.ledger.claim import Claim, Measured
from workbook.ledger.numbers import deviations
from workbook.ledger.table import LedgerTable, say_number, say_ours, say_stated, say_verdict


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
    assert say_number(printed, 1 / 3) == "0.333333"
    assert say_stated(make()) == "no number"


def test_as_text_nothing_is_lost():
    shown = repr(show_ledger())
    assert shown.count("\n\n") == len(ledger()) - 1
    words = " ".join(shown.split())
    for claim in ledger():
        assert " ".join(claim.statement.split()) in words
        assert f"{claim.id} · {claim.source}, {claim.place}: {claim.verdict.upper()}" in words
        assert " ".join(claim.words.split()) in words
    assert max(len(line) for line in shown.splitlines()) <= 110
    assert repr(LedgerTable(())) == "No claims."


def test_no_number_that_is_only_rounding_is_shown():
    assert not re.search(r"e-1[0-9]\b", " ".join(say_ours(claim) for claim in ledger()))


def test_the_table_has_a_row_for_each_and_links_to_its_chapter():
    page = BeautifulSoup(show_ledger("Carlos (2015)", "not stated well enough")._repr_html_(), "html.parser")
    rows = page.select("tbody tr")
    chosen = ledger("Carlos (2015)", "not stated well enough")
    assert len(rows) == len(chosen) > 1
    for row, claim in zip(rows, chosen, strict=True):
        where, statement, stated, ours, verdict, chapter = row.select("td")
        assert where.text == f"{claim.id}{claim.source}, {claim.place}"
        assert statement.text == claim.words + claim.statement + claim.note
        assert (stated.text, ours.text) == (say_stated(claim), say_ours(claim))
        assert verdict.text == say_verdict(claim)
        assert verdict.text.startswith("not stated well enough, reading ")
        assert chapter.a["href"] == f"{claim.chapter}.ipynb"


def test_what_claims_say_is_text_and_no_markup():
    table = LedgerTable((make(Measured(0.5)),))._repr_html_()
    assert "<script>" not in table
    assert "<b>here" not in table
    assert "<u>" not in table
    cell = BeautifulSoup(table, "html.parser").select("td")[1]
    assert cell.text == "“<u>quoted</u>”a < b & <script>x</script>since <u>so</u>"


def test_it_is_searched_filtered_and_sorted():
    found = show_ledger("Carlos (2015)", words="RMSE validated").claims
    assert len(found) >= 4
    assert all("validated" in f"{c.statement}{c.note}{c.quote}" for c in found)
    assert [c.id for c in show_ledger(words="c15-t1-03").claims] == ["C15-T1-03"]
    assert {c.reading for c in show_ledger(reading="chosen").claims} == {"chosen"}
    far = [max((abs(d.units) for d in deviations(c)), default=-1) for c in show_ledger(sort="distance").claims]
    assert far == sorted(far, reverse=True)
    assert [c.id for c in show_ledger(sort="id").claims] == sorted(c.id for c in ledger())
    assert show_ledger(words="no such words at all").claims == ()
    with pytest.raises(ValueError, match="sort must be one of 'place', 'id'"):
        show_ledger(sort="size")
    with pytest.raises(ValueError, match="reading must be one of"):
        show_ledger(reading="free")


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
    assert [c.id for c in show_ledger(words=words).claims] == ids


def test_a_number_is_found_however_it_is_written_and_never_inside_another():
    found = {words: {c.id for c in show_ledger(words=words).claims} for words in (".964", "0.964", "96.4", "964", "96")}
    assert "N16-T2-04" in found[".964"] == found["0.964"]
    assert "N16-T2-04" in found["96.4"]
    assert not found["964"]
    assert "N16-T2-04" not in found["96"]


def test_words_are_found_at_their_beginning_only():
    tables = show_ledger(words="table").claims
    assert not [c.id for c in tables if not re.search(r"\b[Tt]able", f"{c.place} {c.statement} {c.note} {c.quote}")]
    assert len(tables) < len(show_ledger().claims) / 4
    ones = {c.id for c in show_ledger(words="table 1").claims}
    assert {f"C15-T1-0{n}" for n in range(1, 8)} <= ones
    assert not [name for name in ones if name.startswith(("C15-S5-", "W24", "W-"))]
    smooth, smoothing = ({c.id for c in show_ledger(words=word).claims} for word in ("smooth", "smoothing"))
    assert smoothing <= smooth


def test_in_brief_every_claim_has_a_line():
    table = show_ledger(brief=True)
    assert [line.split()[0] for line in repr(table).splitlines()] == [c.id for c in ledger()]
    assert max(map(len, repr(table).splitlines())) <= 110
    page = BeautifulSoup(table._repr_html_(), "html.parser")
    assert [row.td.text for row in page.select("tbody tr")] == [c.id for c in ledger()]
    assert len(table._repr_html_()) < 0.6 * len(show_ledger()._repr_html_())

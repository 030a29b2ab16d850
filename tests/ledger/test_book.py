"""The ledger is complete, its file is true, and its verdicts agree with its numbers."""

import json
from hashlib import sha256

import numpy as np
import pytest

from nbcore.datasets import fetchers
from tools import claims as tool
from workbook.book import counts, find, ledger
from workbook.chapters import chapter_module
from workbook.ledger.claim import SOURCES, VERDICTS, Claim, Measured
from workbook.ledger.numbers import CACHE, deviations, measured, stored_numbers

LEDGER = ledger()
STATED = [claim for claim in LEDGER if claim.stated is not None and claim.ours is not None]
BUDGET = 4.0  # seconds of CPU for the spot check


def by_key(claims):
    return pytest.mark.parametrize("claim", claims, ids=lambda claim: claim.id)


def make(**changes):
    good = dict(id="W-HERE-01", place="here", quote="something", statement="Something.", stated=0.5, reading="exact",
                ours=lambda: Measured(0.5, 0.4, 0.8, "run", 9), verdict="reproduced", chapter="01_naive_bayes")
    return Claim(**{**good, **changes})


# --- what stands in it ---------------------------------------------------------------------------------------------


def test_every_module_of_claims_is_in_it():
    written = sorted(path.parent.name for path in CACHE.parents[1].glob("chapters/*/claims.py"))
    assert len(written) >= 10
    entered = [claim for name in written for claim in chapter_module(name[1:3], "claims").CLAIMS]
    assert {claim.id for claim in entered} == {claim.id for claim in LEDGER}
    assert len(entered) == len(LEDGER)


def test_its_order_is_source_then_chapter():
    places = [(list(SOURCES).index(c.source), c.chapter) for c in LEDGER]
    assert places == sorted(places)
    assert len({claim.id for claim in LEDGER}) == len(LEDGER)
    assert len({claim.name for claim in LEDGER}) == len(LEDGER)


def test_it_filters():
    williams = ledger("Williams (2024)", "reproduced", "03_one_hot_pitfall")
    assert williams
    assert {(c.source, c.verdict, c.chapter) for c in williams} == {
        ("Williams (2024)", "reproduced", "03_one_hot_pitfall")
    }
    assert sum(sum(counts(source).values()) for source in SOURCES) == len(LEDGER) == sum(counts().values())
    assert list(counts()) == list(VERDICTS)
    with pytest.raises(ValueError, match=r"chapter must be one of '00_start_here', .*; got '03'"):
        ledger(chapter="03")
    with pytest.raises(ValueError, match=r"source must be one of .*; got 'Zhang'"):
        ledger("Zhang")


# --- the file ------------------------------------------------------------------------------------------------------


def test_every_number_in_the_file_is_that_of_a_claim():
    assert set(stored_numbers()) <= {claim.id for claim in LEDGER}, "run.py claims"
    assert CACHE.stat().st_size < 100_000
    assert list(stored_numbers()) == sorted(stored_numbers())


def test_no_claim_waits_for_a_corpus_or_a_long_computation(monkeypatch):
    """Whatever is not in the file is computed here, within seconds, and asks for no corpus."""

    def refuse(*_):
        raise AssertionError("it needs a corpus: run.py claims")

    monkeypatch.setattr(fetchers, "_fetch_quietly", refuse)
    for claim in LEDGER:
        if claim.ours is not None and claim.id not in stored_numbers():
            measured.__wrapped__(claim)


def sample():
    """Claims of the file, another lot whenever the file changes, as many as the budget of seconds allows."""
    content = CACHE.read_bytes()
    order = sorted(LEDGER, key=lambda claim: sha256(content + claim.id.encode()).digest())
    spent, chosen = 0.0, []
    for claim in order:
        there = stored_numbers().get(claim.id)
        if there and not there.corpus and spent + there.seconds <= BUDGET:
            spent += there.seconds
            chosen.append(claim)
    return chosen


@by_key(sample())
def test_a_stored_number_comes_out_again(claim):
    there, now = stored_numbers()[claim.id].measured, claim.measure()
    assert now.is_exact == there.is_exact
    for end in ("value", "low", "high"):
        if getattr(there, end) is not None:
            np.testing.assert_allclose(getattr(now, end), getattr(there, end), rtol=1e-3, atol=1e-9)


def test_a_number_from_the_papers_names_comes_out_again(papers_data):
    claim = find("C15-S5-03")
    there = stored_numbers()[claim.id]
    assert there.corpus
    np.testing.assert_allclose(claim.measure().value, there.measured.value, rtol=1e-5)


# --- verdicts and numbers ------------------------------------------------------------------------------------------


INSIDE = "reproduced", "matched by choice"
OUTSIDE = "within luck", "differs", "false"


@by_key([claim for claim in STATED if claim.verdict in INSIDE + OUTSIDE])
def test_the_verdict_agrees_with_the_number(claim):
    m = measured(claim)
    holds = m.agrees(claim.stated, claim.rounding)
    assert holds == (claim.verdict in INSIDE)
    if claim.verdict in ("within luck", "differs") and not m.is_exact:
        by_luck = m.agrees(claim.stated, claim.rounding, claim.family)
        assert by_luck == (claim.verdict == "within luck")


def test_a_family_has_as_many_claims_as_it_says():
    for family in {claim.family for claim in LEDGER} - {1}:
        members = [claim for claim in LEDGER if claim.family == family]
        places = {(claim.source, claim.place) for claim in members}
        assert len(members) == family * len(places), places


def test_one_claim_by_its_id():
    assert find("W24-S3-01").stated == 0.82
    with pytest.raises(ValueError, match="W24-S3-99"):
        find("W24-S3-99")


@by_key(STATED)
def test_deviations_say_the_same(claim):
    found = deviations(claim)
    assert len(found) == np.size(claim.stated)
    assert all(d.exact == measured(claim).is_exact for d in found)
    assert all(abs(d.units) <= 1 + 1e-9 for d in found) == measured(claim).agrees(claim.stated, claim.rounding)


def test_deviations_by_hand():
    def units(**changes):
        return [d.units for d in deviations(make(**changes))]

    assert units(stated=0.65) == [pytest.approx(0.5)]  # 0.15 of 0.3 upwards
    assert units(stated=0.35) == [pytest.approx(-1.5)]  # 0.15 of 0.1 downwards
    assert units(stated=0.35, rounding=0.05) == [pytest.approx(-1)]
    assert units(stated=0.52, rounding=0.05) == [0]
    assert units(ours=lambda: Measured(0.51), rounding=0.005) == [pytest.approx(-2)]
    assert units(ours=lambda: Measured(0.51)) == [pytest.approx(-0.01 / 5e-13)]
    assert units(ours=lambda: Measured(0.5), stated=0.0) == [-np.inf]
    assert units(stated=(1, 2), ours=lambda: Measured((1, 3), (0, 2), (2, 4), "run", 9, 2)) == [0, -1]
    assert units(stated=None) == []
    assert units(ours=None, verdict="not testable here", note="No data.") == []


# --- run.py claims -------------------------------------------------------------------------------------------------


@pytest.fixture
def small(monkeypatch, tmp_path):
    """Five claims and a file of their own: quick, not so quick, slow, with a missing corpus, without a number."""
    seconds = iter(range(1000))
    clock = {"now": 0.0}

    def slow(seconds=2):
        clock["now"] += seconds
        return Measured((1 / 3, 2), (0.25, 1), (0.5, 3), "run", 9, 2)

    def corpus():
        fetchers.fetch_file("names.zip")

    made = [
        make(id="W-HERE-00", statement="quick", ours=lambda: Measured(1), verdict="differs", note="it does"),
        make(id="W-HERE-01", statement="slow", ours=slow, stated=None),
        make(id="W-HERE-02", statement="brisk", ours=lambda: slow(0.2), stated=None),
        make(id="W-HERE-03", statement="corpus", ours=corpus, stated=None),
        make(id="W-HERE-04", statement="silent", ours=None, verdict="not testable here", note="No data."),
    ]
    monkeypatch.setattr("workbook.book.every_claim", lambda: made)
    monkeypatch.setattr("workbook.book.every_table", dict)
    monkeypatch.setattr(tool, "TABLES", tmp_path / "tables.json")
    monkeypatch.setattr(tool.time, "process_time", lambda: clock["now"] + 0.001 * next(seconds))
    monkeypatch.setattr(fetchers, "_fetch_quietly", lambda *_: (_ for _ in ()).throw(fetchers.OfflineError("no net")))
    monkeypatch.setattr(tool, "CACHE", tmp_path / "measured.json")
    monkeypatch.setattr("workbook.ledger.numbers.CACHE", tmp_path / "measured.json")
    stored_numbers.cache_clear()
    measured.cache_clear()
    yield tmp_path / "measured.json"
    stored_numbers.cache_clear()
    measured.cache_clear()


OLD = {"value": 7.0, "low": None, "high": None, "kind": "", "runs": None, "numbers": 1, "seconds": 1.0,
       "corpus": True}  # fmt: skip


def test_the_slow_ones_are_stored_and_the_missing_named(small, capsys):
    small.write_text(json.dumps({"W-HERE-03": OLD, "W-HERE-09": OLD}))
    assert tool.main([]) == 1
    file, said = json.loads(small.read_text()), capsys.readouterr().out
    assert set(file) == {"W-HERE-01", "W-HERE-03"}
    assert file["W-HERE-03"] == OLD
    assert file["W-HERE-01"] == {
        "value": [0.333333, 2.0], "low": [0.25, 1.0], "high": [0.5, 3.0], "kind": "run", "runs": 9, "numbers": 2,
        "seconds": 2.0, "corpus": False
    }  # fmt: skip
    assert "kept, since its corpus is missing: W-HERE-03" in said
    assert "2 numbers are stored (git diff shows what changed), 2 are computed" in said


def test_words_choose_and_what_changed_is_stored(small, capsys):
    small.write_text(json.dumps({"W-HERE-01": OLD | {"corpus": False}}))
    assert tool.main(["SLOW", "wiki"]) == 0
    said = capsys.readouterr().out
    assert "[1/1]" in said
    stored_numbers.cache_clear()
    assert measured(ledger()[1]).value == (0.333333, 2.0)


def test_what_takes_about_as_long_as_the_limit_stays_where_it_is(small):
    assert tool.main(["brisk"]) == 0
    assert not json.loads(small.read_text())
    small.write_text(json.dumps({"W-HERE-02": OLD}))
    stored_numbers.cache_clear()
    assert tool.main(["brisk"]) == 0
    assert json.loads(small.read_text())["W-HERE-02"]["seconds"] == 0.2


def test_tables_are_made_by_the_same_verb_and_kept_where_the_corpus_is_missing(small, monkeypatch, capsys):
    def corpus():
        fetchers.fetch_file("names.zip")

    makers = {"Words": lambda: {"share": [1 / 3], "words": [["said", 2]]}, "Names": corpus}
    monkeypatch.setattr("workbook.book.every_table", lambda: makers)
    file = small.with_name("tables.json")
    file.write_text(json.dumps({"Names": [1.5], "forgotten": [2]}))
    assert tool.main(["word"]) == 0
    assert json.loads(file.read_text()) == {"Names": [1.5], "Words": {"share": [0.333333], "words": [["said", 2]]}}
    assert "[table] Words ... made" in capsys.readouterr().out
    assert tool.main(["NAMES"]) == 1
    assert json.loads(file.read_text())["Names"] == [1.5]


def test_every_table_in_the_file_is_one_that_a_chapter_makes():
    from workbook.book import every_table
    from workbook.ledger.numbers import TABLES, table

    assert set(json.loads(TABLES.read_text(encoding="utf-8"))) == set(every_table()), "run.py claims"
    first = table("R8")
    first.clear()
    assert table("R8"), "a copy for each caller"


def test_what_other_claims_computed_does_not_count(monkeypatch):
    from workbook.chapters.c04_one_hot_experiments.experiment import _many, many_rates

    many_rates(3, 1.0, n_classifiers=100)
    assert _many.cache_info().currsize
    tool.clear_caches()
    assert not _many.cache_info().currsize

"""Claims keep what they are given and compute only when asked; and every claim of the book is well formed."""

import importlib

import numpy as np
import pytest

from workbook.chapters import flats, room
from workbook.ledger import ledger, measured
from workbook.ledger.claim import SOURCES, VERDICTS, Claim, Measured, together


def make(**changes):
    good = dict(
        source="Williams (2024)",
        place="section 3",
        statement="PoB is the more confident one.",
        stated=0.82,
        ours=lambda: Measured(0.764, 0.714, 0.814),
        verdict="differs",
        chapter="04_one_hot_experiments",
        note="A draw 2.2 standard deviations off.",
        rounding=0.0005,
    )
    return Claim(**{**good, **changes})


def test_a_claim_keeps_its_fields_and_cannot_change():
    claim = make(stated=(1, np.float64(0.5)))
    assert claim.stated == (1.0, 0.5)
    assert claim.name == "Williams (2024) | section 3 | PoB is the more confident one."
    with pytest.raises(AttributeError):
        claim.verdict = "reproduced"


def test_nothing_is_computed_before_it_is_asked_for():
    calls = []
    claim = make(ours=lambda: calls.append(1) or Measured(1))
    assert calls == []
    assert claim.measure() == Measured(1.0)
    assert calls == [1]


def test_what_numpy_measured_becomes_plain_numbers():
    m = Measured(np.array([1, 2]), [0, 1], (2, np.float64(3)))
    assert (m.value, m.low, m.high) == ((1.0, 2.0), (0.0, 1.0), (2.0, 3.0))
    assert {type(number) for number in (*m.value, Measured(np.float64(1)).value)} == {float}
    assert together(Measured(1, 0, 2), Measured(3, 2, 4)) == Measured((1, 3), (0, 2), (2, 4))


def test_agreement_with_an_interval_with_a_rounded_number_and_with_an_exact_one():
    assert Measured(0.5, 0.4, 0.6).agrees(0.6)
    assert not Measured(0.5, 0.4, 0.6).agrees(0.61)
    assert Measured(0.5, 0.4, 0.6).agrees(0.61, rounding=0.01)
    assert Measured(2 / 3).agrees(0.667, rounding=0.0005)
    assert not Measured(2 / 3).agrees(0.668, rounding=0.0005)
    assert Measured((1, 2), (0, 2), (3, 2)).agrees((3, 2))
    assert not Measured((1, 2), (0, 2), (3, 2)).agrees((3, 2.1))
    assert Measured(6.0).is_exact
    assert not Measured(6.0, 5, 7).is_exact
    with pytest.raises(ValueError, match=r"stated must be of the form of value, \(1.0, 3.0\); got 1"):
        Measured((1, 3)).agrees(1)


def test_a_claim_holds_or_not_or_says_nothing():
    assert make().holds() is False
    assert make(stated=0.8).holds() is True
    assert make(stated=None).holds() is None
    silent = make(ours=None, verdict="cannot be", note="The corpus is not public.")
    assert silent.holds() is None
    assert silent.measure() is None


# --- the claims of the book ----------------------------------------------------------------------------------------


def faults(claim, m):
    """What is wrong with a claim that was measured as m."""
    if claim.source not in SOURCES or claim.verdict not in VERDICTS:
        yield "source or verdict unknown"
    if not claim.place.strip() or not claim.statement.strip():
        yield "no place or no statement"
    if claim.verdict != "reproduced" and not claim.note.strip():
        yield "no reason"
    if claim.chapter not in {name.removeprefix("c") for name in flats().values()}:
        yield "no such chapter"
    if m is None and claim.verdict in VERDICTS[:2]:
        yield "nothing was measured"
    if not (np.isfinite(claim.rounding) and claim.rounding >= 0):
        yield "rounding"
    numbers = [part for part in (claim.stated, m and m.value, m and m.low, m and m.high) if part is not None]
    if len({np.shape(part) for part in numbers}) > 1:
        yield "shapes differ"
    elif not all(np.isfinite(part).all() and np.size(part) for part in numbers):
        yield "not a finite number"
    elif m and not m.is_exact and not np.all(np.less_equal(m.low, m.value) & np.less_equal(m.value, m.high)):
        yield "value outside its own interval"


@pytest.mark.parametrize("claim", ledger(), ids=lambda claim: f"{claim.chapter[:2]}-{claim.statement[:40]}")
def test_every_claim_is_well_formed(claim):
    assert not list(faults(claim, measured(claim)))


@pytest.mark.parametrize(
    ("changes", "m", "fault"),
    [
        (dict(source="Zhang (2004)"), Measured(1), "source or verdict unknown"),
        (dict(statement=" "), Measured(1), "no place or no statement"),
        (dict(note=""), Measured(1), "no reason"),
        (dict(chapter="04"), Measured(1), "no such chapter"),
        ({}, None, "nothing was measured"),
        (dict(rounding=-0.1), Measured(1), "rounding"),
        (dict(stated=(1, 2)), Measured(1), "shapes differ"),
        (dict(stated=np.nan), Measured(1), "not a finite number"),
        ({}, Measured((), (), ()), "shapes differ"),
        ({}, Measured(1, 2, 3), "value outside its own interval"),
        ({}, Measured(0.764, 0.714, 0.814), None),
    ],
)
def test_the_test_finds_what_is_wrong(changes, m, fault):
    assert list(faults(make(**changes), m)) == ([fault] if fault else [])


@pytest.mark.parametrize("number", [number for number in flats() if room(number, "claims")])
def test_claims_can_be_reloaded(number):
    claims = room(number, "claims")
    before = [claim.name for claim in claims.CLAIMS]
    assert [claim.name for claim in importlib.reload(claims).CLAIMS] == before

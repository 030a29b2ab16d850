"""The ledger keeps what it is given, refuses what makes no sense, and computes only when asked."""

import re
from math import inf, nan
from pathlib import Path

import numpy as np
import pytest

import workbook.ledger.claim as ledger
from workbook.ledger.claim import CHAPTERS, Claim, Measured

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"


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


@pytest.fixture
def empty_ledger(monkeypatch):
    monkeypatch.setattr(ledger, "_REGISTRY", [])


def test_a_claim_keeps_its_fields_and_cannot_change():
    claim = make(stated=(1, np.float64(0.5)))
    assert claim.stated == (1.0, 0.5)
    assert claim.key == ("Williams (2024)", "section 3", "PoB is the more confident one.")
    with pytest.raises(AttributeError):
        claim.verdict = "reproduced"


def test_nothing_is_computed_before_it_is_asked_for():
    calls = []
    claim = make(ours=lambda: calls.append(1) or Measured(1))
    assert calls == []
    assert claim.measure() == Measured(1.0)
    assert calls == [1]


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


def test_a_claim_holds_or_not_or_says_nothing():
    assert make().holds() is False
    assert make(stated=0.8).holds() is True
    assert make(stated=None).holds() is None
    silent = make(ours=None, verdict="cannot be", note="The corpus is not public.")
    assert silent.holds() is None
    assert silent.measure() is None


def test_chapters_are_the_notebooks():
    assert {path.stem for path in NOTEBOOKS.glob("*.ipynb")} <= set(CHAPTERS)
    assert [chapter[:3] for chapter in CHAPTERS] == [f"{number:02}_" for number in range(12)]


BAD = [
    (lambda: make(source="Zhang (2004)"), "source must be one of 'Wikipedia', .*; got 'Zhang (2004)'."),
    (lambda: make(source=None), "source must be one of .*; got None."),
    (lambda: make(source=["Wikipedia"]), r"source must be one of .*; got \['Wikipedia'\]."),
    (lambda: make(place=""), "place must be a str that is not empty; got ''."),
    (lambda: make(place=20), "place must be a str that is not empty; got 20."),
    (lambda: make(statement=" "), "statement must be a str that is not empty; got ' '."),
    (lambda: make(stated="much"), "stated must be a finite number, or a tuple of them; got 'much'."),
    (lambda: make(stated=nan), "stated must be a finite number, .*; got nan."),
    (lambda: make(stated=(1, inf)), "stated must be a finite number, .*; got inf."),
    (lambda: make(stated=True), "stated must be a finite number, .*; got True."),
    (lambda: make(stated=()), r"stated must be a finite number, or a tuple of one or more; got \(\)."),
    (lambda: make(ours=0.764), "ours must be a callable .*; got 0.764."),
    (lambda: make(ours=None), 'ours must be a callable .*None only if .*"cannot be".*; got None.'),
    (lambda: make(verdict="true"), "verdict must be one of 'reproduced', 'differs', .*; got 'true'."),
    (lambda: make(chapter="04"), "chapter must be one of '00_start_here', .*; got '04'."),
    (lambda: make(note=None), "note must be a str; got None."),
    (lambda: make(note=" "), "note must be the reason, since the verdict is 'differs'; got ' '."),
    (lambda: make(rounding=-0.1), "rounding must be a number >= 0; got -0.1."),
    (lambda: make(rounding=(0.1,)), r"rounding must be a number >= 0; got \(0.1,\)."),
    (lambda: make(ours=lambda: 0.5).measure(), r"the result of ours, .* must be a Measured; got 0.5."),
    (lambda: Measured(None), "value must be a finite number, .*; got None."),
    (lambda: Measured(1, low=0), "high must be given with low, and only with it; got None."),
    (lambda: Measured(1, 0, (2,)), r"high must be of the form of value, 1.0; got \(2.0,\)."),
    (lambda: Measured(1, 1.5, 2), "low must be at most value, 1.0; got 1.5."),
    (lambda: Measured((1, 3), (0, 0), (2, 2)), r"high must be at least value, \(1.0, 3.0\); got \(2.0, 2.0\)."),
    (lambda: Measured((1, 3)).agrees(1), r"stated must be of the form of value, \(1.0, 3.0\); got 1.0."),
    (lambda: Measured(1).agrees(1, rounding=-1), "rounding must be a number >= 0; got -1.0."),
]


@pytest.mark.parametrize(("call", "message"), BAD)
def test_bad_input(call, message):
    with pytest.raises(ValueError) as refusal:  # noqa: PT011 (the whole message is matched below)
        call()
    assert re.fullmatch(message.replace("(2004)", r"\(2004\)"), str(refusal.value))

"""The whole reproduction ledger: every chapter's claims, and our number of every claim.

A number that is quick to compute is computed when it is asked for. The slow ones, and those that need a corpus which
is not part of the book, come from measured.json, which `run.py claims` makes anew.
"""

import json
import math
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from workbook.ledger.claim import CHAPTERS, SOURCES, VERDICTS, Measured, check_option

__all__ = ["CACHE", "Deviation", "Stored", "counts", "deviations", "key", "ledger", "measured", "stored"]

CACHE = Path(__file__).parent / "measured.json"


class Stored(NamedTuple):
    """A number in the file: what was measured, the seconds of CPU that took, and whether it needs a corpus."""

    measured: Measured
    seconds: float
    corpus: bool


class Deviation(NamedTuple):
    """One number of a claim that states some: how far the source's lies from ours, in half widths of our interval.

    Where ours is exact, the half width is the source's own rounding: then `exact` is True. Within -1 to 1 the two
    agree. For an interval the source's rounding is taken off the distance first.
    """

    ours: float
    low: float
    high: float
    stated: float
    units: float
    exact: bool


@cache
def _every_claim():
    """All chapters' claims. The chapters are asked by name, at run time: no import of this floor leads up to them."""
    chapters = import_module("workbook.chapters")
    rooms = (chapters.room(number, "claims") for number in chapters.flats())
    found = tuple(claim for room in rooms if room for claim in room.CLAIMS)
    assert len({claim.key for claim in found}) == len(found), "two claims with the same source, place and statement"
    return found


def ledger(source=None, verdict=None, chapter=None):
    """The claims: all, or those of one source, verdict, chapter; by source, then by chapter, then as entered there."""
    for argument, value, options in (
        ("source", source, SOURCES),
        ("verdict", verdict, VERDICTS),
        ("chapter", chapter, CHAPTERS),
    ):
        if value is not None:
            check_option(argument, value, options)
    order = list(SOURCES)
    asked = {"source": source, "verdict": verdict, "chapter": chapter}
    found = (c for c in _every_claim() if all(value in (None, getattr(c, name)) for name, value in asked.items()))
    return sorted(found, key=lambda claim: (order.index(claim.source), CHAPTERS.index(claim.chapter)))


def counts(source=None, chapter=None):
    """How many claims have each verdict: a dict in the order of VERDICTS."""
    return {verdict: len(ledger(source, verdict, chapter)) for verdict in VERDICTS}


def key(claim):
    """The claim's name in the file."""
    return " | ".join(claim.key)


def _form(numbers):
    return tuple(numbers) if isinstance(numbers, list) else numbers


@cache
def stored():
    """The file: name of a claim -> `Stored`."""
    entries = json.loads(CACHE.read_text(encoding="utf-8")) if CACHE.exists() else {}
    return {
        name: Stored(Measured(*(_form(e.get(end)) for end in ("value", "low", "high"))), e["seconds"], e["corpus"])
        for name, e in entries.items()
    }


@cache
def measured(claim):
    """Our number: from the file if it stands there, else computed now; None where nothing can be computed."""
    there = stored().get(key(claim))
    return there.measured if there else claim.measure()


def _tuple(numbers):
    return numbers if isinstance(numbers, tuple) else (numbers,)


def deviations(claim):
    """A `Deviation` for each number that the claim states; none where source or book has no number."""
    m = measured(claim)
    if m is None or claim.stated is None:
        return ()
    ends = (m.value, m.value) if m.is_exact else (m.low, m.high)
    numbers = zip(*map(_tuple, (m.value, *ends, claim.stated)), strict=True)
    return tuple(Deviation(*four, _units(*four, claim.rounding), m.is_exact) for four in numbers)


def _units(value, low, high, stated, rounding):
    """The signed distance in half widths; infinite if there is a distance but no width."""
    distance = stated - value
    if low == high:
        off, half = abs(distance), rounding + 1e-12 * abs(stated)  # as in Measured.agrees
    else:
        off, half = max(abs(distance) - rounding, 0.0), high - value if distance > 0 else value - low
    return math.copysign(off / half if half else math.inf, distance) if off else 0.0

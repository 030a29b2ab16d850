"""The whole reproduction ledger: every chapter's claims, and our number of every claim.

A number that is quick to compute is computed when it is asked for. The slow ones, and those that need a corpus which
is not part of the book, come from measured.json, which `run.py claims` makes anew. So does tables.json: what such a
corpus gives besides the claims, for pages to show without it.
"""

import json
import math
from dataclasses import fields
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from nbcore.checks import one_of
from workbook.ledger.claim import SOURCES, VERDICTS, Measured, slack

__all__ = [
    "CACHE",
    "MEASURED",
    "TABLES",
    "Deviation",
    "Stored",
    "counts",
    "deviations",
    "expected_outside",
    "find",
    "ledger",
    "measured",
    "stored",
    "table",
]

CACHE = Path(__file__).parent / "measured.json"
TABLES = Path(__file__).parent / "tables.json"
MEASURED = tuple(field.name for field in fields(Measured))


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
    assert len({claim.id for claim in found}) == len(found), "two claims with one id"
    return found


@cache
def _every_table():
    """Name -> the function that makes it, of every chapter whose claims have TABLES."""
    chapters = import_module("workbook.chapters")
    rooms = (chapters.room(number, "claims") for number in chapters.flats())
    return {name: make for room in rooms for name, make in getattr(room, "TABLES", {}).items()}


def table(name):
    """A table of the file: numbers, words, lists and dicts of them, a copy of its own for every caller."""
    return json.loads(TABLES.read_text(encoding="utf-8"))[name]


def _chapters():
    """The notebooks, "00_start_here" to the last, in their order."""
    return [name.removeprefix("c") for name in import_module("workbook.chapters").flats().values()]


def ledger(source=None, verdict=None, chapter=None):
    """The claims: all, or those of one source, verdict, chapter; by source, then by chapter, then as entered there."""
    asked = {"source": (source, SOURCES), "verdict": (verdict, VERDICTS), "chapter": (chapter, _chapters())}
    asked = {argument: choice for argument, choice in asked.items() if choice[0] is not None}
    for argument, (value, options) in asked.items():
        one_of(argument, value, options)
    found = (c for c in _every_claim() if all(getattr(c, name) == value for name, (value, _) in asked.items()))
    order = list(SOURCES)
    return sorted(found, key=lambda claim: (order.index(claim.source), claim.chapter))


def find(name):
    """The claim with this id, such as "C15-T1-03"."""
    claims = {claim.id: claim for claim in _every_claim()}
    one_of("name", name, claims)
    return claims[name]


def expected_outside():
    """How many sound printed numbers luck alone puts outside, and how many lie there: (expected, found).

    Counted are the claims whose printed number has luck in it, an interval of one run; a tuple is one claim, since its
    interval holds all its numbers together. Each is outside with probability 0.05 at most, whatever depends on what.
    """
    runs = [c for c in ledger() if c.stated is not None and (m := measured(c)) and m.kind in ("run", "paper's run")]
    return 0.05 * len(runs), sum(not measured(c).agrees(c.stated, c.rounding) for c in runs)


def counts(source=None, chapter=None):
    """How many claims have each verdict: a dict in the order of VERDICTS."""
    return {verdict: len(ledger(source, verdict, chapter)) for verdict in VERDICTS}


@cache
def stored():
    """The file: id of a claim -> `Stored`."""
    entries = json.loads(CACHE.read_text(encoding="utf-8")) if CACHE.exists() else {}
    return {
        name: Stored(Measured(**{part: e[part] for part in MEASURED}), e["seconds"], e["corpus"])
        for name, e in entries.items()
    }


@lru_cache(maxsize=1024)
def measured(claim):
    """Our number: from the file if it stands there, else computed now; None where nothing can be computed."""
    there = stored().get(claim.id)
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
        off, half = abs(distance), slack(stated, rounding)
    else:
        off, half = max(abs(distance) - rounding, 0.0), high - value if distance > 0 else value - low
    return math.copysign(off / half if half else math.inf, distance) if off else 0.0

"""Look up or compute our number of a claim, and how far it lies from the source's.

A number that is quick to compute is computed when it is asked for. The slow ones, and those that need a corpus which
is not part of the book, come from measured.json, which `run.py claims` makes anew. So does tables.json: what such a
corpus gives besides the claims, for pages to show without it.
"""

import json
import math
from dataclasses import fields
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from workbook.ledger.claim import Measured, slack

__all__ = ["CACHE", "MEASURED", "TABLES", "Deviation", "Stored", "deviations", "measured", "stored_numbers", "table"]

CACHE = Path(__file__).parent / "measured.json"
TABLES = Path(__file__).parent / "tables.json"
MEASURED = tuple(field.name for field in fields(Measured))


class Stored(NamedTuple):
    """An entry of measured.json: our number, the seconds of CPU it took, and whether it needs a corpus."""

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


def table(name):
    """Return a table of tables.json: numbers, words, lists and dicts of them, a new copy for every caller."""
    return json.loads(TABLES.read_text(encoding="utf-8"))[name]


@cache
def stored_numbers():
    """Return the content of measured.json: id of a claim -> `Stored`."""
    entries = json.loads(CACHE.read_text(encoding="utf-8")) if CACHE.exists() else {}
    return {
        name: Stored(Measured(**{part: e[part] for part in MEASURED}), e["seconds"], e["corpus"])
        for name, e in entries.items()
    }


@lru_cache(maxsize=1024)
def measured(claim):
    """Return our number from measured.json or computed now, None where nothing can be computed."""
    there = stored_numbers().get(claim.id)
    return there.measured if there else claim.measure()


def _as_tuple(numbers):
    return numbers if isinstance(numbers, tuple) else (numbers,)


def deviations(claim):
    """Return a `Deviation` for each number that the claim states; none where source or book has no number."""
    m = measured(claim)
    if m is None or claim.stated is None:
        return ()
    ends = (m.value, m.value) if m.is_exact else (m.low, m.high)
    numbers = zip(*map(_as_tuple, (m.value, *ends, claim.stated)), strict=True)
    return tuple(Deviation(*four, _half_widths(*four, claim.rounding), m.is_exact) for four in numbers)


def _half_widths(value, low, high, stated, rounding):
    """Return the signed distance in half widths; infinite if there is a distance but no width."""
    distance = stated - value
    if low == high:
        off, half = abs(distance), slack(stated, rounding)
    else:
        off, half = max(abs(distance) - rounding, 0.0), high - value if distance > 0 else value - low
    return math.copysign(off / half if half else math.inf, distance) if off else 0.0

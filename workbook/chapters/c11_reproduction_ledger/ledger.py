"""Page 11b: the whole ledger as a map of claims, and how far every printed number with luck in it lies from ours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from workbook.book import ledger
from workbook.explorer import marks
from workbook.explorer.controls import Steps, Text
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.fitting import DiskCached
from workbook.explorer.formatting import typeset
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BLACK, CLASSES, GREY, PALE, PRINTED, Look, faint
from workbook.explorer.theme import Panel
from workbook.ledger.claim import CODES, SOURCES, VERDICTS, Claim
from workbook.ledger.numbers import Deviation, deviations
from workbook.ledger.table import say_ours, say_stated, select_claims

__all__ = ["LOOKS", "LedgerExplorer", "list_numbers"]

CLAIMS = ledger()
AT = {claim.id: at for at, claim in enumerate(CLAIMS)}
TEXTS = "", "false", "table 2 r8", "smoothing", "not testable here"
COLUMNS, FARTHEST = 20, 4.0  # of the map; half widths, and what lies beyond is drawn there
NUMBER = re.compile(r"(?<![\w.–])-\d*\.?\d+|\d\.?\d*e[-+]\d+")  # that people write otherwise: -0.5, 1.2e-05
SHORT = {"not stated well enough": "not stated", "shown by an example": "example", "not testable here": "untestable"}
LOOKS = dict(zip(VERDICTS, [CLASSES[0], Look(CLASSES[5].color, "star"), CLASSES[2], CLASSES[1],
                            Look(CLASSES[3].color, "x"), Look(CLASSES[4].color, "triangle-up"),
                            Look(GREY, "diamond-open"), Look(GREY, "circle-open")], strict=True))  # fmt: skip


@lru_cache(maxsize=1)
def places() -> np.ndarray:
    """Return (column, row) of every claim on the map, (210, 2): every source begins a row of its own."""
    found, row = [], 0
    for source in SOURCES:
        many = sum(claim.source == source for claim in CLAIMS)
        found += [(i % COLUMNS, row + i // COLUMNS) for i in range(many)]
        row += max(2, -(-many // COLUMNS))  # the names of two sources need so much
    return np.array(found)


@lru_cache(maxsize=1)
@DiskCached
def list_numbers() -> list[tuple[int, Deviation]]:
    """Return every printed number with luck in it, with the place of its claim: the lowest against ours first."""
    found = [(at, number) for at, claim in enumerate(CLAIMS) for number in deviations(claim) if not number.exact]
    return sorted(found, key=lambda pair: (pair[1].units, pair[1].stated - pair[1].ours))


@lru_cache(maxsize=64)
def search(words: str) -> np.ndarray:
    """Return whether each claim has all the words, or this verdict (210,)."""
    found = {c.id for c in CLAIMS if c.verdict == words} or {c.id for c in select_claims(CLAIMS, words)}
    return np.array([claim.id in found for claim in CLAIMS])


@dataclass(frozen=True, eq=False)
class Found:
    """Hold which claims were found, and the one that is read."""

    at: int
    found: np.ndarray  # (210,)

    @property
    def claim(self) -> Claim:
        """Return the claim that is read."""
        return CLAIMS[self.at]

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c11b proves it for all states."""
        found = f"{self.found.sum()} of {len(CLAIMS)} claims found{'' if self.found[self.at] else ', not this one'}"
        return f"{self.claim.id}: {self.claim.verdict}; {found}"


class LedgerExplorer(Explorer):
    """Every claim of the ledger: search by words or by a verdict, read one, and see its number beside all others."""

    words = Text("", label="Words, or a verdict", chosen=TEXTS)
    claim = Steps(AT["C15-S52-03"], range(len(CLAIMS)), label="claim", say=lambda at: CLAIMS[at].id)

    presets: ClassVar = {
        "All": Preset("Each mark is a claim; its shape is the verdict.", {}),
        "False": Preset("A proof or a counterexample stands against each.", dict(words="false")),
        "Table 2, R8": Preset("Words, places, printed numbers.", dict(words="table 2 r8", claim=AT["N16-T2-01"])),
        "Not testable": Preset("What this book cannot judge, and does not.", dict(words="not testable here")),
    }

    def compute(self, words: str, claim: int) -> Found:
        return Found(claim, search(" ".join(words.lower().split())))

    def draw(self, result: Found) -> dict:
        panels, number = (map_panel(result), number_panel(result)), (f"{result.found.sum()}", "claims found")
        return marks.figure(*panels, finding=result.finding, number=number, widths=[1.3, 1], share=0.93)

    def describe(self, result: Found) -> str:
        claim = result.claim
        numbers = "" if claim.stated is None else f" Stated {say_stated(claim)}, ours {say_ours(claim)}."
        text = f"{result.finding}. {claim.source}, {claim.place}. {claim.statement}{numbers}"
        return NUMBER.sub(lambda number: typeset(number[0]), text)

    def explain(self, result: Found) -> Sequence[Part]:
        if not (numbers := [number for number in deviations(result.claim) if not number.exact]):
            return ["no printed number with luck in it"]
        d = max(numbers, key=lambda number: abs(number.units))
        high = d.stated > d.ours
        stated, ours, half, off = (typeset(f"{value:.4g}") for value in (
            d.stated, d.ours, d.high - d.ours if high else d.ours - d.low, d.units))  # fmt: skip
        rounding = Term(np.format_float_positional(result.claim.rounding, trim="-"), "rounding")
        top = [Term(stated, "stated", "stated", PRINTED), "−", Term(ours, "ours"), "−" if high else "+", rounding]
        return [Over(top, [Term(half, "half width")]), "=", Term(off, "half widths")]


def map_panel(r: Found) -> Panel:
    """Draw a mark for each claim; what was not found is a dot."""
    (x, y), gone = places().T, ~r.found
    drawn = [marks.points(x[gone], y[gone], PALE, size=4)] if gone.any() else []
    for verdict, look in LOOKS.items():
        of = np.array([claim.verdict == verdict for claim in CLAIMS]) & r.found
        drawn += [marks.points(x[of], y[of], look, size=9, name=SHORT.get(verdict, verdict))] if of.any() else []
    ring = marks.frame((x[r.at] - 0.5, x[r.at] + 0.5), (y[r.at] - 0.5, y[r.at] + 0.5), BLACK, width=2, id="claim")
    starts = {int(y[[c.source == s for c in CLAIMS]].min()): code for code, s in CODES.items()}
    return marks.panel("Every claim, by source", drawn, ring,
                       Handle("claim", x[r.at], y[r.at], "xy", places(), shape="pick"),
                       x=marks.axis(-0.8, COLUMNS - 0.2, ticks={}, grid=False),
                       y=marks.axis(y.max() + 0.7, -0.7, ticks=starts, grid=False))  # fmt: skip


def number_panel(r: Found) -> Panel:
    """Draw every printed number in half widths of our interval, the lowest first; those of the claim have a ring."""
    at, x = np.array([(place, np.clip(number.units, -FARTHEST, FARTHEST)) for place, number in list_numbers()]).T
    at, y, mine = at.astype(int), np.arange(1, len(at) + 1), at == r.at
    looks = [LOOKS[CLAIMS[place].verdict] if r.found[place] else PALE for place in at]
    rings = [marks.points(x[mine], y[mine], BLACK, symbol="circle-open", size=17, stroke=2, id="stated")]
    ticks = {-4: "≤ −4", -2: "−2", -1: "−1", 0: "0", 1: "1", 2: "2", 4: "≥ 4"}
    return marks.panel(
        "Stated − ours, half widths", marks.frame((-1, 1), (0, len(at) + 1), fill=faint(GREY, 0.15)),
        marks.rule(x=0, look=GREY, width=1), marks.points(x, y, looks, size=7, hover=[CLAIMS[i].id for i in at]),
        rings if mine.any() else [], x=marks.axis(-1.1 * FARTHEST, 1.1 * FARTHEST, ticks=ticks),
        y=marks.axis(0, len(at) + 1, ticks=[1, len(at)], grid=False),
    )  # fmt: skip

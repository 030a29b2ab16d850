"""A column's cells as numbers, in whatever way these are written, and a word on what was done to them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from workbook.explorer.formatting import how_many

__all__ = ["number", "read_column"]

GAPS = {"", "na", "n/a", "nan", "none", "null", "?", "-", "."}  # what stands where nothing was written down
ENDLESS = {"inf", "infinity"}  # numbers to Python, and nothing to learn from
WHOLE = re.compile(r"[+-]?\d+")
CODE = re.compile(r"0\d+")  # a number that is a name, such as 00137
UNIT = re.compile(r"(?P<sign>[$€£])? ?(?P<number>[+-]?\d[^A-Za-z%$€£]*?) ?(?P<unit>[%$€£]|[A-Za-z]{0,3})")


@dataclass(frozen=True)
class Way:
    """How thousands and decimals are marked: what can be written in no other way, and what may stand beside that."""

    sure: re.Pattern
    fits: re.Pattern
    marks: str  # between the thousands
    point: str

    def is_of(self, cells: list[str]) -> bool:
        return any(map(self.sure.fullmatch, cells)) and all(map(self.fits.fullmatch, cells))

    def plain(self, cell: str) -> str:
        """As Python writes it."""
        return "".join(char for char in cell if char not in self.marks).replace(self.point, ".")


def _way(sure: str, fits: str, marks: str, point: str) -> Way:
    return Way(re.compile(f"[+-]?({sure})"), re.compile(f"[+-]?({fits})"), marks, point)


THOUSANDS = r"(\d{1,3}(,\d{3})+|\d+)(\.\d+)?"
ENGLISH = _way(r"\d{1,3}(,\d{3})+(\.\d+)?", THOUSANDS, ",", ".")  # 1,234
SURELY_ENGLISH = _way(r"\d{1,3}(,\d{3}){2,}(\.\d+)?|\d{1,3},\d{3}\.\d+", THOUSANDS, ",", ".")  # 1,234,567
GERMAN = _way(r"\d{1,3}(\.\d{3})+,\d+|\d{1,3}(\.\d{3}){2,}", r"(\d{1,3}(\.\d{3})+|\d+)(,\d+)?", ".", ",")
DOTTED = _way(r"[1-9]\d{0,2}\.\d{3}", r"[1-9]\d{0,2}\.\d{3}|\d{1,3}", ".", ",")  # 1.234 beside 812
SPACED = _way(r"\d{1,3}([ \u00a0\u202f]\d{3})+([.,]\d+)?", r"\d{1,3}([ \u00a0\u202f]?\d{3})*([.,]\d+)?",
              " \u00a0\u202f", ",")  # fmt: skip
COMMA = _way(r"\d*,\d+", r"\d*(,\d+)?", "", ",")


def read_column(cells: Sequence[str], comma: bool) -> tuple[pd.Series, str]:
    """A column of numbers if nearly all its cells are some, else of text; and a word on the cells that are none.

    comma: 3,5 is a number wherever it stands, as no comma parts the columns.
    """
    there = [cell for cell in cells if cell.lower() not in GAPS]
    if not comma and all(number(cell) is not None for cell in there):
        return _numbers(cells, comma)
    bare = _without_unit(there)
    way = next((way for way in _ways(bare, comma) if way.is_of(bare)), COMMA if comma and bare != there else None)
    if bare == there and way is None:
        return _numbers(cells, comma)
    plain = {cell: way.plain(inner) if way else inner for cell, inner in zip(there, bare, strict=True)}
    numbers, _ = _numbers([plain.get(cell, "") for cell in cells], comma=False)
    if numbers.dtype == object:
        return _numbers(cells, comma)
    changed = next(cell for cell in there if plain[cell] != cell)
    return numbers, f"{changed} is read as {plain[changed]}."


def _ways(cells: list[str], comma: bool) -> list[Way]:
    """The ways to look for: a comma that parts columns stands in a cell between quotation marks only."""
    if not comma:
        return [ENGLISH, GERMAN, SPACED, COMMA]
    return [SURELY_ENGLISH, GERMAN, *[DOTTED] * (not all(map(DOTTED.sure.fullmatch, cells))), SPACED]


def _without_unit(there: list[str]) -> list[str]:
    """The cells without what all of them have before or behind their number: $, %, kg."""
    units, bare = set(), []
    for cell in there:
        if not (found := UNIT.fullmatch(cell)) or len(units) > 1:
            return there
        units.add((found["sign"], found["unit"]))
        bare.append(found["number"])
    return bare if len(units) == 1 else there


def number(cell: str, comma: bool = False) -> float | None:
    """A cell as a number; 00137 is none, it is a name; with `comma` also 3,5."""
    try:
        found = float(cell.replace(",", ".") if comma else cell)
    except ValueError:
        return None
    return None if CODE.fullmatch(cell) or "_" in cell or not np.isfinite(found) else found


def _numbers(cells: Sequence[str], comma: bool) -> tuple[pd.Series, str]:
    """`read_column` for numbers without units and without marks between their thousands."""
    there = [cell for cell in cells if cell.lower() not in GAPS]
    odd = [cell for cell in there if number(cell, comma) is None]
    if not there or sum(cell.lower().lstrip("+-") not in ENDLESS for cell in odd) > 0.05 * len(there):
        return pd.Series([None if cell.lower() in GAPS else cell for cell in cells], dtype=object), ""
    numbers = pd.Series([None if cell.lower() in GAPS else number(cell, comma) for cell in cells], dtype=float)
    if all(WHOLE.fullmatch(cell) for cell in there) and len(there) == len(cells):
        numbers = numbers.astype(int)
    said = f"no number in {how_many(len(odd), 'cell')}, such as {odd[0][:20]!r}: taken as gaps." if odd else ""
    return numbers, said

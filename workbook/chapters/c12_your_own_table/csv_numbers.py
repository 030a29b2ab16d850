"""Read the cells of a column as numbers: decimal point or comma, marks between thousands, per cent signs, gaps."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from workbook.explorer.formatting import how_many

__all__ = ["parse_number", "read_column"]

GAPS = {"", "na", "n/a", "nan", "none", "null", "?", "-", "."}  # cells of a value that nobody wrote down
WHOLE = re.compile(r"[+-]?\d+")
CODE = re.compile(r"0\d+")  # a number that is a name, such as 00137
SPACE = re.compile("[ \u00a0\u202f]")
SPACED = re.compile(rf"[+-]?\d{{1,3}}({SPACE.pattern}?\d{{3}})*([.,]\d+)?")  # 1 234,5
ENGLISH = re.compile(r"[+-]?([1-9]\d{0,2}(,\d{3})+|\d+)(\.\d+)?")  # 1,234.5
GERMAN = re.compile(r"[+-]?([1-9]\d{0,2}(\.\d{3})+|\d+)(,\d+)?")  # 1.234,5
EITHER = re.compile(r"[+-]?\d{1,3}[.,]\d{3}")  # 1.234 and 1,234: a thousand or three decimals
SMALL = re.compile(r"[+-]?\d{1,3}(\.\d{3}|,\d+)?")
DECIMAL_COMMA = re.compile(r"[+-]?\d*(,\d+)?")


def parse_number(cell: str, comma: bool = False) -> float | None:
    """Return a cell as a number, None if it is none; 00137 is a name. comma: read 3,5 as well."""
    try:
        number = float(cell.replace(",", ".") if comma else cell)
    except ValueError:
        return None
    return None if CODE.fullmatch(cell) or "_" in cell or not np.isfinite(number) else number


def read_column(cells: list[str], comma: bool) -> tuple[pd.Series, str]:
    """Return a column, as numbers if nearly all its cells are some, else as text; and a note on what was changed.

    comma: a decimal comma is read wherever it stands, as no comma separates the columns.
    """
    filled = [cell for cell in cells if cell.lower() not in GAPS]
    bare = [cell.removesuffix("%").rstrip() for cell in filled] if all(cell[-1] == "%" for cell in filled) else filled
    plain = dict(zip(filled, _translate_cells(bare, comma), strict=True))
    numbers, note = _convert_column([plain.get(cell, cell) for cell in cells], comma)
    changed = next((cell for cell in filled if plain[cell] != cell), None)
    if changed is None:
        return numbers, note
    if numbers.dtype == object:
        return _convert_column(cells, comma)
    return numbers, f"{changed} is read as {plain[changed].replace(',', '.')}."


def _translate_cells(cells: list[str], comma: bool) -> list[str]:
    """Write cells as Python writes numbers, where all of them mark thousands and decimals in one way."""
    if any(map(SPACE.search, cells)) and all(map(SPACED.fullmatch, cells)):
        return [SPACE.sub("", cell).replace(",", ".") for cell in cells]
    for notation, thousands, decimal in ((ENGLISH, ",", "."), (GERMAN, ".", ",")):
        if all(map(notation.fullmatch, cells)) and _has_thousands(cells, thousands, comma):
            return [cell.replace(thousands, "").replace(decimal, ".") for cell in cells]
    if not comma and all(map(DECIMAL_COMMA.fullmatch, cells)):
        return [cell.replace(",", ".") for cell in cells]
    return cells


def _has_thousands(cells: list[str], mark: str, comma: bool) -> bool:
    """Whether this mark stands between thousands; where it may also begin decimals, the other cells decide."""
    marked = [cell for cell in cells if mark in cell]
    if (mark == "," and not comma) or not all(map(EITHER.fullmatch, marked)):
        return bool(marked)
    return mark == "." and comma and 0 < len(marked) < len(cells) and all(map(SMALL.fullmatch, cells))


def _convert_column(cells: list[str], comma: bool) -> tuple[pd.Series, str]:
    """Read a column of plain numbers, in which one cell of twenty may be none; and a note on those."""
    texts = pd.Series([None if cell.lower() in GAPS else cell for cell in cells], dtype=object)
    filled = texts.dropna()
    odd = [cell for cell in filled if parse_number(cell, comma) is None]
    if filled.empty or len(odd) > 0.05 * len(filled):
        return texts, ""
    numbers = pd.Series([parse_number(cell, comma) if cell else None for cell in texts], dtype=float)
    if len(filled) == len(cells) and all(map(WHOLE.fullmatch, filled)):
        numbers = numbers.astype(int)
    note = f"no number in {how_many(len(odd), 'cell')}, such as {odd[0][:20]!r}: taken as gaps." if odd else ""
    return numbers, note

"""Read the cells of a column as numbers: decimal point or comma, marks between thousands, per cent signs, gaps."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
ODD_ANYWHERE, ODD_AMONG_MEASUREMENTS = 0.05, 0.2  # shares of cells that may be no numbers in a column of numbers
MOST_CODES = 10  # numbers that are as many as this, or fewer, may be codes, and the word among them one more


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
    texts = pd.Series([None if cell.lower() in GAPS else cell for cell in cells], dtype=object)
    filled = texts.dropna().tolist()
    plain = min(_write_plainly(filled, comma), key=lambda way: sum(parse_number(cell, comma) is None for cell in way))
    found = dict(zip(filled, (parse_number(cell, comma) for cell in plain), strict=True))
    odd = [cell for cell in filled if found[cell] is None]
    measured = len({number for number in found.values() if number is not None}) > MOST_CODES
    if len(odd) > (ODD_AMONG_MEASUREMENTS if measured else ODD_ANYWHERE) * len(filled) or not filled:
        return texts, ""
    numbers = texts.map(found).astype(float)
    if len(filled) == len(cells) and all(map(WHOLE.fullmatch, filled)):
        numbers = numbers.astype(int)
    return numbers, _describe_changes(filled, plain, odd)


def _describe_changes(filled: list[str], plain: list[str], odd: list[str]) -> str:
    """Return a note on the first cell that is written otherwise, and on cells that are no numbers."""
    changed = [f"{cell} is read as {new.replace(',', '.')}."
               for cell, new in zip(filled, plain, strict=True) if cell != new and cell not in odd]  # fmt: skip
    are = f"{len(filled) - len(odd):,} of {how_many(len(filled), 'cell')} are numbers"
    gaps = [f"{are}; {cell[:20]!r} is not. What is no number is taken as a gap." for cell in odd]
    return " ".join(gaps[:1] + changed[:1])


def _write_plainly(filled: list[str], comma: bool) -> Iterator[list[str]]:
    """Yield the cells as Python writes numbers, by each notation that some have; "" where a cell is in another one."""
    cells, percent = filled, sum(cell[-1] == "%" for cell in filled)
    if percent > (1 - ODD_AMONG_MEASUREMENTS) * len(filled):
        cells = [cell[:-1].rstrip() if cell[-1] == "%" else "" for cell in filled]
    for notation, thousands, decimal in ((SPACED, SPACE, ","), (ENGLISH, ",", "."), (GERMAN, r"\.", ",")):
        matched = [cell for cell in cells if notation.fullmatch(cell)]
        if _has_thousands(matched, thousands, comma):
            yield [re.sub(thousands, "", cell).replace(decimal, ".") if notation.fullmatch(cell) else ""
                   for cell in cells]  # fmt: skip
    if not comma and any("," in cell for cell in cells):
        yield [cell.replace(",", ".") if DECIMAL_COMMA.fullmatch(cell) else "" for cell in cells]
    yield cells


def _has_thousands(cells: list[str], mark: str | re.Pattern, comma: bool) -> bool:
    """Return whether this mark stands between thousands; where it may also begin decimals, the other cells decide."""
    marked = [cell for cell in cells if re.search(mark, cell)]
    if mark is SPACE or (mark == "," and not comma) or not all(map(EITHER.fullmatch, marked)):
        return bool(marked)
    return mark == r"\." and comma and 0 < len(marked) < len(cells) and all(map(SMALL.fullmatch, cells))

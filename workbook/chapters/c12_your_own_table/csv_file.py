"""Read the bytes of a CSV file into columns, or say in one sentence what is wrong with it; it is sent nowhere."""

from __future__ import annotations

import csv
import io
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter

import numpy as np
import pandas as pd

from .csv_numbers import parse_number, read_column

__all__ = ["MOST_BYTES", "TableError", "parse_frame"]

MOST_BYTES = 50_000_000
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
NAMED = re.compile(r"sep=([,;\t|])\s*?\n", re.I)  # a first line by which Excel knows the separator
BINARY = {b"PK": "an Excel or another packed file", b"\xd0\xcf\x11\xe0": "an old Excel file", b"%PDF": "a PDF file"}


class TableError(ValueError):
    """The file is no table to learn from; the message says why, and what to do."""


def parse_frame(content: bytes) -> tuple[pd.DataFrame, list[str]]:
    """Return the columns of a CSV file, numbers as numbers, and notes on what was changed."""
    if len(content) > MOST_BYTES:
        raise TableError(f"The file has more than {MOST_BYTES / 1e6:.0f} MB, the most that this page reads. Take some "
                         "of its rows: your_table(pandas.read_csv(path, nrows=100_000)).")  # fmt: skip
    text, notes = _decode(content)
    header, rows, separator = _split_rows(text)
    columns = {}
    for at, name in enumerate(_name_columns(header, rows)):
        columns[name], note = read_column([row[at].strip() for row in rows], comma=separator != ",")
        notes += [f"{name!r}: {note}"] if note else []
    return pd.DataFrame(columns), notes


def _decode(content: bytes) -> tuple[str, list[str]]:
    """Return the text of a file, and a note where its encoding was guessed."""
    for start, kind in BINARY.items():
        if content.startswith(start):
            raise TableError(f"This is {kind} and no text. In the spreadsheet: Save as, “CSV UTF-8”.")
    notes = []
    try:
        text = content.decode("utf-16" if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")  # Windows's Latin-1, with quotation marks and the euro
        notes = ["It is not UTF-8, so we read it as Latin-1: see whether letters like é, ö and ñ are right."]
    if not text.strip():
        raise TableError("The file is empty.")
    if re.match(r"\s*<(!doctype|html|\?xml|table)", text, re.I):
        raise TableError("This is a web page and no table. Download the file itself, not the page that shows it.")
    if sum(char < " " and char not in "\t\n\r\v\f" for char in text[:100_000]) > 0.01 * len(text[:100_000]):
        raise TableError("This is no text: neither UTF-8 nor UTF-16 nor Latin-1 fits its bytes.")
    return text, notes


def _split_rows(text: str) -> tuple[list[str], list[list[str]], str]:
    """Return header, rows and separator: the one that cuts the first lines into the most columns of one number."""
    named = NAMED.match(text)
    text = text[named.end() :] if named else text
    separator = named[1] if named else _find_separator(text)
    try:
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        header, *rows = [row for row in lines if any(map(str.strip, row))]
    except csv.Error as problem:
        raise TableError(f"The file cannot be cut into columns: {problem}. Is a quotation mark left open?") from None
    names = [name for name in header if name.strip()]
    if len(names) == 1 and (len(header) > 2 or len(header) == 1 < max(map(len, rows), default=0)):
        raise TableError(f"The first row ({names[0][:40]}) names no columns. Delete a title above the header.")
    if len(header) < 2:
        raise TableError("There is only one column: no comma, semicolon, tab or bar stands in the header.")
    for at, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise TableError(f"The header has {len(header)} columns and row {at} has {len(row)}. Is a "
                             f"{SEPARATORS[separator]} inside a cell without quotation marks?")  # fmt: skip
    return header, rows, separator


def _find_separator(text: str) -> str:
    """Return the separator by which most of the first lines have as many columns as the header, and many of them."""
    lines = [line for line in text[:100_000].splitlines() if line.strip()][:50]
    widths = {one: [len(row) for row in csv.reader(lines, delimiter=one)] for one in SEPARATORS}
    scores = {one: found[0] * found.count(found[0]) / len(found) for one, found in widths.items()}
    if max(scores.values()) <= 1:  # the first line is no header, or has too few names
        scores = {one: float(np.median(found)) for one, found in widths.items()}
    return max(scores, key=scores.__getitem__)


def _name_columns(header: list[str], rows: list[list[str]]) -> list[str]:
    """Return the names of the columns; TableError if the first row is no header."""
    names = [cell.strip() for cell in header]
    data = [parse_number(name) is not None or (len(rows) > 1 and any(row[at].strip() == name for row in rows))
            for at, name in enumerate(names) if name]  # fmt: skip
    if sum(data) > len(names) / 2:
        first = ", ".join(names[:4])
        raise TableError(f"The first row looks like data ({first}, …). Write a row with the columns’ names above it.")
    if twice := [name for name, count in Counter(filter(None, names)).items() if count > 1]:
        raise TableError(f"Two columns have the same name, {twice[0]!r}. Give each a name of its own.")
    return [name or f"unnamed {at}" for at, name in enumerate(names, start=1)]

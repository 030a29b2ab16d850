"""Read a reader's own CSV file into a table to learn from, or say in one sentence what is wrong; it is sent nowhere."""

from __future__ import annotations

import csv
import io
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from nbcore.datasets import load_penguins
from workbook.chapters.c12_your_own_table.csv_numbers import parse_number, read_column
from workbook.explorer.formatting import how_many

__all__ = ["MOST_BYTES", "MOST_CLASSES", "Table", "TableError", "read_table"]

MOST_BYTES, MOST_CLASSES = 50_000_000, 50
FEWEST_ROWS, FEWEST_OF_A_CLASS = 40, 10  # what `diagnose` needs, and ten folds
TARGETS = ("target", "class", "label", "y", "species", "outcome")  # usual names of a column to predict
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
BINARY = {b"PK": "an Excel or another packed file", b"\xd0\xcf\x11\xe0": "an old Excel file", b"%PDF": "a PDF file"}


class TableError(ValueError):
    """The file is no table to learn from; the message says why, and what to do."""


@dataclass(frozen=True)
class Table:
    """A table to learn from. notes: what was changed while it was read, a sentence each."""

    name: str
    frame: pd.DataFrame
    target: str
    notes: tuple[str, ...] = ()

    @cached_property
    def targets(self) -> list[str]:
        """Names of the columns that could be predicted: 2 to 50 classes, of which two or more have 10 rows."""
        return [name for name in self.frame if not _target_fault(self.frame[name])]

    @cached_property
    def _selection(self) -> tuple[pd.DataFrame, list[str]]:
        return _select_rows_and_columns(self.frame, self.target)

    @property
    def X(self) -> pd.DataFrame:  # noqa: N802
        """The columns to predict from; where there is a gap, nan."""
        return self._selection[0].drop(columns=self.target)

    @property
    def y(self) -> pd.Series:
        """The classes to predict, as text."""
        return self._selection[0][self.target].astype(str)

    def choose(self, target: str) -> Table:
        """Return this table with another target; TableError says why a column cannot be one."""
        if target not in self.frame:
            raise TableError(f"There is no column {target!r}; there are {_list_names(self.frame.columns)}.")
        if fault := _target_fault(self.frame[target]):
            raise TableError(f"{target!r} cannot be the target: {fault}")
        return Table(self.name, self.frame, target, self.notes)

    def __str__(self) -> str:
        X, y, notes = self.X, self.y, self._selection[1]
        if not X.shape[1]:
            raise TableError(f"Beside {self.target!r} no column is left to learn from. {' '.join(notes)}")
        counts = ", ".join(f"{name} {count:,}" for name, count in y.value_counts().head(4).items())
        more = f" and {y.nunique() - 4} more" if y.nunique() > 4 else ""
        gaps = int(X.isna().any(axis=1).sum())
        size = f"{self.name}: {len(X):,} rows, {gaps:,} of them with gaps; target {self.target} ({counts}{more}); "
        return " ".join([f"{size}{how_many(X.shape[1], 'column')}: {_list_names(X.columns)}.", *self.notes, *notes])

    __repr__ = __str__


def read_table(source: str | Path | bytes | pd.DataFrame | None = None, target: str | None = None,
               name: str = "") -> Table:  # fmt: skip
    """Read a table to learn from: a CSV file (its path or its bytes), or a frame; without one, the penguins.

    Comma, semicolon, tab or bar between the columns, and their names in the first row. UTF-8, UTF-16 (with its mark) or
    Latin-1. A cell without anything, or with NA, NaN, null, none, ?, - or a dot, is a gap. target: the column to
    predict; by default one with a usual name for it, else the last one that can be. TableError says in a sentence what
    is wrong with a file.
    """
    if source is None:
        data = load_penguins()
        source = pd.DataFrame({"species": data.target_names[data.target]} | data.data)
        name, target = name or "penguins.csv", target or "species"
    if isinstance(source, pd.DataFrame):
        frame, notes = source.rename(columns=str), []
    elif isinstance(source, bytes):
        frame, notes = _parse_frame(source)
    else:
        name = name or Path(source).name
        try:
            with open(source, "rb") as file:
                frame, notes = _parse_frame(file.read(MOST_BYTES + 1))
        except OSError as problem:
            raise TableError(f"{str(source)!r} cannot be read: {problem.strerror or problem}.") from None
    if len(frame) < FEWEST_ROWS:
        raise TableError(f"The table has {how_many(len(frame), 'row')} under its header, and it takes {FEWEST_ROWS}.")
    table = Table(name or "your table", frame, "", tuple(notes))
    if target is None:
        if not table.targets:
            reasons = " ".join(f"{column!r}: {_target_fault(frame[column])}" for column in list(frame)[:3])
            raise TableError(f"No column can be the target, which needs 2 to {MOST_CLASSES} classes. {reasons}")
        target = ([column for column in table.targets if column.lower() in TARGETS] or table.targets)[-1]
    return table.choose(target)


def _parse_frame(content: bytes) -> tuple[pd.DataFrame, list[str]]:
    """Return the columns of a CSV file, numbers as numbers, and notes on what was changed."""
    if len(content) > MOST_BYTES:
        raise TableError(f"The file has more than {MOST_BYTES / 1e6:.0f} MB, the most that this page reads. Take some "
                         "of its rows: read_table(pandas.read_csv(path, nrows=100_000)).")  # fmt: skip
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
    separator = _find_separator(text)
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


def _target_fault(column: pd.Series) -> str:
    """Return why a column cannot be the target, "" if it can."""
    filled = column.dropna()
    classes = filled.nunique()
    if classes < 2:
        return f"it has one class only, {filled.iloc[0]!s:.20}." if classes else "it is empty."
    numeric = pd.api.types.is_numeric_dtype(filled)
    if classes == len(filled) and not (numeric and classes > MOST_CLASSES):
        return "every row has a value of its own: that names rows, not classes."
    if classes > MOST_CLASSES:
        remedy = " Cut it into ranges, with pandas.cut, if they shall be classes." * numeric
        return f"it has {classes:,} different values, and more than {MOST_CLASSES} are hardly classes.{remedy}"
    counts = filled.value_counts()
    common = counts[counts >= FEWEST_OF_A_CLASS]
    if len(common) < 2 or common.sum() < FEWEST_ROWS:
        return (f"{common.sum()} rows have a class of {FEWEST_OF_A_CLASS} rows or more, and it takes {FEWEST_ROWS}, of "
                "two such classes.")  # fmt: skip
    return ""


def _select_rows_and_columns(frame: pd.DataFrame, target: str) -> tuple[pd.DataFrame, list[str]]:
    """Return rows of common classes and columns that can tell classes apart; and notes on what is left out."""
    notes = []
    if empty := int(frame[target].isna().sum()):
        notes.append(f"Left out: {how_many(empty, 'row')} without a {target}.")
    counts = frame[target].value_counts()
    rare = counts[counts < FEWEST_OF_A_CLASS].index
    if len(rare):
        notes.append(f"Left out: the rows of {_list_names(rare)}, fewer than {FEWEST_OF_A_CLASS} of a class.")
    selected = frame[frame[target].notna() & ~frame[target].isin(rare)].reset_index(drop=True)
    for name in selected.columns.drop(target):
        column = selected[name]
        if fault := _column_fault(column):
            notes.append(f"Left out: column {name}, {fault}.")
            selected = selected.drop(columns=name)
        elif column.nunique() == len(column) and (column == column.round()).all():
            notes.append(f"Every row has its own {name}: is it a number that names rows? Then leave it out: "
                         f"your_table(pandas.read_csv(path).drop(columns={name!r})).")  # fmt: skip
    return selected, notes


def _column_fault(column: pd.Series) -> str:
    """Return why nothing can be learned from a column, "" if something can."""
    filled = column.dropna()
    different = filled.nunique()
    if different < 2:
        return "it has the same value everywhere" if different else "it is empty"
    if pd.api.types.is_integer_dtype(filled):
        return "it counts the rows" if len(filled) == len(column) and filled.diff().nunique() == 1 else ""
    if not pd.api.types.is_numeric_dtype(filled) and different > 0.5 * len(filled):
        odd = [str(cell) for cell in filled if parse_number(str(cell), comma=True) is None]
        if 0 < len(odd) < 0.5 * len(filled):
            return (f"{len(filled) - len(odd):,} of {len(filled):,} cells are numbers and {odd[0][:20]!r} is none: "
                    "empty such cells, and it is read as numbers")  # fmt: skip
        return f"{different:,} different texts in {len(filled):,} rows tell rows apart, not classes"
    return ""


def _list_names(names: pd.Index) -> str:
    """List names in a sentence, of many the first eight."""
    first, more = [*map(str, names[:8])], len(names) - 8
    last = f"{more} more" if more > 0 else first.pop()
    return f"{', '.join(first)} and {last}" if first else last

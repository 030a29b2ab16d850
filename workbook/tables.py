"""A table of the reader's own: a CSV file, or what is wrong with it in a sentence. It is read here and sent nowhere."""

from __future__ import annotations

import csv
import io
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from nbcore.datasets import load_penguins
from workbook.explorer.formatting import how_many, typeset
from workbook.written import number, read_column

__all__ = ["MOST_BYTES", "MOST_CLASSES", "PENGUINS", "Table", "TableError", "read_table"]

MOST_BYTES, MOST_CLASSES = 50_000_000, 50
FEWEST_ROWS, FEWEST_OF_A_CLASS = 40, 10  # what `diagnose` needs, and ten folds
PENGUINS = "penguins.csv"
TARGETS = ("target", "class", "label", "y", "species", "outcome")  # what a column to predict is often called
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
UNNAMED = re.compile(r"column \d+")
NO_TEXT = {b"PK": "an Excel file, or another packed one", b"\xd0\xcf\x11\xe0": "an old Excel file",
           b"\x1f\x8b": "a packed file", b"%PDF": "a PDF file", b"\x89PNG": "a picture", b"\xff\xd8\xff": "a picture",
           }  # fmt: skip

NOT_TEXT = "This is no text: neither UTF-8 nor UTF-16 nor Latin-1 fits its bytes."


class TableError(ValueError):
    """The file is no table to learn from; the message says why, and what to do."""


@dataclass(frozen=True)
class Table:
    """A table to learn from. notes: what was done to it on the way, a sentence each."""

    name: str
    frame: pd.DataFrame
    target: str
    notes: tuple[str, ...] = ()

    @cached_property
    def targets(self) -> list[str]:
        """The columns that could be predicted: 2 to 50 classes, of which two or more have 10 rows."""
        return [str(name) for name, column in self.frame.items() if not _no_target(column)]

    @cached_property
    def _kept(self) -> tuple[pd.DataFrame, list[str]]:
        """Rows and columns to learn from, and why the others are not."""
        return _kept(self.frame, self.target)

    @property
    def X(self) -> pd.DataFrame:  # noqa: N802
        """The columns to predict from; where there is a gap, nan."""
        return self._kept[0].drop(columns=self.target)

    @property
    def y(self) -> pd.Series:
        """What is to be predicted, as text."""
        return self._kept[0][self.target].astype(str)

    def choose(self, target: str) -> Table:
        """The same table with another target; TableError says why a column cannot be one."""
        if target not in self.frame:
            raise TableError(f"There is no column {target!r}; there are {_listed(self.frame.columns)}.")
        if wrong := _no_target(self.frame[target]):
            raise TableError(f"{target!r} cannot be the target: {wrong}")
        return Table(self.name, self.frame, target, self.notes)

    def __str__(self) -> str:
        X, y = self.X, self.y
        if not X.shape[1]:
            raise TableError(f"Beside {self.target!r} no column is left to learn from. {' '.join(self._kept[1])}")
        counts = ", ".join(f"{name} {count:,}" for name, count in y.value_counts().head(4).items())
        more = f" and {y.nunique() - 4} more" if y.nunique() > 4 else ""
        gaps = int(X.isna().any(axis=1).sum())
        said = f"{self.name}: {len(X):,} rows, {gaps:,} of them with gaps; target {self.target} ({counts}{more}); "
        return " ".join([f"{said}{how_many(X.shape[1], 'column')}: {_listed(X.columns)}.", *self.notes, *self._kept[1]])

    __repr__ = __str__


def read_table(source: str | Path | bytes | pd.DataFrame | None = None, target: str | None = None,
               name: str = "") -> Table:  # fmt: skip
    """Read a table to learn from: a CSV file (its path or its bytes), or a frame; without one, the penguins.

    Comma, semicolon, tab or bar between the columns, and their names in the first row. UTF-8 (with a mark or without),
    UTF-16 or Latin-1. A cell without anything, or with NA, NaN, null, none, ?, - or a dot, is a gap. target: the column
    to predict; by default one that is called so, else the last one that can be. TableError says in a sentence what is
    wrong with a file.
    """
    if source is None:
        data = load_penguins()
        source = pd.DataFrame({"species": data.target_names[data.target]} | data.data)
        name, target = name or PENGUINS, target or "species"
    if isinstance(source, pd.DataFrame):
        frame, notes = _finite(source)
    else:
        name, content = (name, source) if isinstance(source, bytes) else _content(Path(source), name)
        frame, notes = _frame(content)
    if len(frame) < FEWEST_ROWS:
        raise TableError(f"The table has {how_many(len(frame), 'row')} under its header, and it takes {FEWEST_ROWS} to "
                         "learn and to test.")  # fmt: skip
    targets = [str(column) for column in frame if not _no_target(frame[column])]
    if target is None and not targets:
        reasons = " ".join(f"{column!r}: {_no_target(frame[column])}" for column in list(frame)[:3])
        raise TableError(f"No column can be the target, which needs 2 to {MOST_CLASSES} classes. {reasons}")
    named = [column for column in targets if column.lower() in TARGETS]
    chosen = target if target is not None else (named or targets)[-1]
    if target is None and not named:
        notes += [f"{column!r} cannot be the target: {_no_target(frame[column])}"
                  for column in frame if column.lower() in TARGETS]  # fmt: skip
    return Table(name or "your table", frame, str(chosen), tuple(notes)).choose(str(chosen))


def _finite(source: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """A copy of a frame, with names for its columns and gaps for infinite numbers, and a word on them."""
    frame, notes = source.copy(), []
    frame.columns = frame.columns.astype(str)
    for name in frame.select_dtypes("number"):
        if endless := int(np.isinf(frame[name].astype(float)).sum()):
            frame[name] = frame[name].replace([np.inf, -np.inf], np.nan)
            notes.append(f"{name!r}: infinite in {how_many(endless, 'cell')}: taken as gaps.")
    return frame, notes


# --- from a file to a frame -----------------------------------------------------------------------------------------


def _content(path: Path, name: str) -> tuple[str, bytes]:
    """Name and bytes of a file."""
    try:
        size = path.stat().st_size
        if size <= MOST_BYTES:
            return name or path.name, path.read_bytes()
    except OSError as problem:
        raise TableError(f"{str(path)!r} cannot be read: {problem.strerror or problem}.") from None
    raise TableError(_too_large(size))


def _too_large(size: int) -> str:
    return (f"The file has {size / 1e6:,.0f} MB, and this page reads up to {MOST_BYTES / 1e6:.0f}. Take some of its "
            "rows: read_table(pandas.read_csv(path, nrows=100_000)).")  # fmt: skip


def _frame(content: bytes) -> tuple[pd.DataFrame, list[str]]:
    """The columns of a CSV file, numbers as numbers, and what was done to them."""
    if len(content) > MOST_BYTES:
        raise TableError(_too_large(len(content)))
    text, notes = _text(content)
    header, rows, separator = _rows(text)
    names = _names(header, rows)
    columns = {}
    for at, name in enumerate(names):
        columns[name], note = read_column([row[at].strip() for row in rows], comma=separator != ",")
        notes += [f"{name!r}: {note}"] if note else []
    return pd.DataFrame(columns), notes


def _text(content: bytes) -> tuple[str, list[str]]:
    """The text of a file by its encoding, and a word on it where we had to guess."""
    for start, what in NO_TEXT.items():
        if content.startswith(start):
            remedy = "Unpack it first." if start == b"\x1f\x8b" else "In the spreadsheet: Save as, “CSV UTF-8”."
            raise TableError(f"This is {what} and no text. {remedy}")
    text, notes = _decoded(content)
    if not text.strip():
        raise TableError("The file is empty.")
    if re.match(r"\s*<(!doctype|html|\?xml|table)", text, re.I):
        raise TableError("This is a web page and no table. Download the file itself, not the page that shows it.")
    if sum(char < " " and char not in "\t\n\r\v\f" for char in text[:100_000]) > 0.01 * len(text[:100_000]):
        raise TableError(NOT_TEXT)
    return text, notes


def _decoded(content: bytes) -> tuple[str, list[str]]:
    try:
        if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
            return content.decode("utf-16"), []
        if not content.startswith(BOM_UTF8) and b"\x00" in content:
            even, odd = content[::2].count(0), content[1::2].count(0)
            return content.decode("utf-16-le" if odd > even else "utf-16-be"), []
        return content.decode("utf-8-sig"), []
    except UnicodeDecodeError:
        if b"\x00" in content:
            raise TableError(NOT_TEXT) from None
    word = "It is not UTF-8, so we read it as Latin-1: see whether letters like é, ö and ñ are right."
    try:
        return content.decode("cp1252"), [word]  # Windows's Latin-1, with quotation marks and the euro
    except UnicodeDecodeError:
        return content.decode("latin-1"), [word]


def _rows(text: str) -> tuple[list[str], list[list[str]], str]:
    """Header, rows and separator: the one that cuts the first lines into the most columns of one number."""
    best = max(SEPARATORS, key=lambda separator: _width(text, separator))
    if _width(text, best) <= 1:  # the first row is none of the table's, or has too few names
        best = max(SEPARATORS, key=lambda separator: np.median(_widths(text, separator) or [0]))
    try:
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=best, strict=True)
        rows = [row for row in lines if any(map(str.strip, row))]
    except csv.Error as problem:
        raise TableError(f"The file cannot be cut into columns: {problem}. Is a quotation mark left open?") from None
    header, *rows = rows
    if _titled(header, rows):
        title = ", ".join(filter(None, header))[:40]
        raise TableError(f"The first row ({title}) names no columns. Is there a title above the header? Delete it.")
    if len(header) < 2:
        raise TableError(f"There is only one column: no {_listed(SEPARATORS.values(), 'or')} stands in the header.")
    if not rows:
        raise TableError("There is a header, and no row under it.")
    odd = [(at, row) for at, row in enumerate(rows, start=2) if len(row) != len(header)]
    if odd:
        at, row = odd[0]
        more = f" {how_many(len(odd) - 1, 'other row')} too." if len(odd) > 1 else ""
        raise TableError(f"The header has {len(header)} columns and row {at} has {len(row)}. Is a {SEPARATORS[best]} "
                         f"inside a cell without quotation marks?{more}")  # fmt: skip
    return header, rows, best


def _widths(text: str, separator: str) -> list[int]:
    """Columns of each of the first lines."""
    lines = [line for line in text[:100_000].splitlines() if line.strip()][:50]
    return [len(row) for row in csv.reader(lines, delimiter=separator)]


def _width(text: str, separator: str) -> float:
    """Columns of the header, less where the first lines do not agree."""
    widths = _widths(text, separator)
    return widths[0] * widths.count(widths[0]) / len(widths) if widths else 0.0


def _titled(header: list[str], rows: list[list[str]]) -> bool:
    """Whether the first row is a title: a single cell, and two or more below it."""
    said = sum(map(bool, map(str.strip, header)))
    return said == 1 and (len(header) > 2 or (bool(rows) and np.median([len(row) for row in rows]) > len(header)))


def _names(header: list[str], rows: list[list[str]]) -> list[str]:
    """The names of the columns; TableError if the first row is no header."""
    names = [cell.strip() for cell in header]
    data = [bool(number(name) is not None or (len(rows) > 1 and any(row[at].strip() == name for row in rows)))
            for at, name in enumerate(names) if name]  # fmt: skip
    if sum(data) > len(names) / 2:
        first = ", ".join(names[:4])
        raise TableError(f"The first row looks like data ({first}, …). Write a row with the columns’ names above it.")
    if twice := [name for name, count in Counter(filter(None, names)).items() if count > 1]:
        raise TableError(f"Two columns have the same name, {twice[0]!r}. Give each a name of its own.")
    return [name or f"column {at}" for at, name in enumerate(names, start=1)]


# --- what can be predicted, and from what ----------------------------------------------------------------------------


def _no_target(column: pd.Series) -> str:
    """Why a column cannot be the target; nothing if it can."""
    there = column.dropna()
    classes = there.nunique()
    if not classes:
        return "it is empty."
    if classes == 1:
        return f"it has one class only, {there.iloc[0]!s:.20}."
    numeric = pd.api.types.is_numeric_dtype(there)
    if classes == len(there) and not (numeric and classes > MOST_CLASSES):
        return "every row has a value of its own: that names rows, not classes."
    if classes > MOST_CLASSES:
        cut = " Cut it into ranges, with pandas.cut, if they shall be classes." * numeric
        return f"it has {classes:,} different values, and more than {MOST_CLASSES} are hardly classes.{cut}"
    counts = there.value_counts()
    common = counts[counts >= FEWEST_OF_A_CLASS]
    if len(common) < 2:
        return f"{'only one' if len(common) else 'none'} of its classes has {FEWEST_OF_A_CLASS} rows or more."
    if common.sum() < FEWEST_ROWS:
        return f"only {common.sum()} rows have a class of {FEWEST_OF_A_CLASS} rows or more, and it takes {FEWEST_ROWS}."
    return ""


def _kept(frame: pd.DataFrame, target: str) -> tuple[pd.DataFrame, list[str]]:
    """Rows with a target that others have, and columns that can tell it; and why the rest is left out."""
    notes = []
    if empty := int(frame[target].isna().sum()):
        notes.append(f"Left out: {how_many(empty, 'row')} without a {target}.")
    counts = frame[target].value_counts()
    rare = counts[counts < FEWEST_OF_A_CLASS].index
    if len(rare):
        classes = "a class" if len(rare) == 1 else "classes"
        notes.append(f"Left out: {_listed(rare)}, {classes} of fewer than {FEWEST_OF_A_CLASS} rows: too few to test.")
    kept = frame[frame[target].notna() & ~frame[target].isin(rare)].reset_index(drop=True)
    for name in kept.columns.drop(target):
        if why := _useless(kept[name]):
            notes.append(f"Left out: {name if UNNAMED.fullmatch(name) else f'column {name}'}, {why}.")
            kept = kept.drop(columns=name)
        elif _numbers_that_differ(kept[name]):
            notes.append(f"Every row has its own {name}: is it a number that names rows? Then leave it out: "
                         f"your_table(pandas.read_csv(path).drop(columns={name!r})).")  # fmt: skip
        elif code := _code_for_a_gap(kept[name]):
            notes.append(f"{name!r}: {code}, far from all others: does it stand for a gap? Then empty those cells.")
    return kept, notes


def _numbers_that_differ(column: pd.Series) -> bool:
    """Whether every row has a whole number of its own."""
    there = column.dropna()
    whole = pd.api.types.is_numeric_dtype(there) and (there == there.round()).all()
    return bool(whole and there.nunique() == len(there) == len(column))


def _code_for_a_gap(column: pd.Series) -> str:
    """A number of nines, such as -999, that stands in some rows and is farther from the rest than that is wide."""
    if not pd.api.types.is_numeric_dtype(column):
        return ""
    values = np.unique(column.dropna().to_numpy(dtype=float))
    for code, rest in ((values[0], values[1:]), (values[-1], values[:-1])):
        times = int((column == code).sum())
        far = len(rest) > 1 and np.abs(rest - code).min() > np.ptp(rest)
        if far and times > 1 and re.fullmatch(r"-?99+", f"{code:g}"):
            return f"{typeset(f'{code:g}')} in {how_many(times, 'row')}"
    return ""


def _useless(column: pd.Series) -> str:
    """Why nothing can be learned from a column; nothing if something can."""
    there = column.dropna()
    different = there.nunique()
    if different < 2:
        return "it has the same value everywhere" if different else "it is empty"
    if pd.api.types.is_integer_dtype(there):
        return "it counts the rows" if len(there) == len(column) and there.diff().nunique() == 1 else ""
    if not pd.api.types.is_numeric_dtype(there) and different > 0.5 * len(there):
        odd = [str(cell) for cell in there if number(str(cell), comma=True) is None]
        if 0 < len(odd) < 0.5 * len(there):
            return (f"{len(there) - len(odd):,} of {len(there):,} cells are numbers and {odd[0][:20]!r} is none: empty "
                    "such cells, and it is read as numbers")  # fmt: skip
        return f"{different:,} different texts in {len(there):,} rows tell rows apart, not classes"
    return ""


def _listed(names, last: str = "and", most: int = 8) -> str:
    """Names in a sentence, the first few of many."""
    names = list(map(str, names))
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return f" {last} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))

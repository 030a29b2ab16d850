"""Read a reader's own CSV file into a table to learn from, or say in one sentence what is wrong; it is sent nowhere."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from nbcore.datasets import load_penguins
from workbook.explorer.formatting import how_many

from .csv_columns import FEWEST_ROWS, MOST_CLASSES, find_target_fault, list_names, select_rows_and_columns
from .csv_file import MOST_BYTES, TableError, parse_frame

__all__ = ["Table", "TableError", "read_table"]

TARGETS = ("target", "class", "label", "y", "species", "outcome")  # usual names of a column to predict


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
        return [name for name in self.frame if not find_target_fault(self.frame[name])]

    @cached_property
    def _selection(self) -> tuple[pd.DataFrame, list[str]]:
        return select_rows_and_columns(self.frame, self.target)

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
            raise TableError(f"There is no column {target!r}; there are {list_names(self.frame.columns)}.")
        if fault := find_target_fault(self.frame[target]):
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
        return " ".join([f"{size}{how_many(X.shape[1], 'column')}: {list_names(X.columns)}.", *self.notes, *notes])

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
        frame, notes = parse_frame(source)
    else:
        name = name or Path(source).name
        try:
            with open(source, "rb") as file:
                frame, notes = parse_frame(file.read(MOST_BYTES + 1))
        except OSError as problem:
            raise TableError(f"{str(source)!r} cannot be read: {problem.strerror or problem}.") from None
    if len(frame) < FEWEST_ROWS:
        raise TableError(f"The table has {how_many(len(frame), 'row')} under its header, and it takes {FEWEST_ROWS}.")
    table = Table(name or "your table", frame, "", tuple(notes))
    if target is None:
        if not table.targets:
            reasons = " ".join(f"{column!r}: {find_target_fault(frame[column])}" for column in list(frame)[:3])
            raise TableError(f"No column can be the target, which needs 2 to {MOST_CLASSES} classes. {reasons}")
        target = ([column for column in table.targets if column.lower() in TARGETS] or table.targets)[-1]
    return table.choose(target)

"""Which columns of a table can be the target, which can tell classes apart; what is left out, in a sentence each."""

from __future__ import annotations

from itertools import combinations

import pandas as pd

from workbook.explorer.formatting import how_many

from .csv_numbers import parse_number

__all__ = ["FEWEST_ROWS", "MOST_CLASSES", "find_target_fault", "list_names", "select_rows_and_columns"]

MOST_CLASSES = 50
FEWEST_ROWS, FEWEST_OF_A_CLASS = 40, 10  # what `diagnose` needs, and ten folds


def find_target_fault(column: pd.Series) -> str:
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


def select_rows_and_columns(frame: pd.DataFrame, target: str) -> tuple[pd.DataFrame, list[str]]:
    """Return rows of common classes and columns that can tell classes apart; and notes on what is left out."""
    notes = []
    if empty := int(frame[target].isna().sum()):
        notes.append(f"Left out: {how_many(empty, 'row')} without a {target}.")
    counts = frame[target].value_counts()
    rare = counts[counts < FEWEST_OF_A_CLASS].index
    if len(rare):
        notes.append(f"Left out: the rows of {list_names(rare)}, fewer than {FEWEST_OF_A_CLASS} of a class.")
    selected = frame[frame[target].notna() & ~frame[target].isin(rare)].reset_index(drop=True)
    for name in selected.columns.drop(target):
        column = selected[name]
        if fault := _column_fault(column):
            notes.append(f"Left out: column {name}, {fault}.")
            selected = selected.drop(columns=name)
        elif column.nunique() == len(column) and (column == column.round()).all():
            notes.append(f"Every row has its own {name}: is it a number that names rows? Then delete it in the file.")
    notes += [f"{name}: {alike}" for name in selected if (alike := _find_alike(selected[name]))]
    return selected, notes


def _find_alike(column: pd.Series) -> str:
    """Return a note on two values that differ in capitals only, "" if there are none."""
    values = sorted(set(column.dropna().astype(str))) if not pd.api.types.is_numeric_dtype(column) else []
    for first, second in combinations(values, 2):
        if first.casefold() == second.casefold():
            return f"{first!r} and {second!r} are two values here; write them alike if they are one."
    return ""


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
            return (f"{len(filled) - len(odd):,} of {len(filled):,} cells are numbers; {odd[0][:20]!r} is not: "
                    "empty such cells, and it is read as numbers")  # fmt: skip
        return f"{different:,} different texts in {len(filled):,} rows tell rows apart, not classes"
    return ""


def list_names(names: pd.Index) -> str:
    """List names in a sentence, of many the first eight."""
    first, more = [*map(str, names[:8])], len(names) - 8
    last = f"{more} more" if more > 0 else first.pop()
    return f"{', '.join(first)} and {last}" if first else last

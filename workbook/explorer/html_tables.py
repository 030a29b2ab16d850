"""A still picture: how large it stands on a page, and its numbers as tables under it, closed until asked for."""

from __future__ import annotations

import html
from collections.abc import Sequence
from struct import unpack
from typing import NamedTuple

__all__ = ["SCALE", "Table", "size", "tabled"]

SCALE = 1.5  # pixels of a saved picture for one of the page
SHORT = 12  # rows that need no box to scroll in
SCROLLS = "max-height: 260px; overflow: auto; width: fit-content; max-width: 100%"


class Table(NamedTuple):
    """heads: of each column, the first one says what a row is of; rows: of numbers or texts."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[float | str]]


def size(png: bytes) -> tuple[int, int]:
    """Return width and height of a saved picture on the page."""
    width, height = unpack(">II", png[16:24])
    return round(width / SCALE), round(height / SCALE)


def tabled(tables: Sequence[Table]) -> str:
    """As HTML; nothing if there are none."""
    shown = "".join(map(_one, tables))
    return f"<details><summary>Numbers</summary>{shown}</details>" if shown else ""


def _one(table: Table) -> str:
    caption = html.escape(table.caption)
    head = "".join(f'<th scope="col">{html.escape(text)}</th>' for text in table.heads)
    rows = "".join(
        f'<tr><th scope="row">{_said(first)}</th>{"".join(f"<td>{_said(cell)}</td>" for cell in cells)}</tr>'
        for first, *cells in table.rows
    )
    made = f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    if len(table.rows) <= SHORT:
        return made
    return f'<div style="{SCROLLS}" tabindex="0" role="group" aria-label="{caption}">{made}</div>'


def _said(cell: float | str) -> str:
    if isinstance(cell, str):
        return html.escape(cell)
    return "no value" if cell != cell else f"{cell:.4g}".replace("-", "−")

"""HTML for a still picture: its size on a page, and the tables of its numbers, closed until a reader opens them."""

from __future__ import annotations

import html
from collections.abc import Sequence
from struct import unpack
from typing import NamedTuple

__all__ = ["SCALE", "Table", "size", "tables_html"]

SCALE = 1.5  # pixels of a saved picture for one of the page
SHORT = 12  # rows that need no box to scroll in
SCROLLS = "max-height: 260px; overflow: auto; width: fit-content; max-width: 100%"


class Table(NamedTuple):
    """A table of numbers or texts. heads: of the columns; the first column says what a row is of."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[float | str]]


def size(png: bytes) -> tuple[int, int]:
    """Return the width and height in px that a saved picture has on the page."""
    width, height = unpack(">II", png[16:24])
    return round(width / SCALE), round(height / SCALE)


def tables_html(tables: Sequence[Table]) -> str:
    """Return tables as HTML, folded up; an empty text if there are none."""
    shown = "".join(map(_table_html, tables))
    return f"<details><summary>Numbers</summary>{shown}</details>" if shown else ""


def _table_html(table: Table) -> str:
    caption = html.escape(table.caption)
    head = "".join(f'<th scope="col">{html.escape(text)}</th>' for text in table.heads)
    rows = "".join(
        f'<tr><th scope="row">{_cell_html(first)}</th>{"".join(f"<td>{_cell_html(cell)}</td>" for cell in cells)}</tr>'
        for first, *cells in table.rows
    )
    markup = f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    if len(table.rows) <= SHORT:
        return markup
    return f'<div style="{SCROLLS}" tabindex="0" role="group" aria-label="{caption}">{markup}</div>'


def _cell_html(cell: float | str) -> str:
    if isinstance(cell, str):
        return html.escape(cell)
    return "no value" if cell != cell else f"{cell:.4g}".replace("-", "−")

"""The bench's saved result, saved.json, and the tables of docs/speed.md that are made from it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

import numpy as np

from . import ROOT, Row, explorer_classes

SAVED = ROOT / "benchmarks" / "saved.json"
PAGE = ROOT / "docs" / "speed.md"
BETWEEN = re.compile(r"(<!-- bench -->\n).*(<!-- end of bench -->)", re.DOTALL)
PAGES = "Run All", "a class of"  # how the rows of whole pages begin
HEAD = "explorer", "key press to redraw, ms", "matplotlib", "ratio", "drawing, ms", "plotly.js", "ratio"
OF_PAGES = ("of a page", "ours", "compared with", "ratio", "goal", "met?")
MET = {True: "yes", False: "no", None: ""}


def load() -> dict:
    """Read the saved result.

    explorers: name -> medians of key press, matplotlib, drawing and plotly.js in ms;
    pages: cells of OF_PAGES for each row; about: the machine of the last run.
    """
    return json.loads(SAVED.read_text("utf-8"))


def write(rows: list[Row], about: str) -> None:
    """Save what was measured and make the page's tables anew; what was not measured this time keeps its numbers."""
    saved = merge(load(), rows, about)
    explorers = ",\n".join(f"{json.dumps(name)}: {json.dumps(each)}" for name, each in saved["explorers"].items())
    pages = ",\n".join(map(json.dumps, saved["pages"]))
    SAVED.write_text(
        f'{{\n"about": {json.dumps(about)},\n"explorers": {{\n{explorers}\n}},\n"pages": [\n{pages}\n]\n}}\n', "utf-8"
    )
    PAGE.write_text(fill_page(PAGE.read_text("utf-8"), saved), "utf-8")


def merge(saved: dict, rows: list[Row], about: str) -> dict:
    """Replace in a saved result what these rows measured; a kind of page that they have not stays as it was."""
    explorers = {}
    for name in short_names():
        key_press = find_medians(rows, f"key press to redraw, {name}Explorer")
        explorers[name] = key_press + find_medians(rows, f"drawing, {name}Explorer") or saved["explorers"].get(name)
    measured = [[row.name.replace("|", "/"), row.ours, row.peer, "" if row.ratio is None else f"{row.ratio:.2f}",
                 row.goal, MET[row.met]] for row in rows]  # fmt: skip
    pages = []
    for kind in PAGES:
        new = [cells for cells in measured if cells[0].startswith(kind)]
        pages += new or [cells for cells in saved["pages"] if cells[0].startswith(kind)]
    return {"about": about, "explorers": {name: each for name, each in explorers.items() if each}, "pages": pages}


def find_medians(rows: list[Row], start: str) -> list[float]:
    """Return the two medians of the row with this name; [] where it was not measured."""
    found = [row for row in rows if re.match(rf"{start}\b", row.name)]
    return [float(cell.split()[0]) for row in found[:1] for cell in (row.ours, row.peer)]


def short_names() -> list[str]:
    """Return the explorers' names without "Explorer"."""
    return [kind.__name__.removesuffix("Explorer") for kind in explorer_classes()]


def fill_page(page: str, saved: dict) -> str:
    """Return the page with its tables made from the saved result."""
    return BETWEEN.sub(lambda marks: f"{marks[1]}\n{make_tables(saved)}\n\n{marks[2]}", page)


def make_tables(saved: dict) -> str:
    """Return the tables as Markdown; every ratio is that of the two numbers beside it, as they are printed."""
    lines = [line(name, *numbers) for name, numbers in saved["explorers"].items()]
    ends = [(f"**{name}**", *summary(lines, of)) for name, of in (("worst", np.max), ("median", np.median))]
    missing = [name for name in short_names() if name not in saved["explorers"]]
    parts = [markdown(HEAD, [*lines, *ends]), markdown(OF_PAGES, saved["pages"])]
    parts += [f"Not measured yet: {', '.join(missing)}."] if missing else []
    return "\n\n".join([*parts, saved["about"]])


def line(name: str, key: float, peer: float, ours: float, plotly: float) -> tuple:
    """Return an explorer's cells of HEAD."""
    return (name, key, peer, round(key / peer, 2), ours, plotly, round(ours / plotly, 2))


def summary(lines: list[tuple], of) -> tuple:
    """Return the worst or the median of the ratios, as cells of HEAD."""
    key, drawing = (round(float(of([row[k] for row in lines])), 2) for k in (3, 6))
    return ("", "", key, "", "", drawing)


def markdown(head: Iterable, rows: Iterable[Iterable]) -> str:
    """Return a table as Markdown."""
    lines = [head, ["---"] * len(tuple(head)), *rows]
    return "\n".join(f"| {' | '.join(cell(each) for each in row)} |" for row in lines)


def cell(value) -> str:
    """Return a number in its shortest form, a text without bars."""
    return f"{value:g}" if isinstance(value, float | int) else str(value).replace("|", "/")

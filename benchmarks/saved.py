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
KEY, DRAWING = "key press to redraw, ", "drawing, "
WHOLE = "Run All", "a class of"
HEAD = "explorer", "key press to redraw, ms", "matplotlib", "ratio", "drawing, ms", "plotly.js", "ratio"
OF_PAGES = ("of a page", "ours", "compared with", "ratio", "goal", "met?")
MET = {True: "yes", False: "no", None: ""}


def write(rows: list[Row], about: str) -> None:
    """Save what was measured and make the page's tables anew; what was not measured this time keeps its numbers."""
    saved = merge(load(), rows, about)
    explorers = ",\n".join(f"{json.dumps(name)}: {json.dumps(numbers)}" for name, numbers in saved["explorers"].items())
    pages = ",\n".join(map(json.dumps, saved["pages"]))
    SAVED.write_text(
        f'{{\n"about": {json.dumps(about)},\n"explorers": {{\n{explorers}\n}},\n"pages": [\n{pages}\n]\n}}\n', "utf-8"
    )
    PAGE.write_text(renewed(PAGE.read_text("utf-8"), saved), "utf-8")


def load() -> dict:
    """Read the saved result.

    explorers: name -> medians of key press, matplotlib, drawing and plotly.js in ms;
    pages: cells of OF_PAGES for each row; about: the machine of the last run.
    """
    return json.loads(SAVED.read_text("utf-8"))


def merge(saved: dict, rows: list[Row], about: str) -> dict:
    """Replace in a saved result what these rows measured."""
    names = [kind.__name__.removesuffix("Explorer") for kind in explorer_classes()]
    known = saved["explorers"] | {name: measure(f"{name}Explorer", rows) for name in names if name in pressed(rows)}
    return {"about": about, "explorers": {name: known[name] for name in names if name in known},
            "pages": merge_pages(saved["pages"], rows)}  # fmt: skip


def merge_pages(saved: list[list[str]], rows: list[Row]) -> list[list[str]]:
    """Return the rows of whole pages; a kind that was not measured this time stays as it was."""
    new = [[row.name.replace("|", "/"), row.ours, row.peer, "" if row.ratio is None else f"{row.ratio:.2f}", row.goal,
            MET[row.met]] for row in rows]  # fmt: skip
    kinds = [(start, [each for each in new if each[0].startswith(start)]) for start in WHOLE]
    return [each for start, found in kinds for each in found or saved if each[0].startswith(start)]


def pressed(rows: list[Row]) -> set[str]:
    """Return the explorers whose key press was measured."""
    return {row.name.removeprefix(KEY).split()[0].removesuffix("Explorer") for row in rows if row.name.startswith(KEY)}


def measure(name: str, rows: list[Row]) -> list[float]:
    """Return an explorer's medians as they are saved."""
    key, drawing = the(rows, KEY + name), the(rows, DRAWING + name)
    return [float(each.split()[0]) for each in (key.ours, key.peer, drawing.ours, drawing.peer)]


def the(rows: list[Row], start: str) -> Row:
    """Find the one row with this name."""
    found = [row for row in rows if re.match(rf"{start}\b", row.name)]
    if len(found) != 1 or not found[0].ours[0].isdigit():
        raise ValueError(f"this run has no row “{start}”: nothing was saved.")
    return found[0]


# --- the page --------------------------------------------------------------------------------------------------------


def renewed(page: str, saved: dict) -> str:
    """Return the page with its tables made from the saved result."""
    return BETWEEN.sub(lambda marks: f"{marks[1]}\n{tables(saved)}\n\n{marks[2]}", page)


def tables(saved: dict) -> str:
    """Return the tables as Markdown; every ratio is that of the two numbers beside it, as they are printed."""
    lines = [line(name, *numbers) for name, numbers in saved["explorers"].items()]
    ends = [(f"**{name}**", *summary(lines, of)) for name, of in (("worst", np.max), ("median", np.median))]
    names = [kind.__name__ for kind in explorer_classes() if kind.__name__ not in measured(saved)]
    missing = [name.removesuffix("Explorer") for name in names]
    parts = [markdown(HEAD, [*lines, *ends]), markdown(OF_PAGES, saved["pages"])]
    parts += [f"Not measured yet: {', '.join(missing)}."] if missing else []
    return "\n\n".join([*parts, saved["about"]])


def measured(saved: dict) -> set[str]:
    """Return the explorers that have a line."""
    return {f"{name}Explorer" for name in saved["explorers"]}


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

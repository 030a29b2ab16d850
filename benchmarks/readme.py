"""The README's table of the bench: a line for each explorer, what all of them come to, and rows of whole pages."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from . import ROOT, Row
from .browser import GOAL as KEY_GOAL
from .browser import MEDIAN_GOAL as KEY_MEDIAN
from .drawing import GOAL as DRAWING_GOAL
from .drawing import MEDIAN_GOAL as DRAWING_MEDIAN
from .explorers import explorer_classes
from .kernel import GOAL as KERNEL_GOAL

README = ROOT / "README.md"
BETWEEN = re.compile(r"(<!-- bench -->\n).*(<!-- end of bench -->)", re.DOTALL)
KEY, AFTER = "key press to redraw, ", "key press with nothing ahead, "
DRAWING, KERNEL = "drawing, ", "kernel, one step of "
WHOLE = ("slow line", "Run All", "plotly.js received", "data received", "the site", "the room votes", "a class of")
HEAD = (
    "explorer",
    "key press to redraw, ms",
    "nothing ahead",
    "matplotlib",
    "ratio",
    "nothing ahead",
    "drawing, ms",
    "plotly.js",
    "ratio",
    "kernel, ms of CPU",
)
OF_PAGES = ("of a page", "ours", "compared with", "ratio", "goal", "met?")
MET = {True: "yes", False: "no", None: ""}


def write(rows: list[Row], about: str) -> None:
    """Put the table between the README's two marks; what was not measured this time keeps its lines."""
    before = README.read_text(encoding="utf-8")
    after = BETWEEN.sub(lambda marks: f"{marks[1]}\n{text(rows, about, before)}\n\n{marks[2]}", before)
    README.write_text(after, encoding="utf-8")


def text(rows: list[Row], about: str, before: str) -> str:
    """Markdown; every ratio is that of the two numbers beside it, as they are printed."""
    names = [kind.__name__.removesuffix("Explorer") for kind in explorer_classes()]
    known = {name: tuple(map(read, cells)) for name, *cells in lines_of(before)}
    known |= {name: line(f"{name}Explorer", rows) for name in names if f"{name}Explorer" in found_in(rows)}
    lines = [(name, *known[name]) for name in names if name in known]
    worst, median = summary(lines, np.max), summary(lines, np.median)
    goals = ("**goal, worst**", "", "", "", KEY_GOAL, "", "", "", DRAWING_GOAL, 1e3 * KERNEL_GOAL)
    medians = ("**goal, median**", "", "", "", KEY_MEDIAN, "", "", "", DRAWING_MEDIAN, "")
    ends = [("**worst**", *worst), goals, met("worst", worst, goals)]
    ends += [("**median**", *median), medians, met("median", median, medians)]
    missing = [name for name in names if name not in known]
    parts = [markdown(HEAD, [*lines, *ends]), markdown(OF_PAGES, pages(rows, before))]
    parts += [f"Not measured yet: {', '.join(missing)}."] if missing else []
    return "\n\n".join([*parts, about])


def pages(rows: list[Row], before: str) -> list[tuple]:
    """The rows of whole pages; a kind that was not measured this time stays as it was."""
    lines = [
        (row.name, row.ours, row.peer, "" if row.ratio is None else f"{row.ratio:.2f}", row.goal, MET[row.met])
        for row in rows
    ]
    kinds = [(start, [each for each in lines if each[0].startswith(start)]) for start in WHOLE]
    return [each for start, new in kinds for each in new or lines_of(before) if each[0].startswith(start)]


def lines_of(readme: str) -> list[list[str]]:
    """The cells of every line of the tables that stand in the README."""
    table = [line for line in BETWEEN.search(readme)[0].splitlines() if line.startswith("| ")]
    return [[each.strip() for each in line.strip("|").split("|")] for line in table]


def read(cell: str):
    """A number of the table, or what else stands there."""
    try:
        return float(cell)
    except ValueError:
        return cell


def measured() -> set[str]:
    """The explorers that have a line in the README."""
    return {f"{name}Explorer" for name, *_ in lines_of(README.read_text(encoding="utf-8"))}


def found_in(rows: list[Row]) -> set[str]:
    """The explorers whose key press was measured."""
    return {row.name.removeprefix(KEY).split()[0] for row in rows if row.name.startswith(KEY)}


def line(name: str, rows: list[Row]) -> tuple:
    """An explorer's medians."""
    key, after, drawing, kernel = (the(rows, kind + name) for kind in (KEY, AFTER, DRAWING, KERNEL))
    (ahead, peer, ratio), (later, _, harder) = pair(key), pair(after)
    return (ahead, later, peer, ratio, harder, *pair(drawing), number(kernel.ours))


def the(rows: list[Row], start: str) -> Row:
    found = [row for row in rows if re.match(rf"{start}\b", row.name)]
    if len(found) != 1 or not found[0].ours[0].isdigit():
        raise ValueError(f"this run has no row “{start}”: the README keeps its table.")
    return found[0]


def pair(row: Row) -> tuple[float, float, float]:
    ours, peer = number(row.ours), number(row.peer)
    return ours, peer, round(ours / peer, 2)


def number(shown: str) -> float:
    """The median of what is shown as "12.3 ms (p90 14)"."""
    return float(shown.split()[0])


def summary(lines: list[tuple], of) -> tuple:
    """Of the ratios and of the kernel's time."""
    key, after, drawing, kernel = (float(of([row[k] for row in lines])) for k in (4, 5, 8, 9))
    return ("", "", "", round(key, 2), round(after, 2), "", "", round(drawing, 2), kernel)


def met(name: str, found: tuple, goals: tuple) -> tuple:
    return (
        f"**{name}: met?**",
        *("" if goal == "" else MET[value <= goal] for value, goal in zip(found, goals[1:], strict=True)),
    )


def markdown(head: Iterable, rows: Iterable[Iterable]) -> str:
    lines = [head, ["---"] * len(tuple(head)), *rows]
    return "\n".join(f"| {' | '.join(cell(each) for each in row)} |" for row in lines)


def cell(value) -> str:
    return f"{value:g}" if isinstance(value, float | int) else str(value).replace("|", "/")

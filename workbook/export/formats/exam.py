"""An exam sheet to print and, apart, its answers: exercises to compute on paper, whose numbers a seed chooses."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from string import Template

from workbook.explorer.formatting import how_many, written
from workbook.export.markup import paragraph_html
from workbook.export.questions import DIGITS, background
from workbook.learning import contents
from workbook.questions.exercises import Exercise
from workbook.questions.variants import variants

__all__ = ["HOW", "draw", "find_problem", "write"]

HOW = "Open the sheet in a browser and print it; the answers are a file of their own."
POINTS = 4  # of each exercise
RULES = "Show your working: half of the points are for it. Three significant digits or a fraction are enough."
NOTATION = {  # what stands in Python -> how it is written
    r"(?m)^(from|import) .+\n+": "", r"\bF(raction)?\(([^,()]+), ([^()]+)\)": r"(\2) / (\3)",
    r"(?<![\w)])\((\w+)\)": r"\1", r" ?\*\* ?(\([^()]+\)|[\w.]+)": r"<sup>\1</sup>", r" \* ": " · ", r"\bnp\.": "",
    r"\barray\((.+)\)": r"\1", r"\blog\(": "ln(", r"(?<=\w)_(?=\w)": " ", "#": "—", "&lt;=": "≤",
    "-": "−", r"(\w+)\.std\(ddof=1\)": r"deviation(\1)", r"(\w+)\.mean\(\)": r"mean(\1)",
}  # fmt: skip
PAGE = Template(files("workbook").joinpath("export/formats/exam.html").read_text("utf-8"))


def write(folder: Path, names: Collection[str], seed: int) -> Iterator[str]:
    """Write the sheet and its answers; yield a line on each. names: of chapters ("02") and exercises ("02/laplace")."""
    items = draw(names, seed)
    fields = f"Name <span></span> Number <span></span> Points <span></span> of {POINTS * len(items)}"
    tasks = (_section(count, item, f"____ of {POINTS} points", '<div class="room"></div>')
             for count, item in enumerate(items, 1))  # fmt: skip
    head = f"<p>Made by this command:</p><pre>python3 run.py export exam {' '.join(names)} --seed {seed}</pre>"
    answers = (_section(count, item, item.key, _answer(item)) for count, item in enumerate(items, 1))
    for name, title, body in (
        (f"exam-{seed}", f"Naive Bayes: exam, sheet {seed}", [f"<header>{fields}</header><p>{RULES}</p>", *tasks]),
        (f"exam-{seed}-answers", f"Answers to sheet {seed}", [head, *answers]),
    ):
        (folder / f"{name}.html").write_text(PAGE.substitute(title=title, body="".join(body)), "utf-8")
        yield f"{how_many(len(items), 'exercise')}, {name}.html"


def find_problem(names: Collection[str]) -> str:
    """Say which of these names is of no exercise for paper; return "" if each is."""
    for name in (name for name in names if not _find(name)):
        known = ", ".join(item.key for item in _find(name[:2]))
        return f"{name} is no exercise to compute on paper; chapter {name[:2]} has: {known}"
    return "" if names else "say which chapters or exercises: export exam 02 03/centre --seed 1"


def draw(names: Collection[str], seed: int) -> list[Exercise]:
    """Return the exercises, each once, with numbers of this seed; no exercise has those of the seed before or after."""
    found = {item.key: list(variants(item)) for name in names for item in _find(name)}
    return [drawn[seed % len(drawn)] for drawn in found.values()]


def _find(name: str) -> list[Exercise]:
    """Return the exercises of a chapter, or the one with this key, that have other numbers and need no computer."""
    items = (item for key, item in contents(name[:2]).items() if name in (key, key[:2]))
    return [item for item in items if getattr(item, "parameters", None) and "scipy" not in item.solution]


def _section(count: int, item: Exercise, right: str, below: str) -> str:
    """Return a task under its number, and what stands below it."""
    text = "".join(map(paragraph_html, (*background(item), DIGITS.sub("", item.task))))
    return f"<section><h2>{count}. <span>{right}</span></h2>{text}{below}</section>"


def _answer(item: Exercise) -> str:
    """Return the answer, one way to it, and a table of typical wrong numbers, with a hint to each."""
    expected = item.expected()
    number = f"{expected} = " * isinstance(expected, Fraction) + written(float(expected))
    rows = (f"<tr><td>{written(item.number(m.answer))}<td>{html.escape(m.hint)}" for m in item.mistakes)
    return f"<p><b>{number}</b></p><pre>{write_way(item.solution)}</pre><table>{''.join(rows)}</table>"


def write_way(code: str) -> str:
    """Return a solution in Python as HTML in the usual notation: an equation for each value, fractions, powers."""
    lines = []
    for line in code.splitlines():
        names, values = (side.split(", ") for side in line.partition(" = ")[::2])
        is_list = len(names) == len(values) > 1
        lines.append(", ".join(map(" = ".join, zip(names, values, strict=True))) if is_list else line)
    text = html.escape("\n".join(lines), quote=False)
    for python, notation in NOTATION.items():
        text = re.sub(python, notation, text)
    return text

"""An exam sheet to print, and its answers in a file of their own: exercises whose numbers a seed chooses.

On the sheet are exercises with a number to compute on paper. Each has other numbers than its page of the book.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

from workbook.explorer.formatting import how_many, written
from workbook.export.markup import paragraph_html
from workbook.export.questions import DIGITS, background
from workbook.learning import contents
from workbook.questions.exercises import Exercise
from workbook.questions.variants import variants

__all__ = ["HOW", "draw", "find_problem", "write"]

HOW = "Open the sheet in a browser and print it; the answers are a file of their own."
POINTS = 4  # of each exercise
BOX = f"____ of {POINTS} points"
RULES = "Show your working: half of the points are for it. Three significant digits or a fraction are enough. All you \
need is a pocket calculator."
MARKING = "Half of the points are for the working, half for the number. A table has the typical wrong numbers, with a \
hint to each."
STYLE = """
@page { margin: 16mm 18mm; }
body { font: 11pt/1.45 Georgia, "Liberation Serif", serif; max-width: 44rem; margin: 1rem auto; padding: 0 1rem; }
header { display: flex; gap: 0.6rem; } header span { flex: 1; border-bottom: 1px solid; }
h2 { font-size: 1em; display: flex; justify-content: space-between; margin: 1.2em 0 0; }
section { break-inside: avoid; } .room { height: 70mm; border-bottom: 1px dotted; }
pre { font: 0.85em/1.4 Menlo, "Liberation Mono", monospace; white-space: pre-wrap; }
td { vertical-align: top; padding: 0 1em 0.3em 0; }
@media print { body { max-width: none; margin: 0; padding: 0; } }
"""


def write(folder: Path, names: Sequence[str], seed: int) -> Iterator[str]:
    """Write the sheet and its answers; yield a line on each. names: of chapters ("02") and exercises ("02/laplace")."""
    items = draw(names, seed)
    fields = f"Name <span></span> Number <span></span> Points <span></span> of {POINTS * len(items)}"
    head = f"<h1>Naive Bayes: exam, sheet {seed}</h1><header>{fields}</header><p>{RULES}</p>"
    tasks = (f'{_task(count, item, BOX)}<div class="room"></div></section>' for count, item in enumerate(items, 1))
    again = f"python3 run.py export exam {' '.join(names)} --seed {seed}"
    key = f"<h1>Answers to sheet {seed}</h1><p>{MARKING} This writes the sheet again:</p><pre>{again}</pre>"
    answers = (f"{_task(count, item, item.key)}{_answer(item)}</section>" for count, item in enumerate(items, 1))
    for name, body in ((f"exam-{seed}", [head, *tasks]), (f"exam-{seed}-answers", [key, *answers])):
        about = f'<meta charset="utf-8"><title>{name}</title><style>{STYLE}</style>'
        page = f'<!doctype html>\n<html lang="en"><head>{about}</head>\n<body>{"".join(body)}</body></html>\n'
        (folder / f"{name}.html").write_text(page, "utf-8")
        yield f"{how_many(len(items), 'exercise')}, {name}.html"


def find_problem(names: Sequence[str]) -> str:
    """Say why these names make no sheet; return "" if they do."""
    if not names:
        return "say which chapters or exercises: export exam 02 03/centre --seed 1"
    for name in names:
        if not _find(name):
            known = ", ".join(item.key for item in _find(name[:2]))
            return f"{name} is no exercise to compute on paper; chapter {name[:2]} has: {known}"
    return ""


def draw(names: Sequence[str], seed: int) -> list[Exercise]:
    """Return the exercises, each once, with numbers of this seed; no exercise has those of the seed before or after."""
    found = {item.key: list(variants(item)) for name in names for item in _find(name)}
    return [drawn[seed % len(drawn)] for drawn in found.values()]


def _find(name: str) -> list[Exercise]:
    """Return the exercises of a chapter, or the one with this key, that have other numbers and need no computer."""
    items = (item for key, item in contents(name[:2]).items() if name in (key, key[:2]))
    return [item for item in items if getattr(item, "parameters", None) and "scipy" not in item.solution]


def _task(count: int, item: Exercise, right: str) -> str:
    """Return the beginning of a section: the task under its number."""
    text = "".join(map(paragraph_html, (*background(item), DIGITS.sub("", item.task))))
    return f"<section><h2>{count}. <span>{right}</span></h2>{text}"


def _answer(item: Exercise) -> str:
    """Return the answer, one way to it in Python, and the typical mistakes."""
    expected = item.expected()
    exact = f"{expected} = " if isinstance(expected, Fraction) else ""
    rows = ((written(item.number(mistake.answer)), html.escape(mistake.hint)) for mistake in item.mistakes)
    table = "".join(f"<tr><td>{number}<td>{hint}" for number, hint in rows)
    number = f"<p><b>{exact}{written(float(expected))}</b></p>"
    return f"{number}<pre>{html.escape(item.solution)}</pre><table>{table}</table>"

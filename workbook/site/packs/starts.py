"""Find the states in which notebooks start their explorers, from their code cells."""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from workbook import explorers
from workbook.explorer.explorer import Explorer

__all__ = ["NOTEBOOKS", "Start", "explorer_classes", "in_notebook", "page_number", "starts"]

NOTEBOOKS = Path(__file__).parents[3] / "notebooks"


@dataclass(frozen=True)
class Start:
    """An explorer that a cell shows. id: e.g. "02.smoothing", and "02.smoothing-2" for the next one of its class."""

    id: str
    explorer: str
    cell: int
    state: dict


def page_number(path: Path) -> str:
    """Return what a page is called: "02", "02b" for the deeper page of its chapter, "A" for an appendix."""
    return path.stem.partition("_")[0]


def explorer_classes() -> dict[str, type[Explorer]]:
    """Map the name of every explorer of the book to its class."""
    return {name: getattr(explorers, name) for name in explorers.__all__ if name.endswith("Explorer")}


def starts(notebooks: Path = NOTEBOOKS) -> dict[str, dict[str, dict]]:
    """Map the name of every explorer that a notebook starts to {id: state}."""
    found: dict[str, dict[str, dict]] = {}
    for path in sorted(notebooks.glob("[0-9]*.ipynb")):
        for start in in_notebook(path):
            found.setdefault(start.explorer, {})[start.id] = start.state
    return found


def in_notebook(path: Path) -> list[Start]:
    """List the explorers that one notebook starts, in its order."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = ((at, "".join(cell["source"])) for at, cell in enumerate(cells) if cell["cell_type"] == "code")
    shown = ((at, expression) for at, source in code for expression in _explorer_calls(source))
    found, seen = [], Counter()
    for at, expression in shown:
        explorer = _evaluate(expression)
        name = type(explorer).__name__
        seen[name] += 1
        again = f"-{seen[name]}" if seen[name] > 1 else ""
        key = f"{page_number(path)}.{name.removesuffix('Explorer').lower()}{again}"
        found.append(Start(key, name, at, explorer.state))
    return found


def _explorer_calls(source: str) -> Iterator[ast.expr]:
    """Yield the last expression of a cell if it makes an explorer."""
    try:
        body = ast.parse(source).body
    except SyntaxError:  # a line magic: no cell of explorers has one
        return
    last = body[-1].value if body and isinstance(body[-1], ast.Expr) else None
    if isinstance(last, ast.Call) and _explorer_name(last):
        yield last


def _explorer_name(expression: ast.expr) -> str | None:
    """Return the explorer's name at the beginning of `Name(...)`, `Name(...).set(...)`, `Name(...).preset(...)`."""
    while isinstance(expression, ast.Call | ast.Attribute):
        expression = expression.func if isinstance(expression, ast.Call) else expression.value
    known = isinstance(expression, ast.Name) and expression.id.endswith("Explorer")
    return expression.id if known and expression.id in explorers.__all__ else None


def _evaluate(expression: ast.expr) -> Explorer:
    """Evaluate an expression that makes an explorer; its arguments are literals."""
    if isinstance(expression, ast.Name):
        return getattr(explorers, expression.id)
    if isinstance(expression, ast.Attribute):
        return getattr(_evaluate(expression.value), expression.attr)
    arguments = [ast.literal_eval(argument) for argument in expression.args]
    return _evaluate(expression.func)(
        *arguments, **{keyword.arg: ast.literal_eval(keyword.value) for keyword in expression.keywords}
    )

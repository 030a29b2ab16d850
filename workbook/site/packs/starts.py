"""The states in which the notebooks start their explorers, read off their code cells."""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from workbook import explorers
from workbook.explorer.explorer import Explorer

__all__ = ["NOTEBOOKS", "Start", "explorer_classes", "in_notebook", "starts"]

NOTEBOOKS = Path(__file__).parents[3] / "notebooks"


@dataclass(frozen=True)
class Start:
    """An explorer that a cell ends with. id: e.g. "02.smoothing", and "02.smoothing-2" for the next one of its kind."""

    id: str
    explorer: str
    cell: int
    state: dict


def explorer_classes() -> dict[str, type[Explorer]]:
    """Every explorer of the book, by name."""
    return {name: getattr(explorers, name) for name in explorers.__all__ if name.endswith("Explorer")}


def starts(notebooks: Path = NOTEBOOKS) -> dict[str, dict[str, dict]]:
    """Name of every explorer that a notebook starts -> {id: state}."""
    found: dict[str, dict[str, dict]] = {}
    for path in sorted(notebooks.glob("[0-9][0-9]_*.ipynb")):
        for start in in_notebook(path):
            found.setdefault(start.explorer, {})[start.id] = start.state
    return found


def in_notebook(path: Path) -> list[Start]:
    """What one notebook starts, in its order."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = ((at, "".join(cell["source"])) for at, cell in enumerate(cells) if cell["cell_type"] == "code")
    shown = ((at, expression) for at, source in code for expression in _started(source))
    found, seen = [], Counter()
    for at, expression in shown:
        explorer = _evaluated(expression)
        name = type(explorer).__name__
        seen[name] += 1
        again = f"-{seen[name]}" if seen[name] > 1 else ""
        key = f"{path.name[:2]}.{name.removesuffix('Explorer').lower()}{again}"
        found.append(Start(key, name, at, explorer.state))
    return found


def _started(source: str) -> Iterator[ast.expr]:
    """The last expression of a cell, if it makes an explorer."""
    try:
        body = ast.parse(source).body
    except SyntaxError:  # a line magic: no cell of explorers has one
        return
    if body and isinstance(body[-1], ast.Expr) and isinstance(body[-1].value, ast.Call) and _maker(body[-1].value):
        yield body[-1].value


def _maker(expression: ast.expr) -> str | None:
    """The explorer at the beginning of `Name(...)`, `Name(...).set(...)`, `Name(...).preset(...)`."""
    while isinstance(expression, ast.Call | ast.Attribute):
        expression = expression.func if isinstance(expression, ast.Call) else expression.value
    known = isinstance(expression, ast.Name) and expression.id.endswith("Explorer")
    return expression.id if known and expression.id in explorers.__all__ else None


def _evaluated(expression: ast.expr) -> Explorer:
    """What such an expression makes; its arguments are literals."""
    if isinstance(expression, ast.Name):
        return getattr(explorers, expression.id)
    if isinstance(expression, ast.Attribute):
        return getattr(_evaluated(expression.value), expression.attr)
    arguments = [ast.literal_eval(argument) for argument in expression.args]
    return _evaluated(expression.func)(
        *arguments, **{keyword.arg: ast.literal_eval(keyword.value) for keyword in expression.keywords}
    )

"""Any cell of a page can be run twice, and an earlier one again after a later one, and says the same again."""

import ast
import socket
from contextlib import redirect_stdout
from fractions import Fraction
from io import StringIO
from pathlib import Path
from types import FunctionType, ModuleType

import nbformat
import numpy as np
import pytest
from threadpoolctl import threadpool_limits

PATHS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
LOCAL = (ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@pytest.fixture(autouse=True)
def offline(monkeypatch, tmp_path):
    """And with one thread: side by side with other tests many wait for each other."""

    def refuse(*_):
        raise OSError("a page runs offline")

    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setenv("NBCORE_DATA", str(tmp_path))
    with threadpool_limits(1):
        yield


def cells_of(path):
    """Id and source of each code cell."""
    return [(cell.id, cell.source) for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]


def run(cell, names):
    """Run a cell in these names: what it printed, or the error in which it ended."""
    name, source = cell
    try:
        with redirect_stdout(StringIO()) as printed:
            exec(compile(source, name, "exec"), names)
    except Exception as problem:
        return problem
    return printed.getvalue()


def stored(target):
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def bound(source):
    """The names that a cell gives to the page by =, def, import or with. Those of a loop, of a function, and those
    that begin with an underscore serve their cell alone.
    """
    found, waiting = set(), [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.Assign):
            found |= set().union(*map(stored, node.targets))
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)):
            found |= stored(node.target)
        elif isinstance(node, ast.With):
            found |= set().union(*(stored(item.optional_vars) for item in node.items if item.optional_vars))
        if not isinstance(node, LOCAL):
            waiting += ast.iter_child_nodes(node)
    return {name for name in found if not name.startswith("_")}


def kind(value):
    """What sort of thing a value is: code that is written for one kind fails for another."""
    if isinstance(value, FunctionType):
        return "function"
    if isinstance(value, (type, ModuleType)):
        return "class or module"
    if isinstance(value, str):
        return "text"
    if value is ... or isinstance(value, (bool, int, float, np.number, np.bool_, Fraction)):
        return "number"  # the three dots are a number that the learner has yet to give
    return "sequence" if isinstance(value, (list, tuple)) else type(value).__name__


def page_run(cells):
    """Run cells in order: what each gave, the names as the last one leaves them, and name -> kind -> cells."""
    names, first, kinds = {"__name__": "__main__"}, [], {}
    for cell in cells:
        first.append(run(cell, names))
        for name in bound(cell[1]) & names.keys():
            kinds.setdefault(name, {}).setdefault(kind(names[name]), []).append(cell[0])
    return first, names, kinds


def again(cells, names, first):
    """What a second run changes: of each cell alone among the names that the last cell left, then of all in order."""
    seconds = [(cell[0], run(cell, dict(names)), before) for cell, before in zip(cells, first, strict=True)]
    seconds += [(cell[0], run(cell, names), before) for cell, before in zip(cells, first, strict=True)]
    return [f"{name} printed {before!r}, and then {now!r}" for name, now, before in seconds if now != before]


def reused(kinds):
    """The names that stand for more than one kind of thing on a page."""
    return {name: by_kind for name, by_kind in kinds.items() if len(by_kind) > 1}


SOME = ("00_", "02_")  # twice and again they take a while: the others every week


@pytest.mark.parametrize("path", [
    pytest.param(path, id=path.stem, marks=[] if path.name.startswith(SOME) else [pytest.mark.slow]) for path in PATHS
])  # fmt: skip
def test_every_cell_can_be_run_again(path):
    cells = cells_of(path)
    first, names, kinds = page_run(cells)
    found = [f"{cell[0]}: {said!r}" for cell, said in zip(cells, first, strict=True) if isinstance(said, Exception)]
    found += [f"{name} is of more than one kind: {by_kind}" for name, by_kind in reused(kinds).items()]
    found += again(cells, names, first)
    assert not found, "\n" + "\n".join(found)


# --- the rule, on examples -----------------------------------------------------------------------------------------


def test_a_cell_that_a_later_one_breaks_is_found():
    cells = [("one", "x = [1, 2]"), ("two", "y = x[0]"), ("three", "x = 5")]
    first, names, kinds = page_run(cells)
    assert first == ["", "", ""]
    assert reused(kinds) == {"x": {"sequence": ["one"], "number": ["three"]}}
    assert again(cells, names, first) == ["""two printed '', and then TypeError("'int' object is not subscriptable")"""]


def test_a_cell_that_prints_something_else_the_second_time_is_found():
    cells = [("one", "x = 1"), ("two", "print(x)"), ("three", "x = x + 1")]
    first, names, kinds = page_run(cells)
    assert reused(kinds) == {}
    assert again(cells, names, first) == [r"two printed '1\n', and then '2\n'"]


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("for a in b:\n    c, d = a\n    e += 1", {"c", "d", "e"}),
        ("def f(x):\n    y = x\n    return [z for z in y]", {"f"}),
        ("import numpy as np, os.path\nfrom math import pi", {"np", "os", "pi"}),
        ("_, x = [u for u in (v := w)]", {"x"}),
        ("with open(a) as b:\n    c: int = (d := 1)", {"b", "c", "d"}),
        ("x[0] = y.z = 1", set()),
    ],
)
def test_which_names_a_cell_gives_to_the_page(source, names):
    assert bound(source) == names

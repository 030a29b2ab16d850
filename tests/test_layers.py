"""Arrows point down only: numbers know nothing of pictures, and `import nbcore` loads neither."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "nbcore"
UPPER = {"figures", "explorers", "learning"}  # palette is plain text, for all of them
PICTURES = {"ipywidgets", "anywidget", "plotly", "matplotlib", "IPython", "PIL", "kaleido"}
LOWER = sorted(path for path in PACKAGE.glob("*.py") if path.stem not in UPPER and path.stem != "__init__")


def imports(path):
    """Every module that a file imports, at its top or inside a function, with full names."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            here = path.relative_to(PACKAGE.parent).with_suffix("").parts
            parents = here[: len(here) - node.level] if node.level else ()
            module = ".".join([*parents, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def test_the_walk_sees_imports():
    found = set(imports(PACKAGE / "explorers" / "base.py"))
    assert {"ipywidgets", "nbcore.explorers.theme", "nbcore.explorers.controls"} <= found


@pytest.mark.parametrize("path", LOWER, ids=lambda path: path.stem)
def test_the_lower_group_imports_no_pictures_and_nothing_above_it(path):
    for name in imports(path):
        parts = name.split(".")
        assert parts[0] not in PICTURES, name
        assert not (parts[0] == "nbcore" and len(parts) > 1 and parts[1] in UPPER), name


@pytest.mark.parametrize("path", sorted((PACKAGE / "explorers").glob("*.py")), ids=lambda path: path.stem)
def test_explorers_do_not_import_learning(path):
    assert not [name for name in imports(path) if name.startswith("nbcore.learning")]


@pytest.mark.parametrize("modules", ["nbcore", "nbcore, " + ", ".join(f"nbcore.{path.stem}" for path in LOWER)])
def test_importing_numbers_loads_no_pictures(modules):
    code = f"import {modules}, sys; print(*sorted({{m.split('.')[0] for m in sys.modules}} & {PICTURES!r}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == ""


@pytest.mark.parametrize("path", sorted(PACKAGE.glob("*.py")), ids=lambda path: path.stem)
def test_no_file_of_the_lower_group_is_long(path):
    if path.stem not in UPPER:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 250

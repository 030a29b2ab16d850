"""Which module imports which: layers, chapters apart from one another, entry points that load one chapter."""

import ast
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

from workbook import experiments, explorers
from workbook.chapters import chapter_module, chapter_packages
from workbook.site.packs.starts import explorer_classes

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = "nbcore", "workbook"
FILES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
}
PICTURES = {"ipywidgets", "anywidget", "plotly", "matplotlib", "IPython", "PIL", "playwright"}
NUMBERS = {"numpy", "scipy", "sklearn"}  # all that nbcore may need; the fetchers import pooch when they are used
PURE = [name for name in FILES if name.endswith((".experiment", ".claims")) or name == "workbook.chapters.names"]


def imports(module, only_top=False):
    """Yield every module that a module imports, by its full name; `from package import name` gives both."""
    tree = ast.parse(FILES[module].read_text(encoding="utf-8"))
    package = module if FILES[module].name == "__init__.py" else module.rpartition(".")[0]
    for node in tree.body if only_top else ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


@cache
def own_imports(module):
    """Return the modules of the project that a module imports."""
    return {name for name in imports(module) if name in FILES and name != module}


def loaded_modules(code):
    """Return the modules that a fresh Python has loaded after running this code."""
    code += "\nimport sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_walk_sees_imports_at_the_top_inside_functions_and_relative_ones():
    seen = set(imports("workbook.explorer.explorer"))
    assert {"ipywidgets", "workbook.explorer.cells", "workbook.explorer.pictures"} <= seen
    assert "workbook.chapters.c05_perplexity_attenuation.experiment" in set(
        imports("workbook.chapters.c05_perplexity_attenuation.groups")
    )


def is_inside_a_package_of_the_library(name):
    """Return whether it is a module such as nbcore.one_hot.factors, whose package's `__init__` lists what is public."""
    return name.startswith("nbcore.") and (name.count(".") > 1 or "._" in name)


@pytest.mark.parametrize(
    "module",
    [name for name in FILES if (name.count(".") or name == "nbcore") and not is_inside_a_package_of_the_library(name)],
)
def test_every_module_lists_its_public_names(module):
    """By `__all__`, of names that are there; a module with a docstring alone needs none."""
    tree = ast.parse(FILES[module].read_text(encoding="utf-8"))
    lists = [node for node in tree.body if isinstance(node, ast.Assign) and "__all__" in ast.unparse(node.targets[0])]
    assert lists or all(isinstance(node, ast.Expr) for node in tree.body), "a docstring alone needs no list"
    assert all(hasattr(import_module(module), name) for name in getattr(import_module(module), "__all__", ()))


# --- the library ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", [name for name in FILES if name.split(".")[0] == "nbcore"])
def test_numbers_need_numbers_only(module):
    foreign = {name.split(".")[0] for name in imports(module)} - sys.stdlib_module_names - NUMBERS - {"nbcore"}
    allowed = {"nbcore.datasets.fetchers": {"pooch", "requests", "tqdm"}, "nbcore.displays": {"matplotlib"}}
    assert foreign <= allowed.get(module, set())
    at_the_top = {name.split(".")[0] for name in imports(module, only_top=True)}
    assert not at_the_top & {"pooch", "requests", "tqdm", "matplotlib"}


def test_no_public_name_of_the_library_has_two_addresses():
    modules = [name for name in FILES if name.count(".") == 1 and name.startswith("nbcore.") and "._" not in name]
    names = Counter(name for module in modules for name in import_module(module).__all__)
    assert [name for name, count in names.items() if count > 1] == []


# --- layers ----------------------------------------------------------------------------------------------------------


def test_there_is_no_circle():
    TopologicalSorter({module: own_imports(module) for module in FILES}).prepare()  # raises CycleError with the circle


ENTRY_POINTS = {"explorers", "experiments", "learning", "lectures"}
OUTPUTS = {"site", "export", "slips", "present"}
FORBIDDEN = {  # package -> what it must not import, besides OUTPUTS
    "draw": {"chapters", "ledger", "figures", "vote", "questions", "explorer"} | ENTRY_POINTS,
    "explorer": {"chapters", "ledger", "figures", "vote", "questions"} | ENTRY_POINTS,
    "questions": {"chapters", "ledger", "figures", "vote"} | ENTRY_POINTS,
    "vote": {"chapters", "ledger", "figures", "questions", "explorer", "draw"} | ENTRY_POINTS,
    "ledger": {"chapters", "questions", "explorer", "draw", "figures"} | ENTRY_POINTS,
    "figures": {"chapters", "ledger"} | ENTRY_POINTS,
    "chapters": ENTRY_POINTS,
    "site": {"figures"},
    "export": {"figures"},
    "slips": {"figures", "ledger", "vote"},
    "present": {"ledger", "figures"},
}
FORBIDDEN_IN_SITE = {"packs": {"player", "pages", "lectures", "build"}, "pages": {"player", "lectures", "build"},
                     "player": {"packs", "pages", "lectures", "build"}, "lectures": {"pages", "build"}}  # fmt: skip


@pytest.mark.parametrize("module", [name for name in FILES if name.startswith("workbook.")])
def test_imports_go_one_way(module):
    """Outputs -> entry points -> chapters -> questions -> explorer -> draw; chapters -> ledger, figures."""
    _, package, *rest = module.split(".")
    forbidden = FORBIDDEN.get(package, set()) | OUTPUTS - {package} - ({"site"} if package == "present" else set())
    imported = [name.split(".") for name in own_imports(module) if name.startswith("workbook.")]
    assert not {name[1] for name in imported} & forbidden
    if package == "site" and len(rest) > 1:
        assert not {name[2] for name in imported if name[1] == "site"} & FORBIDDEN_IN_SITE[rest[0]]


@pytest.mark.parametrize("module", [name for name in FILES if name.startswith("workbook.chapters.c")])
def test_a_chapter_imports_no_other_chapter(module):
    own = module.split(".")[2]
    others = {name for name in own_imports(module) if name.startswith("workbook.chapters.c")}
    assert {name for name in others if name.split(".")[2] != own} == set()


@pytest.mark.parametrize("module", [name for name in FILES if name.startswith("workbook.export.formats.")])
def test_a_format_of_the_export_knows_no_other(module):
    """The modules of workbook.export, too, import one way: markup -> questions -> pages."""
    assert not {name for name in own_imports(module) if name.startswith("workbook.export.formats.")}
    order = [f"workbook.export.{name}" for name in ("pages", "questions", "markup")]
    assert all(not own_imports(module) & set(order[at:]) for at, module in enumerate(order))


def test_experiments_and_claims_know_no_picture_and_no_widget():
    assert len(PURE) > 20
    assert not {name.split(".")[0] for name in loaded_modules(f"import {', '.join(PURE)}")} & PICTURES


@pytest.mark.parametrize("number", chapter_packages())
def test_truths_come_from_numbers(number):
    """Questions take what is true from nbcore or the chapter's experiment, never from an explorer or a claim."""
    package = f"workbook.chapters.{chapter_packages()[number]}"
    seen = own_imports(f"{package}.questions")
    assert not seen & {f"{package}.claims", *(kind.__module__ for kind in explorer_classes().values())}


# --- entry points --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", [explorers, experiments], ids=lambda module: module.__name__)
def test_an_entry_point_has_every_name(module):
    assert all(callable(getattr(module, name)) or name.isupper() for name in module.__all__)
    assert dir(module) == module.__all__
    with pytest.raises(AttributeError, match="has no attribute 'Nobody'; it has "):
        _ = module.Nobody


def test_every_explorer_is_listed_in_the_entry_point():
    found = {
        node.name
        for module, path in FILES.items()
        if module.startswith("workbook.chapters.")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name.endswith("Explorer")
    }
    assert found == {name for name in explorers.__all__ if name.endswith("Explorer")}


@pytest.mark.parametrize(("name", "chapter"), [("CopiesExplorer", "c05"), ("SeedsExplorer", "c11")])
def test_asking_for_one_explorer_loads_one_chapter(name, chapter):
    modules = loaded_modules(f"from workbook.explorers import {name}")
    assert {module.split(".")[2][:3] for module in modules if module.startswith("workbook.chapters.c")} == {chapter}


def test_a_lecture_needs_no_browser_and_no_sphinx():
    assert not {"playwright", "sphinx"} & loaded_modules("from tools import present; present.find('02')")


def test_asking_one_question_loads_one_chapter():
    modules = loaded_modules("from workbook.learning import predict; predict('02/overcast')")
    assert {module.split(".")[2][:3] for module in modules if module.startswith("workbook.chapters.c")} == {"c02"}


def test_a_chapters_package_is_named_as_its_notebook():
    pages = {path.stem for path in (ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb")}
    assert {name.removeprefix("c") for name in chapter_packages().values()} == pages
    assert chapter_module("00", "claims") is None


@pytest.mark.parametrize("script", sorted((ROOT / "workbook").rglob("*.js")), ids=lambda path: path.name)
def test_no_script_asks_for_the_language_of_the_browser(script):
    """So that a German or a Turkish one shows the same numbers and words: each names English, or does not ask."""
    own = r"toLocale\w*|navigator\.language\w*|Intl\.\w+\((?!\"en\")|localeCompare\((?!.*\"en\")"
    assert re.findall(own, script.read_text("utf-8")) == []

"""The walls of the house: what stands where, and which way the arrows point."""

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

from workbook import experiments, explorers
from workbook.chapters import chapter_module, chapter_packages

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
    """Every module that a module imports, by its full name; `from package import name` gives both."""
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


def arrows(module):
    """The modules of the house that a module imports."""
    return {name for name in imports(module) if name in FILES and name != module}


def loaded(code):
    """The modules that a fresh Python has loaded after running this code."""
    code += "\nimport sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_walk_sees_imports_at_the_top_inside_functions_and_relative_ones():
    seen = set(imports("workbook.explorer.explorer"))
    assert {"ipywidgets", "workbook.explorer.theme", "workbook.explorer.pictures"} <= seen
    assert "workbook.chapters.c05_perplexity_attenuation.experiment" in set(
        imports("workbook.chapters.c05_perplexity_attenuation.attenuation")
    )


def is_inside_a_package_of_the_library(name):
    """Return whether it is a module such as nbcore.one_hot.factors, whose package's `__init__` lists what is public."""
    return name.startswith("nbcore.") and (name.count(".") > 1 or "._" in name)


@pytest.mark.parametrize(
    "module",
    [name for name in FILES if (name.count(".") or name == "nbcore") and not is_inside_a_package_of_the_library(name)],
)
def test_every_room_says_what_is_public(module):
    """By `__all__`, of names that are there; a door may have none of its own."""
    tree = ast.parse(FILES[module].read_text(encoding="utf-8"))
    lists = [node for node in tree.body if isinstance(node, ast.Assign) and "__all__" in ast.unparse(node.targets[0])]
    assert lists or all(isinstance(node, ast.Expr) for node in tree.body), "a docstring alone needs no list"
    room_ = import_module(module)
    assert all(hasattr(room_, name) for name in getattr(room_, "__all__", ()))


# --- the ground floor ----------------------------------------------------------------------------------------------


def test_the_library_is_small():
    entries = [path for path in (ROOT / "nbcore").iterdir() if path.name != "__pycache__"]
    assert len(entries) <= 13, sorted(path.name for path in entries)


@pytest.mark.parametrize("module", [name for name in FILES if name.split(".")[0] == "nbcore"])
def test_numbers_need_numbers_only(module):
    foreign = {name.split(".")[0] for name in imports(module)} - sys.stdlib_module_names - NUMBERS - {"nbcore"}
    assert foreign <= ({"pooch", "requests", "tqdm"} if module == "nbcore.datasets.fetchers" else set())
    at_the_top = {name.split(".")[0] for name in imports(module, only_top=True)}
    assert not at_the_top & {"pooch", "requests", "tqdm"}


def test_importing_the_library_loads_numbers_only():
    everything = "import " + ", ".join(name for name in FILES if name.split(".")[0] == "nbcore")
    assert not {name.split(".")[0] for name in loaded(everything)} & (PICTURES | {"workbook", "pooch", "requests"})


def test_no_public_name_of_the_library_has_two_addresses():
    doors = [name for name in FILES if name.count(".") == 1 and name.startswith("nbcore.") and "._" not in name]
    addresses = {}
    for door in doors:
        module = __import__(door, fromlist=["__all__"])
        for name in module.__all__:
            assert hasattr(module, name), f"{door}.{name}"
            addresses.setdefault(name, []).append(door)
    assert not {name: places for name, places in addresses.items() if len(places) > 1}


# --- the floors above ----------------------------------------------------------------------------------------------


def test_there_is_no_circle():
    TopologicalSorter({module: arrows(module) for module in FILES}).prepare()  # raises CycleError with the circle


@pytest.mark.parametrize("module", [name for name in FILES if name.startswith("workbook.")])
def test_arrows_point_down(module):
    """Site, export, slips -> doors -> chapters -> questions -> explorer -> draw; chapters -> ledger, figures."""
    floor = module.split(".")[1]
    seen = {name for name in arrows(module) if name.startswith("workbook.")}
    doors = {"explorers", "experiments", "learning", "lectures"}
    above = {
        "draw": {"chapters", "ledger", "figures", "vote", "questions", "explorer"} | doors,
        "explorer": {"chapters", "ledger", "figures", "vote", "questions"} | doors,
        "questions": {"chapters", "ledger", "figures", "vote"} | doors,
        "vote": {"chapters", "ledger", "figures", "questions", "explorer", "draw"} | doors,
        "ledger": {"chapters", "questions", "explorer", "draw", "figures"} | doors,
        "figures": {"chapters", "ledger"} | doors,
        "chapters": doors,
        "site": {"figures"},
        "export": {"figures"},
        "slips": {"figures", "ledger", "vote"},
    }.get(floor, set()) | ({"site", "export", "slips"} - {floor})
    assert not {name for name in seen if name.split(".")[1] in above}


@pytest.mark.parametrize("module", [name for name in FILES if name.startswith("workbook.chapters.c")])
def test_a_chapter_imports_no_other_chapter(module):
    own = module.split(".")[2]
    others = {name for name in arrows(module) if name.startswith("workbook.chapters.c")}
    assert {name for name in others if name.split(".")[2] != own} == set()


ROOMS = [name for name in FILES if name.startswith("workbook.site.") and name.count(".") > 2]


@pytest.mark.parametrize("module", ROOMS)
def test_rooms_of_the_site_know_only_those_below(module):
    """build -> pages -> packs; the player is a room of its own."""
    above = {"packs": {"player", "pages", "build"}, "player": {"packs", "pages", "build"}, "pages": {"player", "build"}}
    seen = {name.split(".")[2] for name in arrows(module) if name.startswith("workbook.site.")}
    assert not seen & above[module.split(".")[2]]


@pytest.mark.parametrize("module", [name for name in FILES if name.startswith("workbook.export.formats.")])
def test_a_format_of_the_export_knows_no_other(module):
    """A format -> files, how texts are marked -> what is asked -> where it stands."""
    assert not {name for name in arrows(module) if name.startswith("workbook.export.formats.")}
    order = [f"workbook.export.{name}" for name in ("pages", "questions", "markup")]
    assert all(not arrows(module) & set(order[at:]) for at, module in enumerate(order))


def test_experiments_and_claims_know_no_picture_and_no_widget():
    assert len(PURE) > 20
    assert not {name.split(".")[0] for name in loaded(f"import {', '.join(PURE)}")} & PICTURES


@pytest.mark.parametrize("number", chapter_packages())
def test_truths_come_from_numbers(number):
    """Questions take what is true from nbcore or the chapter's experiment, never from an explorer or a claim."""
    package = f"workbook.chapters.{chapter_packages()[number]}"
    seen = {name for name in arrows(f"{package}.questions") if name.startswith(package)}
    assert seen <= {package, f"{package}.experiment"}


# --- the front doors -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("door", [explorers, experiments], ids=lambda door: door.__name__)
def test_a_door_opens_on_every_name(door):
    assert all(callable(getattr(door, name)) or name.isupper() for name in door.__all__)
    assert dir(door) == door.__all__
    with pytest.raises(AttributeError, match="has no attribute 'Nobody'; it has "):
        _ = door.Nobody


def test_every_explorer_has_its_name_on_the_door():
    found = {
        node.name
        for module, path in FILES.items()
        if module.startswith("workbook.chapters.")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name.endswith("Explorer")
    }
    assert found == {name for name in explorers.__all__ if name.endswith("Explorer")}


@pytest.mark.parametrize(("name", "chapter"), [("CopiesExplorer", "c05"), ("LedgerExplorer", "c11")])
def test_asking_for_one_explorer_loads_one_chapter(name, chapter):
    modules = loaded(f"from workbook.explorers import {name}")
    assert {module.split(".")[2][:3] for module in modules if module.startswith("workbook.chapters.c")} == {chapter}


def test_asking_one_question_loads_one_chapter():
    modules = loaded("from workbook.learning import predict; predict('02/overcast')")
    assert {module.split(".")[2][:3] for module in modules if module.startswith("workbook.chapters.c")} == {"c02"}


def test_a_chapters_package_is_named_as_its_notebook():
    pages = {path.stem for path in (ROOT / "notebooks").glob("[0-9]*.ipynb")}
    assert {name.removeprefix("c") for name in chapter_packages().values()} == pages
    assert chapter_module("00", "claims") is None

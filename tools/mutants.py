"""Do the tests notice a slip of the pen? Sample small faults in nbcore and workbook/page, and count those that die.

    .venv/bin/python -m tools.mutants --sample 100 --seed 0 [--only nbcore.perplexed,workbook.page] [--least 95]

Each mutant changes one place of one module in a copy of the project (a sign, a comparison, a small constant, an axis,
max for min, one statement left out), runs that module's tests there, and lives if they all pass. Survivors are printed
with their statement: a missing test, or a change that makes no difference. What was shown to make none stands with its
reason in `tools/equivalents.txt` and is not run again. Left alone is what can change no result: the words of errors and
warnings, `strict=`, decorators, `x[:1]` before a raise, names for type checkers, and numbers of 10 and more (sizes of
chunks, seeds).
"""

import argparse
import ast
import copy
import importlib.util
import multiprocessing
import os
import random
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tools.files import ROOT

PACKAGES = "nbcore", "workbook.page"
HERE = "PLACE_OF_THE_FAULT"  # a name that no module has
LONGEST = 1800  # s of one module's tests
PATIENCE = 60, 5  # s, and times as long as without a fault: a mutant that makes the tests run longer has been noticed
FLAGS = ["-x", "-q", "-p", "no:cacheprovider", "-o", "addopts=--strict-markers --import-mode=importlib",
         "-k", "not fast and not little_time"]  # what looks at the clock may kill for no reason  # fmt: skip
ENVIRONMENT = {
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # nbval and xdist take longer to load than most tests to fail
    "SCIPY_ARRAY_API": "1",  # as tests/conftest.py sets it, before scipy is imported
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
# What tests import and no mutant touches: loaded once, where the system can fork.
PRELOADED = ["pytest", "_pytest.assertion.rewrite", "hypothesis", "pandas", "scipy.stats", "sklearn.naive_bayes",
             "sklearn.utils.estimator_checks", "plotly.graph_objects", "ipywidgets", "anywidget"]  # fmt: skip
EQUIVALENTS = ROOT / "tools" / "equivalents.txt"
# nbcore.diagnosis.a: tests/diagnosis/test_a.py, else nbcore.a.b: tests/test_a.py, workbook.page.a: tests/page/test_a.py
# But for these:
TESTS = {
    "nbcore": ["test_diagnosis.py"],
    "nbcore._base": ["test_base.py", "test_naive_bayes.py"],
    "nbcore.datasets.fetchers": ["test_fetchers.py"],
    "nbcore.datasets.loaders": ["test_datasets.py", "test_fetchers.py"],
    "nbcore.mixed.categories": ["test_categories.py", "test_mixed.py"],
    "nbcore.naive_bayes.gaussian": ["test_naive_bayes.py", "test_gaps.py"],
    "nbcore.naive_bayes.bernoulli": ["test_naive_bayes.py", "test_gaps.py"],
    "nbcore.naive_bayes.categorical": ["test_naive_bayes.py", "test_gaps.py"],
    "nbcore.diagnosis.drift": ["diagnosis/test_prior.py"],
    "nbcore.diagnosis.page": ["diagnosis/test_pictures.py"],
    "nbcore.diagnosis.recipe": ["diagnosis/test_adjusted.py", "diagnosis/test_case.py"],
    "nbcore.diagnosis.selection": ["diagnosis/test_event_model.py", "diagnosis/test_copies.py"],
    "nbcore.diagnosis.smoothing": ["diagnosis/test_certain.py"],
    "workbook.questions.again": ["chapters/test_again.py"],
    "workbook.questions.asked": ["page/test_questions.py", "page/test_room.py",
                            "page/test_progress.py::test_only_a_choice_asks_how_sure_you_are",
                            "page/test_explorer.py::test_what_is_closed_is_forgotten",
                            "page/test_drawn.py::test_it_follows_lecture_and_goes_when_its_cell_runs_again"],
    "workbook.explorer.cells": ["page/test_explorer.py", "page/test_drawn.py"],
    "workbook.questions.compare": ["page/test_compare.py", "page/test_questions.py"],
    "workbook.explorer.controls": ["page/test_controls.py", "page/test_explorer.py", "page/test_handles.py"],
    "workbook.draw": ["page/test_drawable.py"],
    "workbook.draw.arrays": ["page/test_drawable.py::test_every_kind_of_array_arrives"],
    "workbook.draw.contours": ["page/test_contours.py"],
    "workbook.questions.exercises": ["page/test_questions.py", "page/test_trial.py"],
    "workbook.explorer.explorer": ["page/test_explorer.py", "page/test_fitting.py", "page/test_handles.py",
                               "page/test_ahead.py::test_what_takes_a_fit_is_left_out",
                               "page/test_ahead.py::test_what_is_closed_sends_nothing_ahead"],
    "workbook.explorer.formula": ["page/test_formula.py", "page/test_handles.py"],
    "workbook.explorer.numbers": ["page/test_questions.py"],
    "workbook.questions.phones": ["page/test_room.py"],
    "workbook.explorer.pictures": ["page/test_pictures.py", "browser/test_pictures.py"],  # nothing but Chromium draws
    "workbook.questions.predictions": ["page/test_questions.py", "page/test_drawn.py", "page/test_room.py",
                                  *(f"page/test_progress.py::test_{name}" for name in (
                                      "only_a_choice_asks_how_sure_you_are", "it_is_kept_if_it_is_said",
                                      "who_skips_is_not_asked"))],
    "workbook.questions.review": ["chapters/test_review.py"],
    "workbook.explorer.theme": ["page/test_theme.py", "page/test_explorer.py", "page/test_handles.py"],
    "workbook.questions.told": ["chapters/test_c06_curves.py"],
    "workbook.explorer.view": ["page/test_view.py", "page/test_explorer.py"],
    "workbook.page.written": ["page/test_tables.py"],
}
PROCESSES = multiprocessing.get_context("forkserver" if hasattr(os, "fork") else "spawn")
WORDS = {"refuse": 0, "require": 1, "every": 1}  # checks.py: from this argument on, all goes into the sentence
OPERATORS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult}
COMPARISONS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
               ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}  # fmt: skip
NAMES = {"max": "min", "min": "max", "argmax": "argmin", "argmin": "argmax", "sum": "mean", "maximum": "minimum",
         "minimum": "maximum", "any": "all", "all": "any", "log": "log1p", "cumsum": "cumprod"}  # fmt: skip


def fault(node: ast.AST) -> ast.AST | None:
    """What a slip of the pen could make of this node."""
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in OPERATORS:
        return changed(node, op=OPERATORS[type(node.op)]())
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        return changed(node, ops=[COMPARISONS[type(node.ops[0])](), *node.ops[1:]])
    if isinstance(node, ast.BoolOp):
        return changed(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        return node.operand
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return changed(node, value=not node.value)
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and abs(node.value) < 10:
        return changed(node, value=node.value + 1)
    if isinstance(node, ast.Name) and node.id in ("max", "min", "any", "all"):  # Python's own
        return changed(node, id=NAMES[node.id])
    if isinstance(node, ast.Attribute) and node.attr in NAMES:
        return changed(node, attr=NAMES[node.attr])
    if isinstance(node, ast.IfExp):
        return changed(node, body=node.orelse, orelse=node.body)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return ast.Pass()
    return None


def changed(node: ast.AST, **fields) -> ast.AST:
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def harmless(tree: ast.AST) -> set[ast.AST]:
    """Nodes whose change cannot change a result."""
    roots = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and ast.unparse(node.func) == "warnings.warn"):
            roots.append(node)
        elif isinstance(node, ast.ClassDef):
            roots += [*node.decorator_list, *(item.annotation for item in node.body if isinstance(item, ast.AnnAssign))]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in WORDS:
            roots += node.args[WORDS[ast.unparse(node.func)] :]
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            roots.append(node)
        elif isinstance(node, ast.keyword) and node.arg == "strict":
            roots.append(node)
        elif isinstance(node, ast.Slice) and ast.unparse(node) == ":1":
            roots.append(node)
    return {part for root in roots for part in ast.walk(root)}


class Put(ast.NodeTransformer):
    """Replace one node of a tree."""

    def __init__(self, old: ast.AST, new: ast.AST):
        self.old, self.new = old, new

    def visit(self, node):
        return ast.copy_location(self.new, node) if node is self.old else self.generic_visit(node)


def places(path: Path) -> list[int]:
    """Where a fault can be put into a module: the numbers of its nodes."""
    tree = ast.parse(path.read_text("utf-8"))
    left_alone = harmless(tree)
    return [at for at, node in enumerate(ast.walk(tree)) if node not in left_alone and fault(node)]


def mutant(path: Path, place: int) -> tuple[int, str, str]:
    """Line, statement with the change between ⟦ and ⟧, and whole new source of the fault at a place."""
    tree, marked = (ast.parse(path.read_text("utf-8")) for _ in range(2))
    node, same = (next(node for at, node in enumerate(ast.walk(t)) if at == place) for t in (tree, marked))
    new = fault(node)
    mark = f"⟦{ast.unparse(node)} → {ast.unparse(new)}⟧"
    name = ast.Expr(ast.Name(HERE)) if isinstance(node, ast.stmt) else ast.Name(HERE)
    lines = ast.unparse(Put(same, name).visit(marked)).splitlines()
    statement = next(line.strip() for line in lines if HERE in line).replace(HERE, mark)
    return node.lineno, statement, ast.unparse(ast.fix_missing_locations(Put(node, new).visit(tree)))


def modules() -> dict[str, Path]:
    """Name ("nbcore.one_hot.factors") -> file of every module that computes something; some `__init__` do."""
    found = {}
    for package in PACKAGES:
        for path in sorted(ROOT.joinpath(*package.split(".")).rglob("*.py")):
            if path.name != "__init__.py" or "\ndef " in path.read_text("utf-8"):
                parts = path.relative_to(ROOT).with_suffix("").parts
                found[".".join(parts).removesuffix(".__init__")] = path
    return found


def tests_of(module: str) -> list[str]:
    """The files that test a module."""
    if module in TESTS:
        return [f"tests/{file}" for file in TESTS[module]]
    if module.startswith("workbook.page"):
        return [f"tests/page/test_{module.split('.')[2]}.py"]
    _, package, *name = module.split(".")
    return [f"tests/diagnosis/test_{name[0]}.py" if package == "diagnosis" else f"tests/test_{package}.py"]


def equivalents() -> set[str]:
    """`module: statement` of the changes that were shown to make no difference."""
    lines = EQUIVALENTS.read_text("utf-8").splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def copied(folder: Path) -> Path:
    """A copy of the project to be spoilt."""
    for name in ("nbcore", "workbook", "tools", "tests", "notebooks"):
        shutil.copytree(ROOT / name, folder / "project" / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder / "project")
    shared = ROOT.parent / "shared"  # the papers' corpora, where they lie beside the project
    if shared.is_dir():
        (folder / "shared").symlink_to(shared)
    return folder / "project"


def run_tests(here: str, tests: list[str]) -> None:
    """In a process of its own: exit with pytest's code."""
    import pytest

    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    os.chdir(here)
    os.environ["PYTHONPATH"] = here
    sys.path.insert(0, here)  # before the project itself, which may be installed
    os._exit(pytest.main([*FLAGS, *tests]))


def lives(here: Path, module: str, source: str, longest: float) -> bool:
    """Do the module's tests pass in a copy of the project with this source, in so many seconds?"""
    path = here / modules()[module].relative_to(ROOT)
    path.write_text(source, "utf-8")
    tests = PROCESSES.Process(target=run_tests, args=(str(here), tests_of(module)))
    tests.start()
    tests.join(longest)
    passed = tests.exitcode == 0
    tests.kill()
    shutil.copyfile(modules()[module], path)
    Path(importlib.util.cache_from_source(path)).unlink(missing_ok=True)  # it may look as old as the next one
    shutil.rmtree(here / ".hypothesis", ignore_errors=True)  # no mutant dies of another one's examples
    return passed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="modules or packages, such as nbcore.one_hot, separated by commas")
    parser.add_argument("--least", type=float, default=95, help="per cent to be killed; below, the exit code is 1")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    os.environ |= ENVIRONMENT
    PROCESSES.set_forkserver_preload(PRELOADED)
    paths = modules()
    asked = options.only.split(",") if options.only else PACKAGES
    if unknown := [name for name in asked if not any(f"{module}.".startswith(f"{name}.") for module in paths)]:
        parser.error(f"no such module: {', '.join(unknown)}; there are {', '.join(paths)}")
    pool = [(module, place) for module, path in paths.items() if f"{module}.".startswith(tuple(f"{n}." for n in asked))
            for place in places(path)]  # fmt: skip
    sample = random.Random(options.seed).sample(pool, min(options.sample, len(pool)))
    known = equivalents()
    chosen = [(module, *mutant(paths[module], place)) for module, place in sample]
    run = [one for one in chosen if f"{one[0]}: {one[2]}" not in known]
    with tempfile.TemporaryDirectory() as folder:
        alive = survivors(paths, run, Path(folder), options.workers)
    share = 1 - len(alive) / max(1, len(run))
    print(f"{len(pool)} places, {len(chosen)} sampled, {len(chosen) - len(run)} known to make no difference: "
          f"of {len(run)} mutants {len(run) - len(alive)} killed, {len(alive)} alive: {share:.1%}.")  # fmt: skip
    return int(100 * share < options.least)


def survivors(paths: dict[str, Path], run: list[tuple[str, int, str, str]], folder: Path, n: int) -> list[str]:
    """The mutants that no test kills, printed as they are found by n workers."""
    free: SimpleQueue[Path] = SimpleQueue()  # copies of the project, one a worker
    for number in range(n):
        free.put(copied(folder / str(number)))

    def tried(module: str, source: str, longest: float = LONGEST) -> tuple[bool, float]:
        here, begun = free.get(), time.monotonic()
        try:
            return lives(here, module, source, longest), time.monotonic() - begun
        finally:
            free.put(here)

    with ThreadPoolExecutor(n) as workers:
        used = {" ".join(tests_of(module)): module for module, *_ in run}
        sound = workers.map(lambda module: tried(module, paths[module].read_text("utf-8")), used.values())
        limit = {}
        for number, ((tests, module), (passed, seconds)) in enumerate(zip(used.items(), sound, strict=True), 1):
            if not passed:
                workers.shutdown(wait=False, cancel_futures=True)
                sys.exit(f"{tests} fails as {module} stands: a mutant it kills would prove nothing.")
            limit[tests] = PATIENCE[0] + PATIENCE[1] * seconds
            print(f"\r{number} of {len(used)} groups of tests pass without a fault", end="", flush=True)
        start, alive = time.monotonic(), []
        results = workers.map(lambda one: tried(one[0], one[3], limit[" ".join(tests_of(one[0]))])[0], run)
        for number, ((module, line, statement, _), lived) in enumerate(zip(run, results, strict=True), 1):
            if lived:
                alive.append(f"{module}: {statement}")
                print(f"\ralive: {alive[-1]}  (line {line})")
            said = f"{number} of {len(run)} mutants, {len(alive)} alive, {time.monotonic() - start:.0f} s"
            print(f"\r{said:60}", end="", flush=True)
    print()
    return alive


if __name__ == "__main__":
    sys.exit(main())

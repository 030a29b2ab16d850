"""Do the tests notice a wrong formula? Sample small faults in nbcore, and count those that the unit tests kill.

    .venv/bin/python -m tools.mutants --sample 100 --seed 0 [--only perplexed,one_hot.factors]

Each mutant changes one place of one module in a copy of the project (a sign, a comparison, a small constant, an axis,
max for min, one statement left out), runs that module's tests there, and lives if they all pass. Survivors are printed
with their line: a missing test, or a change that makes no difference. Left alone is what can change no result: the
words of errors and warnings, `strict=`, decorators, `x[:1]` before a raise, and numbers of 10 and more (sizes of
chunks, seeds).
"""

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.files import ROOT

SECONDS = 300  # a mutant that makes the tests run this long has been noticed
LIBRARY = ROOT / "nbcore"
TESTS = {"_base": "naive_bayes", "datasets.fetchers": "fetchers"}  # module a.b: tests/test_a.py, but for these
WORDS = {"refuse": 0, "require": 1, "every": 1}  # checks.py: from this argument on, all goes into the sentence
OPERATORS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult}
COMPARISONS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
NAMES = {"max": "min", "min": "max", "argmax": "argmin", "argmin": "argmax", "sum": "mean", "maximum": "minimum",
         "minimum": "maximum", "any": "all", "all": "any", "log": "log1p", "cumsum": "cumprod"}  # fmt: skip


def faults(node: ast.AST) -> Iterator[ast.AST]:
    """What a slip of the pen could make of this node."""
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        yield changed(node, op=OPERATORS[type(node.op)]())
    elif isinstance(node, ast.AugAssign) and type(node.op) in OPERATORS:
        yield changed(node, op=OPERATORS[type(node.op)]())
        yield ast.Pass()
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        yield changed(node, ops=[COMPARISONS[type(node.ops[0])](), *node.ops[1:]])
    elif isinstance(node, ast.BoolOp):
        yield changed(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield changed(node, value=not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float) and abs(node.value) < 10:
        yield changed(node, value=node.value + 1)
    elif isinstance(node, ast.Attribute) and node.attr in NAMES:
        yield changed(node, attr=NAMES[node.attr])
    elif isinstance(node, ast.IfExp):
        yield changed(node, body=node.orelse, orelse=node.body)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield ast.Pass()


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
            roots += [*node.decorator_list, *(item for item in node.body if isinstance(item, ast.AnnAssign))]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in WORDS:
            roots += node.args[WORDS[ast.unparse(node.func)] :]
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


def mutants(path: Path) -> list[tuple[int, str, str]]:
    """(line, what changed, whole new source) of every fault that can be put into a module."""
    source = path.read_text("utf-8")
    count, found = len(list(ast.walk(ast.parse(source)))), []
    for place in range(count):
        tree = ast.parse(source)
        node = list(ast.walk(tree))[place]
        for new in () if node in harmless(tree) else faults(node):
            before, line = ast.unparse(node), node.lineno
            text = ast.unparse(ast.fix_missing_locations(Put(node, new).visit(tree)))
            found.append((line, f"{before}  ->  {ast.unparse(new)}", text))
            break  # one fault a place
    return found


def modules() -> dict[str, Path]:
    """Name below `nbcore` ("one_hot.factors") -> its file; a package's `__init__` only hands names on."""
    paths = (path for path in sorted(LIBRARY.rglob("*.py")) if path.name != "__init__.py")
    return {".".join(path.relative_to(LIBRARY).with_suffix("").parts): path for path in paths}


def tests_of(module: str) -> str:
    """The file that tests a module."""
    return f"tests/test_{TESTS.get(module, module.partition('.')[0])}.py"


def lives(module: str, source: str) -> bool:
    """Do the module's tests pass with this source?"""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder) / "project"
        for name in ("nbcore", "workbook", "tools", "tests", "notebooks"):
            shutil.copytree(ROOT / name, here / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", here)
        shared = ROOT.parent / "shared"  # the papers' corpora, where they lie beside the project
        if shared.is_dir():
            (Path(folder) / "shared").symlink_to(shared)
        (here / modules()[module].relative_to(ROOT)).write_text(source, "utf-8")
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", tests_of(module)]
        env = os.environ | {"PYTHONPATH": str(here)}  # before the project itself, which may be installed
        try:
            return subprocess.run(command, cwd=here, env=env, capture_output=True, timeout=SECONDS).returncode == 0
        except subprocess.TimeoutExpired:
            return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="modules below nbcore, separated by commas")
    options = parser.parse_args()
    paths = modules()
    asked = options.only.split(",") if options.only else list(paths)
    if unknown := set(asked) - set(paths):
        parser.error(f"no such module: {', '.join(sorted(unknown))}; there are {', '.join(paths)}")
    pool = [(name, *mutant) for name in sorted(set(asked)) for mutant in mutants(paths[name])]
    chosen = random.Random(options.seed).sample(pool, min(options.sample, len(pool)))
    used = sorted({name for name, *_ in chosen})
    with ThreadPoolExecutor(2) as workers:
        sound = workers.map(lambda name: lives(name, paths[name].read_text("utf-8")), used)
        for name, passed in zip(used, sound, strict=True):
            if not passed:
                sys.exit(f"{tests_of(name)} fails as nbcore.{name} stands: a mutant it kills would prove nothing.")
    start, alive = time.monotonic(), []
    with ThreadPoolExecutor(2) as workers:
        results = workers.map(lambda mutant: lives(mutant[0], mutant[3]), chosen)
        for number, ((module, line, what, _), lived) in enumerate(zip(chosen, results, strict=True), 1):
            if lived:
                alive.append(f"{paths[module].relative_to(ROOT)}:{line}: {what}")
                print(f"\ralive: {alive[-1]}")
            seconds = time.monotonic() - start
            print(f"\r{number} of {len(chosen)}, {len(alive)} alive, {seconds:.0f} s", end="", flush=True)
    print(f"\n{len(pool)} places, {len(chosen)} sampled, {1 - len(alive) / len(chosen):.0%} killed.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

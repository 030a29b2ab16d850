"""Do the tests notice a wrong drawing? Sample small faults in the page's script, and count those that tests kill.

    .venv/bin/python -m tools.mutants_js --sample 90 --seed 0 [--only scales,view]

As mutants.py does for Python, token by token: an operator, a comparison, a small constant, min for max, true for false,
a branch never taken, one line left out. Texts, patterns and comments are left alone. A file's tests open a real
Chromium, the quickest first.
"""

import argparse
import random
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, closing
from pathlib import Path
from queue import Queue
from typing import NamedTuple

from tools.files import ROOT
from tools.trials import Repeated, copied

WORKERS = 2

PAGE = ROOT / "workbook" / "page"
DRAWN = "marks", "touched", "details", "draw", "look"  # tests/browser/test_*.py of a file in draw/, but for these
TESTS = {
    "formula": ("marks", "details"), "words": ("marks", "details"), "details": ("touched", "marks", "details"),
    "handles": ("grips", "handles", "drawn"), "view": ("render", "view", "handles", "fitting", "drawn"),
    "ahead": ("ahead", "render"), "tables": ("numbers", "draw"), "numbers": ("numbers", "site_numbers", "view"),
}  # fmt: skip
TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
    |(?P<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)
    |(?P<name>[A-Za-z_$][\w$]*)
    |(?P<sign>=>|\.\.\.|===|!==|\*\*|\+\+|--|&&=|\|\|=|\?\?=|\?\.|\?\?|\|\||&&|<<|>>|[-+*/%<>=!]=|.)""",
    re.VERBOSE | re.DOTALL,
)
PATTERN = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\[\n])+/\w*")
TEMPLATE = re.compile(r"(?:\\.|\$(?!\{)|[^`\\$])*(?P<end>`|\$\{)", re.DOTALL)  # up to its end, or to code in it
WORDS = {"return", "of", "in", "typeof", "case", "await", "new", "else"}  # after these a value begins
OPERATORS = {"+": "-", "-": "+", "*": "/", "/": "*", "**": "*", "%": "*", "+=": "-=", "-=": "+=",
             "++": "--", "--": "++", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===", "==": "!=",
             "!=": "==", "&&": "||", "||": "&&", "??": "&&", "?": "&& 0 ?"}  # fmt: skip
PREFIXES = {"-": "", "!": "", "++": "--"}
NAMES = {"true": "false", "false": "true"}
METHODS = {"min": "max", "max": "min", "floor": "ceil", "ceil": "floor", "round": "floor", "sin": "cos", "cos": "sin",
           "some": "every", "every": "some"}  # fmt: skip
# A line that does something by itself; a guard with what it guards.
LINE = re.compile(
    r"^ +((?!(?:const|let|return|for|while|else|function|async|break|continue|throw|try|export)\b)[\w\[].*;)$"
)


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    after_value: bool


def tokens(source: str) -> Iterator[Token]:
    """The tokens of a script; of a template only the code in it."""
    at, value, open_ = 0, False, []  # of every template that is open: how many braces stand open in its code
    while at < len(source):
        if source[at] == "}" and open_ and open_[-1] == 0:  # back into the template
            piece = TEMPLATE.match(source, at + 1)
            at = piece.end()
            if piece["end"] == "`":
                open_.pop()
                value = True
            continue
        if source[at] == "`":
            piece = TEMPLATE.match(source, at + 1)
            at, value = piece.end(), piece["end"] == "`"
            if not value:
                open_.append(0)
            continue
        found = TOKEN.match(source, at)
        if found["sign"] and source[at] == "/" and not value:
            found = PATTERN.match(source, at)
            kind = "text"
        else:
            kind = found.lastgroup
        text = found[0]
        if open_ and text in "{}":
            open_[-1] += 1 if text == "{" else -1
        if kind != "space":
            yield Token(kind, text, at, value)
            value = text in (")", "]") or kind in ("number", "text") or (kind == "name" and text not in WORDS)
        at = found.end()


def slip(token: Token, before: str, after: str) -> str | None:
    """What a slip of the pen could make of a token between two others; None where there is nothing to slip on."""
    kind, text, _, after_value = token
    if kind == "sign" and (text, after) != ("++", ")"):  # a loop that never ends is noticed
        return (OPERATORS if after_value else PREFIXES).get(text)
    if kind == "number" and float(text) < 10:
        return f"{float(text) + 1:g}"
    if kind == "name":
        return METHODS.get(text) if (before, after) == (".", "(") else NAMES.get(text)
    return None


def left_out(source: str) -> Iterator[tuple[int, str]]:
    """(start, text) of every line that can be left out alone."""
    lines, at = source.splitlines(keepends=True), 0
    for above, line, below in zip(["", *lines], lines, [*lines[1:], ""], strict=False):
        found = LINE.match(line.rstrip())
        begins = above.partition("//")[0].rstrip()[-1:] in "{};)" and "else" not in below.split()[:1]
        if found and begins and all(line.count(a) == line.count(b) for a, b in ("()", "[]", "{}")):
            yield at + found.start(1), found[1]
        at += len(line)


def mutants(path: Path) -> list[tuple[int, str, str]]:
    """(line, what changed, whole new source) of every fault that can be put into a script."""
    source = path.read_text("utf-8")
    read, places = list(tokens(source)), []
    for k, token in enumerate(read[1:-1], 1):
        new = slip(token, read[k - 1].text, read[k + 1].text)
        if new is not None:
            places.append((token.start, token.text, new))
    places += [(start, text, ";") for start, text in left_out(source)]
    found = []
    for start, old, new in sorted(places):
        line = source.count("\n", 0, start)
        text = source.splitlines()[line].strip()
        what = f"{old}  ->  {new or 'nothing'}   in   {text}" if new != ";" else f"left out: {text}"
        found.append((line + 1, what, source[:start] + new + source[start + len(old) :]))
    return found


def scripts() -> dict[str, Path]:
    return {path.stem: path for path in [*sorted((PAGE / "draw").glob("*.js")), PAGE / "ahead.js", PAGE / "view.js"]}


def tests_of(script: str) -> list[str]:
    """The files that test a script, the quickest first."""
    return [f"tests/browser/test_{name}.py" for name in TESTS.get(script, DRAWN)]


def each_by(workers: list[Repeated], chosen: list[tuple], paths: dict[str, Path]) -> Iterator[tuple[tuple, str]]:
    """(mutant, the test that kills it) as the workers get done."""
    free = Queue()
    for worker in workers:
        free.put(worker)

    def judged(mutant):
        name, _, _, source = mutant
        worker = free.get()
        try:
            return mutant, worker.first_failure(str(paths[name].relative_to(ROOT)), source, tests_of(name))
        finally:
            free.put(worker)

    with ThreadPoolExecutor(len(workers)) as threads:
        for future in as_completed([threads.submit(judged, mutant) for mutant in chosen]):
            yield future.result()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=90)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="scripts of workbook/page, separated by commas")
    options = parser.parse_args()
    paths = scripts()
    asked = options.only.split(",") if options.only else list(paths)
    if unknown := set(asked) - set(paths):
        parser.error(f"no such script: {', '.join(sorted(unknown))}; there are {', '.join(paths)}")
    pool = [(name, *mutant) for name in asked for mutant in mutants(paths[name])]
    chosen = random.Random(options.seed).sample(pool, min(options.sample, len(pool)))
    start, alive, done = time.monotonic(), 0, 0
    with ExitStack() as stack:
        workers = [stack.enter_context(closing(Repeated(stack.enter_context(copied())))) for _ in range(WORKERS)]
        tests = sorted({test for name, *_ in chosen for test in tests_of(name)})
        if failed := workers[0].first_failure("workbook/explorer/view.js", paths["view"].read_text("utf-8"), tests):
            sys.exit(f"{failed} fails as the page stands: a mutant it kills would prove nothing.")
        for (name, line, what, _), test in each_by(workers, chosen, paths):
            alive, done = alive + (not test), done + 1
            print(f"{test or 'ALIVE'}: {name}.js:{line}: {what}")
            print(f"{done} of {len(chosen)}, {alive} alive, {time.monotonic() - start:.0f} s", end="\r", flush=True)
    print(f"\n{len(pool)} places, {len(chosen)} sampled, {1 - alive / len(chosen):.0%} killed.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

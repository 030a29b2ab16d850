"""Count the project's pages, words and lines, and compare them with their ceilings: python -m tests.ceilings [--lower]

Without a flag the table is printed. --lower writes lower ceilings where figures have fallen; none may rise.

A ceiling is its figure rounded up to three digits, and at most 2 % above it: so nobody writes a ceiling for a line more
or less, and what was removed does not grow again. No ceiling needs to be lower than its goal.

Words of text stand in markdown cells, words of output in the saved outputs (streams and text/plain). Words of
questions stand in the strings of the chapters' questions.py: tasks, options, hints, reveals, helps and solutions as
they are written, a computed value one word, since to compute all reveals takes half a minute; those of variants are
said beside other numbers only, in review. Lines are all lines
(wc -l), blank ones and comments too, of .py, .js and .css files.
"""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from math import ceil
from pathlib import Path

import nbformat

from workbook import explorers
from workbook.explorer.explorer import Explorer

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "tests" / "ceilings.json"
SECONDS = "seconds of the last quiet CI run"  # measured by hand: kept in FILE with its date
SLACK = 1.02


def count_words(text: str) -> int:
    """Count the words of a text; a formula counts by the pieces between its spaces."""
    return sum(any(letter.isalnum() for letter in piece) for piece in text.split())


def count_page(cells: list) -> tuple[int, int]:
    """Count the words of text and of output in these cells."""
    outputs = [output for cell in cells if cell.cell_type == "code" for output in cell.outputs]
    shown = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs]
    return sum(count_words(cell.source) for cell in cells if cell.cell_type == "markdown"), sum(map(count_words, shown))


def count_lines(folder: str) -> int:
    """Count the lines of the Python, JavaScript and CSS files in a folder of the project."""
    paths = [path for path in (ROOT / folder).rglob("*") if path.suffix in {".py", ".js", ".css"}]
    return sum(path.read_bytes().count(b"\n") for path in paths)


def read_strings(code: str) -> Iterator[str]:
    """Yield the strings in a Python module except docstrings; a value in an f-string is a 0."""
    tree = ast.parse(code)
    aside = {id(node.value) for node in ast.walk(tree)
             if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    for node in ast.walk(tree):  # a node comes before its parts
        if id(node) in aside:
            aside |= {id(part) for part in ast.iter_child_nodes(node)}
        elif isinstance(node, ast.JoinedStr):
            aside |= {id(part) for part in node.values}
            yield "".join(part.value if isinstance(part, ast.Constant) else "0" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def drop_variants(code: str) -> str:
    """Return the code of a questions.py without the texts that only tasks with other numbers have."""
    tree = ast.parse(code)
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        call.keywords = [keyword for keyword in call.keywords if keyword.arg != "variant_texts"]
        if isinstance(call.func, ast.Name) and call.func.id == "Mistake":
            call.args = call.args[:2]
    return ast.unparse(tree)


def count_figures() -> dict[str, int]:
    """Return the name and size of everything that has a ceiling."""
    pages = [nbformat.read(path, 4) for path in sorted((ROOT / "notebooks").glob("*.ipynb"))]
    cells = [cell for page in pages for cell in page.cells]
    asked = [path.read_text("utf-8") for path in (ROOT / "workbook" / "chapters").glob("*/questions.py")]
    drawn = [getattr(explorers, name) for name in explorers.__all__]
    drawn = [drawing for drawing in drawn if isinstance(drawing, type) and issubclass(drawing, Explorer)]
    return {
        "pages": len(pages),
        "words of text": count_page(cells)[0],
        "words of output": count_page(cells)[1],
        "words of questions": sum(count_words(text) for code in asked for text in read_strings(drop_variants(code))),
        "words of questions and variants": sum(count_words(text) for code in asked for text in read_strings(code)),
        "explorers": len(drawn),
        "controls": sum(len(drawing.declared) for drawing in drawn),
        "lines of nbcore": count_lines("nbcore"),
        "lines of workbook without chapters": count_lines("workbook") - count_lines("workbook/chapters"),
        "lines of chapters": count_lines("workbook/chapters"),
        "lines of tools": count_lines("tools"),
        "lines of benchmarks": count_lines("benchmarks"),
        "lines of tests": count_lines("tests"),
        SECONDS: read_kept()["quiet CI run"]["seconds"],
    }  # fmt: skip


def read_kept() -> dict:
    """Return the content of ceilings.json: the day of the start, the last quiet CI run, ceilings and goals by name."""
    return json.loads(FILE.read_text("utf-8"))


def find_earlier() -> list[dict]:
    """Return every earlier content of ceilings.json that git knows of; none in a shallow clone or without git."""
    def git(*words: str) -> str:
        command = ["git", "-c", "safe.directory=*", *words]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8").stdout

    name, now = FILE.relative_to(ROOT).as_posix(), read_kept()
    commits = git("log", "--format=%H", "--", name).split()
    return [kept for commit in commits if (kept := json.loads(git("show", f"{commit}:{name}"))) != now]


def judge_figures(figures: dict[str, int], rows: dict[str, dict]) -> list[str]:
    """Return a sentence for each figure above its ceiling, and for each ceiling too far above its figure."""
    wrong = [f"{name} has no ceiling, or is not counted." for name in sorted(figures.keys() ^ rows.keys())]
    for name in sorted(figures.keys() & rows.keys()):
        figure, ceiling = figures[name], rows[name]["ceiling"]
        if figure > ceiling:
            wrong.append(f"{name}: {figure:,} is above the ceiling of {ceiling:,}. Take something away.")
        elif ceiling > max(SLACK * figure, rows[name]["goal"]):
            wrong.append(f"{name}: the ceiling of {ceiling:,} is too high for {figure:,}. "
                         "python -m tests.ceilings --lower sets it, in the same commit.")
    return wrong


def judge_change(earlier: dict, now: dict) -> list[str]:
    """Return a sentence for each ceiling or goal that has risen or gone since the start."""
    if not earlier["started"]:
        return []
    wrong = [] if now["started"] == earlier["started"] else ["There is one start: do not change its day."]
    for name, row in earlier["rows"].items():
        after = now["rows"].get(name)
        if after is None:
            wrong.append(f"{name} had a ceiling and has none now.")
        else:
            wrong += [f"{name}: the {kind} has risen from {row[kind]:,} to {after[kind]:,}. It only falls."
                      for kind in row if after[kind] > row[kind]]
    return wrong


def round_up(figure: int) -> int:
    """Round a figure up to three digits."""
    unit = 10 ** max(0, len(str(figure)) - 3)
    return unit * ceil(figure / unit)


def lower_ceilings(figures: dict[str, int], kept: dict) -> dict:
    """Return the content of ceilings.json with lower ceilings where figures have fallen."""
    rows = {}
    for name, row in kept["rows"].items():
        rows[name] = row | {"ceiling": min(max(round_up(figures[name]), row["goal"]), row["ceiling"])}
    return kept | {"rows": rows}


def write_kept(kept: dict) -> None:
    """Write ceilings.json, one row a line."""
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in kept["rows"].items())
    head = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in kept.items() if key != "rows")
    FILE.write_text(f'{{\n{head},\n "rows": {{\n{rows}\n }}\n}}\n', "utf-8", newline="\n")


def format_table(figures: dict[str, int], kept: dict) -> str:
    """Return the table of figures, ceilings and goals as text."""
    lines = [f"{'ceilings since ' + kept['started']:<52}{'figure':>9}{'ceiling':>9}{'goal':>9}"]
    for name, figure in figures.items():
        row = kept["rows"][name]
        label = f"{name} ({kept['quiet CI run']['date']})" if name == SECONDS else name
        lines.append(f"{label:<52}{figure:>9,}{row['ceiling']:>9,}{row['goal'] or '-':>9{',' * bool(row['goal'])}}")
    return "\n".join(lines)


def main(flags: list[str]) -> int:
    if flags not in ([], ["--lower"]):
        raise SystemExit("python -m tests.ceilings [--lower]")
    figures = count_figures()
    if flags:
        write_kept(lower_ceilings(figures, read_kept()))
    wrong = judge_figures(figures, read_kept()["rows"])
    print("\n".join([format_table(figures, read_kept()), *wrong]))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""python3 run.py bench [OPTION ...] [NAME ...]: measure, and print one table. It measures, it does not judge.

--quick   fewer repetitions
--save    write what was measured to benchmarks/saved.json and docs/speed.md; what was not measured stays
--new     of the explorers only those that are not in saved.json: delete a line to have it measured again
NAME      only the rows whose group has NAME in its name, e.g. bench "key press" hub
"""

from __future__ import annotations

import os
import platform
import sys
from contextlib import ExitStack
from time import perf_counter

from . import MissingError, Row, Run, Task, browser, drawing, estimators, explorer_classes, hub, saved

MODULES = (browser, drawing, estimators, hub)
OPTIONS = ("--quick", "--save", "--new")
ABOUT = (
    "Ratios are ours / peer, of medians measured alternately in this run: compare these, not times of two runs. "
    f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}."
)
HEAD = ("row", "ours", "peer", "ratio", "goal", "met?")


def main(arguments: list[str]) -> int:
    if {"-h", "--help"} & set(arguments):
        print(__doc__)
        return 0
    names = [word for word in arguments if not word.startswith("-")]
    unknown = [word for word in arguments if word.startswith("-") and word not in OPTIONS]
    known = saved.load()["explorers"] if "--new" in arguments else ()
    kinds = [kind for kind in explorer_classes() if kind.__name__.removesuffix("Explorer") not in known]
    everything = [task for module in MODULES for task in module.tasks(kinds)]
    tasks = [task for task in everything if not names or any(name.lower() in task.name.lower() for name in names)]
    if unknown or not tasks:
        groups = "\n  ".join(task.name for task in everything)
        print(f"bench: there is no {' '.join(unknown or names)}; the groups are\n  {groups}", file=sys.stderr)
        return 2
    with ExitStack() as stack:
        rows, notes, failures = measure(tasks, Run("--quick" in arguments, stack))
    print(format_table(rows))
    about = ("A quick run. " if "--quick" in arguments else "") + ABOUT
    print("\n" + "\n".join([*notes, *failures, about]))
    if "--save" in arguments:
        saved.write(rows, about)
    return 1 if failures else 0


def measure(tasks: list[Task], run: Run) -> tuple[list[Row], list[str], list[str]]:
    """Return the rows of all tasks, a sentence for what is missing here, and one for what broke."""
    rows, missing, failures, start = [], {}, [], perf_counter()
    for number, task in enumerate(tasks, start=1):
        run.say(f"[{number}/{len(tasks)}, {perf_counter() - start:.0f} s] {task.name}")
        try:
            rows += task.rows(run)
        except MissingError as sentence:
            missing.setdefault(str(sentence), []).append(task.name)
        except Exception as problem:  # the other rows are worth having all the same
            failures.append(f"FAILED, {task.name}: {type(problem).__name__}: {str(problem)[:300]}")
    notes = [f"Not measured ({'; '.join(names)}): {sentence}" for sentence, names in missing.items()]
    return rows, notes, failures


def format_table(rows: list[Row]) -> str:
    """Return the rows under their heads, in aligned columns."""
    met = {True: "yes", False: "NO", None: ""}
    cells = [HEAD] + [(row.name, row.ours, row.peer, "" if row.ratio is None else f"{row.ratio:.2f}", row.goal,
                       met[row.met]) for row in rows]  # fmt: skip
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    cells.insert(1, tuple("-" * width for width in widths))
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in cells]
    return "\n".join(line.rstrip() for line in lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

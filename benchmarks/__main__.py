"""python3 run.py bench [--quick] [--save] [NAME ...]: measure, and print one table. It measures, it does not judge."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from contextlib import ExitStack
from time import perf_counter

from . import Row, Run, Task, browser, drawing, estimators, hub, saved

MODULES = (browser, drawing, estimators, hub)
ABOUT = (
    "Ratios are ours / peer, of medians measured alternately in this run: compare these, not times of two runs. "
    f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}."
)
HEAD = ("row", "ours", "peer", "ratio", "goal", "met?")


def main(arguments: list[str]) -> int:
    everything = [task for module in MODULES for task in module.tasks()]
    groups = "The groups are: " + "; ".join(task.name for task in everything)
    parser = argparse.ArgumentParser("run.py bench", epilog=groups)
    parser.add_argument("names", nargs="*", metavar="NAME", help='only groups named like this, e.g. "key press"')
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    parser.add_argument("--save", action="store_true", help="write to benchmarks/saved.json and docs/speed.md what was "
                        "measured; what was not measured stays")  # fmt: skip
    args = parser.parse_args(arguments)
    names = [name.lower() for name in args.names] or [""]
    tasks = [task for task in everything if any(name in task.name.lower() for name in names)]
    if not tasks:
        parser.error(groups)
    with ExitStack() as stack:
        rows, failures = measure(tasks, Run(args.quick, stack))
    print(format_table(rows))
    about = ("A quick run. " if args.quick else "") + ABOUT
    print("\n" + "\n".join([*failures, about]))
    if args.save:
        saved.write(rows, about)
    return 1 if failures else 0


def measure(tasks: list[Task], run: Run) -> tuple[list[Row], list[str]]:
    """Return the rows of all tasks, and a sentence for each that broke."""
    rows, failures, start = [], [], perf_counter()
    for number, task in enumerate(tasks, start=1):
        run.say(f"[{number}/{len(tasks)}, {perf_counter() - start:.0f} s] {task.name}")
        try:
            rows += task.rows(run)
        except Exception as problem:  # the other rows are worth having all the same
            failures.append(f"FAILED, {task.name}: {type(problem).__name__}: {str(problem)[:300]}")
    return rows, failures


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

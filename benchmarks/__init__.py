"""How fast the workbook answers: `python3 run.py bench`. Every comparison is a ratio of medians from one run.

A module of this package offers `tasks()`; a task is a name and a function that turns a `Run` into rows of the table.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

import numpy as np

from workbook import explorers
from workbook.explorer.controls import Text
from workbook.explorer.explorer import Explorer

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Row:
    """One line of the table; `met` is None where there is no goal."""

    name: str
    ours: str
    peer: str = ""
    ratio: float | None = None
    goal: str = ""
    met: bool | None = None


@dataclass(eq=False)
class Run:
    """One run of the benchmarks: how thorough it is, and what it has to close at its end."""

    quick: bool = False
    stack: ExitStack = field(default_factory=ExitStack)

    def repeats(self, full: int) -> int:
        """Return `full` repetitions, about a quarter of them in a quick run."""
        return max(3, full // 4) if self.quick else full

    def say(self, text: str) -> None:
        """Print progress, apart from the table."""
        print(text, file=sys.stderr, flush=True)


@dataclass(frozen=True)
class Task:
    """Something to measure; the command line chooses tasks by their names."""

    name: str
    rows: Callable[[Run], Iterable[Row]]


def seconds(function: Callable[[], object]) -> float:
    """Measure how long one call takes."""
    start = perf_counter()
    function()
    return perf_counter() - start


def alternately(ours: Callable, peer: Callable, repeats: int) -> tuple[np.ndarray, np.ndarray]:
    """Measure the seconds (repeats,) of both, called in turn (ABAB...) after one call each that does not count."""
    ours(), peer()
    times = np.array([(seconds(ours), seconds(peer)) for _ in range(repeats)])
    return times[:, 0], times[:, 1]


def ms(time: float) -> str:
    """Return seconds as milliseconds with three digits, never in powers of ten."""
    return f"{1e3 * time:.0f}" if time >= 0.1 else f"{1e3 * time:.3g}"


def spread(times) -> str:
    """Return median and 90th percentile of times in seconds, in ms."""
    return f"{ms(np.median(times))} ms (p90 {ms(np.percentile(times, 90))})"


def compared(name: str, ours, peer, goal: float | None = None) -> Row:
    """Make the row for two samples of one quantity; the goal is the largest ratio of their medians, to two decimals."""
    ratio = float(np.median(ours) / np.median(peer))
    met = None if goal is None else round(ratio, 2) <= goal
    return Row(name, spread(ours), spread(peer), ratio, "" if goal is None else f"<= {goal:g}", met)


def explorer_task(name: str, measure: Callable, goal: float) -> Task:
    """Make the task of a row for each explorer, then one for the median of their ratios, to two decimals."""
    def rows(run: Run) -> Iterator[Row]:
        ratios = []
        for kind in explorer_classes():
            run.say(f"    {kind.__name__}")
            row = measure(kind, run)
            ratios.append(round(row.ratio, 2))
            yield row
        ratio = float(np.median(ratios))
        of = f"{name}, median of {len(ratios)} explorers"
        yield Row(of, "", "", ratio, f"<= {goal:g}", round(ratio, 2) <= goal)

    return Task(name, rows)


def explorer_classes() -> list[type[Explorer]]:
    """Return every explorer of the book."""
    return [getattr(explorers, name) for name in explorers.__all__ if name.endswith("Explorer")]


def first_slider(kind: type[Explorer]) -> str:
    """Return the name of an explorer's first slider."""
    return next(name for name, control in kind.declared.items() if not isinstance(control, Text))

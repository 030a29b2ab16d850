"""How often each fault is found and clean data draw a finding: `python -m tests.diagnosis.rates` writes the table."""

import warnings
from collections.abc import Callable
from pathlib import Path

from nbcore import diagnose
from nbcore.diagnosis.report import FINDINGS
from tests.diagnosis.worlds import CLEAN, FAULTS, case_of

SEEDS = 20
PAGE = Path(__file__).parents[2] / "docs" / "library.md"
BEGIN, END = "<!-- rates -->\n", "<!-- end of rates -->\n"


def count_hits(name: str, world: Callable, seeds: int) -> int:
    """Count the seeds of a faulty world in which the finding is made."""
    return sum(FINDINGS[name](case_of(world, seed)) is not None for seed in range(seeds))


def count_false_alarms(world: Callable, seeds: int) -> int:
    """Count the seeds of a clean world in which anything is found."""
    alarms = 0
    for seed in range(seeds):
        A, a, B, b, model = world(seed)
        alarms += bool(diagnose(model.fit(A, a), B, b).findings)
    return alarms


def table() -> str:
    """Return the rates as a table in Markdown."""
    lines = ["| finding | planted: seeds of " + str(SEEDS) + " in which it is found |", "|---|---|"]
    for name, worlds in FAULTS.items():
        hits = (f"{world.__name__.replace('_', ' ')} {count_hits(name, world, SEEDS)}" for world in worlds)
        lines.append(f"| `{name}` | {', '.join(hits)} |")
    alarms = (f"{name} {count_false_alarms(world, SEEDS)}" for name, world in CLEAN.items())
    return "\n".join([*lines, f"| anything, in clean data | {', '.join(alarms)} |\n"])


def written() -> str:
    """Return the table that stands on the page."""
    return PAGE.read_text("utf-8").partition(BEGIN)[2].partition(END)[0]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    head, tail = PAGE.read_text("utf-8").split(BEGIN + written() + END)
    PAGE.write_text(head + BEGIN + table() + END + tail, "utf-8")

"""What an explorer costs the kernel: time of compute + draw, and memory."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from subprocess import DEVNULL

import numpy as np

from workbook import explorers
from workbook.explorer.controls import Choice, Text, Toggle
from workbook.explorer.explorer import Explorer

from . import ROOT, Row, Run, Task, compared, seconds, spread

GOAL = 0.016  # s: one frame of a screen
NAMES = ("", "Al", "Gloria", "Zoë", "Maximilian", "O'Neil")


def tasks(kinds) -> list[Task]:
    each = [Task(f"compute + draw, {kind.__name__}", partial(compute_and_draw, kind)) for kind in kinds]
    return [*each, Task("kernel memory", memory)]


def explorer_classes() -> list[type[Explorer]]:
    """Every explorer of the book."""
    return [getattr(explorers, name) for name in explorers.__all__ if name.endswith("Explorer")]


def first_slider(kind: type[Explorer]) -> str:
    """Its name; sliders that are greyed out in the default state aside."""
    default = {name: control.default for name, control in kind.declared.items()}
    return next(name for name, control in kind.declared.items() if not isinstance(control, Choice | Text | Toggle)
                and all(default[other] == value for other, value in control.when.items()))  # fmt: skip


def compute_and_draw(kind: type[Explorer], run: Run) -> Iterator[Row]:
    """Random states, and the preset that takes longest."""
    explorer, rng = kind(), np.random.default_rng(0)
    states = [random_state(explorer, rng) for _ in range(run.repeats(200))]
    yield judged(f"compute + draw, {kind.__name__}, {len(states)} random states", timings(explorer, states))
    presets = {name: explorer.preset(name).state for name in explorer.presets}
    times = {name: timings(explorer, [state] * run.repeats(40)) for name, state in presets.items()}
    if times:
        slowest = max(times, key=lambda name: np.percentile(times[name], 90))
        yield judged(f"    slowest of {len(times)} presets: “{slowest}”", times[slowest])


def judged(name: str, times: np.ndarray) -> Row:
    return Row(name, spread(times), goal=f"p90 <= {1e3 * GOAL:g} ms", met=bool(np.percentile(times, 90) <= GOAL))


def timings(explorer: Explorer, states: list[dict]) -> np.ndarray:
    """Seconds of compute + draw for each state; a data set is loaded once, which does not count."""
    for state in states:
        explorer.compute(**state)
    return np.array([seconds(lambda state=state: explorer.draw(explorer.compute(**state))) for state in states])


def random_state(explorer: Explorer, rng: np.random.Generator) -> dict:
    values = {name: NAMES if isinstance(c, Text) else c.values for name, c in explorer.declared.items()}
    return {name: choices[rng.integers(len(choices))] for name, choices in values.items()}


OURS = "from workbook.explorers import SmoothingExplorer\nfor _ in range({count}): display(SmoothingExplorer())"
PEER = (
    "from workbook.explorers import SmoothingExplorer\nfrom benchmarks.peer import interact_figure\n"
    "for _ in range({count}): interact_figure(SmoothingExplorer)"
)
RSS = "import psutil; psutil.Process().memory_info().rss"


def memory(run: Run) -> Iterator[Row]:
    """A real kernel's memory with 1 and with 10 figures shown."""
    for count in (1, 10):
        ours, peer = kernel_memory(OURS, count), kernel_memory(PEER, count)
        name = f"kernel memory with {count} shown, SmoothingExplorer | matplotlib interact"
        yield compared(name, ours, peer, show="{:.0f} MB".format)


def kernel_memory(code: str, count: int) -> float:
    """Resident MB of a new kernel after it has run the code."""
    from jupyter_client.manager import start_new_kernel

    manager, client = start_new_kernel(kernel_name="python3", cwd=str(ROOT), stderr=DEVNULL)
    try:
        reply = client.execute_interactive(
            "%matplotlib inline\n" + code.format(count=count), output_hook=lambda message: None, timeout=120
        )
        if reply["content"]["status"] != "ok":
            raise RuntimeError(reply["content"]["evalue"])
        found = []
        client.execute_interactive(
            RSS,
            output_hook=lambda message: (
                message["msg_type"] == "execute_result" and found.append(message["content"]["data"]["text/plain"])
            ),
            timeout=60,
        )
        return int(found[0]) / 1e6
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)

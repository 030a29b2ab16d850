"""What a step of a slider costs the kernel: CPU time of its whole process, asked as the page asks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import cycle
from subprocess import DEVNULL

import numpy as np

from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer

from . import ROOT, Row, Run, Task, spread
from .explorers import first_slider

GOAL = 0.010  # s
BLOCK = 50  # steps: a process's CPU time is counted in hundredths of a second
WAY = 9  # values of the slider, to and fro
SHOW = """
from {module} import {name}
explorer = {name}()
display(explorer)
explorer.controls[{slider!r}].model_id
"""


def tasks(kinds) -> list[Task]:
    return [Task(f"kernel, {kind.__name__}", partial(step, kind)) for kind in kinds]


def step(kind: type[Explorer], run: Run) -> Iterator[Row]:
    """Message in, compute, draw, describe, explain, message out, everything that the kernel does about it."""
    slider = first_slider(kind)
    code = SHOW.format(module=kind.__module__, name=kind.__name__, slider=slider)
    kernel = started(run)
    model = kernel.value(code)
    moves = list(to_and_fro(kind, slider))
    for move in moves:  # what is fitted or loaded once does not count
        kernel.move(model, move)
    kernel.value("explorer._worker.stop(); explorer._worker.join(300)")  # presets are fitted when nothing else waits
    steps = cycle(moves)
    times = [kernel.cpu(lambda: [kernel.move(model, next(steps)) for _ in range(BLOCK)]) / BLOCK
             for _ in range(run.repeats(8))]  # fmt: skip
    kernel.value("explorer.close()")
    name = f"kernel, one step of {kind.__name__}: CPU"
    yield Row(name, spread(times), goal=f"<= {1e3 * GOAL:g} ms", met=bool(np.median(times) <= GOAL))


def to_and_fro(kind: type[Explorer], name: str) -> Iterator[dict]:
    """What the page says of a slider that goes from its default to a few neighbours and back."""
    control = kind.declared[name]
    last = len(control.values) - 1
    start = min(control.values.index(control.check(control.default)), max(0, last - WAY))
    way = range(start, min(start + WAY, last) + 1)
    for index in [*way[1:], *way[-2::-1]]:
        yield {"index": index} if isinstance(control, Steps) else {"value": control.values[index]}


class Kernel:
    """A real kernel, spoken to as the page speaks to it."""

    def __init__(self, client, pid: int):
        import psutil

        self.client, self.process = client, psutil.Process(pid)

    def value(self, code: str) -> str:
        """Run code; what its last expression is worth, as text."""
        found = []
        hook = lambda message: message["msg_type"] == "execute_result" and found.append(message)  # noqa: E731
        reply = self.client.execute_interactive(code, output_hook=hook, timeout=120)
        if reply["content"]["status"] != "ok":
            raise RuntimeError(reply["content"]["evalue"])
        return found[0]["content"]["data"]["text/plain"].strip("'") if found else ""

    def move(self, model: str, state: dict) -> None:
        """A control's new state, as its widget on the page sends it; returns when the kernel is idle again."""
        content = {"comm_id": model, "data": {"method": "update", "state": state, "buffer_paths": []}}
        message = self.client.session.msg("comm_msg", content)
        self.client.shell_channel.send(message)
        while True:
            heard = self.client.get_iopub_msg(timeout=60)
            if (
                heard["parent_header"].get("msg_id") == message["header"]["msg_id"]
                and heard["content"].get("execution_state") == "idle"
            ):
                return

    def cpu(self, function) -> float:
        """Seconds of CPU time that the kernel takes for a function of ours."""
        before = self.process.cpu_times()
        function()
        after = self.process.cpu_times()
        return after.user + after.system - before.user - before.system


@cache
def started(run: Run) -> Kernel:
    """The kernel of this run, shut down at its end."""
    from jupyter_client.manager import start_new_kernel

    manager, client = start_new_kernel(kernel_name="python3", cwd=str(ROOT), stderr=DEVNULL)
    run.stack.callback(manager.shutdown_kernel, now=True)
    run.stack.callback(client.stop_channels)
    return Kernel(client, manager.provisioner.pid)

"""A class at once: JupyterHub on this machine, students who each run a chapter and move a slider over a websocket.

The hub runs from an environment of its own in .hub, made by deploy/install with the configuration in deploy/.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
import psutil

from tests.browser.lab import free_port
from workbook.explorers import SmoothingExplorer

from . import ROOT, Row, Run, Task, first_slider, ms
from .student import PATIENCE, Student

STUDENTS, SECONDS, EVERY = 30, 60.0, 0.5
CHAPTER = ROOT / "notebooks" / "02_laplace_smoothing.ipynb"
STEP, MEMORY, READY = 0.060, 220e6, 100  # goals: p90 in s, bytes a student, s until all are ready on 2 cores
Memory = tuple[float, float]  # bytes
FOLDER = ROOT / ".hub"
WAY = 10  # values of the slider, to and fro
CONFIG = """
load_subconfig({config!r})
c = get_config()
c.JupyterHub.bind_url = {url!r}
c.JupyterHub.hub_port = {hub_port}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{api_port}"
c.ConfigurableHTTPProxy.command = [{proxy!r}, "--log-level=warn"]
c.JupyterHub.authenticator_class = "dummy"
c.DummyAuthenticator.password = {token!r}
c.JupyterHub.services.append({{"name": "bench", "api_token": {token!r}}})
scopes = ["admin:users", "admin:servers", "access:servers"]
c.JupyterHub.load_roles.append({{"name": "bench", "services": ["bench"], "scopes": scopes}})
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = {homes!r}
c.Spawner.args = [*c.Spawner.args, "--allow-root"]
c.JupyterHub.log_level = "WARN"
"""


def make_environment(run: Run) -> Path:
    """Make the class's environment, if it is not there."""
    if (FOLDER / "made").exists():
        return FOLDER
    run.say("making the class's environment in .hub by npm and pip; delete .hub after a change of deploy/ ...")
    shutil.rmtree(FOLDER, ignore_errors=True)
    shutil.copytree(ROOT / "deploy" / "proxy", FOLDER / "proxy", ignore=shutil.ignore_patterns("node_modules"))
    for command in ([sys.executable, "-m", "venv", FOLDER / "venv"],
                    ["bash", ROOT / "deploy" / "install", FOLDER / "venv" / "bin" / "python"],
                    ["npm", "ci", "--ignore-scripts", "--prefix", FOLDER / "proxy"]):  # fmt: skip
        subprocess.run(command, cwd=ROOT, stdout=sys.stderr, check=True)
    (FOLDER / "made").touch()
    return FOLDER


@dataclass
class Hub:
    """A running JupyterHub: its address, the token of all students, its process."""

    url: str
    token: str
    process: psutil.Popen

    def processes(self) -> list[psutil.Process]:
        """Return the hub, the proxy, the students' servers and their kernels."""
        return [self.process, *self.process.children(recursive=True)]


    def cpu(self) -> float:
        """Return s of CPU that they have taken."""
        return sum(sum(process.cpu_times()[:2]) for process in self.processes())


@contextmanager
def serve(folder: Path) -> Iterator[Hub]:
    """Run the hub with the configuration in deploy/, but with ports, a token and homes of its own."""
    token = os.urandom(16).hex()
    port, hub_port, api_port = (free_port() for _ in range(3))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        proxy = folder / "proxy" / "node_modules" / ".bin" / "configurable-http-proxy"
        config = Path(scratch, "jupyterhub_config.py")
        config.write_text(CONFIG.format(
            config=str(ROOT / "deploy" / "jupyterhub_config.py"), url=f"http://127.0.0.1:{port}", hub_port=hub_port,
            api_port=api_port, proxy=str(proxy), token=token, homes=f"{scratch}/{{username}}",
        ), "utf-8")  # fmt: skip
        programs = folder / "venv" / "bin"
        env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "JUPYTER"))}
        env["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
        command = [programs / "jupyterhub", "--config", config]
        process = psutil.Popen(command, cwd=scratch, env=env, stdout=sys.stderr, start_new_session=True)
        hub = Hub(f"http://127.0.0.1:{port}", token, process)
        try:
            wait_for(hub)
            yield hub
        finally:
            below = hub.processes()[1:]
            process.terminate()
            for left in psutil.wait_procs([process, *below], timeout=60)[1]:
                left.kill()


def wait_for(hub: Hub) -> None:
    """Wait until the hub answers."""
    deadline = perf_counter() + PATIENCE
    while perf_counter() < deadline and hub.process.poll() is None:
        with suppress(OSError):
            return urllib.request.urlopen(f"{hub.url}/hub/health", timeout=5).close()
        time.sleep(0.2)
    raise RuntimeError("The hub did not start.")


def measure_class(run: Run, students: int, seconds: float) -> tuple[float, list[float], Memory, list[float | None]]:
    """Let all students start at once and run the chapter, and when the last one is ready move their sliders.

    Return s until all are ready, s of CPU until then and for the steps, a student's memory, s a step (None: lost).
    """
    with serve(make_environment(run)) as hub, ThreadPoolExecutor(students) as pool:
        crowd = [Student(hub.url, f"student{k}", hub.token) for k in range(students)]
        start = perf_counter()
        list(pool.map(begin, crowd))
        ready, spent = perf_counter() - start, [hub.cpu()]
        run.say(f"    {students} students are ready after {ready:.0f} s; they move their sliders for {seconds:.0f} s")
        slider = first_slider(SmoothingExplorer)
        control = SmoothingExplorer.declared[slider]
        first = control.values.index(control.check(control.default))
        states = [{"index": first + step} for step in [*range(1, WAY), *range(WAY - 2, -1, -1)]]

        def move(student):
            time.sleep(random.uniform(0, EVERY))
            return student.move(states, int(seconds / EVERY), EVERY)

        list(pool.map(lambda student: student.open(CHAPTER.name), crowd))
        list(pool.map(lambda student: student.show(SmoothingExplorer, slider), crowd))
        begun = hub.cpu()
        moved = list(pool.map(move, crowd))
        spent.append(hub.cpu() - begun)
        memory = mean_memory(hub)
        list(pool.map(Student.leave, crowd))
    return ready, spent, memory, [step for steps in moved for step in steps]


def begin(student: Student) -> None:
    """Start a student's server, run the chapter, and close the page: its kernel stays."""
    student.start()
    student.open(CHAPTER.name)
    student.run(CHAPTER)
    student.line.close()


def mean_memory(hub: Hub) -> Memory:
    """Return the mean bytes of a student's server and kernel: shared pages shared out, and resident."""
    sizes = {"student-server": [], "ipykernel_launcher": []}
    for process in hub.processes():
        with suppress(psutil.Error):
            memory = process.memory_full_info()
            for name in filter(" ".join(process.cmdline()).__contains__, sizes):
                sizes[name].append((getattr(memory, "pss", memory.rss), memory.rss))
    return tuple(sum(np.mean(found, axis=0) for found in sizes.values()))


def class_rows(run: Run) -> Iterator[Row]:
    """Measure a class and yield its rows."""
    students, seconds = run.repeats(STUDENTS), SECONDS / (4 if run.quick else 1)
    ready, spent, memory, steps = measure_class(run, students, seconds)
    each, step = spent[0] / students, spent[1] / len(steps)
    name, done = f"a class of {students}, chapter 02: ", [step for step in steps if step is not None]
    lost = len(steps) - len(done)
    yield Row(f"{name}steps lost", f"{lost} of {len(steps)}", goal="0", met=lost == 0)
    p90, p99 = np.percentile(done, [90, 99])
    yield Row(f"{name}a step, moved to received", f"{ms(np.median(done))} ms (p90 {ms(p90)})", f"p99 {ms(p99)} ms",
              goal=f"p90 <= {1e3 * STEP:.0f} ms", met=bool(p90 <= STEP))  # fmt: skip
    yield Row(f"{name}a step, CPU of all processes", f"{ms(step)} ms")
    own, resident = (f"{size / 1e6:.0f} MB" for size in memory)
    yield Row(f"{name}memory a student, shared pages shared out", own, f"{resident} resident",
              goal=f"<= {MEMORY / 1e6:.0f} MB", met=bool(memory[0] <= MEMORY))  # fmt: skip
    yield Row(f"{name}all ready", f"{each:.1f} s of CPU a student", f"{ready:.0f} s in all", goal=f"<= {READY:.0f} s",
              met=bool(ready <= READY))  # fmt: skip


def tasks() -> list[Task]:
    return [Task("a class at once on JupyterHub", class_rows)]

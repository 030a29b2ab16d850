"""A class at once: JupyterHub on this machine, students who each run a chapter and move a slider over a websocket.

The hub runs from an environment of its own in .hub, made by deploy/install with the configuration in deploy/.
"""

from __future__ import annotations

import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
import psutil

from tools.verbs import allow_root
from workbook.explorers import SmoothingExplorer

from . import ROOT, MissingError, Row, Run, Task, first_slider, ms
from .student import PATIENCE, Student

STUDENTS, SECONDS, EVERY = 30, 60.0, 0.5
CHAPTER = ROOT / "notebooks" / "02_laplace_smoothing.ipynb"
STEP, MEMORY, CPU = 0.060, 220e6, 12.3 / 2  # goals: p90 in s, bytes a student, s of CPU until ready
FOLDER = ROOT / ".hub"
LOG = 2000  # characters of its log that an error tells
WAY = 10  # values of the slider, to and fro
CONFIG = """
load_subconfig({config!r})
c = get_config()
c.JupyterHub.bind_url = {url!r}
c.JupyterHub.hub_port = {hub_port}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{api_port}"
c.ConfigurableHTTPProxy.command = [{proxy!r}]
c.JupyterHub.authenticator_class = "dummy"
c.DummyAuthenticator.password = {token!r}
c.JupyterHub.services.append({{"name": "bench", "api_token": {token!r}}})
scopes = ["admin:users", "admin:servers", "access:servers"]
c.JupyterHub.load_roles.append({{"name": "bench", "services": ["bench"], "scopes": scopes}})
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = {homes!r}
c.Spawner.args = [*c.Spawner.args, *{root_flags!r}]
c.JupyterHub.log_level = "WARN"
"""


def make_environment(run: Run) -> Path:
    """Make the class's environment, if it is not there; raise a MissingError where it cannot be made."""
    if (FOLDER / "made").exists():
        return FOLDER
    if sys.platform == "win32" or not shutil.which("npm"):
        raise MissingError("JupyterHub runs on Linux and macOS, and its proxy needs Node.js 20 with npm.")
    run.say("making the class's environment in .hub (about two minutes; delete .hub after a change of deploy/) ...")
    shutil.rmtree(FOLDER, ignore_errors=True)
    shutil.copytree(ROOT / "deploy" / "proxy", FOLDER / "proxy", ignore=shutil.ignore_patterns("node_modules"))
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    for command in ([sys.executable, "-m", "venv", FOLDER / "venv"],
                    ["bash", ROOT / "deploy" / "install", FOLDER / "venv" / "bin" / "python"],
                    ["npm", "ci", "--ignore-scripts", "--prefix", FOLDER / "proxy"]):  # fmt: skip
        done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True)
        if done.returncode:
            raise MissingError(f"the class's environment could not be made: {(done.stderr or done.stdout)[-300:]}")
    (FOLDER / "made").touch()
    return FOLDER


# --- the hub ---------------------------------------------------------------------------------------------------------


@dataclass
class Hub:
    """A running JupyterHub: its address, the token of all students, its process."""

    url: str
    token: str
    process: psutil.Popen

    def processes(self) -> list[psutil.Process]:
        """Return the hub, the proxy, the students' servers and their kernels."""
        return [self.process, *self.process.children(recursive=True)]


@contextmanager
def serve(folder: Path) -> Iterator[Hub]:
    """Run the hub with the configuration in deploy/, but with ports, a token and homes of its own."""
    token = os.urandom(16).hex()
    port, hub_port, api_port = free_ports(3)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        proxy = folder / "proxy" / "node_modules" / ".bin" / "configurable-http-proxy"
        config = Path(scratch, "jupyterhub_config.py")
        config.write_text(CONFIG.format(
            config=str(ROOT / "deploy" / "jupyterhub_config.py"), url=f"http://127.0.0.1:{port}", hub_port=hub_port,
            api_port=api_port, proxy=str(proxy), token=token, homes=f"{scratch}/{{username}}", root_flags=allow_root(),
        ), "utf-8")  # fmt: skip
        programs = folder / "venv" / "bin"
        env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "JUPYTER"))}
        env["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
        with open(Path(scratch, "log"), "w+", encoding="utf-8") as log:
            command = [programs / "jupyterhub", "--config", config]
            process = psutil.Popen(command, cwd=scratch, env=env, stdout=log, stderr=log, start_new_session=True)
            hub = Hub(f"http://127.0.0.1:{port}", token, process)
            try:
                wait_for(hub)
                yield hub
            except Exception as problem:
                log.seek(0)
                raise RuntimeError(f"{problem} The hub's log ends with: {log.read()[-LOG:]}") from problem
            finally:
                below = hub.processes()[1:]
                process.terminate()
                for left in psutil.wait_procs([process, *below], timeout=60)[1]:
                    left.kill()


def free_ports(count: int) -> list[int]:
    """Return ports that no other program has."""
    with ExitStack() as stack:
        return [stack.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1] for _ in range(count)]


def wait_for(hub: Hub) -> None:
    """Wait until the hub answers."""
    deadline = perf_counter() + PATIENCE
    while perf_counter() < deadline and hub.process.poll() is None:
        with suppress(OSError):
            return urllib.request.urlopen(f"{hub.url}/hub/health", timeout=5).close()
        time.sleep(0.2)
    raise RuntimeError("The hub did not start.")


# --- the load --------------------------------------------------------------------------------------------------------


@dataclass
class Load:
    """The measurements of a class; memory and CPU are means over students, of the server and of the kernel."""

    ready: float  # s from the first start until the last chapter has run
    cpu: np.ndarray  # s
    rss: np.ndarray  # bytes
    pss: float  # bytes of both, shared pages shared out
    busy: float  # s of CPU of all processes while the sliders moved
    steps: list[float | None]


def measure_class(run: Run, students: int, seconds: float) -> Load:
    """Let all students start at once and run the chapter, and when the last one is ready move their sliders."""
    with serve(make_environment(run)) as hub, ThreadPoolExecutor(students) as pool:
        crowd = [Student(hub.url, f"student{k}", hub.token) for k in range(students)]
        ready = start_all(pool, crowd)
        run.say(f"    {students} students are ready after {ready:.0f} s; they move their sliders for {seconds:.0f} s")
        cpu, *_ = mean_use(hub)
        slider = first_slider(SmoothingExplorer)
        list(pool.map(lambda student: student.show(SmoothingExplorer, slider), crowd))
        control = SmoothingExplorer.declared[slider]
        begin, steps = control.values.index(control.check(control.default)), int(seconds / EVERY)
        states = [{"index": begin + step} for step in [*range(1, WAY), *range(WAY - 2, -1, -1)]]

        def move(student):
            time.sleep(random.uniform(0, EVERY))
            return student.move(states, steps, EVERY)

        before = total_cpu(hub)
        moved = list(pool.map(move, crowd))
        spent = total_cpu(hub) - before
        _, rss, pss = mean_use(hub)
        list(pool.map(Student.leave, crowd))
    return Load(ready, cpu, rss, pss, spent, [step for steps in moved for step in steps])


def start_all(pool: ThreadPoolExecutor, crowd: list[Student]) -> float:
    """Start all students; return the seconds from the first start until the last chapter has run."""
    start, times, failed = perf_counter(), [], threading.Event()

    def begin(student):
        try:
            student.start()
            student.open(CHAPTER.name)
            student.run(CHAPTER)
        except BaseException:
            failed.set()
            raise
        times.append(perf_counter() - start)
        student.answer_pings_until(lambda: failed.is_set() or len(times) == len(crowd))

    list(pool.map(begin, crowd))
    return max(times)


def mean_use(hub: Hub) -> tuple[np.ndarray, np.ndarray, float]:
    """Return means of a student: s of CPU and resident bytes of (server, kernel), bytes with shared pages shared."""
    kinds = {"student-server": [], "ipykernel_launcher": []}
    for process in hub.processes():
        with suppress(psutil.Error):
            words = " ".join(process.cmdline())
            for name, found in kinds.items():
                if name in words:
                    times, memory = process.cpu_times(), process.memory_full_info()
                    found.append((times.user + times.system, memory.rss, getattr(memory, "pss", memory.rss)))
    cpu, rss, pss = np.transpose([np.mean(found, axis=0) for found in kinds.values()])
    return cpu, rss, pss.sum()


def total_cpu(hub: Hub) -> float:
    """Return the s of CPU that the hub, its proxy, the servers and the kernels have taken so far."""
    times = [process.cpu_times() for process in hub.processes()]
    return sum(each.user + each.system for each in times)


def class_rows(run: Run) -> Iterator[Row]:
    """Measure a class and yield its rows."""
    students, seconds = run.repeats(STUDENTS), SECONDS / (4 if run.quick else 1)
    found = measure_class(run, students, seconds)
    name, done = f"a class of {students}, chapter 02: ", np.array([step for step in found.steps if step is not None])
    lost = len(found.steps) - len(done)
    yield Row(f"{name}steps lost", f"{lost} of {len(found.steps)}", goal="0", met=lost == 0)
    p90, p99 = np.percentile(done, [90, 99])
    yield Row(f"{name}a step, moved to received", f"{ms(np.median(done))} ms (p90 {ms(p90)})", f"p99 {ms(p99)} ms",
              goal=f"p90 <= {1e3 * STEP:.0f} ms", met=bool(p90 <= STEP))  # fmt: skip
    cost = ms(found.busy / len(found.steps))
    yield Row(f"{name}a step, CPU of all processes", f"{cost} ms", f"{len(found.steps) / seconds:.0f} steps a second")
    server, kernel = found.rss / 1e6
    resident = f"{server + kernel:.0f} MB resident (server {server:.0f}, kernel {kernel:.0f})"
    yield Row(f"{name}memory a student, shared pages shared out", f"{found.pss / 1e6:.0f} MB", resident,
              goal=f"<= {MEMORY / 1e6:.0f} MB", met=bool(found.pss <= MEMORY))  # fmt: skip
    parts = f"server {found.cpu[0]:.1f}, kernel {found.cpu[1]:.1f}"
    yield Row(f"{name}all ready", f"{found.cpu.sum():.1f} s of CPU a student ({parts})", f"{found.ready:.0f} s in all",
              goal=f"<= {CPU:.2f} s", met=bool(found.cpu.sum() <= CPU))  # fmt: skip


def tasks(_kinds) -> list[Task]:
    return [Task("a class at once on JupyterHub", class_rows)]

"""A class at once: JupyterHub on this machine, students who each run a chapter and move a slider over a websocket.

The hub runs from an environment of its own in .hub, made by deploy/install with the configuration in deploy/.
"""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

import numpy as np
import psutil

from tools.verbs import as_root
from workbook.explorers import SmoothingExplorer

from . import ROOT, MissingError, Row, Run, Task, ms
from .explorers import first_slider
from .kernel import to_and_fro
from .student import PATIENCE, Student

STUDENTS, SECONDS, EVERY = 30, 60.0, 0.5
CHAPTER = ROOT / "notebooks" / "02_laplace_smoothing.ipynb"
STEP, MEMORY, CPU = 0.060, 220e6, 12.3 / 2  # goals: p90 in s, bytes a student, s of CPU until ready
FOLDER = ROOT / ".hub"
MADE_FROM = ("deploy/install", "deploy/student_server.py", "uv.lock", "deploy/proxy/package-lock.json")
LOG = 2000  # characters of its log that an error tells
MARK = "NBCORE_LOAD_TEST"  # every process of a run has it among its variables
CONFIG = """
load_subconfig({config!r})
c = get_config()
c.JupyterHub.bind_url = {url!r}
c.JupyterHub.hub_port = {hub_port}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{api_port}"
c.ConfigurableHTTPProxy.command = [{proxy!r}]
c.JupyterHub.authenticator_class = "dummy"
c.DummyAuthenticator.password = {password!r}
c.Authenticator.allow_all = True
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = {homes!r}
c.Spawner.environment.update({variables!r})
c.Spawner.args = [*c.Spawner.args, *{as_root!r}]
c.JupyterHub.log_level = "WARN"
"""


# --- the environment -------------------------------------------------------------------------------------------------


def environment(run: Run) -> Path:
    """The class's environment, made once; a sentence where it cannot be had."""
    stamp, made = FOLDER / "made-from", made_from()
    if stamp.is_file() and stamp.read_text("utf-8") == made:
        return FOLDER
    if sys.platform == "win32" or not shutil.which("npm"):
        raise MissingError("JupyterHub runs on Linux and macOS, and its proxy needs Node.js 20 with npm.")
    run.say("making the class's environment in .hub (once; about two minutes) ...")
    shutil.rmtree(FOLDER, ignore_errors=True)
    shutil.copytree(ROOT / "deploy" / "proxy", FOLDER / "proxy", ignore=shutil.ignore_patterns("node_modules"))
    carry_out([sys.executable, "-m", "venv", str(FOLDER / "venv")])
    carry_out(["bash", str(ROOT / "deploy" / "install"), str(FOLDER / "venv" / "bin" / "python")])
    carry_out(["npm", "ci", "--ignore-scripts", "--prefix", str(FOLDER / "proxy")])
    stamp.write_text(made, "utf-8")
    return FOLDER


def made_from() -> str:
    """A digest of what the environment is made from: the locks, what students' servers leave out, our packages."""
    files = [ROOT / name for name in MADE_FROM] + sorted((ROOT / "deploy" / "etc").rglob("*.*"))
    files += [path for name in ("nbcore", "workbook") for path in sorted((ROOT / name).rglob("*.*"))
              if "__pycache__" not in path.parts]  # fmt: skip
    return hashlib.sha256(b"".join(path.read_bytes() for path in files if path.is_file())).hexdigest()


def carry_out(command: list[str]) -> None:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        raise MissingError(f"the class's environment could not be made: {Path(command[0]).name}: {''.join(last)}")


# --- the hub ---------------------------------------------------------------------------------------------------------


@dataclass
class Hub:
    """A JupyterHub that runs: where, the password of all its students, its process, and what marks all of its run."""

    url: str
    password: str
    process: subprocess.Popen
    mark: str

    def tree(self) -> list[psutil.Process]:
        """Every process below the hub: the proxy, the students' servers, their kernels."""
        return psutil.Process(self.process.pid).children(recursive=True)

    def left(self) -> list[psutil.Process]:
        """Processes of this run that live, whoever their parent is now."""
        found = []
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                if process.environ().get(MARK) == self.mark and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process)
        return found


@contextmanager
def serving(folder: Path) -> Iterator[Hub]:
    """The hub with the configuration in deploy/, but ports, passwords and homes of its own."""
    mark, password = (os.urandom(8).hex() for _ in range(2))
    port, hub_port, api_port = free_ports(3)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        told = dict(
            config=str(ROOT / "deploy" / "jupyterhub_config.py"),
            url=f"http://127.0.0.1:{port}",
            hub_port=hub_port,
            api_port=api_port,
            proxy=str(folder / "proxy" / "node_modules" / ".bin" / "configurable-http-proxy"),
            password=password,
            homes=f"{scratch}/{{username}}",
            variables={MARK: mark},
            as_root=as_root(),
        )
        config = Path(scratch, "jupyterhub_config.py")
        config.write_text(CONFIG.format(**told), "utf-8")
        programs = folder / "venv" / "bin"
        env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "JUPYTER"))}
        env |= {MARK: mark, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
        with open(Path(scratch, "log"), "w+", encoding="utf-8") as log:
            process = subprocess.Popen([programs / "jupyterhub", "--config", config], cwd=scratch, env=env,
                                       stdout=log, stderr=log, start_new_session=True)  # fmt: skip
            hub = Hub(told["url"], password, process, mark)
            try:
                wait_until_it_answers(hub)
                yield hub
            except Exception as problem:
                log.seek(0)
                raise RuntimeError(f"{problem} The hub's log ends with: {log.read()[-LOG:]}") from problem
            finally:
                process.send_signal(signal.SIGTERM)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(60)
                for each in hub.left() if sys.exc_info()[0] else ():  # after an error nobody counts them
                    with suppress(psutil.Error):
                        each.kill()


def free_ports(count: int) -> list[int]:
    import socket

    trials = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    try:
        return [trial.getsockname()[1] for trial in trials]
    finally:
        for trial in trials:
            trial.close()


def wait_until_it_answers(hub: Hub) -> None:
    deadline = perf_counter() + PATIENCE
    while perf_counter() < deadline and hub.process.poll() is None:
        with suppress(OSError):
            return urllib.request.urlopen(f"{hub.url}/hub/health", timeout=5).close()
        time.sleep(0.2)
    raise RuntimeError("The hub did not start.")


# --- the load --------------------------------------------------------------------------------------------------------


@dataclass
class Load:
    """What became of a class. Memory and CPU are means of a student: of the server, of the kernel."""

    ready: float  # s from the first login until the last chapter has run
    cpu: tuple[float, float]
    rss: tuple[float, float]
    pss: float
    busy: float  # s of CPU of all processes while the sliders moved
    steps: list[float | None] = field(default_factory=list)
    left: int = 0

    @property
    def seconds(self) -> np.ndarray:
        return np.array([step for step in self.steps if step is not None])


def load(run: Run, students: int, seconds: float) -> Load:
    """All log in at once, run the chapter, and when the last one is ready all move their sliders."""
    with serving(environment(run)) as hub, ThreadPoolExecutor(students) as pool:
        crowd = [Student(hub.url, f"student{k}", hub.password) for k in range(students)]
        ready = all_ready(pool, crowd)
        run.say(f"    {students} students are ready after {ready:.0f} s; they move their sliders for {seconds:.0f} s")
        cpu, *_ = used(hub)
        slider = first_slider(SmoothingExplorer)
        together(pool, lambda student: student.show(SmoothingExplorer, slider), crowd)
        states, steps = list(to_and_fro(SmoothingExplorer, slider)), int(seconds / EVERY)

        def moves(student):
            time.sleep(random.uniform(0, EVERY))
            return student.move(states, steps, EVERY)

        before = busy(hub)
        moved = together(pool, moves, crowd)
        spent = busy(hub) - before
        _, rss, pss = used(hub)
        together(pool, Student.leave, crowd)
    found = Load(ready, cpu, rss, pss, spent, [step for steps in moved for step in steps])
    time.sleep(2)
    found.left = len(hub.left())
    return found


def all_ready(pool: ThreadPoolExecutor, crowd: list[Student]) -> float:
    """Seconds from the first login until the last chapter has run."""
    start, times, failed = perf_counter(), [], threading.Event()

    def begin(student):
        try:
            student.log_in()
            student.open(CHAPTER.name)
            student.run(CHAPTER)
        except BaseException:
            failed.set()
            raise
        times.append(perf_counter() - start)
        student.listen(lambda: failed.is_set() or len(times) == len(crowd))

    together(pool, begin, crowd)
    return max(times)


def together(pool: ThreadPoolExecutor, act: Callable, crowd: list[Student]) -> list:
    return list(pool.map(act, crowd))


def used(hub: Hub) -> tuple[tuple[float, float], tuple[float, float], float]:
    """Means of a student's server and kernel: s of CPU, resident bytes; and bytes of both, shared pages shared out."""
    kinds = {"student-server": [], "ipykernel_launcher": []}
    for process in hub.tree():
        with suppress(psutil.Error):
            words = " ".join(process.cmdline())
            for name, found in kinds.items():
                if name in words:
                    times, memory = process.cpu_times(), process.memory_full_info()
                    found.append((times.user + times.system, memory.rss, getattr(memory, "pss", memory.rss)))
    server, kernel = (np.mean(found, axis=0) for found in kinds.values())
    return (server[0], kernel[0]), (server[1], kernel[1]), float(server[2] + kernel[2])


def busy(hub: Hub) -> float:
    """s of CPU that the hub, its proxy, the servers and the kernels have taken so far."""
    times = [process.cpu_times() for process in [psutil.Process(hub.process.pid), *hub.tree()]]
    return sum(each.user + each.system for each in times)


def rows(run: Run) -> Iterable[Row]:
    students, seconds = run.repeats(STUDENTS), SECONDS / (4 if run.quick else 1)
    found = load(run, students, seconds)
    name, done = f"a class of {students}, chapter 02: ", found.seconds
    lost = len(found.steps) - len(done)
    yield Row(f"{name}steps lost", f"{lost} of {len(found.steps)}", goal="0", met=lost == 0)
    p90 = float(np.percentile(done, 90))
    yield Row(f"{name}a step, moved to received", f"{ms(np.median(done))} ms (p90 {ms(p90)})",
              f"p99 {ms(np.percentile(done, 99))} ms", goal=f"p90 <= {1e3 * STEP:.0f} ms", met=p90 <= STEP)  # fmt: skip
    cost = ms(found.busy / len(found.steps))
    yield Row(f"{name}a step, CPU of all processes", f"{cost} ms", f"{len(found.steps) / seconds:.0f} steps a second")
    total = sum(found.rss)
    yield Row(f"{name}memory a student, shared pages shared out", f"{found.pss / 1e6:.0f} MB",
              f"{total / 1e6:.0f} MB resident ({parts(found.rss, 1e6)})", goal=f"<= {MEMORY / 1e6:.0f} MB",
              met=found.pss <= MEMORY)  # fmt: skip
    spent = sum(found.cpu)
    yield Row(f"{name}all ready", f"{spent:.1f} s of CPU a student ({parts(found.cpu, 1, 1)})",
              f"{found.ready:.0f} s in all", goal=f"<= {CPU:.2f} s", met=bool(spent <= CPU))  # fmt: skip
    yield Row(f"{name}left running", f"{found.left} processes", goal="0", met=found.left == 0)


def parts(pair: tuple[float, float], unit: float, digits: int = 0) -> str:
    server, kernel = (f"{each / unit:.{digits}f}" for each in pair)
    return f"server {server}, kernel {kernel}"


def tasks(_kinds) -> list[Task]:
    return [Task("a class at once on JupyterHub", rows)]

"""The workbook's one command: python3 run.py VERB (Windows: py run.py VERB).

For readers:
  lab [flags]         open the book in JupyterLab; flags go to JupyterLab, e.g. --no-browser --port 9999
  update              bring a new edition with git; pages of yours in its way are kept in my-pages
  setup               make the environment in .venv; if something does not start, install every file of it anew

For teachers:
  present [NN]        show a lecture on chapter NN, on the book, or of a file; --vote: phones can vote
  export FORMAT [NN ...] [--to DIR]
                      write the questions, all or some chapters', or an exam sheet, to a folder: docs/exports.md
  slips FOLDER [--names]
                      what the class got wrong: one page of counts from the progress files in a folder
  site [DIR]          make the book a website in a folder (site); --zip packs it up, --draft makes few frames
  handout NN [FILE]   print chapter NN as a PDF: room to write, then a page with the answers (or --no-answers)
  figures DIR         write the papers' figures, redrawn with our numbers, to a folder as PDF and PNG
  claims --export DIR write the ledger to a folder as CSV and as JSON with its schema
  setup --into PYTHON --extra book [...]
                      install the book's packages into the environment of another Python

For authors:
  test [args]         lint, check types, then run the tests; args go to pytest, e.g. tests/test_run.py -k port
  test --slow         the same with the tests that take minutes
  notebooks [NN ...]  run all notebooks, or the numbered ones, and save them in place
  claims [WORDS ...]  compute the ledger's slow numbers anew, all or those of claims with these words
  publish [OWNER/REPO]
                      fill in where the project stands on GitHub ("": nowhere), and print it
  bench [args]        measure how fast the sliders answer
"""

import contextlib
import errno
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from tools import environment, running, settings
from tools.environment import Stop, ensure
from tools.files import ROOT
from tools.publish import publish
from tools.update import update

# All tests: side by side, at most four; some tests, by their names: in one process, which starts at once.
WORKERS = ["-n", "logical", "--maxprocesses", "4"]  # conftest.py shares them out
SERVED = os.path.join("tools", "served.py")  # becomes JupyterLab
ENCRYPTED = "--MappingKernelManager.transport_encryption=auto"  # the messages between kernels and their server
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # workers share the cores
CHECKS = ["ruff", "check", "."], ["mypy"]  # before the tests; mypy's files stand in pyproject.toml


# --- verbs -----------------------------------------------------------------------------------------------------------

def lab(args: list[str]) -> int:
    if server := running.find_server(ROOT):
        running.open_page(*server, browser="--no-browser" not in args)
        return 0
    ensure("book")
    os.chdir(ROOT)
    return serve(lab_arguments(args), settings.make_variables(ROOT, environment.variables()))


def present(args: list[str]) -> int:
    ensure("site" if any(arg.startswith("--pdf") for arg in args) else "book")
    return serve(["-m", "tools.present", *args], environment.variables(**ONE_THREAD))


def setup(args: list[str]) -> int:
    if args[:1] == ["--into"]:
        python = shutil.which("".join(args[1:2]))
        if python is None:
            raise Stop("say into the environment of which Python, e.g. setup --into python --extra book.")
        environment.install(os.path.abspath(python), args[2:])
        return 0
    ensure("book", mend=True)
    print("The environment in .venv is ready: python3 run.py lab (Windows: py run.py lab) opens the book.")
    return 0


def test(args: list[str]) -> int:
    ensure("test")
    with scratch_variables(**ONE_THREAD) as env:
        codes = [run(["-m", *check], env) for check in CHECKS]
        code = run(["-m", "pytest", *args, *(WORKERS if set(args) <= {"--slow"} else [])], env)
        if any(codes):
            print("ruff or mypy found faults, above the tests: this run counts as failed.")
        return code or next(filter(None, codes), 0)


class Program(NamedTuple):
    """A verb that runs a module: its extra, the module, its variables, what makes the module's arguments."""

    extra: str
    module: str
    variables: Mapping[str, str] = MappingProxyType({})
    arguments: Callable[[list[str]], list[str]] = list

    def __call__(self, args: list[str]) -> int:
        arguments = self.arguments(args)
        ensure(self.extra)
        with scratch_variables(**self.variables) as env:
            return run(["-m", self.module, *arguments], env, cwd=None)  # a folder that is named is the user's


# --- arguments -------------------------------------------------------------------------------------------------------

def lab_arguments(args: list[str]) -> list[str]:
    """Return what starts JupyterLab at the first page, on this machine only, with its token, asking for no news."""
    root = ["--allow-root"] if getattr(os, "geteuid", lambda: 1)() == 0 else []  # as one often is in a container
    return [SERVED, "--ServerApp.ip=127.0.0.1", f"--LabApp.default_url={first_address()}", ENCRYPTED,
            "--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
            "--ServerApp.contents_manager_class=tools.dead_views.Pages",
            f"--LabApp.extra_labextensions_path={ROOT / 'tools' / 'labextensions'}", *root, *args]


def list_pages() -> list[str]:
    """Return the names of the notebooks' files."""
    return sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))


def first_address() -> str:
    """Return the address of 00_start_here, or of the page that comes first where that is missing."""
    return "/lab/tree/notebooks" + "".join("/" + urllib.parse.quote(name) for name in list_pages()[:1])


def find_page(number: str) -> str:
    """Return the path of notebook NN: "2" and "02" give notebooks/02_....ipynb, "A_notation" gives that."""
    starts = f"{number.zfill(2)}_", f"{number.upper()}_", f"{number}."
    if known := [name for name in list_pages() if name.startswith(starts)]:
        return os.path.join("notebooks", known[0])
    raise Stop(f"there is no notebook {number}; the book has: {', '.join(list_pages()) or 'none yet'}.")


VERBS = {
    "lab": lab, "present": present, "update": update, "setup": setup, "test": test, "publish": publish,
    "export": Program("book", "workbook.export", ONE_THREAD), "slips": Program("book", "workbook.slips", ONE_THREAD),
    "site": Program("site", "workbook.site", ONE_THREAD),
    "handout": Program("site", "workbook.site.handout", ONE_THREAD),
    "figures": Program("book", "tools.figures"),
    "claims": Program("test", "tools.claims"),
    "bench": Program("test", "benchmarks"),
    "notebooks": Program("test", "tools.execute_notebooks", {"NBCORE_PICTURES": "1"},
                         lambda args: [str(ROOT / find_page(number)) for number in args]),
}


# --- processes -------------------------------------------------------------------------------------------------------

@contextlib.contextmanager
def scratch_variables(**extra: str) -> Iterator[dict[str, str]]:
    """Make variables that keep a learner's progress and Jupyter settings out of the tests and the saved notebooks."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
            extra[name] = os.path.join(folder, name.lower())
        yield environment.variables(NBCORE_PROGRESS=os.path.join(folder, "progress.json"), **extra)


def run(arguments: list[str], env: dict[str, str], cwd: Path | None = ROOT) -> int:
    """Run the environment's Python to its end and return its exit code."""
    child = subprocess.Popen([environment.venv_python(), "-P", *arguments], cwd=cwd, env=env)
    try:
        return child.wait()
    except KeyboardInterrupt:  # the child got the Ctrl-C too: let it close what it opened
        with contextlib.suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
            child.wait(10)
        child.terminate()
        raise


def serve(arguments: list[str], env: dict[str, str]) -> int:
    """Become a server until Ctrl-C, which then gets all signals."""
    command = [environment.venv_python(), "-P", *arguments]  # -P: a random.py in this folder is not Python's
    if os.name != "nt":
        os.execve(command[0], command, env)
    child = subprocess.Popen(command, env=env)
    while True:
        with contextlib.suppress(KeyboardInterrupt):  # the server asks whether it is meant
            return child.wait()


def main(argv: list[str]) -> int:
    """Run a verb; turn what stops it into one sentence and an exit code."""
    if not argv or argv[0] not in VERBS:
        is_asked = argv and argv[0] in ("help", "-h", "--help")
        print(__doc__.strip(), file=sys.stdout if is_asked else sys.stderr)
        return 0 if is_asked else 2
    try:
        return VERBS[argv[0]](argv[1:])
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return 130
    except Stop as stop:
        sentence = str(stop)
    except OSError as error:
        advice = {errno.ENOSPC: "free 2 GB on this disk", errno.ENOENT: "fetch the workbook's folder anew"}.get(
            error.errno, "move this folder to one you may write in")
        sentence = f"{error.strerror or error} ({error.filename or ROOT}): {advice}, then run this again."
    print(f"run.py: {sentence}", file=sys.stderr)
    return 1

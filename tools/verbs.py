"""The workbook's one command: python3 run.py VERB (Windows: py run.py VERB).

For readers:
  lab [flags]         open the book in JupyterLab; flags go to JupyterLab, e.g. --no-browser --port 9999
  present NN [flags]  show notebook NN with Voila, code hidden, in projector sizes; flags go to Voila
  update              bring a new edition with git; pages of yours in its way are kept in my-pages
  setup               make the environment in .venv; if something does not start, install every file of it anew

For teachers:
  present NN --vote   the same, and phones in this machine's network can vote; Ctrl-C ends both
  export FORMAT [NN ...] [--to DIR]
                      write the questions, all or those of some chapters, to a folder (export): docs/exports.md
  slips FOLDER [--names]
                      what the class got wrong: one page of counts from the progress files in a folder
  site [DIR]          make the book a website in a folder (site); --zip packs it up, --draft makes few frames
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
                      fill in where the project stands on GitHub, "" to take it out, or tell
  bench [args]        measure how fast the sliders answer
"""

import contextlib
import errno
import os
import re
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
from tools.update import describe_waiting, update

FORMATS = sorted(path.stem for path in (ROOT / "workbook" / "export" / "formats").glob("[a-z]*.py"))  # of export
# All tests: side by side, at most four; some tests, by their names: in one process, which starts at once.
WORKERS = ["-n", "logical", "--maxprocesses", "4"]  # conftest.py shares them out
# A page that was closed without a word (the browser or the machine ended) leaves a kernel, which Voila then ends.
IDLE = ["--MappingKernelManager.cull_idle_timeout=1800", "--MappingKernelManager.cull_interval=60"]  # s
SERVED = os.path.join("tools", "served.py")  # becomes JupyterLab or Voila
ENCRYPTED = "--MappingKernelManager.transport_encryption=auto"  # the messages between kernels and their server
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # workers share the cores
CHECKS = {"ruff": ["check", "."], "mypy": []}  # before the tests; mypy's files stand in pyproject.toml


# --- verbs -----------------------------------------------------------------------------------------------------------

def lab(args: list[str]) -> int:
    if server := running.find_server(ROOT):
        running.open_page(*server, browser="--no-browser" not in args)
        return 0
    ensure("book")
    if note := describe_waiting():
        print(f"run.py: {note}", file=sys.stderr, flush=True)
    return serve(lab_arguments(args))


def present(args: list[str]) -> int:
    arguments = add_vote(present_arguments(args))
    ensure("book")
    return serve(arguments, NBCORE_LECTURE="1", JUPYTER_PATH=str(ROOT / "tools" / "share"))


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
        failed = 0
        for name, words in CHECKS.items():
            code = run(["-m", name, *words], env)
            failed = failed or code
            if code:
                print(f"{name} found the faults above; the tests run all the same, but this run counts as failed.")
        return run(["-m", "pytest", *args, *(WORKERS if set(args) <= {"--slow"} else [])], env) or failed


class Program(NamedTuple):
    """A verb that runs a module: its extra, the module, what makes the module's arguments, its variables."""

    extra: str
    module: str
    arguments: Callable[[list[str]], list[str]] = list
    variables: Mapping[str, str] = MappingProxyType({})

    def __call__(self, args: list[str]) -> int:
        arguments = self.arguments(args)
        ensure(self.extra)
        with scratch_variables(**self.variables) as env:
            return run(["-m", self.module, *arguments], env)


# --- arguments -------------------------------------------------------------------------------------------------------

def lab_arguments(args: list[str]) -> list[str]:
    """Return what starts JupyterLab at the first page, on this machine only, with its token, asking for no news."""
    return [SERVED, "lab", "--ServerApp.ip=127.0.0.1", f"--LabApp.default_url={first_address()}", ENCRYPTED,
            "--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
            "--ServerApp.contents_manager_class=tools.dead_views.Pages",
            *allow_root(), *keep_port(args, "ServerApp"), *args]


def present_arguments(args: list[str]) -> list[str]:
    """Return what starts Voila with a notebook, on this machine only, with a token."""
    if not args or not args[0].strip():
        raise Stop("say which notebook to present, e.g. python3 run.py present 02.")
    return [SERVED, "voila", find_page(args[0]), "--Voila.ip=127.0.0.1", "--Voila.auto_token=True", *IDLE, ENCRYPTED,
            "--strip_sources=True", "--template=lecture", *keep_port(args[1:], "Voila"), *args[1:]]


def add_vote(arguments: list[str]) -> list[str]:
    """With --vote (or --vote=ADDRESS, --vote=ADDRESS:PORT) let the voting server start Voila; else change nothing."""
    flags = [arg for arg in arguments if re.match("--vote(=|$)", arg)]
    if not flags:
        if "--one-address" in arguments:
            raise Stop("--one-address belongs to --vote, e.g. python3 run.py present 02 --vote --one-address.")
        return arguments
    address = flags[-1].partition("=")[2] or "any"
    if not re.fullmatch(r"any|\d{1,3}(\.\d{1,3}){3}(:\d{1,5})?", address):
        raise Stop("--vote wants an address of this machine, e.g. --vote=192.168.1.5, or none at all.")
    return [SERVED, "vote", address, *(arg for arg in arguments[2:] if arg not in flags)]


def site_arguments(args: list[str]) -> list[str]:
    """Return the folder, "site" if none is given, and the flags."""
    flags = [arg for arg in args if arg.startswith("-")]
    folders = [arg for arg in args if arg not in flags] or [str(ROOT / "site")]
    if len(folders) > 1 or not set(flags) <= {"--zip", "--draft"}:
        raise Stop("site takes one folder, --zip and --draft, e.g. python3 run.py site --zip.")
    return [os.path.abspath(folders[0]), *flags]


def export_arguments(args: list[str]) -> list[str]:
    """Return the format, the folder ("export" if none is given), and the chapters, all if none is given."""
    form, *numbers = args or [""]
    folder = str(ROOT / "export")
    if "--to" in numbers:
        at = numbers.index("--to")
        folder, numbers = "".join(numbers[at + 1 : at + 2]), numbers[:at] + numbers[at + 2 :]
    if form not in FORMATS or not folder or any(arg.startswith("-") for arg in (folder, *numbers)):
        raise Stop(f"export takes {', '.join(FORMATS[:-1])} or {FORMATS[-1]}, then chapters, --to DIR, "
                   f"e.g. python3 run.py export {FORMATS[0]} 02.")
    if os.path.isfile(folder):
        raise Stop(f"{folder} is a file: say a folder after --to.")
    asking = [number for number in list_pages() if number.isdigit()]
    chosen = [Path(find_page(number)).name.split("_")[0] for number in numbers] or asking
    if silent := [number for number in chosen if number not in asking]:
        raise Stop(f"chapter {silent[0]} asks nothing; these do: {', '.join(asking)}.")
    return [form, os.path.abspath(folder), *dict.fromkeys(chosen)]


def slips_arguments(args: list[str]) -> list[str]:
    """Return the folder of the files that were handed in, and the flag that lets their names stand on the page."""
    folders = [arg for arg in args if arg != "--names"]
    if len(folders) != 1 or folders[0].startswith("-"):
        raise Stop("say the folder with the progress files, e.g. python3 run.py slips handed-in.")
    if not os.path.isdir(folders[0]):
        raise Stop(f"{folders[0]} is no folder: put the progress files into one, and say its name.")
    return [os.path.abspath(folders[0]), *(["--names"] if "--names" in args else [])]


def figures_arguments(args: list[str]) -> list[str]:
    """Return the folder."""
    if len(args) != 1:
        raise Stop("say which folder to write the figures to, e.g. python3 run.py figures figures.")
    return [os.path.abspath(args[0])]


def keep_port(args: list[str], app: str) -> list[str]:
    """With --port take that very one or none; without it the server looks for a free one."""
    return [f"--{app}.port_retries=0"] if re.search(r"(^| )--(\w+\.)?port\b", " ".join(args)) else []


def allow_root() -> list[str]:
    """Return JupyterLab's flag for root, which one often is in a container: it serves this machine only."""
    return ["--allow-root"] if getattr(os, "geteuid", lambda: 1)() == 0 else []


def list_pages() -> dict[str, Path]:
    """Return the path of each notebook by its number."""
    return {path.name.split("_")[0]: path for path in sorted((ROOT / "notebooks").glob("*.ipynb"))}


def first_address() -> str:
    """Return the address of 00_start_here, or of the page that comes first where that is missing."""
    pages = list(list_pages().values())
    return "/lab/tree/notebooks" + "".join("/" + urllib.parse.quote(page.name) for page in pages[:1])


def find_page(number: str) -> str:
    """Return the path of notebook NN: "2" and "02" give notebooks/02_....ipynb, "A" gives notebooks/A_....ipynb."""
    pages = list_pages()
    page = pages.get(number.zfill(2)) or pages.get(number.upper())
    if page:
        return str(page.relative_to(ROOT))
    raise Stop(f"there is no notebook {number}; the book has: {', '.join(pages) or 'none yet'}.")


VERBS = {
    "lab": lab, "present": present, "update": update, "setup": setup, "test": test, "publish": publish,
    "export": Program("book", "tools.export", export_arguments, ONE_THREAD),
    "slips": Program("book", "tools.slips", slips_arguments, ONE_THREAD),
    "site": Program("site", "tools.site", site_arguments, ONE_THREAD),
    "figures": Program("book", "tools.figures", figures_arguments),
    "claims": Program("test", "tools.claims"),
    "bench": Program("test", "benchmarks"),
    "notebooks": Program("test", "tools.execute_notebooks", lambda args: [find_page(number) for number in args],
                         {"NBCORE_PICTURES": "1"}),
}


# --- processes -------------------------------------------------------------------------------------------------------

@contextlib.contextmanager
def scratch_variables(**extra: str) -> Iterator[dict[str, str]]:
    """Make variables that keep a learner's progress and Jupyter settings out of the tests and the saved notebooks."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
            extra[name] = os.path.join(folder, name.lower())
        yield environment.variables(NBCORE_PROGRESS=os.path.join(folder, "progress.json"), **extra)


def run(arguments: list[str], env: dict[str, str]) -> int:
    """Run the environment's Python to its end and return its exit code."""
    child = subprocess.Popen([environment.venv_python(), "-P", *arguments], cwd=ROOT, env=env)
    try:
        return child.wait()
    except KeyboardInterrupt:  # the child got the Ctrl-C too: let it close what it opened
        with contextlib.suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
            child.wait(10)
        child.terminate()
        raise


def serve(arguments: list[str], **extra: str) -> int:
    """Become a server until Ctrl-C; its settings stay in this folder, apart from any other Jupyter of the user's."""
    command = [environment.venv_python(), "-P", *arguments]  # -P: a random.py in this folder is not Python's
    env = settings.make_variables(ROOT, environment.variables()) | extra
    os.chdir(ROOT)
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

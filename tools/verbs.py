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
import socket
import subprocess
import sys
import tempfile
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

from tools import environment, running, settings
from tools.environment import Stop, ensure
from tools.files import ROOT
from tools.publish import publish
from tools.update import new_edition, waiting


def lab(args: list[str]) -> int:
    if found := running.find(ROOT):
        running.show(*found, browser="--no-browser" not in args)
        return 0
    arguments = lab_arguments(args)
    ensure("book")
    if note := waiting():
        print(f"run.py: {note}", file=sys.stderr, flush=True)
    return serve(arguments)


def test(args: list[str]) -> int:
    ensure("test")
    with scratch_variables(**ONE_THREAD) as env:
        faults = 0
        for name, check in CHECKS.items():
            found = run(["-m", name, *check], env)
            faults = faults or found
            if found:
                print(f"{name} found the faults above; the tests run all the same, but this run counts as failed.")
        return run(["-m", "pytest", *args, *(WORKERS if set(args) <= {"--slow"} else [])], env) or faults


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


def update(args: list[str]) -> int:
    if args:
        raise Stop("update takes nothing more: python3 run.py update.")
    return new_edition()


def present(args: list[str]) -> int:
    arguments = voting(present_arguments(args))
    ensure("book")
    return serve(arguments, NBCORE_LECTURE="1", JUPYTER_PATH=str(ROOT / "tools" / "share"))


def site(args: list[str]) -> int:
    arguments = site_arguments(args)
    ensure("site")
    with scratch_variables(**ONE_THREAD) as env:
        return run(["-m", "tools.site", *arguments], env)


def export(args: list[str]) -> int:
    arguments = export_arguments(args)
    ensure("book")
    with scratch_variables(**ONE_THREAD) as env:
        return run(["-m", "tools.export", *arguments], env)


def slips(args: list[str]) -> int:
    arguments = slips_arguments(args)
    ensure("book")
    with scratch_variables(**ONE_THREAD) as env:
        return run(["-m", "tools.slips", *arguments], env)


def notebooks(args: list[str]) -> int:
    paths = [notebook(number) for number in args]
    ensure("test")
    with scratch_variables(NBCORE_PICTURES="1") as env:
        return run(["-m", "tools.execute_notebooks", *paths], env)


def claims(args: list[str]) -> int:
    ensure("test")
    with scratch_variables() as env:
        return run(["-m", "tools.claims", *args], env)


def figures(args: list[str]) -> int:
    if len(args) != 1:
        raise Stop("say which folder to write the figures to, e.g. python3 run.py figures figures.")
    ensure("book")
    with scratch_variables() as env:
        return run(["-m", "tools.figures", os.path.abspath(args[0])], env)


def bench(args: list[str]) -> int:
    ensure("test")
    with scratch_variables() as env:
        return run(["-m", "benchmarks", *args], env)


VERBS = {
    verb.__name__: verb
    for verb in (lab, test, setup, update, present, export, slips, site, notebooks, claims, figures, bench, publish)
}
FORMATS = sorted(path.stem for path in (ROOT / "workbook" / "export" / "formats").glob("[a-z]*.py"))  # of export
# All tests: side by side, at most four; some tests, by their names: in one process, which starts at once.
WORKERS = ["-n", "logical", "--maxprocesses", "4"]  # conftest.py shares them out
# A page that was left without a word (the browser or the machine ended) leaves a kernel, which Voila then ends.
IDLE = ["--MappingKernelManager.cull_idle_timeout=1800", "--MappingKernelManager.cull_interval=60"]  # s
SERVED = os.path.join("tools", "served.py")  # what becomes JupyterLab or Voila
ENCRYPTED = "--MappingKernelManager.transport_encryption=auto"  # what kernels and their server say to each other
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # workers share the cores
CHECKS = {"ruff": ["check", "."], "mypy": []}  # before the tests; mypy's files stand in pyproject.toml


# --- what the servers are told ---------------------------------------------------------------------------------------

def lab_arguments(args: list[str]) -> list[str]:
    """JupyterLab on this machine only, with its token, opening the book's first page; no news, no update check."""
    return [SERVED, "lab", "--ServerApp.ip=127.0.0.1", f"--LabApp.default_url={first_page()}", ENCRYPTED,
            "--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
            "--ServerApp.contents_manager_class=tools.dead_views.Pages",
            *as_root(), *fixed_port(args, "ServerApp"), *args]


def present_arguments(args: list[str]) -> list[str]:
    if not args or not args[0].strip():
        raise Stop("say which notebook to present, e.g. python3 run.py present 02.")
    return [SERVED, "voila", notebook(args[0]), "--Voila.ip=127.0.0.1", "--Voila.auto_token=True", *IDLE, ENCRYPTED,
            "--strip_sources=True", "--template=lecture", *fixed_port(args[1:], "Voila"), *args[1:]]


def voting(arguments: list[str]) -> list[str]:
    """With --vote (or --vote=ADDRESS, --vote=ADDRESS:PORT) the voting server starts Voila; else nothing changes."""
    asked = [arg for arg in arguments if re.match("--vote(=|$)", arg)]
    if not asked:
        if "--one-address" in arguments:
            raise Stop("--one-address belongs to --vote, e.g. python3 run.py present 02 --vote --one-address.")
        return arguments
    address = asked[-1].partition("=")[2] or "any"
    if not re.fullmatch(r"any|\d{1,3}(\.\d{1,3}){3}(:\d{1,5})?", address):
        raise Stop("--vote wants an address of this machine, e.g. --vote=192.168.1.5, or none at all.")
    return [SERVED, "vote", address, *(arg for arg in arguments[2:] if arg not in asked)]


def site_arguments(args: list[str]) -> list[str]:
    """The folder, "site" if none is said, and the flags."""
    flags = [arg for arg in args if arg.startswith("-")]
    folders = [arg for arg in args if arg not in flags] or [str(ROOT / "site")]
    if len(folders) > 1 or not set(flags) <= {"--zip", "--draft"}:
        raise Stop("site takes one folder, --zip and --draft, e.g. python3 run.py site --zip.")
    return [os.path.abspath(folders[0]), *flags]


def export_arguments(args: list[str]) -> list[str]:
    """The format, the folder ("export" if none is said), and the chapters, all of them if none is said."""
    form, *rest = args or [""]
    folder = str(ROOT / "export")
    if "--to" in rest:
        at = rest.index("--to")
        folder, rest = "".join(rest[at + 1 : at + 2]), rest[:at] + rest[at + 2 :]
    if form not in FORMATS or not folder or any(arg.startswith("-") for arg in (folder, *rest)):
        raise Stop(f"export takes {', '.join(FORMATS[:-1])} or {FORMATS[-1]}, then chapters, --to DIR, "
                   f"e.g. python3 run.py export {FORMATS[0]} 02.")
    if os.path.isfile(folder):
        raise Stop(f"{folder} is a file: say a folder after --to.")
    asking = [name for name in map(number_of, pages()) if name.isdigit()]
    chosen = [number_of(Path(notebook(number))) for number in rest] or asking
    if silent := [number for number in chosen if number not in asking]:
        raise Stop(f"chapter {silent[0]} asks nothing; these do: {', '.join(asking)}.")
    return [form, os.path.abspath(folder), *dict.fromkeys(chosen)]


def slips_arguments(args: list[str]) -> list[str]:
    """The folder of the files that were handed in, and whether their names may stand on the page."""
    folders = [arg for arg in args if arg != "--names"]
    if len(folders) != 1 or folders[0].startswith("-"):
        raise Stop("say the folder with the progress files, e.g. python3 run.py slips handed-in.")
    if not os.path.isdir(folders[0]):
        raise Stop(f"{folders[0]} is no folder: put the progress files into one, and say its name.")
    return [os.path.abspath(folders[0]), *(["--names"] if "--names" in args else [])]


def fixed_port(args: list[str], app: str) -> list[str]:
    """Nothing when the server may look for a free port; with --port that very one, or a sentence when it is taken."""
    given = re.search(r"(?:^| )--(?:\w+\.)?port(?:[= ](\S*)|$)", " ".join(args))
    if not given:
        return []
    port = given.group(1) or ""
    if not port.isdigit() or int(port) > 65535:
        raise Stop("--port wants a number up to 65535, e.g. --port 9999.")
    with socket.socket() as trial:
        if os.name != "nt":
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(("127.0.0.1", int(port)))
        except OSError as error:
            fault = "is in use" if error.errno == errno.EADDRINUSE else "may not be used here"
            raise Stop(f"port {port} {fault}: give another, or leave --port out to get a free one.") from error
    return [f"--{app}.port_retries=0"]


def as_root() -> list[str]:
    """In a container one is often root: JupyterLab would stop at that, though it serves this machine only."""
    return ["--allow-root"] if getattr(os, "geteuid", lambda: 1)() == 0 else []


def pages() -> list[Path]:
    return sorted((ROOT / "notebooks").glob("*.ipynb"))


def first_page() -> str:
    """The address of 00_start_here, or of what comes first as long as that is not written."""
    return "/lab/tree/notebooks" + "".join("/" + urllib.parse.quote(page.name) for page in pages()[:1])


def number_of(page: Path) -> str:
    return page.name.split("_")[0]


def notebook(number: str) -> str:
    """The path of notebook NN: '2' and '02' both give notebooks/02_....ipynb, 'A' gives notebooks/A_....ipynb."""
    found = {number_of(page): page for page in pages()}
    page = found.get(number.zfill(2)) or found.get(number.upper())
    if page:
        return str(page.relative_to(ROOT))
    numbers = ", ".join(found) or "none yet"
    raise Stop(f"there is no notebook {number}; the book has: {numbers}.")


# --- how things are run ----------------------------------------------------------------------------------------------

def variables(**extra: str) -> dict[str, str]:
    return environment.variables(JUPYTER_PREFER_ENV_PATH="1", PYDEVD_DISABLE_FILE_VALIDATION="1", **extra)


@contextlib.contextmanager
def scratch_variables(**extra: str) -> Iterator[dict[str, str]]:
    """Variables that keep a learner's progress and own Jupyter settings out of the tests and the saved notebooks."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
            extra[name] = os.path.join(folder, name.lower())
        yield variables(NBCORE_PROGRESS=os.path.join(folder, "progress.json"), **extra)


def run(arguments: list[str], env: dict[str, str]) -> int:
    """Run the environment's Python to its end; its exit code is ours."""
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
    env = settings.variables(ROOT, variables()) | extra
    os.chdir(ROOT)
    if os.name != "nt":
        os.execve(command[0], command, env)
    child = subprocess.Popen(command, env=env)
    while True:
        with contextlib.suppress(KeyboardInterrupt):  # the server asks whether it is meant
            return child.wait()


def main(argv: list[str]) -> int:
    if not argv or argv[0] not in VERBS:
        asked = argv and argv[0] in ("help", "-h", "--help")
        print(__doc__.strip(), file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
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

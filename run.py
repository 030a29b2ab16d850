#!/usr/bin/env python3
"""The workbook's one command: python3 run.py VERB (Windows: py run.py VERB).

  lab [flags]         open the book in JupyterLab; flags go to JupyterLab, e.g. --no-browser --port 9999
  test [args]         lint, then run every test; args go to pytest, e.g. tests/test_run.py -k port
  setup               make the environment in .venv, and nothing else
  present NN [flags]  show notebook NN with Voila, code hidden, in projector sizes; flags go to Voila
  notebooks [NN ...]  run all notebooks, or the numbered ones, and save them in place (for authors)
  claims [WORDS ...]  compute the ledger's slow numbers anew, all or those of claims with these words (for authors)
  bench [args]        measure how fast the sliders answer
"""
# This file's syntax stays one that Python 2.7 and 3.0 can read, so that an old Python reaches the sentence below.
from __future__ import print_function

import sys


def too_old(version):
    """One sentence when this Python is too old, None when it will do."""
    if version[:2] >= (3, 11):
        return None
    return ("run.py: this is Python %d.%d, and the workbook needs 3.11 or newer: install one from python.org, "
            "then start run.py with it, e.g. python3.12 run.py lab (Windows: py -3.12 run.py lab)." % version[:2])


if too_old(tuple(sys.version_info)):
    sys.exit(too_old(tuple(sys.version_info)))

import contextlib
import errno
import json
import os
import re
import socket
import subprocess
import tempfile
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tools import environment
from tools.dead_views import drop_dead_views
from tools.environment import LOCK, ROOT, TEST_LOCK, Stop, ensure


def lab(args):
    arguments = lab_arguments(args)
    ensure(LOCK)
    drop_dead_views(ROOT / "notebooks")
    return serve(arguments)


def test(args):
    ensure(TEST_LOCK)
    with scratch_variables() as env:
        lint = run(["-m", "ruff", "check", "."], env)
        if lint:
            print("ruff found the faults above; the tests run all the same, but this run counts as failed.", flush=True)
        return run(["-m", "pytest"] + (args or WORKERS), env) or lint


def setup(_args):
    ensure(LOCK)
    print("The environment in .venv is ready: python3 run.py lab (Windows: py run.py lab) opens the book.")
    return 0


def present(args):
    arguments = present_arguments(args)
    ensure(LOCK)
    own = [str(ROOT / "tools" / "share")] + list(filter(None, [os.environ.get("JUPYTER_PATH")]))
    return serve(arguments, NBCORE_LECTURE="1", JUPYTER_PATH=os.pathsep.join(own))


def notebooks(args):
    paths = [notebook(number) for number in args]
    ensure(TEST_LOCK)
    with scratch_variables(NBCORE_PICTURES="1") as env:
        return run(["-m", "tools.execute_notebooks"] + paths, env)


def claims(args):
    ensure(TEST_LOCK)
    with scratch_variables() as env:
        return run(["-m", "tools.claims"] + args, env)


def bench(args):
    ensure(TEST_LOCK)
    with scratch_variables() as env:
        return run(["-m", "benchmarks"] + args, env)


# All tests: side by side, at most four; some tests, by their names: in one process, which starts at once.
WORKERS = ["-n", "logical", "--maxprocesses", "4"]  # tests/conftest.py shares them out
VERBS = {"lab": lab, "test": test, "setup": setup, "present": present, "notebooks": notebooks, "claims": claims,
         "bench": bench}


# --- what the servers are told ---------------------------------------------------------------------------------------

def lab_arguments(args):
    """JupyterLab on this machine only, with its token, opening the book's first page; no news, no update check."""
    return ["-m", "jupyterlab", "--ServerApp.ip=127.0.0.1", "--LabApp.default_url=" + first_page(),
            "--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
            ] + as_root() + fixed_port(args, "ServerApp") + args


def present_arguments(args):
    if not args:
        raise Stop("say which notebook to present, e.g. python3 run.py present 02.")
    return ["-m", "voila", notebook(args[0]), "--Voila.ip=127.0.0.1", "--Voila.auto_token=True", "--strip_sources=True",
            "--template=lecture"] + fixed_port(args[1:], "Voila") + args[1:]


def fixed_port(args, app):
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
            raise Stop("port %s %s: give another, or leave --port out to get a free one." % (port, fault))
    return ["--%s.port_retries=0" % app]


def as_root():
    """In a container one is often root: JupyterLab would stop at that, though it serves this machine only."""
    return ["--allow-root"] if getattr(os, "geteuid", lambda: 1)() == 0 else []


def pages():
    return sorted((ROOT / "notebooks").glob("*.ipynb"))


def first_page():
    """The address of 00_start_here, or of what comes first as long as that is not written."""
    return "/lab/tree/notebooks" + "".join("/" + urllib.parse.quote(page.name) for page in pages()[:1])


def notebook(number):
    """The path of notebook NN: '2' and '02' both give notebooks/02_....ipynb."""
    for page in pages():
        if page.name.startswith(number.zfill(2) + "_"):
            return str(page.relative_to(ROOT))
    numbers = ", ".join(page.name[:2] for page in pages()) or "none yet"
    raise Stop("there is no notebook %s; the book has: %s." % (number, numbers))


# --- how things are run ----------------------------------------------------------------------------------------------

def variables(**extra):
    return environment.variables(JUPYTER_PREFER_ENV_PATH="1", PYDEVD_DISABLE_FILE_VALIDATION="1", **extra)


@contextlib.contextmanager
def scratch_variables(**extra):
    """Variables that keep a learner's progress and own Jupyter settings out of the tests and the saved notebooks."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
            extra[name] = os.path.join(folder, name.lower())
        yield variables(NBCORE_PROGRESS=os.path.join(folder, "progress.json"), **extra)


def run(arguments, env):
    """Run the environment's Python to its end; its exit code is ours."""
    child = subprocess.Popen([environment.venv_python()] + arguments, cwd=str(ROOT), env=env)
    try:
        return child.wait()
    except KeyboardInterrupt:  # the child got the Ctrl-C too: let it close what it opened
        with contextlib.suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
            child.wait(10)
        child.terminate()
        raise


def serve(arguments, **extra):
    """Become a server until Ctrl-C; its settings stay in this folder, apart from any other Jupyter of the user's."""
    command = [environment.venv_python()] + arguments
    settings = ROOT / ".jupyter"
    no_pop_up = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
    (settings / "labconfig").mkdir(parents=True, exist_ok=True)
    (settings / "labconfig" / "page_config.json").write_text(json.dumps(no_pop_up), "utf-8")
    env = variables(JUPYTER_CONFIG_DIR=str(settings), **extra)
    os.chdir(str(ROOT))
    if os.name != "nt":
        os.execve(command[0], command, env)
    child = subprocess.Popen(command, env=env)
    while True:
        with contextlib.suppress(KeyboardInterrupt):  # the server asks whether it is meant
            return child.wait()


def main(argv):
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
        sentence = "%s (%s): %s, then run this again." % (error.strerror or error, error.filename or ROOT, advice)
    print("run.py: " + sentence, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Make a book of one page in a folder of its own, and start servers there by the real run.py."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VIEW, NAME = "application/vnd.jupyter.widget-view+json", "notebooks/00_start_here.ipynb"
CEILING = 120  # s: what takes so long has hung
# run.py with the environment of these tests; `before` runs first.
DRIVEN = """import random, signal, sys  # before a random.py of the reader's
signal.signal(getattr(signal, "SIGHUP", signal.SIGTERM), signal.SIG_DFL)  # what `nohup` starts ignores it
sys.path.insert(0, {folder!r})
from tools import verbs
verbs.ensure = lambda lock: None
verbs.environment.venv_python = lambda: sys.executable
{before}
sys.exit(verbs.main(sys.argv[1:]))"""


def page(*sources, shown=()):
    """Return a notebook; `shown`: the data of the outputs of its first cell."""
    outputs = [{"output_type": "display_data", "metadata": {}, "data": data} for data in shown]
    cells = [{"cell_type": "code", "id": f"c{n}", "metadata": {}, "execution_count": None, "source": source,
              "outputs": [] if n else outputs} for n, source in enumerate(sources)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def book(folder: Path) -> Path:
    """Make a folder with the tools, what they ask for the address, and one page."""
    shutil.copytree(ROOT / "tools", folder / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "workbook").mkdir()
    shutil.copy(ROOT / "workbook" / "home.py", folder / "workbook")
    (folder / "notebooks").mkdir()
    (folder / NAME).write_text(json.dumps(page("1 + 1")), "utf-8")
    return folder


def free_port() -> int:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        return holder.getsockname()[1]


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def ask(address, method="GET", content=None, **headers):
    """Return (status, headers, text) of a request, redirects not followed; None while nobody answers."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect)
    data = None if content is None else json.dumps(content).encode()
    request = urllib.request.Request(address, data, {name.replace("_", "-"): text for name, text in headers.items()},
                                     method=method)
    try:
        with opener.open(request, timeout=10) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, ""
    except OSError:
        return None


def until(condition, seconds=CEILING):
    """Wait until a condition is true, and return its value."""
    end = time.monotonic() + seconds
    while not (result := condition()):
        assert time.monotonic() < end, "that took too long"
        time.sleep(0.1)
    return result


def command(folder: Path, *arguments: str, before: str = "") -> list[str]:
    return [sys.executable, "-P", "-c", DRIVEN.format(folder=str(folder), before=before), *arguments]


class Server:
    """A running server: its process, its address, its output, a keyboard to answer it."""

    def __init__(self, process, port, log, keyboard):
        self.process, self.port, self.log, self.keyboard = process, port, log, keyboard
        self.address, self.token = f"http://127.0.0.1:{port}", ""

    def output(self) -> str:
        return self.log.read_text("utf-8")

    def ask(self, path, method="GET", content=None, **headers):
        """Ask with the token; return status and text, read as JSON where it is that."""
        answer = ask(self.address + path, method, content, Authorization=f"token {self.token}", **headers)
        return answer and (answer[0], json.loads(answer[2]) if answer[2].startswith(("{", "[")) else answer[2])


@contextmanager
def running(folder: Path, *arguments: str, before: str = "", **variables: str):
    """Start `run.py ARGUMENTS` in a book, wait until it answers, and stop it at the end."""
    port, log = free_port(), folder / f"{arguments[0]}.log"
    command_line = command(folder, *arguments, "--no-browser", "--port", str(port), before=before)
    keyboard, terminal = os.openpty() if hasattr(os, "openpty") else (None, subprocess.DEVNULL)
    with log.open("w") as output:  # in a session of its own: a Ctrl-C does not reach these tests
        process = subprocess.Popen(command_line, cwd=folder, stdin=terminal, stdout=output, stderr=output,
                                   env=os.environ | variables, start_new_session=True)
    server = Server(process, port, log, keyboard)
    try:
        until(lambda: process.poll() is not None or ask(server.address + "/"))
        assert process.poll() is None, server.output()
        until(lambda: "token=" in server.output())
        server.token = server.output().partition("token=")[2].split()[0]
        yield server
    finally:
        process.terminate()
        process.wait(CEILING)
        if keyboard is not None:
            os.close(keyboard)
            os.close(terminal)

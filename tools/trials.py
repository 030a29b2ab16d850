"""What the tests say of a copy of the project in which something was changed on purpose."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

from tools.files import ROOT

SECONDS = 600  # what makes the tests run this long has been noticed
PARTS = "nbcore", "workbook", "tools", "tests", "notebooks"
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


@contextmanager
def copied() -> Iterator[Path]:
    """A copy of the project, in a folder that goes."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder) / "project"
        for name in PARTS:
            shutil.copytree(ROOT / name, here / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("pyproject.toml", "conftest.py"):
            shutil.copy(ROOT / name, here)
        shared = ROOT.parent / "shared"  # the papers' corpora, where they lie beside the project
        if shared.is_dir():
            (Path(folder) / "shared").symlink_to(shared)
        yield here


def environment_of(here: Path) -> dict[str, str]:
    """The copy comes before the project itself, which may be installed."""
    return os.environ | {"PYTHONPATH": str(here)}


def first_failure(path: str, text: str, tests: list[str]) -> str:
    """The first of some tests that fails if a file of the project reads so; "" if all pass."""
    with copied() as here:
        (here / path).write_text(text, "utf-8")
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
        try:
            done = subprocess.run(command, cwd=here, env=environment_of(here), capture_output=True, text=True,
                                  timeout=SECONDS)  # fmt: skip
        except subprocess.TimeoutExpired:
            return f"{SECONDS} s are over"
    if done.returncode == 0:
        return ""
    return found[1] if (found := FAILED.search(done.stdout)) else done.stdout[-2000:] + done.stderr[-2000:]


class Repeated:
    """The same for one script of the page after the other, by one process with one browser: see repeated.py."""

    process = None

    def __init__(self, here: Path):
        self.here = here

    def first_failure(self, path: str, text: str, tests: list[str]) -> str:
        if self.process is None:
            command = [sys.executable, "-m", "tools.repeated"]
            self.process = subprocess.Popen(command, cwd=self.here, env=environment_of(self.here), text=True,
                                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip
        self.process.stdin.write(json.dumps({"path": path, "text": text, "tests": tests}) + "\n")
        self.process.stdin.flush()
        late = Timer(SECONDS, self.process.terminate)  # a page that hangs
        late.start()
        answer = self.process.stdout.readline()
        late.cancel()
        if answer:
            return json.loads(answer)
        self.close()
        (self.here / path).write_text((ROOT / path).read_text("utf-8"), "utf-8")
        return f"{SECONDS} s are over"

    def close(self) -> None:
        if self.process:
            self.process.stdin.close()
            self.process.wait()
            self.process = None

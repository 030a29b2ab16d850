"""What the tests say of a copy of the project in which something was changed on purpose."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.files import ROOT

SECONDS = 300  # what makes the tests run this long has been noticed
PARTS = "nbcore", "workbook", "tools", "tests", "notebooks"
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


def first_failure(texts: dict[str, str], tests: list[str]) -> str:
    """The first of some tests that fails where files (path below the project -> new text) differ; "" if all pass."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder) / "project"
        for name in PARTS:
            shutil.copytree(ROOT / name, here / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("pyproject.toml", "conftest.py"):
            shutil.copy(ROOT / name, here)
        shared = ROOT.parent / "shared"  # the papers' corpora, where they lie beside the project
        if shared.is_dir():
            (Path(folder) / "shared").symlink_to(shared)
        for path, text in texts.items():
            (here / path).write_text(text, "utf-8")
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
        env = os.environ | {"PYTHONPATH": str(here)}  # before the project itself, which may be installed
        try:
            done = subprocess.run(command, cwd=here, env=env, capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return f"{SECONDS} s are over"
    if done.returncode == 0:
        return ""
    return found[1] if (found := FAILED.search(done.stdout)) else done.stdout[-2000:] + done.stderr[-2000:]

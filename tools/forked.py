"""Tests run again and again with another script of the page, each time in a fork of a process that has all the rest.

Started in a copy of the project: python -m tools.forked. A line of its input is {"path", "text", "tests"}, a line of
its output the first test that fails, null if all pass. The file is put back.
"""

import json
import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest

from workbook import explorers
from workbook.page import view
from workbook.page.draw import script

SECONDS = 600  # what makes the tests run this long has been noticed
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


def run(tests: list[str]) -> int:
    """In the fork: pytest, with the page's script read anew."""
    script.cache_clear()
    view.SOURCE, view.NAME = view._page()
    out = os.open("said.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(out, 1)
    os.dup2(out, 2)
    return pytest.main(["-x", "-q", "-p", "no:cacheprovider", *tests])


def ended(child: int) -> int | None:
    """The child's exit code; None if it was still busy after SECONDS."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def first_failure(tests: list[str]) -> str | None:
    child = os.fork()
    if not child:
        code = 3
        try:
            os.setpgid(0, 0)
            code = run(tests)
        finally:
            sys.stdout.flush()
            os._exit(code)
    code = ended(child)
    if code is None:
        return f"{SECONDS} s are over"
    said = Path("said.txt").read_text("utf-8", "replace")
    return None if code == 0 else found[1] if (found := FAILED.search(said)) else said[-2000:]


def main() -> None:
    for name in explorers.__all__:  # every chapter
        getattr(explorers, name)
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        path = Path(asked["path"])
        before = path.read_text("utf-8")
        path.write_text(asked["text"], "utf-8")
        answer = first_failure(asked["tests"])
        path.write_text(before, "utf-8")
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()

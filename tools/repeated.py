"""Tests run again and again with another script of the page, by one process with one browser.

Started in a copy of the project: python -m tools.repeated. A line of its input is {"path", "text", "tests"}, a line of
its output the first test that fails, "" if all pass. The file is put back.
"""

import json
import os
import sys
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest
from playwright import sync_api

from workbook.draw import script
from workbook.explorer import view
from workbook.explorer.pictures import FLAGS, chromium


class Kept:
    """A browser that stays open."""

    def __init__(self, browser):
        self._browser = browser

    def __getattr__(self, name):
        return getattr(self._browser, name)

    def close(self):
        pass


class First:
    """Hears which test fails first."""

    failed = ""

    def pytest_collectreport(self, report):
        self.pytest_runtest_logreport(report)

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.failed = self.failed or report.nodeid


def first_failure(tests: list[str]) -> str:
    """Of tests that read the page's script anew."""
    script.cache_clear()
    view.SOURCE, view.NAME = view._page()
    for name in [name for name in sys.modules if name.partition(".")[0] == "tests"]:
        del sys.modules[name]
    first = First()
    code = pytest.main(["-x", "-q", "-p", "no:cacheprovider", *tests], plugins=[first])
    return first.failed or ("" if code == 0 else f"pytest ends with {code}")


def main() -> None:
    answers, sys.stdout = sys.stdout, open(os.devnull, "w")  # whatever else is printed is no answer
    with sync_api.sync_playwright() as play:
        kept = Kept(play.chromium.launch(executable_path=chromium(), args=FLAGS))
        player = SimpleNamespace(chromium=SimpleNamespace(launch=lambda **_: kept))
        sync_api.sync_playwright = lambda: nullcontext(player)
        for line in sys.stdin:
            asked = json.loads(line)
            path = Path(asked["path"])
            before = path.read_text("utf-8")
            path.write_text(asked["text"], "utf-8")
            answer = first_failure(asked["tests"])
            path.write_text(before, "utf-8")
            print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()

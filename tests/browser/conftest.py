"""One browser for all browser tests, one JupyterLab on a copy of the notebooks."""

import os
import shutil
from pathlib import Path

import pytest

from workbook.explorer.pictures import FLAGS, chromium
from workbook.site.player.script import parts, site_style

from .lab import CEILING, READABLE, server
from .served import served
from .tables import SET_UP

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def patient(new):
    """What `new` opens waits as long as a busy machine takes: whatever is waited for ends the wait."""

    def opened(**options):
        found = new(**options)
        found.set_default_timeout(1000 * CEILING)
        return found

    return opened


@pytest.fixture(scope="session")
def browser(pytestconfig):
    """Chromium's program without a window, where it is installed: the same engine in two thirds of the time; weekly
    (--slow), and on other machines, Chromium itself with its window hidden.
    """
    shell = None if pytestconfig.getoption("slow", False) else shutil.which("chromium-headless-shell")
    program = shell or chromium()
    if program is None:
        sentence = "No Chromium on this machine: install it (Debian: apt install chromium) to run the browser tests."
        if os.environ.get("CI") == "true":
            pytest.fail(sentence)
        pytest.skip(sentence)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=program, args=FLAGS, timeout=1000 * CEILING)
        for name in ("new_context", "new_page"):
            setattr(started, name, patient(getattr(started, name)))
        yield started
        started.close()


@pytest.fixture(scope="module")
def bases(site):
    with served(site) as addresses:
        yield addresses


@pytest.fixture(scope="module")
def bench(browser):
    """The drawing module alone: what a page draws of a frame."""
    opened = browser.new_page(viewport=READABLE)
    body = "<div class='nb-view nb-figure'></div><div class='nb-view'></div>"
    opened.set_content(f"<!doctype html><style>{site_style()}</style><script>{parts()['draw']}</script><body>{body}")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def desk(browser):
    """The drawing module, and a button that opens the tables of a figure."""
    opened = browser.new_page(viewport=READABLE)
    head = f"<html lang=en><title>Numbers</title><style>{site_style()}</style><script>{parts()['draw']}</script>"
    opened.set_content(f"<!doctype html>{head}<body>")
    opened.evaluate(SET_UP)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A copy of the notebooks: opening and running them leaves the book alone."""
    copy = tmp_path_factory.mktemp("book") / "notebooks"
    shutil.copytree(NOTEBOOKS, copy, ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    return copy


@pytest.fixture(scope="session")
def home(tmp_path_factory):
    """The settings of JupyterLab, and the reader's progress."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def lab(browser, folder, home):
    with server(folder, home) as address:
        yield address

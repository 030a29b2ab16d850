"""Measures in a real JupyterLab and a real Chromium: from key press to redraw, and Run All of one page."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from shutil import copy2
from tempfile import TemporaryDirectory

import nbformat.v4 as v4
import numpy as np
from nbformat import write
from playwright.sync_api import sync_playwright

from tests.browser import lab
from workbook.explorer import pictures
from workbook.explorer.explorer import Explorer

from . import ROOT, Row, Run, Task, compared, explorer_task, seconds, spread

SLIDER = ".noUi-target:not([disabled]) [role=slider]"
FIGURE, IMAGE = ".nb-figure", ".widget-output"
GOAL, MEDIAN_GOAL = 0.35, 0.25  # the worst explorer, the median of all
BLOCKS, PRESSES = 8, 3  # short blocks in turn: what else the machine does then slows both sides alike
SETTLED = 120  # ms between two presses: longer than either side needs to come to rest

# From the next key press until `root` has changed and is painted, in ms: the first task after the animation frame that
# follows the last change, with every new picture decoded; the browser paints between the two. The rule is the same for
# SVG and for pictures; null when nothing changes.
WATCH = """root => { window.redraw = new Promise(resolve => {
    const picture = () => root.querySelector("img");
    const before = picture()?.src;
    const painted = () => new Promise((resolve) => requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = resolve;
        channel.port2.postMessage(null);
    }));
    let pressed, changes = 0;
    addEventListener("keydown", () => { pressed = performance.now(); }, { capture: true, once: true });
    const observer = new MutationObserver(async (records) => {
        if (records.every((record) => record.target === root && record.type === "attributes")) return;  // not for eyes
        if (pressed === undefined || (before && (!picture() || picture().src === before))) return;
        const change = ++changes;
        await picture()?.decode();
        await painted();
        if (change === changes) done(performance.now() - pressed);
    });
    const done = value => { observer.disconnect(); resolve(value); };
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    setTimeout(done, 5000, null);
}); }"""

# No second rendering to find a tight frame: the figure sets its own margins.
INLINE = "%matplotlib inline\n%config InlineBackend.print_figure_kwargs = {'bbox_inches': None}"
PEERS = f"import sys; sys.path.insert(0, {str(ROOT)!r})\nfrom benchmarks.peer import interact_figure"
KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}


def tasks() -> list[Task]:
    return [explorer_task("key press to redraw", key_press, MEDIAN_GOAL), Task("run all", heaviest_page)]


def key_press(kind: type[Explorer], run: Run) -> Row:
    """Press the arrow keys on an explorer's first slider and on its matplotlib peer's, in alternating short blocks."""
    name = kind.__name__
    ours = f"from {kind.__module__} import {name}\n{name}()"
    shown = open_notebook(run, f"key_press_{name}", [INLINE, PEERS, ours, f"interact_figure({name})"])
    page = shown.page
    places = page.locator(".nb-explorer"), page.locator(".widget-interact")
    pictures = places[0].locator(FIGURE), places[1].locator(IMAGE)
    times = [[], []]
    for block in range(run.repeats(BLOCKS) + 1):
        for place, picture, found in zip(places, pictures, times, strict=True):
            presses = press(page, place, picture, PRESSES, "Right" if block % 2 else "Left")
            found += presses if block else []  # the first block warms up
    shown.close()
    page.close()
    label = f"key press to redraw, {name} | matplotlib interact, {len(times[0])} presses"
    return compared(label, *map(np.array, times), GOAL)


def heaviest_page(run: Run) -> Iterator[Row]:
    """Measure Run All of the notebook that shows most explorers, from a fresh kernel to the last figure."""
    _, address, folder = desk(run)
    books = sorted((ROOT / "notebooks").glob("*.ipynb"))
    book = max(books, key=lambda path: path.read_text(encoding="utf-8").count("Explorer("))
    copy2(book, folder / book.name)
    times = []
    for _ in range(run.repeats(3)):
        page = chromium(run).new_page(viewport=lab.READABLE)
        shown = lab.Notebook(page, address, book.name)
        times.append(seconds(lambda shown=shown: (shown.run_all(), shown.wait_for_figures())))
        shown.close()
        page.close()
    yield Row(f"Run All of {book.stem}, to the last figure", spread(times))


def press(page, place, picture, times: int, direction: str) -> list[float]:
    """Press an arrow key on the first slider of `place`; return the seconds from each press to the redraw."""
    slider = place.locator(SLIDER).first
    place.evaluate("element => element.scrollIntoView({ block: 'start' })")
    slider.focus()
    watched, found = picture.element_handle(), []
    for _ in range(times):
        page.wait_for_timeout(SETTLED)
        watched.evaluate(WATCH)
        page.keyboard.press(f"Arrow{direction}")
        found.append(page.evaluate("() => window.redraw"))
        if found[-1] is None:  # the slider stands at its end
            break
    return [time / 1e3 for time in found if time is not None]


def open_notebook(run: Run, name: str, cells: list[str]):
    """Write a new notebook of these cells, open it in JupyterLab and run it to its end."""
    browser, address, folder = desk(run)
    book = v4.new_notebook(cells=[v4.new_code_cell(cell) for cell in cells], metadata=KERNEL)
    write(book, folder / f"{name}.ipynb")
    shown = lab.Notebook(browser.new_page(viewport=lab.READABLE), address, f"{name}.ipynb")
    shown.run_all()
    return shown


@cache
def desk(run: Run):
    """Return a browser, the address of a JupyterLab and the folder it serves; closed at the end of the run."""
    browser = chromium(run)
    folder, home = (Path(run.stack.enter_context(TemporaryDirectory())) for _ in range(2))
    run.say("    JupyterLab and Chromium start")
    address = run.stack.enter_context(lab.server(folder, home))
    return browser, address, folder


@cache
def chromium(run: Run):
    """Start the browser of this run, closed at its end."""
    playwright = run.stack.enter_context(sync_playwright())
    browser = playwright.chromium.launch(executable_path=pictures.chromium(), args=pictures.FLAGS)
    run.stack.callback(browser.close)
    return browser

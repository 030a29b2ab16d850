"""In a real JupyterLab and a real Chromium: from key press to redraw, and what travels to the page."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat.v4 as v4
import numpy as np
from nbformat import write

from . import ROOT, MissingError, Row, Run, Task, compared, spread
from .explorers import explorer_classes

FIGURE, IMAGE = ".nb-figure", ".widget-output"
GOAL = 0.45
BLOCKS = 8  # short blocks in turn: what else the machine does then slows both sides alike
PLOTLY_JS = 4_000_000  # bytes: a message as large as this carries plotly.js and nothing else does
SETTLED = 120  # ms between two presses: longer than either side needs to come to rest

# From the next key press until `root` has changed and is painted, in ms: two animation frames after the last change,
# with every new picture decoded. The rule is the same for SVG and for pictures; null when nothing changes.
WATCH = """root => { window.redraw = new Promise(resolve => {
    const picture = () => root.querySelector("img");
    const before = picture()?.src;
    const frame = () => new Promise(requestAnimationFrame);
    let pressed, changes = 0;
    addEventListener("keydown", () => { pressed = performance.now(); }, { capture: true, once: true });
    const observer = new MutationObserver(async (records) => {
        if (records.every((record) => record.target === root && record.type === "attributes")) return;  // not for eyes
        if (pressed === undefined || (before && (!picture() || picture().src === before))) return;
        const change = ++changes;
        await picture()?.decode();
        await frame();
        await frame();
        if (change === changes) done(performance.now() - pressed);
    });
    const done = value => { observer.disconnect(); resolve(value); };
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    setTimeout(done, 5000, null);
}); }"""

SHOW_BOTH = [
    # No second rendering to find a tight frame: the figure sets its own margins.
    "%matplotlib inline\n%config InlineBackend.print_figure_kwargs = {'bbox_inches': None}",
    f"import sys; sys.path.insert(0, {str(ROOT)!r})",
    "from benchmarks.peer import interact_figure",
    "from workbook.explorers import SmoothingExplorer\nSmoothingExplorer()",
    "interact_figure()",
]
KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
FIVE_OURS = ["from workbook.explorers import SmoothingExplorer", *["SmoothingExplorer()"] * 5]
FIVE_PEERS = [
    "import plotly.graph_objects as go\n"
    "from workbook.explorers import SmoothingExplorer\nexplorer = SmoothingExplorer()",
    *["go.FigureWidget(explorer.draw(explorer.compute(**explorer.state)))"] * 5,
]


def tasks() -> list[Task]:
    return [
        Task("key press to redraw", key_press),
        Task("key press to redraw, every explorer", every_key_press),
        Task("transfers of plotly.js", transfers),
    ]


def key_press(run: Run) -> list[Row]:
    """SmoothingExplorer and its matplotlib peer on one page, pressed in alternating short blocks."""
    page = opened(run, "key_press", SHOW_BOTH).page
    places = [page.locator(".nb-explorer"), page.locator(".widget-interact")]
    pictures = [places[0].locator(FIGURE), places[1].locator(IMAGE)]
    times = [[], []]
    for block in range(BLOCKS + 1):
        for side in (0, 1):
            presses = press(page, places[side], pictures[side], run.repeats(5), "Right" if block % 2 else "Left")
            times[side] += presses if block else []  # the first block warms up
        run.say(f"    block {block} of {BLOCKS} done")
    name = f"key press to redraw, SmoothingExplorer | matplotlib interact, {len(times[0])} presses"
    return [compared(name, np.array(times[0]), np.array(times[1]), GOAL, show=spread)]


def every_key_press(run: Run) -> Iterator[Row]:
    """Every other explorer alone, all on one page, by its first slider."""
    classes = [c for c in explorer_classes() if c.__name__ != "SmoothingExplorer"]
    imports = [f"from {c.__module__} import {c.__name__}\n{c.__name__}()" for c in classes]
    page = opened(run, "every_explorer", imports).page
    for number, kind in enumerate(classes):
        place = page.locator(".nb-explorer").nth(number)
        times = []
        for direction in ("Right", "Left") * 2:
            times += press(page, place, place.locator(FIGURE), run.repeats(5), direction)
        yield Row(f"key press to redraw, {kind.__name__}", spread(times) if times else "no slider that redraws")


def press(page, place, picture, times: int, direction: str, calm: int = SETTLED) -> list[float]:
    """Seconds from key press to redraw, for each press of an arrow key on the first slider of `place`."""
    slider = place.locator(".noUi-target:not([disabled]) [role=slider]").first
    if not slider.count():
        return []
    place.evaluate("element => element.scrollIntoView({ block: 'start' })")
    slider.focus()
    watched, found = picture.element_handle(), []
    for _ in range(times):
        page.wait_for_timeout(calm)
        watched.evaluate(WATCH)
        page.keyboard.press(f"Arrow{direction}")
        found.append(page.evaluate("() => window.redraw"))
        if found[-1] is None:  # the slider stands at its end
            break
    return [time / 1e3 for time in found if time is not None]


def transfers(run: Run) -> Iterator[Row]:
    """What the websocket brings to a page with five explorers, and to one with five FigureWidgets."""
    ours, peers = received(run, "five_explorers", FIVE_OURS), received(run, "five_figure_widgets", FIVE_PEERS)
    count = [int((sizes > PLOTLY_JS).sum()) for sizes in (ours, peers)]
    total = [sizes.sum() / 1e6 for sizes in (ours, peers)]
    name = "plotly.js received by a page with 5 figures | 5 FigureWidgets"
    yield Row(name, f"{count[0]} time(s)", f"{count[1]} time(s)", count[0] / count[1], "1 time", count[0] == 1)
    yield Row("data received by the same pages", f"{total[0]:.1f} MB", f"{total[1]:.1f} MB", total[0] / total[1])


def received(run: Run, name: str, cells: list[str]) -> np.ndarray:
    """Bytes of every websocket message that a page receives while its notebook is opened and run."""
    sizes = []

    def listen(socket):
        socket.on("framereceived", lambda payload: sizes.append(len(payload)))

    book = opened(run, name, cells, listen)
    book.page.wait_for_function("count => document.querySelectorAll('.main-svg').length >= count", arg=5)
    book.page.close()
    return np.array(sizes)


# --- the machinery: one server and one browser for all tasks of a run -------------------------------------------------


def opened(run: Run, name: str, cells: list[str], listen=None):
    """A new notebook of these cells, open in JupyterLab and run to its end."""
    return notebook(run, name, cells, desk(run)[2], listen)


def notebook(run: Run, name: str, cells: list[str], address: str, listen=None):
    """The same, with JupyterLab reached at an address of its own."""
    lab, browser, _, folder = desk(run)
    book = v4.new_notebook(cells=[v4.new_code_cell(cell) for cell in cells], metadata=KERNEL)
    write(book, folder / f"{name}.ipynb")
    page = browser.new_page(viewport=lab.READABLE)
    if listen:
        page.on("websocket", listen)
    shown = lab.Notebook(page, address, f"{name}.ipynb")
    shown.run_all()
    return shown


@cache
def desk(run: Run):
    """The tests' driver, a browser, a JupyterLab's address and the folder it serves; closed at the end of the run."""
    browser, lab = chromium(run), driver()
    folder, home = (Path(run.stack.enter_context(TemporaryDirectory())) for _ in range(2))
    run.say("    JupyterLab and Chromium start")
    address = run.stack.enter_context(lab.server(folder, home))
    return lab, browser, address, folder


@cache
def chromium(run: Run):
    """The browser of this run, closed at its end."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise MissingError("the browser rows need playwright (python3 run.py test installs it).") from None
    from workbook.page import pictures

    if not pictures.chromium():
        raise MissingError(
            "the browser rows need a Chromium or Chrome on this machine (Debian: apt-get install chromium)."
        )
    playwright = run.stack.enter_context(sync_playwright())
    browser = playwright.chromium.launch(executable_path=pictures.chromium(), args=pictures.FLAGS)
    run.stack.callback(browser.close)
    return browser


def driver():
    """tests/browser/lab.py, which is no package."""
    spec = importlib.util.spec_from_file_location("browser_driver", ROOT / "tests" / "browser" / "lab.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

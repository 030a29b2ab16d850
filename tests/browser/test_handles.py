"""Grips by mouse and by touch: the control follows, the figure and the sentence are those of that state."""

from contextlib import contextmanager

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from workbook import explorers
from workbook.draw import as_text, drawable

from .everyone import faults, small_targets, unseen_focus
from .lab import READABLE, Notebook, settle

pytestmark = pytest.mark.browser
KERNEL = {"kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}}
EXPLORER = '''
import numpy as np
from workbook.explorer import theme
from workbook.explorer.controls import FloatSlider, IntSlider, Steps
from workbook.explorer.explorer import Explorer
from workbook.explorer.handles import Handle

class Grips(Explorer):
    """One of each kind."""

    a = FloatSlider(0.5, 0.0, 1.0, step=0.05, label="a")
    b = FloatSlider(0.5, 0.0, 1.0, step=0.05, label="b")
    n = IntSlider(4, 1, 9, label="n")
    k = Steps(1.0, [float(f"{10 ** (e / 10):.3g}") for e in range(-20, 21)], label="k")

    def compute(self, a, b, n, k):
        return a, b, n, k

    def draw(self, result):
        a, b, n, k = result
        unit, wide = dict(range=[0, 1]), dict(range=[0, 10])
        dot = dict(type="scatter", mode="markers", x=[a], y=[b], hoverinfo="skip")
        bar = dict(type="bar", x=[5], y=[n**2], width=2, marker=dict(color="#0072B2"), hoverinfo="skip")
        squares = np.arange(1, 10)**2
        upright = dict(type="line", x0=k, x1=k, y0=0, y1=1, yref="domain")
        return theme.figure([
            theme.Panel("a and b", [dot], unit, unit, handles=[Handle(("a", "b"), a, b, "xy")]),
            theme.Panel("n squared", [bar], wide, dict(range=[0, 100]),
                        handles=[Handle("n", 5, n**2, "y", squares, "bar")]),
            theme.Panel("k", [], dict(range=[-2, 2], type="log"), unit, [upright],
                        handles=[Handle("k", k, 0, "x", shape="line")]),
            theme.Panel("a alone", [dot], unit, unit, handles=[Handle(("a", "b"), axis="xy", shape="pick")]),
        ], legend=False)

    def describe(self, result):
        return "a {}, b {}, n {}, k {:g}.".format(*result)

grips = Grips()
grips
'''

OURS = ".nb-explorer, .nb-asked"  # the rest of the page is JupyterLab's
# A question of each kind that has no explorer in it.
ASKED = """from workbook.learning import exercise, predict
predict("02/overcast")
exercise("02/shrinkage")
exercise("05/attenuate")""".splitlines()
# A figure with its grips, though nothing moves.
HELD = """(figure) => {
    const root = document.querySelector(".nb-figure");
    draw(root, figure, 880);
    const control = { values: [0], label: "", say: String };
    const names = figure.layout.meta.handles.flatMap((handle) => handle.controls);
    showHandles(root, { controls: new Map(names.map((name) => [name, control])), move() {}, released() {} });
}"""


@contextmanager
def opened(browser, lab, folder, **options):
    path = folder / "grips.ipynb"
    cells = [new_code_cell(cell) for cell in (EXPLORER.strip(), *ASKED)]
    nbformat.write(new_notebook(cells=cells, metadata=KERNEL), path)
    context = browser.new_context(viewport=READABLE, **options)
    notebook = Notebook(context.new_page(), lab, path.name)
    notebook.run_all()
    notebook.wait_for_figures()
    yield notebook
    context.close()
    path.unlink()


@pytest.fixture(scope="module")
def notebook(browser, folder, lab):
    with opened(browser, lab, folder, has_touch=True) as notebook:
        yield notebook


class Mouse:
    """Drag with the mouse."""

    def __init__(self, page):
        self.page = page

    def drag(self, start, *stops):
        self.page.mouse.move(*start)
        self.page.mouse.down()
        for stop in stops:
            self.page.mouse.move(*stop, steps=2)
        self.page.mouse.up()

    def tap(self, at):
        self.page.mouse.click(*at)


class Touch:
    """Drag with a finger, as Chromium's own events."""

    def __init__(self, page):
        self.page, self.devtools = page, page.context.new_cdp_session(page)

    def send(self, kind, *points):
        at = [dict(x=x, y=y) for x, y in points]
        self.devtools.send("Input.dispatchTouchEvent", dict(type=kind, touchPoints=at))

    def drag(self, start, *stops):
        self.send("touchStart", start)
        for before, stop in zip([start, *stops[:-1]], stops, strict=True):
            for part in (0.5, 1):
                self.send("touchMove", [u + part * (v - u) for u, v in zip(before, stop, strict=True)])
        self.send("touchEnd")

    def tap(self, at):
        self.send("touchStart", at)
        self.send("touchEnd")


@pytest.fixture(params=[Mouse, Touch], ids=["mouse", "touch"])
def hand(request, notebook):
    explorer = notebook.explorers()[0]
    explorer.click("Reset")
    explorer.element.scroll_into_view_if_needed()
    return request.param(notebook.page), explorer


def middle(explorer, control, k=0):
    box = explorer.figure.locator(f".nb-over [data-control='{control}']").nth(k).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def panel_size(explorer):
    """Pixels of the sides of a panel."""
    box = explorer.figure.locator(".nb-pad").bounding_box()
    return box["width"], box["height"]


def test_a_press_in_a_panel_picks_a_place(hand):
    pointer, explorer = hand
    (x, y), (width, height) = middle(explorer, "a b", 1), panel_size(explorer)
    pointer.tap((x + 0.25 * width, y - 0.1 * height))
    settle(explorer.page)
    assert "a 0.75, b 0.6," in explorer.sentence()


# control -> how far its grip is dragged, in shares of a panel, and the sentence then
DRAGS = {"a b": ((0.2, 0.1), "a 0.7, b 0.6,"), "n": ((0, 0.2), "n 6,"), "k": ((0.25, 0), "k 10.")}


@pytest.mark.parametrize("control", DRAGS)
def test_a_drag_moves_controls_sentence_and_figure(hand, control):
    pointer, explorer = hand
    ((across, up), wanted), (width, height), (x, y) = DRAGS[control], panel_size(explorer), middle(explorer, control)
    stop = x + across * width, y - up * height
    pointer.drag((x, y), stop)
    settle(explorer.page)
    assert wanted in explorer.sentence()
    assert middle(explorer, control) == pytest.approx(stop, abs=2)


def test_the_slider_stays_the_keyboards_way(hand):
    _, explorer = hand
    assert explorer.figure.locator(".nb-grip[tabindex]").count() == 0
    before = middle(explorer, "a b")
    explorer.press(explorer.sliders()[0], "ArrowRight")
    settle(explorer.page)
    assert middle(explorer, "a b")[0] == pytest.approx(before[0] + 0.05 * panel_size(explorer)[0], abs=1.5)


@pytest.fixture
def dark(notebook):
    """JupyterLab's own dark theme."""
    choose(notebook.page, "dark")
    yield
    choose(notebook.page, "light")


def choose(page, theme):
    """In JupyterLab's menus."""
    for name in ("Settings", "Theme", f"JupyterLab {theme.title()}"):
        page.locator(f".lm-MenuBar-itemLabel:text-is('{name}'), .lm-Menu-itemLabel:text-is('{name}')").click()
    page.locator(f"body[data-jp-theme-light='{str(theme == 'light').lower()}']").wait_for(state="attached")
    page.locator("#main-logo").wait_for(state="hidden")  # JupyterLab covers itself until it has another theme
    settle(page)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nobody_is_shut_out_of_what_is_ours_in_jupyterlab(notebook, request, theme):
    if theme == "dark":
        request.getfixturevalue("dark")
    assert faults(notebook.page, [OURS]) == []
    assert unseen_focus(notebook.page, OURS, least=19) == []


def test_a_finger_finds_the_grips_of_sliders_and_figures(notebook):
    """24 pixels wide and high, however small they look (WCAG 2.5.8)."""
    assert small_targets(notebook.page.locator(".nb-explorer .noUi-handle, .nb-grip")) == []


@pytest.mark.parametrize("name", [name for name in explorers.__all__ if name.endswith("Explorer")])
def test_a_finger_finds_every_grip_of_a_figure(bench, name):
    explorer = getattr(explorers, name)()
    figure = as_text(drawable(explorer.draw(explorer.compute(**explorer.state))))
    bench.evaluate(HELD, figure)
    assert small_targets(bench.locator(".nb-grip")) == []

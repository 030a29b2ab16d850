"""The page's side of an explorer where things come late: the widget itself, or a control in its box."""

from contextlib import contextmanager
from itertools import count

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from .lab import READABLE, Explorer, Notebook
from .test_handles import choose

pytestmark = pytest.mark.browser
NUMBERS = count()
KERNEL = {"kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}}
EXPLORER = '''
import ipywidgets as widgets
import numpy as np
from workbook.explorer import theme
from workbook.explorer.controls import IntSlider
from workbook.explorer.explorer import Explorer

class Bread(Explorer):
    """Loaves."""

    n = IntSlider(1, 1, 9, label="Loaves")

    def compute(self, n):
        return n

    def draw(self, result):
        line = dict(type="scatter", x=[0, 1], y=[0, result])
        return theme.figure([theme.Panel("Bread", [line], dict(range=[0, 1]), dict(range=[0, 9]))])

    def describe(self, result):
        return f"{result} loaves."

bread = Bread()
bread
'''
LATER = """
half = widgets.IntSlider(description="half", readout=False)
bread.panel.children[1].children += (half, widgets.IntSlider(3, description="late"))
bread.panel.children += (widgets.HBox([]),)
"""
AGAIN = "bread.panel.children[3].children += (widgets.FloatSlider(0.5, description='last'),)"
# anywidget gives a widget two seconds to start; here it is late at once.
LATE = "const timeout = AbortSignal.timeout.bind(AbortSignal); AbortSignal.timeout = (t) => timeout(t === 2000 ? 0 : t)"


@contextmanager
def opened(browser, lab, folder, *cells, script="", before=lambda page: None, **options):
    """A notebook of these cells, run from top to bottom. before: what is done to its page before it goes anywhere."""
    path = folder / f"view_{next(NUMBERS)}.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell(cell.strip()) for cell in cells], metadata=KERNEL), path)
    context = browser.new_context(viewport=READABLE, **options)
    context.add_init_script(script)
    page = context.new_page()
    before(page)
    notebook = Notebook(page, lab, path.name)
    notebook.run_all()
    yield notebook
    context.close()
    path.unlink()


def test_a_widget_that_starts_late_is_alive(browser, folder, lab):
    with opened(browser, lab, folder, EXPLORER, "bread", script=LATE) as notebook:
        for element in notebook.page.locator(".nb-explorer").all():
            element.locator(".nb-sentence", has_text="1 loaves.").wait_for()
            element.locator(".nb-figure[data-frames]").wait_for()
        explorer = notebook.explorers()[0]
        explorer.press(explorer.sliders()[0], "ArrowRight")
        for element in notebook.page.locator(".nb-explorer").all():
            element.locator(".nb-sentence", has_text="2 loaves.").wait_for()
        assert notebook.error_outputs == []


LINE = 'type="scatter", x=[0, 1], y=[0, result]'
STRANGE = EXPLORER.replace(LINE, 'type="violin", y=[0, 1, 2, result]')
MAP = 'type="heatmap", x=[0, 1], y=[0, 1], z=np.eye(2)[::-1], zmin=0, zmax=1'
HEAT = EXPLORER.replace(LINE, f'{MAP}, colorscale=[[0, "#ffffff"], [1, "#000000"]]')


@pytest.fixture(scope="module")
def notebook(browser, folder, lab):
    """One notebook with an explorer for each of the tests below, in their order."""
    with opened(browser, lab, folder, STRANGE, HEAT, EXPLORER, EXPLORER, LATER, AGAIN) as found:
        yield found


def explorer_in(notebook, number):
    return Explorer(notebook.page.locator(".nb-explorer").nth(number))


def test_what_our_module_does_not_know_plotly_draws_by_itself(notebook):
    explorer = explorer_in(notebook, 0)
    explorer.element.locator(".nb-plotly .violinlayer path").first.wait_for()
    explorer.press(explorer.sliders()[0], "ArrowRight")
    explorer.element.locator(".nb-plotly[data-frames='2']").wait_for()
    assert explorer.element.locator(".nb-sentence").inner_text() == "2 loaves."
    assert not explorer.element.locator(".nb-figure").is_visible()
    assert notebook.errors == []


LOW = "() => document.querySelector('.nb-figure canvas').getContext('2d').getImageData(0, 1, 1, 1).data[0]"


def test_a_map_on_the_page_follows_the_theme(notebook):
    notebook.page.locator(".nb-figure canvas").wait_for()
    for theme, low in (("dark", 18), ("light", 255)):
        choose(notebook.page, theme)
        notebook.page.wait_for_function(f"{LOW} === {low}", timeout=20_000)


def test_numbers_open_follow_the_slider_and_are_copied(notebook):
    page, explorer = notebook.page, explorer_in(notebook, 2)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    explorer.element.locator(".nb-figure[data-frames]").wait_for()
    explorer.press(explorer.element.get_by_role("button", name="Numbers"), "Enter")
    cells = explorer.element.locator(".nb-table tbody :is(th, td)")
    assert cells.all_inner_texts() == ["Bread", "all along", "0 to 1"]
    explorer.press(explorer.sliders()[0], "ArrowRight")
    explorer.element.locator(".nb-table td", has_text="0 to 2").wait_for()
    explorer.click("Copy")
    assert page.evaluate("navigator.clipboard.readText()").splitlines()[-1].endswith("0 to 2")
    assert explorer.error() == ""
    assert notebook.errors == []


def test_controls_that_come_later_are_operable_too(notebook):
    box = explorer_in(notebook, 3).element
    for name, value in (("Loaves", "1"), ("late", "3"), ("last", "0.50")):
        box.locator(f"[role=slider][aria-label={name}][aria-valuetext='{value}']").wait_for()
    late = box.locator("[role=slider][aria-label=late]")
    late.press("ArrowRight")
    box.locator("[role=slider][aria-label=late][aria-valuetext='4']").wait_for()
    assert notebook.errors == []

"""The fitting state on a real page: seen, announced, over the last good figure, and ended by the newest state."""

import pytest

from .test_view import opened

pytestmark = pytest.mark.browser
CELL = '''
import time
from pathlib import Path
from workbook.explorer import theme
from workbook.explorer.controls import IntSlider
from workbook.explorer.explorer import Explorer
from workbook.explorer.fitting import Slow

def bake(n, progress):
    Path("baking").write_text(str(n))
    while n > 1 and not Path("baked").exists():
        time.sleep(0.02)
        progress(0.3)
    return n

baked = Slow(bake)

class Bread(Explorer):
    """Loaves that are done when the test says so."""

    n = IntSlider(1, 1, 9, label="Loaves")

    def pending(self, n):
        return baked.work(n)

    def compute(self, n):
        return baked(n)

    def draw(self, result):
        line = dict(type="scatter", x=[0, 1], y=[0, result])
        return theme.figure([theme.Panel("Bread", [line], dict(range=[0, 1]), dict(range=[0, 9]))])

    def describe(self, result):
        return f"{result} loaves."

Bread()
'''


def test_a_slow_fit_shows_itself_and_only_the_last_state_is_drawn(browser, folder, lab):
    with opened(browser, lab, folder, CELL) as notebook:
        assert_only_the_last_state_is_drawn(notebook, folder)
    for name in ("baking", "baked"):
        (folder / name).unlink()


def assert_only_the_last_state_is_drawn(notebook, folder):
    notebook.wait_for_figures()
    (explorer,) = notebook.explorers()
    (slider,) = explorer.sliders()
    waiting = explorer.element.locator(".nb-fitting")
    assert waiting.inner_text().strip() == ""
    height, frames = explorer.height(), explorer.frames()
    for _ in range(4):
        explorer.press(slider, "ArrowRight")
    explorer.element.locator(".nb-figure.nb-waiting").wait_for()
    assert waiting.inner_text().strip() == "fitting …"
    assert explorer.sentence() == "1 loaves.", "the last good figure and its sentence stay"
    assert explorer.height() == height, "nothing on the page jumps"
    notebook.page.wait_for_function("() => document.querySelector('.nb-fitting progress').value > 0.2")
    for _ in range(1200):
        if (folder / "baking").read_text() == "5":  # the last press has reached the kernel
            break
        notebook.page.wait_for_timeout(50)
    (folder / "baked").touch()
    explorer.element.locator(".nb-sentence", has_text="5 loaves.").wait_for()
    explorer.wait_until_still()
    assert explorer.frames() == frames + 1, "the states in between were never drawn"
    assert waiting.inner_text().strip() == ""
    assert notebook.error_outputs == []

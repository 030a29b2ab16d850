"""Notebooks in a real JupyterLab and a real Chromium: run, then move every slider by keyboard."""

from itertools import pairwise
from pathlib import Path

import pytest

from .lab import READABLE, Notebook, alone, settle

NOTEBOOKS = sorted(path.name for path in (Path(__file__).parents[2] / "notebooks").glob("[0-9]*.ipynb"))
APPENDICES = sorted(path.name for path in (Path(__file__).parents[2] / "notebooks").glob("[A-Z]*.ipynb"))
pytestmark = pytest.mark.browser


# nbval runs every notebook in every run, tests/chapters/test_every_explorer.py moves every slider, test_draw.py draws
# every figure, test_keyboard.py works through 00. What JupyterLab adds to that is the page's own and no
# notebook's: one in every run, all with --slow.
SOME = [pytest.param(name, marks=() if name.startswith("02") else pytest.mark.slow) for name in NOTEBOOKS]


@pytest.fixture(scope="module")
def tab(browser):
    context = browser.new_context(viewport=READABLE)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module", params=SOME)
def notebook(request, tab, lab):
    """The notebook after Run All; all tests of a notebook find it open."""
    opened = Notebook(tab, lab, request.param)
    opened.run_all()
    opened.wait_for_figures()
    yield opened
    opened.close()


def assert_little_came(page):
    """plotly.js (4.8 MB) is for those who ask for it."""
    assert max(page.evaluate("received")) < 1_000_000
    assert sum(page.evaluate("received")) < 8_000_000


def test_it_runs_without_an_error_and_asks_nothing_of_the_internet(notebook):
    assert notebook.errors == []
    assert notebook.error_outputs == []
    assert notebook.strangers == []
    assert_little_came(notebook.page)


FIRST = "select => select.selectedIndex === 0"
SHAPES = """figure => [...figure.querySelectorAll(".nb-marks :is(path, text):not(defs *), .nb-notes > div")]
    .map((e) => (e.getAttribute("d") ?? "") + e.textContent).filter(Boolean)"""


def moves(explorer, control, way):
    """Whether a key changes all that is seen: where the page starts the explorer, else in one of its presets."""
    for preset in (None, *explorer.presets()):
        if preset:
            explorer.choose(preset)
        before = explorer.seen()
        if control.is_enabled():
            explorer.press(control, way(control))
            settle(explorer.element.page)
        if all(now != then for now, then in zip(explorer.seen(), before, strict=True)):
            return True
    return False


def into_the_scale(slider):
    """The key that moves a slider from wherever it stands."""
    value, highest = (float(slider.get_attribute(name)) for name in ("aria-valuenow", "aria-valuemax"))
    return "ArrowLeft" if value >= highest else "ArrowRight"


def test_every_slider_moves_its_figure_by_keyboard(notebook):
    moved = 0
    for explorer in notebook.explorers():
        with alone(explorer):
            for slider in explorer.sliders():
                assert moves(explorer, slider, into_the_scale), (slider.get_attribute("aria-label"), explorer.seen())
                moved += 1
                assert explorer.error() == ""
                explorer.press(explorer.button("Reset"), "Enter")
                settle(notebook.page)
    assert notebook.errors == []
    assert moved >= len(notebook.explorers())


def test_every_preset_is_one_press_away_and_fits_the_screen(notebook):
    for explorer in notebook.explorers():
        with alone(explorer):
            for preset in explorer.presets():
                explorer.choose(preset)
                assert explorer.height() <= 600, "controls, figure and sentence together, on a screen of 720 lines"
                assert explorer.clipped() == []
            explorer.click("Reset")
    assert notebook.errors == []


def test_every_value_is_read_in_full_however_wide_the_page(notebook):
    """With JupyterLab's sidebar, without it, and in windows between: the sliders stand in other rows each time."""
    for explorer in notebook.explorers():
        for width in (640, 848, 1000, 1100, 1180):
            explorer.element.evaluate("(e, width) => { e.style.width = `${width}px` }", width)
            assert explorer.cut_values() == [], width
        explorer.element.evaluate("e => { e.style.width = '' }")
    settle(notebook.page)


def test_a_held_key_ends_on_the_last_state_and_leaves_no_queue(notebook):
    """Twenty presses as fast as the keyboard can: few frames, and the last one is the state that stands there."""
    shown = []
    for explorer in notebook.explorers():
        slider = explorer.sliders()[0]
        slider.focus()
        frames = explorer.frames()
        for _ in range(20):
            notebook.page.keyboard.press("ArrowLeft")
        settle(notebook.page)
        assert explorer.frames() - frames <= 21
        shown.append((explorer, slider, explorer.seen(), explorer.figure.evaluate(SHAPES)))
    notebook.page.wait_for_timeout(500)
    for explorer, slider, seen, shapes in shown:
        assert explorer.seen() == seen, "no stale frame arrives later"
        for key, back in ("ArrowRight", False), ("ArrowLeft", True):
            explorer.press(slider, key)
            settle(notebook.page)
            same = (explorer.figure.evaluate(SHAPES), explorer.sentence()) == (shapes, seen[1])
            assert same == back, "one step away and back, each waited for, leads to what was shown"
        explorer.click("Reset")


def test_keys_stay_in_the_controls(notebook):
    """JupyterLab's own shortcuts ("d d" deletes a cell) must not see what is pressed in a control."""
    cells = notebook.page.locator(".jp-Cell").count()
    for explorer in notebook.explorers():
        for select in explorer.selects():
            assert moves(explorer, select, lambda s: "ArrowDown" if s.evaluate(FIRST) else "ArrowUp")
            notebook.page.keyboard.press("d")
            notebook.page.keyboard.press("d")
            explorer.click("Reset")
        explorer.press(explorer.element.locator("button:visible").last, "d")
        notebook.page.keyboard.press("d")
    assert notebook.page.locator(".jp-Cell").count() == cells


def test_typed_markup_is_shown_as_text(notebook):
    typed = "<img src=x onerror=document.title='hacked'>"
    for explorer in notebook.explorers():
        for field in explorer.text_fields():
            before = explorer.sentence()
            field.fill(typed)
            field.press("Enter")
            settle(notebook.page)
            heard = explorer.sentence() + explorer.error()
            assert typed in heard or ("img" not in heard and explorer.sentence() != before), "taken, or refused so"
            assert explorer.element.locator("img").count() == 0
            explorer.click("Reset")
    for field in notebook.page.locator(".nb-asked input[type=text]").all():
        field.fill(typed)
        field.press("Enter")
    settle(notebook.page)
    assert notebook.page.title() != "hacked"
    assert notebook.page.locator(".nb-asked img").count() == 0
    assert notebook.errors == []


def test_how_sure_you_are_stands_beside_the_buttons_and_is_not_cut_off(notebook):
    """In one line on a laptop; in the 274 pixels that a phone leaves the line wraps."""
    asked = notebook.page.locator(".nb-asked", has=notebook.page.locator("input[type=radio]")).first
    row = "box => [...box.querySelectorAll('.nb-presets > *')].map(b => b.getBoundingClientRect())"
    label = asked.locator(".nb-presets .nb-field")
    labels = "[...box.querySelectorAll('.nb-options label')]"
    for width in ("", "274px"):
        whole = asked.evaluate(f"box => (box.style.width = '{width}', box.getBoundingClientRect())")
        parts = asked.evaluate(row)
        assert len(parts) == 3
        assert all(whole["left"] <= part["left"] < part["right"] <= whole["right"] for part in parts)
        assert label.evaluate("label => label.scrollWidth <= label.clientWidth")
        lines = {round(part["top"] / 10) for part in parts}
        assert (len(lines) == 1) == (not width)
        options = asked.evaluate(f"box => {labels}.map((one) => [one.offsetLeft, one.offsetTop, one.offsetHeight])")
        columns = [[place[1:] for place in options if place[0] == left] for left in {place[0] for place in options}]
        for column in columns:
            assert all(top + high <= below for (top, high), (below, _) in pairwise(column)), options
        assert asked.evaluate(f"box => {labels}.every(l => l.querySelector('input').offsetLeft - l.offsetLeft < 16)")
    asked.evaluate("box => (box.style.width = '')")
    assert notebook.errors == []


@pytest.mark.slow
@pytest.mark.parametrize("name", APPENDICES)
def test_an_appendix_shows_its_tables(browser, lab, name):
    """It has no code to run: nothing may wait for a figure."""
    context = browser.new_context(viewport=READABLE)
    opened = Notebook(context.new_page(), lab, name)
    rows = opened.page.locator(".jp-RenderedMarkdown tbody tr").count()
    assert rows >= 12, "the map has a row for each chapter"
    assert opened.errors == []
    context.close()


def test_a_reload_brings_every_figure_back(notebook):
    figures = notebook.page.locator("css:light=.nb-explorer .nb-figure[data-frames]")
    before = figures.count()
    notebook.open()
    notebook.run_all()
    notebook.wait_for_figures()
    assert figures.count() == before >= 2
    assert_little_came(notebook.page)
    assert notebook.errors == []

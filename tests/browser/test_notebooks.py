"""Every notebook in a real JupyterLab and a real Chromium: run, then move every slider by keyboard."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from .lab import READABLE, Notebook, one_of_each, server

NOTEBOOKS = sorted(path.name for path in (Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module", params=NOTEBOOKS)
def notebook(request, browser, lab):
    """The notebook after Run All; one page for all tests of a notebook."""
    context = browser.new_context(viewport=READABLE)
    opened = Notebook(context.new_page(), lab, request.param)
    opened.run_all()
    yield opened
    context.close()


def test_it_runs_without_an_error_and_asks_nothing_of_the_internet(notebook):
    notebook.wait_for_figures()
    assert notebook.errors == []
    assert notebook.error_outputs == []
    assert notebook.strangers == []


def test_every_slider_moves_its_figure_by_keyboard(notebook):
    notebook.wait_for_figures()
    moved = 0
    for explorer in notebook.explorers():
        for slider in explorer.sliders():
            before = explorer.seen()
            explorer.press(slider, "ArrowRight")
            if not explorer.wait_for_change(before):  # it stood at its right end
                explorer.press(slider, "ArrowLeft")
                assert explorer.wait_for_change(before), (slider.get_attribute("aria-label"), before)
            moved += 1
            assert explorer.error() == ""
            explorer.click("Reset")
    assert notebook.errors == []
    assert moved >= len(notebook.explorers())


def test_every_preset_is_one_press_away_and_fits_the_screen(notebook):
    for explorer in notebook.explorers():
        for button in explorer.presets():
            explorer.press(button, "Enter")
            explorer.wait_for_caption(button.get_attribute("title"))
            assert explorer.error() == ""
            assert explorer.height() <= 600, "controls, figure and sentence together, on a screen of 720 lines"
            assert explorer.clipped() == []
        explorer.click("Reset")
    assert notebook.errors == []


def test_a_held_key_ends_on_the_last_state_and_leaves_no_queue(notebook):
    """Forty presses as fast as the keyboard can: few frames, and the last one is the state that stands there."""
    for explorer in notebook.explorers():
        slider = explorer.sliders()[0]
        slider.focus()
        frames = explorer.frames()
        for _ in range(40):
            notebook.page.keyboard.press("ArrowLeft")
        explorer.wait_until_still()
        assert explorer.frames() - frames <= 41
        shown = explorer.seen()
        notebook.page.wait_for_timeout(500)
        assert explorer.seen() == shown, "no stale frame arrives later"
        assert explorer.readout(slider) in explorer.sentence() or explorer.readout(slider) == "0"
        explorer.click("Reset")


def test_keys_stay_in_the_controls(notebook):
    """JupyterLab's own shortcuts ("d d" deletes a cell) must not see what is pressed in a control."""
    cells = notebook.page.locator(".jp-Cell").count()
    for explorer in notebook.explorers():
        for select in explorer.element.locator("select:not([disabled])").all():
            before = explorer.seen()
            first = select.evaluate("select => select.selectedIndex === 0")
            explorer.press(select, "ArrowDown" if first else "ArrowUp")
            assert explorer.wait_for_change(before), "arrow keys choose"
            notebook.page.keyboard.press("d")
            notebook.page.keyboard.press("d")
            explorer.click("Reset")
        explorer.press(explorer.element.locator("button").last, "d")
        notebook.page.keyboard.press("d")
    radios = notebook.page.locator(".nb-asked .widget-radio-box").first.locator("input")
    radios.first.focus()
    notebook.page.keyboard.press("Space")
    notebook.page.keyboard.press("ArrowDown")
    assert [radio.is_checked() for radio in radios.all()][:2] == [False, True]
    assert notebook.page.locator(".jp-Cell").count() == cells


def test_every_control_has_a_name_and_a_spoken_value(notebook):
    for explorer in notebook.explorers():
        for slider in explorer.sliders():
            assert slider.get_attribute("aria-label")
            assert slider.get_attribute("aria-valuetext") == explorer.readout(slider)
        figure = explorer.figure
        assert figure.get_attribute("role") == "img"
        assert figure.get_attribute("aria-label") == explorer.sentence()
        assert explorer.element.locator("[aria-live=polite]").count() == 1


def test_projector_sizes_fit_the_screen(browser, folder, tmp_path, monkeypatch, request, notebook):
    """`run.py present`: each explorer whole on 1280x720, no control squeezed, no text cut, type of 18 pt."""
    monkeypatch.setenv("NBCORE_LECTURE", "1")
    name = request.node.callspec.params["notebook"]
    with server(folder / name, tmp_path, "voila", "--strip_sources=True") as address:
        context = browser.new_context(viewport=READABLE)
        shown, asked = context.new_page(), []
        shown.on("request", lambda request: asked.append(request.url))
        shown.goto(address, timeout=90_000)
        shown.wait_for_selector(".nb-explorer .nb-figure[data-frames]", timeout=90_000)
        for explorer in one_of_each(shown):
            for button in explorer.presets():
                explorer.press(button, "Enter")
                explorer.wait_for_caption(button.get_attribute("title"))
                explorer.wait_until_still()
                assert explorer.height() <= READABLE["height"]
                assert explorer.clipped() == []
            sizes = explorer.element.evaluate(
                "e => [...e.querySelectorAll('.nb-figure text, .widget-label, .nb-sentence')]"
                ".filter(t => t.textContent).map(t => parseFloat(getComputedStyle(t).fontSize))"
            )
            assert min(sizes) >= 24, "18 pt"
        assert {urlsplit(url).hostname for url in asked if url.startswith("http")} == {"127.0.0.1"}
        context.close()


def test_typed_markup_is_shown_as_text(notebook):
    typed = "<img src=x onerror=document.title='hacked'>"
    for explorer in notebook.explorers():
        for field in explorer.text_fields():
            before = explorer.seen()
            field.fill(typed)
            assert explorer.wait_for_change(before)
            assert typed in explorer.sentence()
            assert explorer.element.locator("img").count() == 0
            explorer.click("Reset")
    for field in notebook.page.locator(".nb-asked input[type=text]").all():
        field.fill(typed)
        field.press("Enter")
    notebook.page.wait_for_timeout(300)
    assert notebook.page.title() != "hacked"
    assert notebook.page.locator(".nb-asked img").count() == 0
    assert notebook.errors == []


def test_a_prediction_and_an_exercise_answer_by_keyboard(notebook):
    page = notebook.page
    asked = page.locator(".nb-asked", has=page.locator("input[type=radio]")).first
    asked.locator("input[type=radio]").first.focus()
    page.keyboard.press("Space")
    asked.get_by_role("button", name="Reveal").press("Enter")
    asked.locator(".nb-sentence", has_text="Computed:").wait_for(timeout=10_000)
    task = page.locator(".nb-asked", has=page.get_by_role("button", name="Check")).first
    task.locator("input[type=text]").fill("-12345")
    task.locator("input[type=text]").press("Enter")
    task.locator(".nb-sentence", has_text="Not yet.").wait_for(timeout=10_000)
    task.get_by_role("button", name="Show solution").press("Enter")
    task.locator("pre", has_text="answer").wait_for(timeout=10_000)
    assert notebook.errors == []


def test_plotly_travels_once(browser, lab, notebook):
    """A reload brings every figure back, and the 4.8 MB of plotly.js with them only once."""
    big = []
    page = notebook.page
    page.on("websocket", lambda socket: socket.on("framereceived", lambda data: big.append(len(data or ""))))
    page.reload()
    page.wait_for_selector(".jp-NotebookPanel .jp-Cell", timeout=60_000)
    notebook.wait_idle()
    notebook.run_all()
    notebook.wait_for_figures()
    assert sum(size > 4_000_000 for size in big) <= 1
    assert sum(big) < 15_000_000

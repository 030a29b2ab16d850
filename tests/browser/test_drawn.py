"""A prediction that is drawn, as a reader meets it: by keyboard, with the truth nowhere before the reveal."""

import pytest

from .lab import Explorer, settle
from .test_view import opened

pytestmark = pytest.mark.browser
CELLS = "from workbook.learning import predict\npredict('00/two-tests')", "predict('05/copies')"


@pytest.fixture(scope="module")
def notebook(browser, folder, lab):
    with opened(browser, lab, folder, *CELLS) as notebook:
        notebook.wait_for_figures()
        yield notebook


def asked(notebook, number):
    """One question, and the figure in it."""
    box = notebook.page.locator(".nb-asked").nth(number)
    return box, Explorer(box.locator(".nb-explorer"))


def drawn(box, sketch, number, key, times):
    """Move one of the sliders by keyboard."""
    slider = sketch.sliders()[number]
    slider.focus()
    for _ in range(times):
        box.page.keyboard.press(key)
    settle(box.page)
    return sketch.readout(slider)


def spoken(box):
    return box.locator(".nb-said .nb-sentence").last.inner_text()


def test_a_bar_is_put_by_keyboard_and_the_computed_one_comes_beside_it(notebook):
    box, sketch = asked(notebook, 0)
    assert len(sketch.sliders()) == 1
    box.get_by_role("button", name="Reveal").press("Enter")
    settle(notebook.page)
    assert spoken(box).startswith("First draw your prediction")
    assert drawn(box, sketch, 0, "ArrowRight", 30) == "0.30"
    assert sketch.sentence() == "Drawn so far: after two: 0.30."
    assert "0.41" not in box.inner_text()
    assert "computed" not in box.inner_text()
    before = sketch.figure.inner_html()
    box.get_by_role("button", name="Reveal").press("Enter")
    settle(notebook.page)
    assert spoken(box).startswith("You put 0.30, computed 0.412: 0.112 too low.")
    assert sketch.sentence() == "Computed: after two: 0.412."
    assert sketch.figure.inner_html() != before
    assert all(words in sketch.figure.inner_text() for words in ("computed", "0.112 too low"))
    assert sketch.sliders() == [], "what was said stays as it was said"
    sketch.click("Reset")
    assert len(sketch.sliders()) == 1
    assert sketch.sentence() == "Drawn so far: after two: 0.00 (not yet)."
    assert notebook.errors == []


def test_a_line_is_drawn_point_by_point_and_fits_the_screen(notebook):
    box, sketch = asked(notebook, 1)
    assert [slider.get_attribute("aria-label") for slider in sketch.sliders()] == [f"n = {n}" for n in (2, 3, 4, 5)]
    drawn(box, sketch, 0, "ArrowRight", 5)
    box.get_by_role("button", name="Reveal").press("Enter")
    settle(notebook.page)
    assert spoken(box).startswith("First draw your prediction"), "every point of it"
    for number in range(1, 4):
        assert drawn(box, sketch, number, "End", 1) == "1.00"
    box.get_by_role("button", name="Reveal").press("Enter")
    settle(notebook.page)
    assert spoken(box).startswith("n = 2: you put 0.05, computed 0.900: 0.850 too low. n = 3: you put 1.00, computed")
    assert box.bounding_box()["height"] <= 700
    assert sketch.clipped() == []
    assert notebook.errors == []

"""A lecture's slides in Chromium: by keyboard through questions and explorers, from a folder and from a server."""

import shutil

import pytest

from workbook.explorer.view import style
from workbook.learning import contents
from workbook.lectures import Scene
from workbook.site.pages import lectures, settings

from ..site import toy
from .served import NARROW, WIDE, served, watched

pytestmark = pytest.mark.browser
ITEM = contents("02")["02/overcast"]
LECTURE = [
    (0, Scene((0,), "05", "CopiesExplorer", "Ten copies", ITEM.key)),
    (4, Scene((4,), "05", "CopiesExplorer", "One copy")),
]
LAST = len(LECTURE) + 1  # with the question
FONTS = """e => [...e.querySelectorAll('*')].filter((one) => one.checkVisibility() && one.innerText)
    .map((one) => parseFloat(getComputedStyle(one).fontSize))"""


@pytest.fixture(scope="module")
def bases(tmp_path_factory):
    folder = tmp_path_factory.mktemp("slides")
    toy.write(folder, [toy.Toy("CopiesExplorer", {"05.copies": {}})], [ITEM.key])
    for styles in (settings.HERE / "static", settings.HERE / "theme" / "static"):
        shutil.copytree(styles, folder / "_static", dirs_exist_ok=True)
    (folder / "_static" / "tokens.css").write_text(style(), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lectures, "scenes", lambda length: LECTURE)
        (folder / "slides_45.html").write_text(lectures.slides(45, {"05": "page"}), "utf-8")
    with served(folder) as addresses:
        yield addresses


@pytest.fixture
def opened(browser, bases):
    with watched(browser, bases) as open:
        yield open


def slide(page):
    """What the frame in sight shows, once it is there."""
    page.locator("iframe:not(.away)").wait_for()
    frame = page.locator("iframe:not(.away)").content_frame
    frame.locator(".nb-embedded > .nb-lecture").wait_for()
    return frame


def shows(page, scene):
    """The preset is pressed; its sentence stands in the bar, and is not said twice."""
    caption = slide(page).locator(".nb-caption").get_by_text(scene.say)
    caption.wait_for(state="attached")
    assert not caption.is_visible()


@pytest.mark.parametrize("base", ["file", "http"])
def test_by_keyboard_from_the_list_to_the_last_slide_and_back(opened, base):
    page = opened("slides_45.html", base)
    where = page.get_by_role("status")
    assert page.get_by_role("listitem").count() == LAST
    page.keyboard.press("PageDown")
    room = slide(page).locator("[data-kind='room']")
    assert ITEM.question in room.inner_text()
    assert where.inner_text().startswith(f"1 of {LAST} · minute 0 · The room votes: ")
    assert not page.locator("main").is_visible()
    room.get_by_label("B, 1st vote").fill("7")
    page.keyboard.press("PageDown")  # from within the frame
    page.locator("iframe:not(.away)[title='0 · Ten copies']").wait_for()
    assert where.inner_text().split("\n\n") == [f"2 of {LAST} · minute 0 · Ten copies", LECTURE[0][1].say]
    shows(page, LECTURE[0][1])
    assert page.evaluate("location.hash") == "#2"
    page.keyboard.press("ArrowRight")  # the slides have the keys again
    shows(page, LECTURE[1][1])
    assert where.inner_text().startswith(f"3 of {LAST} · minute 4 · One copy")
    page.reload()
    shows(page, LECTURE[1][1])
    page.keyboard.press("Home")
    page.get_by_role("link", name="Ten copies").click()
    page.locator("iframe:not(.away)[title='0 · Ten copies']").wait_for()


def test_hands_that_were_counted_stay_when_one_comes_back(opened):
    page = opened("slides_45.html#1")
    slide(page).get_by_label("B, 1st vote").fill("7")
    page.get_by_role("button", name="Next").click()
    shows(page, LECTURE[0][1])
    page.keyboard.press("End")
    shows(page, LECTURE[-1][1])
    page.keyboard.press("PageDown")
    assert page.evaluate("location.hash") == f"#{LAST}", "it was the last one"
    page.evaluate("location.replace('#2')")
    shows(page, LECTURE[0][1])
    page.get_by_role("button", name="Previous").click()
    assert slide(page).get_by_label("B, 1st vote").input_value() == "7"


def test_a_slide_has_projector_sizes_and_needs_no_scrolling(opened):
    page = opened("slides_45.html#2")
    fitted(slide(page))
    assert slide(page).locator(".nb-bar").count() == 0, "the slides have one"
    page = opened("slides_45.html#1")
    room = slide(page)
    fitted(room)
    assert min(room.locator(".nb-room").evaluate(FONTS)) >= 24


def fitted(frame):
    root = frame.locator(":root")
    assert root.evaluate("(root) => root.scrollHeight - innerHeight") <= 0
    assert root.evaluate("(root) => root.scrollWidth - innerWidth") <= 0


def test_a_phone_has_the_list_and_the_bar(opened):
    page = opened("slides_45.html", viewport=NARROW)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    page.get_by_role("button", name="Next").click()
    slide(page).locator("[data-kind='room']").wait_for()


def test_a_slide_in_its_own_tab_keeps_its_keys(opened):
    page = opened("page.html?slide&embed=CopiesExplorer#05.copies?preset=Ten%20copies", viewport=WIDE)
    page.locator(".nb-embedded > .nb-lecture").wait_for()
    page.keyboard.press("PageDown")
    assert page.locator(".nb-live:visible").count() == 1
    assert page.locator(".nb-caption").inner_text() == LECTURE[0][1].say


def test_other_pages_turn_no_slides(opened):
    page = opened("slides_45.html#1")
    slide(page)
    page.evaluate("postMessage({ turn: 1 }, '*')")
    page.evaluate("() => new Promise((resolve) => setTimeout(resolve, 100))")
    assert page.evaluate("location.hash") == "#1"

"""A room votes on the site: hands are counted, bars come when asked for, the answer at Reveal, and nothing is kept."""

import pytest

from workbook.learning import contents

from ..site import toy
from .served import WIDE
from .test_site_player import reading, settled

pytestmark = pytest.mark.browser
ITEM = contents("02")["02/unseen-word"]
COPIES = "05.copies"


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("room")
    toys = [toy.Toy("CopiesExplorer", {COPIES: {}})]
    toy.write(folder, toys, [ITEM.key, "00/two-tests", "00/negative"])
    return folder.as_uri()


def room_of(page):
    found = page.locator(f"[data-question='{ITEM.key}'] [data-kind='room']")
    found.wait_for()
    return found


def press(page, room, name):
    """By keyboard; what is said then."""
    room.get_by_role("button", name=name).focus()
    page.keyboard.press("Enter")
    settled(page)
    return room.locator(".nb-sentence").text_content()


def count(room, hands, vote="1st"):
    for letter, n in zip("ABC", hands, strict=True):
        room.get_by_label(f"{letter}, {vote} vote").fill(str(n))


def test_other_questions_stay_as_they_are(browser, start):
    with reading(browser, start, "?room") as page:
        room_of(page)
        for key in ("00/two-tests", "00/negative"):
            assert page.locator(f"[data-question='{key}'] .nb-asked").get_attribute("data-kind") in ("drawn", "number")
    with reading(browser, start) as page:
        page.locator(f"[data-question='{ITEM.key}'] [data-kind='choice']").wait_for()
        assert page.locator("pre:visible", has_text="def ").count() == 0, "the page has the code above"


def test_one_question_alone_for_the_projector(browser, start):
    with reading(browser, start, f"?room={ITEM.key}") as page:
        room = room_of(page)
        assert page.locator(".nb-live:visible").count() == 1
        count(room, (12, 5, 3))
        press(page, room, "Discuss, then vote again")
        assert room.get_by_label("A, 1st vote").is_disabled()
        count(room, (2, 1, 17), "2nd")
        press(page, room, "Reveal")
        press(page, room, "Reveal: press again")
        fonts = room.evaluate("e => [...e.querySelectorAll('*')].filter((one) => one.offsetParent && one.innerText)"
                              ".map((one) => parseFloat(getComputedStyle(one).fontSize))")  # fmt: skip
        assert min(fonts) >= 24
        box = room.bounding_box()
        assert box["y"] + box["height"] <= WIDE["height"]
    with reading(browser, start, "?room=02/nobody") as page:
        assert "There is no 02/nobody on this page" in page.get_by_role("alert").first.text_content()
        page.locator(".nb-live .nb-figure[data-frames]").first.wait_for()  # and the page lives


def test_in_a_lecture_the_room_is_a_scene(browser, start):
    with reading(browser, start, "?lecture&room") as page:
        where = page.locator(".nb-bar strong")
        page.locator(".nb-bar strong", has_text="Start").wait_for()
        for _ in range(len(toy.Toy("CopiesExplorer", {COPIES: {}}).presets) + 1):
            page.keyboard.press("PageDown")
            settled(page)
        page.locator(".nb-bar strong", has_text="The room votes").wait_for()
        room = room_of(page)
        assert room.is_visible()
        assert room.locator("pre").is_visible()
        assert page.locator(".nb-live:visible").count() == 1
        assert "nb-lecture" in room.get_attribute("class")
        page.keyboard.press("PageUp")
        page.locator(f"[id='{COPIES}'].nb-embedded").wait_for()
        assert "The room votes" not in where.text_content()
    with reading(browser, start, f"?lecture&room={ITEM.key}") as page:
        page.locator(".nb-bar strong", has_text="The room votes").wait_for()

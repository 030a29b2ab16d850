"""The room votes by phone: what a phone shows, from the first vote to the reveal."""

from contextlib import contextmanager

import pytest

from ..vote.opened import opened
from .everyone import faults, unseen_focus
from .served import NARROW

pytestmark = pytest.mark.browser


@contextmanager
def holding(browser, address, count=1, expected=(), **options):
    """So many phones at this address; nothing goes wrong on them, and they ask for nothing from elsewhere."""
    wrong, pages = [], []
    for _ in range(count):
        page = browser.new_context(viewport=NARROW, **options).new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: said.type in ("error", "warning") and wrong.append(said.text))
        page.on("request", lambda asked: asked.url.startswith(address) or wrong.append(asked.url))
        page.goto(address)
        pages.append(page)
    yield pages
    for page in pages:
        page.context.close()
    assert wrong == list(expected)


def say(page):
    return page.locator("#status")


def wait_for(page, words):
    say(page).get_by_text(words).wait_for()


@pytest.fixture
def room():
    with opened() as found:
        yield found


def test_a_phone_votes_by_keyboard_and_may_change_its_vote(browser, room):
    with holding(browser, room.phones.url) as (page,):
        wait_for(page, "Nothing is put to the vote yet.")
        room.put(("<b>bold</b>", "plain", "x" * 90))
        options = page.locator("#options button")
        options.first.wait_for()
        assert options.all_inner_texts() == ["A\n<b>bold</b>", "B\nplain", "C\n" + "x" * 90], "text, not tags"
        assert page.locator("#turn").inner_text() == "First vote"
        assert page.evaluate("() => document.documentElement.scrollWidth") <= NARROW["width"]
        assert min(button.bounding_box()["height"] for button in options.all()) >= 44
        options.nth(1).focus()
        page.keyboard.press("Enter")
        wait_for(page, "Your vote is counted.")
        page.reload()
        wait_for(page, "Your vote is counted.")
        assert [button.get_attribute("aria-pressed") for button in options.all()] == ["false", "true", "false"]
        options.nth(0).click()
        wait_for(page, "Until the vote closes you may change it.")
        assert room.room.ballot.counts == [1, 0, 0]
        room.room.close()
        wait_for(page, "The vote is closed. Look at the screen.")
        room.room.put("Which?", ["one", "two", "three"], turn=2)
        page.locator("#turn", has_text="second vote").wait_for()
        options.nth(2).click()
        wait_for(page, "Your vote is counted.")
        room.room.reveal(1, "So it is.")
        wait_for(page, "You chose C; B is right. So it is.")
        assert options.all_inner_texts() == ["A\none\n0", "B\ntwo\n✓ 0", "C\nthree\n1"]


def test_a_vote_that_does_not_arrive_is_sent_again(browser, room):
    room.put()
    lost, said = [], "Failed to load resource: the server responded with a status of 503 (Service Unavailable)"
    with holding(browser, room.phones.url, expected=[said]) as (page,):
        page.route("**/vote", lambda route: route.continue_() if lost else (lost.append(1), route.fulfill(status=503)))
        page.locator("#options button").nth(1).click()
        wait_for(page, "Your vote is counted.")
        assert lost == [1]
        assert room.room.ballot.counts == [0, 1, 0]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_can_be_read_by_everybody(browser, room, scheme):
    room.put()
    with holding(browser, room.phones.url, color_scheme=scheme, bypass_csp=True) as (page,):
        page.locator("#options button").first.click()
        wait_for(page, "Your vote is counted.")
        assert faults(page) == []
        assert unseen_focus(page, least=3) == []

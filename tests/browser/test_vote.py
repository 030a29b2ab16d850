"""The room votes by phone: pages of phones alone, and a lecture from `present --vote` to the answer."""

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest
from playwright.sync_api import Locator

from workbook.learning import predict

from ..vote.opened import opened
from .everyone import faults, unseen_focus
from .lab import CEILING, ROOT, free_port, settle, watch
from .lab import _wait_for as wait_for_answer
from .served import NARROW, WIDE

pytestmark = pytest.mark.browser
ARMED = "Press again to show the answer to the room."
DISCUSS = "Discuss: find somebody who chose otherwise, and convince each other. Then vote again."
ITEM, CODE = predict("02/overcast"), predict("02/unseen-word")


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


def test_a_phone_votes_by_keyboard_once_in_each_round(browser, room):
    with holding(browser, room.phones.url) as (page,):
        wait_for(page, "Nothing is put to the vote yet.")
        first = room.put(("<b>bold</b>", "plain", "x" * 90))
        options = page.locator("#options button")
        options.first.wait_for()
        assert options.all_inner_texts() == ["A\n<b>bold</b>", "B\nplain", "C\n" + "x" * 90], "text, not tags"
        assert page.locator("#turn").inner_text() == "First vote"
        assert page.evaluate("() => document.documentElement.scrollWidth") <= NARROW["width"]
        assert min(button.bounding_box()["height"] for button in options.all()) >= 44
        options.nth(1).focus()
        page.keyboard.press("Enter")
        wait_for(page, "Your vote is counted.")
        options.nth(0).click(force=True)
        assert [button.get_attribute("aria-pressed") for button in options.all()] == ["false", "true", "false"]
        page.reload()
        wait_for(page, "Your vote is counted.")
        assert room.lecturer.close(first).votes == [0, 1, 0]
        wait_for(page, "The vote is closed. Look at the screen.")
        second = room.lecturer.put("Which?", ["one", "two", "three"], 2)
        page.locator("#turn", has_text="second vote").wait_for()
        options.nth(2).click()
        wait_for(page, "Your vote is counted.")
        assert room.lecturer.count(second).votes == [0, 0, 1]


def test_a_vote_that_does_not_arrive_is_sent_again(browser, room):
    number = room.put()
    lost, said = [], "Failed to load resource: the server responded with a status of 503 (Service Unavailable)"
    with holding(browser, room.phones.url, expected=[said]) as (page,):
        page.route("**/vote", lambda route: route.continue_() if lost else (lost.append(1), route.fulfill(status=503)))
        page.locator("#options button").nth(1).click()
        wait_for(page, "Your vote is counted.")
        assert lost == [1]
        assert room.lecturer.count(number).votes == [0, 1, 0]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_can_be_read_by_everybody(browser, room, scheme):
    room.put()
    with holding(browser, room.phones.url, color_scheme=scheme, bypass_csp=True) as (page,):
        page.locator("#options button").first.click()
        wait_for(page, "Your vote is counted.")
        assert faults(page) == []
        assert unseen_focus(page, least=3) == []


@contextmanager
def presented(tmp_path, item=ITEM):
    """`present --vote`, as run.py starts it, with a notebook that asks one question; yields the page's address."""
    cell = dict(cell_type="code", id="a", metadata={}, execution_count=None, outputs=[],
                source=f"from workbook.learning import predict\npredict({item.key!r})")  # fmt: skip
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    book = tmp_path / "asks.ipynb"
    book.write_text(json.dumps({"cells": [cell], "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}))
    port = free_port()
    places = {name: str(tmp_path / name.lower()) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")}
    told = {"NBCORE_LECTURE": "1", "JUPYTER_PATH": str(ROOT / "tools" / "share")}
    told |= {"NBCORE_PROGRESS": str(tmp_path / "progress.json")}
    command = [sys.executable, "-m", "tools.vote", str(book), "--vote=127.0.0.1", "--Voila.ip=127.0.0.1",
               f"--port={port}", "--no-browser", "--strip_sources=True", "--template=lecture"]  # fmt: skip
    with (tmp_path / "voila.log").open("w") as log:
        env = os.environ | places | told
        process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=log)
        try:
            assert b"The room votes at http://127.0.0.1:" in process.stdout.readline()
            address = f"http://127.0.0.1:{port}/"
            wait_for_answer(address, process, tmp_path / "voila.log")
            yield address
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(CEILING) == 0
            process.stdout.close()


def press_once_too_often(asked, name):
    """Press Space on a button that greys itself out, and again where the focus went: the room sees no answer."""
    page, button = asked.page, asked.get_by_role("button", name=name)
    button.focus()
    for _ in range(2):
        page.keyboard.press("Space")
        settle(page)
    assert button.is_disabled()
    assert page.evaluate("document.activeElement.matches('.nb-room input')")
    assert asked.get_by_role("button", name="Reveal").inner_text() == "Reveal", "not even armed"


def held(button):
    """A key that is held down: the browser repeats it."""
    button.focus()
    for _ in range(3):
        button.page.keyboard.down("Enter")
    button.page.keyboard.up("Enter")


def arm(reveal, press):
    """One press, however long or double, announces the answer and does not show it."""
    page = reveal.page
    press(reveal)
    page.locator(".nb-voice", has_text=ARMED).wait_for()
    assert reveal.inner_text() == "Reveal: press again"
    assert ITEM.reason(ITEM.truth()) not in page.locator("body").inner_text()


def test_a_lecture_from_the_question_to_the_answer(browser, tmp_path):
    with presented(tmp_path) as address:
        context = browser.new_context(viewport=WIDE)
        page = context.new_page()
        watch(page)
        page.goto(address)
        asked = page.locator(".nb-asked")
        asked.get_by_role("button", name="Ask the room").focus()
        page.keyboard.press("Enter")
        where = asked.locator(".nb-address b")
        where.wait_for()
        page.wait_for_function("() => document.activeElement !== document.body")  # the button is gone, the focus is not
        with holding(browser, f"http://{where.inner_text().strip()}".replace("\n", ""), count=2) as phones:
            for turn, options in enumerate(((0, 2), (2, 2))):
                press_once_too_often(asked, "Let the phones vote")
                for phone, option in zip(phones, options, strict=True):
                    phone.locator("#turn", has_text=("First", "second")[turn]).wait_for()
                    phone.locator("#options button").nth(option).click()
                    wait_for(phone, "Your vote is counted.")
                asked.locator(".nb-arrived", has_text="2 votes by phone").wait_for()
                asked.get_by_label(f"B, {('1st', '2nd')[turn]} vote").fill("2")
                page.keyboard.press("Tab")
                if turn == 0:
                    assert ITEM.reason(ITEM.truth()) not in asked.inner_text()
                    assert asked.get_by_role("img").count() == 1, "the code alone"
                    asked.get_by_role("button", name="Show bars").click()
                    asked.locator(".nb-sentence", has_text="First vote: A 1 (25 %), B 2 (50 %), C 1 (25 %).").wait_for()
                    press_once_too_often(asked, "Discuss, then vote again")
            reveal = asked.get_by_role("button", name="Reveal")
            one_more = asked.get_by_label("A, 2nd vote")
            for press, something_else in (
                (held, asked.get_by_role("button", name="Show bars").click),
                (Locator.dblclick, lambda: one_more.press("ArrowUp")),
            ):
                arm(reveal, press)
                something_else()
                settle(page)
                assert reveal.inner_text() == "Reveal"
            one_more.press("ArrowDown")
            arm(reveal, held)
            page.keyboard.press("Space")
            asked.locator(".nb-sentence", has_text="Right: 1 of 4 (25 %), then 2 of 4 (50 %).").wait_for()
            for phone in phones:
                wait_for(phone, "The vote is closed.")
            box = asked.bounding_box()
            assert box["height"] <= WIDE["height"], "all of it at once on the projector"
            assert page.evaluate("() => document.documentElement.scrollWidth") <= WIDE["width"]
        context.close()
    assert not (tmp_path / "progress.json").exists()


def test_a_lecture_shows_the_code_that_its_question_speaks_of(browser, tmp_path):
    with presented(tmp_path, CODE) as address, browser.new_context(viewport=WIDE) as context:
        page = context.new_page()
        watch(page)
        page.goto(address)
        ask = page.get_by_role("button", name="Ask the room")
        ask.wait_for()
        for act in (lambda: None, ask.click):
            act()
            settle(page)
            assert [code.inner_text() for code in page.locator("pre:visible").all()] == [CODE.context]
        assert page.locator(".nb-asked").bounding_box()["height"] <= WIDE["height"]

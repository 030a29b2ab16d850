"""A page is a sitting: its first screen has something to touch, and it ends within a number of screens."""

import pytest

from tests.notebooks.test_budget import PAGES

from .served import NARROW, WIDE, served, watched

pytestmark = pytest.mark.browser
LIMITS = [(WIDE, 12), (NARROW, 16)]  # screens, in the state in which a reader leaves the page for the next one
ALIVE = """() => !document.querySelector(".nb-live:not(.nb-on)")
    && [...document.querySelectorAll(".nb-live .nb-figure")].every((figure) => figure.dataset.frames)"""
TOUCHED = """() => [...document.querySelectorAll(".nb-live :is(input:enabled, select:enabled, .nb-grip)")].some((one) =>
    one.checkVisibility() && one.offsetWidth && one.getBoundingClientRect().bottom <= innerHeight)"""
ANSWER = """() => [...document.querySelectorAll("[data-question]")].filter((asked) => {
    const reveal = [...asked.querySelectorAll("button")].find((button) => button.textContent === "Reveal");
    for (const field of reveal ? asked.querySelectorAll("input:not([type=checkbox])") : []) {
        field[field.type === "radio" ? "checked" : "value"] = 1;
        for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
    }
    reveal?.click();
    return reveal;
}).length"""
FITTED = """() => [...document.querySelectorAll(".nb-live .nb-figure")].every((figure) =>
    !figure.offsetParent || Number(figure.dataset.width) === figure.parentElement.clientWidth)"""
SCREENS = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() =>
    document.documentElement.scrollHeight / innerHeight)"""


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_something_to_touch_at_once_and_few_screens(browser, site, page):
    with served(site) as bases, watched(browser, bases) as opened:
        reading = opened(f"{PAGES[page].stem}.html", "http")
        reading.wait_for_function(ALIVE)
        assert reading.evaluate(TOUCHED)
        assert reading.evaluate(ANSWER) > 2
        assert reading.locator(".nb-veil").count() == 0, "every prediction is answered"
        for viewport, limit in LIMITS:
            reading.set_viewport_size(viewport)
            reading.wait_for_function(FITTED)
            assert reading.evaluate(SCREENS) <= limit, viewport

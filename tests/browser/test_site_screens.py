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
SOLVE = """() => document.querySelectorAll("[data-question] button").forEach((button) =>
    ["Show a hint", "Show solution"].includes(button.textContent) && button.click())"""
SCREENS = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() =>
    document.documentElement.scrollHeight / innerHeight)"""


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_something_to_touch_at_once_and_few_screens(browser, site, page):
    with served(site) as bases, watched(browser, bases) as opened:
        for viewport, limit in LIMITS:
            reading = opened(f"{PAGES[page].stem}.html", "http", viewport)
            reading.wait_for_function(ALIVE)
            touched, before = reading.evaluate(TOUCHED), reading.evaluate(SCREENS)
            assert reading.evaluate(ANSWER) > 2
            assert reading.locator(".nb-veil").count() == 0, "every prediction is answered"
            after, _ = reading.evaluate(SCREENS), reading.evaluate(SOLVE)
            print(f"{page}, {viewport}: {before:.1f}, answered {after:.1f}, solved {reading.evaluate(SCREENS):.1f}")
            assert after <= limit
            assert touched or viewport is NARROW

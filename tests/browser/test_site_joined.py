"""A chapter of the whole site in Chromium: pages, frames, questions and the player together."""

import re
import shutil
from urllib.parse import unquote, urlsplit

import pytest

from workbook.explorer.pictures import chromium
from workbook.site import handout

from .everyone import faults, faults_light_and_dark
from .served import NARROW, WIDE, watched

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore")]
PAGE = "02_laplace_smoothing.html"
ORDER = "all => all.map(one => JSON.stringify(one.dataset))"  # of what is live on the page


@pytest.fixture
def opened(browser, bases):
    with watched(browser, bases) as open_page:

        def open(*way):
            page = open_page(PAGE, *way)
            page.wait_for_function("() => document.querySelectorAll('.nb-live:not(.nb-on)').length === 0")
            return page

        yield open


@pytest.mark.parametrize(("base", "viewport", "scheme"), [("file", WIDE, "light"), ("http", NARROW, "dark")])
def test_everything_of_a_chapter_comes_to_life(opened, base, viewport, scheme):
    page = opened(base, viewport, scheme)
    assert page.locator(".nb-live.nb-on").count() == 2 + 9 + 1, "explorers, questions, progress"
    assert page.locator(".nb-trouble").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    assert page.locator(".nb-live figure:visible").count() == 0, "the saved picture goes when the figure is live"


def test_no_prediction_has_what_answers_it_on_the_page_before_it_is_answered(opened):
    page = opened()
    assert page.locator("[data-question]:visible").count() == 1, "the one that opens the page"
    assert page.locator("[data-explorer] > .nb-explorer:visible").count() == 0
    assert page.locator("h2:visible").count() > 3
    page.evaluate("location.hash = '02.pseudocount'")
    page.locator("[id='02.pseudocount'] .nb-sentence:visible").wait_for()


def test_an_answer_is_kept_and_counted_when_the_reader_comes_back(opened):
    page = opened("http")
    asked = page.locator("[data-question='02/overcast']")
    asked.get_by_role("radio").first.check()
    asked.get_by_role("button", name="Reveal").click()
    asked.get_by_text("Computed:").wait_for()
    page.reload()
    page.wait_for_function("() => document.querySelectorAll('.nb-live:not(.nb-on)').length === 0")
    assert "1 of 5 predictions made" in page.locator("[data-progress]").text_content()


def test_axe_finds_nothing_on_a_living_page_with_its_veils_and_without(opened):
    page = opened("http", NARROW)
    assert faults_light_and_dark(page) == []
    while (skip := page.get_by_role("button", name="Skip")).count():
        skip.first.click()
    assert page.locator(".nb-veil, .nb-veiled").count() == 0
    assert faults(page) == []


@pytest.mark.parametrize("sheet", [718, 739], ids=["A4", "Letter"])  # px between the margins
def test_paper_has_whole_figures_in_light_colours_and_no_link_over_the_text(opened, sheet):
    page = opened("file", WIDE, "dark")
    page.emulate_media(media="print")
    look = "one => [one.getBoundingClientRect().width, getComputedStyle(one.closest('.nb-view')).overflowX]"
    seen = page.locator(".nb-marks").evaluate_all(f"all => all.map({look})")
    assert all(500 < width <= sheet and overflow == "visible" for width, overflow in seen), seen
    assert page.evaluate("document.body.dataset.jpThemeLight") == "true"
    answers = page.locator(".nb-answers > :not(h2)")
    figure, order = page.locator("[data-start='02.smoothing']"), page.locator("main .nb-live").evaluate_all(ORDER)
    for _ in range(2):
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert answers.count() == page.locator("main [data-question]").count()
    assert "02/overcast Computed: " in answers.first.inner_text()
    assert answers.first.locator(figure).is_visible(), "what answers the question stands with its answer"
    assert not page.locator(".skip-to-content").is_visible()
    page.emulate_media(media="screen")
    assert not answers.first.is_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("main .nb-live").evaluate_all(ORDER) == order, "and goes back"


@pytest.mark.skipif(not chromium(), reason="prints with a browser of the reader's")
def test_the_handout_is_that_page_on_paper(bases, monkeypatch, tmp_path):
    made = unquote(urlsplit(bases["file"]).path)
    monkeypatch.setattr(handout, "build", lambda folder, **_: shutil.copytree(made, folder))
    asked, full = tmp_path / "asked.pdf", tmp_path / "full.pdf"
    assert handout.main(["02", str(full)]) == handout.main(["02", str(asked), "--no-answers"]) == 0
    pages = [len(re.findall(rb"/Type /Page\b", file.read_bytes())) for file in (asked, full)]
    assert 5 < pages[0] < pages[1]
    monkeypatch.setattr(handout, "chromium", lambda: None)
    assert handout.main(["02"]) == 1

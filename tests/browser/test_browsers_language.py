"""A German or a Turkish browser shows the site's numbers and words as any other does, and reads the same answers."""

import json

import pytest

from workbook.learning import contents
from workbook.site.player import variants

from ..site import toy
from .served import WIDE
from .test_site_player import settled
from .test_site_review import BODY, STORE, answer

pytestmark = pytest.mark.browser
KEYS = ["00/positive", "00/two-tests", "00/odds"]
TYPED = ["0,25", "0.25", "1.234,5", "25 %", "ISTANBUL", "½"]
# Every word and number of explorers and questions, those in drawings and those that are spoken, too.
SHOWN = """() => [...document.querySelectorAll(".nb-explorer, .nb-asked, .nb-review")].map((box) => [box.innerText,
  ...[...box.querySelectorAll("svg text, [aria-valuetext], [aria-label]")].map((e) =>
    [e.getAttribute("aria-valuetext"), e.getAttribute("aria-label"), e.textContent])])"""


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("languages")
    bayes = toy.Toy("BayesRuleExplorer", {"00.bayesrule": {}})
    toy.write(folder, [bayes], KEYS, toy.live(bayes) + "".join(map(toy.question, KEYS)) + BODY)
    (folder / "again").mkdir()
    found = {key: records for key, records in variants.records("00").items() if key in KEYS}
    (folder / "again" / "00.js").write_text(f"NB.again({json.dumps(found)});", "utf-8")
    return f"{folder.as_uri()}/page.html"


def told(browser, start, language):
    """What the page shows a reader of this language, and what it keeps, without the time."""
    context = browser.new_context(viewport=WIDE, locale=language)
    page = context.new_page()
    page.goto(start)
    before = [answer("00/odds", 9, False, mistake=contents("00")["00/odds"].mistakes[0].hint[:100])]
    page.evaluate("([name, text]) => localStorage.setItem(name, text)", [STORE, json.dumps({"answers": before})])
    page.reload()
    page.locator(".nb-live:not(.nb-on)").first.wait_for(state="detached")
    page.locator(".nb-figure[data-frames]").last.wait_for()
    assert page.evaluate("navigator.language") == language
    sliders = page.get_by_role("slider")
    for k in range(sliders.count()):
        sliders.nth(k).press("ArrowRight")
        settled(page)
    shown = [page.evaluate(SHOWN)]
    box = page.locator("[data-question='00/odds'] .nb-asked")
    for typed in TYPED:
        box.get_by_label("Answer").fill(typed)
        box.get_by_label("Answer").press("Enter")
        shown.append(box.locator(".nb-sentence").text_content())
    entries = page.evaluate("name => JSON.parse(localStorage.getItem(name)).answers", STORE)
    dates = [entry.pop("date") for entry in entries]
    context.close()
    return [shown, entries, [len(date) for date in dates], sorted(dates) == dates]


def test_no_language_of_the_browser_changes_a_number_or_a_word(browser, start):
    english = told(browser, start, "en-US")
    assert any("0.25" in words for words in english[0][1:])
    assert "0.80" in str(english[0][0])
    for language in ("de-DE", "tr-TR"):
        assert told(browser, start, language) == english

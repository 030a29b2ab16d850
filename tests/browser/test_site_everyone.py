"""Nobody is shut out of what the site's script makes: explorers, questions, the review, an explorer alone."""

import json
import shutil

import pytest

from workbook.site.pages import settings

from ..site import toy
from .everyone import faults, small_targets, unseen_focus
from .served import WIDE, served, watched
from .test_site_review import BODY, KEYS, STORE, answer, site_variants

pytestmark = pytest.mark.browser
# Of each kind of question one: of choice, with a number, drawn; a task with a number, and one in code.
ASKED = ["02/overcast", "00/positive", "00/two-tests", "00/odds", "01/from-logs"]
COPIES = "05.copies"
READY = {
    "page.html": f"[id='{COPIES}'] .nb-figure[data-frames]",
    f"page.html?embed={COPIES}": ".nb-embedded .nb-figure[data-frames]",
}


@pytest.fixture(scope="module")
def bases(tmp_path_factory):
    folder = tmp_path_factory.mktemp("everyone")
    (folder / "review" / "again").mkdir(parents=True)
    toy.write(folder / "review", [], KEYS, BODY)
    found = {key: records for key, records in site_variants.records("00").items() if key in KEYS}
    (folder / "review" / "again" / "00.js").write_text(f"NB.again({json.dumps(found)});", "utf-8")
    toy.write(folder, [toy.Toy("CopiesExplorer", {COPIES: {}})], ASKED)
    for static in (settings.HERE / "static", settings.HERE / "theme" / "static"):
        shutil.copytree(static, folder / "_static", dirs_exist_ok=True)
    shutil.copy(settings.HERE.parents[1] / "explorer" / "tokens.css", folder / "_static")
    with served(folder) as addresses:
        yield addresses


@pytest.fixture(params=["light", "dark"])
def opened(request, browser, bases):
    with watched(browser, bases) as open_page:
        yield lambda name: open_page(name, "http", WIDE, request.param)


def shut_out(page, least):
    """Everything that shuts somebody out of a page or a frame."""
    return faults(page) + unseen_focus(page, least=least)


@pytest.mark.parametrize("name", READY)
def test_a_page_with_explorers_and_questions_and_each_way_to_show_them(opened, name):
    page = opened(name)
    page.locator(READY[name]).first.wait_for()
    if name == "page.html":
        for asked in page.locator("[data-question]").all():
            asked.get_by_role("button").last.click()  # what is said then stands there, too
    assert shut_out(page, least=5) == []
    assert small_targets(page.locator(".nb-grip, .nb-control input[type=range]")) == []


def test_the_review(opened):
    page = opened("review/page.html")
    kept = json.dumps({"answers": [answer("00/odds", 9, False), answer("00/positive", 2, None, outcome="made")]})
    page.evaluate("([name, text]) => localStorage.setItem(name, text)", [STORE, kept])
    page.reload()
    page.locator(".nb-review .nb-asked").first.wait_for()
    assert shut_out(page, least=6) == []

"""The site's pages in Chromium: by http and by a double click, narrow and wide, light and dark, by keyboard, by axe."""

import gzip
from pathlib import Path

import pytest
from PIL import Image

from workbook.explorer.html_tables import SCALE

from .everyone import faults, faults_light_and_dark, unseen_focus
from .served import NARROW, WIDE, watched

pytestmark = pytest.mark.browser
KINDS = ("index", "00_start_here", "05_perplexity_attenuation", "11_reproduction_ledger", "A_notation", "lectures",
         "lecture", "ledger", "reference/index", "reference/naive_bayes", "run", "about", "search",
         "genindex")  # fmt: skip
ROOT = Path(__file__).parents[2]
SIGNED = [path for path in sorted((ROOT / "notebooks").glob("*.ipynb")) if "<summary>proved" in path.read_text("utf-8")]
LIKE = "00_start_here", "11_reproduction_ledger", "reference/naive_bayes", "run", "about", "genindex"  # axe: --slow
# What the keyboard should be able to reach: links, fields and buttons that can be seen; of a radio group one.
REACHABLE = """() => [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")].filter(
    (one) => one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true, opacityProperty: false })
      && (one.type !== "radio" || one === document.querySelector(`input[name="${one.name}"]`))).length"""


@pytest.fixture
def opened(browser, bases):
    with watched(browser, bases, without="{nb,questions/*}.js") as open:
        yield open


def shorten(page):
    """Leave twenty rows of a table: axe looks at every cell, and they are alike."""
    page.locator("tbody tr:nth-child(n + 21)").evaluate_all("(rows) => rows.forEach((row) => row.remove())")
    return page


@pytest.mark.parametrize("name", KINDS)
def test_no_page_scrolls_sideways_errs_or_asks_for_anything_from_elsewhere(opened, name):
    for base, viewport, scheme in (("file", WIDE, "light"), ("http", NARROW, "dark")):
        page = opened(f"{name}.html", base, viewport, scheme)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= viewport["width"], (name, width)


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow if name in LIKE else ()) for name in KINDS])
def test_axe_finds_nothing(opened, name):
    assert faults_light_and_dark(shorten(opened(f"{name}.html", "http"))) == []


@pytest.mark.parametrize("name", ["index", "lectures", "05_perplexity_attenuation"])
def test_axe_finds_nothing_on_a_narrow_page(opened, name):
    assert faults(opened(f"{name}.html", "http", NARROW)) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index", "02_laplace_smoothing", "ledger", "lectures", "search"])
def test_the_focus_is_seen(opened, name, scheme):
    assert unseen_focus(shorten(opened(f"{name}.html", "http", scheme=scheme)), least=6) == []


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("name", ["index", "lectures", "run"])  # of these the last has the fewest stops
def test_the_keyboard_reaches_everything(opened, name, viewport):
    page = opened(f"{name}.html", viewport=viewport)
    wanted = page.evaluate(REACHABLE)
    reached = page.evaluate_handle("() => new Set()")
    for _ in range(wanted + 5):
        page.keyboard.press("Tab")
        reached.evaluate("(set) => document.activeElement !== document.body && set.add(document.activeElement)")
    assert reached.evaluate("(set) => set.size") >= wanted > 5


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
def test_the_list_of_pages_opens_and_closes_by_keyboard(opened, viewport):
    page = opened("run.html", viewport=viewport)
    link = page.get_by_role("link", name="03 · The one-hot pitfall")
    assert link.count() == 0
    for _ in ("skip to content", "home", "the list"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    link.wait_for()
    page.keyboard.press("Escape")
    link.wait_for(state="hidden")
    assert page.evaluate("document.activeElement.textContent") == "Pages"


def test_light_or_dark_is_kept_for_the_next_page(opened):
    page = opened("run.html", "http")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Light or dark").press("Enter")
    page.goto(page.url.replace("run", "about"))
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light


def test_a_page_opens_where_it_was_left_and_home_leads_there(opened):
    page = opened("A_notation.html", "http")
    home, chapter = (page.url.replace("A_notation", name) for name in ("index", "02_laplace_smoothing"))
    page.goto(chapter)
    page.evaluate("document.querySelectorAll('main h2')[3].scrollIntoView()")
    page.wait_for_function("() => JSON.parse(localStorage.getItem('nb-places') ?? '{}').latest")
    heading = page.locator("main h2").nth(3).inner_text()
    page.goto(home)
    page.get_by_role("link", name="Continue where you were").click()
    page.wait_for_function("""words => {
      const found = [...document.querySelectorAll("h2")].find((head) => head.innerText === words);
      return Math.abs(found?.getBoundingClientRect().y) < innerHeight / 2; }""",
                           arg=heading)  # fmt: skip


def test_the_bar_says_which_section_is_in_sight(opened):
    page = opened("02_laplace_smoothing.html")
    links = page.locator(".stops a")
    assert links.all_inner_texts() == [text.rstrip("¶") for text in page.locator("main h2").all_inner_texts()]
    links.nth(2).focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('.stops a')[2].ariaCurrent === 'true'")
    assert page.locator(".stops [aria-current]").count() == 1


def test_a_dark_page_shows_saved_pictures_on_white(opened):
    page = opened("05_perplexity_attenuation.html", scheme="dark")
    look = "([one, name]) => getComputedStyle(one)[name]"
    picture = page.locator(".nb-live img").first.element_handle()
    assert page.evaluate(look, [picture, "backgroundColor"]) == "rgb(255, 255, 255)"
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert max(map(int, paper.strip("rgb()").split(","))) < 60


def test_until_a_figure_draws_its_picture_fits_the_phone_and_the_theme(opened, site):
    shown = {}
    for viewport in (WIDE, NARROW):
        for scheme in ("light", "dark"):
            image = opened("02_laplace_smoothing.html", "http", viewport, scheme).locator(".nb-live picture img").first
            image.scroll_into_view_if_needed()
            image.evaluate("one => one.decode()")
            file = site / image.evaluate("one => new URL(one.currentSrc).pathname").lstrip("/")
            picture = Image.open(file).convert("L")
            shown[file] = picture.width > 800, picture.getpixel((0, 0)) > 128
            assert image.bounding_box()["width"] <= picture.width / SCALE + 1 or picture.width > 800
    assert list(shown.values()) == [(True, True), (True, False), (False, True), (False, False)]


def test_the_search_finds_words_from_a_folder_too(opened):
    page = opened("search.html?q=perplexity")
    page.locator("#search-results li a").first.wait_for()
    assert "Perplexity and attenuation" in page.locator("#search-results").inner_text()


def test_the_code_opens_and_is_that_of_the_notebook(opened):
    page = opened("00_start_here.html")
    fold = page.locator("details", has_text="ill, well = 10, 990")
    assert not fold.locator("pre").first.is_visible()
    fold.locator("summary").focus()
    page.keyboard.press("Enter")
    assert "ill, well = 10, 990" in fold.locator("pre").first.inner_text()


PLACES = """() => [...document.querySelectorAll(".proved")].map((sign) => {
    const [equation, name, next] = [sign.previousElementSibling, sign.firstElementChild, sign.nextElementSibling]
        .map((part) => part.getBoundingClientRect());
    return [equation.top, equation.bottom, next.top, (name.top + name.bottom) / 2];
})"""
HEIGHTS = """() => [true, false].map((hidden) => {
    document.querySelectorAll(".proved").forEach((sign) => (sign.hidden = hidden));
    return document.documentElement.scrollHeight;
})"""


@pytest.mark.parametrize("path", SIGNED, ids=lambda path: path.stem)
def test_a_sign_takes_no_room_at_its_equation_and_opens_by_keyboard(opened, site, path):
    page, words = opened(f"{path.stem}.html", "http"), path.read_text("utf-8")
    signs = page.locator(".proved")
    assert signs.count() == words.count("<summary>proved")
    for viewport in (WIDE, NARROW):
        page.set_viewport_size(viewport)
        for top, bottom, following, middle in page.evaluate(PLACES):
            assert top < middle < bottom if viewport is WIDE else bottom - 2 < middle < following
        for sign in signs.all():
            assert not sign.locator("p").first.is_visible()
            sign.locator("summary").focus()
            page.keyboard.press("Enter")
            assert sign.locator("p").first.inner_text().startswith("The theorem.")
            file = sign.get_by_role("link").first
            assert (site / file.get_attribute("href")).read_bytes() == (ROOT / file.inner_text()).read_bytes()
            page.keyboard.press("Enter")
        without, shown = page.evaluate(HEIGHTS)
        assert shown == without


# --- the ledger ------------------------------------------------------------------------------------------------------


def shown(page):
    return page.locator(".nb-ledger tbody tr:visible")


def test_the_ledger_is_searched_and_filtered(opened):
    page = opened("ledger.html")
    all_of_them = shown(page).count()
    page.get_by_role("searchbox", name="Search").fill("Perplexity eq")
    found = shown(page).count()
    assert 0 < found < all_of_them / 4
    assert all("perplexity" in row.lower() and "eq" in row.lower() for row in shown(page).all_text_contents())
    assert page.get_by_role("status").inner_text() == f"{found} of {all_of_them} claims"
    page.get_by_role("searchbox", name="Search").fill("")
    page.get_by_label("Verdict").select_option("false")
    page.get_by_label("Source").select_option("Williams (2024)")
    rows = page.locator(".nb-ledger tbody tr:visible").evaluate_all("(rows) => rows.map((row) => ({ ...row.dataset }))")
    assert rows
    assert all(row == {"source": "Williams (2024)", "verdict": "false"} for row in rows)


def test_the_ledger_is_sorted_by_keyboard_up_and_down(opened):
    page = opened("ledger.html")
    button = page.get_by_role("button", name="id", exact=False).first
    first = page.locator(".nb-ledger tbody tr").first
    button.focus()
    page.keyboard.press("Enter")
    up = page.locator(".nb-ledger tbody tr").evaluate_all("(rows) => rows.map((row) => row.id)")
    assert first.get_attribute("id") == up[0] == min(up)
    page.keyboard.press("Enter")
    down = page.locator(".nb-ledger tbody tr").evaluate_all("(rows) => rows.map((row) => row.id)")
    assert down[0].startswith("W24-")
    assert page.locator("th[aria-sort='descending']").inner_text().startswith("id")


def test_an_address_leads_to_its_claim(opened):
    page = opened("ledger.html#C15-T1-03")
    place = "() => document.getElementById('C15-T1-03').getBoundingClientRect().y"
    page.wait_for_function(f"() => 0 <= ({place})() && ({place})() < 720")  # it scrolls there smoothly
    page.get_by_label("Source").select_option("Wikipedia")
    page.evaluate("location.hash = '#W24-S3-01'")
    page.locator("[id='W24-S3-01']").wait_for()


def test_fonts_come_after_the_first_question_and_a_page_is_light_until_then(browser, bases, site):
    with watched(browser, bases) as open:
        page = open("02_laplace_smoothing.html", "http", NARROW)
        page.locator(".nb-live.nb-on input").first.wait_for(state="attached")
        loaded = "() => [...document.fonts].some(({ family, status }) => /Book/.test(family) && status === 'loaded')"
        page.wait_for_function(loaded)
        before = page.evaluate("""() => {
          const { loadEventStart } = performance.getEntriesByType("navigation")[0];
          const all = performance.getEntriesByType("resource").filter(({ startTime }) => startTime < loadEventStart);
          return all.map(({ name }) => new URL(name).pathname.slice(1)); }""")  # fmt: skip
        assert {"_static/nb.js", "questions/02.js"} <= set(before)
        assert not [name for name in before if name.endswith("woff2")]
        sent = [gzip.compress((site / name).read_bytes()) for name in ("02_laplace_smoothing.html", *before)]
        assert sum(map(len, sent)) <= 200_000

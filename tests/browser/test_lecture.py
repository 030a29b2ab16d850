"""A lecture in Chromium: live from `run.py present`, and from the site's files."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest

from tools import present
from workbook.explorer.pictures import chromium
from workbook.lectures import Lecture, Scene, find, known
from workbook.site import handout
from workbook.site.lectures import shown
from workbook.site.packs import packs
from workbook.site.player.questions import records

from ..present.test_server import served
from .everyone import faults_light_and_dark
from .served import NARROW, WIDE, watched
from .served import served as on_a_server

pytestmark = pytest.mark.browser
SCENES = (
    Scene(4, vote="02/unseen-word", say="Now you.", expect="Half say A."),
    Scene(2, explorer="SmoothingExplorer", preset="Overcast day: a veto"),
    Scene(3, explorer="PseudoCountExplorer"),
)
LECTURE = Lecture("mine", "What is a zero?", SCENES)
ITEM = SCENES[0].question
BY_DATE = known()[date.today().toordinal() % len(known())]
FULL = {"width": 1920, "height": 1080}
ALONE = "document.querySelector('main > div:not([hidden])')"


@pytest.fixture
def live(browser, request):
    """open(viewport) gives the page of a live lecture: no error, nothing asked for elsewhere."""
    options = getattr(request, "param", {})
    with served(LECTURE) as server, watched(browser, {"http": server.origin}, **options) as open:
        yield lambda viewport=WIDE: (open(f"?token={server.token}", "http", viewport), server)


def come(page, number, kind):
    """Until scene `number` is on the screen and drawn."""
    page.locator(".nb-count", has_text=f"{number} /").wait_for()
    page.locator(f".nb-talk > .{kind}:not([hidden])").wait_for()
    if kind == "nb-shown":
        page.locator(".nb-talk > .nb-shown:not([hidden]) .nb-figure[data-frames]").wait_for()


def overflow(page):
    """Pixels by which the scene on the screen is larger than the screen, once its figure has settled."""
    page.wait_for_function(f"() => {{ const s = {ALONE}; const a = s.querySelector('.nb-asks') ?? s; "
                           "return a.scrollHeight <= a.clientHeight + 1 && a.scrollWidth <= a.clientWidth + 1; }")


def test_a_lecture_from_the_question_to_the_answer(browser, live):
    page, server = live()
    page.locator(".nb-qr").wait_for()
    assert page.locator(".nb-qr").bounding_box()["width"] >= 320
    page.keyboard.press("PageDown")
    come(page, 1, "nb-vote")
    assert page.locator(".nb-context").inner_text() == ITEM.context, "a scene that needs code shows it"
    sizes = [float(page.locator(f".nb-vote {part}").first.evaluate("e => parseFloat(getComputedStyle(e).fontSize)"))
             for part in ("h2", "li")]  # fmt: skip
    assert min(sizes) >= 30

    def places():
        look = "all => all.map(e => [e.textContent, e.getBoundingClientRect().toJSON()])"
        return page.locator(".nb-question, .nb-choice").evaluate_all(look)

    first = places()
    phones = [browser.new_context(viewport=NARROW).new_page() for _ in range(2)]
    for phone in phones:
        phone.goto(server.phones.url)
        phone.locator("#status", has_text="Nothing is put").wait_for()
    status = page.locator(".nb-status")
    for turn, choices in enumerate(((0, 2), (1, 1))):
        page.keyboard.press("v")
        assert places() == first
        for phone, choice in zip(phones, choices, strict=True):
            phone.locator("#turn", has_text=("First", "second")[turn]).wait_for()
            assert phone.locator("#context").inner_text() == ITEM.context
            for option in (2 - choice, choice):  # the latest one counts
                phone.locator("#options button").nth(option).click()
                phone.locator("#status", has_text="Your vote is counted.").wait_for()
        page.locator(".nb-arrived", has_text="2 votes by phone").wait_for()
        if turn == 0:
            page.reload()  # what was counted stays, and the round stays open
            come(page, 1, "nb-vote")
            page.locator(".nb-arrived", has_text="2 votes by phone").wait_for()
            status.get_by_text("First vote.").wait_for()
            with page.expect_popup() as popup:
                page.keyboard.press("p")
            right = choices.count([*ITEM.options].index(ITEM.right_option()))
            popup.value.get_by_text(f"2 votes by phone, 2 phones here · Right: {right} of 2").wait_for()
            assert "Right" not in page.locator("main").inner_text(), "only she sees it before the bars"
            popup.value.close()
        page.keyboard.press("h")
        page.locator(".nb-hands").nth(1).fill("2")
        assert places() == first
        page.keyboard.press("Escape")
        page.keyboard.press("h")
        if turn == 0:
            assert page.locator(".nb-bar-row").count() == 0, "bars are hidden until she shows them"
            page.keyboard.press("c")
            assert page.locator(".nb-bars").nth(1).inner_text() == "1st: 2 (50\u00a0%)"
            page.keyboard.press("d")
            status.get_by_text("Discuss: find somebody").wait_for()
            assert places() == first
            phones[0].locator("#status", has_text="The vote is closed.").wait_for()
    page.keyboard.down("r")
    page.keyboard.down("r")  # held: it repeats
    page.keyboard.up("r")
    status.get_by_text("Press R again").wait_for()
    page.keyboard.press("c")
    assert status.get_by_text("Press R again").count() == 0, "any other key takes it back"
    page.get_by_role("button", name="Reveal").dblclick()
    status.get_by_text("Press R again").wait_for()
    page.keyboard.press("r")
    right = [*ITEM.options].index(ITEM.right_option())
    shares = [[1, 2, 1], [0, 4, 0]]
    gain = ", then ".join(f"{votes[right]} of 4 ({25 * votes[right]} %)" for votes in shares)
    status.get_by_text(f"{ITEM.explain_truth(ITEM.truth())} Right: {gain}.").wait_for()
    assert page.locator(".nb-right").inner_text().startswith("ABC"[right])
    assert places() == first, "what is asked stays as it is, from the open vote to the answer"
    phones[0].locator("#status", has_text=ITEM.reason(ITEM.truth())).wait_for()
    for phone in phones:
        phone.context.close()


@pytest.mark.parametrize("viewport", [WIDE, FULL], ids=["720", "1080"])
def test_every_scene_fills_the_screen_and_no_more(live, viewport):
    page, _ = live(viewport)
    for number, kind in enumerate(("nb-vote", "nb-shown", "nb-shown"), start=1):
        page.keyboard.press("ArrowRight")
        come(page, number, kind)
        overflow(page)
        if kind == "nb-shown":
            height = page.locator(".nb-shown:not([hidden]) .nb-figure").bounding_box()["height"]
            assert height >= 0.6 * viewport["height"]
            assert page.locator(".nb-shown:not([hidden]) .nb-error").inner_text() == ""
    assert page.locator(".nb-caption:visible").count() == 0, "what she says is not on the screen"


def test_sliders_have_their_keys_and_the_screen_goes_black(live):
    page, _ = live()
    page.goto(f"{page.url.partition('#')[0]}#2")
    come(page, 2, "nb-shown")
    slider = page.locator(".nb-shown:not([hidden]) input").first
    before = page.locator(".nb-finding").first.inner_text()
    slider.focus()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("was => document.querySelector('.nb-finding').textContent !== was", arg=before)
    assert page.locator(".nb-count").inner_text() == "2 / 3"
    page.keyboard.press("PageDown")
    come(page, 3, "nb-shown")
    page.keyboard.press("b")
    assert page.locator(".nb-black").is_visible()
    page.keyboard.press("PageUp")
    come(page, 2, "nb-shown")
    assert not page.locator(".nb-black").is_visible()
    page.locator(".nb-finding", has_text=before).wait_for()


def test_the_presenter_has_a_window_of_her_own(live):
    page, _ = live()
    page.locator(".nb-title").wait_for()
    with page.expect_popup() as popup:
        page.keyboard.press("p")
    own = popup.value
    own.keyboard.press("PageDown")
    come(page, 1, "nb-vote")
    said = own.locator("main").inner_text()
    for words in ("1 / 3", "Now you.", "Half say A.", ITEM.right_option(), "V Vote", "Smoothing: Overcast day", "left"):
        assert words in said, words
    own.reload()
    own.get_by_text("Now you.").wait_for()
    assert own.locator("link[rel=stylesheet]").count() == page.locator("link[rel=stylesheet]").count()
    own.keyboard.press("PageUp")
    page.locator(".nb-title").wait_for()
    assert "Now you." not in page.locator("main").inner_text()


@pytest.mark.parametrize("live", [{"bypass_csp": True}], indirect=True)  # for the script that looks
@pytest.mark.parametrize("number", [0, 1, 2])
def test_nobody_is_shut_out(live, number):
    page, _ = live()
    page.goto(f"{page.url.partition('#')[0]}#{number or ''}")
    come(page, number, ("nb-vote", "nb-shown")[number - 1]) if number else page.locator(".nb-title").wait_for()
    assert faults_light_and_dark(page) == []


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The files of the lecture as the site has them."""
    folder = tmp_path_factory.mktemp("lecture")
    for name in ("_static", "lectures", "questions"):
        (folder / name).mkdir()
    shown.write_page(folder)
    (folder / "lectures" / "mine.js").write_text(shown.record(LECTURE), "utf-8")
    (folder / "questions" / "02.js").write_text(f"NB.questions({json.dumps(records('02'))});", "utf-8")
    packs.write(folder, tmp_path_factory.mktemp("cache"), classes=[scene.explorer for scene in SCENES[1:]], most=30)
    for name in ("fonts.css", "favicon.svg"):
        (folder / "_static" / name).touch()
    return folder


@pytest.mark.parametrize("base", ["file", "http"])
def test_the_site_shows_the_same_scenes_without_a_server(browser, site, base):
    with on_a_server(site) as bases, watched(browser, bases) as open:
        page = open("lecture.html?order=mine", base)
        page.locator(".nb-name", has_text=LECTURE.title).wait_for()
        page.keyboard.press("PageDown")
        come(page, 1, "nb-vote")
        assert page.locator(".nb-qr").count() == 0
        for key in "vrr":
            page.keyboard.press(key)
        page.locator(".nb-right").wait_for()
        page.keyboard.press("PageDown")
        come(page, 2, "nb-shown")
        assert page.locator('.nb-presets [aria-pressed="true"]').inner_text() == SCENES[1].preset
        page.keyboard.press("PageDown")
        come(page, 3, "nb-shown")
        overflow(page)


def test_a_lecture_that_is_not_there_gets_a_sentence(browser, site):
    with on_a_server(site) as bases:
        page = browser.new_page()
        page.goto(f"{bases['file']}/lecture.html?order=none")
        page.get_by_text("This lecture does not begin: lectures/none.js is not there.").wait_for()
        page.close()


WEEKLY = [pytest.param(name, marks=[] if name == BY_DATE else pytest.mark.slow) for name in known()]


@pytest.mark.parametrize("name", WEEKLY)
def test_the_books_lectures_fit_the_smallest_projector(browser, name):
    lecture = find(name)
    with served(lecture, vote=True) as server, watched(browser, {"http": server.origin}) as open:
        page = open(f"?token={server.token}", "http")
        page.locator(".nb-title").wait_for()
        for number, scene in enumerate(lecture.scenes, start=1):
            page.keyboard.press("PageDown")
            come(page, number, "nb-shown" if scene.explorer else "nb-vote")
            overflow(page)


@pytest.mark.skipif(not chromium(), reason="prints with a browser of the reader's")
def test_the_scenes_on_paper_have_a_sheet_each(tmp_path, monkeypatch, capsys):
    file = tmp_path / "mine.toml"
    file.write_text('title = "One"\n[[scene]]\nminutes = 4\nvote = "02/overcast"\n[[scene]]\nminutes = 2\n'
                    'explorer = "SmoothingExplorer"\n[[scene]]\nminutes = 3\nroom = "02"\n', "utf-8")  # fmt: skip
    with ThreadPoolExecutor(1) as aside:  # this thread has an event loop of the browser's
        for flags in ([], ["--answers"]):
            flags += ["--pdf", str(tmp_path / f"{len(flags)}.pdf")]
            assert aside.submit(present.main, [str(file), *flags]).result() == 0
        monkeypatch.setattr(handout, "chromium", lambda: None)
        assert aside.submit(present.main, [str(file), *flags]).result() == 1
    sheets = [(tmp_path / f"{n}.pdf").read_bytes() for n in (0, 1)]
    assert [len(re.findall(rb"/Type /Page\b", pdf)) for pdf in sheets] == [3, 3]
    assert len(sheets[0]) < len(sheets[1]), "with the answer"
    said = capsys.readouterr()
    assert "no Chromium" in said.err
    assert said.out.count("One: 2 scenes, 6 minutes\n") == 3, "the room's figure is not printed, and not counted"

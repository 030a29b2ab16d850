"""Explorers of the site as a reader touches them, over http and from a folder: figure, controls and sentence agree."""

import json
import re
from contextlib import contextmanager
from urllib.parse import urlencode

import pytest

from tests.explorer.tokens import read_colors
from workbook.draw import as_text
from workbook.explorers import NameEvidenceExplorer
from workbook.site.player.script import parts

from ..site import toy
from .figures import DRAW, MARKS, call
from .served import NARROW, WIDE, served

pytestmark = pytest.mark.browser
NAMES, COPIES, BOUNDS, XOR = "01.nameevidence", "05.copies", "03.simplex", "08.xor"


@pytest.fixture(scope="module")
def toys():
    return {
        NAMES: toy.Toy("NameEvidenceExplorer", {NAMES: {}}, ({"name": "Anna"}, {"name": "Malcolm"})),
        COPIES: toy.Toy("CopiesExplorer", {COPIES: {}, f"{COPIES}-2": dict(copies=3)}),
        BOUNDS: toy.Toy("SimplexExplorer", {BOUNDS: {}}),
        XOR: toy.Toy("XorExplorer", {XOR: {}}),
    }


@pytest.fixture(scope="module")
def folder(toys, tmp_path_factory):
    written = tmp_path_factory.mktemp("site")
    toy.write(written, list(toys.values()), ["00/positive"])
    return written


@pytest.fixture(scope="module")
def http(folder):
    with served(folder) as addresses:
        yield addresses["http"]


@contextmanager
def reading(browser, start, query="", viewport=WIDE, errors=0, **options):
    """The page as one reader opens it; nothing goes wrong in its script, and nothing is asked of other machines."""
    context = browser.new_context(viewport=viewport, **options)
    page = context.new_page()
    wrong, asked = [], []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: message.type == "error" and wrong.append(message.text))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{start}/page.html{query}")
    yield page
    assert len(wrong) == errors, wrong
    assert {re.match(r"(file://|data:|blob:|http://127\.0\.0\.1:)", url) is not None for url in asked} == {True}, asked
    context.close()


@pytest.fixture
def start(folder):
    return folder.as_uri()


def box(page, id):
    """An explorer that has come to life."""
    page.locator(f"[id='{id}']").scroll_into_view_if_needed()
    found = page.locator(f"[id='{id}'] .nb-explorer")
    found.locator(".nb-figure[data-frames]").wait_for()
    return found


def settled(page):
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


INDEX = """e => ({ range: Number(e.value), search: e.said?.indexOf(e.value) })[e.type]
    ?? e.selectedIndex"""


def shown(explorer, toy_):
    """The place that the controls show."""
    return [control(explorer, name).evaluate(INDEX) for name in toy_.values]


def control(explorer, name):
    return explorer.locator(f"[data-control='{name}'] :is(input, select)")


COUNT = """figure => figure.querySelectorAll(".nb-rasters canvas").length +
    [...figure.querySelectorAll("[data-trace]:not([data-trace=''])")]
        .filter((trace) => trace.querySelector("path, text")).length"""
TEXTS = "figure => [...figure.querySelectorAll('.nb-notes > div, .nb-legend > span')].map((e) => e.textContent)"
LOOKS = f"figure => [{COUNT}, {MARKS}, {TEXTS}].map((look) => look(figure))"
LOOKED = f"figure => JSON.stringify([figure.parentNode.clientWidth, ({LOOKS})(figure)])"
DRAWN = f"given => {{ ({DRAW})(given); return ({LOOKS})(document.body.firstChild); }}"


def draws(figure, frame, bench):
    """The figure on the page shows what the bench draws of this frame: marks, maps and words."""
    width, ours = json.loads(figure.evaluate(LOOKED))
    assert ours == call(bench, DRAWN, [frame, width])
    assert ours[0] >= 1


def test_a_title_follows_the_state_and_stands_there_once(browser, start):
    with reading(browser, start) as page:
        xor = box(page, XOR)
        xor.get_by_role("button", name="Two nodes").click()
        settled(page)
        title, said = xor.locator(".nb-finding").inner_text(), xor.locator(".nb-sentence")
        assert xor.locator(".nb-one-number").inner_text().split() == ["4", "of", "4", "points", "right"]
        assert said.text_content().startswith(f"{title}. Nodes")
        assert said.locator("span").last.inner_text().startswith("Nodes 0.66 apart")


def agrees(page, explorer, toy_, bench, place=None):
    """Figure, sentence, equation and controls are those of one state, computed anew by the kernel's side."""
    settled(page)
    place = shown(explorer, toy_) if place is None else place
    assert shown(explorer, toy_) == list(place)
    kind = type(toy_.explorer)
    kernel = kind(**toy_.state(place))
    frame = as_text(kernel._frame_at(kernel._place(kernel.state)))
    figure = explorer.locator(".nb-figure")
    draws(figure, frame["figure"], bench)
    assert explorer.locator(".nb-sentence").text_content() == frame["sentence"] == figure.get_attribute("aria-label")
    for name, widget in kernel.declared.items():
        input_ = control(explorer, name)
        if input_.get_attribute("type") == "range":
            assert input_.get_attribute("aria-valuetext") == widget.say(kernel.state[name])


# --- what is drawn -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("id", "way"), [
    (NAMES, "http"), (f"{COPIES}-2", "file"),
])  # fmt: skip
def test_what_is_drawn_is_what_the_kernel_says(browser, id, way, start, http, toys, bench):
    toy_ = toys[id.removesuffix("-2")]
    with reading(browser, start if way == "file" else http) as page:
        explorer = box(page, id)
        agrees(page, explorer, toy_, bench, toy_.place(toy_.explorer.state | toy_.starts[id]))
        assert not page.locator(f"[id='{id}'] > figure").is_visible()
        for name, preset in toy_.presets.items():
            explorer.get_by_role("button", name=name, exact=True).click()
            agrees(page, explorer, toy_, bench, toy_.place(toy_.explorer.state | dict(preset)))
            assert explorer.locator(".nb-caption").text_content() == preset.caption
        explorer.get_by_role("button", name="Reset", exact=True).click()
        agrees(page, explorer, toy_, bench, toy_.place(toy_.explorer.state | toy_.starts[id]))
        assert explorer.locator(".nb-caption").text_content() == ""
        assert page.evaluate("() => globalThis.Plotly") is None


def test_a_grip_moves_its_control(browser, start, toys, bench):
    with reading(browser, start) as page:
        explorer = box(page, COPIES)
        grip = explorer.locator("[data-control='k'].nb-grip").first
        grip.scroll_into_view_if_needed()
        at = grip.bounding_box()
        x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
        before = shown(explorer, toys[COPIES])
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 120, y, steps=6)
        page.mouse.up()
        after = shown(explorer, toys[COPIES])
        assert after[2] > before[2]
        assert after[:2] == before[:2]
        agrees(page, explorer, toys[COPIES], bench, after)


def test_a_list_of_texts_says_where_the_others_are(browser, start, toys):
    with reading(browser, start) as page:
        options = control(box(page, NAMES), "name").locator("option")
        assert options.all_text_contents() == [*toys[NAMES].values["name"], "any other: in the notebook"]
        assert [one.is_disabled() for one in options.all()] == [*[False] * len(toys[NAMES].values["name"]), True]


def test_a_long_list_of_texts_is_searched(browser, tmp_path, bench):
    """By letters, in any case; what is not on the list changes nothing, and the field goes back to the name shown."""
    offered = NameEvidenceExplorer.declared["name"].chosen[:45]
    toy_ = toy.Toy("NameEvidenceExplorer", {NAMES: {}}, tuple(dict(name=name) for name in offered))
    toy.write(tmp_path, [toy_], ["00/positive"])
    with reading(browser, tmp_path.as_uri()) as page:
        explorer = box(page, NAMES)
        field, names = control(explorer, "name"), toy_.values["name"]
        suggested = explorer.locator("datalist option").evaluate_all("all => all.map((one) => one.value)")
        assert suggested == names
        assert len(names) > 40
        assert explorer.locator("[data-control='name']").inner_text().split("\n")[-1] == "any other: in the notebook"
        field.focus()
        page.keyboard.type(offered[7].lower())
        agrees_with = [names.index(offered[7]), 0]
        assert explorer.locator(".nb-sentence").text_content().endswith(f"\u2068{offered[7]}\u2069.")
        page.keyboard.type("xyz")
        page.keyboard.press("Tab")
        agrees(page, explorer, toy_, bench, agrees_with)


# --- never wrong ---------------------------------------------------------------------------------------------------


def test_a_draft_refuses_a_combination_that_it_does_not_hold(browser, start, toys, bench):
    toy_ = toys[COPIES]
    with reading(browser, start) as page:
        explorer = box(page, COPIES)
        control(explorer, "copies").focus()
        page.keyboard.press("ArrowRight")
        moved = shown(explorer, toy_)
        control(explorer, "different").focus()
        page.keyboard.press("ArrowRight")
        wished = (moved[0], moved[1] + 1, moved[2])
        assert wished not in toy_.frames, "this test needs a combination that is not there"
        agrees(page, explorer, toy_, bench, moved)
        assert "does not hold this combination" in explorer.locator(".nb-error").text_content()
        control(explorer, "copies").focus()
        page.keyboard.press("ArrowRight")
        agrees(page, explorer, toy_, bench, [moved[0] + 1, *moved[1:]])
        assert not explorer.locator(".nb-error").is_visible()


def test_a_pack_that_is_missing_leaves_the_picture_and_says_so(browser, folder, tmp_path, toys):
    body = toy.live(toys[COPIES]) + '<div class="nb-live" data-question="00/nothing"><p>plain</p></div>'
    toy.write(tmp_path, [], ["00/positive"], body)
    with reading(browser, tmp_path.as_uri(), errors=1) as page:  # the browser itself notes the file
        host = page.locator(f"[id='{COPIES}']")
        host.locator(".nb-trouble").wait_for()
        assert "CopiesExplorer.js is not there" in host.locator(".nb-trouble").text_content()
        assert host.locator("figure img").is_visible()
        asked = page.locator("[data-question='00/nothing']")
        assert "There is no question 00/nothing" in asked.locator(".nb-trouble").text_content()
        assert asked.locator("p").first.is_visible()


# --- the address ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["file", "http"])
def test_the_address_holds_the_state_and_opens_it(browser, way, start, http, toys, bench):
    start = start if way == "file" else http
    toy_ = toys[NAMES]
    with reading(browser, start) as page:
        explorer = box(page, NAMES)
        control(explorer, "cut").focus()
        for key in ("ArrowRight", "ArrowLeft", "ArrowRight"):
            page.keyboard.press(key)
        page.wait_for_function("() => location.hash.includes('cut')")
        address, place = page.evaluate("() => location.hash"), shown(explorer, toy_)
        said = toy_.explorer.declared["cut"].say(toy_.state(place)["cut"])
        assert address == f"#{NAMES}?{urlencode(dict(cut=said))}"
        assert page.evaluate("() => history.length") <= 2, "a slider fills no history"
    with reading(browser, start, address) as page:
        explorer = box(page, NAMES)
        agrees(page, explorer, toy_, bench, place)
        assert 0 <= explorer.bounding_box()["y"] < WIDE["height"]


ADDRESSES = [
    ("?copies=7", dict(copies=7), ""),
    ("?k=2.5", dict(k=2.5), ""),
    ("?k=12.000000000000002", dict(k=12), ""),
    ("?preset=Ten%20copies", dict(copies=10), ""),
    ("?preset=Ten+copies", dict(copies=10), ""),
    ("?copies=99", {}, "copies=99"),
    ("?cake=1&copies=4", dict(copies=4), "cake=1"),
    ("?copies=", {}, "copies="),
]
GO = """address => new Promise((gone) => {
    addEventListener("hashchange", () => gone(), { once: true });
    location.hash = address;
})"""


def test_an_address_is_followed_as_far_as_it_goes(browser, start, toys, bench):
    toy_ = toys[COPIES]
    with reading(browser, start) as page:
        explorer = box(page, COPIES)
        for address, state, said in ADDRESSES:
            page.evaluate(GO, COPIES + address)
            agrees(page, explorer, toy_, bench, toy_.place(toy_.explorer.state | state))
            note = explorer.locator(".nb-note").text_content()
            assert (f"no {said}:" in note) if said else note == ""


def test_what_the_address_names_stays_in_sight_while_the_page_grows(browser, folder, tmp_path, toys):
    """Whatever comes to life above it; until the reader moves."""
    body = toy.live(toys[NAMES]) + toy.live(toys[COPIES]) + "<p style='height: 3000px'></p>"
    toy.write(tmp_path, list(toys.values()), ["00/positive"], "<div id='grows'></div>" + body)
    with reading(browser, tmp_path.as_uri(), f"#{COPIES}?copies=3", NARROW) as page:
        explorer = page.locator(f"[id='{COPIES}'] .nb-explorer")
        explorer.locator(".nb-figure[data-frames]").wait_for()
        page.locator(f"[id='{NAMES}'] .nb-figure[data-frames]").wait_for()
        for height in (900, 50, 2000):
            page.evaluate("height => { document.querySelector('#grows').style.height = `${height}px`; }", height)
            settled(page)
            assert 0 <= page.locator(f"[id='{COPIES}']").bounding_box()["y"] <= 100
        page.mouse.wheel(0, 400)
        page.wait_for_function("([id]) => document.getElementById(id).getBoundingClientRect().y < -200", arg=[COPIES])


def test_every_value_of_every_control_goes_into_the_address_and_back(browser, start, toys):
    with reading(browser, start) as page:
        page.add_script_tag(content=parts()["address.js"])
        for toy_ in toys.values():
            pack = {"controls": toy_.controls(), "presets": []}
            wrong = page.evaluate(
                """(pack) => pack.controls.flatMap((control, k) => control.values.map((value, i) => {
                    const start = pack.controls.map((one) => one.default);
                    const place = start.map((index, j) => (j === k ? i : index));
                    const { wanted } = readAddress(addressOf("id", pack, place, start));
                    const { changes, unknown } = asksFor(pack, wanted);
                    const again = start.map((index, j) => changes[pack.controls[j].name] ?? index);
                    return String(again) === String(place) && !unknown.length ? null : [control.name, value, wanted];
                })).filter(Boolean)""",
                pack,
            )
            assert wrong == []


# --- alone ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["CopiesExplorer", COPIES])
def test_one_explorer_is_shown_alone(browser, start, toys, bench, name):
    with reading(browser, start, f"?embed={name}#{COPIES}?copies=8") as page:
        explorer = page.locator(f"[id='{COPIES}'] .nb-explorer")
        explorer.locator(".nb-figure[data-frames]").wait_for()
        agrees(page, explorer, toys[COPIES], bench, toys[COPIES].place(toys[COPIES].explorer.state | dict(copies=8)))
        assert page.locator("h1").bounding_box()["width"] <= 1, "for screen readers only"
        for others in ("nav", "p >> text=Before.", f"[id='{COPIES}-2']", f"[id='{NAMES}']", ".nb-asked"):
            assert not page.locator(others).first.is_visible()
        assert explorer.bounding_box()["width"] > 1200
    with reading(browser, start, "?embed=Nobody") as page:
        assert "There is no Nobody on this page" in page.get_by_role("alert").first.text_content()
        agrees(page, box(page, COPIES), toys[COPIES], bench)
        page.locator("[data-question] .nb-asked").wait_for()
        page.locator("[data-progress] .nb-lines").wait_for()


# --- every screen --------------------------------------------------------------------------------------------------


INK = "view => getComputedStyle(view).getPropertyValue('--nb-ink').trim()"
INKS = {theme: read_colors(theme)["ink"] for theme in ("light", "dark")}


@pytest.mark.parametrize(("theme", "other"), [("light", "dark"), ("dark", "light")])
def test_figures_follow_the_theme(browser, start, theme, other):
    with reading(browser, start, viewport=NARROW, color_scheme=theme) as page:
        view = box(page, NAMES).locator(".nb-view")
        assert view.evaluate(INK) == INKS[theme]
        drawn = page.locator(".nb-figure").first.get_attribute("data-frames")
        page.evaluate("theme => { document.body.dataset.theme = theme; }", other)
        settled(page)
        assert page.locator(".nb-figure").first.get_attribute("data-frames") != drawn, "maps follow, too"
        assert view.evaluate(INK) == INKS[other]
        assert page.evaluate("() => document.documentElement.scrollWidth") <= NARROW["width"]


def test_what_is_far_away_waits_and_what_is_near_does_not(browser, folder, tmp_path, toys):
    """Only near explorers are brought to life while the browser is busy."""
    far = '<div style="height: 9000px"></div>'
    toy.write(tmp_path, list(toys.values()), ["00/positive"], toy.live(toys[COPIES]) + far + toy.live(toys[BOUNDS]))
    never = "globalThis.requestIdleCallback = () => 0"
    context = browser.new_context(viewport=WIDE)
    context.add_init_script(never)
    page = context.new_page()
    page.goto(f"{tmp_path.as_uri()}/page.html")
    page.locator(f"[id='{COPIES}'] .nb-figure[data-frames]").wait_for()
    settled(page)
    assert page.locator(f"[id='{BOUNDS}'] .nb-explorer").count() == 0
    box(page, BOUNDS)
    context.close()

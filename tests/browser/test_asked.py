"""A question as a reader meets it, in a notebook where the kernel judges and on the site: one view, the same words."""

import json

import pytest

from workbook.learning import contents
from workbook.site.player.script import parts, site_style

from ..site import toy
from .lab import Explorer, settle
from .served import NARROW, WIDE
from .test_site_player import reading, settled
from .test_view import LATE, opened

pytestmark = pytest.mark.browser
KEYS = ["00/positive", "00/two-tests", "02/thousand", "03/two-values", "00/negative", "01/from-logs"]
ITEMS = {key: contents(key[:2])[key] for key in KEYS}
CELLS = ["from workbook.learning import exercise, predict", *(f"predict({key!r})" for key in KEYS[:4]),
         *(f"exercise({key!r})" for key in KEYS[4:])]  # fmt: skip
STATES = """(box) => Object.fromEntries([...box.querySelectorAll(".nb-options label")].map(
    (one) => [one.querySelector("span").textContent, one.querySelector("em").textContent]))"""


class Host:
    """A page with all the questions; kept: reads the answers that were recorded."""

    def __init__(self, page, settle, kept):
        self.page, self.settle, self.kept = page, lambda: settle(page), kept

    def asked(self, key):
        found = self.page.locator(f".nb-asked:is(:has(> [aria-label='{key}']), [aria-label='{key}'])").first
        found.wait_for()
        return found

    def press(self, box, name, key="Enter"):
        """By keyboard; what is said then."""
        box.get_by_role("button", name=name, exact=True).press(key)
        self.settle()
        return self.said(box)

    def said(self, box):
        return box.locator(".nb-sentence").last.text_content()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("asked")
    toy.write(folder, [], KEYS)
    return folder.as_uri()


@pytest.fixture(scope="module")
def notebook(browser, folder, lab):
    with opened(browser, lab, folder, *CELLS) as notebook:
        yield notebook
        assert notebook.errors == []


@pytest.fixture(scope="module")
def kernels(notebook, home):
    def kept():
        file = home / "progress.json"
        return json.loads(file.read_text("utf-8")).get("answers", []) if file.exists() else []

    return Host(notebook.page, settle, kept)


@pytest.fixture(params=["kernel", "wide", "phone"])
def host(request, browser, site):
    if request.param == "kernel":
        yield request.getfixturevalue("kernels")
        return
    with reading(browser, site, viewport=WIDE if request.param == "wide" else NARROW) as page:
        kept = "() => JSON.parse(localStorage.getItem('naive-bayes-workbook/progress') ?? '{}').answers ?? []"
        yield Host(page, settled, lambda: page.evaluate(kept))
        assert page.evaluate("() => document.documentElement.scrollWidth") <= page.viewport_size["width"]


def test_a_choice_is_asked_revealed_and_kept(host):
    item = ITEMS["00/positive"]
    wrong = next(option for option in item.options if option != item.right_option())
    box, before = host.asked(item.key), host.kept()
    assert item.question in box.text_content()
    assert host.press(box, "Reveal") == "Choose or type your prediction first, or skip it."
    assert host.kept() == before
    box.get_by_role("radio", name=wrong).check()
    box.get_by_label("How sure are you?").select_option("80 %")
    assert host.press(box, "Reveal") == item.judge(wrong)[0]
    shown = dict.fromkeys(item.options, "") | {wrong: "✗ not this one", item.right_option(): "✓ this one"}
    assert box.evaluate(STATES) == shown, "each option says what it turned out to be"
    *old, answer = host.kept()
    assert old == before
    assert (answer["answer"], answer["confidence"], answer["right"]) == (wrong, 0.8, False)
    assert not box.get_by_role("button").first.is_visible(), "nothing is left to press until another is chosen"
    box.get_by_role("radio", name=item.right_option()).check()
    assert host.press(box, "Skip") == item.judge(None)[0]
    assert box.evaluate(STATES) == shown | {wrong: ""}
    assert (len(host.kept()), host.kept()[-1]["outcome"]) == (len(before) + 2, "skipped")
    box.get_by_role("radio", name=wrong).focus()
    host.page.keyboard.press("ArrowDown")
    host.settle()
    assert not box.get_by_role("radio", name=wrong).is_checked(), "one choice, by keyboard too"
    assert set(box.evaluate(STATES).values()) == {""}, "a new choice is open again"


def test_a_number_is_typed_and_checked_by_enter(host):
    guess, item = ITEMS["03/two-values"], ITEMS["00/negative"]
    slip = item.mistakes[0]
    for one, label, act, typed, said, state in (
        (guess, "Your number", "Reveal", "0,845", guess.judge("0,845")[0], "✓ right"),
        (guess, "Your number", "Reveal", "1,609", "two ways", ""),
        (guess, "Your number", "Reveal", "3", guess.judge("3")[0], "✗ not quite"),
        (item, "Answer", "Check", " ", "Type your answer first.", ""),
        (item, "Answer", "Check", str(slip.answer()), f"Not yet. {slip.hint}", "✗ a usual slip"),
        (item, "Answer", "Check", "0.7", f"Not yet. {item.help}", "✗ not yet"),
        (item, "Answer", "Check", repr(float(item.expected())), f"Right. {item.well_done}", "✓ right"),
    ):
        box = host.asked(one.key)
        box.get_by_label(label).fill(typed)
        host.settle()
        assert box.locator("em").text_content() == "", "what is typed anew is open again"
        box.get_by_label(label).press("Enter")
        host.settle()
        assert said in host.said(box)
        assert host.press(box, act) == host.said(box), "the button says the same"
        assert box.locator("em").text_content() == state
    first, *_, last = [answer for answer in host.kept() if answer["key"] == item.key][-6::2]
    assert (first["mistake"], last["outcome"]) == (slip.hint[:100], "solved")
    assert not box.locator("pre").is_visible()
    host.press(box, "Show solution")
    assert box.locator("pre").text_content() == item.worked()


def test_a_coding_task_gives_its_hints_one_at_a_time(host):
    item = ITEMS["01/from-logs"]
    box = host.asked(item.key)
    assert item.task in box.text_content()
    hints = [item.help, *(mistake.hint for mistake in item.mistakes)]
    for k, hint in enumerate(hints):
        assert hint not in box.text_content()
        host.press(box, "Show a hint")
        assert box.locator("li").all_text_contents() == hints[: k + 1]
    assert box.get_by_role("button", name="Show a hint").is_disabled()
    assert item.solution not in box.text_content()
    host.press(box, "Show solution")
    assert item.solution in box.text_content()


def draw(host, box, number, key, times=1):
    """Move one of the sliders by keyboard."""
    box.get_by_role("slider").nth(number).focus()
    for _ in range(times):
        host.page.keyboard.press(key)
    host.settle()
    return box.locator(".nb-explorer .nb-sentence").text_content()


def test_a_prediction_is_drawn_and_revealed(host):
    item = ITEMS["00/two-tests"]
    true, box = f"{item.truth():.3f}", host.asked(item.key)
    assert host.press(box, "Reveal").startswith("First draw your prediction")
    assert draw(host, box, 0, "ArrowRight", 30) == "Drawn so far: after two: 0.30."
    for words in (true, "computed"):
        assert words not in box.inner_text()
    assert host.press(box, "Reveal") == item.judge([0.3])[0]
    for number in range(box.get_by_role("slider").count()):  # on the site it is gone
        draw(host, box, number, "ArrowRight")
    assert box.locator(".nb-explorer .nb-sentence").text_content() == f"Computed: after two: {true}.", "that stays"
    assert all(words in box.locator(".nb-figure").inner_text() for words in ("computed", "0.112 too low"))
    assert host.kept()[-1]["answer"] == [0.3]
    box.get_by_role("button", name="Reset").click()
    host.settle()
    assert host.said(box) == "", "nothing is judged under an empty drawing"
    grip = box.locator(".nb-grip").bounding_box()
    x, y = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
    host.page.mouse.move(x, y)
    host.page.mouse.down()
    host.page.mouse.move(x, y - 60, steps=4)
    host.page.mouse.up()
    host.settle()
    assert "(not yet)" not in box.locator(".nb-explorer .nb-sentence").text_content()


def test_a_line_is_drawn_point_by_point_and_fits_the_screen(kernels):
    box = kernels.asked("02/thousand")
    labels = [slider.get_attribute("aria-label") for slider in box.get_by_role("slider").all()]
    assert labels == [f"alpha = {alpha}" for alpha in (10, 100, 1000)]
    draw(kernels, box, 0, "ArrowRight", 5)
    assert kernels.press(box, "Reveal").startswith("First draw your prediction"), "every point of it"
    for number in range(1, 3):
        draw(kernels, box, number, "End")
    start = "alpha = 10: you put 0.05, computed 0.520: 0.470 too low. alpha = 100: you put 1.00, computed"
    assert kernels.press(box, "Reveal").startswith(start)
    assert box.bounding_box()["height"] <= 700
    assert Explorer(box.locator(".nb-explorer")).clipped() == []
    reveal = box.get_by_role("button", name="Reveal")
    assert not reveal.is_visible()
    box.get_by_role("button", name="Reset").click()
    reveal.wait_for()


# --- in JupyterLab ----------------------------------------------------------------------------------------------------


def test_no_key_in_a_question_is_one_of_jupyterlabs(browser, folder, lab):
    """Late widgets, too: "d d" deletes a cell, a and b make one, x cuts it, m turns it into text."""
    with opened(browser, lab, folder, *CELLS[:2], *CELLS[5:], script=LATE) as notebook:
        page, before = notebook.page, notebook.page.locator(".jp-Cell").count()
        stops = page.locator(".nb-ask :is(input, select, button):visible")
        stops.last.wait_for()
        for stop in stops.all():
            stop.focus()
            for key in "ddabxm":
                page.keyboard.press(key)
        settle(page)
        assert page.locator(".jp-Cell.jp-CodeCell").count() == page.locator(".jp-Cell").count() == before
        assert page.get_by_label("Answer").input_value() == "ddabxm"
        page.keyboard.press("Escape")
        page.keyboard.press("b")
        assert page.locator(".jp-Cell").count() == before + 1, "behind Escape they are JupyterLab's again"


# The view on a model whose judge says nothing.
DEAF = """
const asks = { key: "k", kind: "number", text: "How many?", context: "" };
globalThis.model = widgetModel({ record: asks, given: {}, reply: {} });
globalThis.undo = [0, 1].map(() => document.body.appendChild(document.createElement("div")))
    .map((el) => showQuestion({ model, el }));
"""


def test_a_kernel_that_is_silent_is_said_and_two_views_show_the_same(browser):
    page = browser.new_page()
    page.clock.install()
    page.set_content(f"<!doctype html><style>{site_style()}</style><body>")
    page.add_script_tag(content="\n".join([*(t for name, t in parts().items() if name != "start.js"), DEAF]))
    page.get_by_label("Answer").first.fill("0.5")
    assert page.get_by_label("Answer").last.input_value() == "0.5"
    page.get_by_label("Answer").first.press("Enter")
    page.clock.run_for(4900)
    assert page.locator(".nb-sentence").all_text_contents() == ["", ""]
    page.clock.run_for(200)
    for words in page.locator(".nb-sentence").all_text_contents():
        assert words.startswith("The kernel does not answer")
    page.evaluate("() => void (model.send = () => { throw new Error('Cannot send'); })")
    page.get_by_label("Answer").first.fill("0.25")
    page.evaluate("model.set('reply', {})")
    page.get_by_role("button", name="Check").first.click()
    assert page.locator(".nb-sentence").last.text_content().startswith("The kernel does not answer"), "at once"
    page.evaluate("undo[0](), model.set('reply', { words: 'Right.', state: 'right' })")
    assert page.locator(".nb-sentence").last.text_content() == "Right."
    assert page.locator("[data-state='right']").count() == 1, "the other view was undone"
    page.close()

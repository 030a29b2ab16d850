"""A change is read aloud once, in one region, when the hand rests: in the notebook, on the site, on a phone."""

import pytest

from workbook.learning import contents

from ..site import toy
from ..vote.opened import opened as a_room
from .heard import heard, listen
from .lab import READABLE, Explorer, settle
from .test_fitting import CELL as SLOW
from .test_site_player import GO, box, settled
from .test_view import EXPLORER, opened

pytestmark = pytest.mark.browser
ONE, PHONE = "nb-voice", "status"
CHOICE, NUMBER, DRAWN = map(contents("00").get, ("00/positive", "00/negative", "00/two-tests"))
TASK = contents("01")["01/from-logs"]
PRESETS = '''
from workbook.explorer.explorer import Preset
from workbook.explorer.handles import Handle
class Held(Bread):
    """Loaves by hand."""

    presets = {"Seven": Preset("A caption.", dict(n=7))}

    def draw(self, result):
        dot = dict(type="scatter", x=[result], y=[5], hovertemplate="a loaf")
        axes = dict(range=[0, 10]), dict(range=[0, 10])
        return theme.figure([theme.Panel("Bread", [dot], *axes, handles=[Handle("n", result, 5)])])

Held()
'''
ASKED = """
from workbook.learning import exercise, predict
from IPython.display import display
display(predict("00/positive"), exercise("00/negative"), predict("00/two-tests"))
"""


# Steps of a slider faster than any hand; the sentence under the figure after the first of them.
STEPS = """async (slider, count) => {
  const step = () => (slider.stepUp(), slider.dispatchEvent(new Event("input", { bubbles: true })));
  step();
  await null;
  await null;
  const first = slider.closest(".nb-explorer").querySelector(".nb-sentence").textContent;
  for (let k = 1; k < count; k++) step();
  return first;
}"""


class Ear:
    """One page, and what it says."""

    def __init__(self, page, settle):
        self.page, self.settle = page, settle
        self.hears(None)

    def hears(self, words, many=False):
        """These words, once, in the one region; None: whatever was said before.

        many: the hand moved more than once. On a busy machine that may look like a rest, so other words may come first.
        """
        found = heard(self.page, self.settle)
        if words is not None:
            assert found[-1 if many else 0 :] == ([(ONE, words)] if words else [])
            assert {region for region, _ in found} <= {ONE}
            assert len({*found}) == len(found)

    def press(self, place, key="Enter", times=1):
        place.focus()
        for _ in range(times):
            self.page.keyboard.press(key)
        self.settle(self.page)
        assert self.page.evaluate("document.activeElement !== document.body"), (
            "where it is greyed out the focus goes on"
        )

    def drag(self, grip, x):
        at = grip.bounding_box()
        start = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(start[0] + x, start[1], steps=8)
        self.page.mouse.up()
        self.page.mouse.move(0, 0)


def button(place, name):
    return place.get_by_role("button", name=name, exact=True)


def answers_are_heard_once(ear, choice, number, drawn):
    """Right, wrong, unreadable, none, skipped, drawn: the words of the question, as they stand there."""
    wrong, other = [option for option in CHOICE.options if option != CHOICE.right_option()][:2]
    ear.press(button(choice, "Reveal"))
    ear.hears("Choose or type your prediction first, or skip it.")
    ear.press(button(choice, "Reveal"))
    ear.hears("Choose or type your prediction first, or skip it.")  # the same words again
    ear.press(choice.get_by_label(wrong, exact=True), "Space")
    ear.hears("")
    ear.press(button(choice, "Reveal"))
    ear.hears(CHOICE.judge(wrong)[0])
    ear.press(choice.get_by_label(other, exact=True), "Space")  # the question is open again
    ear.hears("")
    ear.press(button(choice, "Skip"))
    ear.hears(CHOICE.judge(None)[0])
    field = number.get_by_label("Answer")
    for typed in ("half", str(NUMBER.mistakes[0].answer()), repr(float(NUMBER.expected()))):
        field.fill(typed)
        ear.press(field)
        ear.hears(NUMBER.check(typed).message)
    ear.press(button(drawn, "Reveal"))
    ear.hears("First draw your prediction: every height must be above 0. Or skip it.")
    ear.press(drawn.get_by_role("slider").first, "ArrowRight", times=30)
    ear.hears("Drawn so far: after two: 0.30.", many=True)
    ear.press(button(drawn, "Reveal"))
    ear.hears(DRAWN.judge([0.3])[0])  # and not what the drawing says of it


def test_the_notebook_says_every_change_once(browser, folder, lab):
    cells = EXPLORER, PRESETS, SLOW.replace("Bread", "Slowly"), ASKED
    with opened(browser, lab, folder, *cells, before=listen, locale="tr-TR") as notebook:
        page = notebook.page
        notebook.wait_for_figures()
        ear = Ear(page, settle)
        explorer, slow = (Explorer(page.locator(".nb-explorer").nth(k)) for k in (1, 2))
        slider = explorer.element.get_by_role("slider")
        ear.press(slider, "ArrowRight")
        ear.hears("2 loaves.")
        ear.press(slider, "ArrowRight", times=3)
        ear.hears("5 loaves.", many=True)
        ear.drag(explorer.figure.locator(".nb-over .nb-grip"), 60)
        ear.hears(explorer.sentence(), many=True)
        assert explorer.sentence() not in ("5 loaves.", "7 loaves.")
        ear.press(button(explorer.element, "Seven"))
        ear.hears("7 loaves. A caption.")
        explorer.figure.locator(".nb-reader").focus()
        page.keyboard.press("ArrowRight")
        assert heard(page, settle) == [("nb-unseen", "a loaf")]  # at once: it is what the key asked for
        slow.element.get_by_role("slider").press("ArrowRight")  # it does not settle before it is baked
        slow.element.locator(".nb-waiting").wait_for()
        page.clock.run_for(700)
        assert page.evaluate("heard.splice(0)") == [[ONE, "fitting …"]]
        (folder / "baked").touch()
        ear.hears("2 loaves.")
        asked = page.locator(".nb-asked")
        answers_are_heard_once(ear, *(asked.nth(k) for k in range(3)))
        assert notebook.errors == []
    for name in ("baking", "baked"):
        (folder / name).unlink()


COPIES = "05.copies"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("heard")
    keys = [item.key for item in (CHOICE, NUMBER, DRAWN, TASK)]
    toy.write(folder, [toy.Toy("CopiesExplorer", {COPIES: {}})], keys)
    return f"{folder.as_uri()}/page.html"


@pytest.fixture
def ear(browser, site, request):
    page = browser.new_page(viewport=READABLE)
    listen(page)
    page.goto(site + getattr(request, "param", ""))
    page.locator(".nb-live:not(.nb-on)").first.wait_for(state="detached")
    page.locator(".nb-explorer .nb-figure[data-frames]").first.wait_for()
    yield Ear(page, settled)
    page.close()


def test_the_site_says_every_change_once(ear):
    explorer = box(ear.page, COPIES)
    sentence, note = explorer.locator(".nb-sentence"), explorer.locator(".nb-note")
    slider = explorer.locator("[data-control='copies'] input")
    ear.press(slider, "ArrowRight")
    ear.hears(sentence.text_content())
    # Nothing is queued, and what stands under the figure follows at once.
    before = sentence.text_content()
    first = slider.evaluate(STEPS, 3)
    settled(ear.page)
    assert len({before, first, sentence.text_content()}) == 3
    ear.hears(sentence.text_content())
    ear.press(button(explorer, "Reset"))
    ear.hears(None)
    grip = explorer.locator("[data-control='k'].nb-grip").first
    grip.scroll_into_view_if_needed()
    before = sentence.text_content()
    ear.drag(grip, 80)
    ear.hears(sentence.text_content(), many=True)
    assert sentence.text_content() != before
    preset = explorer.locator(".nb-presets button").first
    ear.press(preset)
    ear.hears(f"{sentence.text_content()} {explorer.locator('.nb-caption').text_content()}")
    # So is what a draft does not hold.
    ear.press(button(explorer, "Reset"))
    ear.press(slider, "ArrowRight")
    ear.hears(sentence.text_content())
    ear.press(explorer.locator("[data-control='different'] input"), "ArrowRight")
    ear.hears("This draft of the site does not hold this combination of values.")
    # What an address asked for in vain belongs to the same words.
    ear.page.evaluate(GO, f"{COPIES}?cake=1&copies=4")
    assert "no cake=1:" in note.text_content()
    ear.hears(f"{note.text_content()} {sentence.text_content()}")


def test_an_answer_on_the_site_is_heard_once(ear):
    *asked, task = (
        ear.page.locator(f"[data-question='{item.key}'] .nb-asked") for item in (CHOICE, NUMBER, DRAWN, TASK)
    )
    answers_are_heard_once(ear, *asked)
    for hint in (TASK.help, TASK.mistakes[0].hint):
        ear.press(button(task, "Show a hint"))
        ear.hears(hint)


def test_a_phone_says_every_change_once(browser):
    page = browser.new_page(viewport=READABLE)
    listen(page)
    with a_room() as room:
        page.goto(room.phones.url)
        page.locator("#status", has_text="Nothing is put to the vote yet.").wait_for()
        page.evaluate("heard.splice(0)")
        room.put(("one", "two", "three"))
        page.locator("#options button").first.wait_for()
        page.locator("#options button").first.press("Enter")
        page.locator("#status", has_text="Your vote is counted.").wait_for()
        found = page.evaluate("heard.splice(0)")
    page.close()
    assert {region for region, _ in found} == {PHONE}
    said = [words for _, words in found if words != "Sending your vote."]
    assert said == ["Choose. You may change it until the vote closes.",
                    "Your vote is counted. Until the vote closes you may change it."]  # fmt: skip

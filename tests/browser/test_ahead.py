"""The page's store of frames that were sent ahead, with a model that stands for the kernel's."""

from pathlib import Path

import pytest

from .lab import CEILING
from .test_view import opened

pytestmark = pytest.mark.browser
SCRIPT = (Path(__file__).parents[2] / "workbook" / "explorer" / "ahead.js").read_text(encoding="utf-8")
# A model as ipywidgets gives it, a slider of ten values and a text; `kernel` shows a frame, `ahead` sends one ahead.
SETUP = """
const listeners = [], state = { at: [], figure: {}, formula: [], sentence: "", error: "", focused: "" }, saved = [];
const model = {
  get: (name) => state[name],
  set: (name, value) => { state[name] = value; },
  save_changes: () => saved.push(state.focused),
  on: (name, hears) => listeners.push([name, hears]),
  off: (name, hears) => listeners.splice(listeners.findIndex((one) => one[0] === name && one[1] === hears), 1),
};
const tell = (name, ...what) => listeners.filter((one) => one[0] === name).forEach((one) => one[1](...what));
let [n, text] = [5, "word"];
const values = [...Array(10).keys()].map((k) => k / 10);
const controls = new Map([["n", { values, now: () => values[n] + 1e-12 }], ["text", { values: [], now: () => text }]]);
const figure = (k) => ({ data: [{ y: { dtype: "i1", bdata: "b" + k } }], layout: { same: [1, 2] } });
const frame = (k) => ({ at: [k, "word"], figure: figure(k), sentence: "s" + k });
const kernel = (k) => { Object.assign(state, frame(k)); tell("change:figure"); };
const changes = (k) => [[["figure", "data", 0, "y", "bdata"], { buffer: 0 }], [["sentence"], "s" + k]];
const message = (k, base) => ({ at: [k, "word"], base: [base, "word"], changes: changes(k) });
const ahead = (k, base) => tell("msg:custom", { ahead: message(k, base) }, ["b" + k]);
const step = (k) => { n = k; return frames.moved(); };
const seen = () => { frames.arrived(); return [frames.shown("sentence"), frames.shown("figure").data[0].y.bdata]; };
const frames = framesAhead(model, () => controls);
kernel(5);
frames.focus("n");
"""


@pytest.fixture
def page(browser):
    opened = browser.new_page()
    opened.set_content("<p></p>")
    opened.add_script_tag(content=f"{SCRIPT}\n{SETUP}")
    yield opened
    opened.close()


def shows(page, k):
    return page.evaluate("() => seen()") == [f"s{k}", f"b{k}"]


def test_a_step_whose_frame_is_there_is_shown_at_once(page):
    page.evaluate("() => ahead(6, 5)")
    assert shows(page, 5)
    assert page.evaluate("() => step(6)")
    assert shows(page, 6)
    assert page.evaluate("() => frames.shown('figure').layout.same === state.figure.layout.same"), (
        "what is equal is shared"
    )
    page.evaluate("() => kernel(6)")
    assert shows(page, 6)


def test_what_stood_ready_is_not_drawn_again(page):
    page.evaluate("() => { ahead(6, 5); step(6); kernel(6); }")
    assert page.evaluate("() => [frames.arrived(), seen()[0]]") == [False, "s6"]
    assert page.evaluate("() => { step(7); kernel(7); return frames.arrived(); }"), "it did not stand ready"
    page.evaluate("() => { ahead(8, 7); step(8); kernel(7); }")
    assert page.evaluate("() => [frames.arrived(), seen()[0]]") == [False, "s8"], "an answer to an earlier step"
    assert page.evaluate("() => { Object.assign(state, frame(8), { sentence: 'other' }); return frames.arrived(); }")


def test_an_unknown_step_waits_for_the_kernel(page):
    assert not page.evaluate("() => step(6)")
    assert shows(page, 5)
    page.evaluate("() => kernel(6)")
    assert shows(page, 6)


def test_answers_to_earlier_steps_do_not_take_it_back(page):
    page.evaluate("() => [6, 7, 8].map((k) => ahead(k, 5))")
    for k in (6, 7, 8):
        assert page.evaluate("k => step(k)", k)
        assert shows(page, k)
    for k in (6, 7, 8):
        page.evaluate("k => kernel(k)", k)
        assert shows(page, 8)
    page.evaluate("() => kernel(2)")  # a preset
    page.evaluate("() => { n = 2; }")
    assert shows(page, 2)


def test_a_frame_upon_a_later_one_is_put_together(page):
    page.evaluate("() => { ahead(6, 5); step(6); kernel(6); ahead(7, 6); }")
    assert page.evaluate("() => step(7)")
    assert shows(page, 7)
    assert page.evaluate("() => step(5)"), "what was shown stays there"
    assert shows(page, 5)


def test_the_kernel_has_the_last_word(page):
    page.evaluate("() => { ahead(6, 5); step(6); Object.assign(state, frame(6), { sentence: 'other' }); }")
    assert page.evaluate("() => seen()[0]") == "other"
    page.evaluate("() => { kernel(5); ahead(7, 5); step(7); state.error = 'not allowed'; }")
    assert shows(page, 5)


def test_another_text_is_another_place(page):
    page.evaluate("() => { ahead(6, 5); text = 'other'; }")
    assert not page.evaluate("() => step(6)")


def test_a_frame_upon_an_unknown_one_is_dropped(page):
    page.evaluate("() => ahead(7, 6)")
    assert not page.evaluate("() => step(7)")


@pytest.mark.parametrize("event", ["frames.focus('')", "frames.focus('text')"])
def test_the_store_is_emptied(page, event):
    page.evaluate(f"() => {{ ahead(6, 5); {event}; }}")
    assert not page.evaluate("() => step(6)")


def test_the_store_is_bounded(page):
    kept = page.evaluate("""() => {
        const store = storeOfFrames();
        for (let k = 0; k < 100; k++) store.keep([k], { k });
        return [...Array(100).keys()].filter((k) => store.frame([k])).length;
    }""")
    assert kept == 32


def test_the_focus_is_told_once_and_nothing_stays_behind(page):
    assert page.evaluate("() => { frames.focus('n'); frames.focus(''); frames.focus(''); return saved; }") == ["n", ""]
    assert page.evaluate("() => { frames.stop(); return listeners.length; }") == 0


def test_a_place_is_that_of_the_nearest_number_or_of_the_very_value(page):
    stands = ([0.1, 0.2, 0.3], 0.1 + 0.2, 2), (["dots", "s"], "s", 1), ([False, True], True, 1), ([], "a", "a")
    for values, now, place in stands:
        assert page.evaluate("([values, now]) => standOf({ values, now: () => now })", [values, now]) == place


EXPLORER = """
from pathlib import Path
from workbook.explorers import ExtraOddsExplorer
from workbook.explorer import ahead

ahead.LONG = 1000  # s: on a busy machine any frame may take long
explorer, sent = ExtraOddsExplorer(), []
send = explorer._ahead.send

def told(content, buffers):
    send(content, buffers)
    sent.append(content["ahead"]["at"][0])
    Path("ahead").write_text(" ".join(f"K={explorer.declared['K'].values[k]}" for k in sent) + " ")

explorer._ahead.send = told
explorer
"""
MUTE = "() => { Object.getPrototypeOf(WebSocket.prototype).send = () => {}; }"


def told(folder):
    """Which frames the kernel has sent ahead."""
    file = folder / "ahead"
    return file.read_text() if file.exists() else ""


def test_a_step_needs_no_kernel_once_its_frame_is_there(browser, folder, lab):
    with opened(browser, lab, folder, EXPLORER) as notebook:
        notebook.wait_for_figures()
        explorer = notebook.explorers()[0]
        slider = explorer.sliders()[0]
        explorer.press(slider, "ArrowRight")
        explorer.wait_until_still()
        for _ in range(20 * CEILING):
            if all(f"K={k} " in told(folder) for k in (5, 6, 8)):
                break
            notebook.page.wait_for_timeout(50)
        explorer.press(slider, "ArrowRight")
        explorer.wait_until_still()  # this answer comes after those frames
        notebook.page.evaluate(MUTE)
        for k in (5, 6, 8):
            slider.press("ArrowRight")
            explorer.element.locator(".nb-sentence", has_text=f"K = {k} ").wait_for()
        slider.press("ArrowLeft")
        explorer.element.locator(".nb-sentence", has_text="K = 6 ").wait_for()
        assert notebook.errors == []

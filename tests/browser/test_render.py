"""The view of an explorer with a model that stands for the kernel's: what is shown, spoken, drawn and sent."""

import pytest

from workbook.explorer.view import SOURCE

from .test_details import CSS

pytestmark = pytest.mark.browser
# Models as ipywidgets gives them; `view` is that of an explorer with a slider n and a choice.
SETUP = """
class Model {
  constructor(state) { Object.assign(this, { state, heard: [], saved: 0, sent: [] }); }
  get widget_manager() { return { get_model: async (name) => models[name] }; }
  get(name) { return this.state[name]; }
  set(name, value) {
    if (this.state[name] === value) return;
    this.state[name] = value;
    this.tell(`change:${name}`);
  }
  on(names, hears) { for (const name of names.split(" ")) this.heard.push([name, hears]); }
  off(names, hears) {
    this.heard = this.heard.filter(([name, one]) => !(names.split(" ").includes(name) && one === hears));
  }
  tell(name, ...what) { for (const [one, hears] of [...this.heard]) if (one === name) hears(...what); }
  save_changes() { this.saved += 1; }
  send(message) { this.sent.push(message); }
}
const trace = (y) => ({ type: "scatter", mode: "markers", x: [5], y: [y], marker: { size: 10 } });
const axis = { range: [0, 10], domain: [0, 1] };
const layout = { height: 200, margin: { l: 40, r: 10, t: 20, b: 40 }, font: { size: 12 }, xaxis: axis, yaxis: axis };
const handles = [{ controls: ["n"], panel: "", axis: "y", shape: "point", x: 5, y: 5 }];
const figure = (y) => ({ data: [trace(y)], layout: { ...layout, meta: { handles: [{ ...handles[0], y }] } } });
const values = [...Array(11).keys()];
const controls = {
  n: { model: "n", label: "n", values, said: values.map((k) => `${k} loaves`) },
  kind: { model: "kind", label: "Grid", values: ["a", "b"], said: ["A or B", "B"] },
};
let models, model, undo;
const first = {
  figure: figure(5), formula: [], sentence: "five", caption: "a caption", error: "", fitting: "", share: 0,
  name: "view", controls, at: [5, 0], focused: "", plotly: false, plain: {}, moved: {}, said: 0,
};
function open(changes = {}) {
  undo?.();
  document.body.innerHTML = `<div class="nb-explorer"><div class="nb-controls">
    <div class="widget-slider"><label class="widget-label">Loaves</label><b role="slider" tabindex="0"></b>
      <span class="widget-readout" contenteditable="true">5 loaves</span></div>
    <div class="nb-grid"><div class="widget-slider"><label class="widget-label">Grid</label>
      <b role="slider" tabindex="0"></b>
      <span class="widget-readout" contenteditable="true">1</span></div></div>
    </div><div class="view" style="width:600px"></div></div><button class="outside">outside</button>`;
  model = new Model({ ...first, ...changes });
  model._handle_comm_msg = async () => {};
  models = { view: model, n: new Model({ value: 5 }), kind: new Model({ index: 0, _options_labels: ["A", "B"] }) };
  undo = render({ model, el: document.querySelector(".view") });
}
const frames = () => Number(document.querySelector(".nb-figure").dataset.frames ?? 0);
const still = async () => { for (let k = 0; k < 4; k++) await new Promise(requestAnimationFrame); };
const text = (name) => document.querySelector(`.nb-${name}`).textContent;
const dot = () => document.querySelector("[data-trace='0'] path").getAttribute("d").match(/M[\\d.]+,([\\d.]+)/)[1];
"""
ANIMATED = "async () => await still()"


@pytest.fixture(scope="module")
def opened(browser):
    page = browser.new_page()
    page.set_default_timeout(5000)
    page.set_content(f"<!doctype html><style>{CSS}</style><body></body><script>{SOURCE}\n{SETUP}</script>")
    yield page
    page.close()


@pytest.fixture
def page(opened):
    opened.mouse.move(0, 0)
    opened.evaluate("async () => { delete globalThis.Plotly; open(); await still(); }")
    return opened


def seen(page, *names):
    return page.evaluate("names => names.map(text)", list(names))


def test_the_first_frame_is_drawn_once_and_named_by_its_own_sentence(page):
    page.evaluate("open()")
    assert seen(page, "sentence", "caption", "error") == ["five", "a caption", ""]
    page.evaluate(ANIMATED)
    plot = page.locator(".nb-figure")
    assert plot.get_attribute("role") == "figure"
    assert plot.get_attribute("aria-label") == "five"
    assert plot.get_attribute("data-width") == "600"
    assert page.evaluate("[dot(), document.querySelectorAll('.nb-grip').length]") == ["90", 1]
    hidden = {
        name: not page.locator(f".nb-{name}").is_visible()
        for name in ("error", "turn", "plotly", "figure", "zoom", "row")
    }
    assert hidden == dict(error=True, turn=True, plotly=True, figure=False, zoom=False, row=False)
    assert page.evaluate("model.sent") == []


def test_a_view_leaves_its_changes_to_the_one_region_of_the_page(page):
    """It speaks for itself where the reader asked for one thing: a table to be copied, a mark to be read."""
    live = "all => all.map((e) => [e.className, e.ariaLive, e.getAttribute('role')])"
    found = page.locator(".nb-view :is([aria-live], [role=status], [role=alert], [role=log])").evaluate_all(live)
    assert sorted(found) == [["nb-numbers-said", None, "status"], ["nb-unseen", "polite", None]]


def test_a_view_without_a_figure_shows_its_words_alone(page):
    page.evaluate("open({ figure: {} })")
    assert seen(page, "sentence") == ["five"]
    assert not page.locator(".nb-figure").is_visible()
    assert not page.locator(".nb-row").is_visible()
    page.evaluate("async () => { model.set('figure', figure(2)); await still(); }")
    assert page.locator(".nb-figure").is_visible()
    assert page.evaluate("dot()") == "132"


def test_all_changes_of_one_message_are_one_frame_with_its_sentence(page):
    before = page.evaluate("frames()")
    page.evaluate(
        "async () => { model.set('figure', figure(2)); model.set('sentence', 'two'); model.set('caption', "
        "'other'); await still(); }"
    )
    assert page.evaluate("frames()") == before + 1
    assert page.locator(".nb-figure").get_attribute("aria-busy") == "false"
    assert seen(page, "sentence", "caption") == ["two", "other"]
    assert page.locator(".nb-figure").get_attribute("aria-label") == "two"
    assert page.evaluate("dot()") == "132"


def test_of_what_comes_before_the_screen_can_show_it_only_the_last_is_drawn(page):
    drawn = page.evaluate("""async () => {
        const start = frames(), busy = () => document.querySelector(".nb-figure").ariaBusy, seen = [busy()];
        for (const y of [1, 2, 3, 4]) {
            model.set("figure", figure(y));
            seen.push(busy());
            await null;
            await null;
        }
        const once = [frames() - start, dot()];
        await still();
        return [...seen, ...once, frames() - start, dot(), busy()];
    }""")
    assert drawn == [None, *["true"] * 4, 1, "146", 2, "104", "false"]


def test_the_same_words_again_are_news_and_other_words_are_said_once(page):
    count = """async (act) => {
        let seen = [];
        const observer = new MutationObserver((records) => seen.push(...records));
        observer.observe(document.body, { childList: true, subtree: true });
        act();
        await new Promise((resolve) => setTimeout(resolve, REST + 200));
        observer.disconnect();
        seen = seen.filter(({ target, addedNodes }) => target.matches(".nb-voice") && addedNodes.length);
        return seen.map(({ addedNodes }) => addedNodes[0].textContent);
    }"""
    assert page.evaluate(f"() => ({count})(() => model.set('said', 1))") == ["five a caption"]
    assert page.evaluate(
        f"() => ({count})(() => {{ model.set('sentence', 'six'); model.set('figure', figure(6)); }})"
    ) == ["six a caption"]
    assert page.evaluate(f"() => ({count})(() => model.set('figure', figure(7)))") == []


def test_an_error_stands_over_the_last_good_figure_until_it_is_mended(page):
    page.evaluate("async () => { model.set('error', 'not allowed'); await still(); }")
    plot, error = page.locator(".nb-figure"), page.locator(".nb-error")
    assert error.is_visible()
    assert error.inner_text() == "not allowed"
    assert "nb-stale" in plot.get_attribute("class")
    page.evaluate("async () => { model.set('error', ''); await still(); }")
    assert not error.is_visible()
    assert "nb-stale" not in plot.get_attribute("class")


def test_a_figure_that_cannot_be_drawn_is_said_and_the_next_one_is_drawn(page):
    page.evaluate(
        "async () => { model.set('figure', { ...figure(3), data: [{ type: 'bar', width: 1 }] }); await still(); }"
    )
    assert page.locator(".nb-error").inner_text() != ""
    page.evaluate("async () => { model.set('figure', figure(4)); await still(); }")
    assert page.locator(".nb-error").inner_text() == ""
    assert not page.locator(".nb-error").is_visible()
    assert page.evaluate("dot()") == "104"


def test_a_wait_is_shown_at_once_with_its_share(page):
    page.evaluate("() => { model.set('fitting', 'fitting …'); model.set('share', 0.25); }")
    assert seen(page, "fitting") == ["fitting …"]
    bar = page.locator(".nb-fitting progress")
    assert bar.is_visible()
    assert bar.evaluate("bar => bar.value") == 0.25
    assert page.locator(".nb-figure.nb-waiting").count() == 1
    page.evaluate("model.set('fitting', '')")
    assert not bar.is_visible()
    assert page.locator(".nb-figure.nb-waiting").count() == 0


def test_the_equation_and_the_sentence_take_turns(page):
    page.evaluate("async () => { model.set('formula', ['m = ', { value: '3', symbol: 'n' }]); await still(); }")
    turn, view = page.locator(".nb-turn"), page.locator(".nb-view")
    assert page.locator(".nb-formula").inner_text().split() == ["m", "=", "3", "n"] or seen(page, "formula")[0].split()
    assert turn.text_content() == "Equation"
    for pressed in ("true", "false"):
        turn.evaluate("button => button.click()")
        assert turn.get_attribute("aria-pressed") == pressed
        assert ("nb-equation" in view.get_attribute("class")) == (pressed == "true")
    page.evaluate("async () => { model.set('formula', []); await still(); }")
    assert turn.evaluate("button => button.hidden")


def test_a_control_is_shown_said_and_read_by_its_value_or_by_its_index(page):
    told = page.evaluate("""async () => {
        const found = await controlsOf(model), [n, kind] = ["n", "kind"].map((name) => found.get(name));
        const before = [n.now(), kind.now(), n.say(3), kind.say("b"), n.say(99), [...found.keys()]];
        n.show(8);
        kind.show("b");
        return [...before, models.n.get("value"), models.kind.get("index"), kind.now(), n.label];
    }""")
    assert told == [5, "a", "3 loaves", "B", "99", ["n", "kind"], 8, 1, "b", "n"]


def test_other_controls_are_met_when_they_come(page):
    page.evaluate("""async () => {
        models.m = new Model({ value: 1 });
        model.set("controls", { m: { model: "m", label: "m", values: [1, 2], said: ["1", "2"] } });
        await still();
    }""")
    assert page.evaluate("[models.n.heard.length, models.kind.heard.length, models.m.heard.length]") == [0, 0, 2]
    assert page.locator(".nb-grip").count() == 0, "its control is gone"


def test_what_only_plotly_draws_is_left_to_it(page):
    page.evaluate(
        "async () => { globalThis.Plotly = { react: async () => {}, purge() {} }; "
        "open({ figure: { data: [{ type: 'pie' }], layout } }); await still(); }"
    )
    assert page.evaluate("model.get('plotly')")
    assert not page.locator(".nb-figure").is_visible()
    assert not page.locator(".nb-zoom").is_visible()
    saved = page.evaluate("model.saved")
    page.evaluate("async () => { model.set('figure', { data: [{ type: 'pie', y: [1] }], layout }); await still(); }")
    assert page.evaluate("model.saved") == saved, "it is open"
    page.evaluate("async () => { model.set('figure', figure(2)); await still(); }")
    assert page.locator(".nb-figure").is_visible()
    assert page.locator(".nb-zoom").is_visible()


def test_a_library_that_fails_or_does_not_arrive_is_said(page):
    page.evaluate("""async () => {
        globalThis.Plotly = { react: async () => { throw new Error("no canvas"); }, purge() {} };
        model.set("plotly", true);
        model.set("plain", { data: [], layout: {} });
        await still();
    }""")
    assert seen(page, "error") == ["no canvas"]
    said = page.evaluate("""async () => {
        delete globalThis.Plotly;
        const wait = globalThis.setTimeout, words = [];
        let rounds = 0;
        globalThis.setTimeout = (call, ms) => { rounds += ms / 25; queueMicrotask(call); };
        const none = await plotly((word) => words.push([word, rounds]), () => rounds > 3000);
        globalThis.setTimeout = wait;
        return [words.length, words[0][0].startsWith("The drawing library has not arrived"), words[0][1], none ?? null];
    }""")
    assert said == [1, True, 2400, None]


def test_a_view_is_drawn_anew_when_its_page_is_wider_and_not_when_it_is_as_wide(page):
    before = page.evaluate("frames()")
    page.evaluate(
        "async () => { document.querySelector('.view').style.width = '500px'; await still(); await still(); }"
    )
    assert page.evaluate("[frames(), document.querySelector('.nb-figure').dataset.width]") == [before + 1, "500"]
    page.evaluate("async () => { document.querySelector('.view').style.height = '900px'; await still(); }")
    assert page.evaluate("frames()") == before + 1
    page.evaluate(
        "async () => { document.querySelector('.view').style.display = 'none'; model.set('figure', figure(2)); "
        "await still(); }"
    )
    assert page.evaluate("[frames(), document.querySelector('.nb-error').hidden]") == [before + 1, True]


def test_controls_have_names_spoken_values_and_groups_those_that_come_later_too(page):
    name = "all => all.map((e) => [e.getAttribute('aria-label'), e.getAttribute('aria-valuetext')])"
    assert page.locator("[role=slider]").evaluate_all(name) == [["Loaves", "5 loaves"], ["Grid", "1"]]
    assert page.locator(".widget-readout").evaluate_all("all => all.map((e) => e.isContentEditable)") == [True, False]
    page.evaluate("""async () => {
        document.querySelector(".widget-readout").textContent = "6";
        const late = document.querySelector(".widget-slider").cloneNode(true);
        late.querySelector("[role=slider]").removeAttribute("aria-label");
        late.querySelector("label").textContent = "Late";
        document.querySelector(".nb-controls").append(late);
        await still();
        late.querySelector("[role=slider]").setAttribute("aria-valuetext", "0.6");
        await still();
        late.querySelector(".widget-readout").firstChild.data = "7"; // typed into it
        await still();
    }""")
    assert page.locator("[role=slider]").evaluate_all(name) == [["Loaves", "6"], ["Grid", "1"], ["Late", "7"]]
    widths = "e => (e.style.display = 'inline-block', ['B', 'A or B'].map((t) => (e.textContent = t, e.offsetWidth)))"
    assert len(set(page.locator(".nb-grid .widget-readout").evaluate(widths))) == 1, "a slider keeps its length"


def test_keys_are_kept_and_the_focus_is_told(page):
    slider = page.locator("[role=slider]").first
    slider.focus()
    assert slider.get_attribute("data-lm-suppress-shortcuts") == "true"
    assert page.evaluate("model.get('focused')") == "n"
    page.locator(".outside").focus()
    assert page.evaluate("model.get('focused')") == ""
    assert page.locator(".outside").get_attribute("data-lm-suppress-shortcuts") is None


def test_what_was_missed_before_the_widget_started_is_asked_for(page):
    seen_ = page.evaluate("""async () => {
        const asked = [];
        class Late extends Model { async _handle_comm_msg(message) { asked.push(message); } }
        class Failed extends Late {}
        const failed = new Failed({ ...first });
        failed._handle_comm_msg = async () => { throw new Error("timed out"); };
        let listener;
        failed.comm = { on_msg: (hears) => (listener = hears) };
        models.view = failed;
        const own = new Model({ name: "view" });
        await hear(own);
        listener("message");
        models.view = new Late({});
        const ready = new Model({ name: "view" });
        await hear(ready);
        return [own.sent, ready.sent, asked];
    }""")
    assert seen_ == [[{"missed": True}], [], ["message", {"content": {"data": {"method": "none"}}}]]


def test_marks_and_terms_of_the_view_find_each_other(page):
    page.evaluate("""async () => {
        const f = figure(5);
        f.data[0] = { ...f.data[0], meta: { mark: "dot" }, hovertemplate: "here<extra></extra>" };
        f.layout.meta.handles = [];
        model.set("formula", ["y = ", { value: "5", symbol: "y", mark: "dot" }]);
        model.set("figure", f);
        await still();
    }""")
    box = page.locator(".nb-stage").bounding_box()
    page.mouse.move(box["x"] + 40 + 275, box["y"] + 90)
    assert page.locator(".nb-words").inner_text() == "here"
    assert page.locator(".nb-lit").count() == 1


def test_nothing_stays_behind_when_the_view_is_gone(page):
    page.evaluate("globalThis.Plotly = { purge: (element) => (globalThis.purged = element.className) }")
    assert page.evaluate("[model.heard.length, models.n.heard.length] .every((n) => n > 0)")
    before = page.evaluate("frames()")
    page.evaluate("() => { undo(); undo = null; }")
    assert page.evaluate("[model.heard.length, models.n.heard.length, models.kind.heard.length]") == [0, 0, 0]
    assert page.evaluate("purged") == "nb-plotly"
    assert page.locator(".nb-details").count() == 0
    page.locator("[role=slider]").nth(1).focus()
    assert page.locator("[role=slider]").nth(1).get_attribute("data-lm-suppress-shortcuts") is None
    assert page.evaluate("model.get('focused')") == ""
    page.evaluate("""async () => {
        document.querySelector(".view").style.width = "400px";
        document.querySelector(".nb-controls").append(document.querySelector(".widget-slider").cloneNode(true));
        document.querySelector(".nb-controls").lastChild.querySelector("b").removeAttribute("aria-label");
        document.querySelector(".widget-readout").textContent = "changed";
        await still();
    }""")
    assert page.evaluate("[frames(), document.querySelector('.nb-figure').ariaBusy]") == [before, None]
    assert page.locator("[role=slider]").last.get_attribute("aria-label") is None
    assert page.locator("[role=slider]").first.get_attribute("aria-valuetext") == "5 loaves"

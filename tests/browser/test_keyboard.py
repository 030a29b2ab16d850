"""A chapter by keyboard alone: run it, answer it, move all that moves, read it; and a page of the site."""

import re
from itertools import product

import nbformat
import pytest

from workbook.explorer.view import FOLDER as PAGE
from workbook.learning import contents
from workbook.questions.exercises import Exercise
from workbook.site.packs.starts import explorer_classes

from ..site import toy
from .keys import UNREACHED, Keys
from .lab import READABLE, Notebook, settle
from .test_site_player import settled

pytestmark = pytest.mark.browser
CHAPTER = "00_start_here.ipynb"
FOCUS = PAGE / "focus.js"
TASK = {"01/from-logs": contents("01")["01/from-logs"]}
ASKED = ["00/positive", "00/negative", "01/from-logs", "00/two-tests"]
ASKS = re.compile(r'^(?:predict|exercise)\("(.+)"\)$')
OUTPUTS = ".jp-OutputArea-output :is(.nb-asked, .nb-explorer .nb-figure[data-frames])"
INSIDE = "box => box.contains(document.activeElement)"
GRIPS = """box => [...box.querySelectorAll(".nb-over [data-control]")]
    .map((e) => [e.dataset.control, e.getAttribute("style")])"""


class Reader:
    """Works through what a page shows, from one stop of the Tab key to the next."""

    def __init__(self, page, settle):
        self.page, self.settle, self.keys, self.plotly = page, lambda: settle(page), Keys(page), False

    def said(self, box):
        self.settle()
        return box.locator(".nb-sentence").last.text_content()

    def explore(self, box):
        """Use each control once, by its own keys; every grip moves with one of them."""
        still = {control for control, _ in box.evaluate(GRIPS)}
        while not self.keys.tab()["ours"]:
            pass  # the notebook's own tools for this cell
        while self.keys.stop["ours"] and box.evaluate(INSIDE):
            stop, before = self.keys.stop, box.evaluate(GRIPS)
            self.use(box, stop)
            assert self.keys.look()["at"] == stop["at"], f"{stop} keeps the focus"
            still -= {was[0] for was, now in zip(before, box.evaluate(GRIPS), strict=False) if was != now}
            self.keys.tab()
        assert still == set(), "what can be dragged follows a key, too"
        assert box.evaluate(UNREACHED) == []
        while not self.keys.tab(back=True)["ours"]:
            pass
        assert self.keys.stop["at"] == stop["at"], "the way back"

    def use(self, box, stop):
        """What a reader does at such a stop, and what must come of it."""
        page, kind = self.page, stop["kind"]
        sentence = box.locator(".nb-sentence").first
        if kind == "slider":
            before, said = self.value(), sentence.text_content()
            for key in ("ArrowRight", "ArrowLeft"):
                page.keyboard.press(key)
                self.settle()
                if self.value() != before:
                    break
            assert self.value() != before
            assert sentence.text_content() != said
        elif stop["name"] == "Open in plotly":
            if not self.plotly:  # it takes a second
                self.plotly = True
                page.keyboard.press("Enter")
                box.locator(".nb-plotly .main-svg").first.wait_for()
                page.keyboard.press("Enter")
                box.locator(".nb-plotly").wait_for(state="hidden")
        elif stop["name"] == "Numbers":
            page.keyboard.press("Enter")
            assert box.locator(".nb-table td").first.text_content()
            page.keyboard.press("Enter")
            box.locator(".nb-table").wait_for(state="detached")
        elif kind in ("button", "select"):
            page.keyboard.press("Enter" if kind == "button" else "ArrowDown")
            self.settle()
            title = page.evaluate("document.activeElement.title")
            if kind == "button" and title and stop["name"] != "Reset":
                assert box.locator(".nb-caption").text_content() == title
        elif kind == "checkbox":
            page.keyboard.press("Space")
            self.settle()
        elif kind == "readout":
            typed = stop["name"].replace(".", ",")  # as a German keyboard has it
            page.keyboard.press("Control+A")
            page.keyboard.type(typed)
            page.keyboard.press("Enter")
            self.settle()
            assert page.evaluate("document.activeElement.textContent") == stop["name"]
        elif kind == "figure":
            page.keyboard.press("ArrowRight")
            assert box.locator(".nb-words:not([hidden])").text_content()
            page.keyboard.press("Escape")
        elif kind == "term":
            assert page.evaluate("document.activeElement.matches('.nb-lit')")
        elif kind != "a":
            raise AssertionError(f"a control of an unknown kind: {stop}")

    def value(self):
        return self.page.evaluate("(e => e.getAttribute('aria-valuetext') + (e.value ?? ''))(document.activeElement)")

    def predict(self, box, item):
        keys = self.keys
        if item.drawn:
            for _ in range(len(item.drawn.computed())):
                keys.tab_to("slider")
                keys.press("End")
        elif item.options:
            keys.tab_to("radio")
            keys.press("Space", "ArrowDown")
            keys.tab_to("select")
            keys.press("ArrowDown", "ArrowDown")
        else:
            keys.tab_to("text")
            keys.replace("1")
        keys.tab_to("button", "Reveal")
        self.settle()
        keys.press("Enter")
        answer = [1.0] * len(item.drawn.computed()) if item.drawn else list(item.options)[1] if item.options else "1"
        assert self.said(box) == item.judge(answer)[0]
        # what is answered by a choice or a drawing has no buttons: the focus goes on within, on a marked option too
        label, *_ = re.split("[✓✗]", keys.look()["name"])
        assert label in (item.options or ["Reveal"]) or (item.drawn and keys.stop["ours"])

    def solve(self, box, item):
        """Wrong, with the hint that fits; right; then the book's own solution."""
        keys = self.keys
        keys.tab_to("text")
        slip = item.mistakes[0]
        for typed, said in (
            (f"{float(slip.answer()):.9g}", f"Not yet. {slip.hint}"),
            (f"{float(item.expected()):.6g}", f"Right. {item.well_done}"),
        ):
            keys.replace(typed)
            keys.press("Enter")
            assert self.said(box) == said
        keys.tab_to("button", "Check")
        keys.tab_to("button", "Show solution")
        keys.press("Enter")
        box.locator("pre", has_text="answer").wait_for()
        assert keys.look()["name"] == "Show solution"

    def hint(self, box, item):
        """Of a task in code: on the site its hints, in both places its solution."""
        if box.get_by_role("button", name="Show a hint").count():
            self.keys.tab_to("button", "Show a hint")
            for _ in range(1 + len(item.mistakes)):
                self.keys.press("Enter")
            self.settle()
        else:
            self.keys.tab_to("button", "Show solution")
        assert self.keys.look()["name"] == "Show solution", "where the last hint was, the focus goes on"
        self.keys.press("Enter")
        box.locator("pre", has_text="def").wait_for()

    def answer(self, box, item):
        if not isinstance(item, Exercise):
            self.predict(box, item)
        elif item.evaluate is None:
            self.solve(box, item)
        else:
            self.hint(box, item)


@pytest.fixture
def chapter(folder, thorough):
    """A copy for this test alone: what is typed there is saved. The first section and the last, or all with --slow."""
    path, page = folder / "by_keys.ipynb", nbformat.read(folder / CHAPTER, 4)
    names = [cell.id for cell in page.cells]
    task = ['exercise("01/from-logs")', 'def answer(log_joint):\n    return ...\n\n\ncheck("01/from-logs", answer)']
    rest = page.cells[names.index("odds") : names.index("takeaway")] if thorough else []
    page.cells[names.index("odds") : names.index("takeaway")] = [*rest, *map(nbformat.v4.new_code_cell, task)]
    nbformat.write(page, path)
    yield path.name
    path.unlink()


def test_a_chapter_by_keys(browser, lab, chapter, thorough):
    context = browser.new_context(viewport=READABLE, locale="de-DE")
    notebook = Notebook(context.new_page(), lab, chapter)
    page, reader = notebook.page, Reader(notebook.page, settle)
    keys, items, done, explored = reader.keys, contents("00") | TASK, [], []
    cells = page.locator(".jp-Cell")
    assert keys.look()["kind"] == "cell"
    for k in range(cells.count()):
        assert (keys.look()["kind"], keys.stop["cell"]) == ("cell", k)
        cell = cells.nth(k)
        source = cell.locator(".cm-content").inner_text() if "jp-CodeCell" in cell.get_attribute("class") else ""
        if task := re.search(r'check\("(.+)", \w+\)', source):
            keys.press("Enter")  # into the cell: a task in code is typed
            assert keys.stop["kind"] == "div"
            keys.replace(f"{items[task[1]].solution}\n\ncheck({task[1]!r}, answer)")
            keys.press("Escape")
        if source:
            page.keyboard.press("Control+Enter")
        asks = ASKS.match(source)
        if asks or source.startswith(("BayesRule", "Repeated")):
            cell.locator(OUTPUTS).first.wait_for()
            settle(page)
            box = cell.locator(".nb-asked, .nb-explorer").first
            if asks:
                reader.answer(box, items[asks[1]])
            elif thorough or not explored:  # in every run the first of them
                reader.explore(box)
            keys.press("Escape")  # back to the cell
            (done if asks else explored).append(asks[1] if asks else k)
        elif task:
            cell.locator(".jp-OutputArea-output", has_text="Right.").wait_for()
        if k + 1 < cells.count():
            keys.press("ArrowDown")
    notebook.wait_idle()
    assert (done, len(explored)) == (list(items), 3) if thorough else (len(done), len(explored)) == (3, 1)
    assert notebook.error_outputs == []
    all_asked, asked = (sum(not isinstance(items[key], Exercise) for key in keys) for keys in (items, done))
    progress = cells.nth(cells.count() - 2).locator(".jp-OutputArea-output").inner_text()
    made = re.search(rf"Chapter 00: (\d) of {all_asked} predictions made", progress)
    assert int(made[1]) >= asked, "some may have been made by another test"
    assert notebook.errors == []
    context.close()


def test_a_page_of_the_site_by_keys(browser, tmp_path):
    items = {key: item for key, item in contents("00").items() if key in ASKED}
    controls = explorer_classes()["BayesRuleExplorer"].declared
    near = [values[max(0, at - 2) : at + 3] for values, at in
            ((control.values, control.values.index(control.default)) for control in controls.values())]  # fmt: skip
    states = tuple(dict(zip(controls, values, strict=True)) for values in product(*near))
    toy.write(tmp_path, [toy.Toy("BayesRuleExplorer", {"00.bayesrule": {}}, states)], list(items))
    page = browser.new_page(viewport=READABLE, locale="de-DE")
    page.goto(f"{tmp_path.as_uri()}/page.html")
    page.locator(".nb-live:not(.nb-on)").first.wait_for(state="detached")
    page.locator(".nb-figure[data-frames]").last.wait_for()
    reader = Reader(page, settled)
    reader.explore(page.locator(".nb-explorer").first)
    for key, item in items.items():
        reader.answer(page.locator(f"[data-question='{key}'] .nb-asked"), item)
    reader.keys.tab_to("button", "Import")
    for box in page.locator(".nb-explorer, .nb-asked").all():
        assert box.evaluate(UNREACHED) == []
    reader.keys.tab_to("button", "Ten times as common", back=True, most=80)
    page.close()


def test_the_focus_waits_for_what_takes_the_place_of_a_button(browser):
    page = browser.new_page()
    page.set_content("<div id=box><div id=row><button>Check</button></div></div>")
    page.add_script_tag(path=FOCUS)
    page.evaluate("() => void keepFocus(box)")
    page.locator("button").focus()
    page.evaluate("row.firstChild.style.display = 'none'")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.evaluate("row.insertAdjacentHTML('beforeend', '<input>')")
    page.wait_for_function("() => document.activeElement.matches('input')", timeout=5000)
    page.close()

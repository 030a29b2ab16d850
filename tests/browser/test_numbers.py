"""Numbers: under every figure the tables of what it shows: each number, each name, by keyboard, copied, printed."""

import json
import re
from html import unescape
from itertools import chain

import numpy as np
import pytest

from workbook import explorers
from workbook.page import theme
from workbook.page.draw import as_text, drawable
from workbook.site.player.script import parts, site_style

from ..site import toy
from .served import WIDE
from .test_draw import many
from .test_draw import plain as arrays_of
from .test_site_pages import faults_by_axe
from .test_site_player import box, reading
from .test_view import EXPLORER
from .test_view import opened as notebook_of

pytestmark = pytest.mark.browser
NAMES = [name for name in explorers.__all__ if name.endswith("Explorer")]
HOSTILE = "<img src=x onerror=alert(1)>"
# A figure whose tables are open: {copied} holds what was put on the clipboard, {asked} how often the figure was read.
BENCH = """
    globalThis.copied = [];
    globalThis.asked = 0;
    const clipboard = (value) => Object.defineProperty(navigator, "clipboard", { configurable: true, value });
    clipboard({ writeText: async (text) => copied.push(text) });
    const [button, panel] = ["button", ".nb-numbers"].map((one) => document.querySelector(one));
    const numbers = attachNumbers(button, panel, () => (asked++, shown));
"""
# Of every table what is shown; then all that its Copy puts on the clipboard.
SEEN = """async (figure) => {
    shown = figure;
    copied.length = 0;
    if (panel.hidden) button.click();
    else (button.click(), button.click());
    for (const one of panel.querySelectorAll(".nb-table + div > button:last-child")) one.click();
    await new Promise(requestAnimationFrame);
    return [...panel.querySelectorAll("table")].map((table, k) => ({
        caption: table.caption.textContent,
        heads: [...table.tHead.rows[0].cells].map((cell) => cell.textContent),
        scopes: [...new Set([...table.querySelectorAll("th")].map((cell) => cell.scope))],
        rows: [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent)),
        copied: copied[k].split("\\n").map((line) => line.split("\\t")),
    }));
}"""


@pytest.fixture(scope="module")
def page(browser):
    opened = browser.new_page(viewport=WIDE)
    opened.set_content(
        f"<!doctype html><html lang=en><title>Numbers</title><style>{site_style()}</style><main class='nb-view'>"
        f"<h1>Numbers</h1><button></button><div class='nb-numbers'></div></main>"
        f"<script>let shown = null; {parts()['draw']}{BENCH}</script>"
    )
    yield opened
    opened.close()


def of(traces, x=None, y=None, title="Bread"):
    """A figure of one panel, as the page has it."""
    axes = [dict(range=[0, 10]) | (axis or {}) for axis in (x, y)]
    return as_text(drawable(theme.figure([[theme.Panel(title, traces, *axes)]])))


def seen(page, *panel, **more):
    """The tables of such a figure."""
    return page.evaluate(SEEN, of(*panel, **more))


# --- every explorer: its tables against the arrays of its figure -----------------------------------------------------


def bare(text):
    """A label as it is read."""
    text = re.sub(r"</?(?:b|i|sub|sup)>", "", re.sub(r"<br ?/?>", " ", str(text or "")))
    return " ".join(unescape(text).split())


def number(cell):
    words = {"no value": np.nan, "infinity": np.inf, "minus infinity": -np.inf}
    try:
        return words[cell] if cell in words else float(cell)
    except ValueError:
        return cell


def named(axis, values):
    """What an axis calls values: the text of the tick where they stand, or of the one that bars stand beside."""
    ticks, texts = axis.get("tickvals"), axis.get("ticktext")
    if ticks is None or texts is None or not all(np.equal(np.mod(ticks, 1), 0)):
        return None
    found = [[bare(text) for tick, text in zip(ticks, texts, strict=True) if abs(tick - v) < 0.45] for v in values]
    names = [one[0] for one in found if one and one[0] and not re.fullmatch(r"[-−+]?[\d.,]+", one[0])]
    return names if len(names) == len(values) else None


def told(trace):
    """Whether readers are told anything of a trace."""
    says = trace.get("hovertemplate") and trace.get("hoverinfo") != "skip"
    return bool(says or trace.get("name") or (trace.get("meta") or {}).get("mark")) or trace["type"] != "scatter"


def same(cells, wanted):
    """Cells as they were copied, number by number."""
    if len(cells) != len(wanted):
        return False
    return all(a == b or (isinstance(a, float) and isinstance(b, float) and np.isnan(a) and np.isnan(b))
               for a, b in zip(cells, wanted, strict=True))  # fmt: skip


def held(trace, layout, columns):
    """Whether a long trace stands in a column: its heights, or across if it lies, in order; or their names."""
    number_ = trace["xaxis"][1:]
    for letter in "xy":
        values = [np.nan if v is None else float(v) for v in np.asarray(trace[letter], dtype=object)]
        there = [v for v in values if not np.isnan(v)]
        for wanted in (values, there, named(layout[f"{letter}axis{number_}"], there)):
            if wanted and any(same(column, wanted) for column in columns):
                return True
    return False


def words_of(trace):
    """What marks say that are no numbers of their places."""
    template = many(trace.get("hovertemplate"), 1, "")[0] or ""
    return re.search(r"%\{(text|customdata)", template) is not None


def intervals(trace):
    """From, to, a gap; and so on."""
    gaps = np.isnan(np.asarray(trace["x"], dtype=float) + np.asarray(trace["y"], dtype=float))
    return len(gaps) % 3 == 0 and gaps[2::3].all() and gaps.sum() == len(gaps) / 3


def is_map(table, z):
    """Whether the columns of a table are those of a map, behind one for its heads."""
    return len(table) == z.shape[1] + 1 and all(
        same(column, [float(value) for value in z[:, c]]) for c, column in enumerate(table[1:])
    )


@pytest.mark.parametrize("name", NAMES)
def test_every_number_of_a_figure_stands_in_its_tables(page, name):
    explorer = getattr(explorers, name)()
    figure = explorer.draw(explorer.compute(**explorer.state))
    said = arrays_of(figure)
    tables = page.evaluate(SEEN, as_text(drawable(figure)))
    layout, checked = said["layout"], 0
    for table in tables:
        assert table["scopes"] == ["col", "row"]
        assert table["copied"][0] == [re.sub(r"\s+", " ", head) for head in table["heads"]]
        assert all(table["heads"])
        assert len({len(row) for row in table["copied"]}) == 1
        assert len(table["rows"]) == min(len(table["copied"]) - 1, max(20, 3000 // len(table["heads"])))
        for shown, whole in zip(table["rows"], table["copied"][1:], strict=False):
            for short, long in zip(shown, map(number, whole), strict=True):
                if isinstance(long, float) and np.isfinite(long):
                    said_ = float(short.replace("−", "-").replace(",", "").rstrip("%"))
                    assert said_ == pytest.approx(long, rel=0.06, abs=0.05) or short.endswith("%")
    captions = [table["caption"] for table in tables]
    assert len(set(captions)) == len(captions)
    titles = [bare(note["text"]) for note in layout["annotations"] if note.get("name") == "title"]
    assert all(any(caption.startswith(title) for title in titles) for caption in captions)
    cells = [[list(map(number, column)) for column in zip(*table["copied"][1:], strict=True)] for table in tables]
    columns = list(chain.from_iterable(cells))
    for trace in filter(told, said["data"]):
        if trace["type"] == "heatmap":
            assert any(is_map(table, np.asarray(trace["z"], dtype=float)) for table in cells)
        elif trace["type"] != "contour" and len(trace["x"]) > 2 and not (intervals(trace) or words_of(trace)):
            counted = any(len(trace["x"]) in column for column in columns)
            assert held(trace, layout, columns) or counted, trace.get("name")
        checked += 1
    assert checked
    assert page.evaluate("() => panel.querySelectorAll('img, script').length") == 0


# --- what a table says -----------------------------------------------------------------------------------------------


LINE = dict(type="scatter", mode="lines")
DOTS = dict(type="scatter", mode="markers")


def test_traces_that_share_their_places_stand_side_by_side(page):
    x = np.array([0, 1, 2.5])
    heights = dict(rye=np.array([0.25, 1 / 3, 1e-9]), spelt=np.array([1, 2, 12345.678]))
    traces = [LINE | dict(x=x, y=y, name=name) for name, y in heights.items()]
    (table,) = seen(page, traces, dict(title="hours"), dict(title="grams"))
    assert table["caption"] == "Bread"
    assert table["heads"] == ["hours", "rye: grams", "spelt: grams"]
    assert table["rows"] == [["0", "0.25", "1"], ["1", "0.3333", "2"], ["2.5", "1.000e−9", "12345.7"]]
    assert table["copied"][1:] == [["0", "0.25", "1"], ["1", "0.3333333333333333", "2"], ["2.5", "1e-9", "12345.678"]]


def test_numbers_are_said_as_their_marks_say_them(page):
    words = "%{fullData.name}, %{x}: %{y:.2f}<extra></extra>"
    (table,) = seen(page, [LINE | dict(x=[1, 2, 3], y=[0.123456, 1e-7, 0], name="rye", hovertemplate=words)])
    assert [row[1] for row in table["rows"]] == ["0.12", "1.000e−7", "0.00"], "what is not 0 does not look like 0"


def test_bars_beside_each_other_stand_at_the_name_of_their_place(page):
    x = dict(tickvals=[0, 1], ticktext=["<b>rye</b>", "a &lt; b"])
    bars = dict(old=[-0.2, 0.8], new=[0.2, 1.2])
    (table,) = seen(page, [dict(type="bar", x=at, y=[1, 2], name=name) for name, at in bars.items()], x)
    assert table["heads"] == ["category", "old", "new"]
    assert table["copied"][1:] == [["rye", "1", "1"], ["a < b", "2", "2"]]


def test_a_lying_bar_is_read_along_and_from_where_it_starts(page):
    bar = dict(type="bar", orientation="h", y=[0, 1], x=[2, -1], base=[0, 2], name="odds")
    (table,) = seen(page, [bar], None, dict(tickvals=[0, 1], ticktext=["prior", "sum"]))
    assert table["copied"] == [["category", "odds", "odds, starting at"], ["prior", "2", "0"], ["sum", "-1", "2"]]


def test_what_is_not_finite_is_a_word(page):
    values = np.array([np.nan, np.inf, -np.inf, 1])
    (table,) = seen(page, [LINE | dict(x=np.arange(4), y=values, name="rye")])
    assert [row[1] for row in table["rows"]] == ["no value", "infinity", "minus infinity", "1"]
    assert [row[1] for row in table["copied"][1:]] == ["no value", "infinity", "minus infinity", "1"]


def test_a_map_has_its_axes_as_heads(page):
    z = np.array([[1.0, 2, 3], [4, 5, np.nan]])
    heat = dict(type="heatmap", x=[0, 1, 2], y=[10, 20], z=z, colorscale=[[0, "#000000"], [1, "#ffffff"]])
    (table,) = seen(page, [heat], dict(title="width"), dict(title="height"))
    assert table["heads"] == ["height \\ width", "0", "1", "2"]
    assert table["rows"] == [["10", "1", "2", "3"], ["20", "4", "5", "no value"]]


def test_single_marks_and_straight_lines_have_a_row_each(page):
    dot = DOTS | dict(x=[1], y=[2], hovertemplate="the pair: %{x} and %{y:.1f}<extra></extra>")
    level = LINE | dict(x=[0, 10], y=[3, 3], name="printed")
    part = LINE | dict(x=[4, 4], y=[1, 2], name="gap")
    guide = LINE | dict(x=[0, 10], y=[0, 10], hoverinfo="skip")
    (table,) = seen(page, [guide, dot, level, part], dict(title="a"), dict(title="b"))
    assert table["heads"] == ["mark", "a", "b"]
    rows = [["the pair", "1", "2.0"], ["printed", "all along", "3"], ["gap", "4", "1 to 2"]]
    assert table["rows"] == rows, "the guide says nothing"


def test_marks_that_only_their_number_tells_apart_are_counted(page):
    hidden, dot = dict(showticklabels=False), DOTS | dict(hovertemplate="%{fullData.name}<extra></extra>")
    people = dict(ill=[0, 1, 2], well=[3])
    (table,) = seen(page, [dot | dict(x=x, y=x, name=name) for name, x in people.items()], hidden, hidden)
    assert table["rows"] == [["ill", "3"], ["well", "1"]]
    assert table["heads"] == ["mark", "how many"]


def test_intervals_have_two_ends(page):
    ends = LINE | dict(x=[1, 1, np.nan, 2, 2, np.nan], y=[3, 4, np.nan, 5, 6, np.nan], name="luck")
    error = DOTS | dict(x=[1, 2, 3], y=[1, 2, 3], name="mean", error_y=dict(array=[0.5, 0.25, 0.125]))
    first, second = seen(page, [ends, error])
    assert first["copied"] == [["x", "luck, from", "luck, to"], ["1", "3", "4"], ["2", "5", "6"]]
    assert second["copied"] == [["x", "mean", "mean, ±"], ["1", "1", "0.5"], ["2", "2", "0.25"], ["3", "3", "0.125"]]


def test_what_was_typed_is_text(page):
    dots = DOTS | dict(x=[0, 1, 2], y=[1, 2, 3], name=HOSTILE, hovertemplate="%{customdata}<extra></extra>")
    (table,) = seen(page, [dots | dict(customdata=[HOSTILE, "a\tb", "c\nd"])], title=HOSTILE.replace("<", "&lt;"))
    assert HOSTILE in table["heads"][1]
    assert [row[2] for row in table["copied"][1:]] == [HOSTILE, "a b", "c d"], "a tab would be another cell"
    assert page.locator(".nb-numbers img").count() == 0


def test_a_figure_of_plotlys_own_has_its_numbers_too(page):
    (table,) = page.evaluate(SEEN, dict(data=[dict(type="violin", y=[0, 1, 2], name="rye")], layout={}))
    assert table["copied"] == [["no.", "rye"], ["1", "0"], ["2", "1"], ["3", "2"]]


# --- how it is used --------------------------------------------------------------------------------------------------


LONG = [LINE | dict(x=np.arange(5000), y=np.arange(5000) / 3, name="rye")]


def test_a_long_table_says_how_long_it_is_and_shows_all_on_request(page):
    (table,) = seen(page, LONG)
    assert (len(table["rows"]), len(table["copied"])) == (1500, 5001)
    assert page.get_by_text("The first 1500 of 5000 rows; Copy takes all.").is_visible()
    page.get_by_role("button", name="Show all rows of Bread").click()
    assert page.locator(".nb-table tbody tr").count() == 5000
    assert not page.get_by_text("The first 1500").is_visible()


def test_closed_it_costs_nothing_and_open_it_follows(page):
    seen(page, LONG)
    page.evaluate("() => { button.click(); asked = 0; for (let k = 0; k < 50; k++) numbers.drawn(); }")
    page.wait_for_timeout(250)
    assert page.evaluate("asked") == 0
    assert page.locator(".nb-numbers table").count() == 0
    page.evaluate("() => { button.click(); asked = 0; for (let k = 0; k < 50; k++) numbers.drawn(); }")
    page.wait_for_timeout(250)
    assert page.evaluate("asked") == 1, "fifty frames in a moment are one table"
    page.evaluate("(figure) => { shown = figure; numbers.drawn(); }", of([LINE | dict(x=[0, 1, 2], y=[7, 8, 9])]))
    page.locator(".nb-table td", has_text=re.compile("^7$")).wait_for()
    assert page.locator(".nb-table tbody tr").count() == 3


def test_by_keyboard_from_the_button_to_the_last_row(page):
    seen(page, LONG)
    page.evaluate("button.click()")
    page.locator("button").first.focus()
    assert page.evaluate("button.getAttribute('aria-expanded')") == "false"
    page.keyboard.press("Enter")
    assert page.evaluate("button.getAttribute('aria-expanded')") == "true"
    assert page.evaluate("document.getElementById(button.getAttribute('aria-controls')) === panel")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Bread"
    page.keyboard.press("End")
    page.wait_for_function("document.activeElement.scrollTop > 1000")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_role("status").get_by_text("Copied 5000 rows of “Bread”, ready to paste into a spreadsheet.").wait_for()


def test_where_the_clipboard_is_refused_the_table_is_selected(page):
    seen(page, [LINE | dict(x=[0, 1, 2], y=[1, 2, 3], name="rye")])
    page.evaluate("() => (globalThis.kept = navigator.clipboard, clipboard(undefined))")
    page.get_by_role("button", name="Copy Bread").click()
    page.get_by_role("status").get_by_text("Your browser does not let this page copy.").wait_for()
    assert page.evaluate("getSelection().toString()").split() == ["Bread", "x", "rye", "0", "1", "1", "2", "2", "3"]
    page.evaluate("() => (clipboard(kept), getSelection().removeAllRanges())")


@pytest.mark.parametrize("light", ["true", "false"])
def test_axe_finds_nothing_in_the_tables(page, light):
    seen(page, LONG)
    paper = {"true": "#fff", "false": "#111"}[light]
    page.evaluate(f"() => (document.body.dataset.jpThemeLight = '{light}', document.body.style.background = '{paper}')")
    found = faults_by_axe(page)
    page.evaluate("() => (delete document.body.dataset.jpThemeLight, (document.body.style.background = ''))")
    assert found == []


def test_on_paper_the_whole_table_stands_without_buttons(page):
    seen(page, LONG)
    page.emulate_media(media="print")
    high, whole = page.locator(".nb-table").evaluate("(e) => [e.clientHeight, e.scrollHeight]")
    buttons = page.locator(".nb-numbers button:visible").count()
    page.emulate_media(media="screen")
    assert high == whole > 10_000
    assert buttons == 0


# --- on the page of the notebook, and of the site --------------------------------------------------------------------


def test_in_jupyterlab_the_table_opens_follows_and_is_copied(browser, folder, lab):
    with notebook_of(browser, lab, folder, EXPLORER) as notebook:
        page = notebook.page
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        explorer = notebook.explorers()[0]
        page.locator(".nb-figure[data-frames]").wait_for()
        button = explorer.element.get_by_role("button", name="Numbers")
        explorer.press(button, "Enter")
        cells = explorer.element.locator(".nb-table tbody :is(th, td)")
        assert cells.all_inner_texts() == ["Bread", "all along", "0 to 1"]
        explorer.press(explorer.sliders()[0], "ArrowRight")
        explorer.element.locator(".nb-table td", has_text="0 to 2").wait_for()
        explorer.click("Copy")
        assert page.evaluate("navigator.clipboard.readText()").splitlines()[-1].endswith("0 to 2")
        assert explorer.error() == ""
        assert notebook.errors == []


@pytest.fixture(scope="module")
def copies(tmp_path_factory):
    written = tmp_path_factory.mktemp("numbers")
    toy.write(written, [toy.Toy("CopiesExplorer", {"05.copies": {}})], [])
    return written


def test_on_the_site_the_tables_are_those_of_the_state_shown(browser, copies):
    with reading(browser, copies.as_uri()) as page:
        explorer = box(page, "05.copies")
        button = explorer.get_by_role("button", name="Numbers")
        button.focus()
        page.keyboard.press("Enter")
        assert explorer.get_by_text("This page keeps numbers as finely as the figure shows them").is_visible()
        rows = explorer.locator(".nb-table").first.locator("tbody tr")
        kernel = explorers.CopiesExplorer()

        def wanted():
            trace = arrays_of(kernel.draw(kernel.compute(**kernel.state)))["data"][1]
            return [f"{value:.3f}" for value in trace["y"]]

        column = "(rows) => rows.map((row) => row.cells[2].textContent)"
        assert rows.evaluate_all(column) == wanted()
        slider = explorer.locator("[data-control] input[type=range]").first
        slider.focus()
        page.keyboard.press("ArrowRight")
        kernel.set(**{name: json.loads(value) for name, value in [changed(explorer, kernel)]})
        page.wait_for_timeout(300)
        assert rows.evaluate_all(column) == wanted()


def changed(explorer, kernel):
    """The name and the value of the first slider."""
    control = explorer.locator("[data-control]:has(input[type=range])").first
    name, index = control.get_attribute("data-control"), int(control.locator("input").input_value())
    return name, json.dumps(kernel.declared[name].values[index])


def test_a_lecture_has_no_room_for_it(browser, copies):
    with reading(browser, copies.as_uri(), "?lecture") as page:
        page.locator(".nb-explorer .nb-figure[data-frames]").wait_for()
        assert page.get_by_role("button", name="Numbers").count() == 0
        assert page.locator(".nb-numbers table").count() == 0

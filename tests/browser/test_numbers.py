"""Numbers: under every figure the tables of what it shows: each number, each name, by keyboard, copied, printed."""

import json
import re

import numpy as np
import pytest

from workbook import explorers
from workbook.draw import as_text, drawable
from workbook.explorer import theme

from ..site import toy
from .everyone import faults
from .tables import SEEN
from .test_draw import plain as arrays_of
from .test_site_player import box, reading

pytestmark = pytest.mark.browser
HOSTILE = "<img src=x onerror=alert(1)>"


def of(traces, x=None, y=None, title="Bread"):
    """A figure of one panel, as the page has it."""
    axes = [dict(range=[0, 10]) | (axis or {}) for axis in (x, y)]
    return as_text(drawable(theme.figure([theme.Panel(title, traces, *axes)])))


def seen(page, *panel, **more):
    """The tables of such a figure."""
    return page.evaluate(SEEN, of(*panel, **more))


# --- what a table says -----------------------------------------------------------------------------------------------


LINE = dict(type="scatter", mode="lines")
DOTS = dict(type="scatter", mode="markers")


def test_traces_that_share_their_places_stand_side_by_side(desk):
    x = np.array([0, 1, 2.5])
    heights = dict(rye=np.array([0.25, 1 / 3, 1e-9]), spelt=np.array([1, 2, 12345.678]))
    traces = [LINE | dict(x=x, y=y, name=name) for name, y in heights.items()]
    (table,) = seen(desk, traces, dict(title="hours"), dict(title="grams"))
    assert table["caption"] == "Bread"
    assert table["heads"] == ["hours", "rye: grams", "spelt: grams"]
    assert table["rows"] == [["0", "0.25", "1"], ["1", "0.3333", "2"], ["2.5", "1.000e−9", "12345.7"]]
    assert table["copied"][1:] == [["0", "0.25", "1"], ["1", "0.3333333333333333", "2"], ["2.5", "1e-9", "12345.678"]]


def test_numbers_are_said_as_their_marks_say_them(desk):
    words = "%{fullData.name}, %{x}: %{y:.2f}<extra></extra>"
    (table,) = seen(desk, [LINE | dict(x=[1, 2, 3], y=[0.123456, 1e-7, 0], name="rye", hovertemplate=words)])
    assert [row[1] for row in table["rows"]] == ["0.12", "1.000e−7", "0.00"], "what is not 0 does not look like 0"


def test_bars_beside_each_other_stand_at_the_name_of_their_place(desk):
    x = dict(tickvals=[0, 1], ticktext=["<b>rye</b>", "a &lt; b"])
    bars = dict(old=[-0.2, 0.8], new=[0.2, 1.2])
    (table,) = seen(desk, [dict(type="bar", x=at, y=[1, 2], name=name) for name, at in bars.items()], x)
    assert table["heads"] == ["category", "old", "new"]
    assert table["copied"][1:] == [["rye", "1", "1"], ["a < b", "2", "2"]]


def test_a_lying_bar_is_read_along_and_from_where_it_starts(desk):
    bar = dict(type="bar", orientation="h", y=[0, 1], x=[2, -1], base=[0, 2], name="odds")
    (table,) = seen(desk, [bar], None, dict(tickvals=[0, 1], ticktext=["prior", "sum"]))
    assert table["copied"] == [["category", "odds", "odds, starting at"], ["prior", "2", "0"], ["sum", "-1", "2"]]


def test_a_line_that_goes_up_and_to_and_fro_is_read_from_below(desk):
    (table,) = seen(desk, [LINE | dict(x=[3, 1, 2], y=[0, 1, 2], name="rye")])
    assert table["copied"] == [["y", "rye"], ["0", "3"], ["1", "1"], ["2", "2"]]


def test_what_is_not_finite_is_a_word(desk):
    values = np.array([np.nan, np.inf, -np.inf, 1])
    (table,) = seen(desk, [LINE | dict(x=np.arange(4), y=values, name="rye")])
    assert [row[1] for row in table["rows"]] == ["no value", "infinity", "minus infinity", "1"]
    assert [row[1] for row in table["copied"][1:]] == ["no value", "infinity", "minus infinity", "1"]


def test_a_map_has_its_axes_as_heads(desk):
    z = np.array([[1.0, 2, 3], [4, 5, np.nan]])
    heat = dict(type="heatmap", x=[0, 1, 2], y=[10, 20], z=z, colorscale=[[0, "#000000"], [1, "#ffffff"]])
    (table,) = seen(desk, [heat], dict(title="width"), dict(title="height"))
    assert table["heads"] == ["height \\ width", "0", "1", "2"]
    assert table["rows"] == [["10", "1", "2", "3"], ["20", "4", "5", "no value"]]


def test_single_marks_and_straight_lines_have_a_row_each(desk):
    dot = DOTS | dict(x=[1], y=[2], hovertemplate="the pair: %{x} and %{y:.1f}<extra></extra>")
    level = LINE | dict(x=[0, 10], y=[3, 3], name="printed")
    part = LINE | dict(x=[4, 4], y=[1, 2], name="gap")
    guide = LINE | dict(x=[0, 10], y=[0, 10], hoverinfo="skip")
    (table,) = seen(desk, [guide, dot, level, part], dict(title="a"), dict(title="b"))
    assert table["heads"] == ["mark", "a", "b"]
    rows = [["the pair", "1", "2.0"], ["printed", "all along", "3"], ["gap", "4", "1 to 2"]]
    assert table["rows"] == rows, "the guide says nothing"


def test_marks_that_only_their_number_tells_apart_are_counted(desk):
    hidden, dot = dict(showticklabels=False), DOTS | dict(hovertemplate="%{fullData.name}<extra></extra>")
    people = dict(ill=[0, 1, 2], well=[3])
    (table,) = seen(desk, [dot | dict(x=x, y=x, name=name) for name, x in people.items()], hidden, hidden)
    assert table["rows"] == [["ill", "3"], ["well", "1"]]
    assert table["heads"] == ["mark", "how many"]


def test_intervals_have_two_ends(desk):
    ends = LINE | dict(x=[1, 1, np.nan, 2, 2, np.nan], y=[3, 4, np.nan, 5, 6, np.nan], name="luck")
    (first,) = seen(desk, [ends])
    (lying,) = seen(desk, [ends | dict(x=ends["y"], y=ends["x"])])
    assert lying["copied"] == [["y", "luck, from", "luck, to"], ["1", "3", "4"], ["2", "5", "6"]]
    assert first["copied"] == [["x", "luck, from", "luck, to"], ["1", "3", "4"], ["2", "5", "6"]]


def test_what_marks_say_beside_their_place_is_a_column(desk):
    told = DOTS | dict(x=[0, 1, 2], y=[1, 2, 3], name="rye", customdata=[0, 1, 2], text=["sown", "grown", "cut"])
    (table,) = seen(desk, [told | dict(hovertemplate="day %{customdata}: %{text}<extra></extra>")])
    assert table["copied"][1:] == [["0", "1", "day 0: sown"], ["1", "2", "day 1: grown"], ["2", "3", "day 2: cut"]]
    (table,) = seen(desk, [told | dict(hovertemplate="day %{customdata}<extra></extra>")])
    assert table["copied"][1:] == [["0", "1"], ["1", "2"], ["2", "3"]], "which says the place again"
    (table,) = seen(desk, [told | dict(hovertemplate="day %{customdata}<extra></extra>", customdata=[0, 1, 7])])
    assert table["copied"][1:] == [["0", "1", "day 0"], ["1", "2", "day 1"], ["2", "3", "day 7"]], "one says another"


def test_without_a_range_a_name_is_that_of_its_own_place(desk):
    axis = dict(tickvals=[0.25, 0.5], ticktext=["quarter", "half"])
    for x, first in (([0.25, 0.5], ["category", "quarter", "half"]), ([0.256, 0.5], ["no.", "1", "2"])):
        bars = dict(type="bar", x=x, y=[1, 2], name="rye")
        (table,) = desk.evaluate(SEEN, dict(data=[bars], layout=dict(xaxis=axis)))
        assert [row[0] for row in table["copied"]] == first


def test_a_title_is_that_of_its_own_panel(desk):
    axes = dict(range=[0, 10])
    line = LINE | dict(x=[0, 1, 2], y=[2, 3, 5])
    panels = [theme.Panel("rye", [line | dict(name="rye")], axes | {"title": "hours"}, axes | {"title": "grams"}),
              theme.Panel("oats", [line | dict(name="oats")], axes, axes)]  # fmt: skip
    tables = desk.evaluate(SEEN, as_text(drawable(theme.figure(panels))))
    assert [table["heads"][0] for table in tables] == ["hours", "x"]
    assert ["grams" in table["heads"][1] for table in tables] == [True, False]


def test_what_was_typed_is_text(desk):
    dots = DOTS | dict(x=[0, 1, 2], y=[1, 2, 3], name=HOSTILE, hovertemplate="%{customdata}<extra></extra>")
    (table,) = seen(desk, [dots | dict(customdata=[HOSTILE, "a\tb", "c\nd"])], title=HOSTILE.replace("<", "&lt;"))
    assert HOSTILE in table["heads"][1]
    assert [row[2] for row in table["copied"][1:]] == [HOSTILE, "a b", "c d"], "a tab would be another cell"
    assert desk.locator(".nb-numbers img").count() == 0


# --- how it is used --------------------------------------------------------------------------------------------------


LONG = [LINE | dict(x=np.arange(2000), y=np.arange(2000) / 3, name="rye")]


def test_a_long_table_says_how_long_it_is_and_shows_all_on_request(desk):
    (table,) = seen(desk, LONG)
    assert (len(table["rows"]), len(table["copied"])) == (1500, 2001)
    assert desk.get_by_text("The first 1500 of 2000 rows; Copy takes all.").is_visible()
    desk.get_by_role("button", name="Show all rows of Bread").click()
    assert desk.locator(".nb-table tbody tr").count() == 2000
    assert not desk.get_by_text("The first 1500").is_visible()


def test_closed_it_costs_nothing_and_open_it_follows(desk):
    seen(desk, LONG)
    desk.evaluate("() => { button.click(); asked = 0; for (let k = 0; k < 50; k++) numbers.drawn(); }")
    desk.wait_for_timeout(250)
    assert desk.evaluate("asked") == 0
    assert desk.locator(".nb-numbers table").count() == 0
    desk.evaluate("() => { button.click(); asked = 0; for (let k = 0; k < 50; k++) numbers.drawn(); }")
    desk.wait_for_timeout(250)
    assert desk.evaluate("asked") == 1, "fifty frames in a moment are one table"
    desk.evaluate("(figure) => { shown = figure; numbers.drawn(); }", of([LINE | dict(x=[0, 1, 2], y=[7, 8, 0.25])]))
    desk.locator(".nb-table td", has_text=re.compile("^0.25$")).wait_for()
    assert desk.locator(".nb-table tbody tr").count() == 3


def test_by_keyboard_from_the_button_to_the_last_row(desk):
    seen(desk, LONG)
    desk.evaluate("button.click()")
    desk.locator("button").first.focus()
    assert desk.evaluate("button.getAttribute('aria-expanded')") == "false"
    desk.keyboard.press("Enter")
    assert desk.evaluate("button.getAttribute('aria-expanded')") == "true"
    assert desk.evaluate("document.getElementById(button.getAttribute('aria-controls')) === panel")
    desk.keyboard.press("Tab")
    assert desk.evaluate("document.activeElement.getAttribute('aria-label')") == "Bread"
    desk.keyboard.press("End")
    desk.wait_for_function("document.activeElement.scrollTop > 1000")
    desk.keyboard.press("Tab")
    desk.keyboard.press("Tab")
    desk.keyboard.press("Enter")
    desk.get_by_role("status").get_by_text("Copied 2000 rows of “Bread”, ready to paste into a spreadsheet.").wait_for()


def test_where_the_clipboard_is_refused_the_table_is_selected(desk):
    seen(desk, [LINE | dict(x=[0, 1, 2], y=[1, 2, 3], name="rye")])
    desk.evaluate("() => (globalThis.kept = navigator.clipboard, clipboard(undefined))")
    desk.get_by_role("button", name="Copy Bread").click()
    desk.get_by_role("status").get_by_text("Your browser does not let this page copy.").wait_for()
    assert desk.evaluate("getSelection().toString()").split() == ["Bread", "x", "rye", "0", "1", "1", "2", "2", "3"]
    desk.evaluate("() => (clipboard(kept), getSelection().removeAllRanges())")


@pytest.mark.parametrize("light", ["true", "false"])
def test_axe_finds_nothing_in_the_tables(desk, light):
    seen(desk, [LINE | dict(x=np.arange(40), y=np.arange(40), name="rye")])  # it scrolls
    paper = {"true": "#fff", "false": "#111"}[light]
    desk.evaluate(f"() => (document.body.dataset.jpThemeLight = '{light}', document.body.style.background = '{paper}')")
    found = faults(desk)
    desk.evaluate("() => (delete document.body.dataset.jpThemeLight, (document.body.style.background = ''))")
    assert found == []


def test_on_paper_the_whole_table_stands_without_buttons(desk):
    seen(desk, LONG)
    desk.emulate_media(media="print")
    high, whole = desk.locator(".nb-table").evaluate("(e) => [e.clientHeight, e.scrollHeight]")
    buttons = desk.locator(".nb-numbers button:visible").count()
    desk.emulate_media(media="screen")
    assert high == whole > 10_000
    assert buttons == 0


# --- on the site; in JupyterLab: test_view.py ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def simplex(tmp_path_factory):
    written = tmp_path_factory.mktemp("numbers")
    toy.write(written, [toy.Toy("SimplexExplorer", {"03.simplex": {}})], [])
    return written


def test_on_the_site_the_tables_are_those_of_the_state_shown(browser, simplex):
    with reading(browser, simplex.as_uri()) as page:
        explorer = box(page, "03.simplex")
        button = explorer.get_by_role("button", name="Numbers")
        button.focus()
        page.keyboard.press("Enter")
        assert explorer.get_by_text("This page keeps numbers as finely as the figure shows them").is_visible()
        rows = explorer.locator(".nb-table", has_text="upper u").locator("tbody tr")
        kernel = explorers.SimplexExplorer()

        def wanted():
            traces = arrays_of(kernel.draw(kernel.compute(**kernel.state)))["data"]
            (y,) = (trace["y"] for trace in traces if trace.get("name") == "these shares")
            return [f"{value:.3f}" for value in y]

        column = "(rows) => rows.map((row) => row.cells[3].textContent)"
        assert (before := rows.evaluate_all(column)) == wanted()
        slider = explorer.locator("[data-control] input[type=range]").first
        slider.focus()
        page.keyboard.press("ArrowRight")
        kernel.set(**{name: json.loads(value) for name, value in [changed(explorer, kernel)]})
        page.wait_for_timeout(300)
        assert rows.evaluate_all(column) == wanted() != before


def changed(explorer, kernel):
    """The name and the value of the first slider."""
    control = explorer.locator("[data-control]:has(input[type=range])").first
    name, index = control.get_attribute("data-control"), int(control.locator("input").input_value())
    return name, json.dumps(kernel.declared[name].values[index])

"""What the drawing module draws is what the figure says: count, place, colour and text of every mark, in Chromium."""

import re
from base64 import b64decode

import numpy as np
import pytest
from scipy.spatial import cKDTree

from workbook.draw import script
from workbook.explorer import theme

from . import tables as tables_under
from .figures import NAMES, call, figures

pytestmark = pytest.mark.browser
WIDTH = 880
SEEN = """([figure, width]) => {
    if (!canDraw(figure)) return null;
    draw(document.body.firstChild, figure, width);
    const mark = (e) => Object.assign({tag: e.localName, text: e.textContent},
        Object.fromEntries(["d", "fill", "stroke", "x", "y"].map((name) => [name, e.getAttribute(name)])));
    return {
        traces: Object.fromEntries([...document.querySelectorAll("[data-trace]")].map(
            (g) => [g.dataset.trace, [...g.children].filter((e) => !e.matches(".nb-casing")).map(mark)])),
        rasters: document.querySelectorAll("canvas").length,
        notes: [...document.querySelectorAll(".nb-notes > div")].map((e) => e.innerText),
        legend: [...document.querySelectorAll(".nb-legend > span")].map((e) => e.innerText.trim()),
    };
}"""
NUMBER = r"-?\d+(?:\.\d+)?"


@pytest.fixture(scope="module")
def page(browser):
    opened = browser.new_page()
    opened.set_content(f"<!doctype html><div></div><script>{script()}</script>")
    yield opened
    opened.close()


class Axis:
    """From data to pixels, as the layout says: plotly's rules, written a second time."""

    def __init__(self, layout, letter, number):
        axis, margin = layout[f"{letter}axis{number}"], layout["margin"]
        self.low, self.high = axis["range"]
        self.log = axis.get("type") == "log"
        a, b = axis["domain"]
        if letter == "x":
            room = WIDTH - margin["l"] - margin["r"]
            self.start, self.end = margin["l"] + a * room, margin["l"] + b * room
        else:
            room = layout["height"] - margin["t"] - margin["b"]
            top = margin["t"] - layout.get("meta", {}).get("legend", 0)  # it stands above the drawing
            self.start, self.end = top + (1 - a) * room, top + (1 - b) * room

    def to(self, values):
        values = np.asarray(values, dtype=float)
        with np.errstate(divide="ignore", invalid="ignore"):
            u = np.log10(values) if self.log else values
        return self.start + (u - self.low) / (self.high - self.low) * (self.end - self.start)


def axes_of(layout, trace):
    number = trace["xaxis"][1:]
    x, y = Axis(layout, "x", number), Axis(layout, "y", number)
    if "scaleanchor" in layout[f"yaxis{number}"]:  # one unit is as long on either: a side shrinks
        unit = min(abs((axis.end - axis.start) / (axis.high - axis.low)) for axis in (x, y))
        for axis in (x, y):
            middle, half = (axis.start + axis.end) / 2, unit * abs(axis.high - axis.low) / 2
            sign = 1 if axis.end > axis.start else -1
            axis.start, axis.end = middle - sign * half, middle + sign * half
    return x, y


def plain(figure):
    """The figure as dicts with numpy arrays."""

    def array(value):
        if isinstance(value, dict) and "bdata" in value:
            return decoded(value)
        if isinstance(value, dict):
            return {key: array(item) for key, item in value.items()}
        return [array(item) for item in value] if isinstance(value, list | tuple) else value

    return array(figure)


def decoded(value):
    flat = np.frombuffer(b64decode(value["bdata"]), dtype=value["dtype"])
    return flat.reshape([int(n) for n in value["shape"].split(",")]) if "shape" in value else flat


def said_color(drawn):
    """What the figure says; black and white follow the page's theme."""
    return re.sub(r"var\(--nb-[\w-]+, (.*)\)", r"\1", drawn)


def vertices(path):
    """Absolute points of a path of M and L."""
    return np.array([[float(x), float(y)] for x, y in re.findall(rf"[ML]({NUMBER}),({NUMBER})", path)]).reshape(-1, 2)


def many(value, n, none):
    return [none if value is None else value[i % len(value)] if isinstance(value, list | np.ndarray) else value
            for i in range(n)]  # fmt: skip


def starts(symbol, x, y, r):
    """Where the path of a marker begins."""
    d = r / 2**0.5
    return {
        "circle": (x - r, y), "square": (x - r, y - r), "diamond": (x, y - 1.3 * r), "triangle-up": (x, y - 1.155 * r),
        "x": (x, y - d), "star": (x, y - 1.4 * r), "cross-thin": (x - 1.4 * r, y), "x-thin": (x - r, y - r),
        "line-ns": (x, y - 1.4 * r), "line-ew": (x - 1.4 * r, y),
    }[symbol.removesuffix("-open")]  # fmt: skip


def same_places(found, wanted):
    """Every point of either list has one of the other within a tenth of a pixel."""
    assert len(found) == len(wanted)
    if len(wanted):
        for one, other in ((found, wanted), (wanted, found)):
            assert cKDTree(one).query(other)[0].max() < 0.1


def check_markers(trace, xs, ys, marks):
    marker, n = trace.get("marker", {}), len(xs)
    sizes, symbols = many(marker.get("size"), n, 6), many(marker.get("symbol"), n, "circle")
    colors = many(marker.get("color"), n, trace.get("line", {}).get("color", "#000000"))
    strokes = many(marker.get("line", {}).get("color"), n, None)
    colors = [s or c if "thin" in symbol else c for c, s, symbol in zip(colors, strokes, symbols, strict=True)]
    wanted = {}
    for x, y, size, symbol, color in zip(xs, ys, sizes, symbols, colors, strict=True):
        if np.isfinite(x + y) and size > 0:
            wanted.setdefault(color.lower(), []).append((*starts(symbol, x, y, size / 2), "thin" in symbol))
    found = {}
    for mark in marks:
        color = mark["stroke"] if mark["fill"] == "none" else mark["fill"]
        color = said_color(color).lower()
        pieces = [tuple(map(float, m)) for m in re.findall(rf"M({NUMBER}),({NUMBER})", mark["d"])]
        found.setdefault(color, []).extend(pieces)
    assert found.keys() == wanted.keys()
    for color, places in wanted.items():
        each = found[color][::2] if places[0][2] else found[color]
        assert len(each) == len(places)
        same_places(each, [place[:2] for place in places])


def check_scatter(trace, layout, marks):
    ax, ay = axes_of(layout, trace)
    xs, ys = ax.to(trace["x"]), ay.to(trace["y"])
    mode = trace.get("mode", "lines+markers")
    paths = [mark for mark in marks if mark["tag"] == "path"]
    texts = [mark["text"] for mark in marks if mark["tag"] == "text"]
    if trace.get("fill", "none") != "none":
        area = paths.pop(0)
        assert said_color(area["fill"]) == trace["fillcolor"]
        assert area["d"].endswith("Z")
    if "lines" in mode:
        line = paths.pop(0)
        assert said_color(line["stroke"]) == trace["line"].get("color", "#000000")
        there = np.isfinite(xs + ys)
        if trace["line"].get("shape") != "hv":
            np.testing.assert_allclose(vertices(line["d"]), np.column_stack([xs, ys])[there], atol=0.02)
    for bars in ("error_x", "error_y"):
        if bars in trace:
            error = paths.pop(0)
            assert (error["d"] or "").count("M") == 3 * np.isfinite(trace[bars]["array"] + xs + ys).sum()
    if "markers" in mode:
        check_markers(trace, xs, ys, paths)
    if "text" in mode:
        assert texts == [re.sub(r"</?b>", "", str(t)) for t in many(trace["text"], len(xs), "")]


def check_bars(trace, layout, marks):
    ax, ay = axes_of(layout, trace)
    lying = trace.get("orientation") == "h"
    along, across, values, seats = (ax, ay, trace["x"], trace["y"]) if lying else (ay, ax, trace["y"], trace["x"])
    n = len(values)
    base, half = np.array(many(trace.get("base"), n, 0.0), dtype=float), np.array(many(trace.get("width"), n, 0.8)) / 2
    ends = along.to(base + np.asarray(values))
    sides = across.to(np.asarray(seats) - half), across.to(np.asarray(seats) + half)
    wanted = [(float(end), float(a)) for end, a in zip(ends, sides[0], strict=True) if np.isfinite(end)]
    number = rf"({NUMBER})"
    pattern = rf"M{number},{number}H{number}V{number}" if lying else rf"M{number},{number}V{number}H{number}"
    found = []
    for mark in (mark for mark in marks if mark["tag"] == "path"):
        for x, y, end, _ in re.findall(pattern, mark["d"]):
            found.append((float(end), float(y if lying else x)))
    same_places(found, wanted)
    colors = set(many(trace["marker"].get("color"), n, "#000000"))
    plain_fills = {mark["fill"] for mark in marks if mark["tag"] == "path" and mark["fill"].startswith(("#", "rgba"))}
    assert plain_fills <= colors
    shown = [] if trace.get("textposition") == "none" else trace.get("text", [])
    assert [mark["text"] for mark in marks if mark["tag"] == "text"] == list(map(str, shown))


@pytest.mark.parametrize("name", NAMES)
def test_every_mark_is_drawn_where_the_figure_has_it(page, name):
    for _, figure, text in figures(name):
        seen = call(page, SEEN, [text, WIDTH])
        assert seen is not None, "it falls back to plotly"
        said = plain(figure)
        layout, checked = said["layout"], 0
        for index, trace in enumerate(said["data"]):
            marks = seen["traces"][str(index)]
            if trace["type"] == "scatter":
                check_scatter(trace, layout, marks)
            elif trace["type"] == "bar":
                check_bars(trace, layout, marks)
            checked += 1
        assert checked == len(said["data"])
        assert seen["rasters"] == sum(trace["type"] == "heatmap" for trace in said["data"])
        texts = [re.sub(r"</?\w+>", "", note["text"].replace("<br>", " ")) for note in layout.get("annotations", ())]
        assert [note.replace("\xa0", " ").split() for note in seen["notes"]] == [text.split() for text in texts]
        named = [trace for trace in said["data"] if trace.get("showlegend", True) and trace.get("name")]
        named = sorted(named, key=lambda trace: trace.get("legendrank", 1000)) if layout.get("showlegend", True) else []
        assert seen["legend"] == [re.sub(r"</?\w+>", "", trace["name"]) for trace in named]


@pytest.mark.parametrize("name", NAMES)
def test_every_number_of_a_figure_stands_in_its_tables(desk, name):
    """Here, where the figures are made: the other tests of tables are in test_numbers.py."""
    _, figure, text = figures(name)[0]
    tables = call(desk, tables_under.SEEN, text)
    assert tables
    for table in tables:
        tables_under.well_made(table)
    tables_under.all_told(tables, plain(figure))


BOXES = """([figure, width]) => {
    const root = document.body.firstChild;
    draw(root, figure, width);
    return [...root.nbView.panels.values()].map(({box, x, y}) => [box, x.range, y.range, Boolean(y.scaleanchor)]);
}"""


@pytest.mark.parametrize("name", NAMES)
def test_one_unit_of_a_map_is_as_long_on_either_axis_at_every_width(page, name):
    """On a page, on a phone, in a lecture; a map lies within the place of its panel."""
    for size, widths in ((theme.PAGE, (1180, 880, 640, 390, 274)), (theme.LECTURE, (1200, 640))):
        for preset, figure, text in figures(name, size):
            axes = [axis for name, axis in figure["layout"].items() if name.startswith("yaxis")]
            maps = ["scaleanchor" in axis for axis in axes]
            for width in widths if any(maps) else ():
                seen = call(page, BOXES, [text, width])
                assert [equal for *_, equal in seen] == maps
                for (left, _, wide, high), xs, ys, equal in seen:
                    assert left >= 0
                    assert left + wide <= width
                    if equal:
                        assert abs(wide / np.ptp(xs) / (high / np.ptp(ys)) - 1) < 0.002, (size, width, preset)
                        assert min(wide, high) >= 70, (size, width, preset)


def test_a_figure_that_leaves_its_look_to_plotly_is_left_to_plotly(page):
    trace = dict(type="scatter", x=[1], y=[1])
    axes = dict(xaxis=dict(range=[0, 2]), yaxis=dict(range=[0, 2]))
    whole = dict(height=300, margin=dict(l=40, r=10, t=40, b=40), font=dict(size=13)) | axes
    assert page.evaluate("canDraw", dict(data=[trace], layout=whole))
    for lacking in ("height", "margin", "font"):
        layout = {name: value for name, value in whole.items() if name != lacking}
        assert not page.evaluate("canDraw", dict(data=[trace], layout=layout))
    assert not page.evaluate("canDraw", dict(data=[trace], layout=whole | dict(xaxis={})))
    assert not page.evaluate("canDraw", dict(data=[dict(type="pie", values=[1, 2])], layout=whole))


def test_what_is_typed_is_shown_as_text(page):
    trace = dict(type="scatter", x=[1], y=[1], xaxis="x", yaxis="y", name="<img src=x onerror=alert(1)>")
    note = dict(text="<b>&lt;b&gt;</b><script>x</script>", x=0, y=1, xref="paper", yref="paper")
    layout = dict(height=300, margin=dict(l=40, r=10, t=40, b=40), font=dict(size=13), annotations=[note])
    layout |= dict(xaxis=dict(range=[0, 2]), yaxis=dict(range=[0, 2]))
    seen = page.evaluate(SEEN, [dict(data=[trace], layout=layout), WIDTH])
    assert seen["legend"] == ["<img src=x onerror=alert(1)>"]
    assert seen["notes"] == ["<b><script>x</script>"]
    assert page.locator("img").count() == 0


@pytest.mark.parametrize("width", [22, 120])
def test_a_figure_without_room_has_no_negative_width(page, width):
    """A page that is being folded away is a few pixels wide for a moment."""
    figure = figures("NomogramExplorer")[0].text
    said = []
    page.on("console", lambda message: message.type == "error" and said.append(message.text))
    page.evaluate(SEEN, [figure, width])
    widths = page.evaluate('[...document.querySelectorAll("rect")].map((e) => Number(e.getAttribute("width")))')
    assert said == []
    assert min(widths) >= 0

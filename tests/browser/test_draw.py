"""What the drawing module draws is what the figure says: count, place, colour and text of every mark, in Chromium."""

import re
from base64 import b64decode

import numpy as np
import pytest

from workbook.draw import script

from . import tables as tables_under
from .figures import NAMES, call, figures

pytestmark = pytest.mark.browser
WIDTH = 880
SEEN = """([figure, width]) => {
    if (!canDraw(figure)) return null;
    draw(document.body.firstChild, figure, width);
    const look = (e) => ["fill", "stroke"].map((name) => e.getAttribute(name));
    const side = (boxes, name, size, pick) => pick(...boxes.map((box) => box[name] + (size ? box[size] : 0)));
    const mark = (g) => {
        const paths = [...g.children].filter((e) => e.matches("path[d]:not(.nb-casing)"));
        const [boxes, { min, max }] = [paths.map((e) => e.getBBox()), Math];
        const ends = [["x", "", min], ["y", "", min], ["x", "width", max], ["y", "height", max]];
        return {
            box: ends.map((end) => side(boxes, ...end)),
            looks: paths.flatMap(look),
        };
    };
    return {
        traces: Object.fromEntries(
            [...document.querySelectorAll("[data-trace]")].map((g) => [g.dataset.trace, mark(g)])),
        rasters: document.querySelectorAll("canvas").length,
        notes: [...document.querySelectorAll(".nb-notes > div")].map((e) => e.innerText),
        legend: [...document.querySelectorAll(".nb-legend > span")].map((e) => e.innerText.trim()),
    };
}"""


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


def many(value, n, none):
    return [none if value is None else value[i % len(value)] if isinstance(value, list | np.ndarray) else value
            for i in range(n)]  # fmt: skip


def corners(trace, layout):
    """Pixels of the points of a trace, or of two corners of its bars, (n, 2); and the sizes of its markers, (n,)."""
    ax, ay = axes_of(layout, trace)
    if trace["type"] == "scatter":
        n, mode = len(trace["x"]), trace.get("mode", "lines+markers")
        sizes = np.array(many(trace.get("marker", {}).get("size"), n, 6), dtype=float)
        there = (sizes > 0) | ("lines" in mode) if "markers" in mode else np.full(n, True)
        places = np.column_stack([ax.to(trace["x"]), ay.to(trace["y"])])
        keep = there & np.isfinite(places).all(axis=1)
        return places[keep], sizes[keep] if "markers" in mode else np.zeros(keep.sum())
    lying = trace.get("orientation") == "h"
    along, across, values, seats = (ax, ay, trace["x"], trace["y"]) if lying else (ay, ax, trace["y"], trace["x"])
    n = len(values)
    base, half = np.array(many(trace.get("base"), n, 0.0), dtype=float), np.array(many(trace.get("width"), n, 0.8)) / 2
    starts = np.where(along.log & ~(base > 0), 10.0 ** min(along.low, along.high), base)
    ends = [(along.to(starts), across.to(seats - half)), (along.to(base + values), across.to(seats + half))]
    places = np.concatenate([np.column_stack(end if lying else end[::-1]) for end in ends])
    return places[np.isfinite(places).all(axis=1)], np.zeros(1)


def check_reach(trace, layout, drawn):
    """The marks of a trace reach to the outermost of its values, and no further than their own size."""
    places, sizes = corners(trace, layout)
    if len(places) < 2:
        return
    left, top, right, bottom = drawn["box"]
    wanted = np.array([*places.min(axis=0), -places.max(axis=0)[0], -places.max(axis=0)[1]])
    room = wanted - [left, top, -right, -bottom]
    wide = 0.75 * sizes.max(initial=0) + 1
    assert (room >= -0.6).all(), (trace.get("name"), room)
    assert (room <= wide).all(), (trace.get("name"), room)
    if trace["type"] == "scatter" and "lines" in trace.get("mode", "lines+markers"):
        assert trace["line"].get("color", "#000000") in map(said_color, filter(None, drawn["looks"]))


@pytest.mark.parametrize("name", NAMES)
def test_every_mark_is_drawn_where_the_figure_has_it(page, name):
    for _, figure, text, _ in figures(name):
        seen = call(page, SEEN, [text, WIDTH])
        assert seen is not None, "it falls back to plotly"
        said = plain(figure)
        layout, checked = said["layout"], 0
        for index, trace in enumerate(said["data"]):
            if trace["type"] in ("scatter", "bar"):
                check_reach(trace, layout, seen["traces"][str(index)])
            checked += 1
        assert checked == len(said["data"])
        assert seen["rasters"] == sum(trace["type"] == "heatmap" for trace in said["data"])
        texts = [re.sub(r"</?\w+>", "", note["text"].replace("<br>", " ")) for note in layout.get("annotations", ())]
        assert [note.replace("\xa0", " ").split() for note in seen["notes"]] == [text.split() for text in texts]
        named = [trace for trace in said["data"] if trace.get("showlegend", True) and trace.get("name")]
        named = named if layout.get("showlegend", True) else []
        assert seen["legend"] == [re.sub(r"</?\w+>", "", trace["name"]) for trace in named]


@pytest.mark.parametrize("name", NAMES)
def test_every_number_of_a_figure_stands_in_its_tables(desk, name):
    """Here, where the figures are made: the other tests of tables are in test_numbers.py."""
    _, figure, text, _ = figures(name)[0]
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
    """A map lies within the place of its panel."""
    for preset, figure, text, _ in figures(name):
        axes = [axis for name, axis in figure["layout"].items() if name.startswith("yaxis")]
        maps = ["scaleanchor" in axis for axis in axes]
        for width in (1180, 880, 640, 390, 274) if any(maps) else ():
            seen = call(page, BOXES, [text, width])
            assert [equal for *_, equal in seen] == maps
            for (left, _, wide, high), xs, ys, equal in seen:
                assert left >= 0
                assert left + wide <= width
                if equal:
                    assert abs(wide / np.ptp(xs) / (high / np.ptp(ys)) - 1) < 0.002, (width, preset)
                    assert min(wide, high) >= 70, (width, preset)


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
    figure = figures("BirdsExplorer")[0].text
    said = []
    page.on("console", lambda message: message.type == "error" and said.append(message.text))
    page.evaluate(SEEN, [figure, width])
    widths = page.evaluate('[...document.querySelectorAll("rect")].map((e) => Number(e.getAttribute("width")))')
    assert said == []
    assert min(widths) >= 0

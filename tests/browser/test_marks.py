"""The drawing module on small figures that have what the explorers' may lack. Asked by property: a mark reaches to the
values of its trace, marks of equal value look equal. `test_draw.py` looks at every mark of the explorers' figures."""

from base64 import b64encode
from itertools import product
from math import floor, log10

import numpy as np
import pytest

from tests.explorer.tokens import read_colors
from workbook.draw import script

from .test_details import CSS, luminance

pytestmark = pytest.mark.browser
WIDTH, SIZE = 450, 10  # 40 px of x and 20 px of y are one unit
INK = "var(--nb-ink, #000000)"
DRAW = """([figure, width, keep]) => {
    const root = document.querySelector(".nb-figure");
    if (!keep) delete root.nbView;
    draw(root, figure, width);
}"""
ALL = """all => all.map((e) => ({ tag: e.localName, text: e.textContent,
    ...Object.fromEntries([...e.attributes].map(({ name, value }) => [name, value])) }))"""

INK_PIXEL = [*bytes.fromhex(read_colors("light")["ink"][1:]), 255]  # black on a page


@pytest.fixture(scope="module")
def page(browser):
    opened = browser.new_page()
    opened.set_content(
        f"<!doctype html><style>{CSS}</style><script>{script()}</script><body style='margin:0'><div class=nb-view>"
        "<div class=nb-figure></div><div class=nb-formula></div></div>"
    )
    yield opened
    opened.close()


def figure(*traces, xaxis=(), yaxis=(), **layout):
    axes = dict(range=[0, 10], domain=[0, 1], tickvals=[])
    around = dict(height=260, margin=dict(l=40, r=10, t=20, b=40), font=dict(size=SIZE, family="serif"))
    return dict(data=list(traces), layout=around | dict(xaxis=axes | dict(xaxis), yaxis=axes | dict(yaxis)) | layout)


def drawn(page, wanted, selector, width=WIDTH, keep=False):
    """Every element that fits a selector, as its attributes and its text."""
    page.evaluate(DRAW, [wanted, width, keep])
    return page.locator(f".nb-figure {selector}").evaluate_all(ALL)


def marks(page, *traces, **layout):
    """The marks of the first trace."""
    return drawn(page, figure(*traces, **layout), "[data-trace='0'] > *")


def only(items, *names):
    return [tuple(item.get(name) for name in names) for item in items]


RANGES = [(0, 1), (0, 10), (-1, 1), (0.2, 0.9), (5, -5), (0, 12345), (0, 0.003), (-2, 3), (0, 25), (0, 7), (0, 99.9)]


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("name", ["x", "y"])
def test_numbers_stand_at_round_values_as_many_as_fit(page, name, log):
    spans = [(low, high) for low, high in RANGES if not log or abs(high - low) <= 100]
    cases = list(product(spans, (37, 60, 130, 280, 420, 900, 2000), (None, 3, 12)))
    seen = page.evaluate(
        """([cases, kind, name]) => cases.map(([range, long, nticks]) => {
            const axis = { range, nticks, ...kind };
            return ticksOf(axis, scaleOf(axis, 50 + long, 50), name, 13);
        })""",
        [cases, dict(type="log") if log else {}, name],
    )
    for ((low, high), long, nticks), found in zip(cases, seen, strict=True):
        values, (least, most) = np.array([float(value) for value, _ in found]), sorted((low, high))
        places = np.log10(values) if log else values
        assert ((least - 1e-5 <= places) & (places <= most + 1e-5)).all()
        if len(places) > 1:
            step = np.diff(places)
            np.testing.assert_allclose(step, step[0], rtol=1e-6)
            lead = step[0] / 10.0 ** floor(log10(step[0]) + 1e-9)
            assert min(abs(lead - round_) for round_ in (1, 2, 5)) < 1e-6
            assert places[0] - step[0] < least < most < places[-1] + step[0], "none is missing at the ends"
        room = nticks or min(9, max(4, long / dict(x=80, y=40)[name])) + 1
        room = min(room, long / 19.5) if name == "y" else room
        assert len(found) <= room + 1
        if len(places) > 1 and not (log and step[0] < 1.5):
            finer = step[0] * (0.4 if round(lead) == 5 else 0.5)
            assert finer * room < most - least, "the next finer step has no room"
        assert [float(text.replace("−", "-")) for _, text in found] == pytest.approx(values, rel=1e-6, abs=1e-9)
        assert not any("," in text or "-" in text for _, text in found)


def test_named_values_are_numbers_or_words_and_only_those_on_the_axis(page):
    axis = dict(range=[0, 1], tickvals=[-0.1, 0, 0.5, 1, 1.1], ticktext=["a", "b", None, "d", "e"])
    read = "axis => ticksOf(axis, scaleOf(axis, 0, 100), 'x', 13)"
    assert page.evaluate(read, axis) == [[0, "b"], [0.5, "0.5"], [1, "d"]]
    assert page.evaluate(read, axis | dict(range=[1, 0])) == [[0, "b"], [0.5, "0.5"], [1, "d"]]
    logged = dict(type="log", range=[-1, 1], tickvals=[0.01, 0.1, 1, 10, 100])
    assert [value for value, _ in page.evaluate(read, logged)] == [0.1, 1, 10]
    half = "axis => ticksOf(axis, scaleOf(axis, 0, 100), 'x', 13).map(([value]) => value)"
    assert page.evaluate(half, dict(range=[1 / 3, 1], tickvals=[1 / 3 - 1e-9, 1 + 1e-9])) == [1 / 3 - 1e-9, 1 + 1e-9]


def test_black_and_white_are_ink_and_paper_except_in_a_scale_of_colors(page):
    said = dict(
        line=dict(color="#000000", width=None), fillcolor="White", bgcolor="rgba(255,255,255,0.8)", name="white",
        marker=dict(color=["#FFFFFF", "#0072B2", "#d9d9d9", "#f2f2f2", "#e3eef6"]), colorscale=[[0, "#ffffff"]],
    )  # fmt: skip
    assert page.evaluate("value => readable(value)", said) == dict(
        line=dict(color=INK, width=None), fillcolor="var(--nb-paper, White)", name="white",
        bgcolor="var(--nb-veil, rgba(255,255,255,0.8))", colorscale=[[0, "#ffffff"]],
        marker=dict(color=["var(--nb-paper, #FFFFFF)", "#0072B2", "var(--nb-pale, #d9d9d9)",
                           "var(--nb-shade, #f2f2f2)", "var(--nb-band, #e3eef6)"]),
    )  # fmt: skip


def test_what_is_not_known_is_left_to_plotly(page):
    known = "([kind, value]) => ({ knowsHatch, knowsSymbol, knowsScale })[kind](value)"
    for kind, value, answer in (
        ("knowsHatch", None, True), ("knowsHatch", "", True), ("knowsHatch", ["/", "x"], True),
        ("knowsHatch", ["/", "?"], False),
        ("knowsSymbol", None, True), ("knowsSymbol", ["star", "circle-open"], True),
        ("knowsSymbol", ["star", "hexagon"], False),
        ("knowsScale", [[0, "#000000"], [1, "#ABCDEF"]], True), ("knowsScale", [[0, "#000000"], [1, "red"]], False),
        ("knowsScale", "Viridis", False),
    ):  # fmt: skip
        assert page.evaluate(known, [kind, value]) is answer, (kind, value)
    for trace, answer in (
        (dict(type="contour"), False), (dict(type="contour", lines={}), True),
        (dict(x=[1]), True), (dict(type="bar", marker=dict(pattern=dict(shape="?"))), False),
    ):  # fmt: skip
        assert page.evaluate("figure => canDraw(figure)", figure(trace)) is answer, trace
    for lacking in (dict(height=None), dict(margin=None), dict(font=None), dict(xaxis=dict(range=None))):
        assert not page.evaluate("figure => canDraw(figure)", figure(dict(x=[1]), **lacking)), lacking


def matrix(*rows):
    """Numbers in rows as the page has them, None for a missing one."""
    cells = np.array(rows, dtype=float)
    return dict(dtype="f8", bdata=b64encode(cells.tobytes()).decode(), shape=f"{len(cells)},{len(cells[0])}")


HEAT = dict(type="heatmap", z=matrix([0, 5, 10], [10, None, -3]), x=[2, 5, 8], y=[2.5, 7.5], zmin=0, zmax=10,
            colorscale=[[0, "#000000"], [0.5, "#c86432"], [1, "#ffffff"]])  # fmt: skip
PIXELS = """() => { const canvas = document.querySelector(".nb-figure canvas");
    const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    return [canvas.width, canvas.height, canvas.style.cssText, [...data]]; }"""


def heat(page, xaxis=(), yaxis=(), **changes):
    """(columns, rows), the style and the cells' (red, green, blue, alpha), from the top."""
    page.evaluate(DRAW, [figure(HEAT | changes, xaxis=xaxis, yaxis=yaxis), WIDTH, False])
    columns, rows, style, data = page.evaluate(PIXELS)
    return (columns, rows), style, np.reshape(data, (rows, columns, 4)).tolist()


def test_a_heatmap_has_its_colors_from_the_bottom_up(page):
    black, middle, white = INK_PIXEL, [200, 100, 51, 255], [255, 255, 255, 255]
    low, high = [black, middle, white], [white, black, black]
    size, _, cells = heat(page, z=matrix([0, 5, 10], [10, 0, -3]))
    assert size == (3, 2)
    assert np.abs(np.subtract(cells, [high, low])).max() <= 1
    turned = heat(page, z=matrix([0, 5, 10], [10, 0, -3]), xaxis=dict(range=[10, 0]), yaxis=dict(range=[10, 0]))[2]
    assert np.abs(np.subtract(turned, [low[::-1], high[::-1]])).max() <= 1


def test_a_panel_is_cut_at_its_box(page):
    inner = dict(x=[1], y=[1])
    clip = drawn(page, figure(inner), "clipPath")[0]
    assert drawn(page, figure(inner), "clipPath rect")[0] == {
        "tag": "rect", "text": "", "x": "40", "y": "20", "width": "400", "height": "200",
    }  # fmt: skip
    assert clip["id"].endswith("-panel")
    marks_of = ".nb-marks > g > g > g:nth-child(3)"
    assert drawn(page, figure(inner), marks_of)[0]["clip-path"].endswith("-panel)")


def test_a_frame_with_less_takes_away_what_was_more(page):
    two = dict(xaxis2=dict(range=[0, 1], domain=[0.5, 0.75]), yaxis2=dict(range=[0, 1], domain=[0.25, 1]))
    heat_ = HEAT | dict(xaxis="x2", yaxis="y2")
    many = figure(dict(x=[1, 2], y=[1, 2]), heat_, **two)
    few = figure(dict(x=[1], y=[1], mode="markers"))
    count = """() => [".nb-marks > g > g", "canvas", "[data-trace]", "[data-trace] > *"].map(
        (name) => document.querySelectorAll(`.nb-figure ${name}`).length)"""
    page.evaluate(DRAW, [many, WIDTH, False])
    assert page.evaluate(count) == [2, 1, 2, 2]
    page.evaluate(DRAW, [few, WIDTH, True])
    assert page.evaluate(count) == [1, 0, 1, 1]
    page.evaluate(DRAW, [figure(HEAT), WIDTH, True])
    assert page.evaluate(count) == [1, 1, 1, 0], "a map has no marks"


# --- what reaches where ----------------------------------------------------------------------------------------------

BOX = """(e) => { const { x, y, width, height } = e.getBBox();
    return [(x - 40) / 40, (220 - y - height) / 20, (x + width - 40) / 40, (220 - y) / 20]; }"""
LOG = dict(type="log", range=[-1, 1])  # 0.1 lies at the bottom, 1 in the middle
REACH = {  # traces, y axis, what the last one covers: left, bottom, right and top in units of the linear axes
    "a line": ([dict(x=[1, 2, None, 3, 4], y=[3, 5, 6, 4, 4], mode="lines")], {}, (1, 3, 4, 5)),
    "a line of steps": ([dict(x=[1, 4], y=[3, 6], mode="lines", line=dict(shape="hv"))], {}, (1, 3, 4, 6)),
    "a bar": ([dict(type="bar", x=[2], y=[3], width=[1])], {}, (1.5, 0, 2.5, 3)),
    "a bar with a base": ([dict(type="bar", x=[4], y=[6], width=2, base=[1])], {}, (3, 1, 5, 7)),
    "a lying bar": ([dict(type="bar", x=[6], y=[4], width=2, base=1, orientation="h")], {}, (1, 3, 7, 5)),
    "a bar on a log axis": ([dict(type="bar", x=[2], y=[1], width=1)], LOG, (1.5, 0, 2.5, 5)),
    "bars on a log axis": ([dict(type="bar", x=[2, 4], y=[-1, 9], base=[0, 1], width=1)], LOG, (3.5, 5, 4.5, 10)),
    "a bar of a missing value": ([dict(type="bar", x=[1, 2, 3], y=[1, None, 3])], {}, (0.6, 0, 3.4, 3)),
    "a contour": ([dict(type="contour", lines=dict(x=[1, 2, None, 3], y=[1, 1, None, 2]))], {}, (1, 1, 2, 1)),
}


@pytest.mark.parametrize("kind", REACH)
def test_a_mark_reaches_to_the_values_of_its_trace(page, kind):
    traces, yaxis, wanted = REACH[kind]
    page.evaluate(DRAW, [figure(*traces, yaxis=yaxis), WIDTH, False])
    assert page.locator(".nb-figure [data-trace] > *").last.evaluate(BOX) == pytest.approx(wanted, abs=0.03)


def test_steps_go_along_before_they_go_up(page):
    page.evaluate(DRAW, [figure(dict(x=[1, 4], y=[3, 6], mode="lines", line=dict(shape="hv"))), WIDTH, False])
    corner = page.locator(".nb-figure [data-trace] > *").evaluate("e => { const at = e.getPointAtLength(120);"
                                                                  "return [(at.x - 40) / 40, (220 - at.y) / 20]; }")
    assert corner == pytest.approx([4, 3])


@pytest.mark.parametrize("symbol", ["circle", "square", "diamond", "triangle-up", "x", "star", "x-thin",
                                    "circle-open", "square-open"])  # fmt: skip
def test_a_marker_stands_around_its_value_as_large_as_it_is_meant(page, symbol):
    trace = dict(x=[1.5], y=[8.5], mode="markers", marker=dict(symbol=symbol, size=20))
    page.evaluate(DRAW, [figure(trace), WIDTH, False])
    path = page.locator(".nb-figure [data-trace='0'] path")
    left, bottom, right, top = path.evaluate(BOX)
    assert (left + right) / 2 == pytest.approx(1.5, abs=0.01)
    assert bottom < 8.5 < top
    assert 19 <= max(40 * (right - left), 20 * (top - bottom)) <= 29
    is_line = "thin" in symbol or "open" in symbol
    assert (path.get_attribute("fill"), path.get_attribute("stroke")) == (("none", INK) if is_line else (INK, "none"))


def test_every_symbol_and_every_dash_has_a_look_of_its_own(page):
    symbols = ["circle", "square", "diamond", "triangle-up", "x", "star", "x-thin"]
    seen = [marks(page, dict(x=[1], y=[1], mode="markers", marker=dict(symbol=each)))[0]["d"] for each in symbols]
    assert len(set(seen)) == len(symbols)
    dashes = ["solid", "dot", "dash", "longdash", "dashdot", "longdashdot"]
    seen = [marks(page, dict(x=[1, 2], y=[1, 2], mode="lines", line=dict(dash=each)))[0] for each in dashes]
    assert len({mark.get("stroke-dasharray") for mark in seen}) == len(dashes)


LOOKS = [dict(color="#0072B2"), dict(color="#D55E00"), dict(color="#0072B2", opacity=0.5),
         dict(color="#0072B2", line=dict(color="#333333", width=2))]  # fmt: skip
HATCHES = [dict(color="#0072B2", pattern=dict(shape=shape)) for shape in ("/", ".", "", "x")]


@pytest.mark.parametrize("kind", ["markers", "bars"])
def test_marks_of_equal_value_look_equal_and_others_do_not(page, kind):
    """Marks of one look are one path."""
    spread = [dict(color=[look.get("color") for look in LOOKS for _ in range(2)],
                   opacity=[look.get("opacity", 1) for look in LOOKS for _ in range(2)],
                   line=dict(color="#333333", width=[look.get("line", {}).get("width", 0) for look in LOOKS
                                                     for _ in range(2)])),
              dict(color="#0072B2", pattern=dict(shape=[h["pattern"]["shape"] for h in HATCHES for _ in range(2)]))]
    trace = dict(x=list(range(1, 9)), y=[5] * 8, mode="markers", marker=spread[kind == "bars"])
    seen = marks(page, trace | (dict(type="bar") if kind == "bars" else {}))
    assert [mark["d"].count("M") for mark in seen] == [2, 2, 2, 2]
    assert len(set(only(seen, "fill", "stroke", "stroke-width", "opacity"))) == 4


def test_a_marker_without_a_size_is_no_mark_and_one_on_a_small_panel_is_smaller(page):
    assert marks(page, dict(x=[1, 2], y=[5, 5], mode="markers", marker=dict(size=[0, 8])))[0]["d"].count("M") == 1
    sides = []
    for planned in (450, 850):
        trace = dict(x=[1], y=[1], mode="markers", marker=dict(size=20, symbol="square"))
        page.evaluate(DRAW, [figure(trace, width=planned), WIDTH, False])
        left, _, right, _ = page.locator(".nb-figure [data-trace='0'] path").evaluate(BOX)
        sides.append(40 * (right - left))
    assert sides[0] == pytest.approx(20, rel=0.02)
    assert sides[1] == pytest.approx(10, rel=0.08)


def test_a_heatmap_covers_its_cells_and_nothing_beside_its_panel(page):
    for xs, ys, sides in (([2, 5, 8], [2.5, 7.5], (0.5, 0, 9.5, 10)), ([0, 5, 10], [0, 10], (-2.5, -5, 12.5, 15))):
        style = heat(page, x=xs, y=ys)[1]
        left, top, width, height = (float(part.split(":")[1].removesuffix("px")) for part in style.split(";")[:4])
        seen = (left - 40) / 40, (220 - top - height) / 20, (left + width - 40) / 40, (220 - top) / 20
        assert seen == pytest.approx(sides), style
        cut = page.locator(".nb-figure canvas").evaluate("e => e.style.clipPath.match(/[\\d.]+/g).map(Number)")
        assert set(cut) == {20 * max(0, sides[3] - 10), 40 * max(0, sides[2] - 10)}, "what is beside the panel"
    cells = heat(page, z=matrix([0, None]), x=[2.5, 7.5], y=[5])[2]
    assert cells == [[INK_PIXEL, [0, 0, 0, 0]]], "a missing cell is left free"


# --- around the marks ------------------------------------------------------------------------------------------------

AXIS = dict(tickvals=[0, 5, 10], ticks="outside", title=dict(text="eks"))
MIDDLE = """all => all.map((e) => { const box = e.getBBox(); return [e.textContent, box.x + box.width / 2,
    box.y + box.height / 2]; })"""


def test_numbers_stand_at_their_values_outside_the_panel_and_titles_in_its_middle(page):
    page.evaluate(DRAW, [figure(xaxis=AXIS, yaxis=AXIS | dict(title=dict(text="why"))), WIDTH, False])
    seen = page.locator(".nb-figure text").evaluate_all(MIDDLE)
    below, beside = [each for each in seen if each[2] > 222][:4], [each for each in seen if each[1] < 38][-4:]
    assert [text for text, *_ in below] == ["0", "5", "10", "eks"]
    assert [x for _, x, _ in below] == pytest.approx([40, 240, 440, 240], abs=1)
    assert below[3][2] > below[0][2] + 8, "the title is below the numbers"
    assert [text for text, *_ in beside[:3]] == ["0", "5", "10"]
    assert [y for *_, y in beside[:3]] == pytest.approx([220, 120, 20], abs=2)


@pytest.mark.parametrize(("left_out", "part", "texts"), [
    (dict(showgrid=False), ".nb-grid-lines", 2), (dict(showline=False), ".nb-edges", 2),
    (dict(showticklabels=False), None, 0),
])  # fmt: skip
def test_what_an_axis_leaves_out_is_not_drawn(page, left_out, part, texts):
    whole, bare = (dict(tickvals=[5]) | more for more in ({}, left_out))
    page.evaluate(DRAW, [figure(xaxis=whole, yaxis=whole), WIDTH, False])
    assert page.locator(f".nb-figure {part or '.nb-edges'}").get_attribute("d")
    assert len(drawn(page, figure(xaxis=bare, yaxis=bare), "text")) == texts
    if part:
        assert page.locator(f".nb-figure {part}").get_attribute("d") is None


def test_a_legend_has_every_name_once_in_its_order_with_the_look_of_its_trace(page):
    traces = [
        dict(x=[1], y=[1], name="line", mode="lines", line=dict(color="#111111", width=3, dash="dot")),
        dict(x=[1], y=[1], name="dots", mode="markers", marker=dict(size=[30, 4], color=["#222222", "#333333"])),
        dict(x=[1], y=[1], name="both", line=dict(color="#444444")),
        dict(type="bar", x=[1], y=[1], name="bar", marker=dict(color=["#555555", "#888888"])),
        dict(x=[1], y=[1], name="hidden", showlegend=False), dict(x=[1], y=[1]),
    ]  # fmt: skip
    entries = drawn(page, figure(*traces), ".nb-legend > span")
    assert [entry["text"] for entry in entries] == ["line", "dots", "both", "bar"]
    looks = [page.locator(f".nb-legend > span:nth-child({k}) path").evaluate_all(ALL) for k in range(1, 5)]
    colors = [{path["stroke" if path["fill"] == "none" else "fill"] for path in paths} for paths in looks]
    assert colors == [{"#111111"}, {"#222222"}, {"#444444"}, {"#555555"}]
    size = page.locator(".nb-legend svg path").evaluate_all("all => Math.max(...all.map((e) => e.getBBox().height))")
    assert size <= 16, "large marks are drawn smaller"
    assert drawn(page, figure(*traces, showlegend=False), ".nb-legend > span") == []


@pytest.mark.parametrize(("across", "down"), [*product(("left", "center", "right"), ("top", "middle", "bottom"))])
def test_a_note_stands_at_its_place_by_the_side_it_is_anchored_by(page, across, down):
    note = dict(text="a note", x=2, y=3, xref="x", yref="y", xanchor=across, yanchor=down, xshift=5, yshift=7)
    page.evaluate(DRAW, [figure(annotations=[note]), WIDTH, False])
    box, stage = (page.locator(f".nb-figure {name}").bounding_box() for name in (".nb-notes > div", ".nb-stage"))
    share = dict(left=0, top=0, center=0.5, middle=0.5, right=1, bottom=1)
    assert box["x"] - stage["x"] + share[across] * box["width"] == pytest.approx(125, abs=1)
    assert box["y"] - stage["y"] + share[down] * box["height"] == pytest.approx(153, abs=1)


def test_a_note_is_placed_by_data_by_panel_or_by_figure(page):
    panels = dict(xaxis=dict(domain=[0, 0.5]))
    middle = {("x", "y"): (140, 120), ("x domain", "y domain"): (140, 120), ("paper", "paper"): (240, 120)}
    for (xref, yref), wanted in middle.items():
        x, y = (5, 5) if xref == "x" else (0.5, 0.5)
        wanted_figure = figure(annotations=[dict(text="a", x=x, y=y, xref=xref, yref=yref)], **panels)
        page.evaluate(DRAW, [wanted_figure, WIDTH, False])
        box, stage = (page.locator(f".nb-figure {name}").bounding_box() for name in (".nb-notes > div", ".nb-stage"))
        seen = box["x"] - stage["x"] + box["width"] / 2, box["y"] - stage["y"] + box["height"] / 2
        assert seen == pytest.approx(wanted, abs=1), (xref, yref)


@pytest.mark.parametrize("color", ["#0072B2", "#E69F00", "#F0E442", "#CC79A7", "#0a0a0a", "#fefefe", "#00ff00"])
def test_a_text_in_a_color_can_be_read_on_light_and_on_dark(page, color):
    style = page.evaluate("color => textIn(color)", color)
    light, dark = (part.partition("rgb(")[2] for part in style.split(";")[:2])
    for found, paper in ((light, luminance("255 255 255")), (dark, luminance("17 17 17"))):
        low, high = sorted((luminance(found), paper))
        assert (high + 0.05) / (low + 0.05) >= 4.4
    assert page.evaluate("[textIn(undefined), textIn('red'), textIn('#12345')]") == [""] * 3


def test_shapes_lie_below_or_above_the_marks_and_reach_to_their_values(page):
    shapes = [
        dict(type="rect", x0=1, x1=2, y0=0, y1=0.5, xref="x", yref="y domain", fillcolor="#eeeeee", line=dict(width=0)),
        dict(type="line", x0=0.25, x1=0.75, y0=1, y1=9, xref="x domain", yref="y", layer="below"),
        dict(type="line", x0=1, x1=2, y0=1, y1=2, xref="x2", yref="y2"),
    ]
    groups = drawn(page, figure(dict(x=[1], y=[1]), shapes=shapes), "[clip-path] > g")
    assert [group.get("data-trace") for group in groups] == [None, "0", None]
    boxes = [each.evaluate(BOX) for each in page.locator(".nb-figure [clip-path] > g:not([data-trace]) path").all()]
    assert boxes == [pytest.approx([2.5, 1, 7.5, 9]), pytest.approx([1, 0, 2, 5])]


# --- words -----------------------------------------------------------------------------------------------------------


def test_a_label_knows_four_tags_and_a_line_break(page):
    write = "([tag, text]) => label(label(document.createElement(tag), text), text).innerHTML"
    for text, html in (
        ("a<b>b</b>c", "a<b>b</b>c"),
        ("n<sub>a<sup>2</sup></sub> &lt; &amp; &quot;", 'n<sub>a<sup>2</sup></sub> &lt; &amp; "'),
        ("a<br>b<br/>c", "a<br>b<br>c"), ("</b>a<i>b", "a<i>b</i>"), ("<u>a</u>", "&lt;u&gt;a&lt;/u&gt;"),
        ("&#x27;&#39;&gt;", "''&gt;"),
        ("<b", "&lt;b"),
    ):  # fmt: skip
        assert page.evaluate(write, ["div", text]) == html
    drawn_ = "text => label(document.createElementNS('http://www.w3.org/2000/svg', 'text'), text).innerHTML"
    assert page.evaluate(drawn_, "a<b>b</b><br>c") == 'a<tspan class="nb-b">b</tspan> c'
    wide = "text => [[20, 'serif'], [40, 'serif'], [20, 'serif', 'bold'], [20]].map((look) => widthOf(text, ...look))"
    plain_, tagged = (page.evaluate(wide, text) for text in ("a < b", "a &lt; <i>b</i>"))
    assert plain_ == tagged
    assert plain_[1] == pytest.approx(2 * plain_[0], rel=0.05)
    assert plain_[2] > plain_[0]


WRITTEN = {  # (value, format) -> text
    (1234.5678, ""): "1234.5678", (1234.5678, ",.1f"): "1,234.6", (-1234567.891, ",d"): "−1,234,568",
    (0.5, ".1%"): "50.0%",
    (2 / 3, ".3g"): "0.667", (123456789, ".2e"): "1.23e+8", (99.96, ".1f"): "100.0", (-0.004, ".2f"): "0.00",
    (1e-7, ".3g"): "1.00e−7", (0.123, ".0g"): "0.1", (2 / 3, "f"): "0.666667", (-1, "d"): "−1", ("word", ".2f"): "word",
    (None, ".2f"): "", (True, ""): "true",
}  # fmt: skip


def test_numbers_are_written_as_their_format_says(page):
    for (value, form), text in WRITTEN.items():
        assert page.evaluate("([value, form]) => formatted(value, form)", [value, form]) == text, (value, form)
    seen = page.evaluate("[NaN, Infinity, -Infinity].map((value) => formatted(value, '.2f'))")
    assert seen == ["no value", "∞", "−∞"]

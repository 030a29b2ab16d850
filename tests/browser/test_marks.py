"""The drawing module part by part: what stands where, in which colour and in which words, by the rules written a second
time. `test_draw.py` looks at the explorers' figures; here small figures have what theirs may lack."""

import re
from base64 import b64encode
from itertools import pairwise, product
from math import ceil, cos, floor, log10, pi, sin, tau

import numpy as np
import pytest

from workbook.page.draw import script
from workbook.page.formula import Over, Term, plain

from .test_details import CSS, number

pytestmark = pytest.mark.browser
WIDTH, SIZE = 450, 10  # 40 px of x and 20 px of y are one unit
INK, PAPER = "var(--nb-ink, #000000)", "var(--nb-paper, white)"
DRAW = """([figure, width, keep]) => {
    const root = document.querySelector(".nb-figure");
    if (!keep) delete root.nbView;
    draw(root, figure, width);
}"""
ALL = """all => all.map((e) => ({ tag: e.localName, text: e.textContent,
    ...Object.fromEntries([...e.attributes].map(({ name, value }) => [name, value])) }))"""


@pytest.fixture(scope="module")
def page(browser):
    opened = browser.new_page()
    opened.set_content(
        f"<!doctype html><style>{CSS}</style><script>{script()}</script><body style='margin:0'><div class=nb-view>"
        "<div class=nb-figure></div><div class=nb-formula></div></div>"
    )
    yield opened
    opened.close()


def x(value):
    return 40 + 40 * value


def y(value):
    return 220 - 20 * value


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


# --- axes ------------------------------------------------------------------------------------------------------------

AXIS = dict(tickvals=[0, 5, 10], ticks="outside")


def test_an_axis_has_its_edge_ticks_numbers_and_title_where_they_belong(page):
    wanted = figure(xaxis=AXIS | dict(title=dict(text="eks")), yaxis=AXIS | dict(title=dict(text="why")))
    texts = drawn(page, wanted, "text")
    low, title = 220 + 5 + 1.1 * SIZE, 220 + 2.75 * SIZE
    assert only(texts, "text", "x", "y", "text-anchor", "transform") == [
        *((text, str(at), f"{low:g}", "middle", None) for text, at in (("0", 40), ("5", 240), ("10", 440))),
        ("eks", "240", f"{title:g}", "middle", None),
        *((text, "32", f"{y(value) + 3.6:g}", "end", None) for text, value in (("0", 0), ("5", 5), ("10", 10))),
        ("why", "16", "120", "middle", "rotate(-90 16 120)"),
    ]
    (grid,), (edges,) = (page.locator(f".nb-figure .nb-{name}").evaluate_all(ALL) for name in ("grid-lines", "edges"))
    assert grid["d"] == "M240,20v200M40,120h400", "none at the panel's edges"
    assert edges["d"] == ("M40,220h400M40,20v200M40,220v5M240,220v5M440,220v5M40,220h-5M40,120h-5M40,20h-5")


@pytest.mark.parametrize(("axis", "grid", "edges", "texts"), [
    (dict(tickvals=[5]), "M240,20v200M40,120h400", "M40,220h400M40,20v200", 2),
    (dict(tickvals=[5], ticks="outside", ticklen=3), "M240,20v200M40,120h400",
     "M40,220h400M40,20v200M240,220v3M40,120h-3", 2),
    (dict(tickvals=[5], showgrid=False), None, "M40,220h400M40,20v200", 2),
    (dict(tickvals=[5], showline=False), "M240,20v200M40,120h400", None, 2),
    (dict(tickvals=[5], linecolor="white"), "M240,20v200M40,120h400", None, 2),
    (dict(tickvals=[5], showticklabels=False), "M240,20v200M40,120h400", "M40,220h400M40,20v200", 0),
    (dict(tickvals=[5], visible=False), None, None, 0),
])  # fmt: skip
def test_what_an_axis_leaves_out_is_not_drawn(page, axis, grid, edges, texts):
    assert len(drawn(page, figure(xaxis=axis, yaxis=axis), "text")) == texts
    seen = [page.locator(f".nb-figure .nb-{name}").get_attribute("d") for name in ("grid-lines", "edges")]
    assert seen == [grid, edges]


def test_numbers_may_be_turned_and_a_heatmap_has_no_grid_over_it(page):
    heat = dict(type="heatmap", z=[[1, 2], [3, 4]], x=[0, 10], y=[0, 10], colorscale=[[0, "#000000"], [1, "#ffffff"]])
    (text,) = drawn(page, figure(heat, xaxis=dict(tickvals=[5], tickangle=-45)), "text")
    assert text["transform"] == "rotate(-45 240 231)"
    assert (text["x"], text["y"], text["text-anchor"]) == ("240", "231", "end")
    assert page.locator(".nb-figure .nb-grid-lines").get_attribute("d") is None


def test_axes_that_change_are_drawn_again(page):
    before = drawn(page, figure(xaxis=AXIS), "text")
    after = drawn(page, figure(xaxis=dict(tickvals=[2])), "text", keep=True)
    assert (len(before), only(after, "text", "x")) == (3, [("2", "120")])


def steps(span, count):
    """The smallest of 1, 2, 5, 10 times a power of ten that makes at most so many parts."""
    for power in range(floor(log10(span / count)) - 1, 40):
        for factor in (1, 2, 5):
            if factor * 10.0**power * count >= span * (1 - 1e-9):
                return factor * 10.0**power
    raise AssertionError


def numbers_on(low, high, long, name, log, nticks):
    least, most = sorted((low, high))
    room = nticks or min(9, max(4, long / dict(x=80, y=40)[name])) + 1
    step = steps(most - least, min(room, long / (1.5 * 13)) if name == "y" else room)
    step = max(1, step) if log else step
    found = np.arange(ceil(least / step - 1e-6), floor(most / step + 1e-6) + 1) * step
    return [10.0**value for value in found] if log else list(found)


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
        wanted = numbers_on(low, high, long, name, log, nticks)
        np.testing.assert_allclose([float(value) for value, _ in found], wanted, atol=1e-9)
        assert [float(text.replace("−", "-")) for _, text in found] == pytest.approx(wanted, rel=1e-6, abs=1e-9)
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


def test_a_scale_leads_to_pixels_and_back(page):
    both = """([axis, value]) => { const scale = scaleOf(axis, 20, 220), at = scale.to(value);
        return [at, scale.back(at), scale.floor, scale.log, scale.range]; }"""
    for axis, value, at, low, log in (
        (dict(range=[5, 15]), 7, 60, 0, False), (dict(range=[15, 5]), 7, 180, 0, False), ({}, 0.25, 70, 0, False),
        (dict(type="log", range=[-1, 3]), 10, 120, 0.1, True), (dict(type="log", range=[3, -1]), 10, 120, 0.1, True),
        (dict(type="log", range=["1", "2"]), 100, 220, 10, True),
    ):  # fmt: skip
        seen = page.evaluate(both, [axis, value])
        assert seen[:4] == pytest.approx([at, value, low, log])
        assert seen[4] == [float(u) for u in axis.get("range", [0, 1])]


# --- traces ----------------------------------------------------------------------------------------------------------


def test_arrays_are_read_in_every_type_as_text_and_as_bytes(page):
    for dtype in ("f8", "f4", "i4", "u4", "i2", "u2", "i1", "u1"):
        values = np.array([1, 2, 3, 4], dtype=dtype)
        seen = page.evaluate(
            """([dtype, bytes, text]) => {
            const buffer = new Uint8Array([9, 9, 9, 9, 9, 9, 9, 9, ...bytes, 7, 7]).buffer;
            const kinds = [new Uint8Array(bytes).buffer, new DataView(buffer, 8, bytes.length), text];
            const read = kinds.map((bdata) => readable({ y: { dtype, bdata, shape: "2,2" } }).y);
            return read.map((y) => [[...y], y.shape, y.constructor.name]);
        }""",
            [dtype, list(values.tobytes()), b64encode(values.tobytes()).decode()],
        )
        assert seen == [[[1, 2, 3, 4], [2, 2], type_of(dtype)]] * 3


def type_of(dtype):
    return dict(f="Float", i="Int", u="Uint")[dtype[0]] + f"{8 * int(dtype[1])}Array"


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


def test_one_value_serves_all_and_many_go_round(page):
    assert page.evaluate("[nth(null, 0, 7), nth(3, 5, 7), nth([1, 2], 3, 7), nth([1, null], 1, 7), nth(0, 2, 7)]") == [
        7, 3, 2, 7, 0,
    ]  # fmt: skip
    assert page.evaluate("[1.005, 1.236, -2.499].map(round)") == pytest.approx([1, 1.24, -2.5], abs=0.011)
    at = page.evaluate("[...placed([0, null, 2], { to: (u) => u + 1 })].map(String).concat(placed(undefined).length)")
    assert at == ["1", "NaN", "3", 0]


def test_a_line_has_its_dashes_its_gaps_and_its_steps(page):
    dots = dict(dot=[1, 1], dash=[3, 3], longdash=[5, 5], dashdot=[3, 1, 1, 1], longdashdot=[5, 2, 1, 2], solid=[])
    for name, parts in dots.items():
        for width in (1, 4):
            wanted = ",".join(f"{part * max(3, width):g}" for part in parts)
            assert page.evaluate("([name, width]) => dashesOf(name, width)", [name, width]) == wanted
    assert page.evaluate("[dashesOf(), dashesOf('4px,2px', 1), dashesOf('dash')]") == ["", "4,2", "9,9"]
    bare = {"fill": "none", "stroke": INK, "stroke-width": 2, "stroke-dasharray": ""}
    assert page.evaluate("strokeOf()") == bare
    wide = {"stroke": "red", "stroke-width": 0, "stroke-dasharray": "9,9"}
    assert page.evaluate("strokeOf({ width: 0, color: 'red', dash: 'dash' })") == bare | wide
    paths = page.evaluate(
        "[['linear'], ['hv'], []].map((shape) => linePath([0, 1, NaN, 3, 4.126], [5, 6, 7, NaN, 9.5], ...shape))"
    )
    assert paths == ["M0,5L1,6M4.13,9.5", "M0,5H1V6M4.13,9.5", "M0,5L1,6M4.13,9.5"]


def test_a_scatter_is_area_line_error_bars_markers_and_text_in_this_order(page):
    trace = dict(
        x=[1, 2, 3], y=[4, 5, 3], mode="lines+markers+text", fill="tozeroy", fillcolor="#eeeeee", text=["a", "b"],
        line=dict(color="#0072B2", width=3), marker=dict(size=8),
        error_x=dict(array=[0.5, 0.25, None], color="#111111", thickness=1),
        error_y=dict(array=[1, 2, 0.5], color="#222222", thickness=1.5, width=7),
    )  # fmt: skip
    area, line, across, up, dots, *texts = marks(page, trace)
    path = "M80,140L120,120L160,160"
    assert only([area], "d", "fill", "stroke", "stroke-width") == [(f"{path}V220H80Z", "#eeeeee", "none", None)]
    assert only([line], "d", "fill", "stroke", "stroke-width") == [(path, "none", "#0072B2", "3")]
    assert across["d"].startswith("M60,140H100M60,136v8M100,136v8M110,120H130M110,116v8M130,116v8")
    assert only([across, up], "stroke", "stroke-width") == [("#111111", "1"), ("#222222", "1.5")]
    assert up["d"].startswith("M80,160V120M73,160h14M73,120h14M120,160V80M113,160h14M113,80h14")
    assert (dots["fill"], dots["d"].count("M")) == ("#0072B2", 3), "the line's colour where the marker has none"
    assert only(texts, "text", "x", "y", "text-anchor") == [
        (text, str(at), f"{high + 3.6:g}", "middle")
        for text, at, high in (("a", 80, 140), ("b", 120, 120), ("a", 160, 160))
    ]


def test_a_value_that_is_missing_has_no_error_bar(page):
    up = marks(page, dict(x=[1, 2, None], y=[4, None, 6], mode="markers", error_y=dict(array=[1, 1, 1])))[0]
    assert up["d"].count("M") == 3


def test_a_trace_without_a_mode_has_lines_and_markers_and_one_without_either_nothing(page):
    assert [mark["fill"] for mark in marks(page, dict(x=[1, 2], y=[1, 2], line=dict(width=1)))] == ["none", INK]
    assert marks(page, dict(x=[1, 2], y=[1, 2], mode="none", fill="none")) == []


def test_an_area_reaches_the_floor_the_trace_before_or_itself(page):
    below = dict(x=[1, 3], y=[2, 1], mode="lines", xaxis="x")
    for fill, wanted in (("tonexty", "M40,120L80,100L160,200L80,180Z"), ("toself", "M40,120L80,100Z"),
                         ("tozeroy", "M40,120L80,100V220H40Z")):  # fmt: skip
        trace = dict(x=[0, 1], y=[5, 6], mode="none", fill=fill, fillcolor="#dddddd")
        (area,) = drawn(page, figure(below, trace), "[data-trace='1'] > *")
        assert area["d"] == wanted
    (area,) = marks(page, dict(x=[0, 1], y=[5, 6], mode="none", fill="tonexty"))
    assert area["d"] == "M40,120L80,100V220H40Z", "where no trace is before it"
    logged = dict(type="log", range=[-1, 1])
    (area,) = marks(page, dict(x=[0, 1], y=[1, 10], mode="none", fill="tozeroy"), yaxis=logged)
    assert area["d"] == "M40,120L80,20V220H40Z"


# Of every kind of marker with a radius of 10 around (100, 50): left, top, right, bottom and the length of its line.
R = 10
D = R / 2**0.5
CORNERS = [
    ((0.55 if k % 2 else 1.4) * R * sin(pi * k / 5), -(0.55 if k % 2 else 1.4) * R * cos(pi * k / 5)) for k in range(11)
]
OUTLINES = {
    "circle": (-R, -R, R, R, tau * R),
    "square": (-R, -R, R, R, 8 * R),
    "diamond": (-1.3 * R, -1.3 * R, 1.3 * R, 1.3 * R, 4 * 2**0.5 * 1.3 * R),
    "triangle-up": (-R, -1.155 * R, R, 0.577 * R, 2 * R + 2 * (1 + 1.732**2) ** 0.5 * R),
    "x": (-2 * D, -2 * D, 2 * D, 2 * D, 12 * R),
    "star": (-1.4 * R * sin(0.4 * pi), -1.4 * R, 1.4 * R * sin(0.4 * pi), 1.4 * R * cos(0.2 * pi),
             sum(np.hypot(*np.subtract(a, b)) for a, b in pairwise(CORNERS))),
    "cross-thin": (-1.4 * R, -1.4 * R, 1.4 * R, 1.4 * R, 5.6 * R),
    "x-thin": (-R, -R, R, R, 4 * 2**0.5 * R),
    "line-ns": (0, -1.4 * R, 0, 1.4 * R, 2.8 * R),
    "line-ew": (-1.4 * R, 0, 1.4 * R, 0, 2.8 * R),
}  # fmt: skip
MEASURE = """(e) => { const { x, y, width, height } = e.getBBox();
    return [x - 100, y - 50, x + width - 100, y + height - 50, e.getTotalLength()]; }"""


@pytest.mark.parametrize("symbol", OUTLINES)
def test_a_marker_has_its_shape(page, symbol):
    trace = dict(x=[1.5], y=[8.5], mode="markers", marker=dict(symbol=symbol, size=2 * R))
    page.evaluate(DRAW, [figure(trace), WIDTH, False])
    path = page.locator(".nb-figure [data-trace='0'] path")
    assert path.evaluate(MEASURE) == pytest.approx(OUTLINES[symbol], abs=0.15)
    thin = "thin" in symbol or "line" in symbol
    assert path.get_attribute("fill") == ("none" if thin else INK)
    assert path.get_attribute("stroke") == (INK if thin else "none")
    if symbol in ("x", "star", "diamond", "triangle-up"):  # the middle is filled, the corner of its box is not
        inside = "(e, [u, v]) => e.isPointInFill(new DOMPoint(100 + u, 50 + v))"
        assert [path.evaluate(inside, [u, v]) for u, v in ((0, 0), (-9.5, -9.9), (9.5, -9.9))] == [
            True,
            *[symbol == "x"] * 2,
        ]
        assert path.evaluate(inside, [0, -9.9]) == (symbol != "x")
        corners = re.findall(r"(-?[\d.]+),(-?[\d.]+)", path.get_attribute("d"))
        right = {(round(float(u) - 100), round(float(v) - 50)) for u, v in corners}
        assert right == {(-u, v) for u, v in right}, "its left side is its right one"


def test_markers_of_one_look_are_one_path_and_each_look_is_what_the_trace_says(page):
    marker = dict(
        size=[8, 8, 0, 8, 8, 8, None], opacity=[1, 1, 1, 1, 1, 0.5, 1],
        symbol=["circle", "circle", "circle", "square-open", "cross-thin", "circle", "circle"],
        color=["#0072B2", "#0072B2", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#0072B2"],
        line=dict(color="#333333", width=[0, 0, 0, 0, 2, 1.5, 0]),
    )  # fmt: skip
    seen = marks(page, dict(x=list(range(1, 8)), y=[5] * 7, mode="markers", marker=marker))
    assert only(seen, "fill", "stroke", "stroke-width", "opacity") == [
        ("#0072B2", "none", "0", "1"), ("none", "#D55E00", "1", "1"), ("none", "#333333", "2", "1"),
        ("#CC79A7", "#333333", "1.5", "0.5"), ("#0072B2", "none", "0", "1"),
    ]  # fmt: skip
    assert seen[0]["d"].split("M")[1:] == [f"{x(k) - 4},120a4,4 0 1,0 8,0a4,4 0 1,0 -8,0" for k in (1, 2)]
    assert seen[-1]["d"] == "M317,120a3,3 0 1,0 6,0a3,3 0 1,0 -6,0", "six pixels where nobody says how large"
    bare = marks(
        page, dict(x=[1], y=[1], mode="markers", marker=dict(symbol="x-thin", color="#0072B2", line=dict(width=2)))
    )
    assert only(bare, "stroke", "stroke-width", "fill") == [("#0072B2", "2", "none")]
    open_ = marks(page, dict(x=[1], y=[1], mode="markers", marker=dict(symbol="circle-open", line=dict(width=3))))
    assert only(open_, "stroke", "stroke-width", "fill") == [(INK, "3", "none")]


def test_markers_shrink_with_their_panel_and_do_not_grow(page):
    trace = dict(x=[1], y=[1], mode="markers", marker=dict(size=20, symbol="square"))
    for planned, now, side in ((450, 450, 20), (850, 450, 20 / 2), (450, 850, 20)):
        wanted = (
            figure(trace, width=planned, meta={}, font=dict(size=SIZE)) if planned != 850 else figure(trace, width=850)
        )
        wanted["layout"]["margin"] = dict(l=40, r=10, t=20, b=40)
        seen = drawn(page, wanted, "[data-trace='0'] > *", now)
        assert float(re.search(r"h([\d.]+)", seen[0]["d"])[1]) == pytest.approx(side, rel=0.08)


def test_bars_stand_or_lie_in_their_color_with_their_words(page):
    bars = dict(type="bar", x=[2, 4], y=[3, 6], width=[1, 2], base=[0, 1], text=["a", "b"],
                marker=dict(color=["#0072B2", "#D55E00"], line=dict(color="#111111", width=[2, 0])))  # fmt: skip
    assert only(marks(page, bars), "tag", "d", "fill", "stroke", "stroke-width", "x", "y", "text-anchor", "text") == [
        ("path", "M100,220V160H140V220Z", "#0072B2", "#111111", "2", None, None, None, ""),
        ("path", "M160,200V80H240V200Z", "#D55E00", "none", "0", None, None, None, ""),
        ("text", None, None, None, None, "120", "156", "middle", "a"),
        ("text", None, None, None, None, "200", "76", "middle", "b"),
    ]
    lying = bars | dict(x=bars["y"], y=bars["x"], orientation="h")
    assert only(marks(page, lying), "tag", "d", "x", "y", "text-anchor") == [
        ("path", "M40,190H160V170H40Z", None, None, None), ("path", "M80,160H320V120H80Z", None, None, None),
        ("text", None, "164", "183.6", "start"), ("text", None, "324", "143.6", "start"),
    ]  # fmt: skip
    assert [mark["tag"] for mark in marks(page, bars | dict(textposition="none"))] == ["path", "path"]
    alike = marks(page, dict(type="bar", x=[1, 2, 3], y=[1, None, 3]))
    assert only(alike, "d", "fill", "stroke") == [
        ("M64,220V200H96V220ZM104,220V220H136V220ZM144,220V160H176V220Z", INK, "none")
    ]


def test_bars_on_a_log_axis_stand_on_its_floor(page):
    logged = dict(type="log", range=[-1, 1])
    bars = dict(type="bar", x=[2, 4], y=[1, 9], base=[0, 1], width=1)
    assert marks(page, bars, yaxis=logged)[0]["d"] == "M100,220V120H140V220ZM180,120V20H220V120Z"
    assert marks(page, bars | dict(y=[-1, 9]), yaxis=logged)[0]["d"] == "M180,120V20H220V120Z", "no logarithm, no bar"


def test_a_hatch_is_a_tile_that_is_made_once(page):
    bars = dict(type="bar", x=[1, 2, 3, 4], y=[1, 1, 1, 1],
                marker=dict(color="#0072B2", pattern=dict(shape=["/", "/", ".", ""], fgcolor="#999999")))  # fmt: skip
    fills = [mark["fill"] for mark in marks(page, bars)]
    tiles = page.locator(".nb-figure pattern").evaluate_all(ALL)
    assert fills == [f"url(#{tile['id']})" for tile in tiles] + ["#0072B2"]
    assert only(tiles, "width", "height", "patternUnits") == [("8", "8", "userSpaceOnUse")] * 2
    parts = page.locator(".nb-figure pattern > *").evaluate_all(ALL)
    assert only(parts, "tag", "fill", "stroke", "stroke-width") == [
        ("rect", "#0072B2", None, None), ("path", "none", "#999999", "1.3"),
        ("rect", "#0072B2", None, None), ("path", "#999999", "#999999", "1.3"),
    ]  # fmt: skip
    assert only(parts[::2], "width", "height") == [("8", "8")] * 2
    bare = dict(type="bar", x=[1], y=[1], marker=dict(pattern=dict(shape="x")))
    marks(page, bare)
    assert only(page.locator(".nb-figure pattern path").evaluate_all(ALL), "stroke") == [(PAPER,)]


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
        (dict(type="contour"), False), (dict(type="contour", lines={}), True), (dict(type="contour", areas=[]), True),
        (dict(x=[1]), True), (dict(type="bar", marker=dict(pattern=dict(shape="?"))), False),
    ):  # fmt: skip
        assert page.evaluate("figure => canDraw(figure)", figure(trace)) is answer, trace


def test_a_contour_is_areas_with_lines_over_them(page):
    part = dict(x=[1, 2, None, 3, 4], y=[1, 1, None, 2, 2])
    trace = dict(
        type="contour",
        areas=[part | dict(color="#abcdef")],
        lines=part,
        line=dict(color="#123456", width=1, dash="dot"),
    )
    d = "M80,200L120,200M160,180L200,180"
    assert only(marks(page, trace), "d", "fill", "stroke", "stroke-width", "stroke-dasharray", "fill-rule") == [
        (d, "#abcdef", "none", None, None, "evenodd"), (d, "none", "#123456", "1", "3,3", None),
    ]  # fmt: skip
    assert len(marks(page, dict(type="contour", areas=[part | dict(color="#abcdef")]))) == 1


HEAT = dict(type="heatmap", z=[[0, 5, 10], [10, None, -3]], x=[2, 5, 8], y=[2.5, 7.5], zmin=0, zmax=10,
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
    black, middle, white = [0, 0, 0, 255], [200, 100, 51, 255], [255, 255, 255, 255]
    low, high = [black, middle, white], [white, black, black]
    size, _, cells = heat(page, z=[[0, 5, 10], [10, 0, -3]])
    assert size == (3, 2)
    assert np.abs(np.subtract(cells, [high, low])).max() <= 1
    turned = heat(page, z=[[0, 5, 10], [10, 0, -3]], xaxis=dict(range=[10, 0]), yaxis=dict(range=[10, 0]))[2]
    assert np.abs(np.subtract(turned, [low[::-1], high[::-1]])).max() <= 1
    own = heat(page, z=[[2, 4], [6, 2]], x=[2.5, 7.5], zmin=None, zmax=None)[2]
    assert np.abs(np.subtract(own, [[white, black], [black, middle]])).max() <= 1, "from the least to the most"
    assert heat(page, z=[[3, 3], [3, 3]], x=[2.5, 7.5], zmin=None)[2][0][0] == black


def test_shades_between_two_stops_are_mixed_and_a_missing_cell_is_left_free(page):
    shades = heat(page, z=[list(range(11))], x=[k + 0.5 for k in range(11)], y=None, yaxis=dict(range=[-0.5, 0.5]))[2][
        0
    ]
    low, middle, high = (np.array(color) for color in ((0, 0, 0), (200, 100, 50), (255, 255, 255)))
    shares = np.arange(11)[:, None] / 10
    wanted = np.where(shares <= 0.5, low + 2 * shares * (middle - low), middle + (2 * shares - 1) * (high - middle))
    assert np.abs(np.subtract(np.array(shades)[:, :3], wanted)).max() <= 2
    bytes_ = dict(dtype="f8", bdata=b64encode(np.array([0, np.nan]).tobytes()).decode(), shape="1,2")
    cells = heat(page, z=bytes_, x=[2.5, 7.5], y=[5])[2]
    assert cells == [[[0, 0, 0, 255], [0, 0, 0, 0]]]
    abrupt = heat(page, z=[[0, 10]], x=[2.5, 7.5], y=[5], colorscale=[[0, "#0a0b0c"], [0, "#102030"], [1, "#405060"]])[
        2
    ]
    assert np.abs(np.subtract(abrupt, [[[16, 32, 48, 255], [64, 80, 96, 255]]])).max() <= 1


def test_a_heatmap_covers_its_cells_and_not_what_is_beside_the_panel(page):
    style = heat(page)[1]
    assert "left: 60px; top: 20px; width: 360px; height: 200px;" in style
    assert "inset(0px)" in style
    assert "pixelated" in style
    style = heat(page, x=[0, 5, 10], zsmooth="best", y=[0, 10])[1]
    assert "left: -60px; top: -80px; width: 600px; height: 400px;" in style
    assert "inset(100px)" in style
    assert "auto" in style
    one = heat(page, z=[[1, 2]], x=None, y=[5], xaxis=dict(range=[0, 1]))[1]
    assert "left: -160px" in one
    style = heat(page, x=[1, 4, 7], xaxis=dict(range=[0, 8]), y=[1, 4], yaxis=dict(range=[0, 5]))[1]
    assert "inset(20px 25px 20px 25px)" in style or "inset(20px 25px)" in style


# --- around the marks ------------------------------------------------------------------------------------------------


def test_a_legend_has_every_name_once_in_its_order_with_a_drawing_of_its_trace(page):
    traces = [
        dict(x=[1], y=[1], name="line", mode="lines", line=dict(color="#111111", width=3, dash="dot")),
        dict(x=[1], y=[1], name="area", mode="lines", fill="tozeroy", fillcolor="#eeeeee", line=dict(width=0)),
        dict(
            x=[1],
            y=[1],
            name="dots",
            mode="markers",
            marker=dict(size=[30, 4], color=["#222222", "#333333"], line=dict(width=1)),
        ),
        dict(x=[1], y=[1], name="both", line=dict(color="#444444"), legendrank=1),
        dict(
            type="bar",
            x=[1],
            y=[1],
            name="bar",
            marker=dict(color=["#555555", "#888888"], line=dict(color="#666666", width=2)),
        ),
        dict(type="bar", x=[1], y=[1], name="hatched", marker=dict(color="#777777", pattern=dict(shape=["/", ""]))),
        dict(x=[1], y=[1], name="hidden", showlegend=False),
        dict(x=[1], y=[1]),
    ]
    entries = drawn(page, figure(*traces), ".nb-legend > span")
    assert [entry["text"] for entry in entries] == ["both", "line", "area", "dots", "bar", "hatched"]
    keys = page.locator(".nb-legend svg").evaluate_all(ALL)
    assert only(keys, "width", "height", "aria-hidden") == [("28", "16", "true")] * 6
    paths = [page.locator(f".nb-legend > span:nth-child({k}) path").evaluate_all(ALL) for k in range(1, 7)]
    shown = [only(each, "d", "fill", "stroke", "stroke-width") for each in paths]
    dot = "M{},8a{r},{r} 0 1,0 {d},0a{r},{r} 0 1,0 -{d},0"
    assert shown[0] == [("M0,8h28", "none", "#444444", "2"), (dot.format(11, r=3, d=6), "#444444", "none", "0")]
    assert shown[1] == [("M0,8h28", "none", "#111111", "3")]
    assert paths[1][0]["stroke-dasharray"] == "3,3"
    assert shown[2] == [("M0,8h28v6h-28Z", "#eeeeee", "none", None)]
    assert shown[3] == [(dot.format(7.5, r=6.5, d=13), "#222222", INK, "1")], "large marks are drawn smaller"
    assert shown[4] == [("M8,2h12v12h-12Z", "#555555", "#666666", "2")]
    assert shown[5][0][1].startswith("url(#")
    assert shown[5][0][2:] == ("none", "0")
    assert drawn(page, figure(*traces, showlegend=False), ".nb-legend > span") == []


def test_notes_stand_where_they_are_anchored(page):
    notes = [
        dict(text="a", x=0.5, y=0.25, xref="paper", yref="paper"),
        dict(text="b", x=2, y=3, xref="x", yref="y", xanchor="left", yanchor="top", xshift=5, yshift=7),
        dict(
            text="c",
            x=0.5,
            y=0.25,
            xref="x domain",
            yref="y domain",
            xanchor="right",
            yanchor="bottom",
            bgcolor="#eeeeee",
        ),
        dict(
            text="d", x=0, y=3, xref="paper", yref="y", xanchor="center", yanchor="middle", font=dict(color="#0072B2")
        ),
        dict(text="e", x=2, y=1, xref="x", yref="paper", name="title"),
    ]
    places = [
        ("", "left:240px;top:170px;transform:translate(-50%,-50%)"),
        ("nb-beside", "left:125px;top:153px;transform:translate(0%,0%)"),
        ("nb-beside", "left:240px;top:170px;transform:translate(-100%,-100%);background:#eeeeee"),
        ("", "left:40px;top:160px;transform:translate(-50%,-50%);--nb-own"),
        ("nb-title", "left:120px;top:20px;transform:translate(-50%,-50%)"),
    ]
    seen = drawn(page, figure(annotations=notes), ".nb-notes > div")
    for note, (kind, style) in zip(seen, places, strict=True):
        assert note.get("class", "") == kind
        assert note["style"].startswith(style), note["text"]
    assert len(drawn(page, figure(annotations=notes[:2]), ".nb-notes > div", keep=True)) == 2


def test_a_text_in_a_color_is_mixed_with_ink_no_more_than_needed(page):
    def luminance(rgb):
        linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (c / 255 for c in rgb)]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def contrast(one, other):
        low, high = sorted(map(luminance, (one, other)))
        return (high + 0.05) / (low + 0.05)

    for color in (
        "#0072B2",
        "#E69F00",
        "#F0E442",
        "#CC79A7",
        "#56b4e9",
        "#0a0a0a",
        "#fefefe",
        "#009E73",
        "#00ff00",
        "#333366",
    ):
        rgb = [int(color[k : k + 2], 16) for k in (1, 3, 5)]
        style = page.evaluate("color => textIn(color)", color)
        found = {
            name: [int(v) for v in parts.split(",")]
            for name, parts in re.findall(r"--nb-own([-a-z]*):rgb\((.*?)\)", style)
        }
        assert style.count(";") == 1
        for name, paper, ink in (("", 255, 0), ("-dark", 17, 255)):
            mixed = [[round(v + share * (ink - v)) for v in rgb] for share in np.arange(21) / 20]
            wanted = next(one for one in mixed if contrast(one, [paper] * 3) >= 4.5)
            assert np.abs(np.subtract(found[name], wanted)).max() <= 1, (color, name)
    assert page.evaluate("[textIn(undefined), textIn('red'), textIn('#12345'), textIn('#1234567')]") == [""] * 4


def test_shapes_lie_below_or_above_the_marks(page):
    shapes = [
        dict(type="rect", x0=1, x1=2, y0=0, y1=0.5, xref="x", yref="y domain", fillcolor="#eeeeee", line=dict(width=0)),
        dict(
            type="line",
            x0=0.25,
            x1=0.75,
            y0=1,
            y1=9,
            xref="x domain",
            yref="y",
            layer="below",
            line=dict(color="#111111", dash="dash"),
        ),
        dict(type="line", x0=1, x1=2, y0=1, y1=2, xref="x2", yref="y2"),
    ]
    groups = drawn(page, figure(dict(x=[1], y=[1]), shapes=shapes), "[clip-path] > g")
    assert [group.get("data-trace") for group in groups] == [None, "0", None]
    look = page.locator(".nb-figure [clip-path] > g:not([data-trace]) path").evaluate_all(ALL)
    assert only(look, "d", "stroke", "fill", "stroke-width", "stroke-dasharray") == [
        ("M140,200L340,40", "#111111", "none", "2", "9,9"),
        ("M80,220H120V120H80Z", INK, "#eeeeee", "0", None),
    ]


def test_a_panel_is_cut_at_its_box_unless_a_trace_says_otherwise(page):
    inner = dict(x=[1], y=[1])
    clip = drawn(page, figure(inner), "clipPath")[0]
    assert drawn(page, figure(inner), "clipPath rect")[0] == {
        "tag": "rect", "text": "", "x": "40", "y": "20", "width": "400", "height": "200",
    }  # fmt: skip
    assert clip["id"].endswith("-panel")
    marks_of = ".nb-marks > g > g > g:nth-child(3)"
    assert drawn(page, figure(inner), marks_of)[0]["clip-path"].endswith("-panel)")
    assert "clip-path" not in drawn(page, figure(inner, inner | dict(cliponaxis=False)), marks_of)[0]


def test_one_unit_is_as_long_on_either_axis_and_the_panel_stays_in_the_middle(page):
    boxes = "() => [...document.querySelector('.nb-figure').nbView.panels.values()].map(({ box }) => box)"
    drawn(page, figure(yaxis=dict(scaleanchor="x")), "g")
    assert page.evaluate(boxes) == [[140, 20, 200, 200]]
    drawn(page, figure(xaxis=dict(range=[0, 40]), yaxis=dict(scaleanchor="x")), "g")
    assert page.evaluate(boxes) == [[40, 70, 400, 100]]
    two = dict(xaxis2=dict(range=[0, 1], domain=[0.5, 0.75]), yaxis2=dict(range=[0, 1], domain=[0.25, 1]))
    bare = figure()
    del bare["layout"]["xaxis"]["domain"], bare["layout"]["yaxis"]["domain"]
    drawn(page, bare, "g")
    assert page.evaluate(boxes) == [[40, 20, 400, 200]], "all there is, where nobody says how much"
    drawn(page, figure(xaxis=dict(domain=[0, 0.25]), **two), "g")
    assert page.evaluate(boxes) == [[40, 20, 100, 200], [240, 20, 100, 150]]


def test_stage_and_legend_have_the_type_of_the_layout_and_the_drawing_its_size(page):
    (svg,) = drawn(page, figure(), ".nb-marks")
    assert (svg["width"], svg["height"], svg["aria-hidden"]) == ("450", "260", "true")
    (stage,), (legend,) = (page.locator(f".nb-{name}").evaluate_all(ALL) for name in ("stage", "legend"))
    assert stage["style"] == "font-size:10px;font-family:serif"
    assert legend["style"] == "font-size:10px;font-family:serif;padding-left:40px"


def test_a_frame_with_less_takes_away_what_was_more(page):
    two = dict(xaxis2=dict(range=[0, 1], domain=[0.5, 0.75]), yaxis2=dict(range=[0, 1], domain=[0.25, 1]))
    heat_ = HEAT | dict(xaxis="x2", yaxis="y2")
    many = figure(dict(x=[1, 2], y=[1, 2], text=["a", "b"], mode="lines+markers+text"), heat_, **two)
    few = figure(dict(x=[1], y=[1], mode="markers"))
    count = """() => [".nb-marks > g > g", "canvas", "[data-trace]", "[data-trace] > *"].map(
        (name) => document.querySelectorAll(`.nb-figure ${name}`).length)"""
    page.evaluate(DRAW, [many, WIDTH, False])
    assert page.evaluate(count) == [2, 1, 2, 4]
    page.evaluate(DRAW, [few, WIDTH, True])
    assert page.evaluate(count) == [1, 0, 1, 1]
    page.evaluate(DRAW, [figure(HEAT), WIDTH, True])
    assert page.evaluate(count) == [1, 1, 1, 0], "a map has no marks"


# --- the page's width ------------------------------------------------------------------------------------------------

PLANNED = dict(
    width=1000, height=400, margin=dict(l=60, r=40, t=60, b=40), font=dict(size=20, family="serif"),
    meta=dict(legend=30),
    xaxis=dict(range=[0, 1], domain=[0, 0.5]), yaxis=dict(range=[0, 1], domain=[0, 1]),
    xaxis2=dict(range=[0, 1], domain=[0.6, 1], title=dict(text="x")), yaxis2=dict(range=[0, 1], domain=[0.5, 1]),
)  # fmt: skip


def arranged(page, room, **changes):
    return page.evaluate("([layout, width]) => arrange(layout, width)", [PLANNED | changes, room])


def test_a_wide_page_has_the_layout_without_the_room_of_its_legend(page):
    found = arranged(page, 1000)
    assert found["margin"] == dict(l=60, r=40, t=30, b=40)
    assert (found["height"], found["font"]["size"]) == (370, 20)
    assert [found[f"xaxis{n}"]["nominal"] for n in ("", "2")] == pytest.approx([450, 360])
    assert arranged(page, 2000)["font"]["size"] == 20, "type does not grow"
    assert arranged(page, 1000, width=None, meta=None)["height"] == 400
    bare = PLANNED["xaxis"] | dict(domain=None)
    del bare["domain"]
    assert arranged(page, 1000, xaxis=bare)["xaxis"]["nominal"] == 900


def test_a_narrower_page_has_smaller_type_and_margins(page):
    found = arranged(page, 800)
    assert found["font"] == dict(size=16, family="serif")
    assert found["margin"] == pytest.approx(dict(l=48, r=32, t=24, b=32))
    assert found["height"] == 300, "no lower than that"
    assert arranged(page, 800, height=630)["height"] == pytest.approx(480)
    assert arranged(page, 800, height=250)["height"] == pytest.approx(220), "unless it was meant to be"
    assert arranged(page, 700, font=dict(size=12))["font"]["size"] == 11, "no smaller than that"
    assert arranged(page, 700, font=dict(size=9))["font"]["size"] == 9
    assert "column" not in arranged(page, 640)
    assert "column" not in arranged(page, 600, width=600)


def test_a_phone_has_one_panel_below_the_other(page):
    found = arranged(page, 400)
    size = 20 * 400 / (450 + 60 + 40)  # as large as its widest panel has it
    assert found["font"]["size"] == pytest.approx(size)
    assert found["column"] is True
    left = 60 * size / 20
    assert found["margin"] == pytest.approx(dict(l=left, r=size, t=0, b=0))
    wide, room = 400 - left - size, 400 - 60 - 40
    high = [
        min(max(0.45 * wide, min(wide * share * room / nominal, 0.68 * 400)), 999)
        for share, nominal in ((1, 450), (0.5, 360))
    ]
    tops = [0.8 * size]
    bottoms = [tops[0] + high[0]]
    tops.append(bottoms[0] + 2 * size + 0.8 * size)
    bottoms.append(tops[1] + high[1])
    whole = bottoms[1] + 3.2 * size  # its axis has a title
    assert found["height"] == pytest.approx(whole)
    for n, top, bottom in zip(("", "2"), tops, bottoms, strict=True):
        assert found[f"xaxis{n}"]["domain"] == [0, 1]
        assert found[f"yaxis{n}"]["domain"] == pytest.approx([1 - bottom / whole, 1 - top / whole])


def test_a_phone_has_room_for_titles_words_and_turned_numbers(page):
    def place(**changes):
        found = arranged(page, 400, **changes)
        size, height = found["font"]["size"], found["height"]
        return (
            found,
            size,
            [[height * (1 - u) / size for u in found[f"yaxis{n}"]["domain"][::-1]] for n in ("", "2")],
            height / size,
        )

    _, size, ((top, bottom), (next_top, _)), _ = place()
    after = lambda **axis: place(xaxis=PLANNED["xaxis"] | axis)[2]  # noqa: E731
    gap = next_top - bottom
    for axis, room in (
        (dict(visible=False), 0.6), (dict(showticklabels=False), 0.6),
        (dict(showticklabels=False, title=dict(text="t")), 2), (dict(title=dict(text="t")), 3.2),
        (dict(tickangle=-30), 3.5), (dict(title=dict(text="t"), tickangle=9), 4.7), ({}, 2),
    ):  # fmt: skip
        seen = after(**axis)
        assert seen[1][0] - seen[0][1] == pytest.approx(room + 0.8), axis
    assert gap == pytest.approx(2.8)
    title = dict(name="title", xref="x domain", yref="paper", x=0, y=1, text="short")
    assert place(annotations=[title])[2][0][0] == pytest.approx(1.3 + 0.8)
    assert place(annotations=[title | dict(text="many words " * 8)])[2][0][0] == pytest.approx(2 * 1.3 + 0.8)
    assert place(annotations=[title | dict(name="other")])[2][0][0] == pytest.approx(top)
    words = PLANNED["yaxis"] | dict(tickvals=[0, 1], ticktext=["a very long word indeed", "b"])
    found, size, *_ = place(yaxis=words)
    wide = page.evaluate("size => widthOf('a very long word indeed', size, 'serif')", size)
    assert found["margin"]["l"] == pytest.approx(wide + size)
    assert found["margin"]["l"] > 60 * size / 20
    hidden = arranged(page, 400, yaxis=words | dict(showticklabels=False))
    assert hidden["yaxis"]["showticklabels"] is True
    assert hidden["margin"]["l"] == pytest.approx(wide + size)
    assert arranged(page, 400, yaxis=words | dict(visible=False))["margin"]["l"] == pytest.approx(60 * size / 20)
    none = arranged(page, 400, yaxis=words | dict(showticklabels=False, ticktext=["", ""]))
    assert none["yaxis"]["showticklabels"] is False
    assert arranged(page, 400, meta=dict(legend=30, narrow={"2": 0.5}))["height"] < arranged(page, 400)["height"]


def test_a_phone_has_no_panel_too_low_or_too_high(page):
    def high(**changes):
        found = arranged(page, 400, **changes)
        a, b = found["yaxis"]["domain"]
        return (b - a) * found["height"], 400 - found["margin"]["l"] - found["margin"]["r"]

    whole, _ = high()
    assert high(yaxis=dict(range=[0, 1]))[0] == whole, "all of the height where nobody says how much"
    for domain, wanted in (([0, 1], None), ([0, 0.1], 0.45)):
        tall, wide = high(yaxis=dict(range=[0, 1], domain=domain))
        assert tall == pytest.approx(wanted * wide if wanted else wide * 300 / 450)
    assert high(height=1500, xaxis2=PLANNED["xaxis2"] | dict(domain=[0.9, 1]))[0] <= 0.68 * 1500 + 0.1
    tall, _ = high(
        height=400, xaxis=PLANNED["xaxis"] | dict(domain=[0, 0.2]), xaxis2=PLANNED["xaxis2"] | dict(domain=[0.2, 1])
    )
    assert tall == pytest.approx(0.68 * 400)
    one, _ = high()
    half, _ = high(meta=dict(narrow={"": 0.5}))
    assert half == pytest.approx(one / 2)


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


def test_an_element_is_kept_as_long_as_it_is_of_its_kind(page):
    assert page.evaluate("""() => {
        const box = document.createElement("div"), one = child(box, 0, "span"), again = child(box, 0, "span");
        set(one, { id: "a", title: "t" });
        set(one, { id: "", title: null });
        const other = child(box, 0, "p"), drawn = child(child(box, 1, "svg"), 0, "g");
        child(box, 2, "i");
        trim(box, 2);
        return [one === again, one.getAttribute("id"), one.hasAttribute("title"), other.localName,
            box.childNodes.length, drawn.namespaceURI, box.firstChild === other];
    }""") == [True, None, False, "p", 2, "http://www.w3.org/2000/svg", True]  # fmt: skip


VALUES = [0, -0.0, 1, -1, 0.5, 1234.5678, -1234567.891, 1e-7, 123456789, 0.000123456, 99.96, -0.004, 2 / 3,
          float("nan"), float("inf"), float("-inf"), "word", None]  # fmt: skip
FORMATS = ["", ".2f", ".0f", ",.1f", ",d", "d", ".3g", "g", ".1%", "%", ".2e", "f", ".0g"]


def test_numbers_are_written_as_their_format_says(page):
    special = dict(nan="NaN", inf="Infinity") | {"-inf": "-Infinity"}
    for value in VALUES:
        text = special.get(str(value))
        for form in FORMATS:
            if form == ".0g" or (form == "" and value == 1e-7) or (form == ".2e" and value == 0):
                continue
            seen = page.evaluate(
                "([value, text, form]) => formatted(text ? Number(text) : value, form)",
                [None if text else value, text, form],
            )
            assert seen == number(value, form), (value, form)
    assert page.evaluate("[formatted(0.123, '.0g'), formatted(12), formatted(true)]") == ["0.1", "12", "true"]


def test_a_mark_says_its_own_numbers_its_rows_and_its_names(page):
    say = "([trace, i, count]) => wordsAt(readable(trace), i, count)"
    rows = dict(dtype="f8", bdata=b64encode(np.arange(6.0).tobytes()).decode(), shape="3,2")
    trace = dict(
        x=[1, 2, 3],
        name="n",
        customdata=rows,
        hovertemplate="%{x}: %{customdata[1]:.1f}<br>%{text}<br/> <extra>%{fullData.name}!</extra>",
        text="same",
    )
    assert page.evaluate(say, [trace, 2, 3]) == ["3: 5.0", "same", "n!"]
    assert page.evaluate(say, [trace | dict(hovertemplate=["one", "two"]), 1, 3]) == ["two", "n"]
    assert page.evaluate(say, [trace | dict(hoverinfo="skip"), 2, 3]) == []
    assert page.evaluate(say, [dict(x=[1]), 0, 1]) == []
    assert page.evaluate(say, [dict(x=[1], hovertemplate="%{y}"), 0, 1]) == []
    heat_ = dict(
        z=[[1, 2, 3], [4, 5, 6]],
        text=[["a", "b", "c"], ["d", "e", "f"]],
        hovertemplate="%{x} %{y} %{z} %{text}<extra></extra>",
    )
    assert page.evaluate(say, [heat_, 4, 6]) == ["1 1 5 e"]
    assert page.evaluate(say, [heat_ | dict(x=[10, 20, 30], y=[7, 8]), 5, 6]) == ["30 8 6 f"]
    flat = dict(dtype="f8", bdata=b64encode(np.arange(1.0, 7).tobytes()).decode(), shape="2,3")
    assert page.evaluate(
        say, [heat_ | dict(z=flat, customdata=[9, 8, 7, 6, 5, 4], hovertemplate="%{z} %{customdata}"), 3, 6]
    ) == ["4 6"]
    deep = dict(dtype="f8", bdata=b64encode(np.arange(12.0).tobytes()).decode(), shape="2,3,2")
    assert page.evaluate(say, [heat_ | dict(z=flat, customdata=deep, hovertemplate="%{customdata[1]}"), 4, 6]) == ["9"]


def test_the_picture_of_a_mark_is_its_shares_of_the_darkest(page):
    ask = "([trace, i, count]) => pictureAt(readable(trace), i, count)"
    rows = dict(dtype="f8", bdata=b64encode(np.array([0.0, 1, 2, 4, 0, 3]).tobytes()).decode(), shape="2,3")
    for customdata in (rows, [[0, 1, 2], [4, 0, 3]]):
        assert page.evaluate(ask, [dict(meta=dict(pixels=[1, 3]), customdata=customdata), 0, 2]) == [
            1,
            3,
            [0, 0.25, 0.5],
        ]
    assert page.evaluate(ask, [dict(meta=dict(pixels=[1, 1]), customdata=[[0], [0]]), 1, 2]) == [1, 1, [0]]
    assert page.evaluate(ask, [dict(x=[1]), 0, 1]) is None


def formula(page, parts, lit=None):
    """Every element of an equation as (tag, class, text), in order."""
    page.evaluate(
        """([parts, lit]) => {
            const element = document.querySelector(".nb-formula");
            element.nbLit = lit && new Set(lit);
            drawFormula(element, parts);
        }""",
        [plain(parts), lit],
    )
    return page.locator(".nb-formula *").evaluate_all(ALL)


def test_an_equation_is_made_of_steps_that_begin_with_a_sign_or_words(page):
    parts = [
        "m = ",
        Term("3", "n", "a", "#0072B2", "/"),
        " × ",
        Term("4", "k"),
        " + (",
        Term("5", "", "b", "#000000"),
        "), ",
        Over(["1 − ", Term("2", "c", color="#D55E00")], ["7"]),
    ]
    seen = formula(page, parts, ["b"])
    steps_ = page.locator(".nb-formula > .nb-step").all_inner_texts()
    assert len(steps_) == 3
    terms = [item for item in seen if "nb-term" in item.get("class", "").split()]
    assert only(terms, "class", "tabindex", "data-mark", "data-hatch", "style", "data-lm-suppress-shortcuts") == [
        ("nb-term", "0", "a", "/", "--nb-mark:#0072B2", "true"), ("nb-term", None, None, None, None, None),
        ("nb-term nb-lit", "0", "b", None, f"--nb-mark:{INK}", "true"),
        ("nb-term", None, None, None, "--nb-mark:#D55E00", None),
    ]  # fmt: skip
    signs = [item["text"].split() for item in seen if item.get("class") == "nb-sign"]
    assert signs == [["×", "times"], ["−", "minus"]]
    kinds = "nb-top", "nb-unseen", "nb-bottom", "nb-fraction"
    assert [item["class"] for item in seen if item.get("class") in kinds] == [
        "nb-unseen", "nb-fraction", "nb-top", "nb-unseen", "nb-unseen", "nb-bottom",
    ]  # fmt: skip
    found = page.evaluate(
        "['a', 'b', 'c'].map((name) => termsOf(document.querySelector('.nb-formula'), [name]).length)"
    )
    assert found == [1, 1, 0]
    page.evaluate("lightTerms(document.querySelector('.nb-formula'), ['a'])")
    assert page.locator(".nb-formula .nb-lit").evaluate_all("all => all.map((e) => e.dataset.mark)") == ["a"]
    assert page.evaluate("[termsOf(undefined, ['a']), lightTerms(null, [])]") == [[], None]
    bare = formula(page, ["x = ", Term("1")])
    assert page.locator(".nb-formula").inner_text().split() == ["x", "=", "1"]
    assert [item for item in bare if item.get("data-mark")] == []

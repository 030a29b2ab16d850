"""Grips with a host that stands for the page: where they stand, which values a drag chooses, and what is told."""

import pytest

from workbook.draw import script

from .test_details import CSS

pytestmark = pytest.mark.browser
# A panel of 400 by 200 px at (40, 20) for x and y from 0 to 10; `moves` is what the host heard.
SETUP = """
const values = [...Array(11).keys()];
const control = (name, own = {}) => ({ label: name, values, say: (v) => `<${v}>`, ...own });
const layout = { height: 260, margin: { l: 40, r: 10, t: 20, b: 40 }, font: { size: 10 },
    xaxis: { range: [0, 10], domain: [0, 1] }, yaxis: { range: [0, 10], domain: [0, 1] } };
const root = document.querySelector(".nb-figure");
const moves = [], host = { controls: new Map(), move: (v) => moves.push(v), released: () => moves.push("released") };
let undoTouch;
function show(handles, controls, data = []) {
    moves.length = 0;
    host.controls = new Map(Object.entries(controls).map(([name, own]) => [name, control(name, own)]));
    const meta = { handles: handles.map((h) => ({ panel: "", x: 5, y: 5, ...h })) };
    draw(root, { data: data.map((t) => ({ xaxis: "x", ...t })), layout: { ...layout, meta } }, 450);
    showHandles(root, host);
}
const sides = ["left", "top", "width", "height"], grips = () => [...document.querySelectorAll(".nb-grips > div")];
const boxes = () => grips().map((e) => sides.map((side) => parseFloat(e.style[side])));
"""


@pytest.fixture(scope="module")
def page(browser):
    opened = browser.new_page()
    opened.set_content(
        f"<style>{CSS}</style><body style='margin:0'><div class=nb-view>"
        "<div class=nb-figure style='width:450px'></div></div>"
        f"<script>{script()}\n{SETUP}</script>"
    )
    yield opened
    opened.close()


def show(page, handles, controls, data=()):
    page.mouse.move(0, 0)
    page.evaluate("what => { delete root.nbView; show(...what); }", [handles, controls, list(data)])


def at(page, x, y):
    """Where a pixel of the stage is on the screen."""
    box = page.locator(".nb-stage").bounding_box()
    return box["x"] + x, box["y"] + y


def drag(page, start, *stops, up=True):
    page.mouse.move(*at(page, *start))
    page.mouse.down()
    for stop in stops:
        page.mouse.move(*at(page, *stop))
    if up:
        page.mouse.up()


def said(page):
    """(words, left, top, width, height) of what a grip says while it is dragged."""
    return page.locator(".nb-dragged").evaluate(
        "e => [e.textContent, parseFloat(e.style.left), parseFloat(e.style.top), e.offsetWidth, e.offsetHeight]"
    )


def moves(page):
    return page.evaluate("moves")


def test_a_grip_stands_around_its_place_and_a_line_along_its_panel(page):
    show(page, [
        dict(controls=["a"], axis="x", shape="point", x=2, y=3), dict(controls=["a"], axis="x", shape="line", x=2),
        dict(controls=["a"], axis="y", shape="line", y=2), dict(controls=["a", "b"], axis="xy", shape="bar"),
        dict(controls=["none"], axis="x", shape="point"), dict(controls=["a"], axis="x", shape="point", panel="7"),
    ], dict(a={}, b={}))  # fmt: skip
    assert page.evaluate("boxes()") == [[106, 146, 28, 28], [106, 20, 28, 200], [40, 166, 400, 28], [226, 106, 28, 28]]
    grips = page.locator(".nb-grips > div")
    assert grips.evaluate_all("all => all.map((e) => [e.className, e.dataset.control, e.ariaHidden])") == [
        ["nb-grip nb-grip-point nb-along-x", "a", "true"], ["nb-grip nb-grip-line nb-along-x", "a", "true"],
        ["nb-grip nb-grip-line nb-along-y", "a", "true"], ["nb-grip nb-grip-bar nb-along-xy", "a b", "true"],
    ]  # fmt: skip
    page.evaluate("show([], {})")
    assert grips.count() == 0


DRAGS = {  # handle, controls, from, to, what it moves: 40 px of x and 20 px of y are one unit
    "along x": (dict(axis="x"), dict(a={}), (240, 120), (330, 60), {"a": 7}),
    "along y, from beside its middle": (dict(axis="y"), dict(a={}), (250, 130), (250, 152), {"a": 4}),
    "a line, wherever it is taken": (dict(axis="x", shape="line"), dict(a={}), (240, 200), (280, 60), {"a": 6}),
    "two controls": (dict(axis="xy"), dict(a={}, b=dict(values=[0, 5, 10])), (240, 120), (320, 40), {"a": 7, "b": 10}),
    "two controls the other way": (dict(axis="yx"), dict(a={}, b=dict(values=[0, 5, 10])), (240, 120), (400, 100),
                                   {"a": 6, "b": 10}),
    "a bar at places of its own": (dict(axis="y", shape="bar", y=2.5, places=[k * k / 10 for k in range(11)]),
                                   dict(a={}), (240, 170), (240, 96), {"a": 8}),  # 6.2: nearest are 49 and 64 tenths
    "values without a place": (dict(axis="y", places=[None, 2, 5, None]), dict(a=dict(values=[0, 1, 2, 3])),
                               (240, 120), (240, 219), {"a": 1}),
}  # fmt: skip


@pytest.mark.parametrize("kind", DRAGS)
def test_a_grip_moves_its_control_to_the_value_under_the_pointer(page, kind):
    handle, controls, start, stop, wanted = DRAGS[kind]
    show(page, [dict(controls=list(controls), shape="point") | handle], controls)
    drag(page, start, stop)
    assert moves(page) == [wanted, "released"]
    assert page.locator(".nb-dragged, .nb-held").count() == 0
    page.mouse.move(*at(page, 100, 100))
    assert len(moves(page)) == 2, "it was let go"


def test_a_value_is_told_once_and_said_above_the_grip(page):
    show(page, [dict(controls=["a"], axis="x", shape="point")], dict(a={}))
    drag(page, (240, 120), (270, 120), (280, 110), (285, 90), up=False)
    assert moves(page) == [{"a": 6}]
    words, left, top, _, height = said(page)
    assert words == "a = <6>"
    assert left == pytest.approx(280)
    assert top + height < 120 - 14
    assert page.evaluate("boxes()[0].slice(0, 2)") == [280 - 14, 106], "it goes along its axis alone"
    page.mouse.up()


def test_a_press_that_hardly_moves_is_no_drag(page):
    fine = dict(values=[k / 20 for k in range(201)])
    show(page, [dict(controls=["a"], axis="x", shape="point")], dict(a=fine))
    drag(page, (240, 120), (243, 120))
    assert moves(page) == ["released"]
    drag(page, (240, 120), (244, 120))
    assert moves(page)[1:] == [{"a": 5.1}, "released"]


def test_a_drag_that_the_browser_takes_over_is_over(page):
    """A finger that scrolls the page instead."""
    show(page, [dict(controls=["a"], axis="x", shape="point")], dict(a={}))
    drag(page, (240, 120), (280, 120), up=False)
    grip = page.locator(".nb-grip")
    grip.evaluate("e => e.dispatchEvent(new PointerEvent('pointercancel', { clientX: 280, clientY: 120 }))")
    assert moves(page) == [{"a": 6}, "released"]
    page.mouse.move(*at(page, 360, 120))
    page.mouse.up()
    assert moves(page) == [{"a": 6}, "released"]
    assert page.locator(".nb-dragged, .nb-held").count() == 0


def test_places_may_lie_on_a_curve_or_in_a_net(page):
    curve = dict(dtype="f8", shape="11,2", bdata=points_of([(u, 10 - u) for u in range(11)]))
    show(page, [dict(controls=["a"], axis="xy", shape="point", places=curve)], dict(a={}))
    drag(page, (240, 120), (320, 160))
    assert moves(page) == [{"a": 7}, "released"]
    net = dict(dtype="f8", shape="11,3,2", bdata=points_of([(u, v * u / 2) for u in range(11) for v in range(3)]))
    show(page, [dict(controls=["a", "b"], axis="xy", shape="point", places=net, x=4, y=2)],
         dict(a={}, b=dict(values=["p", "q", "r"])))  # fmt: skip
    drag(page, (200, 180), (280, 100))
    assert moves(page) == [{"a": 6, "b": "r"}, "released"]


def points_of(points):
    from base64 import b64encode

    import numpy as np

    return b64encode(np.array(points, dtype=float).tobytes()).decode()


def test_a_line_says_its_value_at_the_top_and_words_stay_in_the_figure(page):
    show(page, [dict(controls=["a"], axis="x", shape="line")], dict(a=dict(label="a name that is quite long")))
    drag(page, (240, 200), (280, 60), up=False)
    words, left, top, wide, height = said(page)
    assert words == "a name that is quite long = <6>"
    assert top == pytest.approx(max(0, 48 - 28 - height / 2), abs=0.01)
    page.mouse.move(*at(page, 445, 60))
    _, left, _, wide, _ = said(page)
    assert left == pytest.approx(450 - wide, abs=1)
    page.mouse.move(*at(page, 2, 60))
    assert said(page)[1] == pytest.approx(40)
    page.mouse.up()
    show(page, [dict(controls=["a"], axis="y", shape="line")], dict(a={}))
    drag(page, (100, 120), (100, 80), up=False)
    assert said(page)[1] == 0, "a line that lies begins at the left"
    assert page.evaluate("boxes()[0]") == [40, 66, 400, 28]
    page.mouse.up()


def test_a_figure_drawn_while_a_grip_is_held_leaves_it_in_the_hand(page):
    show(page, [dict(controls=["a"], axis="x", shape="point")], dict(a={}))
    drag(page, (240, 120), (280, 120), up=False)
    page.evaluate("() => { show([{ controls: ['a'], axis: 'x', shape: 'point', x: 1 }], { a: {} }); }")
    assert page.evaluate("boxes()[0][0]") == 266
    page.mouse.up()
    page.evaluate("show([{ controls: ['a'], axis: 'x', shape: 'point', x: 1 }], { a: {} })")
    assert page.evaluate("boxes()[0][0]") == 66


def test_a_press_anywhere_picks_what_is_nearest(page):
    show(page, [dict(controls=["a", "b"], axis="xy", shape="pick")], dict(a=dict(values=[2, 8]), b=dict(values=[2, 8])))
    assert page.evaluate("boxes()") == [[40, 20, 400, 200]]
    page.mouse.click(*at(page, 300, 200))
    assert moves(page) == [{"a": 8, "b": 2}]
    page.mouse.click(*at(page, 60, 30))
    assert moves(page)[1:] == [{"a": 2, "b": 8}]
    page.evaluate("show([{ controls: ['a'], axis: 'x', shape: 'point' }], { a: {} })")
    page.mouse.click(*at(page, 240, 120))
    assert moves(page) == ["released"], "a grip that was a field picks no more"


def test_a_picture_that_is_shown_smaller_is_dragged_in_its_own_pixels(page):
    show(page, [dict(controls=["a"], axis="x", shape="point")], dict(a={}))
    page.evaluate("root.style.cssText = 'width: 450px; transform: scale(0.5); transform-origin: 0 0'")
    box = page.locator(".nb-stage").bounding_box()
    page.mouse.move(box["x"] + 120, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 140, box["y"] + 60)  # 40 px of its own
    page.mouse.up()
    page.evaluate("root.style.cssText = 'width: 450px'")
    assert moves(page) == [{"a": 6}, "released"]

"""What is pointed at, in the cases that no explorer has: every kind of mark, every edge, every key."""

import pytest

from workbook.explorer.formula import Term

from .test_details import BARS, DOTS, blank, place, point_at, rings, show, simple, words

pytestmark = pytest.mark.browser
BOX = "e => { const { x, y, width, height } = e.getBBox(); return [x, y, x + width, y + height]; }"


@pytest.fixture(scope="module")
def page(browser):
    opened, errors = blank(browser), []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    assert errors == []
    opened.close()


def dots(x, y, **changes):
    return (
        dict(type="scatter", mode="markers", x=x, y=y, marker=dict(size=10), hovertemplate="%{x}, %{y}<extra></extra>")
        | changes
    )


def at(figure, x, y):
    return tuple(float(u) for u in place(figure, x, y))


def outlines(page):
    """Left, top, right and bottom of every ring on the stage."""
    return [ring.evaluate(BOX) for ring in page.locator(".nb-outlines .nb-ring").all()]


def test_an_outline_goes_closely_around_its_mark(page):
    figure = simple([dots([2, 8], [5, 5], marker=dict(size=[10, 1])), BARS])
    show(page, figure)
    round_marks = [(at(figure, x, y), (x, y), size / 2) for x, y, size in ((2, 5, 10), (8, 5, 1))]
    cases = [((x - r, y - r, x + r, y + r), place_) for (x, y), place_, r in round_marks]
    cases.append(((*at(figure, 5.5, 5), *at(figure, 6.5, 0)), (6, 2)))
    for (left, top, right, bottom), pointed in cases:
        point_at(page, *at(figure, *pointed))
        (ring,) = outlines(page)
        room = [left - ring[0], top - ring[1], ring[2] - right, ring[3] - bottom]
        assert 1 <= min(room) <= max(room) <= 6, pointed


def test_a_name_outlines_all_its_marks_or_those_of_that_name(page):
    figure = simple([dots([1, 3, 5, 12], [5, 5, 5, 5], meta=dict(mark="all"), ids=["p", "q", "p", "q"]), BARS], [
        dict(type="rect", x0=7, x1=9, y0=7, y1=9, xref="x", yref="y", name="field"),
    ])  # fmt: skip
    show(
        page,
        figure,
        [Term("1", "n", "all"), " ", Term("2", "p", "p"), " ", Term("3", "f", "field"), " ", Term("4", "c", "c")],
    )
    for name, count, circles in (("all", 1, 3), ("p", 2, 2), ("field", 1, 1), ("c", 1, 1)):
        page.locator(f"[data-mark={name}]").hover()
        found = page.locator(".nb-outlines .nb-ring").evaluate_all("all => all.map((e) => e.getAttribute('d'))")
        assert (len(found), sum(d.count("M") for d in found)) == (count, circles), name
    point_at(page, *at(figure, 8, 8))
    assert words(page) == ["f = 3"], "a field says what the equation says of it"
    point_at(page, *at(figure, 8, 9.4))
    assert words(page) == [], "it has no reach"


def test_the_finer_kind_is_meant_and_what_lies_under_it_is_reached_beside_it(page):
    line = dots([0, 10], [5, 5], mode="lines", hovertemplate="line<extra></extra>", line=dict(width=2))
    figure = simple([dict(BARS, y=[8, 0, 0]), line, dots([2], [5], marker=dict(size=8))])
    show(page, figure)
    here = at(figure, 2, 5)
    for right, down, wanted in (
        (0, 0, "2, 5"), (0, 4, "2, 5"), (0, 6, "2, 5"), (0, 12, "bar 2: 8.00"), (80, 10, "line"),
    ):  # fmt: skip
        point_at(page, here[0] + right, here[1] + down)
        assert words(page)[:1] == [wanted], (right, down)


def test_marks_are_found_within_reach_and_the_smaller_of_two_that_are_as_near(page):
    figure = simple([dots([2, 8], [5, 5])])
    show(page, figure)
    left, top = at(figure, 2, 5)
    for away, wanted in (
        ((23, 0), ["2, 5"]),
        ((25, 0), []),
        ((0, -23.5), ["2, 5"]),
        ((-17, -17), []),
        ((16, 16), ["2, 5"]),
    ):
        point_at(page, left + away[0], top + away[1])
        assert words(page) == wanted, away
    small = dict(BARS, x=[5], y=[2], width=1, hovertemplate="small<extra></extra>")
    for larger in (dict(y=[6], width=3), dict(y=[6]), dict(x=[4], width=3.5)):  # both ways, higher, wider to the left
        large = dict(small, hovertemplate="large<extra></extra>") | larger
        for pair in ([large, small], [small, large]):
            figure = simple(pair)
            show(page, figure)
            point_at(page, *at(figure, 5, 1))
            assert words(page) == ["small"], pair


def test_a_line_is_near_between_its_points_and_not_where_it_has_a_gap(page):
    line = dots([0, 4, None, 8, 10], [5, 5, 5, 5, 5], mode="lines")
    figure = simple([line])
    show(page, figure)
    for x, wanted in ((1, ["0, 5"]), (3, ["4, 5"]), (6, []), (8.2, ["8, 5"]), (9.8, ["10, 5"])):
        point_at(page, *at(figure, x, 5.2))
        assert words(page) == wanted, x
    steep = simple([dots([2, 2.2], [0, 10], mode="lines")])
    show(page, steep)
    point_at(page, *at(steep, 2.05, 3))
    assert words(page) == ["2, 0"]


def test_only_what_the_panel_shows_is_found(page):
    outside = dots([-1, 10.01, 5, None], [5, 5, 12, 3])
    figure = simple([outside])
    show(page, figure)
    count = """() => seriesOf(document.querySelector(".nb-figure").nbView)
        .map((series) => [...Array(series.count).keys()].filter((i) => series.box(i)))"""
    assert page.evaluate(count) == [[1]], "half a pixel is shown"
    show(page, simple([dots([1, 2, 3], [1, 1, 1], marker=dict(size=[0, 5, None]))]))
    assert page.evaluate(count) == [[1, 2]]
    show(page, simple([dots([1, 2], [1, 1], marker=dict(size=[0, 5]), mode="lines+markers")]))
    assert page.evaluate(count) == [[0, 1]]
    show(page, simple([dict(type="contour", lines=dict(x=[1], y=[1]), line=dict(color="#111111"))]))
    assert page.evaluate(count) == [[]]


def test_lying_bars_are_where_they_are_drawn(page):
    lying = dict(type="bar", orientation="h", y=[2, 6], x=[3, 12], width=1, hovertemplate="%{y}: %{x}<extra></extra>")
    figure = simple([lying])
    show(page, figure)
    for (x, y), wanted in (((1, 2), ["2: 3"]), ((9, 6), ["6: 12"]), ((9, 2), [])):
        point_at(page, *at(figure, x, y))
        assert words(page) == wanted, (x, y)


def focused(page, *keys):
    for key in keys:
        page.keyboard.press(key)
    return words(page)


def test_keys_go_along_a_trace_and_to_the_nearest_of_the_next(page):
    one, two = dots([1, 3, 5, 7], [2, 2, 2, 2]), dots([5.2, 9, 0.8], [8, 8, 8])
    show(page, simple([one, two]))
    page.locator(".nb-reader").focus()
    assert focused(page, "ArrowRight") == ["1, 2"]
    assert focused(page, "ArrowLeft") == ["1, 2"], "the first stays the first"
    assert focused(page, "ArrowRight", "ArrowRight") == ["5, 2"]
    assert focused(page, "ArrowLeft") == ["3, 2"]
    assert focused(page, "ArrowRight") == ["5, 2"]
    assert focused(page, "ArrowUp") == ["5, 2"]
    assert focused(page, "ArrowDown") == ["5.2, 8"]
    assert focused(page, "ArrowDown") == ["5.2, 8"]
    assert focused(page, "Home") == ["5.2, 8"]
    assert focused(page, "End") == ["0.8, 8"]
    assert focused(page, "ArrowUp") == ["1, 2"]
    assert focused(page, "End", "ArrowRight") == ["7, 2"]
    assert focused(page, "Control+ArrowLeft", "Alt+Home", "Meta+ArrowLeft", "a") == ["7, 2"]
    assert focused(page, "Escape") == []
    show(page, simple([]))
    page.locator(".nb-reader").focus()
    assert focused(page, "ArrowRight") == []


def test_in_another_panel_the_first_mark_is_meant(page):
    figure = simple([dots([1, 5], [2, 2]), dots([1, 5], [8, 8], xaxis="x2", yaxis="y2")])
    figure["layout"] |= dict(xaxis=dict(range=[0, 10], domain=[0, 0.4]), xaxis2=dict(range=[0, 10], domain=[0.6, 1]),
                             yaxis2=dict(range=[0, 10], domain=[0, 1]))  # fmt: skip
    show(page, figure)
    page.locator(".nb-reader").focus()
    assert focused(page, "End", "ArrowDown") == ["1, 8"]


def test_the_pointer_comes_before_the_keys_and_the_keys_before_the_pointer_that_rests(page):
    figure = simple([dots([1, 5], [2, 2])])
    show(page, figure)
    page.locator(".nb-reader").focus()
    assert focused(page, "ArrowRight") == ["1, 2"]
    point_at(page, *at(figure, 5, 2))
    assert words(page) == ["5, 2"]
    assert focused(page, "Home") == ["1, 2"]
    page.mouse.move(0, 0)
    assert words(page) == ["1, 2"]
    page.locator("button").focus()
    assert words(page) == []


def test_a_mark_that_is_gone_or_hidden_is_said_no_more_and_one_with_a_name_is_followed(page):
    redraw = "f => { draw(document.querySelector('.nb-figure'), f, 880); }"
    figure = simple([dots([1, 5], [2, 2], ids=["p", "q"])])
    show(page, figure)
    point_at(page, *at(figure, 5, 2))
    page.evaluate(redraw, simple([dots([9, 5], [4, 2], ids=["q", "p"])]))
    assert words(page) == ["9, 4"]
    page.evaluate(redraw, simple([dots([9, 5], [14, 2], ids=["q", "p"])]))
    assert words(page) == []
    show(page, simple([dots([1, 5], [2, 2])]))
    point_at(page, *at(figure, 5, 2))
    page.evaluate(redraw, simple([dots([1], [2])]))
    assert words(page) == []
    show(page, simple([BARS, DOTS]))
    point_at(page, *at(figure, 8, 7))
    assert words(page)[0] == "two <b>"
    page.evaluate(redraw, simple([BARS]))
    assert words(page) == []
    show(page, figure, ["n = ", Term("1", "n", "p")])
    page.locator("[data-mark=p]").focus()
    assert len(rings(page)) == 1
    page.evaluate("drawFormula(document.querySelector('.nb-formula'), [])")
    page.evaluate(redraw, figure)
    assert rings(page) == [], "its term is gone"


def test_details_that_are_detached_leave_nothing_behind(page):
    figure = simple([DOTS])
    show(page, figure)
    point_at(page, *at(figure, 1, 9))
    page.evaluate("undo(); globalThis.undo = undefined")
    point_at(page, *at(figure, 1, 9))
    assert page.locator(".nb-details").count() == 0


def test_a_finger_that_goes_far_did_not_tap(browser):
    context = browser.new_context(has_touch=True, viewport={"width": 900, "height": 600})
    page = blank(context)
    figure = simple([dots([5], [5])])
    show(page, figure)
    send = """([kind, x, y]) => document.querySelector(".nb-figure").dispatchEvent(
        new PointerEvent(kind, { bubbles: true, pointerType: "touch", clientX: x, clientY: y }))"""
    box = page.locator(".nb-stage").bounding_box()
    x, y = (base + u for base, u in zip((box["x"], box["y"]), at(figure, 5, 5), strict=True))
    for (dx, dy), wanted in (((8, 8), []), ((0, 11), []), ((6, 6), ["5, 5"]), ((0, 10), ["5, 5"])):
        page.evaluate("() => { const t = document.querySelector('.nb-figure').nbTouch; t.hovered = null; }")
        page.evaluate("document.dispatchEvent(new PointerEvent('pointerdown', { pointerType: 'touch' }))")
        page.evaluate(send, ["pointerdown", x - dx, y - dy])
        page.evaluate(send, ["pointermove", x, y])
        page.evaluate(send, ["pointerup", x, y])
        assert words(page) == wanted, (dx, dy)
    page.evaluate(send, ["pointerleave", x, y])
    assert words(page) == ["5, 5"], "a finger that is lifted leaves the words"
    page.evaluate("document.dispatchEvent(new PointerEvent('pointerdown', { pointerType: 'touch', bubbles: true }))")
    assert words(page) == []
    page.evaluate(send, ["pointerup", x, y])
    assert words(page) == [], "a grip kept the press to itself"
    context.close()

"""Marks say what they are by mouse, touch and keyboard; the equation's terms and their marks find each other."""

import re

import numpy as np
import pytest

from workbook.draw import script
from workbook.explorer import view
from workbook.explorer.formula import Over, Term, encode_parts
from workbook.explorer.view import SOURCE

from .figures import NAMES, call, figures
from .test_draw import WIDTH, Axis, axes_of, many
from .test_draw import plain as arrays_of

pytestmark = pytest.mark.browser
CSS = view.style()
NARROW = 390
SHOW = """([figure, parts, width]) => {
    const [root, formula] = ["nb-figure", "nb-formula"].map((name) => document.querySelector(`.${name}`));
    globalThis.undo?.();
    document.activeElement.blur();
    delete root.nbView;
    draw(root, figure, width);
    drawFormula(formula, parts);
    const ends = [attachDetails(root), linkFormula(root, formula)];
    globalThis.undo = () => ends.forEach((end) => end());
}"""
HOSTILE = "<img src=x onerror=alert(1)>"


def blank(context):
    page = context.new_page()
    page.set_content(
        f"<style>{CSS}</style><body style='margin:0'><button>before</button><div class='nb-view'>"
        "<div class='nb-figure' style='min-width:0'></div><div class='nb-formula'></div></div>"
        f"<script>{script()}</script>"
    )
    return page


@pytest.fixture(scope="module")
def page(browser):
    opened = blank(browser)
    yield opened
    opened.close()


def show(page, figure, parts=(), width=WIDTH):
    page.mouse.move(0, 0)
    call(page, SHOW, [figure, encode_parts(parts), width])


def simple(traces, shapes=()):
    """A figure of one panel, 10 by 10."""
    layout = dict(height=300, margin=dict(l=40, r=10, t=20, b=40), font=dict(size=13), shapes=list(shapes))
    layout |= {name: dict(range=[0, 10], domain=[0, 1]) for name in ("xaxis", "yaxis")}
    return dict(data=[dict(xaxis="x", yaxis="y") | trace for trace in traces], layout=layout)


def place(figure, x, y, width=WIDTH):
    """Where a point of a simple figure stands on its stage."""
    layout = figure["layout"]
    right = width / WIDTH  # `Axis` knows one width
    at = Axis(layout, "x", "").to(x), Axis(layout, "y", "").to(y)
    if right == 1:
        return at
    room, margin = width - 50, layout["margin"]["l"]
    return margin + x / 10 * room, at[1]


def words(page):
    """The lines that stand beside the mark; none if nothing is shown."""
    return page.evaluate("""[...document.querySelectorAll(".nb-words > div > div")].filter((line) =>
        line.checkVisibility({ visibilityProperty: true }) && line.offsetWidth).map((line) => line.innerText)""")


def stage(page):
    return page.locator(".nb-stage").bounding_box()


def point_at(page, x, y):
    box = stage(page)
    page.mouse.move(box["x"] + x, box["y"] + y)


def rings(page):
    """The middle of every outline on the stage."""
    box = stage(page)
    found = [ring.bounding_box() for ring in page.locator(".nb-ring").all()]
    return [(r["x"] - box["x"] + r["width"] / 2, r["y"] - box["y"] + r["height"] / 2) for r in found]


# --- every figure ---------------------------------------------------------------------------------------------------


def has_point_inside(trace, layout):
    """Whether a scatter trace has a point within the ranges of its panel."""
    inside = np.array(many(trace.get("marker", {}).get("size"), len(trace["x"]), 6)) > 0
    for axis, letter in zip(axes_of(layout, trace), "xy", strict=True):
        low, high = sorted((axis.start, axis.end))
        places = axis.to(trace[letter])
        inside &= (low <= places) & (places <= high)
    return inside.any()


@pytest.mark.parametrize("name", NAMES)
def test_arrow_keys_reach_every_trace_that_has_a_hover_text(page, name):
    figure = figures(name)[0].text
    show(page, figure)
    found = arrays_of(figure)
    telling = [k for k, t in enumerate(found["data"]) if t.get("hovertemplate") and t.get("hoverinfo") != "skip"]
    scattered = [k for k in telling if found["data"][k]["type"] == "scatter"]
    wanted = {f"trace {k}" for k in scattered if has_point_inside(found["data"][k], found["layout"])}
    page.locator(".nb-reader").focus()
    page.keyboard.press("ArrowRight")
    reached = []
    while (key := page.evaluate("document.querySelector('.nb-figure').nbTouch.focused?.series.key")) not in reached:
        for press in ("Home", "End"):
            page.keyboard.press(press)
            lines = words(page)
            assert lines
            assert not re.search(r"%\{|undefined|NaN|null", " ".join(lines)), lines
            spoken = page.evaluate("document.querySelector('.nb-details [aria-live]').textContent")
            assert spoken.split() == ", ".join(lines).split()
        reached.append(key)
        page.keyboard.press("ArrowDown")
    assert wanted <= set(reached) <= {f"trace {k}" for k in telling} | {None}


BARS = dict(type="bar", x=[2, 4, 6], y=[3, 8, 5], width=1, ids=["a", "b", "c"],
            hovertemplate="bar %{x}: %{y:.2f}<extra></extra>")  # fmt: skip
DOTS = dict(type="scatter", mode="markers", x=[1, 8], y=[9, 7], name="dots", text=["one", "two &lt;b&gt;"])
DOTS |= dict(marker=dict(size=10, color="#0072B2"), hovertemplate="%{text}<br>%{y:.1f}")
LINE = dict(type="scatter", mode="lines", x=[0, 10], y=[1, 1], meta=dict(mark="level"), line=dict(color="#D55E00"))
LINE |= dict(hovertemplate="level<extra></extra>")
QUIET = dict(type="scatter", mode="markers", x=[5], y=[5], hoverinfo="skip")
WALL = dict(type="line", x0=9.5, x1=9.5, y0=0, y1=10, xref="x", yref="y", name="wall")


def test_the_mark_nearest_to_the_pointer_says_what_it_is(page):
    figure = simple([BARS, DOTS, LINE, QUIET], [WALL])
    show(page, figure, ["k = ", Term("9.5", "k", "wall")])
    for at, wanted in {
        (2, 2): ["bar 2: 3.00"], (4, 7.8): ["bar 4: 8.00"], (8.1, 7): ["two <b>", "7.0", "dots"], (8, 1.1): ["level"],
        (5, 5.2): [], (9.5, 4): ["k = 9.5"], (6.8, 9.8): [],
    }.items():  # fmt: skip
        point_at(page, *place(figure, *at))
        assert words(page) == wanted, at
    point_at(page, *place(figure, 4, 7.8))
    page.mouse.move(0, 0)
    assert words(page) == []
    assert rings(page) == []


def test_the_outline_stands_where_the_mark_is_and_follows_it(page):
    figure = simple([BARS, DOTS])
    show(page, figure)
    point_at(page, *place(figure, 8, 7))
    assert np.allclose(rings(page), [place(figure, 8, 7)], atol=0.6)
    point_at(page, *place(figure, 4, 3))
    assert np.allclose(rings(page), [place(figure, 4, 4)], atol=0.6)
    grown = simple([BARS | dict(y=[3, 4, 5]), DOTS])
    page.evaluate("f => draw(document.querySelector('.nb-figure'), f, 880)", grown)
    assert words(page) == ["bar 4: 4.00"]
    assert np.allclose(rings(page), [place(figure, 4, 2)], atol=0.6)
    page.evaluate("f => draw(document.querySelector('.nb-figure'), f, 880)", simple([DOTS]))
    assert words(page) == []
    assert rings(page) == []


def test_while_a_button_is_down_nothing_is_said(page):
    figure = simple([BARS])
    show(page, figure)
    point_at(page, *place(figure, 2, 2))
    page.mouse.down()
    assert words(page) == []
    point_at(page, *place(figure, 4, 2))
    assert words(page) == []
    page.mouse.up()


def test_a_tap_says_what_is_there_and_a_tap_elsewhere_hides_it(browser):
    context = browser.new_context(has_touch=True, viewport={"width": NARROW, "height": 600})
    page = blank(context)
    figure = simple([BARS, DOTS])
    show(page, figure, width=NARROW)
    box = stage(page)
    for x, y, wanted in [(2, 2, ["bar 2: 3.00"]), (8, 7, ["two <b>", "7.0", "dots"])]:
        left, top = place(figure, x, y, NARROW)
        page.touchscreen.tap(box["x"] + left, box["y"] + top)
        assert words(page) == wanted
        assert page.locator(".nb-details [aria-live]").text_content() == ", ".join(wanted)
        assert np.allclose(rings(page), [place(figure, x, {2: 1.5, 8: 7}[x], NARROW)], atol=0.6)
    page.touchscreen.tap(20, 580)
    assert words(page) == []
    context.close()


@pytest.mark.parametrize("width", [NARROW, WIDTH])
def test_the_words_never_leave_the_figure(page, width):
    corners = dict(type="scatter", mode="markers", x=[0, 10, 0, 10, 5], y=[0, 0, 10, 10, 5], marker=dict(size=12))
    figure = simple(
        [corners | dict(hovertemplate="a long sentence of many words about the point at %{x}, %{y}<extra></extra>")]
    )
    show(page, figure, width=width)
    frame = stage(page)
    page.locator(".nb-reader").focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
        box = page.locator(".nb-words").bounding_box()
        assert box["x"] >= frame["x"] - 0.5
        assert box["x"] + box["width"] <= frame["x"] + width + 0.5
        assert box["y"] >= frame["y"] - 0.5
        assert box["y"] + box["height"] <= frame["y"] + 300.5
        (ring,) = rings(page)
        x, y = frame["x"] + ring[0], frame["y"] + ring[1]
        covered = box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"]
        assert not covered, "the mark stays to be seen"
    covers = page.evaluate(
        """() => [...document.querySelectorAll(".nb-details, .nb-details *")].filter(
            (e) => getComputedStyle(e).pointerEvents !== "none").map((e) => e.className)"""
    )
    assert covers == [], "the pointer goes through"


def test_the_stage_is_one_tab_stop_whose_keys_the_lab_does_not_see(page):
    show(page, simple([BARS, DOTS]))
    page.locator("button").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "nb-reader"
    reader = page.locator(".nb-reader")
    assert reader.get_attribute("role") == "application"
    page.evaluate("globalThis.heard = []; document.addEventListener('keydown', (e) => heard.push(e.key))")
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowUp", "Escape"):
        page.keyboard.press(key)
    assert page.evaluate("heard") == []
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    assert words(page) == [], "the mark is left with the tab stop"


def test_a_digit_comes_with_its_picture(page):
    pixels = np.array([[0, 1, 2, 3], [3, 0, 0, 0]], dtype=float)
    dots = dict(type="scatter", mode="markers", x=[2, 8], y=[5, 5], text=["a 3", "a 7"], customdata=pixels.tolist())
    dots |= dict(meta=dict(pixels=[2, 2]), hovertemplate="%{text}<extra></extra>")
    figure = simple([dots])
    show(page, figure)
    point_at(page, *place(figure, 8, 5))
    assert words(page) == ["a 7"]
    shades = page.locator(".nb-words canvas").evaluate(
        "c => [c.width, c.height, ...c.getContext('2d').getImageData(0, 0, 2, 2).data.filter((_, i) => i % 4 === 3)]"
    )
    assert shades == [2, 2, 255, 0, 0, 0]
    point_at(page, *place(figure, 2, 5))
    shades = page.locator(".nb-words canvas").evaluate(
        "c => [...c.getContext('2d').getImageData(0, 0, 2, 2).data.filter((_, i) => i % 4 === 3)]"
    )
    assert shades == [0, 85, 170, 255]


# --- the equation ---------------------------------------------------------------------------------------------------

TWICE = Term("3.00", "n<sub>a</sub>", "a", "#0072B2", "/")
PARTS = [
    "m = ",
    Over([TWICE, " · ", Term("1", "level", "level", "#D55E00")], ["2 × ", Term("9.5", "k", "wall")]),
    " ≈ ",
    Term("0.16"),
]
READ = """e => { const copy = e.cloneNode(true);
    copy.querySelectorAll("[aria-hidden]").forEach((sign) => sign.remove());
    return copy.textContent.split(/\\s+/).join(" ").trim(); }"""


def test_the_equation_is_read_in_order(page):
    show(page, simple([BARS, LINE], [WALL]), PARTS)
    wanted = "m = na 3.00 times level 1 divided by 2 times k 9.5 is about 0.16"
    assert page.locator(".nb-formula").evaluate(READ) == wanted
    page.evaluate("p => drawFormula(document.querySelector('.nb-formula'), p)", encode_parts(["x = ", TWICE]))
    assert page.locator(".nb-formula").evaluate(READ) == "x = na 3.00"


@pytest.mark.parametrize("name", NAMES)
def test_every_term_of_an_equation_finds_its_marks(page, name):
    made = figures(name)[0]
    show(page, made.text, made.parts)
    for term in page.locator(".nb-term[data-mark]").all():
        term.focus()
        assert rings(page), term.get_attribute("data-mark")


def test_a_term_outlines_its_mark_by_mouse_and_by_focus(page):
    figure = simple([BARS, LINE], [WALL])
    show(page, figure, PARTS)
    wanted = {"a": place(figure, 2, 1.5), "level": place(figure, 5, 1), "wall": place(figure, 9.5, 5)}
    for name, at in wanted.items():
        page.locator(f"[data-mark={name}]").hover()
        assert np.allclose(rings(page), [at], atol=0.6), name
        page.mouse.move(0, 0)
        assert rings(page) == []
        page.locator(f"[data-mark={name}]").focus()
        assert np.allclose(rings(page), [at], atol=0.6), name
        page.locator("button").focus()
    grown = simple([BARS | dict(y=[6, 8, 5]), LINE], [WALL])
    page.locator("[data-mark=a]").focus()
    page.evaluate("f => draw(document.querySelector('.nb-figure'), f, 880)", grown)
    assert np.allclose(rings(page), [place(figure, 2, 3)], atol=0.6)
    page.locator("button").focus()
    assert rings(page) == []


def test_a_mark_highlights_its_terms(page):
    figure = simple([BARS, LINE], [WALL])
    show(page, figure, [*PARTS, " + ", TWICE])
    lit = lambda: page.locator(".nb-lit").evaluate_all("all => all.map((e) => e.dataset.mark)")  # noqa: E731
    for at, wanted in {(2, 2): ["a", "a"], (4, 2): [], (9.5, 8): ["wall"], (7.8, 1): ["level"]}.items():
        point_at(page, *place(figure, *at))
        assert lit() == wanted
    page.mouse.move(0, 0)
    assert lit() == []
    page.locator(".nb-reader").focus()
    page.keyboard.press("ArrowRight")
    assert lit() == ["a", "a"]


def test_what_is_typed_is_shown_as_text(page):
    figure = simple([dict(type="scatter", mode="markers", x=[5], y=[5], text=[HOSTILE], name="<script>x</script>",
                          hovertemplate="%{text}")])  # fmt: skip
    show(page, figure, [f"{HOSTILE} = ", Term("<script>1</script>", HOSTILE, "a")])
    assert page.locator(".nb-formula").evaluate(READ) == f"{HOSTILE} = {HOSTILE} <script>1</script>"
    point_at(page, *place(figure, 5, 5))
    assert words(page) == [HOSTILE, "<script>x</script>"]
    assert page.locator("img").count() == 0


def test_the_equation_wraps_on_a_narrow_page_and_its_type_stays_readable(page):
    long = [part for k in range(4) for part in (Over([Term(f"0.{k}", "P(a | b)", "a")], [Term("2", "n")]), " + ")]
    show(page, simple([BARS], ()), ["m = ", *long, Term("1")], NARROW)
    page.evaluate("document.querySelector('.nb-formula').style.width = '300px'")
    row = page.locator(".nb-formula").bounding_box()
    boxes = [fraction.bounding_box() for fraction in page.locator(".nb-fraction").all()]
    assert all(box["x"] + box["width"] <= row["x"] + 300 for box in boxes)
    assert len({round(box["y"]) for box in boxes}) > 1
    for fraction in page.locator(".nb-fraction").all():
        top, bottom = (fraction.locator(part).bounding_box() for part in (".nb-top", ".nb-bottom"))
        assert top["y"] + top["height"] <= bottom["y"] + 1
    for step in page.locator(".nb-step:has(> .nb-fraction)").all():
        sign, fraction = (step.locator(part).bounding_box() for part in ("> .nb-text", "> .nb-fraction"))
        assert sign["y"] > fraction["y"], "a line breaks before its sign"
        assert sign["y"] + sign["height"] < fraction["y"] + fraction["height"]
    sizes = page.locator(".nb-symbol").evaluate_all("all => all.map((e) => parseFloat(getComputedStyle(e).fontSize))")
    assert min(sizes) >= 11
    page.evaluate("document.querySelector('.nb-formula').style.width = ''")


def luminance(color):
    r, g, b = (float(c) / 255 for c in re.findall(r"[\d.]+", color)[:3])
    return sum(
        w * (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4)
        for w, c in zip((0.2126, 0.7152, 0.0722), (r, g, b), strict=True)
    )


def test_numbers_and_words_are_readable_in_the_dark(page):
    figure = simple([BARS])
    show(page, figure, PARTS)
    # What JupyterLab's dark theme gives a page.
    page.evaluate(
        """() => { document.body.dataset.jpThemeLight = "false"; document.body.style.background = "#111111";
            document.body.style.setProperty("--jp-content-font-color1", "#ffffff"); }"""
    )
    point_at(page, *place(figure, 4, 2))
    ground = """e => { while (getComputedStyle(e).backgroundColor === "rgba(0, 0, 0, 0)") e = e.parentElement;
        return getComputedStyle(e).backgroundColor; }"""
    for name in (".nb-value", ".nb-symbol", ".nb-sign", ".nb-words"):
        element = page.locator(name).first
        pair = luminance(element.evaluate("e => getComputedStyle(e).color")), luminance(element.evaluate(ground))
        assert (max(pair) + 0.05) / (min(pair) + 0.05) >= 4.5, name
    page.evaluate("document.body.removeAttribute('data-jp-theme-light'); document.body.style.background = ''")


def test_no_name_of_the_script_is_defined_twice():
    names = re.findall(r"^(?:const|let|function|async function|class) (\w+)", SOURCE, re.MULTILINE)
    assert {"draw", "render", "framesAhead"} <= set(names)
    assert sorted(names) == sorted(set(names))

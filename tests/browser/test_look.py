"""Every figure can be read: on a page and a phone, on a light page and a dark one."""

from itertools import pairwise

import numpy as np
import pytest

from workbook.draw import script
from workbook.explorer.view import style

from .figures import NAMES, call, figures

pytestmark = pytest.mark.browser
CSS = style()
PAGE = (
    f"<!doctype html><style>{CSS}</style><script>{script()}</script><div class=nb-view><div class=nb-figure></div>"
    + "".join(f"<div class=nb-{name}>{name}</div>" for name in ("error", "fitting", "sentence", "caption"))
)
# 640: a window of 1280 at 200 % zoom; 274: what JupyterLab leaves of a phone's 390.
WIDTHS = 880, 640, 390, 274
LEAST, TEXT, MARK = 11, 4.5, 3  # px of type, contrast of text and of marks (WCAG AA)
PALE = [217, 217, 217]
# Of every text its words, size and corners; letters fill the middle 70 % of a line.
TEXTS = """([figure, width]) => {
    const root = document.querySelector(".nb-figure");
    root.style.width = `${width}px`;
    draw(root, figure, width);
    const texts = [...root.querySelectorAll("svg text, .nb-notes > div, .nb-legend > span")];
    const corners = (e, size) => {
        const drawn = e.localName === "text";
        const {x, y, width, height} = drawn ? e.getBBox() : e.getBoundingClientRect();
        const matrix = drawn ? e.getScreenCTM() : new DOMMatrix();
        const [top, bottom] = [y + 0.15 * size, y + height - 0.15 * size];
        return [[x, top], [x + width, top], [x + width, bottom], [x, bottom]].map((at) => {
            const point = new DOMPoint(...at).matrixTransform(matrix);
            return [point.x, point.y];
        });
    };
    const {left, top, right, bottom} = root.getBoundingClientRect();
    return { box: [left, top, right, bottom], texts: texts.filter((e) => e.textContent.trim()).map((e) => {
        const size = parseFloat(getComputedStyle(e).fontSize);
        return { words: e.textContent, size, corners: corners(e, size) };
    }) };
}"""
# As the page shows them: of every text its colour and what lies behind it, of every mark its colour if it covers.
COLORS = """([figure, width]) => {
    const root = document.querySelector(".nb-figure");
    root.style.width = `${width}px`;
    draw(root, figure, width);
    const pixels = (canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    const maps = [...root.querySelectorAll("canvas")].map((canvas) => [canvas, pixels(canvas)]).reverse();
    const at = ({ x, y }) => {
        for (const [canvas, data] of maps) {
            const box = canvas.getBoundingClientRect();
            const [u, v] = [(x - box.left) / box.width, (y - box.top) / box.height];
            const k = 4 * (Math.floor(v * canvas.height) * canvas.width + Math.floor(u * canvas.width));
            if (0 <= u && u < 1 && 0 <= v && v < 1 && data[k + 3]) return `rgb(${data.slice(k, k + 3).join(", ")})`;
        }
        return "rgba(0, 0, 0, 0)";
    };
    const under = (e) => {
        const {left, top, width, height} = e.getBoundingClientRect();
        return at({ x: left + width / 2, y: top + height / 2 });
    };
    // What 40 places along a mark's outline lie on.
    const along = (e) => {
        const [matrix, step] = [e.getScreenCTM(), maps.length && e.getTotalLength() / 40];
        const on = (k) => at(e.getPointAtLength(k * step).matrixTransform(matrix));
        return step ? Array.from({ length: 40 }, (_, k) => on(k)) : ["rgba(0, 0, 0, 0)"];
    };
    const others = document.querySelectorAll(".nb-error, .nb-fitting, .nb-sentence, .nb-caption");
    const texts = [...root.querySelectorAll("svg text, .nb-notes > div, .nb-legend > span"), ...others].map((e) => {
        const style = getComputedStyle(e);
        const color = e.localName === "text" ? style.fill : style.color;
        return { words: e.textContent, color, behind: [under(e), style.backgroundColor] };
    });
    // Of every mark that covers: its filling, its edge, the casing of a line. Tints and a contour's areas lie under it.
    const marks = [...root.querySelectorAll("[data-trace]:not([data-trace='']) path, .nb-legend path")];
    const cased = (e) => (e?.matches(".nb-casing") ? getComputedStyle(e).stroke : "");
    const looks = marks.filter((e) => !e.matches(".nb-casing, [fill-rule], [fill*='-tint']")).flatMap((e) => {
        const {fill, stroke, opacity} = getComputedStyle(e);
        const all = [fill, stroke, cased(e.previousElementSibling)].filter((color) => color.startsWith("rgb("));
        return Number(opacity) < 1 || !all.length ? [] : along(e).map((behind) => [behind, ...all].join(";"));
    });
    const looksOf = (e) => [...e.querySelectorAll("path")].map(getComputedStyle).flatMap((s) => [s.fill, s.stroke]);
    const own = Map.groupBy(root.nbView.frame.data, (trace) => plainText(trace.name));
    const odd = [...root.querySelectorAll(".nb-legend > span")].filter((key) => {
        const groups = own.get(key.textContent).map(({ index }) => root.querySelector(`[data-trace="${index}"]`));
        const there = groups.flatMap(looksOf);
        return there.length && !looksOf(key).every((color) => there.includes(color));
    }).map((key) => key.textContent);
    const cells = maps.map(([, v]) => Array.from(v.slice(0, v.length / 4), (_, k) => v.slice(4 * k, 4 * k + 4)));
    const bright = cells.map((all) => all.filter((cell) => Math.min(...cell) > 200).length / all.length);
    return { paper: getComputedStyle(root).backgroundColor, texts, marks: [...new Set(looks)], odd, bright };
}"""


@pytest.fixture(scope="module")
def page(browser):
    opened = browser.new_page(viewport=dict(width=1280, height=720))
    opened.set_content(PAGE)
    yield opened
    opened.close()


@pytest.fixture
def dark(page):
    """As JupyterLab says it."""
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    yield page
    page.evaluate("delete document.body.dataset.jpThemeLight")


def apart(one, other):
    """Whether a line can be drawn between two rectangles, turned or not: one that is parallel to an edge of either."""
    for (ax, ay), (bx, by) in [edge for box in (one, other) for edge in pairwise(box[:3])]:
        across = [[(bx - ax) * y - (by - ay) * x for x, y in box] for box in (one, other)]
        slack = 0.5 * ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
        if max(across[0]) < min(across[1]) + slack or max(across[1]) < min(across[0]) + slack:
            return True
    return False


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", NAMES)
def test_all_text_stands_free_inside_the_figure(page, name, width):
    for preset, _, figure, _ in figures(name):
        seen = call(page, TEXTS, [figure, width])
        left, top, right, bottom = seen["box"]
        assert right - left == width
        for text in (texts := seen["texts"]):
            assert text["size"] >= LEAST, (preset, text)
            inside = [left - 1 <= x <= right + 1 and top - 1 <= y <= bottom + 1 for x, y in text["corners"]]
            assert all(inside), (preset, text)
        corners = np.array([text["corners"] for text in texts])
        first, last = corners.min(axis=1), corners.max(axis=1)
        crossing = (first[:, None] < last).all(axis=2)
        for k, other in np.argwhere(np.triu(crossing & crossing.T, 1)):
            assert apart(corners[k], corners[other]), (preset, texts[k]["words"], texts[other]["words"])


def rgba(color):
    """"rgb(1, 2, 3)" or "rgba(1, 2, 3, 0.5)"."""
    parts = [float(part) for part in color[color.index("(") + 1 : -1].split(",")]
    return parts if len(parts) == 4 else [*parts, 1.0]


def over(color, behind):
    *front, alpha = rgba(color)
    return [alpha * a + (1 - alpha) * b for a, b in zip(front, behind, strict=True)]


def luminance(rgb):
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (channel / 255 for channel in rgb)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def check_texts(preset, seen, paper):
    for text in seen["texts"]:
        behind = paper
        for color in text["behind"]:
            behind = over(color, behind)
        assert contrast(over(text["color"], behind), behind) >= TEXT, (preset, text)


def check_marks(preset, seen, paper):
    """One of its colours stands out; a pale line recedes, as the grid does. A legend has its marks' colours."""
    for look in seen["marks"]:
        behind, *colors = [over(color, paper) for color in look.split(";")]
        best = max(contrast(color, behind) for color in colors)
        assert best >= MARK or colors in ([paper], [PALE]), (preset, look, best)
    assert seen["odd"] == [], preset


@pytest.mark.parametrize("name", NAMES)
def test_text_and_marks_stand_out_on_a_dark_page(dark, name):
    for preset, _, figure, _ in figures(name):
        seen = call(dark, COLORS, [figure, 880])
        paper = over(seen["paper"], [0, 0, 0])
        assert [max(paper) < 40, max(seen["bright"], default=0) < 0.5] == [True, True], (preset, "it is nearly white")
        check_texts(preset, seen, paper)
        check_marks(preset, seen, paper)


@pytest.mark.parametrize("name", NAMES)
def test_text_and_marks_stand_out_on_a_light_page_whatever_the_reader_has_elsewhere(page, name):
    page.emulate_media(color_scheme="dark")  # of the machine; JupyterLab's own theme counts
    for preset, _, figure, _ in figures(name):
        seen = call(page, COLORS, [figure, 880])
        assert seen["paper"] == "rgb(255, 255, 255)"
        check_texts(preset, seen, [255, 255, 255])
        check_marks(preset, seen, [255, 255, 255])
    page.emulate_media(color_scheme="no-preference")


PANELS = """([figure, width]) => {
    const root = document.querySelector(".nb-figure");
    root.style.width = `${width}px`;
    draw(root, figure, width);
    return { boxes: [...root.nbView.panels.values()].map((panel) => panel.box), height: root.offsetHeight };
}"""


@pytest.mark.parametrize("name", NAMES)
def test_a_phone_shows_one_panel_below_the_other_and_a_page_the_size_that_was_planned(page, name):
    figure = figures(name)[0].text
    planned = call(page, PANELS, [figure, 880])
    assert planned["height"] == pytest.approx(figure["layout"]["height"], rel=0.04)
    boxes = call(page, PANELS, [figure, 390])["boxes"]
    assert len(boxes) == len(planned["boxes"])
    for (left, top, width, height), below in zip(boxes, [*boxes[1:], None], strict=True):
        assert left + width <= 390
        assert below is None or top + height < below[1]
    free = [n for n, axis in figure["layout"].items() if n.startswith("yaxis") and "scaleanchor" not in axis]
    assert sum(width > 270 for _, _, width, _ in boxes) >= len(free)


@pytest.mark.parametrize("width", [880, 390])
def test_an_unchanged_figure_is_not_touched(page, width):
    figure = figures("ReliabilityExplorer")[0].text
    changes = page.evaluate("""async ([figure, width]) => {
        const root = document.querySelector(".nb-figure");
        draw(root, figure, width);
        let seen = 0;
        const observer = new MutationObserver((records) => (seen += records.length));
        observer.observe(root, {subtree: true, childList: true, attributes: true, characterData: true});
        draw(root, structuredClone(figure), width);
        await new Promise((done) => setTimeout(done, 20));
        observer.disconnect();
        return seen;
    }""", [figure, width])  # fmt: skip
    assert changes == 0


def test_screen_readers_find_the_words_and_not_the_drawing(page):
    figure = figures("SmoothingExplorer")[0].text
    call(page, TEXTS, [figure, 880])
    tree = page.locator(".nb-figure").aria_snapshot()
    assert "not heard" in tree
    assert "What each piece says" in tree
    assert "0.01" not in tree, "ticks are part of the drawing"

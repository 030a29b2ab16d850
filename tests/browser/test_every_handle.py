"""Every grip of every explorer by mouse and by touch: its control follows, figure and sentence are of that state."""

from itertools import product
from typing import get_args, get_type_hints

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from workbook import explorers
from workbook.draw import drawable
from workbook.draw.arrays import as_text
from workbook.explorer.controls import Text
from workbook.explorer.handles import Handle
from workbook.explorer.view import SOURCE

from .figures import call
from .lab import FOLD, READABLE, Explorer, Notebook, settle
from .test_handles import KERNEL, Mouse, Touch

pytestmark = pytest.mark.browser
NAMES = [name for name in explorers.__all__ if name.endswith("Explorer")]
# In every run those that have a grip of each shape, all with --slow: what differs is the page's. Which control a grip
# moves, tests/chapters/test_touch.py asks of all.
OF_EACH_SHAPE = {"BayesRuleExplorer", "RepeatedTestsExplorer", "EllipsesExplorer", "PredictiveCheckExplorer",
                 "XorExplorer", "NomogramExplorer"}  # fmt: skip
HANDS = [pytest.param(name, hand, id=f"{name}-{hand.__name__.lower()}",
                      marks=[] if name in OF_EACH_SHAPE else [pytest.mark.slow])
         for name, hand in product(NAMES, (Mouse, Touch))]  # fmt: skip
WAYS = [60, -60, 25, -25, 120, -120, 200, -200]  # px
# What can be seen of every mark; a hatch has another name on another page.
MARKS = """figure => [...figure.querySelectorAll(".nb-marks > g path, .nb-marks > g text")].map((mark) =>
    ["d", "fill", "stroke", "stroke-width", "stroke-dasharray", "x", "y"].map((name) => mark.getAttribute(name) ?? "")
        .map((value) => value.replace(/nb-\\d+-hatch-\\d+/, "hatch")).concat(mark.textContent).join(" "))"""
# What each control says; of those of the page's own kinds what it has is chosen, checked, typed or read.
CONTROLS = """explorer => [...explorer.querySelectorAll(".nb-controls > *")].map((box) => {
    const [select, input, readout] = ["select", "input", ".widget-readout"].map((what) => box.querySelector(what));
    if (select) return { chosen: select.selectedIndex };
    if (input?.type === "checkbox") return { checked: input.checked };
    return { typed: input?.value, said: readout?.innerText };
})"""
DRAW = """([figure, width]) => {
    const root = document.body.firstChild;
    root.replaceChildren();
    delete root.nbView;
    draw(root, figure, width);
}"""


def handles_of(kind):
    """(preset, number, handle): each grip of an explorer once, in the first preset in which it has a place."""
    seen = set()
    for preset in (None, *kind.presets):
        figure = (kind().preset(preset) if preset else kind()).figure
        for k, handle in enumerate((figure.layout.meta or {}).get("handles", [])):
            grip = (*handle["controls"], handle["panel"], handle["axis"], handle["shape"])
            if grip not in seen:
                yield preset, k, handle
            seen.add(grip)


@pytest.fixture(scope="module")
def names(thorough):
    """Of the explorers on the page."""
    return NAMES if thorough else sorted(OF_EACH_SHAPE)


@pytest.fixture(scope="module")
def page(browser, folder, lab, names):
    cells = ["from workbook import explorers", *(f"explorers.{name}()" for name in names)]
    path = folder / "every_handle.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell(cell) for cell in cells], metadata=KERNEL), path)
    context = browser.new_context(viewport=READABLE, has_touch=True)
    notebook = Notebook(context.new_page(), lab, path.name)
    notebook.run_all()
    notebook.wait_for_figures()
    settle(notebook.page)
    yield notebook.page
    assert notebook.errors == []
    context.close()
    path.unlink()


@pytest.fixture(scope="module")
def paper(browser):
    """A page that draws a figure from nothing."""
    opened = browser.new_page()
    opened.set_content(f"<div></div><script>{SOURCE}</script>")
    yield opened
    opened.close()


def state_on_the_page(explorer, kind):
    """The values of the controls as the page says them."""
    state, boxes = {}, explorer.element.evaluate(CONTROLS)
    for box, (name, control) in zip(boxes, kind.declared.items(), strict=True):
        if isinstance(control, Text):
            state[name] = box["typed"]
        elif "chosen" in box:
            state[name] = control.values[box["chosen"]]
        elif "checked" in box:
            state[name] = box["checked"]
        else:
            said = box["said"].replace("−", "-")
            state[name] = next(value for value in control.values if control.say(value).replace("−", "-") == said)
    return state


def drag(explorer, handle, k, pointer):
    """Drag a grip this way and that until something has moved."""
    before = explorer.sentence()
    for way, turn in product(WAYS, (1, -1)):  # a path may run across the one diagonal or the other
        grip = explorer.figure.locator(".nb-grips > div").nth(k)
        grip.scroll_into_view_if_needed()
        box = grip.bounding_box()
        at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if handle["shape"] in ("points", "pick"):
            pointer.tap((at[0] + way / 4, at[1] + way / 4))
        else:
            pointer.drag(at, (at[0] + way * ("x" in handle["axis"]), at[1] + turn * way * ("y" in handle["axis"])))
        settle(explorer.page)
        if explorer.sentence() != before:
            return
    raise AssertionError(f"nothing moves {handle['controls']}")


def test_every_shape_of_a_grip_is_dragged_in_every_run():
    shapes = {handle["shape"] for name in OF_EACH_SHAPE for *_, handle in handles_of(getattr(explorers, name))}
    assert shapes == set(get_args(get_type_hints(Handle)["shape"]))


@pytest.mark.parametrize(("name", "hand"), HANDS)
def test_a_drag_is_a_move_of_its_control(page, paper, names, name, hand):
    kind = getattr(explorers, name)
    explorer = Explorer(page.locator(".nb-explorer").nth(names.index(name)))
    explorer.element.evaluate(FOLD)  # with all the others below it a page takes half as long again for every frame
    for preset, k, handle in handles_of(kind):
        explorer.click(preset or "Reset")
        before = state_on_the_page(explorer, kind)
        drag(explorer, handle, k, hand(page))
        state = state_on_the_page(explorer, kind)
        changed = {control for control, value in state.items() if value != before[control]}
        assert changed
        assert changed <= set(handle["controls"])
        moved = kind(**state)
        result = moved.compute(**state)
        assert explorer.sentence().split() == moved.describe(result).split()
        frame = [as_text(drawable(moved.draw(result))), int(explorer.figure.get_attribute("data-width"))]
        call(paper, DRAW, frame)
        assert explorer.figure.evaluate(MARKS) == paper.evaluate(f"() => ({MARKS})(document.body.firstChild)")
        assert explorer.error() == ""

"""A figure made for the page and put into projector sizes is laid out as `lecture()` would lay it out."""

import pytest

from workbook import explorers, lecture
from workbook.draw import as_text, drawable
from workbook.site.player.script import parts, site_style

pytestmark = pytest.mark.browser
NAMES = [name for name in explorers.__all__ if name.endswith("Explorer")]
LIST = dict(words="regression")  # of many claims: every line of the list is taken
# Of notes at one left edge: by how much one stands over the next, and by how much one sticks out.
WORST = """([figure, width, lecture]) => {
    const root = document.querySelector("main");
    root.replaceChildren();
    delete root.nbView;
    draw(root, lecture ? projectFigure(figure) : figure, width);
    const boxes = [...root.querySelectorAll(".nb-beside")].map((note) => note.getBoundingClientRect());
    const under = (box, k) => Math.abs(box.left - boxes[k].left) < 1;
    const over = boxes.slice(1).map((box, k) => (under(box, k) ? boxes[k].bottom - box.top : 0));
    const right = Math.max(...boxes.map((box) => box.right));
    return [boxes.length, Math.max(...over), right - root.getBoundingClientRect().right];
}"""
LEADING = 3  # px: the room above and below letters
CLOSE = 0.004  # of the figure's width or height: 5 px


@pytest.fixture(scope="module")
def page(browser):
    opened = browser.new_page()
    opened.set_content("<p></p>")
    for name in ("draw", "projected.js"):
        opened.add_script_tag(content=parts()[name])
    yield opened
    opened.close()


@pytest.fixture
def projector(capsys):
    def switch(on):
        lecture(on)
        capsys.readouterr()

    yield switch
    lecture(False)


@pytest.mark.parametrize("name", NAMES)
def test_every_explorer_is_laid_out_alike(page, projector, name):
    explorer = getattr(explorers, name)()
    result = explorer.compute(**explorer.state)
    ours = page.evaluate("figure => projectFigure(figure).layout", as_text(drawable(explorer.draw(result))))
    projector(True)
    theirs = as_text(drawable(explorer.draw(result)))["layout"]
    assert ours["font"] == theirs["font"]
    assert [ours["width"], ours["height"]] == [theirs["width"], pytest.approx(theirs["height"], abs=1)]
    for side in "ltrb":
        assert ours["margin"][side] == pytest.approx(theirs["margin"][side], abs=5), side
    assert ours["meta"]["legend"] == pytest.approx(theirs["meta"]["legend"])
    axes = [axis for axis in theirs if axis[1:].startswith("axis")]
    assert [axis for axis in ours if axis[1:].startswith("axis")] == axes
    for axis in axes:
        assert ours[axis]["domain"] == pytest.approx(theirs[axis]["domain"], abs=CLOSE), axis
        assert ours[axis]["range"] == theirs[axis]["range"]


@pytest.mark.parametrize(("width", "large"), [(1264, True), (1200, True), (880, False), (358, False)])
def test_the_lines_of_a_list_stay_apart_and_inside(page, width, large):
    page.set_viewport_size({"width": width, "height": 720})
    page.set_content(f"<style>{site_style()} body {{ margin: 0 }}</style><main class='nb-view nb-figure'></main>")
    explorer = explorers.SearchExplorer(**LIST)
    figure = as_text(drawable(explorer.draw(explorer.compute(**explorer.state))))
    notes, over, out = page.evaluate(WORST, [figure, width, large])
    assert notes > 5
    assert over <= LEADING
    assert out <= 0

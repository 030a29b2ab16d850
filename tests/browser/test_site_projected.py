"""A figure made for the page and put into projector sizes is laid out as `lecture()` would lay it out."""

import pytest

from workbook import explorers, lecture
from workbook.draw import as_text, drawable
from workbook.site.player.script import parts

pytestmark = pytest.mark.browser
NAMES = [name for name in explorers.__all__ if name.endswith("Explorer")]
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

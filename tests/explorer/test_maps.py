"""Which panels are maps: pixels, a simplex, a plane of two like measures. One unit is as long on either axis there."""

import re

import pytest

from tests.plotly_figure import figure_of
from workbook import explorers

KINDS = [getattr(explorers, name) for name in explorers.__all__ if name.endswith("Explorer")]
MAPS = {  # explorer -> titles of its maps
    "BayesRuleExplorer": r"\d+ of 1,000 tests? positive",
    "SimplexExplorer": "The larger the dot.*",
    "StartsExplorer": "182 ones and three nodes",
    "StylesExplorer": "Where an image has its ink",
    "AdditiveExplorer": "What is said at each point",
    "XorExplorer": "Who wins where",
    "ShapesExplorer": "Where “inside” is said",
    "ClustersExplorer": "204 dots.*",
}
UNLIKE = {"LeftOutExplorer": "Rings of two standard deviations",  # feet beside pounds have no common unit
          "PromisesExplorer": "Green: kept.*"}  # cells of names in rows, no map  # fmt: skip


def panels(figure):
    """(title, x axis, y axis, types of its traces) of every panel."""
    layout = figure.layout
    for note in layout.annotations:
        if note.name == "title":
            n = note.xref.split()[0][1:]
            types = {trace.type for trace in figure.data if trace.xaxis == f"x{n}"}
            yield note.text.removeprefix("<b>").removesuffix("</b>"), layout[f"xaxis{n}"], layout[f"yaxis{n}"], types


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_maps_have_equal_axes_and_nothing_else_has(kind):
    for preset in (None, *kind.presets):
        explorer = kind().preset(preset) if preset else kind()
        for title, x, y, types in panels(figure_of(explorer, explorer.compute(**explorer.state))):
            known = bool(re.fullmatch(MAPS.get(kind.__name__, "none"), title))
            unlike = re.fullmatch(UNLIKE.get(kind.__name__, "none"), title)
            assert known or unlike or not types & {"heatmap", "contour"}, (title, "is a map: say so in MAPS")
            assert (y.scaleanchor is not None) == known, (preset, title)
            if known:
                assert y.scaleanchor == y.anchor
                assert x.constrain == y.constrain == "domain"
                assert "log" not in (x.type, y.type)

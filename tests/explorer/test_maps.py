"""Which panels are maps: pixels, a simplex, a plane of two like measures. One unit is as long on either axis there."""

import re

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.plotly_figure import figure_of, plotly_figure
from workbook import explorers
from workbook.explorer import theme
from workbook.explorer.theme import Panel

KINDS = [getattr(explorers, name) for name in explorers.__all__ if name.endswith("Explorer")]
MAPS = {  # explorer -> titles of its maps
    "BayesRuleExplorer": "Area = .*",
    "GaussianBoundaryExplorer": "Boundaries",
    "EllipsesExplorer": "Solid: true; dashed: assumed",
    "FourBitsExplorer": ".+ hair: .+ coloured",
    "CertaintyExplorer": "Certain.*",
    "SimplexExplorer": "Q: .*",
    "ThreeLayerExplorer": r"P\(f₁\|h,c\)",
    "EMExplorer": "182 images",
    "MixtureExplorer": "182 images",
    "PredictiveCheckExplorer": "Real.*|Drawn from.*",
    "AdditiveExplorer": r"L\(x₁, x₂\).*",
    "PlateauExplorer": r"Start \d+: .*",
    "ZoomExplorer": "The square up to .*",
    "XorExplorer": r"Decision.*|P\(1 \| x\).*",
    "ShapesExplorer": "The truth|Naive Bayes.*|H = .*",
    "DigitStylesExplorer": "The mean of.*",
    "LabelBudgetExplorer": r"P\(ink.*",
    "GenerativeDiscriminativeExplorer": "Weights",
    "ClustersExplorer": "Solid.*",
    "MovedExplorer": r"Points more.*|A \d now called.*",
    "NodesExplorer": "Nodes of.*",
    "TwoLinesExplorer": "The plane",
}
UNLIKE = {"EllipsesExplorer": "Solid: with correlation; dotted: without"}  # feet beside pounds have no common unit


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


def test_a_map_takes_the_width_that_it_needs_and_the_others_the_rest():
    axis = dict(range=[0, 2])
    maps, free = Panel("map", [], axis, axis, equal=True), Panel("free", [], axis, axis)
    for size in (theme.PAGE, theme.LECTURE):
        theme.use(size)
        layout = plotly_figure(theme.figure([[free, maps, free]], widths=[1, 2, 1])).layout
        margin, across = layout.margin, layout.width - layout.margin.l - layout.margin.r
        high = layout.height - margin.t - margin.b
        wide = [np.ptp(layout[f"xaxis{n}"].domain) * across for n in ("", "2", "3")]
        assert wide[1] == pytest.approx(high)
        assert wide[0] == pytest.approx(wide[2])
        gap = layout.xaxis2.domain[0] - layout.xaxis.domain[1]
        assert sum(wide) + 2 * gap * across == pytest.approx(across)
    theme.use(theme.PAGE)


def test_a_map_in_a_narrow_column_keeps_to_it():
    axis = dict(range=[0, 4])
    maps, free = Panel("map", [], axis, dict(range=[0, 1]), equal=True), Panel("free", [], axis, axis)
    figures = (theme.figure([[panel, free]], widths=[1, 2]) for panel in (maps, free))
    narrow, plain = (figure["layout"]["xaxis"]["domain"] for figure in figures)
    assert narrow == pytest.approx(plain)


def test_plotly_knows_what_is_said():
    axis = dict(range=[0, 1])
    panel = Panel("a", [dict(type="scatter", x=[0], y=[0])], axis, axis, equal=True)
    figure = go.Figure(theme.figure([[panel] * 2]))
    assert [figure.layout[name].scaleanchor for name in ("yaxis", "yaxis2")] == ["x", "x2"]

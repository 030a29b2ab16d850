"""What the palette and view.css come to on a light page and on a dark one: marks, edges and text stand out."""

import re

import pytest

from tests.explorer.tokens import contrast, read_colors
from workbook.draw import script
from workbook.explorer import palette

MARK, TEXT = 3, 4.5  # WCAG AA
COLORS = {color.upper() for color in vars(palette).values() if isinstance(color, str) and color.startswith("#")}
HELD = palette.HELD  # its marks have a black rim: tests/chapters/test_colors.py


THEMES = {theme: {f"--nb-{name}": color for name, color in read_colors(theme).items()} for theme in ("light", "dark")}


def dictionary(name):
    """A table of colours in colors.js: colour -> what view.css calls it."""
    body = re.search(rf"const {name} = \{{(.*?)\}};", script(), re.DOTALL)[1]
    return {color.upper(): said for color, said in re.findall(r'"(#\w{6})"\)?\]?: "(\w+)"', body)}


@pytest.mark.parametrize("name", THEMES)
def test_every_colour_of_a_mark_stands_out_itself_or_by_its_edge(name):
    look, themed, edged = THEMES[name], dictionary("THEMED"), dictionary("EDGED")
    paper = look["--nb-paper"]
    for color in COLORS - {HELD.upper()}:
        shown = look[f"--nb-{themed[color]}"] if color in themed else color
        edge = look[f"--nb-{edged[color]}-edge"] if color in edged else "none"
        assert max(contrast(one, paper) for one in {shown, edge} - {"none"}) >= MARK, (color, shown, edge)


@pytest.mark.parametrize("name", THEMES)
def test_text_rings_and_edges_of_controls_stand_out(name):
    look = THEMES[name]
    for paper in ("paper", "band", "shade", "wait"):
        assert contrast(look["--nb-text"], look[f"--nb-{paper}"]) >= TEXT, paper
    assert contrast(look["--nb-alarm"], look["--nb-alarm-paper"]) >= TEXT
    for part in ("edge", "rim", "blue"):
        assert contrast(look[f"--nb-{part}"], look["--nb-paper"]) >= MARK, part

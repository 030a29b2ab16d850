"""What the palette and view.css come to on a light page and on a dark one: marks, edges and text stand out."""

import re
from pathlib import Path

import pytest

from workbook.page import palette, theme
from workbook.page.draw import script

FOLDER = Path(theme.__file__).parent
CSS = (FOLDER / "view.css").read_text(encoding="utf-8")
MARK, TEXT = 3, 4.5  # WCAG AA
COLORS = {color.upper() for color in vars(palette).values() if isinstance(color, str) and color.startswith("#")}
COLORS |= {color.upper() for color in palette.SHORTER}
DARK = r'body\[data-jp-theme-light="false"\] [^{}]*'
HELD = palette.HELD  # its marks have a black rim: tests/chapters/test_colors.py


def variables(start):
    """What view.css sets in the rules that begin so: name -> colour."""
    rules = re.findall(rf"^{start}\{{([^}}]*)\}}", CSS, re.MULTILINE)
    return dict(re.findall(r"(--nb-[\w-]+): ([^;]+);", " ".join(rules)))


THEMES = {"light": variables(r"(?!body)[^{}\n]*"), "dark": variables(DARK)}


def luminance(color):
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
              for v in (int(color[k : k + 2], 16) / 255 for k in (1, 3, 5))]  # fmt: skip
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


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

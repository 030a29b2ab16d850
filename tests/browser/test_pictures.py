"""Saved pictures: drawn by the page's own module, light, and in the palette's colours exactly."""

import asyncio
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from workbook import explorers
from workbook.explorer import palette, pictures, theme

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("browser")]  # skipped where there is no Chromium
COLORS = [color for color in vars(palette).values() if isinstance(color, str) and color.startswith("#")]


def rgb(color):
    return tuple(int(color[k : k + 2], 16) for k in (1, 3, 5))


def picture(figure):
    return Image.open(BytesIO(pictures.png(figure)))


def colors_of(image):
    return {tuple(color) for color in np.unique(np.asarray(image.convert("RGB")).reshape(-1, 3), axis=0).tolist()}


def test_every_color_of_the_palette_is_kept_exactly():
    """Beside a heatmap of a thousand shades, which would take all 64 places."""
    bars = dict(type="bar", x=np.arange(len(COLORS)), y=np.ones(len(COLORS)), marker=dict(color=COLORS))
    shades = dict(type="heatmap", x=np.arange(40), y=np.arange(25), z=np.arange(1000.0).reshape(25, 40),
                  colorscale=[[0, "#FFFFFF"], [1, "#0072B2"]])  # fmt: skip
    left = theme.Panel("bars", [bars], x=dict(range=[-0.5, len(COLORS) - 0.5]), y=dict(range=[0, 2]))
    right = theme.Panel("shades", [shades], x=dict(range=[0, 39]), y=dict(range=[0, 24]))
    image = picture(theme.figure([left, right]))
    assert image.mode == "P"
    found = colors_of(image)
    assert len(found) <= 64
    assert found >= set(map(rgb, COLORS))
    # The middle of each bar, by the layout: 4 and 1 font sizes beside the panels, 5 between them; 1.5 pixels each.
    font, width = theme.PAGE.font, theme.PAGE.width
    start, wide = 4 * font, (width - 5 * font - 5 * font * (width - 5 * font) / width) / 2
    row = image.convert("RGB").crop((0, int(0.8 * image.height), image.width, int(0.8 * image.height) + 1))
    for k, color in enumerate(COLORS):
        assert row.getpixel((1.5 * (start + (k + 0.5) / len(COLORS) * wide), 0)) == rgb(color)


def test_a_picture_is_drawn_beside_a_running_event_loop_narrow_and_dark_too():
    line = dict(type="scatter", x=[0, 1], y=[0, 1], mode="lines", line=dict(color=palette.GREEN, width=9))
    around = dict(margin=dict(l=9, r=9, t=9, b=9), font=dict(size=12))
    around |= dict(xaxis=dict(range=[0, 1]), yaxis=dict(range=[0, 1]))
    figure = dict(data=[line], layout=dict(width=400, height=200) | around)
    asyncio.get_running_loop()  # that of the fixture's browser, as in a kernel
    wide, narrow = (Image.open(BytesIO(png)) for png in pictures.pngs([figure], [(False, None), (True, 200)])[0])
    assert (wide.size, narrow.width) == ((600, 300), 300)
    assert rgb(palette.GREEN) in colors_of(wide)
    corners = [image.convert("L").getpixel((1, 1)) for image in (wide, narrow)]
    assert corners[0] == 255
    assert corners[1] < 60


def test_what_goes_wrong_is_said_and_the_next_picture_is_drawn():
    with pytest.raises(KeyError):
        pictures.png(dict(data=[dict(type="contour")], layout={}))
    with pytest.raises(Exception, match="none that the page's module draws"):
        pictures.png(dict(data=[dict(type="pie", values=[1, 2])], layout=dict(width=400, height=200)))
    explorer = explorers.SmoothingExplorer()
    assert pictures.png(explorer.draw(explorer.compute(**explorer.state))).startswith(b"\x89PNG")

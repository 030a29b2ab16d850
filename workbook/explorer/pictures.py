"""Still pictures of figures for pages without a kernel, drawn by our own module in a browser. For authors only."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import numpy as np
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from workbook.draw import as_text, drawable, script
from workbook.explorer import palette
from workbook.explorer.html_tables import SCALE
from workbook.explorer.view import style

__all__ = ["FLAGS", "chromium", "png", "pngs"]

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
).split()
COLORS = 64  # enough for flat colours and text, a third of the size
EXACT = 40  # of them are colours of the drawing as they are; the others stand for its shades
DIGITS = np.array([256**2, 256, 1])  # a colour as one number
OWN = [int(color[1:], 16) for color in vars(palette).values() if isinstance(color, str) and color.startswith("#")]
PAGE = (
    "<!doctype html><style>{css} :root {{ --nb-ink: #000000 }} body {{ margin: 0 }}</style>"  # the palette's black
    "<script>{script}</script><div class='nb-view'></div>"
)
DRAW = """([figure, width, dark]) => {
    document.body.dataset.jpThemeLight = !dark;
    document.querySelector(".nb-view").innerHTML = `<div class="nb-figure" style="width: ${width}px"></div>`;
    if (!canDraw(figure)) throw new Error("This figure is none that the page's module draws.");
    draw(document.querySelector(".nb-figure"), figure, width);
}"""


def chromium() -> str | None:
    """Return the path of a Chromium, Chrome or Edge; None if there is none."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
    return next(filter(None, map(shutil.which, names)), None)


def png(figure: dict) -> bytes:
    """Draw a figure as a PNG of 64 colours; those of the palette are exact."""
    return pngs([figure], [(False, None)])[0][0]


def pngs(figures: Sequence[dict], forms: Sequence[tuple[bool, int | None]]) -> list[list[bytes]]:
    """Draw each figure in several forms; a form: whether it is dark, and its width in px (None: the figure's own)."""
    with ThreadPoolExecutor(1) as thread:  # playwright refuses to run beside the kernel's event loop
        drawn = thread.submit(_screenshots, figures, forms).result()
    return [list(map(reduce_colors, each)) for each in drawn]


def _screenshots(figures: Sequence[dict], forms: Sequence[tuple[bool, int | None]]) -> list[list[bytes]]:
    with sync_playwright() as play, play.chromium.launch(executable_path=chromium(), args=FLAGS) as browser:
        page = browser.new_page(device_scale_factor=SCALE, color_scheme="light")
        page.set_content(PAGE.format(css=style(), script=script()))
        return [[_screenshot(page, figure, *form) for form in forms] for figure in figures]


def _screenshot(page: Page, figure: dict, dark: bool, width: int | None) -> bytes:
    plain = as_text(drawable(figure))
    width = width or plain["layout"].get("width", 700)
    page.set_viewport_size(dict(width=width, height=1000))
    page.evaluate(DRAW, [plain, width, dark])
    return page.locator(".nb-figure").screenshot()


def reduce_colors(picture: bytes) -> bytes:
    """Reduce a PNG to 64 colours: the book's own and the most frequent ones stay, others become the nearest of 64."""
    pixels = np.asarray(Image.open(BytesIO(picture)).convert("RGBX")).view(">u4")[..., 0] >> 8
    codes, count = np.unique(pixels, return_counts=True)
    order = np.argsort(np.where(np.isin(codes, OWN), -np.inf, -count), kind="stable")
    found = codes[:, None] // DIGITS % 256
    exact, rest = found[order[:EXACT]], order[EXACT:]
    table = np.concatenate([exact, _shades(np.repeat(found[rest], count[rest], axis=0))])
    nearest = np.zeros(256**3, dtype=np.uint8)  # at the place of each colour
    nearest[codes] = ((found[:, None] - table) ** 2).sum(axis=2).argmin(axis=1)
    small = Image.fromarray(nearest[pixels], mode="P")
    small.putpalette(table.astype(np.uint8).tobytes())
    small.save(file := BytesIO(), "PNG", optimize=True)
    return file.getvalue()


def _shades(pixels: np.ndarray) -> np.ndarray:
    """Return a few colours that represent those of many pixels (n, 3)."""
    if not len(pixels):
        return pixels
    row = Image.fromarray(pixels[None].astype(np.uint8)).quantize(COLORS - EXACT, dither=Image.Dither.NONE)
    return np.array(row.getpalette()).reshape(-1, 3)

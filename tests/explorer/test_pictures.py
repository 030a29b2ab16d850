"""Pictures made small: 64 colours, of which the book's own and the most frequent ones are exact."""

from io import BytesIO

import numpy as np
from PIL import Image

from workbook.explorer.palette import BLUE, VERMILLION
from workbook.explorer.pictures import COLORS, EXACT, reduce_colors


def png(pixels):
    file = BytesIO()
    Image.fromarray(np.asarray(pixels, dtype=np.uint8)).save(file, "PNG")
    return file.getvalue()


def pixels(picture):
    image = Image.open(BytesIO(picture))
    assert image.mode == "P"
    return np.asarray(image.convert("RGB")).astype(int)


def rgb(color):
    return [int(color[k : k + 2], 16) for k in (1, 3, 5)]


def test_a_picture_of_few_colours_is_left_as_it_is():
    drawn = np.array([[rgb(BLUE), [255, 255, 255], [1, 2, 3]], [[3, 2, 1], rgb(VERMILLION), [0, 255, 0]]])
    np.testing.assert_array_equal(pixels(reduce_colors(png(drawn))), drawn)
    exactly = np.stack([np.arange(EXACT), 255 - np.arange(EXACT), 7 * np.arange(EXACT) % 256], axis=1)[None]
    np.testing.assert_array_equal(pixels(reduce_colors(png(exactly))), exactly)


def shades():
    """White, two dots of the book's colours, 30 colours of three pixels each, and a thousand shades of grey and red."""
    frequent = np.repeat(np.stack([np.arange(30), 200 + np.arange(30), np.full(30, 9)], axis=1), 3, axis=0)
    rare = np.stack([np.arange(1000) // 4, np.arange(1000) % 250, np.arange(1000) % 199], axis=1)
    rows = [[[255, 255, 255]] * 500, [rgb(BLUE), rgb(VERMILLION)], frequent, rare]
    return np.concatenate([np.array(row) for row in rows])[None]


def test_of_many_colours_the_books_own_and_the_frequent_ones_are_exact_and_all_others_near():
    drawn = shades()
    found = pixels(reduce_colors(png(drawn)))
    assert len(np.unique(found[0], axis=0)) <= COLORS
    np.testing.assert_array_equal(found[0, : 502 + 30 * 3], drawn[0, : 502 + 30 * 3])
    off = np.abs(found - drawn)[0, 502 + 30 * 3 :]
    assert off.mean() < 20
    assert off.max() > 0, "or there were few"


def test_every_pixel_gets_the_nearest_of_the_colours():
    drawn = shades()
    found = pixels(reduce_colors(png(drawn)))[0]
    table = np.unique(found, axis=0)
    distance = ((drawn[0][:, None] - table) ** 2).sum(axis=2)
    np.testing.assert_array_equal(((drawn[0] - found) ** 2).sum(axis=1), distance.min(axis=1))

"""A saved picture has more pixels than the page gives it."""

from io import BytesIO

from PIL import Image

from workbook.explorer.html_tables import size


def test_a_picture_stands_as_large_as_the_figure_it_was_drawn_from():
    file = BytesIO()
    Image.new("RGB", (1320, 502)).save(file, "PNG")
    assert size(file.getvalue()) == (880, 335)

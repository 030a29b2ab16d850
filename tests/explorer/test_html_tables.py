"""A still picture in HTML: its size, and its tables, marked up for screen readers; typed text stays text."""

from io import BytesIO

from bs4 import BeautifulSoup
from PIL import Image

from workbook.explorer.html_tables import SHORT, Table, size, tables_html


def test_a_table_says_what_its_rows_and_columns_are_of():
    rows = [["a < b", 0.123456], [-2.0, float("nan")]]
    page = BeautifulSoup(tables_html([Table("Bread & <b>", ["flour", "rye"], rows)]), "html.parser")
    assert page.details.summary.text == "Numbers"
    assert not page.details.has_attr("open")
    assert page.caption.text == "Bread & <b>"
    assert page.div is None
    assert [cell.text for cell in page.select("th[scope=col]")] == ["flour", "rye"]
    assert [cell.text for cell in page.select("th[scope=row]")] == ["a < b", "−2"]
    assert [cell.text for cell in page.select("td")] == ["0.1235", "no value"]


def test_no_table_is_nothing():
    assert tables_html([]) == ""


def test_a_long_table_scrolls_by_keyboard():
    page, short = (BeautifulSoup(tables_html([Table("Bread & <b>", ["flour", "rye"], [[k, k] for k in range(rows)])]),
                                 "html.parser") for rows in (SHORT + 1, SHORT))  # fmt: skip
    assert (page.div["tabindex"], page.div["aria-label"]) == ("0", "Bread & <b>")
    assert short.div is None


def test_a_saved_picture_has_more_pixels_than_its_place_on_the_page():
    file = BytesIO()
    Image.new("RGB", (1320, 502)).save(file, "PNG")
    assert size(file.getvalue()) == (880, 335)

"""The table under a still picture: marked up for screen readers, and what is typed stays text."""

from bs4 import BeautifulSoup

from workbook.page.tabled import Table, tabled


def test_a_table_says_what_its_rows_and_columns_are_of():
    rows = [["a < b", 0.123456], [-2.0, float("nan")]]
    page = BeautifulSoup(tabled([Table("Bread & <b>", ["flour", "rye"], rows)]), "html.parser")
    assert page.details.summary.text == "Numbers"
    assert not page.details.has_attr("open")
    assert page.caption.text == page.div["aria-label"] == "Bread & <b>"
    assert page.div["tabindex"] == "0", "it scrolls by keyboard"
    assert [cell.text for cell in page.select("th[scope=col]")] == ["flour", "rye"]
    assert [cell.text for cell in page.select("th[scope=row]")] == ["a < b", "−2"]
    assert [cell.text for cell in page.select("td")] == ["0.1235", "no value"]


def test_no_table_is_nothing():
    assert tabled([]) == ""

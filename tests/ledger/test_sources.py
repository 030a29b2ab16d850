"""A walk through the sources: every equation, figure, table and printed result is a claim, or there is a reason."""

import re

import numpy as np
import pytest

from workbook.book import ledger
from workbook.ledger.claim import SOURCES
from workbook.ledger.sources import PLACES

# What the sources have, counted in their own pages: equations, figures with their plots, tables.
EQUATIONS = {"Williams (2024)": 14, "Carlos (2015)": 20, "Carlos & Rakshit (2016)": 34}
FIGURES = {
    "Williams (2024)": "1(a) 1(b) 2(a) 2(b) 3",
    "Carlos (2015)": "1 2 3 4 5 6",
    "Carlos & Rakshit (2016)": "1 2(a) 2(b) 2(c) 3A 3B 3C 4",
}
TABLES = {"Williams (2024)": "", "Carlos (2015)": "1", "Carlos & Rakshit (2016)": "1 2 3 4"}
# Every number in the tables of the three papers, and in the sentences that stand for tables, as printed, row by row.
NUMBERS = {
    "Williams (2024)": """
        82.0% 72.3% 74.7% 78.0% 78.1% 76.4%
        12.33% 5.67% 2.50% 14.33% 7.00% 6.30%""",
    "Carlos (2015)": """
        387 0.6149 26 0.5000
        421 0.8361 22 0.3636
        439 0.9703 26 0.5000
        300 0.9766 42 0.5238
        43 1.0000 1474 0.8792
        24.4 0.85
        0.71 0.81
        0.069 0.043 0.049 0.064 0.016 0.093 0.173 0.164
        71.5% 81.5% 85.7% 84.5% 92.7%
        7944 2943 5001 6354 1590""",
    "Carlos & Rakshit (2016)": """
        0.7964 0.0136 0.8355 0.0149 0.7830 0.0128 0.8438 0.0110
        0.955 0.916 0.797
        0.953 0.866 0.793
        0.946 0.864 0.711
        0.964 0.921 0.808
        0.721 0.018 0.667 0.028 0.735 0.032 0.711 0.032
        0.664 0.949 0.527 0.926 0.560 0.985 0.770 0.973""",
    "Wikipedia": """
        5.855 3.5033e-02 176.25 1.2292e+02 11.25 9.1667e-01
        5.4175 9.7225e-02 132.5 5.5833e+02 7.5 1.6667e+00
        1.5789 5.9881e-06 1.3112e-03 6.1984e-09 2.2346e-01 1.6789e-02 2.8669e-01 5.3778e-04""",
}


@pytest.mark.parametrize("source", EQUATIONS)
def test_every_equation_figure_and_table_has_its_place(source):
    places = list(PLACES[source])
    equations = [int(n) for place in places for n in re.findall(r"^eq\. \((\d+)\)$", place)]
    assert sorted(equations) == list(range(1, EQUATIONS[source] + 1))
    figures = [place[7:].replace(", plot ", "") for place in places if place.startswith("Figure ")]
    assert sorted(figures) == sorted(FIGURES[source].split())
    assert [place[6:] for place in places if place.startswith("Table ")] == TABLES[source].split()


def test_every_place_leads_to_claims_of_the_book_or_says_why_not():
    known = {claim.id for claim in ledger()}
    assert list(PLACES) == list(SOURCES)
    for source, places in PLACES.items():
        for place, found in places.items():
            if isinstance(found, str):
                assert found.endswith("."), (source, place)
            else:
                assert found, (source, place)
                assert set(found) <= known, (source, place, set(found) - known)


@pytest.mark.parametrize("source", SOURCES)
def test_every_claim_stands_at_a_place(source):
    placed = {id for found in PLACES[source].values() if not isinstance(found, str) for id in found}
    assert {claim.id for claim in ledger(source)} - placed == set()


@pytest.mark.parametrize("source", NUMBERS)
def test_every_printed_number_is_in_the_ledger(source):
    stated = [number for claim in ledger(source) if claim.stated is not None for number in np.atleast_1d(claim.stated)]
    for printed in NUMBERS[source].split():
        value = float(printed.rstrip("%")) / (100 if printed.endswith("%") else 1)
        assert np.isclose(stated, value, rtol=1e-9).any(), printed


@pytest.mark.parametrize("source", NUMBERS)
def test_its_rounding_is_that_of_the_printed_digits(source):
    """Half a unit in the last place; exact counts have none."""
    of = {}
    for printed in NUMBERS[source].split():
        digits, _, power = printed.rstrip("%").partition("e")
        unit = 10.0 ** (int(power or 0) - len(digits.partition(".")[2])) / (100 if printed.endswith("%") else 1)
        of.setdefault(round(float(digits) * 10.0 ** int(power or 0) / (100 if "%" in printed else 1), 12), set()).add(
            unit
        )
    for claim in ledger(source):
        if claim.stated is None or not claim.rounding or claim.ours is None:
            continue
        for number in np.atleast_1d(claim.stated):
            for unit in of.get(round(float(number), 12), ()):
                assert claim.rounding <= unit * 0.5 * (1 + 1e-9), claim.id

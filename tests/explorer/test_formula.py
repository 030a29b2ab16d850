"""The parts of an equation as they travel to the page and as one line of text."""

import json

from workbook.explorer.formula import Over, Term, encode_parts, spoken

HIT, PRIOR = Term("0.80", "P(+ | ill)", "hit", "#0072B2", "/"), Term("0.010", "P(ill)")
PARTS = ["P(ill | +) = ", Over([HIT, " · ", PRIOR], [Over([HIT], ["1 + ", PRIOR])]), " = ", Term("0.078")]


def test_the_page_gets_texts_terms_and_fractions():
    text, fraction, equals, last = encode_parts(PARTS)
    hit = {"value": "0.80", "symbol": "P(+ | ill)", "mark": "hit", "color": "#0072B2", "hatch": "/"}
    prior = {"value": "0.010", "symbol": "P(ill)", "mark": "", "color": "", "hatch": ""}
    assert (text, equals) == ("P(ill | +) = ", " = ")
    assert fraction == {"top": [hit, " · ", prior], "bottom": [{"top": [hit], "bottom": ["1 + ", prior]}]}
    assert last == {"value": "0.078", "symbol": "", "mark": "", "color": "", "hatch": ""}
    assert json.loads(json.dumps(encode_parts(PARTS))) == encode_parts(PARTS), "nothing but what JSON knows"


def test_no_equation_has_no_parts():
    assert encode_parts(()) == []
    assert spoken(()) == ""


def test_it_can_be_said_in_one_line():
    line = " ".join(spoken(PARTS).split())
    assert line == "P(ill | +) = (0.80 · 0.010) / ((0.80) / (1 + 0.010)) = 0.078"

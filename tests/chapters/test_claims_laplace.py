"""Each statement of the answer on Laplacian correction: our number bears out the verdict that the ledger gives."""

from fractions import Fraction

import pytest

from workbook.chapters.c02_laplace_smoothing.claims import CLAIMS


def measured(words):
    (claim,) = [claim for claim in CLAIMS if words in claim.statement]
    return claim.measure()


@pytest.mark.parametrize("claim", [c for c in CLAIMS if c.stated is not None], ids=lambda claim: claim.statement[:40])
def test_a_stated_number_agrees_where_the_verdict_says_so(claim):
    assert claim.holds() == (claim.verdict == "reproduced")


def test_zero_and_smoothed():
    """IIR, example 13.1."""
    china = Fraction(3, 4) * Fraction(3, 7) ** 3 * Fraction(1, 14) ** 2
    other = Fraction(1, 4) * Fraction(2, 9) ** 5
    assert measured("posterior zero").value == pytest.approx((0, float(china / (china + other))), rel=1e-12)


def test_nine_tokens_and_seven_words():
    assert measured("frequent to infrequent").value == pytest.approx((2 / 9, 3 / 16, 1 / 9, 2 / 16), rel=1e-12)


def source_code(tokens, vocabulary):
    """The source's second example for one class: its table and its fallback, in its own words."""
    total = len(tokens)
    table = {word: (tokens.count(word) + 1) / (total + len(vocabulary)) for word in vocabulary}
    return table, 1 / (sum(table.values()) + len(vocabulary))


def test_both_slips_by_the_sources_own_code():
    documents = [["the", "cat", "sat"], ["the", "dog", "ran"], ["a", "cat", "purrs"]]
    tokens = [word for document in documents for word in document]
    table, unseen = source_code(tokens, set(tokens))
    assert measured("less than words observed").value == pytest.approx((unseen, table["sat"]), rel=1e-12)
    assert unseen == pytest.approx(table["sat"]), "not less"
    assert measured("gets what a known word").value == pytest.approx(unseen, rel=1e-12)
    table, unseen = source_code(tokens, {*tokens, "known"})
    assert unseen > table["known"]

"""Each statement of Wikipedia's article: our number bears out the verdict that the ledger gives."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm

from workbook.chapters.c01_naive_bayes.claims import CLAIMS, as_printed

MEN = np.array([[6, 180, 12], [5.92, 190, 11], [5.58, 170, 12], [5.92, 165, 10]])
WOMEN = np.array([[5, 100, 6], [5.5, 150, 8], [5.42, 130, 7], [5.75, 150, 9]])


def measured(words):
    """The measurement of the one entry whose statement has these words."""
    (claim,) = [claim for claim in CLAIMS if words in claim.statement]
    return claim.measure()


@pytest.mark.parametrize("claim", [c for c in CLAIMS if c.stated is not None], ids=lambda claim: claim.statement[:50])
def test_a_stated_number_agrees_where_the_verdict_says_so(claim):
    assert claim.holds() == (claim.verdict == "reproduced")


def test_what_differs():
    assert [c.stated for c in CLAIMS if c.verdict == "differs"] == [5.9881e-06, 6.1984e-09, 5.3778e-04, 1.5789, None]


def test_the_gender_example_by_scipy():
    products = []
    for sex, people in (("male", MEN), ("female", WOMEN)):
        p = norm.pdf([6, 130, 8], people.mean(axis=0), people.std(axis=0, ddof=1))
        for column, expected in zip(("height", "weight", "foot size"), p, strict=True):
            assert measured(f"p({column} | {sex}) of").value == pytest.approx(expected, rel=1e-12)
        products.append(0.5 * p.prod())
        assert measured(f"Posterior numerator, {sex}").value == pytest.approx(products[-1], rel=1e-12)
    assert measured("predicted to be female").value == pytest.approx(products[1] / sum(products), rel=1e-12)


def test_the_notes_on_rounding_are_right():
    assert f"{norm.pdf(130, 176.25, np.sqrt(122.92)):.4e}" == "5.9881e-06"
    assert f"{0.5 * 1.5789 * 5.9881e-06 * 1.3112e-03:.4e}" == "6.1984e-09"
    assert f"{0.5 * 2.2346e-01 * 1.6789e-02 * 2.8669e-01:.4e}" == "5.3778e-04"


def test_the_misprint():
    variance = MEN[:, 0].var(ddof=1)
    right = norm.pdf(6, MEN[:, 0].mean(), np.sqrt(variance))
    assert as_printed().value == pytest.approx(right * variance**0.25, rel=1e-12), "sigma in place of its square"


def test_sentences_about_densities_and_parameters():
    peak, area = measured("A density above 1").value
    assert peak > 2
    assert area == pytest.approx(1, abs=1e-6)
    assert measured("linear in the number of features").value == (12, 24)


def test_sentences_about_documents():
    """IIR, example 13.1, in fractions; "Tokyo" by shares of words cut to one, and by shares of documents."""
    china = Fraction(3, 4) * Fraction(3, 7) ** 3 * Fraction(1, 14) ** 2
    exact = float(china / (china + Fraction(1, 4) * Fraction(2, 9) ** 5))
    for words in ("multinomial probability", "sum of log-likelihood ratios"):
        assert measured(words).value == pytest.approx((exact, exact), rel=1e-12)
    cut = Fraction(3, 4) * Fraction(1, 12), Fraction(1, 4) * Fraction(2, 9)
    there = (
        Fraction(3, 4) * Fraction(1, 5) * Fraction(1, 5) * Fraction(3, 5) ** 3 * Fraction(4, 5),
        Fraction(1, 4) * Fraction(2, 3) * Fraction(1, 3) * Fraction(2, 3) ** 3 * Fraction(1, 3),
    )
    truncated, bernoulli = measured("not multinomial naive Bayes on truncated").value
    assert truncated == pytest.approx(float(cut[0] / sum(cut)), rel=1e-12)
    assert bernoulli == pytest.approx(float(there[0] / sum(there)), rel=1e-12)
    assert bernoulli < 0.5 < truncated


def test_the_discrete_models_are_linear():
    for words in ("In log space it is linear", "Bernoulli event model too"):
        assert measured(words).value == pytest.approx(0, abs=1e-12)


def test_proportional_is_not_the_word():
    one, other, difference, same = measured("proportional").value
    assert abs(one - other) > 0.05
    assert difference == pytest.approx(same, rel=1e-12)


def test_a_zero_wipes_out():
    """Five No days, nine Yes days; counts of overcast, hot, normal, weak: 0, 2, 1, 2 and 4, 2, 6, 6."""
    no = Fraction(5, 14) * Fraction(1, 8) * Fraction(3, 8) * Fraction(2, 7) * Fraction(3, 7)
    yes = Fraction(9, 14) * Fraction(5, 12) * Fraction(3, 12) * Fraction(7, 11) * Fraction(7, 11)
    assert measured("wipes out").value == pytest.approx((0, float(no / (no + yes))), rel=1e-12)


def test_decisions_survive_a_wrong_probability():
    assert measured("grossly inaccurate").value == pytest.approx((1.9, 1.0), rel=1e-9)

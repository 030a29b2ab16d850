"""Each statement of Williams (2024), introduction and sections 1 and 2: our number bears out the ledger's verdict."""

from fractions import Fraction

import numpy as np
import pytest

from nbcore.one_hot import f_factor
from workbook.chapters.c03_one_hot_pitfall.claims import CLAIMS, ends_on_the_simplex, random_pairs


def value(words):
    """Our number of the one entry whose statement has these words."""
    (claim,) = [claim for claim in CLAIMS if words in claim.statement]
    return claim.measure().value


@pytest.mark.parametrize("claim", [c for c in CLAIMS if c.stated is not None], ids=lambda claim: claim.statement[:40])
def test_a_stated_number_agrees_where_the_verdict_says_so(claim):
    assert claim.holds() == (claim.verdict == "reproduced")


def test_the_students_by_counting():
    counted, by_codes, by_bits = value("scikit-learn is right")
    assert counted == pytest.approx(94 / 215)
    assert by_codes == pytest.approx(94 / 215)
    assert by_bits == pytest.approx(0.594, abs=5e-4)


def test_bounds_leave_room():
    assert min(value("Q lies between")) > 0
    assert value("exceeds l(theta_jc)") > 0
    assert min(value("grow by more than")) > 1
    at_zero, bend = np.split(np.array(value("pass through the origin")), 2)
    assert not at_zero.any()
    assert bend.min() > 0


def test_the_simplex_has_its_corners_and_its_centre_in_the_grid():
    assert ends_on_the_simplex().value == (0, pytest.approx((2 / 3) ** 3))
    assert ends_on_the_simplex(31).value[1] < (2 / 3) ** 3 - 1e-5, "no centre there: the maximum is missed"


def test_two_values_are_the_exception_in_the_centre():
    two, *more = value("In the centre")
    assert two == 0
    assert min(more) > 0.05
    assert np.all(np.diff(value("smaller for lower K")) > 0)
    assert value("smaller for lower K")[0] == 0, "K = 2: one bound"


def test_the_reversed_pair_in_fractions():
    c, d, f_c, f_d = value("need not have the larger")
    assert c > d
    assert f_c < f_d
    assert f_c == pytest.approx(float(Fraction(3, 10) * (1 - Fraction(7, 10))))
    assert f_d == pytest.approx(float(Fraction(29, 100) * (1 - Fraction(71, 300)) ** 3))


def test_the_slip_below_eq_13_by_plain_products():
    """A corner for d and the centre for c: the ratio reaches u / l, and no random pair goes beyond."""
    c, d = np.array([0.4, 0.2, 0.2, 0.2]), np.array([0.3, 0.7, 0, 0])
    most = 0.4 * 0.8**3 / 0.3**2
    assert f_factor(c)[0] / f_factor(d)[0] == pytest.approx(most)
    assert most > 0.4 / 0.3
    theta = random_pairs(5)
    products = theta[..., 0] * np.prod(1 - theta[..., 1:], axis=-1)
    upper = theta[0, :, 0] * ((3 + theta[0, :, 0]) / 4) ** 4 / theta[1, :, 0] ** 2
    assert np.all(products[0] / products[1] < upper)
    assert value("bounds the ratio of f from below") == 0

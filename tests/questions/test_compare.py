"""When two numbers count as the same answer: at the edge of what is allowed, on either side."""

import numpy as np
import pytest

from workbook.questions.compare import alike, allowed, rounds_to, same, unit

TOLERANCE = 5e-3


def one(a, b, tolerance=TOLERANCE):
    return same(np.array(float(a)), np.array(float(b)), tolerance)


@pytest.mark.parametrize(
    ("digits", "units"), [(1, [0.1, 1, 10, 1000]), (2, [0.01, 0.1, 1, 100]), (3, [0.001, 0.01, 0.1, 10])]
)
def test_a_unit_is_what_the_last_digit_counts(digits, units):
    assert [unit(value, digits) for value in (0.123, -9.99, 10, 1234.5)] == pytest.approx(units)


@pytest.mark.parametrize(
    ("true", "near", "far"),
    [(0.15, 0.14925, 0.14924), (0.15, 0.15075, 0.15076), (0.101, 0.101505, 0.10151), (-0.15, -0.15075, -0.15076),
     (123.0, 123.615, 123.62), (1e9, 1.005e9, 1.0051e9)],
)  # fmt: skip
def test_an_answer_may_be_off_by_the_relative_tolerance(true, near, far):
    assert one(near, true)
    assert not one(far, true)


@pytest.mark.parametrize(
    ("true", "near", "far"), [(0.9, 0.901, 0.9011), (0.999, 1.0, 1.0011), (9.99, 10.0, 10.011), (500.0, 501, 501.1)]
)
def test_but_not_by_more_than_one_unit_in_the_third_digit(true, near, far):
    """With the tolerance of the exercises: two hundred of them are a unit."""
    assert one(near, true)
    assert not one(far, true)
    assert allowed(np.array(true), TOLERANCE) == pytest.approx(min(TOLERANCE * true, unit(true, 3)))


def test_a_zero_among_other_numbers_is_met_by_what_rounding_leaves_of_them_and_alone_by_nothing_else():
    assert same(np.array([1e-13, 1.0]), np.array([0.0, 1.0]), TOLERANCE)
    assert same(np.array([1e-12, 1.0]), np.array([0.0, 1.0]), TOLERANCE)
    assert not same(np.array([2e-12, 1.0]), np.array([0.0, 1.0]), TOLERANCE)
    assert same(np.array([5e-10, 1000.0, np.inf]), np.array([0.0, 1000.0, np.inf]), TOLERANCE)
    assert not same(np.array([1e-13, 1e-14]), np.array([0.0, 1e-14]), TOLERANCE)
    assert one(0, 0)
    assert not one(1e-300, 0)
    assert not one(0, 1e-300)


def test_shapes_gaps_and_infinities_are_what_they_are():
    assert not same(np.zeros(2), np.zeros(3), TOLERANCE)
    assert not same(np.zeros((1, 2)), np.zeros(2), TOLERANCE)
    assert one(np.nan, np.nan)
    assert not one(np.nan, 1)
    assert not one(1, np.nan)
    assert one(np.inf, np.inf)
    assert not one(np.inf, -np.inf)
    assert not one(1e308, np.inf)
    assert not same(np.array([1.0, 2.0]), np.array([1.0, 3.0]), TOLERANCE)


@pytest.mark.parametrize(
    ("a", "b", "nearly"),
    [(0.12, 0.123, True), (0.13, 0.123, False), (0.12, 0.125, True), (0.13, 0.125, True), (12, 12.4, True),
     (11, 12.4, False), (-0.12, -0.123, True), (0.12, -0.123, False), (0, 0, False), (0.1, 0, False),
     (np.inf, 0.1, False), (0.1, np.inf, False), (np.nan, 0.1, False)],
)  # fmt: skip
def test_two_digits_are_nearly_enough_and_a_tie_goes_either_way(a, b, nearly):
    assert rounds_to(a, b, 2) == nearly


@pytest.mark.parametrize(
    ("a", "b", "nearly"),
    [(0.99, 0.994, False), (0.99, 0.99004, True), (1, 0.996, False), (1.0, 1.0, True), (0, 0.004, False),
     (0.99, 0.9901, True), (0.91, 0.914, True), (0.97, 0.9744, True),
     (1.2, 1.23, True), (-0.12, 0.12, False), (1.3, 0.9, False), (0.98, 1.0, True),
     (1.004, 0.996, True), (0.05, 0.0498, True)],
)  # fmt: skip
def test_of_probabilities_the_distance_from_1_counts_as_well(a, b, nearly):
    """0.99 is not nearly 0.994: ten in a thousand are no six."""
    assert alike(a, b) == nearly

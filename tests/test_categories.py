"""Categories as codes, by whatever way they are looked up: always the place in the list."""

import numpy as np
import pytest

from nbcore.mixed.categories import MISSING, UNKNOWN, encode, new_categories

NAN = float("nan")


def by_hand(column, categories):
    return [MISSING if value != value else categories.index(value) if value in categories else UNKNOWN
            for value in column]  # fmt: skip


@pytest.mark.parametrize("categories", [[0.5, -1.0, 3.0], [0.0, 1.0, 2.0], [2.0, 70_000.0], [-3.0, 0.0], [0.25]])
def test_numbers_of_any_kind_are_their_places_and_gaps_are_gaps(categories):
    for column in ([0.5, 3.0, -1.0, 2.0], [0.0, 2.0, 1.0, 1.0], [70_000.0, 0.25, -3.0], [NAN, 1.0, 0.5, 99.0], [-9.0]):
        assert encode(np.array(column), categories).tolist() == by_hand(column, categories)
    assert encode(np.array([1.0, NAN]), []).tolist() == [UNKNOWN, MISSING]


def test_text_and_numbers_beside_text_are_their_places():
    assert encode(["b", "a", "c", None], ["a", "b"]).tolist() == [1, 0, UNKNOWN, MISSING]
    assert encode(np.array([2.0, 1.0, NAN, 3.0]), [1.0, 2.0, "none"]).tolist() == [1, 0, MISSING, UNKNOWN]
    assert encode(np.array([2.0, 1.0]), ["none"]).tolist() == [UNKNOWN, UNKNOWN]


def test_new_categories_are_sorted_numbers_before_text_and_gaps_are_none():
    assert new_categories(["b", 2, "a", None, 1, "b"], []) == [1, 2, "a", "b"]
    assert new_categories(np.array([3.0, NAN, 0.5, 3.0, -1.0]), [0.5]) == [-1.0, 3.0]
    assert new_categories(np.array([3, 0, 3, 7]), [7]) == [0, 3]
    assert [type(value) for value in new_categories(np.array([3.0, 1.0]), [])] == [float, float]

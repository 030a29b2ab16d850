"""The control whose value is a handful of points: what it takes, what it refuses, and how it writes them down."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbook.page.controls import Points


def control(low=0.0, high=6.0, step=0.1, **options):
    made = Points(low=low, high=high, step=step, label="your points", **options)
    made.name = "points"
    return made


@pytest.mark.parametrize(("typed", "kept"), [
    ("", ""),
    (" ; ;", ""),
    ("1 5 0", "1 5 0"),
    ("1 5 0;3 3 1;", "1 5 0; 3 3 1"),
    ("  .5   1e0 1 ;\t6.0 -0 0", "0.5 1 1; 6 0 0"),
    ("2.04 2.06 1", "2 2.1 1"),
    ("5.9999999 0.00001 0", "6 0 0"),
    ("3 3 0; 3 3 0; 3 3 1", "3 3 0; 3 3 0; 3 3 1"),
])  # fmt: skip
def test_points_are_kept_in_one_way_of_writing(typed, kept):
    assert control().check(typed) == kept
    assert control().check(kept) == kept
    assert control().read(typed) == control().read(kept)


@pytest.mark.parametrize(
    "wrong",
    ["<b>x</b>", "a b c", "1 2", "1 2 3 4", "1,5 2 0", "nan 1 0", "1 nan 0", "inf 1 0", "1 -inf 0", "1 6.01 0",
     "-1 1 0", "1 1 2", "1 1 -1", "1 1 0.5", "1 1 nan", "1 5 0; oops", "1 5 0 3 3 1", "%{y}", "\x00"],
)  # fmt: skip
def test_what_is_no_point_is_named(wrong):
    with pytest.raises(ValueError, match="your points must be") as problem:
        control().check(wrong)
    assert wrong.split(";")[-1].strip()[:5] in str(problem.value) or "\\x00" in str(problem.value)
    assert "classes 0 to 1" in str(problem.value)


@pytest.mark.parametrize("wrong", [None, 3, ["1 5 0"], b"1 5 0", " " * 1000])
def test_what_is_no_short_text_is_named(wrong):
    with pytest.raises(ValueError, match="your points must be text of at most 480 characters"):
        control().check(wrong)


def test_there_is_a_most():
    assert control(most=3).check("1 1 0;" * 3).count(";") == 2
    with pytest.raises(ValueError, match="'4 points' is not allowed: your points must be at most 3 points"):
        control(most=3).check("1 1 0;" * 4)


def test_a_class_need_not_lie_in_the_square():
    assert control(low=2, step=1).read("2 6 0") == ((2.0, 6.0, 0),)


def test_a_third_class_is_a_class_where_there_are_three():
    assert control(classes=3).read("1 1 2") == ((1.0, 1.0, 2),)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.integers(0, 1)), max_size=20),
       st.sampled_from([(0.0, 6.0, 0.1), (0.0, 500.0, 5.0), (-100.0, 250.0, 2.5)]))  # fmt: skip
def test_what_is_kept_can_be_kept_again(points, square):
    low, high, step = square
    c = control(*square)
    typed = ";".join(f"{low + x * (high - low):.3g} {low + y * (high - low):.3g} {k}" for x, y, k in points)
    kept = c.check(typed)
    assert c.check(kept) == kept
    assert len(kept) <= c.longest
    read = np.array(c.read(kept)).reshape(-1, 3)
    assert ((low <= read[:, :2]) & (read[:, :2] <= high)).all()
    exact = [(low + x * (high - low), low + y * (high - low)) for x, y, _ in points]
    np.testing.assert_allclose(read[:, :2], np.reshape(exact, (-1, 2)), atol=0.5 * step + 0.006 * max(high, -low))


def test_the_field_waits_until_the_learner_is_done():
    """Else "1 5 0;" would become "1 5 0" before the second point is typed."""
    field = control().widget("1 5 0")
    assert (field.value, field.description) == ("1 5 0", "your points")
    assert not field.continuous_update

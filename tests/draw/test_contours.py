"""Contours found in Python: lines where the levels are."""

import numpy as np
import pytest

from workbook.draw.contours import compute_polygons


def slope(**changes):
    """z = x on [0, 4] by [0, 2]: every line is upright."""
    x, y = np.arange(5.0), np.arange(3.0)
    contours = dict(start=1, end=3, size=1) | changes.pop("contours", {})
    return dict(type="contour", x=x, y=y, z=np.tile(x, (3, 1)), contours=contours, xaxis="x2", name="slope") | changes


def parts(drawn):
    """Its polygons, which a NaN ends."""
    points = np.column_stack([drawn["x"], drawn["y"]])
    assert drawn["x"].dtype == np.float32
    ends = np.flatnonzero(np.isnan(points).any(axis=1))
    assert ends[-1] == len(points) - 1
    return [part[~np.isnan(part).any(axis=1)] for part in np.split(points, ends[:-1] + 1)]


def test_a_line_stands_at_every_level():
    lines = parts(compute_polygons(slope())["lines"])
    assert [set(line[:, 0]) for line in lines] == [{1.0}, {2.0}, {3.0}]
    assert all(set(line[:, 1]) == {0.0, 1.0, 2.0} for line in lines)
    lines = parts(compute_polygons(slope(contours=dict(start=0.5, end=3, size=0.5)))["lines"])
    assert [line[0, 0] for line in lines] == [0.5, 1, 1.5, 2, 2.5, 3]


def test_a_ring_is_one_line():
    x = np.linspace(-2, 2, 41)
    drawn = compute_polygons(slope(x=x, y=x, z=x**2 + x[:, None] ** 2, contours=dict(start=1, end=2.25, size=1.25)))
    assert [round(np.hypot(*ring[0]), 1) for ring in parts(drawn["lines"])] == [1.0, 1.5]


def test_the_rest_of_the_trace_goes_along():
    drawn = compute_polygons(slope(line=dict(width=2), showlegend=False))
    assert drawn.keys() == {"type", "xaxis", "name", "line", "showlegend", "lines"}
    assert (drawn["type"], drawn["name"], drawn["line"]) == ("contour", "slope", dict(width=2))


@pytest.mark.parametrize("contours", [dict(start=7, end=9), dict(start=2, end=0), dict(start=3, end=1)])
def test_where_no_level_is_met_there_is_no_line(contours):
    drawn = compute_polygons(slope(contours=contours))
    assert np.isnan(drawn["lines"]["x"]).all()

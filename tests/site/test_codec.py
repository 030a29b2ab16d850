"""What is packed comes back: whole numbers exactly, other numbers as finely as they must be, frames leaf by leaf."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from workbook.draw.arrays import encode_values
from workbook.site.packs.encoding import encode_numbers, encode_rows
from workbook.site.packs.frames import Packer
from workbook.site.packs.precision import Precision, joined, precisions

from .reader import Frames, decode_numbers, decode_rows
from .same import far, word

WHOLE = arrays(np.int64, array_shapes(min_dims=2, max_dims=2, max_side=12), elements=st.integers(-(2**40), 2**40))
FINITE = st.floats(allow_nan=False, allow_infinity=False)
SMALL = st.floats(-1e4, 1e4, allow_nan=False)
THOUSANDTHS = st.integers(-20000, 20000).map(lambda n: n / 1000)
FORMS = st.sampled_from([".0f", ".1f", ".2f", ".3f", ".4f", ".0%", ",d", ".3g", ".4g", ""])


def coded(values, precision):
    """Numbers as the page gets them."""
    table = np.array(values, dtype=float)[None]
    return decode_numbers(encode_numbers(table, precision) | {"shape": table.shape[1:]})[0] if values else np.zeros(0)


# --- numbers ----------------------------------------------------------------------------------------------------------


@given(WHOLE)
def test_tables_of_whole_numbers_come_back(table):
    assert np.array_equal(decode_rows(encode_rows(table), table.shape[1]), table)


@given(st.lists(SMALL), st.floats(0.5, 1e5))
def test_positions_are_off_by_half_a_step_at_most(values, per_unit):
    found = coded(values, Precision(per_unit))
    assert np.all(np.abs(found - values) <= 0.500001 / per_unit + 1e-9 * np.abs(values))


@given(st.lists(FINITE), st.floats(1e-5, 0.1))
def test_positions_on_a_log_axis_are_off_by_a_share(values, share):
    assert np.all(np.abs(coded(values, Precision(share=share)) - values) <= share * np.abs(values) + 1e-290)


@given(st.lists(FINITE))
def test_other_numbers_are_kept_to_six_digits(values):
    assert np.all(np.abs(coded(values, Precision()) - values) <= 1e-6 * np.abs(values) + 1e-290)


@given(st.lists(SMALL | THOUSANDTHS), st.sets(FORMS, min_size=1), st.floats(0, 1e4))
def test_hover_texts_print_the_same(values, formats, per_unit):
    values = [value + 0.0 for value in values]  # the page prints 0 for -0
    found = coded(values, Precision(per_unit, 0.0, frozenset(formats)))
    for form in formats:
        pairs = [pair for pair in zip(values, found.tolist(), strict=True) if not 0 < abs(pair[0]) < 1e-290]
        assert [word(one, form) for one, _ in pairs] == [word(two, form) for _, two in pairs]
    if per_unit:
        assert np.all(np.abs(found - values) <= 1.500001 / per_unit + 1e-6 * np.abs(values))


@pytest.mark.parametrize("value", [0.145, 0.125, 0.12499999999999999, 0.14500000000000002, 0.1249999999999, 2.5])
def test_a_tie_is_rounded_as_before(value):
    for form in (".2f", ".1f", ".2g", ".0f"):
        assert word(coded([value, math.pi], Precision(formats=frozenset([form])))[0], form) == word(value, form)


@given(st.lists(st.integers(-100000, 100000).map(lambda n: n / 100), min_size=1))
def test_numbers_of_few_decimals_are_exact(values):
    assert coded(values, Precision()).tolist() == values


def test_an_exact_number_stays_exact():
    values = [0.1, 1 / 3, math.pi]
    assert coded(values, Precision(1000.0, 0.0, frozenset([""]))).tolist() == values


# --- the precision of a figure ----------------------------------------------------------------------------------------

FIGURE = {
    "data": [
        {"x": [1], "y": [2], "hovertemplate": "%{x:.2f} and %{customdata[1]:.3g}", "marker": {"size": [4]}},
        {"type": "heatmap", "z": [[1]], "zmin": 0, "zmax": 5, "xaxis": "x2", "yaxis": "y2", "hoverinfo": "skip"},
        {"type": "bar", "orientation": "h", "base": [0], "width": [1], "x": [3]},
    ],
    "layout": {
        "xaxis": {"range": [0, 2], "domain": [0, 0.5]}, "yaxis": {"range": [4, 0]},
        "xaxis2": {"range": [-1, 3], "type": "log", "tickvals": [1]},
        "yaxis2": {"range": [0, 1], "tickvals": [1], "ticktext": ["a"]},
        "shapes": [{"x0": 1, "xref": "x2", "y0": 0, "yref": "y domain"}],
        "meta": {"handles": [{"x": 1, "axis": "xy", "panel": "", "places": [1]}]},
    },
}  # fmt: skip


def test_positions_are_kept_to_an_eighth_of_a_pixel_of_their_axis():
    precision = precisions(FIGURE)
    along_x, along_y = 8 * 1280 * 0.5 / 2, 8 * 640 / 4
    assert precision(("data", 0, "x")) == Precision(along_x, 0.0, frozenset([".2f"]))
    assert precision(("data", 0, "y")) == Precision(along_y)
    assert precision(("data", 0, "customdata")) == Precision(formats=frozenset([".3g"]))
    assert precision(("data", 0, "marker", "size")) == Precision(8)
    assert precision(("data", 1, "z")) == Precision(51)
    assert precision(("data", 1, "x")) == Precision(share=math.log(10) * 4 / (8 * 1280))
    assert precision(("data", 2, "base")).per_unit == along_x
    assert precision(("data", 2, "width")).per_unit == along_y
    assert precision(("layout", "shapes", 0, "x0")).share
    assert precision(("layout", "shapes", 0, "y0")) == Precision(8 * 1280)
    assert precision(("layout", "meta", "handles", 0, "places")) == Precision(max(along_x, along_y))
    assert precision(("layout", "xaxis2", "tickvals")) == Precision(formats=frozenset([""])), "the page writes them"
    assert precision(("layout", "yaxis2", "tickvals")) == Precision()


def test_what_serves_two_frames_serves_the_finer():
    assert joined(Precision(5.0), Precision(9.0, 0.0, frozenset(["d"]))) == Precision(9.0, 0.0, frozenset(["d"]))
    assert joined(Precision(share=0.1), Precision(share=0.01)) == Precision(share=0.01)
    assert joined(Precision(5.0), Precision(share=0.01)) == Precision()


# --- frames -----------------------------------------------------------------------------------------------------------

QUARTERS = st.integers(-50, 50).map(lambda n: n / 4)
ODD = st.sampled_from([math.nan, math.inf, -math.inf])
NUMBERS = arrays(np.float64, array_shapes(max_dims=3, max_side=4), elements=QUARTERS | ODD)
LEAVES = st.none() | st.booleans() | st.integers(-9, 9) | QUARTERS | st.text(max_size=6) | NUMBERS


def branches(inner):
    return st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=3)


TREES = st.recursive(LEAVES, branches, max_leaves=8)
TRACES = st.lists(st.dictionaries(st.sampled_from("pqrs"), TREES), max_size=3)
FRAMES = st.lists(st.tuples(st.text(max_size=9), st.lists(TREES, max_size=3), TRACES), min_size=1, max_size=6)


@given(FRAMES)
def test_frames_come_back(drawn):
    packer, frames = Packer(), []
    for number, (sentence, formula, data) in enumerate(drawn):
        figure = {"data": encode_values(data), "layout": {"xaxis": {"range": [0, number]}}}
        frames.append({"figure": figure, "formula": encode_values(formula), "sentence": sentence})
        packer.add((number, 3), frames[-1])
        assert (number, 3) in packer
    found = Frames(packer.to_bytes({"title": "a toy"}))
    assert found.about == {"title": "a toy"}
    assert found.places == [(number, 3) for number in range(len(frames))]
    for number, frame in enumerate(frames):
        for path, one, two in far(frame, found[number, 3]):
            assert np.array_equal(one, two, equal_nan=True), path


def test_a_leaf_is_stored_once_however_many_frames_have_it():
    rng = np.random.default_rng(0)
    picture, sizes = rng.random(5000), []
    for count in (1, 50):
        packer = Packer()
        for number in range(count):
            figure = {"data": [{"x": picture, "y": [number]}, {"x": picture}], "layout": {}}
            packer.add((number,), {"figure": encode_values(figure), "formula": [], "sentence": f"{number} of 50"})
        sizes.append(len(packer.to_bytes({})))
    assert sizes[1] < 1.05 * sizes[0]


def test_a_trace_that_comes_back_is_as_fine_as_the_axes_it_comes_back_to():
    """It was cut for other axes, and the frame between had the new ones without it."""
    trace = {"x": np.array([0.30004321, 0.7])}
    packer = Packer()
    for number, (data, high) in enumerate([([trace], 100), ([], 1), ([trace], 1)]):
        figure = {"data": data, "layout": {"xaxis": {"range": [0, high]}}}
        packer.add((number,), {"figure": encode_values(figure), "formula": [], "sentence": "s"})
    found = Frames(packer.to_bytes({}))[(2,)]["figure"]["data"][0]["x"]
    assert np.abs(found - trace["x"]).max() <= 1 / (8 * 1280)

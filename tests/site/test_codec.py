"""What is packed comes back: whole numbers and texts exactly, numbers as fine as they must be, frames leaf by leaf."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from workbook.draw.arrays import plain
from workbook.site.packs import planes
from workbook.site.packs.frames import Frames, Packer
from workbook.site.packs.grain import Grain, grains, joined
from workbook.site.packs.texts import as_templates, as_texts
from workbook.site.packs.whole import as_numbers, as_whole, printed

from .same import far

WHOLE = arrays(np.int64, array_shapes(min_dims=2, max_dims=2, max_side=12), elements=st.integers(-(2**31), 2**31 - 1))
FINITE = st.floats(allow_nan=False, allow_infinity=False)
SMALL = st.floats(-1e4, 1e4, allow_nan=False)
THOUSANDTHS = st.integers(-20000, 20000).map(lambda n: n / 1000)
FORMS = st.sampled_from([".0f", ".1f", ".2f", ".3f", ".4f", ".0%", ",d", ".3g", ".4g", ""])


# --- whole numbers and texts ----------------------------------------------------------------------------------------


@given(WHOLE, st.integers(1, 6), st.sampled_from(planes.WAYS))
def test_tables_of_whole_numbers_come_back(table, line, way):
    chosen, width, data = planes.packed(table, line)
    assert len(data) == width * table.size
    assert np.array_equal(planes.unpacked(chosen, width, data, table.shape, line), table)
    if planes._serves(way, table.shape, line):
        width, data = planes._planes(planes._differences(table, way, line))
        assert np.array_equal(planes.unpacked(way, width, data, table.shape, line), table)


def test_a_slowly_changing_table_takes_a_byte_a_number():
    table = 1000 * np.arange(50)[:, None] + 7 * np.arange(200)
    assert planes.packed(table)[1] == 2
    assert planes.packed(np.arange(50)[:, None] + 7 * np.arange(200))[1] == 1


@given(st.lists(st.text(max_size=12) | st.from_regex(r"[a-z{}.#, ]{0,4}\d{0,12}\.?\d{0,4}[a-z}]{0,3}", fullmatch=True)))
def test_texts_come_back(texts):
    templates, which, numbers = as_templates(texts)
    assert as_texts(templates, which, numbers) == texts


def test_sentences_that_differ_in_their_numbers_are_one_template():
    told = "At alpha = {:.1f} the share of {:,} names is {:.3f}.".format
    texts = [told(a / 10, n, a / 70) for a in range(10, 40) for n in (1200, 1034)]
    templates, _, numbers = as_templates(texts)
    assert len(templates) == 2, "034 keeps its zero"
    assert [table.shape for table in numbers] == [(30, 4)] * 2


def test_colours_and_names_are_no_numbers():
    templates, _, numbers = as_templates(["#0072B2", "x2", "12px", "{1.0}"])
    assert len(templates) == 4
    assert all(table.shape == (1, 0) for table in numbers)


# --- numbers ----------------------------------------------------------------------------------------------------------


def back(values, grain):
    code, by, whole = as_whole(np.array(values, dtype=float), grain)
    return as_numbers(code, by, whole)


@given(st.lists(SMALL), st.floats(0.5, 1e5))
def test_positions_are_off_by_half_a_step_at_most(values, per_unit):
    found = back(values, Grain(per_unit))
    assert np.all(np.abs(found - values) <= 0.500001 / per_unit + 1e-9 * np.abs(values))


@given(st.lists(FINITE), st.floats(1e-5, 0.1))
def test_positions_on_a_log_axis_are_off_by_a_share(values, share):
    assert np.all(np.abs(back(values, Grain(share=share)) - values) <= share * np.abs(values) + 1e-290)


@given(st.lists(FINITE))
def test_other_numbers_are_kept_to_six_digits(values):
    assert np.all(np.abs(back(values, Grain()) - values) <= 5e-7 * np.abs(values) + 1e-290)


@given(st.lists(SMALL | THOUSANDTHS), st.sets(FORMS, min_size=1), st.floats(0, 1e4))
def test_marks_say_the_same(values, said, per_unit):
    found = back(values, Grain(per_unit, 0.0, frozenset(said)))
    for form in said:
        pairs = [pair for pair in zip(values, found, strict=True) if not 0 < abs(pair[0]) < 1e-290]
        assert [printed(one, form) for one, _ in pairs] == [printed(two, form) for _, two in pairs]
    if per_unit:
        assert np.all(np.abs(found - values) <= 1.500001 / per_unit + 1e-6 * np.abs(values))


@pytest.mark.parametrize(
    ("value", "form", "said"),
    [(0.125, ".2f", "0.13"), (0.145, ".2f", "0.14"), (-0.125, ".2f", "-0.13"), (-0.001, ".2f", "0.00"),
     (2.5, ",d", "3"), (0.285, ".0%", "28%"), (1234.5, ".3g", "1.23e+03")],
)  # fmt: skip
def test_printed_rounds_as_the_page_does(value, form, said):
    assert printed(value, form) == said.rstrip("%") if "g" not in form else said


@given(st.lists(st.integers(-100000, 100000).map(lambda n: n / 100), min_size=1))
def test_numbers_of_few_decimals_are_exact(values):
    assert back(values, Grain()).tolist() == values


def test_an_exact_number_stays_exact():
    values = [0.1, 1 / 3, math.pi, 1e-300]
    assert back(values, Grain(1000.0, 0.0, frozenset([""]))).tolist() == values


# --- the grain of a figure --------------------------------------------------------------------------------------------

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


def test_the_grain_is_an_eighth_of_a_pixel_of_the_axis():
    grain = grains(FIGURE)
    along_x, along_y = 8 * 1280 * 0.5 / 2, 8 * 640 / 4
    assert grain(("data", 0, "x")) == Grain(along_x, 0.0, frozenset([".2f"]))
    assert grain(("data", 0, "y")) == Grain(along_y)
    assert grain(("data", 0, "customdata")) == Grain(said=frozenset([".3g"]))
    assert grain(("data", 0, "marker", "size")) == Grain(8)
    assert grain(("data", 1, "z")) == Grain(51)
    assert grain(("data", 1, "x")) == Grain(share=math.log(10) * 4 / (8 * 1280))
    assert grain(("data", 2, "base")).per_unit == along_x
    assert grain(("data", 2, "width")).per_unit == along_y
    assert grain(("layout", "shapes", 0, "x0")).share
    assert grain(("layout", "shapes", 0, "y0")) == Grain(8 * 1280)
    assert grain(("layout", "meta", "handles", 0, "places")) == Grain(max(along_x, along_y))
    assert grain(("layout", "xaxis2", "tickvals")) == Grain(said=frozenset([""])), "the page writes these numbers"
    assert grain(("layout", "yaxis2", "tickvals")) == Grain()


def test_what_serves_two_frames_serves_the_finer():
    assert joined(Grain(5.0), Grain(9.0, 0.0, frozenset(["d"]))) == Grain(9.0, 0.0, frozenset(["d"]))
    assert joined(Grain(share=0.1), Grain(share=0.01)) == Grain(share=0.01)
    assert joined(Grain(5.0), Grain(share=0.01)) == Grain()


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
        figure = {"data": plain(data), "layout": {"xaxis": {"range": [0, number]}}}
        frames.append({"figure": figure, "formula": plain(formula), "sentence": sentence})
        packer.add((number, 3), frames[-1])
        assert (number, 3) in packer
    found = Frames(packer.packed({"title": "a toy"}))
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
            packer.add((number,), {"figure": plain(figure), "formula": [], "sentence": f"{number} of 50"})
        sizes.append(len(packer.packed({})))
    assert sizes[1] < 1.05 * sizes[0]


def test_a_trace_that_comes_back_is_as_fine_as_the_axes_it_comes_back_to():
    """It was cut for other axes, and the frame between had the new ones without it."""
    trace = {"x": np.array([0.30004321, 0.7])}
    packer = Packer()
    for number, (data, high) in enumerate([([trace], 100), ([], 1), ([trace], 1)]):
        figure = {"data": data, "layout": {"xaxis": {"range": [0, high]}}}
        packer.add((number,), {"figure": plain(figure), "formula": [], "sentence": "s"})
    found = Frames(packer.packed({}))[(2,)]["figure"]["data"][0]["x"]
    assert np.abs(found - trace["x"]).max() <= 1 / (8 * 1280)

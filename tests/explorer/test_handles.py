"""What a figure declares to be taken hold of, and what the kernel makes of a drag."""

from typing import ClassVar

import numpy as np
import plotly.graph_objects as go
import pytest

from workbook.explorer import theme
from workbook.explorer.controls import FloatSlider, Steps, Text
from workbook.explorer.explorer import Explorer
from workbook.explorer.formula import Over, Term, encode_parts, spoken
from workbook.explorer.handles import Handle


class Plane(Explorer):
    """A point in the plane."""

    x = FloatSlider(0.5, 0.0, 1.0, step=0.25, label="x")
    y = Steps(1.0, [0.1, 1.0, 10.0], label="y")
    word = Text("a", label="word")
    computed: ClassVar[list] = []

    def compute(self, x, y, word):
        self.computed.append((x, y))
        return x, y

    def draw(self, result):
        x, y = result
        dot = dict(type="scatter", mode="markers", x=[x], y=[y])
        panel = theme.Panel("here", [dot], dict(range=[0, 1]), dict(range=[-1, 1], type="log"),
                            handles=[Handle(("x", "y"), x, y, "xy")])  # fmt: skip
        empty = theme.Panel("x alone", [dot], dict(range=[0, 1]), dict(range=[0, 1]),
                            handles=[Handle("x", x, 0.5, "x", np.array([0, 0.1, 0.4, 0.9, 1]), "line")])  # fmt: skip
        return theme.figure([panel, empty])

    def explain(self, result):
        return [Term(f"{result[0] / result[1]:.3f}", "x/y"), "=", Over([Term("1", "x")], [Term("2", "y")])]

    def describe(self, result):
        return f"The point is at {result[0]:g}, {result[1]:g} now."


@pytest.fixture
def plane():
    explorer = Plane()
    _ = explorer.panel
    yield explorer
    explorer.close()


def test_a_figure_carries_its_grips(plane):
    first, second = plane.figure.layout.meta["handles"]
    assert first == dict(controls=["x", "y"], panel="", axis="xy", places=None, shape="point", x=0.5, y=1.0)
    assert (second["panel"], list(second["places"]), second["shape"]) == ("2", [0, 0.1, 0.4, 0.9, 1], "line")
    assert next(plane.frames("x")).layout.meta["handles"][0]["x"] == 0
    assert (Handle("n").to_dict("")["x"], Handle("n").to_dict("")["y"]) == (0, 0)


def test_a_drag_moves_both_controls_their_sliders_and_the_figure_once(plane):
    Plane.computed.clear()
    plane.view.moved = dict(values=dict(x=0.75, y=10), count=1)
    assert Plane.computed == [(0.75, 10)]
    assert (plane.x, plane.controls["x"].value, plane.controls["y"].value) == (0.75, 0.75, 10)
    assert plane.view.sentence == "The point is at 0.75, 10 now."
    assert plane.view.figure["layout"]["meta"]["handles"][0]["y"] == 10


def test_a_drag_to_a_value_that_is_none_is_told_on_the_page(plane):
    plane.view.moved = dict(values=dict(x=7), count=1)
    assert "x = 7 is not allowed" in plane.view.error
    assert plane.x == 0.5


def test_the_page_knows_what_each_control_can_be_and_how_it_reads(plane):
    told = plane.view.controls
    assert told["x"]["model"] == plane.controls["x"].model_id
    assert told["x"]["values"] == [0, 0.25, 0.5, 0.75, 1]
    assert told["x"]["said"] == ["0.00", "0.25", "0.50", "0.75", "1.00"]
    assert told["y"]["said"] == ["0.1", "1", "10"]
    assert told["word"]["values"] == []


def test_the_figure_to_keep_is_plotlys_own(plane):
    figure = plane.figure
    assert isinstance(figure, go.Figure)
    assert figure.data[0].x == (0.5,)
    with pytest.raises(ValueError, match="nothing"):
        figure.update_layout(nothing=1)


def test_an_equation_is_text_in_order(plane):
    parts = plane.explain((1.0, 2.0))
    assert spoken(parts) == "0.500 = (1) / (2)"
    assert encode_parts(parts)[2] == {"top": [vars(Term("1", "x"))], "bottom": [vars(Term("2", "y"))]}
    assert plane.view.formula == encode_parts(plane.explain((0.5, 1.0)))

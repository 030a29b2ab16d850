"""What is sent to the drawing module is what plotly would be sent, and JSON can carry it."""

import json
import re
from base64 import b64decode
from pathlib import Path

import numpy as np
import pytest

from tests.plotly_figure import plotly_figure
from workbook import draw, explorers
from workbook.draw import as_text, drawable

NAMES = [name for name in explorers.__all__ if name.endswith("Explorer")]


def readable(value):
    """Arrays as lists, whether they came as a list, as bytes or as base64; no number is None."""
    if isinstance(value, dict) and "bdata" in value:
        data = value["bdata"] if isinstance(value["bdata"], bytes) else b64decode(value["bdata"])
        flat = np.frombuffer(data, value["dtype"])
        shape = [int(n) for n in value.get("shape", str(flat.size)).split(",")]
        return readable(flat.reshape(shape))
    if isinstance(value, np.ndarray | np.generic):
        return readable(value.tolist())
    if isinstance(value, dict):
        return {name: readable(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [readable(item) for item in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value


def symbols_drawn():
    """The markers that the drawing module knows; plotly draws a figure with any other."""
    source = (Path(draw.__file__).parent / "markers.js").read_text(encoding="utf-8")
    shapes = source[source.index("const SHAPES = {") : source.index("\n};")]
    return set(re.findall(r'^  "?([a-z-]+)"?: ', shapes, re.M))


@pytest.mark.parametrize("name", NAMES)
def test_every_marker_is_one_that_the_drawing_module_knows(name):
    kind = getattr(explorers, name)
    for preset in (None, *kind.presets):
        explorer = kind().preset(preset) if preset else kind()
        for trace in explorer.draw(explorer.compute(**explorer.state))["data"]:
            used = np.ravel(trace.get("marker", {}).get("symbol", "circle"))
            assert {symbol.removesuffix("-open") for symbol in used} <= symbols_drawn(), trace.get("name")


@pytest.mark.parametrize("name", NAMES)
def test_it_is_what_plotly_would_be_sent(name):
    kind = getattr(explorers, name)
    for preset in (None, *kind.presets):
        explorer = kind().preset(preset) if preset else kind()
        figure = explorer.draw(explorer.compute(**explorer.state))
        ours, theirs = drawable(figure), readable(plotly_figure(figure).to_plotly_json())
        json.dumps(as_text(ours), allow_nan=False)
        ours = readable(ours)
        assert ours["layout"] == theirs["layout"]
        assert len(ours["data"]) == len(theirs["data"])
        for mine, other in zip(ours["data"], theirs["data"], strict=True):
            assert mine["type"] == "contour" or mine == other


def test_every_kind_of_array_arrives():
    values = dict(
        whole=np.array([1, -300]), large=np.array([2**40, 1]), single=np.float32([0.5]), half=np.float16([0.5]),
        other_end=np.array([1.5, np.nan], dtype=">f8"), words=np.array(["a", "b"]), truth=np.array([True, False]),
        empty=np.array([]), matrix=np.arange(6).reshape(2, 3), mixed=np.array([1, "a", np.nan], dtype=object),
        one=np.int64(3), none=float("inf"), byte=np.array([-128, 127]), more=np.array([-128, 128]),
        less=np.array([-129, 127]),
    )  # fmt: skip
    sent = drawable(dict(data=[dict(type="scatter", customdata=[1], meta=values)], layout={}))
    assert readable(sent)["data"][0]["meta"] == readable(values)
    kinds = {name: value["dtype"] for name, value in sent["data"][0]["meta"].items() if isinstance(value, dict)}
    smallest = {"byte": "i1", "matrix": "i1", **dict.fromkeys(("more", "less", "whole"), "i2"), "single": "f4"}
    assert kinds == smallest | dict.fromkeys(("large", "half", "other_end"), "f8")
    assert [name for name in kinds if "shape" in sent["data"][0]["meta"][name]] == ["matrix"]
    json.dumps(as_text(sent), allow_nan=False)


def test_a_figure_is_left_as_it_was():
    figure = dict(data=[dict(type="scatter", y=np.arange(3.0))], layout=dict(title={}))
    drawable(figure)["layout"]["title"]["text"] = "changed"
    assert figure["layout"] == dict(title={})

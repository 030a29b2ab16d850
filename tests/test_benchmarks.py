"""The benchmark's matplotlib peer draws the same figure: a peer that fails, or draws less, would flatter us."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.collections import PathCollection

from benchmarks.peer import draw
from workbook import explorers

CASES = [(getattr(explorers, name), preset) for name in explorers.__all__ if name.endswith("Explorer")
         for preset in (None, *getattr(explorers, name).presets)]  # fmt: skip


@pytest.mark.parametrize(("kind", "preset"), CASES)
def test_the_peer_draws_as_many_panels_and_marks(kind, preset):
    explorer = kind().preset(preset) if preset else kind()
    described = explorer.draw(explorer.compute(**explorer.state))
    plt.close("all")
    figure = draw(described)
    try:
        figure.canvas.draw()
        layout, traces = described._layout, described._data
        assert len(figure.axes) == sum(name.startswith("xaxis") for name in layout)
        lines = sum("lines" in trace.get("mode", "lines+markers") for trace in traces if trace["type"] == "scatter")
        lines += sum(shape["type"] == "line" for shape in layout.get("shapes", ()))
        caps = sum(len(bars.lines[1]) for axis in figure.axes for bars in axis.containers if hasattr(bars, "has_xerr"))
        assert sum(len(axis.lines) for axis in figure.axes) == lines + caps
        bars = sum(len(trace["x"]) for trace in traces if trace["type"] == "bar")
        rects = sum(shape["type"] == "rect" for shape in layout.get("shapes", ()))
        assert sum(len(axis.patches) for axis in figure.axes) >= bars + rects
        points = sum(np.size(trace["x"]) for trace in traces
                     if trace["type"] == "scatter" and "markers" in trace.get("mode", "lines+markers"))  # fmt: skip
        scattered = [c for axis in figure.axes for c in axis.collections if isinstance(c, PathCollection)]
        drawn = sum(len(each.get_offsets()) for each in scattered)
        assert drawn == points
        assert sum(len(axis.images) for axis in figure.axes) == sum(trace["type"] == "heatmap" for trace in traces)
        assert sum(len(axis.texts) for axis in figure.axes) >= len(layout.get("annotations", ()))
        limits = [sorted(axis.get_xlim()) for axis in figure.axes]
        wanted = [sorted(np.power(10.0, axis["range"]) if axis.get("type") == "log" else axis["range"])
                  for name, axis in layout.items() if name.startswith("xaxis")]  # fmt: skip
        np.testing.assert_allclose(limits, wanted)
    finally:
        plt.close(figure)

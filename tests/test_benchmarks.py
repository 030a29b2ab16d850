"""The bench: its matplotlib peer draws as much as we do, and docs/speed.md is what was saved."""

import importlib
import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.collections import PathCollection

from benchmarks import Row, saved
from benchmarks.peer import draw
from workbook import explorers

PAGE = saved.PAGE.read_text("utf-8")
# As it starts in every run, its presets with --slow.
CASES = [pytest.param(getattr(explorers, name), preset, marks=[pytest.mark.slow] if preset else [])
         for name in explorers.__all__ if name.endswith("Explorer")
         for preset in (None, *getattr(explorers, name).presets)]  # fmt: skip


@pytest.mark.parametrize("name", sorted(path.stem for path in Path(saved.__file__).parent.glob("[a-z]*.py")))
def test_each_file_of_the_bench_can_be_loaded(name):
    assert importlib.import_module(f"benchmarks.{name}").__doc__


@pytest.mark.parametrize(("kind", "preset"), CASES)
def test_the_peer_draws_as_many_panels_and_marks(kind, preset):
    explorer = kind().preset(preset) if preset else kind()
    described = explorer.draw(explorer.compute(**explorer.state))
    plt.close("all")
    figure = draw(described)
    try:
        figure.canvas.draw()
        layout, traces = described["layout"], described["data"]
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


# --- the tables of docs/speed.md -------------------------------------------------------------------------------------


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


@pytest.fixture
def table_lines():
    """The lines of the page's first table, by their first cell."""
    (between,) = re.findall(r"<!-- bench -->\n(.*)<!-- end of bench -->", PAGE, re.DOTALL)
    table = between.strip().split("\n\n")[0].splitlines()
    return {cells(line)[0]: cells(line)[1:] for line in table[2:]}


NAMES = [name.removesuffix("Explorer") for name in explorers.__all__ if name.endswith("Explorer")]
RATIOS = {2: (0, 1), 5: (3, 4)}  # column -> those of ours and of the peer


def test_every_explorer_has_its_line_or_is_named_as_not_measured_yet(table_lines):
    measured = [name for name in table_lines if not name.startswith("**")]
    named = re.findall(r"Not measured yet: (.+?)\.\n", PAGE, re.DOTALL)
    missing = re.findall(r"\w+", " ".join(named))
    assert [name for name in NAMES if name not in missing] == measured
    assert sorted(measured + missing) == sorted(NAMES)


def test_ratios_are_those_of_the_numbers_beside_them(table_lines):
    for name in (name for name in table_lines if not name.startswith("**")):
        for ratio, (ours, peer) in RATIOS.items():
            expected = float(table_lines[name][ours]) / float(table_lines[name][peer])
            assert float(table_lines[name][ratio]) == pytest.approx(expected, abs=0.00501)


@pytest.mark.parametrize(("end", "of"), [("worst", np.max), ("median", np.median)])
def test_what_all_come_to_follows(table_lines, end, of):
    for column in RATIOS:
        each = [float(cells[column]) for name, cells in table_lines.items() if not name.startswith("**")]
        assert float(table_lines[f"**{end}**"][column]) == pytest.approx(of(each), abs=0.0051)


def test_the_page_is_made_from_the_saved_result():
    assert saved.fill_page(PAGE, saved.load()) == PAGE, "python3 run.py bench --save writes both"


def test_what_was_not_measured_this_time_keeps_its_numbers():
    before = saved.load()
    rows = [
        Row("key press to redraw, CopiesExplorer | matplotlib interact, 60 presses", "7 ms (p90 9)", "70 ms (p90 80)"),
        Row("drawing, CopiesExplorer | Plotly.react, 24 frames", "1 ms", "20 ms"),
        Row("Run All of a page", "9 ms", "10 ms", 0.9, "<= 1.3", True),
    ]
    after = saved.merge(before, rows, "about")
    assert after["explorers"].pop("Copies") == [7, 70, 1, 20]
    assert "| Copies | 7 | 70 | 0.1 | 1 | 20 | 0.05 |" in saved.make_tables(saved.merge(before, rows, ""))
    whole = [page for page in after["pages"] if page[0].startswith("Run All")]
    assert whole == [["Run All of a page", "9 ms", "10 ms", "0.90", "<= 1.3", "yes"]]
    assert all(before["explorers"][name] == numbers for name, numbers in after["explorers"].items())
    assert [page for page in after["pages"] if page not in whole] == [
        page for page in before["pages"] if not page[0].startswith("Run All")]

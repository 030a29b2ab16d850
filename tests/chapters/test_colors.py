"""One thing has one colour through the book: in every explorer, in every preset, and in print."""

import re

import numpy as np
import pytest

from nbcore.one_hot import dirichlet_experiment, f_bounds
from tests.plotly_figure import figure_of
from workbook import explorers
from workbook.chapters.c11_reproduction_ledger.ledger import LOOKS
from workbook.explorer import palette
from workbook.figures import williams_2024
from workbook.questions.drawn import Drawn

KINDS = [getattr(explorers, name) for name in explorers.__all__ if name.endswith("Explorer")]
# What is named in a figure, or named as a mark of it, and its colour.
THINGS = {
    r"naive Bayes(, EM|, labels alone)?|NB|product of sums": palette.NAIVE_BAYES,
    r"(the )?truth|with correlation|other model|all (labels|[\d,]+ labels)": palette.TRUTH,
    r"held out|best|(how often )?right": palette.TRUTH,
    r"categor(ical|ies|y)|cat\.|slope 1|θⱼ itself": palette.CATEGORICAL,
    r"PoB|bits.*|BernoulliNB|slope 2|bounds|certain|(upper|lower)( \w)?": palette.BITS,
    r"Q|(mean|least|largest) Q|others even|one other has all": palette.Q_FACTOR,
    r"posterior mean": palette.ESTIMATE,
    r"imaginary token.*|1 / K": palette.IMAGINARY,
    r"real token.*|n / N": palette.REAL,
    r"eq \(20\)|k|with temperature|sure": palette.ATTENUATED,
    r"eq \((8|19)\)": palette.EQ_19,
    r"eq \(15\).*": palette.EQ_15,
    r"sum of products|all digits|here|this one|start solves it|accuracy|objective": palette.HIDDEN,
    r"at random shares|the boundary": palette.HIDDEN,
    r"at data points|(its )?asymptotes?": palette.GUIDE,
    r"two lines through the origin": palette.PRINTED,
    r"log likelihood|reached": palette.HIDDEN,
    r"its lower bound|(the bound’s )?top": palette.BOUND,
    r"logistic": palette.LOGISTIC,
    r"training|(\d+ )?labels alone|diagonal|before( any test)?|if n K draws": palette.BEFORE,
    r"n draws|paper.*": palette.OURS,
    r"same class|holds it|random pairs|a drawn set": palette.CASES,
    r"other class|changes|misses it|wrong(, of these \d+)?|not right|start fails": palette.WRONG,
    r"if calibrated": palette.PALE,
    r"computed|real images|KL|printed": palette.BLACK,
    r"yours": palette.YOURS,
    r"example|untestable": palette.GREY,
}
# One of several alike: classes and the evidence for one, groups, nodes, verdicts, one curve for each length.
ALIKE = (
    r"A|B|No|Yes|(fe)?male(, \w+)?|(not )?China|class [01]|inside|outside|[cd] wins|(ill|well), \w+|precision|recall|"
    r"Adelie|Chinstrap|Gentoo|"
    r"(positive|negative)( test.*)?|"  # evidence for ill, for well
    r"(first|second) kind|"  # of items: 05
    r"nodes?( \d|, (in|out)side)|(c|h₁|h₂) [hf][₁₂]|"
    rf"{'|'.join(name for color, _, name in LOOKS.values() if color != palette.GREY)}|printed number (in|out)side|"
    r"smoothing [01.5]+|kept|lower|counted|once|dropped|smoothed|"
    r"(START and )?END, up to \d|no mark, all lengths|your points"
)
SLIDERS = r"claim|alpha|k|theta|threshold|rank|above|right"  # lines at the state of a slider


def color_of(trace):
    """The colour of a trace: of its line, else of its marks, else of their rims; one each of a row of bars."""
    marker = trace.marker.to_plotly_json() if "marker" in trace else {}
    rim = marker.get("line", {}).get("color")
    if trace.type in ("scatter", "contour") and "lines" in (trace.mode if trace.type == "scatter" else "lines"):
        return trace.line.color
    filled = marker.get("color")
    return rim if filled is None or (isinstance(filled, str) and filled in ("white", "rgba(0,0,0,0)")) else filled


def figures(kind):
    """Every figure of an explorer: as it starts, and in every preset."""
    for preset in (None, *kind.presets):
        explorer = kind().preset(preset) if preset else kind()
        yield preset, figure_of(explorer, explorer.compute(**explorer.state))


def rows_of(figure):
    """(name, colour) of bars that have a name and a colour each."""
    for trace in figure.data:
        if trace.ids is not None and not isinstance(color_of(trace), str) and color_of(trace) is not None:
            yield from zip(trace.ids, color_of(trace), strict=True)


def named(figure):
    """(name, colour) of traces and shapes that have a name."""
    for trace in figure.data:
        color = color_of(trace)
        for name in {trace.name, (trace.meta or {}).get("mark")} - {None}:
            yield name, color
    for shape in figure.layout.shapes:
        if shape.name and not re.fullmatch(SLIDERS, shape.name):
            yield shape.name, shape.line.color


def wanted(name):
    return [color for pattern, color in THINGS.items() if re.fullmatch(pattern, name)]


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def kind(request):
    return request.param


def test_what_has_a_colour_of_its_own_has_it_here(kind):
    for preset, figure in figures(kind):
        for name, color in [*named(figure), *rows_of(figure)]:
            assert wanted(name) in ([], [color]), (preset, name, color)


def test_blue_and_vermillion_are_classes_or_the_like(kind):
    """A name that is new: give it its colour in THINGS, or a place among what is ALIKE."""
    for preset, figure in figures(kind):
        for name, color in named(figure):
            if re.fullmatch(ALIKE, name):
                seen = [color] if isinstance(color, str) else color
                assert set(seen) <= {*palette.CLASS_COLORS, palette.PALE}, (preset, name, color)
            else:
                assert color not in (palette.BLUE, palette.VERMILLION), (preset, name, "is no class")


def test_a_bar_in_the_colour_of_a_class_has_its_hatch(kind):
    """Which of two classes it speaks for is seen without colours as well."""
    for preset, figure in figures(kind):
        for trace in (trace for trace in figure.data if trace.type == "bar"):
            colors, hatches = trace.marker.color, trace.marker.pattern.shape
            each = [hatches] * len(colors) if hatches is None else hatches
            for color, hatch in [(colors, hatches)] if isinstance(colors, str) else zip(colors, each, strict=True):
                if color in (palette.BLUE, palette.VERMILLION):
                    assert hatch == palette.CLASS_PATTERNS[palette.CLASS_COLORS.index(color)], (preset, trace.name)


def look_of(trace):
    """What tells a trace from another one in the legend."""
    line, marker = (trace[part].to_plotly_json() if part in trace else {} for part in ("line", "marker"))
    mode = trace.mode if trace.type == "scatter" else ""
    hatch = marker.get("pattern", {}).get("shape")
    signs = [line.get("dash", "solid")] if "lines" in (mode or "lines+markers") else []
    signs += [marker.get("symbol", "circle")] if "markers" in (mode or "lines+markers") else []
    rim = marker.get("line", {}).get("color")
    fill = trace.fill if trace.type == "scatter" else None
    return str((trace.type, mode, color_of(trace), hatch, signs, rim, marker.get("color"), fill))


def test_no_two_names_of_a_legend_look_alike(kind):
    for preset, figure in figures(kind):
        names = {trace.name: look_of(trace) for trace in figure.data if trace.name and trace.showlegend is not False}
        assert len(set(names.values())) == len(names), (preset, names)


def test_a_line_at_the_state_of_a_slider_is_black(kind):
    """Where the place is the value itself; a computed line may have a place, too, and has its own colour."""
    for preset, figure in figures(kind):
        for handle in figure.layout.meta["handles"]:
            if handle["shape"] != "line" or ("places" in handle and handle["places"] is not None):
                continue
            here = [s for s in figure.layout.shapes if s.x0 == s.x1 == handle["x"] and s.xref == f"x{handle['panel']}"]
            assert all(shape.line.color == palette.NOW for shape in here), (preset, handle["controls"])


def test_what_is_yellow_is_held_by_the_reader(kind):
    for preset, figure in figures(kind):
        grips = {(f"x{handle['panel']}", handle["x"]) for handle in figure.layout.meta["handles"]}
        for trace in (trace for trace in figure.data if color_of(trace) == palette.HELD):
            assert trace.marker.line.color == palette.BLACK, preset
            assert {(trace.xaxis, float(x)) for x in trace.x} & grips, preset


def test_a_line_to_compare_with_is_grey(kind):
    """A sloped line drawn as a shape: where both axes would say the same."""
    for preset, figure in figures(kind):
        for shape in figure.layout.shapes:
            if shape.type == "line" and shape.x0 != shape.x1 and shape.y0 != shape.y1:
                assert shape.line.color == palette.GUIDE, (preset, shape)


def test_the_papers_figures_redrawn_have_the_same_colours():
    theta = np.linspace(0, 1, 5)
    figure = williams_2024.bounds_on_f(theta, *f_bounds(theta, 6), 6)
    assert {line.get_color() for line in figure.axes[0].lines} == {palette.BITS}
    figure = williams_2024.log_ratio_scatter([-1.0, 0.0, 1.0], [-2.0, 0.0, 2.0])
    colors = {line.get_label(): line.get_color() for line in figure.axes[0].lines}
    assert colors == {"Pair of classes": palette.CASES, "Slope 1": palette.CATEGORICAL, "Slope 2": palette.BITS}
    figure = williams_2024.map_scatter(dirichlet_experiment(100, 4, 3, 1.0, rng=0))
    colors = {line.get_label(): line.get_color() for line in figure.axes[0].lines}
    assert (colors["Same class"], colors["Different class"]) == (palette.CASES, palette.WRONG)


def test_what_the_reader_draws_has_a_colour_of_its_own():
    sketch = Drawn({"a": lambda: 0.2, "b": lambda: 0.8}, y="share", given=1).sketch()
    for revealed in (False, True):
        figure = figure_of(sketch, sketch.compute(revealed=revealed, height_0=0.5))
        for trace in figure.data:
            assert wanted(trace.name) in ([], [color_of(trace)]), trace.name
        assert color_of(figure.data[0]) == palette.BEFORE
        assert palette.YOURS in map(color_of, figure.data)

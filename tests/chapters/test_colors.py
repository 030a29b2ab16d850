"""One thing has one colour through the book: in every explorer, in every preset, and in print."""

import re
from functools import cache

import pytest

from tests.plotly_figure import figure_of
from workbook import explorers
from workbook.chapters.c11_reproduction_ledger.ledger import LOOKS, SHORT
from workbook.explorer import palette

KINDS = [getattr(explorers, name) for name in explorers.__all__ if name.endswith("Explorer")]
# What is named in a figure, or named as a mark of it, and its colour.
THINGS = {
    r"naive Bayes(, EM|, labels alone)?|NB|product of sums": palette.NAIVE_BAYES,
    r"(the )?truth|told once|what is known|all (labels|[\d,]+ labels)": palette.TRUTH,
    r"held out|best|(how often )?right": palette.TRUTH,
    r"categor(ical|ies|y)|cat\.|counted once|slope 1|θ₄ itself": palette.CATEGORICAL,
    r"PoB|bits.*|all columns|BernoulliNB|slope 2|(upper|lower)( \w)?": palette.BITS,
    r"Q|the zeros|threshold|others even|one other has all": palette.Q_FACTOR,
    r"after the tosses": palette.ESTIMATE,
    r"imaginary|this side": palette.IMAGINARY,
    r"real|other sides": palette.REAL,
    r"with correlations|Bernoulli": palette.SKY,
    r"cut to 1": palette.ORANGE,
    r"root of everything|eq \(20\)|k|with temperature|sure": palette.ATTENUATED,
    r"root of the likelihood.*": palette.EQ_19,
    r"sum of products|all digits|here|this one|start solves it|accuracy|objective": palette.HIDDEN,
    r"at random shares|the boundary": palette.HIDDEN,
    r"at data points|(its )?asymptotes?": palette.GUIDE,
    r"two lines through the origin": palette.PRINTED,
    r"log likelihood|reached": palette.HIDDEN,
    r"its lower bound|(the bound’s )?top": palette.BOUND,
    r"logistic": palette.LOGISTIC,
    r"training|(\d+ )?labels alone|diagonal|before( any test| the tosses)?|if n K draws": palette.BEFORE,
    r"n draws|paper.*": palette.OURS,
    r"same class|holds it|random pairs|a drawn set": palette.CASES,
    r"other class|changes|misses the truth|wrong(, of these \d+)?|not right|start fails": palette.WRONG,
    r"if calibrated": palette.PALE,
    r"computed|real images|KL|printed": palette.BLACK,
    r"yours": palette.YOURS,
    r"example|untestable": palette.GREY,
}
# One of several alike: classes and the evidence for one, groups, nodes, verdicts, one curve for each length.
ALIKE = (
    r"A|B|No|Yes|(fe)?male(, \w+)?|(not )?China|class [01]|inside|outside|[cd] (wins|loses|gains)|(ill|well), \w+|"
    r"precision|recall|"
    r"(Adelie|Chinstrap)(, (fe)?male)?|(black|brown|red|blond) hair|"
    r"(positive|negative)( test.*)?|"  # evidence for ill, for well
    r"(first|second) kind|"  # of items: 05
    r"nodes?( \d|, (in|out)side)|(c|h₁|h₂) [hf][₁₂]|"
    rf"{'|'.join(SHORT.get(verdict, verdict) for verdict, look in LOOKS.items() if look.color != palette.GREY)}|"
    r"your points|\([15], [15]\)"
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


@cache
def figures(kind):
    """Draw every figure of an explorer: as it starts, and in every preset."""
    explorers_shown = {preset: kind().preset(preset) if preset else kind() for preset in (None, *kind.presets)}
    return [(preset, figure_of(one, one.compute(**one.state))) for preset, one in explorers_shown.items()]


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


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__, scope="module")
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
                    at = palette.CLASS_COLORS.index(color)
                    assert (hatch or "") == palette.CLASS_PATTERNS[at], (preset, trace.name)


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

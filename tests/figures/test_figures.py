"""The static figures draw the numbers they are given, all of them, in print size, inside the canvas, without colour."""

import re
from io import BytesIO

import matplotlib
import matplotlib.image
import matplotlib.legend
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from nbcore.calibration import ConfidenceTable, ReliabilityBins
from nbcore.one_hot import dirichlet_experiment, f_bounds, log_f_factor, q_factor
from workbook import figures
from workbook.chapters.c11_reproduction_ledger.redrawn import redrawn

RNG = np.random.default_rng(0)
NAN = np.nan

# ------------------------------------------------------------------------------------ one example of every figure


def some_bins(seed, empty=()):
    observed = np.random.default_rng(seed).random(10)
    observed[list(empty)] = NAN
    return ReliabilityBins(np.arange(11) / 10, observed, observed, np.isfinite(observed).astype(int))


DIAGRAMS = {f"Feature count={n}": some_bins(n) for n in (6, 12, 21, 24)} | {"NB (24 features)": some_bins(1, (0, 4, 9))}
TABLES = {
    f"Avg. acc. = {a}": ConfidenceTable(np.arange(5, 11) / 10, np.ones(5), np.array([0.5, a, NAN, 0.9, 1]))
    for a in (0.71, 0.81, 0.85)
}
FEATURES = np.array([6.0, 12, 21, 24])
LABELS = ("Naive Bayes", "Perplexed Bayes (k = 1.0)", "Perplexed Bayes (automatically computed k)")
SPREADS = {label: RNG.random(4) for label in LABELS}
THRESHOLDS = np.linspace(0, 1, 11)
BY_CLASS = {sex: (RNG.random(11), RNG.random(11)) for sex in ("Female", "Male")}
SIMPLEX = figures.simplex_grid(12)
Q = q_factor(np.column_stack([SIMPLEX, np.zeros(len(SIMPLEX))]))[:, 3]
THETA = np.linspace(0, 1, 21)
EXPERIMENT = dirichlet_experiment(100, 4, 3, 1.0, rng=0)
PAIRS = dirichlet_experiment(60, 2, 3, 1 / 3, rng=0)
LOG_F = log_f_factor(PAIRS.theta)
LOG_THETA_RATIO, LOG_F_RATIO = ((a[:, 0] - a[:, 1]).ravel() for a in (PAIRS.log_theta, LOG_F))
X, Y = np.array([[1.0, 1], [5, 5], [1, 5], [5, 1]]), np.array([0, 0, 1, 1])
ACROSS, UP = np.linspace(0, 6, 9), np.linspace(0, 5, 7)
REGION = (RNG.random((7, 9)) > 0.5).astype(int)
MAPS = {"Naive Bayes": (ACROSS, UP, REGION), "Nodes": (UP, ACROSS, REGION.T), "All of one": (ACROSS, UP, REGION * 0)}
CURVES = {f"{h} hidden nodes per class": (np.arange(1, 6) * 1000, RNG.random(5)) for h in range(1, 6)}
PANELS = {"A": CURVES, "B": {"Naive Bayes": ([1, 2], [0.5, 0.7])}}

DRAWN = {
    "reliability_diagram": lambda: figures.reliability_diagram(DIAGRAMS),
    "accuracy_by_confidence": lambda: figures.accuracy_by_confidence(TABLES),
    "spread_by_features": lambda: figures.spread_by_features(FEATURES, SPREADS),
    "precision_recall_curves": lambda: figures.precision_recall_curves(THRESHOLDS, BY_CLASS),
    "q_on_simplex": lambda: figures.q_on_simplex(SIMPLEX, Q),
    "bounds_on_f": lambda: figures.bounds_on_f(THETA, *f_bounds(THETA, 6), 6),
    "log_ratio_scatter": lambda: figures.log_ratio_scatter(LOG_THETA_RATIO, LOG_F_RATIO),
    "map_scatter": lambda: figures.map_scatter(EXPERIMENT),
    "labelled_points": lambda: figures.labelled_points(X, Y),
    "class_maps": lambda: figures.class_maps(MAPS, X, Y),
    "learning_curves": lambda: figures.learning_curves(PANELS, "Training reviews"),
}


SHOWN = DRAWN | {f"{paper} {figure}": draw for (paper, figure), draw in redrawn().items()}  # and with our numbers


@pytest.fixture(scope="module")
def drawn():
    """Every figure, drawn once."""
    return {name: draw() for name, draw in SHOWN.items()}


def lines_of(figure, panel=0):
    """label -> (x, y) of the lines of a panel that have a label."""
    lines = figure.axes[panel].lines
    return {line.get_label(): line.get_data() for line in lines if not line.get_label().startswith("_")}


def assert_lines(got, expected, besides=()):
    assert set(got) == set(expected) | set(besides)
    for label, (x, y) in expected.items():
        np.testing.assert_array_equal(got[label][0], x)
        np.testing.assert_array_equal(got[label][1], y)


# ------------------------------------------------------------------------------------------ the numbers that were given


def test_reliability_diagram_draws_its_bins(drawn):
    middles = (np.arange(10) / 10 + np.arange(1, 11) / 10) / 2
    expected = {label: (middles, bins.observed) for label, bins in DIAGRAMS.items()}
    got = lines_of(drawn["reliability_diagram"])
    assert_lines(got, expected, ["Ideal curve"])
    np.testing.assert_array_equal(got["Ideal curve"], [[0, 1], [0, 1]])


def test_accuracy_by_confidence_draws_its_tables(drawn):
    middles = (np.arange(5, 10) / 10 + np.arange(6, 11) / 10) / 2
    expected = {label: (middles, table.accuracy) for label, table in TABLES.items()}
    assert_lines(lines_of(drawn["accuracy_by_confidence"]), expected)


def test_spread_by_features_draws_its_spreads(drawn):
    assert_lines(lines_of(drawn["spread_by_features"]), {label: (FEATURES, y) for label, y in SPREADS.items()})


def test_precision_recall_curves_draw_both_of_each_class(drawn):
    expected = {}
    for sex, (precision, recall) in BY_CLASS.items():
        expected |= {f"Precision {sex}": (THRESHOLDS, precision), f"Recall {sex}": (THRESHOLDS, recall)}
    assert_lines(lines_of(drawn["precision_recall_curves"]), expected)


def test_q_on_simplex_shades_by_q_at_the_right_places(drawn):
    ax = drawn["q_on_simplex"].axes[0]
    shades = ax.collections[0]
    np.testing.assert_array_equal(shades.get_array(), Q)
    mesh = shades._triangulation
    corners = {text.get_text(): text.xy for text in ax.texts if "theta" in text.get_text()}
    for k in range(3):
        at_corner = np.flatnonzero(SIMPLEX[:, k] == 1)[0]
        assert (mesh.x[at_corner], mesh.y[at_corner]) == pytest.approx(corners[rf"$\theta_{k + 1} = 1$"])
    centre = np.flatnonzero((SIMPLEX == 1 / 3).all(axis=1))[0]
    assert (mesh.x[centre], mesh.y[centre]) == pytest.approx(np.mean(list(corners.values()), axis=0))


def test_a_constant_has_no_contours():
    shades, *contours = figures.q_on_simplex(SIMPLEX, np.full(len(Q), 0.3)).axes[0].collections
    np.testing.assert_array_equal(shades.get_array(), 0.3)
    assert contours == []


def test_bounds_on_f_draws_both_bounds_and_the_band(drawn):
    lower, upper = f_bounds(THETA, 6)
    figure = drawn["bounds_on_f"]
    assert_lines(lines_of(figure), {"Upper bound": (THETA, upper), "Lower bound": (THETA, lower)})
    corners = {tuple(corner) for corner in figure.axes[0].collections[0].get_paths()[0].vertices}
    assert corners >= set(zip(THETA, lower, strict=True)) | set(zip(THETA, upper, strict=True))
    assert figure.axes[0].get_title() == "K = 6"


def test_log_ratio_scatter_draws_points_and_slopes(drawn):
    got = lines_of(drawn["log_ratio_scatter"])
    assert_lines(got, {"Pair of classes": (LOG_THETA_RATIO, LOG_F_RATIO)}, ["Slope 1", "Slope 2"])
    for slope in (1, 2):
        x, y = got[f"Slope {slope}"]
        np.testing.assert_allclose(y, slope * x)


def test_map_scatter_draws_every_maximum_once(drawn):
    x, y = EXPERIMENT.categorical.max(axis=1), EXPERIMENT.bernoullis.max(axis=1)
    differ = EXPERIMENT.disagrees
    expected = {"Same class": (x[~differ], y[~differ]), "Different class": (x[differ], y[differ])}
    assert_lines(lines_of(drawn["map_scatter"]), expected)
    assert sum(len(x) for x, _ in expected.values()) == 300


def test_labelled_points_draw_each_class(drawn):
    assert_lines(lines_of(drawn["labelled_points"]), {"Class 0": X[:2].T, "Class 1": X[2:].T})


def test_class_maps_draw_regions_and_points(drawn):
    panels = drawn["class_maps"].axes
    assert [ax.get_title() for ax in panels] == list(MAPS)
    for number, (ax, (across, up, region)) in enumerate(zip(panels, MAPS.values(), strict=True)):
        mesh, hatched = ax.collections
        np.testing.assert_array_equal(mesh.get_array(), region)
        x, y = mesh.get_coordinates()[..., 0], mesh.get_coordinates()[..., 1]  # of the edges of the cells
        np.testing.assert_allclose((x[0, :-1] + x[0, 1:]) / 2, across)
        np.testing.assert_allclose((y[:-1, 0] + y[1:, 0]) / 2, up)
        assert hatched.hatches == ["...."]
        assert_lines(lines_of(drawn["class_maps"], number), {"Class 0": X[:2].T, "Class 1": X[2:].T})
    assert not figures.class_maps({"S": (ACROSS, UP, REGION)}).axes[0].lines


def test_learning_curves_draw_every_panel(drawn):
    for number, curves in enumerate(PANELS.values()):
        assert_lines(lines_of(drawn["learning_curves"], number), curves)


def test_the_simplex_grid_is_complete_and_on_the_simplex():
    points = figures.simplex_grid(4)
    assert len({tuple(p) for p in points}) == len(points) == 15
    np.testing.assert_allclose(points.sum(axis=1), 1)
    assert set(np.unique(points)) == {0, 0.25, 0.5, 0.75, 1}


# ------------------------------------------------------------------------------------------------- how it looks


def texts_of(figure):
    """Every text that shows."""
    found = [t for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip()]
    hidden = {t for ax in figure.axes if not ax.axison for axis in (ax.xaxis, ax.yaxis) for t in axis.findobj(Text)}
    beyond = {  # ticks that matplotlib makes beyond the ends of an axis and does not draw
        tick.label1 for ax in figure.axes for axis in (ax.xaxis, ax.yaxis)
        for tick in set(axis.get_major_ticks()) - set(axis._update_ticks())
    }  # fmt: skip
    return [t for t in found if t not in hidden | beyond]


def boxes(figure, dpi):
    figure.set_dpi(dpi)
    figure.draw_without_rendering()
    return figure.bbox, [(t.get_text(), t.get_window_extent()) for t in texts_of(figure)]


@pytest.mark.parametrize("name", SHOWN)
def test_no_text_leaves_the_canvas(drawn, name):
    canvas, texts = boxes(drawn[name], 150)
    assert len(texts) >= 6
    for text, box in texts:
        inside = box.x0 >= -1 and box.y0 >= -1 and box.x1 <= canvas.x1 + 1 and box.y1 <= canvas.y1 + 1
        assert inside, (text, box)


@pytest.mark.parametrize("name", DRAWN)
def test_nothing_is_cut_at_the_edge_of_the_first_picture(name):
    """The layout has settled when the figure is handed over: the first picture is right."""
    pixels = matplotlib.image.imread(BytesIO(DRAWN[name]()._repr_png_()))
    for edge in (pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]):
        assert (edge == 1).all()


@pytest.mark.parametrize("name", SHOWN)
def test_legends_and_labels_lie_over_no_data_and_no_text(drawn, name):
    figure = drawn[name]
    _, texts = boxes(figure, 100)
    legends = [legend for owner in (figure, *figure.axes) for legend in owner.findobj(matplotlib.legend.Legend)]
    for legend in set(legends):
        box = legend.get_window_extent()
        for ax in figure.axes:
            assert not box.overlaps(ax.patch.get_window_extent())
    if name not in ("q_on_simplex", "Williams (2024) 1(a)"):  # numbers on its contours may cross
        for i, (text, box) in enumerate(texts):
            for other, another in texts[i + 1 :]:
                assert not box.shrunk(0.9, 0.8).overlaps(another.shrunk(0.9, 0.8)), (text, other)


@pytest.mark.parametrize("name", DRAWN)
def test_type_is_nine_points_at_the_width_of_a_column_or_a_page(drawn, name):
    figure = drawn[name]
    assert figure.get_figwidth() in (3.4, 0.85 * 7.0, 7.0)
    assert min(text.get_fontsize() for text in texts_of(figure)) >= 9


@pytest.mark.parametrize("name", DRAWN)
def test_axes_are_labelled(drawn, name):
    for ax in drawn[name].axes:
        if ax.axison:
            assert ax.get_ylabel(), ax
            assert ax.get_xlabel() or ax.get_label() == "<colorbar>", ax


@pytest.mark.parametrize("name", DRAWN)
def test_series_differ_without_colour(drawn, name):
    for ax in drawn[name].axes:
        lines = [line for line in ax.lines if not line.get_label().startswith("_")]
        signs = {
            (
                line.get_marker(),
                str(line._unscaled_dash_pattern),
                line.get_linestyle(),
                line.get_markerfacecolor() == "white",
            )
            for line in lines
        }
        assert len(signs) == len(lines)


@pytest.mark.parametrize("name", DRAWN)
def test_every_series_is_in_a_legend(drawn, name):
    figure = drawn[name]
    legends = [t.get_text().replace("\n", " ") for owner in (figure, *figure.axes)
               for legend in owner.findobj(matplotlib.legend.Legend) for t in legend.get_texts()]  # fmt: skip
    assert set(legends) >= {label for number in range(len(figure.axes)) for label in lines_of(figure, number)}


def test_no_global_figure_is_left_and_no_setting_touched():
    before = dict(matplotlib.rcParams)
    figure = DRAWN["labelled_points"]()
    assert isinstance(figure, Figure)
    assert plt.get_fignums() == []
    assert dict(matplotlib.rcParams) == before


def test_the_users_own_settings_do_not_show():
    plain = DRAWN["spread_by_features"]()._repr_png_()
    with plt.style.context("dark_background"), plt.rc_context({"font.size": 20, "lines.linewidth": 9}):
        styled = DRAWN["spread_by_features"]()
    assert styled._repr_png_() == plain


def test_it_prints(drawn, tmp_path):
    for name in DRAWN:
        drawn[name].savefig(tmp_path / f"{name}.pdf")


def test_long_labels_stay_inside():
    words = {
        f"A label of {n} so many words that no single line can hold it": (FEATURES, SPREADS[LABELS[0]]) for n in "ab"
    }
    for figure in (
        figures.learning_curves({"A": words}),
        figures.spread_by_features(FEATURES, {label: y for label, (_, y) in words.items()}),
    ):
        canvas, texts = boxes(figure, 100)
        assert all(box.x0 >= 0 and box.x1 <= canvas.x1 for _, box in texts)


@pytest.mark.parametrize(("n_maps", "shape"), [(1, (1, 1)), (2, (1, 2)), (3, (1, 3)), (4, (2, 2)), (5, (2, 3))])
def test_maps_stand_in_rows(n_maps, shape):
    figure = figures.class_maps({str(n): (ACROSS, UP, REGION) for n in range(n_maps)})
    assert len(figure.axes) == n_maps
    assert figure.axes[0].get_gridspec().get_geometry() == shape


# ---------------------------------------------------------------------------------------------- no figure is missing

NUMBERS = {
    "Williams (2024)": ["1(a)", "1(b)", "2(a)", "2(b)", "3"],
    "Carlos (2015)": ["1", "2", "3", "4", "5", "6"],
    "Carlos & Rakshit (2016)": ["1", "2", "3", "4"],
}


def test_every_figure_of_the_papers_is_drawn_by_a_function_that_says_so():
    assert list(redrawn()) == [(paper, number) for paper, numbers in NUMBERS.items() for number in numbers]
    words = " ".join(" ".join(getattr(figures, name).__doc__.split()) for name in DRAWN)
    for paper, numbers in NUMBERS.items():
        assert all(re.search(rf"{re.escape(paper)}.{{0,60}}figure {re.escape(n)}(?!\d)", words) for n in numbers), paper

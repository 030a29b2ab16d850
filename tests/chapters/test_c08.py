"""Chapter 08."""

import subprocess
import sys

import numpy as np
import pytest
from scipy.optimize import linprog

from nbcore.datasets import SHAPES, is_inside, load_xor, r8_counts
from nbcore.hierarchical import HierarchicalBayes
from nbcore.naive_bayes import GaussianNB, MultinomialNB
from workbook.chapters.c08_xor_nonlinearity import claims as claims_nonlinear
from workbook.chapters.c08_xor_nonlinearity.claims import (
    CLAIMS,
    further_run,
    product_of_sums_right,
)
from workbook.chapters.c08_xor_nonlinearity.digit_styles import fits
from workbook.chapters.c08_xor_nonlinearity.experiment import (
    TABLE_4,
    best_of_starts,
    boundary_angle,
    digits_split,
    equal_lengths,
    fit_digits,
    fit_shape,
    lines_right,
    points_right,
    r8_accuracies,
    shape_accuracies,
    shape_data,
    xor_starts,
)
from workbook.chapters.c08_xor_nonlinearity.regions import region_traces, square
from workbook.chapters.c08_xor_nonlinearity.shapes import AXIS, GRID, STARTS
from workbook.chapters.c08_xor_nonlinearity.xor import GAUSSIAN, HARD, PRODUCT
from workbook.explorers import DigitStylesExplorer, ShapesExplorer, XorExplorer

# --- Chapter 08's explorers show nbcore's numbers, by routes of their own.

XOR = load_xor()


def result(explorer, **state):
    return explorer.compute(**explorer.state | state)


# --- the four points ----------------------------------------------------------------------------------------------


def test_the_fixed_point_of_figure_2b():
    """By hand, without smoothing to speak of: the posterior that the soft fixed point gives."""
    r = result(XorExplorer(smoothing=0.001))
    assert r.posterior == pytest.approx([0.358350, 0.051531, 0.682220, 0.682220], abs=1e-3)
    assert r.right.all()


def test_the_best_of_many_starts_is_repeated_em():
    r = result(XorExplorer(H=3, smoothing=0.1, starts=30))
    model = HierarchicalBayes(3, alpha=0.1, n_restarts=30, validation_fraction=0, random_state=7)
    assert r.posterior == pytest.approx(model.fit(XOR.data, XOR.target).predict_proba(XOR.data)[:, 1], abs=2e-3)


def test_one_node_is_naive_bayes_which_ties():
    r = result(XorExplorer(H=1))
    nb = MultinomialNB().fit(XOR.data, XOR.target)
    assert np.abs(r.log_odds).max() < 1e-9
    assert r.posterior == pytest.approx(nb.predict_proba(XOR.data)[:, 1])
    assert not r.right.any()
    figure = XorExplorer().draw(r)
    assert figure.data[0].colorscale[0][1] == "#C4C4C4", "grey: nothing is decided"
    assert [len(trace.x) for trace in figure.data if trace.name == "not right"] == [4]


@pytest.mark.parametrize("seed", [0, 3, 11])
@pytest.mark.parametrize("leaf", ["multinomial", HARD, GAUSSIAN])
def test_product_of_sums_never_has_all_four(leaf, seed):
    for H in (2, 3, 5):
        assert result(XorExplorer(leaf=leaf, rule=PRODUCT, H=H, seed=seed)).right.sum() <= 3


def test_hard_em_solves_it_from_about_half_of_its_starts():
    solved = [result(XorExplorer(leaf=HARD, starts=30, seed=seed)).solved for seed in range(10)]
    assert np.mean(solved) == pytest.approx(0.5, abs=4 * np.sqrt(0.25 / 300))
    r = result(XorExplorer(leaf=HARD, starts=30))
    assert r.objective[r.solved].min() > r.objective[~r.solved].max()


def test_a_floor_beyond_eight_leaves_one_gaussian():
    """A node's variance along the diagonal of its class is 8: nodes at least as wide in each direction run together."""
    assert result(XorExplorer(leaf=GAUSSIAN, smoothing=3.16)).right.all()
    assert not result(XorExplorer(leaf=GAUSSIAN, smoothing=17.8)).right.any()


def test_the_map_decides_as_the_points():
    r = result(XorExplorer(leaf=GAUSSIAN))
    at = [(10, 10), (50, 50), (50, 10), (10, 50)]  # rows are y: (1,1), (5,5), (1,5), (5,1)
    assert [r.log_odds[place] > 0 for place in at] == [False, False, True, True]
    assert "4 of 4 points right" in XorExplorer().describe(r)


# --- shapes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", ["ring", "dots", "xor", "s"])
def test_naive_bayes_stands_beside_the_nodes(shape):
    r = result(ShapesExplorer(shape=shape, H=2))
    data = shape_data(shape, 0)
    nb = GaussianNB().fit(*data.train)
    assert r.naive.accuracy == nb.score(*data.test)
    decided = (r.naive.log_odds > 0).ravel()
    assert np.array_equal(decided, nb.predict(GRID) == 1)


def test_one_node_is_nearly_naive_bayes():
    r = result(ShapesExplorer(H=1))
    assert r.nodes.accuracy == pytest.approx(r.naive.accuracy, abs=0.005)
    assert len(r.ellipses) == 1


def test_ten_nodes_follow_the_ring_and_the_trap_loses():
    trapped, free = (result(ShapesExplorer(shape="dots", start=start)) for start in STARTS)
    assert free.nodes.accuracy > trapped.nodes.accuracy + 0.1 > free.naive.accuracy + 0.1
    agreement = np.mean((free.nodes.log_odds.ravel() > 0) == is_inside("dots", GRID))
    assert agreement == pytest.approx(free.nodes.accuracy, abs=0.04)


def test_the_crosses_are_the_wrong_points():
    explorer = ShapesExplorer()
    r = result(explorer)
    wrong = [trace for trace in explorer.draw(r).data if trace.name == "wrong"][-1]
    y = r.test[1]
    inside = is_inside("ring", np.column_stack([wrong.x, wrong.y]))
    columns = np.searchsorted(AXIS, wrong.x).clip(1) - 1, np.searchsorted(AXIS, wrong.y).clip(1) - 1
    assert len(wrong.x) == np.sum((r.nodes.decided != y)[:250])
    assert np.mean((r.nodes.log_odds[columns[1], columns[0]] > 0) != inside) > 0.7, "up to the grid's step"


def test_the_ellipses_are_one_standard_deviation_wide():
    r = result(ShapesExplorer(H=3))
    assert r.ellipses.shape == (3, 33, 2)
    assert r.weight.sum() == pytest.approx(1)
    assert (np.ptp(r.ellipses, axis=1) >= 2 - 1e-9).all(), "the floor is 1"


# --- digits -------------------------------------------------------------------------------------------------------


def test_the_curve_starts_at_naive_bayes():
    r = result(DigitStylesExplorer())
    X, T, y, t = digits_split(0)
    assert r.accuracy[0] == MultinomialNB().fit(X, y).score(T, t)
    assert r.accuracy[-1] > r.accuracy[0] + 0.04


@pytest.mark.parametrize(("digit", "H"), [(1, 1), (1, 3), (7, 5), (0, 8)])
def test_the_pictures_are_the_nodes(digit, H):
    r = result(DigitStylesExplorer(digit=digit, H=H))
    assert r.ink.shape == (H, 8, 8)
    assert r.ink.sum(axis=(1, 2)) == pytest.approx(np.ones(H))
    assert list(r.share) == sorted(r.share, reverse=True)
    assert r.share.sum() == pytest.approx(1)
    X, _, y, _ = digits_split(0)
    for example in r.example:
        assert (X[y == digit] == example.ravel()).all(axis=1).any(), "a training digit of this kind"
    model = fits(0).models[H - 1]
    assert r.recall == pytest.approx((model.predict(digits_split(0)[1])[digits_split(0)[3] == digit] == digit).mean())


def test_with_one_node_the_picture_is_the_mean():
    r = result(DigitStylesExplorer(digit=4, H=1))
    X, _, y, _ = digits_split(0)
    ink = X[y == 4].sum(axis=0) + 1
    assert r.ink[0].ravel() == pytest.approx(ink / ink.sum())


# --- maps ---------------------------------------------------------------------------------------------------------


def test_a_map_is_grey_where_nothing_is_decided():
    axis, points = square(0, 1, 3)
    assert points[1] == pytest.approx([0.5, 0])
    grey, won, line = region_traces(axis, np.array([[1.0, 0, -1]] * 3))
    assert np.isnan(won["z"][:, 1]).all()
    assert line["type"] == "contour"
    assert np.array_equal(won["z"][:, [0, 2]], [[1, 0]] * 3)
    (only,) = region_traces(axis, np.ones((3, 3)))
    assert (only["z"] == 1).all()
    (grey,) = region_traces(axis, np.zeros((3, 3)))
    assert grey["colorscale"][0][1] == "#C4C4C4"


# --- Carlos & Rakshit (2016), sections 3.3 to 4: fast entries are measured, slow ones by their logic at a small size.

def entry(words):
    """The one entry whose statement has these words."""
    (claim,) = [claim for claim in CLAIMS if words in f" {claim.statement}"]
    return claim


# --- four points --------------------------------------------------------------------------------------------------


def test_no_line_has_all_four_by_linear_programming():
    """All four right: sign (w.x + b) >= 1 has a solution; three right: leaving one out has one."""

    def separable(keep):
        sign = np.where(XOR.target[keep] == 1, 1, -1)[:, None]
        rows = -sign * np.column_stack([XOR.data[keep], np.ones(len(keep))])
        return linprog(np.zeros(3), rows, -np.ones(len(keep)), bounds=(None, None)).success

    assert not separable([0, 1, 2, 3])
    assert all(separable([i for i in range(4) if i != left]) for left in range(4))
    assert lines_right(through_origin=False) == entry("No straight line").measure().value == 3
    assert lines_right() == 3


def test_naive_bayes_ties_and_figure_2a_cannot_be():
    claim = entry("misclassifies one of them")
    assert claim.measure().value == 0
    assert claim.verdict == "cannot be"


def test_product_of_sums_never_has_four():
    assert product_of_sums_right(n_starts=5) <= 3
    assert entry("product of sums gives a linear").ours is not None


def test_the_boundary_is_curved_and_its_limit_is_that_of_the_formula():
    claim = entry("two straight lines through the origin")
    angles = claim.measure().value
    assert claim.verdict == "differs"
    assert np.all(np.diff(angles) > 0)
    assert angles[0] < angles[2] / 2
    a, b = 0.16776573, 0.83223427
    slope = np.log(1 / (4 * a * b)) / np.log(b / a)
    assert angles[-1] == pytest.approx(45 - np.degrees(np.arctan(slope)), abs=0.01)


def test_the_gaussian_boundary_is_a_cross():
    assert entry("two quadratic curves").measure().value == 1
    assert entry("two quadratic curves").verdict == "differs"


@pytest.mark.parametrize(("leaf", "smoothing"), [("multinomial", 1.0), ("multinomial", 0.0), ("gaussian", 1.0)])
def test_the_best_of_starts_is_that_of_repeated_em_in_one_fit(leaf, smoothing):
    ours = best_of_starts(xor_starts(3, leaf, smoothing, n_starts=5))
    name = "var_floor" if leaf == "gaussian" else "alpha"
    theirs = HierarchicalBayes(3, leaf=leaf, n_restarts=30, validation_fraction=0, random_state=1, **{name: smoothing})
    theirs.fit(XOR.data, XOR.target)
    np.testing.assert_allclose(ours.predict_proba(XOR.data), theirs.predict_proba(XOR.data), atol=2e-4)


def test_each_class_keeps_the_start_with_the_best_objective():
    models = xor_starts(2, smoothing=0.0, n_starts=12, em="hard")
    ends = [model.log_likelihood_path_[1][-1] for model in models]
    assert max(ends) - min(ends) > 1, "some starts are traps"
    best = best_of_starts(models)
    at = int(np.argmax(ends))
    np.testing.assert_array_equal(best.feature_log_prob_[1], models[at].feature_log_prob_[1])
    assert points_right(best).all()
    assert not points_right(models[int(np.argmin(ends))]).all()


def test_a_tie_is_not_right():
    assert not points_right(best_of_starts(xor_starts(1))).any()


def test_starts_report_their_progress():
    done = []
    xor_starts(n_starts=4, progress=done.append)
    assert done == [0.25, 0.5, 0.75, 1.0]


def test_on_the_boundary_the_classes_are_equal():
    model = best_of_starts(xor_starts())
    low = np.radians(boundary_angle(model, 7.0))
    for angle in (low, np.pi / 2 - low):
        at = 7 * np.array([[np.cos(angle), np.sin(angle)]])
        assert model.predict_proba(at)[0, 1] == pytest.approx(0.5, abs=1e-4)


# --- shapes and digits --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_come_in_the_papers_sizes_and_are_not_shared(shape):
    parts = shape_data(shape, 3)
    assert [len(y) for _, y in parts] == [1000, 250, 1000]
    assert not set(map(tuple, parts.train[0])) & set(map(tuple, parts.test[0]))


def test_the_start_is_the_best_on_the_validation_points():
    """Fewer starts are the first ones of more."""
    data = shape_data("ring", 1)
    scores = [fit_shape("ring", 4, seed=1, n_starts=n, max_iter=15).score(*data.validation) for n in (1, 2, 4)]
    assert scores == sorted(scores)
    done = []
    fit_shape("ring", 2, n_starts=2, max_iter=3, progress=done.append)
    assert done == [0.5, 1.0]


def test_nodes_beat_naive_bayes_and_a_bad_start_is_a_trap():
    small = shape_accuracies("dots", seeds=2, n_starts=2)
    trap = shape_accuracies("dots", seeds=2, n_starts=2, start="responsibilities")
    assert small.shape == (2, 2)
    np.testing.assert_array_equal(small[:, 0], trap[:, 0])
    assert small[:, 1].min() > small[:, 0].max() + 0.2
    assert trap[:, 1].max() < small[:, 1].min() - 0.05


def test_table_4_at_a_small_size(monkeypatch):
    rows = {shape: shape_accuracies(shape, seeds=3, n_starts=2) for shape in TABLE_4}
    monkeypatch.setattr(claims_nonlinear, "shape_accuracies", rows.get)
    for shape in TABLE_4:
        nodes = entry(f" {shape}: accuracy with ten hidden nodes").measure()
        assert nodes.value == pytest.approx(rows[shape][:, 1].mean())
        assert nodes.low < nodes.value < nodes.high
        naive = entry(f" {shape}: accuracy of Gaussian naive Bayes")
        assert naive.measure().value == pytest.approx(rows[shape][:, 0].mean())
        assert naive.verdict == "not stated well enough"
    gains = entry("far better than naive Bayes").measure()
    assert min(gains.low) > 0


def test_one_node_is_naive_bayes_and_more_nodes_err_less():
    _, X, _, y = digits_split(1)
    accuracy = [fit_digits(H, 1).score(X, y) for H in (1, 3, 8)]
    assert 0.87 < accuracy[0] < accuracy[1] - 0.02 < accuracy[2] - 0.02 < 0.98


# --- R8 -----------------------------------------------------------------------------------------------------------


def test_equal_lengths_keep_shares_and_empty_rows():
    from scipy import sparse

    X = sparse.csr_array(np.array([[1.0, 3.0], [0.0, 0.0], [2.0, 0.0]]))
    np.testing.assert_allclose(equal_lengths(X, 2).toarray(), [[0.5, 1.5], [0, 0], [2, 0]])


def test_table_2_at_a_small_size(papers_data, monkeypatch):
    naive, nodes, scaled = r8_accuracies(1.0, seeds=2, n_restarts=2, max_iter=8)
    assert naive == pytest.approx(0.954, abs=0.001)
    assert nodes.shape == (2,)
    assert np.all(np.abs(nodes - naive) < 0.02)
    assert scaled < naive - 0.01
    monkeypatch.setattr(claims_nonlinear, "r8_accuracies", lambda alpha: (naive, nodes, scaled))
    assert entry("R8: accuracy of naive Bayes").holds()
    assert entry("R8: the gain").measure().value == pytest.approx(nodes.mean() - naive)
    X, y, T, t = r8_counts()
    assert (X.shape[0], len(y), T.shape[0], len(t)) == (5485, 5485, 2189, 2189)


def test_what_was_not_measured_says_so():
    for words in ("R52", "20 Newsgroups"):
        assert entry(words).measure() is None
        assert "apart from this book" in entry(words).note


def test_the_interval_of_a_further_run_ends_at_1():
    m = further_run([0.7, 0.72, 0.74])
    assert m.value == pytest.approx(0.72)
    assert m.high - m.value == pytest.approx(4.3027 * 0.02 * np.sqrt(4 / 3), rel=1e-4)
    assert further_run([0.97, 0.99, 0.995]).high == 1.0


def test_importing_it_measures_nothing():
    code = (
        "from nbcore.hierarchical import HierarchicalBayes\n"
        "HierarchicalBayes.fit = None\n"
        "import workbook.chapters.c08_xor_nonlinearity.claims as c; print(len(c.CLAIMS))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(len(CLAIMS))]

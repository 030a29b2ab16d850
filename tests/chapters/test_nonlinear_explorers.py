"""Chapter 08's explorers show nbcore's numbers, by routes of their own."""

import numpy as np
import pytest

from nbcore.datasets import is_inside, load_xor
from nbcore.hierarchical import HierarchicalBayes
from nbcore.naive_bayes import GaussianNB, MultinomialNB
from workbook.chapters.c08_xor_nonlinearity.digit_styles import fits
from workbook.chapters.c08_xor_nonlinearity.experiment import digits_split, shape_data
from workbook.chapters.c08_xor_nonlinearity.regions import region_traces, square
from workbook.chapters.c08_xor_nonlinearity.shapes import AXIS, GRID, STARTS
from workbook.chapters.c08_xor_nonlinearity.xor import GAUSSIAN, HARD, PRODUCT
from workbook.explorers import DigitStylesExplorer, ShapesExplorer, XorExplorer

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

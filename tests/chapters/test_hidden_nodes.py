"""The explorers of chapter 07 show nbcore's numbers, by a route of their own."""

import numpy as np
import pytest

from nbcore.hierarchical import MultinomialLeaf, run_em, start_from_responsibilities
from workbook.chapters.c07_hidden_nodes.claims import naive_profile
from workbook.chapters.c07_hidden_nodes.em_steps import EQUAL, STEPS, WEIGHTS
from workbook.chapters.c07_hidden_nodes.experiment import ones
from workbook.explorers import EMExplorer, ThreeLayerExplorer


def result(explorer, **state):
    return explorer.compute(**explorer.state | state)


def trace(figure, name):
    (found,) = [t for t in figure.data if t.name == name]
    return found


# --- three layers -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("weight", "first", "second"), [(0.5, 0.9, 0.1), (0.95, 0.9, 0.1), (0.2, 0.3, 0.85)])
def test_both_rules_with_plain_loops(weight, first, second):
    figure = ThreeLayerExplorer().draw(result(ThreeLayerExplorer(), weight=weight, first=first, second=second))
    drawn = trace(figure, "sum of products").y, trace(figure, "product of sums").y
    for x in range(11):
        summed = weight * first**x * (1 - first) ** (10 - x) + (1 - weight) * second**x * (1 - second) ** (10 - x)
        f1 = weight * first + (1 - weight) * second
        assert np.exp(drawn[0][x]) == pytest.approx(summed)
        assert np.exp(drawn[1][x]) == pytest.approx(f1**x * (1 - f1) ** (10 - x))


def test_the_line_is_straight_and_the_curve_is_convex():
    r = result(ThreeLayerExplorer(), weight=0.3)
    assert np.diff(r.product_of_sums, 2) == pytest.approx(0, abs=1e-12)
    assert (np.diff(r.sum_of_products, 2) > 0).all()


def test_the_picture_writes_every_probability_beside_its_line():
    figure = ThreeLayerExplorer().draw(result(ThreeLayerExplorer(), weight=0.25, first=0.6, second=0.35))
    said = [note.text for note in figure.layout.annotations]
    assert all(said.count(p) == 1 for p in ("0.25", "0.75", "0.60", "0.40", "0.35", "0.65"))
    widths = {t.line.width for t in figure.data if t.mode == "lines" and t.line.dash in ("solid", "8px,4px")}
    assert len(widths) == 6


@pytest.mark.parametrize("preset", ["Equal nodes", "One node only"])
def test_nothing_to_mix(preset):
    explorer = ThreeLayerExplorer().preset(preset)
    r = result(explorer)
    assert r.sum_of_products == pytest.approx(r.product_of_sums)
    assert "the same line" in explorer.describe(r)


# --- EM -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("em", ["soft", "hard"])
@pytest.mark.parametrize("weights", WEIGHTS)
def test_the_path_and_the_nodes_are_those_of_run_em(em, weights):
    leaf, seed, t = MultinomialLeaf(0.3), 3, 12
    start = start_from_responsibilities(ones(), 3, leaf, np.random.default_rng(seed), em, **WEIGHTS[weights])
    run = run_em(ones(), start, leaf, em, STEPS, 0, **WEIGHTS[weights])
    part = run_em(ones(), start, leaf, em, t, 0, **WEIGHTS[weights])
    one_node = (ones() @ naive_profile(0.3)).sum() + leaf.log_penalty(naive_profile(0.3))
    explorer = EMExplorer(em=em, weights=weights, alpha=0.3, seed=seed, iteration=t)
    r = result(explorer)
    drawn = trace(explorer.draw(r), "this one").y
    assert drawn[: len(run.path)] == pytest.approx(run.path - one_node)
    assert r.weight == pytest.approx(np.exp(part.nodes.log_prob))
    assert r.profile == pytest.approx(np.exp(part.nodes.parameters[0]))


def test_the_cross_is_the_pooled_share_and_the_ring_the_weighted_mean_of_the_nodes():
    explorer = EMExplorer(iteration=30)
    r = result(explorer)
    figure = explorer.draw(r)
    share = ones().sum(axis=0) / ones().sum()
    cross, ring = trace(figure, "naive Bayes"), trace(figure, "product of sums")
    assert (cross.x[0], cross.y[0]) == pytest.approx((share[2], share[0]))
    assert (ring.x[0], ring.y[0]) == pytest.approx(tuple(r.weight @ r.profile[:, [2, 0]]))


@pytest.mark.parametrize("em", ["soft", "hard"])
@pytest.mark.parametrize("weights", list(WEIGHTS))
@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_the_theorem_holds_at_every_step_where_it_should_and_nowhere_else(em, weights, alpha):
    holds = weights == "tokens, smoothed" or (weights == "tokens" and alpha == 0)
    for iteration in (1, 4, 30):
        explorer = EMExplorer(em=em, weights=weights, alpha=alpha, seed=2, iteration=iteration)
        r = result(explorer)
        assert (r.difference < EQUAL) == holds
        assert ("to within 1e-13" in explorer.describe(r)) == holds


def test_true_em_never_falls():
    for em in ("soft", "hard"):
        for alpha in (0.0, 1.0):
            assert (np.diff(result(EMExplorer(em=em, alpha=alpha)).others, axis=1) > -1e-9).all()


def test_an_equal_start_gains_nothing_and_one_node_is_naive_bayes():
    assert result(EMExplorer(), seed=0).gain == pytest.approx(0, abs=1e-9)
    alone = result(EMExplorer(), H=1, seed=5)
    assert alone.gain == pytest.approx(0, abs=1e-9)
    assert alone.difference < EQUAL


def test_the_default_run_goes_as_the_page_tells():
    """Two groups by step 3, two nodes sharing one; they part around step 10; upright strokes get a node."""
    first, second, third = (result(EMExplorer(), iteration=t).profile for t in (3, 10, 30))
    assert abs(first[0] - first[2]).max() < 0.02
    assert abs(first[0] - first[1]).max() > 0.15
    assert 0.03 < abs(second[0] - second[2]).max() < 0.1
    assert third[1, 1] > 0.95
    assert third[2, 0] == third[:, 0].max()


def test_the_presets_show_what_their_names_say():
    explorer = EMExplorer().preset("Hard EM")
    r = result(explorer)
    assert 0 in r.weight
    assert "empty" in explorer.describe(r)
    large = [t for t in explorer.draw(r).to_plotly_json()["data"] if t.get("marker", {}).get("size", 0) > 12]
    assert len([t for t in large if "name" not in t]) == 2, "the empty node is not drawn"
    assert result(EMExplorer().preset("Tokens")).difference < EQUAL
    assert result(EMExplorer().preset("Documents")).difference > 0.005
    assert EQUAL < result(EMExplorer().preset("Tokens, alpha = 1")).difference < 0.005

"""Chapter 07."""

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.naive_bayes import MultinomialNB

from nbcore.hierarchical import MultinomialLeaf, Nodes, run_em, start_from_responsibilities
from workbook.chapters.c07_hidden_nodes.claims import CLAIMS
from workbook.chapters.c07_hidden_nodes.em_steps import EQUAL, STEPS, WEIGHTS, gain
from workbook.chapters.c07_hidden_nodes.experiment import (
    STRIPS,
    count_strips,
    difference,
    naive_profile,
    ones,
    random_difference,
)
from workbook.explorers import EMExplorer, ThreeLayerExplorer
from workbook.learning import predict
from workbook.page.formula import spoken

from .calculator import calculated

# --- The explorers of chapter 07 show nbcore's numbers, by a route of their own.


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
    widths = {t.line.width for t in figure.data if t.type == "scatter" and t.line.dash in ("solid", "8px,4px")}
    assert len(widths) == 6


@pytest.mark.parametrize("preset", ["Equal nodes", "One node only"])
def test_nothing_to_mix(preset):
    explorer = ThreeLayerExplorer().preset(preset)
    r = result(explorer)
    assert r.sum_of_products == pytest.approx(r.product_of_sums)
    assert "the same line" in explorer.describe(r)


@pytest.mark.parametrize(
    ("weight", "first", "second", "x"),
    [(0.5, 0.9, 0.1, 8), (0.0, 0.05, 0.95, 0), (1.0, 0.5, 0.5, 10), (0.35, 0.15, 0.7, 3)],
)
def test_both_orders_as_printed(weight, first, second, x):
    """Weights and shares are printed in full: a calculator finds the same three digits."""
    explorer = ThreeLayerExplorer(weight=weight, first=first, second=second, x=x)
    summed, multiplied = spoken(explorer.explain(result(explorer))).split(" ; mixed first: ")
    f1 = weight * first + (1 - weight) * second
    by_hand = (
        weight * first**x * (1 - first) ** (10 - x) + (1 - weight) * second**x * (1 - second) ** (10 - x),
        f1**x * (1 - f1) ** (10 - x),
    )
    for printed, exact in zip((summed, multiplied), by_hand, strict=True):
        expression, answer = printed.split(" = ")
        assert calculated(expression) == pytest.approx(exact, rel=1e-9)
        assert calculated(answer) == pytest.approx(exact, rel=5.1e-3)


def test_the_square_has_the_area_of_the_mixture():
    figure = ThreeLayerExplorer().draw(result(ThreeLayerExplorer(), weight=0.65, first=0.9, second=0.3))
    (bars,) = [t for t in figure.data if t.type == "bar"]
    (mixed,) = [s for s in figure.layout.shapes if s.name == "mixed"]
    assert np.dot(bars.width, bars.y) == pytest.approx(mixed.y0) == pytest.approx(0.65 * 0.9 + 0.35 * 0.3)
    assert (bars.x[0] + bars.width[0] / 2, bars.x[1] - bars.width[1] / 2) == pytest.approx((0.65, 0.65))
    assert {h["controls"][0] for h in figure.layout.meta["handles"]} == {"weight", "first", "second", "x"}


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


@pytest.mark.parametrize(
    "state",
    [
        dict(),
        dict(iteration=30, em="hard", seed=1),
        dict(iteration=30, H=4, alpha=1.0, weights="tokens, smoothed"),
        dict(H=1, seed=0),
        dict(seed=0, em="hard", iteration=30),
        dict(seed=0, right=0.33, left=0.3),
    ],
    ids=str,
)
def test_the_printed_responsibility_is_bayes_rule_for_the_first_image(state):
    explorer = EMExplorer(**state)
    r = result(explorer)
    each = [w * np.prod(profile ** ones()[0]) for w, profile in zip(r.weight, r.profile, strict=True)]
    best, printed = int(np.argmax(each)), spoken(explorer.explain(r))
    if r.setting[1] == "hard":
        listed, answer = printed.removeprefix("image 1, the largest of ").split(f" is node {best + 1}'s: r = ")
        living = [calculated(product) for product in listed.split(" , ")]
        assert np.array(living) / max(living) == pytest.approx(np.array(each)[r.weight > 0] / max(each), rel=2e-3)
        assert calculated(answer) == 1
        return
    quotient, answer = printed.removeprefix("image 1: r = ").split(" = ")
    assert calculated(answer) == pytest.approx(each[best] / sum(each), abs=5.1e-4)
    assert calculated(quotient) == pytest.approx(calculated(answer), abs=1.5e-3)


def test_the_first_node_of_an_equal_start_stands_where_it_is_put():
    """By plain steps of EM from there; and the way back to the mean is an equal start to the last bit."""
    explorer = EMExplorer(seed=0, right=0.21, left=-0.09, iteration=5)
    r = result(explorer)
    share = ones().sum(axis=0) / ones().sum()
    start = np.array([share[0] - 0.09, share[1] - 0.12, share[2] + 0.21])
    profile, weight = np.array([start, share, share]), np.full(3, 1 / 3)
    for _ in range(5):
        joint = weight * np.array([[np.prod(p**x) for p in profile] for x in ones()])
        responsibility = joint / joint.sum(axis=1, keepdims=True)
        profile = responsibility.T @ ones()
        profile, weight = profile / profile.sum(axis=1, keepdims=True), responsibility.mean(axis=0)
    assert r.profile == pytest.approx(profile)
    assert r.weight == pytest.approx(weight)
    (grip,) = [h for h in explorer.draw(r).layout.meta["handles"] if len(h["controls"]) == 2]
    assert (grip["x"], grip["y"]) == pytest.approx((start[2], start[0]))
    still = result(explorer, right=0.0, left=0.0)
    assert (still.profile == still.profile[0]).all()


def test_a_random_start_has_no_grip_and_feels_no_move():
    explorer = EMExplorer(iteration=4)
    assert [h["controls"] for h in explorer.draw(result(explorer)).layout.meta["handles"]] == [["iteration"]]
    assert (result(explorer).profile == result(explorer, right=0.3, left=0.3).profile).all()


def test_every_image_is_shown_with_its_pixels():
    figure = EMExplorer().draw(result(EMExplorer()))
    (cloud,) = [t for t in figure.data if t.meta and t.meta.get("pixels") and len(t.x) > 1]
    digits = load_digits()
    assert (np.asarray(cloud.customdata) == (digits.data[digits.target == 1] >= 8)).all()
    counts = ones().astype(int)
    assert cloud.text[5].startswith(f"image 6: {counts[5][0]} left, {counts[5][1]} middle, {counts[5][2]} right; node ")


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


# --- Each statement of Carlos & Rakshit (2016), sections 2 to 3.2: our number bears out the verdict of the ledger.


def measured(words):
    """The value of the one entry whose statement or place has these words."""
    (claim,) = [claim for claim in CLAIMS if words in f"{claim.place}: {claim.statement}"]
    return claim.measure().value


def test_the_strips_are_counted_pixel_by_pixel():
    digits = load_digits()
    image = digits.images[digits.target == 1][5]
    by_hand = dict.fromkeys(STRIPS, 0)
    for row in range(8):
        for column in range(8):
            if image[row, column] >= 8:
                by_hand["left" if column < 3 else "middle" if column < 5 else "right"] += 1
    assert ones().shape == (182, 3)
    assert list(ones()[5]) == list(by_hand.values())
    assert np.array_equal(count_strips([image])[0], ones()[5])
    with pytest.raises(ValueError, match="read-only"):
        ones()[0] = 0


@pytest.mark.parametrize("alpha", [1e-3, 1.0])
def test_the_naive_profile_is_scikit_learns(alpha):
    reference = MultinomialNB(alpha=alpha).fit(np.vstack([ones(), ones()]), np.repeat([0, 1], 182))
    assert naive_profile(alpha) == pytest.approx(reference.feature_log_prob_[0])


def test_the_difference_is_largest_where_a_single_node_is_far_off():
    nodes = Nodes(np.zeros(1), (np.log([[0.2, 0.5, 0.3]]),))
    share = ones().sum(axis=0) / ones().sum()
    assert difference(nodes) == pytest.approx(max(abs(share - [0.2, 0.5, 0.3])))


def test_the_theorem_needs_token_weights_and_no_smoothing():
    assert 0.005 < measured("by documents, as in section 2.5") < 0.02
    assert random_difference(node_weights="tokens", alpha=1.0) > 1e-4
    assert random_difference(node_weights="tokens", alpha=1.0, naive_alpha=3.0, smooth_nodes=True) < 1e-13
    assert random_difference(node_weights="documents") > 1e-6
    assert measured("Laplace smoothing was used") > 1e-4


def test_the_likelihood_never_falls_by_documents_and_does_by_tokens():
    assert measured("climbs") > -1e-10
    assert measured("share of the tokens") < -1e-3
    assert measured("largest gap between them") > 0.01


def test_where_em_ends_depends_on_the_start():
    worst, median, best = measured("hard EM, worst")
    assert worst == pytest.approx(0, abs=1e-9), "all in one node"
    assert worst < median - 50
    assert median < best - 10
    worst, median, best = measured("64 pixels")
    assert worst < median - 30
    assert median == pytest.approx(best, abs=1)


def test_one_rule_is_linear_and_one_is_not():
    line, curve = measured("linear in the counts")
    assert abs(line) < 1e-12
    assert curve > 0.1


def test_the_numbers_in_the_questions_are_computed():
    left, middle, right = np.exp(naive_profile())
    assert (
        f"{left:.0%} of the ink left, {middle:.0%} in the middle, {right:.0%}".replace("%", " %")
        in predict("07/near-the-mean").question
    )
    assert "more than 130 in 30 steps" in predict("07/equal-start").question
    assert gain(3, "soft", "documents", 0.0, 1)[30] > 130

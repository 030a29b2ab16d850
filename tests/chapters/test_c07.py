"""Chapter 07."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import gammaln, softmax
from scipy.stats import binomtest, multinomial, poisson
from sklearn.datasets import load_digits
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import MultinomialNB

from nbcore.hierarchical import MultinomialLeaf, Nodes, run_em, start_from_responsibilities
from tests.plotly_figure import figure_of
from workbook.chapters.c07_hidden_nodes.claims import CLAIMS, node_share_gap, smallest_step
from workbook.chapters.c07_hidden_nodes.em_steps import EQUAL, STEPS, WEIGHTS
from workbook.chapters.c07_hidden_nodes.experiment import (
    STRIPS,
    count_strips,
    difference,
    naive_profile,
    ones,
    random_difference,
)
from workbook.explorer.formula import spoken
from workbook.explorers import EMExplorer, MixtureExplorer, ThreeLayerExplorer
from workbook.learning import contents

from .calculator import calculated
from .claimed import make_measurer
from .shown import compute_result, find_trace

# --- The explorers of chapter 07 show nbcore's numbers, by a route of their own.


# --- three layers -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("weight", "first", "second"), [(0.5, 0.9, 0.1), (0.95, 0.9, 0.1), (0.2, 0.3, 0.85)])
def test_both_rules_with_plain_loops(weight, first, second):
    explorer = ThreeLayerExplorer()
    figure = figure_of(explorer, compute_result(explorer, weight=weight, first=first, second=second))
    drawn = find_trace(figure, "sum of products").y, find_trace(figure, "product of sums").y
    for x in range(11):
        summed = weight * first**x * (1 - first) ** (10 - x) + (1 - weight) * second**x * (1 - second) ** (10 - x)
        f1 = weight * first + (1 - weight) * second
        assert np.exp(drawn[0][x]) == pytest.approx(summed)
        assert np.exp(drawn[1][x]) == pytest.approx(f1**x * (1 - f1) ** (10 - x))


def test_the_line_is_straight_and_the_curve_is_convex():
    r = compute_result(ThreeLayerExplorer(), weight=0.3)
    assert np.diff(r.product_of_sums, 2) == pytest.approx(0, abs=1e-12)
    assert (np.diff(r.sum_of_products, 2) > 0).all()


@pytest.mark.parametrize(
    ("weight", "first", "second", "x"),
    [(0.5, 0.9, 0.1, 8), (0.0, 0.05, 0.95, 0), (1.0, 0.5, 0.5, 10), (0.35, 0.15, 0.7, 3)],
)
def test_both_orders_as_printed(weight, first, second, x):
    """Weights and shares are printed in full: a calculator finds the same three digits."""
    explorer = ThreeLayerExplorer(weight=weight, first=first, second=second, x=x)
    summed, multiplied = spoken(explorer.explain(compute_result(explorer))).split(" ; mixed first: ")
    f1 = weight * first + (1 - weight) * second
    by_hand = (
        weight * first**x * (1 - first) ** (10 - x) + (1 - weight) * second**x * (1 - second) ** (10 - x),
        f1**x * (1 - f1) ** (10 - x),
    )
    for printed, exact in zip((summed, multiplied), by_hand, strict=True):
        expression, answer = printed.split(" = ")
        assert calculated(expression) == pytest.approx(exact, rel=1e-9)
        assert calculated(answer) == pytest.approx(exact, rel=5.1e-3)


# --- EM -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("em", ["soft", "hard"])
@pytest.mark.parametrize("weights", WEIGHTS)
def test_the_path_and_the_nodes_are_those_of_run_em(em, weights):
    leaf, seed, t = MultinomialLeaf(0.3), 3, 12
    start = start_from_responsibilities(ones(), 3, leaf, np.random.default_rng(seed), em, **WEIGHTS[weights])
    run = run_em(ones(), start, leaf, em, STEPS, 0, **WEIGHTS[weights])
    part = run_em(ones(), start, leaf, em, t, 0, **WEIGHTS[weights])
    one_node = (ones() @ naive_profile(0.3)).sum() + leaf.log_penalty(naive_profile(0.3))
    explorer = MixtureExplorer(em=em, weights=weights, alpha=0.3, seed=seed, iteration=t)
    r = compute_result(explorer)
    drawn = find_trace(figure_of(explorer, r), "this one").y
    assert drawn[: len(run.path)] == pytest.approx(run.path - one_node)
    assert r.weight == pytest.approx(np.exp(part.nodes.log_prob))
    assert r.profile == pytest.approx(np.exp(part.nodes.parameters[0]))


def test_the_cross_is_the_pooled_share_and_the_ring_the_weighted_mean_of_the_nodes():
    explorer = MixtureExplorer(iteration=30)
    r = compute_result(explorer)
    figure = figure_of(explorer, r)
    share = ones().sum(axis=0) / ones().sum()
    cross, ring = find_trace(figure, "naive Bayes"), find_trace(figure, "product of sums")
    assert (cross.x[0], cross.y[0]) == pytest.approx((share[2], share[0]))
    assert (ring.x[0], ring.y[0]) == pytest.approx(tuple(r.weight @ r.profile[:, [2, 0]]))


@pytest.mark.parametrize("em", ["soft", "hard"])
@pytest.mark.parametrize("weights", list(WEIGHTS))
@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_the_theorem_holds_at_every_step_where_it_should_and_nowhere_else(em, weights, alpha):
    holds = weights == "tokens, smoothed" or (weights == "tokens" and alpha == 0)
    for iteration in (1, 4, 30):
        explorer = MixtureExplorer(em=em, weights=weights, alpha=alpha, seed=2, iteration=iteration)
        r = compute_result(explorer)
        assert (r.difference < EQUAL) == holds
        assert ("to within 10⁻¹³" in explorer.describe(r)) == holds


@pytest.mark.parametrize(
    "state",
    [
        dict(),
        dict(iteration=30, em="hard", seed=1),
        dict(iteration=30, H=4),
        dict(H=1, seed=0),
        dict(seed=0, em="hard", iteration=30),
        dict(seed=0, right=0.33, left=0.3),
    ],
    ids=str,
)
def test_the_printed_responsibility_is_bayes_rule_for_the_first_image(state):
    explorer = EMExplorer(**state)
    r = compute_result(explorer)
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
    r = compute_result(explorer)
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
    still = compute_result(explorer, right=0.0, left=0.0)
    assert (still.profile == still.profile[0]).all()


def test_an_equal_start_gains_nothing_and_one_node_is_naive_bayes():
    assert compute_result(EMExplorer(), seed=0).gain == pytest.approx(0, abs=1e-9)
    alone = compute_result(EMExplorer(), H=1, seed=5)
    assert alone.gain == pytest.approx(0, abs=1e-9)
    assert alone.difference < EQUAL


def test_the_default_run_goes_as_the_page_tells():
    """Two groups by step 3, two nodes sharing one; they part around step 10; upright strokes get a node."""
    first, second, third = (compute_result(EMExplorer(), iteration=t).profile for t in (3, 10, 30))
    assert abs(first[0] - first[2]).max() < 0.02
    assert abs(first[0] - first[1]).max() > 0.15
    assert 0.03 < abs(second[0] - second[2]).max() < 0.1
    assert third[1, 1] > 0.95
    assert third[2, 0] == third[:, 0].max()


# --- Each statement of Carlos & Rakshit (2016), sections 2 to 3.2: our number bears out the verdict of the ledger.


measure_claim = make_measurer(CLAIMS)


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
    assert 0.005 < measure_claim("by documents, as eq. (7) asks").value < 0.02
    assert random_difference(node_weights="tokens", alpha=1.0) > 1e-4
    assert random_difference(node_weights="tokens", alpha=1.0, naive_alpha=3.0, smooth_nodes=True) < 1e-13
    assert random_difference(node_weights="documents") > 1e-6
    assert measure_claim("Laplace smoothing was used").value > 1e-4


def test_the_likelihood_never_falls_by_documents_and_does_by_tokens():
    assert measure_claim("climbs").value > -1e-10
    assert smallest_step("tokens", 2) < -1e-3
    assert node_share_gap() > 0.01


def test_where_em_ends_depends_on_the_start():
    worst, median, best = measure_claim("hard EM, worst").value
    assert worst == pytest.approx(0, abs=1e-9), "all in one node"
    assert worst < median - 50
    assert median < best - 10
    worst, median, best = measure_claim("64 pixels").value
    assert worst < median - 30
    assert median == pytest.approx(best, abs=1)


def test_one_rule_is_linear_and_one_is_not():
    line, curve = measure_claim("linear in the counts").value
    assert abs(line) < 1e-12
    assert curve > 0.1


# --- Images at one place, shares of the first image, the mixture -----------------------------------------------------


@pytest.mark.parametrize("state", [dict(iteration=12), dict(H=2, seed=3), dict(H=4, em="hard", iteration=30)], ids=str)
def test_the_bars_are_the_first_images_responsibilities(state):
    explorer = EMExplorer(**state)
    r = compute_result(explorer)
    figure = figure_of(explorer, r)
    (bars,) = [t for t in figure.data if t.type == "bar"]
    joint = np.array([w * np.prod(p ** ones()[0]) for w, p in zip(r.weight, r.profile, strict=True)])
    wanted = joint / joint.sum() if explorer.em == "soft" else joint == joint.max()
    assert np.asarray(bars.y) == pytest.approx(wanted.astype(float))


@pytest.mark.parametrize(
    "state",
    [
        dict(iteration=30),
        dict(iteration=5, weights="tokens"),
        dict(iteration=30, weights="tokens", alpha=1.0, H=4),
        dict(iteration=30, em="hard", H=4, weights="tokens, smoothed", alpha=0.3),
    ],
    ids=str,
)
def test_the_printed_mixture_is_exact(state):
    explorer = MixtureExplorer(**state)
    r = compute_result(explorer)
    word, rest = spoken(explorer.explain(r)).split(": ", 1)
    mixed, pooled = rest.split(" ; pooled: ")
    f, alpha = STRIPS.index(word), r.naive_alpha
    expression, answer = mixed.split(" = ")
    by_hand = sum(w * profile[f] for w, profile in zip(r.weight, r.profile, strict=True))
    assert calculated(expression) == pytest.approx(by_hand, abs=3e-4)
    assert calculated(answer) == pytest.approx(calculated(expression), abs=3e-4)
    counts = ones().sum(axis=0)
    assert calculated(pooled) == pytest.approx((counts[f] + alpha) / (counts.sum() + 3 * alpha), abs=5.1e-5)


# --- What the page says --------------------------------------------------------------------------------------------


def near_on_average(counts):
    """By sums over all outcomes: how many images of these lengths, drawn from their profile, lie within 10 points."""
    share, near = counts.sum(axis=0) / counts.sum(), 0.0
    for n in counts.sum(axis=1).astype(int):
        left, right = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
        cases = np.stack([left, n - left - right, right], axis=-1)[left + right <= n]
        near += multinomial.pmf(cases[(abs(cases / n - share) < 0.1).all(axis=1)], n, share).sum()
    return near


def near_in_fact(counts):
    share = counts.sum(axis=0) / counts.sum()
    return (abs(counts / counts.sum(axis=1, keepdims=True) - share) < 0.1).all(axis=1).sum()


def test_hardly_a_drawn_set_has_empty_right_strips_and_half_of_the_images_are_not_near_by_chance():
    assert near_on_average(ones()) == pytest.approx(91, abs=0.5)
    assert near_in_fact(ones()) == 46
    share = ones().sum(axis=0) / ones().sum()
    assert (ones()[:, 2] == 0).sum() == 39
    assert poisson.sf(38, ((1 - share[2]) ** ones().sum(axis=1)).sum()) < 1e-20, "39 where 2.2 are expected"


def test_sixes_crowd_closer_to_their_profile_than_drawn_ones():
    """And a mixture can only widen: of all counts, its covariance is the profile's and one that is never negative."""
    digits = load_digits()
    sixes = count_strips(digits.images[digits.target == 6])
    assert len(sixes) == near_in_fact(sixes) + 49 == 181
    assert near_on_average(sixes) == pytest.approx(75, abs=0.5)
    expected = sixes.sum(axis=1, keepdims=True) * sixes.sum(axis=0) / sixes.sum()
    assert ((sixes - expected) ** 2 / expected).sum() / (2 * 180) == pytest.approx(0.41, abs=0.005)
    rng, n = np.random.default_rng(0), 20
    for _ in range(200):
        weight, profile = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(3), size=3)
        mean = weight @ profile
        second = sum(w * (n * (np.diag(p) - np.outer(p, p)) + n**2 * np.outer(p, p))
                     for w, p in zip(weight, profile, strict=True))  # fmt: skip
        wider = second - n**2 * np.outer(mean, mean) - n * (np.diag(mean) - np.outer(mean, mean))
        assert np.linalg.eigvalsh(wider).min() > -1e-10


def plain_em(X, H, rng, steps=300):
    """Log P(x|c) of rows, as a function, by plain EM with alpha = 1."""
    r = rng.dirichlet(np.ones(H), size=len(X))
    for _ in range(steps):
        counts = r.T @ X + 1
        profile, weight = counts / counts.sum(axis=1, keepdims=True), r.mean(axis=0)
        joint = np.exp(X @ np.log(profile).T) * weight
        r = joint / joint.sum(axis=1, keepdims=True)
    return np.log(joint.sum(axis=1)).sum(), lambda Z: np.log(np.exp(Z @ np.log(profile).T) @ weight)


@pytest.mark.parametrize(
    ("other", "gain", "lost", "won", "chance"),
    [(6, (121.0, 0.0), (14, 1), (26, 8), 0.009), (7, (121.0, 4.3), (35, 4), (0, 30), 0.336)],
)
def test_the_fourth_trap_as_the_page_tells(other, gain, lost, won, chance):
    """The ones gain, and the decisions that this wins or loses: class by class, by EM of our own."""
    digits = load_digits()
    two = np.isin(digits.target, (1, other))
    X, own = count_strips(digits.images[two]), (digits.target[two] == other).astype(int)
    naive, nodes = np.empty((2, len(own), 2))
    for train, test in StratifiedKFold(10).split(X, own):
        for c in (0, 1):
            rows = X[train][own[train] == c]
            prior, share = np.log(np.mean(own[train] == c)), (rows.sum(axis=0) + 1) / (rows.sum() + 3)
            runs = [plain_em(rows, 3, np.random.default_rng(seed)) for seed in range(3)]
            naive[test, c] = prior + X[test] @ np.log(share)
            nodes[test, c] = prior + max(runs, key=lambda run: run[0])[1](X[test])
    at_own = np.arange(len(own)), own
    was, now = naive.argmax(axis=1) == own, nodes.argmax(axis=1) == own
    for c in (0, 1):
        assert (nodes - naive)[at_own][own == c].sum() == pytest.approx(gain[c], abs=0.5)
        assert ((was & ~now)[own == c].sum(), (now & ~was)[own == c].sum()) == (lost[c], won[c])
    assert now.sum() - was.sum() == {6: 19, 7: -9}[other]
    assert binomtest(sum(won), sum(won + lost)).pvalue == pytest.approx(chance, abs=5e-4)


def test_product_of_sums_trained_for_itself_learns_naive_bayes():
    """By a general optimiser over all weights and profiles of three nodes, from random starts."""
    counts = ones().sum(axis=0)

    def mixture(z):
        weight, profile = z[:3], z[3:].reshape(3, 3)
        return softmax(weight) @ softmax(profile, axis=1)

    for seed in range(5):
        start = np.random.default_rng(seed).normal(size=12)
        found = minimize(lambda z: -counts @ np.log(mixture(z)), start, tol=1e-10)
        assert mixture(found.x) == pytest.approx(counts / counts.sum(), abs=1e-4)
        assert -found.fun == pytest.approx(counts @ np.log(counts / counts.sum()), abs=1e-3)
    for seed in range(5):  # its own EM: every token chooses its node; from any start one step is enough
        rng = np.random.default_rng(seed)
        weight, profile = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(3), size=3)
        joint = weight[:, None] * profile
        tokens = counts * joint / joint.sum(axis=0)  # at each node, of each word
        weight, profile = tokens.sum(axis=1) / tokens.sum(), tokens / tokens.sum(axis=1, keepdims=True)
        assert weight @ profile == pytest.approx(counts / counts.sum())


def test_documents_of_equal_mean_length_at_every_node_cancel_too():
    """Lengths must differ between nodes, not only within them, for document weights to leave naive Bayes."""
    X = np.array([[8.0, 2.0], [1.0, 1.0], [3.0, 1.0], [2.0, 6.0], [1.0, 3.0], [2.0, 2.0]])
    at, pooled = np.array([0, 0, 1, 1, 0, 1]), X.sum(axis=0) / X.sum()
    shorter = X.copy()
    shorter[3] = 1, 3
    mixed = {}
    for name, rows in (("equal", X), ("unequal", shorter)):
        profile = np.array([rows[at == h].sum(axis=0) / rows[at == h].sum() for h in (0, 1)])
        lengths = [rows[at == h].sum() / 3 for h in (0, 1)]
        mixed[name] = profile.mean(axis=0), rows.sum(axis=0) / rows.sum(), lengths
    equal, unequal = mixed["equal"], mixed["unequal"]
    assert equal[2] == [16 / 3, 16 / 3]
    assert unequal[2] == [16 / 3, 12 / 3]
    assert equal[0] == pytest.approx(pooled)
    assert abs(unequal[0] - unequal[1]).max() > 0.005


def test_the_price_of_token_weights_is_small():
    naive = (ones() @ naive_profile()).sum()
    tokens, documents = ([run.path - naive for run in of_two_nodes(w)] for w in ("tokens", "documents"))
    assert sum(np.diff(path).min() < -1e-6 for path in tokens) == 20
    assert min(np.diff(path).min() for path in documents) > -1e-9
    assert max(-np.diff(path).min() for path in tokens) == pytest.approx(0.035, abs=5e-4)
    assert max(path.max() - path[-1] for path in tokens) == pytest.approx(0.25, abs=5e-3)
    best = [max(path[-1] for path in paths) for paths in (documents, tokens)]
    assert best == pytest.approx([100.97, 100.38], abs=5e-3)


def of_two_nodes(weights):
    leaf = MultinomialLeaf(0.0)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        start = start_from_responsibilities(ones(), 2, leaf, rng, node_weights=weights)
        yield run_em(ones(), start, leaf, max_iter=100, tol=0, node_weights=weights)


def test_upright_strokes_have_fewer_dark_pixels():
    """By plain EM, from the start of the page's first run."""
    leaf, X = MultinomialLeaf(0.0), ones()
    start = start_from_responsibilities(X, 3, leaf, np.random.default_rng(1))
    weight, profile = np.exp(start.log_prob), np.exp(start.parameters[0])
    for _ in range(500):
        r = weight * np.array([[np.prod(p**x) for p in profile] for x in X])
        r /= r.sum(axis=1, keepdims=True)
        profile = r.T @ X
        profile, weight = profile / profile.sum(axis=1, keepdims=True), r.mean(axis=0)
    order = np.argsort(-profile[:, 1])
    assert profile[order[0], 1] > 0.95
    assert (X.sum(axis=1) @ r / r.sum(axis=0))[order].round().tolist() == [16, 21, 21]


def test_documents_without_f2_by_all_that_can_be_drawn():
    """Four tokens with P(f1|c) = 5/8, in fractions."""
    ways = [Fraction(5, 8) ** four.count(1) * Fraction(3, 8) ** four.count(2) for four in product((1, 2), repeat=4)]
    assert sum(ways) == 1
    exercise = contents("07")["07/without-f2"]
    assert exercise.expected() == pytest.approx(float(4 * ways[0]))
    for answer, words in ((2, "the real number"), (ways[0], "one document"), (2.5, "single token"),
                          (0.25, "not equally common"), (4 * ways[-1], "without f1")):  # fmt: skip
        assert words in exercise.check(float(answer)).message


@pytest.mark.parametrize("seed", range(5))
def test_equal_nodes_tilted_by_a_millionth_get_away_after_a_while(seed):
    X, naive = ones(), (ones() @ naive_profile()).sum()
    r = 1 / 3 + 1e-6 * (np.random.default_rng(seed).random((182, 3)) - 0.5)
    r, gained = r / r.sum(axis=1, keepdims=True), []
    for _ in range(31):
        profile = r.T @ X
        profile, weight = profile / profile.sum(axis=1, keepdims=True), r.mean(axis=0)
        joint = weight * np.array([[np.prod(p**x) for p in profile] for x in X])
        r = joint / joint.sum(axis=1, keepdims=True)
        gained.append(np.log(joint.sum(axis=1)).sum() - naive)
    assert abs(gained[10]) < 0.01
    assert gained[30] > 90


def test_the_words_of_a_text_in_any_order_are_another_question():
    def bag(counts, node, feature):
        orders = np.exp(gammaln(counts.sum() + 1) - gammaln(counts + 1).sum())
        return orders * (node @ (feature**counts).prod(axis=1))

    assert "how many orders" in contents("07")["07/sum-of-products"].check(bag).message

"""Chapter 07: ten digits round their profiles, EM from twenty starts, nine pairs, and the ledger's claims."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import binomtest, chisquare
from sklearn.datasets import load_digits
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import MultinomialNB

from nbcore.hierarchical import MultinomialLeaf, Nodes, e_step, start_from_responsibilities
from workbook.chapters.c07_hidden_nodes.claims import CLAIMS, node_share_gap, smallest_step
from workbook.chapters.c07_hidden_nodes.courses import FLOOR, STEPS, follow, gains
from workbook.chapters.c07_hidden_nodes.experiment import (
    STRIPS,
    count_strips,
    difference,
    dispersion,
    held_out_pairs,
    naive_profile,
    ones,
    random_difference,
    strips_of_digit,
    widest_ratio,
)
from workbook.chapters.c07_hidden_nodes.sampled import SETS, draw_sets, learn_nodes, node_gain, spread, typical_set
from workbook.chapters.c07_hidden_nodes.triangle import place, scatter_ties
from workbook.explorer.formula import spoken
from workbook.explorers import StartsExplorer, StylesExplorer
from workbook.learning import contents

from .calculator import calculated
from .claimed import make_measurer
from .shown import compute_result

# --- ten digits round the line 1 --------------------------------------------------------------------------------------


def test_pearsons_ratio_by_scipy_image_by_image():
    for digit in range(10):
        rows = strips_of_digit(digit)
        share = rows.sum(axis=0) / rows.sum()
        total = sum(chisquare(row, row.sum() * share).statistic for row in rows)
        assert dispersion(rows) == pytest.approx(total / (2 * len(rows) - 2))


def test_nine_digits_crowd_and_the_one_scatters():
    ratios = [float(dispersion(strips_of_digit(digit))) for digit in range(10)]
    assert np.round(ratios, 2).tolist() == [0.32, 2.15, 0.82, 0.56, 0.54, 0.76, 0.41, 0.91, 0.79, 0.53]
    outside = [digit for digit in range(10) if not spread(digit, 1)[0] < ratios[digit] < spread(digit, 1)[2]]
    assert outside == [0, 1, 2, 3, 4, 5, 6, 8, 9], "the 7 may be luck"


def test_the_ratio_of_drawn_sets_is_one_on_average_whatever_their_lengths():
    rng, profile = np.random.default_rng(3), [0.2, 0.3, 0.5]
    lengths = rng.integers(5, 60, size=80)
    found = dispersion(rng.multinomial(lengths, profile, size=(4000, 80)))
    assert found.mean() == pytest.approx(1, abs=4 * found.std() / np.sqrt(4000))


def test_one_node_is_naive_bayes_and_more_are_the_best_that_em_found():
    assert learn_nodes(1, 1).parameters[0][0] == pytest.approx(naive_profile())
    for H, digit in product((2, 3), (1, 6)):
        rows, nodes = strips_of_digit(digit), learn_nodes(digit, H)
        best, naive = e_step(rows, nodes, MultinomialLeaf(0.0))[1].sum(), 0.0
        if digit == 6:
            naive = (rows @ np.log(rows.sum(axis=0) / rows.sum())).sum()
            assert best - naive == pytest.approx(0, abs=0.05), "its nodes are one and the same"
        else:
            others = (plain_em(rows, H, np.random.default_rng(seed), alpha=1e-9)[0] for seed in range(100, 105))
            assert max(others) < best + 0.05


@pytest.mark.parametrize("H", [1, 2, 3])
def test_drawn_images_are_as_long_as_real_ones_and_of_their_nodes(H):
    sets, nodes = draw_sets(1, H), learn_nodes(1, H)
    assert sets.shape == (SETS, 182, 3)
    assert (sets.sum(axis=2) == ones().sum(axis=1)).all()
    share = sets.sum(axis=(0, 1)) / sets.sum()
    assert share == pytest.approx(np.exp(nodes.log_prob) @ np.exp(nodes.parameters[0]), abs=0.01)
    low, middle, high = spread(1, H)
    assert np.mean((dispersion(sets) >= low) & (dispersion(sets) <= high)) == pytest.approx(0.95, abs=0.006)
    assert dispersion(typical_set(1, H)) == pytest.approx(middle, abs=0.02)


def test_the_title_holds_in_every_state():
    """And in words of its own: no mixture helps a digit that crowds; three nodes are enough for the 1."""
    for digit, H in product(range(10), (1, 2, 3)):
        r, title = (result := compute_result(StylesExplorer(digit=digit, H=H))), result.finding
        sets = dispersion(draw_sets(digit, H))
        below, above = np.mean(sets < r.ratio), np.mean(sets > r.ratio)
        assert r.ratio == pytest.approx(dispersion(strips_of_digit(digit)))
        if "crowds" in title:
            assert above > 0.97
        elif "scatters:" in title or "scatter less than" in title:
            assert below > 0.97
        else:
            assert "as widely as" in title or "about by" in title
            assert min(below, above) > 0.02
        assert (f"{r.ratio:.2f}" in title) == (H == 1 and digit != 7)
        assert ("crowds all the same" in title) == (H > 1 and digit != 1)


def test_a_mixture_can_only_widen():
    """Of all counts: its covariance is that of the profile with the same mean, and one that is never negative."""
    rng, n = np.random.default_rng(0), 20
    for _ in range(200):
        weight, profile = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(3), size=3)
        mean = weight @ profile
        second = sum(w * (n * (np.diag(p) - np.outer(p, p)) + n**2 * np.outer(p, p))
                     for w, p in zip(weight, profile, strict=True))  # fmt: skip
        wider = second - n**2 * np.outer(mean, mean) - n * (np.diag(mean) - np.outer(mean, mean))
        assert np.linalg.eigvalsh(wider).min() > -1e-10



def test_the_printed_ratio_is_a_quotient():
    for digit in (0, 1, 7):
        quotient, answer = spoken((e := StylesExplorer(digit=digit)).explain(compute_result(e))).split(" = ")
        assert calculated(quotient) == pytest.approx(calculated(answer), abs=0.006)


def test_places_in_the_triangle_are_shares_of_its_corners():
    corners = place(np.eye(3))
    assert np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1) == pytest.approx(np.ones(3))
    shares = np.array([[0.2, 0.5, 0.3], [0.2, 0.5, 0.3], [1, 0, 0]])
    assert place(shares) == pytest.approx(shares @ corners)
    moved = scatter_ties(place(shares))
    assert len(np.unique(moved, axis=0)) == 3
    assert moved == pytest.approx(place(shares), abs=0.02)


# --- EM from twenty starts --------------------------------------------------------------------------------------------


def plain_step(X, weight, profile, hard):
    """Return P(h|c), P(f|h,c) and what EM climbs, before a step and after: by plain products."""
    joint = weight * np.array([[np.prod(p**x) for p in profile] for x in X])
    r = joint / joint.sum(axis=1, keepdims=True)
    height = np.log(joint.max(axis=1) if hard else joint.sum(axis=1)).sum()
    if hard:
        r = np.eye(len(weight))[joint.argmax(axis=1)]
    tokens = r.T @ X
    size = np.maximum(tokens.sum(axis=1, keepdims=True), 1e-300)
    return r.mean(axis=0), tokens / size, height, joint.argmax(axis=1)


@pytest.mark.parametrize(("em", "start"), [("soft", 1), ("soft", 0), ("hard", 3), ("hard", 17)])
def test_a_course_is_plain_em(em, start):
    leaf, X, course = MultinomialLeaf(0.0), ones(), follow(em, start)
    nodes = course.nodes[0]
    if start:
        wanted = start_from_responsibilities(X, 3, leaf, np.random.default_rng(start - 1), em)
        assert nodes.log_prob == pytest.approx(wanted.log_prob)
    weight, profile = np.exp(nodes.log_prob), np.exp(nodes.parameters[0])
    for step in range(31):
        after, learned, height, best = plain_step(X, weight, profile, em == "hard")
        if step in STEPS:
            at = STEPS.index(step)
            assert np.exp(course.nodes[at].log_prob) == pytest.approx(weight, abs=1e-9)
            assert course.objective[at] == pytest.approx(height)
            assert np.array_equal(course.best[at], best) or start == 0, "equal nodes tie"
        weight, profile = after, learned


def test_no_bead_rises_and_the_page_counts_them_rightly():
    soft, hard = gains("soft"), gains("hard")
    assert np.diff(soft).min() > -1e-9
    assert np.diff(hard).min() > -1e-9
    assert (soft[1:, -1] > soft.max() - 0.01).all(), "one summit for soft EM"
    assert (hard[1:, -1] > hard.max() - FLOOR).sum() == 8
    assert soft[0] == pytest.approx(0, abs=1e-9)
    assert hard[0, 1:] == pytest.approx(0, abs=1e-9)
    alone = [start for start in range(1, 21) if abs(hard[start, -1]) < 1e-9]
    assert alone == [17]
    assert np.exp(follow("hard", 17).nodes[-1].log_prob).max() == pytest.approx(1)


def test_the_title_counts_the_beads_in_every_state():
    for step, start, hard in product(STEPS, range(21), (0, 1)):
        r = compute_result(StartsExplorer(step=step, start=start, hard=hard))
        course = gains(("soft", "hard")[hard])
        down = (course.max() - course[1:, STEPS.index(step)] < FLOOR).sum()
        if not start:
            assert ("never falls" in r.finding) == (not hard)
            assert hard or (r.now[0] == r.heights[0]).all()
            assert not hard or (r.best == 0).all()
        elif step:
            assert f"step {step}: {down} of 20 are" in r.finding
        else:
            assert "none is near" in r.finding
            assert down == 0


@pytest.mark.parametrize("state", [dict(), dict(step=30, start=4), dict(step=100, start=17, hard=1)], ids=str)
def test_the_printed_height_is_a_difference(state):
    explorer = StartsExplorer(**state)
    left, right = spoken(explorer.explain(compute_result(explorer))).split(" = ")
    assert calculated(left) == pytest.approx(calculated(right), abs=0.06)


def test_the_first_course_goes_as_its_presets_tell():
    """Nodes nearly alike that part by step 3; at the end upright strokes, ink left, ink right."""
    first, third, late = (np.exp(follow("soft", 1).nodes[STEPS.index(step)].parameters[0]) for step in (0, 3, 100))
    gaps = [[np.abs(nodes[a] - nodes[b]).max() for a, b in ((0, 1), (0, 2), (1, 2))] for nodes in (first, third)]
    assert max(gaps[0]) < 0.04 < 0.08 < min(gaps[1])
    assert late[:, 1].max() > 0.95
    assert set(late.argmax(axis=0)) == {0, 1, 2}


# --- nine pairs -------------------------------------------------------------------------------------------------------


def plain_em(X, H, rng, steps=300, alpha=1.0):
    """Log P(x|c) of rows, as a function, by plain EM."""
    r = rng.dirichlet(np.ones(H), size=len(X))
    for _ in range(steps):
        counts = r.T @ X + alpha
        profile, weight = counts / counts.sum(axis=1, keepdims=True), r.mean(axis=0)
        joint = np.exp(X @ np.log(profile).T) * weight
        r = joint / joint.sum(axis=1, keepdims=True)
    return np.log(joint.sum(axis=1)).sum(), lambda Z: np.log(np.exp(Z @ np.log(profile).T) @ weight)


@pytest.mark.parametrize("other", [6, 7])
def test_a_pair_by_em_of_our_own(other):
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
    was, now = naive.argmax(axis=1) == own, nodes.argmax(axis=1) == own
    won, lost = (now & ~was).sum(), (was & ~now).sum()
    assert abs(held_out_pairs("both")[other][0] - won) <= 1
    assert abs(held_out_pairs("both")[other][1] - lost) <= 1



def test_seven_pairs_gain_and_two_lose():
    found = held_out_pairs("both")
    assert [other for other, (won, lost) in found.items() if won < lost] == [3, 7]
    clear = [other for other, (won, lost) in found.items() if binomtest(won, won + lost).pvalue < 0.05]
    assert clear == [0, 4, 5, 6, 8]


def test_the_nodes_of_the_1_bring_the_gains():
    gained = {whose: [other for other, (won, lost) in held_out_pairs(whose).items() if won > lost]
              for whose in ("both", "the 1", "the other")}  # fmt: skip
    assert gained["the 1"] == gained["both"]
    assert not gained["the other"]


def test_a_mixture_finds_something_where_a_direction_scatters():
    scattering = [digit for digit in range(10) if widest_ratio(digit) > 1]
    assert scattering == [1, 2, 5, 7, 8]
    assert [digit for digit in range(10) if node_gain(digit) > 0.1] == scattering


def test_the_widest_ratio_is_the_largest_over_all_directions():
    rows = strips_of_digit(2)
    profile = rows.sum(axis=0) / rows.sum()
    found = []
    for angle in np.linspace(0, np.pi, 2001):  # of a weighted count of the three words
        w = np.cos(angle) * np.array([1, -1, 0]) + np.sin(angle) * np.array([1, 1, -2])
        each = (rows @ w - rows.sum(axis=1) * (profile @ w)) / np.sqrt(rows.sum(axis=1))
        found.append((each**2).sum() / (len(rows) - 1) / (profile @ w**2 - (profile @ w) ** 2))
    assert np.isclose(max(found), widest_ratio(2), rtol=1e-4)
    assert np.isclose((max(found) + min(found)) / 2, dispersion(rows), rtol=1e-3)


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
    by_documents, *by_tokens = measure_claim("EM over any data set").value
    assert max(by_tokens) < 1e-13 < 0.005 < by_documents < 0.02
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


def test_a_ratio_of_an_exercise_by_hand():
    exercise = contents("07")["07/dispersion"]
    assert exercise.expected() == pytest.approx((4 * 3**2 / 4) / 2)

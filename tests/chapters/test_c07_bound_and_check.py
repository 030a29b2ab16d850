"""Chapter 07: images drawn from nodes beside real ones, EM's lower bound, and in whose hands an image is."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import multinomial
from sklearn.datasets import load_digits

from nbcore.hierarchical import MultinomialLeaf, e_step, m_step, run_em, start_from_responsibilities
from tests.plotly_figure import figure_of
from workbook.chapters.c07_hidden_nodes.bound import STEPS, climb, gain_and_promise, log_likelihood, lower_bound
from workbook.chapters.c07_hidden_nodes.experiment import naive_profile, ones
from workbook.chapters.c07_hidden_nodes.lower_bound import DOCUMENTS, LEAST, MOST, THETA, LowerBoundExplorer
from workbook.chapters.c07_hidden_nodes.predictive_check import PredictiveCheckExplorer
from workbook.chapters.c07_hidden_nodes.questions import first_step, no_ink_right
from workbook.chapters.c07_hidden_nodes.sampled import (
    LEFT,
    NEAR,
    RIGHT,
    SETS,
    STATISTICS,
    counted,
    drawn,
    expected,
    learned,
)
from workbook.explorer.formula import spoken

from .calculator import calculated
from .shown import compute_result, find_trace

NODES = range(1, 5)
LENGTHS = ones().sum(axis=1).astype(int)


# --- images drawn from nodes --------------------------------------------------------------------------------------


def of_kind(counts, statistic):
    """By plain loops: how many images of one set the statistic counts."""
    found = 0
    for left, middle, right in counts.tolist():
        n = left + middle + right
        far = [abs(own / n - share) for own, share in zip((left, middle, right), np.exp(naive_profile()), strict=True)]
        found += {RIGHT: right == 0, LEFT: left == 0, NEAR: max(far) < 0.1}[statistic]
    return found


def test_the_real_numbers_are_those_of_the_pixels():
    digits = load_digits()
    dark = digits.images[digits.target == 1] >= 8
    assert (~dark[:, :, 5:].any(axis=(1, 2))).sum() == of_kind(ones(), RIGHT) == counted(ones(), RIGHT) == 39
    assert (~dark[:, :, :3].any(axis=(1, 2))).sum() == of_kind(ones(), LEFT) == counted(ones(), LEFT) == 32
    assert of_kind(ones(), NEAR) == counted(ones(), NEAR) == 46


def test_one_node_is_naive_bayes_and_more_are_the_best_that_em_found():
    assert learned(1).parameters[0][0] == pytest.approx(naive_profile())
    leaf = MultinomialLeaf(0.0)
    for H in (2, 3, 4):
        best = e_step(ones(), learned(H), leaf)[1].sum()
        others = (start_from_responsibilities(ones(), H, leaf, np.random.default_rng(seed)) for seed in range(100, 110))
        assert max(run_em(ones(), start, leaf, max_iter=300).objective for start in others) < best + 0.05
        assert (np.diff(learned(H).log_prob) <= 0).all(), "the heaviest first"


@pytest.mark.parametrize("H", NODES)
def test_drawn_images_are_as_long_as_real_ones_and_of_their_nodes(H):
    counts, node = drawn(H)
    assert counts.shape == (SETS, 182, 3)
    assert (counts.sum(axis=2) == LENGTHS).all()
    for h in range(H):
        mine, weight = node == h, np.exp(learned(H).log_prob[h])
        assert mine.mean() == pytest.approx(weight, abs=4 * np.sqrt(weight * (1 - weight) / node.size))
        shares = counts[mine].sum(axis=0) / counts[mine].sum()
        assert shares == pytest.approx(np.exp(learned(H).parameters[0][h]), abs=0.01)


@pytest.mark.parametrize("H", NODES)
def test_the_average_is_a_sum_of_powers(H):
    """No token of n is right with probability (1 - p) to the power of n."""
    for strip, statistic in ((0, LEFT), (2, RIGHT)):
        p = np.exp(learned(H).parameters[0][:, strip])
        assert expected(H, statistic) == pytest.approx([sum((1 - q) ** n for n in LENGTHS) for q in p])


def test_near_the_profile_is_a_sum_over_all_outcomes():
    share, total = np.exp(naive_profile()), 0.0
    for n in LENGTHS:
        cases = np.array([(a, b, n - a - b) for a in range(n + 1) for b in range(n + 1 - a)])
        near = (abs(cases / n - share) < 0.1).all(axis=1)
        total += multinomial(n, share).pmf(cases[near]).sum()
    assert expected(1, NEAR).sum() == pytest.approx(total)


@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize("H", NODES)
def test_the_dots_are_the_sets_counted_and_scatter_around_the_average(H, statistic):
    explorer = PredictiveCheckExplorer(H=H, statistic=statistic, seed=17)
    r = compute_result(explorer)
    values = [of_kind(each, statistic) for each in drawn(H)[0]]
    figure = figure_of(explorer, r)
    assert find_trace(figure, "a drawn set").x.tolist() == values
    assert find_trace(figure, "the one shown").x[0] == values[16] == of_kind(r.counts, statistic)
    assert abs(np.mean(values) - r.mean) < 4 * np.std(values) / np.sqrt(SETS)
    assert find_trace(figure, "real images").x[0] == of_kind(ones(), statistic)
    as_far = [v for v in values if (v >= r.real if r.real > r.mean else v <= r.real)]
    assert f" {len(as_far)} of the {SETS} sets lie as far out" in explorer.describe(r)


@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize("H", NODES)
def test_the_printed_average_follows_from_the_printed_nodes(H, statistic):
    explorer = PredictiveCheckExplorer(H=H, statistic=statistic)
    printed = spoken(explorer.explain(compute_result(explorer))).removeprefix(f"{statistic}: ")
    products, _, rest = printed.partition(" = ")
    average, _, real = rest.partition(" ; real: ")
    assert calculated(products) == pytest.approx(calculated(average), rel=6e-3)
    assert int(real) == of_kind(ones(), statistic)


def test_what_the_page_says_of_one_two_and_three_nodes():
    for statistic in STATISTICS:
        values, real = counted(drawn(1)[0], statistic), counted(ones(), statistic)
        assert not ((values >= real) if real > values.mean() else (values <= real)).any()
    mean = {(H, s): np.exp(learned(H).log_prob) @ expected(H, s) for H in NODES for s in STATISTICS}
    assert (round(mean[2, RIGHT]), round(mean[2, LEFT])) == (36, 11)
    assert counted(drawn(2)[0], LEFT).max() < 32
    assert (round(mean[3, RIGHT]), round(mean[3, LEFT])) == (30, 30)
    assert (counted(drawn(3)[0], RIGHT) >= 39).sum() == 4
    assert (counted(drawn(4)[0], RIGHT) >= 39).sum() > 40


def test_the_corner_of_upright_strokes_is_empty_until_a_third_node_fills_it():
    """As the presets say: no ink left and none right."""
    real, *sets = [(c[..., [0, 2]] == 0).all(axis=-1).sum(axis=-1) for c in (ones(), *(drawn(H)[0] for H in (1, 2, 3)))]
    assert real == 18
    assert [each.max() < real for each in sets] == [True, True, False]


def test_the_average_of_the_prediction_by_simulation():
    """10,000 sets by numpy's binomials."""
    right = ones()[:, 2].sum() / ones().sum()
    sets = np.random.default_rng(5).binomial(LENGTHS, right, (10_000, 182))
    found = (sets == 0).sum(axis=1)
    assert no_ink_right() == pytest.approx(found.mean(), abs=4 * found.std() / 100)


# --- the lower bound ----------------------------------------------------------------------------------------------


def plainly(theta, f1):
    """P(x, h|c) of every document and node, by powers."""
    return [[0.5 * theta**k * (1 - theta) ** (10 - k), 0.5 * 0.5**10] for k in f1]


def shares(theta, f1):
    return [mine / (mine + other) for mine, other in plainly(theta, f1)]


@pytest.mark.parametrize("f1", DOCUMENTS.values())
def test_the_bound_is_nowhere_above_the_log_likelihood_and_touches_it_at_the_present_value(f1):
    for now in np.linspace(0.02, 0.98, 25):
        r = shares(now, f1)
        for theta in np.append(np.linspace(0.01, 0.99, 99), now):
            joint = plainly(theta, f1)
            reached = sum(np.log(a + b) for a, b in joint)
            shared = [(a, s) for s, (one, two) in zip(r, joint, strict=True) for a, s in ((one, s), (two, 1 - s))]
            bound = sum(s * np.log(a / s) for a, s in shared)
            assert log_likelihood(theta, f1) == pytest.approx(reached)
            assert lower_bound(theta, np.array(r), f1) == pytest.approx(bound)
            assert bound <= reached + 1e-12
        assert bound == pytest.approx(reached), "the last theta is the present one"


@pytest.mark.parametrize("f1", DOCUMENTS.values())
@pytest.mark.parametrize("start", [LEAST, 0.2, 0.45, 0.6, MOST])
def test_a_step_goes_to_the_top_of_the_bound(start, f1):
    run = climb(start, f1)
    for t in range(STEPS + 1):
        r = np.array(shares(run.theta[t], f1))
        assert run.responsibility[t] == pytest.approx(r)
        top = minimize_scalar(lambda u, r=r: -lower_bound(u, r, f1), bounds=(1e-4, 1 - 1e-4), method="bounded",
                              options=dict(xatol=1e-10))  # fmt: skip
        assert run.theta[t + 1] == pytest.approx(top.x, abs=1e-5)
        assert run.theta[t + 1] == pytest.approx((r @ f1) / (10 * r.sum()))
        assert run.top[t] == pytest.approx(-top.fun)


@pytest.mark.parametrize("f1", DOCUMENTS.values())
def test_what_the_bound_lacks_is_the_divergence(f1):
    for start in (0.1, 0.45, 0.6):
        run = climb(start, f1)
        for t in range(STEPS + 1):
            old, new = (np.column_stack([s, 1 - np.array(s)]) for s in
                        (shares(run.theta[t], f1), shares(run.theta[t + 1], f1)))  # fmt: skip
            divergence = (old * np.log(old / new)).sum()
            assert run.log_likelihood[t + 1] - run.top[t] == pytest.approx(divergence, abs=1e-10)


@pytest.mark.parametrize("f1", DOCUMENTS.values())
def test_the_log_likelihood_never_falls_and_gains_at_least_what_the_bound_does(f1):
    for start in LowerBoundExplorer.start.values:
        run = climb(start, f1)
        assert (run.top >= run.log_likelihood[:-1] - 1e-12).all()
        assert (run.log_likelihood[1:] >= run.top - 1e-12).all()


def find_far_end(start, f1):
    """Follow plain EM from a start until a step moves theta no more."""
    theta, before = start, np.inf
    while abs(theta - before) > 1e-13:
        r = np.array(shares(theta, f1))
        theta, before = (r @ f1) / (10 * r.sum()), theta
    return theta


def test_the_start_decides_between_two_summits_and_one_set_of_documents_has_one():
    two, one = DOCUMENTS.values()

    def summit(low, high, f1):
        return minimize_scalar(lambda u: -log_likelihood(u, f1), bounds=(low, high), method="bounded").x

    valley = minimize_scalar(lambda u: log_likelihood(u, two), bounds=(0.2, 0.8), method="bounded").x
    low, high = summit(0.01, valley, two), summit(valley, 0.99, two)
    assert log_likelihood(low, two) < log_likelihood(high, two) - 3
    assert (low, high) == pytest.approx((0.147, 0.870), abs=1e-3)
    assert climb(valley, two).theta[1] == pytest.approx(valley, abs=1e-5), "its floor is a fixed point"
    assert abs(climb(valley + 1e-3, two).theta[1] - valley) > 1.05e-3, "an unstable one"
    for start in LowerBoundExplorer.start.values:
        assert find_far_end(start, two) == pytest.approx(low if start < valley else high, abs=1e-4)
        assert find_far_end(start, one) == pytest.approx(summit(0.01, 0.99, one), abs=1e-4)
    assert not np.isclose(LowerBoundExplorer.start.values, valley, atol=1e-5).any()


def test_the_step_is_the_one_of_nbcores_m_step_on_the_documents():
    f1 = DOCUMENTS["1, 2, 8, 9, 9"]
    rows = np.array([[k, 10 - k] for k in f1], dtype=float)
    r = np.array(shares(0.6, f1))
    nodes = m_step(rows, np.column_stack([r, 1 - r]), MultinomialLeaf(0.0))
    assert climb(0.6, f1).theta[1] == pytest.approx(np.exp(nodes.parameters[0][0, 0]))


def test_the_figure_shows_both_curves_and_where_they_meet():
    explorer = LowerBoundExplorer(start=0.4, step=1)
    r = compute_result(explorer)
    figure, f1 = figure_of(explorer, r), DOCUMENTS["1, 2, 8, 9, 9"]
    curve, bound = find_trace(figure, "log likelihood"), find_trace(figure, "its lower bound")
    assert curve.y == pytest.approx([sum(np.log(a + b) for a, b in plainly(u, f1)) for u in THETA])
    assert (bound.y <= curve.y + 1e-12).all()
    marks = {t.meta["mark"]: t for t in figure.data if t.meta and "mark" in t.meta}
    (here,), (top,), (reached,) = (zip(marks[m].x, marks[m].y, strict=True) for m in ("here", "top", "reached"))
    assert here == pytest.approx((climb(0.4, f1).theta[1], climb(0.4, f1).log_likelihood[1]))
    assert top[0] == reached[0] == climb(0.4, f1).theta[2]
    assert top[1] >= max(bound.y) - 1e-12
    assert list(marks["KL"].y) == [top[1], reached[1]]


@pytest.mark.parametrize("documents", DOCUMENTS)
@pytest.mark.parametrize("start", [LEAST, 0.4, 0.45, 0.6, MOST])
def test_the_printed_sum_is_exact(start, documents):
    for step in range(STEPS + 1):
        explorer = LowerBoundExplorer(start=start, documents=documents, step=step)
        r = compute_result(explorer)
        left, right = spoken(explorer.explain(r)).removeprefix("at the bound’s top: ").split(" = ")
        assert calculated(left) == pytest.approx(calculated(right), abs=1e-9)
        assert calculated(left) == pytest.approx(r.run.log_likelihood[step + 1], abs=5.1e-4)
        gap = calculated(right.rsplit(" + ", 1)[1])
        assert gap == pytest.approx(r.run.log_likelihood[step + 1] - r.run.top[step], abs=1.1e-3)
        assert gap >= 0


def test_the_prediction_asks_for_what_the_explorer_opens_with():
    r = compute_result(LowerBoundExplorer())
    gain, promise = first_step()
    assert (gain, promise) == pytest.approx(gain_and_promise(0.6, r.f1))
    assert (r.step, r.run.theta[0]) == (0, 0.6)

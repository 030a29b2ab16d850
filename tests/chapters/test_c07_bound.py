"""Page 07b: EM's lower bound, small print of the theorem, and the boundary of two nodes."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from nbcore.hierarchical import MultinomialLeaf, m_step, run_em, start_from_responsibilities
from tests.plotly_figure import figure_of
from workbook.chapters.c07_hidden_nodes.bound import STEPS, climb, log_likelihood, lower_bound
from workbook.chapters.c07_hidden_nodes.experiment import (
    decided_otherwise,
    first_step,
    naive_profile,
    ones,
    parted_starts,
    wedge_angle,
    xor_ends,
)
from workbook.chapters.c07_hidden_nodes.lower_bound import DOCUMENTS, STARTS, THETA, LowerBoundExplorer
from workbook.chapters.c07_hidden_nodes.questions import DOCUMENTS as ASKED
from workbook.explorer.formula import spoken

from .calculator import calculated
from .shown import compute_result, find_trace

# --- the lower bound ----------------------------------------------------------------------------------------------


def plainly(theta, f1):
    """P(x, h|c) of every document and node, by powers."""
    return [[0.5 * theta**k * (1 - theta) ** (10 - k), 0.5 * 0.5**10] for k in f1]


def shares(theta, f1):
    return [mine / (mine + other) for mine, other in plainly(theta, f1)]


def test_the_bound_is_nowhere_above_the_log_likelihood_and_touches_it_at_the_present_value():
    f1 = DOCUMENTS
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


@pytest.mark.parametrize("start", [0.04, 0.2, 0.44, 0.6, 0.96])
def test_a_step_goes_to_the_top_of_the_bound(start):
    f1 = DOCUMENTS
    run = climb(start, f1)
    for t in range(STEPS + 1):
        r = np.array(shares(run.theta[t], f1))
        assert run.responsibility[t] == pytest.approx(r)
        top = minimize_scalar(lambda u, r=r: -lower_bound(u, r, f1), bounds=(1e-4, 1 - 1e-4), method="bounded",
                              options=dict(xatol=1e-10))  # fmt: skip
        assert run.theta[t + 1] == pytest.approx(top.x, abs=1e-5)
        assert run.theta[t + 1] == pytest.approx((r @ f1) / (10 * r.sum()))
        assert run.top[t] == pytest.approx(-top.fun)


def test_what_the_bound_lacks_is_the_divergence():
    f1 = DOCUMENTS
    for start in (0.1, 0.45, 0.6):
        run = climb(start, f1)
        for t in range(STEPS + 1):
            old, new = (np.column_stack([s, 1 - np.array(s)]) for s in
                        (shares(run.theta[t], f1), shares(run.theta[t + 1], f1)))  # fmt: skip
            divergence = (old * np.log(old / new)).sum()
            assert run.log_likelihood[t + 1] - run.top[t] == pytest.approx(divergence, abs=1e-10)


def test_the_log_likelihood_never_falls_and_gains_at_least_what_the_bound_does():
    f1 = DOCUMENTS
    for start in STARTS:
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


def test_the_start_decides_between_two_summits():
    def summit(low, high):
        return minimize_scalar(lambda u: -log_likelihood(u, DOCUMENTS), bounds=(low, high), method="bounded").x

    valley = minimize_scalar(lambda u: log_likelihood(u, DOCUMENTS), bounds=(0.2, 0.8), method="bounded").x
    low, high = summit(0.01, valley), summit(valley, 0.99)
    assert log_likelihood(low, DOCUMENTS) < log_likelihood(high, DOCUMENTS) - 3
    assert (low, high) == pytest.approx((0.147, 0.870), abs=1e-3)
    for start in STARTS:
        assert find_far_end(start, DOCUMENTS) == pytest.approx(low if start < valley else high, abs=1e-4)


def test_the_title_holds_in_every_state():
    for start, step in product(STARTS, range(STEPS + 1)):
        r = compute_result(LowerBoundExplorer(start=start, step=step))
        now, after, top = r.run.theta[step], r.run.log_likelihood[step + 1], r.run.top[step]
        gain = after - r.run.log_likelihood[step]
        if "summit" in r.finding:
            assert gain < 0.005
            assert min(abs(now - 0.147), abs(now - 0.870)) < 0.006
        else:
            assert f"rises by {top - r.run.log_likelihood[step]:.2f}, the log likelihood by {gain:.2f}" in r.finding


def test_the_step_is_the_one_of_nbcores_m_step_on_the_documents():
    f1 = DOCUMENTS
    rows = np.array([[k, 10 - k] for k in f1], dtype=float)
    r = np.array(shares(0.6, f1))
    nodes = m_step(rows, np.column_stack([r, 1 - r]), MultinomialLeaf(0.0))
    assert climb(0.6, f1).theta[1] == pytest.approx(np.exp(nodes.parameters[0][0, 0]))


def test_the_figure_shows_both_curves_and_where_they_meet():
    explorer = LowerBoundExplorer(start=0.4, step=1)
    r = compute_result(explorer)
    figure, f1 = figure_of(explorer, r), DOCUMENTS
    curve, bound = find_trace(figure, "log likelihood"), find_trace(figure, "its lower bound")
    assert curve.y == pytest.approx([sum(np.log(a + b) for a, b in plainly(u, f1)) for u in THETA])
    assert (bound.y <= curve.y + 1e-12).all()
    marks = {t.meta["mark"]: t for t in figure.data if t.meta and "mark" in t.meta}
    (top,), (reached,) = (zip(marks[m].x, marks[m].y, strict=True) for m in ("top", "reached"))
    assert top[0] == reached[0] == climb(0.4, f1).theta[2]
    assert top[1] >= max(bound.y) - 1e-12
    assert list(marks["KL"].y) == [top[1], reached[1]]


@pytest.mark.parametrize("start", [0.04, 0.4, 0.44, 0.6, 0.96])
def test_the_printed_sum_is_exact(start):
    for step in range(STEPS + 1):
        explorer = LowerBoundExplorer(start=start, step=step)
        r = compute_result(explorer)
        left, right = spoken(explorer.explain(r)).removeprefix("at the bound's top: ").split(" = ")
        assert calculated(left) == pytest.approx(calculated(right), abs=1e-9)
        assert calculated(left) == pytest.approx(r.run.log_likelihood[step + 1], abs=5.1e-4)
        gap = calculated(right.rsplit(" + ", 1)[1])
        assert gap == pytest.approx(r.run.log_likelihood[step + 1] - r.run.top[step], abs=1.1e-3)
        assert gap >= 0


def test_the_prediction_asks_for_what_the_explorer_opens_with():
    r = compute_result(LowerBoundExplorer())
    assert ASKED == DOCUMENTS
    assert first_step(0.6, ASKED) == pytest.approx((r.next[2] - r.now[1], r.next[1] - r.now[1]))
    assert (r.step, r.run.theta[0]) == (0, 0.6)


# --- documents, tokens, smoothing -------------------------------------------------------------------------------------


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


def test_where_the_theorem_holds_no_image_is_decided_otherwise():
    for case in ((0.0, "tokens"), (1.0, "tokens", True)):
        gap, flips = decided_otherwise(*case)
        assert gap < 1e-12
        assert flips == 0
    for case in ((0.0, "documents"), (1.0, "documents"), (1.0, "tokens")):
        gap, flips = decided_otherwise(*case)
        assert gap > 5e-4
        assert 0 < flips < 20


# --- two nodes and their wedge ----------------------------------------------------------------------------------------


def test_the_angle_is_that_of_equal_log_odds():
    """By plain products, on a fine grid of angles."""
    a = xor_ends("soft", "soft")[0].min()
    assert a == pytest.approx(0.1678, abs=1e-4)
    for radius in (2, 10, 100):
        angles = np.linspace(0, 45, 45_001)[:-1]
        x, y = radius * np.cos(np.radians(angles)), radius * np.sin(np.radians(angles))
        nodes = np.logaddexp(x * np.log(a) + y * np.log(1 - a), y * np.log(a) + x * np.log(1 - a)) - np.log(2)
        first = np.flatnonzero(nodes - (x + y) * np.log(0.5) < 0)[0]
        assert wedge_angle(radius) == pytest.approx(angles[first], abs=0.002)


def test_a_hard_start_parts_the_rows_as_a_coin_does():
    """Hard steps keep them where the coin put them; soft steps cannot fill an empty node again."""
    both = [np.unique(np.random.default_rng(seed).dirichlet([1, 1], size=2).argmax(axis=1)).size for seed in range(100)]
    parted = sum(size == 2 for size in both)
    assert parted_starts("hard", "hard") == parted_starts("hard", "soft") == parted == 43
    assert parted_starts("soft", "soft") == 100
    assert parted_starts("soft", "hard") == 72

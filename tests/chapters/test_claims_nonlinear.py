"""Carlos & Rakshit (2016), sections 3.3 to 4: fast entries are measured, slow ones by their logic at a small size."""

import subprocess
import sys

import numpy as np
import pytest
from scipy.optimize import linprog

from nbcore.datasets import SHAPES, load_xor
from nbcore.hierarchical import HierarchicalBayes
from workbook.chapters.c08_xor_nonlinearity import claims as claims_nonlinear
from workbook.chapters.c08_xor_nonlinearity.claims import (
    CLAIMS,
    further_run,
    lines_right,
    of_test_part,
    product_of_sums_right,
)
from workbook.chapters.c08_xor_nonlinearity.experiment import (
    TABLE_4,
    best_of_starts,
    boundary_angle,
    digits_split,
    equal_lengths,
    fit_digits,
    fit_shape,
    points_right,
    r8_accuracies,
    r8_counts,
    shape_accuracies,
    shape_data,
    xor_starts,
)

XOR = load_xor()
SLOW = {"Table 2", "Table 4", "section 4.5"}


def entry(words):
    """The one entry whose statement has these words."""
    (claim,) = [claim for claim in CLAIMS if words in f" {claim.statement}"]
    return claim


@pytest.mark.parametrize(
    "claim", [c for c in CLAIMS if c.stated is not None and c.place not in SLOW], ids=lambda claim: claim.place
)
def test_a_stated_number_agrees_where_the_verdict_says_so(claim):
    assert claim.holds() == (claim.verdict == "reproduced")


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


def test_intervals():
    m = further_run([0.7, 0.72, 0.74])
    assert m.value == pytest.approx(0.72)
    assert m.high - m.value == pytest.approx(4.3027 * 0.02 * np.sqrt(4 / 3), rel=1e-4)
    assert of_test_part(0.5, 100).high == pytest.approx(0.598)


def test_importing_it_measures_nothing():
    code = (
        "from nbcore.hierarchical import HierarchicalBayes\n"
        "HierarchicalBayes.fit = None\n"
        "import workbook.chapters.c08_xor_nonlinearity.claims as c; print(len(c.CLAIMS))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(len(CLAIMS))]

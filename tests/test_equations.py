"""Every numbered equation of the three papers has a public function, and a test by an independent route.

The tables below walk all numbers without a gap. The tests at the end are for the equations that no other test file
proves.
"""

import ast
import importlib
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path

import numpy as np
import pytest

from nbcore import one_hot, perplexed
from nbcore.hierarchical import HierarchicalBayes
from nbcore.naive_bayes import MultinomialNB

HERE = Path(__file__).parent
COUNT = {"Williams (2024)": 14, "Carlos (2015)": 20, "Carlos & Rakshit (2016)": 34}

PREDICT, PROBA = "naive_bayes:MultinomialNB.predict", "naive_bayes:MultinomialNB.predict_proba"
FACTORS, PERPLEXED = "naive_bayes:MultinomialNB.feature_contributions", "perplexed:attenuated_posterior"
NODES, TREE, NAIVE = "hierarchical:HierarchicalBayes", "hierarchical:e_step", "naive_bayes:MultinomialNB"
JOINT = "naive_bayes:MultinomialNB.predict_joint_log_proba"
SUM, PRODUCT, STEP = "hierarchical:sum_of_products", "hierarchical:product_of_sums", "hierarchical:m_step"
MIX, LEAF = "hierarchical:mix_nodes", "hierarchical:MultinomialLeaf"

PRODUCTS = "one_hot:test_q_and_f_equal_the_exact_products"
GROWTH = "equations:test_both_bounds_of_f_grow_faster_than_theta"
BY_HAND = "one_hot:test_the_ratio_bounds_by_hand"
EXTREME = "one_hot:test_the_ratio_of_f_lies_within_its_bounds_and_is_more_extreme_above_the_threshold"
SPARSE = "one_hot:test_sparse_vectors_follow_the_square_of_the_odds"
BOUNDS = "one_hot:test_the_bounds_are_reached_at_a_corner_and_at_the_centre"
STATIONARY = "equations:test_the_centre_is_where_the_lagrangian_is_stationary"
BAYES = "one_hot:test_posteriors_equal_exact_bayes"
IIR = "naive_bayes:test_iir_example"
PEER = "naive_bayes:test_agrees_with_scikit_learn"
SUMMED = "equations:test_contributions_multiply_to_the_likelihood_in_exact_fractions"
ROOT = "perplexed:test_perplexity_is_the_root_of_the_product"
ROOTS = "perplexed:test_roots_against_exact_products"
ARITHMETIC = "perplexed:test_arithmetic_mean_as_printed_and_corrected"
COPIES = "equations:test_copies_of_a_feature_meet_eq_9_to_14_and_disprove_eq_17"
RULES = "equations:test_bayes_rule_over_hidden_nodes_by_loops"
EXACT = "hierarchical:test_both_rules_against_exact_fractions"
HIDDEN = "hierarchical:test_the_e_step_enumerates_hidden_states"
GAUSSIAN = "hierarchical:test_gaussian_em_takes_the_same_steps_as_scikit_learn"
M_STEP = "hierarchical:test_the_m_step_counts_as_eq_27_and_28"
THEOREM = "hierarchical:test_product_of_sums_with_token_weights_is_naive_bayes_for_any_responsibilities"
WHOLE = "hierarchical:test_the_theorem_holds_for_the_whole_classifier"

EQ_8 = "PerplexedTheory:eq_8_is_exact"
MIXED = "HiddenNodes:product_of_sums_is_naive_bayes"

# (paper, number) -> (module:function in nbcore, test file:test that shows it, for most a file:theorem of proofs/)
EQUATIONS = {
    ("Williams (2024)", 1): ("one_hot:f_factor", PRODUCTS, "OneHotRatio:f_sums_to_at_most_one"),
    ("Williams (2024)", 2): ("one_hot:categorical_posterior", BAYES, "OneHotPosterior:one_hot_is_surer_iff"),
    ("Williams (2024)", 3): ("one_hot:product_of_bernoullis_posterior", BAYES, "OneHotPosterior:one_hot_is_surer_iff"),
    ("Williams (2024)", 4): ("one_hot:q_factor", PRODUCTS, "OneHot:Q_lower_bound"),
    ("Williams (2024)", 5): ("one_hot:q_bounds", STATIONARY),
    ("Williams (2024)", 6): ("one_hot:q_bounds", STATIONARY),
    ("Williams (2024)", 7): ("one_hot:q_bounds", STATIONARY, "OneHot:Q_upper_bound"),
    ("Williams (2024)", 8): ("one_hot:q_bounds", BOUNDS, "OneHot:Q_upper_bound"),
    ("Williams (2024)", 9): ("one_hot:f_bounds", BOUNDS, "OneHotRatio:f_bounds"),
    ("Williams (2024)", 10): ("one_hot:f_bounds", BOUNDS, "OneHotRatio:f_bounds"),
    ("Williams (2024)", 11): ("one_hot:f_bounds", GROWTH, "OneHotRatio:f_bounds_grow_faster"),
    ("Williams (2024)", 12): ("one_hot:f_ratio_bounds", BY_HAND, "OneHotRatio:f_ratio_bounds"),
    ("Williams (2024)", 13): ("one_hot:extremeness_threshold", EXTREME, "OneHotRatio:ratio_exceeds_above_threshold"),
    ("Williams (2024)", 14): ("one_hot:sparse_f_ratio", SPARSE, "OneHotRatio:odds_square_at_two_values"),
    ("Carlos (2015)", 1): (PREDICT, PEER),
    ("Carlos (2015)", 2): (PROBA, IIR),
    ("Carlos (2015)", 3): (FACTORS, SUMMED),
    ("Carlos (2015)", 4): (PROBA, PEER),
    ("Carlos (2015)", 5): ("perplexed:perplexity", ROOT),
    ("Carlos (2015)", 6): ("perplexed:inverse_perplexity", ROOT),
    ("Carlos (2015)", 7): ("perplexed:inverse_perplexity", ROOT),
    ("Carlos (2015)", 8): (PERPLEXED, ROOTS, EQ_8),
    **{("Carlos (2015)", n): (PERPLEXED, COPIES, EQ_8) for n in range(9, 15)},
    **{("Carlos (2015)", n): (PERPLEXED, COPIES, "PerplexedTheory:eq_17_does_not_follow") for n in (16, 17)},
    ("Carlos (2015)", 15): ("perplexed:arithmetic_posterior", ARITHMETIC, "PerplexedTheory:eq_15_is_exact"),
    ("Carlos (2015)", 18): ("perplexed:inverse_perplexity", ROOT),
    ("Carlos (2015)", 19): ("perplexed:attenuated_posterior", ROOTS, "Perplexed:eq_19_can_decide_otherwise"),
    ("Carlos (2015)", 20): ("perplexed:attenuated_posterior", ROOTS, "Perplexed:eq_20_keeps_decisions"),
    ("Carlos & Rakshit (2016)", 1): (f"{NODES}.predict", RULES),
    ("Carlos & Rakshit (2016)", 2): (f"{NODES}.predict_proba", RULES),
    ("Carlos & Rakshit (2016)", 3): (TREE, HIDDEN),
    ("Carlos & Rakshit (2016)", 4): (JOINT, SUMMED),
    ("Carlos & Rakshit (2016)", 5): ("hierarchical:run_em", HIDDEN, "EM:path_never_falls"),
    ("Carlos & Rakshit (2016)", 6): ("hierarchical:e_step", HIDDEN, "EM:e_step_bounds"),
    ("Carlos & Rakshit (2016)", 7): (STEP, GAUSSIAN, "EM:m_step_maximises"),
    **{("Carlos & Rakshit (2016)", n): (SUM, EXACT) for n in (8, 9, 10, 34)},
    ("Carlos & Rakshit (2016)", 11): (MIX, EXACT),
    ("Carlos & Rakshit (2016)", 12): (SUM, RULES),
    ("Carlos & Rakshit (2016)", 13): (PRODUCT, EXACT),
    ("Carlos & Rakshit (2016)", 14): (PRODUCT, EXACT),
    ("Carlos & Rakshit (2016)", 15): (f"{NODES}.predict_proba", RULES),
    **{("Carlos & Rakshit (2016)", n): (NAIVE, WHOLE, "HiddenNodes:same_likelihood") for n in (17, 18)},
    ("Carlos & Rakshit (2016)", 16): (NAIVE, WHOLE),
    **{("Carlos & Rakshit (2016)", n): (NAIVE, THEOREM, MIXED) for n in (19, 20)},
    ("Carlos & Rakshit (2016)", 21): ("hierarchical:expected_counts", M_STEP, "HiddenNodes:counts_add_up"),
    **{("Carlos & Rakshit (2016)", n): (STEP, M_STEP, MIXED) for n in (22, 27)},
    **{("Carlos & Rakshit (2016)", n): (f"{LEAF}.estimate", M_STEP, MIXED) for n in (23, 28)},
    **{("Carlos & Rakshit (2016)", n): (MIX, THEOREM, MIXED) for n in (24, 25, 29, 30, 31, 32)},
    ("Carlos & Rakshit (2016)", 26): ("hierarchical:e_step", HIDDEN),
    ("Carlos & Rakshit (2016)", 33): (f"{LEAF}.log_likelihood", EXACT),
}
EVERY = pytest.mark.parametrize(("paper", "number"), sorted(EQUATIONS), ids=lambda part: str(part).replace(" ", "_"))


def find(place):
    """The module, the object and the class around it (or None) at "module:function" or "module:Class.method"."""
    module, name = place.split(":")
    module = importlib.import_module(f"nbcore.{module}")
    owner, _, method = name.partition(".")
    around = getattr(module, owner)
    return module, getattr(around, method) if method else around, around if method else None


def names_of_tests(file):
    return {node.name for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)}


def test_the_tables_have_every_number_and_no_other():
    assert set(EQUATIONS) == {(paper, n) for paper, last in COUNT.items() for n in range(1, last + 1)}


@EVERY
def test_its_function_exists_and_is_public(paper, number):
    place, *_ = EQUATIONS[paper, number]
    module, function, _ = find(place)
    assert callable(function)
    owner, *method = place.split(":")[1].split(".")
    assert owner in module.__all__, f"{place} is not in __all__"
    assert not any(name.startswith("_") for name in (owner, *method))


@EVERY
def test_a_test_proves_it(paper, number):
    file, name = EQUATIONS[paper, number][1].split(":")
    assert name in names_of_tests(HERE / f"test_{file}.py"), f"tests/test_{file}.py has no {name}"


# -------------------------------------------------------------------------------- Williams (2024), eq. (5)-(7), (11)


def q(theta, j=0):
    return prod(1 - t for k, t in enumerate(theta) if k != j)


@pytest.mark.parametrize("K", [2, 3, 4, 7])
@pytest.mark.parametrize("theta_j", [Fraction(0), Fraction(1, 5), Fraction(2, 3), Fraction(1)])
def test_the_centre_is_where_the_lagrangian_is_stationary(K, theta_j):
    """Q^-j is linear in each theta_i, so that a difference over a step of 1 is its derivative, exactly: eq. (5)."""
    centre = [theta_j] + [(1 - theta_j) / (K - 1)] * (K - 1)
    steps = [[t + (k == i) for k, t in enumerate(centre)] for i in range(1, K)]
    slopes = {q(stepped) - q(centre) for stepped in steps}
    assert len(slopes) == 1  # the same for every i: with lambda = -slope eq. (5) is 0
    slope = slopes.pop()
    assert (1 - centre[1]) * -slope == q(centre)  # eq. (6): (1 - theta_i) lambda = Q
    assert 1 - centre[1] == (K - 2 + theta_j) / (K - 1)  # eq. (7)
    upper = one_hot.q_bounds(float(theta_j), K)[1]
    assert upper == pytest.approx(float((1 - centre[1]) ** (K - 1)), rel=1e-12)
    rng = np.random.default_rng(0)
    others = (1 - float(theta_j)) * rng.dirichlet(np.ones(K - 1), 200)
    assert (np.prod(1 - others, axis=1) <= upper + 1e-12).all()


@pytest.mark.parametrize("K", [2, 3, 6, 50])
def test_both_bounds_of_f_grow_faster_than_theta(K):
    theta = [Fraction(n, 40) for n in range(1, 40)]
    lower, upper = one_hot.f_bounds(np.array(theta, dtype=float), K)
    for bound, exact in (
        (lower, [t**2 for t in theta]),
        (upper, [t * ((K - 2 + t) / (K - 1)) ** (K - 1) for t in theta]),
    ):
        np.testing.assert_allclose(bound, np.array(exact, dtype=float), rtol=1e-12)
        for a, b in product(range(39), repeat=2):
            if b > a:
                assert exact[b] / exact[a] > theta[b] / theta[a]
                assert bound[b] / bound[a] > float(theta[b] / theta[a])


# --------------------------------------------------------------------------------- Carlos (2015), eq. (3), (9)-(17)


def test_contributions_multiply_to_the_likelihood_in_exact_fractions():
    """Carlos (2015), eq. (3), and with the prior Carlos & Rakshit (2016), eq. (4): a product over features."""
    X, y = np.array([[2, 0, 1], [1, 1, 0], [0, 3, 1], [0, 1, 2]]), np.array([0, 0, 1, 1])
    model = MultinomialNB(alpha=1).fit(X, y)
    factors, joint = np.exp(model.feature_contributions(X)), np.exp(model.predict_joint_log_proba(X))
    for i, c in product(range(4), range(2)):
        count = X[y == c].sum(axis=0).tolist()
        p = [Fraction(n + 1, sum(count) + 3) ** int(x) for n, x in zip(count, X[i], strict=True)]
        np.testing.assert_allclose(factors[i, c], np.array(p, dtype=float), rtol=1e-12)
        assert joint[i, c] == pytest.approx(float(prod(p) / 2), rel=1e-12)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_copies_of_a_feature_meet_eq_9_to_14_and_disprove_eq_17(n):
    """All n features are one: the joint distribution is enumerated. Every feature alone says all, as eq. (9) wants."""
    prior = [Fraction(1, 3), Fraction(2, 3)]
    given = [[Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)], [Fraction(1, 10), Fraction(3, 10), Fraction(6, 10)]]
    posteriors, evidences = [], []
    for value in range(3):
        joint = [prior[c] * given[c][value] for c in range(2)]  # of the n copies, as of one
        exact = [p / sum(joint) for p in joint]
        alone = [[prior[c] * given[c][value] / sum(joint) for c in range(2)] for _ in range(n)]
        assert all(each == exact for each in alone)  # eq. (9), (10)
        for c in range(2):
            assert exact[c] ** n == prod(each[c] for each in alone)  # eq. (11)
            assert exact[c] ** n == prod(given[c][value] * prior[c] / sum(joint) for _ in range(n))  # eq. (12)
            assert exact[c] ** n == given[c][value] ** n * prior[c] ** n / sum(joint) ** n  # eq. (13)
        log_likelihood = [n * np.log(float(given[c][value])) for c in range(2)]
        ours = perplexed.attenuated_posterior(log_likelihood, np.log([float(p) for p in prior]), n, 1, "exact")
        np.testing.assert_allclose(ours, [float(p) for p in exact], rtol=1e-12)  # eq. (14)
        posteriors.append(ours)
        evidences.append(float(sum(joint)))
    np.testing.assert_allclose(np.array(evidences) @ posteriors, [1 / 3, 2 / 3], rtol=1e-12)  # eq. (16)
    assert np.ptp(posteriors, axis=0).min() > 0.5  # eq. (17) needs P(c|F) to be the same for every F: it is not


# ------------------------------------------------------------------------------ Carlos & Rakshit (2016), section 3


@pytest.mark.parametrize("rule", ["sum_of_products", "product_of_sums"])
def test_bayes_rule_over_hidden_nodes_by_loops(rule):
    """Eq. (1), (2) over eq. (12), and over eq. (15), from the learned parameters, one product at a time."""
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 4, size=(30, 3)), np.arange(30) % 3
    model = HierarchicalBayes(2, rule=rule, n_restarts=1, max_iter=3, tol=0, random_state=0).fit(X, y)
    node, feature = np.exp(model.node_log_prob_), np.exp(model.feature_log_prob_)
    for x, posterior, decided in zip(X, model.predict_proba(X), model.predict(X), strict=True):
        likelihood = []
        for c in range(3):
            if rule == "sum_of_products":
                by_node = [node[c, h] * prod(feature[c, h, f] ** x[f] for f in range(3)) for h in range(2)]
                likelihood.append(sum(by_node))
            else:
                mixed = [sum(node[c, h] * feature[c, h, f] for h in range(2)) for f in range(3)]
                likelihood.append(prod(mixed[f] ** x[f] for f in range(3)))
        joint = np.array(likelihood) / 3  # P(c): ten rows of thirty each
        np.testing.assert_allclose(posterior, joint / joint.sum(), rtol=1e-10)
        assert decided == joint.argmax()

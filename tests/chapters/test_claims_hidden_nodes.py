"""Each statement of Carlos & Rakshit (2016), sections 2 to 3.2: our number bears out the verdict of the ledger."""

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.naive_bayes import MultinomialNB

from nbcore.hierarchical import Nodes
from workbook.chapters.c07_hidden_nodes.claims import CLAIMS, difference, naive_profile, random_difference
from workbook.chapters.c07_hidden_nodes.em_steps import gain
from workbook.chapters.c07_hidden_nodes.experiment import STRIPS, count_strips, ones
from workbook.learning import predict


def measured(words):
    """The value of the one entry whose statement or place has these words."""
    (claim,) = [claim for claim in CLAIMS if words in f"{claim.place}: {claim.statement}"]
    return claim.measure().value


@pytest.mark.parametrize("claim", [c for c in CLAIMS if c.stated is not None], ids=lambda claim: claim.place)
def test_a_stated_number_agrees_where_the_verdict_says_so(claim):
    assert claim.holds() == (claim.verdict == "reproduced")


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

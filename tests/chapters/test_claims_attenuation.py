"""Each statement of Carlos (2015), section 4: our number bears out the verdict that the ledger gives."""

import numpy as np
import pytest

from workbook.chapters.c05_perplexity_attenuation.claims import CLAIMS, gap_to_naive_bayes, grouped_items

MEASURED = {}


def measured(words):
    """The measurement of the one entry whose place and statement have these words."""
    (claim,) = [claim for claim in CLAIMS if words in f"{claim.place}: {claim.statement}"]
    if words not in MEASURED:
        MEASURED[words] = claim.measure()
    return MEASURED[words]


@pytest.mark.parametrize("claim", [c for c in CLAIMS if c.stated is not None], ids=lambda claim: claim.statement[:40])
def test_a_stated_number_agrees_where_the_verdict_says_so(claim):
    assert claim.holds() == (claim.verdict == "reproduced")


def test_the_tables_meet_eq_10_by_plain_sums():
    seen = list(grouped_items())
    assert len(seen) == 3 * 2 * 6
    for posterior, likelihoods, evidence, prior in seen:
        for likelihood, p in zip(likelihoods, evidence, strict=True):
            np.testing.assert_allclose(likelihood * prior / p, posterior)  # P(c|f_i) = P(c|x)
    evidence = np.array([p for _, _, p, _ in seen])
    assert np.ptp(evidence[:, 0] / evidence[:, 1]) > 1, "P(f_i) differs from feature to feature: no copies"


def test_sentences_about_confidence():
    surplus = measured("section 1:").value
    assert abs(surplus[0]) < 0.01
    assert all(np.diff(surplus) > 0)
    assert surplus[-1] > 0.1
    assert all(np.diff(measured("Lower k is more perplexity").value) > 0)


def test_eq_8_and_15_change_many_decisions_of_every_length():
    assert min(measured("by eq. (8)").value) > 100
    assert min(measured("by eq. (15)").value) > 400


def test_as_printed_the_arithmetic_mean_is_far_worse_than_corrected():
    accuracy = measured("eq. (15): Eq. (15) gives")
    assert accuracy.high[0] < 0.65 < 0.7 < accuracy.low[1]


def test_copies_say_a_lot_and_depend_on_each_other():
    p = 0.75, 0.25
    joint = {(c, v): 0.5 * (p[c] if v else 1 - p[c]) for c in (0, 1) for v in (0, 1)}  # all copies say v
    of_one = joint[0, 1] / (joint[0, 1] + joint[1, 1])
    assert measured("implies P(c|x) = P(c)").value == pytest.approx(of_one - 0.5)
    assert measured("need not be class-conditionally").value == pytest.approx(p[0] - p[0] * p[0])


def test_where_eq_20_is_naive_bayes():
    assert 0.001 < measured("k ranges from 1 to n").value < 0.1
    assert gap_to_naive_bayes("approximate", 1).value < 1e-9
    assert gap_to_naive_bayes("exact", 1).value > 0.001
    assert 0.01 < max(measured("approximates eq. (19)").value) < 0.1

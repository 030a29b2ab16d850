"""Each statement of Williams (2024), sections 3 and 4: our number bears out the verdict that the ledger gives."""

import numpy as np
import pytest

from workbook.chapters.c04_one_hot_experiments.claims import CLAIMS, table_measured
from workbook.chapters.c04_one_hot_experiments.experiment import PAPER, share_interval

MEASURED = {}


def measured(words):
    """The measurement of the one entry whose statement has these words."""
    (claim,) = [claim for claim in CLAIMS if words in claim.statement]
    if words not in MEASURED:
        MEASURED[words] = claim.measure()
    return MEASURED[words]


@pytest.mark.parametrize("claim", [c for c in CLAIMS if c.stated is not None], ids=lambda claim: claim.statement[:40])
def test_a_stated_number_agrees_where_the_verdict_says_so(claim):
    assert claim.holds() == (claim.verdict == "reproduced")


def test_the_tables_are_all_there():
    stated = [claim.stated for claim in CLAIMS[:12]]
    assert stated == [row[column] for column in (0, 1) for row in PAPER.values()]
    assert [claim.verdict for claim in CLAIMS[:12]].count("differs") == 1, "the 82.0"


def test_the_interval_is_that_of_a_run_of_100():
    m = table_measured("more_confident", 1.0, 3)
    assert (m.high - m.low) / 2 == pytest.approx(1.96 * 0.0254, rel=0.02)


def test_sentences_about_the_scatter():
    assert measured("slope of the scatter around 0").low > 1
    wide, narrow = zip(*(getattr(measured("spread wider"), end) for end in ("low", "high")), strict=True)
    assert min(wide) > 2 * max(narrow)
    on_the_line, not_there = measured("Many points lie on the line"), measured("no obvious alignment")
    assert on_the_line.low > 5 * not_there.high
    assert measured("is not a bound").low > 0.1
    six, three, six_sparse, three_sparse = measured("closer to the diagonal").value
    assert six < three / 2
    assert six_sparse < three_sparse / 1.5


def test_sentences_about_the_winning_class():
    assert measured("almost all of class c's wins").low > 0.98
    assert measured("push the points between").low > 0.8


def test_sentences_about_posteriors_and_decisions():
    unsure, sure = measured("Other decisions are more likely").value
    assert unsure > 0.25
    assert sure < 0.001
    for words in ("scatter around the diagonal of", "Fewer decisions differ"):
        assert np.all(np.diff(measured(words).value) < 0)
    difference = measured("More decisions differ")
    assert difference.high[0] < 0 < difference.low[1] < difference.low[2]


def test_sentences_about_several_variables():
    one, two, four = measured("is magnified").value
    assert two == pytest.approx(2 * one)
    assert four == pytest.approx(4 * one)
    assert measured("tend to cancel").value == pytest.approx(0, abs=1e-12)


def test_the_interval_of_a_share_by_bootstrap():
    rng = np.random.default_rng(0)
    among = rng.random((400, 5)) < 0.4
    event = among & (rng.random((400, 1)) < 0.5)
    ratio, low, high = share_interval(event, among)
    picks = rng.integers(0, 400, (2000, 400))
    bootstrap = [event[pick].sum() / among[pick].sum() for pick in picks]
    assert ratio == event.sum() / among.sum()
    assert high - low == pytest.approx(2 * 1.96 * np.std(bootstrap), rel=0.08)

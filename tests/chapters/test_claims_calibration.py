"""Each statement of Carlos (2015), section 5: our number bears out the verdict that the ledger gives."""

from pathlib import Path

import nbformat
import numpy as np
import pytest

from nbcore.naive_bayes import MultinomialNB
from nbcore.perplexed import PerplexedBayes
from workbook.chapters.c06_calibration.claims import CLAIMS, LENGTHS, STATED, TABLE_1, paper_splits, spread_over_splits
from workbook.chapters.c06_calibration.experiment import flat_k, validated_k
from workbook.chapters.c06_calibration.paper_names import HOW_TO, on_the_papers_names
from workbook.chapters.names import names_split

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "06_calibration.ipynb"
PRINTED = [claim for claim in CLAIMS if claim.verdict == "cannot be"]


def measured(words):
    """The measurement of the one entry whose statement has these words."""
    (claim,) = [claim for claim in CLAIMS if words in claim.statement]
    return claim.measure()


@pytest.mark.parametrize(
    "claim", [c for c in CLAIMS if c.stated is not None and c not in PRINTED], ids=lambda c: c.statement[:40]
)
def test_a_stated_number_agrees_where_the_verdict_says_so(claim, papers_data):
    assert claim.holds() == (claim.verdict == "reproduced")


@pytest.mark.parametrize("claim", PRINTED, ids=lambda c: c.statement[:40])
def test_the_paper_contradicts_itself_without_any_data(claim):
    assert claim.holds() is False
    assert claim.measure().is_exact


def test_the_stated_numbers_are_all_there():
    stated = [claim.stated for claim in CLAIMS[:12]]
    assert stated == [*STATED["accuracy"], *STATED["rmse_naive"], *STATED["rmse_validated"]]
    for which in TABLE_1:
        assert sum(TABLE_1[which][0]) == 1590


def test_sentences_without_a_number(papers_data):
    assert min(measured("calibration of naive Bayes deteriorates").low) > 0
    assert max(measured("spread more evenly").high) < 0.5
    better = measured("better calibrated")
    assert max(better.value) < 0.5
    assert max(better.high) < 1
    random = measured("almost randomly")
    assert random.high < 0.6


def test_a_split_by_the_estimators_themselves(papers_data):
    """One number of the 80, by the public route: fit, choose k, predict."""
    from nbcore.calibration import reliability_bins
    from nbcore.datasets import name_ngrams

    split = names_split(2, 4, "paper")
    X, vocabulary = name_ngrams(split.training.names, 2)
    X_test, _ = name_ngrams(split.test.names, 2, vocabulary)
    for name, k in (("rmse_validated", validated_k(split)), ("rmse_flat", flat_k(split))):
        proba = PerplexedBayes(MultinomialNB(), k=k).fit(X, split.training.y).predict_proba(X_test)
        assert paper_splits(2, name)[4] == pytest.approx(reliability_bins(split.test.y, proba).rmse(), abs=1e-6)
    assert paper_splits(2, "k_flat")[4] == flat_k(split)


def test_the_interval_holds_the_next_split():
    """Twenty draws predict the next one in 95 of 100 cases."""
    rng = np.random.default_rng(0)
    draws = rng.standard_normal((4000, 21))
    ends = spread_over_splits(draws[:, :20].T)
    inside = (draws[:, 20] > ends.low) & (draws[:, 20] < ends.high)
    assert inside.mean() == pytest.approx(0.95, abs=0.012)


def test_the_page_shows_the_ledgers_numbers(papers_data):
    """nbval passes over this cell, since it says something else where the names are not: so it is compared here."""
    (cell,) = [cell for cell in nbformat.read(NOTEBOOK, 4).cells if cell.id == "paper-run"]
    (output,) = cell.outputs
    table = on_the_papers_names()
    assert output.data["text/plain"] == repr(table)
    assert [claim.stated for claim, _ in table.rows[:12]] == [claim.stated for claim in CLAIMS[:12]]
    assert repr(table).count("differs") == 3
    assert len(LENGTHS) * 3 + 1 == len(table.rows)


def test_without_the_names_it_says_how_to_get_them(tmp_path, monkeypatch):
    monkeypatch.setenv("NBCORE_DATA", str(tmp_path))
    assert repr(on_the_papers_names()) == HOW_TO
    assert not list(tmp_path.iterdir()), "nothing is downloaded unasked"

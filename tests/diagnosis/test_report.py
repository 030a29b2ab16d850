"""The report: in which order, and in which words."""

from copy import copy
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import entropy
from sklearn.datasets import load_breast_cancer

from nbcore import diagnose
from nbcore.diagnosis.finding import RULE
from nbcore.naive_bayes import GaussianNB
from tests.diagnosis.worlds import marks, wrong_prior


@pytest.fixture(scope="module")
def report():
    A, a, B, b, model = wrong_prior(0)
    B[:, 1] = B[:, 0] + 0.1 * np.random.default_rng(0).normal(size=len(B))  # a near copy
    return diagnose(model.fit(A, a), B, b)


def test_the_dearest_comes_first_and_is_found_by_its_name(report):
    assert len(report.findings) > 1
    costs = [finding.cost for finding in report.findings]
    assert costs == sorted(costs, reverse=True)
    assert "prior" in report
    assert report["prior"].name == "prior"
    assert "magic" not in report
    with pytest.raises(ValueError, match="name must be one of"):
        report["magic"]
    assert list(report.remedies) == [finding.name for finding in report.findings if finding.best]
    assert all(remedy.sure for remedy in report.remedies.values())


def test_a_cause_goes_before_its_symptom():
    report = diagnose(GaussianNB(), *load_breast_cancer(return_X_y=True), cv=10)
    assert [finding.name for finding in report.findings] == ["copies", "event_model", "calibration"]
    assert report["calibration"].cost > report["event_model"].cost


def test_loss_and_accuracy_are_those_of_the_rows(report):
    p = report.case.model.predict_proba(report.case.X)
    assert report.log_loss == pytest.approx(-np.log(p[np.arange(len(p)), report.case.y]).mean())
    assert report.accuracy == (p.argmax(axis=1) == report.case.y).mean()


def test_the_text_numbers_the_findings_and_says_once_when_a_remedy_counts(report):
    head, empty, first, tried, *_, blank, rule = str(report).splitlines()
    assert head == report.summary
    assert head.startswith("GaussianNB on 500 rows given as new to it, 8 features, 2 classes: accuracy ")
    assert (empty, blank) == ("", "")
    best = report.findings[0]
    assert first == f"1. {best.name}: costs {best.cost:.3f} nats a row. {best.sentence} See page {best.chapter}."
    assert tried == f"   tried: {best.remedies[0]}"
    assert str(report).count("   tried: ") == sum(len(finding.remedies) for finding in report.findings)
    assert f"   better, after = report.apply({best.name!r})" in str(report)
    assert rule == f"{RULE} Costs overlap: they do not add up."
    assert repr(report) == str(report), "so that a cell of Jupyter may end with it"
    unmended = copy(report)
    unmended.findings = [replace(best, remedies=tuple(replace(one, interval=(-1.0, 1.0)) for one in best.remedies))]
    assert f"\n1. {best.name}: no remedy gains for sure. {best.sentence}" in str(unmended), "no cost of 0.000"
    assert "report.apply" not in str(unmended)
    unmended.findings = []
    assert str(unmended).startswith(f"{unmended.summary}\nNothing found that costs for sure; more rows may show more.")


def test_the_shares_alone_are_named_where_they_do_as_well():
    rng = np.random.default_rng(0)
    y = (rng.random(400) < 0.3).astype(int)
    said = diagnose(GaussianNB(), rng.normal(size=(400, 4)), y, cv=5).summary
    share = np.bincount(y) / 400
    assert said.endswith(f"The classes' shares alone have {share.max():.3f} and {entropy(share):.3f}.")
    A, a, B, b, model = marks(0)
    assert "shares" not in diagnose(model.fit(A, a), B, b).summary


def test_apply_without_training_rows_learns_from_these_by_folds():
    A, a, B, b, model = wrong_prior(0)
    report = diagnose(model.fit(A, a), B, b)
    fitted, after = report.apply("prior")
    assert fitted.model is model
    assert after.case.cv == 5
    assert after.log_loss == pytest.approx(report["prior"].remedies[0].after, abs=0.01)
    by_folds = diagnose(GaussianNB(priors=[0.95, 0.05]), A, a, cv=3)
    assert by_folds.apply("prior", B, b)[1].case.cv == 3, "the rows that it was given"

"""The report: in which order, in which words, and what of it json can hold."""

import json
from copy import copy
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import entropy

from nbcore import diagnose
from nbcore.diagnosis.report import _to_json
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


def test_loss_and_accuracy_are_those_of_the_rows(report):
    p = report.case.model.predict_proba(report.case.X)
    assert report.log_loss == pytest.approx(-np.log(p[np.arange(len(p)), report.case.y]).mean())
    assert report.accuracy == (p.argmax(axis=1) == report.case.y).mean()


def test_the_text_numbers_the_findings_and_shows_their_code(report):
    head, remark, empty, first, number, *_ = str(report).splitlines()
    assert head == report.summary
    assert head.startswith("GaussianNB on 500 rows given as new to it, 8 features, 2 classes: accuracy ")
    assert remark.startswith("Costs overlap")
    assert empty == ""
    best = report.findings[0]
    assert first == f"1. {best.name}: costs {best.cost:.3f} nats a row. {best.sentence}"
    low, high = best.interval
    assert number == f"   {best.meaning}: {best.number:.3g} (95 %: {low:.3g} to {high:.3g}); see page {best.chapter}"
    assert str(report).count("   tried: ") == sum(len(finding.remedies) for finding in report.findings)
    for at, finding in enumerate(report.findings, 1):
        assert f"\n{at}. {finding.name}: " in str(report)
    code = [line.removeprefix("   | ") for line in str(report).splitlines() if line.startswith("   | ")]
    assert code == [line for finding in report.findings for line in finding.remedy.splitlines() if line]
    assert repr(report) == f"Report({', '.join(f'{f.name} {f.cost_text}' for f in report.findings)})"
    unmended = copy(report)
    unmended.findings = [replace(best, remedies=tuple(replace(one, sure=False) for one in best.remedies))]
    assert f"\n1. {best.name}: no remedy gains for sure. {best.sentence}\n" in str(unmended), "no cost of 0.000"
    assert repr(unmended) == f"Report({best.name} no remedy gains for sure)"
    assert "</b>: no remedy gains for sure. " in unmended._repr_html_()
    html = report._repr_html_()
    assert html.count("<p>Costs overlap") == 1
    assert html.count("<li><p><b>") == len(report.findings)
    assert html.count("The remedy as code") == len(report.findings)


def test_two_findings_overlap_one_does_not_and_with_none_it_says_so():
    A, a, B, b, model = wrong_prior(0)
    one = diagnose(model.fit(A, a), B, b)
    one.findings = one.findings[:1] * 2
    assert (str(one) + one._repr_html_()).count("Costs overlap") == 2
    one.findings = one.findings[:1]
    assert "Costs overlap" not in str(one) + one._repr_html_()
    one.findings = []
    assert str(one).splitlines() == [one.summary, "Nothing found."]
    assert repr(one) == "Report(nothing found)"


def test_the_shares_alone_are_named_where_they_do_as_well():
    rng = np.random.default_rng(0)
    y = (rng.random(400) < 0.3).astype(int)
    said = diagnose(GaussianNB(), rng.normal(size=(400, 4)), y, cv=5).summary
    share = np.bincount(y) / 400
    assert said.endswith(f"The classes' shares alone have {share.max():.3f} and {entropy(share):.3f}.")
    A, a, B, b, model = marks(0)
    assert "shares" not in diagnose(model.fit(A, a), B, b).summary


def test_everything_said_fits_into_json(report):
    said = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert (said["rows"], said["features"], said["classes"]) == (500, 8, [0, 1])
    assert (said["model"], said["event_model"]) == ("GaussianNB", "gaussian")
    assert said["log_loss"] == report.log_loss
    for told, finding in zip(said["findings"], report.findings, strict=True):
        assert told["cost"] == finding.cost
        assert told["columns"] == list(finding.columns)
        assert [tried["gain"] if "gain" in tried else tried["before"] - tried["after"] for tried in told["tried"]] == (
            pytest.approx([remedy.gain for remedy in finding.remedies]))  # fmt: skip
    plain = _to_json({1: np.array([1.0, np.nan]), "b": (np.int64(3), np.float64("inf"), "x", np.bool_(True), None)})
    assert plain == {"1": [1.0, None], "b": [3, None, "x", True, None]}
    assert [type(value) for value in plain["b"][:1]] == [int]


def test_apply_without_training_rows_learns_from_these_by_folds():
    A, a, B, b, model = wrong_prior(0)
    report = diagnose(model.fit(A, a), B, b)
    fitted, after = report.apply("prior")
    assert fitted.model is model
    assert after.case.cv == 5
    assert after.log_loss == pytest.approx(report["prior"].remedies[0].after, abs=0.01)
    by_folds = diagnose(GaussianNB(priors=[0.95, 0.05]), A, a, cv=3)
    assert by_folds.apply("prior", B, b)[1].case.cv == 3, "the rows that it was given"

"""Chapter 09's explorer shows nbcore's numbers, by routes of their own: scikit-learn's model, plain EM, the labels."""

import numpy as np
import pytest
from sklearn.naive_bayes import BernoulliNB as Reference

from nbcore.naive_bayes import BernoulliNB
from nbcore.semi_supervised import SemiSupervisedNB
from workbook.chapters.c09_semi_supervised_em.experiment import LEARN, STEPS, digit_split, label_budget
from workbook.chapters.c09_semi_supervised_em.label_budget import IMAGINED
from workbook.explorers import LabelBudgetExplorer


def result(explorer):
    return explorer.compute(**explorer.state)


@pytest.mark.parametrize("state", [dict(labels=40, weight=0.2, step=3), dict(labels=320, clamp=False, step=7, seed=2),
                                   dict(digits=IMAGINED, step=1)])  # fmt: skip
def test_the_step_in_view_is_that_of_plain_em(state):
    explorer = LabelBudgetExplorer(**state)
    s = explorer.state
    X, y, X_test, y_test = digit_split(s["seed"], s["digits"] == IMAGINED)
    given = np.where(np.arange(LEARN) < s["labels"], y, -1)
    plain = SemiSupervisedNB(
        BernoulliNB(), clamp=s["clamp"], unlabelled_weight=s["weight"], max_iter=s["step"], tol=0
    ).fit(X, given)
    r = result(explorer)
    traces = explorer.draw(r).data
    (here,) = [t for t in traces if t.xaxis == "x" and t.mode == "markers"]
    assert (here.x[0], here.y[0]) == (s["step"], plain.score(X_test, y_test))
    (rise,) = [t for t in traces if t.xaxis == "x2" and t.mode == "markers"]
    path = plain.log_likelihood_path_
    assert rise.y[0] == pytest.approx((path[-1] - path[0]) / 1000)
    for c, digit in enumerate(plain.classes_):
        np.testing.assert_allclose(r.images[digit].ravel(), np.exp(plain.estimator_.feature_log_prob_[c]))
    assert f"after step {s['step']}: {here.y[0]:.3f}" in explorer.describe(r)


def test_the_levels_are_the_labels_alone_and_all_labels():
    explorer = LabelBudgetExplorer(labels=80, seed=4)
    X, y, X_test, y_test = digit_split(4)
    lines = [trace for trace in explorer.draw(result(explorer)).data if trace.type == "scatter"]
    levels = {trace.name: trace.y[0] for trace in lines if trace.mode == "lines"}
    assert levels == {
        "80 labels alone": Reference().fit(X[:80], y[:80]).score(X_test, y_test),
        "all 1,000 labels": Reference().fit(X, y).score(X_test, y_test),
    }


def test_a_digit_without_a_label_has_no_picture_and_every_other_stands_in_its_place():
    explorer = LabelBudgetExplorer()
    r = result(explorer)
    missing = set(range(10)) - set(digit_split(0)[1][:20].tolist())
    assert {d for d in range(10) if np.isnan(r.images[d]).all()} == missing
    assert f"({len(missing)} of the ten digits not among them)" in explorer.describe(r)
    figure = explorer.draw(r)
    (heat,) = [trace for trace in figure.data if trace.type == "heatmap"]
    shown = [note.text for note in figure.layout.annotations]
    for digit, image in enumerate(r.images):
        top, left = 11 * (digit // 5) + 3, 9 * (digit % 5)
        np.testing.assert_array_equal(np.asarray(heat.z)[top : top + 8, left : left + 8], image)
        assert (f"{digit}: –" if digit in missing else str(digit)) in shown


def test_the_step_slider_only_picks():
    before = label_budget.cache_info().misses
    explorer = LabelBudgetExplorer(seed=7)
    for step in range(STEPS + 1):
        explorer.compute(**explorer.state | dict(step=step))
    assert label_budget.cache_info().misses <= before + 1

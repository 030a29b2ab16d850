"""Chapter 00."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from workbook.chapters.c00_start_here.bayes_rule import PREVALENCES
from workbook.explorers import BayesRuleExplorer
from workbook.page.formula import spoken

# --- Chapter 00's explorer: whole people and exact fractions say the same as the figure.


@pytest.mark.parametrize("result", ["positive", "negative"])
def test_the_posterior_is_bayes_rule_in_fractions(result):
    explorer = BayesRuleExplorer()
    for prevalence, sensitivity, specificity in product(PREVALENCES, (0.05, 0.8, 0.99), (0.5, 0.904, 0.996)):
        r = explorer.compute(prevalence, sensitivity, specificity, result)
        p, hit, clear = (Fraction(str(x)) for x in (prevalence, sensitivity, specificity))
        ill, well = (p * hit, (1 - p) * (1 - clear)) if result == "positive" else (p * (1 - hit), (1 - p) * clear)
        assert r.posterior == pytest.approx(float(ill / (ill + well)), rel=1e-12)
        assert r.crowd.sum() == 1000
        if r.seen.sum() > 200:
            assert r.seen[0] / r.seen.sum() == pytest.approx(r.posterior, abs=0.01)


def test_every_person_has_one_sign_and_the_bars_are_the_beliefs():
    explorer = BayesRuleExplorer(prevalence=0.2, result="negative")
    r = explorer.compute(**explorer.state)
    *crowd, _, bars = explorer.draw(r).data
    places = {(x, y) for trace in crowd for x, y in zip(trace.x, trace.y, strict=True)}
    assert len(places) == sum(len(trace.x) for trace in crowd) == 1000
    shown = {trace.name: len(trace.x) for trace in crowd}
    assert shown == {"ill, positive": 160, "ill, negative": 40, "well, negative": 723, "well, positive": 77}
    np.testing.assert_allclose(bars.y, [0.2, r.posterior])


@pytest.mark.parametrize("state", [dict(sensitivity=0.0, specificity=1.0), dict(prevalence=0.001, sensitivity=0.3)])
def test_a_result_that_hardly_anybody_has(state):
    explorer = BayesRuleExplorer(**state)
    r = explorer.compute(**explorer.state)
    assert np.isfinite(r.posterior)
    assert explorer.describe(r).endswith(".")


@pytest.mark.parametrize("result", ["positive", "negative"])
@pytest.mark.parametrize(
    ("prevalence", "sensitivity", "specificity"),
    [
        (0.01, 0.8, 0.904),
        (0.001, 1.0, 0.996),
        (0.5, 0.0, 0.5),
        (0.3, 1.0, 1.0),
        (0.002, 0.07, 0.504),
        (0.1, 0.0, 0.996),
    ],
)
def test_the_printed_quotient_is_the_printed_posterior(prevalence, sensitivity, specificity, result):
    """By a calculator that reads nothing but the line, and by whole people of a million."""
    explorer = BayesRuleExplorer(prevalence=prevalence, sensitivity=sensitivity, specificity=specificity, result=result)
    quotient, answer = spoken(explorer.explain(explorer.compute(**explorer.state))).split(" = ")
    assert float(answer) == pytest.approx(eval(quotient.replace("·", "*")), rel=0.005)
    ill, well = round(1_000_000 * prevalence), round(1_000_000 * (1 - prevalence))
    rates = (sensitivity, 1 - specificity) if result == "positive" else (1 - sensitivity, specificity)
    seen = [ill * rates[0], well * rates[1]]
    assert float(answer) == pytest.approx(seen[0] / sum(seen), rel=0.005)


def test_nobody_has_the_result():
    explorer = BayesRuleExplorer(prevalence=0.2, sensitivity=0.0, specificity=1.0)
    r = explorer.compute(**explorer.state)
    assert spoken(explorer.explain(r)).startswith("(0.2 · 0) / (0.2 · 0 + 0.8 · 0) = undefined")
    assert r.posterior == 0.2, "the prior is kept"


@pytest.mark.parametrize(
    "state", [{}, dict(prevalence=0.3, sensitivity=0.35, result="negative"), dict(sensitivity=1.0)]
)
def test_the_four_areas_fill_the_square_and_its_edges_are_the_grips(state):
    explorer = BayesRuleExplorer(**state)
    r = explorer.compute(**explorer.state)
    figure = explorer.draw(r)
    *_, areas, _ = figure.data
    sizes = np.multiply(areas.width, areas.y)
    assert sizes.sum() == pytest.approx(1)
    assert sizes * 1000 == pytest.approx(r.crowd.ravel(), abs=0.51), "the crowd, in parts of one"
    left, right = np.subtract(areas.x, np.divide(areas.width, 2)), np.add(areas.x, np.divide(areas.width, 2))
    assert left == pytest.approx([0, 0, r.prevalence, r.prevalence])
    assert right == pytest.approx([r.prevalence, r.prevalence, 1, 1])
    assert np.add(areas.base, areas.y)[[1, 3]] == pytest.approx([1, 1])
    grips = {grip["controls"][0]: grip for grip in figure.layout.meta["handles"]}
    assert grips["prevalence"]["x"] == right[0]
    assert (grips["sensitivity"]["y"], grips["specificity"]["y"]) == pytest.approx((areas.y[0], areas.y[2]))

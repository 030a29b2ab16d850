"""Chapter 00."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from workbook.chapters.c00_start_here.bayes_rule import PREVALENCES
from workbook.explorers import BayesRuleExplorer

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
    *crowd, bars = explorer.draw(r).data
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

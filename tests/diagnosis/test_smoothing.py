"""Silenced by zero counts: counted again row by row."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_digits

from nbcore import CategoricalNB, GaussianNB, MixedNB, MultinomialNB, diagnose
from nbcore.diagnosis.adjusted import METHODS
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.smoothing import find_smoothing
from tests.diagnosis.worlds import bells, case_of, drowned, silence


def test_more_alpha_than_one_is_no_matter_of_zero_counts():
    """Digits repeat each other's pixels: a large alpha flattens their posteriors, also those of hopeless rows."""
    X, y = load_digits(return_X_y=True)
    case = Case(MultinomialNB(), X[:900], y[:900], cv=5)
    assert find_smoothing(case) is None
    alpha = METHODS["alpha"].learn(case.scores, case.code, None)
    log_p = METHODS["alpha"].log_posterior(case.scores, alpha)
    assert case.cache["alpha"].sure
    assert alpha > 1
    assert (case.losses + log_p[np.arange(900), y[:900]] > np.log(100)).any(), "rows that gain as much as silenced ones"


def test_smoothing_is_reported_with_the_rows_it_silences():
    mute = case_of(silence)
    found = find_smoothing(mute)
    grid, losses = np.geomspace(1e-4, 100, 25), []
    for alpha in (*grid, 1e-6):
        p = CategoricalNB(alpha=alpha, min_categories=12).fit(*silence(0)[:2]).predict_proba(mute.X)
        losses.append(-np.log(p[np.arange(mute.n), mute.code]))
    best = int(np.argmin([loss.mean() for loss in losses[:-1]]))
    n = (losses[-1] - losses[best] > np.log(100)).sum()
    assert found.details == {"alpha": pytest.approx(grid[best]), "alpha_before": 1e-6, "silenced": n}
    assert found.sentence == (
        f"In {n} of {mute.n} rows counts near zero all but silence the true class. alpha is 1e-06; held-out rows "
        f"choose {found.details['alpha']:.2g}."
    )
    assert find_smoothing(case_of(bells)) is None, "measurements have no counts"


@pytest.mark.parametrize("mixed", [False, True])
def test_columns_of_small_units_drown_in_what_is_added_to_every_variance(mixed):
    """Its control: with nothing added the units do not matter, and the model loses what the remedy does."""
    A, a, B, b, model = drowned(0)
    # a constant says nothing, and a hundredfold column is heard: they are not named
    A, B = (np.column_stack([Z, np.ones(len(Z)), 100 * Z[:, 1]]) for Z in (A, B))
    if mixed:
        A, B, model = pd.DataFrame(A).add_prefix("f"), pd.DataFrame(B).add_prefix("f"), MixedNB()
    report = diagnose(model.fit(A, a), B, b)
    found = report["smoothing"]
    assert found.columns == tuple(f"f{j}" if mixed else j for j in range(1, 8))
    better, after = report.apply("smoothing", A, a)
    heard, B_heard = (np.delete(np.asarray(Z), 8, axis=1) for Z in (A, B))
    exact = GaussianNB(var_smoothing=0).fit(heard, a)
    assert_allclose(better.predict_proba(B), exact.predict_proba(B_heard), atol=1e-6)
    assert "smoothing" not in after
    assert find_smoothing(Case(GaussianNB(var_smoothing=1e-16).fit(A, a), B, b)) is None

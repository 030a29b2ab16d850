"""Columns that are not what they were in training: which, how sure, and what is gained without them."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import softmax
from scipy.stats import chi2, chi2_contingency, norm
from sklearn import naive_bayes as theirs
from sklearn.metrics import log_loss
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from nbcore.diagnosis.adjusted import Adjusted
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.drift import counted_changes, find_drift, measured_changes
from nbcore.mixed import MixedNB
from nbcore.naive_bayes import BernoulliNB, GaussianNB
from nbcore.perplexed import PerplexedBayes
from tests.diagnosis import worlds
from tests.diagnosis.worlds import bells, case_of, gaps, leak, marks, moved, moved_codes, words


@pytest.mark.parametrize(
    ("world", "lost"), [(leak, [0]), (worlds.leaked_code, [0]), (worlds.dead_sensor, [0]), (moved, [])]
)
def test_a_column_that_told_the_classes_apart_in_training_only_is_named(world, lost):
    found = find_drift(case_of(world))
    assert found.details["training_only"] == lost
    assert ("In training only these told the classes apart: column 0." in found.sentence) == bool(lost)


def test_columns_that_moved_are_named_with_how_far():
    A, a, B, b, model = bells(0)
    B[:, 3] += 2 * A[:, 3].std()
    found = find_drift(Case(model.fit(A, a), B, b))
    by_class = [(B[b == c, 3].mean() - A[a == c, 3].mean()) / A[a == c, 3].std() for c in (0, 1)]
    expected = np.average(by_class, weights=np.bincount(b))
    assert found.details["moved"] == {3: f"{expected:+.1f} sd"}
    assert found.sentence == (
        "1 of 8 columns are not what they were in training: column 3. These have moved: column 3 "
        f"({expected:+.1f} sd)."
    )
    A, a, B, b, _ = moved_codes(0)
    distance = abs(np.bincount(A[:, 0]) / len(A) - np.bincount(B[:, 0]) / len(B)).sum() / 2
    assert find_drift(case_of(moved_codes)).details["moved"] == {0: f"{distance:.0%} of the rows"}


@pytest.mark.parametrize("kind", [GaussianNB, theirs.GaussianNB, MixedNB, "frame", "pipeline"])
def test_the_model_without_the_column_is_the_one_fitted_to_the_training_rows(kind):
    A, a, B, b, _ = leak(0)
    model = kind() if callable(kind) else make_pipeline(StandardScaler(), GaussianNB())
    if kind == "frame":
        model = MixedNB()
        A, B = pd.DataFrame(A, columns=list("stuvwxyz")), pd.DataFrame(B, columns=list("stuvwxyz"))
    remedy = next(r for r in find_drift(Case(model.fit(A, a), B, b)).remedies if r.name.startswith("without "))
    proba = remedy.estimator.fit(A, a).predict_proba(B)
    assert remedy.after == pytest.approx(log_loss(b, proba), rel=1e-5)
    assert remedy.gain > 10


def test_a_factor_of_the_log_odds_stays_when_a_column_goes():
    """Of other corrections the model is compared as a recipe, and the remedy says so."""
    A, a, B, b, model = leak(0)
    A, B = (np.where(np.random.default_rng(1).random(Z.shape) < 0.1, np.nan, Z) for Z in (A, B))
    perplexed = PerplexedBayes(model, k=3.0).fit(A, a)
    warm, bent = (Adjusted(perplexed, method, None).fit(B, b) for method in ("temperature", "isotonic"))
    remedies = [find_drift(Case(model, B, b)).remedies for model in (perplexed, warm, bent)]
    p = PerplexedBayes(GaussianNB(), k=3.0).fit(A[:, 1:], a).predict_proba(B[:, 1:])
    for p_without, found in ((p, remedies[0]), (softmax(np.log(p) / warm.value_, axis=1), remedies[1])):
        assert {r.name: r.after for r in found}["without column 0"] == pytest.approx(log_loss(b, p_without), rel=1e-5)
    names = {remedy.name: remedy for remedy in remedies[2]}
    before = names["without column 0, learned from these rows"].before
    assert before == pytest.approx(names["the same recipe, learned from these rows"].after)


@pytest.mark.parametrize("shift", np.linspace(0.1, 0.5, 9))
def test_the_means_of_the_classes_are_compared_at_the_error_of_their_difference(shift):
    """Normal scores, so that mean and variance are what they are; the p-value times two sides, tests and classes."""
    scores = norm.ppf((np.arange(200) + 0.5) / 200)
    scores /= scores.std()
    y = np.repeat([0, 1], [100, 100])
    x = np.concatenate([scores[::2], scores[1::2] + shift])
    model = GaussianNB(var_smoothing=0).fit(np.tile(scores, 2)[:, None], np.repeat([0, 1], 200))
    (change,) = measured_changes(model, x[:, None], y)
    z = max(abs(x[y == c].mean()) / np.sqrt(max(1, x[y == c].var()) * (1 / 100 + 1 / 200)) for c in (0, 1))
    assert change.chance == pytest.approx(4 * norm.sf(z), rel=1e-6)


def test_what_differs_from_sample_to_sample_is_no_change():
    """Of 200 pairs of samples with heavy tails, or of columns that are mostly 0, at most one in a hundred."""
    rng, y = np.random.default_rng(0), np.arange(300) % 3
    for draw in (lambda: rng.standard_t(1.5, (300, 200)), lambda: rng.exponential(size=(300, 200)),
                 lambda: 9.0 * (rng.random((300, 200)) < 0.02)):  # fmt: skip
        changes = measured_changes(GaussianNB(var_smoothing=1e-6).fit(draw(), y), draw(), y)
        assert sum(change.chance < 0.01 for change in changes) <= 2
    model = GaussianNB().fit(draw()[:, :1], y)
    (unknown,) = measured_changes(model, np.full((20, 1), np.nan), y[:20])
    assert unknown == (1.0, False, "")


def test_shares_are_compared_by_chi_squared_tests_of_each_class():
    then = np.array([[300.0, 100, 60, 40], [50, 50, 50, 50]])
    now = np.array([[120, 70, 35, 25], [10, 20, 15, 15]])
    codes = np.concatenate([np.repeat(np.arange(4), n) for n in now])[:, None]
    (change,) = counted_changes([then], codes, np.repeat([0, 1], now.sum(axis=1)))
    tests = [chi2_contingency([a, b], correction=False) for a, b in zip(then, now, strict=True)]
    assert change.chance == pytest.approx(chi2.sf(sum(t.statistic for t in tests), sum(t.dof for t in tests)))
    rare = np.array([[300.0, 2, 1, 1], [200, 2, 2, 0]])  # values of which less than five are expected are one
    (change,) = counted_changes([rare], np.array([[0]] * 40 + [[3]] * 2), np.repeat([0, 1], 21))
    assert change.chance > 0.01
    gap = counted_changes([then], np.full((9, 1), -1), np.zeros(9, dtype=int))
    assert gap[0].chance == 1


def test_marks_that_turn_are_found():
    A, a, B, b, _ = marks(0)
    B[:, 2] = 1 - B[:, 2]
    B[::9, 5] = np.nan
    found = find_drift(Case(BernoulliNB().fit(A, a), B, b))
    assert 2 in found.columns
    assert 5 not in found.columns


def test_without_training_rows_or_for_counts_nothing_is_compared():
    A, a, B, b, model = moved(0)
    assert find_drift(Case(model, np.vstack([A, B]), np.append(a, b), cv=5)) is None
    A, a, B, b, model = words(0)
    assert find_drift(Case(model.fit(A, a), B[:, ::-1], b)) is None


def test_a_mixed_model_is_compared_part_by_part():
    A, a, B, b, model = gaps(0)
    B[:, 1] += 3
    B[:, 6] = (B[:, 6] + 1) % 4
    assert find_drift(Case(model.fit(A, a), B, b)).columns == (1, 6)

"""The displays: what their artists show is what scikit-learn, the posteriors and simulated labels say."""

import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit, logit
from sklearn.calibration import CalibrationDisplay, calibration_curve
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.naive_bayes import GaussianNB as PeerGaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from nbcore import (
    Adjusted,
    ContributionDisplay,
    GaussianNB,
    MixedNB,
    NomogramDisplay,
    ReliabilityDisplay,
    diagnose,
)
from nbcore.calibration import simulate_shares
from workbook.experiments import penguins

X, Y = load_iris(return_X_y=True, as_frame=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]
IRIS = GaussianNB().fit(X, NAMES)
TUMOURS, ILL = load_breast_cancer(return_X_y=True)


@pytest.fixture(autouse=True)
def close_figures():
    plt.switch_backend("agg")
    yield
    plt.close("all")


def line_of(display):
    """Return the coordinates of the model's line."""
    return display.ax_.lines[-1].get_data()


# --- reliability


def test_one_class_against_the_rest_is_the_curve_of_scikit_learn():
    model = GaussianNB().fit(TUMOURS[::2], ILL[::2])
    p, y = model.predict_proba(TUMOURS[1::2])[:, 1], ILL[1::2]
    true, said = calibration_curve(y, p, n_bins=10)
    for display in (
        ReliabilityDisplay.from_predictions(y, p),
        ReliabilityDisplay.from_estimator(model, TUMOURS[1::2], y, pos_label=1),
    ):
        x, height = line_of(display)
        assert_allclose((x[~np.isnan(x)], height[~np.isnan(x)]), (said, true))


def test_all_classes_together_are_the_curve_of_all_pairs():
    p = IRIS.predict_proba(X)
    true, said = calibration_curve((NAMES[:, None] == IRIS.classes_).ravel(), p.ravel(), n_bins=5)
    x, height = line_of(ReliabilityDisplay.from_predictions(NAMES, p, n_bins=5))
    assert_allclose((x[~np.isnan(x)], height[~np.isnan(x)]), (said, true))


@pytest.mark.parametrize("shape", [(400,), (400, 2), (300, 3)])
def test_the_band_holds_a_calibrated_model_in_95_of_100_cases(shape):
    rng = np.random.default_rng(3)
    p = rng.dirichlet(np.ones(shape[1]), shape[0]) if len(shape) > 1 else rng.random(shape)
    low, high = np.quantile(simulate_shares(p, 5), [0.025, 0.975], axis=0)
    inside = []
    for _ in range(400):
        if p.ndim == 1:
            true, of = rng.random(len(p)) < p, p
        else:
            label = np.array([rng.choice(p.shape[1], p=row) for row in p])
            true, of = (label[:, None] == np.arange(p.shape[1])).ravel(), p.ravel()
        place = np.minimum((of * 5).astype(int), 4)
        share = np.bincount(place, true, 5) / np.bincount(place, minlength=5)
        inside.append((share >= low - 1e-9) & (share <= high + 1e-9))
    assert 0.93 < np.mean(inside) < 0.98


def test_the_bars_are_the_band_and_a_second_model_adds_a_line_only():
    p = IRIS.predict_proba(X)
    first = ReliabilityDisplay.from_predictions(NAMES, p, n_bins=4)
    low, high = np.transpose([(bar.get_y(), bar.get_y() + bar.get_height()) for bar in first.ax_.patches])
    assert_allclose((low, high), first.band)
    second = ReliabilityDisplay.from_predictions(NAMES, p, n_bins=4, ax=first.ax_, ref_line=False, color="k")
    assert second.ax_ is first.ax_
    assert len(first.ax_.patches) == 4
    assert first.ax_.lines[-1].get_color() == "k"


def test_the_interface_is_that_of_scikit_learn():
    model = PeerGaussianNB().fit(TUMOURS, ILL)
    _, ax = plt.subplots()
    ours, theirs = (kind.from_estimator(model, TUMOURS, ILL, n_bins=4, name="model", ax=ax)
                    for kind in (ReliabilityDisplay, CalibrationDisplay))  # fmt: skip
    assert {"ax_", "figure_", "prob_true", "prob_pred", "estimator_name"} <= set(vars(ours)) & set(vars(theirs))
    assert ours.ax_ is theirs.ax_ is ax
    assert ours.figure_ is ax.figure


def test_unknown_classes_are_refused():
    with pytest.raises(ValueError, match="pos_label must be one of"):
        ReliabilityDisplay.from_predictions(NAMES, IRIS.predict_proba(X), pos_label="rose")
    for argument in ("target", "against"):
        with pytest.raises(ValueError, match=f"{argument} must be one of"):
            ContributionDisplay.from_estimator(IRIS, X[:1], **{argument: "rose"})


# --- contributions


def log_odds(model, row, target, against=None):
    p = model.predict_log_proba(row)[0]
    own = list(model.classes_).index(target)
    other = 1 - np.exp(p[own]) if against is None else np.exp(p[list(model.classes_).index(against)])
    return p[own] - np.log(other)


MODELS = {
    "alone": IRIS,
    "scikit-learn's": PeerGaussianNB().fit(X, NAMES),
    "pipeline": make_pipeline(StandardScaler(), PeerGaussianNB()).fit(X, NAMES),
    "temperature": Adjusted(GaussianNB(), "temperature", cv=3).fit(X, NAMES),
}


@pytest.mark.parametrize("against", ["versicolor", None])
@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_the_bars_sum_to_the_log_odds(model, against):
    for columns in (1, 8):
        display = ContributionDisplay.from_estimator(
            model, X.iloc[[70]], target="virginica", against=against, max_columns=columns
        )
        bars = display.ax_.patches
        total = log_odds(model, X.iloc[[70]], "virginica", against)
        assert_allclose(sum(bar.get_width() for bar in bars[:-1]), total, atol=1e-8)
        assert_allclose(bars[-1].get_width(), total, atol=1e-8)
        ends = [bar.get_x() + bar.get_width() for bar in bars[:-2]]
        assert_allclose([bar.get_x() for bar in bars[1:-1]], ends, atol=1e-9, err_msg="each begins where one ends")


def test_each_bar_is_named_by_its_column_and_value():
    rows, species = penguins()
    display = ContributionDisplay.from_estimator(MixedNB().fit(rows, species), rows.iloc[[3]])
    assert any(name.endswith(": –") for name in display.names), "a gap"
    assert len(display.names) == 1 + rows.shape[1]


# --- nomogram


def test_the_points_of_a_row_sum_to_its_posterior():
    two = NAMES != "setosa"
    model = GaussianNB().fit(X[two], NAMES[two])
    display = NomogramDisplay.from_estimator(model, X[two])
    tables = [dict(zip(*pair, strict=True)) for pair in zip(display.values, display.points, strict=True)]
    total = [display.prior + sum(t[v] for t, v in zip(tables, row, strict=True)) for row in X[two].to_numpy()]
    assert display.target == "virginica"
    assert_allclose(expit(total), model.predict_proba(X[two])[:, 1], atol=1e-12)


def test_the_lower_scale_reads_the_posterior_at_a_sum():
    display = NomogramDisplay.from_estimator(IRIS, X, target="virginica", against="versicolor")
    display.figure_.draw_without_rendering()
    scale = display.ax_.child_axes[0]
    for tick, label in zip(scale.get_xticks(), scale.get_xticklabels(), strict=True):
        total, chance = label.get_text().split()
        assert float(total) == pytest.approx(logit(float(chance)), abs=0.05)
        assert tick == pytest.approx(logit(float(chance)))


def test_what_has_no_nomogram_is_refused():
    with pytest.raises(ValueError, match="target and against"):
        NomogramDisplay.from_estimator(IRIS, X)
    with pytest.raises(ValueError, match="at most 20 columns"):
        NomogramDisplay.from_estimator(GaussianNB().fit(TUMOURS, ILL), TUMOURS)
    warmer = Adjusted(GaussianNB(), "prior", cv=3).fit(X[20:], NAMES[20:])
    with pytest.raises(ValueError, match="without a correction"):
        NomogramDisplay.from_estimator(warmer, X, target="virginica", against="setosa")


# --- a report, a notebook, and no matplotlib


def test_a_report_draws_what_each_finding_costs():
    report = diagnose(GaussianNB(), np.hstack([X, X + 0.001]), NAMES, cv=3)
    display = report.plot()
    costs = [f.remedies[0].gain for f in report.findings if not f.remedies[0].failed]
    assert_allclose([bar.get_width() for bar in display.ax_.patches], costs)


def test_a_notebook_shows_the_picture_once_with_its_words():
    display = ContributionDisplay.from_estimator(IRIS, X[:1])
    html = display._repr_html_()
    assert f'alt="{display!r}"' in html
    assert plt.get_fignums() == []


def test_without_matplotlib_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"naive-bayes-workbook\[plot\]"):
        ContributionDisplay.from_estimator(IRIS, X[:1])

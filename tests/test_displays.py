"""The displays: what their artists show is what scikit-learn, the posteriors and simulated labels say."""

import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit, logit
from sklearn.calibration import CalibrationDisplay, calibration_curve
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB as PeerGaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from nbcore import Adjusted, ContributionDisplay, GaussianNB, MixedNB, NomogramDisplay, ReliabilityDisplay, diagnose
from nbcore.calibration import simulate_shares
from nbcore.perplexed import PerplexedBayes
from workbook.experiments import penguins

X, Y = load_iris(return_X_y=True, as_frame=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]
IRIS = GaussianNB().fit(X, NAMES)
TUMOURS, ILL = load_breast_cancer(return_X_y=True)


@pytest.mark.parametrize("alone", [True, False])
def test_the_line_is_the_curve_of_scikit_learn(alone):
    y, p = ILL[1::2], GaussianNB().fit(TUMOURS[::2], ILL[::2]).predict_proba(TUMOURS[1::2])
    x, height = ReliabilityDisplay.from_predictions(y, p[:, 1] if alone else p).ax_.lines[-1].get_data()
    pairs = (y, p[:, 1]) if alone else (np.column_stack([1 - y, y]).ravel(), p.ravel())
    assert_allclose((height[~np.isnan(x)], x[~np.isnan(x)]), calibration_curve(*pairs, n_bins=10))


@pytest.mark.parametrize(("classes", "alone"), [(2, True), (2, False), (3, False)])
def test_the_band_holds_a_calibrated_model_in_95_of_100_cases(classes, alone):
    rng, inside = np.random.default_rng(3), []
    p = rng.dirichlet(np.ones(classes), 400)
    judged = p[:, 1] if alone else p
    low, high = np.quantile(simulate_shares(judged, 5), [0.025, 0.975], axis=0)
    place = np.minimum((judged.ravel() * 5).astype(int), 4)
    for _ in range(400):
        label = np.array([rng.choice(classes, p=row) for row in p])
        true = label == 1 if alone else (label[:, None] == np.arange(classes)).ravel()
        share = np.bincount(place, true, 5) / np.bincount(place, minlength=5)
        inside.append((share >= low - 1e-9) & (share <= high + 1e-9))
    assert 0.93 < np.mean(inside) < 0.98


def test_the_words_count_the_points_outside_the_bars_and_a_second_model_adds_a_line_only():
    display = ReliabilityDisplay.from_estimator(GaussianNB().fit(TUMOURS, ILL), TUMOURS, ILL)
    height, bars = display.ax_.lines[-1].get_ydata(), display.ax_.patches
    low, high = np.transpose([(bar.get_y(), bar.get_y() + bar.get_height()) for bar in bars])
    out, full = np.sum((height < low) | (height > high)), np.isfinite(height).sum()
    assert repr(display) == f"Reliability of GaussianNB: {out} of {full} bins lie outside the band of luck."
    display.plot(ax=display.ax_)
    assert len(display.ax_.patches) == len(height)
    assert len({line.get_color() for line in display.ax_.lines}) == 3


def test_an_unfitted_model_is_called_so():
    with pytest.raises(NotFittedError):
        ReliabilityDisplay.from_estimator(GaussianNB(), TUMOURS, ILL)


def test_the_interface_is_that_of_scikit_learn():
    model, (_, ax) = PeerGaussianNB().fit(TUMOURS, ILL), plt.subplots()
    ours, theirs = (kind.from_estimator(model, TUMOURS, ILL, n_bins=4, name="model", ax=ax)
                    for kind in (ReliabilityDisplay, CalibrationDisplay))  # fmt: skip
    assert {"ax_", "figure_", "prob_true", "prob_pred"} <= set(vars(ours)) & set(vars(theirs))
    assert (ours.ax_, ours.figure_) == (theirs.ax_, theirs.figure_) == (ax, ax.figure)


MODELS = {
    "alone": IRIS,
    "scikit-learn's": PeerGaussianNB().fit(X, NAMES),
    "pipeline": make_pipeline(StandardScaler(), PeerGaussianNB()).fit(X, NAMES),
    "temperature": Adjusted(GaussianNB(), "temperature", cv=3).fit(X, NAMES),
    "eq. (20)": Adjusted(GaussianNB(), "perplexed", cv=3).fit(X, NAMES),
    "perplexed": PerplexedBayes(GaussianNB(), k=2.0).fit(X, NAMES),
    "eq. (19)": PerplexedBayes(GaussianNB(), k=2.0, rule="exact").fit(X, NAMES),
}
ISOTONIC = Adjusted(GaussianNB(), "isotonic", cv=3).fit(X, NAMES)
SCALES = {  # what each of them multiplies log odds by, given the number of features; the others do something else
    "alone": 1, "scikit-learn's": 1, "temperature": 1 / MODELS["temperature"].value_,
    "eq. (20)": MODELS["eq. (20)"].value_ / 5, "perplexed": 2 / 5,
}  # fmt: skip


@pytest.mark.parametrize("pair", [(None, None), ("versicolor", None), ("setosa", "versicolor")])
@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_the_bars_sum_to_the_log_odds(model, pair):
    display = ContributionDisplay.from_estimator(model, X.iloc[[70]], target=pair[0], against=pair[1])
    log_p = dict(zip(model.classes_, model.predict_log_proba(X.iloc[[70]])[0], strict=True))
    likely = sorted(log_p, key=log_p.get, reverse=True)
    target = pair[0] or likely[0]
    against = pair[1] or next(name for name in likely if name != target)
    assert (display.target, display.against) == (target, against)
    bars, total = display.ax_.patches, log_p[target] - log_p[against]
    assert_allclose([sum(bar.get_width() for bar in bars[:-1]), bars[-1].get_width()], total, atol=1e-8)
    assert display.ax_.get_yticklabels()[-1].get_text() == f"sum: P = {expit(total):.4g} of the two"
    ends = [bar.get_x() + bar.get_width() for bar in bars[:-2]]
    assert_allclose([bar.get_x() for bar in bars[1:-1]], ends, atol=1e-9, err_msg="each begins where one ends")


@pytest.mark.parametrize("name", SCALES)
def test_a_temperature_and_eq_20_multiply_every_bar(name):
    widths = [[bar.get_width() for bar in ContributionDisplay.from_estimator(model, X.iloc[[70]]).ax_.patches]
              for model in (IRIS, MODELS[name])]  # fmt: skip
    assert_allclose(widths[1], SCALES[name] * np.array(widths[0]), err_msg="no bar is left for a correction")


def test_of_thirty_columns_ten_have_a_bar_and_none_is_lost():
    model = GaussianNB().fit(TUMOURS, ILL)
    bars = ContributionDisplay.from_estimator(model, TUMOURS[:1], target=1).ax_.patches
    assert len(bars) == 13
    assert_allclose(sum(bar.get_width() for bar in bars[:-1]), np.diff(model.predict_log_proba(TUMOURS[:1])[0]))


def test_a_gap_is_a_bar_of_nothing():
    rows, species = penguins()
    ax = ContributionDisplay.from_estimator(MixedNB().fit(rows, species), rows.iloc[[3]]).ax_
    bars = {name.get_text(): bar.get_width() for name, bar in zip(ax.get_yticklabels(), ax.patches, strict=True)}
    assert bars["bill_length_mm: no value"] == 0
    assert len(bars) == 2 + rows.shape[1]


def test_after_a_remedy_the_values_are_those_of_the_table():
    """A column of another place and scale keeps its name, so that a reader finds the value in the table."""
    parts = [("own", StandardScaler(), [X.columns[2]])]
    scaled = ColumnTransformer(parts, remainder="passthrough", verbose_feature_names_out=False)
    model = make_pipeline(scaled, GaussianNB()).fit(X, NAMES)
    shown = ContributionDisplay.from_estimator(model, X[70:71])
    assert dict(zip(shown.names, shown.values[0], strict=True)) == X.iloc[70].to_dict()
    holed = X.mul(np.where(X.index == 70, -1, 1), axis=0)  # which a remedy reads as a gap
    read = FunctionTransformer(lambda Z: Z.where(Z > 0), feature_names_out="one-to-one")
    model = make_pipeline(read, GaussianNB()).fit(holed, NAMES)
    assert np.isnan(ContributionDisplay.from_estimator(model, holed[70:71]).values.astype(float)).all()


def test_what_cannot_be_split_is_refused():
    for display, model, rows, given, words in [
        (ContributionDisplay, IRIS, X[:1], {"target": "rose"}, "target must be one of"),
        (ContributionDisplay, IRIS, X[:1], {"target": "setosa", "against": "setosa"}, "against must be one of"),
        (ContributionDisplay, IRIS, X, {}, "X must be one row"),
        (ContributionDisplay, ISOTONIC, X[70:71], {"against": "setosa"}, "one of both possible"),
        (NomogramDisplay, ISOTONIC, X, {}, "alone or with a temperature"),
        (NomogramDisplay, MODELS["eq. (19)"], X, {}, "alone or with a temperature"),
    ]:
        with pytest.raises(ValueError, match=words):
            display.from_estimator(model, rows, **given)
    assert plt.get_fignums() == []


@pytest.mark.parametrize("corrected", [False, True])
def test_the_points_read_off_the_picture_sum_to_the_posterior(corrected):
    rows = np.array([[a, b] for a in ("sun", "rain", "snow") for b in ("weak", "strong")], dtype=object)
    model = MixedNB().fit(rows, ["stay", "go", "go", "stay", "go", "go"])
    if corrected:
        model = Adjusted(model, "temperature").fit(rows, ["stay", "go", "stay", "stay", "go", "stay"])
        model.value_ = 0.7  # far enough apart for all labels
    display = NomogramDisplay.from_estimator(model, rows, target="go", against="stay")
    points = {text.get_text(): text.get_position()[0] for text in display.ax_.texts}
    totals = [points[""] + points[a] + points[b] for a, b in rows]
    assert_allclose(expit(totals), model.predict_proba(rows)[:, 0], atol=1e-12)
    above = display.ax_.child_axes[0]  # on the scale of the points: a sum stands below its posterior
    display.figure_.draw_without_rendering()
    assert above.get_xlim() == display.ax_.get_xlim()
    assert_allclose(above.get_xticks(), [logit(float(text.get_text())) for text in above.get_xticklabels()])


NEAR = np.array([[f"station {i % 60}"] for i in range(600)], dtype=object)
STATIONS = MixedNB().fit(NEAR, np.arange(600) % 7 > 3)  # points that lie near each other


@pytest.mark.parametrize(("model", "rows"), [(IRIS, X), (STATIONS, NEAR)], ids=["far", "near"])
def test_no_two_values_of_a_nomogram_overlap(model, rows):
    display = NomogramDisplay.from_estimator(model, rows)
    display.figure_.draw_without_rendering()
    boxes = [text.get_window_extent() for text in display.ax_.texts if text.get_text()]
    assert len(boxes) > 1
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_a_nomogram_says_what_it_leaves_out():
    display = NomogramDisplay.from_estimator(STATIONS, NEAR)
    label = display.ax_.get_yticklabels()[1].get_text()
    shown = [text.get_text() for text in display.ax_.texts if text.get_text()]
    assert label == f"column 0\n(+ {60 - len(shown)} without a label)"
    assert 0 < len(set(shown)) == len(shown) < 60


def test_the_ends_of_a_column_are_labelled_wherever_its_points_turn():
    x = np.linspace(-6, 5, 42)[:, None]
    ax = NomogramDisplay.from_estimator(GaussianNB().fit(np.vstack([x / 3, x]), np.repeat([0, 1], 42)), x).ax_
    assert {"-6", "5"} <= {text.get_text() for text in ax.texts}


def test_past_twenty_columns_the_rest_is_a_sum_and_far_points_stand_on_the_border():
    model = GaussianNB().fit(TUMOURS, ILL)
    display = NomogramDisplay.from_estimator(model, TUMOURS, target=1)
    odds = np.diff(model.feature_contributions(TUMOURS), axis=1)[:, 0]
    quiet = np.argsort(np.ptp(odds, axis=0))[:10]
    *_, last = display.ax_.get_yticklabels()
    assert (len(display.ax_.get_yticks()), last.get_text()) == (22, "10 more columns")
    rest = odds[:, quiet].sum(axis=1)
    drawn = np.concatenate([x for x, y in (line.get_data() for line in display.ax_.lines) if y[0] == 21])
    assert_allclose([drawn.min(), drawn.max()], np.clip([rest.min(), rest.max()], -12, 12))
    assert max(abs(line.get_xdata()).max() for line in display.ax_.lines[:-1]) == 12
    assert any(text.get_text().endswith(f" ({odds.min():+.0f})") for text in display.ax_.texts)


def test_a_report_draws_what_each_finding_costs():
    report = diagnose(GaussianNB(), np.hstack([X, X + 0.001]), NAMES, cv=3)
    gains = [finding.remedies[0].gain for finding in report.findings]
    assert_allclose([bar.get_width() for bar in report.plot().ax_.patches], gains)


def test_a_notebook_shows_the_picture_once_with_its_words():
    display = ContributionDisplay.from_estimator(IRIS, X[:1])
    assert f'alt="{display!r}"' in display._repr_html_()
    assert plt.get_fignums() == []


def test_without_matplotlib_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"naive-bayes-workbook\[plot\]"):
        ContributionDisplay.from_estimator(IRIS, X[:1])

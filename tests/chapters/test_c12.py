"""Chapter 12: every number of the page by a route of its own: scipy's bells, counting, sums over what is missing."""

import re
import shutil
import subprocess
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest
from scipy.special import expit, logsumexp, softmax
from scipy.stats import beta, fisher_exact, norm
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import CategoricalNB, GaussianNB

from nbcore import datasets
from nbcore.mixed import MixedNB
from tests.plotly_figure import figure_of
from workbook.chapters.c12_your_own_table import questions
from workbook.chapters.c12_your_own_table.experiment import (
    ALPHAS,
    COLUMNS,
    FOLDS,
    SPECIES,
    by_alpha,
    by_species_and_sex,
    called_impossible,
    crossed,
    held_out,
    nothing_measured,
    penguins,
    without,
    wrong,
)
from workbook.chapters.c12_your_own_table.gaps import CONTROLS, ROWS, GapsExplorer
from workbook.chapters.c12_your_own_table.nomogram import CONTROLS as SLIDERS
from workbook.chapters.c12_your_own_table.nomogram import NomogramExplorer, scales
from workbook.learning import contents

X, Y = penguins()
WORDS = {"island": ("Biscoe", "Dream", "Torgersen"), "sex": ("female", "male")}
NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "12_your_own_table.ipynb"


class ByHand:
    """Naive Bayes on some penguins: scipy's bells, and shares by counting.

    To each variance 10^-9 of the largest one is added, as scikit-learn does: here it is that of the body mass.
    """

    def __init__(self, rows, alpha=1.0, labels=Y):
        self.classes = sorted(set(labels[rows]))
        self.own = [X.iloc[[i for i in rows if labels[i] == c]] for c in self.classes]
        self.prior = np.log([len(own) / len(rows) for own in self.own])
        self.alpha, self.added = alpha, 1e-9 * X["body_mass_g"].iloc[rows].var(ddof=0)

    def term(self, c, name, value):
        own = self.own[c][name].dropna()
        if name not in WORDS:
            return norm.logpdf(value, own.mean(), np.sqrt(own.var(ddof=0) + self.added))
        count, k = float((own == value).sum()), len(WORDS[name])
        share = (count + self.alpha) / (len(own) + self.alpha * k)
        return np.log(share) if share else -np.inf

    def terms(self, row, gone=()):
        told = [name not in gone and not pd.isna(row[name]) for name in COLUMNS]
        return np.array([[self.term(c, name, row[name]) if there else 0.0
                          for name, there in zip(COLUMNS, told, strict=True)]
                         for c in range(len(self.classes))])  # fmt: skip

    def joint(self, row, gone=()):
        return self.prior + self.terms(row, gone).sum(axis=1)


def all_rows_but(row):
    return np.delete(np.arange(len(Y)), row)


# --- gaps -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("row", "alpha"), list(product(ROWS.values(), (0.01, 1.0, 100.0))))
def test_without_is_the_product_of_what_is_left(row, alpha):
    hand = ByHand(all_rows_but(row), alpha)
    for gone in ((), ("island",), ("bill_length_mm", "sex"), tuple(COLUMNS)):
        prior, terms = without(row, gone, alpha)
        np.testing.assert_allclose(prior, hand.prior)
        np.testing.assert_allclose(terms, hand.terms(X.loc[row], gone))


@pytest.mark.parametrize("name", COLUMNS)
def test_a_gap_is_the_sum_or_the_integral_over_all_its_values(name):
    """Of row 19, by enumeration or by a fine grid, for the model itself and by hand."""
    model, hand = MixedNB().fit(X, Y), ByHand(np.arange(len(Y)))
    row = X.loc[[19]]
    gone = model.predict_joint_log_proba(row.assign(**{name: None if name in WORDS else np.nan}))[0]
    if name in WORDS:
        every = [model.predict_joint_log_proba(row.assign(**{name: word}))[0] for word in WORDS[name]]
        summed = logsumexp(every, axis=0)
        ours = logsumexp([hand.joint({**X.loc[19], name: word}) for word in WORDS[name]], axis=0)
    else:
        spread = 12 * X[name].std()
        values = np.linspace(X[name].mean() - spread, X[name].mean() + spread, 20_001)
        many = pd.concat([row] * len(values), ignore_index=True).assign(**{name: values})
        summed = np.log(np.trapezoid(np.exp(model.predict_joint_log_proba(many)), values, axis=0))
        ours = hand.joint(X.loc[19], (name,))
    np.testing.assert_allclose(summed, gone, rtol=1e-9)
    np.testing.assert_allclose(ours, gone)


def test_the_sum_of_two_models_has_one_prior():
    """By scikit-learn, column by column: each has the prior, and it counts once."""
    whole = X.notna().all(axis=1)
    joint, prior = 0.0, None
    for name in COLUMNS:
        column = X.loc[whole, [name]]
        if name in WORDS:
            codes = np.array([[WORDS[name].index(word)] for word in column[name]])
            one = CategoricalNB().fit(codes, Y[whole])
            said, prior = one.predict_joint_log_proba(codes), one.class_log_prior_
        else:
            said = GaussianNB(var_smoothing=0).fit(column, Y[whole]).predict_joint_log_proba(column)
        joint = joint + said
    ours = MixedNB(var_smoothing=0).fit(X[whole], Y[whole]).predict_joint_log_proba(X[whole])
    np.testing.assert_allclose(ours, joint - (len(COLUMNS) - 1) * prior)
    task = contents("12")["12/two-posteriors"]  # P(A) is 3/4; the two models say .9 and .7
    assert task.number(task.expected) == pytest.approx(float(Fraction(9 * 7, 9 * 7 + 3 * 3)))


# --- held out ---------------------------------------------------------------------------------------------------------


def test_held_out_is_naive_bayes_by_hand_on_the_other_folds():
    for learn, asked in list(FOLDS.split(X, Y))[::4]:
        hand = ByHand(learn)
        np.testing.assert_allclose(held_out()[asked], [softmax(hand.joint(X.iloc[i])) for i in asked], atol=1e-12)
    assert wrong(held_out()).sum() == wrong(held_out(questions.FIVE)).sum() == 7


def test_the_wrong_ones_are_female_chinstraps_and_male_adelies():
    missed = pd.crosstab(Y[wrong(held_out())], X["sex"][wrong(held_out())])
    assert missed.to_dict() == {"female": {"Adelie": 0, "Chinstrap": 5}, "male": {"Adelie": 2, "Chinstrap": 0}}


def test_bills_of_males_are_three_to_five_mm_longer():
    means = X.groupby([Y, X["sex"]])["bill_length_mm"].mean().unstack()
    gaps = means["male"] - means["female"]
    assert gaps.min() > 3
    assert gaps.max() < 5


def test_six_classes_are_a_model_for_each_sex():
    """By scikit-learn's bells and by counting, of the males alone and of the females alone; unknown: both weighed."""
    found = by_species_and_sex()
    sex = X["sex"].to_numpy()
    for learn, asked in list(FOLDS.split(X, Y))[::5]:
        known = [i for i in learn if isinstance(sex[i], str)]
        labels = np.array([f"{kind}, {s}" for kind, s in zip(Y, sex, strict=True)])
        hand = ByHand(np.array(known), labels=labels)
        for i in asked:
            joint = hand.joint(X.iloc[i], ("sex",)).reshape(3, 2)
            if isinstance(sex[i], str):
                joint = joint[:, [int(sex[i] == "male")]]
            np.testing.assert_allclose(found[i], softmax(logsumexp(joint, axis=1)), atol=1e-12)
    assert wrong(found).sum() == 2
    own = found[np.arange(len(Y)), np.searchsorted(SPECIES, Y)]
    before = held_out()[np.arange(len(Y)), np.searchsorted(SPECIES, Y)]
    assert 1 - np.log(own).sum() / np.log(before).sum() == pytest.approx(0.77, abs=0.005), "three quarters"


def test_six_classes_help_though_the_sex_is_hidden():
    """The control, by hand: each species as two bells a column, weighed by their shares; with other folds, too."""
    labels = np.array([f"{kind}, {s}" for kind, s in zip(Y, X["sex"], strict=True)])
    known = X["sex"].notna().to_numpy()
    found = by_species_and_sex(told=False)
    for learn, asked in list(FOLDS.split(X, Y))[::5]:
        hand = ByHand(learn[known[learn]], labels=labels)
        for i in asked:
            joint = hand.joint(X.iloc[i], ("sex",)).reshape(3, 2)
            np.testing.assert_allclose(found[i], softmax(logsumexp(joint, axis=1)), atol=1e-12)
    assert wrong(found).sum() == 2
    code = np.searchsorted(SPECIES, Y)
    one, told, hidden = (-np.log(proba[np.arange(len(Y)), code]).mean()
                         for proba in (held_out(), by_species_and_sex(), found))  # fmt: skip
    assert (one - hidden) / (one - told) > 0.75, "most of it stays"
    for seed in (1, 2):
        proba = np.zeros((len(Y), 3))
        for k in range(5):
            asked = np.random.default_rng(seed).permutation(len(Y))[k::5]
            proba[asked] = crossed(np.setdiff1d(np.arange(len(Y)), asked), asked, told=False)
        assert -np.log(proba[np.arange(len(Y)), code]).mean() < one / 2


def test_it_is_no_luck_of_the_folds():
    """What the page says of alpha, of the sex and of six classes: with other folds, too."""
    code = np.searchsorted(SPECIES, Y)
    for seed in (1, 2):
        losses = {}
        for name in ("alpha 0", "alpha 1", "crossed"):
            proba = np.zeros((len(Y), 3))
            for k in range(5):
                asked = np.random.default_rng(seed).permutation(len(Y))[k::5]
                learn = np.setdiff1d(np.arange(len(Y)), asked)
                if name == "crossed":
                    proba[asked] = crossed(learn, asked)
                else:
                    model = MixedNB(alpha=float(name[-1])).fit(X.iloc[learn], Y[learn])
                    proba[asked] = model.predict_proba(X.iloc[asked])
            losses[name] = -np.log(proba[np.arange(len(Y)), code]).mean()
        assert losses["alpha 0"] < losses["alpha 1"]
        assert losses["crossed"] < losses["alpha 1"] / 2


# --- zeros ------------------------------------------------------------------------------------------------------------


def test_the_losses_by_alpha_are_those_by_hand():
    folds = list(FOLDS.split(X, Y))
    for alpha in (0.0, 10.0):
        hands = [ByHand(learn, alpha) for learn, _ in folds[:2]]
        for hand, (_, asked) in zip(hands, folds, strict=False):
            with np.errstate(divide="ignore"):
                ours = [softmax(hand.joint(X.iloc[i])) for i in asked]
            np.testing.assert_allclose(held_out(alpha=alpha)[asked], ours, atol=1e-12)
    assert list(by_alpha()) == list(ALPHAS)
    assert sorted(by_alpha(), key=by_alpha().get) == list(ALPHAS), "the smaller, the better: no zero is violated"


def test_sixty_eight_without_a_stray_cannot_rule_out_one_in_24():
    """Clopper and Pearson's bound, one-sided."""
    assert beta.ppf(0.95, 1, 68) == pytest.approx(1 - 0.05 ** (1 / 68))
    assert (1 - 1 / 24) ** 68 > 0.05 > (1 - 1 / 23) ** 68
    shares = np.exp(MixedNB().fit(X, Y).parts_[1].feature_log_prob_[0])
    np.testing.assert_allclose(shares[1], [1 / 71, 69 / 71, 1 / 71])
    assert Fraction(1, 100) / (68 + Fraction(3, 100)) == Fraction(1, 6803)


def test_how_many_chinstraps_on_torgersen_are_still_called_so():
    """Of all 68, moved there: by hand for each alpha."""
    strays = X[Y == "Chinstrap"].assign(island="Torgersen")
    model, counts = MixedNB().fit(X, Y), []
    for alpha in ALPHAS:
        hand = ByHand(np.arange(len(Y)), alpha)
        with np.errstate(divide="ignore"):
            ours = np.array([SPECIES[hand.joint(row).argmax()] for _, row in strays.iterrows()])
            assert ours.tolist() == model.smoothed(alpha).predict(strays).tolist()
        counts.append(int((ours == "Chinstrap").sum()))
    assert counts == [0, 36, 40, 45, 59]
    assert 10 / 98 > 1 - 0.05 ** (1 / 68), "alpha 10 is beyond the bound"


def test_the_gaps_of_the_table_may_be_chance():
    unknown = X["sex"].isna().groupby(Y).agg(["sum", "size"])
    assert unknown.to_numpy().tolist() == [[6, 152], [0, 68], [5, 124]]
    table = np.column_stack([unknown["sum"], unknown["size"] - unknown["sum"]])
    assert min(fisher_exact(table[[a, b]]).pvalue for a, b in ((0, 1), (0, 2), (1, 2))) > 0.1


def test_the_mean_filled_in_makes_an_adelie_of_a_gentoo():
    filled = X.loc[271].to_dict()
    rest = X.drop(index=271)
    for name in COLUMNS.keys() - {"island"}:
        filled[name] = rest[name].mode()[0] if name in WORDS else rest[name].mean()
    hand = ByHand(all_rows_but(271))
    assert questions.filled(271) == pytest.approx(softmax(hand.joint(filled))[2])
    assert softmax(hand.joint(filled)).argmax() == 0
    assert questions.shares(271)[2] == pytest.approx(softmax(hand.joint(X.loc[271]))[2])
    assert round(filled["bill_length_mm"]) == 44
    assert round(filled["bill_depth_mm"]) == 17
    assert X["bill_depth_mm"][Y == "Gentoo"].mean() == pytest.approx(15, abs=0.05)


def test_means_filled_in_for_all_measurements_make_every_gentoo_wrong():
    """On four folds by hand, from island and sex, or with scipy's bells at the means; counted on all."""
    for fill in (False, True):
        proba = nothing_measured(fill)
        for learn, asked in list(FOLDS.split(X, Y))[::3]:
            hand, usual = ByHand(learn), X.iloc[learn].mean(numeric_only=True).to_dict()
            for i in asked:
                row = X.loc[i].to_dict() | (usual if fill else dict.fromkeys(usual, np.nan))
                np.testing.assert_allclose(proba[i], softmax(hand.joint(row)), atol=1e-12)
    left, filled = wrong(nothing_measured(False)), wrong(nothing_measured(True))
    assert (left.sum(), filled.sum()) == (100, 180)
    assert filled[Y == "Gentoo"].all()
    own = nothing_measured(True)[np.arange(len(Y)), np.searchsorted(SPECIES, Y)]
    shares = np.unique(Y, return_counts=True)[1] / len(Y)
    assert -np.log(own).mean() > -(shares * np.log(shares)).sum(), "worse than the prior alone"


def test_the_measurements_depend_on_each_other_less_within_a_sex():
    numbers = X.select_dtypes("number")

    def mean_r(groups):
        each = [part.corr().abs().to_numpy()[np.triu_indices(4, 1)].mean() for _, part in numbers.groupby(groups)]
        return np.mean(each)

    assert mean_r(Y) == pytest.approx(0.57, abs=0.005)
    assert mean_r([Y, X["sex"]]) == pytest.approx(0.29, abs=0.005)


def test_the_number_of_the_row_gives_the_species_away():
    told = X.assign(number=np.arange(len(Y)))
    assert not wrong(cross_val_predict(MixedNB(), told, Y, cv=FOLDS, method="predict_proba")).any()


def test_you_would_miss_the_bill_most():
    loss = {}
    for name in COLUMNS:
        rest = tuple(other for other in COLUMNS if other != name)
        loss[name] = -np.log(held_out(rest)[np.arange(len(Y)), np.searchsorted(SPECIES, Y)]).mean()
    assert max(loss, key=loss.get) == "bill_length_mm"


def test_isotonic_curves_call_two_penguins_impossible():
    """By scikit-learn's own calibration, too; each of the two is wrong without it."""
    curves = CalibratedClassifierCV(MixedNB(), method="isotonic", cv=5, ensemble=False)
    proba = cross_val_predict(curves, X, Y, cv=FOLDS, method="predict_proba")
    never = proba[np.arange(len(Y)), np.searchsorted(SPECIES, Y)] == 0
    assert called_impossible() == never.sum() == 2
    assert wrong(held_out())[never].all()


# --- explorers --------------------------------------------------------------------------------------------------------


def show(explorer):
    result = explorer.compute(**explorer.state)
    return result, figure_of(explorer, result), explorer.describe(result)


@pytest.mark.parametrize("preset", [None, *GapsExplorer.presets])
def test_the_gaps_show_what_is_left_by_hand(preset):
    explorer = GapsExplorer().preset(preset) if preset else GapsExplorer()
    _, figure, said = show(explorer)
    row = ROWS[explorer.penguin]
    gone = [name for name, control in zip(COLUMNS, CONTROLS, strict=True) if not explorer.state[control]]
    joint = ByHand(all_rows_but(row), explorer.alpha).joint(X.loc[row], gone)
    bars = next(trace for trace in figure.data if trace.ids is not None and trace.ids[0] == "P Adelie")
    np.testing.assert_allclose(bars.y, softmax(joint), atol=1e-12)
    assert f"In truth it is {Y[row]}" in said
    assert ("right" in said) == (SPECIES[joint.argmax()] == Y[row])
    sums = [trace.x[-1] for trace in figure.data if trace.name in SPECIES]
    np.testing.assert_allclose(sums, np.maximum(joint - joint.max(), -8), atol=1e-12)


@pytest.mark.parametrize("preset", [None, *NomogramExplorer.presets])
def test_the_nomogram_adds_up_to_the_model(preset):
    explorer = NomogramExplorer().preset(preset) if preset else NomogramExplorer()
    r, figure, _ = show(explorer)
    row = {name: explorer.state[SLIDERS[name]] for name in COLUMNS}
    joint = ByHand(np.arange(len(Y))).joint(row, () if explorer.measured else ("bill_length_mm",))
    assert r.total == pytest.approx(joint[1] - joint[0])
    assert r.posterior == pytest.approx(expit(joint[1] - joint[0]))
    dots = next(trace for trace in figure.data if trace.ids is not None)
    assert sum(dots.x) == pytest.approx(r.total)


def test_what_the_page_says_of_row_306():
    explorer = NomogramExplorer().preset("Row 306")

    def chance(**changes):
        return explorer.compute(**explorer.state | changes).posterior

    assert chance(bill=44.0) < 0.5 < chance(bill=44.5)
    assert chance(flipper=211) < 0.5 < chance(flipper=212)


def test_what_the_page_says_of_the_scales():
    lengths = [np.ptp(scale.points) for scale in scales().values()]
    assert lengths == sorted(lengths, reverse=True), "sorted by length"
    assert lengths[-1] < 1e-9, "the sex is worth nothing"
    assert lengths[0] > sum(lengths[1:]), "longer than all the others together"
    prior = MixedNB().fit(X, Y).class_log_prior_
    bill, *rest = scales().values()
    assert bill.points[-1] + prior[1] - prior[0] + sum(scale.points.min() for scale in rest) > 0, "cannot bring it back"
    two = X[Y != "Gentoo"]
    for name, scale in scales().items():
        if name not in WORDS:
            assert scale.values[0] <= two[name].min() + 0.5
            assert scale.values[-1] >= two[name].max() - 0.5
    heights = np.interp(0.95, expit(bill.points + prior[1] - prior[0] + scales()["island"].points[1]), bill.values)
    assert scales()["island"].values[1] == "Biscoe"
    assert 48.5 < heights < 49, "nearly 49 mm"


def test_the_body_mass_turns_back_where_the_bells_have_equal_slopes():
    adelie, chinstrap = (X["body_mass_g"][Y == kind] for kind in SPECIES[:2])
    (m1, v1), (m2, v2) = ((each.mean(), each.var(ddof=0)) for each in (adelie, chinstrap))
    top = (m2 / v2 - m1 / v1) / (1 / v2 - 1 / v1)
    assert questions.turning_mass() == pytest.approx(top, abs=5)
    worth = norm.logpdf(top, m2, v2**0.5) - norm.logpdf(top, m1, v1**0.5)
    assert float(questions.body_mass_points([top])[0]) == pytest.approx(worth, rel=1e-4)
    assert (round(m1), round(m2)) == (3701, 3733)


# --- ten lines --------------------------------------------------------------------------------------------------------


def ten_lines():
    """The code that the page shows as text."""
    text = "\n".join(cell.source for cell in nbformat.read(NOTEBOOK, 4).cells if cell.cell_type == "markdown")
    (code,) = re.findall(r"```python\n(.+?)```", text, re.S)
    return code


def test_ten_lines_lead_from_a_file_to_a_calibrated_diagnosed_explained_model(tmp_path):
    code = ten_lines()
    assert len(code.strip().splitlines()) == 10
    shutil.copy(Path(datasets.__file__).parent / "data" / "penguins.csv", tmp_path)
    done = run(code, tmp_path)
    assert "on 344 rows it has not seen, 7 features, 3 classes: accuracy 0.9" in done
    assert re.search(r"^ +Adelie +Chinstrap +Gentoo$", done, re.M)
    assert all(re.search(rf"^{name} +-?\d", done, re.M) for name in (*COLUMNS, "year")), "every column"


def test_ten_lines_take_150_rows_and_a_gap_in_the_target(tmp_path):
    iris = load_iris(as_frame=True).frame.rename(columns={"target": "species"})
    iris["species"] = iris["species"].map(dict(enumerate("abc"))).where(iris.index != 7)
    iris.to_csv(tmp_path / "penguins.csv", index=False)
    assert "on 149 rows it has not seen, 4 features, 3 classes" in run(ten_lines(), tmp_path)


def run(code, folder):
    """What a program says, without a warning."""
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=folder, capture_output=True, text=True,
                          encoding="utf-8")  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout

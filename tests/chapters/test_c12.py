"""Chapter 12: every number of the page by a route of its own: scipy's bells, counting, sums over what is missing."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest
from scipy.special import expit, logsumexp, softmax
from scipy.stats import fisher_exact, multivariate_normal, norm
from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics import log_loss
from sklearn.model_selection import cross_val_predict

from nbcore.mixed import MixedNB
from workbook.chapters.c12_your_own_table import experiment as ex
from workbook.chapters.c12_your_own_table import questions
from workbook.chapters.c12_your_own_table.words import BIRDS, write_odds
from workbook.explorers import BirdsExplorer, SexesExplorer
from workbook.learning import contents

from .shown import compute_result

X, Y = ex.penguins()
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
        told = [name not in gone and not pd.isna(row[name]) for name in ex.COLUMNS]
        return np.array([[self.term(c, name, row[name]) if there else 0.0
                          for name, there in zip(ex.COLUMNS, told, strict=True)]
                         for c in range(len(self.classes))])  # fmt: skip

    def joint(self, row, gone=()):
        return self.prior + self.terms(row, gone).sum(axis=1)


# --- gaps -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ex.COLUMNS)
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


# --- held out ---------------------------------------------------------------------------------------------------------


def test_held_out_is_naive_bayes_by_hand_on_the_other_folds():
    for learn, asked in list(ex.FOLDS.split(X, Y))[::4]:
        hand = ByHand(learn)
        np.testing.assert_allclose(ex.held_out()[asked], [softmax(hand.joint(X.iloc[i])) for i in asked], atol=1e-12)
    assert ex.wrong(ex.held_out()).sum() == ex.wrong(ex.held_out(questions.FIVE)).sum() == 7


def test_the_wrong_ones_are_female_chinstraps_and_male_adelies():
    missed = pd.crosstab(Y[ex.wrong(ex.held_out())], X["sex"][ex.wrong(ex.held_out())])
    assert missed.to_dict() == {"female": {"Adelie": 0, "Chinstrap": 5}, "male": {"Adelie": 2, "Chinstrap": 0}}


def test_bills_of_males_are_three_to_five_mm_longer():
    means = X.groupby([Y, X["sex"]])["bill_length_mm"].mean().unstack()
    gaps = means["male"] - means["female"]
    assert gaps.min() > 3
    assert gaps.max() < 5


@pytest.mark.parametrize("shuffle", [0, 3])
def test_six_classes_are_a_model_for_each_sex(shuffle):
    """By scikit-learn's bells and by counting, of the males alone and of the females alone; unknown: both weighed."""
    found, sex = ex.by_species_and_sex(shuffle=shuffle), ex.sexes(shuffle)
    for learn, asked in list(ex.FOLDS.split(X, Y))[::5]:
        known = [i for i in learn if isinstance(sex[i], str)]
        labels = np.array([f"{kind}, {s}" for kind, s in zip(Y, sex, strict=True)])
        hand = ByHand(np.array(known), labels=labels)
        for i in asked:
            joint = hand.joint(X.iloc[i], ("sex",)).reshape(3, 2)
            if isinstance(sex[i], str):
                joint = joint[:, [int(sex[i] == "male")]]
            np.testing.assert_allclose(found[i], softmax(logsumexp(joint, axis=1)), atol=1e-12)


def test_six_classes_take_three_quarters_of_the_loss_away():
    found, code = ex.by_species_and_sex(), np.searchsorted(ex.SPECIES, Y)
    assert ex.wrong(found).sum() == 2
    own, before = (proba[np.arange(len(Y)), code] for proba in (found, ex.held_out()))
    assert 1 - np.log(own).sum() / np.log(before).sum() == pytest.approx(0.77, abs=0.005)


def test_six_classes_help_though_the_sex_is_hidden():
    """The control, by hand: each species as two bells a column, weighed by their shares; with other folds, too."""
    labels = np.array([f"{kind}, {s}" for kind, s in zip(Y, X["sex"], strict=True)])
    known = X["sex"].notna().to_numpy()
    found = ex.by_species_and_sex(told=False)
    for learn, asked in list(ex.FOLDS.split(X, Y))[::5]:
        hand = ByHand(learn[known[learn]], labels=labels)
        for i in asked:
            joint = hand.joint(X.iloc[i], ("sex",)).reshape(3, 2)
            np.testing.assert_allclose(found[i], softmax(logsumexp(joint, axis=1)), atol=1e-12)
    assert ex.wrong(found).sum() == 2
    code = np.searchsorted(ex.SPECIES, Y)
    one, told, hidden = (-np.log(proba[np.arange(len(Y)), code]).mean()
                         for proba in (ex.held_out(), ex.by_species_and_sex(), found))  # fmt: skip
    assert (one - hidden) / (one - told) > 0.75, "most of it stays"
    for seed in (1, 2):
        proba = np.zeros((len(Y), 3))
        for k in range(5):
            asked = np.random.default_rng(seed).permutation(len(Y))[k::5]
            proba[asked] = ex.crossed(np.setdiff1d(np.arange(len(Y)), asked), asked, told=False)
        assert -np.log(proba[np.arange(len(Y)), code]).mean() < one / 2


def test_two_bells_in_every_column_mend_nothing():
    """Columns stay independent: as wrong as one bell each, and four times the loss of six classes."""
    proba = ex.two_bells_a_column()
    assert ex.wrong(proba).sum() >= ex.wrong(ex.held_out()).sum() > 3 * ex.wrong(ex.by_species_and_sex()).sum()
    assert ex.find_loss(proba) > 4 * ex.find_loss(ex.by_species_and_sex())
    learn, asked = next(iter(ex.FOLDS.split(X, Y)))
    bird = next(k for k, row in enumerate(asked) if X.iloc[row].notna().all())
    joint = []
    for kind in ex.SPECIES:
        own = X.iloc[learn][Y[learn] == kind]
        score = np.log(len(own)) + np.log((np.sum(own["island"] == X["island"].iloc[asked[bird]]) + 1) / (len(own) + 3))
        for name in X.select_dtypes("number"):
            of_sex = [own[name][own["sex"] == sex] for sex in ("female", "male")]
            far = [(X[name].iloc[asked[bird]] - each.mean()) / each.std(ddof=0) for each in of_sex]
            bells = [len(each) * np.exp(-(z**2) / 2) / each.std(ddof=0) for z, each in zip(far, of_sex, strict=True)]
            score += np.log(sum(bells) / sum(map(len, of_sex)) / np.sqrt(2 * np.pi))
        joint.append(score)
    np.testing.assert_allclose(proba[asked[bird]], softmax(joint), rtol=1e-6)


def test_bells_of_em_and_a_tilted_bell_are_what_they_say():
    """One bell is naive Bayes without the sex; a tilted one by scipy; two by EM beat the placebos without a sex."""
    one, two, tilted = (ex.by_mixtures(nodes, shape) for nodes, shape in ((1, "diag"), (2, "diag"), (1, "full")))
    np.testing.assert_allclose(one, ex.held_out(tuple(X.columns.drop("sex"))), atol=1e-4)
    learn, asked = next(iter(ex.FOLDS.split(X, Y)))
    four, joint = X.select_dtypes("number"), []
    whole = asked[four.notna().all(axis=1).to_numpy()[asked]]
    for kind in ex.SPECIES:
        own = learn[Y[learn] == kind]
        bell = multivariate_normal(four.iloc[own].mean(), four.iloc[own].dropna().cov(ddof=0))
        places = X["island"].iloc[own]
        shares = [(np.sum(places == place) + 1) / (len(own) + 3) for place in X["island"].iloc[whole]]
        joint.append(np.log(len(own)) + np.log(shares) + bell.logpdf(four.iloc[whole]))
    np.testing.assert_allclose(tilted[whole], softmax(np.transpose(joint), axis=1), atol=1e-4)
    losses = [log_loss(Y, proba) for proba in (tilted, two, one)]
    assert losses[0] < losses[1] < losses[2] / 2
    assert losses[1] < min(log_loss(Y, ex.by_species_and_sex(shuffle=k)) for k in range(1, ex.SHUFFLES + 1))


# --- gaps and means ---------------------------------------------------------------------------------------------------


def test_the_gaps_of_the_table_may_be_chance():
    unknown = X["sex"].isna().groupby(Y).agg(["sum", "size"])
    assert unknown.to_numpy().tolist() == [[6, 152], [0, 68], [5, 124]]
    table = np.column_stack([unknown["sum"], unknown["size"] - unknown["sum"]])
    assert min(fisher_exact(table[[a, b]]).pvalue for a, b in ((0, 1), (0, 2), (1, 2))) > 0.1


def test_means_filled_in_for_all_measurements_make_every_gentoo_wrong():
    """On four folds by hand, from island and sex, or with scipy's bells at the means; counted on all."""
    for fill in (False, True):
        proba = ex.nothing_measured(fill)
        for learn, asked in list(ex.FOLDS.split(X, Y))[::3]:
            hand, usual = ByHand(learn), X.iloc[learn].mean(numeric_only=True).to_dict()
            for i in asked:
                row = X.loc[i].to_dict() | (usual if fill else dict.fromkeys(usual, np.nan))
                np.testing.assert_allclose(proba[i], softmax(hand.joint(row)), atol=1e-12)
    left, filled = ex.wrong(ex.nothing_measured(False)), ex.wrong(ex.nothing_measured(True))
    assert (left.sum(), filled.sum()) == (100, 180)
    assert filled[Y == "Gentoo"].all()
    own = ex.nothing_measured(True)[np.arange(len(Y)), np.searchsorted(ex.SPECIES, Y)]
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
    assert not ex.wrong(cross_val_predict(MixedNB(), told, Y, cv=ex.FOLDS, method="predict_proba")).any()


def test_isotonic_curves_call_two_penguins_impossible():
    """By scikit-learn's own calibration, too; each of the two is wrong without it."""
    curves = CalibratedClassifierCV(MixedNB(), method="isotonic", cv=5, ensemble=False)
    proba = cross_val_predict(curves, X, Y, cv=ex.FOLDS, method="predict_proba")
    never = proba[np.arange(len(Y)), np.searchsorted(ex.SPECIES, Y)] == 0
    assert ex.called_impossible() == never.sum() == 2
    assert ex.wrong(ex.held_out())[never].all()


# --- the placebo ------------------------------------------------------------------------------------------------------


def test_shuffled_sexes_keep_the_numbers_of_each_species():
    counts = pd.crosstab(Y, ex.sexes())
    for k in range(1, ex.SHUFFLES + 1):
        assert pd.crosstab(Y, ex.sexes(k)).equals(counts)
        assert (pd.isna(ex.sexes(k)) == X["sex"].isna()).all()
        assert 0.3 < np.mean(ex.sexes(k)[X["sex"].notna()] == X["sex"].dropna()) < 0.7, "at random"


def test_six_classes_of_shuffled_sexes_are_no_better_than_three():
    losses = [log_loss(Y, ex.by_species_and_sex(shuffle=k)) for k in range(1, ex.SHUFFLES + 1)]
    real, three = log_loss(Y, ex.by_species_and_sex()), log_loss(Y, ex.held_out())
    assert min(losses) > 3 * real, "the best of the placebos loses three times as much"
    assert np.mean(losses) > three, "on average they lose more than three classes do"
    assert (questions.placebo().min(), questions.placebo().max()) == (7, 11)
    assert questions.placebo().mean() == pytest.approx(9.25)


def test_six_classes_win_and_the_placebo_does_not_with_other_folds():
    code = np.searchsorted(ex.SPECIES, Y)
    for seed in (1, 2):
        losses = {}
        for way in ("three", 0, 1):
            proba = np.zeros((len(Y), 3))
            for k in range(5):
                asked = np.random.default_rng(seed).permutation(len(Y))[k::5]
                learn = np.setdiff1d(np.arange(len(Y)), asked)
                proba[asked] = (MixedNB().fit(X.iloc[learn], Y[learn]).predict_proba(X.iloc[asked])
                                if way == "three" else ex.crossed(learn, asked, shuffle=way))  # fmt: skip
            losses[way] = -np.log(proba[np.arange(len(Y)), code]).mean()
        assert losses[0] < losses["three"] / 2
        assert losses[1] > 0.75 * losses["three"]


# --- explorers --------------------------------------------------------------------------------------------------------


def test_a_birds_votes_are_those_of_a_model_by_hand_and_the_title_says_what_became_of_it():
    learn = {row: learn for learn, asked in ex.FOLDS.split(X, Y) for row in BIRDS if row in asked}
    wrong_rows = set(np.flatnonzero(ex.wrong(ex.held_out())))
    assert wrong_rows == set(BIRDS) - {19, 37}
    mended = set()
    for bird, row in enumerate(BIRDS):
        hand = ByHand(learn[row])
        for gap in range(7):
            explorer = BirdsExplorer(bird=bird, gap=gap)
            r, gone = compute_result(explorer), list(ex.COLUMNS)[gap - 1 : gap] if gap else []
            joint = hand.joint(X.loc[row], gone)
            assert r.votes.sum() == pytest.approx((joint[1] - joint[0]) / np.log(10))
            assert r.now[bird] == pytest.approx(softmax(joint)[ex.SPECIES.index(Y[row])])
            right = ex.SPECIES[joint.argmax()] == Y[row]
            assert r.finding.startswith(f"A {X['sex'][row]} {Y[row]}, " if not gap else "Without its ")
            if gap:
                assert r.finding.endswith("right" if right else "wrong")
                assert ("still" in r.finding) == (right == (row not in wrong_rows))
                mended |= {row} if right and row in wrong_rows else set()
            else:
                assert ("rightly" in r.finding) == right
                assert r.finding.endswith(ex.SPECIES[joint.argmax()])
            said = explorer.describe(r)
            assert f"P({Y[row]}) = {r.now[bird]:.3f}" in said
            assert f"for {ex.SPECIES[int(joint[1] > joint[0])]}" in said
    assert mended == {95}, "the one of the seven that a gap would mend"


def test_the_bells_of_a_bird_are_those_of_its_label_and_the_title_says_whom_its_bill_is_for():
    learn = {row: learn for learn, asked in ex.FOLDS.split(X, Y) for row in BIRDS if row in asked}
    bills = X["bill_length_mm"].to_numpy()
    for bird, row in enumerate(BIRDS):
        for step in range(ex.SHUFFLES + 2):
            explorer = SexesExplorer(bird=bird, step=step)
            r, label = compute_result(explorer), ex.sexes(max(step - 1, 0))
            heights = []
            for kind in ex.SPECIES[:2]:
                own = learn[row][Y[learn[row]] == kind]
                own = own[label[own] == label[row]] if step else own
                heights.append(norm.logpdf(bills[row], np.nanmean(bills[own]), np.nanstd(bills[own])))
            vote = (heights[1] - heights[0]) / np.log(10)
            assert r.vote == pytest.approx(vote, rel=1e-3, abs=1e-3)
            start = "One bell" if not step else f"Bells of {label[row]}s" if step == 1 else "Shuffled sexes"
            assert r.finding.startswith(start)
            assert r.finding.endswith(f"{ex.SPECIES[int(vote > 0)]}, {write_odds(r.vote)}")
            proba = ex.by_species_and_sex(shuffle=step - 1) if step else ex.held_out()
            assert f"{ex.wrong(proba).sum()} of 344 wrong, log loss {log_loss(Y, proba):.4f}" in explorer.describe(r)


def test_odds_of_tails_are_only_over_ten_thousand():
    assert list(map(write_odds, (0, -0.46, 1, 2.04, 8.9))) == ["1.0 : 1", "2.9 : 1", "10 : 1", "110 : 1",
                                                               "over 10,000 : 1"]  # fmt: skip


def test_a_bill_of_nearly_49_mm_makes_up_for_biscoe():
    item = contents("12")["12/points"]
    model = MixedNB().fit(X, Y)
    rows = pd.DataFrame({"bill_length_mm": np.linspace(45, 52, 701)})
    bill = MixedNB().fit(X[["bill_length_mm"]], Y).feature_contributions(rows)[:, :, 0]
    needed = rows["bill_length_mm"][np.searchsorted(bill[:, 1] - bill[:, 0], item.number(item.expected))]
    assert 48.5 < needed < 49
    assert model.class_log_prior_[1] - model.class_log_prior_[0] == pytest.approx(-0.80, abs=0.005)
    biscoe = model.parts_[1].feature_log_prob_[0][:2, 0]
    assert biscoe[1] - biscoe[0] == pytest.approx(-3.03, abs=0.005)
    assert expit(item.number(item.expected) - 0.80 - 3.03) == pytest.approx(0.95)


# --- the page ---------------------------------------------------------------------------------------------------------


def test_a_name_of_the_page_stands_for_one_thing():
    """No two cells bind one name, in loops neither."""
    cells = [cell for cell in nbformat.read(NOTEBOOK, 4).cells if cell.cell_type == "code"]
    bound = [{node.id for node in ast.walk(ast.parse(cell.source))
              if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)} for cell in cells]  # fmt: skip
    twice = [name for at, names in enumerate(bound) for name in names if any(name in other for other in bound[:at])]
    assert not twice


# --- ten lines --------------------------------------------------------------------------------------------------------


def ten_lines():
    """The first code of the library's page."""
    text = (Path(__file__).parents[2] / "docs" / "library.md").read_text("utf-8")
    return re.findall(r"```python\n(.+?)```", text, re.S)[0]


def test_ten_lines_lead_from_a_file_to_a_calibrated_diagnosed_explained_model(tmp_path):
    code = ten_lines()
    assert len(code.strip().splitlines()) == 10
    done = run(code, tmp_path)
    assert "on 344 rows it has not seen, 7 features, 3 classes: accuracy 0.9" in done
    assert re.search(r"^ +Adelie +Chinstrap +Gentoo$", done, re.M)
    assert all(re.search(rf"^{name} +-?\d", done, re.M) for name in (*ex.COLUMNS, "year")), "every column"


def run(code, folder):
    """What a program says, without a warning."""
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=folder, capture_output=True, text=True,
                          encoding="utf-8")  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout

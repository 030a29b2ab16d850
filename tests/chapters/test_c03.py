"""Chapter 03."""

import re
from fractions import Fraction
from itertools import product
from math import exp, log, prod

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from sklearn.preprocessing import OneHotEncoder

from nbcore.datasets import load_hair_eye_color, load_titanic, load_ucb_admissions
from nbcore.one_hot import f_factor
from tests.plotly_figure import figure_of
from workbook.chapters.c03_one_hot_pitfall.certainty import SIZES, THETAS
from workbook.chapters.c03_one_hot_pitfall.claims import CLAIMS, ends_on_the_simplex, random_pairs
from workbook.explorer.formula import spoken
from workbook.explorers import (
    CertaintyExplorer,
    DummyBellsExplorer,
    ExtraOddsExplorer,
    EyeColorExplorer,
    SimplexExplorer,
)

from .claimed import make_measurer
from .shown import compute_result, read_numbers

# --- Each statement of Williams (2024), introduction and sections 1 and 2: our number bears out the ledger's verdict.


measure_claim = make_measurer(CLAIMS)


def test_the_students_by_counting():
    counted, by_codes, by_bits = measure_claim("scikit-learn is right").value
    assert counted == pytest.approx(94 / 215)
    assert by_codes == pytest.approx(94 / 215)
    assert by_bits == pytest.approx(0.594, abs=5e-4)


def test_bounds_leave_room():
    assert min(measure_claim("Q lies between").value) > 0
    assert measure_claim("exceeds l(theta_jc)").value > 0
    assert min(measure_claim("grow by more than").value) > 1
    at_zero, bend = np.split(np.array(measure_claim("pass through the origin").value), 2)
    assert not at_zero.any()
    assert bend.min() > 0


def test_the_simplex_has_its_corners_and_its_centre_in_the_grid():
    assert ends_on_the_simplex().value == (0, pytest.approx((2 / 3) ** 3))
    assert ends_on_the_simplex(31).value[1] < (2 / 3) ** 3 - 1e-5, "no centre there: the maximum is missed"


def test_two_values_are_the_exception_in_the_centre():
    below, half = measure_claim("it is above 0 at 0").value
    assert below == pytest.approx(0.1 + 0.9 / 8)
    assert below < half
    two, *more = measure_claim("In the centre").value
    assert two == 0
    assert min(more) > 0.05
    assert np.all(np.diff(measure_claim("smaller for lower K").value) > 0)
    assert measure_claim("smaller for lower K").value[0] == 0, "K = 2: one bound"


def test_the_reversed_pair_in_fractions():
    c, d, f_c, f_d = measure_claim("need not have the larger").value
    assert c > d
    assert f_c < f_d
    assert f_c == pytest.approx(float(Fraction(3, 10) * (1 - Fraction(7, 10))))
    assert f_d == pytest.approx(float(Fraction(29, 100) * (1 - Fraction(71, 300)) ** 3))


def test_the_slip_below_eq_13_by_plain_products():
    """A corner for d and the centre for c: the ratio reaches u / l, and no random pair goes beyond."""
    c, d = np.array([0.4, 0.2, 0.2, 0.2]), np.array([0.3, 0.7, 0, 0])
    most = 0.4 * 0.8**3 / 0.3**2
    assert f_factor(c)[0] / f_factor(d)[0] == pytest.approx(most)
    assert most > 0.4 / 0.3
    theta = random_pairs(5)
    products = theta[..., 0] * np.prod(1 - theta[..., 1:], axis=-1)
    upper = theta[0, :, 0] * ((3 + theta[0, :, 0]) / 4) ** 4 / theta[1, :, 0] ** 2
    assert np.all(products[0] / products[1] < upper)
    assert measure_claim("bounds the ratio of f from below").value == 0

# --- The explorers: each title is proven in every state, by fractions or by scikit-learn.

DATA = load_hair_eye_color()
HAIR, EYE, _ = DATA.data.T
HAIRS, EYES = ([str(name).lower() for name in names] for names in DATA.categories[:2])
BITS = np.eye(4)[EYE]
BLACK, BROWN, RED, BLOND = range(4)
BLUE, GREEN = 1, 3


def eyes_of(hair):
    """Return the exact shares of the four eye colours among these students."""
    counts = [int(np.sum((HAIR == hair) & (EYE == eye))) for eye in range(4)]
    return [Fraction(count, sum(counts)) for count in counts]


def without(values, place):
    return [value for at, value in enumerate(values) if at != place]


def product_of_zeros(theta, seen):
    """Return Q of the value that was seen, in fractions."""
    return prod(1 - t for t in without(theta, seen))


def write_odds(odds):
    """Return odds to 1 of the side that they favour, as the book writes them."""
    larger = max(odds, 1 / odds)
    return f"{float(larger):,.0f} : 1" if larger >= 99.95 else f"{float(larger):.3g} : 1"


def states(kind):
    """Yield every state of an explorer: the explorer, and the values of its controls."""
    for values in product(*(control.values for control in kind.declared.values())):
        yield kind(**dict(zip(kind.declared, values, strict=True))), values


def bars_of(explorer):
    """Return where the bars of the columns begin and end, and that of all together, as odds."""
    data = figure_of(explorer, compute_result(explorer)).data
    return np.array([(one.base[0], one.base[0] + one.x[0]) for one in data if one.type == "bar"])


def test_the_title_of_the_columns_is_true_in_every_state():
    """The zeros repeat what the one says, never more and never nothing."""
    for explorer, (K, ratio) in states(ExtraOddsExplorer):
        odds = Fraction(str(ratio))
        a, b = odds / (1 + odds), 1 / (1 + odds)
        zero = (1 - (1 - a) / (K - 1)) / (1 - (1 - b) / (K - 1)) if K > 1 else 1
        together = odds * zero ** (K - 1)
        r = compute_result(explorer)
        assert np.exp([r.once, r.together]) == pytest.approx([float(odds), float(together)])
        assert ("becomes" in r.finding) == (together > odds) == (K > 1)
        assert together <= odds**2
        assert write_odds(odds) in r.finding
        assert write_odds(together) in r.finding
        zeros = {2: "two", 3: "three", 4: "four", 5: "five", 7: "seven", 9: "nine"}.get(K - 1, K - 1)
        assert K < 3 or f": {zeros} zeros repeat" in r.finding


def test_many_columns_leave_e_to_the_difference():
    """Q tends to exp(theta - 1): what the zeros multiply by tends to exp of the difference, which is never 1."""
    for ratio in ExtraOddsExplorer.declared["ratio"].values:
        r = compute_result(ExtraOddsExplorer(K=50, ratio=ratio))
        assert r.together - r.once == pytest.approx((ratio - 1) / (ratio + 1), abs=0.02)
        assert np.all(np.diff(r.path[1:]) < 0), "it fades"


def test_the_equation_of_the_columns_comes_out_as_printed():
    for K, ratio in [(1, 9), (2, 19), (50, 1.5)]:
        explorer = ExtraOddsExplorer(K=K, ratio=ratio)
        once, a, b, together = read_numbers(explorer)
        assert once * a / b == pytest.approx(together, rel=0.01)
        *columns, total = bars_of(explorer)
        assert np.ravel(columns)[:-1:2] == pytest.approx([0, *np.ravel(columns)[1:-1:2]]), "begins where one ended"
        assert np.exp(total) == pytest.approx([1, together], rel=0.005)


def test_the_title_of_the_eyes_is_true_in_every_state():
    told = set()
    for explorer, (eye, rival) in states(EyeColorExplorer):
        blond, other = eyes_of(BLOND), eyes_of(rival)
        once = blond[eye] / other[eye]
        zeros = product_of_zeros(blond, eye) / product_of_zeros(other, eye)
        title = compute_result(explorer).finding
        assert f"{write_odds(once)} for {'blond' if once > 1 else HAIRS[rival]}" in title
        assert write_odds(once * zeros) in title
        turned = (once > 1) != (once * zeros > 1)
        assert ("outvote the one" in title) == turned
        assert ("repeat it" in title) == ((once > 1) == (zeros > 1))
        assert ("some back" in title) == ((once > 1) != (zeros > 1) and not turned)
        assert read_numbers(explorer)[-3:] == pytest.approx([float(x) for x in (once, zeros, once * zeros)], abs=6e-3)
        steps = [once, *((1 - a) / (1 - b) for a, b in zip(without(blond, eye), without(other, eye), strict=True))]
        ends = np.cumsum([log(step) for step in steps])
        assert bars_of(explorer) == pytest.approx(np.array([[0, *ends[:-1], 0], [*ends, ends[-1]]]).T)
        told.add(title)
    assert len(told) == 12


def test_one_green_zero_turns_the_answer_round():
    """The question of the page: which zero it is."""
    blond, brown = eyes_of(BLOND), eyes_of(BROWN)
    odds = blond[GREEN] / brown[GREEN] * product_of_zeros(blond, GREEN) / product_of_zeros(brown, GREEN)
    assert odds < 1 < blond[GREEN] / brown[GREEN]
    kept = [odds / ((1 - blond[eye]) / (1 - brown[eye])) > 1 for eye in range(3)]
    assert kept == [False, True, False], "only without the zero of blue"


def test_the_title_of_the_shares_is_true_in_every_state():
    told = set()
    for explorer, (first, second, theta4) in states(SimplexExplorer):
        a, b, t = (Fraction(value).limit_denominator(12) for value in (first, second, theta4))
        theta = [(1 - t) * share for share in (a, (1 - a) * b, (1 - a) * (1 - b))]
        q, most = prod(1 - other for other in theta), ((2 + t) / 3) ** 3
        assert t <= q <= most
        title = compute_result(explorer).finding
        assert float(re.search(r"Q is (\d\.\d+)", title)[1]) == pytest.approx(float(q), abs=5.1e-4)
        assert ("least" in title) == (q == t != 1)
        assert ("most" in title) == (q == most != 1)
        assert ("Nothing" in title) == (t == 1)
        if t < q < most:
            ends = [float(end) for end in re.findall(r"than (\d\.\d+)", title)]
            assert ends == pytest.approx([float(t), float(most)], abs=5.1e-4)
        assert read_numbers(explorer) == pytest.approx([float(x) for x in (q, *(1 - t for t in theta))], abs=5.1e-4)
        told.add(title)
    assert len(told) > 100


def test_figure_1_is_shown():
    """Its hill has its top in the centre and no height in the corners; f lies between its bounds, below theta."""
    figure = figure_of(explorer := SimplexExplorer(first=1 / 3, second=1 / 2), compute_result(explorer))
    (hill,) = [trace for trace in figure.data if len(trace.x) == 91]
    grid = np.linspace(0, 1, 51)
    assert max(hill.customdata) == pytest.approx(8 / 27)
    centre = hill.customdata.argmax()
    assert (hill.x[centre], hill.y[centre]) == pytest.approx((1 / 2, np.sqrt(3) / 6))
    assert sorted(hill.x[hill.customdata == 0]) == pytest.approx([0, 1 / 2, 1])
    lines = {trace.name: trace.y for trace in figure.data}
    assert lines["lower l"] == pytest.approx(grid**2)
    assert lines["upper u"] == pytest.approx(grid * ((2 + grid) / 3) ** 3)
    assert lines["θ₄ itself"] == pytest.approx(grid)


def test_the_title_of_certainty_is_true_in_every_state():
    certain = 0
    for explorer, (K, c, d) in states(CertaintyExplorer):
        high, low = (Fraction(str(end(c, d))) for end in (max, min))
        top = [((K - 2 + theta) / (K - 1)) ** (K - 1) for theta in (high, low)]
        least, most = high * high / (low * top[1]), high * top[0] / (low * low)
        r, sure = compute_result(explorer), high > top[1]
        assert r.reach == pytest.approx((float(least), float(most)))
        assert sure == (least > high / low), "eq. (13) says just that"
        title, equation = r.finding, spoken(explorer.explain(r))
        assert title.startswith("Two" if K == 2 else "Certain" if sure else "Not certain")
        said = [float(number) for number in re.findall(r"\d+\.?\d*", title)]
        ends = [least, most][: 0 if K == 2 else 1 if sure else 2]
        assert said == pytest.approx([float(x) for x in (high / low, *ends)], rel=5.1e-3)
        assert (">" in equation) == (sure or (K == 2 and c != d))
        large, *_, told = read_numbers(explorer)
        assert large > told if ">" in equation else large <= told
        certain += sure
    assert 100 < certain < 400


def test_no_filling_goes_beyond_the_reach_and_both_ends_are_reached():
    rng = np.random.default_rng(1)
    for K, c, d in [(3, 0.5, 0.4), (4, 0.74, 0.29), (6, 0.15, 0.1), (30, 0.9, 0.6)]:
        r = compute_result(CertaintyExplorer(), K=K, c=c, d=d)
        rest = np.concatenate([rng.dirichlet(np.full(K - 1, alpha), (2, 2000)) for alpha in (0.05, 1, 20)], axis=1)
        f = [theta * np.prod(1 - (1 - theta) * shares, axis=1) for theta, shares in zip((c, d), rest, strict=True)]
        low, high = r.reach
        assert np.all((f[0] / f[1] > low * (1 - 1e-12)) & (f[0] / f[1] < high * (1 + 1e-12)))
        assert np.all(f[0] / f[1] > c / d) or not r.certain
        corner, centre = np.eye(K - 1)[0], np.full(K - 1, 1 / (K - 1))
        ends = [[theta * np.prod(1 - (1 - theta) * way) for way in (corner, centre)] for theta in (c, d)]
        assert r.reach == pytest.approx((ends[0][0] / ends[1][1], ends[0][1] / ends[1][0]))


def test_a_theta_on_the_threshold_is_not_above_it():
    """(1.4 / 2)^2 = 0.49 exactly, but as a float a little less."""
    assert not CertaintyExplorer().compute(K=3, c=0.49, d=0.4).certain
    assert (SIZES[0], THETAS[0]) == (2, 0.1)


GAUSSIAN = GaussianNB(var_smoothing=0).fit(BITS, HAIR)


def test_the_title_of_the_bells_is_true_in_every_state():
    """Against GaussianNB, whose priors are taken out of its joint log probabilities."""
    heights = GAUSSIAN.predict_joint_log_proba(np.eye(4)) - np.log(GAUSSIAN.class_prior_)
    for explorer, (eye, rival, column) in states(DummyBellsExplorer):
        together, once = exp(heights[eye, rival] - heights[eye, BROWN]), eyes_of(rival)[eye] / eyes_of(BROWN)[eye]
        title = compute_result(explorer).finding
        assert f"{write_odds(once)} for {HAIRS[rival if once > 1 else BROWN]} becomes {write_odds(together)}" in title
        turned = (once > 1) != (together > 1)
        assert title.endswith(f" for {HAIRS[rival if together > 1 else BROWN]}") == turned
        assert read_numbers(explorer)[-1] == pytest.approx(log(together), abs=6e-3)
        figure, bit = figure_of(explorer, compute_result(explorer)), float(column == eye)
        mean, variance = GAUSSIAN.theta_[rival, column], GAUSSIAN.var_[rival, column]
        bell = np.exp(-((bit - mean) ** 2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)
        assert figure.data[-1].y[0] == pytest.approx(bell)


# --- What the pages say in words.


def test_bells_on_dummy_columns_lose_two_decisions_of_four():
    by_code = CategoricalNB(alpha=0).fit(EYE[:, None], HAIR).predict(np.arange(4)[:, None])
    by_bits = BernoulliNB(alpha=0).fit(BITS, HAIR).predict(np.eye(4))
    assert by_code.tolist() == by_bits.tolist() == [BROWN, BLOND, BROWN, BROWN]
    assert GAUSSIAN.predict(np.eye(4)).tolist() == [BLACK, BLOND, BROWN, RED]
    assert GAUSSIAN.predict_proba(np.eye(4))[BLUE, BLOND] == pytest.approx(0.804, abs=5e-4)


def test_equal_priors_would_not_save_the_brown_eyes():
    """The control of "the larger prior cannot make up for that": the bells alone say black, and by more."""
    heights = GAUSSIAN.predict_joint_log_proba(np.eye(4))[0] - np.log(GAUSSIAN.class_prior_)
    assert heights[BLACK] - heights[BROWN] > log(286 / 108) > 0
    narrow = GAUSSIAN.var_[BLACK, 1:] < GAUSSIAN.var_[BROWN, 1:]
    assert narrow.all(), "the three bells of black hair"


def test_a_bet_at_the_prices_of_the_bits_loses():
    """In the table itself 5.5 of 100 euros, out of it as much; at the category's prices next to nothing."""
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    lost = {}
    for name, model, rows in (("category", CategoricalNB(alpha=1e-9, min_categories=4), EYE[:, None]),
                              ("bits", BernoulliNB(alpha=1e-9), BITS)):  # fmt: skip
        inside = model.fit(rows, HAIR).predict_proba(rows)
        outside = cross_val_predict(model, rows, HAIR, cv=folds, method="predict_proba")
        lost[name] = [100 * np.mean(p.max(axis=1) - (p.argmax(axis=1) == HAIR)) for p in (inside, outside)]
    assert lost["category"] == pytest.approx([0, 0], abs=0.5)
    assert lost["bits"] == pytest.approx([5.5, 5.5], abs=0.5)


def test_more_students_do_not_help_against_q():
    """Ten times the same table: the same posterior."""
    few, many = (BernoulliNB(alpha=0).fit(np.tile(BITS, (n, 1)), np.tile(HAIR, n)) for n in (1, 10))
    assert few.predict_proba(np.eye(4)) == pytest.approx(many.predict_proba(np.eye(4)))


def cause_steps(alpha):
    """Return what Q and the denominators add to the log odds of blond, given blue, in fractions."""
    joint = []
    for hair in range(4):
        n = [int(np.sum((HAIR == hair) & (EYE == eye))) for eye in range(4)]
        values, bits = ([Fraction(count + alpha, sum(n) + size * alpha) for count in n] for size in (4, 2))
        joint.append([sum(n) * values[BLUE] * q for q in (1, product_of_zeros(values, BLUE))])
        joint[-1].append(sum(n) * bits[BLUE] * product_of_zeros(bits, BLUE))
    return np.diff([log(column[BLOND] / sum(without(column, BLOND))) for column in zip(*joint, strict=True)])


def test_the_second_cause_is_largest_near_alpha_40():
    steps = {alpha: cause_steps(alpha) for alpha in (0, 1, 10, 20, 30, 35, 37, 40, 45, 60, 100, 1000)}
    assert steps[0].tolist() == pytest.approx([0.635, 0], abs=5e-4)
    assert steps[1].tolist() == pytest.approx([0.615, 0.013], abs=5e-4)
    assert abs(max(steps, key=lambda alpha: steps[alpha][1]) - 40) <= 5
    assert all(a[0] > b[0] for a, b in zip(list(steps.values()), list(steps.values())[1:], strict=False)), "Q fades"


@pytest.mark.parametrize(("columns", "target", "alike"), [([0, 1], 2, True), ([0], 2, True), ([1, 2], 0, False)])
def test_when_multinomial_naive_bayes_on_bits_is_categorical(columns, target, alike):
    """The denominators: n (N_c + K alpha), where all variables have K values."""
    rows, y = DATA.data[:, columns], DATA.data[:, target]
    bits = OneHotEncoder().fit_transform(rows)
    for alpha in (0.5, 1, 10, 100):
        cured = MultinomialNB(alpha=alpha).fit(bits, y).predict_proba(bits)
        right = CategoricalNB(alpha=alpha).fit(rows, y).predict_proba(rows)
        gap = np.abs(cured - right).max()
        assert gap < 1e-12 if alike else 1e-6 < gap < 0.02, alpha


@pytest.mark.parametrize(("c", "d"), [(0.74, 0.29), (0.15, 0.05), (0.95, 0.75)])
def test_many_even_values_add_the_difference_of_the_two_theta(c, d):
    others = 10**6
    extra = others * (np.log1p(-(1 - c) / others) - np.log1p(-(1 - d) / others))
    assert extra == pytest.approx(c - d, abs=1e-5)


def test_where_the_others_share_alike_the_larger_theta_has_the_larger_q():
    """Eq. (11) is this at the two ends: f grows faster than theta."""
    for shares in np.random.default_rng(2).dirichlet([1, 1, 1], 50):
        q = [np.prod(1 - (1 - theta) * shares) for theta in np.linspace(0, 1, 21)]
        assert np.all(np.diff(q) > 0)


# --- Two real tables.

TABLES = {"Titanic": load_titanic(), "Berkeley": load_ucb_admissions()}


def judge_people(people, drop=None, times=1.0, category=False):
    """Return (2, n): whether each person's decision is right, and the log loss, ten-fold, by counts and logarithms."""
    X, y = people.data, people.target
    sizes = [len(names) for names in people.categories]
    ones = np.hstack([np.eye(size, dtype=int)[column] for size, column in zip(sizes, X.T, strict=True)])
    starts = np.cumsum([0, *sizes[:-1]])
    kept = [at for at in range(sum(sizes)) if at not in {start + d for start, d in zip(starts, drop or [], strict=False)
                                                        if d is not None}]  # fmt: skip
    found = np.empty((2, len(y)))
    for train, test in StratifiedKFold(10, shuffle=True, random_state=0).split(X, y):
        logs = []
        for c in (0, 1):
            count, n = ones[train][y[train] == c].sum(axis=0), np.sum(y[train] == c)
            share = (count + 1) / (n + np.repeat(sizes, sizes)) if category else (count + 1) / (n + 2)
            zeros = 0 if category else np.log(1 - share)[kept]
            seen = ones[test][:, kept]
            logs.append(log(n / len(train)) + times * (seen * np.log(share)[kept] + (1 - seen) * zeros).sum(axis=1))
        p = 1 / (1 + np.exp(logs[0] - logs[1]))
        found[:, test] = (p > 0.5) == y[test], -np.log(np.where(y[test], p, 1 - p))
    return found


def change(first, second):
    """Return the mean changes and half of their paired 95 % intervals, rounded as the page prints them."""
    gap = first - second
    return [(round(float(g.mean()), 3), round(float(1.96 * g.std() / np.sqrt(g.size)), 3)) for g in gap]


@pytest.mark.parametrize(("name", "right", "loss", "rows"), [
    ("Titanic", 0.778, 0.520, {
        "3/4": [(0, 0), (-0.003, 0.005)], "bits": [(0.005, 0.003), (0.091, 0.019)],
        "1/2": [(0, 0), (-0.002, 0.003)], "one": [(-0.026, 0.012), (0.010, 0.003)]}),
    ("Berkeley", 0.706, 0.585, {
        "3/4": [(-0.001, 0.001), (-0.003, 0.003)], "bits": [(-0.002, 0.002), (0.035, 0.005)],
        "1/2": [(-0.017, 0.005), (0.006, 0.005)], "one": [(0, 0), (0.006, 0.002)]}),
])  # fmt: skip
def test_what_bits_cost_in_real_tables(name, right, loss, rows):
    people = TABLES[name]
    category, first = judge_people(people, category=True), [0 if len(n) == 2 else None for n in people.categories]
    assert category.mean(axis=1) == pytest.approx((right, loss), abs=6e-4)
    found = {"3/4": judge_people(people, times=0.75, category=True), "bits": judge_people(people),
             "1/2": judge_people(people, times=0.5), "one": judge_people(people, drop=first)}  # fmt: skip
    for row, stated in rows.items():
        assert np.ravel(change(found[row], category)) == pytest.approx(np.ravel(stated), abs=6e-4), row


def test_without_f_the_loss_is_that_of_all_bits_and_no_column_is_a_cure():
    berkeley = TABLES["Berkeley"]
    everything, one, without_f = (judge_people(berkeley, drop) for drop in (None, [0, None], [0, 5]))
    (_, (back, error)), (_, (worse, half)) = change(without_f, everything), change(without_f, one)
    assert abs(back) < error
    assert (worse, half) == (0.033, 0.007)
    titanic = TABLES["Titanic"]
    baseline = judge_people(titanic, [None, 0, 0])
    changes = [change(judge_people(titanic, [value, 0, 0]), baseline)[1][0] for value in range(4)]
    assert np.sign(changes).tolist() == [1, -1, 1, -1]

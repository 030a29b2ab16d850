"""Chapter 03."""

import re
from fractions import Fraction
from itertools import product
from math import comb, prod

import numpy as np
import pytest
from scipy.integrate import quad
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, MultinomialNB
from sklearn.preprocessing import OneHotEncoder

from nbcore.datasets import load_hair_eye_color
from nbcore.one_hot import f_factor
from tests.plotly_figure import figure_of
from workbook.chapters.c03_one_hot_pitfall.claims import CLAIMS, ends_on_the_simplex, random_pairs
from workbook.chapters.c03_one_hot_pitfall.eye_color import UNKNOWN
from workbook.chapters.c03_one_hot_pitfall.factor_bounds import mean_q, with_others
from workbook.chapters.c03_one_hot_pitfall.questions import slope
from workbook.chapters.c03_one_hot_pitfall.simplex import CORNERS, SHARES, shares_at
from workbook.explorer.formula import spoken
from workbook.explorers import (
    CertaintyExplorer,
    ExtraOddsExplorer,
    EyeColorExplorer,
    FactorBoundsExplorer,
    FourBitsExplorer,
    SimplexExplorer,
)
from workbook.learning import contents

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


# --- The numbers in chapter 03's explorers are scikit-learn's, brute force's and Williams's, and the figures show them.

DATA = load_hair_eye_color()
WORDS = np.column_stack([names[codes] for names, codes in zip(DATA.categories, DATA.data.T, strict=True)])


def equation(explorer):
    return spoken(explorer.explain(compute_result(explorer)))


# --- eye colour ---------------------------------------------------------------------------------------------------

STUDENTS = [
    dict(target="hair", hair="Blond", eye="Blue", sex=UNKNOWN),
    dict(target="hair", hair="Red", eye="Green", sex="Male"),
    dict(target="eye", hair="Black", eye="Hazel", sex=UNKNOWN),
    dict(target="sex", hair="Brown", eye="Blue", sex="Female"),
]


@pytest.mark.parametrize("alpha", [0, 1, 10, 100])
@pytest.mark.parametrize("student", STUDENTS, ids=str)
def test_both_ends_agree_with_scikit_learn(student, alpha):
    alpha = next(a for a in EyeColorExplorer.alpha.values if a >= alpha)
    r = compute_result(EyeColorExplorer(), alpha=alpha, **student)
    known = [i for i, name in enumerate(DATA.feature_names) if name != student["target"] and student[name] != UNKNOWN]
    y = DATA.data[:, DATA.feature_names.index(student["target"])]
    item = np.array([[list(DATA.categories[i]).index(student[DATA.feature_names[i]]) for i in known]])
    encoder = OneHotEncoder().fit(DATA.data[:, known])
    categorical = CategoricalNB(alpha=alpha).fit(DATA.data[:, known], y)
    bernoulli = BernoulliNB(alpha=alpha).fit(encoder.transform(DATA.data[:, known]), y)
    assert np.allclose(r.posteriors[0], categorical.predict_proba(item)[0])
    assert np.allclose(r.posteriors[2], bernoulli.predict_proba(encoder.transform(item))[0])
    if alpha == 0:
        assert np.allclose(r.posteriors[1], r.posteriors[2]), "maximum likelihood: Q is the only cause"


def exact_posterior_with_q(alpha):
    """P(hair | blue eyes) by bits with the categorical model's theta, in fractions; and Q of every class."""
    joint, factors = [], []
    for hair in DATA.categories[0]:
        n = [int(np.sum((WORDS[:, 0] == hair) & (WORDS[:, 1] == eye))) for eye in DATA.categories[1]]
        theta = [Fraction(k + alpha, sum(n) + 4 * alpha) for k in n]
        factors.append(prod(1 - t for j, t in enumerate(theta) if j != 1))
        joint.append(sum(n) * theta[1] * factors[-1])
    return [float(p / sum(joint)) for p in joint], [float(q) for q in factors]


@pytest.mark.parametrize("alpha", [0, 1, 100])
def test_the_middle_series_has_q_and_nothing_else(alpha):
    r = compute_result(EyeColorExplorer(), alpha=alpha, **STUDENTS[0])
    posterior, factors = exact_posterior_with_q(alpha)
    assert np.allclose(r.posteriors[1], posterior, rtol=1e-12)
    assert np.allclose(r.q, factors, rtol=1e-12)


def test_a_student_of_whom_nothing_is_known_gets_the_shares():
    r = compute_result(EyeColorExplorer(), target="hair", hair="Blond", eye=UNKNOWN, sex=UNKNOWN)
    assert np.allclose(r.posteriors, np.bincount(DATA.data[:, 0]) / 592)
    assert r.q.tolist() == [1] * 4


def test_the_hidden_value_is_not_a_feature():
    """What stands in the guessed column says which class the sentence is about, and nothing else."""
    one, other = (compute_result(EyeColorExplorer(), target="sex", sex=sex) for sex in ("Male", "Female"))
    assert np.array_equal(one.posteriors, other.posteriors)
    assert one.steps == pytest.approx(-other.steps)


# --- bounds -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("K", "theta", "alpha"), [(2, 0.3, 1.0), (3, 0.0, 0.1), (6, 0.3, 1.0), (12, 1.0, 10.0)])
def test_the_random_vectors_lie_between_the_bounds(K, theta, alpha):
    r = FactorBoundsExplorer().compute(K=K, theta=theta, other=0.5, alpha=alpha)
    for own, (least, most) in zip((theta, 0.5), r.q, strict=True):
        assert least == pytest.approx(own)
        assert most == pytest.approx((1 - (1 - own) / (K - 1)) ** (K - 1))
    assert r.f == pytest.approx(theta * r.q[0])
    high = np.interp(r.random_theta, np.linspace(0, 1, 101), r.band[1])
    assert np.all((r.random_q >= r.random_theta - 1e-12) & (r.random_q <= high + 1e-4))
    if K == 2:
        assert np.allclose(r.random_q, r.random_theta)


def test_evenness_moves_the_dots_from_one_bound_to_the_other():
    uneven, even = (compute_result(FactorBoundsExplorer(), alpha=alpha) for alpha in (0.1, 10))
    room = np.interp(even.random_theta, np.linspace(0, 1, 101), even.band[1]) - even.random_q
    assert uneven.random_q.mean() < even.random_q.mean()
    assert room.mean() < 0.01


def test_the_ranges_of_q_are_apart_where_eq_13_holds():
    """The least Q of one class is its theta; the largest of the other is the bound of eq. (13)."""
    for K, c, d in product((2, 3, 6, 12), (0.05, 0.3, 0.49, 0.74, 1.0), (0.0, 0.1, 0.29, 0.4, 0.9)):
        r = FactorBoundsExplorer().compute(K=K, theta=c, other=d, alpha=1)
        low, high = sorted((c, d))
        certain = high > (1 - (1 - low) / (K - 1)) ** (K - 1) + 1e-12
        assert r.apart == (np.sign(c - d) if certain else 0), (K, c, d)


def test_the_band_of_q_is_widest_for_a_value_that_never_occurs():
    """What the page's table says: 0, 0.25, ... at theta = 0, on its way to 1 / e."""
    widths = [np.diff(compute_result(FactorBoundsExplorer(), K=K).band, axis=0)[0] for K in (2, 3, 4, 6, 12)]
    assert [width.argmax() for width in widths] == [0] * 5
    assert [width[0] for width in widths] == pytest.approx([((K - 2) / (K - 1)) ** (K - 1) for K in (2, 3, 4, 6, 12)])
    assert widths[-1][0] == pytest.approx(0.350, abs=5e-4)


def test_figure_1b_shows_the_bounds():
    figure = figure_of(FactorBoundsExplorer(), compute_result(FactorBoundsExplorer()))
    lines = {trace.name: np.asarray(trace.y) for trace in figure.data if trace.type == "scatter"}
    grid = np.linspace(0, 1, 101)
    assert np.allclose(lines["lower l"], grid**2)
    assert np.allclose(lines["upper u"], grid * ((4 + grid) / 5) ** 5)
    assert np.allclose(lines["θⱼ itself"], grid)
    assert np.allclose(lines["others even"], ((4 + grid) / 5) ** 5)
    assert np.allclose(lines["very large K"], np.exp(grid - 1))


# --- four bits ----------------------------------------------------------------------------------------------------


def eyes_of(hair):
    """Exact shares of the four eye colours."""
    n = [int(np.sum((WORDS[:, 0] == hair) & (WORDS[:, 1] == eye))) for eye in DATA.categories[1]]
    return [Fraction(k, sum(n)) for k in n]


def areas(explorer, side):
    """The words of each of the 16 rectangles of a square -> its area."""
    figure = figure_of(explorer, compute_result(explorer))
    axis = f"x{side + 1}" if side else "x"
    bars = [trace for trace in figure.data if trace.type == "bar" and trace.xaxis == axis]
    return {
        words.split(":")[0]: width * height
        for trace in bars
        for words, width, height in zip(trace.customdata, trace.width, trace.y, strict=True)
    }


@pytest.mark.parametrize(("side", "hair"), [(0, "Red"), (1, "Brown")])
def test_each_of_the_16_states_has_its_probability_as_area(side, hair):
    shown = areas(FourBitsExplorer(left="Red", right="Brown"), side)
    assert len(shown) == 16
    theta = eyes_of(hair)
    for bits in product((0, 1), repeat=4):
        on = [str(eye).lower() for eye, bit in zip(DATA.categories[1], bits, strict=True) if bit]
        exact = prod(t if bit else 1 - t for t, bit in zip(theta, bits, strict=True))
        assert shown[(" and ".join(on) or "no") + " eyes"] == pytest.approx(float(exact)), bits
    assert sum(shown.values()) == pytest.approx(1)


def test_brown_hair_has_the_numbers_of_the_page():
    r = compute_result(FourBitsExplorer())
    assert (round(r.legal[1], 3), round(r.none[1], 3)) == (0.443, 0.301)
    ratio = eyes_of("Blond")[1] / eyes_of("Brown")[1]
    q = [prod(1 - t for j, t in enumerate(eyes_of(hair)) if j != 1) for hair in ("Blond", "Brown")]
    assert r.theta[0, 1] / r.theta[1, 1] == pytest.approx(float(ratio))
    assert r.f[0] / r.f[1] == pytest.approx(float(ratio * q[0] / q[1]))
    assert read_numbers(FourBitsExplorer())[-1] == pytest.approx(float(ratio * q[0] / q[1]), abs=6e-3)


@pytest.mark.parametrize("eye", ["Brown", "Blue", "Hazel", "Green"])
def test_the_outlined_strip_holds_the_states_with_the_seen_colour(eye):
    """Its area is theta, and the share of it that is lit is Q."""
    explorer = FourBitsExplorer(eye=eye, moved=0.3)
    r, figure = compute_result(explorer), figure_of(explorer, compute_result(explorer))
    for side in (0, 1):
        (outline,) = [shape for shape in figure.layout.shapes if shape.name == f"theta {side}"]
        strip = (outline.x1 - outline.x0) * (outline.y1 - outline.y0)
        shown = areas(explorer, side)
        assert strip == pytest.approx(r.theta[side, r.seen])
        assert strip == pytest.approx(sum(area for words, area in shown.items() if eye.lower() in words))
        assert shown[f"{eye.lower()} eyes"] / strip == pytest.approx(r.q[side])


# --- extra log odds -----------------------------------------------------------------------------------------------


def test_the_title_of_the_columns_is_true_in_every_state():
    """By exact fractions, column by column: the zeros repeat what the one says, never more and never nothing."""
    for ratio in ExtraOddsExplorer.declared["ratio"].values:
        odds = Fraction(str(ratio))
        a, b = odds / (1 + odds), 1 / (1 + odds)
        for K in ExtraOddsExplorer.declared["K"].values:
            zero = (1 - (1 - a) / (K - 1)) / (1 - (1 - b) / (K - 1)) if K > 1 else 1
            together = odds * zero ** (K - 1)
            r = compute_result(ExtraOddsExplorer(K=K, ratio=ratio))
            assert np.exp([r.once, r.together]) == pytest.approx([float(odds), float(together)])
            assert ("becomes" in r.finding) == (together > odds) == (K > 1)
            assert together <= odds**2
            for value in (float(odds), float(together)):
                assert (f"{value:,.0f} : 1" if value >= 100 else f"{value:.3g} : 1") in r.finding
            zeros = {2: "two", 3: "three", 4: "four", 5: "five", 7: "seven", 9: "nine"}.get(K - 1, K - 1)
            assert K < 3 or f": {zeros} zeros repeat" in r.finding


def test_many_columns_leave_e_to_the_difference():
    """Q tends to exp(theta - 1): what the zeros multiply by tends to exp of the difference, which is never 1."""
    for ratio in ExtraOddsExplorer.declared["ratio"].values:
        r = compute_result(ExtraOddsExplorer(K=50, ratio=ratio))
        assert r.together - r.once == pytest.approx((ratio - 1) / (ratio + 1), abs=0.02)
        assert np.all(np.diff(r.path[1:]) < 0), "it fades"


@pytest.mark.parametrize("K", [2, 3, 4, 10, 50])
def test_what_k_does_to_the_harm_in_closed_form(K):
    """log f ratio on log theta ratio, both theta flat Dirichlet: the slope is 1 + 1 / ((K - 1) sum of 1 / i^2).

    Cov(log Q, log theta_j) = (K - 1) Var(log x), x from Beta(K - 1, 1), = 1 / (K - 1); Var(log theta_j) is the sum.
    """
    exact = 1 + 1 / ((K - 1) * sum(1 / i**2 for i in range(1, K)))
    assert f"{exact:.2f}" == {2: "2.00", 3: "1.40", 4: "1.24", 10: "1.07", 50: "1.01"}[K]
    assert slope(K) == pytest.approx(exact, abs=0.012)
    theta = np.random.default_rng(7).dirichlet(np.ones(K), (2, 40_000))
    difference = theta[0, :, 0] - theta[1, :, 0]
    extra = np.log1p(-theta[..., 1:]).sum(axis=-1)
    extra = extra[0] - extra[1]
    assert np.polyfit(difference, extra, 1)[0] == pytest.approx((K + 1) / (K - 1), rel=0.02)
    wanted = {2: 0.866, 3: 0.875, 4: 0.893, 10: 0.951, 50: 0.990}[K]
    assert np.corrcoef(difference, extra)[0, 1] == pytest.approx(wanted, abs=0.004)


def test_the_equation_of_the_columns_comes_out_as_printed():
    for K, ratio in [(1, 9), (2, 19), (50, 1.5)]:
        explorer = ExtraOddsExplorer(K=K, ratio=ratio)
        once, a, b, together = read_numbers(explorer)
        assert once * a / b == pytest.approx(together, rel=0.01)
        data = figure_of(explorer, compute_result(explorer)).data
        ends = np.array([(one.base[0], one.base[0] + one.x[0]) for one in data if one.type == "bar" and one.base])
        assert ends[:, 0] == pytest.approx([0, *ends[:-1, 1]]), "a column begins where the last one ended"
        path = next(one for one in data if one.type == "scatter" and one.mode == "lines+markers")
        assert all(words.startswith(f"{columns} col") for columns, words in zip(path.x, path.customdata, strict=True))


# --- simplex ------------------------------------------------------------------------------------------------------


def test_the_map_is_the_product_of_three_factors():
    for theta4 in (0.0, 0.25, 1.0):
        r = compute_result(SimplexExplorer(), theta4=theta4)
        assert np.allclose(r.q_map, np.prod(1 - (1 - theta4) * SHARES, axis=-1), atol=1e-12)
        assert r.bounds[0] - 1e-12 <= r.q_map.min()
        assert r.q_map.max() <= r.bounds[1] + 1e-12
    assert compute_result(SimplexExplorer()).bounds == pytest.approx((0, 8 / 27))


def test_points_of_the_page_and_shares_belong_together():
    for shares in ([1, 0, 0], [0, 1, 0], [0, 0, 1], [0.2, 0.3, 0.5]):
        assert np.allclose(shares_at(np.array(shares) @ CORNERS), shares)


@pytest.mark.parametrize(
    ("uneven", "direction", "shares"),
    [(0, 75, [1 / 3] * 3), (1, 0, [1, 0, 0]), (1, 120, [0, 1, 0]), (1, 240, [0, 0, 1]), (1, 60, [0.5, 0.5, 0])],
)
def test_the_sliders_lead_from_the_centre_to_the_edge(uneven, direction, shares):
    r = SimplexExplorer().compute(theta4=0.2, uneven=uneven, direction=direction)
    assert np.allclose(r.theta, [*(0.8 * np.array(shares)), 0.2])
    assert r.q == pytest.approx(np.prod(1 - r.theta[:3]))


# --- certainty ----------------------------------------------------------------------------------------------------


def test_where_it_is_certain_every_random_case_exaggerates():
    rng = np.random.default_rng(1)
    certain = 0
    for _ in range(200):
        c, d = rng.integers(1, 100, 2) / 100
        r = CertaintyExplorer().compute(K=int(rng.integers(2, 31)), c=c, d=d)
        assert np.all((r.random >= r.bounds[0] - 1e-9) & (r.random <= r.bounds[1] + 1e-9))
        low, high = min(c, d), max(c, d)
        assert r.certain == (high > (1 - (1 - low) / (r.K - 1)) ** (r.K - 1) and c != d)
        assert r.exaggerated == 1 if r.certain else r.exaggerated <= 1
        certain += r.certain
    assert 20 < certain < 180


def test_with_two_values_every_ratio_is_squared():
    r = CertaintyExplorer().compute(K=2, c=0.3, d=0.2)
    assert r.bounds == pytest.approx([2 * np.log(1.5)] * 2)
    assert np.allclose(r.random, 2 * np.log(1.5))
    assert r.certain


def test_the_threshold_of_many_values_comes_close_to_its_limit():
    r = CertaintyExplorer().compute(K=30, c=0.74, d=0.29)
    assert r.threshold == pytest.approx(np.exp(-0.71), abs=0.01)
    figure = figure_of(CertaintyExplorer(), r)
    limit = next(trace for trace in figure.data if trace.name == "limit")
    assert np.allclose(limit.y, np.exp(np.asarray(limit.x) - 1))


# --- the equations ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("theta4", "uneven", "direction", "factors"),
    [
        (0.2, 0, 30, [Fraction(11, 15)] * 3),
        (0.2, 1, 0, [Fraction(1, 5), 1, 1]),
        (0.2, 1, 60, [Fraction(3, 5), Fraction(3, 5), 1]),
        (0.0, 1, 240, [1, 1, 0]),
        (1.0, 0.6, 30, [1, 1, 1]),
    ],
)
def test_q_is_the_product_of_the_factors_as_printed(theta4, uneven, direction, factors):
    q, *shown = read_numbers(SimplexExplorer(theta4=theta4, uneven=uneven, direction=direction))
    assert shown == pytest.approx([float(f) for f in factors], abs=5.1e-4)
    assert q == pytest.approx(float(prod(factors)), abs=5.1e-4)
    assert q == pytest.approx(prod(shown), abs=2e-3)


@pytest.mark.parametrize(("K", "theta"), [(6, 0.3), (2, 0.3), (12, 0.2), (12, 0.99), (6, 0.0), (2, 1.0)])
def test_the_bounds_are_theta_times_the_bounds_of_q_as_printed(K, theta):
    low, t, least, t_again, most, high = read_numbers(FactorBoundsExplorer(K=K, theta=theta))
    exact = Fraction(str(theta))
    largest = ((K - 2 + exact) / (K - 1)) ** (K - 1)
    numbers = [exact**2, exact, exact, exact, largest, exact * largest]
    assert [low, t, least, t_again, most, high] == pytest.approx([float(x) for x in numbers], abs=5.1e-4)
    assert low == pytest.approx(t * least, abs=1.01e-3)
    assert high == pytest.approx(t * most, abs=1.01e-3)
    assert low <= high


def test_eq_13_holds_as_printed_wherever_it_is_said_to_hold():
    hundredths = [1, 20, 29, 36, 40, 49, 60, 64, 74, 80, 81, 98, 99]
    for K, c, d in product((2, 3, 4, 30), hundredths, hundredths):
        explorer = CertaintyExplorer(K=K, c=c / 100, d=d / 100)
        low, high = sorted((Fraction(c, 100), Fraction(d, 100)))
        threshold = (1 - (1 - low) / (K - 1)) ** (K - 1)
        large, _, _, small, shown_k, _, told = read_numbers(explorer)
        assert [large, small, shown_k] == [float(high), float(low), K]
        assert told == pytest.approx(float(threshold), abs=5.1e-4)
        relation = re.search("[>≤]", equation(explorer))[0]
        assert relation == (">" if high > threshold else "≤"), (K, c, d)
        assert large > told if relation == ">" else large <= told, (K, c, d)


def test_a_theta_on_the_threshold_is_not_above_it():
    """(1.4 / 2)^2 = 0.49 exactly, but as a float a little less."""
    r = CertaintyExplorer().compute(K=3, c=0.49, d=0.4)
    assert not r.certain


@pytest.mark.parametrize("alpha", [0, 1, 1000])
def test_the_causes_add_up_as_printed(alpha):
    blond, joint = 3, []
    for hair in DATA.categories[0]:
        n = [int(np.sum((WORDS[:, 0] == hair) & (WORDS[:, 1] == eye))) for eye in DATA.categories[1]]
        theta = Fraction(n[1] + alpha, sum(n) + 4 * alpha)
        bits = [Fraction(k + alpha, sum(n) + 2 * alpha) for k in n]
        joint.append([sum(n) * theta, sum(n) * bits[1] * prod(1 - t for j, t in enumerate(bits) if j != 1)])
    odds = [p / (sum(column) - p) for column in zip(*joint, strict=True) for p in column[blond : blond + 1]]
    with_q = exact_posterior_with_q(alpha)[0][blond]
    categories, q, bits = np.log([float(odds[0]), with_q / (1 - with_q), float(odds[1])])
    explorer = EyeColorExplorer(alpha=alpha, **STUDENTS[0])
    words = equation(explorer).replace("− ", "−").removeprefix("log odds of Blond: ")
    shown = [float(n.replace("−", "-")) for n in re.findall(r"−?\d+\.\d+", words)]
    assert shown == pytest.approx([bits, categories, q - categories, bits - q], abs=5.1e-4)
    assert shown[0] == pytest.approx(sum(shown[1:]), abs=2.01e-3)


# --- what a reader takes hold of ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("K", "theta"), [(2, 0.3), (3, 0.0), (6, 0.3), (12, 0.2), (12, 1.0)])
def test_the_mean_of_q_is_that_of_many_random_vectors(K, theta):
    alphas = np.array([0.1, 1.0, 10.0])
    for alpha, mean in zip(alphas, mean_q(theta, K, alphas), strict=True):
        shares = np.random.default_rng(5).dirichlet([alpha] * (K - 1), 50_000)
        drawn = np.prod(1 - with_others(theta, shares)[:, 1:], axis=1)
        assert mean == pytest.approx(drawn.mean(), abs=5 * drawn.std() / np.sqrt(len(drawn)) + 1e-12)


def test_the_trail_of_alpha_is_what_bernoulli_naive_bayes_says_at_each():
    explorer = EyeColorExplorer(**STUDENTS[1])
    trail = compute_result(explorer).trail
    for alpha, row in zip(EyeColorExplorer.alpha.values, trail, strict=True):
        assert row == pytest.approx(compute_result(explorer, alpha=alpha).posteriors[2])


# --- what the page says in words ----------------------------------------------------------------------------------


def normal(x, p):
    """The density at x of a bell with the mean and the variance of a column of ones and zeros, by its share of ones."""
    return np.exp(-((x - p) ** 2) / (2 * p * (1 - p))) / np.sqrt(2 * np.pi * p * (1 - p))


def test_bells_on_dummy_columns_lose_two_decisions_of_four():
    """By densities written out; the three-way comparison of section 1."""
    hairs, colours = (list(names) for names in DATA.categories[:2])
    theta = np.array([[float(t) for t in eyes_of(hair)] for hair in hairs])
    prior = np.array([np.mean(WORDS[:, 0] == hair) for hair in hairs])
    decided, blond = {}, None
    for j, eye in enumerate(colours):
        bits = [
            prior * theta[:, j],
            prior * theta[:, j] * np.prod(np.delete(1 - theta, j, axis=1), axis=1),
            prior * np.prod([normal(float(k == j), theta[:, k]) for k in range(4)], axis=0),
        ]
        decided[eye] = [hairs[joint.argmax()] for joint in bits]
        if eye == "Blue":
            blond = [joint[3] / joint.sum() for joint in bits]
    assert np.round(blond, 3).tolist() == [0.437, 0.594, 0.804]
    assert all(right == by_bits for right, by_bits, _ in decided.values())
    assert [eye for eye, (right, _, bells) in decided.items() if right != bells] == ["Brown", "Green"]
    assert decided["Brown"][2] == "Black"
    assert decided["Green"][2] == "Red"


def log_ratio(column, word, by_bits):
    """log P(word | Female) / P(word | Male), by categories or by bits, from counts."""
    sides = []
    for sex in ("Female", "Male"):
        rows = WORDS[WORDS[:, 2] == sex][:, column]
        theta = {str(v): Fraction(int(np.sum(rows == v)), len(rows)) for v in DATA.categories[column]}
        sides.append(theta[word] * (prod(1 - t for v, t in theta.items() if v != word) if by_bits else 1))
    return float(np.log(float(sides[0] / sides[1])))


def test_it_is_hair_against_the_prior_that_flips_the_class():
    prior = np.log(313 / 279)
    weights = {bits: (log_ratio(0, "Brown", bits), log_ratio(1, "Blue", bits)) for bits in (False, True)}
    assert round(prior, 3) == 0.115
    assert np.round(weights[False], 3).tolist() == [-0.115, 0.006]
    assert np.round(weights[True], 3).tolist() == [-0.188, -0.008]
    by_categories, by_bits = (1 / (1 + np.exp(-prior - sum(weights[bits]))) for bits in (False, True))
    assert (round(by_categories, 3), round(by_bits, 3)) == (0.502, 0.480)
    here = (WORDS[:, 0] == "Brown") & (WORDS[:, 1] == "Blue")
    counted = np.mean(WORDS[here, 2] == "Female")
    assert by_categories - counted == pytest.approx(0.097, abs=5e-4)
    assert by_categories - by_bits == pytest.approx(0.022, abs=5e-4)


def test_this_table_does_not_say_who_is_right():
    """The bits are right about 16 students more, all of them in the one cell that they decide otherwise."""
    chosen = []
    for bits in (False, True):
        odds = [np.log(313 / 279) + log_ratio(0, hair, bits) + log_ratio(1, eye, bits) for hair, eye in WORDS[:, :2]]
        chosen.append(np.where(np.array(odds) > 0, "Female", "Male"))
    right = [int(np.sum(words == WORDS[:, 2])) for words in chosen]
    assert right == [318, 334]
    other = chosen[0] != chosen[1]
    assert set(map(tuple, WORDS[other, :2])) == {("Brown", "Blue")}
    males = int(np.sum(WORDS[other, 2] == "Male"))
    assert right[1] - right[0] == males - (other.sum() - males) == 50 - 34
    as_far = 2 * sum(comb(84, k) for k in range(50, 85)) / 2**84
    assert as_far == pytest.approx(0.10, abs=0.005)


def test_the_second_cause_is_largest_near_alpha_40_and_speaks_for_blond():
    alphas = EyeColorExplorer.alpha.values
    steps = [compute_result(EyeColorExplorer(), alpha=alpha, **STUDENTS[0]).steps[2] for alpha in alphas]
    assert alphas[int(np.argmax(steps))] == pytest.approx(40, abs=1)
    assert steps[0] == pytest.approx(0, abs=1e-12)
    assert steps[-1] < 0.003
    counts = np.array([[sum((WORDS[:, 0] == h) & (WORDS[:, 1] == e)) for e in DATA.categories[1]]
                       for h in DATA.categories[0]])  # fmt: skip
    products = []
    for values in (4, 2):
        theta = (counts + 10) / (counts.sum(axis=1, keepdims=True) + values * 10)
        products.append(theta[:, 1] * np.prod(1 - theta[:, [0, 2, 3]], axis=1))
    change = products[1] / products[0] - 1
    assert change[3] == pytest.approx(0.07, abs=5e-4)
    assert np.all(change[:3] < 0)


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


# --- a pair of one's own ------------------------------------------------------------------------------------------


def judge_pair(answer):
    return contents("03")["03/reversed"].check(answer).message


def test_a_pair_of_ones_own_is_judged_by_what_the_task_asks():
    assert judge_pair(lambda K: ([0.3, 0.7] + [0] * (K - 2), [0.29] + [0.71 / (K - 1)] * (K - 1))).startswith("Right")
    assert judge_pair(lambda K: np.array([[0.2, 0.8] + [0] * (K - 2), [0.19] + [0.81 / (K - 1)] * (K - 1)])).startswith(
        "Right"
    )
    assert "sum to 1" in judge_pair(lambda K: ([0.3, 0.6] + [0] * (K - 2), [0.29] + [0.71 / (K - 1)] * (K - 1)))
    assert "sum to 1" in judge_pair(lambda K: ([0.3, 0.8, -0.1] + [0] * (K - 3), [0.29] + [0.71 / (K - 1)] * (K - 1)))
    assert "more probable one" in judge_pair(lambda K: ([1 / K] * K, [1 / K] * K))
    assert "eq. (13)" in judge_pair(lambda K: ([0.9, 0.1] + [0] * (K - 2), [0.1] + [0.9 / (K - 1)] * (K - 1)))
    assert "shape (2, 2)" in judge_pair(lambda K: ([0.5, 0.5], [0.4, 0.6]))
    assert "For K = 4 your lists have 3" in judge_pair(lambda K: ([0.3, 0.7, 0], [0.29, 0.355, 0.355]))
    assert "shape (2, 4)" in judge_pair(lambda K: ([0.3, 0.7, 0, 0], [0.29, 0.71, 0, 0]))
    assert "something that is not a number" in judge_pair(lambda K: ([0.3, 0.7], [1.0]))
    both_even = lambda K: ([0.3] + [0.7 / (K - 1)] * (K - 1), [0.29] + [0.71 / (K - 1)] * (K - 1))  # noqa: E731
    assert "smaller in c" in judge_pair(both_even)


def test_a_pair_too_far_apart_to_be_reversed_is_told_so():
    """Between eq. (13) and the lens: not certain, and yet no filling reverses it; the least f of c is theta squared."""
    for K in (3, 4, 6):
        largest = (1 - Fraction(8, 10) / (K - 1)) ** (K - 1)  # Q of d at most
        assert Fraction(33, 100) <= largest
        assert Fraction(33, 100) ** 2 > Fraction(2, 10) * largest

    def corner_and_centre(first, second):
        return lambda K: ([first, 1 - first] + [0] * (K - 2), [second] + [(1 - second) / (K - 1)] * (K - 1))

    assert "bring the first two" in judge_pair(corner_and_centre(0.33, 0.2))
    assert judge_pair(corner_and_centre(0.25, 0.2)).startswith("Right")
    assert "eq. (13)" in judge_pair(corner_and_centre(0.5, 0.2))


# --- many values: what fades and what stays -----------------------------------------------------------------------


@pytest.mark.parametrize(("c", "d", "told"), [(0.74, 0.29, 1.480), (0.15, 0.05, 1.091), (0.95, 0.75, 1.846)])
def test_at_a_fixed_pair_many_even_values_leave_one_plus_the_logarithmic_mean(c, d, told):
    """log f ratio over log theta ratio, from products of a million equal factors."""
    law = 1 + (c - d) / np.log(c / d)
    assert law == pytest.approx(told, abs=5e-4)
    others = 10**6
    extra = others * (np.log1p(-(1 - c) / others) - np.log1p(-(1 - d) / others))
    assert 1 + extra / np.log(c / d) == pytest.approx(law, abs=1e-5)
    assert 1 < law < 1 + max(c, d) < 2


@pytest.mark.parametrize(("K", "told"), [(2, "2.00"), (3, "1.48"), (4, "1.38"), (10, "1.28"), (50, "1.26")])
def test_what_k_does_where_the_seen_value_is_anything_from_0_to_1(K, told):
    """The slope by integrals: Var(log U) = 1, and each other value has a share from Beta(1, K - 2) of the rest."""

    def mean_log_q(t):
        if K == 2:
            return np.log(t)
        return (K - 1) * quad(lambda s: np.log1p(-(1 - t) * s) * (K - 2) * (1 - s) ** (K - 3), 0, 1)[0]

    both = quad(lambda t: mean_log_q(t) * np.log(t), 0, 1)[0]
    slope_of_all = 1 + both + quad(mean_log_q, 0, 1)[0]  # the mean of log U is -1
    assert slope_of_all == pytest.approx(float(told), abs=6e-3)
    assert slope_of_all >= 1.25, "the limit: 1 + Cov(U, log U)"


def test_flat_values_of_fifty_are_rare():
    """The question says: 1/50 on average, hardly ever above 1/10."""
    theta = np.random.default_rng(0).dirichlet(np.ones(50), 20_000)[:, 0]
    assert theta.mean() == pytest.approx(1 / 50, rel=0.03)
    assert np.mean(theta > 0.1) == pytest.approx(0.9**49, abs=2e-3)


def test_green_eyes_speak_for_the_wrong_class():
    blond, brown = eyes_of("Blond"), eyes_of("Brown")
    q_blond, q_brown = (prod(1 - t for t in theta[:3]) for theta in (blond, brown))
    assert [round(float(x), 3) for x in (blond[3], brown[3], q_blond, q_brown)] == [0.126, 0.101, 0.226, 0.335]
    assert round(float(blond[3] / brown[3]), 2) == 1.24
    assert round(float(blond[3] * q_blond / (brown[3] * q_brown)), 2) == 0.84


def test_why_the_bells_decide_for_black_and_red():
    bells = {hair: np.array([float(t) for t in eyes_of(hair)]) for hair in ("Black", "Brown", "Red")}
    log_bells = {hair: [np.log(normal(np.eye(4)[j], p)) for j in range(4)] for hair, p in bells.items()}
    brown = [log_bells[hair][0].sum() for hair in ("Black", "Brown")]
    assert np.round(brown, 2).tolist() == [0.11, -1.13]
    assert brown[0] - brown[1] > np.log(286 / 108), "the larger prior does not make up for it"
    assert np.round([log_bells[hair][3][3] for hair in ("Brown", "Red")], 2).tolist() == [-4.15, -2.03]
    out = [(1 - bells[hair][3]) / np.sqrt(bells[hair][3] * (1 - bells[hair][3])) for hair in ("Brown", "Red")]
    assert np.round(out, 1).tolist() == [3.0, 2.0]


def test_hair_alone_is_a_coin_and_the_bits_say_it_is_not():
    brown = WORDS[WORDS[:, 0] == "Brown"]
    assert (len(brown), int(np.sum(brown[:, 2] == "Female"))) == (286, 143)
    for by_bits, told in [(False, 0.5), (True, 0.482)]:
        odds = 313 / 279 * np.exp(log_ratio(0, "Brown", by_bits))
        assert odds / (1 + odds) == pytest.approx(told, abs=1e-12 if told == 0.5 else 5e-4)


def test_what_the_denominators_do_to_each_bit():
    """At alpha = 10: all four bits of a class grow by one factor; what the three that are off lose depends on them."""
    on, off = {}, {}
    for hair in map(str, DATA.categories[0]):
        n = [int(np.sum((WORDS[:, 0] == hair) & (WORDS[:, 1] == eye))) for eye in DATA.categories[1]]
        values, bits = ([Fraction(k + 10, sum(n) + v * 10) for k in n] for v in (4, 2))
        on[hair] = float(bits[1] / values[1])
        off[hair] = float(prod((1 - bits[k]) / (1 - values[k]) for k in (0, 2, 3)))
    assert {hair: round(x, 3) for hair, x in on.items()} == {
        "Black": 1.156, "Brown": 1.065, "Red": 1.220, "Blond": 1.136}  # fmt: skip
    assert {hair: round(x, 3) for hair, x in off.items()} == {
        "Black": 0.786, "Brown": 0.934, "Red": 0.789, "Blond": 0.942}  # fmt: skip
    assert max(off, key=off.get) == "Blond"

"""The ledger's entries for Williams (2024), introduction and sections 1 and 2.

They are statements about formulas, checked on grids and on random vectors, and one about software, checked on the hair
and eye colour of 592 students. Everything is exact: no number has an interval.
"""

from functools import cache, lru_cache
from itertools import product

import numpy as np
from sklearn.naive_bayes import BernoulliNB, CategoricalNB

from nbcore.datasets import load_hair_eye_color
from nbcore.one_hot import extremeness_threshold, f_bounds, f_factor, f_ratio_bounds, q_bounds, q_factor
from workbook.ledger.claim import EQUATION, Claim, Measured

__all__ = ["CLAIMS"]

CHAPTER, DEEPER = "03_one_hot_pitfall", "03b_worse_and_certain"
EXACT = 1e-12  # a difference below this is rounding
KS = range(3, 13)
GRID = np.linspace(0, 1, 101)
PAIRS = 2000  # random pairs of vectors for each K


@cache
def fitted():
    """Hair from eye colour, no smoothing: codes, bits, hair, and scikit-learn's categorical and Bernoulli models."""
    data = load_hair_eye_color().data
    hair, codes = data[:, 0], data[:, 1:2]
    bits = np.eye(4)[codes[:, 0]]
    return codes, bits, hair, CategoricalNB(alpha=0).fit(codes, hair), BernoulliNB(alpha=0).fit(bits, hair)


def free_parameters():
    """Count the C K = 16 numbers of each model that the others do not fix, since each class sums to 1 or not."""
    *_, categorical, bernoulli = fitted()
    theta, bit = np.exp(categorical.feature_log_prob_[0]), bernoulli.feature_log_prob_
    sums_to_one = np.allclose(theta.sum(axis=1), 1)
    return Measured((float(theta.size - sums_to_one * len(theta)), float(bit.size)))


def maximum_likelihood_gap():
    """Largest difference between the two models' estimates of theta, and of pi."""
    *_, categorical, bernoulli = fitted()
    theta, bit = np.exp(categorical.feature_log_prob_[0]), np.exp(bernoulli.feature_log_prob_)
    priors = np.exp(categorical.class_log_prior_) - np.exp(bernoulli.class_log_prior_)
    return Measured((float(abs(theta - bit).max()), float(abs(priors).max())))


def blond_given_blue():
    """P(blond | blue eyes): counted, by codes, by bits."""
    codes, _, hair, categorical, bernoulli = fitted()
    hairs, eyes, _ = map(list, load_hair_eye_color().categories)
    blue, blond = eyes.index("Blue"), hairs.index("Blond")
    counted = np.mean(hair[codes[:, 0] == blue] == blond)
    by_bits = bernoulli.predict_proba(np.eye(4)[[blue]])[0, blond]
    return Measured((float(counted), float(categorical.predict_proba([[blue]])[0, blond]), float(by_bits)))


def ends_on_the_simplex(n=30):
    """K = 4, theta_4 = 0: Q^-4 at its smallest and its largest, over all vectors of multiples of 1/n."""
    thetas = np.array([(i, j, n - i - j, 0) for i, j in product(range(n + 1), repeat=2) if i + j <= n]) / n
    q = q_factor(thetas)[:, 3]
    return Measured((float(q.min()), float(q.max())))


@lru_cache(maxsize=16)
def random_pairs(K):
    """(2, PAIRS, K) random vectors of two classes; the first value is the one seen."""
    return np.random.default_rng(K).dirichlet(np.ones(K), size=(2, PAIRS))


def room_of_q():
    """The least room between Q and its lower bound, and between its upper bound and Q."""
    rooms = []
    for K in KS:
        theta = random_pairs(K)[0]
        lower, upper = q_bounds(theta[:, 0], K)
        q = q_factor(theta)[:, 0]
        rooms.append(((q - lower).min(), (upper - q).min()))
    return Measured(tuple(map(float, np.min(rooms, axis=0))))


def excess_of_the_centre(K):
    """Q(centre) - theta_j at theta_j = 1/2."""
    lower, upper = q_bounds(0.5, K)
    return float(upper - lower)


def gap(K):
    """Largest gap between the bounds of f."""
    lower, upper = f_bounds(GRID, K)
    return float((upper - lower).max())


def origin_and_bend():
    """Both bounds of f for K = 6: at 0, and their least second difference."""
    bounds = f_bounds(GRID, 6)
    return Measured((*(float(b[0]) for b in bounds), *(float(np.diff(b, 2).min()) for b in bounds)))


def growth_of_the_bounds():
    """The least of (bound(b) / bound(a)) / (b / a), for the lower and the upper bound, over a < b in (0, 1)."""
    a, b = np.triu_indices(99, 1)
    inner, least = GRID[1:-1], []
    for K in KS:
        least.append([(bound[b] / bound[a] / (inner[b] / inner[a])).min() for bound in f_bounds(inner, K)])
    return Measured(tuple(map(float, np.min(least, axis=0))))


def order_reversed():
    """theta_jc, theta_jd, f_jc, f_jd of a pair: the first is the larger theta and the smaller f."""
    c, d = np.array([0.3, 0.7, 0, 0]), np.array([0.29, *[0.71 / 3] * 3])
    return Measured((c[0], d[0], float(f_factor(c)[0]), float(f_factor(d)[0])))


@cache
def ratios():
    """Compute for random pairs log f ratio, log theta ratio, both log bounds, and whether eq. (13) holds; (5, n)."""
    parts = []
    for K in KS:
        theta = random_pairs(K)
        (c, d), f = theta[..., 0], f_factor(theta)[..., 0]
        bounds = np.log(f_ratio_bounds(c, d, K))
        parts.append([np.log(f[0] / f[1]), np.log(c / d), *bounds, c > extremeness_threshold(d, K)])
    return np.concatenate(parts, axis=1)


def room_above_eq_12():
    f, _, lower, *_ = ratios()
    return Measured(float((f - lower).min()))


def certain():
    """Measure the share of the pairs that meet eq. (13) whose ratio is more extreme."""
    f, theta, *_, meets = ratios()
    return Measured(float(np.mean(f[meets == 1] > theta[meets == 1])))


def bounded_from_below():
    """The share of the pairs whose ratio is at least u(theta_jc) / l(theta_jd)."""
    f, *_, upper, _ = ratios()
    return Measured(float(np.mean(f >= upper)))


def increasing_below_the_diagonal():
    """A function that increases from 1/10 at 0 to 1 at 1, 0.1 + 0.9 x^3, at 1/2: its value, and 1/2."""
    return Measured((0.1 + 0.9 * 0.5**3, 0.5))


def _claim(id, place, quote, statement, ours, verdict="reproduced", note="", stated=None, rounding=0.0,
           reading="exact",
           chapter=CHAPTER):  # fmt: skip
    return Claim(id=f"W24-{id}", place=place, quote=quote, statement=statement, stated=stated, ours=ours,
                 verdict=verdict, reading=reading, chapter=chapter, note=note, rounding=rounding)  # fmt: skip


_STATEMENTS = [
    _claim(
        "I-01",
        "introduction",
        "free parameters in Θ due to normalization",
        "C (K - 1) free parameters by categories, C K by bits (ours: hair from eye colour, C = K = 4).",
        free_parameters,
        stated=(12.0, 16.0),
    ),
    _claim(
        "I-02",
        "introduction",
        "If the parameters of the product-of-Bernoullis model are estimated by maximum likelihood, we will have that "
        "π~=π, and that Θ~=Θ",
        "By maximum likelihood the bits have the same theta and pi (ours: largest differences, hair from eyes).",
        maximum_likelihood_gap,
        stated=(0.0, 0.0),
        rounding=EXACT,
    ),
    _claim(
        "I-03",
        "introduction",
        "classifier will work correctly if the OrdinalEncoder is used to encode categorical variables, but not if the "
        "OneHotEncoder is used for them",
        "scikit-learn is right on ordinal codes, wrong on one-hot bits (ours: P(blond | blue), counted and by both).",
        blond_given_blue,
        "not stated well enough",
        "True of CategoricalNB, on codes as on bits, and of BernoulliNB on bits. The module has five classifiers, and "
        "none is named: GaussianNB and MultinomialNB are wrong on codes, and MultinomialNB is right on bits, "
        "unsmoothed.",
        reading="fixed",
    ),
    _claim(
        "I-04",
        "introduction",
        "will convert non numeric columns to one hot encoded features to use with the Bernoulli event model",
        "The R package fastNaiveBayes turns text columns into one-hot bits.",
        None,
        "not testable here",
        "It is quoted from that package's manual (version 2.2.1, page 4). This book has no R.",
    ),
    _claim(
        "F1A-01",
        "Figure 1(a)",
        "the minimum values occur in the corners of the simplex (where only one of the θs is non-zero), and the "
        "maximum in the centre",
        "K = 4, theta_4 = 0: Q is 0 in the corners, its minimum, and by eq. (8) 8/27 in the centre, its maximum.",
        ends_on_the_simplex,
        stated=(0.0, 8 / 27),
    ),
    _claim(
        "E8-01",
        "eq. (8)",
        "bounded between its minimum value of θj at the corners of the simplex, and its maximum value",
        "Q lies between theta_j and eq. (8) (ours: least room to either, 20,000 random vectors, K = 3 to 12).",
        room_of_q,
        note="Proved in chapter 03; the vectors are a check.",
    ),
    _claim(
        "S1-01",
        "section 1",
        "shows that it is greater than θj for 0≤θj<1, with equality at θj=1",
        "In the centre Q is greater than theta_j unless theta_j = 1 (ours: excess at theta_j = 1/2, K = 2, 3, 6, 12).",
        lambda: Measured(tuple(excess_of_the_centre(K) for K in (2, 3, 6, 12))),
        "false",
        "For K = 2 only: there both are theta_j, and f is the square of theta_j exactly. Its next line, "
        "[(K - 2) / (K - 1)]^(K - 1) > 0, takes K > 2 for granted, and from K = 3 on the sentence is true.",
    ),
    _claim(
        "S1-02",
        "section 1",
        "so it is monotonically increasing. Hence we conclude that",
        "To see that Q is greater than theta_j: it is above 0 at 0, increases, and is 1 at 1 (ours: another such "
        "function, 0.1 + 0.9 theta^3, at 1/2, and theta).",
        increasing_below_the_diagonal,
        "false",
        "The steps are true, and so is the conclusion from K = 3 on; only it does not follow from them. The gap closes "
        "at once: the derivative, [(K - 2 + theta) / (K - 1)]^(K - 2), is also below 1, and Q is 1 at 1.",
    ),
    _claim(
        "F1B-01",
        "Figure 1(b)",
        "the gap between the upper and lower bounds is small, and it is even smaller for lower",
        "The gap between the bounds of f is smaller for lower K (ours: largest gap, K = 2, 3, 4, 5, 6).",
        lambda: Measured(tuple(gap(K) for K in range(2, 7))),
    ),
    _claim(
        "S2-01",
        "section 2",
        "both bounds pass through the origin and are convex functions",
        "Both bounds pass through the origin and are convex (ours: values at 0, least second differences, K = 6).",
        origin_and_bend,
        note="l is a square; u is a product of two functions that are positive, increasing and convex.",
    ),
    _claim(
        "E11-01",
        "eq. (11)",
        EQUATION,
        "Between a < b both bounds grow by more than b / a (ours: least ratio of the two, K = 3 to 12).",
        growth_of_the_bounds,
        note="Of l it is b / a once more; of u the bracket, which increases.",
    ),
    _claim(
        "S2-02",
        "section 2",
        "In general this does not hold",
        "The larger theta_j need not have the larger f_j (ours: a pair of theta, and their f).",
        order_reversed,
    ),
    _claim(
        "E12-01",
        "eq. (12)",
        EQUATION,
        "The ratio of f exceeds l(theta_jc) / u(theta_jd) (ours: least excess of the logarithm, 20,000 random pairs).",
        room_above_eq_12,
        note="It follows from eq. (8) to (10), with “at least”: at K = 2, and with c in a corner and d in the centre, "
        "both sides are equal. And theta_jd must be above 0.",
    ),
    _claim(
        "E13-01",
        "eq. (13)",
        "So the ratio is guaranteed to be more extreme if the last term in eq. 12 is larger than 1",
        "Where eq. (13) holds, the ratio of f is the more extreme one (ours: share of such pairs among 20,000).",
        certain,
        note="It follows from eq. (12); the pairs are a check.",
        stated=1.0,
        chapter=DEEPER,
    ),
    _claim(
        "S2-03",
        "below eq. (13)",
        "from below as",
        "u(theta_jc) / l(theta_jd) bounds the ratio of f from below (ours: share of 20,000 pairs at or above it).",
        bounded_from_below,
        "false",
        "A slip of the pen: it bounds the ratio from above, and does so in every pair.",
        1.0,
        chapter=DEEPER,
    ),
]
CLAIMS = tuple(_STATEMENTS)

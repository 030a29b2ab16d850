"""Predictions and exercises of chapter 03, the one-hot pitfall. Every expected value is computed, none is typed."""

from __future__ import annotations

from functools import partial

import numpy as np

from nbcore.datasets import load_hair_eye_color
from nbcore.naive_bayes import BernoulliNB, CategoricalNB
from nbcore.one_hot import (
    extremeness_threshold,
    f_bounds,
    f_factor,
    log_f_factor,
    posteriors_of_several,
    product_of_bernoullis_posterior,
    q_bounds,
    q_factor,
)
from workbook.explorer.formatting import say
from workbook.questions.drawn import Drawn
from workbook.questions.exercises import FRACTION, Exercise, Mistake
from workbook.questions.predictions import Prediction
from workbook.questions.variants import in_words, parameters, share

__all__ = ["CONTENTS"]

STUDENTS = load_hair_eye_color()
HAIR, EYE, SEX = STUDENTS.data.T
BLACK, BROWN, BLOND = 0, 1, 3  # codes of hair
BLUE = 1
RIVAL, MANY = 0.2, 50  # θ in class d of "03/large-k"; the values of "03/more-values"


def crossed(rows, columns, shape) -> np.ndarray:
    """Counts of each pair of codes, the rows' code first."""
    table = np.zeros(shape)
    np.add.at(table, (rows, columns), 1)
    return table


EYES_BY_HAIR = crossed(HAIR, EYE, (4, 4))
THETA = EYES_BY_HAIR / EYES_BY_HAIR.sum(axis=1, keepdims=True)
PRIOR = EYES_BY_HAIR.sum(axis=1) / EYES_BY_HAIR.sum()


def two_factors(one: str, other: str) -> str:
    """Say that a factor is missing."""
    return f"Two factors, for {one} and for {other}. A third bit is off."


HAIRS, EYES = STUDENTS.categories[:2]
EYES_OF_BROWN = ", ".join(f"{eye} {p:.3f}" for eye, p in zip(EYES, THETA[BROWN], strict=True))
Q_OF_BLUE = "\n".join(f"{hair} hair: Q {q:.3f}" for hair, q in zip(HAIRS, q_factor(THETA)[:, BLUE], strict=True))


def blond_by_bits(alpha: float = 0) -> float:
    """P(blond | blue eyes) of Bernoulli naive Bayes on one-hot columns."""
    bits = np.eye(4)
    return float(BernoulliNB(alpha=alpha).fit(bits[EYE], HAIR).predict_proba(bits[[BLUE]])[0, BLOND])


def blond_by_categories(alpha: float = 0) -> float:
    """P(blond | blue eyes) of categorical naive Bayes."""
    return float(CategoricalNB(alpha=alpha).fit(EYE[:, None], HAIR).predict_proba([[BLUE]])[0, BLOND])


def blond_without_blue() -> float:
    """P(blond | blue eyes) of Bernoulli naive Bayes when the column of blue eyes is dropped."""
    bits = np.delete(np.eye(4), BLUE, axis=1)
    return float(BernoulliNB(alpha=0).fit(bits[EYE], HAIR).predict_proba(bits[[BLUE]])[0, BLOND])


def sex_posteriors():
    """P(sex | hair, eye) of all 16 pairs by categories and by bits, each (16, 2)."""
    tables = [crossed(SEX, column, (2, 4)) for column in (HAIR, EYE)]
    thetas = [table / table.sum(axis=1, keepdims=True) for table in tables]
    pairs = np.array([(hair, eye) for hair in range(4) for eye in range(4)])
    return posteriors_of_several(thetas, np.bincount(SEX) / len(SEX), pairs)


def flips() -> float:
    """How many of the 16 pairs of hair and eye colour change their more probable sex."""
    by_categories, by_bits = sex_posteriors()
    return float(np.sum(by_categories.argmax(axis=1) != by_bits.argmax(axis=1)))


def cause_sizes(alpha: float) -> tuple[float, float]:
    """What Q and the denominators change in P(blond | blue eyes) at this alpha."""
    smoothed = (EYES_BY_HAIR + alpha) / (EYES_BY_HAIR + alpha).sum(axis=1, keepdims=True)
    with_q = product_of_bernoullis_posterior(smoothed, PRIOR)[BLOND, BLUE]
    return float(with_q - blond_by_categories(alpha)), float(blond_by_bits(alpha) - with_q)


def odds_by_bits(theta_c: float, prior_c: float = 0.5) -> float:
    """Posterior odds of c by bits, when the feature has two values and theta_d = 1 - theta_c."""
    theta = np.array([[theta_c, 1 - theta_c], [1 - theta_c, theta_c]])
    c, d = product_of_bernoullis_posterior(theta, [prior_c, 1 - prior_c])[:, 0]
    return float(c / d)


def threshold(K: int) -> float:
    """Compute what θ in class c must exceed for exaggeration to be certain."""
    return float(extremeness_threshold(RIVAL, K))


def slope(K: int) -> float:
    """By how much the bits multiply log(theta_c / theta_d), on average: a regression over flat random pairs."""
    theta = np.random.default_rng(0).dirichlet(np.ones(K), (2, 20_000))
    f = log_f_factor(theta)[..., 0]
    return float(np.polyfit(np.log(theta[0, :, 0] / theta[1, :, 0]), f[0] - f[1], 1)[0])


THETAS = [[0.1, 0.2, 0.3, 0.4], [0.0, 1.0, 0.0], [0.25, 0.75], [0.0, 0.5, 0.5]]


def q_values(function) -> list[float]:
    """A learner's `q_factors` on vectors that tell the slips apart; what is not a number becomes -1."""
    values = []
    for theta in THETAS:
        with np.errstate(all="ignore"):
            found = function(np.array(theta))
        if found is None or found is ...:
            return [found]
        values.append(np.broadcast_to(np.asarray(found, dtype=float), len(theta)))
    return list(np.nan_to_num(np.concatenate(values), nan=-1, posinf=-1, neginf=-1))


LOG_ODDS = [
    ([60.0, 1.0, -2.0, 0.3, -50.0, 2.0], [90.0, 2.0, -1.0, -0.4, -80.0, 1.5]),
    ([40.0, -40.0, 3.0, -0.7], [80.0, -80.0, 2.0, -0.7]),
]


def confidence_values(function) -> list[float]:
    """A learner's `more_confident` on log odds, some so large that both posteriors round to 1."""
    return [function(*(np.array(side) for side in case)) for case in LOG_ODDS]


def reversal(function) -> list[float]:
    """A learner's `reversed_pair`: how many of the things that the task asks of a pair hold for every K, in order."""
    passed = []
    for K in (3, 4, 6):
        c, d = pair = np.asarray(function(K), dtype=float)
        if K > 3 and pair.shape == (2, 3):
            return [-1.0]  # written for K = 3 only
        if pair.shape != (2, K):
            raise ValueError(pair.shape)
        holds = [bool(np.all(pair >= 0) and np.allclose(pair.sum(axis=1), 1, atol=1e-9)), c[0] > d[0]]
        if all(holds):
            f, reach = f_factor(pair)[:, 0], f_bounds(c[0], K)[0] < f_bounds(d[0], K)[1]
            holds += [c[0] <= q_bounds(d[0], K)[1], reach, f[0] < f[1]]
        passed.append(float(np.argmin([*holds, False])))
    return [min(passed)]


def posterior(log_odds):
    """The posterior of the first class, as a float holds it."""
    return 1 / (1 + np.exp(-log_odds))


@parameters(eyes=(tuple(int(n) for n in EYES_BY_HAIR[BLACK]), (30, 44, 18, 10), (50, 25, 12, 16), (12, 35, 8, 20),
                  (90, 30, 24, 6), (25, 40, 16, 9)))  # fmt: skip
def q_by_hand(eyes):
    N = sum(eyes)
    brown, blue, hazel, green = (n / N for n in eyes)
    q = (1 - blue) * (1 - hazel) * (1 - green)
    return Exercise(
        "03/q-by-hand",
        context=Q_OF_BLUE,
        help="Which bits are off when the eyes are brown? Q is the probability that all of these are off.",
        task=f"The table above has Q for blue eyes. Of the {N} black-haired students {eyes[0]} have brown eyes, "
        f"{eyes[1]} blue, {eyes[2]} hazel and {eyes[3]} green. What is the factor Q for brown eyes in the class black "
        f"hair? {FRACTION}",
        expected=q,
        mistakes=(
            Mistake((1 - hazel) * (1 - green), two_factors("hazel", "green")),
            Mistake((1 - blue) * (1 - green), two_factors("blue", "green")),
            Mistake((1 - blue) * (1 - hazel), two_factors("blue", "hazel")),
            Mistake(q * (1 - brown), "You multiplied all four factors. Q leaves out the value that was seen."),
            Mistake((1 - brown) * (1 - hazel) * (1 - green), "That is Q for blue eyes, as in the table. When the eyes "
                    "are brown, other bits are off.",
                    "That is Q for blue eyes. When the eyes are brown, other bits are off."),
            Mistake(brown * q, "That is f = θ Q. The question is about the factor Q alone."),
            Mistake(blue * hazel * green, "You multiplied the shares themselves. The other three bits are off: what is "
                    "the probability of that?"),
            Mistake(1 - brown, "That is the probability that the brown bit is off, or the sum of the other three. Each "
                    "of the other bits has a factor of its own."),
            Mistake(brown, "That is θ of brown. Q is about the three bits that are off."),
        ),
        well_done="More than twice the Q of blue eyes. Among black hair the other colours are rare, so their bits are "
        "off anyway: Q speaks for what is common.",
        solution=f"from fractions import Fraction as F\n\nanswer = F({N} - {eyes[1]}, {N}) * F({N} - {eyes[2]}, {N}) * "
        f"F({N} - {eyes[3]}, {N})",
        variant_texts=dict(
            context="",
            task=f"Of the {N} students of a class, {eyes[0]} have brown eyes, {eyes[1]} blue, {eyes[2]} hazel and "
            f"{eyes[3]} green. The eye colour is one-hot. What is the factor Q for brown eyes in this class? "
            f"{FRACTION}",
            well_done="Where the other colours are rare, their bits are off anyway: Q speaks for what is common.",
        ),
    )  # fmt: skip


@parameters(N=(127, 80, 60, 200), alpha=(10, 5, 20, 2))
def bit_sum(N, alpha):
    below = N + 2 * alpha
    return Exercise(
        "03/bit-sum",
        help="Write down the four smoothed fractions. They have the same denominator. Then add them.",
        task=f"{N} students are blond. BernoulliNB smooths each of the four eye bits with alpha = {alpha}. What do the "
        f"four smoothed probabilities P(bit is 1 | blond) sum to? {FRACTION}",
        expected=(N + 4 * alpha) / below,
        mistakes=(
            Mistake(1.0, "So they would with the denominator of the categorical model. How many values has a bit?"),
            Mistake((N + 4) / (N + 2), "So they would with alpha = 1. Here alpha is ten times as large.",
                    "So they would with alpha = 1."),
            Mistake((N + 4 * alpha) / (N + alpha), "The numerators are right. Each bit can be 1 or 0, and both got "
                    "alpha."),
            Mistake((N + 4 * alpha) / (N + 8 * alpha), "Four bits with two values each: but each bit has a denominator "
                    "of its own, and it adds alpha twice."),
            Mistake(N / below, "The denominator is right. Did each of the four counts get its alpha too?"),
            Mistake((N + 8 * alpha) / below, "The denominator is right. In it alpha stands twice, for 1 and for 0; how "
                    "often does a count get it?"),
            Mistake((N + alpha) / below, "You added alpha once. There are four counts, and each of them got it."),
        ),
        well_done="More than 1: each bit is more probable than its value. That is good for the bit that is on, and bad "
        "for the three that are off.",
        solution=f"N, K, alpha = {N}, 4, {alpha}\nanswer = (N + K * alpha) / (N + 2 * alpha)",
        variant_texts=dict(
            task=f"A class has {N} rows. BernoulliNB smooths each of the four bits of a one-hot variable with alpha = "
            f"{alpha}. What do the four smoothed probabilities P(bit is 1 | class) sum to? {FRACTION}"
        ),
    )  # fmt: skip


@parameters(K=(5, 4, 6, 8), theta=(0.3, 0.2, 0.4, 0.5))
def centre(K, theta):
    others, rest, most = K - 1, 1 - theta, q_bounds(theta, K)[1]
    count = in_words(others)
    return Exercise(
        "03/centre",
        help="How much is left for the other values, and how many are there? Share it so that Q is largest. Then one "
        "factor, and how many of them.",
        task=f"A variable has K = {K} values, and this class shows the value j with θ = {theta}. How large can Q be at "
        "most? Give three significant digits.",
        expected=most,
        mistakes=(
            Mistake((1 - rest / K) ** K, "You shared the rest among K values. How many other values are there?"),
            Mistake((1 - rest / others) ** K, "Each factor is right. You multiplied K of them: how many other bits are "
                    "there?"),
            Mistake((1 - rest / K) ** others, f"{count.title()} factors, rightly. But among how many values is the "
                    "rest shared?"),
            Mistake((rest / others) ** others, "You multiplied what each of the others gets: the chance that all "
                    f"{count} bits are on. They are off."),
            Mistake(rest**others, f"You gave all of the rest to each of the {count}. They share it."),
            Mistake((1 - theta / others) ** others, f"{count.title()} factors, rightly. But you shared out θ itself. "
                    "What do the others share?"),
            Mistake(1 - rest / others, "That is one factor, for one of the other bits. There are several."),
            Mistake(q_bounds(theta, K - 1)[1], f"That is for K = {K - 1}. Here K is {K}, and {count} is the number of "
                    "the others."),
            Mistake(rest / others, "That is what each of the others gets. What is the probability that its bit is "
                    "off?"),
            Mistake(theta * most, "That is the upper bound of f = θ Q. The question is about Q."),
            Mistake(theta, "That is the smallest Q, at a corner. The largest is at the centre."),
        ),
        well_done="Share the rest equally among the other K − 1 values, and multiply K − 1 equal factors.",
        solution=f"K, theta = {K}, {theta}\nanswer = ((K - 2 + theta) / (K - 1)) ** (K - 1)",
    )  # fmt: skip


@parameters(theta=(0.8, 0.7, 0.9, 0.75), prior=(0.4, 0.3, 0.6, 0.2))
def square_with_prior(theta, prior):
    ratio, odds = theta / (1 - theta), prior / (1 - prior)
    return Exercise(
        "03/square-with-prior",
        help="Work with odds: prior odds, times the ratio as the bits see it. Turn them into a probability at the end.",
        task=f"Two values, one-hot, both columns kept. The value that was seen has probability {theta} in class c and "
        f"{1 - theta:g} in class d. Beforehand P(c) = {prior}. What is P(c | the bits)? {FRACTION}",
        expected=share(odds_by_bits(theta, prior)),
        mistakes=(
            Mistake(share(odds * ratio), "That is the right posterior, by categories. What do two bits make of the "
                    f"ratio {ratio:.3g} to 1?"),
            Mistake(share(ratio**2), "The ratio is squared rightly. You forgot the prior odds."),
            Mistake(ratio**2, "That is the ratio as the bits see it. Bring in the prior odds, then turn odds into a "
                    "probability."),
            Mistake(odds * ratio**2, "Those are the posterior odds, c to d. Turn them into a probability."),
            Mistake(share(prior * ratio**2), f"You took {prior} for the prior odds. What is P(c) against P(d)?"),
            Mistake(share((odds * ratio) ** 2), "You squared the posterior odds. The prior is counted once: only the "
                    "ratio of the θ is squared."),
            Mistake(share(odds * ratio) ** 2, "You squared the posterior itself. Square the ratio of the θ, then bring "
                    "in the prior odds."),
        ),
        well_done="Posterior odds = prior odds × ratio²; the prior is not squared.",
        solution=f"odds = ({prior} / {1 - prior:g}) * ({theta} / {1 - theta:g}) ** 2\nanswer = odds / (1 + odds)",
    )  # fmt: skip


CONTENTS = [
    Prediction(
        "03/blue-eyes",
        question="You know only that a student has blue eyes, and ask for the hair. The first pipeline gives eye "
        "colour to CategoricalNB. The second makes four one-hot columns of it and gives these to BernoulliNB. The rows "
        f"are the same, and neither smooths. The first says P(blond | blue) = {say(blond_by_categories())}. What does "
        "the second say?",
        options={
            "the same: it is the same information": lambda p: abs(p - blond_by_categories()) < 0.005,
            "less than that": lambda p: p <= blond_by_categories() - 0.005,
            "more than that": lambda p: p >= blond_by_categories() + 0.005,
        },
        truth=blond_by_bits,
        reason=lambda p: (
            f"The second pipeline says {say(p)}. It has four columns, so it hears four witnesses: blue eyes, and also "
            "no brown eyes, no hazel eyes, no green eyes. But “blue” had said all that already."
        ),
    ),
    Prediction(
        "03/flips",
        question="Now guess the sex from hair and eye colour: 4 times 4 pairs. In how many of the 16 pairs do the two "
        "pipelines choose different classes?",
        options={
            "in none: only the probabilities differ": lambda n: n == 0,
            "in one or two": lambda n: 1 <= n <= 2,
            "in three or more": lambda n: n >= 3,
        },
        truth=flips,
        reason=lambda n: (
            f"In {say(n)} of the 16. The bits exaggerate what the hair says; the prior is counted once. Where the "
            "two pull in opposite directions, the balance can tip."
        ),
    ),
    Prediction(
        "03/legal-codes",
        context=f"Eyes of students with brown hair: {EYES_OF_BROWN}.",
        question="Take brown-haired students. Four bits have 16 states, and only 4 of them are one-hot codes: a "
        "student has exactly one eye colour. How much of its probability does the model of independent bits give to "
        "these 4 states together?",
        options={
            "all of it: the others never occur": lambda p: p > 0.99,
            "more than half": lambda p: 0.5 < p <= 0.99,
            "less than half": lambda p: p <= 0.5,
        },
        truth=lambda: float(f_factor(THETA[BROWN]).sum()),
        reason=lambda p: (
            f"The four codes get {say(p)}. The rest goes to students with no eye colour at all, or with two or more."
        ),
    ),
    q_by_hand,
    Exercise(
        "03/q-function",
        help="Each entry is a product over all the other entries. Try theta = [0, 1, 0] by hand.",
        task="Write q_factors(theta): an array with the K probabilities of one class goes in, an array with all K "
        "factors Q comes out. It must also work when one probability is 1.",
        expected=lambda theta: q_factor(theta),
        evaluate=q_values,
        returns="an array with one number for each value",
        mistakes=(
            Mistake(
                lambda theta: np.prod(1 - theta) / (1 - theta),
                "Right, until one θ is 1: then you divide 0 by 0. Leave the factor out, instead of dividing by it.",
            ),
            Mistake(lambda theta: np.prod(1 - theta), "You multiplied all K factors. Each Q leaves out its own."),
            Mistake(
                lambda theta: np.array([np.prod(np.delete(theta, j)) for j in range(len(theta))]),
                "The right entries are left out. But the other bits are off: multiply 1 − θ.",
            ),
            Mistake(
                lambda theta: np.array([np.prod(1 - theta[theta != own]) for own in theta]),
                "You left out every θ that equals the own one. Another value may have the same θ: leave out by place.",
            ),
            Mistake(lambda theta: theta * q_factor(theta), "That is f = θ Q. Return Q alone."),
            Mistake(
                lambda theta: 1 - theta,
                "That is one factor for each value. Q multiplies those of all the other values.",
            ),
        ),
        well_done="Leaving out is safe, dividing is not. With many values one would add logarithms, as nbcore does.",
        solution="import numpy as np\n\n\ndef q_factors(theta):\n"
        "    return np.array([np.prod(1 - np.delete(theta, j)) for j in range(len(theta))])\n\n\nanswer = q_factors",
    ),
    Prediction(
        "03/two-causes",
        question="With smoothing, alpha = 1, there is a second difference. CategoricalNB divides by N_c + 4 alpha, "
        "because eye colour has four values. BernoulliNB divides by N_c + 2 alpha, because a bit has two. Which cause "
        "changes P(blond | blue) more?",
        options={
            "the factor Q": lambda r: r < 0.8,
            "both about the same": lambda r: 0.8 <= r <= 1.25,
            "the denominators": lambda r: r > 1.25,
        },
        truth=lambda: abs(cause_sizes(1)[1] / cause_sizes(1)[0]),
        reason=lambda r: (
            f"Q adds {cause_sizes(1)[0]:.3f}, the denominators add {cause_sizes(1)[1]:.3f}. With more than seventy "
            "students in each class, two or four imaginary ones hardly matter."
        ),
    ),
    bit_sum,
    Prediction(
        "03/hill",
        question="A variable has four values, and in this class the fourth never occurs. The other three share "
        "everything. For which shares is Q of the fourth, (1 − θ₁)(1 − θ₂)(1 − θ₃), the largest?",
        options={
            "one of them has everything": lambda gain: gain < 0,
            "it does not matter: they sum to 1": lambda gain: gain == 0,
            "all three are equal": lambda gain: gain > 0,
        },
        truth=lambda: float(q_factor([1 / 3, 1 / 3, 1 / 3, 0])[3] - q_factor([1, 0, 0, 0])[3]),
        reason=lambda gain: (
            f"With equal shares Q = {say(float(q_factor([1 / 3, 1 / 3, 1 / 3, 0])[3]))}. If one value has everything, "
            "its bit is certainly on, its factor is 0, and the product too."
        ),
    ),
    centre,
    Prediction(
        "03/two-values",
        question="A variable has two values, and someone keeps both one-hot columns. Both classes are equally "
        "frequent. The categorical model gives the odds 9 to 1. Which odds to 1 does the model of independent bits "
        "give?",
        truth=lambda: odds_by_bits(0.9),
        reason=lambda odds: (
            f"{say(odds)} to 1. The second column is the first one turned round. It says the same again, and is "
            "believed again: the ratio is squared."
        ),
    ),
    Prediction(
        "03/more-values",
        question=f"With two values the bits double the log odds of what was seen. Now a variable has {MANY} values: "
        f"{MANY - 1} bits are off, in place of one. In both classes all {MANY} θ are drawn at random from a flat "
        f"Dirichlet: each is 1/{MANY} on average, hardly ever above 1/{MANY // 5}. By what do the bits multiply the "
        "log odds, on average?",
        options={
            "by much more than 2: so many witnesses": lambda b: b > 2.1,
            "by about 2 again": lambda b: 1.9 <= b <= 2.1,
            "by less than 2, but more than 1.5": lambda b: 1.5 < b < 1.9,
            "by hardly more than 1": lambda b: b <= 1.5,
        },
        truth=partial(slope, MANY),
        reason=lambda b: (
            f"By {say(b)}. A bit that is off is news only if it might have been on. Here every value is rare in both "
            "classes, the seen one too: the other 49 are off with nearly the same probability in both."
        ),
    ),
    square_with_prior,
    Prediction(
        "03/large-k",
        question=f"In class d the seen value has θ = {RIVAL}. With K = 2 any larger θ in class c makes exaggeration "
        "certain. With more values θ in class c must lie above a threshold. Where does the threshold go when K becomes "
        "very large? Draw it.",
        truth=partial(threshold, 10_000),
        drawn=Drawn(
            {f"{K:,}": partial(threshold, K) for K in (2, 3, 10, 10_000)},
            y="threshold for θ in class c",
            x="K",
            given=1,
        ),
        reason=lambda t: (
            f"It stops at {say(t)}, which is e to the power −{1 - RIVAL:g}. Many small rivals share the rest, and "
            "the chance "
            "that none of their bits is on tends to e to the power −(1 − θ), as for rare events."
        ),
    ),
    Exercise(
        "03/reversed",
        help="The task asks several things of your pair, for each K: see which of them fails. Section 4 says when Q "
        "is small, and when it is large.",
        task="The larger θ need not have the larger f. Write reversed_pair(K): it returns two lists of K "
        "probabilities, of class c and of class d, each with the sum 1. The first value shall be more probable in c "
        "than in d, and yet f of this value smaller in c. It is tried with K = 3, 4 and 6.",
        expected=lambda K: (np.array([0.4, 0.6, *[0] * (K - 2)]), np.array([0.39, *[0.61 / (K - 1)] * (K - 1)])),
        evaluate=reversal,
        returns="two lists of K numbers",
        mistakes=(
            Mistake(
                lambda K: (np.full(K, 0.4), np.full(K, 0.3)),
                "In one of your lists the numbers are not probabilities that sum to 1, for one of the K.",
            ),
            Mistake(
                lambda K: (np.array([0.39, *[0.61 / (K - 1)] * (K - 1)]), np.array([0.4, 0.6, *[0] * (K - 2)])),
                "The first value must be the more probable one in class c, which comes first. In one of the cases it "
                "is not.",
            ),
            Mistake(
                lambda K: (np.array([0.9, 0.1, *[0] * (K - 2)]), np.array([0.2, *[0.8 / (K - 1)] * (K - 1)])),
                "Your first two θ are so far apart that eq. (13) holds: Q can only exaggerate. Bring them closer.",
            ),
            Mistake(
                lambda K: (np.array([0.33, 0.67, *[0] * (K - 2)]), np.array([0.2, *[0.8 / (K - 1)] * (K - 1)])),
                "Even the smallest f of c is above the largest f of d, for one of the K: bring the first two θ closer.",
            ),
            Mistake(
                lambda K: (np.array([0.4, *[0.6 / (K - 1)] * (K - 1)]), np.array([0.39, 0.61, *[0] * (K - 2)])),
                "The first two θ are close enough, but f is not smaller in c. Look at how the others share the rest: "
                "which class needs the small Q?",
            ),
            Mistake(
                lambda K: (np.array([0.4, 0.6, 0]), np.array([0.39, 0.305, 0.305])),
                "For K = 4 your lists have 3 numbers. How many others are there for any K?",
            ),
        ),
        well_done="Class c at its lower bound, class d at its upper one, near the diagonal, inside the white lens. "
        "With two values it cannot be done, for there Q is θ.",
        solution="import numpy as np\n\n\ndef reversed_pair(K):\n"
        "    c, d = np.zeros(K), np.full(K, 0.71 / (K - 1))\n"
        "    c[:2] = 0.30, 0.70  # one other value has all the rest\n"
        "    d[0] = 0.29  # the others share evenly\n"
        "    return c, d\n\n\nanswer = reversed_pair",
    ),
    Prediction(
        "03/drop-one",
        question=f"Back to P(blond | blue): {say(blond_by_categories())} by categories, {say(blond_by_bits())} by four "
        "bits. OneHotEncoder(drop='first') leaves out the first column in alphabetical order, here blue. A student "
        "with blue eyes is then the one whose other three bits are all off. What does BernoulliNB say with these three "
        "columns?",
        options={
            "the plain share again: the redundancy is gone": lambda p: abs(p - blond_by_categories()) < 0.005,
            "still too much": lambda p: p >= blond_by_categories() + 0.005,
            "too little": lambda p: p <= blond_by_categories() - 0.005,
        },
        truth=blond_without_blue,
        reason=lambda p: (
            f"It says {say(p)}. Dropping a column helps regression, where columns must not sum to 1. Naive Bayes has "
            "another trouble: it believes that the columns are independent, and the three that are left are not."
        ),
    ),
    Exercise(
        "03/more-confident",
        help="Confidence is the size of the log odds, whichever class they favour. Return a share between 0 and 1.",
        task="Two classes. Write more_confident(by_categories, by_bits): two arrays of log odds go in, the share of "
        "items for which the bits are more confident, in whichever class, comes out. Some log odds are as large as 90.",
        expected=lambda categories, bits: np.mean(np.abs(bits) > np.abs(categories)),
        evaluate=confidence_values,
        returns="one number, a share",
        mistakes=(
            Mistake(
                lambda categories, bits: np.mean(
                    np.maximum(posterior(bits), posterior(-bits))
                    > np.maximum(posterior(categories), posterior(-categories))
                ),
                "At log odds of 60 and of 90 both posteriors are rounded to 1. Compare the log odds themselves.",
            ),
            Mistake(
                lambda categories, bits: np.mean(bits > categories),
                "You compared signed log odds. Going from −50 to −80 is more confident as well.",
            ),
            Mistake(
                lambda categories, bits: np.mean(np.abs(bits) >= np.abs(categories)),
                "In one of the cases there is a tie. Equally confident is not more confident.",
            ),
            Mistake(
                lambda categories, bits: np.sum(np.abs(bits) > np.abs(categories)),
                "You counted. Return the share.",
            ),
            Mistake(
                lambda categories, bits: np.mean(np.abs(bits) < np.abs(categories)),
                "That is the share for which the categories are more confident.",
            ),
        ),
        well_done="Posteriors near 1 round to 1 long before log odds do. Chapter 04 compares thousands of classifiers "
        "in this way.",
        solution="import numpy as np\n\n\ndef more_confident(by_categories, by_bits):\n"
        "    return np.mean(np.abs(by_bits) > np.abs(by_categories))\n\n\nanswer = more_confident",
    ),
]

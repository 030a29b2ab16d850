"""Predictions and exercises of chapter 03, the one-hot pitfall. Every expected value is computed, none is typed."""

from __future__ import annotations

from functools import partial

import numpy as np
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.preprocessing import OneHotEncoder

from nbcore.datasets import load_hair_eye_color, load_titanic
from nbcore.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB
from nbcore.one_hot import (
    extremeness_threshold,
    f_bounds,
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

DEEPER = "03/bells"  # with which page 03b begins

STUDENTS = load_hair_eye_color()
HAIR, EYE, _ = STUDENTS.data.T
BLACK, BLOND = 0, 3  # codes of hair
BLUE = 1
YES, RIVAL = 0.7, 0.2  # of yes in class A of "03/two-values"; θ in class d of "03/large-k"


def titanic_loss() -> float:
    """Return the log loss, ten-fold, of naive Bayes on all one-hot bits of the Titanic's people."""
    people, folds = load_titanic(), StratifiedKFold(10, shuffle=True, random_state=0)
    bits = OneHotEncoder().fit_transform(people.data)
    return float(log_loss(people.target, cross_val_predict(BernoulliNB(), bits, people.target, cv=folds,
                                                           method="predict_proba")))  # fmt: skip


def write_list(numbers) -> str:
    """Return numbers in words: 0.2, 0.5 and 0.4."""
    *most, last = map(str, numbers)
    return f"{', '.join(most)} and {last}"


def crossed(rows, columns, shape) -> np.ndarray:
    """Counts of each pair of codes, the rows' code first."""
    table = np.zeros(shape)
    np.add.at(table, (rows, columns), 1)
    return table


EYES_BY_HAIR = crossed(HAIR, EYE, (4, 4))
PRIOR = EYES_BY_HAIR.sum(axis=1) / EYES_BY_HAIR.sum()


def two_factors(one: str, other: str) -> str:
    """Say that a factor is missing."""
    return f"Two factors, for {one} and for {other}. A third bit is off."


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


def cause_sizes(alpha: float) -> tuple[float, float]:
    """Return by how much Q and the denominators change P(blond | blue eyes) at this alpha."""
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


def bells_by_eye() -> np.ndarray:
    """P(hair | eyes) of Gaussian naive Bayes on one-hot columns, (eyes, hair)."""
    bits = np.eye(4)
    return GaussianNB().fit(bits[EYE], HAIR).predict_proba(bits)


def bells_decide() -> float:
    """Count the eye colours for which Gaussian naive Bayes decides for another hair than the counts."""
    return float(np.sum(bells_by_eye().argmax(axis=1) != EYES_BY_HAIR.argmax(axis=0)))


def bell(x: float, p: float) -> float:
    """Compute the density at x of the bell of a column with a share p of ones."""
    return float(np.exp(-((x - p) ** 2) / (2 * p * (1 - p))) / np.sqrt(2 * np.pi * p * (1 - p)))


@parameters(eyes=(tuple(int(n) for n in EYES_BY_HAIR[BLACK]), (30, 44, 18, 10), (50, 25, 12, 16), (12, 35, 8, 20),
                  (90, 30, 24, 6), (25, 40, 16, 9)))  # fmt: skip
def q_by_hand(eyes):
    N = sum(eyes)
    brown, blue, hazel, green = (n / N for n in eyes)
    q = (1 - blue) * (1 - hazel) * (1 - green)
    return Exercise(
        "03/q-by-hand",
        help="Which bits are off when the eyes are brown? Q is the probability that all of these are off.",
        task=f"Of the {N} black-haired students {eyes[0]} have brown eyes, "
        f"{eyes[1]} blue, {eyes[2]} hazel and {eyes[3]} green. What is the factor Q for brown eyes in the class black "
        f"hair? {FRACTION}",
        expected=q,
        mistakes=(
            Mistake((1 - hazel) * (1 - green), two_factors("hazel", "green")),
            Mistake((1 - blue) * (1 - green), two_factors("blue", "green")),
            Mistake((1 - blue) * (1 - hazel), two_factors("blue", "hazel")),
            Mistake(q * (1 - brown), "You multiplied all four factors. Q leaves out the value that was seen."),
            Mistake((1 - brown) * (1 - hazel) * (1 - green), "That is Q for blue eyes. When the eyes are brown, other "
                    "bits are off."),
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
            Mistake(float(np.exp(-rest)), f"That is where it goes when K grows without end. Here K is {K}."),
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
            Mistake(prior * theta**2, "That is the numerator of c. Divide it by the sum of both numerators."),
            Mistake(share(odds * theta**2 / (1 - theta)), "You squared the probability in c, but not that in d. Both "
                    "columns count in both classes."),
            Mistake(share(odds * ratio) ** 2, "You squared the posterior itself. Square the ratio of the θ, then bring "
                    "in the prior odds."),
        ),
        well_done="Posterior odds = prior odds × ratio²; the prior is not squared.",
        solution=f"odds = ({prior} / {1 - prior:g}) * ({theta} / {1 - theta:g}) ** 2\nanswer = odds / (1 + odds)",
    )  # fmt: skip


@parameters(counts=(((6, 3, 1), (2, 5, 3)), ((5, 4, 1), (1, 6, 3)), ((7, 1, 2), (3, 2, 5)), ((8, 1, 1), (4, 2, 4)),
                    ((6, 1, 3), (3, 4, 3)), ((5, 2, 3), (2, 7, 1)), ((4, 5, 1), (1, 2, 7))))  # fmt: skip
def dropped_column(counts):
    c, d = (np.array(row) / 10 for row in counts)
    zeros, seen = (1 - c[1:]) / (1 - d[1:]), c[0] / d[0]
    (red, green, blue), (red_d, green_d, blue_d) = counts
    odds = float(zeros.prod())
    return Exercise(
        "03/dropped",
        help="Red is the row 0, 0. In each class multiply the probabilities of the two zeros. Then divide.",
        task=f"Ten balls of class c: {red} red, {green} green, {blue} blue. Ten of class d: {red_d}, {green_d} and "
        f"{blue_d}. The column of red is dropped, so a red ball is 0, 0. The priors are equal, and nothing is "
        f"smoothed. What are the odds of c against d by the two columns? {FRACTION}",
        expected=odds,
        mistakes=(
            Mistake(float(seen), "That is what red says as one variable. Its column is gone."),
            Mistake(float(seen) * odds, "You multiplied the share of red in, too. Its column is gone."),
            Mistake(float(zeros[0]), "That is the zero of green. There is a second one."),
            Mistake(float(zeros[1]), "That is the zero of blue. There is a second one."),
            Mistake(float((c[1:] / d[1:]).prod()), "You multiplied the shares of green and blue. Both columns are 0: "
                    "what is the probability of that?"),
            Mistake(share(odds), "That is the probability of c. The task asks for the odds."),
            Mistake(float((1 - c[1:]).prod()), "Those are the two zeros in class c. How probable are they in d?"),
        ),
        well_done="The zeros speak alone. They know red only blurred: (1 − green)(1 − blue) is red + green · blue.",
        solution=f"from fractions import Fraction as F\n\nanswer = F({10 - green} * {10 - blue}, "
        f"{10 - green_d} * {10 - blue_d})",
    )  # fmt: skip


@parameters(p=((0.1, 0.4), (0.2, 0.5), (0.1, 0.3), (0.05, 0.2), (0.15, 0.45), (0.25, 0.5), (0.05, 0.3)))
def bell_odds(p):
    c, d = p
    (low_c, low_d), (sd_c, sd_d) = ([bell(0, share) for share in p], [np.sqrt(share * (1 - share)) for share in p])
    power = (low_c * sd_c) / (low_d * sd_d)  # the ratio of the two exponentials
    return Exercise(
        "03/bell-odds",
        help="The bell of a column has the mean p and the variance p(1 − p). Its density at x is "
        "exp(−(x − p)² / (2 · variance)) / √(2π · variance).",
        task=f"A column of 0 and 1 has a share {c} of ones in class c, and {d} in class d. GaussianNB fits a bell to "
        "it in each class. The bit is 0. How many times as high is the bell of c there as that of d? Give three "
        "significant digits.",
        expected=low_c / low_d,
        mistakes=(
            Mistake((1 - c) / (1 - d), "That is what BernoulliNB says. GaussianNB compares the heights of two bells."),
            Mistake(power, "Those are the two exponentials. A narrow bell is also higher: divide by the standard "
                    "deviation."),
            Mistake(sd_d / sd_c, "That is the ratio at the tops of the bells. How far is 0 from each mean?"),
            Mistake(power * (sd_d / sd_c) ** 2, "You divided by the variances. A bell's height falls with its standard "
                    "deviation."),
            Mistake(power**2 * sd_d / sd_c, "In the exponent the squared distance is divided by twice the variance."),
            Mistake(bell(1, c) / bell(1, d), "Those are the heights at 1. The bit is 0."),
        ),
        well_done="A rare 1 makes a narrow bell, and a narrow bell is high at 0.",
        solution=f"import numpy as np\n\np = np.array([{c}, {d}])\nvariance = p * (1 - p)\n"
        "bells = np.exp(-p**2 / (2 * variance)) / np.sqrt(variance)\nanswer = bells[0] / bells[1]",
    )  # fmt: skip


@parameters(K=(3, 4, 5), theta=((0.5, 0.4), (0.6, 0.3), (0.7, 0.5)))
def least_ratio(K, theta):
    c, d = theta
    (low_c, high_c), (low_d, high_d) = f_bounds(c, K), f_bounds(d, K)
    most = q_bounds(d, K)[1]
    return Exercise(
        "03/least-ratio",
        help="Make f of c as small as it can be, and f of d as large as it can be. Then divide.",
        task=f"A variable has K = {K} values. The seen one has θ = {c} in class c and {d} in class d, and nothing else "
        "is known. What is the smallest ratio that f of c to f of d can have? Give three significant digits.",
        expected=float(low_c / high_d),
        mistakes=(
            Mistake(c / d, "That is the ratio of the θ. What are the least and the largest f?"),
            Mistake(float(low_c / low_d), "Both classes at the lower bound. Which f of d makes the ratio smallest?"),
            Mistake(float(high_c / high_d), "Both classes at the upper bound. Which f of c makes the ratio smallest?"),
            Mistake(float(high_c / low_d), "That is the largest ratio. Turn it round: which f of c is the smallest?"),
            Mistake(float(most), "That is the largest Q of d, the threshold. Multiply each Q by its θ."),
            Mistake(float(c / most), "That is the ratio of Q alone. f is θ times Q."),
            Mistake(float(low_c / most), "In d you took Q for f. Multiply it by θ of d."),
        ),
        well_done="The lower bound of c over the upper bound of d. It is above the ratio of the θ just if eq. (13) "
        "holds.",
        solution=f"K, c, d = {K}, {c}, {d}\nanswer = c**2 / (d * ((K - 2 + d) / (K - 1)) ** (K - 1))",
    )  # fmt: skip


@parameters(first=((0.2, 0.5, 0.4, 0.9, 0.3), (0.1, 0.6, 0.5, 0.8, 0.2)),
            second=((0.3, 0.9, 0.4, 1.3, 0.6), (0.4, 0.7, 0.9, 1.2, 0.3), (0.2, 1.1, 0.6, 1.4, 0.5)))  # fmt: skip
def paired_error(first, second):
    losses = np.array([first, second])
    gaps, apart = losses[1] - losses[0], np.sqrt((losses.var(axis=1, ddof=1) / 5).sum())
    error = gaps.std(ddof=1) / np.sqrt(5)
    return Exercise(
        "03/paired-error",
        help="Take one difference for each person first. What is the standard error of the mean of these five numbers?",
        task=f"Two models judge the same five people. Their log losses are {write_list(first)}, and "
        f"{write_list(second)}. What is the standard error of the mean difference, with n − 1 in the standard "
        "deviation?",
        expected=float(error),
        mistakes=(
            Mistake(float(apart), "That is for two groups of different people. Here each person has both losses: take "
                    "the differences."),
            Mistake(float(gaps.std(ddof=1)), "That is how far one person's difference spreads. You have the mean of "
                    "five."),
            Mistake(float(gaps.std() / np.sqrt(5)), "Nearly. Divide the sum of squares by n − 1."),
            Mistake(float(gaps.std(ddof=1) / 5), "Divide by the square root of the number of people."),
            Mistake(float(gaps.mean()), "That is the mean difference itself."),
            Mistake(float(1.96 * error), "That is half of a 95 % interval."),
        ),
        well_done="What makes a person hard for both models cancels in the difference.",
        solution=f"import numpy as np\n\ngaps = np.subtract({list(second)}, {list(first)})\n"
        "answer = gaps.std(ddof=1) / np.sqrt(5)",
    )  # fmt: skip


CONTENTS = [
    Prediction(
        "03/two-values",
        question=f"A yes-or-no question stands in two columns. A yes has probability {YES} in class A and {1 - YES:g} "
        f"in class B, and both classes are equally frequent. As one variable it says P(A | yes) = {YES}. What do the "
        "two columns make of it?",
        truth=lambda: share(odds_by_bits(YES)),
        reason=lambda p: (
            f"The 0 in the second column says the same as the 1 in the first. It is believed again, and the odds "
            f"{10 * YES:g} to {10 * (1 - YES):g} are squared: {say((YES / (1 - YES)) ** 2)} to 1."
        ),
    ),
    square_with_prior,
    Prediction(
        "03/blue-eyes",
        question="You know only that a student has blue eyes, and ask for the hair. CategoricalNB reads the eye colour "
        f"as one variable and says P(blond | blue) = {say(blond_by_categories())}. What does BernoulliNB say, which "
        "reads it in four one-hot columns? Neither smooths.",
        options={
            "the same: it is the same information": lambda p: abs(p - blond_by_categories()) < 0.005,
            "less than that": lambda p: p <= blond_by_categories() - 0.005,
            "more than that": lambda p: p >= blond_by_categories() + 0.005,
        },
        truth=blond_by_bits,
        reason=lambda p: (
            f"It says {say(p)}. It has four columns, so it hears four witnesses: blue eyes, and also "
            "no brown eyes, no hazel eyes, no green eyes. But “blue” had said all that already."
        ),
    ),
    q_by_hand,
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
        "03/drop-one",
        question=f"P(blond | blue) is {say(blond_by_categories())} by categories, and {say(blond_by_bits())} by four "
        "bits. OneHotEncoder(drop=[1]) leaves out blue, whose code is 1. Blue eyes are then "
        "three zeros. What does BernoulliNB say with these three columns?",
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
    dropped_column,
    Prediction(
        "03/bells",
        question="GaussianNB takes columns of 0 and 1 without a warning. Blue eyes again: counted, "
        f"{say(blond_by_categories())} of these students are blond. Four bits say {say(blond_by_bits())}. What does "
        "GaussianNB say of the four columns?",
        options={
            "about what was counted": lambda p: p < 0.48,
            "about what the bits say": lambda p: 0.48 <= p < 0.7,
            "still more": lambda p: p >= 0.7,
        },
        truth=lambda: float(bells_by_eye()[BLUE, BLOND]),
        reason=lambda p: (
            f"It says {say(p)}. It fits a bell to each column and compares heights. Where ones are rare the bell is "
            "narrow, and a narrow bell is high."
        ),
    ),
    Prediction(
        "03/bells-decide",
        question="The four bits say wrong numbers, but for each of the four eye colours they decide for the same hair "
        "as the counts. For how many of the four does GaussianNB decide otherwise?",
        options={
            "for none": lambda n: n == 0,
            "for one": lambda n: n == 1,
            "for two or more": lambda n: n >= 2,
        },
        truth=bells_decide,
        reason=lambda n: (
            f"For {say(n)} of the four. It takes brown-eyed students for black-haired ones, and green-eyed students "
            "for red-haired ones."
        ),
    ),
    bell_odds,
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
    least_ratio,
    Prediction(
        "03/titanic",
        question="2,201 people aboard the Titanic: class, sex and age, and who survived. Who knows only the share of "
        "survivors has a log loss of 0.629, lower is better. The category has 0.520. What do the bits reach?",
        options={
            "about 0.52": lambda loss: loss < 0.54,
            "about 0.57: half of the gain is lost": lambda loss: 0.54 <= loss < 0.595,
            "about 0.61: most of it is lost": lambda loss: loss >= 0.595,
        },
        truth=titanic_loss,
        reason=lambda loss: (
            f"{say(loss)}. All but a few decisions are the same. But the probabilities are far too extreme, and lose "
            "most of the gain again."
        ),
    ),
    paired_error,
]

"""Predictions and exercises of chapter 10, naive Bayes and logistic regression. Every expected value is computed."""

from __future__ import annotations

from math import log, log10

import numpy as np
from scipy.special import expit

from workbook.page.exercises import Exercise, Mistake
from workbook.page.numbers import say
from workbook.page.predictions import Prediction

from .experiment import COPIED, FEATURES, SEEDS, SIZES, learning_curve, name_pair

__all__ = ["CONTENTS"]

P, Q = 0.4, 0.1  # P(feature | female), P(feature | male)
REST = -2.0  # what all other features say, in log odds


def weight(p=P, q=Q) -> float:
    """The weight of one bit in Bernoulli naive Bayes."""
    return log(p / (1 - p)) - log(q / (1 - q))


def lead(n: int) -> float:
    """How much more of the test names logistic regression gets right at n training names, mean of the splits."""
    return float(learning_curve().lead[0][SIZES.index(n)])


def loss_by_copies() -> float:
    """What eight copies cost naive Bayes, 1,000 training names."""
    at = SIZES.index(1000)
    return float(learning_curve(8).bayes[at].mean() - learning_curve(1).bayes[at].mean())


def share_of_a_copy() -> float:
    """Weight of one of eight copies in logistic regression, over the weight of the feature alone."""
    one, eight = (name_pair(1000, copies).logistic.weights for copies in (1, 8))
    return float(eight[len(FEATURES)] / one[COPIED])


def calibration_gap() -> float:
    """Calibration error of logistic regression minus that of naive Bayes, 100 training names."""
    errors = [[diagram.ece() for diagram in name_pair(100, seed=seed).reliability] for seed in range(SEEDS)]
    bayes, logistic = np.mean(errors, axis=0)
    return float(logistic - bayes)


CASES = [
    ([0.5, -1.0, 2.0], [1, 0, 0]),
    ([800.0, -800.0, 3.0], [1, 0, 1]),
    ([-1.5, 0.2], [1, 0]),
    ([800.0, -2.0], [0, 1]),
]


def log_likelihood(z, y) -> float:
    """Sum of log P(c | x) from log odds z and labels y."""
    return float(-np.logaddexp(0, np.where(y == 1, -z, z)).sum())


def by_probability(z, y) -> float:
    """The slip of going through P = 1 / (1 + exp(-z))."""
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        p = 1 / (1 + np.exp(-z))
        return float(np.log(np.where(y == 1, p, 1 - p)).sum())


def likelihood_of_cases(function) -> list[float]:
    """A learner's function on log odds near and far."""
    with np.errstate(all="ignore"):  # a learner's overflow is a slip to be told, not a warning
        return [function(np.array(z), np.array(y)) for z, y in CASES]


CONTENTS = [
    Exercise(
        "10/weight",
        task="Bernoulli naive Bayes: a bit is 1 in 40 % of female names and in 10 % of male ones. What is its weight "
        "in the log odds of female (natural logarithm): how much do they rise when the bit goes from 0 to 1?",
        expected=weight,
        mistakes=(
            Mistake(
                lambda: log(P / Q),
                "That is what a 1 says. A 0 speaks as well: the weight is the difference between the two.",
            ),
            Mistake(lambda: -weight(), "That is the weight in the log odds of male."),
            Mistake(lambda: np.exp(weight()), "That is the factor on the odds. Take its logarithm."),
            Mistake(lambda: log10(np.exp(weight())), "Use the natural logarithm."),
        ),
        well_done="One log odds minus the other. A bit that is 0 gives the intercept its part.",
        solution="from math import log\n\nanswer = log(0.4 / 0.6) - log(0.1 / 0.9)",
    ),
    Exercise(
        "10/log-likelihood",
        task="Write log_likelihood(z, y): z are log odds of class 1, y the true classes, 0 or 1. Return the sum of "
        "log P(c | x) over the rows, what logistic regression maximises. It must be right even at z = ±800.",
        expected=log_likelihood,
        evaluate=likelihood_of_cases,
        returns="one number, summed over the rows",
        help="What does one row add, with z = 2 and y = 0? Compare by hand. Then try z = 800.",
        mistakes=(
            Mistake(
                by_probability,
                "Right where z is moderate. At z = 800, P rounds to 1 and 1 − P to 0. Use np.logaddexp(0, ...).",
            ),
            Mistake(
                lambda z, y: float(-np.logaddexp(0, -z).sum()),
                "You took log P(1 | x) for every row. Where y is 0 it is the other class that counts.",
            ),
            Mistake(
                lambda z, y: log_likelihood(z, y) / len(z),
                "That is the mean. The sum was asked for.",
            ),
            Mistake(
                lambda z, y: -log_likelihood(z, y),
                "That is the loss, which is minimised. A log probability is never positive.",
            ),
        ),
        well_done="The whole of logistic regression is this function: move the weights until it is as high as it gets.",
        solution="import numpy as np\n\n\ndef log_likelihood(z, y):\n"
        "    return -np.logaddexp(0, np.where(y == 1, -z, z)).sum()\n\n\nanswer = log_likelihood",
    ),
    Prediction(
        "10/small",
        question="Both models learn from 100 names. Which one gets more of 1,000 unseen names right? (Logistic "
        "regression almost without a penalty; mean of ten splits.)",
        options={
            "naive Bayes, by some points": lambda d: d < -0.01,
            "about the same": lambda d: abs(d) <= 0.01,
            "logistic regression, by some points": lambda d: d > 0.01,
        },
        truth=lambda: lead(100),
        reason=lambda d: (
            f"Logistic regression is {-100 * d:.1f} points behind. With 100 names and 52 features it can bend 53 "
            "numbers until nearly every training name fits. Naive Bayes counts every feature by itself, which needs "
            "few names."
        ),
    ),
    Prediction(
        "10/large",
        question="Now both learn from 2,000 names. Which one is better?",
        options={
            "naive Bayes": lambda d: d < -0.003,
            "about the same": lambda d: abs(d) <= 0.003,
            "logistic regression, by about one point": lambda d: 0.003 < d < 0.03,
            "logistic regression, by ten points": lambda d: d >= 0.03,
        },
        truth=lambda: lead(2000),
        reason=lambda d: (
            f"Logistic regression is {100 * d:.1f} points ahead. It chooses the line that separates best; naive Bayes "
            "chooses it as if the letters were independent, which they are not, and more names do not change that."
        ),
    ),
    Prediction(
        "10/copies",
        question="The bit “contains a” is put into the table eight times. 1,000 training names; naive Bayes had 76.5 % "
        "right. What becomes of its accuracy?",
        options={
            "nothing: no information was added": lambda d: d > -0.005,
            "it falls by a point or two": lambda d: -0.03 < d <= -0.005,
            "it falls by more than ten points": lambda d: d <= -0.1,
        },
        truth=loss_by_copies,
        reason=lambda d: (
            f"{100 * d:+.1f} points. Eight times the same evidence outvotes all other letters: the model now asks for "
            "little else than an a."
        ),
    ),
    Prediction(
        "10/share",
        question="And logistic regression? The bit alone had the weight w. What weight does each of its eight copies "
        "get? Give it as a share of w.",
        truth=share_of_a_copy,
        within=0.05,
        reason=lambda s: (
            f"{say(s)} of w, one eighth. Only the sum of the eight weights matters for a prediction, and the sum "
            "stays. The penalty, however weak, prefers to spread it."
        ),
    ),
    Exercise(
        "10/counted",
        task="A bit has the weight log 6 in naive Bayes. It is 1, and it is there three times. All other features and "
        "the prior together say −2 in log odds. What is the posterior P(female | x)?",
        expected=lambda: expit(3 * log(6) + REST),
        mistakes=(
            Mistake(
                lambda: expit(log(6) + REST),
                "You counted the bit once. That is what it deserves, but not what naive Bayes does.",
            ),
            Mistake(lambda: expit(3 * (log(6) + REST)), "Only the bit is there three times, not the rest."),
            Mistake(lambda: 3 * log(6) + REST, "Those are the log odds. Turn them into a probability."),
            Mistake(lambda: expit(-3 * log(6) - REST), "That is P(male | x)."),
        ),
        well_done="Counted once, the bit leaves the name male. Counted three times it makes it nearly surely female.",
        solution="from math import exp, log\n\nz = 3 * log(6) - 2\nanswer = 1 / (1 + exp(-z))",
    ),
    Exercise(
        "10/penalty",
        task="A penalty adds up the squares of all weights. A feature needs the total weight 1.2, and there are four "
        "copies of it. What is the smallest sum of squares that gives this total?",
        expected=lambda: 4 * 0.3**2,
        mistakes=(
            Mistake(lambda: 1.2**2, "That is one copy with all the weight. Can you spend less?"),
            Mistake(lambda: 4 * 1.2**2, "Then every copy has the full weight, and the total is four times too large."),
            Mistake(lambda: 0.3, "That is the weight of one copy. Square it, and add up the copies."),
            Mistake(lambda: 0.3**2, "That is one copy's share. There are four."),
        ),
        well_done="A quarter of the penalty of one feature alone. So copies also make a penalty weaker, by as many "
        "times as there are copies.",
        solution="answer = 4 * (1.2 / 4) ** 2",
    ),
    Prediction(
        "10/calibrated",
        question="Logistic regression is fitted for the probabilities P(c | x) themselves. Naive Bayes is known to be "
        "over-confident. Which one has the smaller calibration error after 100 names (almost no penalty)?",
        options={
            "logistic regression": lambda d: d < -0.02,
            "about the same": lambda d: abs(d) <= 0.02,
            "naive Bayes": lambda d: d > 0.02,
        },
        truth=calibration_gap,
        reason=lambda d: (
            f"Naive Bayes: the error of logistic regression is larger by {say(d)}. It is fitted for the probabilities "
            "of the training names, and can make them all nearly 0 or 1. On unseen names that is over-confidence."
        ),
    ),
]

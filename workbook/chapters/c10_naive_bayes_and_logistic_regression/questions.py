"""Predictions and exercises of chapter 10, naive Bayes and logistic regression. Every expected value is computed."""

from __future__ import annotations

from functools import partial
from math import exp, log, log10, sqrt

import numpy as np
from scipy.special import expit

from workbook.explorer.formatting import signed
from workbook.questions.drawn import Drawn
from workbook.questions.exercises import Exercise, Mistake
from workbook.questions.predictions import Prediction
from workbook.questions.variants import in_words, parameters, percent, plain

from .experiment import COPIED, SEEDS, SIZES, learning_curve, letter_features, name_pair, names_for
from .strengths import STRENGTHS, strengths
from .two_bits import TABLES, logistic_line, naive_line, score_line

__all__ = ["CONTENTS"]

P, Q = 0.4, 0.1  # P(feature | female), P(feature | male)
BITS = "Naive Bayes and logistic regression guess the sex of names by 52 bits: letters, last letter."
EIGHT_TIMES = "The bit “contains a” is put into the table eight times."


def bit_of(p: float, q: float) -> str:
    """Describe a bit by how often it is 1 in either class."""
    return f"bit is 1 in {percent(p)} of female names and in {percent(q)} of male ones."


def ahead(n: int) -> float:
    """Return in which share of the splits naive Bayes is ahead at n training names; a tie counts half."""
    curve, at = learning_curve(), SIZES.index(n)
    return float(np.mean(np.sign(curve.bayes[at] - curve.logistic[at]) + 1) / 2)


def loss_by_copies() -> float:
    """Return by how much eight copies change the accuracy of naive Bayes, from 1,000 training names."""
    at = SIZES.index(1000)
    return float(learning_curve(8).bayes[at].mean() - learning_curve(1).bayes[at].mean())


def like_the_rule(copies: int) -> float:
    """Return how often naive Bayes decides "female if there is an a, else male": 1,000 names, mean of the splits."""
    X, _ = letter_features()
    says = [(name_pair(1000, copies, seed=seed).bayes.proba > 0.5) == X[names_for(seed)[1], COPIED]
            for seed in range(SEEDS)]  # fmt: skip
    return float(np.mean(says))


def errors_by_two_bits() -> float:
    """Count the errors of logistic regression among the first twenty rows, less those of naive Bayes."""
    bayes, logistic = (score_line(TABLES[0], line(TABLES[0]))[1].sum() for line in (naive_line, logistic_line))
    return float(logistic - bayes)


def lead_with_coins() -> float:
    """Return the lead of logistic regression with the usual penalty and 50 coins, 100 names."""
    return float(strengths(50).leads[STRENGTHS.index(1.0)].mean())


OF_FEMALE, OF_MALE = (P, 0.3, 0.6, 0.5), (Q, 0.2, 0.05)  # to draw from


@parameters(p=OF_FEMALE, q=OF_MALE)
def weight(p, q):
    one, zero = log(p / q), log((1 - p) / (1 - q))
    return Exercise(
        "10/weight",
        task=f"Bernoulli naive Bayes: a {bit_of(p, q)} What is its weight in the log odds of female (natural "
        "logarithm): how much do they rise when the bit goes from 0 to 1?",
        expected=one - zero,
        mistakes=(
            Mistake(one, "That is what a 1 says. A 0 speaks as well: the weight is the difference between the two."),
            Mistake(zero, "That is what a 0 says. The weight is how much the log odds rise from a 0 to a 1."),
            Mistake(one + zero, "You added what a 0 says. From a 0 to a 1 is a difference."),
            Mistake(zero - one, "That is the weight in the log odds of male."),
            Mistake(exp(one - zero), "That is the factor on the odds. Take its logarithm."),
            Mistake(log10(exp(one - zero)), "Use the natural logarithm."),
        ),
        help="What does a 1 add to the log odds, and what does a 0 add? The weight is the way from one to the other.",
        well_done="One log odds minus the other. A bit that is 0 gives the intercept its part.",
        solution=f"from math import log\n\nanswer = log({p} / {1 - p:g}) - log({q} / {1 - q:g})",
    )


@parameters(ratio=(6, 4, 3, 2), n=(3, 2, 4), rest=(-2, -1, -3))
def repeated_bit(ratio, n, rest):
    w, often = log(ratio), in_words(n)
    return Exercise(
        "10/counted",
        task=f"A bit has the weight log {ratio} in naive Bayes. It is 1, and it is there {often} times. All other "
        f"features and the prior together say {plain(rest)} in log odds. What is the posterior P(female | x), to three "
        "digits?",
        expected=expit(n * w + rest),
        mistakes=(
            Mistake(expit(w + rest), "You counted the bit once. That is what it deserves, but not what naive Bayes "
                    "does."),
            Mistake(0.97, "The way is right. So near to 1 the third digit counts as well.", page_only=True),
            Mistake(0.968, "That is near. Did you round log 6 on the way?", page_only=True),
            Mistake(expit(log(n * ratio) + rest), f"log {ratio} {often} times is {n} log {ratio} = log {ratio**n}, not "
                    f"log {n * ratio}."),
            Mistake(expit(n * (w + rest)), f"Only the bit is there {often} times, not the rest."),
            Mistake(n * w + rest, "Those are the log odds. Turn them into a probability."),
            Mistake(expit(-n * w - rest), "That is P(male | x)."),
            Mistake(expit(n * w), f"That is too sure. Is the {plain(rest)} of all the others in it?"),
            Mistake(expit(n * ratio + rest), f"That is far too sure. Is the weight log {ratio}, not {ratio}? And do "
                    f"the others speak for male, as {plain(rest)} does?"),
            Mistake(exp(n * w + rest), "Those are the odds. A probability is odds / (1 + odds)."),
        ),
        help=f"Add up the log odds first: {often} times the bit, once all the others. Then expit. Round nothing.",
        well_done="Counted once, the bit leaves the name male. Counted three times it makes it nearly surely female.",
        solution=f"from math import exp, log\n\nz = {n} * log({ratio}) - {-rest}\nanswer = 1 / (1 + exp(-z))",
        variant_texts=dict(well_done="Every copy adds the same weight once more, and says nothing new."),
    )  # fmt: skip


@parameters(share=(0.05, 0.1, 0.2, 0.02, 0.04, 0.08, 0.25))
def scaled(share):
    spread = sqrt(share * (1 - share))
    return Exercise(
        "10/scaled",
        task=f"A bit is 1 in {percent(share)} of the names, a coin in half. Each is divided by its spread, "
        "√(m(1 − m)), m its share of ones, and is to move the log odds by 2. A penalty adds up squares of "
        "weights. How many times as much does the coin pay as the bit?",
        expected=(0.5 / spread) ** 2,
        mistakes=(
            Mistake(0.5 / spread, "That is how many times as large the coin's weight is. A penalty squares it."),
            Mistake((spread / 0.5) ** 2, "Upside down: asked is the coin's part over the bit's."),
            Mistake(1, "So it is before the bits are divided. After that a 1 is worth 1 / spread."),
            Mistake(0.5 / share, "That compares the shares. Which weight moves the log odds by 2, if a 1 has become "
                    "1 / spread?"),
            Mistake(1 / spread**2, "The coin is divided by its spread, too: by a half."),
        ),
        help="After the division a 1 is worth 1 / spread. Which weight turns that into 2? Square it, for both.",
        well_done="Scaled, what is rare speaks cheaply, and a coin pays: its spread is the largest there is.",
        solution=f"answer = (2 * 0.5) ** 2 / (2**2 * {share} * {1 - share:g})",
    )  # fmt: skip


CONTENTS = [
    Prediction(
        "10/curve",
        question="Naive Bayes and logistic regression learn from n names to guess the sex of others, ten times. "
        "In which share is naive Bayes ahead on 1,000 unseen names (a tie: half)? Draw the line.",
        truth=lambda: ahead(SIZES[-1]),
        drawn=Drawn({f"{n:,}": partial(ahead, n) for n in (10, 50, 100, 500, 2000)}, y="naive Bayes ahead", x="n",
                    given=1),
        reason=lambda share: (
            f"Naive Bayes is ahead in {share:.2f} of ten times at n = 2,000, and in {ahead(50):.2f} at 50. Ten are "
            "few: each share is uncertain by some tenths. A penalty changes the picture."
        ),
    ),
    weight,
    Prediction(
        "10/errors",
        question="Two bits and a class, twenty rows. Class 0: fourteen times (1, 1), once (0, 0). Class 1: twice "
        "(1, 1), once (0, 0), once (0, 1), once (1, 0). This is the whole world. Which model gets fewer wrong? (No "
        "penalty, no smoothing.)",
        options={
            "logistic regression": lambda d: d < 0,
            "both the same: it is the same form": lambda d: d == 0,
            "naive Bayes": lambda d: d > 0,
        },
        truth=errors_by_two_bits,
        reason=lambda d: (
            f"By {d:.0f} rows. Logistic regression has the better probabilities, as it must: that is what it "
            "maximises. Neither of the two counts errors."
        ),
    ),
    Prediction(
        "10/copies",
        question=f"{EIGHT_TIMES} 1,000 training names; naive Bayes had 80.0 % right. What becomes of its accuracy?",
        options={
            "nothing: no information was added": lambda d: d > -0.005,
            "it falls by a point or two": lambda d: -0.03 < d <= -0.005,
            "it falls by more than ten points": lambda d: d <= -0.1,
        },
        truth=loss_by_copies,
        reason=lambda d: (
            f"{signed(100 * d, 1)} points. Eight times the same evidence outvotes all other letters: of "
            f"{100 * like_the_rule(8):.0f} % of the names it now says “female if there is an a, else male”. Before "
            f"it was {100 * like_the_rule(1):.0f} %."
        ),
    ),
    repeated_bit,
    Prediction(
        "10/useless",
        context=BITS,
        question="100 names, usual penalty. Now every name gets 50 more bits: coins that somebody tossed. Which model "
        "gets more unseen names right?",
        options={
            "naive Bayes, by some points": lambda d: d < -0.01,
            "about the same": lambda d: abs(d) <= 0.01,
            "logistic regression, by some points": lambda d: d > 0.01,
        },
        truth=lead_with_coins,
        reason=lambda d: (
            f"By {-100 * d:.1f} points. Both have fallen: to either, a coin seems to tell something by accident. "
            "But the penalty is on the weights. A coin, half ones and half zeros, moves many names with a small "
            "weight; an ending that few names have needs a large one. So this penalty hushes the endings and lets the "
            "coins speak. Without one it is no better: then the line fits the names by their coins."
        ),
    ),
    scaled,
]

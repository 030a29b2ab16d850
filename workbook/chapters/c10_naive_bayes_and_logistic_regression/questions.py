"""Predictions and exercises of chapter 10, naive Bayes and logistic regression. Every expected value is computed."""

from __future__ import annotations

from math import exp, log, log10
from string import ascii_lowercase

import numpy as np
from scipy.special import expit

from nbcore.naive_bayes import BernoulliNB
from workbook.explorer.formatting import say, signed
from workbook.questions.exercises import Exercise, Mistake
from workbook.questions.predictions import Prediction
from workbook.questions.trial import AnswerError
from workbook.questions.variants import in_words, parameters, percent, plain

from .experiment import (
    COPIED,
    FEATURES,
    SEEDS,
    SIZES,
    TABLES,
    learning_curve,
    letter_features,
    logistic_line,
    naive_line,
    name_pair,
    names_for,
    only_endings,
    scores,
    useless_lead,
)

__all__ = ["CONTENTS"]

P, Q = 0.4, 0.1  # P(feature | female), P(feature | male)
BOTH = "Naive Bayes and logistic regression guess the sex of names by 52 bits: letters, last letter."
EIGHT_TIMES = "The bit “contains a” is put into the table eight times."


def bit_of(p: float, q: float) -> str:
    """Describe a bit by how often it is 1 in either class."""
    return f"bit is 1 in {percent(p)} of female names and in {percent(q)} of male ones."


def lead(n: int) -> float:
    """Return how much more of the test names logistic regression gets right at n training names, mean of the splits."""
    return float(learning_curve().lead[0][SIZES.index(n)])


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


def share_of_a_copy() -> float:
    """Weight of one of eight copies in logistic regression, over the weight of the feature alone."""
    one, eight = (name_pair(1000, copies).logistic.weights for copies in (1, 8))
    return float(eight[len(FEATURES)] / one[COPIED])


def calibration_gap() -> float:
    """Calibration error of logistic regression minus that of naive Bayes, 100 training names."""
    errors = [[diagram.ece() for diagram in name_pair(100, seed=seed).reliability] for seed in range(SEEDS)]
    bayes, logistic = np.mean(errors, axis=0)
    return float(logistic - bayes)


def errors_by_two_bits() -> float:
    """Rows of the table of twenty that logistic regression gets wrong, minus those of naive Bayes."""
    counts = TABLES["twenty rows"]
    return float(scores(counts, logistic_line(counts)).errors - scores(counts, naive_line(counts)).errors)


def lead_with_coins() -> float:
    """Lead of logistic regression with the usual penalty and 50 coins, 100 names."""
    return float(useless_lead(50, "usual")[0][SIZES.index(100)])


def gain_by_half() -> float:
    """Return what naive Bayes gains at 100 names when only the 26 endings are left, as one column."""
    whole, half = only_endings()["naive Bayes"]
    return float(np.mean(half - whole))


def ending_unread() -> float:
    """Dropped without learning anew minus learned anew without it: share of 1,000 test names right, 2,000 names."""
    X, y = letter_features()
    learn, test = names_for(seed=0)
    model = BernoulliNB().fit(X[learn], y[learn])
    (ones, zeros), kept = (np.diff(part, axis=0)[0] for part in bit_logs(model)), X[test][:, :26]
    dropped = (kept * ones[:26] + (1 - kept) * zeros[:26]).sum(axis=1) > 0
    anew = BernoulliNB().fit(X[learn][:, :26], y[learn]).predict(kept)
    return float(np.mean(dropped == y[test]) - np.mean(anew == y[test]))


def bit_logs(model):
    """log P(bit = 1 | c) and log P(bit = 0 | c), (classes, bits) each."""
    return model.feature_log_prob_, np.log1p(-np.exp(model.feature_log_prob_))


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
    """Return the sum of log P(c | x) by P = 1 / (1 + exp(-z)): a slip."""
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        p = 1 / (1 + np.exp(-z))
        return float(np.log(np.where(y == 1, p, 1 - p)).sum())


def by_product(z, y) -> float:
    """Return the sum of y log P + (1 - y) log(1 - P) as it is written: at z = 800 it multiplies 0 by minus infinity."""
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        p = 1 / (1 + np.exp(-z))
        return float((y * np.log(p) + (1 - y) * np.log(1 - p)).sum())


def by_quotient(z, y) -> float:
    """Return the sum of y log P + (1 - y) log(1 - P), P = exp(z) / (1 + exp(z)): at z = 800 that is inf / inf."""
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        p = np.exp(z) / (1 + np.exp(z))
        return float((y * np.log(p) + (1 - y) * np.log(1 - p)).sum())


def clipped(least):
    """Make the slip of keeping P between `least` and 1 - `least`."""

    def function(z, y):
        p = np.clip(expit(z), least, 1 - least)
        return float((y * np.log(p) + (1 - y) * np.log(1 - p)).sum())

    return function


LEAVES = "At z = 800, P rounds to 1 and 1 − P to 0. Can you get log P from z without P? Look at np.logaddexp(0, ...)."
SPOILED = {  # what the ways through P come to at z = 800
    by_probability: "log(0) is minus infinity, and so is −log(1 + exp(800)): you leave the logarithms and come back.",
    by_product: "0 times minus infinity is nan, and it spoils the whole sum.",
    by_quotient: "exp(800) is too large for the machine, and inf / inf is nan.",
}
EPS = float(np.finfo(float).eps)
CLIPPED = {f"1e-{k}": 10.0**-k for k in (6, 7, 8, 9, 10, 12, 15, 16)}  # how far people keep P from 0 and 1
CLIPPED["2.2e-16 (log_loss does so)"] = EPS


def hint_for_clipping(least: str) -> str:
    return (
        f"You keep P {least} away from 0 and 1: at z = 800 and y = 0 you stop far above −800. Get it from z without P: "
        "np.logaddexp(0, ...)."
    )


def likelihood_of_cases(function) -> list[float]:
    """A learner's function on log odds near and far."""
    with np.errstate(all="ignore"):  # a learner's overflow is a slip to be told, not a warning
        try:
            return [function(np.array(z), np.array(y)) for z, y in CASES]
        except AnswerError as problem:
            if "OverflowError" in str(problem):
                raise AnswerError(f"{problem}. exp(800) is too large for the machine. {LEAVES}") from None
            raise


RECODED = ("Anna", "Bo", "Otto", "Zoe", "Isabella", "Max", "Hannah")


def recode(name) -> list[int]:
    """The last letter as a number, and which letters stand before it."""
    small = name.lower()
    return [ascii_lowercase.index(small[-1]), *(int(c in small[:-1]) for c in ascii_lowercase)]


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


@parameters(total=(2.2, 3.0, 1.8, 2.4), n=(4, 3, 5, 6))
def penalty(total, n):
    copies = in_words(n)
    return Exercise(
        "10/penalty",
        task=f"A penalty adds up the squares of all weights. A feature needs the total weight {total}, and there are "
        f"{copies} copies of it. What is the smallest sum of squares that gives this total?",
        expected=n * (total / n) ** 2,
        mistakes=(
            Mistake(total**2, "That is one copy with all the weight. Can you spend less?"),
            Mistake(n * total**2, f"Then each copy has the full weight, and the total is {copies} times too large."),
            Mistake(total / n, "That is the weight of one copy. Square it, and add up the copies."),
            Mistake((total / n) ** 2, f"That is one copy's share. There are {copies}."),
        ),
        help=f"Share {total} among {copies} weights, in a few ways, and add up the {copies} squares each time.",
        well_done="A quarter of the penalty of one feature alone. So copies also make a penalty weaker, by as many "
        "times as there are copies.",
        solution=f"answer = {n} * ({total} / {n}) ** 2",
        variant_texts=dict(well_done=f"With {n} copies the penalty is 1/{n} of that of one feature alone."),
    )


@parameters(p=OF_FEMALE, q=OF_MALE, said=(-0.6, -1.2, 0.8, 0.5))
def unread(p, q, said):
    one, zero = log(p / q), log((1 - p) / (1 - q))
    without = said - zero
    return Exercise(
        "10/unread",
        task=f"A {bit_of(p, q)} In a name it is 0, and naive Bayes has log odds of {signed(said, 1)} for female "
        "(natural logarithm). Now somebody says that the bit was never read: nobody knows whether it is 0 or 1. What "
        "are the log odds without it?",
        expected=without,
        mistakes=(
            Mistake(said, "As if a 0 said nothing. In Bernoulli naive Bayes it does: look at its two shares."),
            Mistake(said + zero, "You added once more what the 0 had said. Take it away."),
            Mistake(said - one, "You took away what a 1 would say. The bit was put in as a 0."),
            Mistake(said + one - zero, "Those are the log odds with a 1. The bit is not 1, it is unknown."),
            Mistake(-without, "The sign: those are the log odds of male."),
            Mistake(zero, f"That is what the 0 brought. What is left of {signed(said, 1)} without it?"),
            Mistake(expit(without), "That is the probability. Asked are log odds."),
        ),
        help="Which factor did the 0 put into the product of either class? Divide it out: in log odds, subtract.",
        well_done=f"A 0 is evidence, here {say(-zero, 1)} in log odds; a gap is none, unless what stood there made the "
        "gap. Of one telling bit you would notice a 0 filled in.",
        solution=f"from math import log\n\nanswer = {said} - log({1 - p:g} / {1 - q:g})",
        variant_texts=dict(well_done="A 0 is evidence; a gap is none, unless what stood there made the gap."),
    )


CONTENTS = [
    weight,
    Prediction(
        "10/errors",
        question="Two bits and a class, twenty rows. Class 0: fourteen rows (1, 1) and one (0, 0). Class 1: two rows "
        "(1, 1), one each of (0, 0), (0, 1) and (1, 0). Take these shares for the whole world: nothing is left to "
        "chance. Which of the two gets fewer of the twenty wrong? (No penalty, no smoothing.)",
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
    Exercise(
        "10/log-likelihood",
        task="Write log_likelihood(z, y): z are log odds of class 1, y the true classes, 0 or 1. Return the sum of "
        "log P(c | x) over the rows, what logistic regression maximises. It must be right even at z = ±800.",
        expected=log_likelihood,
        evaluate=likelihood_of_cases,
        returns="one number, summed over the rows",
        help="What does one row add, with z = 2 and y = 0? Compare by hand. Then try z = 800.",
        mistakes=(
            *(Mistake(slip, f"{what} {LEAVES}") for slip, what in SPOILED.items()),
            *(Mistake(clipped(least), hint_for_clipping(told)) for told, least in CLIPPED.items()),
            Mistake(
                lambda z, y: float(-np.logaddexp(0, -z).sum()),
                "You took log P(1 | x) for every row. Where y is 0 it is the other class that counts.",
            ),
            Mistake(lambda z, y: log_likelihood(z, y) / len(z), "That is the mean. The sum was asked for."),
            Mistake(
                lambda z, y: -log_likelihood(z, y),
                "That is the loss, which is minimised. A log probability is never positive.",
            ),
        ),
        well_done="Logistic regression is this function: move the weights until it is as high as it gets.",
        solution="import numpy as np\n\n\ndef log_likelihood(z, y):\n"
        "    return -np.logaddexp(0, np.where(y == 1, -z, z)).sum()\n\n\nanswer = log_likelihood",
    ),
    Prediction(
        "10/small",
        context=BOTH,
        question=f"Both models learn from {SIZES[3]} names. Which one gets more of 1,000 unseen names right? (Logistic "
        "regression almost without a penalty; mean of ten splits.)",
        options={
            "naive Bayes, by some points": lambda d: d < -0.01,
            "about the same": lambda d: abs(d) <= 0.01,
            "logistic regression, by some points": lambda d: d > 0.01,
        },
        truth=lambda: lead(100),
        reason=lambda d: (
            f"Logistic regression is {-100 * d:.1f} points behind. With {SIZES[3]} names and {len(FEATURES)} features "
            f"it can bend {len(FEATURES) + 1} numbers until nearly every training name fits. Naive Bayes counts every "
            "feature by itself, which needs few names."
        ),
    ),
    Prediction(
        "10/large",
        context=BOTH,
        question=f"Now both learn from {SIZES[-1]:,} names. Which one is better?",
        options={
            "naive Bayes": lambda d: d < -0.003,
            "about the same": lambda d: abs(d) <= 0.003,
            "logistic regression, by about one point": lambda d: 0.003 < d < 0.03,
            "logistic regression, by ten points": lambda d: d >= 0.03,
        },
        truth=lambda: lead(SIZES[-1]),
        reason=lambda d: (
            f"Logistic regression is {100 * d:.1f} points ahead. Naive Bayes takes the letters for "
            "independent, which they are not."
        ),
    ),
    Prediction(
        "10/useless",
        context=BOTH,
        question="100 names, and logistic regression with its usual penalty. Now every name gets 50 more bits, and "
        "each of them is a coin that somebody tossed. Which model gets more unseen names right?",
        options={
            "naive Bayes, by some points": lambda d: d < -0.01,
            "about the same": lambda d: abs(d) <= 0.01,
            "logistic regression, by some points": lambda d: d > 0.01,
        },
        truth=lead_with_coins,
        reason=lambda d: (
            f"By {-100 * d:.1f} points. Both have fallen: to either, a coin seems to tell something by accident. "
            "But the penalty is on the weights. A coin, half ones and half zeros, moves many names with a small "
            "weight; an ending that few names have needs a large one. So the penalty hushes the endings and lets the "
            "coins speak."
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
    Prediction(
        "10/share",
        context=EIGHT_TIMES,
        question="And logistic regression? The bit alone had the weight w. What weight does each of its eight copies "
        "get? Give it as a share of w.",
        truth=share_of_a_copy,
        within=0.05,
        reason=lambda s: (
            f"{say(s)} of w, one eighth. Only the sum of the eight weights matters for a prediction, and the sum "
            "stays. The penalty, however weak, prefers to spread it."
        ),
    ),
    repeated_bit,
    penalty,
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
            f"The error of logistic regression is larger by {say(d)}. It is fitted for the probabilities "
            "of the training names, and can make them all nearly 0 or 1. On unseen names that is over-confidence."
        ),
    ),
    Prediction(
        "10/half",
        context=BOTH,
        question="Back to 100 names and naive Bayes. You throw away half of the features: the 26 bits “contains”. Only "
        "the last letter is left, as one variable with 26 values. What becomes of the share of unseen names that are "
        "right? (Mean of 100 splits; a tie counts half.)",
        options={
            "it falls by half a point or more": lambda d: d < -0.005,
            "it stays within half a point": lambda d: abs(d) <= 0.005,
            "it rises by half a point or more": lambda d: d > 0.005,
        },
        truth=gain_by_half,
        reason=lambda d: (
            f"{signed(100 * d, 1)} points. With 100 names the 26 bits “contains” bring more accidents than evidence, "
            "and naive Bayes cannot lower its voice: whatever a feature seems to say is counted in full."
        ),
    ),
    Exercise(
        "10/recoded",
        task="Write recoded(name): the features of one name as a list of 27 whole numbers. First the place of its last "
        "letter in the alphabet, a = 0 to z = 25. Then for a, b, …, z: 1 if this letter stands somewhere before the "
        "last letter, else 0. Capitals count as small letters.",
        expected=recode,
        evaluate=lambda function: [function(name) for name in RECODED],
        returns="a list of 27 whole numbers",
        help="Take Anna. Its last letter is an a, and before it stand A, n and n. How many of the 26 are 1?",
        mistakes=(
            Mistake(
                lambda name: [recode(name)[0], *(int(c in name.lower()) for c in ascii_lowercase)],
                "You still look at the whole name: the last letter is counted in both places. Leave it out of the 26.",
            ),
            Mistake(
                lambda name: [ascii_lowercase.index(name[-1].lower()), *(int(c in name[:-1]) for c in ascii_lowercase)],
                "Anna begins with an a as well: make the letters small first.",
            ),
            Mistake(
                lambda name: [recode(name)[0], *(name[:-1].lower().count(c) for c in ascii_lowercase)],
                "You count how often. Asked is whether the letter is there: 1 or 0.",
            ),
            Mistake(
                lambda name: [ascii_lowercase.index(name[0].lower()), *(int(c in name[1:].lower())
                                                                         for c in ascii_lowercase)],
                "You took the first letter. The last one is name[-1].",
            ),
            Mistake(
                lambda name: [recode(name)[0], *(int(c in name.lower() and c != name[-1].lower())
                                                 for c in ascii_lowercase)],
                "You leave out the last letter wherever it stands. Anna has an a before the last place as well.",
            ),
            Mistake(
                lambda name: [recode(name)[0], *(int(c in name[1:].lower()) for c in ascii_lowercase)],
                "name[1:] leaves out the first letter. What stands before the last one is name[:-1].",
            ),
            Mistake(
                lambda name: [recode(name)[0] + ord("a"), *recode(name)[1:]],
                "ord gives 97 for an a: its place is 0 here.",
            ),
            Mistake(
                lambda name: [recode(name)[0] + 1, *recode(name)[1:]],
                "The place of an a is 0.",
            ),
        ),
        well_done="One variable for what is one thing, and no letter counted twice. What a table looks like is part "
        "of the model.",
        solution="from string import ascii_lowercase\n\n\ndef recoded(name):\n    small = name.lower()\n"
        "    last = ascii_lowercase.index(small[-1])\n"
        "    return [last, *(int(c in small[:-1]) for c in ascii_lowercase)]\n\n\nanswer = recoded",
    ),
    Prediction(
        "10/gap",
        question="The last letter of every new name is smudged: none of the 26 bits “ends in” can be read. You leave "
        "their factors out of naive Bayes, and learn nothing anew. Compare it with a naive Bayes that has learned from "
        "the other 26 bits only, on the same 2,000 names. Which gets more of the smudged names right?",
        options={
            "the one that learned without them": lambda d: d < 0,
            "neither: they decide alike": lambda d: d == 0,
            "the one that leaves them out": lambda d: d > 0,
        },
        truth=ending_unread,
        reason=lambda d: (
            "It is the same model. Each factor was counted by itself, so that taking some away leaves the others "
            "as they would have been."
        ),
    ),
    unread,
]

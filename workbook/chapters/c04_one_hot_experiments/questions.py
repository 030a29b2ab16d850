"""Predictions and exercises of chapter 04, one-hot experiments. Every expected value is computed, none is typed."""

from __future__ import annotations

from fractions import Fraction
from math import inf, log, sqrt

import numpy as np

from nbcore.one_hot import clustered_rate, f_factor
from workbook.explorer.formatting import say
from workbook.ledger.intervals import Z
from workbook.questions.exercises import Exercise, Mistake
from workbook.questions.predictions import Prediction
from workbook.questions.variants import in_code, parameters, share

from .experiment import RANDOM, SIZES, compare_models, many_rates, two_class_ratios

__all__ = ["CONTENTS"]

ONE = "A random classifier: four classes, one variable with three values."
FAVOUR = 3  # to one: the prior odds of class c in "04/rho"


def lost_minus_gained() -> float:
    """Return the share of all cases that class c, favoured by the prior, loses, minus the share that it gains."""
    (x, y), line = two_class_ratios(1.0, 3), -log(FAVOUR)
    return float(np.mean((x > line) & (y <= line)) - np.mean((x <= line) & (y > line)))


def narrower() -> float:
    """Return the width of the interval from 100 classifiers over that from 10,000."""
    few, many = (many_rates(3, 1.0, n_classifiers=n).disagreement[1] for n in (100, 10_000))
    return few / many


def percent(variables: int) -> str:
    """Return how often weak bits decide otherwise, with so many variables."""
    return f"{say(100 * compare_models(10.0, RANDOM).at(variables)[0], 2)} %"


@parameters(prior=(Fraction(3, 4), Fraction(2, 3), Fraction(3, 5), Fraction(2, 5)),
            A=((0.2, 0.4, 0.4), (0.3, 0.5, 0.2), (0.1, 0.6, 0.3)),
            B=((0.6, 0.3, 0.1), (0.5, 0.1, 0.4), (0.7, 0.2, 0.1)))  # fmt: skip
def pob_posterior(prior, A, B):
    theta, priors, even = np.array([A, B]), np.array([prior, 1 - prior], dtype=float), np.array([0.5, 0.5])

    def b(joint):
        """P(B) from both numerators."""
        return float(joint[1] / joint.sum())

    numerators = priors * f_factor(theta)[:, 0]
    right = b(numerators)
    return Exercise(
        "04/pob-posterior",
        help="The prior and three bits: four factors in each class. Then divide by the sum over the classes.",
        task=f"Two classes with priors P(A) = {prior} and P(B) = {1 - prior}. A variable has three values, with "
        f"probabilities {A} in A and {B} in B. You see the first value, encoded as the bits 1, 0, 0. What is "
        "P(B | bits) if the bits count as independent?",
        expected=right,
        mistakes=(
            Mistake(b(priors * theta[:, 0]), "That is the categorical model's answer. The two bits that are 0 want "
                    "their factors too."),
            Mistake(b(even * f_factor(theta)[:, 0]), "The likelihoods are right. Where did the prior go?"),
            Mistake(b(numerators * (1 - theta[:, 0])), "You multiplied by 1 − theta_j for the bit that is 1 as well. "
                    "Only the other K − 1 bits are 0."),
            *(Mistake(b(numerators / (1 - theta[:, v])), f"One factor is missing: the {name} bit is 0 too, and that "
                      "has a probability in each class.") for v, name in ((1, "second"), (2, "third"))),
            Mistake(1 - right, "That is P(A | bits)."),
            Mistake(b(even * theta[:, 0]), "You have the bit that is 1, and nothing else. Each class brings its prior "
                    "and two zeros as well."),
            Mistake(right / (1 - right), "Those are the odds of B against A. Turn them into a probability."),
            Mistake(100 * right, "In percent, yes. The task asks for a probability."),
            Mistake(priors[1] * np.prod(1 - theta[1, 1:]), "That is the prior of B times its two zeros. The bit that "
                    "is 1 wants its factor, and both classes are to be compared."),
            Mistake(numerators[1], "That is prior times likelihood of B. Divide by the sum over both classes."),
        ),
        well_done="As a category the value leaves you undecided, half and half. As bits it decides for B.",
        solution=f"A = {in_code(prior)} * {A[0]} * (1 - {A[1]}) * (1 - {A[2]})\n"
        f"B = {in_code(1 - prior)} * {B[0]} * (1 - {B[1]}) * (1 - {B[2]})\nanswer = B / (A + B)",
        variant_texts=dict(well_done="A bit that is 0 speaks too, in either class."),
    )  # fmt: skip


@parameters(surer=((4, 4, 1, 3, 3), (4, 2, 1, 4, 3), (0, 3, 4, 4, 2), (1, 2, 2, 4, 4), (3, 3, 4, 1, 2),
                   (2, 4, 3, 4, 4)))  # fmt: skip
def clustered_error(surer):
    shares = np.array(surer) / 4
    rate, sd = shares.mean(), shares.std(ddof=1)
    error = clustered_rate(np.arange(4) < np.array(surer)[:, None])[1]
    return Exercise(
        "04/clustered-error",
        help="First one share for each classifier. Then the standard error of the mean of these five numbers.",
        task=f"Five random classifiers, K = 4 values each. The bits are surer at {', '.join(map(str, surer[:4]))} "
        f"and {surer[4]} of the four values. The rate is {sum(surer)} of 20. What is its standard error, as a share? "
        "(The classifiers are independent; the four answers of one classifier are not. Use n − 1 in the standard "
        "deviation.)",
        expected=error,
        mistakes=(
            Mistake(sqrt(rate * (1 - rate) / 20), "You took n K = 20 independent draws. Only the five classifiers were "
                    "drawn independently."),
            Mistake(sqrt(rate * (1 - rate) / 5), "Five draws, rightly. But each of them is a share, not a yes or no: "
                    "take the standard deviation of the five shares."),
            Mistake(4 * error, "That is the error of a count out of four. The rate is a share."),
            Mistake(sd, "That is how far one classifier's share spreads. You have the mean of five."),
            Mistake(shares.std() / sqrt(5), "Nearly. With five numbers and their own mean, divide the sum of squares "
                    "by n − 1."),
            Mistake(rate, "That is the rate itself."),
            Mistake(100 * error, "In percentage points, yes. The task asks for a share."),
            Mistake(Z * error, f"That is half of a 95 % interval. The standard error is what you multiplied by "
                    f"{Z:.2f}."),
            Mistake(sd / 2, "n − 1 belongs in the standard deviation, where you had it already. The mean is of n "
                    "numbers."),
        ),
        well_done="One share per classifier, then the plain standard error of a mean. The draws are what is "
        "independent, not the answers.",
        solution=f"import numpy as np\n\nshares = np.array({list(surer)}) / 4\n"
        "answer = shares.std(ddof=1) / np.sqrt(5)",
    )  # fmt: skip


@parameters(c=(0.3, 0.2, 0.4), d=(0.5, 0.6, 0.45, 0.7))
def flip(c, d):
    border = d**2 / (c**2 + d**2)
    return Exercise(
        "04/flip",
        help="At the border both classes tie: prior times likelihood, as the bits see it, is the same for c and d.",
        task=f"K = 2. The value seen has probability {c} in class c and {d} in class d. The categorical model decides "
        f"for c if its prior is above {d / (c + d):.3g}. Above which prior of c do the bits decide for c?",
        expected=border,
        mistakes=(
            Mistake(d / (c + d), "That is the categorical model's border. With two values, what becomes of the ratio "
                    "of the likelihoods?"),
            Mistake((d / c) ** 2, "Those are the prior odds, c to d. Turn them into a probability."),
            Mistake((c / d) ** 2, "That is the ratio of the likelihoods, c to d. At the border the prior odds make up "
                    "for it: turn those into a probability."),
            Mistake((d / (c + d)) ** 2, "You squared the border. It is the likelihoods that get squared."),
            Mistake(1 - border, "That is the prior of d. Or did you turn the ratio upside down?"),
        ),
        well_done="Between the two borders the models decide differently: c is the right decision, and the bits say d.",
        solution=f"c, d = {c} ** 2, {d} ** 2  # K = 2 squares the likelihoods\nanswer = d / (c + d)",
    )


@parameters(prior=(Fraction(1, 5), Fraction(1, 4), Fraction(1, 3), Fraction(2, 5)), said=(0.95, 0.9, 0.99, 0.8))
def undo(prior, said):
    before, after = float(prior / (1 - prior)), said / (1 - said)
    evidence = after / before
    right = share(before * sqrt(evidence))
    return Exercise(
        "04/undo",
        help="Write the bits' odds as prior odds times evidence. What did the bits do to the evidence of a variable of "
        "two values, and to the prior?",
        task=f"Two classes with P(A) = {prior}, and a table in which every variable has two values. Naive Bayes on all "
        f"the one-hot bits says P(A | x) = {said}. What does the categorical model say, with the same thetas?",
        expected=right,
        mistakes=(
            Mistake(said / 2, "You halved the probability. What is counted twice is the evidence."),
            Mistake(share(sqrt(after)), "You halved the log odds as a whole. The prior is in them, and it was counted "
                    "once."),
            Mistake(share(sqrt(evidence)), "The evidence is undone. Now the prior has to come back in."),
            Mistake(share(before * evidence ** (2 / 3)), "Divided by K / (K − 1) for K = 3. How many values has a "
                    "variable here?"),
            Mistake(share(after / 2), "You halved the odds. It is the log odds of the evidence that the bits double."),
            Mistake(share(before * sqrt(after)), f"The prior was in the {said} already. Take it out before you halve "
                    "the evidence."),
            Mistake(before * sqrt(evidence), "Those are the odds. Turn them into a probability."),
            Mistake(1 - right, "That is the other class."),
        ),
        well_done="Half of the evidence and the whole prior: where all variables have two values, that undoes the bits "
        "exactly.",
        solution=f"prior, said = {in_code(prior / (1 - prior))}, {after:.6g}  # odds\nevidence = said / prior\n"
        "odds = prior * evidence ** (1 / 2)\nanswer = odds / (1 + odds)",
    )  # fmt: skip


CONTENTS = [
    Prediction(
        "04/equal-priors",
        context=ONE,
        question="With random priors the bits' largest posterior is above the category's in three quarters of the "
        "cases. Now all four classes are equally probable beforehand. In how many cases is it above?",
        options={
            "in about half of them": lambda rate: rate < 0.6,
            "in about three quarters, as before": lambda rate: 0.6 <= rate < 0.9,
            "in nearly all": lambda rate: rate >= 0.9,
        },
        truth=lambda: many_rates(3, 1.0, inf).more_confident[0],
        reason=lambda rate: (
            f"In {say(100 * rate)} of 100. The bits exaggerate evidence nearly always. Where a prior speaks against "
            "it, more evidence can make the winner less sure. Equal priors speak against nothing."
        ),
    ),
    pob_posterior,
    Prediction(
        "04/narrower",
        question="A rate from 100 random classifiers comes with a 95 % interval. You take 10,000 instead. How much "
        "narrower does the interval get?",
        options={
            "about 2 times": lambda r: r < 5,
            "about 10 times": lambda r: 5 <= r < 30,
            "about 100 times": lambda r: r >= 30,
        },
        truth=narrower,
        reason=lambda r: (
            "The standard error falls with the square root of the number of independent draws: a hundred times the "
            f"work, a tenth of the width. In our two runs the widths differ by a factor of {say(r)}."
        ),
    ),
    clustered_error,
    Prediction(
        "04/rho",
        context=ONE.replace("four", "two"),
        question=f"Two classes; the prior favours c, by {FAVOUR} to 1. Compare the decisions of the two models. What "
        "do the bits do to class c?",
        options={
            "it gains wins: the favourite gets stronger": lambda d: d < -0.02,
            "neither: as many gained as lost": lambda d: -0.02 <= d <= 0.02,
            "it loses wins": lambda d: d > 0.02,
        },
        truth=lost_minus_gained,
        reason=lambda d: (
            f"On balance c loses {say(100 * d)} % of all cases. The prior is counted once, the evidence more than "
            "once. Evidence against c that was too mild to overcome the prior now overcomes it."
        ),
    ),
    flip,
    Prediction(
        "04/weak",
        context=ONE,
        question="Random priors, weak variables: all θ near one third, alpha = 10. You take one of them, then more and "
        "more, up to sixty-four. How often do the bits decide otherwise than the category?",
        options={
            "less and less often": lambda F: F == SIZES[0],
            "it rises, then it falls again": lambda F: SIZES[0] < F < SIZES[-1],
            "more and more often: weak evidence, and ever more of it": lambda F: F == SIZES[-1],
        },
        truth=lambda: SIZES[int(compare_models(10.0, RANDOM).changed.argmax())],
        reason=lambda F: (
            f"With one {percent(1)}, at the top {percent(F)}, with sixty-four {percent(64)}. Sixty-four together are "
            "strong evidence, and to exaggerate that changes few decisions. With equal priors it rises and falls, too: "
            "that a prior is seldom overruled by one weak variable is not the whole story."
        ),
    ),
    undo,
]

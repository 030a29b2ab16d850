"""Predictions and exercises of chapter 04, one-hot experiments. Every expected value is computed, none is typed."""

from __future__ import annotations

from fractions import Fraction
from math import exp, log, sqrt

import numpy as np

from nbcore.datasets import load_titanic
from nbcore.one_hot import (
    clustered_rate,
    dirichlet_experiment,
    f_factor,
)
from workbook.explorer.formatting import say
from workbook.ledger.intervals import Z
from workbook.questions.exercises import Exercise, Mistake
from workbook.questions.predictions import Prediction
from workbook.questions.variants import in_code, in_words, parameters, share

from .experiment import (
    NEAR,
    RANDOM,
    SIZES,
    held_out_scores,
    many_rates,
    on_slope_two,
    played,
    two_class_ratios,
)

__all__ = ["CONTENTS"]



def log_odds(log_joint) -> float:
    """Log odds of the most probable class, without a posterior that rounds to 1."""
    *others, top = np.sort(log_joint)
    return float(top - others[-1] - np.log(np.exp(np.array(others) - others[-1]).sum()))


def rounded_log_odds(log_joint) -> float:
    """The same by way of the posterior."""
    p = np.exp(log_joint - np.max(log_joint))
    top = (p / p.sum()).max()
    return float(np.log(top / (1 - top))) if top < 1 else np.inf


def log_odds_of_posterior(log_joint) -> float:
    """As one writes it down: exp, divide, the largest, its log odds."""
    p = np.exp(log_joint) / np.exp(log_joint).sum()
    return float(np.log(p.max() / (1 - p.max())))


def log_odds_of_difference(log_joint) -> float:
    """The others as the sum of all less the largest, which is 0 where that one has nearly all."""
    return float(np.max(log_joint) - np.log(np.exp(log_joint).sum() - np.exp(np.max(log_joint))))


def underflowing_log_odds(log_joint) -> float:
    """The same by way of exp(log_joint), which can round to 0."""
    return float(np.max(log_joint) - np.log(np.exp(np.sort(log_joint)[:-1]).sum()))


JOINTS = [[-2.0, -1.0], [-3.0, -4.0, -4.5], [-95.0, -1.0, -90.0], [-801.0, -801.0, -900.0, -800.0]]


def odds_of_cases(function) -> list[float]:
    """A learner's function where posteriors round to 1 and where they do not."""
    return [function(np.array(case)) for case in JOINTS]


def lost_minus_gained() -> float:
    """log rho = -1: share of all cases that c loses, minus the share that it gains."""
    x, y = two_class_ratios(1.0, 3, n=2000)
    return float(np.mean((x > -1) & (y <= -1)) - np.mean((x <= -1) & (y > -1)))


def narrower() -> float:
    """Width of the interval from 100 classifiers over that from 10,000."""
    few, many = (many_rates(3, 1.0, n_classifiers=n).more_confident[1] for n in (100, 10_000))
    return few / many


def decisions(model: str) -> np.ndarray:
    """Of 20,000 random classifiers, one variable of three values: for each the probability that `model` is right."""
    e = dirichlet_experiment(20_000, 4, 3, 1.0, rng=0)
    chosen = getattr(e, model).argmax(axis=1, keepdims=True)
    return np.take_along_axis(e.prior[:, :, None] * e.theta, chosen, axis=1).sum(axis=(1, 2))


def cost() -> float:
    """Right answers in a hundred that the bits lose against the categorical model."""
    return float(100 * (decisions("categorical") - decisions("bernoullis")).mean())


def where_they_differ() -> tuple[float, float]:
    """Right answers in a hundred cases that the models decide differently: the categorical model, the bits."""
    e = dirichlet_experiment(20_000, 4, 3, 1.0, rng=0)
    joint = e.prior[:, :, None] * e.theta
    cases = (joint.sum(axis=1) * e.disagrees).sum()
    models = (p.argmax(axis=1, keepdims=True) for p in (e.categorical, e.bernoullis))
    right = (np.take_along_axis(joint, chosen, axis=1)[:, 0] for chosen in models)
    exact, bits = (float(100 * (r * e.disagrees).sum() / cases) for r in right)
    return exact, bits


def percent(at: int) -> str:
    """How often weak bits decide otherwise, by the place in SIZES."""
    return f"{say(100 * played(10.0, RANDOM).changed[at], 2)} %"


def block(X) -> float:
    """1 if the columns are a complete one-hot block."""
    X = np.asarray(X)
    return float(np.isin(X, (0, 1)).all() and (X.sum(axis=1) == 1).all())


TWICE = "one variable with three values. Show it a value, once as a category and once as three bits."
BLOCKS = [
    [[1, 0, 0], [0, 0, 1], [0, 1, 0]],
    [[1, 0, 0], [0, 0, 0], [0, 1, 0]],
    [[1, 1, 0], [0, 0, 0], [0, 1, 0]],
    [[0.5, 0.5, 0], [0, 0, 1], [1, 0, 0]],
    [[2, -1, 0], [0, 1, 0], [1, 0, 0]],
    [[1, 0, 1], [0, 1, 0], [0, 0, 1]],
    [[1, 0, 0], [1, 0, 0], [0, 1, 0]],
    [[1, 0.5, -0.5], [0, 1, 0], [1, 0, 0]],
    [[1, 0.3, 0], [0, 1, 0]],
    [[1, 5, -2], [0, 1, 0], [0, 0, 1], [1, 0, 0]],
    [[1, 0], [0, 1], [0, 1]],
    [[0, 0, 1, 0], [1, 0, 0, 0]],
    [[0, 1, 0, 1], [0, 0, 1, 0]],
]


def block_answers(function) -> list[float]:
    """A learner's function on tables that tell the slips apart."""
    return [float(function(np.array(X))) for X in BLOCKS]


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
        task=f"Five random classifiers, K = 4 values each. PoB is the surer one at {', '.join(map(str, surer[:4]))} "
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


@parameters(n=(100, 200, 50, 400), error=(2.5, 2, 4, 3), half=(0.5, 0.25, 0.8))
def how_many(n, error, half):
    times = (Z * error / half) ** 2
    return Exercise(
        "04/how-many",
        help=f"How wide is the interval with {n}? By which factor must it shrink? Now recall the prediction of this "
        "section.",
        task=f"With {n} classifiers the standard error of a rate is {error} percentage points. How many classifiers do "
        f"you need for a 95 % interval of ± {half} points? ({Z:.2f} standard errors to either side.)",
        expected=n * times,
        mistakes=(
            Mistake(n * (error / half) ** 2, "That makes the standard error half a point. The "
                    f"interval reaches {Z:.2f} of them to either side.", f"That makes the standard error {half} "
                    f"points. The interval reaches {Z:.2f} of them to either side."),
            Mistake(n * (2 * error / half) ** 2, f"Nearly: you took 2 standard errors to either side. Take {Z:.2f}."),
            Mistake(n * Z * error / half, "You scaled in proportion. The error falls with the square root of the "
                    "number."),
            Mistake(times, f"That is how many times as many you need. The {error} points came from {n} classifiers "
                    "already."),
            Mistake(n * (Z * error) ** 2, f"That makes the interval ± 1 point. You have not used the {half} yet."),
            Mistake(4 * n * times, "That is for an interval half a point wide in all. It may reach half a point to "
                    "either side.", f"That is for an interval {half} points wide in all. It may reach so far to either "
                    "side."),
        ),
        well_done="A hundred classifiers give you the first digit. The next one costs about a hundred times as many.",
        solution=f"answer = {n} * (1.96 * {error} / {half}) ** 2",
        variant_texts=dict(
            well_done="The error falls with the square root: an interval half as wide costs four times as many.",
            help=f"How wide is the interval with {n}? By which factor must it shrink? And how does it shrink with n?",
        ),
    )  # fmt: skip


@parameters(K=(6, 4, 5, 8), c=(0.9, 0.8, 0.7), d=(0.1, 0.2, 0.3))
def slope_six(K, c, d):
    n, ratio = K - 1, log(c / d)
    others = (1 - c) / n, (1 - d) / n
    zero = log((1 - others[0]) / (1 - others[1]))
    slope = 1 + n * zero / ratio
    return Exercise(
        "04/slope-six",
        help="Write f of both classes as theta times five equal factors. Then take logarithms of both ratios.",
        task=f"K = {K}. In class c the value j has probability {c} and the other {in_words(n)} have "
        f"{others[0]:.3g} each; in class d it has {d} and the others {others[1]:.3g} each. What is the slope, "
        "log(f_jc / f_jd) divided by log(theta_jc / theta_jd)?",
        expected=slope,
        mistakes=(
            Mistake(1 + K * zero / ratio, "You used K zero bits. One bit is 1, so how many are 0?"),
            Mistake(1 + zero / ratio, "That is the factor of a single bit that is 0. How many of them are there?"),
            Mistake(1 + n * log(others[0] / others[1]) / ratio, "You took the probabilities of the other values. Their "
                    "bits are 0: what is the probability of that?"),
            Mistake(n * log(others[0] / others[1]), "Those are the other values' own log ratios. Their bits are 0, and "
                    "you need the slope of f."),
            Mistake(2 - slope, "The zeros came in with the wrong sign. In which class is each of them the more "
                    "probable?"),
            Mistake(slope - 1, "That is the share of the Q factors alone. f_j is theta_j times Q^-j."),
            Mistake(slope * ratio, "That is the log ratio of the f. Divide it by the log ratio of the thetas."),
            Mistake(exp(slope * ratio), "That is the ratio of the f itself. The slope compares logarithms."),
            Mistake(2, "That holds when one other value has nearly all the rest. Here "
                    f"{in_words(n)} share it equally."),
        ),
        well_done="The rest is spread out, so the zeros say less, and the point lies well below the line of slope 2.",
        solution=f"import numpy as np\n\ntheta = np.log({c} / {d})\n"
        f"zeros = {n} * np.log((1 - {others[0]:.6g}) / (1 - {others[1]:.6g}))\nanswer = (theta + zeros) / theta",
        variant_texts=dict(
            task=f"K = {K}. In class c the value j has probability {c} and the other {n} share the rest equally; in "
            f"class d it has {d} and the others share the rest equally, too. What is the slope, log(f_jc / f_jd) "
            "divided by log(theta_jc / theta_jd)?",
            help="Write f of both classes as theta times equal factors. Then take logarithms of both ratios.",
        ),
    )  # fmt: skip


@parameters(c=(0.3, 0.2, 0.4), d=(0.5, 0.6, 0.45, 0.7))
def flip(c, d):
    border = d**2 / (c**2 + d**2)
    return Exercise(
        "04/flip",
        help="At the border both classes tie: prior times likelihood, as the bits see it, is the same for c and d.",
        task=f"K = 2. The value seen has probability {c} in class c and {d} in class d. The categorical model decides "
        f"for c if its prior is above {d / (c + d):.3g}. Above which prior of c does the product of Bernoullis decide "
        "for c?",
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
        "04/surer",
        question=f"Draw a classifier at random: four classes, {TWICE} In how many of such cases "
        "is the largest posterior higher for the bits?",
        options={
            "in about half: the errors fall either way": lambda rate: rate < 0.6,
            "in about three quarters": lambda rate: 0.6 <= rate < 0.9,
            "nearly always: bits count the evidence more than once": lambda rate: rate >= 0.9,
        },
        truth=lambda: many_rates(3, 1.0).more_confident[0],
        reason=lambda rate: (
            f"Of 100,000 random classifiers it is {say(100 * rate)} %. The evidence is exaggerated nearly always. But "
            "the "
            "priors are drawn too, and where evidence and prior pull apart, more evidence makes the winner less sure. "
            f"With equal priors it is {say(100 * many_rates(3, 1.0, np.inf).more_confident[0])} %."
        ),
    ),
    pob_posterior,
    Exercise(
        "04/log-odds",
        help="Take the winner out, add up the others, and subtract two logarithms. Where a probability may round to 0, "
        "add before you leave the logarithms: look for logaddexp in numpy.",
        task="Write winner_log_odds(log_joint): log_joint is an array with log(prior × likelihood) of every class, and "
        "the function returns the log odds of the most probable class, log P(top) − log P(all others together). It "
        "must be right even where the posterior rounds to 1, or prior × likelihood to 0.",
        expected=log_odds,
        evaluate=odds_of_cases,
        returns="one number",
        mistakes=(
            Mistake(
                rounded_log_odds,
                "Right for moderate cases. But you went through the posterior: where it rounds to 1, all is lost.",
            ),
            Mistake(
                underflowing_log_odds,
                "The right formula. But exp of −800 rounds to 0, and its logarithm is lost: numpy has a sum that stays "
                "with logarithms.",
            ),
            Mistake(
                log_odds_of_posterior,
                "Right for moderate cases. But where the posterior rounds to 1 you divide by 0, and where exp gives 0 "
                "you divide 0 by 0. Do not turn the logarithms into probabilities at all.",
            ),
            Mistake(
                log_odds_of_difference,
                "The right quantity. But all less the largest is 0 where the largest has nearly all: add up the "
                "others themselves, and stay with logarithms.",
            ),
            Mistake(
                lambda joint: float(joint[0] - np.logaddexp.reduce(joint[1:])),
                "You took the first class for the winner. The winner may stand anywhere.",
            ),
            Mistake(
                lambda joint: float(joint[-1] - np.logaddexp.reduce(joint[:-1])),
                "You took the last class for the winner. Did you forget to sort?",
            ),
            Mistake(
                lambda joint: -log_odds(joint),
                "The sign is the other way round. The winner is more probable than the second: what sign follows?",
            ),
            Mistake(lambda joint: np.exp(log_odds(joint)), "Those are the odds. Leave them as a logarithm."),
            Mistake(
                lambda joint: float(np.max(joint)),
                "That is the largest log joint. A posterior compares it with the other classes.",
            ),
            Mistake(
                lambda joint: float(np.sort(joint)[-1] - np.sort(joint)[-2]),
                "You compared with the second class only. The odds are against all others together.",
            ),
            Mistake(
                lambda joint: float(np.max(joint) - np.logaddexp.reduce(joint)),
                "That is the log of the posterior, which rounds to 0 here. Leave the winner out of the sum.",
            ),
        ),
        well_done="A difference of logarithms never passes through 1. That is how the experiment decides who is surer.",
        solution="import numpy as np\n\n\ndef winner_log_odds(log_joint):\n    *others, top = np.sort(log_joint)\n"
        "    return top - np.logaddexp.reduce(others)\n\n\nanswer = winner_log_odds",
    ),
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
            "work, "
            f"a tenth of the width. In our two runs the widths differ by a factor of {say(r)}."
        ),
    ),
    clustered_error,
    how_many,
    Prediction(
        "04/slope-two",
        question="Sparse thetas, K = 3, alpha = 1/3. Take the points whose log θ ratio is beyond 2 or −2: about one in "
        f"six lies within {100 * NEAR:g} % of the line of slope 2. Now take K = 6 and alpha = 1/6. How many lie "
        "close to that line?",
        options={
            "about as many: the thetas are as sparse as before": lambda r: r > 0.7,
            "about half as many": lambda r: 0.3 < r <= 0.7,
            "far fewer": lambda r: r <= 0.3,
        },
        truth=lambda: on_slope_two(1 / 6, 6)[0] / on_slope_two(1 / 3, 3)[0],
        reason=lambda r: (
            f"{say(r)} times as many. Slope 2 needs one other value that holds nearly all the rest, in both classes. "
            "With "
            "K = 3 the rest has two places to go to, with K = 6 it has five."
        ),
    ),
    slope_six,
    Prediction(
        "04/rho",
        context=f"A random classifier: {TWICE}",
        question="Two classes; the prior favours c, by e to 1. Compare the decisions of the two "
        "models. What do the bits do to class c?",
        options={
            "it gains wins: the favourite gets stronger": lambda d: d < -0.02,
            "neither: as many gained as lost": lambda d: -0.02 <= d <= 0.02,
            "it loses wins": lambda d: d > 0.02,
        },
        truth=lost_minus_gained,
        reason=lambda d: (
            f"On balance c loses {say(100 * d)} % of all cases. The prior is counted once, the evidence more than "
            "once. So "
            "evidence against c, too mild to overcome the prior, now overcomes it."
        ),
    ),
    flip,
    Prediction(
        "04/cost",
        question="One variable, random thetas and priors. In about ten of a hundred cases the bits decide otherwise "
        "than the categorical model, and that one is the true model here. How many more right answers in a hundred "
        "does the categorical model give?",
        options={
            "about ten: where they differ, the bits are wrong": lambda lost: lost > 8,
            "about five": lambda lost: 3 < lost <= 8,
            "about one": lambda lost: lost <= 3,
        },
        truth=cost,
        reason=lambda lost: (
            f"Only {say(lost)} in a hundred. They differ where the two best classes are nearly equally probable. There "
            f"both are wrong often: the category is right in {where_they_differ()[0]:.0f} of a hundred such cases, the "
            f"bits in {where_they_differ()[1]:.0f}. That difference, times one case in ten, is one."
        ),
    ),
    Prediction(
        "04/gap",
        context=f"A random classifier: {TWICE}",
        question="One of four classes really produced the values; thetas with alpha = 1, as in section 1. On average "
        "the bits claim to be right more often than they are. With how many variables is this gap widest?",
        options={
            "with one: the category's gap is 0, and every variable adds certainty": lambda F: F == 1,
            "with two or three": lambda F: 2 <= F <= 3,
            "with as many as you have: the log odds' errors add up": lambda F: F > 3,
        },
        truth=lambda: SIZES[int(played(1.0, RANDOM).gap.argmax())],
        reason=lambda F: (
            f"At {F} the bits say {say(100 * max(played(1.0, RANDOM).gap))} points too much. The log odds go on to "
            "drift apart. But a probability ends at 1, and both models soon press against it: at sixteen variables "
            f"{say(100 * played(1.0, RANDOM).gap[SIZES.index(16)])} points are left."
        ),
    ),
    Prediction(
        "04/weak",
        context=f"A random classifier: {TWICE}",
        question="Weak variables: all thetas near one third, alpha = 10. You take one of them, then more and "
        "more, up to "
        "sixty-four. How often do the bits decide otherwise than the category?",
        options={
            "less and less often": lambda F: F == SIZES[0],
            "it rises, then it falls again": lambda F: SIZES[0] < F < SIZES[-1],
            "more and more often: weak evidence, and ever more of it": lambda F: F == SIZES[-1],
        },
        truth=lambda: SIZES[int(played(10.0, RANDOM).changed.argmax())],
        reason=lambda F: (
            f"With one {percent(0)}, at the top {percent(SIZES.index(F))}, with sixty-four {percent(-1)}. A weak "
            "variable alone seldom overrules the prior, whatever its bits make of it. Sixty-four together are strong "
            "evidence, and to exaggerate that changes few decisions."
        ),
    ),
    Prediction(
        "04/titanic",
        question="2,201 people aboard the Titanic: class, sex and age, and who survived. Who knows only the share of "
        "survivors has a log loss of 0.629 (lower is better). The categorical model brings it down to 0.520. What "
        "do the bits reach?",
        options={
            "about 0.52: hardly any decision changes": lambda loss: loss < 0.54,
            "about 0.57: half of the gain is lost": lambda loss: 0.54 <= loss < 0.595,
            "about 0.61: most of the gain is lost": lambda loss: loss >= 0.595,
        },
        truth=lambda: held_out_scores(load_titanic())["bits"][1],
        reason=lambda loss: (
            f"{say(loss)}. The decisions are the same for all but a few, and the accuracy as good. But the "
            "probabilities are far too extreme, and lose most of the gain again."
        ),
    ),
    undo,
    Exercise(
        "04/one-hot-block",
        help="Two conditions: one on every entry, one on every row.",
        task="Write is_one_hot(X): True if the columns of the table X are a complete one-hot block, that is, only "
        "zeros "
        "and ones, and exactly one 1 in every row.",
        expected=block,
        evaluate=block_answers,
        returns="one True or False",
        mistakes=(
            Mistake(
                lambda X: bool((X.sum(axis=1) == 1).all()),
                "A row can sum to 1 in other ways: 0.5 and 0.5, or 2 and −1. Look at the entries too.",
            ),
            Mistake(
                lambda X: bool(np.isin(X, (0, 1)).all() and (X.sum(axis=1) <= 1).all()),
                "At most one 1 also allows a row of zeros. The block must be complete.",
            ),
            Mistake(
                lambda X: bool(np.isin(X, (0, 1)).all() and X.sum() == len(X)),
                "The total is right, but two ones in one row can make up for none in another. Look row by row.",
            ),
            Mistake(
                lambda X: bool(X.sum() == len(X)),
                "The total can be right by accident: rows and entries may still be wrong. Look at each of them.",
            ),
            Mistake(
                lambda X: bool(((X == 1).sum(axis=1) == 1).all()),
                "Exactly one 1 in every row, yes. But what may the other entries be? You have not looked.",
            ),
            Mistake(
                lambda X: bool((X.max(axis=1) == 1).all() and (X.sum(axis=1) == 1).all()),
                "A 1 at the top and a sum of 1 leave room: 0.5 and −0.5 cancel. Look at every entry.",
            ),
            Mistake(
                lambda X: all(sorted(row) == [0, 0, 1] for row in X.tolist()),
                "That fits three columns only. A block may have any number of them.",
            ),
            Mistake(
                lambda X: bool(np.isin(X, (0, 1)).all()),
                "That finds tables of bits. What ties the bits of one variable together?",
            ),
            Mistake(
                lambda X: bool((X.sum(axis=0) == 1).all()),
                "You summed down the columns. Each row shows one value.",
            ),
        ),
        well_done="Which columns to try is the harder part: one_hot_groups searches for them.",
        solution="import numpy as np\n\n\ndef is_one_hot(X):\n"
        "    return np.isin(X, (0, 1)).all() and (X.sum(axis=1) == 1).all()\n\n\nanswer = is_one_hot",
    ),
]

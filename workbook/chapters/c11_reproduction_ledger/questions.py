"""Predictions and exercises of chapter 11, the reproduction ledger. Every expected value is computed, none is typed."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import prod, sqrt

import numpy as np
from scipy.stats import norm, t

from workbook.book import find
from workbook.explorer.formatting import say
from workbook.ledger.claim import VERDICTS
from workbook.ledger.intervals import prediction_interval
from workbook.ledger.numbers import measured, table
from workbook.questions.drawn import Drawn
from workbook.questions.exercises import Exercise, Mistake
from workbook.questions.predictions import Prediction
from workbook.questions.variants import in_words, parameters

from .experiment import PRINTED, ROUNDING, SPLITS, readings

__all__ = ["CONTENTS", "DEEPER"]

DEEPER = "11/agrees"  # with which page 11b begins

Z = 1.96  # standard errors to either side of a 95 % interval

AS_FRACTION = "In percent, rightly. Give it as a fraction."
RUNS = 20  # splits behind an interval
T = float(t.ppf(0.975, RUNS - 1))
NUMBERS = 12


def ask_verdict(key: str, name: str, options: tuple[str, ...], why: str) -> Prediction:
    """Ask for the reader's verdict on one claim, and compare it with the ledger's."""
    order = list(VERDICTS)
    return Prediction(
        key,
        question=f"{name}: which verdict do you give?",
        options={verdict: (lambda number, verdict=verdict: order[number] == verdict) for verdict in options},
        truth=lambda: order.index(find(name).verdict),
        reason=lambda number: f"{why} The rule: {VERDICTS[order[number]]}",
    )


NUMBER = "reproduced", "matched by choice", "within luck", "differs"  # the verdicts to choose from
SENTENCE = "reproduced", "shown by an example", "not stated well enough", "false"


def more_by_naive_bayes() -> float:
    """Count the right names of naive Bayes in Table 1 of Carlos (2015), less those of Perplexed Bayes."""
    perplexed, naive = measured(find("C15-T1-07")).value
    return naive - perplexed


def svm_on_r8() -> float:
    """Return the test accuracy of a linear SVM with scikit-learn's default penalty."""
    return dict(map(tuple, table("Penalties")["SVM"]))[1.0]


def one_run_in_the_interval_of_the_mean() -> float:
    """Return the probability that a further run lies in the 95 % interval of the mean of 20."""
    return float(1 - 2 * t.sf(T * sqrt(1 / RUNS) / sqrt(1 + 1 / RUNS), RUNS - 1))


def at_least_one_outside(n: int = NUMBERS) -> float:
    """Return the probability that at least one of n independent numbers lies outside its 95 % interval."""
    return 1 - 0.95**n


def groups_that_hold(rounding: float = ROUNDING) -> int:
    """Count the groups of twenty seeds, of ten, whose interval of one further split holds the printed accuracy."""
    stated, intervals = find("C15-S52-03").stated, map(interval_of_seeds, range(10))
    return sum(agrees(stated, rounding, low, high) for low, high in intervals)


def interval_of_seeds(group: int) -> tuple[float, float]:
    """Return the interval of one further split, from the accuracies of twenty seeds."""
    return prediction_interval(np.reshape(table("Splits")["21"], (10, RUNS))[group])[1:]


def readings_that_give_it() -> int:
    """Count the readings whose interval of one further split holds the printed accuracy."""
    width = T * sqrt(1 + 1 / SPLITS)
    rows = ((row["mean"][0], width * row["sd"][0]) for row in readings())
    return sum(agrees(PRINTED["accuracy"], ROUNDING, mean - half, mean + half) for mean, half in rows)


CASES = [  # stated, rounding, low, high
    (0.82, 0.0005, 0.714, 0.814),
    (0.82, 0.0005, 0.71, 0.8196),
    (0.82, 0.0005, 0.71, 0.8193),
    (0.5, 0.05, 0.54, 0.6),
    (0.5, 0.05, 0.56, 0.6),
    (0.5, 0.005, 0.2, 0.9),
    (0.8, 0.05, 0.77, 0.9),
    (3.0, 0.5, 2.6, 2.8),
    (7.0, 0.0, 7.0, 7.0),
]


def agrees(stated, rounding, low, high) -> bool:
    """Tell whether the printed number, before it was rounded, can lie in the interval."""
    return low - rounding <= stated <= high + rounding


def agree_answers(function) -> list[float]:
    """Return the answers of a learner's function to cases that tell the slips apart."""
    return [None if (said := function(*case)) is None or said is ... else float(said) for case in CASES]


@parameters(printed=("0.964", "0.83", "0.7125", "0.5", "0.91", "0.8306", "0.624"))
def half_unit(printed):
    digits = len(printed) - 2
    unit = 10.0**-digits
    return Exercise(
        "11/half-unit",
        task=f"A source prints an accuracy of {printed}. Ours has no luck in it: it is computed exactly. How far may "
        f"ours lie from {printed} at most, so that the two still agree?",
        expected=unit / 2,
        mistakes=(
            Mistake(unit, "That is a whole unit of the last digit. Where does rounding jump to the next?"),
            Mistake(10 * unit / 2, "Half a unit, rightly, but count the digits: the last one is the third.",
                    f"Half a unit, rightly, but count the digits after the point: there are {digits}."),
            Mistake(0.0, f"Then only a number that ends after {in_words(digits)} digits could agree."),
            Mistake(unit / 20, "Half a unit, rightly, but of the fourth digit. The source prints three.",
                    f"Half a unit, rightly, but of a digit that the source does not print: it gives {digits}."),
        ),
        well_done="Half a unit in the last place. In the ledger this is the claim's rounding.",
        solution=f"answer = {unit:.10g} / 2",
        help=f"Which numbers are printed as {printed}? Take the smallest and the largest.",
    )


@parameters(n=(RUNS, 10, 16, 8), sd=(0.006, 0.004, 0.012))
def one_run(n, sd):
    factor = float(t.ppf((1 + 0.95) / 2, n - 1))
    width = factor * sd * sqrt(1 + 1 / n)
    return Exercise(
        "11/one-run",
        task=f"{in_words(n).capitalize()} splits of the names gave us a mean accuracy, with a standard deviation of "
        f"{sd} between splits (n − 1 in it). A paper shows one split. What is half the width of the 95 % interval for "
        f"one further split? (Student's t with {n - 1} degrees of freedom: {factor:.3f}.)",
        expected=width,
        mistakes=(
            Mistake(factor * sd / sqrt(n), "That is the interval of our mean. The paper shows one split, not a mean."),
            Mistake(factor * sd, f"That is the luck of one split around the true mean. Ours is a mean of only {n}."),
            Mistake(Z * sd, "1.96 is for a known standard deviation; and the luck in our own mean is missing."),
            Mistake(2 * width, "That is the whole width."),
            Mistake(factor * sd * (1 + 1 / n), "The variances add up: take the root."),
            Mistake(sd * sqrt(1 + 1 / n), "That is one standard error. How many does 95 % take?"),
            Mistake(100 * width, AS_FRACTION),
        ),
        well_done=f"Two sorts of luck add up, as squares: that of the paper's split, 1, and that of our mean, 1/{n}.",
        solution=f"from math import sqrt\n\nanswer = {factor:.4f} * {sd} * sqrt(1 + 1 / {n})",
        tolerance=4e-3,
        help=f"The difference of two independent numbers has the sum of their variances: one split, and a mean of {n}.",
    )


@parameters(n=(100, 400, 50, 250), answers=(3, 4, 5), sd=(0.254, 0.3, 0.2), rate=(0.82, 0.7, 0.9))
def hundred(n, answers, sd, rate):
    width = Z * sd / sqrt(n)
    return Exercise(
        "11/hundred",
        task=f"A paper prints {100 * rate:.1f} %, a rate from {n} random classifiers with {in_words(answers)} answers "
        f"each. Each classifier has a share: 0, {Fraction(1, answers)}, {Fraction(2, answers)} or 1 of its answers. "
        f"The standard deviation of these shares is {sd}. What is half the width of the 95 % interval of such a rate, "
        "as a fraction (not in percent)?",
        expected=width,
        mistakes=(
            Mistake(width / sqrt(answers), f"You took {n * answers} independent answers. The {in_words(answers)} of "
                    "one classifier were not drawn independently."),
            Mistake(sd / sqrt(n), "That is one standard error."),
            Mistake(Z * sqrt(rate * (1 - rate) / n), "You took a hundred yes-or-no draws. Each draw is a share, and "
                    "its standard deviation is given.", f"You took {n} yes-or-no draws. Each draw is a share, and its "
                    "standard deviation is given."),
            Mistake(Z * sd, "That is for a single classifier. The rate is the mean of a hundred.",
                    f"That is for a single classifier. The rate is the mean of {n}."),
            Mistake(Z * sd / n, "Variances of a mean shrink by n. Standard deviations?"),
            Mistake(2 * width, "That is the whole width."),
            Mistake(100 * width, AS_FRACTION),
        ),
        well_done="So a rate from a hundred classifiers is known to about five points, whatever its printed digits.",
        solution=f"answer = {Z} * {sd} / {n}**0.5",
        help="A rate of a hundred classifiers is the mean of their shares. What is the standard deviation of a mean?",
        variant_texts=dict(
            task=f"A paper prints {100 * rate:.1f} %, a rate from {n} random classifiers with {answers} answers each. "
            f"Each classifier has a share of its answers. The standard deviation of these shares is {sd}. What is half "
            "the width of the 95 % interval of such a rate, as a fraction (not in percent)?",
            well_done=f"So a rate from {n} classifiers is known to about {100 * width:.2g} points, whatever its "
            "digits.",
            help="The rate is the mean of the shares. What is the standard deviation of a mean?",
        ),
    )  # fmt: skip


@parameters(n=(12, 6, 8, 20, 5, 10, 15))
def all_twelve(n):
    def reach(p):
        """Return the standard errors to either side for an interval that holds with p."""
        return float(norm.ppf((1 + p) / 2))

    each, numbers = 0.95 ** (1 / n), in_words(n)
    return Exercise(
        "11/all-twelve",
        task=f"{numbers.capitalize()} independent numbers. You want intervals so wide that, if nothing is wrong, all "
        f"{numbers} lie inside with probability 0.95. How many standard errors to either side does each interval need?",
        expected=reach(each),
        mistakes=(
            Mistake(Z, f"That holds one number with probability 0.95. All {numbers}?"),
            Mistake(reach(1 - 0.05 / n), "That is Bonferroni's: it needs no independence, and is a little wider than "
                    "it must be. Yours are independent: use that."),
            Mistake(float(norm.ppf(each)), "The right probability for each, but a number can be outside on either "
                    "side."),
            Mistake(Z * sqrt(n), "The widths do not add up; the probabilities of an escape do."),
            Mistake(reach(0.95**n), "You took the twelfth power. Each one must be surer than 0.95, not less sure.",
                    f"You took the power {n}. Each one must be surer than 0.95, not less sure."),
            Mistake(each, "That is the probability that each one needs, rightly. How wide is an interval that has it?"),
        ),
        well_done=f"Dividing the 5 % by {numbers} (Bonferroni) gives nearly the same, and needs no independence.",
        solution=f"from scipy.stats import norm\n\neach = 0.95 ** (1 / {n})\nanswer = norm.ppf((1 + each) / 2)",
        tolerance=2.5e-3,  # half a unit of the third digit; Bonferroni's is 2.6e-3 away
        help=f"How probable must it be that one interval holds, so that all {numbers} do? Then ask how wide that one "
        "is.",
    )  # fmt: skip


@parameters(prior=(0.7, 0.6, 0.4), A=((0.9, 0.1, 0.5), (0.8, 0.2, 0.4), (0.7, 0.3, 0.1)),
            B=((0.6, 0.6, 0.6), (0.5, 0.7, 0.3), (0.4, 0.6, 0.5)))  # fmt: skip
def eq_8(prior, A, B):
    def b(of_prior, of_product):
        weights = [p**of_prior * prod(each) ** of_product for p, each in ((prior, A), (1 - prior, B))]
        return weights[1] / sum(weights)

    means = prior * sum(A), (1 - prior) * sum(B)
    return Exercise(
        "11/eq-8",
        task=f"Two classes with P(A) = {prior} and P(B) = {1 - prior:g}. Three features have P(f | A) = "
        f"{', '.join(map(str, A))} and P(f | B) = {', '.join(map(str, B))}. Naive Bayes decides for "
        f"{'AB'[b(1, 1) > 0.5]}. Eq. (8) of Carlos (2015) puts the geometric mean of the three likelihoods in place of "
        "their product, and leaves the prior as it is. What is P(B | F) by eq. (8)?",
        expected=b(1, 1 / 3),
        mistakes=(
            Mistake(b(1, 1), "That is naive Bayes: the product itself."),
            Mistake(b(1 / 4, 1 / 4), "That is eq. (20) with k = 1: it shrinks the prior too. Eq. (8) does not."),
            Mistake(b(0, 1 / 3), "The means are right. Where did the prior go?"),
            Mistake(1 - b(1, 1 / 3), "That is P(A | F)."),
            Mistake(means[1] / sum(means), "You took the arithmetic mean. The geometric one is the third root of the "
                    "product."),
            Mistake((1 - prior) * prod(B) ** (1 / 3), "That is the weight of B. The posterior is its share: divide by "
                    "the weights of both classes."),
            Mistake(b(1, 1 / 2), "You took the square root. The mean of three numbers takes the third."),
        ),
        help="One weight for each class: its prior times the third root of its three likelihoods' product. Then the "
        "share of B.",
        well_done="Now A wins. So eq. (8) can change decisions; the paper uses eq. (20), which cannot.",
        solution=f"A = {prior} * ({' * '.join(map(str, A))}) ** (1 / 3)\n"
        f"B = {1 - prior:g} * ({' * '.join(map(str, B))}) ** (1 / 3)\nanswer = B / (A + B)",
        variant_texts=dict(well_done="Eq. (8) leaves the prior as it is, and so it can change decisions; the paper "
                           "uses eq. (20), which cannot."),
    )  # fmt: skip


CONTENTS = [
    Prediction(
        "11/readings",
        question="A paper prints an accuracy of .845, but not all of its settings. We filled the gaps in 36 ways "
        "(readings), each run on 20 splits of its names. In how many of their intervals, where 95 of 100 further "
        "splits end, does .845 lie?",
        options={
            "in at most five": lambda n: n <= 5,
            "in more than five, but not in all": lambda n: 5 < n < 36,
            "in all 36": lambda n: n == 36,
        },
        truth=readings_that_give_it,
        reason=lambda n: (
            f"In {n}. The number speaks against the others, but cannot tell these {n} from one another. That it comes "
            "out by ours is no proof that ours is the paper's."
        ),
    ),
    half_unit,
    Prediction(
        "11/mean-or-run",
        question="You repeat an experiment twenty times and compute the 95 % interval of the mean. A colleague did the "
        "same experiment once. How often does one such number lie in your interval?",
        options={
            "in 95 of 100 cases": lambda p: p > 0.85,
            "in about two thirds": lambda p: 0.5 < p <= 0.85,
            "in about one third": lambda p: p <= 0.5,
        },
        truth=one_run_in_the_interval_of_the_mean,
        reason=lambda p: (
            f"In {say(100 * p)} % only. The interval of the mean says where the truth lies. It shrinks with every run "
            "of yours; the luck in her one run does not."
        ),
    ),
    Prediction(
        "11/other-seeds",
        context="Our first twenty seeds: {:.3f} to {:.3f}.".format(*interval_of_seeds(0)),
        question="Ten groups of twenty seeds, each with its own 95 % interval for one further split. In how many of "
        "them does the printed .857 lie inside?",
        options={
            "in none": lambda n: n == 0,
            "in one to nine": lambda n: 0 < n < 10,
            "in all ten": lambda n: n == 10,
        },
        truth=groups_that_hold,
        reason=lambda n: (
            f"In {n} of ten, in {groups_that_hold(0)} even without its rounding. Our first twenty are not among them: "
            "with so few splits our seeds decide. Take more of them below."
        ),
    ),
    one_run,
    Prediction(
        "11/twelve",
        question="A paper prints twelve rates. Suppose that all are sound: each is one honest run, independent of the "
        "others. What is the probability that at least one of them lies outside its 95 % interval? Draw the line.",
        truth=at_least_one_outside,
        drawn=Drawn(
            {f"{n}": partial(at_least_one_outside, n) for n in (1, 4, 8, NUMBERS)},
            y="P(at least one outside)",
            x="rates",
            given=1,
        ),
        reason=lambda p: (
            f"With twelve rates {say(100 * p)} %: each has a chance of 5 % to lie outside. One number outside is no "
            "proof of a mistake, then. It is a reason to look."
        ),
    ),
    all_twelve,
    Prediction(
        "11/table-1",
        question="The table sorts 1,590 test names by how sure each method is. How many names does naive Bayes decide "
        "rightly in all, compared with Perplexed Bayes?",
        options={
            "more": lambda n: n > 0,
            "fewer": lambda n: n < 0,
            "equally many": lambda n: n == 0,
        },
        truth=more_by_naive_bayes,
        reason=lambda n: (
            f"{measured(find('C15-T1-07')).value[0]:,.0f} each. Perplexed Bayes moves names to other rows, since it is "
            "less sure of them. It moves none to another class."
        ),
    ),
    Exercise(
        "11/agrees",
        task="Write agrees(stated, rounding, low, high): True if the printed number can be one of our interval. It is "
        "rounded: the number behind it may lie up to `rounding` to either side. The ends count as inside.",
        expected=agrees,
        evaluate=agree_answers,
        returns="one True or False",
        mistakes=(
            Mistake(
                lambda stated, rounding, low, high: low <= stated <= high,
                "You compared the printed digits. The number behind them may lie inside, though they do not.",
            ),
            Mistake(
                lambda stated, rounding, low, high: low - 2 * rounding <= stated <= high + 2 * rounding,
                "Too generous: `rounding` is half a unit already.",
            ),
            Mistake(
                lambda stated, rounding, low, high: abs(stated - (low + high) / 2) <= rounding,
                "You compared with the middle of our interval only. Its whole width is allowed.",
            ),
            Mistake(
                lambda stated, rounding, low, high: low + rounding <= stated <= high - rounding,
                "You made the interval narrower. Not knowing the number exactly makes agreement easier, not harder.",
            ),
            Mistake(
                lambda stated, rounding, low, high: low - rounding < stated < high + rounding,
                "The ends count as inside. Try a number without luck and without rounding.",
            ),
            Mistake(
                lambda stated, rounding, low, high: stated <= high + rounding,
                "A number can be too low as well as too high.",
            ),
            Mistake(
                lambda stated, rounding, low, high: stated >= low - rounding,
                "A number can be too high as well as too low.",
            ),
        ),
        well_done="This is the ledger's whole test. All else is choosing the right interval.",
        solution="def agrees(stated, rounding, low, high):\n    return low - rounding <= stated <= high + rounding\n\n"
        "\n"
        "answer = agrees",
        help="Draw a line with the interval, and the stated number with its rounding to both sides. "
        "When do the two touch?",
    ),
    ask_verdict(
        "11/judge-rate",
        "W24-S3-10",
        NUMBER,
        "It looks far off, but it lies inside: a rate from a hundred classifiers is that uncertain.",
    ),
    ask_verdict(
        "11/judge-accuracy",
        "C15-S52-02",
        NUMBER,
        "It lies inside. But the paper does not name its n-grams, and we took those with which it does: page 11.",
    ),
    ask_verdict(
        "11/judge-nodes",
        "N16-T2-04",
        NUMBER,
        "It lies well outside, and we read the text as it stands: “Laplace smoothing” is alpha = 1.",
    ),
    ask_verdict(
        "11/judge-centre",
        "W24-S1-01",
        SENTENCE,
        "The first of our numbers is 0: with two values there is no excess. One counterexample is enough, however well "
        "the sentence holds from three values on.",
    ),
    hundred,
    Prediction(
        "11/rivals",
        question="You teach scikit-learn's LinearSVC all training stories, as word counts, with its default settings. "
        "Which share of the test stories does it decide rightly?",
        options={
            "at most .95, as printed": lambda share: share <= 0.95,
            "between .95 and .96": lambda share: 0.95 < share <= 0.96,
            "more than .96": lambda share: share > 0.96,
        },
        truth=svm_on_r8,
        reason=lambda share: (
            f"{say(share)}, where the paper prints {say(find('N16-T2-03').stated)}. Nothing was tuned. Taught nine "
            f"tenths of the stories, as the paper may have done, it has {say(measured(find('N16-T2-03')).value)}. The "
            "paper names no setting for its rivals."
        ),
    ),
    eq_8,
]

"""Predictions and exercises of chapter 00, start here. Every expected value is computed, none is typed."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log

import numpy as np
from scipy.special import expit

from nbcore.one_hot import categorical_posterior
from workbook.chapters.c00_start_here.experiment import (
    FALSE_ALARMS,
    PREVALENCE,
    SENSITIVITY,
    again,
    chance,
    log_odds_after,
    weights,
)
from workbook.explorer.formatting import say
from workbook.questions.again import percent
from workbook.questions.drawn import Drawn
from workbook.questions.exercises import Exercise, Mistake, unanswered
from workbook.questions.predictions import Prediction

__all__ = ["CONTENTS"]

SHARE, RARE, OTHERS = 1 / 3, 10_000, 0.03  # of repeats; one ill person in so many; a prevalence: in exercises
BETTER, FEWER = 0.99, 0.01  # a sensitivity and a rate of false alarms, each an improvement of the test
INHABITANTS, MATCHING = 500_000, 10_000  # one innocent person in MATCHING has the trace's profile by chance
TEST = (
    f"One person in a hundred is ill. The test finds {percent(SENSITIVITY)} of the ill, and it is wrongly positive for "
    f"{percent(FALSE_ALARMS)} of those who are well."
)
CASES = [([0.01, 0.99], [0.8, 0.096]), ([0.5, 0.5], [0.2, 0.6]), ([0.2, 0.3, 0.5], [0.9, 0.5, 0.1])]


def ill_given(positive=True, prevalence=PREVALENCE, sensitivity=SENSITIVITY, false_alarms=FALSE_ALARMS) -> float:
    """P(ill | test) by Bayes' rule."""
    theta = [[sensitivity, 1 - sensitivity], [false_alarms, 1 - false_alarms]]
    return float(categorical_posterior(theta, [prevalence, 1 - prevalence])[0, 0 if positive else 1])


def ratio() -> float:
    """How many times as probable a positive test is for the ill."""
    return SENSITIVITY / FALSE_ALARMS


def after_two() -> float:
    """P(ill) after two independent positive tests: today's posterior is tomorrow's prior."""
    return ill_given(prevalence=ill_given())


def specificity_helps_more() -> float:
    """P(ill | positive) with fewer false alarms, over P(ill | positive) with a better sensitivity."""
    return ill_given(false_alarms=FEWER) / ill_given(sensitivity=BETTER)


def finding_helps_more() -> float:
    """P(ill | negative) with fewer false alarms, over P(ill | negative) with a better sensitivity."""
    return ill_given(False, false_alarms=FEWER) / ill_given(False, sensitivity=BETTER)


def one_of_each() -> float:
    """P(ill) after a positive and a negative test, over what it was before."""
    return float(expit(log_odds_after(0, PREVALENCE) + weights().sum())) / PREVALENCE


def after_repeats(tests=2, repeated=SHARE) -> float:
    """P(ill) after positive tests of which a share only repeats the first one."""
    return float(expit(log_odds_after(tests, PREVALENCE, repeated)))


def tests_to_even(rare: int) -> float:
    """How many positive tests, as a number with decimals, outweigh a prior of one in `rare`."""
    return log(rare - 1) / log(ratio())


def guilty() -> float:
    """P(left the trace | matches), of a man found among all inhabitants: one left it, others match by chance."""
    return 1 / (1 + (INHABITANTS - 1) / MATCHING)


def for_two_classes(prior, likelihood):
    """Bayes' rule written out for two classes, whatever comes."""
    joint = np.asarray(prior[:2]) * np.asarray(likelihood[:2])
    return joint / joint.sum()


def on_cases(function) -> list:
    """A learner's posterior function on three small cases, as one list of numbers."""
    results = [function(np.array(prior), np.array(likelihood)) for prior, likelihood in CASES]
    return results if any(map(unanswered, results)) else [float(p) for p in np.hstack(results)]


def bayes(prior, likelihood):
    """Bayes' rule for any number of classes, by nbcore."""
    likelihood = np.asarray(likelihood)
    return categorical_posterior(np.stack([likelihood, 1 - likelihood], axis=1), prior)[:, 0]


CONTENTS = [
    Prediction(
        "00/positive",
        question=f"{TEST} Somebody tests positive. How probable is it that this person is ill?",
        truth=ill_given,
        options={
            "about 80 %": lambda p: 0.6 < p < 0.95,
            "about 50 %": lambda p: 0.3 < p <= 0.6,
            "about 8 %": lambda p: 0.04 < p <= 0.3,
            "1 %, as before": lambda p: p <= 0.04,
        },
        reason=lambda p: (
            f"It is {say(p)}. The test finds most of the ill, but they are few. The {percent(FALSE_ALARMS)} are a "
            "share of the many who are well, and so most positive tests come from them."
        ),
    ),
    Exercise(
        "00/negative",
        context=TEST,
        task="In another crowd three people in a hundred are ill. The test is as good as before, and it is negative. "
        "What is P(ill | negative)?",
        expected=lambda: ill_given(False, OTHERS),
        mistakes=(
            Mistake(lambda: 1 - SENSITIVITY, "That is P(negative | ill). Ask the other way round: of all negatives?"),
            Mistake(
                lambda: 1 - ill_given(prevalence=OTHERS),
                "You took the rest of P(ill | positive). A negative test has its own sum.",
            ),
            Mistake(
                lambda: OTHERS * (1 - SENSITIVITY),
                "That is the share of all people who are ill and negative. Divide by the share of all negatives.",
            ),
            Mistake(
                lambda: OTHERS * (1 - SENSITIVITY) / (1 - OTHERS),
                "You divided by all the well. Some of them test positive: leave these out, and who else is negative?",
            ),
            Mistake(
                lambda: OTHERS * (1 - SENSITIVITY) / ((1 - OTHERS) * (1 - FALSE_ALARMS)),
                "These are the odds, ill to well. What share of all negatives are ill?",
            ),
            Mistake(
                lambda: ill_given(False), "So it is where one in a hundred is ill. Here the illness is more frequent."
            ),
            Mistake(lambda: 1 - ill_given(False, OTHERS), "That is P(well | negative), what is left over."),
            Mistake(
                lambda: (1 - SENSITIVITY) / (1 - SENSITIVITY + 1 - FALSE_ALARMS),
                "You compared the two likelihoods without the prior. How many are ill in the first place?",
            ),
        ),
        well_done="The prior was small already, and a negative test made it more than four times smaller.",
        solution="ill, well = 0.03 * 0.2, 0.97 * 0.904\nanswer = ill / (ill + well)",
        help="Count on a hundred thousand people: how many are ill and negative, how many are well and negative?",
    ),
    Exercise(
        "00/posterior",
        task="Write posterior_of(prior, likelihood) for any number C of classes. Both are arrays of C numbers: P(c) "
        "and P(x | c). It returns the C numbers P(c | x).",
        expected=bayes,
        mistakes=(
            Mistake(lambda prior, likelihood: prior * likelihood, "The products do not sum to one yet."),
            Mistake(
                lambda prior, likelihood: likelihood / likelihood.sum(),
                "These are the likelihoods, scaled. The prior does not appear.",
            ),
            Mistake(
                lambda prior, likelihood: prior * likelihood / likelihood.sum(),
                "You divided by the sum of the likelihoods. What has to sum to one?",
            ),
            Mistake(
                lambda prior, likelihood: (prior + likelihood) / (prior + likelihood).sum(),
                "Probabilities of 'this and that' are multiplied.",
            ),
            Mistake(
                lambda prior, likelihood: prior * likelihood / prior * likelihood.sum(),
                "Python reads a / b * c from left to right, as (a / b) * c. Put brackets around what you divide by.",
            ),
            Mistake(
                lambda prior, likelihood: prior * likelihood / (prior * likelihood).max(),
                "You divided by the largest product, so the largest result is 1. What has to sum to one?",
            ),
            Mistake(
                for_two_classes,
                "You took the first two classes, and there may be more. Let the arrays do the arithmetic.",
            ),
            Mistake(
                lambda prior, likelihood: bayes(prior, likelihood)[0],
                "You return the first class only. There is one probability for each class.",
            ),
        ),
        well_done="This line is Bayes' rule, and the whole book stands on it.",
        solution="def answer(prior, likelihood):\n    joint = prior * likelihood\n    return joint / joint.sum()",
        evaluate=on_cases,
        returns="an array with one probability for each class",
        help="The areas of the square, one for each class: what is each of them, and what share of their sum?",
    ),
    Prediction(
        "00/better-test",
        question=f"You may improve the test in one way: find {percent(BETTER)} of the ill in place of "
        f"{percent(SENSITIVITY)}, or give false alarms to {percent(FEWER)} of the well in place of "
        f"{percent(FALSE_ALARMS)}. Which makes a positive result mean more, so that P(ill | positive) is "
        "larger?",
        truth=specificity_helps_more,
        options={
            "finding 99 % of the ill": lambda x: x < 0.8,
            "both alike": lambda x: 0.8 <= x <= 1.25,
            "fewer false alarms": lambda x: x > 1.25,
        },
        reason=lambda x: (
            f"P(ill | positive) becomes {say(ill_given(false_alarms=FEWER))} with fewer false alarms and "
            f"{say(ill_given(sensitivity=BETTER))} with the better finder. What counts is the ratio of the two shares: "
            f"{FALSE_ALARMS} leaves far more room than {SENSITIVITY}."
        ),
    ),
    Prediction(
        "00/better-no",
        question=f"The same two improvements: fewer misses ({percent(BETTER)} of the ill are found in place of "
        f"{percent(SENSITIVITY)}), or fewer false alarms ({percent(FEWER)} of the well in place of "
        f"{percent(FALSE_ALARMS)}). Which makes a negative result mean more, so that "
        "P(ill | negative) is smaller?",
        truth=finding_helps_more,
        options={
            "fewer misses": lambda x: x > 1.25,
            "both alike": lambda x: 0.8 <= x <= 1.25,
            "fewer false alarms": lambda x: x < 0.8,
        },
        reason=lambda x: (
            f"P(ill | negative) is {say(ill_given(False))} as it is. It becomes "
            f"{say(ill_given(False, false_alarms=FEWER))} with fewer false alarms and "
            f"{say(ill_given(False, sensitivity=BETTER))} with fewer misses. To believe a yes you need few false "
            "alarms, to believe a no few misses."
        ),
    ),
    Exercise(
        "00/odds",
        context=TEST,
        task="By what factor does a positive test multiply the odds of being ill?",
        expected=ratio,
        mistakes=(
            Mistake(
                lambda: ill_given() / PREVALENCE, "That is the factor of the probability. Odds are P(ill) / P(well)."
            ),
            Mistake(
                lambda: ill_given() / (1 - ill_given()),
                "These are the odds after the test. By what were those before it multiplied?",
            ),
            Mistake(lambda: log(ratio()), "That is the logarithm of the factor."),
            Mistake(
                lambda: SENSITIVITY / (1 - FALSE_ALARMS),
                f"{1 - FALSE_ALARMS:g} is about well people with a negative test.",
            ),
            Mistake(lambda: FALSE_ALARMS / SENSITIVITY, "The other way round: these are the odds of being well."),
            Mistake(lambda: SENSITIVITY / (1 - SENSITIVITY), "Both are shares of the ill. Compare ill with well."),
        ),
        well_done=f"This factor, {say(ratio())}, is the likelihood ratio. It does not depend on the prior. A negative "
        f"result has its own: {1 - SENSITIVITY:g} / {1 - FALSE_ALARMS:g} = {say(np.exp(weights()[1]))}, a division by "
        f"{say(np.exp(-weights()[1]))}.",
        solution="answer = 0.8 / 0.096",
        help="In the equation above, which number depends on the test alone?",
    ),
    Exercise(
        "00/even",
        context=TEST,
        task="At which prevalence does one positive test make the illness exactly as probable as not?",
        expected=lambda: 1 / (1 + ratio()),
        mistakes=(
            Mistake(lambda: 0.5, "At that prevalence the illness was as probable as not before the test."),
            Mistake(lambda: 1 / ratio(), "These are the odds that you need. Turn odds into a probability."),
            Mistake(lambda: ratio() / (1 + ratio()), "You swapped ill and well."),
            Mistake(lambda: FALSE_ALARMS, "That is the rate of false alarms. When are both groups of positives equal?"),
        ),
        well_done="Prior odds times the likelihood ratio must be 1.",
        solution="answer = 0.096 / (0.096 + 0.8)",
        help="At that prevalence as many ill as well people test positive. Or ask for the odds first.",
    ),
    Exercise(
        "00/prosecutor",
        task=f"One of the {INHABITANTS:,} inhabitants of a city left a trace. Its profile matches that person for "
        f"certain, and each of the others with probability 1/{MATCHING:,}. A driver who was stopped by chance matches. "
        "Nothing else speaks against him. What is P(left the trace | matches)?",
        expected=guilty,
        mistakes=(
            Mistake(
                lambda: 1 - 1 / MATCHING,
                "That is P(no match | did not leave it), the other way round: the prosecutor's fallacy.",
            ),
            Mistake(lambda: 1 / MATCHING, "That is P(match | did not leave it). How many others match?"),
            Mistake(lambda: 1 / INHABITANTS, "That was so before the comparison."),
            Mistake(
                lambda: MATCHING / INHABITANTS,
                f"1/{INHABITANTS // MATCHING} forgets the one who left the trace: one more matches. If you counted "
                "that person: give three significant digits.",
            ),
            Mistake(
                lambda: (INHABITANTS - 1) / MATCHING,
                "So many others match by chance. What share of all who match left the trace?",
            ),
            Mistake(
                lambda: 1 + (INHABITANTS - 1) / MATCHING, "So many people match in all. What share of them left it?"
            ),
            Mistake(lambda: 1 - guilty(), "That is the probability of the opposite."),
        ),
        well_done="About fifty others match as well. A match is strong evidence, but one in half a million is "
        "a small prior.",
        solution="others = 499_999 / 10_000\nanswer = 1 / (1 + others)",
        help="Count heads: who matches, in a city of this size?",
    ),
    Prediction(
        "00/two-tests",
        context=TEST,
        question="The person takes a second test of the same kind, and it is positive too. Suppose that two tests of "
        "one person err independently. How probable is the illness now? Put the third bar.",
        truth=after_two,
        drawn=Drawn(
            {"before any test": lambda: PREVALENCE, "after one": ill_given, "after two": after_two},
            y="P(ill)",
            given=2,
        ),
        reason=lambda p: (
            f"Each test multiplies the odds by {say(ratio())}: from 1 to 99 to about 1 to 12, and then to about "
            f"7 to 10, which is {say(p)}."
        ),
    ),
    Prediction(
        "00/one-of-each",
        context=TEST,
        question="Somebody takes two tests that err independently. One is positive, the other is negative. Where does "
        "that leave the person?",
        truth=one_of_each,
        options={
            "more probably ill than before": lambda x: x > 1.05,
            "just where they were": lambda x: 0.95 <= x <= 1.05,
            "less probably ill than before": lambda x: x < 0.95,
        },
        reason=lambda x: (
            f"A positive test multiplies the odds by {say(ratio())}, a negative one divides them by only "
            f"{say(1 / np.exp(weights()[1]))}. P(ill) becomes {say(x * PREVALENCE)}, {say(x)} times what it was, in "
            "either order."
        ),
    ),
    Exercise(
        "00/how-many",
        context=TEST,
        task=f"Of a rarer illness one person in {RARE:,} is ill. The test is as good as before. How many positive "
        "tests, independent ones, make it more probable than not?",
        expected=lambda: ceil(tests_to_even(RARE)),
        mistakes=(
            Mistake(lambda: tests_to_even(RARE), "Tests come whole. After which one is the middle behind you?"),
            Mistake(lambda: int(tests_to_even(RARE)), "After so many the middle of the ruler is still ahead."),
            Mistake(lambda: ceil(tests_to_even(100)), "That is how many it takes from one in a hundred."),
            Mistake(
                lambda: int(tests_to_even(100)),
                "So many leave even the person from one in a hundred short of the middle, and this one starts lower.",
            ),
            Mistake(
                lambda: ceil(RARE / ratio()),
                "You divided once. Every test multiplies the odds again, or adds an arrow to their log.",
            ),
        ),
        well_done="A hundred times rarer, and it takes two positive tests more: the log odds count in factors.",
        solution="from math import ceil, log\n\nbefore, arrow = log(1 / 9_999), log(0.8 / 0.096)\n"
        "answer = ceil(-before / arrow)",
        help="Where on the ruler does the person start, and how long is one arrow?",
    ),
    Prediction(
        "00/repeated",
        context=TEST,
        question="A laboratory is careless: each further test of a person repeats the first result with probability "
        "one half, else it is a test of its own. Six tests in a row are positive. Naive Bayes takes them for "
        f"independent and says {chance(float(expit(log_odds_after(6, PREVALENCE))))}. How probable is the illness in "
        "truth?",
        truth=lambda: after_repeats(6, 0.5),
        options={
            "almost as much as that": lambda p: p > 0.97,
            "about 85 %": lambda p: 0.65 < p <= 0.97,
            "about 50 %": lambda p: 0.3 < p <= 0.65,
            "about 8 %, as after one test": lambda p: p <= 0.3,
        },
        reason=lambda p: (
            f"It is {say(p)}. A repeat is positive for the well, too: after one positive test the next one is positive "
            f"for {say(again(0.5)[0])} of the ill and {say(again(0.5)[1])} of the well. It multiplies the odds by "
            f"{say(again(0.5)[0] / again(0.5)[1])}, not by {say(ratio())}."
        ),
    ),
    Exercise(
        "00/repeats",
        context=TEST,
        task=f"The second test repeats the first result with probability {Fraction(SHARE).limit_denominator(9)}, else "
        f"it is a test of its own. Both are positive, and the prevalence is {PREVALENCE}. What is P(ill)?",
        expected=after_repeats,
        mistakes=(
            Mistake(after_two, "That takes all second tests for tests of their own, as naive Bayes does."),
            Mistake(ill_given, "That takes all second tests for repeats."),
            Mistake(
                lambda: SHARE * ill_given() + (1 - SHARE) * after_two(),
                "You averaged two posteriors. Average within the ill and within the well first: how many of each group "
                "are positive twice?",
            ),
            Mistake(
                lambda: float(np.exp(log_odds_after(2, PREVALENCE, SHARE))),
                "These are the odds. Turn them into a probability.",
            ),
            Mistake(
                lambda: float(np.divide(*again(SHARE))),
                "By so much the second test multiplies the odds. Multiply those after the first test, and turn the "
                "odds into a probability.",
            ),
            Mistake(lambda: after_repeats(2, 1 - SHARE), "You swapped the repeats and the tests of their own."),
        ),
        well_done="With a third of repeats the second test is worth a factor of "
        f"{say(np.divide(*again(SHARE)))}, where naive Bayes counts {say(ratio())}.",
        solution="ill = 1 / 3 * 0.8 + 2 / 3 * 0.8**2\nwell = 1 / 3 * 0.096 + 2 / 3 * 0.096**2\n"
        "answer = 0.01 * ill / (0.01 * ill + 0.99 * well)",
        help="Of a hundred ill people who are positive once, how many are positive again? And of a hundred such well "
        "people?",
    ),
]

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
    ill_given,
    log_odds_after,
    weights,
)
from workbook.explorer.formatting import say
from workbook.questions.drawn import Drawn
from workbook.questions.exercises import Exercise, Mistake, unanswered
from workbook.questions.predictions import Prediction
from workbook.questions.variants import in_code, in_words, parameters, percent, share

__all__ = ["CONTENTS"]

BETTER, FEWER = 0.99, 0.01  # a sensitivity and a rate of false alarms, each an improvement of the test
CASES = [([0.01, 0.99], [0.8, 0.096]), ([0.5, 0.5], [0.2, 0.6]), ([0.2, 0.3, 0.5], [0.9, 0.5, 0.1])]


def the_test(found=SENSITIVITY, alarms=FALSE_ALARMS) -> str:
    """Describe a test that finds a share of the ill and has a share of false alarms."""
    return (
        f"One person in a hundred is ill. The test finds {percent(found)} of the ill, and it is wrongly positive for "
        f"{percent(alarms)} of those who are well."
    )


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


def after_repeats(tests=2, repeated=1 / 3) -> float:
    """P(ill) after positive tests of which a share only repeats the first one."""
    return float(expit(log_odds_after(tests, PREVALENCE, repeated)))


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


FOUND, ALARMS = (SENSITIVITY, 0.9, 0.7, 0.95), (FALSE_ALARMS, 0.05, 0.12, 0.2)  # to draw from


@parameters(ill=(3, 2, 5, 8, 12), found=FOUND, alarms=ALARMS)
def negative(ill, found, alarms):
    p = ill / 100
    sick, well, positive = p * (1 - found), (1 - p) * (1 - alarms), p * found / (p * found + (1 - p) * alarms)
    return Exercise(
        "00/negative",
        context=the_test(found, alarms),
        task=f"In another crowd {in_words(ill)} people in a hundred are ill. The test is as good as before, and it is "
        "negative. What is P(ill | negative)?",
        expected=sick / (sick + well),
        mistakes=(
            Mistake(1 - found, "That is P(negative | ill). Ask the other way round: of all negatives?"),
            Mistake(1 - positive, "You took the rest of P(ill | positive). A negative test has its own sum."),
            Mistake(sick, "That is the share of all people who are ill and negative. Divide by the share of all "
                    "negatives."),
            Mistake(sick / (1 - p), "You divided by all the well. Some of them test positive: leave these out, and who "
                    "else is negative?"),
            Mistake(sick / well, "These are the odds, ill to well. What share of all negatives are ill?"),
            Mistake(lambda: ill_given(False), "So it is where one in a hundred is ill. Here the illness is more "
                    "frequent.", page_only=True),
            Mistake(well / (sick + well), "That is P(well | negative), what is left over."),
            Mistake((1 - found) / (2 - found - alarms), "You compared the two likelihoods without the prior. How many "
                    "are ill in the first place?"),
        ),
        well_done="The prior was small already, and a negative test made it more than four times smaller.",
        solution=f"ill, well = {p:g} * {1 - found:g}, {1 - p:g} * {1 - alarms:g}\nanswer = ill / (ill + well)",
        help="Count on a hundred thousand people: how many are ill and negative, how many are well and negative?",
        variant_texts=dict(well_done="The prior was small already, and a negative test made it smaller still."),
    )  # fmt: skip


@parameters(found=FOUND, alarms=ALARMS)
def odds(found, alarms):
    ratio = found / alarms
    after = ratio * PREVALENCE / (1 - PREVALENCE)
    return Exercise(
        "00/odds",
        context=the_test(found, alarms),
        task="By what factor does a positive test multiply the odds of being ill?",
        expected=ratio,
        mistakes=(
            Mistake(share(after) / PREVALENCE, "That is the factor of the probability. Odds are P(ill) / P(well)."),
            Mistake(after, "These are the odds after the test. By what were those before it multiplied?"),
            Mistake(log(ratio), "That is the logarithm of the factor."),
            Mistake(found / (1 - alarms), f"{1 - alarms:g} is about well people with a negative test."),
            Mistake(1 / ratio, "The other way round: these are the odds of being well."),
            Mistake(found / (1 - found), "Both are shares of the ill. Compare ill with well."),
        ),
        well_done=f"This factor, {say(ratio)}, is the likelihood ratio. It does not depend on the prior. A negative "
        f"result has its own: {1 - found:g} / {1 - alarms:g} = {say((1 - found) / (1 - alarms))}, a division by "
        f"{say((1 - alarms) / (1 - found))}.",
        solution=f"answer = {found} / {alarms}",
        help="In the equation above, which number depends on the test alone?",
        variant_texts=dict(help="Which two of the numbers are about a positive test? They do not depend on how many "
                           "are ill."),
    )  # fmt: skip


@parameters(found=FOUND, alarms=ALARMS)
def even(found, alarms):
    ratio = found / alarms
    return Exercise(
        "00/even",
        context=the_test(found, alarms),
        task="At which prevalence does one positive test make the illness exactly as probable as not?",
        expected=1 / (1 + ratio),
        mistakes=(
            Mistake(0.5, "At that prevalence the illness was as probable as not before the test."),
            Mistake(1 / ratio, "These are the odds that you need. Turn odds into a probability."),
            Mistake(share(ratio), "You swapped ill and well."),
            Mistake(alarms, "That is the rate of false alarms. When are both groups of positives equal?"),
        ),
        well_done="Prior odds times the likelihood ratio must be 1.",
        solution=f"answer = {alarms} / ({alarms} + {found})",
        help="At that prevalence as many ill as well people test positive. Or ask for the odds first.",
    )


@parameters(people=(500_000, 200_000, 1_000_000, 80_000), one_in=(10_000, 5_000, 20_000, 50_000))
def prosecutor(people, one_in):
    others = (people - 1) / one_in
    return Exercise(
        "00/prosecutor",
        task=f"One of the {people:,} inhabitants of a city left a trace. Its profile matches that person for "
        f"certain, and each of the others with probability 1/{one_in:,}. A driver who was stopped by chance matches. "
        "Nothing else speaks against him. What is P(left the trace | matches)?",
        expected=1 / (1 + others),
        mistakes=(
            Mistake(1 - 1 / one_in, "That is P(no match | did not leave it), the other way round: the prosecutor's "
                    "fallacy."),
            Mistake(1 / one_in, "That is P(match | did not leave it). How many others match?"),
            Mistake(1 / people, "That was so before the comparison."),
            Mistake(one_in / people, f"1/{people / one_in:g} forgets the one who left the trace: one more matches. If "
                    "you counted that person: give three significant digits."),
            Mistake(others, "So many others match by chance. What share of all who match left the trace?"),
            Mistake(1 + others, "So many people match in all. What share of them left it?"),
            Mistake(others / (1 + others), "That is the probability of the opposite."),
        ),
        well_done="About fifty others match as well. A match is strong evidence, but one in half a million is "
        "a small prior.",
        solution=f"others = {people - 1:_} / {one_in:_}\nanswer = 1 / (1 + others)",
        help="Count heads: who matches, in a city of this size?",
        variant_texts=dict(well_done="Others match as well. A match is strong evidence, but one in a whole city is a "
                           "small prior."),
    )  # fmt: skip


@parameters(rare=(10_000, 1_000, 5_000, 50_000, 200_000), found=FOUND, alarms=ALARMS)
def how_many(rare, found, alarms):
    tests, usual = (log(people - 1) / log(found / alarms) for people in (rare, 100))
    return Exercise(
        "00/how-many",
        context=the_test(found, alarms),
        task=f"Of a rarer illness one person in {rare:,} is ill. The test is as good as before. How many positive "
        "tests, independent ones, make it more probable than not?",
        expected=ceil(tests),
        mistakes=(
            Mistake(tests, "Tests come whole. After which one is the middle behind you?"),
            Mistake(int(tests), "After so many the middle of the ruler is still ahead.",
                    "After so many the illness is still less probable than not."),
            Mistake(ceil(usual), "That is how many it takes from one in a hundred.", page_only=True),
            Mistake(int(usual), "So many leave even the person from one in a hundred short of the middle, and this one "
                    "starts lower.", page_only=True),
            Mistake(ceil(rare * alarms / found), "You divided once. Every test multiplies the odds again, or adds an "
                    "arrow to their log."),
        ),
        well_done="A hundred times rarer, and it takes two positive tests more: the log odds count in factors.",
        solution=f"from math import ceil, log\n\nbefore, arrow = log(1 / {rare - 1:_}), log({found} / {alarms})\n"
        "answer = ceil(-before / arrow)",
        help="Where on the ruler does the person start, and how long is one arrow?",
        variant_texts=dict(
            well_done="Every test adds the same step to the log odds.",
            help="What are the log odds before any test, and how far does one positive test move them?",
        ),
    )  # fmt: skip


@parameters(repeated=(Fraction(1, 3), Fraction(1, 6), Fraction(1, 4), Fraction(2, 5)), ill=(1, 2, 5), found=FOUND,
            alarms=ALARMS)  # fmt: skip
def repeats(repeated, ill, found, alarms):
    p, r = ill / 100, float(repeated)

    def factor(r):
        return (r + (1 - r) * found) / (r + (1 - r) * alarms)

    def after(r):
        return factor(r) * found / alarms * p / (1 - p)

    return Exercise(
        "00/repeats",
        context=the_test(found, alarms),
        task=f"The second test repeats the first result with probability {repeated}, else it is a test of its own. "
        f"Both are positive, and the prevalence is {p:g}. What is P(ill)?",
        expected=share(after(r)),
        mistakes=(
            Mistake(share(after(0)), "That takes all second tests for tests of their own, as naive Bayes does."),
            Mistake(share(after(1)), "That takes all second tests for repeats."),
            Mistake(r * share(after(1)) + (1 - r) * share(after(0)), "You averaged two posteriors. Average within the "
                    "ill and within the well first: how many of each group are positive twice?"),
            Mistake(after(r), "These are the odds. Turn them into a probability."),
            Mistake(factor(r), "By so much the second test multiplies the odds. Multiply those after the first test, "
                    "and turn the odds into a probability."),
            Mistake(share(after(1 - r)), "You swapped the repeats and the tests of their own."),
        ),
        well_done=f"With a third of repeats the second test is worth a factor of {say(factor(r))}, where naive Bayes "
        f"counts {say(found / alarms)}.",
        solution=f"ill = {in_code(repeated)} * {found} + {in_code(1 - repeated)} * {found}**2\n"
        f"well = {in_code(repeated)} * {alarms} + {in_code(1 - repeated)} * {alarms}**2\n"
        f"answer = {p:g} * ill / ({p:g} * ill + {1 - p:g} * well)",
        help="Of a hundred ill people who are positive once, how many are positive again? And of a hundred such well "
        "people?",
        variant_texts=dict(well_done="With repeats the second test is worth less than the first, and naive Bayes "
                           "counts both alike."),
    )  # fmt: skip


CONTENTS = [
    Prediction(
        "00/positive",
        question=f"{the_test()} Somebody tests positive. How probable is it that this person is ill?",
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
    negative,
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
    odds,
    even,
    prosecutor,
    Prediction(
        "00/two-tests",
        context=the_test(),
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
        context=the_test(),
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
    how_many,
    Prediction(
        "00/repeated",
        context=the_test(),
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
    repeats,
]

"""Predictions and exercises of chapter 00, start here. Every expected value is computed, none is typed."""

from __future__ import annotations

from fractions import Fraction
from math import log

from scipy.special import expit

from workbook.chapters.c00_start_here.experiment import (
    FALSE_ALARMS,
    PREVALENCE,
    SENSITIVITY,
    again,
    chance,
    ill_given,
    log_odds_after,
)
from workbook.explorer.formatting import say
from workbook.questions.drawn import Drawn
from workbook.questions.exercises import Exercise, Mistake
from workbook.questions.predictions import Prediction
from workbook.questions.variants import in_code, in_words, parameters, percent, share

__all__ = ["CONTENTS"]

BETTER, FEWER = 0.99, 0.01  # a sensitivity and a rate of false alarms, each an improvement of the test


def the_test(found=SENSITIVITY, alarms=FALSE_ALARMS) -> str:
    """Describe a test that finds a share of the ill and has a share of false alarms."""
    return (
        f"One person in a hundred is ill. The test finds {percent(found)} of the ill, and it is wrongly positive for "
        f"{percent(alarms)} of those who are well."
    )


def ratio() -> float:
    """Return how many times as probable a positive test is for the ill."""
    return SENSITIVITY / FALSE_ALARMS


def after_two() -> float:
    """P(ill) after two independent positive tests: today's posterior is tomorrow's prior."""
    return ill_given(prevalence=ill_given())


def specificity_helps_more() -> float:
    """P(ill | positive) with fewer false alarms, over P(ill | positive) with a better sensitivity."""
    return ill_given(false_alarms=FEWER) / ill_given(sensitivity=BETTER)


def after_repeats(tests=2, repeated=1 / 3) -> float:
    """P(ill) after positive tests of which a share only repeats the first one."""
    return float(expit(log_odds_after(tests, PREVALENCE, repeated)))


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
            Mistake(lambda: 1 - ill_given(), "You took the rest of P(ill | positive), and of the first crowd. A "
                    "negative test has its own sum.", page_only=True),
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
    Prediction(
        "00/better-test",
        question=f"You may improve the test in one way: find {percent(BETTER)} of the ill in place of "
        f"{percent(SENSITIVITY)}, or give false alarms to {percent(FEWER)} of the well in place of "
        f"{percent(FALSE_ALARMS)}. Which raises P(ill | positive) more?",
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
    odds,
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

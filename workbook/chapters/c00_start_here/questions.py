"""Predictions and exercises of chapter 00, start here. Every expected value is computed, none is typed."""

from __future__ import annotations

import numpy as np

from nbcore.one_hot import categorical_posterior
from workbook.page.drawn import Drawn
from workbook.page.exercises import Exercise, Mistake, unanswered
from workbook.page.numbers import say
from workbook.page.predictions import Prediction

__all__ = ["CONTENTS"]

PREVALENCE, SENSITIVITY, FALSE_ALARMS = 0.01, 0.8, 0.096
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
    """P(ill | positive) with 1 % false alarms, over the same with a sensitivity of 99 %."""
    return ill_given(false_alarms=0.01) / ill_given(sensitivity=0.99)


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
        question="One person in a hundred is ill. The test finds 80 % of the ill, and it is wrongly positive for 9.6 % "
        "of those who are well. Somebody tests positive. How probable is it that this person is ill?",
        truth=ill_given,
        options={
            "about 80 %": lambda p: 0.6 < p < 0.95,
            "about 50 %": lambda p: 0.3 < p <= 0.6,
            "about 8 %": lambda p: 0.04 < p <= 0.3,
            "1 %, as before": lambda p: p <= 0.04,
        },
        reason=lambda p: (
            f"It is {say(p)}. The test finds most of the ill, but they are few. The 9.6 % are a share of "
            "the many who are well, and so most positive tests come from them."
        ),
    ),
    Exercise(
        "00/negative",
        task="The same test is negative. What is P(ill | negative)?",
        expected=lambda: ill_given(positive=False),
        mistakes=(
            Mistake(lambda: 1 - SENSITIVITY, "That is P(negative | ill). Ask the other way round: of all negatives?"),
            Mistake(
                lambda: 1 - ill_given(), "You took the rest of P(ill | positive). A negative test has its own sum."
            ),
            Mistake(
                lambda: PREVALENCE * (1 - SENSITIVITY),
                "That is the share of all people who are ill and negative. Divide by the share of all negatives.",
            ),
            Mistake(
                lambda: (1 - SENSITIVITY) / (1 - SENSITIVITY + 1 - FALSE_ALARMS),
                "You compared the two likelihoods without the prior. How many are ill in the first place?",
            ),
        ),
        well_done="The prior was small already, and a negative test made it about four times smaller.",
        solution="ill, well = 0.01 * 0.2, 0.99 * 0.904\nanswer = ill / (ill + well)",
        help="Count on 100,000 people: how many are ill and negative, how many are well and negative?",
    ),
    Exercise(
        "00/posterior",
        task="Write posterior(prior, likelihood) for any number of classes. Both are arrays of shape (C,): P(c) and "
        "P(x | c). It returns P(c | x), shape (C,).",
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
                lambda prior, likelihood: prior + likelihood / (prior + likelihood).sum(),
                "Probabilities of 'this and that' are multiplied.",
            ),
        ),
        well_done="This line is Bayes' rule, and the whole book stands on it.",
        solution="def answer(prior, likelihood):\n    joint = prior * likelihood\n    return joint / joint.sum()",
        evaluate=on_cases,
        returns="an array with one probability for each class",
        help="Multiply prior and likelihood, class by class. Then make the results sum to one.",
    ),
    Prediction(
        "00/better-test",
        question="You may improve the test in one way: find 99 % of the ill in place of 80 %, or give false alarms to "
        "1 % of the well in place of 9.6 %. Which makes a positive result mean more?",
        truth=specificity_helps_more,
        options={
            "finding 99 % of the ill": lambda x: x < 0.8,
            "both alike": lambda x: 0.8 <= x <= 1.25,
            "fewer false alarms": lambda x: x > 1.25,
        },
        reason=lambda x: (
            f"P(ill | positive) becomes {say(ill_given(false_alarms=0.01))} with fewer false alarms and "
            f"{say(ill_given(sensitivity=0.99))} with the better finder. What counts is the ratio of the two shares: "
            "0.096 leaves far more room than 0.8."
        ),
    ),
    Exercise(
        "00/odds",
        task="By what factor does a positive test multiply the odds of being ill?",
        expected=ratio,
        mistakes=(
            Mistake(
                lambda: ill_given() / PREVALENCE, "That is the factor of the probability. Odds are P(ill) / P(well)."
            ),
            Mistake(lambda: SENSITIVITY / (1 - FALSE_ALARMS), "0.904 is about well people with a negative test."),
            Mistake(lambda: FALSE_ALARMS / SENSITIVITY, "The other way round: these are the odds of being well."),
            Mistake(lambda: SENSITIVITY / (1 - SENSITIVITY), "Both are shares of the ill. Compare ill with well."),
        ),
        well_done="This factor is the likelihood ratio. It belongs to the test, whoever takes it.",
        solution="answer = 0.8 / 0.096",
        help="Divide P(positive | ill) by P(positive | well).",
    ),
    Exercise(
        "00/even",
        task="At which prevalence does a positive result leave it at fifty-fifty?",
        expected=lambda: 1 / (1 + ratio()),
        mistakes=(
            Mistake(lambda: 0.5, "At that prevalence it was fifty-fifty before the test."),
            Mistake(lambda: 1 / ratio(), "These are the odds that you need. Turn odds into a probability."),
            Mistake(
                lambda: ratio() / (1 + ratio()),
                "You swapped ill and well.",
            ),
            Mistake(
                lambda: FALSE_ALARMS,
                "That is the rate of false alarms. When are both groups of positives equal?",
            ),
        ),
        well_done="Prior odds times the likelihood ratio must be 1.",
        solution="answer = 0.096 / (0.096 + 0.8)",
        help="Let p be the prevalence. Set p times 0.8 equal to (1 - p) times 0.096.",
    ),
    Prediction(
        "00/two-tests",
        question="The person takes a second test of the same kind, and it is positive too. Suppose that two tests of "
        "one person err independently. How probable is the illness now? Put the third bar.",
        truth=after_two,
        drawn=Drawn(
            {"before any test": lambda: PREVALENCE, "after one": ill_given, "after two": after_two},
            y="P(ill)",
            given=2,
        ),
        reason=lambda p: (
            f"Each test multiplies the odds by {say(ratio())}, from about 1 to 99 to about 1 to 12, and then to about "
            f"2 to 3, which is {say(p)}."
        ),
    ),
]

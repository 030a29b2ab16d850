"""Chapter 00: the test of the page, and what several of its results are worth."""

from __future__ import annotations

from math import ceil, log10

import numpy as np

from nbcore.one_hot import categorical_posterior
from workbook.explorer.formatting import say, typeset

__all__ = [
    "FALSE_ALARMS", "LIKELIHOOD", "PREVALENCE", "SENSITIVITY", "again", "chance", "count_people", "ill_given",
    "log_odds_after",
]  # fmt: skip

PREVALENCE, SENSITIVITY, FALSE_ALARMS = 0.01, 0.8, 0.096
LIKELIHOOD = np.array([SENSITIVITY, FALSE_ALARMS])  # P(positive), of the ill and of the well


def ill_given(positive=True, prevalence=PREVALENCE, sensitivity=SENSITIVITY, false_alarms=FALSE_ALARMS) -> float:
    """Return P(ill | positive), or P(ill | negative), by Bayes' rule."""
    theta = [[sensitivity, 1 - sensitivity], [false_alarms, 1 - false_alarms]]
    return float(categorical_posterior(theta, [prevalence, 1 - prevalence])[0, 0 if positive else 1])


def count_people(people: int, rate: float) -> int:
    """Return how many of some people a rate of whole per milles makes, rounded to whole people, half a person up."""
    return (people * round(1000 * rate) + 500) // 1000


def again(repeated: float) -> np.ndarray:
    """Return P(a further test is positive | the first one was), of the ill and of the well, (2,).

    repeated: how probable it is that a further test only repeats the first result; else it is a test of its own. Then
    P(two positives | c) = repeated * s + (1 - repeated) * s**2 with s = P(positive | c). Within a group `repeated` is
    the correlation of the first result with a further one; that of two further ones is its square.
    """
    return repeated + (1 - repeated) * LIKELIHOOD


def log_odds_after(tests, prevalence: float, repeated: float = 0.0) -> np.ndarray:
    """Return the log odds of being ill after so many positive tests (a number or an array, 0 before any test)."""
    tests = np.asarray(tests)
    first, further = np.log(LIKELIHOOD[0] / LIKELIHOOD[1]), np.log(np.divide(*again(repeated)))
    return np.log(prevalence / (1 - prevalence)) + np.minimum(tests, 1) * first + np.maximum(tests - 1, 0) * further


def chance(p: float) -> str:
    """Write a probability in three significant digits, near certainty in as many decimals as show what is missing."""
    return f"{p:.{ceil(-log10(1 - p))}f}" if 0.995 <= p < 1 else typeset(say(p))

"""Predictions and exercises of chapter 05, perplexity and attenuation. Every expected value is computed."""

from __future__ import annotations

from functools import partial
from math import prod

import numpy as np

from nbcore.perplexed import arithmetic_posterior, attenuated_posterior, inverse_perplexity, perplexity
from workbook.chapters.names import LONGEST, names_split
from workbook.page.drawn import Drawn
from workbook.page.exercises import Exercise, Mistake
from workbook.page.numbers import say
from workbook.page.predictions import Prediction

from .experiment import EQ_19, NAIVE, held_out_posteriors

__all__ = ["CONTENTS"]

COPIES, STRENGTH, RARE = 3, 3.0, 0.2  # of "05/copies-outvote": three copies, 3 to 1 for A, P(A) = 1/5
PARTS = [1 / 2, 1 / 16, 1 / 2]
SMALL = np.array([[0.4, 0.1], [0.2, 0.25], [0.5, 0.1]])  # P(f_i | A), P(f_i | B)
SMALL_PRIOR = np.array([0.25, 0.75])
LIKELIHOOD, PRIOR, N = 1.6, -0.5, 12  # log odds, and the number of features, of "05/border"
LETTERS = np.array([[0.05, 0.1], [0.004, 0.0005]])
EVEN = np.array([0.5, 0.5])


def sure_and_wrong() -> float:
    """Share of wrong decisions among the test names of which naive Bayes is more than 99 % sure."""
    posterior, y = held_out_posteriors(NAIVE, LONGEST), names_split(LONGEST).test.y
    sure = posterior.max(axis=1) > 0.99
    return float(np.mean(posterior.argmax(axis=1)[sure] != y[sure]))


def changed_by_eq_8() -> float:
    """Test names that eq. (8), which is eq. (19) at k = 1, decides otherwise than naive Bayes."""
    naive, root = (held_out_posteriors(rule, LONGEST, 1.0).argmax(axis=1) for rule in (NAIVE, EQ_19))
    return float(np.sum(naive != root))


def copied(n: float, prior_root: float = 1.0, prior: float = RARE) -> float:
    """P(A) if n copies count, 3 to 1 each, and the prior odds prior_root times."""
    odds = STRENGTH**n * (prior / (1 - prior)) ** prior_root
    return odds / (1 + odds)


def equally_sure(n: int) -> float:
    """Eq. (20) at k = 2.5 for a name with n n-grams of which naive Bayes is 97 % sure."""
    return float(attenuated_posterior(np.log([0.97, 0.03]), np.log(EVEN), n, 2.5)[0])


def exact_k() -> float:
    """The k of eq. (19) that is right for four copies of each of three features."""
    likelihood, prior = np.log(SMALL).sum(axis=0), np.log(SMALL_PRIOR)
    truth = attenuated_posterior(likelihood, prior, 3, 3, "exact")
    of_copies = [attenuated_posterior(4 * likelihood, prior, 12, k, "exact") for k in range(1, 13)]
    return float(1 + np.abs(of_copies - truth).sum(axis=1).argmin())


def small(k: float, n: int, rule: str = "approximate") -> float:
    """P(A) of the three features, as if there were n."""
    return float(attenuated_posterior(np.log(SMALL).sum(axis=0), np.log(SMALL_PRIOR), n, k, rule)[0])


def small_n_plus_one_for_the_likelihood() -> float:
    """The slip of taking the root k/(n+1) of the likelihood alone."""
    joint = SMALL.prod(axis=0) ** (1 / 4) * SMALL_PRIOR
    return float(joint[0] / joint.sum())


def attenuated(log_likelihood, log_prior, n, k, low=1.0, extra=1, most=1):
    """Eq. (20) with k kept between `low` and n + `most`, and the root k / (n + `extra`)."""
    k = min(max(k, low), n + most)
    score = k / (n + extra) * (np.asarray(log_likelihood) + log_prior)
    p = np.exp(score - score.max())
    return p / p.sum()


def attenuated_likelihood(log_likelihood, log_prior, n, k):
    """The slip of tempering the likelihood only."""
    score = min(max(k, 1), n + 1) / (n + 1) * np.asarray(log_likelihood) + log_prior
    p = np.exp(score - score.max())
    return p / p.sum()


CASES = [
    ([-4.0, -6.0], [0.25, 0.75], 3, 2.0),
    ([-900.0, -903.0, -910.0], [0.2, 0.3, 0.5], 24, 2.5),
    ([-5.0, -4.0], [0.4, 0.6], 2, 50.0),
    ([-5.0, -4.0], [0.4, 0.6], 4, 0.1),
]


def attenuated_answers(function):
    """A learner's function inside the range of k, beyond its two ends, and where likelihoods round to 0."""
    answers = []
    for log_likelihood, prior, n, k in CASES:
        said = function(np.array(log_likelihood), np.log(prior), n, k)
        if said is None or said is ...:
            return [None]
        answers += np.broadcast_to(np.asarray(said, dtype=float), len(prior)).tolist()
    return answers


CONTENTS = [
    Prediction(
        "05/sure",
        question="Naive Bayes guesses the sex of 1,440 names that it has never seen. Of most of them it is more than "
        "99 % sure. How many of these sure ones are wrong?",
        options={
            "fewer than 1 in 100, as it promises": lambda share: share < 0.01,
            "about 1 in 40": lambda share: 0.01 <= share < 0.05,
            "about 1 in 10": lambda share: 0.05 <= share < 0.2,
            "about 1 in 3": lambda share: share >= 0.2,
        },
        truth=sure_and_wrong,
        reason=lambda share: (
            f"{say(100 * share)} in 100 are wrong. Whoever says “99 %” and means it is wrong at most once in a hundred."
        ),
    ),
    Prediction(
        "05/copies",
        question="One look at a feature favours class A by 3 to 1, and the prior is even, so P(A | the feature) = 3/4. "
        "Now the same feature stands in the table two, three, four, five times, under as many names. What does naive "
        "Bayes say each time? Draw the line.",
        truth=lambda: copied(5, prior=0.5),
        drawn=Drawn(
            {f"{n}": partial(copied, n, prior=0.5) for n in range(1, 6)},
            y="P(A | the feature, n times)",
            x="n",
            given=1,
        ),
        reason=lambda p: (
            f"{say(p, 4)}, odds of 243 to 1. It multiplies, 3 · 3 · 3 · 3 · 3, and does not add up to 15. The truth is "
            "still 3 to 1."
        ),
    ),
    Exercise(
        "05/copies-outvote",
        task="Class A has the prior 1/5. A feature favours A by 3 to 1. It stands in the table three times. What does "
        "naive Bayes say for P(A | the three copies)?",
        expected=lambda: copied(COPIES),
        mistakes=(
            Mistake(
                lambda: copied(1), "That is the truth: the copies say nothing new. What does naive Bayes make of it?"
            ),
            Mistake(lambda: copied(COPIES, 0), "The three votes are there. Where did the prior go?"),
            Mistake(lambda: copied(COPIES, COPIES), "The prior is no feature: it counts once, however many copies."),
            Mistake(lambda: 9 / 4 / (1 + 9 / 4), "You added the votes: 3 + 3 + 3. Naive Bayes multiplies likelihoods."),
            Mistake(lambda: 27 / 4, "Those are the odds, A to B. Turn them into a probability."),
        ),
        well_done="One look leaves B ahead. Three copies of that look decide for A, and wrongly.",
        solution="odds = 3**3 * (1 / 5) / (4 / 5)\nanswer = odds / (1 + odds)",
    ),
    Prediction(
        "05/which-k",
        question="An item has twelve features: three that are different, independent of each other within a class, and "
        "four copies of each. At one k equation (19) gives the true posterior. At which?",
        options={
            "k = 1, the geometric mean": lambda k: k == 1,
            "k = 3": lambda k: k == 3,
            "k = 4": lambda k: k == 4,
            "k = 12, all of them": lambda k: k == 12,
        },
        truth=exact_k,
        reason=lambda k: (
            f"k = {k:.0f}. The exponent k/12 has to turn each factor's fourth power into its first, so it must be 1/4."
        ),
    ),
    Exercise(
        "05/geometric-mean",
        task="A class gives the three features of an item the probabilities 1/2, 1/16 and 1/2. What is P(x | c) by "
        "equation (7)?",
        expected=lambda: inverse_perplexity(PARTS),
        mistakes=(
            Mistake(lambda: prod(PARTS), "That is naive Bayes' product. Which root of it does equation (7) take?"),
            Mistake(lambda: float(np.mean(PARTS)), "That is the arithmetic mean. Multiply, then take the root."),
            Mistake(lambda: perplexity(PARTS), "That is the perplexity. Equation (7) uses its reciprocal."),
            Mistake(lambda: prod(PARTS) ** 0.5, "You took the square root. How many features are there?"),
        ),
        well_done="As if every feature had had this same probability: a fair die with that many faces, thrown once.",
        solution="answer = (1 / 2 * 1 / 16 * 1 / 2) ** (1 / 3)",
    ),
    Prediction(
        "05/flips",
        question="Equation (8) takes a root of the likelihood and multiplies by the prior. Compare it with naive Bayes "
        "on 1,440 test names. How many decisions are different?",
        options={
            "none: a root changes no order": lambda n: n == 0,
            "up to 50": lambda n: 0 < n <= 50,
            "more than 100": lambda n: n > 100,
        },
        truth=changed_by_eq_8,
        reason=lambda n: (
            f"{n:.0f} names change sides. A root of a number keeps the order. But only the likelihood shrinks here; "
            "the prior does not, so it weighs more than before."
        ),
    ),
    Exercise(
        "05/eq-20",
        task="Two classes with priors P(A) = 0.25 and P(B) = 0.75. An item has three features; class A gives them the "
        "probabilities 0.4, 0.2, 0.5 and class B 0.1, 0.25, 0.1. What is P(A | x) by equation (20) with k = 1?",
        expected=lambda: small(1.0, 3),
        mistakes=(
            Mistake(
                lambda: small(1.0, 2), "You took the root with n. Equation (20) has n + 1: the prior is a factor too."
            ),
            Mistake(
                lambda: small(1.0, 3, "exact"),
                "You took the root of the likelihood only. That is equation (19), and it decides for the other class.",
            ),
            Mistake(
                small_n_plus_one_for_the_likelihood,
                "The exponent is right. But in equation (20) it stands outside the bracket with the prior.",
            ),
            Mistake(lambda: small(4.0, 3), "That is naive Bayes. Where is the root?"),
            Mistake(
                lambda: float(arithmetic_posterior(SMALL, SMALL_PRIOR)[0]),
                "You added the likelihoods. That is equation (15).",
            ),
        ),
        well_done="Class A, as naive Bayes says, with less confidence. Equation (19) would have said B.",
        solution="A = 0.25 * 0.4 * 0.2 * 0.5\nB = 0.75 * 0.1 * 0.25 * 0.1\nodds = (A / B) ** (1 / 4)\n"
        "answer = odds / (1 + odds)",
    ),
    Exercise(
        "05/border",
        task="A name has 12 n-grams. Together they favour male by log odds of 1.6. The prior favours female, by "
        "0.5. Naive Bayes says male. Above which k does equation (19) say male too?",
        expected=lambda: N * -PRIOR / LIKELIHOOD,
        mistakes=(
            Mistake(lambda: (N + 1) * -PRIOR / LIKELIHOOD, "You divided k by n + 1. That belongs to equation (20)."),
            Mistake(lambda: N * LIKELIHOOD / -PRIOR, "Upside down: where the prior is weak, a small k is enough."),
            Mistake(lambda: -PRIOR / LIKELIHOOD, "That is k/n. How large is k?"),
            Mistake(lambda: N, "There equation (19) is naive Bayes. It says male before that."),
        ),
        well_done="Below that k the prior decides alone. In equation (20) there is no such border.",
        solution="answer = 12 * 0.5 / 1.6",
    ),
    Prediction(
        "05/same-k",
        question="Naive Bayes is 97 % sure of two names. One has 9 known n-grams, the other 34. Equation (20) gets the "
        "same k = 2.5 for both. Of which name is it surer?",
        options={
            "the short one": lambda gap: gap > 0.01,
            "neither: they were equally sure before": lambda gap: abs(gap) <= 0.01,
            "the long one: more evidence": lambda gap: gap < -0.01,
        },
        truth=lambda: equally_sure(9) - equally_sure(34),
        reason=lambda gap: (
            f"{say(equally_sure(9))} for the short name, {say(equally_sure(34))} for the long one. The exponent is "
            "k/(n + 1), and n is each name's own. The long name had to share its vote among more n-grams."
        ),
    ),
    Exercise(
        "05/temperature",
        task="Equation (20) with k = 2.5 for a name with 24 n-grams. By which temperature T are its log numerators "
        "divided?",
        expected=lambda: 25 / 2.5,
        mistakes=(
            Mistake(lambda: 24 / 2.5, "You forgot that the prior counts as one factor more."),
            Mistake(lambda: 2.5 / 25, "That is the exponent. T divides."),
            Mistake(lambda: 25 * 2.5, "A larger k means less attenuation, so a lower temperature."),
            Mistake(lambda: 2.5 / 24, "That is the exponent of equation (19)."),
        ),
        well_done="A name of two letters gets a far lower temperature at the same k. That is the per-item n.",
        solution="answer = (24 + 1) / 2.5",
    ),
    Exercise(
        "05/attenuate",
        task="Write attenuated(log_likelihood, log_prior, n, k): the posterior of equation (20), as an array, from "
        "arrays of log P(x | c) and log P(c), one entry for each class. Where k lies outside its range, below 1 or "
        "above n + 1, use the nearest end. It must also work where exp(log_likelihood) rounds to 0.",
        expected=attenuated,
        evaluate=attenuated_answers,
        returns="an array with one number for each class",
        mistakes=(
            Mistake(
                lambda S, log_prior, n, k: attenuated(S, log_prior, n, k, low=0.0, most=1e9),
                "The formula is right. Now keep k between 1 and n + 1.",
            ),
            Mistake(
                lambda S, log_prior, n, k: attenuated(S, log_prior, n, k, most=0),
                "You stopped k at n. Equation (20) is naive Bayes one step later.",
            ),
            Mistake(
                lambda S, log_prior, n, k: attenuated(S, log_prior, n, k, extra=0),
                "You took k / n. In equation (20) the prior is one factor more.",
            ),
            Mistake(
                attenuated_likelihood,
                "You tempered the likelihood only. In equation (20) the exponent covers the prior too.",
            ),
        ),
        well_done="Five lines, and no decision of any classifier that you put before it ever changes.",
        solution="import numpy as np\n\n\ndef attenuated(log_likelihood, log_prior, n, k):\n"
        "    k = min(max(k, 1), n + 1)\n    score = k / (n + 1) * (log_likelihood + log_prior)\n"
        "    p = np.exp(score - score.max())\n    return p / p.sum()\n\n\nanswer = attenuated",
        help="Try it by hand with n = 3, k = 2, two equal priors and log likelihoods of -800 and "
        "-801. Which step loses the numbers?",
    ),
    Prediction(
        "05/argument",
        question="Copies of one feature agree about the class, exactly as equation (10) demands. From (10) the paper "
        "concludes P(c | x) = P(c): the features say nothing about the class. Take copies that favour A by 3 to 1 and "
        "an even prior. How far is P(A | x) from P(A)?",
        options={
            "0, as the paper proves": lambda gap: gap < 0.01,
            "about 0.1": lambda gap: 0.01 <= gap < 0.2,
            "0.25 or more": lambda gap: gap >= 0.2,
        },
        truth=lambda: copied(1, prior=0.5) - 0.5,
        reason=lambda gap: (
            f"P(A | x) = 3/4, P(A) = 1/2: a gap of {say(gap)}. The copies meet (10) and still say a lot. So there is a "
            "gap in the argument; look for the word “constant”."
        ),
    ),
    Exercise(
        "05/arithmetic",
        task="Two classes, equally probable. A name has two known n-grams. The letter a: P(f | A) = 0.05, P(f | B) = "
        "0.1. The rare n-gram ford: P(f | A) = 0.004, P(f | B) = 0.0005. What is P(A | x) by equation (15) corrected, "
        "the plain mean of the P(A | f)?",
        expected=lambda: float(arithmetic_posterior(LETTERS, EVEN, LETTERS @ EVEN)[0]),
        mistakes=(
            Mistake(
                lambda: float(arithmetic_posterior(LETTERS, EVEN)[0]),
                "That is equation (15) as printed: the common letter drowns the rare one. Divide each by its P(f).",
            ),
            Mistake(
                lambda: float(attenuated_posterior(np.log(LETTERS).sum(axis=0), np.log(EVEN), 2, 1.0, "exact")[0]),
                "That is the geometric mean, equation (8).",
            ),
            Mistake(
                lambda: float(attenuated_posterior(np.log(LETTERS).sum(axis=0), np.log(EVEN), 2, 3.0)[0]),
                "That is naive Bayes, a product.",
            ),
            Mistake(
                lambda: float(np.mean(LETTERS[:, 0] / LETTERS.sum(axis=1)) * 2),
                "You took P(f | A) / P(f). The prior P(A) is missing.",
            ),
        ),
        well_done="As printed, B wins, because a is common. The rare n-gram knows better, and now it is heard.",
        solution="a = 0.5 * 0.05 / (0.5 * 0.05 + 0.5 * 0.1)\nford = 0.5 * 0.004 / (0.5 * 0.004 + 0.5 * 0.0005)\n"
        "answer = (a + ford) / 2",
    ),
]

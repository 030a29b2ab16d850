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

from .experiment import EQ_19, NAIVE, groups_of, held_out_posteriors

__all__ = ["CONTENTS"]

COPIES, STRENGTH, RARE = 3, 3.0, 0.2  # of "05/copies-outvote": three copies, 3 to 1 for A, P(A) = 1/5
PARTS = [1 / 2, 1 / 32, 1 / 4]
SMALL = np.array([[0.4, 0.1], [0.2, 0.25], [0.5, 0.1]])  # P(f_i | A), P(f_i | B)
SMALL_PRIOR = np.array([0.25, 0.75])
LIKELIHOOD, PRIOR, N = 1.6, -0.5, 12  # log odds, and the number of features, of "05/border"
LETTERS = np.array([[0.05, 0.1], [0.004, 0.0005]])
EVEN = np.array([0.5, 0.5])
COLUMNS = (  # of "05/which-m": what each says of a name
    lambda name: name[-1] == "a",
    lambda name: name[-1] != "a",
    lambda name: name.endswith("a"),
    lambda name: len(name) > 6,
    lambda name: len(name) <= 6,
    lambda name: len(name) >= 7,
)
ITEMS = "aa", "ab", "cb", "bd", "dc", "ec"  # of "05/groups": the values of two features
BRIDGED = ("aa", "ab", "bb"), ("cc", "dc", "dd"), ("bc",)  # of "05/bridge": two groups, and what joins them
TEMPERED, SHORTER, HOT = 24, 9, 10.0  # of "05/temperature": two numbers of n-grams, and T of the first


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


def different_columns() -> int:
    """How many of COLUMNS part the names in a way of their own: a column and its negation part them alike."""
    names = ["a" * length + end for length in range(1, 12) for end in "ab"]
    return len({frozenset([told, tuple(not yes for yes in told)])
                for told in (tuple(column(name) for name in names) for column in COLUMNS)})  # fmt: skip


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


def powers(log_likelihood, log_prior, n, k):
    """The logs of the numerators of eq. (20), k kept in its range."""
    return min(max(k, 1), n + 1) / (n + 1) * (np.asarray(log_likelihood) + log_prior)


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
            Mistake(
                lambda: 27 / 5 / (1 + 27 / 5),
                "You took the prior as odds of 1 to 5. A probability of 1/5 leaves how much for B?",
            ),
            Mistake(
                lambda: RARE * 0.75**COPIES,
                "That is the numerator of A. Divide by the numerators of both classes together.",
            ),
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
        task="A class gives the three features of an item the probabilities 1/2, 1/32 and 1/4. What is P(x | c) by "
        "equation (7)?",
        expected=lambda: inverse_perplexity(PARTS),
        mistakes=(
            Mistake(lambda: prod(PARTS), "That is naive Bayes' product. Which root of it does equation (7) take?"),
            Mistake(lambda: float(np.mean(PARTS)), "That is the arithmetic mean. Multiply, then take the root."),
            Mistake(lambda: perplexity(PARTS), "That is the perplexity. Equation (7) uses its reciprocal."),
            Mistake(lambda: prod(PARTS) ** 0.5, "You took the square root. How many features are there?"),
            Mistake(
                lambda: prod(PARTS) ** 0.25,
                "You took the fourth root. There is no prior in equation (7): how many factors are there?",
            ),
            Mistake(lambda: prod(PARTS) / 3, "You divided by n. The geometric mean takes the n-th root."),
        ),
        well_done="Its reciprocal is the perplexity, nearly 6.35: as if each feature were one face of a die with so "
        "many faces.",
        solution="answer = (1 / 2 * 1 / 32 * 1 / 4) ** (1 / 3)",
    ),
    Exercise(
        "05/which-m",
        task="A table has six columns, and says of every name: it ends in a; it does not end in a; it ends in a (the "
        "first column under another title); it has more than six letters; it has at most six letters; it has seven "
        "letters or more. Within a class ending and length are independent. Naive Bayes takes all six columns. At "
        "which k is equation (19) exact?",
        expected=different_columns,
        mistakes=(
            Mistake(lambda: len(COLUMNS), "That is all columns, and naive Bayes. Are they all different?"),
            Mistake(lambda: 5, "One column is the first under another title. Look for others that tell nothing new."),
            Mistake(lambda: 4, "Whoever knows that a name ends in a knows what the column “does not end in a” says."),
            Mistake(lambda: 3, "So often does each piece of news stand in the table. How many pieces are there?"),
            Mistake(lambda: 1, "That would be right if all six columns were copies of a single one."),
            Mistake(lambda: different_columns() / len(COLUMNS), "That is the exponent k/n. How large is k?"),
        ),
        well_done="What counts is what a column tells, not what it is called. And each piece of news has to stand in "
        "the table equally often: else no single k is right for every name.",
        solution="# each column is the ending or the length\nanswer = 2",
        help="Cover one column. Can you fill it in from the others?",
    ),
    Prediction(
        "05/flips",
        question="Equation (8) takes a root of the likelihood and multiplies by the prior. Compare it with naive Bayes "
        "on 1,440 test names. How many decisions are different?",
        options={
            "none: a root changes no order": lambda n: n == 0,
            "up to 50": lambda n: 0 < n <= 50,
            "51 to 100": lambda n: 50 < n <= 100,
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
            Mistake(lambda: 4, "Nearly. k need not be a whole number, and nor need the border."),
            Mistake(lambda: LIKELIHOOD / -PRIOR, "So many times stronger are the n-grams. What may k/n be at least?"),
            Mistake(lambda: N * -PRIOR, "The prior is in there, and n. Where is the strength of the n-grams?"),
        ),
        well_done="Below that k the prior wins. In equation (20) there is no such border.",
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
        task="At some k equation (20) divides the log numerators of a name with 24 n-grams by the temperature T = 10. "
        "By which temperature does it divide those of a name with 9 n-grams, at the same k?",
        expected=lambda: HOT * (SHORTER + 1) / (TEMPERED + 1),
        mistakes=(
            Mistake(lambda: HOT * SHORTER / TEMPERED, "You forgot that the prior counts as one factor more."),
            Mistake(lambda: HOT, "The k is the same. T has the name's own n in it."),
            Mistake(lambda: HOT * (TEMPERED + 1) / (SHORTER + 1), "Upside down: is T higher where n is small?"),
            Mistake(lambda: (TEMPERED + 1) / HOT, "That is k, by the longer name. Now the shorter one."),
            Mistake(lambda: (TEMPERED + 1) / HOT / (SHORTER + 1), "That is the exponent, k/(n + 1). T divides."),
        ),
        well_done="One k, and the shorter name is cooled far less. That is the per-item n.",
        solution="k = (24 + 1) / 10\nanswer = (9 + 1) / k",
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
            Mistake(
                lambda S, log_prior, n, k: attenuated(S, log_prior, n, k, extra=0, most=0),
                "You took k / n, and stopped k at n: that is the range of equation (19).",
            ),
            Mistake(
                lambda S, log_prior, n, k: np.exp(powers(S, log_prior, n, k)),
                "Your numbers do not sum to 1. What is Z?",
            ),
            Mistake(
                lambda S, log_prior, n, k: np.exp(powers(S, log_prior, n, k) - powers(S, log_prior, n, k).max()),
                "The largest is 1 in every case: you have subtracted the largest. Now make them sum to 1.",
            ),
            Mistake(
                lambda S, log_prior, n, k: np.log(attenuated(S, log_prior, n, k)),
                "All of them are below 0: those are the logs of the posterior.",
            ),
            Mistake(
                lambda S, log_prior, n, k: powers(S, log_prior, n, k),
                "All of them are below 0: those are logs of numerators. A posterior is still to come.",
            ),
        ),
        well_done="Five lines, and no decision of any classifier that you put before it ever changes.",
        solution="import numpy as np\n\n\ndef attenuated(log_likelihood, log_prior, n, k):\n"
        "    k = min(max(k, 1), n + 1)\n    score = k / (n + 1) * (log_likelihood + log_prior)\n"
        "    p = np.exp(score - score.max())\n    return p / p.sum()\n\n\nanswer = attenuated",
        help="Print what your function makes of n = 3, k = 2, two equal priors and log likelihoods of -4 and -6. Does "
        "it sum to 1? Is it naive Bayes at k = 4?",
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
    Prediction(
        "05/bridge",
        question="Six items can occur, in two groups: aa, ab, bb share no value with cc, dc, dd (the first letter is "
        "f₁, the second f₂). Equation (10) holds, with P(A | x) = 0.8 in the first group and 0.3 in the second. Now a "
        "seventh item becomes possible: bc. Equation (10) shall hold again. How many different values can P(A | x) "
        "take?",
        options={
            "two, as before: one item more changes little": lambda groups: groups == 2,
            "three: the new item may have one of its own": lambda groups: groups == 3,
            "one, for all seven items": lambda groups: groups == 1,
        },
        truth=lambda: float(len(groups_of(sum(BRIDGED, ())))),
        reason=lambda groups: (
            f"The groups are now {groups:.0f}. bc shares b with ab and bb, whose posterior is P(A | f₁ = b), so it has "
            "that posterior. It shares c with cc and dc in the same way. One item has tied 0.8 to 0.3."
        ),
    ),
    Exercise(
        "05/groups",
        task="Six items can occur: aa, ab, cb, bd, dc, ec. The first letter is the value of f₁, the second that of f₂. "
        "Equation (10) holds. How many different posteriors P(A | x) can there be at most?",
        expected=lambda: len(groups_of(ITEMS)),
        mistakes=(
            Mistake(lambda: len(ITEMS), "One for each item. But aa and ab share their first letter."),
            Mistake(lambda: len(set("".join(ITEMS))), "So many letters there are. Which items do they connect?"),
            Mistake(
                lambda: len({item[1] for item in ITEMS}),
                "So many values f₂ has. Items that share a value of f₁ are tied as well.",
            ),
            Mistake(
                lambda: 1,
                "You let a letter connect wherever it stands. b as f₁ and b as f₂ are two different things.",
            ),
            Mistake(
                lambda: sum(len(group) > 1 for group in groups_of(ITEMS)),
                "An item that shares nothing with any other is a group as well.",
            ),
        ),
        well_done="aa and cb share nothing, and are tied all the same: ab stands between them.",
        solution="# aa, ab, cb; bd; dc, ec\nanswer = 3",
        help="Draw the letters twice, those of f₁ left and those of f₂ right, and an item as a line. What is tied?",
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

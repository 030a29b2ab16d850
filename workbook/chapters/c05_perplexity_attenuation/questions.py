"""Predictions and exercises of chapter 05, perplexity and attenuation. Every expected value is computed."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache, partial
from math import log, prod

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_predict

from nbcore.naive_bayes import GaussianNB
from nbcore.perplexed import attenuated_posterior
from workbook.chapters.names import LONGEST, names_split
from workbook.explorer.formatting import say
from workbook.questions.exercises import Exercise, Mistake
from workbook.questions.predictions import Prediction
from workbook.questions.variants import in_code, in_words, parameters, share

from .experiment import CUTS, EQ_19, NAIVE, groups_of, held_out_posteriors, measure_cut

__all__ = ["CONTENTS"]

DEEPER = "05/partial"  # with which page 05b begins

STRENGTH = 3.0  # odds of a feature that is copied
SMALL = np.array([[0.4, 0.1], [0.2, 0.25], [0.5, 0.1]])  # P(f_i | A), P(f_i | B)
SMALL_PRIOR = np.array([0.25, 0.75])
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
BELOW_0 = "All of them are below 0: those are logs of"
ROOT_19 = "root of the likelihood: P(c | x) = P(c) (P(f₁ | c) ⋯ P(fₙ | c))^(k / n) / Z"
ROOT_20 = "root of everything: P(c | x) = (P(c) P(f₁ | c) ⋯ P(fₙ | c))^(k / (n + 1)) / Z"
EQ_10 = "each feature alone says all: P(c | x) = P(c | f) for every feature f of x"
ARGUMENT = f"{EQ_10}\nso P(c | x) is a constant u\nP(c) = Σ P(c | x) P(x) = u\nso x says nothing about c"


def sure_and_wrong() -> float:
    """Share of wrong decisions among the test names of which naive Bayes is more than 99 % sure."""
    posterior, y = held_out_posteriors(NAIVE, LONGEST), names_split(LONGEST).test.y
    sure = posterior.max(axis=1) > 0.99
    return float(np.mean(posterior.argmax(axis=1)[sure] != y[sure]))


def changed_by_eq_8() -> float:
    """Count the test names that the root of the likelihood at k = 1 decides otherwise than naive Bayes."""
    naive, root = (held_out_posteriors(rule, LONGEST, 1.0).argmax(axis=1) for rule in (NAIVE, EQ_19))
    return float(np.sum(naive != root))


def equally_sure(n: int) -> float:
    """Eq. (20) at k = 2.5 for a name with n n-grams of which naive Bayes is 97 % sure."""
    return float(attenuated_posterior(np.log([0.97, 0.03]), np.log(EVEN), n, 2.5)[0])


def different_columns() -> int:
    """How many of COLUMNS part the names in a way of their own: a column and its negation part them alike."""
    names = ["a" * length + end for length in range(1, 12) for end in "ab"]
    return len({frozenset([told, tuple(not yes for yes in told)])
                for told in (tuple(column(name) for name in names) for column in COLUMNS)})  # fmt: skip


def failing_step() -> float:
    """The first step of Carlos (2015), section 4.3, that three copies refute: (10), the constant, (16), or none: 3."""
    items = np.array([[1, 1, 1], [0, 0, 0]])
    joint = np.array([[STRENGTH, 1], [1, STRENGTH]]) / (2 + 2 * STRENGTH)  # P(x, c), the prior is even
    shown = np.einsum("xyf,yc->xfc", items[:, None] == items[None], joint)  # P(f_i, c)
    alone, true = shown[..., 0] / shown.sum(axis=2), joint[:, 0] / joint.sum(axis=1)
    agree, constant = np.allclose(alone, true[:, None]), np.allclose(true, true[0])
    return float([agree, constant, np.isclose(true @ joint.sum(axis=1), joint[:, 0].sum()), False].index(False))


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


def attenuated_by_19(log_likelihood, log_prior, n, k):
    """Eq. (19), k kept between 1 and its own end, n."""
    score = min(max(k, 1), n) / n * np.asarray(log_likelihood) + log_prior
    p = np.exp(score - score.max())
    return p / p.sum()


CASES = [
    ([-4.0, -6.0], [0.25, 0.75], 3, 2.0),
    ([-900.0, -903.0, -910.0], [0.2, 0.3, 0.5], 24, 25.0),
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


@parameters(n=(3, 2, 4), ratio=(3, 2, 4, 5), prior=(Fraction(1, 5), Fraction(1, 4), Fraction(1, 8), Fraction(1, 10)))
def copies_outvote(n, ratio, prior):
    odds, p = float(prior / (1 - prior)), float(prior)
    return Exercise(
        "05/copies-outvote",
        task=f"Class A has the prior {prior}. A feature favours A by {ratio} to 1. It stands in the table "
        f"{in_words(n)} times. What does naive Bayes say for P(A | the {in_words(n)} copies)?",
        expected=share(ratio**n * odds),
        mistakes=(
            Mistake(share(ratio * odds), "That is the truth: the copies say nothing new. What does naive Bayes make of "
                    "it?"),
            Mistake(round(share(ratio * odds), 2), "Those are two digits of the truth: the copies say nothing new. "
                    "What does naive Bayes make of it?"),
            Mistake(share(ratio**n), f"The {in_words(n)} votes are there. Where did the prior go?"),
            Mistake(share((ratio * odds) ** n), "The prior is no feature: it counts once, however many copies."),
            Mistake(share(n * ratio * odds), f"You added the votes: {' + '.join([str(ratio)] * n)}. Naive Bayes "
                    "multiplies likelihoods."),
            Mistake(ratio**n * odds, "Those are the odds, A to B. Turn them into a probability."),
            Mistake(share(ratio**n * p), f"You took the prior as odds of {prior.numerator} to {prior.denominator}. A "
                    f"probability of {prior} leaves how much for B?"),
            Mistake(p * share(ratio) ** n, "That is the numerator of A. Divide by the numerators of both classes "
                    "together."),
        ),
        help="Begin with the prior odds of A. Each copy multiplies them once more. Turn odds into a probability last.",
        well_done="One look leaves B ahead. Three copies of that look decide for A, and wrongly.",
        solution=f"odds = {ratio}**{n} * ({in_code(prior)}) / ({in_code(1 - prior)})\nanswer = odds / (1 + odds)",
        variant_texts=dict(well_done="The copies say nothing new, and naive Bayes counts every one of them."),
    )  # fmt: skip


@parameters(prior=(0.25, 0.4, 0.3), A=((0.4, 0.2, 0.5), (0.6, 0.3, 0.2), (0.5, 0.1, 0.7)),
            B=((0.1, 0.25, 0.1), (0.2, 0.2, 0.4), (0.3, 0.4, 0.1)))  # fmt: skip
def eq_20(prior, A, B):
    odds, ratio = prior / (1 - prior), prod(A) / prod(B)
    return Exercise(
        "05/eq-20",
        context=ROOT_20,
        task=f"Two classes with priors P(A) = {prior} and P(B) = {1 - prior:g}. An item has three features; class A "
        f"gives them the probabilities {', '.join(map(str, A))} and class B {', '.join(map(str, B))}. What is "
        "P(A | x) by the root of everything with k = 1?",
        expected=share((odds * ratio) ** (1 / 4)),
        mistakes=(
            Mistake(share((odds * ratio) ** (1 / 3)), "You took the root with n. It has n + 1: the prior is a factor "
                    "too."),
            Mistake(share(odds * ratio ** (1 / 3)), "You took the root of the likelihood only. It decides for the "
                    "other class.",
                    "You took the root of the likelihood only."),
            Mistake(share(odds * ratio ** (1 / 4)), "The exponent is right. But it stands outside the bracket that "
                    "holds the prior, too."),
            Mistake(share(odds * ratio), "That is naive Bayes. Where is the root?"),
            Mistake((odds * ratio) ** (1 / 4), "Those are the odds, A to B. Turn them into a probability."),
            Mistake(odds * ratio, "Those are the odds of naive Bayes. Where is the root? And turn odds into a "
                    "probability."),
            Mistake(share(odds * sum(A) / sum(B)), "You added the likelihoods. Multiply them."),
        ),
        help="Write down the whole numerator of each class, prior and three features. Take the same root of both, then "
        "divide by their sum.",
        well_done="Class A, as naive Bayes says, with less confidence. The root of the likelihood says B.",
        solution=f"A = {prior} * {' * '.join(map(str, A))}\nB = {1 - prior:g} * {' * '.join(map(str, B))}\n"
        "odds = (A / B) ** (1 / 4)\nanswer = odds / (1 + odds)",
        variant_texts=dict(well_done="The class that naive Bayes decides for, with less confidence."),
    )  # fmt: skip


SIZES = [0, 2, 3]  # mean radius, mean perimeter, mean area
AVOID = -1 / 4  # the correlation of two features that each favour A by STRENGTH to 1


@lru_cache(maxsize=4)
def tumours(columns: tuple[int, ...]) -> tuple[float, float]:
    """Return how often Gaussian naive Bayes is right about tumours held out, and how sure it is on average."""
    X, y = load_breast_cancer(return_X_y=True)
    said = cross_val_predict(GaussianNB(), X[:, columns], y, cv=10, method="predict_proba")
    return float(np.mean(said.argmax(axis=1) == y)), float(said.max(axis=1).mean())


def right_k_of_two(rho: float) -> float:
    """Return the k at which the root of the likelihood is exact for two features, 3 to 1 each, correlated by rho."""
    p = STRENGTH / (1 + STRENGTH)
    in_a, in_b = (u * u + rho * p * (1 - p) for u in (p, 1 - p))
    return float(np.log(in_a / in_b) / np.log(STRENGTH))


@parameters(ratio=(3, 4), both=(5, 6, 7, 8))
def two_votes(ratio, both):
    k = log(both) / log(ratio)
    return Exercise(
        "05/two-votes",
        context=ROOT_19,
        task=f"Two features favour A by {ratio} to 1 each. Both together are {both} times as frequent in A as in B. "
        "At which k is the root of the likelihood exact for an item that has both?",
        expected=k,
        mistakes=(
            Mistake(both, f"So many to 1 is the true ratio. Which power of {ratio} is that?"),
            Mistake(2, f"At k = 2 it says {ratio**2} to 1, as naive Bayes. Counted, it is {both} to 1."),
            Mistake(1, f"At k = 1 it says {ratio} to 1. Counted, it is {both} to 1."),
            Mistake(both / ratio, f"You divided the ratios. {ratio} to the power k is the true one."),
            Mistake(log(ratio) / log(both), "Upside down: the true ratio is the power, one feature's is the base."),
            Mistake(k / 2, "That is the exponent k/n. How large is k?"),
        ),
        help=f"Two features that are k votes bring {ratio} to the power k. Which k brings the true ratio?",
        well_done="More than one vote, fewer than two: half copies.",
        solution=f"import numpy as np\n\nanswer = np.log({both}) / np.log({ratio})",
        variant_texts=dict(well_done="A number of votes need not be whole."),
    )


CONTENTS = [
    Prediction(
        "05/sure",
        question="Naive Bayes judges 1,289 names that it has never seen. Of most it is more than 99 % sure. How many "
        "of these are wrong?",
        options={
            "fewer than 1 in 100, as it promises": lambda share: share < 0.01,
            "about 1 in 40": lambda share: 0.01 <= share < 0.04,
            "about 1 in 16": lambda share: 0.04 <= share < 0.12,
            "about 1 in 4": lambda share: share >= 0.12,
        },
        truth=sure_and_wrong,
        reason=lambda share: (
            f"{say(100 * share)} in 100 are wrong. Whoever says “99 %” and means it is wrong at most once in a hundred."
        ),
    ),
    copies_outvote,
    Prediction(
        "05/tumour",
        question="From the radius alone, Gaussian naive Bayes judges 88.6 % of 569 tumours rightly, and is 0.877 sure "
        "on average. Now it also gets perimeter and area. How sure is it then?",
        options={
            "as before: that is the same size once more": lambda sure: sure < 0.9,
            "about 0.92": lambda sure: 0.9 <= sure < 0.94,
            "about 0.96": lambda sure: sure >= 0.94,
        },
        truth=lambda: tumours(tuple(SIZES))[1],
        reason=lambda sure: (
            f"{say(sure)} sure, and right of {say(100 * tumours(tuple(SIZES))[0])} %, no more than before. "
            f"The radius alone, written down three times, makes it {say(tumours((SIZES[0],) * 3)[1])} sure."
        ),
    ),
    Prediction(
        "05/flips",
        question="The root of the likelihood at k = 1 leaves the prior whole. Compare it with naive Bayes "
        "on 1,289 test names. How many decisions are different?",
        options={
            "none: a root changes no order": lambda n: n == 0,
            "up to 50": lambda n: 0 < n <= 50,
            "51 to 100": lambda n: 50 < n <= 100,
            "more than a hundred": lambda n: n > 100,
        },
        truth=changed_by_eq_8,
        reason=lambda n: (
            f"{n:.0f} names change sides. A root of a number keeps the order. But only the likelihood shrinks here; "
            "the prior does not, so it weighs more than before."
        ),
    ),
    eq_20,
    Prediction(
        "05/overlap",
        context=ROOT_20,
        question="Now cut names into pieces of three letters side by side: Gab, rie, l¶. k is chosen as before (+1 "
        "smoothing). Which share k/(n + 1) is left?",
        options={
            "about a quarter, as before": lambda share: share < 0.4,
            "about six tenths": lambda share: 0.4 <= share < 0.8,
            "about all: k = n + 1, and no root": lambda share: share >= 0.9,
        },
        truth=lambda: measure_cut(CUTS[0]).share,
        reason=lambda share: (
            f"The share is {share:.2f}. Naive Bayes says {say(measure_cut(CUTS[0]).says)} on average, and is right in "
            f"{say(measure_cut(CUTS[0]).right)} of its decisions: it needs no root."
        ),
    ),
    Exercise(
        "05/which-m",
        context=ROOT_19,
        task="Six columns say of each name: it ends in a; it does not; it ends in a (again); it has more than six "
        "letters; at most six; seven or more. Within a class ending and length are independent. At which k is the root "
        "of the likelihood exact?",
        expected=different_columns,
        mistakes=(
            Mistake(lambda: len(COLUMNS), "That is all columns, and naive Bayes. Are they all different?"),
            Mistake(lambda: 5, "One column is the first under another title. Look for others that tell nothing new."),
            Mistake(lambda: 4, "Whoever knows that a name ends in a knows the second column."),
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
        "05/partial",
        context=ROOT_19,
        question="Two features favour A by 3 to 1 each: A shows each with p = 3/4, B with p = 1/4. If they are copies, "
        "the root of the likelihood is exact at k = 1; if they are independent, at k = 2. Now they avoid each other: "
        "within each class their correlation is -1/4. An item has both. At which k is it exact?",
        options={
            "k below 1: they contradict each other": lambda k: k < 1,
            "k between 1 and 2": lambda k: 1 <= k < 1.9,
            "k = 2: two features, two votes": lambda k: 1.9 <= k <= 2.1,
            "k above 2": lambda k: k > 2.1,
        },
        truth=partial(right_k_of_two, AVOID),
        reason=lambda k: (
            f"k = {say(k)}, beyond n = 2. In A both come together with probability 33/64, in B with 1/64. That is "
            "33 to 1; naive Bayes, which takes 9 to 1, is not sure enough."
        ),
    ),
    two_votes,
    Prediction(
        "05/same-k",
        context=ROOT_20,
        question="Naive Bayes is 97 % sure of two names. One has 9 known n-grams, the other 34. The root of everything "
        "gets the same k = 2.5 for both. Of which name is it surer?",
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
        "05/attenuate",
        context=ROOT_20,
        task="Write attenuated(log_likelihood, log_prior, n, k): the posterior by the root of everything, as an array, "
        "from arrays of log P(x | c) and log P(c), one entry for each class. Where k lies outside its range, below 1 "
        "or above n + 1, use the nearest end. It must also work where exp(log_likelihood) rounds to 0.",
        expected=attenuated,
        evaluate=attenuated_answers,
        returns="an array with one number for each class",
        mistakes=(
            Mistake(
                lambda S, log_prior, n, k: attenuated(S, log_prior, n, k, low=0.0, most=1e9),
                "The formula is right. Now keep k between 1 and n + 1.",
            ),
            Mistake(
                lambda S, log_prior, n, k: attenuated(S, log_prior, n, k, most=1e9),
                "The formula is right, and the lower end of k. What is the upper end?",
            ),
            Mistake(
                lambda S, log_prior, n, k: attenuated(S, log_prior, n, k, low=0.0),
                "The formula is right, and the upper end of k. What is the lower end?",
            ),
            Mistake(
                lambda S, log_prior, n, k: attenuated(S, log_prior, n, k, most=0),
                "You stopped k at n. The root of everything is naive Bayes one step later.",
            ),
            Mistake(
                lambda S, log_prior, n, k: attenuated(S, log_prior, n, k, extra=0),
                "You took k / n. The prior is one factor more.",
            ),
            Mistake(
                attenuated_by_19,
                "That is the root of the likelihood. Here the prior stands under the root, too.",
            ),
            Mistake(
                attenuated_likelihood,
                "You took the root of the likelihood only. Here the exponent covers the prior too.",
            ),
            Mistake(
                lambda S, log_prior, n, k: attenuated(S, log_prior, n, k, extra=0, most=0),
                "You took k / n, and stopped k at n: so ends the root of the likelihood.",
            ),
            Mistake(
                lambda S, log_prior, n, k: np.exp(powers(S, log_prior, n, k)),
                "Your numbers do not sum to 1. What is Z?",
            ),
            Mistake(
                lambda S, log_prior, n, k: np.exp(powers(S, log_prior, n, k) - powers(S, log_prior, n, k).max()),
                "The largest is 1 in every case: you have subtracted the largest. Now make them sum to 1.",
            ),
            Mistake(lambda S, log_prior, n, k: np.log(attenuated(S, log_prior, n, k)), f"{BELOW_0} the posterior."),
            Mistake(
                lambda S, log_prior, n, k: powers(S, log_prior, n, k),
                f"{BELOW_0} numerators. A posterior is still to come.",
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
        context=ARGUMENT,
        question="Try the argument on three copies of a feature that favours A by 3 to 1, with an even prior. Two "
        "items can occur: all copies say 1, or all say 0. Which step is the first that fails?",
        options={
            "each feature alone says all": lambda step: step == 0,
            "so P(c | x) is a constant": lambda step: step == 1,
            "P(c) is such a sum over all x": lambda step: step == 2,
            "none: the features say nothing about the class": lambda step: step == 3,
        },
        truth=failing_step,
        reason=lambda step: (
            "Each feature alone says all of both items, and the sum holds always. "
            "But P(A | x) is 3/4 for one item and 1/4 for the other: "
            "no constant can be taken out of the sum. And the features say a lot."
        ),
    ),
    Prediction(
        "05/bridge",
        context=EQ_10,
        question="Six items can occur, in two groups: aa, ab, bb share no value with cc, dc, dd (the first letter is "
        "f₁, the second f₂). Each feature alone says all, with one P(A | x) in the first group and another in the "
        "second. Now a seventh item becomes possible: bc. Again each feature alone shall say all. How many different "
        "values can P(A | x) take?",
        options={
            "two, as before: one item more changes little": lambda groups: groups == 2,
            "three: the new item may have one of its own": lambda groups: groups == 3,
            "a single one": lambda groups: groups == 1,
        },
        truth=lambda: float(len(groups_of(sum(BRIDGED, ())))),
        reason=lambda groups: (
            f"{groups:.0f}: all seven items are one group. bc shares f₁ = b with bb, so both have the posterior "
            "P(A | f₁ = b). It shares f₂ = c with cc and dc, so these have it, too. bb ties ab and aa to it, dc ties "
            "dd. One item has tied the two groups together."
        ),
    ),
    Exercise(
        "05/groups",
        context=EQ_10,
        task="Six items can occur: aa, ab, cb, bd, dc, ec. The first letter is the value of f₁, the second that of f₂. "
        "Each feature alone says all. How many different posteriors P(A | x) can there be at most?",
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
]

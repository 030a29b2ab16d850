"""The ledger's entries for Carlos (2015), abstract and sections 4.1 to 4.5.

Statements about formulas are checked where they can be enumerated: copies of one feature, and tables in which every
feature alone says all (eq. (10)). Statements about decisions are checked on the 1,440 test names of the embedded
corpus, for n-grams of length up to 1, 2, 3, 4 and 5.
"""

from functools import partial
from itertools import product

import numpy as np
from scipy.special import softmax

from nbcore.perplexed import arithmetic_posterior, attenuated_posterior, inverse_perplexity, perplexity
from workbook.chapters.names import LONGEST, NGRAMS, names_split
from workbook.ledger.claim import Claim, Measured, together
from workbook.ledger.intervals import true_share

from .experiment import EQ_15, EQ_15_CORRECTED, EQ_19, EQ_20, NAIVE, held_out_posteriors

__all__ = ["CLAIMS", "grouped_items"]

CHAPTER, DEEPER = "05_perplexity_attenuation", "05b_half_copies"
LENGTHS = tuple(range(1, LONGEST + 1))
KS = 0.1, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0
EXACT = 1e-9  # a difference below this is rounding
# Names on both lists are in, as they are in the paper's corpus.
all_names, posteriors = (partial(function, corpus="embedded") for function in (names_split, held_out_posteriors))


def grouped_items(n_groups=3, n_classes=3, rng=0):
    """Items of a random table that meets Carlos (2015), eq. (9), with two features that are no copies.

    Feature 1 tells the group and a coin, feature 2 the group and a die; the class depends on the group alone. Yields
    the posterior of an item, (C,), P(f_i|c), (2, C), P(f_i), (2,), and P(c), (C,).
    """
    rng = np.random.default_rng(rng)
    weight, of_group = rng.dirichlet(np.ones(n_groups)), rng.dirichlet(np.ones(n_classes), n_groups)
    coin, die = (rng.dirichlet(np.ones(sides), n_groups) for sides in (2, 6))
    joint = np.einsum("g,gc,gi,gj->cgij", weight, of_group, coin, die)
    prior, first, second = joint.sum(axis=(1, 2, 3)), joint.sum(axis=3), joint.sum(axis=2)
    for g, i, j in product(range(n_groups), range(2), range(6)):
        both = np.stack([first[:, g, i], second[:, g, j]])  # P(f_i, c)
        yield joint[:, g, i, j] / joint[:, g, i, j].sum(), both / prior, both.sum(axis=1), prior


def largest_gap(posterior):
    """Largest difference between a rule's posterior and the true one, over the items of `grouped_items`."""
    return Measured(max(float(abs(posterior(*rest) - true).max()) for true, *rest in grouped_items()))


def eq_8(likelihoods, evidence, prior):
    """Carlos (2015), eq. (8)."""
    return attenuated_posterior(np.log(likelihoods).sum(axis=0), np.log(prior), len(likelihoods), 1.0, "exact")


def eq_15(likelihoods, evidence, prior):
    """Carlos (2015), eq. (15), as printed."""
    return arithmetic_posterior(likelihoods, prior)


def geometric_mean_gap():
    """Perplexity times the geometric mean, minus 1, for random probabilities."""
    p = np.random.default_rng(0).uniform(0.01, 1, (100, 7))
    return Measured(float(abs(perplexity(p) * inverse_perplexity(p) - 1).max()))


def changed(rule, k):
    """How many decisions on the test names differ from naive Bayes, summed over the k given, one for each length."""
    naive = (posteriors(NAIVE, m).argmax(axis=1) for m in LENGTHS)
    return Measured(
        tuple(
            float(sum(np.sum(posteriors(rule, m, step).argmax(axis=1) != decided) for step in k))
            for m, decided in zip(LENGTHS, naive, strict=True)
        )
    )


def accuracies(*rules):
    """Accuracy on the test names, n-grams up to 5, k = 1 where a rule has one."""
    y = all_names(LONGEST).test.y
    right = [np.mean(posteriors(rule, LONGEST, 1.0).argmax(axis=1) == y) for rule in rules]
    return together(*(true_share(share, len(y)) for share in right))


def gap_to_naive_bayes(rule, extra):
    """Largest difference from naive Bayes' posterior on the test names at k = n + extra, with each name's own n."""
    log_likelihood, log_prior, n = all_names(LONGEST).test.evidence
    naive = posteriors(NAIVE, LONGEST)
    gaps = [
        attenuated_posterior(log_likelihood[i], log_prior, n[i], float(n[i] + extra), rule) - naive[i]
        for i in range(len(n))
    ]
    return Measured(float(abs(np.array(gaps)).max()))


def ends_of_the_range():
    """Eq. (19) at k = 1 against eq. (8), and at k = n against naive Bayes: largest differences on the test names."""
    log_likelihood, log_prior, n = all_names(LONGEST).test.evidence
    lowest = attenuated_posterior(log_likelihood, log_prior, n, 1.0, "exact")
    by_hand = softmax(log_likelihood / n[:, None] + log_prior, axis=1)
    return Measured((float(abs(lowest - by_hand).max()), gap_to_naive_bayes("exact", 0).value))


def gap_between_rules():
    """Largest difference between eq. (20) and (19) on the test names, k = 1, 2.5, 10."""
    gaps = (posteriors(EQ_20, LONGEST, k) - posteriors(EQ_19, LONGEST, k) for k in (1.0, 2.5, 10.0))
    return Measured(tuple(float(abs(gap).max()) for gap in gaps))


def confidence_along_k():
    """Mean largest posterior on the test names by eq. (19), k = 1, 2, 4, 8."""
    return Measured(
        tuple(float(posteriors(EQ_19, LONGEST, k).max(axis=1).mean()) for k in (1.0, 2.0, 4.0, 8.0)),
        kind="sample",
        runs=len(all_names(LONGEST).test.y),
    )


def extreme_shares():
    """Return the share of the test names with a posterior of naive Bayes above .9, n-grams up to 1, 2, 3, 4, 5."""
    above = [posteriors(NAIVE, m).max(axis=1) > 0.9 for m in LENGTHS]
    return Measured(tuple(float(of.mean()) for of in above), kind="sample", runs=len(above[0]))


def copies_against_prior():
    """|P(c|x) - P(c)| for copies of one feature with P(f|c) = 3/4 and 1/4, even prior: they meet eq. (10)."""
    p, prior = np.array([0.75, 0.25]), np.array([0.5, 0.5])
    return Measured(float(abs(p * prior / (p @ prior) - prior).max()))


def dependence_within_classes():
    """Largest |P(f_1, f_2|c) - P(f_1|c) P(f_2|c)| for two copies with P(f|c) = 3/4 and 1/4."""
    return Measured(max(q - q * q for q in (0.75, 0.25)))


def _claim(id, place, quote, statement, ours, verdict="reproduced", note="", stated=None, rounding=0.0,
           reading="exact", chapter=CHAPTER):  # fmt: skip
    return Claim(id=f"C15-{id}", place=place, quote=quote, statement=statement, stated=stated, ours=ours,
                 verdict=verdict, reading=reading, chapter=chapter, note=note, rounding=rounding,
                 experiment=NGRAMS if reading == "carried over" else "")  # fmt: skip


NONE = (0.0,) * len(LENGTHS)
_STATEMENTS = [
    _claim(
        "S1-01",
        "section 1",
        "The posterior probability estimates obtained using Equation 4 tend to be extreme",
        "Naive Bayes' posteriors tend to be extreme, near 0 or 1 (ours: share of the names with one above .9, n-grams "
        "up to 1 to 5).",
        extreme_shares,
        "shown by an example",
        "From two letters on. Single letters are too few.",
        reading="carried over",
    ),
    _claim(
        "E6-01",
        "eq. (6)",
        "the reciprocal of the perplexity of the probabilities is merely their geometric mean",
        "The reciprocal of the perplexity is the geometric mean (ours: largest difference of their ratio from 1).",
        geometric_mean_gap,
        stated=0.0,
        rounding=EXACT,
    ),
    _claim(
        "S42-01",
        "section 4.2",
        "the assumption that the class C is independent of all features but one, and that none of the features is "
        "special (written as Equation 10) can give us Equation 8",
        "Eq. (8) follows from eq. (10) (ours: largest difference from the posterior of a table that meets it).",
        partial(largest_gap, eq_8),
        stated=0.0,
        rounding=EXACT,
        chapter=DEEPER,
    ),
    _claim(
        "S42-02",
        "section 4.2",
        "can be derived by a similar sequence of steps from Equation 10 as well",
        "Eq. (15) follows from eq. (10) as well (ours: largest difference from the posterior, as for eq. (8)).",
        partial(largest_gap, eq_15),
        stated=0.0,
        rounding=EXACT,
        chapter=DEEPER,
    ),
    _claim(
        "E15-01",
        "eq. (15)",
        "representing the posterior probabilities of a classifier that uses the arithmetic mean instead of the "
        "geometric mean",
        "Eq. (15) gives the posteriors of a classifier with the arithmetic mean (ours: accuracy on names as printed, "
        "and of the plain mean of the P(c|f_i)).",
        partial(accuracies, EQ_15, EQ_15_CORRECTED),
        "not stated well enough",
        "An aside: “It is interesting to note”. Where eq. (10) fails, the printed sum weighs every P(c|f_i) by P(f_i), "
        "so that common letters drown the rest; the plain mean does not. Which one is meant then is not said.",
        reading="carried over",
        chapter=DEEPER,
    ),
    _claim(
        "S43-01",
        "section 4.3",
        "it has been shown that Equation 10 implies that P(C|F) = P(C) and therefore the features are independent of "
        "the classes",
        "Eq. (10) implies P(c|x) = P(c) (ours: their largest difference for copies of one feature, 3 to 1).",
        copies_against_prior,
        "false",
        "Eq. (10) makes P(c|x) the same for all features of one item, and for items linked by shared values; copies of "
        "one feature link none. Where every combination of values can occur, it is true.",
        0.0,
        EXACT,
        chapter=DEEPER,
    ),
    _claim(
        "S43-02",
        "section 4.3",
        "It follows that the features are not constrained in any way by Equation 10 and do not have to be "
        "class-conditionally independent of one other",
        "Features that meet eq. (10) need not be class-conditionally independent (ours: the dependence of two copies).",
        dependence_within_classes,
        note="Not constrained is P(F) alone: classes that are independent of it meet eq. (10). Features that tell of "
        "the class are: those of one item must agree.",
        chapter=DEEPER,
    ),
    _claim(
        "S44-01",
        "section 4.4",
        "if we set k = n, Equation 19 becomes Equation 4 used in the Naive Bayes classifier",
        "Eq. (19) is naive Bayes at k = n (ours: largest difference on the test names).",
        partial(gap_to_naive_bayes, "exact", 0),
        stated=0.0,
        rounding=EXACT,
        chapter=DEEPER,
    ),
    _claim(
        "S44-02",
        "section 4.4",
        "lower values correspond to more perplexity",
        "Lower k is more perplexity (ours: mean confidence by eq. (19), k = 1, 2, 4, 8).",
        confidence_along_k,
        "shown by an example",
        reading="carried over",
    ),
    _claim(
        "S44-03",
        "section 4.4",
        "The attenuation coefficient k ranges from 1 to n",
        "k ranges from 1 to n: eq. (19) goes from eq. (8) to naive Bayes (ours: largest differences at both ends).",
        ends_of_the_range,
        note="It is said of eq. (19). For eq. (20), one section later, no range is stated; it is naive Bayes at n + 1.",
        stated=(0.0, 0.0),
        rounding=EXACT,
        chapter=DEEPER,
    ),
    _claim(
        "S44-04",
        "section 4.4",
        "if we set k = 1, Equation 18 becomes the same as Equation 8",
        "At k = 1 eq. (18) is eq. (8).",
        None,
        "false",
        "A slip of the pen: eq. (18) is a mean, eq. (8) a posterior. Eq. (19) is meant, and of that it is true.",
    ),
    _claim(
        "S45-01",
        "section 4.5",
        "retain the excellent posterior probability characteristics of the Perplexed Bayes classifier using the "
        "approximation shown in Equation 20",
        "Eq. (20) approximates eq. (19) (ours: largest difference on the test names, k = 1, 2.5, 10).",
        gap_between_rules,
        "not stated well enough",
        "How close it comes is not said. It attenuates the prior as well, so the two differ most where that is strong.",
        reading="carried over",
    ),
    _claim(
        "S45-02",
        "section 4.5",
        "provably makes classification decisions about data points in exactly the same way as Equation 4",
        "Eq. (20) decides exactly as naive Bayes (ours: other decisions, seven k together, n-grams up to 1 to 5).",
        partial(changed, EQ_20, KS),
        stated=NONE,
    ),
    _claim(
        "S45-03",
        "section 4.5",
        "yet retain the excellent posterior probability characteristics of the Perplexed Bayes classifier",
        "The posteriors of eq. (8) are excellent, and those of eq. (20) too.",
        None,
        "not stated well enough",
        "No measure is named. What section 5 measures is eq. (20) only, with a k that is chosen on data.",
        reading="fixed",
    ),
    _claim(
        "A-01",
        "abstract",
        "improves the classifier’s posterior probability estimates without affecting its performance",
        "Perplexed Bayes does not affect the performance, by eq. (20) (ours: other decisions at k = 1).",
        partial(changed, EQ_20, (1.0,)),
        note="Section 5: “In all experiments, the approximation in Equation 20 was used.”",
        stated=NONE,
    ),
    _claim(
        "S6-01",
        "section 6",
        "classification decisions that are identical to those of a Naive Bayes classifier without assuming that the "
        "features used are class-conditionally independent",
        "Identical decisions, without assuming independence (ours: other decisions by eq. (8), n-grams up to 1 to 5).",
        partial(changed, EQ_19, (1.0,)),
        "not stated well enough",
        "Identical by eq. (20); derived without independence is eq. (8). That leaves the prior whole while the "
        "likelihood shrinks, and decides otherwise; section 4.5 says as much. Which assumption gives eq. (20) is open.",
        NONE,
        reading="carried over",
    ),
]
CLAIMS = tuple(_STATEMENTS)

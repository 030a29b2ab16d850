"""What every rule of Carlos (2015), section 4, says of the test names of `names_split`.

A name is given by the columns of its known n-grams in the vocabulary, one entry for each occurrence. Here k never
exceeds n + 1 of the name, where eq. (20) is naive Bayes again: a larger k counts as n + 1.
"""

from functools import lru_cache
from itertools import chain

import numpy as np
from scipy import sparse
from scipy.special import softmax

from nbcore._base import hold_out
from nbcore.checks import one_of
from nbcore.datasets import name_ngrams
from nbcore.naive_bayes import MultinomialNB
from nbcore.perplexed import arithmetic_posterior, attenuated_posterior, evidence
from workbook.chapters.names import VALIDATION, Part, names_split

__all__ = [
    "EQ_15",
    "EQ_15_CORRECTED",
    "EQ_19",
    "EQ_20",
    "NAIVE",
    "NAME_RULES",
    "groups_of",
    "held_out_posteriors",
    "independent_names",
    "name_posterior",
    "name_votes",
]

NAIVE, EQ_20, EQ_19 = "naive Bayes", "root of everything", "root of the likelihood"
EQ_15, EQ_15_CORRECTED = "sum, eq (15)", "sum, corrected"
NAME_RULES = NAIVE, EQ_20, EQ_19, EQ_15, EQ_15_CORRECTED
ATTENUATED = {EQ_20: "approximate", EQ_19: "exact"}


def name_posterior(rule, split, columns, k):
    """P(c|name) of one rule, (C,): Carlos (2015), eq. (4), (20), (19), (15).

    rule: one of NAME_RULES; split: NamesSplit; columns: of the name's n-grams, ints (n,), n >= 0; k: number > 0, of
    which only eq. (20) and (19) take notice. A name without a known n-gram gets the prior. ValueError for an unknown
    rule.
    """
    one_of("rule", rule, NAME_RULES)
    log_likelihood, log_prior = split.model.feature_log_prob_[:, columns], split.model.class_log_prior_
    n = len(columns)
    if rule in (EQ_15, EQ_15_CORRECTED):
        likelihoods, prior = np.exp(log_likelihood.T), np.exp(log_prior)
        if n == 0:
            return prior
        return arithmetic_posterior(likelihoods, prior, likelihoods @ prior if rule == EQ_15_CORRECTED else None)
    return _attenuated(rule, log_likelihood.sum(axis=1), log_prior, n, min(k, n + 1))


def posteriors_along_k(rule, split, columns, ks):
    """P(c|name) of eq. (20) or (19) at every k of a list, (len(ks), C); other arguments as in `name_posterior`."""
    one_of("rule", rule, ATTENUATED)
    S, log_prior = split.model.feature_log_prob_[:, columns].sum(axis=1), split.model.class_log_prior_
    return np.array([_attenuated(rule, S, log_prior, len(columns), min(k, len(columns) + 1)) for k in ks])


def _attenuated(rule, S, log_prior, n, k):
    """Eq. (20) or (19), or without any root eq. (4)."""
    if rule == NAIVE:
        return softmax(S + log_prior, axis=-1)
    return attenuated_posterior(S, log_prior, n, float(k), ATTENUATED[rule])


def name_votes(rule, split, columns, times, k):
    """Return what the prior adds to a decision, and what each n-gram adds, (F,); a sum above 0 is the second class.

    columns, times: the name's F different n-grams and how often each occurs, (F,). For eq. (20) and (19) of Carlos
    (2015) the sum is the log odds of the posterior; for eq. (15) it is P(second class|name) - P(first class|name), in
    which the prior has a part of its own only where n = 0. Other arguments as in `name_posterior`.
    """
    one_of("rule", rule, NAME_RULES[1:])
    log_likelihood, log_prior = split.model.feature_log_prob_[:, columns], split.model.class_log_prior_
    n = times.sum()
    if rule in ATTENUATED:
        k, prior, votes = min(k, n + 1), np.diff(log_prior)[0], times * np.diff(log_likelihood, axis=0)[0]
        if rule == EQ_20:
            return prior * k / (n + 1), votes * k / (n + 1)
        return prior, votes * k / max(n, 1)
    if n == 0:
        return np.diff(np.exp(log_prior))[0], np.zeros(0)
    joint = np.exp(log_likelihood + log_prior[:, None])  # P(f, c)
    evidence = joint.sum(axis=0)
    shares = evidence * n if rule == EQ_15_CORRECTED else evidence @ times
    return 0.0, times * np.diff(joint, axis=0)[0] / shares


def held_out_posteriors(rule, max_n, k=np.inf, corpus="one list"):
    """P(c|name) of all test names, (n, C), read-only; arguments as in `name_posterior` and `names_split`."""
    one_of("rule", rule, NAME_RULES)
    return _of_test_names(rule, max_n, k if rule in ATTENUATED else np.inf, corpus)


@lru_cache(maxsize=512)
def _of_test_names(rule, max_n, k, corpus):
    split = names_split(max_n, corpus=corpus)
    log_likelihood, log_prior, n = split.test.evidence
    if rule in (EQ_15, EQ_15_CORRECTED):
        counts, _ = name_ngrams(split.test.names, max_n, split.vocabulary)
        joint = np.exp(split.model.feature_log_prob_ + log_prior[:, None])  # P(f, c)
        sums = counts @ (joint if rule == EQ_15 else joint / joint.sum(axis=0)).T
        sums = np.where(n[:, None] > 0, sums, np.exp(log_prior))
        posteriors = sums / sums.sum(axis=1, keepdims=True)
    else:
        posteriors = np.empty_like(log_likelihood)
        for k_used in np.unique(np.minimum(k, n + 1)):
            rows = np.minimum(k, n + 1) == k_used
            posteriors[rows] = _attenuated(rule, log_likelihood[rows], log_prior, n[rows], k_used)
    posteriors.flags.writeable = False
    return posteriors


@lru_cache(maxsize=32)
def independent_names(max_n, seed=0):
    """The validation part of `names_split`, had each name as many n-grams, but independent within its class: Part.

    The n-grams of all training names are drawn from the model's own P(f|c). Then as before: a model learns from four
    fifths of the names, those that it does not know are dropped, and the last fifth is held out. seed: of the draws.
    """
    split, rng = names_split(max_n), np.random.default_rng(seed)
    y, n = split.training.y, split.training.evidence[2].astype(int)
    of_class = y.repeat(n)
    drawn = np.empty(len(of_class), dtype=int)
    for c, p in enumerate(softmax(split.model.feature_log_prob_, axis=1)):
        drawn[of_class == c] = rng.choice(len(p), np.sum(of_class == c), p=p)
    ends = np.append(0, n.cumsum())
    counts = sparse.csr_matrix((np.ones(len(drawn)), drawn, ends), shape=(len(y), len(split.vocabulary)))
    learn, held_out = hold_out(y, VALIDATION, np.random.RandomState(0))
    known = np.flatnonzero(np.asarray(counts[learn].sum(axis=0)).ravel())
    model = MultinomialNB().fit(counts[learn][:, known], y[learn])
    return Part(split.training.names[held_out], y[held_out], evidence(model, counts[held_out][:, known]))


def groups_of(items):
    """The groups of items (f_1, ..., f_n): lists of those that a chain of shared values connects.

    Two items share a value if they have it in the same place. Where Carlos (2015), eq. (10), holds, the items of a
    group have one posterior.
    """
    found = []
    for item in items:
        near = [group for group in found if any(u == v for other in group for u, v in zip(item, other, strict=True))]
        found = [group for group in found if group not in near] + [[*chain(*near), item]]
    return found

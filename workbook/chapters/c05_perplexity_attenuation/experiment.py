"""What every rule of Carlos (2015), section 4, says of the test names of `names_split`.

Here k never exceeds n + 1 of the name, where eq. (20) is naive Bayes again: a larger k counts as n + 1.
"""

from functools import lru_cache
from itertools import chain

import numpy as np
from scipy.special import softmax

from nbcore.checks import one_of
from nbcore.datasets import name_ngrams
from nbcore.perplexed import attenuated_posterior
from workbook.chapters.names import names_split

__all__ = [
    "EQ_15",
    "EQ_15_CORRECTED",
    "EQ_19",
    "EQ_20",
    "NAIVE",
    "NAME_RULES",
    "groups_of",
    "held_out_posteriors",
]

NAIVE, EQ_20, EQ_19 = "naive Bayes", "root of everything", "root of the likelihood"
EQ_15, EQ_15_CORRECTED = "sum, eq (15)", "sum, corrected"
NAME_RULES = NAIVE, EQ_20, EQ_19, EQ_15, EQ_15_CORRECTED
ATTENUATED = {EQ_20: "approximate", EQ_19: "exact"}


def _attenuated(rule, S, log_prior, n, k):
    """Eq. (20) or (19), or without any root eq. (4)."""
    if rule == NAIVE:
        return softmax(S + log_prior, axis=-1)
    return attenuated_posterior(S, log_prior, n, float(k), ATTENUATED[rule])


def held_out_posteriors(rule, max_n, k=np.inf, corpus="one list"):
    """Return P(c|name) of all test names, (n, C), read-only.

    rule: one of NAME_RULES; k: number > 0, of which only eq. (20) and (19) take notice; max_n, corpus: see
    `names_split`. A name without a known n-gram gets the prior. ValueError for an unknown rule.
    """
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

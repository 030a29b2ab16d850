"""What the rules of Carlos (2015), section 4, say of test names, and the k that suits names in overlapping pieces.

Here k never exceeds n + 1 of the name, where eq. (20) is naive Bayes again: a larger k counts as n + 1.
"""

from functools import lru_cache, partial
from itertools import chain
from typing import NamedTuple

import numpy as np
from scipy.special import softmax
from sklearn.feature_extraction.text import CountVectorizer

from nbcore.checks import one_of
from nbcore.datasets import END, name_ngrams
from nbcore.naive_bayes import MultinomialNB
from nbcore.perplexed import attenuated_posterior, best_k, evidence
from workbook.chapters.names import LONGEST, names_split
from workbook.explorer.fitting import DiskCached

__all__ = [
    "CUTS", "EQ_15", "EQ_15_CORRECTED", "EQ_19", "EQ_20", "NAIVE", "NAME_RULES", "SPLITS", "Cut", "Votes", "cut_name",
    "groups_of", "held_out_posteriors", "judge_by_sum", "judge_without", "measure_cut",
]  # fmt: skip

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


def judge_by_sum(least):
    """Return how often eq. (15) is right about the test names, with n-grams of `least` to five letters."""
    split = names_split(LONGEST)
    long = np.array([len(ngram) >= least for ngram in split.vocabulary])
    counts, _ = name_ngrams(split.test.names, LONGEST, split.vocabulary)
    joint = np.exp(split.model.feature_log_prob_ + split.model.class_log_prior_[:, None])  # P(f, c)
    return np.mean((counts[:, long] @ joint[:, long].T).argmax(axis=1) == split.test.y)


def judge_without(name, part):
    """Count the training names with `part` in them, and return log odds of male for a name learnt without these."""
    training = names_split(LONGEST).training
    kept = np.array([part not in other for other in training.names])
    counts, vocabulary = name_ngrams(training.names[kept], LONGEST)
    model = MultinomialNB().fit(counts, training.y[kept])
    log_likelihood, log_prior, _ = evidence(model, name_ngrams([name], LONGEST, vocabulary)[0])
    return int(np.sum(~kept)), float(np.diff(log_likelihood[0] + log_prior)[0])


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


SPLITS = 3  # ways to hold names out, of which `measure_cut` takes the mean


class Cut(NamedTuple):
    """Say how names are cut: into pieces of `shortest` to `longest` letters, a new one every `step` letters."""

    words: str
    shortest: int
    longest: int
    step: int


CUTS = [
    Cut("3 letters, side by side", 3, 3, 3),
    Cut("3 letters, sharing 1", 3, 3, 2),
    Cut("3 letters, sharing 2", 3, 3, 1),
    Cut("1 to 3 letters", 1, 3, 1),
    Cut("1 to 4 letters", 1, 4, 1),
    Cut("1 to 5 letters", 1, 5, 1),
]


class Votes(NamedTuple):
    """Hold the means over the splits of one cut, on names held out."""

    k: float  # with the least log loss
    factors: float  # n + 1 of a name
    right: float  # share of the decisions of naive Bayes
    says: float  # its largest posterior

    @property
    def share(self) -> float:
        """Return k / (n + 1): what one factor still counts."""
        return self.k / self.factors


def cut_name(name: str, cut: Cut) -> list[tuple[int, str]]:
    """Return the (first letter, piece) of a name with its end mark; the last piece of a row may be shorter."""
    marked, found = name + END, []
    for length in range(cut.shortest, cut.longest + 1):
        ends = len(marked) - length + cut.step  # a row stops where a piece reaches the end
        found += [(at, marked[at : at + length]) for at in range(0, max(ends, 1), cut.step)]
    return [(at, piece) for at, piece in found if piece != END]


def list_pieces(name: str, cut: Cut) -> list[str]:
    """Return the pieces of a name."""
    return [piece for _, piece in cut_name(name, cut)]


@lru_cache(maxsize=64)
@DiskCached
def measure_cut(cut: Cut, alpha: float = 1.0) -> Votes:
    """Learn from names in such pieces with +alpha smoothing, and choose k on names held out; see `names_split`."""
    return Votes(*np.mean([_measure_split(cut, alpha, seed) for seed in range(SPLITS)], axis=0).tolist())


def _measure_split(cut: Cut, alpha: float, seed: int) -> tuple[float, float, float, float]:
    split, count = names_split(1, seed), CountVectorizer(analyzer=partial(list_pieces, cut=cut))
    names, y, held = split.training.names, split.training.y, split.validation
    learn = ~np.isin(names, held.names)
    model = MultinomialNB(alpha=alpha).fit(count.fit_transform(names[learn]), y[learn])
    found = evidence(model, count.transform(held.names))
    score = found[0] + found[1]
    says = np.exp(score.max(axis=1) - np.logaddexp.reduce(score, axis=1))
    right = score.argmax(axis=1) == held.y
    return best_k(found, held.y), found[2].mean() + 1, right.mean(), says.mean()

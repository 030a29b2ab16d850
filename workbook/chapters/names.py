"""Carlos (2015), section 5: names in a training, a validation and a test part, as naive Bayes sees them.

The n-grams of a corpus are counted once; a split only picks rows and columns, so that a slider may ask for another.
"""

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from nbcore._base import hold_out
from nbcore.checks import require, require_count
from nbcore.datasets import fetch_names, load_names, name_ngrams
from nbcore.naive_bayes import MultinomialNB
from nbcore.perplexed import evidence

__all__ = ["LONGEST", "NGRAMS", "NamesSplit", "Part", "names_split"]

LONGEST = 5  # the longest n-grams, chosen so that the paper's counts and accuracies come out
NGRAMS = "n-grams of the names"  # the experiment, as the ledger calls it


# The loader of each corpus, and how many of its names are for testing. The pages teach with "one list", the ledger
# measures with all names, as the papers did.
CORPORA = {
    "one list": (partial(load_names, both_lists=False), 1289),
    "embedded": (load_names, 1440),
    "paper": (fetch_names, 1590),
}
VALIDATION = 0.2  # of the training names of each class


@dataclass(frozen=True, eq=False)
class Part:
    """n names with their classes y (n,), and what a model says of them: `evidence`.

    evidence: log likelihood (n, C) in nats, log prior (C,), number of known n-grams (n,), as `attenuated_posterior`
    takes them.
    """

    names: np.ndarray
    y: np.ndarray
    evidence: tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class NamesSplit:
    """One split of the names, for n-grams of length 1..max_n.

    classes (C,) in words; model, fitted to all training names; vocabulary (V,) of the n-grams that it knows;
    training and test, as the model sees them; validation: a fifth of the training names, as a model of the other four
    fifths sees them, so that a k chosen there is not flattered.
    """

    classes: tuple[str, ...]
    max_n: int
    model: MultinomialNB
    vocabulary: np.ndarray
    training: Part
    validation: Part
    test: Part


@lru_cache(maxsize=12 * LONGEST)
def names_split(max_n, seed=0, corpus="one list"):
    """Split a corpus of names and fit multinomial naive Bayes (Laplace): Carlos (2015), section 5.

    max_n: length of the longest n-grams, 1 to 5; seed: int, which names go where; corpus: "one list", the 6,445 US
    given names that stand on one list only (1,289 for testing); "embedded", all 7,203 rows (1,440 for testing); or
    "paper", the 7,944 that the source used (1,590), which are downloaded once.
    Returns NamesSplit. ValueError names what is wrong; FetchError if the download failed.
    """
    require_count("max_n", max_n)
    require(max_n <= LONGEST, "max_n", max_n, f"at most {LONGEST}")
    data, counts, vocabulary = _count_ngrams(corpus, max_n)
    order = np.random.default_rng(seed).permutation(len(data.target))
    test, learn = np.split(order, [CORPORA[corpus][1]])
    model, known = _fitted(counts[learn], data.target[learn])
    rng = np.random.RandomState(seed)
    first, held_out = (learn[rows] for rows in hold_out(data.target[learn], VALIDATION, rng))
    earlier, known_earlier = _fitted(counts[first], data.target[first])

    def part(rows, model, columns):
        return Part(data.data[rows], data.target[rows], evidence(model, counts[rows][:, columns]))

    return NamesSplit(
        classes=tuple(map(str, data.target_names)),
        max_n=max_n,
        model=model,
        vocabulary=vocabulary[known],
        training=part(learn, model, known),
        validation=part(held_out, earlier, known_earlier),
        test=part(test, model, known),
    )


@lru_cache(maxsize=10)
def _count_ngrams(corpus, max_n):
    """Return the corpus, its counts (n, V) and the vocabulary (V,) of n-grams up to max_n."""
    require(corpus in CORPORA, "corpus", corpus, " or ".join(map(repr, CORPORA)))
    if max_n == LONGEST:
        data = CORPORA[corpus][0]()
        return data, *name_ngrams(data.data, LONGEST)
    data, counts, vocabulary = _count_ngrams(corpus, LONGEST)
    short = np.array([len(ngram) <= max_n for ngram in vocabulary])
    return data, counts[:, short], vocabulary[short]


def _fitted(counts, y):
    """Naive Bayes on the columns that occur in these rows, and those columns."""
    known = np.flatnonzero(np.asarray(counts.sum(axis=0)).ravel())
    return MultinomialNB().fit(counts[:, known], y), known

"""The ledger's entries for L25, "How does Laplacian correction impact Bayes Naive implementation?": two faults.

Its example: three documents, all of one class, and code whose fallback for unseen words has a slip.
"""

import numpy as np

from nbcore.datasets import load_iir_documents
from nbcore.naive_bayes import MultinomialNB, smoothed_log_prob
from workbook.ledger.claim import Claim, Measured

__all__ = ["CLAIMS", "fallback"]

TOKENS = "the cat sat the dog ran a cat purrs".split()  # the source's three documents
VOCABULARY = sorted(set(TOKENS))


def smoothed(alpha):
    """(V,) probabilities of the vocabulary: the source's formula, (count + alpha) / (tokens + alpha |V|)."""
    counts = np.array([float(TOKENS.count(word)) for word in VOCABULARY])
    size = len(VOCABULARY)
    return np.exp(smoothed_log_prob(counts, alpha, counts.sum() + alpha * size, size))


def fallback(probabilities):
    """What the source's second example gives a word that nobody saw: 1 / (sum of probabilities + |V|)."""
    return 1 / (probabilities.sum() + len(probabilities))


def wiped_out():
    """P(China | document 5 of IIR) with plain shares, and with add-one smoothing."""
    docs = load_iir_documents()
    model = MultinomialNB(alpha=0).fit(docs.data, docs.target)
    plain = model.predict_proba(docs.sample)[0, 1]
    return Measured((float(plain), float(model.resmooth(1).predict_proba(docs.sample)[0, 1])))


def shifted():
    """P(the), seen twice, and P(sat), seen once: before and after add-one smoothing."""
    (before, after), words = (smoothed(0), smoothed(1)), [VOCABULARY.index(word) for word in ("the", "sat")]
    return Measured(tuple(float(p[word]) for word in words for p in (before, after)))


def unseen_and_seen_once():
    """By the source's code: a word nobody saw, and a word seen once."""
    p = smoothed(1)
    return Measured((float(fallback(p)), float(p[VOCABULARY.index("sat")])))


def _claim(place, statement, ours, verdict="reproduced", note="", stated=None):
    return Claim("Laplacian correction", place, statement, stated, ours, verdict, "02_laplace_smoothing", note)


CLAIMS = (
    _claim(
        "second paragraph",
        "A word never seen in a class makes its posterior zero (ours: P(China | document 5), plain and smoothed).",
        wiped_out,
    ),
    _claim(
        "fourth paragraph",
        "Probability shifts from frequent to infrequent words (ours: the, before and after; sat, likewise).",
        shifted,
    ),
    _claim(
        "third paragraph and example 2",
        "Unseen words contribute less than words observed in training (ours, by its code: unseen, seen once).",
        unseen_and_seen_once,
        "differs",
        "The fallback divides by a sum of probabilities, 1, where the tokens belong: unseen counts as seen once.",
    ),
    _claim(
        "example 2, fallback",
        "An unseen word gets what a known word with count 0 gets, 1 / (tokens + |V|) (ours, by its code).",
        lambda: Measured(float(fallback(smoothed(1)))),
        "differs",
        "1 / (1 + |V|), as the probabilities below the line sum to 1: more than a known word with count 0 gets.",
        1 / (len(TOKENS) + len(VOCABULARY)),
    ),
    _claim(
        "examples 1 to 3",
        "The output shows a more robust probability after correction.",
        None,
        "cannot be",
        "One class only: its code prints None twice, smoothed “animal” twice, and no probability.",
    ),
    _claim(
        "fourth paragraph",
        "In practice alpha = 1 performs well in a variety of scenarios.",
        None,
        "not stated well enough",
        "No scenario and no measure is named.",
    ),
)

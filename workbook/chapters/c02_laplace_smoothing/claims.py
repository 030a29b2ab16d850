"""The ledger's entries for L25, "How does Laplacian correction impact Bayes Naive implementation?".

Its example: three documents, all of one class, and code whose fallback for unseen words has a slip.
"""

import numpy as np

from nbcore.datasets import load_iir_documents, name_ngrams
from nbcore.naive_bayes import MultinomialNB
from nbcore.naive_bayes.discrete import smoothed_log_prob
from workbook.chapters.names import names_split
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
    """Return what the source's second example gives a word that nobody saw: 1 / (sum of probabilities + |V|)."""
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


def by_the_formula():
    """The source's formula: a word that this class did not show, a word seen once, and the sum over the vocabulary."""
    counts = np.array([0.0, *(TOKENS.count(word) for word in VOCABULARY)])  # "jumps" is another class's word
    p = np.exp(smoothed_log_prob(counts, 1, counts.sum() + len(counts), len(counts)))
    return Measured((float(p[0]), float(p[1 + VOCABULARY.index("sat")]), float(p.sum())))


def by_its_code():
    """Measure by the source's code a word nobody saw and one seen once, then both with 1,000 tokens of 100 words."""
    p, size, tokens = smoothed(1), 100, 1000
    unseen, once = fallback(np.full(size, 1 / size)), (1 + 1) / (tokens + size)
    return Measured((float(fallback(p)), float(p[VOCABULARY.index("sat")]), float(unseen), once))


def finite_scores():
    """Return how many classes have a score above minus infinity without correction: the two test documents."""
    documents = "the cat jumps".split(), "unknown word".split()
    return Measured(tuple(float(all(word in TOKENS for word in words)) for words in documents))


def flatter():
    """P(the) at alpha = 0, 0.5, 1, 10 and 1,000; it was seen twice among nine tokens of seven words."""
    return Measured(tuple(float(smoothed(alpha)[VOCABULARY.index("the")]) for alpha in (0, 0.5, 1, 10, 1000)))


def held_out():
    """Accuracy on 1,440 names by n-grams up to 3: shares (alpha = 0), then alpha = 1; unseen n-grams dropped."""
    split = names_split(3, corpus="embedded")
    X, _ = name_ngrams(split.training.names, 3, split.vocabulary)
    T, _ = name_ngrams(split.test.names, 3, split.vocabulary)
    model = MultinomialNB(alpha=0).fit(X, split.training.y)
    scores = model.score(T, split.test.y), model.resmooth(1).score(T, split.test.y)
    return Measured(scores, kind="sample", runs=len(split.test.y))


def _claim(id, place, quote, statement, ours, verdict="reproduced", note="", stated=None, reading="exact"):
    return Claim(id=f"L25-{id}", place=place, quote=quote, statement=statement, stated=stated, ours=ours,
                 verdict=verdict, reading=reading, chapter="02_laplace_smoothing", note=note)  # fmt: skip


CLAIMS = (
    _claim(
        "P2-01",
        "second paragraph",
        "Multiplying any number by zero results in zero, thus, the whole posterior probability for the class becomes "
        "zero, regardless of the contribution of other words.",
        "A word never seen in a class makes its posterior zero (ours: P(China | document 5), plain and smoothed).",
        wiped_out,
        note="If no class has the word, it is 0 / 0 for all: the source's code returns None.",
    ),
    _claim(
        "P3-01",
        "third paragraph",
        "The effect is that unseen words contribute to the posterior probability, although less so than words "
        "observed in the training data.",
        "By the formula a word that this class did not show gets less than one seen once, and all add up to 1 (ours: "
        "not shown, seen once, the sum; eight words).",
        by_the_formula,
    ),
    _claim(
        "E2-01",
        "example 2, last branch of predict",
        "posterior += np.log(1/(sum(self.word_probabilities[label].values()) + len(self.vocabulary)))",
        "By its code, “With Laplacian Correction”, a word that nobody saw gets less than a word seen once (ours: both, "
        "by its code; then the same with 1,000 tokens of 100 words).",
        by_its_code,
        "false",
        "A formula in code; no sentence says it. It adds |V| to a sum of probabilities, 1, where the source's own "
        "formula, of which “less” is true (L25-P3-01), has the tokens. In the example the two come out alike; with "
        "more tokens the word that nobody saw gets more. Example 3 repeats it with alpha. We found nothing else wrong.",
    ),
    _claim(
        "P4-01",
        "fourth paragraph",
        "a slight shift of probability mass from frequent words to infrequent or unseen words",
        "Probability shifts from frequent to infrequent words (ours: the, before and after; sat, likewise).",
        shifted,
        "shown by an example",
    ),
    _claim(
        "P4-02",
        "fourth paragraph",
        "leading to more robust classifiers that generalize better to unseen data",
        "Smoothing generalises better (ours: accuracy on 1,440 names, n-grams up to 3, alpha = 0 and 1).",
        held_out,
        "shown by an example",
        reading="fixed",
    ),
    _claim(
        "P4-03",
        "fourth paragraph",
        "in practice ‘1’ performs well in a variety of scenarios",
        "In practice alpha = 1 performs well in a variety of scenarios.",
        None,
        "not stated well enough",
        "No scenario and no measure is named.",
        reading="fixed",
    ),
    _claim(
        "E1-01",
        "example 1",
        "the `predict` method breaks down when encountering an unseen word and returns None",
        "Without correction no class is left (ours: classes with a score above minus infinity, both documents).",
        finite_scores,
        stated=(0.0, 0.0),
    ),
    _claim(
        "E2-02",
        "below example 2",
        "This prevents zero probability issues and allows the classifier to generate a more robust probability, as "
        "shown by the output",
        "The output shows that correction prevents zeros and gives a more robust probability.",
        None,
        "not stated well enough",
        "The output shows that the zero is gone: None twice, then “animal” twice. It shows no probability, and there "
        "is one class only; how robust is not said.",
        reading="fixed",
    ),
    _claim(
        "E3-01",
        "example 3",
        "offering control over how strong the regularization effect is",
        "The larger alpha, the nearer to 1/7 for each of seven words (ours: P(the), alpha = 0, 0.5, 1, 10, 1,000).",
        flatter,
        note="(c + alpha) / (N + 7 alpha) is off 1/7 by |7c - N| / (7 (N + 7 alpha)), which falls; P(the) is a check.",
    ),
)

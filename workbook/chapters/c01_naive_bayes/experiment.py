"""Chapter 01: how often the names model is sure, and how often it is sure and wrong, over twenty splits."""

from __future__ import annotations

from functools import cache

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

from nbcore.datasets import END, load_names
from nbcore.naive_bayes import MultinomialNB

__all__ = ["sure_names"]

SPLITS, TESTED, SURE = 20, 1289, 0.99
LENGTH = 3  # letters of the longest piece


def all_pieces(name: str) -> list[str]:
    """Cut a name into all its pieces of one to three letters, the end of the name counted as a letter."""
    text = name + END
    return [text[i : i + n] for n in range(1, LENGTH + 1) for i in range(len(text) + 1 - n)]


def apart(name: str) -> list[str]:
    """Cut a name from its end into pieces of three letters that share none; the first may be shorter."""
    text = name + END
    return [text[max(0, end - LENGTH) : end] for end in range(len(text), 0, -LENGTH)]


def overlapping(name: str) -> list[str]:
    """Take as many pieces of three letters as `apart` does, each one letter before the next."""
    text = name + END
    return [text[max(0, end - LENGTH) : end] for end in range(len(text), 0, -1)][: len(apart(name))]


@cache
def sure_names() -> dict[str, np.ndarray]:
    """Compare three models of the given names on one list, learned from four fifths of them and asked about the rest.

    Returns three shares of each model, means over twenty splits: names decided rightly, names it is at least 99 % sure
    of, and the wrong ones among these.
    """
    names = load_names(both_lists=False)
    ways = {"all pieces": all_pieces, "overlapping threes": overlapping, "threes cut apart": apart}
    return {way: shares(names.data, names.target, cut) for way, cut in ways.items()}


def shares(names, classes, cut) -> np.ndarray:
    """Mean shares (3,) of one model: right, sure, wrong among the sure; cut(name) -> pieces."""
    counts, rows = CountVectorizer(analyzer=cut).fit_transform(names), []
    for seed in range(SPLITS):
        tested, learned = np.split(np.random.default_rng(seed).permutation(len(names)), [TESTED])
        known = np.flatnonzero(counts[learned].sum(axis=0))  # what nobody counted is dropped
        model = MultinomialNB().fit(counts[learned][:, known], classes[learned])
        posterior = model.predict_proba(counts[tested][:, known])
        right, sure = posterior.argmax(axis=1) == classes[tested], posterior.max(axis=1) >= SURE
        rows.append((right.mean(), sure.mean(), 1 - right[sure].mean()))
    return np.mean(rows, axis=0)

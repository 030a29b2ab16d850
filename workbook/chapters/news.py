"""Reuters R8 as counts of words."""

from functools import lru_cache

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

from nbcore.datasets import fetch_r8

__all__ = ["r8_counts"]


@lru_cache(maxsize=1)  # no arguments
def r8_counts():
    """Return Reuters R8 as counts of V words: X train (5485, V), y train, X test (2189, V), y test.

    Words are separated by spaces; the corpus is lower-cased already. Do not write to the arrays: they are cached.
    Downloads the corpus on first use: errors as in `nbcore.datasets.fetchers.fetch_file`.
    """
    corpus = fetch_r8()
    words = CountVectorizer(token_pattern=r"\S+", lowercase=False, dtype=np.float64)
    train, test = words.fit_transform(corpus.data), words.transform(corpus.test_data)
    return train, corpus.target, test, corpus.test_target

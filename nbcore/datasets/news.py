"""Reuters R8 as counts of words."""

from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer

from nbcore.datasets.loaders import fetch_r8

Counts: TypeAlias = sparse.csr_matrix
Topics: TypeAlias = NDArray[np.int64]


@lru_cache(maxsize=1)  # no arguments
def r8_counts() -> tuple[Counts, Topics, Counts, Topics]:
    """Return Reuters R8 as counts of V words: X train (5485, V), y train, X test (2189, V), y test.

    Words are separated by spaces; the corpus is lower-cased already. Do not write to the arrays: they are cached.
    Downloads the corpus on first use: errors as in `nbcore.datasets.fetchers.fetch_file`.
    """
    corpus = fetch_r8()
    words = CountVectorizer(token_pattern=r"\S+", lowercase=False, dtype=np.float64)
    train, test = words.fit_transform(corpus.data), words.transform(corpus.test_data)
    return train, corpus.target, test, corpus.test_target

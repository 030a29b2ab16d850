"""Reuters R8 as counts of words."""

from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer

from nbcore.datasets.loaders import fetch_r8

__all__ = ["r8_counts"]

Counts: TypeAlias = sparse.csr_matrix
Topics: TypeAlias = NDArray[np.int64]


@lru_cache(maxsize=2)  # lower-cased and not: 5 MB each
def r8_counts(lowercase: bool = False) -> tuple[Counts, Topics, Counts, Topics]:
    """Reuters R8: X train (5485, V), y train, X test (2189, V), y test; every word of the training part is a feature.

    lowercase: whether "The" and "the" are one word; the corpus is lower-cased but for a few letters, I with a dot say.
    Downloads the corpus on first use: errors as in `nbcore.datasets.fetchers.fetch_file`.
    """
    corpus = fetch_r8()
    words = CountVectorizer(token_pattern=r"\S+", lowercase=lowercase, dtype=np.float64)
    train, test = words.fit_transform(corpus.data), words.transform(corpus.test_data)
    return train, corpus.target, test, corpus.test_target

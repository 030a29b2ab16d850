"""Character n-grams of names: the features of Carlos (2015)."""

from collections.abc import Iterable
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import CountVectorizer

from nbcore.checks import require, require_count

END = "¶"  # marks the end of a name: seen in its n-grams, never in a name


def name_ngrams(
    names: Iterable[str], max_n: int, vocabulary: Iterable[str] | None = None, min_n: int = 1
) -> tuple[csr_matrix, NDArray[np.object_]]:
    """Count the character n-grams of length min_n..max_n of each name, written with one end mark.

    "Ann" with max_n=2 has A, n, n, An, nn, n¶: case is kept, repetitions count, the bare mark does not. This is the
    definition that meets the feature counts of Carlos (2015), section 5. Characters are Unicode code points, taken
    as they come (no normalisation).

    Parameters
    ----------
    names : sequence of n str, at least one; "" is a name without features, and none may contain the mark "¶"
    max_n : int >= 1
    vocabulary : None, or the vocabulary (V,) of an earlier call: new names are then counted in its columns, and
        n-grams that it does not have are dropped
    min_n : int, 1 <= min_n <= max_n

    Returns
    -------
    counts : CSR matrix (n, V) of float
    vocabulary : object array (V,) of str, sorted by code point unless it was given

    ValueError: names that are no str or hold the mark, a vocabulary with repetitions, bad lengths.

    Examples
    --------
    >>> from nbcore.datasets import name_ngrams
    >>> counts, vocabulary = name_ngrams(["Ann", "Anna"], max_n=2)
    >>> vocabulary.tolist()
    ['A', 'An', 'a', 'a¶', 'n', 'na', 'nn', 'n¶']
    >>> counts.toarray().astype(int)
    array([[1, 1, 0, 0, 2, 0, 1, 1],
           [1, 1, 1, 1, 2, 1, 1, 0]])
    """
    strings = _check_strings("names", names)
    require(strings, "names", strings, "a sequence of at least one str")
    for i, name in enumerate(strings):
        require(END not in name, f"names[{i}]", name, f"free of {END!r}, which marks the end of a name")
    require_count("max_n", max_n)
    require_count("min_n", min_n)
    require(min_n <= max_n, "min_n", min_n, f"at most max_n = {max_n}")
    ngrams_of = partial(_ngrams_of, min_n=min_n, max_n=max_n)
    given = None if vocabulary is None else _check_strings("vocabulary", vocabulary)
    columns = sorted(set(chain.from_iterable(map(ngrams_of, strings)))) if given is None else given
    require(len(set(columns)) == len(columns), "vocabulary", columns, "free of repetitions")
    counter = CountVectorizer(analyzer=ngrams_of, vocabulary=columns or ["none"], dtype=np.float64)
    # dtype object, because numpy's own strings lose trailing NULs and pad every n-gram to the longest
    return counter.transform(strings)[:, : len(columns)], np.array(columns, dtype=object)


def _ngrams_of(name: str, min_n: int, max_n: int) -> list[str]:
    """Return the n-grams of one name, shortest first, as a list of str."""
    marked = name + END
    ngrams = list(name) if min_n == 1 else []  # the characters, without the bare mark
    for n in range(max(2, min_n), min(max_n, len(marked)) + 1):
        ngrams += [marked[i : i + n] for i in range(len(marked) - n + 1)]
    return ngrams


def _check_strings(argument: str, values: Any) -> list[str]:
    """Return the values as a list; ValueError unless they are a sequence of str."""
    holds = isinstance(values, Iterable) and not isinstance(values, str)
    require(holds, argument, values, "a sequence of str (a single one goes in brackets)")
    values = list(values)
    for i, value in enumerate(values):
        require(isinstance(value, str), f"{argument}[{i}]", value, "a str")
    return values

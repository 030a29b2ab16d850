"""Character n-grams of names: the features of Carlos (2015)."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from nbcore.checks import refuse, require, require_count

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
    rows = [_ngrams_of(name, min_n, max_n) for name in strings]
    if vocabulary is None:
        columns = sorted(set(chain.from_iterable(rows)))
    else:
        columns = _check_strings("vocabulary", vocabulary)
    # dtype object, because numpy's own strings lose trailing NULs and pad every n-gram to the longest
    return _count(rows, columns), np.array(columns, dtype=object)


def _ngrams_of(name: str, min_n: int, max_n: int) -> list[str]:
    """Return the n-grams of one name, shortest first, as a list of str."""
    marked = name + END
    ngrams = list(name) if min_n == 1 else []  # the characters, without the bare mark
    for n in range(max(2, min_n), min(max_n, len(marked)) + 1):
        ngrams += [marked[i : i + n] for i in range(len(marked) - n + 1)]
    return ngrams


def _count(rows: Sequence[list[str]], vocabulary: list[str]) -> csr_matrix:
    """Return counts (n, V): how often each n-gram of the vocabulary occurs in each row."""
    column = {ngram: j for j, ngram in enumerate(vocabulary)}
    require(len(column) == len(vocabulary), "vocabulary", vocabulary, "free of repetitions")
    columns = [[column[ngram] for ngram in ngrams if ngram in column] for ngrams in rows]
    row_ends = np.cumsum([0, *map(len, columns)])
    flat = np.fromiter(chain.from_iterable(columns), dtype=np.intp, count=row_ends[-1])
    counts = csr_matrix((np.ones(len(flat)), flat, row_ends), shape=(len(rows), len(vocabulary)))
    counts.sum_duplicates()
    return counts


def _check_strings(argument: str, values: Any) -> list[str]:
    """Return the values as a list; ValueError unless they are a sequence of str."""
    require(not isinstance(values, str), argument, values, "a sequence of str (a single one goes in brackets)")
    try:
        values = list(values)
    except TypeError:
        refuse(argument, values, "a sequence of str")
    for i, value in enumerate(values):
        require(isinstance(value, str), f"{argument}[{i}]", value, "a str")
    return values

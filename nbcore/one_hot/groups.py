"""Search for columns of a bare table that are one-hot codes of one variable. Williams (2024), section 4, footnote 3.

A complete block has exactly one 1 in every row, so that each column is predicted by the others without error and has
infinite variance inflation. A block with a column dropped (dummy coding) never has two 1s in a row.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.special import gammaln
from sklearn.utils import check_array

from nbcore._base import Matrix
from nbcore.checks import require

MAX_COLUMNS = 2000  # scattered blocks are searched for among this many of the most frequent columns
LEAST_COVERAGE = 0.9  # a scattered block has a 1 in at least this share of the rows
SIGNIFICANCE = 0.01  # about the chance of one false block without a column in a matrix of independent columns


def variance_inflation(X: Matrix) -> NDArray[np.float64]:
    """Return the variance inflation factor of every column, (F,): 1 / (1 - R^2), R^2 of its regression on the others.

    Rawlings et al. (1989), section 11.3.2, to which Williams (2024), footnote 3, refers. 1: the others say nothing;
    infinity: they say all (every column of a complete one-hot block, and a constant column). In a dummy-coded block
    with shares p_i whose dropped column has share p_0 the factor is 1 + p_i (1 - p_i - p_0) / p_0.

    X: (n, F), dense or sparse. ValueError for NaN and for fewer than two rows.
    """
    X = check_array(X, accept_sparse=True, dtype=float, ensure_min_samples=2, input_name="X")
    X = X.toarray() if sparse.issparse(X) else X
    varies = (X != X[0]).any(axis=0)
    Z = X[:, varies] - X[:, varies].mean(axis=0)
    Z /= np.linalg.norm(Z, axis=0)
    eigenvalue, vector = np.linalg.eigh(Z.T @ Z)
    void = eigenvalue <= 1e-10 * len(eigenvalue)  # directions without variance: exact linear dependence
    dependent = (vector[:, void] ** 2).sum(axis=1) > 1e-8
    inflation = np.full(X.shape[1], np.inf)
    inflation[varies] = np.where(dependent, np.inf, (vector[:, ~void] ** 2 / eigenvalue[~void]).sum(axis=1))
    return inflation


def one_hot_groups(X: Matrix) -> list[tuple[int, ...]]:
    """Find blocks of two or more columns that are one-hot codes of one variable: list of tuples of column indices.

    Only binary columns that are not constant can belong to one. Three searches, each among the columns left over:

    1. complete blocks of neighbours: exactly one column is 1 in every row;
    2. scattered blocks: no two columns are 1 in a row, and one of them is in nine rows of ten or more;
    3. blocks of neighbours with one column dropped: no two are 1 in a row, however often all are 0.

    In 2 and 3 each column is disjoint from the rest of its block beyond chance (see `disjoint_probability`). Correlated
    columns, such as words, may be so too: check blocks among them. The tuples are sorted, in order of first column.

    A block is as small as it can be, so constant columns, an absent category among them, belong to none. Of overlapping
    blocks, the one of adjacent columns wins, as encoders write them, then the leftmost. In a handful of rows chance
    alone makes complete blocks, and no other can be found. Where columns were shuffled, a block whose dropped column
    was frequent is not found, or in pieces. The second search is among the 2,000 most frequent columns.

    X: (n, F) numbers, dense or sparse. ValueError for NaN and for empty data.

    Examples
    --------
    >>> import numpy as np
    >>> from nbcore.one_hot import one_hot_groups
    >>> colour, size = np.eye(3)[[0, 1, 2, 1, 0]], np.eye(2)[[0, 1, 1, 0, 1]]
    >>> one_hot_groups(np.hstack([colour, size]))
    [(0, 1, 2), (3, 4)]
    """
    X = sparse.csc_array(check_array(X, accept_sparse="csc", input_name="X"), copy=True)
    X.sum_duplicates()
    X.eliminate_zeros()
    n = X.shape[0]
    count = np.diff(X.indptr)
    foreign = np.bincount(np.repeat(np.arange(X.shape[1]), count)[X.data != 1], minlength=X.shape[1])
    columns = np.flatnonzero((foreign == 0) & (count > 0) & (count < n))
    B = sparse.csc_array(X[:, columns], dtype=np.int64)
    groups = []
    for find in (_find_complete_blocks, _find_scattered_blocks, _find_dummy_blocks):
        found = find(B)
        groups += [tuple(int(columns[j]) for j in sorted(group)) for group in found]
        left = np.setdiff1d(np.arange(B.shape[1]), [j for group in found for j in group])
        columns, B = columns[left], B[:, left]
    return sorted(groups)


def ordinal_codes(X: Matrix, groups: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """Replace each one-hot block by one column of codes, in the place of its first column; other columns stay.

    The code of a row is 1 + the place of its 1 in the block, and 0 where the block has none: the dropped column, or a
    value that the encoder did not know. X: (n, F), dense or sparse; groups: tuples of column indices, as from
    `one_hot_groups`. Returns (n, F - columns in groups + groups), for CategoricalNB(handle_unknown="ignore").

    ValueError: a column that is in two groups or not in X, or a row with anything but zeros and at most a single 1.

    Examples
    --------
    >>> from nbcore.one_hot import ordinal_codes
    >>> ordinal_codes([[0, 1, 7], [1, 0, 8], [0, 0, 9]], [(0, 1)]).tolist()
    [[2.0, 7.0], [1.0, 8.0], [0.0, 9.0]]
    """
    X = check_array(X, accept_sparse="csr", input_name="X")
    X = X.toarray() if sparse.issparse(X) else X
    blocked = [j for group in groups for j in group]
    inside = len(set(blocked)) == len(blocked) and all(0 <= j < X.shape[1] for j in blocked)
    require(inside, "groups", groups, f"disjoint groups of column indices from 0 to {X.shape[1] - 1}")
    out = X.astype(float)
    for group in groups:
        block = X[:, list(group)]
        fits = np.isin(block, (0, 1)).all() and block.sum(axis=1).max() <= 1
        require(fits, "groups", tuple(group), "columns of zeros with at most one 1 in a row")
        out[:, group[0]] = block @ np.arange(1, len(group) + 1)
    return np.delete(out, [j for group in groups for j in group[1:]], axis=1)


Blocks = list[NDArray[np.intp]]


def _find_disjoint_runs(B: sparse.csc_array) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return for each column where the longest run of disjoint columns that starts there ends, and its count of 1s."""
    by_row = sparse.csr_array(B)  # of columns one after the other: the indices of every row are sorted
    before = np.concatenate([[-1], by_row.indices[:-1]])  # the column that was the last with a 1 in this row
    before[by_row.indptr[:-1][np.diff(by_row.indptr) > 0]] = -1
    clash = np.full(B.shape[1], -1)
    np.maximum.at(clash, by_row.indices, before)
    start = np.maximum.accumulate(clash + 1)  # of the longest run that ends with each column
    end = np.searchsorted(start, np.arange(B.shape[1]), side="right")
    return end, B.indptr[end] - B.indptr[:-1]


def _find_complete_blocks(B: sparse.csc_array) -> Blocks:
    """Find blocks of neighbouring columns with exactly one 1 in every row, from left to right."""
    end, ones = _find_disjoint_runs(B)
    blocks: Blocks = []
    after = 0
    for start in np.flatnonzero(ones == B.shape[0]):  # a run with a 1 in every row can go no further
        if start >= after:
            after = end[start]
            blocks.append(np.arange(start, after))
    return blocks


def _find_scattered_blocks(B: sparse.csc_array) -> Blocks:
    """Find blocks of columns anywhere that cover nearly every row, greedily from the most frequent column on."""
    n = B.shape[0]
    columns = np.argsort(-np.diff(B.indptr), kind="stable")[:MAX_COLUMNS]
    count, disjoint = np.diff(B.indptr)[columns], (B[:, columns].T @ B[:, columns]).toarray() == 0
    level = _level_per_pair(len(columns))
    reach = count + np.triu(disjoint) @ count  # a column and all later ones that are apart from it
    blocks, free = [], np.ones(len(columns), dtype=bool)
    for seed in np.flatnonzero(reach >= LEAST_COVERAGE * n):
        if free[seed]:
            group = _grow_block(seed, disjoint, free)
            if count[group].sum() < n:
                group = _prune_block(group, count, n, level)
            if len(group) > 1 and count[group].sum() >= LEAST_COVERAGE * n:
                blocks.append(columns[group])
                free[group] = False
    return blocks


def _grow_block(seed: np.intp, disjoint: NDArray[np.bool_], free: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the seed and later columns that are disjoint from it and from each other, taken greedily."""
    group, fits = [seed], seed + 1 + np.flatnonzero((free & disjoint[seed])[seed + 1 :])
    while len(fits):
        group.append(fits[0])
        fits = fits[1:][disjoint[fits[0], fits[1:]]]
    return np.array(group)


def _find_dummy_blocks(B: sparse.csc_array) -> Blocks:
    """Find blocks of neighbouring columns in dummy coding, with one column dropped, from left to right."""
    n, count, (end, ones) = B.shape[0], np.diff(B.indptr), _find_disjoint_runs(B)
    level = _level_per_pair(len(count))
    blocks: Blocks = []
    after = failed = 0
    # Equal halves minimise this probability: if even they exceed the level, no split of the run is significant.
    for start in np.flatnonzero(disjoint_probability(ones / 2, ones / 2, n) < level):
        if start >= after and end[start] != failed:  # once a whole run is no block, no part of it is one
            group = _prune_block(np.arange(start, end[start]), count, n, level)
            if len(group) > 1:
                blocks.append(group)
                after = int(group.max()) + 1
            else:
                failed = end[start]
    return blocks


def _level_per_pair(n_columns: int) -> float:
    """Return the significance level of one pair of columns: the level of all pairs divided by their number."""
    return SIGNIFICANCE / max(1, n_columns * (n_columns - 1) / 2)


def _prune_block(group: NDArray[np.intp], count: NDArray[np.intp], n: int, level: float) -> NDArray[np.intp]:
    """Remove from a block, from the rarest column on, those that may be disjoint from the others by chance."""
    group = group[np.argsort(-count[group], kind="stable")]
    ones = count[group]
    sure = disjoint_probability(ones[1:], np.cumsum(ones)[:-1], n) < level  # each against all that are more frequent
    return group[: np.flatnonzero(sure).max(initial=-1) + 2]


def disjoint_probability(ones: ArrayLike, others: ArrayLike, n: int) -> NDArray[np.float64]:
    """Return the probability that `ones` rows and `others` rows, drawn at random from n, have none in common.

    About exp(-ones * others / n); with the variance inflation v of a dummy-coded column and the share p_0 of the
    dropped one, that is exp(-n p_0 (v - 1)): strong inflation cannot be chance.
    """
    a, b = np.asarray(ones, dtype=float), np.asarray(others, dtype=float)
    return np.exp(gammaln(n - a + 1) + gammaln(n - b + 1) - gammaln(n - a - b + 1) - gammaln(n + 1))

"""Which columns of a bare table are one categorical variable in disguise? Williams (2024), section 4, footnote 3.

Two signs give a one-hot block away. Complete: exactly one of its columns is 1 in every row, so that each is predicted
by the others without error, and its variance inflation is infinite. One column dropped (the usual dummy coding): never
two are 1 at once, although chance would have brought them together; their variance is inflated by each other.
"""

import numpy as np
from scipy import sparse
from scipy.special import gammaln
from sklearn.utils import check_array

__all__ = ["one_hot_groups", "variance_inflation"]

MAX_STEPS = 1000  # of the search for blocks whose columns stand apart; its worst case is exponential
MAX_COLUMNS = 2000  # the most frequent ones, among which blocks with a dropped column are looked for
LEVEL = 0.01  # chance of one false dummy-coded block in a matrix of independent columns, roughly


def variance_inflation(X):
    """Variance inflation factor of every column, (F,): 1 / (1 - R^2), R^2 of its linear prediction from the others.

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
    void = eigenvalue <= 1e-10 * max(1, Z.shape[1])  # directions without variance: exact linear dependence
    dependent = (vector[:, void] ** 2).sum(axis=1) > 1e-8
    inflation = np.full(X.shape[1], np.inf)
    inflation[varies] = np.where(dependent, np.inf, (vector[:, ~void] ** 2 / eigenvalue[~void]).sum(axis=1))
    return inflation


def one_hot_groups(X):
    """Blocks of two or more columns that are one-hot codes of one variable: list of tuples of column indices.

    Complete blocks first: binary columns of which exactly one is 1 in every row. In the other binary columns, blocks
    with one column dropped: never two are 1 in a row, and for each column chance would hardly have kept it apart
    from the rest of its block (see `chance_apart`). The tuples are sorted, disjoint, and in order of first column.

    Ambiguous cases. A block is as small as it can be, so constant columns, an absent category among them, belong to
    none. Of overlapping blocks, the one of adjacent columns wins, as encoders write them, then the leftmost. A binary
    variable beside its complement is a block of two; one 0/1 column alone is none. A block with an all-zero row
    counts as one with a dropped column; a row with two ones rules it out. In a handful of rows chance alone makes
    complete blocks, and none with a dropped column can be told. Adjacent columns are always found; complete blocks
    whose columns stand apart within 1,000 steps of search, blocks with a dropped column among the 2,000 most
    frequent columns.

    X: (n, F) numbers, dense or sparse. ValueError for NaN and for empty data.
    """
    X = sparse.csc_array(check_array(X, accept_sparse="csc", input_name="X"), copy=True)
    X.sum_duplicates()
    X.eliminate_zeros()
    n = X.shape[0]
    count = np.diff(X.indptr)
    foreign = np.zeros(X.shape[1] + 1, dtype=int)
    np.cumsum(np.bincount(np.repeat(np.arange(X.shape[1]), count)[X.data != 1], minlength=X.shape[1]), out=foreign[1:])
    columns = np.flatnonzero((np.diff(foreign) == 0) & (count > 0) & (count < n))
    B = sparse.csc_array(X[:, columns], dtype=np.int64)
    groups = []
    for find in (_adjacent_blocks, _scattered_blocks, _dropped_blocks):
        found = find(B)
        groups += [tuple(int(columns[j]) for j in sorted(group)) for group in found]
        left = np.setdiff1d(np.arange(B.shape[1]), [j for group in found for j in group])
        columns, B = columns[left], B[:, left]
    return sorted(groups)


def _adjacent_blocks(B):
    """Complete blocks of neighbouring columns, from left to right."""
    n, F = B.shape
    blocks, start = [], 0
    while start < F:
        covered, total, end = np.zeros(n, dtype=bool), 0, start
        while end < F and total < n and not covered[rows := B.indices[B.indptr[end] : B.indptr[end + 1]]].any():
            covered[rows] = True
            total += len(rows)
            end += 1
        if total == n:
            blocks.append(range(start, end))
        start = end if total == n else start + 1
    return blocks


def _scattered_blocks(B):
    """Complete blocks anywhere, one after the other."""
    blocks, left, budget = [], np.arange(B.shape[1]), MAX_STEPS
    while len(left) > 1 and budget:
        cover, budget = _exact_cover(B[:, left], budget)
        if cover is None:
            break
        blocks.append(left[list(cover)])
        left = np.delete(left, cover)
    return blocks


def _exact_cover(B, budget):
    """Columns that together are 1 exactly once in every row, or None; and what is left of the budget of steps.

    Knuth's algorithm X: take the open row with the fewest columns left, try each of them (the leftmost first).
    """
    stack = [()]
    while stack and budget:
        budget -= 1
        chosen = stack.pop()
        covered = B[:, list(chosen)].sum(axis=1) > 0
        if covered.all():
            return chosen, budget
        free = B.T @ covered.astype(np.int64) == 0
        options = np.where(covered, np.inf, B @ free.astype(np.int64))
        candidates = np.flatnonzero(free & (B[[options.argmin()]].toarray()[0] > 0))
        stack += [(*chosen, j) for j in candidates[::-1]]
    return None, budget


def _dropped_blocks(B):
    """Blocks without one of their columns: runs of neighbours, then columns apart, the most frequent first."""
    n = B.shape[0]
    count = np.diff(B.indptr)
    kept = np.sort(np.argsort(-count, kind="stable")[:MAX_COLUMNS])
    count, apart = count[kept], (B[:, kept].T @ B[:, kept]).toarray() == 0
    level = LEVEL / max(1, len(kept) * (len(kept) - 1) / 2)
    blocks, free = [], np.ones(len(kept), dtype=bool)
    by_place, by_count = np.arange(len(kept)), np.argsort(-count, kind="stable")
    for order, adjacent in ((by_place, True), (by_count, False)):
        for i, seed in enumerate(order):
            if not free[seed]:
                continue
            group = _prune(_clique([], order[i:], apart, free, adjacent), count, n, level)
            if len(group) > 1:  # the rest of the block may stand elsewhere
                group = _prune(_clique(group, by_count, apart, free), count, n, level)
                blocks.append(kept[group])
                free[group] = False
    return blocks


def _clique(group, order, apart, free, adjacent=False):
    """The group and columns apart from it and from each other, taken greedily; `adjacent` stops at the first misfit."""
    group, fits = list(group), free & apart[group].all(axis=0)
    for j in order:
        if fits[j]:
            group.append(j)
            fits &= apart[j]
        elif adjacent:
            break
    return group


def _prune(group, count, n, level):
    """Leave out, one by one, the columns that chance may well have kept apart from the others."""
    group = np.array(group)
    while len(group) > 1:
        chance = chance_apart(count[group], count[group].sum() - count[group], n)
        if chance.max() < level:
            break
        group = np.delete(group, chance.argmax())
    return group


def chance_apart(ones, others, n):
    """Probability that `ones` rows and `others` rows, drawn at random from n, have none in common.

    About exp(-ones * others / n); with the variance inflation v of a dummy-coded column and the share p_0 of the
    dropped one, that is exp(-n p_0 (v - 1)): strong inflation cannot be chance.
    """
    return np.exp(gammaln(n - ones + 1) + gammaln(n - others + 1) - gammaln(n - ones - others + 1) - gammaln(n + 1))

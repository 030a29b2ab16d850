"""Copies and near copies: features that say the same again, so that naive Bayes counts it again. Carlos (2015)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.stats import norm, rankdata

from nbcore._base import Floats
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL, Finding, Remedy, adjust, best_first, bootstrap, listed
from nbcore.diagnosis.one_hot import one_hot_blocks
from nbcore.diagnosis.selection import kept_alone

__all__ = ["effective_number", "evidence_for_truth", "find_copies", "find_groups", "told"]

ALIKE = 0.6  # mean rank correlation, within the classes, of what the features of a group say
NEARLY = 0.75  # n features worth more than this share of n repeat each other a little, and are no copies
SEEN = 20  # a feature that says the same in all but fewer rows tells nothing about copies
ROWS, COLUMNS = 2000, 400  # so many are looked at, at most


def evidence_for_truth(contributions: Floats, code: NDArray[np.intp]) -> Floats:
    """How much each feature argues for the true class against the mean of the others, nats, (n, F)."""
    floored = np.maximum(contributions, -50.0)  # a silenced class says -inf
    own = floored[np.arange(len(code)), code]
    return own - (floored.sum(axis=1) - own) / (floored.shape[1] - 1)


def within(values: Floats, code: NDArray[np.intp], of: Any = lambda part: part) -> Floats:
    """The values (n, F), transformed class by class and centred in each class."""
    out = np.empty_like(values)
    for c in np.unique(code):
        part = of(values[code == c])
        out[code == c] = part - part.mean(axis=0)
    return out


def effective_number(evidence: Floats, code: NDArray[np.intp]) -> float:
    """n features that vary together within the classes are worth this many independent ones: 1 for n copies.

    n times the sum of the variances over the variance of the sum: the k of chapter 05, which copies need exactly, by
    Kish's design effect. evidence: (n rows, features).
    """
    centred = within(evidence, code)
    total = (centred.sum(axis=1) ** 2).sum()
    return float(evidence.shape[1] * (centred**2).sum() / total) if total > 0 else float("nan")


def _most_common(part: Floats) -> NDArray[np.intp]:
    """How often each column has its most common value, (n, F) -> (F,)."""
    return np.array([np.unique(column, return_counts=True)[1].max(initial=0) for column in part.T.round(12)])


def find_groups(evidence: Floats, code: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Groups of features whose evidence goes together within the classes: average linkage of rank correlations."""
    usual = sum(_most_common(evidence[code == c]) for c in np.unique(code))
    heard = np.flatnonzero(len(evidence) - usual >= SEEN)
    if len(heard) < 2:
        return []
    ranks = within(evidence[:, heard], code, lambda part: rankdata(part, axis=0))
    size = np.sqrt((ranks**2).sum(axis=0))
    r = (ranks.T @ ranks) / np.outer(size, size)
    pairs = np.triu_indices(len(heard), 1)
    freedom = len(evidence) - len(np.unique(code)) - 2  # 18 or more, as something is heard
    chance = np.tanh(norm.isf(LEVEL / len(pairs[0])) * np.sqrt(1.06 / freedom))  # Fieller et al. (1957), for ranks
    least = max(ALIKE, float(chance))
    label = fcluster(linkage((1 - r[pairs]).clip(0), "average"), 1 - least, "distance")
    return [heard[label == g] for g in np.unique(label) if (label == g).sum() > 1]


def _columns(case: Case) -> NDArray[np.intp]:
    """The columns to look at: not those of one-hot blocks, and of many the ones that vary most."""
    blocked = {j for block in one_hot_blocks(case) for j in block}
    columns = np.array([j for j in range(case.Z.shape[1]) if j not in blocked], dtype=np.intp)
    if len(columns) <= COLUMNS:
        return columns
    Z = case.Z
    often = np.diff(sparse.csc_array(Z).indptr) if sparse.issparse(Z) else (np.asarray(Z) != 0).sum(axis=0)
    common = np.minimum(often, case.n - often)[columns]
    return np.sort(columns[np.argsort(-common, kind="stable")[:COLUMNS]])


def _thinned(case: Case, name: str, columns: NDArray, groups: list[NDArray], evidence: Floats) -> Remedy:
    """Of each group the feature alone that argues most for the truth."""
    best = {int(columns[g[np.argmax(evidence[:, g].mean(axis=0))]]) for g in groups}
    gone = {int(columns[j]) for g in groups for j in g} - best
    kept = [j for j in range(case.Z.shape[1]) if j not in gone]
    return kept_alone(case, f"{name} ({len(kept)} of {case.Z.shape[1]} columns)", kept)


def told(groups: list[dict[str, Any]], n_features: int) -> str:
    """What the groups are, the largest first: copies or near copies, or features that repeat each other a little."""
    near = [g for g in groups if g["effective"] <= NEARLY * len(g["columns"])]
    little = [g for g in groups if g not in near]
    said = []
    for some, verb in ((near, "are copies or near copies"), (little, "repeat each other a little")):
        if not some:
            continue
        n, first = sum(len(g["columns"]) for g in some), some[0]
        head, names = f"{n} of {n_features} features {verb}", listed(first["columns"])
        inside = f", in {len(some)} group{'s' * (len(some) > 1)}. The largest: {names}"
        if some is near:
            said.append(f"{head}{inside}: {len(first['columns'])} features, worth {first['effective']:.2g}.")
        else:
            said.append(f"{head}{inside if len(some) > 1 else f': {names}'}, worth {first['effective']:.2g}.")
    return " ".join(said)


def find_copies(case: Case) -> Finding | None:
    """Groups of features that repeat each other, and what the group is worth."""
    columns = _columns(case)
    rows = np.arange(case.n)
    if case.n > ROWS:
        rows = np.sort(np.random.default_rng(0).permutation(case.n)[:ROWS])
    if len(columns) < 2:
        return None
    code, said = case.code[rows], case.contributions(rows, columns)
    evidence = evidence_for_truth(said, code)
    cell = code * len(case.parts) + case.part[rows]  # another fold is another model, and says it with other numbers
    found = find_groups(evidence, cell)
    if not found:
        return None
    groups: list[dict[str, Any]] = []
    for group in sorted(found, key=len, reverse=True):
        k = effective_number(evidence[:, group], cell)
        groups.append({"columns": [case.names[columns[j]] for j in group], "effective": k})
    largest = max(found, key=len)
    part = evidence[:, largest]
    interval = bootstrap(lambda draw: effective_number(part[draw], cell[draw]), len(rows), 200)
    loudest = max(found, key=lambda g: evidence[:, g].sum(axis=1).mean())
    remedies = [_thinned(case, "one of each group", columns, found, evidence)]
    if len(found) > 1:
        remedies.append(_thinned(case, "one of the group that says most", columns, [loudest], evidence))
    harm = "".join(f" No remedy here: {r}." for r in remedies if r.gain < 0)
    first = groups[0]
    return Finding(
        "copies",
        told(groups, case.Z.shape[1]) + harm,
        float(first["effective"]),
        interval,
        f"effective number of features in a group of {len(largest)}",
        "05_perplexity_attenuation",
        best_first([*remedies, adjust(case, "perplexed")]),
        tuple(name for g in groups for name in g["columns"]),
        {"groups": groups},
    )

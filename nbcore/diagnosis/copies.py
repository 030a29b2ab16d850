"""Copies and near copies: features whose evidence repeats that of others and is counted again. Carlos (2015)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.stats import norm, rankdata

from nbcore._base import Floats
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL, Finding, Remedy, bootstrap, list_columns, measure_adjustment, sort_remedies
from nbcore.diagnosis.one_hot import one_hot_blocks
from nbcore.diagnosis.selection import keep_columns

LEAST_CORRELATION = 0.6  # of the evidence of a group's features: mean rank correlation within the classes
NEAR_COPY_SHARE = 0.75  # n features are called near copies if their effective number is at most this share of n
LEAST_INFORMATIVE_ROWS = 20  # a feature whose evidence differs from its mode in fewer rows is left out
MOST_ROWS, MOST_COLUMNS = 2000, 400  # larger tables are sampled


def evidence_for_truth(contributions: Floats, code: NDArray[np.intp]) -> Floats:
    """Return how much each feature argues for the true class against the mean of the others, in nats, (n, F)."""
    floored = np.maximum(contributions, -50.0)  # without smoothing a log probability may be -inf
    own = floored[np.arange(len(code)), code]
    return own - (floored.sum(axis=1) - own) / (floored.shape[1] - 1)


def centre_within_classes(values: Floats, code: NDArray[np.intp], of: Any = lambda part: part) -> Floats:
    """Transform the values (n, F) class by class and centre them in each class."""
    out = np.empty_like(values)
    for c in np.unique(code):
        part = of(values[code == c])
        out[code == c] = part - part.mean(axis=0)
    return out


def effective_number(evidence: Floats, code: NDArray[np.intp]) -> float:
    """Return how many independent features n features are worth that vary together within the classes; 1 for n copies.

    n times the sum of the variances over the variance of the sum: the k of chapter 05, which copies need exactly, by
    Kish's design effect. evidence: (n rows, features).
    """
    centred = centre_within_classes(evidence, code)
    total = (centred.sum(axis=1) ** 2).sum()
    return float(evidence.shape[1] * (centred**2).sum() / total) if total > 0 else float("nan")


def _mode_counts(part: Floats) -> NDArray[np.intp]:
    """Count how often each column has its most common value, (n, F) -> (F,)."""
    return np.array([np.unique(column, return_counts=True)[1].max(initial=0) for column in part.T.round(12)])


def find_groups(evidence: Floats, code: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Find groups of features with correlated evidence within the classes: average linkage of rank correlations."""
    usual = sum(_mode_counts(evidence[code == c]) for c in np.unique(code))
    informative = np.flatnonzero(len(evidence) - usual >= LEAST_INFORMATIVE_ROWS)
    if len(informative) < 2:
        return []
    ranks = centre_within_classes(evidence[:, informative], code, lambda part: rankdata(part, axis=0))
    size = np.sqrt((ranks**2).sum(axis=0))
    r = (ranks.T @ ranks) / np.outer(size, size)
    pairs = np.triu_indices(len(informative), 1)
    freedom = len(evidence) - len(np.unique(code)) - 2  # 18 or more, as some feature is informative
    chance = np.tanh(norm.isf(LEVEL / len(pairs[0])) * np.sqrt(1.06 / freedom))  # Fieller et al. (1957), for ranks
    least = max(LEAST_CORRELATION, float(chance))
    label = fcluster(linkage((1 - r[pairs]).clip(0), "average"), 1 - least, "distance")
    return [informative[label == g] for g in np.unique(label) if (label == g).sum() > 1]


def _candidate_columns(case: Case) -> NDArray[np.intp]:
    """Return the columns to examine: those outside one-hot blocks, and of many the ones that vary most."""
    blocked = {j for block in one_hot_blocks(case) for j in block}
    columns = np.array([j for j in range(case.Z.shape[1]) if j not in blocked], dtype=np.intp)
    if len(columns) <= MOST_COLUMNS:
        return columns
    Z = case.Z
    often = np.diff(sparse.csc_array(Z).indptr) if sparse.issparse(Z) else (np.asarray(Z) != 0).sum(axis=0)
    common = np.minimum(often, case.n - often)[columns]
    return np.sort(columns[np.argsort(-common, kind="stable")[:MOST_COLUMNS]])


def _thin_groups(case: Case, name: str, columns: NDArray, groups: list[NDArray], evidence: Floats) -> Remedy:
    """Measure the remedy that keeps of each group only the feature that argues most for the truth."""
    best = {int(columns[g[np.argmax(evidence[:, g].mean(axis=0))]]) for g in groups}
    gone = {int(columns[j]) for g in groups for j in g} - best
    kept = [j for j in range(case.Z.shape[1]) if j not in gone]
    return keep_columns(case, f"{name} ({len(kept)} of {case.Z.shape[1]} columns)", kept)


def describe_groups(groups: list[dict[str, Any]], n_features: int) -> str:
    """Return sentences about the groups: copies or near copies, then features that repeat each other a little."""
    near = [g for g in groups if g["effective"] <= NEAR_COPY_SHARE * len(g["columns"])]
    little = [g for g in groups if g not in near]
    sentences = []
    for some, verb in ((near, "are copies or near copies"), (little, "repeat each other a little")):
        if not some:
            continue
        n, first = sum(len(g["columns"]) for g in some), some[0]
        head, names = f"{n} of {n_features} features {verb}", list_columns(first["columns"])
        inside = f", in {len(some)} group{'s' * (len(some) > 1)}. The largest: {names}"
        if some is near:
            sentences.append(f"{head}{inside}: {len(first['columns'])} features, worth {first['effective']:.2g}.")
        else:
            sentences.append(f"{head}{inside if len(some) > 1 else f': {names}'}, worth {first['effective']:.2g}.")
    return " ".join(sentences)


def find_copies(case: Case) -> Finding | None:
    """Find groups of features that repeat each other, their effective number, and what thinning them gains."""
    columns = _candidate_columns(case)
    rows = np.arange(case.n)
    if case.n > MOST_ROWS:
        rows = np.sort(np.random.default_rng(0).permutation(case.n)[:MOST_ROWS])
    if len(columns) < 2:
        return None
    code = case.code[rows]
    evidence = evidence_for_truth(case.contributions(rows, columns), code)
    cell = code * len(case.parts) + case.part[rows]  # each fold has a model of its own, so its evidence has other means
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
    strongest = max(found, key=lambda g: evidence[:, g].sum(axis=1).mean())
    remedies = [_thin_groups(case, "one of each group", columns, found, evidence)]
    if len(found) > 1:
        remedies.append(_thin_groups(case, "one of the group that says most", columns, [strongest], evidence))
    harm = "".join(f" No remedy here: {r}." for r in remedies if r.gain < 0)
    first = groups[0]
    return Finding(
        "copies",
        describe_groups(groups, case.Z.shape[1]) + harm,
        float(first["effective"]),
        interval,
        f"effective number of features in a group of {len(largest)}",
        "05_perplexity_attenuation",
        sort_remedies([*remedies, measure_adjustment(case, "perplexed")]),
        tuple(name for g in groups for name in g["columns"]),
        {"groups": groups},
    )

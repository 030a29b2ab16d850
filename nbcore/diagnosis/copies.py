"""Copies and near copies: features whose evidence repeats that of others and is counted again. Carlos (2015)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.stats import mode, norm, rankdata
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from nbcore._base import Floats
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL, Finding, list_columns
from nbcore.diagnosis.gaps import measured_columns, measurements
from nbcore.diagnosis.one_hot import one_hot_blocks
from nbcore.diagnosis.remedies import changed_columns, measure_adjustment, measure_refit

LEAST_CORRELATION, LEAST_DEPENDENCE = 0.6, 0.3  # of ranks within the classes: of a group's evidence, of two columns
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

    n times the sum of the variances over the variance of the sum: the k of chapter 05, Kish's design effect.
    """
    centred = centre_within_classes(evidence, code)
    total = (centred.sum(axis=1) ** 2).sum()
    return float(evidence.shape[1] * (centred**2).sum() / total) if total > 0 else float("nan")


def find_groups(evidence: Floats, code: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Find groups of features with correlated evidence within the classes: average linkage of rank correlations."""
    usual = sum(mode(evidence[code == c].round(12)).count for c in np.unique(code))
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


def _find_dependence(case: Case) -> Finding | None:
    """Report measurements without gaps that are correlated within the classes, if discriminant directions gain."""
    X = measurements(case)
    columns = [j for j in measured_columns(case) if not np.isnan(X[:, j]).any()][:MOST_COLUMNS]
    if len(columns) < 2:
        return None
    with np.errstate(divide="ignore", invalid="ignore"):  # of a column that does not vary
        r = np.corrcoef(centre_within_classes(X[:, columns], case.code, lambda part: rankdata(part, axis=0)).T)
    r = np.abs(np.nan_to_num(r)) - np.eye(len(columns))
    bound = [j for j, own in zip(columns, r, strict=True) if own.max() >= LEAST_DEPENDENCE]
    if not bound:
        return None
    pair = list_columns([case.names[columns[j]] for j in np.unravel_index(r.argmax(), r.shape)])
    turned = changed_columns(case, bound, LinearDiscriminantAnalysis(), case.n_classes - 1)
    remedy = measure_refit(case, f"discriminant directions of {len(bound)} measurements", *turned)
    sentence = f"{len(bound)} measurements vary together in the classes, most {pair}: rank correlation {r.max():.2f}."
    names = tuple(case.names[j] for j in bound)
    return Finding("copies", sentence, "05b_half_copies", (remedy,), names) if remedy.sure else None


def find_copies(case: Case) -> Finding | None:
    """Find groups of features that repeat each other, and what thinning them gains; without any, dependence."""
    columns = _candidate_columns(case)
    rows = np.sort(np.random.default_rng(0).permutation(case.n)[:MOST_ROWS])
    if len(columns) < 2:
        return None
    code = case.code[rows]
    evidence = evidence_for_truth(case.contributions(rows, columns), code)
    cell = code * len(case.parts) + case.part[rows]  # each fold has a model of its own, so its evidence has other means
    groups = sorted(find_groups(evidence, cell), key=len, reverse=True)
    if not groups:
        return _find_dependence(case)
    kept = {int(g[np.argmax(evidence[:, g].mean(axis=0))]) for g in groups}  # what argues most for the truth
    gone = [int(columns[j]) for g in groups for j in g if j not in kept]
    left, width = case.Z.shape[1] - len(gone), case.Z.shape[1]
    thinned = measure_refit(case, f"one of each group ({left} of {width} columns)", *changed_columns(case, gone))
    dependence = _find_dependence(case)
    if dependence and not thinned.sure:
        return dependence
    parts = [[case.names[columns[j]] for j in g] for g in groups]
    worth = [effective_number(evidence[:, g], cell) for g in groups]
    return Finding(
        "copies",
        f"{sum(map(len, groups))} of {width} features repeat others of {len(groups)} group{'s' * (len(groups) > 1)}. "
        f"The largest: {list_columns(parts[0])}: {len(parts[0])} features, worth {worth[0]:.2g}.",
        "05_perplexity_attenuation",
        (thinned, *(dependence.remedies if dependence else ()), measure_adjustment(case, "perplexed")),
        tuple(name for names in parts for name in names),
        {"groups": [{"columns": names, "effective": n} for names, n in zip(parts, worth, strict=True)]},
    )

"""Columns that are not what they were in training: what the model learned of each class, beside the held-out rows."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.stats import chi2, norm

from nbcore._base import Floats, blocks
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL, Finding, Remedy, list_columns, sort_remedies
from nbcore.diagnosis.recipe import row_losses, without_names
from nbcore.diagnosis.remedies import changed_columns, measure_refit
from nbcore.naive_bayes import BernoulliNB, GaussianNB, MultinomialNB
from nbcore.perplexed import normalise_log

LEAST_SHIFT = 0.5  # standard deviations: a smaller shift of a measurement is not worth a word unless it costs something
LEAST_DISTANCE = 0.2  # the same of shares, as total variation


class Change(NamedTuple):
    """How a column of the held-out rows differs from what the model learned of it."""

    chance: float = 1.0  # p-value of all its differences
    lost: bool = False  # whether it told the classes apart in training and does not here
    moved: str = ""  # by how much all classes moved, if that is much


def measured_changes(nb: GaussianNB, X: Floats, code: NDArray[np.intp]) -> list[Change]:
    """Compare the mean of each class with the model's, column by column; its error comes from the larger variance.

    Variances are not compared: with heavy tails, or of columns that are mostly 0, they differ from sample to sample.
    """
    of_class, known = np.eye(len(nb.class_count_))[:, code], ~np.isnan(X)  # (C, n), (n, F)
    size, trained = of_class @ known, nb.class_count_[:, None]
    mean = of_class @ np.where(known, X, 0.0) / np.maximum(size, 1)
    variance = of_class @ np.where(known, X - mean[code], 0.0) ** 2 / np.maximum(size, 1) + nb.epsilon_
    few = (size < 2) | (trained < 2)
    size, mean, variance, theta, var = (np.ma.array(a, mask=few) for a in (size, mean, variance, nb.theta_, nb.var_))
    errors = abs(mean - theta) / np.sqrt(np.maximum(var, variance) * (1 / size + 1 / trained))
    known = size.count(axis=0)  # classes that say something
    chance = np.where(known, 2 * known * norm.sf(np.ma.filled(errors.max(axis=0), 0.0)), 1.0)
    shift = np.ma.filled(np.ma.average((mean - theta) / np.sqrt(var), axis=0, weights=size), 0.0)
    before, now = theta.std(axis=0) / np.sqrt(var.mean(axis=0)), mean.std(axis=0) / np.sqrt(variance.mean(axis=0))
    lost = ((before - now > LEAST_SHIFT) & (now < before / 2)).filled(False)
    moved = [f"{far:+.1f} sd" if abs(far) > LEAST_SHIFT else "" for far in shift]
    return [Change(*column) for column in zip(chance.tolist(), lost.tolist(), moved, strict=True)]


def counted_changes(tables: list[Floats], codes: NDArray[np.intp], code: NDArray[np.intp]) -> list[Change]:
    """Compare the shares of each class's values with the model's counts, (C, K) a column; codes (n, F), -1 for a gap.

    Chi-squared tests of two samples, added over the classes; values of which less than five are expected are one.
    """
    out = []
    for then, column in zip(tables, codes.T, strict=True):
        known, now = (column >= 0) & (column < then.shape[1]), np.zeros(then.shape)
        np.add.at(now, (code[known], column[known]), 1.0)
        statistic, freedom = 0.0, 0
        for pair in np.stack([then, now], axis=1):  # (2, K) of a class
            expected = np.outer(pair.sum(axis=1), pair.sum(axis=0)) / max(pair.sum(), 1.0)
            few = (expected < 5).any(axis=0)
            found, expected = (np.column_stack([a[:, ~few], a[:, few].sum(axis=1)]) for a in (pair, expected))
            there = expected.min(axis=0) > 0
            statistic += ((found - expected)[:, there] ** 2 / expected[:, there]).sum()
            freedom += max(0, int(there.sum()) - 1)
        both = [(a / np.maximum(a.sum(axis=1, keepdims=True), 1), a.sum(axis=0) / max(a.sum(), 1)) for a in (then, now)]
        before, after = (abs(of_class - of_all).sum(axis=1).max() / 2 for of_class, of_all in both)
        shift = abs(both[0][1] - both[1][1]).sum() / 2
        lost = bool(before - after > LEAST_DISTANCE and after < before / 2)
        chance = float(chi2.sf(statistic, freedom)) if freedom else 1.0
        out.append(Change(chance, lost, f"{shift:.0%} of the rows" if shift > LEAST_DISTANCE else ""))
    return out


def _changes(nb: Any, events: Any, code: NDArray[np.intp]) -> list[Change]:
    """Return the changes of a model's columns; none for counts, whose tokens are no independent draws in real texts."""
    if isinstance(nb, MultinomialNB) or sparse.issparse(events):
        return [Change()] * events.shape[1]
    if isinstance(nb, GaussianNB):
        return measured_changes(nb, events, code)
    if isinstance(nb, BernoulliNB):
        absent = nb._documents - nb.feature_count_
        tables = [np.stack(pair, axis=1) for pair in zip(absent.T, nb.feature_count_.T, strict=True)]
        return counted_changes(tables, np.where(np.isnan(events), -1, events).astype(int), code)
    return counted_changes(nb.category_count_, events, code)


def find_drift(case: Case) -> Finding | None:
    """Find columns that told the classes apart in training only, or that have moved; with folds there are none."""
    if case.cv is not None:
        return None
    nb, width, changes = case.nb, case.Z.shape[1], dict[int, Change]()
    events = nb._check_rows(without_names(nb, case.Z))
    for (part, columns), block in zip(case.event_models, events if case.event == "mixed" else [events], strict=True):
        changes |= dict(zip(columns, _changes(part, block, case.code), strict=True))
    found = [j for j, change in sorted(changes.items()) if change.chance < LEVEL / width]
    if not found:
        return None
    anew = measure_refit(case, "the same recipe, learned from these rows")
    remedies = sort_remedies([anew, _without(case, found)] if len(found) < width else [anew])
    lost = [case.names[j] for j in found if changes[j].lost]
    moved = {case.names[j]: changes[j].moved for j in found if changes[j].moved and not changes[j].lost}
    if not remedies[0].sure and not lost and not moved:
        return None
    names = tuple(case.names[j] for j in found)
    far = [f"{list_columns([name])} ({shift})" for name, shift in moved.items()]
    in_words = f" In training only these told the classes apart: {list_columns(lost)}." if lost else ""
    in_words += f" These have moved: {list_columns(far)}." if moved else ""
    return Finding(
        "drift",
        f"{len(found)} of {width} columns are not what they were in training: {list_columns(names)}.{in_words}",
        "12_your_own_table",
        remedies,
        names,
        {"training_only": lost, "moved": moved},
    )


def _without(case: Case, columns: list[int]) -> Remedy:
    """Measure the model without these columns: what it learned of the others from its training rows stays.

    One whose correction is no factor of the log odds is compared as a recipe, fitted to folds of the held-out rows.
    """
    name, (change, nb) = f"without {list_columns([case.names[j] for j in columns])}", changed_columns(case, columns)
    if case.recipe.scale is None:
        return measure_refit(case, f"{name}, learned from these rows", change, nb)
    kept, rows = np.setdiff1d(np.arange(case.Z.shape[1]), columns), np.arange(case.n)
    factors = np.concatenate([case.contributions(rows[some], kept).sum(axis=2) for some in blocks(case.n)])
    gone = case.contributions(rows, np.array(columns)).any(axis=1).sum(axis=1)  # factors of each row
    scale = case.recipe.scale(case.scores.n_features - gone)[:, None]
    log_p = normalise_log(scale * (case.scores.log_prior + factors), case.scores.log_prior)
    return Remedy.measured(name, case.rebuilt(change, nb), case.losses, row_losses(log_p, case.code))

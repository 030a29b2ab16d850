"""Numbers that stand for a gap, such as -999, and are read as measurements. Chapter 12."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.preprocessing import FunctionTransformer

from nbcore._base import Floats
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import Finding, list_columns
from nbcore.diagnosis.remedies import changed_columns, measure_refit
from nbcore.naive_bayes import GaussianNB

LEAST_ROWS, LEAST_SHARE = 5, 0.005  # a number that stands for a gap comes again and again
LEAST_VALUES = 10  # a column of fewer is one of codes
LEAST_DISTANCE = 3.0  # from the nearest other value, in standard deviations of the others; alone below 0, in steps


def read_as_gaps(X: Any, numbers: Sequence[float]) -> Floats:
    """Return the columns of X (n, F) as floats, NaN where a column has its number, (F,)."""
    values = np.asarray(X, dtype=float)
    return np.where(values == np.asarray(numbers), np.nan, values)


def measured_columns(case: Case) -> list[int]:
    """Return the numbers of the columns that a Gaussian models."""
    return sorted(j for nb, columns in case.event_models if isinstance(nb, GaussianNB) for j in columns)


def measurements(case: Case) -> Floats:
    """Return the columns that a Gaussian models, (n, F), NaN for all others, for gaps, and what stands for a gap."""
    if "measurements" not in case.cache:
        out = np.full(case.Z.shape, np.nan)
        if case.event == "gaussian":
            out[:] = np.asarray(case.dense, dtype=float)
        elif columns := measured_columns(case):
            out[:, columns] = case.nb._table(case.Z, reset=False).numbers(columns)
        case.cache["sentinels"] = found = {j: v for j in range(out.shape[1]) for v in _sentinels(out[:, j])}
        out[:, list(found)] = read_as_gaps(out[:, list(found)], list(found.values()))
        case.cache["measurements"] = out
    return case.cache["measurements"]


def _sentinels(column: Floats) -> list[float]:
    """Return the lowest or highest value of a column if it is repeated, and far off or alone below 0; else []."""
    known, found = column[~np.isnan(column)], []
    values, count = np.unique(known, return_counts=True)
    for end in (0, -1) if len(values) >= LEAST_VALUES else ():
        others = known[known != values[end]]
        least = LEAST_DISTANCE * (np.median(np.diff(values)) if values[end] < 0 <= others.min() else others.std())
        if abs(others - values[end]).min() > least and count[end] >= max(LEAST_ROWS, LEAST_SHARE * len(known)):
            found.append(float(values[end]))
    return found


def find_gaps(case: Case) -> Finding | None:
    """Report numbers that stand for a gap, unless reading them as gaps surely harms."""
    measurements(case)
    found: dict[int, float] = case.cache["sentinels"]
    if not found:
        return None
    read = FunctionTransformer(read_as_gaps, kw_args={"numbers": list(found.values())}, feature_names_out="one-to-one")
    change, nb = changed_columns(case, list(found), read)
    if case.event == "gaussian" and not isinstance(nb, GaussianNB):  # scikit-learn's refuses gaps
        nb = GaussianNB(priors=nb.priors, var_smoothing=nb.var_smoothing)
    remedy = measure_refit(case, "read as gaps, and left out", change, nb)
    if remedy.interval[1] < 0:  # then they say something as they are
        return None
    named = {case.names[j]: value for j, value in found.items()}
    shown = ", ".join(f"{value:g} in {list_columns([name])}" for name, value in named.items())
    sentence = f"Numbers that seem to stand for a gap: {shown}."
    return Finding("gaps", sentence, "12_your_own_table", (remedy,), tuple(named), {"numbers": named})

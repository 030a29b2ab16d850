"""Columns that do not fit the event model: codes taken for counts, marks for measurements, skewed columns for normal.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import skew, skewtest
from sklearn.preprocessing import FunctionTransformer, PowerTransformer

from nbcore._base import Floats
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL, Finding, Remedy, bootstrap, list_columns, measure_refit, sort_remedies
from nbcore.diagnosis.one_hot import one_hot_blocks
from nbcore.diagnosis.selection import transform_columns
from nbcore.mixed import MixedNB
from nbcore.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB

LEAST_SKEWNESS = 1.0  # within the classes; an exponential distribution has 2
SPIKE_SHARE = 0.5  # a measurement with a larger share of zeros is mostly zero
LARGEST_CODE = 30  # whole numbers up to this may be codes of categories


def gaussian_columns(case: Case) -> Floats:
    """Return the columns that a Gaussian models, (n, F), NaN for all others and for gaps."""
    out = np.full(case.Z.shape, np.nan)
    if case.event == "gaussian":
        out[:] = np.asarray(case.dense, dtype=float)
    elif case.event == "mixed":
        names = list(getattr(case.nb, "feature_names_in_", range(case.Z.shape[1])))
        for part, columns in case.nb.columns_:
            for name in columns if part == "gaussian" else ():
                j = names.index(name)
                column = case.Z[name] if hasattr(case.Z, "columns") else case.Z[:, j]
                out[:, j] = np.asarray(column.to_numpy() if hasattr(column, "to_numpy") else column, dtype=float)
    return out


def residual_skewness(X: Floats, code: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Return the skewness within the classes of every column, (F,), and p-values; NaN without spread."""
    Z = np.full(X.shape, np.nan)
    for c in np.unique(code):
        part = X[code == c]
        if len(part) > 2:
            with np.errstate(invalid="ignore", divide="ignore"):
                Z[code == c] = (part - _known_mean(part)) / np.sqrt(_known_mean((part - _known_mean(part)) ** 2))
    Z[~np.isfinite(Z)] = np.nan
    out = np.full((2, X.shape[1]), np.nan)
    for j in np.flatnonzero((~np.isnan(Z)).sum(axis=0) >= 20):
        column = Z[~np.isnan(Z[:, j]), j]
        if np.ptp(column) > 0:
            out[:, j] = skew(column), skewtest(column).pvalue
    return out[0], out[1]


def _known_mean(part: Floats) -> Floats:
    """Return the mean of the values that are not missing, by column."""
    known = ~np.isnan(part)
    return np.where(known, part, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)


def find_event_model(case: Case) -> Finding | None:
    """Try the event models that the columns suggest; skewed columns are reported even if no remedy is better."""
    if case.event in ("gaussian", "mixed"):
        return _find_spikes(case) or _find_skewed(case)
    return _find_other_model(case)


def _find_skewed(case: Case) -> Finding | None:
    """Find columns that are skewed within the classes, and measure transformations of them."""
    X = gaussian_columns(case)
    if len(one_hot_blocks(case)):
        X[:, [j for block in one_hot_blocks(case) for j in block]] = np.nan
    amount, chance = residual_skewness(X, case.code)
    with np.errstate(invalid="ignore"):
        found = np.flatnonzero((abs(amount) > LEAST_SKEWNESS) & (chance < LEVEL / X.shape[1]))
    if not len(found):
        return None
    remedies = []
    least = np.nanmin(X, axis=0, initial=np.inf)
    positive = [int(j) for j in found if least[j] >= 0 and amount[j] > 0]
    if positive:
        log1p = FunctionTransformer(np.log1p, feature_names_out="one-to-one")
        words = 'FunctionTransformer(np.log1p, feature_names_out="one-to-one")'
        imports = "import numpy as np\nfrom sklearn.preprocessing import FunctionTransformer"
        remedies.append(transform_columns(case, f"log1p of {len(positive)} columns", positive, log1p, words, imports))
    bent, imports = [int(j) for j in found], "from sklearn.preprocessing import PowerTransformer"
    name = f"a power (Yeo-Johnson) of {len(bent)} columns"
    remedies.append(transform_columns(case, name, bent, PowerTransformer(), "PowerTransformer()", imports))
    worst = int(found[np.argmax(abs(amount[found]))])
    interval = bootstrap(lambda rows: residual_skewness(X[rows][:, [worst]], case.code[rows])[0][0], case.n, 100)
    names = [case.names[j] for j in found[np.argsort(-abs(amount[found]))]]
    return Finding(
        "event_model",
        f"{len(found)} of {X.shape[1]} columns are strongly skewed within the classes, unlike "
        f"a bell curve: {list_columns(names)}.",
        float(amount[worst]),
        interval,
        f"skewness within the classes of {case.names[worst]}",
        "01b_one_event",
        sort_remedies(remedies),
        tuple(names),
        {"skewness": {str(case.names[j]): float(amount[j]) for j in found}},
    )


def _find_spikes(case: Case) -> Finding | None:
    """Find measurements that are marks, codes, or mostly zero, and measure a MixedNB for them."""
    X = gaussian_columns(case)
    blocked = {j for block in one_hot_blocks(case) for j in block}
    coded, mostly = [], []
    for j in sorted(set(range(X.shape[1])) - blocked):
        values, count = np.unique(X[~np.isnan(X[:, j]), j], return_counts=True)
        whole = len(values) > 1 and bool((values == values.round()).all()) and values[0] >= 0
        if whole and len(values) <= 5 and values[-1] <= LARGEST_CODE:
            coded.append(j)
        elif len(values) > 1 and count.max() > SPIKE_SHARE * count.sum() and values[count.argmax()] == 0 == values[0]:
            mostly.append(j)
    if (not coded and not mostly) or case.event == "mixed":
        return None
    rest = [j for j in range(X.shape[1]) if j not in {*coded, *mostly}]
    parts = [(m, c) for m, c in (("categorical", coded), ("bernoulli", mostly), ("gaussian", rest)) if c]
    remedy = _try_model(case, MixedNB(parts, handle_unknown="ignore"), f'MixedNB({parts}, handle_unknown="ignore")')
    if not remedy.sure:
        return None
    return _foreign_finding(case, coded + mostly, "take few values or are mostly 0, unlike a bell curve", [remedy])


def _try_model(case: Case, nb: Any, words: str) -> Remedy:
    """Measure another naive Bayes in the place of the model's own."""
    module = "nbcore.mixed" if isinstance(nb, MixedNB) else "nbcore.naive_bayes"
    name = type(nb).__name__
    if case.own == "model":
        line = f"better = {words}"
    elif case.own == "model[-1]":
        line = "from sklearn.base import clone\nfrom sklearn.pipeline import make_pipeline\n\n"
        line += f"better = make_pipeline(clone(model[:-1]), {words})"
    else:
        line = f"better = report.rebuilt(nb={words})"
    return measure_refit(case, f"{name} instead", f"from {module} import {name}\n{line}", case.rebuilt(None, nb))


def _foreign_finding(case: Case, columns: list[int], why: str, remedies: list[Remedy]) -> Finding:
    """Return the finding that columns do not fit the event model."""
    names = tuple(case.names[j] for j in columns)
    return Finding(
        "event_model",
        f"{len(names)} of {case.Z.shape[1]} columns are foreign to a {case.event} model ({list_columns(names)}): "
        f"they {why}. "
        f"{remedies[0].name}: log loss {remedies[0].before:.3f} -> {remedies[0].after:.3f}.",
        len(names),
        (len(names), len(names)),
        "foreign columns",
        "01b_one_event",
        sort_remedies(remedies),
        names,
    )


def _find_other_model(case: Case) -> Finding | None:
    """Measure the event models that the values allow; return a finding if one is surely better."""
    Z = case.dense
    if not isinstance(Z, np.ndarray) or Z.dtype.kind not in "iufb" or np.isnan(Z.astype(float)).any():
        return None
    whole, alpha = bool((Z == np.round(Z)).all() and Z.min() >= 0), case.nb.alpha
    binary, coded = whole and Z.max() <= 1, whole and Z.max() <= LARGEST_CODE and Z.shape[1] <= 200
    tried: list[tuple[Any, str]] = []
    if case.event == "multinomial" and binary:
        tried.append((BernoulliNB(alpha=alpha), "are marks, there or not, and no counts"))
    if case.event in ("multinomial", "bernoulli") and coded and not binary:
        tried.append((CategoricalNB(alpha=alpha, handle_unknown="ignore"), "are codes of categories"))
    if case.event == "bernoulli" and whole and not binary:
        tried.append((MultinomialNB(alpha=alpha), "are counts, of which the model sees no more than whether"))
    if case.event in ("multinomial", "bernoulli") and not whole and (Z != 0).mean() > SPIKE_SHARE:
        tried.append((GaussianNB(), "are gaussian_columns, and no counts"))
    if case.event == "categorical" and Z.max() >= LARGEST_CODE:
        parts = [("gaussian", np.flatnonzero(Z.max(axis=0) >= LARGEST_CODE).tolist())]
        parts += [("categorical", np.flatnonzero(Z.max(axis=0) < LARGEST_CODE).tolist())]
        tried.append((MixedNB([p for p in parts if p[1]], handle_unknown="ignore"), "have so many values in order"))
    remedies = [(_try_model(case, nb, repr(nb)), why) for nb, why in tried]
    sure = [(remedy, why) for remedy, why in remedies if remedy.sure]
    if not sure:
        return None
    best, why = max(sure, key=lambda pair: pair[0].gain)
    columns = range(Z.shape[1]) if case.event != "categorical" else np.flatnonzero(Z.max(axis=0) >= LARGEST_CODE)
    others = [r for r, _ in remedies if r is not best]
    return _foreign_finding(case, [int(j) for j in columns], why, [best, *others])

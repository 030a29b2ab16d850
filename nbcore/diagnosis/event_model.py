"""Features foreign to the event model: codes taken for counts, marks for measurements, bells for what is skewed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import skew, skewtest
from sklearn.preprocessing import FunctionTransformer, PowerTransformer

from nbcore._base import Floats
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL, Finding, Remedy, best_first, bootstrap, listed, refit
from nbcore.diagnosis.one_hot import one_hot_blocks
from nbcore.diagnosis.selection import transformed
from nbcore.mixed import MixedNB
from nbcore.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB

__all__ = ["find_event_model", "measurements", "residual_skewness"]

SKEWED = 1.0  # skewness within the classes; an exponential distribution has 2
SPIKE = 0.5  # share of the rows at one value of a measurement
CODES = 30  # a column of whole numbers up to this may be one of codes


def measurements(case: Case) -> Floats:
    """The columns that a Gaussian models, (n, F), NaN for all others and for gaps."""
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
    """Skewness within the classes of every column, (F,), and p-values (D'Agostino); NaN for a column without spread."""
    Z = np.full(X.shape, np.nan)
    for c in np.unique(code):
        part = X[code == c]
        if len(part) > 2:
            with np.errstate(invalid="ignore", divide="ignore"):
                Z[code == c] = (part - _mean(part)) / np.sqrt(_mean((part - _mean(part)) ** 2))
    Z[~np.isfinite(Z)] = np.nan
    out = np.full((2, X.shape[1]), np.nan)
    for j in np.flatnonzero((~np.isnan(Z)).sum(axis=0) >= 20):
        column = Z[~np.isnan(Z[:, j]), j]
        if np.ptp(column) > 0:
            out[:, j] = skew(column), skewtest(column).pvalue
    return out[0], out[1]


def _mean(part: Floats) -> Floats:
    known = ~np.isnan(part)
    return np.where(known, part, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)


def find_event_model(case: Case) -> Finding | None:
    """What the columns look like decides what is tried; a mere look is a finding for skewed columns only."""
    if case.event in ("gaussian", "mixed"):
        return _spikes(case) or _skewed(case)
    return _other_model(case)


def _skewed(case: Case) -> Finding | None:
    X = measurements(case)
    if len(one_hot_blocks(case)):
        X[:, [j for block in one_hot_blocks(case) for j in block]] = np.nan
    amount, chance = residual_skewness(X, case.code)
    with np.errstate(invalid="ignore"):
        found = np.flatnonzero((abs(amount) > SKEWED) & (chance < LEVEL / X.shape[1]))
    if not len(found):
        return None
    remedies = []
    least = np.nanmin(X, axis=0, initial=np.inf)
    positive = [int(j) for j in found if least[j] >= 0 and amount[j] > 0]
    if positive:
        log1p = FunctionTransformer(np.log1p, feature_names_out="one-to-one")
        words = 'FunctionTransformer(np.log1p, feature_names_out="one-to-one")'
        imports = "import numpy as np\nfrom sklearn.preprocessing import FunctionTransformer"
        remedies.append(transformed(case, f"log1p of {len(positive)} columns", positive, log1p, words, imports))
    bent, imports = [int(j) for j in found], "from sklearn.preprocessing import PowerTransformer"
    name = f"a power (Yeo-Johnson) of {len(bent)} columns"
    remedies.append(transformed(case, name, bent, PowerTransformer(), "PowerTransformer()", imports))
    worst = int(found[np.argmax(abs(amount[found]))])
    interval = bootstrap(lambda rows: residual_skewness(X[rows][:, [worst]], case.code[rows])[0][0], case.n, 100)
    names = [case.names[j] for j in found[np.argsort(-abs(amount[found]))]]
    return Finding(
        "event_model",
        f"{len(found)} of {X.shape[1]} columns are strongly skewed within the classes, unlike "
        f"a bell curve: {listed(names)}.",
        float(amount[worst]),
        interval,
        f"skewness within the classes of {case.names[worst]}",
        "01_naive_bayes",
        best_first(remedies),
        tuple(names),
        {"skewness": {str(case.names[j]): float(amount[j]) for j in found}},
    )


def _spikes(case: Case) -> Finding | None:
    """Measurements that are marks, codes, or mostly one value."""
    X = measurements(case)
    blocked = {j for block in one_hot_blocks(case) for j in block}
    coded, mostly = [], []
    for j in sorted(set(range(X.shape[1])) - blocked):
        values, count = np.unique(X[~np.isnan(X[:, j]), j], return_counts=True)
        whole = len(values) > 1 and bool((values == values.round()).all()) and values[0] >= 0
        if whole and len(values) <= 5 and values[-1] <= CODES:
            coded.append(j)
        elif len(values) > 1 and count.max() > SPIKE * count.sum() and values[count.argmax()] == 0 == values[0]:
            mostly.append(j)
    if (not coded and not mostly) or case.event == "mixed":
        return None
    rest = [j for j in range(X.shape[1]) if j not in {*coded, *mostly}]
    parts = [(m, c) for m, c in (("categorical", coded), ("bernoulli", mostly), ("gaussian", rest)) if c]
    remedy = _instead(case, MixedNB(parts, handle_unknown="ignore"), f'MixedNB({parts}, handle_unknown="ignore")')
    if not remedy.sure:
        return None
    return _foreign(case, coded + mostly, "take few values or are mostly 0, unlike a bell curve", [remedy])


def _instead(case: Case, nb: Any, words: str) -> Remedy:
    """Another naive Bayes in the place of the model's own."""
    module = "nbcore.mixed" if isinstance(nb, MixedNB) else "nbcore.naive_bayes"
    name = type(nb).__name__
    if case.own == "model":
        line = f"better = {words}"
    elif case.own == "model[-1]":
        line = "from sklearn.base import clone\nfrom sklearn.pipeline import make_pipeline\n\n"
        line += f"better = make_pipeline(clone(model[:-1]), {words})"
    else:
        line = f"better = report.rebuilt(nb={words})"
    return refit(case, f"{name} instead", f"from {module} import {name}\n{line}", case.rebuilt(None, nb))


def _foreign(case: Case, columns: list[int], why: str, remedies: list[Remedy]) -> Finding:
    names = tuple(case.names[j] for j in columns)
    return Finding(
        "event_model",
        f"{len(names)} of {case.Z.shape[1]} columns are foreign to a {case.event} model ({listed(names)}): they {why}. "
        f"{remedies[0].name}: log loss {remedies[0].before:.3f} -> {remedies[0].after:.3f}.",
        len(names),
        (len(names), len(names)),
        "foreign columns",
        "01_naive_bayes",
        best_first(remedies),
        names,
    )


def _other_model(case: Case) -> Finding | None:
    """The event models that the values allow, tried; a finding if one is surely better."""
    Z = case.dense
    if not isinstance(Z, np.ndarray) or Z.dtype.kind not in "iufb" or np.isnan(Z.astype(float)).any():
        return None
    whole, alpha = bool((Z == np.round(Z)).all() and Z.min() >= 0), case.nb.alpha
    binary, coded = whole and Z.max() <= 1, whole and Z.max() <= CODES and Z.shape[1] <= 200
    tried: list[tuple[Any, str]] = []
    if case.event == "multinomial" and binary:
        tried.append((BernoulliNB(alpha=alpha), "are marks, there or not, and no counts"))
    if case.event in ("multinomial", "bernoulli") and coded and not binary:
        tried.append((CategoricalNB(alpha=alpha, handle_unknown="ignore"), "are codes of categories"))
    if case.event == "bernoulli" and whole and not binary:
        tried.append((MultinomialNB(alpha=alpha), "are counts, of which the model sees no more than whether"))
    if case.event in ("multinomial", "bernoulli") and not whole and (Z != 0).mean() > SPIKE:
        tried.append((GaussianNB(), "are measurements, and no counts"))
    if case.event == "categorical" and Z.max() >= CODES:
        parts = [("gaussian", np.flatnonzero(Z.max(axis=0) >= CODES).tolist())]
        parts += [("categorical", np.flatnonzero(Z.max(axis=0) < CODES).tolist())]
        tried.append((MixedNB([p for p in parts if p[1]], handle_unknown="ignore"), "have so many values in order"))
    remedies = [(_instead(case, nb, repr(nb)), why) for nb, why in tried]
    sure = [(remedy, why) for remedy, why in remedies if remedy.sure]
    if not sure:
        return None
    best, why = max(sure, key=lambda pair: pair[0].gain)
    columns = range(Z.shape[1]) if case.event != "categorical" else np.flatnonzero(Z.max(axis=0) >= CODES)
    others = [r for r, _ in remedies if r is not best]
    return _foreign(case, [int(j) for j in columns], why, [best, *others])

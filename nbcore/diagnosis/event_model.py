"""Columns that do not fit the event model: codes taken for counts, counts for marks, skewed columns for normal."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri
from scipy.stats import skew, skewtest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, QuantileTransformer

from nbcore._base import Floats
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL, Finding, list_columns, sort_remedies
from nbcore.diagnosis.gaps import measurements
from nbcore.diagnosis.one_hot import one_hot_blocks
from nbcore.diagnosis.remedies import changed_columns, measure_refit
from nbcore.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB

LEAST_SKEWNESS = 1.0  # within the classes; an exponential distribution has 2
LARGEST_CODE, MOST_CODED_COLUMNS = 30, 200  # whole numbers up to this, in so many columns, may be codes of categories


def find_event_model(case: Case) -> Finding | None:
    """Try the event models that the columns suggest; skewed columns are reported even if no remedy is better."""
    if case.event in ("gaussian", "mixed"):
        X = measurements(case).copy()
        X[:, [j for block in one_hot_blocks(case) for j in block]] = np.nan
        return _find_skewed(case, X)
    return _find_other_model(case)


def residual_skewness(X: Floats, code: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Return the skewness of every column in classes that vary, (F,), and p-values; NaN of fewer than 20 values."""
    out = np.full((2, X.shape[1]), np.nan)
    for j, column in enumerate(X.T):
        parts = [column[(code == c) & ~np.isnan(column)] for c in np.unique(code)]
        parts = [(part - part.mean()) / part.std() for part in parts if len(part) > 2 and np.ptp(part) > 0]
        if sum(map(len, parts)) >= 20:
            rest = np.concatenate(parts)
            out[:, j] = skew(rest), skewtest(rest).pvalue
    return out[0], out[1]


def normal_scores(shares: Any, n: int) -> Any:
    """Return normal quantiles of shares from 0 to 1, as of the ranks of n values: +-2.6 at the ends for n = 100."""
    return ndtri((shares * (n - 1) + 0.5) / n)


def _find_skewed(case: Case, X: Floats) -> Finding | None:
    """Find columns that are skewed within the classes, and measure their quantiles, bent to a bell curve."""
    amount, chance = residual_skewness(X, case.code)
    with np.errstate(invalid="ignore"):
        found = np.flatnonzero((abs(amount) > LEAST_SKEWNESS) & (chance < LEVEL / X.shape[1]))
    if not len(found):
        return None
    found = found[np.argsort(-abs(amount[found]), kind="stable")]
    n = min(100, *(len(learn) // 2 for learn, _ in case.folds))
    scores = FunctionTransformer(normal_scores, kw_args={"n": n}, feature_names_out="one-to-one")
    bell = make_pipeline(QuantileTransformer(n_quantiles=n, random_state=0), scores)
    name = f"quantiles of a bell curve for {len(found)} column{'s' * (len(found) > 1)}"
    names = tuple(case.names[j] for j in found)
    return Finding(
        "event_model",
        f"{len(found)} of {X.shape[1]} columns are skewed or have heavy tails within the classes, unlike a bell curve: "
        f"{list_columns(names)}.",
        "01b_one_event",
        (measure_refit(case, name, *changed_columns(case, found.tolist(), bell)),),
        names,
        {"skewness": {str(case.names[j]): float(amount[j]) for j in found}},
    )


def _find_other_model(case: Case) -> Finding | None:
    """Measure the event models that the values allow; None if no other one surely gains."""
    Z = case.dense
    if case.event not in ("multinomial", "bernoulli") or not isinstance(Z, np.ndarray) or Z.dtype.kind not in "iufb":
        return None
    known, alpha = Z[Z == Z], case.nb.alpha  # Z != Z where it is missing
    whole, candidates = bool((known == np.round(known)).all() and known.min() >= 0), dict[str, Any]()
    if whole and known.max() <= 1:
        candidates["are marks, there or not"] = BernoulliNB(alpha=alpha)
    elif whole:
        candidates["are counts"] = MultinomialNB(alpha=alpha)
        if known.max() <= LARGEST_CODE and Z.shape[1] <= MOST_CODED_COLUMNS:
            candidates["are codes of categories"] = CategoricalNB(alpha=alpha, handle_unknown="ignore")
    elif (known != 0).mean() > 0.5:  # of measurements few are 0
        candidates["are measurements"] = GaussianNB()
    tried = {why: measure_refit(case, f"{type(nb).__name__} instead", nb=nb)
             for why, nb in candidates.items() if type(nb) is not type(case.nb)}  # fmt: skip
    remedies = sort_remedies(list(tried.values()))
    if not remedies or not remedies[0].sure:
        return None
    names, why = tuple(case.names), next(why for why, remedy in tried.items() if remedy is remedies[0])
    return Finding(
        "event_model",
        f"{len(names)} columns are foreign to a {case.event} model ({list_columns(names)}): they {why}.",
        "01b_one_event",
        remedies,
        names,
    )

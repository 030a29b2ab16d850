"""Findings and remedies, and what a remedy gains on rows that neither the model nor the remedy has learned from."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest, norm
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import _safe_indexing

from nbcore._base import Floats, encode_labels
from nbcore.diagnosis.adjusted import METHODS, Adjusted
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.recipe import row_losses

LEVEL = 0.05 / 8  # chance of a false alarm of one finding: eight of them, so .05 for a whole report (Bonferroni)
LEAST_NORMAL_ROWS = 20_000  # above this many rows the interval of a mean comes from the normal distribution
MATERIAL = 0.01  # nats a row: a smaller gain is no finding, however sure it is


@dataclass(frozen=True)
class Remedy:
    """A possible change, with the log loss (nats a row) before and after it, cross-validated on the held-out rows.

    interval: 95 % of the gain, by the bootstrap, or above 20,000 rows by the normal distribution. estimator: unfitted,
    or an `Adjusted` round the fitted model. A remedy that could not be fitted has NaN for numbers and the
    reason in `failed`.
    """

    name: str
    code: str
    estimator: Any = field(repr=False)
    before: float
    after: float
    interval: tuple[float, float]
    sure: bool  # whether the gain is significant and at least MATERIAL
    failed: str = ""

    @property
    def gain(self) -> float:
        """Return the nats of log loss a row that it gains; below 0 it harms."""
        return self.before - self.after

    def __str__(self) -> str:
        if self.failed:
            return f"{self.name}: could not be measured: {self.failed}"
        low, high = self.interval
        verdict = "" if self.sure else ", harms" if high < 0 else ", no sure gain"
        return f"{self.name}: log loss {self.before:.3f} -> {self.after:.3f} (gain {low:.3f} to {high:.3f}{verdict})"


@dataclass(frozen=True)
class Finding:
    """A fault: a number with its interval (95 %), a sentence, and remedies, the best one first.

    cost: nats of log loss a row that the best remedy gains, 0 if none gains for sure; remedy: its code; chapter: the
    page that explains it; columns: by name; details: more numbers, ready for json.
    """

    name: str
    sentence: str
    number: float
    interval: tuple[float, float]
    meaning: str  # of the number
    chapter: str
    remedies: tuple[Remedy, ...] = ()
    columns: tuple[Any, ...] = ()
    details: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def best(self) -> Remedy | None:
        """Return the remedy with the largest gain, if that gain is sure."""
        return self.remedies[0] if self.remedies and self.remedies[0].sure else None

    @property
    def cost(self) -> float:
        """Return the gain of the best remedy, 0 if none is sure."""
        return self.best.gain if self.best else 0.0

    @property
    def cost_text(self) -> str:
        return f"costs {self.cost:.3f} nats a row" if self.best else "no remedy gains for sure"

    @property
    def cost_interval(self) -> tuple[float, float]:
        """Return the interval of the best remedy's gain."""
        return self.best.interval if self.best else (0.0, 0.0)

    @property
    def remedy(self) -> str:
        """Return the code of the best remedy."""
        return self.best.code if self.best else "# none of the remedies tried gains for sure on these rows: leave it"


def is_sure_gain(differences: Floats) -> bool:
    """Return whether a mean gain is significant (normal test at LEVEL) and at least MATERIAL."""
    mean, error = differences.mean(), differences.std(ddof=1) / np.sqrt(len(differences))
    return bool(mean >= MATERIAL and mean > norm.isf(LEVEL) * error)


def share_interval(hits: int, n: int) -> tuple[float, float]:
    """Return the exact 95 % interval of a share of `hits` rows among n."""
    interval = binomtest(hits, n).proportion_ci()
    return float(interval.low), float(interval.high)


def bootstrap(statistic: Callable[[NDArray], float], n: int, repeats: int = 400) -> tuple[float, float]:
    """Return the 95 % percentile interval of a statistic of row numbers, under resampling of n rows."""
    rng = np.random.default_rng(0)
    values = [statistic(rng.integers(n, size=n)) for _ in range(repeats)]
    low, high = np.nanquantile(values, [0.025, 0.975])
    return float(low), float(high)


def _make_remedy(name: str, code: str, estimator: Any, before: Floats, after: Floats) -> Remedy:
    """Return a remedy from the losses of each row before and after it."""
    gains = before - after
    if len(gains) > LEAST_NORMAL_ROWS:
        half = norm.isf(0.025) * gains.std(ddof=1) / np.sqrt(len(gains))
        interval = float(gains.mean() - half), float(gains.mean() + half)
    else:
        interval = bootstrap(lambda rows: gains[rows].mean(), len(gains))
    return Remedy(name, code, estimator, float(before.mean()), float(after.mean()), interval, is_sure_gain(gains))


def _held_out_losses(case: Case, estimator: Any) -> Floats:
    """Return the loss of each row by an estimator fitted to the other folds, (n,)."""
    losses = np.empty(case.n)
    for learn, held in case.folds:
        with warnings.catch_warnings():  # a reader of the report cannot do anything about the k of a fold
            warnings.filterwarnings("ignore", "k ended", ConvergenceWarning)
            fitted = clone(estimator).fit(_safe_indexing(case.X, learn), case.y[learn])
        log_p = np.full((len(held), case.n_classes), -np.inf)  # a fold may lack a class
        columns = encode_labels(np.asarray(fitted.classes_), case.classes)
        log_p[:, columns] = fitted.predict_log_proba(_safe_indexing(case.X, held))
        losses[held] = row_losses(log_p, case.code[held])
    return losses


def measure_refit(case: Case, name: str, code: str, estimator: Any) -> Remedy:
    """Compare a changed recipe with the model's own, both fitted to the same folds of the held-out rows.

    Which columns it changes was chosen on all of these rows, so the gain of such a choice is a little too good.
    """
    try:
        if "refitted" not in case.cache:
            case.cache["refitted"] = _held_out_losses(case, case.rebuilt())
        return _make_remedy(name, code, estimator, case.cache["refitted"], _held_out_losses(case, estimator))
    except ValueError as error:
        nothing = float("nan")
        return Remedy(name, code, estimator, nothing, nothing, (nothing, nothing), False, str(error).splitlines()[0])


METHOD_NAMES = {
    "temperature": "one temperature",
    "perplexed": "Perplexed Bayes, eq. (20)",
    "isotonic": "isotonic regression",
    "prior": "the held-out rows' shares as prior",
    "alpha": "the alpha that held-out rows choose",
}


def measure_adjustment(case: Case, method: str) -> Remedy:
    """Measure a correction of the fitted model, learned from four fifths of the rows, on the other fifth."""
    if method not in case.cache:
        after = np.empty(case.n)
        for learn, held in case.folds:
            value = METHODS[method].learn(case.scores.select_rows(learn), case.code[learn])
            log_p = METHODS[method].log_posterior(case.scores.select_rows(held), value)
            after[held] = row_losses(log_p, case.code[held])
        cv = "" if case.cv is None else ", cv=5"
        code = f'from nbcore.diagnosis import Adjusted\n\nbetter = Adjusted(model, "{method}"{cv}).fit(X, y)'
        estimator = Adjusted(case.model, method, None if case.cv is None else 5)
        case.cache[method] = _make_remedy(METHOD_NAMES[method], code, estimator, case.losses, after)
    return case.cache[method]


def sort_remedies(remedies: Sequence[Remedy]) -> tuple[Remedy, ...]:
    """Return the remedies in order: sure ones first, then by gain, the largest first."""
    return tuple(sorted(remedies, key=lambda r: (not r.sure, -np.nan_to_num(r.gain, nan=-np.inf))))


def list_columns(columns: Sequence[Any], most: int = 6) -> str:
    """Return the names of the columns as one string, of many only the first few."""
    names = [f"column {c}" if isinstance(c, int) else str(c) for c in columns]
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")

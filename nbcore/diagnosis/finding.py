"""What a finding is, and what a remedy gains: on rows that neither the model nor the remedy has learned from."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import _safe_indexing

from nbcore._base import Floats, encode_labels
from nbcore.diagnosis.adjusted import METHODS, Adjusted
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.recipe import row_losses

__all__ = ["LEVEL", "MATERIAL", "Finding", "Remedy", "adjust", "best_first", "bootstrap", "listed", "refit", "surely"]

LEVEL = 0.05 / 8  # chance of a false alarm of one finding: eight of them, so .05 for a whole report (Bonferroni)
MANY = 20_000  # rows, of which a mean is normal without resampling
MATERIAL = 0.01  # nats a row: a smaller gain is no finding, however sure it is


@dataclass(frozen=True)
class Remedy:
    """What could be done, and log loss (nats a row) before and after, by cross-validation on the held-out rows.

    interval: 95 % of the gain, by the bootstrap, or above 20,000 rows by the normal distribution. estimator: unfitted,
    or an `Adjusted` round the fitted model. A remedy that could not be fitted has NaN for numbers and says why in
    `failed`.
    """

    name: str
    code: str
    estimator: Any = field(repr=False)
    before: float
    after: float
    interval: tuple[float, float]
    sure: bool  # the gain is no chance and not too small to matter
    failed: str = ""

    @property
    def gain(self) -> float:
        """Nats of log loss a row; below 0 it harms."""
        return self.before - self.after

    def __str__(self) -> str:
        if self.failed:
            return f"{self.name}: could not be measured: {self.failed}"
        low, high = self.interval
        verdict = "" if self.sure else ", harms" if high < 0 else ", no sure gain"
        return f"{self.name}: log loss {self.before:.3f} -> {self.after:.3f} (gain {low:.3f} to {high:.3f}{verdict})"


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong: a number with its interval (95 %), a sentence, and remedies, the best one first.

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
        """The remedy with the largest gain, if that is a sure one."""
        return self.remedies[0] if self.remedies and self.remedies[0].sure else None

    @property
    def cost(self) -> float:
        return self.best.gain if self.best else 0.0

    @property
    def cost_text(self) -> str:
        return f"costs {self.cost:.3f} nats a row" if self.best else "no remedy gains for sure"

    @property
    def cost_interval(self) -> tuple[float, float]:
        return self.best.interval if self.best else (0.0, 0.0)

    @property
    def remedy(self) -> str:
        return self.best.code if self.best else "# none of the remedies tried gains for sure on these rows: leave it"


def surely(differences: Floats) -> bool:
    """Whether a mean gain is no chance (normal test at LEVEL) and large enough to matter."""
    mean, error = differences.mean(), differences.std(ddof=1) / np.sqrt(len(differences))
    return bool(mean >= MATERIAL and mean > norm.isf(LEVEL) * error)


def bootstrap(statistic: Callable[[NDArray], float], n: int, repeats: int = 400) -> tuple[float, float]:
    """95 % percentile interval of a statistic of row numbers, under resampling of n rows."""
    rng = np.random.default_rng(0)
    values = [statistic(rng.integers(n, size=n)) for _ in range(repeats)]
    low, high = np.nanquantile(values, [0.025, 0.975])
    return float(low), float(high)


def _compared(name: str, code: str, estimator: Any, before: Floats, after: Floats) -> Remedy:
    gains = before - after
    if len(gains) > MANY:
        half = norm.isf(0.025) * gains.std(ddof=1) / np.sqrt(len(gains))
        low_high = float(gains.mean() - half), float(gains.mean() + half)
    else:
        low_high = bootstrap(lambda rows: gains[rows].mean(), len(gains))
    return Remedy(name, code, estimator, float(before.mean()), float(after.mean()), low_high, surely(gains))


def _held_out_losses(case: Case, estimator: Any) -> Floats:
    losses = np.empty(case.n)
    for learn, held in case.folds:
        with warnings.catch_warnings():  # a reader of the report cannot do anything about the k of a fold
            warnings.filterwarnings("ignore", "k ended", ConvergenceWarning)
            fitted = clone(estimator).fit(_safe_indexing(case.X, learn), case.y[learn])
        said = fitted.predict_log_proba(_safe_indexing(case.X, held))
        log_p = np.full((len(held), case.n_classes), -np.inf)  # a fold may lack a class
        log_p[:, encode_labels(np.asarray(fitted.classes_), case.classes)] = said
        losses[held] = row_losses(log_p, case.code[held])
    return losses


def refit(case: Case, name: str, code: str, estimator: Any) -> Remedy:
    """A changed recipe against the model's own, both fitted to the same folds of the held-out rows.

    Which columns it changes was chosen on all of these rows, so the gain of such a choice is a little too good.
    """
    try:
        if "refitted" not in case.memory:
            case.memory["refitted"] = _held_out_losses(case, case.rebuilt())
        return _compared(name, code, estimator, case.memory["refitted"], _held_out_losses(case, estimator))
    except ValueError as error:
        nothing = float("nan")
        return Remedy(name, code, estimator, nothing, nothing, (nothing, nothing), False, str(error).splitlines()[0])


NAMES = {
    "temperature": "one temperature",
    "perplexed": "Perplexed Bayes, eq. (20)",
    "isotonic": "isotonic regression",
    "prior": "the held-out rows' shares as prior",
    "alpha": "the alpha that held-out rows choose",
}


def adjust(case: Case, method: str) -> Remedy:
    """The model as it is, one thing set right: learned from four fifths of the rows, measured on the fifth, in turn."""
    if method not in case.memory:
        after = np.empty(case.n)
        for learn, held in case.folds:
            value = METHODS[method].learn(case.scores.rows(learn), case.code[learn])
            after[held] = row_losses(METHODS[method].log_posterior(case.scores.rows(held), value), case.code[held])
        cv = "" if case.cv is None else ", cv=5"
        code = f'from nbcore.diagnosis import Adjusted\n\nbetter = Adjusted(model, "{method}"{cv}).fit(X, y)'
        estimator = Adjusted(case.model, method, None if case.cv is None else 5)
        case.memory[method] = _compared(NAMES[method], code, estimator, case.losses, after)
    return case.memory[method]


def best_first(remedies: Sequence[Remedy]) -> tuple[Remedy, ...]:
    """Largest gain first, sure ones in front."""
    return tuple(sorted(remedies, key=lambda r: (not r.sure, -np.nan_to_num(r.gain, nan=-np.inf))))


def listed(columns: Sequence[Any], most: int = 6) -> str:
    """Columns by name, the first few of many."""
    names = [f"column {c}" if isinstance(c, int) else str(c) for c in columns]
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")

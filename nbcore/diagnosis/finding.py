"""Findings and remedies: what is wrong with a model, and what a change to it gains in nats of log loss a row."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.stats import norm

from nbcore._base import Floats

LEVEL = 0.05 / 8  # chance of a false alarm of one finding: eight of them, so .05 for a whole report (Bonferroni)
ERRORS = float(norm.isf(LEVEL))  # a gain is beyond luck if it is more than so many standard errors
MATERIAL = 0.01  # nats a row: a smaller gain is not counted, however sure it is
RULE = f"A remedy counts if it gains {MATERIAL} nats or more and its interval ({1 - 2 * LEVEL:.2%}) is above 0."


@dataclass(frozen=True)
class Remedy:
    """A possible change, with the log loss (nats a row) before and after it on rows that it has not learned from.

    estimator: unfitted, or an `Adjusted` of the fitted model. interval: of the gain, at the level of `RULE`. A remedy
    that could not be fitted has NaN for numbers and the reason in `failed`.
    """

    name: str
    estimator: Any = field(repr=False)
    before: float
    after: float
    interval: tuple[float, float]
    new_rows: bool = False  # whether it is to be learned from the held-out rows, and not from the training rows
    failed: str = ""

    @classmethod
    def measured(cls, name: str, estimator: Any, before: Floats, after: Floats, new_rows: bool = False) -> "Remedy":
        """Return a remedy from the losses of each row before and after it, (n,)."""
        gain, error = (before - after).mean(), (before - after).std(ddof=1) / np.sqrt(len(before))
        interval = float(gain - ERRORS * error), float(gain + ERRORS * error)
        return cls(name, estimator, float(before.mean()), float(after.mean()), interval, new_rows)

    @property
    def gain(self) -> float:
        """Return the nats of log loss a row that it gains; below 0 it harms."""
        return self.before - self.after

    @property
    def sure(self) -> bool:
        """Return whether the remedy counts: see `RULE`."""
        return self.gain >= MATERIAL and self.interval[0] > 0

    def __str__(self) -> str:
        if self.failed:
            return f"{self.name}: could not be measured: {self.failed}"
        low, high = self.interval
        verdict = ", harms" if high < 0 else ", no sure gain" if low <= 0 else f", less than {MATERIAL}"
        gain = f"gain {low:.3f} to {high:.3f}{'' if self.sure else verdict}"
        return f"{self.name}: log loss {self.before:.3f} -> {self.after:.3f} ({gain})"


@dataclass(frozen=True)
class Finding:
    """A fault: a sentence with its numbers, and what was tried against it, the remedy to begin with first.

    chapter: the page that explains it; columns: by name; details: more numbers, by name.
    """

    name: str
    sentence: str
    chapter: str
    remedies: tuple[Remedy, ...]
    columns: tuple[Any, ...] = ()
    details: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def best(self) -> Remedy | None:
        """Return the first remedy, if its gain counts."""
        return self.remedies[0] if self.remedies[0].sure else None

    @property
    def cost(self) -> float:
        """Return the nats of log loss a row that the first remedy gains, 0 if none counts."""
        return self.best.gain if self.best else 0.0


def sort_remedies(remedies: Sequence[Remedy]) -> tuple[Remedy, ...]:
    """Return the remedies in order: those that count first, then by gain, the largest first."""
    return tuple(sorted(remedies, key=lambda r: (not r.sure, -np.nan_to_num(r.gain, nan=-np.inf))))


def list_columns(columns: Sequence[Any], most: int = 6) -> str:
    """Return the names of the columns as one string, of many only the first few."""
    names = [f"column {c}" if isinstance(c, int) else str(c) for c in columns]
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")

"""The reproduction ledger: what a source states, what our code computes, and whether the two agree.

A `Claim` is one statement that can be checked. Every chapter lists its own as CLAIMS; `workbook.ledger.book` joins
them. Nothing is computed before `Claim.ours` is called. Claims are written in this repository, so they check nothing
themselves: one test holds the whole ledger well formed.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nbcore.checks import require

__all__ = ["SOURCES", "VERDICTS", "Claim", "Measured", "slack", "together"]

SOURCES = {
    "Wikipedia": 'Wikipedia, "Naive Bayes classifier"',
    "Laplacian correction": '"How does Laplacian correction impact Bayes Naive implementation?" (2025)',
    "Williams (2024)": "Williams (2024), Naive Bayes Classifiers and One-hot Encoding of Categorical Variables",
    "Carlos (2015)": "Carlos (2015), Perplexed Bayes Classifier, ICON 2015, pages 118-123",
    "Carlos & Rakshit (2016)": "Carlos and Rakshit (2016), Learning Non-Linear Functions for Text Classification, "
    "ICON 2016, pages 208-218",
}
VERDICTS = "reproduced", "differs", "cannot be", "not stated well enough"

Number = float | tuple[float, ...]


def _plain(numbers):
    """A float, or a tuple of floats, whatever numpy made of them; None stays."""
    if numbers is None:
        return None
    return tuple(map(float, numbers)) if np.ndim(numbers) else float(numbers)


def slack(stated, rounding=0.0):
    """How far a stated number may lie outside and still agree: the source's rounding, and that of a float."""
    return rounding + 1e-12 * np.abs(stated)


@dataclass(frozen=True)
class Measured:
    """What our code found: a number, or a tuple of them (arrays become tuples), exact or with an interval.

    low, high: of the form of value, low <= value <= high; both None: exact.
    """

    value: Number
    low: Number | None = None
    high: Number | None = None

    def __post_init__(self):
        for name in ("value", "low", "high"):
            object.__setattr__(self, name, _plain(getattr(self, name)))

    @property
    def is_exact(self):
        """Whether there is no interval."""
        return self.low is None

    def agrees(self, stated, rounding=0.0):
        """Whether what a source states lies in the interval (exact: at the value), up to its own `rounding` >= 0.

        ValueError if stated has another form than value.
        """
        require(np.shape(stated) == np.shape(self.value), "stated", stated, f"of the form of value, {self.value!r}")
        low, high = (self.value, self.value) if self.is_exact else (self.low, self.high)
        stated, room = np.asarray(stated), slack(stated, rounding)
        return bool(np.all((stated >= low - room) & (stated <= high + room)))


def together(*parts):
    """Several `Measured` numbers as one tuple."""
    return Measured(*([getattr(part, end) for part in parts] for end in ("value", "low", "high")))


@dataclass(frozen=True)
class Claim:
    """One checkable statement of a source.

    source: one of SOURCES; place: where it stands there, such as "Table 1", "eq. (20)" or "section 4.3"; statement: a
    sentence; stated: the source's number, a tuple of them, or None where it gives none; ours: a callable without
    arguments that computes `Measured`, or None if nothing can be computed (verdicts "cannot be" and "not stated well
    enough" only); verdict: one of VERDICTS; chapter: the notebook that shows it, such as "06_calibration"; note: why,
    due for every verdict but "reproduced"; rounding: half a unit in the last place that the source prints.
    """

    source: str
    place: str
    statement: str
    stated: Number | None
    ours: Callable[[], Measured] | None
    verdict: str
    chapter: str
    note: str = ""
    rounding: float = 0.0

    def __post_init__(self):
        object.__setattr__(self, "stated", _plain(self.stated))

    @property
    def name(self):
        """What tells a claim from all others: source, place, statement; so it is called in the file of numbers too."""
        return f"{self.source} | {self.place} | {self.statement}"

    def measure(self):
        """Compute our number now: `Measured`, or None where nothing can be computed."""
        return None if self.ours is None else self.ours()

    def holds(self):
        """Whether the source's number and ours, computed now, agree; None unless there are both."""
        measured = self.measure()
        if measured is None or self.stated is None:
            return None
        return measured.agrees(self.stated, self.rounding)

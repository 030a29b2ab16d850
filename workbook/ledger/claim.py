"""The reproduction ledger: what a source states, what our code computes, and whether the two agree.

A `Claim` is one statement that can be checked. Every chapter lists its own as CLAIMS; `workbook.ledger.book` joins
them. Nothing is computed before `Claim.ours` is called. Bad input raises ValueError, which names the argument, the
value and what is allowed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real

import numpy as np

from nbcore.checks import require

__all__ = ["CHAPTERS", "SOURCES", "VERDICTS", "Claim", "Measured", "check_option"]

SOURCES = {
    "Wikipedia": 'Wikipedia, "Naive Bayes classifier"',
    "Laplacian correction": '"How does Laplacian correction impact Bayes Naive implementation?" (2025)',
    "Williams (2024)": "Williams (2024), Naive Bayes Classifiers and One-hot Encoding of Categorical Variables",
    "Carlos (2015)": "Carlos (2015), Perplexed Bayes Classifier, ICON 2015, pages 118-123",
    "Carlos & Rakshit (2016)": "Carlos and Rakshit (2016), Learning Non-Linear Functions for Text Classification, "
    "ICON 2016, pages 208-218",
}
VERDICTS = "reproduced", "differs", "cannot be", "not stated well enough"
CHAPTERS = (
    "00_start_here",
    "01_naive_bayes",
    "02_laplace_smoothing",
    "03_one_hot_pitfall",
    "04_one_hot_experiments",
    "05_perplexity_attenuation",
    "06_calibration",
    "07_hidden_nodes",
    "08_xor_nonlinearity",
    "09_semi_supervised_em",
    "10_naive_bayes_and_logistic_regression",
    "11_reproduction_ledger",
)

Number = float | tuple[float, ...]


def _as_number(argument, value):
    """A finite number, or a tuple of them, as floats."""
    many = isinstance(value, tuple)
    for entry in value if many else (value,):
        holds = isinstance(entry, Real) and not isinstance(entry, bool | np.bool_) and np.isfinite(entry)
        require(holds, argument, entry, "a finite number, or a tuple of them")
    require(not many or value, argument, value, "a finite number, or a tuple of one or more")
    return tuple(map(float, value)) if many else float(value)


def _as_text(argument, value):
    require(isinstance(value, str) and value.strip(), argument, value, "a str that is not empty")


@dataclass(frozen=True)
class Measured:
    """What our code found: a number, or a tuple of them, exact or with an interval.

    value: a finite number or a tuple; low, high: of the same form, low <= value <= high, or both None: exact.
    """

    value: Number
    low: Number | None = None
    high: Number | None = None

    def __post_init__(self):
        value = _as_number("value", self.value)
        object.__setattr__(self, "value", value)
        require((self.low is None) == (self.high is None), "high", self.high, "given with low, and only with it")
        if self.low is not None:
            for name in ("low", "high"):
                bound = _as_number(name, getattr(self, name))
                require(np.shape(bound) == np.shape(value), name, bound, f"of the form of value, {value!r}")
                object.__setattr__(self, name, bound)
            require(np.all(np.less_equal(self.low, value)), "low", self.low, f"at most value, {value!r}")
            require(np.all(np.less_equal(value, self.high)), "high", self.high, f"at least value, {value!r}")

    @property
    def is_exact(self):
        """Whether there is no interval."""
        return self.low is None

    def agrees(self, stated, rounding=0.0):
        """Whether what a source states lies in the interval (exact: at the value), up to its own `rounding` >= 0."""
        stated, rounding = _as_number("stated", stated), _as_number("rounding", rounding)
        require(np.shape(stated) == np.shape(self.value), "stated", stated, f"of the form of value, {self.value!r}")
        require(np.ndim(rounding) == 0 and rounding >= 0, "rounding", rounding, "a number >= 0")
        low, high = (self.value, self.value) if self.is_exact else (self.low, self.high)
        slack = rounding + 1e-12 * np.abs(stated)
        return bool(np.all((np.asarray(stated) >= low - slack) & (np.asarray(stated) <= high + slack)))


@dataclass(frozen=True)
class Claim:
    """One checkable statement of a source.

    source: one of SOURCES; place: where it stands there, such as "Table 1", "eq. (20)" or "section 4.3"; statement: a
    sentence; stated: the source's number, a tuple of them, or None where it gives none; ours: a callable without
    arguments that computes `Measured`, or None if nothing can be computed (verdicts "cannot be" and "not stated well
    enough" only); verdict: one of VERDICTS; chapter: one of CHAPTERS, the notebook that shows it; note: why, due for
    every verdict but "reproduced"; rounding: half a unit in the last place that the source prints.
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
        check_option("source", self.source, SOURCES)
        _as_text("place", self.place)
        _as_text("statement", self.statement)
        check_option("verdict", self.verdict, VERDICTS)
        check_option("chapter", self.chapter, CHAPTERS)
        if self.stated is not None:
            object.__setattr__(self, "stated", _as_number("stated", self.stated))
        silent = self.ours is None and self.verdict in VERDICTS[2:]
        allowed = 'a callable without arguments (None only if the verdict is "cannot be" or "not stated well enough")'
        require(callable(self.ours) or silent, "ours", self.ours, allowed)
        require(isinstance(self.note, str), "note", self.note, "a str")
        told = self.verdict == "reproduced" or self.note.strip()
        require(told, "note", self.note, f"the reason, since the verdict is {self.verdict!r}")
        rounding = _as_number("rounding", self.rounding)
        require(np.ndim(rounding) == 0 and rounding >= 0, "rounding", self.rounding, "a number >= 0")

    @property
    def key(self):
        """What tells a claim from all others: source, place, statement."""
        return self.source, self.place, self.statement

    def measure(self):
        """Compute our number now: `Measured`, or None where nothing can be computed. ValueError for another result."""
        if self.ours is None:
            return None
        measured = self.ours()
        require(isinstance(measured, Measured), f"the result of ours, {self.key}", measured, "a Measured")
        return measured

    def holds(self):
        """Whether the source's number and ours, computed now, agree; None unless there are both."""
        measured = self.measure()
        if measured is None or self.stated is None:
            return None
        return measured.agrees(self.stated, self.rounding)


def check_option(argument, value, options):
    require(isinstance(value, str) and value in options, argument, value, f"one of {', '.join(map(repr, options))}")

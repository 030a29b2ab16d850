"""Claims of the reproduction ledger, their verdicts, and the numbers that our code measured.

A `Claim` is one statement that can be checked. Every chapter lists its own as CLAIMS; `workbook.book` joins
them. Nothing is computed before `Claim.ours` is called. Claims are written in this repository, so they check nothing
themselves: one test holds the whole ledger well formed.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.stats import norm
from scipy.stats import t as student

from nbcore.checks import one_of, require

__all__ = [
    "CELL", "CODES", "EQUATION", "FIGURE", "KINDS", "READINGS", "SOURCES", "TUNED", "UNBOUNDED", "VERDICTS",
    "Claim", "Measured", "slack", "together", "wilson",
]  # fmt: skip

SOURCES = {
    "Wikipedia": 'Wikipedia, "Naive Bayes classifier"',
    "Laplacian correction": '"How does Laplacian correction impact Bayes Naive implementation?" (2025)',
    "Williams (2024)": "Williams (2024), Naive Bayes Classifiers and One-hot Encoding of Categorical Variables",
    "Carlos (2015)": "Carlos (2015), Perplexed Bayes Classifier, ICON 2015, pages 118-123",
    "Carlos & Rakshit (2016)": "Carlos and Rakshit (2016), Learning Non-Linear Functions for Text Classification, "
    "ICON 2016, pages 208-218",
}
CODES = dict(zip(("W", "L25", "W24", "C15", "N16"), SOURCES, strict=True))  # how an id begins -> the source

VERDICTS = {
    "reproduced": "A printed number lies in our 95 % interval or, where there is no luck in it, rounds as printed; and "
    "nothing was chosen so that this very number comes out. A formula or an exact sentence was proved or enumerated; "
    "where the words say that something can happen, once is enough.",
    "matched by choice": "The number comes out, but the text left something open, and we chose it so that this very "
    "number comes out. That shows that it can be had. It confirms nothing.",
    "within luck": "A printed number outside the 95 % interval of its own, inside the one for all the numbers of its "
    "kind in the source together. Among so many, one so far off is no surprise.",
    "differs": "A printed number outside our interval, and farther than luck among so many explains; or, without luck, "
    "other digits.",
    "false": "A sentence or a formula against which there is a proof or a counterexample.",
    "not stated well enough": "The text can be read in more than one way, and the readings do not give the same; or it "
    "is too vague to be tested at all.",
    "shown by an example": "A sentence without a number, and no proof. In the case that we computed or sampled it is "
    "as the words say, however surely. Another case may be otherwise.",
    "not testable here": "It takes data, files or a judgement that this book does not have.",
}
READINGS = {
    "exact": "There was nothing to choose.",
    "any": "The text leaves something open, but the verdict is the same whichever way we read it.",
    "fixed": "The text leaves something open; we fixed it before we compared.",
    "carried over": "The text leaves something open; we chose by other numbers of the experiment, not by this one.",
    "chosen": "The text leaves something open; we chose what brings our number close to this printed one.",
}
TUNED = "carried over", "chosen"  # the readings of an experiment whose choices were made with an eye on its numbers
CELL, EQUATION, FIGURE = "[a cell of a table]", "[an equation]", "[a figure]"  # in place of words to quote
KINDS = {  # of interval; each at 95 %, for all the numbers of a tuple together
    "": "exact",
    "sample": "none: it is what came out of the runs or draws that we made",
    "run": "where one further run ends, Student's t",
    "paper's run": "where a run of the paper's size ends, normal",
    "mean": "where the mean lies, Student's t",
    "share": "where the share lies, Wilson",
    "estimate": "where the estimate lies, normal",
}
UNBOUNDED = "", "sample"  # the kinds without an interval

Number = float | tuple[float, ...]


def _to_floats(numbers):
    """Return a number as float, an array as tuple of floats, None as it is."""
    if numbers is None:
        return None
    return tuple(map(float, numbers)) if np.ndim(numbers) else float(numbers)


def slack(stated, rounding=0.0):
    """Return how far outside a stated number may lie and still agree: the source's rounding, and that of a float."""
    return rounding + 1e-12 * np.abs(stated)


def quantile(kind, runs, numbers):
    """Return half the width of a 95 % interval for `numbers` numbers together (Bonferroni), in standard errors."""
    tail = 0.025 / numbers
    return float(student.isf(tail, runs - 1) if kind in ("run", "mean") else norm.isf(tail))


def wilson(share, n, z):
    """Return (low, high) of a share of n independent draws: Wilson (1927), always inside [0, 1]."""
    share, n = np.asarray(share, dtype=float), np.asarray(n, dtype=float)
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    return np.clip(middle - half, 0, share), np.clip(middle + half, share, 1)


@dataclass(frozen=True)
class Measured:
    """A result of our code: a number, or a tuple of them (arrays become tuples), exact or with an interval.

    low, high: of the form of value, low <= value <= high; both None: no interval. kind: one of KINDS; runs: number of
    runs, draws or cases measured; numbers: for how many numbers together the interval is one of 95 %.
    """

    value: Number
    low: Number | None = None
    high: Number | None = None
    kind: str = ""
    runs: int | None = None
    numbers: int = 1

    def __post_init__(self):
        for name in ("value", "low", "high"):
            object.__setattr__(self, name, _to_floats(getattr(self, name)))

    @property
    def is_exact(self):
        """Tell whether there is no interval."""
        return self.low is None

    @property
    def interval(self):
        """The interval in words."""
        together = f", for {self.numbers} numbers together" if self.numbers > 1 else ""
        return KINDS[self.kind] + together

    def widen(self, numbers):
        """Return this result with an interval for so many numbers together."""
        if self.is_exact or numbers == self.numbers:
            return self
        one_of("kind", self.kind, [kind for kind in KINDS if kind not in UNBOUNDED])
        value, low, high = (np.asarray(part) for part in (self.value, self.low, self.high))
        if self.kind == "share":
            low, high = wilson(value, self.runs, quantile(self.kind, self.runs, numbers))
        else:  # symmetric, unless an end was cut off
            factor = quantile(self.kind, self.runs, numbers) / quantile(self.kind, self.runs, self.numbers)
            half = np.maximum(high - value, value - low) * factor
            low, high = value - half, value + half
        return replace(self, low=low, high=high, numbers=numbers)

    def agrees(self, stated, rounding=0.0, family=1):
        """Tell whether what a source states lies in the interval (exact: at the value), up to its `rounding` >= 0.

        family: so many such claims are judged together. ValueError if stated has another form than value.
        """
        require(np.shape(stated) == np.shape(self.value), "stated", stated, f"of the form of value, {self.value!r}")
        wide = self if family == 1 else self.widen(self.numbers * family)
        low, high = (self.value, self.value) if self.is_exact else (wide.low, wide.high)
        stated, margin = np.asarray(stated), slack(stated, rounding)
        return bool(np.all((stated >= low - margin) & (stated <= high + margin)))


def together(*parts, lowest=-np.inf, highest=np.inf):
    """Join several `Measured` numbers to one tuple, with intervals that hold all of them together."""
    parts = [part.widen(len(parts)) for part in parts]
    value, low, high = ([getattr(part, end) for part in parts] for end in ("value", "low", "high"))
    if parts[0].is_exact:
        return Measured(value)
    runs = min((part.runs for part in parts if part.runs is not None), default=None)
    kind, numbers = parts[0].kind, parts[0].numbers
    return Measured(value, np.maximum(low, lowest), np.minimum(high, highest), kind, runs, numbers)


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One checkable statement of a source.

    id: SOURCE-PLACE-NN, such as "C15-T1-03", never used again for another; place: where it stands in the source, such
    as "Table 1", "eq. (20)" or "section 4.3"; quote: the source's own words, at most 30, or CELL, EQUATION, FIGURE;
    statement: what is put to the test, a sentence; stated: the source's number, a tuple of them, or None where it
    gives none; ours: a callable without arguments that computes `Measured`, or None if nothing is computed; verdict:
    one of VERDICTS; reading: one of READINGS; chapter: the notebook that shows it, such as "06_calibration"; note:
    why, due for every verdict but "reproduced" and "shown by an example"; rounding: half a unit in the last place that
    the source prints; family: how many such claims of the source are judged together; experiment: the name that all
    entries share whose numbers come from one set of choices, due where something was chosen by one of them.
    """

    id: str
    place: str
    quote: str
    statement: str
    stated: Number | None
    ours: Callable[[], Measured] | None
    verdict: str
    reading: str
    chapter: str
    note: str = ""
    rounding: float = 0.0
    family: int = 1
    experiment: str = ""

    def __post_init__(self):
        object.__setattr__(self, "stated", _to_floats(self.stated))

    @property
    def source(self):
        """The source, one of SOURCES, by the id."""
        return CODES[self.id.partition("-")[0]]

    @property
    def page(self):
        """The number of the page that shows it, "06" or "06b"."""
        return self.chapter.partition("_")[0]

    @property
    def name(self):
        """Source, place and statement in one line."""
        return f"{self.source} | {self.place} | {self.statement}"

    @property
    def words(self):
        """The quote in quotation marks, or CELL, EQUATION, FIGURE."""
        return self.quote if self.quote.startswith("[") else f"“{self.quote}”"

    @np.errstate(under="ignore")  # numpy's default, whatever a reader set
    def measure(self):
        """Compute our number now: `Measured`, or None where nothing can be computed."""
        return None if self.ours is None else self.ours()

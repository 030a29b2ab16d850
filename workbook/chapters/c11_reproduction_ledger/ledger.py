"""Chapter 11: every number that a source states, beside ours, in half widths of our interval."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np
from scipy.stats import norm

from workbook.book import ledger
from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, IntSlider
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import typeset
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel
from workbook.ledger.claim import SOURCES, VERDICTS, Claim
from workbook.ledger.numbers import Deviation, deviations
from workbook.ledger.table import say_number

__all__ = ["LedgerExplorer"]

ALL_SOURCES, ALL_VERDICTS, EXACT, INTERVAL = "all sources", "all verdicts", "exact", "with an interval"
MOST = 80  # ranks: there are not so many claims
LEVELS = range(50, 100)  # %
FARTHEST = 4.0  # half widths; what lies beyond is drawn there
DRAWN = tuple(VERDICTS)[:6]  # the verdicts on numbers
BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY = palette.CLASS_COLORS
LOOKS = {  # of a verdict: colour, marker, name in a legend
    "reproduced": (BLUE, "circle", "reproduced"),
    "matched by choice": (SKY, "star", "matched by choice"),
    "within luck": (GREEN, "diamond", "within luck"),
    "differs": (VERMILLION, "square", "differs"),
    "false": (PURPLE, "x", "false"),
    "not stated well enough": (ORANGE, "triangle-up", "not stated"),
    "shown by an example": (palette.GREY, "diamond-open", "example"),
    "not testable here": (palette.GREY, "circle-open", "untestable"),
}


@dataclass(frozen=True)
class Line:
    """One claim with its numbers, the farthest of them first."""

    claim: Claim
    numbers: tuple[Deviation, ...]

    @property
    def place(self) -> str:
        return f"{self.claim.source}, {self.claim.place}"

    @cached_property
    def words(self) -> list[str]:
        """What each number says when it is pointed at."""
        statement = textwrap.shorten(self.claim.statement, 90, placeholder=" …")
        return [
            theme.escape(f"{self.place}: {statement} Stated {say(self.claim, d.stated)}, "
                         f"ours {say(self.claim, d.ours)}: {self.claim.verdict}.")
            for d in self.numbers
        ]  # fmt: skip


@lru_cache(maxsize=64)
def lines(source: str, verdict: str, exact: bool) -> tuple[Line, ...]:
    """The claims of one source, verdict and kind that state a number, the farthest off first."""
    chosen = ledger(None if source == ALL_SOURCES else source, None if verdict == ALL_VERDICTS else verdict)
    found = ((claim, sorted(deviations(claim), key=lambda d: -abs(d.units))) for claim in chosen)
    kept = (Line(claim, tuple(numbers)) for claim, numbers in found if numbers and numbers[0].exact == exact)
    return tuple(sorted(kept, key=lambda line: -abs(line.numbers[0].units)))


@lru_cache(maxsize=64)
def scale(level: int) -> float:
    """Half the width of the interval of this level, over that of 95 %; for a normal distribution."""
    return float(norm.ppf(0.5 + level / 200) / norm.ppf(0.975))


def say(claim, value: float) -> str:
    """A number of a claim, as people write it."""
    return typeset(say_number(claim, value))


def number(value: float, decimals: int) -> str:
    """With so many decimals; where these are many, as a power of ten."""
    if decimals <= 7:
        return typeset(f"{value:.{decimals}f}")
    digits = int(np.floor(np.log10(abs(value)))) + decimals + 1 if value else 0
    return typeset(f"{value:.{digits}g}") if digits > 0 else "0"


def decimals_of(value: float, more: int) -> int:
    """Where the first digit of a number stands behind the point, and so many places further."""
    return max(0, more - int(np.floor(np.log10(value))))


def compared(d: Deviation, claim: Claim) -> list[Part]:
    """(stated - ours) in half widths, as `Deviation` has it.

    Of a distance from an interval the source's rounding is taken off first; for an exact number it is the unit.
    """
    distance, rounding = d.stated - d.ours, claim.rounding
    half = rounding if d.exact else d.high - d.ours if distance > 0 else d.ours - d.low
    inside = not d.exact and abs(distance) <= rounding
    unit = rounding if inside else half or abs(distance) or 1.0
    decimals = decimals_of(unit, 2)
    if rounding and not d.exact:
        decimals = max(decimals, decimals_of(rounding, 0))

    stated = Term(number(d.stated, decimals), "stated", mark="stated 1", color=LOOKS[claim.verdict][0])
    ours = Term(number(d.ours, decimals), "ours", mark="ours 1", color=palette.BLACK)
    rounded = Term(number(rounding, decimals), "the source's rounding")
    if inside or not half:
        apart = Term(number(distance, decimals), "distance", mark="rank", color=palette.BLACK)
        end = [", not beyond the rounding,", rounded] if inside else [", and nothing was rounded"] * bool(distance)
        return [stated, "−", ours, "=", apart, *end]
    off = ["−" if distance > 0 else "+", rounded] if rounding and not d.exact else []
    below = rounded if d.exact else Term(number(half, decimals), "half width", mark="interval", color=palette.GREY)
    units = number(d.units, 2 if abs(d.units) < 1e6 else 0)
    return [Over([stated, "−", ours, *off], [below]), "=", Term(units, "half widths", mark="rank", color=palette.BLACK)]


@lru_cache(maxsize=1)
def edges() -> np.ndarray:
    """`scale` of every level."""
    return np.array([scale(level) for level in LEVELS])


@dataclass(frozen=True)
class Ledger:
    """The result: the lines, and which one is looked at."""

    lines: tuple[Line, ...]
    exact: bool
    level: int
    rank: int  # from 1; never beyond the last line

    @property
    def units(self) -> np.ndarray:
        """Every number's distance from ours, in half widths."""
        return np.array([d.units for line in self.lines for d in line.numbers])

    @property
    def edge(self) -> float:
        """Where the interval of this level ends, in half widths of the 95 % one."""
        return 1.0 if self.exact else scale(self.level)

    @property
    def outside(self) -> int:
        """How many claims have a number outside; an end belongs to its interval."""
        edge = self.edge * (1 + 1e-9)
        return sum(any(abs(d.units) > edge for d in line.numbers) for line in self.lines)

    @property
    def looked_at(self) -> Line:
        return self.lines[self.rank - 1]


class LedgerExplorer(Explorer):
    """The sources' numbers against ours: one line a claim, (stated - ours) over the half width of our interval."""

    source = Choice(ALL_SOURCES, [*SOURCES, ALL_SOURCES], label="Source")
    verdict = Choice(ALL_VERDICTS, [*DRAWN, ALL_VERDICTS], label="Verdict")
    numbers = Choice(INTERVAL, [EXACT, INTERVAL], label="Ours is")
    level = IntSlider(95, LEVELS[0], LEVELS[-1], label="interval, %", when={"numbers": INTERVAL})
    rank = IntSlider(1, 1, MOST, label="rank")

    presets: ClassVar = {
        "100 classifiers": Preset(
            "Rates from 100 random classifiers: luck alone puts one in twenty outside.", dict(source="Williams (2024)")
        ),
        "One split of names": Preset(
            "One split of the names. It was stated; its file is lost.", dict(source="Carlos (2015)")
        ),
        "Only what differs": Preset("Chosen because they lie outside. Out of how many?", dict(verdict="differs")),
        "50 %": Preset("An interval that half of all numbers should miss.", dict(level=50)),
        "No luck": Preset("Exact numbers: each rounds to the printed one, or does not.", dict(numbers=EXACT)),
    }

    def compute(self, source, verdict, numbers, level, rank) -> Ledger:
        exact = numbers == EXACT
        found = lines(source, verdict, exact)
        return Ledger(found, exact, level, min(rank, max(len(found), 1)))

    def draw(self, result):
        return theme.figure([[line_panel(result), number_panel(result)]], widths=[1.5, 1], share=0.96)

    def describe(self, result) -> str:
        r = result
        where = "the source's rounding" if r.exact else f"the {r.level} % interval"
        if not r.lines:
            return f"No claim of this kind states a number: none of 0 claims lies outside {where}."
        luck = "" if r.exact else f" (luck alone: at most {len(r.lines) * (100 - r.level) / 100:.1f})"
        claim, d = r.looked_at.claim, r.looked_at.numbers[0]
        ours = say(claim, d.ours)
        interval = "" if r.exact else f" ({say(claim, d.low)} to {say(claim, d.high)})"
        return (
            f"Outside {where}: {r.outside} of {len(r.lines)} claims{luck}. Rank {r.rank} of {len(r.lines)}: "
            f"{r.looked_at.place}: {textwrap.shorten(claim.statement, 90, placeholder=' …')} "
            f"Stated {say(claim, d.stated)}, ours {ours}{interval}: {claim.verdict}."
        )

    def explain(self, result) -> Sequence[Part]:
        r = result
        return compared(r.looked_at.numbers[0], r.looked_at.claim) if r.lines else ()


def line_panel(r: Ledger) -> Panel:
    """Every line at its rank; the band is the interval, the ring the line that is looked at."""
    traces = []
    for verdict in DRAWN:
        of = [(rank, line) for rank, line in enumerate(r.lines, 1) if line.claim.verdict == verdict]
        y, x = np.array([(rank, d.units) for rank, line in of for d in line.numbers]).reshape(-1, 2).T
        color, symbol, name = LOOKS[verdict]
        marker = dict(color=color, symbol=symbol, size=7)
        traces.append(dict(type="scatter", mode="markers", x=np.clip(x, -FARTHEST, FARTHEST), y=y, marker=marker,
                           name=name, hovertemplate="%{text}<extra></extra>",
                           text=[words for _, line in of for words in line.words]))  # fmt: skip
    line = dict(type="line", name="rank", x0=-FARTHEST, x1=FARTHEST, y0=r.rank, y1=r.rank)
    line["line"] = dict(color=palette.BLACK, width=1, dash="dot")
    band = dict(type="rect", x0=-r.edge, x1=r.edge, y0=0, y1=1, yref="domain", layer="below", fillcolor="#E3EEF6",
                line=dict(width=0))  # fmt: skip
    zero = dict(type="line", x0=0, x1=0, y0=0, y1=1, yref="domain", line=dict(color=palette.GREY, width=1))
    last = max(len(r.lines), 1)
    x = dict(range=[-1.06 * FARTHEST, 1.06 * FARTHEST], tickvals=[-4, -2, -1, 0, 1, 2, 4],
             ticktext=["≤ −4", "−2", "−1", "0", "1", "2", "≥ 4"], tickangle=0)  # fmt: skip
    x["title"] = "stated − ours, in roundings" if r.exact else "stated − ours, in half widths (95 %)"
    y = dict(range=[last + 0.8, 0.2], tickvals=sorted({1, last}), showgrid=False)
    shapes = [band, zero, line]
    # Each claim is chosen at its own line; ranks beyond the last stand there too.
    ranks = np.minimum(np.arange(1, MOST + 1), last)
    handles = [Handle("rank", 0.0, r.rank, axis="y", places=ranks, shape=shape) for shape in ("pick", "line")]
    if not r.exact:
        handles.append(Handle("level", r.edge, (1 + last) / 2, places=edges(), shape="edge"))
    return Panel("Rank, farthest first", traces, x, y, shapes, handles=handles)


def number_panel(r: Ledger) -> Panel:
    """The line that is looked at in its own units: our numbers with their intervals, and the source's."""
    numbers = r.looked_at.numbers if r.lines else ()
    color, symbol, _ = LOOKS[r.looked_at.claim.verdict] if r.lines else (palette.GREY, "circle", "")
    at = np.arange(len(numbers))
    ends = [v for d in numbers for v in (d.low, d.high, None)]
    said = [[say(r.looked_at.claim, v) for v in (d.ours, d.low, d.high, d.stated)] for d in numbers]
    between = "" if r.exact else " (95 %: {1} to {2})"
    dots = dict(type="scatter", mode="markers", y=at, hovertemplate="%{text}<extra></extra>", showlegend=False)
    traces = [
        dict(type="scatter", mode="lines", x=ends, y=np.repeat(at, 3), line=dict(color=palette.GREY, width=5),
             name="ours, 95 %", showlegend=not r.exact and bool(numbers), hoverinfo="skip", meta=dict(mark="interval")),
        dots | dict(x=[d.ours for d in numbers], marker=dict(color=palette.BLACK, symbol="line-ns-open", size=18),
                    ids=[f"ours {i + 1}" for i in at], text=[f"ours: {{0}}{between}".format(*four) for four in said]),
        dots | dict(x=[d.stated for d in numbers], marker=dict(color=color, symbol=symbol, size=11),
                    ids=[f"stated {i + 1}" for i in at], text=[f"stated: {four[3]}" for four in said]),
    ]  # fmt: skip
    low, high = (f([v for d in numbers for v in (d.low, d.high, d.stated)], default=end)
                 for f, end in ((min, 0.0), (max, 1.0)))  # fmt: skip
    room = 0.12 * (high - low) or 0.5 * abs(high) or 0.5
    y = dict(range=[len(numbers) - 0.4, -0.6], tickvals=[], showgrid=False)
    return Panel(f"Rank {r.rank}: both numbers", traces, dict(range=[low - room, high + room], nticks=4), y)

"""Chapter 11: the whole ledger as a map, a square for each claim; filtered, sorted, and searched by words."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from workbook.book import ledger
from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, IntSlider, Text
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel
from workbook.ledger.claim import CODES, SOURCES, VERDICTS, Claim
from workbook.ledger.table import SORTS, say_ours, say_stated, select_claims

from .ledger import ALL_SOURCES, ALL_VERDICTS, LOOKS

__all__ = ["SearchExplorer"]

COLUMNS = 20  # of the map
MOST = 240  # ranks: there are not so many claims
LINES, LETTERS = 8, 34  # of the list, and of a line: on a projector and on a phone, too
LOOKED_AT = "claim"


@lru_cache(maxsize=1)
def places() -> dict[str, tuple[int, int]]:
    """Id of every claim -> (column, row) on the map: in the ledger's order, every source from a row of its own."""
    found, row = {}, 0
    for source in SOURCES:
        claims = ledger(source)
        found |= {c.id: (i % COLUMNS, row + i // COLUMNS) for i, c in enumerate(claims)}
        row += max(2, -(-len(claims) // COLUMNS))  # the names of two sources need so much
    return found


@lru_cache(maxsize=256)
def search(words: str, source: str, verdict: str, sort: str) -> tuple[Claim, ...]:
    """The claims that are asked for."""
    claims = ledger(None if source == ALL_SOURCES else source, None if verdict == ALL_VERDICTS else verdict)
    return select_claims(claims, words=words, sort=sort)


@dataclass(frozen=True)
class Found:
    """The result: the claims that were found, in their order, and which one is looked at."""

    claims: tuple[Claim, ...]
    rank: int  # from 1; never beyond the last
    total: int
    words: str

    @property
    def looked_at(self) -> Claim | None:
        return self.claims[self.rank - 1] if self.claims else None


class SearchExplorer(Explorer):
    """Every claim of the ledger: filtered by source and verdict, searched by words, sorted, and read one by one."""

    words = Text("", label="Words", chosen=("table 1", "table 3", ".964", "perplexity", "one-hot"))
    source = Choice(ALL_SOURCES, [*SOURCES, ALL_SOURCES], label="Source")
    verdict = Choice(ALL_VERDICTS, [*VERDICTS, ALL_VERDICTS], label="Verdict")
    sort = Choice("place", list(SORTS), label="Sort by")
    rank = IntSlider(1, 1, MOST, label="claim")

    presets: ClassVar = {
        "Smoothing": Preset("One word, and every claim about it, in whichever source.", dict(words="smoothing")),
        "Table 1": Preset("Ids say the place: T1 is Table 1. Read its numbers one by one.", dict(words="C15-T1")),
        "False": Preset("Against each of these there is a proof.", dict(verdict="false")),
        "Farthest": Preset("The printed numbers farthest from ours come first.", dict(sort="distance")),
        "Not testable": Preset("What this book cannot judge, and does not.", dict(verdict="not testable here")),
    }  # fmt: skip

    def compute(self, words, source, verdict, sort, rank) -> Found:
        claims = search(" ".join(words.lower().split()), source, verdict, sort)
        return Found(claims, min(rank, max(len(claims), 1)), len(places()), words)

    def draw(self, result):
        return theme.figure([[map_panel(result), list_panel(result)]], widths=[1, 1.25], share=0.94)

    def describe(self, result) -> str:
        r = result
        if not r.claims:
            asked = f"has “{r.words}” and is" if r.words else "is"
            return f"None of the {r.total} claims {asked} of this kind. Fewer words find more."
        c = r.looked_at
        numbers = "" if c.stated is None else f" Stated {first(say_stated(c))}, ours {first(say_ours(c))}."
        return (
            f"{len(r.claims)} of {r.total} claims. Number {r.rank}: {c.id}, {c.place}: "
            f"{textwrap.shorten(c.statement, 80, placeholder=' …')}{numbers} Verdict: {c.verdict}."
        )

    def explain(self, result) -> Sequence[Part]:
        parts: list[Part] = []
        for verdict, (color, _, name) in LOOKS.items():
            if n := sum(c.verdict == verdict for c in result.claims):
                parts += ["+"] * bool(parts) + [Term(f"{n}", name, mark=name, color=color)]
        return [*parts, "=", Term(f"{len(result.claims)}", f"of {result.total} claims")] if parts else ()


def first(numbers: str) -> str:
    """The first of several numbers."""
    parts = numbers.split("; " if "; " in numbers else ", ")
    return parts[0] + (f" and {len(parts) - 1} more" if len(parts) > 1 else "")


@lru_cache(maxsize=512)
def words_of(claim: Claim) -> str:
    """What the square of a claim says."""
    quote = textwrap.shorten(claim.words, 160, placeholder=" …")
    return theme.escape(f"{claim.id}, {claim.place}: {quote} {claim.verdict}")


def map_panel(r: Found) -> Panel:
    """A square for each claim; what was found has the look of its verdict, the rest is a dot."""
    at, found = places(), {c.id for c in r.claims}
    rows = 1 + max(row for _, row in at.values())
    traces = []
    rest = [c for c in ledger() if c.id not in found]
    x, y = np.array([at[c.id] for c in rest]).reshape(-1, 2).T
    traces.append(dict(type="scatter", mode="markers", x=x, y=y, showlegend=False, text=[words_of(c) for c in rest],
                       hovertemplate="%{text}<extra></extra>",
                       marker=dict(color=palette.PALE, size=4, symbol="circle")))  # fmt: skip
    for verdict, (color, symbol, name) in LOOKS.items():
        of = [c for c in r.claims if c.verdict == verdict]
        x, y = np.array([at[c.id] for c in of]).reshape(-1, 2).T
        traces.append(dict(type="scatter", mode="markers", x=x, y=y, name=name, meta=dict(mark=name),
                           text=[words_of(c) for c in of], hovertemplate="%{text}<extra></extra>",
                           marker=dict(color=color, symbol=symbol, size=9)))  # fmt: skip
    # Each claim that was found is chosen where it stands; ranks beyond the last stand there too.
    where = np.array([at[c.id] for c in r.claims] or [(0, 0)], dtype=float)
    where = where[np.minimum(np.arange(MOST), len(where) - 1)]
    x, y = where[r.rank - 1]
    ring = dict(type="rect", name=LOOKED_AT, x0=x - 0.5, x1=x + 0.5, y0=y - 0.5, y1=y + 0.5,
                line=dict(color=palette.BLACK, width=2))  # fmt: skip
    starts = [min(row for name, (_, row) in at.items() if name.startswith(f"{code}-")) for code in CODES]
    axes = dict(range=[-0.8, COLUMNS - 0.2], tickvals=[], showgrid=False)
    y_axis = dict(range=[rows - 0.3, -0.7], tickvals=starts, ticktext=list(CODES), showgrid=False)
    grip = Handle("rank", x, y, axis="xy", places=where, shape="pick")
    return Panel("Every claim, by source", traces, axes, y_axis, [ring] if r.claims else [], handles=[grip])


def list_panel(r: Found) -> Panel:
    """The claims that were found, in their order, from some before the one that is looked at."""
    start = int(np.clip(r.rank - 1 - LINES // 3, 0, max(len(r.claims) - LINES, 0)))
    shown = r.claims[start : start + LINES]
    y = np.arange(len(shown))
    traces = []
    for verdict, (color, symbol, _) in LOOKS.items():
        of = [i for i, c in enumerate(shown) if c.verdict == verdict]
        traces.append(dict(type="scatter", mode="markers", x=np.zeros(len(of)), y=y[of], showlegend=False,
                           text=[words_of(shown[i]) for i in of], hovertemplate="%{text}<extra></extra>",
                           marker=dict(color=color, symbol=symbol, size=9)))  # fmt: skip
    notes = []
    for i, claim in enumerate(shown):
        text = theme.escape(textwrap.shorten(f"{claim.id} {claim.statement}", LETTERS, placeholder=" …"))
        bold = f"<b>{text}</b>" if start + i == r.rank - 1 else text
        notes.append(dict(x=0.03, y=i, xanchor="left", yanchor="middle", align="left", text=bold))
    if not shown:
        notes.append(dict(x=0.03, y=0, xanchor="left", yanchor="middle", text="none"))
    y_axis = dict(range=[LINES - 0.5, -0.6], tickvals=[], showgrid=False)
    title = f"{start + 1} to {start + len(shown)} of {len(r.claims)}" if shown else "Nothing found"
    return Panel(title, traces, dict(range=[-0.03, 1], tickvals=[], showgrid=False), y_axis, annotations=notes)

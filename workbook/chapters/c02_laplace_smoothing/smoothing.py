"""Chapter 02: the votes of a name, one row a piece, and the zero that decides alone until alpha is added."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, NamedTuple

import numpy as np

from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import superscript
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BLACK, CLASSES, ESTIMATE, GREY, GUIDE, PALE
from workbook.explorer.theme import Panel

from .votes import ALPHAS, DAY, DOCUMENT, ITEMS, ItemSteps, Votes, count_votes, write_odds

__all__ = ["SmoothingExplorer"]

PLACES = np.array([ALPHAS[1] / 3, *ALPHAS[1:]])  # a logarithmic axis has no 0: it gets a place at the left end
COUNTS, TABLE, BESIDE = (0.16, 0.34), 0.35, (0.15, 0.22)  # shares of the panel: where counts end, and room beside bars


class SmoothingExplorer(Explorer):
    """One vote a piece: a count of zero is a veto, and (count + alpha) / (total + alpha K) makes it a vote."""

    alpha = Steps(0, ALPHAS, label="alpha", say="{:g}".format)
    item = ItemSteps(0, range(len(ITEMS)), label="votes on", say=ITEMS.__getitem__)

    presets: ClassVar = {
        "Gloria: a veto": Preset("Glo stands in one male name and in no female one. Nothing else is heard.", {}),
        "Overcast day: a veto": Preset("Without its sky this day is a No, with .812. One zero, and no other is heard.",
                                       dict(item=ITEMS.index(DAY))),
        "Document 5: a vote": Preset("Two zeros against China. With one added to every count, the others outvote them.",
                                     dict(item=ITEMS.index(DOCUMENT), alpha=1), after="02/china"),
        "Hezekiah: two vetoes": Preset("Each class has a zero: both are impossible, and the dot stays at the prior.",
                                      dict(item=ITEMS.index("Hezekiah")), after="02/malcolm"),
    }  # fmt: skip

    def compute(self, alpha: float, item: int) -> Votes:
        return replace(count_votes(ITEMS[item]), at=ALPHAS.index(alpha))

    def draw(self, result: Votes) -> dict:
        panels, number = (votes_panel(result), chance_panel(result)), (result.chance, result.question)
        return marks.figure(*panels, finding=result.finding, number=number, widths=[2, 1], left=5.5)

    def describe(self, result: Votes) -> str:
        r, f = result, result.strongest
        counts = ", ".join(f"{n:.0f} {c}" for n, c in zip(r.counted[0][:, f], r.case.classes, strict=True))
        vote = f"{r.pieces[f]} ({counts}) votes {write_odds(r.votes[f + 1], 3)} for {r.side(r.votes[f + 1])}"
        chance = r.chance.replace("<", "under").replace(">", "over")
        if r.vetoes == 2:
            vote = f"where both classes are impossible, the model keeps to the prior, {r.prior:.3f}"
        return f"{r.finding}. At alpha = {ALPHAS[r.at]:g} {r.question} is {chance}; {vote}."

    def explain(self, result: Votes) -> Sequence[Part]:
        r, f, (counts, totals, sizes) = result, result.strongest, result.counted
        vote, alpha = r.votes[f + 1], Term(f"{ALPHAS[r.at]:g}", "alpha", "alpha")
        shares = [Over([Term(f"{counts[c, f]:.0f}", f"as {r.case.classes[c]}"), "+", alpha],
                       [Term(f"{totals[c, f]:,.0f}", "N"), "+", alpha, "·", Term(f"{sizes[f]:,}", "K")])
                  for c in (int(vote > 0), int(vote <= 0))]  # fmt: skip
        piece, color = r.pieces[f], CLASSES[int(vote > 0)].color
        return [shares[0], ":", shares[1], "=", Term(write_odds(vote, 3), f"{piece} for {r.side(vote)}", piece, color)]


class Rows(NamedTuple):
    """Hold where the bars of all rows begin and end, and of the panel: its left, where bars may run, and its width."""

    begin: np.ndarray
    end: np.ndarray
    left: float
    low: float
    high: float
    width: float


def lay_rows(r: Votes) -> Rows:
    """Lay the bars out on one scale for every alpha: each begins where the last one ended, infinite ones run out."""
    least, most = min(0, r.ends.min()), max(0, r.ends.max())
    width = (most - least) / (1 - TABLE - sum(BESIDE))
    low, high, begin = least - BESIDE[0] * width, most + BESIDE[1] * width, np.array([0, *r.ends[r.at, :-1], 0])
    return Rows(begin, np.clip(begin + r.votes, low, high), low - TABLE * width, low, high, width)


def votes_panel(r: Votes) -> Panel:
    """Draw a row for the prior, each piece, and all together: its counts, and a bar from where the last one ended."""
    rows, y, names = lay_rows(r), np.arange(len(r.votes))[::-1], ["prior", *r.pieces, "together"]
    looks = [CLASSES[int(vote > 0)] if heard else PALE for vote, heard in zip(r.votes, r.heard, strict=True)]
    said = [f"{name}: {write_odds(vote)} for {r.side(vote)}" for name, vote in zip(names, r.votes, strict=True)]
    bars = marks.bars(rows.end - rows.begin, y, looks, base=rows.begin, width=0.62, horizontal=True,
                      hover=said, id=names)  # fmt: skip
    rules = marks.rule(x=0, span=(-0.5, y[0] + 0.5), look=BLACK, width=1), marks.rule(y=0.5, look=GUIDE, width=1)
    ways = "← {} · odds to 1, log scale · {} →".format(*r.case.classes)
    x = marks.axis(rows.left, rows.high, ways, ticks=name_odds(r))
    words = [*write_votes(r, rows), *write_counts(r, rows)]
    named = dict(range=[-0.6, y[0] + 1.6], tickvals=y, ticktext=names, showgrid=False, showline=False, ticks="")
    return replace(marks.panel("What each piece says", bars, rules, words, x=x, y=named), narrow=1.3)


def write_votes(r: Votes, rows: Rows) -> Iterator[dict]:
    """Yield the odds beside each bar, away from even odds if there is room."""
    for k, (vote, heard) in enumerate(zip(r.votes, r.heard, strict=True)):
        first, last = sorted((rows.begin[k], rows.end[k]))
        words = write_odds(vote) if heard else "no answer" if k > len(r.pieces) else "not heard"
        words = {np.inf: "∞ →", -np.inf: "← ∞"}.get(vote, words)
        room, outward = [(first - rows.low) / rows.width, (rows.high - last) / rows.width + 0.04], first + last > 0
        right = outward if room[int(outward)] > 0.027 * len(words) else room[1] > room[0]  # a letter on a phone
        at, place, paper = (last, "right", last < 0) if right else (first, "left", first > 0)
        yield marks.text(at, len(r.votes) - 1 - k, words, place=place, color=None if heard else GREY,
                         paper="white" if paper else None)  # fmt: skip


def write_counts(r: Votes, rows: Rows) -> Iterator[dict]:
    """Yield the counts of each row in two columns under the classes; a zero that is a veto is framed."""
    top = len(r.votes)
    for c, (name, look) in enumerate(zip(r.case.classes, CLASSES, strict=False)):
        at = rows.left + COUNTS[c] * rows.width
        yield marks.text(at, top, name, place="left", color=look.color)
        for k, count in enumerate([r.case.model.class_count_[c], *r.counted[0][c]], start=1):
            yield marks.text(at, top - k, f"{count:,.0f}", place="left")
            if count == r.at == 0:
                ends = at - 0.05 * rows.width, at + 0.01 * rows.width
                yield marks.frame(ends, (top - k - 0.4, top - k + 0.4), look.color, width=2)


def name_odds(r: Votes) -> dict[float, str]:
    """Return the ticks: even odds, and the power of ten that the bars just reach."""
    power = int(np.abs(r.ends).max() / np.log(10))
    far, words = power * np.log(10), f"{10**power}" if power < 3 else f"10{superscript(power)}"
    return {at: words if at else "even" for at in (0, -far, far) if not at or r.ends.min() <= at <= r.ends.max()}


def chance_panel(r: Votes) -> Panel:
    """Draw the probability that is asked for against alpha, beside the prior that it goes to."""
    prior, now = r.prior, (PLACES[r.at], r.chances[r.at])
    said = [f"alpha = {alpha:g}: {r.question} = {p:.3f}" for alpha, p in zip(ALPHAS, r.chances, strict=True)]
    words = marks.text(0.004, prior, "prior", place="above", color=GREY)
    ticks = {PLACES[0]: "0", 0.01: "0.01", 1: "1", 100: "100"}
    return marks.panel(
        r.question, marks.rule(y=prior, look=GUIDE, width=1), words,
        marks.line(PLACES[1:], r.chances[1:], ESTIMATE, hover=said[1:]),
        marks.points(PLACES[0], r.chances[0], ESTIMATE, hover=said[0]),
        marks.points(*now, ESTIMATE, size=13, stroke=2, rim=BLACK, id="alpha", hover=said[r.at]),
        Handle("alpha", *now, "xy", np.column_stack([PLACES, r.chances])),
        x=marks.axis(PLACES[0] / 2, 1800, "alpha", log=True, ticks=ticks), y=marks.axis(-0.04, 1.04, ticks=[0, 0.5, 1]),
    )  # fmt: skip

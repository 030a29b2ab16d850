"""Chapter 05: pieces of a name that overlap more and more, and the votes that suit held-out names. Carlos (2015)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbcore.datasets import END
from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import ATTENUATED, BLACK, GUIDE, Look, faint
from workbook.explorer.theme import Panel

from .experiment import CUTS, SPLITS, Votes, cut_name, measure_cut

__all__ = ["OverlapExplorer"]

NAME = "Gabriel"
AT = list(range(1, len(CUTS) + 1))
FEW = 3  # rows of bricks, in which words have room


def count_hearings(at: int) -> float:
    """Return how many pieces lie on a letter of NAME (and on its end), on average."""
    return sum(len(piece) for _, piece in cut_name(NAME, CUTS[at - 1])) / len(NAME + END)


@dataclass(frozen=True)
class Overlap:
    """Hold one cut: the pieces of NAME, and the votes of names held out."""

    at: int
    pieces: list[tuple[int, str]]  # first letter, piece
    votes: Votes

    @property
    def heard(self) -> float:
        """Return how many pieces lie on a letter."""
        return count_hearings(self.at)

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c05_overlap proves it for all states."""
        if self.votes.share > 0.995:
            return "Side by side, +1 smoothing: all votes count, no root is needed"
        return f"{self.heard:.1f} pieces on each letter: {100 * self.votes.share:.0f} % of the votes are left"


class OverlapExplorer(Explorer):
    """Cut names into pieces that overlap more and more: the share k / (n + 1) of the votes that suits them falls."""

    cut = Steps(1, AT, label="pieces", say=lambda at: CUTS[at - 1].words)

    presets: ClassVar = {
        "Side by side": Preset("No letter is heard twice.", dict(cut=1)),
        "Sharing two": Preset("A new piece begins at each letter.", dict(cut=3)),
        "All lengths": Preset("Pieces of one to five letters, as the chapter takes them.", dict(cut=len(CUTS))),
    }

    def compute(self, cut: int) -> Overlap:
        return Overlap(cut, cut_name(NAME, CUTS[cut - 1]), measure_cut(CUTS[cut - 1]))

    def draw(self, result: Overlap) -> dict:
        number = f"{result.votes.share:.2f}", "of the votes are left, k / (n + 1)"
        return marks.figure(pieces_panel(result), share_panel(result), finding=result.finding, number=number)

    def describe(self, result: Overlap) -> str:
        r, v = result, result.votes
        numbers = f"k = {v.k:.1f} of n + 1 = {v.factors:.1f} suits best"
        return f"{r.finding}. {CUTS[r.at - 1].words}: {numbers}. Naive Bayes is right {v.right:.3f}."

    def explain(self, result: Overlap) -> Sequence[Part]:
        votes = result.votes
        k = Term(f"{votes.k:.2f}", "k", "share", ATTENUATED)
        return [Over([k], [Term(f"{votes.factors:.2f}", "n + 1")]), "=", Term(f"{votes.share:.2f}", "votes left")]


def place_rows(pieces: Sequence[tuple[int, str]]) -> list[int]:
    """Return a row for each piece: the lowest in which it overlaps no piece before it."""
    ends: list[int] = []
    rows = []
    for start, piece in pieces:
        row = next((row for row, end in enumerate(ends) if end <= start), len(ends))
        ends[row : row + 1] = [start + len(piece)]
        rows.append(row)
    return rows


def pieces_panel(r: Overlap) -> Panel:
    """Draw the pieces as bricks over the letters, each filled as high as its vote counts."""
    rows = np.array(place_rows(r.pieces)) + 0.5
    start, length = np.array([at for at, _ in r.pieces]), np.array([len(piece) for _, piece in r.pieces])
    words, filled, few = [piece for _, piece in r.pieces], rows - 0.44 * (1 - r.votes.share), max(rows) < FEW
    place = dict(base=start - 0.47, horizontal=True, hover=words)
    whole = marks.bars(length - 0.06, rows, faint(ATTENUATED, 0.25), width=0.88, **place)
    left = marks.bars(length - 0.06, filled, ATTENUATED, width=0.88 * r.votes.share, **place)
    return marks.panel(
        f"{NAME} in pieces; filled: what counts", whole, left, marks.rule(y=0, width=1),
        [marks.text(*place) for place in zip(start + (length - 1) / 2, filled, words, strict=True) if few],
        x=marks.axis(-0.55, len(NAME) + 0.55, ticks=dict(enumerate(NAME + END)), grid=False),
        y=marks.axis(0, FEW + 0.2 if few else 16, ticks={}, grid=False),
    )  # fmt: skip


def share_panel(r: Overlap) -> Panel:
    """Draw the share of votes left against the pieces on a letter, and what it would be if these were copies."""
    heard = [count_hearings(at) for at in AT]
    share = [measure_cut(cut).share for cut in CUTS]
    grid = np.linspace(1, heard[-1], 40)
    copies = marks.line(grid, 1 / grid, Look(GUIDE, dash="dot"), hover="if they were copies: {y:.2f}")
    said = [f"{cut.words}: {y:.2f}" for cut, y in zip(CUTS, share, strict=True)]
    line = marks.line(heard, share, ATTENUATED, size=6, hover=said)
    ring = marks.points(r.heard, r.votes.share, ATTENUATED, size=13, stroke=2, rim=BLACK, id="share",
                        hover=said[r.at - 1])  # fmt: skip
    return marks.panel(
        f"Votes left, +1 smoothing, {SPLITS} ways to hold out", copies, line, ring,
        marks.text(6, 0.4, "of names", color=ATTENUATED), marks.text(4.2, 0.1, "if they were copies"),
        Handle("cut", r.heard, r.votes.share, "x", heard),
        x=marks.axis(0.6, 10.4, "pieces on a letter, on average", ticks=[1, 2, 4, 6, 8, 10]),
        y=marks.axis(0, 1.08, ticks={0: "0", 0.25: ".25", 0.5: ".5", 0.75: ".75", 1: "all"}),
    )  # fmt: skip

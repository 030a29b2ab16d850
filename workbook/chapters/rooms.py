"""A figure of what a room says of itself: counts of choices, of which small cells are not shown."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from workbook.draw import drawable

__all__ = ["LEAST", "Cell", "Counts", "RoomFigure"]

LEAST = 3  # voters: what fewer have chosen could point at one
Cell = tuple[int, ...]  # of each field the index of a choice
Counts = Mapping[Cell, int]


@dataclass(frozen=True)
class RoomFigure:
    """A figure of the room's own data.

    question: what the phones ask, and its fields: label -> what can be chosen. Without fields the data are those of
    the votes: (how sure, 1 if it was right). draw: counts of at least LEAST -> a figure with a finding, with which its
    sentence begins; tell: the rest of that sentence.
    """

    title: str
    question: str
    fields: Mapping[str, Sequence[str]]
    draw: Callable[[Counts], dict]
    tell: Callable[[Counts], str]

    def read(self, text: str, room: str, sizes: Sequence[int]) -> dict[Cell, int]:
        """Return the counts of a saved file: rows with the indexes of a cell, then its count; ValueError otherwise."""
        limits = [*sizes, 10**6]
        try:
            saved = json.loads(text)
            rows = saved["cells"] if saved["room"] == room else None
            if all(len(row) == len(limits) and all(0 <= k < limit for k, limit in zip(row, limits, strict=True))
                   and all(type(k) is int for k in row) for row in rows):  # fmt: skip
                return {tuple(row[:-1]): row[-1] for row in rows}
        except (ValueError, TypeError, KeyError):
            pass
        raise ValueError(f"This file does not hold the counts of {self.title!r}: save them here with S.")

    def frame(self, counts: Counts) -> dict:
        """Return what the page shows of counts, none of which is less than LEAST."""
        figure = self.draw(counts)
        finding, rest = figure["layout"]["meta"]["head"]["finding"], f"Cells of fewer than {LEAST} are left out."
        sentence = " ".join(filter(None, [f"{finding}.", self.tell(counts), rest]))
        return {"figure": drawable(figure), "formula": [], "sentence": sentence}

"""Chapter 02: the first letters of the room's first names, as counted and with one imaginary name for each letter."""

from __future__ import annotations

import string

from workbook.chapters.rooms import LEAST, Counts, RoomFigure
from workbook.explorer import marks
from workbook.explorer.palette import IMAGINARY, REAL, Look

__all__ = ["ROOM", "smoothed"]

LETTERS = string.ascii_uppercase


def smoothed(counts: Counts, alpha: float = 1.0) -> list[float]:
    """Return P(letter) for each of the 26, with so many imaginary names for each."""
    total = sum(counts.values()) + alpha * len(LETTERS)
    return [(counts.get((k,), 0) + alpha) / total for k in range(len(LETTERS))]


def zeros(counts: Counts) -> list[str]:
    """Return the letters of fewer than LEAST names, whose counts are not shown."""
    return [letter for k, letter in enumerate(LETTERS) if not counts.get((k,))]


def draw(counts: Counts) -> dict:
    """Draw a bar for each letter: names in this room, and on top of it the imaginary one."""
    real = [counts.get((k,), 0) for k in range(26)]
    said = [f"{letter}: {n or f'fewer than {LEAST}'}; with one more each {share:.1%}"
            for letter, n, share in zip(LETTERS, real, smoothed(counts), strict=True)]  # fmt: skip
    bars = (marks.bars([*range(26)], real, REAL, name="in this room", hover=said),
            marks.bars([*range(26)], [1] * 26, Look(IMAGINARY, hatch="/"), base=real,
                       name="one imaginary name each"))  # fmt: skip
    few = f"{len(zeros(counts))} of 26 letters have fewer than {LEAST} names in this room"
    finding, top = few if any(real) else f"No letter has {LEAST} names from this room yet", max(4, *real) + 2
    axes = dict(x=marks.named_axis(LETTERS), y=marks.axis(0, top, "names", ticks=range(0, top, 1 + top // 8)))
    return marks.figure(marks.panel("First letters of first names", *bars, **axes), finding=finding)


def tell(counts: Counts) -> str:
    """Say what a letter that nobody has gets by plain shares and with alpha = 1."""
    total = sum(counts.values())
    share = f"{1 / (total + len(LETTERS)):.1%}"
    if not total:
        return f"With one imaginary name for each letter, and no other, each gets {share}."
    words = f"A letter that none of these {total} names has would get 0 by plain shares, and {share} with"
    return f"{words} one more name for each letter."


ASKED = "With which letter does your first name begin?"
ROOM = RoomFigure("First letters", ASKED, {"letter": tuple(LETTERS)}, draw, tell)

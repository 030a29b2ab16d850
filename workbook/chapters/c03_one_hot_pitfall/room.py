"""Chapter 03: hair and eye colour of the room beside those of the 592 students."""

from __future__ import annotations

import numpy as np

from workbook.chapters.rooms import Counts, RoomFigure
from workbook.explorer import marks
from workbook.explorer.palette import PALE, YOURS

from .columns import COUNTS, EYES, HAIRS

__all__ = ["ROOM"]

BLOND = HAIRS.index("blond")
STUDENTS = COUNTS[BLOND] / COUNTS.sum(axis=0)  # P(blond | eyes)


def share_blond(counts: Counts) -> dict[int, tuple[int, int]]:
    """Return eye colour -> (blond, all) of the room, where both the blond and the others are shown."""
    both = {eye: (counts.get((0, eye), 0), counts.get((1, eye), 0)) for eye in range(4)}
    return {eye: (blond, blond + others) for eye, (blond, others) in both.items() if blond and others}


def draw(counts: Counts) -> dict:
    """Draw the share of blond hair for each eye colour: students, and the room."""
    found, rows = share_blond(counts), np.arange(4)[::-1]
    said = [f"{k} of {n} with {EYES[eye]} eyes are blond" for eye, (k, n) in found.items()]
    students = marks.bars(STUDENTS, rows + 0.2, PALE, horizontal=True, width=0.36, name="592 students",
                          hover=[f"{eye} eyes: {share:.0%} of the students are blond" for eye, share in
                                 zip(EYES, STUDENTS, strict=True)])  # fmt: skip
    room = marks.bars([k / n for k, n in found.values()], [rows[eye] - 0.2 for eye in found], YOURS, horizontal=True,
                      width=0.36, name="this room", hover=said)  # fmt: skip
    total = sum(counts.values())
    finding = f"This room has {total} whose colours are shown" if total else "Nobody in this room has said yet"
    axes = dict(x=marks.axis(0, 1, "share of blond hair", ticks=5), y=marks.named_axis(EYES[::-1]))
    return marks.figure(marks.panel("Of each eye colour, how many are blond?", students, room, **axes), finding=finding)


def tell(counts: Counts) -> str:
    """Say the shares of the room beside the students'."""
    found = share_blond(counts).items()
    return " ".join(f"{EYES[eye].capitalize()} eyes: {k} of {n} are blond, {STUDENTS[eye]:.0%} of the students."
                    for eye, (k, n) in found)  # fmt: skip


ROOM = RoomFigure("Hair and eyes", "What colours are your hair and your eyes?",
                  {"hair": ("blond", "another colour"), "eyes": tuple(EYES)}, draw, tell)  # fmt: skip

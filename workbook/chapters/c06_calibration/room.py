"""Chapter 06: how sure the room was of its votes, and how often it was right, beside naive Bayes on names."""

from __future__ import annotations

from functools import cache

import numpy as np

from workbook.chapters.names import names_split
from workbook.chapters.rooms import LEAST, Counts, RoomFigure
from workbook.explorer import marks
from workbook.explorer.palette import GUIDE, NAIVE_BAYES, YOURS
from workbook.questions.question import LEVELS

from .experiment import naive_posterior

__all__ = ["ROOM", "by_level", "naive_counts"]


def by_level(counts: Counts) -> dict[float, tuple[int, int]]:
    """Return level of confidence -> (right, all), where both the right and the wrong votes are shown."""
    both = {level: (counts.get((k, 1), 0), counts.get((k, 0), 0)) for k, level in enumerate(LEVELS)}
    return {level: (right, right + wrong) for level, (right, wrong) in both.items() if right and wrong}


@cache
def naive_counts() -> Counts:
    """Return (nearest level, 1 if right) -> held-out names, of naive Bayes on pieces of up to five letters."""
    part = names_split(5).test
    posterior = naive_posterior(part)
    nearest = np.abs(posterior.max(axis=1)[:, None] - LEVELS).argmin(axis=1)
    right = posterior.argmax(axis=1) == np.searchsorted(np.unique(part.y), part.y)
    cells, counts = np.unique(np.column_stack([nearest, right]), axis=0, return_counts=True)
    return {(int(k), int(is_right)): int(n) for (k, is_right), n in zip(cells, counts, strict=True) if n >= LEAST}


def draw(counts: Counts) -> dict:
    """Draw how often who was so sure was right: the room, naive Bayes, and the promise."""
    lines = [marks.line([0.5, 1], [0.5, 1], GUIDE, name="as promised")]
    whose = ("naive Bayes", by_level(naive_counts()), NAIVE_BAYES), ("this room", by_level(counts), YOURS)
    for name, found, look in whose:
        shares = [right / n for right, n in found.values()]
        said = [f"{name}, {level:.0%} sure: {right} of {n} right" for level, (right, n) in found.items()]
        dots = marks.points([*found], shares, look, size=14, name=name, hover=said)
        lines += [marks.line([*found], shares, look), dots]
    ticks = {level: f"{level:.0%}" for level in LEVELS} | {LEVELS[0]: f"≤ {LEVELS[0]:.0%}"}
    axes = dict(x=marks.axis(0.48, 1.02, "how sure", ticks=ticks),
                y=marks.axis(0, 1.04, "share that is right", ticks=5))  # fmt: skip
    return marks.figure(marks.panel("Who is so sure is right so often", *lines, **axes), finding=find(counts))


def find(counts: Counts) -> str:
    """Return the finding: how sure the room was on average, and how often right."""
    found, n = by_level(counts), sum(n for _, n in by_level(counts).values())
    if not n:
        return "No level of confidence has enough votes yet"
    sure, right = sum(level * n for level, (_, n) in found.items()) / n, sum(right for right, _ in found.values()) / n
    return f"This room was {sure:.0%} sure and {right:.0%} right"


def tell(counts: Counts) -> str:
    """Say the same of naive Bayes."""
    return f"Naive Bayes on names: {find(naive_counts())[len('This room was '):]}."


ROOM = RoomFigure("How sure, how right", "", {}, draw, tell)

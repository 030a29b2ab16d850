"""When a question comes back: 2, 7 and 21 days after it was answered right at once; what was missed is due at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby

from workbook.questions.progress import Answer

__all__ = ["AT_A_TIME", "WAITS", "Standing", "due", "standings"]

WAITS = 2, 7, 21  # days; after the last of them a question rests
AT_A_TIME = 5
MOST_VARIANTS = 999  # a file may say anything


@dataclass(frozen=True)
class Standing:
    """How a question stands. day: when it is due, None if it rests. missed: wrong at first, the last time it was asked.

    slip: a typical mistake was recognised then. variant: which numbers to ask with, counted from 1.
    """

    key: str
    day: date | None
    missed: bool
    slip: bool
    variant: int


@dataclass(frozen=True)
class Asking:
    """The answers to one question with the same numbers on the same day."""

    day: date
    answers: tuple[Answer, ...]

    @property
    def missed(self) -> bool:
        return self.answers[0].right is False


def standings(given: Iterable[Answer]) -> list[Standing]:
    """Return how each answered question stands; skipped questions and answers without a readable day are left out."""
    by_key: dict[str, list[Answer]] = {}
    for answer in given:
        if answer.outcome != "skipped" and _day(answer):
            by_key.setdefault(answer.key, []).append(answer)
    return [_standing(key, list(_askings(answers))) for key, answers in by_key.items()]


def due(given: Iterable[Answer], today: date) -> list[Standing]:
    """Return what is due: first typical mistakes, then other misses, then what has been due for the longest time."""
    found = [one for one in standings(given) if one.day and one.day <= today]
    return sorted(found, key=lambda one: (not one.missed, not one.slip, one.day))


def _askings(answers: list[Answer]) -> Iterator[Asking]:
    for (day, _), together in groupby(answers, key=lambda answer: (_day(answer), answer.variant)):
        yield Asking(day, tuple(together))


def _standing(key: str, askings: list[Asking]) -> Standing:
    """Step up when it was right on its day, start anew after a miss, ignore right answers before their day."""
    step, day = 0, None
    for number, asking in enumerate(askings):
        if asking.missed:
            step, day = 0, asking.day
        elif not number or (day and asking.day >= day):
            step += 1
            day = asking.day + timedelta(WAITS[step - 1]) if step <= len(WAITS) else None
    last = askings[-1]
    slip = last.missed and any(answer.mistake for answer in last.answers)
    return Standing(key, day, last.missed, slip, 1 + min(max(last.answers[0].variant or 0, 0), MOST_VARIANTS))


def _day(answer: Answer) -> date | None:
    """Return the day of an answer, in its own time zone."""
    try:
        day = date.fromisoformat(answer.date[:10])
    except ValueError:
        return None
    return day if day.year < 9000 else None  # days are added to it

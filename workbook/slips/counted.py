"""Counts of a class: of every question how many tried it, had it right at once, and made which recognised mistake."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from workbook.questions.exercises import Exercise
from workbook.questions.predictions import Prediction
from workbook.questions.progress import LONGEST, Answer
from workbook.questions.question import LEVELS
from workbook.slips.handed_in import Learner

__all__ = ["Counted", "Sure", "counted", "sure"]


@dataclass(frozen=True)
class Sure:
    """Of those who said that they are so sure: how many they are, and how many were right."""

    level: float
    said: int
    right: int


@dataclass(frozen=True)
class Counted:
    """One question. judged: whose first answer is known as right or wrong; slips: hint -> learners, the most first.

    sure: the mean of what the predictors said, and the share of them that was right; None if nobody said it.
    """

    item: Prediction | Exercise
    tried: int
    judged: int
    right: int
    slips: dict[str, int]
    sure: tuple[float, float] | None


def counted(item: Prediction | Exercise, learners: Iterable[Learner]) -> Counted:
    """Of one question. Skipping is not trying; a learner who makes a mistake twice made it."""
    names = _names(item)
    tried, firsts, slips = 0, [], Counter()
    for learner in learners:
        own = learner.by_key.get(item.key, [])
        tried += bool(own) or learner.outcomes.get(item.key, "skipped") != "skipped"
        firsts += own[:1]
        slips.update({names[answer.mistake] for answer in own if _known(answer, names)})
    judged = [answer for answer in firsts if answer.right is not None]
    right = sum(answer.right is True for answer in judged)
    return Counted(item, tried, len(judged), right, dict(slips.most_common()), _meant(firsts))


def sure(learners: Iterable[Learner], keys: set[str]) -> list[Sure]:
    """Confidence against truth, over the first answers to all predictions with these keys."""
    said: dict[float, list[bool]] = {level: [] for level in LEVELS}
    for learner in learners:
        for answer in (own[0] for key, own in learner.by_key.items() if key in keys):
            if _confident(answer):
                said[min(LEVELS, key=lambda level: abs(level - answer.confidence))].append(answer.right)
    return [Sure(level, len(right), sum(right)) for level, right in said.items()]


def _names(item: Prediction | Exercise) -> dict[str, str]:
    """What a file says of a mistake -> the whole hint; files hold the beginning of it."""
    return {mistake.name[:LONGEST]: mistake.name for mistake in getattr(item, "mistakes", ())}


def _known(answer: Answer, names: dict[str, str]) -> bool:
    return isinstance(answer.mistake, str) and answer.mistake in names


def _confident(answer: Answer) -> bool:
    return answer.right is not None and answer.confidence is not None and 0.5 <= answer.confidence <= 1


def _meant(firsts: list[Answer]) -> tuple[float, float] | None:
    said = [answer for answer in firsts if _confident(answer)]
    if not said:
        return None
    return sum(answer.confidence for answer in said) / len(said), sum(answer.right for answer in said) / len(said)

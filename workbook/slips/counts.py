"""Count for every question how many of a class tried it, had it right at once, and made which recognised mistake."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from workbook.questions.exercises import Exercise
from workbook.questions.predictions import Prediction
from workbook.questions.progress import LONGEST, Answer
from workbook.questions.question import LEVELS
from workbook.slips.files import Learner

__all__ = ["ConfidenceCounts", "QuestionCounts", "count_confidence", "count_question"]


@dataclass(frozen=True)
class ConfidenceCounts:
    """How many answers had this confidence, and how many of them were right."""

    level: float
    answers: int
    right: int


@dataclass(frozen=True)
class QuestionCounts:
    """Counts of learners for one question.

    judged: learners whose first answer is known as right or wrong; slips: hint -> learners, the most frequent first;
    confidence: mean confidence of the first answers and the share of them that was right, None if nobody gave one.
    """

    item: Prediction | Exercise
    tried: int
    judged: int
    right: int
    slips: dict[str, int]
    confidence: tuple[float, float] | None


def count_question(item: Prediction | Exercise, learners: Iterable[Learner]) -> QuestionCounts:
    """Count the learners of one question: who skips does not try, and a mistake made twice counts once."""
    hints = {mistake.name[:LONGEST]: mistake.name for mistake in getattr(item, "mistakes", ())}  # in a file -> whole
    tried, firsts, slips = 0, [], Counter()
    for learner in learners:
        own = learner.by_key.get(item.key, [])
        tried += bool(own) or learner.outcomes.get(item.key, "skipped") != "skipped"
        firsts += own[:1]
        slips.update({hints[a.mistake] for a in own if isinstance(a.mistake, str) and a.mistake in hints})
    judged = [answer for answer in firsts if answer.right is not None]
    right = sum(answer.right is True for answer in judged)
    return QuestionCounts(item, tried, len(judged), right, dict(slips.most_common()), _mean_confidence(firsts))


def count_confidence(learners: Iterable[Learner], keys: set[str]) -> list[ConfidenceCounts]:
    """Count right answers by confidence, over the first answers to all predictions with these keys."""
    by_level: dict[float, list[bool]] = {level: [] for level in LEVELS}
    for learner in learners:
        for answer in (own[0] for key, own in learner.by_key.items() if key in keys):
            if _has_confidence(answer):
                by_level[min(LEVELS, key=lambda level: abs(level - answer.confidence))].append(answer.right)
    return [ConfidenceCounts(level, len(right), sum(right)) for level, right in by_level.items()]


def _has_confidence(answer: Answer) -> bool:
    return answer.right is not None and answer.confidence is not None and 0.5 <= answer.confidence <= 1


def _mean_confidence(firsts: list[Answer]) -> tuple[float, float] | None:
    """Return mean confidence and share of right answers, over the answers with a confidence."""
    found = [answer for answer in firsts if _has_confidence(answer)]
    if not found:
        return None
    return sum(answer.confidence for answer in found) / len(found), sum(answer.right for answer in found) / len(found)

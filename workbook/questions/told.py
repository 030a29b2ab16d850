"""A question's numbers and hints as data, for those who ask it where no Python runs: the site, a learning platform."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from workbook.questions.exercises import Exercise
from workbook.questions.predictions import Prediction

__all__ = ["number", "remembered", "slips"]


def number(item: Exercise, answer: Callable) -> float:
    """The number that an answer of ours stands for; not for a task in code."""
    value, _ = item.value_of(answer)
    return float(value)


def slips(item: Exercise) -> list[tuple[float, str]]:
    """Every recognised mistake of a task with a number: what it gives, and the hint."""
    return [(number(item, mistake.answer), mistake.hint) for mistake in item.mistakes]


def remembered(item: Prediction) -> Prediction:
    """The same prediction, whose truth is computed once."""
    return replace(item, truth=cache(item.truth))

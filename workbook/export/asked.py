"""The questions without code as data: what is asked, what is right, and what is said to whom.

A prediction is asked before its picture can spoil it, so the picture belongs to what is said afterwards; an exercise
has the picture that stands above it on the page. What is right is the book's own rule, as numbers with a tolerance.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from workbook.book import find
from workbook.export.pages import Page, Picture, page_of
from workbook.learning import contents
from workbook.ledger import VERDICTS
from workbook.ledger.table import say_ours, say_stated
from workbook.questions.compare import alike, allowed
from workbook.questions.exercises import NEARLY, Exercise
from workbook.questions.predictions import Prediction, cache_truth

__all__ = ["DRAWN", "IN_CODE", "Near", "Option", "Question", "background", "questions"]

DRAWN, IN_CODE = "drawn", "in code"  # why a question stays at home
HOW = "Type a decimal number, such as 0.0123."
PRECISELY = "Type a decimal number with three significant digits, such as 0.0123."
DIGITS = re.compile(r"\s*Give (a fraction or )?three significant digits\.")
CLAIM = re.compile(r"\b[A-Z]\d\d-\w+-\d+\b")  # the id of one, in a question of chapter 11


@dataclass(frozen=True)
class Option:
    """One answer to choose."""

    text: str
    right: bool


@dataclass(frozen=True)
class Near:
    """The numbers from value - within to value + within, and what is said to them."""

    value: float
    within: float
    said: str
    right: bool = False


@dataclass(frozen=True)
class Question:
    """One question. options to choose from, or numbers to type: the first that fits is taken, otherwise the last word.

    text: its paragraphs. afterwards: what everyone is told. solution: one way to compute it, in Python.
    """

    key: str
    page: Page
    section: str
    text: tuple[str, ...]
    options: tuple[Option, ...] = ()
    numbers: tuple[Near, ...] = ()
    otherwise: str = ""
    afterwards: str = ""
    solution: str = ""
    picture: Picture | None = None
    picture_afterwards: Picture | None = None

    @property
    def kind(self) -> str:
        return "exercise" if self.solution else "prediction"

    @property
    def tags(self) -> tuple[str, ...]:
        return "naive Bayes workbook", f"chapter {self.page.number}", self.kind


def questions(chapter: str) -> tuple[list[Question], dict[str, int]]:
    """The questions of a chapter ("02"), in its order; and how many stay at home, by the reason."""
    found, left = [], {DRAWN: 0, IN_CODE: 0}
    page = page_of(chapter)
    for item in contents(chapter).values():
        if isinstance(item, Exercise):
            if item.evaluate:
                left[IN_CODE] += 1
            else:
                found.append(_exercise(item, page))
        elif item.drawn:
            left[DRAWN] += 1  # the book says how far off a drawing is; it calls none right or wrong
        else:
            found.append(_prediction(cache_truth(item), page))
    return found, left


def _prediction(item: Prediction, page: Page) -> Question:
    place = page.places[item.key]
    asked = dict(afterwards=item.explain_truth(item.truth()), picture_afterwards=place.below)
    if item.options:
        right = item.right_option()
        options = tuple(Option(option, option == right) for option in item.options)
        return Question(item.key, page, place.section, (*background(item), item.question), options, **asked)
    truth = float(item.truth())
    numbers = (Near(truth, item.within * abs(truth), "Close enough.", right=True),)
    text = *background(item), item.question, HOW
    return Question(item.key, page, place.section, text, (), numbers, "Not quite.", **asked)


def _exercise(item: Exercise, page: Page) -> Question:
    place, numbers = page.places[item.key], []
    for rule in item.rules():
        value, is_right = item.number(rule.answer), rule.outcome == "solved"
        is_taken = any(abs(value - near.value) <= near.within for near in numbers)  # an earlier rule answers to it
        if rule.match == "same" and not is_taken:
            numbers += [Near(value, _allowed(item, value), rule.words, right=is_right)]
        elif rule.match == "alike" and value:
            numbers += _nearly(value, numbers)
    text = (*background(item), DIGITS.sub("", item.task), PRECISELY)
    asked = dict(solution=item.solution, picture=place.above)
    return Question(item.key, page, place.section, text, (), tuple(numbers), item.otherwise, **asked)


def _allowed(item: Exercise, value: float) -> float:
    return float(allowed(np.array(value), item.tolerance))


def _nearly(expected: float, before: Sequence[Near]) -> list[Near]:
    """Return the bands of numbers that are right to two digits, without those of the answers before them.

    The middle of a band is so never an answer that is judged otherwise.
    """

    def close(number: float) -> bool:
        return alike(number, expected)

    far = 1.0 if 0 < expected < 1 else 2 * expected  # a probability is compared up to 1
    free = [tuple(sorted((_last(close, expected, 0.0), _last(close, expected, far))))]
    for near in before:
        ends = near.value - near.within, near.value + near.within
        free = [part for low, high in free for part in ((low, min(high, ends[0])), (max(low, ends[1]), high))]
    words = NEARLY.replace(", or a fraction", "")
    narrow = 1e-6 * abs(expected)  # such a gap between two bands is due to rounding
    return [Near((low + high) / 2, (high - low) / 2, words) for low, high in free if high - low > narrow]


def _last(holds: Callable[[float], bool], inside: float, outside: float) -> float:
    """The last number on the way from inside to outside for which it holds."""
    for _ in range(60):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if holds(middle) else (inside, middle)
    return inside


def background(item: Prediction | Exercise) -> tuple[str, ...]:
    """What the page says above a question: its context; for a verdict the claims, and the rules to choose from."""
    claims = [find(name) for name in CLAIM.findall(item.question)] if isinstance(item, Prediction) else []
    if not claims:
        return (item.context,) if item.context else ()
    told = [
        f"{claim.id}, {claim.source}, {claim.place}: {claim.words} {claim.statement} "
        f"Stated: {say_stated(claim)}. Ours: {say_ours(claim)}. Reading: {claim.reading}."
        for claim in claims
    ]
    return (*told, *(f"{option}: {VERDICTS[option]}" for option in item.options))

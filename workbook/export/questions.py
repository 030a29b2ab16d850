"""The questions that need no code, as data for other programs: task, right answer, feedback to each answer.

The picture of a prediction would answer it, so it belongs to the feedback; an exercise has the picture above it on its
page. Right and wrong follow the book's own rule, as numbers with a tolerance.
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
from workbook.questions.exercises import IN_PERCENT, NEARLY, Exercise
from workbook.questions.predictions import Prediction, cache_truth

__all__ = ["DRAWN", "IN_CODE", "NumberBand", "Option", "Question", "background", "chapter_questions"]

DRAWN, IN_CODE = "drawn", "in code"  # reasons why a question is left out
HOW = "Type a decimal number with a point, such as 0.0123, not 1/4, 0,25 or 25 %."
PRECISELY = HOW.replace("a point", "three significant digits and a point")
WORDS = {NEARLY: NEARLY.replace(", or a fraction", ""),  # what the book says, which takes these -> what is said instead
         IN_PERCENT: IN_PERCENT.replace("with the sign, as 25 %, or ", "")}  # fmt: skip
DIGITS = re.compile(r"\s*Give (a fraction or )?three significant digits\.")
CLAIM = re.compile(r"\b[A-Z]\d\d-\w+-\d+\b")  # the id of a claim, in a question of chapter 11


@dataclass(frozen=True)
class Option:
    """One answer to choose."""

    text: str
    right: bool


@dataclass(frozen=True)
class NumberBand:
    """The numbers from value - within to value + within, and the feedback to them."""

    value: float
    within: float
    feedback: str
    right: bool = False


@dataclass(frozen=True)
class Question:
    """A question with options, or with bands of numbers of which the first that fits is taken.

    text: its paragraphs; otherwise: feedback to any other number; afterwards: feedback to everybody; solution: one way
    to compute the answer, in Python.
    """

    key: str
    page: Page
    section: str
    text: tuple[str, ...]
    options: tuple[Option, ...] = ()
    numbers: tuple[NumberBand, ...] = ()
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


def chapter_questions(chapter: str) -> tuple[list[Question], dict[str, int]]:
    """Return the questions of a chapter ("02"), in its order, and how many are left out for which reason."""
    found, left = [], {DRAWN: 0, IN_CODE: 0}
    page = page_of(chapter)
    for item in contents(chapter).values():
        if getattr(item, "evaluate", None):
            left[IN_CODE] += 1
        elif getattr(item, "drawn", None):
            left[DRAWN] += 1  # the book says how far off a drawing is; it calls none right or wrong
        elif isinstance(item, Exercise):
            found.append(_exercise(item, page))
        else:
            found.append(_prediction(cache_truth(item), page))
    return found, left


def _prediction(item: Prediction, page: Page) -> Question:
    place = page.places[item.key]
    feedback = dict(afterwards=item.explain_truth(item.truth()), picture_afterwards=place.below)
    if item.options:
        right = item.right_option()
        options = tuple(Option(option, option == right) for option in item.options)
        return Question(item.key, page, place.section, (*background(item), item.question), options, **feedback)
    truth = float(item.truth())
    numbers = (NumberBand(truth, item.within * abs(truth), "Close enough.", right=True),)
    text = *background(item), item.question, HOW
    return Question(item.key, page, place.section, text, (), numbers, "Not quite.", **feedback)


def _exercise(item: Exercise, page: Page) -> Question:
    place, numbers = page.places[item.key], []
    for rule in item.rules():
        value, is_right = item.number(rule.answer), rule.outcome == "solved"
        is_taken = any(abs(value - band.value) <= band.within for band in numbers)  # an earlier rule answers to it
        if rule.match == "same" and not is_taken:
            within = float(allowed(np.array(value), item.tolerance))
            numbers += [NumberBand(value, within, WORDS.get(rule.words, rule.words), is_right)]
        elif rule.match == "alike" and value:
            numbers += _nearly_bands(value, numbers)
    text = (*background(item), DIGITS.sub("", item.task), PRECISELY)
    asked = dict(solution=item.solution, picture=place.above)
    return Question(item.key, page, place.section, text, (), tuple(numbers), item.otherwise, **asked)


def _nearly_bands(expected: float, before: Sequence[NumberBand]) -> list[NumberBand]:
    """Return the bands of numbers that are right to two digits, without the bands of the answers before them.

    So the middle of a band always gets the feedback of this band.
    """

    def is_close(number: float) -> bool:
        return alike(number, expected)

    far = 1.0 if 0 < expected < 1 else 2 * expected  # a probability is compared up to 1
    free = [tuple(sorted((_find_edge(is_close, expected, 0.0), _find_edge(is_close, expected, far))))]
    for band in before:
        ends = band.value - band.within, band.value + band.within
        free = [part for low, high in free for part in ((low, min(high, ends[0])), (max(low, ends[1]), high))]
    narrow = 1e-6 * abs(expected)  # such a gap between two bands is due to rounding
    words = WORDS[NEARLY]
    return [NumberBand((low + high) / 2, (high - low) / 2, words) for low, high in free if high - low > narrow]


def _find_edge(holds: Callable[[float], bool], inside: float, outside: float) -> float:
    """Return the last number on the way from inside to outside for which `holds` is true, by bisection."""
    for _ in range(60):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if holds(middle) else (inside, middle)
    return inside


def background(item: Prediction | Exercise) -> tuple[str, ...]:
    """Return the paragraphs that a question needs of its page: its context; of a verdict the claims and the rules."""
    claims = [find(name) for name in CLAIM.findall(item.question)] if isinstance(item, Prediction) else []
    if not claims:
        return (item.context,) if item.context else ()
    texts = [
        f"{claim.id}, {claim.source}, {claim.place}: {claim.words} {claim.statement} "
        f"Stated: {say_stated(claim)}. Ours: {say_ours(claim)}. Reading: {claim.reading}."
        for claim in claims
    ]
    return (*texts, *(f"{option}: {VERDICTS[option]}" for option in item.options))

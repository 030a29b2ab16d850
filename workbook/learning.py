"""Predictions, exercises and progress, as notebooks import them.

>>> predict("02/overcast")            # asks; reveals the computed value and why
>>> exercise("02/unseen-word")        # the task, a field for the answer, the solution one click away
>>> check("02/unseen-word", answer)   # the same check from code: right, or a hint that fits the mistake
>>> review()                          # what you answered some days ago, with other numbers
"""

from __future__ import annotations

from datetime import date
from itertools import islice

from workbook.chapters import chapter_module, chapter_packages
from workbook.questions.exercises import Exercise, Feedback, Solution
from workbook.questions.predictions import Prediction
from workbook.questions.progress import Progress, answers, summary
from workbook.questions.review import Review, opening
from workbook.questions.schedule import AT_A_TIME, due, standings
from workbook.questions.variants import variants as draw_variants

__all__ = ["check", "contents", "exercise", "pages", "predict", "progress", "review", "solution", "variants"]


def contents(chapter: str) -> dict[str, Prediction | Exercise]:
    """Return key -> prediction or exercise of one chapter ("02"), in the order of the page."""
    questions = chapter_module(chapter, "questions")
    return {item.key: item for item in questions.CONTENTS} if questions else {}


def pages(chapter: str) -> dict[str, dict[str, Prediction | Exercise]]:
    """Return page -> its questions: of the chapter, and of its deeper page, which begins with the question DEEPER."""
    items = [*contents(chapter).items()]
    first = getattr(chapter_module(chapter, "questions"), "DEEPER", None)
    at = next((place for place, (key, _) in enumerate(items) if key == first), len(items))
    return {chapter: dict(items[:at])} | ({f"{chapter}b": dict(items[at:])} if first else {})


def _find(key: str, kind: type):
    """Return the prediction or exercise with this key; ValueError lists the keys there are."""
    chapter = str(key).partition("/")[0]
    known = contents(chapter) if chapter in chapter_packages() else {}
    there = _keys(known, kind)
    if str(key) not in there:
        named = ", ".join(there or [f"{number}/…" for number in chapter_packages()])
        raise ValueError(f"key = {key!r} is not a known {kind.__name__.lower()}; there are {named}.")
    return known[str(key)]


def _keys(known: dict, kind: type) -> list[str]:
    return [key for key, item in known.items() if isinstance(item, kind)]


def predict(key: str) -> Prediction:
    """Return the prediction with this key, e.g. `predict("02/overcast")`: show it as the last line of a cell."""
    return _find(key, Prediction)


def exercise(key: str) -> Exercise:
    """Return the exercise with this key, e.g. `exercise("02/unseen-word")`: show it as the last line of a cell."""
    return _find(key, Exercise)


def check(key: str, answer) -> Feedback:
    """Check an answer; if it is wrong, return the hint that fits the mistake."""
    return exercise(key).check(answer)


def solution(key: str) -> Solution:
    """Return the solution of an exercise, as code that you can copy into a cell."""
    return Solution(exercise(key).worked())


def progress(page: str | None = None) -> Progress:
    """Show how far you are, on one page ("02", "03b") or on all; on Binder also how not to lose it."""
    chapters = {page.removesuffix("b")} & set(chapter_packages()) if page else chapter_packages()
    known = {name: items for chapter in chapters for name, items in pages(chapter).items() if page in (None, name)}
    if not known:
        raise ValueError(f"page = {page!r} is not one of {', '.join(chapter_packages())}, nor a deeper page.")
    return summary({name: (_keys(items, Prediction), _keys(items, Exercise)) for name, items in known.items()})


def variants(item: Prediction | Exercise, most: int) -> list[Exercise]:
    """Return up to `most` variants of an exercise, with other numbers; [] for a prediction or without parameters."""
    return list(islice(draw_variants(item), most)) if isinstance(item, Exercise) else []


def review(today: date | None = None) -> Review:
    """Ask up to five questions that are due, missed ones first: show it as the last line of a cell."""
    today, given = today or date.today(), [answer for answer in answers() if _is_known(answer.key)]
    waiting = due(given, today)
    items = tuple(_variant_of(one.key, one.variant) for one in waiting[:AT_A_TIME])
    return Review(opening(waiting, standings(given), today), items)


def _is_known(key: str) -> bool:
    """Return whether this edition has the question: a progress file may hold any text as key."""
    chapter = key.partition("/")[0]
    return chapter in chapter_packages() and key in contents(chapter)


def _variant_of(key: str, variant: int) -> Prediction | Exercise:
    """Return the question with the numbers of a variant; the question itself where it has no variants."""
    item = contents(key.partition("/")[0])[key]
    found = variants(item, variant)
    return found[(variant - 1) % len(found)] if found else item

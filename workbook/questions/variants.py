"""Exercises whose numbers are parameters: the page has the first ones, `review()` and the site draw others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from random import Random

import numpy as np

from workbook.explorer.formatting import typeset
from workbook.questions.compare import same
from workbook.questions.exercises import Exercise, Parameters

__all__ = ["in_code", "in_words", "parameters", "percent", "plain", "share", "variants"]

COUNTS = dict(enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())) | {20: "twenty"}


def parameters(**choices: tuple) -> Callable[[Callable[..., Exercise | None]], Exercise]:
    """Decorate a function of numbers that returns an exercise: its name then stands for the page's exercise.

    >>> @parameters(N=(50, 20, 80), K=(400, 250))
    ... def shrinkage(N, K):
    ...     return Exercise("02/shrinkage", task=f"A class has N = {N} tokens ...", expected=N / (N + K), ...)
    """

    def decorate(make: Callable[..., Exercise | None]) -> Exercise:
        page = make(**{name: values[0] for name, values in choices.items()})
        return replace(page, parameters=Parameters(make, choices))

    return decorate


def variants(page: Exercise) -> Iterator[Exercise]:
    """Yield the exercise with other numbers, in an order of its own; without parameters nothing.

    Numbers that let the answer meet a mistake are left out.
    """
    distinct = (variant for variant in _draws(page) if is_distinct(variant))
    return (replace(variant, variant=count) for count, variant in enumerate(distinct, 1))


def _draws(page: Exercise) -> Iterator[Exercise]:
    """Yield the exercise with all numbers that can be drawn but the page's, shuffled by its key."""
    if not page.parameters:
        return
    make, choices = page.parameters.make, page.parameters.choices
    draws = list(product(*choices.values()))[1:]
    Random(page.key).shuffle(draws)
    for values in draws:
        drawn = make(**dict(zip(choices, values, strict=True)))
        if drawn:
            yield _as_variant(page, drawn)


def _as_variant(page: Exercise, drawn: Exercise) -> Exercise:
    """Give a drawn exercise the texts of a variant; a mistake keeps the name that it has on the page."""
    mistakes = tuple(
        replace(mistake, hint=mistake.variant_hint or mistake.hint, kept=known.name)
        for known, mistake in zip(page.mistakes, drawn.mistakes, strict=True)
        if not mistake.page_only
    )
    return replace(drawn, **drawn.variant_texts, mistakes=mistakes)


def is_distinct(item: Exercise) -> bool:
    """Return whether the right answer and the typical mistakes can be told apart, whichever of two is typed."""
    values = [np.array(float(answer())) for answer in (item.expected, *(mistake.answer for mistake in item.mistakes))]
    pairs = (pair for a, b in combinations(values, 2) for pair in ((a, b), (b, a)))
    return bool(np.isfinite(values).all()) and not any(same(a, b, item.tolerance) for a, b in pairs)


# --- what definitions need ----------------------------------------------------------------------------------------


def share(odds):
    """Return the probability that belongs to odds."""
    return odds / (1 + odds)


def percent(p: float) -> str:
    """Write 0.096 as 9.6 %."""
    return f"{100 * p:.6g} %"


def plain(x: float) -> str:
    """Write a number for a sentence, with all its digits: −1.604."""
    return typeset(f"{x:.6g}")


def in_words(count: int) -> str:
    """Write a count of up to twelve as a word, a larger one in digits."""
    return COUNTS.get(count, str(count))


def in_code(fraction: Fraction) -> str:
    """Write a fraction as Python code: 3 / 4."""
    return str(fraction).replace("/", " / ")

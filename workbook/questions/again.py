"""A task asked again with other numbers: text, answer and typical mistakes are functions of what is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations, product
from random import Random

import numpy as np

from workbook.explorer.formatting import typeset
from workbook.questions.exercises import Exercise, Mistake

__all__ = ["Again", "Generator", "Generators", "percent", "plain", "share"]


@dataclass(frozen=True)
class Again:
    """A task with the numbers that were drawn.

    slips: what each typical mistake of the exercise gives, in its order; None: with other numbers nobody makes it.
    well_done, help, hints (by their place): those that name numbers; the others are the book's.
    """

    task: str
    expected: float
    slips: tuple
    solution: str
    well_done: str = ""
    help: str = ""
    hints: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Generator:
    """make: the drawn numbers, by name -> Again, None if they cannot be together.

    numbers: name -> what can be drawn, the book's own first.
    """

    make: Callable[..., Again | None]
    numbers: dict[str, tuple]

    @property
    def book(self) -> dict:
        """The numbers of the book."""
        return {name: choices[0] for name, choices in self.numbers.items()}

    def draws(self, key: str) -> Iterator[Again]:
        """The task with all numbers that can be drawn, in an order of its own for every key, without the book's."""
        every = list(product(*self.numbers.values()))[1:]
        Random(key).shuffle(every)
        made = (self.make(**dict(zip(self.numbers, values, strict=True))) for values in every)
        return (one for one in made if one)

    def variants(self, item: Exercise) -> Iterator[Exercise]:
        """The exercise with other numbers, again and again; numbers that let two answers meet are not asked."""
        asked = (with_numbers(item, made) for made in self.draws(item.key))
        fit = (found for found in asked if apart(found))
        return (replace(found, variant=count) for count, found in enumerate(fit, 1))


class Generators(dict[str, Generator]):
    """Key of an exercise -> its generator: `@AGAIN("02/shrinkage", N=(50, 20, 80), ...)` above a function of N, ..."""

    def __call__(self, key: str, **numbers: tuple) -> Callable:
        def keep(make: Callable[..., Again]) -> Callable[..., Again]:
            self[key] = Generator(make, numbers)
            return make

        return keep


def with_numbers(item: Exercise, made: Again) -> Exercise:
    """The exercise as it was made. A mistake keeps the name that it has in the book."""
    mistakes = [
        Mistake(partial(float, slip), made.hints.get(place, mistake.hint), kept=mistake.hint)
        for place, (mistake, slip) in enumerate(zip(item.mistakes, made.slips, strict=True))
        if slip is not None
    ]
    return replace(
        item,
        task=made.task,
        expected=partial(float, made.expected),
        mistakes=tuple(mistakes),
        solution=made.solution,
        well_done=made.well_done or item.well_done,
        help=made.help or item.help,
        context="",  # it has the book's numbers
    )


def apart(item: Exercise) -> bool:
    """Whether the right answer and the typical mistakes can be told apart, whichever of two is typed."""
    values = [np.array(float(answer())) for answer in (item.expected, *(mistake.answer for mistake in item.mistakes))]
    pairs = (pair for a, b in combinations(values, 2) for pair in ((a, b), (b, a)))
    return bool(np.isfinite(values).all()) and not any(item.same(a, b) for a, b in pairs)


# --- what generators need -----------------------------------------------------------------------------------------


def share(odds):
    """The probability that belongs to odds."""
    return odds / (1 + odds)


def percent(p: float) -> str:
    """0.096 as 9.6 %."""
    return f"{100 * p:.6g} %"


def plain(x: float) -> str:
    """A number in a sentence, all its digits: −1.604."""
    return typeset(f"{x:.6g}")

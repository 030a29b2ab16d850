"""Exercises that know the typical mistakes: an answer is right, or gets the hint that fits it."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field

import ipywidgets as widgets
import numpy as np

from workbook.page.asked import Asked, buttons, listing, number_field, paragraph
from workbook.page.numbers import read_number
from workbook.page.progress import record

__all__ = ["Exercise", "Feedback", "Mistake", "Solution", "unanswered"]


@dataclass(frozen=True)
class Mistake:
    """A typical wrong answer: `answer()` computes what it gives, `hint` says what to look at, never the answer."""

    answer: Callable[[], object]
    hint: str


@dataclass(frozen=True)
class Feedback:
    """What `check` says of an answer."""

    correct: bool
    message: str

    def __repr__(self):
        return textwrap.fill(self.message, 110)


@dataclass(frozen=True)
class Exercise(Asked):
    """A task with a check.

    expected: computes the right answer. mistakes: at least three. well_done: what to remember, said when solved.
    solution: Python code that leaves the right answer in `answer`. For a coding task, evaluate runs the learner's
    function on cases and returns the numbers to compare; expected and the mistakes are then functions of that kind.
    """

    key: str
    task: str
    expected: Callable[[], object]
    mistakes: tuple[Mistake, ...]
    well_done: str
    solution: str
    evaluate: Callable | None = None
    tolerance: float = 5e-3  # relative: three digits are enough
    help: str = field(
        default="Not one of the usual slips. Write the formula down with every count in it, then compare."
    )

    def check(self, answer) -> Feedback:
        """Right, a hint that fits, or general help. Errors in a learner's function become sentences."""
        if unanswered(answer):
            return Feedback(False, "No answer yet. Put yours in place of the three dots, and run the cell again.")
        try:
            value = self.value(answer)
        except Exception as problem:  # the learner's own code may raise anything
            reason = problem if self.evaluate is None else f"Your code raised {type(problem).__name__}: {problem}"
            return Feedback(False, str(reason))
        if value is None:
            return Feedback(False, "No answer yet: your function returns nothing. Put your line in place of the dots.")
        if self.same(value, self.value_of(self.expected)):
            record(self.key, "solved")
            return Feedback(True, f"Right. {self.well_done}")
        record(self.key, "tried")
        for mistake in self.mistakes:
            if self.same(value, self.value_of(mistake.answer)):
                return Feedback(False, f"Not yet. {mistake.hint}")
        if self.evaluate is None and self.same(value, self.value_of(self.expected), 6 * self.tolerance):
            return Feedback(False, "Nearly. Give a fraction, or three decimals.")
        return Feedback(False, f"Not yet. {self.help}")

    def value(self, answer) -> np.ndarray | None:
        """The number(s) that an answer stands for; None if a function returns nothing yet."""
        if self.evaluate is None:
            return np.array(read_number(answer))
        results = self.evaluate(answer)
        return None if any(map(unanswered, results)) else np.asarray(results, dtype=float)

    def value_of(self, answer: Callable) -> np.ndarray:
        """The number(s) of an answer of ours: computed by it, or, for a coding task, by running it."""
        return self.value(answer if self.evaluate else answer())

    def same(self, a, b, tolerance: float | None = None) -> bool:
        """Equal to within the relative tolerance."""
        return a.shape == b.shape and np.allclose(a, b, rtol=tolerance or self.tolerance, atol=0)

    def solve(self):
        """Run the solution and return its answer."""
        names: dict = {}
        exec(self.solution, names)  # our own code, not the learner's
        return names["answer"]

    def plain(self) -> str:
        """The task as text."""
        how = f'Check it with check("{self.key}", ...); solution("{self.key}") shows one.'
        return "\n".join([f"Exercise {self.key}", *textwrap.wrap(self.task, 100), how])

    def rows(self, reply):
        """The widgets of one showing."""
        shown = widgets.HTML()

        def show():
            shown.value = listing(self.solution)

        rows = [paragraph(f"Exercise {self.key}. {self.task}")]
        if self.evaluate:
            return [*rows, buttons(Show_solution=show), reply, shown]
        answer = number_field("Answer")

        def judge(_=None):
            typed = answer.value
            reply.say("Type your answer first." if unanswered(typed) else self.check(typed).message)

        answer.observe(judge, "value")
        return [*rows, answer, buttons(Check=judge, Show_solution=show), reply, shown]


def unanswered(value) -> bool:
    """Nothing, an empty field, or the three dots of the page."""
    return value is None or value is ... or (isinstance(value, str) and not value.strip())


@dataclass(frozen=True)
class Solution:
    """The code of a solution."""

    code: str

    def __repr__(self):
        return self.code

"""Exercises that know the typical mistakes: an answer is right, or gets the hint that fits it."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field

import ipywidgets as widgets
import numpy as np

from workbook.explorer.formatting import how_many
from workbook.questions.asked import Asked, buttons, context_rows, listing, number_field, paragraph
from workbook.questions.compare import alike, same
from workbook.questions.progress import record
from workbook.questions.trial import SECONDS, AnswerError, Trial, unanswered
from workbook.questions.typed import read_number

__all__ = ["Exercise", "Feedback", "Mistake", "Solution"]


@dataclass(frozen=True)
class Mistake:
    """A typical wrong answer: `answer()` computes what it gives, `hint` says what to look at, never the answer.

    kept: the name in the learner's file, if it is not the hint: with other numbers a mistake is still the same one.
    """

    answer: Callable[[], object]
    hint: str
    kept: str = ""

    @property
    def name(self) -> str:
        return self.kept or self.hint


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
    variant: which of its generator's numbers it has, None for the book's own. context: as of a prediction.
    """

    key: str
    task: str
    expected: Callable[[], object]
    mistakes: tuple[Mistake, ...]
    well_done: str
    solution: str
    evaluate: Callable | None = None
    returns: str = ""  # of a coding task: what the function shall return, after "It should return"
    tolerance: float = 5e-3  # relative: three significant digits are enough
    nearly: bool = True  # False where another answer that could be meant is as close as two digits
    help: str = field(
        default="Not one of the usual slips. Write the formula down with the numbers of the task, then compare."
    )
    variant: int | None = None
    context: str = ""

    @np.errstate(under="ignore")  # as numpy does, whatever a reader asked of it
    def check(self, answer) -> Feedback:
        """Right, a hint that fits, or general help. Errors in a learner's function become sentences."""
        if unanswered(answer):
            return Feedback(False, "No answer yet. Put yours in place of the three dots, and run the cell again.")
        try:
            value, trial = self.value(answer)
        except AnswerError as problem:
            return Feedback(False, str(problem))
        expected, ours = self.value_of(self.expected)
        told = None if self.evaluate else answer
        if self.same(value, expected):
            record(self.key, "solved", answer=told, variant=self.variant)
            return Feedback(True, f"Right. {self.well_done}{in_place(trial)}")
        slip = self._slip(value)
        record(self.key, "tried", answer=told, mistake=slip and slip.name, variant=self.variant)
        hint = slip.hint if slip else (trial and self._form(value, expected, trial.shapes, ours.shapes))
        if not hint and self.evaluate is None and self.nearly and alike(float(value), float(expected)):
            return Feedback(False, NEARLY)
        return Feedback(False, f"Not yet. {hint or self.help}")

    def _slip(self, value) -> Mistake | None:
        """The mistake that gives the same."""
        return next((m for m in self.mistakes if self.same(value, self.value_of(m.answer)[0])), None)

    def _form(self, value, expected, shapes, wanted) -> str:
        """What is wrong with a function's results before their numbers are looked at."""
        for found, asked in zip(shapes, wanted, strict=False):
            if found != asked:
                return f"Your function returns {form(found)}; it should return {self.returns or form(asked)}."
        odd = value[~np.isfinite(value)]
        if odd.size and np.isfinite(expected).all():
            return f"Your function returns {odd[0]} in one of the cases. {ODD[str(abs(odd[0]))]} {self.help}"
        return ""

    def same(self, a: np.ndarray | None, b: np.ndarray) -> bool:
        """Whether two answers count as the same; None is none."""
        return a is not None and same(a, b, self.tolerance)

    def value(self, answer, seconds: float = SECONDS) -> tuple[np.ndarray | None, Trial | None]:
        """The number(s) that an answer stands for, None if they cannot be compared; and how its function behaved."""
        if self.evaluate is None:
            try:
                return np.array(read_number(answer)), None
            except ValueError as problem:
                raise AnswerError(str(problem)) from None
        trial = Trial(answer, seconds)
        try:
            return np.asarray(self.evaluate(trial), dtype=float), trial
        except AnswerError:
            raise
        except Exception:  # what a learner's function returns may raise anything
            wanted = self.value_of(self.expected)[1].shapes if answer is not self.expected else trial.shapes
            if trial.shapes == wanted[: len(trial.shapes)]:
                raise  # the mistake is ours
            return None, trial

    def value_of(self, answer: Callable) -> tuple[np.ndarray, Trial | None]:
        """The same of an answer of ours: computed by it, or, for a coding task, by running it."""
        return self.value(answer, np.inf) if self.evaluate else self.value(answer())

    def solve(self):
        """Run the solution and return its answer."""
        names: dict = {}
        exec(self.solution, names)  # our own code, not the learner's
        return names["answer"]

    def plain(self) -> str:
        """The task as text."""
        how = f'Check it with check("{self.key}", ...); solution("{self.key}") shows one.'  # of the book's numbers
        return "\n".join([f"Exercise {self.key}", *textwrap.wrap(self.task, 100), *[how] * (self.variant is None)])

    def rows(self, reply):
        """The widgets of one showing."""
        shown = widgets.HTML()

        def show():
            shown.value = listing(self.solution)

        rows = [*context_rows(self.context), paragraph(f"Exercise {self.key}. {self.task}")]
        if self.evaluate:
            return [*rows, buttons(Show_solution=show), reply, shown]
        answer = number_field("Answer")

        def judge(_=None):
            typed = answer.value
            reply.say("Type your answer first." if unanswered(typed) else self.check(typed).message)

        answer.observe(judge, "value")
        return [*rows, answer, buttons(Check=judge, Show_solution=show), reply, shown]


FRACTION = "Give a fraction or three significant digits."
NEARLY = "Nearly. Round nothing on the way, and give three significant digits, such as 0.0123, or a fraction."
ODD = {"nan": "It comes from 0/0, from inf − inf, or from the log of a negative number.",
       "inf": "It comes from a division by 0, from log(0), or from a number too large for the machine."}  # fmt: skip


def form(shape: tuple | None) -> str:
    """What a result of this shape is, in words."""
    if shape is None:
        return "something that is not a number"
    return f"an array of shape {shape}" if len(shape) > 1 else how_many(shape[0], "number") if shape else "one number"


def in_place(trial: Trial | None) -> str:
    """A word to those whose function spoils the arrays of its caller."""
    names = ", ".join(trial.changed) if trial else ""
    return f" One thing: your function changes {names} in place. Whoever calls it loses the numbers." if names else ""


class Solution(str):
    """The code of a solution, shown as it is."""

    __repr__ = str.__str__

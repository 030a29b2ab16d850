"""Exercises that know the typical mistakes: an answer is right, or gets the hint that fits it, by a list of rules."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from workbook.explorer.formatting import how_many, say
from workbook.questions.compare import alike, same
from workbook.questions.progress import record
from workbook.questions.question import PageQuestion, QuestionWidget
from workbook.questions.trial import SECONDS, AnswerError, Trial, unanswered
from workbook.questions.typed import read_number

__all__ = ["MATCHES", "Exercise", "Feedback", "Mistake", "Parameters", "Rule", "Solution"]


def deferred(answer) -> Callable:
    """Return an answer that is a number as a function without arguments; a function is returned as it is."""
    return answer if callable(answer) else lambda: answer


@dataclass(frozen=True)
class Mistake:
    """A typical wrong answer. hint: what to look at, never the answer.

    answer: what the mistake gives, a number or a function that computes it; in a coding task the wrong function.
    variant_hint: the hint beside other numbers, where `hint` fits those of the page only.
    page_only: other numbers do not have this mistake.
    kept: its name in the learner's file, if that is not the hint: a variant's mistake has the name of the page's.
    """

    answer: Callable
    hint: str
    variant_hint: str = ""
    page_only: bool = False
    kept: str = ""

    def __post_init__(self):
        object.__setattr__(self, "answer", deferred(self.answer))

    @property
    def name(self) -> str:
        """Return the name in the learner's file."""
        return self.kept or self.hint


@dataclass(frozen=True)
class Rule:
    """Hold the words said to an answer that meets a value. answer: the value, or a function, as of a mistake.

    match: how the two are compared, see MATCHES. mistake: the name of the typical mistake in the learner's file.
    """

    answer: Callable
    match: str
    words: str
    outcome: str = "tried"
    mistake: str | None = None

    def __post_init__(self):
        object.__setattr__(self, "answer", deferred(self.answer))


@dataclass(frozen=True)
class Parameters:
    """The numbers of an exercise, see `variants.py`.

    make: numbers by name -> the exercise, None if they cannot be together. choices: name -> what can be drawn, the
    page's number first.
    """

    make: Callable[..., Exercise | None]
    choices: dict[str, tuple]


@dataclass(frozen=True)
class Feedback:
    """`check` says this of an answer. state: how the page marks it, see question.js; empty if it was not judged."""

    correct: bool
    message: str
    state: str = field(default="", compare=False)

    def __repr__(self):
        return textwrap.fill(self.message, 110)


@dataclass(frozen=True)
class Exercise(PageQuestion):
    """A task with a check.

    expected: the right answer, a number or a function that computes it. mistakes: at least three. well_done: what to
    remember, said when solved. solution: Python code that leaves the right answer in `answer`. For a coding task,
    evaluate runs the learner's function on cases and returns the numbers to compare; expected and the mistakes are then
    functions of that kind. context: as of a prediction. parameters: the numbers that can be drawn, see `variants.py`.
    variant: which draw it is, None with the page's numbers. variant_texts: field -> its text beside other numbers.
    """

    key: str
    task: str
    expected: Callable
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
    variant_texts: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    parameters: Parameters | None = field(default=None, repr=False, compare=False)

    def __post_init__(self):
        object.__setattr__(self, "expected", deferred(self.expected))

    def rules(self) -> list[Rule]:
        """Return what is said to which answer: the first rule that it meets counts, else `otherwise`."""
        expected = self.expected if self.evaluate else self.number(self.expected)  # computed once
        rules = [Rule(expected, "same", f"Right. {self.well_done}", "solved")]
        rules += [Rule(m.answer, "same", f"Not yet. {m.hint}", mistake=m.name) for m in self.mistakes]
        if self.evaluate:
            return rules
        if 0 < expected < 1:
            rules += [Rule(100 * expected, "same", IN_PERCENT), Rule(1 - expected, "same", COMPLEMENT)]
        if expected and not 0.8 < abs(expected) < 1.25:
            rules += [Rule(1 / expected, "same", RECIPROCAL)]
        return [*rules, Rule(expected, "alike", NEARLY)] if self.nearly else rules

    @property
    def otherwise(self) -> str:
        """Return what is said to an answer that meets no rule."""
        return f"Not yet. {self.help}"

    @np.errstate(under="ignore")  # as numpy does, whatever a reader asked of it
    def check(self, answer) -> Feedback:
        """Judge an answer: right, a hint that fits, or general help. A learner's errors become sentences."""
        if unanswered(answer):
            return Feedback(False, "No answer yet. Put yours in place of the three dots, and run the cell again.")
        try:
            value, trial = self.value(answer)
        except AnswerError as problem:
            return Feedback(False, str(problem))
        rule = next((rule for rule in self.rules() if self._meets(value, rule)), None)
        if not rule:
            rule = Rule(self.expected, "none", self._form(value, trial) if trial else self.otherwise)
        record(self.key, rule.outcome, answer=None if trial else answer, mistake=rule.mistake, variant=self.variant)
        is_solved = rule.outcome == "solved"
        state = "right" if is_solved else "slip" if rule.mistake else "tried"
        return Feedback(is_solved, rule.words + in_place(trial) * is_solved, state)

    def _meets(self, value, rule: Rule) -> bool:
        """Tell whether an answer's value meets a rule; None meets none."""
        return value is not None and MATCHES[rule.match](value, self.value_of(rule.answer)[0], self.tolerance)

    def _form(self, value, trial: Trial) -> str:
        """Say what is wrong with a function's results before their numbers are looked at."""
        expected, ours = self.value_of(self.expected)
        for found, asked in zip(trial.shapes, ours.shapes, strict=False):
            if found != asked:
                return f"Not yet. Your function returns {form(found)}; it should return {self.returns or form(asked)}."
        odd = value[~np.isfinite(value)]
        if odd.size and np.isfinite(expected).all():
            what = f"Your function returns {odd[0]} in one of the cases."
            return f"Not yet. {what} {ODD[str(abs(odd[0]))]} {self.help}"
        return self.otherwise

    def number(self, answer: Callable) -> float:
        """Return the number that an answer of ours stands for; not for a task in code."""
        return float(self.value_of(answer)[0])

    def value(self, answer, seconds: float = SECONDS) -> tuple[np.ndarray | None, Trial | None]:
        """Return the number(s) of an answer, None if they cannot be compared, and how its function behaved."""
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
        """Return the number(s) of an answer of ours: computed by it, or, for a coding task, by running it."""
        return self.value(answer, np.inf) if self.evaluate else self.value(answer())

    def solve(self):
        """Run the solution and return its answer."""
        names: dict = {}
        exec(self.solution, names)  # our own code, not the learner's
        return names["answer"]

    def worked(self) -> str:
        """Return the solution's code with the number that it leaves."""
        return self.solution if self.evaluate else f"{self.solution}  # {say(self.number(self.expected))}"

    def to_text(self) -> str:
        """Return the task as text."""
        how = f'Check it with check("{self.key}", ...); solution("{self.key}") shows one.'  # of the book's numbers
        return "\n".join([f"Exercise {self.key}", *textwrap.wrap(self.task, 100), *[how] * (self.variant is None)])

    def page_record(self) -> dict:
        """Return what the page knows of the exercise before it is solved."""
        kind, text = "code" if self.evaluate else "number", f"Exercise {self.key}. {self.task}"
        return dict(key=self.key, kind=kind, text=text, context=self.context)

    def respond(self, act: str, guess: str = "", shown: int = 0, **_) -> dict:
        """Check an answer, or show the next hint or the solution; return what changes on the page: see question.js."""
        if act == "solution":
            return dict(solution=self.worked())
        if act == "hint":
            hints = [self.help, *(mistake.hint for mistake in self.mistakes)]
            return dict(hints=hints[: shown + 1], last=shown + 1 == len(hints))
        said = self.check(guess)
        return dict(words=said.message, state=said.state)

    def rows(self):
        """Return the view of the exercise."""
        return [QuestionWidget(self.page_record(), self.respond)]


FRACTION = "Give a fraction or three significant digits."
NEARLY = "Nearly. Round nothing on the way, and give three significant digits, such as 0.0123, or a fraction."
IN_PERCENT = "Not yet. That is the answer in percent. Type it with the sign, as 25 %, or as a fraction of 1, as 0.25."
COMPLEMENT = "Not yet. That is 1 minus the answer: the probability of the opposite. Look again at what is asked."
RECIPROCAL = "Not yet. That is 1 over the answer: the ratio the other way round. Look again which is over which."
MATCHES = {  # how an answer's value is compared with that of a rule; judge.js has the same
    "same": same,
    "alike": lambda value, own, tolerance: alike(float(value), float(own)),
}
ODD = {"nan": "It comes from 0/0, from inf − inf, or from the log of a negative number.",
       "inf": "It comes from a division by 0, from log(0), or from a number too large for the machine."}  # fmt: skip


def form(shape: tuple | None) -> str:
    """Return the words for a result of this shape."""
    if shape is None:
        return "something that is not a number"
    return f"an array of shape {shape}" if len(shape) > 1 else how_many(shape[0], "number") if shape else "one number"


def in_place(trial: Trial | None) -> str:
    """Return a warning to those whose function changes the arrays of its caller, "" to others."""
    names = ", ".join(trial.changed) if trial else ""
    return f" One thing: your function changes {names} in place. Whoever calls it loses the numbers." if names else ""


class Solution(str):
    """The code of a solution, shown as it is."""

    __repr__ = str.__str__

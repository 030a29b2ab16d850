"""A question before the slider can spoil it: choose, type or draw, then compare with the computed value."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from workbook.explorer.formatting import say
from workbook.questions.drawn import Drawn
from workbook.questions.progress import record
from workbook.questions.question import PageQuestion, QuestionWidget, paragraph
from workbook.questions.trial import text_of
from workbook.questions.typed import read_number

__all__ = ["Prediction", "cache_truth"]

UNDRAWN = "First draw your prediction: every height must be above 0. Or skip it."


@dataclass(frozen=True)
class Prediction(PageQuestion):
    """A question with a computed answer.

    truth: computes the value. options: label -> whether the truth lies there (exactly one does); none means that the
    learner types a number, right within a factor of 1 + `within`. drawn: the learner draws instead; the truth is then
    the last height. reason: truth -> why it is so. context: a fact, or lines of code, that the page has above it.
    """

    key: str
    question: str
    truth: Callable[[], float]
    reason: Callable[[float], str]
    options: dict[str, Callable[[float], bool]] = field(default_factory=dict)
    within: float = 0.1
    drawn: Drawn | None = None
    context: str = ""

    def right_option(self) -> str:
        """Return the option in which the computed value lies."""
        truth = self.truth()
        return next(label for label, holds in self.options.items() if holds(truth))

    def reveal(self, guess=None, confidence: float | None = None) -> str:
        """Record a guess (an option, a number, or heights; None if skipped) and return the reply: see `judge`.

        confidence: how sure the reader is that the guess is right, 0.5 to 1, if it was said; it is kept, not judged.
        """
        return self._judge_and_record(guess, confidence)[0]

    def _judge_and_record(self, guess, confidence: float | None) -> tuple[str, bool | None]:
        words, right = self.judge(guess)
        if guess is None:
            record(self.key, "skipped")
        else:
            record(self.key, "made", answer=guess, confidence=confidence, right=right)
        return words, right

    def respond(self, act: str, guess=None, sure: float | None = None, **_) -> dict:
        """Judge a guess that was made on the page, or skipped; return what it says and marks: see question.js."""
        guess = None if act == "skip" else guess
        try:
            words, right = self._judge_and_record(guess, sure)
        except ValueError as problem:
            return dict(words=str(problem), state="")
        answer = self.right_option() if self.options else ""
        state = {True: "right", False: "off", None: ""}[right]
        return dict(words=words, answer=answer, guess=guess or "", state=state)

    @np.errstate(under="ignore")  # as numpy does, whatever a reader asked of it
    def judge(self, guess) -> tuple[str, bool | None]:
        """Return the reply to a guess and whether it is right, None if it was skipped or drawn. Nothing is recorded."""
        truth, right = self.truth(), None
        if guess is None:
            verdict = "Skipped."
        elif self.drawn:
            return f"{self.drawn.compared(guess)} {self.reason(truth)}", None
        elif self.options:
            chosen = text_of(guess)
            right = chosen == self.right_option()
            verdict = "You saw it coming." if right else f"You said “{chosen}”."
        else:
            number = read_number(guess)
            right = bool(abs(number - truth) <= self.within * abs(truth))
            verdict = f"You said {say(number)}: {'close enough' if right else 'not quite'}."
        return f"{verdict} {self.explain_truth(truth)}", right

    def explain_truth(self, truth: float) -> str:
        """Return a text with the computed value, or the option in which it lies, and the reason."""
        return f"Computed: {self.right_option() if self.options else say(truth)}. {self.reason(truth)}"

    def to_text(self) -> str:
        """Return question and options as text."""
        options = [f"  ( ) {label}" for label in self.options] or ["  Your number: ____"]
        options = [self.drawn.to_text()] if self.drawn else options
        return "\n".join(["Predict first.", *textwrap.wrap(self.question, 100), *options])

    def page_record(self) -> dict:
        """Return what the page knows of the question before it is answered."""
        kind = "drawn" if self.drawn else "choice" if self.options else "guess"
        text = f"Predict first. {self.question}" + " Drag its dots." * bool(self.drawn)
        asked = dict(key=self.key, kind=kind, text=text, context=self.context)
        return asked | {"options": list(self.options)}

    def rows(self):
        """Return the question's view; under its text and the figure, if the learner draws."""
        item = cache_truth(self)  # every reply asks for it, in several places
        if self.drawn:
            return item._drawn_rows(self.page_record(), self.drawn.sketch())

        return [QuestionWidget(self.page_record(), item.respond)]

    def _drawn_rows(self, asked: dict, sketch) -> list:
        def respond(act, **_):
            if act == "reveal" and sketch.value is None:
                return dict(words=UNDRAWN)
            reply = self.respond(act, sketch.value)
            sketch.set(revealed=True)  # first: the page hears both together, and says the answer
            return reply | {"guess": "", "answer": "drawn"}

        widget = QuestionWidget(asked | {"text": "", "context": ""}, respond)
        # a drawing that begins anew is not judged yet
        sketch.controls["revealed"].observe(lambda change: change["new"] or widget.show(words="", answer=""), "value")
        context = [paragraph(self.context).add_class("nb-context")] if self.context else []
        return [*context, paragraph(asked["text"]).add_class("nb-question"), sketch, widget]


def cache_truth(item: Prediction) -> Prediction:
    """Return the same prediction, whose truth is computed once."""
    return replace(item, truth=cache(item.truth))

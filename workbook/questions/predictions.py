"""A question before the slider can spoil it: choose, type or draw, then compare with the computed value."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache

import ipywidgets as widgets
import numpy as np

from workbook.explorer.formatting import say
from workbook.questions.drawn import Drawn
from workbook.questions.progress import record
from workbook.questions.question import PageQuestion, buttons, context_rows, number_field, paragraph, sure_field
from workbook.questions.room import Room
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
        words, right = self.judge(guess)
        if guess is None:
            record(self.key, "skipped")
        else:
            record(self.key, "made", answer=guess, confidence=confidence, right=right)
        return words

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

    def room(self) -> Room:
        """Return the question as a `Room` for a lecture: vote, discuss, vote again, reveal. Nothing is recorded."""
        if not self.options:
            wanted = "a drawing" if self.drawn else "a number"
            raise ValueError(f"A room votes on options; {self.key} asks for {wanted}.")

        def answer():
            return self.right_option(), self.explain_truth(self.truth())

        return Room(self.key, self.question, list(self.options), answer, self.context)

    def to_text(self) -> str:
        """Return question and options as text."""
        options = [f"  ( ) {label}" for label in self.options] or ["  Your number: ____"]
        options = [self.drawn.to_text()] if self.drawn else options
        return "\n".join(["Predict first.", *textwrap.wrap(self.question, 100), *options])

    def rows(self, reply):
        """Return the question's widgets."""
        guess = self._field()
        sure = [sure_field()] if self.options else []

        def answer(_=None):
            if guess.value in (None, ""):
                reply.say(UNDRAWN if self.drawn else "Choose or type your prediction first, or skip it.")
                return
            try:
                show(guess.value)
            except ValueError as problem:
                reply.say(str(problem))

        def show(value=None):
            words = self.reveal(value, *(field.value for field in sure if value is not None))
            if self.drawn:  # first: the page hears both together, and says the answer
                guess.set(revealed=True)
            reply.say(words)

        if isinstance(guess, widgets.Text):
            guess.observe(answer, "value")  # Enter
        if self.drawn:  # a drawing that begins anew is not judged yet
            guess.controls["revealed"].observe(lambda change: change["new"] or reply.say(""), "value")
        asked = [*context_rows(self.context), paragraph(f"Predict first. {self.question}")]
        rows = [*asked, guess, buttons(*sure, Reveal=answer, Skip=show)]
        return [*rows, *self._room_button(rows, reply), reply]

    def _room_button(self, rows, reply):
        """Return the button that puts the question to a lecture room in place of `rows`, and the box for that."""
        if not self.options:
            return []

        def ask():
            *place.children, _ = self.room().rows(reply)
            for row in [*rows, button.remove_class("nb-to-room")]:
                row.layout.display = "none"

        button, place = buttons(Ask_the_room=ask).add_class("nb-to-room"), widgets.VBox()
        return [button, place]

    def _field(self):
        """Return the field or figure for the answer; its `value` is the guess."""
        if self.drawn:
            return self.drawn.sketch()
        if self.options:
            return widgets.RadioButtons(options=list(self.options), value=None, layout={"width": "auto"})
        return number_field("Your number")


def cache_truth(item: Prediction) -> Prediction:
    """Return the same prediction, whose truth is computed once."""
    return replace(item, truth=cache(item.truth))

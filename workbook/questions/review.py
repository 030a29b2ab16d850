"""Questions that are due, in one cell: own fields, buttons and replies, and other numbers where they have some."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from workbook.questions.exercises import Exercise
from workbook.questions.predictions import Prediction
from workbook.questions.question import PageQuestion, paragraph
from workbook.questions.schedule import AT_A_TIME, Standing

__all__ = ["Review", "opening"]

RULE = "A question comes back 2, 7 and 21 days after you had it right at once; what you missed comes first."


@dataclass(frozen=True)
class Review(PageQuestion):
    """The questions that are due, and the words above them."""

    words: str
    items: tuple[Prediction | Exercise, ...] = ()

    def to_text(self) -> str:
        return "\n\n".join([self.words, *(f"{item.context}\n{item.to_text()}".strip() for item in self.items)])

    def rows(self):
        """Return the widgets of all questions, each with a reply of its own."""
        return [paragraph(self.words).add_class("nb-review"), *(row for item in self.items for row in item.rows())]


def opening(due: Sequence[Standing], known: Sequence[Standing], today: date) -> str:
    """Say how many questions are due, or when the next one will be."""
    if due:
        many = f"{len(due)} questions are" if len(due) > 1 else "1 question is"
        left = " Run the cell again for the next ones." if len(due) > AT_A_TIME else ""
        return f"Review. {many} due.{left} {RULE}"
    days = [one.day for one in known if one.day and one.day > today]
    if days:
        return f"Review. Nothing is due; the next question comes back on {min(days)}. {RULE}"
    if known:
        return "Review. Nothing is due: you had all that you answered right four times, further and further apart."
    return f"Review. Nothing is due: answer a prediction or an exercise of the pages first. {RULE}"

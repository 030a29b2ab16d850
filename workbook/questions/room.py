"""A question for a lecture room: vote, discuss, vote again, reveal. By counted hands, and by phones if there are."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import RLock

from workbook.questions.phones import GoneError, Phones, Watch, phones
from workbook.questions.question import PageQuestion, QuestionWidget

__all__ = ["LETTERS", "Room", "RoomSession"]

LETTERS = "ABCDEFGHIJ"
TURNS = 2  # votes: before the discussion and after it


@dataclass(frozen=True)
class Room(PageQuestion):
    """A question with options, put to a room. Nothing of it is kept.

    answer: computes which option is right, and what is said then. context: what stands above it on its page.
    """

    key: str
    question: str
    options: Sequence[str]
    answer: Callable[[], tuple[str, str]]
    context: str = ""

    def to_text(self) -> str:
        """Return question and options as text."""
        options = [f"  {letter} {label}" for letter, label in zip(LETTERS, self.options, strict=False)]
        return "\n".join(["The room votes.", *self.context.splitlines(), *textwrap.wrap(self.question, 100), *options])

    def page_record(self) -> dict:
        """Return what the page knows of the question before the answer is shown."""
        asked = dict(key=self.key, kind="room", text=self.question, context=self.context)
        return asked | {"options": list(self.options)}

    def rows(self):
        """Return the room's view."""
        widget = QuestionWidget(self.page_record(), dict)
        self.open(widget)
        return [widget]

    def open(self, widget: QuestionWidget) -> dict:
        """Put the room in the place of what a widget shows; return what changes of the reply, as `respond` does."""
        RoomSession(self, widget, phones())
        return {}


class RoomSession:
    """The kernel's side of a question before a room: phones are counted here and the right option is told.

    room.js shows it, counts hands and leads from the vote to the answer. Nothing of it is recorded.
    """

    def __init__(self, room: Room, widget: QuestionWidget, phones: Phones | None = None):
        self.room, self.widget, self.phones = room, widget, phones
        self.number: int | None = None  # of the open ballot
        self._turn = 0  # of that ballot
        self._watch: Watch | None = None
        self._lock = RLock()  # the watch counts in a thread
        with widget.hold_sync():
            widget.respond, widget.given, widget.reply = self.respond, {}, {}
            if phones:
                votes = [[0] * len(room.options)] * TURNS
                widget.phones = dict(url=phones.url, qr=phones.qr(), votes=votes, put=[], away=0)
            widget.record = room.page_record()

    def respond(self, act: str, turn: int = 0, **_) -> dict:
        """Do what the lecturer asks for; return what of the reply changes."""
        if act == "put":
            self.put(turn)
        elif act == "look":
            self.look()
        else:
            self._end()
        return dict(zip(("answer", "why"), self.room.answer(), strict=True)) if act == "answer" else {}

    def put(self, turn: int) -> None:
        """Let the phones vote, until the discussion, the answer, or another question."""
        turns = self.widget.phones["put"]
        if turn in turns:
            return
        try:
            self.number = self.phones.put(self.room.question, self.room.options, turn + 1)
        except GoneError as problem:
            self.widget.show(words=str(problem))
            return
        self._turn = turn
        self._show(put=[*turns, turn])
        self._watch = Watch(self.look)

    def look(self) -> bool:
        """Ask how many phones have voted; False if there is no need to ask again."""
        return self._ask("count")

    def _ask(self, name: str) -> bool:
        with self._lock:
            if self.number is None:
                return False
            on_page = self.widget.comm is not None
            try:
                counted = (self.phones.count if on_page and name == "count" else self.phones.close)(self.number)
            except GoneError as problem:
                self.number = None
                self.widget.show(words=str(problem))
            else:
                self.number = self.number if counted.open else None
                votes = list(self.widget.phones["votes"])
                votes[self._turn] = counted.votes
                self._show(votes=votes, away=counted.turned_away)
            return self.number is not None

    def _end(self) -> None:
        """End the phones' vote."""
        if self._watch:
            self._watch.stop()
        self._ask("close")

    def _show(self, **news) -> None:
        """Change what the page knows of the phones."""
        self.widget.phones = self.widget.phones | news

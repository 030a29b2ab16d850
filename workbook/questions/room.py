"""A question for a lecture room: vote, discuss, vote again, reveal. By counted hands, and by phones if there are."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import RLock

import ipywidgets as widgets

from workbook.questions.phones import GoneError, Phones, Watch, phones
from workbook.questions.question import PageQuestion, buttons, context_rows

__all__ = ["LETTERS", "Room", "bar", "count_text", "share"]

LETTERS = "ABCDEFGHIJ"
MOST = 9999
TURNS = "First vote", "Second vote"
SHORT = "1st", "2nd"
DISCUSS = "Discuss: find somebody who chose otherwise, and convince each other. Then vote again."
ARMED = "Press again to show the answer to the room."


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

    def rows(self, reply):
        return RoomSession(self, reply, phones()).rows


class RoomSession:
    """A question before a room: at most two votes, and what of them is shown."""

    def __init__(self, room: Room, reply, phones: Phones | None = None):
        self.room, self.reply, self.phones = room, reply, phones
        self.turn, self.bars, self.armed, self.right = 0, False, False, ""
        self.number: int | None = None  # of the open ballot
        self.by_phone = [[0] * len(room.options) for _ in TURNS]
        self._put_turns: set[int] = set()  # the votes that phones were asked for
        self._watch: Watch | None = None
        self._lock = RLock()  # the watch counts in a thread
        self.hands = [[self._field(k, turn) for k in range(len(room.options))] for turn in range(len(TURNS))]
        self.lines = [widgets.HTML() for _ in room.options]
        self.drawn = [widgets.HTML() for _ in room.options]
        self.arrived = widgets.HTML()
        self.actions = buttons(
            **{"Show bars": self.toggle, "Discuss, then vote again": self.again, "Reveal": self.reveal}
        )
        self.actions.children[2].add_class("nb-reveal")  # see focus.js
        asked = widgets.VBox([_html("nb-question", html.escape(room.question)), *self._options(), self.actions])
        parts = [*context_rows(room.context), asked, *self._phone_widgets()]
        self.rows = [widgets.HBox(parts).add_class("nb-room"), reply]
        self._show()

    # --- what the lecturer does ---

    def put(self) -> None:
        """Let the phones vote, until the discussion, the answer, or another question."""
        self._disarm()
        try:
            self.number = self.phones.put(self.room.question, self.room.options, self.turn + 1)
        except GoneError as problem:
            self.reply.say(str(problem))
            return
        self._put_turns.add(self.turn)
        self._watch = Watch(self.look)
        self._show()

    def toggle(self) -> None:
        """Show the bars, or hide them."""
        self._disarm()
        self.look()
        self.bars = not self.bars
        self._show()
        self.reply.say(self.words() if self.bars else "")

    def again(self) -> None:
        """Begin the second vote; the bars of the first are hidden, so that nobody follows the crowd."""
        self._disarm()
        self._end()
        self.turn, self.bars = 1, False
        self._show_arrived(0)
        self._show()
        self.reply.say(DISCUSS)

    def reveal(self) -> None:
        """Show the right answer, and what the discussion changed, at the second press; announce it at the first."""
        if not self.armed:
            self.armed = True
            self._show()
            self.reply.say(ARMED)
            return
        self.armed = False
        self._end()
        self.right, words = self.room.answer()
        self.bars = any(map(sum, self.votes()))
        self._show()
        self.reply.say(" ".join(filter(None, [words, self.change()])))

    def _disarm(self) -> None:
        """Let the next press of Reveal be the first one again: the lecturer did something else."""
        if self.armed:
            self.armed = False
            self.reply.say("")

    # --- what is counted ---

    def votes(self) -> list[list[int]]:
        """Add up hands and phones: per vote a list with a count per option."""
        return [[by_hand.value + by_phone for by_hand, by_phone in zip(*both, strict=True)]
                for both in zip(self.hands, self.by_phone, strict=True)]  # fmt: skip

    def look(self) -> bool:
        """Ask how many phones have voted; False if there is no need to ask again."""
        return self._ask("count")

    def _ask(self, name: str) -> bool:
        with self._lock:
            if self.number is None:
                return False
            on_page = self.reply.comm is not None
            try:
                counted = (self.phones.count if on_page and name == "count" else self.phones.close)(self.number)
            except GoneError as problem:
                self.number = None
                self.reply.say(str(problem))
            else:
                self.by_phone[self.turn] = counted.votes
                self._show_arrived(counted.turned_away)
                self.number = self.number if counted.open else None
            if on_page:
                self._show()
            return self.number is not None

    def _end(self) -> None:
        """End the phones' vote."""
        if self._watch:
            self._watch.stop()
        self._ask("close")

    def words(self) -> str:
        """Return the counts as a sentence for each vote."""
        sentences = [f"{name}: {', '.join(self._shares(votes))}." for name, votes in self._counted_votes()]
        return " ".join(sentences) or "No vote is counted yet."

    def change(self) -> str:
        """Say how many were right, before and after the discussion."""
        place = list(self.room.options).index(self.right)
        sentences = [f"{count_text(votes[place], votes)}" for _, votes in self._counted_votes()]
        return f"Right: {', then '.join(sentences)}." if sentences else ""

    def _counted_votes(self) -> list[tuple[str, list[int]]]:
        return [(name, votes) for name, votes in zip(TURNS, self.votes(), strict=True) if sum(votes)]

    def _shares(self, votes: list[int]) -> list[str]:
        return [f"{letter} {n} ({share(n, votes)})" for letter, n in zip(LETTERS, votes, strict=False)]

    # --- what stands on the page ---

    def _field(self, option: int, turn: int) -> widgets.BoundedIntText:
        """Return the field for the hands that an option gets in a vote."""
        field = widgets.BoundedIntText(
            0, 0, MOST, description=f"{LETTERS[option]}, {SHORT[turn]} vote", style={"description_width": "initial"}
        )
        field.layout.width = "auto"
        field.observe(lambda _: self._count_hands(), "value")
        return field

    def _count_hands(self) -> None:
        """Redraw the bars with the hands that were typed."""
        self._disarm()
        self._show()

    def _options(self) -> list[widgets.Widget]:
        lines = [
            widgets.HBox([line, *fields]).add_class("nb-option")
            for line, fields in zip(self.lines, zip(*self.hands, strict=True), strict=True)
        ]
        return [row for pair in zip(lines, self.drawn, strict=True) for row in pair]

    def _phone_widgets(self) -> list[widgets.Widget]:
        """Return the widgets that the phones need: QR code, address, count, start button."""
        if not self.phones:
            return []
        self.start = buttons(Let_the_phones_vote=self.put)
        where = html.escape(self.phones.url.removeprefix("http://")).replace("/", "<wbr>/")
        address = _html("nb-address", f"<b>{where}</b>")
        self._show_arrived(0)
        rows = [widgets.HTML(self.phones.qr()), address, self.arrived, self.start]
        return [widgets.VBox(rows).add_class("nb-phones")]

    def _show_arrived(self, turned_away: int) -> None:
        """Show how many phones have voted, not for what."""
        if not self.phones:
            return
        away = f"; {turned_away} turned away: see --one-address" if turned_away else ""
        votes = sum(self.by_phone[self.turn])
        self.arrived.value = f'<div class="nb-arrived"><b>{votes}</b> votes by phone{away}</div>'

    def _show(self) -> None:
        bars, discuss, reveal = self.actions.children
        for field in self.hands[1]:  # first, so that the focus finds a field when its button is greyed out
            field.layout.display = "" if self.turn else "none"
        for field in self.hands[0]:
            field.disabled = self.turn == 1  # what is typed now is the second vote
        bars.description = "Hide bars" if self.bars else "Show bars"
        discuss.disabled = self.turn == 1 or bool(self.right)
        reveal.description = "Reveal: press again" if self.armed else "Reveal"
        reveal.disabled = bool(self.right)
        if self.phones:
            self.start.children[0].disabled = self.turn in self._put_turns or bool(self.right)
        for k, (line, drawn) in enumerate(zip(self.lines, self.drawn, strict=True)):
            right = self.room.options[k] == self.right
            line.value = _line(LETTERS[k], self.room.options[k], right)
            rows = [bar(name, votes[k], votes) for name, votes in self._counted_votes()] if self.bars else []
            drawn.value = "".join(rows)


def share(n: int, votes: Sequence[int]) -> str:
    """Return a count in percent of all votes."""
    return f"{int(100 * n / sum(votes) + 0.5)} %"


def count_text(n: int, votes: Sequence[int]) -> str:
    """Return a count, the number of all votes, and the share: 3 of 20 (15 %)."""
    return f"{n} of {sum(votes)} ({share(n, votes)})"


def bar(name: str, n: int, votes: Sequence[int]) -> str:
    """Return the HTML of one bar; its length is the share."""
    kind = TURNS.index(name) + 1
    wide = f"width: {100 * n / sum(votes):.1f}%" if n else "display: none"
    words = f"{SHORT[kind - 1]}: {n} ({share(n, votes)})"
    label = f"{name}: {count_text(n, votes)}"
    return (
        f'<div class="nb-bar-row nb-vote-{kind}" role="img" aria-label="{label}">'
        f'<span class="nb-track"><span class="nb-fill" style="{wide}"></span></span>'
        f"<span>{words}</span></div>"
    )


def _line(letter: str, text: str, right: bool) -> str:
    kind, mark = ("nb-choice nb-right", "<b>✓ right:</b> ") if right else ("nb-choice", "")
    return f'<div class="{kind}"><b>{letter}</b><span>{mark}{html.escape(text)}</span></div>'


def _html(name: str, text: str) -> widgets.HTML:
    return widgets.HTML(f'<div class="{name}">{text}</div>')

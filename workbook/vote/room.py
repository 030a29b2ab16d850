"""A room that votes: one question at a time, one vote a browser, which it may change until the round closes.

A question has one field, or several: how sure one is of the first, or what one says of oneself.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic

__all__ = ["FULL", "PER_ADDRESS", "Ballot", "Room", "VoteError"]

FULL = 1000  # browsers in a room
GONE = 15  # s without a request: a phone that looks asks every other second
PER_ADDRESS = 5  # browsers behind one address: a phone has one, and somebody tries a second one
NO_COOKIE = "Your browser keeps no cookie of this room: allow cookies here, and load the page again."
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is taken for another
Vote = tuple[int | None, ...]


class VoteError(Exception):
    """A request of a phone that is refused: a sentence that says why, and HTTP's status number."""

    def __init__(self, number: int, sentence: str):
        super().__init__(sentence)
        self.number = number


@dataclass
class Ballot:
    """A question put to the room once. context: what stands above it; votes: token -> choice in each field; right, why:
    after the answer was shown.

    The votes are known until the next question: a phone sees what it chose when the answer is shown.
    """

    number: int
    turn: int  # 1, or 2 for the vote after the discussion; 0 where the room says something of itself
    question: str
    fields: Sequence[Sequence[str]]
    open: bool = True
    votes: dict[str, Vote] = field(default_factory=dict)
    right: int | None = None
    why: str = ""
    context: str = ""

    @property
    def counts(self) -> list[int]:
        """The votes for each option of the first field."""
        counted = Counter(first for first, *_ in self.votes.values())
        return [counted[option] for option in range(len(self.fields[0]))]

    def takes(self, vote: object) -> bool:
        """Return whether a vote is a list of one choice for each field; in a vote's second field None is allowed."""
        if not isinstance(vote, list) or len(vote) != len(self.fields):
            return False
        fits = [type(k) is int and 0 <= k < len(options) for k, options in zip(vote, self.fields, strict=True)]
        return fits[0] and all(fit or (self.turn > 0 and k is None) for k, fit in zip(vote, fits, strict=True))


class Room:
    """The class that votes: its browsers, by a random token each, and the ballot. All of it ends with the process.

    per_address: how many browsers may come from one address; full: how many in all.
    """

    def __init__(self, per_address: int = PER_ADDRESS, full: int = FULL):
        self.code = "".join(secrets.choice(LETTERS) for _ in range(6))
        self.per_address, self.full = per_address, full
        self.ballot: Ballot | None = None
        self.turned_away = 0
        self.sure: Counter[tuple[int, int]] = Counter()  # (how sure, 1 if right) -> votes, of all that were revealed
        self._seen: dict[str, float] = {}  # token -> when it last asked
        self._browsers: Counter[str] = Counter()
        self._ballots_put = 0

    def __len__(self):
        """Return how many browsers look at the room's page now."""
        return sum(monotonic() - seen < GONE for seen in self._seen.values())

    def knows(self, token: str | None) -> bool:
        """Return whether the room gave this token, whose browser is seen now."""
        if is_known := token in self._seen:
            self._seen[str(token)] = monotonic()
        return is_known

    def admit(self, address: str) -> str:
        """Return a token for one more browser."""
        if len(self._seen) >= self.full:
            self.turned_away += 1
            raise VoteError(503, f"The room is full: {self.full} browsers are in. Raise your hand instead.")
        if self._browsers[address] >= self.per_address:
            self.turned_away += 1
            raise VoteError(
                429,
                f"{self.per_address} browsers of your address are in already. "
                "Raise your hand, or tell your lecturer: --one-address lets you in.",
            )
        token = secrets.token_urlsafe(16)
        self._seen[token] = monotonic()
        self._browsers[address] += 1
        return token

    def put(self, question: str, *fields: Sequence[str], turn: int = 1, context: str = "") -> Ballot:
        """Put a question to the room; the one before is closed, and who voted in it is forgotten."""
        self._ballots_put += 1
        self.ballot = Ballot(self._ballots_put, turn, question, fields, context=context)
        return self.ballot

    def close(self) -> None:
        """End the vote on this question."""
        if self.ballot:
            self.ballot.open = False

    def reveal(self, right: int, why: str) -> None:
        """Show the phones which option is right, and why."""
        self.close()
        if self.ballot and self.ballot.right is None:
            self.ballot.right, self.ballot.why = right, why
            sure = ((vote[1], int(vote[0] == right)) for vote in self.ballot.votes.values() if len(vote) > 1)
            self.sure.update((level, is_right) for level, is_right in sure if level is not None)

    def vote(self, token: str | None, number: object, choices: object) -> str:
        """Count a vote on this ballot, in place of one that came before; return the sentence for the phone."""
        ballot = self.ballot
        if not self.knows(token):
            raise VoteError(403, NO_COOKIE)
        if not (ballot and ballot.open and type(number) is int and number == ballot.number):
            raise VoteError(409, "This vote is closed. Look at the screen.")
        if not ballot.takes(choices):
            raise VoteError(400, "That is none of the options.")
        ballot.votes[str(token)] = tuple(choices)
        return "Your vote is counted. Until the vote closes you may change it."

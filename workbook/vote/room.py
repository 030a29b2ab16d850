"""A room that votes: one question at a time, one vote a browser, counts and nothing else."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

__all__ = ["FULL", "PER_ADDRESS", "Ballot", "Room", "VoteError"]

FULL = 1000  # browsers in a room
PER_ADDRESS = 5  # browsers behind one address: a phone has one, and somebody tries a second one
RESULTS = 100  # questions whose counts are still known
NO_COOKIE = "Your browser keeps no cookie of this room: allow cookies here, and load the page again."
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is taken for another


class VoteError(Exception):
    """A request of a phone that is refused: a sentence that says why, and HTTP's status number."""

    def __init__(self, number: int, sentence: str):
        super().__init__(sentence)
        self.number = number


@dataclass
class Ballot:
    """A question put to the room once; who voted and what was voted are stored apart."""

    number: int
    turn: int  # 1, or 2 for the vote after the discussion
    question: str
    options: Sequence[str]
    open: bool = True
    counts: list[int] = field(default_factory=list)
    voted: set[str] = field(default_factory=set)

    def __post_init__(self):
        self.counts = [0] * len(self.options)


class Room:
    """The class that votes: its browsers, by a random token each, and the ballot. All of it ends with the process.

    per_address: how many browsers may come from one address; full: how many in all.
    """

    def __init__(self, per_address: int = PER_ADDRESS, full: int = FULL):
        self.code = "".join(secrets.choice(LETTERS) for _ in range(6))
        self.per_address, self.full = per_address, full
        self.ballot: Ballot | None = None
        self.turned_away = 0
        self._tokens: set[str] = set()
        self._browsers: Counter[str] = Counter()
        self._results: dict[int, Ballot] = {}
        self._ballots_put = 0

    def __repr__(self):
        return f"Room({self.code}, {len(self._tokens)} browsers)"

    def knows(self, token: str | None) -> bool:
        """Whether this token is one that the room gave."""
        return token in self._tokens

    def admit(self, address: str) -> str:
        """Return a token for one more browser."""
        if len(self._tokens) >= self.full:
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
        self._tokens.add(token)
        self._browsers[address] += 1
        return token

    def put(self, question: str, options: Sequence[str], turn: int = 1) -> Ballot:
        """Put a question to the room; the one before is closed."""
        self.close()
        self._ballots_put += 1
        self.ballot = self._results[self._ballots_put] = Ballot(self._ballots_put, turn, question, tuple(options))
        self._results.pop(self._ballots_put - RESULTS, None)
        return self.ballot

    def find_ballot(self, number: object) -> Ballot | None:
        """Return one of the latest ballots by its number."""
        return self._results.get(number) if type(number) is int else None

    def close(self) -> None:
        """End the vote on this question, and forget who voted."""
        if self.ballot:
            self.ballot.open = False
            self.ballot.voted.clear()

    def vote(self, token: str | None, number: object, option: object) -> str:
        """Count a vote on this ballot, once; return the sentence for the phone."""
        ballot = self.ballot
        if not self.knows(token):
            raise VoteError(403, NO_COOKIE)
        if not (ballot and ballot.open and type(number) is int and number == ballot.number):
            raise VoteError(409, "This vote is closed. Look at the screen.")
        if token in ballot.voted:
            return "Your vote is counted. The first one counts."
        if type(option) is not int or not 0 <= option < len(ballot.options):
            raise VoteError(400, "That is none of the options.")
        ballot.voted.add(str(token))
        ballot.counts[option] += 1
        return "Your vote is counted."

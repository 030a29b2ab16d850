"""Chapter 05: which n-grams lie on which letters of a name, what each of them says, and what eq. (20) leaves of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nbcore.datasets import END
from workbook.chapters.names import LONGEST, names_split

from .experiment import EQ_20, held_out_posteriors

__all__ = ["ALL", "KS", "LENGTHS", "NAMES", "SEXES", "TWINS", "Wall", "judge_held_out", "lay_bricks"]

# Four test names, and of the class that each is taken for the training name that most of its bricks count.
TWINS = {"Gabriel": "Gabrielle", "Gloria": "Gregoria", "George": "Georgene", "Nichole": "Nicholas"}
NAMES, SEXES = list(TWINS), ("female", "male")
LENGTHS = list(range(1, LONGEST + 1))
ALL = 1000  # above n + 1 of every name: no root
KS = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 30, ALL]
NEAR = 0.02  # probabilities that differ by less are called equal


@lru_cache(maxsize=1)
def judge_held_out() -> tuple[np.ndarray, np.ndarray]:
    """Return over the test names what eq. (20) says on average (lengths, KS), and how often it is right (lengths,)."""
    said = [[held_out_posteriors(EQ_20, n, k).max(axis=1).mean() for k in KS] for n in LENGTHS]
    right = [np.mean(held_out_posteriors(EQ_20, n).argmax(axis=1) == names_split(n).test.y) for n in LENGTHS]
    return np.array(said), np.array(right)


@dataclass(frozen=True)
class Wall:
    """Hold a name's n known n-grams, what each says, and what k leaves of it."""

    name: str
    max_n: int
    k: float
    start: np.ndarray  # (n,) first letter, from 0
    length: np.ndarray  # (n,)
    pieces: list[str]  # (n,)
    counts: np.ndarray  # (n, 2) how often female and male training names have it
    votes: np.ndarray  # (n,) log odds of male
    whole: float  # log odds of male from the prior and all bricks, without a root
    verdict: str  # right or wrong

    @property
    def root(self) -> float:
        """Return what one vote still counts: k of n + 1 votes are left, and never more than all."""
        return min(self.k / (len(self.votes) + 1), 1.0)

    @property
    def rows(self) -> np.ndarray:
        """Return the height of each brick's middle, in bricks without a root: n-grams of one length do not overlap."""
        return self.length * (self.length - 1) / 2 + self.start % self.length + 0.5

    @property
    def covers(self) -> np.ndarray:
        """Return which brick lies on which letter or on the end mark, (letters + 1, n) bool."""
        at = np.arange(len(self.name) + 1)[:, None]
        return (self.start <= at) & (at < self.start + self.length)

    @property
    def twin(self) -> np.ndarray:
        """Return which bricks count the one training name of TWINS, (n,) bool."""
        return np.array([piece in TWINS[self.name] + END for piece in self.pieces])

    @property
    def answer(self) -> str:
        """Return the class that the name is taken for, and whether that is right."""
        return f"for {SEXES[int(self.whole > 0)]}: {self.verdict}"

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c05_copies_and_letters proves it for all states."""
        says, right = (table[self.max_n - 1] for table in judge_held_out())
        says = says[KS.index(self.k)]
        if names_split(self.max_n).test.evidence[2].max() + 1 <= self.k:
            heard = self.covers.sum(axis=1).max()
            start = "Every letter is heard once" if heard == 1 else f"One letter in {heard} bricks"
        elif abs(says - right) <= NEAR:
            start = "There is nothing to mend" if self.max_n == 1 else "The root mends the average"
        else:
            start = "The root takes too much" if says < right else "The root leaves too much"
        return f"{start}: it says {100 * says:.0f} % and is right {100 * right:.0f} %"


@lru_cache(maxsize=len(NAMES) * LONGEST)
def lay_bricks(name: str, max_n: int) -> Wall:
    """Return the wall of a test name without a root, short n-grams first."""
    split, marked = names_split(max_n), name + END
    column = {ngram: j for j, ngram in enumerate(split.vocabulary)}
    places = [(at, n) for n in LENGTHS[:max_n] for at in range(len(marked) - n + 1) if marked[at : at + n] in column]
    pieces = [marked[at : at + n] for at, n in places]
    columns, model = [column[piece] for piece in pieces], split.model
    votes = np.diff(model.feature_log_prob_[:, columns], axis=0)[0]
    whole = float(np.diff(model.class_log_prior_)[0] + votes.sum())
    verdict = "right" if split.test.y[split.test.names == name][0] == (whole > 0) else "wrong"
    counts = model.feature_count_[:, columns].T
    return Wall(name, max_n, ALL, *np.transpose(places), pieces, counts, votes, whole, verdict)

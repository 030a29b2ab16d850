"""Chapter 06: promises of the test names, opened one by one, and how many of them an honest model would break."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from workbook.chapters.names import LONGEST, names_split

from .experiment import KS, attenuated, log_odds

__all__ = ["OPENED", "RARE", "TENTHS", "Promises", "count_broken", "group_names", "open_names", "say_sum"]

OPENED = [1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 1289]
TENTHS = 10
RARE, NEVER = 0.025, 0.001  # probabilities that count as rare luck, and as no luck


@lru_cache(maxsize=1)
def group_names() -> np.ndarray:
    """Return the tenth of each test name, (n,): 0 the least sure ones, 9 the surest, in the order of eq. (20)."""
    test = names_split(LONGEST).test
    order = np.argsort(np.abs(log_odds(test)) / (test.evidence[2] + 1), kind="stable")
    tenth = np.empty(len(order), int)
    for at, rows in enumerate(np.array_split(order, TENTHS)):
        tenth[rows] = at
    return tenth


@lru_cache(maxsize=len(KS))
def count_broken(k: float) -> dict[int, np.ndarray]:
    """Return for each step of OPENED the probabilities of at most 0, 1, ... broken promises, if all are honest."""
    said, ways, found = attenuated(LONGEST, k).max(axis=1), np.array([1.0]), {}
    for opened, p in enumerate(said, start=1):
        ways = np.append(ways * p, 0) + np.append(0, ways * (1 - p))
        if opened in OPENED:
            found[opened] = ways.cumsum()
    return found


@dataclass(frozen=True)
class Promises:
    """Hold the promises of the names in the order in which they are opened, and whether each was kept."""

    k: float
    opened: int
    said: np.ndarray  # (n,) confidence of every test name
    kept: np.ndarray  # (n,) whether it is decided rightly

    @property
    def promised(self) -> float:
        """Return how many of the opened names should be right."""
        return float(self.said[: self.opened].sum())

    @property
    def right(self) -> int:
        """Return how many of them are right."""
        return int(self.kept[: self.opened].sum())

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c06 proves it for all states."""
        at_most, broken = count_broken(self.k)[self.opened], self.opened - self.right
        more, fewer = 1 - at_most[broken - 1] if broken else 1.0, at_most[broken]
        two = f"romised {say_sum(self.promised, self.opened)}, kept {self.right:,}"
        if more < RARE:
            return f"P{two}: {'no luck explains that' if more < NEVER else 'luck seldom does that'}"
        if fewer < RARE:
            return f"Not sure enough{'' if fewer < NEVER else ', or rare luck'}: p{two}"
        return f"Within luck: p{two}, of {self.opened:,} name{'s' * (self.opened > 1)}"


def open_names(k: float, opened: int) -> Promises:
    """Return the promises that eq. (20) makes with this k about the first names of the test."""
    proba = attenuated(LONGEST, k)
    return Promises(k, opened, proba.max(axis=1), proba.argmax(axis=1) == names_split(LONGEST).test.y)


def say_sum(promised: float, opened: int) -> str:
    """Return a sum of promises with as many digits as its number of names deserves."""
    return f"{promised:.2f}" if opened < 20 else f"{promised:,.1f}" if opened < 300 else f"{promised:,.0f}"

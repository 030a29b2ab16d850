"""Chapter 02: how the pieces of a name, of a day or of a document vote at every alpha, and what that shows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from workbook.explorer.controls import Steps
from workbook.explorer.formatting import written
from workbook.items import label

from .experiment import Case, document, given_names, tennis

__all__ = ["ALPHAS", "DAY", "DOCUMENT", "ITEMS", "ItemSteps", "Votes", "count_votes", "write_odds"]

DAY, DOCUMENT = "day 15", "doc 5"
ITEMS = "Gloria", "Hezekiah", "Bradley", "Myron", "Zoe", "Octavia", "Olivia", "Mary", "Simon", DAY, DOCUMENT
ALPHAS = sorted([0, *(float(f"{m}e{d}") for d in range(-3, 3) for m in (1, 2, 5)), 0.6, 4, 1000])
NUMBERS = "no", "one", "two", "three"


class ItemSteps(Steps):
    """A slider over the places of ITEMS, which is also set by a name."""

    def check(self, value):
        return super().check(ITEMS.index(value) if value in ITEMS else value)


@dataclass(frozen=True)
class Votes:
    """Hold the votes of F pieces, as log odds of the second class, at every alpha and at the present one."""

    at: int  # place of the present alpha
    name: str
    case: Case
    pieces: list[str]
    counted: tuple[np.ndarray, np.ndarray, np.ndarray]  # counts (2, F), their totals (2, F), K of each piece (F,)
    paths: np.ndarray  # (alphas, 1 + F) votes of the prior and of each piece
    asked: int  # the class whose probability is shown: the one that the page's question asks about
    chances: np.ndarray  # (alphas,) P(this class)

    @property
    def votes(self) -> np.ndarray:
        """Return the votes of the prior, of each piece and of all together, (1 + F + 1,)."""
        return np.append(self.paths[self.at], 0 if self.vetoes == 2 else self.paths[self.at].sum())

    @property
    def ends(self) -> np.ndarray:
        """Return where each vote leads from the ones before it, at every alpha; an infinite one moves nothing."""
        return np.cumsum(np.where(np.isinf(self.paths), 0, self.paths), axis=1)

    @property
    def vetoes(self) -> int:
        """Return how many of the two classes are impossible."""
        return len(set(self.paths[self.at][np.isinf(self.paths[self.at])]))

    @property
    def heard(self) -> np.ndarray:
        """Return which of the votes count: all of them, or the infinite ones, (1 + F + 1,) bool."""
        return np.isinf(self.votes) | (self.vetoes == 0)

    @property
    def strongest(self) -> int:
        """Return the piece with the strongest vote without alpha: the first zero, if there is one."""
        return int(np.argmax(np.abs(self.paths[0, 1:])))

    @property
    def question(self) -> str:
        """Return what is asked: P(male | Gloria)."""
        return f"P({self.case.classes[self.asked]} | {self.name})"

    @property
    def prior(self) -> float:
        """Return the prior of the class that is asked for."""
        return float(1 / (1 + np.exp(-self.votes[0] if self.asked else self.votes[0])))

    @property
    def chance(self) -> str:
        """Return what is asked for in three decimals; 1 and 0 are certain."""
        p = self.chances[self.at]
        near = "< 0.001" if p < 0.0005 else "> 0.999" if p > 0.9995 else f"{p:.3f}"
        return [near, f"{p:.0f}", "0 / 0"][self.vetoes]

    def side(self, vote: float) -> str:
        """Return the class that a vote is for."""
        return self.case.classes[int(vote > 0)]

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c02 proves it for all states."""
        low, high = sorted((self.counted[0] == 0).sum(axis=1).tolist())
        wins = self.case.classes[int((self.chances[self.at] > 0.5) == self.asked)]
        zeros = f"{NUMBERS[high]} zero{'s'[: high - 1]}"
        if self.at:
            return find_added(self, low, high, wins)
        if self.vetoes == 1:
            return f"{zeros.capitalize()} decide{'s'[high - 1 :]} alone: certainly {wins}"
        if self.vetoes:
            return "Zeros on both sides: both classes are impossible"
        return f"No zero, so all votes are heard: {wins}"


def find_added(r: Votes, low: int, high: int, wins: str) -> str:
    """Return the title above alpha = 0. low, high: how many zeros the classes have. wins: the class that is decided."""
    (counts, totals, sizes), (prior, *votes) = r.counted, r.paths[r.at]
    if (ALPHAS[r.at] * sizes > totals).all():
        how = "the prior outweighs the votes" if abs(sum(votes)) < abs(prior) else "the votes still outweigh the prior"
        return f"More is added than was counted: {how}"
    if low:
        how = f"all votes count, and {wins} wins" if low == high else f"the class with fewer wins, {wins}"
        return f"{NUMBERS[high].capitalize()} zero{'s'[: high - 1]} against {NUMBERS[low]}: {how}"
    if not high:
        return f"No zero: the answer is {wins}, as it was without alpha"
    zeros = sum(vote for vote, zero in zip(votes, (counts == 0).any(axis=0), strict=True) if zero)
    others = prior + sum(votes) - zeros
    start, verb, them = ("The zeros are votes", "", "them") if high > 1 else ("The zero is one vote", "s", "it")
    if zeros * others > 0:
        return f"{start} now, and the others agree: {wins}"
    how = f"but still outvote{verb} the others" if abs(zeros) > abs(others) else f"and the others outvote {them}"
    return f"{start} now, {how}: {wins}"


def write_odds(vote: float, digits: int = 2) -> str:
    """Return log odds as odds in words, for whichever class they speak: 2.4 : 1."""
    odds = np.exp(abs(vote))
    return f"{f'{odds:.0f}' if 100 <= odds < 1000 else written(odds, digits)} : 1"


@lru_cache(maxsize=len(ITEMS))
def count_votes(name: str) -> Votes:
    """Return the votes on one of ITEMS, at alpha = 0."""
    asked = int(name != DAY)  # of the day 02/overcast asks P(No), of all others the second class
    case = {DAY: tennis, DOCUMENT: document}.get(name, given_names)()
    item = case.item(name)
    paths = np.array([case.votes(item, alpha) for alpha in ALPHAS])
    chances = np.array([case.model.smoothed(alpha).predict_proba(item.row)[0, asked] for alpha in ALPHAS])
    pieces = [label(piece, times) for piece, times in zip(item.features, item.times, strict=True)]
    return Votes(0, name, case, pieces, case.counts(item), paths, asked, chances)

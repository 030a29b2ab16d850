"""Chapter 05: names cut into pieces that overlap more and more, and the k that suits them. Carlos (2015), eq. (20)."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

from nbcore.datasets import END
from nbcore.naive_bayes import MultinomialNB
from nbcore.perplexed import best_k, evidence
from workbook.chapters.names import names_split

__all__ = ["CUTS", "SPLITS", "Cut", "Votes", "cut_name", "measure_cut"]

SPLITS = 3  # ways to hold names out, of which `measure_cut` takes the mean


class Cut(NamedTuple):
    """Say how names are cut: into pieces of `shortest` to `longest` letters, a new one every `step` letters."""

    words: str
    shortest: int
    longest: int
    step: int


CUTS = [
    Cut("3 letters, side by side", 3, 3, 3),
    Cut("3 letters, sharing 1", 3, 3, 2),
    Cut("3 letters, sharing 2", 3, 3, 1),
    Cut("1 to 3 letters", 1, 3, 1),
    Cut("1 to 4 letters", 1, 4, 1),
    Cut("1 to 5 letters", 1, 5, 1),
]


class Votes(NamedTuple):
    """Hold the means over the splits of one cut, on names held out."""

    k: float  # with the least log loss
    factors: float  # n + 1 of a name
    right: float  # share of the decisions of naive Bayes
    says: float  # its largest posterior

    @property
    def share(self) -> float:
        """Return k / (n + 1): what one factor still counts."""
        return self.k / self.factors


def cut_name(name: str, cut: Cut) -> list[tuple[int, str]]:
    """Return the (first letter, piece) of a name with its end mark; the last piece of a row may be shorter."""
    marked, found = name + END, []
    for length in range(cut.shortest, cut.longest + 1):
        ends = len(marked) - length + cut.step  # a row stops where a piece reaches the end
        found += [(at, marked[at : at + length]) for at in range(0, max(ends, 1), cut.step)]
    return [(at, piece) for at, piece in found if piece != END]


def list_pieces(name: str, cut: Cut) -> list[str]:
    """Return the pieces of a name."""
    return [piece for _, piece in cut_name(name, cut)]


@lru_cache(maxsize=32)
def measure_cut(cut: Cut) -> Votes:
    """Learn from names in such pieces, and choose k on names held out; see `names_split`."""
    return Votes(*np.mean([_measure_split(cut, seed) for seed in range(SPLITS)], axis=0).tolist())


def _measure_split(cut: Cut, seed: int) -> tuple[float, float, float, float]:
    split, count = names_split(1, seed), CountVectorizer(analyzer=partial(list_pieces, cut=cut))
    names, y, held = split.training.names, split.training.y, split.validation
    learn = ~np.isin(names, held.names)
    model = MultinomialNB().fit(count.fit_transform(names[learn]), y[learn])
    found = evidence(model, count.transform(held.names))
    score = found[0] + found[1]
    says = np.exp(score.max(axis=1) - np.logaddexp.reduce(score, axis=1))
    right = score.argmax(axis=1) == held.y
    return best_k(found, held.y), found[2].mean() + 1, right.mean(), says.mean()

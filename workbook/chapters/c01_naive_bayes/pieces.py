"""Chapter 01: what the pieces of a name say of its class, as all other names count them."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import numpy as np

from nbcore.datasets import load_names

from .experiment import all_pieces, apart

__all__ = ["APART", "CUTS", "EDGES", "OVERLAP", "count_pieces", "heap_names", "name_votes"]

OVERLAP, APART = 0, 1
CUTS = all_pieces, apart
EDGES = np.arange(-21, 22, 2)  # of the log odds, for the heap of names


@lru_cache(maxsize=2)
def count_pieces(cut: int) -> tuple[dict[str, int], list[Counter], list[int], int]:
    """Return the class of every name on one list; of all their pieces: counts and totals by class, how many differ."""
    names, counts = load_names(both_lists=False), [Counter(), Counter()]
    for name, sex in zip(names.data, names.target, strict=True):
        counts[sex].update(CUTS[cut](name))
    sexes = dict(zip(names.data.tolist(), names.target.tolist(), strict=True))
    return sexes, counts, [each.total() for each in counts], len(counts[0] | counts[1])


def name_votes(name: str, cut: int) -> dict[str, float]:
    """Return the log odds of male of each piece of a name, alpha = 1, as all other names count them."""
    sexes, counts, totals, size = count_pieces(cut)
    own = Counter(CUTS[cut](name))
    mine = [own if sexes.get(name) == sex else Counter() for sex in (0, 1)]
    total = [totals[sex] - mine[sex].total() for sex in (0, 1)]
    left = {piece: [counts[sex][piece] - mine[sex][piece] for sex in (0, 1)] for piece in own}
    size -= sum(not any(pair) and any(each[piece] for each in counts) for piece, pair in left.items())
    return {piece: own[piece] * float(np.log((m + 1) / (f + 1) * (total[0] + size) / (total[1] + size)))
            for piece, (f, m) in left.items() if f or m}  # fmt: skip


@lru_cache(maxsize=2)
def heap_names(cut: int) -> np.ndarray:
    """Return how many names of either class have log odds in each interval, (2, intervals)."""
    odds = [[], []]
    for name, sex in count_pieces(cut)[0].items():
        odds[sex].append(np.clip(sum(name_votes(name, cut).values()), EDGES[0], EDGES[-1]))
    return np.array([np.histogram(own, EDGES)[0] for own in odds])

"""Choose the states of an explorer that the site holds: as many as fit, by one rule for all explorers.

The states of interest are the default, those in which notebooks start it, and the presets. Around them, as far as the
room goes: one control moved; two controls moved, one of them a choice; two controls moved, one of them in steps of 64,
32, ..., 2 and 1 values; at last the whole grid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import inf, prod

__all__ = ["Place", "Scale", "coverages", "grid"]

Place = tuple[int, ...]  # of each control the index of its value
STEPS = 64, 32, 16, 8, 4, 2, 1
WHOLE = "the whole grid"


@dataclass(frozen=True)
class Scale:
    """A control: the count of its values, and whether they are ordered, so that larger steps make sense."""

    count: int
    ordered: bool = True

    def every(self, step: int, start: int) -> range:
        """Return the index of every `step`-th value, such that `start` is among them."""
        return range(start % step, self.count, step) if self.ordered else range(self.count)


def coverages(
    scales: Sequence[Scale],
    first: Sequence[Place],
    more: Sequence[Place],
    active: Callable[[int, Place], bool],
    most: float = inf,
) -> Iterator[tuple[str, list[Place]]]:
    """Yield (name, places) from the smallest coverage to the largest; each begins with the one before it.

    first: the default and the notebooks' states; more: presets; active(k, place): control k can be moved; most: places.
    """
    bases = _once([*first, *more])
    found = dict.fromkeys(bases)
    yield "its presets", list(found)
    rules = {
        "one control away from where it starts": lambda: _one(scales, _once(first)),
        "one control": lambda: _one(scales, bases),
        "two controls, one of them a choice": lambda: _two(scales, bases, None),
    }
    for step in STEPS:
        name = f"two controls, one in steps of {step}" if step > 1 else "any two controls"
        rules[name] = lambda step=step: _two(scales, bases, step)
    for name, rule in rules.items():
        before = len(found)
        found |= dict.fromkeys(place for place, moved in rule() if all(active(k, place) for k in moved))
        if len(found) > most:
            return
        if len(found) > before:
            yield name, list(found)
    if len(found) < grid(scales) <= most:
        yield WHOLE, list(found | dict.fromkeys(product(*(range(scale.count) for scale in scales))))


def grid(scales: Sequence[Scale]) -> int:
    """Count the states of the whole grid."""
    return prod(scale.count for scale in scales)


def _once(places: Sequence[Place]) -> list[Place]:
    return list(dict.fromkeys(places))


def _moved(base: Place, changes: dict[int, int]) -> Place:
    return tuple(changes.get(k, at) for k, at in enumerate(base))


def _one(scales, bases) -> Iterator[tuple[Place, tuple[int, ...]]]:
    """Yield places with one control moved, and its number."""
    for base in bases:
        for k, scale in enumerate(scales):
            for at in range(scale.count):
                yield _moved(base, {k: at}), (k,)


def _two(scales, bases, step) -> Iterator[tuple[Place, tuple[int, ...]]]:
    """Yield places with two controls moved: one anywhere, the other in steps; without a step the other is a choice."""
    for base in bases:
        for pair in combinations(range(len(scales)), 2):
            for free, other in (pair, pair[::-1]):
                if step is None and scales[other].ordered:
                    continue
                for b in scales[other].every(step or 1, base[other]):
                    for a in range(scales[free].count):
                        yield _moved(base, {free: a, other: b}), pair

"""A pack of an explorer as small as can be: where it starts, and every control one step away."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from functools import cached_property

from workbook.site.packs.catalog import Catalog, Place
from workbook.site.packs.frames import Packer
from workbook.site.packs.starts import explorer_classes, starts

from .reader import Frames


class Steps:
    """What `toy.write` writes of an explorer: frames of the kernel's code, packed as the site packs them.

    moves: place -> {name of a control: the place one step away}; every control with a choice is moved from one place.
    """

    def __init__(self, name: str):
        self.name, self.catalog = name, Catalog(explorer_classes()[name], starts()[name])
        self.id, start = next(iter(starts()[name].items()))
        self.starts, self.begin = {self.id: start}, self.catalog.place(start)
        self.kernel = {self.begin: self.catalog.frame(self.begin)}
        self.moves: dict[Place, dict[str, Place]] = {}
        for number in range(len(self.names)):
            if self.count(number) == 1:
                continue
            base, place = self._move(number)
            self.moves.setdefault(base, {})[self.names[number]] = place
            self.kernel |= {at: self.catalog.frame(at) for at in (base, place) if at not in self.kernel}

    @property
    def names(self) -> list[str]:
        return list(self.catalog.values)

    def count(self, number: int) -> int:
        """Return how many values a control has."""
        return len(self.catalog.values[self.names[number]])

    def _move(self, number: int) -> tuple[Place, Place]:
        """Where a control is moved, and where to; if that can be had without slow work, there."""
        found = list(self._movable(number))
        ready = (pair for pair in found if all(self._ready(place) for place in pair))
        return next(ready, found[0])

    def _movable(self, number: int) -> Iterator[tuple[Place, Place]]:
        state, last = self.catalog.explorer.state, self.count(number) - 1
        for base in (self.begin, *map(self.catalog.place, (state, *self._presets()))):
            step = 1 if base[number] < last else -1
            yield base, tuple(at + step * (k == number) for k, at in enumerate(base))

    def _presets(self) -> list[dict]:
        return [state for *_, state in self.catalog.presets]

    def _ready(self, place: Place) -> bool:
        return place in self.kernel or self.catalog.explorer.pending(**self.catalog.state(place)) is None

    @cached_property
    def _packed(self) -> bytes:
        packer = Packer()
        for place, frame in self.kernel.items():
            packer.add(place, frame)
        return packer.to_bytes(self.catalog.about())

    @cached_property
    def frames(self) -> Frames:
        """The pack, read by Python."""
        return Frames(self._packed)

    def text(self) -> str:
        return f'NB.pack("{self.name}", "{b64encode(self._packed).decode()}");'

"""Many frames of one explorer as one blob of bytes, each distinct leaf once; and one frame back."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from workbook.site.columns import Column, Store, leaf_of, read, stored
from workbook.site.grain import Grain, Path, grains
from workbook.site.leaves import HOLE, cut, filled

__all__ = ["Frames", "Packer"]

INLINE = ("value", "text", "texts", "number")  # kinds that stand in the tree itself where they never change


class Packer:
    """Collects frames; `packed` gives all of them so far as bytes."""

    def __init__(self):
        self._columns: dict[Path, Column] = {}
        self._shapes: dict[tuple[Path, ...], int] = {}
        self._shape_of: list[int] = []
        self._places: dict[tuple[int, ...], int] = {}

    def __contains__(self, place: Sequence[int]) -> bool:
        return tuple(place) in self._places

    def add(self, place: Sequence[int], frame: dict) -> None:
        """Cut the frame of a place into its leaves and keep the new ones."""
        number = self._places.setdefault(tuple(place), len(self._places))
        grain, none = grains(frame["figure"]), Grain()
        paths = []
        for path, leaf in cut(frame):
            fine = grain(path[1:]) if path[0] == "figure" and isinstance(leaf[1], np.ndarray) else none
            self._columns.setdefault(path, Column()).add(number, leaf, fine)
            paths.append(path)
        self._shape_of.append(self._shapes.setdefault(tuple(paths), len(self._shapes)))

    def packed(self, about: dict) -> bytes:
        """Gzipped: the length of a JSON text, the text (`about` and where all is), then tables of whole numbers."""
        store, columns, numbers, stands = Store(), [], {}, {}
        for path, column in self._columns.items():
            kind, value, _ = column.leaves[0]
            if column.constant and kind in INLINE:
                stands[path] = _plain(value[0]) if kind == "number" else value
                continue
            if column.identity not in numbers:
                numbers[column.identity] = len(columns)
                columns.append(stored(column, len(self._places), store))
            stands[path] = {HOLE: numbers[column.identity]}
        head = about | {
            "places": store.table(np.array(list(self._places)).T),
            "shapes": store.table(np.array([self._shape_of])),
            "trees": [_tree({path: stands[path] for path in paths}) for paths in self._shapes],
            "columns": columns,
        }
        text = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode()
        return gzip.compress(len(text).to_bytes(4, "little") + text + b"".join(store.parts), 9, mtime=0)


def _plain(number: float) -> int | float:
    return int(number) if number == int(number) else float(number)


def _tree(leaves: dict[Path, Any]) -> Any:
    """The tree that has these leaves."""
    if set(leaves) == {()}:
        return leaves[()]
    branches: dict[str | int, dict] = {}
    for (first, *rest), leaf in leaves.items():
        branches.setdefault(first, {})[tuple(rest)] = leaf
    made = {name: _tree(branch) for name, branch in branches.items()}
    return list(made.values()) if all(isinstance(name, int) for name in made) else made


class Frames:
    """What a `Packer` made, to be read as the page reads it."""

    def __init__(self, packed: bytes):
        data = gzip.decompress(packed)
        end = 4 + int.from_bytes(data[:4], "little")
        self.head, self.data = json.loads(data[4:end]), data[end:]

    @cached_property
    def places(self) -> list[tuple[int, ...]]:
        return [tuple(map(int, place)) for place in read(self.head["places"], self.data).T]

    @cached_property
    def _shapes(self) -> np.ndarray:
        return read(self.head["shapes"], self.data)[0]

    def __getitem__(self, place: Sequence[int]) -> dict:
        """The frame of a place; KeyError if it is not there."""
        number = self._number[tuple(place)]
        columns = self.head["columns"]
        return filled(self.head["trees"][self._shapes[number]], lambda k: leaf_of(columns[k], number, self.data))

    @cached_property
    def _number(self) -> dict[tuple[int, ...], int]:
        return {place: number for number, place in enumerate(self.places)}

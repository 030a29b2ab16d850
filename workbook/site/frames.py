"""Many frames of one explorer as one blob of bytes, each distinct leaf once; and one frame back."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from workbook.site.columns import Column, Store, _read, leaf_of, stored
from workbook.site.grain import Grain, Path, grains
from workbook.site.leaves import HOLE, cut, filled

__all__ = ["Frames", "packed_frames"]

INLINE = ("value", "number")  # kinds that stand in the tree itself where they never change


def packed_frames(frames: Iterable[tuple[Sequence[int], dict]], about: dict) -> bytes:
    """(place, frame) pairs -> gzipped bytes: the length of a JSON text, the text, then tables of whole numbers."""
    columns: dict[Path, Column] = {}
    shapes: dict[tuple[Path, ...], int] = {}
    shape_of, places = [], []
    for number, (place, frame) in enumerate(frames):
        grain = grains(frame["figure"])
        paths = []
        for path, leaf in cut(frame):
            fine = grain(path[1:]) if path[0] == "figure" and leaf[0] != "value" else Grain()
            columns.setdefault(path, Column()).add(number, leaf, fine)
            paths.append(path)
        shape_of.append(shapes.setdefault(tuple(paths), len(shapes)))
        places.append(place)
    store, kept, same = Store(), [], {}
    holes = {}
    for path, column in columns.items():
        if column.constant and column.leaves[0][0] in INLINE:
            continue
        if column.identity not in same:
            same[column.identity] = len(kept)
            kept.append(stored(column, len(places), store))
        holes[path] = {HOLE: same[column.identity]}
    inline = {path: column.leaves[0] for path, column in columns.items() if path not in holes}
    values = {path: value if kind == "value" else _plain(value[0]) for path, (kind, value, _) in inline.items()}
    trees = [_tree({path: holes.get(path, values.get(path)) for path in paths}) for paths in shapes]
    head = about | {
        "places": store.table(np.array(places, dtype=int).reshape(len(places), -1).T),
        "shapes": store.table(np.array([shape_of])),
        "trees": trees,
        "columns": kept,
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
    """What `packed_frames` made, to be read as the page reads it."""

    def __init__(self, packed: bytes):
        data = gzip.decompress(packed)
        end = 4 + int.from_bytes(data[:4], "little")
        self.head, self.data = json.loads(data[4:end]), data[end:]

    @cached_property
    def places(self) -> list[tuple[int, ...]]:
        return [tuple(map(int, place)) for place in _read(self.head["places"], self.data).T]

    @cached_property
    def _shapes(self) -> np.ndarray:
        return _read(self.head["shapes"], self.data)[0]

    def __getitem__(self, place: Sequence[int]) -> dict:
        """The frame of a place; KeyError if it is not there."""
        number = self._number[tuple(place)]
        columns = self.head["columns"]
        return filled(self.head["trees"][self._shapes[number]], lambda k: leaf_of(columns[k], number, self.data))

    @cached_property
    def _number(self) -> dict[tuple[int, ...], int]:
        return {place: number for number, place in enumerate(self.places)}

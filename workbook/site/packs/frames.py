"""Many frames of one explorer as one blob of bytes, each distinct leaf once; and one frame back."""

from __future__ import annotations

import gzip
import json
from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from workbook.site.packs.columns import Column, Store, Stored, read, stored
from workbook.site.packs.grain import Grain, Path, grains
from workbook.site.packs.leaves import HOLE, cut, filled

__all__ = ["Frames", "Packer"]

TABLES = "places", "shapes", "trees", "columns"
PLAIN = Grain()
INLINE = ("value", "text", "texts", "number")  # kinds that stand in the tree itself where they never change


class Packer:
    """Collects frames; `packed` gives all of them so far as bytes."""

    def __init__(self):
        self._columns: dict[Path, Column] = {}
        self._paths: dict[tuple[Path, ...], int] = {}  # of a part
        self._shapes: dict[tuple[int, ...], int] = {}  # of a frame: those of its parts
        self._shape_of: list[int] = []
        self._places: dict[tuple[int, ...], int] = {}
        self._last: dict[Path, tuple[int, Any, int]] = {}  # which axes a part last had, the part, its paths
        self._axes, self._turn = {}, 0  # the axes, and how many times they have changed

    def __contains__(self, place: Sequence[int]) -> bool:
        return tuple(place) in self._places

    def add(self, place: Sequence[int], frame: dict) -> None:
        """Cut the frame of a place into its leaves and keep the new ones."""
        number = self._places.setdefault(tuple(place), len(self._places))
        axes = {name: axis for name, axis in frame["figure"]["layout"].items() if name[1:5] == "axis"}
        self._turn += axes != self._axes  # where they changed, all is cut as fine as the new ones ask for
        self._axes = axes
        grain, shape = grains(frame["figure"]), []
        for path, part in _parts(frame):
            turn, last, paths = self._last.get(path, (-1, None, 0))
            if turn != self._turn or part != last:
                paths = self._cut(number, path, part, grain)
                self._last[path] = self._turn, part, paths
            shape.append(paths)
        self._shape_of.append(self._shapes.setdefault(tuple(shape), len(self._shapes)))

    def _cut(self, number: int, path: Path, part: Any, grain: Callable[[Path], Grain]) -> int:
        found = []
        for at, leaf in cut(part, path):
            fine = grain(at[1:]) if at[0] == "figure" and isinstance(leaf[1], np.ndarray) else PLAIN
            self._columns.setdefault(at, Column()).add(number, leaf, fine)
            found.append(at)
        return self._paths.setdefault(tuple(found), len(self._paths))

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
        paths = list(self._paths)
        head = about | {
            "places": store.table(np.array(list(self._places)).T),
            "shapes": store.table(np.array([self._shape_of])),
            "trees": [_tree({path: stands[path] for part in shape for path in paths[part]}) for shape in self._shapes],
            "columns": columns,
        }
        text = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode()
        return gzip.compress(len(text).to_bytes(4, "little") + text + b"".join(store.parts), 9, mtime=0)


def _parts(frame: dict) -> Iterator[tuple[Path, Any]]:
    """What is compared with the frame before as a whole: a trace, an axis, a term of the equation."""
    for name, item in frame.items():
        if name == "figure":
            yield from (((name, *path), part) for path, part in _branches(item, 2))
        else:
            yield (name,), item


def _branches(tree: Any, depth: int) -> Iterator[tuple[Path, Any]]:
    """What hangs so far down, and what ends before."""
    if not depth or not tree or not isinstance(tree, dict | list):
        yield (), tree
        return
    for name, item in tree.items() if isinstance(tree, dict) else enumerate(tree):
        yield from (((name, *path), part) for path, part in _branches(item, depth - 1))


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

    @classmethod
    def of_script(cls, text: str) -> Frames:
        """Out of `packs/Name.js`."""
        return cls(b64decode(text.split('"')[3]))

    @property
    def about(self) -> dict:
        """All but the frames: controls, presets, starts, title, doc."""
        return {name: value for name, value in self.head.items() if name not in TABLES}

    @cached_property
    def places(self) -> list[tuple[int, ...]]:
        return [tuple(map(int, place)) for place in read(self.head["places"], self.data).T]

    @cached_property
    def _shapes(self) -> np.ndarray:
        return read(self.head["shapes"], self.data)[0]

    def __getitem__(self, place: Sequence[int]) -> dict:
        """The frame of a place; KeyError if it is not there."""
        number = self._number[tuple(place)]
        return filled(self.head["trees"][self._shapes[number]], lambda k: self._columns[k][number])

    @cached_property
    def _columns(self) -> list[Stored]:
        return [Stored(column, self.data) for column in self.head["columns"]]

    @cached_property
    def _number(self) -> dict[tuple[int, ...], int]:
        return {place: number for number, place in enumerate(self.places)}

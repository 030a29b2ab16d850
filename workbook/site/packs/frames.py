"""Many frames of one explorer as one JSON text: each distinct leaf of their trees once, gzipped."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from workbook.site.packs.encoding import encode_numbers, encode_rows
from workbook.site.packs.precision import Path, Precision, joined, precisions

__all__ = ["HOLE", "Packer", "leaves_of"]

HOLE = "$"  # {"$": 3} in a tree: the leaf of column 3 stands here
KINDS = "array", "list", "number"  # kinds of leaves that hold numbers

# Its kind, its value, and its shape. Of numbers: "array", "list", "number" with a float array; else "value".
Leaf = tuple[str, Any, tuple[int, ...]]


class Packer:
    """Collects frames; `to_bytes` packs all that were added."""

    def __init__(self):
        self._columns: dict[Path, Column] = {}
        self._paths: dict[tuple[Path, ...], int] = {}  # of the leaves of a part
        self._shapes: dict[tuple[int, ...], int] = {}  # of a frame: the numbers of its parts' paths
        self._shape_of: list[int] = []
        self._places: dict[tuple[int, ...], int] = {}
        self._last: dict[Path, tuple[int, Any, int]] = {}  # which axes a part last had, the part, its paths
        self._axes, self._turn = {}, 0  # the axes, and how many times they have changed

    def __contains__(self, place: Sequence[int]) -> bool:
        return tuple(place) in self._places

    def add(self, place: Sequence[int], frame: dict) -> None:
        """Cut the frame of a place into leaves and keep the new ones."""
        number = self._places.setdefault(tuple(place), len(self._places))
        axes = {name: axis for name, axis in frame["figure"]["layout"].items() if name[1:5] == "axis"}
        self._turn += axes != self._axes  # where they changed, all is cut as finely as the new ones ask for
        self._axes = axes
        precision, shape = precisions(frame["figure"]), []
        for path, part in _parts(frame):
            turn, last, paths = self._last.get(path, (-1, None, 0))
            if turn != self._turn or part != last:
                paths = self._cut(number, path, part, precision)
                self._last[path] = self._turn, part, paths
            shape.append(paths)
        self._shape_of.append(self._shapes.setdefault(tuple(shape), len(self._shapes)))

    def _cut(self, number: int, path: Path, part: Any, precision: Callable[[Path], Precision]) -> int:
        found = []
        for at, leaf in leaves_of(part, path):
            wanted = precision(at[1:]) if at[0] == "figure" and leaf[0] in KINDS else Precision()
            self._columns.setdefault(at, Column()).add(number, leaf, wanted)
            found.append(at)
        return self._paths.setdefault(tuple(found), len(self._paths))

    def to_bytes(self, about: dict) -> bytes:
        """Return a gzipped JSON object: the entries of `about`, and all frames that were added."""
        count, columns, numbers, holes, ids = len(self._places), [], {}, {}, {}
        for path, column in self._columns.items():
            kind, value, _ = column.leaves[0]
            if len(column.leaves) == 1 and kind != "array":
                holes[path] = value if kind == "value" else _plain_numbers(kind, value)
                continue
            if column.identity not in numbers:
                numbers[column.identity] = len(columns)
                parts, of_frame = column.encode(count)
                columns.append({"parts": parts, "ids": ids.setdefault(tuple(encode_rows(of_frame[None])), len(ids))})
            holes[path] = {HOLE: numbers[column.identity]}
        paths = list(self._paths)
        trees = [_tree_of({path: holes[path] for part in shape for path in paths[part]}) for shape in self._shapes]
        places = encode_rows(np.array(list(self._places)).T.reshape(-1, count))
        found = about | {"count": count, "places": places, "shapes": self._shape_of, "trees": trees}
        text = json.dumps(found | {"ids": list(ids), "columns": columns}, ensure_ascii=False, separators=(",", ":"))
        return gzip.compress(text.encode(), 9, mtime=0)


class Column:
    """The leaves at one place of the tree, each distinct one once, and which one each frame has."""

    def __init__(self):
        self.known: dict[Any, int] = {}
        self.leaves: list[Leaf] = []
        self.changes: dict[int, int] = {}  # frame -> number of the leaf from there on
        self.last = -1
        self.precision: Precision | None = None

    def add(self, frame: int, leaf: Leaf, precision: Precision) -> None:
        """Record the leaf that the column has from this frame on."""
        kind, value, shape = leaf
        key = (kind, shape, value.tobytes() if kind in KINDS else repr(value))
        if key not in self.known:
            self.known[key] = len(self.leaves)
            self.leaves.append(leaf)
        if self.last != self.known[key]:
            self.last = self.changes[frame] = self.known[key]
        if kind in KINDS:
            self.precision = joined(self.precision, precision) if self.precision else precision

    @property
    def identity(self) -> tuple:
        """Return a key that is equal for two columns with equal leaves in every frame and equal precision."""
        return tuple(self.known), tuple(self.changes.items()), self.precision

    def encode(self, frames: int) -> tuple[list[dict], np.ndarray]:
        """Return the leaves for JSON, those of one kind and shape together, and the number of each frame's leaf."""
        kinds: dict[tuple, list[int]] = {}
        for number, (kind, _, shape) in enumerate(self.leaves):
            kinds.setdefault((kind, shape), []).append(number)
        parts, order = [], {}
        for (kind, shape), numbers in kinds.items():
            order |= {number: len(order) + k for k, number in enumerate(numbers)}
            values = [self.leaves[number][1] for number in numbers]
            part = {"kind": kind, "count": len(values)}
            if kind in KINDS:
                part |= {"shape": shape} | encode_numbers(np.array(values).reshape(len(values), -1), self.precision)
            parts.append(part if kind in KINDS else part | {"values": values})
        found, last = np.zeros(frames, dtype=int), 0
        for frame in range(frames):
            last = found[frame] = order[self.changes[frame]] if frame in self.changes else last
        return parts, found


def leaves_of(tree: Any, path: Path = ()) -> Iterator[tuple[Path, Leaf]]:
    """Yield the leaves of a tree with their paths, in its order; an empty dict or list is a leaf."""
    if isinstance(tree, dict) and "bdata" in tree:
        numbers = np.frombuffer(tree["bdata"], dtype=f"<{tree['dtype']}").astype(float)
        yield path, ("array", numbers, tuple(map(int, tree.get("shape", str(len(numbers))).split(","))))
    elif isinstance(tree, dict) and tree:
        for name, item in tree.items():
            yield from leaves_of(item, (*path, name))
    elif isinstance(tree, list) and any(isinstance(item, dict | list) for item in tree):
        for number, item in enumerate(tree):
            yield from leaves_of(item, (*path, number))
    elif isinstance(tree, list) and tree and all(type(item) in (int, float) for item in tree):
        yield path, ("list", np.array(tree, dtype=float), (len(tree),))
    elif type(tree) in (int, float):
        yield path, ("number", np.array([tree], dtype=float), (1,))
    else:
        yield path, ("value", tree, ())


def _parts(frame: dict) -> Iterator[tuple[Path, Any]]:
    """Yield what is compared as a whole with the frame before: a trace, an axis, a term of the equation."""
    for name, item in frame.items():
        if name == "figure":
            yield from (((name, *path), part) for path, part in _branches(item, 2))
        else:
            yield (name,), item


def _branches(tree: Any, depth: int) -> Iterator[tuple[Path, Any]]:
    """Yield the branches of a tree at a depth, and the leaves above it."""
    if not depth or not tree or not isinstance(tree, dict | list):
        yield (), tree
        return
    for name, item in tree.items() if isinstance(tree, dict) else enumerate(tree):
        yield from (((name, *path), part) for path, part in _branches(item, depth - 1))


def _plain_numbers(kind: str, numbers: np.ndarray) -> Any:
    """Return a leaf of numbers as it stood in the frame, a whole number as an int."""
    plain = [int(number) if number == int(number) else float(number) for number in numbers]
    return plain if kind == "list" else plain[0]


def _tree_of(leaves: dict[Path, Any]) -> Any:
    """Build the tree that has these leaves at these paths."""
    if set(leaves) == {()}:
        return leaves[()]
    branches: dict[str | int, dict] = {}
    for (first, *rest), leaf in leaves.items():
        branches.setdefault(first, {})[tuple(rest)] = leaf
    built = {name: _tree_of(branch) for name, branch in branches.items()}
    return list(built.values()) if all(isinstance(name, int) for name in built) else built

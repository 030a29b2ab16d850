"""The leaves that stand at one place of the tree, in frame after frame: each distinct one once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from workbook.site.grain import Grain, joined
from workbook.site.leaves import Leaf
from workbook.site.planes import packed, unpacked
from workbook.site.whole import as_numbers, as_whole

__all__ = ["Column", "Store", "leaf_of", "stored"]


class Store:
    """Bytes one after the other; `put` returns where they stand."""

    def __init__(self):
        self.parts: list[bytes] = []
        self.end = 0

    def put(self, data: bytes) -> tuple[int, int]:
        start, self.end = self.end, self.end + len(data)
        self.parts.append(data)
        return start, len(data)

    def table(self, whole: np.ndarray) -> list:
        """A table of whole numbers: [way, width, start, length, rows, columns]."""
        way, width, data = packed(whole)
        return [way, width, *self.put(data), *whole.shape]


class Column:
    """Distinct leaves, and which one each frame has."""

    def __init__(self):
        self.known: dict[Any, int] = {}
        self.leaves: list[Leaf] = []
        self.which: dict[int, int] = {}  # frame -> number of the leaf
        self.grain: Grain | None = None

    def add(self, frame: int, leaf: Leaf, grain: Grain) -> None:
        kind, value, shape = leaf
        key = (kind, shape, value.tobytes()) if kind != "value" else (kind, repr(value))
        if key not in self.known:
            self.known[key] = len(self.leaves)
            self.leaves.append(leaf)
        self.which[frame] = self.known[key]
        if kind != "value":
            self.grain = joined(self.grain, grain) if self.grain else grain

    @property
    def identity(self) -> tuple:
        """Equal for two columns that hold the same in the same frames at the same grain."""
        return tuple(self.known), tuple(self.which.items()), self.grain

    @property
    def constant(self) -> bool:
        return len(self.leaves) == 1

    def ids(self, frames: int, order: Sequence[int]) -> np.ndarray:
        """Of each frame the place of its leaf in `order`; a frame without this column has that of the one before."""
        place = np.argsort(order)
        found = np.zeros(frames, dtype=int)
        last = 0
        for frame in range(frames):
            last = found[frame] = place[self.which[frame]] if frame in self.which else last
        return found


def stored(column: Column, frames: int, store: Store) -> dict:
    """A column's description for the pack; its numbers go into the store."""
    kinds: dict[tuple, list[int]] = {}
    for number, (kind, _, shape) in enumerate(column.leaves):
        kinds.setdefault((kind, shape), []).append(number)
    order = [number for numbers in kinds.values() for number in numbers]
    parts = [_part(kind, shape, [column.leaves[k][1] for k in numbers], column.grain, store)
             for (kind, shape), numbers in kinds.items()]  # fmt: skip
    return {"parts": parts, "ids": None if column.constant else store.table(column.ids(frames, order)[None])}


def _part(kind: str, shape: tuple, values: list, grain: Grain | None, store: Store) -> dict:
    part = {"kind": kind, "count": len(values)}
    if kind == "value":
        return part | {"values": values}
    numbers = np.stack(values)
    odd = ~np.isfinite(numbers)
    if odd.any():
        marks = np.select([np.isnan(numbers), numbers > 0], [1, 2], 3) * odd
        part["odd"] = store.table(marks)
        numbers = np.where(odd, 0.0, numbers)
    code, parameter, whole = as_whole(numbers.ravel(), grain)
    part |= {"shape": shape, "code": code, "by": parameter}
    if code == "exact":
        part["table"] = store.put(np.ascontiguousarray(whole.astype("<i8").view(np.uint8).reshape(-1, 8).T).tobytes())
    else:
        part["table"] = store.table(whole.reshape(numbers.shape))
    return part


def leaf_of(column: dict, frame: int, data: bytes) -> Any:
    """The leaf that a frame has in a stored column: an array, a list, a number, or what it was."""
    number = int(_read(column["ids"], data)[0, frame]) if column["ids"] else 0
    for part in column["parts"]:
        if number < part["count"]:
            return part["values"][number] if part["kind"] == "value" else _numbers(part, number, data)
        number -= part["count"]


def _numbers(part: dict, row: int, data: bytes) -> Any:
    numbers = _all_numbers(part, data)[row]
    if part["kind"] == "array":
        return numbers.reshape(part["shape"])
    return numbers.tolist() if part["kind"] == "list" else float(numbers[0])


def _all_numbers(part: dict, data: bytes) -> np.ndarray:
    if part["code"] == "exact":
        start, length = part["table"]
        planes = np.frombuffer(data[start : start + length], dtype=np.uint8).reshape(8, -1)
        whole = np.ascontiguousarray(planes.T).view("<i8").reshape(part["count"], -1)
    else:
        whole = _read(part["table"], data)
    numbers = as_numbers(part["code"], part["by"], whole)
    return np.choose(_read(part["odd"], data), [numbers, np.nan, np.inf, -np.inf]) if "odd" in part else numbers


def _read(table: list, data: bytes) -> np.ndarray:
    way, width, start, length, rows, columns = table
    return unpacked(way, width, data[start : start + length], (rows, columns))

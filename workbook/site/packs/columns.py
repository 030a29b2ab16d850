"""The leaves that stand at one place of the tree, in frame after frame: each distinct one once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from workbook.site.packs.grain import Grain, joined
from workbook.site.packs.leaves import Leaf
from workbook.site.packs.planes import packed, unpacked
from workbook.site.packs.texts import as_templates, as_texts
from workbook.site.packs.whole import as_numbers, as_whole

__all__ = ["Column", "Store", "Stored", "read", "stored"]


class Store:
    """Bytes one after the other; `put` returns where they stand."""

    def __init__(self):
        self.parts: list[bytes] = []
        self.end = 0

    def put(self, data: bytes) -> list[int]:
        start, self.end = self.end, self.end + len(data)
        self.parts.append(data)
        return [start, len(data)]

    def table(self, whole: np.ndarray, line: int = 1) -> list:
        """A table of whole numbers: [way, bytes a number, line, rows, columns, start, length]."""
        way, width, data = packed(whole, line)
        return [way, width, line, *whole.shape, *self.put(data)]


def read(table: list, data: bytes) -> np.ndarray:
    """What `Store.table` put there."""
    way, width, line, rows, columns, start, length = table
    return unpacked(way, width, data[start : start + length], (rows, columns), line)


class Column:
    """Distinct leaves, and which one each frame has."""

    def __init__(self):
        self.known: dict[Any, int] = {}
        self.leaves: list[Leaf] = []
        self.which: dict[int, int] = {}  # frame -> number of the leaf from there on
        self.last = -1
        self.grain: Grain | None = None

    def add(self, frame: int, leaf: Leaf, grain: Grain) -> None:
        kind, value, shape = leaf
        key = (kind, shape, value.tobytes() if isinstance(value, np.ndarray) else repr(value))
        if key not in self.known:
            self.known[key] = len(self.leaves)
            self.leaves.append(leaf)
        if self.last != self.known[key]:
            self.last = self.which[frame] = self.known[key]
        if isinstance(value, np.ndarray):
            self.grain = joined(self.grain, grain) if self.grain else grain

    @property
    def identity(self) -> tuple:
        """Equal for two columns that hold the same in every frame at the same grain."""
        return tuple(self.known), tuple(self.which.items()), self.grain

    @property
    def constant(self) -> bool:
        return len(self.leaves) == 1

    def ids(self, frames: int, order: Sequence[int]) -> np.ndarray:
        """Of each frame the place of its leaf in `order`."""
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


class Stored:
    """A stored column, to be read."""

    def __init__(self, column: dict, data: bytes):
        self.column, self.data = column, data

    @cached_property
    def _ids(self) -> np.ndarray | None:
        return read(self.column["ids"], self.data)[0] if self.column["ids"] else None

    @cached_property
    def _leaves(self) -> list:
        """Arrays, lists, numbers, texts, and what was neither."""
        return [leaf for part in self.column["parts"] for leaf in READ[part["kind"]](part, self.data)]

    def __getitem__(self, frame: int) -> Any:
        """The leaf that a frame has."""
        return self._leaves[0 if self._ids is None else self._ids[frame]]


def _part(kind: str, shape: tuple, values: list, grain: Grain | None, store: Store) -> dict:
    part = {"kind": kind, "count": len(values), "shape": shape}
    if kind == "value":
        return part | {"values": values}
    if kind in ("text", "texts"):
        return part | _texts([values] if kind == "text" else values, store)
    return part | _numbers(np.stack(values), grain, shape[-1] if len(shape) > 1 else 1, store)


def _texts(rows: list[list[str]], store: Store) -> dict:
    templates, which, numbers = as_templates([text for row in rows for text in row])
    tables = [store.table(table) if table.shape[1] else None for table in numbers]
    return {"templates": templates, "which": store.table(which.reshape(len(rows), -1)), "numbers": tables}


def _numbers(numbers: np.ndarray, grain: Grain | None, line: int, store: Store) -> dict:
    found = {}
    odd = ~np.isfinite(numbers)
    if odd.any():
        found["odd"] = store.table(np.select([np.isnan(numbers), numbers > 0], [1, 2], 3) * odd)
        numbers = np.where(odd, 0.0, numbers)
    code, by, whole = as_whole(numbers.ravel(), grain or Grain())
    if code == "exact":
        table = store.put(np.ascontiguousarray(whole.astype("<i8").view(np.uint8).reshape(-1, 8).T).tobytes())
    else:
        table = store.table(whole.reshape(numbers.shape), line)
    return found | {"code": code, "by": by, "table": table}


def _all_numbers(part: dict, data: bytes) -> np.ndarray:
    if part["code"] == "exact":
        start, length = part["table"]
        planes = np.frombuffer(data[start : start + length], dtype=np.uint8).reshape(8, -1)
        whole = np.ascontiguousarray(planes.T).view("<i8").reshape(part["count"], -1)
    else:
        whole = read(part["table"], data)
    numbers = as_numbers(part["code"], part["by"], whole)
    return np.choose(read(part["odd"], data), [numbers, np.nan, np.inf, -np.inf]) if "odd" in part else numbers


def _all_texts(part: dict, data: bytes) -> list[list[str]]:
    which = read(part["which"], data)
    counts = np.bincount(which.ravel(), minlength=len(part["templates"]))
    numbers = [read(table, data) if table else np.zeros((count, 0))
               for table, count in zip(part["numbers"], counts, strict=True)]  # fmt: skip
    texts = as_texts(part["templates"], which.ravel(), numbers)
    return [texts[k : k + which.shape[1]] for k in range(0, len(texts), which.shape[1])]


READ = {
    "array": lambda part, data: [row.reshape(part["shape"]) for row in _all_numbers(part, data)],
    "list": lambda part, data: _all_numbers(part, data).tolist(),
    "number": lambda part, data: _all_numbers(part, data)[:, 0].tolist(),
    "text": lambda part, data: _all_texts(part, data)[0],
    "texts": lambda part, data: _all_texts(part, data),
    "value": lambda part, data: part["values"],
}

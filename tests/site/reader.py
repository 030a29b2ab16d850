"""A second reader of packs, in Python: what the page decodes by packs.js must be what this decodes."""

from __future__ import annotations

import gzip
import json
from base64 import b64decode
from functools import cached_property
from typing import Any

import numpy as np

from workbook.site.packs.frames import HOLE

FRAMES = "count", "places", "shapes", "trees", "ids", "columns"
ODD = 0.0, np.nan, np.inf, -np.inf


def decode_rows(differences: list[int], columns: int) -> np.ndarray:
    return np.array(differences).reshape(-1, columns).cumsum(axis=0).cumsum(axis=1)


def decode_numbers(part: dict) -> np.ndarray:
    """The numbers of a part: a row for each leaf."""
    size = int(np.prod(part["shape"]))
    unit, rows = part["unit"], part["rows"]
    numbers = decode_rows(rows, size) / unit if unit else np.array(rows, dtype=float).reshape(-1, size)
    return np.choose(decode_rows(part["odd"], size), [numbers, *ODD[1:]]) if "odd" in part else numbers


class Frames:
    """The frames of a pack, by place."""

    def __init__(self, packed: bytes):
        self.pack = json.loads(gzip.decompress(packed))
        self.about = {name: value for name, value in self.pack.items() if name not in FRAMES}
        columns = decode_rows(self.pack["places"], self.pack["count"])
        self.places = [tuple(map(int, place)) for place in columns.T]

    @classmethod
    def of_script(cls, text: str) -> Frames:
        """Out of `packs/Name.js`."""
        return cls(b64decode(text.split('"')[3]))

    def __getitem__(self, place: tuple[int, ...]) -> dict:
        number = self.places.index(tuple(place))
        return self._filled(self.pack["trees"][self.pack["shapes"][number]], number)

    def _filled(self, tree: Any, frame: int) -> Any:
        if isinstance(tree, dict) and HOLE in tree:
            leaves, ids = self._columns[tree[HOLE]]
            return leaves[ids[frame]]
        if isinstance(tree, dict):
            return {name: self._filled(item, frame) for name, item in tree.items()}
        return [self._filled(item, frame) for item in tree] if isinstance(tree, list) else tree

    @cached_property
    def _columns(self) -> list[tuple[list, np.ndarray]]:
        ids = [decode_rows(differences, self.pack["count"])[0] for differences in self.pack["ids"]]
        return [([leaf for part in column["parts"] for leaf in _leaves(part)], ids[column["ids"]])
                for column in self.pack["columns"]]  # fmt: skip


def _leaves(part: dict) -> list:
    if part["kind"] == "value":
        return part["values"]
    rows = decode_numbers(part)
    if part["kind"] == "array":
        return [row.reshape(part["shape"]) for row in rows]
    return rows.tolist() if part["kind"] == "list" else rows[:, 0].tolist()

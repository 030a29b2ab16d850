"""Tables of whole numbers as bytes that gzip well: differences, small numbers for small differences, byte by byte."""

from __future__ import annotations

import zlib

import numpy as np

__all__ = ["packed", "unpacked"]

WAYS = "", "d", "a", "da"  # differences down the rows, along them, both
ALL = 60_000  # numbers: where there are more, a part of the table decides which way is best


def packed(table: np.ndarray) -> tuple[str, int, bytes]:
    """(n, m) whole numbers that fit 32 bits -> way, bytes a number, bytes."""
    table = table.astype(np.int64)
    some = table[: max(2, ALL // max(1, table.shape[1]))]
    ways = WAYS if table.shape[0] > 1 and table.shape[1] > 1 else ("", "d") if table.shape[0] > 1 else ("", "a")
    way = min(ways, key=lambda way: len(zlib.compress(_planes(_differences(some, way))[1], 6)))
    return way, *_planes(_differences(table, way))


def unpacked(way: str, width: int, data: bytes, shape: tuple[int, int]) -> np.ndarray:
    """The table again."""
    planes = np.frombuffer(data, dtype=np.uint8).reshape(width, -1).astype(np.uint32)
    folded = np.bitwise_or.reduce([plane << np.uint32(8 * k) for k, plane in enumerate(planes)], axis=0)
    table = ((folded >> 1) ^ (0 - (folded & 1)).astype(np.uint32)).view(np.int32).reshape(shape)
    for letter in reversed(way):
        table = np.cumsum(table, axis="da".index(letter), dtype=np.int32)
    return table.astype(np.int64)


def _differences(table: np.ndarray, way: str) -> np.ndarray:
    for letter in way:
        table = np.diff(table, axis="da".index(letter), prepend=0)
    return table.astype(np.int32)  # what is too large comes around, there and back


def _planes(table: np.ndarray) -> tuple[int, bytes]:
    """0, -1, 1, -2 -> 0, 1, 2, 3; then all lowest bytes, all second ones, ..."""
    flat = table.ravel()
    folded = ((flat << 1) ^ (flat >> 31)).view(np.uint32)
    width = max(1, -(-int(folded.max(initial=0)).bit_length() // 8))
    return width, np.ascontiguousarray(folded.astype("<u4").view(np.uint8).reshape(-1, 4)[:, :width].T).tobytes()

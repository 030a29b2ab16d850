"""Tables of whole numbers as bytes that gzip well: differences, small numbers for small differences, byte by byte."""

from __future__ import annotations

import zlib

import numpy as np

__all__ = ["packed", "unpacked"]

# What is subtracted: d the row before, a the number before, l the number of the line before (of a picture), in turn.
WAYS = "", "d", "a", "da", "aa", "l", "la"
SOME = 60_000  # numbers: of a larger table a part decides which way is best


def packed(table: np.ndarray, line: int = 1) -> tuple[str, int, bytes]:
    """(n, m) whole numbers that fit 32 bits -> way, bytes a number, bytes. line: a row is a picture of such lines."""
    table = table.astype(np.int64)
    some = table[: max(2, SOME // max(1, table.shape[1]))]
    ways = [way for way in WAYS if _serves(way, table.shape, line)]
    best = min(ways, key=lambda way: len(zlib.compress(_planes(_differences(some, way, line))[1], 6)))
    return best, *_planes(_differences(table, best, line))


def unpacked(way: str, width: int, data: bytes, shape: tuple[int, int], line: int = 1) -> np.ndarray:
    """The table again."""
    planes = np.frombuffer(data, dtype=np.uint8).reshape(width, -1).astype(np.uint32)
    folded = np.bitwise_or.reduce([plane << np.uint32(8 * k) for k, plane in enumerate(planes)], axis=0)
    table = ((folded >> 1) ^ (0 - (folded & 1)).astype(np.uint32)).view(np.int32).reshape(shape)
    for letter in reversed(way):
        axis, step = _along(letter, line)
        for k in range(step):
            part = (slice(None),) * axis + (slice(k, None, step),)
            table[part] = np.cumsum(table[part], axis=axis, dtype=np.int32)
    return table.astype(np.int64)


def _serves(way: str, shape: tuple[int, int], line: int) -> bool:
    rows, columns = shape
    return (rows > 1 or "d" not in way) and (columns > 1 or "a" not in way) and (1 < line < columns or "l" not in way)


def _along(letter: str, line: int) -> tuple[int, int]:
    return (0, 1) if letter == "d" else (1, 1 if letter == "a" else line)


def _differences(table: np.ndarray, way: str, line: int) -> np.ndarray:
    for letter in way:
        axis, step = _along(letter, line)
        before = np.roll(table, step, axis=axis)
        before[(slice(None),) * axis + (slice(step),)] = 0
        table = table - before
    return table.astype(np.int32)  # what is too large comes around, there and back


def _planes(table: np.ndarray) -> tuple[int, bytes]:
    """0, -1, 1, -2 -> 0, 1, 2, 3; then all lowest bytes, all second ones, ..."""
    flat = table.ravel()
    folded = ((flat << 1) ^ (flat >> 31)).view(np.uint32)
    width = max(1, -(-int(folded.max(initial=0)).bit_length() // 8))
    return width, np.ascontiguousarray(folded.astype("<u4").view(np.uint8).reshape(-1, 4)[:, :width].T).tobytes()

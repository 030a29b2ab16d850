"""Encoding of values for the page: arrays as a type and their bytes, numbers that JSON lacks as null."""

from __future__ import annotations

from base64 import b64encode
from math import isfinite
from typing import Any

import numpy as np

__all__ = ["as_text", "encode_array", "encode_values"]

WHOLE = ("i1", "i2", "i4")


def encode_values(value: Any) -> Any:
    """Convert a figure to JSON types and bytes, in one pass: arrays are encoded, NaN and infinity become None."""
    if isinstance(value, dict):
        return {name: encode_values(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [encode_values(item) for item in value]
    if isinstance(value, np.ndarray):
        return encode_array(value)
    value = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(value, float) and not isfinite(value) else value


def encode_array(array: np.ndarray) -> dict | list:
    """Encode an array of numbers as plotly does, with little-endian bytes for base64; return other arrays as lists."""
    if array.dtype.kind not in "fiu" or not array.size:
        return encode_values(array.tolist())
    kind = array.dtype.str[1:]
    if array.dtype.kind in "iu":
        low, high = array.min(), array.max()
        kind = next((k for k in WHOLE if np.iinfo(k).min <= low and high <= np.iinfo(k).max), "f8")
    elif kind != "f4":
        kind = "f8"
    found = {"dtype": kind, "bdata": array.astype(f"<{kind}").tobytes()}
    return found | {"shape": ", ".join(map(str, array.shape))} if array.ndim > 1 else found


def as_text(value: Any) -> Any:
    """Replace the bytes in an encoded figure by base64, for a page that receives text only."""
    if isinstance(value, dict):
        return {name: as_text(item) for name, item in value.items()}
    if isinstance(value, list):
        return [as_text(item) for item in value]
    return b64encode(value).decode() if isinstance(value, bytes) else value

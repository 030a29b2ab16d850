"""How large a saved picture stands on a page."""

from __future__ import annotations

from struct import unpack

__all__ = ["SCALE", "size"]

SCALE = 1.5  # pixels of a saved picture for one of the page


def size(png: bytes) -> tuple[int, int]:
    """Its width and height there."""
    width, height = unpack(">II", png[16:24])
    return round(width / SCALE), round(height / SCALE)

"""How the front doors open: a name is looked up in a table, and only the room it lives in is loaded."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

__all__ = ["opener"]


def opener(door: str, rooms: dict[str, str]) -> tuple[list[str], Callable[[str], object]]:
    """`__all__` and `__getattr__` of the module `door`; rooms: module below `workbook.chapters` -> its names."""
    listed = [(name, room) for room, names in rooms.items() for name in names.split()]
    room_of = dict(listed)
    assert len(room_of) == len(listed), f"{door}: a name of two rooms"

    def get(name: str) -> object:
        if name not in room_of:
            raise AttributeError(f"module {door!r} has no attribute {name!r}; it has {', '.join(sorted(room_of))}")
        return getattr(import_module(f"workbook.chapters.{room_of[name]}"), name)

    return sorted(room_of), get

"""One flat a chapter, named as its notebook; a chapter imports no other. This hall finds a flat by its number."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

__all__ = ["flats", "room"]


@cache
def flats() -> dict[str, str]:
    """Number of every chapter ("05") -> name of its flat ("c05_perplexity_attenuation")."""
    folders = sorted(path.name for path in Path(__file__).parent.glob("c[0-9][0-9]_*") if path.is_dir())
    return {name[1:3]: name for name in folders}


def room(number: str, name: str) -> ModuleType | None:
    """One module of a chapter, such as its "questions" or "claims"; None where the chapter has no such room."""
    path = Path(__file__).parent / flats()[number] / f"{name}.py"
    return import_module(f"{__name__}.{flats()[number]}.{name}") if path.is_file() else None

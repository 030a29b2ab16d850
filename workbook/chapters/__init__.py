"""One package per chapter, named like its notebook; a chapter imports no other.

`chapter_module("05", "questions")` loads a module of one.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

__all__ = ["chapter_module", "chapter_packages"]


@cache
def chapter_packages() -> dict[str, str]:
    """Return number -> name of every chapter's package: "05" -> "c05_perplexity_attenuation"."""
    folders = sorted(path.name for path in Path(__file__).parent.glob("c[0-9][0-9]_*") if path.is_dir())
    return {name[1:3]: name for name in folders}


def chapter_module(number: str, name: str) -> ModuleType | None:
    """Load one module of a chapter, such as its "questions" or "claims"; None where the chapter has none."""
    path = Path(__file__).parent / chapter_packages()[number] / f"{name}.py"
    return import_module(f"{__name__}.{chapter_packages()[number]}.{name}") if path.is_file() else None

"""Finds a chapter's predictions and exercises by key: "02/overcast" stands in the module chapter02."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

PACKAGE = __name__.rpartition(".")[0]


@cache
def chapters() -> list[str]:
    """The chapters that have predictions or exercises, as two digits."""
    names = (module.name for module in pkgutil.iter_modules(import_module(PACKAGE).__path__))
    return sorted(name.removeprefix("chapter") for name in names if name.startswith("chapter"))


def contents(chapter: str) -> dict:
    """Key -> prediction or exercise of one chapter, in the order of the page."""
    return {item.key: item for item in import_module(f"{PACKAGE}.chapter{chapter}").CONTENTS}


def find(key: str, kind: type):
    """The prediction or exercise with this key; ValueError lists the keys there are."""
    chapter = str(key).partition("/")[0]
    known = contents(chapter) if chapter in chapters() else {}
    if not isinstance(known.get(key), kind):
        there = [k for k, item in known.items() if isinstance(item, kind)] or [f"{c}/…" for c in chapters()]
        raise ValueError(f"key = {key!r} is not a known {kind.__name__.lower()}; there are {', '.join(there)}.")
    return known[key]

"""A frame as a tree and its leaves: numbers, texts, rows of them, and all else as it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from workbook.site.packs.grain import Path

__all__ = ["HOLE", "Leaf", "cut", "filled"]

HOLE = "$"  # {"$": 3} in a tree: leaf 3 stands here
PLAIN = (int, float)

# Its kind, its numbers in a row or the value itself, and its shape. Of numbers: "array", "list", "number"; of texts:
# "texts" (a list), "text"; and "value": anything else.
Leaf = tuple[str, Any, tuple[int, ...]]


def cut(tree: Any, path: Path = ()) -> Iterator[tuple[Path, Leaf | None]]:
    """The leaves of a tree with their paths, in its order; an empty dict or list is a leaf."""
    if isinstance(tree, dict) and "bdata" in tree:
        numbers = np.frombuffer(tree["bdata"], dtype=f"<{tree['dtype']}")
        shape = tuple(map(int, tree["shape"].split(","))) if "shape" in tree else (len(numbers),)
        yield path, ("array", numbers.astype(float), shape)
    elif isinstance(tree, dict) and tree:
        for name, item in tree.items():
            yield from cut(item, (*path, name))
    elif isinstance(tree, list) and any(isinstance(item, dict | list) for item in tree):
        for i, item in enumerate(tree):
            yield from cut(item, (*path, i))
    elif isinstance(tree, list) and tree and all(type(item) in PLAIN for item in tree):
        yield path, ("list", np.array(tree, dtype=float), (len(tree),))
    elif isinstance(tree, list) and tree and all(isinstance(item, str) for item in tree):
        yield path, ("texts", tree, (len(tree),))
    elif type(tree) in PLAIN:
        yield path, ("number", np.array([tree], dtype=float), (1,))
    elif isinstance(tree, str):
        yield path, ("text", tree, (1,))
    else:
        yield path, ("value", tree, ())


def filled(tree: Any, leaf) -> Any:
    """A tree with leaf(number) in the place of each hole."""
    if isinstance(tree, dict):
        return leaf(tree[HOLE]) if HOLE in tree else {name: filled(item, leaf) for name, item in tree.items()}
    return [filled(item, leaf) for item in tree] if isinstance(tree, list) else tree

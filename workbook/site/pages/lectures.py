"""The lectures of the README with links: each scene opens its page in projector sizes, the preset pressed."""

from __future__ import annotations

import re
from urllib.parse import quote

__all__ = ["linked"]

SCENE = re.compile(r"^\| (\d+) \| (\d\d) \| `(\w+)` \| \*(.+?)\* \|", re.M)


def linked(text: str, pages: dict[str, str]) -> str:
    """The README's tables with the press as a link; pages: chapter ("02") -> page ("02_laplace_smoothing")."""

    def scene(found: re.Match) -> str:
        minute, chapter, explorer, preset = found.groups()
        id = f"{chapter}.{explorer.removesuffix('Explorer').lower()}"
        address = f"{pages[chapter]}.html?lecture#{id}?preset={quote(preset)}"
        return f'| {minute} | {chapter} | `{explorer}` | <a href="{address}">{preset}</a> |'

    return SCENE.sub(scene, text)

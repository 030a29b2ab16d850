"""Join the site's one script and one style: drawing and view of the notebook, the packs' reader, the player."""

from __future__ import annotations

import re
from pathlib import Path

from workbook.draw import script
from workbook.explorer.view import PIECES, style

__all__ = ["parts", "site_script", "site_style"]

HERE = Path(__file__).parent
PACKS = HERE.parent / "packs"
LAST = "start.js"  # it runs; the others define


def parts() -> dict[str, str]:
    """Map the name of every piece of the script to its text, in order."""
    own = sorted([*PACKS.glob("*.js"), *HERE.glob("*.js")], key=lambda path: (path.name == LAST, path.name))
    return {"draw": script()} | {path.name: path.read_text(encoding="utf-8") for path in [*PIECES, *own]}


def site_script(pieces: dict[str, str] | None = None) -> str:
    """Join the pieces (`parts()` by default) to one classic script: a page opened from a file may load no module."""
    ordered = sorted((pieces or parts()).items(), key=lambda piece: piece[0] == LAST)
    body = re.sub(r"(?m)^ *//.*\n", "", "\n".join(text for _, text in ordered))  # comments are a sixth of its bytes
    return f'(() => {{\n"use strict";\n{body}\n}})();\n'


def site_style() -> str:
    """Join the style sheets of explorers and questions."""
    return f"{style()}\n{(HERE / 'site.css').read_text(encoding='utf-8')}"

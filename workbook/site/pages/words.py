"""What a notebook says of kernels and cells, in the words of the site; a test finds each passage in its notebook."""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["EVERYWHERE", "PASSAGES", "for_site"]

# How a page begins: there is nothing to run.
EVERYWHERE = re.compile(r"Run the cells from the top with Shift\+Enter(?:\. |, and )(\w)")
SWAPS = Path(__file__).parent / "prose" / "words"
PASSAGES = {  # page -> pairs of the notebook's passage and the site's
    path.stem: [part.strip().split("\n=>\n") for part in path.read_text("utf-8").split("\n---\n")]
    for path in sorted(SWAPS.glob("*.txt"))
}


def for_site(page: str, text: str) -> str:
    """The text of a markdown cell as the site says it."""
    for passage, instead in PASSAGES.get(page, ()):
        text = text.replace(passage, instead)
    return EVERYWHERE.sub(lambda found: found[1].upper(), text)

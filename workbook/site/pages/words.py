"""Replace what a notebook says of kernels and cells by the words of the site."""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["EVERYWHERE", "PASSAGES", "for_site"]

# The sentence that begins a notebook: on the site there is nothing to run.
EVERYWHERE = re.compile(r"Run the cells from the top with Shift\+Enter(?:\. |, and )(\w)")
SWAPS = Path(__file__).parent / "prose" / "words"
PASSAGES = {  # page -> pairs of the notebook's passage and the site's
    path.stem: [part.strip().split("\n=>\n") for part in path.read_text("utf-8").split("\n---\n")]
    for path in sorted(SWAPS.glob("*.txt"))
}


def for_site(page: str, text: str) -> str:
    """Return the text of a markdown cell with the words of the site."""
    for passage, instead in PASSAGES.get(page, ()):
        text = text.replace(passage, instead)
    return EVERYWHERE.sub(lambda found: found[1].upper(), text)

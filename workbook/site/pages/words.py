"""Replace what a notebook says of kernels and cells by the words of the site."""

from __future__ import annotations

from pathlib import Path

__all__ = ["PASSAGES", "for_site"]

SWAPS = Path(__file__).parent / "prose" / "words"
PASSAGES = {  # page -> pairs of the notebook's passage and the site's
    path.stem: [part.strip().split("\n=>\n") for part in path.read_text("utf-8").split("\n---\n")]
    for path in sorted(SWAPS.glob("*.txt"))
}


def for_site(page: str, text: str) -> str:
    """Return the text of a markdown cell with the words of the site."""
    for passage, instead in PASSAGES.get(page, ()):
        text = text.replace(passage, instead)
    return text

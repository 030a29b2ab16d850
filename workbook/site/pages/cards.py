"""Cards of the home page: a chapter's picture, number and name, its question, its minutes and the reader's progress."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import NamedTuple

import nbformat

from workbook.learning import contents

__all__ = ["Card", "read_card", "write_cards"]

PICTURES = Path(__file__).parent / "pictures"
GROUPS = {"Counting evidence": ("01", "02", "03"), "How sure to be": ("04", "05", "06"),
          "What is hidden": ("07", "08", "09"), "At work": ("10", "11", "12")}  # fmt: skip


class Card(NamedTuple):
    """What a card says of a page: its name in the book ("02_laplace_smoothing"), title, question and minutes."""

    page: str
    title: str
    question: str
    minutes: int

    @property
    def number(self) -> str:
        return self.page[:2]


def read_card(path: Path) -> Card:
    """Read a notebook's card from its first cell: the title, the question in italics, the minutes of **Time**."""
    first = nbformat.read(path, 4).cells[0].source
    title = re.search(r"^# (.+)$", first, re.M)[1]
    question = re.search(r"^\*([^*]+)\*$", first, re.M)[1]
    time = re.search(r"^\*\*Time\*\*: (.+)$", first, re.M)[1]
    read, exercises = re.search(r"(\d+) minutes to read, (\d+) for the exercises", time).groups()
    return Card(path.stem, title, question, int(read) + int(exercises))


def write_cards(cards: dict[str, Card]) -> str:
    """Return the cards of all chapters but 00 as HTML, in groups; cards: by number ("02")."""
    return "\n".join(
        f'<p class="group">{name}</p>\n<div class="cards">{"".join(map(write_card, map(cards.get, numbers)))}</div>'
        for name, numbers in GROUPS.items()
    )


def write_card(card: Card) -> str:
    """Return one card as HTML; its page's progress is filled in by the site's script."""
    picture = (PICTURES / f"{card.number}.svg").read_text("utf-8").strip()
    far = f'<span class="far" data-chapter="{card.number}" data-questions="{len(contents(card.number))}"></span>'
    return (
        f'<a class="card" href="{card.page}.html"><span class="shot">{picture}</span><span class="words">'
        f"<small>{html.escape(card.title)}</small><b>{html.escape(card.question)}</b>"
        f'<span class="meta"><span>{card.minutes} min</span>{far}</span></span></a>'
    )

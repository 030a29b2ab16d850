"""Cards of the home page: a chapter's picture, number and name, its question, its minutes and the reader's progress."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import NamedTuple

import nbformat

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
    keys: tuple[str, ...]  # of its questions


def read_card(path: Path) -> Card:
    """Read a notebook's card: the title, the question in italics, the minutes of **Time**, what it asks."""
    text = "\n".join(cell.source for cell in nbformat.read(path, 4).cells)
    title = re.search(r"^# (.+)$", text, re.M)[1]
    question = re.search(r"^\*([^*]+)\*$", text, re.M)[1]
    read, exercises = re.search(r"\*\*Time\*\*: about (\d+) minutes to read, (\d+) for the exercises", text).groups()
    keys = re.findall(r'^(?:predict|exercise)\("(.+?)"\)$', text, re.M)
    return Card(path.stem, title, question, int(read) + int(exercises), tuple(keys))


def write_cards(cards: dict[str, Card]) -> str:
    """Return the cards of all pages but 00 as HTML, in groups, deeper pages last; cards: by number ("02")."""
    groups = GROUPS | {"Deeper": tuple(number for number in cards if number.endswith("b"))}
    return "\n".join(
        f'<p class="group">{name}</p>\n<div class="cards">{"".join(map(write_card, map(cards.get, numbers)))}</div>'
        for name, numbers in groups.items() if numbers
    )  # fmt: skip


def write_card(card: Card) -> str:
    """Return one card as HTML; its page's progress is filled in by the site's script."""
    picture = (PICTURES / f"{card.page.partition('_')[0]}.svg").read_text("utf-8").strip()
    far = f'<span class="far" data-keys="{" ".join(card.keys)}"></span>'
    return (
        f'<a class="card" href="{card.page}.html"><span class="shot">{picture}</span><span class="words">'
        f"<small>{html.escape(card.title)}</small><b>{html.escape(card.question)}</b>"
        f'<span class="meta"><span>{card.minutes} min</span>{far}</span></span></a>'
    )

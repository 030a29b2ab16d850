"""Takeaways and predictions as cards: a text file that Anki itself reads (File > Import), so no library is needed."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator
from pathlib import Path

from workbook.explorer.formatting import say
from workbook.export.markup import convert_formulas, origin_html, paragraph_html
from workbook.export.pages import page_of
from workbook.export.questions import background
from workbook.learning import contents
from workbook.questions.predictions import Prediction, cache_truth

__all__ = ["HOW", "cards", "deck", "write"]

HOW = "In Anki: File, Import, note type Basic or what your language calls it; a card keeps its history."

# The first column keeps a card the same card when it comes again. In another language Anki passes over this note type.
HEAD = "#separator:tab\n#html:true\n#guid column:1\n#notetype:Basic\n#deck column:2\n#tags column:5\n"


def write(folder: Path, chapters: list[str]) -> Iterator[str]:
    """Write one file with a deck for each chapter; yield a line on how many cards each has."""
    rows = []
    for chapter in chapters:
        rows += (found := list(cards(chapter)))
        yield f"chapter {chapter}: {len(found)} cards"
    path = folder / "naive-bayes-anki.txt"
    path.write_text(deck(rows), "utf-8", newline="\n")
    yield f"{len(rows)} cards, {path.name}"


def deck(rows: Iterable[tuple[str, ...]]) -> str:
    """Return the file, a line for each card."""
    return HEAD + "".join("\t".join(map(_field, row)) + "\n" for row in rows)


def _field(text: str) -> str:
    """Write HTML as a quoted field of one line (# would begin a comment), with code that wraps on a phone."""
    shown = text.replace("\n", "<br>").replace("<pre>", '<pre style="white-space: pre-wrap">')
    return '"' + shown.replace('"', '""') + '"'


def cards(chapter: str) -> Iterator[tuple[str, ...]]:
    """Yield the cards of a chapter (id, deck, front, back, tags): predictions in page order, then the takeaway."""
    page = page_of(chapter)
    name = f"Naive Bayes Workbook::{chapter} {page.title}"
    tags = f"naive-bayes-workbook chapter-{chapter}"
    for item in contents(chapter).values():
        if isinstance(item, Prediction):
            front, back = _sides(cache_truth(item))
            back += origin_html(page, page.places[item.key].section)
            yield f"nbw-{item.key}", name, front, back, f"{tags} prediction"
    front = paragraph_html(f"{page.title}: what do you take away, in one sentence?")
    back = f"<p>{convert_formulas(page.takeaway)}</p>{origin_html(page, '')}"
    yield f"nbw-{chapter}/takeaway", name, front, back, f"{tags} takeaway"


def _sides(item: Prediction) -> tuple[str, str]:
    """Return front and back of a card: the question, and its computed answer."""
    front = "".join(map(paragraph_html, (*background(item), item.question)))
    if item.options:
        front += "<ul>" + "".join(f"<li>{html.escape(option)}</li>" for option in item.options) + "</ul>"
    if not item.drawn:
        return front, paragraph_html(item.explain_truth(item.truth()))
    places = zip(item.drawn.labels()[item.drawn.given :], item.drawn.computed(), strict=True)
    heights = ", ".join(f"{label}: {say(height)}" for label, height in places)
    back = paragraph_html(f"Computed: {heights}. {item.reason(item.truth())}")
    return front + paragraph_html(item.drawn.to_text().strip()), back

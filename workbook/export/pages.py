"""Find the place of a question in the notebooks: chapter, section, and the saved pictures above and below it."""

from __future__ import annotations

import html
import json
import re
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from workbook.explorer.html_tables import size
from workbook.home import addresses

__all__ = ["Page", "Picture", "Place", "page_of"]

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
QUESTION_CALL = re.compile(r'^(?:predict|exercise)\("([^"]+)"\)$', re.M)
ALT = re.compile(r'<img alt="([^"]*)"')
TAKEAWAY = re.compile(r"^## Takeaway\s+\*\*(.+?)\*\*$", re.M)


@dataclass(frozen=True)
class Picture:
    """An explorer as its notebook was saved; size: width and height on the page."""

    name: str
    data: bytes
    alt: str
    size: tuple[int, int]


@dataclass(frozen=True)
class Place:
    """The place of a question: its section, and the pictures next to it there."""

    section: str
    above: Picture | None
    below: Picture | None


@dataclass(frozen=True)
class Page:
    """A chapter's notebook. address: its page on the published site, "" before there is one."""

    number: str
    title: str
    address: str
    takeaway: str
    places: dict[str, Place]


@lru_cache(maxsize=16)
def page_of(chapter: str) -> Page:
    """Return the page of a chapter ("02")."""
    paths = sorted(NOTEBOOKS.glob(f"{chapter}[_b]*.ipynb"))  # the deeper page last
    books = {path.stem: json.loads(path.read_text("utf-8"))["cells"] for path in paths}
    stem, cells = next(iter(books.items()))
    places = {key: place for name, found in books.items() for key, place in _places(name.partition("_")[0], found)}
    prose = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    title = re.search(rf"^# {chapter} · (.+)$", prose, re.M)[1]
    site = addresses()["site"]
    address = site and f"{site}{stem}.html"
    return Page(chapter, title, address, TAKEAWAY.search(prose)[1], places)


def _places(page: str, cells: list[dict]) -> Iterator[tuple[str, Place]]:
    """Yield key and place of each question."""
    seen = list(_scan_cells(page, cells))
    for at, (section, entry) in enumerate(seen):
        if isinstance(entry, str):
            pictures = ([thing for where, thing in part if where == section and isinstance(thing, Picture)]
                        for part in (seen[at::-1], seen[at:]))  # fmt: skip
            yield entry, Place(section, *(next(iter(side), None) for side in pictures))


def _scan_cells(page: str, cells: list[dict]) -> Iterator[tuple[str, str | Picture]]:
    """Yield keys of questions and pictures from top to bottom, each with its section."""
    section, count = "", 0
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            section = (re.findall(r"^## (.+)$", source, re.M) or [section])[-1]
            continue
        yield from ((section, key) for key in QUESTION_CALL.findall(source))
        for picture in filter(None, (_saved_picture(output, f"{page}-{count + 1}") for output in cell["outputs"])):
            count += 1
            yield section, picture


def _saved_picture(output: dict, name: str) -> Picture | None:
    """Return the picture that an output of a cell holds, if any."""
    data = {kind: "".join(text) for kind, text in output.get("data", {}).items()}
    page = data.get("text/html", "")
    if "image/png" in data:
        png = b64decode(data["image/png"])
        return Picture(f"{name}.png", png, html.unescape(ALT.search(page)[1]), size(png))
    return None

"""Narrow and dark forms of the saved pictures of a built site: for a phone, and before a figure draws."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from workbook.explorer.html_tables import size
from workbook.explorer.pictures import chromium, pngs
from workbook.site.packs.starts import explorer_classes, starts

__all__ = ["write"]

SAVED = re.compile(r'(data-explorer="(\w+)" data-start="([^"]+)"[^>]*>\s*<figure>)(<img [^>]*>)')
DARK, NARROW = "(prefers-color-scheme: dark) and (scripting: enabled)", "(max-width: 30rem)"  # without script: light
COLUMN = 354  # px: a phone's 390 without its margins
FORMS = {f"{NARROW} and {DARK}": (True, COLUMN), NARROW: (False, COLUMN), DARK: (True, None)}  # the first that fits


def write(folder: Path) -> None:
    """Draw the explorers that are live in a site's pages in every form, where there is a browser to draw with."""
    pages = {page: page.read_text("utf-8") for page in folder.glob("*.html")} if chromium() else {}
    live = {id: name for text in pages.values() for _, name, id, _ in SAVED.findall(text)
            if (folder / "packs" / f"{name}.js").exists()}  # fmt: skip
    sources = dict(zip(live, draw_forms(folder, live), strict=True)) if live else {}

    def add_forms(found: re.Match) -> str:
        before, _, id, image = found.groups()
        return f"{before}<picture>{sources[id]}{image}</picture>" if id in sources else found[0]

    for page, text in pages.items():
        page.write_text(SAVED.sub(add_forms, text), "utf-8")


def draw_forms(folder: Path, live: dict[str, str]) -> Iterator[str]:
    """Save each explorer's picture in every form; yield what offers them to a page. live: id -> name of the class."""
    kinds, started = explorer_classes(), starts()
    explorers = {id: kinds[name]() for id, name in live.items()}
    figures = [one.draw(one.compute(**started[live[id]][id])) for id, one in explorers.items()]
    for id, pictures in zip(live, pngs(figures, list(FORMS.values())), strict=True):
        offered = ""
        for number, (media, picture) in enumerate(zip(FORMS, pictures, strict=True)):
            (folder / (file := f"pictures/{id}.{number}.png")).write_bytes(picture)
            width, height = size(picture)
            offered += f'<source media="{media}" srcset="{file}" width="{width}" height="{height}">'
        yield offered

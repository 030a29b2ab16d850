"""Narrow and dark forms of the saved pictures of a built site: for a phone, and before a figure draws."""

from __future__ import annotations

import re
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
    kinds, started = explorer_classes(), starts()

    def add_forms(found: re.Match) -> str:
        before, name, id, image = found.groups()
        if not (folder / "packs" / f"{name}.js").exists():
            return found[0]
        explorer, sources = kinds[name](), ""
        figure = explorer.draw(explorer.compute(**started[name][id]))
        for number, (media, picture) in enumerate(zip(FORMS, pngs(figure, list(FORMS.values())), strict=True)):
            (folder / (file := f"pictures/{id}.{number}.png")).write_bytes(picture)
            width, height = size(picture)
            sources += f'<source media="{media}" srcset="{file}" width="{width}" height="{height}">'
        return f"{before}<picture>{sources}{image}</picture>"

    for page in folder.glob("*.html") if chromium() else ():
        page.write_text(SAVED.sub(add_forms, page.read_text("utf-8")), "utf-8")

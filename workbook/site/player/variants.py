"""Encode tasks with other numbers for the site: it has no kernel, so a few of each are made beforehand."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

from workbook.chapters import chapter_packages
from workbook.learning import contents, variants
from workbook.questions.exercises import Exercise
from workbook.site.player.questions import record_of, write_call

__all__ = ["EACH", "records", "write"]

EACH = 5  # of every task


def records(chapter: str) -> dict[str, list[dict]]:
    """Return key -> the records of a task with other numbers."""
    found = {key: variants(item, EACH) for key, item in contents(chapter).items() if isinstance(item, Exercise)}
    return {
        key: [record_of(item) | {"variant": item.variant} for item in items] for key, items in found.items() if items
    }


def write(folder: Path, say: Callable = print, chapters: Collection[str] | None = None) -> None:
    """Write `again/NN.js` of every chapter (or of these)."""
    place = Path(folder) / "again"
    place.mkdir(parents=True, exist_ok=True)
    for chapter in chapter_packages():
        if chapters is None or chapter in chapters:
            (place / f"{chapter}.js").write_text(text := write_call("again", records(chapter)), "utf-8")
            say(f"other numbers of chapter {chapter}: {len(text) / 1000:.0f} kB")

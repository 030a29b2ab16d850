"""One file a chapter, and what stays at home."""

from collections.abc import Callable, Iterator
from pathlib import Path

from workbook.export.asked import DRAWN, IN_CODE, Question, questions
from workbook.export.pages import Page, page_of

__all__ = ["by_chapter"]


def by_chapter(write: Callable[[Path, Page, list[Question]], None], folder: Path, ending: str, chapters: list[str]
               ) -> Iterator[str]:  # fmt: skip
    """Write a file for each chapter, and say of each what it holds, then what was left out."""
    total, home = 0, {DRAWN: 0, IN_CODE: 0}
    for chapter in chapters:
        found, left = questions(chapter)
        path = folder / f"naive-bayes-{chapter}.{ending}"
        write(path, page_of(chapter), found)
        yield f"chapter {chapter}: {len(found)} questions, {path.stat().st_size / 1000:.0f} kB, {path.name}"
        total, home = total + len(found), {reason: home[reason] + left[reason] for reason in home}
    yield f"{total} questions. Left out: {home[IN_CODE]} in code, {home[DRAWN]} drawn."

"""Write one file for each chapter."""

from collections.abc import Callable, Iterator
from pathlib import Path

from workbook.export.pages import Page, page_of
from workbook.export.questions import DRAWN, IN_CODE, Question, chapter_questions

__all__ = ["write_chapters"]


def write_chapters(write: Callable[[Path, Page, list[Question]], None], folder: Path, ending: str, chapters: list[str]
               ) -> Iterator[str]:  # fmt: skip
    """Write a file for each chapter; yield a line on what each holds, then one on what is left out."""
    total, left_out = 0, {DRAWN: 0, IN_CODE: 0}
    for chapter in chapters:
        found, left = chapter_questions(chapter)
        path = folder / f"naive-bayes-{chapter}.{ending}"
        write(path, page_of(chapter), found)
        yield f"chapter {chapter}: {len(found)} questions, {path.stat().st_size / 1000:.0f} kB, {path.name}"
        total, left_out = total + len(found), {reason: left_out[reason] + left[reason] for reason in left}
    yield f"{total} questions. Left out: {left_out[IN_CODE]} in code, {left_out[DRAWN]} drawn."

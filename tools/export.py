"""Write the questions as files for other programs: run.py export moodle|qti|anki [NN ...] [--to DIR]."""

import sys
from collections.abc import Callable
from pathlib import Path

from workbook.export.anki import cards, deck
from workbook.export.asked import DRAWN, IN_CODE, Question, questions
from workbook.export.moodle import quiz
from workbook.export.pages import Page, page_of
from workbook.export.qti import pack

HOW = {
    "moodle": "In Moodle: Question bank, Import, Moodle XML format; one file at a time.",
    "qti": "Import each package as it is: do not unpack it.",
    "anki": "In Anki: File, Import, note type Basic or what your language calls it; a card keeps its history.",
}


def say(words: str) -> None:
    print(words, flush=True)


def moodle(folder: Path, page: Page, found: list[Question]) -> Path:
    path = folder / f"naive-bayes-{page.number}.xml"
    quiz(page, found).write(path, encoding="utf-8", xml_declaration=True)
    return path


def qti(folder: Path, page: Page, found: list[Question]) -> Path:
    path = folder / f"naive-bayes-{page.number}.zip"
    pack(path, page, found)
    return path


def by_chapter(write: Callable[[Path, Page, list[Question]], Path], folder: Path, chapters: list[str]) -> None:
    """A file a chapter, and what stays at home."""
    total, home = 0, {DRAWN: 0, IN_CODE: 0}
    for chapter in chapters:
        found, left = questions(chapter)
        path = write(folder, page_of(chapter), found)
        say(f"chapter {chapter}: {len(found)} questions, {path.stat().st_size / 1000:.0f} kB, {path.name}")
        total, home = total + len(found), {reason: home[reason] + left[reason] for reason in home}
    say(f"{total} questions. Left out: {home[IN_CODE]} in code, {home[DRAWN]} drawn.")


def anki(folder: Path, chapters: list[str]) -> None:
    """One file, a deck a chapter."""
    rows = []
    for chapter in chapters:
        rows += (found := list(cards(chapter)))
        say(f"chapter {chapter}: {len(found)} cards")
    path = folder / "naive-bayes-anki.txt"
    path.write_text(deck(rows), "utf-8", newline="\n")
    say(f"{len(rows)} cards, {path.name}")


def main(form: str, to: str, *chapters: str) -> int:
    folder = Path(to)
    folder.mkdir(parents=True, exist_ok=True)
    if form == "anki":
        anki(folder, list(chapters))
    else:
        by_chapter({"moodle": moodle, "qti": qti}[form], folder, list(chapters))
    say(f"Written to {folder}. {HOW[form]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

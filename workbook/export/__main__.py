"""Write the questions as files for other programs, or an exam: run.py export FORMAT [NN ...] [--seed S] [--to DIR]."""

import argparse
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

from workbook.chapters import chapter_packages
from workbook.export import formats
from workbook.export.pages import page_of
from workbook.export.questions import DRAWN, IN_CODE, chapter_questions
from workbook.home import ROOT

__all__ = ["main"]


def main(arguments: list[str]) -> int:
    """Write the chapters' questions in a format of workbook/export/formats to a folder."""
    parser = argparse.ArgumentParser("run.py export")
    parser.add_argument("format", choices=sorted(module.name for module in iter_modules(formats.__path__)))
    parser.add_argument("names", nargs="*", metavar="NN", help="chapters, all if none is given; exam: exercises, too")
    parser.add_argument("--seed", type=int, metavar="S", help="exam: a whole number, which chooses the tasks' numbers")
    parser.add_argument("--to", type=Path, default=ROOT / "export", metavar="DIR")
    args = parser.parse_intermixed_args(arguments)  # chapters may follow --to DIR
    numbers, is_exam = list(chapter_packages()), args.format == "exam"
    names = list(dict.fromkeys(name if name[1:2] not in ("", "/") else f"0{name}" for name in args.names))
    if unknown := [name for name in names if (name[:2] if is_exam else name) not in numbers]:
        parser.error(f"chapter {unknown[0]} asks nothing; these do: {', '.join(numbers)}")
    module = import_module(f"{formats.__name__}.{args.format}")
    if is_exam and (problem := module.find_problem(names)):
        parser.error(problem)
    if is_exam != (args.seed is not None):
        parser.error("exam needs --seed S, a whole number that chooses the tasks' numbers; no other format takes one")
    if args.to.exists() and not args.to.is_dir():
        parser.error(f"{args.to} is a file: say a folder")
    args.to.mkdir(parents=True, exist_ok=True)
    write = getattr(module, "write", lambda *where: write_chapters(module, *where))
    for line in write(args.to, names or numbers, *([args.seed] if is_exam else [])):
        print(line, flush=True)
    print(f"Written to {args.to}. {module.HOW}")
    return 0


def write_chapters(module: ModuleType, folder: Path, chapters: list[str]) -> Iterator[str]:
    """Write a file for each chapter; yield a line on what each holds, then one on what is left out."""
    total, left_out = 0, {DRAWN: 0, IN_CODE: 0}
    for chapter in chapters:
        found, left = chapter_questions(chapter)
        path = folder / f"naive-bayes-{chapter}.{module.ENDING}"
        module.write_chapter(path, page_of(chapter), found)
        yield f"chapter {chapter}: {len(found)} questions, {path.stat().st_size / 1000:.0f} kB, {path.name}"
        total, left_out = total + len(found), {reason: left_out[reason] + left[reason] for reason in left}
    yield f"{total} questions. Left out: {left_out[IN_CODE]} in code, {left_out[DRAWN]} drawn."


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Write what a class got wrong as one page: run.py slips FOLDER [--names]."""

import argparse
import os
import sys
from pathlib import Path

from workbook.chapters import chapter_packages
from workbook.explorer.formatting import how_many
from workbook.learning import contents
from workbook.slips.counts import count_confidence, count_question
from workbook.slips.files import read_folder
from workbook.slips.page import MARK, page

__all__ = ["main"]


def say(words: str) -> None:
    """Print a line without what is not printable: a file's name may hold anything."""
    print("".join(character if character.isprintable() else "?" for character in words), flush=True)


def is_ours(path: Path) -> bool:
    """Tell whether a file is a page of an earlier run."""
    return path.is_file() and not path.is_symlink() and MARK.encode() in path.read_bytes()[:1000]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser("run.py slips")
    parser.add_argument("folder", type=Path, help="the folder with the progress files")
    parser.add_argument("--names", action="store_true", help="let the files' names stand on the page")
    args = parser.parse_args(arguments)
    if not args.folder.is_dir():
        parser.error(f"{args.folder} is no folder: put the progress files into one, and say its name")
    target = args.folder / "slips.html"
    if os.path.lexists(target) and not is_ours(target):
        parser.error(f"{target} is not a page of ours: move it away, and run this again")
    items = [item for chapter in chapter_packages() for item in contents(chapter).values()]
    learners, refused = read_folder(args.folder, {item.key for item in items}, leave_out=[target])
    for one in refused:
        say(f"{one.name} {one.why}.")
    if not learners:
        say(f"{args.folder} holds no progress file. Learners export theirs on the site's pages, or hand in "
            "progress.json.")
        return 1
    counts = [count_question(item, learners) for item in items]
    predictions = {item.key for item in items if not hasattr(item, "mistakes")}
    confidence = count_confidence(learners, predictions)
    target.write_text(page(learners, refused, counts, confidence, args.names), "utf-8")
    left = f", {how_many(len(refused), 'file')} did not count" if refused else ""
    say(f"{how_many(len(learners), 'learner')}{left}. Written: {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Write the questions as files for other programs: run.py export FORMAT [NN ...] [--to DIR]."""

import argparse
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from workbook.chapters import chapter_packages
from workbook.export import formats
from workbook.home import ROOT

__all__ = ["main"]


def main(arguments: list[str]) -> int:
    """Write the chapters' questions in a format of workbook/export/formats to a folder."""
    parser = argparse.ArgumentParser("run.py export")
    parser.add_argument("format", choices=sorted(module.name for module in iter_modules(formats.__path__)))
    parser.add_argument("chapters", nargs="*", metavar="NN", help="all if none is given")
    parser.add_argument("--to", type=Path, default=ROOT / "export", metavar="DIR")
    args = parser.parse_intermixed_args(arguments)  # chapters may follow --to DIR
    numbers = list(chapter_packages())
    chapters = list(dict.fromkeys(chapter.zfill(2) for chapter in args.chapters)) or numbers
    if unknown := [chapter for chapter in chapters if chapter not in numbers]:
        parser.error(f"chapter {unknown[0]} asks nothing; these do: {', '.join(numbers)}")
    module = import_module(f"{formats.__name__}.{args.format}")
    if args.to.exists() and not args.to.is_dir():
        parser.error(f"{args.to} is a file: say a folder")
    args.to.mkdir(parents=True, exist_ok=True)
    for line in module.write(args.to, chapters):
        print(line, flush=True)
    print(f"Written to {args.to}. {module.HOW}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

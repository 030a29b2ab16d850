"""Make the book a website: run.py site [DIR] [--zip] [--draft]."""

import argparse
import sys
from pathlib import Path

from workbook.home import ROOT
from workbook.site.build import Refused, build, zipped

__all__ = ["main"]

DRAFT = 40  # frames an explorer has in a draft


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser("run.py site")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "site")
    parser.add_argument("--zip", action="store_true", help="pack it up, too")
    parser.add_argument("--draft", action="store_true", help="make few frames")
    args = parser.parse_args(arguments)
    try:
        build(args.folder, most=DRAFT if args.draft else None, say=lambda words: print(words, flush=True))
    except Refused as problem:
        print(f"run.py: {problem}", file=sys.stderr)
        return 1
    if args.zip:
        print(f"Packed up: {zipped(args.folder)}")
    print(f"Open {args.folder / 'index.html'} in a browser: a double click will do, no server is needed.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

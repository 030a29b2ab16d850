"""Make the book a website: run.py site [DIR] [--zip] [--draft]."""

import sys
from pathlib import Path

from workbook.site.build import Refused, build, zipped

DRAFT = 40  # frames an explorer has in a draft


def say(words):
    print(words, flush=True)


def main(folder, *flags):
    folder = Path(folder)
    try:
        build(folder, most=DRAFT if "--draft" in flags else None, say=say)
    except Refused as problem:
        print(f"run.py: {problem}", file=sys.stderr)
        return 1
    if "--zip" in flags:
        say(f"Packed up: {zipped(folder)}")
    say(f"Open {folder / 'index.html'} in a browser: a double click will do, no server is needed.")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

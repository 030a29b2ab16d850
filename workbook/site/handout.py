"""Make the handout of a chapter, its page of the site on paper: run.py handout NN [FILE] [--no-answers]."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from workbook.chapters import chapter_packages
from workbook.explorer.pictures import chromium
from workbook.site.build import build
from workbook.site.packs.starts import NOTEBOOKS, in_notebook

__all__ = ["main"]

# In a container there is no sandbox to be had; the page is ours. Explorers and questions come to life in these 30 s.
FLAGS = "--headless --no-sandbox --disable-gpu --no-pdf-header-footer --virtual-time-budget=30000".split()
HIDDEN = "<style>.nb-answers { display: none !important; }</style></head>"
NO_BROWSER = "there is no Chromium, Chrome or Edge here to print with: open the page of the website and print it."


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser("run.py handout")
    parser.add_argument("chapter", choices=chapter_packages(), metavar="NN", help="the chapter, e.g. 02")
    parser.add_argument("file", nargs="?", type=Path, help="the PDF (handout_NN.pdf)")
    parser.add_argument("--no-answers", action="store_true", help="without the last page, which has the answers")
    args = parser.parse_args(arguments)
    browser = chromium()
    if browser is None:
        print(f"run.py: {NO_BROWSER}", file=sys.stderr)
        return 1
    file = (args.file or Path(f"handout_{args.chapter}.pdf")).resolve()
    print("The handout takes about a minute.", flush=True)
    (notebook,) = NOTEBOOKS.glob(f"{args.chapter}_*.ipynb")
    kinds = list(dict.fromkeys(start.explorer for start in in_notebook(notebook)))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        site = Path(folder, "site")
        build(site, classes=kinds, most=1, say=lambda _: None, chapters=[args.chapter])
        page = site / f"{notebook.stem}.html"
        if args.no_answers:
            page.write_text(page.read_text("utf-8").replace("</head>", HIDDEN, 1), "utf-8")
        command = [browser, *FLAGS, f"--user-data-dir={folder}", f"--print-to-pdf={file}", page.as_uri()]
        subprocess.run(command, check=True, capture_output=True)
    print(f"The handout is {file}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

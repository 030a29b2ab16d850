"""Write the papers' figures, redrawn with our numbers, to a folder as PDF and PNG: run.py figures DIR."""

import argparse
import re
import sys
from pathlib import Path

from nbcore.datasets.fetchers import FetchError
from workbook.chapters.c11_reproduction_ledger.redrawn import redrawn


def file_name(paper: str, figure: str) -> str:
    """Make a file's name: ("Williams (2024)", "1(a)") gives "williams_2024_figure_1a"."""
    words = re.sub(r"[()]", "", f"{paper} figure {figure}".lower())
    return "_".join(re.findall(r"\w+", words))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser("run.py figures")
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args(arguments).folder
    folder.mkdir(parents=True, exist_ok=True)
    missing = 0
    for (paper, figure), draw in redrawn().items():
        print(f"{paper}, Figure {figure} ... ", end="", flush=True)
        try:
            drawn = draw()
        except FetchError as problem:  # its corpus cannot be had here
            missing += 1
            print(f"left out: {problem}")
            continue
        for suffix in (".pdf", ".png"):
            drawn.savefig(folder / f"{file_name(paper, figure)}{suffix}", dpi=300)
        print("written")
    print(f"The figures are in {folder}.")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

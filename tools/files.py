"""The project's folder, and how its files are written."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def replace(path: Path, text: str) -> None:
    """Write a file whole or not at all, with Unix line ends: whoever reads it meanwhile sees the old one."""
    fresh = path.with_suffix(".new")
    fresh.write_text(text, "utf-8", newline="\n")
    os.replace(fresh, path)

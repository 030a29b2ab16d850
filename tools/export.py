"""Write the questions as files for other programs: run.py export FORMAT [NN ...] [--to DIR]."""

import sys
from importlib import import_module
from pathlib import Path


def main(form: str, to: str, *chapters: str) -> int:
    """Write the chapters' questions in a format of workbook/export/formats to a folder."""
    folder, module = Path(to), import_module(f"workbook.export.formats.{form}")
    folder.mkdir(parents=True, exist_ok=True)
    for line in module.write(folder, list(chapters)):
        print(line, flush=True)
    print(f"Written to {folder}. {module.HOW}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

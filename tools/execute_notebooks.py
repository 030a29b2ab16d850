"""Run notebooks from a fresh kernel and save them so that only what they say changes: run.py notebooks [NN].

Saved are the outputs and the counts 1..n. Not saved: widget state and widget views (their ids are random, and without a
kernel they hide the picture and the sentence that stand beside them), timings, and which Python this was.
"""

import re
import sys
import time
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellControlSignal
from nbformat import NotebookNode, from_dict, v4

from tools.dead_views import drop_views
from tools.files import ROOT, replace

COLOURS = r"\x1b\[[\d;]*m"
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python",
                      "pygments_lexer": "ipython3"},
}  # fmt: skip


def tidy(book: NotebookNode) -> None:
    """Take out what differs from run to run or from machine to machine."""
    book.metadata = from_dict(book.metadata | METADATA)
    book.metadata.pop("widgets", None)
    for cell in book.cells:
        cell.metadata.pop("execution", None)
    drop_views(book)


def execute(path: Path) -> None:
    """Run one notebook and save it; on an error raise CellControlSignal and leave the file as it was."""
    book = v4.reads(path.read_text("utf-8"))
    NotebookClient(book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}},
                   store_widget_state=False, record_timing=False, coalesce_streams=True).execute()
    tidy(book)
    replace(path, v4.writes(book).rstrip("\n") + "\n")


def main(arguments: list[str]) -> int:
    failed = 0
    paths = [Path(argument) for argument in arguments] or sorted((ROOT / "notebooks").glob("*.ipynb"))
    for number, path in enumerate(paths, 1):
        print(f"[{number}/{len(paths)}] {path} ...", end=" ", flush=True)
        start = time.monotonic()
        try:
            execute(path)
            print(f"saved, {time.monotonic() - start:.1f} s", flush=True)
        except CellControlSignal as error:
            failed += 1
            print(f"not saved: {re.sub(COLOURS, '', str(error))}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

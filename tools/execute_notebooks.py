"""Run notebooks from a fresh kernel and save them so that only what they say changes: run.py notebooks [NN].

Saved are the outputs and the counts 1..n. Not saved: widget state and widget views (their ids are random, and without a
kernel they hide the picture and the sentence that stand beside them), timings, and which Python this was. One page's
first picture also goes to the README, with its alt text.
"""

import html
import re
import sys
import time
from base64 import b64decode
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellControlSignal
from nbformat import NotebookNode, from_dict, v4

from tools.dead_views import drop_views
from tools.files import ROOT, replace
from tools.numbers import check_cells

SHOWN = "01_naive_bayes"  # the page whose first picture the README shows
IMAGE = re.compile(r"!\[.*?\]\((docs/picture\.png)\)")
COLOURS = r"\x1b\[[\d;]*m"
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {
        "file_extension": ".py", "mimetype": "text/x-python", "name": "python", "pygments_lexer": "ipython3"
    },
}


def read_notebook(path: Path) -> NotebookNode:
    """Read a notebook; a cell without an id gets one that stays."""
    book = v4.reads(path.read_text("utf-8"))
    book.nbformat, book.nbformat_minor = 4, 5
    ids = {cell.get("id") for cell in book.cells}
    for number, cell in enumerate(book.cells):
        if not cell.get("id"):
            names = (f"cell-{number}{tail}" for tail in ("", *"abcdefgh"))
            cell.id = next(name for name in names if name not in ids)
    return book


def tidy(book: NotebookNode) -> NotebookNode:
    """Take out what differs from run to run or from machine to machine, and count the cells 1..n."""
    book.metadata = from_dict(book.metadata | METADATA)
    book.metadata.pop("widgets", None)
    for number, cell in enumerate((cell for cell in book.cells if cell.cell_type == "code"), 1):
        cell.execution_count = number  # the checks of a section's numbers were counted, too
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = number
    for cell in book.cells:
        cell.metadata.pop("execution", None)
    drop_views(book)
    return book


class Client(NotebookClient):
    """Runs a notebook's cells and, at the end of each section, the expressions of its numbers."""

    async def async_execute_cell(self, cell, cell_index, *options, **more):
        self.cell_number = cell_index + 1
        executed = await super().async_execute_cell(cell, cell_index, *options, **more)
        if check := check_cells(self.nb).get(cell_index):
            await super().async_execute_cell(check, cell_index, store_history=False)
            self.nb.cells[cell_index] = executed  # the check took its place
        return executed


def execute(path: Path) -> None:
    """Run one notebook and save it; on an error raise CellControlSignal and leave the file as it was."""
    book = read_notebook(path)
    client = Client(
        book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}},
        store_widget_state=False, record_timing=False, coalesce_streams=True)
    try:
        client.execute()
    except CellControlSignal as error:
        error.add_note(f"{path.name}, cell {client.cell_number} of {len(book.cells)}")
        raise
    replace(path, v4.writes(tidy(book)).rstrip("\n") + "\n")
    if path.resolve() == ROOT / "notebooks" / f"{SHOWN}.ipynb":
        picture, alt = first_picture(book)
        (ROOT / "docs" / "picture.png").write_bytes(picture)
        readme = ROOT / "README.md"
        replace(readme, IMAGE.sub(lambda found: f"![{alt}]({found[1]})", readme.read_text("utf-8")))


def first_picture(book: NotebookNode) -> tuple[bytes, str]:
    """Return the first picture that a page saves, and its alt text, the sentence of the explorer itself."""
    outputs = (output.get("data", {}) for cell in book.cells for output in cell.get("outputs", ()))
    data = next(data for data in outputs if "image/png" in data)
    return b64decode(data["image/png"]), html.unescape(re.search('<img alt="([^"]*)"', data["text/html"])[1])


def main(arguments: list[str]) -> int:
    failed = 0
    paths = [Path(argument) for argument in arguments] or sorted(Path("notebooks").glob("*.ipynb"))
    for number, path in enumerate(paths, 1):
        print(f"[{number}/{len(paths)}] {path} ...", end=" ", flush=True)
        start = time.monotonic()
        try:
            execute(path)
            print(f"saved, {time.monotonic() - start:.1f} s", flush=True)
        except CellControlSignal as error:
            failed += 1
            print(f"not saved: {error.__notes__[0]} failed\n{re.sub(COLOURS, '', str(error))}", flush=True)
    if failed:
        print(f"{failed} of {len(paths)} notebooks failed and were left as they were.", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

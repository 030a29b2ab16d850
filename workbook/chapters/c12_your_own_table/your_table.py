"""Chapter 12: the reader's own CSV file, chosen with a button; until then it is the penguins."""

from __future__ import annotations

import textwrap
from pathlib import Path

import ipywidgets as widgets
import pandas as pd

from workbook.chapters.c12_your_own_table.csv_table import Table, TableError, read_table
from workbook.explorer.view import View
from workbook.questions.question import PageQuestion, paragraph

__all__ = ["YourTable", "your_table"]

STYLE = {"description_width": "initial"}
WORDS = ("A CSV file of up to 8 MB; for a larger one write your_table('path/to/file.csv'). It goes to the Python that "
         "runs this page and nowhere else: on your own machine it stays there.")  # fmt: skip


class YourTable(PageQuestion):
    """Hold a table that can be exchanged on the page: X, y and name are those of the one that was chosen last."""

    def __init__(self, table: Table):
        self.table = table

    @property
    def X(self) -> pd.DataFrame:  # noqa: N802
        return self.table.X

    @property
    def y(self) -> pd.Series:
        return self.table.y

    @property
    def name(self) -> str:
        return self.table.name

    def to_text(self) -> str:
        """Return the table in words, in lines that leave room for the fold of the code beside them."""
        return textwrap.fill(str(self.table), 64)

    def __repr__(self) -> str:
        return self.to_text()

    def take(self, content: bytes, name: str) -> str:
        """Read a chosen file; return what it holds, or why it cannot be read: then the table stays as it was."""
        try:
            table = read_table(bytes(content), name=name)
            said = str(table)
        except TableError as problem:
            return f"{name}: {problem} The table still is {self.name}."
        self.table = table
        return f"{said} Now run the cells below."

    def choose(self, target: str) -> str:
        """Predict another column; return the table in words, or why it cannot be predicted."""
        try:
            table = self.table.choose(target)
            said = str(table)
        except TableError as problem:
            return str(problem)
        self.table = table
        return f"{said} Now run the cells below."

    def rows(self):
        """Return the widgets of one showing."""
        reply = View()
        upload = widgets.FileUpload(accept=".csv,.tsv,.txt", multiple=False, description="Choose a file")
        target = widgets.Dropdown(description="Predict the column", style=STYLE)
        busy = []  # while the list of targets is being filled nobody has chosen one

        def fill():
            busy.append(True)
            target.options, target.value = self.table.targets, self.table.target
            busy.clear()

        def uploaded(change):
            for file in change["new"]:
                reply.say(self.take(file["content"], file["name"]))
                fill()

        def chosen(change):
            if not busy:
                reply.say(self.choose(change["new"]))

        fill()
        upload.observe(uploaded, "value")
        target.observe(chosen, "value")
        reply.say(str(self.table))
        row = widgets.HBox([upload, target], layout={"flex_flow": "row wrap"})
        return [paragraph(WORDS), row, reply]


def your_table(source: str | Path | pd.DataFrame | None = None, target: str | None = None) -> YourTable:
    """Return a table with a button to exchange it for a file of yours, and a list of the columns to predict.

    source, target: as in `read_table`; without a source it is the penguins.
    """
    return YourTable(read_table(source, target))

"""Convert the cells of a notebook for the site: code is folded, explorers and questions become live elements."""

from __future__ import annotations

import ast
import html
import re
from base64 import b64decode
from collections.abc import Callable

from nbformat import NotebookNode
from nbformat.v4 import new_output

from workbook import learning
from workbook.explorer.html_tables import size
from workbook.questions.predictions import Prediction

__all__ = ["Pictures", "call", "key_of", "live", "on_site"]

FOLDED, HIDDEN, UNANSWERED = "hide-input", "remove-input", "remove-output"
SAVED = re.compile(r'src="data:image/png;base64,([^"]+)"')


class Pictures:
    """Saves the pictures of a page as files: in the HTML they would be larger, and would load at once."""

    def __init__(self, page: str, save: Callable[[str, bytes], None]):
        self.page, self.save, self.count = page, save, 0

    def out_of(self, page: str) -> str:
        """Return the HTML with addresses of files in place of data."""
        return SAVED.sub(self._save_one, page)

    def _save_one(self, found: re.Match) -> str:
        self.count += 1
        name, picture = f"pictures/{self.page}-{self.count}.png", b64decode(found[1])
        self.save(name, picture)
        width, height = size(picture)
        return f'src="{name}" width="{width}" height="{height}" loading="lazy"'


def call(source: str) -> ast.Call | None:
    """Return the call by its plain name that a cell ends with: `EMExplorer(iteration=30)`, `predict("02/overcast")`."""
    last = ast.parse(source).body[-1:]
    value = last[0].value if last and isinstance(last[0], ast.Expr) else None
    return value if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else None


def live(cell: NotebookNode) -> ast.Call | None:
    """Return the call of a cell that, after imports, only shows an explorer, a question or the progress."""
    *before, _ = ast.parse(cell.source).body or [None]
    shown = call(cell.source)
    only = all(isinstance(part, ast.Import | ast.ImportFrom) for part in before)
    return shown if shown and only and (shown.func.id in SHOWN or shown.func.id.endswith("Explorer")) else None


def key_of(shown: ast.Call) -> str:
    """Return the first argument of a call such as `predict("02/overcast")`, "" if it has none."""
    return str(ast.literal_eval(shown.args[0])) if shown.args else ""


def on_site(cell: NotebookNode, id: str | None, pictures: Pictures) -> NotebookNode | None:
    """Return the cell with tags and outputs for the site, None to leave it out; id: of the explorer it starts."""
    if cell.cell_type != "code":
        return cell
    shown, asked = live(cell), call(cell.source)
    if shown and shown.func.id.endswith("Explorer"):
        saved = next(output.data["text/html"] for output in cell.outputs if "text/html" in output.get("data", {}))
        return _tagged(cell, FOLDED, explorer(shown.func.id, id, pictures.out_of(saved)))
    if shown:
        return _tagged(cell, HIDDEN, SHOWN[shown.func.id](key_of(shown)))
    if asked and asked.func.id == "check":  # the question has a field of its own; a function's first lines are kept
        return _tagged(cell, FOLDED, None) if "def " in cell.source else None
    for output in cell.outputs:
        if "text/html" in output.get("data", {}):
            page = pictures.out_of(output.data["text/html"]).replace('role="region"', 'role="group"')  # one of several
            output.data = {"text/html": re.sub(r'href="(\w+)\.ipynb"', r'href="\1.html"', page)}
    cell.metadata["tags"] = [] if "open" in cell.metadata.get("tags", ()) else [FOLDED]  # open: a question is about it
    return cell


def _tagged(cell: NotebookNode, tag: str, page: str | None) -> NotebookNode:
    cell.metadata["tags"] = [tag] if page else [tag, UNANSWERED]
    cell.outputs = [new_output("display_data", {"text/html": page})] if page else []
    return cell


# --- elements that the page's script brings to life; without it they stay as they are --------------------------------


def explorer(name: str, id: str, saved: str) -> str:
    """Return the element in which an explorer comes to life, with its saved picture."""
    return f'<div class="nb-live" data-explorer="{name}" data-start="{id}" id="{id}">{saved}</div>'


def question(key: str) -> str:
    """Return the element of a prediction or an exercise, with its text."""
    asked = learning.contents(key.partition("/")[0])[key]
    if isinstance(asked, Prediction):
        first, text, options = "Predict first.", asked.question, asked.options
    else:
        first, text, options = f"Exercise {key}.", asked.task, ()
    listed = "".join(f"<li>{html.escape(option)}</li>" for option in options)
    words = f"<p><strong>{first}</strong> {html.escape(text)}</p>" + (f"<ul>{listed}</ul>" if listed else "")
    return f'<div class="nb-live" data-question="{key}">{words}</div>'


def progress(chapter: str) -> str:
    """Return the element of the reader's progress in a chapter; "": in the whole book."""
    words = "With JavaScript, this page keeps your answers in your browser, and counts them here."
    return f'<div class="nb-live" data-progress="{chapter}"><p>{words}</p></div>'


# Function of a cell -> HTML for its first argument.
SHOWN = {"predict": question, "exercise": question, "progress": progress}

"""The frame that predictions and exercises share on the page: a question, its view, and what the kernel answers."""

from __future__ import annotations

import html
from collections.abc import Callable
from uuid import uuid4

import anywidget
import ipywidgets as widgets
import numpy as np
from traitlets import Dict, Unicode

from workbook.explorer.cells import close_tree, show_in_cell, unregister
from workbook.explorer.explorer import Explorer
from workbook.explorer.view import load_page, module

__all__ = ["LEVELS", "PageQuestion", "QuestionView", "QuestionWidget", "paragraph"]

LEVELS = 0.5, 0.6, 0.7, 0.8, 0.9, 1.0  # how sure a reader can say to be of one of two or more options


class PageQuestion:
    """Base class of what a page asks. Subclasses return its text form, `to_text()`, and its widgets, `rows()`."""

    def _repr_mimebundle_(self, include=None, exclude=None):
        shown = QuestionView(self)
        show_in_cell(shown)
        return dict(shown.box._repr_mimebundle_()) | {"text/plain": self.to_text()}


class QuestionView:
    """The widgets of one displayed question, closed when their cell is run again."""

    def __init__(self, question: PageQuestion):
        rows = question.rows()
        self.explorers = [row for row in rows if isinstance(row, Explorer)]
        self.box = widgets.VBox([row.panel if isinstance(row, Explorer) else row for row in rows]).add_class("nb-asked")

    def close(self) -> None:
        unregister(self)
        for explorer in self.explorers:
            explorer.close()
        close_tree(self.box)


class QuestionWidget(anywidget.AnyWidget):
    """The view of a question, see question.js.

    respond: what the reader did (hint, solution, check, reveal, skip, ...) and the fields -> what of the reply changes.
    """

    _esm = module("questionOfKernel")
    record = Dict().tag(sync=True)  # the question, without what would answer it
    given = Dict().tag(sync=True)  # what stands in its fields
    reply = Dict().tag(sync=True)  # what was said last, and what is marked and shown
    name = Unicode().tag(sync=True)  # the page's own name for this view

    def __init__(self, record: dict, respond: Callable[..., dict]):
        name = uuid4().hex
        self.respond = respond
        load_page()
        super().__init__(model_id=name, name=name, record=record)
        self.on_msg(lambda _, content, __: self._hear(**content))

    @np.errstate(under="ignore")  # as numpy does, whatever a reader asked of it
    def _hear(self, act: str = "", missed: bool = False, **given) -> None:
        """Answer a message of the page: the reader did something, or it started late and missed something."""
        if missed:
            self.send_state()
        else:
            self.show(**self.respond(act, shown=len(self.reply.get("hints", ())), **given))

    def show(self, **news) -> None:
        """Change some of the reply; words and hints are read aloud, even the present ones."""
        is_said = {"words", "hints"} & set(news)
        self.reply = self.reply | news | ({"count": self.reply.get("count", 0) + 1} if is_said else {})


def paragraph(text: str) -> widgets.HTML:
    """Return a widget with a text: tags are shown as text, and several lines stay lines."""
    code = f'<pre style="line-height: 1.35; margin: 4px 2px; font-family: monospace">{html.escape(text)}</pre>'
    return widgets.HTML(code if "\n" in text else f'<div style="line-height: 1.45">{html.escape(text)}</div>')

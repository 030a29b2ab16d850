"""The frame that predictions and exercises share on the page: a question, its controls, and a spoken reply."""

from __future__ import annotations

import html

import ipywidgets as widgets

from workbook.explorer.cells import close_tree, register, show_in_cell, unregister
from workbook.explorer.explorer import Explorer, show_size
from workbook.explorer.view import View

__all__ = [
    "LEVELS",
    "PageQuestion",
    "QuestionView",
    "buttons",
    "context_rows",
    "listing",
    "number_field",
    "paragraph",
    "sure_field",
]

LEVELS = 0.5, 0.6, 0.7, 0.8, 0.9, 1.0  # how sure a reader can say to be of one of two or more options


class PageQuestion:
    """Base class of what a page asks. Subclasses return its text form, `to_text()`, and its widgets, `rows(reply)`."""

    def _repr_mimebundle_(self, include=None, exclude=None):
        shown = QuestionView(self)
        show_in_cell(shown)
        return dict(shown.box._repr_mimebundle_()) | {"text/plain": self.to_text()}


class QuestionView:
    """The widgets of one displayed question: they follow `lecture`, and are closed when their cell is run again."""

    def __init__(self, question: PageQuestion):
        self.reply = View()
        rows = question.rows(self.reply)
        self.explorers = [row for row in rows if isinstance(row, Explorer)]
        self.box = widgets.VBox([row.panel if isinstance(row, Explorer) else row for row in rows]).add_class("nb-asked")
        register(self)
        self.resize()

    def close(self) -> None:
        unregister(self)
        for explorer in self.explorers:
            explorer.close()
        close_tree(self.box)

    def resize(self) -> None:
        show_size(self.box, self.reply)


def paragraph(text: str) -> widgets.HTML:
    """Return a widget with a text: tags are shown as text, and several lines stay lines."""
    return widgets.HTML(listing(text) if "\n" in text else f'<div style="line-height: 1.45">{html.escape(text)}</div>')


def context_rows(context: str) -> list[widgets.HTML]:
    """Return the widget that shows a question's context; none where it has none."""
    return [paragraph(context).add_class("nb-context")] if context else []


def listing(code: str) -> str:
    """Return code as HTML."""
    return f'<pre style="line-height: 1.35; margin: 4px 2px; font-family: monospace">{html.escape(code)}</pre>'


def number_field(label: str) -> widgets.Text:
    """Return a text field for a number; its value arrives with Enter, or when the field loses the focus."""
    hint = "like 0.25 or 1/4"
    style = {"description_width": "initial"}
    return widgets.Text(placeholder=hint, description=label, continuous_update=False, style=style)


def sure_field() -> widgets.Dropdown:
    """Return a field for the reader's confidence, 0.5 to 1; its value is None until one is chosen."""
    levels = [("not said", None), *((f"{level:.0%}".replace("%", " %"), level) for level in LEVELS)]
    style = {"description_width": "initial"}
    field = widgets.Dropdown(options=levels, index=0, description="How sure are you?", style=style)
    field.layout.width = "auto"
    return field


def buttons(*before, **actions) -> widgets.HBox:
    """Return a row of buttons. actions: label (underscores for spaces) -> what a click does. before: widgets first."""
    row = list(before)
    for label, action in actions.items():
        button = widgets.Button(description=label.replace("_", " "))
        button.on_click(lambda _, action=action: action())
        row.append(button)
    return widgets.HBox(row, layout={"flex_flow": "row wrap"})

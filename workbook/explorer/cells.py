"""Registry of displayed objects by notebook cell; closes those that a later run of the cell has replaced."""

from __future__ import annotations

from collections import deque
from typing import Protocol

import ipywidgets as widgets
from IPython import get_ipython

__all__ = ["close_tree", "show_in_cell", "unregister"]

UNDO = 8  # deleted cells that the learner may still paste or bring back; what older ones showed is closed


class OnPage(Protocol):
    """A displayed object, whose `close` must call `unregister`."""

    def close(self) -> None: ...


_shown: dict[str, tuple[int, list[OnPage]]] = {}  # cell -> its last run, and what that run showed
_deleted: deque[str] = deque()


def unregister(shown: OnPage) -> None:
    """Remove a closed object from its cell."""
    for cell, (run, items) in list(_shown.items()):
        left = [item for item in items if item is not shown]
        if left:
            _shown[cell] = run, left
        else:
            del _shown[cell]


def show_in_cell(shown: OnPage) -> None:
    """Register an object under the running cell, and close objects that no cell displays any more."""
    cell, run, deleted = running_cell()
    if cell is None:
        return
    last_run, items = _shown.get(cell, (run, []))
    _shown[cell] = (run, [shown] if last_run != run else [*items, shown])
    _deleted.extend(gone for gone in deleted if gone in _shown and gone not in _deleted)
    if cell in _deleted:  # cut and pasted
        _deleted.remove(cell)
    old = list(items) if last_run != run else []
    while len(_deleted) > UNDO:
        old += _shown.pop(_deleted.popleft(), (0, []))[1]
    kept = [item for _, others in _shown.values() for item in others]
    for item in old:
        if not any(item is other for other in kept):
            item.close()


def running_cell() -> tuple[str | None, int, list[str]]:
    """Return the running cell's id, the number of its run, and the ids of cells that JupyterLab deleted since.

    (None, 0, []) outside a notebook page.
    """
    shell = get_ipython()
    try:
        metadata = shell.kernel.get_parent("shell")["metadata"]
        return metadata.get("cellId"), shell.execution_count, metadata.get("deletedCells", [])
    except (AttributeError, KeyError, TypeError):
        return None, 0, []


def close_tree(widget: widgets.Widget) -> None:
    """Close a widget with its children, layout and style."""
    for child in getattr(widget, "children", ()):
        close_tree(child)
    for name in ("layout", "style"):
        if isinstance(part := getattr(widget, name, None), widgets.Widget):
            part.close()
    widget.close()

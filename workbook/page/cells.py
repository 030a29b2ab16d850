"""A cell that is run again replaces what it showed: the old widgets are closed, so that nothing piles up."""

from __future__ import annotations

import ipywidgets as widgets
from IPython import get_ipython

_shown: dict[str, tuple[int, list]] = {}  # cell -> its last run, and what that run showed


def show_in_cell(shown) -> None:
    """Note that the running cell shows this; `close()` what its earlier runs showed and no other cell shows."""
    cell, run = running_cell()
    if cell is None:
        return
    last_run, items = _shown.get(cell, (run, []))
    _shown[cell] = (run, [shown] if last_run != run else [*items, shown])
    kept = [item for _, others in _shown.values() for item in others]
    for item in items if last_run != run else []:
        if not any(item is other for other in kept):
            item.close()


def running_cell() -> tuple[str | None, int]:
    """Id of the cell that is running, and the number of its run; (None, 0) outside a notebook page."""
    shell = get_ipython()
    try:
        return shell.kernel.get_parent("shell")["metadata"].get("cellId"), shell.execution_count
    except (AttributeError, KeyError, TypeError):
        return None, 0


def close_tree(widget: widgets.Widget) -> None:
    """Close a widget with all that hangs on it."""
    for child in getattr(widget, "children", ()):
        close_tree(child)
    for name in ("layout", "style"):
        if isinstance(part := getattr(widget, name, None), widgets.Widget):
            part.close()
    widget.close()

"""Take widgets that died with their kernel out of saved notebooks: JupyterLab would show an error in their place."""

import json
from pathlib import Path

from tools.files import replace

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def drop_views(book: dict) -> int:
    """Take out every widget view that has something beside it to show instead; say how many there were."""
    outputs = [output.get("data", {}) for cell in book["cells"] for output in cell.get("outputs", ())]
    dead = [data for data in outputs if WIDGET_VIEW in data and len(data) > 1]
    for data in dead:
        del data[WIDGET_VIEW]
    return len(dead)


def drop_dead_views(folder: Path) -> None:
    """Before a server starts no kernel lives, so every saved view is dead."""
    for path in folder.glob("*.ipynb"):
        try:
            book = json.loads(path.read_text("utf-8"))
            if not drop_views(book):
                continue
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue  # not readable as a notebook: JupyterLab will say so
        replace(path, json.dumps(book, ensure_ascii=False, indent=1) + "\n")

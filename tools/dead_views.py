"""Hands out pages without dead widgets: JupyterLab would show an error in place of the picture beside one.

A saved page has, beside the picture and the text of each figure, the number of its widget. As long as its kernel lives
that brings the figure back when the page is loaded again; later it hides them. So the server leaves it out as it hands
out the page, and the file stays as it is.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress

from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
MALFORMED = KeyError, TypeError, AttributeError  # of a page that is no proper notebook: JupyterLab says so


def widget_outputs(book: dict) -> Iterator[dict]:
    """Yield the data of each output that a page shows by a widget: content by its kind."""
    for cell in book["cells"]:
        for output in cell.get("outputs", ()):
            if WIDGET_VIEW in output.get("data", {}):
                yield output["data"]


def drop_views(book: dict, alive: Callable[[str], bool] = lambda widget: False) -> None:
    """Take out every widget that is not alive and has something beside it to show instead."""
    for data in widget_outputs(book):
        if len(data) > 1 and not alive(data[WIDGET_VIEW]["model_id"]):
            del data[WIDGET_VIEW]


class Pages(AsyncLargeFileManager):
    """Serves the files of a book to JupyterLab."""

    def __init__(self, **keywords):
        super().__init__(**keywords)
        self._kernels_of: dict[str, set[int]] = {}  # widget -> the kernel that had it when its page was first saved

    async def get(self, path, content=True, *asked, **more):
        model = await super().get(path, content, *asked, **more)
        if content and model["type"] == "notebook":
            now = await self._kernels(path)
            with suppress(*MALFORMED):
                drop_views(model["content"], lambda widget: bool(now & self._kernels_of.get(widget, set())))
        return model

    async def save(self, model, path=""):
        if model.get("type") == "notebook" and model.get("content"):
            now = await self._kernels(path)
            with suppress(*MALFORMED):
                for data in widget_outputs(model["content"]):
                    self._kernels_of.setdefault(data[WIDGET_VIEW]["model_id"], now)
        return await super().save(model, path)

    async def _kernels(self, path: str) -> set[int]:
        """Return the processes of a page's kernel, if it has one; one that was restarted is another process."""
        kernels, sessions = self.parent.kernel_manager, await self.parent.session_manager.list_sessions()
        ids = [(session["kernel"] or {}).get("id") for session in sessions if session["path"] == path.strip("/")]
        running = [kernels.get_kernel(kernel).provisioner for kernel in ids if kernel in kernels]
        return {process.pid for process in running if process is not None}

"""The view of an explorer on the page: an anywidget of ours, and plotly.js for readers who open it."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from uuid import uuid4

import anywidget
from traitlets import Bool, Bytes, Dict, Float, Int, List, Unicode

from workbook.draw import drawable, encode_values, script

__all__ = ["PIECES", "View", "load_page", "load_plotly", "module", "style"]

FOLDER = Path(__file__).parent
PIECES = [
    *(FOLDER / f"{name}.js" for name in ("private", "ahead", "focus", "live_region", "view")),
    FOLDER.parent / "questions" / "question.js",
]
SHEETS = FOLDER / "tokens.css", FOLDER / "view.css", FOLDER.parent / "questions" / "question.css"


class PlotlyLoader(anywidget.AnyWidget):
    """Widget that loads plotly.js (4.8 MB, from the installed plotly package) into the page; never displayed."""

    # As a module of its own: this one is then ready at once, and nobody waits for plotly.js but the figures. An AMD
    # loader on the page would swallow it.
    _esm = """
    export default {
      initialize({ model }) {
        const parts = ["var define=undefined,module=undefined,exports=undefined;", model.get("source")];
        if (!globalThis.Plotly) import(URL.createObjectURL(new Blob(parts, { type: "text/javascript" })));
      },
    };
    """
    source = Bytes().tag(sync=True)

    def __init__(self):
        super().__init__(source=files("plotly").joinpath("package_data/plotly.min.js").read_bytes())


@cache
def load_plotly() -> PlotlyLoader:
    """Return the kernel's one loader, so that plotly.js is sent once for all figures of a page."""
    return PlotlyLoader()


def _page() -> tuple[str, str]:
    """Return the script for the views of a page and its global name; pages of two versions may share a window."""
    source = "\n".join([script(), *(piece.read_text(encoding="utf-8") for piece in PIECES)])
    return source, f"workbook-{sha256(source.encode()).hexdigest()[:12]}"


def style() -> str:
    """Return the style sheet of explorers and questions: the tokens of the look, then the rules."""
    return "\n".join(sheet.read_text(encoding="utf-8") for sheet in SHEETS)


SOURCE, NAME = _page()


class PageLoader(anywidget.AnyWidget):
    """Widget that loads our drawing module, view and style sheet into the page; never displayed."""

    _esm = f"{SOURCE}\nexport default {{ initialize() {{ globalThis[{NAME!r}] = {{ render, questionOfKernel }}; }} }};"
    _css = style()


@cache
def load_page() -> PageLoader:
    """Return the kernel's one loader, so that each figure sends little."""
    return PageLoader()


def module(function: str) -> str:
    """Return the module of a widget that a function of the page's script renders."""
    return f"""
    export default {{
      async render(given) {{
        while (!globalThis[{NAME!r}]) await new Promise((resolve) => setTimeout(resolve, 10));
        return globalThis[{NAME!r}].{function}(given);
      }},
    }};
    """


class View(anywidget.AnyWidget):
    """A figure, its equation, the sentence under it (read aloud, see live_region.js), a caption, an error, a wait."""

    _esm = module("render")
    figure = Dict().tag(sync=True)  # as our drawing module takes it
    formula = List().tag(sync=True)
    sentence = Unicode().tag(sync=True)
    caption = Unicode().tag(sync=True)
    error = Unicode().tag(sync=True)
    fitting = Unicode().tag(sync=True)  # what is waited for; the figure is that of an earlier state
    share = Float().tag(sync=True)  # how much of it is done
    name = Unicode().tag(sync=True)  # the page's own name for this view
    note = Unicode().tag(sync=True)  # said before the sentence: the site's, whose figure is of a state nearby
    coarse = Bool().tag(sync=True)  # the figure's numbers are rounded to what can be seen: the site's
    said = Int().tag(sync=True)  # counts what was said, so that the same words twice are heard twice
    controls = Dict().tag(sync=True)  # name -> what a grip must know of a control and its widget
    moved = Dict().tag(sync=True)  # what a reader has dragged: {"values": {control: value}, "count": ...}
    at = List().tag(sync=True)  # the state that the figure shows: of each control the index of its value, or its text
    focused = Unicode().tag(sync=True)  # the control whose slider has the focus
    plotly = Bool().tag(sync=True)  # the reader wants, or the figure needs, plotly.js
    plain = Dict().tag(sync=True)  # the figure for it

    def __init__(self, **traits):
        name = uuid4().hex  # known before it is opened: a late page has it from the first message
        self._shown: dict | None = None
        load_page()
        super().__init__(model_id=name, name=name, **traits)
        self.on_msg(lambda *_: self.send_state())  # the page started late and missed something: see view.js
        self.observe(lambda _: self._send_plain(), "plotly")

    def show(self, figure: dict) -> None:
        """Send a figure to the page."""
        self._shown, self.figure = figure, drawable(figure)
        self._send_plain()

    def _send_plain(self) -> None:
        if self.plotly and self._shown:
            load_plotly()
            self.plain = encode_values(self._shown)

    def say(self, sentence: str) -> None:
        """Show a sentence and have it read aloud, even if it is the present one."""
        with self.hold_sync():
            self.sentence = sentence
            self.said += 1

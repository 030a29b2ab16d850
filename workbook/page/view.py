"""The picture of an explorer on the page: a small widget of ours, and plotly.js sent once."""

from __future__ import annotations

from base64 import b64decode
from functools import cache
from importlib.resources import files
from pathlib import Path

import anywidget
import numpy as np
import plotly.graph_objects as go
from traitlets import Bool, Dict, Float, Int, Unicode

from workbook.page.contours import with_polygons

# An AMD loader on the page would swallow plotly.js; as a module it must export something.
_BEFORE, _AFTER = "var define=undefined,module=undefined,exports=undefined;", ";export default {};"


class PlotlyLoader(anywidget.AnyWidget):
    """Brings plotly.js (4.8 MB, from the installed plotly package) onto the page; it is never displayed."""

    _esm = ""

    def __init__(self):
        source = files("plotly").joinpath("package_data/plotly.min.js").read_text(encoding="utf-8")
        self._esm = _BEFORE + source + _AFTER
        super().__init__()


@cache
def load_plotly() -> PlotlyLoader:
    """The one loader of this kernel: however many figures a page holds, plotly.js travels once."""
    return PlotlyLoader()


class View(anywidget.AnyWidget):
    """A figure, the sentence under it (read aloud by screen readers when it changes), a caption, an error, a wait."""

    _esm = Path(__file__).parent / "view.js"
    _css = Path(__file__).parent / "view.css"

    figure = Dict().tag(sync=True)
    sentence = Unicode().tag(sync=True)
    caption = Unicode().tag(sync=True)
    error = Unicode().tag(sync=True)
    fitting = Unicode().tag(sync=True)  # what is waited for; the figure is that of an earlier state
    share = Float().tag(sync=True)  # how much of it is done
    lecture = Bool().tag(sync=True)
    name = Unicode().tag(sync=True)  # one for each view: the radio buttons of a view are one group
    said = Int().tag(sync=True)  # counts what was said, so that the same words twice are heard twice

    def __init__(self, **traits):
        super().__init__(**traits)
        self.name = self.model_id or ""

    def say(self, sentence: str) -> None:
        """Show and speak a sentence, even if it is the one that stands there."""
        with self.hold_sync():
            self.sentence = sentence
            self.said += 1


def packed(figure: go.Figure) -> dict:
    """The figure as the widget sends it: plain values, and every array as binary instead of base64 text."""
    plain = figure.to_plotly_json()
    return _pack(plain | {"data": [_drawable(trace) for trace in plain["data"]]})


def _drawable(trace: dict) -> dict:
    return with_polygons(trace) if trace.get("type") == "contour" else trace


def _pack(value):
    if isinstance(value, np.ndarray):
        return {"dtype": "f8", "bdata": np.ascontiguousarray(value, dtype="<f8").tobytes()}
    if isinstance(value, dict):
        if isinstance(value.get("bdata"), str):
            return value | {"bdata": b64decode(value["bdata"])}
        return {key: _pack(item) for key, item in value.items()}
    return [_pack(item) for item in value] if isinstance(value, list | tuple) else value

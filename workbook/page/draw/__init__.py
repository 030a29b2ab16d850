"""The page's drawing module: one small file for each kind of mark, joined into one script."""

from __future__ import annotations

import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go

from workbook.page.draw.contours import with_polygons

__all__ = ["drawable", "script"]

FOLDER = Path(__file__).parent
IMPORT = re.compile(r'^import \{.*?\} from "\./(\w+)\.js";\n', re.MULTILINE | re.DOTALL)


@cache
def script() -> str:
    """All files as one script, each after those that it imports; it defines `draw` and `canDraw`."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.js"))}
    order = TopologicalSorter({name: IMPORT.findall(text) for name, text in texts.items()}).static_order()
    parts = [IMPORT.sub("", texts[name]) for name in order]
    return "\n".join(re.sub(r"^export (?=const|function)", "", part, flags=re.MULTILINE) for part in parts)


def drawable(figure: go.Figure) -> dict:
    """A figure as `draw` takes it: plain values, arrays as plotly encodes them, contours as lines and areas."""
    plain = _simple(figure.to_plotly_json())
    return plain | {"data": [with_polygons(t) if t.get("type") == "contour" else t for t in plain["data"]]}


def _simple(value: Any) -> Any:
    """What numpy holds of it as Python's own numbers: plotly leaves scalars and empty arrays as they are."""
    if isinstance(value, dict):
        return {key: _simple(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_simple(item) for item in value]
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value

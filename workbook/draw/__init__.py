"""The drawing module: one JavaScript file for each kind of mark, joined into one script."""

from __future__ import annotations

import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from workbook.draw.arrays import as_text, encode_values
from workbook.draw.contours import compute_polygons

__all__ = ["as_text", "drawable", "encode_values", "script"]

FOLDER = Path(__file__).parent
IMPORT = re.compile(r'^import \{.*?\} from "\./(\w+)\.js";\n', re.MULTILINE | re.DOTALL)


@cache
def script() -> str:
    """Join all files into one script, each after those that it imports; it defines `draw` and `canDraw`."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.js"))}
    order = TopologicalSorter({name: IMPORT.findall(text) for name, text in texts.items()}).static_order()
    parts = [IMPORT.sub("", texts[name]) for name in order]
    return "\n".join(re.sub(r"^export (?=const|function)", "", part, flags=re.MULTILINE) for part in parts)


def drawable(figure: dict) -> dict:
    """Return a figure ({"data", "layout"}) as `draw` takes it: plain values, arrays as bytes, contours as polygons."""
    traces = [compute_polygons(trace) if trace["type"] == "contour" else trace for trace in figure["data"]]
    return encode_values({"data": traces, "layout": figure["layout"]})

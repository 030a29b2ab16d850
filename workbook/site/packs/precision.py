"""How finely the numbers of a figure are kept: to an eighth of a pixel, and so that hover texts print the same."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import reduce
from typing import NamedTuple

__all__ = ["Path", "Precision", "joined", "precisions"]

WIDE, HIGH = 1280, 640  # px: no panel is wider or higher on a page
PART = 8  # of a pixel: what no eye can tell apart
SHADES = 255  # steps of a heatmap, as the page draws it
HOVER = re.compile(r"%\{(\w+)(?:\[\d+\])?(?::([^}]*))?\}")
LETTERS = {"x": "x", "y": "y", "x0": "x", "x1": "x", "y0": "y", "y1": "y"}

Path = tuple[str | int, ...]


class Precision(NamedTuple):
    """per_unit: steps into which one unit may be cut. share: on a log axis, the error relative to the value.
    formats: those in which hover texts print the numbers.
    """

    per_unit: float = 0.0
    share: float = 0.0
    formats: frozenset[str] = frozenset()


def joined(one: Precision, two: Precision) -> Precision:
    """Return a precision that serves both; a log axis in one frame and a plain one in another leave the formats."""
    formats = one.formats | two.formats
    if (one.per_unit > 0) != (two.per_unit > 0) or (one.share > 0) != (two.share > 0):
        return Precision(formats=formats)
    return Precision(max(one.per_unit, two.per_unit), min(one.share, two.share), formats)


def precisions(figure: dict) -> Callable[[Path], Precision]:
    """Return the function that gives the precision of the numbers at a path of a drawable figure."""
    axes = {name: _of_axis(axis, name[0]) for name, axis in figure["layout"].items() if re.match("[xy]axis", name)}
    formats = [_formats(trace) for trace in figure["data"]]

    def precision(path: Path) -> Precision:
        kind, number, *rest = path
        if kind == "data":
            names = [step for step in rest if isinstance(step, str)]
            printed = formats[number].get(names[0], frozenset())
            return _of_trace(figure["data"][number], names, axes)._replace(formats=printed)
        return _of_layout(figure["layout"], path[1:], axes)

    return precision


def _of_axis(axis: dict, letter: str) -> Precision:
    """Precision of positions along an axis."""
    if len(axis.get("range") or ()) != 2:
        return Precision()
    low, high = map(float, axis["range"])
    start, end = axis.get("domain", (0, 1))
    steps = PART * (WIDE if letter == "x" else HIGH) * (end - start)
    span = abs(high - low)
    if not (math.isfinite(span) and span > 0 and steps > 0):
        return Precision()
    if axis.get("type") == "log":
        return Precision(share=math.log(10) * span / steps)
    return Precision(per_unit=steps / span)


def _of_trace(trace: dict, names: list[str], axes: dict) -> Precision:
    """Precision of a trace's numbers; names: the keys on the way to them."""
    if names[0] == "z" and trace.get("zmax") is not None:
        return Precision(per_unit=SHADES / ((trace["zmax"] - trace["zmin"]) or 1))
    if names[:2] in (["marker", "size"], ["marker", "opacity"]):
        return Precision(per_unit=PART if names[1] == "size" else 256)
    if names[0] not in ("x", "y", "base", "width", "lines"):
        return Precision()
    along, across = "xy" if trace.get("orientation") == "h" else "yx"
    letter = {"base": along, "width": across}.get(names[0], LETTERS.get(names[-1]))
    name = f"{letter}axis{trace.get(f'{letter}axis', str(letter))[1:]}"
    return axes.get(name, Precision())


def _of_layout(layout: dict, path: Path, axes: dict) -> Precision:
    """Precision of numbers of the layout: ticks, places of shapes, notes and handles."""
    kind, name = path[0], path[-1]
    if name == "tickvals" and "ticktext" not in layout[kind]:
        return Precision(formats=frozenset([""]))
    if kind in ("shapes", "annotations") and name in LETTERS:
        letter = LETTERS[name]
        reference = layout[kind][path[1]].get(f"{letter}ref", "")
        if reference.endswith("domain") or reference == "paper":
            return Precision(per_unit=PART * WIDE)
        return axes.get(f"{letter}axis{reference[1:]}", Precision())
    if path[:2] == ("meta", "handles") and (name in LETTERS or name == "places"):
        handle = layout["meta"]["handles"][path[2]]
        letters = LETTERS.get(name, handle["axis"])
        return reduce(joined, [axes.get(f"{letter}axis{handle['panel']}", Precision()) for letter in letters])
    return Precision()


def _formats(trace: dict) -> dict[str, frozenset[str]]:
    """Map the name of a trace's numbers to the formats in which its hover texts print them."""
    if trace.get("hoverinfo") == "skip":
        return {}
    templates = trace.get("hovertemplate") or ""
    found: dict[str, set[str]] = {}
    for template in {templates} if isinstance(templates, str) else set(templates):
        for name, form in HOVER.findall(template or ""):
            found.setdefault(name, set()).add(form)
    return {name: frozenset(forms) for name, forms in found.items()}

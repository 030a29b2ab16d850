"""How finely the numbers of a figure must be kept: to an eighth of a pixel, and so that marks say the same."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import reduce
from typing import NamedTuple

__all__ = ["Grain", "Path", "grains", "joined"]

WIDE, HIGH = 1280, 640  # px: no panel is wider or higher on a page
PART = 8  # of a pixel: what no eye can tell apart
SHADES = 255  # steps of a heatmap, as the page draws it
SAID = re.compile(r"%\{(\w+)(?:\[\d+\])?(?::([^}]*))?\}")
ALONG = {"x": "x", "y": "y", "x0": "x", "x1": "x", "y0": "y", "y1": "y", "error_x": "x", "error_y": "y"}

Path = tuple[str | int, ...]


class Grain(NamedTuple):
    """per_unit: steps into which one unit may be cut. share: or the error, relative to the value (on a log axis).
    said: the formats in which marks say these numbers. With neither of the first two, float32.
    """

    per_unit: float = 0.0
    share: float = 0.0
    said: frozenset[str] = frozenset()


def joined(one: Grain, two: Grain) -> Grain:
    """What serves both; a log axis in one frame and a plain one in another ask for float32."""
    said = one.said | two.said
    if (one.per_unit > 0) != (two.per_unit > 0) or (one.share > 0) != (two.share > 0):
        return Grain(said=said)
    return Grain(max(one.per_unit, two.per_unit), min(one.share, two.share), said)


def grains(figure: dict) -> Callable[[Path], Grain]:
    """For a drawable figure: the path of numbers in it -> their grain."""
    axes = {name: _axis(axis, name[0]) for name, axis in figure["layout"].items() if re.match("[xy]axis", name)}
    known: dict[int, dict] = {}

    def of_trace(path: Path) -> Grain:
        at, names = path[1], [step for step in path[2:] if isinstance(step, str)]
        trace = figure["data"][at]
        said = known.setdefault(at, _said(trace)).get(names[0], frozenset())
        return _in_trace(trace, names, axes)._replace(said=said)

    def of_layout(path: Path) -> Grain:
        kind, name = path[1], path[-1]
        if name == "tickvals" and "ticktext" not in figure["layout"][kind]:
            return Grain(said=frozenset([""]))
        if kind in ("shapes", "annotations") and name in ALONG:
            return _referred(figure["layout"][kind][path[2]].get(f"{ALONG[name]}ref", ""), ALONG[name], axes)
        if path[1:3] == ("meta", "handles"):
            handle = figure["layout"]["meta"]["handles"][path[3]]
            if name in ALONG or name == "places":
                letters = ALONG.get(name, handle["axis"])
                return reduce(joined, [axes.get(f"{letter}axis{handle['panel']}", Grain()) for letter in letters])
        return Grain()

    return lambda path: of_trace(path) if path[0] == "data" else of_layout(path)


def _axis(axis: dict, letter: str) -> Grain:
    """Of positions along an axis."""
    if len(axis.get("range") or ()) != 2:
        return Grain()
    low, high = map(float, axis["range"])
    start, end = axis.get("domain", (0, 1))
    pixels = PART * (WIDE if letter == "x" else HIGH) * (end - start)
    span = abs(high - low)
    if not (math.isfinite(span) and span > 0 and pixels > 0):
        return Grain()
    return Grain(share=math.log(10) * span / pixels) if axis.get("type") == "log" else Grain(per_unit=pixels / span)


def _referred(ref: str, letter: str, axes: dict) -> Grain:
    """Of a shape's or a note's place: on an axis, or a share of a panel or the paper."""
    if ref.endswith("domain") or ref == "paper":
        return Grain(per_unit=PART * WIDE)
    return axes.get(f"{letter}axis{ref[1:]}", Grain())


def _in_trace(trace: dict, names: list[str], axes: dict) -> Grain:
    lying = trace.get("orientation") == "h"
    letter = {"base": "x" if lying else "y", "width": "y" if lying else "x"}.get(names[0], ALONG.get(names[-1]))
    if names[0] in ("error_x", "error_y") and names[-1] == "array":
        letter = names[0][-1]
    if names[0] == "z" and trace.get("zmax") is not None:
        return Grain(per_unit=SHADES / ((trace["zmax"] - trace["zmin"]) or 1))
    if names[:2] in (["marker", "size"], ["marker", "opacity"]):
        return Grain(per_unit=PART if names[1] == "size" else 256)
    if letter is None or names[0] not in ("x", "y", "base", "width", "lines", "areas", "error_x", "error_y"):
        return Grain()
    return axes.get(f"{letter}axis{trace.get(f'{letter}axis', letter)[1:]}", Grain())


def _said(trace: dict) -> dict[str, frozenset[str]]:
    """What the marks of a trace say: name of the numbers -> the formats in which they are said."""
    if trace.get("hoverinfo") == "skip":
        return {}
    templates = trace.get("hovertemplate") or ""
    found: dict[str, set[str]] = {}
    for template in {templates} if isinstance(templates, str) else set(templates):
        for name, form in SAID.findall(template or ""):
            found.setdefault(name, set()).add(form)
    return {name: frozenset(forms) for name, forms in found.items()}

"""The marks of a panel: functions from numbers to the dicts of plotly's figure description.

Every mark takes its `Words` and a `look`: a colour of the palette, a `palette.Look`, or one for each bar or point.
A dict written by hand is a mark, too; without a `type` it is an annotation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from workbook.explorer import palette, theme
from workbook.explorer.handles import Handle
from workbook.explorer.palette import Looks, look_part

__all__ = [
    "axis", "bars", "cells", "contour", "figure", "frame", "line", "named_axis", "panel", "points", "rule", "text",
]  # fmt: skip

FIELD = re.compile(r"\{(x|y|name|data)(\[\d+\])?(:[^{}]*)?\}")
PLOTLY_FIELD = {"x": "x", "y": "y", "name": "fullData.name", "data": "customdata"}
ANCHORS = {"left": ("xanchor", "right"), "right": ("xanchor", "left"),
           "above": ("yanchor", "bottom"), "below": ("yanchor", "top")}  # fmt: skip
KINDS = {"line": "shapes", "rect": "shapes", None: "annotations"}  # of a mark by its type; the others are traces
EDGES: dict[Any, dict] = {
    side: {letter: end, f"{letter}ref": "domain", f"{letter}anchor": side}
    for side, letter, end in (("bottom", "y", 0), ("top", "y", 1), ("left", "x", 0), ("right", "x", 1))
}


class Words(TypedDict, total=False):
    """Hold the texts of a mark: `name` for the legend, `hover` for the pointer, `id` for the term of an equation.

    hover: a text for each bar or point, or one for all in which {x}, {y:.3f}, {name} and {data} are filled in; without
    it the mark cannot be pointed at. data: what {data} stands for, one each. id: one for all, or one each.
    """

    name: str
    hover: str | Sequence[str]
    data: ArrayLike
    id: str | Sequence[str]


def bars(x: ArrayLike, y: ArrayLike, look: Looks, *, base: ArrayLike | None = None, width: ArrayLike = 0.8,
         rim: str = "", horizontal: bool = False, **words: Unpack[Words]) -> dict:  # fmt: skip
    """Return bars at x, from `base` up by y; horizontal ones at y, to the right by x. rim: colour of their outline."""
    color, hatch, way = look_part(look, "color"), look_part(look, "hatch"), "h" if horizontal else None
    marker = theme.bars(color, hatch) if any(hatch) else dict(color=color)
    if rim:
        marker["line"] = dict(color=rim, width=1)
    return _trace("bar", words, x=x, y=y, base=base, width=width, marker=marker, orientation=way)


def line(x: ArrayLike, y: ArrayLike, look: Looks, *, width: float = 2, size: ArrayLike | None = None,
         steps: bool = False, **words: Unpack[Words]) -> dict:  # fmt: skip
    """Return a line; NaN is a gap. size: of the points along it, if they are seen. steps: level up to the next x."""
    shape, mode = "hv" if steps else None, "lines" if size is None else "lines+markers"
    marker = None if size is None else dict(symbol=look_part(look, "symbol"), size=size)
    return _trace("scatter", words, mode=mode, x=x, y=y, line=_stroke(look, width, shape=shape), marker=marker)


def points(x: ArrayLike, y: ArrayLike, look: Looks, *, size: ArrayLike = 9, symbol: str = "", stroke: float = 0,
           rim: str | None = None, opacity: float | None = None, **words: Unpack[Words]) -> dict:  # fmt: skip
    """Return points. symbol: another than the look's. stroke: width of its lines, or of its rim in the colour `rim`."""
    edge, shape = _drop_none(width=stroke, color=rim) if stroke else None, symbol or look_part(look, "symbol")
    marker = _drop_none(symbol=shape, size=size, color=look_part(look, "color"), line=edge, opacity=opacity)
    return _trace("scatter", words, mode="markers", x=x, y=y, marker=marker)


def cells(x: ArrayLike, y: ArrayLike, z: ArrayLike, scale: Sequence) -> dict:
    """Return a map of coloured cells z (rows, columns), NaN for none. scale: [[0, "#RRGGBB"], ..., [1, "#RRGGBB"]]."""
    return _trace("heatmap", {}, x=x, y=y, z=z, colorscale=scale, zmin=0, zmax=1, showscale=False)


def contour(x: ArrayLike, y: ArrayLike, z: ArrayLike, look: Looks, *, width: float = 2) -> dict:
    """Return the line along which z (rows, columns) changes its sign."""
    signs, zero = np.clip(z, -1, 1), dict(start=0, end=0, size=1, coloring="none")
    return _trace("contour", {}, x=x, y=y, z=signs, contours=zero, line=_stroke(look, width), showscale=False)


def rule(*, x: float | None = None, y: float | None = None, span: tuple[float, float] | None = None,
         look: Looks = palette.NOW, width: float = 2, id: str | None = None) -> dict:  # fmt: skip
    """Return an upright line at x or a level one at y, through the panel or over a `span` of the other axis."""
    first, last = span or (0, 1)
    ends = dict(x0=x, x1=x, y0=first, y1=last) if y is None else dict(x0=first, x1=last, y0=y, y1=y)
    reference = {} if span else {"yref" if y is None else "xref": "domain"}
    return _drop_none(type="line", **ends, **reference, line=_stroke(look, width), name=id)


def frame(x: Sequence[float], y: Sequence[float], look: Looks = "", *, width: float = 3, id: str | None = None,
          fill: str | None = None) -> dict:  # fmt: skip
    """Return a rectangle between two x and two y; without a look it is only filled, below all other marks."""
    ends = dict(x0=x[0], x1=x[1], y0=y[0], y1=y[1], line=_stroke(look, width) if look else dict(width=0))
    return _drop_none(type="rect", **ends, name=id, fillcolor=fill, layer=None if look else "below")


def text(x: float | str, y: float | str, words: str, *, place: str = "", color: str | None = None,
         paper: str | None = None) -> dict:  # fmt: skip
    """Return words on a point, or beside it: place = "left above". x, y: also an edge of the panel, e.g. "top".

    paper: the colour that covers what lies under the words.
    """
    where = EDGES.get(x, dict(x=x)) | EDGES.get(y, dict(y=y)) | dict(ANCHORS[side] for side in place.split())
    return _drop_none(text=words, font=None if color is None else dict(color=color), bgcolor=paper, **where)


def axis(low: float, high: float, title: str | None = None, *, ticks: int | Sequence[float] | dict[float, str] = (),
         log: bool = False, grid: bool | None = None) -> dict:  # fmt: skip
    """Return an axis between two values of the data. ticks: how many about, or at which values, or value -> words."""
    ends = dict(type="log", range=np.log10([low, high]).tolist()) if log else dict(range=[low, high])
    places = dict(nticks=ticks) if isinstance(ticks, int) else dict(tickvals=list(ticks))
    words = list(ticks.values()) if isinstance(ticks, dict) else None
    return _drop_none(**ends, **places, ticktext=words, title=title, showgrid=grid)


def named_axis(names: Sequence[str]) -> dict:
    """Return an axis with a name for each of n bars at 0, 1, ..., n - 1."""
    return axis(-0.6, len(names) - 0.4, ticks=dict(enumerate(names)), grid=False) | dict(tickangle=0)


def panel(title: str, *marks: dict | Handle | Sequence, x: dict, y: dict, equal: bool = False) -> theme.Panel:
    """Sort marks, lists of marks and handles into a panel; those of a kind are drawn in their order.

    equal: it is a map, see `theme.Panel`.
    """
    kinds: dict[str, list] = {"traces": [], "shapes": [], "annotations": [], "handles": []}
    for mark in _flat(marks):
        kind = "handles" if isinstance(mark, Handle) else KINDS.get(mark.get("type"), "traces")
        kinds[kind].append(mark)
    return theme.Panel(title, x=x, y=y, equal=equal, **kinds)


def figure(*panels: theme.Panel, finding: str = "", number: tuple[str, str] = ("", ""),
           widths: Sequence[float] | None = None, share: float = 1.0, left: float = 4.0) -> dict:  # fmt: skip
    """Lay panels side by side, each mark's name once in the legend. share: of the height; left: margin, in font sizes.

    finding: what the state shows, the title of all; `describe` begins with it. number: one that counts, and of what.
    """
    row, names = [], {""}
    for each in panels:
        traces: list[dict] = []
        for trace in each.traces:
            name = trace.get("name", "")
            traces.append(trace | {"showlegend": False} if name in names else trace)
            names.add(name)
        row.append(replace(each, traces=traces))
    made = theme.figure(row, widths, legend=len(names) > 1, share=share, left=left)
    made["layout"]["meta"] |= dict(head=dict(finding=finding, number=list(number))) if finding else {}
    return made


def _flat(marks: Sequence) -> Iterator[dict | Handle]:
    """Yield the marks of nested lists, one after the other."""
    for mark in marks:
        yield from [mark] if isinstance(mark, dict | Handle) else _flat(mark)


def _stroke(look: Looks, width: float, **options: Any) -> dict:
    """Return plotly's line options for a look: its colour, dash and width."""
    dash = look_part(look, "dash")
    return _drop_none(color=look_part(look, "color"), width=width, dash=None if dash == "solid" else dash, **options)


def _drop_none(**attributes: Any) -> dict:
    """Return a dict of the attributes that are not None."""
    return {name: value for name, value in attributes.items() if value is not None}


def _trace(kind: str, words: Words, **attributes: Any) -> dict:
    """Return a trace of plotly with its words; a single point may have plain numbers as x and y."""
    attributes |= {name: [attributes[name]] for name in ("x", "y") if not hasattr(attributes[name], "__len__")}
    hover, ids, data = words.get("hover", ""), words.get("id", ""), words.get("data")
    if not isinstance(hover, str):
        hover, data = "{data}", hover
    trace = _drop_none(type=kind, **attributes, name=words.get("name"), customdata=data)
    if len(ids):
        trace |= dict(meta=dict(mark=ids)) if isinstance(ids, str) else dict(ids=ids)
    return trace | (dict(hovertemplate=_template(hover)) if hover else dict(hoverinfo="skip"))


@lru_cache(maxsize=512)
def _template(hover: str) -> str:
    """Translate a hover text into plotly's language of templates."""
    return FIELD.sub(lambda f: f"%{{{PLOTLY_FIELD[f[1]]}{f[2] or ''}{f[3] or ''}}}", hover) + "<extra></extra>"

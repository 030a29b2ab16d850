"""The layout of every figure: one row of panels, one style of axes."""

from __future__ import annotations

import html
from collections import namedtuple
from collections.abc import Sequence
from dataclasses import dataclass, field

from workbook.explorer.handles import Handle

__all__ = [
    "PAGE", "Panel", "bars", "escape", "figure",
]  # fmt: skip


def bars(color: str | list, pattern: str | list = "") -> dict:
    """Return the marker of bars in a colour, hatched or not; or in a colour and a hatch for each bar."""
    return dict(color=color, pattern=dict(shape=pattern, fillmode="overlay", fgcolor="white", solidity=0.2))


# Two fonts of the same widths, one of which almost every machine has: what fits here fits there.
FONT = "Book Sans, Stand-in Sans, Arial, Liberation Sans, Helvetica, sans-serif"
PAGE = namedtuple("Size", "font width height")(13, 880, 335)  # in px


def escape(text: str) -> str:
    """Escape a learner's text for a label: plotly interprets tags such as <b> there."""
    return html.escape(str(text), quote=False)


@dataclass(frozen=True)
class Panel:
    """One view of a figure: plotly traces as dicts, axes as plotly axis options, marks in data coordinates.

    narrow: how many times as high as usual where the page is so narrow that panels stand one below the other.
    equal: it is a map, of pixels, a simplex or a square: one unit is as long on either axis, however wide the page.
    A mark's `xref` or `yref` may be "domain": then 0 and 1 are the panel's edges. What the page needs and plotly does
    not stands in a trace's `meta`: `mark`, the name that a `formula.Term` refers to (a single point's name stands in
    `ids`, a shape's in `name`), and `pixels`, (rows, columns) of the picture in each point's `customdata`. The words of
    a point are its `hovertemplate`.
    """

    title: str
    traces: Sequence[dict]
    x: dict = field(default_factory=dict)
    y: dict = field(default_factory=dict)
    shapes: Sequence[dict] = ()
    annotations: Sequence[dict] = ()
    handles: Sequence[Handle] = ()
    equal: bool = False
    narrow: float = 1.0


def figure(panels: Sequence[Panel], widths: Sequence[float] | None = None, legend: bool = True, share: float = 1.0,
           *, left: float = 4.0) -> dict:  # fmt: skip
    """Lay panels side by side as one figure: {"data": [...], "layout": {...}} in plotly's terms.

    widths: relative widths, equal by default. share: of the usual height, if controls or an equation need the room.
    left: margin for the words at an axis, in font sizes.
    The dict is not checked here: to build a `go.Figure` takes longer than all the rest of a frame. The tests check it.
    """
    s = PAGE
    tall = round(share * s.height)
    title, room = 1.9 * s.font, 1.7 * s.font if legend else 0.0
    margin = dict(l=left * s.font, r=s.font, t=title + room, b=3.2 * s.font)
    gap = 5.0 * s.font / s.width
    sides = (tall - margin["t"] - margin["b"]) / (s.width - margin["l"] - margin["r"])
    columns = _spans(_column_widths(panels, _spans(widths or [1.0] * len(panels), gap), sides), gap)
    traces, layout, shapes, notes, handles = [], {}, [], [], []
    for number, (panel, column) in enumerate(zip(panels, columns, strict=True), start=1):
        n = "" if number == 1 else str(number)
        shrinks = dict(constrain="domain") if panel.equal else {}
        layout[f"xaxis{n}"] = _axis(panel.x, domain=list(column), anchor=f"y{n}", **shrinks)
        layout[f"yaxis{n}"] = _axis(panel.y, domain=[0.0, 1.0], anchor=f"x{n}", **shrinks)
        if panel.equal:
            layout[f"yaxis{n}"]["scaleanchor"] = f"x{n}"
        traces += [dict(trace, xaxis=f"x{n}", yaxis=f"y{n}") for trace in panel.traces]
        shapes += [_in_panel(shape, n) for shape in panel.shapes]
        notes += [dict(showarrow=False) | _in_panel(note, n) for note in panel.annotations]
        notes += [_title(panel.title, n)] if panel.title else []
        handles += [handle.to_dict(n) for handle in panel.handles]
    layout |= dict(
        template="none",
        font=dict(family=FONT, size=s.font, color="#222222"),
        width=s.width,  # nominal: the page's own width takes its place, and the type shrinks with it
        height=tall,
        margin=margin,
        paper_bgcolor="white",
        plot_bgcolor="white",
        showlegend=legend,
        legend=dict(
            orientation="h",
            x=0,
            y=1 + 2.0 * s.font / tall,
            yanchor="bottom",
            yref="paper",
            itemclick=False,
            itemdoubleclick=False,
        ),
        dragmode=False,
        hovermode="closest",
        barmode="overlay",
        shapes=shapes,
        annotations=notes,
        # our own legend stands above the drawing and needs no margin
        meta=dict(handles=handles, legend=room) | _narrow(panels),
    )
    return {"data": traces, "layout": layout}


def _narrow(panels: Sequence[Panel]) -> dict:
    """Return {"narrow": panel number -> its height on a narrow page}, or {} if all are as high as usual."""
    heights = {"" if at == 1 else str(at): panel.narrow for at, panel in enumerate(panels, start=1)}
    return dict(narrow=heights) if set(heights.values()) != {1.0} else {}


def _spans(weights: Sequence[float], gap: float) -> list[tuple[float, float]]:
    """Cut [0, 1] into parts in proportion to `weights`, `gap` apart."""
    unit = (1 - gap * (len(weights) - 1)) / sum(weights)
    spans, start = [], 0.0
    for weight in weights:
        spans.append((start, min(1.0, start + weight * unit)))
        start += weight * unit + gap
    return spans


def _column_widths(panels: Sequence[Panel], columns: Sequence[tuple[float, float]], high: float) -> list[float]:
    """Return the widths of the panels: what a map needs at this height, and shares of the rest for the others."""
    given = [end - start for start, end in columns]
    widths = [min(wide, _ratio(panel) * high) if panel.equal else wide
              for panel, wide in zip(panels, given, strict=True)]  # fmt: skip
    free = sum(wide for panel, wide in zip(panels, given, strict=True) if not panel.equal)
    more = 1 + (sum(given) - sum(widths)) / free if free else 1.0
    return [wide if panel.equal else wide * more for panel, wide in zip(panels, widths, strict=True)]


def _ratio(panel: Panel) -> float:
    """Return the width of a map over its height."""
    (left, right), (bottom, top) = panel.x["range"], panel.y["range"]
    return abs((right - left) / (top - bottom))


def _axis(options: dict, **placement) -> dict:
    """Return plotly's options of an axis. No automargin: axes that jump while a slider moves hide what moved."""
    base = dict(zeroline=False, gridcolor="#E6E6E6", linecolor="#888888", ticks="outside", ticklen=4, automargin=False)
    if isinstance(options.get("title"), str):
        options = options | {"title": dict(text=options["title"], standoff=4, font=dict(size=PAGE.font))}
    return base | options | placement


def _in_panel(mark: dict, n: str) -> dict:
    """Return a shape or annotation that refers to the axes of the n-th panel."""
    refs = {f"{axis}ref": f"{axis}{n} domain" if mark.get(f"{axis}ref") == "domain" else f"{axis}{n}" for axis in "xy"}
    return mark | refs


def _title(text: str, n: str) -> dict:
    place = dict(x=0, y=1, xref=f"x{n} domain", yref=f"y{n} domain", xanchor="left", yanchor="bottom")
    return dict(text=f"<b>{text}</b>", name="title", showarrow=False) | place

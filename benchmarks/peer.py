"""The peer: any explorer's figure as a notebook would draw it with matplotlib under ipywidgets' `interact`.

What is drawn is read from plotly's description: as many panels, marks, ticks and notes as the explorer shows, in
matplotlib's own colours; no legend and no words at the marks, which spares the peer some of its time.
"""

from __future__ import annotations

import re

import ipywidgets as widgets
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from workbook.explorer.explorer import Explorer

PIXELS = 100  # an inch
POINT = 72 / PIXELS  # of a pixel


def interact_figure(kind: type[Explorer]) -> None:
    """Show an explorer's controls over its `compute`; each change draws all panels anew."""
    explorer = kind()

    def show(**state):
        draw(explorer.draw(explorer.compute(**state)))
        plt.show()

    widgets.interact(show, **{name: control.widget(control.default) for name, control in explorer.declared.items()})


def draw(described: dict) -> plt.Figure:
    """Draw a figure in as many pixels as the explorer's has on the page."""
    data, layout = described["data"], described["layout"]
    with plt.rc_context({"font.size": POINT * layout["font"]["size"]}):
        figure = plt.figure(figsize=(layout["width"] / PIXELS, layout["height"] / PIXELS), dpi=PIXELS)
        panels = {name[5:]: make_panel(figure, layout, name[5:]) for name in layout if name.startswith("xaxis")}
        for trace in data:
            DRAW[trace.get("type", "scatter")](panels[trace.get("xaxis", "x")[1:]], trace)
        for shape in layout.get("shapes", ()):
            draw_shape(panels[panel_number(shape)], shape)
        for note in layout.get("annotations", ()):
            draw_note(panels[panel_number(note)], note)
    return figure


def panel_number(mark: dict) -> str:
    """Return the number of the panel in which a shape or a note is drawn."""
    return re.sub(r"\D", "", mark["xref"])


def make_panel(figure: plt.Figure, layout: dict, n: str):
    """Make the axes of one panel, with range, scale, ticks, grid and titles."""
    margin, x, y = layout["margin"], layout[f"xaxis{n}"], layout[f"yaxis{n}"]
    width = 1 - (margin["l"] + margin["r"]) / layout["width"]
    height = 1 - (margin["t"] + margin["b"]) / layout["height"]
    left = margin["l"] / layout["width"] + x["domain"][0] * width
    bottom = margin["b"] / layout["height"] + y["domain"][0] * height
    axes = figure.add_axes([left, bottom, np.ptp(x["domain"]) * width, np.ptp(y["domain"]) * height])
    for letter, axis in (("x", x), ("y", y)):
        line, log = getattr(axes, f"{letter}axis"), axis.get("type") == "log"
        limits = np.power(10.0, axis["range"]) if log else axis["range"]
        axes.set(**{f"{letter}scale": "log" if log else "linear", f"{letter}lim": limits,
                    f"{letter}label": plain((axis.get("title") or {}).get("text") or "")})  # fmt: skip
        if axis.get("tickvals") is not None:
            line.set_ticks(axis["tickvals"], [plain(text) for text in axis.get("ticktext") or axis["tickvals"]])
        line.set_visible(axis.get("visible", True) and axis.get("showticklabels", True))
        line.grid(axis.get("showgrid", True))
    if "scaleanchor" in y:
        axes.set_aspect("equal")
    return axes


def plain(text) -> str:
    """Return words without tags; matplotlib would read formulas between dollars."""
    return re.sub(r"<[^>]*>", "", str(text)).replace("$", r"\$")


def draw_scatter(axes, trace: dict) -> None:
    """Draw lines and markers."""
    x, y = (np.asarray(trace[name], dtype=float) for name in "xy")
    mode = trace.get("mode", "lines+markers")
    if "lines" in mode:
        axes.plot(x, y)
    if "markers" in mode:
        axes.scatter(x, y, s=(POINT * np.asarray((trace.get("marker") or {}).get("size", 6), dtype=float)) ** 2)


def draw_bars(axes, trace: dict) -> None:
    """Draw bars."""
    is_horizontal = trace.get("orientation") == "h"
    values, places = (trace["x"], trace["y"]) if is_horizontal else (trace["y"], trace["x"])
    draw = axes.barh if is_horizontal else axes.bar
    draw(places, values, trace.get("width", 0.8), trace.get("base", 0))


def draw_heatmap(axes, trace: dict) -> None:
    """Draw cells, and leave the panel's range as it is."""
    z = np.asarray(trace["z"], dtype=float)
    x, y = (np.asarray(trace.get(k, np.arange(n)), dtype=float) for k, n in (("x", z.shape[1]), ("y", z.shape[0])))
    half = [(at[-1] - at[0]) / (len(at) - 1) / 2 for at in (x, y)]
    extent = (x[0] - half[0], x[-1] + half[0], y[0] - half[1], y[-1] + half[1])
    limits = axes.get_xlim(), axes.get_ylim()
    colors = {"vmin": trace.get("zmin"), "vmax": trace.get("zmax")}
    axes.imshow(z, extent=extent, origin="lower", aspect=axes.get_aspect(), **colors)
    axes.set(xlim=limits[0], ylim=limits[1])


def draw_contour(axes, trace: dict) -> None:
    """Draw contour lines."""
    at, values = trace["contours"], [np.asarray(trace[k], dtype=float) for k in "xyz"]
    levels = at["start"] + at["size"] * np.arange(round((at["end"] - at["start"]) / at["size"]) + 1)
    axes.contour(*values, levels, colors=["black"])


def draw_shape(axes, shape: dict) -> None:
    """Draw a line or a rectangle."""
    xs, ys = ([shape[f"{letter}0"], shape[f"{letter}1"]] for letter in "xy")
    place = {"transform": coordinates(axes, shape), "zorder": 0.9 if shape.get("layer") else 3}
    if shape["type"] == "line":
        axes.plot(xs, ys, scalex=False, scaley=False, **place)
    else:
        axes.add_patch(Rectangle((xs[0], ys[0]), xs[1] - xs[0], ys[1] - ys[0], fill="fillcolor" in shape, **place))


def coordinates(axes, mark: dict):
    """Return data coordinates, or, where a mark says "domain", shares of the panel."""
    x, y = (mark[f"{letter}ref"].endswith("domain") for letter in "xy")
    kinds = {(True, True): axes.transAxes, (False, True): axes.get_xaxis_transform()}
    return (kinds | {(True, False): axes.get_yaxis_transform(), (False, False): axes.transData})[x, y]


def draw_note(axes, note: dict) -> None:
    """Draw an annotation's words."""
    va = {"middle": "center"}.get(note.get("yanchor", "middle"), note.get("yanchor"))
    text = plain(re.sub(r"<br ?/?>", "\n", note["text"]))
    axes.text(note["x"], note["y"], text, ha=note.get("xanchor", "center"), va=va, transform=coordinates(axes, note))


DRAW = {"scatter": draw_scatter, "bar": draw_bars, "heatmap": draw_heatmap, "contour": draw_contour}

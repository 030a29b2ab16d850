"""The peer: any explorer's figure as a notebook would draw it with matplotlib under ipywidgets' `interact`.

What is drawn is read from plotly's description: as many panels, marks, ticks and words as the explorer shows. To make
that description is some hundredth of what matplotlib then takes.
"""

from __future__ import annotations

import re

import ipywidgets as widgets
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle

from workbook.explorer.explorer import Explorer

PIXELS = 100  # an inch
POINT = 72 / PIXELS  # of a pixel
DASHES = {"dash": "--", "dot": ":", "dashdot": "-."}


def interact_figure(kind: type[Explorer]) -> None:
    """The same controls, the same `compute`; each change draws all panels anew."""
    explorer = kind()

    def show(**state):
        draw(explorer.draw(explorer.compute(**state)))
        plt.show()

    widgets.interact(show, **{name: control.widget(control.default) for name, control in explorer.declared.items()})


def draw(described: dict) -> plt.Figure:
    """As many pixels as the explorer's figure on the page."""
    data, layout = described["data"], described["layout"]
    with plt.rc_context({"font.size": POINT * layout["font"]["size"]}):
        figure = plt.figure(figsize=(layout["width"] / PIXELS, layout["height"] / PIXELS), dpi=PIXELS)
        panels = {name[5:]: panel(figure, layout, name[5:]) for name in layout if name.startswith("xaxis")}
        for trace in data:
            DRAW[trace.get("type", "scatter")](panels[trace.get("xaxis", "x")[1:]], trace)
        for shape in layout.get("shapes", ()):
            draw_shape(panels[number(shape)], shape)
        for note in layout.get("annotations", ()):
            draw_note(panels[number(note)], note)
        named = [axis.get_legend_handles_labels() for axis in panels.values()]
        handles, labels = ([each for pair in named for each in pair[k]] for k in (0, 1))
        if handles and layout.get("showlegend", True):
            figure.legend(handles, labels, ncols=6, loc="upper left", frameon=False)
    return figure


def number(mark: dict) -> str:
    """Of the panel in which a shape or a note stands."""
    return re.sub(r"\D", "", mark["xref"])


def panel(figure: plt.Figure, layout: dict, n: str):
    """The axes of one panel, with range, scale, ticks, grid and titles."""
    margin, x, y = layout["margin"], layout[f"xaxis{n}"], layout[f"yaxis{n}"]
    wide = 1 - (margin["l"] + margin["r"]) / layout["width"]
    high = 1 - (margin["t"] + margin["b"]) / layout["height"]
    left = margin["l"] / layout["width"] + x["domain"][0] * wide
    bottom = margin["b"] / layout["height"] + y["domain"][0] * high
    axes = figure.add_axes([left, bottom, np.ptp(x["domain"]) * wide, np.ptp(y["domain"]) * high])
    axes.spines[["top", "right"]].set_visible(False)
    for letter, axis in (("x", x), ("y", y)):
        line = getattr(axes, f"{letter}axis")
        log = axis.get("type") == "log"
        if log:
            getattr(axes, f"set_{letter}scale")("log")
        getattr(axes, f"set_{letter}lim")(*(np.power(10.0, axis["range"]) if log else axis["range"]))
        if axis.get("tickvals") is not None:
            line.set_ticks(axis["tickvals"], [plain(text) for text in axis.get("ticktext") or axis["tickvals"]])
        line.set_visible(axis.get("visible", True) and axis.get("showticklabels", True))
        if axis.get("showgrid", True):
            line.grid(color=axis["gridcolor"])
        getattr(axes, f"set_{letter}label")(plain((axis.get("title") or {}).get("text") or ""))
    axes.set_axisbelow(True)
    if "scaleanchor" in y:
        axes.set_aspect("equal")
    return axes


def plain(text) -> str:
    """Words without tags; matplotlib would read formulas between dollars."""
    return re.sub(r"<[^>]*>", "", str(text)).replace("$", r"\$")


def rgba(color):
    """A colour of plotly for matplotlib: "rgba(...)" holds numbers up to 255."""
    if isinstance(color, list | tuple | np.ndarray):
        return [rgba(each) for each in color]
    if not isinstance(color, str) or not color.startswith("rgb"):
        return color
    r, g, b, *a = (float(part) for part in re.findall(r"[\d.]+", color))
    return (r / 255, g / 255, b / 255, *(a or [1.0]))


def stroke(line: dict | None) -> dict:
    line = line or {}
    return {"color": rgba(line.get("color", "#444444")), "lw": POINT * line.get("width", 2),
            "ls": DASHES.get(line.get("dash"), "-")}  # fmt: skip


def label(trace: dict) -> str:
    return plain(trace.get("name") or "_") if trace.get("showlegend", True) else "_"


def draw_scatter(axes, trace: dict) -> None:
    x, y = (np.asarray(trace[name], dtype=float) for name in "xy")
    mode, color = trace.get("mode", "lines+markers"), rgba((trace.get("line") or {}).get("color", "#444444"))
    if trace.get("fill", "none") == "toself":
        axes.fill(x, y, color=rgba(trace["fillcolor"]), lw=0)
    elif trace.get("fill", "none") != "none":
        floor = axes.lines[-1].get_ydata() if trace["fill"] == "tonexty" and axes.lines else 0
        axes.fill_between(x, floor if np.shape(floor) in ((), x.shape) else 0, y, color=rgba(trace["fillcolor"]), lw=0)
    if "lines" in mode:
        steps = "steps-post" if (trace.get("line") or {}).get("shape") == "hv" else "default"
        axes.plot(x, y, drawstyle=steps, label=label(trace), **stroke(trace.get("line")))
    for name, at in (("error_x", "xerr"), ("error_y", "yerr")):
        if name in trace:
            axes.errorbar(x, y, **{at: trace[name]["array"]}, fmt="none", ecolor=rgba(trace[name].get("color", color)))
    if "markers" in mode:
        draw_markers(axes, trace, x, y, color)
    if "text" in mode:
        for a, b, word in zip(x, y, many(trace["text"], len(x)), strict=True):
            axes.text(a, b, plain(word), ha="center", va="center", clip_on=True)


def draw_markers(axes, trace: dict, x, y, color) -> None:
    marker = trace.get("marker") or {}
    sizes = (POINT * np.array(many(marker.get("size"), len(x), 6), dtype=float)) ** 2
    colors = [rgba(each) for each in many(marker.get("color"), len(x), color)]
    name = label(trace) if "lines" not in trace.get("mode", "") else "_"
    axes.scatter(x, y, s=sizes, c=colors, alpha=marker.get("opacity"), label=name)


def many(value, n: int, none=None) -> list:
    """A value for each of n marks."""
    if isinstance(value, list | tuple | np.ndarray):
        return [value[k % len(value)] for k in range(n)]
    return [none if value is None else value] * n


def draw_bars(axes, trace: dict) -> None:
    lying = trace.get("orientation") == "h"
    values, seats = (trace["x"], trace["y"]) if lying else (trace["y"], trace["x"])
    colors = [rgba(each) for each in many((trace.get("marker") or {}).get("color"), len(values), "#444444")]
    width, base = (np.array(many(trace.get(k), len(values), d), float) for k, d in (("width", 0.8), ("base", 0)))
    draw = axes.barh if lying else axes.bar
    drawn = draw(seats, values, width, base, color=colors, label=label(trace))
    if "text" in trace and trace.get("textposition") != "none":
        axes.bar_label(drawn, [plain(text) for text in trace["text"]])


def ramp(trace: dict) -> LinearSegmentedColormap:
    return LinearSegmentedColormap.from_list("", [(at, rgba(color)) for at, color in trace["colorscale"]])


def draw_heatmap(axes, trace: dict) -> None:
    z = np.asarray(trace["z"], dtype=float)
    x, y = (np.asarray(trace.get(k, np.arange(n)), dtype=float) for k, n in (("x", z.shape[1]), ("y", z.shape[0])))
    half = [(at[-1] - at[0]) / (len(at) - 1) / 2 for at in (x, y)]
    extent = (x[0] - half[0], x[-1] + half[0], y[0] - half[1], y[-1] + half[1])
    look = {"cmap": ramp(trace), "vmin": trace.get("zmin"), "vmax": trace.get("zmax"), "aspect": axes.get_aspect()}
    limits = axes.get_xlim(), axes.get_ylim()
    axes.imshow(z, extent=extent, origin="lower", **look)
    axes.set(xlim=limits[0], ylim=limits[1])


def draw_contour(axes, trace: dict) -> None:
    at, values = trace["contours"], [np.asarray(trace[k], dtype=float) for k in "xyz"]
    levels = at["start"] + at["size"] * np.arange(round((at["end"] - at["start"]) / at["size"]) + 1)
    look = stroke(trace.get("line"))
    if at.get("coloring", "fill") == "fill":
        axes.contourf(*values, levels, cmap=ramp(trace), vmin=trace["zmin"], vmax=trace["zmax"], extend="both")
    axes.contour(*values, levels, colors=[look["color"]], linewidths=look["lw"], linestyles=[look["ls"]])


def draw_shape(axes, shape: dict) -> None:
    xs, ys = ([shape[f"{letter}0"], shape[f"{letter}1"]] for letter in "xy")
    look = stroke(shape.get("line")) | {"transform": frame(axes, shape), "zorder": 0.9 if shape.get("layer") else 3}
    if shape["type"] == "line":
        axes.plot(xs, ys, scalex=False, scaley=False, **look)
    else:
        look["ec"] = look.pop("color") if shape.get("line") else "none"
        look.pop("color", None)
        look["fc"] = rgba(shape.get("fillcolor", "none"))
        axes.add_patch(Rectangle((xs[0], ys[0]), xs[1] - xs[0], ys[1] - ys[0], **look))


def frame(axes, mark: dict):
    """Data coordinates, or, where a mark says "domain", shares of the panel."""
    x, y = (mark[f"{letter}ref"].endswith("domain") for letter in "xy")
    kinds = {(True, True): axes.transAxes, (False, True): axes.get_xaxis_transform()}
    return (kinds | {(True, False): axes.get_yaxis_transform(), (False, False): axes.transData})[x, y]


def draw_note(axes, note: dict) -> None:
    ha = note.get("xanchor", "center")
    va = {"middle": "center"}.get(note.get("yanchor", "middle"), note.get("yanchor"))
    color = rgba((note.get("font") or {}).get("color", "#222222"))
    text = plain(re.sub(r"<br ?/?>", "\n", note["text"]))
    axes.text(note["x"], note["y"], text, ha=ha, va=va, color=color, transform=frame(axes, note))


DRAW = {"scatter": draw_scatter, "bar": draw_bars, "heatmap": draw_heatmap, "contour": draw_contour}

"""Style of the print figures: size of type, markers and dashes of the series, a legend that hides nothing."""

from functools import wraps
from io import BytesIO
from textwrap import fill

import matplotlib
from matplotlib.figure import Figure

from workbook.explorer.palette import BLACK, CLASS_COLORS, GREY

__all__ = [
    "COLUMN", "FONT", "GUIDE", "MARKERS", "PAGE", "SERIES", "add_legend", "draw_curves", "new_figure", "print_figure",
]  # fmt: skip

COLUMN, PAGE = 3.4, 7.0  # widths in inches: one column of a two-column page, and both
FONT = 9.0  # points, at that width

MARKERS = ("o", "s", "D", "^", "X", "*")
DASHES = ("-", "--", ":", "-.", (0, (8, 3)), (0, (8, 3, 2, 3)))

# The n-th series: colour is never the only sign.
SERIES = tuple(
    dict(color=color, marker=marker, linestyle=dash, markersize=6 if marker == "*" else 4.5)
    for color, marker, dash in zip(CLASS_COLORS, MARKERS, DASHES, strict=True)
)
GUIDE = dict(color=GREY, linewidth=1.0, zorder=1)  # of a line to compare with: an ideal, a diagonal

RC = {f"{part}size": FONT for part in ("font.", "axes.label", "axes.title", "xtick.label", "ytick.label")}
RC |= {f"{part}.labelcolor": BLACK for part in ("axes", "xtick", "ytick", "legend")}
RC |= {f"{part}color": BLACK for part in ("text.", "axes.title", "axes.edge", "xtick.", "ytick.")}
RC |= {"figure.facecolor": "white", "axes.facecolor": "white", "legend.fontsize": FONT, "lines.linewidth": 1.3}
RC |= {"font.family": "DejaVu Sans", "mathtext.fontset": "dejavusans", "hatch.linewidth": 0.6, "axes.grid": False}
RC |= {"legend.frameon": False, "legend.columnspacing": 1.0, "legend.handlelength": 2.2, "text.usetex": False}


class PrintFigure(Figure):
    """A matplotlib Figure that a notebook shows by itself, without pyplot."""

    def _repr_png_(self):
        png = BytesIO()
        self.savefig(png, format="png", dpi=150)
        return png.getvalue()


def print_figure(draw):
    """Decorate a function that draws a figure: use the settings of this module, not the user's, and lay it out."""

    @wraps(draw)
    def draw_for_print(*args, **kwargs):
        with matplotlib.rc_context(RC):
            figure = draw(*args, **kwargs)
            for _ in range(2):  # panels of a fixed aspect find their place only at the second try
                figure.draw_without_rendering()
            return figure

    return draw_for_print


def new_figure(height, width=COLUMN, rows=1, columns=1):
    """Return an empty figure, unknown to pyplot, and the list of its panels, row by row."""
    figure = PrintFigure(figsize=(width, height), layout="constrained")
    panels = list(figure.subplots(rows, columns, squeeze=False).ravel())
    for ax in panels:
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(labelsize=FONT, colors=BLACK)  # ticks are made later, under the user's settings
    return figure, panels


def add_legend(owner, handles):
    """Add a legend above a figure or below a panel, where it hides no data; long labels are broken into lines."""
    labels = [handle.get_label() for handle in handles]
    columns = 2 if max(map(len, labels)) <= 16 and len(labels) > 1 else 1
    labels = [fill(label, 16 if columns == 2 else 34) for label in labels]
    if isinstance(owner, Figure):
        owner.legend(handles, labels, loc="outside upper center", ncols=columns, borderaxespad=0.2)
    else:
        owner.legend(handles, labels, loc="upper center", bbox_to_anchor=(0.5, -0.25), ncols=columns)


def draw_curves(ax, curves):
    """Draw a line with its own colour, marker and dash for each label -> (x, y), of at most six; return the lines."""
    return [
        line
        for style, (label, (x, y)) in zip(SERIES[: len(curves)], curves.items(), strict=True)
        for line in ax.plot(x, y, label=label, **style)
    ]

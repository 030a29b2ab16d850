"""What all static figures share: one size of type, one set of signs, checked input, a legend that hides nothing."""

from functools import wraps
from io import BytesIO
from textwrap import fill

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from nbcore.checks import require
from workbook.explorer.palette import BLACK, CLASS_COLORS, GREY

__all__ = [
    "COLUMN", "FONT", "GUIDE", "MARKERS", "PAGE", "SERIES", "as_curve", "as_numbers", "as_pair",
    "as_probabilities", "as_series", "draw_curves", "for_print", "legend_outside", "new_figure",
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
GUIDE = dict(color=GREY, linewidth=1.0, zorder=1)  # what curves are compared with: an ideal, a diagonal

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


def for_print(draw):
    """Draw under the settings of this module, whatever the user's own are, and lay the figure out."""

    @wraps(draw)
    def drawn(*args, **kwargs):
        with matplotlib.rc_context(RC):
            figure = draw(*args, **kwargs)
            for _ in range(2):  # panels of a fixed aspect find their place only at the second try
                figure.draw_without_rendering()
            return figure

    return drawn


def new_figure(height, width=COLUMN, rows=1, columns=1):
    """An empty figure and its panels, row by row; it belongs to nobody but the caller (no pyplot)."""
    figure = PrintFigure(figsize=(width, height), layout="constrained")
    panels = list(figure.subplots(rows, columns, squeeze=False).ravel())
    for ax in panels:
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(labelsize=FONT, colors=BLACK)  # ticks are made later, under the user's settings
    return figure, panels


def legend_outside(owner, handles):
    """A legend above the figure or below the panel `owner`, where it can hide no data; long labels are broken."""
    labels = [handle.get_label() for handle in handles]
    columns = 2 if max(map(len, labels)) <= 16 and len(labels) > 1 else 1
    labels = [fill(label, 16 if columns == 2 else 34) for label in labels]
    if isinstance(owner, Figure):
        owner.legend(handles, labels, loc="outside upper center", ncols=columns, borderaxespad=0.2)
    else:
        owner.legend(handles, labels, loc="upper center", bbox_to_anchor=(0.5, -0.25), ncols=columns)


def draw_curves(ax, curves):
    """One line with its own colour, marker and dash for each label -> (x, y); returns the lines."""
    return [
        line
        for style, (label, (x, y)) in zip(SERIES, curves.items(), strict=False)
        for line in ax.plot(x, y, label=label, **style)
    ]


# ------------------------------------------------------------------------------------------------------------ checks


def as_numbers(argument, values, ndim=1, gaps=False):
    """A float array of `ndim` axes, not empty, finite; with `gaps`, NaN may stand for what does not exist."""
    allowed = f"numbers in {ndim} axis" if ndim == 1 else f"numbers in {ndim} axes"
    try:
        a = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        require(False, argument, values, allowed)
    require(a.ndim == ndim and a.size > 0, argument, a.shape, f"{allowed}, at least one")
    for entry in a[np.isinf(a) if gaps else ~np.isfinite(a)][:1]:
        require(False, argument, float(entry), "finite" + (" (or NaN, where there is none)" if gaps else ""))
    require(not np.isnan(a).all(), argument, "nothing but NaN", "a number at least once")
    return a


def as_curve(argument, x, y):
    """x and y of a curve, (M,) each; gaps in y are NaN."""
    x, y = as_numbers(f"x of {argument}", x), as_numbers(f"y of {argument}", y, gaps=True)
    require(len(x) == len(y), f"y of {argument}", y.shape, f"of the shape of its x, {x.shape}")
    return x, y


def as_series(argument, series):
    """The items of a mapping from labels to data: one to six of them, as many as can be told apart."""
    require(isinstance(series, dict), argument, series, "a dict from labels to data")
    require(1 <= len(series) <= len(SERIES), argument, list(series), f"of 1 to {len(SERIES)} labels")
    for label in series:
        require(isinstance(label, str) and label.strip(), f"a label of {argument}", label, "a str that is not empty")
    return series.items()


def as_pair(argument, value):
    """The two parts of a pair."""
    require(isinstance(value, tuple | list) and len(value) == 2, argument, value, "a pair")
    return value


def as_probabilities(argument, values, ndim=1, gaps=False):
    """As `as_numbers`, from 0 to 1 (and what rounding adds)."""
    a = as_numbers(argument, values, ndim, gaps)
    for entry in a[(a < 0) | (a > 1 + 1e-9)][:1]:
        require(False, argument, float(entry), "from 0 to 1")
    return a

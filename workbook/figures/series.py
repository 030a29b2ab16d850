"""Read the numbers of a figure, as far as it is made of labelled curves and points, for a table beside it."""

import numpy as np

__all__ = ["series_of"]

MOST = 9  # rows of a table: enough to read a curve off, few enough to be read out


def series_of(figure):
    """Return the labelled curves and points of a figure as tables [(panel's title, heads, rows)], one for each x.

    heads: labels of the horizontal axis and of each curve; rows: an x and the heights there, for at most nine x, evenly
    chosen, as the title then says. Maps have none.
    """
    found = []
    for ax in figure.axes:
        across = _strip_mathtext(ax.get_xlabel()) or "x"
        groups = {}
        for line in ax.get_lines():
            if not str(line.get_label()).startswith("_"):
                x = np.asarray(line.get_xdata(), dtype=float)
                groups.setdefault(x.tobytes(), (x, {}))[1][str(line.get_label())] = line.get_ydata()
        for x, curves in groups.values():
            some = np.unique(np.linspace(0, len(x) - 1, MOST).round().astype(int))
            left_out = f", {len(some)} of {len(x):,} places" if len(some) < len(x) else ""
            rows = np.column_stack([x, *curves.values()])[some].tolist()
            found.append((_strip_mathtext(ax.get_title() or ax.get_ylabel()) + left_out, [across, *curves], rows))
    return found


def _strip_mathtext(text):
    """Return a label without the marks of mathtext."""
    for mark, letters in {r"\theta": "θ", r"\log": "log", "$": "", "{": "", "}": ""}.items():
        text = text.replace(mark, letters)
    return text

"""The numbers of a figure, as far as it is made of named curves and points: for a table beside it."""

import numpy as np

__all__ = ["series_of"]

MOST = 9  # rows of a table: enough to read a curve off, few enough to be read out


def series_of(figure):
    """The curves and points of a figure that have a name, by what they share: [(panel's title, heads, rows)].

    heads: of the horizontal axis and of each curve; rows: a place and the heights there, of many places some, evenly
    chosen, as the title then says. Maps have none.
    """
    found = []
    for ax in figure.axes:
        across = _spelt(ax.get_xlabel()) or "x"
        groups = {}
        for line in ax.get_lines():
            if not str(line.get_label()).startswith("_"):
                x = np.asarray(line.get_xdata(), dtype=float)
                groups.setdefault(x.tobytes(), (x, {}))[1][str(line.get_label())] = line.get_ydata()
        for x, curves in groups.values():
            some = np.unique(np.linspace(0, len(x) - 1, MOST).round().astype(int))
            left_out = f", {len(some)} of {len(x):,} places" if len(some) < len(x) else ""
            rows = np.column_stack([x, *curves.values()])[some].tolist()
            found.append((_spelt(ax.get_title() or ax.get_ylabel()) + left_out, [across, *curves], rows))
    return found


def _spelt(text):
    """A label without the marks of mathtext."""
    for mark, letters in {r"\theta": "θ", r"\log": "log", "$": "", "{": "", "}": ""}.items():
        text = text.replace(mark, letters)
    return text

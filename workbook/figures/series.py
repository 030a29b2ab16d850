"""The numbers of a figure, as far as it is made of named curves and points: for a table beside it."""

import numpy as np

__all__ = ["series_of"]


def series_of(figure):
    """The curves and points of a figure that have a name, by what they share: [(panel's title, heads, rows)].

    heads: of the horizontal axis and of each curve; rows: a place and the heights there. Maps have none.
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
            rows = np.column_stack([x, *curves.values()]).tolist()
            found.append((_spelt(ax.get_title() or ax.get_ylabel()), [across, *curves], rows))
    return found


def _spelt(text):
    """A label without the marks of mathtext."""
    for mark, letters in {r"\theta": "θ", r"\log": "log", "$": "", "{": "", "}": ""}.items():
        text = text.replace(mark, letters)
    return text

"""What an explorer shows in a state, as the chapters' tests read it."""

import re

from workbook.explorer.formula import spoken


def compute_result(explorer, preset=None, **state):
    """Compute an explorer's result in its present state, changed by a preset and by values of its controls."""
    of_preset = dict(explorer.presets[preset]) if preset else {}
    return explorer.compute(**explorer.state | of_preset | state)


def read_numbers(explorer):
    """Return the numbers of an explorer's equation, as a reader with a calculator takes them from the page."""
    equation = spoken(explorer.explain(compute_result(explorer))).replace(",", "")
    return [float(number.replace("−", "-")) for number in re.findall(r"−?\d+\.?\d*", equation)]


def find_trace(figure, name):
    """Return the one trace of a figure that has this name."""
    (found,) = [trace for trace in figure.data if trace.name == name]
    return found

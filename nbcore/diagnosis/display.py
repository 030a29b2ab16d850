"""A picture of a report: what the best remedy of each finding gains, with its interval."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from nbcore._display import DARK, FOR, Display
from nbcore.diagnosis.finding import MATERIAL, Finding


class FindingsDisplay(Display):
    """A bar for each finding: what it costs, which is what its best remedy gains; pale if the gain is not sure."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = findings

    def plot(self, *, ax: Any = None) -> Self:
        """Draw the bars on axes of matplotlib, or on new ones; return the display. ImportError without matplotlib."""
        alone, found = ax is None, [f for f in self.findings if not f.remedies[0].failed]
        ax = self._start(ax)
        tried = [f.remedies[0] for f in found]
        for row, remedy in enumerate(tried):
            ends = abs(np.subtract(remedy.interval, remedy.gain))[:, None]
            ax.barh(row, remedy.gain, 0.5, color=FOR if remedy.sure else "white", edgecolor=DARK, xerr=ends, capsize=4)
            ax.annotate(remedy.name, (0, row - 0.3), fontsize="small", va="bottom")
        names = [f.name for f in found]
        ax.set(yticks=range(len(names)), yticklabels=names, ylim=(max(len(names), 1) - 0.5, -0.8))
        ax.axvline(MATERIAL, color=DARK, linewidth=0.8, linestyle=":")
        ax.set_xlabel("cost: nats a row that the remedy gains\n(dotted: what counts)")
        if alone:
            self.figure_.set_figheight(1.4 + 0.7 * max(len(names), 1))
        return self

    def __repr__(self) -> str:
        each = [f"{f.name}: {f.cost_text}; {f.remedies[0]}" for f in self.findings]
        return "Findings. " + (". ".join(each) or "None") + "."

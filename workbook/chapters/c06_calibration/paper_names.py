"""Chapter 06: the paper's own names, 20 splits behind a progress bar; or a sentence on how to get the names."""

from __future__ import annotations

from dataclasses import dataclass

import ipywidgets as widgets
import numpy as np
from IPython.display import clear_output, display

from nbcore.datasets.fetchers import is_cached
from workbook.ledger.claim import Claim, Measured

from .claims import CLAIMS
from .experiment import LENGTHS, SPLITS, paper_split

__all__ = ["on_the_papers_names"]

HOW_TO = (
    "The paper's 7,944 names are not on this machine: run `from nbcore.datasets import fetch_names; fetch_names()`\n"
    "once, with internet, and then this cell again."
)


@dataclass(frozen=True)
class PaperTable:
    """The ledger's RMSEs of section 5.2: the paper's, ours and whether they agree; empty without the names."""

    rows: tuple[tuple[Claim, Measured], ...] = ()

    def __repr__(self):
        if not self.rows:
            return HOW_TO
        lines, before = [f"{'':11} paper  ours 95 of 100"], ""
        for claim, ours in self.rows:
            features, what = claim.statement.rstrip(".").split(": ")
            lines += [] if what == before else [what]
            lines.append(line(features, claim, ours))
            before = what
        return "\n".join(lines)


def line(features: str, claim: Claim, ours: Measured) -> str:
    """Return one row of the table."""
    numbers = f"{claim.stated:.3f} {ours.value:.3f} {ours.low:.3f} to {ours.high:.3f}".replace("0.", ".")
    return f"{features:11}  {numbers}{'' if ours.agrees(claim.stated, claim.rounding) else ' *'}"


def on_the_papers_names() -> PaperTable:
    """Carlos (2015), section 5.2, on 20 splits of its own names; nothing is downloaded."""
    if not is_cached("names.zip"):
        return PaperTable()
    bar = widgets.IntProgress(max=SPLITS * len(LENGTHS), description=f"{SPLITS} splits")
    display(bar)
    for seed in range(SPLITS):
        for max_n in LENGTHS:
            paper_split(max_n, seed)
            bar.value += 1
    bar.close()
    clear_output()
    shown = [c for c in CLAIMS if c.place == "section 5.2" and np.ndim(c.stated) == 0 and "RMSE" in c.statement]
    return PaperTable(tuple((claim, claim.ours(n_splits=SPLITS)) for claim in shown))

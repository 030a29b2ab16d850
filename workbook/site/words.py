"""What a notebook says of kernels and cells, in the words of the site; a test finds each passage in its notebook."""

from __future__ import annotations

import re

__all__ = ["EVERYWHERE", "PASSAGES", "for_site"]

# How a page begins: there is nothing to run.
EVERYWHERE = re.compile(r"Run the cells from the top with Shift\+Enter(?:\. |, and )(\w)")
PASSAGES = {  # page -> (the notebook's passage, the site's)
    "00_start_here": (
        (
            "Click a cell and press **Shift+Enter**: it runs, and the next one is selected. Run the cells from the top. "
            "The order of the pages is up to you, see the map below.",
            "The order of the pages is up to you, see the map below. The code is folded: open *Show the code* to read "
            "it.",
        ),
        (
            "You may answer in the field, or in the cell below it: both do the same. In the cell, text needs quotes, as "
            'in `check("00/negative", "25 %")`.',
            "Functions are written in the notebook: *Open in Binder*, at the head of each page, or "
            "[on your machine](run.md).",
        ),
        (
            "Run the next two cells. If a name is missing, close the page and start the book with `python3 run.py lab` "
            "from its folder.\n\nIf a figure shows but its sliders do not, or nothing moves:\n\n"
            "- Its cell was not run yet. A saved page shows pictures only. Press Shift+Enter in the cell.\n"
            "- The kernel has stopped. Choose *Kernel > Restart Kernel and Run All Cells*.\n"
            "- The page was opened in another program. Sliders need JupyterLab as `run.py lab` starts it, or Binder.",
            "Nothing to install: these pages need a browser with JavaScript, no server and no account. If a figure shows "
            "but its sliders do not, JavaScript is off, or the browser is older than 2023.\n\nThe figures were computed "
            "when the site was made. Where a combination of sliders is missing, the page says so and goes to the nearest "
            "one that is there. In a [notebook](run.md) everything is computed while you look.",
        ),
        (
            "**On Binder** your machine is thrown away after about ten minutes without use, and your work goes with it. "
            "Download the page (*File > Download*) before you leave. On your own computer your answers are kept: "
            "`progress()` counts them, in a file in your user folder that no page sends anywhere.",
            "Your answers are kept in this browser, on this device, and no page sends them anywhere. They are counted at "
            "the end of each chapter, where you can also save them to a file.",
        ),
    ),
}


def for_site(page: str, text: str) -> str:
    """The text of a markdown cell as the site says it."""
    for passage, instead in PASSAGES.get(page, ()):
        text = text.replace(passage, instead)
    return EVERYWHERE.sub(lambda found: found[1].upper(), text)

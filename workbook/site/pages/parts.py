"""The page that shows every part of the look twice, in light and in dark."""

from __future__ import annotations

from pathlib import Path
from string import Template

__all__ = ["write_parts"]

PANE = Path(__file__).parent / "templates" / "pane.html"
COLORS = {
    "one": "the first class", "two": "the second class", "set": "what you set", "truth": "what is true",
    "amiss": "not right yet", "rival": "another model", "found": "under your hand", "ink": "naive Bayes, words",
    "soft": "second words", "rim": "edges of controls", "silent": "silent, not yet", "line": "rules",
}  # fmt: skip


def write_parts() -> str:
    """Return the parts as HTML: one pane for each theme, side by side where there is room."""
    swatches = "".join(
        f'<div><i style="background: var(--nb-{name})"></i><b>{name}</b><span>{meaning}</span></div>'
        for name, meaning in COLORS.items()
    )
    pane = Template(PANE.read_text("utf-8"))
    panes = "".join(pane.substitute(theme=theme, swatches=swatches) for theme in ("light", "dark"))
    return f'<div class="panes">{panes}</div>'

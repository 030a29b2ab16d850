"""Handles: grips in a figure that a reader drags to move a control."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

__all__ = ["Handle"]


@dataclass(frozen=True)
class Handle:
    """A grip at (x, y) of a panel, in its data coordinates; to drag it is to move one control, or two.

    control: its name; with two names the first follows x and the second y. axis: the directions in which the grip
    moves. places: where it stands for each value of the control, (m,) along `axis`, or (m, 2) for a path; for two
    controls (m, n, 2); by default the values themselves are the coordinates. The reader gets the value whose place is
    nearest to the pointer. shape: what is taken hold of: a "point", a "mark" of the figure's own that the grip stands
    around, a "line" through all of the panel, the end of a "bar"; "pick": a press anywhere in the panel.
    """

    control: str | tuple[str, str]
    x: float = 0.0
    y: float = 0.0
    axis: Literal["x", "y", "xy"] = "x"
    places: np.ndarray | None = None
    shape: Literal["point", "mark", "line", "bar", "pick"] = "point"

    def to_dict(self, panel: str) -> dict:
        """Return the handle as a dict for `layout.meta`. panel: "" for the first one, "2" for the second."""
        names = [self.control] if isinstance(self.control, str) else list(self.control)
        places = None if self.places is None else np.asarray(self.places, dtype=float)
        at = {"x": float(self.x), "y": float(self.y)}
        return {"controls": names, "panel": panel, "axis": self.axis, "places": places, "shape": self.shape} | at

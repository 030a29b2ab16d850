"""Contour traces as polygons, computed in the kernel once a frame so that the page only draws them."""

from __future__ import annotations

import numpy as np
from contourpy import LineType, contour_generator

__all__ = ["compute_polygons"]


def compute_polygons(trace: dict) -> dict:
    """Return a plotly contour trace (x (m,), y (n,), z (n, m)) with its lines as polygons: `lines`.

    Polygons follow one another with a NaN between them; levels are those of plotly: start, start + size, ..., end.
    """
    x, y, z = (np.asarray(trace[name], dtype=float) for name in "xyz")
    at = trace["contours"]
    count = max(0, round((at["end"] - at["start"]) / at["size"]) + 1)  # none where all is flat
    found = contour_generator(x, y, z, line_type=LineType.ChunkCombinedNan)
    levels = at["start"] + at["size"] * np.arange(count)
    lines = [points for level in levels for points in found.lines(level)[0] if points is not None]
    drawn = {name: trace[name] for name in ("type", "line", "xaxis", "yaxis", "showlegend", "name") if name in trace}
    return drawn | {"lines": _join(lines)}


def _join(polygons: list[np.ndarray]) -> dict[str, np.ndarray]:
    """Return the polygons as one x and one y, in float32 (finer than any pixel), with a NaN after each."""
    gap = np.full((1, 2), np.nan)
    points = np.concatenate([part for polygon in polygons for part in (polygon, gap)] or [gap])
    return dict(zip("xy", points.T.astype("f4"), strict=True))

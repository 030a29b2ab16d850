"""Contour traces as polygons, computed in the kernel once a frame so that the page only draws them."""

from __future__ import annotations

import numpy as np
from contourpy import FillType, LineType, contour_generator

__all__ = ["compute_polygons"]


def compute_polygons(trace: dict) -> dict:
    """Return a plotly contour trace (x (m,), y (n,), z (n, m)) as polygons: `lines` and, if it is filled, `areas`.

    Polygons follow one another with a NaN between them; levels are those of plotly: start, start + size, ..., end.
    """
    x, y, z = (np.asarray(trace[name], dtype=float) for name in "xyz")
    at = trace["contours"]
    count = max(0, round((at["end"] - at["start"]) / at["size"]) + 1)  # none where all is flat
    levels = at["start"] + at["size"] * np.arange(count)
    found = contour_generator(x, y, z, line_type=LineType.ChunkCombinedNan, fill_type=FillType.ChunkCombinedOffset)
    lines = [points for level in levels for points in found.lines(level)[0] if points is not None]
    drawn = {name: trace[name] for name in ("type", "line", "xaxis", "yaxis", "showlegend", "name") if name in trace}
    drawn["lines"] = _join(lines)
    if at.get("coloring", "fill") == "fill":
        ends = np.array([-np.inf, *levels, np.inf])
        middles = at["start"] + at["size"] * (np.arange(count + 1) - 0.5)
        shares = (middles - trace["zmin"]) / (trace["zmax"] - trace["zmin"])
        drawn["areas"] = []
        for low, high, share in zip(ends[:-1], ends[1:], shares, strict=True):
            (points,), (offsets,) = found.filled(low, high)
            if points is not None:
                rings = np.split(points, offsets[1:-1])
                drawn["areas"].append(_join(rings) | {"color": _shade(trace["colorscale"], share)})
    return drawn


def _join(polygons: list[np.ndarray]) -> dict[str, np.ndarray]:
    """Return the polygons as one x and one y, in float32 (finer than any pixel), with a NaN after each."""
    gap = np.full((1, 2), np.nan)
    points = np.concatenate([part for polygon in polygons for part in (polygon, gap)] or [gap])
    return dict(zip("xy", points.T.astype("f4"), strict=True))


def _shade(scale, share: float) -> str:
    """Return the colour at a share of a plotly scale ([[0, "#RRGGBB"], ..., [1, "#RRGGBB"]]), clipped to its ends."""
    stops = [at for at, _ in scale]
    rgb = [[int(color[k : k + 2], 16) for k in (1, 3, 5)] for _, color in scale]
    return "#" + "".join(f"{round(np.interp(share, stops, channel)):02X}" for channel in zip(*rgb, strict=True))

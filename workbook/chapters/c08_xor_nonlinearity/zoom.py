"""Chapter 08: the boundary of mirrored multinomial nodes, near the origin and far out. Carlos & Rakshit (2016), 3.4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from scipy.optimize import brentq

from workbook.page import palette, theme
from workbook.page.controls import Steps
from workbook.page.explorer import Explorer, Preset
from workbook.page.formula import Over, Part, Term
from workbook.page.handles import Handle
from workbook.page.theme import Panel

__all__ = ["LEARNED", "ZoomExplorer", "boundary", "curvature"]

RADII = [2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0, 30.0, 40.0, 50.0, 70.0, 100.0]
# What EM finds on the rows (1, 5) and (5, 1) of class 1, unsmoothed: the node's share of the first word is itself.
LEARNED = brentq(lambda a: (1 + 4 / (1 + (1 / a - 1) ** 4)) / 6 - a, 0.1, 0.4, xtol=1e-14)
NODES = [0.05, 0.1, LEARNED, 0.25, 0.3, 0.35]
SUMS = np.concatenate([np.linspace(0, 4, 161), np.geomspace(4.05, 300, 200)])  # x1 + x2 along the boundary
BOUNDARY, ASYMPTOTES, PAPER = "the boundary", "its asymptotes", "two lines through the origin"
LINES = ((BOUNDARY, palette.HIDDEN, dict(width=4)), (ASYMPTOTES, palette.GUIDE, dict(width=3, dash="dot")),
         (PAPER, palette.PRINTED, dict(width=2, dash="dash")))  # fmt: skip


@dataclass(frozen=True)
class Zoom:
    """The result: three pairs of lines in the square from 0 to `radius`, and where they cross the circle."""

    radius: float
    a: float  # P(f1 | h) of one node, P(f2 | h) of the other
    lines: np.ndarray  # (3, sums, 2) the lower ones: boundary, asymptote, line through the origin
    curves: np.ndarray  # (3, radii) degrees on circles around the origin
    angles: np.ndarray  # (3,) at this radius

    @property
    def shift(self) -> float:
        """x1 - x2 of the asymptote where x1 + x2 = 0: by how much it misses the origin."""
        return float(np.log(2) / curvature(self.a)[0])


def curvature(a: float) -> tuple[float, float]:
    """g and q of the boundary cosh(g (x1 - x2)) = exp(q (x1 + x2))."""
    return float(np.log((1 - a) / a) / 2), float(-np.log(4 * a * (1 - a)) / 2)


def boundary(a: float, total: np.ndarray) -> np.ndarray:
    """x1 - x2 >= 0 of the boundary, its asymptote and the line through the origin, at x1 + x2 = total: (3, n)."""
    g, q = curvature(a)
    height = q * total  # log cosh(g d) = height: exp(height) overflows far out, this does not
    exact = height + np.log1p(np.sqrt(-np.expm1(-2 * height)))
    return np.array([exact, height + np.log(2), height]) / g


@lru_cache(maxsize=len(NODES))
def followed(a: float) -> tuple[np.ndarray, np.ndarray]:
    """The lower lines (3, sums, 2), and their angles in degrees on circles of RADII (3, radii)."""
    apart = boundary(a, SUMS)
    lines = np.stack([SUMS + apart, SUMS - apart], axis=-1) / 2
    angles = np.array([[angle_at(a, which, radius) for radius in RADII] for which in range(3)])
    return lines, angles


def angle_at(a: float, which: int, radius: float) -> float:
    """Degrees at which one of the three lines crosses the circle; nan where that is below the x1 axis."""

    def beyond(total):
        return float(np.hypot(total, boundary(a, np.array([total]))[which, 0])) - np.sqrt(2) * radius

    if beyond(radius) > 0:  # x2 = 0 where x1 + x2 = radius
        return np.nan
    total = brentq(beyond, radius, 2 * radius, xtol=1e-13)
    return float(45 - np.degrees(np.arctan(boundary(a, np.array([total]))[which, 0] / total)))


class ZoomExplorer(Explorer):
    """The boundary of two mirrored nodes (a, 1 - a) against one of (1/2, 1/2), at any scale; equal priors."""

    radius = Steps(2.0, RADII, say="{:g}".format, label="radius")
    a = Steps(LEARNED, NODES, label="a")

    presets: ClassVar = {
        "Close by": Preset("Near the origin. The boundary comes in through (1, 0), and it is bent.", {}),
        "The four points": Preset("All four points are in here. The bend is in the corner; the rest is all but "
                                  "straight, and misses the origin.", dict(radius=6)),
        "Far out": Preset("Two straight lines through the origin, you would swear.", dict(radius=100)),
        "Nodes alike": Preset("Nodes that differ little: they part late, so the bend reaches further out.",
                              dict(radius=10, a=0.35)),
        "Nodes apart": Preset("Nodes that differ much: all but straight at once.", dict(radius=10, a=0.05)),
    }  # fmt: skip

    def compute(self, radius, a) -> Zoom:
        lines, curves = followed(a)
        return Zoom(radius, a, lines, curves, curves[:, RADII.index(radius)])

    def draw(self, result):
        return theme.figure([[plane_panel(result), angle_panel(result)]], widths=[1, 1.3], share=1.1)

    def describe(self, result) -> str:
        r = result
        exact, asymptote, straight = r.angles
        near = "is not in the square yet" if np.isnan(asymptote) else f"stands at {asymptote:.2f}"
        return (
            f"At radius {r.radius:g} the boundary stands at {exact:.2f} degrees and its asymptote {near}; "
            f"a line through the origin, parallel to that, stands at {straight:.2f} everywhere. The asymptotes miss "
            f"the origin: x₁ − x₂ = ±{r.shift:.3f} where x₁ + x₂ = 0."
        )

    def explain(self, result) -> Sequence[Part]:
        r = result
        g, q = curvature(r.a)
        return [
            "far out: x₁ − x₂ =",
            Over([Term(f"{q:.4f}", "q")], [Term(f"{g:.4f}", "g")]),
            "(x₁ + x₂) +",
            Over(["log 2"], [Term(f"{g:.4f}", "g")]),
            "=",
            Term(f"{q / g:.3f}", "q / g", "asymptote", palette.GUIDE),
            "(x₁ + x₂) +",
            Term(f"{r.shift:.3f}", "shift"),
        ]


def plane_panel(r: Zoom) -> Panel:
    """Who wins where, in the square up to the radius, with the three pairs of lines."""
    ends = dict(range=[0, r.radius], nticks=5)
    exact = r.lines[0]
    wedge = np.vstack([exact, exact[::-1, ::-1]])
    sky = dict(type="scatter", mode="lines", line=dict(width=0), fill="toself", hoverinfo="skip", showlegend=False)
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * r.radius
    traces = [sky | dict(x=part[:, 0], y=part[:, 1], fillcolor=color)
              for part, color in ((square, palette.TINTS[2]), (wedge, palette.TINTS[0]))]  # fmt: skip
    for (name, color, look), lower in zip(LINES, r.lines, strict=True):
        x, y = np.vstack([lower, [[np.nan] * 2], lower[:, ::-1]]).T
        line = dict(type="scatter", mode="lines", x=x, y=y, name=name, line=look | dict(color=color))
        traces.append(line | dict(hovertemplate="%{fullData.name}, at (%{x:.2f}, %{y:.2f})<extra></extra>"))
    return Panel(f"The square up to {r.radius:g}", traces, ends | dict(title="x₁"), ends | dict(title="x₂"), equal=True)


def angle_panel(r: Zoom) -> Panel:
    """The angle of each line against the radius, and where the slider stands."""
    words = "%{fullData.name}: %{y:.2f} degrees at radius %{x:g}<extra></extra>"
    traces = []
    for (name, color, look), y in zip(LINES, r.curves, strict=True):
        line = dict(type="scatter", mode="lines", x=RADII, y=y, name=name, line=look | dict(color=color))
        traces.append(line | dict(hovertemplate=words, showlegend=False))
    traces[1]["meta"] = dict(mark="asymptote")
    dot = dict(size=11, color=palette.HIDDEN)
    traces.append(dict(type="scatter", mode="markers", x=[r.radius], y=r.angles[:1], marker=dot, showlegend=False)
                  | dict(name=BOUNDARY, hovertemplate=words))  # fmt: skip
    now = dict(type="line", x0=r.radius, x1=r.radius, y0=0, y1=1, yref="y domain", name="radius")
    now["line"] = dict(color=palette.NOW, width=1)
    x = dict(type="log", range=[np.log10(1.8), np.log10(112)], tickvals=[2, 5, 10, 20, 50, 100], title="radius")
    grip = Handle("radius", x=r.radius, y=float(r.angles[0]))
    return Panel("Angle with the x₁ axis, in degrees", traces, x, dict(range=[0, 45], nticks=6), handles=[grip])

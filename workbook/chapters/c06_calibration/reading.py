"""Chapter 06: three reliability diagrams to read, without the names of their models."""

from __future__ import annotations

import numpy as np

from workbook.explorer.html_tables import Table, tables_html

from .experiment import SLOPES, came_true

__all__ = ["ThreeCurves", "three_curves"]

SAID = np.array([0.1, 0.3, 0.5, 0.7, 0.9])
DASHES = "none", "7 4", "2 3"
LEFT, TOP, SIDE = 46, 26, 260  # of the square, in px


class ThreeCurves:
    """Three curves in one diagram; as text their points."""

    def __repr__(self):
        rows = [f"{'says':>6}{''.join(f'{name:>8}' for name in SLOPES)}   comes true"]
        rows += [f"{said:6.1f}" + "".join(f"{came_true(said, s):8.2f}" for s in SLOPES.values()) for said in SAID]
        return "\n".join(rows)

    def _repr_html_(self):
        ticks, said = np.arange(11) / 10, np.arange(6) / 5
        lines = [mark(path(*ends), opacity=0.25) for t in ticks for ends in (([0, 1], [t, t]), ([t, t], [0, 1]))]
        lines.append(mark(path([0, 1], [0, 1]), opacity=0.5))
        words = [word(x_of(t), TOP + SIDE + 18, f"{t:g}", "middle") for t in said]
        words += [word(LEFT - 8, y_of(t) + 4, f"{t:g}", "end") for t in said]
        words.append(word(LEFT + SIDE / 2, TOP + SIDE + 38, "says", "middle"))
        words.append(word(LEFT, TOP - 10, "comes true"))
        for (name, slope), dashes in zip(SLOPES.items(), DASHES, strict=True):
            x, y = x_of(SAID), y_of(came_true(SAID, slope))
            lines.append(mark(path(SAID, came_true(SAID, slope)), stroke_width=2.5, stroke_dasharray=dashes))
            dots = zip(x, y, strict=True)
            lines += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.5" fill="currentColor"/>' for a, b in dots]
            words.append(word(x[-1] + 9, y[-1] + 5, f"<tspan font-weight='bold'>{name}</tspan>"))
        style = "max-width: 100%; font: 13px Arial, Liberation Sans, sans-serif; color: inherit"
        return (
            f'<svg role="img" aria-label="{self.spoken()}" width="360" height="{TOP + SIDE + 46}" style="{style}">'
            f'<g fill="none" stroke="currentColor">{"".join(lines)}</g>'
            f'<g fill="currentColor">{"".join(words)}</g></svg>{tables_html([self.table()])}'
        )

    def table(self):
        """The points as numbers."""
        rows = [[said, *(round(came_true(said, slope), 2) for slope in SLOPES.values())] for said in SAID]
        return Table("What comes true", ["says", *SLOPES], rows)

    def spoken(self):
        """The picture in words."""
        each = (f"{name}: {', '.join(f'{came_true(s, slope):.2f}' for s in SAID)}." for name, slope in SLOPES.items())
        return f"What comes true where {', '.join(f'{s:g}' for s in SAID)} was said. {' '.join(each)}"


def x_of(share):
    """Where a share stands, in px."""
    return LEFT + SIDE * np.asarray(share)


def y_of(share):
    """The same upwards."""
    return TOP + SIDE * (1 - np.asarray(share))


def path(xs, ys):
    """A line through points, in shares."""
    return "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in zip(x_of(xs), y_of(ys), strict=True))


def mark(d, **look):
    """A line as SVG."""
    return f'<path d="{d}"' + "".join(f' {name.replace("_", "-")}="{value}"' for name, value in look.items()) + "/>"


def word(x, y, text, anchor="start"):
    """A label as SVG."""
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{text}</text>'


def three_curves() -> ThreeCurves:
    """Three models to tell apart: which is too sure, which too modest, which calibrated?"""
    return ThreeCurves()

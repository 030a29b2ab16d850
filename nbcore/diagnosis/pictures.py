"""Two small pictures as inline SVG in the page's own colours: reliability, and contributions."""

from collections.abc import Sequence
from html import escape
from typing import Any

FOR, AGAINST = "#2b8cbe", "#d55e00"  # blue and vermillion: contrast of 3 to 1 or more on white and on black
SIDE_PX, MARGIN_PX = 190, 34  # side of the diagram, margin for its axis
ROW_PX, NAME_PX, BAR_PX = 20, 190, 120  # height of a row, width for names, length of the longest bar


def _svg(width: float, height: float, alt: str, marks: Sequence[str]) -> str:
    """Return an SVG element with its alternative text."""
    alt = escape(alt, quote=True)
    return (
        f'<svg role="img" aria-label="{alt}" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
        f'style="max-width:100%;height:auto;font:12px sans-serif" fill="currentColor"><title>{alt}</title>'
        f"{''.join(marks)}</svg>"
    )


def _text(x: float, y: float, words: Any, anchor: str = "start") -> str:
    """Return an SVG text element."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(str(words))}</text>'


def reliability_diagram(bins: Sequence[dict[str, Any]]) -> str:
    """Draw the posterior of the decided label against the share that is right, with consistency bars.

    bins: of `nbcore.diagnosis.calibration.reliability`. A point outside its bar is vermillion, and a square.
    """

    def x(p: float) -> float:
        return MARGIN_PX + p * SIDE_PX

    def y(p: float) -> float:
        return 8 + (1 - p) * SIDE_PX

    marks = [
        f'<path d="M{x(0):g} {y(0):g}H{x(1):g}V{y(1):g}H{x(0):g}Z" fill="none" stroke="currentColor" opacity=".4"/>',
        f'<path d="M{x(0):g} {y(0):g}L{x(1):g} {y(1):g}" stroke="currentColor" stroke-dasharray="3 3" opacity=".5"/>',
    ]
    outside = 0
    for b in bins:
        at, inside = x(b["posterior"]), b["low"] <= b["right"] <= b["high"]
        outside += not inside
        here, bar = y(b["right"]), f"M{at:.1f} {y(b['low']):.1f}V{y(b['high']):.1f}"
        marks.append(f'<path d="{bar}" stroke="currentColor" stroke-width="6" opacity=".35"/>')
        marks.append(
            f'<circle cx="{at:.1f}" cy="{here:.1f}" r="4" fill="{FOR}"/>'
            if inside
            else f'<rect x="{at - 4:.1f}" y="{here - 4:.1f}" width="8" height="8" fill="{AGAINST}"/>'
        )
    for p in (0, 0.5, 1):
        marks += [_text(x(p), y(0) + 15, f"{p:g}", "middle"), _text(x(0) - 4, y(p) + 4, f"{p:g}", "end")]
    marks.append(_text(x(0.5), y(0) + 30, "posterior, and share that is right", "middle"))
    summary = "; ".join(
        f"{b['posterior']:.2f} said, {b['right']:.2f} right, bar {b['low']:.2f} to {b['high']:.2f}" for b in bins
    )
    alt = f"Reliability with consistency bars: {outside} of {len(bins)} bins lie outside theirs. {summary}."
    return _svg(MARGIN_PX + SIDE_PX + 12, SIDE_PX + 46, alt, marks)


def contribution_bars(row: dict[str, Any]) -> str:
    """Draw the nats of the strongest features of one row for its decision (right) and for its label (left).

    row: of `nbcore.diagnosis.certain.sure_and_wrong`.
    """
    bars = [("prior", row["prior"]), *((f["name"], f["nats"]) for f in row["features"])]
    bars += [("all others", row["others"])] if row["others"] else []
    widest = max(max(abs(nats) for _, nats in bars), 1e-9)
    zero, marks = NAME_PX + BAR_PX + 46, []
    for i, (name, nats) in enumerate(bars):
        top, width = i * ROW_PX + 4, abs(nats) / widest * BAR_PX
        left, color = (zero, AGAINST) if nats > 0 else (zero - width, FOR)
        beside = zero + width + 4 if nats > 0 else zero - width - 4
        marks += [
            _text(NAME_PX - 6, top + 12, str(name) if len(str(name)) < 28 else f"{str(name)[:26]}…", "end"),
            f'<rect x="{left:.1f}" y="{top}" width="{max(width, 0.5):.1f}" height="14" fill="{color}"/>',
            _text(beside, top + 12, f"{nats:+.3g}", "start" if nats > 0 else "end"),
        ]
    height = len(bars) * ROW_PX + 6
    marks.append(f'<path d="M{zero} 0V{height}" stroke="currentColor" opacity=".6"/>')
    summary = "; ".join(f"{name} {nats:+.3g}" for name, nats in bars)
    alt = f"Row {row['row']}, nats for {row['decision']} against {row['label']}: {summary}."
    return _svg(zero + BAR_PX + 46, height, alt, marks)

"""Two small pictures as inline SVG, in the colours of the page they stand on: reliability, and contributions."""

from collections.abc import Sequence
from html import escape
from typing import Any

__all__ = ["contribution_bars", "reliability_diagram"]

FOR, AGAINST = "#2b8cbe", "#d55e00"  # blue and vermillion, both at 3 to 1 or more on white and on black
SIDE, EDGE = 190, 34  # of the diagram and of the room for its axis, px
ROW, NAME, HALF = 20, 190, 120  # of the bars, px: height, room for names, longest bar


def _svg(width: float, height: float, alt: str, marks: Sequence[str]) -> str:
    alt = escape(alt, quote=True)
    return (
        f'<svg role="img" aria-label="{alt}" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
        f'style="max-width:100%;height:auto;font:12px sans-serif" fill="currentColor"><title>{alt}</title>'
        f"{''.join(marks)}</svg>"
    )


def _text(x: float, y: float, words: Any, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(str(words))}</text>'


def reliability_diagram(bins: Sequence[dict[str, Any]]) -> str:
    """Posterior of the label decided for against the share that is right; bars: where calibrated posteriors would be.

    bins: of `nbcore.diagnosis.calibration.reliability`. A point outside its bar is vermillion, and a square.
    """

    def x(p: float) -> float:
        return EDGE + p * SIDE

    def y(p: float) -> float:
        return 8 + (1 - p) * SIDE

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
    said = "; ".join(
        f"{b['posterior']:.2f} said, {b['right']:.2f} right, bar {b['low']:.2f} to {b['high']:.2f}" for b in bins
    )
    alt = f"Reliability with consistency bars: {outside} of {len(bins)} bins lie outside theirs. {said}."
    return _svg(EDGE + SIDE + 12, SIDE + 46, alt, marks)


def contribution_bars(row: dict[str, Any]) -> str:
    """What the loudest features of one row said for its decision (right) and for its label (left), in nats.

    row: of `nbcore.diagnosis.certain.sure_and_wrong`.
    """
    told = [("prior", row["prior"]), *((f["name"], f["nats"]) for f in row["features"])]
    told += [("all others", row["others"])] if row["others"] else []
    widest = max(max(abs(nats) for _, nats in told), 1e-9)
    zero, marks = NAME + HALF + 46, []
    for i, (name, nats) in enumerate(told):
        top, width = i * ROW + 4, abs(nats) / widest * HALF
        left, color = (zero, AGAINST) if nats > 0 else (zero - width, FOR)
        beside = zero + width + 4 if nats > 0 else zero - width - 4
        marks += [
            _text(NAME - 6, top + 12, str(name) if len(str(name)) < 28 else f"{str(name)[:26]}…", "end"),
            f'<rect x="{left:.1f}" y="{top}" width="{max(width, 0.5):.1f}" height="14" fill="{color}"/>',
            _text(beside, top + 12, f"{nats:+.3g}", "start" if nats > 0 else "end"),
        ]
    height = len(told) * ROW + 6
    marks.append(f'<path d="M{zero} 0V{height}" stroke="currentColor" opacity=".6"/>')
    said = "; ".join(f"{name} {nats:+.3g}" for name, nats in told)
    alt = f"Row {row['row']}, nats for {row['decision']} against {row['label']}: {said}."
    return _svg(zero + HALF + 46, height, alt, marks)

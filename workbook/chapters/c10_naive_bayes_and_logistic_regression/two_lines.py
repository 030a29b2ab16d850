"""Chapter 10: two bits in a plane, the lines of naive Bayes and of logistic regression, yours, and their scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log, sqrt
from typing import ClassVar

import numpy as np
from scipy.special import expit

from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, FloatSlider, IntSlider, LogSlider
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import typeset
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .two_bits import CORNERS, TABLES, Line, Scores, logistic_line, naive_line, scores

__all__ = ["TwoLinesExplorer"]

BAYES, LOGISTIC, YOURS = "naive Bayes", "logistic", "yours"
LOOKS = {  # colour, dash, marker
    BAYES: (palette.NAIVE_BAYES, "solid", "circle"),
    LOGISTIC: (palette.LOGISTIC, "dash", "square"),
    YOURS: (palette.YOURS, "dot", "diamond"),
}
LOW, HIGH = -0.45, 1.45  # of the map
AXIS = np.linspace(LOW, HIGH, 39)
CENTRE = np.array([0.5, 0.5])
ALONG, BACK, ASIDE = 0.45, 0.22, 0.1  # where two grips stand along a line; how far a class is from its corner
QUARTER = log(3)  # the log odds of three to one
SPAN = 0.13  # of the axes of the scores, nats a row
HATCHES = ("", "/", ".")  # of the bars


@dataclass(frozen=True)
class TwoLines:
    """The result: a table, three lines and their scores, and where yours stands."""

    table: str
    turn: int
    shift: float
    steep: float
    lines: dict[str, Line]
    scores: dict[str, Scores]

    @property
    def counts(self) -> np.ndarray:
        return np.array(TABLES[self.table])


@lru_cache(maxsize=len(TABLES))
def fitted(table: str) -> tuple[dict, dict]:
    """The two models' lines on a table, and their scores."""
    counts = TABLES[table]
    lines = {BAYES: naive_line(counts), LOGISTIC: logistic_line(counts)}
    return lines, {name: scores(counts, line) for name, line in lines.items()}


def across(turn: float) -> np.ndarray:
    """The direction in which the log odds rise."""
    return np.array([np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))])


def placed(turn: float, shift: float, steep: float) -> Line:
    """The line whose log odds rise by `steep` per unit of length; shift: how far it is from the middle."""
    w = steep * across(turn)
    return Line((float(w[0]), float(w[1])), float(-w @ CENTRE - steep * shift))


class TwoLinesExplorer(Explorer):
    """One linear form, two likelihoods and the errors: Wikipedia, "Relation to logistic regression"."""

    table = Choice("twenty rows", list(TABLES), label="table")
    turn = IntSlider(270, 0, 355, step=5, label="turn")
    shift = FloatSlider(0.0, -0.8, 0.8, step=0.02, label="shift")
    steep = LogSlider(2.0, 0.2, 20, per_decade=20, label="steepness")

    presets: ClassVar = {
        "Yours": Preset("The sky-blue line is yours: push it, turn it. Which score do you want?", {}),
        "As naive Bayes": Preset(
            "Yours on the line of naive Bayes. No line has a higher joint likelihood.",
            dict(turn=225, shift=-0.08, steep=3.16),
        ),
        "As logistic": Preset(
            "Yours on the line of logistic regression. No line has a higher conditional likelihood.",
            dict(turn=225, shift=0.1, steep=2.0),
        ),
        "Independent": Preset(
            "The bits are independent within each class. Both likelihoods want the same line.",
            dict(table="independent bits", turn=230, shift=0.06, steep=2.82),
        ),
        "Copies": Preset(
            "Two bits that nearly say the same: one line for both, and naive Bayes is steeper.",
            dict(table="nearly copies", turn=45, shift=0.0, steep=1.12),
        ),
    }

    def compute(self, table, turn, shift, steep) -> TwoLines:
        lines, found = fitted(table)
        own = placed(turn, shift, steep)
        lines = lines | {YOURS: own}
        return TwoLines(table, turn, shift, steep, lines, found | {YOURS: scores(TABLES[table], own)})

    def draw(self, result):
        panels = [plane_panel(result), scores_panel(result), errors_panel(result)]
        return theme.figure([panels], widths=[1.1, 1, 0.7], share=0.94)

    def describe(self, result) -> str:
        r, n = result, result.counts.sum()
        each = [f"{name} {typeset(f'{s.joint:.3f}')}, {typeset(f'{s.conditional:.3f}')}, {s.errors:,}"
                for name, s in r.scores.items()]  # fmt: skip
        what = f"{r.table}: joint and conditional log likelihood per row, errors of {n:,}"
        return f"{what}: {'; '.join(each)} (at {r.turn}°)."

    def explain(self, result) -> Sequence[Part]:
        joint, conditional = (round(getattr(result.scores[YOURS], kind), 3) for kind in ("joint", "conditional"))
        return [
            "yours, per row:",
            Term(typeset(f"{joint:.3f}"), "log P(c, x)", YOURS, palette.YOURS),
            "=",
            Term(typeset(f"{conditional:.3f}"), "log P(c | x)"),
            "+",
            Term(f"({typeset(f'{joint - conditional:.3f}')})", "log P(x)"),
        ]


def ends(line: Line, odds: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Two points far apart on the line where the log odds are `odds`; nothing if it is no line."""
    w = np.array(line.w)
    if w @ w < 1e-12:
        return np.array([]), np.array([])
    foot, along = CENTRE + w * (odds - line.b - w @ CENTRE) / (w @ w), np.array([-w[1], w[0]]) / sqrt(w @ w)
    x, y = np.stack([foot - 4 * along, foot + 4 * along]).T
    return x, y


def plane_panel(r: TwoLines) -> Panel:
    """The four corners with their rows, the three lines, and what yours says everywhere."""
    own = r.lines[YOURS]
    z = expit(own.b + own.w[0] * AXIS[None, :] + own.w[1] * AXIS[:, None])
    shade = dict(type="heatmap", x=AXIS, y=AXIS, z=z, zmin=0, zmax=1, colorscale=palette.SHARES, zsmooth="best")
    traces = [shade | dict(showscale=False, hoverinfo="skip"), *rows_traces(r)]
    line = dict(type="scatter", mode="lines", showlegend=False)
    x, y = ends(own, QUARTER)
    traces.append(line | dict(x=x, y=y, line=dict(color=palette.YOURS, width=1.5, dash="dash"))
                  | dict(hovertemplate="here yours says P(1 | x) = 3/4<extra></extra>"))  # fmt: skip
    for name, each in r.lines.items():
        color, dash, _ = LOOKS[name]
        x, y = ends(each)
        look = dict(color=color, dash=dash, width=4 if name == YOURS else 3)
        traces.append(line | dict(x=x, y=y, line=look, name=name)
                      | dict(hovertemplate="the line of %{fullData.name}: P(1 | x) = 1/2<extra></extra>"))  # fmt: skip
    axis = dict(range=[LOW, HIGH], tickvals=[0, 1])
    x, y = axis | dict(title="x₁"), axis | dict(title="x₂")
    return Panel("The plane", traces, x, y, handles=grips(r), equal=True)


def rows_traces(r: TwoLines) -> list[dict]:
    """Each class's rows as one mark a corner, its area their share; crossed where yours decides them wrongly."""
    dots, n = dict(type="scatter", mode="markers", showlegend=True), r.counts.sum()
    decided = r.lines[YOURS].log_odds > 0
    traces, lost = [], []
    for c, rows in enumerate(r.counts):
        # Beside the other class where it has rows there, too: on the falling diagonal, along the lines of both models.
        apart = ASIDE * (2 * c - 1) * (r.counts > 0).all(axis=0)
        at = CORNERS + np.column_stack([apart, -apart])
        color, symbol = palette.CLASS_COLORS[c], palette.CLASS_MARKERS[c]
        there = np.flatnonzero(rows)
        for k in there:
            look = dict(color=color, symbol=symbol, size=float(50 * np.sqrt(rows[k] / n)))
            words = f"{rows[k]:,} of {n:,} rows, of class {c}<extra></extra>"
            dot = dots | dict(x=at[[k], 0], y=at[[k], 1], marker=look, name=f"class {c}", hovertemplate=words)
            traces.append(dot | dict(showlegend=bool(k == there[0])))
        lost.append(at[there][decided[there] != c])
    x, y = np.vstack(lost).T
    cross = dict(symbol="x-thin", size=16, line=dict(color=palette.WRONG, width=3))
    traces.append(dots | dict(x=x, y=y, marker=cross, name="wrong") | dict(
        hovertemplate="yours decides these rows wrongly<extra></extra>"))  # fmt: skip
    return traces


def grips(r: TwoLines) -> list[Handle]:
    """Push the line, turn it, and move the place where it says three to one."""
    declared = TwoLinesExplorer.declared
    n = across(r.turn)
    along = np.array([-n[1], n[0]])
    shifts = CENTRE + np.array(declared["shift"].values)[:, None] * n
    each = np.stack([across(t) for t in declared["turn"].values])
    turns = CENTRE + r.shift * each + ALONG * np.stack([-each[:, 1], each[:, 0]], axis=1)
    steeps = CENTRE - BACK * along + (r.shift + QUARTER / np.array(declared["steep"].values))[:, None] * n
    found = [("shift", CENTRE + r.shift * n, shifts), ("turn", CENTRE + r.shift * n + ALONG * along, turns)]
    at = CENTRE - BACK * along + (r.shift + QUARTER / r.steep) * n
    if (LOW < at).all() and (at < HIGH).all():
        found.append(("steep", at, steeps))
    return [Handle(name, *map(float, at), axis="xy", places=places) for name, at, places in found]


def scores_panel(r: TwoLines) -> Panel:
    """Joint against conditional log likelihood; what is worse than the axes reach stands at their ends."""
    best = r.scores[LOGISTIC].conditional, r.scores[BAYES].joint
    traces = []
    for name, s in r.scores.items():
        color, _, symbol = LOOKS[name]
        at = [max(u, top - SPAN) for u, top in zip((s.conditional, s.joint), best, strict=True)]
        beyond = at != [s.conditional, s.joint]
        look = dict(symbol=symbol, color="white" if beyond else color, size=13, line=dict(color=color, width=3))
        words = f"{name}: log P(c | x) {s.conditional:.3f}, log P(c, x) {s.joint:.3f} per row"
        dot = dict(type="scatter", mode="markers", x=at[:1], y=at[1:], name=name, marker=look, meta=dict(mark=name))
        traces.append(dot | dict(hovertemplate=f"{words}{', beyond the axes' * beyond}<extra></extra>"))
    guide = dict(type="line", line=dict(color=palette.GUIDE, dash="dot", width=2))
    tops = [
        guide | dict(x0=best[0], x1=best[0], y0=0, y1=1, yref="domain"),
        guide | dict(y0=best[1], y1=best[1], x0=0, x1=1, xref="domain"),
    ]
    x, y = (dict(range=[top - 1.08 * SPAN, top + 0.15 * SPAN], nticks=4) for top in best)
    return Panel("log P(c, x), per row", traces, x | dict(title="log P(c | x), per row"), y, tops)


def errors_panel(r: TwoLines) -> Panel:
    """Return how many rows each decides wrongly, in percent."""
    traces, notes = [], []
    for k, (name, s) in enumerate(r.scores.items()):
        share = 100 * s.errors / r.counts.sum()
        words = f"{name}: {s.errors:,} rows wrong, {share:.1f} %<extra></extra>"
        bar = dict(type="bar", x=[k], y=[share], name=name, width=0.7, showlegend=False, hovertemplate=words)
        traces.append(bar | dict(marker=theme.bars(LOOKS[name][0], HATCHES[k])))
        notes.append(dict(x=k, y=share, yanchor="bottom", text=f"{s.errors:,}"))
    x = dict(range=[-0.6, 2.6], tickvals=[0, 1, 2], ticktext=["Bayes", "log.", "yours"])
    half = max(s.errors for s in r.scores.values()) <= r.counts.sum() / 2
    y = dict(range=[0, 54], tickvals=[0, 25, 50]) if half else dict(range=[0, 108], tickvals=[0, 50, 100])
    return Panel("Errors, %", traces, x, y, annotations=notes)

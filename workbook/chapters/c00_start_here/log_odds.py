"""Chapter 00: on the ruler of log odds a test is an arrow, as long wherever it starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import expit, logit

from workbook.chapters.c00_start_here.experiment import chance, weights
from workbook.explorer import palette, theme
from workbook.explorer.controls import IntSlider, Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import say, signed
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

__all__ = ["LogOddsExplorer"]

PRIORS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
PEOPLE = ("screening", "symptoms")  # who is tested; the same test, another prior
WHERE = ("at a screening", "with symptoms")
RULER = (0.01, 0.1, 0.5, 0.9, 0.99)  # the probabilities on it
ROWS, DROP = (1.0, 0.0), 0.4  # where each person's arrows lie, and how far below them those of the negative tests
SIGNS = ("positive", "negative")
COLORS, BARB = palette.CLASS_COLORS[1::-1], 0.08  # they speak for ill, for well; half of an arrow's head
SEATS = dict(range=[-0.65, 1.9], ticks="", showgrid=False, showline=False)
ENDS = {"before": ("circle-open", 11, palette.BEFORE), "after": ("line-ns", 20, palette.NOW)}


@dataclass(frozen=True)
class Walks:
    """The result: log odds of being ill of two people, before the tests and after each of them."""

    priors: tuple[float, float]
    positives: int
    negatives: int
    paths: np.ndarray  # (2, positives + negatives + 1)


class LogOddsExplorer(Explorer):
    """log odds after = log odds before + an arrow for every test: +2.12 if it is positive, −1.51 if not."""

    positives = IntSlider(2, 0, 4, label="positive tests")
    negatives = IntSlider(0, 0, 3, label="negative tests")
    screening = Steps(0.01, PRIORS, label="screening")
    symptoms = Steps(0.2, PRIORS, label="symptoms")

    presets: ClassVar = {
        "Two positive tests": Preset(
            "Both people walk the same way. Who starts at one in a hundred does not reach the middle.", {}
        ),
        "A third one": Preset("One arrow more, and the middle is behind both of them.", dict(positives=3)),
        "One of each": Preset(
            "A positive and a negative test: the arrow to the right is the longer one.", dict(positives=1, negatives=1)
        ),
        "One in a thousand": Preset(
            "Three positive tests in a row, and for the first person the middle is still ahead.",
            dict(positives=3, screening=0.001),
        ),
    }

    def compute(self, positives, negatives, screening, symptoms) -> Walks:
        positive, negative = weights()
        steps = np.array([0.0, *[positive] * positives, *[negative] * negatives])
        paths = np.add.outer(logit([screening, symptoms]), steps.cumsum())
        return Walks((screening, symptoms), positives, negatives, paths)

    def draw(self, result):
        return theme.figure([[ruler_panel(result), chance_panel(result)]], widths=[1.9, 1], share=0.85, left=6)

    def explain(self, result):
        return sum_of_arrows(result)

    def describe(self, result) -> str:
        r = result
        ends = ", and ".join(
            f"{where} from {say(prior)} to {chance(expit(path[-1]))}"
            for where, prior, path in zip(WHERE, r.priors, r.paths, strict=True)
        )
        tests = [f"{n} {sign}" for n, sign in zip((r.positives, r.negatives), SIGNS, strict=True)]
        moved = signed(r.paths[0, -1] - r.paths[0, 0])
        return f"Tests: {' and '.join(tests)}. The log odds of both people move by {moved}; P(ill) {ends}."


def sum_of_arrows(r: Walks) -> list[Part]:
    """log odds after = log odds before + so many arrows, of the person at a screening."""
    before, after = (
        Term(signed(r.paths[0, k], decimals), when, f"{PEOPLE[0]}, {when}", ENDS[when][2])
        for k, when, decimals in ((0, "before", 4), (-1, "after", 2))  # a calculator comes to the same end
    )
    parts: list[Part] = [f"{PEOPLE[0]}:", before]
    for n, length, sign, color in zip((r.positives, r.negatives), weights(), SIGNS, COLORS, strict=True):
        if n:
            parts += [f"{'+' if length > 0 else '−'} {n} ·", Term(f"{abs(length):.5f}", sign, sign, color)]
    return [*parts, "=", after, ", a probability of", Term(chance(expit(r.paths[0, -1])), "P(ill)")]


def arrows(r: Walks, scale, head: float) -> list[dict]:
    """A trace for the positive tests and one for the negative ones, if any: the arrows of both people, with heads."""
    traces = []
    kinds = ((0, r.positives, 0.0), (r.positives, r.positives + r.negatives, DROP))
    for sign, color, length, (first, last, drop) in zip(SIGNS, COLORS, weights(), kinds, strict=True):
        if first == last:
            continue
        corners, words = [], []
        for name, row, path in zip(PEOPLE, ROWS, r.paths, strict=True):
            y = row - drop
            for k in range(first, last):
                start, end = scale(path[k]), scale(path[k + 1])
                back = end - np.sign(end - start) * min(head, 0.6 * abs(end - start))
                corners += [(start, y), (end, y), (back, y + BARB), (end, y), (back, y - BARB), (np.nan, np.nan)]
                told = f"{name}: a {sign} test, log odds {signed(length)}; P(ill) goes from"
                words += [f"{told} {chance(expit(path[k]))} to {chance(expit(path[k + 1]))}"] * 6
        x, y = np.array(corners).reshape(-1, 2).T
        traces.append(
            dict(type="scatter", mode="lines", x=x, y=y, name=f"{sign} test, {signed(length)}", customdata=words)
            | dict(line=dict(color=color, width=3), meta=dict(mark=sign), hovertemplate="%{customdata}<extra></extra>")
        )
    return traces


def ends(r: Walks, scale) -> list[dict]:
    """Where each person starts, a ring, and ends, an upright line at the tip of the last arrow."""
    after = [row - (DROP if r.negatives else 0) for row in ROWS]
    traces = []
    for (when, (symbol, size, color)), y, k in zip(ENDS.items(), (ROWS, after), (0, -1), strict=True):
        told = [f"{name}, {when}: log odds {signed(u)}, P(ill) = {chance(expit(u))}"
                for name, u in zip(PEOPLE, r.paths[:, k], strict=True)]  # fmt: skip
        traces.append(
            dict(type="scatter", mode="markers", x=scale(r.paths[:, k]), y=y, name=when, customdata=told)
            | dict(marker=dict(size=size, symbol=symbol, color=color, line=dict(width=2.5, color=color)))
            | dict(ids=[f"{name}, {when}" for name in PEOPLE], hovertemplate="%{customdata}<extra></extra>")
        )
    return traces


def numbers(r: Walks, scale, words) -> list[dict]:
    """Start and end of each person as numbers, clear of the arrows."""
    notes = []
    for row, path in zip(ROWS, r.paths, strict=True):
        low = dict(xanchor="right", xshift=-9, bgcolor="white")
        above = dict(xanchor="left", xshift=2, yshift=theme.size().font)  # the words of the row stand at the left
        notes.append(dict(x=float(scale(path[0])), y=row, text=words(path[0])) | above)
        if len(path) > 1:
            side = low if r.negatives else dict(xanchor="left", xshift=9, bgcolor="white")
            notes.append(dict(x=float(scale(path[-1])), y=row - DROP * bool(r.negatives), text=words(path[-1])) | side)
    return notes


def reach(r: Walks) -> tuple[float, float]:
    """The ends of the ruler: room for these tests from any prior, so that it stands still while one is dragged."""
    positive, negative = weights() * (r.positives, r.negatives)
    low = logit(PRIORS[0]) + min(0.0, positive + negative)
    return float(low) - (2.0 if r.negatives else 1.0), max(5.6, float(logit(PRIORS[-1]) + positive) + 1.5)


def ruler_panel(r: Walks) -> Panel:
    """The ruler: log odds below, the probabilities that they are above. An arrow is as long for either person."""
    mark = dict(type="line", y0=0, y1=0.9, yref="domain", layer="below")
    lines = [
        mark
        | dict(
            x0=float(logit(p)),
            x1=float(logit(p)),
            line=dict(color=palette.PALE if p != 0.5 else palette.BLACK, width=1),
        )
        for p in RULER
    ]
    scale = [dict(x=float(logit(p)), y=0.95, yref="domain", text=f"{p:g}") for p in RULER]
    low, high = reach(r)
    ticks = [u for u in (-10, -5, 0, 5) if low < u < high]
    x = dict(range=[low, high], tickvals=ticks, showgrid=False, title="log odds")
    y = SEATS | dict(tickvals=ROWS, ticktext=PEOPLE)
    handles = [
        Handle(name, x=float(path[0]), y=row, places=logit(PRIORS))
        for name, row, path in zip(PEOPLE, ROWS, r.paths, strict=True)
    ]
    traces = [*arrows(r, np.asarray, 0.022 * (high - low)), *ends(r, np.asarray)]
    notes = [*scale, *numbers(r, np.asarray, signed)]
    return Panel("Ruler: P(ill) above, log odds below", traces, x, y, lines, notes, handles)


def chance_panel(r: Walks) -> Panel:
    """The same tests on a ruler of probabilities: there the same arrow has many lengths."""
    traces = [trace | dict(showlegend=False) for trace in [*arrows(r, expit, 0.04), *ends(r, expit)]]
    for trace in traces:
        trace.pop("meta", None)
        trace.pop("ids", None)
    x = dict(range=[-0.08, 1.3], tickvals=[0, 0.5, 1], title="P(ill)")
    y = SEATS | dict(showticklabels=False, tickvals=ROWS)
    notes = numbers(r, expit, lambda u: chance(expit(u)))
    return Panel("The same as probabilities", traces, x, y, (), notes)

"""Chapter 04: how honest the bits are with ever more variables, strong or weak. Williams (2024), section 4."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import typeset
from workbook.explorer.formula import Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .experiment import EQUAL, PRIORS, RANDOM, SIZES, Played, played

__all__ = ["ManyVariablesExplorer"]

ALPHAS = (1.0, 3.0, 10.0, 30.0, 100.0)
STRONG, WEAK = ALPHAS[0], 10.0
CATEGORY, BITS, GUIDE = palette.CATEGORICAL, palette.BITS, palette.GUIDE


@dataclass(frozen=True)
class Many:
    """The result: the state, all numbers of variables at this alpha, and the same at alpha = 1 to compare with."""

    F: int
    alpha: float
    priors: str
    played: Played
    strong: Played

    @property
    def at(self) -> int:
        return SIZES.index(self.F)


class ManyVariablesExplorer(Explorer):
    """What the bits say against how often they are right, and how often they decide otherwise, by variables."""

    F = Steps(4, SIZES, label="variables", say="{:d}".format)
    alpha = Steps(STRONG, ALPHAS, label="alpha")
    priors = Choice(RANDOM, list(PRIORS), label="priors")

    presets: ClassVar = {
        "One": Preset("Below the diagonal from the start: the bits promise more than they keep.", dict(F=1)),
        "Sixteen": Preset("Both are nearly sure by now, and nearly always right. Little room for a gap.", dict(F=16)),
        "Weak": Preset(
            "Eight weak variables: more decisions change than with eight strong ones.",
            dict(F=8, alpha=WEAK),
        ),
        "Weak and many": Preset(
            "Weak each, strong together: sixty-four of them have left the left-hand side.", dict(F=64, alpha=WEAK)
        ),
        "Weak, equal priors": Preset(
            "Less sure than with random priors, and a third as many decisions change: no prior to outvote.",
            dict(F=8, alpha=WEAK, priors=EQUAL),
        ),
    }

    def pending(self, F, alpha, priors):
        return played.work(alpha, priors) or played.work(STRONG, priors)

    def compute(self, F, alpha, priors) -> Many:
        return Many(F, alpha, priors, played(alpha, priors), played(STRONG, priors))

    def draw(self, result):
        return theme.figure([[honest_panel(result), says_panel(result), changed_panel(result)]])

    def describe(self, result) -> str:
        r, p, at = result, result.played, result.at
        s = "" if r.F == 1 else "s"
        return (
            f"{r.F} variable{s} of three values, alpha = {r.alpha:g}, {r.priors} priors. The bits say "
            f"{100 * p.says[at]:.1f} % and are right in {100 * p.right[at]:.1f} %; the category says and is right in "
            f"{100 * p.best[at]:.1f} %. The bits decide otherwise in {100 * p.changed[at]:.1f} %."
        )

    def explain(self, result):
        """The mean gap, and what the other decisions cost."""
        p, at = result.played, result.at
        says, right, best = (round(100 * float(part[at]), 1) for part in (p.says, p.right, p.best))
        bits = dict(color=BITS)
        return [
            Term(f"{says:.1f} %", "bits say", "bits say", **bits), "−",
            Term(f"{right:.1f} %", "bits are right", "bits are right", **bits), "=",
            Term(f"{says - right:.1f} points", "too sure"), ";",
            Term(f"{best:.1f} %", "category", "category", CATEGORY), "−",
            Term(f"{right:.1f} %", "bits are right", "bits are right", **bits), "=",
            Term(typeset(f"{best - right:.1f}") + " points", "lost"),
        ]  # fmt: skip


def honest_panel(r: Many) -> Panel:
    """The reliability diagram: of the cases in which the bits say so much, how many they get right."""
    said, right = 100 * r.played.bins[r.at].T
    line = dict(type="scatter", mode="lines", x=[20, 100], y=[20, 100], name="category", showlegend=False)
    line |= dict(line=dict(color=CATEGORY, width=5), hovertemplate="category: as right as it says<extra></extra>")
    words = "the bits say %{x:.1f} %, and are right in %{y:.1f} %<extra></extra>"
    dots = dict(type="scatter", mode="lines+markers", x=said, y=right, showlegend=False, hovertemplate=words)
    dots |= dict(line=dict(color=BITS, width=2), marker=dict(size=8, color=BITS, symbol="square"))
    axis = dict(range=[18, 102], tickvals=[25, 50, 75, 100])
    return Panel("Reliability", [line, dots], axis | dict(title="says, %"), axis | dict(title="is right, %"))


def says_panel(r: Many) -> Panel:
    """Mean confidence and share of right decisions against the number of variables."""
    p = r.played
    curves = (
        ("category", p.best, dict(color=CATEGORY, width=6), "category, says and is right"),
        ("bits say", p.says, dict(color=BITS, width=3, dash="dash"), "bits, what they say"),
        ("bits are right", p.right, dict(color=BITS, width=3), "bits, how often right"),
    )
    traces = [
        dict(type="scatter", mode="lines", x=SIZES, y=100 * y, name=name, line=line, meta=dict(mark=name))
        | dict(hovertemplate=f"{words} with %{{x}} variables: %{{y:.1f}} %<extra></extra>")
        for name, y, line, words in curves
    ]
    places = np.column_stack([SIZES, 100 * p.says])
    lost = round(100 * float(p.best[r.at]), 1) - round(100 * float(p.right[r.at]), 1)
    few = r.F <= 8  # the note stands on the side where there is room
    note = dict(x=r.F, y=13, xanchor="left" if few else "right", yanchor="bottom", xshift=6 if few else -6)
    note |= dict(text=f"{lost:.1f} fewer right")
    y = dict(range=[12, 103], tickvals=[25, 50, 75, 100])
    return Panel(
        "Says and is right, %", traces, by_variables(), y, [now(r)], annotations=[note], handles=[grip(r, places)]
    )


def changed_panel(r: Many) -> Panel:
    """How often the bits decide otherwise, against the number of variables."""
    strong = dict(type="scatter", mode="lines", x=SIZES, y=100 * r.strong.changed, name="alpha = 1")
    strong |= dict(line=dict(color=GUIDE, width=2, dash="dot"))
    strong |= dict(hovertemplate="alpha = 1, %{x} variables: %{y:.1f} % decide otherwise<extra></extra>")
    here = dict(type="scatter", mode="lines+markers", x=SIZES, y=100 * r.played.changed, showlegend=False)
    here |= dict(line=dict(color=BITS, width=3), marker=dict(size=6, color=BITS, symbol="square"))
    here |= dict(hovertemplate="%{x} variables: %{y:.1f} % decide otherwise<extra></extra>")
    places = np.column_stack([SIZES, 100 * r.played.changed])
    traces = [strong, here] if r.alpha != STRONG else [here]
    y = dict(range=[-0.6, 13], tickvals=[0, 5, 10])
    return Panel("Bits decide otherwise, %", traces, by_variables(), y, [now(r)], handles=[grip(r, places)])


def by_variables() -> dict:
    return dict(type="log", range=[-0.1, 1.95], tickvals=[1, 4, 16, 64], title="variables")


def now(r: Many) -> dict:
    """The present number of variables."""
    return dict(type="line", x0=r.F, x1=r.F, y0=0, y1=1, yref="domain", line=dict(color=palette.NOW, width=2))


def grip(r: Many, places: np.ndarray) -> Handle:
    return Handle("F", *places[r.at], axis="xy", places=places)

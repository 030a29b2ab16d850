"""Chapter 12: measurements of one penguin are taken away, one by one; what is left, and the truth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from scipy.special import softmax

from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, LogSlider, Toggle
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import say, signed, typeset
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .experiment import COLUMNS, SPECIES, penguins, without

__all__ = ["GapsExplorer"]

# Rows of the table, by what is odd about them; each is judged by a model of the 343 others.
ROWS = {
    "19, a long bill": 19,
    "129, undecided": 129,
    "306, sure and wrong": 306,
    "160, a Gentoo": 160,
    "3, real gaps": 3,
    "271, real gaps": 271,
}
CONTROLS = ("bill", "flipper", "island", "mass", "depth", "sex")  # of the columns COLUMNS, in their order
EDGE = 8.0  # where the axis ends; a longer bar is cut, and its number says so
WIDTH = 0.26  # of a bar, in rows


@dataclass(frozen=True)
class Gaps:
    """The result: F = 6 columns of one penguin, three species."""

    row: int
    truth: int
    values: tuple[str, ...]  # (F,) in words, "" where nothing was measured
    kept: tuple[bool, ...]  # (F,) neither a real gap nor taken away
    log_prior: np.ndarray  # (3,)
    terms: np.ndarray  # (3, F) log likelihoods, 0 where the column is left out
    alpha: float

    @property
    def joint(self) -> np.ndarray:
        """log P(species, what is left), (3,)."""
        return self.log_prior + self.terms.sum(axis=1)

    @property
    def posterior(self) -> np.ndarray:
        return softmax(self.joint)

    @property
    def against(self) -> np.ndarray:
        """(3, F + 2) prior, columns, sum: what each says of a species, less what it says of the one it favours."""
        steps = np.column_stack([self.log_prior, self.terms, self.joint])
        return steps - steps.max(axis=0)


class GapsExplorer(Explorer):
    """A gap leaves its factor out: P(c | rest) is in proportion to P(c) times the factors of the rest."""

    penguin = Choice("19, a long bill", ROWS, label="penguin")
    bill = Toggle(True, label="bill length")
    flipper = Toggle(True, label="flipper")
    island = Toggle(True, label="island")
    mass = Toggle(True, label="body mass")
    depth = Toggle(True, label="bill depth")
    sex = Toggle(True, label="sex")
    alpha = LogSlider(1.0, 0.01, 100, per_decade=2, label="alpha")

    presets: ClassVar = {
        "No island": Preset(
            "An Adelie with the bill of a Chinstrap. Its island alone kept it an Adelie: take it away, and it turns.",
            dict(island=False),
        ),
        "No bill length": Preset(
            "The same penguin without its bill length: now hardly anything speaks against the truth.", dict(bill=False)
        ),
        "A Gentoo": Preset(
            "Five of six are gone, the bill's depth is left, and it still is a Gentoo. Not every gap hurts.",
            dict(penguin="160, a Gentoo", bill=False, island=False, flipper=False, mass=False, sex=False),
        ),
        "Only the island": Preset(
            "Nobody measured this one. What is left is prior and island, and it is nearly enough.",
            dict(penguin="271, real gaps"),
        ),
        "Wrong": Preset(
            "A Chinstrap, surely called an Adelie. No single gap would help: only without all four measurements is it "
            "right.",
            dict(penguin="306, sure and wrong"),
        ),
    }

    def compute(self, penguin, alpha, **kept) -> Gaps:
        row = ROWS[penguin]
        X, y = penguins()
        gone = tuple(name for name, control in zip(COLUMNS, CONTROLS, strict=True) if not kept[control])
        log_prior, terms = without(row, gone, alpha)
        values = X.loc[row]
        words = tuple("" if values.isna()[name] else worded(values[name], COLUMNS[name][1]) for name in COLUMNS)
        left = tuple(bool(word) and name not in gone for word, name in zip(words, COLUMNS, strict=True))
        return Gaps(row, SPECIES.index(y[row]), words, left, log_prior, terms, alpha)

    def draw(self, result):
        panels = [switches(result), against_panel(result), posterior_panel(result)]
        return theme.figure([panels], widths=[0.72, 1.1, 1.18], share=0.96, left=6.2)

    def describe(self, result) -> str:
        r = result
        said = ", ".join(f"{name} {percent(p)}" for name, p in zip(SPECIES, r.posterior, strict=True))
        verdict = "right" if r.posterior.argmax() == r.truth else "wrong"
        return (
            f"Row {r.row}, {by(r.kept)}, alpha = {r.alpha:g}: {said}. "
            f"In truth it is {SPECIES[r.truth]}, so the decision is {verdict}."
        )

    def explain(self, result) -> list[Part]:
        r, first = result, int(result.posterior.argmax())
        weights = np.exp(r.joint - r.joint.max())
        parts = [
            Term(percent(w), name, f"sum {name}", palette.CLASS_COLORS[c], palette.CLASS_PATTERNS[c])
            for c, (name, w) in enumerate(zip(SPECIES, weights, strict=True))
        ]
        chance = Term(percent(r.posterior[first]), f"P({SPECIES[first]} | what is left)", f"P {SPECIES[first]}",
                      palette.CLASS_COLORS[first], palette.CLASS_PATTERNS[first])  # fmt: skip
        return [chance, "=", Over([replace(parts[first])], [parts[0], "+", parts[1], "+", parts[2]])]


def by(kept: tuple[bool, ...]) -> str:
    """What a penguin is judged by, or what is missing: the shorter of both."""
    words = [(COLUMNS[name][0], k) for name, k in zip(COLUMNS, kept, strict=True)]
    left, gone = ([name for name, k in words if k == told] for told in (True, False))
    if not left:
        return "by the prior alone"
    if gone and len(gone) <= len(left):
        return f"without {', '.join(gone)}"
    return f"by {', '.join(left) if gone else 'all six'}"


def worded(value, unit: str) -> str:
    """A value with its unit."""
    return f"{value:g} {unit}" if unit else str(value)


def percent(p: float) -> str:
    """A probability by three decimals, or by two digits if it is small."""
    return f"{p:.3f}" if p >= 0.001 else typeset(say(p, 2))


def labels() -> list[str]:
    return [words for words, _ in COLUMNS.values()]


def rows_axis(names: list[str], **options) -> dict:
    """A vertical axis of rows, the first one on top."""
    return dict(tickvals=list(range(len(names))), ticktext=names, range=[len(names) - 0.4, -0.6]) | options


BARE = dict(showticklabels=False, ticks="", showgrid=False)


def switches(r: Gaps) -> Panel:
    """A switch for each measurement: on the right it is kept, on the left taken away; no switch where none was made."""
    there = [f for f, word in enumerate(r.values) if word]
    ends = [(0, 0.8) if r.kept[f] else (0.2, 1) for f in there]  # up to the knob: none shows through it
    rails = [dict(type="line", x0=a, x1=b, y0=f + 1, y1=f + 1, line=dict(color=palette.GREY, width=2))
             for f, (a, b) in zip(there, ends, strict=True)]  # fmt: skip
    look = dict(size=13, symbol="circle", color=[palette.HELD if r.kept[f] else "white" for f in there],
                line=dict(width=2, color=palette.BLACK))  # fmt: skip
    dots = dict(type="scatter", mode="markers", x=[float(r.kept[f]) for f in there], y=[f + 1 for f in there],
                marker=look, showlegend=False, hovertemplate="%{customdata}<extra></extra>",
                customdata=[f"{labels()[f]} {r.values[f]}: {'kept' if r.kept[f] else 'taken away'}" for f in there],
                )  # fmt: skip
    notes = [dict(x=1.35, y=f + 1, xanchor="left", text=theme.escape(word or "a gap"))
             for f, word in enumerate(r.values)]  # fmt: skip
    grips = [Handle(CONTROLS[f], x=float(r.kept[f]), y=f + 1, places=np.array([0.0, 1.0])) for f in there]
    x = BARE | dict(range=[-0.3, 3.6])
    return Panel(f"Row {r.row}: kept", [dots], x, rows_axis(["prior", *labels(), "sum"], showgrid=False), rails, notes,
                 grips)  # fmt: skip


def against_panel(r: Gaps) -> Panel:
    """How much prior and columns speak against each species: log p less that of the species they favour."""
    against = r.against
    rows = np.arange(against.shape[1])
    names = ["prior", *labels(), "sum"]
    drawn = [True, *r.kept, True]
    traces = []
    for c, name in enumerate(SPECIES):
        at = [k for k in rows if drawn[k]]
        words = [f"{names[k]}: {signed(against[c, k])} for {name}" if against[c, k] else f"{names[k]} favours {name}"
                 for k in at]  # fmt: skip
        traces.append(
            dict(type="bar", orientation="h", name=name, y=[k + (c - 1) * WIDTH for k in at], width=WIDTH,
                 x=[max(float(against[c, k]), -EDGE) for k in at], ids=[f"{names[k]} {name}" for k in at],
                 customdata=words, hovertemplate="%{customdata}<extra></extra>", marker=theme.CLASS_BARS[c])
        )  # fmt: skip
    notes = [dict(x=0, y=k + (c - 1) * WIDTH, xanchor="left", xshift=3, text=signed(against[c, k], 1))
             for c in range(3) for k in rows if drawn[k] and against[c, k] < -EDGE]  # fmt: skip
    notes += [dict(x=-EDGE / 2, y=k, text="left out: 0") for k in rows if not drawn[k]]
    zero = dict(type="line", x0=0, x1=0, y0=0, y1=1, yref="domain", line=dict(color=palette.BLACK, width=1))
    line = dict(type="line", x0=-EDGE, x1=0, y0=len(names) - 1.5, y1=len(names) - 1.5,
                line=dict(color=palette.GREY, width=1))  # fmt: skip
    x = dict(range=[-EDGE, 2.6], tickvals=[-8, -6, -4, -2, 0], title="log p, less that of the favoured species")
    y = rows_axis(names, **BARE)
    return Panel("What speaks against each", traces, x, y, [zero, line], notes)


def posterior_panel(r: Gaps) -> Panel:
    """The three posteriors, and over one of them that it is the truth."""
    at = list(range(len(SPECIES)))
    marker = theme.class_marker(at)
    bars = dict(type="bar", x=at, y=r.posterior, width=0.6, marker=marker, showlegend=False,
                ids=[f"P {name}" for name in SPECIES],
                customdata=[f"{name} {percent(p)}" for name, p in zip(SPECIES, r.posterior, strict=True)],
                hovertemplate="P(%{customdata})<extra></extra>")  # fmt: skip
    notes = [dict(x=c, y=float(p), yanchor="bottom", text=f"{p:.2f}") for c, p in enumerate(r.posterior)]
    notes.append(dict(x=r.truth, y=1.13, yanchor="bottom", text="<b>truth ▾</b>"))
    x = dict(range=[-0.6, 2.6], tickvals=at, ticktext=list(SPECIES), showgrid=False)
    y = dict(range=[0, 1.28], tickvals=[0, 0.5, 1])
    return Panel("P(species)", [bars], x, y, annotations=notes)

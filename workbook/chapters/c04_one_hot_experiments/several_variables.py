"""Chapter 04: several one-hot variables, agreeing or in conflict. Williams (2024), section 4."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbcore.one_hot import f_bounds
from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, FloatSlider, IntSlider
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import typeset, written
from workbook.explorer.formula import Over, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .experiment import log_odds_of_votes

__all__ = ["SeveralVariablesExplorer"]

MOST = 15
AGREE, THIRD, HALF = "all agree", "one in three against", "every other against"
EVIDENCE = {HALF: 2, THIRD: 3, AGREE: None}
CATEGORICAL, BITS = palette.CATEGORICAL, palette.BITS
BARS = theme.bars(CATEGORICAL), theme.bars(BITS, "/")


@dataclass(frozen=True)
class Several:
    """The result: log odds of class A after 0, 1, ..., F variables, with the values' true model and as bits."""

    F: int
    K: int
    evidence: str
    theta: tuple[float, float]  # P(the value seen | class), A and B; against: the other way round
    f: tuple[float, float]  # what the bits say instead of theta
    against: int
    every_bernoullis: np.ndarray  # (MOST + 1,) log odds, with as many variables as there may be
    every_categorical: np.ndarray
    categorical: np.ndarray  # (F + 1,) log odds
    bernoullis: np.ndarray

    @property
    def posterior(self) -> tuple[float, float]:
        return tuple(float(odds_to_p(path[-1])) for path in (self.categorical, self.bernoullis))


class SeveralVariablesExplorer(Explorer):
    """Every one-hot variable brings f_j instead of theta_j, and the exaggerations add up or cancel."""

    F = IntSlider(10, 1, MOST, label="variables")
    K = IntSlider(3, 2, 12, label="K")
    evidence = Choice(AGREE, list(EVIDENCE), label="evidence")
    theta_a = FloatSlider(0.5, 0.05, 0.95, step=0.05, label="theta, A")
    theta_b = FloatSlider(0.25, 0.05, 0.95, step=0.05, label="theta, B")

    presets: ClassVar = {
        "One variable": Preset("The exaggeration of a single variable looks harmless.", dict(F=1)),
        "Ten agree": Preset("Ten exaggerations in one direction: the odds are out by a large factor.", {}),
        "Conflict": Preset("Five for and five against: the exaggerations cancel.", dict(evidence=HALF)),
        "One left over": Preset(
            "Nine, for and against in turn: one is left over, and that one is exaggerated.", dict(F=9, evidence=HALF)
        ),
        "Rare values": Preset(
            "The same 2 to 1, from rare values: 0.90 and 0.95 are left for the zeros, nearly alike, and say little.",
            dict(K=12, theta_a=0.1, theta_b=0.05),
        ),
    }

    def compute(self, F, K, evidence, theta_a, theta_b) -> Several:
        every = EVIDENCE[evidence]
        against = [bool(every) and f % every == every - 1 for f in range(MOST)]
        categorical, bernoullis = log_odds_of_votes(against, K, theta_a, theta_b)
        theta, seen = (theta_a, theta_b), slice(F + 1)
        f = tuple(map(float, f_bounds(theta, K)[1]))  # the others share evenly: the upper bound
        paths = bernoullis, categorical, categorical[seen], bernoullis[seen]
        return Several(F, K, evidence, theta, f, sum(against[:F]), *paths)

    def draw(self, result):
        panels = [posterior_panel(result), theta_panel(result), odds_panel(result)]
        return theme.figure([panels], widths=[1, 0.5, 1])

    def describe(self, result) -> str:
        r = result
        true, pob = r.categorical[-1], r.bernoullis[-1]
        (p, q), factor = r.posterior, np.exp(abs(pob) - abs(true))
        how = f"{r.against} against" if r.against else "all agree"
        if abs(pob - true) < 1e-9:
            finding = "the same log odds: nothing is exaggerated"
        else:
            pob, true = (typeset(f"{odds:.2f}") for odds in (pob, true))
            finding = f"log odds {pob} where {true} is right; PoB's odds are {written(factor)} times too extreme"
        return (
            f"variables: {r.F} ({how}), K = {r.K}, theta {r.theta[0]:.2f} (A) and {r.theta[1]:.2f} (B). "
            f"P(A): categorical {p:.3f}, PoB {q:.3f}; {finding}."
        )

    def explain(self, result):
        """Log odds add up over variables, and so does what every Q adds."""
        r = result
        a, b = (Term(f"{t:.2f}", f"θ in {c}", f"θ {c}", CATEGORICAL) for t, c in zip(r.theta, "AB", strict=True))
        extra = np.log(r.f[0] / r.theta[0]) - np.log(r.f[1] / r.theta[1])
        exaggeration = Term(f"{abs(extra):.4f}", "log Q<sub>A</sub>/Q<sub>B</sub>")
        total = Term(typeset(f"{r.bernoullis[-1]:.2f}"), "log odds, PoB", "PoB", BITS)
        for_a = Term(f"{r.F - 2 * r.against}", "for − against")
        return [total, "=", for_a, "· ( log", Over([a], [b]), "−" if extra < 0 else "+", exaggeration, ")"]


def odds_to_p(log_odds):
    """The probability with these log odds."""
    return 0.5 * (1 + np.tanh(np.asarray(log_odds) / 2))


def paths(r: Several, transform, words: str) -> list[dict]:
    """Both models against the number of variables."""
    base = dict(type="scatter", mode="lines+markers", x=np.arange(r.F + 1))
    base |= dict(hovertemplate=f"%{{fullData.name}}, {words} after %{{x}} of the variables: %{{y:.3f}}<extra></extra>")
    return [
        base
        | dict(y=transform(path), name=name, line=dict(color=color, width=width, dash=dash))
        | dict(marker=dict(size=8, symbol=symbol), meta=dict(mark=name))
        for path, name, color, width, dash, symbol in (
            (r.categorical, "categorical", CATEGORICAL, 5, "solid", "circle"),
            (r.bernoullis, "PoB", BITS, 3, "dash", "square"),
        )
    ]


def posterior_panel(r: Several) -> Panel:
    """P(A) after each variable."""
    x = dict(range=[-0.5, MOST + 0.5], nticks=6, title="variables seen")
    ends = np.column_stack([np.arange(1, MOST + 1), odds_to_p(r.every_bernoullis[1:])])
    return Panel(
        "P(A | variables)",
        paths(r, odds_to_p, "P(A)"),
        x,
        dict(range=[-0.04, 1.04], tickvals=[0, 0.5, 1]),
        handles=[Handle("F", *ends[r.F - 1], axis="xy", places=ends)],
    )


def theta_panel(r: Several) -> Panel:
    """What a single variable brings in each class: theta, and f as the bits have it."""
    bar = dict(type="bar", width=0.36, showlegend=False, customdata=["A", "B"])
    traces = [
        bar | dict(x=np.arange(2) + side, y=y, ids=[f"{name} A", f"{name} B"], marker=marker)
        | dict(hovertemplate=f"{name} in class %{{customdata}}, {model}: %{{y:.3f}}<extra></extra>")
        for side, y, name, model, marker in zip(
            (-0.2, 0.2), (r.theta, r.f), "θf", ("categorical", "PoB"), BARS, strict=True
        )
    ]  # fmt: skip
    grips = [
        Handle(control, c - 0.2, theta, axis="y", shape="bar")
        for c, (control, theta) in enumerate(zip(("theta_a", "theta_b"), r.theta, strict=True))
    ]
    x = dict(range=[-0.55, 1.55], tickvals=[0, 1], ticktext=["A", "B"], showgrid=False)
    return Panel("θ and f", traces, x, dict(range=[0, 1.04], tickvals=[0, 0.5, 1]), handles=grips)


def odds_panel(r: Several) -> Panel:
    """Log odds of A: the exaggeration is the distance between the lines."""
    every = np.concatenate([r.every_categorical, r.every_bernoullis])  # so that the axis stays while F moves
    low, high = every.min(), every.max()  # 0, where both paths start, among them
    room = 0.08 * max(high - low, 1.0)
    x = dict(range=[-0.5, MOST + 0.5], nticks=6, title="variables seen")
    hidden = [trace | dict(showlegend=False) for trace in paths(r, np.asarray, "log odds")]
    zero = dict(type="line", x0=0, x1=1, xref="domain", y0=0, y1=0, line=dict(color=palette.GREY, width=1))
    return Panel("Log odds of A", hidden, x, dict(range=[low - room, high + room], nticks=5), [zero])

"""Chapter 12: every value of every feature at once, and what it is worth: a nomogram of naive Bayes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np
import pandas as pd
from scipy.special import expit, logit

from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, FloatSlider, IntSlider, Toggle
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import signed, typeset
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .experiment import COLUMNS, all_but, penguins

__all__ = ["NomogramExplorer"]

PAIR = 0, 1  # of SPECIES: points are log odds of the second
CONTROLS = dict(zip(COLUMNS, ("bill", "flipper", "island", "mass", "depth", "sex"), strict=True))
TICKS = {"bill_length_mm": (35, 40, 50, 55), "flipper_length_mm": (180, 210),
         "body_mass_g": (2700, 4800), "bill_depth_mm": (15.5, 21.5)}  # fmt: skip
TURNS = {"body_mass_g": 3800, "bill_depth_mm": 19.0}  # where a scale turns back, to a step of its slider
TALL = 0.28  # of a row: from its middle to the lowest and to the highest value
WIDE, FINE = (-12.0, 27.0), (-5.6, 6.6)  # the axis of points, and what it shrinks to without the longest scale
CHANCES = (0.001, 0.1, 0.5, 0.9, 0.999), (0.01, 0.1, 0.5, 0.9, 0.99)
RAIL = dict(color=palette.GREY, width=2)
ROWS = dict(zip([*COLUMNS, "prior", "total"], (0, 0.92, 1.93, 3.31, 4.42, 5.4, 6.18, 7), strict=True))  # heights
PRIOR, TOTAL = ROWS["prior"], ROWS["total"]


@dataclass(frozen=True)
class Scale:
    """One row: its values, what each is worth, and how far above the middle of the row it stands."""

    values: list
    points: np.ndarray
    lift: np.ndarray


@dataclass(frozen=True)
class Nomogram:
    """The result: a value of every feature, its points (log odds of Chinstrap against Adelie), and the prior's.

    A bill that nobody measured is None and has no points: its factor is left out.
    """

    values: dict[str, object]
    points: dict[str, float]
    prior: float

    @property
    def total(self) -> float:
        return self.prior + sum(self.points.values())

    @property
    def posterior(self) -> float:
        return float(expit(self.total))

    @property
    def measured(self) -> bool:
        return self.values["bill_length_mm"] is not None

    @property
    def ends(self) -> tuple[float, float]:
        """Of the axis of points."""
        return WIDE if self.measured else FINE


class NomogramExplorer(Explorer):
    """Points add up: Mozina, Demsar, Kattan and Zupan (2004), Nomograms for visualization of naive Bayesian classifier.

    A scale a feature, points to the right speak for Chinstrap; the last row turns the sum into a probability.
    """

    measured = Toggle(True, label="bill measured")
    bill = FloatSlider(44.0, 32, 58, step=0.5, label="bill length", when=dict(measured=True))
    flipper = IntSlider(195, 172, 212, label="flipper")
    mass = IntSlider(3750, 2700, 4800, step=50, label="body mass")
    depth = FloatSlider(18.5, 15.5, 21.5, step=0.25, label="bill depth")
    island = Choice("Dream", ["Torgersen", "Biscoe", "Dream"], label="island")
    sex = Choice("female", ["female", "male"], label="sex")

    presets: ClassVar = {
        "Row 19": Preset(
            "Its bill says Chinstrap by three points, its island takes them all back; the prior only makes it surer.",
            dict(bill=46.0, island="Torgersen", flipper=194, mass=4200, depth=21.5, sex="male"),
        ),
        "Row 306": Preset(
            "A Chinstrap with a short bill. The island alone speaks for Chinstrap.",
            dict(bill=41.0, island="Dream", flipper=187, mass=3200, depth=16.5, sex="female"),
        ),
        "Longest bill": Preset(
            "One scale is longer than all the others together: from here they cannot bring it back.", dict(bill=58.0)
        ),
        "Male": Preset(
            "All else as at the start, and male in place of female. The total has not moved.", dict(sex="male")
        ),
        "Without the bill": Preset(
            "The longest scale is left out, and the axis is finer: body mass and bill depth turn back.",
            dict(measured=False),
        ),
    }

    def compute(self, measured, **state) -> Nomogram:
        values = {name: state[control] for name, control in CONTROLS.items()}
        points = {name: float(scale.points[scale.values.index(values[name])]) for name, scale in scales().items()}
        if not measured:
            values["bill_length_mm"], points["bill_length_mm"] = None, 0.0
        prior = all_but(None).class_log_prior_
        return Nomogram(values, points, float(prior[PAIR[1]] - prior[PAIR[0]]))

    def draw(self, result):
        # Room for the words; the axis has no title.
        return theme.figure([[points_panel(result)]], legend=False, share=1.08, left=6.8, bottom=1.9)

    def describe(self, result) -> str:
        r = result
        known = [name for name in r.points if r.values[name] is not None]
        said = [f"{short(name, r.values[name])} {signed(r.points[name])}" for name in known]
        said = said if r.measured else ["no bill", *said]
        total = f"P(Chinstrap) = {chance(r.posterior)}, from {signed(r.total)} points"
        return f"{total}: {', '.join(said)}, prior {signed(r.prior)}."

    def explain(self, result) -> list[Part]:
        r = result
        parts = [*((COLUMNS[name][0], p) for name, p in r.points.items()), ("prior", r.prior)]
        terms = [Term(signed(p), name, f"point {name}", side(p)) for name, p in parts]
        if not r.measured:
            terms[0] = Term("0", "no bill length")
        total = Term(signed(r.total), "log odds of Chinstrap", "total", palette.BLACK)
        posterior = Term(chance(r.posterior), "P(Chinstrap)", "total", palette.BLACK)
        return [*terms, "=", total, ", a probability of", posterior]


def chance(p: float) -> str:
    """A probability by three decimals, or by two digits if it is near 0."""
    return f"{p:.3f}" if p >= 0.001 else typeset(f"{p:.2g}")


def plain(value) -> str:
    """A value as it is written at its scale."""
    return value if isinstance(value, str) else f"{value:g}"


def short(name: str, value) -> str:
    """A value and of what; the bill's as its slider reads."""
    said = f"{value:.2f}" if name == "bill_length_mm" else plain(value)
    return f"{CONTROLS[name]} {said}" if COLUMNS[name][1] else said


def side(points: float) -> str:
    """The colour of the species that a number of points speaks for."""
    return palette.BLACK if abs(points) < 1e-9 else palette.CLASS_COLORS[PAIR[int(points > 0)]]


@cache
def scales() -> dict[str, Scale]:
    """What each value of each control is worth, from one row of the table for each: the other columns are gaps."""
    X, _ = penguins()
    found = {}
    for name, control in CONTROLS.items():
        values = list(NomogramExplorer.declared[control].values)
        rows = pd.DataFrame({column: values if column == name else [None] * len(values) for column in COLUMNS})
        rows = rows.astype({column: X[column].dtype for column in COLUMNS})
        terms = all_but(None).feature_contributions(rows)[:, :, list(COLUMNS).index(name)]
        points = terms[:, PAIR[1]] - terms[:, PAIR[0]]
        tall = TALL if name != "island" else 2.0 * TALL
        found[name] = Scale(values, points, tall * np.linspace(-1, 1, len(values)))
    return found


def points_panel(r: Nomogram) -> Panel:
    """A scale in every row, higher values higher up; dots stand at the present values and can be dragged."""
    low, high = r.ends
    traces, handles = [], []
    notes = [number(ROWS[name], p) for name, p in r.points.items() if r.values[name] is not None]
    notes += [number(PRIOR, r.prior), number(TOTAL, r.total)]
    for name, scale in scales().items():
        if r.values[name] is None:
            notes.append(dict(x=0, y=ROWS[name], xanchor="right", xshift=-9, text="not measured"))
            continue
        row = ROWS[name]
        traces.append(curve(row, name, scale))
        notes += ticks(row, name, scale, r.values[name], wide=high - low)
        at = scale.values.index(r.values[name])
        places = np.column_stack([scale.points, row - scale.lift])
        here = dict(x=float(places[at, 0]), y=float(places[at, 1]))
        handles.append(Handle(CONTROLS[name], **here, axis="xy", places=places, shape="mark"))
    traces += [dots(r, handles), total_dot(r)]
    names = [*(words for words, _ in COLUMNS.values()), "prior", "P(Chinstrap)"]
    zero = dict(type="line", x0=0, x1=0, y0=0, y1=1, yref="domain", line=dict(color=palette.GREY, width=1))
    shapes = [zero, dict(type="line", x0=low, x1=high, y0=TOTAL, y1=TOTAL, line=RAIL)]
    for p in CHANCES[not r.measured]:
        x = float(logit(p))
        shapes.append(dict(type="line", x0=x, x1=x, y0=TOTAL - 0.12, y1=TOTAL + 0.12, line=RAIL))
        notes.append(dict(x=x, y=TOTAL + 0.12, yanchor="top", text=f"{p:g}".removeprefix("0")))
    behind = [shape | dict(layer="below") for shape in shapes]  # no line runs through a dot
    x = dict(range=[low, high], tickvals=list(range(-10, 30, 5) if r.measured else range(-5, 7)))
    y = dict(tickvals=list(ROWS.values()), ticktext=names, range=[TOTAL + 0.65, -0.8])
    return Panel("Points: log odds of Chinstrap against Adelie", traces, x, y, behind, notes, handles, narrow=2.0)


def number(row: float, points: float) -> dict:
    """Points in figures, at the right."""
    return dict(x=1, xref="domain", xanchor="right", y=row, yanchor="bottom", text=signed(points))


def curve(row: float, name: str, scale: Scale) -> dict:
    """The scale of a row: a curve through all its values, or a mark for each kind."""
    kinds = isinstance(scale.values[0], str)
    words, unit = COLUMNS[name]
    said = [f"{words} {plain(value)} {unit}: {signed(p)}".replace(" :", ":")
            for value, p in zip(scale.values, scale.points, strict=True)]  # fmt: skip
    look = dict(mode="markers", marker=dict(size=6, color=palette.GREY, symbol="circle")) if kinds else dict(
        mode="lines", line=dict(color=palette.GREY, width=3))  # fmt: skip
    return look | dict(type="scatter", x=scale.points, y=row - scale.lift, showlegend=False, customdata=said,
                       hovertemplate="%{customdata}<extra></extra>")  # fmt: skip


def ticks(row: float, name: str, scale: Scale, now, wide: float) -> list[dict]:
    """The words at a scale: at every kind, or at some values; on the finer axis also where it turns back.

    now: the present value, round which a grip stands. wide: the axis, in points.
    """
    left, right = dict(xanchor="right", xshift=-9), dict(xanchor="left", xshift=9)
    if isinstance(scale.values[0], str):
        places = {k: left if scale.points[k] < -1 else right for k in range(len(scale.values))}
    elif np.ptp(scale.points) > wide / 5:
        above = dict(yanchor="bottom", xanchor="right", xshift=-2)
        places = {k: above for k in map(scale.values.index, TICKS[name])}
    else:
        places = {k: right if scale.points[k] > 1 else left for k in map(scale.values.index, TICKS[name])}
    if wide < 20 and name in TURNS:
        places[scale.values.index(TURNS[name])] = right | dict(xshift=16)  # the dot may stand near it
    here = scale.values.index(now)
    beside = {k: place | dict(xshift=np.sign(place["xshift"]) * 15) for k, place in places.items() if k == here}
    return [
        dict(x=float(scale.points[k]), y=float(row - scale.lift[k]), text=plain(scale.values[k])) | place
        for k, place in (places | beside).items()
    ]


def dots(r: Nomogram, handles: list[Handle]) -> dict:
    """The present values, and the prior."""
    told = {COLUMNS[name][0]: p for name, p in r.points.items() if r.values[name] is not None} | {"prior": r.prior}
    points = list(told.values())
    sides = [int(p > 0) for p in points]
    marker = dict(size=13, color=[side(p) for p in points], line=dict(width=1.5, color=palette.BLACK),
                  symbol=["circle" if abs(p) < 1e-9 else palette.CLASS_MARKERS[PAIR[s]]
                          for p, s in zip(points, sides, strict=True)])  # fmt: skip
    said = [f"{name}: {signed(p)}" for name, p in told.items()]
    return dict(type="scatter", mode="markers", x=[*(handle.x for handle in handles), r.prior],
                y=[*(handle.y for handle in handles), PRIOR], ids=[f"point {name}" for name in told], marker=marker,
                showlegend=False, customdata=said, hovertemplate="%{customdata}<extra></extra>")  # fmt: skip


def total_dot(r: Nomogram) -> dict:
    """The sum on the scale of probabilities; beyond the edge it stands at the edge, as an arrow."""
    low, high = r.ends
    inside = low <= r.total <= high
    symbol = "diamond" if inside else f"triangle-{'right' if r.total > 0 else 'left'}"
    return dict(type="scatter", mode="markers", x=[float(np.clip(r.total, low, high))], y=[TOTAL], showlegend=False,
                marker=dict(size=14, symbol=symbol, color=palette.BLACK), meta=dict(mark="total"),
                customdata=[f"total {signed(r.total)}: P(Chinstrap) = {chance(r.posterior)}"],
                hovertemplate="%{customdata}<extra></extra>")  # fmt: skip

"""Chapter 01: two bells for each measurement, and a person's line through both. The ratio of the heights is the bar."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np
from scipy.special import expit

from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, FloatSlider, IntSlider
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import signed, typeset, written
from workbook.explorer.formula import Over, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .evidence import UNITS, people, rounded

__all__ = ["BellsExplorer"]

PLAIN, LOG = "as they are", "their logarithms"
TOPS = {PLAIN: (2.4, 0.042, 0.48), LOG: (4.0, 0.0, 2.0)}  # where the upper panels end
BOTTOMS = (-27.0, -36.0, -22.0)  # of the logarithms
LOWEST, HIGHEST = -14.0, 10.0  # of the log ratios: one scale for all three, so that bars can be compared


@dataclass(frozen=True)
class Bells:
    """The result, women first: densities of the person's measurements, and along each measurement's slider."""

    classes: tuple[str, str]
    scale: str
    person: tuple[float, float, float]
    p: np.ndarray  # (2, 3)

    @property
    def ratios(self) -> np.ndarray:
        """(3,) log p(measurement | male) / p(measurement | female)."""
        return np.log(self.p[1] / self.p[0])

    @property
    def total(self) -> float:
        """Log odds of male, priors equal."""
        return float(self.ratios.sum())


@cache
def along() -> tuple[np.ndarray, np.ndarray]:
    """The three sliders (221, 3), and the logarithms of the bells along them (221, 2, 3)."""
    sliders = [BellsExplorer.declared[name] for name in UNITS]
    grid = np.column_stack([np.linspace(slider.low, slider.high, 221) for slider in sliders])
    return grid, people()[1].feature_contributions(grid)


class BellsExplorer(Explorer):
    """p(x_f | c) of Gaussian naive Bayes for the eight persons (Wikipedia, "Gender classification"), drawn."""

    height = FloatSlider(6.0, 4.5, 7.0, step=0.05, label="height, ft")
    weight = IntSlider(130, 80, 300, label="weight, lb")
    foot = FloatSlider(8.0, 5.0, 14.0, step=0.25, label="foot, in")
    scale = Choice(PLAIN, [PLAIN, LOG], label="Heights")

    presets: ClassVar = {
        "The source's person": Preset(
            "Look at the weight: the line meets the women's bell near its top, the men's where it is all but flat.", {}
        ),
        "Equally high": Preset(
            "At 158 pounds the bells cross. The ratio is 1, its logarithm 0: this weight tells us nothing.",
            dict(weight=158),
        ),
        "They cross twice": Preset(
            "At 219 pounds both bells look flat. Their logarithms do not: here the curves cross a second time.",
            dict(weight=219, scale=LOG),
        ),
        "300 pounds": Preset(
            "Far from everybody both are tiny. The wider bell is less tiny, and the ratio is all that counts.",
            dict(weight=300, scale=LOG),
        ),
    }

    def compute(self, height, weight, foot, scale) -> Bells:
        table, model = people()
        p = np.exp(model.feature_contributions([[height, weight, foot]])[0])
        return Bells(tuple(map(str, table.target_names)), scale, (height, weight, foot), p)

    def draw(self, result):
        rows = [[bells_panel(result, f) for f in range(3)], [ratio_panel(result, f) for f in range(3)]]
        return theme.figure(rows, share=1.07)

    def describe(self, result) -> str:
        r = result
        height, weight, foot = r.person
        *times, last = (typeset(f"{ratio:.3g}") for ratio in np.exp(r.ratios))
        drawn = " (drawn: logarithms)" if r.scale == LOG else ""
        return (
            f"At {height:.2f} ft, {weight} lb and {foot:.2f} in the {r.classes[1]} bell is {', '.join(times)} and "
            f"{last} times as high as the {r.classes[0]} one{drawn}. With equal priors P({r.classes[1]}) = "
            f"{typeset(f'{expit(r.total):.3g}')}."
        )

    def explain(self, result):
        r, fractions = result, []
        for f, name in enumerate(UNITS):
            female, male = (
                Term(
                    typeset(f"{r.p[c, f]:.3g}"),
                    f"p({name} | {r.classes[c]})",
                    mark(r.classes[c], name),
                    palette.CLASS_COLORS[c],
                )
                for c in (0, 1)
            )
            fractions += ["×", Over([male], [female])]
        odds = Term(typeset(f"{np.exp(r.total):.3g}"), f"odds of {r.classes[1]}, priors equal")
        return [*fractions[1:], "=", odds, ", P =", Term(rounded(expit(r.total)), f"P({r.classes[1]})")]


def mark(who: str, name: str) -> str:
    """The name of the point of a bell."""
    return f"{who}, {name}"


def title(f: int) -> str:
    name, unit = list(UNITS.items())[f]
    return f"{name}, {unit}"


def x_axis(f: int, **options) -> dict:
    slider = list(BellsExplorer.declared.values())[f]
    air = 0.02 * (slider.high - slider.low)
    return dict(range=[slider.low - air, slider.high + air], nticks=5) | options


def person_line(x: float) -> dict:
    return dict(type="line", x0=x, x1=x, y0=0, y1=1, yref="domain", line=dict(color=palette.NOW, width=2))


def bells_panel(r: Bells, f: int) -> Panel:
    """Both bells of one measurement, the eight persons under them, and the person's line with its two heights."""
    grid, logs = along()
    log, name, x = r.scale == LOG, list(UNITS)[f], r.person[f]
    top, low = TOPS[r.scale][f], BOTTOMS[f] if log else 0.0
    said = f"log p({name} | c)" if log else f"p({name} | c)"
    table, _ = people()
    traces, notes = [], []
    for c, who in enumerate(r.classes):
        color = palette.CLASS_COLORS[c]
        curve = dict(type="scatter", mode="lines", x=grid[:, f], y=logs[:, c, f] if log else np.exp(logs[:, c, f]))
        look = dict(line=dict(color=color, dash=palette.CLASS_DASHES[c], width=2.5), showlegend=f == 0, name=who)
        height = float(np.log(r.p[c, f]) if log else r.p[c, f])
        point = dict(type="scatter", mode="markers", x=[x], y=[max(height, low)], showlegend=False)
        point |= dict(name=who, meta=dict(mark=mark(r.classes[c], name)), customdata=[written(height)])
        if height < low:
            ends = x_axis(f)["range"]
            side = "left" if x < np.mean(ends) else "right"  # inside the panel
            below = dict(x=x, y=low + 0.08 * (top - low), xanchor=side, xshift=8 if side == "left" else -8)
            notes.append(below | dict(text=typeset(f"{height:.1f}") + " ↓", bgcolor="white"))
        dot = dict(size=10, color=color, symbol=palette.CLASS_MARKERS[c], line=dict(color=palette.BLACK, width=1))
        own = table.data[table.target == c, f]
        floor = low - (0.07 + 0.09 * c) * (top - low)
        eight = dict(type="scatter", mode="markers", name=who, x=own, y=np.full(len(own), floor), showlegend=False)
        eight |= dict(hovertemplate=f"one of the eight persons, {who}: %{{x:g}}<extra></extra>")
        traces += [
            curve | look | dict(hovertemplate=f"bell, {who}: {said} = %{{y:.3g}} at %{{x:.4g}}<extra></extra>"),
            eight | dict(marker=dict(size=7, color=color, symbol=palette.CLASS_MARKERS[c], opacity=0.6)),
            point | dict(marker=dot, hovertemplate=f"the person, if {who}: {said} = %{{customdata}}<extra></extra>"),
        ]
    y = dict(range=[low - 0.22 * (top - low), top], nticks=4)
    return Panel(said, traces, x_axis(f), y, [person_line(x)], notes, [Handle(name, x=x, y=top, shape="line")])


def ratio_panel(r: Bells, f: int) -> Panel:
    """The log ratio of the two bells along the slider, and at the person's line as a bar from 0."""
    grid, logs = along()
    name, x, height = list(UNITS)[f], r.person[f], float(r.ratios[f])
    curve = dict(type="scatter", mode="lines", x=grid[:, f], y=logs[:, 1, f] - logs[:, 0, f], showlegend=False)
    curve |= dict(line=dict(color=palette.GREY, width=2))
    curve |= dict(hovertemplate="log ratio %{y:.2f} at %{x:.4g}: above 0 it speaks for male<extra></extra>")
    wide = 0.05 * (grid[-1, f] - grid[0, f])
    bar = dict(type="bar", x=[x], y=[float(np.clip(height, LOWEST, HIGHEST))], width=[wide], showlegend=False)
    bar |= dict(marker=theme.class_marker([int(height > 0)]), ids=[f"bar {f}"])
    bar |= dict(customdata=[signed(height)], hovertemplate=f"{name}: log ratio %{{customdata}}<extra></extra>")
    off = " ↓" if height < LOWEST else ""
    note = dict(x=0.02, xref="domain", xanchor="left", y=HIGHEST - 3, text=f"<b>{signed(height)}{off}</b>")
    zero = dict(type="line", x0=0, x1=1, xref="domain", y0=0, y1=0, line=dict(color=palette.BLACK, width=1))
    y = dict(range=[LOWEST, HIGHEST], tickvals=[-10, 0, 10])
    shapes = [zero, person_line(x)]
    return Panel("log of the ratio", [curve, bar], x_axis(f, title=title(f)), y, shapes, [note])

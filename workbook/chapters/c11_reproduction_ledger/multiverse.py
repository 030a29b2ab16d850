"""Chapter 11: one printed number, and what comes out by every reading of the text that we would defend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod, sqrt
from typing import ClassVar

import numpy as np
from scipy.stats import t

from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, IntSlider
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .experiment import CHOICES, OURS, PRINTED, SPLITS, readings

__all__ = ["MultiverseExplorer"]

MANY = prod(map(len, CHOICES.values()))
WIDTH = float(t.ppf(0.975, SPLITS - 1)) * sqrt(1 + 1 / SPLITS)  # of one further split, in standard deviations
RANGES = {"accuracy": (0.755, 0.87), "RMSE": (0.07, 0.27), "share above 0.9": (0.75, 0.95)}
LOOKS = dict(zip(range(3), zip(palette.CLASS_COLORS, palette.CLASS_MARKERS, strict=True), strict=False))
PRINT = "printed"


@lru_cache(maxsize=len(PRINTED))
def ranked(number: str) -> tuple[list[tuple], np.ndarray, np.ndarray]:
    """The readings, the smallest number first, their means (MANY,) and half widths (MANY,)."""
    at = list(PRINTED).index(number)
    rows = sorted(readings(), key=lambda row: row["mean"][at])
    means, halves = (np.array([row[part][at] for row in rows]) for part in ("mean", "sd"))
    return [tuple(row["reading"]) for row in rows], means, WIDTH * halves


@dataclass(frozen=True, eq=False)
class Multiverse:
    """The result: the state, and all readings in the order of the number."""

    number: str
    by: str
    rank: int  # from 1
    chosen: list[tuple]
    means: np.ndarray
    halves: np.ndarray

    @property
    def printed(self) -> float:
        return PRINTED[self.number]

    @property
    def holds(self) -> np.ndarray:
        """Whether the printed number can be one further split, by each reading (MANY,)."""
        return np.abs(self.means - self.printed) <= self.halves + 5e-4

    @property
    def option(self) -> np.ndarray:
        """Which option of the choice that is looked at each reading takes (MANY,)."""
        return np.array([CHOICES[self.by].index(reading[list(CHOICES).index(self.by)]) for reading in self.chosen])

    @property
    def looked_at(self) -> int:
        return self.rank - 1


def say_option(by: str, option) -> str:
    return f"smoothing {option:g}" if by == "alpha" else str(option)


def row_name(by: str, option) -> str:
    """The same beside its row, where the legend says the rest: so short that it stands clear of the other panel."""
    short = f"{option:g}" if by == "alpha" else str(option).partition(",")[0]
    return {"START and END": "both", "no mark": "none"}.get(short, short)


def say_reading(reading: tuple) -> str:
    marks, case, repeats, alpha, unseen = reading
    return f"{marks}, case {case}, repeats {repeats}, alpha = {alpha:g}, new n-grams {unseen}"


class MultiverseExplorer(Explorer):
    """Carlos (2015), section 5.2, 24 features: one printed number, 72 readings of what the text leaves open."""

    number = Choice("accuracy", list(PRINTED), label="Number")
    by = Choice("marks", list(CHOICES), label="Coloured by")
    rank = IntSlider(MANY, 1, MANY, label="reading")

    presets: ClassVar = {
        "Accuracy": Preset("The text names no n-grams. Which ones you take decides whether .845 comes out.", {}),
        "Smoothing": Preset("Smoothing, too, is left open. It hardly moves the accuracy.", dict(by="alpha")),
        "Above 0.9": Preset(
            "Here smoothing decides: with alpha = 0.1 the printed share comes near, with 1 never.",
            dict(number="share above 0.9", by="alpha"),
        ),
        "RMSE": Preset("A number that any reading gives confirms none of them.", dict(number="RMSE", by="alpha")),
        "Ours": Preset(
            "The reading that this book took. We chose it because counts and accuracies come out.",
            lambda: dict(rank=ranked("accuracy")[0].index(OURS) + 1),
        ),
    }

    def compute(self, number, by, rank) -> Multiverse:
        return Multiverse(number, by, rank, *ranked(number))

    def draw(self, result):
        return theme.figure([[curve_panel(result), option_panel(result)]], widths=[1.2, 1], share=0.96)

    def explain(self, result) -> Sequence[Part]:
        r, i = result, result.looked_at
        return [
            Over(
                [Term(f"{r.printed:.3f}", PRINT, PRINT, palette.BLACK), "−", Term(f"{r.means[i]:.3f}", "this reading")],
                [Term(f"{r.halves[i]:.3f}", "half width of one further split")],
            ),
            "=",
            Term(f"{(r.printed - r.means[i]) / r.halves[i]:.2f}".replace("-", "−"), "half widths"),
        ]

    def describe(self, result) -> str:
        r, i = result, result.looked_at
        low, high = r.means[i] - r.halves[i], r.means[i] + r.halves[i]
        means = (r.means[r.option == number].mean() for number in range(len(CHOICES[r.by])))
        name, reading = r.number[0].upper() + r.number[1:], ", ".join(map(str, r.chosen[i]))
        return (
            f"{name}: {r.means.min():.3f} to {r.means.max():.3f}; {r.holds.sum()} of {MANY} readings can give the "
            f"printed {r.printed:.3f}. Means by {r.by}: {', '.join(f'{m:.3f}' for m in means)}. Reading {r.rank} "
            f"({reading}): {r.means[i]:.3f} ({low:.3f} to {high:.3f})."
        )


def printed_line(r: Multiverse, ends: tuple[float, float]) -> dict:
    """The printed number, upright."""
    words = f"printed: {r.printed:.3f}<extra></extra>"
    return dict(type="scatter", mode="lines", x=[r.printed, r.printed], y=ends, name=PRINT, hovertemplate=words,
                line=dict(color=palette.BLACK, width=2.5, dash="dash"), meta=dict(mark=PRINT))  # fmt: skip


def curve_panel(r: Multiverse) -> Panel:
    """Every reading at its rank, with the interval of one further split."""
    y = np.arange(1, MANY + 1)
    ends = np.column_stack([r.means - r.halves, r.means + r.halves, np.full(MANY, np.nan)]).ravel()
    traces = [dict(type="scatter", mode="lines", x=ends, y=np.repeat(y, 3), showlegend=False, hoverinfo="skip",
                   line=dict(color=palette.PALE, width=2))]  # fmt: skip
    traces.append(printed_line(r, (0, MANY + 1)))
    for number, option in enumerate(CHOICES[r.by]):
        of = r.option == number
        color, symbol = LOOKS[number]
        words = [f"{say_reading(reading)}: {mean:.3f}" for reading, mean in zip(r.chosen, r.means, strict=True)]
        traces.append(dict(type="scatter", mode="markers", x=r.means[of], y=y[of], name=say_option(r.by, option),
                           marker=dict(color=color, symbol=symbol, size=6), hovertemplate="%{text}<extra></extra>",
                           text=[words[i] for i in np.flatnonzero(of)]))  # fmt: skip
    here = dict(type="line", name="rank", x0=RANGES[r.number][0], x1=RANGES[r.number][1], y0=r.rank, y1=r.rank,
                line=dict(color=palette.BLACK, width=1, dash="dot"))  # fmt: skip
    grip = Handle("rank", float(r.means[r.looked_at]), r.rank, axis="y", shape="line")
    x = dict(range=list(RANGES[r.number]), title=r.number, nticks=5)
    return Panel("All readings, with one further split", traces, x, dict(range=[0, MANY + 1], tickvals=[1, MANY]),
                 [here], handles=[grip])  # fmt: skip


def option_panel(r: Multiverse) -> Panel:
    """The same readings, a row for each option of the choice; the tick is the row's mean."""
    traces = [printed_line(r, (-0.6, len(CHOICES[r.by]) - 0.4))]
    for number, option in enumerate(CHOICES[r.by]):
        of = np.flatnonzero(r.option == number)
        color, symbol = LOOKS[number]
        side = 0.25 * np.resize([-1, 0, 1], len(of))
        traces.append(dict(type="scatter", mode="markers", x=r.means[of], y=number + side, showlegend=False,
                           marker=dict(color=color, symbol=symbol, size=6), hovertemplate="%{text}<extra></extra>",
                           text=[f"{say_reading(r.chosen[i])}: {r.means[i]:.3f}" for i in of]))  # fmt: skip
        mean = float(r.means[of].mean())
        words = f"mean of {len(of)} readings, {say_option(r.by, option)}: {mean:.3f}<extra></extra>"
        traces.append(dict(type="scatter", mode="markers", x=[mean], y=[number], showlegend=False, hovertemplate=words,
                           marker=dict(color=palette.GREY, symbol="line-ns-open", size=26)))  # fmt: skip
    labels = [row_name(r.by, option) for option in CHOICES[r.by]]
    y = dict(range=[-0.6, len(labels) - 0.4], tickvals=list(range(len(labels))), ticktext=labels, showgrid=False)
    traces[0]["showlegend"] = False
    return Panel(f"By {r.by}", traces, dict(range=list(RANGES[r.number]), title=r.number, nticks=5), y)

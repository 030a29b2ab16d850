"""Chapter 11: the verdict on one printed number, by whichever seeds we happened to take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import ClassVar

import numpy as np
from scipy.stats import t

from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, IntSlider, Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel
from workbook.ledger.numbers import table

__all__ = ["SeedsExplorer"]

ALL = 200  # seeds
PRINTED = {"6": 0.715, "12": 0.815, "21": 0.857, "24": 0.845}  # Carlos (2015), section 5.2
ROUNDING = 5e-4
RANGES = {"6": (0.67, 0.755), "12": (0.765, 0.85), "21": (0.795, 0.88), "24": (0.79, 0.875)}
INSIDE, OUTSIDE = "printed number inside", "printed number outside"
LOOKS = {INSIDE: (palette.CLASS_COLORS[0], "circle"), OUTSIDE: (palette.CLASS_COLORS[1], "square")}


@lru_cache(maxsize=1)
def splits() -> dict[str, np.ndarray]:
    """Number of features -> accuracy of naive Bayes on each of 200 splits, as it was stored."""
    return {features: np.array(values) for features, values in table("Splits").items()}


def spans(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and half the interval of one further split, of each row of values (..., n)."""
    n = values.shape[-1]
    return values.mean(-1), t.ppf(0.975, n - 1) * values.std(-1, ddof=1) * sqrt(1 + 1 / n)


@dataclass(frozen=True, eq=False)
class Seeds:
    """The result: the state, and mean and half width of every run of so many neighbouring seeds, (ALL - many + 1,)."""

    features: str
    many: int
    first: int
    values: np.ndarray
    means: np.ndarray
    halves: np.ndarray

    @property
    def printed(self) -> float:
        return PRINTED[self.features]

    @property
    def inside(self) -> np.ndarray:
        return np.abs(self.means - self.printed) <= self.halves + ROUNDING

    @property
    def apart(self) -> slice:
        """Groups that share no seed."""
        return slice(None, None, self.many)


@lru_cache(maxsize=64)
def groups(features: str, many: int) -> tuple[np.ndarray, np.ndarray]:
    return spans(np.lib.stride_tricks.sliding_window_view(splits()[features], many))


class SeedsExplorer(Explorer):
    """Carlos (2015), section 5.2: does the printed accuracy lie within our interval? It depends on our seeds."""

    features = Choice("21", list(PRINTED), label="Features")
    many = Steps(20, [5, 10, 20, 50, 100, 200], say="{:g}".format, label="splits")
    first = IntSlider(0, 0, ALL - 5, label="first seed")

    presets: ClassVar = {
        "Our first twenty": Preset("Twenty splits: the printed .857 lies outside. We wrote “differs”.", {}),
        "Other seeds": Preset("Other seeds, the same experiment, and now it lies inside.", dict(first=80)),
        "Five splits": Preset("Five splits: intervals of any width, and verdicts to match.", dict(many=5)),
        "All 200": Preset("All of them. Now the interval hardly moves, and the number stays just outside.",
                          dict(many=200)),
        "24 features": Preset("Most printed numbers do not care which seeds we take.", dict(features="24")),
    }  # fmt: skip

    def compute(self, features, many, first) -> Seeds:
        return Seeds(features, many, min(first, ALL - many), splits()[features], *groups(features, many))

    def draw(self, result):
        return theme.figure([[splits_panel(result), groups_panel(result)]], widths=[1, 1.2])

    def explain(self, result) -> Sequence[Part]:
        r, i = result, result.first
        return [
            Over(
                [Term(f"{r.printed:.3f}", "printed", "printed", palette.BLACK), "−", Term(f"{r.means[i]:.4f}", "mean")],
                [Term(f"{r.halves[i]:.4f}", "half width")],
            ),
            "=",
            Term(f"{(r.printed - r.means[i]) / r.halves[i]:.2f}".replace("-", "−"), "half widths"),
        ]

    def describe(self, result) -> str:
        r, i = result, result.first
        where = "inside" if r.inside[i] else "outside"
        low, high = r.means[i] - r.halves[i], r.means[i] + r.halves[i]
        count = len(r.inside[r.apart])
        return (
            f"{r.features} features, seeds {i} to {i + r.many - 1}: {r.means[i]:.4f} ({low:.4f} to {high:.4f}); the "
            f"printed {r.printed:.3f} lies {where}. Of {count} {'groups' if count > 1 else 'group'} of {r.many} seeds "
            f"it lies inside in {r.inside[r.apart].sum()}."
        )


def printed_line(r: Seeds, top: float) -> dict:
    return dict(type="scatter", mode="lines", x=[r.printed, r.printed], y=[-1, top], name="printed",
                hovertemplate=f"printed: {r.printed:.3f}<extra></extra>", meta=dict(mark="printed"),
                line=dict(color=palette.BLACK, width=2.5, dash="dash"))  # fmt: skip


def splits_panel(r: Seeds) -> Panel:
    """Every split at its seed; those that are taken are dark, and their interval is the band."""
    seed, taken = np.arange(ALL), np.zeros(ALL, dtype=bool)
    taken[r.first : r.first + r.many] = True
    traces = [printed_line(r, ALL)]
    for of, color, size in ((~taken, palette.PALE, 4), (taken, palette.GREY, 6)):
        traces.append(dict(type="scatter", mode="markers", x=r.values[of], y=seed[of], showlegend=False,
                           marker=dict(color=color, size=size, symbol="circle"),
                           hovertemplate="seed %{y}: %{x:.4f}<extra></extra>"))  # fmt: skip
    mean, half = r.means[r.first], r.halves[r.first]
    band = dict(type="rect", x0=mean - half, x1=mean + half, y0=0, y1=1, yref="domain", layer="below",
                fillcolor="#E3EEF6", line=dict(width=0))  # fmt: skip
    grip = Handle("first", float(mean), r.first, axis="y", places=np.minimum(np.arange(ALL - 4), ALL - r.many))
    x = dict(range=list(RANGES[r.features]), title="accuracy", nticks=5)
    return Panel("200 splits, seed by seed", traces, x, dict(range=[-3, ALL + 2], tickvals=[0, 50, 100, 150, 199]),
                 [band], handles=[grip])  # fmt: skip


def groups_panel(r: Seeds) -> Panel:
    """The interval of each group of seeds that share none, by whether it holds the printed number."""
    means, halves, inside = (part[r.apart] for part in (r.means, r.halves, r.inside))
    at = np.arange(len(means)) * r.many
    traces = [printed_line(r, ALL) | dict(showlegend=False)]
    for name, of in ((INSIDE, inside), (OUTSIDE, ~inside)):
        color, symbol = LOOKS[name]
        ends = np.column_stack([means - halves, means + halves, np.full(len(means), np.nan)])[of].ravel()
        bars = dict(type="scatter", mode="lines", x=ends, y=np.repeat(at[of], 3), showlegend=False,
                    line=dict(color=color, width=3), hoverinfo="skip")  # fmt: skip
        traces += [bars] if of.any() else []
        words = [f"seeds {s} to {s + r.many - 1}: {m:.4f} ± {h:.4f}, {name}"
                 for s, m, h in zip(at[of], means[of], halves[of], strict=True)]  # fmt: skip
        traces.append(dict(type="scatter", mode="markers", x=means[of], y=at[of], name=name, text=words,
                           marker=dict(color=color, symbol=symbol, size=8),
                           hovertemplate="%{text}<extra></extra>"))  # fmt: skip
    x = dict(range=list(RANGES[r.features]), title="accuracy", nticks=5)
    y = dict(range=[-3, ALL + 2], tickvals=[0, 50, 100, 150, 199])
    return Panel("Every group of so many seeds, by its first", traces, x, y)

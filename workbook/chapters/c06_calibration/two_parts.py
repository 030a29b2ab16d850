"""Chapter 06: the Brier score is two numbers, one for calibration and one for refinement. Murphy (1973)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from scipy.special import expit

from workbook.chapters.names import names_split
from workbook.explorer import palette, theme
from workbook.explorer.controls import IntSlider, LogSlider, Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .experiment import TwoParts, log_odds, two_parts

__all__ = ["TwoPartsExplorer"]

LENGTH = 5  # the longest n-grams
NUMBERS = [1, 2, 4, 8, 16, 32]  # each cuts the groups of the one before
NAIVE, MINE = "naive Bayes", "with temperature"
LOOKS = {NAIVE: (palette.NAIVE_BAYES, "x"), MINE: (palette.ATTENUATED, "diamond")}
CALIBRATION, REFINEMENT = "calibration part", "refinement part"


@dataclass(frozen=True)
class Cut:
    """The result: the state, and the two parts of naive Bayes and of the model with a temperature."""

    T: float
    numbers: int
    seed: int
    parts: dict[str, TwoParts]

    @property
    def own(self) -> TwoParts:
        return self.parts[MINE]


@lru_cache(maxsize=10)
def judged(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """|s| of each test name, ascending, whatever the temperature, and whether naive Bayes decides it rightly."""
    test = names_split(LENGTH, seed).test
    s = log_odds(test)
    order = np.argsort(np.abs(s), kind="stable")
    return np.abs(s)[order], ((s > 0) == test.y)[order]


@lru_cache(maxsize=10 * len(NUMBERS) * 64)
def parts_of(T: float, numbers: int, seed: int) -> TwoParts:
    """The confidence of each name at this temperature, cut into so many groups of one size."""
    size, right = judged(seed)
    return two_parts(expit(size / T), right, numbers)


def honest() -> float:
    """The temperature whose mean confidence is nearest to the share that is right."""
    size, right = judged(0)
    return min(TwoPartsExplorer.T.values, key=lambda T: abs(expit(size / T).mean() - right.mean()))


class TwoPartsExplorer(Explorer):
    """Two sliders for two parts: a temperature moves calibration alone, how finely a model speaks moves refinement."""

    T = LogSlider(1.0, 1, 20, per_decade=40, label="T, temperature")
    numbers = Steps(16, NUMBERS, say="{:g}".format, label="different numbers")
    seed = IntSlider(0, 0, 9, label="split seed")

    presets: ClassVar = {
        "Naive Bayes": Preset("Far from the diagonal: most of what can be gained is calibration.", {}),
        "Stretched": Preset("The points move to the diagonal. The other part has not moved at all.", dict(T=3.98)),
        "One number": Preset(
            "It says one number to everybody, and nearly the right one: calibrated, and of little use.",
            lambda: dict(T=honest(), numbers=1),
        ),
        "32 numbers": Preset(
            "Finer groups are a little less mixed. With 40 names in a group luck alone costs something, too.",
            dict(T=3.98, numbers=32),
        ),
    }

    def compute(self, T, numbers, seed) -> Cut:
        return Cut(T, numbers, seed, {NAIVE: parts_of(1.0, numbers, seed), MINE: parts_of(T, numbers, seed)})

    def draw(self, result):
        return theme.figure([[groups_panel(result), bars_panel(result)]], widths=[1, 1.25])

    def explain(self, result) -> list[Part]:
        own = result.own
        color = LOOKS[MINE][0]
        return [
            Term(f"{own.calibration:.4f}", CALIBRATION, CALIBRATION, color, "/"),
            "+",
            Term(f"{own.refinement:.4f}", REFINEMENT, REFINEMENT, palette.GUIDE),
            "=",
            Term(f"{own.brier:.4f}", "Brier score"),
        ]

    def describe(self, result) -> str:
        r = result
        own, naive = r.own, r.parts[NAIVE]
        said = "one number" if r.numbers == 1 else f"{r.numbers} different numbers"
        return (
            f"Split {r.seed}, {said}. T = {r.T:g}: calibration part {own.calibration:.4f}, refinement part "
            f"{own.refinement:.4f}, Brier score {own.brier:.4f}. Naive Bayes: {naive.calibration:.4f}, "
            f"{naive.refinement:.4f}, {naive.brier:.4f}."
        )


def groups_panel(r: Cut) -> Panel:
    """Draw the mean posterior of each group of names against its share of right decisions; upright lines are gaps."""
    diagonal = dict(type="scatter", mode="lines", x=[0.5, 1], y=[0.5, 1], showlegend=False, hoverinfo="skip")
    traces = [diagonal | dict(line=dict(color=palette.GUIDE, width=1.5, dash="dot"))]
    for name, parts in r.parts.items():
        color, symbol = LOOKS[name]
        ends = np.column_stack([parts.came, parts.said, np.full(len(parts.said), np.nan)]).ravel()
        gaps = dict(type="scatter", mode="lines", x=np.repeat(parts.said, 3), y=ends, showlegend=False)
        traces.append(gaps | dict(line=dict(color=color, width=1), hoverinfo="skip"))
        points = dict(type="scatter", mode="markers", x=parts.said, y=parts.came, name=name, customdata=parts.sizes)
        words = "%{fullData.name}: %{customdata} names told %{x:.3f}, right %{y:.3f}<extra></extra>"
        traces.append(points | dict(marker=dict(size=9, color=color, symbol=symbol), hovertemplate=words))
    x = dict(range=[0.48, 1.02], tickvals=[0.5, 0.75, 1], title="said: confidence, mean of a group")
    y = dict(range=[0.28, 1.02], tickvals=[0.5, 0.75, 1])
    top = [parts_of(T, r.numbers, r.seed).said[-1] for T in TwoPartsExplorer.T.values]
    grip = Handle("T", r.own.said[-1], r.own.came[-1], places=np.array(top))
    return Panel("How often right", traces, x, y, handles=[grip])


def bars_panel(r: Cut) -> Panel:
    """The Brier score, cut in two."""
    traces, notes = [], []
    for seat, (name, parts) in enumerate(r.parts.items()):
        pieces = (REFINEMENT, 0.0, parts.refinement, theme.bars(palette.GUIDE)), (
            CALIBRATION, parts.refinement, parts.calibration, theme.bars(LOOKS[name][0], "/")
        )  # fmt: skip
        for part, base, height, marker in pieces:
            words = f"{name}, {part}: {height:.4f}<extra></extra>"
            bar = dict(type="bar", orientation="h", y=[1 - seat], x=[height], base=[base], width=0.5, marker=marker)
            mark = dict(meta=dict(mark=part)) if name == MINE else {}
            traces.append(bar | dict(hovertemplate=words, showlegend=False) | mark)
        text = f"refinement {parts.refinement:.4f} + calibration {parts.calibration:.4f}"
        notes.append(dict(x=0, y=1.26 - seat, text=text, xanchor="left", yanchor="bottom"))
    y = dict(tickvals=[1, 0], ticktext=["T = 1", f"T = {r.T:g}"], range=[-0.45, 1.6])
    return Panel("Brier score, two parts", traces, dict(range=[0, 0.2], tickvals=[0, 0.05, 0.1, 0.15, 0.2]), y,
                 annotations=notes)  # fmt: skip

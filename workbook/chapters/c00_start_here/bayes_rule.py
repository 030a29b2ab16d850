"""Chapter 00: Bayes' rule on a thousand people, an illness and a test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbcore.one_hot import categorical_posterior
from workbook.page import palette, theme
from workbook.page.controls import Choice, FloatSlider, Steps
from workbook.page.explorer import Explorer, Preset
from workbook.page.theme import Panel

__all__ = ["BayesRuleExplorer"]

PEOPLE, ROWS = 1000, 25
RESULTS = ("positive", "negative")
PREVALENCES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
ILL, WELL = palette.CLASS_COLORS[1], palette.CLASS_COLORS[0]


@dataclass(frozen=True)
class Screening:
    """The result: C = 2 groups, ill and well, and a test that each person takes."""

    prevalence: float
    result: str
    theta: np.ndarray  # (2, 2) P(positive), P(negative) of the ill, then of the well
    posterior: float  # P(ill | result)
    crowd: np.ndarray  # (2, 2) whole people: ill and well, positive and negative

    @property
    def column(self) -> int:
        return RESULTS.index(self.result)

    @property
    def seen(self) -> np.ndarray:
        """(2,) ill and well people with this result."""
        return self.crowd[:, self.column]


class BayesRuleExplorer(Explorer):
    """P(ill | test) from prevalence, sensitivity and specificity: Bayes' rule, counted out on 1,000 people."""

    prevalence = Steps(0.01, PREVALENCES, label="Prevalence", say="{:.3g}".format)
    sensitivity = FloatSlider(0.8, 0.0, 1.0, step=0.01, label="Sensitivity")
    specificity = FloatSlider(0.904, 0.5, 1.0, step=0.004, label="Specificity")
    result = Choice("positive", RESULTS, label="Test")

    presets: ClassVar = {
        "A positive test": Preset(
            "Count the filled squares against all filled signs: most positive tests come from people who are well.", {}
        ),
        "A negative test": Preset(
            "Two of the ten who are ill are missed, among more than nine hundred negatives.", dict(result="negative")
        ),
        "Ten times as common": Preset(
            "The test is the same. Where the illness is common, a positive result means far more.",
            dict(prevalence=0.1),
        ),
        "One in a thousand": Preset(
            "One person is ill, and nearly a hundred alarms ring for nothing.", dict(prevalence=0.001)
        ),
    }

    def compute(self, prevalence, sensitivity, specificity, result) -> Screening:
        theta = np.array([[sensitivity, 1 - sensitivity], [1 - specificity, specificity]])
        posterior = categorical_posterior(theta, [prevalence, 1 - prevalence])
        return Screening(
            prevalence, result, theta, float(posterior[0, RESULTS.index(result)]), whole_people(prevalence, theta)
        )

    def draw(self, result):
        return theme.figure([[crowd_panel(result), belief_panel(result)]], widths=[2.1, 1])

    def describe(self, result) -> str:
        r = result
        ill, well = r.crowd.sum(axis=1)
        return (
            f"Of {PEOPLE:,} people {ill} are ill; {r.seen[0]} of these and {r.seen[1]} of the {well} others test "
            f"{r.result}. P(ill) was {r.prevalence:.3g}; with a {r.result} test it is {r.posterior:.3g}"
            f"{counted(r)}."
        )


def counted(r: Screening) -> str:
    """The same from the crowd, as a fraction of whole people."""
    total = r.seen.sum()
    return f"; in this crowd {r.seen[0]} of {total}" if total else "; in this crowd nobody has that result"


def whole_people(prevalence: float, theta: np.ndarray) -> np.ndarray:
    """(2, 2) people, rounded: ill and well; positive and negative."""
    ill = round(PEOPLE * prevalence)
    groups = np.array([ill, PEOPLE - ill])
    positive = np.round(groups * theta[:, 0]).astype(int)
    return np.stack([positive, groups - positive], axis=1)


def crowd_panel(r: Screening) -> Panel:
    """A sign for each person, column by column; those with the seen result stand side by side, filled."""
    other = 1 - r.column
    blocks = [(0, other), (0, r.column), (1, r.column), (1, other)]  # (ill or well, result)
    start, traces = 0, []
    for group, column in blocks:
        size = r.crowd[group, column]
        at = np.arange(start, start + size)
        start += size
        full, color = column == r.column, (ILL, WELL)[group]
        marker = dict(
            size=7, color=color if full else palette.PALE, symbol=("square", "circle")[group],
            line=dict(color=color, width=1.5 if group == 0 else 0.5),
        )  # fmt: skip
        traces.append(
            dict(type="scatter", mode="markers", x=at // ROWS, y=ROWS - 1 - at % ROWS, marker=marker, showlegend=full)
            | dict(name=f"{('ill', 'well')[group]}, {RESULTS[column]}", hovertemplate="%{fullData.name}<extra></extra>")
        )
    bare = dict(showticklabels=False, showgrid=False, ticks="")
    x, y = bare | dict(range=[-1, PEOPLE // ROWS]), bare | dict(range=[-1, ROWS])
    return Panel("1,000 people (squares: ill; pale: the other result)", traces, x, y)


def belief_panel(r: Screening) -> Panel:
    """P(ill) before the test and after it."""
    values = [r.prevalence, r.posterior]
    bars = dict(
        type="bar", x=[0, 1], y=values, width=0.6, showlegend=False,
        marker=dict(color=[palette.GREY, ILL]), text=[f"{v:.3g}" for v in values], textposition="outside",
        cliponaxis=False,
    )  # fmt: skip
    x = dict(range=[-0.6, 1.6], tickvals=[0, 1], ticktext=["before", "after"], showgrid=False)
    return Panel("P(ill)", [bars], x, dict(range=[0, 1.1], tickvals=[0, 0.5, 1]))

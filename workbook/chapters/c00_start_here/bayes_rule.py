"""Chapter 00: Bayes' rule on a thousand people, an illness and a test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbcore.one_hot import categorical_posterior
from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, FloatSlider, Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import written
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

__all__ = ["BayesRuleExplorer"]

PEOPLE, ROWS, GAP = 1000, 25, 1.5  # GAP: between the strip of the ill and that of the well, in columns
GROUPS, RESULTS = ("ill", "well"), ("positive", "negative")
PREVALENCES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
COLORS, HATCHES = palette.CLASS_COLORS[1::-1], palette.CLASS_PATTERNS[1::-1]  # of the ill, of the well
TAB = 1.07  # how high the edge of the prevalence reaches: above the square it is in nobody's way


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

    @property
    def prior(self) -> np.ndarray:
        """(2,) P(ill), P(well)."""
        return np.array([self.prevalence, 1 - self.prevalence])


class BayesRuleExplorer(Explorer):
    """P(ill | test) from prevalence, sensitivity and specificity: Bayes' rule, counted out on 1,000 people."""

    prevalence = Steps(0.01, PREVALENCES, label="Prevalence", say="{:.3g}".format)
    sensitivity = FloatSlider(0.8, 0.0, 1.0, step=0.01, label="Sensitivity")
    specificity = FloatSlider(0.904, 0.5, 1.0, step=0.002, label="Specificity")
    result = Choice("positive", RESULTS, label="Test")

    presets: ClassVar = {
        "A positive test": Preset(
            "Count the filled squares against all filled signs: most positive tests come from people who are well.", {}
        ),
        "A negative test": Preset(
            "Two of the ten who are ill are missed, among nearly nine hundred negatives.", dict(result="negative")
        ),
        "Ten times as common": Preset(
            "The test is the same. Where the illness is common, P(ill) after a positive result is far larger.",
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
        panels = [crowd_panel(result), square_panel(result), sum_panel(result)]
        return theme.figure([panels], widths=[1.45, 1.1, 1.0])

    def describe(self, result) -> str:
        r = result
        ill, well = r.crowd.sum(axis=1)
        are = "is" if ill == 1 else "are"
        return (
            f"Of {PEOPLE:,} people {ill} {are} ill; {r.seen[0]} of these and {r.seen[1]} of the {well} others test "
            f"{r.result}. P(ill) was {written(r.prevalence)}; with a {r.result} test it is {written(r.posterior)}"
            f"{counted(r)}."
        )

    def explain(self, result):
        return bayes_rule(result)


def counted(r: Screening) -> str:
    """The same from the crowd, as a fraction of whole people."""
    total = r.seen.sum()
    return f"; in this crowd {r.seen[0]} of {total}" if total else "; in this crowd nobody has that result"


def bayes_rule(r: Screening) -> list[Part]:
    """P(c | x) = P(c) P(x | c) over the sum for ill and well."""
    of_ill, of_well = (
        [
            Term(written(r.prior[c]), f"P({group})", *(("before", palette.BEFORE) if group == "ill" else ())),
            "·",
            Term(
                written(r.theta[c, r.column]), f"P({r.result} | {group})", f"{group}, {r.result}", COLORS[c], HATCHES[c]
            ),
        ]
        for c, group in enumerate(GROUPS)
    )
    rule, after = Over(of_ill, [*of_ill, "+", *of_well]), f"P(ill | {r.result})"
    if r.prior @ r.theta[:, r.column]:
        return [rule, "=", Term(written(r.posterior), after, "after", COLORS[0], HATCHES[0])]
    return [rule, "=", Term("undefined", after), ": nobody has this result. The prior is kept:", of_ill[0]]


def whole_people(prevalence: float, theta: np.ndarray) -> np.ndarray:
    """(2, 2) people, rounded: ill and well; positive and negative."""
    ill = round(PEOPLE * prevalence)
    groups = np.array([ill, PEOPLE - ill])
    positive = np.round(groups * theta[:, 0]).astype(int)
    return np.stack([positive, groups - positive], axis=1)


def crowd_panel(r: Screening) -> Panel:
    """A sign for each person: the ill in a strip of their own, positive tests below, as in the square beside it."""
    groups = r.crowd.sum(axis=1)
    columns = -(-groups // ROWS)  # of each strip
    left = (0, columns[0] + GAP)
    traces = []
    for group, column in ((0, 0), (0, 1), (1, 0), (1, 1)):
        size = r.crowd[group, column]
        at = np.arange(size) + column * r.crowd[group, 0]
        marker = dict(
            size=(5, 7)[group], symbol=("square", "circle")[group],
            color=COLORS[group] if column == r.column else palette.PALE,
            line=dict(color=COLORS[group], width=1 if group == 0 else 0.5),
        )  # fmt: skip
        name = f"{GROUPS[group]}, {RESULTS[column]}"
        x, y = left[group] + at % columns[group], at // columns[group]
        traces.append(
            dict(type="scatter", mode="markers", x=x, y=y, marker=marker, name=name)
            | dict(hovertemplate=f"{name}: one of {size} among {PEOPLE:,}<extra></extra>")
        )
    bare = dict(showgrid=False, ticks="")
    middles = [start + (wide - 1) / 2 for start, wide in zip(left, columns, strict=True)]
    words = [f"{size} {group}" for size, group in zip(groups, GROUPS, strict=True)]
    x = bare | dict(range=[-1, PEOPLE // ROWS + 1 + GAP], tickvals=middles, ticktext=words)
    return Panel(f"{PEOPLE:,} people", traces, x, bare | dict(range=[-1, ROWS], showticklabels=False))


def square_panel(r: Screening) -> Panel:
    """All people as a unit square: as wide as the prior, as high as the likelihood; an area is a share of everybody."""
    p, (hit, alarm) = r.prevalence, r.theta[:, 0]
    shares = r.prior[:, None] * r.theta  # (2, 2) as the crowd
    blocks = [(c, t) for c in (0, 1) for t in (0, 1)]
    product = "{}, {}: {} wide × {} high = {} of all people"
    areas = dict(
        type="bar", x=np.repeat([p / 2, (1 + p) / 2], 2), width=np.repeat(r.prior, 2), base=[0, hit, 0, alarm],
        y=r.theta.ravel(), showlegend=False, ids=[f"{GROUPS[c]}, {RESULTS[t]}" for c, t in blocks],
        customdata=[
            product.format(GROUPS[c], RESULTS[t], *map(written, (r.prior[c], r.theta[c, t], shares[c, t])))
            for c, t in blocks
        ],
        hovertemplate="%{customdata}<extra></extra>",
        marker=dict(
            color=[COLORS[c] if t == r.column else palette.PALE for c, t in blocks],
            pattern=theme.class_marker([1, 1, 0, 0])["pattern"],
            line=dict(color=[COLORS[c] for c, _ in blocks], width=0.5),
        ),
    )  # fmt: skip
    edge = dict(type="line", line=dict(color=palette.BLACK, width=2))
    ends = [(p, p, 1, TAB), (0, p, hit, hit), (p, 1, alarm, alarm)]
    edges = [edge | dict(zip(("x0", "x1", "y0", "y1"), end, strict=True)) for end in ends]
    alarms = 1 - np.array(BayesRuleExplorer.specificity.values)
    handles = [
        Handle("prevalence", x=p, y=TAB, shape="edge"),
        Handle("sensitivity", x=p / 2, y=hit, axis="y", shape="edge"),
        Handle("specificity", x=(1 + p) / 2, y=alarm, axis="y", places=alarms, shape="edge"),
    ]
    x = dict(range=[0, 1], tickvals=[0, 0.5, 1], title="width: the prior, ill left")
    y = dict(range=[0, 1.16], tickvals=[0, 0.5, 1], showgrid=False, title="height: the likelihood")
    return Panel("Area = prior × likelihood", [areas], x, y, edges, sizes(r, shares[:, r.column]), handles, equal=True)


def sizes(r: Screening, shares: np.ndarray) -> list[dict]:
    """The sizes of the two filled areas, in words: in the middle of the area, or beside it where it is too small."""
    middles = [(t / 2, (1 + t) / 2)[r.column] for t in r.theta[:, 0]]
    wide = r.prevalence >= 0.2
    ill = dict(x=r.prevalence / 2) if wide else dict(x=r.prevalence, xanchor="left", xshift=5)
    well = dict(x=r.prevalence + 0.8 * (1 - r.prevalence))
    return [
        dict(bgcolor="white", y=float(np.clip(middle, 0.05, 0.95)), text=written(share)) | place
        for middle, share, place in zip(middles, shares, (ill, well), strict=True)
    ]


def sum_panel(r: Screening) -> Panel:
    """The two filled areas on top of each other, as they are, and stretched to the whole; before them the prior."""
    areas = r.prior * r.theta[:, r.column]
    bars = [r.prior, areas, np.array([r.posterior, 1 - r.posterior])]
    ids, kinds = (
        ("before", "filled", "after"),
        ("of everybody", "of everybody, with this result", "of the filled areas"),
    )
    shared = dict(type="bar", x=[0, 1, 2], width=0.56, showlegend=False, hovertemplate="%{customdata}<extra></extra>")
    of_ill, of_well = (
        shared | dict(
            name=group, y=[bar[c] for bar in bars], base=[0, 0, 0] if c == 0 else [bar[0] for bar in bars],
            customdata=[
                f"{at}: {group} {written(bar[c])} {kind}" for at, bar, kind in zip(ids, bars, kinds, strict=True)
            ],
            marker=dict(
                color=[(palette.BEFORE, palette.PALE)[c], COLORS[c], COLORS[c]],
                pattern=theme.class_marker([0, 1 - c, 1 - c])["pattern"],
            ),
        )
        for c, group in enumerate(GROUPS)
    )  # fmt: skip
    guide = dict(type="line", x0=1.3, x1=1.7, line=dict(color=palette.GUIDE, width=1, dash="dot"))
    heights = [(float(areas[0]), r.posterior), (float(areas.sum()), 1.0)]
    guides = [guide | dict(y0=low, y1=high) for low, high in heights]
    over = dict(yanchor="bottom", bgcolor="white")
    notes = [
        over | dict(x=k, y=float(min(y, 0.86)) + 0.02, text=written(y))
        for k, y in ((0, r.prevalence), (1, areas.sum()), (2, r.posterior))
    ]
    x = dict(range=[-0.5, 2.5], tickvals=[0, 1, 2], ticktext=ids, showgrid=False)
    y = dict(range=[0, 1.1], tickvals=[0, 0.5, 1])
    return Panel("Made to sum to one", [of_ill | dict(ids=ids), of_well], x, y, guides, notes)

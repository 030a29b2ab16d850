"""Chapter 05: when every feature alone can say all: the groups of items that share values. Carlos (2015), eq. (10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbcore.perplexed import attenuated_posterior
from workbook.explorer import palette, theme
from workbook.explorer.controls import FloatSlider, IntSlider
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .experiment import groups_of

__all__ = ["GroupsExplorer"]

# The values of two features that each item has, in the order in which the items come: copies, the rest of two groups,
# and what joins them. Items with f₁ = 1 or 2 are of the first kind, the others of the second.
COPIES = (1, 1), (2, 2), (3, 3), (4, 4)
WITHIN = (1, 2), (3, 4), (2, 1), (4, 3)
BRIDGES = (2, 3), (1, 4), (3, 2), (4, 1), (1, 3), (2, 4), (3, 1), (4, 2)
ORDER = np.array(COPIES + WITHIN + BRIDGES)
FIRST = ORDER[:, 0] <= 2
KINDS = ("first kind", True, 0), ("second kind", False, 1)
EXACT = 1e-9  # a difference below this is rounding
TRUTH, EQ_8, NAIVE, PRIOR, FAILS = "truth", "eq (8)", "naive Bayes", "P(A)", "(10) fails"


@dataclass(frozen=True)
class Groups:
    """The result: P(A) of each of m items, of each value of both features, and by two rules."""

    first: float
    second: float
    weight: float
    prior: float
    items: np.ndarray  # (m, 2)
    truth: np.ndarray  # (m,) P(A | x)
    alone: np.ndarray  # (m, 2) P(A | f_1) and P(A | f_2) of the item's values
    said: dict[str, np.ndarray]  # rule -> (m,)
    groups: int

    @property
    def holds(self) -> np.ndarray:
        """(m,) whether eq. (10) holds for the item."""
        return (np.abs(self.alone - self.truth[:, None]) < EXACT).all(axis=1)


def chance_of_a(first: float, second: float, weight: float, m: int) -> np.ndarray:
    """(m, 2) P(x, A) and P(x, B): the items of a kind are equally probable, all of the first kind have `weight`."""
    kind = FIRST[:m]
    p = np.where(kind, weight / kind.sum(), (1 - weight) / (~kind).sum())
    a = np.where(kind, first, second)
    return p[:, None] * np.column_stack([a, 1 - a])


class GroupsExplorer(Explorer):
    """Items as lines between the values of two features: where every value alone says all. Carlos (2015), eq. (10)."""

    items = IntSlider(8, 4, len(ORDER), label="items")
    first = FloatSlider(0.8, 0.05, 0.95, step=0.05, label="P(A | first)")
    second = FloatSlider(0.3, 0.05, 0.95, step=0.05, label="P(A | second)")
    weight = FloatSlider(0.5, 0.1, 0.9, step=0.1, label="P(first)")

    presets: ClassVar = {
        "Copies": Preset(
            "Feature 2 copies feature 1: four items, four groups. Equation (10) holds, and the features say a lot.",
            dict(items=4),
        ),
        "Two groups": Preset(
            "No copies any more: a value no longer tells the item. But it tells the group, and that is enough.", {}
        ),
        "One bridge": Preset(
            "One item joins the groups. At f₂ = 3 both kinds meet, and that value alone no longer says all.",
            dict(items=9),
        ),
        "All combinations": Preset(
            "Everything can occur: f₁ says all, f₂ nothing. Naive Bayes is right, equation (8) is not.",
            dict(items=len(ORDER)),
        ),
        "Nothing to learn": Preset(
            "All combinations, and equation (10) holds: then P(A | x) is one number. Here the paper is right.",
            dict(items=len(ORDER), second=0.8),
        ),
    }

    def compute(self, items, first, second, weight) -> Groups:
        pairs, joint = ORDER[:items], chance_of_a(first, second, weight, items)
        prior, truth = joint.sum(axis=0), joint[:, 0] / joint.sum(axis=1)
        same = pairs[:, None] == pairs[None]  # (m, m, 2): the two items share their value of that feature
        both = np.einsum("xyf,yc->xfc", same, joint)  # P(f_i, c)
        S = np.log(both / prior).sum(axis=1)
        said = {
            rule: attenuated_posterior(S, np.log(prior), 2, k, "exact")[:, 0] for rule, k in ((NAIVE, 2.0), (EQ_8, 1.0))
        }
        alone, groups = both[..., 0] / both.sum(axis=2), len(groups_of(pairs.tolist()))
        return Groups(first, second, weight, float(prior[0]), pairs, truth, alone, said, groups)

    def draw(self, result):
        return theme.figure([[links_panel(result), items_panel(result)]], widths=[0.8, 1])

    def explain(self, result) -> Sequence[Part]:
        """Eq. (10) for the newest item, and what the rules make of it."""
        r = result
        truth, one, two = (f"{p:.3f}" for p in (r.truth[-1], *r.alone[-1]))
        return [
            f"newest item, {name(r.items[-1])}:",
            Term(one, "P(A | f₁)"),
            "=",
            Term(truth, "P(A | x)", TRUTH, palette.TRUTH),
            "=" if r.holds[-1] else "≠",
            Term(two, "P(A | f₂)"),
            *[part for rule, color in ((EQ_8, palette.EQ_19), (NAIVE, palette.NAIVE_BAYES))
              for part in (";", Term(f"{r.said[rule][-1]:.3f}", rule, rule, color))],
        ]  # fmt: skip

    def describe(self, result) -> str:
        r = result
        m, held = len(r.items), int(r.holds.sum())
        group = "1 group" if r.groups == 1 else f"{r.groups} groups"
        ends = dict.fromkeys(f"{p:.2f}" for p in (r.first, r.second))
        off = {rule: np.abs(said - r.truth).max() for rule, said in r.said.items()}
        return (
            f"{m} items in {group}; equation (10) holds for {'all' if held == m else held} of them. "
            f"P(A | x) is {' or '.join(ends)}{' for all' * (len(ends) == 1)}, P(A) is {r.prior:.3f}. "
            f"Eq (8) is off by up to {off[EQ_8]:.3f}, naive Bayes by up to {off[NAIVE]:.3f}."
        )


def name(item) -> str:
    """An item by its two values."""
    return f"{item[0]}–{item[1]}"


def links_panel(r: Groups) -> Panel:
    """The values of f₁ left, those of f₂ right, an item as a line in the look of its kind; a cross where both meet."""
    traces = []
    for title, first, look in KINDS:
        line = dict(color=palette.CLASS_COLORS[look], dash=palette.CLASS_DASHES[look])
        own = np.flatnonzero(FIRST[: len(r.items)] == first)
        words = [f"item {name(r.items[at])}: P(A | x) = {r.truth[at]:.2f}" for at in own]
        drawn = dict(type="scatter", mode="lines", hovertemplate="%{customdata}<extra></extra>")
        x, y, said = np.tile([0, 1, np.nan], len(own)), [], []
        for at, word in zip(own, words, strict=True):
            y += [*r.items[at].tolist(), np.nan]
            said += [word] * 3
        traces.append(drawn | dict(x=x, y=y, customdata=said, name=title, line=line | dict(width=2.5)))
        if own[-1] == len(r.items) - 1:
            newest = dict(x=[0, 1], y=r.items[-1].tolist(), customdata=[f"the newest, {words[-1]}"] * 2)
            traces.append(drawn | newest | dict(line=line | dict(width=6), showlegend=False))
    values = np.arange(1, 5)
    alone = [{value: p for (*pair, p) in zip(*r.items.T, r.alone[:, side], strict=True) for value in [pair[side]]}
             for side in (0, 1)]  # fmt: skip
    dots = dict(type="scatter", mode="markers", showlegend=False, hovertemplate="%{customdata}<extra></extra>")
    rim = dict(size=1.6 * theme.size().font, color="white", line=dict(color=palette.BLACK, width=1.5))
    notes = []
    for side in (0, 1):
        words = [f"P(A | f{'₁₂'[side]} = {value}) = {alone[side][value]:.3f}" for value in values]
        traces.append(dots | dict(x=[side] * 4, y=values, customdata=words, marker=rim))
        place = dict(xanchor="left") if side else dict(xanchor="right")
        for value in values:
            notes.append(dict(x=side, y=value, text=str(value)))
            notes.append(place | dict(x=1.14 if side else -0.14, y=value, text=f"{alone[side][value]:.2f}"))
    if not r.holds.all():
        meet = np.unique(r.items[~r.holds, 1])  # the class depends on f₁ alone, so that never two kinds meet there
        cross = dict(symbol="x-thin", size=18, line=dict(color=palette.WRONG, width=3))
        words = "both kinds meet at f₂ = %{y}: eq (10) fails<extra></extra>"
        traces.append(dict(type="scatter", mode="markers", x=[1.45] * len(meet), y=meet, name=FAILS, marker=cross)
                      | dict(hovertemplate=words))  # fmt: skip
    x = dict(range=[-0.5, 1.6], tickvals=[0, 1], ticktext=["P(A | f₁)", "P(A | f₂)"], showgrid=False)
    y = dict(range=[4.6, 0.4], tickvals=[], showgrid=False)
    groups = "1 group" if r.groups == 1 else f"{r.groups} groups"
    return Panel(f"{len(r.items)} items, {groups}", traces, x, y, annotations=notes)


def items_panel(r: Groups) -> Panel:
    """P(A | x) of every item as it is, and by eq. (8) and naive Bayes; and P(A)."""
    n, names = np.arange(1, len(r.items) + 1), [name(item) for item in r.items]
    looks = {
        TRUTH: dict(symbol="circle", size=16, color=palette.TRUTH),
        EQ_8: dict(symbol="diamond", size=9, color=palette.EQ_19),
        NAIVE: dict(symbol="square", size=7, color=palette.NAIVE_BAYES),
    }
    words = "item %{customdata}, %{fullData.name}: P(A | x) = %{y:.3f}<extra></extra>"
    dots = dict(type="scatter", mode="markers", x=n, customdata=names, hovertemplate=words)
    traces = [
        dots | dict(y=r.said.get(rule, r.truth), name=rule, meta=dict(mark=rule), marker=look)
        for rule, look in looks.items()
    ]
    flat = dict(x=[0.3, len(ORDER) + 1.7], y=[r.prior] * 2, line=dict(color=palette.BEFORE, dash="dash", width=2))
    flat |= dict(name=PRIOR, hovertemplate="the prior, P(A) = %{y:.3f}<extra></extra>")
    traces.insert(0, dict(type="scatter", mode="lines") | flat)
    at = len(r.items)
    now = dict(type="line", x0=at, x1=at, y0=0, y1=1, yref="domain", line=dict(width=2, color=palette.NOW))
    handles = [
        Handle("items", x=at, y=0.5, shape="line"),
        Handle("first", x=1, y=r.first, axis="y"),
        Handle("second", x=3, y=r.second, axis="y"),
    ]
    if r.first != r.second:
        shares = np.array(GroupsExplorer.weight.values)
        places = shares * r.first + (1 - shares) * r.second
        handles.append(Handle("weight", x=len(ORDER) + 1, y=r.prior, axis="y", places=places))
    x = dict(range=[0.3, len(ORDER) + 1.7], tickvals=[1, 4, 8, 12, 16], title="item, in the order in which they come")
    return Panel("P(A | x)", traces, x, dict(range=[-0.04, 1.04], tickvals=[0, 0.5, 1]), [now], handles=handles)

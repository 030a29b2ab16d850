"""Chapter 05: when every feature alone can say all: the groups of items that share values. Carlos (2015), eq. (10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbcore.perplexed import attenuated_posterior
from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BLACK, CLASSES, EQ_19, GUIDE, NAIVE_BAYES, TRUTH, WRONG, Look
from workbook.explorer.theme import Panel

from .experiment import groups_of

__all__ = ["GroupsExplorer"]

# The values of two features that each item has, in the order in which the items come: copies, the rest of two groups,
# and what joins them. Items with f₁ = 1 or 2 are of the first kind, the others of the second.
COPIES = (1, 1), (2, 2), (3, 3), (4, 4)
WITHIN = (1, 2), (3, 4), (2, 1), (4, 3)
BRIDGES = (2, 3), (1, 4), (3, 2), (4, 1), (1, 3), (2, 4), (3, 1), (4, 2)
ORDER = np.array(COPIES + WITHIN + BRIDGES)
FIRST = 0.8  # P(A | x) of the first kind; both kinds are equally frequent
SECONDS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
EXACT = 1e-9  # a difference below this is rounding


@dataclass(frozen=True)
class Groups:
    """Hold m items: P(A) of each, of each value of both features, and by two rules."""

    second: float
    items: np.ndarray  # (m, 2)
    truth: np.ndarray  # (m,) P(A | x)
    alone: np.ndarray  # (m, 2) P(A | f_1) and P(A | f_2) of the item's values
    naive: np.ndarray  # (m,) by naive Bayes
    root: np.ndarray  # (m,) by the root of the likelihood at k = 1
    groups: int

    @property
    def holds(self) -> np.ndarray:
        """Return for each item whether each feature alone says all, (m,) bool."""
        return (np.abs(self.alone - self.truth[:, None]) < EXACT).all(axis=1)

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c05 proves it for all states."""
        groups = "1 group" if self.groups == 1 else f"{self.groups} groups"
        if not self.holds.all():
            return f"{groups}: a feature alone cannot say all"
        learnt = "and there is nothing to learn" if self.second == FIRST else "and features tell the classes apart"
        return f"{groups}: each feature alone says all, {learnt}"


def find_chances(second: float, m: int) -> np.ndarray:
    """Return P(x, A) and P(x, B), (m, 2): the items of a kind are equally probable."""
    kind = ORDER[:m, 0] <= 2
    p, a = np.where(kind, 0.5 / kind.sum(), 0.5 / (~kind).sum()), np.where(kind, FIRST, second)
    return p[:, None] * np.column_stack([a, 1 - a])


class GroupsExplorer(Explorer):
    """Items as lines between the values of two features: where every value alone says all. Carlos (2015), eq. (10)."""

    items = Steps(8, range(4, len(ORDER) + 1), label="items", say="{:g}".format)
    second = Steps(0.3, SECONDS, label="P(A | second kind)", say="{:.2f}".format)

    presets: ClassVar = {
        "Copies": Preset("Feature 2 copies feature 1: four items, four groups.", dict(items=4)),
        "Two groups": Preset("A value no longer tells the item. It tells the group.", dict(items=8)),
        "One bridge": Preset("One item joins the groups. At f₂ = 3 both kinds meet.", dict(items=9)),
        "Nothing to learn": Preset("All combinations, and both kinds say the same.", dict(items=16, second=0.8)),
    }

    def compute(self, items: int, second: float) -> Groups:
        pairs, joint = ORDER[:items], find_chances(second, items)
        prior, truth = joint.sum(axis=0), joint[:, 0] / joint.sum(axis=1)
        same = pairs[:, None] == pairs[None]  # (m, m, 2): the two items share their value of that feature
        both = np.einsum("xyf,yc->xfc", same, joint)  # P(f_i, c)
        S, log_prior = np.log(both / prior).sum(axis=1), np.log(prior)
        naive, root = (attenuated_posterior(S, log_prior, 2, k, "exact")[:, 0] for k in (2.0, 1.0))
        alone = both[..., 0] / both.sum(axis=2)
        return Groups(second, pairs, truth, alone, naive, root, len(groups_of(pairs.tolist())))

    def draw(self, result: Groups) -> dict:
        number = f"{result.groups}", "group" if result.groups == 1 else "groups"
        panels = links_panel(result), items_panel(result)
        return marks.figure(*panels, finding=result.finding, number=number, widths=[0.8, 1])

    def describe(self, result: Groups) -> str:
        r = result
        root, naive = (np.abs(said - r.truth).max() for said in (r.root, r.naive))
        off = f"The root of the likelihood (k = 1) is off by up to {root:.3f}, naive Bayes by up to {naive:.3f}"
        return f"{r.finding}. Each tells P(A | x) of {r.holds.sum()} of {len(r.items)} items. {off}."

    def explain(self, result: Groups) -> Sequence[Part]:
        r = result
        truth, one, two = (f"{p:.3f}" for p in (r.truth[-1], *r.alone[-1]))
        middle = [Term(one, "P(A | f₁)"), "=", Term(truth, "P(A | x)", "truth", TRUTH)]
        return [f"newest item, {name_item(r.items[-1])}:", *middle, "=" if r.holds[-1] else "≠", Term(two, "P(A | f₂)")]


def name_item(item: np.ndarray) -> str:
    """Return an item's two values."""
    return f"{item[0]}–{item[1]}"


def links_panel(r: Groups) -> Panel:
    """Draw an item as a line between its values, with P(A | f) beside each value, and a cross where both kinds meet."""
    newest = len(r.items) - 1
    lines = [marks.line([0, 1], item, CLASSES[int(item[0] > 2)], width=6 if at == newest else 2.5,
                        name="second kind" if item[0] > 2 else "first kind",
                        hover=f"item {name_item(item)}: P(A | x) = {r.truth[at]:.2f}")
             for at, item in enumerate(r.items)]  # fmt: skip
    words = []
    for side, place in ((0, "left"), (1, "right")):
        for value, p in sorted(dict(zip(r.items[:, side].tolist(), r.alone[:, side], strict=True)).items()):
            words.append(marks.text(1.08 if side else -0.08, value, f"{value}: {p:.2f}", place=place))
    meet = np.unique(r.items[~r.holds, 1])  # the class depends on f₁ alone: two kinds meet at values of f₂ only
    cross = marks.points(np.full(len(meet), 1.0), meet, WRONG, symbol="x-thin", size=18, stroke=3,
                         hover="both kinds meet at f₂ = {y}")  # fmt: skip
    return marks.panel(
        "A line is an item", lines, words, cross,
        x=marks.axis(-0.6, 1.6, ticks={0: "f₁: P(A | f₁)", 1: "f₂: P(A | f₂)"}, grid=False),
        y=marks.axis(4.6, 0.4, ticks={}, grid=False),
    )  # fmt: skip


def items_panel(r: Groups) -> Panel:
    """Draw P(A | x) of each item as it is, by the root of the likelihood, and by naive Bayes."""
    at = np.arange(1, len(r.items) + 1)
    rows = [(r.truth, Look(TRUTH), 16, "truth"), (r.root, Look(EQ_19, "diamond"), 9, "root of the likelihood, k = 1"),
            (r.naive, Look(NAIVE_BAYES, "square"), 7, "naive Bayes")]  # fmt: skip
    dots = [marks.points(at, y, look, size=size, name=words, id=words, hover=f"{words}, item {{x}}: {{y:.3f}}")
            for y, look, size, words in rows]  # fmt: skip
    prior = marks.rule(y=(FIRST + r.second) / 2, look=Look(GUIDE, dash="dash"))
    return marks.panel(
        "P(A | x) of each item; dashed: the prior", prior, dots, marks.rule(x=len(at), look=BLACK, width=1),
        Handle("items", len(at), 0.5, shape="line"), Handle("second", 3, r.second, axis="y"),
        x=marks.axis(0.3, len(ORDER) + 0.7, "item", ticks=[1, 4, 8, 12, 16]),
        y=marks.axis(-0.04, 1.04, ticks=[0, 0.5, 1]),
    )  # fmt: skip
